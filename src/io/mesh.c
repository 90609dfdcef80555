/* Triangle meshes: the way into each format, growth, and welding. */
#include "io_internal.h"

weir_result io_mesh_add_vertex(const io_reader *reader, io_mesh_build *build, vec3 vertex)
{
    if (build->vertices.count >= UINT32_MAX)
        return io_fail(reader, reader->at, "more than 4294967295 vertices");
    if (!BASE_PUSH(&build->vertices, vertex)) return io_fail_memory(reader, "its vertices");
    return WEIR_OK;
}

weir_result io_mesh_add_triangle(const io_reader *reader, io_mesh_build *build, uint32_t a,
                                 uint32_t b, uint32_t c)
{
    if (build->indices.count >= UINT32_MAX - 3)
        return io_fail(reader, reader->at, "more than 1431655764 triangles");
    if (!BASE_RESERVE(&build->indices, 3)) return io_fail_memory(reader, "its triangles");
    uint32_t *corner = build->indices.items + build->indices.count;
    corner[0] = a, corner[1] = b, corner[2] = c;
    build->indices.count += 3;
    return WEIR_OK;
}

static weir_result read_corner(io_reader *reader, io_type type, uint64_t vertex_count,
                               uint32_t *corner)
{
    io_number number;
    WEIR_NEED(io_read_number(reader, type, "a vertex index", &number));
    double value = number.value;
    if (!(value >= 0 && value < (double)vertex_count) || value != floor(value))
        return io_fail(reader, number.at,
                       "vertex index %.17g; the %llu vertices have indices from 0", value,
                       (unsigned long long)vertex_count);
    *corner = (uint32_t)value;
    return WEIR_OK;
}

weir_result io_mesh_read_polygon(io_reader *reader, const io_polygon *polygon, io_mesh_build *build)
{
    uint32_t first = 0, last = 0, corner = 0;
    if (polygon->corners < 3)
        return io_fail(reader, polygon->at, "a face with %llu corners; at least 3 are needed",
                       (unsigned long long)polygon->corners);
    for (uint64_t i = 0; i < polygon->corners; i++) {
        weir_result result = read_corner(reader, polygon->type, polygon->vertex_count, &corner);
        if (result == WEIR_OK && i >= 2)
            result = io_mesh_add_triangle(reader, build, first, last, corner);
        if (result != WEIR_OK) return result;
        if (i == 0) first = corner;
        last = corner;
    }
    return WEIR_OK;
}

weir_result io_mesh_take_points(const io_reader *reader, io_particles *points, io_mesh_build *build)
{
    if (!BASE_RESERVE(&build->vertices, points->count))
        return io_fail_memory(reader, "its vertices");
    if (points->count)
        memcpy(build->vertices.items, points->position, points->count * sizeof *points->position);
    build->vertices.count = points->count;
    io_particles_free(points);
    return WEIR_OK;
}

/* ---- welding -------------------------------------------------------------------------------- */

static vec3 without_minus_zero(vec3 v)
{
    return vec3_make(v.x + 0.0f, v.y + 0.0f, v.z + 0.0f);
}

static uint64_t vertex_hash(vec3 v)
{
    uint64_t xy = (uint64_t)io_float_bits(v.x) << 32 | io_float_bits(v.y);
    return base_mix64(base_mix64(xy) ^ io_float_bits(v.z));
}

static size_t table_size(size_t count)
{
    size_t size = 16;
    while (size < 2 * count)
        size *= 2;
    return size;
}

/* The index of an equal vertex among the kept ones, which gains `v` when there is none. `table`
 * holds indices plus one, 0 where empty. */
static uint32_t keep_vertex(io_mesh_build *build, uint32_t *table, size_t mask, vec3 v)
{
    size_t place = (size_t)vertex_hash(v) & mask;
    for (; table[place]; place = (place + 1) & mask) {
        vec3 w = build->vertices.items[table[place] - 1];
        if (v.x == w.x && v.y == w.y && v.z == w.z) return table[place] - 1;
    }
    build->vertices.items[build->vertices.count++] = v;
    table[place] = (uint32_t)build->vertices.count;
    return table[place] - 1;
}

weir_result io_mesh_weld(const io_reader *reader, io_mesh_build *build)
{
    size_t count = build->vertices.count, size = table_size(count);
    uint32_t *table = base_alloc(size, sizeof *table);
    uint32_t *moved = base_alloc(count, sizeof *moved);
    weir_result result = table && moved ? WEIR_OK : io_fail_memory(reader, "welding");
    if (result == WEIR_OK) {
        build->vertices.count = 0;
        for (size_t i = 0; i < count; i++)
            moved[i] =
                keep_vertex(build, table, size - 1, without_minus_zero(build->vertices.items[i]));
        for (size_t i = 0; i < build->indices.count; i++)
            build->indices.items[i] = moved[build->indices.items[i]];
    }
    base_free(table);
    base_free(moved);
    return result;
}

