/* Warnings about the limits of the solver, and the end of an unstable run. */
#include "told_support.h"

static const char pool[] =
    "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [0.4, 2, 0.4]}, 'frame_rate': 60,"
    " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"
    "'min': [0, 0, 0], 'max': [0.4, 0.4, 0.4]}}}}]}";

typedef struct run {
    scene_data *scene;
    sim_world *world;
} run;

static run begin(const char *const *overrides)
{
    run r = {.scene = make_scene(pool, overrides)};
    said[0] = '\0';
    r.world = make_sim(device, r.scene);
    return r;
}

static void end(run *r)
{
    sim_destroy(&r->world);
    scene_destroy(&r->scene);
}

/* From brute-force iterations on lattices, with poly6 densities and spiky corrections. */
static void the_largest_gain_of_the_iteration_is_that_of_the_lattice(void **state)
{
    static const double known[][2] = {{1.5, 2.46}, {1.7, 2.49}, {2.0, 2.81}, {2.3, 3.29},
                                      {2.5, 3.75}, {3.0, 6.01}, {4.0, 12.6}};
    /* The same gains for Wendland's kernel. */
    static const double wendland[][2] = {{2.0, 2.581}, {2.5, 3.834}, {3.0, 6.186}, {4.0, 14.31}};
    for (size_t i = 0; i < BASE_COUNT(known); i++) {
        scene_solver solver = {.dimensions = 3, .support_radius = (float)known[i][0]};
        assert_true(fabs(sim_max_jacobi_gain(&solver) / known[i][1] - 1.0) < 0.01);
    }
    for (size_t i = 0; i < BASE_COUNT(wendland); i++) {
        scene_solver solver = {.dimensions = 3,
                               .kernel = SCENE_KERNEL_WENDLAND,
                               .support_radius = (float)wendland[i][0]};
        assert_true(fabs(sim_max_jacobi_gain(&solver) / wendland[i][1] - 1.0) < 0.01);
    }
}

static void a_sound_scene_is_not_warned_of(void **state)
{
    run r = begin(NULL);
    assert_string_equal(said, "");
    end(&r);
}

static void a_relaxation_past_the_stable_range_is_warned_of(void **state)
{
    static const char *const overrides[] = {"solver.support_radius=2.5", "solver.relaxation=0.6",
                                            NULL};
    run r = begin(overrides);
    assert_said("relaxation 0.6 is above 0.524");
    end(&r);
}

/* The settings that the warning recommends bring the prediction to the limit. */
static void a_soft_column_is_warned_of_with_what_mends_it(void **state)
{
    static const char *const soft[] = {"solver.substeps=1", "solver.long_range_correction=off",
                                       NULL};
    run r = begin(soft);
    assert_said("at the floor");
    unsigned substeps = 0, iterations = 0;
    assert_int_equal(sscanf(strstr(said, "substeps "), "substeps %u", &substeps), 1);
    assert_int_equal(sscanf(strstr(said, "or iterations "), "or iterations %u", &iterations), 1);
    end(&r);
    assert_true(substeps > 1 && iterations > 4);
    char more[2][64];
    snprintf(more[0], sizeof more[0], "solver.substeps=%u", substeps);
    snprintf(more[1], sizeof more[1], "solver.iterations=%u", iterations);
    for (int k = 0; k < 2; k++) {
        const char *fixed[] = {"solver.substeps=1", "solver.long_range_correction=off", more[k],
                               NULL};
        r = begin(fixed);
        assert_string_equal(said, "");
        end(&r);
    }
}

/* With a grid, a solid must be at least a cell thick. */
static void solids_thinner_than_a_cell_are_counted(void **state)
{
    static const char *const thin[] = {
        "solver.method=flip",
        "solids=[{\"name\":\"plate\",\"shape\":{\"box\":{\"min\":[0.1,0,0],\"max\":[0.11,0.2,0.2]}}"
        "},"
        "{\"name\":\"block\",\"shape\":{\"box\":{\"min\":[0.1,0.5,0],\"max\":[0.4,0.8,0.4]}}}]",
        NULL};
    run r = begin(thin);
    assert_said("1 of 2 solids are thinner than a grid cell, ");
    assert_said("plate");
    end(&r);
    const char *const particles_alone[] = {thin[1], NULL};
    r = begin(particles_alone);
    assert_null(strstr(said, "thinner"));
    end(&r);
}

