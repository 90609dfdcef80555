/* Initial positions of the particles of a fluid. */
#include "device_support.h"
#include "sim_support.h"
#include "systems.h"

static const char box[] =
    "{'spacing': 0.0427, 'domain': {'min': [0, 0, 0], 'max': [1.6, 1.2, 1.225]},"
    " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"
    "'min': [0, 0, 0], 'max': [1.6, 0.8, 1.225]}}}}]}";

typedef struct filled {
    scene_data *scene;
    solid_set *solids;
    sim_initial_particles particles;
} filled;

static char notes[1024], warnings[1024];

static void keep_words(void *user, weir_log_level level, const char *text)
{
    (void)user;
    snprintf(level == WEIR_LOG_INFO ? notes : warnings, sizeof notes, "%s", text);
}

static weir_result fill(filled *f, const char *text, const char *const *overrides)
{
    const weir_log log = {.write = keep_words, .level = WEIR_LOG_INFO};
    notes[0] = warnings[0] = '\0';
    *f = (filled){.scene = make_scene(text, overrides)};
    OK(solid_set_create(device, f->scene, f->scene->spacing, &f->solids));
    return sim_fill_fluids(&log, f->scene, f->solids, &f->particles);
}

static void empty(filled *f)
{
    sim_initial_particles_free(&f->particles);
    solid_set_destroy(device, &f->solids);
    scene_destroy(&f->scene);
}

static double nearest_pair(const sim_initial_particles *p)
{
    double least = INFINITY;
    for (size_t i = 0; i < p->x.count; i++)
        for (size_t k = i + 1; k < p->x.count && k < i + 2000; k++) {
            vec4 a = p->x.items[i], b = p->x.items[k];
            vec3 d = vec3_make(a.x - b.x, a.y - b.y, a.z - b.z);
            least = fmin(least, (double)vec3_length(d));
        }
    return least;
}

static double nearest_wall(const filled *f)
{
    const scene_domain *d = &f->scene->domain;
    float least = INFINITY;
    for (size_t i = 0; i < f->particles.x.count; i++) {
        vec4 p = f->particles.x.items[i];
        least = fminf(least, fminf(p.x - d->min.x, d->max.x - p.x));
        least = fminf(least, fminf(p.y - d->min.y, d->max.y - p.y));
        least = fminf(least, fminf(p.z - d->min.z, d->max.z - p.z));
    }
    return (double)least;
}

static void a_box_of_broken_spacings_keeps_its_lattice_off_the_walls(void **state)
{
    filled f;
    OK(fill(&f, box, NULL));
    assert_int_equal(f.particles.x.count, 37 * 18 * 28);
    assert_true(nearest_wall(&f) >= 0.499 * 0.0427);
    assert_true(nearest_pair(&f.particles) >= 0.999 * 0.0427);
    empty(&f);
}

/* Sites are rounded once, to the unit of fixed-point positions; floats would be 100 times
   coarser. */
static void a_lattice_is_as_even_as_positions_are_fine(void **state)
{
    filled f;
    OK(fill(&f, box, NULL));
    const ivec4 *x = f.particles.fixed.items;
    const double step = (double)f.scene->spacing / (double)sim_fixed_point(f.scene).unit;
    for (size_t i = 0; i + 1 < 37; i++) /* the first row along x */
        assert_true(fabs((double)x[i + 1].x - (double)x[i].x - step) <= 1.0);
    empty(&f);
}

static void jitter_keeps_every_particle_off_the_walls(void **state)
{
    static const char *const overrides[] = {"fluids[0].fill.jitter=0.5", NULL};
    filled f;
    OK(fill(&f, box, overrides));
    assert_int_equal(f.particles.x.count, 37 * 18 * 28);
    assert_true(nearest_wall(&f) >= 0.498 * 0.0427);
    assert_true(nearest_pair(&f.particles) < 0.9 * 0.0427);
    empty(&f);
}

