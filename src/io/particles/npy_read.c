/* Reads particles from NPY: an array of N rows, in C or Fortran order, or its transpose; or N
 * records with named fields. Columns of rows: at least 3 (x y z), at least 6 (and vx vy vz), or 9
 * (and id fluid density); for whitewater 11 (x y z vx vy vz id kind age lifetime radius). Further
 * columns are skipped, as nothing in the file describes them. */
#include "npy.h"

#define COLUMNS_MAX 4096u
#define WHITEWATER_COLUMNS 11u

/* ---- rows ----------------------------------------------------------------------------------- */

static uint64_t column_count(const io_npy *npy)
{
    return npy->shape[1];
}

/* Returns the scalar of a column of whitewater. */
static io_scalar whitewater_column(uint64_t column)
{
    const uint64_t ids = IO_SCALAR_ID;
    if (column <= ids) return (io_scalar)column;
    return column < WHITEWATER_COLUMNS ? IO_SCALAR_KIND + (io_scalar)(column - ids - 1)
                                       : IO_SCALAR_NONE;
}

static io_scalar scalar_of_column(const io_reader *reader, const io_npy *npy, uint64_t column)
{
    const uint64_t columns = column_count(npy);
    if (reader->whitewater && columns == WHITEWATER_COLUMNS) return whitewater_column(column);
    uint64_t known = columns == IO_SCALAR_FLUID_COUNT ? IO_SCALAR_FLUID_COUNT
                     : columns >= 6                   ? 6
                                                      : 3;
    return column < known ? (io_scalar)column : IO_SCALAR_NONE;
}

/* Takes an array of 3 or 6 long rows for the transpose of particles: their coordinates, one after
 * another. */
static void take_transpose(const io_reader *reader, io_npy *npy)
{
    const uint64_t rows = npy->shape[0], columns = npy->shape[1];
    if ((rows != 3 && rows != 6) || columns <= WHITEWATER_COLUMNS) return;
    base_log(reader->log, WEIR_LOG_INFO,
             "%s: the shape (%llu, %llu) is read as %llu particles with %llu columns", reader->path,
             (unsigned long long)rows, (unsigned long long)columns, (unsigned long long)columns,
             (unsigned long long)rows);
    npy->shape[0] = columns;
    npy->shape[1] = rows;
    npy->column_order = !npy->column_order;
}

static weir_result check_shape(const io_reader *reader, io_npy *npy)
{
    base_text shape = {0};
    if (npy->dimensions == 2) take_transpose(reader, npy);
    if (npy->dimensions == 2 && column_count(npy) >= 3 && column_count(npy) <= COLUMNS_MAX)
        return WEIR_OK;
    for (uint32_t i = 0; i < npy->dimensions; i++)
        base_text_append(&shape, "%s%llu", i ? ", " : "", (unsigned long long)npy->shape[i]);
    weir_result result =
        io_fail(reader, reader->at,
                "the array has the shape (%s); expected two dimensions, (rows, columns), with 3 "
                "columns (x y z), 6 (and vx vy vz), 9 (and id fluid density), or more after these",
                shape.items ? shape.items : "");
    base_free(shape.items);
    return result;
}

io_array io_npy_rows(const io_npy *npy)
{
    const io_npy_field *element = &npy->fields[0];
    const size_t rows = (size_t)npy->shape[0];
    const size_t columns = npy->dimensions > 1 ? (size_t)npy->shape[1] : 1;
    return (io_array){.at = npy->data,
                      .type = element->type,
                      .big_endian = element->big_endian,
                      .components = (uint32_t)columns,
                      .stride = element->bytes * (npy->column_order ? 1 : columns),
                      .step = element->bytes * (npy->column_order ? rows : 1)};
}

