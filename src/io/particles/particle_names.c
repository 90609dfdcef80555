/* Names of the columns and arrays of particles in the files of all programs. A name is a base and a
 * component, which programs join in many ways: x, Points:0, Points_0, P[x], pos.x, pos_x, posX,
 * "Position[X] (m)", x-velocity. Units in brackets are ignored, and so is case. */
#include "io_internal.h"

static const struct {
    const char *name;
    io_scalar scalar; /* that of the first component, if `vector` */
    bool vector;
} aliases[] = {
    {"position", IO_SCALAR_X, true},
    {"positions", IO_SCALAR_X, true},
    {"pos", IO_SCALAR_X, true},
    {"p", IO_SCALAR_X, true},
    {"point", IO_SCALAR_X, true},
    {"points", IO_SCALAR_X, true},
    {"coord", IO_SCALAR_X, true},
    {"coords", IO_SCALAR_X, true},
    {"coordinate", IO_SCALAR_X, true},
    {"coordinates", IO_SCALAR_X, true},
    {"location", IO_SCALAR_X, true},
    {"xyz", IO_SCALAR_X, true},
    {"velocity", IO_SCALAR_VX, true},
    {"v", IO_SCALAR_VX, true},
    {"vel", IO_SCALAR_VX, true},
    {"velocities", IO_SCALAR_VX, true},
    {"velo", IO_SCALAR_VX, true},
    {"particle_id", IO_SCALAR_ID, false},
    {"ids", IO_SCALAR_ID, false},
    {"idp", IO_SCALAR_ID, false}, /* DualSPHysics */
    {"particleids", IO_SCALAR_ID, false},
    {"particle id", IO_SCALAR_ID, false},
    {"particle identifier", IO_SCALAR_ID, false},
    {"gid", IO_SCALAR_ID, false},
    {"rho", IO_SCALAR_DENSITY, false},
    {"rhop", IO_SCALAR_DENSITY, false},
    {"densities", IO_SCALAR_DENSITY, false},
    {"life", IO_SCALAR_LIFETIME, false}, /* Houdini */
    {"pscale", IO_SCALAR_RADIUS, false},
};

/* ---- parts of a name ------------------------------------------------------------------------ */

enum { NO_COMPONENT = 3 };

typedef struct name_parts {
    io_token base;
    uint32_t component; /* 0 to 2, or NO_COMPONENT */
} name_parts;

static io_token trim(io_token word)
{
    while (word.size && (word.at[0] == ' ' || word.at[0] == '\t'))
        word.at++, word.size--;
    while (word.size && (word.at[word.size - 1] == ' ' || word.at[word.size - 1] == '\t'))
        word.size--;
    return word;
}

/* Returns the component that a letter or digit stands for. */
static uint32_t component_of(uint8_t letter)
{
    const char *const letters[] = {"xXiI0", "yYjJ1", "zZkK2"};
    for (uint32_t i = 0; i < 3 && letter; i++)
        if (strchr(letters[i], letter)) return i;
    return NO_COMPONENT;
}

/* Takes the last pair of brackets off: a component, or a unit, which is dropped. */
static io_token strip_brackets(io_token name, uint32_t *component)
{
    size_t open = name.size;
    const uint8_t last = name.size ? name.at[name.size - 1] : 0;
    if (last != ']' && last != ')') return name;
    while (open && name.at[open - 1] != (last == ']' ? '[' : '('))
        open--;
    if (open == 0) return name;
    if (name.size - open == 2) *component = component_of(name.at[open]);
    return trim((io_token){name.at, open - 1});
}

static bool is_joint(uint8_t byte)
{
    return byte && strchr(".:_- /", byte);
}

static bool is_letter_of_axis(uint8_t byte)
{
    return byte && strchr("xyzXYZ", byte);
}

