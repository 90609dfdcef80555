/* Choice of the device, the message when none can be opened, and the pipeline cache on disk. */
#define _XOPEN_SOURCE 700
#include "api_support.h"
#include "validation.h"

#include <glob.h>
#include <unistd.h>

static weir_result open_named(const char *name, bool validation, weir_device **device)
{
    weir_device_def def = weir_device_def_default();
    def.log = kept_log();
    def.device = name;
    def.cache_folder = "";
    if (validation) ask_for_validation(&def);
    return weir_device_create(&def, device);
}

static void assert_opens(const char *name, const char *expected)
{
    weir_device *device = NULL;
    weir_device_info info;
    assert_int_equal(open_named(name, false, &device), WEIR_OK);
    weir_device_get_info(device, &info);
    assert_string_equal(info.name, expected);
    weir_device_destroy(&device);
}

static void a_device_opens_by_number_and_by_part_of_its_name(void **state)
{
    weir_device_info infos[8];
    uint32_t count = 8, all = 0;
    const weir_log log = kept_log();
    assert_int_equal(weir_device_list(&log, infos, &count), WEIR_OK);
    assert_int_equal(weir_device_list(&log, NULL, &all), WEIR_OK);
    assert_true(count >= 1 && all == count);
    assert_opens(NULL, infos[0].name);
    for (uint32_t i = 0; i < count && i < 8; i++) {
        char number[16];
        snprintf(number, sizeof number, "%u", i);
        if (infos[i].unsupported_reason[0]) continue;
        assert_opens(number, infos[i].name);
        assert_true(infos[i].memory_bytes > 0 && infos[i].max_storage_buffer_bytes > 0);
        assert_true(infos[i].driver[0] && infos[i].api_version[0]);
    }
    char part[5];
    snprintf(part, sizeof part, "%.4s", infos[0].name);
    assert_opens(part, infos[0].name);
    for (char *c = part; *c; c++)
        if (*c >= 'a' && *c <= 'z') *c = (char)(*c - 32);
    assert_opens(part, infos[0].name);
}

static void a_list_is_cut_to_its_room_and_tells_how_many_there_are(void **state)
{
    weir_device_info info = {0};
    uint32_t count = 0;
    assert_int_equal(weir_device_list(NULL, &info, &count), WEIR_OK);
    assert_true(count >= 1);
    assert_int_equal(info.name[0], 0);
}

static void a_name_that_no_device_has_is_refused(void **state)
{
    static const char *const names[] = {"99", "-1", "", "no such gpu", "0x"};
    uint32_t count = 0;
    assert_int_equal(weir_device_list(NULL, NULL, &count), WEIR_OK);
    for (size_t i = 0; i < BASE_COUNT(names); i++) {
        weir_device *device = (weir_device *)&count;
        assert_int_equal(open_named(names[i], false, &device), WEIR_ERROR_ARGUMENT);
        assert_null(device);
        assert_non_null(strstr(logged, names[i]));
        assert_non_null(strstr(logged, count > 1 ? "a number from 0 to" : "0, the only one,"));
        assert_logged("weir info lists the devices");
    }
}

static void change(const char *name, const char *value, char **before)
{
    const char *old = getenv(name);
    *before = old ? strdup(old) : NULL;
    setenv(name, value, 1);
}

static void change_back(const char *name, char *before)
{
    if (before)
        setenv(name, before, 1);
    else
        unsetenv(name);
    free(before);
}

static void a_system_without_a_driver_is_told_what_to_install(void **state)
{
    char *files, *newer;
    weir_device *device = NULL;
    uint32_t count = 0;
    change("VK_ICD_FILENAMES", "/nonexistent/driver.json", &files);
    change("VK_DRIVER_FILES", "/nonexistent/driver.json", &newer);
    weir_result opened = open_named(NULL, false, &device);
    assert_int_equal(opened, WEIR_ERROR_UNSUPPORTED);
    assert_logged("no Vulkan driver found: install");
    const weir_log log = kept_log();
    assert_int_equal(weir_device_list(&log, NULL, &count), WEIR_ERROR_UNSUPPORTED);
    assert_logged("no Vulkan driver found: install");
    change_back("VK_ICD_FILENAMES", files);
    change_back("VK_DRIVER_FILES", newer);
    assert_null(device);
    assert_int_equal(open_named(NULL, false, &device), WEIR_OK);
    weir_device_destroy(&device);
}

