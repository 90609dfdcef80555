/* Reads the tags of VTK's XML files, and lists their arrays. */
#include "vtk_xml.h"

bool io_is_vtk_xml(const io_reader *reader)
{
    bool xml = io_starts_with(reader, "<?xml") || io_starts_with(reader, "<VTKFile");
    return xml && !io_is_other_format(reader);
}

/* ---- tags ----------------------------------------------------------------------------------- */

static weir_result read_integer_attribute(const vtk_xml *vtk, const io_tag *tag, const char *name,
                                          uint64_t *value)
{
    io_token word = io_xml_attribute(tag, name);
    int64_t number;
    if (!io_token_int64(word, &number) || number < 0)
        return io_fail(vtk->reader, word.at,
                       "%s is \"%.*s\"; <%.*s> needs a whole number from 0 there", name,
                       IO_TOKEN_ARGUMENTS(word), IO_TOKEN_ARGUMENTS(tag->name));
    *value = (uint64_t)number;
    return WEIR_OK;
}

static weir_result read_file_tag(vtk_xml *vtk, const io_tag *tag)
{
    io_token kind = io_xml_attribute(tag, "type"), packer = io_xml_attribute(tag, "compressor");
    static const char *const kinds[] = {"UnstructuredGrid", "PolyData"};
    if (!io_token_is_any(kind, kinds, BASE_COUNT(kinds)))
        return io_fail(vtk->reader, kind.at,
                       "a VTK file of type \"%.*s\"; expected UnstructuredGrid (.vtu) or PolyData "
                       "(.vtp); of a parallel file its pieces are read",
                       IO_TOKEN_ARGUMENTS(kind));
    if (packer.size && !io_token_is(packer, "vtkZLibDataCompressor"))
        return io_fail(vtk->reader, packer.at,
                       "compressor \"%.*s\"; only vtkZLibDataCompressor is supported: save the "
                       "file with zlib or without compression",
                       IO_TOKEN_ARGUMENTS(packer));
    vtk->packed = packer.size > 0;
    vtk->big_endian = io_token_is(io_xml_attribute(tag, "byte_order"), "BigEndian");
    vtk->header_type =
        io_token_is(io_xml_attribute(tag, "header_type"), "UInt64") ? IO_U64 : IO_U32;
    return WEIR_OK;
}

static bool parse_type(io_token word, io_type *type)
{
    static const io_type_name names[] = {
        {"Float32", IO_F32}, {"Float64", IO_F64}, {"Int8", IO_I8},   {"UInt8", IO_U8},
        {"Int16", IO_I16},   {"UInt16", IO_U16},  {"Int32", IO_I32}, {"UInt32", IO_U32},
        {"Int64", IO_I64},   {"UInt64", IO_U64}};
    return io_find_type(word, names, BASE_COUNT(names), type);
}

static weir_result read_storage(const vtk_xml *vtk, const io_tag *tag, vtk_xml_array *array)
{
    io_token format = io_xml_attribute(tag, "format");
    const io_reader *reader = vtk->reader;
    array->body = (io_token){reader->at, 0};
    array->storage = io_token_is(format, "appended") ? VTK_XML_APPENDED
                     : io_token_is(format, "binary") ? VTK_XML_BASE64
                                                     : VTK_XML_TEXT;
    if (array->storage == VTK_XML_TEXT && format.size && !io_token_is(format, "ascii"))
        return io_fail(reader, format.at, "format \"%.*s\"; expected ascii, binary or appended",
                       IO_TOKEN_ARGUMENTS(format));
    if (array->storage == VTK_XML_APPENDED)
        return read_integer_attribute(vtk, tag, "offset", &array->offset);
    if (tag->closed) return WEIR_OK;
    const uint8_t *open = memchr(reader->at, '<', io_remaining(reader));
    if (!open)
        return io_fail(reader, tag->name.at, "the file ends inside this array; it is cut off");
    array->body.size = (size_t)(open - reader->at);
    return WEIR_OK;
}

