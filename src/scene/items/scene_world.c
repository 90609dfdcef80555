/* Reads what occurs once in a scene: names and times, the domain, the solver, the appearance and
 * whitewater. */
#include "scene_internal.h"

/* A particle must never interact with its own image's neighbours. */
#define MIN_PERIODIC_SUPPORTS 4.0f
/* A float still resolves a thousandth of d at this distance. */
#define MAX_ORIGIN_SPACINGS 16384.0f

static const char *const axis_names[3] = {"x", "y", "z"};

/* ---- solver --------------------------------------------------------------------------------- */

static const scene_table *read_preset(scene_parser *parser, const scene_location *where,
                                      json_t *object)
{
    scene_location at = scene_location_key(where, "preset");
    json_t *preset = json_object_get(object, "preset");
    const char *name = json_string_value(preset);
    if (!preset) {
        scene_set_json(parser, object, "preset", json_string("default"));
    } else if (name && strcmp(name, "pbf_paper") == 0) {
        parser->is_paper_preset = true;
        return &scene_table_solver_paper;
    } else if (!name || strcmp(name, "default") != 0) {
        scene_error(parser, &at, "is %s, expected \"default\" or \"pbf_paper\"",
                    scene_format_value(preset).text);
    }
    return &scene_table_solver;
}

static void check_tolerance(scene_parser *parser, const scene_location *where)
{
    const scene_solver *solver = &parser->scene->solver;
    const scene_tolerance *tolerance = &solver->tolerance;
    scene_location part = scene_location_key(where, "tolerance");
    scene_location max = scene_location_key(&part, "max");
    scene_location iterations = scene_location_key(where, "iterations");
    if (tolerance->max > 0.0f && tolerance->max < tolerance->mean)
        scene_error(parser, &max,
                    "is %g, below mean, %g: the largest error is never below the mean; raise it, "
                    "or set it to 0 for no limit",
                    (double)tolerance->max, (double)tolerance->mean);
    if (scene_stops_at_tolerance(solver) && solver->iterations < 2)
        scene_error(parser, &iterations,
                    "is %u, expected at least 2 with solver.tolerance, where it is the maximum per "
                    "substep; 20 is usual",
                    solver->iterations);
}

static void read_tolerance(scene_parser *parser, const scene_location *where, json_t *solver)
{
    scene_location part = scene_location_key(where, "tolerance");
    json_t *object = json_object_get(solver, "tolerance");
    if (!object) {
        object = json_object();
        if (!scene_set_json(parser, solver, "tolerance", object)) return;
    }
    if (scene_read_fields(parser, &part, object, &scene_table_tolerance,
                          &parser->scene->solver.tolerance))
        check_tolerance(parser, where);
}

bool scene_stops_at_tolerance(const scene_solver *solver)
{
    return solver->tolerance.mean > 0.0f || solver->tolerance.max > 0.0f;
}

bool scene_has_grid(const scene_solver *solver)
{
    return solver->method == SCENE_METHOD_FLIP || solver->method == SCENE_METHOD_APIC;
}

/* Returns whether a solver object sets a method with a grid. */
static bool sets_grid_method(const json_t *object)
{
    const char *method = json_string_value(json_object_get(object, "method"));
    return method && (strcmp(method, "flip") == 0 || strcmp(method, "apic") == 0);
}

/* Limits cfl to 1 without a grid: particles must become neighbours before they collide. */
static void check_cfl(scene_parser *parser, const scene_location *where, const scene_solver *solver)
{
    scene_location cfl = scene_location_key(where, "cfl");
    if (solver->cfl > 1.0f)
        scene_error(parser, &cfl,
                    "is %g, expected at most 1 d, or solver.method \"flip\" or \"apic\", which "
                    "allow 10",
                    (double)solver->cfl);
}

#define USUAL_SUBSTEP_RATE 240.0 /* Hz: four substeps per frame at 60 Hz */
#define RATE_SLACK 0.05          /* gives 29.97 Hz the same number of substeps as 30 Hz */

/* Chooses the number of substeps if the scene gives none, such that their length is about the usual
 * one: the stiffness then does not depend on the frame rate. */
static void scale_substeps_with_frame_rate(scene_parser *parser, json_t *solver)
{
    double rate = (double)parser->scene->frame_rate;
    if (json_object_get(solver, "substeps") || !(rate > 0.0)) return;
    double count = fmin(fmax(ceil(USUAL_SUBSTEP_RATE / rate - RATE_SLACK), 1.0), 100.0);
    scene_set_json(parser, solver, "substeps", json_integer((json_int_t)count));
}