static void validation_that_is_not_installed_is_not_left_out_in_silence(void **state)
{
    char folder[] = "/tmp/weir-layers-XXXXXX", *before;
    weir_device *device = NULL;
    assert_non_null(mkdtemp(folder));
    change("VK_LAYER_PATH", folder, &before);
    weir_result result = open_named(NULL, true, &device);
    change_back("VK_LAYER_PATH", before);
    rmdir(folder);
    assert_int_equal(result, WEIR_ERROR_UNSUPPORTED);
    assert_null(device);
    assert_logged("VK_LAYER_KHRONOS_validation is not installed");
}

/* A device of one loader's instance survives the creation and destruction of other instances. */
static void devices_do_not_share_what_belongs_to_an_instance(void **state)
{
    weir_device *first = NULL, *second = NULL;
    weir_scene *scene = NULL;
    weir_sim *sim = NULL;
    uint32_t count = 0;
    assert_int_equal(open_named(NULL, true, &first), WEIR_OK);
    assert_int_equal(open_named(NULL, false, &second), WEIR_OK);
    assert_int_equal(weir_device_list(NULL, NULL, &count), WEIR_OK);
    weir_device_destroy(&second);
    assert_int_equal(parse_scene(TINY_SCENE, &scene), WEIR_OK);
    assert_int_equal(weir_sim_create(first, scene, &sim), WEIR_OK);
    assert_int_equal(weir_sim_step(sim, 0), WEIR_OK);
    assert_int_equal(weir_sim_wait(sim), WEIR_OK);
    weir_sim_destroy(&sim);
    weir_scene_destroy(&scene);
    assert_int_equal(weir_device_validation_count(first), 0);
    weir_device_destroy(&first);
}

/* ---- pipeline cache ------------------------------------------------------------------------- */

static uint64_t run_with_cache(const char *folder, bool validation)
{
    weir_device *device = NULL;
    weir_scene *scene = NULL;
    weir_sim *sim = NULL;
    uint64_t hash = 0;
    weir_device_def def = weir_device_def_default();
    def.log = kept_log();
    def.cache_folder = folder;
    if (validation) ask_for_validation(&def);
    assert_int_equal(weir_device_create(&def, &device), WEIR_OK);
    assert_int_equal(parse_scene(TINY_SCENE, &scene), WEIR_OK);
    assert_int_equal(weir_sim_create(device, scene, &sim), WEIR_OK);
    assert_int_equal(weir_sim_step(sim, 0), WEIR_OK);
    assert_int_equal(weir_sim_get_state_hash(sim, &hash), WEIR_OK);
    weir_sim_destroy(&sim);
    weir_scene_destroy(&scene);
    assert_int_equal(weir_device_validation_count(device), 0);
    weir_device_destroy(&device);
    assert_string_equal(logged, "");
    return hash;
}

static void find_cache(const char *folder, char path[256])
{
    char pattern[128];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/pipelines-*.bin", folder);
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, 1);
    snprintf(path, 256, "%s", found.gl_pathv[0]);
    globfree(&found);
}

static void damage(const char *path, const base_blob *good, size_t size, size_t flipped)
{
    uint8_t *bytes = malloc(good->size + 1);
    assert_non_null(bytes);
    memcpy(bytes, good->bytes, good->size);
    if (flipped < good->size) bytes[flipped] ^= 0x5a;
    assert_int_equal(base_file_write(NULL, path, bytes, size), WEIR_OK);
    free(bytes);
}

/* One simulation on a device that belongs to the thread. */
typedef struct worker {
    weir_result result;
    uint64_t hash;
} worker;

static void simulate_alone(void *user)
{
    worker *w = user;
    weir_device_def device_def = weir_device_def_default();
    weir_scene_def scene_def = weir_scene_def_default();
    weir_device *device = NULL;
    weir_scene *scene = NULL;
    weir_sim *sim = NULL;
    device_def.cache_folder = "";
    w->result = weir_device_create(&device_def, &device);
    if (w->result == WEIR_OK)
        w->result = weir_scene_parse(TINY_SCENE, sizeof TINY_SCENE - 1, &scene_def, &scene);
    if (w->result == WEIR_OK) w->result = weir_sim_create(device, scene, &sim);
    if (w->result == WEIR_OK) w->result = weir_sim_step(sim, 0);
    if (w->result == WEIR_OK) w->result = weir_sim_get_state_hash(sim, &w->hash);
    weir_sim_destroy(&sim);
    weir_scene_destroy(&scene);
    weir_device_destroy(&device);
}