static void a_second_fill_leaves_out_what_is_taken(void **state)
{
    static const char *const overrides[] = {
        "fluids[0].fill=[{\"shape\":{\"box\":{\"min\":[0,0,0],\"max\":[0.427,0.427,0.427]}}},"
        "{\"shape\":{\"box\":{\"min\":[0,0,0],\"max\":[0.854,0.427,0.427]}}}]",
        NULL};
    filled f;
    OK(fill(&f, box, overrides));
    assert_int_equal(f.particles.x.count, 20 * 10 * 10);
    assert_true(nearest_pair(&f.particles) >= 0.5 * 0.0427);
    empty(&f);
}

static void the_limit_refuses_more_than_the_device_holds(void **state)
{
    filled f = {.scene = make_scene(box, NULL)};
    OK(solid_set_create(device, f.scene, f.scene->spacing, &f.solids));
    f.particles.max_count = 1000;
    assert_int_equal(sim_fill_fluids(NULL, f.scene, f.solids, &f.particles), WEIR_ERROR_MEMORY);
    empty(&f);
}

static const char raft[] =
    "{'spacing': 0.1, 'domain': {'min': [0, 0, 0], 'max': [1, 1, 1]},\n"
    " 'bodies': [{'name': 'raft', 'density': 500, 'shape': {'box': {'min': [0.4, 0.3, 0.4], 'max': "
    "[0.6, 0.7, "
    "0.6]}}}],\n"
    " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {'min': [0, 0, 0], 'max': [1, 0.5, "
    "1]}}}}]}";

/* 2 x 2 x 2 sites lie in the raft. This is intended, so nobody is warned. */
static void what_bodies_displace_is_noted_and_no_warning(void **state)
{
    filled f;
    OK(fill(&f, raft, NULL));
    assert_int_equal(f.particles.x.count, 500 - 8);
    assert_string_equal(notes, "test scene:3:39: 8 particles of fluid water displaced by bodies");
    assert_string_equal(warnings, "");
    empty(&f);
}

static void soft_bodies_displace_fluid_as_bodies_do(void **state)
{
    static const char *const overrides[] = {
        "bodies=[]",
        "soft_bodies=[{\"name\":\"jelly\",\"density\":900,\"stiffness\":1e5,\"shape\":{\"box\":{"
        "\"min\":[0.4,0.3,0.4],\"max\":[0.6,"
        "0.7,0.6]}}}]",
        NULL};
    filled f;
    OK(fill(&f, raft, overrides));
    assert_non_null(strstr(notes, " 8 particles of fluid water displaced by bodies"));
    assert_string_equal(warnings, "");
    empty(&f);
}

/* 2 x 2 x 2 sites lie in the post, and half of them also in the raft; each counts once. */
static void what_solids_take_is_told_apart_from_what_bodies_displace(void **state)
{
    static const char *const overrides[] = {
        "solids=[{\"name\":\"post\",\"shape\":{\"box\":{\"min\":[0.3,0.3,0.4],\"max\":[0.5,0.7,"
        "0.6]}}}]",
        NULL};
    filled f;
    OK(fill(&f, raft, overrides));
    assert_int_equal(f.particles.x.count, 500 - 12);
    assert_non_null(strstr(notes, " 4 particles of fluid water displaced by bodies"));
    assert_string_equal(warnings,
                        "test scene:3:39: 8 particles of fluid water were skipped: 8 in or at a "
                        "wall or a solid, the first at (0.35, 0.35, 0.45)");
    empty(&f);
}

/* ---- the gap of obstacles ---------------------------------------------------------------------
 */

static const char around_ball[] =
    "{'spacing': 0.02, 'domain': {'min': [0, 0, 0], 'max': [0.4, 0.4, 0.4]},"
    " 'bodies': [{'name': 'ball', 'density': 1000, 'shape': {'sphere': {'radius': 0.083},"
    " 'position': [0.203, 0.2, 0.195]}}],"
    " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"
    "'min': [0, 0, 0], 'max': [0.4, 0.4, 0.4]}}}}]}";

/* Returns the particles that a fill lacks for its shape, times d^3. */
static double displaced_volume(const filled *f, double shape_m3)
{
    double d = (double)f->scene->spacing;
    return shape_m3 - (double)f->particles.x.count * d * d * d;
}

