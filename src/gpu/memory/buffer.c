/* Buffers with one allocation each (a simulation has a few dozen), and staging for upload and
 * download. */
#include "gpu_adopt.h"
#include "gpu_internal.h"

/* Without resizable BAR the host can map 256 MiB of the device's memory. */
#define MAPPABLE_BYTES (64u * 1024)

static uint32_t find_memory_type(const VkPhysicalDeviceMemoryProperties *types, uint32_t allowed,
                                 VkMemoryPropertyFlags flags)
{
    for (uint32_t i = 0; i < types->memoryTypeCount; i++)
        if ((allowed >> i & 1u) && (types->memoryTypes[i].propertyFlags & flags) == flags) return i;
    return UINT32_MAX;
}

uint32_t gpu_memory_type(const VkPhysicalDeviceMemoryProperties *types, uint32_t allowed,
                         gpu_memory memory)
{
    const VkMemoryPropertyFlags host =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    const VkMemoryPropertyFlags wanted[] = {
        [GPU_MEMORY_DEVICE] = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
        [GPU_MEMORY_HOST] = host | VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
        [GPU_MEMORY_UPLOAD] = host | VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT};
    uint32_t type = find_memory_type(types, allowed, wanted[memory]);
    if (type != UINT32_MAX) return type;
    return find_memory_type(types, allowed, memory == GPU_MEMORY_DEVICE ? 0 : host);
}

uint64_t gpu_buffer_bound_size(const gpu_buffer *buffer)
{
    return (buffer->size + 15u) / 16u * 16u;
}

static weir_result create_handle(gpu_device *device, gpu_buffer *buffer, bool texels)
{
    bool shared = device->family_count > 1;
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .size = gpu_buffer_bound_size(buffer),
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                 (device->adopted ? VK_BUFFER_USAGE_VERTEX_BUFFER_BIT : 0u) |
                 (device->adopted || device->draws ? VK_BUFFER_USAGE_INDEX_BUFFER_BIT : 0u) |
                 (texels ? VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT : 0u),
        .sharingMode = shared ? VK_SHARING_MODE_CONCURRENT : VK_SHARING_MODE_EXCLUSIVE,
        .queueFamilyIndexCount = shared ? device->family_count : 0,
        .pQueueFamilyIndices = device->families,
    };
    WEIR_RETURN_IF_ERROR(GPU_VK(device, vkCreateBuffer, &info, device->allocator, &buffer->handle));
    gpu_name_object(device, VK_OBJECT_TYPE_BUFFER, (uint64_t)buffer->handle, buffer->name);
    return WEIR_OK;
}

/* Returns whether the buffer got memory of the device that the host can map. It is scarce, and a
 * driver may have none left. */
static bool allocate_mappable(gpu_device *device, gpu_buffer *buffer, VkMemoryAllocateInfo info,
                              uint32_t allowed)
{
    info.memoryTypeIndex = gpu_memory_type(&device->memory, allowed, GPU_MEMORY_UPLOAD);
    return info.allocationSize <= MAPPABLE_BYTES && info.memoryTypeIndex != UINT32_MAX &&
           device->vk.vkAllocateMemory(device->handle, &info, device->allocator, &buffer->memory) ==
               VK_SUCCESS;
}

static weir_result allocate_memory(gpu_device *device, gpu_buffer *buffer, gpu_memory memory)
{
    VkMemoryRequirements needs;
    device->vk.vkGetBufferMemoryRequirements(device->handle, buffer->handle, &needs);
    bool upload = memory == GPU_MEMORY_UPLOAD;
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs.size,
        .memoryTypeIndex = gpu_memory_type(&device->memory, needs.memoryTypeBits,
                                           upload ? GPU_MEMORY_HOST : memory),
    };
    if (info.memoryTypeIndex == UINT32_MAX)
        return base_fail(&device->log, WEIR_ERROR_UNSUPPORTED, "no memory type for buffer %s",
                         buffer->name);
    if (!upload || !allocate_mappable(device, buffer, info, needs.memoryTypeBits))
        WEIR_RETURN_IF_ERROR(
            GPU_VK(device, vkAllocateMemory, &info, device->allocator, &buffer->memory));
    gpu_memory_owner_add(device, buffer->module, buffer->size, 0);
    WEIR_RETURN_IF_ERROR(GPU_VK(device, vkBindBufferMemory, buffer->handle, buffer->memory, 0));
    if (memory != GPU_MEMORY_DEVICE)
        WEIR_RETURN_IF_ERROR(
            GPU_VK(device, vkMapMemory, buffer->memory, 0, VK_WHOLE_SIZE, 0, &buffer->mapped));
    return WEIR_OK;
}

