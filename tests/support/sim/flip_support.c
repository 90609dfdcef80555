#include "flip_support.h"

size_t sparse_count(const stage *s)
{
    return (size_t)s->solve.firsts[1] * POISSON_BLOCK_CELLS;
}

bool cell_at(const stage *s, size_t cell, int at[3])
{
    const uint32_t *n = s->flip.n;
    const struct poisson_block *block = &s->blocks[cell / POISSON_BLOCK_CELLS];
    at[0] = (int)(block->at.x * 8 + (cell & 7));
    at[1] = (int)(block->at.y * 8 + (cell >> 3 & 7));
    at[2] = (int)(block->at.z * 8 + (cell >> 6 & 7));
    return at[0] < (int)n[0] && at[1] < (int)n[1] && at[2] < (int)n[2];
}

void *spread(const stage *s, const gpu_buffer *buffer, size_t size)
{
    uint8_t *sparse = download(s->world, buffer, sparse_count(s), size);
    uint8_t *dense = base_alloc(s->cell_count, size);
    assert_non_null(dense);
    for (size_t i = 0; i < sparse_count(s); i++) {
        int at[3];
        if (cell_at(s, i, at))
            memcpy(dense + size * ref_flip_index(&s->flip, at), sparse + size * i, size);
    }
    base_free(sparse);
    return dense;
}

void make_movers(stage *s)
{
    uint32_t n = s->flip.count;
    ivec4 *x = download(s->world, s->world->buffers.sorted_positions, n, sizeof *x);
    vec4 *v = download(s->world, s->world->buffers.sorted_velocities, n, sizeof *v);
    bool has_affine = sim_is_apic(s->world);
    vec4 *c =
        download(s->world, s->world->buffers.velocity_gradients, has_affine ? 3ull * n : 0, 16);
    uint32_t *from = download(s->world, grid_sort_sources(s->world->grid), n, sizeof *from);
    const ivec4 *low = &s->params.fixed_min, *high = &s->params.fixed_max;
    const ivec4 *cells = &s->params.mac_cells;
    s->movers = base_alloc(n + 1u, sizeof *s->movers);
    assert_non_null(s->movers);
    for (uint32_t i = 0; i < n; i++) {
        ref_mover *m = &s->movers[i];
        m->mass = (double)(s->params.fluids[x[i].w].density / s->params.fluids[0].density);
        m->x[0] = ((double)x[i].x - low->x) / ((double)high->x - low->x) * cells->x;
        m->x[1] = ((double)x[i].y - low->y) / ((double)high->y - low->y) * cells->y;
        m->x[2] = ((double)x[i].z - low->z) / ((double)high->z - low->z) * cells->z;
        for (int axis = 0; axis < 3; axis++) {
            m->v[axis] = (double)ref_axis_component(v[i], axis);
            for (int k = 0; k < 3 && has_affine; k++)
                m->c[axis][k] = (double)ref_axis_component(c[3 * from[i] + (uint32_t)axis], k);
        }
    }
    s->flip.movers = s->movers;
    base_free(from);
    base_free(x);
    base_free(v);
    base_free(c);
}

/* Reads the only solid of the scene. */
static void read_ball(stage *s)
{
    const scene_data *scene = s->world->scene;
    const scene_shape *shape = &scene->shapes[scene->solids[0].shape];
    struct solid_pose *pose = download(s->world, s->world->buffers.poses, 1, sizeof *pose);
    s->ball = (ref_ball){shape->pose.position, shape->radius, scene->solids[0].friction, *pose};
    base_free(pose);
}

vec4 keep_out(const sim_world *world, vec4 p)
{
    const scene_shape *ball = &world->scene->shapes[world->scene->solids[0].shape];
    vec3 d = {p.x - ball->pose.position.x, p.y - ball->pose.position.y,
              world->params.planar ? 0.0f : p.z - ball->pose.position.z};
    float size = vec3_length(d), scale = 1.2f * ball->radius / size;
    if (size >= ball->radius) return p;
    return (vec4){ball->pose.position.x + scale * d.x, ball->pose.position.y + scale * d.y,
                  world->params.planar ? p.z : ball->pose.position.z + scale * d.z, p.w};
}

void place(sim_world *world, uint32_t count)
{
    const struct sim_params *p = &world->params;
    vec4 *x = base_alloc(count + 1u, sizeof *x), *v = base_alloc(count + 1u, sizeof *v);
    vec4 *affine = base_alloc(3u * count + 1u, sizeof *affine);
    uint32_t *ids = base_alloc(count + 1u, sizeof *ids), side = p->planar ? 36 : 12;
    assert_true(x && v && ids && affine);
    for (uint32_t i = 0; i < count; i++) {
        float at[3];
        for (uint32_t k = 0; k < 3; k++)
            at[k] = 0.045f * (base_hash_to_unit(3u * i + k) - 0.5f);
        float along = (float)(i % side);
        x[i] = (vec4){p->domain_min.x + 0.045f * along * (1.0f + 0.2f * along / (float)side) +
                          0.03f + at[0],
                      p->domain_min.y + 0.045f * (float)(i / side % side) + 0.03f + at[1],
                      p->domain_min.z + 0.045f * (float)(i / side / side) + 0.03f + at[2], 0};
        v[i] = (vec4){2.0f * base_hash_to_unit(i) - 1.0f, base_hash_to_unit(i + 7u),
                      base_hash_to_unit(i + 13u), 0};
        if (p->planar) x[i].z = p->plane, v[i].z = 0.0f;
        x[i] = keep_out(world, x[i]);
        ids[i] = i;
        for (uint32_t k = 0; k < 3; k++)
            affine[3 * i + k] =
                (vec4){base_hash_to_unit(9 * i + k) - 0.5f, base_hash_to_unit(9 * i + k + 3) - 0.5f,
                       base_hash_to_unit(9 * i + k + 6) - 0.5f, 0};
    }
    place_particles(world, (placing){count, x, v, ids});
    if (sim_is_apic(world))
        upload(world, world->buffers.velocity_gradients, affine, 3u * count * sizeof *affine);
    base_free(x);
    base_free(v);
    base_free(ids);
    base_free(affine);
}

void near(const char *what, const int at[3], double got, double wanted, double slack)
{
    if (!(fabs(got - wanted) <= slack))
        fail_msg("%s of cell (%d %d %d): %.9g, expected %.9g within %g", what, at[0], at[1], at[2],
                 got, wanted, slack);
}

void enter_gather(stage *s, sim_world *world, double frame_s)
{
    uvec4 n;
    *s = (stage){.world = world};
    run_up_to(world, frame_s, "flip_p2g");
    uint32_t live = read_cells(world, &s->params, &s->status, &s->solve, &n);
    s->blocks = download(world, poisson_get_buffers(world->pressure_grid)->blocks,
                         s->solve.firsts[1] + 1, sizeof *s->blocks);
    if (world->scene->solid_count) read_ball(s);
    s->pbf = (ref_pbf){.params = &s->params, .balls = &s->ball, .dt = s->status.dt};
    s->flip = (ref_flip){.pbf = &s->pbf, .n = {n.x, n.y, n.z}, .count = live};
    s->cell_count = (size_t)n.x * n.y * n.z;
    make_movers(s);
}

void leave(stage *s)
{
    base_free(s->blocks);
    base_free(s->movers);
}

void run_named(const stage *s, const char *name)
{
    uint32_t pass = step_pass(s->world, name);
    run_step_passes(s->world, pass, pass + 1);
}
