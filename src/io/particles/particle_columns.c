/* Storage of the scalars of particles; particle_names.c has their names in files. */
#include "io_internal.h"

static const io_scalar_info attribute_info = {"an attribute", false, IO_FIELD_ATTRIBUTES};
static const io_scalar_info scalar_infos[IO_SCALAR_NAMED_COUNT] = {
    [IO_SCALAR_X] = {"x", false, WEIR_FIELD_POSITION},
    [IO_SCALAR_Y] = {"y", false, WEIR_FIELD_POSITION},
    [IO_SCALAR_Z] = {"z", false, WEIR_FIELD_POSITION},
    [IO_SCALAR_VX] = {"vx", false, WEIR_FIELD_VELOCITY},
    [IO_SCALAR_VY] = {"vy", false, WEIR_FIELD_VELOCITY},
    [IO_SCALAR_VZ] = {"vz", false, WEIR_FIELD_VELOCITY},
    [IO_SCALAR_ID] = {"id", true, WEIR_FIELD_ID},
    [IO_SCALAR_FLUID] = {"fluid", true, WEIR_FIELD_FLUID},
    [IO_SCALAR_DENSITY] = {"density", false, WEIR_FIELD_DENSITY},
    [IO_SCALAR_KIND] = {"kind", true, IO_FIELD_KIND},
    [IO_SCALAR_AGE] = {"age", false, IO_FIELD_AGE},
    [IO_SCALAR_LIFETIME] = {"lifetime", false, IO_FIELD_LIFETIME},
    [IO_SCALAR_RADIUS] = {"radius", false, IO_FIELD_RADII},
};

const io_scalar_info *io_scalar_get_info(io_scalar scalar)
{
    return scalar < IO_SCALAR_ATTRIBUTE ? &scalar_infos[scalar] : &attribute_info;
}

uint32_t io_scalar_bits(io_scalar scalar, uint64_t components)
{
    return ((1u << components) - 1u) << scalar;
}

io_scalar io_scalar_claim_columns(io_scalar scalar, uint64_t components, uint32_t *there)
{
    if (scalar == IO_SCALAR_NONE || *there >> scalar & 1u) return IO_SCALAR_NONE;
    *there |= io_scalar_bits(scalar, components);
    return scalar;
}

/* ---- memory --------------------------------------------------------------------------------- */

/* Returns the array that holds a field. */
static void **scalar_array(io_particles *particles, uint32_t field)
{
    switch (field) {
    case WEIR_FIELD_POSITION: return (void **)&particles->position;
    case WEIR_FIELD_VELOCITY: return (void **)&particles->velocity;
    case WEIR_FIELD_ID: return (void **)&particles->id;
    case WEIR_FIELD_FLUID: return (void **)&particles->fluid;
    case IO_FIELD_KIND: return (void **)&particles->kind;
    case IO_FIELD_AGE: return (void **)&particles->age;
    case IO_FIELD_LIFETIME: return (void **)&particles->lifetime;
    case IO_FIELD_RADII: return (void **)&particles->radius;
    case IO_FIELD_ATTRIBUTES: return (void **)&particles->attribute_values;
    default: return (void **)&particles->density;
    }
}

static size_t scalar_stride(const io_particles *particles, io_scalar scalar)
{
    if (scalar >= IO_SCALAR_ATTRIBUTE) return particles->attributes.components * sizeof(float);
    return scalar <= IO_SCALAR_VZ ? sizeof(vec3) : sizeof(float);
}

/* Returns the index of a scalar among those of a particle in its array. */
static size_t scalar_component(io_scalar scalar)
{
    if (scalar >= IO_SCALAR_ATTRIBUTE) return (size_t)scalar - IO_SCALAR_ATTRIBUTE;
    return scalar <= IO_SCALAR_VZ ? (size_t)scalar % 3 : 0;
}

