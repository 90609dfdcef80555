/* Skinning: moves the mesh that is the shape of a soft body along with the body's lattice, which is
 * coarser. The position of a mesh vertex is the sum of w (x + F (p - X)) over the lattice vertices
 * around it. F is the deformation of a lattice vertex's neighbourhood, and w a weight that falls to
 * 0 with the distance. */
#include "soft_body_lattice.h"

#include "io.h"

#define SUPPORT_RADIUS 1.75f /* lattice steps: vertices farther away have no weight */
/* times the distance of the nearest lattice vertex, if that is farther */
#define NEAREST_FACTOR 1.5f
#define MAX_SEARCH_STEPS 64u /* lattice steps around a point that are searched */
/* fraction of the moments' trace that is added to the diagonal, so that a flat neighbourhood has an
 * inverse */
#define REGULARIZATION 1e-6

/* Appends the weight of a lattice vertex for a mesh vertex at p. */
static bool append_weight(deformable_builder *b, uint32_t vertex, float weight, vec3 p)
{
    vec3 offset = vec3_sub(p, deformable_initial_position(b->set, b->first + vertex));
    return BASE_ARRAY_PUSH(&b->set->skin_weights,
                           ((deformable_skin_weight){vertex, weight, offset}));
}

/* A block of lattice nodes that extends a number of steps around a point. */
typedef struct node_block {
    uint32_t low[3], high[3];
} node_block;

static node_block node_block_around(const soft_body_cells *c, const float at[3], uint32_t wide)
{
    node_block found;
    for (int k = 0; k < 3; k++) {
        float node = fminf(fmaxf(rintf(at[k] / c->step[k]), 0.0f), (float)c->cell_count[k]);
        uint32_t middle = (uint32_t)node;
        found.low[k] = middle > wide ? middle - wide : 0;
        found.high[k] = middle + wide < c->cell_count[k] ? middle + wide : c->cell_count[k];
    }
    return found;
}

/* Visits the lattice vertices of a block. Appends the weights of those nearer to p than `reach`,
 * and lowers *nearest to the distance of the nearest. */
static bool visit_nodes(deformable_builder *b, const node_block *at, vec3 p, float reach,
                        float *nearest)
{
    const soft_body_cells *c = &b->cells;
    bool ok = true;
    for (uint32_t z = at->low[2]; z <= at->high[2]; z++)
        for (uint32_t y = at->low[1]; y <= at->high[1]; y++)
            for (uint32_t x = at->low[0]; x <= at->high[0] && ok; x++) {
                uint32_t v =
                    c->vertex[(z * (c->cell_count[1] + 1) + y) * (c->cell_count[0] + 1) + x];
                if (v == DEFORMABLE_NONE) continue;
                float far =
                    vec3_length(vec3_sub(p, deformable_initial_position(b->set, b->first + v)));
                *nearest = fminf(*nearest, far);
                float rest = 1.0f - far * far / fmaxf(reach * reach, 1e-30f);
                if (far < reach) ok = append_weight(b, v, rest * rest * rest, p);
            }
    return ok;
}

static bool bind_skin_vertex(deformable_builder *b, const soft_body_box *f, vec3 p)
{
    const soft_body_cells *c = &b->cells;
    deformable_set *set = b->set;
    vec3 local = quat_rotate(quat_conjugate(f->rotation), vec3_sub(p, f->origin));
    const float at[3] = {local.x - f->inset, local.y - f->inset, local.z - f->inset};
    float step = fmaxf(c->step[0], fmaxf(c->step[1], c->step[2])), nearest = INFINITY, sum = 0.0f;
    uint32_t wide = 2;
    node_block near = node_block_around(c, at, wide);
    while (visit_nodes(b, &near, p, 0.0f, &nearest), isinf(nearest) && wide < MAX_SEARCH_STEPS)
        near = node_block_around(c, at, wide *= 2);
    float reach = fmaxf(SUPPORT_RADIUS * step, NEAREST_FACTOR * nearest);
    near = node_block_around(c, at, wide + (uint32_t)ceilf(reach / step) + 1);
    size_t first = set->skin_weights.count;
    if (!BASE_ARRAY_PUSH(&set->skin_weight_offsets, (uint32_t)first)) return false;
    if (!visit_nodes(b, &near, p, reach, &nearest)) return false;
    for (size_t i = first; i < set->skin_weights.count; i++)
        sum += set->skin_weights.items[i].weight;
    for (size_t i = first; i < set->skin_weights.count; i++)
        set->skin_weights.items[i].weight /= sum;
    return true;
}

