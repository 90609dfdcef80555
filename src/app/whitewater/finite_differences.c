/* Velocities for frames that have none: central differences of each particle's position. */
#include "whitewater_command_internal.h"

#include <stdlib.h>

/* In spacings between frames: a longer distance is a jump, for instance through a periodic side. */
#define MAX_MOVE_SPACINGS 8.0f

typedef struct id_index {
    uint32_t id, index;
} id_index;

static int compare_ids(const void *a, const void *b)
{
    const id_index *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

/* Returns the frame's particles sorted by id; release with base_free. */
static id_index *sort_particles_by_id(const whitewater_input_frame *frame)
{
    uint32_t count = frame->file.points.count;
    id_index *all = base_alloc(count + 1u, sizeof *all);
    for (uint32_t i = 0; all && i < count; i++)
        all[i] = (id_index){frame->file.points.id[i], i};
    if (all) qsort(all, count, sizeof *all, compare_ids);
    return all;
}

/* Returns the position of the id in the other frame; NULL if it does not exist there, or has jumped
 * from `here`. */
static const float *find_particle(const whitewater_input_frame *other, const id_index *sorted,
                                  uint32_t id, const float here[3], float jump)
{
    const id_index key = {.id = id};
    const id_index *found =
        bsearch(&key, sorted, other->file.points.count, sizeof key, compare_ids);
    if (!found || !other->position) return NULL;
    const float *there = other->position + 3 * (size_t)found->index;
    for (int k = 0; k < 3; k++)
        if (!(fabsf(there[k] - here[k]) <= jump)) return NULL;
    return there;
}

weir_result whitewater_input_velocities(const whitewater_plan *plan,
                                        const whitewater_input_frame *before,
                                        const whitewater_input_frame *behind,
                                        whitewater_input_frame *frame)
{
    uint32_t count = frame->file.points.count;
    float jump = MAX_MOVE_SPACINGS * plan->info.spacing_m;
    id_index *old = sort_particles_by_id(before), *new = sort_particles_by_id(behind);
    frame->velocity = base_alloc((size_t)count + 1u, 3 * sizeof *frame->velocity);
    bool room = old && new && frame->velocity;
    for (size_t i = 0; room && i < count; i++) {
        const float *here = frame->position + 3 * i;
        uint32_t id = frame->file.points.id[i];
        const float *from = find_particle(before, old, id, here, jump);
        const float *to = find_particle(behind, new, id, here, jump);
        double start_s = from ? before->time_s : frame->time_s;
        double end_s = to ? behind->time_s : frame->time_s;
        for (int k = 0; (from || to) && k < 3; k++)
            frame->velocity[3 * i + (size_t)k] =
                (float)(((double)(to ? to : here)[k] - (double)(from ? from : here)[k]) /
                        (end_s - start_s));
    }
    base_free(old);
    base_free(new);
    return room ? WEIR_OK
                : base_fail(&plan->log, WEIR_ERROR_MEMORY, "not enough memory for velocities");
}
