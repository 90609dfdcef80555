/* Thins coincident input points. Neighbour search takes quadratic time when all points share a bin,
 * so in each cell as wide as the support radius, at most 32 times the lattice density is kept. */
#include "geometry.h"

#define MAX_DENSITY_RATIO 32.0 /* maximum density over that of a lattice */
#define MAX_CELL_INDEX 4e18

typedef struct count_cell {
    int64_t at[3];
    uint32_t count; /* points in the cell; 0: the slot is free */
} count_cell;

typedef struct cell_table {
    count_cell *cells;
    size_t mask;
} cell_table;

static count_cell *find_cell(const cell_table *table, const int64_t at[3])
{
    size_t slot = (size_t)base_hash64(at, 3 * sizeof *at, 0) & table->mask;
    while (table->cells[slot].count > 0 && memcmp(table->cells[slot].at, at, 3 * sizeof *at) != 0)
        slot = (slot + 1) & table->mask;
    memcpy(table->cells[slot].at, at, 3 * sizeof *at);
    return &table->cells[slot];
}

static uint32_t max_points_per_cell(const weir_points_def *def, double cell)
{
    double ratio = cell / (double)def->spacing_m;
    return (uint32_t)fmin(fmax(MAX_DENSITY_RATIO * ratio * ratio * ratio, MAX_DENSITY_RATIO), 1e6);
}

static void warn_thinned(const weir_log *log, const weir_points_def *def, uint32_t selected,
                         double cell)
{
    base_log(log, WEIR_LOG_WARNING,
             "%u of %u points were removed: more than %u lie in one cell of %.3g m, %g times as "
             "many as at a spacing of %.3g m; a smaller spacing keeps more",
             def->count - selected, def->count, max_points_per_cell(def, cell), cell,
             MAX_DENSITY_RATIO, (double)def->spacing_m);
}

/* Lists the points to keep, in order. */
static weir_result select_points(const weir_log *log, const weir_points_def *def,
                                 uint32_t *selected, uint32_t *count)
{
    const double cell =
        def->support_radius_m > 0.0f ? (double)def->support_radius_m : 2.0 * (double)def->spacing_m;
    const uint32_t room = max_points_per_cell(def, cell);
    cell_table table = {.mask = 1};
    while (table.mask < 2 * (size_t)def->count)
        table.mask *= 2;
    table.cells = base_alloc(table.mask--, sizeof *table.cells);
    *count = 0;
    if (!table.cells)
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for %u points", def->count);
    for (uint32_t i = 0; i < def->count; i++) {
        int64_t at[3];
        for (uint32_t k = 0; k < 3; k++) {
            double line = floor((double)def->position[3 * (size_t)i + k] / cell);
            at[k] = (int64_t)fmin(fmax(line, -MAX_CELL_INDEX), MAX_CELL_INDEX);
        }
        count_cell *found = find_cell(&table, at);
        if (found->count >= room) continue;
        found->count++;
        selected[(*count)++] = i;
    }
    base_free(table.cells);
    if (*count < def->count) warn_thinned(log, def, *count, cell);
    return WEIR_OK;
}

/* Copies the selected elements; returns NULL for a NULL array, and when memory runs out. */
static void *copy_selected(const void *from, size_t size, const uint32_t *selected, uint32_t count)
{
    uint8_t *to = from ? base_alloc(count, size) : NULL;
    for (size_t i = 0; to && i < count; i++)
        memcpy(to + i * size, (const uint8_t *)from + selected[i] * size, size);
    return to;
}

/* Copies the selected values; the descriptions of the attributes and the values of all are in one
 * allocation. */
static bool copy_attributes(const weir_points_def *from, const uint32_t *selected,
                            weir_points_def *to)
{
    size_t floats = 0;
    to->attributes = NULL;
    if (from->attribute_count == 0) return true;
    for (uint32_t a = 0; a < from->attribute_count; a++)
        floats += (size_t)to->count * from->attributes[a].components;
    weir_attribute_values *copy = base_alloc(1, from->attribute_count * sizeof *copy +
                                                    floats * sizeof *from->attributes->values);
    to->attributes = copy;
    float *at = copy ? (float *)(copy + from->attribute_count) : NULL;
    for (uint32_t a = 0; copy && a < from->attribute_count; a++) {
        const weir_attribute_values *own = &from->attributes[a];
        copy[a] = (weir_attribute_values){own->name, own->components, own->components, at};
        for (uint32_t i = 0; i < to->count; i++, at += own->components)
            memcpy(at, own->values + (size_t)selected[i] * own->stride,
                   own->components * sizeof *at);
    }
    return copy != NULL;
}

static bool copy_all_selected(const weir_points_def *from, const uint32_t *selected,
                              weir_points_def *to)
{
    const uint32_t n = to->count;
    to->position = copy_selected(from->position, 3 * sizeof(float), selected, n);
    to->velocity = copy_selected(from->velocity, 3 * sizeof(float), selected, n);
    to->id = copy_selected(from->id, sizeof *from->id, selected, n);
    to->fluid = copy_selected(from->fluid, sizeof *from->fluid, selected, n);
    to->density = copy_selected(from->density, sizeof *from->density, selected, n);
    if (!copy_attributes(from, selected, to)) return false;
    return to->position && !to->velocity == !from->velocity && !to->id == !from->id &&
           !to->fluid == !from->fluid && !to->density == !from->density;
}

weir_result points_thin(const weir_log *log, const weir_points_def *def, weir_points_def *thinned)
{
    weir_result result = WEIR_OK;
    uint32_t *selected = base_alloc(def->count, sizeof *selected);
    *thinned = *def;
    if (!selected)
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for %u points", def->count);
    WEIR_GOTO_IF_ERROR(select_points(log, def, selected, &thinned->count));
    if (thinned->count < def->count && !copy_all_selected(def, selected, thinned)) {
        points_thinned_free(def, thinned);
        result = base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for %u points", def->count);
    }
fail:
    base_free(selected);
    return result;
}

void points_thinned_free(const weir_points_def *def, weir_points_def *thinned)
{
    const void *arrays[] = {thinned->position, thinned->velocity, thinned->id,
                            thinned->fluid,    thinned->density,  thinned->attributes};
    for (size_t i = 0; thinned->count < def->count && i < BASE_COUNT(arrays); i++)
        base_free((void *)(uintptr_t)arrays[i]);
    *thinned = *def;
}
