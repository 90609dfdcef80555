/* Keys that a scene cannot have but that have an answer: Weir's own of earlier versions, and other
 * engines' names for a quantity (docs/parameters.md, "The same quantities elsewhere"). */
#include "scene_internal.h"

#include <ctype.h>

static const struct {
    const char *path, *answer;
} removed[] = {
    {"solver.tension", "is called solver.keep_negative_pressure now"},
    {"fluids[].viscosity",
     "is two keys now: fluids[].xsph, with the same values, smooths velocities and has no unit; "
     "fluids[].dynamic_viscosity is the viscosity in Pa s"},
    {"solver.skin", "is gone: keeping lists for several substeps did not pay, so that each substep "
                    "makes its own; remove the key"},
    {"solver.freeze_gradients", "is gone: it saved at most 2 % of the time; remove the key"},
    {"solver.coarse_sweeps",
     "is gone: solver.multigrid \"on\" corrects over every distance, and has no sweeps to choose"},
    {"solver.lists", "is gone: the engine chooses how neighbours are listed, and the results are "
                     "the same; remove the key"},
};

#define PERIDYNO "PeriDyno"
#define SPLISHSPLASH "SPlisHSPlasH"
#define FLEX "FleX"
#define BLENDER "Blender"

static const struct {
    const char *engine, *key, *ours;
    const char *note;   /* how to convert it; "" when the value stays */
    bool outside_lists; /* further in, the same word means something else */
} foreign[] = {
    {PERIDYNO, "SamplingDistance", "spacing", "", false},
    {PERIDYNO, "SmoothingLength", "solver.support", "support = SmoothingLength / spacing", false},
    {PERIDYNO, "RestDensity", "fluids[].density", "", false},
    {PERIDYNO, "IterationNumber", "solver.iterations", "", false},

    {SPLISHSPLASH, "Configuration", "solver, domain and the top of the scene", "", false},
    {SPLISHSPLASH, "FluidBlocks", "fluids[].fill.shape.box", "", false},
    {SPLISHSPLASH, "FluidModels", "fluids[].fill.file", "", false},
    {SPLISHSPLASH, "Materials", "fluids", "", false},
    {SPLISHSPLASH, "RigidBodies", "solids", "", false},
    {SPLISHSPLASH, "particleRadius", "spacing", "spacing = 2 particleRadius", false},
    {SPLISHSPLASH, "density0", "fluids[].density", "", false},
    {SPLISHSPLASH, "gravitation", "gravity", "", false},
    {SPLISHSPLASH, "simulationMethod", "solver.method", "\"pbf\", \"pcisph\" or \"wcsph\"", false},
    {SPLISHSPLASH, "sim2D", "solver.dimensions", "2 or 3", false},
    {SPLISHSPLASH, "maxIterations", "solver.iterations", "", false},
    {SPLISHSPLASH, "maxError", "solver.tolerance.mean", "maxError / 100", false},
    {SPLISHSPLASH, "timeStepSize", "frame_rate and solver.substeps",
     "timeStepSize = 1 / (frame_rate substeps)", false},
    {SPLISHSPLASH, "numberOfStepsPerRenderUpdate", "solver.substeps", "", false},
    {SPLISHSPLASH, "cflMethod", "solver.adaptive", "false for method 0, else true", false},
    {SPLISHSPLASH, "cflFactor", "solver.cfl", "cfl = 0.4 cflFactor", false},
    {SPLISHSPLASH, "vorticity", "solver.vorticity", "vorticity / (support spacing)", false},
    {SPLISHSPLASH, "stopAt", "duration", "", false},
    {SPLISHSPLASH, "dataExportFPS", "frame_rate", "", false},
    {SPLISHSPLASH, "boundaryHandlingMethod", "solver.wall_density", "true or false", false},
    {SPLISHSPLASH, "maxEmitterParticles", "emitters[].max_particles", "", false},
    {SPLISHSPLASH, "emitStartTime", "emitters[].start", "", false},
    {SPLISHSPLASH, "emitEndTime", "emitters[].end", "", false},
    {SPLISHSPLASH, "geometryFile", "solids[].shape.mesh.file", "", false},
    {SPLISHSPLASH, "particleFile", "fluids[].fill.file", "", false},
    {SPLISHSPLASH, "translation", "position", "", false},

    {FLEX, "fluidRestDistance", "spacing", "", false},
    {FLEX, "radius", "solver.support", "support = radius / fluidRestDistance", true},
    {FLEX, "numIterations", "solver.iterations", "", false},
    {FLEX, "substeps", "solver.substeps", "", false},
    {FLEX, "relaxationFactor", "solver.relaxation",
     "FleX applies its factor to an average, so that values do not carry over", false},
    {FLEX " and " SPLISHSPLASH, "viscosity", "fluids[].xsph or fluids[].dynamic_viscosity",
     "the first smooths velocities and has no unit, the second is in Pa s", false},
    {FLEX, "cohesion", "fluids[].surface_tension", "in N/m; values do not carry over", false},
    {FLEX, "surfaceTension", "fluids[].surface_tension", "in N/m; values do not carry over", false},
    {FLEX, "vorticityConfinement", "solver.vorticity", "in units of the support radius a second",
     false},
    {FLEX, "maxSpeed", "solver.speed_cap", "speed_cap = maxSpeed substep / spacing", false},
    {FLEX, "collisionDistance", "solver.wall_gap", "wall_gap = collisionDistance / spacing", false},
    {FLEX, "solidPressure", "solver.wall_density", "true or false", false},
    {FLEX, "dynamicFriction", "solids[].friction and domain.friction", "", false},

    {BLENDER, "resolution_max", "spacing",
     "spacing = longest side of the domain / (resolution_max particle_number)", false},
    {BLENDER, "timesteps_max", "solver.substeps", "", false},
    {BLENDER, "use_adaptive_timesteps", "solver.adaptive", "", false},
    {BLENDER, "cfl_condition", "solver.cfl", "cells a substep there, spacings here", false},
};

