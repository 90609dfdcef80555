/* The density constraint on particles in a host's buffers, in order with the host's work. */
#include "host_reader.h"

#include "weir/vulkan.h"

#include <math.h>

#define SIDE 7u
#define COUNT (SIDE * SIDE * SIDE)
#define LISTED (COUNT * 64u)
#define BYTES (1u << 18)
#define SKIP 256u /* bytes before the positions */
#define DT (1.0f / 128.0f)
#define SCENE                                                                       \
    "{\"name\": \"alone\", \"domain\": {\"min\": [-1, -1, -1], \"max\": [1, 1, 1]," \
    " \"sides\": {\"y\": \"open\"}}, \"spacing\": 0.0625,"                          \
    " \"solver\": {\"support_radius\": 2, \"iterations\": 4},"                      \
    " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\":"           \
    " {\"min\": [0, 0, 0], \"max\": [0.5, 0.5, 0.5]}}}}]}"

typedef struct fixture {
    host *h;
    reader reader;
    weir_device *device;
    weir_scene *scene;
    weir_density_solver *constraint;
    VkBuffer buffer; /* the host's buffer, as the host writes it */
    VkDeviceMemory memory;
    uint8_t *bytes;
} fixture;

/* Layout of the buffer: the arrays follow each other. */
typedef struct layout {
    uint32_t stride, positions, velocities, masses, offsets, neighbours;
} layout;

static float x[3 * COUNT], v[3 * COUNT], masses[COUNT];
static uint32_t offsets[COUNT + 1], neighbours[LISTED];

static void make_buffer(fixture *f)
{
    VkMemoryRequirements needs;
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = BYTES,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    assert_int_equal(vkCreateBuffer(f->h->device, &info, NULL, &f->buffer), VK_SUCCESS);
    vkGetBufferMemoryRequirements(f->h->device, f->buffer, &needs);
    const VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .allocationSize = needs.size,
                                         .memoryTypeIndex =
                                             host_memory(f->h, needs.memoryTypeBits)};
    assert_int_equal(vkAllocateMemory(f->h->device, &memory, NULL, &f->memory), VK_SUCCESS);
    assert_int_equal(vkBindBufferMemory(f->h->device, f->buffer, f->memory, 0), VK_SUCCESS);
    assert_int_equal(vkMapMemory(f->h->device, f->memory, 0, VK_WHOLE_SIZE, 0, (void **)&f->bytes),
                     VK_SUCCESS);
}

static int open_fixture(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    open_host(state);
    f->h = *state;
    f->device = adopt(f->h, hand_over(f->h), "");
    f->scene = parse(SCENE);
    open_reader(f->h, &f->reader);
    make_buffer(f);
    *state = f;
    return 0;
}

static int close_fixture(void **state)
{
    fixture *f = *state;
    *state = f->h;
    weir_scene_destroy(&f->scene);
    weir_device_destroy(&f->device);
    close_reader(&f->reader);
    vkDestroyBuffer(f->h->device, f->buffer, NULL);
    vkFreeMemory(f->h->device, f->memory, NULL);
    free(f);
    return close_host(state);
}

/* Every test has its own solver, because list sizes learnt by one would help the next. */
static int open_constraint(void **state)
{
    fixture *f = *state;
    if (weir_density_solver_create(f->device, f->scene, &f->constraint) != WEIR_OK)
        fail_msg("%s", logged);
    return 0;
}

static int close_constraint(void **state)
{
    fixture *f = *state;
    weir_density_solver_destroy(&f->constraint);
    return 0;
}

/* Fills a crowded block at the lower sides of the domain. */
static void fill(float crowding)
{
    uint32_t seed = 3;
    for (uint32_t i = 0; i < COUNT; i++) {
        for (uint32_t axis = 0, at = i; axis < 3; axis++, at /= SIDE) {
            seed = seed * 1664525u + 1013904223u;
            float jitter = 0.2f * ((float)(seed >> 8) / 16777216.0f - 0.5f);
            x[3 * i + axis] = -1.0f + crowding * 0.0625f * ((float)(at % SIDE) + 0.5f + jitter);
            v[3 * i + axis] = jitter * (float)(axis + 1);
        }
        masses[i] = i % 5 == 0 ? 0.0f : 1.0f;
    }
}

static void list_all(void)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        offsets[i] = n;
        for (uint32_t j = 0; j < COUNT; j++) {
            float r2 = 0.0f;
            for (uint32_t k = 0; k < 3; k++)
                r2 += (x[3 * i + k] - x[3 * j + k]) * (x[3 * i + k] - x[3 * j + k]);
            if (r2 < 0.125f * 0.125f) neighbours[n++] = j;
        }
    }
    offsets[COUNT] = n;
    assert_true(n <= LISTED);
}

