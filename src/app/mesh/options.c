/* The surface options. */
#include "mesh.h"

static const char *const presets[] = {"calibrated", "zhu-bridson", "sph", "anisotropic"};
static const char *const fields[] = {"zhu-bridson", "colour", "anisotropic"};
static const char *const normals[] = {"field", "faces", "none"};
static const char *const smoothings[] = {"none", "taubin", "laplace"};

mesh_surface_options mesh_surface_options_default(void)
{
    return (mesh_surface_options){.preset = ARGS_NOT_GIVEN,
                                  .field = ARGS_NOT_GIVEN,
                                  .normals = ARGS_NOT_GIVEN,
                                  .smoothing = ARGS_NOT_GIVEN,
                                  .spray = ARGS_NOT_GIVEN,
                                  .smooth = ARGS_NOT_GIVEN,
                                  .min_triangles = ARGS_NOT_GIVEN,
                                  .max_triangles = ARGS_NOT_GIVEN};
}

void mesh_option_list_create(mesh_surface_options *s, const char *prefix, mesh_option_list *list)
{
    const args_option options[MESH_OPTIONS] = {
        ARGS_CHOICE_OPTION("preset", &s->preset, "NAME",
                           "calibrated (keeps the volume; default), zhu-bridson (smoother,\n"
                           "thinner), sph (as splashsurf recommends) or anisotropic (sharp)",
                           presets, BASE_COUNT(presets)),
        ARGS_OPTION("cell-size", 0, NUMBER, &s->cell, "X", "edge of a mesh cell, in spacings"),
        ARGS_EXPERT_CHOICE("field", &s->field, "FIELD", "zhu-bridson, colour or anisotropic",
                           fields, BASE_COUNT(fields)),
        ARGS_EXPERT_OPTION("search-radius", 0, NUMBER, &s->search, "X",
                           "search radius, in spacings"),
        ARGS_EXPERT_OPTION("particle-radius", 0, NUMBER, &s->radius, "X",
                           "particle radius, in spacings (zhu-bridson)"),
        ARGS_EXPERT_OPTION("iso-value", 0, NUMBER, &s->iso, "X", "iso-value of the colour field"),
        ARGS_EXPERT_OPTION("max-anisotropy", 0, NUMBER, &s->stretch, "X",
                           "longest axis of an ellipsoid over its shortest"),
        ARGS_EXPERT_OPTION("no-sheet-damping", 0, FLAG, &s->no_damping, NULL,
                           "keep the sheets that appear between near bodies"),
        ARGS_EXPERT_OPTION("asymptotic-decider", 0, FLAG, &s->decider, NULL,
                           "ambiguous cell faces by the asymptotic decider"),
        ARGS_OPTION("spray-neighbours", 0, COUNT, &s->spray, "N",
                    "write particles with fewer than N neighbours not as surface but\n"
                    "as points with a radius: spray_%04d.ply next to the meshes"),
        ARGS_EXPERT_OPTION("no-refine", 0, FLAG, &s->raw, NULL,
                           "no refining: none of the steps below"),
        ARGS_EXPERT_OPTION("keep-slivers", 0, FLAG, &s->no_clean, NULL, "keep slivers"),
        ARGS_EXPERT_CHOICE("smooth-method", &s->smoothing, "KIND",
                           "none, taubin (keeps waves) or laplace (default)", smoothings,
                           BASE_COUNT(smoothings)),
        ARGS_OPTION("smooth-iterations", 0, COUNT, &s->smooth, "N",
                    "smoothing iterations; default 8"),
        ARGS_EXPERT_OPTION("smooth-neighbours", 0, NUMBER, &s->smooth_neighbours, "N",
                           "vertices with fewer than N particles within the\n"
                           "search radius move less: thin sheets and drops keep\n"
                           "their shape"),
        ARGS_EXPERT_OPTION("min-component-triangles", 0, COUNT, &s->min_triangles, "N",
                           "remove components of fewer triangles"),
        ARGS_EXPERT_OPTION("min-component-volume", 0, NUMBER, &s->min_volume, "V",
                           "remove components below V m3"),
        ARGS_EXPERT_OPTION("remove-voids", 0, FLAG, &s->fill_voids, NULL, "remove closed hollows"),
        ARGS_OPTION("decimate-ratio", 0, NUMBER, &s->keep, "SHARE",
                    "decimate to this share of the triangles: 0.3"),
        ARGS_EXPERT_OPTION("max-triangles", 0, COUNT, &s->max_triangles, "N",
                           "decimate to at most N triangles"),
        ARGS_EXPERT_OPTION("decimate-error", 0, NUMBER, &s->decimate_error, "M",
                           "decimation stops at this error, in metres"),
        ARGS_OPTION("snap-to-solids", 0, FLAG, &s->solids, NULL,
                    "rest the surface against the run's solids and walls"),
        ARGS_EXPERT_OPTION(
            "snap-distance", 0, NUMBER, &s->solid_band, "M",
            "vertices nearer than M metres to a solid move onto\nit; default: a cell"),
        ARGS_EXPERT_OPTION("clamp-box", 0, TEXT, &s->box, "X0,Y0,Z0,X1,Y1,Z1",
                           "vertices outside this box move onto it (metres, y up)"),
        ARGS_EXPERT_CHOICE("normals", &s->normals, "WHICH", "field, faces or none", normals,
                           BASE_COUNT(normals)),
        ARGS_EXPERT_OPTION("no-velocity", 0, FLAG, &s->no_velocity, NULL,
                           "no velocities at the vertices"),
        ARGS_OPTION("attributes", 0, FLAG, &s->attributes, NULL,
                    "also write density and fluid at the vertices"),
    };
    for (uint32_t i = 0; i < MESH_OPTIONS; i++) {
        list->items[i] = options[i];
        snprintf(list->names[i], sizeof list->names[i], "%s%s", prefix, options[i].name);
        list->items[i].name = list->names[i];
        if (*prefix) list->items[i].expert = true;
    }
}