/* With a grid, an opening needs a cell and a half of room behind it: 0.15 m. */
static void an_opening_at_a_wall_is_told_how_far_to_move(void **state)
{
    static const struct {
        const char *place, *wall, *told;
    } cases[] = {
        {"[0, 1, 0.2]", "solids=[]",
         "0 m of room behind it, and the wall there will hold its fluid "
         "back: with a grid, move it 0.15 m along its direction"},
        {"[0.1, 1, 0.2]", "solids=[]", "0.1 m of room behind it"},
        {"[0.15, 1, 0.2]", "solids=[]", NULL},
        {"[0, 1, 0.2]", "domain.sides.x=open", NULL},
        {"[0.2, 1, 0.2]",
         "solids=[{\"name\":\"cap\",\"shape\":{\"box\":{\"min\":[0,0.8,0],\"max\":[0.15,1.2,0.4]}}}"
         "]",
         "0.05 m of room behind it"},
    };
    for (size_t k = 0; k < BASE_COUNT(cases); k++) {
        char *emitters =
            base_format("emitters=[{\"name\":\"jet\",\"fluid\":\"water\",\"position\":%s,"
                        "\"direction\":[1,0,0],\"radius\":0.1,\"speed\":1}]",
                        cases[k].place);
        run r = begin((const char *const[]){"solver.method=flip", emitters, cases[k].wall, NULL});
        if (cases[k].told) assert_said(cases[k].told);
        assert_int_equal(strstr(said, "the opening of emitter jet has") != NULL,
                         cases[k].told != NULL);
        end(&r);
        r = begin((const char *const[]){emitters, cases[k].wall, NULL});
        assert_null(strstr(said, "the opening of")); /* pbf */
        end(&r);
        base_free(emitters);
    }
}

/* By default the long-range correction handles what the iterations cannot. */
static void a_soft_column_is_corrected_over_its_depth(void **state)
{
    static const char *const cases[][2] = {
        {"solver.substeps=1", "solver.long_range_correction=auto"},
        {"solver.substeps=1", "solver.long_range_correction=off"},
        {"solver.substeps=4", "solver.long_range_correction=auto"},
        {"solver.substeps=4", "solver.long_range_correction=on"}};
    for (int k = 0; k < 4; k++) {
        run r = begin((const char *const[]){cases[k][0], cases[k][1], NULL});
        assert_int_equal(r.world->has_pressure_grid, k == 0 || k == 3);
        assert_int_equal(sim_is_too_compressible(r.world), k == 1);
        end(&r);
    }
    /* It also does where a tolerance would require many iterations. */
    static const char *const strict[] = {"solver.tolerance.mean=0.0005", "solver.iterations=60",
                                         NULL};
    static const char *const loose[] = {"solver.tolerance.mean=0.05", "solver.iterations=60", NULL};
    run r = begin(strict);
    assert_true(r.world->has_pressure_grid);
    end(&r);
    r = begin(loose);
    assert_false(r.world->has_pressure_grid);
    end(&r);
}

/* Returns the mean density error of a column 0.8 m high at rest, at this frame rate. */
static double squeeze_at(const char *rate, const char *substeps)
{
    const char *overrides[] = {"domain.max=[0.2,1.2,0.2]",
                               "fluids[0].fill.shape.box.max=[0.2,0.8,0.2]", rate, substeps, NULL};
    run r = begin(overrides);
    double sum = 0.0;
    uint32_t count = 0;
    weir_stats stats = {0};
    while (stats.time_s < 1.0) {
        OK(sim_step(r.world, 0));
        OK(sim_stats(r.world, &stats));
        if (stats.time_s < 0.5) continue;
        sum += stats.density_error_mean;
        count++;
    }
    end(&r);
    return sum / count;
}

