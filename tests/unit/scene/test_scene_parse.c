/* Results of parsing a valid scene. */
#include "scene_fixture.h"

static void everything_left_out_takes_its_default(void **state)
{
    assert_int_equal(parse_with(&fixture, ""), WEIR_OK);
    assert_string_equal(messages(&fixture), "");
    const scene_data *s = fixture.scene;
    assert_string_equal(s->name, "unnamed");
    assert_string_equal(s->source, "test.json");
    assert_vector(s->gravity, 0, -9.81, 0);
    assert_float_equal(s->frame_rate, 60, 0);
    assert_float_equal(s->duration, 5, 0);
    assert_int_equal(s->solver.substeps, 4);
    assert_int_equal(s->solver.iterations, 4);
    assert_int_equal(s->solver.kernel, SCENE_KERNEL_WENDLAND);
    assert_float_equal(s->solver.support_radius, 2.1, 1e-6);
    assert_float_equal(s->solver.relaxation, 0.65, 1e-7);
    assert_float_equal(s->solver.artificial_pressure, 0.02, 1e-8);
    assert_float_equal(s->solver.artificial_pressure_cutoff, 0.8, 1e-7);
    assert_int_equal(s->solver.long_range_correction, SCENE_LONG_RANGE_AUTO);
    assert_true(s->solver.boundary_density);
    assert_false(s->solver.allow_negative_pressure);
    for (int side = 0; side < 6; ++side)
        assert_int_equal(s->domain.sides[side], SCENE_SIDE_CLOSED);
    assert_int_equal(s->fluid_count, 1);
    assert_float_equal(s->fluids[0].density, 1000, 0);
    assert_float_equal(s->fluids[0].xsph, 0, 0);
    assert_int_equal(s->fluids[0].fill_count, 1);
    assert_int_equal(s->fluids[0].fills[0].seed, 1);
    assert_int_equal(s->fluids[0].line, 3);
    assert_int_equal(s->fluids[0].column, 12);
    assert_int_equal(s->solid_count + s->emitter_count + s->sink_count + s->mesh_count, 0);
}

static void the_paper_preset_has_the_values_of_the_paper(void **state)
{
    assert_int_equal(parse_with(&fixture, "'solver': {'preset': 'pbf_paper', 'iterations': 3},"),
                     WEIR_OK);
    const scene_solver *s = &fixture.scene->solver;
    assert_int_equal(s->iterations, 3);
    assert_int_equal(s->kernel, SCENE_KERNEL_POLY6);
    assert_float_equal(s->support_radius, 2, 0);
    assert_int_equal(s->long_range_correction, SCENE_LONG_RANGE_OFF);
    assert_float_equal(fixture.scene->fluids[0].xsph, 0.01, 1e-8);
    assert_float_equal(s->relaxation, 1, 0);
    assert_float_equal(s->artificial_pressure, 0.1, 1e-7);
    assert_float_equal(s->artificial_pressure_distance, 0.2, 1e-7);
    assert_int_equal(s->artificial_pressure_exponent, 4);
    assert_true(s->allow_negative_pressure);
    assert_false(s->boundary_density);
    assert_false(s->scale_artificial_pressure);
}

static void sides_are_given_for_both_or_each(void **state)
{
    static const char text[] =
        "{'spacing': 0.1, 'domain': {'min': [0, 0, 0], 'max': [4, 4, 4],"
        "'sides': {'x': 'periodic', 'y': ['closed', 'open']}}, 'fluids': [{'name': 'w', 'fill':"
        "{'shape': {'sphere': {'radius': 0.5}, 'position': [2, 2, 2]}, 'lattice': 'hexagonal'}}]}";
    assert_int_equal(parse(&fixture, text), WEIR_OK);
    const scene_side expected[6] = {SCENE_SIDE_PERIODIC, SCENE_SIDE_PERIODIC, SCENE_SIDE_CLOSED,
                                    SCENE_SIDE_OPEN,     SCENE_SIDE_CLOSED,   SCENE_SIDE_CLOSED};
    assert_memory_equal(fixture.scene->domain.sides, expected, sizeof expected);
    assert_int_equal(fixture.scene->fluids[0].fills[0].lattice, SCENE_LATTICE_HEXAGONAL);
}

