/* What a particle's numbers are called, and where they are kept. */
#include "io_internal.h"

static const io_slot_info slot_infos[IO_SLOT_COUNT] = {
    [IO_SLOT_X] = {"x", false, WEIR_FIELD_POSITION},
    [IO_SLOT_Y] = {"y", false, WEIR_FIELD_POSITION},
    [IO_SLOT_Z] = {"z", false, WEIR_FIELD_POSITION},
    [IO_SLOT_VX] = {"vx", false, WEIR_FIELD_VELOCITY},
    [IO_SLOT_VY] = {"vy", false, WEIR_FIELD_VELOCITY},
    [IO_SLOT_VZ] = {"vz", false, WEIR_FIELD_VELOCITY},
    [IO_SLOT_ID] = {"id", true, WEIR_FIELD_ID},
    [IO_SLOT_FLUID] = {"fluid", true, WEIR_FIELD_FLUID},
    [IO_SLOT_DENSITY] = {"density", false, WEIR_FIELD_DENSITY},
};

const io_slot_info *io_slot_get(io_slot slot)
{
    return &slot_infos[slot];
}

/* ---- names ---------------------------------------------------------------------------------- */

typedef struct alias {
    const char *name;
    io_slot slot;
} alias;

static io_slot find_alias(const alias *aliases, size_t count, io_word name)
{
    for (size_t i = 0; i < count; i++)
        if (io_word_is(name, aliases[i].name)) return aliases[i].slot;
    return IO_SLOT_NONE;
}

io_slot io_slot_of_column(io_word name)
{
    static const alias aliases[] = {
        {"velocity_x", IO_SLOT_VX},  {"velocity_y", IO_SLOT_VY}, {"velocity_z", IO_SLOT_VZ},
        {"velx", IO_SLOT_VX},        {"vely", IO_SLOT_VY},       {"velz", IO_SLOT_VZ},
        {"particle_id", IO_SLOT_ID}, {"rho", IO_SLOT_DENSITY},
    };
    for (io_slot slot = 0; slot < IO_SLOT_COUNT; slot++)
        if (io_word_is(name, slot_infos[slot].name)) return slot;
    return find_alias(aliases, BASE_COUNT(aliases), name);
}

io_slot io_slot_of_array(io_word name, uint64_t components)
{
    static const alias vectors[] = {
        {"velocity", IO_SLOT_VX},
        {"v", IO_SLOT_VX},
        {"vel", IO_SLOT_VX},
        {"velocities", IO_SLOT_VX},
    };
    static const alias scalars[] = {
        {"id", IO_SLOT_ID},           {"particle_id", IO_SLOT_ID}, {"fluid", IO_SLOT_FLUID},
        {"density", IO_SLOT_DENSITY}, {"rho", IO_SLOT_DENSITY},
    };
    if (components == 3) return find_alias(vectors, BASE_COUNT(vectors), name);
    if (components == 1) return find_alias(scalars, BASE_COUNT(scalars), name);
    return IO_SLOT_NONE;
}

bool io_word_is_time(io_word name)
{
    return io_word_is(name, "TimeValue") || io_word_is(name, "TIME");
}

uint32_t io_slot_bits(io_slot slot, uint64_t components)
{
    return (components == 3 ? 7u : 1u) << slot;
}

io_slot io_slot_claim(io_slot slot, uint64_t components, uint32_t *there)
{
    if (slot == IO_SLOT_NONE || *there >> slot & 1u) return IO_SLOT_NONE;
    *there |= io_slot_bits(slot, components);
    return slot;
}

/* ---- memory --------------------------------------------------------------------------------- */

/* The array that holds a field. */
static void **array_of(io_particles *particles, weir_field field)
{
    switch (field) {
    case WEIR_FIELD_POSITION: return (void **)&particles->position;
    case WEIR_FIELD_VELOCITY: return (void **)&particles->velocity;
    case WEIR_FIELD_ID: return (void **)&particles->id;
    case WEIR_FIELD_FLUID: return (void **)&particles->fluid;
    default: return (void **)&particles->density;
    }
}

static size_t stride_of(io_slot slot)
{
    return slot <= IO_SLOT_VZ ? sizeof(vec3) : sizeof(float);
}

