/* Tests the trial of wide and compact lists, and the stored choice of a device. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include "autotune_lists.h"
#include "gpu_support.h"

#include <unistd.h>

#define EDGE 12u
#define COUNT (EDGE * EDGE * EDGE)

static char folder[] = "/tmp/weir_trial_XXXXXX";
static gpu_device *checked;
static double given_ms[GRID_LIST_KINDS];
static uint32_t measured;

static weir_result give_times(gpu_device *device, double ms[GRID_LIST_KINDS])
{
    (void)device;
    measured++;
    memcpy(ms, given_ms, sizeof given_ms);
    return WEIR_OK;
}

static int open_all(void **state)
{
    if (!mkdtemp(folder)) return -1;
    checked = open_gpu(true);
    return 0;
}

static gpu_device *open_remembering(void)
{
    gpu_device *device = NULL;
    weir_device_def def = test_device_def();
    def.log = (weir_log){.write = print_problem, .level = WEIR_LOG_WARNING};
    def.cache_folder = folder;
    OK(gpu_device_create(&def, &device));
    return device;
}

/* Returns the path of the file with the choice; release with base_free. */
static char *find_choice(void)
{
    char **names = NULL, *path = NULL;
    size_t count = 0;
    OK(base_folder_list(NULL, folder, &names, &count));
    for (size_t i = 0; i < count; i++)
        if (strncmp(names[i], "lists-", 6) == 0) path = base_path_join(folder, names[i]);
    base_names_free(names, count);
    return path;
}

static int close_all(void **state)
{
    char **names = NULL;
    size_t count = 0;
    OK(base_folder_list(NULL, folder, &names, &count));
    for (size_t i = 0; i < count; i++) {
        char *path = base_path_join(folder, names[i]);
        base_file_remove(NULL, path);
        base_free(path);
    }
    base_names_free(names, count);
    rmdir(folder);
    return close_gpu(&checked);
}

static bool choose_by(double wide_ms, double compact_ms)
{
    gpu_device *device = open_gpu(false);
    bool compact = false;
    given_ms[GRID_WIDE] = wide_ms;
    given_ms[GRID_COMPACT] = compact_ms;
    OK(grid_autotune_choose(device, give_times, &compact));
    gpu_device_destroy(&device);
    return compact;
}

/* ---- trial ---------------------------------------------------------------------------------- */

/* Sums poly6 over the 26 neighbours of a lattice particle with a support radius of two spacings. */
static double lattice_sum(void)
{
    return 1.0 + 6.0 * pow(0.75, 3.0) + 12.0 * pow(0.5, 3.0) + 8.0 * pow(0.25, 3.0);
}

static void both_kinds_are_timed_and_read_the_same(void **state)
{
    static float wide[COUNT], compact[COUNT];
    double ms[GRID_LIST_KINDS], largest = 0.0, smallest = 1e9;
    OK(grid_autotune_run(checked, EDGE, ms, (float *const[]){wide, compact}));
    assert_memory_equal(wide, compact, sizeof wide);
    for (uint32_t i = 0; i < COUNT; i++) {
        largest = fmax(largest, (double)wide[i]);
        smallest = fmin(smallest, (double)wide[i]);
    }
    assert_true(fabs(largest - lattice_sum()) < 1e-6 && smallest > 1.0);
    if (!gpu_device_info(checked)->timestamps) return;
    for (int kind = 0; kind < GRID_LIST_KINDS; kind++)
        assert_true(ms[kind] > 0.0 && isfinite(ms[kind]));
}

static void compact_lists_must_be_a_tenth_faster(void **state)
{
    assert_true(choose_by(1.0, 0.89));
    assert_false(choose_by(1.0, 0.91));
    assert_false(choose_by(1.0, 2.0));
    assert_false(choose_by(INFINITY, INFINITY));
}

static void cpu_drivers_have_wide_lists_without_a_trial(void **state)
{
    bool compact = true;
    uint64_t memory = gpu_device_memory_used(checked);
    if (gpu_device_info(checked)->kind != WEIR_DEVICE_CPU) skip();
    OK(grid_autotune_prefers_compact(checked, &compact));
    assert_false(compact);
    assert_int_equal(gpu_device_memory_used(checked), memory);
}

/* ---- stored choice -------------------------------------------------------------------------- */

static bool choose_on(gpu_device *device)
{
    bool compact = false;
    OK(grid_autotune_choose(device, give_times, &compact));
    return compact;
}

static void a_choice_is_made_once(void **state)
{
    gpu_device *first = open_remembering();
    measured = 0;
    given_ms[GRID_WIDE] = 1.0;
    given_ms[GRID_COMPACT] = 0.5;
    assert_true(choose_on(first) && choose_on(first));
    assert_int_equal(measured, 1);
    gpu_device_destroy(&first);
    given_ms[GRID_COMPACT] = 2.0;
    gpu_device *second = open_remembering();
    assert_true(choose_on(second));
    assert_int_equal(measured, 1);
    gpu_device_destroy(&second);
}

static void a_device_without_a_folder_remembers_while_it_lives(void **state)
{
    gpu_device *device = open_gpu(false);
    measured = 0;
    given_ms[GRID_WIDE] = 1.0;
    given_ms[GRID_COMPACT] = 0.5;
    assert_true(choose_on(device) && choose_on(device));
    assert_int_equal(measured, 1);
    gpu_device_destroy(&device);
}

static void assert_measured_anew(const base_blob *damaged)
{
    char *path = find_choice();
    assert_non_null(path);
    OK(base_file_write(NULL, path, damaged->bytes, damaged->size));
    gpu_device *device = open_remembering();
    measured = 0;
    given_ms[GRID_WIDE] = 1.0;
    given_ms[GRID_COMPACT] = 2.0;
    assert_false(choose_on(device));
    assert_int_equal(measured, 1);
    gpu_device_destroy(&device);
    base_free(path);
}

static void a_damaged_file_is_not_believed(void **state)
{
    base_blob file = {0};
    char *path = find_choice();
    assert_non_null(path);
    OK(base_file_read(NULL, path, 4096, &file));
    for (size_t i = 0; i < file.size; i += 4) {
        file.bytes[i] ^= 1;
        assert_measured_anew(&file);
        file.bytes[i] ^= 1;
    }
    assert_measured_anew(&(base_blob){file.bytes, file.size - 1});
    assert_measured_anew(&(base_blob){file.bytes, 0});
    base_blob_free(&file);
    base_free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_kinds_are_timed_and_read_the_same),
        cmocka_unit_test(compact_lists_must_be_a_tenth_faster),
        cmocka_unit_test(cpu_drivers_have_wide_lists_without_a_trial),
        cmocka_unit_test(a_choice_is_made_once),
        cmocka_unit_test(a_device_without_a_folder_remembers_while_it_lives),
        cmocka_unit_test(a_damaged_file_is_not_believed),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
