/* Reads LAMMPS' text dumps (LAMMPS manual, "dump" and "Howto triclinic"): the first snapshot of a
 * file. Coordinates are x y z, or unwrapped xu yu zu, or in parts of the box: xs ys zs, or
 * unwrapped xsu ysu zsu; the box may be triclinic. */
#include "io_internal.h"

#define COLUMNS 256u

typedef struct lammps {
    io_reader *reader;
    io_particles *particles;
    double edges[3][3]; /* of the box */
    double origin[3];
    bool have_box;
    uint64_t count; /* of the snapshot */
    int64_t step;
    bool other_units; /* than SI: the time is not in seconds */
    uint32_t column_count;
    uint32_t coordinates[3]; /* columns */
    bool scaled;             /* coordinates are parts of the box's edges */
    io_scalar scalars[COLUMNS];
} lammps;

/* ---- the box -------------------------------------------------------------------------------- */

static weir_result read_numbers(io_reader *reader, const char *what, uint32_t count,
                                double *numbers)
{
    for (uint32_t i = 0; i < count; i++) {
        io_number number;
        io_token word = io_read_token_in_line(reader);
        if (!word.size)
            return io_fail(reader, word.at, "%u numbers on this line; %s needs %u", i, what, count);
        WEIR_RETURN_IF_ERROR(io_parse_number(reader, word, what, &number));
        numbers[i] = number.value;
    }
    io_skip_line(reader);
    return WEIR_OK;
}

/* Turns the bounding box of a triclinic box into its own extent; `tilt`: xy, xz, yz. */
static void subtract_tilts(double low[3], double high[3], const double tilt[3])
{
    const double sum = tilt[0] + tilt[1];
    low[0] -= fmin(fmin(0.0, tilt[0]), fmin(tilt[1], sum));
    high[0] -= fmax(fmax(0.0, tilt[0]), fmax(tilt[1], sum));
    low[1] -= fmin(0.0, tilt[2]);
    high[1] -= fmax(0.0, tilt[2]);
}

/* Reads the bounds of an orthogonal box, or of one with tilts: "xlo xhi [xy]" and so on. */
static weir_result read_bounds(lammps *lammps, bool tilted)
{
    double line[3][3] = {{0}}, low[3], high[3];
    for (uint32_t axis = 0; axis < 3; axis++) {
        WEIR_RETURN_IF_ERROR(
            read_numbers(lammps->reader, "a bound of the box", tilted ? 3 : 2, line[axis]));
        low[axis] = line[axis][0];
        high[axis] = line[axis][1];
    }
    const double tilt[3] = {line[0][2], line[1][2], line[2][2]};
    subtract_tilts(low, high, tilt);
    for (uint32_t axis = 0; axis < 3; axis++) {
        lammps->origin[axis] = low[axis];
        lammps->edges[axis][axis] = high[axis] - low[axis];
    }
    lammps->edges[1][0] = tilt[0];
    lammps->edges[2][0] = tilt[1];
    lammps->edges[2][1] = tilt[2];
    return WEIR_OK;
}

/* Reads a box with any edges: each line is an edge and a coordinate of the origin. */
static weir_result read_edges(lammps *lammps)
{
    for (uint32_t axis = 0; axis < 3; axis++) {
        double line[4];
        WEIR_RETURN_IF_ERROR(read_numbers(lammps->reader, "an edge of the box", 4, line));
        memcpy(lammps->edges[axis], line, sizeof lammps->edges[axis]);
        lammps->origin[axis] = line[3];
    }
    return WEIR_OK;
}

static weir_result read_box(lammps *lammps, io_token kind)
{
    io_reader words = {.begin = kind.at, .at = kind.at, .end = kind.at + kind.size};
    io_token first = io_read_token(&words);
    memset(lammps->edges, 0, sizeof lammps->edges);
    lammps->have_box = true;
    return io_token_is(first, "abc") ? read_edges(lammps)
                                     : read_bounds(lammps, io_token_is(first, "xy"));
}

/* ---- columns -------------------------------------------------------------------------------- */

