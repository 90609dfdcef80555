/* Messages about badly specified cloths and soft bodies. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include "told_support.h"

#include <unistd.h>

/* Mass in kg of the first deformable, and the first triangle of its render mesh. */
static double mass;
static uint32_t worn[3];

static void keep_figures(const sim_world *world)
{
    const uint32_t *skin = deformable_set_skin_triangles(world->deformables, 0);
    mass = deformable_set_info(world->deformables)->mass_kg;
    if (skin) memcpy(worn, skin, sizeof worn);
}

/* Opens a scene with these deformables in this domain, and keeps the messages. */
static weir_result open_deformables_in(const char *sides, const char *deformables)
{
    char *text = base_format(
        "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [2, 2, 2], %s}, %s, 'fluids': "
        "[{'name': 'drop', 'fill': {'shape': {'box': {'min': [1.9, 0, 1.9], 'max': [2, 0.1, "
        "2]}}}}]}",
        sides, deformables);
    assert_non_null(text);
    scene_data *scene = make_scene(text, NULL);
    sim_world *world = NULL;
    said[0] = '\0';
    weir_result result = sim_create(device, scene, &world);
    if (result == WEIR_OK) keep_figures(world);
    sim_destroy(&world);
    scene_destroy(&scene);
    base_free(text);
    return result;
}

static weir_result open_deformables(const char *deformables)
{
    return open_deformables_in("'sides': {}", deformables);
}

#define JELLY(name, more) \
    "{'name': '" name "', 'density': 900, 'stiffness': 1e4, 'spacing': 0.1, " more "}"
#define BALL(x, y) "'shape': {'sphere': {'radius': 0.3}, 'position': [" x ", " y ", 1]}"

#define THINGS                                                                                    \
    "'solids': [{'name': 'post', 'shape': {'box': {'size': [0.1, 2, 0.1]}, 'position': [1.5, 1, " \
    "1]}}], 'bodies': [{'name': 'buoy', 'density': 500, 'shape': {'sphere': {'radius': 0.2}, "    \
    "'position': [0.5, 1.5, 1]}}], "
#define ROPE(points, more) \
    "'ropes': [{'name': 'r', 'line_density': 50, 'diameter': 0.04, 'points': " points more "}]"
#define CLOTH(corner, more)                                                          \
    "'cloths': [{'name': 'c', 'area_density': 50, 'collides_with': 'none', 'grid': " \
    "{'corner': " corner ", 'along': [0.4, 0, 0], 'across': [0, 0, 0.4]}" more "}]"

static void overlaps_at_the_start_are_told(void **state)
{
    OK(open_deformables(THINGS "'soft_bodies': [" JELLY("one", BALL("0.5", "1.05")) "," JELLY(
        "two", BALL("0.9", "1.05")) "," JELLY("three", BALL("1.19", "0.27")) "]"));
    assert_said("soft body 'one' overlaps body 'buoy' at the start by ");
    assert_said("'one' overlaps soft body 'two' at the start by ");
    assert_said("'two' overlaps soft body 'one' at the start by ");
    assert_said("'three' overlaps solid 'post' at the start by ");
    assert_said("'three' overlaps the domain's side '-y' at the start by 0.0202 m");
    OK(open_deformables("'soft_bodies': [" JELLY("one", BALL("0.5", "0.3")) "," JELLY(
        "two", BALL("1.1", "0.3")) "]"));
    assert_null(strstr(said, "overlaps"));
    OK(open_deformables(CLOTH("[0.2, 0, 0.2]", "")));
    assert_said("cloth 'c' overlaps the domain's side '-y' at the start by 0.025 m: 144 of its 144 "
                "vertices are closer to it than half its thickness, and they would be pushed out "
                "at once; move it away by that much, or pin them");
    OK(open_deformables(CLOTH("[0.2, 0.025, 0.2]", "")));
    assert_string_equal(said, "");
    OK(open_deformables(THINGS ROPE("[[0.5, 1.71, 0.5], [0.5, 1.71, 1.5]]", "")));
    assert_said("rope 'r' overlaps body 'buoy' at the start by 0.00919 m");
}

static void assert_refused(const char *deformables, const char *words)
{
    assert_int_equal(open_deformables(deformables), WEIR_ERROR_SCENE);
    assert_said(words);
}

