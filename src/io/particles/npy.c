/* Reads and writes NPY, numpy's format for one array (numpy.lib.format, versions 1 to 3): N rows of
 * numbers of any type, in C or Fortran order, or their transpose. Columns: at least 3 (x y z), at
 * least 6 (and vx vy vz), or 9 (and id fluid density); for whitewater 11 (x y z vx vy vz id kind
 * age lifetime radius). Further columns are skipped, as nothing in the file describes them. */
#include "io_internal.h"

#define ALIGNMENT 64u /* of the data; numpy pads the header to it */
#define COLUMNS_MAX 4096u
#define WHITEWATER_COLUMNS 11u

typedef struct npy {
    io_reader *reader; /* within the header's text until the data begins */
    io_type type;
    bool column_order; /* the numbers of a column follow each other */
    uint64_t rows, columns;
} npy;

/* Returns the scalar of a column of whitewater. */
static io_scalar whitewater_column(uint64_t column)
{
    const uint64_t ids = IO_SCALAR_ID;
    if (column <= ids) return (io_scalar)column;
    return column < WHITEWATER_COLUMNS ? IO_SCALAR_KIND + (io_scalar)(column - ids - 1)
                                       : IO_SCALAR_NONE;
}

static io_scalar scalar_of_column(const npy *npy, uint64_t column)
{
    if (npy->reader->whitewater && npy->columns == WHITEWATER_COLUMNS)
        return whitewater_column(column);
    uint64_t known = npy->columns == IO_SCALAR_FLUID_COUNT ? IO_SCALAR_FLUID_COUNT
                     : npy->columns >= 6                   ? 6
                                                           : 3;
    return column < known ? (io_scalar)column : IO_SCALAR_NONE;
}

/* Moves the reader to the value of `'key':`. */
static weir_result find_value(io_reader *reader, const char *key)
{
    size_t size = strlen(key);
    for (const uint8_t *p = reader->begin; (size_t)(reader->end - p) >= size + 3; p++) {
        bool quoted = (p[0] == '\'' || p[0] == '"') && p[size + 1] == p[0];
        if (!quoted || memcmp(p + 1, key, size) != 0) continue;
        reader->at = p + size + 2;
        io_skip_space(reader);
        if (reader->at == reader->end || *reader->at != ':') continue;
        reader->at++;
        io_skip_space(reader);
        return WEIR_OK;
    }
    return io_fail(reader, reader->at, "the NPY header has no \"%s\"", key);
}

static weir_result read_type(npy *npy, io_reader *header)
{
    static const struct {
        const char *name;
        io_type type;
        bool big_endian;
    } types[] = {
        {"<f2", IO_F16, false}, {"<f4", IO_F32, false}, {"<f8", IO_F64, false},
        {">f2", IO_F16, true},  {">f4", IO_F32, true},  {">f8", IO_F64, true},
        {"|i1", IO_I8, false},  {"|u1", IO_U8, false},  {"<i2", IO_I16, false},
        {"<i4", IO_I32, false}, {"<i8", IO_I64, false}, {"<u2", IO_U16, false},
        {"<u4", IO_U32, false}, {"<u8", IO_U64, false}, {">i2", IO_I16, true},
        {">i4", IO_I32, true},  {">i8", IO_I64, true},  {">u2", IO_U16, true},
        {">u4", IO_U32, true},  {">u8", IO_U64, true},
    };
    WEIR_RETURN_IF_ERROR(find_value(header, "descr"));
    for (size_t i = 0; i < BASE_COUNT(types); i++) {
        io_reader probe = *header;
        if (io_remaining(&probe) < 5) break;
        probe.at++;
        if (!io_starts_with(&probe, types[i].name)) continue;
        npy->type = types[i].type;
        npy->reader->big_endian = types[i].big_endian;
        return WEIR_OK;
    }
    return io_fail(
        header, header->at,
        "the elements must be numbers of one type, such as '<f4' or '<i8'; save the array with "
        "astype(\"float32\")");
}

static weir_result read_extent(io_reader *header, char before, uint64_t *extent)
{
    int64_t number = -1;
    const char *next = NULL;
    io_skip_space(header);
    bool good = header->at < header->end && *header->at == (uint8_t)before;
    if (good) {
        header->at++;
        io_skip_space(header);
        good =
            base_parse_int64((const char *)header->at, (const char *)header->end, &number, &next);
    }
    if (!good || number < 0)
        return io_fail(header, header->at,
                       "the shape must be (rows, columns); reshape the array to two dimensions");
    header->at = (const uint8_t *)next;
    *extent = (uint64_t)number;
    return WEIR_OK;
}

/* Takes an array of 3 or 6 long rows for the transpose of particles: their coordinates, one after
 * another. */
static void take_transpose(npy *npy)
{
    const uint64_t rows = npy->rows, columns = npy->columns;
    if ((rows != 3 && rows != 6) || columns <= WHITEWATER_COLUMNS) return;
    base_log(npy->reader->log, WEIR_LOG_INFO,
             "%s: the shape (%llu, %llu) is read as %llu particles with %llu columns",
             npy->reader->path, (unsigned long long)rows, (unsigned long long)columns,
             (unsigned long long)columns, (unsigned long long)rows);
    npy->rows = columns;
    npy->columns = rows;
    npy->column_order = !npy->column_order;
}

