/* The viewer's camera: the invariants of each gesture. */
#include "camera.h"

#include <setjmp.h>

#include <cmocka.h>

#define DEGREES 0.01745329252f

static const camera_world_to_view middle = {0.5f, 0.5f, 1.6f};

static camera some_camera(void)
{
    return (camera){
        .pivot = {1, 2, 3}, .distance = 5, .yaw = 0.7f, .pitch = 0.4f, .fov = 45 * DEGREES};
}

static void assert_near(vec3 a, vec3 b, float tolerance)
{
    if (!(vec3_length(vec3_sub(a, b)) <= tolerance))
        fail_msg("%g %g %g, expected %g %g %g", (double)a.x, (double)a.y, (double)a.z, (double)b.x,
                 (double)b.y, (double)b.z);
}

/* Returns where the ray of a picture position meets the plane through `point` across the view. */
static vec3 plane_point(const camera *c, camera_world_to_view place, vec3 point)
{
    camera_ray ray = camera_ray_at(c, place);
    vec3 back = camera_get_basis(c).back;
    float t = vec3_dot(vec3_sub(point, ray.origin), back) / vec3_dot(ray.direction, back);
    return vec3_add(ray.origin, vec3_scale(ray.direction, t));
}

static void the_axes_are_a_right_handed_frame(void **state)
{
    camera c = some_camera();
    camera_basis a = camera_get_basis(&c);
    assert_near(vec3_cross(a.right, a.up), a.back, 1e-6f);
    assert_float_equal(vec3_length(a.right), 1, 1e-6);
    assert_float_equal(vec3_length(a.up), 1, 1e-6);
    assert_true(a.up.y > 0 && fabsf(a.right.y) < 1e-6f);
}

static void the_middle_of_the_picture_is_the_pivot(void **state)
{
    camera c = some_camera();
    assert_near(plane_point(&c, middle, c.pivot), c.pivot, 1e-5f);
}

static void the_top_of_the_picture_is_half_the_field_of_view_up(void **state)
{
    camera c = some_camera();
    camera_ray ray = camera_ray_at(&c, (camera_world_to_view){0.5f, 0, 1.6f});
    camera_basis a = camera_get_basis(&c);
    assert_float_equal(acosf(-vec3_dot(ray.direction, a.back)), 22.5f * DEGREES, 1e-5);
    assert_true(vec3_dot(ray.direction, a.up) > 0);
    ray = camera_ray_at(&c, (camera_world_to_view){1, 0.5f, 1.6f});
    assert_true(vec3_dot(ray.direction, a.right) > 0);
}

static void orbiting_keeps_pivot_and_distance(void **state)
{
    camera c = some_camera(), before = c;
    camera_orbit(&c, 100 * DEGREES, 10 * DEGREES);
    assert_near(c.pivot, before.pivot, 0);
    assert_float_equal(vec3_length(vec3_sub(camera_eye(&c), c.pivot)), 5, 1e-5);
    camera_orbit(&c, 0, 400 * DEGREES);
    assert_true(c.pitch < 90 * DEGREES && camera_get_basis(&c).up.y > 0);
    camera_orbit(&c, 0, -4000 * DEGREES);
    assert_true(c.pitch > -90 * DEGREES && camera_get_basis(&c).up.y > 0);
}

static void panning_moves_the_pivots_plane_with_the_mouse(void **state)
{
    camera c = some_camera();
    vec3 held = plane_point(&c, (camera_world_to_view){0.3f, 0.4f, 1.6f}, c.pivot);
    camera_pan(&c, 0.2f * 1.6f, 0.1f); /* a fifth of the width is 0.2 * 1.6 heights */
    assert_near(plane_point(&c, (camera_world_to_view){0.5f, 0.5f, 1.6f}, c.pivot), held, 1e-4f);
}

static void zooming_keeps_what_is_under_the_cursor(void **state)
{
    static const float factors[] = {1.25f, 0.5f, 4.0f};
    for (size_t i = 0; i < BASE_COUNT(factors); i++) {
        camera c = some_camera();
        camera_world_to_view place = {0.8f, 0.1f, 1.6f};
        vec3 held = plane_point(&c, place, c.pivot);
        camera_zoom(&c, factors[i], place);
        assert_float_equal(c.distance, 5 / factors[i], 1e-5);
        assert_near(plane_point(&c, place, held), held, 1e-4f);
    }
}

