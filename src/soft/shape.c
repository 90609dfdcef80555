/* The vertices of cloths and ropes, their triangles and masses; those of soft bodies: lattice.c. */
#include "io.h"
#include "soft_internal.h"

#define VERTICES_MOST 2000000u /* of one cloth or rope */

vec3 soft_place(const soft_set *set, uint32_t vertex)
{
    const vec4 *p = &set->starts.items[vertex].position;
    return vec3_make(p->x, p->y, p->z);
}

static vec4 with(vec3 v, float w)
{
    return (vec4){v.x, v.y, v.z, w};
}

bool soft_put_vertex(soft_builder *b, vec3 p)
{
    soft_set *set = b->set;
    struct soft_state state = {.position = with(p, 0.0f), .velocity = with(b->soft->velocity, 0)};
    return BASE_PUSH(&set->starts, state) && BASE_PUSH(&set->masses, 0.0f) &&
           BASE_PUSH(&set->owners, b->index);
}

static bool put_triangle(soft_builder *b, uint32_t i, uint32_t j, uint32_t k)
{
    soft_numbers *t = &b->set->triangles;
    return BASE_PUSH(t, i) && BASE_PUSH(t, j) && BASE_PUSH(t, k);
}

static weir_result no_memory(const soft_builder *b)
{
    return base_fail(b->log, WEIR_MEMORY, "no memory for the vertices of '%s'", b->soft->name);
}

static weir_result too_many(const soft_builder *b, double count)
{
    return soft_fault(b, b->soft->line, b->soft->column,
                      "would have %.3g vertices, at most %u can be: make its spacing larger", count,
                      VERTICES_MOST);
}

/* ---- a grid --------------------------------------------------------------------------------- */

static uint32_t cells_of(vec3 edge, float spacing)
{
    return (uint32_t)ceilf(vec3_length(edge) / spacing - 1e-4f);
}

/* Diagonals by turns, so that no direction of the sheet is stiffer than the other. */
static bool put_cell(soft_builder *b, uint32_t i, uint32_t j, uint32_t row)
{
    uint32_t at = j * row + i, right = at + 1, up = at + row, far = up + 1;
    if ((i + j) % 2 == 0) return put_triangle(b, at, right, far) && put_triangle(b, at, far, up);
    return put_triangle(b, at, right, up) && put_triangle(b, right, far, up);
}

static weir_result build_grid(soft_builder *b)
{
    const scene_soft *s = b->soft;
    bool ok = true;
    float along = vec3_length(s->along) / s->spacing_m,
          across = vec3_length(s->across) / s->spacing_m;
    if (!(along * across < (float)VERTICES_MOST)) return too_many(b, (double)(along * across));
    uint32_t nu = cells_of(s->along, s->spacing_m), nv = cells_of(s->across, s->spacing_m);
    for (uint32_t j = 0; j <= nv && ok; j++)
        for (uint32_t i = 0; i <= nu && ok; i++) {
            vec3 u = vec3_scale(s->along, (float)i / (float)nu);
            vec3 v = vec3_scale(s->across, (float)j / (float)nv);
            ok = soft_put_vertex(b, vec3_add(s->corner, vec3_add(u, v)));
        }
    for (uint32_t j = 0; j < nv && ok; j++)
        for (uint32_t i = 0; i < nu && ok; i++)
            ok = put_cell(b, i, j, nu + 1);
    return ok ? WEIR_OK : no_memory(b);
}

/* ---- a mesh --------------------------------------------------------------------------------- */

static weir_result put_mesh(soft_builder *b, const io_mesh *mesh)
{
    const scene_pose *pose = &b->soft->pose;
    bool ok = true;
    if (mesh->triangle_count == 0)
        return soft_fault(b, b->soft->line, b->soft->column, "has a mesh without triangles: %s",
                          b->soft->path);
    if (mesh->vertex_count > VERTICES_MOST) return too_many(b, (double)mesh->vertex_count);
    for (uint32_t i = 0; i < mesh->vertex_count && ok; i++) {
        vec3 p = quat_rotate(pose->rotation, vec3_scale(mesh->vertices[i], pose->scale));
        ok = soft_put_vertex(b, vec3_add(p, pose->position));
    }
    for (uint32_t t = 0; t < mesh->triangle_count && ok; t++) {
        const uint32_t *v = &mesh->indices[3 * t];
        ok = put_triangle(b, v[0], v[1], v[2]);
    }
    return ok ? WEIR_OK : no_memory(b);
}

static weir_result build_mesh(soft_builder *b)
{
    io_mesh mesh = {0};
    WEIR_NEED(io_mesh_read(b->log, b->soft->path, &mesh));
    weir_result result = put_mesh(b, &mesh);
    io_mesh_free(&mesh);
    return result;
}

/* ---- masses --------------------------------------------------------------------------------- */

