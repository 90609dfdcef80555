/* Frames: recorded once, submitted, and replayed from where they stood when a buffer was too small.
 *
 * A substep changes positions, velocities and ids only in its last rows. When the sort or the lists
 * outgrow a buffer, a flag stops all later rows, so these three still hold the state before that
 * substep: the host makes room and records the rest again. The result does not depend on
 * capacities.
 */
#include "sim_frame.h"

#define SPEED_MARGIN 1.25    /* over the speed that the last frames let expect */
#define UNWRITTEN UINT32_MAX /* substeps of a result until the device has written it */

static weir_result record_copies(sim_world *world, const gpu_copy *copies, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (copies[i].to) WEIR_NEED(gpu_record_copy(world->device, &copies[i]));
    return WEIR_OK;
}

weir_result sim_frame_record_input(sim_world *world, sim_frame *frame)
{
    const sim_buffers *b = &world->buffers;
    uint64_t poses = (uint64_t)solid_item_count(world->solids) * world->scene->solver.substeps;
    const gpu_copy copies[] = {
        {.from = frame->input, .to = b->params, .size = sizeof(struct sim_params)},
        {.from = frame->input,
         .to = b->emissions,
         .from_offset = offsetof(sim_input, emissions),
         .size = frame->emission_count * sizeof(struct sim_emission)},
        {.from = frame->poses, .to = b->poses, .size = poses * sizeof(struct solid_pose)},
        {.from = frame->input,
         .to = b->emitters,
         .from_offset = offsetof(sim_input, jet),
         .to_offset = world->scene->emitter_count * sizeof(struct sim_emitter),
         .size = frame->jetting ? sizeof(struct sim_emitter) : 0},
        {.from = frame->input,
         .to = b->emitters,
         .from_offset = offsetof(sim_input, moved),
         .to_offset = (world->scene->emitter_count + 1) * sizeof(struct sim_emitter),
         .size = frame->moved_count * sizeof(struct sim_emitter)},
        {.from = frame->input,
         .to = b->pointer,
         .from_offset = offsetof(sim_input, pointer),
         .size = frame->pointed ? sizeof(struct sim_pointer) : 0},
        {.from = frame->input,
         .to = world->bodies ? body_set_hand(world->bodies) : NULL,
         .from_offset = offsetof(sim_input, hand),
         .size = frame->dragging ? sizeof(struct body_hand) : 0},
    };
    return record_copies(world, copies, BASE_COUNT(copies));
}

static weir_result record_result(sim_world *world, sim_frame *frame)
{
    const gpu_copy copies[] = {
        {.from = world->buffers.status,
         .to = frame->result,
         .to_offset = offsetof(sim_result, status),
         .size = sizeof(struct sim_status)},
        {.from = world->buffers.sums,
         .to = frame->result,
         .to_offset = offsetof(sim_result, sums),
         .size = sizeof(struct sim_sums)},
        {.from = grid_state_buffer(world->grid),
         .to = frame->result,
         .to_offset = offsetof(sim_result, state),
         .size = sizeof(struct grid_state)},
        {.from = world->bodies ? body_set_states(world->bodies) : NULL,
         .to = frame->bodies,
         .size = sim_body_bytes(world)},
        {.from = world->bodies ? body_set_pushes(world->bodies) : NULL,
         .to = frame->pushes,
         .size = sim_push_bytes(world)},
        {.from = sim_sums_forces(world) ? world->buffers.solid_forces : NULL,
         .to = frame->forces,
         .size = sim_force_bytes(world)},
        {.from = world->softs ? soft_set_states(world->softs) : NULL,
         .to = frame->softs,
         .size = sim_soft_bytes(world)},
    };
    for (size_t i = 0; i < BASE_COUNT(copies); i++)
        if (copies[i].from) WEIR_NEED(gpu_record_copy(world->device, &copies[i]));
    return sim_record_readings(world, frame);
}

