/* Conservation in FLIP and APIC: rest, motion, momentum, volume, and the state across a restart.
   Runs without validation, under which a substep's many passes take long; test_flip.c runs one
   with it. */
#include "device_support.h"
#include "flip_support.h"
#include "scene_text.h"

#define G 9.81

/* ---- rest ----------------------------------------------------------------------------------- */

static const char tank[] =
    "{'spacing': 0.015625, 'domain': {'min': [0, 0, 0], 'max': [1, 1, 0.1]}, 'frame_rate': 25,"
    " 'solver': {'dimensions': 2, 'method': 'flip'}, 'fluids': [{'name': 'water', 'fill': {'shape':"
    " {'box': {'min': [0, 0, 0], 'max': [1, 0.5, 1]}}, 'jitter': 0}}]}";

/* Cells of a tank at rest have hydrostatic pressure: the surface lies within a cell of the top
   of the lattice. */
static void a_slice_shows_pressure_and_speed(void **state)
{
    weir_slice *slice = NULL;
    uint64_t before, after;
    scene_data *scene = make_scene(tank, NULL);
    sim_world *world = make_sim(device, scene);
    run_frames(world, 3);
    OK(sim_hash(world, &before));
    OK(sim_slice(world, WEIR_SLICE_PRESSURE, 2, 0.05f, &slice));
    assert_int_equal(slice->columns, 32);
    assert_int_equal(slice->rows, 32);
    for (uint32_t i = 0; i < 32 * 32; i++) {
        double depth = 0.5 - (i / 32 + 0.5) * 0.03125, cell = 1000 * G * 0.03125;
        double value = (double)slice->values[i];
        if (depth < -0.03125) assert_true(slice->values[i] == WEIR_NO_VALUE);
        if (depth > 0.0) assert_true(fabs(value - 1000 * G * depth) < 0.75 * cell);
    }
    sim_slice_free(&slice);
    OK(sim_slice(world, WEIR_SLICE_SPEED, 0, 0.5f, &slice));
    assert_int_equal(slice->columns, 32);
    assert_int_equal(slice->rows, 1);
    assert_true(slice->max_value < 1e-3f && slice->values[0] >= 0.0f);
    sim_slice_free(&slice);
    OK(sim_hash(world, &after));
    assert_true(after == before);
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* In a tank 32 cells wide and 16 deep particles reach 17 layers of cells. The level set of
   closed cells is omitted. */
static void rows_show_particles_or_cells(void **state)
{
    static const char *const particles[] = {"flip_reorder_particles", "flip_g2p_advect",
                                            "flip_project_and_write_state"};
    static const char *const cells[] = {"flip_p2g",
                                        "flip_level_set",
                                        "flip_divergence",
                                        "cg_update",
                                        "pressure_gradient",
                                        "flip_subtract_gradient",
                                        "flip_density_correction_rhs"};
    scene_data *scene = make_scene(tank, NULL);
    sim_world *world = make_sim(device, scene);
    sim_inspection seen;
    run_frames(world, 1);
    for (size_t i = 0; i < BASE_COUNT(particles); i++) {
        OK(sim_inspect(world, step_pass(world, particles[i]), &seen));
        assert_non_null(seen.shown);
        assert_int_equal(seen.count, 2048);
        sim_inspection_free(&seen);
    }
    for (size_t i = 0; i < BASE_COUNT(cells); i++) {
        OK(sim_inspect(world, step_pass(world, cells[i]), &seen));
        assert_non_null(seen.shown);
        assert_int_equal(seen.count, 32 * 17);
        assert_true(seen.low >= -17.0f && seen.high <= 17.0f && seen.spacing_m == 0.03125f);
        if (i == 1) assert_true(seen.low < -0.9f && seen.high >= 0.0f);
        sim_inspection_free(&seen);
    }
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* ---- the transfers -------------------------------------------------------------------------- */

static const char empty[] =
    "{'spacing': 0.05, 'gravity': [0, 0, 0], 'domain': {'min': [-3, -1, -1], 'max': [1, 1, 1],"
    " 'sides': {'x': 'open', 'y': 'open', 'z': 'open'}}, 'solver': {'method': 'apic', 'substeps': "
    "1},"
    " 'fluids': [{'name': 'water', 'fill': {'shape': {'sphere': {'radius': 0.41}}, 'jitter': "
    "0.5}}]}";

/* Transfers from particles to grid and back, with no step between. `after` receives the
   resulting velocities of the particles, at unchanged positions. */
static void transfer(stage *s, sim_world *world, ref_mover *after)
{
    size_t cells;
    enter_gather(s, world, 1e-3);
    cells = sparse_count(s);
    vec4 *none = base_alloc(cells + 1, sizeof *none);
    assert_non_null(none);
    run_named(s, "flip_p2g");
    run_named(s, "flip_level_set");
    upload(world, world->buffers.face_velocity_changes, none, cells * sizeof *none);
    upload(world, world->buffers.pressure_gradients, none, cells * sizeof *none);
    run_named(s, "flip_momentum_residual");
    run_named(s, "flip_momentum_redistribute");
    run_named(s, "flip_pack_faces");
    run_named(s, "flip_g2p_advect");
    vec4 *v = download(world, world->buffers.sorted_velocities, s->flip.count, sizeof *v);
    vec4 *c = download(world, world->buffers.velocity_gradients, 3ull * s->flip.count, sizeof *c);
    for (uint32_t i = 0; i < s->flip.count; i++) {
        after[i] = s->movers[i];
        for (int axis = 0; axis < 3; axis++) {
            after[i].v[axis] = (double)ref_axis_component(v[i], axis);
            for (int k = 0; k < 3; k++)
                after[i].c[axis][k] = (double)ref_axis_component(c[3 * i + (uint32_t)axis], k);
        }
    }
    base_free(none);
    base_free(v);
    base_free(c);
}

/* Momentum and angular momentum of the grid after P2G, per particle mass. */
typedef struct grid_momentum {
    double linear[3], angular[3];
} grid_momentum;

static grid_momentum measure(const stage *s, const ref_mover *movers)
{
    grid_momentum sum = {0};
    ref_flip flip = s->flip;
    flip.movers = movers;
    for (size_t i = 0; i < s->cell_count; i++) {
        const int at[3] = {(int)(i % flip.n[0]), (int)(i / flip.n[0] % flip.n[1]),
                           (int)(i / flip.n[0] / flip.n[1])};
        ref_gathered found = ref_flip_gather(&flip, at);
        for (int axis = 0; axis < 3; axis++) {
            double x[3], p = found.weight[axis] * found.velocity[axis];
            for (int k = 0; k < 3; k++)
                x[k] = (double)ref_axis_component(s->params.cell_size, k) *
                       (at[k] + (k == axis ? 0.0 : 0.5));
            sum.linear[axis] += p;
            sum.angular[(axis + 1) % 3] += p * x[(axis + 2) % 3];
            sum.angular[(axis + 2) % 3] -= p * x[(axis + 1) % 3];
        }
    }
    return sum;
}

static void put(sim_world *world, const double rows[3][3], const double still[3])
{
    uint32_t count = world->last_result.status.count;
    vec4 *x = download_metres(world, world->buffers.positions, count);
    vec4 *v = base_alloc(count + 1u, sizeof *v), *c = base_alloc(3u * count + 1u, sizeof *c);
    assert_true(v && c);
    for (uint32_t i = 0; i < count; i++) {
        double to[3];
        for (int a = 0; a < 3; a++) {
            to[a] = still[a];
            for (int k = 0; k < 3; k++)
                to[a] += rows[a][k] * (double)ref_axis_component(x[i], k);
            c[3 * i + (uint32_t)a] =
                (vec4){(float)rows[a][0], (float)rows[a][1], (float)rows[a][2], 0};
        }
        v[i] = (vec4){(float)to[0], (float)to[1], (float)to[2], 0};
    }
    upload(world, world->buffers.velocities, v, count * sizeof *v);
    upload(world, world->buffers.velocity_gradients, c, 3u * count * sizeof *c);
    base_free(x);
    base_free(v);
    base_free(c);
}

/* A constant velocity everywhere, and a velocity with a constant gradient in the interior, are
   reproduced. */
static void apic_keeps_what_is_affine(void **state)
{
    static const double none[3][3], rows[3][3] = {{.3, -2, .7}, {1.1, .4, -.6}, {.2, 1.3, -.7}};
    static const double still[3] = {1.5, -0.5, 0.25};
    scene_data *scene = make_scene(empty, NULL);
    sim_world *world = make_sim(device, scene);
    ref_mover *after = base_alloc(world->last_result.status.count + 1u, sizeof *after);
    double worst = 0.0, affine = 0.0, gradient = 0.0;
    uint32_t inside = 0;
    stage s;
    assert_non_null(after);
    put(world, none, still);
    transfer(&s, world, after);
    for (uint32_t i = 0; i < s.flip.count; i++)
        for (int a = 0; a < 3; a++)
            worst = fmax(worst, fabs(after[i].v[a] - still[a]));
    leave(&s);
    put(world, rows, still);
    transfer(&s, world, after);
    for (uint32_t i = 0; i < s.flip.count; i++) {
        const double *x = s.movers[i].x;
        bool deep =
            (x[0] - 30) * (x[0] - 30) + (x[1] - 10) * (x[1] - 10) + (x[2] - 10) * (x[2] - 10) <
            2.0 * 2.0;
        inside += deep;
        for (int a = 0; a < 3 && deep; a++) {
            affine = fmax(affine, fabs(after[i].v[a] - s.movers[i].v[a]));
            for (int k = 0; k < 3; k++)
                gradient = fmax(gradient, fabs(after[i].c[a][k] - rows[a][k]));
        }
    }
    print_message("  constant %.2g, affine %.2g m/s, its gradient %.2g 1/s, %u particles inside\n",
                  worst, affine, gradient, inside);
    assert_true(inside > 100);
    assert_true(worst <= 1e-6 * 1.5);
    assert_true(affine <= 1e-6 * 3);
    assert_true(gradient <= 3e-5 * 2);
    leave(&s);
    base_free(after);
    sim_destroy(&world);
    scene_destroy(&scene);
}

static void apic_keeps_momentum_and_angular_momentum(void **state)
{
    static const double spin[3][3] = {{0, -3, 1}, {3, 0, -2}, {-1, 2, 0}};
    static const double still[3] = {0.5, -0.5, 0.25};
    scene_data *scene = make_scene(empty, NULL);
    sim_world *world = make_sim(device, scene);
    ref_mover *after = base_alloc(world->last_result.status.count + 1u, sizeof *after);
    stage s;
    assert_non_null(after);
    put(world, spin, still);
    transfer(&s, world, after);
    grid_momentum first = measure(&s, s.movers), second = measure(&s, after);
    for (int a = 0; a < 3; a++) {
        double linear = fabs(second.linear[a] - first.linear[a]) / (s.flip.count * 0.75);
        double angular = fabs(second.angular[a] - first.angular[a]) / fabs(first.angular[a]);
        print_message("  momentum off by %.2g, angular momentum by %.2g\n", linear, angular);
        assert_true(linear <= 1e-6);
        assert_true(angular <= 1e-5);
    }
    leave(&s);
    base_free(after);
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* ---- the projection ------------------------------------------------------------------------- */

static double largest_source(stage *s)
{
    double largest = 0.0;
    uvec4 *cells = spread(s, poisson_get_buffers(s->world->pressure_grid)->cells, sizeof *cells);
    vec4 *faces = spread(s, s->world->buffers.face_velocities, sizeof *faces);
    s->flip.cells = cells;
    s->flip.faces = faces;
    for (size_t i = 0; i < sparse_count(s); i++) {
        int at[3];
        if (!cell_at(s, i, at)) continue;
        if (float_of(cells[ref_flip_index(&s->flip, at)].w) < 0.0)
            largest = fmax(largest, fabs(ref_flip_source(&s->flip, at)));
    }
    base_free(cells);
    base_free(faces);
    return largest;
}

/* Measures the outflow of any cell through its open fractions, before and after. */
static void the_pressure_leaves_no_divergence(void **state)
{
    scene_data *scene = make_scene(scene_text("flip_motion_poured"), NULL);
    sim_world *world = make_sim(device, scene);
    stage s;
    run_frames(world, 8);
    enter_gather(&s, world, 0.04);
    uint32_t source = step_pass(world, "flip_divergence"),
             drift = step_pass(world, "flip_density_correction_rhs");
    run_step_passes(world, step_pass(world, "flip_p2g"), source);
    double before = largest_source(&s);
    OK(gpu_run_passes(world->device, world->passes + source, drift - source));
    double after = largest_source(&s);
    print_message("  divergence left: %.2g of what was\n", after / before);
    assert_true(after <= 1.2 * (double)scene->solver.projection_tolerance * before);
    leave(&s);
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* ---- volume --------------------------------------------------------------------------------- */

static const char slosh[] =
    "{'spacing': 0.015625, 'domain': {'min': [0, 0, 0], 'max': [1, 1, 0.1]}, 'frame_rate': 25,"
    " 'solver': {'dimensions': 2, 'method': 'apic'}, 'fluids': [{'name': 'water', 'fill': {'shape':"
    " {'box': {'min': [0, 0, 0], 'max': [0.6, 0.8, 1]}}}}]}";

/* Measures, after some frames, the volume of the cells, each counted at most once, over the
   particles' volume, and the fill of the fullest cell. */
static void fill_after(const char *text, uint32_t frames, double *volume, double *fullest)
{
    scene_data *scene = make_scene(text, NULL);
    sim_world *world = make_sim(device, scene);
    stage s;
    run_frames(world, frames);
    enter_gather(&s, world, 1e-3);
    run_named(&s, "flip_p2g");
    float *fill_fractions = download(world, world->buffers.fill_fractions, sparse_count(&s), 4);
    *volume = *fullest = 0.0;
    for (size_t i = 0; i < sparse_count(&s); i++) {
        int at[3];
        if (!cell_at(&s, i, at)) continue;
        *volume += fmin((double)fill_fractions[i], 1.0);
        *fullest = fmax(*fullest, (double)fill_fractions[i]);
    }
    *volume *= (double)s.params.cell_size.w / s.flip.count;
    print_message("  volume %.4f, the fullest cell %.3f\n", *volume, *fullest);
    base_free(fill_fractions);
    leave(&s);
    sim_destroy(&world);
    scene_destroy(&scene);
}

static void fluid_neither_shrinks_nor_crowds(void **state)
{
    double volume, fullest;
    fill_after(slosh, 50, &volume, &fullest);
    assert_true(fabs(volume - 1.0) <= 0.02);
    assert_true(fullest <= 1.5); /* where the wave breaks */
}

static const char stirred[] =
    "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [1, 0.75, 1]}, 'frame_rate': 25,"
    " 'solver': {'method': 'flip'}, 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {'min':"
    " [0, 0, 0], 'max': [1, 0.5, 1]}}}}], 'solids': [{'name': 'blade', 'shape': {'box': {'min':"
    " [-0.35, -0.1, -0.07], 'max': [0.35, 0.2, 0.07]}, 'position': [0.5, 0.15, 0.5]}, 'motion':"
    " {'spin': {'axis': [0, 1, 0], 'rate': 1.5}}}]}";

/* A blade sweeps over the floor, less than a cell above it. */
static void solids_do_not_crowd_the_cells_that_they_cut(void **state)
{
    double volume, fullest;
    fill_after(stirred, 25, &volume, &fullest);
    assert_true(volume >= 0.96);
    assert_true(fullest <= 3.0);
}

/* ---- falling -------------------------------------------------------------------------------- */

static const char falling[] =
    "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [1, 2, 0.1]}, 'frame_rate': 25,"
    " 'solver': {'dimensions': 2}, 'fluids': [{'name': 'water', 'fill': {'shape': {'sphere':"
    " {'radius': 0.2}, 'position': [0.5, 1.7, 0.05]}, 'jitter': 0}}]}";

static double height_of_mass(const sim_world *world)
{
    const struct sim_statistics *sums = &world->last_result.sums;
    return (double)(sums->moment.y / sums->moment.w);
}

/* This holds however long the substeps are: here 1/25 s each. */
static void a_falling_ball_falls_by_half_g_t2(void **state)
{
    static const char *const methods[] = {"solver.method=flip", "solver.method=apic"};
    for (size_t i = 0; i < BASE_COUNT(methods); i++) {
        const char *const overrides[] = {methods[i], "solver.substeps=1", NULL};
        scene_data *scene = make_scene(falling, overrides);
        sim_world *world = make_sim(device, scene);
        run_frames(world, 1);
        double first = height_of_mass(world), t = 0.04;
        run_frames(world, 9);
        double fallen = first - height_of_mass(world);
        double wanted = 0.5 * 9.81 * (100.0 * t * t - t * t);
        print_message("  %s: %.5f m of %.5f\n", methods[i], fallen, wanted);
        assert_true(fabs(fallen - wanted) <= 1e-3);
        sim_destroy(&world);
        scene_destroy(&scene);
    }
}

/* In the plane of a deep domain, whose first layer of cells is not that of the fluid. */
static void a_field_acts_where_the_plane_is(void **state)
{
    static const char disc[] =
        "{'spacing': 0.05, 'gravity': [0, 0, 0], 'frame_rate': 60, 'domain': {'min': [-1, -1, -1],"
        " 'max': [1, 1, 1]}, 'solver': {'method': 'flip', 'dimensions': 2}, 'forces': [{'type':"
        " 'uniform', 'acceleration': [2, 0, 0], 'inside': {'centre': [0, 0, 0], 'radius': 0.6}}],"
        " 'fluids': [{'name': 'water', 'fill': {'shape': {'sphere': {'radius': 0.3}}}}]}";
    scene_data *scene = make_scene(disc, NULL);
    sim_world *world = make_sim(device, scene);
    run_frames(world, 12);
    const struct sim_statistics *sums = &world->last_result.sums;
    double speed = (double)(sums->momentum.x / sums->moment.w);
    print_message("  %.4f m/s of 0.4\n", speed);
    assert_true(fabs(speed - 0.4) <= 0.002);
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* ---- viscosity ------------------------------------------------------------------------------ */

static const char sheared[] =
    "{'spacing': 0.03125, 'domain': {'min': [0, 0, 0], 'max': [1, 1, 0.1], 'sides': {'x': "
    "'periodic', 'y': 'periodic'}}, 'gravity': [0, 0, 0], 'frame_rate': 60,"
    " 'solver': {'dimensions': 2, 'method': 'apic'}, 'fluids': [{'name': 'oil',"
    " 'dynamic_viscosity': 20, 'fill': {'shape': {'box': {'min': [0, 0, 0], 'max': [1, 1, 1]}},"
    " 'velocity_wave': {'amplitude': [0, 0.5, 0], 'wave_vector': [6.2831853, 0, 0]}}}]}";

/* The same plane in a deep domain, with the viscosity of an attribute. */
static const char deep[] =
    "{'spacing': 0.03125, 'domain': {'min': [0, 0, -1], 'max': [1, 1, 1], 'sides': {'x': "
    "'periodic', 'y': 'periodic'}}, 'gravity': [0, 0, 0], 'frame_rate': 60,"
    " 'solver': {'dimensions': 2, 'method': 'apic'}, 'attributes': [{'name': 'heat'}],"
    " 'fluids': [{'name': 'oil', 'dynamic_viscosity_curve': {'attribute': 'heat', 'points':"
    " [{'value': 0, 'dynamic_viscosity': 40}, {'value': 20, 'dynamic_viscosity': 10}]},"
    " 'fill': {'attributes': {'heat': 10}, 'shape': {'box': {'min': [0, 0, -1], 'max': [1, 1, 1]}},"
    " 'velocity_wave': {'amplitude': [0, 0.5, 0], 'wave_vector': [6.2831853, 0, 0]}}}]}";

static double kinetic_energy(const sim_world *world)
{
    return (double)world->last_result.sums.momentum.w;
}

/* A shear wave of wave number k decays as exp(-nu k2 t). */
static void viscosity_has_its_value(void **state)
{
    static const char *const methods[] = {"solver.method=flip", "solver.method=apic"};
    for (size_t i = 0; i < 2 * BASE_COUNT(methods); i++) {
        const char *const overrides[] = {methods[i % 2], NULL};
        scene_data *scene = make_scene(i < 2 ? sheared : deep, overrides);
        sim_world *world = make_sim(device, scene);
        double k = 2.0 * 3.14159265358979, first, nu;
        run_frames(world, 1);
        first = kinetic_energy(world);
        run_frames(world, 30);
        nu = log(first / kinetic_energy(world)) / (2.0 * k * k * 30.0 / 60.0);
        print_message("  %s: %.4f m2/s of 0.02\n", methods[i % 2], nu);
        assert_true(fabs(nu - 0.02) <= 0.0016); /* pic_fraction adds to it */
        sim_destroy(&world);
        scene_destroy(&scene);
    }
}

static const char channel[] =
    "{'spacing': 0.0625, 'domain': {'min': [0, 0, 0], 'max': [1, 1, 0.1], 'sides': {'x': "
    "'periodic'}}, 'gravity': [0.5, 0, 0], 'frame_rate': 30,"
    " 'solver': {'dimensions': 2, 'method': 'apic'}, 'fluids': [{'name': 'oil',"
    " 'dynamic_viscosity': 100, 'fill': {'shape': {'box': {'min': [0, 0, 0], 'max': [1, 1, "
    "1]}}}}]}";

/* Between two walls at rest u = g y (H - y) / (2 nu); its mean square is g2 H4 / (120 nu2). */
static void walls_hold_a_viscous_fluid(void **state)
{
    scene_data *scene = make_scene(channel, NULL);
    sim_world *world = make_sim(device, scene);
    run_frames(world, 150);
    double nu = 0.1, theory = 0.5 * 1000.0 * 0.25 / (120.0 * nu * nu);
    print_message("  energy of the flow %.3f of theory\n", kinetic_energy(world) / theory);
    assert_true(fabs(kinetic_energy(world) / theory - 1.0) <= 0.05);
    sim_destroy(&world);
    scene_destroy(&scene);
}

/* ---- substeps ------------------------------------------------------------------------------- */

static const char jet[] =
    "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [1, 1, 0.4]}, 'frame_rate': 25,"
    " 'solver': {'method': 'flip'}, 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {'min':"
    " [0, 0, 0], 'max': [1, 0.3, 0.4]}}}}], 'emitters': [{'name': 'jet', 'fluid': 'water', "
    "'position':"
    " [0.3, 0.8, 0.2], 'direction': [1, 0, 0], 'radius': 0.1, 'speed': 12, 'start': 0.2}]}";

/* An attractor accelerates the fluid more than the host can extrapolate from earlier frames. */
static const char drawn[] =
    "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [4, 1, 0.4]}, 'frame_rate': 25,"
    " 'solver': {'method': 'flip'}, 'gravity': [0, 0, 0], 'forces': [{'centre': [4, 0, 0.2],"
    " 'strength': 12}], 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {'min':"
    " [0, 0, 0], 'max': [0.5, 0.3, 0.4]}}}}]}";

#define DRAWN_FRAMES 6

/* Returns the state after some frames. If `waits`, each frame is waited for and `substeps`
   receives the substeps that it took; otherwise no frame is waited for, and `substeps` receives
   the number that the host has recorded. */
static uint64_t run_drawn(bool waits, uint32_t substeps[DRAWN_FRAMES])
{
    uint64_t hash;
    scene_data *scene = make_scene(drawn, NULL);
    sim_world *world = make_sim(device, scene);
    for (uint32_t f = 0; f < DRAWN_FRAMES; f++) {
        OK(sim_step(world, 0));
        substeps[f] = world->frames[f % SIM_FRAMES_IN_FLIGHT].recorded_substeps;
        if (waits) OK(sim_wait(world));
        if (waits) substeps[f] = world->last_result.status.substeps;
    }
    OK(sim_hash(world, &hash));
    sim_destroy(&world);
    scene_destroy(&scene);
    return hash;
}

/* The host records the frames in flight before it knows the fluid's speed, so they need more
   substeps than it has recorded. */
static void a_frame_takes_more_substeps_than_were_expected(void **state)
{
    uint32_t taken[DRAWN_FRAMES], recorded[DRAWN_FRAMES], surprises = 0;
    uint64_t expected = run_drawn(true, taken), hash = run_drawn(false, recorded);
    for (uint32_t f = 0; f < DRAWN_FRAMES; f++)
        surprises += recorded[f] < taken[f];
    print_message("  %u of %d frames take more than was recorded\n", surprises, DRAWN_FRAMES);
    assert_true(surprises > 0);
    assert_true(hash == expected);
}

/* The frame in which a jet opens takes the substeps that its speed requires, and the host
   records as many. */
static void the_first_frame_of_a_jet_knows_its_speed(void **state)
{
    scene_data *scene = make_scene(jet, NULL);
    sim_world *world = make_sim(device, scene);
    for (uint32_t f = 0; f < 6; f++)
        OK(sim_step(world, 0));
    uint32_t recorded = world->frames[5 % SIM_FRAMES_IN_FLIGHT].recorded_substeps;
    OK(sim_wait(world));
    const struct sim_status *status = &world->last_result.status;
    print_message("  %u substeps, %u recorded\n", status->substeps, recorded);
    assert_true(status->total_emitted > 0);
    assert_true(12.0f * status->dt <= world->params.cfl * world->params.spacing);
    assert_true(recorded >= status->substeps);
    sim_destroy(&world);
    scene_destroy(&scene);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slice_shows_pressure_and_speed),
        cmocka_unit_test(rows_show_particles_or_cells),
        cmocka_unit_test(apic_keeps_what_is_affine),
        cmocka_unit_test(apic_keeps_momentum_and_angular_momentum),
        cmocka_unit_test(the_pressure_leaves_no_divergence),
        cmocka_unit_test(a_falling_ball_falls_by_half_g_t2),
        cmocka_unit_test(a_field_acts_where_the_plane_is),
        cmocka_unit_test(viscosity_has_its_value),
        cmocka_unit_test(walls_hold_a_viscous_fluid),
        cmocka_unit_test(fluid_neither_shrinks_nor_crowds),
        cmocka_unit_test(solids_do_not_crowd_the_cells_that_they_cut),
        cmocka_unit_test(a_frame_takes_more_substeps_than_were_expected),
        cmocka_unit_test(the_first_frame_of_a_jet_knows_its_speed),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
