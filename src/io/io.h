/* io: particles, triangle meshes, volumes and checkpoints, read and written. Files are hostile
 * until parsed: sizes bounded, arithmetic checked, (pointer, length) and never NUL-terminated.
 * Messages say "FILE:LINE:COLUMN: ..." for text and "FILE: byte N: ..." for binary formats. */
#ifndef WEIR_IO_H
#define WEIR_IO_H

#include "base.h"

/* ---- particles ------------------------------------------------------------------------------ */

/* A frame of particles on the host. Arrays that the file did not have are NULL. */
typedef struct io_particles {
    uint32_t count;
    vec3 *position;  /* [count], m */
    vec3 *velocity;  /* [count], m/s */
    uint32_t *id;    /* [count] */
    uint32_t *fluid; /* [count] */
    float *density;  /* [count], kg/m3 */
    uint32_t
        *kind; /* [count], of whitewater: WHITEWATER_SPRAY and so on; it has these four alone */
    float *age, *lifetime; /* [count], s */
    float *radius;         /* [count], m */
    double time_s;         /* 0 when the file has none */
    float radius_m;        /* half the particle spacing: BGEO's pscale, or a remark; 0: none */
} io_particles;

/* Reads PLY (ascii, binary of both byte orders, any property order), BGEO v5 (gzip or plain),
 * legacy VTK (ascii and binary, as ParaView and SPlisHSPlasH write it), VTK's XML (.vtu and .vtp:
 * ascii, base64, appended, zlib), NPY or XYZ (text) by the file's first bytes; raw float32 x y z by
 * the extensions raw and f32, and xyz where the bytes are no text. NaN and infinities are refused
 * with their location. Errors: IO, MEMORY. */
weir_result io_particles_read(const weir_log *log, const char *path, io_particles *particles);
/* Reads a frame of whitewater with its fields; kind and radius are required. */
weir_result io_whitewater_read(const weir_log *log, const char *path, io_particles *particles);
void io_particles_free(io_particles *particles);

/* The fields of whitewater, behind those of weir_field. */
enum { IO_FIELD_KIND = WEIR_FIELD_COUNT, IO_FIELD_AGE, IO_FIELD_LIFETIME, IO_FIELD_RADII };

/* Writes one frame, whole or not at all. `fields`: bits 1 << weir_field or 1 << IO_FIELD_KIND and
 * so on; `radius_m`, or each particle's radius, becomes BGEO's pscale. Fields without an array are
 * left out, and so are all but the position in raw files. The particle order is kept. Errors: IO,
 * MEMORY. */
#define IO_FIELD_RADIUS (1u << 31) /* PLY and VTK: the radius at every particle, too */
typedef struct io_particles_write_def {
    const char *path;
    weir_particle_format format;
    uint32_t fields;
    float radius_m;
} io_particles_write_def;
weir_result io_particles_write(const weir_log *log, const io_particles *particles,
                               const io_particles_write_def *def);
const char *io_format_extension(weir_particle_format format); /* "ply" */

/* ParaView's .vtk.series: `count` names and times, whole or not at all. */
weir_result io_series_write(const weir_log *log, const char *path, const char *const *names,
                            const double *times_s, size_t count);

/* ---- triangle meshes ------------------------------------------------------------------------ */

typedef struct io_mesh {
    vec3 *vertices; /* [vertex_count], the file's units */
    uint32_t vertex_count;
    uint32_t *indices; /* [3 * triangle_count], counter-clockwise from outside */
    uint32_t triangle_count;
    vec3 *normals; /* [3 * triangle_count] of the corners, of any length; 0 where the file gives
                      none; NULL: it gives none at all */
} io_mesh;

/* Reads OBJ, PLY (ascii and binary), STL (ascii and binary; equal corners welded), legacy VTK
 * (polygons, and cells that are triangles, quads or polygons) or BGEO version 5; polygons become
 * fans. Degenerate triangles stay. Errors: IO (with its location), MEMORY. */
weir_result io_mesh_read(const weir_log *log, const char *path, io_mesh *mesh);
/* Whether a file whose format can hold both particles and meshes (PLY, VTK, BGEO) has faces. */
bool io_mesh_file_supported(const char *path);
void io_mesh_free(io_mesh *mesh);