/* Records and submits a frame from substep `first`; a fresh one chooses its substeps first. */
static weir_result record_frame(sim_world *world, sim_frame *frame, uint32_t first, bool fresh)
{
    gpu_device *device = world->device;
    world->order.known = false;
    frame->lent = gpu_submission_lent(frame->submission);
    ((sim_result *)gpu_buffer_map(frame->result))->status.substeps = UNWRITTEN;
    WEIR_NEED(gpu_record_begin_with(device, frame->submission));
    double start_s = base_cpu_time_s() - gpu_device_waited_cpu(device);
    gpu_record_elapsed(device, &frame->gpu_ms);
    gpu_record_title(device, "frame", frame->number);
    WEIR_NEED(sim_frame_record_input(world, frame));
    if (fresh) WEIR_NEED(gpu_record_rows(device, &world->begin_row, 1, 0, world->begin_timers));
    if (fresh && frame->pointed) {
        gpu_row pointer = sim_pointer_row(world);
        WEIR_NEED(gpu_record_rows(device, &pointer, 1, 0, NULL));
    }
    if (fresh && frame->dragging) {
        gpu_row drag = sim_drag_row(world);
        WEIR_NEED(gpu_record_rows(device, &drag, 1, 0, NULL));
    }
    uint32_t substeps = world->scene->solver.substeps;
    for (uint32_t s = first; s < frame->recorded; s++) {
        WEIR_NEED(gpu_record_rows(device, world->rows, world->row_count, s, world->timers));
        WEIR_NEED(sim_record_residuals(world, frame, s));
    }
    WEIR_NEED(gpu_record_rows(device, world->end_rows, world->end_row_count, substeps - 1,
                              world->end_timers));
    WEIR_NEED(record_result(world, frame));
    if (frame->slot) WEIR_NEED(sim_slot_record(world, frame));
    WEIR_NEED(gpu_record_submit(device, &frame->ticket));
    frame->record_ms = 1000.0 * (base_cpu_time_s() - gpu_device_waited_cpu(device) - start_s);
    return WEIR_OK;
}

/* ---- growth --------------------------------------------------------------------------------- */

/* Needed segments and a quarter more, as far as the cell table still fits one binding. */
static uint32_t grown_segments(const sim_world *world, uint32_t needed)
{
    uint64_t fits = gpu_device_storage_range(world->device) / (GRID_SEGMENT_CELLS * 4u) - 1;
    uint64_t wanted = needed + needed / 4ull;
    return wanted <= fits || needed > fits ? (uint32_t)wanted : (uint32_t)fits;
}

/* The length of a list must fit its header, and lists grow by eights. */
#define LONGEST_LIST (GRID_COUNT_MASK / 8u * 8u)

static grid_capacity grown(const sim_world *world, const sim_result *seen)
{
    grid_capacity capacity = grid_get_capacity(world->grid);
    if (seen->state.flags & GRID_OVERFLOW_LISTS)
        capacity.list = (seen->state.needed_list + 7u) / 8u * 8u;
    if (seen->state.flags & GRID_OVERFLOW_SEGMENTS)
        capacity.segments = grown_segments(world, seen->state.needed_segments);
    if (seen->state.flags & GRID_OVERFLOW_PARTICLES)
        capacity.particles = seen->status.needed_particles + seen->status.needed_particles / 2u;
    return capacity;
}

/* Moves the state of `count` particles into buffers for `capacity`. */
static weir_result grow_particles(sim_world *world, uint32_t count, uint32_t capacity)
{
    weir_result result;
    sim_state state = {0};
    WEIR_TRY(sim_state_download(world, count, &state));
    sim_buffers_destroy(world, SIM_WITH_PARTICLES);
    WEIR_TRY(sim_particle_buffers_create(world, capacity));
    WEIR_TRY(sim_state_upload(world, count,
                              &(sim_arrays){.x = state.x,
                                            .v = state.v,
                                            .ids = state.ids,
                                            .affine = state.affine,
                                            .bodies = state.bodies,
                                            .holds = state.holds,
                                            .softs = state.softs}));
fail:
    sim_state_free(&state);
    return result;
}

/* In the sorted order two neighbours of one particle are too far from it and from each other for
 * 16 bits. */
static weir_result widen(sim_world *world)
{
    base_log(world->log, WEIR_LOG_INFO,
             "compact lists cannot name all neighbours: they are made wide");
    grid_widen(world->grid);
    sim_kernels_destroy(world);
    return sim_kernels_create(world);
}

static weir_result clear_flags(sim_world *world)
{
    static const struct grid_state clean;
    return gpu_buffer_upload(world->device, grid_state_buffer(world->grid), 0, &clean,
                             sizeof clean);
}

