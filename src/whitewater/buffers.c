/* Buffers of whitewater: those of the fluid's particles, and those of the whitewater, which
 * grow. */
#include "whitewater_internal.h"

typedef enum buffer_count {
    COUNT_ONE,
    COUNT_POSES,             /* items of the solids */
    COUNT_EMITTER_PARTICLES, /* that emitters add in a frame */
    COUNT_POINTS,
    COUNT_SCANNED_POINTS,
    COUNT_PARTICLES,
    COUNT_SCANNED_PARTICLES,
    COUNT_PARTICLE_ATTRIBUTES, /* vectors of the particles' attributes */
} buffer_count;

typedef struct buffer_row {
    const char *name;
    uint32_t stride; /* 0: memory of another module */
    gpu_texels texels;
    buffer_count count;
} buffer_row;

static const buffer_row rows[WHITEWATER_BINDINGS] = {
#define BUFFER(name, type, count) \
    [WHITEWATER_BIND_##           \
        name] = {"whitewater_" #name, sizeof(type), GPU_TEXELS_OF(type), COUNT_##count},
#include "shared/whitewater_buffers.def"
};

static bool is_counted(const buffer_row *row, buffer_count first, buffer_count last)
{
    return row->stride && row->count >= first && row->count <= last;
}

/* Returns the definition of a buffer of n points or particles. */
static gpu_buffer_def buffer_def(const whitewater *f, const buffer_row *row, uint64_t n)
{
    if (row->count == COUNT_PARTICLE_ATTRIBUTES) n *= whitewater_attribute_vectors(f);
    bool scanned = row->count == COUNT_SCANNED_POINTS || row->count == COUNT_SCANNED_PARTICLES;
    return (gpu_buffer_def){
        .name = row->name, .stride = row->stride, .count = n + scanned, .texels = row->texels};
}

/* Creates the buffers of a count again, with room for n; their contents are lost. */
static weir_result create_buffers(whitewater *f, buffer_count first, buffer_count last, uint64_t n)
{
    for (size_t i = 0; i < WHITEWATER_BINDINGS; i++) {
        if (!is_counted(&rows[i], first, last)) continue;
        const gpu_buffer_def def = buffer_def(f, &rows[i], n);
        gpu_buffer_destroy(f->device, &f->buffers.all[i]);
        WEIR_RETURN_IF_ERROR(gpu_buffer_create(f->device, &def, &f->buffers.all[i]));
    }
    return WEIR_OK;
}

/* Creates one sum for each tile of the longest scan, which has one element more than there are
 * particles. If memory is short, the old buffer is kept. */
static weir_result create_scan_sums(whitewater *f, uint64_t points, uint64_t particles)
{
    gpu_buffer *made = NULL;
    uint64_t longest = (points > particles ? points : particles) + 1;
    const gpu_buffer_def def = {
        .name = "whitewater_sums", .stride = 4, .count = longest / GRID_SCAN_TILE + 1};
    WEIR_RETURN_IF_ERROR(gpu_buffer_create(f->device, &def, &made));
    gpu_buffer_destroy(f->device, &f->scan_sums);
    f->scan_sums = made;
    return WEIR_OK;
}

weir_result whitewater_create_buffers(whitewater *f)
{
    const gpu_buffer_def empty = {
        .name = "whitewater_nothing", .stride = sizeof(struct solid_node), .count = 1};
    uint32_t items = f->def.solids ? solid_item_count(f->def.solids) : 0;
    WEIR_RETURN_IF_ERROR(create_buffers(f, COUNT_ONE, COUNT_ONE, 1));
    WEIR_RETURN_IF_ERROR(create_buffers(f, COUNT_POSES, COUNT_POSES, items));
    WEIR_RETURN_IF_ERROR(whitewater_reserve_emitter_particles(f, 1));
    return gpu_buffer_create(f->device, &empty, &f->empty_buffer);
}

weir_result whitewater_reserve_emitter_particles(whitewater *f, uint32_t count)
{
    if (f->buffers.emitter_particles && gpu_buffer_count(f->buffers.emitter_particles) >= count)
        return WEIR_OK;
    return create_buffers(f, COUNT_EMITTER_PARTICLES, COUNT_EMITTER_PARTICLES, count + count / 2u);
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
    if (count <= f->point_capacity) return WEIR_OK;
    uint32_t n = count + count / 8u;
    f->point_capacity = 0;
    WEIR_RETURN_IF_ERROR(create_grid(f, n));
    WEIR_RETURN_IF_ERROR(create_buffers(f, COUNT_POINTS, COUNT_SCANNED_POINTS, n));
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
    if (count <= f->capacity) return WEIR_OK;
    for (size_t i = 0; i < WHITEWATER_BINDINGS; i++) {
        if (!is_counted(&rows[i], COUNT_PARTICLES, COUNT_PARTICLE_ATTRIBUTES)) continue;
        const gpu_buffer_def def = buffer_def(f, &rows[i], count);
        uint64_t used = buffer_def(f, &rows[i], f->count).count;
        WEIR_RETURN_IF_ERROR(grow_buffer(f, &def, used, &f->buffers.all[i]));
    }
    WEIR_RETURN_IF_ERROR(create_scan_sums(f, f->point_capacity, count));
    f->capacity = count;
    return WEIR_OK;
}

void whitewater_buffers_destroy(whitewater *f)
{
    gpu_buffers_destroy(f->device, f->buffers.all, WHITEWATER_BINDINGS);
    gpu_buffer_destroy(f->device, &f->scan_sums);
    gpu_buffer_destroy(f->device, &f->empty_buffer);
}
