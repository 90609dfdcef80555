/* Sets of shapes as they are drawn: the triangles of a difference, an intersection and a smooth
   union lie on the surface, face outwards, and enclose its volume. */
#define _POSIX_C_SOURCE 200809L
#include "api_support.h"
#include "geometry.h"
#include "scene_distance.h"
#include "solid.h"

#define OK(call) assert_int_equal((call), WEIR_OK)
#define PI 3.14159265358979

static const char text[] =
    "{\"domain\": {\"min\": [0, 0, 0], \"max\": [2, 1, 1]}, \"spacing\": 0.05,"
    " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"sphere\": {\"radius\": 0.1},"
    " \"position\": [0.2, 0.2, 0.2]}}}],"
    " \"solids\": [{\"name\": \"bowl\", \"shape\": {\"difference\": [{\"sphere\": {\"radius\": "
    "0.35}},"
    " {\"sphere\": {\"radius\": 0.3}}, {\"box\": {\"min\": [-1, 0.1, -1], \"max\": [1, 2, 1]}}],"
    " \"position\": [0.5, 0.4, 0.5]}},"
    " {\"name\": \"half\", \"shape\": {\"intersection\": [{\"sphere\": {\"radius\": 0.2}},"
    " {\"plane\": {}}], \"position\": [1.5, 0.4, 0.5]}},"
    " {\"name\": \"parts\", \"shape\": {\"union\": [{\"sphere\": {\"radius\": 0.1}},"
    " {\"box\": {\"min\": [0, 0, 0], \"max\": [0.1, 0.1, 0.1]}}], \"position\": [1, 0.8, 0.5]}}]}";

static vec3 vertex(const triangle_list *t, const vec3 *items, uint32_t corner)
{
    return items[t->indices.items[corner]];
}

/* Returns the volume; also compares every face with the normals at its corners. */
static double volume_of(const triangle_list *t)
{
    double sum = 0.0;
    uint32_t odd = 0;
    for (uint32_t i = 0; i < t->indices.count; i += 3) {
        vec3 a = vertex(t, t->vertices.items, i), b = vertex(t, t->vertices.items, i + 1);
        vec3 c = vertex(t, t->vertices.items, i + 2), face;
        face = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
        sum += (double)vec3_dot(a, vec3_cross(b, c)) / 6.0;
        for (uint32_t k = 0; k < 3; k++)
            odd += vec3_dot(face, vertex(t, t->normals.items, i + k)) < 0.8f * vec3_length(face);
    }
    if (odd > t->indices.count / 200)
        fail_msg("%u of %zu corners have a normal that differs from their face's", odd,
                 t->indices.count);
    return sum;
}

/* Returns the volume of the part of a ball below a height relative to its centre. */
static double ball_below(double radius, double height)
{
    return PI * (radius * radius * (height + radius) -
                 (height * height * height + radius * radius * radius) / 3.0);
}

static weir_scene *make_scene(void)
{
    weir_scene *scene = NULL;
    weir_scene_def def = weir_scene_def_default();
    OK(weir_scene_parse(text, sizeof text - 1, &def, &scene));
    return scene;
}

static void append_csg(weir_device *device, const weir_scene *scene, uint32_t solid,
                       triangle_list *t)
{
    scene_distance *solids = NULL;
    OK(scene_distance_get(device, scene, &solids));
    OK(csg_mesh_append(NULL, scene_distance_solid_set(solids), scene->data,
                       scene->data->solids[solid].shape, t));
}

static void carved_sets_hold_their_volume(void **state)
{
    fixture *f = *state;
    weir_scene *scene = make_scene();
    const double expected[2] = {ball_below(0.35, 0.1) - ball_below(0.3, 0.1), ball_below(0.2, 0.0)};
    for (uint32_t i = 0; i < 2; i++) {
        triangle_list t = {0};
        assert_true(shape_needs_csg(scene->data, scene->data->solids[i].shape));
        append_csg(f->device, scene, i, &t);
        double found = volume_of(&t);
        if (fabs(found - expected[i]) > 0.01 * expected[i])
            fail_msg("solid %u holds %g m3, expected %g", i, found, expected[i]);
        triangle_list_free(&t);
    }
    assert_false(shape_needs_csg(scene->data, scene->data->solids[2].shape));
    weir_scene_destroy(&scene);
}

/* The bowl's vertices, including those on edges, lie on a sphere or on the plane that cuts it. */
static void their_vertices_lie_on_the_surface_edges_too(void **state)
{
    fixture *f = *state;
    weir_scene *scene = make_scene();
    triangle_list t = {0};
    append_csg(f->device, scene, 0, &t);
    const double cell = 0.7 / 96.0;
    uint32_t rim = 0;
    for (size_t i = 0; i < t.vertices.count; i++) {
        const vec3 v = t.vertices.items[i];
        double x = (double)v.x - 0.5, y = (double)v.y - 0.4, z = (double)v.z - 0.5;
        double r = sqrt(x * x + y * y + z * z), outer = r - 0.35, inner = 0.3 - r, top = y - 0.1;
        double off = fmax(fmax(outer, inner), top);
        if (fabs(off) > 0.15 * cell) fail_msg("vertex %zu is %g cells off", i, off / cell);
        rim += fabs(top) < 0.1 * cell && fabs(outer) < 0.1 * cell;
    }
    assert_true(rim > 100);
    triangle_list_free(&t);
    weir_scene_destroy(&scene);
}

/* ---- meshes --------------------------------------------------------------------------------- */

