#include "mesh_support.h"

typedef struct half_edge {
    uint32_t from, to, triangle;
} half_edge;

void cloud_add(cloud *c, float x, float y, float z)
{
    if (c->count == c->capacity) {
        c->capacity = c->capacity ? 2 * c->capacity : 1024;
        c->items = base_realloc(c->items, c->capacity, sizeof *c->items);
        assert_non_null(c->items);
    }
    c->items[c->count++] = (vec4){x, y, z, 1.0f};
}

void cloud_free(cloud *c)
{
    base_free(c->items);
    *c = (cloud){0};
}

cloud cloud_fill(float d, float jitter, cloud_box within, cloud_body inside, const void *user)
{
    const vec3 low = within.low, high = within.high;
    cloud c = {.spacing = d};
    uint64_t draw = 0;
    for (int k = (int)floorf(low.z / d); (float)k * d < high.z; k++)
        for (int j = (int)floorf(low.y / d); (float)j * d < high.y; j++)
            for (int i = (int)floorf(low.x / d); (float)i * d < high.x; i++) {
                double x = (i + 0.5) * (double)d, y = (j + 0.5) * (double)d,
                       z = (k + 0.5) * (double)d;
                if (!inside(user, x, y, z)) continue;
                float u = (base_hash_to_unit(draw) - 0.5f) * jitter * d;
                float v = (base_hash_to_unit(draw + 1) - 0.5f) * jitter * d;
                float w = (base_hash_to_unit(draw + 2) - 0.5f) * jitter * d;
                draw += 3;
                cloud_add(&c, (float)x + u, (float)y + v, (float)z + w);
            }
    return c;
}

static bool in_ball(const void *user, double x, double y, double z)
{
    const ball *b = user;
    double dx = x - b->x, dy = y - b->y, dz = z - b->z;
    return dx * dx + dy * dy + dz * dz < b->radius * b->radius;
}

cloud cloud_ball(float d, ball b)
{
    vec3 low = {(float)(b.x - b.radius), (float)(b.y - b.radius), (float)(b.z - b.radius)};
    vec3 high = {(float)(b.x + b.radius), (float)(b.y + b.radius), (float)(b.z + b.radius)};
    return cloud_fill(d, 1.0f, (cloud_box){low, high}, in_ball, &b);
}

particle_view cloud_upload(gpu_device *device, const cloud *c)
{
    particle_view points = {0};
    OK(particle_view_create(device, 0, c->count, &points));
    points.spacing_m = c->spacing;
    points.radius_m = 2.0f * c->spacing;
    if (c->count)
        OK(gpu_buffer_upload(device, points.position, 0, c->items, c->count * sizeof *c->items));
    return points;
}

mesher_surface mesh_cloud(mesher *m, gpu_device *device, const cloud *c)
{
    mesher_surface surface;
    particle_view points = cloud_upload(device, c);
    OK(mesher_run(m, &points, &surface, NULL));
    particle_view_destroy(device, &points);
    return surface;
}

mesher *make_mesher(gpu_device *device, const weir_mesher_def *def)
{
    mesher *m = NULL;
    OK(mesher_create(device, def, &m));
    return m;
}

weir_mesher_def preset(const char *name)
{
    weir_mesher_def def;
    assert_true(mesher_find_preset(name, &def));
    return def;
}

