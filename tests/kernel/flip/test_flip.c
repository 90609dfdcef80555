/* Tests FLIP and APIC: their shaders against the reference, and the quantities that the transfers
 * conserve. */
#include "flip_checks.h"
#include "flip_packed.h"
#include "ref_cells.h"
#include "ref_flip_air.h"
#include "ref_flip_contact.h"
#include "ref_walls.h"
#include "scene_text.h"
#include "two_worlds.h"

#define FRAME_S (1.0 / 120.0)

static int open_worlds(void **state)
{
    return open_two_worlds(scene_text("flip_room"), scene_text("flip_plane"));
}

/* ---- P2G ------------------------------------------------------------------------------------ */

/* Checks that every cell that a particle can reach in the substep is active. */
static void check_marks(const stage *s)
{
    bool *active = base_alloc(s->cell_count, sizeof *active);
    assert_non_null(active);
    for (size_t i = 0; i < sparse_count(s); i++) {
        int at[3];
        if (cell_at(s, i, at)) active[ref_flip_index(&s->flip, at)] = true;
    }
    for (uint32_t i = 0; i < s->flip.count; i++)
        for (int k = 0; k < 27; k++) {
            const double *x = s->movers[i].x;
            const int offset = (int)SIM_MAC_REACH, way[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
            const int at[3] = {(int)floor(x[0]) + offset * way[0],
                               (int)floor(x[1]) + offset * way[1],
                               (int)floor(x[2]) + offset * way[2]};
            if (!active[ref_flip_index(&s->flip, at)])
                fail_msg("cell (%d %d %d) about particle %u at (%g %g %g) is not active", at[0],
                         at[1], at[2], i, x[0], x[1], x[2]);
        }
    base_free(active);
}

static double force_at(const stage *s, const int at[3], int axis)
{
    const struct sim_params *p = &s->params;
    vec3 where = {p->domain_min.x + ((float)at[0] + 0.5f) * p->cell_size.x,
                  p->domain_min.y + ((float)at[1] + 0.5f) * p->cell_size.y,
                  p->domain_min.z + ((float)at[2] + 0.5f) * p->cell_size.z};
    if (axis == 0) where.x -= 0.5f * p->cell_size.x;
    if (axis == 1) where.y -= 0.5f * p->cell_size.y;
    if (axis == 2) where.z -= 0.5f * p->cell_size.z;
    return (double)s->status.dt * (double)ref_axis(ref_acceleration(p, where), (uint32_t)axis);
}

static void check_gather(stage *s)
{
    run_named(s, "flip_p2g");
    vec4 *faces =
        download(s->world, s->world->buffers.face_velocities, sparse_count(s), sizeof *faces);
    vec4 *masses = download(s->world, s->world->buffers.face_masses, sparse_count(s), 16);
    float *fill_fractions =
        download(s->world, s->world->buffers.fill_fractions, sparse_count(s), 4);
    uint32_t seen = 0, unseen = 0;
    for (size_t i = 0; i < sparse_count(s); i++) {
        int at[3];
        if (!cell_at(s, i, at)) continue;
        ref_gathered wanted = ref_flip_gather(&s->flip, at);
        near("fill fraction", at, (double)fill_fractions[i], wanted.fill_fraction, 1e-5);
        for (int axis = 0; axis < (s->params.planar ? 2 : 3); axis++) {
            bool known = (uint32_t)faces[i].w >> axis & 1u;
            near("mass", at, (double)ref_axis_component(masses[i], axis),
                 wanted.weight[axis] / (double)s->params.cell_size.w, 1e-5);
            if (wanted.weight[axis] > 1.01 * (double)SIM_MAC_MIN_WEIGHT) {
                double velocity = wanted.velocity[axis] + force_at(s, at, axis);
                assert_true(known);
                near("velocity", at, (double)ref_axis_component(faces[i], axis), velocity, 2e-5);
                seen++;
            } else if (wanted.weight[axis] < 0.99 * (double)SIM_MAC_MIN_WEIGHT) {
                assert_false(known);
                unseen++;
            }
        }
    }
    assert_true(s->flip.count < MANY || (seen > 400 && unseen > 20));
    base_free(faces);
    base_free(masses);
    base_free(fill_fractions);
}

/* Returns the level set from the fill fraction of a cell; negative in a wall next to fluid. */
static double expected_level(const stage *s, const uvec4 *cells, const float *fill_fractions,
                             const int at[3])
{
    size_t own = ref_flip_index(&s->flip, at);
    const uint32_t shares[3] = {cells[own].x, cells[own].y, cells[own].z};
    double share = float_of(cells[own].w), filled = (double)fill_fractions[own] / fmax(share, 0.5);
    double level = ref_cell_level(fmin(filled, 1.0), filled > 0.5);
    if (!(shares[0] | shares[1] | shares[2])) return (double)POISSON_CLOSED;
    if (share >= 0.5 || level < 0.0) return level;
    for (int side = 0; side < 6; side++) {
        int to[3] = {at[0], at[1], at[2]}, axis = side / 2;
        const float periods[3] = {s->params.period.x, s->params.period.y, s->params.period.z};
        to[axis] += side % 2 ? 1 : -1;
        bool inside = periods[axis] > 0 || (to[axis] >= 0 && to[axis] < (int)s->flip.n[axis]);
        bool open = side % 2 ? shares[axis] >> 16 : shares[axis] & 0xffffu;
        if (inside && open && fill_fractions[ref_flip_index(&s->flip, to)] > 0.5f) level = -0.5;
    }
    return level;
}

/* Compares the level set; cells without a block have none in the reference either. */
static void check_surface(stage *s)
{
    uvec4 *before = spread(s, poisson_get_buffers(s->world->pressure_grid)->cells, sizeof *before);
    float *fill_fractions = spread(s, s->world->buffers.fill_fractions, 4);
    run_named(s, "flip_level_set");
    uvec4 *cells = download(s->world, poisson_get_buffers(s->world->pressure_grid)->cells,
                            sparse_count(s), sizeof *cells);
    uint32_t fluid = 0, walls = 0;
    for (size_t i = 0; i < sparse_count(s); i++) {
        int at[3];
        if (!cell_at(s, i, at)) continue;
        double wanted = expected_level(s, before, fill_fractions, at);
        near("level", at, float_of(cells[i].w), wanted, 1e-3);
        fluid += wanted < 0.0;
        walls += wanted == -0.5;
    }
    assert_true(s->flip.count < MANY || (fluid > 50 && (s->params.planar || walls > 0)));
    base_free(before);
    base_free(fill_fractions);
    base_free(cells);
}

/* ---- pressure ------------------------------------------------------------------------------- */

static void check_source(stage *s)
{
    uvec4 *cells = spread(s, poisson_get_buffers(s->world->pressure_grid)->cells, sizeof *cells);
    vec4 *faces = spread(s, s->world->buffers.face_velocities, sizeof *faces);
    s->flip.cells = cells;
    s->flip.faces = faces;
    run_named(s, "flip_divergence");
    float *sources = download(s->world, poisson_get_buffers(s->world->pressure_grid)->right_sides,
                              sparse_count(s), 4);
    for (size_t i = 0; i < sparse_count(s); i++) {
        int at[3];
        if (!cell_at(s, i, at)) continue;
        bool fluid = float_of(cells[ref_flip_index(&s->flip, at)].w) < 0.0;
        near("source", at, (double)sources[i], fluid ? ref_flip_source(&s->flip, at) : 0.0, 2e-6);
    }
    base_free(cells);
    base_free(faces);
    base_free(sources);
}

/* Reports whether fluid touches the face. */
static bool is_known(const stage *s, const int at[3], int axis)
{
    int under[3] = {at[0], at[1], at[2]};
    under[axis]--;
    bool fluid = float_of(s->flip.cells[ref_flip_index(&s->flip, at)].w) < 0.0;
    bool inside = under[axis] >= 0 || (axis == 0 && s->params.period.x > 0.0f);
    return fluid || (inside && float_of(s->flip.cells[ref_flip_index(&s->flip, under)].w) < 0.0);
}

/* Checks the projection with random slopes and pressures. */
static void check_project(stage *s)
{
    size_t count = sparse_count(s);
    uvec4 *cells = spread(s, poisson_get_buffers(s->world->pressure_grid)->cells, sizeof *cells);
    vec4 *before = download(s->world, s->world->buffers.face_velocities, count, sizeof *before);
    vec4 *slopes = base_alloc(count + 1, sizeof *slopes);
    float *pressures = base_alloc(count + 1, sizeof *pressures);
    assert_true(slopes && pressures);
    s->flip.cells = cells;
    for (size_t i = 0; i < count; i++) {
        /* small pressures in some blocks: the fluid falls */
        float size = i / 2048 % 2 ? 0.01f : 1.0f;
        int at[3];
        slopes[i] = (vec4){size * base_hash_to_unit(5 * i), size * base_hash_to_unit(5 * i + 1),
                           size * base_hash_to_unit(5 * i + 2), 0.0f};
        for (int axis = 0; axis < 3 && cell_at(s, i, at); axis++)
            slopes[i].w += is_known(s, at, axis) ? (float)(1 << axis) : 0.0f;
    }
    for (size_t i = 0; i < count; i++)
        pressures[i] = 0.05f * base_hash_to_unit(i) - 0.01f;
    upload(s->world, s->world->buffers.pressure_gradients, slopes, count * sizeof *slopes);
    upload(s->world, poisson_get_buffers(s->world->pressure_grid)->solutions, pressures,
           count * sizeof *pressures);
    run_named(s, "flip_subtract_gradient");
    vec4 *faces = download(s->world, s->world->buffers.face_velocities, count, sizeof *faces);
    vec4 *changes =
        download(s->world, s->world->buffers.face_velocity_changes, count, sizeof *changes);
    uint32_t walls = 0;
    for (size_t i = 0; i < count; i++) {
        int at[3];
        if (!cell_at(s, i, at)) continue;
        assert_true(faces[i].w == slopes[i].w && changes[i].w == pressures[i]);
        for (int axis = 0; axis < 3; axis++) {
            double old = (double)ref_axis_component(before[i], axis), force = force_at(s, at, axis);
            double slope = (double)ref_axis_component(slopes[i], axis), velocity = old + slope;
            bool open = ref_flip_open(&s->flip, at, 2 * axis) > 0.0;
            if (!((uint32_t)slopes[i].w >> axis & 1u)) {
                near("air", at, (double)ref_axis_component(faces[i], axis), old - force, 2e-5);
                near("its change", at, (double)ref_axis_component(changes[i], axis), force, 2e-5);
                continue;
            }
            if (!open) velocity = 0.0;
            walls += !open;
            near("velocity", at, (double)ref_axis_component(faces[i], axis), velocity, 2e-5);
            near("change", at, (double)ref_axis_component(changes[i], axis),
                 velocity - (old - force), 2e-5);
        }
    }
    assert_true(s->flip.count < MANY || walls > 10);
    base_free(cells);
    base_free(before);
    base_free(slopes);
    base_free(pressures);
    base_free(faces);
    base_free(changes);
}

/* ---- G2P ------------------------------------------------------------------------------------ */

/* Returns the velocity that a particle receives, and its displacement, m. */
static void expected_step(const stage *s, uint32_t i, double velocity[3], double way[3])
{
    const ref_mover *m = &s->movers[i];
    const struct sim_params *p = &s->params;
    double grid[3], late[3], drift[3] = {0}, far = 0.0, size = 0.0, share;
    share = 1.0 - pow(1.0 - (double)p->pic_fraction, (double)(s->status.dt / p->reference_dt));
    ivec4 *start =
        download(s->world, s->world->buffers.sorted_positions, s->flip.count, sizeof *start);
    vec3 force = ref_acceleration(p, ref_xyz(ref_metres(p, start[i])));
    base_free(start);
    for (int axis = 0; axis < 3; axis++) {
        velocity[axis] = grid[axis] =
            m->v[axis] + (double)s->status.dt * (double)ref_axis(force, (uint32_t)axis);
        ref_component found = ref_flip_axis_component(&s->flip, m->x, axis);
        bool known = found.known > 0.0 && !(p->planar && axis == 2);
        double pulled = velocity[axis] - m->v[axis], pressed = known ? found.change - pulled : 0.0;
        late[axis] = 0.5 * pulled;
        size += pressed * pressed;
        if (!known) continue;
        velocity[axis] = found.velocity;
        if (!sim_is_apic(s->world))
            velocity[axis] = (1.0 - share) * (m->v[axis] + found.change) + share * found.velocity;
        drift[axis] = found.slope;
        far += drift[axis] * drift[axis];
    }
    ref_flip_way(&s->flip, m->x, grid, way);
    double most = (double)(SIM_DRIFT_MAX_CELLS * p->h),
           kept = fmin(1.0, most / fmax(sqrt(far), 1e-20));
    double pressed = sqrt(size) / (double)(s->status.dt * vec3_length(force)),
           falls = fmax(0.0, 1.0 - 10.0 * pressed);
    for (int axis = 0; axis < 3; axis++)
        way[axis] += kept * drift[axis] - (double)s->status.dt * falls * late[axis];
    if (p->planar) way[2] = velocity[2] = 0.0;
}

static void check_affine(const stage *s, uint32_t i, const vec4 *affine)
{
    for (int axis = 0; axis < 3; axis++) {
        ref_component found = ref_flip_axis_component(&s->flip, s->movers[i].x, axis);
        for (int k = 0; k < 3; k++)
            if (!(fabs((double)ref_axis_component(affine[axis], k) - found.gradient[k]) <= 2e-4))
                fail_msg("gradient %d %d of particle %u: %g, expected %g", axis, k, i,
                         (double)ref_axis_component(affine[axis], k), found.gradient[k]);
    }
}

/* Checks G2P with the random velocities and slopes of check_project. */
static void check_take(stage *s)
{
    uint32_t n = s->flip.count;
    uvec4 *cells = spread(s, poisson_get_buffers(s->world->pressure_grid)->cells, sizeof *cells);
    float *fill_fractions = spread(s, s->world->buffers.fill_fractions, 4);
    ivec4 *from = download(s->world, s->world->buffers.sorted_positions, n, sizeof *from);
    packed p = read_packed(s);
    s->flip.cells = cells, s->flip.fill_fractions = fill_fractions;
    run_named(s, "flip_g2p_advect");
    ivec4 *to = download(s->world, s->world->buffers.positions, n, sizeof *to);
    vec4 *v = download(s->world, s->world->buffers.sorted_velocities, n, sizeof *v);
    float *densities = download(s->world, s->world->buffers.densities, n, 4);
    bool has_affine = sim_is_apic(s->world);
    vec4 *affine =
        download(s->world, s->world->buffers.velocity_gradients, has_affine ? 3ull * n : 0, 16);
    for (uint32_t i = 0; i < n; i++) {
        double velocity[3], way[3], unit = (double)s->params.origin.w;
        const double got[3] = {unit * (to[i].x - from[i].x), unit * (to[i].y - from[i].y),
                               unit * (to[i].z - from[i].z)};
        expected_step(s, i, velocity, way);
        for (int axis = 0; axis < 3; axis++)
            if (!(fabs(got[axis] - way[axis]) <= 3e-6 &&
                  fabs((double)ref_axis_component(v[i], axis) - velocity[axis]) <= 5e-5))
                fail_msg("particle %u, axis %d: way %g, expected %g; velocity %g, expected %g", i,
                         axis, got[axis], way[axis], (double)ref_axis_component(v[i], axis),
                         velocity[axis]);
        assert_true(fabs((double)densities[i] / 1000.0 -
                         ref_flip_fill_fraction(&s->flip, s->movers[i].x)) <= 1e-4);
        if (has_affine) check_affine(s, i, &affine[3 * i]);
    }
    free_packed(&p);
    base_free(cells);
    base_free(fill_fractions);
    base_free(from);
    base_free(to);
    base_free(v);
    base_free(densities);
    base_free(affine);
}

/* Checks that no particle is nearer to a wall than the gap, and that no particle that was away from
 * walls, or that leaves the ball, changes its velocity. */
static void check_commit(stage *s)
{
    uint32_t n = s->flip.count, pushed = 0, leaving = 0;
    ivec4 *from = download(s->world, s->world->buffers.positions, n, sizeof *from);
    vec4 *before = download(s->world, s->world->buffers.sorted_velocities, n, sizeof *before);
    run_named(s, "flip_project_and_write_state");
    vec4 *to = download_metres(s->world, s->world->buffers.positions, n);
    vec4 *after = download(s->world, s->world->buffers.velocities, n, sizeof *after);
    float gap = s->params.boundary_gap;
    for (uint32_t i = 0; i < n; i++) {
        vec3 start = ref_xyz(ref_metres(&s->params, from[i])), end = ref_xyz(to[i]), normal;
        float distance = ref_wall_distance(&s->pbf, start);
        bool same = memcmp(&before[i], &after[i], sizeof before[i]) == 0;
        if (distance > gap) assert_true(same);
        if (distance > gap) continue;
        pushed++;
        assert_true(ref_wall_distance(&s->pbf, end) >= 0.9f * gap);
        if (ref_ball_distance(&s->ball, start, &normal) > gap) continue;
        vec3 wall =
            vec3_scale(vec3_sub(start, ref_ball_carried(&s->ball, start)), 1.0f / s->status.dt);
        assert_true(vec3_dot(vec3_sub(ref_xyz(after[i]), wall), normal) >= -1e-3f);
        bool leaves = vec3_dot(vec3_sub(ref_xyz(before[i]), wall), normal) > 1e-3f;
        if (leaves) assert_true(same);
        leaving += leaves;
    }
    assert_true(n < MANY || (pushed > 10 && leaving > 0));
    base_free(from);
    base_free(before);
    base_free(to);
    base_free(after);
}

static void check(sim_world *world, uint32_t count)
{
    stage s;
    place(world, count);
    enter_gather(&s, world, FRAME_S);
    assert_int_equal(s.flip.count, count);
    check_marks(&s);
    check_gather(&s);
    check_surface(&s);
    run_step_passes(world, step_pass(world, "assemble_matrix"),
                    step_pass(world, "flip_divergence"));
    check_source(&s);
    check_project(&s);
    check_closed(&s);
    check_surplus(&s);
    check_friction(&s);
    check_drift(&s);
    check_pack(&s);
    check_take(&s);
    check_commit(&s);
    leave(&s);
}

static void every_pass_matches_its_reference(void **state)
{
    static const uint32_t sizes[] = {0, 1, 65, MANY};
    for (int w = 0; w < WORLDS; w++)
        for (size_t i = 0; i < BASE_COUNT(sizes); i++)
            check(worlds[w], sizes[i]);
}

/* Runs a whole frame with validation: passes without a reference must not race either. */
static void a_frame_runs_under_validation(void **state)
{
    place(worlds[ROOM], MANY);
    run_frames(worlds[ROOM], 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pass_matches_its_reference),
        cmocka_unit_test(a_frame_runs_under_validation),
    };
    return cmocka_run_group_tests(tests, open_worlds, close_worlds);
}
