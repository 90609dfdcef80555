/* Rounds drops. With voxels as large as a spacing, marching cubes makes polyhedra of a few dozen
 * triangles of them. Loop, "Smooth subdivision surfaces based on triangles" (1987), with Warren's
 * weights (1995). */
#include "surface_internal.h"

#include <stdlib.h>

enum { SPHERICAL_TRIANGLES = 64, DROP_TRIANGLES = 160, RELAX_ITERATIONS = 3 };
#define RELAX_STRENGTH 0.5f
/* Larger drops increasingly keep the volume of their polyhedron; those of twice as many particles
 * do. */
#define COUNTED_PARTICLES 40.0f
/* Neighbour counts are interpolated, so those of one drop differ by this much. */
#define COUNT_TOLERANCE 0.01f

typedef struct drop {
    uint32_t triangles, vertices; /* 0: not a drop */
    vec3 centre;                  /* m, mean of the vertices, then of the volume */
    vec3 first_centre;            /* m, of the polyhedron */
    float radius;                 /* m, of the sphere around the vertices */
    float least, most;            /* neighbour counts of the vertices */
    double volume, wanted;        /* m3, of the polyhedron and after rounding */
    uint32_t first_triangles;     /* before subdivision */
    double moments[6];            /* m5, about the centre: xx, yy, zz, yz, zx, xy */
    vec3 offset;      /* m4, of the volume's mean from the vertices', times the volume */
    bool star_shaped; /* seen from its centre */
} drop;

/* Subdivision keeps the order of the components, so `drops` remains valid. */
typedef struct drop_job {
    const weir_log *log;
    mesher_surface *surface;
    surface_edge_uses uses;
    surface_components parts;
    drop *drops;             /* [parts.count] */
    uint32_t *edge_vertex;   /* [3 * triangle_count] the new vertex on each half-edge */
    vec3 *sum;               /* [vertex_count] of the vertices around */
    uint32_t *valence;       /* [vertex_count] */
    uint32_t triangle_count; /* of all drops */
} drop_job;

static float smooth_step(float low, float high, float x)
{
    const float t = fminf(fmaxf((x - low) / (high - low), 0), 1);
    return t * t * (3 - 2 * t);
}

static weir_result no_memory(const drop_job *j)
{
    return base_fail(j->log, WEIR_ERROR_MEMORY, "not enough memory to round drops");
}

static void free_topology(drop_job *j)
{
    surface_edge_uses_free(&j->uses);
    surface_components_free(&j->parts);
    base_free(j->edge_vertex);
    base_free(j->sum);
    base_free(j->valence);
    j->edge_vertex = j->valence = NULL;
    j->sum = NULL;
}

/* Finds the edges and components of the surface, again after it has been subdivided. */
static weir_result find_topology(drop_job *j)
{
    mesher_surface *surface = j->surface;
    free_topology(j);
    WEIR_RETURN_IF_ERROR(surface_edge_uses_create(j->log, surface, &j->uses));
    WEIR_RETURN_IF_ERROR(surface_components_create(j->log, surface, &j->uses, &j->parts));
    j->edge_vertex = base_alloc(surface->triangle_count, 3 * sizeof *j->edge_vertex);
    j->sum = base_alloc(surface->vertex_count, sizeof *j->sum);
    j->valence = base_alloc(surface->vertex_count, sizeof *j->valence);
    return j->edge_vertex && j->sum && j->valence ? WEIR_OK : no_memory(j);
}

static drop *drop_of_vertex(const drop_job *j, uint32_t v)
{
    const uint32_t part = j->parts.of_vertex[v];
    return part != SURFACE_NO_INDEX && j->drops[part].triangles ? &j->drops[part] : NULL;
}

