/* Checkpoints: writes the complete state of a simulation to one file, and restores it. */
#include "io.h"
#include "sim_coupling.h"
#include "sim_frame.h"
#include "sim_input.h"
#include "sim_ranks.h"
#include "sim_solvers.h"
#include "sim_world.h"

#include <float.h>

#define CHECKPOINT_KIND "weirsim"
#define DEVICE_NAME 800

/* No run is as long; a file with larger values was forged. */
#define FRAMES_MAX (UINT64_C(1) << 32)
#define TIME_MAX_S 1e9
#define POSE_FLOATS (sizeof(scene_pose) / sizeof(float))

/* State other than particles and emitters. */
typedef struct clock_block {
    uint64_t scene_hash; /* of the scene's text; version 2 stores nothing else of its scene */
    double time_s;
    uint64_t frame;
    uint32_t next_id, stream_count;
    uint32_t overcompressed_frames, unused;
} clock_block;

static uint64_t scene_hash(const sim_world *world)
{
    return base_hash64(world->scene->json, strlen(world->scene->json), 0);
}

static void format_device_name(const sim_world *world, char name[DEVICE_NAME])
{
    const weir_device_info *info = gpu_device_info(world->device);
    snprintf(name, DEVICE_NAME, "%s, driver %s", info->name, info->driver);
}

weir_result sim_save_state(sim_world *world, const sim_saved_particles *particles, const char *path,
                           const base_blob *carried)
{
    weir_result result = WEIR_ERROR_MEMORY;
    const sim_host_state *state = particles->state;
    const uint32_t count = particles->count;
    uint32_t solids = world->scene->solid_count;
    scene_pose *host_driven = base_alloc(solids, sizeof *host_driven);
    uint64_t *hashes = base_alloc(world->file_hashes.count, sizeof *hashes);
    sim_saved_driven_emitter *driven_emitters = base_alloc(sim_driven_emitter_bytes(world), 1);
    if (!hashes || !host_driven || !driven_emitters) goto fail;
    sim_host_driven_poses(world, host_driven);
    sim_driven_emitters_save(world, driven_emitters);
    for (size_t i = 0; i < world->file_hashes.count; i++)
        hashes[i] = world->file_hashes.items[i].hash;
    const char *scene = world->scene->json;
    char device[DEVICE_NAME];
    format_device_name(world, device);
    clock_block clock = {.scene_hash = scene_hash(world),
                         .time_s = world->time_s,
                         .frame = world->frame,
                         .next_id = world->next_id,
                         .stream_count = (uint32_t)world->streams.list.count,
                         .overcompressed_frames = world->overcompressed_frames};
    io_block blocks[] = {
        {"scene", scene, strlen(scene)},
        {"files", hashes, world->file_hashes.count * sizeof *hashes},
        {"device", device, strlen(device)},
        {"clock", &clock, sizeof clock},
        {"status", sim_total_status(world), sizeof world->last_result.status},
        {"sums", &world->last_result.sums, sizeof world->last_result.sums},
        {"emitter", world->stream_states,
         (uint32_t)world->streams.list.count * sizeof *world->stream_states},
        {"x", state->x, count * sizeof *state->x},
        {"v", state->v, count * sizeof *state->v},
        {"ids", state->ids, count * sizeof *state->ids},
        {"bodies", state->bodies, sim_body_bytes(world)},
        {"holds", state->contact_impulses, sim_contact_impulse_bytes(world)},
        {"softs", state->deformables, sim_deformable_bytes(world)},
        {"affine", state->affine, state->affine ? 3ull * count * sizeof *state->affine : 0},
        {"attribs", state->attributes, sim_attribute_bytes(world, count)},
        {"driven", host_driven, solids * sizeof *host_driven},
        {"nozzles", driven_emitters, sim_driven_emitter_bytes(world)},
        {"gauges", world->gauge_history.items, sim_gauge_history_bytes(world)},
        {"carried", carried ? carried->bytes : NULL, carried ? carried->size : 0},
    };
    WEIR_GOTO_IF_ERROR(
        io_block_file_write(world->log, path, CHECKPOINT_KIND, blocks, BASE_COUNT(blocks)));
fail:
    base_free(hashes);
    base_free(host_driven);
    base_free(driven_emitters);
    return result;
}

