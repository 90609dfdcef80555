/* Reads legacy VTK files (VTK file formats, "Simple Legacy Formats"), versions 1 to 5.1: the points
 * of POLYDATA and UNSTRUCTURED_GRID with the point data that particles have; for meshes the points
 * and the polygons, from polydata or cells. All other data is skipped. */
#include "io_internal.h"

#define ARRAYS 16u /* maximum number of particle arrays in one file */

typedef enum layout { PLAIN, BITS, STRINGS } layout;

/* Values of one type in the file, with `components` values per tuple. */
typedef struct array {
    const uint8_t *at;
    io_type type;
    layout layout;
    io_scalar scalar;
    uint64_t components;
} array;

/* Polygons, or the cells of a grid with a type for each. */
typedef struct cell_arrays {
    uint64_t count;
    bool known;
    array corners; /* before version 5: each cell's number of corners precedes its corners */
    array offsets; /* since version 5 */
    array types;   /* .at NULL: all are polygons */
} cell_arrays;

typedef struct vtk {
    io_reader *reader;
    io_particles *particles;
    bool binary;
    bool offsets; /* version 5: cells are two arrays */
    bool have_points;
    uint64_t point_count;
    uint64_t tuple_count; /* of the section to which attributes belong */
    bool in_points;       /* attributes belong to the points */
    array arrays[ARRAYS]; /* the first one is the points */
    uint32_t array_count;
    cell_arrays cell_arrays, strips;
} vtk;

/* ---- arrays --------------------------------------------------------------------------------- */

static bool parse_type(io_token word, array *array)
{
    static const struct {
        const char *name;
        io_type type;
        layout layout;
    } names[] = {
        {"float", IO_F32, PLAIN},
        {"double", IO_F64, PLAIN},
        {"int", IO_I32, PLAIN},
        {"unsigned_int", IO_U32, PLAIN},
        {"char", IO_I8, PLAIN},
        {"signed_char", IO_I8, PLAIN},
        {"unsigned_char", IO_U8, PLAIN},
        {"short", IO_I16, PLAIN},
        {"unsigned_short", IO_U16, PLAIN},
        {"long", IO_I64, PLAIN},
        {"unsigned_long", IO_U64, PLAIN},
        {"vtkIdType", IO_I32, PLAIN},
        {"vtktypeint64", IO_I64, PLAIN},
        {"vtktypeuint64", IO_U64, PLAIN},
        {"bit", IO_U8, BITS},
        {"string", IO_U8, STRINGS},
        {"utf8_string", IO_U8, STRINGS},
    };
    for (size_t i = 0; i < BASE_COUNT(names); i++) {
        if (!io_token_is(word, names[i].name)) continue;
        array->type = names[i].type;
        array->layout = names[i].layout;
        return true;
    }
    return false;
}

static weir_result read_type(io_reader *reader, array *array)
{
    io_token word = io_read_token_in_line(reader);
    if (parse_type(word, array)) return WEIR_OK;
    return io_fail(reader, word.at,
                   "\"%.*s\" is not a VTK type; expected float, double, int, unsigned_int, ...",
                   IO_TOKEN_ARGUMENTS(word));
}

static weir_result skip_words(io_reader *reader, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        io_token word = io_read_token(reader);
        if (!word.size)
            return io_fail(reader, word.at, "the file ends inside an array; it is cut off");
    }
    return WEIR_OK;
}

/* Skips binary strings. Each follows its length, the size of which is in the first byte's top two
 * bits. */
static weir_result skip_binary_strings(io_reader *reader, uint64_t count)
{
    static const size_t sizes[] = {8, 4, 2, 1};
    for (uint64_t i = 0; i < count; i++) {
        size_t size = reader->at < reader->end ? sizes[*reader->at >> 6] : 1;
        WEIR_RETURN_IF_ERROR(io_check_count(reader, size, 1, "bytes of a string's length"));
        uint64_t length = 0;
        for (size_t k = 0; k < size; k++)
            length = length << 8 | (k ? reader->at[k] : reader->at[k] & 0x3fu);
        reader->at += size;
        WEIR_RETURN_IF_ERROR(io_check_count(reader, length, 1, "bytes of a string"));
        reader->at += (size_t)length;
    }
    return WEIR_OK;
}

