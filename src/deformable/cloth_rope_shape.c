/* Builds the vertices, triangles and masses of cloths and ropes. Soft bodies:
 * soft_body_lattice.c. */
#include "deformable_internal.h"
#include "io.h"

#define MAX_VERTICES 2000000u /* of one cloth or rope */

vec3 deformable_initial_position(const deformable_set *set, uint32_t vertex)
{
    const vec4 *p = &set->initial_states.items[vertex].position;
    return vec3_make(p->x, p->y, p->z);
}

static vec4 vec4_from(vec3 v, float w)
{
    return (vec4){v.x, v.y, v.z, w};
}

bool deformable_append_vertex(deformable_builder *b, vec3 p)
{
    deformable_set *set = b->set;
    struct deformable_state state = {.position = vec4_from(p, 0.0f),
                                     .velocity = vec4_from(b->deformable->velocity, 0)};
    return BASE_ARRAY_PUSH(&set->initial_states, state) && BASE_ARRAY_PUSH(&set->masses, 0.0f) &&
           BASE_ARRAY_PUSH(&set->owners, b->index);
}

static bool append_triangle(deformable_builder *b, uint32_t i, uint32_t j, uint32_t k)
{
    deformable_index_array *t = &b->set->triangles;
    return BASE_ARRAY_PUSH(t, i) && BASE_ARRAY_PUSH(t, j) && BASE_ARRAY_PUSH(t, k);
}

static weir_result fail_memory(const deformable_builder *b)
{
    return base_fail(b->log, WEIR_ERROR_MEMORY, "not enough memory for the vertices of '%s'",
                     b->deformable->name);
}

static weir_result fail_too_many(const deformable_builder *b, double count)
{
    return deformable_scene_fault(
        b, b->deformable->line, b->deformable->column,
        "would have %.3g vertices, expected at most %u: make its spacing larger", count,
        MAX_VERTICES);
}

/* ---- a grid --------------------------------------------------------------------------------- */

static uint32_t cells_along(vec3 edge, float spacing)
{
    return (uint32_t)ceilf(vec3_length(edge) / spacing - 1e-4f);
}

/* Appends the two triangles of a cell. Diagonals alternate, so that the sheet has no preferred
 * direction. */
static bool append_cell(deformable_builder *b, uint32_t i, uint32_t j, uint32_t row)
{
    uint32_t at = j * row + i, right = at + 1, up = at + row, far = up + 1;
    if ((i + j) % 2 == 0)
        return append_triangle(b, at, right, far) && append_triangle(b, at, far, up);
    return append_triangle(b, at, right, up) && append_triangle(b, right, far, up);
}

static weir_result build_grid(deformable_builder *b)
{
    const scene_deformable *s = b->deformable;
    bool ok = true;
    float along = vec3_length(s->along) / s->spacing_m,
          across = vec3_length(s->across) / s->spacing_m;
    if (!(along * across < (float)MAX_VERTICES)) return fail_too_many(b, (double)(along * across));
    uint32_t nu = cells_along(s->along, s->spacing_m), nv = cells_along(s->across, s->spacing_m);
    for (uint32_t j = 0; j <= nv && ok; j++)
        for (uint32_t i = 0; i <= nu && ok; i++) {
            vec3 u = vec3_scale(s->along, (float)i / (float)nu);
            vec3 v = vec3_scale(s->across, (float)j / (float)nv);
            ok = deformable_append_vertex(b, vec3_add(s->corner, vec3_add(u, v)));
        }
    for (uint32_t j = 0; j < nv && ok; j++)
        for (uint32_t i = 0; i < nu && ok; i++)
            ok = append_cell(b, i, j, nu + 1);
    return ok ? WEIR_OK : fail_memory(b);
}

/* ---- a mesh --------------------------------------------------------------------------------- */

static weir_result append_mesh(deformable_builder *b, const io_mesh *mesh)
{
    const scene_pose *pose = &b->deformable->pose;
    bool ok = true;
    if (mesh->triangle_count == 0)
        return deformable_scene_fault(b, b->deformable->line, b->deformable->column,
                                      "has a mesh without triangles: %s", b->deformable->path);
    if (mesh->vertex_count > MAX_VERTICES) return fail_too_many(b, (double)mesh->vertex_count);
    for (uint32_t i = 0; i < mesh->vertex_count && ok; i++) {
        vec3 p = quat_rotate(pose->rotation, vec3_scale(mesh->vertices[i], pose->scale));
        ok = deformable_append_vertex(b, vec3_add(p, pose->position));
    }
    for (uint32_t t = 0; t < mesh->triangle_count && ok; t++) {
        const uint32_t *v = &mesh->indices[3 * t];
        ok = append_triangle(b, v[0], v[1], v[2]);
    }
    return ok ? WEIR_OK : fail_memory(b);
}

static weir_result build_mesh(deformable_builder *b)
{
    io_mesh mesh = {0};
    WEIR_RETURN_IF_ERROR(
        io_mesh_read_at(b->log, b->deformable->path, b->deformable->origin, &mesh));
    weir_result result = append_mesh(b, &mesh);
    io_mesh_free(&mesh);
    return result;
}

/* ---- masses --------------------------------------------------------------------------------- */

