/* Frames of particles: what a particle's numbers are called, and the way into each format. */
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

/* ---- reading -------------------------------------------------------------------------------- */

static weir_result refuse_known(const io_reader *reader)
{
    if (io_starts_with(reader, "\x7fNSJ"))
        return io_fail(reader, reader->at,
                       "this is Houdini's newer BGEO; save it as .bhclassic or BGEO version 5");
    if (!io_is_binary(reader)) return WEIR_OK;
    return io_fail(reader, reader->at,
                   "no particle format starts like this; PLY, BGEO version 5, VTK, NPY, XYZ text "
                   "and raw float32 (named .raw or .xyz) are read");
}

static weir_result read_packed(const io_reader *packed, io_particles *particles)
{
    base_blob blob = {0};
    WEIR_NEED(io_gzip_unpack(packed, &blob));
    io_reader reader = io_reader_make(packed->log, packed->path, &blob);
    reader.unpacked = true;
    weir_result result = io_bgeo_read(&reader, particles);
    base_blob_free(&blob);
    return result;
}

static weir_result read_by_first_bytes(io_reader *reader, io_particles *particles)
{
    if (io_starts_with(reader, "\x1f\x8b")) return read_packed(reader, particles);
    if (io_starts_with(reader, "Bgeo")) return io_bgeo_read(reader, particles);
    if (io_starts_with(reader, "\x93NUMPY")) return io_npy_read(reader, particles);
    if (io_raw_is(reader)) return io_raw_read(reader, particles);
    reader->text = true;
    if (io_starts_with(reader, "ply\n") || io_starts_with(reader, "ply\r"))
        return io_ply_read_particles(reader, particles);
    if (io_starts_with(reader, "# vtk DataFile")) return io_vtk_read(reader, particles);
    if (io_starts_with(reader, "<?xml") || io_starts_with(reader, "<VTKFile"))
        return io_vtu_read(reader, particles);
    WEIR_NEED(refuse_known(reader));
    return io_xyz_read(reader, particles);
}

weir_result io_particles_read(const weir_log *log, const char *path, io_particles *particles)
{
    *particles = (io_particles){0};
    base_blob blob = {0};
    weir_result result = base_file_read(log, path, IO_SIZE_MAX, &blob);
    if (result != WEIR_OK) return result;
    io_reader reader = io_reader_make(log, path, &blob);
    if (blob.size == 0)
        result = io_fail(&reader, reader.at, "the file is empty");
    else
        result = read_by_first_bytes(&reader, particles);
    base_blob_free(&blob);
    if (result != WEIR_OK) io_particles_free(particles);
    return result;
}

/* ---- writing -------------------------------------------------------------------------------- */

const char *io_format_extension(weir_format format)
{
    static const char *const extensions[WEIR_FORMAT_COUNT] = {
        [WEIR_FORMAT_PLY] = "ply", [WEIR_FORMAT_VTK] = "vtk", [WEIR_FORMAT_BGEO] = "bgeo",
        [WEIR_FORMAT_XYZ] = "xyz", [WEIR_FORMAT_NPY] = "npy",
    };
    return extensions[format];
}

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
        if (!base || !(fields >> info->field & 1u)) continue;
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

static uint32_t fields_there(const io_particles *particles, uint32_t fields)
{
    uint32_t there = 1u << WEIR_FIELD_POSITION;
    for (weir_field field = WEIR_FIELD_VELOCITY; field < WEIR_FIELD_COUNT; field++)
        if (fields >> field & 1u && field_of(particles, field)) there |= 1u << field;
    return there;
}

weir_result io_particles_write(const weir_log *log, const io_particles *particles,
                               const io_particles_write_def *def)
{
    static void (*const writers[WEIR_FORMAT_COUNT])(const io_frame *, io_sink *) = {
        [WEIR_FORMAT_PLY] = io_ply_write,   [WEIR_FORMAT_VTK] = io_vtk_write,
        [WEIR_FORMAT_BGEO] = io_bgeo_write, [WEIR_FORMAT_XYZ] = io_xyz_write,
        [WEIR_FORMAT_NPY] = io_npy_write,
    };
    WEIR_ASSERT(def->format < WEIR_FORMAT_COUNT);
    io_frame frame = {.log = log,
                      .particles = particles,
                      .fields = fields_there(particles, def->fields),
                      .radius_m = def->radius_m,
                      .radius_column = (def->fields & IO_FIELD_RADIUS) != 0,
                      .path = def->path};
    frame.columns = io_columns_make(particles, frame.fields);
    io_sink sink;
    WEIR_NEED(io_sink_open(log, def->path, &sink));
    writers[def->format](&frame, &sink);
    return io_sink_commit(&sink);
}
