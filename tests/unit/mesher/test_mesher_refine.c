/* The steps after the clean-up of a surface, and all steps together: each reaches its goal, and
 * none opens or tangles a surface. */
#include "io.h"
#include "refined_surfaces.h"

/* ---- surfaces ------------------------------------------------------------------------------- */

static double normal_error(const mesher_surface *s)
{
    double sum = 0;
    for (uint32_t v = 0; v < s->vertex_count; v++) {
        const float length = vec3_length(s->position[v]);
        const double c = (double)(vec3_dot(s->position[v], s->normal[v]) / length);
        sum += acos(fmin(fmax(c, -1), 1));
    }
    return sum / s->vertex_count * 57.29578;
}

/* ---- smoothing ------------------------------------------------------------------------------ */

static void a_cleaned_and_smoothed_ball_has_good_triangles_normals_and_volume(void **state)
{
    mesher_surface raw = make_ball();
    for (uint32_t kind = 1; kind <= 2; kind++) {
        mesher_surface s = copy_of(&raw);
        weir_mesh_refine_def def = usual_def();
        def.smooth_method = kind == 1 ? WEIR_MESH_SMOOTHING_TAUBIN : WEIR_MESH_SMOOTHING_LAPLACE;
        def.smooth_iterations = kind == 1 ? 10 : 15;
        const weir_mesh_refine_info did = refine(&s, &def);
        const weir_mesh_info info = check(&s);
        assert_sound(&s);
        assert_true(info.angle_min > 5);
        assert_true(info.quality_mean >= 0.85);
        assert_int_equal(info.components, 1);
        assert_true(fabs(did.volume_after / did.volume_before - 1) < 0.005);
        assert_true(fabs(did.volume_after - info.volume) < 1e-6 * info.volume);
        assert_true(normal_error(&s) < (kind == 1 ? 7 : 2.5));
        mesher_surface_free(&s);
    }
    mesher_surface_free(&raw);
}

static void smoothing_keeps_the_volume_of_each_part(void **state)
{
    static const float radii[] = {1.1f, 2, 4, 12};
    for (size_t i = 0; i < BASE_COUNT(radii); i++) {
        mesher_surface s = make_smooth_ball(radii[i]);
        const double before = check(&s).volume;
        const mesher_smooth_def def = {MESHER_SMOOTH_LAPLACE, 10, 0.5f, NULL, 13};
        assert_int_equal(mesher_surface_smooth(NULL, &s, &def), WEIR_OK);
        assert_true(fabs(check(&s).volume / before - 1) < 0.01);
        assert_sound(&s);
        mesher_surface_free(&s);
    }
}

static void vertices_with_few_neighbours_move_less(void **state)
{
    mesher_surface s = make_smooth_ball(10);
    vec3 *before = base_alloc(s.vertex_count, sizeof *before);
    s.channel_count = 1;
    s.channel[0] = (mesher_vertex_channel){.name = "neighbours", .components = 1};
    s.channel[0].values = base_alloc(s.vertex_count, sizeof(float));
    assert_true(before && s.channel[0].values);
    for (uint32_t v = 0; v < s.vertex_count; v++)
        s.channel[0].values[v] = s.position[v].y > 0 ? 20 : 0;
    memcpy(before, s.position, s.vertex_count * sizeof *before);
    const mesher_smooth_def def = {MESHER_SMOOTH_LAPLACE, 5, 0.5f, "neighbours", 13};
    assert_int_equal(mesher_surface_smooth(NULL, &s, &def), WEIR_OK);
    uint32_t moved = 0;
    for (uint32_t v = 0; v < s.vertex_count; v++) {
        const bool same = memcmp(&before[v], &s.position[v], sizeof *before) == 0;
        assert_true(same || before[v].y > 0);
        moved += !same;
    }
    assert_true(moved > s.vertex_count / 3);
    const mesher_smooth_def wrong = {MESHER_SMOOTH_LAPLACE, 5, 0.5f, "depth", 13};
    assert_int_equal(mesher_surface_smooth(NULL, &s, &wrong), WEIR_ERROR_ARGUMENT);
    base_free(before);
    mesher_surface_free(&s);
}

