/* Reads CSV with a header, as DualSPHysics, ParaView and spreadsheets write it. The header is the
 * first line that names x, y and z; it determines the columns and the separator (semicolons, commas
 * or tabs). Lines before it and unknown columns are skipped. Names may have a unit in [] or (),
 * cells may be quoted, and each line may end with a separator. Between semicolons or tabs, numbers
 * may have a decimal comma. In files of DualSPHysics only the particles of fluid are kept. */
#include "io_internal.h"

#define COLUMNS 256u
#define LINE_MAX_BYTES 65536u
#define HEAD_LINES 100u /* first lines, which must contain the header */
#define FLUID_TYPE 3.0  /* DualSPHysics: fixed 0, moving 1, floating 2, fluid 3 */

typedef struct csv {
    io_reader *reader;
    io_particles *particles;
    uint8_t separator; /* 0 until the header has been read */
    uint32_t column_count, found_scalars;
    io_scalar scalars[COLUMNS];
    uint32_t type_column; /* of DualSPHysics; COLUMNS: none */
    size_t particles_read, rows_skipped;
} csv;

static const struct {
    const char *name;
    io_scalar scalar;
} names[] = {
    {"pos.x", IO_SCALAR_X},       {"pos.y", IO_SCALAR_Y},       {"pos.z", IO_SCALAR_Z},
    {"position.x", IO_SCALAR_X},  {"position.y", IO_SCALAR_Y},  {"position.z", IO_SCALAR_Z},
    {"points:0", IO_SCALAR_X},    {"points:1", IO_SCALAR_Y},    {"points:2", IO_SCALAR_Z},
    {"vel.x", IO_SCALAR_VX},      {"vel.y", IO_SCALAR_VY},      {"vel.z", IO_SCALAR_VZ},
    {"velocity.x", IO_SCALAR_VX}, {"velocity.y", IO_SCALAR_VY}, {"velocity.z", IO_SCALAR_VZ},
    {"velocity:0", IO_SCALAR_VX}, {"velocity:1", IO_SCALAR_VY}, {"velocity:2", IO_SCALAR_VZ},
};

static io_scalar scalar_of(const csv *csv, io_token name)
{
    for (size_t i = 0; i < BASE_COUNT(names); i++)
        if (io_token_is(name, names[i].name)) return names[i].scalar;
    return io_scalar_of_column(csv->reader, name);
}

/* ---- cells ---------------------------------------------------------------------------------- */

static bool is_blank(uint8_t byte)
{
    return byte == ' ' || byte == '\t';
}

static io_token trim_cell(io_token cell)
{
    while (cell.size && is_blank(cell.at[0]))
        cell.at++, cell.size--;
    while (cell.size && is_blank(cell.at[cell.size - 1]))
        cell.size--;
    if (cell.size < 2 || cell.at[0] != '"' || cell.at[cell.size - 1] != '"') return cell;
    return (io_token){cell.at + 1, cell.size - 2};
}

/* Splits a line into cells and returns their number, up to COLUMNS + 1; an empty cell after the
 * last separator does not count. */
static uint32_t split_cells(io_token line, uint8_t separator, io_token cells[COLUMNS])
{
    uint32_t count = 0;
    const uint8_t *end = line.at + line.size, *begin = line.at;
    bool quoted = false;
    for (const uint8_t *at = line.at; at <= end; at++) {
        if (at < end && *at == '"') quoted = !quoted;
        if (at < end && (quoted || *at != separator)) continue;
        io_token cell = trim_cell((io_token){begin, (size_t)(at - begin)});
        begin = at + 1;
        if (at == end && cell.size == 0) break;
        if (count == COLUMNS) return COLUMNS + 1;
        cells[count++] = cell;
    }
    return count;
}

/* Removes the unit: "Pos.x [m]" becomes "Pos.x". */
static io_token strip_unit(io_token name)
{
    for (size_t i = 0; i < name.size; i++) {
        if (name.at[i] != '[' && name.at[i] != '(') continue;
        return trim_cell((io_token){name.at, i});
    }
    return name;
}

/* ---- header --------------------------------------------------------------------------------- */

/* Reads the columns from a line that names x, y and z; returns false for other lines. */
static bool parse_header(csv *csv, io_token line, uint8_t separator)
{
    io_token cells[COLUMNS];
    uint32_t count = split_cells(line, separator, cells), found_scalars = 0;
    static const char *const own_names[] = {"pos.x", "idp", "rhop"};
    bool is_dualsphysics = false;
    if (count < 3 || count > COLUMNS) return false;
    csv->type_column = COLUMNS;
    for (uint32_t i = 0; i < count; i++) {
        io_token name = strip_unit(cells[i]);
        csv->scalars[i] = io_scalar_claim_columns(scalar_of(csv, name), 1, &found_scalars);
        if (io_token_is(name, "type")) csv->type_column = i;
        is_dualsphysics |= io_token_is_any(name, own_names, BASE_COUNT(own_names));
    }
    if ((found_scalars & 7u) != 7u) return false;
    /* other programs number their own kinds in a column of this name */
    if (!is_dualsphysics) csv->type_column = COLUMNS;
    csv->separator = separator;
    csv->column_count = count;
    csv->found_scalars = found_scalars;
    return true;
}