static weir_result read_shape(npy *npy, io_reader *header)
{
    WEIR_RETURN_IF_ERROR(find_value(header, "shape"));
    WEIR_RETURN_IF_ERROR(read_extent(header, '(', &npy->rows));
    WEIR_RETURN_IF_ERROR(read_extent(header, ',', &npy->columns));
    io_skip_space(header);
    if (header->at < header->end && *header->at == ',') header->at++;
    io_skip_space(header);
    bool closed = header->at < header->end && *header->at == ')';
    take_transpose(npy);
    bool known = npy->columns >= 3 && npy->columns <= COLUMNS_MAX;
    if (closed && known) return WEIR_OK;
    return io_fail(header, header->at,
                   "a shape of %s with %llu columns; expected two dimensions with 3 columns (x y "
                   "z), 6 (and vx vy vz), 9 (and id fluid density), or more after these",
                   closed ? "rows" : "more dimensions", (unsigned long long)npy->columns);
}

static weir_result read_order(npy *npy, io_reader *header)
{
    WEIR_RETURN_IF_ERROR(find_value(header, "fortran_order"));
    npy->column_order = io_starts_with(header, "True");
    if (npy->column_order || io_starts_with(header, "False")) return WEIR_OK;
    return io_fail(header, header->at, "fortran_order must be True or False");
}

static weir_result read_header(npy *npy)
{
    io_reader *reader = npy->reader;
    io_number length = {0};
    reader->at += 6;
    if (io_remaining(reader) < 2)
        return io_fail(reader, reader->at, "the file ends inside the NPY header; it is cut off");
    uint8_t major = reader->at[0];
    if (major < 1 || major > 3)
        return io_fail(reader, reader->at, "NPY version %u; versions 1 to 3 are read", major);
    reader->at += 2;
    WEIR_RETURN_IF_ERROR(
        io_read_number(reader, major == 1 ? IO_U16 : IO_U32, "the header's length", &length));
    WEIR_RETURN_IF_ERROR(io_check_count(reader, (uint64_t)length.value, 1, "bytes of header"));
    io_reader header = *reader;
    reader->at += (size_t)length.value;
    header.end = reader->at;
    WEIR_RETURN_IF_ERROR(read_type(npy, &header));
    WEIR_RETURN_IF_ERROR(read_order(npy, &header));
    return read_shape(npy, &header);
}

static weir_result read_row(const npy *npy, const uint8_t *data, size_t row,
                            io_particles *particles)
{
    const size_t bytes = io_type_size(npy->type);
    for (uint64_t column = 0; scalar_of_column(npy, column) != IO_SCALAR_NONE; column++) {
        io_table_cell cell = {row, scalar_of_column(npy, column)};
        size_t element = npy->column_order ? (size_t)column * (size_t)npy->rows + row
                                           : row * (size_t)npy->columns + (size_t)column;
        npy->reader->at = data + element * bytes;
        WEIR_RETURN_IF_ERROR(io_particles_read_value(npy->reader, npy->type, particles, cell));
    }
    return WEIR_OK;
}

weir_result io_npy_read(io_reader *reader, io_particles *particles)
{
    npy npy = {.reader = reader};
    uint32_t scalars = 0;
    WEIR_RETURN_IF_ERROR(read_header(&npy));
    WEIR_RETURN_IF_ERROR(
        io_check_count(reader, npy.rows, npy.columns * io_type_size(npy.type), "rows"));
    for (uint64_t c = 0; scalar_of_column(&npy, c) != IO_SCALAR_NONE; c++)
        scalars |= 1u << scalar_of_column(&npy, c);
    WEIR_RETURN_IF_ERROR(io_particles_allocate(reader, npy.rows, scalars, particles));
    const uint8_t *data = reader->at;
    for (size_t row = 0; row < particles->count; row++)
        WEIR_RETURN_IF_ERROR(read_row(&npy, data, row, particles));
    return WEIR_OK;
}

/* Warns about ids above 2^24, beyond which float32 does not hold all integers. */
static void warn_large_ids(const io_particle_output *frame)
{
    const uint32_t exact = 1u << 24;
    if (!(frame->columns.fields >> WEIR_FIELD_ID & 1u)) return;
    for (size_t i = 0; i < frame->particles->count; i++) {
        if (frame->particles->id[i] <= exact) continue;
        base_log(
            frame->log, WEIR_LOG_WARNING,
            "%s: ids above %u lose precision in NPY's float32; use PLY, VTK or BGEO to keep them",
            frame->path, exact);
        return;
    }
}

void io_npy_write(const io_particle_output *frame, io_writer *writer)
{
    static const char spaces[ALIGNMENT] =
        "                                                               ";
    char text[128];
    int size =
        snprintf(text, sizeof text, "{'descr': '<f4', 'fortran_order': False, 'shape': (%u, %u), }",
                 frame->particles->count, frame->columns.count);
    /* Bytes of magic, version and length, then the text and its newline. */
    size_t before = 10 + (size_t)size + 1;
    size_t padding = (ALIGNMENT - before % ALIGNMENT) % ALIGNMENT;
    warn_large_ids(frame);
    io_writer_put_bytes(writer, "\x93NUMPY\x01\x00", 8);
    io_writer_put_uint(writer, (size_t)size + padding + 1, 2, false);
    io_writer_put_text(writer, "%s%.*s\n", text, (int)padding, spaces);
    for (size_t i = 0; i < frame->particles->count; i++)
        for (uint32_t c = 0; c < frame->columns.count; c++)
            io_writer_put_u32(writer, io_float_bits(io_column_float(&frame->columns.items[c], i)),
                              false);
}
