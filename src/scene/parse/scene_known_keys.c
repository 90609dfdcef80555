/* Explains keys that a scene cannot have: keys of earlier versions of Weir, and other engines'
 * names for a quantity (docs/parameters.md, "The same quantities elsewhere"). */
#include "scene_internal.h"

#include <ctype.h>

/* `in` is the path of the object with its dot. */
#define RENAMED(in, before, now)           \
    {                                      \
        in before, "is now called " in now \
    }

static const struct {
    const char *path, *answer;
} removed[] = {
    RENAMED("solver.", "rest_density", "lattice_density_ratio"),
    RENAMED("solver.", "support", "support_radius"),
    RENAMED("solver.", "cell", "grid_cell_size"),
    RENAMED("solver.", "pic_share", "pic_fraction"),
    RENAMED("solver.", "epsilon", "constraint_softening"),
    RENAMED("solver.", "delta_q", "artificial_pressure_distance"),
    RENAMED("solver.", "pressure_power", "artificial_pressure_exponent"),
    RENAMED("solver.", "scale_pressure", "scale_artificial_pressure"),
    RENAMED("solver.", "keep_negative_pressure", "allow_negative_pressure"),
    RENAMED("solver.", "vorticity", "vorticity_confinement"),
    RENAMED("solver.", "chebyshev", "chebyshev_spectral_radius"),
    RENAMED("solver.", "multigrid", "long_range_correction"),
    RENAMED("solver.", "correction_cap", "max_correction"),
    RENAMED("solver.", "speed_cap", "max_speed"),
    RENAMED("solver.", "wall_density", "boundary_density"),
    RENAMED("solver.", "wall_gap", "boundary_gap"),
    RENAMED("solver.", "sweeps", "deformable_iterations"),
    RENAMED("solver.", "constraints", "deformable_solver"),
    RENAMED("", "foam", "whitewater"),
    RENAMED("whitewater.", "amount", "emission_rate"),
    RENAMED("whitewater.", "trapped_air", "trapped_air_rate"),
    RENAMED("whitewater.", "crests", "wave_crest_rate"),
    RENAMED("whitewater.", "curl", "curl_rate"),
    RENAMED("whitewater.", "length", "length_scale"),
    RENAMED("whitewater.", "rise", "bubble_rise_speed"),
    RENAMED("whitewater.", "limit", "max_particles"),
    RENAMED("look.", "clarity", "absorption_length"),
    RENAMED("look.", "turbidity", "scattering_ratio"),
    RENAMED("bodies[].", "group", "collision_group"),
    RENAMED("cloths[].", "contacts", "collides_with"),
    RENAMED("ropes[].", "contacts", "collides_with"),
    RENAMED("soft_bodies[].", "contacts", "collides_with"),
    RENAMED("cloths[].", "tear", "tear_strain"),
    RENAMED("ropes[].", "tear", "tear_strain"),
    RENAMED("cloths[].", "bending", "bending_stiffness"),
    RENAMED("ropes[].", "bending", "bending_stiffness"),
    RENAMED("cloths[].", "fluid_friction", "skin_friction"),
    RENAMED("ropes[].", "fluid_friction", "skin_friction"),
    RENAMED("soft_bodies[].", "fluid_friction", "skin_friction"),
    RENAMED("soft_bodies[].", "poisson", "poisson_ratio"),
    RENAMED("soft_bodies[].", "cluster", "cluster_radius"),
    RENAMED("solids[].motion.", "steered", "host_driven"),
    RENAMED("emitters[].motion.", "steered", "host_driven"),
    RENAMED("solids[].motion.oscillation.", "rock", "rotation_amplitude"),
    RENAMED("emitters[].motion.oscillation.", "rock", "rotation_amplitude"),
    RENAMED("solver.", "tension", "allow_negative_pressure"),
    {"fluids[].viscosity",
     "was replaced by two keys: fluids[].xsph, with the same values, smooths velocities "
     "(dimensionless); fluids[].dynamic_viscosity is the viscosity in Pa s"},
    {"solver.skin",
     "was removed: reusing neighbour lists over several substeps saved no time; remove the key"},
    {"solver.freeze_gradients", "was removed: it saved at most 2 % of the time; remove the key"},
    {"solver.coarse_sweeps",
     "was removed: solver.long_range_correction \"on\" replaces it; remove the key"},
    {"solver.lists", "was removed: the engine chooses the kind of neighbour list, with the same "
                     "results; remove the key"},
};

#define PERIDYNO "PeriDyno"
#define SPLISHSPLASH "SPlisHSPlasH"
#define FLEX "FleX"
#define BLENDER "Blender"

