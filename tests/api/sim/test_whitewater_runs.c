/* Whitewater in whole runs: files, statistics, saved states, and settings that a scene may not
   have. */
#define _XOPEN_SOURCE 700
#include "api_support.h"

#include "io.h"
#include "sim_whitewater.h"
#include "weir/profile.h"
#include "weir/whitewater.h"

/* A small dam break. %s: more keys. */
#define DAM                                                                           \
    "{\"name\": \"dam\", \"domain\": {\"min\": [0, 0, 0], \"max\": [0.8, 0.5, 0.2]}," \
    " \"spacing\": 0.025, %s"                                                         \
    " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\":"             \
    " {\"min\": [0, 0, 0], \"max\": [0.25, 0.4, 0.2]}}}}]}"
#define FOAMY "\"whitewater\": {},"
#define FOAMY_FLIP "\"whitewater\": {}, \"solver\": {\"method\": \"flip\"},"
#define FOAMY_PCISPH "\"whitewater\": {}, \"solver\": {\"method\": \"pcisph\"},"
#define FRAMES 28u
#define STOP 20u

static weir_scene *scene_with(const char *keys)
{
    char text[1024];
    weir_scene *scene = NULL;
    snprintf(text, sizeof text, DAM, keys);
    assert_int_equal(parse_scene(text, &scene), WEIR_OK);
    return scene;
}

static void step(weir_sim *sim, uint32_t frames)
{
    for (uint32_t i = 0; i < frames; i++)
        assert_int_equal(weir_sim_step(sim, 0), WEIR_OK);
}

static weir_stats stats_of(weir_sim *sim)
{
    weir_stats stats;
    assert_int_equal(weir_sim_get_stats(sim, &stats), WEIR_OK);
    return stats;
}

static void assert_same_whitewater(weir_sim *a, weir_sim *b)
{
    io_particles left, right;
    assert_int_equal(api_sim_read_whitewater(a, &left), WEIR_OK);
    assert_int_equal(api_sim_read_whitewater(b, &right), WEIR_OK);
    assert_int_equal(left.count, right.count);
    assert_true(left.count > 50);
    assert_memory_equal(left.position, right.position, left.count * sizeof *left.position);
    assert_memory_equal(left.velocity, right.velocity, left.count * sizeof *left.velocity);
    assert_memory_equal(left.id, right.id, left.count * sizeof *left.id);
    assert_memory_equal(left.kind, right.kind, left.count * sizeof *left.kind);
    assert_memory_equal(left.age, right.age, left.count * sizeof *left.age);
    io_particles_free(&left);
    io_particles_free(&right);
}

/* Water that falls thirty times too fast, and produces a hundred times too much whitewater. */
static void the_whitewater_of_a_violent_scene_is_numbers(void **state)
{
    fixture *f = *state;
    static const char *const methods[] = {"pbf", "pcisph", "wcsph", "flip", "apic"};
    for (size_t i = 0; i < BASE_COUNT(methods); i++) {
        char keys[256];
        snprintf(keys, sizeof keys,
                 "\"gravity\": [100, -300, 0], \"whitewater\": {\"emission_rate\": 100, "
                 "\"max_particles\": 2000}, "
                 "\"solver\": "
                 "{\"method\": \"%s\", \"substeps\": 2},",
                 methods[i]);
        weir_scene *scene = scene_with(keys);
        weir_sim *sim = NULL;
        io_particles read;
        assert_int_equal(weir_sim_create(f->device, scene, &sim), WEIR_OK);
        step(sim, 3);
        assert_int_equal(api_sim_read_whitewater(sim, &read), WEIR_OK);
        assert_true(read.count > 0 && read.count <= 2000);
        for (uint32_t k = 0; k < read.count; k++) {
            const vec3 *x = &read.position[k], *v = &read.velocity[k];
            assert_true(isfinite(x->x + x->y + x->z) && isfinite(v->x + v->y + v->z));
            assert_true(isfinite(read.age[k]) && isfinite(read.radius[k]));
        }
        io_particles_free(&read);
        weir_sim_destroy(&sim);
        weir_scene_destroy(&scene);
    }
}