static double nearest_to_ball(const filled *f)
{
    double least = INFINITY;
    for (size_t i = 0; i < f->particles.x.count; i++) {
        vec4 p = f->particles.x.items[i];
        vec3 off = vec3_make(p.x - 0.203f, p.y - 0.2f, p.z - 0.195f);
        least = fmin(least, (double)vec3_length(off) - 0.083);
    }
    return least;
}

static void a_ball_displaces_its_volume(void **state)
{
    static const char *const methods[] = {"solver.method=\"pbf\"", "solver.method=\"flip\""};
    static const double gaps[] = {0.5, 0.2}; /* spacings */
    const double ball = 4.0 / 3.0 * 3.14159265 * 0.083 * 0.083 * 0.083;
    for (int m = 0; m < 2; m++) {
        filled f;
        OK(fill(&f, around_ball, (const char *const[]){methods[m], NULL}));
        double share = displaced_volume(&f, 0.064) / ball, nearest = nearest_to_ball(&f) / 0.02;
        print_message("  displaced %.3f of the ball, nearest particle at %.3f d\n", share, nearest);
        assert_true(fabs(share - 1.0) <= 0.05);
        assert_true(fabs(nearest - gaps[m]) <= 0.01);
        assert_true(nearest_pair(&f.particles) >= 0.5 * 0.02);
        empty(&f);
    }
}

/* The faces of the box contain sites of the lattice. */
static void a_box_on_the_lattice_displaces_its_volume(void **state)
{
    static const char *const overrides[] = {
        "bodies=[{\"name\":\"box\",\"density\":1000,\"shape\":{\"box\":{\"min\":[0.11,0.11,0.11],"
        "\"max\":[0.31,0.31,0.31]}}}]",
        NULL};
    filled f;
    OK(fill(&f, around_ball, overrides));
    assert_int_equal(f.particles.x.count, 20 * 20 * 20 - 10 * 10 * 10);
    empty(&f);
}

static void a_wedge_of_water_on_a_slope_has_its_volume(void **state)
{
    static const char *const overrides[] = {
        "bodies=[]",
        "solids=[{\"name\":\"slope\",\"shape\":{\"box\":{\"min\":[-1,-0.5,-1],\"max\":[2,0,2]},"
        "\"rotation\":{\"axis\":[0,0,1],\"angle\":20},\"position\":[0,0.1,0]}}]",
        NULL};
    const double under = 0.4 * (0.1 + 0.5 * 0.4 * tan(20.0 * 3.14159265 / 180.0)) * 0.4;
    filled f;
    OK(fill(&f, around_ball, overrides));
    double share = (0.064 - displaced_volume(&f, 0.064)) / (0.064 - under);
    print_message("  %.4f of the volume\n", share);
    assert_true(fabs(share - 1.0) <= 0.01);
    empty(&f);
}

static void a_hexagonal_lattice_fills_a_cube_to_its_faces(void **state)
{
    static const char *const overrides[] = {"bodies=[]", "fluids[0].fill.lattice=\"hexagonal\"",
                                            NULL};
    filled f;
    OK(fill(&f, around_ball, overrides));
    double share = 1.0 - displaced_volume(&f, 0.064) / 0.064;
    print_message("  %.4f of the volume\n", share);
    assert_int_equal(f.particles.x.count, (25 * 25 * 25 + 1) / 2);
    assert_true(share >= 0.97);
    assert_true(nearest_pair(&f.particles) >= 1.08 * 0.02);
    empty(&f);
}

/* ---- files ---------------------------------------------------------------------------------- */

/* Fills the water of `raft`, without the raft, with the particles of a file that contains this
   text; `pose`: more keys of the fill, then overrides of the scene. */
static void fill_from(filled *f, const char *text, const char *pose, const char *override)
{
    char folder[] = "/tmp/weir-fill-XXXXXX";
    assert_true(make_test_folder(folder));
    char *path = base_path_join(folder, "frame.csv");
    assert_non_null(path);
    char *fills =
        base_format("fluids[0].fill={\"file\":\"%s\",\"velocity\":[0.25,0,0]%s}", path, pose);
    assert_non_null(fills);
    OK(base_file_write(NULL, path, text, strlen(text)));
    OK(fill(f, raft, (const char *const[]){"bodies=[]", fills, override, NULL}));
    base_file_remove(NULL, path);
    base_free(path);
    base_free(fills);
    rmdir(folder);
}

