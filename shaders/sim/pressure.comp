// PCISPH (Solenthaler and Pajarola 2009): the pressure that drives the predicted density back to rest, with
// the walls' share; it adds up over the iterations and never pulls. Kept as -dt^2 p / rho, m2, of the
// lightest fluid, so that the correction is the paper's equation 12 with it in place of lambda.
// Reads a (gathered), lists, start; writes b (xyz start, w pressure); in iteration 0 also last (the
// prediction without pressure) and the mark of particles that walls can reach in this substep. Sums the
// over-density when residuals are asked for.
#version 460
#include "sim.glsl"
#include "gather.glsl"

layout(constant_id = 1) const bool HAS_SOLIDS = false;
layout(constant_id = 2) const bool PERIODIC = false;
layout(constant_id = 3) const bool RESIDUALS = false;
layout(constant_id = 4) const bool ONE_KERNEL = false;
layout(constant_id = 5) const bool COMPACT = false;

layout(std430, binding = SIM_BIND_STATE) readonly buffer state_block { grid_state state; };
layout(std430, binding = SIM_BIND_STATUS) readonly buffer status_block { sim_status status; };
GATHER_WHOLE_BLOCK(SIM_BIND_A, a);
layout(std430, binding = SIM_BIND_B) buffer b_block { ivec4 b[]; };
layout(std430, binding = SIM_BIND_START) readonly buffer start_block { ivec4 start[]; };
layout(std430, binding = SIM_BIND_LAST) writeonly buffer last_block { ivec4 last[]; };
layout(std430, binding = SIM_BIND_LISTS) readonly buffer lists_block { uvec4 lists[]; };
layout(std430, binding = SIM_BIND_HEADERS) buffer headers_block { uint headers[]; };
layout(std430, binding = SIM_BIND_ITEMS) readonly buffer items_block { solid_item items[]; };
layout(std430, binding = SIM_BIND_NODES) readonly buffer nodes_block { solid_node solid_nodes[]; };
layout(std430, binding = SIM_BIND_VOLUMES) readonly buffer volumes_block { uint solid_volumes[]; };
layout(std430, binding = SIM_BIND_POSES) readonly buffer poses_block { solid_pose poses[]; };
layout(std430, binding = SIM_BIND_ERRORS) buffer errors_block { uint errors[]; };
layout(std430, binding = SIM_BIND_CAPACITY) readonly buffer grid_block { grid_params grid; };
#include "shape.glsl"
#include "wall.glsl"
#include "pairs.glsl"
#include "listed.glsl"
#include "density.glsl"
#include "errors.glsl"

void main()
{
    uint i = row.first + row_index();
    if (i >= state.live || state.flags != 0u) return;
    ivec4 own = GATHERED(a, i);
    uint header = headers[i];
    float density = pair_density_sum(i, own.xyz, header & GRID_COUNT_MASK);
    if (row.inner == 0u) {
        last[i] = own;
        header &= GRID_COUNT_MASK; // the list may be that of an earlier substep
        if (wall_near(own.xyz, params.wall_reach) || wall_near(start[i].xyz, params.h)) {
            header |= SIM_NEAR_WALL | SIM_NEAR_SOLID;
        }
        headers[i] = header;
    }
    if ((header & SIM_NEAR_WALL) != 0u) density += wall_density(own.xyz).density;
    if (RESIDUALS) {
        errors_add(row.inner, density - 1.0);
        errors_raise(row.inner, density - 1.0);
    }
    float before = row.inner == 0u ? 0.0 : intBitsToFloat(b[i].w);
    float added = params.pressure_step * (density - 1.0) / intBitsToFloat(own.w);
    b[i] = ivec4(start[i].xyz, floatBitsToInt(min(before - added, 0.0)));
}