static void normals_point_outwards_and_have_unit_length(void **state)
{
    mesher_surface s = make_smooth_ball(10);
    assert_int_equal(mesher_surface_normals(NULL, &s, 0), WEIR_OK);
    const double rough = normal_error(&s);
    assert_true(rough < 4);
    for (uint32_t v = 0; v < s.vertex_count; v++)
        assert_true(fabsf(vec3_length(s.normal[v]) - 1) < 1e-5f);
    assert_int_equal(mesher_surface_normals(NULL, &s, 5), WEIR_OK);
    assert_true(normal_error(&s) < rough);
    mesher_surface_free(&s);
}

/* ---- solids and box ------------------------------------------------------------------------- */

/* Glass: the half space below y = -5, and a ball of radius 4 at the top. */
static float glass_distance(void *user, vec3 p)
{
    (void)user;
    return fminf(p.y + 5, vec3_length(vec3_sub(p, vec3_make(0, 11, 0))) - 4);
}

static float no_solid(void *user, vec3 p)
{
    (void)user;
    (void)p;
    return INFINITY;
}

static void water_meets_glass_flush(void **state)
{
    mesher_surface s = make_smooth_ball(10);
    const mesher_solid glass = {.distance = glass_distance};
    weir_mesh_refine_def def = plain_def();
    weir_mesh_refine_info info;
    assert_int_equal(mesher_surface_refine(NULL, &s, &def, &glass, &info), WEIR_OK);
    assert_sound(&s);
    assert_true(info.snapped_vertices > 100);
    assert_int_equal(info.degenerate_triangles, 0);
    uint32_t flush = 0;
    for (uint32_t v = 0; v < s.vertex_count; v++) {
        const float d = glass_distance(NULL, s.position[v]);
        assert_true(d > -1e-3f);
        flush += d < 1e-3f;
    }
    assert_true(flush > 100);
    /* A cap of height 5 at the bottom and a lens at the top are removed. */
    assert_true(info.volume_after < info.volume_before - 0.9 * 3.14159 * 25 * (30 - 5) / 3);
    mesher_surface_free(&s);
}

static void an_offset_lets_water_overlap_glass(void **state)
{
    mesher_surface s = make_smooth_ball(10);
    const mesher_solid glass = {.distance = glass_distance};
    const mesher_snap_def def = {.band_m = 1, .offset_m = -0.25f};
    assert_true(mesher_surface_snap(&s, &glass, &def) > 100);
    uint32_t flush = 0;
    for (uint32_t v = 0; v < s.vertex_count; v++) {
        const float d = glass_distance(NULL, s.position[v]);
        assert_true(d > -0.251f);
        flush += fabsf(d + 0.25f) < 1e-3f;
    }
    assert_true(flush > 100);
    mesher_surface_free(&s);
}

/* Two walls cut a ball. Near their edge, the surface is within a voxel of both. */
static void water_fills_the_corner_between_two_walls(void **state)
{
    mesher_surface s = make_smooth_ball(10);
    const mesher_solid corner = {
        .distance = no_solid, .walls = {{{0, 1, 0}, -6}, {{-1, 0, 0}, -5}}, .wall_count = 2};
    weir_mesh_refine_def def = plain_def();
    weir_mesh_refine_info info;
    assert_int_equal(mesher_surface_refine(NULL, &s, &def, &corner, &info), WEIR_OK);
    assert_sound(&s);
    assert_int_equal(info.degenerate_triangles, 0);
    float most = 0;
    uint32_t on_edge = 0;
    for (uint32_t v = 0; v < s.vertex_count; v++) {
        const vec3 p = s.position[v];
        assert_true(p.y > -6.001f && p.x < 5.001f);
        const bool close = fabsf(p.y + 6) < 0.01f && fabsf(p.x - 5) < 0.01f;
        on_edge += close;
        if (close) most = fmaxf(most, fabsf(p.z));
    }
    /* The edge is inside the ball for |z| up to sqrt(100 - 36 - 25). */
    assert_true(on_edge > 8 && most > 5.2f && most < 7.8f);
    mesher_surface_free(&s);
}

