/* Laws of cloths and ropes that touch themselves and each other. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include "deformable_support.h"
#include "device_support.h"

#include <unistd.h>

/* ---- separation ------------------------------------------------------------------------------ */

/* A sheet that stands on its edge falls and folds onto itself. */
#define THICKNESS 0.05f
static const char folding[] =
    SCENE("'solver': {'deformable_iterations': 2}, 'cloths': [{'name': 'sheet', 'area_density': "
          "0.4, 'bending_stiffness':"
          " 5e-4, 'damping': 2, 'thickness': 0.05, 'grid': {'corner': [1, 0.03, 0.98], 'along':"
          " [0.4, 0, 0], 'across': [0, 0.9, 0.05], 'spacing': 0.0401}}],");

/* Counts the pairs of vertices that started farther apart than the thickness and are now nearer
   than the fraction `share` of it. */
static uint32_t count_pairs(const deformable_world *t, float share)
{
    const struct deformable_state *starts = deformable_set_initial_states(t->world->deformables);
    uint32_t pairs = 0;
    for (uint32_t i = 0; i < t->count; i++)
        for (uint32_t k = 0; k < i; k++) {
            const vec4 *a = &starts[i].position, *b = &starts[k].position;
            bool meet = hypotf(hypotf(a->x - b->x, a->y - b->y), a->z - b->z) >= THICKNESS;
            pairs += meet && vec3_length(vec3_sub(t->x[i], t->x[k])) < share * THICKNESS;
        }
    return pairs;
}

static void a_cloth_that_folds_does_not_pass_through_itself(void **state)
{
    const char *const none[] = {"cloths.sheet.collides_with=none", NULL};
    uint32_t nearer[2];
    for (int run = 0; run < 2; run++) {
        deformable_world t = open_deformables(folding, run ? NULL : none);
        run_frames(t.world, 60);
        read_deformables(&t);
        nearer[run] = count_pairs(&t, 0.8f);
        print_message("  pairs nearer than 0.8 and 0.95 thicknesses: %u, %u\n", nearer[run],
                      count_pairs(&t, 0.95f));
        close_deformables(&t);
    }
    assert_true(nearer[0] > 100 && nearer[1] == 0);
}

/* The upper of two sheets falls onto the lower, which lies on the floor, with a rope between
   them. */
static const char layers[] =
    SCENE("'solver': {'deformable_iterations': 3}, 'cloths': [{'name': 'low', 'area_density': 1, "
          "'grid': {"
          "'corner': [1, 0.03, 1], 'along': [0.5, 0, 0], 'across': [0, 0, 0.5], 'spacing':"
          " 0.0401}}, {'name': 'high', 'area_density': 1, 'velocity': [0, -6, 0], 'grid': {"
          "'corner': [1, 0.4, 1], 'along': [0.5, 0, 0], 'across': [0, 0.02, 0.5], 'spacing':"
          " 0.0401}}], 'ropes': [{'name': 'line', 'line_density': 0.3, 'diameter': 0.05, 'spacing':"
          " 0.0401, 'points': [[0.9, 0.2, 1.2], [1.6, 0.25, 1.3]]}],");

static void a_sheet_stays_above_the_rope_and_sheet_that_it_fell_on(void **state)
{
    deformable_world t = open_deformables(layers, NULL);
    const deformable_info *f = deformable_set_info(t.world->deformables);
    run_frames(t.world, 40);
    read_deformables(&t);
    uint32_t below = 0;
    float nearest = 1.0f;
    for (uint32_t i = f[1].first_vertex; i < f[1].first_vertex + f[1].vertex_count; i++)
        for (uint32_t k = 0; k < f[0].vertex_count; k++) {
            vec3 off = vec3_sub(t.x[i], t.x[k]);
            nearest = fminf(nearest, vec3_length(off));
            below += hypotf(off.x, off.z) < 0.03f && off.y < 0.0f;
        }
    print_message("  nearest %.4f m\n", (double)nearest);
    assert_int_equal(below, 0);
    assert_between("nearest vertices, m", (double)nearest, 0.9 * 0.05, 0.06);
    close_deformables(&t);
}

/* ---- friction -------------------------------------------------------------------------------- */

/* A small sheet slides over a large one that is held, and stops after v^2 / (2 mu g). */
static void a_sheet_that_slides_on_another_is_stopped_by_friction(void **state)
{
    static const char text[] = SCENE(
        "'solver': {'deformable_iterations': 3}, 'cloths': [{'name': 'ice', 'area_density': 1, "
        "'friction':"
        " %s, 'grid': {'corner': [0.5, 1, 0.5], 'along': [2, 0, 0], 'across': [0, 0, 0.5],"
        " 'spacing': 0.0251}, 'pins': [{'inside': {'min': [0, 0, 0], 'max': [3, 3, 3]}}]},"
        "{'name': 'puck', 'area_density': 1, 'bending_stiffness': 1, 'friction': %s, 'velocity':"
        " [1.5, 0, 0], 'grid': {'corner': [0.7, 1.0501, 0.6], 'along': [0.2, 0, 0], 'across':"
        " [0, 0, 0.2], 'spacing': 0.0401}}],");
    static const char *const frictions[] = {"0", "0.5"};
    double law = 1.5 * 1.5 / (2.0 * 0.5 * 9.81), ways[2];
    for (int run = 0; run < 2; run++) {
        char *json = base_format(text, frictions[run], frictions[run]);
        assert_non_null(json);
        deformable_world t = open_deformables(json, NULL);
        uint32_t puck = deformable_set_info(t.world->deformables)[1].first_vertex;
        run_frames(t.world, 30);
        read_deformables(&t);
        ways[run] = (double)t.x[puck].x - 0.7;
        close_deformables(&t);
        base_free(json);
    }
    print_message("  slides %.3f m without friction, %.3f m with it: %.3f by the law\n", ways[0],
                  ways[1], law);
    assert_between("way without friction, m", ways[0], 0.5, 0.76);
    assert_between("way over the law", ways[1] / law, 0.75, 1.25);
}

