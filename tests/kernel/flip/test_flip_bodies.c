/* Tests rigid bodies in FLIP against tests/ref: two balls that cut the MAC grid, their response to
 * its pressure, and particles that hit them. */
#include "cells_support.h"
#include "one_world.h"
#include "ref_flip_air.h"
#include "ref_flip_body.h"
#include "ref_walls.h"
#include "scene_text.h"

#define FRAME_S (1.0 / 120.0)
#define MANY 1500u
#define BODIES 2u
#define SHARE 2e-3 /* tolerance: some eighths round to a different multiple of 1/255 */

static int open_world(void **state)
{
    return open_one_world(scene_text("flip_bodies"), false);
}

/* ---- state before a pass -------------------------------------------------------------------- */

typedef struct crowd {
    uint32_t pass, live, cells, n[3];
    struct sim_params params;
    struct sim_status status;
    struct poisson_state solve;
    struct poisson_block *blocks;
    uint32_t *places; /* dense: the index of each cell, POISSON_NONE where no block is active */
    struct body_properties *properties;
    struct body_state *iterates;
    ref_ball balls[1 + BODIES];
    ref_pbf pbf;
    ref_bodies ref;
} crowd;

/* The light body touches the heavy one, which overlaps the cells at the floor. Both move and
 * rotate. */
static void place_bodies(void)
{
    struct body_state states[BODIES];
    memcpy(states, body_set_initial_states(world->bodies), sizeof states);
    states[0].position = (vec4){0.11f, 0.21f, 0.36f, 0.0f};
    states[0].velocity = (vec4){1.0f, -0.4f, 0.3f, 0.0f};
    states[0].angular_momentum = (vec4){0.8f, -2.0f, 1.5f, 0.0f};
    states[1].position = (vec4){0.08f, 0.49f, 0.3f, 0.0f};
    states[1].velocity = (vec4){0.2f, -0.7f, -0.5f, 0.0f};
    states[1].angular_momentum = (vec4){0.05f, 0.02f, -0.03f, 0.0f};
    upload(world, body_set_buffers(world->bodies)->body_states, states, sizeof states);
}

/* Places a jittered lattice in motion from the lower corner of the domain, also inside the
 * bodies. */
static void place_fluid(uint32_t count)
{
    vec4 *x = base_alloc(count + 1u, sizeof *x), *v = base_alloc(count + 1u, sizeof *v);
    uint32_t *ids = base_alloc(count + 1u, sizeof *ids);
    assert_true(x && v && ids);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at[3] = {i % 12, i / 12 % 12, i / 144};
        float p[3];
        for (uint32_t k = 0; k < 3; k++)
            p[k] = 0.048f * ((float)at[k] + 0.2f + 0.6f * base_hash_to_unit(5ull * i + k));
        x[i] = (vec4){p[0] - 0.2f, p[1], p[2] + 0.1f, 0.0f};
        v[i] = (vec4){3.0f * base_hash_to_unit(i) - 1.5f, 2.0f * base_hash_to_unit(i + 7u) - 1.5f,
                      base_hash_to_unit(i + 13u) - 0.5f, 0.0f};
        ids[i] = i;
    }
    place_particles(world, (placing){count, x, v, ids});
    base_free(x);
    base_free(v);
    base_free(ids);
}

static void read_state(crowd *c)
{
    base_free(c->iterates);
    c->iterates = download(world, body_set_buffers(world->bodies)->body_iterated_states, BODIES,
                           sizeof *c->iterates);
    struct solid_pose *poses = download(world, world->buffers.poses, 1 + BODIES, sizeof *poses);
    for (uint32_t i = 0; i < 1 + BODIES; i++) {
        uint32_t shape = i ? scene->bodies[i - 1].shape : scene->solids[0].shape;
        float friction = i ? scene->bodies[i - 1].friction : 0.0f;
        c->balls[i] = (ref_ball){scene->shapes[shape].pose.position, scene->shapes[shape].radius,
                                 friction, poses[i]};
    }
    base_free(poses);
    c->pbf = (ref_pbf){.params = &c->params, .balls = c->balls, .dt = c->status.dt};
    c->ref = (ref_bodies){&c->pbf, c->properties, NULL, c->iterates};
}

