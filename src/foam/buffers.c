/* Buffers of whitewater: those of the fluid's points, and those of the whitewater, which grow. */
#include "foam_internal.h"

static weir_result create(foam *f, const char *name, uint32_t stride, uint64_t count,
                          gpu_buffer **buffer)
{
    gpu_buffer_def def = {.name = name, .stride = stride, .count = count};
    if (stride == sizeof(vec4)) def.texels = GPU_FLOATS;
    gpu_buffer_destroy(f->device, buffer);
    return gpu_buffer_create(f->device, &def, buffer);
}

/* One sum for each tile of the longest scan, which goes over a count and one. Without memory there
 * are those that there were. */
static weir_result create_sums(foam *f, uint64_t points, uint64_t particles)
{
    gpu_buffer *made = NULL;
    uint64_t longest = (points > particles ? points : particles) + 1;
    WEIR_NEED(create(f, "foam_sums", 4, longest / GRID_SCAN_TILE + 1, &made));
    gpu_buffer_destroy(f->device, &f->buffers.sums);
    f->buffers.sums = made;
    return WEIR_OK;
}

weir_result foam_fixed_buffers(foam *f)
{
    foam_buffers *b = &f->buffers;
    uint32_t items = f->def.solids ? solid_item_count(f->def.solids) : 0;
    WEIR_NEED(create(f, "foam_params", sizeof(struct foam_params), 1, &b->params));
    WEIR_NEED(create(f, "foam_census", sizeof(struct foam_census), 1, &b->census));
    WEIR_NEED(create(f, "foam_poses", sizeof(struct solid_pose), items, &b->poses));
    return create(f, "foam_nothing", sizeof(struct solid_node), 1, &b->nothing);
}

static weir_result create_grid(foam *f, uint32_t points)
{
    const foam_def *def = &f->def;
    const grid_def cells = {
        .min = def->min,
        .max = def->max,
        .radius = 2.0f * def->spacing_m,
        .periodic = {def->periodic[0], def->periodic[1], def->periodic[2]},
        .capacity.particles = points,
    };
    if (f->cells) return grid_grow(f->device, f->cells, cells.capacity);
    return grid_create(f->device, &cells, &f->cells);
}

weir_result foam_room_for_points(foam *f, uint32_t count)
{
    foam_buffers *b = &f->buffers;
    if (count <= f->point_capacity) return WEIR_OK;
    uint32_t n = count + count / 8u;
    f->point_capacity = 0;
    WEIR_NEED(create_grid(f, n));
    WEIR_NEED(create(f, "foam_points", sizeof(vec4), n, &b->sorted_points));
    WEIR_NEED(create(f, "foam_velocities", sizeof(vec4), n, &b->sorted_velocities));
    WEIR_NEED(create(f, "foam_surfaces", sizeof(vec4), n, &b->surfaces));
    WEIR_NEED(create(f, "foam_potentials", sizeof(vec4), n, &b->potentials));
    WEIR_NEED(create(f, "foam_births", 4, n + 1ull, &b->births));
    WEIR_NEED(create_sums(f, n, f->capacity));
    f->point_capacity = n;
    return WEIR_OK;
}

/* A larger buffer in place of another, if that is too small, with its first `used` elements. */
static weir_result grow(foam *f, const gpu_buffer_def *def, uint64_t used, gpu_buffer **buffer)
{
    weir_result result;
    gpu_buffer *grown = NULL;
    if (*buffer && gpu_buffer_count(*buffer) >= def->count) return WEIR_OK;
    WEIR_TRY(gpu_buffer_create(f->device, def, &grown));
    if (*buffer && used > 0) {
        const gpu_copy copy = {.from = *buffer, .to = grown, .size = used * def->stride};
        WEIR_TRY(gpu_record_begin(f->device));
        WEIR_TRY(gpu_record_copy(f->device, &copy));
        WEIR_TRY(gpu_record_finish(f->device));
    }
    gpu_buffer_destroy(f->device, buffer);
    *buffer = grown;
    return WEIR_OK;
fail:
    gpu_buffer_destroy(f->device, &grown);
    return result;
}

weir_result foam_room_for_particles(foam *f, uint32_t count)
{
    const uint32_t stride = sizeof(struct foam_particle);
    const struct {
        gpu_buffer_def def;
        uint64_t used;
        gpu_buffer **buffer;
    } all[] = {
        {{.name = "foam_particles", .stride = stride, .count = count},
         f->count,
         &f->buffers.particles},
        {{.name = "foam_moved", .stride = stride, .count = count}, f->count, &f->buffers.moved},
        {{.name = "foam_kept", .stride = 4, .count = count + 1ull},
         f->count + 1ull,
         &f->buffers.kept},
    };
    if (count <= f->capacity) return WEIR_OK;
    for (size_t i = 0; i < BASE_COUNT(all); i++)
        WEIR_NEED(grow(f, &all[i].def, all[i].used, all[i].buffer));
    WEIR_NEED(create_sums(f, f->point_capacity, count));
    f->capacity = count;
    return WEIR_OK;
}

void foam_buffers_destroy(foam *f)
{
    gpu_buffer **all = &f->buffers.params;
    for (size_t i = 0; i < FOAM_BUFFERS; i++)
        gpu_buffer_destroy(f->device, &all[i]);
}