/* A drop in the band around a wall keeps its shape, and one that pokes through is cut. */
static void a_drop_near_a_wall_is_not_flattened(void **state)
{
    mesher_surface s = make_smooth_ball(1.2f);
    const mesher_surface before = copy_of(&s);
    mesher_solid wall = {.distance = no_solid, .walls = {{{0, 1, 0}, -1.6f}}, .wall_count = 1};
    weir_mesh_refine_def def = plain_def();
    weir_mesh_refine_info info;
    assert_int_equal(mesher_surface_refine(NULL, &s, &def, &wall, &info), WEIR_OK);
    assert_int_equal(info.snapped_vertices, 0);
    assert_memory_equal(s.position, before.position, s.vertex_count * sizeof *s.position);
    wall.walls[0].along = -0.8f;
    assert_int_equal(mesher_surface_refine(NULL, &s, &def, &wall, &info), WEIR_OK);
    assert_true(info.snapped_vertices > 0);
    assert_true(fabs(check(&s).min[1] + 0.8) < 2e-3);
    mesher_surface_free(&s);
    mesher_surface copy = before;
    mesher_surface_free(&copy);
}

/* A slab parallel to a wall, whose near side is half a voxel from it: that side moves onto the
 * wall, the far side stays. */
static float slab_field(const void *user, vec3 p)
{
    (void)user;
    return fmaxf(fabsf(p.y - 0.6f) - 0.6f, fmaxf(fabsf(p.x), fabsf(p.z)) - 8);
}

static void the_far_side_of_a_sheet_keeps_its_distance(void **state)
{
    const surface_lattice lattice = {32, {-15.3f, -15.3f, -15.3f}, 1};
    mesher_surface s = surface_make(&lattice, slab_field, NULL);
    const mesher_solid wall = {
        .distance = no_solid, .walls = {{{0, 1, 0}, -0.4f}}, .wall_count = 1};
    weir_mesh_refine_def def = plain_def();
    weir_mesh_refine_info info;
    def.snap_distance_m = 4; /* reaches both sides */
    const double top = check(&s).max[1];
    assert_int_equal(mesher_surface_refine(NULL, &s, &def, &wall, &info), WEIR_OK);
    assert_true(info.snapped_vertices > 100);
    assert_true(fabs(check(&s).min[1] + 0.4) < 1e-3 && fabs(check(&s).max[1] - top) < 1e-3);
    mesher_surface_free(&s);
}

static void a_box_holds_the_surface(void **state)
{
    mesher_surface s = make_smooth_ball(10);
    weir_mesh_refine_def def = plain_def();
    def.clamp_to_box = true;
    const float box[6] = {-20, -6.4f, -20, 7.2f, 20, 20};
    memcpy(def.clamp_min, box, sizeof def.clamp_min);
    memcpy(def.clamp_max, box + 3, sizeof def.clamp_max);
    const weir_mesh_refine_info did = refine(&s, &def);
    const weir_mesh_info info = check(&s);
    assert_sound(&s);
    assert_true(did.clamped_vertices > 100 && info.degenerate_triangles == 0);
    assert_true(info.min[1] == -6.4f && info.max[0] == 7.2f);
    mesher_surface_free(&s);
}

static void what_lies_wholly_outside_the_box_goes(void **state)
{
    mesher_surface s = make_nest();
    weir_mesh_refine_def def = plain_def();
    def.clamp_to_box = true;
    const float box[6] = {-20, -20, -20, 13, 20, 20};
    memcpy(def.clamp_min, box, sizeof def.clamp_min);
    memcpy(def.clamp_max, box + 3, sizeof def.clamp_max);
    refine(&s, &def);
    assert_sound(&s);
    assert_int_equal(check(&s).components, 3);
    mesher_surface_free(&s);
}

