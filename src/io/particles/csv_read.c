/* Reads CSV with a header, as DualSPHysics, ParaView and spreadsheets write it. The header is the
 * first line that names x, y and z; it determines the columns and the separator (semicolons, commas
 * or tabs). Lines before it and unknown columns are skipped. Cells may be quoted, and each line may
 * end with a separator. Between semicolons or tabs, numbers
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

/* ---- header --------------------------------------------------------------------------------- */

/* Returns the name of a column without its unit: "Idp [-]" becomes "Idp". */
static io_token strip_unit(io_token name)
{
    for (size_t i = 0; i < name.size; i++)
        if (name.at[i] == '[' || name.at[i] == '(') return trim_cell((io_token){name.at, i});
    return name;
}

/* Returns the column of DualSPHysics' Type. Other programs number their own kinds in a column of
 * this name. */
static uint32_t find_type_column(const io_token *names, uint32_t count)
{
    static const char *const own_names[] = {"pos.x", "idp", "rhop"};
    uint32_t column = COLUMNS;
    bool is_dualsphysics = false;
    for (uint32_t i = 0; i < count; i++) {
        io_token name = strip_unit(names[i]);
        if (io_token_is(name, "type")) column = i;
        is_dualsphysics |= io_token_is_any(name, own_names, BASE_COUNT(own_names));
    }
    return is_dualsphysics ? column : COLUMNS;
}

/* Reads the columns from a line that names x, y and z; returns false for other lines. */
static bool parse_header(csv *csv, io_token line, uint8_t separator)
{
    io_token cells[COLUMNS];
    uint32_t count = split_cells(line, separator, cells);
    if (count < 3 || count > COLUMNS) return false;
    uint32_t found = io_scalars_of_columns(csv->reader, cells, count, csv->scalars);
    if ((found & 7u) != 7u) return false;
    csv->type_column = find_type_column(cells, count);
    csv->separator = separator;
    csv->column_count = count;
    csv->found_scalars = found;
    return true;
}

/* The header may stand in a comment: "# x,y,z" or "//X,Y,Z". */
static bool find_header(csv *csv, io_token line)
{
    static const uint8_t separators[] = {';', ',', '\t'};
    if (line.size > LINE_MAX_BYTES) return false;
    while (line.size && *line.at && strchr("#%/", *line.at))
        line.at++, line.size--;
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
    bool remark = line.size && (line.at[0] == '#' || line.at[0] == '%');
    if (remark) io_particles_parse_comment(csv->particles, line);
    if (csv->separator) return remark ? WEIR_OK : read_row(csv, line);
    if (!find_header(csv, line)) return WEIR_OK;
    return io_particles_allocate(csv->reader, count_lines(csv->reader), csv->found_scalars,
                                 csv->particles);
}

/* Returns whether a file that is named as a table begins with a line of words between separators,
 * which should then be its header. */
static bool begins_with_words(const io_reader *reader)
{
    io_reader first = *reader, lines = *reader;
    double number;
    const io_token line = io_read_line(&lines);
    bool separated = memchr(line.at, ',', line.size) || memchr(line.at, ';', line.size) ||
                     memchr(line.at, '\t', line.size);
    if (!separated) return false;
    if (!io_has_extension(reader, "csv") && !io_has_extension(reader, "tsv")) return false;
    io_skip_space(&first);
    while (first.at < first.end && strchr("#/;,\" \t", *first.at))
        first.at++;
    io_token word = {first.at, 0};
    while (first.at < first.end && !io_at_line_end(&first) && !strchr(";,\" \t", *first.at))
        first.at++;
    word.size = (size_t)(first.at - word.at);
    return word.size && !io_token_double(word, &number);
}

bool io_is_csv(const io_reader *reader)
{
    io_reader lines = *reader;
    csv csv = {.reader = &lines};
    if (io_has_extension(reader, "xyz") || io_is_binary(reader) || io_is_other_format(reader))
        return false;
    for (uint32_t i = 0; i < HEAD_LINES && lines.at < lines.end; i++)
        if (find_header(&csv, io_read_line(&lines))) return true;
    return begins_with_words(reader);
}

static weir_result fail_header(const csv *csv)
{
    io_reader first = *csv->reader;
    first.at = first.begin;
    const io_token line = io_read_line(&first);
    return io_fail(
        csv->reader, line.at,
        "no header among the first %u lines names x, y and z; the first line is \"%.*s\": "
        "expected names such as x,y,z, pos_x,pos_y,pos_z or Points:0,Points:1,Points:2",
        HEAD_LINES, IO_TOKEN_ARGUMENTS(line));
}

weir_result io_csv_read(io_reader *reader, io_particles *particles)
{
    csv csv = {.reader = reader, .particles = particles};
    while (reader->at < reader->end)
        WEIR_RETURN_IF_ERROR(read_line(&csv, io_read_line(reader)));
    if (!csv.separator) return fail_header(&csv);
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
