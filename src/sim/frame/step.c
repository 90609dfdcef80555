/* Frames: recorded once, submitted, and replayed from where they stopped if a buffer was too small,
 * or if they need more substeps or iterations than were recorded.
 *
 * A substep changes positions, velocities and ids only in its last passes. If the sort or the
 * neighbour lists outgrow a buffer, a flag stops all later passes, so these three arrays still hold
 * the state before that substep. The host enlarges the buffers and records the rest of the frame
 * again. The result does not depend on capacities. */
#include "base_tracy.h"
#include "sim_coupling.h"
#include "sim_frame.h"
#include "sim_input.h"
#include "sim_ranks.h"
#include "sim_solvers.h"
#include "sim_stability.h"

#define UNWRITTEN UINT32_MAX /* status.substeps of a result until the device has written it */

static weir_result record_copies(sim_world *world, const gpu_copy *copies, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (copies[i].to) WEIR_RETURN_IF_ERROR(gpu_record_copy(world->device, &copies[i]));
    return WEIR_OK;
}

weir_result sim_record_frame_input(sim_world *world, sim_frame *frame)
{
    const sim_buffers *b = &world->buffers;
    uint64_t poses = (uint64_t)solid_item_count(world->solids) * world->scene->solver.substeps;
    const gpu_copy copies[] = {
        {.from = frame->input, .to = b->params, .size = sizeof(struct sim_params)},
        {.from = frame->input,
         .to = b->emissions,
         .from_offset = offsetof(sim_frame_input, emissions),
         .size = frame->emission_count * sizeof(struct sim_emission)},
        {.from = frame->poses, .to = b->poses, .size = poses * sizeof(struct solid_pose)},
        {.from = frame->input,
         .to = b->emitters,
         .from_offset = offsetof(sim_frame_input, hose),
         .to_offset = (uint32_t)world->streams.list.count * sizeof(struct sim_emitter),
         .size = frame->has_hose ? sizeof(struct sim_emitter) : 0},
        {.from = frame->input,
         .to = b->emitters,
         .from_offset = offsetof(sim_frame_input, moving_emitters),
         .to_offset = ((uint32_t)world->streams.list.count + 1) * sizeof(struct sim_emitter),
         .size = frame->moving_count * sizeof(struct sim_emitter)},
        {.from = frame->input,
         .to = b->ray_force,
         .from_offset = offsetof(sim_frame_input, ray_force),
         .size = frame->has_ray_force ? sizeof(struct sim_ray_force) : 0},
        {.from = frame->input,
         .to = world->scene->sea.given ? b->sea : NULL,
         .from_offset = offsetof(sim_frame_input, sea),
         .size = sizeof(struct sim_sea)},
        {.from = frame->input,
         .to = b->force_fields,
         .from_offset = offsetof(sim_frame_input, force_fields),
         .size = world->force_fields.count ? sizeof(struct sim_force_fields) : 0},
        {.from = frame->input,
         .to = world->bodies ? body_set_buffers(world->bodies)->mouse_joint : NULL,
         .from_offset = offsetof(sim_frame_input, mouse_joint),
         .size = frame->has_mouse_joint ? sizeof(struct body_mouse_joint) : 0},
    };
    return record_copies(world, copies, BASE_COUNT(copies));
}

