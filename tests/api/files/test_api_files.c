/* JSON texts survive reading back; counts and statistics of meshes and particles are right. */
#define _XOPEN_SOURCE 700
#include "io_json.h"

#include <setjmp.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

/* Each prefix is placed in memory of exactly its size, for the address sanitizer. */
static void only_a_whole_object_with_a_scene_is_a_run_json(void **state)
{
    const char *whole =
        "{\"k\": [\"a\\\"\\u00e9\", {\"x\": -1.5e3}], \"scene\": {\"y\": \"\\\\\"}}";
    for (size_t size = 0; size <= strlen(whole); ++size) {
        char *copy = malloc(size ? size : 1);
        memcpy(copy, whole, size);
        json_t *run = io_json_parse_run(copy, size);
        assert_int_equal(run != NULL, size == strlen(whole));
        json_decref(run);
        free(copy);
    }
    assert_null(io_json_parse_run("{\"scene\": 1}", 12));
    assert_null(io_json_parse_run("[{\"scene\": {}}]", 15));
    assert_null(io_json_parse_run("{\"a\": {\"scene\": {}}}", 21));
}

/* Serialises and parses the value again; releases the original. */
static json_t *there_and_back(json_t *value)
{
    base_text text = {0};
    json_t *object = json_object();
    assert_true(io_json_set(object, "value", value) && io_json_print(object, &text));
    json_decref(object);
    object = json_loadb(text.items, text.count, 0, NULL);
    json_t *back = json_incref(json_object_get(object, "value"));
    json_decref(object);
    base_free(text.items);
    return back;
}

static void texts_survive_the_way_there_and_back(void **state)
{
    const char *given = "C:\\a \"b\"\n\tz\xC3\xA9/\x01";
    json_t *back = there_and_back(io_json_string(given));
    assert_string_equal(json_string_value(back), given);
    json_decref(back);
    assert_true(json_is_null(there_and_back(io_json_string("not UTF-8: \xE9"))));
}

static void numbers_survive_the_way_there_and_back(void **state)
{
    const double numbers[] = {0, 1, -0.1, 1.0 / 3, 1e300, 5e-324, 123456789.125, 4e9};
    for (size_t i = 0; i < BASE_COUNT(numbers); ++i) {
        double read = -1;
        json_t *back = there_and_back(io_json_number(numbers[i]));
        assert_true(io_json_get_number(back, &read) && read == numbers[i]);
        json_decref(back);
    }
    assert_true(json_is_null(there_and_back(io_json_number(INFINITY))));
}

static void a_number_that_is_no_count_is_refused(void **state)
{
    const double wrong[] = {-1, 0.5, 4294967296.0, 1e300};
    uint32_t count = 7;
    assert_false(io_json_get_u32(NULL, &count));
    for (size_t i = 0; i < BASE_COUNT(wrong); ++i) {
        json_t *number = json_real(wrong[i]);
        assert_false(io_json_get_u32(number, &count));
        json_decref(number);
    }
    assert_int_equal(count, 7);
}

static void a_closed_mesh_has_no_open_edges(void **state)
{
    weir_mesh_info info;
    assert_int_equal(weir_mesh_inspect(NULL, "tests/data/cube.obj", &info), WEIR_OK);
    assert_int_equal(info.vertices, 8);
    assert_int_equal(info.triangles, 12);
    assert_int_equal(info.boundary_edges + info.nonmanifold_edges + info.flipped_edges, 0);
    assert_int_equal(info.degenerate_triangles, 0);
}

static void write_scratch(char path[64], const char *name, const char *text)
{
    char folder[] = "/tmp/weir-files-XXXXXX";
    assert_non_null(mkdtemp(folder));
    snprintf(path, 64, "%s/%s", folder, name);
    assert_int_equal(base_file_write(NULL, path, text, strlen(text)), WEIR_OK);
}

static void remove_scratch(const char *path)
{
    char *folder = base_path_folder(path);
    assert_int_equal(base_file_remove(NULL, path), WEIR_OK);
    assert_int_equal(rmdir(folder), 0);
    base_free(folder);
}

static weir_mesh_info inspect_text(const char *obj)
{
    char path[64];
    weir_mesh_info info = {0};
    write_scratch(path, "mesh.obj", obj);
    assert_int_equal(weir_mesh_inspect(NULL, path, &info), WEIR_OK);
    assert_int_equal(weir_file_detect(path), WEIR_FILE_MESH);
    remove_scratch(path);
    return info;
}

#define FIVE_POINTS "v 0 0 0\nv 1 0 0\nv 0 2 0\nv 0 0 3\nv 0 -1 0\n"

static void edges_of_holes_fins_and_flips_are_counted(void **state)
{
    weir_mesh_info one = inspect_text(FIVE_POINTS "f 1 2 3\n");
    assert_int_equal(one.boundary_edges, 3);
    assert_true(one.max[1] == 2.0f && one.min[1] == -1.0f && one.max[2] == 3.0f);
    weir_mesh_info fin = inspect_text(FIVE_POINTS "f 1 2 3\nf 2 1 4\nf 1 2 5\n");
    assert_int_equal(fin.nonmanifold_edges, 1);
    assert_int_equal(fin.boundary_edges, 6);
    weir_mesh_info flip = inspect_text(FIVE_POINTS "f 1 2 3\nf 1 2 4\n");
    assert_int_equal(flip.flipped_edges, 1);
    weir_mesh_info flat = inspect_text(FIVE_POINTS "f 1 3 5\nf 1 2 3\n");
    assert_int_equal(flat.degenerate_triangles, 1);
}

static void a_ply_is_a_mesh_when_it_has_faces(void **state)
{
    const char *points = "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\n"
                         "property float y\nproperty float z\nend_header\n1 2 3\n";
    char path[64];
    weir_particles_info info;
    write_scratch(path, "points.ply", points);
    assert_int_equal(weir_file_detect(path), WEIR_FILE_PARTICLES);
    assert_int_equal(weir_particles_inspect(NULL, path, &info), WEIR_OK);
    assert_int_equal(info.count, 1);
    assert_int_equal(info.fields, 1u << WEIR_FIELD_POSITION);
    assert_true(info.min[2] == 3.0f && info.max[2] == 3.0f);
    remove_scratch(path);
    assert_int_equal(weir_file_detect("tests/data/cube_ascii.ply"), WEIR_FILE_MESH);
    assert_int_equal(weir_file_detect("tests/data/none.ply"), WEIR_FILE_UNKNOWN);
    assert_int_equal(weir_file_detect("scenes/dam_break.json"), WEIR_FILE_SCENE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_a_whole_object_with_a_scene_is_a_run_json),
        cmocka_unit_test(texts_survive_the_way_there_and_back),
        cmocka_unit_test(numbers_survive_the_way_there_and_back),
        cmocka_unit_test(a_number_that_is_no_count_is_refused),
        cmocka_unit_test(a_closed_mesh_has_no_open_edges),
        cmocka_unit_test(edges_of_holes_fins_and_flips_are_counted),
        cmocka_unit_test(a_ply_is_a_mesh_when_it_has_faces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
