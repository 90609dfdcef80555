/* Tests the ray force shader against its reference, and the effect of a ray force on a fluid. */
#include "one_world.h"
#include "ref_pointer.h"

#define TOLERANCE 1e-5f /* m/s */
/* Rounding of an offset from the ray, m: Vulkan leaves the order of the sum in a dot product open,
 * and coordinates reach 3 m. */
#define OFFSET_ERROR 1e-6f
#define ROOM 20000u

static const char pool[] =
    "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [1, 4, 1]}, 'gravity': [0, 0, 0],"
    " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {'min': [0.2, 0, 0.2],"
    " 'max': [0.8, 0.3, 0.8]}}}}]}";

static int open_world(void **state)
{
    device = open_gpu(true);
    scene = make_scene(pool, NULL);
    world = make_sim_sized(device, scene, ROOM);
    return 0;
}

static weir_ray_force some_pointer(float acceleration)
{
    return (weir_ray_force){{0.5f, 2.0f, 0.4f}, {0.1f, -3.0f, 0.2f}, 0.3f, acceleration};
}

static float draw(uint32_t i, uint32_t k, float low, float high)
{
    return low + (high - low) * base_hash_to_unit(8ull * i + k);
}

/* Places random particles, some of them on the ray and some behind its origin. */
static void make_particles(uint32_t count, vec4 *x, vec4 *v)
{
    const vec3 o = {world->ray_force.origin.x, world->ray_force.origin.y,
                    world->ray_force.origin.z};
    const vec3 d = {world->ray_force.direction.x, world->ray_force.direction.y,
                    world->ray_force.direction.z};
    for (uint32_t i = 0; i < count; i++) {
        vec3 p = {draw(i, 0, 0, 1), draw(i, 1, 0, 3), draw(i, 2, 0, 1)};
        if (i % 7 == 3) p = vec3_add(o, vec3_scale(d, draw(i, 3, -1, 2)));
        x[i] = (vec4){p.x, p.y, p.z, 0};
        v[i] = (vec4){draw(i, 4, -1, 1), draw(i, 5, -1, 1), draw(i, 6, -1, 1), 0};
    }
}

static float distance_from_ray(const weir_ray_force *p, vec3 x)
{
    const vec3 o = {p->origin[0], p->origin[1], p->origin[2]};
    const vec3 d = {p->direction[0], p->direction[1], p->direction[2]};
    const vec3 unit = vec3_scale(d, 1.0f / vec3_length(d)), way = vec3_sub(x, o);
    return vec3_length(vec3_sub(way, vec3_scale(unit, vec3_dot(way, unit))));
}

/* Returns how far a velocity may be from its reference: near the ray, rounding turns the direction
 * of the push, at most into the opposite one. */
static float tolerance_at(const weir_ray_force *p, vec4 x)
{
    float distance = distance_from_ray(p, (vec3){x.x, x.y, x.z});
    float turned = fminf(OFFSET_ERROR / fmaxf(distance, OFFSET_ERROR / 2), 2);
    return TOLERANCE + turned * fabsf(p->acceleration) / 60;
}

static void check_kernel(uint32_t count, float acceleration)
{
    vec4 *x = base_alloc(count + 1u, sizeof *x), *v = base_alloc(count + 1u, sizeof *v);
    weir_ray_force pointer = some_pointer(acceleration);
    sim_set_ray_force(world, &pointer);
    make_particles(count, x, v);
    place_particles(world, (placing){.count = count, .x = x, .v = v});
    for (uint32_t i = 0; i < count; i++) /* as the fluid stores them */
        x[i] = metres_of(world, fixed_from_metres(world, x[i]));
    begin_frame(world, 1.0 / 60);
    upload(world, world->buffers.ray_force, &world->ray_force, sizeof world->ray_force);
    gpu_pass pass = sim_ray_force_pass(world);
    OK(gpu_passes_check(device, &pass, 1));
    OK(gpu_run_passes(device, &pass, 1));
    struct sim_params params = world->params;
    params.frame_dt = 1.0f / 60;
    vec4 *got = download(world, world->buffers.velocities, count, sizeof *got);
    uint32_t moved = 0, strict = 0;
    for (uint32_t i = 0; i < count; i++) {
        vec4 want = ref_pointer(&params, &world->ray_force, x[i], v[i]);
        float tolerance = tolerance_at(&pointer, x[i]);
        strict += tolerance < 2 * TOLERANCE;
        assert_float_equal(got[i].x, want.x, tolerance);
        assert_float_equal(got[i].y, want.y, tolerance);
        assert_float_equal(got[i].z, want.z, tolerance);
        moved += want.x != v[i].x;
    }
    if (count >= 64) assert_in_range(moved, 1, count - 1);
    assert_true(strict >= count / 2);
    base_free(x);
    base_free(v);
    base_free(got);
    sim_set_ray_force(world, NULL);
}

static void the_kernel_is_its_reference(void **state)
{
    static const uint32_t counts[] = {0, 1, 63, 64, 65, ROOM};
    for (size_t i = 0; i < BASE_COUNT(counts); i++) {
        check_kernel(counts[i], 40.0f);
        check_kernel(counts[i], -40.0f);
    }
}

/* Returns the mean distance of the particles from the ray. */
static float spread_about(const weir_ray_force *p)
{
    uint32_t count;
    vec3 *x = read_vectors(world, WEIR_FIELD_POSITION, &count);
    float sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += distance_from_ray(p, x[i]);
    base_free(x);
    return sum / (float)count;
}

static void begin_anew(void)
{
    sim_destroy(&world);
    world = make_sim(device, scene);
}

static void pushing_opens_the_fluid_and_releasing_ends_it(void **state)
{
    begin_anew();
    weir_ray_force pointer = some_pointer(60);
    float before = spread_about(&pointer);
    sim_set_ray_force(world, &pointer);
    run_frames(world, 10);
    assert_true(spread_about(&pointer) > 1.02f * before);
    sim_set_ray_force(world, NULL);
    assert_true(world->ray_force.direction.w == 0.0f);
    run_frames(world, 1);
    assert_false(world->frames[(world->frames_begun - 1) % SIM_FRAMES_IN_FLIGHT].has_ray_force);
}

/* A fluid far from the ray keeps its bits: a ray force has no effect outside its radius. */
static void a_pointer_that_reaches_nothing_changes_nothing(void **state)
{
    uint64_t hash[2];
    for (int pointed = 0; pointed < 2; pointed++) {
        begin_anew();
        weir_ray_force pointer = some_pointer(1e4f);
        pointer.origin[0] = 30;
        if (pointed) sim_set_ray_force(world, &pointer);
        run_frames(world, 3);
        OK(sim_hash(world, &hash[pointed]));
    }
    assert_true(hash[0] == hash[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_kernel_is_its_reference),
        cmocka_unit_test(pushing_opens_the_fluid_and_releasing_ends_it),
        cmocka_unit_test(a_pointer_that_reaches_nothing_changes_nothing),
    };
    return cmocka_run_group_tests(tests, open_world, close_one_world);
}
