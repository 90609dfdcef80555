/* The files that a scene reads, by hashes of their bytes. A checkpoint keeps the hashes, and a run
 * resumes with the same bytes only, whatever the files' names. */
#include "io.h"
#include "sim_internal.h"

#define FILE_MOST ((size_t)8 << 30) /* as io reads them */

static weir_result add_bytes(const weir_log *log, const char *path, uint64_t *hash)
{
    base_blob blob;
    WEIR_NEED(base_file_read(log, path, FILE_MOST, &blob));
    *hash = base_hash64(blob.bytes, blob.size, *hash);
    base_blob_free(&blob);
    return WEIR_OK;
}

/* Of a sequence, all its files in one hash. */
static weir_result hash_mesh(const weir_log *log, const scene_mesh *mesh, uint64_t *hash)
{
    const uint32_t last = mesh->sequence ? mesh->last : mesh->first;
    weir_result result = WEIR_OK;
    for (uint32_t file = mesh->first; result == WEIR_OK && file <= last; file++) {
        char *path = scene_mesh_file(mesh, file);
        result = path ? add_bytes(log, path, hash)
                      : base_fail(log, WEIR_MEMORY, "%s: no memory for a name", mesh->path);
        base_free(path);
    }
    return result;
}

static weir_result add_file(sim_world *world, const char *path, uint64_t hash)
{
    if (BASE_PUSH(&world->files, ((sim_file){path, hash}))) return WEIR_OK;
    return base_fail(world->log, WEIR_MEMORY, "%s: no memory for its hash", path);
}

weir_result sim_files_hash(sim_world *world)
{
    const scene_data *scene = world->scene;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        uint64_t hash = 0;
        WEIR_NEED(hash_mesh(world->log, &scene->meshes[i], &hash));
        WEIR_NEED(add_file(world, scene->meshes[i].path, hash));
    }
    for (uint32_t i = 0; i < scene->fluid_count; i++)
        for (uint32_t k = 0; k < scene->fluids[i].fill_count; k++) {
            const scene_fill *fill = &scene->fluids[i].fills[k];
            uint64_t hash = 0;
            if (fill->kind != SCENE_FILL_FILE) continue;
            WEIR_NEED(add_bytes(world->log, fill->path, &hash));
            WEIR_NEED(add_file(world, fill->path, hash));
        }
    return WEIR_OK;
}

weir_result sim_files_check(const sim_world *world, const char *path, const uint64_t *hashes)
{
    for (size_t i = 0; i < world->files.count; i++) {
        uint64_t then; /* the block may not be aligned */
        memcpy(&then, hashes + i, sizeof then);
        if (then == world->files.items[i].hash) continue;
        return base_fail(
            world->log, WEIR_ARGUMENT,
            "%s was saved when %s held something else: put back the file as it was, or "
            "start anew with --force instead of --resume",
            path, world->files.items[i].path);
    }
    return WEIR_OK;
}
