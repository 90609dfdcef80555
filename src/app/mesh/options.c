/* The surface options. */
#include "mesh.h"

static const char *const presets[] = {"calibrated", "zhu-bridson", "sph", "anisotropic"};

mesh_surface_options mesh_surface_options_default(void)
{
    return (mesh_surface_options){.preset = ARGS_NOT_GIVEN,
                                  .spray_neighbours = ARGS_NOT_GIVEN,
                                  .smooth_iterations = ARGS_NOT_GIVEN};
}

void mesh_option_list_create(mesh_surface_options *s, const char *prefix, mesh_option_list *list)
{
    const args_option options[MESH_OPTIONS] = {
        ARGS_CHOICE_OPTION("preset", &s->preset, "NAME",
                           "calibrated (keeps the volume; default), zhu-bridson (smoother,\n"
                           "thinner), sph (as splashsurf recommends) or anisotropic (sharp)",
                           presets, BASE_COUNT(presets)),
        ARGS_OPTION("cell-size", 0, NUMBER, &s->cell_size, "X", "edge of a mesh cell, in spacings"),
        ARGS_OPTION("spray-neighbours", 0, COUNT, &s->spray_neighbours, "N",
                    "write particles with fewer than N neighbours as points with a\n"
                    "radius (spray_%04d.ply next to the meshes), not as surface"),
        ARGS_EXPERT_OPTION("no-refine", 0, FLAG, &s->no_refine, NULL,
                           "write the marching-cubes mesh as it is, without refining it"),
        ARGS_OPTION("smooth-iterations", 0, COUNT, &s->smooth_iterations, "N",
                    "smoothing iterations; default 8"),
        ARGS_OPTION("decimate-ratio", 0, NUMBER, &s->decimate_ratio, "SHARE",
                    "decimate to this fraction of the triangles, such as 0.3"),
        ARGS_EXPERT_OPTION("snap-to-solids", 0, FLAG, &s->snap_to_solids, NULL,
                           "move the surface onto the run's solids and walls; default for runs"),
        ARGS_EXPERT_OPTION("no-snap-to-solids", 0, FLAG, &s->no_snap_to_solids, NULL,
                           "leave the surface where the particles put it, also beyond walls"),
        ARGS_EXPERT_OPTION("attributes", 0, FLAG, &s->attributes, NULL,
                           "also write density and fluid at the vertices"),
        ARGS_OPTION("set", 0, LIST, &s->set, "KEY=VALUE",
                    "any other setting of the surface (docs/meshing.md):\n"
                    "iso_value=0.5; may be given many times"),
    };
    for (uint32_t i = 0; i < MESH_OPTIONS; i++) {
        list->items[i] = options[i];
        snprintf(list->names[i], sizeof list->names[i], "%s%s", prefix, options[i].name);
        list->items[i].name = list->names[i];
        if (*prefix) list->items[i].expert = true;
    }
}

/* ---- applying the options ------------------------------------------------------------------- */

static void apply_preset(const char *name, weir_mesher_def *def)
{
    const weir_mesher_def before = *def;
    *def = weir_mesher_def_default(name);
    def->spray_neighbours = before.spray_neighbours;
    def->velocity = before.velocity;
    def->attributes = before.attributes;
    def->neighbours = before.neighbours;
}

static void apply_options(const mesh_surface_options *s, weir_output_def *def)
{
    if (s->preset != ARGS_NOT_GIVEN) apply_preset(presets[s->preset], &def->mesher);
    if (s->cell_size > 0) def->mesher.cell_size = (float)s->cell_size;
    if (s->spray_neighbours != ARGS_NOT_GIVEN) def->mesher.spray_neighbours = s->spray_neighbours;
    if (s->attributes) def->mesher.attributes = true;
    if (s->memory_mb) def->mesher.max_memory_bytes = (uint64_t)s->memory_mb << 20;
    if (s->no_refine) def->mesh_refine = false;
    if (s->snap_to_solids) def->mesh_snap_to_solids = true;
    if (s->no_snap_to_solids) def->mesh_snap_to_solids = false;
    if (s->smooth_iterations != ARGS_NOT_GIVEN)
        def->refine.smooth_iterations = s->smooth_iterations;
    if (s->decimate_ratio > 0) def->refine.decimate_ratio = s->decimate_ratio;
}

/* Fails before the first frame if this build cannot decimate. */
static weir_result check_build(const weir_output_def *def)
{
#ifdef WEIR_MESHOPTIMIZER
    (void)def;
    return WEIR_OK;
#else
    const weir_mesh_refine_def *refine = &def->refine;
    if (!def->mesh_refine || (refine->decimate_ratio >= 1 && refine->max_triangles == UINT32_MAX))
        return WEIR_OK;
    return base_fail(
        &def->log, WEIR_ERROR_ARGUMENT,
        "--decimate-ratio and max_triangles need meshoptimizer, which this build lacks: install "
        "libmeshoptimizer (tools/setup) and build Weir again, or use a larger --cell-size");
#endif
}

weir_result mesh_surface_options_apply(const mesh_surface_options *settings, weir_output_def *def)
{
    apply_options(settings, def);
    for (uint32_t i = 0; i < settings->set.count; i++)
        WEIR_RETURN_IF_ERROR(weir_output_def_set_mesh(def, settings->set.items[i]));
    WEIR_RETURN_IF_ERROR(check_build(def));
    if (settings->snap_to_solids && (settings->no_snap_to_solids || !def->mesh_refine))
        return base_fail(&def->log, WEIR_ERROR_ARGUMENT,
                         "--snap-to-solids and %s exclude each other",
                         settings->no_snap_to_solids ? "--no-snap-to-solids" : "--no-refine");
    /* Smoothing preserves the shape of small drops, which it recognizes by their number of
     * neighbours. */
    if (def->mesh_refine && def->refine.smooth_method != WEIR_MESH_SMOOTHING_NONE &&
        def->refine.smooth_iterations > 0)
        def->mesher.neighbours = true;
    return WEIR_OK;
}
