/* Attributes of whitewater: those that the fluid had where a particle was born, kept for its life,
 * in states, in files and by a start from them. */
#define _XOPEN_SOURCE 700
#include "api_support.h"

#include "io.h"
#include "sim_whitewater.h"
#include "weir/attributes.h"
#include "weir/start.h"

/* A dam break of two halves. No fluid particle has the place of another as its `home`. */
#define HALF(low, high, ink)                                                              \
    "{\"shape\": {\"box\": {\"min\": [0, 0, " low "], \"max\": [0.25, 0.4, " high "]}}, " \
    "\"attributes\": {\"ink\": " ink "}}"
#define DAM                                                                                  \
    "{\"name\": \"dam\", \"domain\": {\"min\": [0, 0, 0], \"max\": [0.8, 0.5, 0.2]}, "       \
    "\"spacing\": 0.025, \"whitewater\": {\"lifetime\": 0.2},\n\"attributes\": [{\"name\": " \
    "\"ink\"}, {\"name\""                                                                    \
    ": \"age\", \"kind\": \"age\"}, {\"name\": \"home\", \"components\": 3, \"kind\": "      \
    "\"rest_position\"}],\n\"fluids\": [{\"name\": \"water\", \"fill\": [" HALF(             \
        "0", "0.1", "0.25") ", " HALF("0.1", "0.2", "4") "]}]}"
#define FRAMES 24
#define MAX_FLUID 4096u

static float fluid_home[3 * MAX_FLUID], fluid_ink[MAX_FLUID];
static vec3 fluid_position[MAX_FLUID], fluid_velocity[MAX_FLUID];

static void read_fluid(weir_sim *sim)
{
    const uint32_t count = count_of(sim);
    assert_true(count <= MAX_FLUID);
    const size_t size = count * sizeof *fluid_position;
    assert_int_equal(weir_sim_read_field(sim, WEIR_FIELD_POSITION, &fluid_position->x, size), 0);
    assert_int_equal(weir_sim_read_field(sim, WEIR_FIELD_VELOCITY, &fluid_velocity->x, size), 0);
    assert_int_equal(weir_sim_read_attribute(sim, "home", fluid_home, 12u * count), WEIR_OK);
    assert_int_equal(weir_sim_read_attribute(sim, "ink", fluid_ink, 4u * count), WEIR_OK);
}

/* Returns the fluid particle that has this home. */
static uint32_t find_parent(const float *home, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (memcmp(&fluid_home[3 * i], home, 3 * sizeof *home) == 0) return i;
    fail_msg("no fluid particle has the home (%g, %g, %g)", (double)home[0], (double)home[1],
             (double)home[2]);
    return 0;
}

static weir_sim *dam(fixture *f, int frames)
{
    weir_sim *sim = simulate_scene(f, DAM);
    step_frames(sim, frames);
    return sim;
}

static io_particles whitewater_of(weir_sim *sim)
{
    io_particles read;
    assert_int_equal(api_sim_read_whitewater(sim, &read), WEIR_OK);
    assert_true(read.count > 50);
    assert_int_equal(read.attributes.components, 4); /* "age" is a column of whitewater's own */
    return read;
}

/* A particle is born on the path of its parent in the frame, and at most half a spacing beside
 * it. */
static bool is_born_at(const io_particles *born, uint32_t i, uint32_t parent)
{
    const vec3 back = vec3_scale(fluid_velocity[parent], 1.0f / 60.0f);
    const vec3 apart = vec3_sub(fluid_position[parent], born->position[i]);
    return vec3_length(apart) <= vec3_length(back) + 0.6f * 0.025f;
}

/* Ink and home are those of one fluid particle, and the same in the frame before for what lived
 * then. */
