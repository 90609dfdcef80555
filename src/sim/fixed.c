/* Places: positions as whole numbers. 32-bit floats of metres round a position by a millionth of a
 * spacing half a metre from the origin, and by more farther out; the same bits as whole numbers
 * are 128 times finer, and as fine everywhere. */
#include "sim_scene.h"

#include "shared/sim.h"

#define EXTENT_MAX                                                                  \
    1073741824.0  /* units: as much again on every side is room to leave the domain \
                   */
#define FINEST 26 /* halvings of h: beyond, the float that a pair's way becomes rounds */

grid_fixed sim_fixed(const scene_data *scene)
{
    const scene_domain *domain = &scene->domain;
    vec3 size = vec3_sub(domain->max, domain->min);
    float h = (float)((double)scene->spacing * (double)scene->solver.support);
    double extent = (double)fmaxf(fmaxf(size.x, size.y), size.z);
    int halvings = (int)floor(log2(EXTENT_MAX * (double)h / extent));
    halvings = halvings > FINEST ? FINEST : halvings;
    return (grid_fixed){.origin = vec3_scale(vec3_add(domain->min, domain->max), 0.5f),
                        .unit = ldexpf(h, -halvings)};
}

static int32_t steps(double way, double unit)
{
    double n = rint(way / unit);
    return (int32_t)fmin(fmax(n, -EXTENT_MAX), EXTENT_MAX);
}

ivec4 sim_to_fixed(const grid_fixed *fixed, const double p[3], int32_t w)
{
    double unit = (double)fixed->unit;
    return (ivec4){steps(p[0] - (double)fixed->origin.x, unit),
                   steps(p[1] - (double)fixed->origin.y, unit),
                   steps(p[2] - (double)fixed->origin.z, unit), w};
}

/* By the operations of shaders/lib/fixed.glsl, so that what is read is what points are. */
vec3 sim_to_metres(const grid_fixed *fixed, ivec4 place)
{
    vec3 way = {(float)place.x * fixed->unit, (float)place.y * fixed->unit,
                (float)place.z * fixed->unit};
    if (place.x == SIM_LOST) return vec3_make(NAN, NAN, NAN);
    return vec3_add(fixed->origin, way);
}
