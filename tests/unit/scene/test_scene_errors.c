/* All errors of a scene are reported at once, each with its position. */
#include "scene_fixture.h"
#include "scene_internal.h"

static void all_faults_are_reported_at_once_with_line_and_column(void **state)
{
    assert_int_equal(parse_with(&fixture, "'solver': {'iterations': 0,\n  'substeps': 'four',\n"
                                          "  'relaxtion': 1},\n'duration': -1,"),
                     WEIR_ERROR_SCENE);
    assert_null(fixture.scene);
    assert_says(&fixture, "test.json:1:27: solver.iterations: is 0, expected an integer from 1 to "
                          "100");
    assert_says(&fixture, "test.json:2:15: solver.substeps: is \"four\", expected an integer");
    assert_says(&fixture, "test.json:3:16: solver.relaxtion: unknown key; did you mean "
                          "\"relaxation\"?");
    assert_says(&fixture, "test.json:4:13: duration: is -1, expected a number from 0 to 1000000 s");
    assert_int_equal(line_count(&fixture), 4);
}

static void each_element_of_an_array_has_its_own_line(void **state)
{
    assert_int_equal(parse_with(&fixture, "'sinks': [1,\n2,\n [3]],"), WEIR_ERROR_SCENE);
    assert_says(&fixture, "test.json:1:12: sinks[0]");
    assert_says(&fixture, "test.json:2:1: sinks[1]");
    assert_says(&fixture, "test.json:3:2: sinks[2]: is [3], expected an object");
}

static void faults_come_in_the_order_of_the_file(void **state)
{
    assert_int_equal(parse_with(&fixture, "'sinks': [1],\n'solver': {'substeps': 0},\n'name': 3,"),
                     WEIR_ERROR_SCENE);
    const char *sinks = strstr(messages(&fixture), "sinks[0]"),
               *solver = strstr(messages(&fixture), "solver.substeps"),
               *name = strstr(messages(&fixture), ": name:");
    assert_non_null(sinks);
    assert_true(sinks < solver && solver < name);
}

static void columns_count_code_points(void **state)
{
    assert_int_equal(parse_with(&fixture, "'name': '\xC3\xA9\xC3\xA9', 'duration': -1,"),
                     WEIR_ERROR_SCENE);
    assert_says(&fixture, "test.json:1:28: duration");
}

static void keys_of_earlier_versions_are_answered(void **state)
{
    assert_int_equal(parse_with(&fixture, "'solver': {\n  'tension': true},"), WEIR_ERROR_SCENE);
    assert_says(&fixture,
                "test.json:2:14: solver.tension: is now called solver.allow_negative_pressure");
    assert_int_equal(line_count(&fixture), 1);
    assert_non_null(strstr(scene_removed_key("fluids[12].viscosity"),
                           "fluids[].xsph, with the same values, smooths velocities "
                           "(dimensionless); fluids[].dynamic_viscosity is the viscosity in Pa s"));
    assert_null(scene_removed_key("fluids[12].viscosity.x"));
    assert_non_null(strstr(scene_removed_key("solver.skin"), "saved no time"));
    assert_non_null(strstr(scene_removed_key("solver.freeze_gradients"), "2 %"));
    assert_non_null(
        strstr(scene_removed_key("solver.coarse_sweeps"), "solver.long_range_correction"));
    assert_non_null(strstr(scene_removed_key("solver.lists"), "the engine chooses"));
    assert_null(scene_removed_key("solver.iterations"));
    assert_null(scene_removed_key("tension"));
}

