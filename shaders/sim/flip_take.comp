// From the grid to the particles, and their way through the substep. The velocity is the grid's (PIC), what
// the grid has changed added to the particle's own (FLIP; Zhu and Bridson 2005, section 5.1) or a blend, and
// with AFFINE the grid's with its gradient (APIC; Jiang and others 2015, equation 10). The path is that of
// Ralston's Runge-Kutta method of second order. The drift of the density moves the particle only.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_OWN(starts);
UPDATE_OWN(sorted_velocities);
READ_OWN(headers);
BLOCK(multigrid);
READ_ANY(blocks);
READ_ANY(slots);
READ_ANY(cells);
READ_FLOAT_TEXELS(packed_faces);
READ_ANY(fullness);
WRITE_OWN(positions);
WRITE_OWN(densities);
WRITE_OWN(affine);
#include "poisson/blocks.glsl"
#include "mac/cells.glsl"
#include "mac/grid.glsl"
#include "particles/external_forces.glsl"

// A face that is known, or with y 0 one that is not.
struct mac_face {
    float velocity, change, slope;
    float known;
};

// Read once, for all faces.
ivec3 last_cell, far_side; // far_side: the face where an axis ends at a side of the domain
uvec2 slot_step; // of a block along y and z

void find_grid()
{
    uvec3 table = multigrid.tables[0].xyz;
    last_cell = ivec3(multigrid.cells[0].xyz) - 1;
    far_side = mix(ivec3(0x7fffffff), last_cell + 1, equal(params.period.xyz, vec3(0.0)));
    slot_step = uvec2(table.x, table.x * table.y);
}

// The cells about a place are those of two blocks at most along each axis: their slots, x fastest, those of
// the lower blocks along z and those of the upper ones.
uvec3 low_block;
uvec4 low_slots, high_slots;

uvec3 cell_inside(ivec3 at) { return uvec3(PERIODIC ? cells_inside(at) : clamp(at, ivec3(0), last_cell)); }

uvec4 slots_of(uvec2 x, uvec2 y, uint z)
{
    uvec4 entries = x.xyxy + slot_step.x * y.xxyy + slot_step.y * z;
    return uvec4(slots[entries.x], slots[entries.y], slots[entries.z], slots[entries.w]);
}

void find_blocks(ivec3 cell)
{
    low_block = cell_inside(cell - 1) / POISSON_EDGE;
    uvec3 high = cell_inside(cell + 1) / POISSON_EDGE;
    uvec2 x = uvec2(low_block.x, high.x), y = uvec2(low_block.y, high.y);
    low_slots = slots_of(x, y, low_block.z);
    high_slots = slots_of(x, y, high.z);
}

// A cell next to that of find_blocks, or itself.
uint cell_at(ivec3 at)
{
    uvec3 held = cell_inside(at);
    bvec3 high = notEqual(held / POISSON_EDGE, low_block);
    uvec4 four = mix(low_slots, high_slots, bvec4(high.z));
    uvec2 two = mix(four.xy, four.zw, bvec2(high.y));
    uint slot = high.x ? two.y : two.x;
    return slot == POISSON_NONE ? slot : slot * POISSON_CELLS + poisson_flat(held % POISSON_EDGE);
}

// The faces of the far sides are held nowhere. They stand still and, as those of the near sides, are known
// beside fluid only: a lone drop there flies on, or falls from the ceiling.
mac_face face_of(ivec3 at, uint axis)
{
    mac_face found = mac_face(0.0, 0.0, 0.0, 0.0);
    if (at[axis] >= far_side[axis]) {
        at[axis] = last_cell[axis];
        uint cell = cell_at(at);
        bool fluid = cell != POISSON_NONE && uintBitsToFloat(cells[cell].w) < 0.0;
        found.known = fluid ? 1.0 : 0.0;
    } else {
        uint cell = cell_at(at);
        vec4 face = vec4(SIM_MAC_UNKNOWN);
        if (cell != POISSON_NONE) face = FLOAT_TEXEL(packed_faces, 3u * cell + axis);
        if (face.x != SIM_MAC_UNKNOWN) found = mac_face(face.x, face.y, face.z, 1.0);
    }
    return found;
}

// One component at a place: the mean of the known faces about it. Those that are not known count as if they
// had the mean, for the gradient too.
struct mac_component {
    mac_face mean;
    vec3 gradient; // 1/s
};