static void what_starts_deep_in_something_is_refused(void **state)
{
    assert_refused(CLOTH("[-0.2, 1, 0.2]", ""),
                   "cloth 'c' starts beyond the domain's side '-x': 72 of its 144 vertices are "
                   "more than 0.005 m beyond it, and vertex 0 at (-0.2, 1, 0.2) is 0.2 m beyond "
                   "it: move it inside by 0.225 m, make it smaller, or make that side open");
    assert_refused(ROPE("[[1, 1.9, 1], [1, 2.5, 1]]", ""), "rope 'r' starts beyond the domain's "
                                                           "side '+y'");
    assert_refused("'soft_bodies': [" JELLY("one", BALL("1", "-3")) "]",
                   "soft body 'one' starts beyond the domain's side '-y'");
    assert_refused(THINGS CLOTH("[1.3, 1, 0.8]", ""), "cloth 'c' starts in solid 'post': ");
    assert_refused(THINGS CLOTH("[0.3, 1.5, 0.8]", ""), "cloth 'c' starts in body 'buoy': ");
    assert_refused(THINGS ROPE("[[0.5, 1.5, 0.5], [0.5, 1.5, 1.5]]", ""),
                   "0.181 m deep in it: move it out, or pin these vertices to the body");
    assert_refused(THINGS "'soft_bodies': [" JELLY("one", BALL("0.5", "1.2")) "]",
                   "soft body 'one' starts in body 'buoy': ");
}

/* A pinned vertex is not pushed, a vertex that hangs on a body does not collide with it, and
   nothing lies beyond an open side. */
static void what_is_held_may_start_in_something(void **state)
{
    OK(open_deformables(THINGS CLOTH("[1.3, 1, 0.8]",
                                     ", 'pins': [{'solid': 'post', 'inside': {'min': "
                                     "[1.4, 0, 0.9], 'max': [1.6, 2, 1.1]}}]")));
    assert_string_equal(said, "");
    OK(open_deformables(
        THINGS ROPE("[[0.5, 1.5, 1], [0.5, 1.5, 1.9]]",
                    ", 'pins': [{'body': 'buoy', 'inside': {'centre': [0.5, 1.5, 1], "
                    "'radius': 0.225}}]")));
    assert_string_equal(said, "");
    assert_refused(THINGS ROPE("[[1.5, 1, 1], [1.5, 1, 1.9]]",
                               ", 'pins': [{'body': 'buoy', 'vertices': [0, 1, 2]}]"),
                   "rope 'r' starts in solid 'post'");
    OK(open_deformables(CLOTH("[0.2, -0.2, 0.2]",
                              ", 'pins': [{'inside': {'min': [-9, -9, -9], 'max': "
                              "[9, 9, 9]}}]")));
    assert_string_equal(said, "");
    OK(open_deformables_in("'sides': {'y': ['open', 'closed']}", CLOTH("[0.2, -0.2, 0.2]", "")));
    assert_string_equal(said, "");
}

static void what_is_too_thin_or_encloses_nothing_is_refused(void **state)
{
    assert_int_equal(open_deformables("'soft_bodies': [" JELLY(
                         "a", "'shape': {'box': {'size': [0.5, 0.08, 0.5]}, 'position':"
                              " [1, 1, 1]}") "]"),
                     WEIR_ERROR_SCENE);
    assert_said("m thick, too thin for vertices 0.1 m apart: set its spacing to");
    assert_int_equal(
        open_deformables("'soft_bodies': [" JELLY(
            "a", "'shape': {'intersection': [{'sphere': {'radius': 0.1}, 'position': [1, 1, 1]},"
                 " {'sphere': {'radius': 0.1}, 'position': [1.5, 1, 1]}]}") "]"),
        WEIR_ERROR_SCENE);
    assert_said("soft body 'a' encloses no volume");
    assert_int_equal(
        open_deformables("'soft_bodies': [{'name': 'a', 'density': 900, 'stiffness': 1e4,"
                         " 'spacing': 0.005, 'shape': {'box': {'size': [1.8, 1.8, 1.8]},"
                         " 'position': [1, 1, 1]}}]"),
        WEIR_ERROR_SCENE);
    assert_said("cells, expected at most 4e+06: make its spacing larger");
}

