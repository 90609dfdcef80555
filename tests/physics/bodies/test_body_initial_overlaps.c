/* Checks how bodies may start. Overlaps are refused, and the message gives the shortest way out,
   however deep they are and however thin the shapes; touching is allowed. A body may be as thin
   as one spacing, and the check measures that thickness. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include "body.h"
#include "body_file_support.h"

#define SPACING "0.05"
#define CELL 0.0525f

/* Opens a scene with these bodies and solids, JSON lists with ' for ", and keeps the message. */
static weir_result start(const char *bodies, const char *solids)
{
    char *text = base_format(
        "{'spacing': " SPACING ", 'domain': {'min': [-1, -1, -1], 'max': [1, 1, 1]}, 'bodies': "
        "[%s], 'solids': [%s], 'fluids': [{'name': 'drop', 'fill': {'shape': {'box': {'min': "
        "[0.9, -1, 0.9], 'max': [1, -0.9, 1]}}}}]}",
        bodies, solids);
    assert_non_null(text);
    scene_data *scene = make_scene(text, NULL);
    solid_set *set = NULL;
    body_mass_properties figures[8];
    assert_true(scene->body_count <= BASE_COUNT(figures));
    OK(solid_set_create(device, scene, CELL, &set));
    said[0] = '\0';
    solid_set_warn(set, gpu_device_log(device));
    weir_result result = body_compute_mass_properties(gpu_device_log(device), scene, set, figures);
    solid_set_destroy(device, &set);
    scene_destroy(&scene);
    base_free(text);
    return result;
}

/* ---- overlaps -------------------------------------------------------------------------------- */

#define SHAPE(shape, place) "'shape': {" shape ", 'position': " place "}"
#define BODY(name, shape, place) "{'name': '" name "', 'density': 500, " SHAPE(shape, place) "}"
#define SOLID(name, shape, place) "{'name': '" name "', " SHAPE(shape, place) "}"
#define GROUPED(name, shape, place) \
    "{'name': '" name "', 'density': 500, 'collision_group': 1, " SHAPE(shape, place) "}"
#define CUBE(edge) "'box': {'size': [" edge ", " edge ", " edge "]}"
#define BALL(radius) "'sphere': {'radius': " radius "}"
#define POLE(radius) "'cylinder': {'radius': " radius ", 'height': 1.5}"
#define TILTED(shape) shape ", 'rotation': [0, 0, 45]"
#define CROOKED(shape) shape ", 'rotation': [20, 0, 30]"

typedef struct meeting {
    const char *what, *bodies, *solids;
    const char *words;
    /* m: shortest translation that separates them; for a shell, brings its wall to the body's
       face */
    double way;
} meeting;