weir_result sim_save(sim_world *world, const char *path, const base_blob *carried)
{
    sim_host_state state = {0};
    sim_saved_particles particles = {.state = &state};
    weir_result result;
    WEIR_GOTO_IF_ERROR(sim_wait(world));
    WEIR_GOTO_IF_ERROR(sim_download_by_id(world, &state, &particles.count));
    WEIR_GOTO_IF_ERROR(sim_save_state(world, &particles, path, carried));
fail:
    sim_host_state_free(&state);
    return result;
}

/* Finds a block of exactly `size` bytes. */
static const void *find_block(const io_block *blocks, size_t count, const char *tag, uint64_t size)
{
    const io_block *block = io_block_find(blocks, count, tag);
    return block && block->size == size ? block->bytes : NULL;
}

/* Reads a struct from its block. Members that are newer than the file are left as they are. */
static bool read_block(const io_block_file *file, const char *tag, void *to, size_t size)
{
    const io_block *block = io_block_find(file->blocks, file->count, tag);
    if (!block || block->size == 0 || block->size > size) return false;
    memcpy(to, block->bytes, (size_t)block->size);
    return true;
}

/* State in a file. Blocks in the file are not aligned: copy them before use. */
typedef struct saved_state {
    clock_block clock;
    struct sim_status status;
    struct sim_statistics sums;
    const void *streams;
    /* scene_pose of each solid; NULL from versions without host-driven solids. */
    const void *host_driven;
    /* sim_saved_driven_emitter of each emitter; NULL if none is host-driven. */
    const void *driven_emitters;
    /* Rows of gauges; none from versions without them: averages then start again. */
    base_blob gauge_rows;
    sim_state_arrays particles;
} saved_state;

static bool all_within(const void *floats, uint64_t count, float limit)
{
    for (uint64_t i = 0; i < count; i++) {
        float number;
        memcpy(&number, (const uint8_t *)floats + i * sizeof number, sizeof number);
        if (!(fabsf(number) <= limit)) return false;
    }
    return true;
}

/* Returns whether the floats of a state are finite and within their limits. A run with others would
 * have ended before it was saved. */
static bool all_finite(const sim_world *world, const saved_state *saved)
{
    const sim_state_arrays *p = &saved->particles;
    const struct sim_statistics *sums = &saved->sums;
    uint64_t n = saved->status.count;
    return all_within(p->v, 4 * n, SIM_SPEED_MAX) &&
           (!p->affine || all_within(p->affine, 12 * n, SIM_SPEED_MAX)) &&
           all_within(p->attributes, sim_attribute_bytes(world, (uint32_t)n) / sizeof(float),
                      FLT_MAX) &&
           all_within(p->bodies, sim_body_bytes(world) / sizeof(float), FLT_MAX) &&
           (!saved->host_driven ||
            all_within(saved->host_driven, world->scene->solid_count * POSE_FLOATS, FLT_MAX)) &&
           all_within(p->deformables, sim_deformable_bytes(world) / sizeof(float), FLT_MAX) &&
           (!p->contact_impulses ||
            all_within(p->contact_impulses, sim_contact_impulse_bytes(world) / sizeof(float),
                       FLT_MAX)) &&
           all_within(&saved->status.dt, 1, SIM_SPEED_MAX) &&
           all_within(&sums->momentum, 8, FLT_MAX) && all_within(&sums->error_sum, 4, FLT_MAX);
}

static bool host_driven_poses_valid(const sim_world *world, const void *saved)
{
    scene_pose pose;
    bool is_valid_state = true;
    for (uint32_t i = 0; saved && i < world->scene->solid_count && is_valid_state; i++) {
        memcpy(&pose, (const uint8_t *)saved + i * sizeof pose, sizeof pose);
        if (world->scene->solids[i].motion.kind == SCENE_MOTION_HOST_DRIVEN)
            is_valid_state =
                all_within(&pose.position.x, 3, SIM_SPEED_MAX) && sim_is_rotation(pose.rotation);
    }
    return is_valid_state;
}

