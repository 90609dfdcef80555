/* Every property that the mesh check reports, with one mesh that has the fault and one that has
   not. */
#include "refined_surfaces.h"

static const float ball = 5;
static const surface_lattice lattice = {16, {-7.5f, -7.5f, -7.5f}, 1};

/* Makes a ball, with capacity for more vertices and triangles. */
static mesher_surface make_small_ball(void)
{
    mesher_surface s = surface_make(&lattice, surface_sphere_field, &ball);
    s.position = base_realloc(s.position, 2 * s.vertex_count, sizeof *s.position);
    s.index = base_realloc(s.index, 2 * s.triangle_count, 3 * sizeof *s.index);
    assert_true(s.position && s.index);
    return s;
}

/* Adds a copy of the surface's first `vertices` and `triangles`, scaled about `centre`. */
static void add_copy(mesher_surface *s, vec3 centre, float scale, bool turned)
{
    const uint32_t vertices = s->vertex_count, corners = 3 * s->triangle_count;
    for (uint32_t v = 0; v < vertices; v++)
        s->position[vertices + v] = vec3_add(centre, vec3_scale(s->position[v], scale));
    for (uint32_t i = 0; i < corners; i++)
        s->index[corners + i] = s->index[turned && i % 3 ? i - i % 3 + 3 - i % 3 : i] + vertices;
    s->vertex_count *= 2;
    s->triangle_count *= 2;
}

static void a_ball_is_closed_manifold_and_wound_outwards(void **state)
{
    mesher_surface s = make_small_ball();
    const weir_mesh_info info = check(&s);
    assert_true(info.closed && info.manifold && info.oriented);
    assert_int_equal(info.vertices, s.vertex_count);
    assert_int_equal(info.triangles, s.triangle_count);
    assert_int_equal(info.components, 1);
    assert_int_equal(info.euler, 2);
    assert_int_equal(info.voids + info.inside_out + info.unused_vertices, 0);
    assert_int_equal(info.degenerate_triangles + info.duplicate_triangles, 0);
    assert_int_equal(info.duplicate_vertices, 0);
    const double volume = 4.18879 * 125, area = 12.56637 * 25;
    assert_true(fabs(info.volume / volume - 1) < 0.03);
    assert_true(fabs(info.area / area - 1) < 0.03);
    assert_true(info.min[0] < -4.7f && info.max[2] > 4.7f);
    mesher_surface_free(&s);
}

static void a_missing_triangle_is_a_hole(void **state)
{
    mesher_surface s = make_small_ball();
    s.triangle_count--;
    const weir_mesh_info info = check(&s);
    assert_false(info.closed);
    assert_true(info.manifold && info.oriented);
    assert_int_equal(info.boundary_edges, 3);
    assert_int_equal(info.euler, 1);
    mesher_surface_free(&s);
}

static void a_turned_triangle_flips_three_edges(void **state)
{
    mesher_surface s = make_small_ball();
    const uint32_t swap = s.index[30];
    s.index[30] = s.index[31];
    s.index[31] = swap;
    const weir_mesh_info info = check(&s);
    assert_true(info.closed && info.manifold);
    assert_false(info.oriented);
    assert_int_equal(info.flipped_edges, 3);
    mesher_surface_free(&s);
}

static void two_balls_that_share_a_vertex_have_two_fans_there(void **state)
{
    mesher_surface s = make_small_ball();
    const uint32_t first = s.vertex_count;
    add_copy(&s, vec3_make(11, 0, 0), 1, false);
    weir_mesh_info info = check(&s);
    assert_true(info.manifold);
    assert_int_equal(info.components, 2);
    assert_int_equal(info.euler, 4);
    for (uint32_t i = 0; i < 3 * s.triangle_count; i++)
        if (s.index[i] == first) s.index[i] = 0;
    info = check(&s);
    assert_true(info.closed && info.oriented);
    assert_false(info.manifold);
    assert_int_equal(info.nonmanifold_vertices, 1);
    assert_int_equal(info.nonmanifold_edges, 0);
    assert_int_equal(info.components, 1);
    assert_int_equal(info.unused_vertices, 1);
    mesher_surface_free(&s);
}

static void a_fin_makes_an_edge_and_its_ends_non_manifold(void **state)
{
    mesher_surface s = make_small_ball();
    uint32_t *fin = s.index + 3 * s.triangle_count++;
    fin[0] = s.index[1];
    fin[1] = s.index[0];
    fin[2] = s.vertex_count;
    s.position[s.vertex_count++] = vec3_make(9, 9, 9);
    const weir_mesh_info info = check(&s);
    assert_false(info.manifold || info.closed);
    assert_int_equal(info.nonmanifold_edges, 1);
    assert_int_equal(info.nonmanifold_vertices, 2);
    assert_int_equal(info.boundary_edges, 2);
    mesher_surface_free(&s);
}

