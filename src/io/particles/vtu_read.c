/* Reads the points of VTK's XML files of unstructured grids and polydata, with the point data that
 * particles have. */
#include "vtk_xml.h"

typedef struct point_target {
    const io_reader *reader;
    io_particles *particles;
} point_target;

static weir_result put_number(void *target, const vtk_xml_array *array, vtk_xml_place place,
                              io_number number)
{
    const point_target *points = target;
    if (array->role == VTK_XML_TIME) {
        if (isfinite(number.value)) points->particles->time_s = number.value;
        return WEIR_OK;
    }
    if (array->role == VTK_XML_RADIUS) {
        if (isfinite(number.value) && number.value > 0.0)
            points->particles->radius_m = (float)number.value;
        return WEIR_OK;
    }
    io_table_cell cell = {(size_t)(array->first + place.tuple), array->scalar + place.component};
    return io_particles_set_value(points->reader, points->particles, cell, number);
}

/* Returns the scalars that every piece with points has, as bits 1 << scalar. */
static uint32_t scalars_there(const vtk_xml *vtk)
{
    uint64_t covered[IO_SCALAR_COUNT] = {0}, components[IO_SCALAR_COUNT] = {0};
    uint32_t there = 0;
    for (uint32_t i = 0; i < vtk->array_count; i++) {
        const vtk_xml_array *array = &vtk->arrays[i];
        if (array->role != VTK_XML_SCALAR) continue;
        covered[array->scalar] += array->tuples;
        components[array->scalar] = array->components;
    }
    components[IO_SCALAR_X] = 3;
    for (io_scalar scalar = 0; scalar < IO_SCALAR_COUNT; scalar++)
        if (components[scalar] > 0 && covered[scalar] >= vtk->point_count)
            there |= io_scalar_bits(scalar, components[scalar]);
    return there;
}

weir_result vtk_xml_fill_points(vtk_xml *vtk, io_particles *particles)
{
    point_target target = {vtk->reader, particles};
    uint32_t there = scalars_there(vtk);
    if (!(there & 1u << IO_SCALAR_X))
        return io_fail(vtk->reader, vtk->reader->end,
                       "a piece has no <Points> array for its points");
    WEIR_RETURN_IF_ERROR(io_particles_allocate(vtk->reader, vtk->point_count, there, particles));
    for (uint32_t i = 0; i < vtk->array_count; i++) {
        const vtk_xml_array *array = &vtk->arrays[i];
        if (array->role == VTK_XML_SCALAR || array->role == VTK_XML_TIME ||
            array->role == VTK_XML_RADIUS)
            WEIR_RETURN_IF_ERROR(vtk_xml_read_array(vtk, array, put_number, &target));
    }
    return WEIR_OK;
}

weir_result io_vtu_read(io_reader *reader, io_particles *particles)
{
    vtk_xml vtk = {.reader = reader, .header_type = IO_U32};
    WEIR_RETURN_IF_ERROR(vtk_xml_read_tags(&vtk));
    return vtk_xml_fill_points(&vtk, particles);
}
