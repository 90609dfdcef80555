/* Motion of whitewater compared with theory: falling, drag, rising, a vortex, walls, mean
   emission rates, and independence of the capacities. */
#include "scene_text.h"
#include "whitewater_support.h"

#include "sim_support.h"

static const vec3 nowhere = {0, 0, 0};

/* Open on all sides, and so large that nothing leaves. */
static whitewater_def open_def(float size, float spacing)
{
    whitewater_def def = box_def(spacing);
    def.min = vec3_make(-size, -size, -size);
    def.max = vec3_make(size, size, size);
    memset(def.closed_sides, 0, sizeof def.closed_sides);
    return def;
}

static struct whitewater_particle first_of(const whitewater *whitewater)
{
    struct whitewater_particle *all = read_whitewater(whitewater), first = all[0];
    assert_true(whitewater_count(whitewater) > 0);
    base_free(all);
    return first;
}

/* ---- spray ---------------------------------------------------------------------------------- */

/* Air drag hardly affects a drop of 100 m. */
static void spray_falls_as_in_a_vacuum(void **state)
{
    whitewater_def def = open_def(100, 10);
    fluid none = make_fluid(1);
    upload_fluid(&none);
    for (int fps = 24; fps <= 240; fps *= 10) {
        whitewater *whitewater = make_whitewater(&def);
        struct whitewater_particle drop =
            whitewater_at(WHITEWATER_SPRAY, nowhere, vec3_make(3, 2, -1));
        drop.position.w = 100;
        place_whitewater(whitewater, &drop, 1);
        float t = 0.5f;
        for (int frame = 1; frame <= fps / 2; frame++)
            step_whitewater(whitewater, &none, (uint64_t)frame, 1.0f / (float)fps);
        struct whitewater_particle p = first_of(whitewater);
        print_message("  %d Hz: fell to (%g, %g, %g)\n", fps, (double)p.position.x,
                      (double)p.position.y, (double)p.position.z);
        double y = 2.0 * (double)t - 0.5 * 9.81 * (double)t * (double)t;
        double off[3] = {(double)p.position.x - 1.5, (double)p.position.y - y,
                         (double)p.position.z + 0.5};
        double path = sqrt(1.5 * 1.5 + y * y + 0.5 * 0.5); /* straight-line distance */
        double error = sqrt(off[0] * off[0] + off[1] * off[1] + off[2] * off[2]) / path;
        print_message("  off by %.2g of the path\n", error);
        assert_true(error < 1e-5);
        whitewater_destroy(&whitewater);
    }
    free_fluid(&none);
}

static void spray_reaches_its_terminal_speed(void **state)
{
    whitewater_def def = open_def(1000, 100);
    fluid none = make_fluid(1);
    upload_fluid(&none);
    whitewater *whitewater = make_whitewater(&def);
    struct whitewater_particle drop = whitewater_at(WHITEWATER_SPRAY, nowhere, nowhere);
    place_whitewater(whitewater, &drop, 1);
    for (uint64_t frame = 1; frame <= 300; frame++)
        step_whitewater(whitewater, &none, frame, 1.0f / 30.0f);
    double terminal = sqrt(9.81 * (double)drop.position.w / 2e-4);
    assert_between("speed", -(double)first_of(whitewater).velocity.y, 0.999 * terminal,
                   1.001 * terminal);
    whitewater_destroy(&whitewater);
    free_fluid(&none);
}

/* ---- bubbles and foam ----------------------------------------------------------------------- */

static void bubbles_rise_as_fast_as_asked_at_any_frame_rate(void **state)
{
    whitewater_def def = open_def(2, 0.1f);
    fluid f = make_fluid(2000);
    add_block(&f, (block){{-0.5f, -0.5f, -0.5f}, {0.5f, 1, 0.5f}, nowhere, 0.1f, 0});
    memset(f.velocities, 0, f.count * sizeof *f.velocities);
    upload_fluid(&f);
    for (int fps = 24; fps <= 240; fps *= 10) {
        whitewater *whitewater = make_whitewater(&def);
        struct whitewater_particle bubble =
            whitewater_at(WHITEWATER_BUBBLE, nowhere, vec3_make(0, 0.25f, 0));
        place_whitewater(whitewater, &bubble, 1);
        for (int frame = 1; frame <= fps / 2; frame++)
            step_whitewater(whitewater, &f, (uint64_t)frame, 1.0f / (float)fps);
        assert_between("rise", (double)first_of(whitewater).position.y, 0.125 - 1e-5, 0.125 + 1e-5);
        whitewater_destroy(&whitewater);
    }
    free_fluid(&f);
}

#define TURNS 10
#define CIRCLES 16
#define FRAMES_A_TURN 72

