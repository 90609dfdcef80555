/* Snaps a surface to solids, and clamps it to a box. */
#include "surface_internal.h"

#include <stdatomic.h>

enum {
    SNAP_ITERATIONS = 8,
    SNAP_GRAIN = 1024,
    PLANES = 4,           /* surfaces that meet in a corner */
    PLANE_DIRECTIONS = 8, /* in which other surfaces are sought */
    PLANE_BISECTIONS = 5
};
/* Height above a surface, as a fraction of the band, at which other surfaces are sought. */
#define PLANE_LIFT 0.05f
/* Cosine of the angle between normals from which on they are those of one curved surface. */
#define SAME_PLANE_COSINE 0.8f
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

static float difference(const mesher_solid *solid, vec3 p, vec3 step)
{
    return solid->distance(solid->user, vec3_add(p, step)) -
           solid->distance(solid->user, vec3_sub(p, step));
}

vec3 mesher_solid_normal(const mesher_solid *solid, vec3 p, float band_m)
{
    const float e = GRADIENT_STEP * band_m;
    const vec3 g = {difference(solid, p, vec3_make(e, 0, 0)),
                    difference(solid, p, vec3_make(0, e, 0)),
                    difference(solid, p, vec3_make(0, 0, e))};
    const float length = vec3_length(g);
    /* At the very centre of a solid every direction leads out. */
    return length > 0 ? vec3_scale(g, 1 / length) : (vec3){0, 1, 0};
}

static vec3 gradient_at(const snap_job *s, vec3 p)
{
    return mesher_solid_normal(s->solid, p, s->def->band_m);
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

static bool lies_on_solid(const snap_job *s, vec3 p)
{
    return fabsf(distance_at(s, p.x, p.y, p.z) - s->def->offset_m) <= 1e-3f * s->def->band_m;
}

/* ---- edges and corners ----------------------------------------------------------------------- */

/* A solid's surface near a vertex, as a plane. */
typedef struct near_plane {
    vec3 normal; /* unit, out of the solid */
    float along; /* m, of the plane along the normal */
} near_plane;

static float height_over(const near_plane *plane, vec3 p)
{
    return vec3_dot(plane->normal, p) - plane->along;
}

static bool is_new_plane(const near_plane *planes, uint32_t count, vec3 normal)
{
    for (uint32_t i = 0; i < count; ++i)
        if (vec3_dot(planes[i].normal, normal) > SAME_PLANE_COSINE) return false;
    return true;
}

/* Returns whether the way from a point leads to within `near` of a solid; *reach is its length, and
 * becomes that up to there. Deep inside a union of solids, the nearest surface may be a buried
 * one. */
static bool leads_into_solid(const snap_job *s, vec3 from, vec3 way, float near, float *reach)
{
    float low = 0, high = *reach;
    vec3 q = vec3_add(from, vec3_scale(way, high));
    if (distance_at(s, q.x, q.y, q.z) - s->def->offset_m >= near) return false;
    for (int turn = 0; turn < PLANE_BISECTIONS; ++turn) {
        const float middle = 0.5f * (low + high);
        q = vec3_add(from, vec3_scale(way, middle));
        if (distance_at(s, q.x, q.y, q.z) - s->def->offset_m < near)
            high = middle;
        else
            low = middle;
    }
    *reach = high;
    return true;
}

/* Finds the surfaces that rise from the one on which p lies, within the band: where a step along
 * that surface leads into a solid. planes[0] is the surface under p. */
static uint32_t find_planes(const snap_job *s, vec3 p, near_plane planes[PLANES])
{
    const float band = s->def->band_m, above = PLANE_LIFT * band;
    const vec3 normal = gradient_at(s, p);
    const vec3 side = fabsf(normal.x) < 0.6f ? vec3_make(1, 0, 0) : vec3_make(0, 1, 0);
    const vec3 across = vec3_cross(normal, side), u = vec3_scale(across, 1 / vec3_length(across));
    const vec3 w = vec3_cross(normal, u);
    uint32_t count = 1;
    planes[0] = (near_plane){normal, vec3_dot(normal, p)};
    for (int k = 0; k < PLANE_DIRECTIONS && count < PLANES; ++k) {
        const float angle = 6.2831853f / PLANE_DIRECTIONS * (float)k;
        const vec3 way = vec3_add(vec3_scale(u, base_cos(angle)), vec3_scale(w, base_sin(angle)));
        const vec3 from = vec3_add(p, vec3_scale(normal, above));
        float reach = band;
        if (!leads_into_solid(s, from, way, 0.5f * above, &reach)) continue;
        const vec3 q = vec3_add(from, vec3_scale(way, reach)), out = gradient_at(s, q);
        const float d = distance_at(s, q.x, q.y, q.z) - s->def->offset_m;
        const near_plane plane = {out, vec3_dot(out, q) - d};
        if (is_new_plane(planes, count, out) && height_over(&plane, p) > 0) planes[count++] = plane;
    }
    return count;
}

/* Moves a vertex that lies on a solid along its surface onto those that rise from it, so that fluid
 * fills edges and corners. */
static void snap_to_edges(const snap_job *s, size_t v, vec3 *p)
{
    near_plane planes[PLANES];
    const uint32_t count = find_planes(s, *p, planes);
    bool moved = false;
    for (uint32_t i = 1; i < count; ++i) {
        const float d = height_over(&planes[i], *p);
        if (!(d > 0 && d < s->def->band_m) || stays(s, v, planes[i].normal)) continue;
        *p = vec3_sub(*p, vec3_scale(planes[i].normal, d * snap_weight(d, s->def->band_m)));
        moved = true;
    }
    for (int turn = 0; moved && turn < SNAP_ITERATIONS; ++turn)
        for (uint32_t i = 0; i < count; ++i) {
            const float d = height_over(&planes[i], *p);
            if (i == 0 || d < 0) *p = vec3_sub(*p, vec3_scale(planes[i].normal, d));
        }
    for (int turn = 0; moved && turn < SNAP_ITERATIONS; ++turn) { /* the surfaces may be curved */
        const float d = distance_at(s, p->x, p->y, p->z) - s->def->offset_m;
        if (fabsf(d) <= 1e-5f * s->def->band_m) break;
        *p = vec3_sub(*p, vec3_scale(gradient_at(s, *p), d));
    }
}

static void snap_vertices(void *user, size_t first, size_t end)
{
    snap_job *s = user;
    uint32_t moved = 0;
    for (size_t v = first; v < end; ++v) {
        vec3 *p = &s->surface->position[v];
        const bool onto_solid = snap_to_distance(s, v, p);
        if (lies_on_solid(s, *p)) snap_to_edges(s, v, p);
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
