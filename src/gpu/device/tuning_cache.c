/* Stores values measured on a device: in memory for the device's lifetime, and in a small file of
 * the cache folder for later devices with the same driver. A file whose hash does not match is
 * ignored. */
#include "gpu_internal.h"

typedef struct tuning_file {
    char magic[8];
    uint32_t value, pad;
    uint64_t hash; /* of the value, the device, its driver and what was measured */
} tuning_file;

static const char magic[8] = {'w', 'e', 'i', 'r', 'n', 'o', 't', '1'};

uint64_t gpu_device_key(const gpu_device *device, uint64_t seed)
{
    uint64_t key = base_hash64(device->info.name, strlen(device->info.name), seed);
    return base_hash64(device->info.driver, strlen(device->info.driver), key);
}

char *gpu_cache_path(const gpu_device *device, const char *name, uint64_t key)
{
    if (!device->cache_folder) return NULL;
    return base_format("%s/%s-%016llx.bin", device->cache_folder, name, (unsigned long long)key);
}

static uint64_t hash_tuning_key(const gpu_device *device, const char *name, uint64_t made_of)
{
    return gpu_device_key(device, base_hash64(name, strlen(name), made_of));
}

static tuning_file make_tuning_file(uint64_t key, uint32_t value)
{
    tuning_file note = {.value = value, .hash = base_hash64(&value, sizeof value, key)};
    memcpy(note.magic, magic, sizeof magic);
    return note;
}

static bool read_tuning_file(const gpu_device *device, const char *name, gpu_tuning_value *note)
{
    base_blob blob = {0};
    tuning_file found = {0};
    char *path = gpu_cache_path(device, name, note->key);
    if (path && base_path_is_file(path)) base_file_read(NULL, path, sizeof found, &blob);
    if (blob.size == sizeof found) memcpy(&found, blob.bytes, sizeof found);
    const tuning_file whole = make_tuning_file(note->key, found.value);
    bool good = memcmp(&found, &whole, sizeof found) == 0;
    if (blob.bytes && !good)
        base_log(&device->log, WEIR_LOG_DEBUG, "%s is damaged and will be replaced", path);
    note->value = found.value;
    base_blob_free(&blob);
    base_free(path);
    return good;
}

bool gpu_tuning_load(gpu_device *device, const char *name, uint64_t made_of, uint32_t *value)
{
    gpu_tuning_value note = {.key = hash_tuning_key(device, name, made_of)};
    for (size_t i = 0; i < device->tuning_values.count; i++)
        if (device->tuning_values.items[i].key == note.key) {
            *value = device->tuning_values.items[i].value;
            return true;
        }
    if (!read_tuning_file(device, name, &note)) return false;
    *value = note.value;
    (void)BASE_ARRAY_PUSH(&device->tuning_values, note); /* on failure the file is read again */
    return true;
}

void gpu_tuning_store(gpu_device *device, const char *name, uint64_t made_of, uint32_t value)
{
    const gpu_tuning_value note = {hash_tuning_key(device, name, made_of), value};
    const tuning_file file = make_tuning_file(note.key, value);
    char *path = gpu_cache_path(device, name, note.key);
    /* on failure the value is measured again */
    (void)BASE_ARRAY_PUSH(&device->tuning_values, note);
    if (path && base_file_write(NULL, path, &file, sizeof file) != WEIR_OK)
        base_log(&device->log, WEIR_LOG_DEBUG,
                 "%s cannot be written: the tuning will be measured again", path);
    base_free(path);
}