/* Of cells, as many as before where they do not run short. */
static uint32_t grown_blocks(const sim_world *world, const sim_result *seen)
{
    uint32_t needed = seen->state.needed_blocks;
    if (seen->state.flags & GRID_OVERFLOW_BLOCKS) return needed + needed / 4;
    return world->cells ? poisson_capacity(world->cells) : 0;
}

/* Names what grows alone. */
static void tell_growth(const sim_world *world, const grid_capacity *after, const sim_result *seen)
{
    grid_capacity before = grid_get_capacity(world->grid);
    uint32_t blocks = world->cells ? poisson_capacity(world->cells) : 0;
    const struct {
        const char *what;
        uint32_t from, to;
    } all[] = {
        {"particles", before.particles, after->particles},
        {"neighbours each", before.list, after->list},
        {"grid segments", before.segments, after->segments},
        {"blocks of cells", blocks, grown_blocks(world, seen)},
    };
    base_text text = {0};
    for (size_t i = 0; i < BASE_COUNT(all); i++)
        if (all[i].from != all[i].to)
            base_text_append(&text, "%s%s %u to %u", text.count > 0 ? ", " : "", all[i].what,
                             all[i].from, all[i].to);
    if (text.count > 0)
        base_log(world->log, WEIR_LOG_INFO, "making room: %s; the frame goes on from substep %u",
                 text.items, seen->status.substep);
    base_free(text.items);
}

bool sim_can_grow(const sim_result *seen)
{
    return !(seen->state.flags & SIM_BROKEN) && seen->state.needed_list <= LONGEST_LIST;
}

weir_result sim_grow(sim_world *world, const sim_result *seen)
{
    grid_capacity before = grid_get_capacity(world->grid), after = grown(world, seen);
    tell_growth(world, &after, seen);
    if (after.particles != before.particles)
        WEIR_NEED(grow_particles(world, seen->status.count, after.particles));
    if (seen->state.flags & GRID_OVERFLOW_COMPACT) WEIR_NEED(widen(world));
    WEIR_NEED(sim_grid_grow(world, after));
    if (seen->state.flags & GRID_OVERFLOW_BLOCKS)
        WEIR_NEED(sim_cells_grow(world, grown_blocks(world, seen)));
    WEIR_NEED(clear_flags(world));
    return sim_rows_build(world);
}

uint32_t sim_frame_emits(const sim_frame *frame)
{
    const sim_input *input = gpu_buffer_map(frame->input);
    uint32_t n = frame->emission_count;
    return n ? input->emissions[n - 1].particles_before + input->emissions[n - 1].particle_count
             : 0;
}

/* The oldest frame ran out of room, or takes more substeps than were recorded: it and all frames
 * after it did no work past that point. */
static weir_result replay(sim_world *world, sim_frame *oldest, const sim_result *seen)
{
    WEIR_NEED(gpu_device_wait(world->device));
    world->replays++;
    if (seen->state.flags == SIM_UNFINISHED)
        WEIR_NEED(clear_flags(world));
    else
        WEIR_NEED(sim_grow(world, seen));
    for (uint64_t f = world->frames_done; f < world->frames_begun; f++) {
        sim_frame *frame = &world->frames[f % SIM_FRAMES];
        sim_input *input = gpu_buffer_map(frame->input);
        bool started = frame == oldest;
        input->params.particle_capacity = world->params.particle_capacity;
        input->params.met_capacity = world->params.met_capacity;
        frame->recorded = world->scene->solver.substeps;
        if (world->emit_row != UINT32_MAX) {
            uint32_t emits = sim_frame_emits(frame);
            world->rows[world->emit_row].domain.count = emits ? emits : 1;
        }
        WEIR_NEED(record_frame(world, frame, started ? seen->status.substep : 0, !started));
    }
    return WEIR_OK;
}

static void trace_frame(const sim_world *world, const sim_result *seen)
{
    base_trace *trace = gpu_device_trace(world->device);
    double now_s = base_time_s(), live = seen->sums.count ? (double)seen->sums.count : 1.0;
    base_trace_counter(trace, "particles", now_s, (double)seen->status.count);
    base_trace_counter(trace, "density error, %", now_s,
                       100.0 * (double)seen->sums.error_sum / live);
}

