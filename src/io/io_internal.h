/* Private header of the io module: a reader over bytes that knows its location, typed numbers, and
 * a buffered writer. */
#ifndef IO_INTERNAL_H
#define IO_INTERNAL_H

#include "io.h"

/* Maximum size of a file to read, and of the data that a compressed file decompresses to. */
#define IO_SIZE_MAX ((size_t)8 << 30)

/* ---- reading -------------------------------------------------------------------------------- */

/* Particles of a file that have a number which is no finite float. */
typedef struct io_not_finite {
    bool *particles;   /* [count]; NULL: there are none */
    const uint8_t *at; /* the first such number */
    const char *what;  /* its name */
    double value;
} io_not_finite;

typedef struct io_reader {
    const weir_log *log;
    const char *path;
    const uint8_t *begin, *end; /* the whole file, or its decompressed data */
    const uint8_t *at;          /* the next byte to read */
    bool text;                  /* numbers are words, and errors name line and column */
    bool big_endian;
    bool unpacked;                     /* locations refer to the decompressed bytes */
    bool whitewater;                   /* also read kind, age, lifetime and radius */
    const base_attributes *attributes; /* also read these; NULL: none */
    double origin[3];                  /* subtracted from each position that is read */
    io_not_finite *not_finite;         /* where particles may have such numbers; NULL: nowhere */
} io_reader;

/* A piece of the file; not NUL-terminated. */
typedef struct io_token {
    const uint8_t *at;
    size_t size;
} io_token;

/* Arguments for "%.*s": a word's length, cut for messages, and its bytes. */
#define IO_TOKEN_ARGUMENTS(word) io_token_length(word), (const char *)(word).at

int io_token_length(io_token word);
bool io_token_is(io_token word, const char *text); /* ignores case */
bool io_token_is_any(io_token word, const char *const *texts, size_t count);
/* Parse a word; return false unless all of it is one number. */
bool io_token_double(io_token word, double *value);
bool io_token_int64(io_token word, int64_t *value);
/* The same for finite numbers, NaN and infinities as various programs print them. */
bool io_token_number(io_token word, double *value);
/* Parses a number with one comma in place of the decimal point; returns false for other words. */
bool io_token_decimal_comma(io_token word, double *value);

/* Replaces control characters: bytes of the file appear in messages and must not control a
 * terminal. */
void io_replace_control_bytes(char *text);
/* A place in a file, and the level of the message about it. */
typedef struct io_location {
    const io_reader *reader;
    const uint8_t *at;
    weir_log_level level;
} io_location;
/* Logs "FILE:LINE:COLUMN: ..." or "FILE: byte N: ..." for the location. */
void io_log_at(const io_location *location, const char *format, ...) BASE_PRINTF(2, 3);
#define io_log_error(reader, at, ...) \
    io_log_at(&(const io_location){reader, at, WEIR_LOG_ERROR}, __VA_ARGS__)
/* Logs the error and evaluates to WEIR_ERROR_IO; a macro for the same reason as base_fail. */
#define io_fail(reader, at, ...) (io_log_error(reader, at, __VA_ARGS__), (weir_result)WEIR_ERROR_IO)
static inline weir_result io_fail_memory(const io_reader *reader, const char *what)
{
    return base_fail(reader->log, WEIR_ERROR_MEMORY, "%s: not enough memory for %s", reader->path,
                     what);
}

/* Returns a reader at the first byte, for binary data until `text` is set. */
io_reader io_reader_make(const weir_log *log, const char *path, const base_blob *blob);
static inline size_t io_remaining(const io_reader *reader)
{
    return (size_t)(reader->end - reader->at);
}
bool io_starts_with(const io_reader *reader, const char *text);
/* Ignores case, and ".gz" after the extension. */
bool io_has_extension(const io_reader *reader, const char *extension);

