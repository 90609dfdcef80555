/* Sums of all ranks for gauges and for the forces on solids. Only integers are added. */
#include "sim_ranks.h"

static uint32_t count_solids(const sim_world *world)
{
    return sim_sums_solid_forces(world) ? world->scene->solid_count : 0;
}

bool sim_ranks_sum_readings(const sim_world *world)
{
    return sim_has_ranks(world) && world->scene->gauge_count + count_solids(world) > 0;
}

uint64_t sim_ranks_reading_words(const sim_world *world)
{
    return (uint64_t)world->scene->gauge_count * SIM_GAUGE_HISTOGRAM_BINS +
           (uint64_t)count_solids(world) * SIM_SOLID_IMPULSE_WORDS;
}

/* Returns the words of a gauge's histogram. Those past its bins do not matter. */
static uint32_t count_histogram_words(const scene_gauge *gauge)
{
    switch (gauge->kind) {
    case SCENE_GAUGE_HEIGHT:
    case SCENE_GAUGE_FRONT: return SIM_GAUGE_HISTOGRAM_BINS;
    case SCENE_GAUGE_FLOW: return 1;
    default: return 0; /* pressure and force have sums */
    }
}

/* Words on their way to or from the communicator, which adds modulo 2^32. */
typedef struct transfer {
    uint32_t *at; /* in the packed array */
    bool unpacks; /* back to where they came from */
} transfer;

static void transfer_words(transfer *t, uint32_t *words, uint32_t count)
{
    if (t->unpacks)
        memcpy(words, t->at, count * sizeof *words);
    else
        memcpy(t->at, words, count * sizeof *words);
    t->at += count;
}

/* A sum of 64 bits travels in parts of 16, 16 and 32, which do not overflow into each other. */
static void transfer_sum(transfer *t, uint32_t *low, uint32_t *high)
{
    if (t->unpacks) {
        const uint64_t sum = t->at[0] + ((uint64_t)t->at[1] << 16) + ((uint64_t)t->at[2] << 32);
        *low = (uint32_t)sum;
        *high = (uint32_t)(sum >> 32);
    } else {
        t->at[0] = *low & 0xffffu;
        t->at[1] = *low >> 16;
        t->at[2] = *high;
    }
    t->at += 3;
}

/* Returns the number of words. */
static uint64_t transfer_readings(const sim_world *world, bool unpacks)
{
    const scene_data *scene = world->scene;
    const sim_ranks *r = world->ranks;
    transfer t = {r->packed_readings, unpacks};
    uint32_t *words = gpu_buffer_map(r->readings);
    for (uint32_t k = 0; k < scene->gauge_count; k++, words += SIM_GAUGE_HISTOGRAM_BINS) {
        const uint32_t bins = count_histogram_words(&scene->gauges[k]);
        transfer_words(&t, words, bins);
        for (uint32_t c = 0; c < 4 && bins == 0; c++)
            transfer_sum(&t, &words[c], &words[4 + c]);
    }
    for (uint32_t k = 0; k < count_solids(world) * SIM_SOLID_IMPULSE_WORDS; k += 2)
        transfer_sum(&t, &words[k], &words[k + 1]);
    return (uint64_t)(t.at - r->packed_readings);
}

static weir_result sum_readings(void *user, uint32_t outer, uint32_t inner, bool *ends)
{
    sim_world *world = user;
    sim_ranks *r = world->ranks;
    const struct rank_report *report = gpu_buffer_map(r->report);
    (void)outer, (void)inner, (void)ends;
    if (!report->running || r->cancelled) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(comm_sum(r->comm, r->packed_readings, transfer_readings(world, false)));
    transfer_readings(world, true);
    return WEIR_OK;
}

/* Twice as many words as in the mapped buffer are enough for any mixture of gauges. */
weir_result sim_ranks_create_readings(sim_world *world)
{
    sim_ranks *r = world->ranks;
    r->sum_readings = (gpu_host_work){"sum readings", sum_readings, world};
    r->packed_readings = base_alloc(2 * sim_ranks_reading_words(world), sizeof *r->packed_readings);
    return r->packed_readings
               ? WEIR_OK
               : base_fail(world->log, WEIR_ERROR_MEMORY, "not enough memory for gauges");
}
