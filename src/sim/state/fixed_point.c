/* Fixed-point positions. A 32-bit float in metres rounds a position by a millionth of a spacing at
 * half a metre from the origin, and by more farther out. 32-bit integers are 128 times finer, and
 * equally fine everywhere. */
#include "sim_state.h"

#include "shared/sim.h"

/* Largest extent of the domain, and largest absolute value of a coordinate, in units. Particles may
 * thus leave the domain by half its extent on every side. */
#define EXTENT_MAX 1073741824.0
/* halvings of h; with more, the offset of a pair would be rounded when it is converted to floats */
#define FINEST_HALVINGS 26

grid_fixed_point sim_fixed_point(const scene_data *scene)
{
    const scene_domain *domain = &scene->domain;
    vec3 size = vec3_sub(domain->max, domain->min);
    float h = (float)((double)scene->spacing * (double)scene->solver.support_radius);
    double extent = (double)fmaxf(fmaxf(size.x, size.y), size.z);
    int halvings = ilogb(EXTENT_MAX * (double)h / extent);
    halvings = halvings > FINEST_HALVINGS ? FINEST_HALVINGS : halvings;
    return (grid_fixed_point){.origin = vec3_scale(vec3_add(domain->min, domain->max), 0.5f),
                              .unit = ldexpf(h, -halvings)};
}

static int32_t to_units(double offset, double unit)
{
    double n = rint(offset / unit);
    return (int32_t)fmin(fmax(n, -EXTENT_MAX), EXTENT_MAX);
}

ivec4 sim_to_fixed_point(const grid_fixed_point *fixed, const double p[3], int32_t w)
{
    double unit = (double)fixed->unit;
    return (ivec4){to_units(p[0] - (double)fixed->origin.x, unit),
                   to_units(p[1] - (double)fixed->origin.y, unit),
                   to_units(p[2] - (double)fixed->origin.z, unit), w};
}

/* Performs the same operations as shaders/lib/math/fixed_point.glsl, so that positions that are
 * read back equal those of a particle view. */
vec3 sim_to_metres(const grid_fixed_point *fixed, ivec4 position)
{
    vec3 offset = {(float)position.x * fixed->unit, (float)position.y * fixed->unit,
                   (float)position.z * fixed->unit};
    if (position.x == SIM_INVALID_POSITION) return vec3_make(NAN, NAN, NAN);
    return vec3_add(fixed->origin, offset);
}
