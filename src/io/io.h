/* Reads and writes particles, triangle meshes, images, volumes and checkpoints. Files are treated
 * as hostile until they are parsed: sizes are bounded, arithmetic is checked, and text is (pointer,
 * length), never NUL-terminated. Messages say "FILE:LINE:COLUMN: ..." for text and "FILE: byte N:
 * ..." for binary formats. */
#ifndef WEIR_IO_H
#define WEIR_IO_H

#include "base.h"

/* ---- particles ------------------------------------------------------------------------------ */

/* A frame of particles on the host. Arrays that the file lacks are NULL. */
typedef struct io_particles {
    uint32_t count;
    vec3 *position;        /* [count], m */
    vec3 *velocity;        /* [count], m/s */
    uint32_t *id;          /* [count] */
    uint32_t *fluid;       /* [count] */
    float *density;        /* [count], kg/m3 */
    uint32_t *kind;        /* [count], WHITEWATER_SPRAY and so on; only whitewater has these four */
    float *age, *lifetime; /* [count], s */
    float *radius;         /* [count], m */
    base_attributes attributes;
    float *attribute_values;  /* [count][attributes.components] */
    uint32_t attributes_read; /* bit i: the file has attribute i; the values of others are 0 */
    double time_s;            /* 0 if the file has none */
    float radius_m; /* half the particle spacing, from BGEO's pscale or a comment; 0: none */
    /* m, to be added to every position; 0 unless the file's positions are so far from 0 that floats
     * would round them. */
    double origin[3];
    uint32_t skipped; /* particles left out: a number of theirs is not finite */
} io_particles;

/* Reads a frame of particles. The first bytes of the file select the format: PLY (ascii, binary of
 * both byte orders, any order of properties), BGEO v5 (gzip or plain), legacy VTK (ascii and
 * binary, as ParaView and SPlisHSPlasH write it), VTK's XML (.vtu and .vtp: ascii, base64,
 * appended, zlib), VTKHDF and other HDF5 (libhdf5 is loaded on demand), NPY, NPZ, LAMMPS' text
 * dumps, CSV or XYZ (text). The extensions raw and f32, and xyz where the bytes are not text,
 * select raw float32 x y z. Particles with NaN or infinite numbers are skipped; a warning counts
 * them and names the first. Positions far from 0 are stored relative to particles->origin. Errors:
 * IO, MEMORY. */
weir_result io_particles_read(const weir_log *log, const char *path, io_particles *particles);
/* The same with the attributes of these names, as far as the file has them: arrays with so many
 * components, or columns NAME, or NAME_x, NAME_y and so on. */
weir_result io_particles_read_attributes(const weir_log *log, const char *path,
                                         const base_attributes *attributes,
                                         io_particles *particles);
/* Returns what a file holds, from its first bytes alone: particles, a mesh, or unknown. */
weir_file_kind io_file_kind(const char *path);
/* Reads a frame of whitewater with its additional fields; kind and radius are required. Attributes
 * as above; NULL: none. */
weir_result io_whitewater_read(const weir_log *log, const char *path,
                               const base_attributes *attributes, io_particles *particles);
void io_particles_free(io_particles *particles);
/* Keeps the particles of which keep[i] is set, in order. */
void io_particles_keep(io_particles *particles, const bool *keep);
/* Stores the positions relative to another origin, m. */
void io_particles_set_origin(io_particles *particles, const double origin[3]);

/* The additional fields of whitewater, numbered after those of weir_field. */
enum {
    IO_FIELD_KIND = WEIR_FIELD_COUNT,
    IO_FIELD_AGE,
    IO_FIELD_LIFETIME,
    IO_FIELD_RADII,
    IO_FIELD_ATTRIBUTES, /* and the numbers after it: one for each attribute */
};

/* Writes one frame, completely or not at all; a VTK or VTP file is then added to ParaView's
 * .vtk.series or .vtp.series. `fields` has bits 1 << weir_field or 1 << IO_FIELD_KIND and so on.
 * `radius_m`, or each particle's radius, becomes BGEO's pscale. Attributes are always written.
 * Fields without an array are omitted, and raw files contain only positions; a warning names
 * attributes that a format does not hold. The order of particles is kept. Errors: IO, MEMORY. */
#define IO_FIELD_RADIUS (1u << 31) /* PLY and VTK: also write the radius of every particle */
typedef struct io_particles_write_def {
    const char *path;
    weir_particle_format format;
    uint32_t fields;
    float radius_m;
} io_particles_write_def;
weir_result io_particles_write(const weir_log *log, const io_particles *particles,
                               const io_particles_write_def *def);
