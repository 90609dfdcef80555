/* Collisions of whitewater over whole runs: sides, static and moving solids, and rigid bodies.
   Solids are evaluated on the host. */
#define _XOPEN_SOURCE 700
#include "api_support.h"
#include "scene_text.h"

#include "sim.h"
#include "sim_whitewater.h"
#include "solid.h"

#define FRAMES 36u
#define DEEP 0.1f /* d: deeper counts as inside */

/* A dam breaks onto a ball that is partly below the floor, a rotated block from an OBJ, and a
   paddle that moves towards it. %s: more keys, and the folder of the OBJ. */
static const char splash[] =
    "{\"name\": \"splash\", \"domain\": {\"min\": [0, 0, 0], \"max\": [0.8, 0.5, 0.24]},"
    " \"spacing\": 0.025, \"frame_rate\": 30, \"whitewater\": {\"emission_rate\": 0.5},%s"
    " \"solids\": ["
    "  {\"name\": \"ball\", \"shape\": {\"sphere\": {\"radius\": 0.06},"
    "   \"position\": [0.42, 0.05, 0.07]}},"
    "  {\"name\": \"block\", \"shape\": {\"mesh\": {\"file\": \"%s/block.obj\"},"
    "   \"position\": [0.42, 0.03, 0.18], \"rotation\": {\"axis\": [1, 2, 3], \"angle\": 40}}},"
    "  {\"name\": \"paddle\", \"shape\": {\"box\": {\"min\": [-0.02, 0, 0.05], \"max\": [0.02, "
    "0.12, "
    "0.19]}},"
    "   \"motion\": {\"keyframes\": [{\"time\": 0.2, \"position\": [0.75, 0, 0]},"
    "    {\"time\": 1.2, \"position\": [0.15, 0.05, 0], \"rotation\": {\"axis\": [0, 1, 0],"
    "     \"angle\": 90}}]}}],"
    " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\":"
    " {\"min\": [0, 0, 0], \"max\": [0.25, 0.4, 0.24]}}}}]}";

