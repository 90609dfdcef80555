/* Controls: actions on a running simulation from outside, compared with runs without them. */
#include "api_internal.h"
#include "sim_support.h"

static const char pool[] =
    "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [1, 1, 1]},"
    " 'fluids': [{'name': 'water', 'xsph': 0, 'fill': {'shape': {'box': {'min': [0, 0, 0],"
    " 'max': [0.4, 0.4, 1]}}}}, {'name': 'oil', 'density': 800, 'fill': {'shape': {'box':"
    " {'min': [0.6, 0, 0], 'max': [1, 0.3, 1]}}}}]}";

static weir_device *device;

static int open_device(void **state)
{
    weir_device_def def = weir_device_def_default();
    def.cache_folder = "";
    ask_for_validation(&def);
    def.log = (weir_log){.write = print_problem, .level = WEIR_LOG_WARNING};
    OK(weir_device_create(&def, &device));
    return 0;
}

static int close_device(void **state)
{
    uint32_t complaints = weir_device_validation_count(device);
    weir_device_destroy(&device);
    return complaints ? -1 : 0;
}

/* Creates the pool with up to three overrides. */
static weir_scene *make(const char *a, const char *b, const char *c)
{
    const char *overrides[] = {a, b, c};
    char json[1024];
    weir_scene *scene = NULL;
    weir_scene_def def = weir_scene_def_default();
    def.log = (weir_log){.write = print_problem, .level = WEIR_LOG_WARNING};
    def.overrides = overrides;
    def.override_count = a ? b ? c ? 3 : 2 : 1 : 0;
    for (size_t i = 0; i < sizeof pool; i++)
        json[i] = pool[i] == '\'' ? '"' : pool[i];
    OK(weir_scene_parse(json, strlen(json), &def, &scene));
    return scene;
}

static weir_sim *begin(weir_scene *scene)
{
    weir_sim *sim = NULL;
    OK(weir_sim_create(device, scene, &sim));
    return sim;
}

static uint64_t run(weir_sim *sim, uint32_t frames)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < frames; i++)
        OK(weir_sim_step(sim, 0));
    OK(weir_sim_get_state_hash(sim, &hash));
    return hash;
}

static void steer_to(weir_sim *sim, weir_scene *scene)
{
    OK(weir_sim_set_controls(sim, &(weir_sim_controls){.scene = scene}));
}

/* A change before the first frame gives the same bits as a simulation created with it, whatever
 * kernels and passes the change requires. */
static void a_change_at_the_start_is_another_start(void **state)
{
    static const char *const changes[][3] = {
        {"gravity=[1,-3,0]", "solver.iterations=7", NULL},
        {"solver.vorticity_confinement=0.4", "fluids[0].xsph=0.1",
         "solver.artificial_pressure_exponent=3"},
        {"fluids[1].density=1000", "domain.friction=0.5", "solver.allow_negative_pressure=true"},
        {"fluids[0].dynamic_viscosity=50", "fluids[1].dynamic_viscosity=1", NULL},
        {"solver.adaptive=true", "solver.cfl=0.3", "solver.boundary_density=false"},
    };
    for (size_t i = 0; i < BASE_COUNT(changes); i++) {
        weir_scene *plain = make(NULL, NULL, NULL);
        weir_scene *other = make(changes[i][0], changes[i][1], changes[i][2]);
        weir_sim *made = begin(other), *changed = begin(plain);
        steer_to(changed, other);
        uint64_t wanted = run(made, 3), got = run(changed, 3);
        if (wanted != got) fail_msg("%s ...", changes[i][0]);
        weir_sim_destroy(&made);
        weir_sim_destroy(&changed);
        weir_scene_destroy(&plain);
        weir_scene_destroy(&other);
    }
}

static void a_change_and_its_undoing_leave_nothing_behind(void **state)
{
    weir_scene *plain = make(NULL, NULL, NULL),
               *other = make("solver.vorticity_confinement=1", NULL, NULL);
    weir_sim *straight = begin(plain), *around = begin(plain);
    OK(weir_sim_step(around, 0));
    steer_to(around, other); /* while a frame is in flight */
    steer_to(around, plain);
    uint64_t wanted = run(straight, 4);
    assert_true(run(around, 3) == wanted);
    weir_sim_destroy(&straight);
    weir_sim_destroy(&around);
    weir_scene_destroy(&plain);
    weir_scene_destroy(&other);
}

/* The simulation keeps the scenes that it uses alive. */
static void the_scenes_may_be_destroyed(void **state)
{
    weir_scene *plain = make(NULL, NULL, NULL), *other = make("gravity=[0,0,0]", NULL, NULL);
    weir_sim *sim = begin(plain);
    steer_to(sim, other);
    weir_scene_destroy(&plain);
    weir_scene_destroy(&other);
    run(sim, 2);
    weir_sim_destroy(&sim);
}

static void what_needs_a_restart_is_refused(void **state)
{
    weir_scene *plain = make(NULL, NULL, NULL), *other = make("solver.substeps=3", NULL, NULL);
    weir_sim *controlled = begin(plain), *left = begin(plain);
    print_message("two refusals are wanted:\n");
    assert_int_equal(weir_sim_set_controls(controlled, &(weir_sim_controls){.scene = other}),
                     WEIR_ERROR_ARGUMENT);
    weir_sim_controls bad = {.hose = {.direction = {1, 0, 0}, .speed = 1, .fluid = 2}};
    assert_int_equal(weir_sim_set_controls(controlled, &bad), WEIR_ERROR_ARGUMENT);
    assert_true(run(controlled, 2) == run(left, 2));
    weir_sim_destroy(&controlled);
    weir_sim_destroy(&left);
    weir_scene_destroy(&plain);
    weir_scene_destroy(&other);
}

