/* What a soft body wears: the mesh that its shape is, finer than its cells. A vertex of it goes
 * along with the vertices of the lattice about it, each of which carries it by the deformation of
 * its own neighbourhood: the sum of w (x + F (p - X)), w a weight that falls to 0 with the
 * distance. */
#include "soft_lattice.h"

#include "io.h"

#define REACH 1.75f /* steps of the lattice: vertices farther away carry nothing */
#define BEYOND 1.5f /* distances to the nearest, where that is farther */
#define WIDEST 64u  /* steps about a point that are searched */
#define ALMOST_0                                                                    \
    1e-6 /* of the moments' sum, added to each: a flat neighbourhood has an inverse \
          */

/* The part of one lattice vertex in one vertex of the mesh. */
static bool put_share(soft_builder *b, uint32_t vertex, float share, vec3 p)
{
    vec3 offset = vec3_sub(p, soft_place(b->set, b->first + vertex));
    return BASE_PUSH(&b->set->shares, ((soft_share){vertex, share, offset}));
}

/* The lattice vertices in the block of nodes `wide` steps about a point of the frame. */
typedef struct block {
    uint32_t low[3], high[3];
} block;

static block block_about(const soft_lattice_cells *c, const float at[3], uint32_t wide)
{
    block found;
    for (int k = 0; k < 3; k++) {
        float node = fminf(fmaxf(rintf(at[k] / c->step[k]), 0.0f), (float)c->n[k]);
        uint32_t middle = (uint32_t)node;
        found.low[k] = middle > wide ? middle - wide : 0;
        found.high[k] = middle + wide < c->n[k] ? middle + wide : c->n[k];
    }
    return found;
}

/* Calls for each vertex nearer than `reach`: appends its share, or with `reach` 0 finds how near
 * the nearest is. */
static bool visit(soft_builder *b, const block *at, vec3 p, float reach, float *nearest)
{
    const soft_lattice_cells *c = &b->cells;
    bool ok = true;
    for (uint32_t z = at->low[2]; z <= at->high[2]; z++)
        for (uint32_t y = at->low[1]; y <= at->high[1]; y++)
            for (uint32_t x = at->low[0]; x <= at->high[0] && ok; x++) {
                uint32_t v = c->vertex[(z * (c->n[1] + 1) + y) * (c->n[0] + 1) + x];
                if (v == SOFT_NONE) continue;
                float far = vec3_length(vec3_sub(p, soft_place(b->set, b->first + v)));
                *nearest = fminf(*nearest, far);
                float rest = 1.0f - far * far / fmaxf(reach * reach, 1e-30f);
                if (far < reach) ok = put_share(b, v, rest * rest * rest, p);
            }
    return ok;
}

static bool bind(soft_builder *b, const soft_frame *f, vec3 p)
{
    const soft_lattice_cells *c = &b->cells;
    soft_set *set = b->set;
    vec3 local = quat_rotate(quat_conjugate(f->rotation), vec3_sub(p, f->origin));
    const float at[3] = {local.x - f->inset, local.y - f->inset, local.z - f->inset};
    float step = fmaxf(c->step[0], fmaxf(c->step[1], c->step[2])), nearest = INFINITY, sum = 0.0f;
    uint32_t wide = 2;
    block near = block_about(c, at, wide);
    while (visit(b, &near, p, 0.0f, &nearest), isinf(nearest) && wide < WIDEST)
        near = block_about(c, at, wide *= 2);
    float reach = fmaxf(REACH * step, BEYOND * nearest);
    near = block_about(c, at, wide + (uint32_t)ceilf(reach / step) + 1);
    size_t first = set->shares.count;
    if (!BASE_PUSH(&set->share_firsts, (uint32_t)first)) return false;
    if (!visit(b, &near, p, reach, &nearest)) return false;
    for (size_t i = first; i < set->shares.count; i++)
        sum += set->shares.items[i].share;
    for (size_t i = first; i < set->shares.count; i++)
        set->shares.items[i].share /= sum;
    return true;
}

static bool put_skin(soft_builder *b, const soft_frame *f, const io_mesh *mesh)
{
    const scene_pose *pose = &b->set->scene->shapes[f->shape].pose;
    soft_figures *figures = &b->set->figures[b->index];
    bool ok = true;
    for (uint32_t i = 0; i < mesh->vertex_count && ok; i++) {
        vec3 p = quat_rotate(pose->rotation, vec3_scale(mesh->vertices[i], pose->scale));
        ok = bind(b, f, vec3_add(p, pose->position));
    }
    ok = ok && BASE_PUSH(&b->set->share_firsts, (uint32_t)b->set->shares.count);
    const uint32_t second = solid_shape_winds_inwards(f->solids, f->shape) ? 2 : 1;
    for (uint32_t t = 0; t < mesh->triangle_count && ok; t++) {
        const uint32_t *v = &mesh->indices[3 * (size_t)t];
        soft_numbers *to = &b->set->skin_triangles;
        ok = BASE_PUSH(to, v[0]) && BASE_PUSH(to, v[second]) && BASE_PUSH(to, v[3 - second]);
    }
    figures->skin_vertices = mesh->vertex_count;
    figures->skin_triangles = mesh->triangle_count;
    return ok;
}

