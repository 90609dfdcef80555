/* Tests the shaders of a substep up to its iterations against their reference in tests/ref, pass by
 * pass. */
#include "sim_worlds.h"

/* ---- start and end of frames ---------------------------------------------------------------- */

static void an_adaptive_frame_takes_the_fewest_substeps_under_the_limit(void **state)
{
    sim_world *world = sim_worlds[PLAIN];
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
    uint32_t emitted = world == sim_worlds[EVERYTHING] ? 36 : 0;
    assert_int_equal(s->status.running, 1);
    assert_int_equal(s->status.emitted_count, emitted);
    assert_int_equal(s->count, count + emitted);
    assert_int_equal(state.arguments[GRID_ARGS_PARTICLES * 3], (count + emitted + 63) / 64);
    assert_int_equal(state.segment_scan_length, grid_segment_count(world->grid) + 2);
}

static void a_substep_begins_with_its_particles_and_emissions(void **state)
{
    at_every_size(check_substep_begin);
}

static void emitted_particles_stand_in_layers_behind_the_opening(void **state)
{
    stage s;
    sim_world *world = sim_worlds[EVERYTHING];
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
    enter(s, world, count, NULL);
    struct sim_status before = s->status;
    assert_int_equal(before.substep, 0);
    end_frame_after_substep(s);
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
    if (world == sim_worlds[EVERYTHING] && count == MANY)
        assert_true(lost.clamped_speeds > 10 && lost.sunk > 3 && lost.escaped > 3);
    base_free(x);
    base_free(v);
    base_free(b);
}

static void predictions_fall_collide_and_drop_who_is_lost(void **state)
{
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
    at_every_size(check_correct);
}

/* With b unchanged, p is both the current and the previous iterate, as after a first repetition
 * that moved nothing: the second correction is the first one times w(2) = 2 / (2 - rho^2). With
 * friction the first repetition would store its factor in place of the walls' gradient. */
static void the_second_iteration_is_accelerated_by_chebyshevs_weight(void **state)
{
    stage s;
    enter(&s, sim_worlds[EVERYTHING], MANY, "position_correction");
    s.params.has_friction = 0;
    upload(s.world, s.world->buffers.params, &s.params, sizeof s.params);
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
    static const uint32_t sizes[] = {0, 1, 63, 64, 65, MANY};
    for (size_t i = 0; i < BASE_COUNT(sizes); i++) {
        stage s;
        enter(&s, sim_worlds[PCISPH], sizes[i], "pcisph_pressure");
        check_pressure(&s, 0);
        if (sizes[i] == MANY) check_pressure(&s, 1);
        free_lists(&s.lists);
    }
}

static void pcisph_pushes_with_the_gradients_at_the_start(void **state)
{
    static const uint32_t sizes[] = {0, 1, 63, 64, 65, MANY};
    sim_world *world = sim_worlds[PCISPH];
    for (size_t k = 0; k < BASE_COUNT(sizes); k++) {
        stage s;
        enter(&s, world, sizes[k], "pcisph_position_correction");
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
    at_every_size(check_density);
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
    };
    return cmocka_run_group_tests(tests, open_sim_worlds, close_sim_worlds);
}
