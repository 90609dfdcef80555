/* Reads the fluids with their fills, the solids and the sinks of a scene. */
#include "scene_internal.h"

/* ---- fluids --------------------------------------------------------------------------------- */

/* Reports an error for a fill entirely outside the domain, a warning for one partly outside. Meshes
 * count as infinite until they are read. */
static void check_fill(scene_parser *parser, const scene_location *where, const scene_fill *fill)
{
    const scene_data *scene = parser->scene;
    vec3 min, max, low = scene->domain.min, high = scene->domain.max;
    float slack = 1e-3f * scene->spacing;
    scene_shape_bounds(scene, fill->shape, NULL, &min, &max);
    /* The plane of a two-dimensional scene cuts the shape. */
    if (scene->solver.dimensions == 2) min.z = low.z, max.z = high.z;
    if (max.x <= low.x || max.y <= low.y || max.z <= low.z || min.x >= high.x || min.y >= high.y ||
        min.z >= high.z) {
        scene_error(parser, where, "is outside the domain (%g, %g, %g) to (%g, %g, %g); move it in",
                    (double)low.x, (double)low.y, (double)low.z, (double)high.x, (double)high.y,
                    (double)high.z);
        return;
    }
    vec3 under = vec3_sub(low, min), over = vec3_sub(max, high);
    const float out[6] = {under.x, over.x, under.y, over.y, under.z, over.z};
    static const char *const sides[6] = {"-x", "+x", "-y", "+y", "-z", "+z"};
    for (int i = 0; i < 6; ++i)
        if (out[i] > slack && isfinite(out[i]))
            scene_warn(parser, where,
                       "extends up to %g m beyond the domain on %s; that part is ignored",
                       (double)out[i], sides[i]);
}

static void read_shape_fill(scene_parser *parser, const scene_location *where, json_t *object,
                            scene_fill *fill)
{
    uint32_t faults = parser->errors;
    scene_location at = scene_location_key(where, "shape");
    fill->kind = SCENE_FILL_SHAPE;
    bool grid = scene_has_grid(&parser->scene->solver);
    scene_read_fields(parser, where, object,
                      grid ? &scene_table_shape_fill_grid : &scene_table_shape_fill, fill);
    json_t *shape = json_object_get(object, "shape");
    if (!shape) return;
    fill->shape = scene_read_shape(parser, &at, shape);
    const scene_domain *domain = &parser->scene->domain;
    bool sound = faults == parser->errors && !parser->out_of_memory &&
                 domain->max.x > domain->min.x && domain->max.y > domain->min.y &&
                 domain->max.z > domain->min.z;
    if (sound) check_fill(parser, &at, fill);
}

static void read_file_fill(scene_parser *parser, const scene_location *where, json_t *object,
                           scene_fill *fill)
{
    scene_location at = scene_location_key(where, "file");
    fill->kind = SCENE_FILL_FILE;
    scene_read_fields(parser, where, object, &scene_table_file_fill, fill);
    fill->pose.rotation = scene_read_rotation(parser, where, object);
    scene_turn_up(&fill->pose, fill->file_up);
    scene_split_far_pose(object, &fill->pose, fill->origin);
    const char *name = scene_read_word(parser, &at, object);
    if (name) fill->path = scene_read_path(parser, &at, name);
}

static void read_fill(scene_parser *parser, const scene_location *where, json_t *object,
                      scene_fill *fill)
{
    fill->line = scene_line(parser, where, &fill->column);
    if (json_object_get(object, "file"))
        read_file_fill(parser, where, object, fill);
    else
        read_shape_fill(parser, where, object, fill);
    json_t *spin = json_object_get(object, "spin"),
           *gradient = json_object_get(object, "velocity_gradient"),
           *wave = json_object_get(object, "velocity_wave");
    scene_location at = scene_location_key(where, "spin");
    if (spin) fill->spin = scene_read_spin(parser, &at, spin, &fill->spin_centre);
    at = scene_location_key(where, "velocity_gradient");
    if (gradient) scene_read_fields(parser, &at, gradient, &scene_table_gradient, fill);
    at = scene_location_key(where, "velocity_wave");
    if (wave) scene_read_fields(parser, &at, wave, &scene_table_wave, fill);
    scene_read_attribute_values(parser, where, object, &fill->attributes);
}

