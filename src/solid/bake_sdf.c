/* Bakes one mesh into a signed distance volume on the GPU: a seed per brick, then every node of the
 * grid, in batches that keep each submission short. The sign is added on the CPU. */
#include "solid_internal.h"

#include "solid/shaders.h"

#define BATCH_INVOCATIONS 65536u /* under 100 ms on a GPU for any mesh that fits it */

struct solid_sdf_baker {
    gpu_pipeline *seed, *bake;
};

/* Device buffers of one bake. */
typedef struct bake_buffers {
    gpu_buffer *block, *nodes, *corners, *seeds, *distances, *windings;
} bake_buffers;

weir_result solid_sdf_baker_create(gpu_device *device, solid_sdf_baker **baker)
{
    weir_result result = WEIR_OK;
    const gpu_pipeline_def seed = {.shader = &solid_shaders[SOLID_BAKE_BRICK_CENTRES]};
    const gpu_pipeline_def bake = {.shader = &solid_shaders[SOLID_BAKE_SDF]};
    *baker = base_alloc(1, sizeof **baker);
    if (!*baker)
        return base_fail(gpu_device_log(device), WEIR_ERROR_MEMORY,
                         "not enough memory to bake meshes");
    WEIR_GOTO_IF_ERROR(gpu_pipeline_create(device, &seed, &(*baker)->seed));
    WEIR_GOTO_IF_ERROR(gpu_pipeline_create(device, &bake, &(*baker)->bake));
    return WEIR_OK;
fail:
    solid_sdf_baker_destroy(device, baker);
    return result;
}

void solid_sdf_baker_destroy(gpu_device *device, solid_sdf_baker **baker)
{
    if (!*baker) return;
    gpu_pipeline_destroy(device, &(*baker)->seed);
    gpu_pipeline_destroy(device, &(*baker)->bake);
    base_free(*baker);
    *baker = NULL;
}

static weir_result create_buffer(gpu_device *device, const char *name, size_t stride,
                                 uint64_t count, gpu_buffer **buffer)
{
    const gpu_buffer_def def = {.name = name, .stride = (uint32_t)stride, .count = count};
    const uint64_t limit = gpu_device_storage_range(device);
    if (count > limit / stride)
        return base_fail(gpu_device_log(device), WEIR_ERROR_MEMORY,
                         "baking a mesh: '%s' needs %llu bytes, but the device binds at most %llu; "
                         "use a mesh with fewer triangles",
                         name, (unsigned long long)(count * stride), (unsigned long long)limit);
    return gpu_buffer_create(device, &def, buffer);
}

static struct bake_block fill_bake_params(const struct solid_volume *grid)
{
    uvec4 bricks = {(grid->nx + BAKE_BRICK - 1) / BAKE_BRICK,
                    (grid->ny + BAKE_BRICK - 1) / BAKE_BRICK,
                    (grid->nz + BAKE_BRICK - 1) / BAKE_BRICK, 0};
    bricks.w = bricks.x * bricks.y * bricks.z;
    return (struct bake_block){.nodes = {grid->nx, grid->ny, grid->nz, 0}, .bricks = bricks};
}

static weir_result create_bake_buffers(gpu_device *device, const solid_tree *tree,
                                       const struct solid_volume *grid, bake_buffers *b)
{
    const struct bake_block block = fill_bake_params(grid);
    const uint64_t corners = 9ull * tree->triangle_count;
    WEIR_RETURN_IF_ERROR(create_buffer(device, "bake block", sizeof block, 1, &b->block));
    WEIR_RETURN_IF_ERROR(
        create_buffer(device, "bake tree", sizeof *tree->nodes, tree->node_count, &b->nodes));
    WEIR_RETURN_IF_ERROR(
        create_buffer(device, "bake corners", sizeof(float), corners, &b->corners));
    WEIR_RETURN_IF_ERROR(
        create_buffer(device, "bake seeds", sizeof(struct bake_seed), block.bricks.w, &b->seeds));
    WEIR_RETURN_IF_ERROR(create_buffer(device, "bake distances", sizeof(float),
                                       solid_grid_nodes(grid), &b->distances));
    WEIR_RETURN_IF_ERROR(create_buffer(device, "bake windings", sizeof(float),
                                       solid_grid_nodes(grid), &b->windings));
    WEIR_RETURN_IF_ERROR(gpu_buffer_upload(device, b->block, 0, &block, sizeof block));
    WEIR_RETURN_IF_ERROR(gpu_buffer_upload(device, b->nodes, 0, tree->nodes,
                                           tree->node_count * sizeof *tree->nodes));
    return gpu_buffer_upload(device, b->corners, 0, tree->corners, corners * sizeof(float));
}

