/* Tests every shader of the simulation against its reference in tests/ref, pass by pass, for five
 * simulations: one with all features, one of a single fluid in a closed box, one in the plane, the
 * same with one kernel, and the fluids and walls of the first solved by PCISPH with one kernel. */
#include "sim_pass_fixture.h"
#include "statistics_check.h"

/* Tolerances for float32 sums of about thirty terms; d is the spacing, T the substep. */
#define POSITION_TOLERANCE 1e-5f   /* d */
#define VELOCITY_TOLERANCE 2e-5f   /* d / T */
#define CONSTRAINT_TOLERANCE 1e-5f /* of the rest density */

#define MANY 1500u
#define LARGE 100000u

/* The random particles fill a cube of 0.56 m at the lower corner. */
static const char everything[] =
    "{'spacing': 0.05, 'domain': {'min': [-1, 0, -0.5], 'max': [1, 0.5, 0.5], 'friction': 0.2, "
    "'sides': {'x': 'periodic', 'y': ['closed', 'open']}}, 'solver': {'vorticity_confinement': "
    "0.5, "
    "'chebyshev_spectral_radius': 0.6, 'artificial_pressure_exponent': 3, 'iterations': 3}, "
    "'forces': [{'centre': [-0.7, 0.2, "
    "0], 'strength': 20}, {'type': 'uniform', 'acceleration': [3, 40, -2], 'inside': {'min': [-1,"
    " 0, -0.5], 'max': [-0.7, 0.3, -0.2]}}, {'type': 'vortex', 'axis': [1, 2, 0], 'strength': "
    "150, 'centre': [-0.8, 0.1, -0.3], 'inside': {'centre': [-0.75, 0.2, -0.3], 'radius': 0.2}}, "
    "{'type': 'drag', 'rate': 60, 'velocity': [5, 0, 1]}], 'fluids': [{'name': 'water', 'xsph': "
    "0.05, 'surface_tension': 600, 'fill': {'shape': {'box': {'min': [0.3, 0, 0], 'max': [0.5, "
    "0.2, 0.2]}}}}, {'name': 'oil', 'density': 600, 'xsph': 0.02, 'surface_tension': 250}], "
    "'solids': [{'name': 'ball', 'friction': 0.4, 'shape': {'sphere': {'radius': 0.12}, "
    "'position': [-0.65, 0.25, -0.3]}, 'motion': {'spin': {'axis': [0, 0, 1], 'rate': 9}}}, "
    "{'name': 'bob', 'shape': {'sphere': {'radius': 0.08}, 'position': [-0.85, 0.1, -0.1]}, "
    "'motion': {'oscillation': {'amplitude': [0.2, 0, 0], 'frequency': 2}}}], 'emitters': "
    "[{'name': 'jet', 'fluid': 'oil', 'position': [0.6, 0.3, 0], 'direction': [1, 0, 0], 'up': "
    "[0, 1, 0], 'width': 0.2, 'height': 0.15, 'speed': 30}], 'sinks': [{'name': 'drain', "
    "'shape': {'sphere': {'radius': 0.1}, 'position': [-0.6, 0.4, 0]}}]}";

static const char plain[] =
    "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [3, 3, 3]}, 'solver': {'boundary_gap': "
    "0.4}, 'fluids': [{'name': 'water', 'xsph': 0.05, 'surface_tension': 300, 'fill': {'shape': "
    "{'box': {'min': [0, 0, 0], 'max': [0.5, 0.5, 0.5]}}}}]}";

static const char planar[] =
    "{'spacing': 0.05, 'domain': {'min': [-0.1, 0, -0.3], 'max': [2.5, 2.5, 0.1]}, 'gravity': [1,"
    " -9.81, 0], 'forces': [{'centre': [0.3, 0.5, 1], 'strength': 30}, {'type': 'uniform', "
    "'acceleration': [20, 10, 50], 'inside': {'min': [0, 0, 5], 'max': [0.3, 0.2, 6]}}, {'type': "
    "'vortex', 'axis': [1, 0, 1], 'strength': 60}, {'centre': [0, 0, 0], 'strength': -8}], "
    "'solver': {'dimensions': 2, 'vorticity_confinement': 0.5}, 'fluids': [{'name': 'water', "
    "'xsph': 0.05, "
    "'surface_tension': 60, 'fill': {'shape': {'box': {'min': [0, 0, -1], 'max': [0.5, 0.5, "
    "1]}}}}, {'name': 'oil', 'density': 600, 'fill': {'shape': {'box': {'min': [1, 0, -1], "
    "'max': [1.2, 0.2, 1]}}}}], 'solids': [{'name': 'post', 'friction': 0.3, 'shape': {'sphere': "
    "{'radius': 0.2}, 'position': [0.5, 0.5, -0.1]}}]}";

