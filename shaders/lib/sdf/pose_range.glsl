// Finds the poses of an item in the running substep. Buffers: params, status.
#ifndef SDF_POSE_RANGE_GLSL
#define SDF_POSE_RANGE_GLSL
// Returns the indices in `poses` of an item's poses at the running substep's start and end. Poses are
// recorded for params.substeps substeps; a frame with fewer uses every n-th. The last pose is that of the
// frame's end.
uvec2 item_pose_range(uint item)
{
    uint stride = params.substeps / max(status.substeps, 1u);
    uint first = min(pass.outer * stride, params.substeps - stride);
    return uvec2(first, first + stride - 1u) * params.item_count + item;
}
#endif