/* The fluid has the same bits as without whitewater; a resumed run has the same whitewater. */
static void a_saved_state_carries_the_whitewater(void **state)
{
    fixture *f = *state;
    char path[96];
    snprintf(path, sizeof path, "%s/state", f->folder);
    static const char *const methods[] = {FOAMY, FOAMY_FLIP, FOAMY_PCISPH};
    for (size_t i = 0; i < BASE_COUNT(methods); i++) {
        weir_scene *scene = scene_with(methods[i]);
        weir_sim *whole = NULL, *resumed = NULL;
        assert_int_equal(weir_sim_create(f->device, scene, &whole), WEIR_OK);
        assert_int_equal(weir_sim_create(f->device, scene, &resumed), WEIR_OK);
        step(whole, STOP);
        assert_int_equal(weir_sim_save(whole, path), WEIR_OK);
        step(whole, FRAMES - STOP);
        assert_int_equal(weir_sim_restore(resumed, path), WEIR_OK);
        step(resumed, FRAMES - STOP);
        assert_same_whitewater(whole, resumed);
        weir_sim_destroy(&whole);
        weir_sim_destroy(&resumed);
        weir_scene_destroy(&scene);
    }
}

/* Rewrites the saved state with four bytes of its whitewater replaced, or without its last
   bytes. */
static void forge(const char *path, size_t offset, uint32_t word, size_t cut)
{
    static const char kind[8] = "weirsim";
    io_block_file file;
    assert_int_equal(io_block_file_read(NULL, path, kind, &file), WEIR_OK);
    for (size_t i = 0; i < file.count; i++) {
        io_block *block = &file.blocks[i];
        if (strcmp(block->tag, "carried") != 0) continue;
        assert_true(block->size > sizeof(whitewater_saved) + sizeof(struct whitewater_particle));
        memcpy((uint8_t *)(uintptr_t)block->bytes + offset, &word, sizeof word);
        block->size -= cut;
    }
    assert_int_equal(io_block_file_write(NULL, path, kind, file.blocks, file.count), WEIR_OK);
    io_block_file_free(&file);
}

static void whitewater_that_cannot_be_is_refused(void **state)
{
    fixture *f = *state;
    const size_t first = sizeof(whitewater_saved);
    const uint32_t nan = 0x7fc00000u;
    const struct {
        size_t offset;
        uint32_t word;
        size_t cut;
    } forgeries[] = {
        {offsetof(whitewater_saved, count), 1u << 30, 0}, /* more than the block contains */
        {first + offsetof(struct whitewater_particle, position), nan, 0},
        {first + offsetof(struct whitewater_particle, position) + 12, 0, 0}, /* a radius of 0 */
        {first + offsetof(struct whitewater_particle, velocity), 0x60ad78ecu /* 1e20f */, 0},
        {first + offsetof(struct whitewater_particle, kind), 4, 0},
        {first + offsetof(struct whitewater_particle, lifetime), nan, 0},
        {first + offsetof(struct whitewater_particle, kind), 0, 4}, /* truncated */
    };
    char path[96];
    snprintf(path, sizeof path, "%s/state", f->folder);
    const weir_scene_def def = weir_scene_def_default();
    weir_scene *scene = NULL;
    weir_sim *sim = NULL;
    assert_int_equal(weir_scene_load("tests/fuzz/things.json", &def, &scene), WEIR_OK);
    assert_int_equal(weir_sim_create(f->device, scene, &sim), WEIR_OK);
    for (size_t i = 0; i < BASE_COUNT(forgeries); i++) {
        step(sim, 2);
        assert_true(stats_of(sim).bubbles > 0);
        assert_int_equal(weir_sim_save(sim, path), WEIR_OK);
        assert_int_equal(weir_sim_restore(sim, path), WEIR_OK);
        forge(path, forgeries[i].offset, forgeries[i].word, forgeries[i].cut);
        if (weir_sim_restore(sim, path) == WEIR_OK) fail_msg("forgery %zu was believed", i);
    }
    weir_sim_destroy(&sim);
    weir_scene_destroy(&scene);
}

