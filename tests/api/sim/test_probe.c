/* Probes at points: the answers are sums over all particles, found without waiting. */
#define _POSIX_C_SOURCE 200809L
#include "api_internal.h"
#include "validation.h"

#include "api_support.h"

#include "weir/probe.h"

#define PLACES 120u
#define ROOM 4096u

#define TILTED                                                                           \
    "{\"name\": \"tilted\", \"domain\": {\"min\": [0, 0, 0], \"max\": [0.5, 0.5, 0.4],"  \
    " \"sides\": {\"x\": \"periodic\"}}, \"gravity\": [0, -6, -8],"                      \
    " \"frame_rate\": 60, \"duration\": 0.1, \"spacing\": 0.05,"                         \
    " \"solver\": {\"substeps\": 2, \"iterations\": 2},"                                 \
    " \"fluids\": [{\"name\": \"water\", \"fill\": {\"velocity\": [1, 0, 0], \"shape\":" \
    " {\"box\": {\"min\": [0, 0, 0], \"max\": [0.5, 0.3, 0.2]}}}}]}"
#define PLANAR                                                                           \
    "{\"name\": \"planar\", \"domain\": {\"min\": [0, 0, 0], \"max\": [0.5, 0.5, 0.1]}," \
    " \"frame_rate\": 60, \"duration\": 0.1, \"spacing\": 0.02,"                         \
    " \"solver\": {\"substeps\": 2, \"iterations\": 2, \"dimensions\": 2},"              \
    " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\":"                \
    " {\"min\": [0, 0, 0], \"max\": [0.3, 0.25, 0.1]}}}}]}"

/* A simulation and its particles. */
typedef struct fluid {
    weir_device *device;
    weir_scene *scene;
    weir_sim *sim;
    weir_probe *probe;
    uint32_t count;
    vec3 x[ROOM], v[ROOM];
    float density[ROOM];
    double h, d;
} fluid;

static weir_device *device;

static int open_shared_device(void **state)
{
    weir_device_def def = weir_device_def_default();
    def.log = kept_log();
    ask_for_validation(&def);
    return weir_device_create(&def, &device) == WEIR_OK ? 0 : -1;
}

static int close_shared_device(void **state)
{
    uint32_t messages = weir_device_validation_count(device);
    weir_device_destroy(&device);
    return messages == 0 && !device ? 0 : -1;
}

static fluid *open_fluid(const char *text, int frames)
{
    fluid *f = calloc(1, sizeof *f);
    f->device = device;
    if (parse_scene(text, &f->scene) != WEIR_OK) fail_msg("%s", logged);
    assert_int_equal(weir_sim_create(device, f->scene, &f->sim), WEIR_OK);
    assert_int_equal(weir_probe_create(device, f->scene, &f->probe), WEIR_OK);
    for (int i = 0; i < frames; i++)
        assert_int_equal(weir_sim_step(f->sim, 0), WEIR_OK);
    assert_int_equal(weir_sim_get_particle_count(f->sim, &f->count), WEIR_OK);
    assert_true(f->count > 100 && f->count <= ROOM);
    assert_int_equal(weir_sim_read_field(f->sim, WEIR_FIELD_POSITION, f->x, f->count * 12),
                     WEIR_OK);
    assert_int_equal(weir_sim_read_field(f->sim, WEIR_FIELD_VELOCITY, f->v, f->count * 12),
                     WEIR_OK);
    assert_int_equal(weir_sim_read_field(f->sim, WEIR_FIELD_DENSITY, f->density, f->count * 4),
                     WEIR_OK);
    return f;
}

static void close_fluid(fluid *f)
{
    weir_probe_destroy(&f->probe);
    weir_sim_destroy(&f->sim);
    weir_scene_destroy(&f->scene);
    free(f);
}

static void ask(fluid *f, const vec3 *places, uint32_t count)
{
    weir_points *points = NULL;
    assert_int_equal(weir_sim_acquire_points(f->sim, &points), WEIR_OK);
    f->d = (double)points->slot.points.spacing_m;
    f->h = (double)points->slot.points.radius_m;
    if (weir_probe_submit(f->probe, points, &places[0].x, count) != WEIR_OK) fail_msg("%s", logged);
    weir_points_release(&points);
}

/* ---- the reference -------------------------------------------------------------------------- */