/* EVERYTHING runs with validation, PLAIN without, so that it can be large. */
enum { EVERYTHING, PLAIN, PLANAR, PAIR, PAIR_PLANAR, PCISPH, WORLDS };
static gpu_device *devices[WORLDS];
static scene_data *scenes[WORLDS];
static sim_world *worlds[WORLDS];

static int open_worlds(void **state)
{
    (void)state;
    static const char *const all[] = {everything, plain, planar, plain, planar, everything};
    static const char *const pcisph[] = {"solver.method=pcisph",
                                         "solver.chebyshev_spectral_radius=0",
                                         "solver.residuals=true", NULL};
    static const char *const pair[] = {"solver.kernel=poly6", "solver.artificial_pressure=0.0014",
                                       NULL};
    const char *const *const overrides[] = {NULL, NULL, NULL, pair, pair, pcisph};
    for (int w = 0; w < WORLDS; w++) {
        devices[w] = open_gpu(w == EVERYTHING);
        scenes[w] = make_scene(all[w], overrides[w]);
        const grid_capacity first = {w == PLAIN ? LARGE : 2 * MANY, 96, 4096};
        const sim_create_options choices = {.initial_capacity = &first,
                                            .compact_lists = w == EVERYTHING || w == PCISPH};
        OK(sim_create_with_options(devices[w], scenes[w], &choices, &worlds[w]));
    }
    return 0;
}

static int close_worlds(void **state)
{
    (void)state;
    return close_sims(devices, scenes, worlds, WORLDS);
}

/* Runs a check at every size in every world of Position Based Fluids. */
static void at_every_size(void (*check)(stage *s, sim_world *world, uint32_t count))
{
    static const uint32_t sizes[] = {0, 1, 63, 64, 65, MANY, LARGE};
    for (int w = 0; w < PCISPH; w++) {
        for (size_t i = 0; i < BASE_COUNT(sizes); i++) {
            stage s;
            if (w != PLAIN && sizes[i] > MANY) continue;
            check(&s, worlds[w], sizes[i]);
            free_lists(&s.lists);
        }
    }
}

/* ---- start and end of frames ---------------------------------------------------------------- */

static void an_adaptive_frame_takes_the_fewest_substeps_under_the_limit(void **state)
{
    (void)state;
    sim_world *world = worlds[PLAIN];
    struct sim_params params = world->params;
    world->params.gravity = (vec4){0};
    world->params.adaptive = 1;
    world->params.substeps = 12;
    for (int i = 0; i < 108; i++) {
        struct sim_status status = {0};
        float speed = 0.37f * (float)(i / 2), slow = 0.1f * speed;
        memcpy(&status.max_speed_bits, i % 2 ? &slow : &speed, 4);
        world->params.emitted_speed = i % 2 ? speed : slow;
        begin_frame(world, FRAME_S);
        upload(world, world->buffers.status, &status, sizeof status);
        run_begin_pass(world);
        OK(gpu_buffer_download(world->device, world->buffers.status, 0, &status, sizeof status));
        uint32_t expected = 12;
        for (uint32_t n = 12; n > 0; n--)
            if (12 % n == 0 && speed * (float)FRAME_S / (float)n <= params.cfl * params.spacing)
                expected = n;
        assert_int_equal(status.substeps, expected);
        assert_near("dt", (double)status.dt, FRAME_S / expected, 1e-8);
    }
    world->params = params;
}

static void check_substep_begin(stage *s, sim_world *world, uint32_t count)
{
    struct grid_state state;
    enter(s, world, count, "substep_begin");
    run_pass(s);
    refresh(s);
    OK(gpu_buffer_download(world->device, grid_state_buffer(world->grid), 0, &state, sizeof state));
    /* 12 sites and a layer every 0.05 / 30 s: three layers fall into the first of four substeps. */
    uint32_t emitted = world == worlds[EVERYTHING] ? 36 : 0;
    assert_int_equal(s->status.running, 1);
    assert_int_equal(s->status.emitted_count, emitted);
    assert_int_equal(s->count, count + emitted);
    assert_int_equal(state.arguments[GRID_ARGS_PARTICLES * 3], (count + emitted + 63) / 64);
    assert_int_equal(state.segment_scan_length, grid_segment_count(world->grid) + 2);
}

static void a_substep_begins_with_its_particles_and_emissions(void **state)
{
    (void)state;
    at_every_size(check_substep_begin);
}

