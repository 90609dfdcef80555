/* Tests the shaders after the iterations of a substep against their reference in tests/ref:
 * velocities, surface tension, confinement, statistics and the points that others read. */
#include "sim_worlds.h"

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
    vec3 v = ref_predicted_velocity(p, start, before, dt);
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
        const vec4 *v0 = &before[from[i]];
        if (v0->w > 0.0f) { /* led by an emitter */
            assert_memory_equal(&v[i], ((vec4[]){{v0->x, v0->y, v0->z, -v0->w}}), sizeof *v);
            continue;
        }
        vec3 expected = expected_velocity(s, xyz(*v0), start[i], a[i]);
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
    vec4 *normals = stream(s, world->buffers.normals);
    run_pass(s);
    vec4 *moved = stream(s, world->buffers.tension_displacements);
    for (uint32_t i = 0; i < s->count; i++) {
        vec3 change = vec3_scale(xyz(moved[i]), 1.0f / s->status.dt);
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
    void *arrays[] = {a, normals, start, moved};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
}

static void check_tension_moves(stage *s, sim_world *world, uint32_t count)
{
    enter(s, world, count, "apply_surface_tension");
    ivec4 *before = fixed(s, world->buffers.iterated_positions);
    vec4 *moved = stream(s, world->buffers.tension_displacements);
    run_pass(s);
    ivec4 *after = fixed(s, world->buffers.iterated_positions);
    double unit = (double)s->params.origin.w;
    for (uint32_t i = 0; i < s->count; i++) {
        float inverse_mass;
        memcpy(&inverse_mass, &before[i].w, sizeof inverse_mass);
        if (inverse_mass <= 0.0f) moved[i] = (vec4){0}; /* led by an emitter */
        const float steps[3] = {moved[i].x, moved[i].y, moved[i].z};
        const int32_t from[3] = {before[i].x, before[i].y, before[i].z},
                      to[3] = {after[i].x, after[i].y, after[i].z};
        for (int axis = 0; axis < 3; axis++) {
            double wanted = (double)steps[axis] / unit, moves = (double)to[axis] - from[axis];
            assert_true(fabs(moves - wanted) <= 1.0 + 1e-6 * fabs(wanted));
        }
        assert_int_equal(after[i].w, before[i].w);
    }
    void *arrays[] = {before, moved, after};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
}

static void surface_tension_moves_the_prediction(void **state)
{
    at_every_size(check_tension_moves);
}

