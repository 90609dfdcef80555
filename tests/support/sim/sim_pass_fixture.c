#include "sim_pass_fixture.h"

#define LEAD_S (1.0f / 240) /* how long emitters lead particles, on average */

float random_between(uint64_t draw, float low, float high)
{
    return low + (high - low) * base_hash_to_unit(draw);
}

/* Returns a particle of a dense jittered lattice from the lower corner of the domain, so that
 * constraints are active and walls are near, with a random velocity; a few particles are far too
 * fast, and emitters lead a few. */
static vec4 random_particle(const sim_world *world, uint32_t i, uint32_t count, vec4 *velocity)
{
    const struct sim_params *p = &world->params;
    float side = ceilf(p->planar ? sqrtf((float)count) : cbrtf((float)count));
    float step = 0.93f * p->spacing;
    uint32_t n = (uint32_t)side;
    const float at[3] = {(float)(i % n), (float)(i / n % n), (float)(i / n / n)};
    float fast = i % 37 == 5 ? 90.0f : 1.5f;
    uint64_t draw = 8ull * i;
    *velocity = (vec4){random_between(draw, -fast, fast), random_between(draw + 1, -fast, fast),
                       random_between(draw + 2, -fast, fast), 0};
    if (i % 11 == 7 && sim_emitters_lead(world->scene))
        velocity->w = random_between(draw + 6, 0.1f, 1.9f) * LEAD_S;
    vec3 low = world->scene->domain.min;
    vec4 x = {low.x + (at[0] + random_between(draw + 3, 0.2f, 0.8f)) * step,
              low.y + (at[1] + random_between(draw + 4, 0.2f, 0.8f)) * step,
              low.z + (at[2] + random_between(draw + 5, 0.2f, 0.8f)) * step,
              (float)(i / 3 % world->scene->fluid_count)};
    if (p->planar) x.z = p->plane, velocity->z = 0.0f;
    return x;
}

vec4 *stream(const stage *s, const gpu_buffer *buffer)
{
    return download(s->world, buffer, s->count, sizeof(vec4));
}

ivec4 *fixed(const stage *s, const gpu_buffer *buffer)
{
    return download(s->world, buffer, s->count, sizeof(ivec4));
}

static void read_balls(stage *s)
{
    const scene_data *scene = s->world->scene;
    uint32_t items = s->params.item_count;
    struct solid_pose *poses = download(s->world, s->world->buffers.poses, items, sizeof *poses);
    assert_true(items <= BASE_COUNT(s->balls));
    for (uint32_t i = 0; i < items; i++) {
        bool solid = i < scene->solid_count, sink = i >= s->params.sink_first;
        const scene_body *body = solid || sink ? NULL : &scene->bodies[i - scene->solid_count];
        uint32_t shape = solid  ? scene->solids[i].shape
                         : body ? body->shape
                                : scene->sinks[i - s->params.sink_first].shape;
        float friction = solid ? scene->solids[i].friction : body ? body->friction : 0.0f;
        s->balls[i] = (ref_ball){scene->shapes[shape].pose.position, scene->shapes[shape].radius,
                                 friction, poses[i]};
    }
    base_free(poses);
}

void refresh(stage *s)
{
    struct grid_state state;
    OK(gpu_buffer_download(s->world->device, s->world->buffers.status, 0, &s->status,
                           sizeof s->status));
    OK(gpu_buffer_download(s->world->device, s->world->buffers.params, 0, &s->params,
                           sizeof s->params));
    OK(gpu_buffer_download(s->world->device, grid_state_buffer(s->world->grid), 0, &state,
                           sizeof state));
    assert_int_equal(state.flags, 0);
    bool sorted = s->pass > step_pass(s->world, "sort_within_bins");
    s->count = sorted ? state.live : state.count;
    free_lists(&s->lists);
    if (s->pass > step_pass(s->world, "build_neighbour_lists"))
        s->lists = download_lists(s->world->device, s->world->grid, s->count);
    read_balls(s);
    s->pbf =
        (ref_pbf){&s->params, s->balls, s->status.dt, s->count, s->lists.first, s->lists.items};
}

void enter(stage *s, sim_world *world, uint32_t count, const char *pass)
{
    vec4 *x = base_alloc(count + 1u, sizeof *x), *v = base_alloc(count + 1u, sizeof *v);
    uint32_t *ids = base_alloc(count + 1u, sizeof *ids);
    assert_true(x && v && ids);
    for (uint32_t i = 0; i < count; i++) {
        x[i] = random_particle(world, i, count, &v[i]);
        ids[i] = i;
    }
    *s = (stage){.world = world};
    place_particles(world, (placing){count, x, v, ids});
    memset(world->stream_states, 0, world->streams.list.count * sizeof *world->stream_states);
    if (world->streams.list.count) {
        sim_stream *first = world->streams.list.items;
        world->stream_states->site_count = first->site_count = first->fill_count = 12;
    }
    s->pass = run_up_to(world, FRAME_S, pass);
    refresh(s);
    base_free(x);
    base_free(v);
    base_free(ids);
}

void end_frame_after_substep(const stage *s)
{
    const sim_world *world = s->world;
    const uint32_t substeps = s->status.substep + 1;
    OK(gpu_buffer_upload(world->device, world->buffers.status,
                         offsetof(struct sim_status, substeps), &substeps, sizeof substeps));
    OK(gpu_run_passes(world->device, world->end_passes, world->end_pass_count));
}

void run_pass(const stage *s)
{
    run_step_passes(s->world, s->pass, s->pass + 1);
}

void run_collisions(stage *s)
{
    if (s->params.item_count > 0) {
        gpu_pass pass = s->world->passes[step_pass(s->world, "boundary_project")];
        pass.group = NULL;
        OK(gpu_run_passes(s->world->device, &pass, 1));
    }
    refresh(s);
}

void run_pass_and_collisions(stage *s)
{
    run_pass(s);
    run_collisions(s);
}

void assert_vec3_near(const char *what, uint32_t i, vec4 got, vec3 expected, float tolerance)
{
    vec3 d = {got.x - expected.x, got.y - expected.y, got.z - expected.z};
    if (!(vec3_length(d) <= tolerance))
        fail_msg("%s of particle %u: (%g %g %g), expected (%g %g %g), %g off, at most %g", what, i,
                 (double)got.x, (double)got.y, (double)got.z, (double)expected.x,
                 (double)expected.y, (double)expected.z, (double)vec3_length(d), (double)tolerance);
}

void assert_near(const char *what, double got, double expected, double tolerance)
{
    if (!(fabs(got - expected) <= tolerance))
        fail_msg("%s: %.9g, expected %.9g within %g", what, got, expected, tolerance);
}

vec3 xyz(vec4 v)
{
    return vec3_make(v.x, v.y, v.z);
}

vec4 metres(const stage *s, ivec4 place)
{
    return ref_metres(&s->params, place);
}
