/* Snaps a surface to solids, and clamps it to a box. */
#include "surface_internal.h"

#include <stdatomic.h>

enum { SNAP_ITERATIONS = 8, SNAP_GRAIN = 1024 };
/* Step of the differences for the gradient, as a fraction of the band. */
#define GRADIENT_STEP 0.02f
/* Cosine of the angle between a vertex's normal and that of a solid near it, from which on the
 * vertex is on the far side of a sheet. */
#define FAR_SIDE_COSINE 0.3f

typedef struct snap_job {
    mesher_surface *surface;
    const mesher_solid *solid;
    const mesher_snap_def *def;
    atomic_uint moved;
} snap_job;

static float distance_at(const snap_job *s, float x, float y, float z)
{
    return s->solid->distance(s->solid->user, vec3_make(x, y, z));
}

static vec3 gradient_at(const snap_job *s, vec3 p)
{
    const float e = GRADIENT_STEP * s->def->band_m;
    const vec3 g = {distance_at(s, p.x + e, p.y, p.z) - distance_at(s, p.x - e, p.y, p.z),
                    distance_at(s, p.x, p.y + e, p.z) - distance_at(s, p.x, p.y - e, p.z),
                    distance_at(s, p.x, p.y, p.z + e) - distance_at(s, p.x, p.y, p.z - e)};
    const float length = vec3_length(g);
    /* At the very centre of a solid every direction leads out. */
    return length > 0 ? vec3_scale(g, 1 / length) : (vec3){0, 1, 0};
}

/* Returns the fraction of its distance that a vertex moves: 1 up to half the band, then falling
 * to 0, so that the surface meets the solid without a step and the order of distances is
 * preserved. */
static float snap_weight(float distance, float band)
{
    const float x = fminf(fmaxf(2 * distance / band - 1, 0), 1);
    return 1 - x * x * (3 - 2 * x);
}

/* Reports whether a vertex outside a solid stays where it is. `out`: unit, out of the solid. */
static bool stays(const snap_job *s, size_t v, vec3 out)
{
    const vec3 *facing = s->def->facing ? &s->def->facing[v] : NULL;
    return (s->def->inside_only && s->def->inside_only[v]) ||
           (facing && vec3_dot(*facing, out) > FAR_SIDE_COSINE * vec3_length(*facing));
}

static bool snap_to_walls(const snap_job *s, size_t v, vec3 *p)
{
    bool moved = false;
    for (uint32_t i = 0; i < s->solid->wall_count; ++i) {
        const struct mesher_wall *wall = &s->solid->walls[i];
        const float d = vec3_dot(wall->normal, *p) - wall->along - s->def->offset_m;
        if (!(d < s->def->band_m) || (d > 0 && stays(s, v, wall->normal))) continue;
        *p = vec3_sub(*p, vec3_scale(wall->normal, d * snap_weight(d, s->def->band_m)));
        moved = moved || fabsf(d) > 1e-6f * s->def->band_m;
    }
    return moved;
}

static bool snap_to_distance(const snap_job *s, size_t v, vec3 *p)
{
    bool moved = false;
    for (int turn = 0; turn < SNAP_ITERATIONS; ++turn) {
        const float d = distance_at(s, p->x, p->y, p->z) - s->def->offset_m;
        if (!(d < s->def->band_m) || fabsf(d) <= 1e-6f * s->def->band_m) return moved;
        const float share = snap_weight(d, s->def->band_m);
        const vec3 out = gradient_at(s, *p);
        if (d > 0 && stays(s, v, out)) return moved;
        *p = vec3_sub(*p, vec3_scale(out, d * share));
        moved = true;
        if (share < 1) return moved;
    }
    return moved;
}

static void snap_vertices(void *user, size_t first, size_t end)
{
    snap_job *s = user;
    uint32_t moved = 0;
    for (size_t v = first; v < end; ++v) {
        vec3 *p = &s->surface->position[v];
        const bool onto_solid = snap_to_distance(s, v, p);
        moved += snap_to_walls(s, v, p) || onto_solid;
    }
    atomic_fetch_add(&s->moved, moved);
}

uint32_t mesher_surface_snap(mesher_surface *surface, const mesher_solid *solid,
                             const mesher_snap_def *def)
{
    WEIR_ASSERT(def->band_m > 0);
    snap_job s = {.surface = surface, .solid = solid, .def = def};
    base_parallel_for(surface->vertex_count, SNAP_GRAIN, snap_vertices, &s);
    return atomic_load(&s.moved);
}

uint32_t mesher_surface_clamp(mesher_surface *surface, vec3 min, vec3 max)
{
    uint32_t moved = 0;
    for (uint32_t v = 0; v < surface->vertex_count; ++v) {
        const vec3 p = surface->position[v], q = vec3_min(vec3_max(p, min), max);
        moved += memcmp(&p, &q, sizeof p) != 0;
        surface->position[v] = q;
    }
    return moved;
}
