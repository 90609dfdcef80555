/* Laws of soft bodies that are held together by shape matching. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include "body_support.h"
#include "deformable_support.h"
#include "device_support.h"

#include <unistd.h>

#define BLOCK(more)                                                            \
    "'soft_bodies': [{'name': 'block', 'density': 800, 'spacing': 0.07, " more \
    ", 'shape': {'box': {'size': [0.4, 0.3, 0.25]}, 'position': [1.5, 1.5, 1.5]}}],"

/* Stretches the body along x about its middle, and sets its velocity and its spin about the
   middle, 1/s. */
static void set_off(const deformable_world *c, float stretch, vec3 velocity, vec3 spin)
{
    struct deformable_state *states = base_alloc(c->count, sizeof *states);
    assert_non_null(states);
    memcpy(states, deformable_set_initial_states(c->world->deformables), c->count * sizeof *states);
    for (uint32_t i = 0; i < c->count; i++) {
        vec3 r = vec3_sub(start_of(c, i), vec3_make(1.5f, 1.5f, 1.5f));
        vec3 v = vec3_add(velocity, vec3_cross(spin, r));
        states[i].position.x += (stretch - 1.0f) * r.x;
        states[i].velocity = (vec4){v.x, v.y, v.z, 0.0f};
    }
    upload(c->world, deformable_set_buffers(c->world->deformables)->deformable_states, states,
           c->count * sizeof *states);
    base_free(states);
}

/* Returns the largest change of a distance between two vertices, m. */
static double bent(const deformable_world *c)
{
    double most = 0.0;
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t k = 0; k < i; k++) {
            float start = vec3_length(vec3_sub(start_of(c, i), start_of(c, k)));
            float now = vec3_length(vec3_sub(c->x[i], c->x[k]));
            most = fmax(most, fabs((double)(now - start)));
        }
    return most;
}

/* ---- stiffness ------------------------------------------------------------------------------- */

/* Returns the body's length over that at the start, minus 1. */
static double strain_of(deformable_world *c)
{
    float low = 3.0f, high = 0.0f, start_low = 3.0f, start_high = 0.0f;
    read_deformables(c);
    for (uint32_t i = 0; i < c->count; i++) {
        low = fminf(low, c->x[i].x), high = fmaxf(high, c->x[i].x);
        start_low = fminf(start_low, start_of(c, i).x);
        start_high = fmaxf(start_high, start_of(c, i).x);
    }
    return (double)((high - low) / (start_high - start_low)) - 1.0;
}

static const char springy[] =
    SCENE("'gravity': [0, 0, 0]," BLOCK("'pbd_stiffness': 0.3, 'cluster_radius': 1"));

static void assert_share_is_taken(deformable_world *c)
{
    set_off(c, 1.2f, vec3_make(0, 0, 0), vec3_make(0, 0, 0));
    run_frames(c->world, 1);
    assert_between("strain that is left, over the law", strain_of(c) / (0.2 * 0.7), 0.998, 1.002);
}

static void a_substep_takes_the_share_of_what_is_out_of_shape(void **state)
{
    static const char *const runs[][5] = {
        {"solver.substeps=1", "solver.iterations=1", "solver.deformable_iterations=1"},
        {"solver.substeps=1", "solver.iterations=3", "solver.deformable_iterations=2"},
        {"solver.substeps=1", "solver.iterations=2", "solver.deformable_iterations=16"},
        {"solver.substeps=1", "solver.iterations=3", "solver.deformable_iterations=4",
         "solver.deformable_solver=jacobi"}};
    for (size_t i = 0; i < BASE_COUNT(runs); i++) {
        deformable_world c = open_deformables(springy, runs[i]);
        assert_share_is_taken(&c);
        close_deformables(&c);
    }
}

static void the_share_follows_live_iterations(void **state)
{
    static const char *const few[] = {"solver.substeps=1", "solver.iterations=1", NULL};
    static const char *const many[] = {"solver.substeps=1", "solver.iterations=9", NULL};
    scene_data *changed = make_scene(springy, many);
    deformable_world c = open_deformables(springy, few);
    OK(sim_apply_scene(c.world, changed));
    assert_share_is_taken(&c);
    close_deformables(&c);
    scene_destroy(&changed);
}

/* Pressed into a sheet, and turned inside out: without gravity both recover. */
static void what_was_pressed_flat_comes_back(void **state)
{
    static const float stretches[] = {0.02f, -0.3f};
    static const char *const sizes[][2] = {{"soft_bodies.block.cluster_radius=0.07"},
                                           {"soft_bodies.block.cluster_radius=0.15"}};
    static const char text[] = SCENE(
        "'gravity': [0, 0, 0]," BLOCK("'pbd_stiffness': 0.2, 'damping': 5, 'cluster_radius': 1"));
    for (size_t i = 0; i < BASE_COUNT(sizes); i++)
        for (size_t k = 0; k < BASE_COUNT(stretches); k++) {
            deformable_world c = open_deformables(text, sizes[i]);
            set_off(&c, stretches[k], vec3_make(0, 0, 0), vec3_make(0, 0, 0));
            run_frames(c.world, 60);
            read_deformables(&c);
            double change = bent(&c);
            print_message("  %s, %.2f\n", sizes[i][0], (double)stretches[k]);
            assert_between("distances that differ, m", change, 0.0, 5e-3);
            close_deformables(&c);
        }
}