static void whitewater_keeps_its_circle_in_a_vortex(void **state)
{
    const float frame_s = 1.0f / FRAMES_A_TURN, rate = 6.2831853f;
    whitewater_def def = open_def(2, 0.1f);
    fluid f = make_fluid(2000);
    add_block(&f, (block){{-0.8f, -0.3f, -0.8f}, {0.8f, 0, 0.8f}, nowhere, 0.1f, 0});
    for (uint32_t i = 0; i < f.count; i++)
        f.velocities[i] = (vec4){rate * f.points[i].z, 0, -rate * f.points[i].x, 0};
    upload_fluid(&f);
    def.factors[0] = def.factors[1] = def.factors[2] = 0;
    whitewater *whitewater = make_whitewater(&def);
    struct whitewater_particle circle[CIRCLES];
    for (int i = 0; i < CIRCLES; i++) {
        float r = 0.3f + 0.2f * (float)i / CIRCLES;
        circle[i] = whitewater_at(WHITEWATER_FOAM, vec3_make(r, 0, 0), vec3_make(0, 0, -rate * r));
    }
    place_whitewater(whitewater, circle, CIRCLES);
    for (uint64_t frame = 1; frame <= TURNS * FRAMES_A_TURN; frame++)
        step_whitewater(whitewater, &f, frame, frame_s);
    struct whitewater_particle *all = read_whitewater(whitewater);
    double ratio = 0;
    for (int i = 0; i < CIRCLES; i++) {
        assert_int_equal(all[i].kind, WHITEWATER_FOAM);
        ratio +=
            (double)(hypotf(all[i].position.x, all[i].position.z) / circle[i].position.x) / CIRCLES;
    }
    assert_between("radius after over before, mean", ratio, 0.99, 1.01);
    base_free(all);
    whitewater_destroy(&whitewater);
    free_fluid(&f);
}

/* ---- walls ---------------------------------------------------------------------------------- */

#define BALL_SPEED 0.5f
/* A drop of 2 mm that has hit the ball lies this deep, up to the field's error of 0.02 mm. A
   drop that will hit it in the next frame rarely lies so near. */
#define TOUCHES_M (-0.00202f)

static const char body_ball[] =
    "{'spacing': 0.1, 'domain': {'min': [0, 0, 0], 'max': [2, 2, 2]},"
    " 'bodies': [{'name': 'ball', 'density': 500, 'shape': {'sphere': {'radius': 0.5}}}],"
    " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {'min': [0, 0, 0],"
    "  'max': [0.2, 0.2, 0.2]}}}}]}";

static void step_to(whitewater *whitewater, const fluid *f, uint64_t frame, const scene_pose *ball)
{
    const float dt = 1.0f / 60.0f;
    const whitewater_frame data = {.points = &f->data,
                                   .gravity = {0, -9.81f, 0},
                                   .time_s = (double)frame * (double)dt,
                                   .last_s = ((double)frame - 1.0) * (double)dt,
                                   .number = frame,
                                   .bodies = ball};
    OK(whitewater_step(whitewater, &data));
}

/* Returns the ball's pose at the end of a frame. */
static scene_pose ball_at(uint64_t frame)
{
    return (scene_pose){.position = {1 + BALL_SPEED * (float)frame / 60.0f, 1, 1},
                        .rotation = quat_identity(),
                        .scale = 1.0f};
}

/* Checks that no drop of the frame is inside the ball, nor slower than it where they touch.
   Returns how many touch it. */
static uint32_t check_drops(const whitewater *whitewater, vec3 ball)
{
    struct whitewater_particle *all = read_whitewater(whitewater);
    uint32_t met = 0;
    for (uint32_t i = 0; i < whitewater_count(whitewater); i++) {
        const vec4 *p = &all[i].position, *v = &all[i].velocity;
        vec3 off = {p->x - ball.x, p->y - ball.y, p->z - ball.z};
        float depth = 0.5f - vec3_length(off);
        assert_true(depth < 0.01f);
        assert_true(p->x <= 2 && p->y >= 0 && p->y <= 2);
        if (depth < TOUCHES_M) continue;
        vec3 n = vec3_scale(off, 1.0f / vec3_length(off));
        float apart = vec3_dot(n, vec3_make(v->x - BALL_SPEED, v->y, v->z));
        assert_true(apart > -0.01f);
        met++;
    }
    base_free(all);
    return met;
}