static bool find_header(csv *csv, io_token line)
{
    if (line.size > LINE_MAX_BYTES || (line.size && line.at[0] == '#')) return false;
    static const uint8_t separators[] = {';', ',', '\t'};
    for (size_t i = 0; i < BASE_COUNT(separators); i++)
        if (parse_header(csv, line, separators[i])) return true;
    return false;
}

/* ---- particles ------------------------------------------------------------------------------ */

static uint64_t count_lines(const io_reader *reader)
{
    io_reader lines = *reader;
    uint64_t count = 0;
    while (lines.at < lines.end)
        count += io_read_line(&lines).size >= 2; /* separators: cells may be empty */
    return count;
}

static weir_result read_cell(csv *csv, io_token cell, io_scalar scalar)
{
    io_number number;
    const char *what = io_scalar_get_info(scalar)->name;
    number.at = cell.at;
    if (cell.size == 0)
        number.value = (double)NAN; /* as pandas writes it */
    else if (!io_token_decimal_comma(cell, &number.value))
        WEIR_RETURN_IF_ERROR(io_parse_number(csv->reader, cell, what, &number));
    return io_particles_set_value(csv->reader, csv->particles,
                                  (io_table_cell){csv->particles_read, scalar}, number);
}

/* Returns whether a row is fluid; boundaries are particles, too. */
static bool is_fluid(const csv *csv, const io_token *cells)
{
    double type;
    if (csv->type_column == COLUMNS) return true;
    return !io_token_double(cells[csv->type_column], &type) || type == FLUID_TYPE;
}

static weir_result read_row(csv *csv, io_token line)
{
    io_token cells[COLUMNS];
    uint32_t count = split_cells(line, csv->separator, cells);
    if (count == 0) return WEIR_OK;
    if (count != csv->column_count)
        return io_fail(csv->reader, line.at, "%u cells, but the header names %u columns", count,
                       csv->column_count);
    if (!is_fluid(csv, cells)) {
        csv->rows_skipped++;
        return WEIR_OK;
    }
    for (uint32_t i = 0; i < count; i++)
        if (csv->scalars[i] != IO_SCALAR_NONE)
            WEIR_RETURN_IF_ERROR(read_cell(csv, cells[i], csv->scalars[i]));
    csv->particles_read++;
    return WEIR_OK;
}

static weir_result read_line(csv *csv, io_token line)
{
    if (line.size > LINE_MAX_BYTES)
        return io_fail(csv->reader, line.at, "a line of %zu bytes; at most %u are read", line.size,
                       LINE_MAX_BYTES);
    if (line.size && line.at[0] == '#') {
        io_particles_parse_comment(csv->particles, line);
        return WEIR_OK;
    }
    if (csv->separator) return read_row(csv, line);
    if (!find_header(csv, line)) return WEIR_OK;
    return io_particles_allocate(csv->reader, count_lines(csv->reader), csv->found_scalars,
                                 csv->particles);
}

bool io_is_csv(const io_reader *reader)
{
    io_reader lines = *reader;
    csv csv = {.reader = &lines};
    if (!io_has_extension(reader, "csv")) return false;
    for (uint32_t i = 0; i < HEAD_LINES && lines.at < lines.end; i++)
        if (find_header(&csv, io_read_line(&lines))) return true;
    return false;
}

weir_result io_csv_read(io_reader *reader, io_particles *particles)
{
    csv csv = {.reader = reader, .particles = particles};
    while (reader->at < reader->end)
        WEIR_RETURN_IF_ERROR(read_line(&csv, io_read_line(reader)));
    if (csv.rows_skipped)
        base_log(reader->log, WEIR_LOG_INFO, "%s: skipped %zu particles whose Type is not fluid",
                 reader->path, csv.rows_skipped);
    particles->count = (uint32_t)csv.particles_read;
    if (csv.rows_skipped && csv.particles_read == 0)
        return base_fail(
            reader->log, WEIR_ERROR_IO,
            "%s: no fluid: the Type of none of its %zu particles is %g, as DualSPHysics numbers "
            "fluid; export the fluid, or remove the column",
            reader->path, csv.rows_skipped, FLUID_TYPE);
    return WEIR_OK;
}
