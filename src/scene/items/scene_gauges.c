/* Reads the gauges of a scene; each has exactly one kind. */
#include "scene_internal.h"

static const char *const kinds[] = {"height", "front", "pressure", "force", "flow"};

static void check_box(scene_parser *parser, const scene_location *where, const scene_gauge *gauge)
{
    const float *min = &gauge->min.x, *max = &gauge->max.x, *low = &parser->scene->domain.min.x,
                *high = &parser->scene->domain.max.x;
    static const char *const names[] = {"x", "y", "z"};
    for (int axis = 0; axis < 3; ++axis) {
        if (!(min[axis] < max[axis]))
            scene_error(parser, where, "min %g is not below max %g on %s; swap them",
                        (double)min[axis], (double)max[axis], names[axis]);
        else if (max[axis] <= low[axis] || min[axis] >= high[axis])
            scene_error(parser, where, "lies outside the domain on %s; move it in", names[axis]);
    }
}

static void check_average(scene_parser *parser, const scene_location *where,
                          const scene_gauge *gauge)
{
    const scene_data *scene = parser->scene;
    double substep = 1.0 / ((double)scene->frame_rate * scene->solver.substeps);
    scene_location at = scene_location_key(where, "average");
    if (gauge->average > 0.0f && (double)gauge->average < substep)
        scene_error(parser, &at,
                    "is %g s, shorter than a substep: expected at least %.3g s, or 0 for the mean "
                    "of a frame",
                    (double)gauge->average, substep);
}

static void read_kind(scene_parser *parser, const scene_location *where, json_t *object,
                      scene_gauge *gauge)
{
    char *name = gauge->name;
    uint32_t faults = parser->errors;
    scene_location solid = scene_location_key(where, "solid");
    const scene_data *scene = parser->scene;
    const scene_names solids = {scene->solids, sizeof *scene->solids, scene->solid_count};
    scene_gauge_kind kind = gauge->kind;
    scene_read_fields(parser, where, object, &scene_tables_gauge[kind], gauge);
    gauge->name = name;
    gauge->kind = kind;
    if (faults != parser->errors) return;
    check_average(parser, where, gauge);
    if (kind == SCENE_GAUGE_HEIGHT || kind == SCENE_GAUGE_FRONT) check_box(parser, where, gauge);
    if (kind == SCENE_GAUGE_FORCE) scene_find_name(parser, &solid, object, &solids, &gauge->solid);
    if (kind == SCENE_GAUGE_FLOW)
        scene_read_direction(parser, where, "direction", &gauge->direction);
}

/* Rejects gauges that the solver cannot serve: pressure and force are read from PBF's corrections,
 * WCSPH's pressures or the MAC grid. */
static void check_solver(scene_parser *parser, const scene_location *at, scene_gauge_kind kind)
{
    const scene_solver *solver = &parser->scene->solver;
    bool force = kind == SCENE_GAUGE_FORCE, solved = force || kind == SCENE_GAUGE_PRESSURE;
    bool ignored = parser->method_overridden && solver->method == SCENE_METHOD_PCISPH;
    if (solved && !ignored &&
        (solver->chebyshev_spectral_radius > 0 || solver->method == SCENE_METHOD_PCISPH))
        scene_error(
            parser, at,
            "cannot measure pressure with \"pcisph\" or with solver.chebyshev_spectral_radius; set "
            "solver.chebyshev_spectral_radius to 0 and choose another solver.method");
    if (force && solver->long_range_correction == SCENE_LONG_RANGE_ON)
        scene_error(parser, at,
                    "cannot measure the force of the long-range correction on a solid; set "
                    "solver.long_range_correction to \"off\"");
}

static void read_gauge(scene_parser *parser, const scene_location *where, json_t *object,
                       void *item)
{
    scene_gauge *gauge = item;
    uint32_t found = 0;
    gauge->line = scene_line(parser, where, &gauge->column);
    if (!scene_read_fields(parser, where, object, &scene_table_gauge, gauge)) return;
    for (uint32_t k = 0; k < BASE_COUNT(kinds); ++k) {
        if (!json_object_get(object, kinds[k])) continue;
        gauge->kind = (scene_gauge_kind)k;
        ++found;
    }
    if (found != 1) {
        scene_error(parser, where,
                    "expected exactly one of height, front, pressure, force and flow, found %u",
                    found);
        return;
    }
    scene_location at = scene_location_key(where, kinds[gauge->kind]);
    check_solver(parser, &at, gauge->kind);
    read_kind(parser, &at, json_object_get(object, kinds[gauge->kind]), gauge);
}