/* ---- completion ----------------------------------------------------------------------------- */

static void finish_frame(sim_world *world, sim_frame *frame, const sim_result *seen, double time_s)
{
    world->gpu_ms = frame->gpu_ms;
    world->record_ms = frame->record_ms;
    world->last = *seen;
    world->lists_stand = true;
    sim_keep_readings(world, frame);
    if (world->bodies) sim_keep_bodies(world, frame);
    sim_keep_forces(world, frame);
    if (world->softs) sim_keep_softs(world, gpu_buffer_map(frame->softs));
    world->last_time_s = time_s;
    frame->pending = false;
    world->frames_done++;
    trace_frame(world, seen);
}

static void complete(sim_world *world, sim_frame *frame, const sim_result *seen)
{
    finish_frame(world, frame, seen, frame->start_s + frame->seconds);
    world->crushed_frames += sim_density_error(world) > WEIR_CRUSHED_ERROR;
    sim_check_speed(world, (double)seen->sums.speed_max, (double)seen->status.dt,
                    world->last_time_s);
    sim_check_viscosity(world, &seen->status, world->last_time_s);
    sim_check_tolerance(world, seen, world->last_time_s);
    sim_check_body_speeds(world, seen, frame->number);
    if (world->unstable || !sim_has_exploded(world, seen)) return;
    world->unstable = true;
    base_log(world->log, WEIR_LOG_ERROR,
             "by substep %u, the end of frame %llu (%.3f s), %s %.3g J, %.3g J at the start, and "
             "nothing has driven it: the solve feeds itself; use more substeps, or a relaxation of "
             "0.65 or less",
             seen->status.total_substeps, (unsigned long long)frame->number, world->last_time_s,
             world->bodies ? "fluid and bodies have" : "the fluid has", sim_energy(world, seen),
             world->start_energy_j);
}

/* The state stays that of the last complete substep. */
static void halt(sim_world *world, sim_frame *frame, const sim_result *seen)
{
    double done = (double)seen->status.substep * (double)seen->status.dt;
    finish_frame(world, frame, seen, frame->start_s + done);
    world->frame -= world->frames_begun - world->frames_done;
    world->time_s = world->last_time_s;
    world->frames_done = world->frames_begun;
    for (uint32_t i = 0; i < SIM_FRAMES; i++)
        world->frames[i].pending = false;
    world->unstable = true;
}

/* A particle has more neighbours than any list can hold. */
static void collapse(sim_world *world, sim_frame *frame, const sim_result *seen)
{
    halt(world, frame, seen);
    base_log(world->log, WEIR_LOG_ERROR,
             "substep %u (frame %llu, %.3f s): a particle has %u neighbours, at most %u can be "
             "listed: the fluid has collapsed; use more substeps or iterations",
             seen->status.total_substeps + 1, (unsigned long long)frame->number, world->last_time_s,
             seen->state.needed_list, LONGEST_LIST);
}

static void give_up(sim_world *world, sim_frame *frame, const sim_result *seen)
{
    const struct sim_status *status = &seen->status;
    halt(world, frame, seen);
    base_log(world->log, WEIR_LOG_ERROR,
             "substep %u (frame %llu, %.3f s): %u of %u particles left the finite numbers; the "
             "state is that of the substep before; use more substeps, or a relaxation of 0.65 or "
             "less",
             status->total_substeps + 1, (unsigned long long)frame->number, world->last_time_s,
             status->broken + status->non_finite + status->total_non_finite, status->count);
}

/* What particles that come and go leave unchanged. */
static uint32_t balance(const struct sim_status *s)
{
    return s->count + s->total_escaped + s->total_sunk + s->total_non_finite - s->total_emitted;
}

/* A device that stops computing leaves what the host knows better: how many particles there must
 * be, and how many substeps. */
static weir_result check_books(const sim_world *world, const sim_frame *frame,
                               const sim_result *seen)
{
    const struct sim_status *now = &seen->status;
    uint32_t missing = balance(&world->last.status) - balance(now);
    uint32_t most = world->scene->solver.substeps;
    if (missing == 0 && now->substeps >= 1 && now->substeps <= most &&
        now->substep == now->substeps)
        return WEIR_OK;
    return base_fail(world->log, WEIR_UNSUPPORTED,
                     "%s computed frame %llu wrongly: after %u of %u substeps there are %u "
                     "particles, expected %u after 1 to %u substeps; update its driver, or choose "
                     "another device: weir info lists them",
                     gpu_device_info(world->device)->name, (unsigned long long)frame->number,
                     now->substep, now->substeps, now->count, now->count + missing, most);
}