void io_skip_blanks(io_reader *reader); /* spaces and tabs */
void io_skip_space(io_reader *reader);  /* also line ends */
/* Moves past the end of this line: LF, CR LF or a lone CR. */
void io_skip_line(io_reader *reader);
static inline bool io_at_line_end(const io_reader *reader)
{
    return reader->at == reader->end || *reader->at == '\n' || *reader->at == '\r';
}
io_token io_read_token(io_reader *reader);         /* on any line; size 0 at the file's end */
io_token io_read_token_in_line(io_reader *reader); /* size 0 at the line's end */
io_token io_read_line(io_reader *reader);          /* without its end */

typedef enum io_type {
    IO_I8,
    IO_U8,
    IO_I16,
    IO_U16,
    IO_I32,
    IO_U32,
    IO_I64,
    IO_U64,
    IO_F16,
    IO_F32,
    IO_F64,
} io_type;
size_t io_type_size(io_type type);
typedef struct io_type_name {
    const char *name;
    io_type type;
} io_type_name;
/* Finds the type with this name; returns false, with *type unchanged, for any other word. */
bool io_find_type(io_token word, const io_type_name *names, size_t count, io_type *type);

/* Loads an unsigned integer of `size` bytes, at most 8. */
uint64_t io_load_bits(const uint8_t *bytes, size_t size, bool big_endian);
/* Loads one number of a binary file; `bytes` holds io_type_size(type) bytes. */
double io_load(const uint8_t *bytes, io_type type, bool big_endian);
typedef struct io_number {
    double value;
    const uint8_t *at;
} io_number;
/* Parses a word that is exactly one number. `what` names it in messages. Errors: IO. */
weir_result io_parse_number(const io_reader *reader, io_token word, const char *what,
                            io_number *number);
/* Reads the next number: a word if the file is text, else a binary number of `type`. Errors: IO for
 * a missing or malformed number. */
weir_result io_read_number(io_reader *reader, io_type type, const char *what, io_number *number);
/* Reads the next number as a float, checked by io_to_float. */
weir_result io_read_float(io_reader *reader, io_type type, const char *what, float *out);
/* Reads an integer in [0, limit]. */
weir_result io_read_count(io_reader *reader, const char *what, uint64_t limit, uint64_t *value);
/* Rejects `count` items of at least `size` bytes each if the rest of the file is shorter. */
weir_result io_check_count(const io_reader *reader, uint64_t count, uint64_t size,
                           const char *what);
/* Returns the minimum bytes of one number, to check counts: its size, or a digit and a
 * separator. */
size_t io_number_size(const io_reader *reader, io_type type);
/* Reads a coordinate of a position as a float relative to reader->origin. */
weir_result io_read_coordinate(io_reader *reader, io_type type, int axis, float *out);
/* Returns whether the nearest float of a value is finite. */
bool io_fits_float(double value);
/* Converts to the nearest float; rejects NaN, infinities and values outside the range of floats. */
weir_result io_to_float(const io_reader *reader, io_number number, const char *what, float *out);
/* Converts to an integer; rejects all values but integers from 0 to 4294967295. */
weir_result io_to_uint(const io_reader *reader, io_number number, const char *what, uint32_t *out);

/* ---- compression ----------------------------------------------------------------------------- */

/* Reads a file into `blob`, which stays empty after an error, and decompresses it if it is gzip.
 * Errors: IO (unreadable, damaged, cut off), MEMORY. */
weir_result io_open_decompressed(const weir_log *log, const char *path, base_blob *blob,
                                 io_reader *reader);
/* Return the maximum size that this many compressed bytes may decompress to; report the error when
 * they exceed it. */
size_t io_max_decompressed_size(size_t packed);
weir_result io_fail_decompressed_size(const io_reader *reader, const uint8_t *at, size_t packed);
/* Decompresses one zlib stream of exactly `size` bytes; messages name the location `at`. */
weir_result io_zlib_decompress(const io_reader *reader, const uint8_t *at, io_token packed,
                               uint8_t *out, size_t size);
/* The same for a stream without zlib's header and checksum. */
weir_result io_deflate_decompress(const io_reader *reader, const uint8_t *at, io_token packed,
                                  uint8_t *out, size_t size);
uint32_t io_crc32(const uint8_t *bytes, size_t size); /* of gzip and ZIP */

