/* Fixed-point positions. 32-bit floats of metres round a position by a millionth of a spacing half
 * a metre from the origin, and by more farther out; whole numbers of 32 bits are 128 times finer,
 * and equally fine everywhere. */
#include "sim_scene.h"

#include "shared/sim.h"

/* Units. On every side as much room again is left for particles that leave the domain. */
#define EXTENT_MAX 1073741824.0
#define FINEST                                                                         \
    26 /* halvings of h: with more, a pair's offset is rounded when it becomes a float \
        */

grid_fixed sim_fixed(const scene_data *scene)
{
    const scene_domain *domain = &scene->domain;
    vec3 size = vec3_sub(domain->max, domain->min);
    float h = (float)((double)scene->spacing * (double)scene->solver.support);
    double extent = (double)fmaxf(fmaxf(size.x, size.y), size.z);
    int halvings = ilogb(EXTENT_MAX * (double)h / extent);
    halvings = halvings > FINEST ? FINEST : halvings;
    return (grid_fixed){.origin = vec3_scale(vec3_add(domain->min, domain->max), 0.5f),
                        .unit = ldexpf(h, -halvings)};
}

static int32_t steps(double offset, double unit)
{
    double n = rint(offset / unit);
    return (int32_t)fmin(fmax(n, -EXTENT_MAX), EXTENT_MAX);
}

ivec4 sim_to_fixed(const grid_fixed *fixed, const double p[3], int32_t w)
{
    double unit = (double)fixed->unit;
    return (ivec4){steps(p[0] - (double)fixed->origin.x, unit),
                   steps(p[1] - (double)fixed->origin.y, unit),
                   steps(p[2] - (double)fixed->origin.z, unit), w};
}

/* The operations of shaders/lib/math/fixed_point.glsl, so that positions that are read equal those
 * of points.
 */
vec3 sim_to_metres(const grid_fixed *fixed, ivec4 position)
{
    vec3 offset = {(float)position.x * fixed->unit, (float)position.y * fixed->unit,
                   (float)position.z * fixed->unit};
    if (position.x == SIM_LOST) return vec3_make(NAN, NAN, NAN);
    return vec3_add(fixed->origin, offset);
}
