/* Builds triangle meshes while a file is read, and welds their vertices. */
#include "io_internal.h"

weir_result io_mesh_add_vertex(const io_reader *reader, io_mesh_build *build, vec3 vertex)
{
    if (build->vertices.count >= UINT32_MAX)
        return io_fail(reader, reader->at, "more than 4294967295 vertices");
    if (!BASE_ARRAY_PUSH(&build->vertices, vertex)) return io_fail_memory(reader, "its vertices");
    return WEIR_OK;
}

weir_result io_mesh_add_triangle(const io_reader *reader, io_mesh_build *build, uint32_t a,
                                 uint32_t b, uint32_t c)
{
    if (build->indices.count >= UINT32_MAX - 3)
        return io_fail(reader, reader->at, "more than 1431655764 triangles");
    if (!BASE_ARRAY_RESERVE(&build->indices, 3)) return io_fail_memory(reader, "its triangles");
    uint32_t *corner = build->indices.items + build->indices.count;
    corner[0] = a, corner[1] = b, corner[2] = c;
    build->indices.count += 3;
    return WEIR_OK;
}

static weir_result add_strip_corner(const io_reader *reader, io_mesh_build *build,
                                    io_polygon_fan *strip, uint32_t corner)
{
    const bool turned = strip->corners % 2 == 1; /* every second triangle is */
    uint32_t first = turned ? strip->last : strip->first,
             second = turned ? strip->first : strip->last;
    if (strip->corners >= 2)
        WEIR_RETURN_IF_ERROR(io_mesh_add_triangle(reader, build, first, second, corner));
    strip->corners++;
    strip->first = strip->last;
    strip->last = corner;
    return WEIR_OK;
}

weir_result io_fan_add(const io_reader *reader, io_mesh_build *build, io_polygon_fan *fan,
                       uint32_t corner)
{
    if (fan->strip) return add_strip_corner(reader, build, fan, corner);
    uint32_t second = fan->reversed ? corner : fan->last,
             third = fan->reversed ? fan->last : corner;
    if (fan->corners >= 2)
        WEIR_RETURN_IF_ERROR(io_mesh_add_triangle(reader, build, fan->first, second, third));
    if (fan->corners++ == 0) fan->first = corner;
    fan->last = corner;
    return WEIR_OK;
}

weir_result io_fan_end(const io_reader *reader, io_mesh_build *build, const io_polygon_fan *fan)
{
    if (fan->strip || fan->corners <= 3) return WEIR_OK;
    const io_polygon_run run = {build->indices.count - 3 * (size_t)(fan->corners - 2), fan->corners,
                                fan->reversed};
    if (!BASE_ARRAY_PUSH(&build->polygons, run)) return io_fail_memory(reader, "its polygons");
    return WEIR_OK;
}

weir_result io_check_corners(const io_reader *reader, const uint8_t *at, uint64_t corners)
{
    if (corners >= 3) return WEIR_OK;
    return io_fail(reader, at, "a face with %llu corners; at least 3 are needed",
                   (unsigned long long)corners);
}

static weir_result read_corner(io_reader *reader, io_type type, uint64_t vertex_count,
                               uint32_t *corner)
{
    io_number number;
    WEIR_RETURN_IF_ERROR(io_read_number(reader, type, "a vertex index", &number));
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
    io_polygon_fan fan = {.strip = polygon->strip};
    uint32_t corner = 0;
    WEIR_RETURN_IF_ERROR(io_check_corners(reader, polygon->at, polygon->corners));
    for (uint64_t i = 0; i < polygon->corners; i++) {
        WEIR_RETURN_IF_ERROR(read_corner(reader, polygon->type, polygon->vertex_count, &corner));
        WEIR_RETURN_IF_ERROR(io_fan_add(reader, build, &fan, corner));
    }
    return io_fan_end(reader, build, &fan);
}

bool io_vtk_is_strip(uint64_t type)
{
    return type == IO_VTK_STRIP || type == IO_VTK_PIXEL;
}

bool io_vtk_is_face(uint64_t type)
{
    return io_vtk_is_strip(type) || type == IO_VTK_TRIANGLE || type == IO_VTK_POLYGON ||
           type == IO_VTK_QUAD;
}

void io_vtk_log_skipped_cells(const io_reader *reader, uint64_t count)
{
    if (count)
        base_log(reader->log, WEIR_LOG_INFO, "%s: %llu cells that are not faces are left out",
                 reader->path, (unsigned long long)count);
}

weir_result io_mesh_add_points(const io_reader *reader, io_particles *points, io_mesh_build *build)
{
    if (!BASE_ARRAY_RESERVE(&build->vertices, points->count))
        return io_fail_memory(reader, "its vertices");
    if (points->count)
        memcpy(build->vertices.items, points->position, points->count * sizeof *points->position);
    build->vertices.count = points->count;
    io_particles_free(points);
    return WEIR_OK;
}

/* ---- welding -------------------------------------------------------------------------------- */

static vec3 normalize_zero(vec3 v)
{
    return vec3_make(v.x + 0.0f, v.y + 0.0f, v.z + 0.0f);
}

static uint64_t vertex_hash(vec3 v)
{
    uint64_t xy = (uint64_t)io_float_bits(v.x) << 32 | io_float_bits(v.y);
    return base_hash_mix64(base_hash_mix64(xy) ^ io_float_bits(v.z));
}

static size_t table_size(size_t count)
{
    size_t size = 16;
    while (size < 2 * count)
        size *= 2;
    return size;
}

/* Returns the index of an equal vertex among those kept; appends `v` if there is none. `table`
 * holds indices plus one; 0 marks an empty slot. */
static uint32_t find_or_add_vertex(io_mesh_build *build, uint32_t *table, size_t mask, vec3 v)
{
    size_t entry = (size_t)vertex_hash(v) & mask;
    for (; table[entry]; entry = (entry + 1) & mask) {
        vec3 w = build->vertices.items[table[entry] - 1];
        if (v.x == w.x && v.y == w.y && v.z == w.z) return table[entry] - 1;
    }
    build->vertices.items[build->vertices.count++] = v;
    table[entry] = (uint32_t)build->vertices.count;
    return table[entry] - 1;
}

weir_result io_mesh_weld_vertices(const io_reader *reader, io_mesh_build *build)
{
    size_t count = build->vertices.count, size = table_size(count);
    uint32_t *table = base_alloc(size, sizeof *table);
    uint32_t *moved = base_alloc(count, sizeof *moved);
    weir_result result = table && moved ? WEIR_OK : io_fail_memory(reader, "welding");
    if (result == WEIR_OK) {
        build->vertices.count = 0;
        for (size_t i = 0; i < count; i++)
            moved[i] = find_or_add_vertex(build, table, size - 1,
                                          normalize_zero(build->vertices.items[i]));
        for (size_t i = 0; i < build->indices.count; i++)
            build->indices.items[i] = moved[build->indices.items[i]];
    }
    base_free(table);
    base_free(moved);
    return result;
}

weir_result io_mesh_weld(const weir_log *log, const char *path, io_mesh *mesh)
{
    const io_reader reader = {.log = log, .path = path};
    io_mesh_build build = {0};
    build.vertices.items = mesh->vertices;
    build.vertices.count = mesh->vertex_count;
    build.indices.items = mesh->indices;
    build.indices.count = 3 * (size_t)mesh->triangle_count;
    weir_result result = io_mesh_weld_vertices(&reader, &build);
    mesh->vertex_count = (uint32_t)build.vertices.count;
    return result;
}