static void write_block(const fixture *f)
{
    static const char block[] =
        "v -.05 -.05 -.05\nv .05 -.05 -.05\nv .05 .05 -.05\nv -.05 .05 -.05\n"
        "v -.05 -.05 .05\nv .05 -.05 .05\nv .05 .05 .05\nv -.05 .05 .05\n"
        "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    char path[96];
    snprintf(path, sizeof path, "%s/block.obj", f->folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(block, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* ---- penetration depth ---------------------------------------------------------------------- */

typedef struct census {
    uint32_t kinds[WHITEWATER_KINDS], born, near_solids, phantom;
    float deepest[2]; /* d: of particles that existed before, and of new ones */
} census;

static float depth_in(const solid_set *solids, uint32_t shape, const scene_pose *pose, vec3 p)
{
    vec3 local = quat_rotate(quat_conjugate(pose->rotation), vec3_sub(p, pose->position));
    return -solid_shape_distance(solids, shape, local);
}

static float depth_in_solids(weir_sim *sim, double time_s, vec3 p)
{
    const scene_data *scene = sim->scene->data;
    const solid_set *solids = sim_solids(sim->world);
    scene_pose bodies[4];
    float depth = -INFINITY;
    assert_true(scene->body_count <= BASE_COUNT(bodies));
    assert_int_equal(sim_body_poses(sim->world, bodies), WEIR_OK);
    for (uint32_t i = 0; i < scene->solid_count; i++) {
        const scene_pose pose = scene_motion_pose(&scene->solids[i].motion, time_s);
        depth = fmaxf(depth, depth_in(solids, scene->solids[i].shape, &pose, p));
    }
    for (uint32_t i = 0; i < scene->body_count; i++)
        depth = fmaxf(depth, depth_in(solids, scene->bodies[i].shape, &bodies[i], p));
    return depth;
}

/* Returns the depth in any side except the top. */
static float depth_in_sides(const scene_domain *domain, vec3 p)
{
    vec3 low = vec3_sub(domain->min, p), high = vec3_sub(p, domain->max);
    return fmaxf(fmaxf(fmaxf(low.x, low.y), low.z), fmaxf(high.x, high.z));
}

/* Returns whether p is where a body was at the start but is no longer. */
static bool is_phantom(weir_sim *sim, vec3 p)
{
    const scene_data *scene = sim->scene->data;
    const scene_pose start = {.rotation = quat_identity()};
    bool inside = false;
    for (uint32_t i = 0; i < scene->body_count; i++)
        inside = inside || depth_in(sim_solids(sim->world), scene->bodies[i].shape, &start, p) >
                               DEEP * scene->spacing;
    return inside;
}

static void count(weir_sim *sim, census *c)
{
    io_particles foam;
    weir_stats stats;
    float d = sim->scene->data->spacing;
    assert_int_equal(weir_sim_get_stats(sim, &stats), WEIR_OK);
    assert_int_equal(api_sim_read_whitewater(sim, &foam), WEIR_OK);
    for (uint32_t i = 0; i < foam.count; i++) {
        vec3 p = foam.position[i];
        bool newborn = foam.age[i] == 0.0f;
        float solid = depth_in_solids(sim, stats.time_s, p);
        float depth = fmaxf(solid, depth_in_sides(&sim->scene->data->domain, p)) / d;
        c->kinds[foam.kind[i]]++;
        c->born += newborn;
        c->near_solids += solid > -0.2f * d;
        c->phantom += is_phantom(sim, p);
        c->deepest[newborn] = fmaxf(c->deepest[newborn], depth);
    }
    io_particles_free(&foam);
}

static weir_sim *create(const fixture *f, const char *text, weir_scene **scene)
{
    weir_sim *sim = NULL;
    assert_int_equal(parse_scene(text, scene), WEIR_OK);
    assert_int_equal(weir_sim_create(f->device, *scene, &sim), WEIR_OK);
    return sim;
}

static census run(const fixture *f, const char *text)
{
    weir_scene *scene = NULL;
    weir_sim *sim = create(f, text, &scene);
    census c = {.deepest = {-INFINITY, -INFINITY}};
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        assert_int_equal(weir_sim_step(sim, 0), WEIR_OK);
        count(sim, &c);
    }
    print_message("  spray %u, foam %u, bubbles %u, born %u, at solids %u; deepest %.3f d, of "
                  "newborn %.3f d\n",
                  c.kinds[0], c.kinds[1], c.kinds[2], c.born, c.near_solids, (double)c.deepest[0],
                  (double)c.deepest[1]);
    weir_sim_destroy(&sim);
    weir_scene_destroy(&scene);
    return c;
}

static void nothing_is_inside_of_solids_or_sides_not_even_newborn(void **state)
{
    const fixture *f = *state;
    static const char *const methods[] = {"", " \"solver\": {\"method\": \"flip\"},"};
    write_block(f);
    for (size_t i = 0; i < BASE_COUNT(methods); i++) {
        char text[2048];
        snprintf(text, sizeof text, splash, methods[i], f->folder);
        census c = run(f, text);
        for (uint32_t kind = 0; kind < WHITEWATER_TRACER; kind++)
            assert_true(c.kinds[kind] > 500);
        assert_true(c.born > 2000 && c.near_solids > 500);
        assert_true(c.deepest[0] <= DEEP && c.deepest[1] <= DEEP);
    }
}

/* ---- bodies --------------------------------------------------------------------------------- */

static void bodies_are_met_where_they_are(void **state)
{
    const fixture *f = *state;
    census c = run(f, scene_text("whitewater_boundary_swept"));
    print_message("  where the body was at the start: %u\n", c.phantom);
    assert_true(c.near_solids > 100 && c.phantom > 500);
    assert_true(c.deepest[0] <= DEEP && c.deepest[1] <= DEEP);
}

/* The resumed run starts with the bodies where they are now, not where they were at the start of
   the scene. */
static void a_resumed_run_meets_bodies_alike(void **state)
{
    const fixture *f = *state;
    enum { STOP = 22, MORE = 2 };
    char path[96];
    io_particles whole, resumed;
    weir_scene *scenes[2] = {NULL, NULL};
    weir_sim *a = create(f, scene_text("whitewater_boundary_swept"), &scenes[0]),
             *b = create(f, scene_text("whitewater_boundary_swept"), &scenes[1]);
    snprintf(path, sizeof path, "%s/state", f->folder);
    for (uint32_t frame = 0; frame < STOP; frame++)
        assert_int_equal(weir_sim_step(a, 0), WEIR_OK);
    assert_int_equal(weir_sim_save(a, path), WEIR_OK);
    assert_int_equal(weir_sim_restore(b, path), WEIR_OK);
    for (uint32_t frame = 0; frame < MORE; frame++) {
        assert_int_equal(weir_sim_step(a, 0), WEIR_OK);
        assert_int_equal(weir_sim_step(b, 0), WEIR_OK);
    }
    assert_int_equal(api_sim_read_whitewater(a, &whole), WEIR_OK);
    assert_int_equal(api_sim_read_whitewater(b, &resumed), WEIR_OK);
    assert_int_equal(whole.count, resumed.count);
    assert_true(whole.count > 500);
    assert_memory_equal(whole.position, resumed.position, whole.count * sizeof *whole.position);
    assert_memory_equal(whole.velocity, resumed.velocity, whole.count * sizeof *whole.velocity);
    io_particles_free(&whole);
    io_particles_free(&resumed);
    weir_sim_destroy(&a);
    weir_sim_destroy(&b);
    weir_scene_destroy(&scenes[0]);
    weir_scene_destroy(&scenes[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_inside_of_solids_or_sides_not_even_newborn),
        cmocka_unit_test(bodies_are_met_where_they_are),
        cmocka_unit_test(a_resumed_run_meets_bodies_alike),
    };
    return cmocka_run_group_tests(tests, open_fixture, close_fixture);
}