static void children_of_a_shape_come_before_it(void **state)
{
    assert_int_equal(
        parse_with(&fixture,
                   "'sinks': [{'name': 's', 'shape': {'difference': [{'union': ["
                   "{'sphere': {'radius': 1}}, {'capsule': {'radius': 0.1, 'height': 2}}]},"
                   "{'smooth_union': {'blend': 0.2, 'shapes': [{'plane': {}},"
                   "{'torus': {'radius': 1, 'tube_radius': 0.2}, 'scale': 2}]}}]}}],"),
        WEIR_OK);
    const scene_data *s = fixture.scene;
    uint32_t root = s->sinks[0].shape;
    assert_int_equal(s->shapes[root].kind, SCENE_SHAPE_DIFFERENCE);
    assert_int_equal(s->shapes[root].child_count, 2);
    for (uint32_t i = 0; i < s->shape_count; ++i)
        for (uint32_t c = 0; c < s->shapes[i].child_count; ++c)
            assert_true(s->shape_children[s->shapes[i].first_child + c] < i);
    const scene_shape *blend = &s->shapes[s->shape_children[s->shapes[root].first_child + 1]];
    assert_int_equal(blend->kind, SCENE_SHAPE_SMOOTH_UNION);
    assert_float_equal(blend->blend, 0.2, 1e-7);
    const scene_shape *torus = &s->shapes[s->shape_children[blend->first_child + 1]];
    assert_float_equal(torus->tube_radius, 0.2, 1e-7);
    assert_float_equal(torus->pose.scale, 2, 0);
}

static void rotations_of_all_forms_turn_alike(void **state)
{
    static const char *const forms[] = {
        "[90, 0, 90]",
        "{'quaternion': [0.5, 0.5, 0.5, 0.5]}",
        "{'axis': [2, 2, 2], 'angle': 120}",
    };
    for (size_t i = 0; i < BASE_COUNT(forms); ++i) {
        char *more = base_format("'sinks': [{'name': 's', 'shape': {'sphere': {'radius': 1},"
                                 "'rotation': %s}}],",
                                 forms[i]);
        assert_int_equal(parse_with(&fixture, more), WEIR_OK);
        base_free(more);
        quat q = fixture.scene->shapes[fixture.scene->sinks[0].shape].pose.rotation;
        assert_vector(quat_rotate(q, vec3_make(1, 0, 0)), 0, 1, 0);
        assert_vector(quat_rotate(q, vec3_make(0, 1, 0)), 0, 0, 1);
    }
}

static void emitters_have_unit_directions_across_each_other(void **state)
{
    assert_int_equal(parse_with(&fixture, "'emitters': [{'name': 'a', 'fluid': 'water', 'position':"
                                          "[2, 2, 2], 'direction': [0, -3, 0], 'radius': 0.2,"
                                          "'speed': 1}, {'name': 'b', 'fluid': 'water', 'position':"
                                          "[2, 2, 2], 'direction': [1, 1, 0], 'width': 0.4,"
                                          "'height': 0.2, 'speed': 2, 'end': 3,"
                                          "'max_particles': 10}],"),
                     WEIR_OK);
    const scene_emitter *e = fixture.scene->emitters;
    assert_vector(e[0].direction, 0, -1, 0);
    assert_vector(e[0].up, 0, 0, 1);
    assert_int_equal(e[0].max_particles, UINT32_MAX);
    assert_true(e[0].end_s > 1e5f);
    assert_vector(e[1].direction, sqrt(0.5), sqrt(0.5), 0);
    assert_vector(e[1].up, -sqrt(0.5), sqrt(0.5), 0);
    assert_int_equal(e[1].max_particles, 10);
}