/* Returns whether the numbers that the shaders trust are valid. A forged file must not make shaders
 * access memory outside a buffer. */
static bool is_valid_state(const sim_world *world, const saved_state *saved)
{
    uint32_t fluids = world->scene->fluid_count;
    for (uint64_t i = 0; i < saved->status.count; i++) {
        ivec4 x;
        uint32_t id;
        memcpy(&x, (const uint8_t *)saved->particles.x + i * sizeof x, sizeof x);
        memcpy(&id, (const uint8_t *)saved->particles.ids + i * sizeof id, sizeof id);
        if (x.w < 0 || (uint32_t)x.w >= fluids) return false;
        if (id >= saved->clock.next_id) return false;
    }
    for (uint32_t i = 0; i < (uint32_t)world->streams.list.count; i++) {
        sim_stream_state state;
        memcpy(&state, (const uint8_t *)saved->streams + i * sizeof state, sizeof state);
        if (state.first_site != world->stream_states[i].first_site ||
            state.site_count != world->stream_states[i].site_count)
            return false;
    }
    if (world->driven_emitters && !sim_driven_emitters_valid(world, saved->driven_emitters))
        return false;
    if (world->bodies && !sim_body_states_valid(world, saved->particles.bodies)) return false;
    if (world->deformables && !sim_deformable_states_valid(world, saved->particles.deformables))
        return false;
    if (!sim_are_gauge_rows_valid(world, &saved->gauge_rows)) return false;
    return all_finite(world, saved) && host_driven_poses_valid(world, saved->host_driven) &&
           saved->clock.time_s >= 0.0 && saved->clock.time_s <= TIME_MAX_S &&
           saved->clock.frame <= FRAMES_MAX;
}

/* Compares the scenes. Version 2 stores only the hash of the scene's text, with the defaults of
 * that version, so that scenes with different hashes may still be the same. */
static weir_result check_scene(const sim_world *world, const char *path, const io_block_file *file,
                               const saved_state *saved)
{
    char difference[SCENE_DIFFERENCE];
    const io_block *scene = io_block_find(file->blocks, file->count, "scene");
    if (!scene && saved->clock.scene_hash != scene_hash(world))
        base_log(world->log, WEIR_LOG_WARNING,
                 "%s was saved by an older version, which did not record the scene: make sure that "
                 "it belongs to this scene",
                 path);
    if (!scene ||
        !scene_state_difference(world->scene, scene->bytes, (size_t)scene->size, difference))
        return WEIR_OK;
    return base_fail(world->log, WEIR_ERROR_ARGUMENT,
                     "%s was saved from another scene or with other parameters (%s): resume with "
                     "the scene and --set values of its run.json",
                     path, difference);
}

/* Compares the hashes of the scene's files. Checkpoints of older versions have none. */
static weir_result check_files(const sim_world *world, const char *path, const io_block_file *file)
{
    const uint64_t *hashes =
        find_block(file->blocks, file->count, "files", world->file_hashes.count * sizeof *hashes);
    return hashes ? sim_check_file_hashes(world, path, hashes) : WEIR_OK;
}

static void warn_of_other_device(const sim_world *world, const char *path,
                                 const io_block_file *file)
{
    char here[DEVICE_NAME];
    const io_block *there = io_block_find(file->blocks, file->count, "device");
    format_device_name(world, here);
    if (!there || (there->size == strlen(here) && memcmp(there->bytes, here, there->size) == 0))
        return;
    base_log(world->log, WEIR_LOG_WARNING,
             "%s was saved on %.*s; this is %s: from here on, results may differ in their last "
             "bits from a run on one device",
             path, (int)(there->size < DEVICE_NAME ? there->size : DEVICE_NAME),
             (const char *)there->bytes, here);
}

