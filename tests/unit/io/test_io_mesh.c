/* Triangle meshes: the same solid in every format, and the variants of formats that exporters
   write. */
#include "io_support.h"

static const char *const cubes[] = {
    "tests/data/cube.obj",     "tests/data/cube_ascii.ply", "tests/data/cube_little.ply",
    "tests/data/cube_big.ply", "tests/data/cube_ascii.stl", "tests/data/cube_binary.stl",
};

static vec3 corner(const io_mesh *mesh, uint32_t triangle, uint32_t k)
{
    return mesh->vertices[mesh->indices[3 * triangle + k]];
}

/* Returns the sum of the signed tetrahedra with the origin: positive for outward triangles. */
static double volume(const io_mesh *mesh)
{
    double sum = 0;
    for (uint32_t t = 0; t < mesh->triangle_count; t++)
        sum += (double)vec3_dot(corner(mesh, t, 0),
                                vec3_cross(corner(mesh, t, 1), corner(mesh, t, 2)));
    return sum / 6;
}

static void read_mesh(scratch *s, const char *path, io_mesh *mesh)
{
    if (io_mesh_read(&s->log, path, mesh) != WEIR_OK) fail_msg("%s: %s", path, s->message);
    for (uint32_t i = 0; i < 3 * mesh->triangle_count; i++)
        assert_true(mesh->indices[i] < mesh->vertex_count);
}

static void read_text(scratch *s, const char *name, const char *text, io_mesh *mesh)
{
    scratch_write_text(s, name, text);
    read_mesh(s, s->path, mesh);
}

static void the_cube_is_the_same_in_every_format(void **state)
{
    for (size_t i = 0; i < BASE_COUNT(cubes); i++) {
        io_mesh mesh;
        read_mesh(*state, cubes[i], &mesh);
        assert_int_equal(mesh.vertex_count, 8);
        assert_int_equal(mesh.triangle_count, 12);
        assert_true(volume(&mesh) == 1.0);
        io_mesh_free(&mesh);
    }
}

static void the_holed_mesh_has_its_figures(void **state)
{
    io_mesh mesh;
    read_mesh(*state, "tests/data/holed.obj", &mesh);
    assert_int_equal(mesh.vertex_count, 507);
    assert_int_equal(mesh.triangle_count, 1001);
    assert_float_equal(volume(&mesh), 0.38032356, 1e-5);
    io_mesh_free(&mesh);
}

static void obj_polygons_become_fans(void **state)
{
    static const uint32_t wanted[] = {0, 1, 2, 0, 2, 3, 0, 3, 4};
    io_mesh mesh;
    read_text(*state, "fan.obj", "v 0 0 0\nv 1 0 0\nv 2 1 0\nv 1 2 0\nv 0 1 0\nf 1 2 3 4 5", &mesh);
    assert_int_equal(mesh.triangle_count, 3);
    assert_memory_equal(mesh.indices, wanted, sizeof wanted);
    io_mesh_free(&mesh);
}

static void obj_takes_what_exporters_write(void **state)
{
    static const uint32_t wanted[] = {0, 1, 2, 2, 1, 0, 0, 1, 3};
    io_mesh mesh;
    read_text(*state, "odd.obj",
              "mtllib a.mtl\r\n\r\n# from C:\\models\\\r\n  v 0 0 0 1.0\r\n"
              "v\t1 0 0 0.5 0.5 0.5 # red\r\nvt 0.5\r\nvn nan nan nan\r\nv 0 \\\r\n 1 0\r\n"
              "vp 1 2\r\ns off\r\nusemtl x y\r\nl 1 2\r\np 1\r\nf 1/1/1 2//1 3/1 # comment\r\n"
              "f -1 \\\n-2 \\\n-3\r\nf 1 2 4\r\ncurv 0 1\r\nv 1e1 +2 -.5",
              &mesh);
    assert_int_equal(mesh.vertex_count, 4);
    assert_int_equal(mesh.triangle_count, 3);
    assert_memory_equal(mesh.indices, wanted, sizeof wanted);
    assert_true(mesh.vertices[3].x == 10 && mesh.vertices[3].z == -0.5f);
    io_mesh_free(&mesh);
}

