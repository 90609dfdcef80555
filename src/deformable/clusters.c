/* Shape matching: builds the clusters of a soft body, overlapping blocks of its lattice, and what
 * shaders need of them. */
#include "soft_body_lattice.h"

/* of all clusters together: what fits in a storage buffer of 128 MiB */
#define MAX_MEMBERS 8000000u
/* factor on the mass of a pinned vertex, so that it moves the others */
#define PINNED_MASS_FACTOR 1000.0

/* Breadth-first search of the vertices around the middle of a cluster. */
typedef struct cluster_search {
    uint32_t *nodes;   /* per vertex of the body: its node in the lattice */
    uint32_t *seen;    /* per vertex: the last cluster that contains it, from 1 */
    uint32_t *queue;   /* vertices, nearest first */
    uint8_t *finished; /* per vertex: whether it is near the middle of a cluster */
} cluster_search;

static bool open_search(const deformable_builder *b, cluster_search *s)
{
    const soft_body_cells *c = &b->cells;
    uint32_t vertices = b->set->info[b->index].vertex_count;
    uint32_t nodes = (c->cell_count[0] + 1) * (c->cell_count[1] + 1) * (c->cell_count[2] + 1);
    s->nodes = base_alloc(vertices, sizeof *s->nodes);
    s->seen = base_alloc(vertices, sizeof *s->seen);
    s->queue = base_alloc(vertices, sizeof *s->queue);
    s->finished = base_alloc(vertices, 1);
    if (!s->nodes || !s->seen || !s->queue || !s->finished) return false;
    for (uint32_t i = 0; i < nodes; i++)
        if (c->vertex[i] != DEFORMABLE_NONE) s->nodes[c->vertex[i]] = i;
    return true;
}

static void close_search(cluster_search *s)
{
    base_free(s->nodes);
    base_free(s->seen);
    base_free(s->queue);
    base_free(s->finished);
}

/* Returns the cell that has `node` as the given corner, or DEFORMABLE_NONE if the body has no such
 * cell. Bits 0, 1 and 2 of `corner` select the side of x, y and z. */
static uint32_t cell_at_node(const soft_body_cells *c, uint32_t node, uint32_t corner)
{
    uint32_t row = node / (c->cell_count[0] + 1);
    uint32_t at[3] = {node % (c->cell_count[0] + 1), row % (c->cell_count[1] + 1),
                      row / (c->cell_count[1] + 1)};
    for (int k = 0; k < 3; k++) {
        uint32_t side = corner >> k & 1u;
        if (at[k] < side || at[k] - side >= c->cell_count[k]) return DEFORMABLE_NONE;
        at[k] -= side;
    }
    uint32_t cell = (at[2] * c->cell_count[1] + at[1]) * c->cell_count[0] + at[0];
    return c->in[cell] ? cell : DEFORMABLE_NONE;
}

/* Appends the vertices of the cells around a vertex that the cluster does not contain yet; returns
 * the new end of the queue. */
static uint32_t append_neighbours(const deformable_builder *b, cluster_search *s, uint32_t vertex,
                                  uint32_t cluster, uint32_t end)
{
    for (uint32_t side = 0; side < 8; side++) {
        uint32_t cell = cell_at_node(&b->cells, s->nodes[vertex], side);
        if (cell == DEFORMABLE_NONE) continue;
        for (uint32_t corner = 0; corner < 8; corner++) {
            uint32_t other = soft_body_cell_corner(b, &b->cells, cell, corner) - b->first;
            if (s->seen[other] == cluster) continue;
            s->seen[other] = cluster;
            s->queue[end++] = other;
        }
    }
    return end;
}