weir_result soft_build_skin(soft_builder *b, const soft_frame *f)
{
    const scene_data *scene = b->set->scene;
    const scene_shape *shape = &scene->shapes[f->shape];
    soft_figures *figures = &b->set->figures[b->index];
    figures->first_share = (uint32_t)b->set->share_firsts.count;
    figures->first_skin_triangle = (uint32_t)b->set->skin_triangles.count / 3;
    if (shape->kind != SCENE_SHAPE_MESH) return WEIR_OK;
    io_mesh mesh = {0};
    WEIR_NEED(io_mesh_read(b->log, scene->meshes[shape->mesh].path, &mesh));
    bool ok = put_skin(b, f, &mesh);
    io_mesh_free(&mesh);
    return ok ? WEIR_OK
              : base_fail(b->log, WEIR_MEMORY, "no memory for the mesh of '%s'", b->soft->name);
}

/* ---- in a frame ----------------------------------------------------------------------------- */

/* Sums over the neighbours of a vertex: of products of their offsets at the start, and of those now
 * with those at the start. */
typedef struct moments {
    double start[3][3], now[3][3];
} moments;

static void add_pair(moments *m, const vec3 start[2], const vec3 now[2])
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

static void invert(double m[3][3], double out[3][3])
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

/* The deformation of a neighbourhood that fits best: the second sum times the first's inverse. */
static void fit(moments *m, double out[3][3])
{
    double inverse[3][3], trace = m->start[0][0] + m->start[1][1] + m->start[2][2];
    for (int k = 0; k < 3; k++) {
        m->start[k][k] += ALMOST_0 * trace;
        m->now[k][k] += ALMOST_0 * trace;
    }
    invert(m->start, inverse);
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++)
            out[r][k] = m->now[r][0] * inverse[0][k] + m->now[r][1] * inverse[1][k] +
                        m->now[r][2] * inverse[2][k];
}

/* Two neighbours of the body, or of another. */
static void add_neighbours(const soft_set *set, const soft_figures *f, soft_link link,
                           const vec3 *x, moments *all)
{
    uint32_t a = link.low - f->first_vertex, b = link.high - f->first_vertex;
    if (a >= f->vertex_count) return;
    const vec3 start[2] = {soft_place(set, link.low), soft_place(set, link.high)};
    const vec3 now[2] = {x[a], x[b]};
    add_pair(&all[a], start, now);
    add_pair(&all[b], start, now);
}

static void fit_all(const soft_set *set, const soft_figures *f, const vec3 *x, moments *all)
{
    for (size_t i = 0; i < set->bonds.count; i++) {
        const struct soft_bond *bond = &set->bonds.items[i];
        const soft_link link = {bond->vertices.x, bond->vertices.y};
        if (bond->kind == SOFT_STRETCH) add_neighbours(set, f, link, x, all);
    }
    for (size_t i = 0; i < set->links.count; i++)
        add_neighbours(set, f, set->links.items[i], x, all);
}

weir_result soft_set_dress(const soft_set *set, const weir_log *log, uint32_t soft, const vec3 *x,
                           vec3 *to)
{
    const soft_figures *f = &set->figures[soft];
    moments *all = base_alloc(f->vertex_count, sizeof *all);
    if (!all) return base_fail(log, WEIR_MEMORY, "no memory for the mesh of a soft body");
    fit_all(set, f, x, all);
    for (uint32_t i = 0; i < f->vertex_count; i++) {
        double turned[3][3];
        fit(&all[i], turned);
        memcpy(all[i].now, turned, sizeof turned);
    }
    for (uint32_t i = 0; i < f->skin_vertices; i++) {
        const uint32_t *first = &set->share_firsts.items[f->first_share + i];
        double sum[3] = {0.0, 0.0, 0.0};
        for (uint32_t s = first[0]; s < first[1]; s++) {
            const soft_share *share = &set->shares.items[s];
            const double off[3] = {(double)share->offset.x, (double)share->offset.y,
                                   (double)share->offset.z};
            const vec3 *at = &x[share->vertex];
            const double place[3] = {(double)at->x, (double)at->y, (double)at->z};
            double(*m)[3] = all[share->vertex].now;
            for (int r = 0; r < 3; r++)
                sum[r] += (double)share->share *
                          (place[r] + m[r][0] * off[0] + m[r][1] * off[1] + m[r][2] * off[2]);
        }
        to[i] = vec3_make((float)sum[0], (float)sum[1], (float)sum[2]);
    }
    base_free(all);
    return WEIR_OK;
}

void soft_set_blend(const soft_set *set, uint32_t soft, const vec3 *of, vec3 *to)
{
    const soft_figures *f = &set->figures[soft];
    for (uint32_t i = 0; i < f->skin_vertices; i++) {
        const uint32_t *first = &set->share_firsts.items[f->first_share + i];
        vec3 sum = {0};
        for (uint32_t s = first[0]; s < first[1]; s++) {
            const soft_share *share = &set->shares.items[s];
            sum = vec3_add(sum, vec3_scale(of[share->vertex], share->share));
        }
        to[i] = sum;
    }
}

const uint32_t *soft_set_skin(const soft_set *set, uint32_t soft)
{
    const soft_figures *f = &set->figures[soft];
    if (f->skin_triangles == 0) return NULL;
    return set->skin_triangles.items + 3 * (size_t)f->first_skin_triangle;
}
