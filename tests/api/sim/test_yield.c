/* A program draws while a frame is computed (weir_sim_set_yield): the frame has the same bits, and
   calls of the simulation are refused meanwhile. Shapes and shadows that a renderer uses again give
   the same pictures as computed ones. */
#define _XOPEN_SOURCE 700
#include "api_support.h"

#include "weir/profile.h"
#include "weir/render.h"
#include "weir/sim.h"

#define OK(call) assert_int_equal((call), WEIR_OK)
#define FRAMES 2
#define WIDTH 96u
#define HEIGHT 54u
#define BYTES (4ul * WIDTH * HEIGHT)

static const char scene[] =
    "{\"spacing\": 0.04, \"frame_rate\": 60, \"domain\": {\"min\": [0, 0, 0], \"max\": [0.8, 0.5, "
    "0.3]}, \"solver\": {\"substeps\": 4}, \"solids\": [{\"name\": \"post\", \"shape\": {\"box\": "
    "{\"min\": [0.5, 0, 0.1], \"max\": [0.6, 0.3, 0.2]}}}], \"fluids\": [{\"name\": \"water\", "
    "\"fill\": {\"shape\": {\"box\": {\"min\": [0, 0, 0], \"max\": [0.3, 0.4, 0.3]}}}}]}";

typedef struct meanwhile {
    weir_sim *sim;
    weir_renderer *renderer;
    weir_points *points;
    weir_image *image;
    weir_camera view;
    uint32_t calls, refused;
} meanwhile;

static weir_camera view_from(float x)
{
    weir_camera view = weir_camera_default(NULL);
    const float eye[3] = {x, 0.5f, 1.6f}, target[3] = {0.4f, 0.15f, 0.15f};
    memcpy(view.eye, eye, sizeof eye);
    memcpy(view.target, target, sizeof target);
    view.width = WIDTH;
    view.height = HEIGHT;
    return view;
}

/* Tries what is not allowed and, at every 16th call, draws from a camera that moves. */
static void draw_meanwhile(void *user)
{
    meanwhile *m = user;
    weir_stats stats;
    m->view.eye[0] += 0.005f;
    if (m->calls++ % 16 == 0) OK(weir_render_points(m->renderer, m->points, &m->view, &m->image));
    m->refused += weir_sim_step(m->sim, 0) == WEIR_ERROR_ARGUMENT;
    m->refused += weir_sim_wait(m->sim) == WEIR_ERROR_ARGUMENT;
    m->refused += weir_sim_get_stats(m->sim, &stats) == WEIR_ERROR_ARGUMENT;
}

static void run_frames(weir_sim *sim)
{
    for (int i = 0; i < FRAMES; i++) {
        OK(weir_sim_step(sim, 0));
        OK(weir_sim_wait(sim));
    }
}

static void a_frame_that_yields_has_the_same_bits(void **state)
{
    fixture *f = *state;
    weir_sim *sim = simulate_scene(f, scene);
    run_frames(sim);
    uint64_t plain = hash_of(sim);
    sim = simulate_scene(f, scene);
    meanwhile m = {.sim = sim, .view = view_from(0.2f)};
    OK(weir_renderer_create(f->device, NULL, &m.renderer));
    OK(weir_sim_acquire_points(sim, &m.points));
    assert_int_equal(weir_sim_set_yield(sim, draw_meanwhile, &m, 0), WEIR_ERROR_ARGUMENT);
    OK(weir_sim_set_yield(sim, draw_meanwhile, &m, 1e-6)); /* after each part of a pass */
    weir_device_set_pass_timing(f->device, true); /* each picture computes the shapes again */
    run_frames(sim);
    assert_true(m.calls > 16 * FRAMES);
    assert_int_equal(m.refused, 3 * m.calls);
    OK(weir_sim_set_yield(sim, NULL, NULL, 0));
    weir_device_set_pass_timing(f->device, false);
    uint32_t calls = m.calls;
    assert_true(hash_of(sim) == plain);
    OK(weir_sim_step(sim, 0));
    OK(weir_sim_wait(sim));
    assert_int_equal(m.calls, calls);
    weir_image_destroy(&m.image);
    weir_points_release(&m.points);
    weir_renderer_destroy(&m.renderer);
}

/* Draws with the renderer, or with a new one for NULL. */
static void draw(fixture *f, weir_renderer *renderer, const weir_points *points,
                 const weir_camera *view, uint8_t *out)
{
    weir_image *image = NULL;
    weir_renderer *made = NULL;
    uint32_t width, height;
    const uint8_t *pixels;
    if (!renderer) OK(weir_renderer_create(f->device, NULL, &made));
    OK(weir_render_points(renderer ? renderer : made, points, view, &image));
    OK(weir_image_read(image, &width, &height, &pixels));
    memcpy(out, pixels, BYTES);
    weir_image_destroy(&image);
    weir_renderer_destroy(&made);
}

static void what_is_used_again_looks_like_new(void **state)
{
    fixture *f = *state;
    static uint8_t again[BYTES], fresh[BYTES], first[BYTES];
    weir_renderer *renderer = NULL;
    weir_sim *sim = simulate_scene(f, scene);
    OK(weir_renderer_create(f->device, NULL, &renderer));
    for (int i = 0; i < 3; i++) {
        weir_points *points = NULL;
        weir_camera left = view_from(0.1f), right = view_from(0.7f);
        right.mode = i == 1 ? WEIR_RENDER_MODE_ELLIPSOIDS : WEIR_RENDER_MODE_SURFACE;
        OK(weir_sim_acquire_points(sim, &points));
        draw(f, renderer, points, &left, first);
        draw(f, renderer, points, &right, again);
        draw(f, NULL, points, &right, fresh);
        assert_memory_equal(again, fresh, BYTES);
        draw(f, NULL, points, &left, fresh); /* with the shapes and shadows of this frame */
        assert_memory_equal(first, fresh, BYTES);
        weir_points_release(&points);
        for (int k = 0; k < 6; k++)
            OK(weir_sim_step(sim, 0));
    }
    weir_renderer_destroy(&renderer);
}

/* A draft is another picture, but one of the same fluid. */
static void a_draft_is_close_to_the_picture(void **state)
{
    fixture *f = *state;
    static uint8_t whole[BYTES], draft[BYTES];
    weir_points *points = NULL;
    weir_sim *sim = simulate_scene(f, scene);
    weir_camera view = view_from(0.3f);
    for (int k = 0; k < 10; k++)
        OK(weir_sim_step(sim, 0));
    OK(weir_sim_acquire_points(sim, &points));
    draw(f, NULL, points, &view, whole);
    view.draft = true;
    draw(f, NULL, points, &view, draft);
    double sum = 0;
    for (size_t i = 0; i < BYTES; i++)
        sum += fabs((double)whole[i] - (double)draft[i]);
    assert_true(memcmp(whole, draft, BYTES) != 0);
    assert_true(sum / BYTES < 2.0);
    weir_points_release(&points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_frame_that_yields_has_the_same_bits, open_fixture,
                                        close_fixture),
        cmocka_unit_test_setup_teardown(what_is_used_again_looks_like_new, open_fixture,
                                        close_fixture),
        cmocka_unit_test_setup_teardown(a_draft_is_close_to_the_picture, open_fixture,
                                        close_fixture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