/* Appends the cluster of all vertices at most `reach` cells away from a vertex. */
static bool append_cluster(deformable_builder *b, cluster_search *s, uint32_t middle,
                           uint32_t reach)
{
    deformable_set *set = b->set;
    struct deformable_cluster cluster = {.first = (uint32_t)set->members.count,
                                         .stiffness = b->deformable->pbd_stiffness};
    uint32_t number = (uint32_t)set->clusters.count + 1, end = 1, begin = 0;
    s->queue[0] = middle;
    s->seen[middle] = number;
    for (uint32_t step = 0; step <= reach; step++) {
        uint32_t ring = end;
        for (uint32_t i = begin; i < ring; i++) {
            s->finished[s->queue[i]] |= 2 * step <= reach;
            if (step < reach) end = append_neighbours(b, s, s->queue[i], number, end);
        }
        begin = ring;
    }
    bool ok = true;
    for (uint32_t i = 0; i < end && ok; i++)
        ok = BASE_ARRAY_PUSH(&set->members,
                             ((struct deformable_member){.vertex = b->first + s->queue[i]}));
    cluster.count = end;
    return ok && BASE_ARRAY_PUSH(&set->clusters, cluster);
}

/* Returns the vertex nearest to the mean position of all. */
static uint32_t find_middle_vertex(const deformable_builder *b)
{
    uint32_t count = b->set->info[b->index].vertex_count, best = 0;
    vec3 sum = {0};
    float min = INFINITY;
    for (uint32_t i = 0; i < count; i++)
        sum = vec3_add(sum, deformable_initial_position(b->set, b->first + i));
    sum = vec3_scale(sum, 1.0f / (float)count);
    for (uint32_t i = 0; i < count; i++) {
        float far = vec3_length(vec3_sub(deformable_initial_position(b->set, b->first + i), sum));
        if (far < min) min = far, best = i;
    }
    return best;
}

/* Warns of a cluster radius that reaches no other vertex, and so would keep nothing together. */
static void warn_small_cluster(const deformable_builder *b, float step)
{
    const scene_deformable *s = b->deformable;
    if (s->cluster_radius_m >= 0.5f * step) return;
    base_log(b->log, WEIR_LOG_WARNING,
             "%s:%d:%d: soft body '%s' has a cluster_radius of %g m and vertices %.3g m apart: "
             "each cluster would cover a single cell, the smallest possible; use a cluster_radius "
             "of %.3g, or make its spacing smaller",
             b->set->scene->source, s->line, s->column, s->name, (double)s->cluster_radius_m,
             (double)step, (double)step);
}

/* Appends clusters: the first around the middle, the others around vertices that are near the
 * middle of none. A cluster that contains the whole body is the only one. */
static weir_result append_clusters(deformable_builder *b, cluster_search *s)
{
    const soft_body_cells *c = &b->cells;
    const scene_deformable *deformable = b->deformable;
    deformable_info *f = &b->set->info[b->index];
    float step = (float)cbrt((double)(c->step[0] * c->step[1] * c->step[2]));
    uint32_t reach = (uint32_t)fmaxf(rintf(fminf(deformable->cluster_radius_m / step, 1e6f)), 1.0f);
    uint32_t middle = find_middle_vertex(b), next = 0;
    bool whole = false;
    warn_small_cluster(b, step);
    while (next < f->vertex_count && !whole) {
        if (!append_cluster(b, s, f->clusters ? next : middle, reach)) return WEIR_ERROR_MEMORY;
        f->clusters++;
        whole = b->set->clusters.items[b->set->clusters.count - 1].count == f->vertex_count;
        if (b->set->members.count > MAX_MEMBERS)
            return deformable_scene_fault(
                b, deformable->line, deformable->column,
                "needs more than %u cluster members in all soft bodies: make its spacing larger, "
                "or its cluster_radius of %g m smaller",
                MAX_MEMBERS, (double)deformable->cluster_radius_m);
        while (next < f->vertex_count && s->finished[next])
            next++;
    }
    return WEIR_OK;
}

weir_result deformable_build_clusters(deformable_builder *b)
{
    cluster_search s = {0};
    weir_result result = open_search(b, &s) ? append_clusters(b, &s) : WEIR_ERROR_MEMORY;
    close_search(&s);
    if (result == WEIR_ERROR_MEMORY)
        base_log(b->log, WEIR_LOG_ERROR, "not enough memory for the clusters of '%s'",
                 b->deformable->name);
    return result;
}

/* ---- when all vertices and pins are known ---------------------------------------------------- */