static weir_result skip_strings(vtk *vtk, uint64_t count)
{
    WEIR_RETURN_IF_ERROR(io_check_count(vtk->reader, count, 1, "strings"));
    if (vtk->binary) return skip_binary_strings(vtk->reader, count);
    for (uint64_t i = 0; i < count; i++)
        io_skip_line(vtk->reader);
    return WEIR_OK;
}

/* Skips `count` numbers. */
static weir_result skip_numbers(vtk *vtk, uint64_t count, io_type type)
{
    io_reader *reader = vtk->reader;
    WEIR_RETURN_IF_ERROR(io_check_count(reader, count, io_number_size(reader, type), "numbers"));
    if (!vtk->binary) return skip_words(reader, count);
    reader->at += (size_t)count * io_type_size(type);
    return WEIR_OK;
}

/* Skips the line's end and the numbers of an array, and records the array if particles have it. */
static weir_result begin_array(vtk *vtk, uint64_t tuples, array *array)
{
    io_skip_line(vtk->reader);
    array->at = vtk->reader->at;
    bool known = array->scalar != IO_SCALAR_NONE && array->layout == PLAIN;
    if (known && vtk->array_count < ARRAYS) vtk->arrays[vtk->array_count++] = *array;
    if (tuples > INT64_MAX / array->components)
        return io_fail(vtk->reader, array->at, "%llu tuples cannot be in any file",
                       (unsigned long long)tuples);
    uint64_t count = tuples * array->components;
    if (array->layout == STRINGS) return skip_strings(vtk, count);
    if (array->layout == BITS && vtk->binary) count = count / 8 + (count % 8 != 0);
    return skip_numbers(vtk, count, array->type);
}

static const uint8_t *skip_to_word(io_reader *reader)
{
    io_skip_blanks(reader);
    return reader->at;
}

static weir_result read_components(vtk *vtk, uint64_t limit, array *array)
{
    const uint8_t *at = skip_to_word(vtk->reader);
    WEIR_RETURN_IF_ERROR(
        io_read_count(vtk->reader, "the number of components", limit, &array->components));
    if (array->components == 0)
        return io_fail(vtk->reader, at, "an array needs at least 1 component");
    return WEIR_OK;
}

static io_scalar scalar_for(const vtk *vtk, io_token name, const array *array)
{
    return vtk->in_points ? io_scalar_of_array(vtk->reader, name, array->components)
                          : IO_SCALAR_NONE;
}

/* ---- attributes ----------------------------------------------------------------------------- */

/* Reads a section "KEYWORD name type". */
static weir_result read_fixed_components(vtk *vtk, uint64_t components)
{
    array array = {.components = components};
    io_token name = io_read_token_in_line(vtk->reader);
    WEIR_RETURN_IF_ERROR(read_type(vtk->reader, &array));
    array.scalar = scalar_for(vtk, name, &array);
    return begin_array(vtk, vtk->tuple_count, &array);
}

/* Reads "SCALARS name type [components]", then "LOOKUP_TABLE name". */
static weir_result read_scalars(vtk *vtk)
{
    array array = {.components = 1};
    io_reader *reader = vtk->reader;
    io_token name = io_read_token_in_line(reader);
    WEIR_RETURN_IF_ERROR(read_type(reader, &array));
    io_skip_blanks(reader);
    if (!io_at_line_end(reader)) WEIR_RETURN_IF_ERROR(read_components(vtk, 4, &array));
    io_skip_line(reader);
    io_token table = io_read_token(reader);
    if (!io_token_is(table, "LOOKUP_TABLE"))
        return io_fail(reader, table.at, "expected LOOKUP_TABLE and a name after SCALARS");
    array.scalar = scalar_for(vtk, name, &array);
    return begin_array(vtk, vtk->tuple_count, &array);
}

/* Reads "LOOKUP_TABLE name size". */
static weir_result read_lookup_table(vtk *vtk)
{
    uint64_t size;
    array array = {.type = IO_U8, .scalar = IO_SCALAR_NONE, .components = 4};
    io_read_token_in_line(vtk->reader);
    WEIR_RETURN_IF_ERROR(io_read_count(vtk->reader, "the table's size", UINT32_MAX, &size));
    return begin_array(vtk, size, &array);
}

/* Reads "COLOR_SCALARS name components". */
static weir_result read_colors(vtk *vtk)
{
    array array = {.type = IO_U8, .scalar = IO_SCALAR_NONE};
    io_read_token_in_line(vtk->reader);
    WEIR_RETURN_IF_ERROR(read_components(vtk, UINT16_MAX, &array));
    return begin_array(vtk, vtk->tuple_count, &array);
}

