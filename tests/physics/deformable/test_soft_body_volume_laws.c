/* Laws of soft bodies that conserve volume. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include "deformable_support.h"
#include "device_support.h"

#include <unistd.h>

/* Returns the volume of the first one, m3, inside the surface through its outermost vertices. */
static double volume_of(const deformable_world *j, bool at_start)
{
    weir_deformable deformable;
    uint32_t one = 1;
    double sum = 0.0;
    OK(sim_deformables(j->world, &deformable, &one));
    for (uint32_t t = 0; t < deformable.triangle_count; t++) {
        vec3 p[3];
        for (int k = 0; k < 3; k++) {
            uint32_t v = deformable.triangles[3 * t + (uint32_t)k];
            p[k] = at_start ? start_of(j, v) : j->x[v];
        }
        sum += (double)vec3_dot(p[0], vec3_cross(p[1], p[2])) / 6.0;
    }
    return sum;
}

/* ---- stiffness ------------------------------------------------------------------------------- */

/* A bar that hangs by its upper end, damped so that it soon rests. Its vertices lie 0.02 m below
   its surface: 4 x 16 x 4 cells of 0.05 m. */
#define LENGTH 0.8
#define DENSITY 1000.0
#define STIFFNESS 1e5
static const char bar[] =
    SCENE("'soft_bodies': [{'name': 'bar', 'density': 1000, 'stiffness': 1e5, 'damping': 260,"
          " 'poisson_ratio': 0.3, 'spacing': 0.05, 'shape': {'box': {'size': [0.24, 0.84, 0.24]},"
          " 'position': [1.5, 2.3, 1.5]}, 'pins': [{'inside': {'min': [0, 2.69, 0],"
          " 'max': [3, 3, 3]}}]}],");

typedef struct stretch {
    double longer, thinner; /* over the theory's */
    double volume;          /* over that at the start */
} stretch;

static stretch hang(const char *const *overrides, double poisson)
{
    deformable_world j = open_deformables(bar, overrides);
    double low = 3.0, narrow[2] = {3.0, 0.0};
    run_frames(j.world, 24);
    read_deformables(&j);
    for (uint32_t i = 0; i < j.count; i++) {
        low = fmin(low, (double)j.x[i].y);
        if (fabsf(start_of(&j, i).y - 2.3f) > 0.01f) continue; /* only the middle */
        narrow[0] = fmin(narrow[0], (double)j.x[i].x);
        narrow[1] = fmax(narrow[1], (double)j.x[i].x);
    }
    double law = DENSITY * 9.81 * LENGTH * LENGTH / (2.0 * STIFFNESS);
    double strain = DENSITY * 9.81 * LENGTH / (2.0 * STIFFNESS); /* there */
    stretch s = {(2.7 - low - LENGTH) / law,
                 (0.2 - (narrow[1] - narrow[0])) / (0.2 * poisson * strain),
                 volume_of(&j, false) / volume_of(&j, true)};
    print_message("  longer by %.4f of the law, thinner by %.4f, volume %.4f\n", s.longer,
                  s.thinner, s.volume);
    close_deformables(&j);
    return s;
}

static void a_bar_stretches_and_thins_by_its_moduli_however_it_is_solved(void **state)
{
    static const char *const ways[][2] = {{"solver.iterations=8"},
                                          {"solver.deformable_iterations=1"},
                                          {"solver.substeps=2"},
                                          {"solver.substeps=8"}};
    static const char *const full[] = {"soft_bodies.bar.poisson_ratio=0.45", NULL};
    stretch bar_03 = hang(NULL, 0.3), bar_045 = hang(full, 0.45);
    assert_between("longer", bar_03.longer, 0.9, 1.1);
    assert_between("thinner", bar_03.thinner, 0.85, 1.15);
    assert_between("longer, Poisson's ratio 0.45", bar_045.longer, 0.9, 1.1);
    assert_between("thinner, Poisson's ratio 0.45", bar_045.thinner, 0.85, 1.15);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        stretch other = hang(ways[i], 0.3);
        print_message("  over the first, with %s:\n", ways[i][0]);
        assert_between("longer", other.longer / bar_03.longer, 0.95, 1.05);
        assert_between("thinner", other.thinner / bar_03.thinner, 0.95, 1.05);
    }
}

/* ---- falling and floating -------------------------------------------------------------------- */