static void emitted_particles_stand_in_layers_behind_the_opening(void **state)
{
    (void)state;
    stage s;
    sim_world *world = worlds[EVERYTHING];
    enter(&s, world, 100, "emit_particles");
    run_pass(&s);
    vec4 *x = download_metres(world, world->buffers.positions, s.count);
    vec4 *v = stream(&s, world->buffers.velocities);
    uint32_t *ids = download(world, world->buffers.ids, s.count, 4);
    assert_int_equal(s.count, 136);
    for (uint32_t k = 0; k < 36; k++) {
        uint32_t site = k % 12, layer = k / 12;
        /* 4 columns across (z = up x direction is -z) and 3 rows up, d apart, centred. */
        vec3 expected = {0.6f - 0.05f * (float)layer, 0.3f + 0.05f * ((float)(site / 4) - 1.0f),
                         -0.05f * ((float)(site % 4) - 1.5f)};
        assert_vec3_near("place", k, x[100 + k], expected, 1e-6f);
        assert_vec3_near("velocity", k, v[100 + k], vec3_make(30, 0, 0), 1e-5f);
        assert_true(x[100 + k].w == 1.0f);
        assert_int_equal(ids[100 + k], 100 + k);
    }
    base_free(x);
    base_free(v);
    base_free(ids);
}

static void check_substep_end(stage *s, sim_world *world, uint32_t count)
{
    enter(s, world, count, "substep_end");
    struct sim_status before = s->status;
    run_pass(s);
    refresh(s);
    assert_int_equal(before.count, count);
    assert_int_equal(s->status.count, s->count);
    assert_int_equal(s->status.substep, 1);
    assert_int_equal(s->status.total_substeps, 1);
    assert_int_equal(s->status.total_escaped, before.escaped);
    assert_int_equal(s->status.total_removed_by_sinks, before.removed_by_sinks);
    assert_int_equal(s->status.total_capped_speeds, before.clamped_speeds);
    assert_int_equal(s->status.total_capped_corrections, before.clamped_corrections);
    assert_int_equal(s->status.total_emitted, before.emitted_count);
    assert_int_equal(count + before.emitted_count,
                     s->count + before.escaped + before.removed_by_sinks);
}

static void a_substep_ends_with_all_particles_accounted_for(void **state)
{
    (void)state;
    at_every_size(check_substep_end);
}

/* ---- prediction and order ------------------------------------------------------------------- */

/* Reports whether rounding decides if a particle is past a limit. */
static bool on_an_edge(const stage *s, vec3 p)
{
    float margin = 1e-5f;
    bool edge = fabsf(p.y - s->world->scene->domain.max.y) < margin;
    for (uint32_t i = s->params.sink_first; i < s->params.item_count; i++) {
        vec3 d = vec3_sub(vec3_sub(p, xyz(s->balls[i].pose.position)), s->balls[i].centre);
        edge |= fabsf(vec3_length(d) - s->balls[i].radius) < margin;
    }
    return edge;
}

static void check_predict(stage *s, sim_world *world, uint32_t count)
{
    ref_lost lost = {0};
    enter(s, world, count, "predict_positions");
    ivec4 *x = fixed(s, world->buffers.positions);
    vec4 *v = stream(s, world->buffers.velocities);
    if (count > 10) {
        v[10].y = NAN;
        upload(world, world->buffers.velocities, v, s->count * sizeof *v);
    }
    if (count > 11) {
        x[11] = (ivec4){SIM_INVALID_POSITION, SIM_INVALID_POSITION, SIM_INVALID_POSITION, x[11].w};
        upload(world, world->buffers.positions, x, s->count * sizeof *x);
    }
    run_pass(s);
    refresh(s);
    ivec4 *b = fixed(s, world->buffers.predicted_positions);
    for (uint32_t i = 0; i < s->count; i++) {
        vec4 expected = ref_predict(&s->pbf, x[i], v[i], &lost);
        assert_vec3_near("prediction", i, metres(s, b[i]), xyz(expected),
                         POSITION_TOLERANCE * s->params.spacing);
        if (!on_an_edge(s, xyz(expected)))
            assert_near("inverse mass", (double)ref_float(b[i].w), (double)expected.w, 1e-6);
    }
    assert_int_equal(s->status.non_finite, lost.non_finite);
    assert_int_equal(s->status.non_finite, count > 10 ? 2 : 0);
    assert_near("escaped", s->status.escaped, lost.escaped, 1);
    assert_near("sunk", s->status.removed_by_sinks, lost.sunk, 1);
    assert_near("speed caps", s->status.clamped_speeds, lost.clamped_speeds, 1);
    if (world == worlds[EVERYTHING] && count == MANY)
        assert_true(lost.clamped_speeds > 10 && lost.sunk > 3 && lost.escaped > 3);
    base_free(x);
    base_free(v);
    base_free(b);
}

static void predictions_fall_collide_and_drop_who_is_lost(void **state)
{
    (void)state;
    at_every_size(check_predict);
}