/* Reads "TEXTURE_COORDINATES name dimension type". */
static weir_result read_texture_coordinates(vtk *vtk)
{
    array array = {.scalar = IO_SCALAR_NONE};
    io_read_token_in_line(vtk->reader);
    WEIR_RETURN_IF_ERROR(read_components(vtk, 3, &array));
    WEIR_RETURN_IF_ERROR(read_type(vtk->reader, &array));
    return begin_array(vtk, vtk->tuple_count, &array);
}

/* Skips METADATA, which ends at an empty line. */
static weir_result skip_metadata(vtk *vtk)
{
    io_skip_line(vtk->reader);
    while (vtk->reader->at < vtk->reader->end && io_read_line(vtk->reader).size) {
    }
    return WEIR_OK;
}

static weir_result read_time(const vtk *vtk, const array *array)
{
    io_reader probe = *vtk->reader;
    probe.at = array->at;
    io_number time;
    WEIR_RETURN_IF_ERROR(io_read_number(&probe, array->type, "the time", &time));
    if (isfinite(time.value)) vtk->particles->time_s = time.value;
    return WEIR_OK;
}

static weir_result check_tuples(const vtk *vtk, io_token name, uint64_t tuples)
{
    if (tuples == vtk->point_count) return WEIR_OK;
    return io_fail(vtk->reader, name.at, "\"%.*s\" has %llu values for %llu points",
                   IO_TOKEN_ARGUMENTS(name), (unsigned long long)tuples,
                   (unsigned long long)vtk->point_count);
}

/* Reads "name components tuples type". */
static weir_result read_field_array(vtk *vtk)
{
    io_reader *reader = vtk->reader;
    array array = {.scalar = IO_SCALAR_NONE};
    uint64_t tuples = 0;
    io_token name = io_read_token(reader);
    if (io_token_is(name, "METADATA")) {
        skip_metadata(vtk);
        name = io_read_token(reader);
    }
    if (!name.size) return io_fail(reader, name.at, "the file ends inside a field");
    if (io_token_is(name, "NULL_ARRAY")) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(read_components(vtk, UINT16_MAX, &array));
    WEIR_RETURN_IF_ERROR(io_read_count(reader, "the number of tuples", INT64_MAX, &tuples));
    WEIR_RETURN_IF_ERROR(read_type(reader, &array));
    array.scalar = scalar_for(vtk, name, &array);
    if (array.scalar != IO_SCALAR_NONE) WEIR_RETURN_IF_ERROR(check_tuples(vtk, name, tuples));
    WEIR_RETURN_IF_ERROR(begin_array(vtk, tuples, &array));
    bool time =
        tuples >= 1 && array.components == 1 && array.layout == PLAIN && io_token_is_time(name);
    return time ? read_time(vtk, &array) : WEIR_OK;
}

/* Reads "FIELD name arrays". */
static weir_result read_field(vtk *vtk)
{
    uint64_t count;
    io_read_token_in_line(vtk->reader);
    WEIR_RETURN_IF_ERROR(io_read_count(vtk->reader, "the number of arrays", INT64_MAX, &count));
    for (uint64_t i = 0; i < count; i++)
        WEIR_RETURN_IF_ERROR(read_field_array(vtk));
    return WEIR_OK;
}

/* ---- points and cells ----------------------------------------------------------------------- */

static weir_result read_dataset(vtk *vtk)
{
    static const char *const kinds[] = {"POLYDATA", "UNSTRUCTURED_GRID"};
    io_token kind = io_read_token_in_line(vtk->reader);
    if (!io_token_is_any(kind, kinds, BASE_COUNT(kinds)))
        return io_fail(vtk->reader, kind.at,
                       "dataset \"%.*s\"; particles are read from POLYDATA or UNSTRUCTURED_GRID",
                       IO_TOKEN_ARGUMENTS(kind));
    io_skip_line(vtk->reader);
    return WEIR_OK;
}

static weir_result read_points(vtk *vtk)
{
    array array = {.scalar = IO_SCALAR_X, .components = 3};
    const uint8_t *at = skip_to_word(vtk->reader);
    if (vtk->have_points) return io_fail(vtk->reader, at, "POINTS occurs twice");
    vtk->have_points = true;
    WEIR_RETURN_IF_ERROR(
        io_read_count(vtk->reader, "the number of points", UINT32_MAX, &vtk->point_count));
    WEIR_RETURN_IF_ERROR(read_type(vtk->reader, &array));
    if (array.layout != PLAIN) return io_fail(vtk->reader, at, "points must be numbers");
    return begin_array(vtk, vtk->point_count, &array);
}