/* ---- reading -------------------------------------------------------------------------------- */

static bool has_extension(const char *path, const char *extension)
{
    const char *own = base_path_extension(path);
    return io_word_is((io_word){(const uint8_t *)own, strlen(own)}, extension);
}

static bool starts_with_word(const io_reader *reader, const char *text)
{
    io_reader probe = *reader;
    return io_word_is(io_read_word(&probe), text);
}

static bool is_stl(const io_reader *reader)
{
    if (has_extension(reader->path, "stl")) return true;
    if (has_extension(reader->path, "obj")) return false;
    return starts_with_word(reader, "solid") || io_stl_has_binary_size(reader);
}

static weir_result read_packed(const io_reader *packed, io_mesh_build *build)
{
    base_blob blob = {0};
    WEIR_NEED(io_gzip_unpack(packed, &blob));
    io_reader reader = io_reader_make(packed->log, packed->path, &blob);
    reader.unpacked = true;
    weir_result result = io_bgeo_read_mesh(&reader, build);
    base_blob_free(&blob);
    return result;
}

static weir_result read_by_kind(io_reader *reader, io_mesh_build *build)
{
    if (io_starts_with(reader, "\x1f\x8b")) return read_packed(reader, build);
    if (io_starts_with(reader, "Bgeo")) return io_bgeo_read_mesh(reader, build);
    if (io_starts_with(reader, "# vtk DataFile")) return io_vtk_read_mesh(reader, build);
    reader->text = true;
    if (io_starts_with(reader, "ply\n") || io_starts_with(reader, "ply\r"))
        return io_ply_read_mesh(reader, build);
    if (has_extension(reader->path, "ply"))
        return io_fail(reader, reader->at, "a PLY file starts with the line \"ply\"");
    if (is_stl(reader)) return io_stl_read(reader, build);
    size_t head = io_remaining(reader) < 4096 ? io_remaining(reader) : 4096;
    if (memchr(reader->at, 0, head))
        return io_fail(reader, reader->at,
                       "no mesh format starts like this; OBJ, PLY, STL, legacy VTK and BGEO "
                       "version 5 are read");
    return io_obj_read(reader, build);
}

static void take_build(io_mesh_build *build, io_mesh *mesh)
{
    *mesh = (io_mesh){build->vertices.items, (uint32_t)build->vertices.count, build->indices.items,
                      (uint32_t)(build->indices.count / 3)};
    *build = (io_mesh_build){0};
}

weir_result io_mesh_read(const weir_log *log, const char *path, io_mesh *mesh)
{
    *mesh = (io_mesh){0};
    base_blob blob = {0};
    weir_result result = base_file_read(log, path, IO_SIZE_MAX, &blob);
    if (result != WEIR_OK) return result;
    io_reader reader = io_reader_make(log, path, &blob);
    io_mesh_build build = {0};
    if (blob.size == 0)
        result = io_fail(&reader, reader.at, "the file is empty");
    else
        result = read_by_kind(&reader, &build);
    if (result == WEIR_OK && build.indices.count == 0)
        result = base_fail(
            log, WEIR_IO,
            "%s: no triangles; a mesh is read from OBJ, PLY, STL, VTK or BGEO with faces", path);
    if (result == WEIR_OK) take_build(&build, mesh);
    BASE_ARRAY_FREE(&build.vertices);
    BASE_ARRAY_FREE(&build.indices);
    base_blob_free(&blob);
    return result;
}

/* ---- telling meshes from particles ---------------------------------------------------------- */

static bool ply_has_faces(io_reader *reader)
{
    io_ply ply = {0};
    reader->text = true;
    if (io_ply_read_header(reader, &ply) != WEIR_OK) return false;
    const io_ply_element *faces = io_ply_find(&ply, "face");
    return faces && faces->count > 0;
}

static bool packed_has_faces(const io_reader *packed)
{
    base_blob blob = {0};
    if (io_gzip_unpack(packed, &blob) != WEIR_OK) return false;
    io_reader reader = io_reader_make(packed->log, packed->path, &blob);
    bool faces = io_bgeo_has_faces(&reader);
    base_blob_free(&blob);
    return faces;
}

bool io_mesh_is_in(const char *path)
{
    const weir_log silent = {0};
    base_blob blob = {0};
    if (base_file_read(&silent, path, IO_SIZE_MAX, &blob) != WEIR_OK) return false;
    io_reader reader = io_reader_make(&silent, path, &blob);
    bool faces = false;
    if (io_starts_with(&reader, "\x1f\x8b"))
        faces = packed_has_faces(&reader);
    else if (io_starts_with(&reader, "Bgeo"))
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
    *mesh = (io_mesh){0};
}