static void another_format_is_the_only_error(void **state)
{
    assert_int_equal(parse_with(&fixture, "'format': 1,"), WEIR_OK);
    assert_int_equal(line_count(&fixture), 0);
    assert_null(strstr(fixture.scene->json, "format"));
    assert_int_equal(parse_with(&fixture, "'name': 3,\n'format': 2, 'unheard': 1,"),
                     WEIR_ERROR_SCENE);
    char *expected = base_format("test.json:2:11: format: is 2, and Weir %s reads scenes of format "
                                 "1: install a newer Weir, or write the scene for format 1\n",
                                 weir_version());
    assert_string_equal(messages(&fixture), expected);
    base_free(expected);
    refused("'format': 0,", "format: is 0, expected the number of a format: 1");
    refused("'format': 1.0,", "format: is 1, expected the number");
    refused("'format': '1',", "format: is \"1\", expected the number");
    assert_int_equal(parse_in(&fixture, "{}", NULL, (const char *const[]){"format=7", NULL}),
                     WEIR_ERROR_SCENE);
    assert_says(&fixture, "--set format=7: format: is 7, and Weir");
}

/* No key of format 1 is deprecated yet, so the table is the test's own. */
static void a_deprecated_key_works_with_a_warning(void **state)
{
    typedef struct thing {
        uint32_t old, other;
    } thing;
    static const thing defaults = {4, 5};
    static const scene_field fields[] = {
        {.name = "old",
         .type = SCENE_FIELD_COUNT,
         .offset = offsetof(thing, old),
         .max = 9,
         .unit = "",
         .about = "",
         .deprecated = "use \"other\""},
        {.name = "other",
         .type = SCENE_FIELD_COUNT,
         .offset = offsetof(thing, other),
         .max = 9,
         .unit = "",
         .about = ""},
    };
    const scene_table table = {"thing", fields, BASE_COUNT(fields), &defaults};
    const weir_log log = {.write = gather, .user = &fixture.messages, .level = WEIR_LOG_INFO};
    const scene_location top = {0};
    for (int given = 0; given < 2; given++) {
        scene_clear(&fixture);
        scene_data scene = {.source = "test.json"};
        scene_parser parser = {.log = &log, .scene = &scene, .root = json_object()};
        thing read;
        if (given) json_object_set_new(parser.root, "old", json_integer(7));
        assert_true(scene_read_fields(&parser, &top, parser.root, &table, &read));
        scene_log_reports(&parser);
        assert_int_equal(parser.errors, 0);
        assert_int_equal(read.old, given ? 7 : 4);
        assert_int_equal(read.other, 5);
        assert_int_equal(json_object_get(parser.root, "old") != NULL, given);
        if (given) assert_says(&fixture, "old: is deprecated: use \"other\"; it works until");
        assert_int_equal(line_count(&fixture), given);
        json_decref(parser.root);
    }
}

static void keys_of_other_engines_are_answered(void **state)
{
    assert_int_equal(parse_with(&fixture, "'particleradius': 0.025,\n'solver': {'radius': 0.2},\n"
                                          "'emitters': [{'maxEmitterParticles': 1}],\n"
                                          "'substeps': 2, 'cohesion': 1, 'resolution_max': 64,"),
                     WEIR_ERROR_SCENE);
    assert_says(&fixture, "test.json:1:20: particleradius: unknown key; \"particleRadius\" of "
                          "SPlisHSPlasH is spacing here: spacing = 2 particleRadius\n");
    assert_says(&fixture,
                "test.json:2:22: solver.radius: unknown key; \"radius\" of FleX is "
                "solver.support_radius here: support_radius = radius / fluidRestDistance\n");
    assert_says(&fixture, "test.json:3:38: emitters[0].maxEmitterParticles: unknown key; "
                          "\"maxEmitterParticles\" of SPlisHSPlasH is emitters[].max_particles "
                          "here\n");
    assert_says(&fixture, "test.json:4:13: substeps: unknown key; \"substeps\" of FleX is "
                          "solver.substeps here\n");
    assert_says(&fixture, "cohesion: unknown key; \"cohesion\" of FleX is fluids[].surface_tension "
                          "here: in N/m; values cannot be reused\n");
    assert_says(&fixture, "resolution_max: unknown key; \"resolution_max\" of Blender is spacing");
}

