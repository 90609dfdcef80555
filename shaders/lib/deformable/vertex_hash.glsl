// Hashes cells to the buckets in which vertices of cloths and ropes find each other.
// Buffers: soft_crowd.
#ifndef DEFORMABLE_VERTEX_HASH_GLSL
#define DEFORMABLE_VERTEX_HASH_GLSL

uint bin_bucket(ivec3 cell)
{
    uvec3 mixed = uvec3(cell) * uvec3(73856093u, 19349663u, 83492791u); // Teschner and others 2003
    return (mixed.x ^ mixed.y ^ mixed.z) & (soft_crowd.buckets - 1u);
}
#endif
