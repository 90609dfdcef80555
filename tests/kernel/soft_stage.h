/* Cloths and ropes in the midst of a substep, and what their kernels bind. */
#ifndef WEIR_TESTS_SOFT_STAGE_H
#define WEIR_TESTS_SOFT_STAGE_H

#include "ref_soft.h"
#include "stage.h"

#define PLACE 3e-5f /* d */

#define GAUSS_SEIDEL "solver.constraints=gauss_seidel"
#define JACOBI "solver.constraints=jacobi"

typedef struct yarn {
    scene_data *scene;
    sim_world *world;
    stage s;
    ref_softs ref;
    struct soft_make *makes;
    struct soft_state *states;
    struct soft_bond *bonds;
    uint32_t *firsts, *entries, *owners;
    uint32_t vertices, bond_count;
} yarn;

/* What the row of that name binds. */
static inline gpu_buffer *bound(const yarn *y, const char *row, uint32_t binding)
{
    return row_buffer(&y->world->rows[step_row(y->world, row)], binding);
}

static inline void *read_all(const yarn *y, gpu_buffer *buffer)
{
    return download(y->world, buffer, gpu_buffer_count(buffer),
                    (size_t)(gpu_buffer_size(buffer) / gpu_buffer_count(buffer)));
}

/* What stands still in a substep; the reference has it too. */
static inline void read_yarn(yarn *y)
{
    bool jacobi = y->scene->solver.constraints == SCENE_JACOBI;
    gpu_buffer *bonds = bound(y, jacobi ? "soft_weigh" : "pull", SOFT_BIND_soft_bonds);
    y->bond_count = (uint32_t)gpu_buffer_count(bonds);
    y->bonds = read_all(y, bonds);
    y->makes = read_all(y, bound(y, "collide", SOFT_BIND_softs));
    y->owners = read_all(y, bound(y, "collide", SOFT_BIND_soft_owners));
    y->states = read_all(y, soft_set_states(y->world->softs));
    if (jacobi) y->firsts = read_all(y, bound(y, "gather", SOFT_BIND_soft_firsts));
    if (jacobi) y->entries = read_all(y, bound(y, "gather", SOFT_BIND_soft_entries));
    y->ref = (ref_softs){.makes = y->makes,
                         .states = y->states,
                         .bonds = y->bonds,
                         .firsts = y->firsts,
                         .entries = y->entries};
}

static inline void read_moves(yarn *y)
{
    y->ref.moves = read_all(y, bound(y, "soft_settle", SOFT_BIND_soft_moves));
    y->ref.lambdas = read_all(y, bound(y, "relax", SOFT_BIND_soft_lambdas));
}

static inline void wind(yarn *y)
{
    void *arrays[] = {y->makes,   y->states, y->bonds,     y->firsts,
                      y->entries, y->owners, y->ref.moves, y->ref.lambdas};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
    free_lists(&y->s.lists);
    sim_destroy(&y->world);
    scene_destroy(&y->scene);
}

#endif