/* ---- conservation ---------------------------------------------------------------------------- */

/* Two sheets and a rope fly into each other. */
static const char collision[] = SCENE(
    "'gravity': [0, 0, 0], 'solver': {'deformable_iterations': 3}, 'cloths': [{'name': 'one', "
    "'area_density':"
    " 0.4, 'stiffness': 100, 'velocity': [0, 3, 0.5], 'grid': {'corner': [1, 1, 1], 'along':"
    " [0.5, 0, 0], 'across': [0, 0, 0.5], 'spacing': 0.0401}}, {'name': 'two', 'area_density': 2,"
    " 'velocity': [0.2, -2, 0], 'grid': {'corner': [1.1, 1.2, 1], 'along': [0.5, 0.1, 0],"
    " 'across': [0, 0, 0.5], 'spacing': 0.0401}}], 'ropes': [{'name': 'line', 'line_density': 0.3,"
    " 'diameter': 0.05, 'spacing': 0.04, 'velocity': [0, 1, 0], 'points': [[1, 1.1, 1.2],"
    " [1.6, 1.1, 1.3]]}],");

static void momentum_stays_when_cloths_and_ropes_meet(void **state)
{
    deformable_world t = open_deformables(collision, NULL);
    const deformable_info *f = deformable_set_info(t.world->deformables);
    double before[3], after[3], size, most = 0.0, up = 0.0;
    run_frames(t.world, 1);
    size = deformable_momentum(&t, before);
    run_frames(t.world, 6);
    deformable_momentum(&t, after);
    for (int k = 0; k < 3; k++) {
        double change = (after[k] - before[k]) / size / 24.0;
        most = fmax(most, fabs(change));
        assert_between("momentum", change, -1e-6, 1e-6);
    }
    for (uint32_t i = 0; i < f[0].vertex_count; i++)
        up += (double)t.v[i].y / f[0].vertex_count;
    print_message("  momentum %.1e a substep; the first rises at %.2f of 3 m/s\n", most, up);
    assert_between("speed of the first after they met, m/s", up, -3.0, 1.5);
    close_deformables(&t);
}

static void runs_and_restored_runs_have_the_same_bits(void **state)
{
    char folder[] = "/tmp/weir-contact-XXXXXX";
    assert_non_null(mkdtemp(folder));
    char *path = base_path_join(folder, "state");
    assert_non_null(path);
    uint64_t hashes[3];
    for (int run = 0; run < 3; run++) {
        deformable_world t = open_deformables(layers, NULL);
        if (run == 2) OK(sim_restore(t.world, path, NULL));
        if (run < 2) run_frames(t.world, 6);
        if (run == 0) OK(sim_save(t.world, path, NULL));
        run_frames(t.world, 6);
        OK(sim_hash(t.world, &hashes[run]));
        close_deformables(&t);
    }
    assert_true(hashes[0] == hashes[1] && hashes[0] == hashes[2]);
    base_file_remove(NULL, path);
    base_free(path);
    rmdir(folder);
}

/* Parts that cross at the start stay as near as they are, and do not burst apart. */
static void what_overlaps_at_the_start_does_not_burst(void **state)
{
    static const char text[] =
        SCENE("'gravity': [0, 0, 0], 'cloths': [{'name': 'one', 'area_density': 0.4, 'grid': {"
              "'corner': [1, 1, 1], 'along': [0.5, 0, 0], 'across': [0, 0, 0.5], 'spacing':"
              " 0.0401}}, {'name': 'two', 'area_density': 2, 'grid': {'corner': [1, 1.01, 1.01],"
              " 'along': [0.5, 0, 0], 'across': [0, 0, 0.5], 'spacing': 0.0401}}],");
    deformable_world t = open_deformables(text, NULL);
    run_frames(t.world, 5);
    read_deformables(&t);
    double fastest = 0.0;
    for (uint32_t i = 0; i < t.count; i++)
        fastest = fmax(fastest, (double)vec3_length(t.v[i]));
    assert_between("speed, m/s", fastest, 0.0, 1e-3);
    close_deformables(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cloth_that_folds_does_not_pass_through_itself),
        cmocka_unit_test(a_sheet_stays_above_the_rope_and_sheet_that_it_fell_on),
        cmocka_unit_test(a_sheet_that_slides_on_another_is_stopped_by_friction),
        cmocka_unit_test(momentum_stays_when_cloths_and_ropes_meet),
        cmocka_unit_test(runs_and_restored_runs_have_the_same_bits),
        cmocka_unit_test(what_overlaps_at_the_start_does_not_burst),
    };
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
