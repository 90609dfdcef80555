/* Reads and writes XYZ: one particle per line. Separators are spaces, tabs, commas or
 * semicolons; where the first line with a number has semicolons or tabs, a comma in a number is a
 * decimal comma. Lines that start with '#', '%' or "//" are comments. A first line of names, in a
 * comment or not, defines the columns; without it there are 3 (x y z) or 6 (and vx vy vz). The file
 * may start with a count, as in the XYZ of chemistry, where a remark follows it and each line
 * starts with an element's symbol or number; "Properties=" in the remark, as ASE and OVITO write
 * it, defines the columns. Of several frames the first is read. */
#include "io_internal.h"

#define COLUMNS 64u

enum { FIRST_LINE, AFTER_COUNT, PARTICLES };

typedef struct xyz {
    io_reader *reader;
    io_particles *particles;
    int state;
    io_scalar scalars[COLUMNS];
    uint32_t column_count;      /* 0 until the columns are known */
    uint32_t found_scalars;     /* bits 1 << scalar */
    int64_t declared_particles; /* number of particles at the start of the file; -1: none */
    bool described;             /* the remark after the count names the columns */
    bool commented_names;       /* the columns' names come from a comment that may be prose */
    const uint8_t *claimed_at;
    bool decimal_commas;
    size_t done; /* particles read */
} xyz;

static bool is_separator(const xyz *xyz, uint8_t byte)
{
    return byte == ' ' || byte == '\t' || byte == ';' || (byte == ',' && !xyz->decimal_commas);
}

/* Reads the next word of a line, which is all that the reader holds. */
static io_token next_word(const xyz *xyz, io_reader *line)
{
    const uint8_t *at = line->at, *const end = line->end;
    while (at < end && is_separator(xyz, *at))
        at++;
    io_token word = {at, 0};
    while (at < end && !is_separator(xyz, *at))
        at++;
    word.size = (size_t)(at - word.at);
    line->at = at;
    return word;
}

/* Splits a line into words and returns their number, up to COLUMNS + 1. */
static uint32_t split_words(const xyz *xyz, io_token line, io_token words[COLUMNS])
{
    io_reader reader = {.begin = line.at, .at = line.at, .end = line.at + line.size};
    uint32_t count = 0;
    for (io_token word = next_word(xyz, &reader); word.size; word = next_word(xyz, &reader)) {
        if (count == COLUMNS) return COLUMNS + 1;
        words[count++] = word;
    }
    return count;
}

static void set_unnamed_columns(xyz *xyz, uint32_t count)
{
    xyz->column_count = count;
    for (uint32_t i = 0; i < count; i++)
        xyz->scalars[i] = io_scalar_claim_columns((io_scalar)i, 1, &xyz->found_scalars);
}

/* Reads the names of columns from words that name x, y and z; returns false for other words. */
static bool parse_column_names(xyz *xyz, const io_token *words, uint32_t count)
{
    if (xyz->column_count || count < 3 || count > COLUMNS) return false;
    uint32_t found = io_scalars_of_columns(xyz->reader, words, count, xyz->scalars);
    if ((found & 7u) != 7u) return false;
    xyz->found_scalars = found;
    xyz->column_count = count;
    return true;
}

/* Adds the columns of one property, "name:type:count", of a remark; returns false at the end. */
static bool parse_property(xyz *xyz, io_reader *list)
{
    io_token parts[3];
    int64_t components;
    for (int i = 0; i < 3; i++) {
        parts[i] = (io_token){list->at, 0};
        while (list->at < list->end && !strchr(": \t\"", *list->at))
            list->at++;
        parts[i].size = (size_t)(list->at - parts[i].at);
        if (list->at < list->end && *list->at == ':') list->at++;
    }
    if (!io_token_int64(parts[2], &components) || components < 1 || components > COLUMNS)
        return false;
    io_scalar scalar = io_scalar_of_named_array(xyz->reader, parts[0], components == 3 ? 3 : 1);
    if (components != 1 && components != 3) scalar = IO_SCALAR_NONE;
    scalar = io_scalar_claim_columns(scalar, (uint64_t)components, &xyz->found_scalars);
    for (int64_t i = 0; i < components && xyz->column_count < COLUMNS; i++)
        xyz->scalars[xyz->column_count++] =
            scalar == IO_SCALAR_NONE ? scalar : scalar + (io_scalar)i;
    return true;
}