static void a_new_pivot_leaves_the_eye_where_it_is(void **state)
{
    camera c = some_camera();
    vec3 eye = camera_eye(&c), point = {-1, 0.5f, 2};
    camera_set_pivot(&c, point);
    assert_near(camera_eye(&c), eye, 1e-5f);
    assert_near(c.pivot, point, 0);
}

static void a_framed_box_lies_inside_the_picture(void **state)
{
    static const float aspects[] = {0.4f, 1, 2.5f};
    vec3 min = {-1, 0, -0.5f}, max = {3, 1, 0.5f};
    for (size_t i = 0; i < BASE_COUNT(aspects); i++) {
        camera c = camera_frame_box(min, max, aspects[i]);
        camera_basis a = camera_get_basis(&c);
        float half = tanf(0.5f * c.fov);
        for (uint32_t corner = 0; corner < 8; corner++) {
            vec3 p = {corner & 1 ? max.x : min.x, corner & 2 ? max.y : min.y,
                      corner & 4 ? max.z : min.z};
            vec3 way = vec3_sub(p, camera_eye(&c));
            float depth = -vec3_dot(way, a.back);
            assert_true(depth > 0);
            assert_true(fabsf(vec3_dot(way, a.up)) <= half * depth);
            assert_true(fabsf(vec3_dot(way, a.right)) <= half * depth * aspects[i]);
        }
    }
}

static void an_empty_box_is_framed_too(void **state)
{
    camera c = camera_frame_box((vec3){1, 1, 1}, (vec3){0, 0, 0}, 1);
    assert_true(c.distance > 0 && isfinite(c.distance));
    assert_near(c.pivot, (vec3){0, 0, 0}, 0);
}

static void the_text_reads_back(void **state)
{
    char text[CAMERA_TEXT];
    camera c = some_camera(), read = {.distance = 1};
    camera_print(&c, text);
    assert_true(camera_parse(&read, text));
    assert_near(camera_eye(&read), camera_eye(&c), 1e-5f);
    assert_near(read.pivot, c.pivot, 0);
    assert_float_equal(read.fov, c.fov, 1e-6);
    assert_float_equal(read.yaw, c.yaw, 1e-5);
}

static void other_texts_are_refused_and_change_nothing(void **state)
{
    static const char *const texts[] = {
        "",
        "hello",
        "eye=1,2,3",
        "eye=1,2 target=0,0,0 fov=45",
        "eye=1,2,3 target=1,2,3 fov=45",
        "eye=1,2,3 target=0,0,0 fov=0",
        "eye=1,2,3 target=0,0,0 fov=180",
        "eye=1,2,3 target=0,0,0 fov=45 more",
        "eye=1e30,2,3 target=0,0,0 fov=45",
        "eye=nan,2,3 target=0,0,0 fov=45",
    };
    for (size_t i = 0; i < BASE_COUNT(texts); i++) {
        camera c = some_camera(), before = c;
        if (camera_parse(&c, texts[i])) fail_msg("taken: %s", texts[i]);
        assert_memory_equal(&c, &before, sizeof c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_axes_are_a_right_handed_frame),
        cmocka_unit_test(the_middle_of_the_picture_is_the_pivot),
        cmocka_unit_test(the_top_of_the_picture_is_half_the_field_of_view_up),
        cmocka_unit_test(orbiting_keeps_pivot_and_distance),
        cmocka_unit_test(panning_moves_the_pivots_plane_with_the_mouse),
        cmocka_unit_test(zooming_keeps_what_is_under_the_cursor),
        cmocka_unit_test(a_new_pivot_leaves_the_eye_where_it_is),
        cmocka_unit_test(a_framed_box_lies_inside_the_picture),
        cmocka_unit_test(an_empty_box_is_framed_too),
        cmocka_unit_test(the_text_reads_back),
        cmocka_unit_test(other_texts_are_refused_and_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