static void a_ball_that_falls_flattens_and_keeps_its_volume(void **state)
{
    static const char text[] =
        SCENE("'soft_bodies': [{'name': 'ball', 'density': 1000, 'stiffness': 2e4, 'damping': 3,"
              " 'poisson_ratio': 0.49, 'spacing': 0.08, 'shape': {'sphere': {'radius': 0.25},"
              " 'position': [1.5, 0.4, 1.5]}}],");
    deformable_world j = open_deformables(text, NULL);
    double least = 1.0, most = 1.0, flattest = 1.0, low = 1.0, high = 0.0;
    for (int turn = 0; turn < 10; turn++) {
        run_frames(j.world, 4);
        read_deformables(&j);
        low = 1.0, high = 0.0;
        for (uint32_t i = 0; i < j.count; i++) {
            low = fmin(low, (double)j.x[i].y);
            high = fmax(high, (double)j.x[i].y);
        }
        double share = volume_of(&j, false) / volume_of(&j, true);
        least = fmin(least, share), most = fmax(most, share);
        flattest = fmin(flattest, (high - low) / (0.5 - 0.064));
    }
    print_message("  volume %.4f to %.4f, height at least %.3f, at the end %.3f, above the floor by"
                  " %.4f m\n",
                  least, most, flattest, (high - low) / (0.5 - 0.064), low);
    assert_between("least volume", least, 0.95, 1.0);
    assert_between("most volume", most, 1.0, 1.05);
    assert_between("height when it is flattest", flattest, 0.4, 0.9);
    assert_between("gap to the floor, half its thickness", low, 0.032 - 1e-4, 0.034);
    close_deformables(&j);
}

/* A raft with half the density of water. */
static void a_soft_raft_swims(void **state)
{
    static const char text[] =
        "{'spacing': 0.04, 'domain': {'min': [0, 0, 0], 'max': [0.8, 0.8, 0.8]}, 'solver':"
        " {'deformable_iterations': 2}, 'soft_bodies': [{'name': 'raft', 'density': 500, "
        "'stiffness': 1e5,"
        " 'damping': 2, 'poisson_ratio': 0.3, 'spacing': 0.08, 'shape': {'box': {'size':"
        " [0.4, 0.2, 0.4]}, 'position': [0.4, 0.34, 0.4]}}],"
        " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"
        "'min': [0, 0, 0], 'max': [0.8, 0.32, 0.8]}}}}]}";
    deformable_world j = open_deformables(text, NULL);
    uint32_t count;
    double mean = 0.0, level = 0.0;
    OK(sim_particle_count(j.world, &count));
    vec3 *x = base_alloc(count, sizeof *x);
    assert_non_null(x);
    OK(sim_read_field(j.world, WEIR_FIELD_POSITION, x, count * sizeof *x));
    for (uint32_t i = 0; i < count; i++) /* no particle is inside */
        assert_true(x[i].y < 0.23f || fabsf(x[i].x - 0.4f) > 0.2f || fabsf(x[i].z - 0.4f) > 0.2f);
    run_frames(j.world, 20);
    for (int turn = 0; turn < 10; turn++) {
        run_frames(j.world, 3);
        read_deformables(&j);
        for (uint32_t i = 0; i < j.count; i++)
            mean += (double)j.x[i].y / j.count / 10.0;
        OK(sim_read_field(j.world, WEIR_FIELD_POSITION, x, count * sizeof *x));
        double sum = 0.0;
        uint32_t columns = 0; /* far from the raft: their mean height is half the depth */
        for (uint32_t i = 0; i < count; i++) {
            if (x[i].x > 0.12f && x[i].x < 0.68f && x[i].z > 0.12f && x[i].z < 0.68f) continue;
            sum += (double)x[i].y, columns++;
        }
        level += 2.0 * sum / columns / 10.0;
    }
    double draught = level - (mean - 0.1);
    print_message("  level %.4f m, middle of the raft %.4f m, draught %.4f of 0.2 m\n", level, mean,
                  draught);
    assert_between("draught over its height", draught / 0.2, 0.35, 0.65);
    base_free(x);
    close_deformables(&j);
}

/* ---- conservation ---------------------------------------------------------------------------- */