/* Two balls joined by a thin rod. */
static void pieces_that_hang_together_by_less_than_a_cell_are_told(void **state)
{
    OK(open_deformables("'soft_bodies': [" JELLY(
        "a", "'shape': {'union': [{'sphere': {'radius': 0.3}, 'position': [0.5, 1, 1]}, {'sphere':"
             " {'radius': 0.2}, 'position': [1.5, 1, 1]}, {'box': {'size': [1, 0.05, 0.05]},"
             " 'position': [1, 1, 1]}]}") "]"));
    assert_said(
        "'a' is thin in places: its cells of 0.1 m form 2 separate pieces, and only the largest");
}

static void vertices_too_far_apart_to_meet_are_told(void **state)
{
#define SHEET(more)                                                                              \
    "'cloths': [{'name': 'a', 'area_density': 50, 'thickness': 0.02, " more "'grid': {'corner':" \
    " [0.5, 1, 0.5], 'along': [0.5, 0, 0], 'across': [0, 0, 0.5], 'spacing': 0.05}}]"
    OK(open_deformables(SHEET("")));
    assert_said("'a' has vertices up to 0.0707 m apart and is 0.02 m thick");
    OK(open_deformables(SHEET("'collides_with': 'none', ")));
    assert_null(strstr(said, "apart and is"));
}

static void a_stiffness_that_sweeps_do_not_reach_is_told(void **state)
{
    OK(open_deformables(
        "'soft_bodies': [{'name': 'a', 'density': 1000, 'stiffness': 1e8, 'spacing': 0.05, "
        "'shape': {'box': {'size': [0.24, 0.84, 0.24]}, 'position': [1, 1, 1]}}]"));
    assert_said("soft body 'a' has a stiffness of 1e+08 Pa, but its iterations reach only about "
                "2.1e+06: set solver.substeps to");
    OK(open_deformables(
        "'soft_bodies': [{'name': 'a', 'density': 1000, 'stiffness': 1e5, 'spacing': 0.05, "
        "'shape': {'box': {'size': [0.24, 0.84, 0.24]}, 'position': [1, 1, 1]}}]"));
    assert_string_equal(said, "");
}

/* Advice never suggests more sweeps or substeps than the range allows. */
static void advice_keeps_within_the_ranges(void **state)
{
#define LIGHT(mass, more)                                                                          \
    "'cloths': [{'name': 'a', 'area_density': " mass ", 'collides_with': 'none', " more "'grid': " \
    "{'corner': [0.5, 1, 0.5], 'along': [0.5, 0, 0], 'across': [0, 0, 0.5]}}]"
#define LONG(spacing, more)                                                                  \
    "'cloths': [{'name': 'a', 'area_density': 90, 'collides_with': 'none', " more "'grid': " \
    "{'corner': [0.5, 1.9, 0.5], 'along': [0.1, 0, 0], 'across': [0, -1.8, 0], "             \
    "'spacing': " spacing "}, 'pins': [{'vertices': [0]}]}]"
    OK(open_deformables(LIGHT("1", "")));
    assert_said("under fluid; use 19, or set solver.deformable_iterations to 38\n");
    OK(open_deformables(LIGHT("0.001", "")));
    assert_said("under fluid; use 19\n");
    OK(open_deformables(LIGHT("0.001", "'pbd_stiffness': 1, ")));
    assert_said("under fluid; use 19\n");
    OK(open_deformables(LONG("0.02", "")));
    assert_said("under its own weight alone: set solver.deformable_iterations to ");
    OK(open_deformables(LONG("0.003", "'tear_strain': 0.02, ")));
    assert_said("weight alone: set solver.substeps to ");
    assert_said("or use a larger tear_strain");
    assert_said("or use fewer vertices, farther apart");
    assert_null(strstr(said, "deformable_iterations to"));
    OK(open_deformables("'gravity': [0, -10000, 0], " LONG("0.002", "")));
    assert_said("under its own weight alone: use fewer vertices, farther apart");
    OK(open_deformables(
        "'soft_bodies': [{'name': 'a', 'density': 1, 'stiffness': 1e9, 'spacing': 0.05, "
        "'shape': {'box': {'size': [0.24, 0.84, 0.24]}, 'position': [1, 1, 1]}}]"));
    assert_said(" Pa, but its iterations reach only about 2.1e+03: use that value, or make its "
                "spacing larger");
}

