/* Surfaces on the device, for a host that draws them without a copy through the CPU. */
#include "host_reader.h"

#include "weir/vulkan.h"

#define SCENE                                                                            \
    "{\"name\": \"meshed\", \"domain\": {\"min\": [0, 0, 0], \"max\": [0.5, 0.5, 0.3]}," \
    " \"frame_rate\": 60, \"duration\": 0.2, \"spacing\": 0.05,"                         \
    " \"solver\": {\"substeps\": 2, \"iterations\": 2},"                                 \
    " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\":"                \
    " {\"min\": [0, 0, 0], \"max\": [0.3, 0.25, 0.3]}}}}]}"

typedef struct fixture {
    host *h;
    reader reader;
    weir_device *device;
    weir_scene *scene;
    weir_sim *sim;
    weir_mesher *mesher;
} fixture;

static int open_fixture(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    weir_mesher_def def = weir_mesher_def_default(NULL);
    def.raw = true;
    open_host(state);
    f->h = *state;
    f->device = adopt(f->h, hand_over(f->h), "");
    f->scene = parse(SCENE);
    open_reader(f->h, &f->reader);
    assert_int_equal(weir_sim_create(f->device, f->scene, &f->sim), WEIR_OK);
    assert_int_equal(weir_mesher_create(f->device, &def, &f->mesher), WEIR_OK);
    *state = f;
    return 0;
}

static int close_fixture(void **state)
{
    fixture *f = *state;
    *state = f->h;
    weir_mesher_destroy(&f->mesher);
    weir_sim_destroy(&f->sim);
    weir_scene_destroy(&f->scene);
    weir_device_destroy(&f->device);
    close_reader(&f->reader);
    free(f);
    return close_host(state);
}

static weir_points *step(fixture *f)
{
    weir_points *points = NULL;
    if (weir_vulkan_step(f->sim, 0, NULL, &points) != WEIR_OK) fail_msg("%s", logged);
    return points;
}

static weir_vulkan_mesh run(fixture *f, const weir_points *points)
{
    weir_vulkan_mesh mesh;
    if (weir_vulkan_mesher_run(f->mesher, points, NULL, &mesh) != WEIR_OK) fail_msg("%s", logged);
    return mesh;
}

static void assert_bytes(fixture *f, VkBuffer from, const void *expected, uint32_t size)
{
    static uint8_t read[ROOM];
    memset(read, 0, size);
    copy_out(&f->reader, from, read, size, VK_NULL_HANDLE);
    assert_memory_equal(read, expected, size);
}

static void assert_same(fixture *f, const weir_vulkan_mesh *mesh, const weir_mesh_arrays *view)
{
    const VkDrawIndexedIndirectCommand arguments = {3 * view->triangle_count, 1, 0, 0, 0};
    assert_true(view->vertex_count > 100);
    assert_int_equal(mesh->vertex_count, view->vertex_count);
    assert_int_equal(mesh->triangle_count, view->triangle_count);
    assert_int_equal(mesh->position.stride, 12);
    assert_int_equal(mesh->normal.stride, 12);
    assert_int_equal(mesh->index.stride, 4);
    assert_bytes(f, mesh->position.buffer, view->position, 12 * view->vertex_count);
    assert_bytes(f, mesh->normal.buffer, view->normal, 12 * view->vertex_count);
    assert_bytes(f, mesh->index.buffer, view->index, 12 * view->triangle_count);
    assert_bytes(f, mesh->draw_arguments, &arguments, sizeof arguments);
}

/* ---- tests ---------------------------------------------------------------------------------- */

/* Surfaces are equal bit by bit, and a CPU run in between does not disturb them. */
static void a_surface_is_the_one_that_the_cpu_gets(void **state)
{
    fixture *f = *state;
    weir_points *points = step(f);
    weir_mesh *copy = NULL;
    weir_mesh_arrays view;
    const weir_vulkan_mesh mesh = run(f, points);
    assert_int_equal(weir_mesher_run(f->mesher, points, &copy), WEIR_OK);
    weir_mesh_get_arrays(copy, &view);
    assert_same(f, &mesh, &view);
    assert_float_equal(mesh.cell_m, 0.05f, 1e-7f);
    weir_mesh_destroy(&copy);
    weir_points_release(&points);
}

