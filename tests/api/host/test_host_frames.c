/* Steps within a host's frame: the host's own device work reads the particles without a copy and
   without a wait. */
#include "host_reader.h"

#include "weir/bodies.h"

#define SCENE                                                                            \
    "{\"name\": \"shared\", \"domain\": {\"min\": [0, 0, 0], \"max\": [0.5, 0.5, 0.3]}," \
    " \"frame_rate\": 60, \"duration\": 0.2, \"spacing\": 0.05,"                         \
    " \"solver\": {\"substeps\": 2, \"iterations\": 2},"                                 \
    " \"bodies\": [{\"name\": \"box\", \"density\": 400, \"shape\": {\"box\":"           \
    " {\"size\": [0.1, 0.1, 0.1]}, \"position\": [0.4, 0.2, 0.15]}}],"                   \
    " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\":"                \
    " {\"min\": [0, 0, 0], \"max\": [0.3, 0.25, 0.3]}}}}]}"
#define FRAMES 5
#define LONG 10 /* frames of a jet that outgrows its buffers */
#define TOO_EARLY_NS 20000000u

/* ---- a simulation on the host's device ------------------------------------------------------ */

typedef struct fixture {
    host *h;
    reader reader;
    weir_device *device;
    weir_scene *scene;
    weir_sim *sim;
} fixture;

static fixture open_sim(host *h)
{
    fixture f = {.h = h, .device = adopt(h, hand_over(h), ""), .scene = parse(SCENE)};
    open_reader(h, &f.reader);
    if (weir_sim_create(f.device, f.scene, &f.sim) != WEIR_OK) fail_msg("%s", logged);
    return f;
}

static void close_sim(fixture *f)
{
    weir_sim_destroy(&f->sim);
    weir_scene_destroy(&f->scene);
    weir_device_destroy(&f->device);
    close_reader(&f->reader);
}

static uint64_t hash_of(weir_sim *sim)
{
    uint64_t hash = 0;
    assert_int_equal(weir_sim_get_state_hash(sim, &hash), WEIR_OK);
    return hash;
}

/* A scene without emitters reserves no memory for emitted particles. */
static void open_jet(weir_sim *sim)
{
    const weir_sim_controls controls = {
        .hose = {.position = {0.1f, 0.4f, 0.15f}, .direction = {0, -1, 0}, .speed = 6}};
    assert_int_equal(weir_sim_set_controls(sim, &controls), WEIR_OK);
}

static uint32_t ends[LONG + 1]; /* particles at the end of each of LONG frames with a jet */

/* Returns the hash after that many frames of weir_sim_step. */
static uint64_t undisturbed(host *h, int frames, bool jetting)
{
    static uint64_t known[2]; /* after FRAMES without a jet, and after LONG with one */
    if (known[jetting] && frames == (jetting ? LONG : FRAMES)) return known[jetting];
    fixture f = open_sim(h);
    if (jetting) open_jet(f.sim);
    for (int i = 1; i <= frames; i++) {
        assert_int_equal(weir_sim_step(f.sim, 0), WEIR_OK);
        if (jetting) assert_int_equal(weir_sim_get_particle_count(f.sim, &ends[i]), WEIR_OK);
    }
    uint64_t hash = hash_of(f.sim);
    close_sim(&f);
    if (frames == (jetting ? LONG : FRAMES)) known[jetting] = hash;
    return hash;
}

static weir_vulkan_points get(const weir_points *points)
{
    weir_vulkan_points out;
    assert_int_equal(weir_vulkan_get_points(points, &out), WEIR_OK);
    return out;
}

/* ---- tests ---------------------------------------------------------------------------------- */