static void check_reorder(stage *s, sim_world *world, uint32_t count)
{
    enter(s, world, count, "reorder_particles");
    uint32_t all = s->status.count + s->status.emitted_count;
    uint32_t *sources = download(world, grid_sort_sources(world->grid), all, 4);
    uint32_t *ids = download(world, world->buffers.ids, all, 4);
    vec4 *b = download(world, world->buffers.predicted_positions, all, sizeof *b);
    vec4 *x = download(world, world->buffers.positions, all, sizeof *x);
    run_pass(s);
    vec4 *a = stream(s, world->buffers.iterated_positions),
         *start = stream(s, world->buffers.sorted_positions);
    uint32_t *sorted_ids = download(world, world->buffers.sorted_ids, s->count, 4);
    for (uint32_t i = 0; i < s->count; i++) {
        assert_memory_equal(&a[i], &b[sources[i]], sizeof *a);
        assert_memory_equal(&start[i], &x[sources[i]], sizeof *start);
        assert_int_equal(sorted_ids[i], ids[sources[i]]);
    }
    void *all_arrays[] = {sources, ids, b, x, a, start, sorted_ids};
    for (size_t i = 0; i < BASE_COUNT(all_arrays); i++)
        base_free(all_arrays[i]);
}

static void reordering_moves_every_particle_whole(void **state)
{
    (void)state;
    at_every_size(check_reorder);
}

/* ---- solver --------------------------------------------------------------------------------- */

static void check_lambda(stage *s, sim_world *world, uint32_t count)
{
    uint32_t active = 0, marked = 0, at = 0;
    enter(s, world, count, "lambda");
    ivec4 *a = fixed(s, world->buffers.iterated_positions);
    run_pass(s);
    ivec4 *b = fixed(s, world->buffers.multipliers);
    uint32_t *headers = download(world, grid_list_headers(world->grid), s->count, 4);
    for (uint32_t i = 0; i < s->count; i++) {
        ref_multiplier m = ref_lambda(&s->pbf, a, i);
        float lambda = ref_float(b[i].w);
        assert_memory_equal(&b[i], &a[i], 12);
        assert_near("lambda", (double)(lambda * m.denominator), (double)(m.lambda * m.denominator),
                    (double)(CONSTRAINT_TOLERANCE * (1.0f + fabsf(m.lambda * m.denominator))));
        float wall = ref_wall_distance(&s->pbf, xyz(metres(s, a[i]))) * 1.0001f;
        float solid = ref_solid_distance(&s->pbf, xyz(metres(s, a[i]))) * 1.0001f;
        assert_true((headers[i] & SIM_NEAR_BOUNDARY) || wall > s->params.boundary_reach);
        assert_true((headers[i] & SIM_SOLID_ACTIVE) || solid > s->params.h);
        at += (headers[i] & SIM_SOLID_ACTIVE) != 0;
        marked += (headers[i] & SIM_NEAR_BOUNDARY) != 0;
        assert_int_equal(headers[i] & GRID_COUNT_MASK, s->lists.headers[i] & GRID_COUNT_MASK);
        active += m.lambda < 0.0f;
    }
    assert_true(count < MANY || (active > s->count / 4 && active < s->count));
    assert_true(count < MANY || (marked < s->count && (at > 0) == (s->params.solid_count > 0)));
    base_free(a);
    base_free(b);
    base_free(headers);
}

static void lambda_is_that_of_equations_8_and_11(void **state)
{
    (void)state;
    at_every_size(check_lambda);
}

static void check_correct_at(stage *s, uint32_t inner)
{
    sim_world *world = s->world;
    uint32_t sure = 0, maybe = 0;
    ivec4 *b = fixed(s, world->buffers.multipliers),
          *a = fixed(s, world->buffers.iterated_positions);
    ivec4 *start = fixed(s, world->buffers.sorted_positions);
    ivec4 *last = download(world, world->buffers.previous_iterates,
                           s->params.chebyshev > 0 ? s->count : 0, 16);
    const uint32_t caps_before = s->status.clamped_corrections;
    gpu_pass pass = world->passes[s->pass];
    pass.group = NULL;
    if (inner == 0) {
        OK(gpu_run_passes(world->device, &pass, 1));
    } else { /* the second repetition of a group of one pass; the first leaves the same b */
        pass.group = "turns";
        pass.repeat = 2;
        OK(gpu_run_passes(world->device, &pass, 1));
        base_free(last);
        last = download(world, world->buffers.previous_iterates,
                        s->params.chebyshev > 0 ? s->count : 0, 16);
    }
    run_collisions(s);
    ivec4 *moved = fixed(s, world->buffers.iterated_positions);
    for (uint32_t i = 0; i < s->count; i++) {
        const ref_iterate at = {b, last, inner, xyz(metres(s, start[i])), ref_float(a[i].w)};
        ref_correction c = ref_correct(&s->pbf, &at, i);
        assert_vec3_near("corrected position", i, metres(s, moved[i]), c.p,
                         POSITION_TOLERANCE * s->params.spacing);
        assert_true(moved[i].w == a[i].w);
        sure += c.size > s->params.max_correction * 1.0001f;
        maybe += c.size > s->params.max_correction * 0.9999f;
    }
    uint32_t caps = s->status.clamped_corrections - caps_before;
    if (inner == 0) assert_true(caps >= sure && caps <= maybe);
    void *arrays[] = {b, a, start, last, moved};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
}