static const meeting overlaps[] = {
    {"two in one place",
     BODY("a", CUBE("0.2"), "[0, 0, 0]") "," BODY("b", CUBE("0.2"), "[0, 0, 0]"), "",
     "'a' penetrates 0.2 m into body 'b' at the start: move it away by at least that much", 0.2},
    {"three in one place",
     BODY("a", CUBE("0.2"), "[0, 0, 0]") "," BODY("b", CUBE("0.2"), "[0, 0, 0]") "," BODY(
         "c", CUBE("0.2"), "[0, 0, 0]"),
     "", "into body", 0.2},
    {"nearly in one place",
     BODY("a", CUBE("0.2"), "[0, 0, 0]") "," BODY("b", CUBE("0.2"), "[0.004, 0, 0]"), "",
     "'a' penetrates 0.196 m into body 'b' at the start: move it away by at least that much",
     0.196},
    {"balls nearly in one place",
     BODY("a", BALL("0.2"), "[0, 0, 0]") "," BODY("b", BALL("0.2"), "[0.002, 0.002, 0.001]"), "",
     "into body 'b'", 0.397},
    {"a tenth beside each other",
     BODY("a", CUBE("0.2"), "[0, 0, 0]") "," BODY("b", CUBE("0.2"), "[0.02, 0, 0]"), "",
     "'a' penetrates 0.18 m into body 'b' at the start: move it away by at least that much", 0.18},
    {"a small ball in a large one",
     BODY("a", BALL("0.1"), "[0, 0, 0]") "," BODY("b", BALL("0.3"), "[0, 0, 0]"), "",
     "'a' penetrates 0.4 m into body 'b' at the start: move it away by at least that much", 0.4},
    {"a large ball about a small one",
     BODY("a", BALL("0.3"), "[0, 0, 0]") "," BODY("b", BALL("0.1"), "[0.1, 0, 0]"), "",
     "into body 'b'", 0.3},
    {"crossed planks",
     BODY("a", "'box': {'size': [0.6, 0.06, 0.06]}",
          "[0, 0, 0]") "," BODY("b", "'box': {'size': [0.06, 0.6, 0.06]}", "[0.01, 0.02, 0.01]"),
     "", "into body 'b'", 0.05},
    {"a solid in a body", BODY("a", CUBE("0.4"), "[0, 0, 0]"),
     SOLID("s", CUBE("0.1"), "[0.03, 0, 0]"),
     "'a' penetrates 0.22 m into solid 's' at the start: move it away by at least that much", 0.22},
    {"a thin pole through a body", BODY("a", CUBE("0.4"), "[0, 0, 0]"),
     SOLID("s", POLE("0.004"), "[0.012, 0, 0.013]"),
     "'a' penetrates 0.191 m into solid 's' at the start: move it away by at least that much",
     0.191},
    {"a wire askew through a body", BODY("a", CUBE("0.4"), "[0, 0, 0]"),
     SOLID("s", TILTED(POLE("0.001")), "[0, 0, 0.03]"), "into solid 's'", 0.171},
    {"a sheet through a body", BODY("a", CROOKED(CUBE("0.4")), "[0, 0, 0]"),
     SOLID("s", CROOKED("'box': {'size': [1.2, 0.00002, 1.2]}"), "[0.01, 0.02, 0]"),
     "into solid 's'", 0.1885},
    {"a solid in a body that its motion has turned and moved there",
     BODY("a", CROOKED("'box': {'size': [0.4, 0.2, 0.4]}"), "[0.3, 0, 0]"),
     "{'name': 's', 'shape': {'box': {'size': [0.8, 0.06, 0.06]}, 'rotation': [0, 90, 0]}, "
     "'motion': {'keyframes': [{'time': 0, 'position': [0.3, 0, 0], 'rotation': [20, 0, 30]}, "
     "{'time': 1, 'position': [0, 0, 0]}]}}",
     "into solid 's'", 0.13},
    {"a rod that its motion has turned through a body", BODY("a", CUBE("0.2"), "[0.4, 0.03, 0.02]"),
     "{'name': 's', 'shape': {'box': {'size': [0.06, 0.06, 1.2]}}, 'motion': {'keyframes': "
     "[{'time': 0, 'rotation': [0, 90, 0]}, {'time': 1, 'position': [0, 0, 0]}]}}",
     "'a' penetrates 0.1 m into solid 's' at the start: move it away by at least that much", 0.1},
    {"the outside of a shell", BODY("a", CROOKED(CUBE("0.2")), "[0.268468, 0.155, 0]"),
     "{'name': 's', 'thickness': 0.06, 'shape': {" CROOKED(CUBE("0.4")) "}}",
     "'a' penetrates 0.02 m into solid 's' at the start: move it away by at least that much", 0.02},
    {"a shell about a body", BODY("a", CROOKED(CUBE("0.4")), "[0, 0, 0]"),
     "{'name': 's', 'thickness': 0.03, 'shape': {" CROOKED(CUBE("0.36")) "}}", "into solid 's'",
     0.035},
    {"a plank in a plane", BODY("a", "'box': {'size': [0.6, 0.1, 0.6]}", "[0, 0.02, 0]"),
     SOLID("s", "'plane': {}", "[0, 0, 0]"),
     "'a' penetrates 0.03 m into solid 's' at the start: move it away by at least that much", 0.03},
    {"far out of the domain", BODY("a", CUBE("0.2"), "[0, -3, 0]"), "",
     "'a' penetrates 2.1 m into the domain's side '-y' at the start: move it away by at least that "
     "much",
     2.1},
};

static void overlaps_are_refused_with_the_way_that_parts_them(void **state)
{
    for (size_t i = 0; i < BASE_COUNT(overlaps); i++) {
        const meeting *m = &overlaps[i];
        double way = 0.0;
        if (start(m->bodies, m->solids) != WEIR_ERROR_SCENE)
            fail_msg("%s: is not refused", m->what);
        if (!strstr(said, m->words)) fail_msg("%s: \"%s\" is not in %s", m->what, m->words, said);
        const char *number = strstr(said, "' penetrates ");
        assert_non_null(number);
        assert_int_equal(sscanf(number, "' penetrates %lf m into", &way), 1);
        if (!(way > 0.945 * m->way && way < 1.005 * m->way))
            fail_msg("%s: %g m of %g", m->what, way, m->way);
    }
}

