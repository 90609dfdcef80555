// What the loops over neighbour lists share. Neighbours come four at a time: their loads overlap, and CPU
// drivers spend less on the loop. A list is padded to a multiple of four with the particle itself; a
// padded place is not `wanted`. Needs `params` (sim_params) and PERIODIC.

// Read once before the loop: a compiler that fears aliasing would read the block for every pair.
float pair_h, pair_h2;
vec3 pair_period;

void pair_begin()
{
    pair_h = params.h;
    pair_h2 = params.h2;
    if (PERIODIC) pair_period = params.period.xyz;
}

// The way from q to p; on periodic axes the shortest one.
vec3 pair_way(vec3 p, vec3 q)
{
    vec3 d = p - q;
    if (PERIODIC) d -= pair_period * round(d / max(pair_period, vec3(1e-30)));
    return d;
}

// Squared distance; of a padded place one at which every kernel is zero.
float pair_distance2(vec3 d, bool wanted) { return wanted ? dot(d, d) : 4.0 * pair_h2; }