static layout lay_out(uint32_t stride)
{
    layout l = {.stride = stride, .positions = SKIP};
    l.velocities = l.positions + COUNT * stride;
    l.masses = l.velocities + COUNT * stride;
    l.offsets = l.masses + 4 * COUNT;
    l.neighbours = l.offsets + sizeof offsets;
    assert_true(l.neighbours + sizeof neighbours <= BYTES);
    return l;
}

static void write_buffer(fixture *f, const layout *l)
{
    memset(f->bytes, 0x5a, BYTES);
    for (uint32_t i = 0; i < COUNT; i++) {
        memcpy(f->bytes + l->positions + i * l->stride, x + 3 * i, 12);
        memcpy(f->bytes + l->velocities + i * l->stride, v + 3 * i, 12);
    }
    memcpy(f->bytes + l->masses, masses, sizeof masses);
    memcpy(f->bytes + l->offsets, offsets, sizeof offsets);
    memcpy(f->bytes + l->neighbours, neighbours, sizeof neighbours);
}

static weir_vulkan_density_particles particles_of(const fixture *f, const layout *l)
{
    weir_vulkan_density_particles p = weir_vulkan_density_particles_default();
    p.count = COUNT;
    p.stride = l->stride;
    p.dt_s = DT;
    p.positions = (weir_vulkan_buffer_ref){f->buffer, l->positions};
    p.velocities = (weir_vulkan_buffer_ref){f->buffer, l->velocities};
    return p;
}

static void give_lists(const fixture *f, const layout *l, weir_vulkan_density_particles *p)
{
    p->neighbour_offsets = (weir_vulkan_buffer_ref){f->buffer, l->offsets};
    p->neighbours = (weir_vulkan_buffer_ref){f->buffer, l->neighbours};
    p->neighbour_count = LISTED;
}

static void solve(fixture *f, const weir_vulkan_density_particles *p)
{
    if (weir_vulkan_density_solve(f->constraint, p) != WEIR_OK) fail_msg("%s", logged);
}

static weir_density_solver_report report_of(fixture *f)
{
    weir_density_solver_report report;
    assert_int_equal(weir_density_solver_get_report(f->constraint, true, &report), WEIR_OK);
    return report;
}

/* Asserts the expected content of the buffer; bytes around the arrays must be unchanged. */
static void assert_buffer(fixture *f, const layout *l, const float *positions,
                          const float *velocities)
{
    static uint8_t expected[BYTES];
    memset(expected, 0x5a, sizeof expected);
    for (uint32_t i = 0; i < COUNT; i++) {
        memcpy(expected + l->positions + i * l->stride, positions + 3 * i, 12);
        memcpy(expected + l->velocities + i * l->stride, velocities + 3 * i, 12);
    }
    memcpy(expected + l->masses, f->bytes + l->masses, BYTES - l->masses);
    assert_memory_equal(f->bytes, expected, BYTES);
}

typedef struct answer {
    float x[3 * COUNT], v[3 * COUNT];
} answer;

/* Solves the same problem from arrays of the host, on the same device. */
static answer solve_on_host(fixture *f, bool weighed, bool listed)
{
    answer a;
    weir_density_solver *own = NULL;
    weir_density_solver_particles p = weir_density_solver_particles_default();
    memcpy(a.x, x, sizeof x);
    memcpy(a.v, v, sizeof v);
    p.count = COUNT;
    p.dt_s = DT;
    p.positions = a.x;
    p.velocities = a.v;
    if (weighed) p.inverse_masses = masses;
    if (listed) p.neighbour_offsets = offsets, p.neighbours = neighbours;
    assert_int_equal(weir_density_solver_create(f->device, f->scene, &own), WEIR_OK);
    if (weir_density_solver_solve(own, &p, NULL) != WEIR_OK) fail_msg("%s", logged);
    weir_density_solver_destroy(&own);
    return a;
}

/* ---- tests ---------------------------------------------------------------------------------- */

static void buffers_get_what_arrays_get(void **state)
{
    fixture *f = *state;
    fill(0.92f);
    list_all();
    for (uint32_t way = 0; way < 8; way++) {
        bool weighed = way & 1, listed = way & 2;
        const layout l = lay_out(way & 4 ? 12 : 16);
        const answer expected = solve_on_host(f, weighed, listed);
        weir_vulkan_density_particles p = particles_of(f, &l);
        if (weighed) p.inverse_masses = (weir_vulkan_buffer_ref){f->buffer, l.masses};
        if (listed) give_lists(f, &l, &p);
        write_buffer(f, &l);
        solve(f, &p);
        const weir_density_solver_report report = report_of(f);
        assert_true(report.complete);
        assert_int_equal(report.solve_number, way + 1);
        assert_int_equal(report.fixed, weighed ? (COUNT + 4) / 5 : 0);
        assert_int_equal(report.skipped + report.invalid_entries, 0);
        assert_true(memcmp(expected.x, x, sizeof x) != 0);
        assert_buffer(f, &l, expected.x, expected.v);
    }
}

