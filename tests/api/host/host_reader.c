#include "host_reader.h"

uint32_t host_memory(const host *h, uint32_t allowed)
{
    const VkMemoryPropertyFlags wanted =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(h->physical, &memory);
    for (uint32_t i = 0; i < memory.memoryTypeCount; i++)
        if ((allowed >> i & 1u) && (memory.memoryTypes[i].propertyFlags & wanted) == wanted)
            return i;
    fail_msg("no memory that the host reads");
    return 0;
}

void open_reader(host *h, reader *r)
{
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                          .queueFamilyIndex = h->family};
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    const VkBufferCreateInfo buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                       .size = ROOM,
                                       .usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkMemoryRequirements needs;
    *r = (reader){.h = h, .repeats = 1};
    assert_int_equal(vkCreateCommandPool(h->device, &pool, NULL, &r->pool), VK_SUCCESS);
    const VkCommandBufferAllocateInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = r->pool,
        .commandBufferCount = 1};
    assert_int_equal(vkAllocateCommandBuffers(h->device, &commands, &r->commands), VK_SUCCESS);
    assert_int_equal(vkCreateFence(h->device, &fence, NULL, &r->fence), VK_SUCCESS);
    assert_int_equal(vkCreateBuffer(h->device, &buffer, NULL, &r->buffer), VK_SUCCESS);
    vkGetBufferMemoryRequirements(h->device, r->buffer, &needs);
    const VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .allocationSize = needs.size,
                                         .memoryTypeIndex = host_memory(h, needs.memoryTypeBits)};
    assert_int_equal(vkAllocateMemory(h->device, &memory, NULL, &r->memory), VK_SUCCESS);
    assert_int_equal(vkBindBufferMemory(h->device, r->buffer, r->memory, 0), VK_SUCCESS);
    assert_int_equal(vkMapMemory(h->device, r->memory, 0, VK_WHOLE_SIZE, 0, &r->bytes), VK_SUCCESS);
}

void close_reader(reader *r)
{
    vkDestroyBuffer(r->h->device, r->buffer, NULL);
    vkFreeMemory(r->h->device, r->memory, NULL);
    vkDestroyFence(r->h->device, r->fence, NULL);
    vkDestroyCommandPool(r->h->device, r->pool, NULL);
}

void record_buffer_read(reader *r, VkBuffer from, uint32_t size)
{
    const VkBufferCopy region = {.size = size};
    const VkMemoryBarrier seen = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                  .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                  .dstAccessMask =
                                      VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_HOST_READ_BIT};
    assert_true(size <= ROOM);
    for (uint32_t i = 0; size && i < r->repeats; i++) {
        vkCmdCopyBuffer(r->commands, from, r->buffer, 1, &region);
        vkCmdPipelineBarrier(r->commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                             VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1,
                             &seen, 0, NULL, 0, NULL);
    }
}

void begin_read(reader *r, VkBuffer from, uint32_t size, VkSemaphore after)
{
    begin_commands(r->commands);
    record_buffer_read(r, from, size);
    submit_commands(r->h, r->commands, after, r->fence);
}

void end_read(reader *r)
{
    assert_int_equal(vkWaitForFences(r->h->device, 1, &r->fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
    assert_int_equal(vkResetFences(r->h->device, 1, &r->fence), VK_SUCCESS);
}

void copy_out(reader *r, VkBuffer from, void *to, uint32_t size, VkSemaphore after)
{
    begin_read(r, from, size, after);
    end_read(r);
    memcpy(to, r->bytes, size);
}

VkSemaphore make_semaphore(const host *h)
{
    VkSemaphore semaphore = VK_NULL_HANDLE;
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    assert_int_equal(vkCreateSemaphore(h->device, &info, NULL, &semaphore), VK_SUCCESS);
    return semaphore;
}