static void check_correct(stage *s, sim_world *world, uint32_t count)
{
    enter(s, world, count, "position_correction");
    check_correct_at(s, 0);
}

static void corrections_are_those_of_equation_14_out_of_the_walls(void **state)
{
    (void)state;
    at_every_size(check_correct);
}

/* With b unchanged, p is both the current and the previous iterate, as after a first repetition
 * that moved nothing: the second correction is the first one times w(2) = 2 / (2 - rho^2). */
static void the_second_iteration_is_accelerated_by_chebyshevs_weight(void **state)
{
    (void)state;
    stage s;
    enter(&s, worlds[EVERYTHING], MANY, "position_correction");
    check_correct_at(&s, 1);
    free_lists(&s.lists);
}

/* ---- PCISPH --------------------------------------------------------------------------------- */

static void check_pressure(stage *s, uint32_t inner)
{
    sim_world *world = s->world;
    gpu_pass pass = world->passes[step_pass(world, "pcisph_pressure")];
    uint32_t pressed = 0, *errors;
    double over = 0.0, most = 0.0;
    ivec4 *a = fixed(s, world->buffers.iterated_positions),
          *start = fixed(s, world->buffers.sorted_positions);
    pass.group = "turns";
    pass.repeat = inner + 1;
    OK(gpu_run_passes(world->device, &pass, 1));
    ivec4 *b = fixed(s, world->buffers.start_pressures),
          *last = fixed(s, world->buffers.sorted_predicted_positions);
    for (uint32_t i = 0; i < s->count; i++) {
        float expected = 0.0f;
        for (uint32_t k = 0; k <= inner; k++)
            expected = ref_pressure(&s->pbf, a, expected, i);
        float pressure = ref_float(b[i].w), weight = ref_float(a[i].w);
        assert_memory_equal(&b[i], &start[i], 12);
        assert_near("pressure", (double)pressure, (double)expected,
                    (double)(CONSTRAINT_TOLERANCE * s->params.pcisph_pressure_factor *
                             (float)(inner + 1) / weight));
        assert_memory_equal(&last[i], &a[i], sizeof *a);
        pressed += pressure < 0.0f;
        double error = (double)ref_density(&s->pbf, a, i) - 1.0;
        over += fmin(fmax(error, 0.0), 1.0);
        most = fmax(most, error);
    }
    /* Of the last iteration, as residuals: the sum in integer units, the maximum as float bits. */
    errors = download(world, world->buffers.density_errors, 2u * SIM_MAX_ITERATIONS, 4);
    float largest;
    memcpy(&largest, &errors[SIM_DENSITY_ERRORS_MAX + inner], 4);
    double unit = SIM_DENSITY_ERROR_UNITS / (s->count ? s->count : 1u);
    assert_near("summed error", errors[inner] / unit, over, 1e-5 * (1.0 + s->count));
    assert_near("largest error", (double)largest, most, (double)CONSTRAINT_TOLERANCE * 2.0);
    assert_true(s->count < MANY || (pressed > s->count / 4 && pressed < s->count));
    void *arrays[] = {a, start, b, last, errors};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
}

static void pcisph_pressures_add_up_and_never_pull(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {0, 1, 63, 64, 65, MANY};
    for (size_t i = 0; i < BASE_COUNT(sizes); i++) {
        stage s;
        enter(&s, worlds[PCISPH], sizes[i], "pcisph_pressure");
        check_pressure(&s, 0);
        if (sizes[i] == MANY) check_pressure(&s, 1);
        free_lists(&s.lists);
    }
}

static void pcisph_pushes_with_the_gradients_at_the_start(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {0, 1, 63, 64, 65, MANY};
    sim_world *world = worlds[PCISPH];
    for (size_t k = 0; k < BASE_COUNT(sizes); k++) {
        stage s;
        enter(&s, world, sizes[k], "pcisph_correct");
        ivec4 *b = fixed(&s, world->buffers.start_pressures),
              *last = fixed(&s, world->buffers.sorted_predicted_positions);
        run_pass_and_collisions(&s);
        ivec4 *a = fixed(&s, world->buffers.iterated_positions);
        for (uint32_t i = 0; i < s.count; i++) {
            assert_vec3_near("push", i, metres(&s, a[i]), ref_push(&s.pbf, b, last[i], i),
                             POSITION_TOLERANCE * s.params.spacing);
            assert_true(a[i].w == last[i].w);
        }
        void *arrays[] = {a, b, last};
        for (size_t i = 0; i < BASE_COUNT(arrays); i++)
            base_free(arrays[i]);
        free_lists(&s.lists);
    }
}

