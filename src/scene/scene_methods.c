/* What each method does not do. */
#include "scene_internal.h"

#define ONLY(method) (1u << SCENE_METHOD_##method)
#define WITH_GRID (ONLY(FLIP) | ONLY(APIC))
#define WITHOUT_GRID (ONLY(PBF) | ONLY(PCISPH) | ONLY(WCSPH))

/* Keys that may only have the value that turns them off. */
static const struct lack {
    const scene_table *table;
    const char *key;
    uint32_t methods; /* bits, 1 << scene_method */
} lacks[] = {
    {&scene_table_scene, "bodies", ONLY(PCISPH) | ONLY(WCSPH)},
    {&scene_table_scene, "cloths", WITH_GRID | ONLY(PCISPH) | ONLY(WCSPH)},
    {&scene_table_scene, "ropes", WITH_GRID | ONLY(PCISPH) | ONLY(WCSPH)},
    {&scene_table_scene, "soft_bodies", WITH_GRID | ONLY(PCISPH) | ONLY(WCSPH)},
    {&scene_table_solver, "vorticity", WITH_GRID},
    {&scene_table_solver, "adaptive", ONLY(WCSPH)},
    {&scene_table_solver, "chebyshev", WITH_GRID | ONLY(WCSPH)},
    {&scene_table_solver, "multigrid", WITH_GRID | ONLY(WCSPH)},
    {&scene_table_solver, "residuals", WITH_GRID | ONLY(WCSPH)},
    {&scene_table_solver, "solid_forces", ONLY(PCISPH)},
    {&scene_table_solver, "reseed", WITHOUT_GRID},
    {&scene_table_tolerance, "mean", WITH_GRID | ONLY(WCSPH)},
    {&scene_table_tolerance, "max", WITH_GRID | ONLY(WCSPH)},
    {&scene_table_fluid, "xsph", WITH_GRID},
    {&scene_table_fluid, "surface_tension", WITH_GRID},
};

uint32_t scene_methods_without(const scene_table *table, const char *key)
{
    for (size_t i = 0; i < BASE_COUNT(lacks); ++i)
        if (lacks[i].table == table && strcmp(lacks[i].key, key) == 0) return lacks[i].methods;
    return 0;
}

/* Of the choices only "multigrid" is in the table, and "auto" does without. */
static bool is_on(const json_t *value)
{
    return json_number_value(value) > 0.0 || json_is_true(value) || json_array_size(value) > 0 ||
           (json_is_string(value) && strcmp(json_string_value(value), "on") == 0);
}

/* `object` is what `table` describes, as the scene has it. */
static void check_part(scene_parser *parser, const scene_location *where, const json_t *object,
                       const scene_table *table)
{
    scene_method method = parser->scene->solver.method;
    for (size_t i = 0; i < BASE_COUNT(lacks); ++i) {
        scene_location at = scene_location_key(where, lacks[i].key);
        const json_t *value = json_object_get(object, lacks[i].key);
        if (lacks[i].table == table && (lacks[i].methods >> method & 1u) && is_on(value))
            scene_fault(parser, &at,
                        "is %s, but \"%s\" does not have it: leave it out, or set solver.method to "
                        "\"%s\"",
                        scene_show(value).text, scene_method_name(method),
                        lacks[i].methods & ONLY(PBF) ? "flip\" or \"apic" : "pbf");
    }
}

/* The pressure of a grid is that of one density everywhere. */
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

/* A particle that is moved takes its fluid to where another one may be. */
static void check_reseed(scene_parser *parser, const scene_location *solver)
{
    const scene_data *scene = parser->scene;
    scene_location at = scene_location_key(solver, "reseed");
    if (scene->solver.reseed && scene->fluid_count > 1)
        scene_fault(parser, &at,
                    "is true, but there are %u fluids, and a particle that is moved would take its "
                    "fluid into another one: leave it out, or make them one fluid",
                    scene->fluid_count);
}

void scene_check_method(scene_parser *parser)
{
    const scene_data *scene = parser->scene;
    scene_location top = {0}, fluids = scene_location_key(&top, "fluids");
    scene_location solver = scene_location_key(&top, "solver");
    scene_location tolerance = scene_location_key(&solver, "tolerance");
    const json_t *given = json_object_get(parser->root, "solver");
    const json_t *list = json_object_get(parser->root, "fluids");
    check_part(parser, &top, parser->root, &scene_table_scene);
    check_part(parser, &solver, given, &scene_table_solver);
    check_reseed(parser, &solver);
    check_part(parser, &tolerance, json_object_get(given, "tolerance"), &scene_table_tolerance);
    for (uint32_t i = 0; i < scene->fluid_count; ++i) {
        scene_location where = scene_location_element(&fluids, i);
        check_part(parser, &where, json_array_get(list, i), &scene_table_fluid);
        if (scene_has_grid(&scene->solver)) check_density(parser, &where, i);
    }
}