static void read_solver(scene_parser *parser, const scene_location *top)
{
    scene_location where = scene_location_key(top, "solver");
    json_t *object = json_object_get(parser->root, "solver");
    if (!object) {
        object = json_object();
        if (!scene_set_json(parser, parser->root, "solver", object)) return;
    }
    const scene_table *table = &scene_table_solver;
    if (json_is_object(object)) table = read_preset(parser, &where, object);
    if (table == &scene_table_solver && sets_grid_method(object)) table = &scene_table_solver_grid;
    if (json_is_object(object) && table != &scene_table_solver_grid)
        scale_substeps_with_frame_rate(parser, object);
    scene_solver *solver = &parser->scene->solver;
    if (!scene_read_fields(parser, &where, object, table, solver)) return;
    read_tolerance(parser, &where, object);
    if (scene_has_grid(solver))
        solver->support_radius = solver->grid_cell_size;
    else
        check_cfl(parser, &where, solver);
}

/* ---- domain --------------------------------------------------------------------------------- */

static bool read_side(scene_parser *parser, const scene_location *where, const json_t *value,
                      scene_side *side)
{
    static const char *const items[] = {"closed", "open", "periodic", NULL};
    static const scene_choices names = {items, "\"closed\", \"open\" or \"periodic\""};
    uint32_t choice;
    if (!scene_read_name(parser, where, value, &names, &choice)) return false;
    *side = (scene_side)choice;
    return true;
}

static void read_axis_sides(scene_parser *parser, const scene_location *sides, json_t *object,
                            uint32_t axis)
{
    scene_side *pair = &parser->scene->domain.sides[2 * axis];
    scene_location where = scene_location_key(sides, axis_names[axis]);
    json_t *value = json_object_get(object, axis_names[axis]);
    if (!value) {
        value = json_string("closed");
        if (!scene_set_json(parser, object, axis_names[axis], value)) return;
    }
    if (!json_is_array(value)) {
        if (read_side(parser, &where, value, &pair[0])) pair[1] = pair[0];
        return;
    }
    if (json_array_size(value) != 2) {
        scene_error(parser, &where, "is %s, expected one side or [lower, upper]",
                    scene_format_value(value).text);
        return;
    }
    bool ok = true;
    for (size_t i = 0; i < 2; ++i) {
        scene_location at = scene_location_element(&where, i);
        ok = read_side(parser, &at, json_array_get(value, i), &pair[i]) && ok;
    }
    if (ok && (pair[0] == SCENE_SIDE_PERIODIC) != (pair[1] == SCENE_SIDE_PERIODIC))
        scene_error(parser, &where, "is periodic on one side only; make it periodic on both");
}

static void read_sides(scene_parser *parser, const scene_location *domain, json_t *object)
{
    scene_location where = scene_location_key(domain, "sides");
    json_t *sides = json_object_get(object, "sides");
    if (!sides) {
        sides = json_object();
        if (!scene_set_json(parser, object, "sides", sides)) return;
    }
    if (!scene_read_fields(parser, &where, sides, &scene_table_sides, NULL)) return;
    for (uint32_t axis = 0; axis < 3; ++axis)
        read_axis_sides(parser, &where, sides, axis);
}

static void check_axis(scene_parser *parser, const scene_location *where, uint32_t axis)
{
    const scene_data *scene = parser->scene;
    const float *low = &scene->domain.min.x, *high = &scene->domain.max.x;
    double min = (double)low[axis], max = (double)high[axis], extent = max - min;
    double support = (double)scene->solver.support_radius * (double)scene->spacing;
    const char *name = axis_names[axis];
    double far_out = fmax(fabs(min), fabs(max));
    if (extent <= 0)
        scene_error(parser, where, "min %g is not below max %g on %s; swap or move them", min, max,
                    name);
    else if (axis == 2 && scene->solver.dimensions == 2)
        return; /* the plane has no thickness */
    else if (extent < support)
        scene_error(parser, where,
                    "is %g m wide on %s, expected at least the support radius, %g m; widen it or "
                    "make spacing smaller",
                    extent, name, support);
    else if (scene->domain.sides[2 * axis] == SCENE_SIDE_PERIODIC &&
             extent < (double)MIN_PERIODIC_SUPPORTS * support * (1 - 1e-6))
        scene_error(parser, where,
                    "is %g m wide on its periodic axis %s, expected at least four support radii, "
                    "%g m",
                    extent, name, (double)MIN_PERIODIC_SUPPORTS * support);
    if (far_out > (double)MAX_ORIGIN_SPACINGS * (double)scene->spacing)
        scene_error(
            parser, where,
            "extends %g m from the origin on %s, expected at most %g m at this spacing: 32-bit "
            "positions are too coarse beyond that; move it to the origin or make spacing larger",
            far_out, name, (double)MAX_ORIGIN_SPACINGS * (double)scene->spacing);
}

