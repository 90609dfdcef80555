// A tetrahedron that keeps its volume. Its gradients differ from vertex to vertex. Needs status, soft_states,
// soft_moves and soft_lambdas, the last two to be written.

void pull_volume(uint i, soft_bond bond)
{
    uvec4 v = bond.vertices;
    vec3 a = bond_offset(v.y, v.x), b = bond_offset(v.z, v.x), c = bond_offset(v.w, v.x);
    vec3 one = cross(b, c) / 6.0, two = cross(c, a) / 6.0, three = cross(a, b) / 6.0;
    vec3 zero = -(one + two + three);
    vec4 w = vec4(soft_moves[v.x].w, soft_moves[v.y].w, soft_moves[v.z].w, soft_moves[v.w].w);
    float weight = dot(w, vec4(dot(zero, zero), dot(one, one), dot(two, two), dot(three, three)));
    bond_strain strain = bond_strain(vec3(dot(a, one) - bond.rest, 0.0, 0.0), vec3(0.0));
    float change = bond_change(bond, strain, soft_lambdas[i].xyz, weight).x;
    soft_lambdas[i].x += change;
    soft_moves[v.x].xyz += (w.x * change) * zero;
    soft_moves[v.y].xyz += (w.y * change) * one;
    soft_moves[v.z].xyz += (w.z * change) * two;
    soft_moves[v.w].xyz += (w.w * change) * three;
}
