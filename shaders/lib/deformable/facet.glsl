// Computes contact and drag between a particle and a facet of a cloth or rope.
// Buffers: params, deformable_states, deformable_displacements, deformable_facets.
#ifndef DEFORMABLE_FACET_GLSL
#define DEFORMABLE_FACET_GLSL

// Squared sine below which the angle at a corner counts as 0; that of a segment is only rounding error.
const float FACET_MIN_SINE2 = 1e-9;

// Returns the point of a facet with the corners a, b and c that is nearest to the origin, as weights of the
// three (Ericson 2005, section 5.1.5). A segment has c = b. `inside`: the point is not on an edge.
vec3 facet_nearest_point(vec3 a, vec3 b, vec3 c, out bool inside)
{
    inside = false;
    vec3 ab = b - a, ac = c - a, across = cross(ab, ac);
    vec2 on_ab = vec2(clamp(-dot(ab, a) / max(dot(ab, ab), 1e-30), 0.0, 1.0), 0.0);
    vec2 on_ac = vec2(0.0, clamp(-dot(ac, a) / max(dot(ac, ac), 1e-30), 0.0, 1.0));
    vec3 bc = c - b;
    float along = clamp(-dot(bc, b) / max(dot(bc, bc), 1e-30), 0.0, 1.0);
    vec2 on_bc = vec2(1.0 - along, along), best = on_ab;
    vec3 at_ab = a + on_ab.x * ab, at_ac = a + on_ac.y * ac, at_bc = b + along * bc;
    float nearest = dot(at_ab, at_ab);
    if (dot(at_ac, at_ac) < nearest) best = on_ac, nearest = dot(at_ac, at_ac);
    if (dot(at_bc, at_bc) < nearest) best = on_bc;
    float size = dot(across, across);
    if (size > FACET_MIN_SINE2 * dot(ab, ab) * dot(ac, ac)) {
        // the foot of the perpendicular, if it is inside the triangle
        vec2 foot = vec2(dot(cross(a, ac), across), dot(cross(ab, a), across)) / -size;
        inside = foot.x > 0.0 && foot.y > 0.0 && foot.x + foot.y < 1.0;
        if (inside) best = foot;
    }
    return vec3(1.0 - best.x - best.y, best);
}

struct facet_contact {
    float depth;  // m: > 0 if the particle is nearer than allowed
    vec3 normal;  // unit: direction in which the particle must move
    vec3 weights; // of the facet's vertices
};

// Finds the contact of a particle at p, which was at `start` when the substep began, with a facet. The
// particle keeps the side of a triangle that it was on at `start`.
facet_contact find_facet_contact(uint facet, vec3 p, vec3 start)
{
    uvec4 f = deformable_facets[facet];
    vec3 sa = deformable_states[f.x].position.xyz - start, sb = deformable_states[f.y].position.xyz - start;
    vec3 sc = deformable_states[f.z].position.xyz - start, base = start - p;
    vec3 a = sa + base + deformable_displacements[f.x].xyz, b = sb + base + deformable_displacements[f.y].xyz;
    vec3 c = sc + base + deformable_displacements[f.z].xyz;
    facet_contact found;
    bool inside;
    found.weights = facet_nearest_point(a, b, c, inside);
    vec3 off = -(found.weights.x * a + found.weights.y * b + found.weights.z * c);
    float distance = length(off), gap = params.boundary_gap + uintBitsToFloat(f.w);
    found.normal = distance > 0.0 ? off / distance : vec3(0.0, 1.0, 0.0);
    vec3 across = cross(b - a, c - a);
    if (inside) {
        float side = dot(cross(sb - sa, sc - sa), sa) <= 0.0 ? 1.0 : -1.0;
        vec3 wanted = normalize(across) * side;
        if (dot(off, wanted) < 0.0) distance = -distance;
        found.normal = wanted;
    }
    found.depth = gap - distance;
    return found;
}

// Point of a facet that drags a particle.
struct facet_drag_point {
    float distance;    // m, from the facet's surface
    float drag_factor;  // drag over that along a flat strip of the same area
    vec3 normal;  // unit; its sign does not matter
    vec3 weights; // of the facet's vertices
};

facet_drag_point find_drag_point(uint facet, vec3 p)
{
    uvec4 f = deformable_facets[facet];
    vec3 a = (deformable_states[f.x].position.xyz - p) + deformable_displacements[f.x].xyz;
    vec3 b = (deformable_states[f.y].position.xyz - p) + deformable_displacements[f.y].xyz;
    vec3 c = (deformable_states[f.z].position.xyz - p) + deformable_displacements[f.z].xyz;
    float radius = max(uintBitsToFloat(f.w), 0.0);
    bool inside;
    facet_drag_point at;
    at.weights = facet_nearest_point(a, b, c, inside);
    vec3 off = -(at.weights.x * a + at.weights.y * b + at.weights.z * c), across = cross(b - a, c - a);
    float size = length(off);
    at.normal = size > 0.0 ? off / size : vec3(0.0, 1.0, 0.0);
    at.distance = max(size - radius, 0.0);
    at.drag_factor = 1.0;
    if (f.z == f.y) // a rope is surrounded by more fluid than a strip as wide as its circumference
        at.drag_factor = radius / (radius + at.distance);
    else if (dot(across, across) > 0.0)
        at.normal = normalize(across);
    return at;
}

// Returns the weight of drag at a distance, 1/m: a quadratic B-spline of the distance in spacings. Its sum
// over layers of particles does not depend on where they lie.
float drag_kernel(float distance)
{
    float x = distance / params.spacing, rest = max(DEFORMABLE_DRAG_REACH - x, 0.0);
    return (x < 0.5 ? 0.75 - x * x : 0.5 * rest * rest) / params.spacing;
}
#endif
