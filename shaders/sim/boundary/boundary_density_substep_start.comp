// Computes the density that walls and solids add at the substep's start; one invocation per particle, only in
// scenes with solids. PCISPH uses the result in all iterations, WCSPH once: the pressure forces of both use
// the gradients at the start. Also marks the particles that walls can reach from the start or from the
// predicted position.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_OWN(sorted_positions);
READ_OWN(iterated_positions);
UPDATE_OWN(neighbour_headers);
WRITE_OWN(boundary_sums);
READ_SOLIDS();
WORK_ESTIMATE(20, 0, 0);
#include "boundary/boundary.glsl"

void main()
{
    NEAR_PARTICLE_OR_RETURN(i);
    ivec3 p = sorted_positions[i].xyz;
    uint header = neighbour_headers[i] & GRID_COUNT_MASK;
    bool here = boundary_near(p, params.h);
    if (here || boundary_near(iterated_positions[i].xyz, params.boundary_reach)) {
        boundary_sum walls = boundary_none();
        if (here) walls = boundary_density(p, boundary_solid_count());
        boundary_sums[i] = vec4(walls.gradient, walls.density);
        header |= SIM_NEAR_BOUNDARY | SIM_NEAR_SOLID | SIM_SOLID_ACTIVE;
    }
    neighbour_headers[i] = header;
}