static void threads_may_each_have_a_device(void **state)
{
    worker workers[3] = {0};
    base_thread *threads[3];
    for (size_t i = 0; i < BASE_COUNT(workers); i++) {
        threads[i] = base_thread_start(simulate_alone, &workers[i]);
        assert_non_null(threads[i]);
    }
    for (size_t i = 0; i < BASE_COUNT(workers); i++)
        base_thread_join(&threads[i]);
    for (size_t i = 0; i < BASE_COUNT(workers); i++) {
        assert_int_equal(workers[i].result, WEIR_OK);
        assert_true(workers[i].hash != 0 && workers[i].hash == workers[0].hash);
    }
}

static void a_damaged_cache_file_is_replaced_in_silence(void **state)
{
    char folder[] = "/tmp/weir-cache-XXXXXX", path[256], command[64];
    base_blob good = {0}, now = {0};
    assert_non_null(mkdtemp(folder));
    uint64_t hash = run_with_cache(folder, true);
    find_cache(folder, path);
    assert_int_equal(base_file_read(NULL, path, 1u << 28, &good), WEIR_OK);
    assert_true(good.size > 16);
    assert_int_equal(run_with_cache(folder, true), hash); /* while the file is in use */
    const size_t cases[][2] = {
        {0, SIZE_MAX},  {5, SIZE_MAX},  {16, SIZE_MAX},  {good.size - 1, SIZE_MAX},
        {good.size, 0}, {good.size, 9}, {good.size, 17}, {good.size, good.size - 1}};
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        damage(path, &good, cases[i][0], cases[i][1]);
        assert_int_equal(run_with_cache(folder, false), hash); /* damaged data never reach Vulkan */
        assert_int_equal(base_file_read(NULL, path, 1u << 28, &now), WEIR_OK);
        assert_int_equal(now.size, good.size);
        assert_memory_equal(now.bytes, good.bytes, 8);
        base_blob_free(&now);
    }
    base_blob_free(&good);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}

static void a_cache_folder_that_cannot_be_written_is_no_error(void **state)
{
    run_with_cache("/proc/self", true); /* not writable, even for root */
}

static void a_subgroup_that_the_device_has_not_is_refused(void **state)
{
    weir_device_def def = weir_device_def_default();
    weir_device_info info;
    weir_device *device = NULL;
    def.log = kept_log();
    assert_int_equal(weir_device_create(&def, &device), WEIR_OK);
    weir_device_get_info(device, &info);
    weir_device_destroy(&device);
    assert_true(info.subgroup_min <= info.subgroup_size);
    const uint32_t sizes[] = {3, info.subgroup_max + 1, 2 * info.subgroup_max + 1024};
    for (size_t i = 0; i < BASE_COUNT(sizes); i++) {
        char words[32];
        def.subgroup_size = sizes[i];
        snprintf(words, sizeof words, "subgroup %u: ", sizes[i]);
        assert_int_equal(weir_device_create(&def, &device), WEIR_ERROR_ARGUMENT);
        assert_null(device);
        assert_non_null(strstr(logged, words));
        assert_logged("the driver's choice");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_device_opens_by_number_and_by_part_of_its_name),
        cmocka_unit_test(a_list_is_cut_to_its_room_and_tells_how_many_there_are),
        cmocka_unit_test(a_name_that_no_device_has_is_refused),
        cmocka_unit_test(a_subgroup_that_the_device_has_not_is_refused),
        cmocka_unit_test(a_system_without_a_driver_is_told_what_to_install),
        cmocka_unit_test(validation_that_is_not_installed_is_not_left_out_in_silence),
        cmocka_unit_test(devices_do_not_share_what_belongs_to_an_instance),
        cmocka_unit_test(threads_may_each_have_a_device),
        cmocka_unit_test(a_damaged_cache_file_is_replaced_in_silence),
        cmocka_unit_test(a_cache_folder_that_cannot_be_written_is_no_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
