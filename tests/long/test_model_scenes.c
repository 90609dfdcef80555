/* Runs the scenes with the Stanford models at full size for two simulated seconds: no particle
   is lost, and none is inside a solid by more than a tenth of the spacing, measured by the exact
   distance to the triangles and not by the baked volume. */
#include "io.h"
#include "ref_mesh_distance.h"
#include "scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define SECONDS 2.0f
#define SKIPPED 77

typedef struct run {
    base_blob text;
    scene_data *data;
    weir_device *device;
    weir_scene *scene;
    weir_sim *sim;
    uint32_t count;
    vec3 *positions;
} run;

static void print_message_line(void *user, weir_log_level level, const char *text)
{
    (void)user;
    (void)level;
    print_message("%s\n", text);
}

static const weir_log log_all = {print_message_line, NULL, WEIR_LOG_WARNING};

static void start(run *r, const char *path, bool validation)
{
    weir_device_def device = weir_device_def_default();
    weir_scene_def scene = weir_scene_def_default();
    device.log = scene.log = log_all;
    device.validation = device.shader_validation = validation;
    assert_int_equal(base_file_read(&log_all, path, 1u << 20, &r->text), WEIR_OK);
    scene_input input = {.text = (const char *)r->text.bytes,
                         .size = r->text.size,
                         .source = path,
                         .folder = "scenes"};
    assert_int_equal(scene_parse(&log_all, &input, &r->data), WEIR_OK);
    assert_int_equal(weir_device_create(&device, &r->device), WEIR_OK);
    assert_int_equal(weir_scene_load(path, &scene, &r->scene), WEIR_OK);
    assert_int_equal(weir_sim_create(r->device, r->scene, &r->sim), WEIR_OK);
    assert_int_equal(weir_sim_get_particle_count(r->sim, &r->count), WEIR_OK);
    r->positions = base_alloc(r->count, sizeof *r->positions);
    assert_non_null(r->positions);
}

static void finish(run *r)
{
    weir_sim_destroy(&r->sim);
    weir_scene_destroy(&r->scene);
    weir_device_destroy(&r->device);
    scene_destroy(&r->data);
    base_blob_free(&r->text);
    base_free(r->positions);
}

static ref_mesh *load_mesh(const scene_data *data, const scene_shape *shape)
{
    io_mesh mesh = {0};
    assert_int_equal(shape->kind, SCENE_SHAPE_MESH);
    assert_int_equal(io_mesh_read(&log_all, data->meshes[shape->mesh].path, &mesh), WEIR_OK);
    ref_mesh *ref =
        ref_mesh_create(mesh.vertices, mesh.vertex_count, mesh.indices, mesh.triangle_count);
    io_mesh_free(&mesh);
    assert_non_null(ref);
    return ref;
}

/* Returns the largest depth of a particle inside the mesh, m; 0 when none is inside. */
static double deepest(const run *r, const scene_shape *shape, const ref_mesh *mesh)
{
    double depth = 0.0;
    for (uint32_t i = 0; i < r->count; i++) {
        vec3 p = vec3_sub(r->positions[i], shape->pose.position);
        p = vec3_scale(quat_rotate(quat_conjugate(shape->pose.rotation), p),
                       1.0f / shape->pose.scale);
        double d = ref_mesh_distance(mesh, p).distance * (double)shape->pose.scale;
        if (-d > depth) depth = -d;
    }
    return depth;
}

static void judge(run *r, const char *when)
{
    assert_int_equal(
        weir_sim_read_field(r->sim, WEIR_FIELD_POSITION, r->positions, r->count * sizeof(vec3)),
        WEIR_OK);
    for (uint32_t s = 0; s < r->data->solid_count; s++) {
        const scene_shape *shape = &r->data->shapes[r->data->solids[s].shape];
        if (shape->kind != SCENE_SHAPE_MESH) continue;
        ref_mesh *mesh = load_mesh(r->data, shape);
        double depth = deepest(r, shape, mesh) / (double)r->data->spacing;
        ref_mesh_destroy(&mesh);
        print_message("%s: deepest in %s %.4f d\n", when, r->data->solids[s].name, depth);
        assert_true(depth <= 0.1);
    }
}

static void run_scene(const char *path, double paper_count)
{
    run r = {0};
    start(&r, path, false);
    uint32_t first = r.count, frames = (uint32_t)lroundf(SECONDS * r.data->frame_rate);
    print_message("%s: %u particles\n", path, first);
    if (paper_count > 0.0) assert_true(fabs(first / paper_count - 1.0) <= 0.02);
    for (uint32_t f = 1; f <= frames; f++) {
        assert_int_equal(weir_sim_step(r.sim, 0.0), WEIR_OK);
        if (f % (frames / 4) == 0) judge(&r, path);
    }
    weir_stats stats;
    assert_int_equal(weir_sim_get_stats(r.sim, &stats), WEIR_OK);
    print_message("%s: density error %.3f %% mean, %.2f %% max\n", path,
                  100.0 * stats.density_error_mean, 100.0 * stats.density_error_max);
    assert_int_equal(stats.particle_count, first);
    assert_int_equal(stats.removed_non_finite + stats.removed_outside + stats.removed_by_sinks, 0);
    finish(&r);
}

static void bunny_drop_keeps_all_particles(void **state)
{
    run_scene("scenes/bunny_drop.json", 80e3);
}

static void bunny_bath_keeps_particles_out_of_the_bunny(void **state)
{
    run_scene("scenes/bunny_bath.json", 128e3);
}

static void armadillo_splash_keeps_all_particles(void **state)
{
    run_scene("scenes/armadillo_splash.json", 128e3);
}

static void dragon_flood_keeps_particles_out_of_the_dragon(void **state)
{
    run_scene("scenes/dragon_flood.json", 0.0);
}

/* Runs two frames each: a first one, and one that follows another. */
static void validation_finds_nothing(void **state)
{
    static const char *const scenes[] = {"scenes/bunny_bath.json", "scenes/dragon_flood.json",
                                         "scenes/armadillo_splash.json", "scenes/bunny_drop.json"};
    for (size_t i = 0; i < BASE_COUNT(scenes); i++) {
        run r = {0};
        start(&r, scenes[i], true);
        assert_int_equal(weir_sim_step(r.sim, 0.0), WEIR_OK);
        assert_int_equal(weir_sim_step(r.sim, 0.0), WEIR_OK);
        assert_int_equal(weir_sim_wait(r.sim), WEIR_OK);
        assert_int_equal(weir_device_validation_count(r.device), 0);
        finish(&r);
    }
}

int main(void)
{
    if (!base_path_is_file("models/bunny.obj") || !base_path_is_file("models/dragon.obj") ||
        !base_path_is_file("models/armadillo.obj")) {
        printf("skipped: no models; tools/get-models brings them\n");
        return SKIPPED;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(validation_finds_nothing),
        cmocka_unit_test(bunny_bath_keeps_particles_out_of_the_bunny),
        cmocka_unit_test(dragon_flood_keeps_particles_out_of_the_dragon),
        cmocka_unit_test(armadillo_splash_keeps_all_particles),
        cmocka_unit_test(bunny_drop_keeps_all_particles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