typedef struct fault {
    const char *more; /* argument of parse_with */
    const char *says;
} fault;

#define SOLID(shape) "'solids': [{'name': 's', 'shape': " shape "}],"
#define MOTION(motion) \
    "'solids': [{'name': 's', 'shape': {'sphere': {'radius': 1}}, 'motion': " motion "}],"
#define FORCE(force) "'forces': [" force "],"
#define GAUGE(kind) "'gauges': [{'name': 'g', " kind "}],"
#define EMITTER(keys)                                                                             \
    "'emitters': [{'name': 'e', 'position': [2, 2, 2], 'speed': 1, 'direction': [1, 0, 0], " keys \
    "}],"

static const fault faults[] = {
    {"'gravity': [0, -9.81],", "gravity: is [0, -9.81], expected three numbers"},
    {"'gravity': [0, 'x', 0],", "gravity: is [0, \"x\", 0], expected three numbers"},
    {"'gravity': [0, -1.5e9, 0.25],", "gravity: is [0, -1.5e+09, 0.25], expected three numbers"},
    {"'gravity': [0, [], 0],", "gravity: is an array of 3, expected three numbers"},
    {"'gravity': [123456789.25, 123456789.25, 123456789.25, 123456789.25, 123456789.25],",
     "gravity: is [123456789, 123456789, 123456789, 123456789, 123456789], expected three"},
    {"'gravity': [1.23456789e-200, 1.23456789e-200, 1.23456789e-200, 1.23456789e-200, "
     "1.23456789e-200],",
     "gravity: is an array of 5, expected three numbers"},
    {"'name': '',", "name: is \"\", expected a text of 1 to 64 bytes"},
    {"'solver': {'iterations': 2.5},", "solver.iterations: is 2.5, expected an integer"},
    {"'solver': {'tolerance': 0.01},", "solver.tolerance: is 0.01, expected"},
    {"'solver': {'tolerance': {'mean': 5}},",
     "solver.tolerance.mean: is 5, expected a number from 0 to 0.5 rho0"},
    {"'solver': {'tolerance': {'mean': -0.1}},", "solver.tolerance.mean: is -0.1, expected"},
    {"'solver': {'tolerance': {'mean': 0.02, 'max': 0.01}},",
     "solver.tolerance.max: is 0.01, below mean, 0.02"},
    {"'solver': {'tolerance': {'max': 0.01}, 'iterations': 1},",
     "solver.iterations: is 1, expected at least 2 with solver.tolerance, where it is the maximum "
     "per substep; 20 is usual"},
    {"'solver': {'tolerance': {'largest': 0.01}},", "solver.tolerance.largest: unknown key"},
    {"'solver': {'cfl': 2},", "solver.cfl: is 2, expected at most 1 d, or solver.method"},
    {"'solver': {'method': 'flip', 'grid_cell_size': 5},",
     "solver.grid_cell_size: is 5, expected a number from 1 to 4"},
    {"'solver': {'method': 'flip', 'pic_fraction': 1.5},",
     "solver.pic_fraction: is 1.5, expected a number from 0 to 1"},
    {"'solver': {'reseed': true},", "solver.reseed: is true, but \"pbf\" does not support it: "
                                    "remove it, or set solver.method to \"flip\" or \"apic\""},
    {"'solver': {'method': 'pcisph', 'reseed': true},",
     "solver.reseed: is true, but \"pcisph\" does not support it: remove it, or set solver.method "
     "to \""},
    {"'solver': {'method': 'wcsph', 'reseed': true},",
     "solver.reseed: is true, but \"wcsph\" does not support it: remove it, or set solver.method "
     "to \""},
    {"'solver': {'method': 'apic', 'vorticity_confinement': 1},",
     "solver.vorticity_confinement: is 1, but \"apic\" does not support it: remove it, or set "
     "solver.method to \""},
    {"'solver': {'method': 'flip', 'tolerance': {'mean': 0.01}},",
     "solver.tolerance.mean: is 0.01, but \"flip\" does not support it: remove it, or set "
     "solver.method to \""},
    {"'solver': {'method': 'wcsph', 'adaptive': true},",
     "solver.adaptive: is true, but \"wcsph\" does not support it: remove it, or set solver.method "
     "to \""},
    {"'solver': {'method': 'wcsph', 'long_range_correction': 'on'},",
     "solver.long_range_correction: is \"on\", but \"wcsph\" does not support it: remove it, or "
     "set solver.method to \""},
    {"'solver': {'method': 'wcsph', 'sound_speed': 9000},",
     "solver.sound_speed: is 9000 m/s, which needs"},
    {"'solver': {'method': 'pcisph'}, 'gauges': [{'name': 'a', 'pressure': {'position': [0, 0, "
     "0]}}],",
     "gauges[0].pressure: cannot measure pressure with \"pcisph\""},
    {"'solver': {'method': 'pcisph', 'solid_forces': true},",
     "solver.solid_forces: is true, but \"pcisph\" does not support it: remove it, or set "
     "solver.method to \""},
    {"'solver': {'solid_forces': true, 'chebyshev_spectral_radius': 0.9},",
     "solver.solid_forces: is true, but forces on solids cannot be measured with "
     "solver.chebyshev_spectral_radius"},
    {"'solver': {'solid_forces': true, 'long_range_correction': 'on'},",
     "solver.solid_forces: is true, but the force of the long-range correction on a solid cannot"},
    {"'solver': {'adaptive': 1},", "solver.adaptive: is 1, expected true or false"},
    {"'solver': {'preset': 'best'},", "is \"best\", expected \"default\" or \"pbf_paper\""},
    {"'solver': [],", "solver: is an array of 0, expected an object"},
    {"'duration': 1e6, 'frame_rate': 60,", "duration: gives 60000000 frames"},
    {"'camera': {'eye': [1, 2, 3]},", "camera.target: is missing"},
    {"'camera': {'eye': [1, 2, 3], 'target': [1, 2, 3]},",
     "camera: defines no view: eye and target"},
    {"'camera': {'eye': [1, 2, 3], 'target': [1, 0, 3]},",
     "defines no view: eye and target must differ, and up must not be parallel to"},
    {"'look': {'preset': 'dust'},",
     "\"technical\" (named look: light, sky, floor and clarity); did "
     "you mean \"dusk\"?"},
    {"'look': {'absorption_length': -1},", "look.absorption_length: is -1, expected a number"},
    {"'spacings': 1,", "spacings: unknown key; did you mean \"spacing\"?"},
    {SOLID("{'box': {'size': [1, 1, 1], 'radius': 1}}"),
     "box.radius: unknown key; expected size, min, max"},
    {"'colour': 1,", "colour: unknown key; expected $schema, format, name, description, domain"},
    {SOLID("{}"), "solids[0].shape: has no kind, expected one of box, sphere"},
    {SOLID("{'sphere': {'radius': 1}, 'plane': {}}"), "is both \"sphere\" and \"plane\""},
    {SOLID("{'sphere': {'radius': 0}}"), "solids[0].shape.sphere.radius: is 0, expected a number"},
    {SOLID("{'sphere': {}}"), "solids[0].shape.sphere.radius: is missing"},
    {SOLID("{'box': {}}"), "solids[0].shape.box: expected either size, or min and max"},
    {SOLID("{'box': {'min': [0, 0, 0]}}"), "expected either size, or min and max"},
    {SOLID("{'box': {'min': [0, 0, 0], 'max': [1, 1, 0]}}"), "has min not below max"},
    {SOLID("{'union': []}"), "solids[0].shape.union: is an array of 0, expected an array of 1"},
    {SOLID("{'union': [{'sphere': 1}]}"), "solids[0].shape.union[0].sphere: is 1, expected an obj"},
    {SOLID("{'plane': {}, 'rotation': [0, 0]}"), "rotation: is [0, 0], expected three"},
    {SOLID("{'plane': {}, 'rotation': {'axis': [0, 0, 0], 'angle': 1}}"),
     "axis: is zero, expected"},
    {SOLID("{'plane': {}, 'rotation': {'quaternion': [0, 0, 0, 0]}}"),
     "quaternion: is [0, 0, 0, 0], expected four numbers"},
    {SOLID("{'plane': {}, 'scale': 0}"), "scale: is 0, expected a number from 1e-06"},
    {SOLID("{'mesh': {'file': 'none.obj'}}"), "shape.mesh.file: no file \"none.obj\"; give"},
    {SOLID("{'mesh': {'files': 'a%s%04d.obj', 'first': 1, 'last': 2}}"), "needs exactly one %d"},
    {SOLID("{'mesh': {'files': 'a.obj', 'first': 1, 'last': 2}}"), "needs exactly one %d"},
    {SOLID("{'mesh': {'files': 'a%04d.obj', 'first': 3, 'last': 2}}"), "last: is 2, expected from"},
    {SOLID("{'mesh': {'files': 'none%03d.obj', 'first': 1, 'last': 3}}"),
     "no file \"none001.obj\""},
    {SOLID("{'mesh': {'files': 'none%03d.obj', 'first': 1, 'last': 3}}"),
     "3 files of the sequence"},
    {FORCE("{'strength': 1, 'type': 'centrol'}"),
     "forces[0].type: is \"centrol\", expected one of \"central\", \"uniform\""},
    {FORCE("{'centre': [0, 0, 0]}"), "forces[0]: a field of type \"central\" needs strength"},
    {FORCE("{'type': 'uniform', 'acceleration': [1, 0, 0], 'rate': 2}"),
     "forces[0].rate: does not apply to a field of type \"uniform\": remove it"},
    {FORCE("{'type': 'vortex', 'strength': 1, 'axis': [0, 0, 0]}"), "axis: is zero, expected a"},
    {FORCE("{'strength': 1, 'inside': {'min': [0, 0, 0]}}"),
     "inside: expected min and max of a box, or centre and radius of a sphere"},
    {FORCE("{'strength': 1, 'inside': {'min': [0, 0, 0], 'max': [1, 0, 1]}}"),
     "inside: is empty: expected max above min on every axis"},
    {"'solver': {'method': 'flip'}, " FORCE("{'type': 'drag', 'rate': 1}"),
     "forces[0].type: \"drag\" works only with the particle methods"},
    {MOTION("{}"),
     "solids[0].motion: expected exactly one of keyframes, oscillation, spin, host_driven"},
    {MOTION("{'keyframes': []}"), "motion.keyframes: is empty"},
    {MOTION("{'keyframes': [{'time': 1}, {'time': 1}]}"),
     "keyframes[1].time: is 1 s, expected mor"},
    {MOTION("{'oscillation': {'frequency': 1}, 'start': 2, 'end': 1}"),
     "end: is 1 s, expected no l"},
    {MOTION("{'spin': {'axis': [0, 0, 0], 'rate': 1}}"), "motion.spin.axis: is zero, expected a d"},
    {EMITTER("'fluid': 'watr', 'radius': 0.2"),
     "emitters[0].fluid: is \"watr\", expected the name"},
    {EMITTER("'fluid': 'watr', 'radius': 0.2"), "did you mean \"water\"?"},
    {EMITTER("'fluid': 'water'"),
     "emitters[0]: expected a shape, or an opening: position with radius, or with width"},
    {EMITTER("'fluid': 'water', 'radius': 0.01"),
     "an opening narrower than one particle spacing, 0.1 m"},
    {EMITTER("'fluid': 'water', 'radius': 0.2, 'start': 2, 'end': 1"), "emitters[0].end: is 1 s"},
    {"'emitters': [{'name': 'e', 'fluid': 'water', 'position': [9, 2, 2], 'speed': 1, 'direction': "
     "[1, 0, 0], 'radius': 0.3}],",
     "emitters[0].position: is outside the domain"},
    {"'sinks': [{'name': 'a', 'shape': {'plane': {}}}, {'name': 'a', 'shape': {'plane': {}}}],",
     "sinks[1].name: is \"a\", which is already the name of [0]"},
    {"'sinks': {},", "sinks: is an object, expected an array"},
    {GAUGE("'height': {'min': [1, 0, 0], 'max': [1, 1, 1]}"),
     "gauges[0].height: min 1 is not below max 1 on x; swap them"},
    {GAUGE("'front': {'min': [0, 90, 0], 'max': [1, 91, 1], 'axis': '+x'}"),
     "gauges[0].front: lies outside the domain on y; move it in"},
    {GAUGE("'height': {}, 'front': {}"),
     "gauges[0]: expected exactly one of height, front, pressure, force and flow, found 2"},
    {GAUGE("'pressure': {'position': [0, 0, 0], 'average': 1e-4}"),
     "gauges[0].pressure.average: is 0.0001 s, shorter than a substep: expected at least 0.00417 "
     "s"},
    {GAUGE("'force': {'solid': 'wall'}"), "gauges[0].force.solid: is \"wall\", expected the name"},
    {"'solver': {'long_range_correction': 'on'}," GAUGE("'force': {'solid': 'wall'}"),
     "gauges[0].force: cannot measure the force of the long-range correction on a solid"},
    {"'sinks': [1],", "sinks[0]: is 1, expected an object"},
};

