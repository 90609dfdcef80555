// Adds the viscous drag between a particle and the bodies near it, which act as walls that stick.
// The kernel defines before it
//   vec3 flow_velocity(uint i)   velocity of a particle, m/s
// Buffers: starts, status, body_flows, body_sums, and those of boundary.glsl and body/query.glsl.
#ifndef BODY_VISCOSITY_GLSL
#define BODY_VISCOSITY_GLSL
#include "body/impulse.glsl"
#include "body/query.glsl"
#include "body/viscosity_scale.glsl"
#include "boundary/boundary.glsl"

struct flow_sum {
    vec3 pull;      // on the particle, with the sign of the matrix's product, kg/(m2 s)
    float diagonal; // mean, of what it adds to the matrix, kg/m3
};

// dt times the viscosity over h^2, kg/m3.
float flow_scale(uint i)
{
    uint fluid = uint(clamp(starts[i].w, 0, 15));
    return status.dt * params.fluids[fluid].dynamic_viscosity / (params.h * params.h);
}

// Of particle i, at p. Returns the mean diagonal. What it reads of the particle it reads behind the distance:
// held through that it would cost a GPU registers.
float flow_drag(inout flow_sum sum, uint body, uint i, vec3 p)
{
    wall_surface surface;
    if (!wall_find_surface(params.solid_count + body, p, params.h, surface)) return 0.0;
    float q = surface.distance / params.h;
    if (q >= 1.0) return 0.0;
    vec2 drag = flow_scale(i) * kernel_wall_drag(q);
    vec3 arm = p - body_flows[body].centre.xyz;
    vec3 slip = flow_velocity(i) - (body_flows[body].velocity.xyz + cross(body_flows[body].rate.xyz, arm));
    vec3 pull = drag.x * slip + ((drag.y - drag.x) * dot(surface.normal, slip)) * surface.normal;
    float diagonal = (2.0 * drag.x + drag.y) / 3.0;
    sum.pull += pull;
    sum.diagonal += diagonal;
    impulse_add(body, arm, -flow_share() * pull);
    return diagonal;
}
#endif