/* Runs with the ball as a solid that the scene moves, or as a body that is moved each frame. */
static void drops_meet_the_ball(const char *text, bool body)
{
    enum { DROPS = 500, FRAMES = 40 };
    scene_data *scene = make_scene(text, NULL);
    solid_set *solids = NULL;
    OK(solid_set_create(device, scene, 0.05f, &solids));
    whitewater_def def = box_def(0.1f);
    def.max = vec3_make(2, 2, 2);
    def.solids = solids;
    whitewater *whitewater = make_whitewater(&def);
    fluid none = make_fluid(1);
    upload_fluid(&none);
    struct whitewater_particle drops[DROPS];
    uint32_t random = 3;
    for (int i = 0; i < DROPS; i++) {
        vec3 p = {0.3f + 0.1f * noise(&random), 1 + 0.9f * noise(&random),
                  1 + 0.9f * noise(&random)};
        drops[i] = whitewater_at(WHITEWATER_SPRAY, p, vec3_make(4, noise(&random), noise(&random)));
    }
    place_whitewater(whitewater, drops, DROPS);
    uint32_t met = 0;
    const scene_pose start = ball_at(0);
    if (body) whitewater_set_body_poses(whitewater, &start);
    for (uint64_t frame = 1; frame <= FRAMES; frame++) {
        const scene_pose ball = ball_at(frame);
        step_to(whitewater, &none, frame, body ? &ball : NULL);
        assert_int_equal(whitewater_count(whitewater), DROPS);
        met += check_drops(whitewater, ball.position);
    }
    print_message("  %u times a drop touched the ball\n", met);
    assert_true(met > 100);
    whitewater_destroy(&whitewater);
    free_fluid(&none);
    solid_set_destroy(device, &solids);
    scene_destroy(&scene);
}

static void no_drop_enters_a_solid_or_leaves_a_closed_box(void **state)
{
    drops_meet_the_ball(scene_text("whitewater_motion_solid_ball"), false);
}

static void no_drop_enters_a_body_that_moves(void **state)
{
    drops_meet_the_ball(body_ball, true);
}

/* ---- emission ------------------------------------------------------------------------------- */

/* Two streams that shear against each other, in a box without walls. */
static fluid streams(void)
{
    fluid f = make_fluid(2000);
    add_block(&f, (block){{-0.4f, -0.3f, -0.4f}, {0.4f, 0, 0.4f}, {2.5f, 0, 0}, 0.08f, 0.2f});
    add_block(&f, (block){{-0.4f, 0, -0.4f}, {0.4f, 0.3f, 0.4f}, {-2.5f, 0, 0}, 0.08f, 0.2f});
    upload_fluid(&f);
    return f;
}

/* Returns how many particles the same flow emits in `seconds`; emitted particles die at once. */
static double births_at(const fluid *f, int fps, int seconds)
{
    whitewater_def def = open_def(1, 0.08f);
    def.lifetime_s[0] = def.lifetime_s[1] = 1e-6f;
    for (int cause = 0; cause < (int)WHITEWATER_CAUSES; cause++)
        def.factors[cause] = 0.01f;
    whitewater *whitewater = make_whitewater(&def);
    double born = 0;
    for (int frame = 1; frame <= fps * seconds; frame++) {
        step_whitewater(whitewater, f, 1000u + (uint64_t)frame, 1.0f / (float)fps);
        whitewater_counts counts = whitewater_get_counts(whitewater);
        for (uint32_t cause = 0; cause < WHITEWATER_CAUSES; cause++)
            born += counts.emitted[cause];
    }
    whitewater_destroy(&whitewater);
    return born;
}

static void births_do_not_depend_on_the_frame_rate(void **state)
{
    fluid f = streams();
    double slow = births_at(&f, 24, 1), fast = births_at(&f, 120, 1);
    print_message("  born at 24 Hz: %g, at 120 Hz: %g\n", slow, fast);
    assert_true(slow > 5000);
    double scatter = 4.0 * sqrt(slow + fast);
    assert_true(fabs(slow - fast) < fmax(0.02 * slow, scatter));
    free_fluid(&f);
}

static struct whitewater_particle *grow(const fluid *f, uint32_t capacity, uint32_t *count)
{
    whitewater_def def = open_def(1, 0.08f);
    def.capacity = capacity;
    whitewater *whitewater = make_whitewater(&def);
    for (uint64_t frame = 20; frame < 24; frame++)
        step_whitewater(whitewater, f, frame, 1.0f / 60.0f);
    struct whitewater_particle *all = read_whitewater(whitewater);
    *count = whitewater_count(whitewater);
    whitewater_destroy(&whitewater);
    return all;
}

static void capacities_do_not_show(void **state)
{
    fluid f = streams();
    uint32_t small_count, large_count;
    struct whitewater_particle *small = grow(&f, 1, &small_count),
                               *large = grow(&f, 50000, &large_count);
    assert_true(small_count > 500);
    assert_int_equal(small_count, large_count);
    assert_memory_equal(small, large, small_count * sizeof *small);
    base_free(small);
    base_free(large);
    free_fluid(&f);
}