/* The last three generations stay as they were made; older and future ones are refused. */
static void three_generations_are_kept(void **state)
{
    fixture *f = *state;
    enum { RUNS = 5 };
    weir_mesh *copies[RUNS] = {0};
    weir_vulkan_mesh made[RUNS], got;
    for (int i = 0; i < RUNS; i++) {
        weir_points *points = step(f);
        assert_int_equal(weir_mesher_run(f->mesher, points, &copies[i]), WEIR_OK);
        made[i] = run(f, points);
        weir_points_release(&points);
    }
    for (int i = 0; i < RUNS; i++) {
        weir_mesh_arrays view;
        weir_mesh_get_arrays(copies[i], &view);
        assert_int_equal(made[i].generation, made[0].generation + (uint64_t)i);
        weir_result result = weir_vulkan_mesher_get(f->mesher, made[i].generation, &got);
        assert_int_equal(result,
                         i < RUNS - WEIR_VULKAN_MESH_GENERATIONS ? WEIR_ERROR_ARGUMENT : WEIR_OK);
        if (result == WEIR_OK) assert_same(f, &got, &view);
        if (result != WEIR_OK)
            assert_logged("no longer exists: a later run has reused its buffers");
        if (result != WEIR_OK) assert_null(got.position.buffer);
        weir_mesh_destroy(&copies[i]);
    }
    assert_int_equal(weir_vulkan_mesher_get(f->mesher, made[RUNS - 1].generation + 1, &got),
                     WEIR_ERROR_ARGUMENT);
    assert_logged("has no generation");
    assert_int_equal(weir_vulkan_mesher_get(f->mesher, 0, &got), WEIR_ERROR_ARGUMENT);
}

/* The mesher waits for the host's work, and the host waits for the mesher's. */
static void a_run_waits_and_signals(void **state)
{
    fixture *f = *state;
    weir_points *points = step(f);
    const VkSemaphore first = make_semaphore(f->h), second = make_semaphore(f->h);
    const weir_vulkan_sync wait = {.semaphore = first}, signal = {.semaphore = second};
    const VkSubmitInfo own = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                              .signalSemaphoreCount = 1,
                              .pSignalSemaphores = &first};
    VkDrawIndexedIndirectCommand arguments;
    weir_vulkan_mesh mesh;
    weir_vulkan_submit submit = weir_vulkan_submit_default();
    submit.waits = &wait;
    submit.signals = &signal;
    submit.wait_count = submit.signal_count = 1;
    /* a binary semaphore without a wait could not be signalled again */
    for (int i = 0; i < 2; i++) {
        lock(f->h, true);
        assert_int_equal(vkQueueSubmit(f->h->queue, 1, &own, VK_NULL_HANDLE), VK_SUCCESS);
        lock(f->h, false);
        if (weir_vulkan_mesher_run(f->mesher, points, &submit, &mesh) != WEIR_OK)
            fail_msg("%s", logged);
        copy_out(&f->reader, mesh.draw_arguments, &arguments, sizeof arguments, second);
        assert_int_equal(arguments.indexCount, 3 * mesh.triangle_count);
    }
    vkDestroySemaphore(f->h->device, first, NULL);
    vkDestroySemaphore(f->h->device, second, NULL);
    weir_points_release(&points);
}

static void no_particles_draw_nothing(void **state)
{
    fixture *f = *state;
    const VkDrawIndexedIndirectCommand arguments = {0, 1, 0, 0, 0};
    const float none[3] = {0};
    weir_points *points = NULL;
    weir_points_def def = weir_points_def_default();
    def.spacing_m = 0.05f;
    def.position = none;
    assert_int_equal(weir_points_create(f->device, &def, &points), WEIR_OK);
    const weir_vulkan_mesh mesh = run(f, points);
    assert_int_equal(mesh.vertex_count, 0);
    assert_int_equal(mesh.triangle_count, 0);
    assert_non_null(mesh.position.buffer);
    assert_bytes(f, mesh.draw_arguments, &arguments, sizeof arguments);
    weir_points_release(&points);
}

/* ---- what is refused ------------------------------------------------------------------------ */

static void assert_refused(weir_mesher *mesher, const weir_points *points,
                           const weir_vulkan_submit *submit, weir_result result)
{
    weir_vulkan_mesh mesh;
    logged[0] = '\0';
    memset(&mesh, 1, sizeof mesh);
    assert_int_equal(weir_vulkan_mesher_run(mesher, points, submit, &mesh), result);
    assert_null(mesh.position.buffer);
    assert_int_equal(mesh.generation, 0);
}