/* Rejects solid_forces where anything but the iterations' own correction moves particles, as the
 * sums do not include it. */
static void check_solid_forces(scene_parser *parser, const scene_location *top)
{
    const scene_solver *solver = &parser->scene->solver;
    scene_location within = scene_location_key(top, "solver"),
                   where = scene_location_key(&within, "solid_forces");
    if (!solver->solid_forces) return;
    if (solver->chebyshev_spectral_radius > 0)
        scene_error(parser, &where,
                    "is true, but forces on solids cannot be measured with "
                    "solver.chebyshev_spectral_radius %g; set it to 0",
                    (double)solver->chebyshev_spectral_radius);
    if (scene_deformables_have_drag(parser->scene))
        scene_error(parser, &where,
                    "is true, but forces on solids cannot be measured where cloths drag fluid; "
                    "remove permeability and skin_friction");
    if (solver->long_range_correction == SCENE_LONG_RANGE_ON)
        scene_error(parser, &where,
                    "is true, but the force of the long-range correction on a solid cannot be "
                    "measured; set solver.long_range_correction to \"off\"");
}

/* Removes pressure and force gauges when an override has chosen PCISPH, which supports neither. */
static void ignore_gauges(scene_parser *parser, const scene_location *gauges)
{
    scene_data *scene = parser->scene;
    json_t *array = json_object_get(parser->root, "gauges");
    uint32_t kept = 0;
    if (!parser->method_overridden || scene->solver.method != SCENE_METHOD_PCISPH) return;
    for (uint32_t i = 0; i < scene->gauge_count; ++i) {
        scene_gauge *gauge = &scene->gauges[i];
        scene_location at = scene_location_element(gauges, i);
        if (gauge->kind != SCENE_GAUGE_PRESSURE && gauge->kind != SCENE_GAUGE_FORCE) {
            scene->gauges[kept++] = *gauge;
            continue;
        }
        scene_add_ignored(parser, &at);
        json_array_remove(array, kept);
        base_free(gauge->name);
    }
    scene->gauge_count = kept;
}

void scene_read_gauges(scene_parser *parser)
{
    static const scene_list list = {"gauges", SCENE_MAX_GAUGES, sizeof(scene_gauge), read_gauge};
    scene_data *scene = parser->scene;
    scene_location top = {0}, where = scene_location_key(&top, "gauges");
    uint32_t forces = 0;
    check_solid_forces(parser, &top);
    scene->gauges = scene_read_list(parser, &list, &scene->gauge_count);
    ignore_gauges(parser, &where);
    for (uint32_t i = 0; i < scene->gauge_count; ++i)
        forces += scene->gauges[i].kind == SCENE_GAUGE_FORCE;
    if (forces > SCENE_MAX_FORCE_GAUGES)
        scene_error(parser, &where, "has %u force gauges, expected at most %u", forces,
                    SCENE_MAX_FORCE_GAUGES);
}

/* ---- forces --------------------------------------------------------------------------------- */

/* Returns whether a gauge before `index` measures the same solid. */
static bool is_duplicate_solid(const scene_data *scene, uint32_t index)
{
    for (uint32_t i = 0; i < index; ++i)
        if (scene->gauges[i].kind == SCENE_GAUGE_FORCE &&
            scene->gauges[i].solid == scene->gauges[index].solid)
            return true;
    return false;
}

uint32_t scene_force_gauge_solid_index(const scene_data *scene, uint32_t solid)
{
    uint32_t slot = 0;
    for (uint32_t i = 0; i < scene->gauge_count; ++i) {
        const scene_gauge *gauge = &scene->gauges[i];
        if (gauge->kind != SCENE_GAUGE_FORCE || is_duplicate_solid(scene, i)) continue;
        ++slot;
        if (gauge->solid == solid) return slot;
    }
    return 0;
}

uint32_t scene_force_gauge_solid_count(const scene_data *scene)
{
    uint32_t slots = 0;
    for (uint32_t i = 0; i < scene->gauge_count; ++i)
        slots += scene->gauges[i].kind == SCENE_GAUGE_FORCE && !is_duplicate_solid(scene, i);
    return slots;
}