static weir_result read_rows(const io_reader *reader, io_npy *npy, io_particles *particles)
{
    uint32_t scalars = 0, first = 0;
    if (!npy->fields[0].number) return io_npy_fail_type(reader, npy->fields[0].name.at);
    WEIR_RETURN_IF_ERROR(check_shape(reader, npy));
    WEIR_RETURN_IF_ERROR(io_npy_check_size(reader, npy));
    for (uint64_t c = 0; scalar_of_column(reader, npy, c) != IO_SCALAR_NONE; c++)
        scalars |= 1u << scalar_of_column(reader, npy, c);
    WEIR_RETURN_IF_ERROR(io_particles_allocate(reader, npy->shape[0], scalars, particles));
    io_array rows = io_npy_rows(npy), run = rows;
    for (io_scalar scalar; (scalar = scalar_of_column(reader, npy, first)) != IO_SCALAR_NONE;
         first += run.components) {
        /* a run of columns whose scalars follow each other */
        run.at = rows.at + first * rows.step;
        run.components = 1;
        while (scalar_of_column(reader, npy, first + run.components) == scalar + run.components &&
               scalar + run.components < IO_SCALAR_NONE)
            run.components++;
        WEIR_RETURN_IF_ERROR(io_particles_read_array(reader, &run, scalar, particles));
    }
    return WEIR_OK;
}

/* ---- records -------------------------------------------------------------------------------- */

/* Finds the scalar of each field, the first of a vector's. */
static uint32_t find_scalars(const io_reader *reader, const io_npy *npy, io_scalar *scalars)
{
    io_token names[IO_NPY_FIELDS];
    uint32_t found = 0, columns;
    for (uint32_t i = 0; i < npy->field_count; i++) {
        const io_npy_field *field = &npy->fields[i];
        names[i] =
            field->number && field->components == 1 ? field->name : (io_token){field->name.at, 0};
    }
    columns = io_scalars_of_columns(reader, names, npy->field_count, scalars);
    for (uint32_t i = 0; i < npy->field_count; i++) {
        const io_npy_field *field = &npy->fields[i];
        if (!field->number || field->components == 1) continue;
        io_scalar scalar = io_scalar_of_named_array(reader, field->name, field->components);
        if (scalar != IO_SCALAR_NONE && columns >> scalar & 7u) scalar = IO_SCALAR_NONE;
        scalars[i] = io_scalar_claim_columns(scalar, field->components, &found);
    }
    return found | columns;
}

static weir_result read_records(const io_reader *reader, const io_npy *npy, io_particles *particles)
{
    io_scalar scalars[IO_NPY_FIELDS];
    uint32_t found = find_scalars(reader, npy, scalars);
    uint64_t count = 1;
    for (uint32_t i = 0; i < npy->dimensions; i++)
        count *= npy->shape[i];
    if ((found & 7u) != 7u)
        return io_fail(reader, reader->begin,
                       "the records have no position: expected fields x, y and z, or a field "
                       "\"position\" of 3 numbers");
    WEIR_RETURN_IF_ERROR(io_npy_check_size(reader, npy));
    WEIR_RETURN_IF_ERROR(io_particles_allocate(reader, count, found, particles));
    for (uint32_t i = 0; i < npy->field_count; i++) {
        const io_npy_field *field = &npy->fields[i];
        const io_array array = {.at = npy->data + field->offset,
                                .type = field->type,
                                .big_endian = field->big_endian,
                                .components = field->components,
                                .stride = npy->item_bytes,
                                .step = field->bytes};
        if (scalars[i] != IO_SCALAR_NONE)
            WEIR_RETURN_IF_ERROR(io_particles_read_array(reader, &array, scalars[i], particles));
    }
    return WEIR_OK;
}

weir_result io_npy_read_array(const io_reader *reader, io_npy *npy, io_particles *particles)
{
    return npy->record ? read_records(reader, npy, particles) : read_rows(reader, npy, particles);
}

weir_result io_npy_read(io_reader *reader, io_particles *particles)
{
    io_npy npy = {0};
    WEIR_RETURN_IF_ERROR(io_npy_read_header(reader, &npy));
    return io_npy_read_array(reader, &npy, particles);
}
