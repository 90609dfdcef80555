/* The lists of a scene: fluids with their fills, solids, emitters, sinks. */
#include "scene_internal.h"

void scene_check_name(scene_parser *parser, const scene_place *item, const void *items, size_t size,
                      uint32_t index)
{
    char *const *name = (char *const *)(const void *)((const char *)items + index * size);
    scene_place at = scene_place_key(item, "name");
    for (uint32_t i = 0; i < index && *name; ++i) {
        char *const *other = (char *const *)(const void *)((const char *)items + i * size);
        if (*other && strcmp(*name, *other) == 0) {
            scene_fault(parser, &at, "is \"%s\", which [%u] is called already; choose another name",
                        *name, i);
            return;
        }
    }
}

/* ---- fluids --------------------------------------------------------------------------------- */

/* Wholly outside is a fault, partly outside a warning; meshes count as endless until they are read.
 */
static void check_fill(scene_parser *parser, const scene_place *place, const scene_fill *fill)
{
    const scene_data *scene = parser->scene;
    vec3 min, max, low = scene->domain.min, high = scene->domain.max;
    float slack = 1e-3f * scene->spacing;
    scene_shape_bounds(scene, fill->shape, NULL, &min, &max);
    if (scene->solver.dimensions == 2) min.z = low.z, max.z = high.z; /* cut by the plane */
    if (max.x <= low.x || max.y <= low.y || max.z <= low.z || min.x >= high.x || min.y >= high.y ||
        min.z >= high.z) {
        scene_fault(parser, place, "is outside the domain (%g, %g, %g) to (%g, %g, %g); move it in",
                    (double)low.x, (double)low.y, (double)low.z, (double)high.x, (double)high.y,
                    (double)high.z);
        return;
    }
    vec3 under = vec3_sub(low, min), over = vec3_sub(max, high);
    const float out[6] = {under.x, over.x, under.y, over.y, under.z, over.z};
    static const char *const sides[6] = {"-x", "+x", "-y", "+y", "-z", "+z"};
    for (int i = 0; i < 6; ++i)
        if (out[i] > slack && isfinite(out[i]))
            scene_warn(parser, place,
                       "reaches up to %g m beyond the domain on %s; what is there is left out",
                       (double)out[i], sides[i]);
}

static void read_shape_fill(scene_parser *parser, const scene_place *place, json_t *object,
                            scene_fill *fill)
{
    uint32_t faults = parser->faults;
    scene_place at = scene_place_key(place, "shape");
    fill->kind = SCENE_FILL_SHAPE;
    scene_read_fields(parser, place, object, &scene_table_shape_fill, fill);
    json_t *shape = json_object_get(object, "shape");
    if (!shape) return;
    fill->shape = scene_read_shape(parser, &at, shape);
    const scene_domain *domain = &parser->scene->domain;
    bool sound = faults == parser->faults && !parser->out_of_memory &&
                 domain->max.x > domain->min.x && domain->max.y > domain->min.y &&
                 domain->max.z > domain->min.z;
    if (sound) check_fill(parser, &at, fill);
}

static void read_file_fill(scene_parser *parser, const scene_place *place, json_t *object,
                           scene_fill *fill)
{
    scene_place at = scene_place_key(place, "file");
    fill->kind = SCENE_FILL_FILE;
    scene_read_fields(parser, place, object, &scene_table_file_fill, fill);
    fill->pose.rotation = scene_read_rotation(parser, place, object);
    const char *name = scene_read_word(parser, &at, object);
    if (name) fill->path = scene_read_path(parser, &at, name);
}

static void read_fill(scene_parser *parser, const scene_place *place, json_t *object,
                      scene_fill *fill)
{
    fill->line = scene_line(parser, place, &fill->column);
    if (json_object_get(object, "file"))
        read_file_fill(parser, place, object, fill);
    else
        read_shape_fill(parser, place, object, fill);
    json_t *spin = json_object_get(object, "spin"),
           *gradient = json_object_get(object, "velocity_gradient"),
           *wave = json_object_get(object, "velocity_wave");
    scene_place at = scene_place_key(place, "spin");
    if (spin) fill->spin = scene_read_spin(parser, &at, spin, &fill->spin_centre);
    at = scene_place_key(place, "velocity_gradient");
    if (gradient) scene_read_fields(parser, &at, gradient, &scene_table_gradient, fill);
    at = scene_place_key(place, "velocity_wave");
    if (wave) scene_read_fields(parser, &at, wave, &scene_table_wave, fill);
}

static void read_fills(scene_parser *parser, const scene_place *fluid_place, json_t *fill,
                       scene_fluid *fluid)
{
    scene_place place = scene_place_key(fluid_place, "fill");
    size_t count = json_is_array(fill) ? json_array_size(fill) : 1;
    if (count > SCENE_MAX_SOLIDS) {
        scene_fault(parser, &place, "is an array of %zu, expected at most %u", count,
                    SCENE_MAX_SOLIDS);
        return;
    }
    fluid->fills = base_alloc(count, sizeof *fluid->fills);
    if (!fluid->fills) {
        parser->out_of_memory = true;
        return;
    }
    fluid->fill_count = (uint32_t)count;
    if (!json_is_array(fill)) {
        read_fill(parser, &place, fill, &fluid->fills[0]);
        return;
    }
    for (size_t i = 0; i < count; ++i) {
        scene_place at = scene_place_element(&place, i);
        read_fill(parser, &at, json_array_get(fill, i), &fluid->fills[i]);
    }
}