static void whitewater_keeps_what_its_parent_had(void **state)
{
    weir_sim *sim = dam(*state, FRAMES - 4);
    io_particles before = whitewater_of(sim);
    uint32_t inks[2] = {0, 0}, kept = 0, born = 0, far = 0, newest = before.id[before.count - 1];
    step_frames(sim, 1);
    io_particles now = whitewater_of(sim);
    read_fluid(sim);
    for (uint32_t i = 0; i < now.count; i++) {
        const float *own = &now.attribute_values[4 * i];
        const uint32_t parent = find_parent(own + 1, count_of(sim));
        assert_true(own[0] == fluid_ink[parent]);
        inks[own[0] > 1.0f]++;
        born += now.id[i] > newest;
        far += now.id[i] > newest && !is_born_at(&now, i, parent);
        for (uint32_t k = 0; k < before.count; k++)
            if (before.id[k] == now.id[i]) {
                assert_memory_equal(own, &before.attribute_values[4 * k], 4 * sizeof *own);
                kept++;
            }
    }
    print_message("  %u of one ink, %u of the other, %u of %u from before, %u born, %u far away\n",
                  inks[0], inks[1], kept, before.count, born, far);
    assert_true(inks[0] > 20 && inks[1] > 20 && kept > 20 && kept < before.count);
    assert_true(born > 20 && far == 0);
    io_particles_free(&before);
    io_particles_free(&now);
}

static void assert_same(weir_sim *sim, const io_particles *expected)
{
    io_particles read = whitewater_of(sim);
    assert_int_equal(read.count, expected->count);
    assert_memory_equal(read.id, expected->id, read.count * sizeof *read.id);
    assert_memory_equal(read.attribute_values, expected->attribute_values,
                        4 * read.count * sizeof *read.attribute_values);
    io_particles_free(&read);
}

static void a_state_has_them(void **state)
{
    fixture *f = *state;
    char path[96];
    snprintf(path, sizeof path, "%s/state", f->folder);
    weir_sim *sim = dam(f, FRAMES - 4);
    assert_int_equal(weir_sim_save(sim, path), WEIR_OK);
    step_frames(sim, 4);
    io_particles whole = whitewater_of(sim);
    assert_int_equal(weir_sim_restore(sim, path), WEIR_OK);
    step_frames(sim, 4);
    assert_same(sim, &whole);
    io_particles_free(&whole);
}

static void files_have_them_and_starts_read_them(void **state)
{
    static const weir_attribute names[] = {{"ink", 1}, {"home", 3}};
    fixture *f = *state;
    char path[128];
    weir_output *output = NULL;
    weir_whitewater_particles loaded;
    weir_output_def out = weir_output_def_default();
    weir_sim *sim = dam(f, FRAMES), *next = NULL;
    out.log = kept_log();
    out.folder = f->folder;
    assert_int_equal(weir_output_create(&out, sim, &output), WEIR_OK);
    assert_int_equal(weir_output_write_frame(output), WEIR_OK);
    assert_int_equal(weir_output_flush(output), WEIR_OK);
    weir_output_destroy(&output);
    io_particles own = whitewater_of(sim);
    const weir_whitewater_load_def load = {.as = &out, .attributes = names, .attribute_count = 2};
    snprintf(path, sizeof path, "%s/whitewater/whitewater_%04d.ply", f->folder, FRAMES);
    assert_int_equal(weir_whitewater_load_attributes(&out.log, path, &load, &loaded), WEIR_OK);
    assert_int_equal(loaded.attribute_count, 2);
    for (uint32_t i = 0; i < own.count; i++) {
        const weir_attribute_values *ink = &loaded.attributes[0], *home = &loaded.attributes[1];
        assert_true(ink->values[i * ink->stride] == own.attribute_values[4 * i]);
        assert_memory_equal(home->values + i * home->stride, &own.attribute_values[4 * i + 1], 12);
    }
    weir_sim_start start = weir_sim_start_default();
    start.whitewater = &loaded;
    assert_int_equal(weir_sim_create_from(f->device, f->scene, &start, &next), WEIR_OK);
    assert_same(next, &own);
    weir_sim_destroy(&next);
    loaded.attribute_count = 1; /* without a home: the scene's initial value */
    assert_int_equal(weir_sim_create_from(f->device, f->scene, &start, &next), WEIR_OK);
    io_particles started = whitewater_of(next);
    assert_true(started.attribute_values[0] == own.attribute_values[0]);
    assert_true(started.attribute_values[1] == 0.0f);
    io_particles_free(&started);
    weir_sim_destroy(&next);
    weir_whitewater_particles_free(&loaded);
    io_particles_free(&own);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_fixture, close_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(whitewater_keeps_what_its_parent_had),
        TEST(a_state_has_them),
        TEST(files_have_them_and_starts_read_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