static void draw_mesh(const char *file, triangle_list *t)
{
    char text[512];
    weir_scene *scene = NULL;
    weir_scene_def def = weir_scene_def_default();
    def.base_folder = "tests/data";
    snprintf(text, sizeof text,
             "{\"domain\": {\"min\": [-2, -2, -2], \"max\": [2, 2, 2]}, \"spacing\": 0.1,"
             " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"sphere\": {\"radius\":"
             " 0.2}, \"position\": [1.5, 1.5, 1.5]}}}],"
             " \"solids\": [{\"name\": \"mesh\", \"shape\": {\"mesh\": {\"file\": \"%s\"}}}]}",
             file);
    OK(weir_scene_parse(text, strlen(text), &def, &scene));
    OK(shape_mesh_append(NULL, scene->data, scene->data->solids[0].shape, t));
    weir_scene_destroy(&scene);
}

/* Each corner of a cube has three faces, and so three normals, each along an axis. */
static void hard_edges_stay_hard(void **state)
{
    triangle_list t = {0};
    draw_mesh("cube.obj", &t);
    assert_int_equal(t.vertices.count, 24);
    for (size_t i = 0; i < t.normals.count; i++) {
        const vec3 n = t.normals.items[i];
        assert_true(fmaxf(fabsf(n.x), fmaxf(fabsf(n.y), fabsf(n.z))) > 0.9999f);
    }
    triangle_list_free(&t);
}

/* An open box of three faces whose file contains normals. On the first face they point along the
   diagonals, as on a ball, and are used. On the second they point backwards and are ignored; the
   third has none. */
static void a_files_normals_are_its_shading(void **state)
{
    fixture *f = *state;
    char path[96];
    io_mesh mesh;
    triangle_list t = {0};
    snprintf(path, sizeof path, "%s/normals.obj", f->folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("v 1 1 1\nv -1 1 1\nv -1 -1 1\nv 1 -1 1\nv 1 1 -1\nv -1 1 -1\nv 1 -1 -1\n"
          "vn 9 9 9\nvn -9 9 9\nvn -9 -9 9\nvn 9 -9 9\nvn 0 -1 0\n"
          "f 1//1 2//2 3//3 4//4\nf 1//5 5//5 6//5 2//5\nf 1 4 7 5\n",
          file);
    fclose(file);
    OK(io_mesh_read(NULL, path, &mesh));
    assert_true(mesh_add_creased_normals(&mesh, MESH_SOLID_CREASE_COSINE, &t));
    assert_int_equal(t.vertices.count, 12);
    for (uint32_t i = 0; i < 18; i++) {
        vec3 at = vertex(&t, t.vertices.items, i), n = vertex(&t, t.normals.items, i);
        vec3 wanted = i < 6 ? vec3_scale(at, 1.0f / vec3_length(at))
                            : vec3_make(i < 12 ? 0 : 1, i < 12 ? 1 : 0, 0);
        assert_true(vec3_dot(n, wanted) > 0.9999f);
    }
    triangle_list_free(&t);
    io_mesh_free(&mesh);
}

/* Counts edges that belong to one triangle only; edges are identified by the positions of their
   ends. */
static uint32_t open_edges_of(const triangle_list *t)
{
    io_mesh mesh = {.vertices = t->vertices.items,
                    .vertex_count = (uint32_t)t->vertices.count,
                    .indices = t->indices.items,
                    .triangle_count = (uint32_t)(t->indices.count / 3)};
    solid_edges edges = {0};
    OK(solid_find_open_edges(NULL, &mesh, &edges));
    uint32_t count = (uint32_t)edges.count;
    BASE_ARRAY_FREE(&edges);
    return count;
}

/* The drawn mesh is the one that the fluid collides with: lids close its holes. The mesh has
   three fins, whose two free edges are not the rim of a hole. */
static void the_holes_of_a_mesh_have_lids(void **state)
{
    io_mesh mesh;
    solid_edges edges = {0};
    triangle_list t = {0};
    OK(io_mesh_read(NULL, "tests/data/holed.obj", &mesh));
    OK(solid_find_open_edges(NULL, &mesh, &edges));
    assert_true(edges.count > 8);
    draw_mesh("holed.obj", &t);
    assert_int_equal(t.indices.count / 3, mesh.triangle_count + edges.count);
    assert_int_equal(open_edges_of(&t), 3 * 2);
    triangle_list_free(&t);
    BASE_ARRAY_FREE(&edges);
    io_mesh_free(&mesh);
}

/* A roof of two faces that meet at 60 degrees, loaded as a mesh to draw: its ridge is smooth, since
 * drops of fluid have faces that meet like this. At 90 degrees it is an edge. */
static void meshes_of_files_are_smooth_below_75_degrees(void **state)
{
    fixture *f = *state;
    for (int right = 0; right < 2; right++) {
        char path[96];
        weir_mesh *mesh = NULL;
        weir_mesh_arrays arrays;
        const double height = tan((right ? 45 : 30) * 0.017453292519943295);
        snprintf(path, sizeof path, "%s/roof.obj", f->folder);
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        fprintf(file, "v 0 %g 0\nv 0 %g 1\nv -1 0 0\nv 1 0 0\nf 1 3 2\nf 1 2 4\n", height, height);
        fclose(file);
        OK(weir_mesh_load(f->device, path, NULL, &mesh));
        weir_mesh_get_arrays(mesh, &arrays);
        assert_int_equal(arrays.vertex_count, right ? 6 : 4);
        weir_mesh_destroy(&mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(carved_sets_hold_their_volume),
        cmocka_unit_test(their_vertices_lie_on_the_surface_edges_too),
        cmocka_unit_test(hard_edges_stay_hard),
        cmocka_unit_test(a_files_normals_are_its_shading),
        cmocka_unit_test(the_holes_of_a_mesh_have_lids),
        cmocka_unit_test(meshes_of_files_are_smooth_below_75_degrees),
    };
    return cmocka_run_group_tests(tests, open_fixture, close_fixture);
}