static size_t component_of(io_slot slot)
{
    return slot <= IO_SLOT_VZ ? (size_t)slot % 3 : 0;
}

void io_particles_free(io_particles *particles)
{
    for (io_slot slot = 0; slot < IO_SLOT_COUNT; slot++)
        if (component_of(slot) == 0) base_free(*array_of(particles, slot_infos[slot].field));
    *particles = (io_particles){0};
}

weir_result io_particles_make(const io_reader *reader, uint64_t count, uint32_t slots,
                              io_particles *particles)
{
    if (count > UINT32_MAX)
        return io_fail(reader, reader->at, "%llu particles; at most 4294967295 are read",
                       (unsigned long long)count);
    particles->count = (uint32_t)count;
    for (io_slot slot = 0; slot < IO_SLOT_COUNT; slot++) {
        void **array = array_of(particles, slot_infos[slot].field);
        uint32_t wanted = io_slot_bits(slot, stride_of(slot) / sizeof(float));
        if (component_of(slot) || *array || (slots & wanted) != wanted) continue;
        *array = base_alloc((size_t)count, stride_of(slot));
        if (!*array) return io_fail_memory(reader, "its particles");
    }
    return WEIR_OK;
}

weir_result io_particles_put(const io_reader *reader, io_particles *particles, io_cell cell,
                             io_number number)
{
    const io_slot_info *info = &slot_infos[cell.slot];
    uint8_t *array = *array_of(particles, info->field);
    if (!array) return WEIR_OK;
    size_t component = component_of(cell.slot) * sizeof(float);
    void *out = array + cell.index * stride_of(cell.slot) + component;
    return info->whole ? io_to_uint(reader, number, info->name, out)
                       : io_to_float(reader, number, info->name, out);
}

weir_result io_particles_take(io_reader *reader, io_type type, io_particles *particles,
                              io_cell cell)
{
    io_number number;
    WEIR_NEED(io_read_number(reader, type, slot_infos[cell.slot].name, &number));
    return io_particles_put(reader, particles, cell, number);
}

/* The number behind `mark` anywhere in `line`. */
static bool find_remark(io_word line, const char *mark, double *value)
{
    const size_t size = strlen(mark);
    const char *end = (const char *)line.at + line.size, *next;
    for (size_t i = 0; i + size <= line.size; i++) {
        const char *text = (const char *)line.at + i;
        if (memcmp(text, mark, size) == 0)
            return base_parse_double(text + size, end, value, &next) && isfinite(*value);
    }
    return false;
}

void io_particles_take_remarks(io_particles *particles, io_word line)
{
    double value;
    if (find_remark(line, "time_s=", &value)) particles->time_s = value;
    if (find_remark(line, "radius_m=", &value)) io_particles_take_radius(particles, value);
}

void io_particles_take_radius(io_particles *particles, double radius_m)
{
    if (radius_m > 0 && radius_m < 1e30) particles->radius_m = (float)radius_m;
}

/* ---- columns -------------------------------------------------------------------------------- */

io_columns io_columns_make(const io_particles *particles, uint32_t fields)
{
    io_columns columns = {0};
    io_particles arrays = *particles;
    for (io_slot slot = 0; slot < IO_SLOT_COUNT; slot++) {
        const io_slot_info *info = &slot_infos[slot];
        const uint8_t *base = *array_of(&arrays, info->field);
        bool wanted = info->field == WEIR_FIELD_POSITION || fields >> info->field & 1u;
        if (!base || !wanted) continue;
        columns.fields |= 1u << info->field;
        columns.items[columns.count++] =
            (io_column){info, base + component_of(slot) * sizeof(float), stride_of(slot)};
    }
    return columns;
}

uint32_t io_column_bits(const io_column *column, size_t index)
{
    uint32_t bits;
    memcpy(&bits, column->base + index * column->stride, sizeof bits);
    return bits;
}

float io_column_float(const io_column *column, size_t index)
{
    uint32_t bits = io_column_bits(column, index);
    float value;
    if (column->slot->whole) return (float)bits;
    memcpy(&value, &bits, sizeof value);
    return value;
}
