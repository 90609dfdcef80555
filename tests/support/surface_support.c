#include "surface_support.h"

typedef struct surface_maker {
    surface_lattice lattice;
    float *value;     /* [n^3] */
    uint32_t *vertex; /* [8 * n^3] vertex + 1 on the edge from a node in each of seven directions */
    BASE_ARRAY(vec3) points;
    BASE_ARRAY(uint32_t) index;
} surface_maker;

static size_t surface_node(const surface_maker *m, const uint32_t at[3])
{
    return ((size_t)at[2] * m->lattice.n + at[1]) * m->lattice.n + at[0];
}

static vec3 surface_at(const surface_lattice *l, const uint32_t at[3])
{
    return vec3_add(l->low,
                    vec3_scale(vec3_make((float)at[0], (float)at[1], (float)at[2]), l->cell));
}

/* Returns the vertex between `a` and a node above it on all axes where they differ; `way` holds the
 * bits of these axes. */
static uint32_t surface_vertex(surface_maker *m, const uint32_t a[3], const uint32_t b[3])
{
    const uint32_t way = (b[0] - a[0]) | (b[1] - a[1]) << 1 | (b[2] - a[2]) << 2;
    uint32_t *slot = &m->vertex[8 * surface_node(m, a) + way];
    if (*slot == 0) {
        const float va = m->value[surface_node(m, a)], vb = m->value[surface_node(m, b)];
        const float t = fminf(fmaxf(va / (va - vb), 1e-3f), 1 - 1e-3f);
        const vec3 p = surface_at(&m->lattice, a), q = surface_at(&m->lattice, b);
        assert_true(BASE_ARRAY_PUSH(&m->points, vec3_add(p, vec3_scale(vec3_sub(q, p), t))));
        *slot = (uint32_t)m->points.count;
    }
    return *slot - 1;
}

static void surface_triangle(surface_maker *m, uint32_t a, uint32_t b, uint32_t c)
{
    assert_true(BASE_ARRAY_PUSH(&m->index, a) && BASE_ARRAY_PUSH(&m->index, b) &&
                BASE_ARRAY_PUSH(&m->index, c));
}

/* Adds the triangles of a tetrahedron with corners in ascending order; `even`: it is
 * right-handed. */
static void surface_tetrahedron(surface_maker *m, uint32_t corner[4][3], bool even)
{
    uint32_t in[4], out[4], ins = 0, outs = 0;
    for (uint32_t k = 0; k < 4; k++)
        if (m->value[surface_node(m, corner[k])] < 0)
            in[ins++] = k;
        else
            out[outs++] = k;
    uint32_t v[2][4] = {0};
    for (uint32_t i = 0; i < ins; i++)
        for (uint32_t k = 0; k < outs; k++) {
            const uint32_t a = in[i], b = out[k];
            const uint32_t made = a < b ? surface_vertex(m, corner[a], corner[b])
                                        : surface_vertex(m, corner[b], corner[a]);
            if (ins == 3)
                v[0][i] = made;
            else
                v[i][k] = made;
        }
    if (ins == 0 || outs == 0) return;
    /* Counts the inversions of (in..., out...) for its parity as a permutation of the corners. */
    uint32_t order[4], swaps = 0;
    for (uint32_t i = 0; i < ins; i++)
        order[i] = in[i];
    for (uint32_t k = 0; k < outs; k++)
        order[ins + k] = out[k];
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t k = i + 1; k < 4; k++)
            swaps += order[i] > order[k];
    const bool turn = (swaps % 2 == 0) == even;
    if (ins == 2) { /* quad in the order 00 01 11 10 */
        surface_triangle(m, v[0][0], turn ? v[0][1] : v[1][1], turn ? v[1][1] : v[0][1]);
        surface_triangle(m, v[0][0], turn ? v[1][1] : v[1][0], turn ? v[1][0] : v[1][1]);
    } else {
        surface_triangle(m, v[0][0], turn ? v[0][1] : v[0][2], turn ? v[0][2] : v[0][1]);
    }
}