static void assert_particle(const filled *f, size_t i, const float x[3], const float v[3])
{
    const vec4 p = f->particles.x.items[i], u = f->particles.v.items[i];
    const float differences[6] = {p.x - x[0], p.y - x[1], p.z - x[2],
                                  u.x - v[0], u.y - v[1], u.z - v[2]};
    for (int k = 0; k < 6; k++)
        assert_true(fabsf(differences[k]) <= 1e-6f);
}

/* DualSPHysics writes z up, and writes walls as particles. Positions are scaled, rotated and
   translated in this order; velocities are only rotated. */
static void a_frame_of_dualsphysics_with_z_up_fills_a_fluid(void **state)
{
    filled f;
    fill_from(
        &f,
        "Pos.x [m];Pos.y [m];Pos.z [m];Idp;Vel.x [m/s];Vel.y [m/s];Vel.z [m/s];"
        "Rhop [kg/m^3];Type;\n"
        "0.5;1;0.25;7;0;-1;0.5;1000;3;\n1;1;1;8;0;0;0;1000;0;\n1.5;0.5;0.5;9;1;0;0;999;3;\n",
        ",\"scale\":0.5,\"rotation\":{\"axis\":[1,0,0],\"angle\":-90},\"position\":[0,0.1,0.75]",
        NULL);
    assert_int_equal(f.particles.x.count, 2);
    assert_particle(&f, 0, (float[]){0.25f, 0.225f, 0.25f}, (float[]){0.25f, 0.5f, 1.0f});
    assert_particle(&f, 1, (float[]){0.75f, 0.35f, 0.5f}, (float[]){1.25f, 0.0f, 0.0f});
    assert_true(f.particles.ids.items[0] == 7 && f.particles.ids.items[1] == 9);
    assert_int_equal(f.particles.next_id, 10);
    assert_string_equal(warnings, "");
    empty(&f);
}

/* Particles of one file may be as near to each other as the solver left them, but not in the same
   place. Near a wall they move to the gap, as sites of a lattice do. */
static void a_plain_csv_file_fills_a_fluid(void **state)
{
    filled f;
    fill_from(&f,
              "x,y,z\n0.25,0.5,0.75\n0.5,0.5,0.5\n0.5,0.501,0.5\n0.5,0.5,0.5\n0.01,0.5,0.5\n"
              "0.5,0.5,7\n",
              "", NULL);
    assert_int_equal(f.particles.x.count, 4);
    assert_particle(&f, 0, (float[]){0.25f, 0.5f, 0.75f}, (float[]){0.25f, 0, 0});
    assert_particle(&f, 1, (float[]){0.5f, 0.5f, 0.5f}, (float[]){0.25f, 0, 0});
    assert_particle(&f, 2, (float[]){0.5f, 0.501f, 0.5f}, (float[]){0.25f, 0, 0});
    assert_particle(&f, 3, (float[]){0.05f, 0.5f, 0.5f}, (float[]){0.25f, 0, 0});
    assert_non_null(strstr(notes, "frame.csv has no velocities: its particles start with"));
    assert_non_null(strstr(
        warnings, ": 2 particles of fluid water were skipped: 1 outside the domain, it is at "
                  "(0.5, 0.5, 7); 1 on top of other particles, it is at (0.5, 0.5, 0.5)"));
    empty(&f);
}

/* APIC's particles have velocity gradients, which no file format of particles has. */
static void a_file_without_gradients_is_reported(void **state)
{
    filled f;
    fill_from(&f, "x,y,z,vx,vy,vz\n0.25,0.5,0.75,1,2,3\n",
              ",\"spin\":{\"axis\":[0,0,1],\"rate\":2}", "solver.method=apic");
    assert_non_null(strstr(notes, "frame.csv has no velocity gradients: apic starts its"));
    assert_int_equal(f.particles.velocity_gradients.count, 3);
    assert_true(f.particles.velocity_gradients.items[0].y == -2.0f);
    assert_true(f.particles.velocity_gradients.items[1].x == 2.0f);
    empty(&f);
}