static void surface_tension_pulls_pairs_alike(void **state)
{
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

/* Returns a position that has moved at a velocity for the substep. */
static ivec4 advanced(const stage *s, ivec4 from, vec4 v)
{
    vec3 steps = vec3_scale(vec3_scale(xyz(v), s->status.dt), s->params.units_per_metre);
    const ivec4 *low = &s->params.fixed_min, *period = &s->params.fixed_period;
    int32_t x = from.x + (int32_t)rintf(steps.x);
    return (ivec4){wrapped(x, low->x, period->x), from.y + (int32_t)rintf(steps.y),
                   from.z + (int32_t)rintf(steps.z), from.w};
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
        bool led = v[i].w < 0.0f;
        if (led) p = advanced(s, start[i], v[i]);
        bool sure = !led && vec3_length(growth.sum) > 1e-3f * growth.size;
        vec3 expected = vec3_add(xyz(v[i]), xyz(change[i]));
        if (s->params.vorticity_confinement > 0.0f)
            expected = vec3_add(expected, confined(s, a, b, i));
        assert_memory_equal(&x[i], &p, sizeof p);
        if (led) assert_memory_equal(&velocity[i], &v[i], 3 * sizeof(float));
        assert_near("time led", (double)velocity[i].w,
                    led ? fmax(-(double)v[i].w - (double)s->status.dt, 0.0) : 0.0, 1e-7);
        if (sure || (!led && s->params.vorticity_confinement <= 0.0f))
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
    at_every_size(check_commit);
}

/* ---- statistics ----------------------------------------------------------------------------- */

#define SUM_TOLERANCE 2e-5 /* relative */

static void assert_sum(const char *what, double got, double expected, double scale)
{
    assert_near(what, got, expected, SUM_TOLERANCE * (fabs(expected) + scale) + 1e-12);
}

static void compare_sums(const struct sim_statistics *got, const ref_sums *e)
{
    double momentum = sqrt(2.0 * e->kinetic * e->mass), moment = 3.0 * e->mass;
    const float *vectors[2] = {&got->momentum.x, &got->moment.x};
    for (int k = 0; k < 3; k++) {
        assert_sum("momentum", (double)vectors[0][k], e->momentum[k], momentum);
        assert_sum("moment", (double)vectors[1][k], e->moment[k], moment);
    }
    assert_sum("kinetic energy", (double)got->momentum.w, e->kinetic, 0);
    assert_sum("mass", (double)got->moment.w, e->mass, 0);
    assert_sum("potential energy", (double)got->potential, e->potential, e->mass);
    /* The errors are differences of numbers near 1, each of which is rounded. */
    assert_sum("error", (double)got->error_sum, e->error_sum, e->count * 1e-3);
    assert_sum("largest error", (double)got->error_max, e->error_max, 1.0);
    assert_sum("fastest", (double)got->speed_max, e->speed_max, 0);
    assert_int_equal(got->neighbours, e->neighbours);
    assert_int_equal(got->neighbours_max, e->neighbours_max);
    assert_int_equal(got->count, e->count);
    assert_int_equal(got->non_finite, 0);
}

/* Runs the passes that sum the particles as they are in the buffers. */
static struct sim_statistics sum_particles(const sim_world *world)
{
    struct sim_statistics sums;
    uint32_t first = 0;
    while (strcmp(gpu_pipeline_name(world->end_passes[first].pipeline), "statistics_partials") != 0)
        first++;
    OK(gpu_run_passes(world->device, world->end_passes + first, world->end_pass_count - first));
    OK(gpu_buffer_download(world->device, world->buffers.statistics, 0, &sums, sizeof sums));
    return sums;
}

static void reverse(const sim_world *world, gpu_buffer *buffer, uint32_t count, size_t size)
{
    uint8_t *there = download(world, buffer, count, size), element[16];
    for (uint32_t i = 0; i < count / 2; i++) {
        uint8_t *a = there + i * size, *b = there + (count - 1 - i) * size;
        memcpy(element, a, size);
        memcpy(a, b, size);
        memcpy(b, element, size);
    }
    upload(world, buffer, there, count * size);
    base_free(there);
}

static void check_sums_without_order(stage *s, sim_world *world, uint32_t count)
{
    enter(s, world, count, NULL);
    end_frame_after_substep(s);
    const sim_buffers *b = &world->buffers;
    struct sim_statistics forwards = sum_particles(world);
    reverse(world, b->positions, s->count, sizeof(ivec4));
    reverse(world, b->velocities, s->count, sizeof(vec4));
    reverse(world, b->densities, s->count, sizeof(float));
    reverse(world, grid_list_headers(world->grid), s->count, sizeof(uint32_t));
    struct sim_statistics backwards = sum_particles(world);
    assert_memory_equal(&backwards, &forwards, sizeof forwards);
}

static void the_order_of_particles_changes_no_bit_of_the_statistics(void **state)
{
    at_every_size(check_sums_without_order);
}

static void check_sums_with_nan(stage *s, sim_world *world, uint32_t count)
{
    enter(s, world, count, NULL);
    end_frame_after_substep(s);
    if (s->count < 2) return;
    struct sim_statistics before = sum_particles(world);
    vec4 *v = stream(s, world->buffers.velocities);
    const float fastest = before.speed_max;
    uint32_t fast = 0;
    for (uint32_t i = 1; i < s->count; i++)
        if (vec3_length(xyz(v[i])) > vec3_length(xyz(v[fast]))) fast = i;
    v[(fast + 1) % s->count].y = NAN;
    upload(world, world->buffers.velocities, v, s->count * sizeof *v);
    struct sim_statistics sums = sum_particles(world);
    assert_int_equal(sums.non_finite, 1);
    assert_int_equal(sums.count, before.count);
    assert_true(sums.speed_max == fastest);
    assert_true(isfinite(sums.momentum.y) && isfinite(sums.momentum.w));
    base_free(v);
}

static void a_speed_that_is_no_number_is_counted_and_left_out(void **state)
{
    at_every_size(check_sums_with_nan);
}

static void check_statistics(stage *s, sim_world *world, uint32_t count)
{
    struct sim_statistics sums;
    struct sim_status status;
    uint32_t max_speed_bits;
    enter(s, world, count, NULL);
    end_frame_after_substep(s);
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
    at_every_size(check_statistics);
}

static void check_points(stage *s, sim_world *world, uint32_t count)
{
    enter(s, world, count, NULL);
    end_frame_after_substep(s);
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
    at_every_size(check_points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocity_is_the_predicted_one_and_what_the_solver_moved),
        cmocka_unit_test(curl_and_xsph_are_those_of_equations_15_and_17),
        cmocka_unit_test(normals_are_the_gradient_of_the_colour_field),
        cmocka_unit_test(surface_tension_pulls_pairs_alike),
        cmocka_unit_test(surface_tension_moves_the_prediction),
        cmocka_unit_test(the_state_is_committed_with_confinement_and_xsph),
        cmocka_unit_test(the_statistics_are_the_sums_over_all_particles),
        cmocka_unit_test(the_order_of_particles_changes_no_bit_of_the_statistics),
        cmocka_unit_test(a_speed_that_is_no_number_is_counted_and_left_out),
        cmocka_unit_test(points_are_copies_of_the_particles),
    };
    return cmocka_run_group_tests(tests, open_sim_worlds, close_sim_worlds);
}
