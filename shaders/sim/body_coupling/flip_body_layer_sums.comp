// Sums the mass and the stopped flow of the layer of fluid at each body: of the faces that the body closes,
// with their arms about its centre (shaders/shared/sim.h). One workgroup per block; within a block the sum is
// a tree, and sums of blocks are added as integers, whose order does not matter.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(cells);
READ_ANY(face_velocities);
READ_ANY(face_velocity_changes);
READ_ANY(face_masses);
READ_ANY(rigid_coupling);
READ_ANY(body_iterated_states);
ATOMIC(body_layer_sums);
#include "poisson/level.glsl"
#include "poisson/next_rigid.glsl"
#include "mac/body_layer.glsl"
#include "mac/position.glsl"
#include "particles/external_forces.glsl"
#include "reduce/fixed_sum.glsl"

struct face_sums {
    vec3 mass, square, stopped; // as in body_layer_axis
};

// Adds the lower face of a cell across an axis, which `body` closes.
void add_face(inout face_sums sums, uint i, uint axis, uint body)
{
    uvec3 at = blocks[i / POISSON_BLOCK_CELLS].at.xyz * POISSON_BLOCK_EDGE +
               poisson_cell_coordinates(i % POISSON_BLOCK_CELLS);
    vec3 p = mac_face_centre(ivec3(at), axis), arm = body_layer_arm(body, p, axis);
    float forces = status.dt * acceleration_at(p)[axis], mass = face_masses[i][axis];
    float stop = face_velocity_changes[i][axis] - mac_open_change_around(i, axis, forces);
    sums.mass += mass * vec3(1.0, arm.yz);
    sums.square += mass * vec3(arm.y * arm.y, arm.z * arm.z, arm.y * arm.z);
    sums.stopped += mass * stop * status.dt / body_layer_edge() * vec3(1.0, arm.yz);
}

void add_sums(uint at, vec3 sum)
{
    vec3 all = workgroup_sum_and_max(vec4(sum, 0.0)).xyz;
    barrier(); // before others write to the lanes
    if (gl_LocalInvocationIndex != 0u) return;
    for (uint k = 0u; k < 3u; k++)
        INTEGER_ATOMIC_ADD(body_layer_sums, at + 2u * k, all[k] / SIM_BODY_LAYER_UNIT)
}

void sum_axis(uint block, uint axis)
{
    uint first = gl_LocalInvocationIndex, second = first + POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS;
    float of_first = float(mac_layer_body(block, first, axis));
    float of_second = float(mac_layer_body(block, second, axis));
    float rigid = next_rigid_in_block(of_first, of_second, 1e9);
    while (rigid > 0.0) {
        face_sums sums = face_sums(vec3(0.0), vec3(0.0), vec3(0.0));
        uint body = uint(rigid) - 1u, at = body * SIM_BODY_LAYER_WORDS + 18u * axis;
        if (of_first == rigid) add_face(sums, i + first, axis, body);
        if (of_second == rigid) add_face(sums, i + second, axis, body);
        add_sums(at, sums.mass);
        add_sums(at + 6u, sums.square);
        add_sums(at + 12u, sums.stopped);
        rigid = next_rigid_in_block(of_first, of_second, rigid);
    }
}

void main()
{
    uint block = workgroup_block(0u), axes = params.planar != 0u ? 2u : 3u;
    if (block == POISSON_NONE) return; // uniform across the workgroup
    for (uint axis = 0u; axis < axes; axis++) sum_axis(block, axis);
}
