/* Checks the guarantees of the mesher for its surfaces: volume, normals, components, closedness,
 * and identical bytes. The bodies and figures are those of the project's reference measurements. */
#include "io.h"
#include "mesh_support.h"

#define D 0.05f

static gpu_device *device;
static mesher *calibrated;

static int open_device(void **state)
{
    device = open_gpu(false);
    weir_mesher_def def = preset("calibrated");
    calibrated = make_mesher(device, &def);
    return 0;
}

static int close_device(void **state)
{
    mesher_destroy(&calibrated);
    return close_gpu(&device);
}

static const double pi = 3.14159265358979;

static cloud ball_of(double radius_d, double shift)
{
    return cloud_ball(D, (ball){0.31 + shift, 0.22 + shift, -0.13 + shift, radius_d * (double)D});
}

/* Shifts every particle, which moves the lattice relative to the cloud. */
static void shift_cloud(cloud *c, vec3 by)
{
    for (uint32_t i = 0; i < c->count; i++) {
        c->items[i].x += by.x;
        c->items[i].y += by.y;
        c->items[i].z += by.z;
    }
}

static double mean_normal_error(const mesher_surface *s, vec3 centre)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < s->vertex_count; i++) {
        vec3 offset = vec3_sub(s->position[i], centre);
        double cosine = (double)(vec3_dot(offset, s->normal[i]) / vec3_length(offset));
        sum += acos(fmin(cosine, 1.0));
    }
    return sum / s->vertex_count * 180.0 / pi;
}

/* ---- shape ---------------------------------------------------------------------------------- */

static void a_ball_keeps_its_volume_and_its_normals(void **state)
{
    cloud c = ball_of(20.0, 0.0);
    mesher_surface s = mesh_cloud(calibrated, device, &c);
    census k = take_census(&s);
    double volume = 4.0 / 3.0 * pi * pow(20.0 * (double)D, 3.0);
    assert_closed_manifold(&k);
    assert_int_equal(k.components, 1);
    assert_int_equal(k.euler, 2);
    double error = k.volume / volume - 1.0;
    double degrees = mean_normal_error(&s, (vec3){0.31f, 0.22f, -0.13f});
    print_message("volume error %.3f %%, mean normal error %.2f degrees\n", 100.0 * error, degrees);
    assert_true(fabs(error) <= 0.015);
    assert_true(degrees <= 4.0);
    mesher_surface_free(&s);
    cloud_free(&c);
}

typedef struct globe {
    double radius;
} globe;

static bool in_globe(const void *user, double x, double y, double z)
{
    const globe *g = user;
    return x * x + y * y + z * z < g->radius * g->radius;
}

/* Ellipsoids are for settled particles, with a disorder of a quarter of a cell. */
static void ellipsoids_keep_the_volume_of_settled_particles(void **state)
{
    globe g = {20.0 * (double)D};
    float reach = (float)g.radius + D;
    weir_mesher_def def = preset("anisotropic");
    mesher *m = make_mesher(device, &def);
    cloud c = cloud_fill(D, 0.25f, (cloud_box){{-reach, -reach, -reach}, {reach, reach, reach}},
                         in_globe, &g);
    mesher_surface s = mesh_cloud(m, device, &c);
    census k = take_census(&s);
    double error = k.volume / (4.0 / 3.0 * pi * pow(g.radius, 3.0)) - 1.0;
    assert_closed_manifold(&k);
    assert_int_equal(k.components, 1);
    print_message("volume error %.3f %%, mean normal error %.2f degrees\n", 100.0 * error,
                  mean_normal_error(&s, (vec3){0, 0, 0}));
    assert_true(fabs(error) <= 0.015);
    mesher_surface_free(&s);
    mesher_destroy(&m);
    cloud_free(&c);
}

typedef struct plates {
    double low[2], high[2]; /* bounds of y */
    double side;
} plates;

