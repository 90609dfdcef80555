/* Fills the parameter block of a frame that all shaders read: cameras, light, fluids. */
#include "render_internal.h"
#include "weir/profile.h"

static vec4 vec4_from(vec3 v, float w)
{
    return (vec4){v.x, v.y, v.z, w};
}

static vec3 vec3_from(const float v[3])
{
    return vec3_make(v[0], v[1], v[2]);
}

static vec3 unit_vector(vec3 v)
{
    float length = vec3_length(v);
    return length > 0.0f ? vec3_scale(v, 1.0f / length) : vec3_make(0.0f, 1.0f, 0.0f);
}

/* Returns a unit vector perpendicular to `v`. */
static vec3 perpendicular(vec3 v)
{
    vec3 axis = fabsf(v.y) < 0.9f ? vec3_make(0.0f, 1.0f, 0.0f) : vec3_make(1.0f, 0.0f, 0.0f);
    return unit_vector(vec3_cross(v, axis));
}

static vec4 frame_size(uint32_t width, uint32_t height)
{
    return (vec4){(float)width, (float)height, 1.0f / (float)width, 1.0f / (float)height};
}

static float near_distance(const weir_camera *view, float spacing)
{
    return view->near_m > 0.0f ? view->near_m : 0.5f * spacing;
}

static render_camera eye_camera(const weir_camera *view, float spacing)
{
    vec3 forward = unit_vector(vec3_sub(vec3_from(view->target), vec3_from(view->eye)));
    vec3 right = vec3_cross(forward, vec3_from(view->up));
    right = vec3_length(right) > 1e-6f ? unit_vector(right) : perpendicular(forward);
    float tangent = base_tan(view->fov_y_degrees * 0.00872664626f);
    uint32_t width = view->width * view->samples, height = view->height * view->samples;
    return (render_camera){
        .eye = vec4_from(vec3_from(view->eye), near_distance(view, spacing)),
        .right = vec4_from(right, tangent * (float)width / (float)height),
        .up = vec4_from(vec3_cross(right, forward), tangent),
        .forward = vec4_from(forward, 0.0f),
        .frame = frame_size(width, height),
    };
}

static vec3 box_corner(const renderer *r, int i)
{
    return vec3_make(i & 1 ? r->max.x : r->min.x, i & 2 ? r->max.y : r->min.y,
                     i & 4 ? r->max.z : r->min.z);
}

static render_camera host_perspective(const weir_camera *view, const render_host *host,
                                      float spacing)
{
    return (render_camera){
        .eye = vec4_from(host->eye, near_distance(view, spacing)),
        .right = vec4_from(host->right, host->tangent_x),
        .up = vec4_from(host->up, host->tangent_y),
        .forward = vec4_from(host->forward, 0.0f),
        .frame = frame_size(view->width, view->height),
        .middle = {host->middle_x, host->middle_y, host->middle_x / host->tangent_x,
                   -host->middle_y / host->tangent_y},
    };
}

#define PARALLEL_EYE_DISTANCE 8.0f /* in depths of the fluid's bounds */

/* Returns the camera for a host with parallel rays. There is no eye, so its plane may be anywhere
 * in front of the fluid: far enough away that 1/z, which passes filter, is nearly linear over the
 * fluid, and near enough that floats resolve pixels. *eye_offset_m: distance of the plane in front
 * of the plane of the host's eye. */
static render_camera host_parallel(const renderer *r, const render_frame *frame, float spacing,
                                   float *eye_offset_m)
{
    const render_host *host = frame->host;
    float first = INFINITY, last = -INFINITY;
    for (int i = 0; i < 8; i++) {
        float distance = vec3_dot(vec3_sub(box_corner(r, i), host->eye), host->forward);
        first = fminf(first, distance);
        last = fmaxf(last, distance);
    }
    float depth = fmaxf(last - first, spacing),
          start = fmaxf(first, host->near_m) - PARALLEL_EYE_DISTANCE * depth;
    *eye_offset_m = -start;
    float near = fmaxf(host->near_m - start, near_distance(frame->view, spacing));
    return (render_camera){
        .eye = vec4_from(vec3_add(host->eye, vec3_scale(host->forward, start)), near),
        .right = vec4_from(host->right, host->tangent_x),
        .up = vec4_from(host->up, host->tangent_y),
        .forward = vec4_from(host->forward, fmaxf(last - start, near) + depth),
        .frame = frame_size(frame->view->width, frame->view->height),
    };
}

