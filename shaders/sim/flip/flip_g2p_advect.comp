// Transfers velocity from the grid to the particles (G2P) and advects them; one invocation per particle. The
// velocity is the grid's (PIC), the particle's own plus the grid's change (FLIP; Zhu and Bridson 2005,
// section 5.1), a blend of both, or with APIC the grid's together with its gradient (Jiang and others 2015,
// equation 10). Advection uses Ralston's second-order Runge-Kutta method. The drift correction changes the
// position only, and so does the slip of a particle that other fluids surround.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_OWN(sorted_positions);
UPDATE_OWN(sorted_velocities);
READ_OWN(neighbour_headers);
BLOCK(multigrid);
READ_ANY(blocks);
READ_ANY(block_slots);
READ_ANY(cells);
READ_FLOAT_TEXELS(packed_faces);
READ_ANY(fill_fractions);
READ_ANY(viscous_cells);
WRITE_OWN(positions);
WRITE_OWN(densities);
WRITE_OWN(velocity_gradients);
#include "poisson/blocks.glsl"
#include "mac/cells.glsl"
#include "mac/grid.glsl"
#include "mac/neighbour_blocks.glsl"
#include "mac/slip.glsl"
#include "particles/external_forces.glsl"

// Velocity (m/s), its change (m/s) and the gradient for the drift correction (m) on one face; known is 1, or
// 0 if the face has no value. With VARIABLE_DENSITY also its density over the first fluid's.
struct mac_face {
    float velocity, change, slope;
    float known;
    float density;
};

// Reads one face. Faces on the far sides of the domain are not stored: their velocity is 0, and like those on
// the near sides they are known only next to fluid, so that a lone drop there flies on, or falls from the
// ceiling.
mac_face load_face(ivec3 at, uint axis)
{
    mac_face found = mac_face(0.0, 0.0, 0.0, 0.0, 0.0);
    if (at[axis] >= far_side[axis]) {
        at[axis] = last_cell[axis];
        uint cell = neighbour_cell_index(at);
        bool fluid = cell != POISSON_NONE && uintBitsToFloat(cells[cell].w) < 0.0;
        found.known = fluid ? 1.0 : 0.0;
        if (VARIABLE_DENSITY && fluid) found.density = abs(FLOAT_TEXEL(packed_faces, 3u * cell + axis).w);
    } else {
        uint cell = neighbour_cell_index(at);
        vec4 face = vec4(SIM_MAC_UNKNOWN_VELOCITY);
        if (cell != POISSON_NONE) face = FLOAT_TEXEL(packed_faces, 3u * cell + axis);
        if (face.x != SIM_MAC_UNKNOWN_VELOCITY) found = mac_face(face.x, face.y, face.z, 1.0, abs(face.w));
    }
    return found;
}

// One velocity component at a position: the mean of the known faces around it. Unknown faces count as if they
// had the mean, for the gradient, too.
struct mac_component {
    mac_face mean;
    vec3 gradient; // 1/s
};

mac_component interpolate_component(mac_position place, uint axis)
{
    mac_position low = mac_lower_node(place, axis);
    mac_face sum = mac_face(0.0, 0.0, 0.0, 0.0, 0.0);
    vec3 slopes_known = vec3(0.0), gradient = vec3(0.0);
    uint corners = params.planar != 0u ? 4u : 8u;
    for (uint k = 0u; k < corners; k++) {
        mac_face face = load_face(low.cell + ivec3(mac_corner_offset(k)), axis);
        vec3 fraction = params.planar != 0u ? vec3(low.fraction.xy, 0.0) : low.fraction;
        float weight = mac_trilinear_weight(fraction, k) * face.known;
        sum.velocity += weight * face.velocity;
        sum.change += weight * face.change;
        sum.slope += weight * face.slope;
        sum.known += weight;
        if (VARIABLE_DENSITY) sum.density += weight * face.density;
        if (APIC) {
            vec3 slope = mac_weight_gradient(fraction, k) * face.known;
            gradient += slope * face.velocity;
            slopes_known += slope;
        }
    }
    if (sum.known > 0.0) {
        sum.velocity /= sum.known;
        sum.change /= sum.known;
        sum.slope /= sum.known;
        if (VARIABLE_DENSITY) sum.density /= sum.known;
    }
    return mac_component(sum, (gradient - slopes_known * sum.velocity) / params.cell_size.xyz);
}

// Returns the velocity at a position, m/s; `other` along axes on which no face is known.
vec3 velocity_at(mac_position place, vec3 other)
{
    uint axes = params.planar != 0u ? 2u : 3u;
    find_neighbour_blocks(place.cell);
    for (uint axis = 0u; axis < axes; axis++) {
        mac_face mean = interpolate_component(place, axis).mean;
        if (mean.known > 0.0) other[axis] = mean.velocity;
    }
    return other;
}

// Returns the mean fill fraction of the open cells around a position.
float fill_fraction_at(mac_position place)
{
    mac_position low = mac_lower_node(place, 3u);
    find_neighbour_blocks(place.cell);
    vec2 sum = vec2(0.0);
    for (uint k = 0u; k < 8u; k++) {
        uint cell = neighbour_cell_index(low.cell + ivec3(mac_corner_offset(k)));
        if (cell == POISSON_NONE || uintBitsToFloat(cells[cell].w) >= POISSON_CLOSED) continue;
        sum += mac_trilinear_weight(low.fraction, k) * vec2(fill_fractions[cell], 1.0);
    }
    return sum.y > 0.0 ? sum.x / sum.y : 0.0;
}

