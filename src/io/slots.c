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

void io_particles_free(io_particles *particles)
{
    base_free(particles->position);
    base_free(particles->velocity);
    base_free(particles->id);
    base_free(particles->fluid);
    base_free(particles->density);
    *particles = (io_particles){0};
}

static bool has_slots(uint32_t slots, io_slot first, uint32_t count)
{
    uint32_t wanted = ((1u << count) - 1) << first;
    return (slots & wanted) == wanted;
}

static bool make_array(bool wanted, size_t count, size_t size, void **array)
{
    if (!wanted || *array) return true;
    *array = base_alloc(count, size);
    return *array != NULL;
}

weir_result io_particles_make(const io_reader *reader, uint64_t count, uint32_t slots,
                              io_particles *particles)
{
    if (count > UINT32_MAX)
        return io_fail(reader, reader->at, "%llu particles; at most 4294967295 are read",
                       (unsigned long long)count);
    size_t n = (size_t)count;
    io_particles *p = particles;
    p->count = (uint32_t)count;
    bool made =
        make_array(has_slots(slots, IO_SLOT_X, 3), n, sizeof *p->position, (void **)&p->position) &&
        make_array(has_slots(slots, IO_SLOT_VX, 3), n, sizeof *p->velocity,
                   (void **)&p->velocity) &&
        make_array(has_slots(slots, IO_SLOT_ID, 1), n, sizeof *p->id, (void **)&p->id) &&
        make_array(has_slots(slots, IO_SLOT_FLUID, 1), n, sizeof *p->fluid, (void **)&p->fluid) &&
        make_array(has_slots(slots, IO_SLOT_DENSITY, 1), n, sizeof *p->density,
                   (void **)&p->density);
    return made ? WEIR_OK : io_fail_memory(reader, "its particles");
}

static float *float_of(io_particles *particles, size_t index, io_slot slot)
{
    vec3 *vector = NULL;
    if (slot_infos[slot].field == WEIR_FIELD_POSITION)
        vector = particles->position;
    else if (slot_infos[slot].field == WEIR_FIELD_VELOCITY)
        vector = particles->velocity;
    else
        return particles->density ? &particles->density[index] : NULL;
    if (!vector) return NULL;
    switch (slot) {
    case IO_SLOT_X:
    case IO_SLOT_VX: return &vector[index].x;
    case IO_SLOT_Y:
    case IO_SLOT_VY: return &vector[index].y;
    default: return &vector[index].z;
    }
}

weir_result io_particles_put(const io_reader *reader, io_particles *particles, io_cell cell,
                             io_number number)
{
    const io_slot_info *info = &slot_infos[cell.slot];
    if (info->whole) {
        uint32_t *array = cell.slot == IO_SLOT_ID ? particles->id : particles->fluid;
        return array ? io_to_uint(reader, number, info->name, &array[cell.index]) : WEIR_OK;
    }
    float *place = float_of(particles, cell.index, cell.slot);
    return place ? io_to_float(reader, number, info->name, place) : WEIR_OK;
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

static const void *field_of(const io_particles *particles, weir_field field)
{
    switch (field) {
    case WEIR_FIELD_POSITION: return particles->position;
    case WEIR_FIELD_VELOCITY: return particles->velocity;
    case WEIR_FIELD_ID: return particles->id;
    case WEIR_FIELD_FLUID: return particles->fluid;
    default: return particles->density;
    }
}

io_columns io_columns_make(const io_particles *particles, uint32_t fields)
{
    io_columns columns = {0};
    for (io_slot slot = 0; slot < IO_SLOT_COUNT; slot++) {
        const io_slot_info *info = &slot_infos[slot];
        const uint8_t *base = field_of(particles, info->field);
        bool wanted = info->field == WEIR_FIELD_POSITION || fields >> info->field & 1u;
        if (!base || !wanted) continue;
        columns.fields |= 1u << info->field;
        bool vector = slot <= IO_SLOT_VZ;
        size_t component = vector ? (size_t)slot % 3 : 0;
        columns.items[columns.count++] = (io_column){info, base + component * sizeof(float),
                                                     vector ? sizeof(vec3) : sizeof(float)};
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
