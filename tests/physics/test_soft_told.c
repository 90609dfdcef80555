/* What is said of cloths and soft bodies that a scene makes badly. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include "told_support.h"

#include <unistd.h>

/* Opens a scene with these softs, and says what is expected to be told. */
static weir_result open_softs(const char *softs)
{
    char *text = base_format(
        "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [2, 2, 2]}, %s, 'fluids': [{'name':"
        " 'drop', 'fill': {'shape': {'box': {'min': [1.9, 0, 1.9], 'max': [2, 0.1, 2]}}}}]}",
        softs);
    assert_non_null(text);
    scene_data *scene = make_scene(text, NULL);
    sim_world *world = NULL;
    said[0] = '\0';
    weir_result result = sim_create(device, scene, &world);
    sim_destroy(&world);
    scene_destroy(&scene);
    base_free(text);
    return result;
}

#define JELLY(name, more) \
    "{'name': '" name "', 'density': 900, 'stiffness': 1e4, 'spacing': 0.1, " more "}"
#define BALL(x, y) "'shape': {'sphere': {'radius': 0.3}, 'position': [" x ", " y ", 1]}"

static void overlaps_at_the_start_are_told(void **state)
{
    (void)state;
    OK(open_softs(
        "'solids': [{'name': 'post', 'shape': {'box': {'size': [0.1, 1, 0.1]}, 'position':"
        " [1.5, 1, 1]}}], 'bodies': [{'name': 'buoy', 'density': 500, 'shape': {'sphere':"
        " {'radius': 0.2}, 'position': [0.5, 1.5, 1]}}], 'soft_bodies': [" JELLY(
            "one",
            BALL("0.5", "1.2")) "," JELLY("two",
                                          BALL("0.9", "1.2")) "," JELLY("t"
                                                                        "hree",
                                                                        BALL("1.5", "0.27")) "]"));
    assert_said("'one' overlaps body 'buoy' at the start");
    assert_said("'one' overlaps soft body 'two' at the start");
    assert_said("'two' overlaps soft body 'one' at the start");
    assert_said("'three' overlaps solid 'post' at the start");
    assert_said("'three' overlaps the sides of the domain at the start");
    OK(open_softs("'soft_bodies': [" JELLY("one", BALL("0.5", "0.3")) "," JELLY(
        "two", BALL("1.1", "0.3")) "]"));
    assert_null(strstr(said, "overlaps"));
}

static void what_is_too_thin_or_encloses_nothing_is_refused(void **state)
{
    (void)state;
    assert_int_equal(open_softs("'soft_bodies': [" JELLY(
                         "a", "'shape': {'box': {'size': [0.5, 0.08, 0.5]}, 'position':"
                              " [1, 1, 1]}") "]"),
                     WEIR_SCENE);
    assert_said("m thick, too thin for vertices 0.1 m apart: set its spacing to");
    assert_int_equal(
        open_softs("'soft_bodies': [" JELLY(
            "a", "'shape': {'intersection': [{'sphere': {'radius': 0.1}, 'position': [1, 1, 1]},"
                 " {'sphere': {'radius': 0.1}, 'position': [1.5, 1, 1]}]}") "]"),
        WEIR_SCENE);
    assert_said("soft body 'a' encloses nothing");
    assert_int_equal(open_softs("'soft_bodies': [{'name': 'a', 'density': 900, 'stiffness': 1e4,"
                                " 'spacing': 0.005, 'shape': {'box': {'size': [1.8, 1.8, 1.8]},"
                                " 'position': [1, 1, 1]}}]"),
                     WEIR_SCENE);
    assert_said("cells, at most 4e+06 can be: make its spacing larger");
}