static void find_particle_blocks(const sim_world *world, const io_block_file *file,
                                 saved_state *saved)
{
    uint64_t n = saved->status.count;
    saved->particles = (sim_state_arrays){
        .x = find_block(file->blocks, file->count, "x", n * sizeof(ivec4)),
        .v = find_block(file->blocks, file->count, "v", n * sizeof(vec4)),
        .ids = find_block(file->blocks, file->count, "ids", n * sizeof(uint32_t)),
        .affine = find_block(file->blocks, file->count, "affine", 3 * n * sizeof(vec4)),
        .attributes = find_block(file->blocks, file->count, "attribs",
                                 sim_attribute_bytes(world, (uint32_t)n)),
        .bodies = find_block(file->blocks, file->count, "bodies", sim_body_bytes(world)),
        .contact_impulses =
            find_block(file->blocks, file->count, "holds", sim_contact_impulse_bytes(world)),
        .deformables = find_block(file->blocks, file->count, "softs", sim_deformable_bytes(world)),
    };
}

static weir_result parse_state(sim_world *world, const char *path, const io_block_file *file,
                               saved_state *saved)
{
    *saved = (saved_state){0};
    bool complete = read_block(file, "clock", &saved->clock, sizeof saved->clock) &&
                    read_block(file, "status", &saved->status, sizeof saved->status) &&
                    read_block(file, "sums", &saved->sums, sizeof saved->sums);
    if (complete) WEIR_RETURN_IF_ERROR(check_scene(world, path, file, saved));
    if (complete) WEIR_RETURN_IF_ERROR(check_files(world, path, file));
    saved->streams = find_block(file->blocks, file->count, "emitter",
                                (uint32_t)world->streams.list.count * sizeof *world->stream_states);
    saved->host_driven = find_block(file->blocks, file->count, "driven",
                                    world->scene->solid_count * sizeof(scene_pose));
    saved->driven_emitters =
        find_block(file->blocks, file->count, "nozzles", sim_driven_emitter_bytes(world));
    const io_block *rows = io_block_find(file->blocks, file->count, "gauges");
    if (rows)
        saved->gauge_rows = (base_blob){(uint8_t *)(uintptr_t)rows->bytes, (size_t)rows->size};
    find_particle_blocks(world, file, saved);
    const sim_state_arrays *p = &saved->particles;
    complete = complete && saved->streams && (saved->driven_emitters || !world->driven_emitters) &&
               p->x && p->v && p->ids && (p->affine || !sim_is_apic(world)) &&
               (p->attributes || !sim_attribute_vectors(world->scene)) &&
               (p->bodies || !world->bodies) && (p->deformables || !world->deformables) &&
               saved->clock.stream_count == (uint32_t)world->streams.list.count &&
               is_valid_state(world, saved);
    if (complete) warn_of_other_device(world, path, file);
    return complete ? WEIR_OK
                    : base_fail(world->log, WEIR_ERROR_IO,
                                "%s: a block is missing, has the wrong size or contains invalid "
                                "values: use another checkpoint",
                                path);
}

/* Enlarges the particles' buffers for `count` particles. After a failure buffers may be missing, so
 * they are created again. */
static weir_result ensure_capacity(sim_world *world, uint32_t count)
{
    grid_capacity capacity = grid_get_capacity(world->grid);
    if (count > capacity.particles)
        capacity.particles = count + count / 4u;
    else if (world->failed == WEIR_OK && !world->ranks)
        return WEIR_OK; /* the grid of a rank may have other parts */
    sim_buffers_destroy(world, SIM_WITH_PARTICLES);
    WEIR_RETURN_IF_ERROR(sim_particle_buffers_create(world, capacity.particles));
    WEIR_RETURN_IF_ERROR(sim_grid_grow(world, capacity));
    return sim_build_passes(world);
}

static void discard_frames(sim_world *world)
{
    for (uint32_t i = 0; i < SIM_FRAMES_IN_FLIGHT; i++)
        world->frames[i].pending = false;
    world->frames_done = world->frames_begun;
    world->unstable = false;
}

static void restore_host_driven_solids(sim_world *world, const uint8_t *poses)
{
    scene_pose pose;
    for (uint32_t i = 0; poses && i < world->scene->solid_count; i++) {
        memcpy(&pose, poses + i * sizeof pose, sizeof pose);
        if (world->scene->solids[i].motion.kind == SCENE_MOTION_HOST_DRIVEN)
            solid_set_restore_target(world->solids, i, &pose);
    }
}

