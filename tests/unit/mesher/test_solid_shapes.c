/* Node programs, distances on the CPU, holes of volumes, and the exact reference itself. */
#include "ref_mesh_distance.h"
#include "solid_internal.h"
#include "solid_shapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static char last_message[1024];

static void keep_message(void *user, weir_log_level level, const char *text)
{
    (void)user;
    (void)level;
    snprintf(last_message, sizeof last_message, "%s", text);
}

static const weir_log test_log = {.write = keep_message, .level = WEIR_LOG_DEBUG};
static const solid_owner owner = {"solid", "thing", 12, 5};

static weir_result compile(const test_shapes *t, uint32_t shape, solid_program *program)
{
    *program = (solid_program){0};
    return solid_program_compile(&test_log, &t->scene, shape, &owner, program);
}

static float distance(const test_shapes *t, uint32_t shape, vec3 point)
{
    solid_program program;
    assert_int_equal(compile(t, shape, &program), WEIR_OK);
    float d = solid_program_distance(program.items, (uint32_t)program.count, NULL, point);
    BASE_ARRAY_FREE(&program);
    return d;
}

/* ---- leaves --------------------------------------------------------------------------------- */

/* Returns whether p is inside, written from the description of the shapes in scene.h. */
static bool holds(const scene_shape *s, vec3 p)
{
    double ring = hypot((double)p.x, (double)p.z), y = (double)p.y;
    double radius = (double)s->radius, half = 0.5 * (double)s->height;
    switch (s->kind) {
    case SCENE_SHAPE_BOX:
        return fabsf(p.x) < s->size.x / 2 && fabsf(p.y) < s->size.y / 2 &&
               fabsf(p.z) < s->size.z / 2;
    case SCENE_SHAPE_SPHERE: return hypot(ring, y) < radius;
    case SCENE_SHAPE_CAPSULE:
        return (fabs(y) < half && ring < radius) || hypot(ring, fabs(y) - half) < radius;
    case SCENE_SHAPE_CYLINDER: return fabs(y) < half && ring < radius;
    case SCENE_SHAPE_CONE: return y > -half && ring < radius * (half - y) / (2 * half);
    case SCENE_SHAPE_TORUS: return hypot(ring - radius, y) < (double)s->tube_radius;
    default: return y < 0;
    }
}

/* Returns a point of the surface for (u, v) in the unit square; `part` selects the face. */
static vec3 surface_point(const scene_shape *s, int part, float u, float v)
{
    const float turn = 6.28318531f * u, half = 0.5f * s->height, cap = 3.14159265f * (v - 0.5f);
    const float side = part % 2 ? 1.0f : -1.0f;
    float ring = 0, y = 0;
    if (s->kind == SCENE_SHAPE_BOX) {
        vec3 h = vec3_scale(s->size, 0.5f);
        float a = 2 * u - 1, b = 2 * v - 1;
        if (part / 2 == 0) return vec3_make(side * h.x, a * h.y, b * h.z);
        if (part / 2 == 1) return vec3_make(a * h.x, side * h.y, b * h.z);
        return vec3_make(a * h.x, b * h.y, side * h.z);
    }
    if (s->kind == SCENE_SHAPE_PLANE) return vec3_make(8 * u - 4, 0, 8 * v - 4);
    if (s->kind == SCENE_SHAPE_SPHERE) ring = s->radius * cosf(cap), y = s->radius * sinf(cap);
    if (s->kind == SCENE_SHAPE_CAPSULE && part < 2) {
        ring = s->radius * cosf(cap);
        y = s->radius * sinf(cap) + (cap > 0 ? half : -half);
    } else if (s->kind == SCENE_SHAPE_CAPSULE) {
        ring = s->radius, y = half * (2 * v - 1);
    }
    if (s->kind == SCENE_SHAPE_CYLINDER) {
        ring = part < 2 ? v * s->radius : s->radius;
        y = part < 2 ? side * half : half * (2 * v - 1);
    }
    if (s->kind == SCENE_SHAPE_CONE) {
        ring = v * s->radius;
        y = part < 2 ? -half : half - 2 * half * v;
    }
    if (s->kind == SCENE_SHAPE_TORUS) {
        float around = 6.28318531f * v;
        ring = s->radius + s->tube_radius * cosf(around), y = s->tube_radius * sinf(around);
    }
    return vec3_make(ring * cosf(turn), y, ring * sinf(turn));
}