void scene_read_fluids(scene_parser *parser)
{
    scene_data *scene = parser->scene;
    scene_place top = {0}, place = scene_place_key(&top, "fluids");
    uint32_t count;
    if (!json_object_get(parser->root, "fluids")) return;
    json_t *array = scene_read_array(parser, &place, parser->root, SCENE_MAX_FLUIDS, &count);
    if (array && count == 0) scene_fault(parser, &place, "is empty, expected at least one fluid");
    if (count == 0) return;
    scene->fluids = base_alloc(count, sizeof *scene->fluids);
    if (!scene->fluids) {
        parser->out_of_memory = true;
        return;
    }
    scene->fluid_count = count;
    for (uint32_t i = 0; i < count; ++i) {
        scene_place at = scene_place_element(&place, i);
        scene_fluid *fluid = &scene->fluids[i];
        json_t *object = json_array_get(array, i), *fill = json_object_get(object, "fill");
        fluid->line = scene_line(parser, &at, &fluid->column);
        if (!scene_read_fields(parser, &at, object, &scene_table_fluid, fluid)) continue;
        scene_check_name(parser, &at, scene->fluids, sizeof *scene->fluids, i);
        if (fill) read_fills(parser, &at, fill, fluid);
    }
}

/* ---- forces --------------------------------------------------------------------------------- */

void scene_read_forces(scene_parser *parser)
{
    scene_data *scene = parser->scene;
    scene_place top = {0}, place = scene_place_key(&top, "forces");
    json_t *array =
        scene_read_array(parser, &place, parser->root, SCENE_MAX_FORCES, &scene->force_count);
    for (uint32_t i = 0; i < scene->force_count; ++i) {
        scene_place at = scene_place_element(&place, i);
        scene_read_fields(parser, &at, json_array_get(array, i), &scene_table_force,
                          &scene->forces[i]);
    }
}

/* ---- solids --------------------------------------------------------------------------------- */

static void read_solid(scene_parser *parser, const scene_place *place, json_t *object,
                       scene_solid *solid)
{
    solid->line = scene_line(parser, place, &solid->column);
    if (!scene_read_fields(parser, place, object, &scene_table_solid, solid)) return;
    scene_place shape_place = scene_place_key(place, "shape"),
                motion_place = scene_place_key(place, "motion");
    json_t *shape = json_object_get(object, "shape"), *motion = json_object_get(object, "motion");
    if (shape) solid->shape = scene_read_shape(parser, &shape_place, shape);
    if (motion) scene_read_motion(parser, &motion_place, motion, &solid->motion);
}

void scene_read_solids(scene_parser *parser)
{
    scene_data *scene = parser->scene;
    scene_place top = {0}, place = scene_place_key(&top, "solids");
    uint32_t count;
    json_t *array = scene_read_array(parser, &place, parser->root, SCENE_MAX_SOLIDS, &count);
    if (count == 0) return;
    scene->solids = base_alloc(count, sizeof *scene->solids);
    if (!scene->solids) {
        parser->out_of_memory = true;
        return;
    }
    scene->solid_count = count;
    for (uint32_t i = 0; i < count; ++i) {
        scene_place at = scene_place_element(&place, i);
        read_solid(parser, &at, json_array_get(array, i), &scene->solids[i]);
        scene_check_name(parser, &at, scene->solids, sizeof *scene->solids, i);
    }
}

/* ---- emitters ------------------------------------------------------------------------------- */

static void find_fluid(scene_parser *parser, const scene_place *place, json_t *object,
                       scene_emitter *emitter)
{
    const scene_data *scene = parser->scene;
    scene_place at = scene_place_key(place, "fluid");
    const char *name = scene_read_word(parser, &at, object);
    const char *names[SCENE_MAX_FLUIDS];
    size_t count = 0;
    if (!name) return;
    for (uint32_t i = 0; i < scene->fluid_count; ++i) {
        if (!scene->fluids[i].name) continue;
        names[count++] = scene->fluids[i].name;
        if (strcmp(scene->fluids[i].name, name) == 0) {
            emitter->fluid = i;
            return;
        }
    }
    const char *near = base_nearest_name(name, names, count);
    scene_fault(parser, &at, "is %s, expected the name of a fluid of this scene%s%s%s",
                scene_show(json_object_get(object, "fluid")).text, near ? "; did you mean \"" : "",
                near ? near : "", near ? "\"?" : "");
}