/* Takes "x-" or "_x" off; digits are components only at the end. */
static name_parts split_joint(io_token name)
{
    name_parts parts = {name, NO_COMPONENT};
    if (name.size < 3) return parts;
    const uint8_t *end = name.at + name.size;
    if (is_joint(end[-2]) && component_of(end[-1]) != NO_COMPONENT)
        parts = (name_parts){{name.at, name.size - 2}, component_of(end[-1])};
    else if (is_joint(name.at[1]) && is_letter_of_axis(name.at[0]))
        parts = (name_parts){{name.at + 2, name.size - 2}, component_of(name.at[0])};
    else if (is_letter_of_axis(end[-1]))
        parts = (name_parts){{name.at, name.size - 1}, component_of(end[-1])};
    return parts;
}

static io_token strip_units(io_token name, uint32_t *component)
{
    size_t before;
    name = trim(name);
    do {
        before = name.size;
        name = strip_brackets(name, component);
    } while (*component == NO_COMPONENT && name.size < before);
    return name;
}

/* ---- scalars -------------------------------------------------------------------------------- */

/* Returns the end of the range of scalars that are read. */
static io_scalar reader_accepts(const io_reader *reader)
{
    return reader->whitewater ? IO_SCALAR_NAMED_COUNT : IO_SCALAR_FLUID_COUNT;
}

/* Returns the component that "NAME_x" or "NAME_0" and so on name of an attribute of several. */
static io_scalar find_attribute_component(const base_attribute *attribute, io_token name)
{
    static const char letters[] = "xyzw0123";
    const size_t size = strlen(attribute->name);
    const io_token base = {name.at, size};
    if (attribute->components == 1 || name.size != size + 2 || name.at[size] != '_' ||
        !io_token_is(base, attribute->name))
        return IO_SCALAR_NONE;
    const char *letter = strchr(letters, base_lower((char)name.at[size + 1]));
    const uint32_t k = letter && *letter ? (uint32_t)(letter - letters) % 4u : UINT32_MAX;
    if (k >= attribute->components) return IO_SCALAR_NONE;
    return IO_SCALAR_ATTRIBUTE + (io_scalar)(attribute->first + k);
}

/* Finds an attribute that the reader is to read. */
static io_scalar find_attribute(const io_reader *reader, io_token name, uint64_t components)
{
    for (uint32_t i = 0; reader->attributes && i < reader->attributes->count; i++) {
        const base_attribute *attribute = &reader->attributes->items[i];
        if (attribute->components == components && io_token_is(name, attribute->name))
            return IO_SCALAR_ATTRIBUTE + (io_scalar)attribute->first;
        const io_scalar part =
            components == 1 ? find_attribute_component(attribute, name) : IO_SCALAR_NONE;
        if (part != IO_SCALAR_NONE) return part;
    }
    return IO_SCALAR_NONE;
}

static io_scalar find_alias(const io_reader *reader, io_token name, bool vector)
{
    for (size_t i = 0; i < BASE_COUNT(aliases); i++)
        if (aliases[i].vector == vector && aliases[i].scalar < reader_accepts(reader) &&
            io_token_is(name, aliases[i].name))
            return aliases[i].scalar;
    return IO_SCALAR_NONE;
}

/* Finds the scalar of a column, and the base of its name if that is a vector's component. */
static io_scalar find_scalar(const io_reader *reader, io_token name, io_token *base)
{
    uint32_t component = NO_COMPONENT;
    *base = (io_token){name.at, 0};
    const io_scalar attribute = find_attribute(reader, trim(name), 1);
    if (attribute != IO_SCALAR_NONE) return attribute;
    name = strip_units(name, &component);
    for (io_scalar scalar = 0; scalar < reader_accepts(reader) && component == NO_COMPONENT;
         scalar++) {
        if (!io_token_is(name, io_scalar_get_info(scalar)->name)) continue;
        if (scalar < IO_SCALAR_ID) *base = (io_token){name.at, name.size - 1};
        return scalar;
    }
    io_scalar plain = component == NO_COMPONENT ? find_alias(reader, name, false) : IO_SCALAR_NONE;
    if (plain != IO_SCALAR_NONE) return plain;
    name_parts parts =
        component == NO_COMPONENT ? split_joint(name) : (name_parts){name, component};
    io_scalar first =
        parts.component == NO_COMPONENT ? IO_SCALAR_NONE : find_alias(reader, parts.base, true);
    if (first == IO_SCALAR_NONE) return IO_SCALAR_NONE;
    *base = parts.base;
    return first + parts.component;
}

