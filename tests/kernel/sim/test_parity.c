/* Compares a whole substep on the device with the double-precision reference, which starts from the
 * scene and the paper's equations and shares no table with the shaders. */
#include "ref_substep.h"
#include "scene_text.h"
#include "sim_support.h"

/* Tolerances of gate G3 in validation.md: float32 on the GPU against double on the CPU. */
#define POSITION_TOLERANCE 1e-5 /* d */
#define VELOCITY_TOLERANCE 2e-5 /* d / T */

/* CHECKED runs few scenes with validation, which makes every shader slow to compile. */
enum { CHECKED, PLAIN, DEVICES };
static gpu_device *devices[DEVICES];

static int open_devices(void **state)
{
    for (int d = 0; d < DEVICES; d++)
        devices[d] = open_gpu(d == CHECKED);
    return 0;
}

static int close_devices(void **state)
{
    int failed = 0;
    for (int d = 0; d < DEVICES; d++)
        failed |= close_gpu(&devices[d]);
    return failed;
}

static ref_scene reference_of(const scene_data *scene)
{
    const scene_solver *s = &scene->solver;
    const scene_domain *d = &scene->domain;
    ref_scene r = {
        .spacing = (double)scene->spacing,
        .support = (double)s->support_radius,
        .dt = 1.0 / (double)scene->frame_rate,
        .gravity = {(double)scene->gravity.x, (double)scene->gravity.y, (double)scene->gravity.z},
        .centre = {(double)scene->forces[0].centre.x, (double)scene->forces[0].centre.y,
                   (double)scene->forces[0].centre.z},
        .pull = (double)scene->forces[0].strength,
        .min = {(double)d->min.x, (double)d->min.y, (double)d->min.z},
        .max = {(double)d->max.x, (double)d->max.y, (double)d->max.z},
        .iterations = s->iterations,
        .tolerance = (double)s->tolerance.mean,
        .relaxation = (double)s->relaxation,
        .epsilon = (double)s->constraint_softening,
        .pressure = (double)s->artificial_pressure,
        .scale_artificial_pressure = s->scale_artificial_pressure,
        .artificial_pressure_distance = (double)s->artificial_pressure_distance,
        .artificial_pressure_cutoff = (double)s->artificial_pressure_cutoff,
        .vorticity = (double)s->vorticity_confinement,
        .reference_dt = (double)s->reference_dt,
        .boundary_gap = (double)s->boundary_gap,
        .chebyshev = (double)s->chebyshev_spectral_radius,
        .artificial_pressure_exponent = s->artificial_pressure_exponent,
        .allow_negative_pressure = s->allow_negative_pressure,
        .wall_density = s->boundary_density,
        .wendland = s->kernel == SCENE_KERNEL_WENDLAND,
        .lattice_density_ratio = (double)s->lattice_density_ratio,
        .planar = s->dimensions == 2,
        .pcisph = s->method == SCENE_METHOD_PCISPH,
        .wcsph = s->method == SCENE_METHOD_WCSPH,
        .sound_speed = (double)s->sound_speed,
        .artificial_viscosity = (double)s->artificial_viscosity,
        .fluid_count = scene->fluid_count,
    };
    for (int axis = 0; axis < 3; axis++)
        r.periodic[axis] = d->sides[2 * axis] == SCENE_SIDE_PERIODIC;
    for (uint32_t f = 0; f < scene->fluid_count; f++)
        r.fluids[f] = (ref_fluid){(double)scene->fluids[f].density, (double)scene->fluids[f].xsph};
    return r;
}