static vtk_xml_cells cells_of_section(io_token section)
{
    return io_token_is(section, "Polys")    ? VTK_XML_POLYGONS
           : io_token_is(section, "Strips") ? VTK_XML_STRIPS
           : io_token_is(section, "Cells")  ? VTK_XML_TYPED
                                            : VTK_XML_NO_CELLS;
}

static vtk_xml_role role_of_cell_array(io_token name)
{
    return io_token_is(name, "connectivity") ? VTK_XML_CORNERS
           : io_token_is(name, "offsets")    ? VTK_XML_OFFSETS
           : io_token_is(name, "types")      ? VTK_XML_TYPES
                                             : VTK_XML_SKIPPED;
}

/* Finds what the array holds. */
static weir_result choose_role(const vtk_xml *vtk, const io_tag *tag, vtk_xml_array *array)
{
    io_token name = io_xml_attribute(tag, "Name");
    array->scalar = IO_SCALAR_NONE;
    if (io_token_is(vtk->section, "Points")) {
        if (array->components != 3)
            return io_fail(vtk->reader, tag->name.at, "points with %u components; expected 3",
                           array->components);
        array->scalar = IO_SCALAR_X;
    } else if (vtk->reads_cells) {
        array->cells = cells_of_section(vtk->section);
        if (array->cells) array->role = role_of_cell_array(name);
        array->tuples = vtk->piece_cells[array->cells];
        array->components = 1;
    } else if (io_token_is(vtk->section, "PointData")) {
        array->scalar = io_scalar_of_array(vtk->reader, name, array->components);
    } else if (io_token_is(vtk->section, "FieldData") && array->components == 1) {
        array->role = io_token_is_time(name)          ? VTK_XML_TIME
                      : io_token_is(name, "radius_m") ? VTK_XML_RADIUS
                                                      : VTK_XML_SKIPPED;
        array->tuples = 1;
    }
    if (array->scalar != IO_SCALAR_NONE) array->role = VTK_XML_SCALAR;
    return WEIR_OK;
}

static weir_result read_array_tag(vtk_xml *vtk, const io_tag *tag)
{
    uint64_t components = 1;
    bool points = io_token_is(vtk->section, "Points");
    vtk_xml_array array = {.piece = vtk->piece,
                           .first = vtk->point_count - vtk->piece_points,
                           .points = vtk->piece_points,
                           .tuples = vtk->piece_points};
    bool numbers = parse_type(io_xml_attribute(tag, "type"), &array.type);
    if (!numbers && !points) return WEIR_OK;
    if (!numbers)
        return io_fail(vtk->reader, tag->name.at,
                       "points of type \"%.*s\"; expected Float32 or Float64",
                       IO_TOKEN_ARGUMENTS(io_xml_attribute(tag, "type")));
    if (io_xml_attribute(tag, "NumberOfComponents").size)
        WEIR_RETURN_IF_ERROR(read_integer_attribute(vtk, tag, "NumberOfComponents", &components));
    array.components = components < UINT16_MAX ? (uint32_t)components : UINT16_MAX;
    WEIR_RETURN_IF_ERROR(choose_role(vtk, tag, &array));
    if (array.role == VTK_XML_SKIPPED) return WEIR_OK;
    if (vtk->array_count == VTK_XML_ARRAYS)
        return io_fail(vtk->reader, tag->name.at, "more than %u arrays of points and cells",
                       VTK_XML_ARRAYS);
    WEIR_RETURN_IF_ERROR(read_storage(vtk, tag, &array));
    vtk->arrays[vtk->array_count++] = array;
    return WEIR_OK;
}

