// Finds the contact of two vertices of cloths and ropes. All of it is the same for both but for signs, so
// that what one gets the other loses.
// Buffers: softs, soft_owners, soft_states, soft_moves, soft_rests.
#ifndef DEFORMABLE_VERTEX_CONTACT_GLSL
#define DEFORMABLE_VERTEX_CONTACT_GLSL

struct soft_pair {
    float thickness; // m: how near they may come; 0: they never meet
    vec3 start, end; // m, from the second vertex to the first: when the substep began, and now
};

float pair_thickness(uint i, uint k)
{
    uint one = soft_owners[i], two = soft_owners[k];
    soft_make a = softs[one], b = softs[two];
    float thickness = a.radius + b.radius, rest = length(soft_rests[i].xyz - soft_rests[k].xyz);
    if (one == two) return a.meets == SOFT_MEETS_ALL && rest >= a.apart ? thickness : 0.0;
    if (a.meets == SOFT_MEETS_NONE || b.meets == SOFT_MEETS_NONE) return 0.0;
    return min(thickness, rest); // what is nearer at the start than that stays so, and does not burst apart
}

soft_pair pair_of(uint i, uint k)
{
    soft_pair pair;
    pair.thickness = pair_thickness(i, k);
    pair.start = soft_states[i].position.xyz - soft_states[k].position.xyz;
    pair.end = pair.start + (soft_moves[i].xyz - soft_moves[k].xyz);
    return pair;
}

// How near the two come on their way through the substep, m.
float pair_nearest(soft_pair pair)
{
    vec3 moved = pair.end - pair.start;
    float size = dot(moved, moved);
    float share = size > 0.0 ? clamp(-dot(pair.start, moved) / size, 0.0, 1.0) : 0.0;
    return length(pair.start + share * moved);
}

struct pair_contact {
    float depth; // m: above 0 where they have to move apart
    vec3 normal; // unit, towards the first
};

// Two that have passed each other go back to their former sides. `first`: of the two, the one with the lower
// number is the first.
pair_contact pair_meet(soft_pair pair, bool first)
{
    pair_contact found = pair_contact(0.0, vec3(0.0));
    float nearest = pair_nearest(pair), far = length(pair.end), before = length(pair.start);
    if (!(nearest < pair.thickness)) return found;
    bool passed = dot(pair.start, pair.end) < 0.0 && nearest < SOFT_CROSSING * pair.thickness;
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
