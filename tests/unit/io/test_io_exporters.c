/* What exporters of meshes do differently: strips, split vertices, headers that mislead, objects
 * and groups; and files whose names tell nothing. */
#include "io_support.h"

#include "io_internal.h"
#include "weir/mesh.h"

static weir_mesh_info inspect(scratch *s, const char *name, const void *bytes, size_t size)
{
    weir_mesh_info info;
    scratch_write(s, name, bytes, size);
    if (weir_mesh_inspect(&s->log, s->path, &info) != WEIR_OK) fail_msg("%s: %s", name, s->message);
    return info;
}

static weir_mesh_info inspect_text(scratch *s, const char *name, const char *text)
{
    return inspect(s, name, text, strlen(text));
}

#define PLY_HEAD                                                                             \
    "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty " \
    "float z\n"
#define PLY_CORNERS "0 0 0\n1 0 0\n0 1 0\n1 1 0\n2 0 0\n"

static vec3 normal_of(const io_mesh *mesh, uint32_t triangle)
{
    const uint32_t *c = mesh->indices + 3 * (size_t)triangle;
    const vec3 a = mesh->vertices[c[0]];
    return vec3_cross(vec3_sub(mesh->vertices[c[1]], a), vec3_sub(mesh->vertices[c[2]], a));
}

static void strips_of_ply_turn_every_second_triangle(void **state)
{
    io_mesh mesh;
    scratch *s = *state;
    scratch_write_text(s, "a.ply",
                       PLY_HEAD "element tristrips 1\nproperty list int int vertex_indices\n"
                                "end_header\n" PLY_CORNERS "8 0 1 2 3 -1 1 4 3\n");
    assert_int_equal(io_mesh_read(&s->log, s->path, &mesh), WEIR_OK);
    assert_int_equal(mesh.triangle_count, 3);
    for (uint32_t i = 0; i < 3; i++)
        assert_true(normal_of(&mesh, i).z == 1.0f); /* all face up */
    io_mesh_free(&mesh);
    assert_true(io_mesh_file_has_faces(s->path));
}

/* A square, as a strip of polydata and as a pixel of a grid. */
static void strips_and_pixels_of_vtk_keep_their_winding(void **state)
{
    static const char *const files[][2] = {
        {"a.vtk", "# vtk DataFile Version 4.2\nt\nASCII\nDATASET POLYDATA\nPOINTS 4 float\n"
                  "0 0 0 1 0 0 0 1 0 1 1 0\nTRIANGLE_STRIPS 1 5\n4 0 1 2 3\n"},
        {"b.vtk", "# vtk DataFile Version 4.2\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n"
                  "POINTS 4 float\n0 0 0 1 0 0 0 1 0 1 1 0\nCELLS 2 7\n4 0 1 2 3\n1 0\n"
                  "CELL_TYPES 2\n8\n1\n"},
        {"c.vtp", "<VTKFile type=\"PolyData\"><PolyData><Piece NumberOfPoints=\"4\" "
                  "NumberOfStrips=\"1\"><Points><DataArray type=\"Float32\" "
                  "NumberOfComponents=\"3\">0 0 0 1 0 0 0 1 0 1 1 0</DataArray></Points><Strips>"
                  "<DataArray type=\"Int32\" Name=\"connectivity\">0 1 2 3</DataArray>"
                  "<DataArray type=\"Int32\" Name=\"offsets\">4</DataArray></Strips></Piece>"
                  "</PolyData></VTKFile>"},
        {"d.vtu", "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece "
                  "NumberOfPoints=\"4\" NumberOfCells=\"2\"><Cells>"
                  "<DataArray type=\"UInt8\" Name=\"types\">1 8</DataArray>"
                  "<DataArray type=\"Int64\" Name=\"offsets\">1 5</DataArray>"
                  "<DataArray type=\"Int64\" Name=\"connectivity\">3 0 1 2 3</DataArray></Cells>"
                  "<Points><DataArray type=\"Float64\" NumberOfComponents=\"3\">"
                  "0 0 0 1 0 0 0 1 0 1 1 0</DataArray></Points></Piece></UnstructuredGrid>"
                  "</VTKFile>"},
    };
    scratch *s = *state;
    for (size_t k = 0; k < BASE_COUNT(files); k++) {
        io_mesh mesh;
        scratch_write_text(s, files[k][0], files[k][1]);
        assert_true(io_mesh_file_has_faces(s->path));
        assert_int_equal(io_mesh_read(&s->log, s->path, &mesh), WEIR_OK);
        assert_int_equal(mesh.triangle_count, 2);
        for (uint32_t i = 0; i < 2; i++)
            assert_true(normal_of(&mesh, i).z == 1.0f);
        io_mesh_free(&mesh);
    }
}

