/* Numbers of all ranks: statistics, and the status after a frame. Only integers are added. */
#include "sim_ranks.h"

/* ---- statistics ----------------------------------------------------------------------------- */

/* Appends the four sums to numbers[], and reads them from there. */
static void load_sums(const sim_fixed_sum4 *from, uint64_t numbers[4])
{
    const uint32_t low[4] = {from->low.x, from->low.y, from->low.z, from->low.w};
    const uint32_t high[4] = {from->high.x, from->high.y, from->high.z, from->high.w};
    for (int k = 0; k < 4; k++)
        numbers[k] = (uint64_t)high[k] << 32 | low[k];
}

static void store_sums(const uint64_t numbers[4], sim_fixed_sum4 *to)
{
    to->low = (uvec4){(uint32_t)numbers[0], (uint32_t)numbers[1], (uint32_t)numbers[2],
                      (uint32_t)numbers[3]};
    to->high = (uvec4){(uint32_t)(numbers[0] >> 32), (uint32_t)(numbers[1] >> 32),
                       (uint32_t)(numbers[2] >> 32), (uint32_t)(numbers[3] >> 32)};
}

/* Bits of floats that are not negative have the order of the floats. */
static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float from_bits(uint64_t bits)
{
    const uint32_t word = (uint32_t)bits;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static weir_result sum_statistics(void *user, uint32_t outer, uint32_t inner, bool *ends)
{
    const sim_world *world = user;
    struct sim_statistics_sums *sums = gpu_buffer_map(world->ranks->statistics);
    comm_numbers all = {
        .max = {bits_of(sums->error_max), bits_of(sums->speed_max), sums->neighbours_max}};
    (void)outer, (void)inner, (void)ends;
    load_sums(&sums->momentum, all.sum);
    load_sums(&sums->moment, all.sum + 4);
    load_sums(&sums->others, all.sum + 8);
    all.sum[12] = sums->neighbours;
    all.sum[13] = sums->count;
    all.sum[14] = sums->non_finite;
    WEIR_RETURN_IF_ERROR(comm_combine(world->ranks->comm, &all));
    store_sums(all.sum, &sums->momentum);
    store_sums(all.sum + 4, &sums->moment);
    store_sums(all.sum + 8, &sums->others);
    sums->neighbours = (uint32_t)all.sum[12];
    sums->count = (uint32_t)all.sum[13];
    sums->non_finite = (uint32_t)all.sum[14];
    sums->error_max = from_bits(all.max[0]);
    sums->speed_max = from_bits(all.max[1]);
    sums->neighbours_max = (uint32_t)all.max[2];
    return WEIR_OK;
}

/* ---- density errors ------------------------------------------------------------------------- */

uint32_t sim_ranks_flags_from_others(uint32_t all, uint32_t own)
{
    return all && !own ? RANK_FLAG_ELSEWHERE : 0;
}

/* Also cancels the substep if a rank cannot complete it: such a rank would not end the iterations
 * with the others. */
static weir_result sum_density_errors(void *user, uint32_t outer, uint32_t inner, bool *ends)
{
    sim_world *world = user;
    sim_ranks *r = world->ranks;
    const struct rank_report *report = gpu_buffer_map(r->report);
    struct rank_reply *reply = gpu_buffer_map(r->reply);
    const rank_density_errors *own = &report->errors;
    (void)outer, (void)inner, (void)ends;
    reply->flags = 0;
    if (!report->running || r->cancelled) return WEIR_OK;
    comm_numbers all = {.sum = {own->sum, own->above, (uint64_t)own->sum_high << 32 | own->sum_low},
                        .max = {own->max},
                        .any = {report->flags}};
    WEIR_RETURN_IF_ERROR(comm_combine(r->comm, &all));
    r->cancelled = all.any[0] != 0;
    reply->flags = sim_ranks_flags_from_others((uint32_t)all.any[0], report->flags);
    reply->errors = (rank_density_errors){.sum = (uint32_t)all.sum[0],
                                          .max = (uint32_t)all.max[0],
                                          .above = (uint32_t)all.sum[1],
                                          .sum_low = (uint32_t)all.sum[2],
                                          .sum_high = (uint32_t)(all.sum[2] >> 32)};
    return WEIR_OK;
}

void sim_ranks_set_totals_work(sim_world *world)
{
    world->ranks->sum_statistics = (gpu_host_work){"sum statistics", sum_statistics, world};
    world->ranks->sum_errors = (gpu_host_work){"sum density errors", sum_density_errors, world};
}

/* ---- status --------------------------------------------------------------------------------- */

/* The members of a status that ranks add. All others are equal on all ranks. */
#define SUMMED 14u
static void list_summed(struct sim_status *s, uint32_t *members[SUMMED])
{
    uint32_t *const all[SUMMED] = {
        &s->count,
        &s->escaped,
        &s->non_finite,
        &s->removed_by_sinks,
        &s->clamped_speeds,
        &s->clamped_corrections,
        &s->total_escaped,
        &s->total_removed_by_sinks,
        &s->total_non_finite,
        &s->total_capped_corrections,
        &s->total_capped_speeds,
        &s->solve_non_finite,
        &s->reseeded,
        &s->total_reseeded,
    };
    memcpy(members, all, sizeof all);
}

weir_result sim_ranks_combine_results(sim_world *world, sim_frame_result *seen)
{
    sim_ranks *r = world->ranks;
    uint32_t *members[SUMMED];
    if (!r) return WEIR_OK;
    comm_numbers all = {.max = {seen->state.needed_list_capacity}, .any = {seen->state.flags}};
    r->seen = seen->status;
    list_summed(&r->seen, members);
    for (uint32_t k = 0; k < SUMMED; k++)
        all.sum[k] = *members[k];
    WEIR_RETURN_IF_ERROR(comm_combine(r->comm, &all));
    for (uint32_t k = 0; k < SUMMED; k++)
        *members[k] = (uint32_t)all.sum[k];
    seen->state.needed_list_capacity = (uint32_t)all.max[0];
    if (all.any[0] && !seen->state.flags) seen->state.flags = RANK_FLAG_ELSEWHERE;
    return WEIR_OK;
}

const struct sim_status *sim_total_status(const sim_world *world)
{
    return world->ranks ? &world->ranks->totals : &world->last_result.status;
}

void sim_ranks_split_status(sim_world *world, struct sim_status *status, uint32_t count)
{
    uint32_t *members[SUMMED];
    if (!world->ranks) return;
    world->ranks->totals = *status;
    list_summed(status, members);
    for (uint32_t k = 0; k < SUMMED && world->ranks->rank > 0; k++)
        *members[k] = 0;
    status->count = count;
}