static void check_density(stage *s, sim_world *world, uint32_t count)
{
    enter(s, world, count, "update_velocity");
    uint32_t pass = row_of(world->end_passes, world->end_pass_count, "compute_density");
    ivec4 *a = fixed(s, world->buffers.iterated_positions),
          *start = fixed(s, world->buffers.sorted_positions);
    upload(world, world->buffers.positions, start, s->count * sizeof *start);
    OK(gpu_run_passes(world->device, &world->end_passes[pass], 1));
    float *densities = download(world, world->buffers.densities, s->count, 4);
    for (uint32_t i = 0; i < s->count; i++) {
        double rest = (double)s->params.fluids[start[i].w].density;
        assert_near("density", (double)densities[i] / rest, (double)ref_density(&s->pbf, a, i),
                    (double)CONSTRAINT_TOLERANCE);
    }
    base_free(a);
    base_free(start);
    base_free(densities);
}

static void density_is_that_of_equation_2_with_the_walls_share(void **state)
{
    (void)state;
    at_every_size(check_density);
}

/* ---- velocity ------------------------------------------------------------------------------- */

/* Returns the predicted velocity plus the solver's displacement over the substep. */
static vec3 expected_velocity(const stage *s, vec3 before, ivec4 from, ivec4 to)
{
    vec3 start = xyz(metres(s, from));
    float unit = s->params.origin.w;
    vec3 moved = {(float)(to.x - from.x) * unit, (float)(to.y - from.y) * unit,
                  (float)(to.z - from.z) * unit};
    const struct sim_params *p = &s->params;
    float dt = s->status.dt, limit = p->speed_cap * p->spacing;
    vec3 v = ref_pushed(p, start, before, dt);
    float way = vec3_length(v) * dt;
    if (way > limit) v = vec3_scale(v, limit / way);
    return vec3_add(v, vec3_scale(vec3_sub(moved, vec3_scale(v, dt)), 1.0f / dt));
}

static void check_velocity(stage *s, sim_world *world, uint32_t count)
{
    enter(s, world, count, "update_velocity");
    ivec4 *a = fixed(s, world->buffers.iterated_positions),
          *start = fixed(s, world->buffers.sorted_positions);
    uint32_t *from = download(world, grid_sort_sources(world->grid), s->count, 4);
    vec4 *before =
        download(world, world->buffers.velocities, gpu_buffer_count(world->buffers.velocities), 16);
    run_pass(s);
    vec4 *v = stream(s, world->buffers.new_velocities);
    for (uint32_t i = 0; i < s->count; i++) {
        vec3 expected = expected_velocity(s, xyz(before[from[i]]), start[i], a[i]);
        float rounding = 2.0f * s->params.origin.w / s->status.dt;
        assert_vec3_near("velocity", i, v[i], expected,
                         rounding + 1e-6f * (1.0f + vec3_length(expected)));
        assert_true(v[i].w == s->params.fluids[start[i].w].xsph);
    }
    void *arrays[] = {a, start, from, before, v};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
}

static void velocity_is_the_predicted_one_and_what_the_solver_moved(void **state)
{
    (void)state;
    at_every_size(check_velocity);
}

static void check_vorticity(stage *s, sim_world *world, uint32_t count)
{
    enter(s, world, count, "vorticity_xsph");
    ivec4 *a = fixed(s, world->buffers.iterated_positions);
    vec4 *v = stream(s, world->buffers.new_velocities);
    run_pass(s);
    vec4 *b = stream(s, world->buffers.vorticities),
         *x = stream(s, world->buffers.velocity_changes);
    float tolerance = VELOCITY_TOLERANCE * s->params.spacing / s->status.dt;
    for (uint32_t i = 0; i < s->count; i++) {
        ref_flow flow = ref_vorticity(&s->pbf, a, v, i);
        assert_vec3_near("curl", i, b[i], xyz(flow.curl), tolerance * 10.0f / s->params.h);
        assert_near("size of the curl", (double)b[i].w, (double)flow.curl.w,
                    (double)(tolerance * 10.0f / s->params.h));
        assert_vec3_near("XSPH change", i, x[i], xyz(flow.change), tolerance);
    }
    void *arrays[] = {a, v, b, x};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
}

static void curl_and_xsph_are_those_of_equations_15_and_17(void **state)
{
    (void)state;
    at_every_size(check_vorticity);
}

static void check_normal(stage *s, sim_world *world, uint32_t count)
{
    enter(s, world, count, "surface_normal");
    ivec4 *a = fixed(s, world->buffers.iterated_positions);
    run_pass(s);
    vec4 *normals = stream(s, world->buffers.normals);
    for (uint32_t i = 0; i < s->count; i++) {
        vec4 expected = ref_normal(&s->pbf, a, i);
        assert_vec3_near("normal", i, normals[i], xyz(expected), 1e-5f);
        assert_near("density", (double)normals[i].w, (double)expected.w,
                    (double)CONSTRAINT_TOLERANCE);
    }
    base_free(a);
    base_free(normals);
}