/* Selects the drops: small closed components whose edges have two triangles each. */
static weir_result find_drops(drop_job *j)
{
    surface_edge edge = {0};
    j->drops = base_alloc(j->parts.count, sizeof *j->drops);
    if (!j->drops) return no_memory(j);
    for (uint32_t i = 0; i < j->parts.count; ++i) {
        const surface_component *part = &j->parts.items[i];
        const bool chosen = part->closed && part->triangles <= DROP_TRIANGLES && part->volume > 0;
        j->drops[i] = (drop){.triangles = chosen ? part->triangles : 0,
                             .first_triangles = part->triangles,
                             .least = INFINITY,
                             .volume = part->volume,
                             .wanted = part->volume};
    }
    while (surface_next_edge(&j->uses, &edge))
        if (edge.count != 2) j->drops[j->parts.of_vertex[edge.low]].triangles = 0;
    for (uint32_t i = 0; i < j->parts.count; ++i)
        j->triangle_count += j->drops[i].triangles;
    return WEIR_OK;
}

/* ---- the volume of a drop's particles ------------------------------------------------------- */

static void find_centres(drop_job *j)
{
    const mesher_surface *s = j->surface;
    for (uint32_t i = 0; i < j->parts.count; ++i) {
        j->drops[i].centre = vec3_make(0, 0, 0);
        j->drops[i].vertices = 0;
    }
    for (uint32_t v = 0; v < s->vertex_count; ++v) {
        drop *d = drop_of_vertex(j, v);
        if (!d) continue;
        d->centre = vec3_add(d->centre, s->position[v]);
        d->vertices++;
    }
    for (uint32_t i = 0; i < j->parts.count; ++i)
        if (j->drops[i].vertices)
            j->drops[i].centre = vec3_scale(j->drops[i].centre, 1 / (float)j->drops[i].vertices);
}

static void measure_drops(drop_job *j, const float *counts)
{
    find_centres(j);
    for (uint32_t v = 0; v < j->surface->vertex_count; ++v) {
        drop *d = drop_of_vertex(j, v);
        if (!d) continue;
        const vec3 offset = vec3_sub(j->surface->position[v], d->centre);
        d->radius = fmaxf(d->radius, vec3_length(offset));
        d->least = fminf(d->least, counts[v]);
        d->most = fmaxf(d->most, counts[v]);
    }
}

