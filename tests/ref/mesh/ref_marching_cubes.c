/* Reference of marching cubes over a field in blocks, one lattice edge at a time. */
#include "ref_mesh.h"

#define NODE_VERTICES 4u /* on the edges along x, y and z, and inside the cell */

typedef struct work {
    const ref_mesh_input *in;
    uint32_t *vertex; /* [512 * blocks * NODE_VERTICES], index or MESH_NOT_FOUND */
    ref_mesh_output *out;
} work;

/* Orders blocks by super block, then within it; z is the most significant axis. */
static int compare_blocks(ref_block a, ref_block b)
{
    const int32_t x[6] = {a.z >> 3, a.y >> 3, a.x >> 3, a.z, a.y, a.x};
    const int32_t y[6] = {b.z >> 3, b.y >> 3, b.x >> 3, b.z, b.y, b.x};
    for (int k = 0; k < 6; k++)
        if (x[k] != y[k]) return x[k] < y[k] ? -1 : 1;
    return 0;
}

static uint32_t find_block(const work *w, ref_block b)
{
    uint32_t low = 0, high = w->in->block_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = compare_blocks(w->in->blocks[middle], b);
        if (order == 0) return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return MESH_NOT_FOUND;
}

/* Returns the index of a node in the field; MESH_NOT_FOUND where no block is active. */
static uint32_t find_node(const work *w, const int32_t c[3])
{
    uint32_t block = find_block(w, (ref_block){c[0] >> 3, c[1] >> 3, c[2] >> 3});
    if (block == MESH_NOT_FOUND) return MESH_NOT_FOUND;
    return block * MESH_NODES_PER_BLOCK +
           (uint32_t)((c[0] & 7) | (c[1] & 7) << 3 | (c[2] & 7) << 6);
}

static float value_at(const work *w, const int32_t c[3])
{
    uint32_t node = find_node(w, c);
    return node == MESH_NOT_FOUND ? w->in->params->outside : w->in->field[node];
}

static float corner_value(const work *w, const int32_t cell[3], uint32_t corner)
{
    int32_t c[3] = {cell[0] + (int32_t)(corner & 1u), cell[1] + (int32_t)(corner >> 1 & 1u),
                    cell[2] + (int32_t)(corner >> 2)};
    return value_at(w, c);
}

/* ---- cases ---------------------------------------------------------------------------------- */

static bool face_joined(const float corner[8], uint32_t face)
{
    uint32_t axis = face >> 1, u = 1u << (axis + 1) % 3, v = 1u << (axis + 2) % 3;
    uint32_t base = (face & 1u) << axis;
    volatile float straight = corner[base] * corner[base | u | v];
    volatile float crossed = corner[base | u] * corner[base | v];
    return corner[base] < 0.0f ? straight > crossed : crossed > straight;
}

static uint32_t entry_of(const work *w, const int32_t cell[3])
{
    float corner[8];
    uint32_t inside = 0, bit = 0;
    for (uint32_t k = 0; k < 8; k++) {
        corner[k] = corner_value(w, cell, k);
        inside |= (uint32_t)(corner[k] < 0.0f) << k;
    }
    uint32_t entry = w->in->table[inside] & 0xffffu, faces = w->in->table[inside] >> 16;
    for (uint32_t face = 0; w->in->decider && face < 6; face++)
        if (faces >> face & 1u) entry += (uint32_t)face_joined(corner, face) << bit++;
    return entry;
}

/* ---- vertices ------------------------------------------------------------------------------- */

static void gradient_at(const work *w, const int32_t c[3], double g[3])
{
    for (int axis = 0; axis < 3; axis++) {
        int32_t low[3] = {c[0], c[1], c[2]}, high[3] = {c[0], c[1], c[2]};
        low[axis]--;
        high[axis]++;
        g[axis] = (double)value_at(w, high) - (double)value_at(w, low);
    }
}

static vec3 unit(const double n[3])
{
    double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    return (vec3){(float)(n[0] / size), (float)(n[1] / size), (float)(n[2] / size)};
}

/* Finds the zero of phi(t) = a + (b - a) t - s t (1 - t) / 2 near that of its linear part; s is the
 * mean of the second differences at the edge's ends, limited to half of b - a. */
static double edge_zero(const work *w, const int32_t c[3], const int32_t other[3], uint32_t axis)
{
    int32_t before[3] = {c[0], c[1], c[2]}, behind[3] = {other[0], other[1], other[2]};
    before[axis]--;
    behind[axis]++;
    double a = (double)value_at(w, c), b = (double)value_at(w, other), t = a / (a - b);
    double s = (double)value_at(w, before) - a - b + (double)value_at(w, behind);
    double bend = fmin(fmax(0.5 * s / (b - a), -0.5), 0.5);
    t += 0.5 * bend * t * (1.0 - t) / (1.0 - bend * (0.5 - t));
    return fmin(fmax(t, 1e-3), 1.0 - 1e-3);
}

/* Computes the position in cells and the normal of the vertex on the edge from `c` along `axis`. */
static void edge_vertex(const work *w, const int32_t c[3], uint32_t axis, double p[3], vec3 *normal)
{
    int32_t other[3] = {c[0], c[1], c[2]};
    double g[3], h[3], n[3];
    other[axis]++;
    double t = edge_zero(w, c, other, axis);
    gradient_at(w, c, g);
    gradient_at(w, other, h);
    for (uint32_t k = 0; k < 3; k++) {
        p[k] = (double)c[k] + (k == axis ? t : 0.0);
        n[k] = g[k] + t * (h[k] - g[k]);
    }
    *normal = unit(n);
}