static bool cell_at(const crowd *c, uint32_t cell, int at[3])
{
    const struct poisson_block *block = &c->blocks[cell / POISSON_BLOCK_CELLS];
    at[0] = (int)(block->at.x * 8 + (cell & 7));
    at[1] = (int)(block->at.y * 8 + (cell >> 3 & 7));
    at[2] = (int)(block->at.z * 8 + (cell >> 6 & 7));
    return at[0] < (int)c->n[0] && at[1] < (int)c->n[1] && at[2] < (int)c->n[2];
}

/* Returns the index of a cell; POISSON_NONE outside. */
static uint32_t place_of(const crowd *c, const int at[3])
{
    for (int k = 0; k < 3; k++)
        if (at[k] < 0 || at[k] >= (int)c->n[k]) return POISSON_NONE;
    return c->places[(uint32_t)at[0] + c->n[0] * ((uint32_t)at[1] + c->n[1] * (uint32_t)at[2])];
}

static void meet_up(crowd *c, uint32_t count, const char *pass)
{
    uvec4 n;
    *c = (crowd){0};
    place_bodies();
    place_fluid(count);
    c->pass = run_up_to(world, FRAME_S, pass);
    c->live = read_cells(world, &c->params, &c->status, &c->solve, &n);
    c->n[0] = n.x, c->n[1] = n.y, c->n[2] = n.z;
    c->cells = c->solve.firsts[1] * POISSON_BLOCK_CELLS;
    c->blocks = download(world, poisson_get_buffers(world->pressure_grid)->blocks,
                         c->solve.firsts[1] + 1, sizeof *c->blocks);
    c->properties =
        download(world, body_set_buffers(world->bodies)->bodies, BODIES, sizeof *c->properties);
    size_t all = (size_t)n.x * n.y * n.z;
    c->places = base_alloc(all, sizeof *c->places);
    assert_non_null(c->places);
    memset(c->places, 0xff, all * sizeof *c->places);
    for (uint32_t i = 0; i < c->cells; i++) {
        int at[3];
        if (cell_at(c, i, at))
            c->places[(uint32_t)at[0] + n.x * ((uint32_t)at[1] + n.y * (uint32_t)at[2])] = i;
    }
    read_state(c);
}

static void part(crowd *c)
{
    void *arrays[] = {c->blocks, c->places, c->properties, c->iterates};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
}

static void run_pass(const crowd *c)
{
    run_step_passes(world, c->pass, c->pass + 1);
}

static void near(const char *what, const int at[3], double got, double wanted, double slack)
{
    if (!(fabs(got - wanted) <= slack))
        fail_msg("%s of (%d %d %d): %.9g, expected %.9g within %g", what, at[0], at[1], at[2], got,
                 wanted, slack);
}

