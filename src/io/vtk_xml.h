/* Private header of VTK's XML files (VTK File Formats, "XML File Formats"), of which particles and
 * meshes are read. Arrays may be text, base64, or appended raw or in base64, plain or in blocks
 * compressed by zlib. */
#ifndef WEIR_IO_VTK_XML_H
#define WEIR_IO_VTK_XML_H

#include "io_internal.h"

#define VTK_XML_ARRAYS 64u         /* maximum number of arrays of all pieces that are read */
#define VTK_XML_PACKED_RATIO 1032u /* maximum of deflate */

typedef enum vtk_xml_role {
    VTK_XML_SKIPPED,
    VTK_XML_SCALAR, /* of the points: array.scalar and those after it */
    VTK_XML_TIME,   /* the file's time, not a value per point */
    VTK_XML_RADIUS, /* that of every point, which Weir writes */
    VTK_XML_CORNERS,
    VTK_XML_OFFSETS, /* the end of each cell's corners */
    VTK_XML_TYPES,
} vtk_xml_role;

typedef enum vtk_xml_storage {
    VTK_XML_TEXT,
    VTK_XML_BASE64,
    VTK_XML_APPENDED,
} vtk_xml_storage;

/* The arrays of a section whose cells may be faces. */
typedef enum vtk_xml_cells {
    VTK_XML_NO_CELLS,
    VTK_XML_POLYGONS,
    VTK_XML_STRIPS,
    VTK_XML_TYPED, /* of an unstructured grid */
} vtk_xml_cells;

typedef struct vtk_xml_array {
    vtk_xml_role role;
    vtk_xml_cells cells;
    io_scalar scalar;
    io_type type;
    uint32_t components;
    vtk_xml_storage storage;
    io_token body;   /* text between the tags */
    uint64_t offset; /* into the appended data */
    uint32_t piece;
    uint64_t first, points; /* of the piece */
    uint64_t tuples;
} vtk_xml_array;

typedef struct vtk_xml {
    io_reader *reader;
    bool reads_cells;    /* set by the caller: a mesh is read, only its points and its cells */
    io_type header_type; /* of the sizes that precede binary data */
    bool big_endian, packed, appended_raw;
    const uint8_t *appended; /* first byte of the appended data; NULL: none */
    uint32_t piece;          /* pieces read so far */
    uint64_t point_count;    /* of them */
    uint64_t piece_points, piece_cells[VTK_XML_TYPED + 1];
    io_token section; /* name of the tag that contains the arrays */
    vtk_xml_array arrays[VTK_XML_ARRAYS];
    uint32_t array_count;
} vtk_xml;

/* Reads all tags and lists the arrays; their numbers are read later, by vtk_xml_read_array.
 * Errors: IO. */
weir_result vtk_xml_read_tags(vtk_xml *vtk);

typedef struct vtk_xml_place {
    uint64_t tuple;
    uint32_t component;
} vtk_xml_place;
/* Takes one number of an array. */
typedef weir_result (*vtk_xml_put)(void *target, const vtk_xml_array *array, vtk_xml_place place,
                                   io_number number);
/* Passes each of an array's tuples * components numbers to `put`. Errors: IO, MEMORY; those of
 * `put`. */
weir_result vtk_xml_read_array(vtk_xml *vtk, const vtk_xml_array *array, vtk_xml_put put,
                               void *target);

/* Fills `particles` with the scalars that every piece has, of which the positions must be one.
 * Errors: IO, MEMORY. */
weir_result vtk_xml_fill_points(vtk_xml *vtk, io_particles *particles);

#endif