static void whitewater_leaves_the_fluid_as_it_was(void **state)
{
    fixture *f = *state;
    static const char *const keys[] = {FOAMY, ""};
    uint64_t hash[2];
    for (int i = 0; i < 2; i++) {
        weir_scene *scene = scene_with(keys[i]);
        weir_sim *sim = NULL;
        assert_int_equal(weir_sim_create(f->device, scene, &sim), WEIR_OK);
        step(sim, STOP);
        assert_int_equal(weir_sim_get_state_hash(sim, &hash[i]), WEIR_OK);
        weir_stats stats = stats_of(sim);
        assert_int_equal(stats.spray + stats.foam + stats.bubbles > 0, i == 0);
        weir_sim_destroy(&sim);
        weir_scene_destroy(&scene);
    }
    assert_true(hash[0] == hash[1]);
}

/* Water that is at rest in its box from the start. */
static void a_still_pool_makes_none(void **state)
{
    fixture *f = *state;
    weir_scene *scene = NULL;
    weir_sim *sim = NULL;
    static const char text[] =
        "{\"name\": \"pool\", \"domain\": {\"min\": [0, 0, 0], \"max\": [0.4, 0.5, 0.3]},"
        " \"spacing\": 0.025, \"whitewater\": {\"emission_rate\": 10},"
        " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\":"
        " {\"min\": [0, 0, 0], \"max\": [0.4, 0.3, 0.3]}}}}]}";
    assert_int_equal(parse_scene(text, &scene), WEIR_OK);
    assert_int_equal(weir_sim_create(f->device, scene, &sim), WEIR_OK);
    for (int i = 0; i < 60; i++) {
        step(sim, 1);
        weir_stats stats = stats_of(sim);
        assert_int_equal(
            stats.emitted_by_trapped_air + stats.emitted_by_wave_crests + stats.emitted_by_curl, 0);
    }
    weir_sim_destroy(&sim);
    weir_scene_destroy(&scene);
}

static base_blob read_whole(const fixture *f, const char *name)
{
    char path[128];
    base_blob blob = {0};
    snprintf(path, sizeof path, "%s/%s", f->folder, name);
    assert_int_equal(base_file_read(NULL, path, 1 << 26, &blob), WEIR_OK);
    return blob;
}

static void assert_says(const base_blob *blob, const char *words)
{
    size_t size = strlen(words);
    bool found = false;
    for (size_t at = 0; !found && at + size <= blob->size; at++)
        found = memcmp(blob->bytes + at, words, size) == 0;
    if (!found) fail_msg("no \"%s\" in %zu bytes", words, blob->size);
}

/* Asserts that the file, written in the format `as`, holds the simulation's whitewater. */
static void assert_loads(weir_sim *sim, const char *path, const weir_output_def *as)
{
    weir_whitewater_particles own, read;
    assert_int_equal(weir_sim_read_whitewater(sim, &own), WEIR_OK);
    assert_int_equal(weir_whitewater_load(&as->log, path, as, &read), WEIR_OK);
    assert_int_equal(read.count, own.count);
    assert_memory_equal(read.position, own.position, 3 * own.count * sizeof *own.position);
    assert_memory_equal(read.velocity, own.velocity, 3 * own.count * sizeof *own.velocity);
    assert_memory_equal(read.id, own.id, own.count * sizeof *own.id);
    assert_memory_equal(read.kind, own.kind, own.count * sizeof *own.kind);
    assert_memory_equal(read.radius, own.radius, own.count * sizeof *own.radius);
    assert_memory_equal(read.age, own.age, own.count * sizeof *own.age);
    assert_memory_equal(read.lifetime, own.lifetime, own.count * sizeof *own.lifetime);
    weir_whitewater_particles_free(&read);
    weir_whitewater_particles_free(&own);
}

