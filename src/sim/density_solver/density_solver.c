/* The density solver: the density constraint without the rest of a simulation. Its world has no
 * fluid, forces or time of its own; its pass table is that of PBF without the passes of a
 * simulation. Each call sends the caller's particles through it once. */
#include "sim_density_solver.h"
#include "sim_solvers.h"

#define SOLVES_IN_FLIGHT 3u /* maximum number of pending calls */
/* status.substeps of an output until the device has written it */
#define UNWRITTEN UINT32_MAX
/* longest list that its header can count */
#define LIST_LENGTH_LIMIT (GRID_COUNT_MASK / 8u * 8u)
#define UNLIMITED_SPEED 1e30f

typedef struct solve_input {
    struct sim_params params;
    struct sim_status status;
    struct grid_state state;
    struct sim_import_report taken;
} solve_input;

typedef struct solve_output {
    struct sim_status status;
    struct grid_state state;
    struct sim_import_report taken;
} solve_output;

typedef struct solve_slot {
    gpu_buffer *input, *output; /* in host memory */
    uint64_t ticket, number;    /* number of the call; 0: the slot is free */
    bool has_lists;
} solve_slot;

struct sim_density_solver {
    gpu_device *device;
    const weir_log *log;
    scene_data scene; /* the parts of the caller's scene that the solve needs; owns nothing */
    scene_fluid fluid;
    char source[64];
    sim_world *world;
    uint32_t needed_list_capacity; /* list length that finished calls have needed */
    bool broken;                 /* a failed call of sim_density_solver_reserve has lost buffers */
    bool list_overflow_reported; /* lists above LIST_LENGTH_LIMIT have been reported */
    solve_slot solve_slots[SOLVES_IN_FLIGHT];
    uint64_t number;
    weir_density_solver_report last;
};

/* ---- creation ------------------------------------------------------------------------------- */

/* Rejects features of a scene that act on positions in a substep, because the solver would ignore
 * them. */
static weir_result check_scene_supported(const weir_log *log, const scene_data *scene)
{
    const struct {
        const char *what;
        uint32_t count;
    } others[] = {{"solids", scene->solid_count},
                  {"bodies", scene->body_count},
                  {"cloths", scene->cloth_count},
                  {"ropes", scene->rope_count}};
    for (size_t i = 0; i < BASE_COUNT(others); i++)
        if (others[i].count > 0)
            return base_fail(log, WEIR_ERROR_ARGUMENT,
                             "%s has %u %s, which a density solver does not support: remove them, "
                             "and pass their samples as particles with an inverse mass of 0",
                             scene->source, others[i].count, others[i].what);
    if (scene->solver.method != SCENE_METHOD_PBF)
        return base_fail(log, WEIR_ERROR_ARGUMENT,
                         "%s: solver.method is %s, but a density solver supports only pbf",
                         scene->source, scene_method_name(scene->solver.method));
    if (scene->solver.long_range_correction == SCENE_LONG_RANGE_ON)
        return base_fail(log, WEIR_ERROR_ARGUMENT,
                         "%s: solver.long_range_correction is \"on\", which a density solver does "
                         "not support: set it to \"off\" or \"auto\"",
                         scene->source);
    return WEIR_OK;
}

static void copy_scene_settings(sim_density_solver *c, const scene_data *from)
{
    snprintf(c->source, sizeof c->source, "%s", from->source);
    c->fluid = (scene_fluid){.name = c->source, .density = from->fluids[0].density};
    c->scene = (scene_data){
        .source = c->source,
        .folder = c->source,
        .json = c->source,
        .name = c->source,
        .description = c->source,
        .domain = from->domain,
        .frame_rate = from->frame_rate,
        .duration = from->duration,
        .spacing = from->spacing,
        .solver = from->solver,
        .fluids = &c->fluid,
        .fluid_count = 1,
    };
    c->scene.solver.substeps = 1;
    c->scene.solver.adaptive = false;
    c->scene.solver.vorticity_confinement = 0.0f;
    c->scene.solver.long_range_correction = SCENE_LONG_RANGE_OFF;
    c->scene.solver.residuals = false;
}