static bool in_plates(const void *user, double x, double y, double z)
{
    const plates *p = user;
    if (fabs(x) > p->side / 2 || fabs(z) > p->side / 2) return false;
    return (y > p->low[0] && y < p->high[0]) || (y > p->low[1] && y < p->high[1]);
}

static cloud plate_cloud(plates p)
{
    float half = (float)p.side / 2;
    return cloud_fill(D, 1.0f,
                      (cloud_box){{-half, (float)p.low[0], -half}, {half, (float)p.high[1], half}},
                      in_plates, &p);
}

/* Without damping, the field would grow sheets between the slabs. */
static void two_slabs_a_search_radius_apart_stay_two(void **state)
{
    const double d = (double)D;
    cloud c = plate_cloud((plates){{0.0, 10.0 * d}, {6.0 * d, 16.0 * d}, 20.0 * d});
    mesher_surface s = mesh_cloud(calibrated, device, &c);
    census k = take_census(&s);
    assert_closed_manifold(&k);
    assert_int_equal(k.components, 2);
    assert_int_equal(k.euler, 4);
    mesher_surface_free(&s);
    weir_mesher_def def = preset("calibrated");
    def.sheet_damping = false;
    mesher *m = make_mesher(device, &def);
    s = mesh_cloud(m, device, &c);
    census undamped = take_census(&s);
    assert_closed_manifold(&undamped);
    assert_true(undamped.components != 2 || undamped.euler != 4);
    mesher_surface_free(&s);
    mesher_destroy(&m);
    cloud_free(&c);
}

static void a_sheet_of_four_particles_keeps_nine_tenths(void **state)
{
    const double d = (double)D;
    cloud c = plate_cloud((plates){{0.0, 4.0 * d}, {4.0 * d, 4.0 * d}, 20.0 * d});
    mesher_surface s = mesh_cloud(calibrated, device, &c);
    census k = take_census(&s);
    double volume = 20.0 * d * 20.0 * d * 4.0 * d;
    assert_closed_manifold(&k);
    assert_int_equal(k.components, 1);
    print_message("volume %.1f %% of the sheet's\n", 100.0 * k.volume / volume);
    assert_true(k.volume >= 0.9 * volume);
    mesher_surface_free(&s);
    cloud_free(&c);
}

/* Returns the maximum over the minimum volume of a ball, minus 1, when the lattice shifts by
 * eighths of `offset`. */
static double volume_spread(vec3 offset)
{
    cloud c = ball_of(20.0, 0.0);
    double least = 1e30, most = 0.0;
    for (int k = 0; k < 8; k++) {
        mesher_surface s = mesh_cloud(calibrated, device, &c);
        census found = take_census(&s);
        least = fmin(least, found.volume);
        most = fmax(most, found.volume);
        mesher_surface_free(&s);
        shift_cloud(&c, vec3_scale(offset, 1.0f / 8.0f));
    }
    cloud_free(&c);
    return most / least - 1.0;
}

/* Along the diagonal, the phases of all three axes coincide. */
static void where_the_lattice_stands_hardly_shows(void **state)
{
    double x = volume_spread((vec3){D, 0, 0}), y = volume_spread((vec3){0, D, 0});
    double z = volume_spread((vec3){0, 0, D}), all = volume_spread((vec3){D, D, D});
    print_message("volume spread %.4f %%, %.4f %%, %.4f %%, all axes %.4f %%\n", 100.0 * x,
                  100.0 * y, 100.0 * z, 100.0 * all);
    assert_true(x <= 1e-4 && y <= 1e-4 && z <= 1e-4 && all <= 1e-4);
}

/* ---- closed surfaces for any input ---------------------------------------------------------- */