/* Five calls in sequence, ordered on the device only. */
static void calls_follow_each_other_without_a_wait(void **state)
{
    fixture *f = *state;
    const layout l = lay_out(16);
    const weir_vulkan_density_particles p = particles_of(f, &l);
    weir_density_solver_report report;
    fill(0.92f);
    write_buffer(f, &l);
    for (int i = 0; i < 5; i++)
        solve(f, &p);
    assert_int_equal(report_of(f).solve_number, 5);
    for (int i = 0; i < 5; i++) {
        const answer next = solve_on_host(f, false, false);
        memcpy(x, next.x, sizeof x);
        memcpy(v, next.v, sizeof v);
    }
    assert_buffer(f, &l, x, v);
    assert_int_equal(weir_density_solver_get_report(f->constraint, false, &report), WEIR_OK);
    assert_int_equal(report.solve_number, 5);
}

static void a_call_waits_and_signals(void **state)
{
    fixture *f = *state;
    const layout l = lay_out(12);
    const VkSemaphore first = make_semaphore(f->h), second = make_semaphore(f->h);
    const weir_vulkan_sync wait = {.semaphore = first}, signal = {.semaphore = second};
    const VkSubmitInfo own = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                              .signalSemaphoreCount = 1,
                              .pSignalSemaphores = &first};
    weir_vulkan_submit submit = weir_vulkan_submit_default();
    weir_vulkan_density_particles p = particles_of(f, &l);
    float read[3 * COUNT];
    submit.waits = &wait;
    submit.signals = &signal;
    submit.wait_count = submit.signal_count = 1;
    p.submit = &submit;
    fill(0.92f);
    write_buffer(f, &l);
    /* a binary semaphore without a wait could not be signalled again */
    for (int i = 0; i < 2; i++) {
        const answer expected = solve_on_host(f, false, false);
        lock(f->h, true);
        assert_int_equal(vkQueueSubmit(f->h->queue, 1, &own, VK_NULL_HANDLE), VK_SUCCESS);
        lock(f->h, false);
        solve(f, &p);
        copy_out(&f->reader, f->buffer, read, SKIP, second);
        assert_buffer(f, &l, expected.x, expected.v);
        memcpy(x, expected.x, sizeof x);
        memcpy(v, expected.v, sizeof v);
    }
    vkDestroySemaphore(f->h->device, first, NULL);
    vkDestroySemaphore(f->h->device, second, NULL);
}

/* Two calls in the host's commands, between two copies of the host. */
static void calls_are_recorded_into_the_hosts_commands(void **state)
{
    fixture *f = *state;
    const layout l = lay_out(16);
    const VkBufferCopy region = {.size = 64};
    weir_vulkan_submit submit = weir_vulkan_submit_default();
    weir_vulkan_density_particles p = particles_of(f, &l);
    fill(0.92f);
    write_buffer(f, &l);
    solve(f, &p); /* allocates enough memory */
    report_of(f);
    write_buffer(f, &l);
    for (int i = 0; i < 2; i++) {
        const answer next = solve_on_host(f, false, false);
        memcpy(x, next.x, sizeof x);
        memcpy(v, next.v, sizeof v);
    }
    submit.commands = f->reader.commands;
    p.submit = &submit;
    begin_commands(f->reader.commands);
    solve(f, &p);
    solve(f, &p);
    vkCmdCopyBuffer(f->reader.commands, f->buffer, f->reader.buffer, 1, &region);
    assert_int_equal(
        weir_density_solver_get_report(f->constraint, false, &(weir_density_solver_report){0}),
        WEIR_OK);
    submit_commands(f->h, f->reader.commands, VK_NULL_HANDLE, f->reader.fence);
    end_read(&f->reader);
    assert_int_equal(weir_vulkan_notify_done(f->device, f->reader.commands), WEIR_OK);
    assert_int_equal(report_of(f).solve_number, 3);
    assert_buffer(f, &l, x, v);
}