static weir_result create_view(gpu_device *device, gpu_buffer *buffer, gpu_texels texels)
{
    WEIR_ASSERT(buffer->stride % 16 == 0);
    if (buffer->size / 16 > device->limits.maxTexelBufferElements)
        return base_fail(&device->log, WEIR_ERROR_MEMORY,
                         "%s reads at most %u texels from one buffer", device->info.name,
                         device->limits.maxTexelBufferElements);
    VkBufferViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
        .buffer = buffer->handle,
        .format = texels == GPU_TEXELS_IVEC4 ? VK_FORMAT_R32G32B32A32_SINT
                                             : VK_FORMAT_R32G32B32A32_SFLOAT,
        .range = VK_WHOLE_SIZE,
    };
    return GPU_VK(device, vkCreateBufferView, &info, device->allocator, &buffer->view);
}

/* Fills the buffer with zeros. Nothing has to wait for it, because later submissions execute after
 * it. */
static weir_result zero_buffer(gpu_device *device, gpu_buffer *buffer)
{
    uint64_t ticket;
    if (buffer->mapped) {
        memset(buffer->mapped, 0, buffer->size);
        return WEIR_OK;
    }
    WEIR_RETURN_IF_ERROR(gpu_record_begin(device));
    WEIR_RETURN_IF_ERROR(gpu_record_fill(device, buffer, 0));
    return gpu_record_submit(device, &ticket);
}

static void log_out_of_memory(const gpu_device *device, const gpu_buffer *buffer)
{
    uint64_t bytes, left;
    char others[64] = "";
    gpu_memory_available(&device->instance.calls, device->physical, &bytes, &left);
    if (bytes > left + device->memory_used)
        snprintf(others, sizeof others, ", other programs %.1f MiB",
                 (double)(bytes - left - device->memory_used) / 1048576.0);
    base_log(&device->log, WEIR_LOG_ERROR,
             "buffer %s needs %.1f MiB; %s has %.1f MiB, of which Weir uses %.1f MiB%s, and allows "
             "at most %.1f MiB per buffer: raise the particle spacing%s or make the domain smaller",
             buffer->name, (double)buffer->size / 1048576.0, device->info.name,
             (double)bytes / 1048576.0, (double)device->memory_used / 1048576.0, others,
             (double)device->largest_buffer / 1048576.0, others[0] ? ", close those programs" : "");
}

static uint64_t buffer_bytes(const gpu_buffer *buffer)
{
    return buffer->count > UINT64_MAX / buffer->stride ? UINT64_MAX
                                                       : buffer->count * buffer->stride;
}

/* ---- memory per module ---------------------------------------------------------------------- */

uint32_t gpu_memory_owner_find(gpu_device *device, const char *name)
{
    weir_module_memory *rooms = device->info.modules;
    uint32_t i = 0;
    while (i + 1 < WEIR_MODULE_COUNT && rooms[i].name && strcmp(rooms[i].name, name) != 0)
        i++;
    rooms[i].name = name;
    return i;
}

void gpu_memory_owner_add(gpu_device *device, uint32_t module, uint64_t taken, uint64_t given)
{
    weir_module_memory *memory = &device->info.modules[module];
    memory->bytes += taken - given;
    if (memory->bytes > memory->peak_bytes) memory->peak_bytes = memory->bytes;
    device->memory_used += taken - given;
    base_trace_counter(device->trace, "device memory, MB", base_time_s(),
                       (double)device->memory_used * 1e-6);
}

weir_result gpu_buffer_create_for_module(gpu_device *device, const char *module,
                                         const gpu_buffer_def *def, gpu_buffer **out)
{
    weir_result result = WEIR_ERROR_MEMORY;
    *out = NULL;
    if (device->lost != VK_SUCCESS) return WEIR_ERROR_DEVICE_LOST;
    gpu_buffer *buffer = base_alloc(1, sizeof *buffer);
    if (!buffer)
        return base_fail(&device->log, WEIR_ERROR_MEMORY, "not enough memory for buffer %s",
                         def->name);
    WEIR_ASSERT(def->stride % 4 == 0 && def->stride > 0);
    buffer->name = def->name;
    buffer->stride = def->stride;
    buffer->count = def->count ? def->count : 1;
    buffer->size = buffer_bytes(buffer);
    buffer->id = ++device->next_buffer_id;
    buffer->module = gpu_memory_owner_find(device, module);
    /* Some drivers crash if a size exceeds their limits. */
    if (buffer->size > device->largest_buffer) goto fail;
    gpu_texels texels = gpu_device_prefers_texels(device) ? def->texels : GPU_TEXELS_NONE;
    WEIR_GOTO_IF_ERROR(create_handle(device, buffer, texels != GPU_TEXELS_NONE));
    WEIR_GOTO_IF_ERROR(allocate_memory(device, buffer, def->memory));
    if (texels != GPU_TEXELS_NONE) WEIR_GOTO_IF_ERROR(create_view(device, buffer, texels));
    WEIR_GOTO_IF_ERROR(zero_buffer(device, buffer));
    *out = buffer;
    return WEIR_OK;
fail:
    if (result == WEIR_ERROR_MEMORY && !buffer->memory) log_out_of_memory(device, buffer);
    gpu_buffer_destroy(device, &buffer);
    return result;
}

