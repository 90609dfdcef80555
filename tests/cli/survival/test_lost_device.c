/* A device that is lost during a command, simulated by the Vulkan layer tests/layers/lose_device.c.
   The program reports it once, says what to do, ends with status 1, and leaves only whole files. */
#define _XOPEN_SOURCE 700
#include "cli_support.h"
#include "scene_text.h"

#define SKIPPED 77
#define LOSE "VK_LAYER_PATH=$PWD VK_INSTANCE_LAYERS=VK_LAYER_WEIR_lose_device "
#define WINDOW "xvfb-run -a -s '-screen 0 800x600x24' $W view pool.json --width 320 --height 240 "

static const char manifest[] =
    "{\"file_format_version\": \"1.0.0\", \"layer\": {\"name\": \"VK_LAYER_WEIR_lose_device\","
    " \"type\": \"GLOBAL\", \"library_path\": \"" LOSE_DEVICE "\", \"api_version\": \"1.3.0\","
    " \"implementation_version\": \"1\", \"description\": \"loses the device\"}}";

static int open_scratch(void **state)
{
    if (make_scratch("/tmp/weir-lost-XXXXXX") != 0) return -1;
    settings = "export XDG_RUNTIME_DIR=$PWD";
    write_scratch("pool.json", scene_text("pool"));
    write_scratch("lose_device.json", manifest);
    return 0;
}

static uint32_t times_said(const char *words)
{
    uint32_t count = 0;
    for (const char *at = strstr(said, words); at; at = strstr(at + 1, words))
        count++;
    return count;
}

static void assert_lost(const char *at, int after, const char *command)
{
    char line[640];
    snprintf(line, sizeof line, LOSE "LOSE_AT=%s LOSE_AFTER=%d %s", at, after, command);
    int got = shell(line);
    for (int tries = 0; tries < 3 && got > WRONG_USE && got < 128; tries++)
        got = shell(line); /* xvfb-run adds exit statuses of its own */
    if (got != FAILED) fail_msg("%s: status %d:\n%s", line, got, said);
    if (times_said(" was lost in vk") != 1) fail_msg("%s: not said, or not once:\n%s", line, said);
    assert_said("--resume");
}

/* At any time: while the simulation is created, in the middle, near the end. */
static void a_run_ends_and_what_it_wrote_is_whole(void **state)
{
    static const int moments[] = {1, 2, 3, 5, 8, 13, 21, 34};
    assert_status("$W run pool.json -o whole --frames 6 --images --size 64x48 --samples 1", DONE);
    for (size_t i = 0; i < BASE_COUNT(moments); i++) {
        const char *at = i % 2 ? "wait" : "submit";
        assert_lost(
            at, moments[i],
            "$W run pool.json -o lost --force --frames 200 --checkpoint-interval 2 --images "
            "--size 64x48 --samples 1 --mesh obj");
        assert_status("! find lost -name '*.tmp*' | grep .", DONE);
        assert_status(
            "for f in lost/particles/particles_000[0-6].ply lost/images/*_000[1-6].png; do "
            "g=whole/${f#lost/}; [ ! -f $f ] || cmp $f $g || exit 1; done",
            DONE);
    }
}

/* The 700th wait comes after about 100 of 120 frames, and after the first checkpoint even where
   a busy machine gives each pass a submission of its own, 207 per frame. */
static void a_run_that_lost_its_device_resumes(void **state)
{
    assert_lost("wait", 700, "$W run pool.json --set duration=2 -o again --checkpoint-interval 2");
    assert_status("$W run -o again --resume", DONE);
    assert_status("$W run pool.json --set duration=2 -o straight", DONE);
    assert_status("cmp again/particles/particles_0120.ply straight/particles/particles_0120.ply",
                  DONE);
}

static void other_commands_say_it_too(void **state)
{
    assert_lost("wait", 9, "$W bench pool.json --substeps 40 --seconds 5");
    assert_lost("submit", 2, "$W mesh 'whole/particles/*.ply' -o mesh_####.obj");
    assert_lost("wait", 4, "$W render whole/particles/particles_0003.ply -o drawn --size 64x48");
    assert_status("test ! -f drawn/image_0003.png", DONE);
}

