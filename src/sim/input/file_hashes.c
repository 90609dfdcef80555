/* Hashes of the bytes of the files that a scene reads. A checkpoint stores the hashes, and a run
 * resumes only with the same bytes, whatever the names of the files. */
#include "io.h"
#include "sim_input.h"

#define MAX_FILE_BYTES ((size_t)8 << 30) /* the limit of io */

static weir_result hash_file(const weir_log *log, const char *path, uint64_t *hash)
{
    base_blob blob;
    WEIR_RETURN_IF_ERROR(base_file_read(log, path, MAX_FILE_BYTES, &blob));
    *hash = base_hash64(blob.bytes, blob.size, *hash);
    base_blob_free(&blob);
    return WEIR_OK;
}

/* Hashes the files of a mesh. All files of a sequence share one hash. */
static weir_result hash_mesh_files(const weir_log *log, const scene_mesh *mesh, uint64_t *hash)
{
    const uint32_t last = mesh->sequence ? mesh->last : mesh->first;
    weir_result result = WEIR_OK;
    for (uint32_t file = mesh->first; result == WEIR_OK && file <= last; file++) {
        char *path = scene_mesh_file(mesh, file);
        result = path ? hash_file(log, path, hash)
                      : base_fail(log, WEIR_ERROR_MEMORY, "%s: not enough memory for a name",
                                  mesh->path);
        base_free(path);
    }
    return result;
}

static weir_result append_file_hash(sim_world *world, const char *path, uint64_t hash)
{
    if (BASE_ARRAY_PUSH(&world->file_hashes, ((sim_file_hash){path, hash}))) return WEIR_OK;
    return base_fail(world->log, WEIR_ERROR_MEMORY, "%s: not enough memory for its hash", path);
}

weir_result sim_hash_files(sim_world *world)
{
    const scene_data *scene = world->scene;
    for (uint32_t i = 0; i < scene->mesh_count; i++) {
        uint64_t hash = 0;
        WEIR_RETURN_IF_ERROR(hash_mesh_files(world->log, &scene->meshes[i], &hash));
        WEIR_RETURN_IF_ERROR(append_file_hash(world, scene->meshes[i].path, hash));
    }
    for (uint32_t i = 0; i < scene->fluid_count; i++)
        for (uint32_t k = 0; k < scene->fluids[i].fill_count; k++) {
            const scene_fill *fill = &scene->fluids[i].fills[k];
            uint64_t hash = 0;
            if (fill->kind != SCENE_FILL_FILE) continue;
            WEIR_RETURN_IF_ERROR(hash_file(world->log, fill->path, &hash));
            WEIR_RETURN_IF_ERROR(append_file_hash(world, fill->path, hash));
        }
    for (uint32_t i = 0; i < scene->force_count; i++) {
        const char *path = scene->forces[i].path;
        uint64_t hash = 0;
        if (!path) continue;
        WEIR_RETURN_IF_ERROR(hash_file(world->log, path, &hash));
        WEIR_RETURN_IF_ERROR(append_file_hash(world, path, hash));
    }
    return WEIR_OK;
}

weir_result sim_check_file_hashes(const sim_world *world, const char *path, const uint64_t *hashes)
{
    for (size_t i = 0; i < world->file_hashes.count; i++) {
        uint64_t saved_hash; /* the block may not be aligned */
        memcpy(&saved_hash, hashes + i, sizeof saved_hash);
        if (saved_hash == world->file_hashes.items[i].hash) continue;
        return base_fail(world->log, WEIR_ERROR_ARGUMENT,
                         "%s was saved with another content of %s: restore that file, or start "
                         "again with --force instead of --resume",
                         path, world->file_hashes.items[i].path);
    }
    return WEIR_OK;
}
