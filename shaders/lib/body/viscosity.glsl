// Adds the viscous drag between a particle and the bodies near it, which act as no-slip boundaries.
// The including shader defines first
//   vec3 viscous_particle_velocity(uint i)   velocity of a particle, m/s
// Buffers: viscous_velocities, status, body_viscous_states, body_impulse_sums, and those of
// boundary/boundary.glsl and body/query.glsl.
#ifndef BODY_VISCOSITY_GLSL
#define BODY_VISCOSITY_GLSL
#include "body/impulse.glsl"
#include "body/query.glsl"
#include "body/viscosity_scale.glsl"
#include "body/viscous_velocity.glsl"
#include "boundary/boundary.glsl"

struct body_viscous_sum {
    vec3 product;      // contribution to the particle's matrix product, kg/(m2 s)
    float diagonal; // mean diagonal of the contribution to the matrix, kg/m3
};

// Returns dt times the dynamic viscosity over h^2, kg/m3.
float body_viscous_scale(uint i)
{
    return status.dt * viscous_velocities[i].w / (params.h * params.h);
}

// Adds the drag between a body and particle i at p, and the opposite impulse to the body. Returns the mean
// diagonal, kg/m3. Reads the particle after the distance is computed, because values held during that would
// cost a GPU registers.
float add_body_viscous_drag(inout body_viscous_sum sum, uint body, uint i, vec3 p)
{
    item_surface surface;
    if (!item_find_surface(params.solid_count + body, p, params.h, surface)) return 0.0;
    float q = surface.distance / params.h;
    if (q >= 1.0) return 0.0;
    vec2 drag = body_viscous_scale(i) * boundary_viscous_drag(q);
    vec3 arm = p - body_viscous_states[body].centre.xyz;
    vec3 slip = viscous_particle_velocity(i) - body_viscous_velocity(body, p);
    vec3 product = drag.x * slip + ((drag.y - drag.x) * dot(surface.normal, slip)) * surface.normal;
    float diagonal = (2.0 * drag.x + drag.y) / 3.0;
    sum.product += product;
    sum.diagonal += diagonal;
    add_body_impulse(body, arm, -viscous_impulse_scale() * product);
    return diagonal;
}
#endif
