/* Writes particles and meshes as VTK's XML polydata: the arrays follow the text as raw bytes,
 * little-endian. */
#include "io_internal.h"

/* One array of a file. */
typedef struct vtp_array {
    const char *name;
    const char *type; /* such as "Float32" */
    uint32_t components;
    io_array_part part; /* of rows, each of exactly part.size bytes */
} vtp_array;

/* A file: points, then the data of points, then connectivity and offsets of the cells. */
typedef struct vtp_file {
    const io_mesh_output *out;
    const char *what;  /* in the comment */
    const char *cells; /* name of their section */
    double time_s;
    float radius_m; /* 0: none */
    uint32_t point_count, cell_count;
    vtp_array arrays[IO_SCALAR_COUNT + 4];
    uint32_t count;
} vtp_file;

static void add_array(vtp_file *file, vtp_array array)
{
    WEIR_ASSERT(file->count < BASE_COUNT(file->arrays));
    file->arrays[file->count++] = array;
}

static uint64_t bytes_of(const vtp_array *array)
{
    return array->part.count * array->part.size;
}

/* Writes the tags of the arrays [first, end) in a section. The array "normals" is announced, so
 * that readers use it for shading. */
static void put_section(const vtp_file *file, const char *section, uint32_t first, uint32_t end)
{
    io_writer *writer = file->out->writer;
    uint64_t offset = 0;
    for (uint32_t i = 0; i < first; i++)
        offset += sizeof offset + bytes_of(&file->arrays[i]);
    const bool normals = first < end && strcmp(file->arrays[first].name, "normals") == 0;
    io_writer_put_text(writer, "      <%s%s>\n", section, normals ? " Normals=\"normals\"" : "");
    for (uint32_t i = first; i < end; i++) {
        const vtp_array *array = &file->arrays[i];
        io_writer_put_text(writer,
                           "        <DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%u\" "
                           "format=\"appended\" offset=\"%llu\"/>\n",
                           array->type, array->name, array->components, (unsigned long long)offset);
        offset += sizeof offset + bytes_of(array);
    }
    io_writer_put_text(writer, "      </%s>\n", section);
}

static void put_number(io_writer *writer, const char *name, const char *number)
{
    io_writer_put_text(writer,
                       "      <DataArray type=\"Float64\" Name=\"%s\" NumberOfTuples=\"1\" "
                       "format=\"ascii\">%s</DataArray>\n",
                       name, number);
}

static void put_file(const vtp_file *file)
{
    io_writer *writer = file->out->writer;
    char time[32], radius[32];
    const bool polygons = strcmp(file->cells, "Polys") == 0;
    io_print_decimal(time, file->time_s);
    base_print_float(radius, file->radius_m);
    io_writer_put_text(writer,
                       "<?xml version=\"1.0\"?>\n<!-- Weir %s, SI units, time_s=%s -->\n"
                       "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
                       "header_type=\"UInt64\">\n  <PolyData>\n    <FieldData>\n",
                       file->what, time);
    put_number(writer, "TimeValue", time);
    if (file->radius_m > 0.0f) put_number(writer, "radius_m", radius);
    io_writer_put_text(writer,
                       "    </FieldData>\n    <Piece NumberOfPoints=\"%u\" NumberOfVerts=\"%u\" "
                       "NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"%u\">\n",
                       file->point_count, polygons ? 0u : file->cell_count,
                       polygons ? file->cell_count : 0u);
    put_section(file, "Points", 0, 1);
    put_section(file, "PointData", 1, file->count - 2);
    put_section(file, file->cells, file->count - 2, file->count);
    io_writer_put_text(writer, "    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n_");
    for (uint32_t i = 0; i < file->count; i++) {
        io_writer_put_uint(writer, bytes_of(&file->arrays[i]), sizeof(uint64_t), false);
        io_write_array_part(file->out, &file->arrays[i].part);
    }
    io_writer_put_text(writer, "\n  </AppendedData>\n</VTKFile>\n");
}

/* ---- rows ----------------------------------------------------------------------------------- */

static uint8_t *put_int(uint8_t *out, uint64_t value, size_t size)
{
    for (size_t i = 0; i < size; i++)
        out[i] = (uint8_t)(value >> 8 * i);
    return out + size;
}

/* The offset at which cell i ends: with as many corners as the number that `user` points to. */
static uint8_t *put_offsets(const void *user, uint64_t first, uint64_t end, uint8_t *at)
{
    const uint32_t corners = *(const uint32_t *)user;
    for (uint64_t i = first; i < end; i++)
        at = put_int(at, (i + 1) * corners, sizeof(uint64_t));
    return at;
}

static uint8_t *put_own_index(const void *user, uint64_t first, uint64_t end, uint8_t *at)
{
    (void)user;
    for (uint64_t i = first; i < end; i++)
        at = put_int(at, i, sizeof(uint64_t));
    return at;
}

/* ---- particles ------------------------------------------------------------------------------ */

/* The columns [first, end) of particles, which are one array. */
typedef struct column_rows {
    const io_particle_output *frame;
    uint32_t first, end;
} column_rows;

static uint8_t *put_columns(const void *user, uint64_t first, uint64_t end, uint8_t *at)
{
    const column_rows *rows = user;
    for (uint64_t i = first; i < end; i++)
        for (uint32_t c = rows->first; c < rows->end; c++) {
            const io_column *column = &rows->frame->columns.items[c];
            if (io_column_is_double(rows->frame, column))
                at = put_int(at, io_column_double_bits(rows->frame, column, i), sizeof(uint64_t));
            else
                at = put_int(at, io_column_bits(column, i), sizeof(uint32_t));
        }
    return at;
}