/* ---- conservation ---------------------------------------------------------------------------- */

typedef struct moment {
    double linear[3], angular[3], size, spin; /* kg m/s, kg m2/s; sums of m |v| and of |r x m v| */
} moment;

static moment sum_moment(const deformable_world *c)
{
    moment m = {0};
    double centre[3] = {0}, all = 0.0;
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < c->count; i++) {
            double mass = (double)deformable_set_mass(c->world->deformables, i);
            const float *x = &c->x[i].x, *v = &c->v[i].x;
            double spin[3], size = 0.0;
            if (pass == 0) all += mass;
            for (int k = 0; k < 3; k++) {
                int a = (k + 1) % 3, b = (k + 2) % 3;
                if (pass == 0) centre[k] += mass * (double)x[k];
                if (pass == 0) m.linear[k] += mass * (double)v[k];
                spin[k] = mass * (((double)x[a] - centre[a] / all) * (double)v[b] -
                                  ((double)x[b] - centre[b] / all) * (double)v[a]);
                if (pass == 1) m.angular[k] += spin[k];
                size += spin[k] * spin[k];
            }
            if (pass == 1) m.spin += sqrt(size);
            if (pass == 1) m.size += mass * (double)vec3_length(c->v[i]);
        }
    return m;
}

/* Runs a body that is stretched, flies and spins. */
static double fly(const char *text, float stretch)
{
    deformable_world c = open_deformables(text, NULL);
    set_off(&c, stretch, vec3_make(0.5f, -0.3f, 0.2f), vec3_make(2, 5, -3));
    run_frames(c.world, 1);
    read_deformables(&c);
    moment before = sum_moment(&c);
    run_frames(c.world, 12);
    read_deformables(&c);
    moment after = sum_moment(&c);
    for (int k = 0; k < 3; k++) {
        double momentum = (after.linear[k] - before.linear[k]) / before.size / 48.0;
        double spin = (after.angular[k] - before.angular[k]) / before.spin;
        print_message("  momentum %.2g a substep, angular momentum %.2g in 12 frames\n", momentum,
                      spin);
        assert_between("momentum", momentum, -1e-6, 1e-6);
        assert_between("angular momentum", spin, -0.025, 0.025);
    }
    double change = bent(&c);
    close_deformables(&c);
    return change;
}

static void one_cluster_flies_like_a_rigid_body(void **state)
{
    double change =
        fly(SCENE("'gravity': [0, 0, 0]," BLOCK("'pbd_stiffness': 1, 'cluster_radius': 1")), 1.0f);
    print_message("  distances change by %.2g m at most\n", change);
    assert_between("distances between vertices, m", change, 0.0, 1e-5);
}

static void clusters_that_overlap_keep_momentum_and_find_their_shape(void **state)
{
    double change = fly(
        SCENE("'gravity': [0, 0, 0]," BLOCK("'pbd_stiffness': 0.5, 'cluster_radius': 0.15")), 1.1f);
    print_message("  distances change by %.2g m at most, 0.036 at first\n", change);
    assert_between("distances between vertices, m", change, 0.0, 4e-3);
}

static void a_restored_state_goes_on_with_the_same_bits(void **state)
{
    static const char text[] =
        SCENE("'bodies': [{'name': 'ball', 'density': 600, 'velocity': [0.2, -2, 0.3], 'shape': {"
              "'sphere': {'radius': 0.15}, 'position': [1.5, 1.82, 1.5]}}]," BLOCK(
                  "'pbd_stiffness': 0.4, 'cluster_radius': 0.15, 'pins': [{'vertices': [0]}]"));
    char folder[] = "/tmp/weir_shape_XXXXXX", path[64];
    uint64_t hashes[2];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/state.weir", folder);
    deformable_world c = open_deformables(text, NULL);
    run_frames(c.world, 4);
    OK(sim_save(c.world, path, NULL));
    run_frames(c.world, 4);
    OK(sim_hash(c.world, &hashes[0]));
    read_deformables(&c);
    vec3 held = start_of(&c, 0);
    assert_true(vec3_length(vec3_sub(c.x[0], held)) == 0.0f);
    close_deformables(&c);
    c = open_deformables(text, NULL);
    OK(sim_restore(c.world, path, NULL));
    run_frames(c.world, 4);
    OK(sim_hash(c.world, &hashes[1]));
    assert_true(hashes[0] == hashes[1]);
    close_deformables(&c);
    remove(path);
    rmdir(folder);
}

