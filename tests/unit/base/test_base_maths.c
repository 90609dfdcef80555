/* Quaternions rotate like the textbook's matrices. */
#include "base.h"

#include <setjmp.h>

#include <cmocka.h>

static const float half_turn = 3.14159265f;

static void check_vec3(vec3 v, float x, float y, float z)
{
    assert_true(vec3_length(vec3_sub(v, vec3_make(x, y, z))) < 1e-5f);
}

static void a_quarter_turn_takes_x_to_y(void **state)
{
    quat q = quat_from_axis_angle(vec3_make(0, 0, 3), half_turn / 2);
    check_vec3(quat_rotate(q, vec3_make(1, 0, 0)), 0, 1, 0);
    check_vec3(quat_rotate(q, vec3_make(0, 1, 0)), -1, 0, 0);
    check_vec3(quat_rotate(q, vec3_make(0, 0, 5)), 0, 0, 5);
    check_vec3(quat_rotate(quat_conjugate(q), vec3_make(0, 1, 0)), 1, 0, 0);
}

static void a_product_rotates_by_its_right_factor_first(void **state)
{
    quat about_z = quat_from_axis_angle(vec3_make(0, 0, 1), half_turn / 2);
    quat about_x = quat_from_axis_angle(vec3_make(1, 0, 0), half_turn / 2);
    vec3 v = vec3_make(1, 0, 0);
    check_vec3(quat_rotate(quat_multiply(about_x, about_z), v), 0, 0, 1);
    check_vec3(quat_rotate(quat_multiply(about_z, about_x), v), 0, 1, 0);
}

static void slerp_turns_evenly_and_the_short_way(void **state)
{
    quat a = quat_identity();
    quat b = quat_from_axis_angle(vec3_make(0, 1, 0), 1.2f);
    for (int i = 0; i <= 10; i++) {
        float t = 0.1f * (float)i;
        vec3 expected =
            quat_rotate(quat_from_axis_angle(vec3_make(0, 1, 0), 1.2f * t), vec3_make(0, 0, 1));
        check_vec3(quat_rotate(quat_slerp(a, b, t), vec3_make(0, 0, 1)), expected.x, expected.y,
                   expected.z);
        quat other = {-b.x, -b.y, -b.z, -b.w};
        check_vec3(quat_rotate(quat_slerp(a, other, t), vec3_make(0, 0, 1)), expected.x, expected.y,
                   expected.z);
    }
    quat long_one = {0, 1.0001f, 0, 0};
    quat same = quat_slerp(long_one, long_one, 0.5f);
    assert_true(fabsf(same.y - 1) < 1e-6f);
    quat near = quat_from_axis_angle(vec3_make(0, 1, 0), 0.001f);
    quat middle = quat_slerp(a, near, 0.5f);
    assert_true(fabsf(middle.y - sinf(0.00025f)) < 1e-7f);
}

static void a_quaternion_without_length_or_axis_is_no_turn(void **state)
{
    quat q = quat_normalize((quat){0, 0, 0, 0});
    assert_true(q.w == 1 && q.x == 0);
    q = quat_from_axis_angle(vec3_make(0, 0, 0), 1);
    assert_true(q.w == 1);
    q = quat_normalize((quat){0, 3, 0, 4});
    assert_true(fabsf(q.y - 0.6f) < 1e-6f && fabsf(q.w - 0.8f) < 1e-6f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quarter_turn_takes_x_to_y),
        cmocka_unit_test(a_product_rotates_by_its_right_factor_first),
        cmocka_unit_test(slerp_turns_evenly_and_the_short_way),
        cmocka_unit_test(a_quaternion_without_length_or_axis_is_no_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