/* A device that signals no fence: the layer's waits end at once with a timeout. */
static void a_device_that_hangs_is_given_up_after_ten_minutes(void **state)
{
    static const char *const warning = "has not finished a submission for 60 s; if it does not "
                                       "within 600 s, it counts as lost";
    assert_lost("hang", 20, "$W run pool.json -o hung --force --frames 200");
    assert_int_equal(times_said(warning), 1);
    assert_lost("hang", 1, "$W check pool.json");
    assert_status(LOSE "LOSE_AT=pause LOSE_AFTER=20 $W run pool.json -o paused --frames 3", DONE);
    assert_int_equal(times_said(warning), 1);
    assert_status("$W run pool.json -o straight3 --frames 3", DONE);
    assert_status("cmp paused/particles/particles_0003.ply straight3/particles/particles_0003.ply",
                  DONE);
}

/* A driver whose shaders do nothing, or the wrong thing, succeeds in every call. */
static void assert_refused(const char *at, const char *command, int after, const char *words)
{
    char line[640];
    snprintf(line, sizeof line, LOSE "LOSE_AT=%s LOSE_AFTER=%d %s", at, after, command);
    assert_status(line, FAILED);
    assert_said(words);
    assert_said("update its driver, or choose another device");
}

static void assert_idle(const char *command, int after, const char *words)
{
    assert_refused("dispatch", command, after, words);
}

static void a_device_that_computes_nothing_is_refused(void **state)
{
    static const char *const words = "computes nothing: in a small test a product is 0x00000000";
    assert_idle("$W run pool.json -o idle --frames 2", 1, words);
    assert_idle("$W run pool.json -o idle --frames 2 --mesh obj --images", 1, words);
    assert_idle("$W mesh 'whole/particles/*.ply' -o idle_####.obj", 1, words);
    assert_idle("$W check pool.json", 1, words);
    assert_status("test ! -e idle", DONE);
}

/* Half of the workgroups leave zeros; a shader that runs twice counts twice. */
static void a_device_that_computes_wrongly_is_refused(void **state)
{
    assert_refused("half", "$W run pool.json -o wrong --frames 2", 1,
                   "computes wrongly: in a small test a product is 0x00000000, expected 0x");
    assert_refused("twice", "$W run pool.json -o wrong --frames 2", 1,
                   "computes wrongly: in a small test an atomic counter is 0x");
    assert_refused("twice", "$W mesh 'whole/particles/*.ply' -o wrong_####.obj", 1,
                   "computes wrongly: ");
    assert_status("test ! -e wrong", DONE);
}

static void a_device_that_stops_computing_is_noticed_at_the_end_of_the_frame(void **state)
{
    assert_idle("$W run pool.json -o idle --frames 2", 30, " computed frame 1 wrongly: ");
    assert_idle("$W mesh 'whole/particles/*.ply' -o idle_####.obj", 3, " it finds no block with ");
}

static void the_viewer_closes_with_the_reason(void **state)
{
    if (system("command -v xvfb-run > /dev/null && command -v xauth > /dev/null") != 0 ||
        system(WEIR_PROGRAM " view --script quit 2>&1 | grep -q 'has no viewer'") == 0) {
        print_message("no viewer, or no xvfb-run to show it: left out\n");
        return;
    }
    static const char *const at[] = {"submit", "wait", "present", "wait"};
    static const int moments[] = {12, 9, 3, 1};
    for (size_t i = 0; i < BASE_COUNT(at); i++)
        assert_lost(at[i], moments[i], WINDOW "--script 'record film.mp4; step 300; quit'");
}

int main(void)
{
    if (system("sh -c 'test -f " LOSE_DEVICE "'") != 0) {
        printf("skipped: the layer that loses devices was not built\n");
        return SKIPPED;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_ends_and_what_it_wrote_is_whole),
        cmocka_unit_test(a_run_that_lost_its_device_resumes),
        cmocka_unit_test(other_commands_say_it_too),
        cmocka_unit_test(a_device_that_hangs_is_given_up_after_ten_minutes),
        cmocka_unit_test(a_device_that_computes_nothing_is_refused),
        cmocka_unit_test(a_device_that_computes_wrongly_is_refused),
        cmocka_unit_test(a_device_that_stops_computing_is_noticed_at_the_end_of_the_frame),
        cmocka_unit_test(the_viewer_closes_with_the_reason),
    };
    return cmocka_run_group_tests(tests, open_scratch, close_scratch);
}