/* Decodes four letters of base64 into up to three bytes; returns their number, or -1 when there is
 * no valid group. `padded`: the group held "=", which ends a unit of base64. */
int io_base64_read_group(const uint8_t **at, const uint8_t *end, uint8_t out[3], bool *padded);

/* ---- XML ------------------------------------------------------------------------------------ */

#define IO_TAG_ATTRIBUTES 32u
typedef struct io_attribute {
    io_token name, value;
} io_attribute;
typedef struct io_tag {
    io_token name;        /* empty at the file's end */
    bool closing, closed; /* </name>, <name/> */
    io_attribute attributes[IO_TAG_ATTRIBUTES];
    uint32_t count;
} io_tag;
/* Reads the next tag; skips text, comments and processing instructions. */
weir_result io_xml_next(io_reader *reader, io_tag *tag);
/* Returns the value of an attribute; if the tag lacks it, an empty token at the tag's name. */
io_token io_xml_attribute(const io_tag *tag, const char *name);

/* ---- particles ------------------------------------------------------------------------------ */

/* The numbers of a particle, 32 bits each; files name and order them in different ways. */
typedef enum io_scalar {
    IO_SCALAR_X,
    IO_SCALAR_Y,
    IO_SCALAR_Z,
    IO_SCALAR_VX,
    IO_SCALAR_VY,
    IO_SCALAR_VZ,
    IO_SCALAR_ID,
    IO_SCALAR_FLUID,
    IO_SCALAR_DENSITY,
    /* Number of scalars of fluid; those below are read only for whitewater. */
    IO_SCALAR_FLUID_COUNT,
    IO_SCALAR_KIND = IO_SCALAR_FLUID_COUNT,
    IO_SCALAR_AGE,
    IO_SCALAR_LIFETIME,
    IO_SCALAR_RADIUS,
    IO_SCALAR_ATTRIBUTE,                         /* the first of the reader's attributes */
    IO_SCALAR_NAMED_COUNT = IO_SCALAR_ATTRIBUTE, /* number of scalars with names of their own */
    IO_SCALAR_COUNT = IO_SCALAR_ATTRIBUTE + (int)BASE_ATTRIBUTE_COMPONENTS,
    IO_SCALAR_NONE = IO_SCALAR_COUNT, /* skipped */
} io_scalar;

typedef struct io_scalar_info {
    const char *name;
    bool whole;     /* uint32_t instead of float */
    uint32_t field; /* a weir_field, or IO_FIELD_KIND and so on */
} io_scalar_info;
const io_scalar_info *io_scalar_get_info(io_scalar scalar);
/* Returns the scalar of a column named x, Points:0, P[x], pos_x, vx, id, rho and so on, also with a
 * unit, "Pos.x [m]"; IO_SCALAR_NONE for others. */
io_scalar io_scalar_of_column(const io_reader *reader, io_token name);
/* Returns whether the word is a name under which VTK files store their time. */
bool io_token_is_time(io_token name);
/* Returns the first scalar of an array named position, velocity, v, id and so on, with `components`
 * numbers per particle; IO_SCALAR_NONE for others. */
io_scalar io_scalar_of_array(const io_reader *reader, io_token name, uint64_t components);

/* The same for files whose positions are an array with a name, too: position, points, x and so on.
 * One component: a column. */
io_scalar io_scalar_of_named_array(const io_reader *reader, io_token name, uint64_t components);
#define IO_NAMED_COLUMNS 256u /* of a table, at most */
/* Finds the scalars of a table's columns and returns them as bits 1 << scalar. Positions and
 * velocities come from the first columns whose names differ only in the component; other columns
 * are IO_SCALAR_NONE. */
uint32_t io_scalars_of_columns(const io_reader *reader, const io_token *names, uint32_t count,
                               io_scalar *scalars);

/* Returns the scalars of an array that starts at `scalar`, as bits 1 << scalar. */
uint32_t io_scalar_bits(io_scalar scalar, uint64_t components);
/* Returns `scalar` and adds the array's scalars to *there. Only the first array or column of a name
 * is used: returns IO_SCALAR_NONE for later ones. */