static float triangle_area(const deformable_builder *b, const uint32_t *v)
{
    vec3 p = deformable_initial_position(b->set, b->first + v[0]),
         q = deformable_initial_position(b->set, b->first + v[1]);
    vec3 r = deformable_initial_position(b->set, b->first + v[2]);
    return 0.5f * vec3_length(vec3_cross(vec3_sub(q, p), vec3_sub(r, p)));
}

static weir_result distribute_cloth_mass(deformable_builder *b)
{
    deformable_set *set = b->set;
    float thin = 1e-12f;
    for (size_t t = 3ull * set->info[b->index].first_triangle; t < set->triangles.count; t += 3) {
        const uint32_t *v = &set->triangles.items[t];
        float area = triangle_area(b, v);
        if (!(area > thin))
            return deformable_scene_fault(b, b->deformable->line, b->deformable->column,
                                          "has a triangle with zero area, of vertices %u, %u and "
                                          "%u (%g m2): merge them in the mesh",
                                          v[0], v[1], v[2], (double)area);
        for (int k = 0; k < 3; k++)
            set->masses.items[b->first + v[k]] += b->deformable->density * area / 3.0f;
    }
    for (size_t i = b->first; i < set->masses.count; i++)
        if (set->masses.items[i] == 0.0f)
            return deformable_scene_fault(
                b, b->deformable->line, b->deformable->column,
                "has a vertex that is in no triangle, number %zu: remove it from the mesh",
                i - b->first);
    return WEIR_OK;
}

/* ---- a rope --------------------------------------------------------------------------------- */

static weir_result build_rope(deformable_builder *b)
{
    const scene_deformable *s = b->deformable;
    double vertices = 1.0;
    bool ok = deformable_append_vertex(b, s->points[0]);
    for (uint32_t k = 0; k + 1 < s->point_count; k++)
        vertices +=
            1.0 + (double)(vec3_length(vec3_sub(s->points[k + 1], s->points[k])) / s->spacing_m);
    if (!(vertices < MAX_VERTICES)) return fail_too_many(b, vertices);
    for (uint32_t k = 0; k + 1 < s->point_count && ok; k++) {
        vec3 edge = vec3_sub(s->points[k + 1], s->points[k]);
        uint32_t n = cells_along(edge, s->spacing_m);
        for (uint32_t i = 1; i <= n && ok; i++)
            ok = deformable_append_vertex(
                b, vec3_add(s->points[k], vec3_scale(edge, (float)i / (float)n)));
    }
    return ok ? WEIR_OK : fail_memory(b);
}

static void distribute_rope_mass(deformable_builder *b)
{
    deformable_set *set = b->set;
    for (uint32_t i = b->first; i + 1 < set->initial_states.count; i++) {
        float length = vec3_length(
            vec3_sub(deformable_initial_position(set, i + 1), deformable_initial_position(set, i)));
        set->masses.items[i] += 0.5f * b->deformable->density * length;
        set->masses.items[i + 1] += 0.5f * b->deformable->density * length;
    }
}

#define SELF_CONTACT_STEPS 2.5f /* in steps of the lattice */

/* ---- all deformables ------------------------------------------------------------------------ */

static weir_result build_vertices(deformable_builder *b, const solid_set *solids)
{
    if (b->deformable->kind == SCENE_DEFORMABLE_SOFT_BODY)
        return soft_body_build_lattice(b, solids);
    if (b->deformable->kind == SCENE_DEFORMABLE_ROPE) {
        WEIR_RETURN_IF_ERROR(build_rope(b));
        distribute_rope_mass(b);
        return WEIR_OK;
    }
    WEIR_RETURN_IF_ERROR(b->deformable->path ? build_mesh(b) : build_grid(b));
    return distribute_cloth_mass(b);
}

/* Returns the initial distance below which vertices of the same deformable do not collide, m. In a
 * soft body they belong together. */
static float self_contact_distance(const deformable_builder *b)
{
    const float *step = b->cells.step;
    if (b->deformable->kind != SCENE_DEFORMABLE_SOFT_BODY) return b->deformable->thickness;
    return SELF_CONTACT_STEPS * fmaxf(step[0], fmaxf(step[1], step[2]));
}

weir_result deformable_build_shape(deformable_builder *b, const solid_set *solids)
{
    deformable_set *set = b->set;
    deformable_info *f = &set->info[b->index];
    b->first = f->first_vertex = (uint32_t)set->initial_states.count;
    f->first_triangle = (uint32_t)set->triangles.count / 3;
    WEIR_RETURN_IF_ERROR(build_vertices(b, solids));
    f->vertex_count = (uint32_t)set->initial_states.count - f->first_vertex;
    f->triangle_count = (uint32_t)set->triangles.count / 3 - f->first_triangle;
    f->surface_count = b->cells.count ? b->cells.surface : f->vertex_count;
    for (size_t i = b->first; i < set->initial_states.count; i++) {
        f->mass_kg += (double)set->masses.items[i];
        set->initial_states.items[i].position.w = 1.0f / set->masses.items[i];
    }
    set->properties[b->index] =
        (struct deformable_properties){.first_vertex = f->first_vertex,
                                       .vertex_count = f->vertex_count,
                                       .radius = 0.5f * b->deformable->thickness,
                                       .friction = b->deformable->friction,
                                       .damping = b->deformable->damping,
                                       .tear = b->deformable->tear_strain,
                                       .contact_mode = (uint32_t)b->deformable->collides_with,
                                       .self_contact_distance = self_contact_distance(b)};
    return WEIR_OK;
}
