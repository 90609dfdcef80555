/* Measures densities and neighbours of particles that no substep has moved yet: runs the passes of
 * an extremely short substep, up to the one that computes the densities, and the sums at the end of
 * a frame. */
#include "sim_frame.h"
#include "sim_ranks.h"
#include "sim_readout.h"
#include "sim_world.h"

#include <stdlib.h>

static void append_once(sim_pass_selection *list, const gpu_pass *pass)
{
    sim_pass_selection_add(list, pass);
    list->passes[list->count - 1].group = NULL;
}

/* Appends the passes up to the neighbour lists, and the pass that marks the particles near a
 * boundary. */
static void append_neighbour_passes(const sim_world *world, sim_pass_selection *list)
{
    static const int marking[] = {[SCENE_METHOD_PBF] = SIM_LAMBDA,
                                  [SCENE_METHOD_PCISPH] = SIM_PCISPH_PRESSURE,
                                  [SCENE_METHOD_WCSPH] = SIM_EQUATION_OF_STATE};
    uint32_t end = sim_find_stage_end(world, "detect neighbours");
    for (uint32_t i = 0; i < end; i++)
        append_once(list, &world->passes[i]);
    append_once(list, &world->passes[sim_find_pass(world, marking[world->scene->solver.method])]);
}

/* On a MAC grid, the density is computed along with the particles' motion. */
static void append_mac_grid_passes(const sim_world *world, sim_pass_selection *list)
{
    uint32_t last = sim_find_pass(world, SIM_FLIP_G2P_ADVECT);
    for (uint32_t i = 0; i <= last; i++)
        sim_pass_selection_add(list, &world->passes[i]);
}

/* Appends the passes at the end of a frame. With neighbour lists, `positions` are not sorted yet,
 * so the sorted ones are bound instead. */
static void append_sum_passes(const sim_world *world, sim_pass_selection *list)
{
    for (uint32_t i = 0; i < world->end_pass_count; i++) {
        if (world->end_passes[i].pipeline == world->pipelines[SIM_FRAME_END]) continue;
        append_once(list, &world->end_passes[i]);
        if (!scene_has_grid(&world->scene->solver))
            gpu_pass_bind(&list->passes[list->count - 1], SIM_BIND_positions,
                          world->buffers.sorted_positions);
    }
}

static void select_density_passes(const sim_world *world, sim_pass_selection *list)
{
    if (scene_has_grid(&world->scene->solver))
        append_mac_grid_passes(world, list);
    else
        append_neighbour_passes(world, list);
    append_sum_passes(world, list);
}

/* Results of measure_densities: sums, and densities [count] in the order of the state. */
typedef struct measured_densities {
    struct sim_statistics sums;
    uint64_t *order; /* [count] id << 32 | index in the state, by id */
    float *densities;
    bool known;
} measured_densities;

static int compare_keys(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Finds out where each id is in the state. */
static weir_result find_order(const sim_world *world, measured_densities *s)
{
    const uint32_t count = world->last_result.status.count;
    uint32_t *ids = base_alloc(count, sizeof *ids);
    if (!ids) return WEIR_ERROR_MEMORY;
    weir_result result =
        gpu_buffer_download(world->device, world->buffers.ids, 0, ids, count * sizeof *ids);
    for (uint32_t i = 0; i < count; i++)
        s->order[i] = (uint64_t)ids[i] << 32 | i;
    base_free(ids);
    qsort(s->order, count, sizeof *s->order, compare_keys);
    return result;
}

/* Stores the density of the particle with this id. */
static void store_density(measured_densities *s, uint32_t count, uint32_t id, float density)
{
    const uint64_t key = (uint64_t)id << 32;
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (s->order[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < count && s->order[low] >> 32 == id) s->densities[(uint32_t)s->order[low]] = density;
}

static weir_result read_densities(sim_world *world, uint32_t live, measured_densities *s)
{
    weir_result result = WEIR_ERROR_MEMORY;
    const sim_buffers *b = &world->buffers;
    uint32_t *ids = base_alloc(live, sizeof *ids);
    float *densities = base_alloc(live, sizeof *densities);
    if (!ids || !densities) goto fail;
    WEIR_GOTO_IF_ERROR(
        gpu_buffer_download(world->device, b->sorted_ids, 0, ids, live * sizeof *ids));
    WEIR_GOTO_IF_ERROR(
        gpu_buffer_download(world->device, b->densities, 0, densities, live * sizeof *densities));
    WEIR_GOTO_IF_ERROR(
        gpu_buffer_download(world->device, b->statistics, 0, &s->sums, sizeof s->sums));
    for (uint32_t i = 0; i < live; i++)
        store_density(s, world->last_result.status.count, ids[i], densities[i]);
    s->known = true;
    if (!world->ranks) goto fail;
    /* a particle at a cut may belong to another rank than in the state */
    base_free(world->ranks->density_ids);
    base_free(world->ranks->densities);
    world->ranks->density_ids = ids;
    world->ranks->densities = densities;
    world->ranks->density_count = live;
    return WEIR_OK;
fail:
    base_free(ids);
    base_free(densities);
    return result;
}

/* Work for sim_run_and_restore. A fluid that no lists can hold gets no densities; its first frame
 * reports why. */
static weir_result measure_densities(sim_world *world, void *user)
{
    sim_frame_result seen;
    WEIR_RETURN_IF_ERROR(sim_run_instant_frame(world, select_density_passes, &seen));
    return seen.state.flags == 0 ? read_densities(world, seen.state.live, user) : WEIR_OK;
}

static weir_result store_densities(sim_world *world, const measured_densities *s)
{
    struct sim_statistics *sums = &world->last_result.sums;
    if (!s->known) return WEIR_OK;
    sums->error_sum = s->sums.error_sum;
    sums->error_max = s->sums.error_max;
    sums->neighbours = s->sums.neighbours;
    sums->neighbours_max = s->sums.neighbours_max;
    return gpu_buffer_upload(world->device, world->buffers.densities, 0, s->densities,
                             world->last_result.status.count * sizeof *s->densities);
}

weir_result sim_measure_densities(sim_world *world)
{
    uint32_t count = world->last_result.status.count;
    bool moved = world->last_result.status.total_substeps > 0 || world->unstable;
    if (world->densities_valid || moved || sim_total_status(world)->count == 0) return WEIR_OK;
    measured_densities s = {.order = base_alloc(count, sizeof *s.order),
                            .densities = base_alloc(count, sizeof *s.densities)};
    weir_result result = WEIR_ERROR_MEMORY;
    if (s.order && s.densities) result = find_order(world, &s);
    if (result == WEIR_OK) result = sim_run_and_restore(world, measure_densities, &s);
    if (result == WEIR_OK) result = store_densities(world, &s);
    world->densities_valid = result == WEIR_OK;
    base_free(s.order);
    base_free(s.densities);
    return result;
}
