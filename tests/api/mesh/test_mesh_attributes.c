/* Attributes of particles at the vertices of meshes: from points of a program, from a simulation,
 * and the same through refinement and in batches. */
#define _XOPEN_SOURCE 700
#include "api_support.h"

#include "weir/attributes.h"
#include "weir/mesh.h"

#define SIDE 12u
#define COUNT (SIDE * SIDE * SIDE)
#define SPACING 0.05f

static const weir_mesh_channel *find_channel(const weir_mesh_arrays *mesh, const char *name)
{
    for (uint32_t i = 0; i < mesh->channel_count; i++)
        if (strcmp(mesh->channel[i].name, name) == 0) return &mesh->channel[i];
    fail_msg("no channel %s", name);
    return NULL;
}

/* A cube of particles whose attributes are one, their place, and the place again with a fourth
 * component; the latter begins in one vector and ends in the next. */
static weir_points *make_cube(weir_device *device, float *positions, float *values)
{
    weir_points_def def = weir_points_def_default();
    weir_points *points;
    const weir_attribute_values attributes[] = {
        {"one", 1, 1, values}, {"place", 3, 3, positions}, {"more", 4, 4, values + COUNT}};
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t at[] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        values[i] = 1.0f;
        values[COUNT + 4 * i + 3] = 7.0f;
        for (uint32_t k = 0; k < 3; k++)
            positions[3 * i + k] = values[COUNT + 4 * i + k] = SPACING * ((float)at[k] + 0.5f);
    }
    def.count = COUNT;
    def.spacing_m = SPACING;
    def.position = positions;
    def.attributes = attributes;
    def.attribute_count = 3;
    if (weir_points_create(device, &def, &points) != WEIR_OK) fail_msg("%s", logged);
    return points;
}

static void assert_near(float value, float expected, float tolerance)
{
    if (!(fabsf(value - expected) <= tolerance))
        fail_msg("%g, expected %g", (double)value, (double)expected);
}

/* A vertex lies at the surface, and the particles that give it its values inside. */
static void assert_interpolated(const weir_mesh_arrays *mesh)
{
    const weir_mesh_channel *one = find_channel(mesh, "one"), *place = find_channel(mesh, "place"),
                            *more = find_channel(mesh, "more");
    assert_true(one->components == 1 && place->components == 3 && more->components == 4);
    assert_true(mesh->vertex_count > 100);
    for (uint32_t i = 0; i < mesh->vertex_count; i++) {
        assert_near(one->values[i], 1.0f, 1e-5f);
        assert_near(more->values[4 * i + 3], 7.0f, 1e-4f);
        for (uint32_t k = 0; k < 3; k++) {
            assert_near(place->values[3 * i + k], mesh->position[3 * i + k], 1.5f * SPACING);
            assert_near(place->values[3 * i + k], more->values[4 * i + k], 1e-5f);
        }
    }
}

static void a_mesh_has_the_attributes_of_its_particles(void **state)
{
    fixture *f = *state;
    static float positions[3 * COUNT], values[5 * COUNT];
    weir_points *points = make_cube(f->device, positions, values);
    for (uint32_t raw = 0; raw < 2; raw++) {
        weir_mesher_def def = weir_mesher_def_default(NULL);
        weir_mesher *mesher;
        weir_mesh *mesh;
        weir_mesh_arrays arrays;
        def.raw = raw;
        def.attributes = true;
        assert_int_equal(weir_mesher_create(f->device, &def, &mesher), WEIR_OK);
        assert_int_equal(weir_mesher_run(mesher, points, &mesh), WEIR_OK);
        weir_mesh_get_arrays(mesh, &arrays);
        assert_interpolated(&arrays);
        weir_mesh_destroy(&mesh);
        weir_mesher_destroy(&mesher);
        def.particle_attributes = false;
        assert_int_equal(weir_mesher_create(f->device, &def, &mesher), WEIR_OK);
        assert_int_equal(weir_mesher_run(mesher, points, &mesh), WEIR_OK);
        weir_mesh_get_arrays(mesh, &arrays);
        assert_int_equal(arrays.channel_count, 0);
        weir_mesh_destroy(&mesh);
        weir_mesher_destroy(&mesher);
    }
    weir_points_release(&points);
}

static void a_mesh_of_a_simulation_has_its_attributes(void **state)
{
    fixture *f = *state;
    weir_points *points;
    weir_mesher *mesher;
    weir_mesh *mesh;
    weir_mesh_arrays arrays;
    weir_sim *sim = simulate_scene(
        f, "{\"domain\": {\"min\": [0, 0, 0], \"max\": [0.5, 0.5, 0.3]}, \"spacing\": 0.025, "
           "\"attributes\": [{\"name\": \"dye\"}], \"fluids\": [{\"name\": \"water\", \"fill\": "
           "[{\"shape\": {\"box\": {\"min\": [0, 0, 0], \"max\": [0.15, 0.25, 0.3]}}, "
           "\"attributes\": {\"dye\": 1}}, {\"shape\": {\"box\": {\"min\": [0.15, 0, 0], \"max\": "
           "[0.3, 0.25, 0.3]}}}]}]}");
    assert_int_equal(weir_sim_acquire_points(sim, &points), WEIR_OK);
    assert_int_equal(weir_mesher_create(f->device, NULL, &mesher), WEIR_OK);
    assert_int_equal(weir_mesher_run(mesher, points, &mesh), WEIR_OK);
    weir_mesh_get_arrays(mesh, &arrays);
    const weir_mesh_channel *dye = find_channel(&arrays, "dye");
    for (uint32_t i = 0; i < arrays.vertex_count; i++) {
        const float x = arrays.position[3 * i];
        if (x < 0.08f) assert_near(dye->values[i], 1.0f, 0.01f); /* smoothing shifts it */
        if (x > 0.22f) assert_near(dye->values[i], 0.0f, 0.01f);
        assert_near(dye->values[i], 0.5f, 0.50001f);
    }
    weir_mesh_destroy(&mesh);
    weir_mesher_destroy(&mesher);
    weir_points_release(&points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mesh_has_the_attributes_of_its_particles),
        cmocka_unit_test(a_mesh_of_a_simulation_has_its_attributes),
    };
    return cmocka_run_group_tests(tests, open_fixture, close_fixture);
}
