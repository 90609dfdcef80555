/* The camera of a scene that has none frames its fluid and solids in perspective. */
#define _POSIX_C_SOURCE 200809L
#include "api_support.h"
#include "weir/render.h"

#define OK(call) assert_int_equal((call), WEIR_OK)

/* The fluid fills the domain from wall to wall, so that the subject is the fill itself. */
#define POOL(size)                                                                              \
    "{\"domain\": {\"min\": [0, 0, 0], \"max\": [" size "]}, \"spacing\": 0.1, \"fluids\": [{"  \
    "\"name\": \"water\", \"fill\": {\"shape\": {\"box\": {\"min\": [0, 0, 0], \"max\": [" size \
    "]}}}}]}"

static weir_camera camera_of(const char *text, uint32_t width, uint32_t height)
{
    weir_scene *scene = NULL;
    OK(weir_scene_parse(text, strlen(text), NULL, &scene));
    weir_camera view = weir_camera_for_size(scene, 0.0, width, height);
    weir_scene_destroy(&scene);
    return view;
}

/* Projects the corners of the box from the origin to `high`; the picture spans -1 to 1 on either
 * axis. */
static void project(const weir_camera *view, const float high[3], double low[2], double most[2])
{
    vec3 eye = {view->eye[0], view->eye[1], view->eye[2]};
    vec3 ahead = vec3_sub(vec3_make(view->target[0], view->target[1], view->target[2]), eye);
    ahead = vec3_scale(ahead, 1.0f / vec3_length(ahead));
    vec3 right = vec3_cross(ahead, vec3_make(0, 1, 0));
    right = vec3_scale(right, 1.0f / vec3_length(right));
    vec3 up = vec3_cross(right, ahead);
    double tangent = tan((double)view->fov_y_degrees * 0.5 * 0.017453292519943295);
    double aspect = (double)view->width / (double)view->height;
    low[0] = low[1] = INFINITY;
    most[0] = most[1] = -INFINITY;
    for (int i = 0; i < 8; i++) {
        vec3 p = {i & 1 ? high[0] : 0, i & 2 ? high[1] : 0, i & 4 ? high[2] : 0};
        p = vec3_sub(p, eye);
        double z = (double)vec3_dot(p, ahead);
        assert_true(z > 0.0);
        double at[2] = {(double)vec3_dot(p, right) / (z * tangent * aspect),
                        (double)vec3_dot(p, up) / (z * tangent)};
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], at[k]);
            most[k] = fmax(most[k], at[k]);
        }
    }
}

/* One axis touches the margin on both sides, the other is inside it. */
static void assert_fits(const char *text, const float high[3], uint32_t width, uint32_t height)
{
    double low[2], most[2];
    weir_camera view = camera_of(text, width, height);
    assert_int_equal(view.width, width);
    project(&view, high, low, most);
    print_message("  %u x %u: %g to %g, %g to %g\n", width, height, low[0], most[0], low[1],
                  most[1]);
    bool wide = fabs(low[0] + 0.9) < 1e-3 && fabs(most[0] - 0.9) < 1e-3;
    bool tall = fabs(low[1] + 0.9) < 1e-3 && fabs(most[1] - 0.9) < 1e-3;
    assert_true(wide || tall);
    for (int k = 0; k < 2; k++)
        assert_true(low[k] > -0.9 - 1e-3 && most[k] < 0.9 + 1e-3);
}

static void the_subject_touches_two_sides_of_the_picture(void **state)
{
    static const uint32_t sizes[][2] = {{1280, 720}, {720, 1280}, {300, 300}, {2000, 200}};
    static const float cube[3] = {2, 2, 2}, tank[3] = {6, 1, 1}, pole[3] = {1, 4, 1};
    for (size_t i = 0; i < BASE_COUNT(sizes); i++) {
        assert_fits(POOL("2, 2, 2"), cube, sizes[i][0], sizes[i][1]);
        assert_fits(POOL("6, 1, 1"), tank, sizes[i][0], sizes[i][1]);
        assert_fits(POOL("1, 4, 1"), pole, sizes[i][0], sizes[i][1]);
    }
}

/* Returns the azimuth, degrees from +z towards +x. */
static double azimuth_of(const char *text)
{
    weir_camera v = camera_of(text, 1280, 720);
    return 57.29577951308232 *
           atan2((double)(v.eye[0] - v.target[0]), (double)(v.eye[2] - v.target[2]));
}

static void a_long_tank_is_seen_more_from_the_side(void **state)
{
    assert_true(fabs(azimuth_of(POOL("2, 2, 2")) - 28.0) < 0.01);
    assert_true(fabs(azimuth_of(POOL("4, 1, 2")) - 32.0) < 0.01);
    assert_true(fabs(azimuth_of(POOL("8, 1, 1")) - 36.0) < 0.01);
    assert_true(fabs(azimuth_of(POOL("2, 1, 4")) - 58.0) < 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_subject_touches_two_sides_of_the_picture),
        cmocka_unit_test(a_long_tank_is_seen_more_from_the_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
