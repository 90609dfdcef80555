/* Mass, centre of mass and inertia of bodies made from meshes. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include "body_file_support.h"
#include "body_support.h"

#define DENSITY 500.0

/* ---- files ----------------------------------------------------------------------------------- */

/* An OBJ file of boxes. */
typedef struct box {
    double low[3], high[3];
    bool inwards; /* its triangles face inwards */
    int left_out; /* faces, of two triangles each */
} box;

static void write_boxes(const box *boxes, int count)
{
    static const int faces[6][4] = {{1, 4, 3, 2}, {5, 6, 7, 8}, {1, 2, 6, 5},
                                    {2, 3, 7, 6}, {3, 4, 8, 7}, {4, 1, 5, 8}};
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int i = 0; i < count; i++) {
        const box *b = &boxes[i];
        for (int k = 0; k < 8; k++) {
            const bool x = k % 4 == 1 || k % 4 == 2, y = k % 4 > 1, z = k > 3;
            fprintf(file, "v %.9g %.9g %.9g\n", x ? b->high[0] : b->low[0],
                    y ? b->high[1] : b->low[1], z ? b->high[2] : b->low[2]);
        }
        for (int f = b->left_out; f < 6; f++) {
            const int *c = faces[f], first = 8 * i;
            fprintf(file, "f %d %d %d %d\n", first + c[0], first + c[b->inwards ? 3 : 1],
                    first + c[2], first + c[b->inwards ? 1 : 3]);
        }
    }
    fclose(file);
}

/* A notched outline extruded along z: no box, and not convex. */
#define CORNERS 6
static const double outline[CORNERS][2] = {{0, 0},     {0.6, 0},    {0.5, 0.15},
                                           {0.2, 0.2}, {0.15, 0.5}, {0, 0.6}};
#define DEPTH 0.3

static void write_prism(void)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int z = 0; z < 2; z++)
        for (int k = 0; k < CORNERS; k++)
            fprintf(file, "v %.9g %.9g %.9g\n", outline[k][0], outline[k][1], DEPTH * z);
    /* triangle fans around the corner that sees all others */
    for (int k = 1; k + 1 < CORNERS; k++) {
        fprintf(file, "f 1 %d %d\n", k + 2, k + 1);
        fprintf(file, "f %d %d %d\n", CORNERS + 1, CORNERS + k + 1, CORNERS + k + 2);
    }
    for (int k = 0; k < CORNERS; k++) {
        const int a = k + 1, b = (k + 1) % CORNERS + 1;
        fprintf(file, "f %d %d %d %d\n", a, b, CORNERS + b, CORNERS + a);
    }
    fclose(file);
}

/* ---- bodies ---------------------------------------------------------------------------------- */

/* The body of the file, with the JSON before and after the mesh in its shape. It turns about an
   axis at 1 rad/s. */
typedef struct around {
    const char *before, *behind;
} around;

static weir_body make_body(around shape, int axis)
{
    char *text = base_format(
        "{'spacing': 0.1, 'domain': {'min': [-2, -2, -2], 'max': [2, 2, 2]}, 'bodies': [{'name':"
        " 'body', 'density': 500, 'angular_velocity': [%d, %d, %d], 'shape': {%s'mesh': {'file':"
        " '%s'}%s}}], 'fluids': [{'name': 'drop', 'fill': {'shape': {'box': {'min':"
        " [1.8, -2, 1.8], 'max': [2, -1.8, 2]}}}}]}",
        axis == 0, axis == 1, axis == 2, shape.before, path, shape.behind);
    assert_non_null(text);
    scene_data *scene = make_scene(text, NULL);
    said[0] = '\0';
    sim_world *world = make_sim(device, scene);
    weir_body body = read_body(world, 0);
    sim_destroy(&world);
    scene_destroy(&scene);
    base_free(text);
    return body;
}

/* kg, m, kg m2: xx yy zz xy xz yz, with the signs that the products have in the tensor. */
typedef struct weight {
    double mass, centre[3], inertia[6];
} weight;

