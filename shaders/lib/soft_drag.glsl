// How a facet drags fluid. Needs soft_states, soft_moves, soft_facets and `params`, and
// shaders/lib/soft_facet.glsl.

struct drag_place {
    float far;    // m, from the facet's surface
    float share;  // of the drag of fluid that flows along a flat piece of the same area
    vec3 normal;  // unit; its sign does not matter
    vec3 weights; // of the facet's vertices
};

drag_place drag_meet(uint facet, vec3 p)
{
    uvec4 f = soft_facets[facet];
    vec3 a = (soft_states[f.x].position.xyz - p) + soft_moves[f.x].xyz;
    vec3 b = (soft_states[f.y].position.xyz - p) + soft_moves[f.y].xyz;
    vec3 c = (soft_states[f.z].position.xyz - p) + soft_moves[f.z].xyz;
    float radius = max(uintBitsToFloat(f.w), 0.0);
    bool inside;
    drag_place at;
    at.weights = facet_nearest(a, b, c, inside);
    vec3 off = -(at.weights.x * a + at.weights.y * b + at.weights.z * c), across = cross(b - a, c - a);
    float size = length(off);
    at.normal = size > 0.0 ? off / size : vec3(0.0, 1.0, 0.0);
    at.far = max(size - radius, 0.0);
    at.share = 1.0;
    if (f.z == f.y) // more fluid is about a rope than over a strip as wide as its circumference
        at.share = radius / (radius + at.far);
    else if (dot(across, across) > 0.0)
        at.normal = normalize(across);
    return at;
}

// 1/m: a quadratic B-spline over the distance in spacings, whose sum over layers of particles is the same
// wherever they lie.
float drag_weight(float far)
{
    float x = far / params.spacing, rest = max(SOFT_DRAGGED - x, 0.0);
    return (x < 0.5 ? 0.75 - x * x : 0.5 * rest * rest) / params.spacing;
}
