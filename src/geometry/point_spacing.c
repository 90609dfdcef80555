/* Computes the bounding box of points, and estimates their spacing from their density, for files
 * that do not state it. */
#include "geometry.h"

#include <stdlib.h>

enum {
    DENSITY_SAMPLES = 1024, /* particles whose density is sampled */
    BOX_SAMPLES = 4096,     /* particles whose coordinates are sampled */
    INITIAL_PER_CELL = 8, /* target number of particles per occupied cell for the first estimate */
    MAX_SCALINGS = 40,
    REFINEMENTS = 3,
};

typedef struct cell_grid {
    const vec3 *position;
    uint32_t count;
    vec3 low;
    float size; /* edge of a cell, m */
    uint32_t mask;
    uint32_t *start;  /* [mask + 2] first item of each bucket */
    uint32_t *bucket; /* [count] bucket of each particle */
    uint32_t *items;  /* [count] particles by bucket */
} cell_grid;

typedef struct cell {
    int64_t x, y, z;
} cell;

/* Returns the index of a cell along one axis, at least 0, clamped to 2^62. */
static int64_t cell_index(float distance, float size)
{
    const double index = (double)distance / (double)size;
    return (int64_t)(index < 0x1p62 ? index : 0x1p62);
}

static cell cell_of(const cell_grid *cell_grid, vec3 p)
{
    return (cell){cell_index(p.x - cell_grid->low.x, cell_grid->size),
                  cell_index(p.y - cell_grid->low.y, cell_grid->size),
                  cell_index(p.z - cell_grid->low.z, cell_grid->size)};
}

static uint32_t bucket_of(const cell_grid *cell_grid, cell at)
{
    uint64_t key =
        (uint64_t)at.x * 73856093u ^ (uint64_t)at.y * 19349663u ^ (uint64_t)at.z * 83492791u;
    return (uint32_t)base_hash_mix64(key) & cell_grid->mask;
}

/* Finds the bucket of every particle, and counts the particles of bucket b in start[b + 1]. */
static void count_in_cells(cell_grid *cell_grid, float size)
{
    cell_grid->size = size;
    memset(cell_grid->start, 0, ((size_t)cell_grid->mask + 2) * sizeof *cell_grid->start);
    for (uint32_t i = 0; i < cell_grid->count; i++) {
        cell_grid->bucket[i] = bucket_of(cell_grid, cell_of(cell_grid, cell_grid->position[i]));
        cell_grid->start[cell_grid->bucket[i] + 1]++;
    }
}

/* Sorts the particles by bucket with a stable counting sort. */
static void sort_by_cell(cell_grid *cell_grid, float size)
{
    count_in_cells(cell_grid, size);
    for (uint32_t b = 0; b <= cell_grid->mask; b++)
        cell_grid->start[b + 1] += cell_grid->start[b];
    for (uint32_t i = cell_grid->count; i-- > 0;)
        cell_grid->items[--cell_grid->start[cell_grid->bucket[i] + 1]] = i;
    /* start[b + 1] is now the first item of bucket b: shift the starts down by one. */
    memmove(cell_grid->start, cell_grid->start + 1,
            ((size_t)cell_grid->mask + 1) * sizeof *cell_grid->start);
    cell_grid->start[cell_grid->mask + 1] = cell_grid->count;
}

/* Returns the mean number of particles per occupied bucket of cells of `size`. */
static double mean_bucket_count(cell_grid *cell_grid, float size)
{
    uint32_t used = 0;
    count_in_cells(cell_grid, size);
    for (uint32_t b = 0; b <= cell_grid->mask; b++)
        used += cell_grid->start[b + 1] > 0;
    return used ? (double)cell_grid->count / used : 0;
}

/* Evaluates an unnormalized cubic spline with support radius `reach`. It is smooth enough that a
 * lattice and a random cloud of the same density give nearly the same sum. */
static double spline_kernel(double distance, double reach)
{
    double q = 2 * distance / reach;
    if (q >= 2) return 0;
    return q < 1 ? 1 - 1.5 * q * q + 0.75 * q * q * q : 0.25 * (2 - q) * (2 - q) * (2 - q);
}