io_scalar io_scalar_claim_columns(io_scalar scalar, uint64_t components, uint32_t *there);

/* Allocates `count` particles with the fields of which `scalars` (bits 1 << scalar) has all
 * components. */
weir_result io_particles_allocate(const io_reader *reader, uint64_t count, uint32_t scalars,
                                  io_particles *particles);
/* A number of particle `index`; `scalar` is never IO_SCALAR_NONE. Numbers of absent fields are
 * ignored. */
typedef struct io_table_cell {
    size_t index;
    io_scalar scalar;
} io_table_cell;
weir_result io_particles_set_value(const io_reader *reader, io_particles *particles,
                                   io_table_cell cell, io_number number);
/* Reads the next number into the cell. */
weir_result io_particles_read_value(io_reader *reader, io_type type, io_particles *particles,
                                    io_table_cell cell);
/* Numbers of particles in memory: those of a particle are `step` bytes apart, and `stride` bytes
 * after those of the one before. */
typedef struct io_array {
    const uint8_t *at;
    io_type type;
    bool big_endian;
    uint32_t components;
    size_t stride, step;
} io_array;
/* Reads all particles' scalars, from `first` on; NaN and infinities are rejected with their byte.
 */
weir_result io_particles_read_array(const io_reader *reader, const io_array *array, io_scalar first,
                                    io_particles *particles);
/* Reads time and radius from "time_s=0.5" and "radius_m=0.01" anywhere in `line`, as in files
 * written by Weir. */
void io_particles_parse_comment(io_particles *particles, io_token line);
/* Sets the radius; ignores values that are not a length. */
void io_particles_set_radius(io_particles *particles, double radius_m);
/* Reports that a format without 64-bit positions stores them relative to an origin other than 0. */
void io_log_local(const weir_log *log, const char *path, const double origin[3]);
/* Finds where the bulk of the positions is; returns whether it is so far from 0, by its extent,
 * that positions should be relative to it. */
bool io_find_origin(const vec3 *positions, size_t count, double origin[3]);
/* Returns whether the file starts with bytes that do not occur in text. */
bool io_is_binary(const io_reader *reader);

/* ---- PLY ------------------------------------------------------------------------------------ */

#define IO_PLY_PROPERTIES 256u /* of all elements */
#define IO_PLY_ELEMENTS 32u

typedef struct io_ply_property {
    io_token name;
    io_type type, count_type;
    bool list;
} io_ply_property;

typedef struct io_ply_element {
    io_token name;
    uint64_t count;
    uint32_t first, end; /* range of its properties */
} io_ply_element;

typedef struct io_ply {
    io_ply_element elements[IO_PLY_ELEMENTS];
    io_ply_property properties[IO_PLY_PROPERTIES];
    uint32_t element_count, property_count;
} io_ply;

/* Reads the header and leaves the reader at the first element's first row. */
weir_result io_ply_read_header(io_reader *reader, io_ply *ply);
const io_ply_element *io_ply_find(const io_ply *ply, const char *name);
/* Finds the faces of a mesh, or its strips of triangles; NULL: there are none. */
const io_ply_element *io_ply_find_faces(const io_ply *ply);
/* Rejects a count whose rows do not fit into the rest of the file. */
weir_result io_ply_check_rows(const io_reader *reader, const io_ply *ply,
                              const io_ply_element *element);
weir_result io_ply_skip_rows(io_reader *reader, const io_ply *ply, const io_ply_element *element);
/* Skips one property of a row. */
weir_result io_ply_skip_property(io_reader *reader, const io_ply_property *property);
/* Reads the length of a list and checks it against the rest of the file. */
weir_result io_ply_list_count(io_reader *reader, const io_ply_property *property, uint64_t *count);

/* ---- triangle meshes ------------------------------------------------------------------------ */

/* Corners that a face which is not convex may have. */
#define IO_POLYGON_CORNERS_MAX 10000u

/* A polygon of more than three corners, which was added as a fan of triangles. */
typedef struct io_polygon_run {
    size_t first; /* its first index */
    uint64_t corners;
    bool reversed; /* the file has its corners clockwise */
} io_polygon_run;

