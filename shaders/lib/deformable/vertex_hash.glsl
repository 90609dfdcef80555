// Hashes cells to buckets, for contacts between vertices of cloths and ropes.
// Buffers: vertex_hash.
#ifndef DEFORMABLE_VERTEX_HASH_GLSL
#define DEFORMABLE_VERTEX_HASH_GLSL

uint vertex_hash_bucket(ivec3 cell)
{
    uvec3 mixed = uvec3(cell) * uvec3(73856093u, 19349663u, 83492791u); // Teschner and others 2003
    return (mixed.x ^ mixed.y ^ mixed.z) & (vertex_hash.buckets - 1u);
}
#endif
