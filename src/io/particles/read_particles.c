/* Reads and writes frames of particles; selects the reader or writer by format. */
#include "io_internal.h"

/* ---- reading -------------------------------------------------------------------------------- */

static weir_result fail_unreadable_format(const io_reader *reader)
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
    if (io_is_raw(reader)) return io_raw_read(reader, particles);
    if (reader->unpacked || io_starts_with(reader, "Bgeo")) return io_bgeo_read(reader, particles);
    if (io_remaining(reader) == 0) return io_fail(reader, reader->at, "the file is empty");
    if (io_starts_with(reader, "\x93NUMPY")) return io_npy_read(reader, particles);
    reader->text = true;
    if (io_starts_with(reader, "ply\n") || io_starts_with(reader, "ply\r"))
        return io_ply_read_particles(reader, particles);
    if (io_starts_with(reader, "# vtk DataFile")) return io_vtk_read(reader, particles);
    if (io_starts_with(reader, "<?xml") || io_starts_with(reader, "<VTKFile"))
        return io_vtu_read(reader, particles);
    WEIR_RETURN_IF_ERROR(fail_unreadable_format(reader));
    if (io_is_csv(reader)) return io_csv_read(reader, particles);
    return io_xyz_read(reader, particles);
}

static weir_result fail_not_whitewater(const io_reader *reader, const io_particles *particles)
{
    const char *lacks = !particles->kind ? "kind" : !particles->radius ? "radius" : NULL;
    if (!lacks || particles->count == 0) return WEIR_OK;
    return base_fail(
        reader->log, WEIR_ERROR_IO,
        "%s: its particles have no \"%s\": it is no file of whitewater as \"weir run\" "
        "and \"weir whitewater\" write it",
        reader->path, lacks);
}

static weir_result read_file(const weir_log *log, const char *path, bool whitewater,
                             io_particles *particles)
{
    *particles = (io_particles){0};
    base_blob blob = {0};
    io_reader reader;
    WEIR_RETURN_IF_ERROR(io_open_decompressed(log, path, &blob, &reader));
    reader.whitewater = whitewater;
    weir_result result = read_by_first_bytes(&reader, particles);
    if (result == WEIR_OK && whitewater) result = fail_not_whitewater(&reader, particles);
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

const char *io_format_extension(weir_particle_format format)
{
    static const char *const extensions[WEIR_PARTICLE_FORMAT_COUNT] = {
        [WEIR_PARTICLE_FORMAT_PLY] = "ply",   [WEIR_PARTICLE_FORMAT_VTK] = "vtk",
        [WEIR_PARTICLE_FORMAT_BGEO] = "bgeo", [WEIR_PARTICLE_FORMAT_XYZ] = "xyz",
        [WEIR_PARTICLE_FORMAT_NPY] = "npy",   [WEIR_PARTICLE_FORMAT_RAW] = "raw",
    };
    return extensions[format];
}

weir_result io_particles_write(const weir_log *log, const io_particles *particles,
                               const io_particles_write_def *def)
{
    static void (*const writers[WEIR_PARTICLE_FORMAT_COUNT])(const io_particle_output *,
                                                             io_writer *) = {
        [WEIR_PARTICLE_FORMAT_PLY] = io_ply_write,   [WEIR_PARTICLE_FORMAT_VTK] = io_vtk_write,
        [WEIR_PARTICLE_FORMAT_BGEO] = io_bgeo_write, [WEIR_PARTICLE_FORMAT_XYZ] = io_xyz_write,
        [WEIR_PARTICLE_FORMAT_NPY] = io_npy_write,   [WEIR_PARTICLE_FORMAT_RAW] = io_raw_write,
    };
    WEIR_ASSERT(def->format < WEIR_PARTICLE_FORMAT_COUNT);
    io_particle_output frame = {.log = log,
                                .particles = particles,
                                .columns = io_columns_list(particles, def->fields),
                                .radius_m = def->radius_m,
                                .radius_column = (def->fields & IO_FIELD_RADIUS) != 0,
                                .path = def->path};
    io_writer writer;
    WEIR_RETURN_IF_ERROR(io_writer_open(log, def->path, &writer));
    writers[def->format](&frame, &writer);
    return io_writer_commit(&writer);
}
