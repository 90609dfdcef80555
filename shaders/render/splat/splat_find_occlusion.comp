// Finds how deep the drawn surface hides what is behind it: the smallest 1/z of each tile of RENDER_TILE x
// RENDER_TILE pixels, and of each block of RENDER_BLOCK x RENDER_BLOCK tiles (Greene, Kass and Miller 1993,
// "Hierarchical Z-buffer visibility"). What is behind a solid is hidden as well. One workgroup per block, one
// invocation per tile. pass.constant: that of the splats.
#version 460
#include "bindings/render.glsl"

BLOCK(params);
READ_IMAGE_ANY(fluid);
#include "render/camera.glsl"
READ_IMAGE_ANY(occluder_depth);
WRITE_ANY_IMAGE(occlusion_tiles, r32f);
WRITE_ANY_IMAGE(occlusion_blocks, r32f);

shared float least[RENDER_BLOCK * RENDER_BLOCK];

float hidden_beyond(ivec2 p, render_camera camera)
{
    float w = texelFetch(fluid, p, 0).x;
    if ((pass.constant & 2u) == 0u) return w;
    return max(w, 0.9999 / camera_decode_depth(camera, texelFetch(occluder_depth, p, 0).x));
}

void main()
{
    ivec2 size = textureSize(fluid, 0), blocks = imageSize(occlusion_blocks);
    int block = int(workgroup_index()), lane = int(gl_LocalInvocationID.x);
    ivec2 at = ivec2(block % blocks.x, block / blocks.x);
    ivec2 tile = RENDER_BLOCK * at + ivec2(lane % RENDER_BLOCK, lane / RENDER_BLOCK);
    render_camera camera = params.cameras[pass.constant & 1u];
    float smallest = 1e30; // pixels outside the picture hide everything
    for (int k = 0; k < RENDER_TILE * RENDER_TILE; k++) {
        ivec2 p = RENDER_TILE * tile + ivec2(k % RENDER_TILE, k / RENDER_TILE);
        if (all(lessThan(p, size))) smallest = min(smallest, hidden_beyond(p, camera));
    }
    if (all(lessThan(tile, imageSize(occlusion_tiles)))) imageStore(occlusion_tiles, tile, vec4(smallest));
    least[lane] = smallest;
    for (int half_count = RENDER_BLOCK * RENDER_BLOCK / 2; half_count > 0; half_count /= 2) {
        barrier();
        if (lane < half_count) least[lane] = min(least[lane], least[lane + half_count]);
    }
    if (lane == 0 && at.y < blocks.y) imageStore(occlusion_blocks, at, vec4(least[0]));
}
