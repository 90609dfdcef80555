/* Tests the overlay's shaders against their reference, and rejected overlays. */
#include "overlay.h"
#include "ref_overlay.h"
#include "validation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define OK(call) assert_int_equal((call), WEIR_OK)
#define WIDTH 157u
#define HEIGHT 91u
#define RECTANGLES 400u
#define FONT_WIDTH 13u
#define FONT_HEIGHT 7u

static gpu_device *device;
static render_overlay *overlay;
static gpu_image *picture;
static uint8_t before[WIDTH * HEIGHT * 4], after[WIDTH * HEIGHT * 4], wanted[WIDTH * HEIGHT * 4];
static uint8_t font[FONT_WIDTH * FONT_HEIGHT * 4];
static weir_overlay_vertex vertices[4 * RECTANGLES];
static uint16_t indices[6 * RECTANGLES];
static weir_overlay_draw draws[RECTANGLES];

static void print_problem(void *user, weir_log_level level, const char *text)
{
    (void)user, (void)level;
    print_error("  %s\n", text);
}

static int open_device(void **state)
{
    weir_device_def def = weir_device_def_default();
    def.log = (weir_log){.write = print_problem, .level = WEIR_LOG_WARNING};
    def.cache_folder = "";
    ask_for_validation(&def);
    OK(gpu_device_create(&def, &device));
    OK(render_overlay_create(device, &overlay));
    OK(gpu_image_create(device, &(gpu_image_def){"picture", GPU_RGBA8, WIDTH, HEIGHT}, &picture));
    return 0;
}

static int close_device(void **state)
{
    render_overlay_destroy(device, &overlay);
    gpu_image_destroy(device, &picture);
    uint32_t complaints = gpu_device_validation_count(device);
    gpu_device_destroy(&device);
    return complaints ? -1 : 0;
}

static float random_between(uint32_t i, uint32_t k, float low, float high)
{
    return low + (high - low) * base_hash_to_unit(16ull * i + k);
}

/* Each rectangle is its own draw with its own clip; some extend past the picture. Edges lie between
 * pixel centres, where coverage is unambiguous. */
static weir_overlay make_drawing(uint32_t count)
{
    static const uint16_t corners[] = {0, 1, 2, 0, 2, 3};
    for (uint32_t i = 0; i < count; i++) {
        float x = floorf(random_between(i, 0, -20, WIDTH)),
              y = floorf(random_between(i, 1, -20, HEIGHT));
        float w = 1 + floorf(random_between(i, 2, 0, 40)),
              h = 1 + floorf(random_between(i, 3, 0, 40));
        float u = random_between(i, 4, 0, 0.6f), v = random_between(i, 5, 0, 0.6f);
        uint32_t colour = (uint32_t)base_hash_mix64(i);
        const weir_overlay_vertex rectangle[4] = {
            {x, y, u, v, colour},
            {x + w, y, u + 0.4f, v, colour},
            {x + w, y + h, u + 0.4f, v + 0.4f, colour},
            {x, y + h, u, v + 0.4f, colour},
        };
        memcpy(vertices + 4 * i, rectangle, sizeof rectangle);
        memcpy(indices + 6 * i, corners, sizeof corners);
        float left = floorf(random_between(i, 6, 0, WIDTH / 2)),
              top = floorf(random_between(i, 7, 0, HEIGHT / 2));
        draws[i] = (weir_overlay_draw){6 * i, 6, 4 * i, {left, top, left + 90, top + 60}};
    }
    return (weir_overlay){.vertices = vertices,
                          .indices = indices,
                          .draws = draws,
                          .vertex_count = 4 * count,
                          .index_count = 6 * count,
                          .draw_count = count,
                          .font = font,
                          .font_width = FONT_WIDTH,
                          .font_height = FONT_HEIGHT};
}

static void paint(void)
{
    for (size_t i = 0; i < sizeof before; i++)
        before[i] = i % 4 == 3 ? 255 : (uint8_t)(i * 7);
    for (size_t i = 0; i < sizeof font; i++)
        font[i] = i == 0 ? 255 : (uint8_t)base_hash_mix64(i);
    memcpy(wanted, before, sizeof wanted);
    OK(gpu_image_upload(device, picture, before));
}

static void the_shaders_are_their_reference(void **state)
{
    static const uint32_t counts[] = {0, 1, 63, 64, 65, RECTANGLES};
    for (size_t c = 0; c < BASE_COUNT(counts); c++) {
        paint();
        weir_overlay drawing = make_drawing(counts[c]);
        drawing.font_version = (uint32_t)c; /* the font may change from call to call */
        ref_overlay(&drawing, &(ref_picture){WIDTH, HEIGHT, wanted});
        OK(render_overlay_draw(device, overlay, &drawing, picture));
        OK(gpu_image_download(device, picture, after));
        /* One rounding in 255 for each of several overlapping layers. */
        for (size_t i = 0; i < sizeof after; i++)
            if (i % 4 != 3) assert_in_range(after[i] + 4, wanted[i], wanted[i] + 8);
        assert_int_equal(memcmp(after, before, sizeof after) == 0, counts[c] == 0);
    }
}

static void drawings_under_way_do_not_disturb_each_other(void **state)
{
    paint();
    for (uint32_t i = 0; i < 8; i++) { /* more than the slots, without waiting */
        weir_overlay drawing = make_drawing(20 + i);
        ref_overlay(&drawing, &(ref_picture){WIDTH, HEIGHT, wanted});
        OK(render_overlay_draw(device, overlay, &drawing, picture));
        /* the caller's arrays are only valid during the call */
        memset(vertices, 0, sizeof vertices);
    }
    OK(gpu_image_download(device, picture, after));
    /* The same rectangles overlap eight times, with one rounding each. */
    for (size_t i = 0; i < sizeof after; i++)
        if (i % 4 != 3) assert_in_range(after[i] + 12, wanted[i], wanted[i] + 24);
}

static void draws_past_the_arrays_are_refused(void **state)
{
    for (uint32_t i = 0; i < 3; i++) {
        paint();
        weir_overlay drawing = make_drawing(2);
        if (i == 0) draws[1].first = 8;
        if (i == 1) draws[1].vertex_offset = 6;
        if (i == 2) draws[0].count = UINT32_MAX - 2;
        assert_int_equal(render_overlay_draw(device, overlay, &drawing, picture),
                         WEIR_ERROR_ARGUMENT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_shaders_are_their_reference),
        cmocka_unit_test(drawings_under_way_do_not_disturb_each_other),
        cmocka_unit_test(draws_past_the_arrays_are_refused),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
