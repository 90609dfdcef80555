// Transfers velocity from the grid to the particles (G2P) and advects them; one invocation per particle. The
// velocity is the grid's (PIC), the particle's own plus the grid's change (FLIP; Zhu and Bridson 2005,
// section 5.1), a blend of both, or with APIC the grid's together with its gradient (Jiang and others 2015,
// equation 10). Advection uses Ralston's second-order Runge-Kutta method. The drift correction changes the
// position only.
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
WRITE_OWN(positions);
WRITE_OWN(densities);
WRITE_OWN(velocity_gradients);
#include "poisson/blocks.glsl"
#include "mac/cells.glsl"
#include "mac/grid.glsl"
#include "particles/external_forces.glsl"

// Velocity (m/s), its change (m/s) and the gradient for the drift correction (m) on one face; known is 1, or
// 0 if the face has no value.
struct mac_face {
    float velocity, change, slope;
    float known;
};

// Values that are the same for all faces; read once.
ivec3 last_cell, far_side; // far_side: index of the face where an axis ends at a side of the domain
uvec2 block_stride; // stride of a block along y and z

void read_grid_params()
{
    uvec3 table = multigrid.tables[0].xyz;
    last_cell = ivec3(multigrid.cells[0].xyz) - 1;
    far_side = mix(ivec3(0x7fffffff), last_cell + 1, equal(params.period.xyz, vec3(0.0)));
    block_stride = uvec2(table.x, table.x * table.y);
}

// The cells around a position lie in at most two blocks along each axis. These are the slots of the eight
// blocks, x fastest: first those of the lower blocks along z, then those of the upper ones.
uvec3 low_block;
uvec4 low_slots, high_slots;

uvec3 clamp_or_wrap_cell(ivec3 at)
{
    return uvec3(PERIODIC ? cell_inside_domain(at) : clamp(at, ivec3(0), last_cell));
}

uvec4 load_block_slots(uvec2 x, uvec2 y, uint z)
{
    uvec4 entries = x.xyxy + block_stride.x * y.xxyy + block_stride.y * z;
    return uvec4(block_slots[entries.x], block_slots[entries.y],
                 block_slots[entries.z], block_slots[entries.w]);
}

void find_neighbour_blocks(ivec3 cell)
{
    low_block = clamp_or_wrap_cell(cell - 1) / POISSON_BLOCK_EDGE;
    uvec3 high = clamp_or_wrap_cell(cell + 1) / POISSON_BLOCK_EDGE;
    uvec2 x = uvec2(low_block.x, high.x), y = uvec2(low_block.y, high.y);
    low_slots = load_block_slots(x, y, low_block.z);
    high_slots = load_block_slots(x, y, high.z);
}

// Returns the index of a cell that is adjacent to the cell given to find_neighbour_blocks, or that cell
// itself.
uint neighbour_cell_index(ivec3 at)
{
    uvec3 held = clamp_or_wrap_cell(at);
    bvec3 high = notEqual(held / POISSON_BLOCK_EDGE, low_block);
    uvec4 four = mix(low_slots, high_slots, bvec4(high.z));
    uvec2 two = mix(four.xy, four.zw, bvec2(high.y));
    uint slot = high.x ? two.y : two.x;
    return slot == POISSON_NONE
               ? slot
               : slot * POISSON_BLOCK_CELLS + poisson_cell_index(held % POISSON_BLOCK_EDGE);
}

// Reads one face. Faces on the far sides of the domain are not stored: their velocity is 0, and like those on
// the near sides they are known only next to fluid, so that a lone drop there flies on, or falls from the
// ceiling.
mac_face load_face(ivec3 at, uint axis)
{
    mac_face found = mac_face(0.0, 0.0, 0.0, 0.0);
    if (at[axis] >= far_side[axis]) {
        at[axis] = last_cell[axis];
        uint cell = neighbour_cell_index(at);
        bool fluid = cell != POISSON_NONE && uintBitsToFloat(cells[cell].w) < 0.0;
        found.known = fluid ? 1.0 : 0.0;
    } else {
        uint cell = neighbour_cell_index(at);
        vec4 face = vec4(SIM_MAC_UNKNOWN_VELOCITY);
        if (cell != POISSON_NONE) face = FLOAT_TEXEL(packed_faces, 3u * cell + axis);
        if (face.x != SIM_MAC_UNKNOWN_VELOCITY) found = mac_face(face.x, face.y, face.z, 1.0);
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
    mac_face sum = mac_face(0.0, 0.0, 0.0, 0.0);
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
};

grid_transfer transfer_velocity(uint i, mac_position place, vec3 p)
{
    vec3 force = status.dt * acceleration_at(p);
    grid_transfer step = grid_transfer(vec3(0.0), vec3(0.0), force, force, false);
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
            velocity = mix(own + found.mean.change, found.mean.velocity, share);
        }
        if (axis >= axes) velocity = 0.0;
        step.lost = step.lost || fixed_is_non_finite(vec3(velocity));
        sorted_velocities[i][axis] = velocity;
    }
    uint own_cell = SEPARATING_WALLS ? neighbour_cell_index(place.cell) : POISSON_NONE;
    sorted_velocities[i].w = own_cell != POISSON_NONE ? FLOAT_TEXEL(packed_faces, 3u * own_cell).w : 0.0;
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
    if (params.planar != 0u) displacement.z = 0.0;
    bool lost = step.lost || fixed_is_non_finite(displacement);
    positions[i].xyz = lost ? ivec3(SIM_INVALID_POSITION) : start.xyz + fixed_from_offset(displacement);
}
