/* Tests the spray that stands for the drops of lone particles: its optical depth, which motion
 * spreads but does not change, and the limits to drops of glass and to the fluid's surface. */
#include "render_support.h"

#define SIZE 200u
#define CROSS_SECTION 0.8 /* splat_spray.frag */
#define CLOUD_RADIUS 1.7  /* spacings: params.c */

typedef struct spray {
    double depth, xx, yy; /* sums over pixels: optical depth; second moments, pixels2 */
    bool surface;         /* the particle also has a surface */
} spray;

/* Draws one particle without neighbours, `wide` pixels per spacing, in the middle of the picture.
 */
static spray draw_alone(float spacing, float wide, float speed, float frame_s)
{
    static const render_liquid clear = {.colour = {1.0f, 1.0f, 1.0f}, .density = 1000.0f};
    const float half = 10.0f * spacing, far = 300.0f * spacing;
    const render_def def = {.min = {-half, -half, -half},
                            .max = {half, half, half},
                            .frame_s = frame_s,
                            .liquids = &clear,
                            .liquid_count = 1,
                            .look = plain_look()};
    weir_camera view = make_view(SIZE, SIZE);
    view.fov_y_degrees = 2.0f * 57.29578f * atanf(0.5f * (float)SIZE / wide / 300.0f);
    view.eye[2] = far;
    view.near_m = 0.2f * far;
    renderer *r = NULL;
    OK(render_create(device, &def, &r));
    draw_lone_particle(r, &view, spacing, (vec4){speed, 0.0f, 0.0f, 0.0f});
    uint16_t *texels = read_image(r->images.spray);
    float *nearest = read_image(render_debug_images(r).nearest);
    spray s = {0};
    for (uint32_t i = 0; i < SIZE * SIZE; i++) {
        double x = i % SIZE + 0.5 - 0.5 * SIZE, y = i / SIZE + 0.5 - 0.5 * SIZE;
        double depth = (double)half_float(texels[4 * i + 3]);
        s.depth += depth;
        s.xx += depth * x * x;
        s.yy += depth * y * y;
        s.surface = s.surface || nearest[i] > 0.0f;
    }
    free(texels);
    free(nearest);
    render_destroy(&r);
    return s;
}

static void depth_is_that_of_the_particle(void **state)
{
    for (float wide = 4.0f; wide <= 16.0f; wide *= 2.0f) {
        spray s = draw_alone(0.05f, wide, 0.0f, 0.0f);
        double expected = CROSS_SECTION * (double)(wide * wide);
        print_message("  %g pixels: %g, expected %g\n", (double)wide, s.depth, expected);
        assert_true(fabs(s.depth / expected - 1.0) < 0.03);
        assert_false(s.surface);
    }
}

/* The cloud is as long as the way in a fortieth of a second, or in one and a half frames. */
static void motion_stretches_it_and_keeps_its_depth(void **state)
{
    const float spacing = 0.05f, wide = 10.0f, speed = 8.0f;
    spray still = draw_alone(spacing, wide, 0.0f, 0.0f);
    const struct {
        float frame_s;
        double streak_s;
    } films[] = {{0.0f, 1.0 / 40.0}, {1.0f / 24.0f, 1.0 / 40.0}, {1.0f / 240.0f, 1.5 / 240.0}};
    for (size_t i = 0; i < BASE_COUNT(films); i++) {
        spray fast = draw_alone(spacing, wide, speed, films[i].frame_s);
        double longer = sqrt(fast.xx / fast.depth / (still.xx / still.depth));
        double expected = 1.0 + 0.5 * films[i].streak_s * (double)(speed / spacing) / CLOUD_RADIUS;
        print_message("  longer by %g, expected %g; depth %g, at rest %g\n", longer, expected,
                      fast.depth, still.depth);
        assert_true(fabs(longer / expected - 1.0) < 0.1);
        assert_true(fabs(fast.depth / still.depth - 1.0) < 0.1);
        assert_true(fabs(fast.yy / fast.depth / (still.yy / still.depth) - 1.0) < 0.1);
    }
}

/* Drops of 6 mm are at least six pixels wide where a spacing of 5 cm is 100. */
static void large_drops_are_glass(void **state)
{
    spray s = draw_alone(0.05f, 110.0f, 0.0f, 0.0f);
    assert_true(s.depth == 0.0 && s.surface);
    s = draw_alone(0.005f, 8.0f, 0.0f, 0.0f); /* a drop that air leaves whole */
    assert_true(s.depth == 0.0 && s.surface);
}

/* A pass list's times predict how passes are split. Where another pass takes the place of one, it
 * does not inherit the prediction, here of 1000 ms. */
static void a_pass_does_not_inherit_the_time_of_another(void **state)
{
    static const render_liquid clear = {.colour = {1, 1, 1}, .density = 1000};
    const render_def def = {.min = {-1, -1, -1},
                            .max = {1, 1, 1},
                            .liquids = &clear,
                            .liquid_count = 1,
                            .look = render_look_default()};
    const char *before[RENDER_PASSES];
    renderer *r = NULL;
    OK(render_create(device, &def, &r));
    weir_camera view = make_view(64, 64);
    view.filter = WEIR_DEPTH_FILTER_NARROW_RANGE;
    draw_lone_particle(r, &view, 0.1f, (vec4){0});
    render_timed_list *list = r->timed;
    uint32_t changed = 0, same = 0, count = list->count;
    memcpy(before, list->names, sizeof before);
    for (uint32_t i = 0; i < count; i++)
        list->timers->passes[i].predicted_ms = 1000.0;
    view.filter = WEIR_DEPTH_FILTER_NONE;
    draw_lone_particle(r, &view, 0.1f, (vec4){0});
    assert_ptr_equal(r->timed, list);
    for (uint32_t i = 0; i < count && i < list->count; i++) {
        bool kept = list->timers->passes[i].predicted_ms > 500.0;
        assert_int_equal(kept, before[i] == list->names[i]);
        same += kept;
        changed += !kept;
    }
    assert_true(same > 0 && changed > 0);
    render_destroy(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depth_is_that_of_the_particle),
        cmocka_unit_test(motion_stretches_it_and_keeps_its_depth),
        cmocka_unit_test(large_drops_are_glass),
        cmocka_unit_test(a_pass_does_not_inherit_the_time_of_another),
    };
    return cmocka_run_group_tests(tests, open_validated_device, close_device);
}