static void each_fault_names_its_place_and_what_was_expected(void **state)
{
    for (size_t i = 0; i < BASE_COUNT(faults); ++i) {
        assert_int_equal(parse_with(&fixture, faults[i].more), WEIR_ERROR_SCENE);
        assert_says(&fixture, faults[i].says);
        assert_null(fixture.scene);
    }
}

static void a_misspelt_key_that_is_required_is_reported_once(void **state)
{
    assert_int_equal(parse_with(&fixture, "'camera': {'eye': [1, 2, 3], 'traget': [0, 0, 0]},"),
                     WEIR_ERROR_SCENE);
    assert_says(&fixture, "camera.traget: unknown key; did you mean \"target\"?");
    assert_int_equal(line_count(&fixture), 1);
}

#define SCENE(domain, spacing, fluids) \
    "{'domain': " domain ", 'spacing': " spacing ", 'fluids': " fluids "}"
#define UNIT "{'min': [0, 0, 0], 'max': [1, 1, 1]}"
#define BALL(at) \
    "[{'name': 'a', 'fill': {'shape': {'sphere': {'radius': 0.1}, 'position': " at "}}}]"

static const fault scene_faults[] = {
    {"{}", "test.json:1:1: domain: is missing"},
    {"{}", "test.json:1:1: spacing: is missing, expected a number from 1e-05 to 100 m"},
    {"{}", "fluids: is missing"},
    {"[]", "test.json:1:1: the scene is an array of 0, expected an object"},
    {"{'a': 1,}", "not a JSON object"},
    {"{'a': 1\n 'b': 2}", "test.json:2:"},
    {"{'a': 1, 'a': 2}", "duplicate"},
    {"", "test.json:1:1: not a JSON object"},
    {"{'gravity': [1e999, 0, 0]}", "real number overflow"},
    {SCENE("{'min': [0, 0, 0], 'max': [1, 0, 1]}", "0.1", BALL("[0.5, 0.5, 0.5]")),
     "domain: min 0 is not below max 0 on y"},
    {SCENE(UNIT, "0.6", BALL("[0.5, 0.5, 0.5]")), "expected at least the support radius, 1.26 m"},
    {SCENE("{'min': [0, 0, 0], 'max': [1, 1, 1], 'sides': {'x': 'periodic'}}", "0.15",
           BALL("[0.5, 0.5, 0.5]")),
     "periodic axis x, expected at least four support radii, 1.26 m"},
    {SCENE("{'min': [0, 0, 0], 'max': [1, 1, 1], 'sides': {'x': ['periodic', 'open']}}", "0.1",
           BALL("[0.5, 0.5, 0.5]")),
     "domain.sides.x: is periodic on one side only"},
    {SCENE("{'min': [0, 0, 0], 'max': [1, 1, 1], 'sides': {'x': 'shut'}}", "0.1",
           BALL("[0.5, 0.5, 0.5]")),
     "domain.sides.x: is \"shut\", expected \"closed\", \"open\" or \"periodic\""},
    {SCENE("{'min': [0, 0, 0], 'max': [1000, 1, 1]}", "0.01", BALL("[0.5, 0.5, 0.5]")),
     "domain: extends 1000 m from the origin on x"},
    {SCENE(UNIT, "0.1", "[]"), "fluids: is empty, expected at least one fluid"},
    {SCENE(UNIT, "0.1", "[{'name': 'a'}]"), "fluids[0]: has neither a fill nor an emitter"},
    {SCENE(UNIT, "0.1", BALL("[2, 0.5, 0.5]")), "fluids[0].fill.shape: is outside the domain"},
    {SCENE(UNIT, "0.1", "[{'name': 'a', 'fill': {'file': 'none.ply'}}]"), "no file \"none.ply\""},
    {SCENE(UNIT, "0.1", "[{'name': 'a', 'fill': {'lattice': 'square'}}]"),
     "is \"square\", expected one of \"cubic\", \"hexagonal\""},
    {SCENE(UNIT, "0.1", "[{'name': 'a', 'RestDensity': 900}]"),
     "test.json:1:106: fluids[0].RestDensity: unknown key; \"RestDensity\" of PeriDyno is "
     "fluids[].density here"},
    {SCENE(UNIT, "0.1", "[{'name': 'a', 'fill': 3}]"), "fluids[0].fill: is 3, expected an object"},
    {SCENE(UNIT, "0.1",
           "[{'name': 'a', 'density': 2500}, {'name': 'b', 'density': 2}], "
           "'solver': {'method': 'flip'}"),
     "test.json:1:134: fluids[1].density: is 2 kg/m3, and a has 2500: with FLIP and APIC one fluid "
     "may be at most 100 times as dense as another, expected 25 to 250000"},
    {SCENE(UNIT, "0.1",
           "[{'name': 'a'}, {'name': 'b'}], 'solver': {'method': 'flip', 'reseed': true}"),
     "solver.reseed: is true, but there are 2 fluids, and reseeding would move particles of one "
     "fluid into another: remove it, or use one fluid"},
    {SCENE(UNIT, "0.1", "[{'name': 'a', 'xsph': 0.1}], 'solver': {'method': 'flip'}"),
     "fluids[0].xsph: is 0.1, but \"flip\" does not support it: remove it, or set "
     "solver.method to \""},
};

