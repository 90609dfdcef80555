/* Tests the fit of ellipsoids against tests/ref, on lattices with known results and on edge
 * cases. */
#include "device_support.h"
#include "grid.h"
#include "ref_anisotropy.h"
#include "sim_support.h"

#define SPACING 0.02f

typedef struct cloud {
    vec4 *points;
    uint32_t count;
    vec4 *centres, *shapes;
} cloud;

static cloud make_cloud(uint32_t count)
{
    cloud c = {.count = count};
    c.points = base_alloc(count + 1u, sizeof(vec4));
    c.centres = base_alloc(count + 1u, sizeof(vec4));
    c.shapes = base_alloc(2u * count + 1u, sizeof(vec4));
    assert_true(c.points && c.centres && c.shapes);
    return c;
}

static void free_cloud(cloud *c)
{
    base_free(c->points);
    base_free(c->centres);
    base_free(c->shapes);
}

static grid_anisotropy_def usual(uint32_t capacity)
{
    return (grid_anisotropy_def){
        .min = {-0.5f, -0.5f, -0.5f},
        .max = {0.5f, 0.5f, 0.5f},
        .capacity = capacity,
        .spacing_m = SPACING,
        .radius_m = 2.0f * SPACING,
        .smoothing = 0.9f,
        .stretch = 4.0f,
        .sheet_reach = 1.5f,
    };
}

static ref_anisotropy reference_of(const grid_anisotropy_def *def)
{
    ref_anisotropy fit = {(double)def->spacing_m,
                          (double)def->radius_m,
                          (double)def->smoothing,
                          (double)def->stretch,
                          {0},
                          (double)def->sheet_reach};
    const vec3 size = vec3_sub(def->max, def->min);
    const float sizes[3] = {size.x, size.y, size.z};
    for (int k = 0; k < 3; k++)
        fit.period[k] = def->periodic[k] ? (double)sizes[k] : 0.0;
    return fit;
}

static void run(const grid_anisotropy_def *def, cloud *c)
{
    grid_anisotropy *a = NULL;
    gpu_buffer *positions = NULL;
    gpu_pass passes[GRID_ANISOTROPY_PASSES];
    OK(grid_anisotropy_create(device, def, &a));
    const gpu_buffer_def buffer = {.name = "points", .stride = 16, .count = def->capacity};
    OK(gpu_buffer_create(device, &buffer, &positions));
    OK(gpu_buffer_upload(device, positions, 0, c->points, c->count * sizeof(vec4)));
    const particle_view points = {.count = c->count, .position = positions};
    OK(gpu_run_passes(device, passes, grid_anisotropy_passes(a, &points, passes)));
    OK(gpu_buffer_download(device, grid_anisotropy_centres(a), 0, c->centres,
                           c->count * sizeof(vec4)));
    OK(gpu_buffer_download(device, grid_anisotropy_shapes(a), 0, c->shapes,
                           2 * c->count * sizeof(vec4)));
    gpu_buffer_destroy(device, &positions);
    grid_anisotropy_destroy(device, &a);
}