const char *io_format_extension(weir_particle_format format); /* such as "ply" */
/* Returns whether the format holds other fields than positions. */
bool io_format_has_fields(weir_particle_format format);
/* Returns the extension `number` of the files of particles that are read; NULL past the last. */
const char *io_particle_file_extension(uint32_t number);

/* Writes ParaView's list of a sequence, such as a .vtk.series, with `count` names and times,
 * completely or not at all. */
weir_result io_series_write(const weir_log *log, const char *path, const char *const *names,
                            const double *times_s, size_t count);

/* Updates "surface.vtk.series", ParaView's list of a sequence, after the file "surface_0001.vtk"
 * has been written; or "surface.vtp.series". The list contains all frames of the sequence in the
 * folder, whoever wrote them. Does nothing for a name without a number. Errors: IO, MEMORY. */
weir_result io_vtk_series_update(const weir_log *log, const char *path, double time_s);

/* ---- vectors on a grid ----------------------------------------------------------------------- */

/* Vectors at the nodes of a box. */
typedef struct io_vector_grid {
    uint32_t nodes[3]; /* along x, y, z; 1 along z in the plane */
    vec3 *vectors;     /* the index along x varies fastest */
} io_vector_grid;

typedef struct io_vector_grid_def {
    const char *path;
    uint32_t dimensions; /* 2 or 3 */
    uint32_t max_nodes;
} io_vector_grid_def;

/* Reads an NPY file of the shape (nx, ny, nz, 3), or (nx, ny, 2) for two dimensions; it may be
 * packed by gzip. Release grid->vectors with base_free. Errors: IO, MEMORY. */
weir_result io_vector_grid_read(const weir_log *log, const io_vector_grid_def *def,
                                io_vector_grid *grid);

/* ---- axes and units of files ----------------------------------------------------------------- */

/* How the coordinates in files differ from those of the simulation, in which y is up. */
typedef struct io_file_axes {
    bool y_up;    /* false: rotated by a right angle about x, so that z is up */
    double scale; /* of lengths, applied after the rotation */
} io_file_axes;

vec3 io_vector_to_file_axes(vec3 v, io_file_axes axes);
vec3 io_vector_from_file_axes(vec3 v, io_file_axes axes);
/* Convert positions, velocities and each particle's radius. */
void io_particles_to_file_axes(io_particles *particles, io_file_axes axes);
void io_particles_from_file_axes(io_particles *particles, io_file_axes axes);

/* ---- triangle meshes ------------------------------------------------------------------------ */

typedef struct io_mesh {
    vec3 *vertices; /* [vertex_count], in the file's unit */
    uint32_t vertex_count;
    uint32_t *indices; /* [3 * triangle_count], counter-clockwise from outside */
    uint32_t triangle_count;
    /* [3 * triangle_count], of the corners and of any length; 0 where the file gives none. NULL:
     * the file has no normals. */
    vec3 *normals;
    /* In the file's unit, to be added to every vertex; 0 unless the file's vertices are so far from
     * 0 that floats would round them. */
    double origin[3];
} io_mesh;

/* Reads OBJ, PLY (ascii and binary), STL (ascii and binary), glTF 2.0, legacy VTK and VTK's XML
 * (polygons and strips, and cells that are faces) or BGEO version 5. Corners of STL and glTF with
 * equal coordinates are welded. Polygons become triangles; degenerate triangles are kept. Vertices
 * far from 0 are stored relative to mesh->origin. Errors: IO (with the location), MEMORY. */
weir_result io_mesh_read(const weir_log *log, const char *path, io_mesh *mesh);
/* The same, relative to a given origin. */
weir_result io_mesh_read_at(const weir_log *log, const char *path, const double origin[3],
                            io_mesh *mesh);
/* Merges vertices with equal coordinates into the first of them. `path` names the mesh in messages.
 * Errors: MEMORY. */
weir_result io_mesh_weld(const weir_log *log, const char *path, io_mesh *mesh);
/* Returns whether a file whose format can hold both particles and meshes (PLY, VTK, BGEO) has
 * faces. */
bool io_mesh_file_has_faces(const char *path);
void io_mesh_free(io_mesh *mesh);

/* A mesh to write; the caller owns the arrays. NULL: the mesh lacks that array. */
typedef struct io_mesh_channel {
    const char *name; /* contains no blanks */
    uint32_t components;
    const float *values; /* [vertex_count][components] */
} io_mesh_channel;