/* A mesh on its way out; the caller keeps the arrays. NULL: the mesh has no such thing. */
typedef struct io_mesh_channel {
    const char *name; /* without blanks */
    uint32_t components;
    const float *values; /* [vertex_count][components] */
} io_mesh_channel;

#define IO_MESH_CHANNELS 8u
typedef struct io_mesh_view {
    uint32_t vertex_count, triangle_count;
    const vec3 *position;
    const vec3 *normal;    /* of length 1 */
    const vec3 *velocity;  /* m/s */
    const uint32_t *index; /* [3 * triangle_count], counter-clockwise from outside */
    uint32_t channel_count;
    io_mesh_channel channels[IO_MESH_CHANNELS];
} io_mesh_view;

typedef struct io_mesh_write_def {
    const char *path;
    weir_mesh_format format;
    weir_axis_conversion turn;
    float scale;       /* of positions and velocities, after the turn */
    float precision_m; /* to which OBJ's positions are written; 0: as exactly as they are held */
    uint32_t threads;  /* that make text and bytes; 0: one for each processor */
    double time_s;
} io_mesh_write_def;

/* Writes a mesh, whole or not at all; the same bytes for any number of threads. Errors: IO, MEMORY.
 */
weir_result io_mesh_write(const weir_log *log, const io_mesh_view *mesh,
                          const io_mesh_write_def *def);
const char *io_mesh_format_extension(weir_mesh_format format); /* "obj" */

/* ---- images --------------------------------------------------------------------------------- */

/* 8 bits a channel: red, green, blue, alpha, sRGB, rows from the top. */
typedef struct io_rgba8_image {
    uint32_t width, height;
    const uint8_t *rgba; /* [4 * width * height] */
} io_rgba8_image;

/* Writes a PNG, whole or not at all; without alpha where all of it is 255. Errors: IO, MEMORY. */
weir_result io_png_write(const weir_log *log, const char *path, const io_rgba8_image *pixels);

/* Linear light: red, green, blue times alpha, and alpha, rows from the top. */
typedef struct io_hdr_image {
    uint32_t width, height;
    const float *rgba; /* [4 * width * height] */
} io_hdr_image;

/* Does this build write OpenEXR? */
bool io_exr_is_built(void);
/* Writes an OpenEXR file of half floats, whole or not at all; without alpha where all of it is 1.
 * Errors: IO, MEMORY, UNSUPPORTED (a build without OpenEXR). */
weir_result io_exr_write(const weir_log *log, const char *path, const io_hdr_image *light);

/* Radiance as a .hdr file holds it (RGBE, plain or run-length coded). */
typedef struct io_radiance_image {
    uint32_t width, height;
    float *rgb; /* [3 * width * height], linear, rows from the top */
} io_radiance_image;
/* Errors: IO (not such a file, damaged, larger than 16384 pixels on a side), MEMORY. */
weir_result io_radiance_read(const weir_log *log, const char *path, io_radiance_image *image);
void io_radiance_free(io_radiance_image *image);

/* ---- tagged state files (checkpoints, cached volumes) --------------------------------------- */

/* A file of named blocks under a versioned magic, ended by a hash; written whole or not at all. */
typedef struct io_block {
    char tag[8];       /* padded with NUL */
    const void *bytes; /* when reading: into the blob */
    uint64_t size;
} io_block;
#define IO_BLOCK_FILE_VERSION 3u
#define IO_BLOCK_FILE_OLDEST_VERSION \
    2u /* version that is still read; 3 is new in what a checkpoint holds */
weir_result io_block_file_write(const weir_log *log, const char *path, const char kind[8],
                                const io_block *blocks, size_t count);
/* A file that was read; the blob owns the blocks' bytes, each block's start a multiple of 16. */
#define IO_BLOCK_FILE_BLOCKS 32u
typedef struct io_block_file {
    base_blob blob;
    io_block blocks[IO_BLOCK_FILE_BLOCKS];
    size_t count;
} io_block_file;
/* Checks magic, version, kind, every size and the hash. Errors: IO, MEMORY; the state is then
 * empty. */
weir_result io_block_file_read(const weir_log *log, const char *path, const char kind[8],
                               io_block_file *state);
void io_block_file_free(io_block_file *state);
const io_block *io_block_find(const io_block *blocks, size_t count, const char *tag);

#endif