static weir_result read_cell_part(vtk *vtk, const char *keyword, uint64_t count, array *part)
{
    *part = (array){.scalar = IO_SCALAR_NONE, .components = 1};
    io_token word = io_read_token(vtk->reader);
    if (!io_token_is(word, keyword))
        return io_fail(vtk->reader, word.at, "\"%.*s\" where %s should be",
                       IO_TOKEN_ARGUMENTS(word), keyword);
    WEIR_RETURN_IF_ERROR(read_type(vtk->reader, part));
    if (part->layout != PLAIN) return io_fail(vtk->reader, word.at, "cells must be numbers");
    return begin_array(vtk, count, part);
}

/* Reads "KEYWORD cells size": one array before version 5, two since, of which the first has one
 * element more than there are cells. */
static weir_result read_cell_arrays(vtk *vtk, cell_arrays *cell_arrays)
{
    uint64_t size;
    cell_arrays->corners = (array){.type = IO_I32, .scalar = IO_SCALAR_NONE, .components = 1};
    WEIR_RETURN_IF_ERROR(
        io_read_count(vtk->reader, "the number of cells", INT64_MAX, &cell_arrays->count));
    WEIR_RETURN_IF_ERROR(io_read_count(vtk->reader, "the size of the cells", INT64_MAX, &size));
    cell_arrays->known = true;
    if (!vtk->offsets) return begin_array(vtk, size, &cell_arrays->corners);
    WEIR_RETURN_IF_ERROR(read_cell_part(vtk, "OFFSETS", cell_arrays->count, &cell_arrays->offsets));
    if (cell_arrays->count) cell_arrays->count--;
    return read_cell_part(vtk, "CONNECTIVITY", size, &cell_arrays->corners);
}

static weir_result read_cells(vtk *vtk)
{
    cell_arrays passed_over = {0};
    return read_cell_arrays(vtk, &passed_over);
}

static weir_result read_polygons(vtk *vtk)
{
    return read_cell_arrays(vtk, &vtk->cell_arrays);
}

static weir_result read_strips(vtk *vtk)
{
    return read_cell_arrays(vtk, &vtk->strips);
}

static weir_result read_cell_types(vtk *vtk)
{
    uint64_t count;
    array *types = &vtk->cell_arrays.types;
    *types = (array){.type = IO_I32, .scalar = IO_SCALAR_NONE, .components = 1};
    const uint8_t *at = skip_to_word(vtk->reader);
    WEIR_RETURN_IF_ERROR(io_read_count(vtk->reader, "the number of cells", INT64_MAX, &count));
    if (count != vtk->cell_arrays.count)
        return io_fail(vtk->reader, at, "types of %llu of %llu cells", (unsigned long long)count,
                       (unsigned long long)vtk->cell_arrays.count);
    return begin_array(vtk, count, types);
}

static weir_result begin_points(vtk *vtk)
{
    const uint8_t *at = skip_to_word(vtk->reader);
    WEIR_RETURN_IF_ERROR(
        io_read_count(vtk->reader, "the number of values", INT64_MAX, &vtk->tuple_count));
    vtk->in_points = true;
    if (vtk->tuple_count != vtk->point_count)
        return io_fail(vtk->reader, at, "POINT_DATA for %llu of %llu points",
                       (unsigned long long)vtk->tuple_count, (unsigned long long)vtk->point_count);
    io_skip_line(vtk->reader);
    return WEIR_OK;
}

static weir_result begin_cells(vtk *vtk)
{
    vtk->in_points = false;
    WEIR_RETURN_IF_ERROR(
        io_read_count(vtk->reader, "the number of values", INT64_MAX, &vtk->tuple_count));
    io_skip_line(vtk->reader);
    return WEIR_OK;
}

/* ---- the file ------------------------------------------------------------------------------- */

