/* Ranges of colours are percentiles of the values, and a film's do not shrink. */
#include "api_support.h"
#include "renderer_internal.h"

#define OK(call) assert_int_equal((call), WEIR_OK)

static void percentiles_ignore_a_few_extreme_values(void **state)
{
    enum { COUNT = 2001 };
    static float values[COUNT];
    const float robust[] = {1, 99}, all[] = {0, 100}, quartiles[] = {25, 75};
    float range[2];
    for (uint32_t i = 0; i < COUNT; i++)
        values[i] = (float)(i * 1231 % 2000) / 1000.0f; /* 0 to 2, in any order */
    values[1000] = 1e6f;
    OK(api_percentiles(NULL, values, COUNT, robust, range));
    assert_true(fabsf(range[0] - 0.02f) < 2e-3f && fabsf(range[1] - 1.98f) < 2e-3f);
    OK(api_percentiles(NULL, values, COUNT, quartiles, range));
    assert_true(fabsf(range[0] - 0.5f) < 2e-3f && fabsf(range[1] - 1.5f) < 2e-3f);
    OK(api_percentiles(NULL, values, COUNT, all, range));
    assert_true(range[0] < 1e-3f && fabsf(range[1] - 1e6f) < 1.0f);
    OK(api_percentiles(NULL, values, 1, robust, range));
    assert_true(range[0] == values[0] && range[1] == values[0]);
    OK(api_percentiles(NULL, values, 0, robust, range));
    assert_true(range[0] == 0 && range[1] == 0);
}

/* Points with speeds from 0 to `fastest`, one of them 100 times as fast. */
static weir_points *make_points(const fixture *f, float fastest)
{
    enum { COUNT = 400 };
    static float positions[3 * COUNT], velocities[3 * COUNT];
    weir_points *points = NULL;
    weir_points_def def = weir_points_def_default();
    for (uint32_t i = 0; i < COUNT; i++) {
        positions[3 * i] = 0.001f * (float)i;
        velocities[3 * i + 1] = -fastest * (float)i / (COUNT - 1);
    }
    velocities[0] = 100 * fastest;
    def.count = COUNT;
    def.spacing_m = 0.05f;
    def.position = positions;
    def.velocity = velocities;
    OK(weir_points_create(f->device, &def, &points));
    return points;
}

static void the_range_is_that_of_the_points_unless_it_is_given_or_held(void **state)
{
    fixture *f = *state;
    weir_renderer *r = NULL;
    weir_renderer_def def = weir_renderer_def_default();
    def.scene = f->scene;
    OK(weir_renderer_create(f->device, &def, &r));
    weir_points *fast = make_points(f, 4), *slow = make_points(f, 1);
    const struct {
        const weir_points *points;
        bool held, given;
        float high;
    } cases[] = {{slow, false, false, 1}, {slow, true, false, 1},  {fast, true, false, 4},
                 {slow, true, false, 4},  {slow, false, false, 1}, {slow, false, true, 7}};
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        weir_camera view = weir_camera_default(f->scene);
        view.colouring = WEIR_COLOURING_SPEED;
        view.hold_value_range = cases[i].held;
        if (cases[i].given) view.value_range[1] = 7;
        OK(api_choose_value_range(r, cases[i].points, &view)); /* rounded outwards */
        if (fabsf(view.value_range[1] / cases[i].high - 1) > 1e-5f || view.value_range[0] != 0)
            fail_msg("case %zu: up to %g, expected %g", i, (double)view.value_range[1],
                     (double)cases[i].high);
    }
    weir_camera view = weir_camera_default(f->scene);
    view.mode = WEIR_RENDER_MODE_PARTICLES;
    view.value_percentiles[1] = 101;
    weir_image *image = NULL;
    assert_int_equal(weir_render_points(r, slow, &view, &image), WEIR_ERROR_ARGUMENT);
    assert_logged("value_percentiles must be 0 to 100");
    weir_points_release(&fast);
    weir_points_release(&slow);
    weir_renderer_destroy(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(percentiles_ignore_a_few_extreme_values),
        cmocka_unit_test(the_range_is_that_of_the_points_unless_it_is_given_or_held),
    };
    return cmocka_run_group_tests(tests, open_fixture, close_fixture);
}