static float sampled_distance(const scene_shape *s, vec3 p)
{
    enum { STEPS = 160 };
    float best = INFINITY;
    for (int part = 0; part < 6; ++part)
        for (int i = 0; i <= STEPS; ++i)
            for (int j = 0; j <= STEPS; ++j) {
                vec3 q = surface_point(s, part, (float)i / STEPS, (float)j / STEPS);
                vec3 way = vec3_sub(p, q);
                best = fminf(best, vec3_dot(way, way));
            }
    return sqrtf(best);
}

static void leaf_distance_is_that_to_the_nearest_surface_point(void **state)
{
    for (size_t kind = 0; kind < BASE_COUNT(test_kinds); ++kind) {
        test_shapes t;
        test_shapes_init(&t);
        const uint32_t shape = test_leaf(&t, test_kinds[kind]);
        for (uint64_t k = 0; k < 60; ++k) {
            vec3 p = test_point(k, 1.6f);
            float d = distance(&t, shape, p), sampled = sampled_distance(&test_kinds[kind], p);
            /* Samples are at most 0.05 m apart, so the nearest is at most 0.036 m away. */
            assert_true(fabsf(d) <= sampled + 1e-5f);
            assert_true(sampled * sampled <= d * d + 0.036f * 0.036f + 1e-4f);
            if (fabsf(d) > 1e-5f) assert_int_equal(d < 0, holds(&test_kinds[kind], p));
        }
    }
}

static void assert_slope_at_most_one(const test_shapes *t, uint32_t shape)
{
    solid_program program;
    assert_int_equal(compile(t, shape, &program), WEIR_OK);
    const uint32_t count = (uint32_t)program.count;
    for (uint64_t k = 0; k < 4000; ++k) {
        vec3 a = test_point(k, 2);
        vec3 b = vec3_add(a, test_point(k + 100000, k % 2 ? 0.05f : 2));
        float change = solid_program_distance(program.items, count, NULL, a) -
                       solid_program_distance(program.items, count, NULL, b);
        assert_true(fabsf(change) <= vec3_length(vec3_sub(a, b)) * 1.0001f + 1e-5f);
    }
    BASE_ARRAY_FREE(&program);
}

static void no_distance_changes_faster_than_the_way(void **state)
{
    test_shapes t;
    test_shapes_init(&t);
    for (size_t kind = 0; kind < BASE_COUNT(test_kinds); ++kind) {
        scene_shape shape = test_kinds[kind];
        shape.pose = test_pose(vec3_make(0.1f, -0.2f, 0.3f), vec3_make(1, 2, 3), 0.8f, 0.7f);
        assert_slope_at_most_one(&t, test_leaf(&t, shape));
    }
    const uint32_t leaves[] = {0, 1, 2, 3, 4, 5, 6};
    for (scene_shape_kind op = SCENE_SHAPE_UNION; op <= SCENE_SHAPE_SMOOTH_UNION; ++op) {
        scene_shape shape = {.kind = op, .child_count = 7, .blend = 0.3f};
        assert_slope_at_most_one(&t, test_operator(&t, shape, leaves));
    }
}

/* ---- trees ---------------------------------------------------------------------------------- */

static void poses_nest_as_translate_rotate_scale(void **state)
{
    test_shapes t;
    test_shapes_init(&t);
    scene_shape leaf = test_kinds[0];
    leaf.pose = test_pose(vec3_make(0.5f, 0.1f, -0.3f), vec3_make(0, 1, 1), 1.1f, 0.6f);
    const uint32_t child = test_leaf(&t, leaf), plain = test_leaf(&t, test_kinds[0]);
    scene_shape outer = {.kind = SCENE_SHAPE_UNION, .child_count = 1};
    outer.pose = test_pose(vec3_make(-0.4f, 0.8f, 0.2f), vec3_make(1, 0, 2), -0.7f, 1.5f);
    const uint32_t root = test_operator(&t, outer, &child);
    for (uint64_t k = 0; k < 200; ++k) {
        vec3 p = test_point(k, 1);
        vec3 q = vec3_add(quat_rotate(leaf.pose.rotation, vec3_scale(p, 0.6f)), leaf.pose.position);
        vec3 world =
            vec3_add(quat_rotate(outer.pose.rotation, vec3_scale(q, 1.5f)), outer.pose.position);
        float expected = 0.6f * 1.5f * distance(&t, plain, p);
        assert_float_equal(distance(&t, root, world), expected, 1e-5f);
    }
}