static void read_fills(scene_parser *parser, const scene_location *fluid_at, json_t *fill,
                       scene_fluid *fluid)
{
    scene_location where = scene_location_key(fluid_at, "fill");
    size_t count = json_is_array(fill) ? json_array_size(fill) : 1;
    if (count > SCENE_MAX_SOLIDS) {
        scene_error(parser, &where, "is an array of %zu, expected at most %u", count,
                    SCENE_MAX_SOLIDS);
        return;
    }
    fluid->fills = scene_alloc(parser, count, sizeof *fluid->fills);
    if (!fluid->fills) return;
    fluid->fill_count = (uint32_t)count;
    if (!json_is_array(fill)) {
        read_fill(parser, &where, fill, &fluid->fills[0]);
        return;
    }
    for (size_t i = 0; i < count; ++i) {
        scene_location at = scene_location_element(&where, i);
        read_fill(parser, &at, json_array_get(fill, i), &fluid->fills[i]);
    }
}

static void read_fluid(scene_parser *parser, const scene_location *where, json_t *object,
                       void *item)
{
    scene_fluid *fluid = item;
    fluid->line = scene_line(parser, where, &fluid->column);
    const scene_table *table =
        parser->is_paper_preset ? &scene_table_fluid_paper : &scene_table_fluid;
    if (!scene_read_fields(parser, where, object, table, fluid)) return;
    scene_read_curve(parser, where, object, "dynamic_viscosity", &fluid->viscosity_curve);
    scene_read_curve(parser, where, object, "surface_tension", &fluid->tension_curve);
    scene_read_colour_curve(parser, where, object, &fluid->colour_curve);
    if (fluid->viscosity_curve.given)
        fluid->dynamic_viscosity = scene_curve_largest(&fluid->viscosity_curve);
    if (fluid->tension_curve.given)
        fluid->surface_tension = scene_curve_largest(&fluid->tension_curve);
    json_t *fill = json_object_get(object, "fill");
    if (fill) read_fills(parser, where, fill, fluid);
}

void scene_read_fluids(scene_parser *parser)
{
    static const scene_list list = {"fluids", SCENE_MAX_FLUIDS, sizeof(scene_fluid), read_fluid};
    scene_data *scene = parser->scene;
    scene_location top = {0}, where = scene_location_key(&top, "fluids");
    json_t *array = json_object_get(parser->root, "fluids");
    if (!array) {
        scene_error(parser, &where, "is missing (materials and their initial shapes)");
        return;
    }
    if (json_is_array(array) && json_array_size(array) == 0)
        scene_error(parser, &where, "is empty, expected at least one fluid");
    scene->fluids = scene_read_list(parser, &list, &scene->fluid_count);
    if (scene->sea.given && scene->fluid_count > 0 && scene->fluids[0].fill_count == 0)
        scene_fill_sea(parser, &scene->fluids[0]);
}

/* ---- solids --------------------------------------------------------------------------------- */

static void read_solid(scene_parser *parser, const scene_location *where, json_t *object,
                       void *item)
{
    scene_solid *solid = item;
    solid->line = scene_line(parser, where, &solid->column);
    if (!scene_read_fields(parser, where, object, &scene_table_solid, solid)) return;
    scene_location shape_at = scene_location_key(where, "shape"),
                   motion_at = scene_location_key(where, "motion");
    json_t *shape = json_object_get(object, "shape"), *motion = json_object_get(object, "motion");
    if (shape) solid->shape = scene_read_shape(parser, &shape_at, shape);
    if (shape && solid->thickness > 0) scene_wrap_shell(parser, solid->shape, solid->thickness);
    if (motion) scene_read_motion(parser, &motion_at, motion, &solid->motion);
}

void scene_read_solids(scene_parser *parser)
{
    static const scene_list list = {"solids", SCENE_MAX_SOLIDS, sizeof(scene_solid), read_solid};
    parser->scene->solids = scene_read_list(parser, &list, &parser->scene->solid_count);
}

/* ---- sinks ---------------------------------------------------------------------------------- */

static void read_sink(scene_parser *parser, const scene_location *where, json_t *object, void *item)
{
    scene_sink *sink = item;
    scene_location at = scene_location_key(where, "shape");
    sink->line = scene_line(parser, where, &sink->column);
    if (!scene_read_fields(parser, where, object, &scene_table_sink, sink)) return;
    json_t *shape = json_object_get(object, "shape");
    if (shape) sink->shape = scene_read_shape(parser, &at, shape);
    at = scene_read_motion_or_attachment(parser, where, object, &sink->motion, &sink->attached_to);
    if (!sink->attached_to.solid && sink->motion.kind == SCENE_MOTION_HOST_DRIVEN)
        scene_error(parser, &at,
                    "is host_driven, which a sink cannot be: attach it to a solid that the host "
                    "program moves, with \"attached_to\"");
}

void scene_read_sinks(scene_parser *parser)
{
    static const scene_list list = {"sinks", SCENE_MAX_SOLIDS, sizeof(scene_sink), read_sink};
    parser->scene->sinks = scene_read_list(parser, &list, &parser->scene->sink_count);
}
