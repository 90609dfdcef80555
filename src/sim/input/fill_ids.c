/* Ids of the initial particles: those that a particle file gives, so that particles can be followed
 * from one simulation into the next; the others get the numbers after them. */
#include "sim_input.h"

#include <stdlib.h>

/* Ids are looked up in an array with a bit for each: at most 8 bytes per particle, or 128 KiB. */
#define IDS_PER_PARTICLE 64u
#define IDS_LEAST (1u << 20)

static int compare_ids(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Copies the ids that files give, in ascending order. Returns their number. */
static size_t sort_given(const sim_initial_particles *particles, uint32_t *sorted)
{
    size_t count = 0;
    for (size_t i = 0; i < particles->ids.count; i++)
        if (particles->ids.items[i] != SIM_ID_NOT_GIVEN) sorted[count++] = particles->ids.items[i];
    qsort(sorted, count, sizeof *sorted, compare_ids);
    return count;
}

/* Returns why the ids cannot be kept; NULL if they can. */
static const char *find_fault(const uint32_t *sorted, size_t given, size_t count)
{
    for (size_t i = 1; i < given; i++)
        if (sorted[i] == sorted[i - 1]) return "several particles have the same id";
    uint64_t most = IDS_LEAST + (uint64_t)IDS_PER_PARTICLE * count;
    return given && sorted[given - 1] > most ? "they are too large for this number of particles"
                                             : NULL;
}

weir_result sim_fill_ids(const weir_log *log, const scene_data *scene,
                         sim_initial_particles *particles)
{
    const size_t count = particles->ids.count;
    uint32_t *sorted = base_alloc(count, sizeof *sorted);
    if (!sorted) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for particle ids");
    size_t given = sort_given(particles, sorted);
    const char *fault = find_fault(sorted, given, count);
    uint32_t next = given && !fault ? sorted[given - 1] + 1 : 0;
    base_free(sorted);
    if (fault)
        base_log(log, WEIR_LOG_INFO,
                 "%s: the ids in its particle files are replaced by new ones: %s", scene->source,
                 fault);
    for (size_t i = 0; i < count; i++) {
        uint32_t *id = &particles->ids.items[i];
        if (fault || *id == SIM_ID_NOT_GIVEN) *id = next++;
    }
    particles->next_id = next;
    return WEIR_OK;
}