typedef struct io_mesh_build {
    BASE_ARRAY(vec3) vertices;
    BASE_ARRAY(uint32_t) indices;
    BASE_ARRAY(vec3) normals; /* of the corners: empty, or as many as indices */
    BASE_ARRAY(io_polygon_run) polygons;
} io_mesh_build;
/* Append a vertex or triangle. Errors: MEMORY, and IO when 32-bit indices do not suffice. */
weir_result io_mesh_add_vertex(const io_reader *reader, io_mesh_build *build, vec3 vertex);
weir_result io_mesh_add_triangle(const io_reader *reader, io_mesh_build *build, uint32_t a,
                                 uint32_t b, uint32_t c);
/* State of a polygon, or strip, whose corners arrive one by one and become triangles. */
typedef struct io_polygon_fan {
    uint32_t first, last;
    uint64_t corners;
    bool reversed; /* the corners are clockwise */
    bool strip;    /* each corner makes a triangle with the two before it */
} io_polygon_fan;
weir_result io_fan_add(const io_reader *reader, io_mesh_build *build, io_polygon_fan *fan,
                       uint32_t corner);
/* Ends a polygon. io_mesh_triangulate, after all vertices are read, replaces the fans of polygons
 * that are not convex. Errors: MEMORY; IO (too many corners). */
weir_result io_fan_end(const io_reader *reader, io_mesh_build *build, const io_polygon_fan *fan);
weir_result io_mesh_triangulate(const io_reader *reader, io_mesh_build *build);
/* Rejects a polygon of fewer than three corners, at `at` in the file. */
weir_result io_check_corners(const io_reader *reader, const uint8_t *at, uint64_t corners);
/* A list of corners in a file: indices from 0 to vertex_count - 1. */
typedef struct io_polygon {
    const uint8_t *at; /* for messages */
    io_type type;
    uint64_t corners, vertex_count;
    bool strip;
} io_polygon;
/* Reads the corners and appends a fan or strip of triangles. */
weir_result io_mesh_read_polygon(io_reader *reader, const io_polygon *polygon,
                                 io_mesh_build *build);
/* Types of cells of legacy VTK and VTK's XML. A pixel is read as a strip of two triangles. */
enum {
    IO_VTK_TRIANGLE = 5,
    IO_VTK_STRIP = 6,
    IO_VTK_POLYGON = 7,
    IO_VTK_PIXEL = 8,
    IO_VTK_QUAD = 9,
};
bool io_vtk_is_face(uint64_t type);
bool io_vtk_is_strip(uint64_t type);
void io_vtk_log_skipped_cells(const io_reader *reader, uint64_t count);
/* Turns the points into vertices and frees them. */
weir_result io_mesh_add_points(const io_reader *reader, io_particles *points, io_mesh_build *build);
/* Merges vertices with equal coordinates (-0 equals 0) into the first of them. */
weir_result io_mesh_weld_vertices(const io_reader *reader, io_mesh_build *build);

/* ---- writing -------------------------------------------------------------------------------- */

/* A file being written in large blocks. The first error is kept and returned by
 * io_writer_commit. */
#define IO_WRITER_BUFFER_BYTES ((size_t)1 << 20)
typedef struct io_writer {
    base_writer *writer;
    uint8_t *buffer;
    size_t used;
    uint64_t hash; /* XXH64 of the blocks written, chained; state files end with it */
    weir_result result;
} io_writer;
weir_result io_writer_open(const weir_log *log, const char *path, io_writer *writer);
void io_writer_put_bytes(io_writer *writer, const void *bytes, size_t size);
void io_writer_put_text(io_writer *writer, const char *format, ...) BASE_PRINTF(2, 3);
/* Writes an unsigned integer of `size` bytes, at most 8. */
void io_writer_put_uint(io_writer *writer, uint64_t value, size_t size, bool big_endian);
void io_writer_put_u32(io_writer *writer, uint32_t value, bool big_endian);
void io_writer_flush(io_writer *writer);
/* Writes directly to the file, without the buffer and the hash. */
void io_writer_put_block(io_writer *writer, const void *bytes, size_t size);
/* Completes the file, or removes it after an error; closes the writer in both cases. */
weir_result io_writer_commit(io_writer *writer);
void io_writer_cancel(io_writer *writer);