/* Reads the columns from "Properties=species:S:1:pos:R:3" in a remark (extended XYZ). */
static bool parse_properties(xyz *xyz, io_token line)
{
    static const char mark[] = "Properties=";
    const size_t size = sizeof mark - 1;
    if (xyz->column_count) return false;
    for (size_t i = 0; i + size <= line.size && !xyz->column_count; i++) {
        io_reader list = {.at = line.at + i + size, .end = line.at + line.size};
        io_token word = {line.at + i, size};
        if (!io_token_is(word, mark)) continue;
        if (list.at < list.end && *list.at == '"') list.at++;
        while (parse_property(xyz, &list)) {
        }
    }
    xyz->described = (xyz->found_scalars & 7u) == 7u;
    if (xyz->described) return true;
    xyz->column_count = xyz->found_scalars = 0;
    return false;
}

/* Reads a count of particles; returns false when the line is not one. */
static bool parse_count(xyz *xyz, const io_token *words, uint32_t count)
{
    int64_t number;
    if (count != 1 || !io_token_int64(words[0], &number) || number < 0) return false;
    xyz->declared_particles = number;
    xyz->claimed_at = words[0].at;
    return true;
}

static void parse_comment(xyz *xyz, io_token line)
{
    io_token words[COLUMNS];
    io_particles_parse_comment(xyz->particles, line);
    while (line.size && strchr("#%/", *line.at) && *line.at)
        line.at++, line.size--;
    uint32_t count = split_words(xyz, line, words);
    if (parse_column_names(xyz, words, count)) xyz->commented_names = !io_token_is(words[0], "x");
}

/* Returns an upper bound of the particles: each has a line of at least five bytes, three digits and
 * two separators. */
static uint64_t count_particles(const io_reader *reader)
{
    io_reader lines = *reader;
    uint64_t count = 0;
    while (lines.at < lines.end)
        count += io_read_line(&lines).size >= 5;
    return count;
}

/* Finds out from the line of the first particle whether commas in numbers are decimal: where
 * something else separates them. */
static weir_result find_comma_use(xyz *xyz, io_token line)
{
    const uint8_t *end = line.at + line.size, *inner = NULL;
    bool marks = false, blanks = false;
    while (line.at < end && is_separator(xyz, end[-1]))
        end--;
    while (line.at < end && is_separator(xyz, *line.at))
        line.at++;
    for (const uint8_t *at = line.at; at < end; at++) {
        bool between =
            at > line.at && at + 1 < end && !is_separator(xyz, at[-1]) && !is_separator(xyz, at[1]);
        if (*at == ',' && between && !inner) inner = at;
        marks |= *at == ';' || *at == '\t';
        blanks |= *at == ' ';
    }
    if (!inner || !(marks || blanks)) return WEIR_OK;
    xyz->decimal_commas = marks;
    if (marks) return WEIR_OK;
    return io_fail(xyz->reader, inner,
                   "a comma inside a word of a line with spaces: commas may separate all numbers, "
                   "\"1, 2, 3\", "
                   "or be decimal where semicolons or tabs separate them; write decimal points");
}

/* Returns whether the file's kind has normals or colours after x y z, not velocities. */
static bool has_other_columns(const io_reader *reader)
{
    return io_has_extension(reader, "xyzn") || io_has_extension(reader, "xyzrgb") ||
           io_has_extension(reader, "asc");
}

/* Determines the columns before the first particle and allocates all particles, including that in
 * `line`. */