static weir_result record_result(sim_world *world, sim_frame *frame)
{
    const gpu_copy copies[] = {
        {.from = world->buffers.status,
         .to = frame->result,
         .to_offset = offsetof(sim_frame_result, status),
         .size = sizeof(struct sim_status)},
        {.from = world->buffers.statistics,
         .to = frame->result,
         .to_offset = offsetof(sim_frame_result, sums),
         .size = sizeof(struct sim_statistics)},
        {.from = grid_state_buffer(world->grid),
         .to = frame->result,
         .to_offset = offsetof(sim_frame_result, state),
         .size = sizeof(struct grid_state)},
        {.from = world->bodies ? body_set_buffers(world->bodies)->body_states : NULL,
         .to = frame->bodies,
         .size = sim_body_bytes(world)},
        {.from = world->bodies ? body_set_buffers(world->bodies)->body_fluid_impulses : NULL,
         .to = frame->fluid_impulses,
         .size = sim_fluid_impulse_bytes(world)},
        {.from = sim_sums_solid_forces(world) ? world->buffers.solid_forces : NULL,
         .to = frame->solid_forces,
         .size = sim_solid_force_bytes(world)},
        {.from = world->deformables ? deformable_set_buffers(world->deformables)->deformable_states
                                    : NULL,
         .to = frame->deformables,
         .size = sim_deformable_bytes(world)},
    };
    for (size_t i = 0; i < BASE_COUNT(copies); i++)
        if (copies[i].from) WEIR_RETURN_IF_ERROR(gpu_record_copy(world->device, &copies[i]));
    return sim_record_readings(world, frame);
}

static weir_result record_substeps(sim_world *world, sim_frame *frame, uint32_t first)
{
    weir_result result = WEIR_OK;
    sim_limit_solves(world, frame->solve_limits);
    for (uint32_t s = first; s < frame->recorded_substeps; s++) {
        WEIR_GOTO_IF_ERROR(
            gpu_record_passes(world->device, world->passes, world->pass_count, s, world->timers));
        WEIR_GOTO_IF_ERROR(sim_record_residuals(world, frame, s));
    }
fail:
    sim_unlimit_solves(world);
    return result;
}

/* Records and submits a frame from substep `first`. `fresh`: this is the frame's first recording,
 * which begins with the pass that chooses its substeps. */
static weir_result record_frame(sim_world *world, sim_frame *frame, uint32_t first, bool fresh)
{
    gpu_device *device = world->device;
    world->id_order.valid = false;
    frame->host_submitted = gpu_submission_is_borrowed(frame->submission);
    ((sim_frame_result *)gpu_buffer_map(frame->result))->status.substeps = UNWRITTEN;
    WEIR_RETURN_IF_ERROR(gpu_record_begin_with(device, frame->submission));
    double start_s = base_thread_cpu_time_s() - gpu_device_waited_cpu(device);
    gpu_record_elapsed(device, &frame->gpu_ms);
    gpu_record_set_trace_name(device, "frame", frame->number);
    WEIR_RETURN_IF_ERROR(sim_record_frame_input(world, frame));
    if (fresh)
        WEIR_RETURN_IF_ERROR(
            gpu_record_passes(device, &world->begin_pass, 1, 0, world->begin_timers));
    if (fresh && frame->has_ray_force) {
        gpu_pass ray_force = sim_ray_force_pass(world);
        WEIR_RETURN_IF_ERROR(gpu_record_passes(device, &ray_force, 1, 0, NULL));
    }
    if (fresh && frame->has_mouse_joint) {
        gpu_pass drag = sim_mouse_joint_pass(world);
        WEIR_RETURN_IF_ERROR(gpu_record_passes(device, &drag, 1, 0, NULL));
    }
    WEIR_RETURN_IF_ERROR(record_substeps(world, frame, first));
    WEIR_RETURN_IF_ERROR(gpu_record_passes(device, world->end_passes, world->end_pass_count,
                                           world->scene->solver.substeps - 1, world->end_timers));
    WEIR_RETURN_IF_ERROR(record_result(world, frame));
    if (frame->snapshot) WEIR_RETURN_IF_ERROR(sim_snapshot_record(world, frame));
    WEIR_RETURN_IF_ERROR(gpu_record_submit(device, &frame->ticket));
    frame->record_ms =
        1000.0 * (base_thread_cpu_time_s() - gpu_device_waited_cpu(device) - start_s);
    return WEIR_OK;
}

/* ---- growth --------------------------------------------------------------------------------- */

/* Returns the needed number of segments and a quarter more, or fewer if the bin table would not fit
 * into one binding. */