/* The default number of substeps follows the length of the step; the same number at both rates
   would give very different errors. */
static void a_column_is_as_stiff_at_24_as_at_60_frames_a_second(void **state)
{
    double film = squeeze_at("frame_rate=24", NULL), screen = squeeze_at("frame_rate=60", NULL);
    double five[] = {squeeze_at("frame_rate=24", "solver.substeps=5"),
                     squeeze_at("frame_rate=60", "solver.substeps=5")};
    print_message("compressed by %.4f %% at 24 Hz, %.4f %% at 60; by 5 substeps %.4f, %.4f %%\n",
                  100 * film, 100 * screen, 100 * five[0], 100 * five[1]);
    assert_true(screen > 0.001 && screen < 0.01);
    assert_true(fabs(film / screen - 1.0) < 0.1);
    assert_true(five[0] > 3.0 * five[1]);
}

static void a_substep_too_long_for_surface_tension_is_warned_of(void **state)
{
    static const char *const allowed[] = {"fluids[0].surface_tension=900", NULL};
    run r = begin(allowed);
    assert_string_equal(said, "");
    end(&r);
    static const char *const longer[] = {"fluids[0].surface_tension=900", "solver.substeps=2",
                                         "solver.iterations=20", NULL};
    r = begin(longer);
    assert_said("surface tension of fluid water");
    end(&r);
}

#define GAUGE "gauges=[{\"name\": \"floor\", \"pressure\": {\"position\": [0.2, 0.05, 0.2]"

/* Water of the depth H rings with the period 4 H / c of its sound. */
static void a_gauge_that_averages_over_less_than_the_ringing_is_warned_of(void **state)
{
    const char *const fine[] = {GAUGE "}}]", NULL}, *const coarse[] = {
                                                        GAUGE ", \"average\": 0.5}}]", NULL};
    run r = begin(fine);
    double average, depth, period;
    assert_said("gauge floor averages over");
    const char *text = strstr(said, "averages over");
    assert_int_equal(sscanf(text,
                            "averages over %lg s, but %lg m of fluid ring with a period of %lg s",
                            &average, &depth, &period),
                     3);
    assert_true(fabs(average - 1.0 / 60.0) < 1e-4 && fabs(depth - 0.4) < 0.03);
    end(&r);
    r = begin(coarse);
    assert_null(strstr(said, "averages over"));
    assert_true(period < 0.5);
    end(&r);
}

static void a_speed_that_breaks_the_cfl_limit_is_warned_of_once(void **state)
{
    static const char *const overrides[] = {"fluids[0].fill.velocity=[0, 25, 0]", NULL};
    run r = begin(overrides);
    assert_said("2.08 spacings per substep");
    assert_said("substeps 9 or more");
    said[0] = '\0';
    run_frames(r.world, 2);
    assert_string_equal(said, "");
    end(&r);
}

#define SOLID(shape, motion)                        \
    "solids=[{\"name\": \"it\", \"shape\": {" shape \
    ", \"position\": [0.2, 1, 0.2]}, \"motion\": {" motion "}}]"
#define BALL "\"sphere\": {\"radius\": 0.1}"
#define PADDLE "\"box\": {\"size\": [0.3, 0.1, 0.02]}"
#define SPIN(rate) "\"spin\": {\"axis\": [0, 1, 0], \"centre\": [0.2, 1, 0.2], \"rate\": " rate "}"

/* A solid is shot at 1 km/s for half a millisecond, and another rotates. A spinning ball only
   slides along the fluid. */