/* Covers fans, negative indices, and vertex lines after the faces; a missing normal of a corner
   is 0. */
static void obj_normals_stay_with_their_corners(void **state)
{
    static const float wanted[12] = {1, 2, -3, 2, 1, -3, 4, 0, 0, 4, 0, 0}; /* x of each corner */
    io_mesh mesh;
    read_text(*state, "normals.obj",
              "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nvn 1 0 0\nvn 2 0 0\nvn -3 5 0\nvn nan 1 0\n"
              "f 1//1 2//2 3//-2\nf 2/1/2 1/1/1 3/9/3\nf 1//5 2//4 3//6 4\nvn 4 0 0\n",
              &mesh);
    assert_int_equal(mesh.triangle_count, 4);
    assert_non_null(mesh.normals);
    for (size_t i = 0; i < 12; i++)
        assert_true(mesh.normals[i].x == wanted[i]);
    assert_true(mesh.normals[2].y == 5 && mesh.normals[7].y == 0);
    io_mesh_free(&mesh);
    read_text(*state, "bare.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nf 1//1 2 3\n", &mesh);
    assert_null(mesh.normals);
    io_mesh_free(&mesh);
}

static void stl_takes_what_exporters_write(void **state)
{
    io_mesh mesh;
    read_text(*state, "odd.stl",
              "solid facet normal\r\nFACET NORMAL nan nan nan\r\nouter loop\r\n"
              "vertex 0 0 0\r\nvertex 1 0 0\r\nvertex 0 1 0\r\nendloop\r\nendfacet\r\nendsolid\r\n"
              "solid\nfacet normal 0 0 1 outer loop vertex 0 0 -0.0 vertex 1 0 0 vertex 0 1e0 0 "
              "endloop endfacet endsolid second name\n\n",
              &mesh);
    assert_int_equal(mesh.vertex_count, 3); /* -0 and 0 are the same position */
    assert_int_equal(mesh.triangle_count, 2);
    io_mesh_free(&mesh);
}

static void binary_stl_may_have_a_tail(void **state)
{
    scratch *s = *state;
    io_mesh mesh;
    base_blob blob;
    assert_int_equal(base_file_read(NULL, "tests/data/cube_binary.stl", 10000, &blob), WEIR_OK);
    uint8_t *longer = base_alloc(blob.size + 3, 1);
    memcpy(longer, blob.bytes, blob.size);
    read_mesh(s, scratch_write(s, "tail.stl", longer, blob.size + 3), &mesh);
    assert_int_equal(mesh.triangle_count, 12);
    assert_message_has(s, "byte 684: 3 bytes after the last triangle are ignored");
    io_mesh_free(&mesh);
    base_free(longer);
    base_blob_free(&blob);
}

static void ply_list_lengths_have_any_integer_type(void **state)
{
    static const char *const types[] = {"char", "uchar", "short", "ushort",
                                        "int",  "uint",  "int64", "uint64"};
    for (size_t i = 0; i < BASE_COUNT(types); i++) {
        char header[512];
        io_mesh mesh;
        snprintf(header, sizeof header,
                 "ply\nformat ascii 1.0\nelement face 1\nproperty list %s short vertex_index\n"
                 "element vertex 3\nproperty int x\nproperty int y\nproperty int z\nend_header\n"
                 "3 2 1 0\n0 0 0\n1 0 0\n0 1 0\n",
                 types[i]);
        read_text(*state, "list.ply", header, &mesh); /* faces may come before vertices */
        assert_int_equal(mesh.triangle_count, 1);
        assert_int_equal(mesh.indices[0], 2);
        io_mesh_free(&mesh);
    }
}