static uint32_t grow_segment_count(const sim_world *world, uint32_t needed)
{
    uint64_t fits = gpu_device_storage_range(world->device) / (GRID_SEGMENT_BINS * 4u) - 1;
    uint64_t wanted = needed + needed / 4ull;
    return wanted <= fits || needed > fits ? (uint32_t)wanted : (uint32_t)fits;
}

/* The length of a list must fit its header, and lists grow in steps of 8. */
#define LIST_LENGTH_LIMIT (GRID_COUNT_MASK / 8u * 8u)

static grid_capacity grown_capacity(const sim_world *world, const sim_frame_result *seen)
{
    grid_capacity capacity = grid_get_capacity(world->grid);
    if (seen->state.flags & GRID_OVERFLOW_LISTS)
        capacity.list = (seen->state.needed_list_capacity + 7u) / 8u * 8u;
    if (seen->state.flags & GRID_OVERFLOW_SEGMENTS)
        capacity.segments = grow_segment_count(world, seen->state.needed_segments);
    if (seen->state.flags & GRID_OVERFLOW_PARTICLES)
        capacity.particles = seen->status.required_capacity + seen->status.required_capacity / 2u;
    return capacity;
}

/* Moves the state of `count` particles into new buffers with room for `capacity` particles. */
static weir_result grow_particles(sim_world *world, uint32_t count, uint32_t capacity)
{
    weir_result result;
    sim_host_state state = {0};
    WEIR_GOTO_IF_ERROR(sim_host_state_download(world, count, &state));
    sim_buffers_destroy(world, SIM_WITH_PARTICLES);
    WEIR_GOTO_IF_ERROR(sim_particle_buffers_create(world, capacity));
    WEIR_GOTO_IF_ERROR(
        sim_host_state_upload(world, count,
                              &(sim_state_arrays){.x = state.x,
                                                  .v = state.v,
                                                  .ids = state.ids,
                                                  .affine = state.affine,
                                                  .attributes = state.attributes,
                                                  .bodies = state.bodies,
                                                  .contact_impulses = state.contact_impulses,
                                                  .deformables = state.deformables}));
fail:
    sim_host_state_free(&state);
    return result;
}

/* Replaces compact lists by wide ones. Needed if two neighbours of a particle are so far from it
 * and from each other in the sorted order that 16 bits cannot encode them. */
static weir_result switch_to_wide_lists(sim_world *world)
{
    base_log(world->log, WEIR_LOG_INFO,
             "compact neighbour lists cannot index all neighbours: using wide lists");
    grid_use_wide_lists(world->grid);
    sim_pipelines_destroy(world);
    return sim_pipelines_create(world);
}

static weir_result clear_flags(sim_world *world)
{
    static const struct grid_state clean;
    return gpu_buffer_upload(world->device, grid_state_buffer(world->grid), 0, &clean,
                             sizeof clean);
}

/* Returns the new capacity in blocks: those needed and a quarter more or, if there are enough, the
 * present capacity. */
static uint32_t grow_block_count(const sim_world *world, const sim_frame_result *seen)
{
    uint32_t needed = seen->state.needed_blocks;
    if (seen->state.flags & GRID_OVERFLOW_BLOCKS) return needed + needed / 4;
    return world->pressure_grid ? poisson_capacity(world->pressure_grid) : 0;
}

/* Logs the capacities that grow. */
static void log_growth(const sim_world *world, const grid_capacity *after,
                       const sim_frame_result *seen)
{
    grid_capacity before = grid_get_capacity(world->grid);
    uint32_t blocks = world->pressure_grid ? poisson_capacity(world->pressure_grid) : 0;
    const struct {
        const char *what;
        uint32_t from, to;
    } all[] = {
        {"particles", before.particles, after->particles},
        {"neighbours per particle", before.list, after->list},
        {"grid segments", before.segments, after->segments},
        {"grid blocks", blocks, grow_block_count(world, seen)},
    };
    base_text text = {0};
    for (size_t i = 0; i < BASE_COUNT(all); i++)
        if (all[i].from != all[i].to)
            base_text_append(&text, "%s%s %u to %u", text.count > 0 ? ", " : "", all[i].what,
                             all[i].from, all[i].to);
    if (text.count > 0)
        base_log(world->log, WEIR_LOG_INFO,
                 "enlarging buffers: %s; the frame continues from substep %u", text.items,
                 seen->status.substep);
    base_free(text.items);
}