/* Particles on the lattice nodes and halfway between: many nodes have a field of exactly 0. */
static void nodes_on_the_surface_leave_it_closed(void **state)
{
    static const char *const names[] = {"calibrated", "zhu-bridson", "sph", "anisotropic"};
    for (size_t i = 0; i < BASE_COUNT(names); i++) {
        weir_mesher_def def = preset(names[i]);
        def.cell_size = 1.0f;
        def.particle_radius = 1.0f;
        mesher *m = make_mesher(device, &def);
        cloud c = {.spacing = 0.0625f};
        for (int k = 0; k < 40; k++)
            cloud_add(&c, 0.0625f * (float)(k % 7 * 3), 0.0625f * (float)(k % 5 * 2),
                      0.03125f * (float)(k % 3 * 9));
        mesher_surface s = mesh_cloud(m, device, &c);
        census found = take_census(&s);
        assert_true(s.triangle_count > 0);
        assert_closed_manifold(&found);
        assert_true(found.volume > 0.0);
        mesher_surface_free(&s);
        mesher_destroy(&m);
        cloud_free(&c);
    }
}

/* Sparse noise with coarse cells: every second cell is ambiguous. */
static void noise_is_meshed_closed_with_and_without_the_decider(void **state)
{
    uint32_t parts[2];
    for (int decider = 0; decider < 2; decider++) {
        weir_mesher_def def = preset("sph");
        def.cell_size = 0.8f;
        def.asymptotic_decider = decider != 0;
        mesher *m = make_mesher(device, &def);
        cloud c = {.spacing = D};
        for (uint32_t i = 0; i < 20000; i++)
            cloud_add(&c, 2.0f * base_hash_to_unit(3ull * i),
                      2.0f * base_hash_to_unit(3ull * i + 1),
                      2.0f * base_hash_to_unit(3ull * i + 2));
        mesher_surface s = mesh_cloud(m, device, &c);
        census found = take_census(&s);
        assert_closed_manifold(&found);
        parts[decider] = found.components;
        mesher_surface_free(&s);
        mesher_destroy(&m);
        cloud_free(&c);
    }
    assert_int_not_equal(parts[0], parts[1]);
}

static void assert_file_closed(const char *name)
{
    static const char *const names[] = {"calibrated", "sph", "anisotropic"};
    char path[256];
    io_particles particles = {0};
    weir_log log = {.write = print_problem, .level = WEIR_LOG_WARNING};
    snprintf(path, sizeof path, "../shared/particles/%s", name);
    OK(io_particles_read(&log, path, &particles));
    cloud c = {.spacing = D};
    for (uint32_t i = 0; i < particles.count; i++)
        cloud_add(&c, particles.position[i].x, particles.position[i].y, particles.position[i].z);
    for (size_t i = 0; i < BASE_COUNT(names); i++) {
        weir_mesher_def def = preset(names[i]);
        def.cell_size = 0.5f;
        mesher *m = make_mesher(device, &def);
        mesher_surface s = mesh_cloud(m, device, &c);
        census found = take_census(&s);
        assert_true(s.triangle_count > 100);
        assert_closed_manifold(&found);
        assert_true(found.volume > 0.0);
        mesher_surface_free(&s);
        mesher_destroy(&m);
    }
    io_particles_free(&particles);
    cloud_free(&c);
}

static void every_shared_particle_file_gives_a_closed_surface(void **state)
{
    char **names = NULL;
    size_t count = 0, read = 0;
    if (base_folder_list(NULL, "../shared/particles", &names, &count) != WEIR_OK) skip();
    for (size_t i = 0; i < count; i++)
        if (strcmp(base_path_extension(names[i]), "vtk") == 0 ||
            strcmp(base_path_extension(names[i]), "bgeo") == 0) {
            assert_file_closed(names[i]);
            read++;
        }
    base_names_free(names, count);
    if (!read) skip();
}

/* ---- identical bytes ------------------------------------------------------------------------ */

static void assert_same_surface(const mesher_surface *a, const mesher_surface *b)
{
    assert_int_equal(a->vertex_count, b->vertex_count);
    assert_int_equal(a->triangle_count, b->triangle_count);
    assert_memory_equal(a->position, b->position, 12ull * a->vertex_count);
    assert_memory_equal(a->normal, b->normal, 12ull * a->vertex_count);
    assert_memory_equal(a->index, b->index, 12ull * a->triangle_count);
}

