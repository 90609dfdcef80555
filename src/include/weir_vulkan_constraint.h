/* The side door's density constraint: weir_constraint.h for particles in Vulkan buffers. Nothing
 * passes through the CPU. Needs an adopted device (weir_vulkan.h). */
#ifndef WEIR_VULKAN_CONSTRAINT_H
#define WEIR_VULKAN_CONSTRAINT_H

#include "weir_constraint.h"
#include "weir_vulkan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where an array begins in a host's buffer, whose usage is TRANSFER_SRC, and TRANSFER_DST where it
 * is written. buffer VK_NULL_HANDLE: the array is absent. */
typedef struct weir_vulkan_place {
    VkBuffer buffer;
    VkDeviceSize offset; /* bytes, a multiple of 4 */
} weir_vulkan_place;

/* As weir_constraint_particles, which says what each is. */
typedef struct weir_vulkan_particles {
    uint32_t cookie;
    uint32_t count;  /* 1 to 2^28 */
    uint32_t stride; /* bytes of a position and of a velocity: 12, or 16, whose last four stay */
    float seconds;
    weir_vulkan_place positions, velocities;
    weir_vulkan_place inverse_masses;
    weir_vulkan_place offsets, neighbours;
    uint32_t neighbour_count;         /* room in `neighbours`; entries past it are not read */
    const weir_vulkan_submit *submit; /* or NULL */
} weir_vulkan_particles;

WEIR_API weir_vulkan_particles weir_vulkan_particles_default(void);

/* weir_constraint_solve behind what was submitted to the adopted queue before; does not wait,
 * except that the fourth call under way waits for the first, and that more particles or longer
 * lists than ever before wait for all. Work that is behind the signals, or later on the adopted
 * queue, can read the results at once. The buffers must live until the work is done.
 *
 * Weir does not know how many neighbours there are before the work is done: where a list is too
 * short, positions and velocities stay as they came, the report says so (weir_constraint.h), and
 * the next call has longer lists. With submit->commands the rules of weir_vulkan_step hold; of the
 * calls that record into the same commands the largest comes first.
 *
 * Errors: ARGUMENT (the log names the field; also for a device that was not adopted), MEMORY,
 * DEVICE_LOST. */
WEIR_API weir_result weir_vulkan_constraint_solve(weir_constraint *constraint,
                                                  const weir_vulkan_particles *particles);

#ifdef __cplusplus
}
#endif
#endif
