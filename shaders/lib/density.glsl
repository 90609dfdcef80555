// The density over rest density of particle i at p, walls not included (Macklin and Mueller 2013, equation
// 2). Needs pairs.glsl, listed.glsl, kernel.glsl, iterates, lists and grid.

// Where neighbour j is.
#ifndef DENSITY_PLACE
#define DENSITY_PLACE(j) FETCHED(iterates, j).xyz
#endif

float pair_density(ivec3 p, uint j, bool wanted)
{
    float r2 = pair_steps2(pair_steps(p, DENSITY_PLACE(j)), wanted);
    return kernel_value(r2, max(1.0 - sqrt(r2), 0.0));
}

float pair_density_sum(uint i, ivec3 p, uint count)
{
    float density = 0.0;
    pair_begin();
    uint at = grid_list_at(i - row.first, 0u, grid.list_capacity);
    for (uint k = 0u; k < count; k += GRID_LIST_STEP, at += GRID_LIST_BLOCK) {
        uvec4 j = pair_listed(i, k, at);
        density += pair_density(p, j.x, true);
        density += pair_density(p, j.y, k + 1u < count);
        density += pair_density(p, j.z, k + 2u < count);
        density += pair_density(p, j.w, k + 3u < count);
    }
    return params.density * (1.0 + density);
}