static void normals_are_the_gradient_of_the_colour_field(void **state)
{
    (void)state;
    at_every_size(check_normal);
}

/* The term of the normals is not weighted by distance, so rounding decides whether it counts at the
 * radius. */
static bool has_neighbour_at_the_radius(const stage *s, const ivec4 *a, uint32_t i)
{
    bool found = false;
    const vec4 *period = &s->params.period;
    for (uint32_t k = s->lists.first[i]; k < s->lists.first[i + 1]; k++) {
        vec3 d = vec3_sub(xyz(metres(s, a[i])), xyz(metres(s, a[s->lists.items[k]])));
        if (period->x > 0.0f) d.x -= period->x * rintf(d.x / period->x);
        found |= fabsf(vec3_length(d) / s->params.h - 1.0f) < 2e-6f;
    }
    return found;
}

static void check_tension(stage *s, sim_world *world, uint32_t count)
{
    double momentum[3] = {0}, size = 0.0;
    enter(s, world, count, "surface_tension");
    ivec4 *a = fixed(s, world->buffers.iterated_positions),
          *start = fixed(s, world->buffers.sorted_positions);
    vec4 *normals = stream(s, world->buffers.normals),
         *before = stream(s, world->buffers.velocity_changes);
    run_pass(s);
    vec4 *v = stream(s, world->buffers.velocity_changes);
    for (uint32_t i = 0; i < s->count; i++) {
        vec3 change = vec3_sub(xyz(v[i]), xyz(before[i]));
        vec3 expected = ref_tension(&s->pbf, a, normals, start, i);
        vec4 got = {change.x, change.y, change.z, 0};
        if (!has_neighbour_at_the_radius(s, a, i))
            assert_vec3_near("tension", i, got, expected,
                             1e-5f * vec3_length(expected) +
                                 VELOCITY_TOLERANCE * s->params.spacing / s->status.dt);
        double mass = (double)s->params.fluids[start[i].w].mass;
        momentum[0] += mass * (double)expected.x;
        momentum[1] += mass * (double)expected.y;
        momentum[2] += mass * (double)expected.z;
        size += mass * (double)vec3_length(expected);
    }
    for (int axis = 0; axis < 3; axis++)
        assert_true(fabs(momentum[axis]) <= 1e-5 * size);
    assert_true(count < MANY || size > 0.0);
    void *arrays[] = {a, normals, start, before, v};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
}

static void surface_tension_pulls_pairs_alike(void **state)
{
    (void)state;
    at_every_size(check_tension);
}

static vec3 confined(const stage *s, const ivec4 *a, const vec4 *b, uint32_t i)
{
    ref_growth growth = ref_curl_growth(&s->pbf, a, b, i);
    float size = vec3_length(growth.sum);
    if (size <= 0.0f) return vec3_make(0, 0, 0);
    vec3 force = vec3_cross(vec3_scale(growth.sum, 1.0f / size), xyz(b[i]));
    return vec3_scale(force, s->params.vorticity_confinement * s->status.dt);
}

static int32_t wrapped(int32_t x, int32_t low, int32_t period)
{
    while (period > 0 && x < low)
        x += period;
    while (period > 0 && x >= low + period)
        x -= period;
    return x;
}

static void check_commit(stage *s, sim_world *world, uint32_t count)
{
    enter(s, world, count, "finalize_velocity");
    const sim_buffers *buffers = &world->buffers;
    ivec4 *a = fixed(s, buffers->iterated_positions), *start = fixed(s, buffers->sorted_positions);
    vec4 *b = stream(s, buffers->vorticities), *v = stream(s, buffers->new_velocities);
    vec4 *change = stream(s, buffers->velocity_changes);
    const ivec4 *low = &s->params.fixed_min, *period = &s->params.fixed_period;
    uint32_t *sorted_ids = download(world, buffers->sorted_ids, s->count, 4);
    run_pass(s);
    ivec4 *x = fixed(s, buffers->positions);
    vec4 *velocity = stream(s, buffers->velocities);
    uint32_t *ids = download(world, buffers->ids, s->count, 4);
    for (uint32_t i = 0; i < s->count; i++) {
        ivec4 p = {wrapped(a[i].x, low->x, period->x), a[i].y, a[i].z, start[i].w};
        ref_growth growth = ref_curl_growth(&s->pbf, a, b, i);
        bool sure = vec3_length(growth.sum) > 1e-3f * growth.size;
        vec3 expected = vec3_add(xyz(v[i]), xyz(change[i]));
        if (s->params.vorticity_confinement > 0.0f)
            expected = vec3_add(expected, confined(s, a, b, i));
        assert_memory_equal(&x[i], &p, sizeof p);
        if (sure || s->params.vorticity_confinement <= 0.0f)
            assert_vec3_near("velocity", i, velocity[i], expected,
                             VELOCITY_TOLERANCE * s->params.spacing / s->status.dt);
        assert_int_equal(ids[i], sorted_ids[i]);
    }
    void *arrays[] = {a, b, v, change, start, sorted_ids, x, velocity, ids};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
}

