/* The clean-up of a surface, the removal of its small parts and voids, and its decimation: each
 * reaches its goal, and none opens or tangles a surface. */
#include "io.h"
#include "refined_surfaces.h"

/* ---- clean-up ------------------------------------------------------------------------------- */

static void clean_up_lifts_the_angles_and_keeps_the_volume(void **state)
{
    mesher_surface s = make_ball();
    const weir_mesh_info raw = check(&s);
    mesher_clean_info clean;
    assert_int_equal(mesher_surface_clean(NULL, &s, 1, &clean), WEIR_OK);
    const weir_mesh_info info = check(&s);
    assert_sound(&s);
    assert_true(raw.angle_below_5 > 0.03 && raw.angle_p1 < 2);
    assert_true(info.angle_below_5 < 0.002 && info.angle_p1 > 18);
    assert_true(info.quality_mean > 0.79);
    assert_int_equal(info.components, 1);
    assert_int_equal(info.euler, raw.euler);
    assert_int_equal(info.degenerate_triangles + clean.degenerate, 0);
    assert_true(fabs(info.volume / raw.volume - 1) < 0.002);
    assert_true(clean.collapsed > 1000 && info.triangles < raw.triangles);
    assert_int_equal(raw.triangles, info.triangles + 2 * clean.collapsed + clean.removed);
    mesher_surface_free(&s);
}

static void clean_up_keeps_tangled_noise_closed_and_manifold(void **state)
{
    static const float shares[] = {0.05f, 0.2f, 0.35f, 0.5f, 0.65f, 0.8f, 0.95f};
    for (size_t i = 0; i < BASE_COUNT(shares); i++) {
        mesher_surface s = make_noise(shares[i], 20);
        const weir_mesh_info raw = check(&s);
        assert_true(raw.closed && raw.manifold && raw.oriented);
        mesher_clean_info clean;
        assert_int_equal(mesher_surface_clean(NULL, &s, 1, &clean), WEIR_OK);
        assert_sound(&s);
        const weir_mesh_info info = check(&s);
        assert_int_equal(info.degenerate_triangles, 0);
        assert_int_equal(info.inside_out, 0);
        assert_true(info.angle_below_5 < raw.angle_below_5);
        mesher_surface_free(&s);
    }
}

static void clean_up_carries_what_the_vertices_have(void **state)
{
    mesher_surface s = make_smooth_ball(10);
    add_attributes(&s);
    mesher_clean_info clean;
    assert_int_equal(mesher_surface_clean(NULL, &s, 1, &clean), WEIR_OK);
    assert_true(clean.collapsed > 500);
    float worst = 0;
    for (uint32_t v = 0; v < s.vertex_count; v++) {
        /* A slide along the surface changes only the position, by a fraction of a cell. */
        const vec3 off = vec3_sub(s.velocity[v], vec3_scale(s.position[v], 2));
        worst = fmaxf(worst, vec3_length(off));
        assert_true(fabsf(s.channel[0].values[2 * v + 1] - 7) < 1e-4f);
    }
    assert_true(worst < 1);
    mesher_surface_free(&s);
}

static void vertices_on_a_rim_stay(void **state)
{
    mesher_surface s = make_smooth_ball(10);
    s.triangle_count -= s.triangle_count / 3;
    const weir_mesh_info before = check(&s);
    assert_false(before.closed);
    mesher_clean_info clean;
    assert_int_equal(mesher_surface_clean(NULL, &s, 1, &clean), WEIR_OK);
    const weir_mesh_info after = check(&s);
    assert_int_equal(after.boundary_edges, before.boundary_edges);
    assert_true(clean.collapsed > 100 && after.euler == before.euler);
    mesher_surface_free(&s);
}

