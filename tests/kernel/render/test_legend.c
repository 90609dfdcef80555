/* The legend: colour maps have their published colours, ticks are round numbers, and the bar and
 * the text are where the parameters say. */
#include "legend_font.h"
#include "render_support.h"

static void colour_maps_have_their_published_ends_and_middles(void **state)
{
    static const struct {
        weir_colour_map map;
        uint32_t low, middle, high; /* red, green, blue */
    } cases[] = {{WEIR_COLOUR_MAP_VIRIDIS, 0x440154, 0x21918c, 0xfde725},
                 {WEIR_COLOUR_MAP_INFERNO, 0x000004, 0xbc3754, 0xfcffa4},
                 {WEIR_COLOUR_MAP_CIVIDIS, 0x00224e, 0x7d7c78, 0xfee838},
                 {WEIR_COLOUR_MAP_COOLWARM, 0x3b4cc0, 0xdddcdc, 0xb40426}};
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        const uint32_t wanted[] = {cases[i].low, cases[i].middle, cases[i].high};
        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t got = render_colour_map_entry(cases[i].map, 16 * k);
            for (uint32_t c = 0; c < 3; c++)
                assert_true(
                    abs((int)(got >> 8 * c & 255u) - (int)(wanted[k] >> (16 - 8 * c) & 255u)) <= 1);
        }
    }
}

static void ticks_are_round_numbers_inside_the_range(void **state)
{
    static const struct {
        double low, high, first, step;
        uint32_t count;
    } cases[] = {{0.03, 3.41, 1, 1, 3},
                 {-5.0000001, 5, -4, 2, 5},
                 {0, 0.05, 0, 0.01, 6},
                 {1200, 3100, 1500, 500, 4},
                 {2, 2, 0, 0, 0}};
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        const render_legend legend = {.low = cases[i].low, .high = cases[i].high};
        double values[8];
        assert_int_equal(render_legend_ticks(&legend, values), cases[i].count);
        for (uint32_t k = 0; k < cases[i].count; k++)
            assert_true(fabs(values[k] - cases[i].first - k * cases[i].step) < 1e-9);
    }
}

static void each_quantity_has_its_title_unit_and_map(void **state)
{
    const render_look look = plain_look();
    renderer *r = make_renderer(&look, NULL);
    weir_camera view = make_view(640, 360);
    view.mode = WEIR_RENDER_MODE_PARTICLES;
    view.colouring = WEIR_COLOURING_SPEED;
    render_legend legend = render_legend_make(r, &view, 0.5f, 2.0f);
    assert_string_equal(legend.title, "Speed");
    assert_string_equal(legend.unit, "m/s");
    assert_true(legend.low == 0.5 && legend.high == 2.0);
    assert_int_equal(legend.map, WEIR_COLOUR_MAP_VIRIDIS);
    view.colouring = WEIR_COLOURING_DENSITY;
    legend = render_legend_make(r, &view, -0.25f, 0.25f);
    assert_string_equal(legend.unit, "%");
    assert_true(legend.low == -25.0 && legend.high == 25.0);
    assert_int_equal(legend.map, WEIR_COLOUR_MAP_COOLWARM);
    view.colour_map = WEIR_COLOUR_MAP_INFERNO;
    assert_int_equal(render_legend_make(r, &view, 0, 1).map, WEIR_COLOUR_MAP_INFERNO);
    view.mode = WEIR_RENDER_MODE_SURFACE;
    assert_null(render_legend_make(r, &view, 0, 1).title);
    render_destroy(&r);
}

static void the_bar_spans_the_map_and_letters_are_drawn(void **state)
{
    const render_look look = plain_look();
    renderer *r = make_renderer(&look, NULL);
    weir_camera view = make_view(800, 640); /* text of 20 pixels */
    struct render_params params = {.range_low = 0.0f, .range_high = 3.0f};
    view.mode = WEIR_RENDER_MODE_PARTICLES;
    view.colouring = WEIR_COLOURING_SPEED;
    OK(render_legend_prepare(r, &view, 0, &params));
    const uvec4 at = params.legend;
    assert_true(at.x == 20 && at.y + at.w + 20 == 640 && at.z < 640);
    const uint32_t *pixels = gpu_buffer_map(r->legends[0]);
    const uint32_t row = (uint32_t)(20 * (0.7f + 1.3f) + 4), left = 14, width = 300;
    const uint32_t ends[] = {pixels[row * at.z + left], pixels[row * at.z + left + width - 1]};
    for (uint32_t k = 0; k < 2; k++)
        for (uint32_t c = 0; c < 24; c += 8)
            assert_true(abs((int)(ends[k] >> c & 255u) -
                            (int)(render_colour_map_entry(WEIR_COLOUR_MAP_VIRIDIS, 32 * k) >> c &
                                  255u)) <= 2);
    uint32_t bright = 0;
    for (uint32_t i = 0; i < at.z * (row - 10); i++)
        bright += (pixels[i] & 255u) > 200;
    const uint32_t size = legend_font_size(20);
    if (size) assert_true(bright > 60 && bright < at.z * (row - 10) / 10);
    if (size) assert_true(legend_text_width(size, "mm") > 2 * legend_text_width(size, "i"));
    if (size)
        assert_int_equal(legend_text_width(size, "mm\u00b2"),
                         legend_text_width(size, "mm") + legend_text_width(size, "\u00b2"));
    view.width = view.height = 200; /* the legend would cover it */
    OK(render_legend_prepare(r, &view, 0, &params));
    assert_int_equal(params.legend.z, 0);
    view.width = 800;
    view.height = 640;
    view.legend = false;
    OK(render_legend_prepare(r, &view, 0, &params));
    assert_int_equal(params.legend.z, 0);
    render_destroy(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colour_maps_have_their_published_ends_and_middles),
        cmocka_unit_test(ticks_are_round_numbers_inside_the_range),
        cmocka_unit_test(each_quantity_has_its_title_unit_and_map),
        cmocka_unit_test(the_bar_spans_the_map_and_letters_are_drawn),
    };
    return cmocka_run_group_tests(tests, open_validated_device, close_device);
}
