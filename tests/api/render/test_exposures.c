/* Pictures averaged over several exposures: motion blurs while the shutter is open, and a lens
   is sharp at the distance of its target. */
#define _POSIX_C_SOURCE 200809L
#include "api_support.h"

#define OK(call) assert_int_equal((call), WEIR_OK)
#define WIDTH 201u
#define HEIGHT 101u
#define DISTANCE 5.0f /* from the eye to the target, m */

/* Looks along z, at nothing but particles. */
static weir_camera plain_view(void)
{
    weir_camera view = weir_camera_default(NULL);
    for (int k = 0; k < 3; k++)
        view.eye[k] = view.target[k] = 0.0f;
    view.eye[2] = DISTANCE;
    view.fov_y_degrees = 40.0f;
    view.width = WIDTH;
    view.height = HEIGHT;
    view.mode = WEIR_RENDER_MODE_PARTICLES;
    view.transparent = true;
    view.shadows = false;
    return view;
}

/* Returns the pixels per metre at the target's distance. */
static double pixels_per_metre(void)
{
    return 0.5 * HEIGHT / ((double)DISTANCE * tan(20.0 * 0.017453292519943295));
}

/* Draws particles 0.2 m wide. Release with free. */
static uint8_t *draw(fixture *f, const float *positions, const float *velocities, uint32_t count,
                     const weir_camera *view)
{
    weir_renderer *renderer = NULL;
    weir_points *points = NULL;
    weir_image *image = NULL;
    uint32_t width, height;
    const uint8_t *pixels;
    const weir_renderer_def def = weir_renderer_def_default();
    weir_points_def given = weir_points_def_default();
    given.count = count;
    given.spacing_m = 0.2f;
    given.position = positions;
    given.velocity = velocities;
    OK(weir_points_create(f->device, &given, &points));
    OK(weir_renderer_create(f->device, &def, &renderer));
    OK(weir_render_points(renderer, points, view, &image));
    OK(weir_image_read(image, &width, &height, &pixels));
    uint8_t *copy = malloc(4ul * WIDTH * HEIGHT);
    assert_non_null(copy);
    memcpy(copy, pixels, 4ul * WIDTH * HEIGHT);
    /* contains no light of the first picture */
    OK(weir_render_points(renderer, points, view, &image));
    OK(weir_image_read(image, &width, &height, &pixels));
    assert_memory_equal(copy, pixels, 4ul * WIDTH * HEIGHT);
    weir_image_destroy(&image);
    weir_renderer_destroy(&renderer);
    weir_points_release(&points);
    return copy;
}

/* Counts the columns in [first, last) with any visible content. */
static uint32_t columns(const uint8_t *pixels, uint32_t first, uint32_t last)
{
    uint32_t count = 0;
    for (uint32_t x = first; x < last; x++) {
        bool any = false;
        for (uint32_t y = 0; y < HEIGHT; y++)
            any = any || pixels[4 * (y * WIDTH + x) + 3] > 0;
        count += any;
    }
    return count;
}

static void what_moves_is_as_long_as_its_way_while_the_shutter_is_open(void **state)
{
    fixture *f = *state;
    static const float place[3] = {0}, velocity[3] = {2.0f, 0.0f, 0.0f};
    weir_camera view = plain_view();
    uint8_t *still = draw(f, place, velocity, 1, &view);
    view.shutter_s = 0.5f;
    uint8_t *blurred = draw(f, place, velocity, 1, &view),
            *again = draw(f, place, velocity, 1, &view);
    double longer = columns(blurred, 0, WIDTH) - (double)columns(still, 0, WIDTH);
    print_message("  longer by %g pixels, expected %g\n", longer, pixels_per_metre());
    assert_true(fabs(longer - pixels_per_metre()) <= 2.0); /* 2 m/s for 0.5 s */
    assert_memory_equal(blurred, again, 4ul * WIDTH * HEIGHT);
    free(still);
    free(blurred);
    free(again);
}

static void a_lens_is_sharp_at_its_targets_distance(void **state)
{
    fixture *f = *state;
    static const float places[6] = {0.0f, 0.0f, 0.0f, 0.9f, 0.0f, -DISTANCE};
    weir_camera view = plain_view();
    const uint32_t between = WIDTH / 2 + 6;
    uint8_t *sharp = draw(f, places, NULL, 2, &view);
    view.aperture_m = 0.5f;
    uint8_t *blurred = draw(f, places, NULL, 2, &view);
    double near = columns(blurred, 0, between) - (double)columns(sharp, 0, between);
    double far = columns(blurred, between, WIDTH) - (double)columns(sharp, between, WIDTH);
    /* At twice the focus distance, a point is half as wide as the lens at the target. */
    double expected = 0.25 * pixels_per_metre();
    print_message("  wider by %g and %g pixels, expected 0 and %g\n", near, far, expected);
    assert_true(fabs(near) <= 1.0 && fabs(far - expected) <= 2.0);
    free(sharp);
    free(blurred);
}

static void refuse(weir_renderer *renderer, const weir_camera *view, const char *words)
{
    weir_image *image = NULL;
    assert_int_equal(weir_render_points(renderer, NULL, view, &image), WEIR_ERROR_ARGUMENT);
    assert_logged(words);
}

static void what_no_camera_has_is_refused(void **state)
{
    fixture *f = *state;
    weir_renderer *renderer = NULL;
    const weir_renderer_def def = weir_renderer_def_default();
    OK(weir_renderer_create(f->device, &def, &renderer));
    weir_camera view = plain_view();
    view.accumulation_samples = 0;
    refuse(renderer, &view, "the view's exposures is 0, expected 1 to 256");
    view = plain_view();
    view.aperture_m = -1.0f;
    refuse(renderer, &view, "the view's aperture_m is -1, expected 0 to 1000");
    view = plain_view();
    view.shutter_s = 11.0f;
    refuse(renderer, &view, "the view's shutter_s is 11, expected 0 to 10");
    weir_renderer_destroy(&renderer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_moves_is_as_long_as_its_way_while_the_shutter_is_open),
        cmocka_unit_test(a_lens_is_sharp_at_its_targets_distance),
        cmocka_unit_test(what_no_camera_has_is_refused),
    };
    return cmocka_run_group_tests(tests, open_fixture, close_fixture);
}
