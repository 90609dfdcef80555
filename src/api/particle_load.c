/* Public API that loads particle files: weir_particles_load. */
#include "api_internal.h"
#include "geometry.h"
#include "io.h"

void weir_particles_free(weir_particles *particles)
{
    if (!particles) return;
    if (particles->internal) io_particles_free(particles->internal);
    base_free(particles->internal);
    *particles = (weir_particles){0};
}

static void set_points(const io_particles *read, weir_points_def *points)
{
    *points = weir_points_def_default();
    points->count = read->count;
    points->spacing_m = 2 * read->radius_m;
    points->position = &read->position->x;
    points->velocity = read->velocity ? &read->velocity->x : NULL;
    points->id = read->id;
    points->fluid = read->fluid;
    points->density = read->density;
}

weir_result weir_particles_load(const weir_log *log, const char *path, weir_particles *particles)
{
    WEIR_REQUIRE_NOT_NULL(log, particles);
    *particles = (weir_particles){0};
    WEIR_REQUIRE(log, path && path[0], "`path` must name a file");
    weir_particles made = {.internal = base_alloc(1, sizeof(io_particles))};
    io_particles *read = made.internal;
    weir_result result;
    if (!read)
        return base_fail(log, WEIR_ERROR_MEMORY, "%s: not enough memory for particles", path);
    WEIR_GOTO_IF_ERROR(io_particles_read(log, path, read));
    set_points(read, &made.points);
    made.time_s = read->time_s;
    made.spacing_estimated = !(read->radius_m > 0);
    if (made.spacing_estimated)
        WEIR_GOTO_IF_ERROR(
            points_estimate_spacing(log, read->position, read->count, &made.points.spacing_m));
    *particles = made;
    return WEIR_OK;
fail:
    weir_particles_free(&made);
    return result;
}