static void a_file_may_start_with_a_byte_order_mark(void **state)
{
    char text[] = "\xEF\xBB\xBF{'spacing': 0, 'domain': 1, 'fluids': [{}]}";
    assert_int_equal(parse(&fixture, text), WEIR_ERROR_SCENE);
    assert_says(&fixture, "test.json:1:13: spacing: is 0");
}

/* Every kind of value, so that a writer or reader that drops one is detected. */
static const char everything[] =
    "{'$schema': 'scene.schema.json', 'name': 'all', 'description': 'd\\u00e9', 'gravity': [0.1, "
    "-1,"
    "1e-3], 'frame_rate': 29.97, 'duration': 0.123456789, 'spacing': 0.1, 'domain': {'min': [0, 0,"
    "0], 'max': [4, 4, 4], 'sides': {'y': ['open', 'closed'], 'z': 'periodic'}, 'friction': 0.3},"
    "'solver': {'preset': 'pbf_paper', 'constraint_softening': 0.3, 'adaptive': true, 'substeps': "
    "9.0},"
    "'fluids': [{'name': 'a', 'density': 800.1, 'colour': [1, 0, 0.3], 'fill': [{'shape': {'box':"
    "{'size': [1, 1, 1]}, 'position': [1, 1, 1], 'rotation': [10, 20.3, 30], 'scale': 0.7},"
    "'jitter': 0.1, 'seed': 4294967295, 'spin': {'axis': [0, 1, 2], 'rate': 3}}, {'shape': {'cone':"
    "{'radius': 0.2, 'height': 0.7}, 'position': [2, 2, 2]}, 'velocity': [1, 2, 3.3]}]}],"
    "'solids': [{'name': 'k', 'shape': {'cylinder': {'radius': 1, 'height': 2}}, 'motion':"
    "{'keyframes': [{'time': 0}, {'time': 1.1, 'position': [0, 1, 0], 'rotation': {'axis': [1, 1, "
    "0],"
    "'angle': 45.6}}], 'end': 7}}, {'name': 'o', 'shape': {'sphere': {'radius': 1}}, 'motion':"
    "{'oscillation': {'frequency': 0.7, 'phase': 33.3, 'amplitude': [0, 0.1, 0], "
    "'rotation_amplitude': {'axis':"
    "[0, 0, 1], 'angle': 12.3}}}}, {'name': 's', 'shape': {'intersection': [{'plane': {}},"
    "{'sphere': {'radius': 1}}], 'rotation': {'quaternion': [0.1, 0.2, 0.3, 0.9]}}, 'motion':"
    "{'spin': {'axis': [0, 1, 0], 'rate': 2.2, 'centre': [1, 2, 3]}, 'start': 0.5}}],"
    "'emitters': [{'name': 'e', 'fluid': 'a', 'position': [2, 2, 2], 'direction': [1, 2, 3], "
    "'width':"
    "0.3, 'height': 0.4, 'speed': 1.7, 'start': 0.1}], 'sinks': [{'name': 'x', 'shape': {'torus':"
    "{'radius': 1, 'tube_radius': 0.1}}}]}";