static uint32_t count_of(weir_sim *sim)
{
    uint32_t count = 0;
    OK(weir_sim_get_particle_count(sim, &count));
    return count;
}

/* Layers leave one spacing apart: at 3 m/s and 0.05 m, 3 in 0.05 s. */
static void a_jet_emits_while_it_is_open(void **state)
{
    weir_scene *plain = make(NULL, NULL, NULL);
    weir_sim *sim = begin(plain);
    const weir_sim_controls jet = {
        .hose = {{0.5f, 0.7f, 0.5f}, {0, -1, 0}, 3.0f, 1},
    };
    uint32_t before = count_of(sim), sites = 37; /* sites of a disc 3.2 spacings across */
    OK(weir_sim_step(sim, 0));
    OK(weir_sim_set_controls(sim, &jet));
    run(sim, 3);
    assert_int_equal(count_of(sim), before + 3 * sites);
    OK(weir_sim_set_controls(sim, &(weir_sim_controls){.scene = NULL}));
    run(sim, 3);
    assert_int_equal(count_of(sim), before + 3 * sites);
    OK(weir_sim_set_controls(sim, &jet));
    run(sim, 3);
    assert_int_equal(count_of(sim), before + 6 * sites);
    uint32_t *fluid = base_alloc(count_of(sim), sizeof *fluid);
    OK(weir_sim_read_field(sim, WEIR_FIELD_FLUID, fluid, count_of(sim) * sizeof *fluid));
    for (uint32_t i = before; i < count_of(sim); i++)
        assert_int_equal(fluid[i], 1);
    base_free(fluid);
    weir_sim_destroy(&sim);
    weir_scene_destroy(&plain);
}

/* Every pass can be inspected without a change to the simulation. */
static void looking_at_passes_changes_nothing(void **state)
{
    weir_scene *plain = make(NULL, NULL, NULL);
    weir_sim *looked = begin(plain), *left = begin(plain);
    weir_pass_inspection view = {.pass_count = 1};
    weir_points *points = NULL;
    uint32_t shown = 0;
    run(looked, 1);
    run(left, 1);
    for (uint32_t pass = 0; pass < view.pass_count; pass++) {
        OK(weir_sim_inspect_pass(looked, pass, &view, &points));
        assert_true(view.min_value <= view.max_value);
        if (!view.quantity) assert_true(view.min_value == 0 && view.max_value == 0);
        shown += view.quantity != NULL;
        weir_points_release(&points);
    }
    assert_in_range(shown, 6, view.pass_count);
    print_message("a refusal is wanted:\n");
    assert_int_equal(weir_sim_inspect_pass(looked, view.pass_count, &view, &points),
                     WEIR_ERROR_ARGUMENT);
    assert_null(points);
    assert_true(run(looked, 2) == run(left, 2));
    weir_sim_destroy(&looked);
    weir_sim_destroy(&left);
    weir_scene_destroy(&plain);
}

/* Inspection does not delay the next layer of a hose. */
static void looking_leaves_a_jet_its_time(void **state)
{
    weir_scene *plain = make(NULL, NULL, NULL);
    weir_sim *looked = begin(plain), *left = begin(plain);
    const weir_sim_controls jet = {.hose = {{0.5f, 0.7f, 0.5f}, {0, -1, 0}, 2.0f, 1}};
    weir_pass_inspection view;
    weir_points *points = NULL;
    OK(weir_sim_set_controls(looked, &jet));
    OK(weir_sim_set_controls(left, &jet));
    run(looked, 1);
    OK(weir_sim_inspect_pass(looked, 0, &view, &points));
    weir_points_release(&points);
    run(left, 1);
    assert_true(run(looked, 2) == run(left, 2));
    weir_sim_destroy(&looked);
    weir_sim_destroy(&left);
    weir_scene_destroy(&plain);
}

/* From rest, particles move by g T^2 in a substep of T = 1/240 s. */
static void the_prediction_is_seen_as_it_is(void **state)
{
    weir_scene *plain = make(NULL, NULL, NULL);
    weir_sim *sim = begin(plain);
    weir_pass_inspection view = {.pass_count = 1};
    weir_points *points = NULL;
    for (uint32_t pass = 0; pass == 0 || strcmp(view.name, "predict_positions") != 0; pass++) {
        OK(weir_sim_inspect_pass(sim, pass, &view, &points));
        assert_int_equal(points->slot.points.count, count_of(sim));
        weir_points_release(&points);
    }
    assert_string_equal(view.quantity, "predicted displacement, m");
    assert_float_equal(view.max_value, 9.81f / 57600, 1e-6);
    weir_sim_destroy(&sim);
    weir_scene_destroy(&plain);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_at_the_start_is_another_start),
        cmocka_unit_test(a_change_and_its_undoing_leave_nothing_behind),
        cmocka_unit_test(the_scenes_may_be_destroyed),
        cmocka_unit_test(what_needs_a_restart_is_refused),
        cmocka_unit_test(a_jet_emits_while_it_is_open),
        cmocka_unit_test(looking_at_passes_changes_nothing),
        cmocka_unit_test(looking_leaves_a_jet_its_time),
        cmocka_unit_test(the_prediction_is_seen_as_it_is),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, open_device, close_device);
}
