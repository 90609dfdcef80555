/* Light, floor and colours of a scene's pictures: the named look, the values that the scene gives,
 * and what follows from the amount of fluid. */
#include "renderer_internal.h"

#define PURE_WATER_LENGTH_M 10.0f /* over which water has its real colour */
#define ABSORPTION_DEPTHS 3.5f    /* water in depths of the settled fluid */

/* Returns the default depth at which white light takes on the colour of the fluid, m. Water takes
 * it from the volume and the depth of the fluid, so that a bath is as blue as a lake, but never
 * less clear than it is; other fluids from the domain's longest edge. */
static float absorption_length(const scene_fluid *fluid, const render_look_preset *preset,
                               const scene_subject *subject, float extent)
{
    static const float water[3] = SCENE_WATER_COLOUR;
    if (memcmp(fluid->colour, water, sizeof water) != 0) return 0.25f * extent;
    float scale = preset->absorption_scale, studio = render_look_preset_get(0)->absorption_scale;
    float volume = subject->volume_m3 > 0.0f ? subject->volume_m3 : 1.0f;
    float depth = subject->depth_m > 0.0f ? subject->depth_m : INFINITY;
    float length =
        fminf(scale * (float)cbrt((double)volume), scale / studio * ABSORPTION_DEPTHS * depth);
    return fminf(length, PURE_WATER_LENGTH_M);
}

static void sample_colours(const scene_colour_curve *from, render_colour_curve *to)
{
    *to = (render_colour_curve){0};
    if (!from->given) return;
    const float span = from->values[from->count - 1] - from->values[0];
    memcpy(to->attribute, from->attribute, sizeof to->attribute);
    to->first = from->values[0];
    to->per_value = (RENDER_CURVE_SAMPLES - 1) / span;
    for (uint32_t i = 0; i < RENDER_CURVE_SAMPLES; i++)
        scene_colour_curve_at(from,
                              to->first + span * ((float)i / (float)(RENDER_CURVE_SAMPLES - 1)),
                              to->colours[i]);
}

void api_liquid_appearance(const api_surroundings *around, const scene_fluid *fluid,
                           const scene_look *look, render_liquid *liquid)
{
    float length =
        look->absorption_length > 0.0f
            ? look->absorption_length
            : absorption_length(fluid, around->preset, &around->subject, around->extent_m);
    for (int k = 0; k < 3; k++) {
        liquid->colour[k] = fluid->colour[k];
        liquid->absorption[k] = -(float)log((double)fmaxf(fluid->colour[k], 0.02f)) / length;
    }
    liquid->absorption_length = length;
    bool given = look->scattering_ratio >= 0.0f;
    liquid->scattering =
        (given ? look->scattering_ratio : around->preset->scattering_ratio) / length;
    sample_colours(&fluid->colour_curve, &liquid->curve);
    liquid->density = fluid->density;
    liquid->name = fluid->name;
}

/* Returns 1, 2 or 5 times a power of ten, close to an eighth of the extent. */
static float floor_tile_size(float extent)
{
    float wanted = extent / 8.0f, ten = (float)pow(10.0, floor(log10((double)wanted))),
          rest = wanted / ten;
    return ten * (rest < 1.5f ? 1.0f : rest < 3.5f ? 2.0f : rest < 7.5f ? 5.0f : 10.0f);
}

/* Selects the closed vertical sides of the domain as walls of the tank. There is none around a bowl
 * or another solid that holds the fluid. */
static void set_tank(const scene_data *scene, bool held, render_look *look)
{
    static const int sides[4] = {0, 1, 4, 5};
    look->tank_min = scene->domain.min;
    look->tank_max = scene->domain.max;
    for (uint32_t i = 0; i < 4; i++)
        if (scene->look.tank && !held && scene->domain.sides[sides[i]] == SCENE_SIDE_CLOSED)
            look->tank_sides |= 1u << i;
}

/* Returns the azimuth of the camera that lights the pictures, degrees from +z towards +x. */
static float light_azimuth(const weir_renderer_def *def)
{
    weir_camera initial;
    const weir_camera *view = def->camera;
    if (!view) {
        initial = weir_camera_default(def->scene);
        view = &initial;
    }
    return 57.2957795f * base_atan2(view->eye[0] - view->target[0], view->eye[2] - view->target[2]);
}

static weir_result find_preset(const weir_log *log, const weir_renderer_def *def,
                               const render_look_preset **preset)
{
    const char *names[RENDER_LOOK_COUNT];
    uint32_t index = def->scene ? def->scene->data->look.preset : RENDER_LOOK_STUDIO;
    for (uint32_t i = 0; i < RENDER_LOOK_COUNT; i++) {
        names[i] = scene_look_name(i);
        if (def->look && strcmp(def->look, names[i]) == 0) {
            *preset = render_look_preset_get(i);
            return WEIR_OK;
        }
    }
    *preset = render_look_preset_get(index);
    if (!def->look) return WEIR_OK;
    const char *near = base_nearest_name(def->look, names, RENDER_LOOK_COUNT);
    char *all = near ? NULL : api_list_names(WEIR_ENUM_LOOK);
    weir_result result = base_fail(log, WEIR_ERROR_ARGUMENT, "there is no look \"%.40s\"%s%s%s",
                                   def->look, near ? "; did you mean \"" : ": expected ",
                                   near  ? near
                                   : all ? all
                                         : "",
                                   near ? "\"?" : "");
    base_free(all);
    return result;
}

weir_result api_surroundings_find(const weir_log *log, const weir_renderer_def *def,
                                  api_surroundings *around)
{
    const scene_data *scene = def->scene ? def->scene->data : NULL;
    vec3 size = {2.0f, 2.0f, 2.0f};
    if (scene) size = vec3_sub(scene->domain.max, scene->domain.min);
    around->extent_m = fmaxf(fmaxf(size.x, size.y), size.z);
    around->subject = api_scene_subject(def->scene);
    WEIR_RETURN_IF_ERROR(find_preset(log, def, &around->preset));
    render_look *look = &around->look;
    *look = render_look_from_preset(around->preset, light_azimuth(def));
    look->floor_height = scene ? scene->domain.min.y : -1.0f;
    look->floor_tile = !scene || scene->look.floor ? floor_tile_size(around->extent_m) : 0.0f;
    look->floor_fade = 3.0f * around->extent_m;
    if (!scene) return WEIR_OK;
    if (vec3_length(scene->look.sun) > 0.0f) look->sun = scene->look.sun;
    set_tank(scene, around->subject.held, look);
    return WEIR_OK;
}