io_scalar io_scalar_of_column(const io_reader *reader, io_token name)
{
    io_token base;
    return find_scalar(reader, name, &base);
}

io_scalar io_scalar_of_named_array(const io_reader *reader, io_token name, uint64_t components)
{
    static const char *const letters[] = {"x", "r"}; /* that also name arrays of positions */
    if (components == 1) return io_scalar_of_column(reader, name);
    const io_scalar attribute = find_attribute(reader, name, components);
    if (components != 3 || attribute != IO_SCALAR_NONE) return attribute;
    return io_token_is_any(name, letters, BASE_COUNT(letters)) ? IO_SCALAR_X
                                                               : find_alias(reader, name, true);
}

io_scalar io_scalar_of_array(const io_reader *reader, io_token name, uint64_t components)
{
    io_scalar scalar = io_scalar_of_named_array(reader, name, components);
    bool part = components == 1 && scalar < IO_SCALAR_ID; /* an array of a single coordinate */
    bool place = components == 3 && scalar == IO_SCALAR_X;
    return part || place ? IO_SCALAR_NONE : scalar;
}

/* ---- tables --------------------------------------------------------------------------------- */

static bool is_same_base(io_token a, io_token b)
{
    if (a.size != b.size) return false;
    for (size_t i = 0; i < a.size; i++)
        if (base_lower((char)a.at[i]) != base_lower((char)b.at[i])) return false;
    return true;
}

/* What the names of a table's columns stand for. */
typedef struct columns {
    uint32_t count;
    io_scalar scalars[IO_NAMED_COLUMNS];
    io_token bases[IO_NAMED_COLUMNS]; /* of components */
} columns;

/* Returns whether columns `a` and `b` are components of one vector. */
static bool is_same_vector(const columns *columns, uint32_t a, uint32_t b)
{
    return columns->scalars[a] < IO_SCALAR_ID && columns->scalars[b] < IO_SCALAR_ID &&
           columns->scalars[a] / 3 == columns->scalars[b] / 3 &&
           is_same_base(columns->bases[a], columns->bases[b]);
}

/* Returns whether the columns hold all three components of the vector to which column `i`
 * belongs. */
static bool is_whole_vector(const columns *columns, uint32_t i)
{
    uint32_t there = 0;
    for (uint32_t k = 0; k < columns->count; k++)
        if (is_same_vector(columns, i, k)) there |= 1u << columns->scalars[k] % 3;
    return there == 7u;
}

uint32_t io_scalars_of_columns(const io_reader *reader, const io_token *names, uint32_t count,
                               io_scalar *scalars)
{
    columns columns = {.count = count};
    uint32_t chosen[2] = {UINT32_MAX, UINT32_MAX}, found = 0; /* of positions and velocities */
    WEIR_ASSERT(count <= IO_NAMED_COLUMNS);
    for (uint32_t i = 0; i < count; i++)
        columns.scalars[i] = find_scalar(reader, names[i], &columns.bases[i]);
    for (uint32_t i = 0; i < count; i++) {
        const size_t vector = columns.scalars[i] / 3;
        if (columns.scalars[i] < IO_SCALAR_ID && chosen[vector] == UINT32_MAX &&
            is_whole_vector(&columns, i))
            chosen[vector] = i;
    }
    for (uint32_t i = 0; i < count; i++) {
        io_scalar scalar = columns.scalars[i];
        if (scalar < IO_SCALAR_ID && chosen[scalar / 3] != UINT32_MAX &&
            !is_same_vector(&columns, chosen[scalar / 3], i))
            scalar = IO_SCALAR_NONE;
        scalars[i] = io_scalar_claim_columns(scalar, 1, &found);
    }
    return found;
}

bool io_token_is_time(io_token name)
{
    return io_token_is(name, "TimeValue") || io_token_is(name, "TIME");
}
