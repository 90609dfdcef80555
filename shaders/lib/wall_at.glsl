// What walls add to the density of a particle. After wall_sides.glsl; needs the buffer wall_sums.

// Gradient (1/m) and density of the walls at p, where particle i is: as a row before has found them, or where
// there are no solids the domain's sides alone.
vec4 wall_at(uint i, ivec3 p)
{
    if (HAS_SOLIDS) return wall_sums[i];
    wall_sum sides = wall_density_sides(p);
    return vec4(sides.gradient, sides.density);
}
