/* Reads and writes frames of particles; selects the reader or writer by format. */
#include "io_internal.h"

/* ---- reading -------------------------------------------------------------------------------- */

bool io_is_bgeo(const io_reader *reader)
{
    /* packed files of other formats have their extensions before ".gz" */
    return io_starts_with(reader, "Bgeo") ||
           (reader->unpacked &&
            (io_has_extension(reader, "bgeo") || io_has_extension(reader, "bhclassic")));
}

bool io_is_xyz(const io_reader *reader)
{
    return !io_is_other_format(reader) && io_remaining(reader) > 0 && !io_is_binary(reader);
}

static weir_result read_by_first_bytes(io_reader *reader, io_particles *particles)
{
    for (size_t i = 0; i < io_particle_format_count; i++) {
        const io_particle_format *row = &io_particle_formats[i];
        if (!io_format_matches(&row->format, reader)) continue;
        reader->text = !(row->format.properties & IO_FORMAT_BYTES);
        return row->read(reader, particles);
    }
    if (io_remaining(reader) == 0) return io_fail(reader, reader->at, "the file is empty");
    reader->text = true;
    if (io_is_other_format(reader)) return io_fail_other_format(reader);
    return io_fail_unknown_format(reader, false);
}

static weir_result fail_not_whitewater(const io_reader *reader, const io_particles *particles)
{
    const char *lacks = !particles->kind ? "kind" : !particles->radius ? "radius" : NULL;
    if (!lacks || particles->count == 0) return WEIR_OK;
    return base_fail(reader->log, WEIR_ERROR_IO,
                     "%s: its particles have no \"%s\": expected a whitewater file of \"weir run\" "
                     "or \"weir whitewater\"",
                     reader->path, lacks);
}

/* Removes the particles with numbers that are not finite. A file that is mostly such particles has
 * been misunderstood, or holds nothing of use. */
static weir_result skip_not_finite(const io_reader *reader, io_particles *particles)
{
    const io_not_finite *found = reader->not_finite;
    if (!found->particles) return WEIR_OK;
    const uint32_t count = particles->count;
    for (uint32_t i = 0; i < count; i++) {
        particles->skipped += found->particles[i];
        found->particles[i] = !found->particles[i]; /* now: is kept */
    }
    bool fails = particles->skipped > count / 2;
    const io_location at = {reader, found->at, fails ? WEIR_LOG_ERROR : WEIR_LOG_WARNING};
    io_log_at(&at, "%u of %u particles %s a number that is not finite, here %s is %g%s",
              particles->skipped, count, particles->skipped == 1 ? "has" : "have", found->what,
              found->value,
              fails                     ? ""
              : particles->skipped == 1 ? "; it is skipped"
                                        : "; they are skipped");
    if (fails) return WEIR_ERROR_IO;
    io_particles_keep(particles, found->particles);
    return WEIR_OK;
}

/* Reads the file again, relative to an origin, if its positions are far from 0. */
static weir_result read_from_origin(const io_reader *start, io_reader *reader,
                                    io_particles *particles)
{
    const weir_log *log = start->log, silent = {0};
    double origin[3];
    if (!io_find_origin(particles->position, particles->count, origin)) return WEIR_OK;
    io_particles_free(particles);
    *reader = *start;
    reader->log = &silent; /* the first pass has said everything */
    memcpy(reader->origin, origin, sizeof origin);
    WEIR_RETURN_IF_ERROR(read_by_first_bytes(reader, particles));
    memcpy(particles->origin, origin, sizeof origin);
    reader->log = log;
    return WEIR_OK;
}

static weir_result read_file(const weir_log *log, const char *path, bool whitewater,
                             const base_attributes *attributes, io_particles *particles)
{
    *particles = (io_particles){0};
    base_blob blob = {0};
    io_reader start, reader;
    io_not_finite not_finite = {0};
    WEIR_RETURN_IF_ERROR(io_open_decompressed(log, path, &blob, &start));
    start.whitewater = whitewater;
    start.attributes = attributes;
    start.not_finite = &not_finite;
    reader = start;
    weir_result result;
    WEIR_GOTO_IF_ERROR(read_by_first_bytes(&reader, particles));
    WEIR_GOTO_IF_ERROR(read_from_origin(&start, &reader, particles));
    WEIR_GOTO_IF_ERROR(skip_not_finite(&reader, particles));
    if (whitewater) result = fail_not_whitewater(&reader, particles);
fail:
    base_free(not_finite.particles);
    base_blob_free(&blob);
    if (result != WEIR_OK) io_particles_free(particles);
    return result;
}

weir_result io_particles_read(const weir_log *log, const char *path, io_particles *particles)
{
    return read_file(log, path, false, NULL, particles);
}

weir_result io_particles_read_attributes(const weir_log *log, const char *path,
                                         const base_attributes *attributes, io_particles *particles)
{
    return read_file(log, path, false, attributes, particles);
}

weir_result io_whitewater_read(const weir_log *log, const char *path,
                               const base_attributes *attributes, io_particles *particles)
{
    return read_file(log, path, true, attributes, particles);
}

/* ---- writing -------------------------------------------------------------------------------- */

/* Warns about attributes that a format does not hold. */
static void warn_dropped_attributes(const weir_log *log, const io_particles *particles,
                                    const char *path)
{
    base_text names = {0};
    for (uint32_t i = 0; particles->attribute_values && i < particles->attributes.count; i++)
        base_text_append(&names, "%s%s", i ? ", " : "", particles->attributes.items[i].name);
    if (names.count)
        base_log(log, WEIR_LOG_WARNING,
                 "%s: this format holds positions only, so the attributes are left out (%s): "
                 "choose ply, vtp, vtk, bgeo, npy or xyz to keep them",
                 path, names.items);
    base_free(names.items);
}

weir_result io_particles_write(const weir_log *log, const io_particles *particles,
                               const io_particles_write_def *def)
{
    const io_particle_format *format = io_particle_format_find(def->format);
    WEIR_ASSERT(def->format < WEIR_PARTICLE_FORMAT_COUNT);
    io_particle_output frame = {.log = log,
                                .particles = particles,
                                .columns = io_columns_list(particles, def->fields),
                                .radius_m = def->radius_m,
                                .radius_column = (def->fields & IO_FIELD_RADIUS) != 0,
                                .path = def->path};
    io_writer writer;
    if (!(format->format.properties & IO_FORMAT_FIELDS))
        warn_dropped_attributes(log, particles, def->path);
    if (!(format->format.properties & IO_FORMAT_DOUBLES))
        io_log_local(log, def->path, particles->origin);
    WEIR_RETURN_IF_ERROR(io_writer_open(log, def->path, &writer));
    format->write(&frame, &writer);
    WEIR_RETURN_IF_ERROR(io_writer_commit(&writer));
    if (!(format->format.properties & IO_FORMAT_SERIES)) return WEIR_OK;
    return io_vtk_series_update(log, def->path, particles->time_s);
}
