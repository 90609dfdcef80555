/* Checkpoints: writes the whole state of a simulation to one file, and restores it. */
#include "io.h"
#include "sim_frame.h"

#include <float.h>

#define KIND "weirsim"
#define DEVICE_NAME 800

/* No run is as long: a file that says so was made up. */
#define FRAMES_MAX (UINT64_C(1) << 32)
#define TIME_MAX_S 1e9
#define STEERED_FLOATS (sizeof(scene_pose) / sizeof(float))

/* The state besides particles and emitters. */
typedef struct clock_block {
    uint64_t scene_hash; /* of the scene's text: all that version 2 knows of its scene */
    double time_s;
    uint64_t frame;
    uint32_t next_id, emitter_count;
    uint32_t crushed_frames, unused;
} clock_block;

static uint64_t scene_hash(const sim_world *world)
{
    return base_hash64(world->scene->json, strlen(world->scene->json), 0);
}

static void name_device(const sim_world *world, char name[DEVICE_NAME])
{
    const weir_device_info *info = gpu_device_info(world->device);
    snprintf(name, DEVICE_NAME, "%s, driver %s", info->name, info->driver);
}

weir_result sim_save(sim_world *world, const char *path, const base_blob *carried)
{
    sim_state state = {0};
    weir_result result = WEIR_MEMORY;
    uint32_t solids = world->scene->solid_count;
    scene_pose *steered = base_alloc(solids, sizeof *steered);
    uint64_t *hashes = base_alloc(world->files.count, sizeof *hashes);
    sim_saved_nozzle *nozzles = base_alloc(sim_nozzle_bytes(world), 1);
    if (!hashes || !steered || !nozzles) goto fail;
    sim_steered_poses(world, steered);
    sim_nozzles_save(world, nozzles);
    for (size_t i = 0; i < world->files.count; i++)
        hashes[i] = world->files.items[i].hash;
    WEIR_TRY(sim_wait(world));
    uint32_t count = world->last.status.count;
    WEIR_TRY(sim_state_download(world, count, &state));
    uint32_t emitters = world->scene->emitter_count;
    const char *scene = world->scene->json;
    char device[DEVICE_NAME];
    name_device(world, device);
    clock_block clock = {.scene_hash = scene_hash(world),
                         .time_s = world->time_s,
                         .frame = world->frame,
                         .next_id = world->next_id,
                         .emitter_count = emitters,
                         .crushed_frames = world->crushed_frames};
    io_block blocks[] = {
        {"scene", scene, strlen(scene)},
        {"files", hashes, world->files.count * sizeof *hashes},
        {"device", device, strlen(device)},
        {"clock", &clock, sizeof clock},
        {"status", &world->last.status, sizeof world->last.status},
        {"sums", &world->last.sums, sizeof world->last.sums},
        {"emitter", world->emitters, emitters * sizeof *world->emitters},
        {"x", state.x, count * sizeof *state.x},
        {"v", state.v, count * sizeof *state.v},
        {"ids", state.ids, count * sizeof *state.ids},
        {"bodies", state.bodies, sim_body_bytes(world)},
        {"holds", state.holds, sim_hold_bytes(world)},
        {"softs", state.softs, sim_soft_bytes(world)},
        {"affine", state.affine, state.affine ? 3ull * count * sizeof *state.affine : 0},
        {"steered", steered, solids * sizeof *steered},
        {"nozzles", nozzles, sim_nozzle_bytes(world)},
        {"carried", carried ? carried->bytes : NULL, carried ? carried->size : 0},
    };
    WEIR_TRY(io_state_write(world->log, path, KIND, blocks, BASE_COUNT(blocks)));
fail:
    sim_state_free(&state);
    base_free(hashes);
    base_free(steered);
    base_free(nozzles);
    return result;
}

/* Finds a block of exactly `size` bytes. */
static const void *block_of(const io_block *blocks, size_t count, const char *tag, uint64_t size)
{
    const io_block *block = io_state_find(blocks, count, tag);
    return block && block->size == size ? block->bytes : NULL;
}

/* Takes a struct from its block. Members that are newer than the file become zero. */
static bool take(const io_state *file, const char *tag, void *to, size_t size)
{
    const io_block *block = io_state_find(file->blocks, file->count, tag);
    if (!block || block->size == 0 || block->size > size) return false;
    memcpy(to, block->bytes, (size_t)block->size);
    return true;
}

