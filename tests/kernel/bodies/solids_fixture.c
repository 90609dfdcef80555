#include "solids_fixture.h"
#include "systems.h"

gpu_device *solid_device;

static struct {
    uint32_t nesting, lacks; /* the set for which the kernel was created */
    gpu_pipeline *pipeline;
} probes[32];

char folder[] = "/tmp/weir_solid_XXXXXX";

uint32_t bakes, warnings;

char last_error[1024];

static void count_message(void *user, weir_log_level level, const char *text)
{
    (void)user;
    if (strstr(text, "triangles baked into")) ++bakes;
    if (level == WEIR_LOG_WARNING) ++warnings;
    if (level == WEIR_LOG_ERROR) snprintf(last_error, sizeof last_error, "%s", text);
    if (level != WEIR_LOG_DEBUG) print_message("  %s\n", text);
}

int open_solid_device(void **state)
{
    if (!make_test_folder(folder)) return -1;
    weir_device_def def = test_device_def();
    def.log = (weir_log){.write = count_message, .level = WEIR_LOG_INFO};
    def.cache_folder = folder;
    ask_for_validation(&def);
    return gpu_device_create(&def, &solid_device) == WEIR_OK ? 0 : -1;
}

char *in_folder(const char *name)
{
    char *path = base_path_join(folder, name);
    assert_non_null(path);
    return path;
}

void clear_folder(void)
{
    char **names;
    size_t count;
    assert_int_equal(base_folder_list(NULL, folder, &names, &count), WEIR_OK);
    for (size_t i = 0; i < count; ++i) {
        char *path = in_folder(names[i]);
        base_file_remove(NULL, path);
        base_free(path);
    }
    base_names_free(names, count);
}

int close_solid_device(void **state)
{
    for (size_t i = 0; i < BASE_COUNT(probes); ++i)
        gpu_pipeline_destroy(solid_device, &probes[i].pipeline);
    uint32_t complaints = gpu_device_validation_count(solid_device);
    gpu_device_destroy(&solid_device);
    clear_folder();
    rmdir(folder);
    return complaints == 0 ? 0 : -1;
}

static gpu_buffer *make_buffer(const char *name, uint64_t count)
{
    const gpu_buffer_def def = {.name = name, .stride = sizeof(vec4), .count = count};
    gpu_buffer *buffer;
    assert_int_equal(gpu_buffer_create(solid_device, &def, &buffer), WEIR_OK);
    return buffer;
}

/* Returns the kernel that the set's items need, with no deeper nesting and no additional kinds. */
static const gpu_pipeline *probe_for(const solid_set *set)
{
    const uint32_t nesting = solid_set_nesting(set), lacks = solid_set_missing_kinds(set);
    const uint32_t constants[] = {
        [SOLID_CONSTANT_NESTING] = nesting, [SOLID_CONSTANT_MISSING_KINDS] = lacks};
    const gpu_pipeline_def def = {.shader = &tests_shaders[TEST_SAMPLE_SDF],
                                  .constants = constants,
                                  .constant_count = BASE_COUNT(constants)};
    size_t i = 0;
    while (probes[i].pipeline && (probes[i].nesting != nesting || probes[i].lacks != lacks))
        assert_true(++i < BASE_COUNT(probes));
    probes[i].nesting = nesting;
    probes[i].lacks = lacks;
    if (!probes[i].pipeline)
        assert_int_equal(gpu_pipeline_create(solid_device, &def, &probes[i].pipeline), WEIR_OK);
    return probes[i].pipeline;
}

void probe_item(const solid_set *set, uint32_t item, const vec4 *points, size_t count,
                vec4 *results)
{
    gpu_buffer *in = make_buffer("points", count), *out = make_buffer("results", count);
    assert_int_equal(gpu_buffer_upload(solid_device, in, 0, points, count * sizeof *points),
                     WEIR_OK);
    gpu_pass pass =
        gpu_pass_make(probe_for(set), (gpu_dispatch_size){.name = "points", .count = count});
    pass.constant = item;
    gpu_pass_bind_all(
        &pass,
        (gpu_buffer *const[]){solid_nodes(set), solid_volumes(set), solid_items(set), in, out}, 5);
    assert_int_equal(gpu_passes_check(solid_device, &pass, 1), WEIR_OK);
    assert_int_equal(gpu_run_passes(solid_device, &pass, 1), WEIR_OK);
    assert_int_equal(gpu_buffer_download(solid_device, out, 0, results, count * sizeof *results),
                     WEIR_OK);
    gpu_buffer_destroy(solid_device, &in);
    gpu_buffer_destroy(solid_device, &out);
}

void set_solids(test_shapes *t, scene_solid *solids, const uint32_t *roots, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
        solids[i] = (scene_solid){.name = t->source, .shape = roots[i], .friction = 0.25f};
    t->scene.solids = solids;
    t->scene.solid_count = count;
}

solid_set *make_set(const test_shapes *t, float cell_m)
{
    solid_set *set;
    assert_int_equal(solid_set_create(solid_device, &t->scene, cell_m, &set), WEIR_OK);
    return set;
}

/* Computes central differences over e on the CPU; returns false at kinks, where no normal is
 * right. */
static bool smooth_normal(const solid_set *set, uint32_t shape, vec3 p, float e, vec3 *normal)
{
    const vec3 steps[] = {{e, 0, 0}, {0, e, 0}, {0, 0, e}};
    float slope[3], here = solid_shape_distance(set, shape, p), bend = 0;
    for (size_t axis = 0; axis < 3; ++axis) {
        float ahead = solid_shape_distance(set, shape, vec3_add(p, steps[axis]));
        float behind = solid_shape_distance(set, shape, vec3_sub(p, steps[axis]));
        slope[axis] = (ahead - behind) / (2 * e);
        bend = fmaxf(bend, fabsf(ahead + behind - 2 * here) / e);
    }
    *normal = vec3_make(slope[0], slope[1], slope[2]);
    return bend < 0.02f;
}

void assert_like_cpu(const solid_set *set, const scene_data *scene, uint32_t item, float reach)
{
    enum { COUNT = 2000 };
    static vec4 points[COUNT], results[COUNT];
    for (uint64_t k = 0; k < COUNT; ++k) {
        vec3 p = test_point(k, k % 4 ? reach : 4 * reach);
        points[k] = (vec4){p.x, p.y, p.z, 0};
    }
    probe_item(set, item, points, COUNT, results);
    const uint32_t shape = scene->solids[item].shape;
    uint32_t compared = 0;
    for (size_t k = 0; k < COUNT; ++k) {
        vec3 p = {points[k].x, points[k].y, points[k].z}, expected;
        vec3 normal = {results[k].x, results[k].y, results[k].z};
        float d = solid_shape_distance(set, shape, p);
        assert_true(fabsf(d - results[k].w) <= 1e-5f * (reach + fabsf(d)));
        assert_true(fabsf(vec3_length(normal) - 1) < 1e-4f);
        if (!smooth_normal(set, shape, p, 5e-4f * reach, &expected)) continue;
        if (vec3_length(expected) < 0.3f) continue;
        ++compared;
        assert_true(vec3_dot(normal, expected) > 0.999f * vec3_length(expected));
    }
    assert_true(compared > COUNT / 2);
}