static weir_result read_section(vtk *vtk, io_token keyword)
{
    static const struct {
        const char *keyword;
        weir_result (*read)(struct vtk *); /* NULL: a section "KEYWORD name type" */
        uint64_t components;               /* of a section without a function */
    } sections[] = {
        {"DATASET", read_dataset, 0},
        {"POINTS", read_points, 0},
        {"VERTICES", read_cells, 0},
        {"LINES", read_cells, 0},
        {"POLYGONS", read_polygons, 0},
        {"TRIANGLE_STRIPS", read_strips, 0},
        {"CELLS", read_polygons, 0},
        {"CELL_TYPES", read_cell_types, 0},
        {"POINT_DATA", begin_points, 0},
        {"CELL_DATA", begin_cells, 0},
        {"FIELD", read_field, 0},
        {"SCALARS", read_scalars, 0},
        {"VECTORS", NULL, 3},
        {"NORMALS", NULL, 3},
        {"TENSORS", NULL, 9},
        {"TENSORS6", NULL, 6},
        {"GLOBAL_IDS", NULL, 1},
        {"PEDIGREE_IDS", NULL, 1},
        {"EDGE_FLAGS", NULL, 1},
        {"COLOR_SCALARS", read_colors, 0},
        {"LOOKUP_TABLE", read_lookup_table, 0},
        {"TEXTURE_COORDINATES", read_texture_coordinates, 0},
        {"METADATA", skip_metadata, 0},
    };
    for (size_t i = 0; i < BASE_COUNT(sections); i++) {
        if (!io_token_is(keyword, sections[i].keyword)) continue;
        return sections[i].read ? sections[i].read(vtk)
                                : read_fixed_components(vtk, sections[i].components);
    }
    return io_fail(vtk->reader, keyword.at, "\"%.*s\" is not a section of a legacy VTK file",
                   IO_TOKEN_ARGUMENTS(keyword));
}

static weir_result read_header(vtk *vtk)
{
    io_reader *reader = vtk->reader;
    io_token version = io_read_line(reader);
    static const char before[] = "# vtk DataFile Version ";
    const size_t size = sizeof before - 1;
    vtk->offsets = version.size > size && version.at[size] >= '5' && version.at[size] <= '9';
    io_particles_parse_comment(vtk->particles, io_read_line(reader));
    io_token encoding = io_read_token(reader);
    vtk->binary = io_token_is(encoding, "BINARY");
    if (!vtk->binary && !io_token_is(encoding, "ASCII"))
        return io_fail(reader, encoding.at, "\"%.*s\"; the third line should be ASCII or BINARY",
                       IO_TOKEN_ARGUMENTS(encoding));
    io_skip_line(reader);
    reader->text = !vtk->binary;
    reader->big_endian = true;
    return WEIR_OK;
}

static weir_result fill_array(const vtk *vtk, const array *array)
{
    io_reader *reader = vtk->reader;
    reader->at = array->at;
    for (size_t i = 0; i < vtk->particles->count; i++)
        for (uint32_t k = 0; k < array->components; k++)
            WEIR_RETURN_IF_ERROR(io_particles_read_value(reader, array->type, vtk->particles,
                                                         (io_table_cell){i, array->scalar + k}));
    return WEIR_OK;
}

static weir_result fill_arrays(const vtk *vtk)
{
    uint32_t there = 0, done = 0;
    for (uint32_t i = 0; i < vtk->array_count; i++)
        there |= io_scalar_bits(vtk->arrays[i].scalar, vtk->arrays[i].components);
    WEIR_RETURN_IF_ERROR(
        io_particles_allocate(vtk->reader, vtk->point_count, there, vtk->particles));
    for (uint32_t i = 0; i < vtk->array_count; i++) {
        const array *array = &vtk->arrays[i];
        if (io_scalar_claim_columns(array->scalar, array->components, &done) != IO_SCALAR_NONE)
            WEIR_RETURN_IF_ERROR(fill_array(vtk, array));
    }
    return WEIR_OK;
}

static weir_result read_sections(vtk *vtk)
{
    io_reader *reader = vtk->reader;
    WEIR_RETURN_IF_ERROR(read_header(vtk));
    for (io_token word = io_read_token(reader); word.size; word = io_read_token(reader))
        WEIR_RETURN_IF_ERROR(read_section(vtk, word));
    if (!vtk->have_points) return io_fail(reader, reader->at, "the file ends without POINTS");
    return WEIR_OK;
}

weir_result io_vtk_read(io_reader *reader, io_particles *particles)
{
    vtk vtk = {.reader = reader, .particles = particles};
    WEIR_RETURN_IF_ERROR(read_sections(&vtk));
    return fill_arrays(&vtk);
}

/* ---- polygons ------------------------------------------------------------------------------- */

/* Reads one array of the cells in order. */
typedef struct token_column {
    io_reader reader;
    io_type type;
} token_column;

