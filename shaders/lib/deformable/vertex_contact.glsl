// Finds the contact between two vertices of cloths and ropes. The result is the same for both except for
// signs, so that momentum is conserved.
// Buffers: deformables, vertex_owners, deformable_states, deformable_displacements, rest_positions.
#ifndef DEFORMABLE_VERTEX_CONTACT_GLSL
#define DEFORMABLE_VERTEX_CONTACT_GLSL

struct vertex_pair {
    float thickness; // m: minimum distance; 0: they never collide
    vec3 start, end; // m: from the second vertex to the first, at the substep's start and now
};

float pair_contact_distance(uint i, uint k)
{
    uint one = vertex_owners[i], two = vertex_owners[k];
    deformable_properties a = deformables[one], b = deformables[two];
    float thickness = a.radius + b.radius, rest = length(rest_positions[i].xyz - rest_positions[k].xyz);
    if (one == two)
        return a.contact_mode == DEFORMABLE_CONTACTS_ALL && rest >= a.self_contact_distance ? thickness : 0.0;
    if (a.contact_mode == DEFORMABLE_CONTACTS_NONE || b.contact_mode == DEFORMABLE_CONTACTS_NONE) return 0.0;
    return min(thickness, rest); // vertices initially nearer than that must not burst apart
}

vertex_pair make_vertex_pair(uint i, uint k)
{
    vertex_pair pair;
    pair.thickness = pair_contact_distance(i, k);
    pair.start = deformable_states[i].position.xyz - deformable_states[k].position.xyz;
    pair.end = pair.start + (deformable_displacements[i].xyz - deformable_displacements[k].xyz);
    return pair;
}

// Returns the smallest distance of the two on their paths through the substep, m.
float pair_closest_distance(vertex_pair pair)
{
    vec3 moved = pair.end - pair.start;
    float size = dot(moved, moved);
    float share = size > 0.0 ? clamp(-dot(pair.start, moved) / size, 0.0, 1.0) : 0.0;
    return length(pair.start + share * moved);
}

struct pair_contact {
    float depth; // m: > 0 if they must move apart
    vec3 normal; // unit, towards the first vertex
};

// Finds the contact of a pair; vertices that have passed each other return to their former sides. `first`:
// the first vertex has the lower index, which decides the normal of coincident vertices.
pair_contact find_pair_contact(vertex_pair pair, bool first)
{
    pair_contact found = pair_contact(0.0, vec3(0.0));
    float nearest = pair_closest_distance(pair), far = length(pair.end), before = length(pair.start);
    if (!(nearest < pair.thickness)) return found;
    bool passed = dot(pair.start, pair.end) < 0.0 && nearest < DEFORMABLE_CROSSING_TOLERANCE * pair.thickness;
    if (passed && before > 0.0) {
        found.normal = pair.start / before;
        found.depth = pair.thickness - dot(pair.end, found.normal);
    } else {
        found.normal = far > 0.0 ? pair.end / far : vec3(0.0, first ? 1.0 : -1.0, 0.0);
        found.depth = pair.thickness - far;
    }
    return found;
}
#endif