/* The last frame in each format, and the last line of stats.csv. */
static void every_format_has_all_that_whitewater_is(void **state)
{
    fixture *f = *state;
    weir_scene *scene = scene_with(FOAMY);
    weir_sim *sim = NULL;
    assert_int_equal(weir_sim_create(f->device, scene, &sim), WEIR_OK);
    step(sim, FRAMES);
    weir_stats stats = stats_of(sim);
    static const weir_particle_format formats[] = {
        WEIR_PARTICLE_FORMAT_PLY, WEIR_PARTICLE_FORMAT_VTK, WEIR_PARTICLE_FORMAT_BGEO,
        WEIR_PARTICLE_FORMAT_NPY, WEIR_PARTICLE_FORMAT_XYZ, WEIR_PARTICLE_FORMAT_VTP};
    for (size_t i = 0; i < BASE_COUNT(formats); i++) {
        char path[128];
        weir_output *output = NULL;
        weir_particles_info info;
        weir_output_def def = weir_output_def_default();
        def.log = kept_log();
        def.folder = f->folder;
        def.particle_format = formats[i];
        def.y_up = i % 2 == 0;
        def.scale = i % 2 ? 2.0 : 1.0; /* scales that lose no digit */
        assert_int_equal(weir_output_create(&def, sim, &output), WEIR_OK);
        assert_int_equal(weir_output_write_frame(output), WEIR_OK);
        assert_int_equal(weir_output_flush(output), WEIR_OK);
        weir_output_destroy(&output);
        snprintf(path, sizeof path, "%s/whitewater/whitewater_%04u.%s", f->folder, FRAMES,
                 weir_enum_name(WEIR_ENUM_PARTICLE_FORMAT, formats[i]));
        assert_int_equal(weir_particles_inspect(&def.log, path, &info), WEIR_OK);
        assert_int_equal(info.count, stats.spray + stats.foam + stats.bubbles);
        assert_true(info.fields >> WEIR_FIELD_VELOCITY & 1u);
        assert_loads(sim, path, &def);
    }
    base_blob ply = read_whole(f, "whitewater/whitewater_0028.ply"),
              vtk = read_whole(f, "whitewater/whitewater_0028.vtk");
    assert_says(&ply, "property uint id\nproperty uint kind\nproperty float age\n"
                      "property float lifetime\nproperty float radius\nend_header");
    assert_says(&vtk, "FieldData 6");
    base_blob_free(&ply);
    base_blob_free(&vtk);
    base_blob csv = read_whole(f, "stats.csv");
    assert_says(&csv, ",spray,foam,bubbles,tracers,emitted_by_trapped_air,emitted_by_wave_crests,"
                      "emitted_by_curl,");
    char counts[64];
    snprintf(counts, sizeof counts, ",%u,%u,%u,0,%u,%u,%u,", stats.spray, stats.foam, stats.bubbles,
             stats.emitted_by_trapped_air, stats.emitted_by_wave_crests, stats.emitted_by_curl);
    assert_says(&csv, counts);
    base_blob_free(&csv);
    weir_sim_destroy(&sim);
    weir_scene_destroy(&scene);
}

/* ---- measuring ------------------------------------------------------------------------------ */

static void find_advection(void *user, const char *line)
{
    bool *found = user;
    *found = *found || strncmp(line, "advect ", 7) == 0;
}

/* The times of a frame include the whitewater's two tables with their passes, and a reset clears
   them. */