static const meeting clear[] = {
    {"cubes that touch",
     BODY("a", CUBE("0.2"), "[0, 0, 0]") "," BODY("b", CUBE("0.2"), "[0.2, 0, 0]"), "", "", 0},
    {"crooked cubes that touch",
     BODY("a", CROOKED(CUBE("0.2")), "[0, 0, 0]") "," BODY("b", CROOKED(CUBE("0.2")),
                                                           "[0.173205, 0.1, 0]"),
     "", "", 0},
    {"a ball on a ball",
     BODY("a", BALL("0.2"), "[0, 0, 0]") "," BODY("b", BALL("0.1"), "[0, 0.3, 0]"), "", "", 0},
    {"bodies of a group",
     GROUPED("a", CUBE("0.2"), "[0, 0, 0]") "," GROUPED("b", CUBE("0.2"), "[0, 0, 0]"), "", "", 0},
    {"a ring about a pole", BODY("a", "'torus': {'radius': 0.2, 'tube_radius': 0.05}", "[0, 0, 0]"),
     SOLID("s", POLE("0.14"), "[0, 0, 0]"), "", 0},
    {"a body in a room", BODY("a", CUBE("0.6"), "[0, 0, 0]"),
     "{'name': 's', 'shape': {'difference': [{" CUBE("0.9") "}, {" CUBE("0.61") "}]}}", "", 0},
    {"a body beside what a motion has moved away", BODY("a", CROOKED(CUBE("0.4")), "[0, 0, 0]"),
     "{'name': 's', 'shape': {" CUBE("0.2") "}, 'motion': {'keyframes': [{'time': 0, 'position': "
                                            "[0.259808, 0.15, 0], 'rotation': [20, 0, "
                                            "30]}, {'time': 1, 'position': [0.5, 0, "
                                            "0]}]}}",
     "", 0},
    {"a crooked body on a crooked floor", BODY("a", CROOKED(CUBE("0.4")), "[0, 0, 0]"),
     SOLID("s", CROOKED("'box': {'size': [1.2, 0.2, 1.2]}"), "[0.140954, -0.244140, -0.102606]"),
     "", 0},
};

static void what_only_touches_is_let_be(void **state)
{
    for (size_t i = 0; i < BASE_COUNT(clear); i++)
        if (start(clear[i].bodies, clear[i].solids) != WEIR_OK || said[0])
            fail_msg("%s: %s", clear[i].what, said);
}

/* ---- thickness ------------------------------------------------------------------------------- */

#define SET(kind, one, two) "'" kind "': [{" one "}, {" two "}]"

static void what_is_a_spacing_thick_is_accepted(void **state)
{
    static const char *const shapes[] = {
        "'box': {'size': [1.9, 0.09, 1.9]}",
        "'box': {'size': [0.64, 0.064, 0.4]}",
        "'box': {'size': [1.6, 0.05, 1.6]}",
        "'box': {'size': [1.5, 0.06, 0.06]}",
        CROOKED("'box': {'size': [1, 0.051, 0.4]}"),
        "'cylinder': {'radius': 0.95, 'height': 0.09}",
        "'cylinder': {'radius': 0.0255, 'height': 1.5}",
        "'capsule': {'radius': 0.0255, 'height': 1}",
        "'torus': {'radius': 0.4, 'tube_radius': 0.0255}",
        BALL("0.0255"),
        SET("intersection", CUBE("1.5"), "'box': {'size': [1.8, 0.06, 1.8]}"),
        SET("intersection", CUBE("1.5"), CROOKED("'box': {'size': [1.8, 0.052, 1.8]}")),
        SET("difference", "'cylinder': {'radius': 0.9, 'height': 0.052}", BALL("0.2")),
        SET("union", CROOKED("'box': {'size': [1.2, 0.052, 0.052]}"), BALL("0.02")),
    };
    for (size_t i = 0; i < BASE_COUNT(shapes); i++) {
        char *body = base_format("{'name': 'a', 'density': 500, 'shape': {%s}}", shapes[i]);
        assert_non_null(body);
        if (start(body, "") != WEIR_OK || said[0]) fail_msg("%s: %s", shapes[i], said);
        base_free(body);
    }
}

static void what_is_thinner_is_told_its_thickness(void **state)
{
    static const char *const rows[][2] = {
        {"'box': {'size': [0.4, 0.01, 0.4]}", "is 0.01 m thick"},
        {"'box': {'size': [0.4, 0.02, 0.4]}, 'scale': 2", "is 0.04 m thick"},
        {BALL("0.02"), "is 0.04 m thick"},
        {"'capsule': {'radius': 0.02, 'height': 0.5}", "is 0.04 m thick"},
        {"'cylinder': {'radius': 0.5, 'height': 0.03}", "is 0.03 m thick"},
        {"'cylinder': {'radius': 0.01, 'height': 0.5}", "is 0.02 m thick"},
        {"'cone': {'radius': 0.04, 'height': 0.06}", "is 0.0428 m thick"},
        {"'torus': {'radius': 0.3, 'tube_radius': 0.02}", "is 0.04 m thick"},
        {SET("intersection", CUBE("1.5"), CROOKED("'box': {'size': [1.8, 0.03, 1.8]}")),
         "is 0.03 m thick, thinner than the spacing of 0.05 m, so it would not act on fluid; make "
         "it thicker, or spacing "},
    };
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        char *body = base_format("{'name': 'a', 'density': 500, 'shape': {%s}}", rows[i][0]);
        assert_non_null(body);
        assert_int_equal(start(body, ""), WEIR_ERROR_SCENE);
        if (!strstr(said, rows[i][1])) fail_msg("%s: %s", rows[i][1], said);
        base_free(body);
    }
}