static weight weigh_in(around shape)
{
    static const int at[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    weight w = {0};
    for (int axis = 0; axis < 3; axis++) {
        weir_body body = make_body(shape, axis);
        w.mass = body.mass_kg;
        for (int k = 0; k < 3; k++) {
            w.centre[k] = (double)body.position[k];
            w.inertia[at[axis][k]] = (double)body.angular_momentum[k];
        }
    }
    return w;
}

static weight weigh(const char *pose)
{
    return weigh_in((around){"", pose});
}

/* Compares mass properties. `share`: tolerance as a fraction of the mass and of the largest
   moment of inertia; of the centre, in metres. */
static void assert_weighs(const char *what, const weight *is, const weight *law, double share)
{
    const double most = fmax(law->inertia[0], fmax(law->inertia[1], law->inertia[2]));
    print_message("  %s\n", what);
    assert_between("mass over the law's", is->mass / law->mass, 1.0 - share, 1.0 + share);
    for (int k = 0; k < 3; k++)
        assert_between("centre, m", is->centre[k] - law->centre[k], -share, share);
    for (int k = 0; k < 6; k++)
        assert_between("moment", (is->inertia[k] - law->inertia[k]) / most, -share, share);
}

static weight law_of_box(double x, double y, double z)
{
    const double mass = DENSITY * x * y * z;
    return (weight){.mass = mass,
                    .inertia = {mass * (y * y + z * z) / 12.0, mass * (x * x + z * z) / 12.0,
                                mass * (x * x + y * y) / 12.0}};
}

/* Rotates mass properties about z. */
static weight turned(const weight *w, double degrees)
{
    const double c = cos(degrees * 3.14159265358979 / 180.0),
                 s = sin(degrees * 3.14159265358979 / 180.0), *m = w->inertia;
    weight t = *w;
    t.inertia[0] = c * c * m[0] + s * s * m[1];
    t.inertia[1] = s * s * m[0] + c * c * m[1];
    t.inertia[3] = c * s * (m[0] - m[1]);
    return t;
}

#define EXACT 2e-6

static void a_box_from_a_file_weighs_what_a_box_weighs(void **state)
{
    const box straight = {.low = {-0.2, -0.2, -0.2}, .high = {0.2, 0.2, 0.2}};
    write_boxes(&straight, 1);
    weight is = weigh(""), law = law_of_box(0.4, 0.4, 0.4);
    assert_string_equal(said, "");
    assert_weighs("cube", &is, &law, EXACT);
    const box slab = {.low = {5.0, 0.0, -3.2}, .high = {5.4, 0.3, -3.0}};
    write_boxes(&slab, 1);
    is = weigh(", 'position': [-5.2, -0.15, 3.1]"), law = law_of_box(0.4, 0.3, 0.2);
    assert_weighs("off its file's origin", &is, &law, EXACT);
    is = weigh(", 'position': [-10.4, -0.3, 6.2], 'scale': 2"), law = law_of_box(0.8, 0.6, 0.4);
    assert_weighs("twice as large", &is, &law, EXACT);
    /* (5.2, 0.15) rotated by 30 degrees */
    is = weigh(", 'position': [-4.4283321, -2.7299038, 3.1], 'rotation': {'axis': [0, 0, 1],"
               " 'angle': 30}");
    law = law_of_box(0.4, 0.3, 0.2), law = turned(&law, 30.0);
    assert_weighs("turned", &is, &law, EXACT);
}

/* Returns whether the outline contains a point; from its area, m2. */
static bool is_inside(double x, double y)
{
    bool inside = false;
    for (int i = 0, j = CORNERS - 1; i < CORNERS; j = i++) {
        const double *a = outline[i], *b = outline[j];
        if ((a[1] > y) != (b[1] > y) && x < (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]) + a[0])
            inside = !inside;
    }
    return inside;
}

static weight law_of_prism(void)
{
    enum { SIDE = 1500 };
    const double step = 0.6 / SIDE, cell = step * step * DEPTH * DENSITY;
    double mass = 0.0, x1 = 0.0, y1 = 0.0, xx = 0.0, yy = 0.0, xy = 0.0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        const double x = (i % SIDE + 0.5) * step, y = (i / SIDE + 0.5) * step;
        if (!is_inside(x, y)) continue;
        mass += cell, x1 += cell * x, y1 += cell * y;
        xx += cell * x * x, yy += cell * y * y, xy += cell * x * y;
    }
    weight w = {.mass = mass, .centre = {x1 / mass, y1 / mass, 0.5 * DEPTH}};
    xx -= x1 * x1 / mass, yy -= y1 * y1 / mass, xy -= x1 * y1 / mass;
    const double zz = mass * DEPTH * DEPTH / 12.0;
    w.inertia[0] = yy + zz, w.inertia[1] = xx + zz, w.inertia[2] = xx + yy, w.inertia[3] = -xy;
    return w;
}

