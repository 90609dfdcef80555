/* Reads the faces of VTK's XML files: polygons and strips of polydata, and the cells of an
 * unstructured grid that are faces. */
#include "vtk_xml.h"

typedef struct integers {
    const io_reader *reader;
    const char *what; /* in messages */
    BASE_ARRAY(uint32_t) numbers;
} integers;

static weir_result put_integer(void *target, const vtk_xml_array *array, vtk_xml_place place,
                               io_number number)
{
    (void)array, (void)place;
    integers *integers = target;
    uint32_t value;
    WEIR_RETURN_IF_ERROR(io_to_uint(integers->reader, number, integers->what, &value));
    return BASE_ARRAY_PUSH(&integers->numbers, value)
               ? WEIR_OK
               : io_fail_memory(integers->reader, "its cells");
}

/* The cells of one section of one piece. */
typedef struct cells {
    const vtk_xml_array *array;       /* of corners */
    integers corners, offsets, types; /* types: empty unless the cells are typed */
    uint32_t skipped;
} cells;

/* Returns the array of the same cells with another role; NULL: the file has none. */
static const vtk_xml_array *find_array(const vtk_xml *vtk, const vtk_xml_array *of,
                                       vtk_xml_role role)
{
    for (uint32_t i = 0; i < vtk->array_count; i++) {
        const vtk_xml_array *array = &vtk->arrays[i];
        if (array->role == role && array->piece == of->piece && array->cells == of->cells)
            return array;
    }
    return NULL;
}

static weir_result read_integers(vtk_xml *vtk, const vtk_xml_array *of, vtk_xml_role role,
                                 integers *integers)
{
    const vtk_xml_array *array = find_array(vtk, of, role);
    if (!array)
        return io_fail(vtk->reader, of->body.at,
                       "cells without an array of %s: the file is damaged", integers->what);
    return vtk_xml_read_array(vtk, array, put_integer, integers);
}

static weir_result read_corners(vtk_xml *vtk, cells *cells)
{
    vtk_xml_array array = *cells->array;
    const size_t count = cells->offsets.numbers.count;
    const uint32_t *ends = cells->offsets.numbers.items;
    for (size_t i = 1; i < count; i++)
        if (ends[i] < ends[i - 1])
            return io_fail(vtk->reader, array.body.at,
                           "offset %zu of the cells is %u, less than %u before it: the file is "
                           "damaged",
                           i, ends[i], ends[i - 1]);
    array.tuples = count ? ends[count - 1] : 0;
    return vtk_xml_read_array(vtk, &array, put_integer, &cells->corners);
}

static weir_result add_face(const vtk_xml *vtk, const cells *cells, io_polygon polygon,
                            const uint32_t *corners, io_mesh_build *build)
{
    io_polygon_fan fan = {.strip = polygon.strip};
    WEIR_RETURN_IF_ERROR(io_check_corners(vtk->reader, polygon.at, polygon.corners));
    for (uint64_t i = 0; i < polygon.corners; i++) {
        if (corners[i] >= cells->array->points)
            return io_fail(vtk->reader, polygon.at,
                           "vertex index %u; the piece's %llu points have indices from 0",
                           corners[i], (unsigned long long)cells->array->points);
        const uint32_t corner = (uint32_t)cells->array->first + corners[i];
        WEIR_RETURN_IF_ERROR(io_fan_add(vtk->reader, build, &fan, corner));
    }
    return io_fan_end(vtk->reader, build, &fan);
}

static weir_result add_faces(const vtk_xml *vtk, cells *cells, io_mesh_build *build)
{
    const bool typed = cells->array->cells == VTK_XML_TYPED;
    uint32_t start = 0;
    for (size_t i = 0; i < cells->offsets.numbers.count; i++) {
        const uint32_t end = cells->offsets.numbers.items[i];
        const uint32_t type = typed ? cells->types.numbers.items[i]
                              : cells->array->cells == VTK_XML_STRIPS ? IO_VTK_STRIP
                                                                      : IO_VTK_POLYGON;
        const io_polygon polygon = {
            .at = cells->array->body.at, .corners = end - start, .strip = io_vtk_is_strip(type)};
        if (io_vtk_is_face(type))
            WEIR_RETURN_IF_ERROR(
                add_face(vtk, cells, polygon, cells->corners.numbers.items + start, build));
        else
            cells->skipped++;
        start = end;
    }
    return WEIR_OK;
}

static weir_result read_cells(vtk_xml *vtk, const vtk_xml_array *array, io_mesh_build *build)
{
    cells cells = {.array = array,
                   .corners = {vtk->reader, "corners", {0}},
                   .offsets = {vtk->reader, "offsets", {0}},
                   .types = {vtk->reader, "types", {0}}};
    weir_result result;
    WEIR_GOTO_IF_ERROR(read_integers(vtk, array, VTK_XML_OFFSETS, &cells.offsets));
    WEIR_GOTO_IF_ERROR(read_corners(vtk, &cells));
    if (array->cells == VTK_XML_TYPED)
        WEIR_GOTO_IF_ERROR(read_integers(vtk, array, VTK_XML_TYPES, &cells.types));
    WEIR_GOTO_IF_ERROR(add_faces(vtk, &cells, build));
    io_vtk_log_skipped_cells(vtk->reader, cells.skipped);
fail:
    BASE_ARRAY_FREE(&cells.corners.numbers);
    BASE_ARRAY_FREE(&cells.offsets.numbers);
    BASE_ARRAY_FREE(&cells.types.numbers);
    return result;
}

weir_result io_vtk_xml_read_mesh(io_reader *reader, io_mesh_build *build)
{
    io_particles points = {0};
    vtk_xml vtk = {.reader = reader, .reads_cells = true, .header_type = IO_U32};
    weir_result result;
    WEIR_GOTO_IF_ERROR(vtk_xml_read_tags(&vtk));
    WEIR_GOTO_IF_ERROR(vtk_xml_fill_points(&vtk, &points));
    WEIR_GOTO_IF_ERROR(io_mesh_add_points(reader, &points, build));
    for (uint32_t i = 0; result == WEIR_OK && i < vtk.array_count; i++)
        if (vtk.arrays[i].role == VTK_XML_CORNERS && vtk.arrays[i].tuples)
            result = read_cells(&vtk, &vtk.arrays[i], build);
fail:
    io_particles_free(&points);
    return result;
}

static weir_result put_has_face(void *target, const vtk_xml_array *array, vtk_xml_place place,
                                io_number number)
{
    (void)array, (void)place;
    bool *has_faces = target;
    *has_faces |= number.value >= 0 && number.value < 256 && io_vtk_is_face((uint64_t)number.value);
    return WEIR_OK;
}

bool io_vtk_xml_has_faces(io_reader *reader)
{
    vtk_xml vtk = {.reader = reader, .reads_cells = true, .header_type = IO_U32};
    bool has_faces = false;
    if (vtk_xml_read_tags(&vtk) != WEIR_OK) return false;
    for (uint32_t i = 0; !has_faces && i < vtk.array_count; i++) {
        const vtk_xml_array *array = &vtk.arrays[i];
        if (array->role == VTK_XML_TYPES)
            (void)vtk_xml_read_array(&vtk, array, put_has_face, &has_faces);
        else
            has_faces = array->role == VTK_XML_CORNERS && array->cells != VTK_XML_TYPED &&
                        array->tuples > 0;
    }
    return has_faces;
}