static void its_passes_are_timed_and_explained(void **state)
{
    enum { ROOM = 512 };
    fixture *f = *state;
    weir_scene *scene = scene_with(FOAMY);
    weir_sim *sim = NULL;
    weir_pass_time *times = base_alloc(ROOM, sizeof *times);
    uint32_t count = ROOM, needed = 0, passes = 0, births = 0, whole = 0;
    bool found = false;
    assert_non_null(times);
    assert_int_equal(weir_sim_create(f->device, scene, &sim), WEIR_OK);
    weir_device_set_pass_timing(f->device, true);
    step(sim, 3);
    stats_of(sim);
    assert_int_equal(weir_sim_get_pass_times(sim, times, &count), WEIR_OK);
    assert_int_equal(weir_sim_get_pass_times(sim, NULL, &needed), WEIR_OK);
    assert_int_equal(count, needed);
    for (uint32_t i = 0; i < count; i++) {
        if (strncmp(times[i].is_total ? times[i].name : times[i].stage, "whitewater", 10) != 0)
            continue;
        assert_int_equal(times[i].calls, 3);
        whole += times[i].is_total;
        passes += strcmp(times[i].stage, "whitewater") == 0;
        births += strcmp(times[i].stage, "whitewater emission") == 0;
    }
    assert_int_equal(whole, 2);
    assert_true(passes > 10 && births > 5);
    weir_sim_reset_pass_times(sim);
    assert_int_equal(weir_sim_get_pass_times(sim, times, &count), WEIR_OK);
    assert_int_equal(times[count - 1].calls, 0);
    assert_int_equal(weir_sim_explain(sim, WEIR_EXPLAIN_TEXT, find_advection, &found), WEIR_OK);
    assert_true(found);
    base_free(times);
    weir_sim_destroy(&sim);
    weir_scene_destroy(&scene);
}

/* ---- pictures ------------------------------------------------------------------------------- */

/* Draws points. Release the pixels with base_free. */
static uint8_t *draw(const fixture *f, const weir_scene *scene, const weir_points *points,
                     bool whitewater, size_t *size)
{
    uint32_t width, height;
    const uint8_t *pixels;
    weir_renderer *renderer = NULL;
    weir_image *image = NULL;
    weir_camera view = weir_camera_default(scene);
    weir_renderer_def def = weir_renderer_def_default();
    view.width = 160;
    view.height = 90;
    view.whitewater = whitewater;
    def.scene = scene;
    assert_int_equal(weir_renderer_create(f->device, &def, &renderer), WEIR_OK);
    assert_int_equal(weir_render_points(renderer, points, &view, &image), WEIR_OK);
    assert_int_equal(weir_image_read(image, &width, &height, &pixels), WEIR_OK);
    *size = 4 * (size_t)width * height;
    uint8_t *copy = base_alloc(*size, 1);
    assert_non_null(copy);
    memcpy(copy, pixels, *size);
    weir_image_destroy(&image);
    weir_renderer_destroy(&renderer);
    return copy;
}

/* Returns a simulation at frame STOP. */
static weir_sim *stepped(const fixture *f, const weir_scene *scene)
{
    weir_sim *sim = NULL;
    assert_int_equal(weir_sim_create(f->device, scene, &sim), WEIR_OK);
    step(sim, STOP);
    return sim;
}

static uint8_t *picture(const fixture *f, const char *keys, bool whitewater, size_t *size)
{
    weir_scene *scene = scene_with(keys);
    weir_sim *sim = stepped(f, scene);
    weir_points *points = NULL;
    assert_int_equal(weir_sim_acquire_points(sim, &points), WEIR_OK);
    uint8_t *pixels = draw(f, scene, points, whitewater, size);
    weir_points_release(&points);
    weir_sim_destroy(&sim);
    weir_scene_destroy(&scene);
    return pixels;
}

static void pictures_show_it_and_can_leave_it_out(void **state)
{
    fixture *f = *state;
    size_t size;
    uint8_t *without = picture(f, "", true, &size), *off = picture(f, FOAMY, false, &size);
    uint8_t *on = picture(f, FOAMY, true, &size);
    assert_memory_equal(without, off, size);
    size_t different = 0;
    for (size_t i = 0; i < size; i++)
        different += without[i] != on[i];
    assert_true(different > 200);
    base_free(without);
    base_free(off);
    base_free(on);
}

/* Whitewater supplied by a program is drawn like the simulation's own, up to rounding: half
   floats are summed in another order. */
