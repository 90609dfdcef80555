/* A Vulkan layer that loses the device, for tests. LOSE_AT names the call, "submit", "wait" or
   "present", that fails from its LOSE_AFTER-th time on; from then on the whole device is lost,
   as with a real driver. With "hang", the device signals no fence from that wait on, with "pause"
   none for a minute. With "short" before the name of a call, "submit", "wait", "allocate",
   "map" or "create", only its LOSE_AFTER-th time fails, with an out-of-memory error. From the
   call that LOSE_AFTER counts on, and without a failing call, dispatches do nothing with
   "dispatch", run half of their workgroups with "half", and run twice with "twice". The first
   compute pipeline takes SLOW_PIPELINE_S seconds. When a device is destroyed, the number of calls
   of each kind is written to the file LOSE_COUNT. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "vulkan_layer.h"

enum kind { SUBMIT, WAIT, STATUS, IDLE, PRESENT, ALLOCATE, MAP, CREATE, KINDS };
static const char *const kinds[KINDS] = {"submit",  "wait",     "status", "idle",
                                         "present", "allocate", "map",    "create"};
static uint32_t calls[KINDS], dispatches;
static bool lost;

static uint32_t set_number(void)
{
    const char *after = getenv("LOSE_AFTER");
    return after ? (uint32_t)atoi(after) : UINT32_MAX;
}

/* Returns whether this call loses the device, or it is already lost. All calls on a lost device
   fail. */
static bool loses(enum kind kind)
{
    const char *at = getenv("LOSE_AT");
    calls[kind]++;
    if (lost || !at || strcmp(at, kinds[kind]) != 0) return lost;
    if (calls[kind] < set_number()) return false;
    NEXT(vkDeviceWaitIdle)(device);
    return lost = true;
}

/* Returns whether this counted call fails with an out-of-memory error. */
static bool is_short(enum kind kind)
{
    static const char word[] = "short ";
    const char *at = getenv("LOSE_AT");
    if (!at || strncmp(at, word, sizeof word - 1) != 0) return false;
    return strcmp(at + sizeof word - 1, kinds[kind]) == 0 && calls[kind] == set_number();
}

/* Returns whether this wait is in vain: from the LOSE_AFTER-th wait on for "hang", only the six
 * waits of a minute for "pause". A wait in vain takes no time. */
static bool hangs(uint64_t patience)
{
    const char *at = getenv("LOSE_AT");
    uint32_t first = set_number();
    if (!at || patience == UINT64_MAX || calls[WAIT] < first) return false;
    return strcmp(at, "hang") == 0 || (strcmp(at, "pause") == 0 && calls[WAIT] < first + 6);
}

static VkResult VKAPI_CALL queue_submit(VkQueue queue, uint32_t count, const VkSubmitInfo2 *infos,
                                        VkFence fence)
{
    if (loses(SUBMIT)) return VK_ERROR_DEVICE_LOST;
    if (is_short(SUBMIT)) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    return NEXT(vkQueueSubmit2)(queue, count, infos, fence);
}

static VkResult VKAPI_CALL wait_for_fences(VkDevice of, uint32_t count, const VkFence *fences,
                                           VkBool32 all, uint64_t patience)
{
    if (loses(WAIT)) return VK_ERROR_DEVICE_LOST;
    if (is_short(WAIT)) return VK_ERROR_OUT_OF_HOST_MEMORY;
    if (hangs(patience)) return VK_TIMEOUT;
    return NEXT(vkWaitForFences)(of, count, fences, all, patience);
}

static VkResult VKAPI_CALL fence_status(VkDevice of, VkFence fence)
{
    if (loses(STATUS)) return VK_ERROR_DEVICE_LOST;
    return NEXT(vkGetFenceStatus)(of, fence);
}

static VkResult VKAPI_CALL device_idle(VkDevice of)
{
    if (loses(IDLE)) return VK_ERROR_DEVICE_LOST;
    return NEXT(vkDeviceWaitIdle)(of);
}

static VkResult VKAPI_CALL queue_idle(VkQueue queue)
{
    if (loses(IDLE)) return VK_ERROR_DEVICE_LOST;
    return NEXT(vkQueueWaitIdle)(queue);
}

static VkResult VKAPI_CALL queue_present(VkQueue queue, const VkPresentInfoKHR *info)
{
    if (loses(PRESENT)) return VK_ERROR_DEVICE_LOST;
    return NEXT(vkQueuePresentKHR)(queue, info);
}