static int compare_half_edges(const void *a, const void *b)
{
    const half_edge *x = a, *y = b;
    uint32_t xl = x->from < x->to ? x->from : x->to, xh = x->from < x->to ? x->to : x->from;
    uint32_t yl = y->from < y->to ? y->from : y->to, yh = y->from < y->to ? y->to : y->from;
    if (xl != yl) return xl < yl ? -1 : 1;
    if (xh != yh) return xh < yh ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

static uint32_t root_of(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

static void unite(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = root_of(parent, a);
    b = root_of(parent, b);
    if (a != b) parent[a > b ? a : b] = a < b ? a : b;
}

static uint32_t corner_of(const mesher_surface *s, uint32_t triangle, uint32_t vertex)
{
    for (uint32_t k = 0; k < 3; k++)
        if (s->index[3 * triangle + k] == vertex) return 3 * triangle + k;
    return 0;
}

/* Joins the corners of a vertex across the edges that its triangles share: a disc forms one
 * group. */
static void count_pinched(const mesher_surface *s, const half_edge *edges, census *c)
{
    uint32_t corners = 3 * s->triangle_count;
    uint32_t *fan = base_alloc(corners, sizeof *fan), *fans = base_alloc(s->vertex_count, 4);
    assert_true(fan && fans);
    for (uint32_t i = 0; i < corners; i++)
        fan[i] = i;
    for (uint32_t i = 0; i + 1 < corners; i++) {
        const half_edge *a = &edges[i], *b = &edges[i + 1];
        if (a->from != b->to || a->to != b->from) continue;
        unite(fan, corner_of(s, a->triangle, a->from), corner_of(s, b->triangle, a->from));
        unite(fan, corner_of(s, a->triangle, a->to), corner_of(s, b->triangle, a->to));
    }
    for (uint32_t i = 0; i < corners; i++)
        fans[s->index[i]] += root_of(fan, i) == i;
    for (uint32_t v = 0; v < s->vertex_count; v++) {
        c->pinched += fans[v] > 1;
        c->loose += fans[v] == 0;
    }
    base_free(fan);
    base_free(fans);
}

static void count_edges(const mesher_surface *s, census *c)
{
    uint32_t corners = 3 * s->triangle_count, edge_count = 0;
    half_edge *edges = base_alloc(corners, sizeof *edges);
    assert_non_null(edges);
    for (uint32_t i = 0; i < corners; i++)
        edges[i] = (half_edge){s->index[i], s->index[i / 3 * 3 + (i + 1) % 3], i / 3};
    qsort(edges, corners, sizeof *edges, compare_half_edges);
    for (uint32_t i = 0; i < corners;) {
        uint32_t n = 1;
        while (i + n < corners &&
               ((edges[i + n].from == edges[i].from && edges[i + n].to == edges[i].to) ||
                (edges[i + n].from == edges[i].to && edges[i + n].to == edges[i].from)))
            n++;
        bool good = n == 2 && edges[i].from == edges[i + 1].to && edges[i].from != edges[i].to;
        c->bad_edges += !good;
        edge_count++;
        i += n;
    }
    c->euler = (int64_t)s->vertex_count - edge_count + s->triangle_count;
    count_pinched(s, edges, c);
    base_free(edges);
}

static void count_parts(const mesher_surface *s, census *c)
{
    uint32_t *parent = base_alloc(s->vertex_count, sizeof *parent);
    assert_non_null(parent);
    for (uint32_t i = 0; i < s->vertex_count; i++)
        parent[i] = i;
    for (uint32_t t = 0; t < s->triangle_count; t++) {
        unite(parent, s->index[3 * t], s->index[3 * t + 1]);
        unite(parent, s->index[3 * t], s->index[3 * t + 2]);
    }
    for (uint32_t i = 0; i < s->vertex_count; i++)
        c->components += parent[i] == i;
    base_free(parent);
}

static void measure_triangles(const mesher_surface *s, census *c)
{
    for (uint32_t t = 0; t < s->triangle_count; t++) {
        const uint32_t *k = s->index + 3 * t;
        vec3 o = s->position[0];
        vec3 p = vec3_sub(s->position[k[0]], o), q = vec3_sub(s->position[k[1]], o),
             r = vec3_sub(s->position[k[2]], o);
        vec3 cross = vec3_cross(vec3_sub(q, p), vec3_sub(r, p));
        c->repeated += k[0] == k[1] || k[1] == k[2] || k[2] == k[0];
        c->volume += (double)vec3_dot(p, vec3_cross(q, r)) / 6.0;
        c->area += 0.5 * (double)vec3_length(cross);
    }
}

census take_census(const mesher_surface *s)
{
    census c = {0};
    for (uint32_t i = 0; i < 3 * s->triangle_count; i++)
        c.out_of_range += s->index[i] >= s->vertex_count;
    if (c.out_of_range || !s->triangle_count) return c;
    count_edges(s, &c);
    count_parts(s, &c);
    measure_triangles(s, &c);
    return c;
}

bool is_closed_manifold(const census *c)
{
    return c->bad_edges + c->pinched + c->repeated + c->loose + c->out_of_range == 0;
}

void assert_closed_manifold(const census *c)
{
    if (!is_closed_manifold(c))
        fail_msg("%u bad edges, %u pinched and %u loose vertices, %u repeated, %u out of range",
                 c->bad_edges, c->pinched, c->loose, c->repeated, c->out_of_range);
}
