/* How many iterations of a solve to record. The device ends a solve when it has converged, but each
 * later pass that is recorded costs it a dispatch without workgroups, and the host the recording.
 * The host therefore records what recent frames have needed, with a margin. If that is too little,
 * the pass that ends the solve raises a flag, and the frame is replayed with the maximum: the bits
 * do not depend on what was expected. */
#include "sim_frame.h"
#include "sim_ranks.h"
#include "sim_solvers.h"

/* Returns the solve that a pass ends, or reports as too short; SIM_SOLVES: none. */
static sim_solve find_ended_solve(const sim_world *world, const gpu_pass *pass)
{
    static const int shaders[SIM_SOLVES] = {[SIM_SOLVE_DENSITY] = SIM_CHECK_CONVERGENCE,
                                            [SIM_SOLVE_VISCOSITY] = SIM_VISCOUS_CG_SCALARS,
                                            [SIM_SOLVE_PRESSURE] = SIM_FLIP_RECORD_CONVERGENCE};
    uint32_t solve = 0;
    while (solve < SIM_SOLVES &&
           (!pass->pipeline || pass->pipeline != world->pipelines[shaders[solve]]))
        solve++;
    return (sim_solve)solve;
}

/* Returns the first pass of the group that contains the pass or, if it has none, precedes it. */
static gpu_pass *find_group(const sim_world *world, gpu_pass *pass)
{
    if (!pass->group) pass--;
    while (pass > world->passes && pass[-1].group == pass->group)
        pass--;
    return pass;
}

void sim_limit_solves(sim_world *world, const uint32_t limits[SIM_SOLVES])
{
    for (uint32_t i = 0; i < world->pass_count; i++) {
        gpu_pass *pass = &world->passes[i];
        sim_solve solve = find_ended_solve(world, pass);
        if (solve == SIM_SOLVES) continue;
        gpu_pass *first = find_group(world, pass);
        first->recorded = limits[solve];
        if (pass->group)
            pass->constant = gpu_pass_repetitions(first) - 1;
        else
            pass->constant = limits[solve] ? first->repeat : 0;
    }
}

void sim_unlimit_solves(sim_world *world)
{
    static const uint32_t unlimited[SIM_SOLVES];
    sim_limit_solves(world, unlimited);
}

/* The margin for frames that fill a snapshot is twice as wide, because a replayed frame leaves its
 * snapshot incomplete. */
static uint32_t margin(const sim_frame *frame, uint32_t expected)
{
    return (1 + expected / 8) * (frame->snapshot ? 2 : 1);
}

/* On ranks the host takes part in every iteration, and ends the recording itself. */
void sim_expect_solves(const sim_world *world, sim_frame *frame)
{
    bool known = world->frames_done > 0 && !world->ranks;
    for (uint32_t k = 0; k < SIM_SOLVES; k++) {
        uint32_t expected = world->expected_repetitions[k];
        frame->solve_limits[k] = known ? expected + margin(frame, expected) : 0;
    }
}

void sim_learn_solves(sim_world *world, const struct sim_status *status)
{
    const uint32_t needed[SIM_SOLVES] = {[SIM_SOLVE_DENSITY] = status->frame_solve_repetitions,
                                         [SIM_SOLVE_VISCOSITY] =
                                             status->frame_max_viscous_iterations + 1,
                                         [SIM_SOLVE_PRESSURE] = status->frame_solve_repetitions};
    for (uint32_t k = 0; k < SIM_SOLVES; k++) {
        uint32_t *expected = &world->expected_repetitions[k];
        /* rises at once, falls by a quarter */
        bool falls = world->frames_done > 0 && *expected > needed[k];
        *expected = falls ? *expected - (*expected - needed[k] + 3) / 4 : needed[k];
    }
}