static weir_result begin_particles(xyz *xyz, io_token line, uint32_t count)
{
    bool prose = xyz->commented_names && xyz->column_count != count;
    if (prose) xyz->column_count = xyz->found_scalars = 0;
    if (!xyz->column_count && count > 3 && has_other_columns(xyz->reader)) {
        base_log(xyz->reader->log, WEIR_LOG_INFO,
                 "%s: the columns after x y z have no names, and are skipped as colours or normals",
                 xyz->reader->path);
        set_unnamed_columns(xyz, 3);
        while (xyz->column_count < count)
            xyz->scalars[xyz->column_count++] = IO_SCALAR_NONE;
    }
    if (!xyz->column_count && (count == 3 || count == 6)) set_unnamed_columns(xyz, count);
    if (!xyz->column_count)
        return io_fail(xyz->reader, line.at,
                       "%u columns; expected 3 (x y z) or 6 (x y z vx vy vz), or a first line that "
                       "names them, such as \"# x y z id\"",
                       count);
    io_reader rest = *xyz->reader;
    rest.at = line.at;
    return io_particles_allocate(xyz->reader, count_particles(&rest), xyz->found_scalars,
                                 xyz->particles);
}

static weir_result read_particle(xyz *xyz, io_token line, const io_token *words, uint32_t count)
{
    if (xyz->done == 0) WEIR_RETURN_IF_ERROR(begin_particles(xyz, line, count));
    if (count != xyz->column_count)
        return io_fail(xyz->reader, line.at, "%u columns; %u are expected", count,
                       xyz->column_count);
    for (uint32_t i = 0; i < count; i++) {
        io_number number;
        io_table_cell cell = {xyz->done, xyz->scalars[i]};
        if (cell.scalar == IO_SCALAR_NONE) continue;
        if (xyz->decimal_commas && io_token_decimal_comma(words[i], &number.value))
            number.at = words[i].at;
        else
            WEIR_RETURN_IF_ERROR(io_parse_number(xyz->reader, words[i],
                                                 io_scalar_get_info(cell.scalar)->name, &number));
        WEIR_RETURN_IF_ERROR(io_particles_set_value(xyz->reader, xyz->particles, cell, number));
    }
    xyz->done++;
    return WEIR_OK;
}

/* Returns the number of words before the coordinates: in a file with a count, lines may start with
 * a symbol, or with its number. */
static uint32_t count_symbol_words(const xyz *xyz, const io_token *words, uint32_t count)
{
    double value;
    if (xyz->declared_particles < 0 || xyz->described || xyz->column_count == count) return 0;
    return count == 4 || (count > 3 && !io_token_double(words[0], &value));
}

static bool starts_with_numbers(const io_token *words, uint32_t count)
{
    double value;
    for (uint32_t i = 0; i < 3; i++)
        if (i >= count || !io_token_number(words[i], &value)) return false;
    return true;
}

static bool is_comment(io_token word)
{
    return *word.at == '#' || *word.at == '%' || (word.size >= 2 && memcmp(word.at, "//", 2) == 0);
}

/* Returns whether another frame begins, with its count. */
static bool is_next_frame(const xyz *xyz, io_token line)
{
    int64_t number;
    if (xyz->declared_particles <= 0 || xyz->done != (uint64_t)xyz->declared_particles)
        return false;
    io_reader words = {.begin = line.at, .at = line.at, .end = line.at + line.size};
    io_token count = io_read_token_in_line(&words);
    return io_token_int64(count, &number) && !io_read_token_in_line(&words).size;
}

/* Reads a line before the first particle that is not one: the names of columns, a count, or the
 * remark after it. Returns false for a particle. */
