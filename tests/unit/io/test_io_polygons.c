/* Polygons that are not convex: their triangles cover them once. */
#include "io_support.h"

#define CORNERS 40u
#define PI 3.14159265358979323846

typedef struct polygon {
    double at[CORNERS][2];
    uint32_t count;
} polygon;

/* Returns the sum of the areas of all triangles, and in `whole` the length of the sum of their area
 * vectors: equal only if no triangle covers another or lies outside. */
static double area_of(const io_mesh *mesh, double *whole)
{
    double sum = 0.0, v[3] = {0};
    for (uint32_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *k = mesh->indices + 3 * t;
        vec3 a = mesh->vertices[k[0]], b = mesh->vertices[k[1]], c = mesh->vertices[k[2]];
        double p[3] = {(double)b.x - (double)a.x, (double)b.y - (double)a.y,
                       (double)b.z - (double)a.z};
        double q[3] = {(double)c.x - (double)a.x, (double)c.y - (double)a.y,
                       (double)c.z - (double)a.z};
        double n[3] = {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2],
                       p[0] * q[1] - p[1] * q[0]};
        sum += 0.5 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int axis = 0; axis < 3; axis++)
            v[axis] += 0.5 * n[axis];
    }
    *whole = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    return sum;
}

static double shoelace(const polygon *p)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < p->count; i++) {
        const double *a = p->at[i], *b = p->at[(i + 1) % p->count];
        sum += 0.5 * (a[0] * b[1] - a[1] * b[0]);
    }
    return fabs(sum);
}

/* Writes a polygon in a plane of any direction. `backwards`: clockwise. */
static void write_polygon(scratch *s, const polygon *p, uint32_t seed, bool backwards)
{
    static char text[CORNERS * 96];
    double a = 2.0 * PI * (double)base_hash_to_unit(seed),
           b = PI * (double)base_hash_to_unit(seed + 1);
    const double u[3] = {cos(a), sin(a), 0.0}, v[3] = {-sin(a) * cos(b), cos(a) * cos(b), sin(b)};
    int used = 0;
    for (uint32_t i = 0; i < p->count; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "v %.9g %.9g %.9g\n",
                         p->at[i][0] * u[0] + p->at[i][1] * v[0],
                         p->at[i][0] * u[1] + p->at[i][1] * v[1],
                         p->at[i][0] * u[2] + p->at[i][1] * v[2]);
    used += snprintf(text + used, sizeof text - (size_t)used, "f");
    for (uint32_t i = 0; i < p->count; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, " %u",
                         backwards ? p->count - i : i + 1);
    scratch_write_text(s, "polygon.obj", text);
}

/* Corners at rising angles around a centre, at any distance. */
static polygon make_star(uint32_t seed)
{
    polygon p = {.count = 4 + (uint32_t)(base_hash_to_unit(seed) * 36.0f)};
    for (uint32_t i = 0; i < p.count; i++) {
        double angle =
            2.0 * PI * ((double)i + 0.9 * (double)base_hash_to_unit(seed + 3 * i + 5)) / p.count;
        double radius = 0.05 + (double)base_hash_to_unit(seed + 3 * i + 6);
        p.at[i][0] = radius * cos(angle);
        p.at[i][1] = radius * sin(angle);
    }
    return p;
}

/* A comb or a spiral of rectangles: far from star-shaped, with corners on one line. */
static polygon make_comb(uint32_t seed)
{
    uint32_t teeth = 2 + (uint32_t)(base_hash_to_unit(seed) * 7.0f);
    polygon p = {.count = 0};
    for (uint32_t i = 0; i < teeth; i++) {
        double deep = 0.2 + (double)base_hash_to_unit(seed + i + 9), x = 2.0 * i;
        const double corners[4][2] = {{x, 0}, {x, -deep}, {x + 1, -deep}, {x + 1, 0}};
        for (int k = 0; k < 4; k++, p.count++)
            memcpy(p.at[p.count], corners[k], sizeof corners[k]);
    }
    const double back[2][2] = {{2.0 * teeth - 1.0, 0.5}, {0, 0.5}};
    for (int k = 0; k < 2; k++, p.count++)
        memcpy(p.at[p.count], back[k], sizeof back[k]);
    return p;
}

/* A square with a square hole, joined to the rim by a cut that the polygon runs along twice. */
static polygon make_keyhole(uint32_t seed)
{
    double x = 0.2 + 0.3 * (double)base_hash_to_unit(seed),
           y = 0.2 + 0.3 * (double)base_hash_to_unit(seed + 1);
    const double corners[10][2] = {{0, 0},       {1, 0}, {1, 1},       {0, 1},
                                   {0, 0},       {x, y}, {x, y + 0.3}, {x + 0.3, y + 0.3},
                                   {x + 0.3, y}, {x, y}};
    polygon p = {.count = 10};
    memcpy(p.at, corners, sizeof corners);
    return p;
}

