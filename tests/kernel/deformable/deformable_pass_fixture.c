#include "deformable_pass_fixture.h"

gpu_buffer *bound_buffer(const deformable_fixture *y, const char *pass, uint32_t binding)
{
    return pass_buffer(&y->world->passes[step_pass(y->world, pass)], binding);
}

void *read_all(const deformable_fixture *y, gpu_buffer *buffer)
{
    return download(y->world, buffer, gpu_buffer_count(buffer),
                    (size_t)(gpu_buffer_size(buffer) / gpu_buffer_count(buffer)));
}

void read_deformable_fixture(deformable_fixture *y)
{
    bool jacobi = y->scene->solver.deformable_solver == SCENE_DEFORMABLE_JACOBI;
    gpu_buffer *constraints = bound_buffer(y, jacobi ? "solve_jacobi" : "solve_gauss_seidel",
                                           DEFORMABLE_BIND_constraints);
    y->bond_count = (uint32_t)gpu_buffer_count(constraints);
    y->constraints = read_all(y, constraints);
    y->properties =
        read_all(y, bound_buffer(y, "solve_boundary_contacts", DEFORMABLE_BIND_deformables));
    y->owners =
        read_all(y, bound_buffer(y, "solve_boundary_contacts", DEFORMABLE_BIND_vertex_owners));
    y->states = read_all(y, deformable_set_buffers(y->world->deformables)->deformable_states);
    if (jacobi)
        y->constraint_offsets =
            read_all(y, bound_buffer(y, "apply_jacobi", DEFORMABLE_BIND_constraint_offsets));
    if (jacobi)
        y->constraint_entries =
            read_all(y, bound_buffer(y, "apply_jacobi", DEFORMABLE_BIND_constraint_entries));
    y->ref = (ref_deformables){.properties = y->properties,
                               .states = y->states,
                               .constraints = y->constraints,
                               .constraint_offsets = y->constraint_offsets,
                               .constraint_entries = y->constraint_entries};
}

void read_displacements(deformable_fixture *y)
{
    y->ref.displacements =
        read_all(y, bound_buffer(y, "finalize_vertices", DEFORMABLE_BIND_deformable_displacements));
    y->ref.multipliers =
        read_all(y, bound_buffer(y, "reset_multipliers", DEFORMABLE_BIND_constraint_multipliers));
}

void close_deformable_fixture(deformable_fixture *y)
{
    void *arrays[] = {y->properties,         y->states, y->constraints,       y->constraint_offsets,
                      y->constraint_entries, y->owners, y->ref.displacements, y->ref.multipliers};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
    free_lists(&y->s.lists);
    sim_destroy(&y->world);
    scene_destroy(&y->scene);
}

vec3 at_metres(const deformable_fixture *y, const ivec4 *p)
{
    return xyz(ref_metres(&y->s.params, *p));
}