static void assert_particles(fixture *f, const weir_vulkan_points *p, const weir_vulkan_counts *n)
{
    static float x[1024][4], v[1024][4], expected_x[1024][3], expected_v[1024][3];
    static uint32_t id[1024];
    weir_body body;
    float state[16];
    uint32_t one = 1, count = n->count;
    assert_int_equal(n->points.vertexCount, count);
    assert_int_equal(n->points.instanceCount, 1);
    assert_int_equal(n->quads.vertexCount, 4);
    assert_int_equal(n->quads.instanceCount, count);
    assert_int_equal(n->groups.x, (count + 63) / 64);
    assert_int_equal(n->groups.y * n->groups.z, 1);
    assert_int_equal(n->complete, 1);
    copy_out(&f->reader, p->field[WEIR_FIELD_POSITION].buffer, x, count * 16, VK_NULL_HANDLE);
    copy_out(&f->reader, p->field[WEIR_FIELD_VELOCITY].buffer, v, count * 16, VK_NULL_HANDLE);
    copy_out(&f->reader, p->field[WEIR_FIELD_ID].buffer, id, count * 4, VK_NULL_HANDLE);
    copy_out(&f->reader, p->body.buffer, state, 64, VK_NULL_HANDLE);
    assert_int_equal(weir_sim_read_field(f->sim, WEIR_FIELD_POSITION, expected_x, count * 12),
                     WEIR_OK);
    assert_int_equal(weir_sim_read_field(f->sim, WEIR_FIELD_VELOCITY, expected_v, count * 12),
                     WEIR_OK);
    for (uint32_t i = 0; i < count; i++) {
        assert_memory_equal(x[i], expected_x[id[i]], 12);
        assert_memory_equal(v[i], expected_v[id[i]], 12);
    }
    assert_int_equal(weir_sim_get_bodies(f->sim, &body, &one), WEIR_OK);
    assert_memory_equal(state, body.position, 12);
    assert_memory_equal(state + 4, body.rotation, 16);
    assert_memory_equal(state + 8, body.velocity, 12);
}

static void points_of_a_step_are_its_particles(void **state)
{
    fixture f = open_sim(*state);
    const VkSemaphore done = make_semaphore(f.h);
    const weir_vulkan_sync signal = {.semaphore = done};
    weir_vulkan_submit submit = weir_vulkan_submit_default();
    submit.signals = &signal;
    submit.signal_count = 1;
    for (uint64_t frame = 1; frame <= FRAMES; frame++) {
        weir_points *points = NULL;
        weir_vulkan_counts counts;
        assert_int_equal(weir_vulkan_step(f.sim, 0, &submit, &points), WEIR_OK);
        weir_vulkan_points p = get(points);
        copy_out(&f.reader, p.counts, &counts, sizeof counts, done);
        assert_int_equal(p.frame, frame);
        assert_int_equal(counts.frame, frame);
        assert_int_equal(p.capacity, counts.count);
        assert_int_equal(p.body_count, 1);
        assert_particles(&f, &p, &counts);
        weir_points_release(&points);
    }
    uint64_t hash = hash_of(f.sim);
    vkDestroySemaphore(f.h->device, done, NULL);
    close_sim(&f);
    assert_true(hash == undisturbed(*state, FRAMES, false));
}

/* Frames are ordered on the device alone: the host submits, releases and never waits. */
static void a_host_that_only_submits_gets_every_frame(void **state)
{
    fixture f = open_sim(*state);
    reader readers[FRAMES];
    for (int i = 0; i < FRAMES; i++) {
        weir_points *points = NULL;
        open_reader(f.h, &readers[i]);
        assert_int_equal(weir_vulkan_step(f.sim, 0, NULL, &points), WEIR_OK);
        begin_read(&readers[i], get(points).counts, sizeof(weir_vulkan_counts), VK_NULL_HANDLE);
        weir_points_release(&points);
    }
    for (int i = 0; i < FRAMES; i++) {
        end_read(&readers[i]);
        const weir_vulkan_counts *counts = readers[i].bytes;
        assert_int_equal(counts->frame, i + 1);
        assert_int_equal(counts->complete, 1);
        close_reader(&readers[i]);
    }
    uint64_t hash = hash_of(f.sim);
    close_sim(&f);
    assert_true(hash == undisturbed(*state, FRAMES, false));
}

