/* Estimates the spacing of particles from their density, for files that do not name it. */
#include "api_internal.h"

#include <stdlib.h>

enum {
    SAMPLES = 1024, /* particles whose density is taken */
    PER_CELL = 8,   /* particles wanted in a cell that is not empty, when the search starts */
    SCALINGS = 40,
    REFINEMENTS = 3,
};

typedef struct cells {
    const vec3 *position;
    uint32_t count;
    vec3 low;
    float size; /* of a cell */
    uint32_t mask;
    uint32_t *start, *items; /* [mask + 2], [count] */
} cells;

typedef struct cell {
    int64_t x, y, z;
} cell;

/* Along one axis, at least 0; distances of more cells than 62 bits hold share the last cell. */
static int64_t cell_index(float distance, float size)
{
    return (int64_t)fmin((double)distance / (double)size, 0x1p62);
}

static cell cell_of(const cells *cells, vec3 p)
{
    return (cell){cell_index(p.x - cells->low.x, cells->size),
                  cell_index(p.y - cells->low.y, cells->size),
                  cell_index(p.z - cells->low.z, cells->size)};
}

static uint32_t bucket_of(const cells *cells, cell at)
{
    uint64_t key =
        (uint64_t)at.x * 73856093u ^ (uint64_t)at.y * 19349663u ^ (uint64_t)at.z * 83492791u;
    return (uint32_t)base_mix64(key) & cells->mask;
}

/* A counting sort by bucket; the particles keep their order within one. */
static void sort_into(cells *cells, float size)
{
    cells->size = size;
    memset(cells->start, 0, ((size_t)cells->mask + 2) * sizeof *cells->start);
    for (uint32_t i = 0; i < cells->count; i++)
        cells->start[bucket_of(cells, cell_of(cells, cells->position[i])) + 1]++;
    for (uint32_t b = 0; b <= cells->mask; b++)
        cells->start[b + 1] += cells->start[b];
    for (uint32_t i = cells->count; i-- > 0;) {
        uint32_t bucket = bucket_of(cells, cell_of(cells, cells->position[i]));
        cells->items[--cells->start[bucket + 1]] = i;
    }
    /* start[b + 1] is now the first item of bucket b: move the starts down by one. */
    memmove(cells->start, cells->start + 1, ((size_t)cells->mask + 1) * sizeof *cells->start);
    cells->start[cells->mask + 1] = cells->count;
}

/* Particles per used bucket. */
static double mean_load(const cells *cells)
{
    uint32_t used = 0;
    for (uint32_t b = 0; b <= cells->mask; b++)
        used += cells->start[b + 1] > cells->start[b];
    return used ? (double)cells->count / used : 0;
}

/* Cubic spline of support `reach` without its constant. It is smooth enough to give a lattice and a
 * random cloud of one density nearly the same sum. */
static double spline(double distance, double reach)
{
    double q = 2 * distance / reach;
    if (q >= 2) return 0;
    return q < 1 ? 1 - 1.5 * q * q + 0.75 * q * q * q : 0.25 * (2 - q) * (2 - q) * (2 - q);
}

/* Particles per m3 around one of them; a cell is `reach` wide. */
static double density_at(const cells *cells, uint32_t index, double reach)
{
    const double pi = 3.14159265358979323846;
    double sum = 0;
    vec3 p = cells->position[index];
    cell at = cell_of(cells, p);
    for (int k = 0; k < 27; k++) {
        cell near = {at.x + k % 3 - 1, at.y + k / 3 % 3 - 1, at.z + k / 9 - 1};
        uint32_t bucket = bucket_of(cells, near);
        for (uint32_t i = cells->start[bucket]; i < cells->start[bucket + 1]; i++) {
            vec3 other = cells->position[cells->items[i]];
            cell its = cell_of(cells, other);
            if (its.x != near.x || its.y != near.y || its.z != near.z) continue;
            sum += spline((double)vec3_length(vec3_sub(other, p)), reach);
        }
    }
    double half = 0.5 * reach;
    return sum / (pi * half * half * half);
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The density inside the cloud: the upper quartile, because it is too low near the surface. */
static double inner_density(const cells *cells, double reach, double *samples)
{
    uint32_t step = cells->count / SAMPLES + 1, count = 0;
    for (uint32_t i = 0; i < cells->count; i += step)
        samples[count++] = density_at(cells, i, reach);
    qsort(samples, count, sizeof *samples, compare_doubles);
    return samples[count - 1 - count / 4];
}

static float refine(cells *cells, float spacing, double *samples)
{
    const float reach = 3; /* in spacings: about 110 particles */
    for (int i = 0; i < REFINEMENTS && spacing > 0; i++) {
        sort_into(cells, reach * spacing);
        double density = inner_density(cells, (double)(reach * spacing), samples);
        spacing = density > 0 ? (float)cbrt(1 / density) : 0;
    }
    return spacing;
}

/* Halves or doubles the cells until those in use hold a few particles each: a few far particles
 * can make the box much larger than the cloud. */
static float start_size(cells *cells, float extent)
{
    float size = extent / 16;
    for (int i = 0; i < SCALINGS; i++) {
        sort_into(cells, size);
        double load = mean_load(cells);
        if (load > 2.0 * (double)PER_CELL)
            size *= 0.5f;
        else if (load < 0.5 * (double)PER_CELL && size < extent)
            size *= 2;
        else
            break;
    }
    return size / (float)cbrt((double)PER_CELL);
}

weir_result api_estimate_spacing(const weir_log *log, const vec3 *position, uint32_t count,
                                 float *spacing_m)
{
    *spacing_m = 0;
    if (count < 2) return WEIR_OK;
    vec3 low, high;
    api_box(position, count, &low, &high);
    vec3 size = vec3_sub(high, low);
    float extent = fmaxf(size.x, fmaxf(size.y, size.z));
    if (!(extent > 0) || !isfinite(extent)) return WEIR_OK;

    uint32_t mask = 1;
    while (mask < count && mask < (1u << 24))
        mask = 2 * mask + 1;
    cells cells = {.position = position, .count = count, .low = low, .mask = mask};
    cells.start = base_alloc((size_t)mask + 2, sizeof *cells.start);
    cells.items = base_alloc(count, sizeof *cells.items);
    double *samples = base_alloc(SAMPLES + 1, sizeof *samples);
    weir_result result = WEIR_OK;
    if (cells.start && cells.items && samples)
        *spacing_m = refine(&cells, start_size(&cells, extent), samples);
    else
        result = base_fail(log, WEIR_MEMORY, "no memory to estimate the particle spacing");
    base_free(cells.start);
    base_free(cells.items);
    base_free(samples);
    return result;
}