static void check_polygon(scratch *s, const polygon *p, uint32_t seed)
{
    for (int backwards = 0; backwards < 2; backwards++) {
        io_mesh mesh;
        double whole, expected = shoelace(p);
        write_polygon(s, p, seed, backwards);
        if (io_mesh_read(&s->log, s->path, &mesh) != WEIR_OK)
            fail_msg("seed %u: %s", seed, s->message);
        double area = area_of(&mesh, &whole);
        assert_int_equal(mesh.triangle_count, p->count - 2);
        if (fabs(area - expected) > 1e-6 * expected || fabs(whole - expected) > 1e-6 * expected)
            fail_msg("seed %u, %u corners: triangles of %.9g, %.9g, expected %.9g", seed, p->count,
                     area, whole, expected);
        io_mesh_free(&mesh);
    }
}

static void a_thousand_polygons_in_space_have_the_area_of_their_triangles(void **state)
{
    for (uint32_t seed = 0; seed < 1000; seed++) {
        polygon p = seed % 4 == 3 ? make_keyhole(seed)
                    : seed % 2    ? make_comb(seed)
                                  : make_star(997 * seed);
        check_polygon(*state, &p, seed);
    }
}

#define TROUGH "tests/foreign/concave_polygons"

/* The ends of a U-shaped trough are polygons of eight corners. */
static void a_trough_has_no_lid_whichever_format_it_is_in(void **state)
{
    static const char *const files[] = {TROUGH ".obj", TROUGH ".ply", TROUGH ".vtk"};
    scratch *s = *state;
    for (size_t i = 0; i < BASE_COUNT(files); i++) {
        io_mesh mesh;
        double whole, ends = 0.0;
        if (io_mesh_read(&s->log, files[i], &mesh) != WEIR_OK)
            fail_msg("%s: %s", files[i], s->message);
        assert_int_equal(mesh.triangle_count, 28);
        for (uint32_t t = 0; t < mesh.triangle_count; t++) {
            const uint32_t *k = mesh.indices + 3 * t;
            vec3 a = mesh.vertices[k[0]], b = mesh.vertices[k[1]], c = mesh.vertices[k[2]];
            if (a.x != b.x || a.x != c.x) continue;
            io_mesh one = {.vertices = mesh.vertices,
                           .vertex_count = mesh.vertex_count,
                           .indices = mesh.indices + 3 * t,
                           .triangle_count = 1};
            ends += area_of(&one, &whole);
        }
        assert_true(fabs(ends - 2.0 * (0.28 * 0.2 - 0.16 * 0.14)) < 1e-7);
        io_mesh_free(&mesh);
    }
}

/* Normals stay with their corners when a fan is replaced. */
static void the_normals_of_a_concave_face_stay_with_their_corners(void **state)
{
    scratch *s = *state;
    io_mesh mesh;
    scratch_write_text(
        s, "arrow.obj",
        "v 0 0 0\nv 2 1 0\nv 0 2 0\nv 1 1 0\nvn 1 0 0\nvn 2 0 0\nvn 3 0 0\nvn 4 0 0\n"
        "f 3//3 4//4 1//1 2//2\n");
    if (io_mesh_read(&s->log, s->path, &mesh) != WEIR_OK) fail_msg("%s", s->message);
    double whole, area = area_of(&mesh, &whole);
    assert_true(fabs(area - 1.0) < 1e-7 && fabs(whole - 1.0) < 1e-7);
    for (uint32_t i = 0; i < 6; i++)
        assert_true(mesh.normals[i].x == (float)(mesh.indices[i] + 1));
    io_mesh_free(&mesh);
}

static void a_huge_concave_face_is_refused_by_its_size(void **state)
{
    scratch *s = *state;
    const uint32_t count = 10001;
    base_text text = {0};
    io_mesh mesh;
    for (uint32_t i = 0; i < count; i++)
        base_text_append(&text, "v %u %u 0\n", i, i % 2);
    base_text_append(&text, "f");
    for (uint32_t i = 0; i < count; i++)
        base_text_append(&text, " %u", i + 1);
    scratch_write_text(s, "saw.obj", text.items);
    assert_int_equal(io_mesh_read(&s->log, s->path, &mesh), WEIR_ERROR_IO);
    assert_non_null(
        strstr(s->message, "a face with 10001 corners that is not convex; at most 10000"));
    base_free(text.items);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thousand_polygons_in_space_have_the_area_of_their_triangles),
        cmocka_unit_test(a_trough_has_no_lid_whichever_format_it_is_in),
        cmocka_unit_test(the_normals_of_a_concave_face_stay_with_their_corners),
        cmocka_unit_test(a_huge_concave_face_is_refused_by_its_size),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
