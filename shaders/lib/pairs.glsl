// What the loops over neighbour lists share. Neighbours come four at a time: their loads overlap, and CPU
// drivers spend less on the loop. A list is padded to a multiple of four with the particle itself; a padded
// entry is not `wanted`. Offsets are in units of h: on a lattice they are dyadic, and no sum of them is
// rounded, whatever h is. Needs `params` (sim_params) and PERIODIC.

// Read once before the loop: a compiler that fears aliasing would read the block for every pair.
float pair_unit;
ivec3 pair_period;
vec3 pair_turns; // 1 / period, 0 where there is none

void pair_begin()
{
    pair_unit = params.unit_h;
    if (PERIODIC) {
        pair_period = params.fixed_period.xyz;
        pair_turns = mix(vec3(0.0), 1.0 / vec3(pair_period), greaterThan(pair_period, ivec3(0)));
    }
}

// The offset from q to p, in h; on periodic axes the shortest one. Exact: the unit is a power of two.
vec3 pair_offset(ivec3 p, ivec3 q)
{
    ivec3 d = p - q;
    if (PERIODIC) d -= pair_period * ivec3(roundEven(vec3(d) * pair_turns));
    return vec3(d) * pair_unit;
}

// Squared distance in h2; for a padded entry one at which every kernel is zero.
float pair_distance2(vec3 d, bool wanted) { return wanted ? dot(d, d) : 4.0; }