static bool bind_skin(deformable_builder *b, const soft_body_box *f, const io_mesh *mesh)
{
    const scene_pose *pose = &b->set->scene->shapes[f->shape].pose;
    deformable_info *info = &b->set->info[b->index];
    bool ok = true;
    for (uint32_t i = 0; i < mesh->vertex_count && ok; i++) {
        vec3 p = quat_rotate(pose->rotation, vec3_scale(mesh->vertices[i], pose->scale));
        ok = bind_skin_vertex(b, f, vec3_add(p, pose->position));
    }
    ok = ok && BASE_ARRAY_PUSH(&b->set->skin_weight_offsets, (uint32_t)b->set->skin_weights.count);
    const uint32_t second = solid_shape_is_inside_out(f->solids, f->shape) ? 2 : 1;
    for (uint32_t t = 0; t < mesh->triangle_count && ok; t++) {
        const uint32_t *v = &mesh->indices[3 * (size_t)t];
        deformable_index_array *to = &b->set->skin_triangles;
        ok = BASE_ARRAY_PUSH(to, v[0]) && BASE_ARRAY_PUSH(to, v[second]) &&
             BASE_ARRAY_PUSH(to, v[3 - second]);
    }
    info->skin_vertices = mesh->vertex_count;
    info->skin_triangles = mesh->triangle_count;
    return ok;
}

weir_result soft_body_build_skin(deformable_builder *b, const soft_body_box *f)
{
    const scene_data *scene = b->set->scene;
    const scene_shape *shape = &scene->shapes[f->shape];
    deformable_info *info = &b->set->info[b->index];
    info->first_skin_weight = (uint32_t)b->set->skin_weight_offsets.count;
    info->first_skin_triangle = (uint32_t)b->set->skin_triangles.count / 3;
    if (shape->kind != SCENE_SHAPE_MESH) return WEIR_OK;
    io_mesh mesh = {0};
    const scene_mesh *file = &scene->meshes[shape->mesh];
    WEIR_RETURN_IF_ERROR(io_mesh_read_at(b->log, file->path, file->origin, &mesh));
    bool ok = bind_skin(b, f, &mesh);
    io_mesh_free(&mesh);
    return ok ? WEIR_OK
              : base_fail(b->log, WEIR_ERROR_MEMORY, "not enough memory for the mesh of '%s'",
                          b->deformable->name);
}

/* ---- in a frame ----------------------------------------------------------------------------- */

/* Sums over the neighbours of a vertex: of products of their initial offsets, and of products of
 * present and initial offsets. */
typedef struct moments {
    double start[3][3], now[3][3];
} moments;

static void add_moment(moments *m, const vec3 start[2], const vec3 now[2])
{
    vec3 d = vec3_sub(start[1], start[0]), e = vec3_sub(now[1], now[0]);
    const double from[3] = {(double)d.x, (double)d.y, (double)d.z};
    const double to[3] = {(double)e.x, (double)e.y, (double)e.z};
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++) {
            m->start[r][k] += from[r] * from[k];
            m->now[r][k] += to[r] * from[k];
        }
}

static void invert_3x3(double m[3][3], double out[3][3])
{
    double det = 0.0;
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++) {
            int a = (r + 1) % 3, b = (r + 2) % 3, c = (k + 1) % 3, d = (k + 2) % 3;
            out[k][r] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
        }
    for (int k = 0; k < 3; k++)
        det += m[0][k] * out[k][0];
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++)
            out[r][k] /= det;
}

/* Computes the deformation of a neighbourhood that fits best: the second sum times the inverse of
 * the first. */
