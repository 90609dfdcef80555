/* The density constraint alone. A world without fluid, forces and time: its table is that of PBF
 * without what belongs to a simulation, and a caller's particles go through it once for each call.
 */
#include "sim_constraint.h"
#include "sim_rows.h"

#define CALLS 3u             /* that may be under way */
#define UNWRITTEN UINT32_MAX /* substeps of an outcome until the device has written it */
#define LONGEST (GRID_COUNT_MASK / 8u * 8u) /* list that its header can count */
#define NO_CAP 1e30f

typedef struct alone_input {
    struct sim_params params;
    struct sim_status status;
    struct grid_state state;
    struct sim_taken taken;
} alone_input;

typedef struct alone_outcome {
    struct sim_status status;
    struct grid_state state;
    struct sim_taken taken;
} alone_outcome;

typedef struct alone_call {
    gpu_buffer *input, *outcome; /* in host memory */
    uint64_t ticket, number;     /* number 0: it holds none */
    bool listed;
} alone_call;

struct sim_constraint {
    gpu_device *device;
    const weir_log *log;
    scene_data scene; /* what the solve needs of the caller's; owns nothing */
    scene_fluid fluid;
    char source[64];
    sim_world *world;
    uint32_t wanted_list; /* what lists had no room for */
    bool broken;          /* it has lost its buffers */
    bool told;            /* of lists that no room serves */
    alone_call calls[CALLS];
    uint64_t number;
    weir_constraint_report last;
};

/* ---- the table ------------------------------------------------------------------------------ */

static bool searches(const sim_world *world)
{
    return !world->lists_given;
}

static bool is_given_lists(const sim_world *world)
{
    return world->lists_given;
}

const sim_row sim_alone[] = {
    {.stage = "take"},
    {SIM_SUBSTEP_BEGIN, .over = SIM_ONE},
    {SIM_CONSTRAINT_TAKE, .over = SIM_ALL_PARTICLES},
    {.stage = "create hash grid"},
    {.rows = sim_sort_rows, .when = searches},
    {SIM_CONSTRAINT_LIVE, .over = SIM_ONE, .when = is_given_lists},
    {SIM_CONSTRAINT_LISTS, .over = SIM_ALL_PARTICLES, .when = is_given_lists},
    {SIM_REORDER, .over = SIM_LIVE_PARTICLES},
    {.stage = "detect neighbours"},
    {.rows = sim_list_rows, .when = searches},
    {.stage = "constraint solve"},
    {SIM_LOOP_BEGIN, .over = SIM_ONE, .when = sim_is_tolerant},
    {SIM_LAMBDA, .over = SIM_ITERATED, .repeats = SIM_ITERATIONS},
    {SIM_DECIDE, .over = SIM_ONE, .repeats = SIM_ITERATIONS, .when = sim_is_tolerant},
    {SIM_CORRECT, .over = SIM_ITERATED, .repeats = SIM_ITERATIONS},
    {.stage = "give"},
    {SIM_VELOCITY, .over = SIM_LIVE_PARTICLES},
    {SIM_CONSTRAINT_GIVE, .over = SIM_LIVE_PARTICLES},
    {.end = true},
};

/* ---- its life ------------------------------------------------------------------------------- */

/* What acts on positions in a substep, and would be missing. */
static weir_result check_scene(const weir_log *log, const scene_data *scene)
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
            return base_fail(
                log, WEIR_ARGUMENT,
                "%s has %u %s, and the constraint alone takes none: leave them out, and "
                "give samples of them as particles of the inverse mass 0",
                scene->source, others[i].count, others[i].what);
    if (scene->solver.method != SCENE_METHOD_PBF)
        return base_fail(log, WEIR_ARGUMENT,
                         "%s: solver.method is %s, and the constraint alone is that of pbf",
                         scene->source, scene_method_name(scene->solver.method));
    if (scene->solver.multigrid == SCENE_MULTIGRID_ON)
        return base_fail(log, WEIR_ARGUMENT,
                         "%s: solver.multigrid is on, and the constraint alone has no long-range "
                         "correction: turn it off, or leave it to choose",
                         scene->source);
    return WEIR_OK;
}

static void take_scene(sim_constraint *c, const scene_data *from)
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
    c->scene.solver.vorticity = 0.0f;
    c->scene.solver.multigrid = SCENE_MULTIGRID_OFF;
    c->scene.solver.residuals = false;
}

static weir_result create_calls(sim_constraint *c)
{
    for (uint32_t i = 0; i < CALLS; i++) {
        alone_call *call = &c->calls[i];
        WEIR_NEED(
            sim_host_buffer_create(c->world, "alone_input", sizeof(alone_input), &call->input));
        WEIR_NEED(sim_host_buffer_create(c->world, "alone_outcome", sizeof(alone_outcome),
                                         &call->outcome));
    }
    return WEIR_OK;
}