uint32_t io_float_bits(float value);
uint64_t io_double_bits(double value);

/* Writes big-endian numbers through gzip into a file. When memory is short, io_gzip_open returns
 * NULL and sets the writer's error. */
typedef struct io_gzip_writer io_gzip_writer;
io_gzip_writer *io_gzip_open(const weir_log *log, const char *path, io_writer *writer);
void io_gzip_put_uint(io_gzip_writer *packer, uint64_t value, size_t size);
void io_gzip_put_u32(io_gzip_writer *packer, uint32_t value);
void io_gzip_put_text(io_gzip_writer *packer, const char *text);
void io_gzip_close(io_gzip_writer *packer); /* compresses the rest */

/* Prints a number with at most nine decimals, independent of the locale. */
void io_print_decimal(char out[32], double value);

/* A scalar of the particles to write: element i has 32 bits at base + i * stride. */
typedef struct io_column {
    char name[40];
    bool whole;     /* uint32_t instead of float */
    uint32_t field; /* a weir_field, or IO_FIELD_KIND and so on */
    io_scalar scalar;
    const uint8_t *base;
    size_t stride;
} io_column;

typedef struct io_columns {
    io_column items[IO_SCALAR_COUNT];
    uint32_t count;
    uint32_t fields; /* bits 1 << weir_field */
} io_columns;
/* Lists the available columns of the requested fields; the position is always included. */
io_columns io_columns_list(const io_particles *particles, uint32_t fields);
/* Returns the name of the array that starts with a column: that of its attribute or vector. */
const char *io_column_array_name(const io_particles *particles, const io_column *column);
uint32_t io_column_bits(const io_column *column, size_t index);
/* Returns the origin of a coordinate of the positions; 0 for other scalars. */
double io_column_origin(const io_particles *particles, const io_column *column);
float io_column_float(const io_column *column, size_t index);

/* A frame of particles to write. */
typedef struct io_particle_output {
    const weir_log *log;
    const io_particles *particles;
    io_columns columns;
    float radius_m;
    bool radius_column;
    const char *path;
} io_particle_output;
/* Returns the end of the columns of the field that starts with column `first`. */
uint32_t io_columns_of_field(const io_columns *columns, uint32_t first);
/* Returns whether a column is written with 64 bits: all coordinates if one of them has an
 * origin. */
bool io_column_is_double(const io_particle_output *frame, const io_column *column);
uint64_t io_column_double_bits(const io_particle_output *frame, const io_column *column,
                               size_t index);

/* BGEO: types of attributes, and the bytes that open and close the extras at the end of the
 * file. */
enum {
    IO_BGEO_FLOAT = 0,
    IO_BGEO_INT = 1,
    IO_BGEO_STRING = 2,
    IO_BGEO_INDEX = 4,
    IO_BGEO_VECTOR = 5
};
#define IO_BGEO_NO_EXTRAS 0x00ffu
#define IO_BGEO_RUN 0xffffffffu      /* precedes a primitive's type: a run of one type */
#define IO_BGEO_POLYGON 1u           /* type of a primitive */
#define IO_BGEO_CLOSED '<'           /* marks a polygon, not a polyline */
#define IO_BGEO_SHORT_POINTS 0xffffu /* up to this number of points, indices have 16 bits */

/* ---- writing meshes -------------------------------------------------------------------------- */

/* A part of a file: `count` items of at most `size` bytes each. `write_elements` writes the items
 * first to end - 1 at `out` and returns the end of its output; it runs on any thread. */
typedef struct io_array_part {
    uint64_t count;
    size_t size;
    uint8_t *(*write_elements)(const void *user, uint64_t first, uint64_t end, uint8_t *out);
    const void *user;
} io_array_part;