static void assert_same_scene(const scene_data *a, const scene_data *b)
{
    assert_memory_equal(&a->gravity, &b->gravity, sizeof a->gravity);
    assert_memory_equal(&a->domain, &b->domain, sizeof a->domain);
    assert_memory_equal(&a->solver, &b->solver, sizeof a->solver);
    assert_true(a->frame_rate == b->frame_rate && a->duration == b->duration);
    assert_int_equal(a->shape_count, b->shape_count);
    assert_memory_equal(a->shapes, b->shapes, a->shape_count * sizeof *a->shapes);
    assert_int_equal(a->solid_count, b->solid_count);
    for (uint32_t i = 0; i < a->solid_count; ++i) {
        const scene_motion *m = &a->solids[i].motion, *n = &b->solids[i].motion;
        for (double t = 0; t < 3; t += 0.31) {
            scene_pose p = scene_motion_pose(m, t), q = scene_motion_pose(n, t);
            assert_memory_equal(&p, &q, sizeof p);
        }
    }
    for (uint32_t i = 0; i < a->fluids[0].fill_count; ++i) {
        const scene_fill *f = &a->fluids[0].fills[i], *g = &b->fluids[0].fills[i];
        assert_memory_equal(&f->spin, &g->spin, sizeof f->spin);
        assert_memory_equal(&f->velocity, &g->velocity, sizeof f->velocity);
        assert_true(f->jitter == g->jitter && f->seed == g->seed && f->lattice == g->lattice);
    }
    const scene_emitter *e = &a->emitters[0], *d = &b->emitters[0];
    assert_memory_equal(&e->direction, &d->direction, sizeof e->direction);
    assert_memory_equal(&e->up, &d->up, sizeof e->up);
    assert_true(e->speed == d->speed && e->max_particles == d->max_particles);
}

static void the_effective_scene_parses_to_the_same_data_and_text(void **state)
{
    static scene_fixture again;
    assert_int_equal(parse(&fixture, everything), WEIR_OK);
    assert_string_equal(messages(&fixture), "");
    assert_int_equal(parse(&again, fixture.scene->json), WEIR_OK);
    assert_same_scene(fixture.scene, again.scene);
    assert_string_equal(fixture.scene->json, again.scene->json);
    assert_non_null(strstr(fixture.scene->json, "\"relaxation\": 1.0"));
    scene_clear(&again);
}

/* Grants `left` blocks, then fails. */
typedef struct short_memory {
    base_allocator system;
    size_t left;
    long blocks;
} short_memory;

static void *short_resize(void *user, void *memory, size_t size)
{
    short_memory *m = user;
    if (size > 0 && m->left == 0) return NULL;
    if (size > 0) --m->left;
    m->blocks += (memory == NULL) - (size == 0);
    return m->system.resize(m->system.user, memory, size);
}

static void running_out_of_memory_anywhere_is_said_and_leaks_nothing(void **state)
{
    short_memory memory = {.left = 0};
    const base_allocator allocator = {short_resize, &memory};
    static char text[sizeof everything];
    for (size_t i = 0; i < sizeof text; ++i)
        text[i] = everything[i] == '\'' ? '"' : everything[i];
    static const char *const overrides[] = {"fluids.a.density=700"};
    const scene_input input = {text, sizeof text - 1, "test.json", "", overrides, 1, NULL};
    weir_result result = WEIR_ERROR_MEMORY;
    for (size_t blocks = 0; result != WEIR_OK; ++blocks) {
        scene_data *scene = NULL;
        memory.left = blocks;
        memory.system = base_allocator_set(&allocator);
        result = scene_parse(NULL, &input, &scene);
        bool kept = scene != NULL;
        scene_destroy(&scene);
        base_allocator_set(NULL);
        assert_int_equal(memory.blocks, 0);
        assert_true(result == (kept ? WEIR_OK : WEIR_ERROR_MEMORY));
        assert_true(blocks < 10000);
    }
}

static void substeps_left_out_are_each_a_240th_of_a_second(void **state)
{
    static const struct {
        const char *rate, *solver;
        uint32_t substeps;
    } cases[] = {{"60", "{}", 4},
                 {"24", "{}", 10},
                 {"23.976", "{}", 10},
                 {"29.97", "{}", 8},
                 {"1000", "{}", 1},
                 {"1", "{}", 100},
                 {"24", "{'preset': 'pbf_paper'}", 10},
                 {"24", "{'substeps': 3}", 3},
                 {"24", "{'method': 'flip'}", 8}};
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "{'domain': {'min': [0, 0, 0], 'max': [1, 1, 1]}, 'spacing': 0.1,"
                 " 'frame_rate': %s, 'solver': %s, 'fluids': [{'name': 'a', 'fill': {'shape':"
                 " {'box': {'min': [0, 0, 0], 'max': [1, 1, 1]}}}}]}",
                 cases[i].rate, cases[i].solver);
        assert_int_equal(parse(&fixture, text), WEIR_OK);
        assert_int_equal(fixture.scene->solver.substeps, cases[i].substeps);
    }
}