static weir_result check_written(const sim_world *world, const sim_frame *frame,
                                 const sim_result *seen)
{
    if (!frame->lent || seen->status.substeps != UNWRITTEN) return WEIR_OK;
    return base_fail(world->log, WEIR_ARGUMENT,
                     "frame %llu is recorded in a command buffer that was not submitted: submit it "
                     "to the adopted queue before the next call",
                     (unsigned long long)frame->number);
}

static weir_result settle_oldest(sim_world *world)
{
    weir_result result;
    sim_frame *frame = &world->frames[world->frames_done % SIM_FRAMES];
    while (frame->pending) {
        WEIR_TRY(gpu_ticket_wait(world->device, frame->ticket));
        sim_result seen = *(const sim_result *)gpu_buffer_map(frame->result);
        WEIR_TRY(check_written(world, frame, &seen));
        if (seen.state.flags == 0) {
            WEIR_TRY(check_books(world, frame, &seen));
            complete(world, frame, &seen);
        } else if (seen.state.flags & SIM_BROKEN) {
            give_up(world, frame, &seen);
        } else if (!sim_can_grow(&seen)) {
            collapse(world, frame, &seen);
        } else {
            WEIR_TRY(replay(world, frame, &seen));
        }
    }
    return WEIR_OK;
fail:
    world->failed = result;
    return result;
}

static weir_result check_whole(const sim_world *world)
{
    if (world->failed == WEIR_OK) return WEIR_OK;
    return base_fail(world->log, world->failed,
                     "the simulation broke off in an earlier frame: restore a checkpoint, or make "
                     "it anew");
}

weir_result sim_settle(sim_world *world)
{
    weir_result result = check_whole(world);
    while (result == WEIR_OK && world->frames_done < world->frames_begun)
        result = settle_oldest(world);
    return result;
}

/* Settles the frames that the device has finished; `repeats`: also those that must be repeated. */
static weir_result take_finished(sim_world *world, bool repeats)
{
    weir_result result = check_whole(world);
    while (result == WEIR_OK && world->frames_done < world->frames_begun) {
        const sim_frame *frame = &world->frames[world->frames_done % SIM_FRAMES];
        const sim_result *seen = gpu_buffer_map(frame->result);
        if (!gpu_ticket_done(world->device, frame->ticket)) break;
        WEIR_NEED(gpu_ticket_wait(world->device, frame->ticket));
        if (seen->status.substeps == UNWRITTEN || (seen->state.flags != 0 && !repeats)) break;
        result = settle_oldest(world);
    }
    return result;
}

weir_result sim_take_finished(sim_world *world)
{
    return take_finished(world, false);
}

weir_result sim_wait(sim_world *world)
{
    weir_result result = sim_settle(world);
    return result == WEIR_OK && world->unstable ? WEIR_UNSTABLE : result;
}

/* ---- a frame's input ------------------------------------------------------------------------ */

/* The substeps that a frame will take, with something to spare: the GPU chooses them
 * (shaders/sim/frame_begin.comp) when the host knows the speed of some frames before. A frame that
 * takes more goes on where it stands, a frame that takes fewer costs the recording of rows that do
 * nothing. */
static uint32_t expected_substeps(const sim_world *world, const sim_frame *frame)
{
    const struct sim_params *p = &world->params;
    uint32_t most = world->scene->solver.substeps, n = 1;
    if (!p->adaptive || world->frames_done == 0) return most;
    double seconds = frame->seconds, fastest = (double)world->last.sums.speed_max;
    double ahead = (double)(world->frames_begun - world->frames_done) + 1.0;
    const vec4 *g = &p->gravity;
    double fall = (double)vec3_length(vec3_make(g->x, g->y, g->z)) * seconds * ahead;
    fastest = fmax(fastest, (double)frame->emitted_speed);
    fastest = fmax(fastest, (double)sim_fastest_body(world));
    for (uint64_t f = world->frames_done; f < world->frames_begun; f++)
        fastest = fmax(fastest, (double)world->frames[f % SIM_FRAMES].emitted_speed);
    double speed = SPEED_MARGIN * (fastest + fall);
    double wanted = ceil(speed * seconds / (double)(p->cfl * p->spacing));
    if (!(wanted < most)) return most;
    while (n < most && (n < wanted || most % n != 0))
        n++;
    return n;
}