/* Finds a set of coordinates among the columns. */
static bool find_coordinates(lammps *lammps, const io_token *names, const char *suffix)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < lammps->column_count; i++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            char name[8];
            snprintf(name, sizeof name, "%c%s", "xyz"[axis], suffix);
            if (!io_token_is(names[i], name)) continue;
            lammps->coordinates[axis] = i;
            found |= 1u << axis;
        }
    }
    return found == 7u;
}

static weir_result read_columns(lammps *lammps, io_token line)
{
    static const char *const suffixes[] = {"", "u", "s", "su"};
    io_reader words = {.begin = line.at, .at = line.at, .end = line.at + line.size};
    io_token names[COLUMNS];
    for (io_token word = io_read_token(&words); word.size; word = io_read_token(&words)) {
        if (lammps->column_count == COLUMNS)
            return io_fail(lammps->reader, word.at, "more than %u columns", COLUMNS);
        names[lammps->column_count++] = word;
    }
    size_t set = 0;
    while (set < BASE_COUNT(suffixes) && !find_coordinates(lammps, names, suffixes[set]))
        set++;
    if (set == BASE_COUNT(suffixes))
        return io_fail(
            lammps->reader, line.at,
            "the columns are \"%.*s\"; expected x y z, xu yu zu, xs ys zs or xsu ysu zsu "
            "among them: dump them with \"dump custom id x y z vx vy vz\"",
            IO_TOKEN_ARGUMENTS(line));
    lammps->scaled = set >= 2;
    if (lammps->scaled && !lammps->have_box)
        return io_fail(lammps->reader, line.at,
                       "the coordinates are parts of the box, but \"ITEM: BOX BOUNDS\" is missing");
    uint32_t scalars =
        io_scalars_of_columns(lammps->reader, names, lammps->column_count, lammps->scalars) | 7u;
    for (uint32_t i = 0; i < lammps->column_count; i++) /* coordinates are set apart */
        if (lammps->scalars[i] <= IO_SCALAR_Z) lammps->scalars[i] = IO_SCALAR_NONE;
    WEIR_RETURN_IF_ERROR(io_check_count(lammps->reader, lammps->count,
                                        2 * (uint64_t)lammps->column_count, "particles"));
    return io_particles_allocate(lammps->reader, lammps->count, scalars, lammps->particles);
}

/* ---- particles ------------------------------------------------------------------------------ */

static weir_result set_position(const lammps *lammps, size_t row, const io_number *place)
{
    for (uint32_t axis = 0; axis < 3; axis++) {
        io_number number = place[axis];
        if (lammps->scaled) {
            number.value = lammps->origin[axis];
            for (uint32_t edge = 0; edge < 3; edge++)
                number.value += place[edge].value * lammps->edges[edge][axis];
        }
        io_table_cell cell = {row, IO_SCALAR_X + axis};
        WEIR_RETURN_IF_ERROR(
            io_particles_set_value(lammps->reader, lammps->particles, cell, number));
    }
    return WEIR_OK;
}

static weir_result read_row(const lammps *lammps, size_t row)
{
    io_reader *reader = lammps->reader;
    io_number place[3] = {{0}};
    for (uint32_t i = 0; i < lammps->column_count; i++) {
        io_token word = io_read_token_in_line(reader);
        io_table_cell cell = {row, lammps->scalars[i]};
        io_number number = {0};
        uint32_t axis = 0;
        if (!word.size)
            return io_fail(reader, word.at, "%u columns; the line \"ITEM: ATOMS\" names %u", i,
                           lammps->column_count);
        while (axis < 3 && lammps->coordinates[axis] != i)
            axis++;
        if (axis == 3 && cell.scalar == IO_SCALAR_NONE) continue;
        const char *what = axis < 3 ? "a coordinate" : io_scalar_get_info(cell.scalar)->name;
        WEIR_RETURN_IF_ERROR(io_parse_number(reader, word, what, &number));
        if (axis < 3)
            place[axis] = number;
        else
            WEIR_RETURN_IF_ERROR(io_particles_set_value(reader, lammps->particles, cell, number));
    }
    io_skip_blanks(reader);
    if (!io_at_line_end(reader))
        return io_fail(reader, reader->at, "more columns than the %u that \"ITEM: ATOMS\" names",
                       lammps->column_count);
    io_skip_line(reader);
    return set_position(lammps, row, place);
}