/* A second call in the same commands would free the buffers of the first. */
static void a_call_that_needs_more_room_comes_first(void **state)
{
    fixture *f = *state;
    const layout l = lay_out(16);
    weir_vulkan_submit submit = weir_vulkan_submit_default();
    weir_vulkan_density_particles p = particles_of(f, &l);
    fill(0.92f);
    write_buffer(f, &l);
    submit.commands = f->reader.commands;
    p.submit = &submit;
    for (int frame = 0; frame < 2; frame++) {
        begin_commands(f->reader.commands);
        p.count = COUNT / 2;
        solve(f, &p);
        p.count = COUNT;
        logged[0] = '\0';
        weir_result result = weir_vulkan_density_solve(f->constraint, &p);
        assert_int_equal(result, frame == 0 ? WEIR_ERROR_ARGUMENT : WEIR_OK);
        if (frame == 0)
            assert_logged("343 particles with 0 neighbours need larger buffers, but `commands` "
                          "already contain an earlier call: call weir_vulkan_notify_done when they "
                          "are done, and make the largest call first");
        submit_commands(f->h, f->reader.commands, VK_NULL_HANDLE, f->reader.fence);
        end_read(&f->reader);
        assert_int_equal(weir_vulkan_notify_done(f->device, f->reader.commands), WEIR_OK);
        if (frame > 0) break;
        begin_commands(f->reader.commands);
        solve(f, &p); /* alone it may be larger */
        submit_commands(f->h, f->reader.commands, VK_NULL_HANDLE, f->reader.fence);
        end_read(&f->reader);
        assert_int_equal(weir_vulkan_notify_done(f->device, f->reader.commands), WEIR_OK);
    }
    assert_int_equal(report_of(f).solve_number, 4);
}

static void commands_that_are_never_submitted_are_named(void **state)
{
    fixture *f = *state;
    const layout l = lay_out(16);
    weir_vulkan_submit submit = weir_vulkan_submit_default();
    weir_vulkan_density_particles p = particles_of(f, &l);
    weir_density_solver_report report;
    fill(0.92f);
    write_buffer(f, &l);
    submit.commands = f->reader.commands;
    p.submit = &submit;
    begin_commands(f->reader.commands);
    solve(f, &p);
    assert_int_equal(vkEndCommandBuffer(f->reader.commands), VK_SUCCESS);
    logged[0] = '\0';
    assert_int_equal(weir_density_solver_get_report(f->constraint, true, &report),
                     WEIR_ERROR_ARGUMENT);
    assert_logged(
        "call 1 of the density solver was recorded in a command buffer that was not submitted");
    p.submit = NULL; /* and it continues */
    solve(f, &p);
    assert_int_equal(report_of(f).solve_number, 2);
}

/* The first call finds that its lists are too short and changes nothing; the next one has longer
   lists. */
static void short_lists_change_nothing_once(void **state)
{
    fixture *f = *state;
    const layout l = lay_out(16);
    const weir_vulkan_density_particles p = particles_of(f, &l);
    fill(0.3f);
    write_buffer(f, &l);
    solve(f, &p);
    assert_false(report_of(f).complete);
    assert_buffer(f, &l, x, v);
    const answer expected = solve_on_host(f, false, false);
    solve(f, &p);
    assert_true(report_of(f).complete);
    assert_buffer(f, &l, expected.x, expected.v);
}

/* Buffers cannot be checked beforehand: a non-finite particle stays as it is, and the others
   ignore it. */
static void what_is_no_number_is_left_alone(void **state)
{
    fixture *f = *state;
    const layout l = lay_out(16);
    fill(0.92f);
    list_all();
    for (int listed = 0; listed < 2; listed++) {
        weir_vulkan_density_particles p = particles_of(f, &l);
        p.inverse_masses = (weir_vulkan_buffer_ref){f->buffer, l.masses};
        if (listed) give_lists(f, &l, &p);
        x[3 * 40] = NAN;
        v[3 * 41 + 2] = INFINITY;
        masses[42] = -1.0f;
        masses[43] = NAN;
        write_buffer(f, &l);
        solve(f, &p);
        const weir_density_solver_report report = report_of(f);
        assert_int_equal(report.skipped, 4);
        for (uint32_t i = 40; i < 44; i++) {
            assert_memory_equal(f->bytes + l.positions + 16 * i, x + 3 * i, 12);
            assert_memory_equal(f->bytes + l.velocities + 16 * i, v + 3 * i, 12);
        }
        for (uint32_t i = 0; i < 3 * COUNT; i++) {
            float read;
            memcpy(&read, f->bytes + l.positions + 16 * (i / 3) + 4 * (i % 3), 4);
            assert_true(isfinite(read) || i == 3 * 40);
        }
    }
}

/* Entries that name no particle, and offsets that decrease or exceed the end, cause no read out
   of bounds. */
