/* The scenes that ship with Weir, and the files that scenes name. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */

#include "scene_fixture.h"

#include <stdlib.h>

static char folder[] = "/tmp/weir_scene_XXXXXX";

static char *in_folder(const char *name)
{
    char *path = base_path_join(folder, name);
    assert_non_null(path);
    return path;
}

static void touch(const char *name)
{
    char *path = in_folder(name);
    assert_int_equal(base_file_write(NULL, path, "v 0 0 0\n", 8), WEIR_OK);
    base_free(path);
}

/* Creates stand-ins for the models, which are downloaded separately and may be missing. */
static int make_folder(void **state)
{
    if (!mkdtemp(folder)) return -1;
    char *models = in_folder("models"), *scenes = in_folder("scenes");
    bool ok =
        base_folder_make(NULL, models) == WEIR_OK && base_folder_make(NULL, scenes) == WEIR_OK;
    base_free(models);
    base_free(scenes);
    touch("models/bunny.obj");
    touch("models/armadillo.obj");
    touch("models/dragon.obj");
    touch("scenes/bag.obj");
    touch("scenes/boat.obj");
    touch("scenes/spout.obj");
    for (int i = 1; i <= 3; ++i) {
        char *name = base_format("models/wave_%04d.obj", i);
        touch(name);
        base_free(name);
    }
    return ok ? 0 : -1;
}

static int remove_folder(void **state)
{
    scene_clear(&fixture);
    char *command = base_format("rm -r %s", folder);
    int status = system(command);
    base_free(command);
    return status;
}

static weir_result load_with(const char *name, const char *const *overrides, uint32_t count)
{
    char *path = base_format("scenes/%s", name), *place = in_folder("scenes");
    base_blob blob = {0};
    assert_int_equal(base_file_read(NULL, path, 1 << 20, &blob), WEIR_OK);
    scene_clear(&fixture);
    weir_log log = {gather, &fixture.messages, WEIR_LOG_WARNING};
    scene_input input = {(const char *)blob.bytes, blob.size, path, place, overrides, count, NULL};
    weir_result result = scene_parse(&log, &input, &fixture.scene);
    base_blob_free(&blob);
    base_free(path);
    base_free(place);
    return result;
}

static void load(const char *name)
{
    weir_result result = load_with(name, NULL, 0);
    if (result != WEIR_OK || fixture.messages.count) fail_msg("%s", messages(&fixture));
}

/* At most one warning lists what the method ignores; nothing else prevents the run. */
static void each_shipped_scene_takes_any_method_from_outside(void **state)
{
    char **names;
    size_t count, tried = 0;
    assert_int_equal(base_folder_list(NULL, "scenes", &names, &count), WEIR_OK);
    for (size_t i = 0; i < count; ++i) {
        if (strstr(names[i], ".schema.") || !strstr(names[i], ".json")) continue;
        for (uint32_t method = 0; scene_method_name(method); ++method, ++tried) {
            char override[64];
            const char *const overrides[] = {override};
            snprintf(override, sizeof override, "solver.method=%s", scene_method_name(method));
            weir_result result = load_with(names[i], overrides, 1);
            const char *first = strstr(messages(&fixture), "does not support");
            if (result != WEIR_OK || (first && strstr(first + 1, "does not support")))
                fail_msg("%s with %s: %s", names[i], override, messages(&fixture));
            assert_int_equal(fixture.scene->solver.method, method);
        }
    }
    assert_true(tried > 100);
    base_names_free(names, count);
}

static void each_shipped_scene_is_sound_and_says_what_it_is(void **state)
{
    char **names;
    size_t count, scenes = 0;
    assert_int_equal(base_folder_list(NULL, "scenes", &names, &count), WEIR_OK);
    for (size_t i = 0; i < count; ++i) {
        if (strstr(names[i], ".schema.") || !strstr(names[i], ".json")) continue;
        load(names[i]);
        ++scenes;
        assert_true(strlen(fixture.scene->description) > 20);
        assert_string_not_equal(fixture.scene->name, "unnamed");
        assert_non_null(strstr(fixture.scene->json, "\"$schema\": \"scene.schema.json\""));
    }
    assert_true(scenes >= 15);
    base_names_free(names, count);
}