static void surface_cell(surface_maker *m, const uint32_t at[3])
{
    static const uint32_t axes[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                        {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    for (uint32_t t = 0; t < 6; t++) {
        uint32_t corner[4][3];
        memcpy(corner[0], at, sizeof corner[0]);
        for (uint32_t k = 0; k < 3; k++) {
            memcpy(corner[k + 1], corner[k], sizeof corner[0]);
            corner[k + 1][axes[t][k]]++;
        }
        surface_tetrahedron(m, corner, t < 3);
    }
}

static void surface_for_cells(surface_maker *m, uint32_t n,
                              void (*each)(surface_maker *m, const uint32_t at[3]))
{
    for (uint32_t z = 0; z < n; z++)
        for (uint32_t y = 0; y < n; y++)
            for (uint32_t x = 0; x < n; x++)
                each(m, (const uint32_t[3]){x, y, z});
}

mesher_surface surface_make(const surface_lattice *lattice, surface_field field, const void *user)
{
    surface_maker m = {.lattice = *lattice};
    const size_t n = lattice->n, nodes = n * n * n;
    m.value = base_alloc(nodes, sizeof *m.value);
    m.vertex = base_alloc(nodes, 8 * sizeof *m.vertex);
    assert_true(m.value && m.vertex);
    for (uint32_t z = 0; z < n; z++)
        for (uint32_t y = 0; y < n; y++)
            for (uint32_t x = 0; x < n; x++) {
                const uint32_t at[3] = {x, y, z};
                const bool rim =
                    x == 0 || y == 0 || z == 0 || x == n - 1 || y == n - 1 || z == n - 1;
                const float value = field(user, surface_at(lattice, at));
                m.value[surface_node(&m, at)] = rim ? fmaxf(value, 1e-3f * lattice->cell) : value;
            }
    surface_for_cells(&m, lattice->n - 1, surface_cell);
    base_free(m.value);
    base_free(m.vertex);
    return (mesher_surface){.vertex_count = (uint32_t)m.points.count,
                            .triangle_count = (uint32_t)(m.index.count / 3),
                            .position = m.points.items,
                            .index = m.index.items};
}

float surface_sphere_field(const void *radius, vec3 p)
{
    return vec3_length(p) - *(const float *)radius;
}

float surface_noise_field(const void *share, vec3 p)
{
    const int64_t x = lroundf(p.x * 64), y = lroundf(p.y * 64), z = lroundf(p.z * 64);
    const uint64_t key =
        (uint64_t)(x + 100000) * 4000037 + (uint64_t)(y + 100000) * 2003 + (uint64_t)(z + 100000);
    return base_hash_to_unit(base_hash_mix64(key)) - *(const float *)share;
}

static void surface_cloud_slot(const surface_cloud *c, vec3 p, int32_t at[3])
{
    at[0] = (int32_t)floorf((p.x - c->low.x) / c->reach);
    at[1] = (int32_t)floorf((p.y - c->low.y) / c->reach);
    at[2] = (int32_t)floorf((p.z - c->low.z) / c->reach);
}

static uint32_t *surface_cloud_head(const surface_cloud *c, const int32_t at[3])
{
    const int32_t side = (int32_t)c->side;
    for (int k = 0; k < 3; k++)
        if (at[k] < 0 || at[k] >= side) return NULL;
    return &c->head[(at[2] * side + at[1]) * side + at[0]];
}

surface_cloud surface_cloud_make(const vec3 *points, uint32_t count, const surface_lattice *lattice,
                                 float reach, float radius)
{
    surface_cloud c = {points, count, reach, radius, NULL, NULL, 0, lattice->low};
    c.side = (uint32_t)ceilf((float)lattice->n * lattice->cell / reach) + 1;
    c.head = base_alloc((size_t)c.side * c.side * c.side, sizeof *c.head);
    c.next = base_alloc(count, sizeof *c.next);
    assert_true(c.head && c.next);
    for (uint32_t i = 0; i < count; i++) {
        int32_t at[3];
        surface_cloud_slot(&c, points[i], at);
        uint32_t *head = surface_cloud_head(&c, at);
        if (!head) continue;
        c.next[i] = *head;
        *head = i + 1;
    }
    return c;
}

void surface_cloud_free(surface_cloud *c)
{
    base_free(c->head);
    base_free(c->next);
}

float surface_cloud_field(const void *user, vec3 p)
{
    const surface_cloud *c = user;
    int32_t at[3];
    surface_cloud_slot(c, p, at);
    float weights = 0;
    vec3 sum = {0, 0, 0};
    for (int32_t k = 0; k < 27; k++) {
        const int32_t near[3] = {at[0] + k % 3 - 1, at[1] + k / 3 % 3 - 1, at[2] + k / 9 - 1};
        const uint32_t *head = surface_cloud_head(c, near);
        for (uint32_t i = head ? *head : 0; i; i = c->next[i - 1]) {
            const vec3 way = vec3_sub(p, c->points[i - 1]);
            const float s = vec3_dot(way, way) / (c->reach * c->reach);
            if (s >= 1) continue;
            const float w = (1 - s) * (1 - s) * (1 - s);
            weights += w;
            sum = vec3_add(sum, vec3_scale(c->points[i - 1], w));
        }
    }
    if (weights <= 0) return c->radius;
    return vec3_length(vec3_sub(p, vec3_scale(sum, 1 / weights))) - c->radius;
}