void sim_frame_plan(sim_world *world, sim_frame *frame, double seconds)
{
    sim_input *input = gpu_buffer_map(frame->input);
    struct solid_pose *poses = gpu_buffer_map(frame->poses);
    uint32_t substeps = world->scene->solver.substeps;
    double dt = seconds / substeps;
    frame->gpu_ms = 0.0;
    frame->number = world->frame + 1;
    frame->start_s = world->time_s;
    frame->seconds = seconds;
    sim_follow_gravity(world, world->time_s + 0.5 * seconds);
    sim_emissions plan = {.items = input->emissions, .moved = input->moved};
    sim_emissions_plan(world, world->time_s, seconds, &plan);
    frame->emission_count = plan.count;
    frame->moved_count = plan.moved_count;
    frame->emitted_speed = plan.speed;
    frame->recorded = expected_substeps(world, frame);
    input->params = world->params;
    input->params.emitted_speed = frame->emitted_speed;
    input->pointer = world->pointer;
    input->jet = world->jet.emitter;
    frame->jetting = world->jet.open;
    frame->pointed = world->pointer.direction.w != 0.0f;
    input->hand = world->hand;
    frame->dragging = world->dragging;
    input->params.frame_dt = (float)seconds;
    input->params.emission_count = frame->emission_count;
    solid_steer_begin(world->solids, world->time_s, world->time_s + seconds);
    for (uint32_t s = 0; s < substeps && solid_item_count(world->solids); s++)
        solid_poses_at(world->solids, world->time_s + (s + 1) * dt, dt,
                       poses + (size_t)s * solid_item_count(world->solids));
}

/* Bodies that sleep feel it when gravity is another than in the frame before. */
static weir_result wake_tipped(sim_world *world, double seconds)
{
    vec3 before = scene_gravity_at(world->scene, world->time_s - 0.5 * seconds);
    vec3 now = scene_gravity_at(world->scene, world->time_s + 0.5 * seconds);
    if (!world->bodies || vec3_length(vec3_sub(now, before)) == 0.0f) return WEIR_OK;
    WEIR_NEED(sim_settle(world));
    return sim_wake_bodies(world);
}

weir_result sim_step_into(sim_world *world, double seconds, sim_slot *slot,
                          const struct weir_vulkan_submit *submission)
{
    weir_result result = WEIR_OK;
    if (seconds <= 0.0) seconds = 1.0 / (double)world->scene->frame_rate;
    sim_frame *frame = &world->frames[world->frames_begun % SIM_FRAMES];
    WEIR_TRY(check_whole(world));
    uint64_t replays = world->replays;
    /* What a host already knows to be incomplete is repeated now, not two frames later. */
    if (slot) WEIR_TRY(take_finished(world, true));
    if (frame->pending) WEIR_TRY(settle_oldest(world));
    /* The frame begins where all before it are whole, or its slot would not be whole either. */
    if (slot && world->replays > replays) WEIR_TRY(sim_settle(world));
    if (world->unstable) return WEIR_UNSTABLE;
    WEIR_TRY(sim_emissions_check(world, world->time_s + seconds));
    WEIR_TRY(wake_tipped(world, seconds));
    if (slot) WEIR_TRY(sim_slot_make(world, slot));
    sim_frame_plan(world, frame, seconds);
    if (slot) sim_slot_bound(world, frame, slot);
    frame->slot = slot;
    frame->submission = submission;
    result = world->failed = record_frame(world, frame, 0, true);
    frame->slot = NULL;
    frame->submission = NULL;
    if (result != WEIR_OK) return result;
    frame->pending = true;
    world->frames_begun++;
    world->frame++;
    world->time_s += seconds;
fail:
    return result;
}

weir_result sim_step(sim_world *world, double seconds)
{
    return sim_step_into(world, seconds, NULL, NULL);
}