bool sim_can_grow_buffers(const sim_frame_result *seen)
{
    return !(seen->state.flags & SIM_FLAG_NON_FINITE) &&
           seen->state.needed_list_capacity <= LIST_LENGTH_LIMIT;
}

weir_result sim_grow_buffers(sim_world *world, const sim_frame_result *seen)
{
    grid_capacity before = grid_get_capacity(world->grid), after = grown_capacity(world, seen);
    log_growth(world, &after, seen);
    if (after.particles != before.particles)
        WEIR_RETURN_IF_ERROR(grow_particles(world, seen->status.count, after.particles));
    if (seen->state.flags & GRID_OVERFLOW_COMPACT)
        WEIR_RETURN_IF_ERROR(switch_to_wide_lists(world));
    WEIR_RETURN_IF_ERROR(sim_grid_grow(world, after));
    if (seen->state.flags & GRID_OVERFLOW_BLOCKS)
        WEIR_RETURN_IF_ERROR(sim_pressure_grid_grow(world, grow_block_count(world, seen)));
    WEIR_RETURN_IF_ERROR(clear_flags(world));
    return sim_build_passes(world);
}

uint32_t sim_frame_emitted_count(const sim_frame *frame)
{
    const sim_frame_input *input = gpu_buffer_map(frame->input);
    uint32_t n = frame->emission_count;
    return n ? input->emissions[n - 1].particles_before + input->emissions[n - 1].particle_count
             : 0;
}

/* Replays the oldest frame and all frames after it. The oldest frame outgrew a buffer, or needs
 * more substeps or iterations than were recorded; neither it nor the later frames have done any
 * work past that point. Replayed frames record the maximum of both. */
static weir_result replay_frames(sim_world *world, sim_frame *oldest, const sim_frame_result *seen)
{
    WEIR_RETURN_IF_ERROR(gpu_device_wait(world->device));
    world->replays++;
    if (seen->state.flags == SIM_FLAG_FRAME_UNFINISHED)
        WEIR_RETURN_IF_ERROR(clear_flags(world));
    else
        WEIR_RETURN_IF_ERROR(sim_grow_buffers(world, seen));
    for (uint64_t f = world->frames_done; f < world->frames_begun; f++) {
        sim_frame *frame = &world->frames[f % SIM_FRAMES_IN_FLIGHT];
        sim_frame_input *input = gpu_buffer_map(frame->input);
        bool started = frame == oldest;
        input->params.particle_capacity = world->params.particle_capacity;
        input->params.near_bodies_capacity = world->params.near_bodies_capacity;
        frame->recorded_substeps = world->scene->solver.substeps;
        memset(frame->solve_limits, 0, sizeof frame->solve_limits);
        if (world->emit_pass != UINT32_MAX) {
            uint32_t emits = sim_frame_emitted_count(frame);
            world->passes[world->emit_pass].dispatch_size.count = emits ? emits : 1;
        }
        WEIR_RETURN_IF_ERROR(
            record_frame(world, frame, started ? seen->status.substep : 0, !started));
    }
    return WEIR_OK;
}

/* On several ranks, the first one traces. */
static void trace_frame(const sim_world *world, const sim_frame_result *seen)
{
    if (world->ranks && world->ranks->rank > 0) return;
    base_tracy_frame();
    base_trace *trace = gpu_device_trace(world->device);
    double now_s = base_time_s(), live = seen->sums.count ? (double)seen->sums.count : 1.0;
    base_trace_counter(trace, "particles", now_s, (double)seen->status.count);
    base_trace_counter(trace, "density error, %", now_s,
                       100.0 * (double)seen->sums.error_sum / live);
}