/* Two soft bodies and a sheet fly into each other. */
static const char collision[] = SCENE(
    "'gravity': [0, 0, 0], 'solver': {'deformable_iterations': 2}, 'soft_bodies': [{'name': 'ball',"
    " 'density': 800, 'stiffness': 3e4, 'velocity': [0, 3, 0.5], 'spacing': 0.08, 'shape':"
    " {'sphere': {'radius': 0.2}, 'position': [1.5, 1, 1.5]}}, {'name': 'box', 'density':"
    " 1500, 'stiffness': 1e5, 'poisson_ratio': 0.3, 'velocity': [0.2, -2, 0], 'spacing': 0.08,"
    " 'shape': {'box': {'size': [0.4, 0.3, 0.3]}, 'position': [1.6, 1.42, 1.5]}}],"
    " 'cloths': [{'name': 'sheet', 'area_density': 2, 'grid': {'corner': [1.2, 1.235, 1.2],"
    " 'along': [0.6, 0, 0], 'across': [0, 0, 0.6], 'spacing': 0.0501}}],");

static void momentum_stays_when_soft_bodies_meet(void **state)
{
    deformable_world j = open_deformables(collision, NULL);
    const deformable_info *f = &deformable_set_info(j.world->deformables)[1];
    double before[3], after[3], size, most = 0.0, up = 0.0;
    run_frames(j.world, 1);
    size = deformable_momentum(&j, before);
    run_frames(j.world, 10);
    deformable_momentum(&j, after);
    for (int k = 0; k < 3; k++) {
        double change = (after[k] - before[k]) / size / 40.0;
        most = fmax(most, fabs(change));
        assert_between("momentum", change, -1e-6, 1e-6);
    }
    for (uint32_t i = f->first_vertex; i < f->first_vertex + f->vertex_count; i++)
        up += (double)j.v[i].y / f->vertex_count;
    print_message("  momentum %.1e a substep; the ball rises at %.2f of 3 m/s\n", most, up);
    assert_between("speed of the ball after they met, m/s", up, -3.0, 2.0);
    close_deformables(&j);
}

/* A block of fluid flies into a ball that nothing holds. */
static void fluid_and_soft_bodies_together_keep_their_momentum(void **state)
{
    static const char text[] =
        "{'spacing': 0.05, 'gravity': [0, 0, 0], 'domain': {'min': [0, 0, 0], 'max': [2, 2, 2]},"
        " 'solver': {'deformable_iterations': 2}, 'soft_bodies': [{'name': 'ball', 'density': 700, "
        "'stiffness':"
        " 3e4, 'spacing': 0.08, 'shape': {'sphere': {'radius': 0.25}, 'position': [1, 0.8, 1]}}],"
        " 'fluids': [{'name': 'water', 'xsph': 0, 'fill': {'velocity': [0, -2, 0.5], 'shape':"
        " {'box': {'min': [0.85, 1.15, 0.85], 'max': [1.15, 1.35, 1.15]}}}}]}";
    deformable_world j = open_deformables(text, NULL);
    weir_stats start, end;
    double sum[3];
    OK(sim_stats(j.world, &start));
    run_frames(j.world, 8);
    OK(sim_stats(j.world, &end));
    deformable_momentum(&j, sum);
    double size = hypot(start.momentum_kg_m_s[1], start.momentum_kg_m_s[2]);
    for (int k = 0; k < 3; k++)
        assert_between("momentum",
                       (sum[k] + end.momentum_kg_m_s[k] - start.momentum_kg_m_s[k]) / size / 32.0,
                       -1e-6, 1e-6);
    assert_between("share that the ball has", fabs(sum[1]) / size, 0.1, 1.5);
    close_deformables(&j);
}

static void runs_and_restored_runs_have_the_same_bits(void **state)
{
    char folder[] = "/tmp/weir-jelly-XXXXXX";
    assert_non_null(mkdtemp(folder));
    char *path = base_path_join(folder, "state");
    assert_non_null(path);
    uint64_t hashes[3];
    for (int run = 0; run < 3; run++) {
        deformable_world j = open_deformables(collision, NULL);
        if (run == 2) OK(sim_restore(j.world, path, NULL));
        if (run < 2) run_frames(j.world, 4);
        if (run == 0) OK(sim_save(j.world, path, NULL));
        run_frames(j.world, 4);
        OK(sim_hash(j.world, &hashes[run]));
        close_deformables(&j);
    }
    assert_true(hashes[0] == hashes[1] && hashes[0] == hashes[2]);
    base_file_remove(NULL, path);
    base_free(path);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_stays_when_soft_bodies_meet),
        cmocka_unit_test(fluid_and_soft_bodies_together_keep_their_momentum),
        cmocka_unit_test(runs_and_restored_runs_have_the_same_bits),
        cmocka_unit_test(a_ball_that_falls_flattens_and_keeps_its_volume),
        cmocka_unit_test(a_soft_raft_swims),
        cmocka_unit_test(a_bar_stretches_and_thins_by_its_moduli_however_it_is_solved),
    };
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