static void check_opening(scene_parser *parser, const scene_place *place, const scene_emitter *e)
{
    float spacing = parser->scene->spacing;
    bool round = e->radius > 0, rectangle = e->width > 0 && e->height > 0;
    if (round == rectangle || (round && (e->width > 0 || e->height > 0)))
        scene_fault(parser, place, "expected either radius, or width and height");
    else if ((round && 2 * e->radius < spacing) ||
             (rectangle && fminf(e->width, e->height) < spacing))
        scene_fault(parser, place, "has an opening narrower than one spacing, %g m; widen it",
                    (double)spacing);
}

/* A flow in the plane has openings in the plane. */
static void check_planar_emitter(scene_parser *parser, const scene_place *direction,
                                 scene_emitter *emitter)
{
    vec3 way = emitter->direction;
    if (way.z != 0.0f)
        scene_fault(parser, direction,
                    "points out of the plane, z is %g: with solver.dimensions 2 it must be 0",
                    (double)way.z);
    emitter->up = vec3_make(-way.y, way.x, 0.0f);
}

/* Makes `up` a unit vector across the direction; any will do when the two are parallel. */
static vec3 across(vec3 direction, vec3 up)
{
    for (int attempt = 0; attempt < 2; ++attempt) {
        vec3 rest = vec3_sub(up, vec3_scale(direction, vec3_dot(up, direction)));
        float length = vec3_length(rest);
        if (length > 1e-4f) return vec3_scale(rest, 1 / length);
        up = fabsf(direction.z) < 0.9f ? vec3_make(0, 0, 1) : vec3_make(1, 0, 0);
    }
    return up;
}

static void check_emitter(scene_parser *parser, const scene_place *place, scene_emitter *emitter)
{
    const scene_domain *domain = &parser->scene->domain;
    scene_place direction = scene_place_key(place, "direction"),
                end = scene_place_key(place, "end"), position = scene_place_key(place, "position"),
                up = scene_place_key(place, "up");
    vec3 p = emitter->position;
    scene_read_direction(parser, &direction, &emitter->direction);
    scene_read_direction(parser, &up, &emitter->up);
    emitter->up = across(emitter->direction, emitter->up);
    if (parser->scene->solver.dimensions == 2) check_planar_emitter(parser, &direction, emitter);
    check_opening(parser, place, emitter);
    if (emitter->end_s < emitter->start_s)
        scene_fault(parser, &end, "is %g s, expected no less than start, %g s",
                    (double)emitter->end_s, (double)emitter->start_s);
    if (p.x < domain->min.x || p.y < domain->min.y || p.z < domain->min.z || p.x > domain->max.x ||
        p.y > domain->max.y || p.z > domain->max.z)
        scene_fault(parser, &position, "is outside the domain; move it in");
}

static void read_emitter(scene_parser *parser, const scene_place *place, json_t *object,
                         scene_emitter *emitter)
{
    uint32_t faults = parser->faults;
    emitter->line = scene_line(parser, place, &emitter->column);
    if (!scene_read_fields(parser, place, object, &scene_table_emitter, emitter)) return;
    if (faults == parser->faults) check_emitter(parser, place, emitter);
    find_fluid(parser, place, object, emitter);
}

void scene_read_emitters(scene_parser *parser)
{
    scene_data *scene = parser->scene;
    scene_place top = {0}, place = scene_place_key(&top, "emitters");
    uint32_t count;
    json_t *array = scene_read_array(parser, &place, parser->root, SCENE_MAX_SOLIDS, &count);
    if (count == 0) return;
    scene->emitters = base_alloc(count, sizeof *scene->emitters);
    if (!scene->emitters) {
        parser->out_of_memory = true;
        return;
    }
    scene->emitter_count = count;
    for (uint32_t i = 0; i < count; ++i) {
        scene_place at = scene_place_element(&place, i);
        read_emitter(parser, &at, json_array_get(array, i), &scene->emitters[i]);
        scene_check_name(parser, &at, scene->emitters, sizeof *scene->emitters, i);
    }
}

/* ---- sinks ---------------------------------------------------------------------------------- */

void scene_read_sinks(scene_parser *parser)
{
    scene_data *scene = parser->scene;
    scene_place top = {0}, place = scene_place_key(&top, "sinks");
    uint32_t count;
    json_t *array = scene_read_array(parser, &place, parser->root, SCENE_MAX_SOLIDS, &count);
    if (count == 0) return;
    scene->sinks = base_alloc(count, sizeof *scene->sinks);
    if (!scene->sinks) {
        parser->out_of_memory = true;
        return;
    }
    scene->sink_count = count;
    for (uint32_t i = 0; i < count; ++i) {
        scene_place at = scene_place_element(&place, i),
                    shape_place = scene_place_key(&at, "shape");
        scene_sink *sink = &scene->sinks[i];
        json_t *object = json_array_get(array, i), *shape = json_object_get(object, "shape");
        sink->line = scene_line(parser, &at, &sink->column);
        if (!scene_read_fields(parser, &at, object, &scene_table_sink, sink)) continue;
        scene_check_name(parser, &at, scene->sinks, sizeof *scene->sinks, i);
        if (shape) sink->shape = scene_read_shape(parser, &shape_place, shape);
    }
}
