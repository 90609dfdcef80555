/* Reads particles from PLY. */
#include "io_internal.h"

typedef struct points {
    const io_ply *ply;
    const io_ply_element *element;
    io_scalar scalars[IO_PLY_PROPERTIES];
    uint32_t there; /* bits 1 << scalar */
} points;

static const io_ply_element *find_element(const io_ply *ply)
{
    const io_ply_element *element = io_ply_find(ply, "vertex");
    if (!element) element = io_ply_find(ply, "point");
    return element ? element : io_ply_find(ply, "particle");
}

static void find_scalars(const io_reader *reader, points *points)
{
    const io_ply_property *properties = &points->ply->properties[points->element->first];
    io_token names[IO_PLY_PROPERTIES];
    const uint32_t count = points->element->end - points->element->first;
    for (uint32_t i = 0; i < count; i++)
        names[i] =
            (io_token){properties[i].name.at, properties[i].list ? 0 : properties[i].name.size};
    points->there =
        io_scalars_of_columns(reader, names, count, &points->scalars[points->element->first]);
}

static weir_result read_row(io_reader *reader, const points *points, io_particles *particles,
                            size_t row)
{
    for (uint32_t i = points->element->first; i < points->element->end; i++) {
        const io_ply_property *property = &points->ply->properties[i];
        io_table_cell cell = {row, points->scalars[i]};
        WEIR_RETURN_IF_ERROR(
            cell.scalar == IO_SCALAR_NONE
                ? io_ply_skip_property(reader, property)
                : io_particles_read_value(reader, property->type, particles, cell));
    }
    return WEIR_OK;
}

static weir_result read_rows(io_reader *reader, const points *points, io_particles *particles)
{
    WEIR_ASSERT(points->element->first < points->element->end);
    WEIR_RETURN_IF_ERROR(io_ply_check_rows(reader, points->ply, points->element));
    WEIR_RETURN_IF_ERROR(
        io_particles_allocate(reader, points->element->count, points->there, particles));
    for (size_t row = 0; row < particles->count; row++)
        WEIR_RETURN_IF_ERROR(read_row(reader, points, particles, row));
    return WEIR_OK;
}

/* Rejects a last element with more rows than the header counts; text may have any ending. */
static weir_result refuse_more_rows(const io_reader *reader, const points *points)
{
    const io_ply *ply = points->ply;
    size_t row = 0;
    for (uint32_t i = points->element->first; i < points->element->end; i++)
        row += io_type_size(ply->properties[i].list ? ply->properties[i].count_type
                                                    : ply->properties[i].type);
    bool last = points->element == ply->elements + ply->element_count - 1;
    if (!last || reader->text || io_remaining(reader) < row) return WEIR_OK;
    return io_fail(reader, reader->at,
                   "%zu bytes follow the %llu rows that the header declares; the count is wrong",
                   io_remaining(reader), (unsigned long long)points->element->count);
}

weir_result io_ply_read_particles(io_reader *reader, io_particles *particles)
{
    const uint32_t xyz = 7u;
    io_ply ply = {0};
    WEIR_RETURN_IF_ERROR(io_ply_read_header(reader, &ply));
    io_particles_parse_comment(particles,
                               (io_token){reader->begin, (size_t)(reader->at - reader->begin)});
    points points = {.ply = &ply, .element = find_element(&ply)};
    if (!points.element)
        return io_fail(reader, reader->at, "the header declares no element \"vertex\"");
    find_scalars(reader, &points);
    if ((points.there & xyz) != xyz)
        return io_fail(reader, reader->at,
                       "the element \"%.*s\" needs number properties x, y and z",
                       IO_TOKEN_ARGUMENTS(points.element->name));
    for (const io_ply_element *element = ply.elements; element < points.element; element++)
        WEIR_RETURN_IF_ERROR(io_ply_skip_rows(reader, &ply, element));
    WEIR_RETURN_IF_ERROR(read_rows(reader, &points, particles));
    return refuse_more_rows(reader, &points);
}