void io_particles_keep(io_particles *particles, const bool *keep)
{
    uint32_t kept = 0;
    for (io_scalar scalar = 0; scalar < IO_SCALAR_COUNT; scalar++) {
        const size_t size = scalar_stride(particles, scalar);
        uint8_t *array = *scalar_array(particles, io_scalar_get_info(scalar)->field);
        if (scalar_component(scalar) || !array) continue;
        kept = 0;
        for (uint32_t i = 0; i < particles->count; i++)
            if (keep[i]) memmove(array + size * kept++, array + size * i, size);
    }
    particles->count = kept;
}

void io_particles_free(io_particles *particles)
{
    for (io_scalar scalar = 0; scalar < IO_SCALAR_COUNT; scalar++)
        if (scalar_component(scalar) == 0)
            base_free(*scalar_array(particles, io_scalar_get_info(scalar)->field));
    *particles = (io_particles){0};
}

/* Allocates the attributes of which the file has all components. */
static weir_result allocate_attributes(const io_reader *reader, uint32_t scalars,
                                       io_particles *particles)
{
    if (!reader->attributes) return WEIR_OK;
    particles->attributes = *reader->attributes;
    for (uint32_t i = 0; i < particles->attributes.count; i++) {
        const base_attribute *attribute = &particles->attributes.items[i];
        const uint32_t wanted = io_scalar_bits(IO_SCALAR_ATTRIBUTE + (io_scalar)attribute->first,
                                               attribute->components);
        if ((scalars & wanted) == wanted) particles->attributes_read |= 1u << i;
    }
    if (!particles->attributes_read || particles->attribute_values) return WEIR_OK;
    particles->attribute_values =
        base_alloc(particles->count, scalar_stride(particles, IO_SCALAR_ATTRIBUTE));
    return particles->attribute_values ? WEIR_OK : io_fail_memory(reader, "its attributes");
}

weir_result io_particles_allocate(const io_reader *reader, uint64_t count, uint32_t scalars,
                                  io_particles *particles)
{
    if (count > UINT32_MAX)
        return io_fail(reader, reader->at, "%llu particles; at most 4294967295 are read",
                       (unsigned long long)count);
    particles->count = (uint32_t)count;
    for (io_scalar scalar = 0; scalar < IO_SCALAR_NAMED_COUNT; scalar++) {
        void **array = scalar_array(particles, scalar_infos[scalar].field);
        const size_t stride = scalar_stride(particles, scalar);
        uint32_t wanted = io_scalar_bits(scalar, stride / sizeof(float));
        if (scalar_component(scalar) || *array || (scalars & wanted) != wanted) continue;
        *array = base_alloc((size_t)count, stride);
        if (!*array) return io_fail_memory(reader, "its particles");
    }
    return allocate_attributes(reader, scalars, particles);
}

/* Marks a particle that is to be skipped. */
static weir_result mark_not_finite(const io_reader *reader, uint32_t count, io_table_cell cell,
                                   io_number number)
{
    io_not_finite *found = reader->not_finite;
    if (!found->particles) {
        found->particles = base_alloc(count, sizeof *found->particles);
        if (!found->particles) return io_fail_memory(reader, "its particles");
        found->at = number.at;
        found->what = io_scalar_get_info(cell.scalar)->name;
        found->value = number.value;
    }
    found->particles[cell.index] = true;
    return WEIR_OK;
}

weir_result io_particles_set_value(const io_reader *reader, io_particles *particles,
                                   io_table_cell cell, io_number number)
{
    const io_scalar_info *info = io_scalar_get_info(cell.scalar);
    uint8_t *array = *scalar_array(particles, info->field);
    if (!array) return WEIR_OK;
    if (reader->not_finite && !io_fits_float(number.value))
        return mark_not_finite(reader, particles->count, cell, number);
    if (info->field == WEIR_FIELD_POSITION) number.value -= reader->origin[cell.scalar];
    size_t component = scalar_component(cell.scalar) * sizeof(float);
    void *out = array + cell.index * scalar_stride(particles, cell.scalar) + component;
    return info->whole ? io_to_uint(reader, number, info->name, out)
                       : io_to_float(reader, number, info->name, out);
}