// Result of the grid-to-particle transfer of one particle.
struct grid_transfer {
    vec3 grid, drift;   // m/s; m
    vec3 change, force; // m/s: change of the grid velocity, and the part of it that is due to forces alone
    bool lost;          // the particle's velocity, which is already in its buffer, is not finite
    vec2 density;       // with VARIABLE_DENSITY: x sum over the axes, y their number; over the first fluid's
};

grid_transfer transfer_velocity(uint i, mac_position place, vec3 p)
{
    vec3 force = status.dt * acceleration_at(p);
    grid_transfer step = grid_transfer(vec3(0.0), vec3(0.0), force, force, false, vec2(0.0));
    uint axes = params.planar != 0u ? 2u : 3u;
    find_neighbour_blocks(place.cell);
    float share = APIC ? 1.0 : 1.0 - pow(1.0 - params.pic_fraction, status.dt / params.reference_dt);
    if (RESEED && (neighbour_headers[i] & SIM_RESEEDED) != 0u) share = 1.0;
    for (uint axis = 0u; axis < 3u; axis++) {
        mac_component found = interpolate_component(place, axis);
        bool known = axis < axes && found.mean.known > 0.0;
        if (APIC)
            velocity_gradients[3u * (i - pass.first) + axis] = known ? vec4(found.gradient, 0.0) : vec4(0.0);
        float own = sorted_velocities[i][axis], velocity = own + force[axis];
        step.grid[axis] = known ? found.mean.velocity : velocity;
        if (known) {
            step.change[axis] = found.mean.change;
            step.drift[axis] = found.mean.slope;
            if (VARIABLE_DENSITY) step.density += vec2(found.mean.density, 1.0);
            velocity = mix(own + found.mean.change, found.mean.velocity, share);
        }
        if (axis >= axes) velocity = 0.0;
        step.lost = step.lost || fixed_is_non_finite(vec3(velocity));
        sorted_velocities[i][axis] = velocity;
    }
    uint own_cell = SEPARATING_WALLS ? neighbour_cell_index(place.cell) : POISSON_NONE;
    float mark = own_cell != POISSON_NONE ? FLOAT_TEXEL(packed_faces, 3u * own_cell).w : 0.0;
    sorted_velocities[i].w = VARIABLE_DENSITY ? (mark < 0.0 ? 1.0 : 0.0) : mark;
    return step;
}

// Returns half of the velocity change of a falling particle: the error that advection makes by using the
// velocity at the substep's end. 0 from where the pressure contributes a tenth of the change: waves would
// grow if particles in them moved with the mean velocity.
vec3 ballistic_correction(grid_transfer step)
{
    float pressed = length(step.change - step.force) / max(length(step.force), 1e-20);
    return 0.5 * clamp(1.0 - 10.0 * pressed, 0.0, 1.0) * step.force;
}

// Returns the displacement of the substep, m: Ralston's method plus the drift correction.
vec3 advection_displacement(mac_position place, grid_transfer step)
{
    vec3 cells = status.dt / params.cell_size.xyz, late = ballistic_correction(step);
    float far = length(step.drift), most = SIM_DRIFT_MAX_CELLS * params.h;
    if (far > most) step.drift *= most / far;
    vec3 second = velocity_at(mac_advance(place, 2.0 / 3.0 * cells * step.grid), step.grid);
    return status.dt * (0.25 * step.grid + 0.75 * second - late) + step.drift;
}

// Returns the displacement of the substep by the slip, m; at most as long as one by the drift.
vec3 slip_displacement(uint fluid, mac_position place, grid_transfer step)
{
    find_neighbour_blocks(place.cell);
    uint cell = neighbour_cell_index(place.cell);
    if (cell == POISSON_NONE || step.density.y == 0.0) return vec3(0.0);
    float first = params.fluids[0].density, mixture = first * step.density.x / step.density.y, nu = 0.0;
    if (HAS_VISCOSITY)
        nu = uintBitsToFloat(viscous_cells[cell] & ~SIM_VISCOUS_FLAGS_MASK) * first / mixture;
    vec3 pressure = (step.change - step.force) / status.dt;
    vec3 slip = status.dt * drop_slip(params.fluids[fluid].density, mixture, pressure, nu);
    float far = length(slip), most = SIM_DRIFT_MAX_CELLS * params.h;
    return far > most ? slip * (most / far) : slip;
}

// Writes each result as early as possible, so that it takes no registers while the faces are read a second
// time.

void main()
{
    PARTICLE_OR_RETURN(i);
    read_grid_params();
    ivec4 start = sorted_positions[i];
    mac_position place = mac_locate(start.xyz);
    if (status.substep + 1u >= status.substeps) // the densities are not read before the frame ends
        densities[i] = fill_fraction_at(place) * params.fluids[start.w].density;
    positions[i].w = start.w;
    grid_transfer step = transfer_velocity(i, place, fixed_to_metres(start.xyz));
    vec3 displacement = advection_displacement(place, step);
    if (VARIABLE_DENSITY) displacement += slip_displacement(uint(start.w), place, step);
    if (params.planar != 0u) displacement.z = 0.0;
    bool lost = step.lost || fixed_is_non_finite(displacement);
    positions[i].xyz = lost ? ivec3(SIM_INVALID_POSITION) : start.xyz + fixed_from_offset(displacement);
}
