/* Devices with lower limits than Weir's shaders or a scene need, simulated by the Vulkan layer
   tests/layers/low_limits.c. Impossible tasks are refused with a message and status 1; all others
   give the same bits. */
#define _XOPEN_SOURCE 700
#include "cli_support.h"

#define LOW "VK_LAYER_PATH=$PWD VK_INSTANCE_LAYERS=VK_LAYER_WEIR_low_limits "
#define MIB_256 "LOW_HEAP=268435456 "
#define TWO_FRAMES "--frames 2"
#define OTHERS_200 MIB_256 "LOW_OTHERS=209715200 " /* MiB of these */

static const char manifest[] =
    "{\"file_format_version\": \"1.0.0\", \"layer\": {\"name\": \"VK_LAYER_WEIR_low_limits\","
    " \"type\": \"GLOBAL\", \"library_path\": \"" LOW_LIMITS "\", \"api_version\": \"1.3.0\","
    " \"implementation_version\": \"1\", \"description\": \"a device that has less\"}}";

static const char tank_scene[] =
    "{\"name\": \"tank\", \"domain\": {\"min\": [0, 0, 0], \"max\": [1, 1, 1]},"
    " \"frame_rate\": 60, \"duration\": 0.2, \"spacing\": 0.0625,"
    " \"solver\": {\"substeps\": 2, \"iterations\": 2, \"long_range_correction\": \"off\"},"
    " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\":"
    " {\"min\": [0, 0, 0], \"max\": [0.75, 0.5, 1]}}}}]}";

static int open_scratch(void **state)
{
    if (make_scratch("/tmp/weir-low-XXXXXX") != 0) return -1;
    write_scratch("tank.json", tank_scene);
    write_scratch("low.json", manifest);
    return 0;
}

static void limits_below_what_shaders_need_are_named(void **state)
{
    static const struct {
        const char *limit, *words;
    } rows[] = {
        {"LOW_INVOCATIONS=128", "its workgroups have 128 invocations; Weir needs 256"},
        {"LOW_SHARED=8192", "its workgroups share 8192 bytes; Weir needs 16384"},
        {"LOW_BUFFERS=4", "its shaders bind 4 storage buffers; Weir needs 16"},
    };
    char command[256];
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        snprintf(command, sizeof command, LOW "%s $W run tank.json --frames 1 -o out",
                 rows[i].limit);
        assert_status(command, FAILED);
        assert_said(" cannot be used: ");
        assert_said(rows[i].words);
        assert_status("test ! -e out", DONE); /* no file is left */
    }
    assert_status(LOW "LOW_SHARED=8192 $W info", FAILED); /* there is no other device */
    assert_said("its workgroups share 8192 bytes; Weir needs 16384");
    assert_status(LOW "LOW_SHARED=8192 $W check tank.json", FAILED);
    assert_said("its workgroups share 8192 bytes; Weir needs 16384");
}

/* A scene of a million particles, some of whose buffers are allocated before memory is
   exhausted. The advice of `check` is tested with a heap that is too small for fewer particles. */
static void a_scene_for_which_256_mib_are_too_little_is_refused(void **state)
{
    assert_status(LOW MIB_256 "$W info", DONE);
    assert_said("268 MB");
    assert_status(LOW MIB_256 "$W run tank.json --set spacing=0.007 --frames 1 -o out", FAILED);
    assert_said("has 256.0 MiB, of which Weir uses ");
    assert_said("raise the particle spacing");
    assert_status(LOW "LOW_HEAP=25165824 $W check tank.json --set spacing=0.015625", FAILED);
    assert_said("of 25 MB on ");
    assert_said("NOT ENOUGH; use a larger spacing");
}

/* 86 MB are needed, 59 are free. */
static void a_heap_that_another_program_fills_is_named(void **state)
{
    assert_status(LOW OTHERS_200 "$W info", DONE);
    assert_said("268 MB, 59 MB free");
    assert_status(LOW OTHERS_200 "$W check tank.json --set spacing=0.0125", FAILED);
    assert_said("NOT ENOUGH; close other programs, or use a larger spacing");
    assert_status(LOW OTHERS_200 "$W run tank.json --set spacing=0.0125 --frames 1 -o out", FAILED);
    assert_said(", other programs 200.0 MiB, ");
    assert_said("close those programs");
}