static void what_an_outside_method_ignores_is_named_and_off(void **state)
{
    static const char text[] =
        "{'spacing': 0.1, 'domain': {'min': [0, 0, 0], 'max': [2, 2, 2]},"
        " 'solver': {'vorticity_confinement': 0.1, 'tolerance': {'mean': 0.01}, 'cfl': 0.5},"
        " 'forces': [{'type': 'drag', 'rate': 2}],"
        " 'gauges': [{'name': 'p', 'pressure': {'position': [1, 0.2, 1]}},"
        "            {'name': 'h', 'height': {'min': [0, 0, 0], 'max': [1, 1, 1]}}],"
        " 'ropes': [{'name': 'line', 'points': [[0.5, 1, 0.5], [1.5, 1, 0.5]], 'radius': 0.05,"
        "            'density': 500}],"
        " 'fluids': [{'name': 'water', 'xsph': 0.05, 'fill': {'shape': {'box':"
        "             {'min': [0, 0, 0], 'max': [1, 0.5, 1]}}}},"
        "            {'name': 'oil', 'density': 800, 'surface_tension': 0.1, 'fill': {'shape':"
        "             {'box': {'min': [1, 0, 0], 'max': [2, 0.5, 1]}}}}]}";
    static const char *const flip[] = {"solver.method=flip", NULL};
    static const char *const pcisph[] = {"solver.method=pcisph", NULL};
    static const char *const both[] = {
        "solver={\"method\": \"flip\", \"vorticity_confinement\": 1}", NULL};
    if (parse_in(&fixture, text, "", flip) != WEIR_OK) fail_msg("%s", messages(&fixture));
    assert_string_equal(
        messages(&fixture),
        "warning: --set solver.method=flip: solver.method: \"flip\" does not "
        "support ropes, solver.vorticity_confinement, solver.tolerance.mean, fluids[0].xsph, "
        "forces[0]: ignored\n");
    const scene_data *s = fixture.scene;
    assert_int_equal(s->rope_count, 0);
    assert_true(s->solver.vorticity_confinement == 0 && s->solver.tolerance.mean == 0);
    assert_true(s->fluids[0].xsph == 0 && s->fluids[1].surface_tension == 0.1f);
    assert_true(s->fluids[1].density == 800 && s->forces[0].rate == 0);
    assert_int_equal(s->gauge_count, 2);
    if (parse_in(&fixture, text, "", pcisph) != WEIR_OK) fail_msg("%s", messages(&fixture));
    assert_says(&fixture, "\"pcisph\" does not support ropes, gauges[0]: ignored");
    assert_int_equal(fixture.scene->gauge_count, 1);
    assert_string_equal(fixture.scene->gauges[0].name, "h");
    assert_int_equal(parse_in(&fixture, text, "", both), WEIR_OK);
    /* The scene's own text must be valid by itself. */
    char *own = base_format("%s", text), *at = strstr(own, "'vorticity_confinement': 0.1");
    memcpy(at, "'method': 'flip'            ", 28);
    assert_int_equal(parse(&fixture, own), WEIR_ERROR_SCENE);
    assert_says(&fixture, "fluids[0].xsph: is 0.05, but \"flip\" does not support it: remove it, "
                          "or set solver.method to \"");
    base_free(own);
}

/* Returns the cells of the boxes, plus the volume of each model over d^3. */
static double particle_count(double model_volume)
{
    const scene_data *s = fixture.scene;
    double count = 0, cell = pow((double)s->spacing, 3);
    for (uint32_t f = 0; f < s->fluid_count; ++f)
        for (uint32_t i = 0; i < s->fluids[f].fill_count; ++i) {
            const scene_shape *shape = &s->shapes[s->fluids[f].fills[i].shape];
            if (shape->kind == SCENE_SHAPE_MESH)
                count += model_volume * pow((double)shape->pose.scale, 3) / cell;
            else
                count +=
                    (double)shape->size.x * (double)shape->size.y * (double)shape->size.z / cell;
        }
    return count;
}

static void the_scenes_of_the_paper_have_its_counts(void **state)
{
    /* Volumes of the models by the divergence theorem, in the units of their files. */
    static const struct {
        const char *name;
        double particles, model_volume;
        uint32_t substeps, iterations;
    } rows[] = {
        {"dam_break.json", 100e3, 0, 4, 3},
        {"armadillo_splash.json", 128e3, 237843.115, 2, 3},
        {"bunny_drop.json", 80e3, 7.70057e-4, 4, 10},
        {"bunny_bath.json", 128e3, 0, 2, 3},
    };
    for (size_t i = 0; i < BASE_COUNT(rows); ++i) {
        load(rows[i].name);
        double ratio = particle_count(rows[i].model_volume) / rows[i].particles;
        assert_true(ratio > 0.99 && ratio < 1.01);
        assert_int_equal(fixture.scene->solver.substeps, rows[i].substeps);
        assert_int_equal(fixture.scene->solver.iterations, rows[i].iterations);
        assert_float_equal(fixture.scene->frame_rate, 60, 0);
    }
}