/* Computes the expected answer as sums over all particles. */
static weir_probe_sample expect(const fluid *f, vec3 place)
{
    const scene_data *scene = f->scene->data;
    double weight = 0.0, flow[3] = {0}, density = 0.0, ratio = f->d / f->h;
    bool planar = scene->solver.dimensions == 2;
    double width = (double)(scene->domain.max.x - scene->domain.min.x);
    for (uint32_t j = 0; j < f->count; j++) {
        double x = (double)(place.x - f->x[j].x), y = (double)(place.y - f->x[j].y),
               z = planar ? 0.0 : (double)(place.z - f->x[j].z);
        if (scene->domain.sides[0] == SCENE_SIDE_PERIODIC) x -= width * round(x / width);
        double q = (x * x + y * y + z * z) / (f->h * f->h),
               w = q < 1.0 ? (1.0 - q) * (1.0 - q) * (1.0 - q) : 0.0;
        weight += w;
        flow[0] += w * (double)f->v[j].x;
        flow[1] += w * (double)f->v[j].y;
        flow[2] += w * (double)f->v[j].z;
        density += w * (double)f->density[j];
    }
    double volume = planar ? 4.0 / 3.14159265 * ratio * ratio
                           : 315.0 / (64.0 * 3.14159265) * ratio * ratio * ratio;
    weir_probe_sample a = {.fluid_fraction = (float)(volume * weight)};
    if (weight > 0.0) a.density = (float)(density / weight);
    for (int k = 0; k < 3 && weight > 0.0; k++)
        a.velocity[k] = (float)(flow[k] / weight);
    return a;
}

static vec3 upwards(const fluid *f)
{
    vec3 g = f->scene->data->gravity;
    return vec3_scale(g, -1.0f / vec3_length(g));
}

/* Moves a place half a support radius away from the sides, along the column. */
static vec3 clear_of_sides(const fluid *f, vec3 place)
{
    const scene_domain *domain = &f->scene->data->domain;
    vec3 up = upwards(f);
    float h = 0.5f * (float)f->h;
    vec3 inset = {h * (1.0f - fabsf(up.x)), h * (1.0f - fabsf(up.y)), h * (1.0f - fabsf(up.z))};
    if (domain->sides[0] == SCENE_SIDE_PERIODIC) inset.x = 0.0f;
    if (f->scene->data->solver.dimensions == 2) inset.z = 0.0f;
    return vec3_max(vec3_min(place, vec3_sub(domain->max, inset)), vec3_add(domain->min, inset));
}

static float fill_above(const fluid *f, vec3 place, float height)
{
    return expect(f, vec3_add(place, vec3_scale(upwards(f), height))).fluid_fraction;
}

/* Asserts that half of the space is filled at a surface, and nowhere above it more than half. */
static void assert_surface(const fluid *f, vec3 place, float surface)
{
    float d = (float)f->d, most = 0.0f;
    for (int k = 0; k <= 10; k++)
        most = fmaxf(most, fill_above(f, place, surface - 0.05f * (float)k * d));
    float at = fill_above(f, place, surface);
    if (!(fabsf(at - 0.5f) < 0.1f && most > 0.499f))
        fail_msg("the surface %g m above fills %g, half a spacing below at most %g",
                 (double)surface, (double)at, (double)most);
    for (float t = surface + 0.5f * d; t < 1.0f; t += 0.25f * d)
        assert_true(fill_above(f, place, t) < 0.56f);
}

static void assert_column_is_dry(const fluid *f, vec3 place)
{
    for (float t = -1.0f; t < 1.0f; t += 0.25f * (float)f->d)
        assert_true(fill_above(f, place, t) < 0.56f);
}

static void assert_answers(const fluid *f, const vec3 *places, const weir_probe_sample *answers)
{
    uint32_t wet = 0, dry = 0;
    for (uint32_t i = 0; i < PLACES; i++) {
        weir_probe_sample e = expect(f, places[i]);
        const weir_probe_sample *a = &answers[i];
        assert_float_equal(a->fluid_fraction, e.fluid_fraction, 1e-4f);
        if (e.fluid_fraction > 1e-3f) {
            assert_float_equal(a->density, e.density, 0.05f);
            for (int k = 0; k < 3; k++)
                assert_float_equal(a->velocity[k], e.velocity[k], 1e-3f);
        }
        vec3 clear = clear_of_sides(f, places[i]);
        float moved = vec3_dot(upwards(f), vec3_sub(clear, places[i]));
        if (a->surface_offset_m <= WEIR_NO_SURFACE)
            assert_column_is_dry(f, clear), dry++;
        else
            assert_surface(f, clear, a->surface_offset_m - moved), wet++;
    }
    assert_true(wet > PLACES / 10 && dry > 0);
}

static void random_places(const fluid *f, vec3 *places)
{
    const scene_domain *domain = &f->scene->data->domain;
    vec3 size = vec3_sub(domain->max, domain->min);
    for (uint32_t i = 0; i < PLACES; i++)
        places[i] = vec3_add(domain->min, vec3_make(base_hash_to_unit(3ull * i) * size.x,
                                                    base_hash_to_unit(3ull * i + 1) * size.y * 1.1f,
                                                    base_hash_to_unit(3ull * i + 2) * size.z));
}

/* ---- tests ---------------------------------------------------------------------------------- */