/* A step begins when the host's own work is done. */
static void a_step_waits_for_the_hosts_semaphores(void **state)
{
    fixture f = open_sim(*state);
    weir_points *points = NULL;
    weir_vulkan_counts counts;
    const VkSemaphore first = make_semaphore(f.h), second = make_semaphore(f.h);
    const weir_vulkan_sync wait = {.semaphore = first}, signal = {.semaphore = second};
    weir_vulkan_submit submit = weir_vulkan_submit_default();
    const VkSubmitInfo own = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                              .signalSemaphoreCount = 1,
                              .pSignalSemaphores = &first};
    submit.waits = &wait;
    submit.signals = &signal;
    submit.wait_count = submit.signal_count = 1;
    for (int i = 0; i < 2; i++) { /* the first step consists of several submissions */
        lock(f.h, true);
        assert_int_equal(vkQueueSubmit(f.h->queue, 1, &own, VK_NULL_HANDLE), VK_SUCCESS);
        lock(f.h, false);
        assert_int_equal(weir_vulkan_step(f.sim, 0, &submit, &points), WEIR_OK);
        copy_out(&f.reader, get(points).counts, &counts, sizeof counts, second);
        assert_int_equal(counts.frame, i + 1);
        weir_points_release(&points);
    }
    vkDestroySemaphore(f.h->device, first, NULL);
    vkDestroySemaphore(f.h->device, second, NULL);
    close_sim(&f);
}

/* The host lets each step begin after it was submitted, and learns of its end, both by timeline
   values. */
static void timelines_hold_steps_back_and_tell_their_ends(void **state)
{
    fixture f = open_sim(*state);
    VkDevice device = f.h->device;
    const VkSemaphore begins = make_timeline(f.h), ends = make_timeline(f.h);
    for (uint64_t i = 1; i <= FRAMES; i++) {
        weir_points *points = NULL;
        weir_vulkan_counts counts;
        uint64_t ended = UINT64_MAX;
        const weir_vulkan_sync wait = {.semaphore = begins, .value = 10 * i},
                               signal = {.semaphore = ends, .value = i};
        weir_vulkan_submit submit = weir_vulkan_submit_default();
        submit.waits = &wait;
        submit.signals = &signal;
        submit.wait_count = submit.signal_count = 1;
        assert_int_equal(weir_vulkan_step(f.sim, 0, &submit, &points), WEIR_OK);
        const VkSemaphoreWaitInfo done = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                          .semaphoreCount = 1,
                                          .pSemaphores = &ends,
                                          .pValues = &i};
        assert_int_equal(vkWaitSemaphores(device, &done, TOO_EARLY_NS), VK_TIMEOUT);
        assert_int_equal(vkGetSemaphoreCounterValue(device, ends, &ended), VK_SUCCESS);
        assert_int_equal(ended, i - 1);
        const VkSemaphoreSignalInfo go = {
            .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = begins, .value = 10 * i};
        assert_int_equal(vkSignalSemaphore(device, &go), VK_SUCCESS);
        assert_int_equal(vkWaitSemaphores(device, &done, UINT64_MAX), VK_SUCCESS);
        copy_out(&f.reader, get(points).counts, &counts, sizeof counts, VK_NULL_HANDLE);
        assert_int_equal(counts.frame, i);
        weir_points_release(&points);
    }
    uint64_t hash = hash_of(f.sim);
    vkDestroySemaphore(device, begins, NULL);
    vkDestroySemaphore(device, ends, NULL);
    close_sim(&f);
    assert_true(hash == undisturbed(*state, FRAMES, false));
}

