/* Buffers of whitewater: those of the fluid's particles, and those of the whitewater, which
 * grow. */
#include "whitewater_internal.h"

static weir_result create_buffer(whitewater *f, const char *name, uint32_t stride, uint64_t count,
                                 gpu_buffer **buffer)
{
    gpu_buffer_def def = {.name = name, .stride = stride, .count = count};
    if (stride == sizeof(vec4)) def.texels = GPU_TEXELS_VEC4;
    gpu_buffer_destroy(f->device, buffer);
    return gpu_buffer_create(f->device, &def, buffer);
}

/* Creates one sum for each tile of the longest scan, which has one element more than there are
 * particles. If memory is short, the old buffer is kept. */
static weir_result create_scan_sums(whitewater *f, uint64_t points, uint64_t particles)
{
    gpu_buffer *made = NULL;
    uint64_t longest = (points > particles ? points : particles) + 1;
    WEIR_RETURN_IF_ERROR(
        create_buffer(f, "whitewater_sums", 4, longest / GRID_SCAN_TILE + 1, &made));
    gpu_buffer_destroy(f->device, &f->buffers.sums);
    f->buffers.sums = made;
    return WEIR_OK;
}

weir_result whitewater_create_buffers(whitewater *f)
{
    whitewater_buffers *b = &f->buffers;
    uint32_t items = f->def.solids ? solid_item_count(f->def.solids) : 0;
    WEIR_RETURN_IF_ERROR(
        create_buffer(f, "whitewater_params", sizeof(struct whitewater_params), 1, &b->params));
    WEIR_RETURN_IF_ERROR(create_buffer(f, "whitewater_counters", sizeof(struct whitewater_counters),
                                       1, &b->counters));
    WEIR_RETURN_IF_ERROR(
        create_buffer(f, "whitewater_poses", sizeof(struct solid_pose), items, &b->poses));
    return create_buffer(f, "whitewater_nothing", sizeof(struct solid_node), 1, &b->empty_buffer);
}

static weir_result create_grid(whitewater *f, uint32_t points)
{
    const whitewater_def *def = &f->def;
    const grid_def cells = {
        .min = def->min,
        .max = def->max,
        .radius = 2.0f * def->spacing_m,
        .periodic = {def->periodic[0], def->periodic[1], def->periodic[2]},
        .capacity.particles = points,
    };
    if (f->grid) return grid_grow(f->device, f->grid, cells.capacity);
    return grid_create(f->device, &cells, &f->grid);
}

weir_result whitewater_reserve_points(whitewater *f, uint32_t count)
{
    whitewater_buffers *b = &f->buffers;
    if (count <= f->point_capacity) return WEIR_OK;
    uint32_t n = count + count / 8u;
    f->point_capacity = 0;
    WEIR_RETURN_IF_ERROR(create_grid(f, n));
    WEIR_RETURN_IF_ERROR(create_buffer(f, "whitewater_points", sizeof(vec4), n, &b->sorted_points));
    WEIR_RETURN_IF_ERROR(
        create_buffer(f, "whitewater_velocities", sizeof(vec4), n, &b->sorted_velocities));
    WEIR_RETURN_IF_ERROR(create_buffer(f, "whitewater_surfaces", sizeof(vec4), n, &b->surfaces));
    WEIR_RETURN_IF_ERROR(
        create_buffer(f, "whitewater_potentials", sizeof(vec4), n, &b->potentials));
    WEIR_RETURN_IF_ERROR(
        create_buffer(f, "whitewater_emission", 4, n + 1ull, &b->emission_offsets));
    WEIR_RETURN_IF_ERROR(create_scan_sums(f, n, f->capacity));
    f->point_capacity = n;
    return WEIR_OK;
}

/* Replaces a buffer that is too small by a larger one, and copies its first `used` elements. */
static weir_result grow_buffer(whitewater *f, const gpu_buffer_def *def, uint64_t used,
                               gpu_buffer **buffer)
{
    weir_result result;
    gpu_buffer *grown = NULL;
    if (*buffer && gpu_buffer_count(*buffer) >= def->count) return WEIR_OK;
    WEIR_GOTO_IF_ERROR(gpu_buffer_create(f->device, def, &grown));
    if (*buffer && used > 0) {
        const gpu_copy copy = {.from = *buffer, .to = grown, .size = used * def->stride};
        WEIR_GOTO_IF_ERROR(gpu_record_begin(f->device));
        WEIR_GOTO_IF_ERROR(gpu_record_copy(f->device, &copy));
        WEIR_GOTO_IF_ERROR(gpu_record_finish(f->device));
    }
    gpu_buffer_destroy(f->device, buffer);
    *buffer = grown;
    return WEIR_OK;
fail:
    gpu_buffer_destroy(f->device, &grown);
    return result;
}

weir_result whitewater_reserve_particles(whitewater *f, uint32_t count)
{
    const uint32_t stride = sizeof(struct whitewater_particle);
    const struct {
        gpu_buffer_def def;
        uint64_t used;
        gpu_buffer **buffer;
    } all[] = {
        {{.name = "whitewater_particles", .stride = stride, .count = count},
         f->count,
         &f->buffers.particles},
        {{.name = "whitewater_advected", .stride = stride, .count = count},
         f->count,
         &f->buffers.advected_particles},
        {{.name = "whitewater_survivors", .stride = 4, .count = count + 1ull},
         f->count + 1ull,
         &f->buffers.survivor_offsets},
    };
    if (count <= f->capacity) return WEIR_OK;
    for (size_t i = 0; i < BASE_COUNT(all); i++)
        WEIR_RETURN_IF_ERROR(grow_buffer(f, &all[i].def, all[i].used, all[i].buffer));
    WEIR_RETURN_IF_ERROR(create_scan_sums(f, f->point_capacity, count));
    f->capacity = count;
    return WEIR_OK;
}

void whitewater_buffers_destroy(whitewater *f)
{
    gpu_buffer **all = &f->buffers.params;
    for (size_t i = 0; i < WHITEWATER_BUFFER_COUNT; i++)
        gpu_buffer_destroy(f->device, &all[i]);
}