static weir_result create_solve_slots(sim_density_solver *c)
{
    for (uint32_t i = 0; i < SOLVES_IN_FLIGHT; i++) {
        solve_slot *call = &c->solve_slots[i];
        WEIR_RETURN_IF_ERROR(
            sim_host_buffer_create(c->world, "solve_input", sizeof(solve_input), &call->input));
        WEIR_RETURN_IF_ERROR(
            sim_host_buffer_create(c->world, "solve_output", sizeof(solve_output), &call->output));
    }
    return WEIR_OK;
}

weir_result sim_density_solver_create(gpu_device *device, const scene_data *scene,
                                      sim_density_solver **out)
{
    weir_result result;
    const weir_log *log = gpu_device_log(device);
    *out = NULL;
    WEIR_RETURN_IF_ERROR(check_scene_supported(log, scene));
    sim_density_solver *c = base_alloc(1, sizeof *c);
    if (!c) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a density solver");
    c->device = device;
    c->log = log;
    copy_scene_settings(c, scene);
    const grid_capacity first = {.particles = 1, .list = sim_initial_list_capacity(&c->scene)};
    WEIR_GOTO_IF_ERROR(sim_create_with_options(
        device, &c->scene, &(sim_create_options){.initial_capacity = &first, .standalone = true},
        &c->world));
    c->world->params.speed_cap = UNLIMITED_SPEED;
    WEIR_GOTO_IF_ERROR(create_solve_slots(c));
    *out = c;
    return WEIR_OK;
fail:
    sim_density_solver_destroy(&c);
    return result;
}

void sim_density_solver_destroy(sim_density_solver **pointer)
{
    sim_density_solver *c = *pointer;
    if (!c) return;
    for (uint32_t i = 0; i < SOLVES_IN_FLIGHT; i++) {
        gpu_buffer_destroy(c->device, &c->solve_slots[i].input);
        gpu_buffer_destroy(c->device, &c->solve_slots[i].output);
    }
    sim_destroy(&c->world);
    base_free(c);
    *pointer = NULL;
}

gpu_device *sim_density_solver_device(const sim_density_solver *c)
{
    return c->device;
}

uint32_t sim_density_solver_list_size(const sim_density_solver *c)
{
    return grid_get_capacity(c->world->grid).list;
}

uint32_t sim_density_solver_needed_list(const sim_density_solver *c)
{
    return c->needed_list_capacity;
}

/* ---- capacity ------------------------------------------------------------------------------- */

static weir_result grow_buffers(sim_density_solver *c, uint32_t particles, uint32_t neighbours,
                                uint32_t list)
{
    sim_world *world = c->world;
    WEIR_RETURN_IF_ERROR(gpu_device_wait(c->device));
    sim_buffers_destroy(world, SIM_WITH_PARTICLES);
    sim_buffers_destroy(world, SIM_WITH_EXTERNAL);
    world->external_neighbours = neighbours;
    WEIR_RETURN_IF_ERROR(sim_particle_buffers_create(world, particles));
    WEIR_RETURN_IF_ERROR(sim_buffers_create(world, SIM_WITH_EXTERNAL));
    return sim_grid_grow(world, (grid_capacity){.particles = particles, .list = list});
}

static uint32_t add_headroom(uint32_t wanted)
{
    return wanted > UINT32_MAX - wanted / 8u ? wanted : wanted + wanted / 8u;
}

/* Stores which arrays the caller provides; returns whether that changes the pipelines. Pipelines
 * are specialized for the arrays, so that calls without masses use those of a fluid of one
 * density. */
static bool update_external_arrays(sim_world *world, const sim_density_solver_call *call)
{
    bool lists = call->provided[SIM_EXTERNAL_OFFSET], masses = call->provided[SIM_EXTERNAL_MASS];
    bool changes = lists != world->external_lists || masses != world->external_masses;
    world->external_lists = lists;
    world->external_masses = masses;
    if (changes) sim_pipelines_destroy(world);
    return changes;
}

