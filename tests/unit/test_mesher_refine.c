/* The steps after marching cubes: each reaches its goal, and none opens or tangles a surface. */
#include "io.h"
#include "surface_internal.h"
#include "surface_support.h"

/* ---- surfaces ------------------------------------------------------------------------------- */

static weir_mesh_info check(const mesher_surface *surface)
{
    weir_mesh_info info;
    assert_int_equal(mesher_surface_check(NULL, surface, &info), WEIR_OK);
    return info;
}

static void assert_sound(const mesher_surface *surface)
{
    const weir_mesh_info info = check(surface);
    assert_true(info.closed);
    assert_true(info.manifold);
    assert_int_equal(info.flipped_edges, 0);
    assert_int_equal(info.duplicate_triangles, 0);
    assert_int_equal(info.unused_vertices, 0);
}

static mesher_surface make_noise(float share, uint32_t nodes)
{
    const surface_lattice lattice = {nodes, {0, 0, 0}, 1};
    return surface_make(&lattice, surface_noise_field, &share);
}

/* Returns particles jittered inside their unit cells in a ball of `radius` spacings; release
   with base_free. */
static vec3 *make_jittered(float radius, uint32_t *count)
{
    const int n = (int)ceilf(radius);
    vec3 *points = base_alloc((size_t)(8 * n * n * n), sizeof *points);
    assert_non_null(points);
    *count = 0;
    uint64_t key = 1;
    for (int z = -n; z < n; z++)
        for (int y = -n; y < n; y++)
            for (int x = -n; x < n; x++) {
                const vec3 p = {(float)x + base_hash_to_unit(base_hash_mix64(key)),
                                (float)y + base_hash_to_unit(base_hash_mix64(key + 1)),
                                (float)z + base_hash_to_unit(base_hash_mix64(key + 2))};
                key += 3;
                const vec3 middle = {(float)x + 0.5f, (float)y + 0.5f, (float)z + 0.5f};
                if (vec3_length(middle) < radius) points[(*count)++] = p;
            }
    return points;
}

static mesher_surface make_cloud(const vec3 *points, uint32_t count, float spacing, uint32_t n_max,
                                 float radius)
{
    vec3 low = points[0], high = points[0];
    for (uint32_t i = 1; i < count; i++) {
        low = vec3_min(low, points[i]);
        high = vec3_max(high, points[i]);
    }
    const vec3 size = vec3_sub(high, low);
    const float reach = 2.5f * spacing;
    float cell = spacing;
    cell = fmaxf(cell, (fmaxf(size.x, fmaxf(size.y, size.z)) + 2 * reach) / (float)(n_max - 3));
    /* Nodes are at whole multiples of the cell. */
    const vec3 from = {cell * floorf((low.x - reach) / cell), cell * floorf((low.y - reach) / cell),
                       cell * floorf((low.z - reach) / cell)};
    const surface_lattice lattice = {n_max, from, cell};
    surface_cloud cloud = surface_cloud_make(points, count, &lattice, reach, radius * spacing);
    mesher_surface s = surface_make(&lattice, surface_cloud_field, &cloud);
    surface_cloud_free(&cloud);
    return s;
}

/* The ball of the issue: radius 20 spacings, jittered. */
static mesher_surface make_ball(void)
{
    uint32_t count;
    vec3 *points = make_jittered(20, &count);
    mesher_surface s = make_cloud(points, count, 1, 52, 0.62f);
    base_free(points);
    return s;
}

static mesher_surface make_smooth_ball(float radius)
{
    const surface_lattice lattice = {32, {-15.3f, -15.3f, -15.3f}, 1};
    return surface_make(&lattice, surface_sphere_field, &radius);
}

static mesher_surface copy_of(const mesher_surface *s)
{
    mesher_surface copy = {.vertex_count = s->vertex_count, .triangle_count = s->triangle_count};
    copy.position = base_alloc(s->vertex_count, sizeof *s->position);
    copy.index = base_alloc(s->triangle_count, 3 * sizeof *s->index);
    assert_true(copy.position && copy.index);
    memcpy(copy.position, s->position, s->vertex_count * sizeof *s->position);
    memcpy(copy.index, s->index, s->triangle_count * 3 * sizeof *s->index);
    return copy;
}

/* Adds a velocity and a channel that are linear in the position, so that interpolation preserves
   them. */
static void add_attributes(mesher_surface *s)
{
    s->velocity = base_alloc(s->vertex_count, sizeof *s->velocity);
    s->channel_count = 1;
    s->channel[0] = (mesher_vertex_channel){.name = "density", .components = 2};
    s->channel[0].values = base_alloc(s->vertex_count, 2 * sizeof(float));
    assert_true(s->velocity && s->channel[0].values);
    for (uint32_t v = 0; v < s->vertex_count; v++) {
        s->velocity[v] = vec3_scale(s->position[v], 2);
        s->channel[0].values[2 * v] = s->position[v].x;
        s->channel[0].values[2 * v + 1] = 7;
    }
}

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