/* ---- all steps together --------------------------------------------------------------------- */

static void nothing_can_be_refined(void **state)
{
    mesher_surface s = {0};
    weir_mesh_refine_def def = usual_def();
    def.min_component_triangles = 10;
    def.remove_voids = def.clamp_to_box = true;
    def.decimate_ratio = 0.5;
    const mesher_solid glass = {.distance = glass_distance};
    weir_mesh_refine_info info;
    assert_int_equal(mesher_surface_refine(NULL, &s, &def, &glass, &info), WEIR_OK);
    assert_int_equal(s.vertex_count + s.triangle_count + info.degenerate_triangles, 0);
    mesher_surface_free(&s);
}

/* Grants `left` blocks, then fails. */
static void *scarce_resize(void *user, void *memory, size_t size)
{
    long *left = user;
    if (size == 0) {
        free(memory);
        return NULL;
    }
    return (*left)-- > 0 ? realloc(memory, size) : NULL;
}

static void a_surface_outlives_memory_that_runs_out_anywhere(void **state)
{
    mesher_surface raw = make_noise(0.35f, 9);
    weir_mesh_refine_def def = usual_def();
    def.min_component_triangles = 20;
    def.remove_voids = def.clamp_to_box = true;
    def.decimate_ratio = 0.5;
    def.normal_smooth_iterations = 1;
    for (int k = 0; k < 3; k++) {
        def.clamp_min[k] = 2;
        def.clamp_max[k] = 6;
    }
    const mesher_solid glass = {.distance = glass_distance};
    base_parallel_set_max_threads(1);
    weir_result result = WEIR_ERROR_MEMORY;
    for (long blocks = 0; result != WEIR_OK; blocks++) {
        mesher_surface s = copy_of(&raw);
        add_attributes(&s);
        long left = blocks;
        const base_allocator scarce = {scarce_resize, &left};
        weir_mesh_refine_info info;
        base_allocator_set(&scarce);
        result = mesher_surface_refine(NULL, &s, &def, &glass, &info);
        base_allocator_set(NULL);
        assert_true(result == WEIR_OK || result == WEIR_ERROR_MEMORY);
        for (uint32_t i = 0; i < 3 * s.triangle_count; i++)
            assert_true(s.index[i] < s.vertex_count);
        const weir_mesh_info figures = check(&s);
        assert_true(figures.closed && figures.flipped_edges == 0);
        mesher_surface_free(&s);
    }
    base_parallel_set_max_threads(0);
    mesher_surface_free(&raw);
}

static void the_result_is_the_same_on_any_number_of_threads(void **state)
{
    mesher_surface raw = make_noise(0.45f, 24), first = {0};
    add_attributes(&raw);
    weir_mesh_refine_def def = usual_def();
    def.min_component_triangles = 20;
    def.remove_voids = true;
    def.decimate_ratio = 0.5;
    def.normal_smooth_iterations = 2;
    const mesher_solid glass = {.distance = glass_distance};
    for (uint32_t threads = 1; threads <= 5; threads += 2) {
        mesher_surface s = copy_of(&raw);
        add_attributes(&s);
        base_parallel_set_max_threads(threads);
        weir_mesh_refine_info info;
        assert_int_equal(mesher_surface_refine(NULL, &s, &def, &glass, &info), WEIR_OK);
        if (threads == 1) {
            first = s;
            continue;
        }
        assert_int_equal(s.vertex_count, first.vertex_count);
        assert_int_equal(s.triangle_count, first.triangle_count);
        const size_t vectors = s.vertex_count * sizeof *s.position;
        assert_memory_equal(s.index, first.index, s.triangle_count * 3 * sizeof *s.index);
        assert_memory_equal(s.position, first.position, vectors);
        assert_memory_equal(s.normal, first.normal, vectors);
        assert_memory_equal(s.velocity, first.velocity, vectors);
        mesher_surface_free(&s);
    }
    base_parallel_set_max_threads(0);
    mesher_surface_free(&first);
    mesher_surface_free(&raw);
}