/* A file of particles has no faces, whether its cells are points or missing. */
static void particles_of_vtk_xml_are_not_meshes(void **state)
{
    scratch *s = *state;
    io_mesh mesh;
    scratch_write_text(s, "a.vtu",
                       "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece "
                       "NumberOfPoints=\"1\" NumberOfCells=\"1\"><Points><DataArray "
                       "type=\"Float32\" NumberOfComponents=\"3\">1 2 3</DataArray></Points>"
                       "<Cells><DataArray type=\"UInt8\" Name=\"types\">1</DataArray>"
                       "<DataArray type=\"Int64\" Name=\"offsets\">1</DataArray>"
                       "<DataArray type=\"Int64\" Name=\"connectivity\">0</DataArray></Cells>"
                       "</Piece></UnstructuredGrid></VTKFile>");
    assert_false(io_mesh_file_has_faces(s->path));
    assert_int_equal(io_mesh_read(&s->log, s->path, &mesh), WEIR_ERROR_IO);
    assert_message_has(s, "no triangles");
}

/* A tetrahedron whose faces share no vertex. */
static const char split[] = "v 0 0 0\nv 0 1 0\nv 1 0 0\nv 0 0 0\nv 1 0 0\nv 0 0 1\n"
                            "v 0 0 0\nv 0 0 1\nv 0 1 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                            "f 1 2 3\nf 4 5 6\nf 7 8 9\nf 10 11 12\n";

static void split_vertices_count_as_one(void **state)
{
    weir_mesh_info info = inspect_text(*state, "a.obj", split);
    assert_true(info.closed && info.manifold && info.oriented);
    assert_int_equal(info.components, 1);
    assert_int_equal(info.vertices, 12);
    assert_int_equal(info.duplicate_vertices, 8);
    assert_true(fabs(info.volume - 1.0 / 6) < 1e-6);
}

/* Closed parts that touch stay apart: merging their vertices would join them. */
static void closed_parts_that_touch_stay_apart(void **state)
{
    static const char two[] = "v 0 0 0\nv 0 1 0\nv 1 0 0\nv 0 0 1\n"
                              "f 1 2 3\nf 1 3 4\nf 1 4 2\nf 3 2 4\n"
                              "v 0 0 0\nv 0 1 0\nv -1 0 0\nv 0 0 1\n"
                              "f 5 7 6\nf 5 8 7\nf 5 6 8\nf 7 8 6\n";
    weir_mesh_info info = inspect_text(*state, "a.obj", two);
    assert_true(info.closed && info.manifold && info.oriented);
    assert_int_equal(info.components, 2);
}

static void obj_of_several_objects_has_the_same_faces(void **state)
{
    static const char text[] =
        "mtllib none.mtl\no first\ng a b\nv 0 0 0 1 0.5 0\nv 0 1 0 1 0.5 0\nv 1 0 0 1 0.5 0\n"
        "vt 0 0\nvn 0 0 -1\nusemtl m\ns 1\nf 1/1 2/1 3/1\nl 1 2 3\np 1 2\n"
        "o second\nv 0 0 1 # apex\nf 1//1 3//1 \\\n4//1\nf -4/1/1 -1/1/1 -3/1/1\ng\ns off\nf 3 2 "
        "4\n";
    weir_mesh_info info = inspect_text(*state, "a.obj", text);
    assert_true(info.closed && info.manifold && info.oriented);
    assert_int_equal(info.triangles, 4);
    assert_true(fabs(info.volume - 1.0 / 6) < 1e-6);
}

/* Builds a binary STL of one triangle whose header begins as an ascii file does. */
static void stl_is_told_by_its_size_not_its_header(void **state)
{
    uint8_t bytes[84 + 50] =
        "solid part, exported by a program that pads its header with words and words and so";
    const float corners[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    memset(bytes + 80, 0, 54);
    bytes[80] = 1;
    memcpy(bytes + 84 + 12, corners, sizeof corners);
    weir_mesh_info info = inspect(*state, "a.stl", bytes, sizeof bytes);
    assert_int_equal(info.triangles, 1);
    info = inspect(*state, "named_otherwise", bytes, sizeof bytes);
    assert_int_equal(info.triangles, 1);
    info =
        inspect_text(*state, "a.stl",
                     "SOLID one facet\n FACET NORMAL 0 0 1\n  OUTER LOOP\n   VERTEX 0 0 0\n"
                     "   vertex 1 0 0\n   vertex 0 1 0\n  endloop\n endfacet\nENDSOLID one facet\n"
                     "\nsolid\nfacet normal nan nan nan\r\nouter loop\r\nvertex 5 0 0\r\n"
                     "vertex 6 0 0\r\nvertex 5 1 0\r\nendloop\r\nendfacet\r\nendsolid");
    assert_int_equal(info.triangles, 2);
    assert_int_equal(info.components, 2);
}

static void the_first_bytes_tell_what_a_file_holds(void **state)
{
    static const struct {
        const char *text;
        weir_file_kind kind;
    } cases[] = {
        {"# made by hand\n1 2 3\n4 5 6\n", WEIR_FILE_PARTICLES},
        {"2\nremark\nO 1 2 3\nO 4 5 6\n", WEIR_FILE_PARTICLES},
        {"//X,Y,Z\n1,2,3\n", WEIR_FILE_PARTICLES},
        {"% x y z vx\n1 2 3 4\n", WEIR_FILE_PARTICLES},
        {"ITEM: TIMESTEP\n0\n", WEIR_FILE_PARTICLES},
        {"ply\nformat ascii 1.0\nelement vertex 0\nproperty float x\nend_header\n",
         WEIR_FILE_PARTICLES},
        {PLY_HEAD "element face 1\nproperty list uchar int vertex_index\nend_header\n" PLY_CORNERS
                  "3 0 1 2\n",
         WEIR_FILE_MESH},
        {"\n# Blender\nmtllib a.mtl\nv 0 0 0\n", WEIR_FILE_MESH},
        {"solid a\nendsolid\n", WEIR_FILE_MESH},
        {"glTF\2\0\0\0", WEIR_FILE_MESH},
        {"Notes on the weather.\n", WEIR_FILE_UNKNOWN},
        {"", WEIR_FILE_UNKNOWN},
    };
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        const char *path = scratch_write_text(*state, "frame.0001", cases[i].text);
        if (io_file_kind(path) != cases[i].kind)
            fail_msg("\"%s\" is taken for kind %d", cases[i].text, (int)io_file_kind(path));
    }
}