/* Blocks in the file are not aligned: copy them before use. */
typedef struct saved_state {
    clock_block clock;
    struct sim_status status;
    struct sim_sums sums;
    const void *emitters;
    const void *steered; /* scene_pose of each solid; NULL from versions that steered none */
    const void *nozzles; /* sim_saved_nozzle of each emitter; NULL where none is steered */
    sim_arrays particles;
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

/* The floats of a state; a run that had others would have ended before it was saved. */
static bool all_finite(const sim_world *world, const saved_state *saved)
{
    const sim_arrays *p = &saved->particles;
    const struct sim_sums *sums = &saved->sums;
    uint64_t n = saved->status.count;
    return all_within(p->v, 4 * n, SIM_SPEED_MAX) &&
           (!p->affine || all_within(p->affine, 12 * n, SIM_SPEED_MAX)) &&
           all_within(p->bodies, sim_body_bytes(world) / sizeof(float), FLT_MAX) &&
           (!saved->steered ||
            all_within(saved->steered, world->scene->solid_count * STEERED_FLOATS, FLT_MAX)) &&
           all_within(p->softs, sim_soft_bytes(world) / sizeof(float), FLT_MAX) &&
           (!p->holds || all_within(p->holds, sim_hold_bytes(world) / sizeof(float), FLT_MAX)) &&
           all_within(&saved->status.dt, 1, SIM_SPEED_MAX) &&
           all_within(&sums->momentum, 8, FLT_MAX) && all_within(&sums->error_sum, 4, FLT_MAX);
}

static bool steered_sane(const sim_world *world, const void *saved)
{
    scene_pose pose;
    bool sane = true;
    for (uint32_t i = 0; saved && i < world->scene->solid_count && sane; i++) {
        memcpy(&pose, (const uint8_t *)saved + i * sizeof pose, sizeof pose);
        if (world->scene->solids[i].motion.kind == SCENE_MOTION_STEERED)
            sane = all_within(&pose.position.x, 3, SIM_SPEED_MAX) && sim_is_turn(pose.rotation);
    }
    return sane;
}

/* The shaders trust these numbers: a file that was made up must not send them out of a buffer. */
static bool sane(const sim_world *world, const saved_state *saved)
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
    for (uint32_t i = 0; i < world->scene->emitter_count; i++) {
        sim_emitter_state state;
        memcpy(&state, (const uint8_t *)saved->emitters + i * sizeof state, sizeof state);
        if (state.first_site != world->emitters[i].first_site ||
            state.site_count != world->emitters[i].site_count)
            return false;
    }
    if (world->nozzles && !sim_nozzles_sane(world, saved->nozzles)) return false;
    if (world->bodies && !sim_bodies_sane(world, saved->particles.bodies)) return false;
    if (world->softs && !sim_softs_sane(world, saved->particles.softs)) return false;
    return all_finite(world, saved) && steered_sane(world, saved->steered) &&
           saved->clock.time_s >= 0.0 && saved->clock.time_s <= TIME_MAX_S &&
           saved->clock.frame <= FRAMES_MAX;
}

/* Version 2 has the hash of the scene's text, with the defaults of its time: where it differs, the
 * scenes may be the same all the same. */
static weir_result check_scene(const sim_world *world, const char *path, const io_state *file,
                               const saved_state *saved)
{
    char difference[SCENE_DIFFERENCE];
    const io_block *scene = io_state_find(file->blocks, file->count, "scene");
    if (!scene && saved->clock.scene_hash != scene_hash(world))
        base_log(world->log, WEIR_LOG_WARNING,
                 "%s was saved by an older version, which did not record its scene: make sure that "
                 "it belongs to this one",
                 path);
    if (!scene || !scene_state_differs(world->scene, scene->bytes, (size_t)scene->size, difference))
        return WEIR_OK;
    return base_fail(world->log, WEIR_ARGUMENT,
                     "%s was saved from another scene or with other parameters (%s): resume with "
                     "the scene and --set values of its run.json",
                     path, difference);
}

/* Checkpoints of older versions have no hashes of files. */
static weir_result check_files(const sim_world *world, const char *path, const io_state *file)
{
    const uint64_t *hashes =
        block_of(file->blocks, file->count, "files", world->files.count * sizeof *hashes);
    return hashes ? sim_files_check(world, path, hashes) : WEIR_OK;
}

static void compare_devices(const sim_world *world, const char *path, const io_state *file)
{
    char here[DEVICE_NAME];
    const io_block *there = io_state_find(file->blocks, file->count, "device");
    name_device(world, here);
    if (!there || (there->size == strlen(here) && memcmp(there->bytes, here, there->size) == 0))
        return;
    base_log(world->log, WEIR_LOG_WARNING,
             "%s was saved on %.*s; this is %s: from here on the bits may differ from those of a "
             "run on one device",
             path, (int)(there->size < DEVICE_NAME ? there->size : DEVICE_NAME),
             (const char *)there->bytes, here);
}