static void sparse_clouds_stay_closed_and_manifold(void **state)
{
    enum { POINTS = 1500 };
    vec3 points[POINTS];
    for (uint32_t i = 0; i < POINTS; i++)
        points[i] = vec3_make(20 * base_hash_to_unit(base_hash_mix64(3 * i)),
                              20 * base_hash_to_unit(base_hash_mix64(3 * i + 1)),
                              20 * base_hash_to_unit(base_hash_mix64(3 * i + 2)));
    mesher_surface s = make_cloud(points, POINTS, 1, 30, 0.6f);
    const weir_mesh_info raw = check(&s);
    assert_true(raw.closed && raw.manifold && raw.oriented);
    weir_mesh_refine_def def = usual_def();
    const weir_mesh_refine_info info = refine(&s, &def);
    assert_sound(&s);
    assert_int_equal(check(&s).degenerate_triangles + info.degenerate_triangles, 0);
    assert_true(check(&s).oriented);
    mesher_surface_free(&s);
}

static float spacing_of(const io_particles *particles)
{
    vec3 low = particles->position[0], high = low;
    for (uint32_t i = 1; i < particles->count; i++) {
        low = vec3_min(low, particles->position[i]);
        high = vec3_max(high, particles->position[i]);
    }
    /* For water that fills a third of its box. */
    const vec3 size = vec3_sub(high, low);
    return cbrtf(fmaxf(size.x * size.y * size.z, 1e-9f) / (3 * (float)particles->count));
}

static void surfaces_of_real_particles_stay_closed_and_manifold(void **state)
{
    const char *folder = "../shared/particles";
    char **names = NULL;
    size_t count = 0, done = 0;
    if (!base_path_is_folder(folder)) skip();
    assert_int_equal(base_folder_list(NULL, folder, &names, &count), WEIR_OK);
    for (size_t i = 0; i < count; i++) {
        char *path = base_path_join(folder, names[i]);
        io_particles particles = {0};
        if (io_particles_read(NULL, path, &particles) == WEIR_OK && particles.count > 0) {
            const float spacing = spacing_of(&particles);
            mesher_surface s = make_cloud(particles.position, particles.count, spacing, 72, 0.62f);
            weir_mesh_refine_def def = usual_def();
            def.cell_size_m = spacing;
            const weir_mesh_refine_info info = refine(&s, &def);
            assert_sound(&s);
            assert_int_equal(check(&s).degenerate_triangles + info.degenerate_triangles, 0);
            assert_int_equal(check(&s).inside_out, 0);
            mesher_surface_free(&s);
            done++;
        }
        io_particles_free(&particles);
        base_free(path);
    }
    base_names_free(names, count);
    assert_true(done >= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cleaned_and_smoothed_ball_has_good_triangles_normals_and_volume),
        cmocka_unit_test(smoothing_keeps_the_volume_of_each_part),
        cmocka_unit_test(vertices_with_few_neighbours_move_less),
        cmocka_unit_test(normals_point_outwards_and_have_unit_length),
        cmocka_unit_test(water_meets_glass_flush),
        cmocka_unit_test(an_offset_lets_water_overlap_glass),
        cmocka_unit_test(water_fills_the_corner_between_two_walls),
        cmocka_unit_test(a_drop_near_a_wall_is_not_flattened),
        cmocka_unit_test(the_far_side_of_a_sheet_keeps_its_distance),
        cmocka_unit_test(a_box_holds_the_surface),
        cmocka_unit_test(what_lies_wholly_outside_the_box_goes),
        cmocka_unit_test(nothing_can_be_refined),
        cmocka_unit_test(a_surface_outlives_memory_that_runs_out_anywhere),
        cmocka_unit_test(the_result_is_the_same_on_any_number_of_threads),
        cmocka_unit_test(sparse_clouds_stay_closed_and_manifold),
        cmocka_unit_test(surfaces_of_real_particles_stay_closed_and_manifold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
