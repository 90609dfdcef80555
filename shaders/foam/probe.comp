// What births would depend on, for every fluid particle: so that thresholds can be chosen. Below 0 for fluid
// that makes no whitewater because it fills too little of its neighbourhood.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "foam.glsl"

BLOCK(grid);
BLOCK(state);
BLOCK(params);
FETCH(sorted_points);
FETCH(sorted_velocities);
GATHER(segments);
GATHER(cell_starts);
FETCH(surfaces);
SCATTER(potentials);
WORK(60, 45, 48);

#include "foam_potential.glsl"

void main()
{
    uint i = row_index();
    if (i >= state.live) return;
    vec4 surface = FETCHED(surfaces, i);
    velocity = FETCHED(sorted_velocities, i).xyz;
    vec4 found = foam_potentials(FETCHED(sorted_points, i).xyz, surface.xyz);
    potentials[i] = surface.w < FOAM_FILL_PARENT ? vec4(-1.0) : found;
}