/* Gives the particles of the fill a swirl of less than 0.2 d per substep as velocities. */
static ref_particle *set_moving(sim_world *world, uint32_t *count)
{
    sim_initial_particles fill = {0};
    OK(sim_fill_fluids(NULL, world->scene, world->solids, &fill));
    *count = (uint32_t)fill.x.count;
    ref_particle *particles = base_alloc(*count, sizeof *particles);
    assert_non_null(particles);
    for (uint32_t i = 0; i < *count; i++) {
        vec4 *x = &fill.x.items[i], *v = &fill.v.items[i];
        *v =
            (vec4){2.0f * sinf(9.0f * x->y), sinf(7.0f * x->z + x->x), 2.0f * cosf(8.0f * x->x), 0};
        if (world->params.planar) v->z = 0.0f;
        particles[i] = (ref_particle){{(double)x->x, (double)x->y, (double)x->z},
                                      {(double)v->x, (double)v->y, (double)v->z},
                                      (uint32_t)x->w};
    }
    place_particles(world, (placing){*count, fill.x.items, fill.v.items, NULL});
    sim_initial_particles_free(&fill);
    return particles;
}

static double apart(const ref_scene *scene, vec3 got, const double expected[3], bool position)
{
    const double x[3] = {(double)got.x, (double)got.y, (double)got.z};
    double most = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        double d = x[axis] - expected[axis], period = scene->max[axis] - scene->min[axis];
        if (position && scene->periodic[axis]) d -= period * round(d / period);
        most = fmax(most, fabs(d));
    }
    return most;
}

static void assert_parity(gpu_device *device, const char *const *overrides)
{
    uint32_t count, read;
    double worst_x = 0.0, worst_v = 0.0, moved = 0.0;
    scene_data *scene = make_scene(scene_text("parity"), overrides);
    sim_world *world = make_sim(device, scene);
    ref_scene reference = reference_of(scene);
    ref_particle *particles = set_moving(world, &count);
    uint32_t iterations = ref_substep(&reference, particles, count);
    assert_true(iterations > 0);
    run_frames(world, 1);
    assert_int_equal(world->last_result.status.frame_iterations, iterations);
    /* A tolerance must end the iterations before the cap, but not at once. */
    assert_true(reference.tolerance == 0.0 ||
                (iterations > 2 && iterations < reference.iterations));
    vec3 *x = read_vectors(world, WEIR_FIELD_POSITION, &read);
    vec3 *v = read_vectors(world, WEIR_FIELD_VELOCITY, &read);
    assert_int_equal(read, count);
    for (uint32_t i = 0; i < count; i++) {
        worst_x = fmax(worst_x, apart(&reference, x[i], particles[i].x, true));
        worst_v = fmax(worst_v, apart(&reference, v[i], particles[i].v, false));
        moved = fmax(moved, apart(&reference, v[i], (const double[3]){0}, false));
    }
    worst_x /= reference.spacing;
    worst_v *= reference.dt / reference.spacing;
    print_message("  position %.2g d, velocity %.2g d / T; fastest %.2g d / T\n", worst_x, worst_v,
                  moved * reference.dt / reference.spacing);
    /* The reference has no caps. */
    assert_int_equal(world->last_result.status.total_capped_corrections, 0);
    assert_true(worst_x <= POSITION_TOLERANCE && worst_v <= VELOCITY_TOLERANCE);
    base_free(x);
    base_free(v);
    base_free(particles);
    sim_destroy(&world);
    scene_destroy(&scene);
}

static void a_substep_in_a_closed_box_is_that_of_the_equations(void **state)
{
    assert_parity(devices[PLAIN], NULL);
}

static void a_substep_of_two_densities_is_that_of_the_equations(void **state)
{
    static const char *const overrides[] = {"fluids[1].density=600", NULL};
    assert_parity(devices[PLAIN], overrides);
}

static void a_substep_in_a_periodic_box_is_that_of_the_equations(void **state)
{
    static const char *const overrides[] = {
        "domain.sides={\"x\": \"periodic\", \"z\": \"periodic\"}", NULL};
    assert_parity(devices[PLAIN], overrides);
}

static void a_wide_substep_keeping_negative_pressure_is_that_of_the_equations(void **state)
{
    static const char *const overrides[] = {"solver.allow_negative_pressure=true",
                                            "solver.support_radius=2.5",
                                            "solver.relaxation=0.4",
                                            "solver.artificial_pressure_exponent=2",
                                            "solver.scale_artificial_pressure=true",
                                            "solver.artificial_pressure=0.02",
                                            "solver.boundary_density=false",
                                            NULL};
    assert_parity(devices[PLAIN], overrides);
}