/* ---- clean-up ------------------------------------------------------------------------------- */

static void clean_up_lifts_the_angles_and_keeps_the_volume(void **state)
{
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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

/* ---- smoothing ------------------------------------------------------------------------------ */

static weir_mesh_refine_def plain_def(void)
{
    return (weir_mesh_refine_def){.cell_size_m = 1,
                                  .decimate_ratio = 1,
                                  .max_triangles = UINT32_MAX,
                                  .normals = WEIR_MESH_NORMALS_FACES};
}

static weir_mesh_refine_def usual_def(void)
{
    weir_mesh_refine_def def = plain_def();
    def.remove_slivers = true;
    def.smooth_method = WEIR_MESH_SMOOTHING_LAPLACE;
    def.smooth_iterations = 8;
    def.smooth_strength = 0.5f;
    def.smooth_neighbours = 13;
    return def;
}

static weir_mesh_refine_info refine(mesher_surface *s, const weir_mesh_refine_def *def)
{
    weir_mesh_refine_info info;
    assert_int_equal(mesher_surface_refine(NULL, s, def, NULL, &info), WEIR_OK);
    return info;
}

static void a_cleaned_and_smoothed_ball_has_good_triangles_normals_and_volume(void **state)
{
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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

/* ---- parts ---------------------------------------------------------------------------------- */

/* A ball of radius 12 with a hollow of radius 6 that contains a drop of radius 3, and a small
   ball with a hollow next to it. */
static float nest_field(const void *user, vec3 p)
{
    (void)user;
    const float r = vec3_length(p), side = vec3_length(vec3_sub(p, vec3_make(18, 0, 0)));
    const float nest = fmaxf(r - 12, fminf(6 - r, 1e9f));
    return fminf(fminf(nest, r - 3), fmaxf(side - 4, 2 - side));
}

static mesher_surface make_nest(void)
{
    const surface_lattice lattice = {44, {-15.3f, -20.3f, -20.3f}, 1};
    return surface_make(&lattice, nest_field, NULL);
}

static void voids_are_filled_on_request(void **state)
{
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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

/* ---- solids and box ------------------------------------------------------------------------- */

/* Glass: the half space below y = -5, and a ball of radius 4 at the top. */
static float glass_distance(void *user, vec3 p)
{
    (void)user;
    return fminf(p.y + 5, vec3_length(vec3_sub(p, vec3_make(0, 11, 0))) - 4);
}

static void water_meets_glass_flush(void **state)
{
    (void)state;
    mesher_surface s = make_smooth_ball(10);
    const mesher_solid glass = {glass_distance, NULL};
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
    (void)state;
    mesher_surface s = make_smooth_ball(10);
    const mesher_solid glass = {glass_distance, NULL};
    const mesher_snap_def def = {1, -0.25f};
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

static void a_box_holds_the_surface(void **state)
{
    (void)state;
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
    (void)state;
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
    (void)state;
    mesher_surface s = {0};
    weir_mesh_refine_def def = usual_def();
    def.min_component_triangles = 10;
    def.remove_voids = def.clamp_to_box = true;
    def.decimate_ratio = 0.5;
    const mesher_solid glass = {glass_distance, NULL};
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
    (void)state;
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
    const mesher_solid glass = {glass_distance, NULL};
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
    (void)state;
    mesher_surface raw = make_noise(0.45f, 24), first = {0};
    add_attributes(&raw);
    weir_mesh_refine_def def = usual_def();
    def.min_component_triangles = 20;
    def.remove_voids = true;
    def.decimate_ratio = 0.5;
    def.normal_smooth_iterations = 2;
    const mesher_solid glass = {glass_distance, NULL};
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
    (void)state;
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
    (void)state;
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
        cmocka_unit_test(clean_up_lifts_the_angles_and_keeps_the_volume),
        cmocka_unit_test(clean_up_keeps_tangled_noise_closed_and_manifold),
        cmocka_unit_test(clean_up_carries_what_the_vertices_have),
        cmocka_unit_test(vertices_on_a_rim_stay),
        cmocka_unit_test(a_tetrahedron_is_left_whole),
        cmocka_unit_test(a_vertex_between_two_fans_stays),
        cmocka_unit_test(a_cleaned_and_smoothed_ball_has_good_triangles_normals_and_volume),
        cmocka_unit_test(smoothing_keeps_the_volume_of_each_part),
        cmocka_unit_test(vertices_with_few_neighbours_move_less),
        cmocka_unit_test(normals_point_outwards_and_have_unit_length),
        cmocka_unit_test(voids_are_filled_on_request),
        cmocka_unit_test(small_parts_go_with_their_hollows),
        cmocka_unit_test(a_hollow_goes_with_its_body),
        cmocka_unit_test(decimation_reaches_its_target_and_stays_sound),
        cmocka_unit_test(decimation_stops_at_its_error),
        cmocka_unit_test(decimated_noise_stays_closed_and_manifold),
        cmocka_unit_test(water_meets_glass_flush),
        cmocka_unit_test(an_offset_lets_water_overlap_glass),
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
