/* Reads fields of acceleration other than gravity. */
#include "scene_internal.h"

#define LEAST_EDDY_SPACINGS 2.0f

/* The keys of each kind besides type, centre and inside: those that it needs, and others. */
static const struct {
    const char *name, *needs[2], *takes[5];
} kinds[] = {
    [SCENE_FORCE_CENTRAL] = {"central", {"strength"}, {NULL}},
    [SCENE_FORCE_UNIFORM] = {"uniform", {"acceleration"}, {NULL}},
    [SCENE_FORCE_VORTEX] = {"vortex", {"strength"}, {"axis"}},
    [SCENE_FORCE_DRAG] = {"drag", {"rate"}, {"velocity"}},
    [SCENE_FORCE_NOISE] = {"noise",
                           {"amplitude", "size"},
                           {"octaves", "evolution", "velocity", "seed"}},
    [SCENE_FORCE_CURVE] = {"curve",
                           {"points", "radius"},
                           {"strength", "rate", "speed", "swirl", "closed"}},
    [SCENE_FORCE_VELOCITY_FIELD] = {"velocity_field", {"file", "rate"}, {NULL}},
    [SCENE_FORCE_SHAPE] = {"shape", {"shape", "strength"}, {"radius", "rate"}},
};

static bool is_among(const char *key, const char *const *keys, size_t count)
{
    for (size_t i = 0; i < count && keys[i]; ++i)
        if (strcmp(key, keys[i]) == 0) return true;
    return false;
}

/* Returns whether the object has a key, or keyframes in its place. */
static bool is_given(json_t *object, const char *key)
{
    for (size_t i = 0; i < scene_table_force.count; ++i) {
        const scene_field *field = &scene_table_force.fields[i];
        scene_keyframes_key keyframes;
        if (strcmp(field->name, key) != 0) continue;
        return json_object_get(object, key) ||
               (scene_field_key(field, &keyframes) && json_object_get(object, keyframes.text));
    }
    return false;
}

static void check_keys(scene_parser *parser, const scene_location *where, json_t *object,
                       scene_force_kind kind)
{
    const char *const *needs = kinds[kind].needs;
    for (size_t i = 0; i < BASE_COUNT(kinds[kind].needs) && needs[i]; ++i)
        if (!is_given(object, needs[i]))
            scene_error(parser, where, "a field of type \"%s\" needs %s", kinds[kind].name,
                        needs[i]);
    for (size_t i = 0; i < scene_table_force.count; ++i) {
        const char *key = scene_table_force.fields[i].name;
        static const char *const common[] = {"type", "centre", "inside"};
        scene_location at = scene_location_key(where, key);
        if (!is_given(object, key) || is_among(key, common, BASE_COUNT(common)) ||
            is_among(key, needs, BASE_COUNT(kinds[kind].needs)) ||
            is_among(key, kinds[kind].takes, BASE_COUNT(kinds[kind].takes)))
            continue;
        scene_error(parser, &at, "does not apply to a field of type \"%s\": remove it",
                    kinds[kind].name);
    }
}

void scene_read_region(scene_parser *parser, const scene_location *where, json_t *object,
                       scene_region *region)
{
    vec3 *min = &region->min, *max = &region->max;
    if (!scene_read_fields(parser, where, object, &scene_table_region, region)) return;
    bool box = json_object_get(object, "min") && json_object_get(object, "max"),
         sphere = json_object_get(object, "centre") && json_object_get(object, "radius");
    if (json_object_size(object) != 2 || box == sphere)
        scene_error(parser, where,
                    "expected min and max of a box, or centre and radius of a sphere");
    else if (box && !(min->x < max->x && min->y < max->y && min->z < max->z))
        scene_error(parser, where, "is empty: expected max above min on every axis");
    region->reach = box ? SCENE_REACH_BOX : SCENE_REACH_SPHERE;
}

/* ---- kinds ---------------------------------------------------------------------------------- */

static void check_drag(scene_parser *parser, const scene_location *where, const scene_force *force)
{
    scene_location type = scene_location_key(where, "type");
    if (force->rate > 0 && scene_has_grid(&parser->scene->solver))
        scene_error(parser, &type,
                    "\"drag\" works only with the particle methods; set solver.method to \"pbf\", "
                    "\"pcisph\" or \"wcsph\"");
}

static void check_noise(scene_parser *parser, const scene_location *where, const scene_force *force)
{
    scene_location size = scene_location_key(where, "size");
    float least = LEAST_EDDY_SPACINGS * parser->scene->spacing;
    if (force->size < least)
        scene_error(parser, &size,
                    "is %g m, expected at least %g spacings, %g m: particles do not resolve "
                    "smaller eddies",
                    (double)force->size, (double)LEAST_EDDY_SPACINGS, (double)least);
}

