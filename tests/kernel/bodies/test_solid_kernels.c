/* Tests solids on the device: node programs, items and motion. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include "ref_mesh_distance.h"
#include "solids_fixture.h"

/* ---- probing -------------------------------------------------------------------------------- */

static void every_shape_kind_is_the_same_on_device_and_cpu(void **state)
{
    test_shapes t;
    scene_solid solids[BASE_COUNT(test_kinds)];
    uint32_t roots[BASE_COUNT(test_kinds)];
    test_shapes_init(&t);
    for (uint32_t i = 0; i < BASE_COUNT(test_kinds); ++i) {
        scene_shape shape = test_kinds[i];
        shape.pose = test_pose(vec3_make(0.2f, -0.1f, 0.3f), vec3_make(1, 2, 3), 0.9f, 0.8f);
        roots[i] = test_leaf(&t, shape);
    }
    set_solids(&t, solids, roots, BASE_COUNT(roots));
    solid_set *set = make_set(&t, 0.1f);
    for (uint32_t i = 0; i < BASE_COUNT(roots); ++i)
        assert_like_cpu(set, &t.scene, i, 1.5f);
    solid_set_destroy(solid_device, &set);
    for (uint32_t i = 0; i < BASE_COUNT(roots); ++i) { /* the kernel supports no other kind */
        set_solids(&t, solids, &roots[i], 1);
        set = make_set(&t, 0.1f);
        uint32_t has = ~solid_set_missing_kinds(set) & ((1u << SOLID_KINDS) - 1u);
        assert_true(has != 0 && (has & (has - 1)) == 0);
        assert_like_cpu(set, &t.scene, 0, 1.5f);
        solid_set_destroy(solid_device, &set);
    }
}

static void operator_trees_are_the_same_on_device_and_cpu(void **state)
{
    test_shapes t;
    scene_solid solids[5];
    uint32_t leaves[6], roots[5];
    test_shapes_init(&t);
    for (uint32_t i = 0; i < 6; ++i) {
        scene_shape shape = test_kinds[i];
        shape.pose = test_pose(test_point(i + 10, 0.5f), vec3_make(1, (float)i, -1), 0.5f, 1);
        leaves[i] = test_leaf(&t, shape);
    }
    for (uint32_t i = 0; i < 4; ++i) {
        scene_shape op = {.kind = SCENE_SHAPE_UNION + i, .child_count = 4, .blend = 0.3f};
        roots[i] = test_operator(&t, op, leaves + i % 3);
    }
    scene_shape outer = {.kind = SCENE_SHAPE_DIFFERENCE, .child_count = 4};
    outer.pose = test_pose(vec3_make(0.1f, 0.2f, 0), vec3_make(0, 1, 0), 2, 1.3f);
    roots[4] =
        test_operator(&t, outer, (const uint32_t[]){roots[3], roots[1], leaves[2], roots[2]});
    set_solids(&t, solids, roots, 5);
    solid_set *set = make_set(&t, 0.1f);
    assert_int_equal(solid_set_nesting(set), 1); /* the second operands of the outer difference */
    for (uint32_t i = 0; i < 5; ++i)
        assert_like_cpu(set, &t.scene, i, 1.5f);
    solid_set_destroy(solid_device, &set);
}

/* ---- items and motion ----------------------------------------------------------------------- */

static void items_are_solids_then_sinks_in_spheres_that_hold_them(void **state)
{
    test_shapes t;
    test_shapes_init(&t);
    scene_shape moved = test_kinds[0];
    moved.pose = test_pose(vec3_make(3, 1, 0), vec3_make(1, 1, 0), 0.7f, 2);
    const uint32_t roots[] = {test_leaf(&t, moved), test_leaf(&t, test_kinds[6])};
    scene_sink sink = {.name = t.source, .shape = test_leaf(&t, test_kinds[1])};
    scene_solid solids[2];
    set_solids(&t, solids, roots, 2);
    t.scene.sinks = &sink;
    t.scene.sink_count = 1;
    solid_set *set = make_set(&t, 0.1f);
    struct solid_item items[3];
    assert_int_equal(solid_item_count(set), 3);
    assert_int_equal(solid_sink_first(set), 2);
    assert_int_equal(gpu_buffer_download(solid_device, solid_items(set), 0, items, sizeof items),
                     WEIR_OK);
    assert_float_equal(items[0].friction, 0.25f, 0);
    assert_true(items[1].bound.w < 0); /* a half space has no bounds */
    assert_float_equal(items[2].bound.w, 0.7f + 0.001f, 1e-5f);
    vec3 centre = {items[0].bound.x, items[0].bound.y, items[0].bound.z};
    for (uint64_t k = 0; k < 20000; ++k) {
        vec3 p = vec3_add(centre, test_point(k, 6));
        if (vec3_length(vec3_sub(p, centre)) > items[0].bound.w)
            assert_true(solid_shape_distance(set, roots[0], p) > 0);
    }
    solid_set_destroy(solid_device, &set);
}

static void poses_are_those_at_the_end_and_the_start_of_the_substep(void **state)
{
    test_shapes t;
    test_shapes_init(&t);
    const uint32_t root = test_leaf(&t, test_kinds[1]);
    scene_pose_key keys[] = {{0, {0, 0, 0}, quat_identity()}, {2, {4, 0, 0}, quat_identity()}};
    scene_solid solid;
    scene_sink sink = {.name = t.source, .shape = root};
    set_solids(&t, &solid, &root, 1);
    solid.motion =
        (scene_motion){.kind = SCENE_MOTION_KEYFRAMES, .keys = keys, .key_count = 2, .end_s = 10};
    t.scene.sinks = &sink;
    t.scene.sink_count = 1;
    solid_set *set = make_set(&t, 0.1f);
    struct solid_pose poses[2];
    solid_poses_at(set, 1, 0.25, poses);
    assert_float_equal(poses[0].position.x, 2, 1e-6f);
    assert_float_equal(poses[0].position.w, 1, 0);
    assert_float_equal(poses[0].last_position.x, 1.5f, 1e-6f);
    assert_float_equal(poses[0].last_position.w, 0.75f, 0);
    assert_float_equal(poses[1].position.x, 0, 0);
    assert_float_equal(poses[1].rotation.w, 1, 0);
    solid_set_destroy(solid_device, &set);
}

static void scene_without_solids_makes_an_empty_set(void **state)
{
    test_shapes t;
    test_shapes_init(&t);
    solid_set *set = make_set(&t, 0.1f);
    assert_int_equal(solid_item_count(set), 0);
    assert_non_null(solid_nodes(set));
    assert_non_null(solid_volumes(set));
    assert_non_null(solid_items(set));
    solid_set_destroy(solid_device, &set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_kind_is_the_same_on_device_and_cpu),
        cmocka_unit_test(operator_trees_are_the_same_on_device_and_cpu),
        cmocka_unit_test(items_are_solids_then_sinks_in_spheres_that_hold_them),
        cmocka_unit_test(poses_are_those_at_the_end_and_the_start_of_the_substep),
        cmocka_unit_test(scene_without_solids_makes_an_empty_set),
    };
    return cmocka_run_group_tests(tests, open_solid_device, close_solid_device);
}
