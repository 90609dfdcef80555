/* The side door's surfaces: a mesher's triangles in Vulkan buffers, for a host that draws them in
 * its own frame. Needs an adopted device (weir_vulkan.h). */
#ifndef WEIR_VULKAN_MESH_H
#define WEIR_VULKAN_MESH_H

#include "weir_vulkan.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WEIR_VULKAN_MESHES 3 /* that a mesher keeps at a time */

/* A surface on the device. The buffers are vertex, index, indirect, storage and transfer buffers;
 * they are the mesher's, and have more room than elements. Offset 0 everywhere. They keep their
 * contents until WEIR_VULKAN_MESHES later calls of weir_vulkan_mesh_run have begun, or the mesher
 * is destroyed. */
typedef struct weir_vulkan_mesh {
    weir_vulkan_array position; /* float[vertex_count][3], m */
    weir_vulkan_array normal; /* float[vertex_count][3], unit, outwards; VK_NULL_HANDLE: the mesher
                                 makes none */
    weir_vulkan_array index;  /* uint32[triangle_count][3], counter-clockwise from outside */
    VkBuffer arguments;       /* one VkDrawIndexedIndirectCommand, of all triangles once */
    uint32_t vertex_count, triangle_count;
    float cell_m;        /* edge of the lattice's cells; 0 without particles */
    uint64_t generation; /* 1 for the mesher's first, one more for each later one */
} weir_vulkan_mesh;

/* Makes the surface of the points, the same as weir_mesher_run, but leaves it on the device; the
 * velocities, the channels and the spray of the def are not in it. Work that is behind the signals
 * of `submit`, or later on the adopted queue, can read the buffers at once. The waits of `submit`
 * hold back what overwrites the buffers of the generation before the last two; a host that reads
 * those on another queue names its semaphore there. `submit` may be NULL.
 *
 * Waits for the device, and so for what was submitted to the adopted queue earlier: once where the
 * surface is about as large as the ones before; else several times, since the mesher must know the
 * size of each part before the next, though not for the last part. No particles give an empty
 * surface, whose arguments draw nothing.
 *
 * After an error *mesh is zeroed, the generation that the call would have replaced is gone, and the
 * other two can still be used. Errors: ARGUMENT (also: the device was not adopted; points of a step
 * whose commands were never submitted); UNSUPPORTED with a command buffer in `submit`, for a def
 * with WEIR_MESH_NORMALS_FACES, which are made on the CPU, and for a surface that does not fit the
 * def's memory_bytes in one part; those of weir_mesher_run. */
WEIR_API weir_result weir_vulkan_mesh_run(weir_mesher *mesher, const weir_points *points,
                                          const weir_vulkan_submit *submit, weir_vulkan_mesh *mesh);

/* The buffers of a generation that the mesher still keeps. Errors: ARGUMENT when a later run has
 * taken its buffers, or when there was none of that number; *mesh is zeroed then. */
WEIR_API weir_result weir_vulkan_mesh_get(const weir_mesher *mesher, uint64_t generation,
                                          weir_vulkan_mesh *mesh);

#ifdef __cplusplus
}
#endif
#endif