bool sim_density_solver_must_grow(const sim_density_solver *c, const sim_density_solver_call *call)
{
    return call->count > c->world->params.particle_capacity ||
           call->neighbour_count > c->world->external_neighbours ||
           c->needed_list_capacity > sim_density_solver_list_size(c);
}

bool sim_density_solver_is_busy(const sim_density_solver *c)
{
    const solve_slot *last = &c->solve_slots[c->number % SOLVES_IN_FLIGHT];
    return last->number > 0 && !gpu_ticket_done(c->device, last->ticket);
}

weir_result sim_density_solver_reserve(sim_density_solver *c, const sim_density_solver_call *call)
{
    sim_world *world = c->world;
    uint32_t particles = call->count > c->world->params.particle_capacity
                             ? add_headroom(call->count)
                             : c->world->params.particle_capacity;
    uint32_t neighbours = c->world->external_neighbours, list = sim_density_solver_list_size(c);
    bool grows = sim_density_solver_must_grow(c, call);
    if (call->neighbour_count > neighbours) neighbours = add_headroom(call->neighbour_count);
    if (c->needed_list_capacity > list) list = (c->needed_list_capacity + 7u) / 8u * 8u;
    if (c->broken)
        return base_fail(c->log, WEIR_ERROR_MEMORY,
                         "the density solver lost its buffers in an earlier call: create it again");
    bool changes = update_external_arrays(world, call);
    if (!grows && !changes) return WEIR_OK;
    c->broken = true;
    if (changes) WEIR_RETURN_IF_ERROR(sim_pipelines_create(world));
    if (grows) WEIR_RETURN_IF_ERROR(grow_buffers(c, particles, neighbours, list));
    WEIR_RETURN_IF_ERROR(sim_build_passes(world));
    c->broken = false;
    return WEIR_OK;
}

gpu_buffer *sim_density_solver_buffer(const sim_density_solver *c, sim_external_array which)
{
    const sim_buffers *b = &c->world->buffers;
    gpu_buffer *const all[] = {[SIM_EXTERNAL_POSITION] = b->external_positions,
                               [SIM_EXTERNAL_VELOCITY] = b->external_velocities,
                               [SIM_EXTERNAL_MASS] = b->external_inverse_masses,
                               [SIM_EXTERNAL_OFFSET] = b->external_list_offsets,
                               [SIM_EXTERNAL_NEIGHBOUR] = b->external_neighbours};
    return all[which];
}

uint64_t sim_density_solver_array_bytes(const sim_density_solver_call *call,
                                        sim_external_array which)
{
    switch (which) {
    case SIM_EXTERNAL_MASS: return 4ull * call->count;
    case SIM_EXTERNAL_OFFSET: return 4ull * call->count + 4;
    case SIM_EXTERNAL_NEIGHBOUR: return 4ull * call->neighbour_count;
    default: return 4ull * call->components * call->count;
    }
}

/* ---- results -------------------------------------------------------------------------------- */

static void report_list_overflow(sim_density_solver *c, const solve_output *seen)
{
    if (c->list_overflow_reported || seen->state.needed_list_capacity <= LIST_LENGTH_LIMIT) return;
    c->list_overflow_reported = true;
    base_log(c->log, WEIR_LOG_ERROR,
             "a particle has %u neighbours within the support radius, at most %u can be listed: no "
             "position was changed; spread the particles, or use a smaller spacing",
             seen->state.needed_list_capacity, LIST_LENGTH_LIMIT);
}