static void at_the_limit_fewer_are_born_everywhere_alike(void **state)
{
    enum { LIMIT = 300 };
    fluid f = streams();
    whitewater_def def = open_def(1, 0.08f);
    def.limit = LIMIT;
    whitewater *whitewater = make_whitewater(&def);
    for (uint64_t frame = 20; frame < 24; frame++) {
        step_whitewater(whitewater, &f, frame, 1.0f / 60.0f);
        assert_true(whitewater_count(whitewater) <= LIMIT);
    }
    assert_true(whitewater_count(whitewater) > LIMIT / 2);
    struct whitewater_particle *all = read_whitewater(whitewater);
    uint32_t left = 0;
    for (uint32_t i = 0; i < whitewater_count(whitewater); i++)
        left += all[i].position.z < 0;
    assert_in_range(left, whitewater_count(whitewater) / 3, 2 * whitewater_count(whitewater) / 3);
    base_free(all);
    whitewater_destroy(&whitewater);
    free_fluid(&f);
}

/* Refuses new blocks to the library, so what the device requests fails as if memory were
   exhausted. */
static void *resize_no_more(void *user, void *memory, size_t size)
{
    (void)user;
    if (size == 0) free(memory);
    return size == 0 || !memory ? NULL : realloc(memory, size);
}

static char told[2048];

static void keep_told(void *user, weir_log_level level, const char *text)
{
    size_t used = strlen(told);
    (void)user;
    if (level == WEIR_LOG_WARNING) snprintf(told + used, sizeof told - used, "%s\n", text);
}

/* The capacity reached so far is the limit from then on. */
static void without_memory_there_is_a_cap_and_a_warning(void **state)
{
    enum { ROOM = 300 };
    const base_allocator full = {resize_no_more, NULL};
    const weir_log before = device->log;
    fluid f = streams();
    whitewater_def def = open_def(1, 0.08f);
    def.capacity = ROOM;
    whitewater *whitewater = make_whitewater(&def);
    step_whitewater(whitewater, &f, 1, 1e-3f); /* too early to emit; allocates for the fluid */
    device->log = (weir_log){.write = keep_told, .level = WEIR_LOG_WARNING};
    base_allocator_set(&full);
    for (uint64_t frame = 20; frame < 24; frame++) {
        step_whitewater(whitewater, &f, frame, 1.0f / 60.0f);
        assert_true(whitewater_count(whitewater) <= ROOM);
    }
    base_allocator_set(NULL);
    device->log = before;
    assert_true(whitewater_count(whitewater) > ROOM / 2);
    print_message("  %s", told);
    assert_non_null(
        strstr(told, " whitewater particles: from now on there are at most 300, and the emission "
                     "rate is reduced everywhere; lower whitewater.emission_rate"));
    assert_null(strstr(strstr(told, "at most 300") + 1, "at most")); /* once */
    whitewater_destroy(&whitewater);
    free_fluid(&f);
}

static uint32_t runs_of(const whitewater *whitewater, int table)
{
    return gpu_timers_pass_time(whitewater->pass_lists[table].timers, WHITEWATER_MAX_PASSES).calls;
}

/* Capacity for one particle at first; then a limit that is soon reached. */
static void without_room_only_births_run_again(void **state)
{
    enum { FRAMES = 4 };
    fluid f = streams();
    whitewater_def defs[2] = {open_def(1, 0.08f), open_def(1, 0.08f)};
    defs[0].capacity = 1;
    defs[1].limit = 300;
    gpu_device_time_passes(device, true);
    for (size_t i = 0; i < BASE_COUNT(defs); i++) {
        whitewater *whitewater = make_whitewater(&defs[i]);
        for (uint64_t frame = 20; frame < 20 + FRAMES; frame++)
            step_whitewater(whitewater, &f, frame, 1.0f / 60.0f);
        assert_int_equal(runs_of(whitewater, WHITEWATER_MOTION), FRAMES);
        assert_true(runs_of(whitewater, WHITEWATER_EMISSION) > FRAMES);
        whitewater_destroy(&whitewater);
    }
    gpu_device_time_passes(device, false);
    free_fluid(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spray_falls_as_in_a_vacuum),
        cmocka_unit_test(spray_reaches_its_terminal_speed),
        cmocka_unit_test(bubbles_rise_as_fast_as_asked_at_any_frame_rate),
        cmocka_unit_test(whitewater_keeps_its_circle_in_a_vortex),
        cmocka_unit_test(no_drop_enters_a_solid_or_leaves_a_closed_box),
        cmocka_unit_test(no_drop_enters_a_body_that_moves),
        cmocka_unit_test(births_do_not_depend_on_the_frame_rate),
        cmocka_unit_test(capacities_do_not_show),
        cmocka_unit_test(at_the_limit_fewer_are_born_everywhere_alike),
        cmocka_unit_test(without_memory_there_is_a_cap_and_a_warning),
        cmocka_unit_test(without_room_only_births_run_again),
    };
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