weir_result sim_constraint_create(gpu_device *device, const scene_data *scene, sim_constraint **out)
{
    weir_result result;
    const weir_log *log = gpu_device_log(device);
    *out = NULL;
    WEIR_NEED(check_scene(log, scene));
    sim_constraint *c = base_alloc(1, sizeof *c);
    if (!c) return base_fail(log, WEIR_MEMORY, "no memory for a constraint");
    c->device = device;
    c->log = log;
    take_scene(c, scene);
    const grid_capacity first = {.particles = 1, .list = sim_first_list_capacity(&c->scene)};
    WEIR_TRY(sim_create_chosen(device, &c->scene, &(sim_choices){.first = &first, .alone = true},
                               &c->world));
    c->world->params.speed_cap = NO_CAP;
    WEIR_TRY(create_calls(c));
    *out = c;
    return WEIR_OK;
fail:
    sim_constraint_destroy(&c);
    return result;
}

void sim_constraint_destroy(sim_constraint **pointer)
{
    sim_constraint *c = *pointer;
    if (!c) return;
    for (uint32_t i = 0; i < CALLS; i++) {
        gpu_buffer_destroy(c->device, &c->calls[i].input);
        gpu_buffer_destroy(c->device, &c->calls[i].outcome);
    }
    sim_destroy(&c->world);
    base_free(c);
    *pointer = NULL;
}

gpu_device *sim_constraint_device(const sim_constraint *c)
{
    return c->device;
}

uint32_t sim_constraint_list(const sim_constraint *c)
{
    return grid_get_capacity(c->world->grid).list;
}

uint32_t sim_constraint_wants_list(const sim_constraint *c)
{
    return c->wanted_list;
}

/* ---- room ----------------------------------------------------------------------------------- */

static weir_result grow(sim_constraint *c, uint32_t particles, uint32_t neighbours, uint32_t list)
{
    sim_world *world = c->world;
    WEIR_NEED(gpu_device_wait(c->device));
    sim_buffers_destroy(world, SIM_WITH_PARTICLES);
    sim_buffers_destroy(world, SIM_WITH_GIVEN);
    world->given_neighbours = neighbours;
    WEIR_NEED(sim_particle_buffers_create(world, particles));
    WEIR_NEED(sim_buffers_create(world, SIM_WITH_GIVEN));
    return sim_grid_grow(world, (grid_capacity){.particles = particles, .list = list});
}

static uint32_t more(uint32_t wanted)
{
    return wanted > UINT32_MAX - wanted / 8u ? wanted : wanted + wanted / 8u;
}

/* Kernels know what is given, so that without masses they are those of a fluid of one density. */
static bool takes_other(sim_world *world, const sim_constraint_call *call)
{
    bool lists = call->given[SIM_GIVEN_OFFSET], masses = call->given[SIM_GIVEN_MASS];
    bool changes = lists != world->lists_given || masses != world->masses_given;
    world->lists_given = lists;
    world->masses_given = masses;
    if (changes) sim_kernels_destroy(world);
    return changes;
}

bool sim_constraint_grows(const sim_constraint *c, const sim_constraint_call *call)
{
    return call->count > c->world->params.particle_capacity ||
           call->neighbour_count > c->world->given_neighbours ||
           c->wanted_list > sim_constraint_list(c);
}

bool sim_constraint_busy(const sim_constraint *c)
{
    const alone_call *last = &c->calls[c->number % CALLS];
    return last->number > 0 && !gpu_ticket_done(c->device, last->ticket);
}

weir_result sim_constraint_room(sim_constraint *c, const sim_constraint_call *call)
{
    sim_world *world = c->world;
    uint32_t particles = call->count > c->world->params.particle_capacity
                             ? more(call->count)
                             : c->world->params.particle_capacity;
    uint32_t neighbours = c->world->given_neighbours, list = sim_constraint_list(c);
    bool grows = sim_constraint_grows(c, call);
    if (call->neighbour_count > neighbours) neighbours = more(call->neighbour_count);
    if (c->wanted_list > list) list = (c->wanted_list + 7u) / 8u * 8u;
    if (c->broken)
        return base_fail(c->log, WEIR_MEMORY,
                         "the constraint has lost its buffers in an earlier call: make it anew");
    bool changes = takes_other(world, call);
    if (!grows && !changes) return WEIR_OK;
    c->broken = true;
    if (changes) WEIR_NEED(sim_kernels_create(world));
    if (grows) WEIR_NEED(grow(c, particles, neighbours, list));
    WEIR_NEED(sim_rows_build(world));
    c->broken = false;
    return WEIR_OK;
}