/* The lattice is 2 % denser than at rest, so that walls and pairs push at once. */
static void a_substep_of_a_lattice_above_rest_is_that_of_the_equations(void **state)
{
    static const char *const box[] = {"solver.lattice_density_ratio=1.02", "fluids[1].density=600",
                                      NULL};
    assert_parity(devices[PLAIN], box);
}

#define PAIR "solver.kernel=poly6", "solver.support_radius=2"

static void a_substep_with_the_papers_kernels_is_that_of_the_equations(void **state)
{
    static const char *const box[] = {PAIR, "solver.artificial_pressure=0.0014",
                                      "fluids[1].density=600", NULL};
    static const char *const plane[] = {PAIR, "solver.dimensions=2", "spacing=0.025", NULL};
    static const char *const pcisph[] = {PAIR, "solver.method=pcisph", NULL};
    assert_parity(devices[PLAIN], box);
    assert_parity(devices[PLAIN], plane);
    assert_parity(devices[PLAIN], pcisph);
}

static void an_accelerated_substep_is_that_of_the_equations(void **state)
{
    static const char *const overrides[] = {"solver.chebyshev_spectral_radius=0.7", NULL};
    assert_parity(devices[PLAIN], overrides);
}

static void a_substep_in_the_plane_is_that_of_the_equations(void **state)
{
    static const char *const overrides[] = {
        "solver.dimensions=2",
        "spacing=0.025",
        "forces=[{\"centre\": [0.2, 0.1, 3], \"strength\": 40}]",
        "domain.sides={\"x\": \"periodic\"}",
        "fluids[1].density=700",
        NULL};
    assert_parity(devices[PLAIN], overrides);
}

static void a_substep_of_pcisph_is_that_of_the_equations(void **state)
{
    static const char *const overrides[] = {"solver.method=pcisph", "fluids[1].density=700", NULL};
    assert_parity(devices[PLAIN], overrides);
}

static void a_substep_of_wcsph_is_that_of_the_equations(void **state)
{
    static const char *const overrides[] = {"solver.method=wcsph", "solver.sound_speed=4",
                                            "solver.artificial_viscosity=0.3",
                                            "fluids[1].density=700", NULL};
    assert_parity(devices[PLAIN], overrides);
}

static void a_tolerance_ends_the_iterations_where_the_equations_do(void **state)
{
    static const char *const plain[] = {"solver.tolerance.mean=0.02", "solver.iterations=20", NULL};
    assert_parity(devices[PLAIN], plain);
    static const char *const fast[] = {"solver.tolerance.mean=0.02", "solver.iterations=20",
                                       "solver.chebyshev_spectral_radius=0.7", NULL};
    assert_parity(devices[CHECKED], fast);
    static const char *const pcisph[] = {"solver.tolerance.mean=0.02", "solver.iterations=20",
                                         "solver.method=pcisph", NULL};
    assert_parity(devices[CHECKED], pcisph);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_substep_in_a_closed_box_is_that_of_the_equations),
        cmocka_unit_test(a_substep_of_two_densities_is_that_of_the_equations),
        cmocka_unit_test(a_substep_in_a_periodic_box_is_that_of_the_equations),
        cmocka_unit_test(a_wide_substep_keeping_negative_pressure_is_that_of_the_equations),
        cmocka_unit_test(a_substep_of_a_lattice_above_rest_is_that_of_the_equations),
        cmocka_unit_test(a_substep_with_the_papers_kernels_is_that_of_the_equations),
        cmocka_unit_test(an_accelerated_substep_is_that_of_the_equations),
        cmocka_unit_test(a_substep_in_the_plane_is_that_of_the_equations),
        cmocka_unit_test(a_substep_of_pcisph_is_that_of_the_equations),
        cmocka_unit_test(a_substep_of_wcsph_is_that_of_the_equations),
        cmocka_unit_test(a_tolerance_ends_the_iterations_where_the_equations_do),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, open_devices, close_devices);
}