static void the_kind_is_told_without_an_extension(void **state)
{
    scratch *s = *state;
    for (size_t i = 0; i < BASE_COUNT(cubes); i++) {
        base_blob blob;
        io_mesh mesh;
        assert_int_equal(base_file_read(NULL, cubes[i], 10000, &blob), WEIR_OK);
        read_mesh(s, scratch_write(s, "cube", blob.bytes, blob.size), &mesh);
        assert_int_equal(mesh.triangle_count, 12);
        io_mesh_free(&mesh);
        base_blob_free(&blob);
    }
}

/* splashsurf writes cells of type 5, ParaView writes polygons after offsets; lines and points
   among them are not faces. */
static void vtk_takes_what_others_write(void **state)
{
    static const char *const files[] = {
        "# vtk DataFile Version 4.1\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n"
        "0 0 0 1 0 0 1 1 0 0 1 0\nCELLS 3 11\n3 0 1 2\n2 0 1\n3 0 2 3\n"
        "CELL_TYPES 3\n5\n3\n5\nPOINT_DATA 4\nSCALARS a float\nLOOKUP_TABLE default\n1 2 3 4\n",
        "# vtk DataFile Version 5.1\nt\nASCII\nDATASET POLYDATA\nPOINTS 4 double\n"
        "0 0 0 1 0 0 1 1 0 0 1 0\nVERTICES 2 1\nOFFSETS vtktypeint64\n0 1\n"
        "CONNECTIVITY vtktypeint64\n0\nPOLYGONS 2 4\nOFFSETS vtktypeint64\n0 4\n"
        "CONNECTIVITY vtktypeint64\n0 1 2 3\n",
    };
    static const uint32_t corners[] = {0, 1, 2, 0, 2, 3};
    for (size_t i = 0; i < BASE_COUNT(files); i++) {
        scratch *s = *state;
        io_mesh mesh;
        read_text(s, "other.vtk", files[i], &mesh);
        assert_int_equal(mesh.vertex_count, 4);
        assert_int_equal(mesh.triangle_count, 2);
        assert_memory_equal(mesh.indices, corners, sizeof corners);
        assert_true(io_mesh_file_has_faces(s->path));
        io_mesh_free(&mesh);
    }
}

static void degenerate_triangles_stay(void **state)
{
    io_mesh mesh;
    read_text(*state, "flat.obj", "v 0 0 0\nv 1 0 0\nv 1 0 0\nf 1 1 1\nf 1 2 3\n", &mesh);
    assert_int_equal(mesh.vertex_count, 3);
    assert_int_equal(mesh.triangle_count, 2);
    io_mesh_free(&mesh);
}

static void real_models_have_their_figures(void **state)
{
    static const struct {
        const char *path;
        uint32_t vertices, triangles;
    } models[] = {{"../shared/models/bunny.obj", 35947, 69451},
                  {"../shared/models/armadillo.obj", 25002, 50000},
                  {"../shared/models/dragon.obj", 25007, 50000}};
    for (size_t i = 0; i < BASE_COUNT(models); i++) {
        io_mesh mesh;
        if (!base_path_is_file(models[i].path)) {
            print_message("no file %s\n", models[i].path);
            skip();
        }
        read_mesh(*state, models[i].path, &mesh);
        assert_int_equal(mesh.vertex_count, models[i].vertices);
        assert_int_equal(mesh.triangle_count, models[i].triangles);
        io_mesh_free(&mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cube_is_the_same_in_every_format),
        cmocka_unit_test(the_holed_mesh_has_its_figures),
        cmocka_unit_test(obj_polygons_become_fans),
        cmocka_unit_test(obj_takes_what_exporters_write),
        cmocka_unit_test(obj_normals_stay_with_their_corners),
        cmocka_unit_test(stl_takes_what_exporters_write),
        cmocka_unit_test(binary_stl_may_have_a_tail),
        cmocka_unit_test(ply_list_lengths_have_any_integer_type),
        cmocka_unit_test(the_kind_is_told_without_an_extension),
        cmocka_unit_test(vtk_takes_what_others_write),
        cmocka_unit_test(degenerate_triangles_stay),
        cmocka_unit_test(real_models_have_their_figures),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