/* Cases of Englesson, Kilby and Ek 2011, table 2: a grid with a one-cell wall on every side. */
static void the_cases_of_flip_have_the_reports_grids_and_counts(void **state)
{
    const double dragon = 0.109043735; /* its volume by the divergence theorem */
    static const struct {
        const char *name;
        double particles, cells[3];
        double a_cell, pic_fraction;
    } rows[] = {
        {"flip_dam.json", 917600, {126, 62, 62}, 8, 0.05},
        {"flip_dam_pic.json", 917600, {126, 62, 62}, 8, 0.45},
        {"flip_dam_dragon.json", 595200, {126, 62, 62}, 8, 0.05},
        {"flip_cube.json", 438976, {126, 62, 126}, 8, 0.05},
        {"flip_dragon.json", 402880, {126, 62, 62}, 64, 0.05},
    };
    for (size_t i = 0; i < BASE_COUNT(rows); ++i) {
        load(rows[i].name);
        const scene_data *s = fixture.scene;
        double cell = (double)s->spacing * (double)s->solver.grid_cell_size;
        vec3 size = vec3_sub(s->domain.max, s->domain.min);
        assert_true((double)size.x / cell == rows[i].cells[0]);
        assert_true((double)size.y / cell == rows[i].cells[1]);
        assert_true((double)size.z / cell == rows[i].cells[2]);
        assert_true(pow((double)s->solver.grid_cell_size, 3) == rows[i].a_cell);
        assert_true(s->solver.method == SCENE_METHOD_FLIP);
        assert_float_equal(s->solver.cfl, s->solver.grid_cell_size, 0);
        assert_float_equal(s->solver.pic_fraction, rows[i].pic_fraction, 1e-6);
        assert_true(s->frame_rate == 25 && s->duration == 10);
        assert_true(fabs(particle_count(dragon) / rows[i].particles - 1) < 0.005);
    }
}

static weir_result parse_shape(const char *shape)
{
    char *text = base_format("{'spacing': 0.1, 'domain': {'min': [0, 0, 0], 'max': [4, 4, 4]},"
                             "'fluids': [{'name': 'w', 'fill': {'file': 'models/bunny.obj'}}],"
                             "'sinks': [{'name': 's', 'shape': {'union': [%s, %s]}}]}",
                             shape, shape);
    weir_result result = parse_in(&fixture, text, folder, NULL);
    base_free(text);
    return result;
}

static void shapes_that_name_one_file_share_its_mesh(void **state)
{
    assert_int_equal(parse_shape("{'mesh': {'file': 'models/dragon.obj'}}"), WEIR_OK);
    assert_int_equal(fixture.scene->mesh_count, 1);
    char *path = in_folder("models/dragon.obj"), *fill = in_folder("models/bunny.obj");
    assert_string_equal(fixture.scene->meshes[0].path, path);
    assert_string_equal(fixture.scene->fluids[0].fills[0].path, fill);
    assert_int_equal(fixture.scene->fluids[0].fills[0].kind, SCENE_FILL_FILE);
    base_free(path);
    base_free(fill);
}

static void a_sequence_names_each_of_its_files(void **state)
{
    assert_int_equal(
        parse_shape("{'mesh': {'files': 'models/wave_%04d.obj', 'first': 1, 'last': 3}}"), WEIR_OK);
    const scene_mesh *mesh = &fixture.scene->meshes[0];
    assert_int_equal(fixture.scene->mesh_count, 1);
    assert_true(mesh->sequence);
    assert_float_equal(mesh->rate_hz, 24, 0);
    char *path = scene_mesh_file(mesh, 3), *wanted = in_folder("models/wave_0003.obj");
    assert_string_equal(path, wanted);
    base_free(path);
    base_free(wanted);
    assert_int_equal(
        parse_shape("{'mesh': {'files': 'models/wave_%04d.obj', 'first': 2, 'last': 5}}"),
        WEIR_ERROR_SCENE);
    assert_says(&fixture, "wave_0004.obj");
    assert_says(&fixture, "2 files of the sequence are missing");
}

static void numbers_in_file_names_are_padded_as_the_pattern_says(void **state)
{
    scene_mesh padded = {(char *)"a%5/b%03d.obj", true, 1, 2000, 24, false, {0}};
    const scene_mesh plain = {"b_%d.obj", true, 1, 2000, 24, false, {0}};
    const scene_mesh single = {"c.obj", false, 0, 0, 0, false, {0}};
    static const char *const wanted[] = {"a%5/b007.obj", "a%5/b1234.obj", "b_7.obj", "c.obj"};
    char *paths[] = {scene_mesh_file(&padded, 7), scene_mesh_file(&padded, 1234),
                     scene_mesh_file(&plain, 7), scene_mesh_file(&single, 7)};
    for (size_t i = 0; i < BASE_COUNT(paths); ++i) {
        assert_string_equal(paths[i], wanted[i]);
        base_free(paths[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_shipped_scene_is_sound_and_says_what_it_is),
        cmocka_unit_test(each_shipped_scene_takes_any_method_from_outside),
        cmocka_unit_test(what_an_outside_method_ignores_is_named_and_off),
        cmocka_unit_test(the_scenes_of_the_paper_have_its_counts),
        cmocka_unit_test(the_cases_of_flip_have_the_reports_grids_and_counts),
        cmocka_unit_test(shapes_that_name_one_file_share_its_mesh),
        cmocka_unit_test(a_sequence_names_each_of_its_files),
        cmocka_unit_test(numbers_in_file_names_are_padded_as_the_pattern_says),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