/* Packs a text of fewer than 256 bytes as gzip with one stored block; returns its size. */
static size_t pack(const char *text, uint8_t out[300])
{
    static const uint8_t head[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 1};
    const uint8_t size = (uint8_t)strlen(text);
    const uint32_t crc = io_crc32((const uint8_t *)text, size);
    const uint8_t lengths[] = {size, 0, (uint8_t)~size, 0xff};
    memcpy(out, head, sizeof head);
    memcpy(out + 11, lengths, sizeof lengths);
    memcpy(out + 15, text, size);
    for (int i = 0; i < 4; i++) {
        out[15 + size + i] = (uint8_t)(crc >> 8 * i);
        out[19 + size + i] = i ? 0 : size;
    }
    return 23u + size;
}

static void packed_meshes_are_read_and_told_from_particles(void **state)
{
    static const struct {
        const char *name, *text;
        weir_file_kind kind;
    } cases[] = {
        {"a.obj.gz", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", WEIR_FILE_MESH},
        {"a.stl.gz",
         "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
         "endloop\nendfacet\nendsolid\n",
         WEIR_FILE_MESH},
        {"a.xyz.gz", "1 2 3\n", WEIR_FILE_PARTICLES},
        {"a.gz", "// X Y Z\n1 2 3\n", WEIR_FILE_PARTICLES},
    };
    uint8_t bytes[300];
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        const size_t size = pack(cases[i].text, bytes);
        const char *path = scratch_write(*state, cases[i].name, bytes, size);
        assert_int_equal(io_file_kind(path), cases[i].kind);
        if (cases[i].kind == WEIR_FILE_MESH)
            assert_int_equal(inspect(*state, cases[i].name, bytes, size).triangles, 1);
    }
}

static void formats_that_are_not_read_are_named(void **state)
{
    static const struct {
        const char *name, *text, *message;
        bool mesh;
    } cases[] = {
        {"a.pcd", "# .PCD v0.7\nVERSION 0.7\nFIELDS x y z\n", "this is PCD, of the Point Cloud",
         false},
        {"a.csv", "PAR1\x15\x04", "this is Parquet, which is not read: save it as .npz, .vtp",
         false},
        {"a.data", "LAMMPS data file via write_data\n\n24 atoms\n",
         "this is a data file of LAMMPS, which is not read: save it as a text dump", false},
        {"a.geo", " [ \"fileversion\", \"18\"", "this is Houdini's geometry of version 12", false},
        {"a.xmf", "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">", "this is XDMF, which is not",
         false},
        {"a.off", "OFF\n3 1 0\n", "this is OFF, which is not read: save it as .glb, .obj, .ply",
         true},
        {"a.obj", "Kaydara FBX Binary  ", "this is FBX, which is not read: save it as .glb", true},
        {"a.usda", "#usda 1.0\n", "this is USD, which is not read: save it as .glb", true},
    };
    scratch *s = *state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        io_mesh mesh;
        io_particles p;
        const char *path = scratch_write_text(s, cases[i].name, cases[i].text);
        weir_result result = cases[i].mesh ? io_mesh_read(&s->log, path, &mesh)
                                           : io_particles_read(&s->log, path, &p);
        assert_int_equal(result, WEIR_ERROR_IO);
        assert_message_has(s, cases[i].message);
        assert_int_not_equal(io_file_kind(path), WEIR_FILE_UNKNOWN);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strips_of_ply_turn_every_second_triangle),
        cmocka_unit_test(strips_and_pixels_of_vtk_keep_their_winding),
        cmocka_unit_test(particles_of_vtk_xml_are_not_meshes),
        cmocka_unit_test(split_vertices_count_as_one),
        cmocka_unit_test(closed_parts_that_touch_stay_apart),
        cmocka_unit_test(obj_of_several_objects_has_the_same_faces),
        cmocka_unit_test(stl_is_told_by_its_size_not_its_header),
        cmocka_unit_test(packed_meshes_are_read_and_told_from_particles),
        cmocka_unit_test(formats_that_are_not_read_are_named),
        cmocka_unit_test(the_first_bytes_tell_what_a_file_holds),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