/* Lists the memberships of each vertex, in the order of the clusters, and computes its mass in
 * each. */
static bool list_memberships(deformable_set *set)
{
    size_t vertices = set->masses.count;
    for (size_t i = 0; i < vertices + 2; i++)
        if (!BASE_ARRAY_PUSH(&set->membership_offsets, 0u)) return false;
    if (!BASE_ARRAY_RESERVE(&set->memberships, set->members.count)) return false;
    uint32_t *first = set->membership_offsets.items;
    for (size_t m = 0; m < set->members.count; m++)
        first[set->members.items[m].vertex + 2]++;
    for (size_t i = 0; i < vertices; i++)
        first[i + 2] += first[i + 1];
    for (uint32_t c = 0; c < set->clusters.count; c++)
        for (uint32_t k = 0; k < set->clusters.items[c].count; k++) {
            uint32_t member = set->clusters.items[c].first + k;
            uint32_t to = first[set->members.items[member].vertex + 1]++;
            set->memberships.items[to] =
                (struct deformable_membership){.member = member, .cluster = c};
        }
    set->memberships.count = set->members.count;
    for (size_t i = 0; i < vertices; i++) {
        double mass = (double)set->masses.items[i], parts = (double)(first[i + 1] - first[i]);
        if (set->initial_states.items[i].position.w == 0.0f) mass *= PINNED_MASS_FACTOR;
        if (!BASE_ARRAY_PUSH(&set->cluster_masses, (float)(mass / fmax(parts, 1.0)))) return false;
    }
    return true;
}

/* Inverts a symmetric matrix. Order of the elements: xx, yy, zz, yz, zx, xy. */
static void set_inverse_moments(const double m[6], struct deformable_cluster *cluster)
{
    const double yz = m[3], zx = m[4], xy = m[5];
    double low[3] = {m[1] * m[2] - yz * yz, m[0] * m[2] - zx * zx, m[0] * m[1] - xy * xy};
    double high[3] = {zx * xy - m[0] * yz, xy * yz - m[1] * zx, yz * zx - m[2] * xy};
    double det = m[0] * low[0] + xy * high[2] + zx * high[1];
    cluster->inverse_diagonal =
        (vec4){(float)(low[0] / det), (float)(low[1] / det), (float)(low[2] / det), 0};
    cluster->inverse_off_diagonal =
        (vec4){(float)(high[0] / det), (float)(high[1] / det), (float)(high[2] / det), 0};
}

/* Computes the members' positions relative to the centre of mass, and the sums of their
 * products. */
static void finish_cluster(deformable_set *set, struct deformable_cluster *cluster)
{
    struct deformable_member *members = &set->members.items[cluster->first];
    double sum[3] = {0}, mass = 0.0, moments[6] = {0};
    for (uint32_t i = 0; i < cluster->count; i++) {
        vec3 p = deformable_initial_position(set, members[i].vertex);
        double weight = (double)set->cluster_masses.items[members[i].vertex];
        mass += weight;
        sum[0] += weight * (double)p.x, sum[1] += weight * (double)p.y,
            sum[2] += weight * (double)p.z;
    }
    for (uint32_t i = 0; i < cluster->count; i++) {
        vec3 p = deformable_initial_position(set, members[i].vertex);
        double weight = (double)set->cluster_masses.items[members[i].vertex];
        double x = (double)p.x - sum[0] / mass, y = (double)p.y - sum[1] / mass;
        double z = (double)p.z - sum[2] / mass;
        members[i].x = (float)x, members[i].y = (float)y, members[i].z = (float)z;
        const double products[6] = {x * x, y * y, z * z, y * z, z * x, x * y};
        for (int k = 0; k < 6; k++)
            moments[k] += weight * products[k];
    }
    set_inverse_moments(moments, cluster);
}

weir_result deformable_finish_clusters(deformable_set *set, const weir_log *log)
{
    if (set->clusters.count == 0) return WEIR_OK;
    if (!list_memberships(set))
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for clusters");
    for (size_t i = 0; i < set->clusters.count; i++)
        finish_cluster(set, &set->clusters.items[i]);
    return WEIR_OK;
}