static void find_particles(const sim_world *world, const io_state *file, saved_state *saved)
{
    uint64_t n = saved->status.count;
    saved->particles = (sim_arrays){
        .x = block_of(file->blocks, file->count, "x", n * sizeof(ivec4)),
        .v = block_of(file->blocks, file->count, "v", n * sizeof(vec4)),
        .ids = block_of(file->blocks, file->count, "ids", n * sizeof(uint32_t)),
        .affine = block_of(file->blocks, file->count, "affine", 3 * n * sizeof(vec4)),
        .bodies = block_of(file->blocks, file->count, "bodies", sim_body_bytes(world)),
        .holds = block_of(file->blocks, file->count, "holds", sim_hold_bytes(world)),
        .softs = block_of(file->blocks, file->count, "softs", sim_soft_bytes(world)),
    };
}

static weir_result understand(sim_world *world, const char *path, const io_state *file,
                              saved_state *saved)
{
    uint32_t emitters = world->scene->emitter_count;
    *saved = (saved_state){0};
    bool whole = take(file, "clock", &saved->clock, sizeof saved->clock) &&
                 take(file, "status", &saved->status, sizeof saved->status) &&
                 take(file, "sums", &saved->sums, sizeof saved->sums);
    if (whole) WEIR_NEED(check_scene(world, path, file, saved));
    if (whole) WEIR_NEED(check_files(world, path, file));
    saved->emitters =
        block_of(file->blocks, file->count, "emitter", emitters * sizeof *world->emitters);
    saved->steered = block_of(file->blocks, file->count, "steered",
                              world->scene->solid_count * sizeof(scene_pose));
    saved->nozzles = block_of(file->blocks, file->count, "nozzles", sim_nozzle_bytes(world));
    find_particles(world, file, saved);
    const sim_arrays *p = &saved->particles;
    whole = whole && saved->emitters && (saved->nozzles || !world->nozzles) && p->x && p->v &&
            p->ids && (p->affine || !sim_is_affine(world)) && (p->bodies || !world->bodies) &&
            (p->softs || !world->softs) && saved->clock.emitter_count == emitters &&
            sane(world, saved);
    if (whole) compare_devices(world, path, file);
    return whole ? WEIR_OK
                 : base_fail(world->log, WEIR_IO,
                             "%s: a block is missing, has the wrong size or holds numbers that "
                             "cannot be: use another checkpoint",
                             path);
}

/* After a failure buffers may be missing. */
static weir_result make_room(sim_world *world, uint32_t count)
{
    grid_capacity capacity = grid_get_capacity(world->grid);
    if (count > capacity.particles)
        capacity.particles = count + count / 4u;
    else if (world->failed == WEIR_OK)
        return WEIR_OK;
    sim_buffers_destroy(world, SIM_WITH_PARTICLES);
    WEIR_NEED(sim_particle_buffers_create(world, capacity.particles));
    WEIR_NEED(sim_grid_grow(world, capacity));
    return sim_rows_build(world);
}

static void forget_frames(sim_world *world)
{
    for (uint32_t i = 0; i < SIM_FRAMES; i++)
        world->frames[i].pending = false;
    world->frames_done = world->frames_begun;
    world->unstable = false;
}

static void place_steered(sim_world *world, const uint8_t *poses)
{
    scene_pose pose;
    for (uint32_t i = 0; poses && i < world->scene->solid_count; i++) {
        memcpy(&pose, poses + i * sizeof pose, sizeof pose);
        if (world->scene->solids[i].motion.kind == SCENE_MOTION_STEERED)
            solid_steered_restore(world->solids, i, &pose);
    }
}