static void operators_take_any_number_of_children(void **state)
{
    test_shapes t;
    test_shapes_init(&t);
    uint32_t leaves[4];
    for (uint32_t i = 0; i < 4; ++i) {
        scene_shape shape = test_kinds[i];
        shape.pose = test_pose(vec3_make(0.3f * (float)i - 0.4f, 0, 0), vec3_make(0, 0, 1), 0, 1);
        leaves[i] = test_leaf(&t, shape);
    }
    const uint32_t all =
        test_operator(&t, (scene_shape){.kind = SCENE_SHAPE_UNION, .child_count = 4}, leaves);
    const uint32_t common = test_operator(
        &t, (scene_shape){.kind = SCENE_SHAPE_INTERSECTION, .child_count = 4}, leaves);
    const uint32_t less =
        test_operator(&t, (scene_shape){.kind = SCENE_SHAPE_DIFFERENCE, .child_count = 4}, leaves);
    for (uint64_t k = 0; k < 300; ++k) {
        vec3 p = test_point(k, 1.5f);
        float d[4], most = -INFINITY, least = INFINITY, others = INFINITY;
        for (uint32_t i = 0; i < 4; ++i) {
            d[i] = distance(&t, leaves[i], p);
            most = fmaxf(most, d[i]);
            least = fminf(least, d[i]);
            if (i > 0) others = fminf(others, d[i]);
        }
        assert_float_equal(distance(&t, all, p), least, 0);
        assert_float_equal(distance(&t, common, p), most, 0);
        assert_float_equal(distance(&t, less, p), fmaxf(d[0], -others), 0);
    }
}

static void smooth_union_adds_at_most_a_quarter_of_its_blend(void **state)
{
    test_shapes t;
    test_shapes_init(&t);
    scene_shape right = test_kinds[1];
    right.pose = test_pose(vec3_make(0.9f, 0, 0), vec3_make(1, 0, 0), 0, 1);
    const uint32_t leaves[] = {test_leaf(&t, test_kinds[1]), test_leaf(&t, right)};
    const float blend = 0.4f;
    const uint32_t root = test_operator(
        &t, (scene_shape){.kind = SCENE_SHAPE_SMOOTH_UNION, .child_count = 2, .blend = blend},
        leaves);
    bool blended = false;
    for (uint64_t k = 0; k < 400; ++k) {
        vec3 p = test_point(k, 1.5f);
        float a = distance(&t, leaves[0], p), b = distance(&t, leaves[1], p);
        float least = fminf(a, b), d = distance(&t, root, p);
        if (fabsf(a - b) >= blend) assert_float_equal(d, least, 1e-6f);
        assert_true(d <= least + 1e-6f && d >= least - blend / 4 - 1e-6f);
        if (d < least - 0.05f) blended = true;
    }
    assert_true(blended);
}

static void too_large_a_shape_is_refused_with_its_place(void **state)
{
    test_shapes t;
    test_shapes_init(&t);
    uint32_t leaves[SOLID_MAX_NODES / 2 + 1];
    const uint32_t leaf = test_leaf(&t, test_kinds[1]);
    for (size_t i = 0; i < BASE_COUNT(leaves); ++i)
        leaves[i] = leaf;
    scene_shape op = {.kind = SCENE_SHAPE_UNION, .child_count = SOLID_MAX_NODES / 2};
    const uint32_t fits = test_operator(&t, op, leaves);
    ++op.child_count;
    const uint32_t over = test_operator(&t, op, leaves);
    solid_program program;
    assert_int_equal(compile(&t, fits, &program), WEIR_OK);
    BASE_ARRAY_FREE(&program);
    assert_int_equal(compile(&t, over, &program), WEIR_ERROR_SCENE);
    BASE_ARRAY_FREE(&program);
    assert_non_null(strstr(last_message, "test.json:12:5: solid 'thing'"));
    assert_non_null(strstr(last_message, "256"));
}