gpu_buffer *sim_constraint_buffer(const sim_constraint *c, sim_given which)
{
    const sim_buffers *b = &c->world->buffers;
    gpu_buffer *const all[] = {[SIM_GIVEN_POSITION] = b->given_positions,
                               [SIM_GIVEN_VELOCITY] = b->given_velocities,
                               [SIM_GIVEN_MASS] = b->given_masses,
                               [SIM_GIVEN_OFFSET] = b->given_offsets,
                               [SIM_GIVEN_NEIGHBOUR] = b->given_neighbours};
    return all[which];
}

uint64_t sim_constraint_bytes(const sim_constraint_call *call, sim_given which)
{
    switch (which) {
    case SIM_GIVEN_MASS: return 4ull * call->count;
    case SIM_GIVEN_OFFSET: return 4ull * call->count + 4;
    case SIM_GIVEN_NEIGHBOUR: return 4ull * call->neighbour_count;
    default: return 4ull * call->words * call->count;
    }
}

/* ---- outcomes ------------------------------------------------------------------------------- */

static void tell_crowd(sim_constraint *c, const alone_outcome *seen)
{
    if (c->told || seen->state.needed_list <= LONGEST) return;
    c->told = true;
    base_log(
        c->log, WEIR_LOG_ERROR,
        "a particle has %u neighbours within the support radius, at most %u can be listed: its "
        "positions stay as they were given; spread the particles, or use a smaller spacing",
        seen->state.needed_list, LONGEST);
}

static weir_constraint_report read_outcome(const sim_constraint *c, const alone_call *call,
                                           const alone_outcome *seen)
{
    const struct sim_status *status = &seen->status;
    bool whole = seen->state.flags == 0, tolerant = sim_is_tolerant(c->world);
    weir_constraint_report report = {
        .number = call->number,
        .iterations = tolerant ? status->iterations : c->scene.solver.iterations,
        .error_mean = tolerant ? status->error_mean : -1.0f,
        .error_max = tolerant ? status->error_max : -1.0f,
        .within = !tolerant || status->missed == 0,
        .whole = whole,
        .left = seen->taken.left + status->broken,
        .held = seen->taken.held,
        .strays = seen->taken.strays,
    };
    /* In the order of given lists those that were not taken are among the lost ones. */
    if (call->listed) report.left = whole ? status->broken : seen->taken.left;
    if (!whole) report.iterations = 0, report.error_mean = report.error_max = -1.0f;
    return report;
}

/* Takes what a finished call has left. */
static weir_result collect(sim_constraint *c, alone_call *call)
{
    const alone_outcome *seen = gpu_buffer_map(call->outcome);
    if (call->number == 0) return WEIR_OK;
    WEIR_NEED(gpu_ticket_wait(c->device, call->ticket));
    uint64_t number = call->number;
    if (seen->status.substeps == UNWRITTEN) {
        call->number = 0;
        return base_fail(c->log, WEIR_ARGUMENT,
                         "call %llu of the constraint is recorded in a command buffer that was not "
                         "submitted: submit it to the adopted queue before the next call",
                         (unsigned long long)number);
    }
    if (number > c->last.number) c->last = read_outcome(c, call, seen);
    call->number = 0;
    tell_crowd(c, seen);
    uint32_t needed = seen->state.needed_list < LONGEST ? seen->state.needed_list : LONGEST;
    if ((seen->state.flags & GRID_OVERFLOW_LISTS) && needed > c->wanted_list)
        c->wanted_list = needed;
    return WEIR_OK;
}

weir_result sim_constraint_report(sim_constraint *c, bool wait, weir_constraint_report *report)
{
    for (uint64_t k = 1; k <= CALLS; k++) { /* in the order in which they were made */
        alone_call *call = &c->calls[(c->number + k) % CALLS];
        if (call->number && (wait || gpu_ticket_done(c->device, call->ticket)))
            WEIR_NEED(collect(c, call));
    }
    *report = c->last;
    return WEIR_OK;
}

/* ---- a call --------------------------------------------------------------------------------- */

static void fill_input(sim_constraint *c, alone_call *to, const sim_constraint_call *call)
{
    alone_input *input = gpu_buffer_map(to->input);
    *input = (alone_input){.params = c->world->params, .status = {.count = call->count}};
    input->params.frame_dt = call->seconds;
    ((alone_outcome *)gpu_buffer_map(to->outcome))->status.substeps = UNWRITTEN;
}