static bool read_head(xyz *xyz, io_token line, const io_token *words, uint32_t count)
{
    const uint32_t symbol = count_symbol_words(xyz, words, count);
    const int state = xyz->state;
    xyz->state = PARTICLES;
    if (state == FIRST_LINE && parse_column_names(xyz, words, count)) return true;
    if (state == FIRST_LINE && parse_count(xyz, words, count)) {
        xyz->state = AFTER_COUNT;
        return true;
    }
    return state == AFTER_COUNT && (parse_properties(xyz, line) || count > COLUMNS ||
                                    !starts_with_numbers(words + symbol, count - symbol));
}

static weir_result read_line(xyz *xyz, io_token line)
{
    io_token words[COLUMNS];
    uint32_t count = split_words(xyz, line, words);
    if (count == 0) {
        if (xyz->state == AFTER_COUNT) xyz->state = PARTICLES;
        return WEIR_OK;
    }
    if (is_comment(words[0])) {
        if (xyz->state == AFTER_COUNT && parse_properties(xyz, line)) xyz->state = PARTICLES;
        parse_comment(xyz, line);
        return WEIR_OK;
    }
    if (xyz->done == 0 && read_head(xyz, line, words, count)) return WEIR_OK;
    if (count > COLUMNS) return io_fail(xyz->reader, line.at, "more than %u columns", COLUMNS);
    if (xyz->done == 0) {
        WEIR_RETURN_IF_ERROR(find_comma_use(xyz, line));
        count = split_words(xyz, line, words);
    }
    const uint32_t symbol = count_symbol_words(xyz, words, count);
    return read_particle(xyz, line, words + symbol, count - symbol);
}

weir_result io_xyz_read(io_reader *reader, io_particles *particles)
{
    xyz xyz = {.reader = reader, .particles = particles, .declared_particles = -1};
    while (reader->at < reader->end) {
        io_token line = io_read_line(reader);
        if (is_next_frame(&xyz, line)) {
            base_log(reader->log, WEIR_LOG_WARNING,
                     "%s: more than one frame; only the first, of %zu particles, is read: write a "
                     "file for each",
                     reader->path, xyz.done);
            break;
        }
        WEIR_RETURN_IF_ERROR(read_line(&xyz, line));
    }
    if (xyz.declared_particles >= 0 && (uint64_t)xyz.declared_particles != xyz.done)
        return io_fail(reader, xyz.claimed_at, "the count says %lld, but %zu particles follow",
                       (long long)xyz.declared_particles, xyz.done);
    if (xyz.done == 0 && xyz.declared_particles != 0 && !xyz.column_count)
        return io_fail(reader, reader->begin, "no particles and no line that names columns");
    if (xyz.done == 0) return io_particles_allocate(reader, 0, xyz.found_scalars | 7u, particles);
    particles->count = (uint32_t)xyz.done;
    return WEIR_OK;
}

void io_xyz_write(const io_particle_output *frame, io_writer *writer)
{
    char text[32];
    io_print_decimal(text, frame->particles->time_s);
    io_writer_put_text(writer, "# time_s=%s", text);
    base_print_float(text, frame->radius_m);
    if (frame->radius_m > 0) io_writer_put_text(writer, " radius_m=%s", text);
    io_writer_put_text(writer, "\n#");
    double origin[IO_SCALAR_COUNT];
    for (uint32_t c = 0; c < frame->columns.count; c++) {
        origin[c] = io_column_origin(frame->particles, &frame->columns.items[c]);
        io_writer_put_text(writer, " %s", frame->columns.items[c].name);
    }
    for (size_t i = 0; i < frame->particles->count; i++) {
        for (uint32_t c = 0; c < frame->columns.count; c++) {
            const io_column *column = &frame->columns.items[c];
            if (column->whole)
                snprintf(text, sizeof text, "%u", io_column_bits(column, i));
            else if (origin[c] != 0.0)
                io_print_decimal(text, origin[c] + (double)io_column_float(column, i));
            else
                base_print_float(text, io_column_float(column, i));
            io_writer_put_bytes(writer, c ? " " : "\n", 1);
            io_writer_put_bytes(writer, text, strlen(text));
        }
    }
    io_writer_put_bytes(writer, "\n", 1);
}