static void wcsph_takes_the_substeps_that_its_speed_of_sound_asks_for(void **state)
{
    /* 10 sqrt(2 g 1 m) is 44.294 m/s; sound may travel 0.2 h = 0.042 m per substep. */
    static const struct {
        const char *more;
        double sound_speed;
        uint32_t substeps;
    } cases[] = {{"", 44.294, 18},
                 {", 'sound_speed': 20", 20, 8},
                 {", 'substeps': 6", 44.294, 18},
                 {", 'substeps': 30", 44.294, 30}};
    static scene_fixture again;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "{'domain': {'min': [0, 0, 0], 'max': [1, 1, 1]}, 'spacing': 0.1,"
                 " 'solver': {'method': 'wcsph'%s}, 'fluids': [{'name': 'a', 'fill': {'shape':"
                 " {'box': {'min': [0, 0, 0], 'max': [1, 1, 1]}}}}]}",
                 cases[i].more);
        assert_int_equal(parse(&fixture, text), WEIR_OK);
        const scene_solver *solver = &fixture.scene->solver;
        assert_float_equal(solver->sound_speed, cases[i].sound_speed, 1e-3);
        assert_int_equal(solver->substeps, cases[i].substeps);
        assert_int_equal(solver->iterations, 1);
        assert_int_equal(parse(&again, fixture.scene->json), WEIR_OK);
        assert_string_equal(fixture.scene->json, again.scene->json);
    }
    scene_clear(&again);
}

static void fills_of_a_grid_are_shaken_unless_jitter_is_set(void **state)
{
    static const char text[] =
        "{'spacing': 0.1, 'domain': {'min': [0, 0, 0], 'max': [1, 1, 1]},"
        " 'solver': {'method': '%s'}, 'fluids': [{'name': 'water', 'fill': {%s 'shape': {'box': "
        "{'min': [0, 0, 0], 'max': [0.5, 0.5, 0.5]}}}}]}";
    static const struct {
        const char *method, *key;
        float jitter;
    } cases[] = {
        {"pbf", "", 0.0f}, {"flip", "", 0.5f}, {"apic", "", 0.5f}, {"flip", "'jitter': 0,", 0.0f}};
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        char scene[512];
        snprintf(scene, sizeof scene, text, cases[i].method, cases[i].key);
        assert_int_equal(parse(&fixture, scene), WEIR_OK);
        assert_true(fixture.scene->fluids[0].fills[0].jitter == cases[i].jitter);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_left_out_takes_its_default),
        cmocka_unit_test(the_paper_preset_has_the_values_of_the_paper),
        cmocka_unit_test(sides_are_given_for_both_or_each),
        cmocka_unit_test(children_of_a_shape_come_before_it),
        cmocka_unit_test(rotations_of_all_forms_turn_alike),
        cmocka_unit_test(emitters_have_unit_directions_across_each_other),
        cmocka_unit_test(a_file_may_start_with_a_byte_order_mark),
        cmocka_unit_test(substeps_left_out_are_each_a_240th_of_a_second),
        cmocka_unit_test(fills_of_a_grid_are_shaken_unless_jitter_is_set),
        cmocka_unit_test(wcsph_takes_the_substeps_that_its_speed_of_sound_asks_for),
        cmocka_unit_test(the_effective_scene_parses_to_the_same_data_and_text),
        cmocka_unit_test(running_out_of_memory_anywhere_is_said_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, clear_fixture);
}
