// Where the solids begin, for splats of fluid; row.constant bit 1 tells whether there are any.
#extension GL_EXT_samplerless_texture_functions : require

layout(binding = RENDER_BIND_LIMIT) uniform texture2D solid_depth;

float splat_limit(render_camera camera)
{
    if ((row.constant & 2u) == 0u) return RENDER_FAR;
    return camera_depth(camera, texelFetch(solid_depth, ivec2(gl_FragCoord.xy), 0).x);
}