/* ---- nothing inside -------------------------------------------------------------------------- */

/* A square plate whose first faces are turned inwards. */
static void write_plate(double edge, double height, int turned)
{
    static const int faces[6][4] = {{1, 4, 3, 2}, {5, 6, 7, 8}, {1, 2, 6, 5},
                                    {2, 3, 7, 6}, {3, 4, 8, 7}, {4, 1, 5, 8}};
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int k = 0; k < 8; k++)
        fprintf(file, "v %g %g %g\n", k % 4 == 1 || k % 4 == 2 ? edge : 0.0,
                k % 4 > 1 ? height : 0.0, k > 3 ? edge : 0.0);
    for (int f = 0; f < 6; f++)
        fprintf(file, "f %d %d %d %d\n", faces[f][0], faces[f][f < turned ? 3 : 1], faces[f][2],
                faces[f][f < turned ? 1 : 3]);
    fclose(file);
}

static weir_result start_mesh(void)
{
    char *body =
        base_format("{'name': 'a', 'density': 500, 'shape': {'mesh': {'file': '%s'}}}", path);
    assert_non_null(body);
    weir_result result = start(body, "");
    base_free(body);
    return result;
}

static void a_mesh_that_faces_both_ways_is_told_so(void **state)
{
    write_plate(0.3, 0.3, 0);
    assert_int_equal(start_mesh(), WEIR_OK);
    assert_string_equal(said, "");
    for (int turned = 1; turned < 6; turned++) {
        write_plate(0.3, 0.3, turned);
        weir_result result = start_mesh();
        assert_said("triangles that face inwards and outwards");
        assert_null(strstr(said, "is 0 m thick"));
        if (result == WEIR_ERROR_SCENE)
            assert_said(
                "encloses no volume: its mesh mixes triangles that face inwards and outwards; make "
                "all normals point outwards in the program that made the file");
        if (turned == 3) assert_int_equal(result, WEIR_ERROR_SCENE);
    }
    write_plate(0.3, 0.3, 6);
    assert_int_equal(start_mesh(), WEIR_OK);
    assert_said("face inwards;");
    assert_null(strstr(said, "triangles that face inwards and outwards"));
}

static void a_mesh_that_is_too_thin_for_its_cells_is_told_so(void **state)
{
    write_plate(0.6, 0.05, 0);
    assert_int_equal(start_mesh(), WEIR_ERROR_SCENE);
    assert_said("is too thin to act on fluid, for which meshes are sampled on cells of half the "
                "support radius: make it thicker, or spacing smaller");
    write_plate(0.6, 0.075, 0);
    assert_int_equal(start_mesh(), WEIR_ERROR_SCENE);
    assert_said("m thick when its mesh is sampled on cells of half the support radius, thinner "
                "than the spacing of ");
    write_plate(0.6, 0.11, 0);
    assert_int_equal(start_mesh(), WEIR_OK);
}

static void a_set_that_leaves_nothing_is_told_so(void **state)
{
    static const char *const shapes[] = {
        SET("difference", CUBE("0.2"), CUBE("0.3")),
        SET("difference", BALL("0.2"), BALL("0.3")),
        SET("intersection", BALL("0.1"), BALL("0.1") ", 'position': [0.15, 0.15, 0.15]"),
    };
    for (size_t i = 0; i < BASE_COUNT(shapes); i++) {
        char *body = base_format("{'name': 'a', 'density': 500, 'shape': {%s}}", shapes[i]);
        assert_non_null(body);
        assert_int_equal(start(body, ""), WEIR_ERROR_SCENE);
        assert_said("encloses no volume: the operations on its shapes leave nothing");
        base_free(body);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overlaps_are_refused_with_the_way_that_parts_them),
        cmocka_unit_test(what_only_touches_is_let_be),
        cmocka_unit_test(what_is_a_spacing_thick_is_accepted),
        cmocka_unit_test(what_is_thinner_is_told_its_thickness),
        cmocka_unit_test(a_mesh_that_faces_both_ways_is_told_so),
        cmocka_unit_test(a_mesh_that_is_too_thin_for_its_cells_is_told_so),
        cmocka_unit_test(a_set_that_leaves_nothing_is_told_so),
    };
    return cmocka_run_group_tests(tests, open_group, close_group);
}