static void whitewater_that_is_given_is_drawn_like_the_simulations(void **state)
{
    const fixture *f = *state;
    weir_scene *scene = scene_with(FOAMY);
    weir_sim *sim = stepped(f, scene);
    weir_points *points = NULL;
    io_particles own;
    size_t size, most = 0, shown = 0;
    assert_int_equal(weir_sim_acquire_points(sim, &points), WEIR_OK);
    uint8_t *live = draw(f, scene, points, true, &size);
    uint8_t *none = draw(f, scene, points, false, &size);
    assert_int_equal(api_sim_read_whitewater(sim, &own), WEIR_OK);
    weir_whitewater_particles given = {.count = own.count,
                                       .position = &own.position->x,
                                       .velocity = &own.velocity->x,
                                       .id = own.id,
                                       .kind = own.kind,
                                       .radius = own.radius};
    assert_int_equal(weir_points_set_whitewater(points, &given), WEIR_OK);
    uint8_t *again = draw(f, scene, points, true, &size);
    given.count = 0;
    assert_int_equal(weir_points_set_whitewater(points, &given), WEIR_OK);
    uint8_t *empty = draw(f, scene, points, true, &size);
    for (size_t i = 0; i < size; i++) {
        size_t apart = (size_t)abs(live[i] - again[i]);
        most = apart > most ? apart : most;
        shown += none[i] != again[i];
    }
    assert_true(most <= 1 && shown > 200);
    assert_memory_equal(none, empty, size);
    uint8_t *const all[] = {live, none, again, empty};
    for (size_t i = 0; i < BASE_COUNT(all); i++)
        base_free(all[i]);
    io_particles_free(&own);
    weir_points_release(&points);
    weir_sim_destroy(&sim);
    weir_scene_destroy(&scene);
}

static void faulty_whitewater_is_refused(void **state)
{
    const fixture *f = *state;
    static const float place[] = {0.1f, 0.1f, 0.1f}, nowhere[] = {0.1f, NAN, 0.1f};
    static const float radius = 0.001f, none = 0.0f, large = 0.101f;
    static const uint32_t kind = 2, other = 4;
    static const struct {
        weir_whitewater_particles particles;
        const char *words;
    } faults[] = {
        {{.count = 1, .position = nowhere, .kind = &kind, .radius = &radius},
         "particle 0: position"},
        {{.count = 1, .position = place, .velocity = nowhere, .kind = &kind, .radius = &radius},
         "particle 0: velocity"},
        {{.count = 1, .position = place, .kind = &kind, .radius = &none}, "particle 0: radius"},
        {{.count = 1, .position = place, .kind = &kind, .radius = &large},
         "radius: is 0.101 m, expected at most 0.1"},
        {{.count = 1, .position = place, .kind = &other, .radius = &radius},
         "expected 0 (spray), 1 (foam), 2"},
        {{.count = 1, .position = place, .kind = &kind}, "must not be NULL"},
    };
    weir_points_def def = weir_points_def_default();
    weir_points *points = NULL;
    def.count = 1;
    def.spacing_m = 0.025f;
    def.position = place;
    assert_int_equal(weir_points_create(f->device, &def, &points), WEIR_OK);
    for (size_t i = 0; i < BASE_COUNT(faults); i++) {
        assert_int_equal(weir_points_set_whitewater(points, &faults[i].particles),
                         WEIR_ERROR_ARGUMENT);
        assert_logged(faults[i].words);
    }
    weir_points_release(&points);
}

static void a_file_of_fluid_is_no_whitewater(void **state)
{
    const fixture *f = *state;
    char path[128];
    weir_whitewater_particles read;
    const vec3 place = {0.1f, 0.1f, 0.1f};
    const io_particles fluid = {.count = 1, .position = (vec3 *)(uintptr_t)&place};
    weir_output_def as = weir_output_def_default();
    as.log = kept_log();
    snprintf(path, sizeof path, "%s/fluid.ply", f->folder);
    const io_particles_write_def write = {.path = path, .format = WEIR_PARTICLE_FORMAT_PLY};
    assert_int_equal(io_particles_write(&as.log, &fluid, &write), WEIR_OK);
    assert_int_equal(weir_whitewater_load(&as.log, path, &as, &read), WEIR_ERROR_IO);
    assert_logged("its particles have no \"kind\"");
    assert_null(read.internal);
}

