/* Tests fluid in several layers behind each other: compares what is visible through them with
 * closed forms. */
#include "render_support.h"

#define WIDTH 256u
#define HEIGHT 32u
#define EYE 100.0f
#define TILT 0.7 /* of the nearest plate, about the picture's vertical axis */

/* A white sky, and a black wall in front of its left half. */
static renderer *make_wall_renderer(void)
{
    static const float vertices[] = {-90.0f, -90.0f, -60.0f, 0.0f,   -90.0f, -60.0f,
                                     0.0f,   90.0f,  -60.0f, -90.0f, 90.0f,  -60.0f};
    return make_walled_renderer(vertices);
}

/* A plate of fluid at z, so wide that it is flat in the picture; one metre of it counts as one. */
static void set_plate(splats *s, uint32_t i, float z, float thickness, double tilt)
{
    quat q = quat_from_axis_angle(vec3_make(0.0f, 1.0f, 0.0f), (float)tilt);
    set_splat(s, i, vec3_make(0.0f, 0.0f, z), vec3_make(30.0f, 30.0f, 0.5f * thickness), q);
    s->shapes[2 * i + 1].w = 1.0f / 4.18879020f;
}

/* Returns the apparent displacement of the wall's edge, in metres at the nearest plate. */
static double edge_shift(const splats *s, weir_depth_filter filter)
{
    weir_camera view = make_view(WIDTH, HEIGHT);
    view.eye[2] = EYE;
    view.fov_y_degrees = 0.5f;
    view.filter = filter;
    view.filter_size = 1.0f;
    renderer *r = make_wall_renderer();
    shot made = shoot(r, &view, s);
    uint8_t *pixels = read_image(made.target), *pass = &pixels[4 * WIDTH * (HEIGHT / 2)];
    uint32_t dark = 0;
    for (uint32_t x = 0; x < WIDTH; x++)
        dark += pass[4 * x] < 128;
    double half_width = (double)EYE * camera_of(&view).tangent_x;
    free(pixels);
    free_shot(&made);
    render_destroy(&r);
    return fabs(2.0 * dark / WIDTH - 1.0) * half_width;
}

/* Returns the displacement of the view through a plate of this thickness: the length of the
 * straight ray in it times the sine of the angle of refraction. */
static double plate_shift(double thickness)
{
    double bent = TILT - asin(sin(TILT) / 1.333);
    return thickness / cos(TILT) * sin(bent);
}

static void check_shift(const splats *s, double expected)
{
    static const weir_depth_filter filters[] = {
        WEIR_DEPTH_FILTER_NONE, WEIR_DEPTH_FILTER_NARROW_RANGE, WEIR_DEPTH_FILTER_CURVATURE_FLOW};
    for (size_t i = 0; i < BASE_COUNT(filters); i++) {
        double got = edge_shift(s, filters[i]);
        if (fabs(got - expected) > 0.06)
            fail_msg("filter %d: the edge is seen %g m aside, expected %g m", filters[i], got,
                     expected);
    }
}

static void one_thick_plate_bends_a_ray_all_the_way(void **state)
{
    splats s = make_splats(1);
    set_plate(&s, 0, 0.0f, 4.0f, TILT);
    check_shift(&s, plate_shift(4.0));
    free_splats(&s);
}

/* A sheet in front of a deep body does not act as a lens as thick as both. */
static void fluid_behind_a_gap_does_not_move_what_is_seen_through_a_sheet(void **state)
{
    splats s = make_splats(2);
    set_plate(&s, 0, 0.0f, 1.0f, TILT);
    set_plate(&s, 1, -40.0f, 12.0f, 0.0);
    check_shift(&s, plate_shift(1.0));
    free_splats(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_thick_plate_bends_a_ray_all_the_way),
        cmocka_unit_test(fluid_behind_a_gap_does_not_move_what_is_seen_through_a_sheet),
    };
    return cmocka_run_group_tests(tests, open_validated_device, close_device);
}
