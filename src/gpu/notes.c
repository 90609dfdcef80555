/* What was measured on a device, kept for as long as it lives, and for later ones of the same
 * driver in a small file of the cache folder. A file whose hash does not match is as good as none.
 */
#include "gpu_internal.h"

typedef struct file_note {
    char magic[8];
    uint32_t value, pad;
    uint64_t hash; /* of the value and of the device, its driver and what was measured */
} file_note;

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

static uint64_t note_key(const gpu_device *device, const char *name, uint64_t made_of)
{
    return gpu_device_key(device, base_hash64(name, strlen(name), made_of));
}

static file_note make_note(uint64_t key, uint32_t value)
{
    file_note note = {.value = value, .hash = base_hash64(&value, sizeof value, key)};
    memcpy(note.magic, magic, sizeof magic);
    return note;
}

static bool read_note(const gpu_device *device, const char *name, gpu_note *note)
{
    base_blob blob = {0};
    file_note found = {0};
    char *path = gpu_cache_path(device, name, note->key);
    if (path && base_path_is_file(path)) base_file_read(NULL, path, sizeof found, &blob);
    if (blob.size == sizeof found) memcpy(&found, blob.bytes, sizeof found);
    const file_note whole = make_note(note->key, found.value);
    bool good = memcmp(&found, &whole, sizeof found) == 0;
    if (blob.bytes && !good)
        base_log(&device->log, WEIR_LOG_DEBUG, "%s is damaged and will be replaced", path);
    note->value = found.value;
    base_blob_free(&blob);
    base_free(path);
    return good;
}

bool gpu_device_recall(gpu_device *device, const char *name, uint64_t made_of, uint32_t *value)
{
    gpu_note note = {.key = note_key(device, name, made_of)};
    for (size_t i = 0; i < device->notes.count; i++)
        if (device->notes.items[i].key == note.key) {
            *value = device->notes.items[i].value;
            return true;
        }
    if (!read_note(device, name, &note)) return false;
    *value = note.value;
    (void)BASE_PUSH(&device->notes, note); /* else the file is read again */
    return true;
}

void gpu_device_remember(gpu_device *device, const char *name, uint64_t made_of, uint32_t value)
{
    const gpu_note note = {note_key(device, name, made_of), value};
    const file_note file = make_note(note.key, value);
    char *path = gpu_cache_path(device, name, note.key);
    (void)BASE_PUSH(&device->notes, note); /* else it is measured again */
    if (path && base_file_write(NULL, path, &file, sizeof file) != WEIR_OK)
        base_log(&device->log, WEIR_LOG_DEBUG, "%s cannot be written: it is measured again", path);
    base_free(path);
}
