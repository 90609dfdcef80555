/* The origin of files whose coordinates are far from 0, such as those of a map: 32-bit floats keep
 * seven digits, which is half a metre at 5,000 km. Such positions are stored relative to an origin
 * near them. */
#include "io_internal.h"

#include <stdlib.h>

enum { SAMPLES = 1024 };
#define FAR_DISTANCE 100.0 /* nearer positions are kept as they are */
#define FAR_EXTENTS 16.0   /* distance from 0 in extents, from which on positions are far */
#define LEAST_STEP 10.0    /* an origin is a multiple of a power of ten, of at least this one */

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static float coordinate(vec3 p, int axis)
{
    return axis == 0 ? p.x : axis == 1 ? p.y : p.z;
}

/* Returns the power of ten that is at least four times the extent: an origin rounded to it is the
 * same for most frames of a sequence. */
static double origin_step(double extent)
{
    double step = LEAST_STEP;
    while (step < 4.0 * extent)
        step *= 10.0;
    return step;
}

/* The middle and the extent of the bulk of the positions along an axis do not depend on a few
 * strays. */
static double axis_origin(const vec3 *positions, size_t count, int axis)
{
    float samples[SAMPLES];
    const size_t step = (count + SAMPLES - 1) / SAMPLES;
    size_t found = 0;
    for (size_t i = 0; i < count; i += step)
        samples[found++] = coordinate(positions[i], axis);
    qsort(samples, found, sizeof *samples, compare_floats);
    double middle = (double)samples[found / 2];
    double extent = (double)samples[found - 1 - found / 10] - (double)samples[found / 10];
    if (fabs(middle) <= FAR_DISTANCE || fabs(middle) <= FAR_EXTENTS * extent) return 0.0;
    return origin_step(extent) * round(middle / origin_step(extent));
}

bool io_find_origin(const vec3 *positions, size_t count, double origin[3])
{
    bool found = false;
    for (int axis = 0; axis < 3; axis++) {
        origin[axis] = count ? axis_origin(positions, count, axis) : 0.0;
        found |= origin[axis] != 0.0;
    }
    return found;
}

void io_log_local(const weir_log *log, const char *path, const double origin[3])
{
    if (origin[0] == 0.0 && origin[1] == 0.0 && origin[2] == 0.0) return;
    base_log(log, WEIR_LOG_WARNING,
             "%s: its format has 32-bit positions, which are stored relative to (%.15g, %.15g, "
             "%.15g); OBJ, PLY, VTK and XYZ keep the place",
             path, origin[0], origin[1], origin[2]);
}

void io_particles_set_origin(io_particles *particles, const double origin[3])
{
    double shift[3];
    for (int axis = 0; axis < 3; axis++)
        shift[axis] = particles->origin[axis] - origin[axis];
    memcpy(particles->origin, origin, sizeof particles->origin);
    if (shift[0] == 0.0 && shift[1] == 0.0 && shift[2] == 0.0) return;
    for (uint32_t i = 0; i < particles->count; i++) {
        vec3 *p = &particles->position[i];
        *p = vec3_make((float)((double)p->x + shift[0]), (float)((double)p->y + shift[1]),
                       (float)((double)p->z + shift[2]));
    }
}