/* ---- completion ----------------------------------------------------------------------------- */

static void finish_frame(sim_world *world, sim_frame *frame, const sim_frame_result *seen,
                         double time_s)
{
    if (world->ranks) world->ranks->totals = world->ranks->seen;
    world->gpu_ms = frame->gpu_ms;
    world->record_ms = frame->record_ms;
    world->last_result = *seen;
    world->lists_valid = true;
    sim_learn_solves(world, &seen->status);
    sim_store_readings(world, frame);
    if (!sim_extend_gauge_history(world, (double)seen->status.dt, seen->status.substep))
        world->failed = WEIR_ERROR_MEMORY;
    if (world->bodies) sim_store_body_states(world, frame);
    sim_store_forces(world, frame);
    if (world->deformables) sim_store_deformable_states(world, gpu_buffer_map(frame->deformables));
    world->last_time_s = time_s;
    frame->pending = false;
    world->frames_done++;
    trace_frame(world, seen);
}

static void complete_frame(sim_world *world, sim_frame *frame, const sim_frame_result *seen)
{
    finish_frame(world, frame, seen, frame->start_s + frame->seconds);
    world->overcompressed_frames += sim_mean_density_error(world) > WEIR_OVERCOMPRESSION;
    sim_check_speed(world, (double)seen->sums.speed_max, (double)seen->status.dt,
                    world->last_time_s);
    sim_check_viscosity(world, &seen->status, world->last_time_s);
    sim_warn_unconverged(world, seen, world->last_time_s);
    sim_warn_capped_bodies(world, seen, frame->number);
    if (world->unstable || !sim_has_gained_energy(world, seen)) return;
    world->unstable = true;
    base_log(world->log, WEIR_LOG_ERROR,
             "at substep %u, the end of frame %llu (%.3f s), %s an energy of %.3g J, but only %.3g "
             "J at the start, and nothing adds energy: the solver is unstable; use more substeps, "
             "or a relaxation of 0.65 or less",
             seen->status.total_substeps, (unsigned long long)frame->number, world->last_time_s,
             world->bodies ? "fluid and bodies have" : "the fluid has",
             sim_total_energy(world, seen), world->start_energy_j);
}

/* Ends the run with the state of the last complete substep. */
static void stop_frames(sim_world *world, sim_frame *frame, const sim_frame_result *seen)
{
    double done = (double)seen->status.substep * (double)seen->status.dt;
    finish_frame(world, frame, seen, frame->start_s + done);
    world->frame -= world->frames_begun - world->frames_done;
    world->time_s = world->last_time_s;
    world->frames_done = world->frames_begun;
    for (uint32_t i = 0; i < SIM_FRAMES_IN_FLIGHT; i++)
        world->frames[i].pending = false;
    world->unstable = true;
}

/* Ends the run because a particle has more neighbours than any list can hold. */
static void fail_collapsed(sim_world *world, sim_frame *frame, const sim_frame_result *seen)
{
    stop_frames(world, frame, seen);
    base_log(world->log, WEIR_LOG_ERROR,
             "substep %u (frame %llu, %.3f s): a particle has %u neighbours, at most %u can be "
             "listed: the fluid has collapsed; use more substeps or iterations",
             seen->status.total_substeps + 1, (unsigned long long)frame->number, world->last_time_s,
             seen->state.needed_list_capacity, LIST_LENGTH_LIMIT);
}