/* Returns the number density at a particle, 1/m3; the cells are `reach` wide. */
static double density_at(const cell_grid *cell_grid, uint32_t index, double reach)
{
    const double pi = 3.14159265358979323846;
    double sum = 0;
    vec3 p = cell_grid->position[index];
    cell at = cell_of(cell_grid, p);
    for (int k = 0; k < 27; k++) {
        cell near = {at.x + k % 3 - 1, at.y + k / 3 % 3 - 1, at.z + k / 9 - 1};
        uint32_t bucket = bucket_of(cell_grid, near);
        for (uint32_t i = cell_grid->start[bucket]; i < cell_grid->start[bucket + 1]; i++) {
            vec3 other = cell_grid->position[cell_grid->items[i]];
            cell its = cell_of(cell_grid, other);
            if (its.x != near.x || its.y != near.y || its.z != near.z) continue;
            sum += spline_kernel((double)vec3_length(vec3_sub(other, p)), reach);
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

/* Estimates the density inside the cloud as the upper quartile of the samples, because density is
 * too low near the surface. */
static double inner_density(const cell_grid *cell_grid, double reach, double *samples)
{
    uint32_t step = cell_grid->count / DENSITY_SAMPLES + 1, count = 0;
    for (uint32_t i = 0; i < cell_grid->count; i += step)
        samples[count++] = density_at(cell_grid, i, reach);
    qsort(samples, count, sizeof *samples, compare_doubles);
    return samples[count - 1 - count / 4];
}

static float refine_spacing(cell_grid *cell_grid, float spacing, double *samples)
{
    const float reach = 3; /* in spacings: about 110 particles */
    for (int i = 0; i < REFINEMENTS && spacing > 0; i++) {
        sort_by_cell(cell_grid, reach * spacing);
        double density = inner_density(cell_grid, (double)(reach * spacing), samples);
        spacing = density > 0 ? (float)cbrt(1 / density) : 0;
    }
    return spacing;
}

/* Returns a first estimate of the spacing: halves or doubles the cell size until occupied cells
 * contain a few particles each, because a few distant particles can make the box much larger than
 * the cloud. */
static float initial_cell_size(cell_grid *cell_grid, float extent)
{
    float size = extent / 16;
    for (int i = 0; i < MAX_SCALINGS; i++) {
        double load = mean_bucket_count(cell_grid, size);
        if (load > 2.0 * (double)INITIAL_PER_CELL)
            size *= 0.5f;
        else if (load < 0.5 * (double)INITIAL_PER_CELL && size < extent)
            size *= 2;
        else
            break;
    }
    return size / (float)cbrt((double)INITIAL_PER_CELL);
}

void points_bounding_box(const vec3 *positions, size_t count, vec3 *min, vec3 *max)
{
    *min = vec3_make(INFINITY, INFINITY, INFINITY);
    *max = vec3_make(-INFINITY, -INFINITY, -INFINITY);
    for (size_t i = 0; i < count; i++) {
        *min = vec3_min(*min, positions[i]);
        *max = vec3_max(*max, positions[i]);
    }
}

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Sorts a sample of one coordinate and returns its 1st and 99th percentile. */
static void find_middle(const vec3 *positions, size_t count, int axis, float *low, float *high)
{
    float samples[BOX_SAMPLES];
    const size_t step = (count + BOX_SAMPLES - 1) / BOX_SAMPLES;
    size_t found = 0;
    for (size_t i = 0; i < count; i += step)
        samples[found++] = (&positions[i].x)[axis];
    qsort(samples, found, sizeof *samples, compare_floats);
    *low = samples[found / 100];
    *high = samples[found - 1 - found / 100];
}

void points_bulk_box(const vec3 *positions, size_t count, vec3 *min, vec3 *max)
{
    find_middle(positions, count, 0, &min->x, &max->x);
    find_middle(positions, count, 1, &min->y, &max->y);
    find_middle(positions, count, 2, &min->z, &max->z);
    vec3 size = vec3_sub(*max, *min);
    float edge = fmaxf(size.x, fmaxf(size.y, size.z));
    *min = vec3_sub(*min, vec3_make(edge, edge, edge));
    *max = vec3_add(*max, vec3_make(edge, edge, edge));
}

weir_result points_estimate_spacing(const weir_log *log, const vec3 *position, uint32_t count,
                                    float *spacing_m)
{
    *spacing_m = 0;
    if (count < 2) return WEIR_OK;
    vec3 low, high;
    points_bounding_box(position, count, &low, &high);
    vec3 size = vec3_sub(high, low);
    float extent = fmaxf(size.x, fmaxf(size.y, size.z));
    if (!(extent > 0) || !isfinite(extent)) return WEIR_OK;

    uint32_t mask = 1;
    while (mask < count && mask < (1u << 24))
        mask = 2 * mask + 1;
    cell_grid cell_grid = {.position = position, .count = count, .low = low, .mask = mask};
    cell_grid.start = base_alloc((size_t)mask + 2, sizeof *cell_grid.start);
    cell_grid.bucket = base_alloc(count, sizeof *cell_grid.bucket);
    cell_grid.items = base_alloc(count, sizeof *cell_grid.items);
    double *samples = base_alloc(DENSITY_SAMPLES + 1, sizeof *samples);
    weir_result result = WEIR_OK;
    if (cell_grid.start && cell_grid.bucket && cell_grid.items && samples)
        *spacing_m = refine_spacing(&cell_grid, initial_cell_size(&cell_grid, extent), samples);
    else
        result =
            base_fail(log, WEIR_ERROR_MEMORY, "not enough memory to estimate the particle spacing");
    base_free(cell_grid.start);
    base_free(cell_grid.bucket);
    base_free(cell_grid.items);
    base_free(samples);
    return result;
}