/* ---- applying the options ------------------------------------------------------------------- */

static weir_result read_box(const weir_log *log, const char *text, weir_mesh_refine_def *refine)
{
    const char *at = text, *end = text + strlen(text);
    float numbers[6];
    for (int i = 0; i < 6; i++) {
        double number;
        bool good = base_parse_double(at, end, &number, &at) && fabs(number) < 1e30 &&
                    (i == 5 ? at == end : *at == ',');
        if (!good)
            return base_fail(log, WEIR_ERROR_ARGUMENT,
                             "box \"%s\": expected six numbers with "
                             "commas between, the lower corner first",
                             text);
        at += i < 5;
        numbers[i] = (float)number;
    }
    refine->clamp_to_box = true;
    memcpy(refine->clamp_min, numbers, sizeof refine->clamp_min);
    memcpy(refine->clamp_max, numbers + 3, sizeof refine->clamp_max);
    for (int k = 0; k < 3; k++)
        if (!(refine->clamp_min[k] < refine->clamp_max[k]))
            return base_fail(log, WEIR_ERROR_ARGUMENT,
                             "box \"%s\": the lower corner must lie below the upper on every axis",
                             text);
    return WEIR_OK;
}

static void apply_field(const mesh_surface_options *s, weir_mesher_def *def)
{
    if (s->preset != ARGS_NOT_GIVEN) {
        const weir_mesher_def before = *def;
        *def = weir_mesher_def_default(presets[s->preset]);
        def->spray_neighbours = before.spray_neighbours;
        def->velocity = before.velocity;
        def->attributes = before.attributes;
        def->neighbours = before.neighbours;
    }
    if (s->field != ARGS_NOT_GIVEN) def->field = (weir_mesh_field)s->field;
    if (s->normals != ARGS_NOT_GIVEN) def->normals = (weir_mesh_normals)s->normals;
    if (s->cell > 0) def->cell_size = (float)s->cell;
    if (s->search > 0) def->search_radius = (float)s->search;
    if (s->radius > 0) def->particle_radius = (float)s->radius;
    if (s->iso > 0) def->iso_value = (float)s->iso;
    if (s->stretch > 0) def->max_anisotropy = (float)s->stretch;
    if (s->decider) def->asymptotic_decider = true;
    if (s->no_damping) def->sheet_damping = false;
    if (s->no_velocity) def->velocity = false;
    if (s->attributes) def->attributes = true;
    if (s->smooth_neighbours > 0) def->neighbours = true;
    if (s->spray != ARGS_NOT_GIVEN) def->spray_neighbours = s->spray;
    if (s->memory_mb) def->max_memory_bytes = (uint64_t)s->memory_mb << 20;
}

static void apply_refining(const mesh_surface_options *s, weir_mesh_refine_def *def)
{
    if (s->no_clean) def->remove_slivers = false;
    if (s->smoothing != ARGS_NOT_GIVEN) def->smooth_method = (weir_mesh_smoothing)s->smoothing;
    if (s->smooth != ARGS_NOT_GIVEN) def->smooth_iterations = s->smooth;
    if (s->smooth_neighbours > 0) def->smooth_neighbours = (float)s->smooth_neighbours;
    if (s->min_triangles != ARGS_NOT_GIVEN) def->min_component_triangles = s->min_triangles;
    if (s->min_volume > 0) def->min_component_volume_m3 = s->min_volume;
    if (s->fill_voids) def->remove_voids = true;
    if (s->keep > 0) def->decimate_ratio = s->keep;
    if (s->max_triangles != ARGS_NOT_GIVEN) def->max_triangles = s->max_triangles;
    if (s->decimate_error > 0) def->decimate_error_m = (float)s->decimate_error;
    if (s->solid_band > 0) def->snap_distance_m = (float)s->solid_band;
    if (s->normals != ARGS_NOT_GIVEN) def->normals = (weir_mesh_normals)s->normals;
}

/* Fails before the first frame if this build cannot decimate. */
static weir_result check_build(const mesh_surface_options *settings, const weir_log *log)
{
#ifdef WEIR_MESHOPTIMIZER
    (void)settings, (void)log;
    return WEIR_OK;
#else
    if (settings->raw || (!(settings->keep > 0) && settings->max_triangles == ARGS_NOT_GIVEN))
        return WEIR_OK;
    return base_fail(
        log, WEIR_ERROR_ARGUMENT,
        "--decimate-ratio and --max-triangles: this build cannot decimate, since it was made "
        "without meshoptimizer; use a larger --cell-size, or build Weir where "
        "libmeshoptimizer is installed (tools/setup)");
#endif
}

weir_result mesh_surface_options_apply(const mesh_surface_options *settings, const weir_log *log,
                                       weir_mesher_def *mesher, weir_mesh_refine_def *refine)
{
    WEIR_RETURN_IF_ERROR(check_build(settings, log));
    apply_field(settings, mesher);
    apply_refining(settings, refine);
    /* Smoothing preserves the shape of small drops, which it recognizes by their number of
     * neighbours. */
    if (!settings->raw && refine->smooth_method != WEIR_MESH_SMOOTHING_NONE &&
        refine->smooth_iterations > 0)
        mesher->neighbours = true;
    return settings->box ? read_box(log, settings->box, refine) : WEIR_OK;
}