static void reverse_cloud(cloud *c)
{
    for (uint32_t i = 0; i < c->count / 2; i++) {
        vec4 kept = c->items[i];
        c->items[i] = c->items[c->count - 1 - i];
        c->items[c->count - 1 - i] = kept;
    }
}

static void slabs_reruns_and_orders_give_the_same_bytes(void **state)
{
    static const char *const names[] = {"calibrated", "sph", "anisotropic"};
    static const uint32_t limits[] = {70, 131, 256, 600, 0};
    for (size_t i = 0; i < BASE_COUNT(names); i++) {
        weir_mesher_def def = preset(names[i]);
        if (i) def.cell_size = 0.5f;
        mesher *m = make_mesher(device, &def);
        cloud c = ball_of(9.0, 0.0);
        mesher_surface whole = mesh_cloud(m, device, &c);
        if (i < 2) reverse_cloud(&c); /* ellipsoids are fitted in the order of the particles */
        for (size_t k = 0; k < BASE_COUNT(limits); k++) {
            mesher_set_max_blocks(m, limits[k]);
            mesher_surface s = mesh_cloud(m, device, &c);
            assert_same_surface(&s, &whole);
            mesher_surface_free(&s);
        }
        mesher_surface_free(&whole);
        mesher_destroy(&m);
        cloud_free(&c);
    }
}

static void a_frame_that_does_not_fit_is_meshed_in_slabs_or_refused(void **state)
{
    weir_mesher_def def = preset("sph");
    cloud c = ball_of(10.0, 0.0);
    mesher *m = make_mesher(device, &def);
    mesher_surface whole = mesh_cloud(m, device, &c), s;
    uint64_t all = mesher_bytes_used(m);
    mesher_destroy(&m);
    def.max_memory_bytes = all / 3;
    m = make_mesher(device, &def);
    s = mesh_cloud(m, device, &c);
    assert_true(mesher_bytes_used(m) <= all / 3);
    assert_same_surface(&s, &whole);
    mesher_surface_free(&s);
    mesher_destroy(&m);
    def.max_memory_bytes = 200000;
    m = make_mesher(device, &def);
    particle_view points = cloud_upload(device, &c);
    assert_int_equal(mesher_run(m, &points, &s, NULL), WEIR_ERROR_MEMORY);
    assert_null(s.position);
    particle_view_destroy(device, &points);
    mesher_destroy(&m);
    mesher_surface_free(&whole);
    cloud_free(&c);
}

/* More particles at one position than a shader's loop can count do not occur in a fluid. */
static void a_pile_of_particles_is_refused_and_the_next_frame_is_meshed(void **state)
{
    cloud pile = {.spacing = D}, c = ball_of(5.0, 0.0);
    for (uint32_t i = 0; i < 70000; i++)
        cloud_add(&pile, 1.0f + 1e-7f * (float)(i % 100), 1.0f, 1.0f);
    mesher_surface s;
    particle_view points = cloud_upload(device, &pile);
    assert_int_equal(mesher_run(calibrated, &points, &s, NULL), WEIR_ERROR_ARGUMENT);
    assert_null(s.position);
    particle_view_destroy(device, &points);
    s = mesh_cloud(calibrated, device, &c);
    census k = take_census(&s);
    assert_closed_manifold(&k);
    assert_int_equal(k.components, 1);
    mesher_surface_free(&s);
    cloud_free(&c);
    cloud_free(&pile);
}

/* Two drops far apart: the space between them needs no memory. */
static void far_apart_drops_need_no_more_than_near_ones(void **state)
{
    weir_mesher_def def = preset("calibrated");
    mesher *m = make_mesher(device, &def);
    cloud c = ball_of(4.0, 0.0);
    uint32_t one = c.count;
    for (uint32_t i = 0; i < one; i++)
        cloud_add(&c, c.items[i].x + 900.0f, c.items[i].y - 400.0f, c.items[i].z + 300.0f);
    mesher_surface s = mesh_cloud(m, device, &c);
    census k = take_census(&s);
    assert_closed_manifold(&k);
    assert_int_equal(k.components, 2);
    assert_true(mesher_bytes_used(m) < 32u << 20);
    mesher_surface_free(&s);
    mesher_destroy(&m);
    cloud_free(&c);
}

