/* Velocities of frames that have none: central differences of the positions, particle by particle.
 */
#include "stored_foam_internal.h"

#include <stdlib.h>

#define JUMP 8.0f /* spacings between frames: farther is no motion, as through a periodic side */

typedef struct named {
    uint32_t id, index;
} named;

static int compare(const void *a, const void *b)
{
    const named *x = a, *y = b;
    return (x->id > y->id) - (x->id < y->id);
}

/* The frame's particles by id; release with base_free. */
static named *sort_ids(const foam_stored *frame)
{
    uint32_t count = frame->file.points.count;
    named *all = base_alloc(count + 1u, sizeof *all);
    for (uint32_t i = 0; all && i < count; i++)
        all[i] = (named){frame->file.points.id[i], i};
    if (all) qsort(all, count, sizeof *all, compare);
    return all;
}

/* Where the id is in the other frame; NULL without it, and where it has jumped from `here`. */
static const float *find(const foam_stored *other, const named *sorted, uint32_t id,
                         const float here[3], float jump)
{
    const named key = {.id = id};
    const named *found = bsearch(&key, sorted, other->file.points.count, sizeof key, compare);
    if (!found || !other->position) return NULL;
    const float *there = other->position + 3 * (size_t)found->index;
    for (int k = 0; k < 3; k++)
        if (!(fabsf(there[k] - here[k]) <= jump)) return NULL;
    return there;
}

weir_result foam_stored_differ(const foam_plan *plan, const foam_stored *before,
                               const foam_stored *behind, foam_stored *frame)
{
    uint32_t count = frame->file.points.count;
    float jump = JUMP * plan->info.spacing_m;
    named *old = sort_ids(before), *new = sort_ids(behind);
    frame->velocity = base_alloc((size_t)count + 1u, 3 * sizeof *frame->velocity);
    bool room = old && new && frame->velocity;
    for (size_t i = 0; room && i < count; i++) {
        const float *here = frame->position + 3 * i;
        uint32_t id = frame->file.points.id[i];
        const float *from = find(before, old, id, here, jump);
        const float *to = find(behind, new, id, here, jump);
        double start_s = from ? before->time_s : frame->time_s;
        double end_s = to ? behind->time_s : frame->time_s;
        for (int k = 0; (from || to) && k < 3; k++)
            frame->velocity[3 * i + (size_t)k] =
                (float)(((double)(to ? to : here)[k] - (double)(from ? from : here)[k]) /
                        (end_s - start_s));
    }
    base_free(old);
    base_free(new);
    return room ? WEIR_OK : base_fail(&plan->log, WEIR_MEMORY, "no memory for velocities");
}