static float area_of(const soft_builder *b, const uint32_t *v)
{
    vec3 p = soft_place(b->set, b->first + v[0]), q = soft_place(b->set, b->first + v[1]);
    vec3 r = soft_place(b->set, b->first + v[2]);
    return 0.5f * vec3_length(vec3_cross(vec3_sub(q, p), vec3_sub(r, p)));
}

static weir_result weigh_triangles(soft_builder *b)
{
    soft_set *set = b->set;
    float thin = 1e-12f;
    for (size_t t = 3ull * set->figures[b->index].first_triangle; t < set->triangles.count;
         t += 3) {
        const uint32_t *v = &set->triangles.items[t];
        float area = area_of(b, v);
        if (!(area > thin))
            return soft_fault(b, b->soft->line, b->soft->column,
                              "has a triangle without area, of the vertices %u, %u and %u (%g m2): "
                              "merge them in the mesh",
                              v[0], v[1], v[2], (double)area);
        for (int k = 0; k < 3; k++)
            set->masses.items[b->first + v[k]] += b->soft->density * area / 3.0f;
    }
    for (size_t i = b->first; i < set->masses.count; i++)
        if (set->masses.items[i] == 0.0f)
            return soft_fault(b, b->soft->line, b->soft->column,
                              "has a vertex that is in no triangle, number %zu: take it out of the "
                              "mesh",
                              i - b->first);
    return WEIR_OK;
}

/* ---- a rope --------------------------------------------------------------------------------- */

static weir_result build_rope(soft_builder *b)
{
    const scene_soft *s = b->soft;
    double vertices = 1.0;
    bool ok = soft_put_vertex(b, s->points[0]);
    for (uint32_t k = 0; k + 1 < s->point_count; k++)
        vertices +=
            1.0 + (double)(vec3_length(vec3_sub(s->points[k + 1], s->points[k])) / s->spacing_m);
    if (!(vertices < VERTICES_MOST)) return too_many(b, vertices);
    for (uint32_t k = 0; k + 1 < s->point_count && ok; k++) {
        vec3 edge = vec3_sub(s->points[k + 1], s->points[k]);
        uint32_t n = cells_of(edge, s->spacing_m);
        for (uint32_t i = 1; i <= n && ok; i++)
            ok = soft_put_vertex(b, vec3_add(s->points[k], vec3_scale(edge, (float)i / (float)n)));
    }
    return ok ? WEIR_OK : no_memory(b);
}

static void weigh_line(soft_builder *b)
{
    soft_set *set = b->set;
    for (uint32_t i = b->first; i + 1 < set->starts.count; i++) {
        float length = vec3_length(vec3_sub(soft_place(set, i + 1), soft_place(set, i)));
        set->masses.items[i] += 0.5f * b->soft->density * length;
        set->masses.items[i + 1] += 0.5f * b->soft->density * length;
    }
}

#define BODY_APART 2.5f /* steps of its lattice */

/* ---- all ----------------------------------------------------------------------------------- */

static weir_result build_vertices(soft_builder *b, const solid_set *solids)
{
    if (b->soft->kind == SCENE_SOFT_BODY) return soft_build_lattice(b, solids);
    if (b->soft->kind == SCENE_SOFT_ROPE) {
        WEIR_NEED(build_rope(b));
        weigh_line(b);
        return WEIR_OK;
    }
    WEIR_NEED(b->soft->path ? build_mesh(b) : build_grid(b));
    return weigh_triangles(b);
}

/* Within a soft body what is near at the start belongs together. */
static float apart_of(const soft_builder *b)
{
    const float *step = b->cells.step;
    if (b->soft->kind != SCENE_SOFT_BODY) return b->soft->thickness;
    return BODY_APART * fmaxf(step[0], fmaxf(step[1], step[2]));
}

weir_result soft_build_shape(soft_builder *b, const solid_set *solids)
{
    soft_set *set = b->set;
    soft_figures *f = &set->figures[b->index];
    b->first = f->first_vertex = (uint32_t)set->starts.count;
    f->first_triangle = (uint32_t)set->triangles.count / 3;
    WEIR_NEED(build_vertices(b, solids));
    f->vertex_count = (uint32_t)set->starts.count - f->first_vertex;
    f->triangle_count = (uint32_t)set->triangles.count / 3 - f->first_triangle;
    f->surface_count = b->cells.count ? b->cells.surface : f->vertex_count;
    for (size_t i = b->first; i < set->starts.count; i++) {
        f->mass_kg += (double)set->masses.items[i];
        set->starts.items[i].position.w = 1.0f / set->masses.items[i];
    }
    set->makes[b->index] = (struct soft_make){.first_vertex = f->first_vertex,
                                              .vertex_count = f->vertex_count,
                                              .radius = 0.5f * b->soft->thickness,
                                              .friction = b->soft->friction,
                                              .damping = b->soft->damping,
                                              .tear = b->soft->tear,
                                              .meets = (uint32_t)b->soft->contacts,
                                              .apart = apart_of(b)};
    return WEIR_OK;
}