/* Beyond the count, up to the capacity, position values mark absent particles. */
static void assert_none_behind(fixture *f, const weir_vulkan_points *p, uint32_t count)
{
    static float x[4096][4];
    assert_true(p->capacity <= 4096);
    copy_out(&f->reader, p->field[WEIR_FIELD_POSITION].buffer, x, p->capacity * 16, VK_NULL_HANDLE);
    for (uint32_t i = 0; i < p->capacity; i++)
        assert_true(x[i][3] == (i < count ? 1.0f : -1.0f));
}

/* Particles are added in each frame, so their count identifies the time of the points: the end
   of the frame or, when a buffer was too small, a time at most `missing` generations earlier.
   Returns whether they are earlier. */
static bool is_behind(const weir_vulkan_counts *counts, uint32_t missing)
{
    const uint32_t frame = counts->frame, oldest = frame > missing ? frame - missing : 0;
    assert_in_range(frame, 1, LONG);
    assert_true(ends[frame] > ends[frame - 1]);
    assert_true(counts->count >= ends[oldest] && counts->count <= ends[frame]);
    if (counts->complete) assert_int_equal(counts->count, ends[frame]);
    return !counts->complete;
}

/* A frame that overflows is repeated: no particle is lost, and the host sees an earlier time
   until the buffers have grown. */
static void a_frame_that_runs_out_of_room_shows_an_earlier_moment(void **state)
{
    const uint64_t expected = undisturbed(*state, LONG, true);
    fixture f = open_sim(*state);
    uint32_t last = 0, behind = 0;
    open_jet(f.sim);
    for (uint32_t i = 1; i <= LONG; i++) {
        weir_points *points = NULL;
        weir_vulkan_counts counts;
        assert_int_equal(weir_vulkan_step(f.sim, 0, NULL, &points), WEIR_OK);
        weir_vulkan_points p = get(points);
        copy_out(&f.reader, p.counts, &counts, sizeof counts, VK_NULL_HANDLE);
        assert_true(counts.count <= p.capacity && counts.count >= last);
        assert_none_behind(&f, &p, counts.count);
        last = counts.count;
        behind += is_behind(&counts, 1);
        weir_points_release(&points);
    }
    assert_true(behind >= 2);
    uint64_t hash = hash_of(f.sim);
    close_sim(&f);
    assert_true(hash == expected);
}

/* A host that never waits learns of it in the call for the third frame at the latest. */
static void frames_under_way_that_run_out_of_room_are_two_at_most(void **state)
{
    const uint64_t expected = undisturbed(*state, LONG, true);
    fixture f = open_sim(*state);
    reader readers[LONG];
    uint32_t behind = 0;
    open_jet(f.sim);
    for (uint32_t i = 0; i < LONG; i++) {
        weir_points *points = NULL;
        open_reader(f.h, &readers[i]);
        assert_int_equal(weir_vulkan_step(f.sim, 0, NULL, &points), WEIR_OK);
        begin_read(&readers[i], get(points).counts, sizeof(weir_vulkan_counts), VK_NULL_HANDLE);
        weir_points_release(&points);
    }
    for (uint32_t i = 0; i < LONG; i++) {
        end_read(&readers[i]);
        behind += is_behind(readers[i].bytes, 2);
        close_reader(&readers[i]);
    }
    assert_true(behind >= 2);
    uint64_t hash = hash_of(f.sim);
    close_sim(&f);
    assert_true(hash == expected);
}

/* Records a step and the copy of its counts into one command buffer of the host. */
static void record_step(fixture *f, reader *r)
{
    weir_points *points = NULL;
    weir_vulkan_submit submit = weir_vulkan_submit_default();
    submit.commands = r->commands;
    begin_commands(r->commands);
    if (weir_vulkan_step(f->sim, 0, &submit, &points) != WEIR_OK) fail_msg("%s", logged);
    record_buffer_read(r, get(points).counts, sizeof(weir_vulkan_counts));
    submit_commands(r->h, r->commands, VK_NULL_HANDLE, r->fence);
    weir_points_release(&points);
}

static weir_vulkan_counts finish_step(fixture *f, reader *r)
{
    end_read(r);
    assert_int_equal(weir_vulkan_notify_done(f->device, r->commands), WEIR_OK);
    return *(const weir_vulkan_counts *)r->bytes;
}