void gpu_buffer_destroy(gpu_device *device, gpu_buffer **pointer)
{
    gpu_buffer *buffer = *pointer;
    if (!buffer) return;
    gpu_device_wait(device);
    if (buffer->shared) gpu_queue_wait(device);
    gpu_descriptor_sets_trim(device);
    device->vk.vkDestroyBufferView(device->handle, buffer->view, device->allocator);
    device->vk.vkDestroyBuffer(device->handle, buffer->handle, device->allocator);
    device->vk.vkFreeMemory(device->handle, buffer->memory, device->allocator);
    if (buffer->memory) gpu_memory_owner_add(device, buffer->module, 0, buffer->size);
    base_free(buffer);
    *pointer = NULL;
}

VkBuffer gpu_buffer_share_with_host(gpu_buffer *buffer)
{
    buffer->shared = true;
    return buffer->handle;
}

weir_result gpu_buffer_borrow(gpu_device *device, VkBuffer handle, uint64_t size, gpu_buffer **out)
{
    *out = base_alloc(1, sizeof **out);
    if (!*out)
        return base_fail(&device->log, WEIR_ERROR_MEMORY,
                         "not enough memory for a buffer of the host's");
    **out =
        (gpu_buffer){.name = "lent", .handle = handle, .size = size, .count = size, .stride = 1};
    return WEIR_OK;
}

void gpu_buffer_release_borrowed(gpu_buffer **buffer)
{
    base_free(*buffer);
    *buffer = NULL;
}

uint64_t gpu_buffer_size(const gpu_buffer *buffer)
{
    return buffer->size;
}
uint64_t gpu_buffer_count(const gpu_buffer *buffer)
{
    return buffer->count;
}

void *gpu_buffer_map(gpu_buffer *buffer)
{
    WEIR_ASSERT(buffer->mapped);
    return buffer->mapped;
}

static weir_result copy_and_wait(gpu_device *device, const gpu_copy *copy)
{
    WEIR_RETURN_IF_ERROR(gpu_record_begin(device));
    WEIR_RETURN_IF_ERROR(gpu_record_copy(device, copy));
    return gpu_record_finish(device);
}

weir_result gpu_buffer_upload(gpu_device *device, gpu_buffer *buffer, uint64_t offset,
                              const void *bytes, uint64_t size)
{
    WEIR_ASSERT(offset <= buffer->size && size <= buffer->size - offset);
    if (buffer->mapped) {
        WEIR_RETURN_IF_ERROR(gpu_device_wait(device));
        memcpy((uint8_t *)buffer->mapped + offset, bytes, size);
        return WEIR_OK;
    }
    for (uint64_t done = 0; done < size;) {
        uint64_t part = size - done < GPU_STAGING_BYTES ? size - done : GPU_STAGING_BYTES;
        memcpy(device->staging->mapped, (const uint8_t *)bytes + done, part);
        WEIR_RETURN_IF_ERROR(copy_and_wait(device, &(gpu_copy){.from = device->staging,
                                                               .to = buffer,
                                                               .to_offset = offset + done,
                                                               .size = part}));
        done += part;
    }
    return WEIR_OK;
}

weir_result gpu_buffer_download(gpu_device *device, const gpu_buffer *buffer, uint64_t offset,
                                void *bytes, uint64_t size)
{
    WEIR_ASSERT(offset <= buffer->size && size <= buffer->size - offset);
    gpu_buffer *from = (gpu_buffer *)buffer;
    if (buffer->mapped) {
        WEIR_RETURN_IF_ERROR(gpu_device_wait(device));
        memcpy(bytes, (const uint8_t *)buffer->mapped + offset, size);
        return WEIR_OK;
    }
    for (uint64_t done = 0; done < size;) {
        uint64_t part = size - done < GPU_STAGING_BYTES ? size - done : GPU_STAGING_BYTES;
        WEIR_RETURN_IF_ERROR(copy_and_wait(device, &(gpu_copy){.from = from,
                                                               .to = device->staging,
                                                               .from_offset = offset + done,
                                                               .size = part}));
        memcpy((uint8_t *)bytes + done, device->staging->mapped, part);
        done += part;
    }
    return WEIR_OK;
}

/* ---- tables of buffers ----------------------------------------------------------------------- */

static weir_result create_row(gpu_device *device, const char *module, const gpu_buffer_row *row,
                              gpu_buffer **buffer)
{
    const gpu_buffer_def def = {.name = row->name, .stride = row->stride, .count = row->count};
    WEIR_RETURN_IF_ERROR(gpu_buffer_create_for_module(device, module, &def, buffer));
    if (!row->contents || row->count == 0) return WEIR_OK;
    return gpu_buffer_upload(device, *buffer, 0, row->contents, row->count * row->stride);
}

weir_result gpu_buffers_create_for_module(gpu_device *device, const char *module,
                                          const gpu_buffer_row *rows, size_t count,
                                          gpu_buffer **buffers)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].stride) WEIR_RETURN_IF_ERROR(create_row(device, module, &rows[i], &buffers[i]));
    return WEIR_OK;
}

void gpu_buffers_destroy(gpu_device *device, gpu_buffer **buffers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        gpu_buffer_destroy(device, &buffers[i]);
}