static void a_ball_wound_inwards_is_a_void_inside_and_inside_out_outside(void **state)
{
    mesher_surface s = make_small_ball();
    add_copy(&s, vec3_make(0.1f, 0.2f, 0.3f), 0.5f, true);
    weir_mesh_info info = check(&s);
    assert_int_equal(info.voids, 1);
    assert_int_equal(info.inside_out, 0);
    assert_true(info.oriented);
    assert_true(fabs(info.volume / (4.18879 * 125 * 0.875) - 1) < 0.03);
    for (uint32_t v = s.vertex_count / 2; v < s.vertex_count; v++)
        s.position[v].x += 20;
    info = check(&s);
    assert_int_equal(info.voids, 0);
    assert_int_equal(info.inside_out, 1);
    assert_false(info.oriented);
    mesher_surface_free(&s);
}

static void a_drop_inside_a_void_is_a_component_of_its_own(void **state)
{
    mesher_surface s = make_small_ball();
    s.position = base_realloc(s.position, 8 * s.vertex_count, sizeof *s.position);
    s.index = base_realloc(s.index, 8 * s.triangle_count, 3 * sizeof *s.index);
    assert_true(s.position && s.index);
    add_copy(&s, (vec3){0, 0, 0}, 0.6f, true);
    add_copy(&s, (vec3){0, 0, 0}, 0.4f, false);
    const weir_mesh_info info = check(&s);
    assert_int_equal(info.components, 4);
    /* Radii: 5 outward, 3 inward, 2 outward, 1.2 inward. */
    assert_int_equal(info.voids, 2);
    assert_int_equal(info.inside_out, 0);
    mesher_surface_free(&s);
}

static void doubles_are_counted(void **state)
{
    mesher_surface s = make_small_ball();
    weir_mesh_info info;
    uint32_t *copy = s.index + 3 * s.triangle_count++;
    copy[0] = s.index[4], copy[1] = s.index[5], copy[2] = s.index[3];
    info = check(&s);
    assert_int_equal(info.duplicate_triangles, 1);
    assert_int_equal(info.nonmanifold_edges, 3);
    copy[0] = s.index[3], copy[1] = s.index[5], copy[2] = s.index[4];
    assert_int_equal(check(&s).duplicate_triangles, 1);
    s.triangle_count--;
    s.position[s.vertex_count++] = s.position[7];
    s.position[s.vertex_count] = (vec3){0.0f, 0, 0};
    s.position[s.vertex_count + 1] = (vec3){-0.0f, 0, 0};
    s.vertex_count += 2;
    info = check(&s);
    assert_int_equal(info.duplicate_triangles, 0);
    assert_int_equal(info.duplicate_vertices, 2);
    assert_int_equal(info.unused_vertices, 3);
    assert_true(info.closed && info.manifold && info.oriented);
    mesher_surface_free(&s);
}

static weir_mesh_info check_triangle(vec3 a, vec3 b, vec3 c)
{
    vec3 position[3] = {a, b, c};
    uint32_t index[3] = {0, 1, 2};
    const mesher_surface s = {
        .vertex_count = 3, .triangle_count = 1, .position = position, .index = index};
    return check(&s);
}

static void shapes_of_triangles_are_measured(void **state)
{
    const vec3 o = {0, 0, 0}, x = {1, 0, 0};
    weir_mesh_info even = check_triangle(o, x, vec3_make(0.5f, 0.8660254f, 0));
    assert_true(fabs(even.angle_min - 60) < 1e-4 && fabs(even.quality_mean - 1) < 1e-6);
    assert_true(fabs(even.aspect_mean - 1) < 1e-6 && fabs(even.area - 0.4330127) < 1e-6);
    assert_true(fabs(even.angle_p1 - 60) < 0.01 && even.quality_p5 > 0.999);
    weir_mesh_info half = check_triangle(o, x, vec3_make(0, 1, 0));
    assert_true(fabs(half.angle_min - 45) < 1e-4 && fabs(half.quality_mean - 0.828427) < 1e-5);
    assert_true(fabs(half.aspect_mean - 1.393847) < 1e-5);
    weir_mesh_info thin = check_triangle(o, x, vec3_make(0.5f, 0.05f, 0));
    assert_true(fabs(thin.angle_min - 5.71059) < 1e-4);
    assert_true(thin.angle_below_5 == 0 && thin.angle_below_10 == 1 && thin.angle_below_20 == 1);
    weir_mesh_info thinner = check_triangle(o, x, vec3_make(0, 0.05f, 0));
    assert_true(thinner.angle_below_5 == 1 && thinner.degenerate_triangles == 0);
    weir_mesh_info needle = check_triangle(o, x, vec3_make(1, 1e-6f, 0));
    assert_true(needle.degenerate_triangles == 0);
}

