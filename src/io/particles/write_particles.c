/* Writes particles as PLY and legacy VTK, and ParaView's list of frames. */
#include "io_internal.h"

/* ---- numbers -------------------------------------------------------------------------------- */

bool io_column_is_double(const io_particle_output *frame, const io_column *column)
{
    const double *origin = frame->particles->origin;
    bool far = origin[0] != 0.0 || origin[1] != 0.0 || origin[2] != 0.0;
    return far && column->field == WEIR_FIELD_POSITION;
}

uint64_t io_column_double_bits(const io_particle_output *frame, const io_column *column,
                               size_t index)
{
    return io_double_bits(io_column_origin(frame->particles, column) +
                          (double)io_column_float(column, index));
}

static void put_value(const io_particle_output *frame, io_writer *writer, const io_column *column,
                      size_t index, bool big_endian)
{
    if (io_column_is_double(frame, column))
        io_writer_put_uint(writer, io_column_double_bits(frame, column, index), sizeof(uint64_t),
                           big_endian);
    else
        io_writer_put_u32(writer, io_column_bits(column, index), big_endian);
}

/* ---- PLY ------------------------------------------------------------------------------------ */

void io_ply_write(const io_particle_output *frame, io_writer *writer)
{
    char time[32], radius[32];
    io_print_decimal(time, frame->particles->time_s);
    base_print_float(radius, frame->radius_m);
    io_writer_put_text(writer,
                       "ply\nformat binary_little_endian 1.0\ncomment Weir particles, SI units\n");
    io_writer_put_text(writer, "comment time_s=%s\n", time);
    if (frame->radius_m > 0) io_writer_put_text(writer, "comment radius_m=%s\n", radius);
    io_writer_put_text(writer, "element vertex %u\n", frame->particles->count);
    for (uint32_t c = 0; c < frame->columns.count; c++) {
        const io_column *column = &frame->columns.items[c];
        bool is_double = io_column_is_double(frame, column);
        io_writer_put_text(writer, "property %s %s\n",
                           is_double       ? "double"
                           : column->whole ? "uint"
                                           : "float",
                           column->name);
    }
    if (frame->radius_column) io_writer_put_text(writer, "property float radius\n");
    io_writer_put_text(writer, "end_header\n");
    for (size_t i = 0; i < frame->particles->count; i++) {
        for (uint32_t c = 0; c < frame->columns.count; c++)
            put_value(frame, writer, &frame->columns.items[c], i, false);
        if (frame->radius_column) io_writer_put_u32(writer, io_float_bits(frame->radius_m), false);
    }
}

/* ---- legacy VTK ----------------------------------------------------------------------------- */

/* Writes the columns [first, end) as one array, big-endian as the format requires. */
static void write_columns(const io_particle_output *frame, io_writer *writer, uint32_t first,
                          uint32_t end)
{
    for (size_t i = 0; i < frame->particles->count; i++)
        for (uint32_t c = first; c < end; c++)
            put_value(frame, writer, &frame->columns.items[c], i, true);
    io_writer_put_text(writer, "\n");
}

/* Writes one vertex cell per point, because ParaView shows points only through cells. */
static void write_cells(io_writer *writer, uint32_t count)
{
    const uint32_t vertex_cell = 1;
    io_writer_put_text(writer, "CELLS %u %llu\n", count, 2ull * count);
    for (uint32_t i = 0; i < count; i++) {
        io_writer_put_u32(writer, 1, true);
        io_writer_put_u32(writer, i, true);
    }
    io_writer_put_text(writer, "\nCELL_TYPES %u\n", count);
    for (uint32_t i = 0; i < count; i++)
        io_writer_put_u32(writer, vertex_cell, true);
    io_writer_put_text(writer, "\n");
}

uint32_t io_columns_of_field(const io_columns *columns, uint32_t first)
{
    uint32_t end = first + 1;
    uint32_t field = columns->items[first].field;
    while (end < columns->count && columns->items[end].field == field)
        end++;
    return end;
}

/* Writes all point data in one FIELD, which ParaView, meshio and splashsurf can read. */
static void write_fields(const io_particle_output *frame, io_writer *writer)
{
    uint32_t arrays = frame->radius_column ? 1 : 0, count = frame->particles->count;
    const io_columns *columns = &frame->columns;
    for (uint32_t c = 3; c < columns->count; c = io_columns_of_field(columns, c))
        arrays++;
    if (!arrays) return;
    io_writer_put_text(writer, "POINT_DATA %u\nFIELD FieldData %u\n", count, arrays);
    for (uint32_t c = 3; c < columns->count;) {
        uint32_t end = io_columns_of_field(columns, c);
        const io_column *column = &columns->items[c];
        io_writer_put_text(writer, "%s %u %u %s\n", io_column_array_name(frame->particles, column),
                           end - c, count, column->whole ? "unsigned_int" : "float");
        write_columns(frame, writer, c, end);
        c = end;
    }
    if (!frame->radius_column) return;
    io_writer_put_text(writer, "radius 1 %u float\n", count);
    for (uint32_t i = 0; i < count; i++)
        io_writer_put_u32(writer, io_float_bits(frame->radius_m), true);
    io_writer_put_text(writer, "\n");
}

void io_vtk_write(const io_particle_output *frame, io_writer *writer)
{
    char time[32], radius[32];
    io_print_decimal(time, frame->particles->time_s);
    base_print_float(radius, frame->radius_m);
    io_writer_put_text(writer, "# vtk DataFile Version 4.2\nWeir particles, time_s=%s", time);
    if (frame->radius_m > 0) io_writer_put_text(writer, " radius_m=%s", radius);
    io_writer_put_text(writer, "\n");
    io_writer_put_text(writer, "BINARY\nDATASET UNSTRUCTURED_GRID\n");
    io_writer_put_text(writer, "POINTS %u %s\n", frame->particles->count,
                       io_column_is_double(frame, &frame->columns.items[0]) ? "double" : "float");
    write_columns(frame, writer, 0, 3);
    write_cells(writer, frame->particles->count);
    write_fields(frame, writer);
}

/* ---- series of files ----------------------------------------------------------------------------
 */

static void write_json_string(io_writer *writer, const char *text)
{
    io_writer_put_text(writer, "\"");
    for (const char *p = text; *p; p++) {
        bool quoted = *p == '"' || *p == '\\';
        if ((uint8_t)*p < ' ')
            io_writer_put_text(writer, "\\u%04x", (unsigned)(uint8_t)*p);
        else
            io_writer_put_text(writer, quoted ? "\\%c" : "%c", *p);
    }
    io_writer_put_text(writer, "\"");
}

weir_result io_series_write(const weir_log *log, const char *path, const char *const *names,
                            const double *times_s, size_t count)
{
    io_writer writer;
    WEIR_RETURN_IF_ERROR(io_writer_open(log, path, &writer));
    io_writer_put_text(&writer, "{\n  \"file-series-version\" : \"1.0\",\n  \"files\" : [");
    for (size_t i = 0; i < count; i++) {
        char time[32];
        io_print_decimal(time, times_s[i]);
        io_writer_put_text(&writer, "%s\n    { \"name\" : ", i ? "," : "");
        write_json_string(&writer, names[i]);
        io_writer_put_text(&writer, ", \"time\" : %s }", time);
    }
    io_writer_put_text(&writer, "\n  ]\n}\n");
    return io_writer_commit(&writer);
}
