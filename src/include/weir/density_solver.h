/* The density constraint of Position Based Fluids (Macklin and Mueller 2013, algorithm 1, lines 8
 * to 21) for particles that the caller moves. No gravity, no forces, no viscosity. weir/vulkan.h
 * has it for Vulkan buffers. weir/weir.h has the rules that hold for all functions. */
#ifndef WEIR_DENSITY_SOLVER_PUBLIC_H
#define WEIR_DENSITY_SOLVER_PUBLIC_H

#include "scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weir_density_solver weir_density_solver;

/* The scene gives the spacing, the domain with its sides, and the solver: support, kernel,
 * iterations or a tolerance, relaxation, artificial pressure and so on. At rest a particle has a
 * cube of one spacing to itself. Where the fluids are, gravity, forces, viscosity, tension,
 * vorticity, substeps, emitters, sinks and gauges do not count. Errors: ARGUMENT (the log names
 * what has no part in the constraint alone: solids, bodies, cloths, ropes, a method that is not
 * `pbf`, `long_range_correction` on), SCENE (a domain of too many cells), MEMORY. */
WEIR_API weir_result weir_density_solver_create(weir_device *device, const weir_scene *scene,
                                                weir_density_solver **constraint);
WEIR_API void weir_density_solver_destroy(weir_density_solver **constraint);

/* Particles in the caller's arrays. Their order may change from call to call. */
typedef struct weir_density_solver_particles {
    uint32_t cookie;
    uint32_t count;    /* 1 to 2^28 */
    float dt_s;        /* the step by which corrections become velocities; above 0 */
    float *positions;  /* [3 * count], m: as the caller's velocities have moved them; replaced */
    float *velocities; /* [3 * count], m/s: each gains its particle's correction over `dt_s`;
                          NULL: none are wanted, and walls rub as on particles that were at rest */
    const float *inverse_masses; /* [count], that of the lightest fluid is 1. 0: the particle holds
                                    its place, fills its part of the space, and has no constraint
                                    of its own: for samples of a boundary. NULL: all 1 */
    /* The caller's neighbour lists, or both NULL: Weir searches. Those of particle i are
     * neighbours[offsets[i]] to neighbours[offsets[i + 1] - 1]; sums run in their order, and i
     * itself may be among them. Particles beyond the support radius add nothing. */
    const uint32_t *neighbour_offsets; /* [count + 1] */
    const uint32_t *neighbours;        /* [offsets[count]] */
} weir_density_solver_particles;

WEIR_API weir_density_solver_particles weir_density_solver_particles_default(void);

typedef struct weir_density_solver_report {
    uint64_t solve_number; /* of the call, from 1; 0: none is done */
    uint32_t iterations;   /* done */
    /* With a tolerance: max(density / rest density - 1, 0) at the end, of all particles that were
     * taken, where those that hold their places count as 0. Without one -1. */
    float density_error_mean, density_error_max;
    bool converged;   /* the tolerance; true without one */
    bool complete;    /* false: a list was too short, and nothing was changed */
    uint32_t skipped; /* particles that stay as they were given: not finite, of an inverse mass
                      below 0, beyond an open side, or lost in the solve */
    uint32_t fixed;   /* with the inverse mass 0 */
    uint32_t
        invalid_entries; /* entries of neighbour lists that name no particle; they were left out */
} weir_density_solver_report;

/* Solves, and waits. The arrays are those of the particles from then on; after an error they are as
 * before. `report` may be NULL. Errors: ARGUMENT (the log names the field, and the element),
 * MEMORY, DEVICE_LOST. */
WEIR_API weir_result weir_density_solver_solve(weir_density_solver *constraint,
                                               const weir_density_solver_particles *particles,
                                               weir_density_solver_report *report);

/* Of the newest call that is done; `wait`: of the last. For calls that do not wait. Errors:
 * ARGUMENT when its commands were never submitted, DEVICE_LOST. */
WEIR_API weir_result weir_density_solver_get_report(weir_density_solver *constraint, bool wait,
                                                    weir_density_solver_report *report);

#ifdef __cplusplus
}
#endif
#endif
