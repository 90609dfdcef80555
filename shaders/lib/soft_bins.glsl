// The buckets of cells in which vertices of cloths and ropes find each other. Needs soft_crowd.

uint bin_bucket(ivec3 cell)
{
    uvec3 mixed = uvec3(cell) * uvec3(73856093u, 19349663u, 83492791u); // Teschner and others 2003
    return (mixed.x ^ mixed.y ^ mixed.z) & (soft_crowd.buckets - 1u);
}