static void matrix_of(const cloud *c, uint32_t i, double a[3][3])
{
    vec4 x = c->shapes[2 * i], y = c->shapes[2 * i + 1];
    const float six[6] = {x.x, x.y, x.z, x.w, y.x, y.y};
    static const int at[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
            a[k][l] = (double)six[at[k][l]];
}

static void assert_near(double a, double b, double most, uint32_t i, const char *what)
{
    if (!(fabs(a - b) <= most)) fail_msg("%s of point %u: %g, expected %g", what, i, a, b);
}

static void assert_like_reference(const grid_anisotropy_def *def, const cloud *c)
{
    ref_anisotropy fit = reference_of(def);
    for (uint32_t i = 0; i < c->count; i++) {
        ref_shape expected = ref_anisotropy_fit(&fit, c->points, c->count, i);
        double a[3][3], values[3], det;
        matrix_of(c, i, a);
        for (int k = 0; k < 9; k++)
            assert_near(a[k / 3][k % 3], expected.matrix[k / 3][k % 3], 2e-4, i, "matrix");
        assert_near((double)c->centres[i].x, expected.centre[0], 1e-6, i, "centre x");
        assert_near((double)c->centres[i].y, expected.centre[1], 1e-6, i, "centre y");
        assert_near((double)c->centres[i].z, expected.centre[2], 1e-6, i, "centre z");
        assert_near((double)c->centres[i].w, expected.share, 1e-4, i, "share");
        assert_near((double)c->shapes[2 * i + 1].z, expected.neighbours, 0.0, i, "neighbours");
        ref_eigenvalues(expected.matrix, values);
        det = values[0] * values[1] * values[2];
        assert_near((double)c->shapes[2 * i + 1].w, det, 1e-3, i, "determinant");
    }
}

static void scatter(cloud *c, float extent)
{
    for (uint32_t i = 0; i < c->count; i++)
        c->points[i] = (vec4){extent * (base_hash_to_unit(4ull * i) - 0.5f),
                              extent * (base_hash_to_unit(4ull * i + 1) - 0.5f),
                              extent * (base_hash_to_unit(4ull * i + 2) - 0.5f), 1.0f};
}

static void shapes_and_centres_equal_the_reference(void **state)
{
    static const uint32_t sizes[] = {0, 1, 63, 64, 65, 2000};
    for (size_t s = 0; s < BASE_COUNT(sizes); s++) {
        cloud c = make_cloud(sizes[s]);
        const grid_anisotropy_def def = usual(sizes[s] + (s == 3 ? 0u : 7u));
        scatter(&c, sizes[s] < 100 ? 0.07f : 0.25f);
        run(&def, &c);
        assert_like_reference(&def, &c);
        free_cloud(&c);
    }
}

static void neighbours_are_found_across_periodic_sides(void **state)
{
    cloud c = make_cloud(500);
    grid_anisotropy_def def = usual(500);
    def.periodic[0] = def.periodic[2] = true;
    scatter(&c, 0.2f);
    for (uint32_t i = 0; i < c.count; i++) { /* around a periodic edge of the domain */
        c.points[i].x += c.points[i].x < 0.0f ? 0.5f : -0.5f;
        c.points[i].z += c.points[i].z < 0.0f ? 0.5f : -0.5f;
    }
    run(&def, &c);
    assert_like_reference(&def, &c);
    free_cloud(&c);
}

/* ---- lattices ------------------------------------------------------------------------------- */

/* A block of nx * ny * nz sites around the origin, rotated by `q`. */
static cloud lattice(int nx, int ny, int nz, quat q)
{
    cloud c = make_cloud((uint32_t)(nx * ny * nz));
    uint32_t i = 0;
    for (int x = 0; x < nx; x++)
        for (int y = 0; y < ny; y++)
            for (int z = 0; z < nz; z++) {
                vec3 p = {SPACING * ((float)x - 0.5f * (float)(nx - 1)),
                          SPACING * ((float)y - 0.5f * (float)(ny - 1)),
                          SPACING * ((float)z - 0.5f * (float)(nz - 1))};
                p = quat_rotate(q, p);
                c.points[i++] = (vec4){p.x, p.y, p.z, 1.0f};
            }
    return c;
}

static uint32_t middle(const cloud *c)
{
    return c->count / 2; /* the centre, for odd side lengths */
}

static void assert_radii(const cloud *c, double low, double mid, double high)
{
    double a[3][3], values[3];
    matrix_of(c, middle(c), a);
    ref_eigenvalues(a, values);
    const double expected[3] = {low, mid, high};
    for (int k = 0; k < 3; k++)
        assert_near(values[k], expected[k], 1e-3, middle(c), "radius");
}

static void a_full_lattice_gives_unit_spheres(void **state)
{
    cloud c = lattice(7, 7, 7, quat_identity());
    const grid_anisotropy_def def = usual(c.count);
    run(&def, &c);
    assert_radii(&c, 1.0, 1.0, 1.0);
    assert_near((double)c.centres[middle(&c)].w, 1.0, 1e-4, middle(&c), "share");
    free_cloud(&c);
}

static void a_sheet_gives_discs_across_its_normal(void **state)
{
    double thin = pow(4.0, -2.0 / 3.0), wide = pow(4.0, 1.0 / 3.0); /* ratio 4, volume 1 */
    const vec3 axis = {0.6f, 0.0f, 0.8f};
    for (int turn = 0; turn < 4; turn++) {
        quat q = quat_from_axis_angle(axis, 0.7f * (float)turn);
        cloud c = lattice(9, 1, 9, q);
        const grid_anisotropy_def def = usual(c.count);
        run(&def, &c);
        assert_radii(&c, thin, wide, wide);
        double a[3][3];
        matrix_of(&c, middle(&c), a);
        vec3 n = quat_rotate(q, vec3_make(0.0f, 1.0f, 0.0f));
        const double normal[3] = {(double)n.x, (double)n.y, (double)n.z};
        for (int k = 0; k < 3; k++) /* the normal is the thin axis */
            assert_near(a[k][0] * normal[0] + a[k][1] * normal[1] + a[k][2] * normal[2],
                        thin * normal[k], 1e-3, middle(&c), "turned axis");
        free_cloud(&c);
    }
}

/* In a sheet stretched by one half, each particle has four neighbours: ellipsoids are twice as
 * flat, so that discs touch, and none is spray. Four neighbours that are not coplanar make no
 * disc. */
static void a_stretched_sheet_has_flat_discs_that_meet(void **state)
{
    cloud c = lattice(9, 1, 9, quat_identity());
    const grid_anisotropy_def def = usual(c.count);
    for (uint32_t i = 0; i < c.count; i++) {
        c.points[i].x *= 1.5f;
        c.points[i].z *= 1.5f;
    }
    run(&def, &c);
    assert_radii(&c, 0.25, 2.0, 2.0);
    assert_near((double)c.centres[middle(&c)].w, 0.3, 1e-4, middle(&c), "share");
    free_cloud(&c);
    cloud corner = make_cloud(5);
    const grid_anisotropy_def few = usual(5);
    for (uint32_t i = 0; i < 4; i++) {
        float s = 0.9f * SPACING;
        uint32_t to = i < 2 ? i : i + 1; /* the middle one stays at the origin */
        corner.points[to] = (vec4){i & 1u ? s : -s, i & 2u ? s : -s, i % 3u ? s : -s, 1.0f};
    }
    run(&few, &corner);
    assert_radii(&corner, 1.0, 1.0, 1.0);
    assert_true(corner.centres[middle(&corner)].w < 0.2f);
    free_cloud(&corner);
}

/* A sheet across y, with each point displaced by up to 15 % of the spacing along each axis. */
static cloud shaken_sheet(float stretch)
{
    cloud c = lattice(21, 1, 21, quat_identity());
    for (uint32_t i = 0; i < c.count; i++) {
        float *axes[3] = {&c.points[i].x, &c.points[i].y, &c.points[i].z};
        for (uint32_t k = 0; k < 3; k++)
            *axes[k] =
                stretch * (*axes[k] + 0.3f * SPACING * (base_hash_to_unit(3ull * i + k) - 0.5f));
    }
    return c;
}

/* With few neighbours, the search for sheets reaches farther: a sheet, and points that form none.
 * They lie around the edges of a periodic domain, which is too low for the wider search in one
 * case. */
static void sparse_points_equal_the_reference(void **state)
{
    for (int k = 0; k < 4; k++) {
        bool sheet = k & 1, low = k & 2;
        cloud c = sheet ? shaken_sheet(1.9f) : make_cloud(low ? 900 : 1500);
        grid_anisotropy_def def = usual(c.count);
        def.max.y = (low ? 1.5f : 2.51f) * def.radius_m;
        def.min.y = -def.max.y;
        for (int axis = 0; axis < 3; axis++)
            def.periodic[axis] = true;
        if (!sheet) scatter(&c, 1.0f);
        for (uint32_t i = 0; i < c.count; i++) {
            vec4 *p = &c.points[i];
            p->x += p->x < 0.0f ? 0.5f : -0.5f;
            p->z += p->z < 0.0f ? 0.5f : -0.5f;
            if (!sheet) p->y *= 2.0f * def.max.y;
        }
        run(&def, &c);
        if (low) def.sheet_reach = 1.0f;
        assert_like_reference(&def, &c);
        free_cloud(&c);
    }
}

/* Reports whether an ellipsoid covers a point of the sheet's plane. Ellipsoids are as large as the
 * renderer draws those of a sheet. */
static bool is_covered(const cloud *c, double x, double z)
{
    const double radius = (0.62 + 0.28 * 0.74) * (double)SPACING;
    for (uint32_t i = 0; i < c->count; i++) {
        double a[3][3], q[2][2] = {{0}};
        const double off[2] = {(x - (double)c->centres[i].x) / radius,
                               (z - (double)c->centres[i].z) / radius};
        matrix_of(c, i, a);
        for (int k = 0; k < 3; k++) { /* the outline seen along y: A A^T without y */
            q[0][0] += a[0][k] * a[0][k];
            q[0][1] += a[0][k] * a[2][k];
            q[1][1] += a[2][k] * a[2][k];
        }
        double det = q[0][0] * q[1][1] - q[0][1] * q[0][1];
        double way =
            q[1][1] * off[0] * off[0] - 2.0 * q[0][1] * off[0] * off[1] + q[0][0] * off[1] * off[1];
        if (way < det) return true;
    }
    return false;
}

/* Returns the uncovered fraction of the sheet's middle in percent. */
static double holes_of(const cloud *c, float stretch)
{
    enum { ACROSS = 120 };
    uint32_t open = 0;
    double wide = 14.0 * (double)(stretch * SPACING);
    for (uint32_t i = 0; i < ACROSS * ACROSS; i++)
        open += !is_covered(c, wide * ((i % ACROSS + 0.5) / ACROSS - 0.5),
                            wide * ((i / ACROSS + 0.5) / ACROSS - 0.5));
    return 100.0 * open / (ACROSS * ACROSS);
}

static void a_shaken_sheet_has_no_holes_below_two_spacings(void **state)
{
    static const float stretches[] = {1.0f, 1.25f, 1.5f, 1.75f, 1.9f, 2.0f};
    for (size_t k = 0; k < BASE_COUNT(stretches); k++) {
        cloud c = shaken_sheet(stretches[k]);
        grid_anisotropy_def def = usual(c.count);
        run(&def, &c);
        double holes = holes_of(&c, stretches[k]);
        print_message("  %g spacings: %.2f %% holes\n", (double)stretches[k], holes);
        assert_true(holes <= 1.0);
        free_cloud(&c);
    }
}

/* A disc at the rim would protrude by more than a spacing. */
static void only_inside_a_far_stretched_sheet_are_discs(void **state)
{
    cloud c = lattice(9, 1, 9, quat_identity());
    const grid_anisotropy_def def = usual(c.count);
    for (uint32_t i = 0; i < c.count; i++) {
        c.points[i].x *= 1.9f;
        c.points[i].z *= 1.9f;
    }
    run(&def, &c);
    for (uint32_t i = 0; i < c.count; i++) {
        uint32_t x = i / 9, z = i % 9;
        bool inside = x % 8 && z % 8;
        double a[3][3];
        matrix_of(&c, i, a);
        for (int k = 0; k < 3; k++)
            assert_near(a[k][k], inside ? (k == 1 ? 0.25 : 2.0) : 1.0, 1e-3, i, "radius");
    }
    free_cloud(&c);
}

static void a_line_gives_needles_along_it(void **state)
{
    cloud c = lattice(1, 21, 1, quat_identity());
    grid_anisotropy_def def = usual(c.count);
    def.radius_m = 5.5f * SPACING; /* ten neighbours */
    run(&def, &c);
    double thin = pow(4.0, -1.0 / 3.0), length = fmin(pow(4.0, 2.0 / 3.0), 2.0);
    assert_radii(&c, thin, thin, length);
    free_cloud(&c);
}

static void a_flat_surface_and_a_droplet_stay_where_they_are(void **state)
{
    cloud flat = lattice(9, 5, 9, quat_identity());
    grid_anisotropy_def def = usual(flat.count);
    run(&def, &flat);
    uint32_t top = (4 * 5 + 4) * 9 + 4;
    assert_near((double)flat.centres[top].y, (double)flat.points[top].y, 1e-5, top, "height");
    free_cloud(&flat);
    cloud drop = lattice(3, 3, 3, quat_identity());
    def = usual(drop.count);
    run(&def, &drop);
    double before = 0.0, after = 0.0;
    for (uint32_t i = 0; i < drop.count; i++) {
        vec4 p = drop.points[i], q = drop.centres[i];
        before += sqrt((double)(p.x * p.x + p.y * p.y + p.z * p.z));
        after += sqrt((double)(q.x * q.x + q.y * q.y + q.z * q.z));
    }
    assert_true(after > 0.85 * before && after < before);
    free_cloud(&drop);
}

/* ---- edge cases ----------------------------------------------------------------------------- */

static void few_and_coincident_points_give_spheres(void **state)
{
    for (uint32_t count = 1; count <= 4; count++) {
        cloud c = make_cloud(12);
        c.count = count;
        for (uint32_t i = 0; i < count; i++)
            c.points[i] = (vec4){0.1f, 0.1f, 0.1f + 0.3f * SPACING * (float)i, 1.0f};
        grid_anisotropy_def def = usual(12);
        run(&def, &c);
        for (uint32_t i = 0; i < count; i++) {
            double a[3][3], values[3];
            matrix_of(&c, i, a);
            ref_eigenvalues(a, values);
            assert_near(values[0], 1.0, 1e-5, i, "radius");
            assert_near(values[2], 1.0, 1e-5, i, "radius");
        }
        free_cloud(&c);
    }
    cloud same = make_cloud(12);
    grid_anisotropy_def def = usual(12);
    run(&def, &same); /* all at the origin */
    assert_radii(&same, 1.0, 1.0, 1.0);
    assert_near((double)same.centres[5].x, 0.0, 0.0, 5, "centre");
    free_cloud(&same);
}

static void the_order_of_the_points_does_not_matter(void **state)
{
    cloud c = make_cloud(700), back = make_cloud(700);
    const grid_anisotropy_def def = usual(700);
    scatter(&c, 0.16f);
    for (uint32_t i = 0; i < 700; i++)
        back.points[699 - i] = c.points[i];
    run(&def, &c);
    run(&def, &back);
    for (uint32_t i = 0; i < 700; i++) {
        double a[3][3], b[3][3];
        matrix_of(&c, i, a);
        matrix_of(&back, 699 - i, b);
        for (int k = 0; k < 9; k++)
            assert_near(a[k / 3][k % 3], b[k / 3][k % 3], 2e-5, i, "matrix");
    }
    free_cloud(&c);
    free_cloud(&back);
}

static void nothing_depends_on_the_unit_of_length(void **state)
{
    cloud c = make_cloud(400), large = make_cloud(400);
    grid_anisotropy_def def = usual(400);
    scatter(&c, 0.12f);
    for (uint32_t i = 0; i < 400; i++)
        large.points[i] =
            (vec4){64.0f * c.points[i].x, 64.0f * c.points[i].y, 64.0f * c.points[i].z, 1.0f};
    run(&def, &c);
    def.min = vec3_scale(def.min, 64.0f);
    def.max = vec3_scale(def.max, 64.0f);
    def.spacing_m *= 64.0f;
    def.radius_m *= 64.0f;
    run(&def, &large);
    for (uint32_t i = 0; i < 400; i++) {
        double a[3][3], b[3][3];
        matrix_of(&c, i, a);
        matrix_of(&large, i, b);
        for (int k = 0; k < 9; k++)
            assert_near(a[k / 3][k % 3], b[k / 3][k % 3], 2e-5, i, "matrix");
    }
    free_cloud(&c);
    free_cloud(&large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_and_centres_equal_the_reference),
        cmocka_unit_test(sparse_points_equal_the_reference),
        cmocka_unit_test(neighbours_are_found_across_periodic_sides),
        cmocka_unit_test(a_full_lattice_gives_unit_spheres),
        cmocka_unit_test(a_sheet_gives_discs_across_its_normal),
        cmocka_unit_test(a_stretched_sheet_has_flat_discs_that_meet),
        cmocka_unit_test(a_shaken_sheet_has_no_holes_below_two_spacings),
        cmocka_unit_test(only_inside_a_far_stretched_sheet_are_discs),
        cmocka_unit_test(a_line_gives_needles_along_it),
        cmocka_unit_test(a_flat_surface_and_a_droplet_stay_where_they_are),
        cmocka_unit_test(few_and_coincident_points_give_spheres),
        cmocka_unit_test(the_order_of_the_points_does_not_matter),
        cmocka_unit_test(nothing_depends_on_the_unit_of_length),
    };
    return cmocka_run_group_tests(tests, open_validated_device, close_device);
}