/* Two frames are in flight. Weir is notified which have finished, and does not query the queue. */
static void a_host_submits_what_weir_records(void **state)
{
    fixture f = open_sim(*state);
    reader readers[2];
    uint32_t locks = 0;
    for (int i = 0; i < 2; i++)
        open_reader(f.h, &readers[i]);
    for (uint32_t i = 0; i < FRAMES + 2; i++) {
        reader *r = &readers[i % 2];
        /* the first two steps have allocated the memory of their points */
        if (i == 2) locks = f.h->locks;
        weir_vulkan_counts counts = {.complete = 1, .frame = i - 1};
        if (i >= 2) counts = finish_step(&f, r);
        assert_int_equal(counts.frame, i - 1);
        assert_int_equal(counts.complete, 1);
        if (i < FRAMES) record_step(&f, r);
    }
    assert_int_equal(f.h->locks - locks, FRAMES - 2); /* the host's own locks */
    uint64_t hash = hash_of(f.sim);
    for (int i = 0; i < 2; i++)
        close_reader(&readers[i]);
    close_sim(&f);
    assert_true(hash == undisturbed(*state, FRAMES, false));
}

/* The third frame waits for the first, which the device begins late. */
static void weir_waits_for_frames_of_which_it_hears_nothing(void **state)
{
    fixture f = open_sim(*state);
    reader readers[FRAMES];
    weir_points *points = NULL;
    assert_int_equal(weir_vulkan_step(f.sim, 0, NULL, &points), WEIR_OK);
    f.reader.repeats = 10000;
    begin_read(&f.reader, get(points).field[WEIR_FIELD_POSITION].buffer, 2048, VK_NULL_HANDLE);
    for (uint32_t i = 1; i < FRAMES; i++) {
        open_reader(f.h, &readers[i]);
        record_step(&f, &readers[i]);
    }
    end_read(&f.reader);
    for (uint32_t i = 1; i < FRAMES; i++) {
        end_read(&readers[i]);
        assert_int_equal(((const weir_vulkan_counts *)readers[i].bytes)->frame, i + 1);
        close_reader(&readers[i]);
    }
    uint64_t hash = hash_of(f.sim);
    weir_points_release(&points);
    close_sim(&f);
    assert_true(hash == undisturbed(*state, FRAMES, false));
}

/* As for frames that Weir submits, an earlier time is shown, and nothing is lost. */
static void recorded_frames_that_run_out_of_room_are_repeated(void **state)
{
    const uint64_t expected = undisturbed(*state, LONG, true);
    fixture f = open_sim(*state);
    uint32_t behind = 0;
    open_jet(f.sim);
    for (uint32_t i = 0; i < LONG; i++) {
        record_step(&f, &f.reader);
        const weir_vulkan_counts counts = finish_step(&f, &f.reader);
        behind += is_behind(&counts, 1);
    }
    assert_true(behind >= 2);
    uint64_t hash = hash_of(f.sim);
    close_sim(&f);
    assert_true(hash == expected);
}

static void commands_that_were_never_submitted_are_told(void **state)
{
    fixture f = open_sim(*state);
    uint64_t hash;
    weir_vulkan_submit submit = weir_vulkan_submit_default();
    submit.commands = f.reader.commands;
    begin_commands(f.reader.commands);
    assert_int_equal(weir_vulkan_step(f.sim, 0, &submit, NULL), WEIR_OK);
    assert_int_equal(weir_sim_get_state_hash(f.sim, &hash), WEIR_ERROR_ARGUMENT);
    assert_logged("frame 1 was recorded in a command buffer that was not submitted");
    close_sim(&f);
}

