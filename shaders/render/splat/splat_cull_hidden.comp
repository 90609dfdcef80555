// Lists the inner splats that the outer ones, drawn before, do not hide. A splat is hidden if no point of it
// is nearer than the surface anywhere in its bounds, so that leaving it out changes no pixel. One invocation
// per point.
#version 460
#include "bindings/render.glsl"

BLOCK(params);
READ_ANY(splats);
READ_ANY(inner_splats);
ATOMIC(splat_lists);
WRITE_ANY(later_splats);
READ_IMAGE_ANY(occlusion_tiles);
READ_IMAGE_ANY(occlusion_blocks);

const int MOST = 7; // tiles along x and y that are looked at; larger splats are drawn

// Returns whether every tile, of `edge` pixels, that the bounds touch hides what is beyond `reach`.
#define ALL_TILES_HIDE(tiles, edge) \
    ivec2 first = ivec2(bounds.xy) / (edge), last = (ivec2(bounds.zw) - 1) / (edge); \
    if (any(greaterThanEqual(last - first, ivec2(MOST)))) return false; \
    for (int y = first.y; y <= last.y; y++) \
        for (int x = first.x; x <= last.x; x++) \
            if (texelFetch(tiles, ivec2(x, y), 0).x < reach) return false; \
    return true

bool tiles_hide(vec4 bounds, float reach) { ALL_TILES_HIDE(occlusion_tiles, RENDER_TILE); }
bool blocks_hide(vec4 bounds, float reach) { ALL_TILES_HIDE(occlusion_blocks, RENDER_TILE * RENDER_BLOCK); }

void main()
{
    uint k = invocation_index();
    if (k >= splat_lists.inner_count) return;
    uvec2 inner = inner_splats[k];
    vec4 bounds = splats[inner.x].bounds;
    float reach = uintBitsToFloat(inner.y);
    bool small = max(bounds.z - bounds.x, bounds.w - bounds.y) <= float((MOST - 1) * RENDER_TILE);
    if (small ? tiles_hide(bounds, reach) : blocks_hide(bounds, reach)) return;
    uint place = atomicAdd(splat_lists.later_count, 1u);
    if (place % GPU_INSTANCE_QUADS == 0u) atomicAdd(splat_lists.later[1], 1u);
    later_splats[place] = inner.x;
}