static void fail_non_finite(sim_world *world, sim_frame *frame, const sim_frame_result *seen)
{
    const struct sim_status *status = world->ranks ? &world->ranks->seen : &seen->status;
    stop_frames(world, frame, seen);
    base_log(
        world->log, WEIR_LOG_ERROR,
        "substep %u (frame %llu, %.3f s): %u of %u particles became NaN or infinite; the state is "
        "that of the previous substep; use more substeps, or a relaxation of 0.65 or less",
        status->total_substeps + 1, (unsigned long long)frame->number, world->last_time_s,
        status->solve_non_finite + status->non_finite + status->total_non_finite, status->count);
}

/* Returns the particle count without the effects of emission and removal; it is constant during a
 * run. */
static uint32_t conserved_count(const struct sim_status *s)
{
    return s->count + s->total_escaped + s->total_removed_by_sinks + s->total_non_finite -
           s->total_emitted;
}

/* Checks the result of a frame against the host's knowledge, because a device that stops computing
 * reports no error: the number of particles must be as planned, and the number of substeps
 * possible. */
static weir_result check_particle_balance(const sim_world *world, const sim_frame *frame,
                                          const sim_frame_result *seen)
{
    const struct sim_status *now = world->ranks ? &world->ranks->seen : &seen->status;
    uint32_t missing = conserved_count(sim_total_status(world)) - conserved_count(now);
    uint32_t max_substeps = world->scene->solver.substeps;
    if (missing == 0 && now->substeps >= 1 && now->substeps <= max_substeps &&
        now->substep == now->substeps)
        return WEIR_OK;
    return base_fail(world->log, WEIR_ERROR_UNSUPPORTED,
                     "%s computed frame %llu wrongly: after %u of %u substeps there are %u "
                     "particles, expected %u after 1 to %u substeps; update its driver, or choose "
                     "another device: weir info lists them",
                     gpu_device_info(world->device)->name, (unsigned long long)frame->number,
                     now->substep, now->substeps, now->count, now->count + missing, max_substeps);
}

static weir_result check_submitted(const sim_world *world, const sim_frame *frame,
                                   const sim_frame_result *seen)
{
    if (!frame->host_submitted || seen->status.substeps != UNWRITTEN) return WEIR_OK;
    return base_fail(world->log, WEIR_ERROR_ARGUMENT,
                     "frame %llu was recorded in a command buffer that was not submitted: submit "
                     "it to the adopted queue before the next call",
                     (unsigned long long)frame->number);
}

static weir_result complete_oldest_frame(sim_world *world)
{
    weir_result result;
    sim_frame *frame = &world->frames[world->frames_done % SIM_FRAMES_IN_FLIGHT];
    while (frame->pending) {
        WEIR_GOTO_IF_ERROR(gpu_ticket_wait(world->device, frame->ticket));
        sim_frame_result seen = *(const sim_frame_result *)gpu_buffer_map(frame->result);
        WEIR_GOTO_IF_ERROR(check_submitted(world, frame, &seen));
        WEIR_GOTO_IF_ERROR(sim_ranks_combine_results(world, &seen));
        if (seen.state.flags == 0) {
            WEIR_GOTO_IF_ERROR(check_particle_balance(world, frame, &seen));
            complete_frame(world, frame, &seen);
        } else if (seen.state.flags & SIM_FLAG_NON_FINITE) {
            fail_non_finite(world, frame, &seen);
        } else if (!sim_can_grow_buffers(&seen)) {
            fail_collapsed(world, frame, &seen);
        } else {
            WEIR_GOTO_IF_ERROR(replay_frames(world, frame, &seen));
        }
    }
    return WEIR_OK;
fail:
    world->failed = result;
    return result;
}

static weir_result check_not_failed(const sim_world *world)
{
    if (world->failed == WEIR_OK) return WEIR_OK;
    return base_fail(
        world->log, world->failed,
        "the simulation failed in an earlier frame: restore a checkpoint, or create it again");
}

weir_result sim_complete_frames(sim_world *world)
{
    weir_result result = check_not_failed(world);
    while (result == WEIR_OK && world->frames_done < world->frames_begun)
        result = complete_oldest_frame(world);
    return result;
}