/* The final state of a run, and the device memory that it took. */
typedef struct outcome {
    char state[32];
    long memory_bytes;
} outcome;

static outcome run_with(const char *setting, const char *frames)
{
    outcome run = {0};
    char command[256];
    snprintf(command, sizeof command, "%s $W run tank.json %s --particles none -o same --force",
             setting, frames);
    assert_status(command, DONE);
    const char *at = strstr(said, "\nstate ");
    assert_non_null(at);
    snprintf(run.state, sizeof run.state, "%.22s", at + 1);
    assert_status("awk -F, 'NR == 1 { while ($++at != \"memory_bytes\"); } END { print $at }'"
                  " same/stats.csv",
                  DONE);
    run.memory_bytes = strtol(said, NULL, 10);
    assert_true(run.memory_bytes > 0);
    return run;
}

/* Lists that outgrow a binding become compact, which halves them. If those outgrow it, too,
   passes over them are split into parts. */
static void small_bindings_and_256_mib_give_the_same_bits(void **state)
{
    const outcome whole = run_with("", TWO_FRAMES), poor = run_with(LOW OTHERS_200, TWO_FRAMES);
    assert_string_equal(poor.state, whole.state);
    assert_int_equal(poor.memory_bytes, whole.memory_bytes);
    static const struct {
        const char *setting;
        long range;
        bool parts;
    } rows[] = {{LOW "LOW_RANGE=260000", 260000, false}, {LOW "LOW_RANGE=131072", 131072, true}};
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        const outcome small = run_with(rows[i].setting, TWO_FRAMES);
        const long spared = whole.memory_bytes - small.memory_bytes;
        assert_string_equal(small.state, whole.state);
        if (2 * spared <= rows[i].range || (spared > rows[i].range) != rows[i].parts)
            fail_msg("%s: %ld bytes spared by compact lists", rows[i].setting, spared);
    }
}

/* Wide lists need 69 MB, compact ones 52; 59 are free. */
static void lists_are_compact_where_other_programs_leave_no_room_for_wide_ones(void **state)
{
    static const char one_frame[] = "--set spacing=0.0135 --frames 1";
    const outcome whole = run_with("", one_frame), poor = run_with(LOW OTHERS_200, one_frame);
    assert_string_equal(poor.state, whole.state);
    assert_true(poor.memory_bytes < whole.memory_bytes);
}

static void memory_in_small_pieces_is_named(void **state)
{
    assert_status(LOW "LOW_ALLOCATION=2097152 $W run tank.json --frames 1 -o out", FAILED);
    assert_said("allows at most 2.0 MiB per buffer");
}

/* Without texel buffers a CPU driver gets the variants of the shaders that GPUs have. */
static void the_shaders_of_gpus_give_the_same_bits(void **state)
{
    static const struct {
        const char *method, *preset;
    } rows[] = {{"pbf", "calibrated"}, {"pbf", "anisotropic"}, {"flip", "sph"}};
    static const char *const settings[] = {"", LOW "LOW_TEXELS=65536 "};
    char command[320];
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        for (size_t gpu = 0; gpu < 2; gpu++) {
            snprintf(command, sizeof command,
                     "%s$W run tank.json --set solver.method=%s --frames 1 --particles ply"
                     " --mesh ply --mesh-attributes --mesh-preset %s -o frames_%zu --force",
                     settings[gpu], rows[i].method, rows[i].preset, gpu);
            assert_status(command, DONE);
        }
        assert_status("diff -r frames_0/mesh frames_1/mesh", DONE);
        assert_status("diff -r frames_0/particles frames_1/particles", DONE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_below_what_shaders_need_are_named),
        cmocka_unit_test(a_scene_for_which_256_mib_are_too_little_is_refused),
        cmocka_unit_test(a_heap_that_another_program_fills_is_named),
        cmocka_unit_test(small_bindings_and_256_mib_give_the_same_bits),
        cmocka_unit_test(lists_are_compact_where_other_programs_leave_no_room_for_wide_ones),
        cmocka_unit_test(memory_in_small_pieces_is_named),
        cmocka_unit_test(the_shaders_of_gpus_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, open_scratch, close_scratch);
}