/* ---- contact --------------------------------------------------------------------------------- */

static void momentum_goes_from_a_ball_into_clusters(void **state)
{
    static const char text[] = SCENE(
        "'gravity': [0, 0, 0], 'bodies': [{'name': 'ball', 'density': 600, 'velocity': [0.2, -2,"
        " 0.3], 'shape': {'sphere': {'radius': 0.15}, 'position': [1.5, 1.82, 1.5]}}]," BLOCK(
            "'pbd_stiffness': 0.2, 'cluster_radius': 0.15"));
    deformable_world c = open_deformables(text, NULL);
    weir_body ball = read_body(c.world, 0);
    const double before[3] = {0.2, -2.0, 0.3};
    run_frames(c.world, 6);
    read_deformables(&c);
    moment m = sum_moment(&c);
    weir_body after = read_body(c.world, 0);
    assert_true(m.linear[1] < -0.2 * ball.mass_kg);
    for (int k = 0; k < 3; k++) {
        double sum = m.linear[k] + ball.mass_kg * ((double)after.velocity[k] - before[k]);
        assert_between("momentum", sum / (2.03 * ball.mass_kg) / 24.0, -1e-6, 1e-6);
    }
    close_deformables(&c);
}

/* The block falls on the floor from a corner, and lies on it in its original shape. */
static void a_stiff_block_lands_and_lies_in_its_shape(void **state)
{
    deformable_world c =
        open_deformables(SCENE(BLOCK("'pbd_stiffness': 1, 'cluster_radius': 1, 'friction': 0.5,"
                                     "'velocity': [0, -5, 0]")),
                         NULL);
    run_frames(c.world, 90);
    read_deformables(&c);
    double fastest = 0.0, low = 3.0, change = bent(&c);
    for (uint32_t i = 0; i < c.count; i++) {
        fastest = fmax(fastest, (double)vec3_length(c.v[i]));
        low = fmin(low, (double)c.x[i].y);
    }
    print_message("  lies %.4f m over the floor, moves at %.2g m/s, distances change by %.2g m\n",
                  low, fastest, change);
    assert_between("over the floor, m", low, 0.027, 0.029); /* 0.4 of its spacing */
    assert_between("distances between vertices, m", change, 0.0, 2e-3);
    assert_between("speed, m/s", fastest, 0.0, 0.02);
    close_deformables(&c);
}

/* On a slope of 15 degrees; its friction would hold it up to 26 degrees. */
static void a_rigid_block_stays_on_a_slope(void **state)
{
    static const char text[] = SCENE(
        "'solids': [{'name': 'hill', 'friction': 0.5, 'shape': {'box': {'size': [3, 0.4, 1]},"
        " 'position': [1.5, 1, 1.5], 'rotation': {'axis': [0, 0, 1], 'angle': 15}}}],"
        "'soft_bodies': [{'name': 'block', 'density': 800, 'spacing': 0.06, 'friction': 0.5,"
        " 'pbd_stiffness': 1, 'cluster_radius': 1, 'shape': {'box': {'size': [0.3, 0.2, 0.3]},"
        " 'position': [1.42, 1.3, 1.5], 'rotation': {'axis': [0, 0, 1], 'angle': 15}}}],");
    deformable_world c = open_deformables(text, NULL);
    vec3 middle[2] = {{0}};
    for (int second = 0; second < 2; second++) {
        run_frames(c.world, 60);
        read_deformables(&c);
        for (uint32_t i = 0; i < c.count; i++)
            middle[second] = vec3_add(middle[second], vec3_scale(c.x[i], 1.0f / (float)c.count));
    }
    assert_between("creep, spacings a second",
                   (double)vec3_length(vec3_sub(middle[1], middle[0])) / 0.05, 0.0, 0.01);
    assert_true(middle[1].y > 1.2f);
    close_deformables(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_substep_takes_the_share_of_what_is_out_of_shape),
        cmocka_unit_test(what_was_pressed_flat_comes_back),
        cmocka_unit_test(the_share_follows_live_iterations),
        cmocka_unit_test(one_cluster_flies_like_a_rigid_body),
        cmocka_unit_test(clusters_that_overlap_keep_momentum_and_find_their_shape),
        cmocka_unit_test(a_restored_state_goes_on_with_the_same_bits),
        cmocka_unit_test(momentum_goes_from_a_ball_into_clusters),
        cmocka_unit_test(a_stiff_block_lands_and_lies_in_its_shape),
        cmocka_unit_test(a_rigid_block_stays_on_a_slope),
    };
    return cmocka_run_group_tests(tests, open_validated_device, close_device);
}