static const struct {
    const char *engine, *key, *ours;
    const char *note;   /* how to convert the value; "" when it stays the same */
    bool outside_lists; /* inside lists the word means something else */
} foreign[] = {
    {PERIDYNO, "SamplingDistance", "spacing", "", false},
    {PERIDYNO, "SmoothingLength", "solver.support_radius",
     "support_radius = SmoothingLength / spacing", false},
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
    {SPLISHSPLASH, "vorticity", "solver.vorticity_confinement",
     "vorticity / (support_radius spacing)", false},
    {SPLISHSPLASH, "stopAt", "duration", "", false},
    {SPLISHSPLASH, "dataExportFPS", "frame_rate", "", false},
    {SPLISHSPLASH, "boundaryHandlingMethod", "solver.boundary_density", "true or false", false},
    {SPLISHSPLASH, "maxEmitterParticles", "emitters[].max_particles", "", false},
    {SPLISHSPLASH, "emitStartTime", "emitters[].start", "", false},
    {SPLISHSPLASH, "emitEndTime", "emitters[].end", "", false},
    {SPLISHSPLASH, "geometryFile", "solids[].shape.mesh.file", "", false},
    {SPLISHSPLASH, "particleFile", "fluids[].fill.file", "", false},
    {SPLISHSPLASH, "translation", "position", "", false},

    {FLEX, "fluidRestDistance", "spacing", "", false},
    {FLEX, "radius", "solver.support_radius", "support_radius = radius / fluidRestDistance", true},
    {FLEX, "numIterations", "solver.iterations", "", false},
    {FLEX, "substeps", "solver.substeps", "", false},
    {FLEX, "relaxationFactor", "solver.relaxation",
     "FleX applies its factor to an average, so values cannot be reused", false},
    {FLEX " and " SPLISHSPLASH, "viscosity", "fluids[].xsph or fluids[].dynamic_viscosity",
     "the first smooths velocities and is dimensionless, the second is in Pa s", false},
    {FLEX, "cohesion", "fluids[].surface_tension", "in N/m; values cannot be reused", false},
    {FLEX, "surfaceTension", "fluids[].surface_tension", "in N/m; values cannot be reused", false},
    {FLEX, "vorticityConfinement", "solver.vorticity_confinement",
     "in units of the support radius a second", false},
    {FLEX, "maxSpeed", "solver.max_speed", "max_speed = maxSpeed substep / spacing", false},
    {FLEX, "collisionDistance", "solver.boundary_gap", "boundary_gap = collisionDistance / spacing",
     false},
    {FLEX, "solidPressure", "solver.boundary_density", "true or false", false},
    {FLEX, "dynamicFriction", "solids[].friction and domain.friction", "", false},

    {BLENDER, "resolution_max", "spacing",
     "spacing = longest side of the domain / (resolution_max particle_number)", false},
    {BLENDER, "timesteps_max", "solver.substeps", "", false},
    {BLENDER, "use_adaptive_timesteps", "solver.adaptive", "", false},
    {BLENDER, "cfl_condition", "solver.cfl", "in cells per substep there, in spacings here", false},
};

static bool equal_ignoring_case(const char *a, const char *b)
{
    while (*a && tolower((unsigned char)*a) == tolower((unsigned char)*b))
        ++a, ++b;
    return *a == *b;
}

static bool is_inside_list(const scene_location *where)
{
    for (; where; where = where->parent)
        if (where->parent && !where->key) return true;
    return false;
}

/* Returns whether `path` is the key `pattern`; "fluids[]" stands for each of the fluids. */
static bool matches_path(const char *pattern, const char *path)
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
        if (matches_path(removed[i].path, path)) return removed[i].answer;
    return NULL;
}

static bool error_removed_key(scene_parser *parser, const scene_location *where)
{
    base_text path = {0};
    const char *answer = NULL;
    if (scene_location_text(where, &path))
        answer = scene_removed_key(path.items);
    else
        parser->out_of_memory = true;
    if (answer) scene_error(parser, where, "%s", answer);
    base_free(path.items);
    return answer != NULL;
}

static bool error_foreign_key(scene_parser *parser, const scene_location *where)
{
    for (size_t i = 0; i < BASE_COUNT(foreign); ++i) {
        if (!equal_ignoring_case(foreign[i].key, where->key)) continue;
        if (foreign[i].outside_lists && is_inside_list(where)) continue;
        const char *note = foreign[i].note;
        scene_error(parser, where, "unknown key; \"%s\" of %s is %s here%s%s", foreign[i].key,
                    foreign[i].engine, foreign[i].ours, note[0] ? ": " : "", note);
        return true;
    }
    return false;
}

bool scene_error_known_key(scene_parser *parser, const scene_location *where)
{
    return error_removed_key(parser, where) || error_foreign_key(parser, where);
}
