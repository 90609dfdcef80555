/* Frames of particles: which reader a file needs. */
#include "io_internal.h"

/* ---- reading -------------------------------------------------------------------------------- */

static weir_result refuse_known(const io_reader *reader)
{
    if (io_starts_with(reader, "\x7fNSJ"))
        return io_fail(reader, reader->at,
                       "this is Houdini's newer BGEO; save it as .bhclassic or BGEO version 5");
    if (!io_is_binary(reader)) return WEIR_OK;
    return io_fail(reader, reader->at,
                   "no particle format starts like this; PLY, BGEO version 5, VTK, NPY, XYZ and "
                   "CSV text, and raw float32 (named .raw or .xyz) are read");
}

static weir_result read_by_first_bytes(io_reader *reader, io_particles *particles)
{
    if (io_raw_is(reader)) return io_raw_read(reader, particles);
    if (reader->unpacked || io_starts_with(reader, "Bgeo")) return io_bgeo_read(reader, particles);
    if (io_remaining(reader) == 0) return io_fail(reader, reader->at, "the file is empty");
    if (io_starts_with(reader, "\x93NUMPY")) return io_npy_read(reader, particles);
    reader->text = true;
    if (io_starts_with(reader, "ply\n") || io_starts_with(reader, "ply\r"))
        return io_ply_read_particles(reader, particles);
    if (io_starts_with(reader, "# vtk DataFile")) return io_vtk_read(reader, particles);
    if (io_starts_with(reader, "<?xml") || io_starts_with(reader, "<VTKFile"))
        return io_vtu_read(reader, particles);
    WEIR_NEED(refuse_known(reader));
    if (io_csv_is(reader)) return io_csv_read(reader, particles);
    return io_xyz_read(reader, particles);
}

static weir_result refuse_fluid(const io_reader *reader, const io_particles *particles)
{
    const char *lacks = !particles->kind ? "kind" : !particles->radius ? "radius" : NULL;
    if (!lacks || particles->count == 0) return WEIR_OK;
    return base_fail(
        reader->log, WEIR_IO,
        "%s: its particles have no \"%s\": it is no file of whitewater as \"weir run\" "
        "and \"weir foam\" write it",
        reader->path, lacks);
}

static weir_result read_file(const weir_log *log, const char *path, bool whitewater,
                             io_particles *particles)
{
    *particles = (io_particles){0};
    base_blob blob = {0};
    io_reader reader;
    WEIR_NEED(io_open(log, path, &blob, &reader));
    reader.whitewater = whitewater;
    weir_result result = read_by_first_bytes(&reader, particles);
    if (result == WEIR_OK && whitewater) result = refuse_fluid(&reader, particles);
    base_blob_free(&blob);
    if (result != WEIR_OK) io_particles_free(particles);
    return result;
}

weir_result io_particles_read(const weir_log *log, const char *path, io_particles *particles)
{
    return read_file(log, path, false, particles);
}

weir_result io_whitewater_read(const weir_log *log, const char *path, io_particles *particles)
{
    return read_file(log, path, true, particles);
}

/* ---- writing -------------------------------------------------------------------------------- */

const char *io_format_extension(weir_format format)
{
    static const char *const extensions[WEIR_FORMAT_COUNT] = {
        [WEIR_FORMAT_PLY] = "ply", [WEIR_FORMAT_VTK] = "vtk", [WEIR_FORMAT_BGEO] = "bgeo",
        [WEIR_FORMAT_XYZ] = "xyz", [WEIR_FORMAT_NPY] = "npy", [WEIR_FORMAT_RAW] = "raw",
    };
    return extensions[format];
}

weir_result io_particles_write(const weir_log *log, const io_particles *particles,
                               const io_particles_write_def *def)
{
    static void (*const writers[WEIR_FORMAT_COUNT])(const io_frame *, io_sink *) = {
        [WEIR_FORMAT_PLY] = io_ply_write,   [WEIR_FORMAT_VTK] = io_vtk_write,
        [WEIR_FORMAT_BGEO] = io_bgeo_write, [WEIR_FORMAT_XYZ] = io_xyz_write,
        [WEIR_FORMAT_NPY] = io_npy_write,   [WEIR_FORMAT_RAW] = io_raw_write,
    };
    WEIR_ASSERT(def->format < WEIR_FORMAT_COUNT);
    io_frame frame = {.log = log,
                      .particles = particles,
                      .columns = io_columns_make(particles, def->fields),
                      .radius_m = def->radius_m,
                      .radius_column = (def->fields & IO_FIELD_RADIUS) != 0,
                      .path = def->path};
    io_sink sink;
    WEIR_NEED(io_sink_open(log, def->path, &sink));
    writers[def->format](&frame, &sink);
    return io_sink_commit(&sink);
}
