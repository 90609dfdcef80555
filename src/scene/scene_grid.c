/* What the methods with a MAC grid do not do. */
#include "scene_internal.h"

#define INSTEAD "FLIP and APIC do not have it: leave it out, or set solver.method to \"pbf\""

bool scene_grid_lacks(const scene_table *table, const char *name)
{
    static const char solver[] = " vorticity chebyshev residuals ";
    static const char fluid[] = " xsph dynamic_viscosity surface_tension ";
    char word[64];
    snprintf(word, sizeof word, " %s ", name);
    if (table == &scene_table_tolerance) return true;
    return (table == &scene_table_solver && strstr(solver, word)) ||
           (table == &scene_table_fluid && strstr(fluid, word));
}

static void check_solver(scene_parser *parser, const scene_location *top)
{
    const scene_solver *solver = &parser->scene->solver;
    const struct {
        const char *key;
        bool set;
    } keys[] = {
        {"vorticity", solver->vorticity > 0.0f},
        {"chebyshev", solver->chebyshev > 0.0f},
        {"multigrid", solver->multigrid == SCENE_MULTIGRID_ON},
        {"tolerance", scene_is_tolerant(solver)},
        {"residuals", solver->residuals},
    };
    scene_location where = scene_location_key(top, "solver");
    for (size_t i = 0; i < BASE_COUNT(keys); ++i) {
        scene_location at = scene_location_key(&where, keys[i].key);
        if (keys[i].set) scene_fault(parser, &at, "is set, but " INSTEAD);
    }
}

static void check_fluid(scene_parser *parser, const scene_location *where, const scene_fluid *fluid)
{
    const struct {
        const char *key;
        float value;
    } keys[] = {
        {"xsph", fluid->xsph},
        {"surface_tension", fluid->surface_tension},
    };
    for (size_t i = 0; i < BASE_COUNT(keys); ++i) {
        scene_location at = scene_location_key(where, keys[i].key);
        if (keys[i].value > 0.0f)
            scene_fault(parser, &at, "is %g, but " INSTEAD, (double)keys[i].value);
    }
}

/* The pressure is that of one density everywhere. */
static void check_density(scene_parser *parser, const scene_location *where, uint32_t index)
{
    const scene_fluid *fluids = parser->scene->fluids;
    scene_location at = scene_location_key(where, "density");
    if (fluids[index].density != fluids[0].density)
        scene_fault(parser, &at,
                    "is %g kg/m3, %s has %g: FLIP and APIC move all fluids with one density; make "
                    "them equal, or set solver.method to \"pbf\"",
                    (double)fluids[index].density, fluids[0].name, (double)fluids[0].density);
}

void scene_check_grid(scene_parser *parser)
{
    const scene_data *scene = parser->scene;
    scene_location top = {0}, fluids = scene_location_key(&top, "fluids");
    if (!scene_has_grid(&scene->solver)) return;
    check_solver(parser, &top);
    for (uint32_t i = 0; i < scene->fluid_count; ++i) {
        scene_location where = scene_location_element(&fluids, i);
        check_fluid(parser, &where, &scene->fluids[i]);
        check_density(parser, &where, i);
    }
}
