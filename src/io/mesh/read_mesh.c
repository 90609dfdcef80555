/* Reads triangle meshes; selects the reader by the file's format. */
#include "io_internal.h"

static bool starts_with_word(const io_reader *reader, const char *text)
{
    io_reader probe = *reader;
    return io_token_is(io_read_token(&probe), text);
}

bool io_is_stl(const io_reader *reader)
{
    if (io_has_extension(reader, "stl")) return true;
    if (io_has_extension(reader, "obj")) return false;
    return starts_with_word(reader, "solid") || io_stl_has_binary_size(reader);
}

/* An OBJ file starts with anything, but is text. */
bool io_is_obj(const io_reader *reader)
{
    size_t head = io_remaining(reader) < 4096 ? io_remaining(reader) : 4096;
    return head > 0 && !memchr(reader->at, 0, head) && !io_is_other_format(reader) &&
           !io_is_vtk_xml(reader);
}

static const io_mesh_file_format *find_format(const io_reader *reader)
{
    for (size_t i = 0; i < io_mesh_format_count; i++)
        if (io_format_matches(&io_mesh_formats[i].format, reader)) return &io_mesh_formats[i];
    return NULL;
}

static weir_result read_by_format(io_reader *reader, io_mesh_build *build)
{
    const io_mesh_file_format *row = find_format(reader);
    if (io_remaining(reader) == 0 && !reader->unpacked)
        return io_fail(reader, reader->at, "the file is empty");
    reader->text = !row || !(row->format.properties & IO_FORMAT_BYTES);
    bool is_guess = !row || !row->has_faces; /* STL and OBJ have no signature */
    if (is_guess && io_has_extension(reader, "ply"))
        return io_fail(reader, reader->at, "a PLY file starts with the line \"ply\"");
    if (row) return row->read(reader, build);
    if (io_is_other_format(reader)) return io_fail_other_format(reader);
    return io_fail_unknown_format(reader, true);
}

static void take_mesh(io_mesh_build *build, io_mesh *mesh)
{
    *mesh = (io_mesh){.vertices = build->vertices.items,
                      .vertex_count = (uint32_t)build->vertices.count,
                      .indices = build->indices.items,
                      .triangle_count = (uint32_t)(build->indices.count / 3),
                      .normals = build->normals.items};
    build->vertices.items = build->normals.items = NULL;
    build->indices.items = NULL;
}

static void free_build(io_mesh_build *build)
{
    BASE_ARRAY_FREE(&build->vertices);
    BASE_ARRAY_FREE(&build->indices);
    BASE_ARRAY_FREE(&build->normals);
    BASE_ARRAY_FREE(&build->polygons);
    *build = (io_mesh_build){0};
}

/* Reads the file relative to start->origin. If it is 0 and `chooses` is set, and the vertices turn
 * out to be far from it, reads the file again, relative to an origin near them. */
static weir_result read_from_origin(io_reader *start, bool chooses, io_mesh_build *build)
{
    const weir_log silent = {0};
    io_reader reader = *start;
    WEIR_RETURN_IF_ERROR(read_by_format(&reader, build));
    if (!chooses || !io_find_origin(build->vertices.items, build->vertices.count, start->origin))
        return WEIR_OK;
    free_build(build);
    reader = *start;
    reader.log = &silent; /* the first pass has said everything */
    return read_by_format(&reader, build);
}

/* `origin` NULL: chooses one. */
static weir_result read_file(const weir_log *log, const char *path, const double *origin,
                             io_mesh *mesh)
{
    *mesh = (io_mesh){0};
    base_blob blob = {0};
    io_reader start;
    WEIR_RETURN_IF_ERROR(io_open_decompressed(log, path, &blob, &start));
    io_mesh_build build = {0};
    weir_result result;
    if (origin) memcpy(start.origin, origin, sizeof start.origin);
    WEIR_GOTO_IF_ERROR(read_from_origin(&start, !origin, &build));
    WEIR_GOTO_IF_ERROR(io_mesh_triangulate(&start, &build));
    if (build.indices.count == 0)
        result = base_fail(
            log, WEIR_ERROR_IO,
            "%s: no triangles; expected a mesh as OBJ, PLY, STL, glTF, VTK or BGEO with faces",
            path);
    if (result == WEIR_OK) take_mesh(&build, mesh);
    if (result == WEIR_OK) memcpy(mesh->origin, start.origin, sizeof mesh->origin);
fail:
    free_build(&build);
    base_blob_free(&blob);
    return result;
}

weir_result io_mesh_read(const weir_log *log, const char *path, io_mesh *mesh)
{
    return read_file(log, path, NULL, mesh);
}

weir_result io_mesh_read_at(const weir_log *log, const char *path, const double origin[3],
                            io_mesh *mesh)
{
    return read_file(log, path, origin, mesh);
}

/* ---- distinguishing meshes from particles ---------------------------------------------------- */

bool io_ply_has_faces(io_reader *reader)
{
    io_ply ply = {0};
    reader->text = true;
    if (io_ply_read_header(reader, &ply) != WEIR_OK) return false;
    const io_ply_element *faces = io_ply_find_faces(&ply);
    return faces && faces->count > 0;
}

bool io_mesh_file_has_faces(const char *path)
{
    const weir_log silent = {0};
    base_blob blob = {0};
    io_reader reader;
    if (io_open_decompressed(&silent, path, &blob, &reader) != WEIR_OK) return false;
    const io_mesh_file_format *row = find_format(&reader);
    bool faces = row && row->has_faces && row->has_faces(&reader);
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