static void each_scene_fault_is_found(void **state)
{
    for (size_t i = 0; i < BASE_COUNT(scene_faults); ++i) {
        assert_int_equal(parse(&fixture, scene_faults[i].more), WEIR_ERROR_SCENE);
        assert_says(&fixture, scene_faults[i].says);
    }
}

static void a_fill_partly_outside_is_a_warning(void **state)
{
    assert_int_equal(parse(&fixture, SCENE(UNIT, "0.1", BALL("[0.95, 0.5, 0.5]"))), WEIR_OK);
    assert_says(&fixture, "warning: test.json:");
    assert_says(&fixture, "extends up to 0.05 m beyond the domain on +x");
    assert_int_equal(parse(&fixture, SCENE(UNIT, "0.1",
                                           "[{'name': 'a', 'fill': {'shape': {'plane': "
                                           "{}, 'position': [0, 0.5, 0]}}}]")),
                     WEIR_OK);
    assert_string_equal(messages(&fixture), "");
}

static char *repeated(const char *unit, size_t count, const char *end)
{
    base_text text = {0};
    for (size_t i = 0; i < count; ++i)
        assert_true(base_text_append(&text, "%s", unit));
    assert_true(base_text_append(&text, "%s", end));
    return text.items;
}

static weir_result parse_long(const char *text)
{
    weir_log log = {gather, &fixture.messages, WEIR_LOG_WARNING};
    scene_input input = {text, strlen(text), "test.json", "", NULL, 0, NULL};
    scene_clear(&fixture);
    return scene_parse(&log, &input, &fixture.scene);
}