static void clusters_smaller_than_a_cell_are_told(void **state)
{
#define MATCHED(cluster)                                                                   \
    "'soft_bodies': [{'name': 'a', 'density': 900, 'pbd_stiffness': 0.5, 'spacing': 0.1, " \
    "'cluster_radius': " cluster                                                           \
    ", 'shape': {'box': {'size': [0.48, 0.48, 0.48]}, 'position': [1, 1, "                 \
    "1]}}]"
    OK(open_deformables(MATCHED("0.001")));
    assert_said("has a cluster_radius of 0.001 m and vertices 0.1 m apart: each cluster would "
                "cover a single cell, the smallest possible; use a cluster_radius of 0.1, or make "
                "its spacing smaller");
    OK(open_deformables(MATCHED("0.1")));
    assert_string_equal(said, "");
}

static void regions_that_hold_nothing_are_refused(void **state)
{
    assert_refused(CLOTH("[0.2, 1, 0.2]",
                         ", 'pins': [{'vertices': [0], 'inside': {'min': [0, 0, 0], 'max': [0.1, "
                         "0.1, 0.1]}}]"),
                   "cloth 'c' has no vertex in the region of this pin: move or widen the region");
    OK(open_deformables(CLOTH(
        "[0.2, 1, 0.2]", ", 'pins': [{'vertices': [0], 'inside': {'min': [0, 0, 0], 'max': [0.21, "
                         "1.1, 0.21]}}]"))); /* the same vertex */
}

/* The first `inverted` triangles face inwards. */
static void write_cube(const char *path, int inverted, bool open)
{
    static const int faces[12][3] = {{1, 3, 2}, {1, 4, 3}, {5, 6, 7}, {5, 7, 8},
                                     {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6},
                                     {3, 4, 8}, {3, 8, 7}, {4, 1, 5}, {4, 5, 8}};
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n");
    for (int i = open ? 1 : 0; i < 12; i++)
        fprintf(file, "f %d %d %d\n", faces[i][0], faces[i][i < inverted ? 2 : 1],
                faces[i][i < inverted ? 1 : 2]);
    fclose(file);
}

/* A cube of 1 m3: checks for the volume of its mesh, not for the rounded volume from its
   distances. */
static void assert_whole(void)
{
    const uint32_t outwards[3] = {0, 2, 1};
    assert_true(fabs(mass - 900.0) < 0.01);
    assert_memory_equal(worn, outwards, sizeof worn);
}

static void meshes_that_are_open_or_face_inwards_are_told(void **state)
{
    char folder[] = "/tmp/weir-told-XXXXXX";
    assert_non_null(mkdtemp(folder));
    char *path = base_path_join(folder, "cube.obj");
    char *deformables =
        base_format("'soft_bodies': [" JELLY("a", "'shape': {'mesh': {'file': '%s'},"
                                                  " 'position': [0.5, 0.5, 0.5]}") "]",
                    path);
    assert_true(path && deformables);
    write_cube(path, 0, false);
    OK(open_deformables(deformables));
    assert_string_equal(said, "");
    assert_whole();
    write_cube(path, 0, true);
    OK(open_deformables(deformables));
    assert_said("soft body 'a'");
    assert_said("is open (3 edges belong to only one triangle): it is built with its holes closed");
    assert_true(fabs(mass - 900.0) < 45.0);
    write_cube(path, 12, false);
    OK(open_deformables(deformables));
    assert_said("cube.obj face inwards; they are treated as facing outwards: flip the normals");
    assert_whole();
    write_cube(path, 6, false);
    assert_int_equal(open_deformables(deformables), WEIR_ERROR_SCENE);
    assert_said("soft body 'a' encloses no volume: its mesh mixes triangles that face inwards and "
                "outwards");
    assert_null(strstr(said, "face inwards;"));
    base_file_remove(NULL, path);
    base_free(path);
    base_free(deformables);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlaps_at_the_start_are_told),
        cmocka_unit_test(what_starts_deep_in_something_is_refused),
        cmocka_unit_test(what_is_held_may_start_in_something),
        cmocka_unit_test(what_is_too_thin_or_encloses_nothing_is_refused),
        cmocka_unit_test(pieces_that_hang_together_by_less_than_a_cell_are_told),
        cmocka_unit_test(vertices_too_far_apart_to_meet_are_told),
        cmocka_unit_test(a_stiffness_that_sweeps_do_not_reach_is_told),
        cmocka_unit_test(advice_keeps_within_the_ranges),
        cmocka_unit_test(clusters_smaller_than_a_cell_are_told),
        cmocka_unit_test(regions_that_hold_nothing_are_refused),
        cmocka_unit_test(meshes_that_are_open_or_face_inwards_are_told),
    };
    return cmocka_run_group_tests(tests, open_listening_device, close_device);
}
