/* sim_solvers: declares the passes of a solver's substep. A solver is a table of sim_pass, from
 * which the device's pass list is built. Bindings are read from the shaders. */
#ifndef WEIR_SIM_SOLVERS_H
#define WEIR_SIM_SOLVERS_H

#include "sim_state.h"

/* Decides whether the world needs a pressure grid, for the long-range correction or as MAC grid,
 * and fills in the parameters of its cells. Call it when fluid_depth_m and the other parameters are
 * known. */
void sim_pressure_grid_choose(sim_world *world);

/* Creates the grid and its buffers. Errors: MEMORY; ARGUMENT if there are too many cells. */
weir_result sim_pressure_grid_create(sim_world *world);

/* Returns the grid's bytes of device memory; 0 without one. */
uint64_t sim_pressure_grid_bytes(const sim_world *world);

/* Enlarges the pressure grid and its buffers to `blocks` blocks; their contents are lost. */
weir_result sim_pressure_grid_grow(sim_world *world, uint32_t blocks);

/* Enlarges the buffers of the viscous solve after a fluid has become viscous. */
weir_result sim_viscous_buffers_grow(sim_world *world);

/* Creates the pipelines that no solver table names. Those of the tables are created with the pass
 * list, so that a scene waits only for the pipelines that it uses. */
weir_result sim_pipelines_create(sim_world *world);
weir_result sim_require_pipeline(sim_world *world, int shader);

/* Enlarges the grid; the pass list must then be rebuilt. */
weir_result sim_grid_grow(sim_world *world, grid_capacity capacity);
void sim_pipelines_destroy(sim_world *world);

/* Returns a pass of the shader with all its bindings. */
gpu_pass sim_make_pass(const sim_world *world, int shader, gpu_dispatch_size dispatch_size);

/* Rebuilds the pass list after buffers or pipelines have changed. */
weir_result sim_build_passes(sim_world *world);

/* Returns the pass that applies the mouse joint, once at the start of a frame. */
gpu_pass sim_mouse_joint_pass(const sim_world *world);

/* Warns once when a viscous solve has ended before its tolerance. */
void sim_check_viscosity(sim_world *world, const struct sim_status *status, double time_s);

enum sim_dispatch_size {
    SIM_ONE_INVOCATION,
    SIM_ALL_PARTICLES,      /* particles before the sort */
    SIM_LIVE_PARTICLES,     /* particles after the sort */
    SIM_NEAR_PARTICLES,     /* live particles and the first layer of ghosts */
    SIM_HELD_PARTICLES,     /* live particles and all ghosts */
    SIM_ITERATED_PARTICLES, /* live particles, until the iterations end */
    SIM_ITERATED_NEAR_PARTICLES,
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

/* Append passes of another module and return their number. */
typedef uint32_t sim_body_passes(const body_set *set, const body_bindings *binds, gpu_pass *passes);

typedef uint32_t sim_deformable_passes(const deformable_set *set, const deformable_bindings *binds,
                                       gpu_pass *passes);

typedef struct sim_pass sim_pass;

struct sim_pass {
    int shader; /* index of the shader, such as SIM_LAMBDA */
    enum sim_dispatch_size dispatch;
    enum sim_repetition repeats;
    uint32_t constant;                    /* push constant `constant` of the shader */
    bool (*when)(const sim_world *world); /* NULL: always */
    const sim_pass *sublist;              /* instead of a shader: another table */
    gpu_pass *(*passes)(sim_world *world,
                        gpu_pass *pass);      /* instead of a shader: another module's passes */
    sim_body_passes *body_passes;             /* instead of a shader: passes of bodies */
    sim_deformable_passes *deformable_passes; /* instead of a shader: passes of deformables */
    const char *stage; /* instead of a shader: name of the stage that the next passes belong to */
    bool end;          /* marks the end of the table */
};

/* Returns whether a tolerance ends the iterations. */
bool sim_adds_surface_tension(const sim_world *world);
bool sim_has_tolerance(const sim_world *world);
bool sim_solves_viscosity(const sim_world *world);

/* Returns the dispatch size of the viscous solve: its particles or, with `one`, the one workgroup
 * that decides whether the solve goes on. */
gpu_dispatch_size sim_viscous_dispatch_size(const sim_world *world, bool one);

/* Shared by the particle solvers: passes up to the neighbour lists, and passes after the solve. */
extern const sim_pass sim_sph_begin_passes[], sim_sph_end_passes[];

extern const sim_pass sim_long_range_passes[];

extern const sim_pass sim_attribute_passes[]; /* at the end of a substep */

extern const sim_pass sim_viscous_passes[]; /* of the particle solvers */
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

/* Append passes of the modules `body` and `deformable`: src/body/body.h,
 * src/deformable/deformable.h. */
gpu_pass *sim_append_body_passes(const sim_world *world, sim_body_passes *append, gpu_pass *pass);
gpu_pass *sim_append_deformable_passes(const sim_world *world, sim_deformable_passes *append,
                                       gpu_pass *pass);

/* Append the passes of a rank of several (src/sim/ranks/sim_ranks.h): after the prediction; after
 * each iteration; after surface tension has moved the predictions; the total of the statistics. */
gpu_pass *sim_migration_passes(sim_world *world, gpu_pass *pass);
gpu_pass *sim_swap_passes(sim_world *world, gpu_pass *pass);
gpu_pass *sim_tension_swap_passes(sim_world *world, gpu_pass *pass);
gpu_pass *sim_rank_statistics_passes(sim_world *world, gpu_pass *pass);
/* Sum the density errors of an iteration over all ranks. */
gpu_pass *sim_rank_density_error_passes(sim_world *world, gpu_pass *pass);
/* Combine the blocks and the cells of the long-range correction of all ranks. */
gpu_pass *sim_rank_block_passes(sim_world *world, gpu_pass *pass);
gpu_pass *sim_rank_cell_passes(sim_world *world, gpu_pass *pass);
/* Sum what gauges and solids have summed over all ranks. */
gpu_pass *sim_rank_reading_passes(sim_world *world, gpu_pass *pass);
/* Creates their pipelines and buffers; nothing with a single rank. */
weir_result sim_require_rank_pipelines(sim_world *world);

/* Binds the simulation's buffers to all bindings of a pass that are not bound yet. */
void sim_bind_buffers(const sim_world *world, gpu_pass *pass);

/* Appends the passes that solve the constraints of deformables, in all iterations. */
gpu_pass *sim_deformable_solve_passes(sim_world *world, gpu_pass *pass);

/* Conditions that several tables use in `when`. */
bool sim_has_emitters(const sim_world *world);
bool sim_has_gauges(const sim_world *world);
bool sim_has_sea(const sim_world *world);
bool sim_has_material_curves(const sim_world *world);
bool sim_has_curved_tension(const sim_world *world);
bool sim_has_force_fields(const sim_world *world);
bool sim_has_attributes(const sim_world *world);
bool sim_has_solids(const sim_world *world); /* or sinks or bodies */
bool sim_has_one_rank(const sim_world *world);
/* Returns whether ranks need the density errors of iterations. */
bool sim_ranks_sum_density_errors(const sim_world *world);
bool sim_has_bodies(const sim_world *world);

/* Returns the dispatch size SIM_ITERATED_PARTICLES. */
gpu_dispatch_size sim_iteration_dispatch_size(const sim_world *world);
bool sim_has_deformables(const sim_world *world);
bool sim_has_deformable_drag(const sim_world *world); /* of deformables on fluid */

#endif