static void read_domain(scene_parser *parser, const scene_location *top)
{
    scene_location where = scene_location_key(top, "domain");
    json_t *object = json_object_get(parser->root, "domain");
    uint32_t faults = parser->errors;
    if (!object) return;
    if (!scene_read_fields(parser, &where, object, &scene_table_domain, &parser->scene->domain))
        return;
    read_sides(parser, &where, object);
    bool sound = faults == parser->errors && parser->scene->spacing > 0;
    for (uint32_t axis = 0; axis < 3 && sound; ++axis)
        check_axis(parser, &where, axis);
}

/* ---- pictures ------------------------------------------------------------------------------- */

/* Reads "look". It is not added to the effective scene when it is missing, since it does not affect
 * the fluid. */
static void read_look(scene_parser *parser, const scene_location *top)
{
    scene_location where = scene_location_key(top, "look");
    json_t *object = json_object_get(parser->root, "look");
    json_t *none = object ? NULL : json_object();
    if (!object && !none) {
        parser->out_of_memory = true;
        return;
    }
    scene_read_fields(parser, &where, object ? object : none, &scene_table_look,
                      &parser->scene->look);
    json_decref(none);
}

/* ---- whitewater ----------------------------------------------------------------------------- */

/* Reads "whitewater". It is not added to the effective scene when it is missing, since most scenes
 * have none. The defaults are kept for stored frames. */
static void read_whitewater(scene_parser *parser, const scene_location *top)
{
    scene_location where = scene_location_key(top, "whitewater");
    json_t *object = json_object_get(parser->root, "whitewater"), *none = json_object();
    scene_data *scene = parser->scene;
    const scene_table *table = &scene_table_whitewater;
    if (!none) {
        parser->out_of_memory = true;
        return;
    }
    bool read =
        scene_read_fields(parser, &where, object ? object : none, table, &scene->whitewater);
    scene->whitewater.given = object && read;
    json_decref(none);
    if (!scene->whitewater.given) return;
    if (scene->solver.dimensions == 2)
        scene_error(parser, &where, "needs solver.dimensions 3: set it, or remove this key");
    if (vec3_length(scene->gravity) == 0.0f)
        scene_error(parser, &where,
                    "needs gravity, for the speed scale of the flow and the rise of bubbles: "
                    "remove it, or give the scene a gravity");
}

/* ---- the whole scene ------------------------------------------------------------------------- */

float scene_plane(const scene_data *scene)
{
    return 0.5f * (scene->domain.min.z + scene->domain.max.z);
}

static void check_plane(scene_parser *parser, const scene_location *top)
{
    const scene_data *scene = parser->scene;
    scene_location gravity = scene_location_key(top, "gravity");
    if (scene->solver.dimensions == 2 && scene->gravity.z != 0.0f)
        scene_error(parser, &gravity,
                    "points out of the xy plane: z is %g m/s2, but there is no motion along z with "
                    "solver.dimensions 2; set it to 0",
                    (double)scene->gravity.z);
}

void scene_read_world(scene_parser *parser)
{
    scene_location top = {0}, duration = scene_location_key(&top, "duration");
    scene_data *scene = parser->scene;
    scene_read_fields(parser, &top, parser->root, &scene_table_scene, scene);
    double frames = (double)scene->duration * (double)scene->frame_rate;
    if (frames > SCENE_MAX_FRAMES)
        scene_error(parser, &duration,
                    "gives %.0f frames, expected at most %u; shorten it or lower frame_rate",
                    frames, SCENE_MAX_FRAMES);
    read_solver(parser, &top);
    read_domain(parser, &top);
    scene_read_gravity(parser, &top);
    scene_read_camera(parser, &top);
    read_look(parser, &top);
    read_whitewater(parser, &top);
    check_plane(parser, &top);
}