/* ---- the checks themselves ------------------------------------------------------------------ */

/* The checks must detect each of these faults: a reversed case of the table, a missing triangle, a
 * skipped vertex, slabs whose indices are off by one. */
static void faults_are_noticed(void **state)
{
    weir_mesher_def def = preset("calibrated");
    mesher *m = make_mesher(device, &def);
    cloud c = ball_of(6.0, 0.0);
    uint32_t row, word, turned;
    uint64_t at = 4ull * (MESH_CASES + 1), missing;
    OK(gpu_buffer_download(device, m->buffers.case_table, at, &row, 4));
    uint64_t first = 4ull * (MESH_CASES + MESH_TABLE_ENTRIES + (row & 0xffffu));
    OK(gpu_buffer_download(device, m->buffers.case_table, first, &word, 4));
    turned = (word >> 4 & 15u) | (word & 15u) << 4 | (word & 0xf00u);
    OK(gpu_buffer_upload(device, m->buffers.case_table, first, &turned, 4));
    mesher_surface s = mesh_cloud(m, device, &c);
    census k = take_census(&s);
    assert_false(is_closed_manifold(&k));
    mesher_surface_free(&s);
    OK(gpu_buffer_upload(device, m->buffers.case_table, first, &word, 4));
    missing = row & 0xffffu;
    uint32_t empty = (uint32_t)missing;
    OK(gpu_buffer_upload(device, m->buffers.case_table, at, &empty, 4));
    s = mesh_cloud(m, device, &c);
    k = take_census(&s);
    assert_false(is_closed_manifold(&k));
    mesher_surface_free(&s);
    OK(gpu_buffer_upload(device, m->buffers.case_table, at, &row, 4));
    s = mesh_cloud(m, device, &c);
    k = take_census(&s);
    assert_closed_manifold(&k);
    for (uint32_t i = 0; i < 3 * s.triangle_count; i++)
        s.index[i] += s.index[i] == 10;
    k = take_census(&s);
    assert_false(is_closed_manifold(&k));
    mesher_surface_free(&s);
    s = mesh_cloud(m, device, &c);
    for (uint32_t i = 0; i < 3 * s.triangle_count; i++)
        s.index[i] += i > s.triangle_count && s.index[i] + 1 < s.vertex_count;
    k = take_census(&s);
    assert_false(is_closed_manifold(&k));
    mesher_surface_free(&s);
    mesher_destroy(&m);
    cloud_free(&c);
}

/* test_mesh_accuracy [FILTER]: runs only the tests that match FILTER (with * and ?). */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_keeps_its_volume_and_its_normals),
        cmocka_unit_test(ellipsoids_keep_the_volume_of_settled_particles),
        cmocka_unit_test(two_slabs_a_search_radius_apart_stay_two),
        cmocka_unit_test(a_sheet_of_four_particles_keeps_nine_tenths),
        cmocka_unit_test(where_the_lattice_stands_hardly_shows),
        cmocka_unit_test(nodes_on_the_surface_leave_it_closed),
        cmocka_unit_test(noise_is_meshed_closed_with_and_without_the_decider),
        cmocka_unit_test(every_shared_particle_file_gives_a_closed_surface),
        cmocka_unit_test(slabs_reruns_and_orders_give_the_same_bytes),
        cmocka_unit_test(a_frame_that_does_not_fit_is_meshed_in_slabs_or_refused),
        cmocka_unit_test(a_pile_of_particles_is_refused_and_the_next_frame_is_meshed),
        cmocka_unit_test(far_apart_drops_need_no_more_than_near_ones),
        cmocka_unit_test(faults_are_noticed),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, open_device, close_device);
}
