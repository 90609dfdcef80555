/* Prepares ellipsoids for the anisotropic field (src/grid fits them). */
#include "mesher_internal.h"

/* spacings; radius within which neighbours shape a particle's ellipsoid */
#define FIT_RADIUS 2.0f

static bool can_reuse_anisotropy(const grid_anisotropy_def *a, const grid_anisotropy_def *b)
{
    return memcmp(&a->min, &b->min, sizeof a->min) == 0 &&
           memcmp(&a->max, &b->max, sizeof a->max) == 0 && a->capacity >= b->capacity &&
           a->spacing_m == b->spacing_m;
}

/* Describes the fit in the lattice's own box, which depends only on the frame's particles: sums
 * then run in the same order whatever the previous frame was. */
static grid_anisotropy_def describe_anisotropy(const mesher *m)
{
    const struct mesh_params *p = &m->params;
    float super_m = (float)MESH_SUPER_BLOCK_CELLS * (float)m->frame.cell_m;
    vec3 low = {p->origin.x, p->origin.y, p->origin.z};
    vec3 size = {super_m * (float)p->super_blocks_x, super_m * (float)p->super_blocks_y,
                 super_m * (float)p->super_blocks_z};
    return (grid_anisotropy_def){
        .min = low,
        .max = vec3_add(low, size),
        .capacity = m->frame.points->count,
        .spacing_m = m->frame.points->spacing_m,
        .radius_m = FIT_RADIUS * m->frame.points->spacing_m,
        .smoothing = m->def.centre_smoothing,
        .stretch = m->def.max_anisotropy,
    };
}

/* Bytes per particle: its sort keys, centre and shape. */
#define ELLIPSOID_BYTES 104ull

static weir_result make_ellipsoids(mesher *m, const grid_anisotropy_def *def)
{
    grid_anisotropy_destroy(m->device, &m->anisotropy);
    m->ellipsoid_bytes = 0;
    uint64_t held = mesher_bytes_used(m), before = gpu_device_memory_used(m->device);
    if (held + ELLIPSOID_BYTES * def->capacity > mesher_memory_budget(m))
        return base_fail(mesher_log(m), WEIR_ERROR_MEMORY,
                         "the mesher needs %.1f MiB for ellipsoids in addition to the %.1f MiB in "
                         "use; its limit is %.1f MiB: raise the memory limit",
                         (double)(ELLIPSOID_BYTES * def->capacity) / 1048576.0,
                         (double)held / 1048576.0, (double)mesher_memory_budget(m) / 1048576.0);
    WEIR_RETURN_IF_ERROR(grid_anisotropy_create(m->device, def, &m->anisotropy));
    m->ellipsoids = *def;
    m->ellipsoid_bytes = gpu_device_memory_used(m->device) - before;
    return WEIR_OK;
}

weir_result mesher_prepare_ellipsoids(mesher *m)
{
    grid_anisotropy_def def = describe_anisotropy(m);
    if (!m->anisotropy || !can_reuse_anisotropy(&m->ellipsoids, &def))
        WEIR_RETURN_IF_ERROR(make_ellipsoids(m, &def));
    m->frame.positions = grid_anisotropy_centres(m->anisotropy);
    return WEIR_OK;
}