static weir_density_solver_report make_report(const sim_density_solver *c, const solve_slot *call,
                                              const solve_output *seen)
{
    const struct sim_status *status = &seen->status;
    bool whole = seen->state.flags == 0, tolerant = sim_has_tolerance(c->world);
    weir_density_solver_report report = {
        .solve_number = call->number,
        .iterations = tolerant ? status->iterations : c->scene.solver.iterations,
        .density_error_mean = tolerant ? status->error_mean : -1.0f,
        .density_error_max = tolerant ? status->error_max : -1.0f,
        .converged = !tolerant || status->unconverged == 0,
        .complete = whole,
        .skipped = seen->taken.skipped + status->solve_non_finite,
        .fixed = seen->taken.fixed_count,
        .invalid_entries = seen->taken.invalid_entries,
    };
    /* With the caller's lists, particles keep the caller's order, and solve_non_finite includes
     * those that were skipped on import. */
    if (call->has_lists) report.skipped = whole ? status->solve_non_finite : seen->taken.skipped;
    if (!whole) report.iterations = 0, report.density_error_mean = report.density_error_max = -1.0f;
    return report;
}

/* Collects the result of a finished call. */
static weir_result collect_result(sim_density_solver *c, solve_slot *call)
{
    const solve_output *seen = gpu_buffer_map(call->output);
    if (call->number == 0) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(gpu_ticket_wait(c->device, call->ticket));
    uint64_t number = call->number;
    if (seen->status.substeps == UNWRITTEN) {
        call->number = 0;
        return base_fail(c->log, WEIR_ERROR_ARGUMENT,
                         "call %llu of the density solver was recorded in a command buffer that "
                         "was not submitted: submit it to the adopted queue before the next call",
                         (unsigned long long)number);
    }
    if (number > c->last.solve_number) c->last = make_report(c, call, seen);
    call->number = 0;
    report_list_overflow(c, seen);
    uint32_t needed = seen->state.needed_list_capacity < LIST_LENGTH_LIMIT
                          ? seen->state.needed_list_capacity
                          : LIST_LENGTH_LIMIT;
    if ((seen->state.flags & GRID_OVERFLOW_LISTS) && needed > c->needed_list_capacity)
        c->needed_list_capacity = needed;
    return WEIR_OK;
}

weir_result sim_density_solver_report(sim_density_solver *c, bool wait,
                                      weir_density_solver_report *report)
{
    for (uint64_t k = 1; k <= SOLVES_IN_FLIGHT; k++) { /* in the order of the calls */
        solve_slot *call = &c->solve_slots[(c->number + k) % SOLVES_IN_FLIGHT];
        if (call->number && (wait || gpu_ticket_done(c->device, call->ticket)))
            WEIR_RETURN_IF_ERROR(collect_result(c, call));
    }
    *report = c->last;
    return WEIR_OK;
}

/* ---- a call --------------------------------------------------------------------------------- */

static void fill_input(sim_density_solver *c, solve_slot *to, const sim_density_solver_call *call)
{
    solve_input *input = gpu_buffer_map(to->input);
    *input = (solve_input){.params = c->world->params, .status = {.count = call->count}};
    input->params.frame_dt = call->seconds;
    ((solve_output *)gpu_buffer_map(to->output))->status.substeps = UNWRITTEN;
}

static void set_pass_constants(sim_density_solver *c, const sim_density_solver_call *call)
{
    sim_world *world = c->world;
    const struct {
        int shader;
        uint32_t constant;
    } all[] = {
        {SIM_IMPORT_PARTICLES,
         call->components | (call->provided[SIM_EXTERNAL_MASS] ? SIM_EXTERNAL_HAS_MASSES : 0u)},
        {SIM_IMPORT_NEIGHBOUR_LISTS, call->neighbour_count},
        {SIM_EXPORT_PARTICLES, call->components}};
    for (uint32_t i = 0; i < world->pass_count; i++)
        for (size_t k = 0; k < BASE_COUNT(all); k++)
            if (world->passes[i].pipeline == world->pipelines[all[k].shader])
                world->passes[i].constant = all[k].constant;
}