static void answers_are_sums_over_all_particles(void **state)
{
    static const char *const scenes[] = {TINY_SCENE, TILTED, PLANAR};
    static vec3 places[PLACES];
    static weir_probe_sample answers[PLACES];
    for (size_t s = 0; s < BASE_COUNT(scenes); s++) {
        fluid *f = open_fluid(scenes[s], 4);
        uint32_t count = PLACES;
        uint64_t number;
        random_places(f, places);
        ask(f, places, PLACES);
        assert_int_equal(weir_probe_read(f->probe, true, answers, &count, &number), WEIR_OK);
        assert_int_equal(count, PLACES);
        assert_int_equal(number, 1);
        assert_answers(f, places, answers);
        close_fluid(f);
    }
}

/* A still box of water has its surface where the fill put it. */
static void a_level_is_the_fills(void **state)
{
    fluid *f = open_fluid(TINY_SCENE, 0);
    const vec3 places[] = {{0.15f, 0.1f, 0.15f}, {0.15f, 0.4f, 0.15f}, {0.45f, 0.1f, 0.15f}};
    weir_probe_sample answers[3];
    uint32_t count = 3;
    uint64_t number;
    ask(f, places, 3);
    assert_int_equal(weir_probe_read(f->probe, true, answers, &count, &number), WEIR_OK);
    assert_float_equal(answers[0].surface_offset_m, 0.15f, 0.01f);
    assert_float_equal(answers[1].surface_offset_m, -0.15f, 0.01f);
    assert_true(answers[2].surface_offset_m == WEIR_NO_SURFACE);
    assert_float_equal(answers[0].fluid_fraction, 1.0f, 0.05f);
    assert_true(answers[1].fluid_fraction == 0.0f && answers[1].density == 0.0f);
    close_fluid(f);
}

/* Each frame sends probes and nobody waits. Answers belong to an earlier frame, and in the end
   all have arrived. */
static void frames_go_on_while_answers_come(void **state)
{
    enum { FRAMES = 8 };
    fluid *f = open_fluid(TINY_SCENE, 0);
    const vec3 place = {0.15f, 0.1f, 0.15f};
    weir_probe_sample answer, all[2];
    uint64_t number = 0, before = 0;
    uint32_t count = 1;
    assert_int_equal(weir_probe_read(f->probe, true, &answer, &count, &number), WEIR_OK);
    assert_int_equal(number, 0);
    assert_int_equal(count, 0);
    for (uint64_t i = 1; i <= FRAMES; i++) {
        ask(f, &place, 1);
        count = 1;
        assert_int_equal(weir_probe_read(f->probe, false, &answer, &count, &number), WEIR_OK);
        assert_true(number >= before && number <= i);
        before = number;
        assert_int_equal(weir_sim_step(f->sim, 0), WEIR_OK);
    }
    count = 1;
    assert_int_equal(weir_probe_read(f->probe, true, &answer, &count, &number), WEIR_OK);
    assert_int_equal(number, FRAMES);
    const vec3 two[] = {place, place}; /* more than before: buffers grow */
    ask(f, two, 2);
    count = 2;
    assert_int_equal(weir_probe_read(f->probe, true, all, &count, &number), WEIR_OK);
    assert_int_equal(number, FRAMES + 1);
    assert_memory_equal(&all[0], &all[1], sizeof all[0]);
    close_fluid(f);
}

static void faulty_questions_are_refused(void **state)
{
    fluid *f = open_fluid(TINY_SCENE, 0);
    weir_points *points = NULL;
    float place[3] = {0, 0, NAN};
    uint32_t count = 1;
    uint64_t number;
    assert_int_equal(weir_sim_acquire_points(f->sim, &points), WEIR_OK);
    assert_int_equal(weir_probe_submit(f->probe, points, place, 1), WEIR_ERROR_ARGUMENT);
    assert_logged("`points_m` must be finite");
    assert_int_equal(weir_probe_submit(f->probe, points, place, 0), WEIR_ERROR_ARGUMENT);
    assert_logged("`count`");
    assert_int_equal(weir_probe_submit(f->probe, points, NULL, 1), WEIR_ERROR_ARGUMENT);
    assert_logged("`points_m`");
    assert_int_equal(weir_probe_submit(f->probe, NULL, place, 1), WEIR_ERROR_ARGUMENT);
    assert_logged("`points`");
    assert_int_equal(weir_probe_read(f->probe, false, NULL, &count, NULL), WEIR_ERROR_ARGUMENT);
    assert_logged("`number`");
    assert_int_equal(weir_probe_read(f->probe, true, NULL, &count, &number), WEIR_OK);
    assert_int_equal(number + count, 0);
    weir_points_release(&points);
    close_fluid(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_sums_over_all_particles),
        cmocka_unit_test(a_level_is_the_fills),
        cmocka_unit_test(frames_go_on_while_answers_come),
        cmocka_unit_test(faulty_questions_are_refused),
    };
    return cmocka_run_group_tests(tests, open_shared_device, close_shared_device);
}