/* Completes the frames that the device has finished; with `repeats` also those that must be
 * replayed. */
static weir_result collect_finished(sim_world *world, bool repeats)
{
    weir_result result = check_not_failed(world);
    while (result == WEIR_OK && world->frames_done < world->frames_begun) {
        const sim_frame *frame = &world->frames[world->frames_done % SIM_FRAMES_IN_FLIGHT];
        const sim_frame_result *seen = gpu_buffer_map(frame->result);
        if (!gpu_ticket_done(world->device, frame->ticket)) break;
        WEIR_RETURN_IF_ERROR(gpu_ticket_wait(world->device, frame->ticket));
        if (seen->status.substeps == UNWRITTEN || (seen->state.flags != 0 && !repeats)) break;
        result = complete_oldest_frame(world);
    }
    return result;
}

weir_result sim_collect_finished_frames(sim_world *world)
{
    return collect_finished(world, false);
}

weir_result sim_wait(sim_world *world)
{
    weir_result result = sim_complete_frames(world);
    return result == WEIR_OK && world->unstable ? WEIR_ERROR_UNSTABLE : result;
}

/* ---- stepping -------------------------------------------------------------------------------- */

/* Wakes sleeping bodies if gravity differs from that of the last frame. */
static weir_result wake_on_gravity_change(sim_world *world, double seconds)
{
    vec3 before = scene_gravity_at(world->scene, world->time_s - 0.5 * seconds);
    vec3 now = scene_gravity_at(world->scene, world->time_s + 0.5 * seconds);
    if (!world->bodies || vec3_length(vec3_sub(now, before)) == 0.0f) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(sim_complete_frames(world));
    return sim_wake_bodies(world);
}

/* Lets ranks whose slabs have become uneven cut the domain again. */
static weir_result balance_ranks(sim_world *world)
{
    bool moved;
    WEIR_RETURN_IF_ERROR(sim_ranks_balance(world, &moved));
    if (!moved) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(sim_grid_grow(world, grid_get_capacity(world->grid)));
    return sim_build_passes(world);
}

weir_result sim_step_with_snapshot(sim_world *world, double seconds, sim_snapshot *snapshot,
                                   const struct weir_vulkan_submit *submission)
{
    weir_result result = WEIR_OK;
    if (seconds <= 0.0) seconds = 1.0 / (double)world->scene->frame_rate;
    sim_frame *frame = &world->frames[world->frames_begun % SIM_FRAMES_IN_FLIGHT];
    WEIR_GOTO_IF_ERROR(check_not_failed(world));
    uint64_t replays = world->replays;
    /* Replays frames that are known to be incomplete now instead of two frames later. */
    if (snapshot) WEIR_GOTO_IF_ERROR(collect_finished(world, true));
    if (frame->pending) WEIR_GOTO_IF_ERROR(complete_oldest_frame(world));
    /* All earlier frames must be complete, or this frame's snapshot would be incomplete, too. */
    if (snapshot && world->replays > replays) WEIR_GOTO_IF_ERROR(sim_complete_frames(world));
    if (world->unstable) return WEIR_ERROR_UNSTABLE;
    WEIR_GOTO_IF_ERROR(sim_check_emissions(world, world->time_s + seconds));
    WEIR_GOTO_IF_ERROR(wake_on_gravity_change(world, seconds));
    if (snapshot) WEIR_GOTO_IF_ERROR(sim_snapshot_reserve(world, snapshot));
    sim_plan_frame(world, frame, seconds);
    WEIR_GOTO_IF_ERROR(balance_ranks(world));
    if (snapshot) sim_snapshot_set_max_count(world, frame, snapshot);
    frame->snapshot = snapshot;
    frame->submission = submission;
    sim_expect_solves(world, frame);
    result = world->failed = record_frame(world, frame, 0, true);
    frame->snapshot = NULL;
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
    return sim_step_with_snapshot(world, seconds, NULL, NULL);
}