/* Particles that start compressed would fly off. */
static void a_resting_pool_of_broken_spacings_stays_low(void **state)
{
    static const char *const overrides[] = {"spacing=0.09", NULL};
    scene_data *scene = make_scene(box, overrides);
    sim_world *world = make_sim(device, scene);
    for (int frame = 0; frame < 20; frame++)
        OK(sim_step(world, 0.0));
    uint32_t count;
    OK(sim_particle_count(world, &count));
    vec3 *x = base_alloc(count, sizeof *x);
    OK(sim_read_field(world, WEIR_FIELD_POSITION, x, count * sizeof *x));
    float highest = 0.0f;
    for (uint32_t i = 0; i < count; i++)
        highest = fmaxf(highest, x[i].y);
    print_message("  highest %.3f m\n", (double)highest);
    assert_true(highest < 0.8f + 2.0f * 0.09f);
    base_free(x);
    sim_destroy(&world);
    scene_destroy(&scene);
}

static void check_calm_start(const char *method)
{
    const char *const shaken[] = {"spacing=0.05",
                                  "fluids[0].fill.jitter=0.4",
                                  "fluids[0].fill.velocity=[0.125,0,0]",
                                  "gravity=[0,0,0]",
                                  "solver.substeps=1",
                                  method,
                                  NULL};
    scene_data *scene = make_scene(box, shaken);
    sim_world *world = make_sim(device, scene);
    uint32_t count;
    OK(sim_particle_count(world, &count));
    vec3 *v = base_alloc(count, sizeof *v);
    float *density = base_alloc(count, sizeof *density);
    OK(sim_read_field(world, WEIR_FIELD_VELOCITY, v, count * sizeof *v));
    OK(sim_read_field(world, WEIR_FIELD_DENSITY, density, count * sizeof *density));
    double error = 0.0, fastest = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        assert_true(v[i].x == 0.125f && v[i].y == 0.0f && v[i].z == 0.0f);
        error += fmax((double)density[i] / 1000.0 - 1.0, 0.0) / count;
    }
    OK(sim_step(world, 1.0 / 240.0));
    OK(sim_read_field(world, WEIR_FIELD_VELOCITY, v, count * sizeof *v));
    for (uint32_t i = 0; i < count; i++)
        fastest = fmax(fastest, (double)vec3_length(vec3_sub(v[i], vec3_make(0.125f, 0, 0))));
    print_message("  %s: density error %.4f, fastest after one substep %.3f m/s\n", method, error,
                  fastest);
    assert_true(error <= 0.005);
    assert_true(fastest <= 0.2);
    base_free(v);
    base_free(density);
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* The first correction of a lattice that is too dense would become velocity. */
static void a_shaken_pool_starts_calm(void **state)
{
    check_calm_start("solver.method=pbf");
    check_calm_start("solver.method=pcisph");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_of_broken_spacings_keeps_its_lattice_off_the_walls),
        cmocka_unit_test(a_lattice_is_as_even_as_positions_are_fine),
        cmocka_unit_test(jitter_keeps_every_particle_off_the_walls),
        cmocka_unit_test(a_second_fill_leaves_out_what_is_taken),
        cmocka_unit_test(what_bodies_displace_is_noted_and_no_warning),
        cmocka_unit_test(soft_bodies_displace_fluid_as_bodies_do),
        cmocka_unit_test(what_solids_take_is_told_apart_from_what_bodies_displace),
        cmocka_unit_test(a_ball_displaces_its_volume),
        cmocka_unit_test(a_box_on_the_lattice_displaces_its_volume),
        cmocka_unit_test(a_wedge_of_water_on_a_slope_has_its_volume),
        cmocka_unit_test(a_hexagonal_lattice_fills_a_cube_to_its_faces),
        cmocka_unit_test(a_frame_of_dualsphysics_with_z_up_fills_a_fluid),
        cmocka_unit_test(a_plain_csv_file_fills_a_fluid),
        cmocka_unit_test(a_file_without_gradients_is_reported),
        cmocka_unit_test(the_limit_refuses_more_than_the_device_holds),
        cmocka_unit_test(a_resting_pool_of_broken_spacings_stays_low),
        cmocka_unit_test(a_shaken_pool_starts_calm),
    };
    return cmocka_run_group_tests(tests, open_validated_device, close_device);
}