/* Two balls that a thin rod joins. */
static void pieces_that_hang_together_by_less_than_a_cell_are_told(void **state)
{
    (void)state;
    OK(open_softs("'soft_bodies': [" JELLY(
        "a", "'shape': {'union': [{'sphere': {'radius': 0.3}, 'position': [0.5, 1, 1]}, {'sphere':"
             " {'radius': 0.2}, 'position': [1.5, 1, 1]}, {'box': {'size': [1, 0.05, 0.05]},"
             " 'position': [1, 1, 1]}]}") "]"));
    assert_said("'a' is thin in places: its cells of 0.1 m make 2 pieces, and the largest");
}

static void vertices_too_far_apart_to_meet_are_told(void **state)
{
    (void)state;
#define SHEET(more)                                                                              \
    "'cloths': [{'name': 'a', 'area_density': 50, 'thickness': 0.02, " more "'grid': {'corner':" \
    " [0.5, 1, 0.5], 'along': [0.5, 0, 0], 'across': [0, 0, 0.5], 'spacing': 0.05}}]"
    OK(open_softs(SHEET("")));
    assert_said("'a' has vertices up to 0.0707 m apart and is 0.02 m thick");
    OK(open_softs(SHEET("'contacts': 'none', ")));
    assert_null(strstr(said, "apart and is"));
}

static void a_stiffness_that_sweeps_do_not_reach_is_told(void **state)
{
    (void)state;
    OK(open_softs(
        "'soft_bodies': [{'name': 'a', 'density': 1000, 'stiffness': 1e8, 'spacing': 0.05, "
        "'shape': {'box': {'size': [0.24, 0.84, 0.24]}, 'position': [1, 1, 1]}}]"));
    assert_said("soft body 'a' has a stiffness of 1e+08 Pa, and its sweeps reach about 2.1e+06: set"
                " solver.substeps to");
    OK(open_softs(
        "'soft_bodies': [{'name': 'a', 'density': 1000, 'stiffness': 1e5, 'spacing': 0.05, "
        "'shape': {'box': {'size': [0.24, 0.84, 0.24]}, 'position': [1, 1, 1]}}]"));
    assert_string_equal(said, "");
}

static void write_cube(const char *path, bool inverted, bool open)
{
    static const int faces[12][3] = {{1, 3, 2}, {1, 4, 3}, {5, 6, 7}, {5, 7, 8},
                                     {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6},
                                     {3, 4, 8}, {3, 8, 7}, {4, 1, 5}, {4, 5, 8}};
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n");
    for (int i = open ? 1 : 0; i < 12; i++)
        fprintf(file, "f %d %d %d\n", faces[i][0], faces[i][inverted ? 2 : 1],
                faces[i][inverted ? 1 : 2]);
    fclose(file);
}

static void open_meshes_are_told(void **state)
{
    (void)state;
    char folder[] = "/tmp/weir-told-XXXXXX";
    assert_non_null(mkdtemp(folder));
    char *path = base_path_join(folder, "cube.obj");
    char *softs = base_format("'soft_bodies': [" JELLY("a", "'shape': {'mesh': {'file': '%s'},"
                                                            " 'position': [0.5, 0.5, 0.5]}") "]",
                              path);
    assert_true(path && softs);
    write_cube(path, false, false);
    OK(open_softs(softs));
    assert_string_equal(said, "");
    write_cube(path, false, true);
    OK(open_softs(softs));
    assert_said("soft body 'a'");
    assert_said("is open, 3 of its edges belong to one triangle only: it is made as if lids");
    write_cube(path, true, false);
    OK(open_softs(softs)); /* which way triangles face does not matter */
    assert_string_equal(said, "");
    base_file_remove(NULL, path);
    base_free(path);
    base_free(softs);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlaps_at_the_start_are_told),
        cmocka_unit_test(what_is_too_thin_or_encloses_nothing_is_refused),
        cmocka_unit_test(pieces_that_hang_together_by_less_than_a_cell_are_told),
        cmocka_unit_test(vertices_too_far_apart_to_meet_are_told),
        cmocka_unit_test(a_stiffness_that_sweeps_do_not_reach_is_told),
        cmocka_unit_test(open_meshes_are_told),
    };
    return cmocka_run_group_tests(tests, open_listening_device, close_device);
}