static int compare_drops(const void *a, const void *b)
{
    const drop *x = *(drop *const *)a, *y = *(drop *const *)b;
    if (x->centre.x != y->centre.x) return x->centre.x < y->centre.x ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* Gives drops near others the volume of their polyhedra. `sorted` by x. */
static void exclude_near_drops(drop **sorted, size_t count, float reach_m)
{
    float widest = 0;
    for (size_t i = 0; i < count; ++i)
        widest = fmaxf(widest, sorted[i]->radius);
    for (size_t i = 0; i < count; ++i) {
        drop *a = sorted[i];
        const float end = a->centre.x + reach_m + a->radius + widest;
        for (size_t k = i + 1; k < count && sorted[k]->centre.x < end; ++k) {
            drop *b = sorted[k];
            const float apart = vec3_length(vec3_sub(a->centre, b->centre));
            if (apart >= reach_m + a->radius + b->radius) continue;
            a->wanted = a->volume;
            b->wanted = b->volume;
        }
    }
}

/* Finds the volume of the particles of each drop that has no other fluid within the field's reach:
 * the neighbours of its vertices are then all the same, its own particles. */
static weir_result find_volumes(drop_job *j)
{
    mesher_surface *s = j->surface;
    const mesher_vertex_channel *channel = surface_find_channel(s, MESHER_NEIGHBOUR_CHANNEL);
    if (!channel || s->spacing_m <= 0) return WEIR_OK;
    drop **sorted = base_alloc(j->parts.count, sizeof *sorted);
    if (!sorted) return no_memory(j);
    size_t count = 0;
    measure_drops(j, channel->values);
    for (uint32_t i = 0; i < j->parts.count; ++i) {
        drop *d = &j->drops[i];
        if (!d->triangles) continue;
        sorted[count++] = d;
        const float particles = 1 + roundf(d->most);
        const double counted =
            (double)(1 - smooth_step(COUNTED_PARTICLES, 2 * COUNTED_PARTICLES, particles));
        if (d->most - d->least < COUNT_TOLERANCE)
            d->wanted += counted * (pow((double)s->spacing_m, 3) * (double)particles - d->volume);
    }
    qsort(sorted, count, sizeof *sorted, compare_drops);
    exclude_near_drops(sorted, count, s->reach_m);
    base_free(sorted);
    return WEIR_OK;
}

/* ---- subdivision ---------------------------------------------------------------------------- */

static bool reserve(drop_job *j)
{
    mesher_surface *s = j->surface;
    const size_t vertices = (size_t)s->vertex_count + j->triangle_count / 2 * 3;
    const size_t triangles = (size_t)s->triangle_count + 3 * (size_t)j->triangle_count;
    return vertices < SURFACE_TRIANGLES_MAX && triangles < SURFACE_TRIANGLES_MAX &&
           surface_resize_vertices(s, vertices) &&
           surface_resize_array((void **)&s->index, triangles, 3 * sizeof *s->index);
}

/* Adds a vertex to each edge of a drop. */
static void split_edges(drop_job *j)
{
    mesher_surface *s = j->surface;
    surface_edge edge = {0};
    uint32_t next = s->vertex_count;
    memset(j->sum, 0, s->vertex_count * sizeof *j->sum);
    memset(j->valence, 0, s->vertex_count * sizeof *j->valence);
    while (surface_next_edge(&j->uses, &edge)) {
        if (!drop_of_vertex(j, edge.low)) continue;
        const uint32_t a = edge.low, b = edge.high, v = next++;
        const uint32_t h = edge.uses[0].corner, g = edge.uses[1].corner;
        const vec3 ends = vec3_add(s->position[a], s->position[b]);
        const vec3 sides = vec3_add(s->position[s->index[surface_prev_corner(h)]],
                                    s->position[s->index[surface_prev_corner(g)]]);
        j->sum[a] = vec3_add(j->sum[a], s->position[b]);
        j->sum[b] = vec3_add(j->sum[b], s->position[a]);
        j->valence[a]++;
        j->valence[b]++;
        j->edge_vertex[h] = j->edge_vertex[g] = v;
        surface_copy_vertex(s, v, a);
        surface_move_vertex_toward(s, v, b, 0.5f);
        s->position[v] = vec3_add(vec3_scale(ends, 0.375f), vec3_scale(sides, 0.125f));
    }
    for (uint32_t v = 0; v < s->vertex_count; ++v) {
        if (j->valence[v] < 3) continue;
        const float beta = j->valence[v] > 3 ? 0.375f / (float)j->valence[v] : 0.1875f;
        s->position[v] = vec3_add(vec3_scale(s->position[v], 1 - (float)j->valence[v] * beta),
                                  vec3_scale(j->sum[v], beta));
    }
    s->vertex_count = next;
}

/* Divides each triangle of a drop into four. */
static void split_triangles(drop_job *j)
{
    mesher_surface *s = j->surface;
    const uint32_t before = s->triangle_count;
    for (uint32_t t = 0; t < before; ++t) {
        uint32_t *c = s->index + 3 * (size_t)t;
        if (!drop_of_vertex(j, c[0])) continue;
        const uint32_t *m = j->edge_vertex + 3 * (size_t)t;
        uint32_t *added = s->index + 3 * (size_t)s->triangle_count;
        for (uint32_t k = 0; k < 3; ++k) {
            added[3 * k] = c[k];
            added[3 * k + 1] = m[k];
            added[3 * k + 2] = m[(k + 2) % 3];
        }
        s->triangle_count += 3;
        memcpy(c, m, 3 * sizeof *c);
    }
}

static weir_result subdivide(drop_job *j)
{
    if (!reserve(j)) return no_memory(j);
    split_edges(j);
    split_triangles(j);
    for (uint32_t i = 0; i < j->parts.count; ++i)
        j->drops[i].triangles *= 4;
    j->triangle_count *= 4;
    return find_topology(j);
}

/* ---- shape ---------------------------------------------------------------------------------- */

/* Moves the vertices of drops towards the means of their neighbours. */
static void relax(drop_job *j)
{
    mesher_surface *s = j->surface;
    surface_edge edge = {0};
    memset(j->sum, 0, s->vertex_count * sizeof *j->sum);
    memset(j->valence, 0, s->vertex_count * sizeof *j->valence);
    while (surface_next_edge(&j->uses, &edge)) {
        if (!drop_of_vertex(j, edge.low)) continue;
        j->sum[edge.low] = vec3_add(j->sum[edge.low], s->position[edge.high]);
        j->sum[edge.high] = vec3_add(j->sum[edge.high], s->position[edge.low]);
        j->valence[edge.low]++;
        j->valence[edge.high]++;
    }
    for (uint32_t v = 0; v < s->vertex_count; ++v) {
        if (j->valence[v] == 0) continue;
        const vec3 mean = vec3_scale(j->sum[v], 1 / (float)j->valence[v]);
        s->position[v] = vec3_add(vec3_scale(s->position[v], 1 - RELAX_STRENGTH),
                                  vec3_scale(mean, RELAX_STRENGTH));
    }
}

/* Returns the inverse of a symmetric matrix: xx, yy, zz, yz, zx, xy. */
static void invert_symmetric(const double m[6], double inverse[6])
{
    const double cofactors[6] = {m[1] * m[2] - m[3] * m[3], m[2] * m[0] - m[4] * m[4],
                                 m[0] * m[1] - m[5] * m[5], m[4] * m[5] - m[0] * m[3],
                                 m[5] * m[3] - m[1] * m[4], m[3] * m[4] - m[2] * m[5]};
    const double determinant = m[0] * cofactors[0] + m[5] * cofactors[5] + m[4] * cofactors[4];
    for (int k = 0; k < 6; ++k)
        inverse[k] = cofactors[k] / determinant;
}

static double quadratic_form(const double m[6], vec3 v)
{
    const double x = (double)v.x, y = (double)v.y, z = (double)v.z;
    return m[0] * x * x + m[1] * y * y + m[2] * z * z +
           2 * (m[3] * y * z + m[4] * z * x + m[5] * x * y);
}

static void add_square(double m[6], double weight, vec3 v)
{
    const double x = (double)v.x, y = (double)v.y, z = (double)v.z;
    const double products[6] = {x * x, y * y, z * z, y * z, z * x, x * y};
    for (int k = 0; k < 6; ++k)
        m[k] += weight * products[k];
}

/* Adds a triangle's tetrahedron to the volume and the second moments of its drop. The moments of a
 * tetrahedron with a corner at the origin are those of its other corners and of their sum, times a
 * twentieth of the volume. */
static void add_tetrahedron(drop *d, const vec3 *position, const uint32_t *corner)
{
    double volume_6, area_2;
    vec3 sum = {0, 0, 0};
    surface_volume_and_area(position, corner, d->centre, &volume_6, &area_2);
    d->volume += volume_6 / 6;
    d->star_shaped = d->star_shaped && volume_6 > 0;
    for (int k = 0; k < 3; ++k) {
        const vec3 offset = vec3_sub(position[corner[k]], d->centre);
        add_square(d->moments, volume_6 / 120, offset);
        sum = vec3_add(sum, offset);
    }
    add_square(d->moments, volume_6 / 120, sum);
    d->offset = vec3_add(d->offset, vec3_scale(sum, (float)volume_6 / 24));
}

/* Moves the centre and the moments from the mean of the vertices to that of the volume. */
static void move_to_centroid(drop *d)
{
    const vec3 offset = vec3_scale(d->offset, (float)(1 / d->volume));
    add_square(d->moments, -d->volume, offset);
    d->centre = vec3_add(d->centre, offset);
}

/* Measures the volumes and moments of the drops. */
static void integrate_drops(drop_job *j)
{
    const mesher_surface *s = j->surface;
    find_centres(j);
    for (uint32_t i = 0; i < j->parts.count; ++i) {
        j->drops[i].volume = 0;
        j->drops[i].star_shaped = true;
        j->drops[i].offset = vec3_make(0, 0, 0);
        memset(j->drops[i].moments, 0, sizeof j->drops[i].moments);
    }
    for (uint32_t t = 0; t < s->triangle_count; ++t) {
        const uint32_t *corner = s->index + 3 * (size_t)t;
        drop *d = drop_of_vertex(j, corner[0]);
        if (d) add_tetrahedron(d, s->position, corner);
    }
    for (uint32_t i = 0; i < j->parts.count; ++i)
        if (j->drops[i].triangles && j->drops[i].volume > 0) move_to_centroid(&j->drops[i]);
}

/* Turns the moments into the inverse matrix of the ellipsoid that has them: x is on it where
 * x . M x is 1. The smallest drops become spheres, since their moments are those of the lattice. */
static void make_ellipsoid(drop *d, float cell_m)
{
    const float cells = (float)d->volume / (cell_m * cell_m * cell_m);
    const double own = (double)smooth_step(3, 8, cells);
    double ellipsoid[6];
    const double mean = (d->moments[0] + d->moments[1] + d->moments[2]) / 3;
    for (int k = 0; k < 6; ++k)
        ellipsoid[k] = 5 / d->volume * (own * d->moments[k] + (k < 3 ? (1 - own) * mean : 0));
    invert_symmetric(ellipsoid, d->moments);
}

/* Moves the vertices of drops to ellipsoids: fully up to SPHERICAL_TRIANGLES before subdivision,
 * and less the larger the drop is. */
static void project_to_ellipsoids(drop_job *j)
{
    mesher_surface *s = j->surface;
    integrate_drops(j);
    for (uint32_t i = 0; i < j->parts.count; ++i)
        if (j->drops[i].triangles && j->drops[i].volume > 0)
            make_ellipsoid(&j->drops[i], s->cell_m);
    for (uint32_t v = 0; v < s->vertex_count; ++v) {
        const drop *d = drop_of_vertex(j, v);
        if (!d || !d->star_shaped) continue;
        const vec3 offset = vec3_sub(s->position[v], d->centre);
        const double square = quadratic_form(d->moments, offset);
        if (!(square > 0)) continue;
        const float share =
            1 - smooth_step(SPHERICAL_TRIANGLES, DROP_TRIANGLES, (float)d->first_triangles);
        const float scale = 1 + share * ((float)(1 / sqrt(square)) - 1);
        s->position[v] = vec3_add(d->centre, vec3_scale(offset, scale));
    }
}

/* Scales drops about their centres to the volumes that they are to have. */
static void restore_volumes(drop_job *j)
{
    mesher_surface *s = j->surface;
    integrate_drops(j);
    for (uint32_t v = 0; v < s->vertex_count; ++v) {
        const drop *d = drop_of_vertex(j, v);
        if (!d || !(d->volume > 0)) continue;
        const float scale = (float)cbrt(d->wanted / d->volume);
        const vec3 offset = vec3_sub(s->position[v], d->centre);
        s->position[v] = vec3_add(d->first_centre, vec3_scale(offset, scale));
    }
}

weir_result mesher_surface_round_drops(const weir_log *log, mesher_surface *surface,
                                       uint32_t levels)
{
    drop_job j = {.log = log, .surface = surface};
    weir_result result = WEIR_OK;
    if (levels == 0 || surface->triangle_count == 0) return WEIR_OK;
    WEIR_GOTO_IF_ERROR(find_topology(&j));
    WEIR_GOTO_IF_ERROR(find_drops(&j));
    if (j.triangle_count == 0) goto fail;
    integrate_drops(&j);
    for (uint32_t i = 0; i < j.parts.count; ++i)
        j.drops[i].first_centre = j.drops[i].centre;
    WEIR_GOTO_IF_ERROR(find_volumes(&j));
    for (uint32_t i = 0; i < levels; ++i)
        WEIR_GOTO_IF_ERROR(subdivide(&j));
    for (uint32_t i = 0; i < RELAX_ITERATIONS; ++i)
        relax(&j);
    project_to_ellipsoids(&j);
    restore_volumes(&j);
fail:
    free_topology(&j);
    base_free(j.drops);
    return result;
}
