/* Stores baked volumes in the device's cache folder, each under a hash of its inputs. */
#include "solid_internal.h"

#define CACHE_VERSION 1u /* increase it when the baker's results change */

static const char cache_kind[8] = "volume";

char *solid_cache_path(const gpu_device *device, const io_mesh *mesh,
                       const struct solid_volume *grid)
{
    const char *folder = gpu_device_cache_folder(device);
    if (!folder) return NULL;
    const uint32_t version = CACHE_VERSION;
    const size_t corners = 3 * (size_t)mesh->triangle_count;
    uint64_t hash = base_hash64(&version, sizeof version, 0);
    hash = base_hash64(grid, sizeof *grid, hash);
    hash = base_hash64(mesh->vertices, mesh->vertex_count * sizeof *mesh->vertices, hash);
    hash = base_hash64(mesh->indices, corners * sizeof *mesh->indices, hash);
    char *name = base_format("volume_%016llx.weir", (unsigned long long)hash);
    char *path = name ? base_path_join(folder, name) : NULL;
    base_free(name);
    return path;
}

static const io_block *find_block(const io_block *blocks, size_t count, const char *tag,
                                  size_t size)
{
    const io_block *block = io_block_find(blocks, count, tag);
    return block && block->size == size ? block : NULL;
}

bool solid_cache_load(const weir_log *log, const char *path, const struct solid_volume *grid,
                      float *distances)
{
    if (!path || !base_path_is_file(path)) return false;
    const size_t bytes = solid_grid_nodes(grid) * sizeof *distances;
    io_block_file state;
    bool good = io_block_file_read(NULL, path, cache_kind, &state) == WEIR_OK;
    if (good) {
        const io_block *header = find_block(state.blocks, state.count, "grid", sizeof *grid);
        const io_block *values = find_block(state.blocks, state.count, "distance", bytes);
        good = header && values && memcmp(header->bytes, grid, sizeof *grid) == 0;
        if (good) memcpy(distances, values->bytes, bytes);
    }
    if (!good)
        base_log(log, WEIR_LOG_WARNING, "%s: not a cached volume of this version; baking it again",
                 path);
    io_block_file_free(&state);
    return good;
}

void solid_cache_store(const weir_log *log, const char *path, const struct solid_volume *grid,
                       const float *distances)
{
    if (!path) return;
    const io_block blocks[] = {
        {"grid", grid, sizeof *grid},
        {{'d', 'i', 's', 't', 'a', 'n', 'c', 'e'},
         distances,
         solid_grid_nodes(grid) * sizeof *distances},
    };
    char *folder = base_path_folder(path);
    bool stored =
        folder && base_folder_make(NULL, folder) == WEIR_OK &&
        io_block_file_write(NULL, path, cache_kind, blocks, BASE_COUNT(blocks)) == WEIR_OK;
    if (!stored)
        base_log(log, WEIR_LOG_WARNING,
                 "%s: cannot be written; the mesh will be baked again next time", path);
    base_free(folder);
}