static void faulty_runs_are_refused(void **state)
{
    fixture *f = *state;
    weir_points *points = step(f);
    weir_vulkan_submit submit = {0};
    assert_refused(NULL, points, NULL, WEIR_ERROR_ARGUMENT);
    assert_refused(f->mesher, NULL, NULL, WEIR_ERROR_ARGUMENT);
    assert_logged("`points` must not be NULL");
    assert_int_equal(weir_vulkan_mesher_run(f->mesher, points, NULL, NULL), WEIR_ERROR_ARGUMENT);
    assert_refused(f->mesher, points, &submit, WEIR_ERROR_ARGUMENT);
    assert_logged("weir_vulkan_submit_default");
    submit = weir_vulkan_submit_default();
    submit.commands = f->reader.commands;
    assert_refused(f->mesher, points, &submit, WEIR_ERROR_UNSUPPORTED);
    assert_logged("`commands` must be VK_NULL_HANDLE");
    weir_points_release(&points);
}

static weir_mesher *make_mesher(fixture *f, weir_mesh_normals normals, uint64_t bytes)
{
    weir_mesher *mesher = NULL;
    weir_mesher_def def = weir_mesher_def_default(NULL);
    def.normals = normals;
    def.max_memory_bytes = bytes;
    def.cell_size = 0.25f;
    assert_int_equal(weir_mesher_create(f->device, &def, &mesher), WEIR_OK);
    return mesher;
}

static void what_only_the_cpu_does_is_refused(void **state)
{
    fixture *f = *state;
    weir_points *points = step(f);
    weir_mesh *mesh = NULL;
    weir_mesher *mesher = make_mesher(f, WEIR_MESH_NORMALS_FACES, 0);
    assert_refused(mesher, points, NULL, WEIR_ERROR_UNSUPPORTED);
    assert_logged("face normals are computed on the CPU: a surface that stays on the device "
                  "supports field normals, or none");
    weir_mesher_destroy(&mesher);
    uint64_t bytes = 200000;
    for (weir_result result = WEIR_ERROR_MEMORY; result == WEIR_ERROR_MEMORY; bytes += bytes / 8) {
        mesher = make_mesher(f, WEIR_MESH_NORMALS_NONE, bytes);
        result = weir_mesher_run(mesher, points, &mesh);
        weir_mesher_destroy(&mesher);
    }
    assert_non_null(mesh); /* meshed in several parts, with the least memory */
    weir_mesh_destroy(&mesh);
    mesher = make_mesher(f, WEIR_MESH_NORMALS_NONE, bytes);
    assert_refused(mesher, points, NULL, WEIR_ERROR_UNSUPPORTED);
    assert_logged(" m: the surface does not fit into the ");
    weir_mesher_destroy(&mesher);
    mesher = make_mesher(f, WEIR_MESH_NORMALS_NONE, 0);
    weir_vulkan_mesh made;
    assert_int_equal(weir_vulkan_mesher_run(mesher, points, NULL, &made), WEIR_OK);
    assert_null(made.normal.buffer);
    weir_mesher_destroy(&mesher);
    weir_points_release(&points);
}

static void a_device_of_weirs_own_shares_no_surface(void **state)
{
    weir_device *device = NULL;
    weir_points *points = NULL;
    weir_mesher *mesher = NULL;
    const float one[3] = {0};
    const weir_mesher_def mesher_def = weir_mesher_def_default(NULL);
    weir_points_def points_def = weir_points_def_default();
    weir_device_def def = weir_device_def_default();
    def.log = kept_log();
    points_def.spacing_m = 0.05f;
    points_def.position = one;
    points_def.count = 1;
    assert_int_equal(weir_device_create(&def, &device), WEIR_OK);
    assert_int_equal(weir_points_create(device, &points_def, &points), WEIR_OK);
    assert_int_equal(weir_mesher_create(device, &mesher_def, &mesher), WEIR_OK);
    assert_refused(mesher, points, NULL, WEIR_ERROR_ARGUMENT);
    assert_logged("use weir_mesher_run");
    weir_mesher_destroy(&mesher);
    weir_points_release(&points);
    weir_device_destroy(&device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_surface_is_the_one_that_the_cpu_gets),
        cmocka_unit_test(three_generations_are_kept),
        cmocka_unit_test(a_run_waits_and_signals),
        cmocka_unit_test(no_particles_draw_nothing),
        cmocka_unit_test(faulty_runs_are_refused),
        cmocka_unit_test(what_only_the_cpu_does_is_refused),
        cmocka_unit_test(a_device_of_weirs_own_shares_no_surface),
    };
    return cmocka_run_group_tests(tests, open_fixture, close_fixture);
}