/* Held points outlive the simulation, and Weir waits for the host's work on them. */
static void points_live_as_long_as_the_hosts_work(void **state)
{
    fixture f = open_sim(*state);
    weir_points *points = NULL;
    assert_int_equal(weir_vulkan_step(f.sim, 0, NULL, &points), WEIR_OK);
    weir_sim_destroy(&f.sim);
    f.reader.repeats = 10000;
    begin_read(&f.reader, get(points).field[WEIR_FIELD_POSITION].buffer, 2048, VK_NULL_HANDLE);
    weir_points_release(&points);
    assert_int_equal(vkGetFenceStatus(f.h->device, f.reader.fence), VK_SUCCESS);
    end_read(&f.reader);
    close_sim(&f);
}

static void draw(fixture *f, const weir_points *points, uint8_t *out)
{
    weir_renderer *renderer = NULL;
    weir_image *image = NULL;
    uint32_t width, height;
    const uint8_t *pixels;
    weir_renderer_def def = weir_renderer_def_default();
    weir_camera view = weir_camera_default(f->scene);
    def.scene = f->scene;
    view.width = 64;
    view.height = 48;
    assert_int_equal(weir_renderer_create(f->device, &def, &renderer), WEIR_OK);
    assert_int_equal(weir_render_points(renderer, points, &view, &image), WEIR_OK);
    assert_int_equal(weir_image_read(image, &width, &height, &pixels), WEIR_OK);
    memcpy(out, pixels, 64 * 48 * 4);
    weir_image_destroy(&image);
    weir_renderer_destroy(&renderer);
}

/* Points of a step work with the renderer and the mesher like acquired points. */
static void points_of_a_step_draw_and_mesh_like_others(void **state)
{
    static uint8_t stepped[64 * 48 * 4], acquired[64 * 48 * 4];
    fixture f = open_sim(*state);
    weir_points *points = NULL, *others = NULL;
    weir_mesher *mesher = NULL;
    weir_mesh *mesh[2] = {0};
    weir_mesh_arrays view[2];
    const weir_mesher_def def = weir_mesher_def_default(NULL);
    assert_int_equal(weir_vulkan_step(f.sim, 0, NULL, &points), WEIR_OK);
    assert_int_equal(weir_sim_acquire_points(f.sim, &others), WEIR_OK);
    draw(&f, points, stepped);
    draw(&f, others, acquired);
    assert_memory_equal(stepped, acquired, sizeof acquired);
    assert_int_equal(weir_mesher_create(f.device, &def, &mesher), WEIR_OK);
    assert_int_equal(weir_mesher_run(mesher, points, &mesh[0]), WEIR_OK);
    assert_int_equal(weir_mesher_run(mesher, others, &mesh[1]), WEIR_OK);
    weir_mesh_get_arrays(mesh[0], &view[0]);
    weir_mesh_get_arrays(mesh[1], &view[1]);
    assert_true(view[0].vertex_count > 0 && view[0].vertex_count == view[1].vertex_count);
    assert_memory_equal(view[0].position, view[1].position, view[0].vertex_count * 12);
    for (int i = 0; i < 2; i++)
        weir_mesh_destroy(&mesh[i]);
    weir_mesher_destroy(&mesher);
    weir_points_release(&points);
    weir_points_release(&others);
    close_sim(&f);
}