static void fill_host(const renderer *r, const render_frame *frame, float spacing,
                      struct render_params *p)
{
    const render_host *host = frame->host;
    float eye_offset_m = 0.0f, added = host->depth_added;
    p->cameras[RENDER_CAMERA_EYE] = host->parallel ? host_parallel(r, frame, spacing, &eye_offset_m)
                                                   : host_perspective(frame->view, host, spacing);
    if (host->parallel) added += eye_offset_m / host->depth_over;
    p->host = (vec4){host->depth_over, added, host->encoded ? 1.0f : 0.0f, 0.0f};
}

/* Returns the camera of the sun: parallel rays through the fluid's bounds. */
static render_camera sun_camera(const renderer *r, float spacing)
{
    vec3 forward = vec3_scale(unit_vector(r->look.sun), -1.0f), right = perpendicular(forward);
    vec3 up = vec3_cross(right, forward), middle = vec3_scale(vec3_add(r->min, r->max), 0.5f);
    vec3 half = {0};
    for (int i = 0; i < 8; i++) {
        vec3 c = vec3_sub(box_corner(r, i), middle);
        half = vec3_max(half, vec3_make(fabsf(vec3_dot(c, right)), fabsf(vec3_dot(c, up)),
                                        fabsf(vec3_dot(c, forward))));
    }
    half = vec3_add(half, vec3_make(2.0f * spacing, 2.0f * spacing, 4.0f * spacing));
    return (render_camera){
        .eye = vec4_from(vec3_sub(middle, vec3_scale(forward, half.z)), 0.0f),
        .right = vec4_from(right, half.x),
        .up = vec4_from(up, half.y),
        .forward = vec4_from(forward, 2.0f * half.z),
        .frame =
            frame_size(r->shadow.size ? r->shadow.size : 1, r->shadow.size ? r->shadow.size : 1),
    };
}

/* Reports whether the picture shows light. Otherwise it shows values as colours, which exposure and
 * tone mapping must not change. */
static bool shows_shading(weir_render_mode mode)
{
    return mode <= WEIR_RENDER_MODE_MESH || mode == WEIR_RENDER_MODE_BACKGROUND;
}

static void fill_light(const renderer *r, const render_frame *frame, struct render_params *p)
{
    const weir_camera *view = frame->view;
    const render_look *look = &r->look;
    vec3 middle = vec3_scale(vec3_add(r->min, r->max), 0.5f);
    p->sun_direction = vec4_from(unit_vector(look->sun), 0.9998f);
    p->sun_colour = vec4_from(vec3_from(look->sun_colour), look->horizon_glow);
    p->sky_zenith = vec4_from(vec3_from(look->zenith), look->ambient);
    p->sky_horizon = vec4_from(vec3_from(look->horizon), look->clouds);
    p->lamp_strip = vec4_from(look->strip, look->lamp_radiance);
    p->lamp_fill = vec4_from(look->fill, look->floor_gloss);
    p->lamp_wall = vec4_from(look->wall, 0.0f);
    p->floor_light = vec4_from(vec3_from(look->floor_light), look->floor_height);
    p->floor_dark =
        vec4_from(vec3_from(look->floor_dark), view->transparent ? 0.0f : look->floor_tile);
    p->floor_fade = (vec4){1.0f / look->floor_fade, middle.x, middle.z, look->line_strength};
    p->background = (vec4){view->transparent ? 1.0f : 0.0f, view->exposure,
                           view->exposure > 0.0f && shows_shading(view->mode) ? 0.0f : 1.0f,
                           frame->exposures > 1 ? 1.0f / (float)frame->exposures : 1.0f};
    p->refraction = look->refraction;
}

/* relative density error at either end of the colour scale */
#define MAX_DENSITY_ERROR_SHOWN 0.05f