static void a_solid_that_jumps_over_fluid_is_warned_of(void **state)
{
    static const char shot[] = SOLID(
        BALL, "\"keyframes\": [{\"time\": 0.1}, {\"time\": 0.1005, \"position\": [0, -0.5, 0]}]");
    static const struct {
        const char *overrides[3], *words;
    } rows[] = {
        {{shot}, "at 0.100 s solid it moves 10 spacings per substep, more than 1"},
        {{shot}, "or use substeps 336 or more"},
        {{shot, "solver.adaptive=true"}, "or use adaptive false and substeps "},
        {{SOLID(PADDLE, SPIN("400"))}, "solid it moves"},
        {{SOLID(PADDLE, SPIN("40"))}, NULL},
        {{SOLID(PADDLE, SPIN("40")), "solver.adaptive=true"}, "solid it moves"},
        {{SOLID(BALL, SPIN("400"))}, NULL},
    };
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        run r = begin(rows[i].overrides);
        if (rows[i].words)
            assert_said(rows[i].words);
        else
            assert_string_equal(said, "");
        end(&r);
    }
}

static void energy_from_nowhere_ends_the_run(void **state)
{
    uint32_t count;
    run r = begin(NULL);
    run_frames(r.world, 1);
    OK(sim_particle_count(r.world, &count));
    vec4 *v = base_alloc(count, sizeof *v);
    assert_non_null(v);
    for (uint32_t i = 0; i < count; i++)
        v[i] = (vec4){0, i % 2 ? 40.0f : -40.0f, 0, 0};
    upload(r.world, r.world->buffers.velocities, v, count * sizeof *v);
    OK(sim_step(r.world, 0));
    assert_int_equal(sim_wait(r.world), WEIR_ERROR_UNSTABLE);
    assert_said("at substep 8, the end of frame 2");
    assert_int_equal(sim_step(r.world, 0), WEIR_ERROR_UNSTABLE);
    base_free(v);
    end(&r);
}

/* Whatever a caller pushes or pours in may gain any energy. */
static void energy_of_a_caller_is_no_fault(void **state)
{
    const weir_ray_force pointer = {
        .origin = {0.2f, 0, 0.2f}, .direction = {0, 1, 0}, .radius_m = 1, .acceleration = 4800};
    static const char *const wide[] = {"domain.min=[-2,0,-2]", "domain.max=[2,2,2]", NULL};
    const weir_hose jet = {.position = {0.2f, 1, 0.2f}, .direction = {0, -1, 0}, .speed = 60};
    run r = begin(wide);
    run_frames(r.world, 1);
    sim_set_ray_force(r.world, &pointer);
    run_frames(r.world, 1);
    sim_set_ray_force(r.world, NULL);
    run_frames(r.world, 1);
    end(&r);
    r = begin(NULL);
    OK(sim_set_hose(r.world, &jet));
    run_frames(r.world, 2);
    end(&r);
}

static const char *const with_body[] = {
    "bodies=[{\"name\":\"block\",\"density\":7800,\"shape\":{\"box\":{\"size\":[0.2,0.2,0.2]},"
    "\"position\":[0.2,1,0.2]}}]",
    NULL};

/* Sets the body's velocity after one frame, and runs another frame. */
static weir_body throw_body(run *r, float speed)
{
    weir_body body;
    uint32_t one = 1;
    run_frames(r->world, 1);
    struct body_state state = r->world->body_states[0];
    state.velocity = (vec4){0.0f, speed, 0.0f, 0.0f};
    upload(r->world, body_set_buffers(r->world->bodies)->body_states, &state, sizeof state);
    OK(sim_step(r->world, 0));
    OK(sim_bodies(r->world, &body, &one));
    return body;
}

static void energy_of_bodies_counts(void **state)
{
    run r = begin(with_body);
    throw_body(&r, 1.0f);
    OK(sim_wait(r.world));
    end(&r);
    r = begin(with_body);
    throw_body(&r, 40.0f);
    assert_int_equal(sim_wait(r.world), WEIR_ERROR_UNSTABLE);
    assert_said("the end of frame 2");
    assert_said("fluid and bodies have");
    end(&r);
}

