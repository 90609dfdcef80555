/* Reads triangle meshes; selects the reader by the file's format. */
#include "io_internal.h"

static bool starts_with_word(const io_reader *reader, const char *text)
{
    io_reader probe = *reader;
    return io_token_is(io_read_token(&probe), text);
}

static bool is_stl(const io_reader *reader)
{
    if (io_has_extension(reader, "stl")) return true;
    if (io_has_extension(reader, "obj")) return false;
    return starts_with_word(reader, "solid") || io_stl_has_binary_size(reader);
}

static weir_result read_by_format(io_reader *reader, io_mesh_build *build)
{
    if (reader->unpacked || io_starts_with(reader, "Bgeo")) return io_bgeo_read_mesh(reader, build);
    if (io_remaining(reader) == 0) return io_fail(reader, reader->at, "the file is empty");
    if (io_starts_with(reader, "# vtk DataFile")) return io_vtk_read_mesh(reader, build);
    reader->text = true;
    if (io_starts_with(reader, "ply\n") || io_starts_with(reader, "ply\r"))
        return io_ply_read_mesh(reader, build);
    if (io_has_extension(reader, "ply"))
        return io_fail(reader, reader->at, "a PLY file starts with the line \"ply\"");
    if (is_stl(reader)) return io_stl_read(reader, build);
    size_t head = io_remaining(reader) < 4096 ? io_remaining(reader) : 4096;
    if (memchr(reader->at, 0, head))
        return io_fail(reader, reader->at,
                       "no mesh format starts like this; OBJ, PLY, STL, legacy VTK and BGEO "
                       "version 5 are read");
    return io_obj_read(reader, build);
}

static void take_mesh(io_mesh_build *build, io_mesh *mesh)
{
    *mesh = (io_mesh){build->vertices.items, (uint32_t)build->vertices.count, build->indices.items,
                      (uint32_t)(build->indices.count / 3), build->normals.items};
    *build = (io_mesh_build){0};
}

weir_result io_mesh_read(const weir_log *log, const char *path, io_mesh *mesh)
{
    *mesh = (io_mesh){0};
    base_blob blob = {0};
    io_reader reader;
    WEIR_RETURN_IF_ERROR(io_open_decompressed(log, path, &blob, &reader));
    io_mesh_build build = {0};
    weir_result result = read_by_format(&reader, &build);
    if (result == WEIR_OK && build.indices.count == 0)
        result = base_fail(
            log, WEIR_ERROR_IO,
            "%s: no triangles; a mesh is read from OBJ, PLY, STL, VTK or BGEO with faces", path);
    if (result == WEIR_OK) take_mesh(&build, mesh);
    BASE_ARRAY_FREE(&build.vertices);
    BASE_ARRAY_FREE(&build.indices);
    BASE_ARRAY_FREE(&build.normals);
    base_blob_free(&blob);
    return result;
}

/* ---- distinguishing meshes from particles ---------------------------------------------------- */

static bool ply_has_faces(io_reader *reader)
{
    io_ply ply = {0};
    reader->text = true;
    if (io_ply_read_header(reader, &ply) != WEIR_OK) return false;
    const io_ply_element *faces = io_ply_find(&ply, "face");
    return faces && faces->count > 0;
}

bool io_mesh_file_has_faces(const char *path)
{
    const weir_log silent = {0};
    base_blob blob = {0};
    io_reader reader;
    if (io_open_decompressed(&silent, path, &blob, &reader) != WEIR_OK) return false;
    bool faces = false;
    if (reader.unpacked || io_starts_with(&reader, "Bgeo"))
        faces = io_bgeo_has_faces(&reader);
    else if (io_starts_with(&reader, "# vtk DataFile"))
        faces = io_vtk_has_faces(&reader);
    else if (io_starts_with(&reader, "ply"))
        faces = ply_has_faces(&reader);
    base_blob_free(&blob);
    return faces;
}

void io_mesh_free(io_mesh *mesh)
{
    base_free(mesh->vertices);
    base_free(mesh->indices);
    base_free(mesh->normals);
    *mesh = (io_mesh){0};
}