static uint8_t *put_radius(const void *user, uint64_t first, uint64_t end, uint8_t *at)
{
    const io_particle_output *frame = user;
    for (uint64_t i = first; i < end; i++)
        at = put_int(at, io_float_bits(frame->radius_m), sizeof(uint32_t));
    return at;
}

void io_vtp_write(const io_particle_output *frame, io_writer *writer)
{
    static const uint32_t one = 1;
    const io_mesh_output out = {.log = frame->log, .writer = writer, .threads = 1};
    const io_columns *columns = &frame->columns;
    const uint32_t count = frame->particles->count;
    column_rows rows[IO_SCALAR_COUNT];
    vtp_file file = {.out = &out,
                     .what = "particles",
                     .cells = "Verts",
                     .time_s = frame->particles->time_s,
                     .radius_m = frame->radius_m,
                     .point_count = count,
                     .cell_count = count};
    for (uint32_t c = 0; c < columns->count;) {
        const io_column *column = &columns->items[c];
        const bool wide = io_column_is_double(frame, column);
        column_rows *row = &rows[file.count];
        *row = (column_rows){frame, c, io_columns_of_field(columns, c)};
        add_array(&file,
                  (vtp_array){c == 0 ? "Points" : io_column_array_name(frame->particles, column),
                              wide            ? "Float64"
                              : column->whole ? "UInt32"
                                              : "Float32",
                              row->end - c,
                              {count, (row->end - c) * (wide ? 8u : 4u), put_columns, row}});
        c = row->end;
    }
    if (frame->radius_column)
        add_array(&file, (vtp_array){"radius", "Float32", 1, {count, 4, put_radius, frame}});
    add_array(&file, (vtp_array){"connectivity", "Int64", 1, {count, 8, put_own_index, NULL}});
    add_array(&file, (vtp_array){"offsets", "Int64", 1, {count, 8, put_offsets, &one}});
    put_file(&file);
}

/* ---- meshes --------------------------------------------------------------------------------- */

static uint8_t *put_vector(uint8_t *out, vec3 v)
{
    out = put_int(out, io_float_bits(v.x), sizeof(uint32_t));
    out = put_int(out, io_float_bits(v.y), sizeof(uint32_t));
    return put_int(out, io_float_bits(v.z), sizeof(uint32_t));
}

static uint8_t *put_positions(const void *user, uint64_t first, uint64_t end, uint8_t *at)
{
    const io_mesh_output *out = user;
    const bool wide = io_mesh_has_origin(out->def);
    for (uint64_t i = first; i < end; i++) {
        const vec3 p = io_mesh_transform_position(out->def, out->mesh->position[i]);
        const float local[3] = {p.x, p.y, p.z};
        if (!wide) at = put_vector(at, p);
        for (int axis = 0; axis < 3 && wide; axis++)
            at = put_int(at, io_double_bits(out->def->origin[axis] + (double)local[axis]),
                         sizeof(uint64_t));
    }
    return at;
}

static uint8_t *put_normals(const void *user, uint64_t first, uint64_t end, uint8_t *at)
{
    const io_mesh_output *out = user;
    for (uint64_t i = first; i < end; i++)
        at = put_vector(at, io_mesh_transform_direction(out->def, out->mesh->normal[i]));
    return at;
}

static uint8_t *put_velocities(const void *user, uint64_t first, uint64_t end, uint8_t *at)
{
    const io_mesh_output *out = user;
    for (uint64_t i = first; i < end; i++)
        at = put_vector(at, io_mesh_transform_position(out->def, out->mesh->velocity[i]));
    return at;
}

static uint8_t *put_channel(const void *user, uint64_t first, uint64_t end, uint8_t *at)
{
    const io_mesh_channel *channel = user;
    for (uint64_t i = first * channel->components; i < end * channel->components; i++)
        at = put_int(at, io_float_bits(channel->values[i]), sizeof(uint32_t));
    return at;
}

static uint8_t *put_corners(const void *user, uint64_t first, uint64_t end, uint8_t *at)
{
    const uint32_t *index = user;
    for (uint64_t i = 3 * first; i < 3 * end; i++)
        at = put_int(at, index[i], sizeof(uint64_t));
    return at;
}

void io_vtp_write_mesh(const io_mesh_output *out)
{
    static const uint32_t three = 3;
    const io_mesh_view *mesh = out->mesh;
    const uint64_t vertices = mesh->vertex_count, triangles = mesh->triangle_count;
    const bool wide = io_mesh_has_origin(out->def);
    vtp_file file = {.out = out,
                     .what = "surface",
                     .cells = "Polys",
                     .time_s = out->def->time_s,
                     .point_count = mesh->vertex_count,
                     .cell_count = mesh->triangle_count};
    add_array(&file, (vtp_array){"Points",
                                 wide ? "Float64" : "Float32",
                                 3,
                                 {vertices, wide ? 24 : 12, put_positions, out}});
    if (mesh->normal)
        add_array(&file, (vtp_array){"normals", "Float32", 3, {vertices, 12, put_normals, out}});
    if (mesh->velocity)
        add_array(&file,
                  (vtp_array){"velocity", "Float32", 3, {vertices, 12, put_velocities, out}});
    for (uint32_t c = 0; c < mesh->channel_count; c++) {
        const io_mesh_channel *channel = &mesh->channels[c];
        add_array(&file,
                  (vtp_array){channel->name,
                              "Float32",
                              channel->components,
                              {vertices, 4 * (size_t)channel->components, put_channel, channel}});
    }
    add_array(&file,
              (vtp_array){"connectivity", "Int64", 1, {triangles, 24, put_corners, mesh->index}});
    add_array(&file, (vtp_array){"offsets", "Int64", 1, {triangles, 8, put_offsets, &three}});
    put_file(&file);
}