static bool same_word(const char *a, const char *b)
{
    while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b))
        ++a, ++b;
    return *a == *b;
}

static bool in_list(const scene_location *where)
{
    for (; where; where = where->parent)
        if (where->parent && !where->key) return true;
    return false;
}

/* Is `path` the key `pattern`? "fluids[]" stands for each of the fluids. */
static bool same_path(const char *pattern, const char *path)
{
    for (; *pattern && *pattern == *path; ++pattern) {
        ++path;
        if (pattern[0] == '[') path += strspn(path, "0123456789");
    }
    return *pattern == *path;
}

const char *scene_removed_key(const char *path)
{
    for (size_t i = 0; i < BASE_COUNT(removed); ++i)
        if (same_path(removed[i].path, path)) return removed[i].answer;
    return NULL;
}

static bool fault_removed(scene_parser *parser, const scene_location *where)
{
    base_text path = {0};
    const char *answer = NULL;
    if (scene_location_text(where, &path))
        answer = scene_removed_key(path.items);
    else
        parser->out_of_memory = true;
    if (answer) scene_fault(parser, where, "%s", answer);
    base_free(path.items);
    return answer != NULL;
}

static bool fault_foreign(scene_parser *parser, const scene_location *where)
{
    for (size_t i = 0; i < BASE_COUNT(foreign); ++i) {
        if (!same_word(foreign[i].key, where->key)) continue;
        if (foreign[i].outside_lists && in_list(where)) continue;
        const char *note = foreign[i].note;
        scene_fault(parser, where, "unknown key; \"%s\" of %s is %s here%s%s", foreign[i].key,
                    foreign[i].engine, foreign[i].ours, note[0] ? ": " : "", note);
        return true;
    }
    return false;
}

bool scene_fault_known(scene_parser *parser, const scene_location *where)
{
    return fault_removed(parser, where) || fault_foreign(parser, where);
}