/* Data shared by the writers of all formats. */
typedef struct io_mesh_output {
    const weir_log *log;
    const io_mesh_view *mesh;
    const io_mesh_write_def *def;
    io_writer *writer;
    uint32_t threads;
} io_mesh_output;
/* Formats a part with out->threads threads and writes the items in order. */
void io_write_array_part(const io_mesh_output *out, const io_array_part *part);
vec3 io_mesh_transform_direction(const io_mesh_write_def *def, vec3 v); /* also for normals */
vec3 io_mesh_transform_position(const io_mesh_write_def *def, vec3 v);
/* Returns whether positions are written with 64 bits, plus def->origin. */
bool io_mesh_has_origin(const io_mesh_write_def *def);

/* ---- formats --------------------------------------------------------------------------------- */

enum { IO_FORMAT_FIELDS = 1, IO_FORMAT_SERIES = 2, IO_FORMAT_BYTES = 4, IO_FORMAT_DOUBLES = 8 };
enum { IO_FORMAT_SIGNATURES = 2, IO_FORMAT_EXTENSIONS = 4 };

/* Properties of a file format: io_formats.def. */
typedef struct io_format {
    const char *name;
    int properties;
    const char *starts[IO_FORMAT_SIGNATURES];
    bool (*detect)(const io_reader *reader);
    const char *extensions[IO_FORMAT_EXTENSIONS];
} io_format;

typedef struct io_particle_format {
    weir_particle_format id; /* its count: a format that is not written */
    io_format format;
    weir_result (*read)(io_reader *reader, io_particles *particles);
    void (*write)(const io_particle_output *frame, io_writer *writer);
} io_particle_format;
extern const io_particle_format io_particle_formats[];
extern const size_t io_particle_format_count;

typedef struct io_mesh_file_format {
    weir_mesh_format id; /* its count: a format that is not written */
    io_format format;
    weir_result (*read)(io_reader *reader, io_mesh_build *build);
    void (*write)(const io_mesh_output *out);
    bool (*has_faces)(io_reader *reader); /* NULL: always */
} io_mesh_file_format;
extern const io_mesh_file_format io_mesh_formats[];
extern const size_t io_mesh_format_count;

/* Returns whether a file begins as files of the format do. */
bool io_format_matches(const io_format *format, const io_reader *reader);
const io_particle_format *io_particle_format_find(weir_particle_format format);
const io_mesh_file_format *io_mesh_format_find(weir_mesh_format format);
/* Returns whether the file is of a format that is known, but not read; reports it, and what to save
 * instead (returns IO); returns what such a file holds, or unknown. */
bool io_is_other_format(const io_reader *reader);
weir_result io_fail_other_format(const io_reader *reader);
weir_file_kind io_kind_of_other_format(const io_reader *reader);
/* Reports a file that no row matches, and names the formats that are read. Returns IO. */
weir_result io_fail_unknown_format(const io_reader *reader, bool meshes);

#define STARTS(...)
#define DETECTED(function) bool function(const io_reader *reader);
#define PARTICLES(id, name, properties, signature, reader, writer, ...)       \
    signature weir_result reader(io_reader *reader, io_particles *particles); \
    void writer(const io_particle_output *frame, io_writer *writer);
#define PARTICLES_READ(name, properties, signature, reader, ...) \
    signature weir_result reader(io_reader *reader, io_particles *particles);
#define MESH(id, name, properties, signature, reader, writer, has_faces, ...) \
    signature weir_result reader(io_reader *reader, io_mesh_build *build);    \
    void writer(const io_mesh_output *out);
#define MESH_READ(name, properties, signature, reader, has_faces, ...) \
    signature weir_result reader(io_reader *reader, io_mesh_build *build);
#include "io_formats.def"
weir_result io_ply_read_mesh(io_reader *reader, io_mesh_build *build);
/* Returns whether the size is exactly that of a binary STL with its count of triangles. */
bool io_stl_has_binary_size(const io_reader *reader);
bool io_ply_has_faces(io_reader *reader);
bool io_vtk_has_faces(io_reader *reader);
bool io_vtk_xml_has_faces(io_reader *reader);
bool io_bgeo_has_faces(io_reader *reader);

#endif
