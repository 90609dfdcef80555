/* Colours of particles by their attributes: on a scale, as the colour itself, and by names that the
 * particles do not have. */
#define _XOPEN_SOURCE 700
#include "api_support.h"

#include "weir/attributes.h"
#include "weir/render.h"

#define COUNT 64u
#define SIZE 96u

static float positions[3 * COUNT], tints[3 * COUNT], heats[COUNT];

/* A layer of particles in front of the camera: the left half hot and red, the right half cold and
 * blue. */
static weir_points *make_points(weir_device *device)
{
    weir_points_def def = weir_points_def_default();
    weir_points *points;
    const weir_attribute_values attributes[] = {{"heat", 1, 1, heats}, {"tint", 3, 3, tints}};
    for (uint32_t i = 0; i < COUNT; i++) {
        const bool left = i % 8 < 4;
        positions[3 * i] = 0.1f * ((float)(i % 8) - 3.5f);
        positions[3 * i + 1] = 0.1f * ((float)(i / 8) - 3.5f);
        tints[3 * i] = left ? 1.0f : 0.0f;
        tints[3 * i + 2] = left ? 0.0f : 1.0f;
        heats[i] = left ? 350.0f : 290.0f;
    }
    def.count = COUNT;
    def.spacing_m = 0.1f;
    def.position = positions;
    def.attributes = attributes;
    def.attribute_count = 2;
    if (weir_points_create(device, &def, &points) != WEIR_OK) fail_msg("%s", logged);
    return points;
}

static weir_camera make_view(const char *attribute, weir_render_mode mode)
{
    weir_camera view = weir_camera_default(NULL);
    const float eye[3] = {0, 0, 2}, target[3] = {0, 0, 0};
    memcpy(view.eye, eye, sizeof eye);
    memcpy(view.target, target, sizeof target);
    view.width = view.height = SIZE;
    view.mode = mode;
    view.colouring = WEIR_COLOURING_ATTRIBUTE;
    view.colour_map = WEIR_COLOUR_MAP_COOLWARM;
    view.attribute = attribute;
    view.shadows = view.legend = false;
    return view;
}

/* Returns the mean of red minus blue over the pixels in the middle of a half. */
static double red_minus_blue(const uint8_t *pixels, bool left)
{
    double sum = 0.0;
    for (uint32_t y = SIZE / 3; y < 2 * SIZE / 3; y++)
        for (uint32_t k = 0; k < SIZE / 8; k++) {
            const uint8_t *p = pixels + 4 * (y * SIZE + (left ? SIZE / 3 : SIZE * 13 / 24) + k);
            sum += (double)p[0] - (double)p[2];
        }
    return sum / (SIZE / 3.0 * (SIZE / 8.0));
}

static void attributes_are_shown_on_a_scale_or_as_colours(void **state)
{
    static const char *const names[] = {NULL, "heat", "tint", "tint_x"};
    static const weir_render_mode modes[] = {WEIR_RENDER_MODE_PARTICLES,
                                             WEIR_RENDER_MODE_ELLIPSOIDS, WEIR_RENDER_MODE_SURFACE};
    fixture *f = *state;
    weir_renderer *renderer;
    weir_renderer_def def = weir_renderer_def_default();
    weir_points *points = make_points(f->device);
    assert_int_equal(weir_renderer_create(f->device, &def, &renderer), WEIR_OK);
    for (size_t i = 0; i < 12; i++) {
        const char *name = names[i % 4];
        const weir_camera view = make_view(name, modes[i / 4]);
        weir_image *image = NULL;
        const uint8_t *pixels;
        uint32_t width, height;
        if (weir_render_points(renderer, points, &view, &image) != WEIR_OK) fail_msg("%s", logged);
        assert_int_equal(weir_image_read(image, &width, &height, &pixels), WEIR_OK);
        const double left = red_minus_blue(pixels, true), right = red_minus_blue(pixels, false);
        /* a thin layer of fluid has a light colour, and a blue backdrop */
        bool surface = modes[i / 4] == WEIR_RENDER_MODE_SURFACE;
        print_message("  %d %s: %.1f, %.1f\n", (int)modes[i / 4], name ? name : "first", left,
                      right);
        if (surface ? !(left - right > 15.0) : !(left > 40.0 && right < -40.0))
            fail_msg("%s, mode %d: red minus blue is %g and %g", name ? name : "first",
                     (int)modes[i / 4], left, right);
        weir_image_destroy(&image);
    }
    const weir_camera view = make_view("heats", WEIR_RENDER_MODE_SURFACE);
    weir_image *image = NULL;
    assert_int_equal(weir_render_points(renderer, points, &view, &image), WEIR_ERROR_ARGUMENT);
    assert_logged(
        "the particles have no attribute \"heats\" to be coloured by: they have heat, tint");
    weir_image_destroy(&image);
    weir_points_release(&points);
    weir_renderer_destroy(&renderer);
}

/* A fluid whose colour follows an attribute needs no other colouring. */
static void a_curve_colours_the_fluid(void **state)
{
    static const char text[] =
        "{\"spacing\": 0.1, \"domain\": {\"min\": [-1, -1, -1], \"max\": [1, 1, 1]}, "
        "\"attributes\": "
        "[{\"name\": \"heat\"}], \"fluids\": [{\"name\": \"wax\", \"colour\": [0, 1, 0], "
        "\"colour_curve\": {\"attribute\": \"heat\", \"points\": [{\"value\": 300, \"colour\": [0, "
        "0, 1]}, {\"value\": 340, \"colour\": [1, 0, 0]}]}, \"fill\": {\"shape\": {\"sphere\": "
        "{\"radius\": 0.3}}}}], \"look\": {\"absorption_length\": 0.2}}";
    static const weir_render_mode modes[] = {WEIR_RENDER_MODE_PARTICLES, WEIR_RENDER_MODE_SURFACE};
    fixture *f = *state;
    weir_scene *scene;
    weir_renderer *renderer;
    weir_renderer_def def = weir_renderer_def_default();
    weir_points *points = make_points(f->device);
    if (weir_scene_parse(text, sizeof text - 1, NULL, &scene) != WEIR_OK) fail_msg("%s", logged);
    def.scene = scene;
    assert_int_equal(weir_renderer_create(f->device, &def, &renderer), WEIR_OK);
    for (size_t i = 0; i < 2; i++) {
        weir_camera view = make_view(NULL, modes[i]);
        weir_image *image = NULL;
        const uint8_t *pixels;
        uint32_t width, height;
        view.colouring = WEIR_COLOURING_FLUID;
        if (weir_render_points(renderer, points, &view, &image) != WEIR_OK) fail_msg("%s", logged);
        assert_int_equal(weir_image_read(image, &width, &height, &pixels), WEIR_OK);
        const double left = red_minus_blue(pixels, true), right = red_minus_blue(pixels, false);
        print_message("  %d: %.1f, %.1f\n", (int)modes[i], left, right);
        if (!(left - right > 60.0)) fail_msg("red minus blue is %g and %g", left, right);
        weir_image_destroy(&image);
    }
    weir_points_release(&points);
    weir_renderer_destroy(&renderer);
    weir_scene_destroy(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attributes_are_shown_on_a_scale_or_as_colours),
        cmocka_unit_test(a_curve_colours_the_fluid),
    };
    return cmocka_run_group_tests(tests, open_fixture, close_fixture);
}