static void faulty_steps_are_refused(void **state)
{
    fixture f = open_sim(*state);
    weir_points *points = NULL;
    const weir_vulkan_sync none = {0};
    weir_vulkan_submit submit = {0};
    assert_int_equal(weir_vulkan_step(f.sim, 0, &submit, &points), WEIR_ERROR_ARGUMENT);
    assert_logged("weir_vulkan_submit_default");
    submit = weir_vulkan_submit_default();
    submit.wait_count = 1;
    assert_int_equal(weir_vulkan_step(f.sim, 0, &submit, &points), WEIR_ERROR_ARGUMENT);
    assert_logged("`waits` has 1 semaphores but is NULL");
    submit.waits = &none;
    assert_int_equal(weir_vulkan_step(f.sim, 0, &submit, &points), WEIR_ERROR_ARGUMENT);
    assert_logged("weir_vulkan_step: `waits[0].semaphore`");
    submit.wait_count = 0;
    submit.signals = &none;
    submit.signal_count = 17;
    assert_int_equal(weir_vulkan_step(f.sim, 0, &submit, &points), WEIR_ERROR_ARGUMENT);
    assert_logged("`signals` has 17 semaphores, expected at most 16");
    submit = weir_vulkan_submit_default();
    submit.commands = f.reader.commands;
    submit.signals = &none;
    submit.signal_count = 1;
    assert_int_equal(weir_vulkan_step(f.sim, 0, &submit, &points), WEIR_ERROR_ARGUMENT);
    assert_logged("semaphore");
    const weir_vulkan_sync real = {.semaphore = make_semaphore(f.h)};
    submit.signals = &real;
    assert_int_equal(weir_vulkan_step(f.sim, 0, &submit, &points), WEIR_ERROR_ARGUMENT);
    assert_logged("wait_count and signal_count must be 0");
    vkDestroySemaphore(f.h->device, real.semaphore, NULL);
    assert_int_equal(weir_vulkan_notify_done(f.device, VK_NULL_HANDLE), WEIR_ERROR_ARGUMENT);
    assert_logged("`commands`");
    assert_int_equal(weir_vulkan_step(f.sim, -1, NULL, &points), WEIR_ERROR_ARGUMENT);
    assert_logged("`seconds`");
    assert_null(points);
    assert_int_equal(weir_vulkan_get_points(NULL, NULL), WEIR_ERROR_ARGUMENT);
    assert_true(hash_of(f.sim) == undisturbed(*state, 0, false)); /* nothing has moved */
    close_sim(&f);
}

static void a_device_of_weirs_own_shares_nothing(void **state)
{
    weir_device *device = NULL;
    weir_sim *sim = NULL;
    weir_points *points = NULL;
    weir_vulkan_points out;
    weir_device_def def = weir_device_def_default();
    weir_scene *scene = parse(SCENE);
    def.log = kept_log();
    assert_int_equal(weir_device_create(&def, &device), WEIR_OK);
    assert_int_equal(weir_sim_create(device, scene, &sim), WEIR_OK);
    assert_int_equal(weir_vulkan_step(sim, 0, NULL, NULL), WEIR_ERROR_ARGUMENT);
    assert_logged("use weir_sim_step");
    assert_int_equal(weir_sim_acquire_points(sim, &points), WEIR_OK);
    assert_int_equal(weir_vulkan_get_points(points, &out), WEIR_ERROR_ARGUMENT);
    assert_logged("use weir_sim_read_field");
    weir_points_release(&points);
    weir_sim_destroy(&sim);
    weir_scene_destroy(&scene);
    weir_device_destroy(&device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_of_a_step_are_its_particles),
        cmocka_unit_test(a_host_that_only_submits_gets_every_frame),
        cmocka_unit_test(a_step_waits_for_the_hosts_semaphores),
        cmocka_unit_test(timelines_hold_steps_back_and_tell_their_ends),
        cmocka_unit_test(a_frame_that_runs_out_of_room_shows_an_earlier_moment),
        cmocka_unit_test(frames_under_way_that_run_out_of_room_are_two_at_most),
        cmocka_unit_test(a_host_submits_what_weir_records),
        cmocka_unit_test(weir_waits_for_frames_of_which_it_hears_nothing),
        cmocka_unit_test(recorded_frames_that_run_out_of_room_are_repeated),
        cmocka_unit_test(commands_that_were_never_submitted_are_told),
        cmocka_unit_test(points_live_as_long_as_the_hosts_work),
        cmocka_unit_test(points_of_a_step_draw_and_mesh_like_others),
        cmocka_unit_test(faulty_steps_are_refused),
        cmocka_unit_test(a_device_of_weirs_own_shares_nothing),
    };
    return cmocka_run_group_tests(tests, open_host, close_host);
}
