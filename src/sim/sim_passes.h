/* sim_passes: declares the passes of a solver's substep. A solver is a table of sim_pass, from
 * which the device's pass list is built. Bindings are read from the shaders. */
#ifndef WEIR_SIM_PASSES_H
#define WEIR_SIM_PASSES_H

#include "sim_internal.h"

enum sim_dispatch_size {
    SIM_ONE_INVOCATION,
    SIM_ALL_PARTICLES,         /* particles before the sort */
    SIM_LIVE_PARTICLES,        /* particles after the sort */
    SIM_ITERATED_PARTICLES,    /* live particles, until the iterations end */
    SIM_PARTICLE_CHUNKS,       /* live particles, SIM_STATS_PER_INVOCATION per invocation */
    SIM_EMITTED_PARTICLES,     /* particles that emitters release in the frame */
    SIM_GAUGE_WORKGROUPS,      /* one workgroup per gauge */
    SIM_VISCOUS_UNKNOWNS,      /* live particles, until the viscous solve ends */
    SIM_VISCOUS_ONE_WORKGROUP, /* one workgroup, until the viscous solve ends */
    SIM_NEAR_BODY_PARTICLES,   /* particles with near bodies */
    SIM_OVERFLOW_PARTICLES,    /* particles with more near bodies than they can list */
    SIM_BODIES,
    SIM_SOLIDS,
    SIM_ACTIVE_CELLS, /* cells of the long-range correction or MAC cells, in active blocks */
};

/* Consecutive passes with the same repetition repeat together. */
enum sim_repetition { SIM_ONCE, SIM_ITERATIONS, SIM_VISCOUS_ITERATIONS };

typedef struct sim_pass sim_pass;
struct sim_pass {
    int shader; /* index of the shader, such as SIM_LAMBDA */
    enum sim_dispatch_size dispatch;
    enum sim_repetition repeats;
    uint32_t constant;                    /* push constant `constant` of the shader */
    bool (*when)(const sim_world *world); /* NULL: always */
    const sim_pass *sublist;              /* instead of a shader: another table */
    gpu_pass *(*passes)(sim_world *world,
                        gpu_pass *pass); /* instead of a shader: another module's passes */
    const char *stage; /* instead of a shader: name of the stage that the next passes belong to */
    bool end;          /* marks the end of the table */
};

/* Returns whether a tolerance ends the iterations. */
bool sim_has_tolerance(const sim_world *world);
bool sim_solves_viscosity(const sim_world *world);
/* Returns the dispatch size of the viscous solve: its particles or, with `one`, the one workgroup
 * that decides whether the solve goes on. */
gpu_dispatch_size sim_viscous_dispatch_size(const sim_world *world, bool one);

/* Shared by the particle solvers: passes up to the neighbour lists, and passes after the solve. */
extern const sim_pass sim_sph_begin_passes[], sim_sph_end_passes[];
extern const sim_pass sim_long_range_passes[];
extern const sim_pass sim_pbf_passes[], sim_pcisph_passes[], sim_wcsph_passes[], sim_flip_passes[];
extern const sim_pass sim_standalone_passes[]; /* of sim_density_solver */

/* Passes of other modules that several tables use. Each appends them at `pass` and returns the
 * position after the last. */
gpu_pass *sim_sort_passes(sim_world *world, gpu_pass *pass);
gpu_pass *sim_neighbour_list_passes(sim_world *world, gpu_pass *pass);
gpu_pass *sim_clear_blocks_passes(sim_world *world,
                                  gpu_pass *pass); /* of MAC or long-range cells */
gpu_pass *sim_activate_blocks_passes(sim_world *world, gpu_pass *pass);
gpu_pass *sim_poisson_setup_passes(sim_world *world, gpu_pass *pass);
/* Passes of the module `body`: src/body/body.h. */
gpu_pass *sim_body_begin_passes(sim_world *world, gpu_pass *pass);
gpu_pass *sim_body_broad_phase_passes(sim_world *world, gpu_pass *pass);
gpu_pass *sim_body_fluid_impulse_passes(sim_world *world, gpu_pass *pass);
gpu_pass *sim_body_contact_passes(sim_world *world, gpu_pass *pass);
gpu_pass *sim_body_apply_impulse_passes(sim_world *world, gpu_pass *pass);
gpu_pass *sim_body_end_passes(sim_world *world, gpu_pass *pass);
/* Passes of the module `deformable`: src/deformable/deformable.h. */
gpu_pass *sim_deformable_begin_passes(sim_world *world, gpu_pass *pass);
gpu_pass *sim_deformable_bin_passes(sim_world *world, gpu_pass *pass);
gpu_pass *sim_deformable_solve_passes(sim_world *world, gpu_pass *pass);
gpu_pass *sim_deformable_end_passes(sim_world *world, gpu_pass *pass);
/* Conditions that several tables use in `when`. */
bool sim_has_emitters(const sim_world *world);
bool sim_has_gauges(const sim_world *world);
bool sim_has_solids(const sim_world *world); /* or sinks or bodies */
bool sim_has_bodies(const sim_world *world);
/* Returns the dispatch size SIM_ITERATED_PARTICLES. */
gpu_dispatch_size sim_iterated_dispatch_size(const sim_world *world);
bool sim_has_deformables(const sim_world *world);
bool sim_has_deformable_drag(const sim_world *world); /* of deformables on fluid */

#endif