static float axis_of(vec4 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* Compares the sums of impulses with those of the reference. */
static void assert_sums(const crowd *c, const ref_impulse *want)
{
    uint32_t *words = download(world, body_set_buffers(world->bodies)->body_impulse_sums,
                               BODIES * BODY_IMPULSE_WORDS, sizeof *words);
    double d = (double)c->params.spacing, unit = d * (double)c->params.fluids[0].mass;
    for (uint32_t i = 0; i < BODIES; i++) {
        const uint32_t *at = words + i * BODY_IMPULSE_WORDS;
        const int body[3] = {(int)i, 0, 0};
        double size = 1e-9;
        for (int k = 0; k < 3; k++)
            size = fmax(size, fmax(fabs(want[i].linear[k]), fabs(want[i].angular[k]) / d));
        for (uint32_t k = 0; k < 6; k++) {
            int64_t whole = (int64_t)((uint64_t)at[2 * k + 1] << 32 | at[2 * k]);
            double got = (double)whole * unit * (double)BODY_IMPULSE_UNIT;
            near(k < 3 ? "impulse" : "moment", body, got,
                 k < 3 ? want[i].linear[k] : want[i].angular[k - 3] / d, 2e-3 * size);
        }
        assert_int_equal(at[BODY_IMPULSE_FLAGS], want[i].contact_flags);
    }
    base_free(words);
}

/* ---- grid ----------------------------------------------------------------------------------- */

static void check_face(const crowd *c, const int at[3], int side, uint32_t shares, double wanted)
{
    int axis = side / 2;
    bool end = side % 2 ? at[axis] + 1 == (int)c->n[axis] : at[axis] == 0;
    double got = (double)(side % 2 ? shares >> 16 : shares & 0xffffu) / 65535.0;
    if (fabs(wanted - (double)SIM_FACE_MIN_OPEN) < SHARE) return;
    near("open share", at, got, end || wanted < (double)SIM_FACE_MIN_OPEN ? 0.0 : wanted, SHARE);
}

static void bodies_cut_cells_and_tie_them(void **state)
{
    crowd c;
    uint32_t tied[1 + BODIES] = {0};
    meet_up(&c, MANY, "flip_p2g");
    uvec4 *cells =
        download(world, poisson_get_buffers(world->pressure_grid)->cells, c.cells, sizeof *cells);
    vec4 *rigid_coupling =
        download(world, poisson_get_buffers(world->pressure_grid)->rigid_coupling, c.cells,
                 sizeof *rigid_coupling);
    vec4 *turns = download(world, poisson_get_buffers(world->pressure_grid)->rigid_coupling_angular,
                           c.cells, sizeof *turns);
    for (uint32_t i = 0; i < c.cells; i++) {
        int at[3];
        if (!cell_at(&c, i, at)) continue;
        ref_cut want = ref_flip_cut(&c.ref, at);
        const uint32_t shares[3] = {cells[i].x, cells[i].y, cells[i].z};
        double most = 0.0;
        for (int side = 0; side < 6; side++) {
            double open = side % 2 ? want.high[side / 2] : want.low[side / 2];
            most = fmax(most, open);
            check_face(&c, at, side, shares[side / 2], open);
        }
        near("share of itself", at, (double)float_of(cells[i].w), fmin(want.share, most), SHARE);
        tied[want.tied]++;
        near("tie", at, (double)rigid_coupling[i].w, want.tied, 0.0);
        for (int k = 0; k < 3 && want.tied; k++) {
            near("tie", at, (double)axis_of(rigid_coupling[i], k), want.tie[k], SHARE);
            near("its moment", at, (double)axis_of(turns[i], k), want.turn[k], 4.0 * SHARE);
        }
    }
    assert_true(tied[0] > 100 && tied[1] > 50 && tied[2] > 20);
    base_free(cells);
    base_free(rigid_coupling);
    base_free(turns);
    part(&c);
}

static void they_answer_the_pressure_by_their_mass_and_inertia(void **state)
{
    crowd c;
    meet_up(&c, 100, "flip_divergence");
    struct poisson_rigid *got = download(
        world, poisson_get_buffers(world->pressure_grid)->rigid_responses, BODIES, sizeof *got);
    for (uint32_t i = 0; i < BODIES; i++) {
        struct poisson_rigid want = ref_flip_weigh(&c.ref, i);
        const float *a = &got[i].matrix.x, *b = &want.matrix.x;
        for (int k = 0; k < 7; k++)
            near("matrix", (int[]){(int)i, k, 0}, (double)a[k], (double)b[k],
                 1e-5 * (double)want.matrix.y);
    }
    base_free(got);
    part(&c);
}

/* Returns the flow out of a cell through the open fractions of its faces, 1/s. */
static double divergence(const crowd *c, const uvec4 *cells, const vec4 *faces, const int at[3])
{
    const float size[3] = {c->params.cell_size.x, c->params.cell_size.y, c->params.cell_size.z};
    uint32_t own = place_of(c, at);
    double sum = 0.0;
    for (int side = 0; side < 6; side++) {
        int axis = side / 2, to[3] = {at[0], at[1], at[2]};
        to[axis] += side % 2 ? 1 : -1;
        uint32_t other = place_of(c, to), face = side % 2 ? other : own;
        const uint32_t shares[3] = {cells[own].x, cells[own].y, cells[own].z};
        double open = (double)(side % 2 ? shares[axis] >> 16 : shares[axis] & 0xffffu) / 65535.0;
        if (other != POISSON_NONE && float_of(cells[other].w) >= POISSON_CLOSED) open = 0.0;
        if (face == POISSON_NONE) continue;
        sum += (side % 2 ? open : -open) * (double)axis_of(faces[face], axis) / (double)size[axis];
    }
    return sum;
}

static void bodies_push_fluid_as_they_would_move_without_it(void **state)
{
    crowd c;
    uint32_t seen = 0;
    meet_up(&c, MANY, "flip_divergence");
    run_pass(&c);
    uvec4 *cells =
        download(world, poisson_get_buffers(world->pressure_grid)->cells, c.cells, sizeof *cells);
    vec4 *rigid_coupling =
        download(world, poisson_get_buffers(world->pressure_grid)->rigid_coupling, c.cells,
                 sizeof *rigid_coupling);
    vec4 *faces = download(world, world->buffers.face_velocities, c.cells, sizeof *faces);
    float *got = download(world, poisson_get_buffers(world->pressure_grid)->right_sides, c.cells,
                          sizeof *got);
    double edge = (double)fminf(c.params.cell_size.x, c.params.cell_size.y);
    for (uint32_t i = 0; i < c.cells; i++) {
        int at[3];
        if (!cell_at(&c, i, at) || rigid_coupling[i].w == 0.0f || float_of(cells[i].w) >= 0.0f)
            continue;
        vec3 v = ref_body_velocity_at(&c.ref, (uint32_t)rigid_coupling[i].w - 1,
                                      ref_flip_middle(&c.params, at, 3));
        double out = divergence(&c, cells, faces, at) +
                     (double)(rigid_coupling[i].x * v.x + rigid_coupling[i].y * v.y +
                              rigid_coupling[i].z * v.z) /
                         edge;
        near("source", at, (double)got[i], -edge * edge * out, 2e-5);
        seen++;
    }
    assert_true(seen > 50);
    void *arrays[] = {cells, rigid_coupling, faces, got};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
    part(&c);
}

static void the_pressure_of_tied_cells_pushes_and_turns_bodies(void **state)
{
    crowd c;
    ref_impulse sums[BODIES] = {0};
    meet_up(&c, MANY, "flip_body_pressure_impulse");
    uvec4 *cells =
        download(world, poisson_get_buffers(world->pressure_grid)->cells, c.cells, sizeof *cells);
    float *pressures =
        download(world, poisson_get_buffers(world->pressure_grid)->solutions, c.cells, 4);
    run_pass(&c);
    for (uint32_t i = 0; i < c.cells; i++) {
        int at[3];
        if (cell_at(&c, i, at) && float_of(cells[i].w) < 0.0f && pressures[i] != 0.0f)
            ref_flip_press(&c.ref, at, (double)pressures[i], sums);
    }
    assert_true(fabs(sums[0].linear[0]) > 0.0 && fabs(sums[1].linear[0]) > 0.0);
    assert_sums(&c, sums);
    base_free(cells);
    base_free(pressures);
    part(&c);
}

/* The grid before flip_closed_face_velocity, in the order of the device. */
typedef struct face_grid {
    const crowd *c;
    uvec4 *cells;
    vec4 *rigid_coupling, *faces, *changes;
} face_grid;

static face_grid read_grid(const crowd *c)
{
    const poisson_buffers *grid = poisson_get_buffers(world->pressure_grid);
    const sim_buffers *b = &world->buffers;
    return (face_grid){.c = c,
                       .cells = download(world, grid->cells, c->cells, sizeof(uvec4)),
                       .rigid_coupling =
                           download(world, grid->rigid_coupling, c->cells, sizeof(vec4)),
                       .faces = download(world, b->face_velocities, c->cells, sizeof(vec4)),
                       .changes = download(world, b->face_velocity_changes, c->cells, 16)};
}

static bool is_open(const face_grid *g, const int at[3], int axis)
{
    int to[3] = {at[0], at[1], at[2]};
    to[axis]--;
    uint32_t i = place_of(g->c, at), below = place_of(g->c, to);
    if (i == POISSON_NONE) return false;
    const uint32_t shares[3] = {g->cells[i].x, g->cells[i].y, g->cells[i].z};
    return (shares[axis] & 0xffffu) && float_of(g->cells[i].w) < POISSON_CLOSED &&
           (below == POISSON_NONE || float_of(g->cells[below].w) < POISSON_CLOSED);
}

static bool is_known(const face_grid *g, const int at[3], int axis)
{
    uint32_t i = place_of(g->c, at);
    return i != POISSON_NONE && ((uint32_t)g->faces[i].w >> axis & 1u);
}

/* Returns the body that the lower face of a cell belongs to, + 1; 0: none. */
static uint32_t body_of(const face_grid *g, const int at[3], int axis)
{
    int to[3] = {at[0], at[1], at[2]};
    to[axis]--;
    uint32_t below = place_of(g->c, to);
    float tied = g->rigid_coupling[place_of(g->c, at)].w;
    if (tied == 0.0f && below != POISSON_NONE) tied = g->rigid_coupling[below].w;
    return (uint32_t)tied;
}

/* Adds an array's value on a face to sum[0], and 1 to sum[1], if the face is known and open. */
static void add_open(const face_grid *g, const vec4 *array, const int at[3], int axis,
                     double sum[2])
{
    if (!is_known(g, at, axis) || !is_open(g, at, axis)) return;
    sum[0] += (double)axis_of(array[place_of(g->c, at)], axis);
    sum[1] += 1.0;
}

/* Returns the mean change of the open faces around a closed one; that by forces without any. */
static double change_around(const face_grid *g, const int at[3], int axis)
{
    const crowd *c = g->c;
    double sum[2] = {0};
    for (int side = 0; side < 6; side++) {
        int to[3] = {at[0], at[1], at[2]};
        to[side / 2] += side % 2 ? 1 : -1;
        add_open(g, g->changes, to, axis, sum);
    }
    vec3 g_at = ref_acceleration(&c->params, ref_flip_middle(&c->params, at, axis));
    return sum[1] > 0.0 ? sum[0] / sum[1]
                        : (double)c->status.dt * (double)ref_axis(g_at, (uint32_t)axis);
}

/* Returns the velocity that a closed face should get from its body. */
static double carried_velocity(const face_grid *g, const int at[3], int axis)
{
    const crowd *c = g->c;
    uint32_t i = place_of(c, at), body = body_of(g, at, axis) - 1;
    vec3 place = ref_flip_middle(&c->params, at, axis), normal;
    vec3 wall = ref_body_velocity_at(&c->ref, body, place);
    ref_ball_distance(&c->balls[1 + body], place, &normal);
    ref_closed_face face = {
        .before = (double)(axis_of(g->faces[i], axis) - axis_of(g->changes[i], axis)),
        .normal = {(double)normal.x, (double)normal.y, (double)normal.z},
        .wall = {(double)wall.x, (double)wall.y, (double)wall.z},
    };
    face.change = change_around(g, at, axis);
    for (int k = 0; k < 3; k++) {
        double sum[2] = {0};
        for (int corner = 0; corner < 4 && k != axis; corner++) {
            int to[3] = {at[0], at[1], at[2]};
            to[axis] -= corner & 1;
            to[k] += corner >> 1;
            add_open(g, g->faces, to, k, sum);
        }
        face.around[k] = sum[1] > 0.0 ? sum[0] / sum[1] : face.wall[k];
    }
    return ref_closed_face_velocity(&face, axis);
}

/* A face that a body closes takes the body's velocity along the body's normal, and slips. */
static void faces_that_bodies_close_move_with_them(void **state)
{
    crowd c;
    uint32_t carried = 0;
    meet_up(&c, MANY, "flip_closed_face_velocity");
    face_grid g = read_grid(&c);
    run_pass(&c);
    face_grid after = read_grid(&c);
    for (uint32_t i = 0; i < c.cells; i++) {
        int at[3];
        for (int axis = 0; axis < 3 && cell_at(&c, i, at); axis++) {
            double old = (double)axis_of(g.faces[i], axis), want = old;
            bool closed = is_known(&g, at, axis) && !is_open(&g, at, axis);
            if (closed && body_of(&g, at, axis) == 0) continue; /* test_flip.c */
            if (closed) want = carried_velocity(&g, at, axis);
            carried += closed;
            near("face", at, (double)axis_of(after.faces[i], axis), want,
                 2e-4 * (1.0 + fabs(want)));
            near("change", at,
                 (double)(axis_of(after.changes[i], axis) - axis_of(g.changes[i], axis)),
                 want - old, 2e-4 * (1.0 + fabs(want)));
        }
    }
    assert_true(carried > 20);
    void *arrays[] = {g.cells,     g.rigid_coupling,     g.faces,     g.changes,
                      after.cells, after.rigid_coupling, after.faces, after.changes};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
    part(&c);
}

/* ---- layers of fluid ------------------------------------------------------------------------ */

typedef struct motion {
    double linear[3], angular[3];
} motion;

/* Adds the momentum, in m/s times a full cell, of a face along an axis at `arm` from the centre. */
static void add_face_momentum(motion *sum, const double arm[3], int axis, double momentum)
{
    int b = (axis + 1) % 3, c = (axis + 2) % 3;
    sum->linear[axis] += momentum;
    sum->angular[b] += momentum * arm[c];
    sum->angular[c] -= momentum * arm[b];
}

/* Adds what a body's layer is stopped by, and what it takes when it moves by `change`. */
static void add_layer(const face_grid *g, uint32_t body, const motion *change, motion *sum)
{
    const crowd *c = g->c;
    vec4 *masses = download(world, world->buffers.face_masses, c->cells, sizeof *masses);
    for (uint32_t i = 0; i < c->cells; i++) {
        int at[3];
        for (int axis = 0; axis < 3 && cell_at(c, i, at); axis++) {
            if (!is_known(g, at, axis) || is_open(g, at, axis)) continue;
            if (body_of(g, at, axis) != body + 1) continue;
            vec3 place = ref_flip_middle(&c->params, at, axis);
            vec4 centre = c->iterates[body].position;
            const double arm[3] = {(double)(place.x - centre.x), (double)(place.y - centre.y),
                                   (double)(place.z - centre.z)};
            int p = (axis + 1) % 3, q = (axis + 2) % 3;
            double moved =
                change->linear[axis] + change->angular[p] * arm[q] - change->angular[q] * arm[p];
            double stopped = (double)axis_of(g->changes[i], axis) - change_around(g, at, axis);
            add_face_momentum(sum, arm, axis, (double)axis_of(masses[i], axis) * (stopped + moved));
        }
    }
    base_free(masses);
}

/* A body and the fluid that it stops change their velocity together, and keep their momentum. */
static void bodies_take_their_layer_of_fluid_along(void **state)
{
    crowd c;
    meet_up(&c, MANY, "flip_body_layer_sums");
    face_grid g = read_grid(&c);
    run_step_passes(world, c.pass, c.pass + 2);
    vec4 *changes = download(world, world->buffers.body_layer_changes, 2 * BODIES, sizeof(vec4));
    struct body_state *after = download(
        world, body_set_buffers(world->bodies)->body_iterated_states, BODIES, sizeof *after);
    ref_bodies moved = {&c.pbf, c.properties, NULL, after};
    vec3 size = {c.params.cell_size.x, c.params.cell_size.y, c.params.cell_size.z};
    double cell = (double)(c.params.fluids[0].density * size.x * size.y * size.z);
    for (uint32_t i = 0; i < BODIES; i++) {
        const struct body_state *before = &c.iterates[i];
        vec4 turn = changes[2 * i + 1];
        motion change = {{0}, {(double)turn.x, (double)turn.y, (double)turn.z}}, sum = {0};
        for (int k = 0; k < 3; k++)
            change.linear[k] = (double)axis_of(changes[2 * i], k);
        add_layer(&g, i, &change, &sum);
        assert_true(fabs(change.linear[0]) > 1e-3 && fabs(change.angular[2]) > 1e-3);
        vec3 arm = {0.1f, -0.2f, 0.3f}, spun = vec3_cross((vec3){turn.x, turn.y, turn.z}, arm);
        vec3 place = vec3_add(ref_xyz(before->position), arm);
        vec3 faster = vec3_sub(ref_body_velocity_at(&moved, i, place),
                               ref_body_velocity_at(&c.ref, i, place));
        for (int k = 0; k < 3; k++) {
            const int at[3] = {(int)i, k, 0};
            double gained = (double)(axis_of(after[i].velocity, k) - axis_of(before->velocity, k));
            near("velocity", at, (double)ref_axis(faster, (uint32_t)k),
                 change.linear[k] + (double)ref_axis(spun, (uint32_t)k), 1e-5);
            near("momentum", at, gained / (double)c.properties[i].centre.w, -cell * sum.linear[k],
                 1e-5 * cell);
            near("angular momentum", at,
                 (double)(axis_of(after[i].angular_momentum, k) -
                          axis_of(before->angular_momentum, k)),
                 -cell * sum.angular[k], 1e-5 * cell);
        }
    }
    void *arrays[] = {g.cells, g.rigid_coupling, g.faces, g.changes, changes, after};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
    part(&c);
}

/* ---- particles ------------------------------------------------------------------------------ */

/* The pressure has already marked these bodies as touched. */
static void keep_touched(ref_impulse *sums)
{
    uint32_t *words = download(world, body_set_buffers(world->bodies)->body_impulse_sums,
                               BODIES * BODY_IMPULSE_WORDS, sizeof *words);
    for (uint32_t i = 0; i < BODIES; i++)
        sums[i].contact_flags = words[i * BODY_IMPULSE_WORDS + BODY_IMPULSE_FLAGS];
    base_free(words);
}

static void check_meet(uint32_t count)
{
    crowd c;
    ref_impulse sums[BODIES] = {0};
    uint32_t met = 0;
    meet_up(&c, count, "flip_project_out_of_bodies");
    vec4 *x = download_metres(world, world->buffers.positions, c.live);
    vec4 *v = download(world, world->buffers.sorted_velocities, c.live, sizeof *v);
    keep_touched(sums);
    run_pass(&c);
    vec4 *to = download_metres(world, world->buffers.positions, c.live);
    vec4 *speed = download(world, world->buffers.sorted_velocities, c.live, sizeof *speed);
    for (uint32_t i = 0; i < c.live; i++) {
        vec3 velocity = {v[i].x, v[i].y, v[i].z}, start = {x[i].x, x[i].y, x[i].z};
        vec3 want = ref_flip_meet(&c.ref, start, &velocity, sums);
        const int particle[3] = {(int)i, 0, 0};
        const float wanted[6] = {want.x, want.y, want.z, velocity.x, velocity.y, velocity.z};
        for (int k = 0; k < 3; k++) {
            near("place", particle, (double)axis_of(to[i], k), (double)wanted[k], 5e-6);
            near("velocity", particle, (double)axis_of(speed[i], k), (double)wanted[3 + k], 5e-5);
        }
        met += vec3_length(vec3_sub(want, start)) > 0.0f;
    }
    assert_sums(&c, sums);
    assert_true(count < MANY || (met > 50 && met < c.live / 2));
    void *arrays[] = {x, v, to, speed};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
    part(&c);
}

static void particles_leave_bodies_and_give_them_their_momentum(void **state)
{
    static const uint32_t sizes[] = {1, 64, 65, MANY};
    for (size_t i = 0; i < BASE_COUNT(sizes); i++)
        check_meet(sizes[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_cut_cells_and_tie_them),
        cmocka_unit_test(they_answer_the_pressure_by_their_mass_and_inertia),
        cmocka_unit_test(bodies_push_fluid_as_they_would_move_without_it),
        cmocka_unit_test(the_pressure_of_tied_cells_pushes_and_turns_bodies),
        cmocka_unit_test(faces_that_bodies_close_move_with_them),
        cmocka_unit_test(bodies_take_their_layer_of_fluid_along),
        cmocka_unit_test(particles_leave_bodies_and_give_them_their_momentum),
    };
    return cmocka_run_group_tests(tests, open_world, close_one_world);
}