static void a_mesh_that_is_not_convex_weighs_what_a_fine_lattice_says(void **state)
{
    write_prism();
    weight is = weigh(""), law = law_of_prism();
    assert_string_equal(said, "");
    assert_weighs("prism", &is, &law, 5e-4);
}

/* A hollow box equals the outer box minus the volume that its inner walls enclose. */
static void a_hollow_mesh_weighs_its_walls(void **state)
{
    const box walls[2] = {
        {.low = {-0.3, -0.3, -0.3}, .high = {0.3, 0.3, 0.3}},
        {.low = {-0.15, -0.15, -0.15}, .high = {0.15, 0.15, 0.15}, .inwards = true}};
    write_boxes(walls, 2);
    weight is = weigh(""), law = law_of_box(0.6, 0.6, 0.6), inner = law_of_box(0.3, 0.3, 0.3);
    law.mass -= inner.mass;
    for (int k = 0; k < 3; k++)
        law.inertia[k] -= inner.inertia[k];
    assert_string_equal(said, "");
    assert_weighs("hollow box", &is, &law, EXACT);
}

/* Tolerance for shapes that no sum over triangles integrates exactly. */
#define FINE 5e-4

static void what_parts_share_counts_once_and_holes_have_lids(void **state)
{
    const box halves[2] = {{.low = {-0.3, -0.2, -0.2}, .high = {0.1, 0.2, 0.2}},
                           {.low = {-0.1, -0.2, -0.2}, .high = {0.3, 0.2, 0.2}}};
    write_boxes(halves, 2);
    weight is = weigh(""), law = law_of_box(0.6, 0.4, 0.4);
    assert_string_equal(said, "");
    assert_weighs("two boxes that overlap", &is, &law, FINE);
    const box open = {.low = {-0.2, -0.2, -0.2}, .high = {0.2, 0.2, 0.2}, .left_out = 1};
    write_boxes(&open, 1);
    is = weigh(""), law = law_of_box(0.4, 0.4, 0.4);
    assert_said(
        "is open (4 edges belong to only one triangle): its mass and buoyancy are computed");
    assert_between("open box, mass over the full one's", is.mass / law.mass, 0.99, 1.01);
}

static void a_mesh_in_a_set_is_weighed_on_fine_cells(void **state)
{
    const box cube = {.low = {-0.2, -0.2, -0.2}, .high = {0.2, 0.2, 0.2}};
    write_boxes(&cube, 1);
    weight is =
        weigh_in((around){"'position': [-0.1, 0, 0], 'union': [{",
                          "}, {'box': {'size': [0.4, 0.4, 0.4]}, 'position': [0.2, 0, 0]}]"});
    weight law = law_of_box(0.6, 0.4, 0.4);
    assert_weighs("cube and box", &is, &law, 4e-3);
}

static void a_mesh_inside_out_is_told_and_weighs_the_same(void **state)
{
    const box cube = {.low = {-0.2, -0.2, -0.2}, .high = {0.2, 0.2, 0.2}, .inwards = true};
    write_boxes(&cube, 1);
    weight is = weigh(""), law = law_of_box(0.4, 0.4, 0.4);
    assert_said("body 'body': triangles of ");
    assert_said(
        "face inwards; they are treated as facing outwards: flip the normals in the program");
    assert_weighs("all inwards", &is, &law, EXACT);
    const box two[2] = {{.low = {-0.3, -0.2, -0.2}, .high = {-0.02, 0.2, 0.2}},
                        {.low = {0.02, -0.2, -0.2}, .high = {0.3, 0.2, 0.2}, .inwards = true}};
    write_boxes(two, 2);
    is = weigh(""), law = law_of_box(0.6, 0.4, 0.4);
    const weight gap = law_of_box(0.04, 0.4, 0.4);
    law.mass -= gap.mass;
    for (int k = 0; k < 3; k++)
        law.inertia[k] -= gap.inertia[k];
    assert_said("face inwards;");
    assert_weighs("one of two inwards", &is, &law, FINE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_from_a_file_weighs_what_a_box_weighs),
        cmocka_unit_test(a_mesh_that_is_not_convex_weighs_what_a_fine_lattice_says),
        cmocka_unit_test(a_hollow_mesh_weighs_its_walls),
        cmocka_unit_test(what_parts_share_counts_once_and_holes_have_lids),
        cmocka_unit_test(a_mesh_in_a_set_is_weighed_on_fine_cells),
        cmocka_unit_test(a_mesh_inside_out_is_told_and_weighs_the_same),
    };
    return cmocka_run_group_tests(tests, open_group, close_group);
}
