/* The pipeline cache on disk: one file per device and driver, which speeds up a start and is never
 * required. Drivers trust the bytes that follow their own header, so the file carries a hash, and a
 * file whose hash does not match is ignored. A host stores the same bytes itself. */
#include "gpu_adopt.h"
#include "gpu_internal.h"

#define MAX_CACHE_BYTES ((size_t)256 << 20)

typedef struct file_header {
    char magic[8];
    uint64_t hash; /* of the driver's bytes, which follow */
} file_header;

static const char magic[8] = {'w', 'e', 'i', 'r', 'p', 'i', 'p', '1'};

static char *cache_file_path(const gpu_device *device)
{
    return gpu_cache_path(device, "pipelines", gpu_device_key(device, 0));
}

/* Returns the driver's bytes in `blob`; empty if the hash does not match. */
static base_blob cache_payload(const base_blob *blob)
{
    file_header header;
    if (blob->size < sizeof header) return (base_blob){0};
    memcpy(&header, blob->bytes, sizeof header);
    base_blob inner = {blob->bytes + sizeof header, blob->size - sizeof header};
    bool whole = memcmp(header.magic, magic, sizeof magic) == 0 &&
                 header.hash == base_hash64(inner.bytes, inner.size, 0);
    return whole ? inner : (base_blob){0};
}

weir_result gpu_pipeline_cache_load(gpu_device *device, const base_blob *given)
{
    weir_result result = WEIR_OK;
    base_blob blob = {0};
    char *path = cache_file_path(device);
    if (path && base_path_is_file(path)) base_file_read(NULL, path, MAX_CACHE_BYTES, &blob);
    base_blob inner = cache_payload(given->size ? given : &blob);
    if (blob.bytes || given->size)
        base_log(&device->log, WEIR_LOG_DEBUG,
                 inner.size ? "%s: %zu bytes of pipelines" : "%s is damaged and will be replaced",
                 given->size ? "the host's cache" : path, inner.size);
    device->pipeline_cache_hash = inner.size ? base_hash64(inner.bytes, inner.size, 0) : 0;
    VkPipelineCacheCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
        .initialDataSize = inner.size, /* the driver ignores another device's data */
        .pInitialData = inner.bytes,
    };
    WEIR_GOTO_IF_ERROR(
        GPU_VK(device, vkCreatePipelineCache, &info, device->allocator, &device->pipeline_cache));
fail:
    base_blob_free(&blob);
    base_free(path);
    return result;
}

/* Returns header and driver's bytes; NULL if there are none. */
static uint8_t *serialize_cache(gpu_device *device, size_t *size)
{
    size_t inner = 0;
    file_header header;
    if (device->vk.vkGetPipelineCacheData(device->handle, device->pipeline_cache, &inner, NULL) !=
            VK_SUCCESS ||
        inner == 0 || inner > MAX_CACHE_BYTES - sizeof header)
        return NULL;
    uint8_t *bytes = base_alloc(inner + sizeof header, 1);
    if (bytes && device->vk.vkGetPipelineCacheData(device->handle, device->pipeline_cache, &inner,
                                                   bytes + sizeof header) == VK_SUCCESS) {
        memcpy(header.magic, magic, sizeof magic);
        header.hash = base_hash64(bytes + sizeof header, inner, 0);
        memcpy(bytes, &header, sizeof header);
        *size = inner + sizeof header;
        return bytes;
    }
    base_free(bytes);
    return NULL;
}

static bool cache_has_changed(const gpu_device *device, const uint8_t *bytes)
{
    file_header header;
    memcpy(&header, bytes, sizeof header);
    return header.hash != device->pipeline_cache_hash;
}

void gpu_pipeline_cache_save(gpu_device *device)
{
    char *path = device->pipeline_cache ? cache_file_path(device) : NULL;
    size_t size = 0;
    uint8_t *bytes = path && device->lost == VK_SUCCESS ? serialize_cache(device, &size) : NULL;
    if (bytes && cache_has_changed(device, bytes) &&
        base_file_write(NULL, path, bytes, size) != WEIR_OK)
        base_log(&device->log, WEIR_LOG_DEBUG, "%s cannot be written: pipelines are not cached",
                 path);
    base_free(bytes);
    base_free(path);
}

weir_result gpu_pipeline_cache_get(gpu_device *device, void *bytes, size_t *size)
{
    size_t room = bytes ? *size : 0;
    if (device->lost != VK_SUCCESS) return WEIR_ERROR_DEVICE_LOST;
    uint8_t *packed = serialize_cache(device, size);
    if (!packed)
        return base_fail(&device->log, WEIR_ERROR_MEMORY,
                         "not enough memory for the pipeline cache");
    bool fits = !bytes || *size <= room;
    if (bytes && fits) memcpy(bytes, packed, *size);
    base_free(packed);
    if (fits) return WEIR_OK;
    return base_fail(&device->log, WEIR_ERROR_ARGUMENT,
                     "weir_vulkan_get_pipeline_cache: the buffer has %zu bytes, but %zu are "
                     "needed: query the size after all pipelines were created",
                     room, *size);
}