weir_result io_particles_read_value(io_reader *reader, io_type type, io_particles *particles,
                                    io_table_cell cell)
{
    io_number number;
    WEIR_RETURN_IF_ERROR(
        io_read_number(reader, type, io_scalar_get_info(cell.scalar)->name, &number));
    return io_particles_set_value(reader, particles, cell, number);
}

weir_result io_particles_read_array(const io_reader *reader, const io_array *array, io_scalar first,
                                    io_particles *particles)
{
    for (size_t i = 0; i < particles->count; i++) {
        const uint8_t *at = array->at + i * array->stride;
        for (uint32_t k = 0; k < array->components; k++, at += array->step) {
            io_number number = {io_load(at, array->type, array->big_endian), at};
            io_table_cell cell = {i, first + k};
            WEIR_RETURN_IF_ERROR(io_particles_set_value(reader, particles, cell, number));
        }
    }
    return WEIR_OK;
}

/* Finds the number after `mark` anywhere in `line`. */
static bool find_comment_value(io_token line, const char *mark, double *value)
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

void io_particles_parse_comment(io_particles *particles, io_token line)
{
    double value;
    if (find_comment_value(line, "time_s=", &value)) particles->time_s = value;
    if (find_comment_value(line, "radius_m=", &value)) io_particles_set_radius(particles, value);
}

void io_particles_set_radius(io_particles *particles, double radius_m)
{
    if (radius_m > 0 && radius_m < 1e30) particles->radius_m = (float)radius_m;
}

/* ---- columns -------------------------------------------------------------------------------- */

/* Appends the columns of the attributes: NAME, or NAME_x and so on. */
static void list_attributes(const io_particles *particles, io_columns *columns)
{
    const size_t stride = scalar_stride(particles, IO_SCALAR_ATTRIBUTE);
    for (uint32_t i = 0; particles->attribute_values && i < particles->attributes.count; i++) {
        const base_attribute *from = &particles->attributes.items[i];
        columns->fields |= 1u << (IO_FIELD_ATTRIBUTES + i);
        for (uint32_t k = 0; k < from->components; k++) {
            io_column *column = &columns->items[columns->count++];
            *column = (io_column){
                .field = IO_FIELD_ATTRIBUTES + i,
                .scalar = IO_SCALAR_ATTRIBUTE + (io_scalar)(from->first + k),
                .base = (const uint8_t *)(particles->attribute_values + from->first + k),
                .stride = stride};
            snprintf(column->name, sizeof column->name, from->components > 1 ? "%s_%c" : "%s",
                     from->name, "xyzw"[k]);
        }
    }
}

io_columns io_columns_list(const io_particles *particles, uint32_t fields)
{
    io_columns columns = {0};
    io_particles arrays = *particles;
    for (io_scalar scalar = 0; scalar < IO_SCALAR_NAMED_COUNT; scalar++) {
        const io_scalar_info *info = &scalar_infos[scalar];
        const uint8_t *base = *scalar_array(&arrays, info->field);
        bool wanted = info->field == WEIR_FIELD_POSITION || fields >> info->field & 1u;
        if (!base || !wanted) continue;
        columns.fields |= 1u << info->field;
        io_column *column = &columns.items[columns.count++];
        *column = (io_column){.whole = info->whole,
                              .field = info->field,
                              .scalar = scalar,
                              .base = base + scalar_component(scalar) * sizeof(float),
                              .stride = scalar_stride(particles, scalar)};
        snprintf(column->name, sizeof column->name, "%s", info->name);
    }
    list_attributes(particles, &columns);
    return columns;
}

const char *io_column_array_name(const io_particles *particles, const io_column *column)
{
    if (column->field >= IO_FIELD_ATTRIBUTES)
        return particles->attributes.items[column->field - IO_FIELD_ATTRIBUTES].name;
    return column->field == WEIR_FIELD_VELOCITY ? "velocity" : column->name;
}

double io_column_origin(const io_particles *particles, const io_column *column)
{
    return column->field == WEIR_FIELD_POSITION ? particles->origin[column->scalar] : 0.0;
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
    if (column->whole) return (float)bits;
    memcpy(&value, &bits, sizeof value);
    return value;
}
