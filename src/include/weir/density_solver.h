/* Density solver: the density constraint of Position Based Fluids (Macklin and Mueller 2013,
 * algorithm 1, lines 8 to 21) for particles that the host program moves, without gravity, forces
 * or viscosity. weir/vulkan.h has the version for Vulkan buffers. weir/weir.h has the rules that
 * hold for all functions. */
#ifndef WEIR_DENSITY_SOLVER_PUBLIC_H
#define WEIR_DENSITY_SOLVER_PUBLIC_H

#include "scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weir_density_solver weir_density_solver;

/* Creates a density solver. From the scene it takes the spacing, the domain with its sides, and the
 * solver's support radius, smoothing kernel, iterations or tolerance, relaxation, artificial
 * pressure and so on. At rest a particle occupies a cube of one spacing. The positions of fluids,
 * gravity, forces, viscosity, surface tension, vorticity, substeps, emitters, sinks and gauges are
 * ignored. Errors: ARGUMENT (the log names the part of the scene that the density solver does not
 * support: solids, bodies, cloths, ropes, a method other than `pbf`, or `long_range_correction`),
 * SCENE (the domain has too many bins), MEMORY. */
WEIR_API weir_result weir_density_solver_create(weir_device *device, const weir_scene *scene,
                                                weir_density_solver **solver);
WEIR_API void weir_density_solver_destroy(weir_density_solver **solver);

/* Particles in the caller's arrays. Their order may differ between calls. */
typedef struct weir_density_solver_particles {
    uint32_t cookie;
    uint32_t count;   /* 1 to 2^28 */
    float dt_s;       /* step that converts corrections to velocities; above 0 */
    float *positions; /* [3 * count], m: on entry predicted by the caller, on return corrected */
    /* [3 * count], m/s: each gains its particle's correction over `dt_s`. NULL: no velocities, and
     * the friction of walls treats the particles as at rest before. */
    float *velocities;
    /* [count], relative to the lightest fluid, which has 1. 0: the particle is fixed, fills its
     * part of the space, and has no constraint of its own; for samples of a boundary.
     * NULL: all 1. */
    const float *inverse_masses;
    /* Neighbour lists, or NULL for both: Weir then searches. The neighbours of particle i are
     * neighbours[neighbour_offsets[i]] to neighbours[neighbour_offsets[i + 1] - 1]. Sums run in
     * this order, and a list may contain i itself. Entries beyond the support radius contribute
     * nothing. */
    const uint32_t *neighbour_offsets; /* [count + 1] */
    const uint32_t *neighbours;        /* [neighbour_offsets[count]] */
} weir_density_solver_particles;

/* Returns a struct with the cookie and all defaults. */
WEIR_API weir_density_solver_particles weir_density_solver_particles_default(void);

typedef struct weir_density_solver_report {
    uint64_t solve_number; /* number of the call, from 1; 0: no call has finished */
    uint32_t iterations;   /* iterations that were run */
    /* With a tolerance: max(density / rest density - 1, 0) at the end, over all accepted particles,
     * with 0 for fixed ones. Without a tolerance -1. */
    float density_error_mean, density_error_max;
    bool converged;   /* the tolerance was reached; true without one */
    bool complete;    /* false: a neighbour list was too short, and nothing was changed */
    uint32_t skipped; /* unchanged particles: not finite, with an inverse mass below 0, beyond
                         an open side, or lost in the solve */
    uint32_t fixed;   /* particles with inverse mass 0 */
    uint32_t invalid_entries; /* ignored entries of neighbour lists that refer to no particle */
} weir_density_solver_report;

/* Runs the density solver on the particles and writes the arrays back. After an error they are
 * unchanged. `particles` has no default and must not be NULL. `report` may be NULL. Waits. Errors:
 * ARGUMENT (the log names the field and the element), MEMORY, DEVICE_LOST. */
WEIR_API weir_result weir_density_solver_solve(weir_density_solver *solver,
                                               const weir_density_solver_particles *particles,
                                               weir_density_solver_report *report);

/* Reads the report of the newest finished call, or with `wait` waits for the last call; for calls
 * of weir_vulkan_density_solve, which do not wait. Errors: ARGUMENT when the commands of the call
 * were never submitted, DEVICE_LOST. */
WEIR_API weir_result weir_density_solver_get_report(weir_density_solver *solver, bool wait,
                                                    weir_density_solver_report *report);

#ifdef __cplusplus
}
#endif
#endif