static void set_constants(sim_constraint *c, const sim_constraint_call *call)
{
    sim_world *world = c->world;
    const struct {
        int kernel;
        uint32_t constant;
    } all[] = {
        {SIM_CONSTRAINT_TAKE, call->words | (call->given[SIM_GIVEN_MASS] ? SIM_GIVEN_MASSES : 0u)},
        {SIM_CONSTRAINT_LISTS, call->neighbour_count},
        {SIM_CONSTRAINT_GIVE, call->words}};
    for (uint32_t i = 0; i < world->row_count; i++)
        for (size_t k = 0; k < BASE_COUNT(all); k++)
            if (world->rows[i].kernel == world->kernels[all[k].kernel])
                world->rows[i].constant = all[k].constant;
}

static weir_result record_input(sim_constraint *c, const alone_call *to,
                                const sim_constraint_call *call)
{
    const sim_buffers *b = &c->world->buffers;
    const gpu_copy copies[] = {
        {.from = to->input, .to = b->params, .size = sizeof(struct sim_params)},
        {.from = to->input,
         .to = b->status,
         .from_offset = offsetof(alone_input, status),
         .size = sizeof(struct sim_status)},
        {.from = to->input,
         .to = grid_state_buffer(c->world->grid),
         .from_offset = offsetof(alone_input, state),
         .size = sizeof(struct grid_state)},
        {.from = to->input,
         .to = b->taken,
         .from_offset = offsetof(alone_input, taken),
         .size = sizeof(struct sim_taken)},
    };
    for (size_t i = 0; i < BASE_COUNT(copies); i++)
        WEIR_NEED(gpu_record_copy(c->device, &copies[i]));
    if (!call->given[SIM_GIVEN_VELOCITY])
        WEIR_NEED(gpu_record_fill(c->device, b->given_velocities, 0));
    for (sim_given k = 0; k < SIM_GIVEN_COUNT; k++)
        if (call->from[k])
            WEIR_NEED(
                gpu_record_copy(c->device, &(gpu_copy){.from = call->from[k],
                                                       .to = sim_constraint_buffer(c, k),
                                                       .from_offset = call->offsets[k],
                                                       .size = sim_constraint_bytes(call, k)}));
    return WEIR_OK;
}

static weir_result record_outcome(sim_constraint *c, const alone_call *to,
                                  const sim_constraint_call *call)
{
    const sim_buffers *b = &c->world->buffers;
    const gpu_copy copies[] = {
        {.from = b->status, .to = to->outcome, .size = sizeof(struct sim_status)},
        {.from = grid_state_buffer(c->world->grid),
         .to = to->outcome,
         .to_offset = offsetof(alone_outcome, state),
         .size = sizeof(struct grid_state)},
        {.from = b->taken,
         .to = to->outcome,
         .to_offset = offsetof(alone_outcome, taken),
         .size = sizeof(struct sim_taken)},
    };
    for (size_t i = 0; i < BASE_COUNT(copies); i++)
        WEIR_NEED(gpu_record_copy(c->device, &copies[i]));
    for (sim_given k = SIM_GIVEN_POSITION; k <= SIM_GIVEN_VELOCITY; k++)
        if (call->from[k])
            WEIR_NEED(
                gpu_record_copy(c->device, &(gpu_copy){.from = sim_constraint_buffer(c, k),
                                                       .to = call->from[k],
                                                       .to_offset = call->offsets[k],
                                                       .size = sim_constraint_bytes(call, k)}));
    return WEIR_OK;
}

weir_result sim_constraint_run(sim_constraint *c, const sim_constraint_call *call,
                               const struct weir_vulkan_submit *submission)
{
    sim_world *world = c->world;
    gpu_device *device = c->device;
    alone_call *to = &c->calls[(c->number + 1) % CALLS];
    WEIR_ASSERT(call->count <= c->world->params.particle_capacity &&
                call->neighbour_count <= c->world->given_neighbours);
    WEIR_NEED(collect(c, to));
    fill_input(c, to, call);
    set_constants(c, call);
    WEIR_NEED(gpu_record_begin_with(device, submission));
    gpu_record_title(device, "constraint", c->number + 1);
    WEIR_NEED(record_input(c, to, call));
    WEIR_NEED(gpu_record_rows(device, &world->begin_row, 1, 0, NULL));
    WEIR_NEED(gpu_record_rows(device, world->rows, world->row_count, 0, NULL));
    WEIR_NEED(record_outcome(c, to, call));
    WEIR_NEED(gpu_record_submit(device, &to->ticket));
    to->listed = world->lists_given;
    to->number = ++c->number;
    return WEIR_OK;
}