static void VKAPI_CALL destroy_device(VkDevice of, const VkAllocationCallbacks *memory)
{
    const char *path = getenv("LOSE_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    for (int k = 0; file && k < KINDS; k++)
        fprintf(file, "%s %u\n", kinds[k], calls[k]);
    if (file) fclose(file);
    NEXT(vkDestroyDevice)(of, memory);
}

/* ---- memory that is exhausted once ---------------------------------------------------------- */

/* A call that loses no device: its kind, its error, its parameters and their names. */
#define LACKS(name, kind, error, parameters, arguments)                  \
    static VkResult VKAPI_CALL lack_##name parameters                    \
    {                                                                    \
        calls[kind]++;                                                   \
        return is_short(kind) ? VK_ERROR_##error : NEXT(name) arguments; \
    }
#define MEMORY const VkAllocationCallbacks *m
#define CREATES(what)                                   \
    LACKS(vkCreate##what, CREATE, OUT_OF_DEVICE_MEMORY, \
          (VkDevice d, const Vk##what##CreateInfo *i, MEMORY, Vk##what *o), (d, i, m, o))
CREATES(Buffer)
CREATES(Image)
CREATES(Fence)
CREATES(DescriptorPool)
CREATES(ShaderModule)
LACKS(vkCreateComputePipelines, CREATE, OUT_OF_DEVICE_MEMORY,
      (VkDevice d, VkPipelineCache c, uint32_t n, const VkComputePipelineCreateInfo *i, MEMORY,
       VkPipeline *o),
      (d, c, n, i, m, o))
static VkResult VKAPI_CALL create_pipelines(VkDevice d, VkPipelineCache cache, uint32_t count,
                                            const VkComputePipelineCreateInfo *infos, MEMORY,
                                            VkPipeline *out)
{
    static bool slept;
    const char *seconds = getenv("SLOW_PIPELINE_S");
    const struct timespec pause = {.tv_sec = seconds && !slept ? atoi(seconds) : 0};
    slept = true;
    nanosleep(&pause, NULL);
    return lack_vkCreateComputePipelines(d, cache, count, infos, m, out);
}
LACKS(vkAllocateMemory, ALLOCATE, OUT_OF_DEVICE_MEMORY,
      (VkDevice d, const VkMemoryAllocateInfo *i, MEMORY, VkDeviceMemory *o), (d, i, m, o))
LACKS(vkMapMemory, MAP, MEMORY_MAP_FAILED,
      (VkDevice d, VkDeviceMemory memory, VkDeviceSize s, VkDeviceSize n, VkMemoryMapFlags f,
       void **o),
      (d, memory, s, n, f, o))

/* ---- a device that computes nothing, or wrongly ------------------------------------------ */

/* Returns how often this dispatch runs, and its workgroups along x. */
static uint32_t times(uint32_t *x)
{
    const char *at = getenv("LOSE_AT");
    if (!at) return 1;
    bool idle = strcmp(at, "dispatch") == 0, half = strcmp(at, "half") == 0,
         twice = strcmp(at, "twice") == 0;
    if (!(idle || half || twice) || ++dispatches < set_number()) return 1;
    if (half) *x /= 2;
    return idle ? 0 : twice ? 2 : 1;
}

static void VKAPI_CALL dispatch(VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z)
{
    for (uint32_t left = times(&x); left > 0; left--)
        NEXT(vkCmdDispatch)(commands, x, y, z);
}

static void VKAPI_CALL dispatch_indirect(VkCommandBuffer commands, VkBuffer buffer,
                                         VkDeviceSize offset)
{
    uint32_t x = 0; /* the buffer holds their workgroups */
    for (uint32_t left = times(&x); left > 0; left--)
        NEXT(vkCmdDispatchIndirect)(commands, buffer, offset);
}

static PFN_vkVoidFunction layer_call_of(const char *name)
{
    static const layer_call ours[] = {
        {"vkDestroyDevice", (PFN_vkVoidFunction)destroy_device},
        {"vkQueueSubmit2", (PFN_vkVoidFunction)queue_submit},
        {"vkWaitForFences", (PFN_vkVoidFunction)wait_for_fences},
        {"vkGetFenceStatus", (PFN_vkVoidFunction)fence_status},
        {"vkDeviceWaitIdle", (PFN_vkVoidFunction)device_idle},
        {"vkQueueWaitIdle", (PFN_vkVoidFunction)queue_idle},
        {"vkQueuePresentKHR", (PFN_vkVoidFunction)queue_present},
        {"vkCreateBuffer", (PFN_vkVoidFunction)lack_vkCreateBuffer},
        {"vkCreateImage", (PFN_vkVoidFunction)lack_vkCreateImage},
        {"vkCreateFence", (PFN_vkVoidFunction)lack_vkCreateFence},
        {"vkCreateDescriptorPool", (PFN_vkVoidFunction)lack_vkCreateDescriptorPool},
        {"vkCreateShaderModule", (PFN_vkVoidFunction)lack_vkCreateShaderModule},
        {"vkCreateComputePipelines", (PFN_vkVoidFunction)create_pipelines},
        {"vkAllocateMemory", (PFN_vkVoidFunction)lack_vkAllocateMemory},
        {"vkMapMemory", (PFN_vkVoidFunction)lack_vkMapMemory},
        {"vkCmdDispatch", (PFN_vkVoidFunction)dispatch},
        {"vkCmdDispatchIndirect", (PFN_vkVoidFunction)dispatch_indirect},
    };
    return layer_find(ours, LAYER_COUNT(ours), name);
}