/* No smaller mesh is closed and 2-manifold. */
static void a_tetrahedron_is_left_whole(void **state)
{
    static const vec3 corners[4] = {{0, 0, 0}, {0.1f, 0, 0}, {0, 0.02f, 0}, {0, 0, 0.1f}};
    static const uint32_t faces[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    const mesher_surface four = {.vertex_count = 4,
                                 .triangle_count = 4,
                                 .position = (vec3 *)(uintptr_t)corners,
                                 .index = (uint32_t *)(uintptr_t)faces};
    mesher_surface s = copy_of(&four);
    halfedge_mesh mesh;
    assert_int_equal(halfedge_mesh_create(NULL, &s, &mesh), WEIR_OK);
    for (uint32_t h = 0; h < 12; h++)
        assert_false(halfedge_can_collapse(&mesh, h) || halfedge_can_flip(&mesh, h));
    halfedge_mesh_free(&mesh);
    mesher_clean_info clean;
    assert_int_equal(mesher_surface_clean(NULL, &s, 1, &clean), WEIR_OK);
    assert_int_equal(s.triangle_count, 4);
    assert_sound(&s);
    mesher_surface_free(&s);
}

/* Appends a surface, with reversed winding on request. */
static void append(mesher_surface *s, const mesher_surface *more, bool turned)
{
    const uint32_t first = s->vertex_count, corners = 3 * s->triangle_count;
    s->vertex_count += more->vertex_count;
    s->triangle_count += more->triangle_count;
    s->position = base_realloc(s->position, s->vertex_count, sizeof *s->position);
    s->index = base_realloc(s->index, s->triangle_count, 3 * sizeof *s->index);
    assert_true(s->position && s->index);
    memcpy(s->position + first, more->position, more->vertex_count * sizeof *s->position);
    for (uint32_t i = 0; i < 3 * more->triangle_count; i++) {
        const uint32_t from = turned ? 3 * (i / 3) + (3 - i % 3) % 3 : i;
        s->index[corners + i] = more->index[from] + first;
    }
}

static void a_vertex_between_two_fans_stays(void **state)
{
    mesher_surface s = make_smooth_ball(6), other = make_smooth_ball(6);
    for (uint32_t v = 0; v < other.vertex_count; v++)
        other.position[v].x += 13;
    const uint32_t first = s.vertex_count;
    append(&s, &other, false);
    for (uint32_t i = 0; i < 3 * s.triangle_count; i++)
        if (s.index[i] == first) s.index[i] = 0;
    assert_int_equal(check(&s).nonmanifold_vertices, 1);
    halfedge_mesh mesh;
    assert_int_equal(halfedge_mesh_create(NULL, &s, &mesh), WEIR_OK);
    for (uint32_t v = 0; v < s.vertex_count; v++)
        assert_true(mesh.locked[v] == (v == 0));
    halfedge_mesh_free(&mesh);
    mesher_clean_info clean;
    assert_int_equal(mesher_surface_clean(NULL, &s, 1, &clean), WEIR_OK);
    const weir_mesh_info info = check(&s);
    assert_true(info.closed && info.oriented && clean.collapsed > 100);
    assert_int_equal(info.nonmanifold_vertices, 1);
    assert_int_equal(info.nonmanifold_edges, 0);
    mesher_surface_free(&other);
    mesher_surface_free(&s);
}

/* ---- parts ---------------------------------------------------------------------------------- */

static void voids_are_filled_on_request(void **state)
{
    mesher_surface s = make_nest();
    assert_int_equal(check(&s).components, 5);
    assert_int_equal(check(&s).voids, 2);
    mesher_surface t = copy_of(&s);
    mesher_filter_info info;
    assert_int_equal(mesher_surface_filter(NULL, &s, &(mesher_filter_def){0, 0, false}, &info),
                     WEIR_OK);
    assert_int_equal(check(&s).components, 5);
    assert_int_equal(mesher_surface_filter(NULL, &s, &(mesher_filter_def){0, 0, true}, &info),
                     WEIR_OK);
    assert_int_equal(info.parts, 5);
    assert_int_equal(info.voids, 2);
    assert_int_equal(info.filled_voids, 2);
    assert_int_equal(info.small_parts, 0);
    /* The drop now lies in filled water, as a component of its own. */
    assert_int_equal(check(&s).components, 3);
    assert_int_equal(check(&s).voids, 0);
    assert_sound(&s);
    /* The small ball is removed together with its hollow: neither remains inside out. */
    assert_int_equal(mesher_surface_filter(NULL, &t, &(mesher_filter_def){0, 400, false}, &info),
                     WEIR_OK);
    assert_int_equal(info.small_parts, 3);
    assert_int_equal(check(&t).components, 2);
    assert_int_equal(check(&t).voids, 1);
    assert_true(check(&t).oriented);
    mesher_surface_free(&t);
    mesher_surface_free(&s);
}

static void small_parts_go_with_their_hollows(void **state)
{
    mesher_surface s = make_nest();
    mesher_filter_info info;
    /* Below 600 m3 but above 200: the small ball (268 m3) is removed, and its hollow (33 m3)
       with it. */
    assert_int_equal(mesher_surface_filter(NULL, &s, &(mesher_filter_def){600, 0, false}, &info),
                     WEIR_OK);
    const weir_mesh_info left = check(&s);
    assert_true(left.oriented && left.components + info.small_parts == 5);
    assert_int_equal(mesher_surface_filter(NULL, &s, &(mesher_filter_def){0, 1e9, false}, &info),
                     WEIR_OK);
    assert_int_equal(s.triangle_count + s.vertex_count, 0);
    mesher_surface_free(&s);
}

/* A hollow with many triangles in a body with few: the body is removed, and the hollow alone
   would be inside out. */
static void a_hollow_goes_with_its_body(void **state)
{
    mesher_surface s = make_smooth_ball(12), hollow = make_smooth_ball(4);
    const mesher_decimate_def coarse = {40, 0};
    mesher_decimate_info did;
    assert_int_equal(mesher_surface_decimate(NULL, &s, &coarse, &did), WEIR_OK);
    append(&s, &hollow, true);
    assert_int_equal(check(&s).voids, 1);
    mesher_filter_info info;
    assert_int_equal(mesher_surface_filter(NULL, &s, &(mesher_filter_def){50, 0, false}, &info),
                     WEIR_OK);
    assert_int_equal(info.small_parts, 2);
    assert_int_equal(s.triangle_count, 0);
    mesher_surface_free(&hollow);
    mesher_surface_free(&s);
}

/* ---- decimation ----------------------------------------------------------------------------- */

static void decimation_reaches_its_target_and_stays_sound(void **state)
{
    mesher_surface s = make_smooth_ball(12);
    add_attributes(&s);
    const double volume = check(&s).volume;
    const mesher_decimate_def def = {s.triangle_count / 10, 0};
    mesher_decimate_info info;
    assert_int_equal(mesher_surface_decimate(NULL, &s, &def, &info), WEIR_OK);
    assert_int_equal(info.after, s.triangle_count);
    assert_true(info.after <= def.triangles && info.after > def.triangles / 2);
    assert_sound(&s);
    assert_true(fabs(check(&s).volume / volume - 1) < 0.02);
    for (uint32_t v = 0; v < s.vertex_count; v++) {
        const vec3 off = vec3_sub(s.velocity[v], vec3_scale(s.position[v], 2));
        assert_true(vec3_length(off) == 0 && s.channel[0].values[2 * v] == s.position[v].x);
    }
    mesher_surface_free(&s);
}

static void decimation_stops_at_its_error(void **state)
{
    mesher_surface s = make_smooth_ball(12);
    const mesher_decimate_def def = {4, 0.05f};
    mesher_decimate_info info;
    assert_int_equal(mesher_surface_decimate(NULL, &s, &def, &info), WEIR_OK);
    assert_true(info.error_m <= 0.05f && info.after > 300);
    for (uint32_t v = 0; v < s.vertex_count; v++)
        assert_true(fabsf(vec3_length(s.position[v]) - 12) < 0.2f);
    assert_sound(&s);
    mesher_surface_free(&s);
}

/* Thin handles and drops pinch when they shrink: touching parts are cut. */
static void decimated_noise_stays_closed_and_manifold(void **state)
{
    static const float shares[] = {0.1f, 0.3f, 0.5f, 0.8f};
    uint32_t cuts = 0;
    for (size_t i = 0; i < BASE_COUNT(shares); i++) {
        mesher_surface s = make_noise(shares[i], 20);
        mesher_clean_info clean;
        assert_int_equal(mesher_surface_clean(NULL, &s, 1, &clean), WEIR_OK);
        for (uint32_t part = 2; part <= 20; part *= 10) {
            const mesher_decimate_def def = {s.triangle_count / part, 0};
            mesher_decimate_info info;
            assert_int_equal(mesher_surface_decimate(NULL, &s, &def, &info), WEIR_OK);
            assert_sound(&s);
            assert_true(check(&s).oriented);
            cuts += info.cuts;
        }
        mesher_surface_free(&s);
    }
    assert_true(cuts > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clean_up_lifts_the_angles_and_keeps_the_volume),
        cmocka_unit_test(clean_up_keeps_tangled_noise_closed_and_manifold),
        cmocka_unit_test(clean_up_carries_what_the_vertices_have),
        cmocka_unit_test(vertices_on_a_rim_stay),
        cmocka_unit_test(a_tetrahedron_is_left_whole),
        cmocka_unit_test(a_vertex_between_two_fans_stays),
        cmocka_unit_test(voids_are_filled_on_request),
        cmocka_unit_test(small_parts_go_with_their_hollows),
        cmocka_unit_test(a_hollow_goes_with_its_body),
        cmocka_unit_test(decimation_reaches_its_target_and_stays_sound),
        cmocka_unit_test(decimation_stops_at_its_error),
        cmocka_unit_test(decimated_noise_stays_closed_and_manifold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