static void depth_and_number_of_values_are_bounded(void **state)
{
    char *deep = repeated("[", 100000, "");
    assert_int_equal(parse_long(deep), WEIR_ERROR_SCENE);
    assert_says(&fixture, "test.json:1:65: values are nested more than 64 levels deep");
    base_free(deep);
    char *wide = repeated("1,", 1000001, "]");
    wide[0] = '[';
    assert_int_equal(parse_long(wide), WEIR_ERROR_SCENE);
    assert_says(&fixture, "more than a million values");
    base_free(wide);
    char *sets = base_format("'solids': [{'name': 's', 'shape': %s",
                             "{'union': [{'union': [{'union': [{'union': [{'union': [{'union': ["
                             "{'union': [{'union': [{'plane': {}}]}]}]}]}]}]}]}]}}],");
    assert_int_equal(parse_with(&fixture, sets), WEIR_ERROR_SCENE);
    assert_says(&fixture, "is nested more than 7 shapes deep");
    base_free(sets);
}

static void the_hundred_first_fault_is_only_counted(void **state)
{
    char *many = repeated("1, ", 150, "1]");
    char *more = base_format("'sinks': [%s,", many);
    assert_int_equal(parse_with(&fixture, more), WEIR_ERROR_SCENE);
    assert_int_equal(line_count(&fixture), 101);
    assert_says(&fixture, "test.json: 51 more errors are not listed");
    base_free(more);
    base_free(many);
}

