// Where a ray meets an ellipsoid. In the space where the ellipsoid is the unit sphere, with o and D the ray's
// origin and direction, |D|^2 - |o x D|^2 is the discriminant that loses no digits. The ray starts at the
// centre's depth, so that o is short however far the eye is.

struct splat_hit {
    bool found;
    float near, far; // depths
    vec3 entry;      // where the ray enters, on the unit sphere
};

mat3 splat_matrix(render_splat s)
{
    return mat3(s.low.x, s.low.y, s.low.z, s.low.y, s.low.w, s.high.x, s.low.z, s.high.x, s.high.y);
}

// `nearest` and `limit`: the ellipsoid is cut off at these depths.
splat_hit splat_meet(render_splat s, view_ray ray, float nearest, float limit)
{
    vec3 centre = vec3(s.high.zw, s.rest.x);
    mat3 b = splat_matrix(s);
    vec3 o = b * (ray.origin + ray.direction * centre.z - centre), d = b * ray.direction;
    vec3 side = cross(o, d);
    float dd = dot(d, d), disc = dd - dot(side, side), od = dot(o, d), root = sqrt(max(disc, 0.0));
    float first = (-od - root) / dd;
    splat_hit hit;
    hit.far = centre.z + (root - od) / dd;
    hit.near = centre.z + first;
    hit.found = disc > 0.0 && hit.far > nearest && hit.near < limit;
    hit.entry = o + first * d;
    hit.near = max(hit.near, nearest);
    hit.far = min(hit.far, limit);
    return hit;
}
