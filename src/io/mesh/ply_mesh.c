/* Reads triangle meshes from PLY; polygons become fans. */
#include "io_internal.h"

static bool is_corner_list(const io_ply_property *property)
{
    static const char *const names[] = {"vertex_indices", "vertex_index"};
    return property->list && io_token_is_any(property->name, names, BASE_COUNT(names));
}

/* Returns the axis (0, 1, 2) of a coordinate property, 3 for any other. */
static uint32_t axis_of(const io_ply_property *property)
{
    static const char *const names[] = {"x", "y", "z"};
    for (uint32_t axis = 0; axis < 3 && !property->list; axis++)
        if (io_token_is(property->name, names[axis])) return axis;
    return 3;
}

static weir_result read_vertex(io_reader *reader, const io_ply *ply, const io_ply_element *element,
                               float position[3])
{
    for (uint32_t i = element->first; i < element->end; i++) {
        const io_ply_property *property = &ply->properties[i];
        uint32_t axis = axis_of(property);
        WEIR_RETURN_IF_ERROR(
            axis == 3 ? io_ply_skip_property(reader, property)
                      : io_read_coordinate(reader, property->type, (int)axis, &position[axis]));
    }
    return WEIR_OK;
}

static weir_result read_vertices(io_reader *reader, const io_ply *ply,
                                 const io_ply_element *element, io_mesh_build *build)
{
    uint32_t axes = 0;
    for (uint32_t i = element->first; i < element->end; i++)
        axes |= 1u << axis_of(&ply->properties[i]);
    if ((axes & 7u) != 7u)
        return io_fail(reader, reader->at,
                       "the element \"vertex\" needs number properties x, y and z");
    WEIR_RETURN_IF_ERROR(io_ply_check_rows(reader, ply, element));
    for (uint64_t row = 0; row < element->count; row++) {
        float position[3] = {0};
        WEIR_RETURN_IF_ERROR(read_vertex(reader, ply, element, position));
        WEIR_RETURN_IF_ERROR(
            io_mesh_add_vertex(reader, build, vec3_make(position[0], position[1], position[2])));
    }
    return WEIR_OK;
}

static weir_result read_polygon(io_reader *reader, const io_ply_property *property,
                                uint64_t vertex_count, io_mesh_build *build)
{
    io_polygon polygon = {.type = property->type, .vertex_count = vertex_count};
    if (reader->text) io_skip_space(reader);
    polygon.at = reader->at;
    WEIR_RETURN_IF_ERROR(io_ply_list_count(reader, property, &polygon.corners));
    return io_mesh_read_polygon(reader, &polygon, build);
}

/* ---- strips --------------------------------------------------------------------------------- */

static weir_result add_strip_corner(io_reader *reader, io_number number, uint64_t vertex_count,
                                    io_polygon_fan *strip, io_mesh_build *build)
{
    if (number.value < 0) { /* ends a strip, and the next begins */
        *strip = (io_polygon_fan){.strip = true};
        return WEIR_OK;
    }
    if (!(number.value < (double)vertex_count) || number.value != floor(number.value))
        return io_fail(reader, number.at,
                       "vertex index %.17g; the %llu vertices have indices from 0", number.value,
                       (unsigned long long)vertex_count);
    return io_fan_add(reader, build, strip, (uint32_t)number.value);
}

static weir_result read_strip(io_reader *reader, const io_ply_property *property,
                              uint64_t vertex_count, io_mesh_build *build)
{
    uint64_t count = 0;
    io_polygon_fan strip = {.strip = true};
    WEIR_RETURN_IF_ERROR(io_ply_list_count(reader, property, &count));
    for (uint64_t i = 0; i < count; i++) {
        io_number number;
        WEIR_RETURN_IF_ERROR(io_read_number(reader, property->type, "a vertex index", &number));
        WEIR_RETURN_IF_ERROR(add_strip_corner(reader, number, vertex_count, &strip, build));
    }
    return WEIR_OK;
}

/* ---- the file ------------------------------------------------------------------------------- */

static weir_result read_faces(io_reader *reader, const io_ply *ply, const io_ply_element *element,
                              io_mesh_build *build)
{
    uint64_t vertex_count = io_ply_find(ply, "vertex")->count;
    const bool strips = io_token_is(element->name, "tristrips");
    uint32_t corners = element->first;
    while (corners < element->end && !is_corner_list(&ply->properties[corners]))
        corners++;
    if (corners == element->end)
        return io_fail(reader, reader->at,
                       "the element \"%.*s\" needs a list property \"vertex_indices\"",
                       IO_TOKEN_ARGUMENTS(element->name));
    WEIR_RETURN_IF_ERROR(io_ply_check_rows(reader, ply, element));
    for (uint64_t row = 0; row < element->count; row++)
        for (uint32_t i = element->first; i < element->end; i++)
            WEIR_RETURN_IF_ERROR(
                i != corners ? io_ply_skip_property(reader, &ply->properties[i])
                : strips     ? read_strip(reader, &ply->properties[i], vertex_count, build)
                             : read_polygon(reader, &ply->properties[i], vertex_count, build));
    return WEIR_OK;
}

/* Returns the element of faces, or of strips of triangles, as scans have them. */
const io_ply_element *io_ply_find_faces(const io_ply *ply)
{
    const io_ply_element *faces = io_ply_find(ply, "face");
    return faces && faces->count           ? faces
           : io_ply_find(ply, "tristrips") ? io_ply_find(ply, "tristrips")
                                           : faces;
}

weir_result io_ply_read_mesh(io_reader *reader, io_mesh_build *build)
{
    io_ply ply = {0};
    WEIR_RETURN_IF_ERROR(io_ply_read_header(reader, &ply));
    const io_ply_element *vertices = io_ply_find(&ply, "vertex");
    const io_ply_element *faces = io_ply_find_faces(&ply);
    if (!vertices || !faces)
        return io_fail(reader, reader->at, "a mesh needs the elements \"vertex\" and \"face\"%s",
                       vertices ? "; this file contains only points" : "");
    for (uint32_t i = 0; i < ply.element_count; i++) {
        const io_ply_element *element = &ply.elements[i];
        if (element == vertices)
            WEIR_RETURN_IF_ERROR(read_vertices(reader, &ply, element, build));
        else if (element == faces)
            WEIR_RETURN_IF_ERROR(read_faces(reader, &ply, element, build));
        else
            WEIR_RETURN_IF_ERROR(io_ply_skip_rows(reader, &ply, element));
    }
    return WEIR_OK;
}