static void free_bake_buffers(gpu_device *device, bake_buffers *b)
{
    gpu_buffer **buffers[] = {&b->block, &b->nodes,     &b->corners,
                              &b->seeds, &b->distances, &b->windings};
    for (size_t i = 0; i < BASE_COUNT(buffers); ++i)
        gpu_buffer_destroy(device, buffers[i]);
}

/* Runs a pipeline over `count` invocations, one batch at a time. */
static weir_result dispatch_in_batches(gpu_device *device, const gpu_pipeline *pipeline,
                                       const bake_buffers *b, uint64_t count)
{
    weir_result result = WEIR_OK;
    gpu_pass pass = gpu_pass_make(pipeline, (gpu_dispatch_size){.name = "bricks"});
    gpu_buffer *const buffers[] = {
        [BAKE_BIND_block] = b->block,          [BAKE_BIND_tree_nodes] = b->nodes,
        [BAKE_BIND_tree_corners] = b->corners, [BAKE_BIND_seeds] = b->seeds,
        [BAKE_BIND_distances] = b->distances,  [BAKE_BIND_windings] = b->windings,
    };
    gpu_pass_bind_all(&pass, buffers, BASE_COUNT(buffers));
    for (uint64_t first = 0; first < count && result == WEIR_OK; first += BATCH_INVOCATIONS) {
        uint64_t left = count - first;
        pass.dispatch_size.count = left < BATCH_INVOCATIONS ? left : BATCH_INVOCATIONS;
        pass.constant = (uint32_t)first;
        result = gpu_run_passes(device, &pass, 1);
    }
    return result;
}

weir_result solid_bake_sdf(gpu_device *device, const solid_sdf_baker *baker, const io_mesh *mesh,
                           const struct solid_volume *grid, float *distances)
{
    const weir_log *log = gpu_device_log(device);
    const size_t count = solid_grid_nodes(grid), bytes = count * sizeof(float);
    const uint64_t bricks = fill_bake_params(grid).bricks.w;
    weir_result result = WEIR_OK;
    solid_tree tree = {0};
    bake_buffers b = {0};
    float *windings = base_alloc(count, sizeof *windings);
    if (!windings)
        WEIR_GOTO_IF_ERROR(base_fail(log, WEIR_ERROR_MEMORY,
                                     "not enough memory for a volume of %zu nodes", count));
    WEIR_GOTO_IF_ERROR(solid_tree_build(log, mesh, grid, &tree));
    WEIR_GOTO_IF_ERROR(create_bake_buffers(device, &tree, grid, &b));
    WEIR_GOTO_IF_ERROR(dispatch_in_batches(device, baker->seed, &b, bricks));
    WEIR_GOTO_IF_ERROR(dispatch_in_batches(device, baker->bake, &b, bricks * BAKE_BRICK_NODES));
    WEIR_GOTO_IF_ERROR(gpu_buffer_download(device, b.distances, 0, distances, bytes));
    WEIR_GOTO_IF_ERROR(gpu_buffer_download(device, b.windings, 0, windings, bytes));
    if (!grid->shell) WEIR_GOTO_IF_ERROR(solid_fix_signs(log, grid, windings, distances));
    for (size_t i = 0; i < count; ++i)
        distances[i] *= grid->cell;
fail:
    free_bake_buffers(device, &b);
    solid_tree_free(&tree);
    base_free(windings);
    return result;
}