static void fit_deformation(moments *m, double out[3][3])
{
    double inverse[3][3], trace = m->start[0][0] + m->start[1][1] + m->start[2][2];
    for (int k = 0; k < 3; k++) {
        m->start[k][k] += REGULARIZATION * trace;
        m->now[k][k] += REGULARIZATION * trace;
    }
    invert_3x3(m->start, inverse);
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++)
            out[r][k] = m->now[r][0] * inverse[0][k] + m->now[r][1] * inverse[1][k] +
                        m->now[r][2] * inverse[2][k];
}

/* Adds a link between two vertices to the moments of both, unless it belongs to another
 * deformable. */
static void add_neighbours(const deformable_set *set, const deformable_info *f,
                           deformable_vertex_link link, const vec3 *x, moments *all)
{
    uint32_t a = link.low - f->first_vertex, b = link.high - f->first_vertex;
    if (a >= f->vertex_count) return;
    const vec3 start[2] = {deformable_initial_position(set, link.low),
                           deformable_initial_position(set, link.high)};
    const vec3 now[2] = {x[a], x[b]};
    add_moment(&all[a], start, now);
    add_moment(&all[b], start, now);
}

static void fit_deformations(const deformable_set *set, const deformable_info *f, const vec3 *x,
                             moments *all)
{
    for (size_t i = 0; i < set->constraints.count; i++) {
        const struct deformable_constraint *constraint = &set->constraints.items[i];
        const deformable_vertex_link link = {constraint->vertices.x, constraint->vertices.y};
        if (constraint->kind == DEFORMABLE_STRETCH) add_neighbours(set, f, link, x, all);
    }
    for (size_t i = 0; i < set->links.count; i++)
        add_neighbours(set, f, set->links.items[i], x, all);
}

weir_result deformable_set_skin_positions(const deformable_set *set, const weir_log *log,
                                          uint32_t deformable, const vec3 *x, vec3 *to)
{
    const deformable_info *f = &set->info[deformable];
    moments *all = base_alloc(f->vertex_count, sizeof *all);
    if (!all)
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for the mesh of a soft body");
    fit_deformations(set, f, x, all);
    for (uint32_t i = 0; i < f->vertex_count; i++) {
        double turned[3][3];
        fit_deformation(&all[i], turned);
        memcpy(all[i].now, turned, sizeof turned);
    }
    for (uint32_t i = 0; i < f->skin_vertices; i++) {
        const uint32_t *first = &set->skin_weight_offsets.items[f->first_skin_weight + i];
        double sum[3] = {0.0, 0.0, 0.0};
        for (uint32_t s = first[0]; s < first[1]; s++) {
            const deformable_skin_weight *weight = &set->skin_weights.items[s];
            const double off[3] = {(double)weight->offset.x, (double)weight->offset.y,
                                   (double)weight->offset.z};
            const vec3 *at = &x[weight->vertex];
            const double place[3] = {(double)at->x, (double)at->y, (double)at->z};
            double(*m)[3] = all[weight->vertex].now;
            for (int r = 0; r < 3; r++)
                sum[r] += (double)weight->weight *
                          (place[r] + m[r][0] * off[0] + m[r][1] * off[1] + m[r][2] * off[2]);
        }
        to[i] = vec3_make((float)sum[0], (float)sum[1], (float)sum[2]);
    }
    base_free(all);
    return WEIR_OK;
}

void deformable_set_skin_vectors(const deformable_set *set, uint32_t deformable, const vec3 *of,
                                 vec3 *to)
{
    const deformable_info *f = &set->info[deformable];
    for (uint32_t i = 0; i < f->skin_vertices; i++) {
        const uint32_t *first = &set->skin_weight_offsets.items[f->first_skin_weight + i];
        vec3 sum = {0};
        for (uint32_t s = first[0]; s < first[1]; s++) {
            const deformable_skin_weight *weight = &set->skin_weights.items[s];
            sum = vec3_add(sum, vec3_scale(of[weight->vertex], weight->weight));
        }
        to[i] = sum;
    }
}

const uint32_t *deformable_set_skin_triangles(const deformable_set *set, uint32_t deformable)
{
    const deformable_info *f = &set->info[deformable];
    if (f->skin_triangles == 0) return NULL;
    return set->skin_triangles.items + 3 * (size_t)f->first_skin_triangle;
}