static weir_result apply(sim_world *world, const saved_state *saved)
{
    static const struct grid_state clean;
    gpu_device *device = world->device;
    world->lists_stand = world->densities_stand = false;
    WEIR_NEED(gpu_device_wait(device));
    forget_frames(world);
    WEIR_NEED(make_room(world, saved->status.count));
    WEIR_NEED(gpu_buffer_upload(device, grid_state_buffer(world->grid), 0, &clean, sizeof clean));
    WEIR_NEED(sim_state_upload(world, saved->status.count, &saved->particles));
    WEIR_NEED(sim_forget_solids(world));
    WEIR_NEED(
        gpu_buffer_upload(device, world->buffers.status, 0, &saved->status, sizeof saved->status));
    if (world->scene->emitter_count)
        memcpy(world->emitters, saved->emitters,
               world->scene->emitter_count * sizeof *world->emitters);
    place_steered(world, saved->steered);
    if (world->nozzles && saved->nozzles) sim_nozzles_restore(world, saved->nozzles);
    world->time_s = world->last_time_s = saved->clock.time_s;
    sim_follow_gravity(world, world->time_s);
    world->frame = saved->clock.frame;
    world->crushed_frames = saved->clock.crushed_frames;
    world->next_id = saved->clock.next_id;
    world->last = (sim_result){.status = saved->status, .sums = saved->sums};
    if (world->bodies) memcpy(world->body_states, saved->particles.bodies, sim_body_bytes(world));
    sim_forget_forces(world);
    if (world->softs) memcpy(world->soft_states, saved->particles.softs, sim_soft_bytes(world));
    return WEIR_OK;
}

weir_result sim_preserve(sim_world *world, weir_result (*work)(sim_world *world, void *user),
                         void *user)
{
    sim_state state = {0};
    sim_emitter_state *emitters = NULL;
    scene_pose *steered = base_alloc(world->scene->solid_count, sizeof *steered);
    weir_result result, back;
    size_t emitter_bytes = world->scene->emitter_count * sizeof *emitters;
    double jet_next_s = world->jet.next_s; /* no part of a saved state */
    size_t nozzle_bytes = world->nozzles ? world->scene->emitter_count * sizeof *world->nozzles : 0;
    sim_nozzle *nozzles = base_alloc(nozzle_bytes, 1); /* likewise where they are going */
    WEIR_TRY(sim_wait(world));
    WEIR_TRY(sim_state_download(world, world->last.status.count, &state));
    emitters = base_alloc(emitter_bytes, 1);
    if (!emitters || !steered || !nozzles) {
        result = base_fail(world->log, WEIR_MEMORY, "no memory to keep the state");
        goto fail;
    }
    memcpy(emitters, world->emitters, emitter_bytes);
    sim_steered_poses(world, steered);
    if (nozzle_bytes) memcpy(nozzles, world->nozzles, nozzle_bytes);
    saved_state saved = {
        .clock = {.time_s = world->time_s,
                  .frame = world->frame,
                  .next_id = world->next_id,
                  .crushed_frames = world->crushed_frames},
        .status = world->last.status,
        .sums = world->last.sums,
        .emitters = emitters,
        .steered = steered,
        .particles = {.x = state.x,
                      .v = state.v,
                      .ids = state.ids,
                      .affine = state.affine,
                      .bodies = state.bodies,
                      .holds = state.holds,
                      .softs = state.softs},
    };
    result = work(world, user);
    back = world->failed = apply(world, &saved);
    world->jet.next_s = jet_next_s;
    if (nozzle_bytes) memcpy(world->nozzles, nozzles, nozzle_bytes);
    if (result == WEIR_OK) result = back;
fail:
    sim_state_free(&state);
    base_free(emitters);
    base_free(steered);
    base_free(nozzles);
    return result;
}

/* A copy of what the caller gave to be saved along. */
static weir_result take_carried(const sim_world *world, const io_state *file, base_blob *carried)
{
    const io_block *block = io_state_find(file->blocks, file->count, "carried");
    if (!carried || !block || block->size == 0) return WEIR_OK;
    carried->bytes = base_alloc((size_t)block->size, 1);
    if (!carried->bytes) return base_fail(world->log, WEIR_MEMORY, "no memory to restore");
    carried->size = (size_t)block->size;
    memcpy(carried->bytes, block->bytes, carried->size);
    return WEIR_OK;
}

/* What a caller has wanted of the next frame is no part of a state. */
static void stop_steered(sim_world *world)
{
    scene_pose pose;
    for (uint32_t i = 0; i < world->scene->solid_count; i++) {
        if (world->scene->solids[i].motion.kind != SCENE_MOTION_STEERED) continue;
        pose = solid_steered_pose(world->solids, i);
        solid_steer(world->solids, i, &pose, true);
    }
}

weir_result sim_restore(sim_world *world, const char *path, base_blob *carried)
{
    weir_result result;
    io_state state = {0};
    saved_state saved;
    if (world->failed == WEIR_OK) (void)sim_settle(world); /* a failure is what a restore mends */
    WEIR_TRY(io_state_read(world->log, path, KIND, &state));
    WEIR_TRY(understand(world, path, &state, &saved));
    WEIR_TRY(take_carried(world, &state, carried));
    result = world->failed = apply(world, &saved);
    stop_steered(world);
fail:
    io_state_free(&state);
    return result;
}