static void faulty_lists_are_counted(void **state)
{
    fixture *f = *state;
    const layout l = lay_out(16);
    weir_vulkan_density_particles p = particles_of(f, &l);
    fill(0.92f);
    list_all();
    give_lists(f, &l, &p);
    const answer expected = solve_on_host(f, false, true);
    for (uint32_t i = COUNT; i-- > 0;) { /* two more in each list */
        uint32_t first = offsets[i] + 2 * i, count = offsets[i + 1] - offsets[i];
        memmove(neighbours + first, neighbours + offsets[i], 4 * count);
        neighbours[first + count] = COUNT;
        neighbours[first + count + 1] = UINT32_MAX;
        offsets[i + 1] += 2 * (i + 1);
    }
    assert_true(offsets[COUNT] <= LISTED);
    write_buffer(f, &l);
    solve(f, &p);
    assert_int_equal(report_of(f).invalid_entries, 2 * COUNT);
    assert_buffer(f, &l, expected.x, expected.v);
    offsets[7] = 0;
    offsets[9] = UINT32_MAX;
    write_buffer(f, &l);
    solve(f, &p);
    assert_true(report_of(f).solve_number == 2);
    p.neighbour_count = 10;
    write_buffer(f, &l);
    solve(f, &p);
    assert_true(report_of(f).complete);
}

/* ---- what is refused ------------------------------------------------------------------------ */

static void assert_refused(weir_density_solver *constraint, const weir_vulkan_density_particles *p,
                           const char *words)
{
    logged[0] = '\0';
    assert_int_equal(weir_vulkan_density_solve(constraint, p), WEIR_ERROR_ARGUMENT);
    if (words) assert_logged(words);
}

static void faulty_calls_are_refused(void **state)
{
    fixture *f = *state;
    const layout l = lay_out(16);
    const weir_vulkan_density_particles good = particles_of(f, &l);
    weir_vulkan_submit submit = {0};
    weir_vulkan_density_particles p = {0};
    assert_refused(NULL, &good, NULL);
    assert_refused(f->constraint, NULL, "`particles` must not be NULL");
    assert_refused(f->constraint, &p, "weir_vulkan_density_particles_default()");
    p = good, p.count = 0;
    assert_refused(f->constraint, &p, "`count` is 0");
    p = good, p.dt_s = NAN;
    assert_refused(f->constraint, &p, "expected a step above 0");
    p = good, p.stride = 8;
    assert_refused(f->constraint, &p, "`stride` is 8 bytes, expected 12 or 16");
    p = good, p.velocities.offset = 2;
    assert_refused(f->constraint, &p, "`velocities.offset` is 2, expected a multiple of 4");
    p = good, p.positions.buffer = VK_NULL_HANDLE;
    assert_refused(f->constraint, &p, "`positions.buffer` must not be VK_NULL_HANDLE");
    p = good, p.neighbour_offsets = p.positions;
    assert_refused(f->constraint, &p, "must be both given, or both VK_NULL_HANDLE");
    p.neighbours = p.positions;
    assert_refused(f->constraint, &p, "`neighbour_count` must be above 0");
    p = good, p.submit = &submit;
    assert_refused(f->constraint, &p, "weir_vulkan_submit_default()");
}

static void a_device_of_weirs_own_takes_no_buffers(void **state)
{
    fixture *f = *state;
    weir_device *device = NULL;
    weir_density_solver *constraint = NULL;
    const layout l = lay_out(16);
    const weir_vulkan_density_particles p = particles_of(f, &l);
    weir_device_def def = weir_device_def_default();
    def.log = kept_log();
    assert_int_equal(weir_device_create(&def, &device), WEIR_OK);
    assert_int_equal(weir_density_solver_create(device, f->scene, &constraint), WEIR_OK);
    assert_refused(constraint, &p, "use weir_density_solver_solve");
    weir_density_solver_destroy(&constraint);
    weir_device_destroy(&device);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_constraint, close_constraint)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(buffers_get_what_arrays_get),
        TEST(calls_follow_each_other_without_a_wait),
        TEST(a_call_waits_and_signals),
        TEST(calls_are_recorded_into_the_hosts_commands),
        TEST(a_call_that_needs_more_room_comes_first),
        TEST(commands_that_are_never_submitted_are_named),
        TEST(short_lists_change_nothing_once),
        TEST(what_is_no_number_is_left_alone),
        TEST(faulty_lists_are_counted),
        TEST(faulty_calls_are_refused),
        TEST(a_device_of_weirs_own_takes_no_buffers),
    };
    return cmocka_run_group_tests(tests, open_fixture, close_fixture);
}