/* Reads the number of cells of the piece; it stays 0 where the tag has none. */
static weir_result read_cell_count(vtk_xml *vtk, const io_tag *tag, const char *name,
                                   vtk_xml_cells cells)
{
    uint64_t *count = &vtk->piece_cells[cells];
    *count = 0;
    if (!vtk->reads_cells || !io_xml_attribute(tag, name).size) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(read_integer_attribute(vtk, tag, name, count));
    uint64_t most = (uint64_t)(vtk->reader->end - vtk->reader->begin) * VTK_XML_PACKED_RATIO;
    if (*count > most)
        return io_fail(vtk->reader, io_xml_attribute(tag, name).at,
                       "%llu cells cannot be in a file of this size", (unsigned long long)*count);
    return WEIR_OK;
}

static weir_result read_piece_tag(vtk_xml *vtk, const io_tag *tag)
{
    WEIR_RETURN_IF_ERROR(read_integer_attribute(vtk, tag, "NumberOfPoints", &vtk->piece_points));
    uint64_t most = (uint64_t)(vtk->reader->end - vtk->reader->begin) * VTK_XML_PACKED_RATIO;
    if (vtk->piece_points > UINT32_MAX - vtk->point_count || vtk->piece_points > most / 3)
        return io_fail(vtk->reader, io_xml_attribute(tag, "NumberOfPoints").at,
                       "%llu points cannot be in a file of this size",
                       (unsigned long long)vtk->piece_points);
    vtk->point_count += vtk->piece_points;
    vtk->piece++;
    WEIR_RETURN_IF_ERROR(read_cell_count(vtk, tag, "NumberOfPolys", VTK_XML_POLYGONS));
    WEIR_RETURN_IF_ERROR(read_cell_count(vtk, tag, "NumberOfStrips", VTK_XML_STRIPS));
    return read_cell_count(vtk, tag, "NumberOfCells", VTK_XML_TYPED);
}

/* Reads the tag of the appended data, which starts after an underscore. */
static weir_result read_appended_tag(vtk_xml *vtk, const io_tag *tag)
{
    io_reader *reader = vtk->reader;
    vtk->appended_raw = io_token_is(io_xml_attribute(tag, "encoding"), "raw");
    io_skip_space(reader);
    if (!io_starts_with(reader, "_"))
        return io_fail(reader, reader->at, "expected \"_\" before the appended data");
    vtk->appended = ++reader->at;
    return WEIR_OK;
}

static weir_result read_tag(vtk_xml *vtk, const io_tag *tag)
{
    static const char *const sections[] = {"Points", "PointData", "CellData", "Cells",    "Verts",
                                           "Lines",  "Strips",    "Polys",    "FieldData"};
    if (io_token_is_any(tag->name, sections, BASE_COUNT(sections))) {
        vtk->section = tag->closing || tag->closed ? (io_token){tag->name.at, 0} : tag->name;
        return WEIR_OK;
    }
    if (tag->closing) return WEIR_OK;
    if (io_token_is(tag->name, "VTKFile")) return read_file_tag(vtk, tag);
    if (io_token_is(tag->name, "Piece")) return read_piece_tag(vtk, tag);
    if (io_token_is(tag->name, "DataArray")) return read_array_tag(vtk, tag);
    if (io_token_is(tag->name, "AppendedData")) return read_appended_tag(vtk, tag);
    return WEIR_OK;
}

weir_result vtk_xml_read_tags(vtk_xml *vtk)
{
    io_tag tag;
    bool opened = false;
    for (;;) {
        WEIR_RETURN_IF_ERROR(io_xml_next(vtk->reader, &tag));
        bool file = io_token_is(tag.name, "VTKFile");
        opened |= file;
        if (!opened && tag.name.size)
            return io_fail(vtk->reader, tag.name.at, "<%.*s> is not a VTK file; expected <VTKFile>",
                           IO_TOKEN_ARGUMENTS(tag.name));
        if (opened && file && tag.closing) return WEIR_OK;
        if (!tag.name.size)
            return io_fail(vtk->reader, vtk->reader->end,
                           "the file ends before </VTKFile>; it is cut off");
        WEIR_RETURN_IF_ERROR(read_tag(vtk, &tag));
        if (vtk->appended) return WEIR_OK;
    }
}