static weir_result record_input(sim_density_solver *c, const solve_slot *to,
                                const sim_density_solver_call *call)
{
    const sim_buffers *b = &c->world->buffers;
    const gpu_copy copies[] = {
        {.from = to->input, .to = b->params, .size = sizeof(struct sim_params)},
        {.from = to->input,
         .to = b->status,
         .from_offset = offsetof(solve_input, status),
         .size = sizeof(struct sim_status)},
        {.from = to->input,
         .to = grid_state_buffer(c->world->grid),
         .from_offset = offsetof(solve_input, state),
         .size = sizeof(struct grid_state)},
        {.from = to->input,
         .to = b->import_report,
         .from_offset = offsetof(solve_input, taken),
         .size = sizeof(struct sim_import_report)},
    };
    for (size_t i = 0; i < BASE_COUNT(copies); i++)
        WEIR_RETURN_IF_ERROR(gpu_record_copy(c->device, &copies[i]));
    if (!call->provided[SIM_EXTERNAL_VELOCITY])
        WEIR_RETURN_IF_ERROR(gpu_record_fill(c->device, b->external_velocities, 0));
    for (sim_external_array k = 0; k < SIM_EXTERNAL_COUNT; k++)
        if (call->from[k])
            WEIR_RETURN_IF_ERROR(gpu_record_copy(
                c->device, &(gpu_copy){.from = call->from[k],
                                       .to = sim_density_solver_buffer(c, k),
                                       .from_offset = call->offsets[k],
                                       .size = sim_density_solver_array_bytes(call, k)}));
    return WEIR_OK;
}

static weir_result record_output(sim_density_solver *c, const solve_slot *to,
                                 const sim_density_solver_call *call)
{
    const sim_buffers *b = &c->world->buffers;
    const gpu_copy copies[] = {
        {.from = b->status, .to = to->output, .size = sizeof(struct sim_status)},
        {.from = grid_state_buffer(c->world->grid),
         .to = to->output,
         .to_offset = offsetof(solve_output, state),
         .size = sizeof(struct grid_state)},
        {.from = b->import_report,
         .to = to->output,
         .to_offset = offsetof(solve_output, taken),
         .size = sizeof(struct sim_import_report)},
    };
    for (size_t i = 0; i < BASE_COUNT(copies); i++)
        WEIR_RETURN_IF_ERROR(gpu_record_copy(c->device, &copies[i]));
    for (sim_external_array k = SIM_EXTERNAL_POSITION; k <= SIM_EXTERNAL_VELOCITY; k++)
        if (call->from[k])
            WEIR_RETURN_IF_ERROR(gpu_record_copy(
                c->device, &(gpu_copy){.from = sim_density_solver_buffer(c, k),
                                       .to = call->from[k],
                                       .to_offset = call->offsets[k],
                                       .size = sim_density_solver_array_bytes(call, k)}));
    return WEIR_OK;
}

weir_result sim_density_solver_run(sim_density_solver *c, const sim_density_solver_call *call,
                                   const struct weir_vulkan_submit *submission)
{
    sim_world *world = c->world;
    gpu_device *device = c->device;
    solve_slot *to = &c->solve_slots[(c->number + 1) % SOLVES_IN_FLIGHT];
    WEIR_ASSERT(call->count <= c->world->params.particle_capacity &&
                call->neighbour_count <= c->world->external_neighbours);
    WEIR_RETURN_IF_ERROR(collect_result(c, to));
    fill_input(c, to, call);
    set_pass_constants(c, call);
    WEIR_RETURN_IF_ERROR(gpu_record_begin_with(device, submission));
    gpu_record_set_trace_name(device, "constraint", c->number + 1);
    WEIR_RETURN_IF_ERROR(record_input(c, to, call));
    WEIR_RETURN_IF_ERROR(gpu_record_passes(device, &world->begin_pass, 1, 0, NULL));
    WEIR_RETURN_IF_ERROR(gpu_record_passes(device, world->passes, world->pass_count, 0, NULL));
    WEIR_RETURN_IF_ERROR(record_output(c, to, call));
    WEIR_RETURN_IF_ERROR(gpu_record_submit(device, &to->ticket));
    to->has_lists = world->external_lists;
    to->number = ++c->number;
    return WEIR_OK;
}
