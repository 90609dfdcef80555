// A ray meets an ellipsoid: in the space where it is the unit sphere, with o and D the ray's origin and way,
// |D|^2 - |o x D|^2 is the discriminant that loses no digits.

struct splat_hit {
    bool found;
    float near, far; // depths
    vec3 entry;      // where the ray enters, on the unit sphere
};

mat3 splat_matrix(render_splat s)
{
    return mat3(s.low.x, s.low.y, s.low.z, s.low.y, s.low.w, s.high.x, s.low.z, s.high.x, s.high.y);
}

// `nearest` and `limit`: depths between which there is anything to see; an ellipsoid is cut off there.
splat_hit splat_meet(render_splat s, view_ray ray, float nearest, float limit)
{
    mat3 b = splat_matrix(s);
    vec3 o = vec3(s.high.zw, s.rest.x) + b * ray.origin, d = b * ray.way, side = cross(o, d);
    float dd = dot(d, d), disc = dd - dot(side, side);
    float q = sqrt(max(disc, 0.0)) - dot(o, d);
    splat_hit hit;
    hit.far = q / dd;
    hit.near = (dot(o, o) - 1.0) / q;
    hit.found = disc > 0.0 && hit.far > nearest && hit.near < limit;
    hit.entry = o + hit.near * d;
    hit.near = max(hit.near, nearest);
    hit.far = min(hit.far, limit);
    return hit;
}