static void too_deep_a_shape_is_refused(void **state)
{
    test_shapes t;
    test_shapes_init(&t);
    const uint32_t leaf = test_leaf(&t, test_kinds[1]);
    uint32_t root = leaf;
    for (uint32_t depth = 2; depth <= SOLID_STACK + 1; ++depth) {
        /* the deeper operand, when last, needs one more stack entry per level */
        const uint32_t pair[] = {leaf, root};
        root = test_operator(&t, (scene_shape){.kind = SCENE_SHAPE_UNION, .child_count = 2}, pair);
        solid_program program;
        assert_int_equal(compile(&t, root, &program),
                         depth <= SOLID_STACK ? WEIR_OK : WEIR_ERROR_SCENE);
        if (depth <= SOLID_STACK)
            assert_int_equal(solid_program_nesting(program.items, (uint32_t)program.count),
                             depth - 2);
        BASE_ARRAY_FREE(&program);
    }
    assert_non_null(strstr(last_message, "nesting deeper than 8"));
}

/* ---- volumes -------------------------------------------------------------------------------- */

/* Makes a volume of a sphere of radius 1 about (3, 0, 0), after two unrelated words. */
static void make_ball(uint32_t *words, struct solid_volume *grid)
{
    *grid = (struct solid_volume){
        .origin_x = 1.5f,
        .origin_y = -1.5f,
        .origin_z = -1.5f,
        .cell = 0.125f,
        .nx = 25,
        .ny = 25,
        .nz = 25,
    };
    memcpy(words + 2, grid, sizeof *grid);
    float *values = (float *)(void *)(words + 2 + SOLID_VOLUME_HEADER);
    for (uint32_t k = 0; k < 25; ++k)
        for (uint32_t j = 0; j < 25; ++j)
            for (uint32_t i = 0; i < 25; ++i) {
                vec3 p = {-1.5f + 0.125f * (float)i, -1.5f + 0.125f * (float)j,
                          -1.5f + 0.125f * (float)k};
                *values++ = vec3_length(p) - 1;
            }
}

static void volume_is_continuous_and_never_too_far(void **state)
{
    uint32_t *words = base_alloc(2 + 8 + 25 * 25 * 25, sizeof *words);
    struct solid_volume grid;
    make_ball(words, &grid);
    const struct solid_node node = {
        .position = {0, 0, 0, 2},
        .rotation.w = 1,
        .kind = SOLID_VOLUME,
        .volume = 2,
        .frame_count = 1,
    };
    for (uint64_t k = 0; k < 5000; ++k) {
        vec3 from_centre = test_point(k, 8), p = vec3_add(from_centre, vec3_make(6, 0, 0));
        float exact = vec3_length(from_centre) - 2;
        float d = solid_program_distance(&node, 1, words, p);
        /* Trilinear error of a sphere: h^2 / 4r in scaled space; near the centre, one cell. */
        if (exact > -1.5f) assert_true(d <= exact + 0.02f);
        bool in_grid =
            fmaxf(fabsf(from_centre.x), fmaxf(fabsf(from_centre.y), fabsf(from_centre.z))) < 3;
        if (in_grid && exact > -1.5f) assert_true(d >= exact - 0.02f);
        if (exact > 0) assert_true(d >= 0.7071f * exact - 0.02f);
        vec3 step = test_point(k + 50000, 0.01f);
        float next = solid_program_distance(&node, 1, words, vec3_add(p, step));
        assert_true(fabsf(next - d) <= 1.01f * vec3_length(step) + 1e-5f);
    }
    base_free(words);
}