static weir_result read_rows(lammps *lammps, io_token line)
{
    io_reader *reader = lammps->reader;
    WEIR_RETURN_IF_ERROR(read_columns(lammps, line));
    for (size_t row = 0; row < lammps->particles->count; row++) {
        if (reader->at == reader->end || io_starts_with(reader, "ITEM:"))
            return io_fail(reader, reader->at,
                           "\"ITEM: NUMBER OF ATOMS\" says %u, but %zu follow; the file is cut off",
                           lammps->particles->count, row);
        WEIR_RETURN_IF_ERROR(read_row(lammps, row));
    }
    io_skip_space(reader);
    if (io_starts_with(reader, "ITEM:"))
        base_log(reader->log, WEIR_LOG_WARNING,
                 "%s: more than one snapshot; only the first, of timestep %lld, is read: write a "
                 "file for each with \"dump ... file.*.lammpstrj\"",
                 reader->path, (long long)lammps->step);
    else if (reader->at < reader->end)
        return io_fail(reader, reader->at,
                       "more particles than the %u of \"ITEM: NUMBER OF ATOMS\"",
                       lammps->particles->count);
    return WEIR_OK;
}

/* ---- items ---------------------------------------------------------------------------------- */

static weir_result read_time(lammps *lammps)
{
    double time_s;
    WEIR_RETURN_IF_ERROR(read_numbers(lammps->reader, "the time", 1, &time_s));
    if (isfinite(time_s) && !lammps->other_units) lammps->particles->time_s = time_s;
    return WEIR_OK;
}

static weir_result read_step(lammps *lammps)
{
    io_token word = io_read_token(lammps->reader);
    if (!io_token_int64(word, &lammps->step))
        return io_fail(lammps->reader, word.at, "the timestep is \"%.*s\"; expected a whole number",
                       IO_TOKEN_ARGUMENTS(word));
    io_skip_line(lammps->reader);
    return WEIR_OK;
}

static weir_result read_count(lammps *lammps)
{
    WEIR_RETURN_IF_ERROR(
        io_read_count(lammps->reader, "the number of atoms", UINT32_MAX, &lammps->count));
    io_skip_line(lammps->reader);
    return WEIR_OK;
}

/* Returns whether the line begins with the words and, if so, moves it past them. */
static bool skip_words(io_token *line, const char *words)
{
    const size_t size = strlen(words);
    if (line->size < size || memcmp(line->at, words, size) != 0) return false;
    line->at += size;
    line->size -= size;
    return true;
}

static weir_result read_item(lammps *lammps, bool *done)
{
    io_reader *reader = lammps->reader;
    const uint8_t *at = reader->at;
    io_token line = io_read_line(reader);
    if (line.size == 0) return WEIR_OK;
    if (!skip_words(&line, "ITEM: "))
        return io_fail(reader, at, "\"%.*s\" where a line \"ITEM: ...\" should be",
                       IO_TOKEN_ARGUMENTS(line));
    if (skip_words(&line, "TIMESTEP")) return read_step(lammps);
    if (skip_words(&line, "TIME")) return read_time(lammps);
    if (skip_words(&line, "NUMBER OF ATOMS")) return read_count(lammps);
    if (skip_words(&line, "BOX BOUNDS")) return read_box(lammps, line);
    if (skip_words(&line, "UNITS")) {
        lammps->other_units = !io_token_is(io_read_token(reader), "si");
        io_skip_line(reader);
        return WEIR_OK;
    }
    if (!skip_words(&line, "ATOMS"))
        return io_fail(
            reader, at,
            "\"ITEM: %.*s\"; expected TIMESTEP, TIME, UNITS, NUMBER OF ATOMS, BOX BOUNDS "
            "or ATOMS: of the kinds of dumps, those of atoms are read",
            IO_TOKEN_ARGUMENTS(line));
    *done = true;
    return read_rows(lammps, line);
}

weir_result io_lammps_read(io_reader *reader, io_particles *particles)
{
    lammps lammps = {.reader = reader, .particles = particles};
    bool done = false;
    while (!done && reader->at < reader->end)
        WEIR_RETURN_IF_ERROR(read_item(&lammps, &done));
    return done ? WEIR_OK
                : io_fail(reader, reader->end,
                          "the file ends without \"ITEM: ATOMS\"; it is cut off");
}