static const int32_t *edge_start(const int32_t cell[3], uint32_t edge, int32_t start[3])
{
    uint32_t axis = edge >> 2, first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
    memcpy(start, cell, 3 * sizeof *start);
    start[first] += (int32_t)(edge & 1u);
    start[second] += (int32_t)(edge >> 1 & 1u);
    return start;
}

static void centre_vertex(const work *w, const int32_t cell[3], uint32_t entry, double p[3],
                          vec3 *normal)
{
    const uint32_t *rows = w->in->table + MESH_CASES, *words = rows + MESH_TABLE_ENTRIES;
    uint32_t first = rows[entry] & 0xffffu, count = rows[entry] >> MESH_TABLE_COUNT_SHIFT & 0xffu;
    double n[3] = {0}, used = 0.0;
    p[0] = p[1] = p[2] = 0.0;
    for (uint32_t k = first; k < first + count; k++) {
        int32_t start[3];
        double q[3];
        vec3 m;
        if (words[k] >> 8 != MESH_CENTRE_VERTEX) continue;
        edge_vertex(w, edge_start(cell, words[k] & 15u, start), (words[k] & 15u) >> 2, q, &m);
        for (int axis = 0; axis < 3; axis++)
            p[axis] += q[axis];
        n[0] += (double)m.x, n[1] += (double)m.y, n[2] += (double)m.z;
        used += 1.0;
    }
    for (int axis = 0; axis < 3; axis++)
        p[axis] /= used;
    *normal = unit(n);
}

static void add_vertex(work *w, uint32_t at, const double p[3], vec3 normal)
{
    const struct mesh_params *m = w->in->params;
    double cell = (double)m->origin.w;
    ref_mesh_output *out = w->out;
    w->vertex[at] = out->vertex_count;
    out->position[out->vertex_count] =
        (vec3){(float)((double)m->origin.x + (double)m->origin_low_bits.x + cell * p[0]),
               (float)((double)m->origin.y + (double)m->origin_low_bits.y + cell * p[1]),
               (float)((double)m->origin.z + (double)m->origin_low_bits.z + cell * p[2])};
    out->normal[out->vertex_count++] = normal;
}

static void node_coordinates(const work *w, uint32_t node, int32_t c[3])
{
    ref_block b = w->in->blocks[node / MESH_NODES_PER_BLOCK];
    c[0] = b.x * 8 + (int32_t)(node & 7u);
    c[1] = b.y * 8 + (int32_t)(node >> 3 & 7u);
    c[2] = b.z * 8 + (int32_t)(node >> 6 & 7u);
}

static void add_vertices(work *w, uint32_t node)
{
    int32_t c[3];
    double p[3];
    vec3 normal;
    node_coordinates(w, node, c);
    bool inside = value_at(w, c) < 0.0f;
    for (uint32_t axis = 0; axis < 3; axis++) {
        int32_t other[3] = {c[0], c[1], c[2]};
        other[axis]++;
        if (inside == (value_at(w, other) < 0.0f)) continue;
        edge_vertex(w, c, axis, p, &normal);
        add_vertex(w, node * NODE_VERTICES + axis, p, normal);
    }
    uint32_t entry = entry_of(w, c);
    if ((w->in->table[MESH_CASES + entry] >> MESH_TABLE_CENTRE_BIT & 1u) == 0) return;
    centre_vertex(w, c, entry, p, &normal);
    add_vertex(w, node * NODE_VERTICES + 3, p, normal);
}

/* ---- triangles ------------------------------------------------------------------------------ */

static void add_triangles(work *w, uint32_t node)
{
    int32_t c[3], start[3];
    node_coordinates(w, node, c);
    const uint32_t *rows = w->in->table + MESH_CASES, *words = rows + MESH_TABLE_ENTRIES;
    uint32_t entry = entry_of(w, c), first = rows[entry] & 0xffffu;
    uint32_t count = rows[entry] >> MESH_TABLE_COUNT_SHIFT & 0xffu;
    for (uint32_t k = first; k < first + count; k++) {
        for (uint32_t corner = 0; corner < 3; corner++) {
            uint32_t edge = words[k] >> (4 * corner) & 15u, at = node, slot = 3;
            if (edge != MESH_CENTRE_VERTEX) {
                at = find_node(w, edge_start(c, edge, start));
                slot = edge >> 2;
            }
            w->out->index[3 * w->out->triangle_count + corner] =
                at == MESH_NOT_FOUND ? MESH_NOT_FOUND : w->vertex[at * NODE_VERTICES + slot];
        }
        w->out->triangle_count++;
    }
}

bool ref_mesh_extract(const ref_mesh_input *in, ref_mesh_output *out)
{
    size_t nodes = (size_t)in->block_count * MESH_NODES_PER_BLOCK;
    work w = {in, base_alloc(nodes * NODE_VERTICES, sizeof *w.vertex), out};
    *out = (ref_mesh_output){.position = base_alloc(nodes * 4, sizeof *out->position),
                             .normal = base_alloc(nodes * 4, sizeof *out->normal),
                             .index = base_alloc(nodes * 36, sizeof *out->index)};
    bool has_room = w.vertex && out->position && out->normal && out->index;
    for (size_t i = 0; has_room && i < nodes * NODE_VERTICES; i++)
        w.vertex[i] = MESH_NOT_FOUND;
    for (size_t i = 0; has_room && i < nodes; i++)
        add_vertices(&w, (uint32_t)i);
    for (size_t i = 0; has_room && i < nodes; i++)
        add_triangles(&w, (uint32_t)i);
    base_free(w.vertex);
    return has_room;
}

void ref_mesh_free(ref_mesh_output *out)
{
    base_free(out->position);
    base_free(out->normal);
    base_free(out->index);
    *out = (ref_mesh_output){0};
}