#define IO_MESH_CHANNELS 12u
typedef struct io_mesh_view {
    uint32_t vertex_count, triangle_count;
    const vec3 *position;
    const vec3 *normal;    /* unit vectors */
    const vec3 *velocity;  /* m/s */
    const uint32_t *index; /* [3 * triangle_count], counter-clockwise from outside */
    uint32_t channel_count;
    io_mesh_channel channels[IO_MESH_CHANNELS];
} io_mesh_view;

typedef struct io_mesh_write_def {
    const char *path;
    weir_mesh_format format;
    weir_axis_conversion turn;
    float scale;      /* of positions and velocities, applied after the turn */
    double origin[3]; /* added to the positions, in the file's axes and units */
    /* Precision of OBJ's positions; 0: the precision at which they are stored. */
    float precision_m;
    uint32_t threads; /* that format the file; 0: one per processor */
    double time_s;
} io_mesh_write_def;

/* Writes a mesh, completely or not at all, with the same bytes for any number of threads; a VTK
 * or VTP file is then added to ParaView's list of the sequence. Errors: IO, MEMORY. */
weir_result io_mesh_write(const weir_log *log, const io_mesh_view *mesh,
                          const io_mesh_write_def *def);
const char *io_mesh_format_extension(weir_mesh_format format); /* such as "obj" */
/* Returns whether the format holds velocities and other attributes of vertices. */
bool io_mesh_format_has_fields(weir_mesh_format format);
/* Returns the extension `number` of the meshes that are read; NULL past the last. */
const char *io_mesh_file_extension(uint32_t number);

/* ---- images --------------------------------------------------------------------------------- */

/* An image with 8 bits per channel: red, green, blue and alpha in sRGB, rows from the top. */
typedef struct io_rgba8_image {
    uint32_t width, height;
    const uint8_t *rgba; /* [4 * width * height] */
} io_rgba8_image;

/* Writes a PNG, completely or not at all; without alpha if all of it is 255. Errors: IO, MEMORY. */
weir_result io_png_write(const weir_log *log, const char *path, const io_rgba8_image *pixels);

/* An image of linear light: red, green and blue times alpha, and alpha, rows from the top. */
typedef struct io_hdr_image {
    uint32_t width, height;
    const float *rgba; /* [4 * width * height] */
} io_hdr_image;

/* Returns whether this build can write OpenEXR. */
bool io_exr_is_built(void);
/* Writes an OpenEXR file of half floats, completely or not at all; without alpha if all of it is 1.
 * Errors: IO, MEMORY, UNSUPPORTED (a build without OpenEXR). */
weir_result io_exr_write(const weir_log *log, const char *path, const io_hdr_image *light);

/* Radiance as stored in a .hdr file (RGBE, plain or run-length encoded). */
typedef struct io_radiance_image {
    uint32_t width, height;
    float *rgb; /* [3 * width * height], linear, rows from the top */
} io_radiance_image;
/* Reads a .hdr file. Errors: IO (not a .hdr file, damaged, larger than 16384 pixels on a side),
 * MEMORY. */
weir_result io_radiance_read(const weir_log *log, const char *path, io_radiance_image *image);
void io_radiance_free(io_radiance_image *image);

/* ---- tagged state files (checkpoints, cached volumes) --------------------------------------- */

/* A named block of a state file. The file starts with a magic number and a version, ends with a
 * hash, and is written completely or not at all. */
typedef struct io_block {
    char tag[8];       /* padded with NUL */
    const void *bytes; /* when reading: points into the blob */
    uint64_t size;
} io_block;
#define IO_BLOCK_FILE_VERSION 3u
/* Oldest version that is still read; version 3 changed the contents of checkpoints. */
#define IO_BLOCK_FILE_OLDEST_VERSION 2u
weir_result io_block_file_write(const weir_log *log, const char *path, const char kind[8],
                                const io_block *blocks, size_t count);
/* A file that was read. The blob owns the blocks' bytes, which are aligned to 16 bytes. */
#define IO_BLOCK_FILE_BLOCKS 32u
typedef struct io_block_file {
    base_blob blob;
    io_block blocks[IO_BLOCK_FILE_BLOCKS];
    size_t count;
} io_block_file;
/* Reads a file and checks the magic number, version, kind, every size and the hash. Errors: IO,
 * MEMORY; `state` is then empty. */
weir_result io_block_file_read(const weir_log *log, const char *path, const char kind[8],
                               io_block_file *state);
void io_block_file_free(io_block_file *state);
const io_block *io_block_find(const io_block *blocks, size_t count, const char *tag);

#endif