mac_component component(mac_place place, uint axis)
{
    mac_place low = mac_nodes(place, axis);
    mac_face sum = mac_face(0.0, 0.0, 0.0, 0.0);
    vec3 slopes_known = vec3(0.0), gradient = vec3(0.0);
    uint corners = params.planar != 0u ? 4u : 8u;
    for (uint k = 0u; k < corners; k++) {
        mac_face face = face_of(low.cell + ivec3(mac_upper(k)), axis);
        vec3 part = params.planar != 0u ? vec3(low.part.xy, 0.0) : low.part;
        float weight = mac_weight(part, k) * face.known;
        sum.velocity += weight * face.velocity;
        sum.change += weight * face.change;
        sum.slope += weight * face.slope;
        sum.known += weight;
        if (AFFINE) {
            vec3 slope = mac_slope(part, k) * face.known;
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

// The velocity at a place, m/s; `other` along axes on which no face is known.
vec3 velocity_at(mac_place place, vec3 other)
{
    uint axes = params.planar != 0u ? 2u : 3u;
    find_blocks(place.cell);
    for (uint axis = 0u; axis < axes; axis++) {
        mac_face mean = component(place, axis).mean;
        if (mean.known > 0.0) other[axis] = mean.velocity;
    }
    return other;
}

// The fullness of the open cells about a place.
float fullness_at(mac_place place)
{
    mac_place low = mac_nodes(place, 3u);
    find_blocks(place.cell);
    vec2 sum = vec2(0.0);
    for (uint k = 0u; k < 8u; k++) {
        uint cell = cell_at(low.cell + ivec3(mac_upper(k)));
        if (cell == POISSON_NONE || uintBitsToFloat(cells[cell].w) >= POISSON_CLOSED) continue;
        sum += mac_weight(low.part, k) * vec2(fullness[cell], 1.0);
    }
    return sum.y > 0.0 ? sum.x / sum.y : 0.0;
}

// What the substep makes of a particle.
struct mac_step {
    vec3 grid, drift;   // m/s, m
    vec3 change, force; // m/s: of the grid, and by forces alone
    bool lost;          // its velocity, which is in its buffer already
};

mac_step take_grid(uint i, mac_place place, vec3 p)
{
    vec3 force = status.dt * predict_acceleration(p);
    mac_step step = mac_step(vec3(0.0), vec3(0.0), force, force, false);
    uint axes = params.planar != 0u ? 2u : 3u;
    find_blocks(place.cell);
    float share = AFFINE ? 1.0 : 1.0 - pow(1.0 - params.pic_share, status.dt / params.reference_dt);
    if (RESEEDS && (headers[i] & SIM_RESEEDED) != 0u) share = 1.0;
    for (uint axis = 0u; axis < 3u; axis++) {
        mac_component found = component(place, axis);
        bool known = axis < axes && found.mean.known > 0.0;
        if (AFFINE) affine[3u * (i - row.first) + axis] = known ? vec4(found.gradient, 0.0) : vec4(0.0);
        float own = sorted_velocities[i][axis], velocity = own + force[axis];
        step.grid[axis] = known ? found.mean.velocity : velocity;
        if (known) {
            step.change[axis] = found.mean.change;
            step.drift[axis] = found.mean.slope;
            velocity = mix(own + found.mean.change, found.mean.velocity, share);
        }
        if (axis >= axes) velocity = 0.0;
        step.lost = step.lost || fixed_is_lost(vec3(velocity));
        sorted_velocities[i][axis] = velocity;
    }
    sorted_velocities[i].w = 0.0;
    return step;
}

// What the way of a falling particle has too much by the velocity at the substep's end: half of the change.
// None where the pressure makes a tenth of it: waves would grow, were their way that of the mean velocity.
vec3 late_half(mac_step step)
{
    float pressed = length(step.change - step.force) / max(length(step.force), 1e-20);
    return 0.5 * clamp(1.0 - 10.0 * pressed, 0.0, 1.0) * step.force;
}

// The way of the substep, m: Ralston's method, then the drift.
vec3 way_of(mac_place place, mac_step step)
{
    vec3 cells = status.dt / params.cell_size.xyz, late = late_half(step);
    float far = length(step.drift), most = SIM_DRIFT_FARTHEST * params.h;
    if (far > most) step.drift *= most / far;
    vec3 second = velocity_at(mac_moved(place, 2.0 / 3.0 * cells * step.grid), step.grid);
    return status.dt * (0.25 * step.grid + 0.75 * second - late) + step.drift;
}

// What is done as early as it can be is not held in registers while the faces are read a second time.

void main()
{
    PARTICLE_OR_RETURN(i);
    find_grid();
    ivec4 start = starts[i];
    mac_place place = mac_find(start.xyz);
    if (status.substep + 1u >= status.substeps) // nothing reads it before the frame ends
        densities[i] = fullness_at(place) * params.fluids[start.w].density;
    positions[i].w = start.w;
    mac_step step = take_grid(i, place, fixed_metres(start.xyz));
    vec3 way = way_of(place, step);
    if (params.planar != 0u) way.z = 0.0;
    bool lost = step.lost || fixed_is_lost(way);
    positions[i].xyz = lost ? ivec3(SIM_LOST) : start.xyz + fixed_step(way);
}