static void the_state_is_committed_with_confinement_and_xsph(void **state)
{
    (void)state;
    at_every_size(check_commit);
}

/* ---- statistics ----------------------------------------------------------------------------- */

static void check_statistics(stage *s, sim_world *world, uint32_t count)
{
    struct sim_statistics sums;
    struct sim_status status;
    uint32_t max_speed_bits;
    enter(s, world, count, "substep_end");
    run_pass(s);
    /* The frame ends after this substep. */
    const uint32_t substeps = s->status.substep + 1;
    OK(gpu_buffer_upload(world->device, world->buffers.status,
                         offsetof(struct sim_status, substeps), &substeps, sizeof substeps));
    OK(gpu_run_passes(world->device, world->end_passes, world->end_pass_count));
    refresh(s);
    ivec4 *x = fixed(s, world->buffers.positions);
    vec4 *v = stream(s, world->buffers.velocities);
    float *density = download(world, world->buffers.densities, s->count, 4);
    ref_sums expected = ref_statistics(&s->pbf, (ref_state){x, v, density});
    OK(gpu_buffer_download(world->device, world->buffers.statistics, 0, &sums, sizeof sums));
    OK(gpu_buffer_download(world->device, world->buffers.status, 0, &status, sizeof status));
    compare_sums(&sums, &expected);
    memcpy(&max_speed_bits, &sums.speed_max, 4);
    assert_int_equal(status.max_speed_bits, max_speed_bits);
    base_free(x);
    base_free(v);
    base_free(density);
}

static void the_statistics_are_the_sums_over_all_particles(void **state)
{
    (void)state;
    at_every_size(check_statistics);
}

static void check_points(stage *s, sim_world *world, uint32_t count)
{
    enter(s, world, count, "substep_end");
    run_pass(s);
    uint32_t all = world->last_result.status.count;
    particle_view points = {0};
    world->last_result.status.count = s->count;
    OK(sim_copy_points(world, &points));
    world->last_result.status.count = all;
    assert_int_equal(points.count, s->count);
    vec4 *x = download_metres(world, world->buffers.positions, s->count);
    vec4 *v = stream(s, world->buffers.velocities);
    vec4 *position = stream(s, points.position), *velocity = stream(s, points.velocity);
    uint32_t *ids = download(world, world->buffers.ids, s->count, 4);
    uint32_t *id = download(world, points.id, s->count, 4);
    uint32_t *fluid = download(world, points.fluid, s->count, 4);
    for (uint32_t i = 0; i < s->count; i++) {
        assert_memory_equal(&position[i], &x[i], 12);
        assert_memory_equal(&velocity[i], &v[i], 12);
        assert_true(position[i].w == 1.0f && velocity[i].w == 0.0f);
        assert_int_equal(id[i], ids[i]);
        assert_int_equal(fluid[i], (uint32_t)x[i].w);
    }
    particle_view_destroy(world->device, &points);
    void *arrays[] = {x, v, position, velocity, ids, id, fluid};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
}

static void points_are_copies_of_the_particles(void **state)
{
    (void)state;
    at_every_size(check_points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_adaptive_frame_takes_the_fewest_substeps_under_the_limit),
        cmocka_unit_test(a_substep_begins_with_its_particles_and_emissions),
        cmocka_unit_test(emitted_particles_stand_in_layers_behind_the_opening),
        cmocka_unit_test(a_substep_ends_with_all_particles_accounted_for),
        cmocka_unit_test(predictions_fall_collide_and_drop_who_is_lost),
        cmocka_unit_test(reordering_moves_every_particle_whole),
        cmocka_unit_test(lambda_is_that_of_equations_8_and_11),
        cmocka_unit_test(corrections_are_those_of_equation_14_out_of_the_walls),
        cmocka_unit_test(the_second_iteration_is_accelerated_by_chebyshevs_weight),
        cmocka_unit_test(pcisph_pressures_add_up_and_never_pull),
        cmocka_unit_test(pcisph_pushes_with_the_gradients_at_the_start),
        cmocka_unit_test(density_is_that_of_equation_2_with_the_walls_share),
        cmocka_unit_test(velocity_is_the_predicted_one_and_what_the_solver_moved),
        cmocka_unit_test(curl_and_xsph_are_those_of_equations_15_and_17),
        cmocka_unit_test(normals_are_the_gradient_of_the_colour_field),
        cmocka_unit_test(surface_tension_pulls_pairs_alike),
        cmocka_unit_test(the_state_is_committed_with_confinement_and_xsph),
        cmocka_unit_test(the_statistics_are_the_sums_over_all_particles),
        cmocka_unit_test(points_are_copies_of_the_particles),
    };
    return cmocka_run_group_tests(tests, open_worlds, close_worlds);
}
