/* Valid files of every format, truncated at every byte and with every byte changed: each is
   refused with a message or read whole, without a crash, leak or hang. The sanitizers check
   memory. */
#include "io_support.h"

typedef bool (*reader)(scratch *s, const char *path);

static bool read_particles(scratch *s, const char *path)
{
    io_particles frame;
    bool read = io_particles_read(&s->log, path, &frame) == WEIR_OK;
    assert_int_equal(read, frame.position != NULL);
    float sum = 0;
    for (uint32_t i = 0; i < frame.count; i++)
        sum += fabsf(frame.position[i].x) > 0 ? 1.0f : 0.0f;
    assert_true(isfinite(sum));
    io_particles_free(&frame);
    return read;
}

static bool read_mesh(scratch *s, const char *path)
{
    io_mesh mesh;
    bool read = io_mesh_read(&s->log, path, &mesh) == WEIR_OK;
    assert_int_equal(read, mesh.indices != NULL);
    for (uint32_t i = 0; read && i < 3 * mesh.triangle_count; i++)
        assert_true(mesh.indices[i] < mesh.vertex_count &&
                    isfinite(mesh.vertices[mesh.indices[i]].x));
    io_mesh_free(&mesh);
    return read;
}

/* A refusal has a message that names the file. */
static bool try_bytes(scratch *s, reader read, const char *name, const base_blob *file)
{
    s->message[0] = 0;
    bool good = read(s, scratch_write(s, name, file->bytes, file->size));
    if (!good) assert_message_has(s, name);
    return good;
}

static void cut_everywhere(scratch *s, reader read, const char *name, const base_blob *file)
{
    for (size_t size = 0; size < file->size; size++) {
        /* Allocates a block of exactly this size, so that the sanitizer detects a read past its
           end. */
        base_blob cut = {base_alloc(size, 1), size};
        memcpy(cut.bytes, file->bytes, size);
        try_bytes(s, read, name, &cut);
        base_blob_free(&cut);
    }
}

static void change_everywhere(scratch *s, reader read, const char *name, const base_blob *file)
{
    static const uint8_t values[] = {0, 0xff, 0x80, '9', '-', ' ', '\n'};
    for (size_t i = 0; i < file->size; i++) {
        uint8_t kept = file->bytes[i];
        for (size_t k = 0; k < BASE_COUNT(values); k++) {
            file->bytes[i] = values[k];
            try_bytes(s, read, name, file);
        }
        file->bytes[i] = kept;
    }
}

static void damage(scratch *s, reader read, const char *path)
{
    base_blob file;
    char name[64];
    snprintf(name, sizeof name, "damaged.%s", base_path_extension(path));
    assert_int_equal(base_file_read(&s->log, path, 10000, &file), WEIR_OK);
    assert_true(try_bytes(s, read, name, &file));
    cut_everywhere(s, read, name, &file);
    change_everywhere(s, read, name, &file);
    base_blob_free(&file);
}

static void damage_text(scratch *s, reader read, const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s", scratch_write_text(s, name, text));
    damage(s, read, path);
}

static void damaged_frames_of_ours_do_no_harm(void **state)
{
    scratch *s = *state;
    io_particles cloud;
    cloud_make(&cloud, 3);
    for (weir_particle_format format = 0; format < WEIR_PARTICLE_FORMAT_COUNT; format++) {
        char path[128];
        snprintf(path, sizeof path, "%s/frame.%s", s->folder, io_format_extension(format));
        io_particles_write_def def = {path, format, ALL_FIELDS, 0.01f};
        assert_int_equal(io_particles_write(&s->log, &cloud, &def), WEIR_OK);
        damage(s, read_particles, path);
    }
    io_particles_free(&cloud);
}