static void triangles_without_area_are_degenerate(void **state)
{
    const vec3 o = {0, 0, 0}, x = {1, 0, 0};
    assert_int_equal(check_triangle(o, x, vec3_make(0.3f, 0, 0)).degenerate_triangles, 1);
    assert_int_equal(check_triangle(o, x, vec3_make(0.5f, 1e-7f, 0)).degenerate_triangles, 1);
    assert_int_equal(check_triangle(o, o, o).degenerate_triangles, 1);
    vec3 position[2] = {o, x};
    uint32_t index[3] = {0, 1, 0};
    const mesher_surface twice = {
        .vertex_count = 2, .triangle_count = 1, .position = position, .index = index};
    const weir_mesh_info info = check(&twice);
    assert_int_equal(info.degenerate_triangles, 1);
    assert_true(info.angle_min == 0 && info.quality_mean == 0);
}

static void nothing_has_no_faults(void **state)
{
    const mesher_surface none = {0};
    const weir_mesh_info info = check(&none);
    assert_true(info.closed && info.manifold && info.oriented);
    assert_true(info.volume == 0 && info.euler == 0 && info.components == 0);
}

static void figures_are_the_same_on_any_number_of_threads(void **state)
{
    const float share = 0.4f;
    const surface_lattice big = {36, {0, 0, 0}, 1};
    mesher_surface s = surface_make(&big, surface_noise_field, &share);
    assert_true(s.triangle_count > 8 * 16384);
    weir_mesh_info infos[3];
    for (uint32_t i = 0; i < 3; i++) {
        base_parallel_set_max_threads(1 + i * i);
        memset(&infos[i], 0, sizeof infos[i]);
        infos[i] = check(&s);
    }
    base_parallel_set_max_threads(0);
    for (uint32_t i = 1; i < 3; i++) {
        assert_memory_equal(&infos[i].volume, &infos[0].volume, sizeof infos[0].volume);
        assert_memory_equal(&infos[i].area, &infos[0].area, sizeof infos[0].area);
        assert_true(infos[i].angle_mean == infos[0].angle_mean &&
                    infos[i].quality_mean == infos[0].quality_mean &&
                    infos[i].aspect_p95 == infos[0].aspect_p95);
    }
    assert_true(infos[0].closed && infos[0].manifold);
    mesher_surface_free(&s);
}

/* A million triangles on one edge must not take quadratic time. */
static void a_book_of_many_leaves_is_measured(void **state)
{
    enum { LEAVES = 300000 };
    mesher_surface s = {.vertex_count = LEAVES + 2, .triangle_count = LEAVES};
    s.position = base_alloc(s.vertex_count, sizeof *s.position);
    s.index = base_alloc(s.triangle_count, 3 * sizeof *s.index);
    assert_true(s.position && s.index);
    s.position[1].y = 1;
    for (uint32_t i = 0; i < LEAVES; i++) {
        s.position[i + 2] = vec3_make(cosf((float)i), 0, sinf((float)i));
        memcpy(s.index + 3 * i, ((const uint32_t[]){0, 1, i + 2}), 3 * sizeof *s.index);
    }
    const weir_mesh_info info = check(&s);
    assert_int_equal(info.nonmanifold_edges, 1);
    assert_int_equal(info.boundary_edges, 2 * LEAVES);
    assert_int_equal(info.duplicate_triangles, 0);
    mesher_surface_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_is_closed_manifold_and_wound_outwards),
        cmocka_unit_test(a_missing_triangle_is_a_hole),
        cmocka_unit_test(a_turned_triangle_flips_three_edges),
        cmocka_unit_test(two_balls_that_share_a_vertex_have_two_fans_there),
        cmocka_unit_test(a_fin_makes_an_edge_and_its_ends_non_manifold),
        cmocka_unit_test(a_ball_wound_inwards_is_a_void_inside_and_inside_out_outside),
        cmocka_unit_test(a_drop_inside_a_void_is_a_component_of_its_own),
        cmocka_unit_test(doubles_are_counted),
        cmocka_unit_test(shapes_of_triangles_are_measured),
        cmocka_unit_test(triangles_without_area_are_degenerate),
        cmocka_unit_test(nothing_has_no_faults),
        cmocka_unit_test(figures_are_the_same_on_any_number_of_threads),
        cmocka_unit_test(a_book_of_many_leaves_is_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
