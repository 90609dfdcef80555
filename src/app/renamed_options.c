/* Options and a command that had other names in version 0.1.0; error messages for a former name
 * give the present one. */
#include "app.h"

typedef struct renamed_word {
    const char *before, *now;
} renamed_word;

static const renamed_word options[] = {
    {"from", "checkpoint"},
    {"most", "max-particles"},
    {"checkpoint", "checkpoint-interval"},
    {"any-density", "allow-overcompression"},
    {"exposures", "accumulation-samples"},
    {"range", "colour-range"},
    {"splatter", "splat-method"},
    {"cell", "cell-size"},
    {"spray", "spray-neighbours"},
    {"raw", "no-refine"},
    {"smooth", "smooth-iterations"},
    {"keep", "decimate-ratio"},
    {"solids", "snap-to-solids"},
    {"skip-done", "skip-existing"},
    {"from-up", "input-up"},
    {"memory", "max-memory"},
};

/* Options of meshes that are settings by name now: --set KEY=VALUE of weir mesh, --mesh-set of weir
 * run. */
static const renamed_word settings[] = {
    {"search", "search_radius=X"},
    {"radius", "particle_radius=X"},
    {"iso", "iso_value=X"},
    {"stretch", "max_anisotropy=X"},
    {"no-damping", "sheet_damping=false"},
    {"decider", "asymptotic_decider=true"},
    {"no-clean", "remove_slivers=false"},
    {"smoothing", "smooth_method=KIND"},
    {"min-triangles", "min_component_triangles=N"},
    {"min-volume", "min_component_volume_m3=V"},
    {"fill-voids", "remove_voids=true"},
    {"solid-band", "snap_distance_m=M"},
    {"box", "clamp_to_box=true"},
    {"field", "field=NAME"},
    {"smooth-neighbours", "smooth_neighbours=N"},
    {"max-triangles", "max_triangles=N"},
    {"decimate-error", "decimate_error_m=M"},
    {"normals", "refined_normals=WHICH"},
    {"no-velocity", "velocity=false"},
};

/* Options whose work a tool of the source tree does now. */
static const renamed_word tools[] = {
    {"predict", "tools/gpu-report predict"},
};

static const renamed_word commands[] = {{"foam", "whitewater"}};

static const char *find_present(const renamed_word *words, size_t count, const char *before)
{
    for (size_t i = 0; i < count; ++i)
        if (strcmp(words[i].before, before) == 0) return words[i].now;
    return NULL;
}

const char *renamed_option(const char *before)
{
    return find_present(options, BASE_COUNT(options), before);
}

const char *renamed_mesh_setting(const char *before)
{
    return find_present(settings, BASE_COUNT(settings), before);
}

const char *option_now_a_tool(const char *before)
{
    return find_present(tools, BASE_COUNT(tools), before);
}

const char *renamed_command(const char *before)
{
    return find_present(commands, BASE_COUNT(commands), before);
}
