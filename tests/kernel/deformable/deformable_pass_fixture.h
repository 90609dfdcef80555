/* Cloths and ropes in the middle of a substep, with the bindings of their passes. */
#ifndef WEIR_TESTS_DEFORMABLE_PASS_FIXTURE_H
#define WEIR_TESTS_DEFORMABLE_PASS_FIXTURE_H

#include "ref_deformable.h"
#include "sim_pass_fixture.h"

#define POSITION_TOLERANCE 3e-5f /* d */
#define GAUSS_SEIDEL "solver.deformable_solver=gauss_seidel"
#define JACOBI "solver.deformable_solver=jacobi"

typedef struct deformable_fixture {
    scene_data *scene;
    sim_world *world;
    stage s;
    ref_deformables ref;
    struct deformable_properties *properties;
    struct deformable_state *states;
    struct deformable_constraint *constraints;
    uint32_t *constraint_offsets, *constraint_entries, *owners;
    uint32_t vertices, bond_count;
} deformable_fixture;

/* Returns the buffer that the pass with this name binds. */
gpu_buffer *bound_buffer(const deformable_fixture *y, const char *pass, uint32_t binding);

void *read_all(const deformable_fixture *y, gpu_buffer *buffer);

/* Reads the data that does not change in a substep; the reference uses it, too. */
void read_deformable_fixture(deformable_fixture *y);

void read_displacements(deformable_fixture *y);
vec3 at_metres(const deformable_fixture *y, const ivec4 *p);
void close_deformable_fixture(deformable_fixture *y);

#endif