/* A cube of edge 1 without its top; each face has two triangles. */
static const vec3 cup_vertices[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                    {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
static const uint32_t cup_indices[] = {0, 1, 5, 0, 5, 4, 0, 2, 3, 0, 3, 1, 4, 5, 7,
                                       4, 7, 6, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};

static void a_hole_gets_a_surface_across_it(void **state)
{
    enum { N = 40 };
    const float cell = 0.05f;
    ref_mesh *mesh = ref_mesh_create(cup_vertices, 8, cup_indices, 10);
    float *distances = base_alloc(N * N * N, sizeof(float));
    float *windings = base_alloc(N * N * N, sizeof(float));
    struct solid_volume grid = {-0.48f, -0.48f, -0.48f, cell, N, N, N, 0};
    for (uint32_t i = 0; i < N * N * N; ++i) {
        vec3 p = {grid.origin_x + cell * (float)(i % N), grid.origin_y + cell * (float)(i / N % N),
                  grid.origin_z + cell * (float)(i / (N * N))};
        ref_distance exact = ref_mesh_distance(mesh, p);
        distances[i] = (float)fabs(exact.distance) / cell;
        windings[i] = (float)exact.winding;
    }
    assert_int_equal(solid_fix_signs(&test_log, &grid, windings, distances), WEIR_OK);
    bool crossed = false;
    for (uint32_t i = 0; i + N * N < N * N * N; ++i) {
        if (i % N == N - 1 || i / N % N == N - 1) continue;
        const uint32_t next[] = {i + 1, i + N, i + N * N};
        for (size_t axis = 0; axis < 3; ++axis)
            assert_true(fabsf(distances[i] - distances[next[axis]]) <= 1.1f);
        if (i % N == 20 && i / (N * N) == 20) crossed |= distances[i] < 0 && distances[i + N] >= 0;
    }
    assert_true(crossed);
    ref_mesh_destroy(&mesh);
    base_free(distances);
    base_free(windings);
}

/* ---- the reference -------------------------------------------------------------------------- */

static void reference_equals_all_triangles_one_by_one(void **state)
{
    io_mesh mesh = {0};
    assert_int_equal(io_mesh_read(&test_log, "tests/data/holed.obj", &mesh), WEIR_OK);
    ref_mesh *ref =
        ref_mesh_create(mesh.vertices, mesh.vertex_count, mesh.indices, mesh.triangle_count);
    uint32_t inside = 0;
    for (uint64_t k = 0; k < 3000; ++k) {
        vec3 p = test_point(k, k % 2 ? 1.0f : 0.5f);
        ref_distance a = ref_mesh_distance(ref, p), b = ref_mesh_distance_brute_force(ref, p);
        assert_true(fabs(a.distance - b.distance) < 1e-12);
        assert_true(fabs(a.winding - b.winding) < 1e-9);
        if (a.distance < 0) ++inside;
    }
    assert_true(inside > 50);
    ref_mesh_destroy(&ref);
    io_mesh_free(&mesh);
}

static void reference_knows_a_box(void **state)
{
    test_shapes t;
    test_shapes_init(&t);
    scene_shape cube = {.kind = SCENE_SHAPE_BOX, .size = {1, 1, 1}};
    cube.pose = test_pose(vec3_make(0.5f, 0.5f, 0.5f), vec3_make(1, 0, 0), 0, 1);
    const uint32_t box = test_leaf(&t, cube);
    uint32_t indices[36];
    memcpy(indices, cup_indices, sizeof cup_indices);
    memcpy(indices + 30, (const uint32_t[]){2, 6, 7, 2, 7, 3}, 6 * sizeof *indices);
    ref_mesh *ref = ref_mesh_create(cup_vertices, 8, indices, 12);
    for (uint64_t k = 0; k < 500; ++k) {
        vec3 p = test_point(k, 2);
        ref_distance exact = ref_mesh_distance(ref, p);
        assert_float_equal((float)exact.distance, distance(&t, box, p), 1e-5f);
        assert_float_equal((float)exact.winding, exact.distance < 0 ? 1.0f : 0.0f, 1e-6f);
    }
    ref_mesh_destroy(&ref);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leaf_distance_is_that_to_the_nearest_surface_point),
        cmocka_unit_test(no_distance_changes_faster_than_the_way),
        cmocka_unit_test(poses_nest_as_translate_rotate_scale),
        cmocka_unit_test(operators_take_any_number_of_children),
        cmocka_unit_test(smooth_union_adds_at_most_a_quarter_of_its_blend),
        cmocka_unit_test(too_large_a_shape_is_refused_with_its_place),
        cmocka_unit_test(too_deep_a_shape_is_refused),
        cmocka_unit_test(volume_is_continuous_and_never_too_far),
        cmocka_unit_test(a_hole_gets_a_surface_across_it),
        cmocka_unit_test(reference_equals_all_triangles_one_by_one),
        cmocka_unit_test(reference_knows_a_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