static void read_points(scene_parser *parser, const scene_location *where, json_t *object,
                        scene_force *force)
{
    static const scene_field coordinate = {
        .type = SCENE_FIELD_VECTOR, .min = -1e5, .max = 1e5, .unit = "m"};
    scene_location points = scene_location_key(where, "points");
    uint32_t count = 0;
    json_t *array = scene_read_array(parser, &points, object, SCENE_MAX_CURVE_POINTS, &count);
    if (!array) return;
    if (count < 2) {
        scene_error(parser, &points, "has %u point%s, expected at least 2", count,
                    count == 1 ? "" : "s");
        return;
    }
    force->points = scene_alloc(parser, count, sizeof *force->points);
    if (!force->points) return;
    force->point_count = count;
    for (uint32_t i = 0; i < count; ++i) {
        scene_location at = scene_location_element(&points, i);
        float p[3] = {0};
        if (!scene_read_vector(parser, &at, json_array_get(array, i), &coordinate, p)) continue;
        force->points[i] = vec3_make(p[0], p[1], p[2]);
        if (parser->scene->solver.dimensions == 2) force->points[i].z = scene_plane(parser->scene);
        if (i > 0 && vec3_length(vec3_sub(force->points[i], force->points[i - 1])) == 0.0f)
            scene_error(parser, &at, "is the same point as the one before it: remove it");
    }
}

static void read_curve(scene_parser *parser, const scene_location *where, json_t *object,
                       scene_force *force)
{
    if (force->strength == 0.0f && force->rate == 0.0f)
        scene_error(parser, where,
                    "does nothing: expected strength, which draws fluid towards the curve, or rate "
                    "with speed or swirl, which moves it along or about the curve");
    else if (force->rate == 0.0f && (force->speed != 0.0f || force->swirl != 0.0f))
        scene_error(parser, where,
                    "has a speed or a swirl, which fluid approaches at rate: expected rate");
    if (json_object_get(object, "points")) read_points(parser, where, object, force);
}

static void read_velocity_field(scene_parser *parser, const scene_location *where, json_t *object,
                                scene_force *force)
{
    scene_location file = scene_location_key(where, "file");
    const char *name =
        json_object_get(object, "file") ? scene_read_word(parser, &file, object) : NULL;
    if (name) force->path = scene_read_path(parser, &file, name);
    if (force->inside.reach != SCENE_REACH_BOX)
        scene_error(parser, where,
                    "needs inside with min and max, the box whose corners are the first and the "
                    "last node of the file");
}

static void read_target_shape(scene_parser *parser, const scene_location *where, json_t *object,
                              scene_force *force)
{
    scene_location at = scene_location_key(where, "shape");
    json_t *shape = json_object_get(object, "shape");
    if (shape) force->shape = scene_read_shape(parser, &at, shape);
}

static void read_force(scene_parser *parser, const scene_location *where, json_t *object,
                       scene_force *force)
{
    json_t *inside = json_object_get(object, "inside");
    scene_location region = scene_location_key(where, "inside");
    const uint32_t faults = parser->errors;
    if (!scene_read_fields(parser, where, object, &scene_table_force, force)) return;
    force->line = scene_line(parser, where, &force->column);
    if (faults == parser->errors) check_keys(parser, where, object, force->kind);
    scene_read_direction(parser, where, "axis", &force->axis);
    if (inside) scene_read_region(parser, &region, inside, &force->inside);
    if (faults != parser->errors) return;
    switch (force->kind) {
    case SCENE_FORCE_DRAG: check_drag(parser, where, force); break;
    case SCENE_FORCE_NOISE: check_noise(parser, where, force); break;
    case SCENE_FORCE_CURVE: read_curve(parser, where, object, force); break;
    case SCENE_FORCE_VELOCITY_FIELD: read_velocity_field(parser, where, object, force); break;
    case SCENE_FORCE_SHAPE: read_target_shape(parser, where, object, force); break;
    default: break;
    }
}

void scene_read_forces(scene_parser *parser)
{
    scene_data *scene = parser->scene;
    scene_location top = {0}, where = scene_location_key(&top, "forces");
    json_t *array =
        scene_read_array(parser, &where, parser->root, SCENE_MAX_FORCES, &scene->force_count);
    for (uint32_t i = 0; i < scene->force_count; ++i) {
        scene_location at = scene_location_element(&where, i);
        read_force(parser, &at, json_array_get(array, i), &scene->forces[i]);
    }
}

/* ---- queries -------------------------------------------------------------------------------- */

bool scene_force_is_conservative(const scene_force *force)
{
    return force->kind == SCENE_FORCE_CENTRAL && force->inside.reach == SCENE_REACH_ALL;
}

bool scene_force_is_sampled(const scene_force *force)
{
    return force->kind >= SCENE_FORCE_NOISE;
}

float scene_force_work(const scene_force *force, vec3 size)
{
    const float reach = force->radius > 0.0f ? force->radius : vec3_length(size);
    const float strength = fabsf(force->strength);
    const float drive = fabsf(force->speed) + fabsf(force->swirl) * force->radius;
    switch (force->kind) {
    case SCENE_FORCE_NOISE: return force->amplitude * vec3_length(size);
    case SCENE_FORCE_CURVE: return 0.5f * (strength * reach * reach + drive * drive);
    case SCENE_FORCE_SHAPE: return strength * reach * vec3_length(size);
    default:
        return 0.5f * strength * vec3_dot(size, size) +
               vec3_length(force->acceleration) * vec3_length(size);
    }
}