static void a_scene_is_told_what_foam_cannot_do(void **state)
{
    static const struct {
        const char *keys, *words;
    } faults[] = {
        {"\"whitewater\": {\"lifetime\": 0},", "whitewater.lifetime"},
        {"\"whitewater\": {\"max_particles\": 0},", "whitewater.max_particles"},
        {"\"whitewater\": {\"colour\": 1},", "whitewater.colour"},
        {"\"whitewater\": {}, \"gravity\": [0, 0, 0],", "whitewater: needs gravity"},
        {"\"whitewater\": {}, \"solver\": {\"dimensions\": 2},",
         "whitewater: needs solver.dimensions 3"},
    };
    for (size_t i = 0; i < BASE_COUNT(faults); i++) {
        char text[1024];
        weir_scene *scene = NULL;
        snprintf(text, sizeof text, DAM, faults[i].keys);
        assert_int_equal(parse_scene(text, &scene), WEIR_ERROR_SCENE);
        assert_logged(faults[i].words);
    }
}

/* ---- stored frames -------------------------------------------------------------------------- */

static void stored_points_need_velocities_and_a_time_that_rises(void **state)
{
    fixture *f = *state;
    const float position[] = {0.1f, 0.1f, 0.1f}, velocity[] = {1, 0, 0};
    weir_points_def def = weir_points_def_default();
    weir_points *still = NULL, *moving = NULL;
    weir_whitewater *foam = NULL;
    weir_scene *scene = scene_with(""), *floats = scene_with("\"gravity\": [0, 0, 0],");
    assert_int_equal(weir_whitewater_create(f->device, floats, &foam), WEIR_ERROR_ARGUMENT);
    assert_logged("whitewater needs gravity");
    assert_null(foam);
    assert_int_equal(weir_whitewater_create(f->device, scene, &foam), WEIR_OK);
    def.count = 1;
    def.spacing_m = 0.025f;
    def.position = position;
    assert_int_equal(weir_points_create(f->device, &def, &still), WEIR_OK);
    def.velocity = velocity;
    assert_int_equal(weir_points_create(f->device, &def, &moving), WEIR_OK);
    assert_int_equal(weir_whitewater_step(foam, still, 0, 0), WEIR_ERROR_ARGUMENT);
    assert_logged("needs the points' velocities");
    assert_int_equal(weir_whitewater_step(foam, moving, 0, 0), WEIR_OK);
    assert_int_equal(weir_whitewater_step(foam, moving, 0, 1), WEIR_ERROR_ARGUMENT);
    assert_logged("`time_s` must be above that of the previous frame");
    assert_int_equal(weir_whitewater_step(foam, moving, 0.02, 1), WEIR_OK);
    assert_int_equal(weir_whitewater_get_counts(foam).emitted_by_trapped_air, 0);
    weir_points_release(&still);
    weir_points_release(&moving);
    weir_whitewater_destroy(&foam);
    weir_scene_destroy(&scene);
    weir_scene_destroy(&floats);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_saved_state_carries_the_whitewater),
        cmocka_unit_test(the_whitewater_of_a_violent_scene_is_numbers),
        cmocka_unit_test(whitewater_that_cannot_be_is_refused),
        cmocka_unit_test(whitewater_leaves_the_fluid_as_it_was),
        cmocka_unit_test(a_still_pool_makes_none),
        cmocka_unit_test(every_format_has_all_that_whitewater_is),
        cmocka_unit_test(its_passes_are_timed_and_explained),
        cmocka_unit_test(pictures_show_it_and_can_leave_it_out),
        cmocka_unit_test(whitewater_that_is_given_is_drawn_like_the_simulations),
        cmocka_unit_test(faulty_whitewater_is_refused),
        cmocka_unit_test(a_file_of_fluid_is_no_whitewater),
        cmocka_unit_test(stored_points_need_velocities_and_a_time_that_rises),
        cmocka_unit_test(a_scene_is_told_what_foam_cannot_do),
    };
    return cmocka_run_group_tests(tests, open_fixture, close_fixture);
}