static token_column column_of(const vtk *vtk, const array *array)
{
    token_column token_column = {*vtk->reader, array->type};
    token_column.reader.at = array->at;
    return token_column;
}

static weir_result read_integer(token_column *token_column, const char *what, uint64_t *value)
{
    io_number number;
    WEIR_RETURN_IF_ERROR(io_read_number(&token_column->reader, token_column->type, what, &number));
    if (!(number.value >= 0 && number.value < 0x1p53) || number.value != floor(number.value))
        return io_fail(&token_column->reader, number.at, "%s is %.17g; expected a whole number",
                       what, number.value);
    *value = (uint64_t)number.value;
    return WEIR_OK;
}

static weir_result skip_corners(const vtk *vtk, token_column *corners, uint64_t count)
{
    uint64_t passed;
    WEIR_RETURN_IF_ERROR(io_check_count(&corners->reader, count,
                                        io_number_size(vtk->reader, corners->type), "corners"));
    for (uint64_t i = 0; i < count; i++)
        WEIR_RETURN_IF_ERROR(read_integer(corners, "a corner", &passed));
    return WEIR_OK;
}

/* `type`: of the cells that have no array of types. */
static weir_result fill_faces(const vtk *vtk, const cell_arrays *cell_arrays, uint64_t type,
                              io_mesh_build *build)
{
    token_column corners = column_of(vtk, &cell_arrays->corners),
                 offsets = column_of(vtk, &cell_arrays->offsets),
                 types = column_of(vtk, &cell_arrays->types);
    uint64_t start = 0, end = 0, skipped = 0;
    if (vtk->offsets && cell_arrays->count)
        WEIR_RETURN_IF_ERROR(read_integer(&offsets, "an offset", &start));
    for (uint64_t i = 0; i < cell_arrays->count; i++) {
        io_polygon polygon = {.type = corners.type, .vertex_count = build->vertices.count};
        if (types.reader.at) WEIR_RETURN_IF_ERROR(read_integer(&types, "a cell's type", &type));
        if (vtk->offsets) {
            WEIR_RETURN_IF_ERROR(read_integer(&offsets, "an offset", &end));
            if (end < start)
                return io_fail(&offsets.reader, offsets.reader.at, "offsets must not decrease");
            polygon.corners = end - start;
            start = end;
        } else {
            WEIR_RETURN_IF_ERROR(read_integer(&corners, "the number of corners", &polygon.corners));
        }
        polygon.at = corners.reader.at;
        polygon.strip = io_vtk_is_strip(type);
        skipped += !io_vtk_is_face(type);
        WEIR_RETURN_IF_ERROR(io_vtk_is_face(type)
                                 ? io_mesh_read_polygon(&corners.reader, &polygon, build)
                                 : skip_corners(vtk, &corners, polygon.corners));
    }
    io_vtk_log_skipped_cells(vtk->reader, skipped);
    return WEIR_OK;
}

weir_result io_vtk_read_mesh(io_reader *reader, io_mesh_build *build)
{
    io_particles points = {0};
    vtk vtk = {.reader = reader, .particles = &points};
    weir_result result;
    WEIR_GOTO_IF_ERROR(read_sections(&vtk));
    WEIR_GOTO_IF_ERROR(fill_arrays(&vtk));
    WEIR_GOTO_IF_ERROR(io_mesh_add_points(reader, &points, build));
    if (vtk.cell_arrays.known)
        WEIR_GOTO_IF_ERROR(fill_faces(&vtk, &vtk.cell_arrays, IO_VTK_POLYGON, build));
    if (vtk.strips.known) result = fill_faces(&vtk, &vtk.strips, IO_VTK_STRIP, build);
fail:
    io_particles_free(&points);
    return result;
}

bool io_vtk_has_faces(io_reader *reader)
{
    io_particles points = {0};
    vtk vtk = {.reader = reader, .particles = &points};
    if (read_sections(&vtk) != WEIR_OK) return false;
    if (!vtk.cell_arrays.types.at) return vtk.cell_arrays.count + vtk.strips.count > 0;
    token_column types = column_of(&vtk, &vtk.cell_arrays.types);
    uint64_t type = 0;
    for (uint64_t i = 0; i < vtk.cell_arrays.count; i++)
        if (read_integer(&types, "a cell's type", &type) != WEIR_OK || io_vtk_is_face(type))
            return io_vtk_is_face(type);
    return false;
}
