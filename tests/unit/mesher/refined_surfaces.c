#include "refined_surfaces.h"

weir_mesh_info check(const mesher_surface *surface)
{
    weir_mesh_info info;
    assert_int_equal(mesher_surface_check(NULL, surface, &info), WEIR_OK);
    return info;
}

void assert_sound(const mesher_surface *surface)
{
    const weir_mesh_info info = check(surface);
    assert_true(info.closed);
    assert_true(info.manifold);
    assert_int_equal(info.flipped_edges, 0);
    assert_int_equal(info.duplicate_triangles, 0);
    assert_int_equal(info.unused_vertices, 0);
}

mesher_surface make_noise(float share, uint32_t nodes)
{
    const surface_lattice lattice = {nodes, {0, 0, 0}, 1};
    return surface_make(&lattice, surface_noise_field, &share);
}

vec3 *make_jittered(float radius, uint32_t *count)
{
    const int n = (int)ceilf(radius);
    vec3 *points = base_alloc((size_t)(8 * n * n * n), sizeof *points);
    assert_non_null(points);
    *count = 0;
    uint64_t key = 1;
    for (int z = -n; z < n; z++)
        for (int y = -n; y < n; y++)
            for (int x = -n; x < n; x++) {
                const vec3 p = {(float)x + base_hash_to_unit(base_hash_mix64(key)),
                                (float)y + base_hash_to_unit(base_hash_mix64(key + 1)),
                                (float)z + base_hash_to_unit(base_hash_mix64(key + 2))};
                key += 3;
                const vec3 middle = {(float)x + 0.5f, (float)y + 0.5f, (float)z + 0.5f};
                if (vec3_length(middle) < radius) points[(*count)++] = p;
            }
    return points;
}

mesher_surface make_cloud(const vec3 *points, uint32_t count, float spacing, uint32_t n_max,
                          float radius)
{
    vec3 low = points[0], high = points[0];
    for (uint32_t i = 1; i < count; i++) {
        low = vec3_min(low, points[i]);
        high = vec3_max(high, points[i]);
    }
    const vec3 size = vec3_sub(high, low);
    const float reach = 2.5f * spacing;
    float cell = spacing;
    cell = fmaxf(cell, (fmaxf(size.x, fmaxf(size.y, size.z)) + 2 * reach) / (float)(n_max - 3));
    /* Nodes are at whole multiples of the cell. */
    const vec3 from = {cell * floorf((low.x - reach) / cell), cell * floorf((low.y - reach) / cell),
                       cell * floorf((low.z - reach) / cell)};
    const surface_lattice lattice = {n_max, from, cell};
    surface_cloud cloud = surface_cloud_make(points, count, &lattice, reach, radius * spacing);
    mesher_surface s = surface_make(&lattice, surface_cloud_field, &cloud);
    surface_cloud_free(&cloud);
    return s;
}

mesher_surface make_ball(void)
{
    uint32_t count;
    vec3 *points = make_jittered(20, &count);
    mesher_surface s = make_cloud(points, count, 1, 52, 0.62f);
    base_free(points);
    return s;
}

mesher_surface make_smooth_ball(float radius)
{
    const surface_lattice lattice = {32, {-15.3f, -15.3f, -15.3f}, 1};
    return surface_make(&lattice, surface_sphere_field, &radius);
}

mesher_surface copy_of(const mesher_surface *s)
{
    mesher_surface copy = {.vertex_count = s->vertex_count, .triangle_count = s->triangle_count};
    copy.position = base_alloc(s->vertex_count, sizeof *s->position);
    copy.index = base_alloc(s->triangle_count, 3 * sizeof *s->index);
    assert_true(copy.position && copy.index);
    memcpy(copy.position, s->position, s->vertex_count * sizeof *s->position);
    memcpy(copy.index, s->index, s->triangle_count * 3 * sizeof *s->index);
    return copy;
}

void add_attributes(mesher_surface *s)
{
    s->velocity = base_alloc(s->vertex_count, sizeof *s->velocity);
    s->channel_count = 1;
    s->channel[0] = (mesher_vertex_channel){.name = "density", .components = 2};
    s->channel[0].values = base_alloc(s->vertex_count, 2 * sizeof(float));
    assert_true(s->velocity && s->channel[0].values);
    for (uint32_t v = 0; v < s->vertex_count; v++) {
        s->velocity[v] = vec3_scale(s->position[v], 2);
        s->channel[0].values[2 * v] = s->position[v].x;
        s->channel[0].values[2 * v + 1] = 7;
    }
}

weir_mesh_refine_def plain_def(void)
{
    return (weir_mesh_refine_def){.cell_size_m = 1,
                                  .decimate_ratio = 1,
                                  .max_triangles = UINT32_MAX,
                                  .normals = WEIR_MESH_NORMALS_FACES};
}

weir_mesh_refine_def usual_def(void)
{
    weir_mesh_refine_def def = plain_def();
    def.remove_slivers = true;
    def.smooth_method = WEIR_MESH_SMOOTHING_LAPLACE;
    def.smooth_iterations = 8;
    def.smooth_strength = 0.5f;
    def.smooth_neighbours = 13;
    def.drop_subdivisions = 1;
    return def;
}

weir_mesh_refine_info refine(mesher_surface *s, const weir_mesh_refine_def *def)
{
    weir_mesh_refine_info info;
    assert_int_equal(mesher_surface_refine(NULL, s, def, NULL, &info), WEIR_OK);
    return info;
}

/* A ball of radius 12 with a hollow of radius 6 that contains a drop of radius 3, and a small
   ball with a hollow next to it. */
static float nest_field(const void *user, vec3 p)
{
    (void)user;
    const float r = vec3_length(p), side = vec3_length(vec3_sub(p, vec3_make(18, 0, 0)));
    const float nest = fmaxf(r - 12, fminf(6 - r, 1e9f));
    return fminf(fminf(nest, r - 3), fmaxf(side - 4, 2 - side));
}

mesher_surface make_nest(void)
{
    const surface_lattice lattice = {44, {-15.3f, -20.3f, -20.3f}, 1};
    return surface_make(&lattice, nest_field, NULL);
}
