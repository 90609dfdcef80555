// From the grid to the particles, and their way through the substep. The velocity is the grid's (PIC), what
// the grid has changed added to the particle's own (FLIP; Zhu and Bridson 2005, section 5.1) or a blend, and
// with AFFINE the grid's with its gradient (APIC; Jiang and others 2015, equation 10). The path is that of
// Ralston's Runge-Kutta method of third order. The drift of the density moves the particle only.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
BLOCK(status);
OWN_READ(starts);
OWN_UPDATE(sorted_velocities);
BLOCK(multigrid);
GATHER(blocks);
GATHER(marks);
GATHER(cells);
GATHER(faces);
GATHER(face_changes);
GATHER(slopes);
GATHER(fullness);
OWN_WRITE(predictions);
OWN_WRITE(densities);
SCATTER(affine);
#include "poisson.glsl"
#include "cells.glsl"
#include "mac.glsl"
#include "predict.glsl"

// A face that is known, or with y 0 one that is not.
struct mac_face {
    float velocity, change, slope;
    float known;
};

mac_face face_of(ivec3 at, uint axis)
{
    if (mac_ends(at[axis], axis)) return mac_face(0.0, 0.0, 0.0, 1.0); // a side of the domain
    uint cell = cells_index(uvec3(cells_inside(at)));
    if (cell == POISSON_NONE) return mac_face(0.0, 0.0, 0.0, 0.0);
    vec4 velocity = faces[cell];
    if ((uint(velocity.w) >> axis & 1u) == 0u) return mac_face(0.0, 0.0, 0.0, 0.0);
    return mac_face(velocity[axis], face_changes[cell][axis], slopes[cell][axis], 1.0);
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
    vec2 sum = vec2(0.0);
    for (uint k = 0u; k < 8u; k++) {
        uint cell = cells_index(uvec3(cells_inside(low.cell + ivec3(mac_upper(k)))));
        if (cell == POISSON_NONE || uintBitsToFloat(cells[cell].w) >= POISSON_CLOSED) continue;
        sum += mac_weight(low.part, k) * vec2(fullness[cell], 1.0);
    }
    return sum.y > 0.0 ? sum.x / sum.y : 0.0;
}

// What the substep makes of a particle.
struct mac_step {
    vec3 velocity, grid, drift; // m/s, m/s, m
};

mac_step take_grid(uint i, mac_place place, vec3 p)
{
    vec3 own = sorted_velocities[i].xyz, force = status.dt * predict_acceleration(p);
    mac_step step = mac_step(own + force, own + force, vec3(0.0));
    uint axes = params.planar != 0u ? 2u : 3u;
    float share = 1.0 - pow(1.0 - params.pic_share, status.dt / params.reference_dt);
    for (uint axis = 0u; axis < 3u; axis++) {
        mac_component found = component(place, axis);
        bool known = axis < axes && found.mean.known > 0.0;
        if (AFFINE) affine[3u * i + axis] = known ? vec4(found.gradient, 0.0) : vec4(0.0);
        if (!known) continue;
        step.grid[axis] = found.mean.velocity;
        float flip = own[axis] + found.mean.change;
        step.velocity[axis] = mix(flip, found.mean.velocity, AFFINE ? 1.0 : share);
        step.drift[axis] = found.mean.slope;
    }
    return step;
}

// The way of the substep, m: Ralston's method of third order, then the drift.
vec3 way_of(mac_place place, mac_step step)
{
    vec3 cells = status.dt / params.cell_size.xyz;
    vec3 second = velocity_at(mac_moved(place, 0.5 * cells * step.grid), step.grid);
    vec3 third = velocity_at(mac_moved(place, 0.75 * cells * second), second);
    float far = length(step.drift), most = SIM_DRIFT_FARTHEST * params.h;
    if (far > most) step.drift *= most / far;
    return status.dt / 9.0 * (2.0 * step.grid + 3.0 * second + 4.0 * third) + step.drift;
}

void main()
{
    uint i = row_index();
    if (i >= state.live || state.flags != 0u) return;
    ivec4 start = starts[i];
    mac_place place = mac_find(start.xyz);
    mac_step step = take_grid(i, place, fixed_metres(start.xyz));
    vec3 way = way_of(place, step);
    if (params.planar != 0u) way.z = step.velocity.z = 0.0;
    bool lost = fixed_is_lost(way) || fixed_is_lost(step.velocity);
    predictions[i] = ivec4(lost ? ivec3(SIM_LOST) : start.xyz + fixed_step(way), start.w);
    sorted_velocities[i] = vec4(step.velocity, 0.0);
    densities[i] = fullness_at(place) * params.fluids[start.w].density;
}