static weir_result apply_saved_state(sim_world *world, const saved_state *saved)
{
    static const struct grid_state clean;
    gpu_device *device = world->device;
    world->lists_valid = world->densities_valid = false;
    WEIR_RETURN_IF_ERROR(gpu_device_wait(device));
    discard_frames(world);
    WEIR_RETURN_IF_ERROR(ensure_capacity(world, saved->status.count));
    WEIR_RETURN_IF_ERROR(
        gpu_buffer_upload(device, grid_state_buffer(world->grid), 0, &clean, sizeof clean));
    WEIR_RETURN_IF_ERROR(sim_host_state_upload(world, saved->status.count, &saved->particles));
    WEIR_RETURN_IF_ERROR(sim_clear_clearances(world));
    WEIR_RETURN_IF_ERROR(
        gpu_buffer_upload(device, world->buffers.status, 0, &saved->status, sizeof saved->status));
    if ((uint32_t)world->streams.list.count)
        memcpy(world->stream_states, saved->streams,
               (uint32_t)world->streams.list.count * sizeof *world->stream_states);
    restore_host_driven_solids(world, saved->host_driven);
    if (world->driven_emitters && saved->driven_emitters)
        sim_driven_emitters_restore(world, saved->driven_emitters);
    world->time_s = world->last_time_s = saved->clock.time_s;
    sim_update_gravity(world, world->time_s);
    world->frame = saved->clock.frame;
    world->overcompressed_frames = saved->clock.overcompressed_frames;
    world->next_id = saved->clock.next_id;
    world->last_result = (sim_frame_result){.status = saved->status, .sums = saved->sums};
    if (world->bodies) memcpy(world->body_states, saved->particles.bodies, sim_body_bytes(world));
    sim_clear_forces(world);
    if (world->deformables)
        memcpy(world->deformable_states, saved->particles.deformables, sim_deformable_bytes(world));
    return WEIR_OK;
}

weir_result sim_run_and_restore(sim_world *world, weir_result (*work)(sim_world *world, void *user),
                                void *user)
{
    sim_host_state state = {0};
    sim_stream_state *streams = NULL;
    scene_pose *host_driven = base_alloc(world->scene->solid_count, sizeof *host_driven);
    weir_result result, back;
    size_t stream_bytes = (uint32_t)world->streams.list.count * sizeof *streams;
    double hose_next_layer_s = world->hose.next_layer_s; /* not part of a saved state */
    size_t driven_emitter_bytes =
        world->driven_emitters ? world->scene->emitter_count * sizeof *world->driven_emitters : 0;
    /* not part of a saved state either: the poses that the emitters move to */
    sim_driven_emitter *driven_emitters = base_alloc(driven_emitter_bytes, 1);
    WEIR_GOTO_IF_ERROR(sim_wait(world));
    WEIR_GOTO_IF_ERROR(sim_host_state_download(world, world->last_result.status.count, &state));
    streams = base_alloc(stream_bytes, 1);
    if (!streams || !host_driven || !driven_emitters) {
        result = base_fail(world->log, WEIR_ERROR_MEMORY, "not enough memory to save the state");
        goto fail;
    }
    memcpy(streams, world->stream_states, stream_bytes);
    sim_host_driven_poses(world, host_driven);
    if (driven_emitter_bytes) memcpy(driven_emitters, world->driven_emitters, driven_emitter_bytes);
    saved_state saved = {
        .clock = {.time_s = world->time_s,
                  .frame = world->frame,
                  .next_id = world->next_id,
                  .overcompressed_frames = world->overcompressed_frames},
        .status = world->last_result.status,
        .sums = world->last_result.sums,
        .streams = streams,
        .host_driven = host_driven,
        .particles = {.x = state.x,
                      .v = state.v,
                      .ids = state.ids,
                      .affine = state.affine,
                      .attributes = state.attributes,
                      .bodies = state.bodies,
                      .contact_impulses = state.contact_impulses,
                      .deformables = state.deformables},
    };
    result = work(world, user);
    back = world->failed = apply_saved_state(world, &saved);
    world->hose.next_layer_s = hose_next_layer_s;
    if (driven_emitter_bytes) memcpy(world->driven_emitters, driven_emitters, driven_emitter_bytes);
    if (result == WEIR_OK) result = back;
fail:
    sim_host_state_free(&state);
    base_free(streams);
    base_free(host_driven);
    base_free(driven_emitters);
    return result;
}