static void a_broken_text_never_reads_past_its_end(void **state)
{
    static const char text[] =
        "{\"spacing\": 0.1, \"fluids\": [{\"name\": \"a\\\"b\", \"fill\": {}}]}";
    for (size_t size = 0; size < sizeof text - 1; ++size) {
        char *exact = base_alloc(size, 1);
        assert_non_null(exact);
        memcpy(exact, text, size);
        weir_log log = {gather, &fixture.messages, WEIR_LOG_WARNING};
        scene_input input = {exact, size, "test.json", "", NULL, 0, NULL};
        scene_clear(&fixture);
        assert_int_equal(scene_parse(&log, &input, &fixture.scene), WEIR_ERROR_SCENE);
        base_free(exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_faults_are_reported_at_once_with_line_and_column),
        cmocka_unit_test(each_element_of_an_array_has_its_own_line),
        cmocka_unit_test(a_misspelt_key_that_is_required_is_reported_once),
        cmocka_unit_test(faults_come_in_the_order_of_the_file),
        cmocka_unit_test(columns_count_code_points),
        cmocka_unit_test(keys_of_earlier_versions_are_answered),
        cmocka_unit_test(another_format_is_the_only_error),
        cmocka_unit_test(a_deprecated_key_works_with_a_warning),
        cmocka_unit_test(keys_of_other_engines_are_answered),
        cmocka_unit_test(each_fault_names_its_place_and_what_was_expected),
        cmocka_unit_test(each_scene_fault_is_found),
        cmocka_unit_test(a_fill_partly_outside_is_a_warning),
        cmocka_unit_test(depth_and_number_of_values_are_bounded),
        cmocka_unit_test(the_hundred_first_fault_is_only_counted),
        cmocka_unit_test(a_broken_text_never_reads_past_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, clear_fixture);
}