static float vector_component(vec3 v, uint32_t axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* Fills the plane of the slice, whose normal points to the eye; everything in front of it is cut
 * away. */
static void fill_slice(const weir_camera *view, struct render_params *p)
{
    const weir_slice *slice = view->slice;
    if (!slice) return;
    WEIR_ASSERT(RENDER_SLICE_NO_VALUE == WEIR_NO_VALUE);
    uint32_t axis = slice->axis;
    float way = vector_component(vec3_from(view->eye), axis) < slice->position_m ? -1.0f : 1.0f;
    p->slice_plane = (vec4){axis == 0 ? way : 0.0f, axis == 1 ? way : 0.0f, axis == 2 ? way : 0.0f,
                            way * slice->position_m};
    p->slice_grid = (vec4){slice->corner_m[0], slice->corner_m[1], 1.0f / slice->cell_m[0],
                           1.0f / slice->cell_m[1]};
    p->slice_cells = (uvec4){slice->columns, slice->rows, axis, 0};
}

/* Fills the range of the colour scale: that of the camera, or one estimated from the fluid's
 * bounds. */
static void fill_range(const renderer *r, const render_frame *frame, struct render_params *p)
{
    const weir_camera *view = frame->view;
    vec3 extent = vec3_sub(r->max, r->min);
    float nearest = INFINITY, farthest = 0.0f;
    for (int i = 0; i < 8; i++) {
        float distance = vec3_length(vec3_sub(box_corner(r, i), vec3_from(view->eye)));
        nearest = fminf(nearest, distance);
        farthest = fmaxf(farthest, distance);
    }
    float low = 0.0f, high = 1.0f;
    if (view->slice) {
        low = view->slice->min_value;
        high = view->slice->max_value;
    } else if (view->mode == WEIR_RENDER_MODE_DEPTH ||
               view->mode == WEIR_RENDER_MODE_FILTERED_DEPTH) {
        low = nearest;
        high = farthest;
    } else if (!render_draws_opaque(view)) {
        high = 0.4f * vec3_length(extent);
    } else if (view->colouring == WEIR_COLOURING_SPEED) {
        high = sqrtf(2.0f * 9.81f * extent.y);
    } else if (view->colouring == WEIR_COLOURING_DENSITY) {
        high = MAX_DENSITY_ERROR_SHOWN;
        low = -high;
    } else if (view->colouring == WEIR_COLOURING_NEIGHBOURS) {
        high = 60.0f;
    } else if (view->colouring == WEIR_COLOURING_LAMBDA && frame->points) {
        high = MAX_DENSITY_ERROR_SHOWN * frame->points->lambda_unit;
        low = -high;
    }
    bool chosen = view->value_range[0] == view->value_range[1];
    p->range_low = chosen ? low : view->value_range[0];
    p->range_high = chosen ? high : view->value_range[1];
}

#define MAX_DROP_DIAMETER_M 0.006f /* m: largest diameter of a drop that is stable in air */
#define MAX_DROPS 8.0f
#define MAX_SUB_DROPS 8.0f         /* per drop that is still too large */
#define DROPS_RADIUS_SPACINGS 1.3f /* radius of the ball that drops of glass fill, in spacings */
#define SPRAY_RADIUS_SPACINGS 1.7f /* the same for spray */
#define STREAK_FRAMES 1.5f         /* frames: streaks of consecutive frames overlap */
#define LONGEST_STREAK_S (1.0f / 40.0f)

/* Returns the time over which spray and whitewater are blurred along their motion, s. */
static float streak_time(const renderer *r, const render_frame *frame)
{
    float shutter_s = frame->view->shutter_s;
    if (shutter_s > 0.0f) return shutter_s / (float)(frame->exposures > 1 ? frame->exposures : 1);
    return r->frame_s > 0.0f ? fminf(STREAK_FRAMES * r->frame_s, LONGEST_STREAK_S)
                             : LONGEST_STREAK_S;
}

/* Fills the drops that are drawn in place of a particle without neighbours. Modes that show
 * particles draw them unchanged. */
static void fill_drops(const renderer *r, const render_frame *frame, struct render_params *p)
{
    float perpendicular = p->spacing / MAX_DROP_DIAMETER_M,
          number = roundf(1.91f * perpendicular * perpendicular * perpendicular);
    float parts = fminf(fmaxf(roundf(number / MAX_DROPS), 1.0f), MAX_SUB_DROPS);
    p->drops = (vec4){fminf(fmaxf(number, 1.0f), MAX_DROPS), DROPS_RADIUS_SPACINGS,
                      frame->extrapolation_s, parts};
    if (render_draws_spray(frame)) p->drops.y = SPRAY_RADIUS_SPACINGS;
    p->streak = (vec4){streak_time(r, frame), render_draws_spray(frame) ? 1.0f : 0.0f,
                       fminf(0.62f * p->spacing, 0.5f * MAX_DROP_DIAMETER_M), 0.0f};
    if (render_draws_opaque(frame->view)) p->drops.x = 1.0f;
}

/* Width of the tank's edges as a fraction of its longest side. */
#define TANK_EDGE_RATIO 0.0025f

static void fill_tank(const renderer *r, struct render_params *p)
{
    const render_look *look = &r->look;
    vec3 size = vec3_sub(look->tank_max, look->tank_min);
    p->tank_low = vec4_from(look->tank_min, TANK_EDGE_RATIO * fmaxf(fmaxf(size.x, size.y), size.z));
    p->tank_high = vec4_from(look->tank_max, (float)look->tank_sides);
}

static uint32_t show_mode(const render_frame *frame)
{
    static const uint32_t modes[WEIR_RENDER_MODE_COUNT] = {
        [WEIR_RENDER_MODE_SURFACE] = RENDER_SHOW_SURFACE,
        [WEIR_RENDER_MODE_ELLIPSOIDS] = RENDER_SHOW_ELLIPSOIDS,
        [WEIR_RENDER_MODE_PARTICLES] = RENDER_SHOW_PARTICLES,
        [WEIR_RENDER_MODE_MESH] = RENDER_SHOW_MESH,
        [WEIR_RENDER_MODE_DEPTH] = RENDER_SHOW_DEPTH,
        [WEIR_RENDER_MODE_FILTERED_DEPTH] = RENDER_SHOW_FILTERED,
        [WEIR_RENDER_MODE_THICKNESS] = RENDER_SHOW_THICKNESS,
        [WEIR_RENDER_MODE_NORMALS] = RENDER_SHOW_NORMALS,
        [WEIR_RENDER_MODE_SHADOW] = RENDER_SHOW_SHADOW,
        [WEIR_RENDER_MODE_BACKGROUND] = RENDER_SHOW_BACKGROUND,
    };
    return modes[frame->view->mode];
}

static void fill_points(const particle_view *points, bool draft, struct render_params *p)
{
    p->count = points->count;
    p->has = (draft ? RENDER_DRAFT : 0u) | (points->velocity ? 1u : 0u) | (points->id ? 2u : 0u) |
             (points->fluid ? 4u : 0u) | (points->density ? 8u : 0u) |
             (points->has_lambda ? 16u : 0u);
}

/* Finds the attribute of the picture's colours; returns false if the points do not have it. */
static bool find_attribute(const render_frame *frame, uint32_t *first, uint32_t *components)
{
    const particle_view *points = frame->points;
    return points && points->attribute_values &&
           base_attributes_find(&points->attributes, frame->view->attribute, first, components);
}

/* Returns whether a liquid's colour depends on an attribute that the points have. */
static bool find_curve(const renderer *r, const render_frame *frame, uint32_t liquid,
                       uint32_t *component)
{
    uint32_t components;
    const particle_view *points = frame->points;
    const char *name = r->liquids[liquid].curve.attribute;
    return name[0] && points && points->attribute_values &&
           base_attributes_find(&points->attributes, name, component, &components);
}

static bool has_curves(const renderer *r, const render_frame *frame)
{
    uint32_t component;
    for (uint32_t i = 0; i < r->liquid_count; i++)
        if (find_curve(r, frame, i, &component)) return true;
    return false;
}

static void fill_curves(const renderer *r, const render_frame *frame, struct render_params *p)
{
    for (uint32_t i = 0; i < r->liquid_count; i++) {
        const render_colour_curve *curve = &r->liquids[i].curve;
        struct render_fluid_curve *to = &p->fluid_curves[i];
        if (!find_curve(r, frame, i, &to->component)) continue;
        to->vectors = particle_attribute_vectors(frame->points);
        to->first = curve->first;
        to->per_value = curve->per_value;
        to->path_m = r->liquids[i].absorption_length;
        for (uint32_t k = 0; k < RENDER_CURVE_SAMPLES; k++)
            to->colours[k] = vec4_from(vec3_from(curve->colours[k]), 0.0f);
    }
}

bool render_mixes_colours(const renderer *r, const render_frame *frame)
{
    uint32_t first, components;
    bool surface = !frame->mesh && frame->view->mode == WEIR_RENDER_MODE_SURFACE;
    if (r->liquid_count > 1) return true;
    if (!surface) return false;
    return frame->view->colouring == WEIR_COLOURING_ATTRIBUTE
               ? find_attribute(frame, &first, &components)
               : has_curves(r, frame);
}

static void fill_attribute(const renderer *r, const render_frame *frame, struct render_params *p)
{
    uint32_t first = 0, components = 0, length_bits;
    if (!find_attribute(frame, &first, &components)) return;
    memcpy(&length_bits, &r->liquids[0].absorption_length, sizeof length_bits);
    p->colour_attribute =
        (uvec4){particle_attribute_vectors(frame->points), first, components, length_bits};
    if (frame->view->colouring != WEIR_COLOURING_ATTRIBUTE) return;
    for (uint32_t i = 0; i < r->liquid_count; i++) { /* shadows show one fluid: in grey */
        vec4 *absorption = &p->fluids[i].absorption;
        absorption->x = absorption->y = absorption->z =
            (absorption->x + absorption->y + absorption->z) / 3.0f;
    }
}

void render_params_fill(const renderer *r, const render_frame *frame, struct render_params *p)
{
    static const uint32_t colourings[WEIR_COLOURING_COUNT] = {
        [WEIR_COLOURING_FLUID] = RENDER_COLOUR_BY_FLUID,
        [WEIR_COLOURING_SPEED] = RENDER_COLOUR_BY_SPEED,
        [WEIR_COLOURING_DENSITY] = RENDER_COLOUR_BY_DENSITY,
        [WEIR_COLOURING_ID] = RENDER_COLOUR_BY_ID,
        [WEIR_COLOURING_NEIGHBOURS] = RENDER_COLOUR_BY_NEIGHBOURS,
        [WEIR_COLOURING_LAMBDA] = RENDER_COLOUR_BY_LAMBDA,
        [WEIR_COLOURING_ATTRIBUTE] = RENDER_COLOUR_BY_ATTRIBUTE,
    };
    const weir_camera *view = frame->view;
    float spacing = frame->points ? frame->points->spacing_m : r->anisotropy_def.spacing_m;
    if (frame->mesh && frame->mesh->spacing_m > 0.0f) spacing = frame->mesh->spacing_m;
    if (!(spacing > 0.0f)) spacing = 0.01f * vec3_length(vec3_sub(r->max, r->min));
    *p = (struct render_params){.fluid_count = r->liquid_count,
                                .show = show_mode(frame),
                                .colour_by = colourings[view->colouring],
                                .spacing = spacing,
                                .bulk_radius = r->look.bulk_radius,
                                .drop_radius = r->look.drop_radius,
                                .filter_sigma_m = view->filter_size * spacing,
                                .filter_range_m = 3.0f * spacing,
                                .filter_max_pixels = view->samples > 1 ? 64 : 32,
                                .samples = view->samples,
                                .fixed_point = 65536.0f / spacing};
    if (frame->host)
        fill_host(r, frame, spacing, p);
    else
        p->cameras[RENDER_CAMERA_EYE] = eye_camera(view, spacing);
    p->cameras[RENDER_CAMERA_SUN] = sun_camera(r, spacing);
    for (uint32_t i = 0; i < r->liquid_count; i++) {
        const render_liquid *liquid = &r->liquids[i];
        p->fluids[i].absorption = vec4_from(vec3_from(liquid->absorption), liquid->scattering);
        p->fluids[i].colour = vec4_from(vec3_from(liquid->colour), liquid->density);
    }
    if (frame->points) fill_points(frame->points, view->draft, p);
    fill_attribute(r, frame, p);
    fill_curves(r, frame, p);
    fill_drops(r, frame, p);
    fill_tank(r, p);
    fill_light(r, frame, p);
    fill_slice(view, p);
    fill_range(r, frame, p);
    const weir_colour_map map = render_colour_map_of(view);
    for (uint32_t i = 0; i < RENDER_COLOUR_MAP_SIZE; i++)
        ((uint32_t *)p->colour_map)[i] = render_colour_map_entry(map, i);
}