/* Copies the bytes that the caller of sim_save stored in the checkpoint. */
static weir_result copy_carried(const sim_world *world, const io_block_file *file,
                                base_blob *carried)
{
    const io_block *block = io_block_find(file->blocks, file->count, "carried");
    if (!carried || !block || block->size == 0) return WEIR_OK;
    carried->bytes = base_alloc((size_t)block->size, 1);
    if (!carried->bytes)
        return base_fail(world->log, WEIR_ERROR_MEMORY, "not enough memory to restore");
    carried->size = (size_t)block->size;
    memcpy(carried->bytes, block->bytes, carried->size);
    return WEIR_OK;
}

/* Makes host-driven solids stay where they are. Targets that the caller has set for the next frame
 * are not part of a state. */
static void stop_host_driven_solids(sim_world *world)
{
    scene_pose pose;
    for (uint32_t i = 0; i < world->scene->solid_count; i++) {
        if (world->scene->solids[i].motion.kind != SCENE_MOTION_HOST_DRIVEN) continue;
        pose = solid_set_target_pose(world->solids, i);
        solid_set_target(world->solids, i, &pose, true);
    }
}

/* Particles of one rank, which it owns of those in a file. */
typedef struct own_particles {
    ivec4 *x;
    vec4 *v;
    uint32_t *ids;
} own_particles;

/* Keeps the particles that the rank owns, and its part of the counts. A single rank owns all. */
static weir_result keep_own_particles(sim_world *world, saved_state *saved, own_particles *own)
{
    const uint32_t count = saved->status.count;
    const uint8_t *v = saved->particles.v, *ids = saved->particles.ids;
    uint32_t kept = 0;
    if (!world->ranks) return WEIR_OK;
    own->x = base_alloc(count, sizeof *own->x);
    own->v = base_alloc(count, sizeof *own->v);
    own->ids = base_alloc(count, sizeof *own->ids);
    if (!own->x || !own->v || !own->ids)
        return base_fail(world->log, WEIR_ERROR_MEMORY, "not enough memory to restore");
    memcpy(own->x, saved->particles.x, count * sizeof *own->x);
    WEIR_RETURN_IF_ERROR(sim_ranks_divide(world, own->x, count));
    for (uint32_t i = 0; i < count; i++) {
        if (!sim_ranks_own(world, &own->x[i])) continue;
        own->x[kept] = own->x[i];
        memcpy(&own->v[kept], v + i * sizeof *own->v, sizeof *own->v);
        memcpy(&own->ids[kept++], ids + i * sizeof *own->ids, sizeof *own->ids);
    }
    saved->particles.x = own->x;
    saved->particles.v = own->v;
    saved->particles.ids = own->ids;
    sim_ranks_split_status(world, &saved->status, kept);
    return WEIR_OK;
}

weir_result sim_restore(sim_world *world, const char *path, base_blob *carried)
{
    own_particles own = {0};
    weir_result result;
    io_block_file state = {0};
    saved_state saved;
    if (world->failed == WEIR_OK) /* a failure is ignored, because restoring repairs it */
        (void)sim_complete_frames(world);
    WEIR_GOTO_IF_ERROR(io_block_file_read(world->log, path, CHECKPOINT_KIND, &state));
    WEIR_GOTO_IF_ERROR(parse_state(world, path, &state, &saved));
    WEIR_GOTO_IF_ERROR(copy_carried(world, &state, carried));
    WEIR_GOTO_IF_ERROR(keep_own_particles(world, &saved, &own));
    result = world->failed = apply_saved_state(world, &saved);
    if (result == WEIR_OK && !sim_restore_gauge_history(world, &saved.gauge_rows))
        result = base_fail(world->log, WEIR_ERROR_MEMORY, "not enough memory to restore");
    stop_host_driven_solids(world);
fail:
    io_block_file_free(&state);
    base_free(own.x);
    base_free(own.v);
    base_free(own.ids);
    return result;
}