static void a_body_without_finite_numbers_stands_still_and_is_named(void **state)
{
    uint32_t one = 1;
    run r = begin(with_body);
    weir_body lost = throw_body(&r, NAN), later;
    assert_said("the motion of body 'block' became NaN or infinite; it stands still from now on");
    assert_true(lost.non_finite && lost.velocity[1] == 0.0f && isfinite(lost.position[1]));
    said[0] = '\0';
    run_frames(r.world, 2);
    assert_string_equal(said, ""); /* once */
    OK(sim_bodies(r.world, &later, &one));
    assert_memory_equal(later.position, lost.position, sizeof lost.position);
    end(&r);
}

/* Velocities are NaN: the substep is undone, and the state before it remains. */
/* Gives half of the particles velocities that are no numbers. */
static void break_velocities(sim_world *world, uint32_t count)
{
    vec4 *v = base_alloc(count, sizeof *v);
    assert_non_null(v);
    for (uint32_t i = 0; i < count / 2; i++)
        v[i].y = NAN;
    upload(world, world->buffers.velocities, v, count * sizeof *v);
    base_free(v);
}

static void a_broken_substep_leaves_the_last_good_state(void **state)
{
    uint32_t count, after;
    run r = begin(NULL);
    run_frames(r.world, 2);
    vec3 *good = read_vectors(r.world, WEIR_FIELD_POSITION, &count);
    break_velocities(r.world, count);
    OK(sim_step(r.world, 0));
    OK(sim_step(r.world, 0));
    assert_int_equal(sim_wait(r.world), WEIR_ERROR_UNSTABLE);
    assert_said("substep 9 (frame 3");
    vec3 *kept = read_vectors(r.world, WEIR_FIELD_POSITION, &after);
    assert_int_equal(after, count);
    assert_memory_equal(kept, good, count * sizeof *kept);
    base_free(good);
    base_free(kept);
    end(&r);
}

/* The grid spreads what is no number in one substep; the next one is not completed. */
static void a_broken_substep_ends_a_run_by_flip(void **state)
{
    static const char *const overrides[] = {"solver.method=flip", "solver.substeps=4",
                                            "solver.adaptive=false", NULL};
    run r = begin(overrides);
    run_frames(r.world, 2);
    break_velocities(r.world, r.world->last_result.status.count);
    OK(sim_step(r.world, 0));
    assert_int_equal(sim_wait(r.world), WEIR_ERROR_UNSTABLE);
    assert_said("substep 10 (frame 3");
    end(&r);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_gain_of_the_iteration_is_that_of_the_lattice),
        cmocka_unit_test(a_sound_scene_is_not_warned_of),
        cmocka_unit_test(a_relaxation_past_the_stable_range_is_warned_of),
        cmocka_unit_test(a_soft_column_is_warned_of_with_what_mends_it),
        cmocka_unit_test(a_soft_column_is_corrected_over_its_depth),
        cmocka_unit_test(a_column_is_as_stiff_at_24_as_at_60_frames_a_second),
        cmocka_unit_test(solids_thinner_than_a_cell_are_counted),
        cmocka_unit_test(an_opening_at_a_wall_is_told_how_far_to_move),
        cmocka_unit_test(a_substep_too_long_for_surface_tension_is_warned_of),
        cmocka_unit_test(a_gauge_that_averages_over_less_than_the_ringing_is_warned_of),
        cmocka_unit_test(a_speed_that_breaks_the_cfl_limit_is_warned_of_once),
        cmocka_unit_test(a_solid_that_jumps_over_fluid_is_warned_of),
        cmocka_unit_test(energy_from_nowhere_ends_the_run),
        cmocka_unit_test(energy_of_a_caller_is_no_fault),
        cmocka_unit_test(energy_of_bodies_counts),
        cmocka_unit_test(a_body_without_finite_numbers_stands_still_and_is_named),
        cmocka_unit_test(a_broken_substep_leaves_the_last_good_state),
        cmocka_unit_test(a_broken_substep_ends_a_run_by_flip),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, open_listening_device, close_device);
}