static void damaged_frames_of_others_do_no_harm(void **state)
{
    damage_text(*state, read_particles, "rich.ply",
                "ply\nformat ascii 1.0\nelement vertex 2\nproperty list uchar int t\n"
                "property float x\nproperty float y\nproperty float z\nproperty uint id\n"
                "end_header\n2 1 2 1 2 3 7\n0 4 5 6 8\n");
    damage_text(*state, read_particles, "rich.vtk",
                "# vtk DataFile Version 5.1\nt\nASCII\nDATASET POLYDATA\nFIELD F 2\n"
                "TIME 1 1 double\n0.5\ns 1 2 string\na\nb\nPOINTS 1 float\n1 2 3\nMETADATA\nI 0\n\n"
                "VERTICES 2 1\nOFFSETS vtktypeint64\n0 1\nCONNECTIVITY vtktypeint64\n0\n"
                "POINT_DATA 1\nSCALARS id int\nLOOKUP_TABLE t\n7\nLOOKUP_TABLE t 1\n0 0 0 0\n"
                "COLOR_SCALARS c 1\n1\nVECTORS v float\n1 2 3\n");
    damage_text(*state, read_particles, "rich.xyz", "2\n# x y z id\nO 1 2 3 4\nH 5 6 7 8\n");
    damage_text(*state, read_particles, "text.vtu",
                "<?xml version='1.0'?><!-- c --><VTKFile type='UnstructuredGrid'><UnstructuredGrid>"
                "<FieldData><DataArray type='Float32' Name='TIME' format='ascii'>2</DataArray>"
                "</FieldData><Piece NumberOfPoints='1'><Points><DataArray type='Int8' "
                "NumberOfComponents='3' format='ascii'>1 2 3</DataArray></Points></Piece>"
                "</UnstructuredGrid></VTKFile>");
    damage_text(
        *state, read_particles, "letters.vtp",
        "<VTKFile type='PolyData' header_type='UInt32'><PolyData>"
        "<Piece NumberOfPoints='1'><PointData><DataArray type='Int32' Name='id' "
        "format='binary'>BAAAAA==BwAAAA==</DataArray></PointData><Points>"
        "<DataArray type='UInt8' NumberOfComponents='3' format='binary'>AwAAAAECAw==</DataArray>"
        "</Points></Piece></PolyData></VTKFile>");
    damage_text(*state, read_particles, "packed.vtp",
                "<VTKFile type='PolyData' compressor='vtkZLibDataCompressor'><PolyData>"
                "<Piece NumberOfPoints='1'><Points><DataArray type='UInt8' "
                "NumberOfComponents='3' "
                "format='binary'>AQAAAAMAAAAAAAAACwAAAA==eJxjZGIGAAANAAc=</DataArray>"
                "</Points></Piece></PolyData></VTKFile>");
    damage_text(*state, read_particles, "strings.vtk",
                "# vtk DataFile Version 4.2\nt\nBINARY\nDATASET POLYDATA\nPOINTS 1 char\n123\n"
                "FIELD F 2\ns 1 2 string\n\xc1"
                "a\x80\x01z\nb 3 3 bit\n12\n");
}

static void damaged_meshes_do_no_harm(void **state)
{
    static const char *const paths[] = {
        "tests/data/cube.obj",     "tests/data/cube_ascii.ply", "tests/data/cube_little.ply",
        "tests/data/cube_big.ply", "tests/data/cube_ascii.stl", "tests/data/cube_binary.stl",
    };
    for (size_t i = 0; i < BASE_COUNT(paths); i++)
        damage(*state, read_mesh, paths[i]);
    damage_text(*state, read_mesh, "cells.vtk",
                "# vtk DataFile Version 4.1\nt\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 3 float\n"
                "0 0 0 1 0 0 1 1 0\nCELLS 2 7\n2 0 1\n3 0 1 2\nCELL_TYPES 2\n3\n5\n");
    damage_text(*state, read_mesh, "offsets.vtk",
                "# vtk DataFile Version 5.1\nt\nASCII\nDATASET POLYDATA\nPOINTS 3 float\n"
                "0 0 0 1 0 0 1 1 0\nPOLYGONS 2 3\nOFFSETS vtktypeint64\n0 3\n"
                "CONNECTIVITY vtktypeint64\n0 1 2\n");
    damage_text(*state, read_mesh, "fan.ply",
                "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
                "property float z\nelement face 1\nproperty list uchar int vertex_indices\n"
                "end_header\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n");
}

/* Under gzip nearly every change is detected at once; uncompressed, it reaches the reader. */
static void damaged_meshes_of_ours_do_no_harm(void **state)
{
    static const vec3 position[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    static const uint32_t index[] = {0, 1, 2, 0, 2, 3};
    static const char bgeo[] =
        "BgeoV\0\0\0\5\0\0\0\3\0\0\0\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\1\0\0\0\0"
        "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1"
        "\0\0\0\1\0\0\0\2\0\0\0\3\0\0\0\1"
        "\0\0\0\3\0\0\0\4\0\0\0\5\0\0\0\1"
        "\0\1u\0\1\0\0\0\0\0\0\0\0\0\1m\0\1\0\0\0\1\0\0\0\0"
        "\0\0\0\1\0\0\0\3<\0\0\0\0\0\7\0\1\0\0\0\7\0\2\0\0\0\7\0\0\0\5"
        "\xff\xff\xff\xff\0\1\0\0\0\1\0\0\0\2:\0\0\0\0\0\7\0\1\0\0\0\7\0\0\0\6\0\xff";
    const io_mesh_view view = {
        .vertex_count = 4, .triangle_count = 2, .position = position, .index = index};
    scratch *s = *state;
    char path[128];
    for (weir_mesh_format format = 0; format < WEIR_MESH_FORMAT_COUNT; format++) {
        snprintf(path, sizeof path, "%s/ours.%s", s->folder, io_mesh_format_extension(format));
        io_mesh_write_def def = {.path = path, .format = format, .scale = 1};
        assert_int_equal(io_mesh_write(&s->log, &view, &def), WEIR_OK);
        damage(s, read_mesh, path);
    }
    snprintf(path, sizeof path, "%s", scratch_write(s, "plain.bgeo", bgeo, sizeof bgeo - 1));
    damage(s, read_mesh, path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damaged_frames_of_ours_do_no_harm),
        cmocka_unit_test(damaged_frames_of_others_do_no_harm),
        cmocka_unit_test(damaged_meshes_do_no_harm),
        cmocka_unit_test(damaged_meshes_of_ours_do_no_harm),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
