/* What a run survives, and what it says of it: a second run in its folder, the end of its process,
 * the end of those who read its words. WEIR_PROGRAM is the program's path. */
#define _XOPEN_SOURCE 700
#include "cli_support.h"
#include "io.h"

static const char scene[] =
    "{\"name\": \"small pool with a jet\", \"spacing\": 0.05, \"frame_rate\": 60, \"duration\": "
    "0.1,\n"
    " \"domain\": {\"min\": [0, 0, 0], \"max\": [0.4, 0.4, 0.2]},\n"
    " \"solver\": {\"substeps\": 2, \"iterations\": 2},\n"
    " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\":\n"
    "   {\"min\": [0, 0, 0], \"max\": [0.2, 0.15, 0.2]}}}}],\n"
    " \"emitters\": [{\"name\": \"jet\", \"fluid\": \"water\", \"position\": [0.1, 0.3, 0.1],\n"
    "   \"direction\": [1, 0, 0], \"radius\": 0.04, \"speed\": 1}]}\n";

/* A run without an end in the folder that the shell variable `d` names, and its process in `pid`.
 */
#define ENDLESS(options)                                                     \
    "$W run jet.json -o $d --seconds 9999 " options " > log 2>&1 & pid=$!; " \
    "while kill -0 $pid && ! grep -q ^3, $d/stats.csv; do sleep 0.05; done 2> null; "

static int open_scratch(void **state)
{
    (void)state;
    if (make_scratch("/tmp/weir-survival-XXXXXX") != 0) return -1;
    write_scratch("jet.json", scene);
    return 0;
}

/* ---- one owner ------------------------------------------------------------------------------ */

static void a_second_run_in_a_folder_is_refused_by_the_name_of_the_first(void **state)
{
    (void)state;
    assert_status("d=owned; " ENDLESS(
                      "--particles none") "echo process $pid;"
                                          "$W run jet.json -o owned --force; echo status $?;"
                                          "$W run jet.json -o owned --resume; echo status $?;"
                                          "kill -9 $pid; wait $pid; grep -c , owned/stats.csv",
                  0);
    const char *process = strstr(said, "process "), *end = strchr(process, '\n');
    char name[64];
    snprintf(name, sizeof name, "(%.*s on ", (int)(end - process), process);
    const char *first = strstr(said, name);
    assert_non_null(first);
    assert_non_null(strstr(first + 1, name));
    const char *status = strstr(said, "status 2");
    assert_non_null(status);
    assert_non_null(strstr(status + 1, "status 2"));
    assert_said("owned: another Weir writes into this folder");
    assert_said("name another folder");
}

static void the_lock_dies_with_its_process_and_what_it_left_is_swept(void **state)
{
    (void)state;
    assert_status("d=dead; " ENDLESS(
                      "") "kill -9 $pid; wait $pid; "
                          "echo x > dead/.run.json.7-1.tmp; echo x > dead/particles/.p.ply.7-1.tmp;"
                          "$W run jet.json -o dead --force -q",
                  DONE);
    assert_status("find dead -name '.*.tmp'", 0);
    assert_string_equal(said, "");
}

static void run_json_says_complete_when_all_is_written(void **state)
{
    (void)state;
    assert_status(
        "d=whole; " ENDLESS("--particles none") "grep -o .complete.:.[a-z]* whole/run.json;"
                                                "kill -INT $pid; wait $pid; grep -o "
                                                ".complete.:.[a-z]* whole/run.json",
        0);
    assert_string_equal(said, "\"complete\": false\n\"complete\": false\n");
    assert_status(
        "$W run jet.json -o whole --force -q && grep -o .complete.:.[a-z]* whole/run.json", DONE);
    assert_string_equal(said, "\"complete\": true\n");
}

/* ---- signals and streams -------------------------------------------------------------------- */

static void the_end_of_the_terminal_leaves_a_run_that_can_go_on(void **state)
{
    static const char *const signals[] = {"HUP", "TERM"};
    char command[600];
    (void)state;
    for (size_t i = 0; i < BASE_COUNT(signals); ++i) {
        snprintf(command, sizeof command,
                 "d=%s; " ENDLESS("") "kill -%s $pid; wait $pid; status=$?; cat log; exit $status",
                 signals[i], signals[i]);
        assert_status(command, FAILED);
        assert_said("--resume");
        snprintf(command, sizeof command, "test -e %s/checkpoint/*.weir", signals[i]);
        assert_status(command, 0);
    }
    assert_status("d=kept; (trap '' HUP; " ENDLESS(
                      "") "echo $pid > pid); pid=$(cat pid); "
                          "kill -HUP $pid; sleep 0.2; kill -0 $pid && kill -KILL $pid",
                  0);
}

/* A frame of 10,000 iterations, which takes minutes on a CPU. */
static void a_frame_without_end_does_not_outlive_sigterm(void **state)
{
    (void)state;
    assert_status(
        "$W run -o long --set solver.substeps=100 --set solver.iterations=100 "
        "--set spacing=0.02 > log 2>&1 & pid=$!; "
        "while kill -0 $pid && ! grep -q ^0, long/stats.csv; do sleep 0.05; done 2> null; "
        "sleep 0.5; kill -TERM $pid; wait $pid; "
        "status=$?; "
        "cat log; exit $status",
        128 + 15);
    assert_said("ended by a signal before all was saved");
}

/* Each would take minutes. One that does not end is killed after a minute. */
static void every_long_command_ends_after_one_sigterm(void **state)
{
    static const char *const commands[] = {
        "mesh p.xyz -o m_####.obj --spacing 0.1 --watch",
        "render p.xyz p.xyz p.xyz -o r --spacing 0.1 --size 16384x16384 --samples 1",
        "bench jet.json --substeps 1000000 --seconds 300",
        "validate -o gates",
    };
    char command[400];
    (void)state;
    write_scratch("p.xyz", "0 0 0\n");
    for (size_t i = 0; i < BASE_COUNT(commands); ++i) {
        snprintf(command, sizeof command,
                 "$W %s > log 2>&1 & pid=$!; sleep 1; kill -TERM $pid; "
                 "{ sleep 60; kill -KILL $pid; } > null 2>&1 & late=$!; "
                 "wait $pid; status=$?; kill $late; cat log; echo status $status",
                 commands[i]);
        assert_status(command, 0);
        const char *status = strstr(said, "status ");
        assert_non_null(status);
        if (strcmp(status, "status 1\n") != 0 && strcmp(status, "status 143\n") != 0)
            fail_msg("%s:\n%s", command, said);
    }
}

static void a_run_goes_on_when_nobody_reads_its_words(void **state)
{
    (void)state;
    assert_status("{ $W run jet.json -o deaf; echo $? > status; } 2>&1 > words | head -n 1; "
                  "cat status; grep complete deaf/run.json",
                  0);
    assert_said("\n0\n");
    assert_said("\"complete\": true");
    assert_status("{ $W run jet.json -o mute; echo $? > status; } | true; "
                  "cat status; grep complete mute/run.json",
                  0);
    assert_said("standard output could not be written in full");
    assert_said("\n1\n");
    assert_said("\"complete\": true");
    assert_status("$W run jet.json -o closed 2>&- 0<&-", DONE);
    assert_status("head -n 1 closed/.weir.lock; wc -l < closed/.weir.lock", 0);
    assert_said("process ");
    assert_said("\n1\n");
}

static void every_command_fails_whose_words_cannot_be_written(void **state)
{
    static const char *const commands[] = {
        "--help",
        "--version",
        "info",
        "check jet.json",
        "check p.xyz",
        "explain jet.json",
        "help run",
        "run jet.json -o x",
        "bench jet.json --substeps 2",
        "validate --list",
        "mesh p.xyz -o m.obj --spacing 0.1",
        "report jet.json",
        "render p.xyz -o r.png --spacing 0.1 --size 64x48",
    };
    char command[128];
    (void)state;
    if (!base_path_is_file("/dev/full") && base_path_time_ns("/dev/full") == 0) skip();
    write_scratch("p.xyz", "0 0 0\n");
    for (size_t i = 0; i < BASE_COUNT(commands); ++i) {
        snprintf(command, sizeof command, "$W %s > /dev/full", commands[i]);
        assert_status(command, FAILED);
        assert_said("standard output could not be written in full");
    }
}

/* ---- the disk ------------------------------------------------------------------------------- */

/* What the runs of test_failing_files.py do not show: who asked for no checkpoint gets one. */
static void a_disk_that_gets_full_has_a_checkpoint(void **state)
{
    (void)state;
    assert_status("export LD_PRELOAD=$LD_PRELOAD:" FAIL_FILES " FAIL_IN=full FAIL_LOW=3; "
                  "$W run jet.json -o full",
                  DONE);
    assert_said("full: its disk is nearly full; saving a checkpoint");
    assert_status("ls full/checkpoint", 0);
    assert_string_equal(said, "checkpoint_0003.weir\n");
}

static void a_run_whose_disk_fails_once_goes_on_behind_a_checkpoint(void **state)
{
    (void)state;
    assert_status("$W run jet.json -o whole2 -q", DONE);
    assert_status("export LD_PRELOAD=$LD_PRELOAD:" FAIL_FILES " FAIL_IN=once FAIL_AT=60; "
                  "$W run jet.json -o once",
                  DONE);
    assert_said("tries once more");
    assert_status("diff -r once/particles whole2/particles && ls once/checkpoint | wc -l", 0);
    assert_int_equal(atoi(said), 1);
}

/* ---- checkpoints ---------------------------------------------------------------------------- */

/* The clock runs 2,000 times as fast: a frame of some milliseconds takes as many seconds. */
static void a_run_saves_a_checkpoint_every_two_minutes(void **state)
{
    (void)state;
    assert_status("export LD_PRELOAD=$LD_PRELOAD:" FAST_CLOCK " STEP_MS=200; "
                  "$W run jet.json -o often --seconds 2 --particles none -q && "
                  "$W run jet.json -o never --seconds 2 --particles none -q --checkpoint 0",
                  DONE);
    assert_status("ls often/checkpoint | wc -l; test -e never/checkpoint || echo none", 0);
    assert_string_equal(said, "2\nnone\n");
}

static void a_checkpoint_goes_on_in_a_scene_whose_words_have_changed(void **state)
{
    (void)state;
    assert_status("$W run jet.json -o texts --checkpoint 2 --frames 4 -q", DONE);
    assert_status("sed -e 's/\"small pool with a jet\"/\"another name\", \"description\": \"d\"/'"
                  " -e 's/\"fill\"/\"colour\": [1, 0, 0], \"fill\"/' jet.json > other.json; "
                  "$W run other.json -o texts --resume --seconds 0.2",
                  DONE);
    assert_said("continuing from texts/checkpoint/checkpoint_0004.weir");
    assert_said("frames 4 to 12");
    assert_status("$W run jet.json -o texts --resume --set solver.iterations=3", WRONG_USE);
    assert_said("(solver.iterations is 2 there and 3 here)");
    assert_status("$W run jet.json -o texts --resume --set emitters[0].speed=2", WRONG_USE);
    assert_said("(emitters[0].speed is 1 there and 2 here)");
}

/* Saved by version 0.1.0 at frame 6. */
static void a_checkpoint_of_version_2_is_read(void **state)
{
    (void)state;
    assert_status("mkdir -p old/checkpoint && "
                  "cp $OLDPWD/tests/data/checkpoint_version_2.weir "
                  "old/checkpoint/checkpoint_0006.weir && "
                  "$W run $OLDPWD/tests/data/checkpoint_version_2.json -o old --resume",
                  DONE);
    assert_said("continuing from old/checkpoint/checkpoint_0006.weir");
    assert_said("frames 6 to 12");
    assert_status("head -n 2 old/stats.csv | tail -n 1 | cut -d , -f 1-5", 0);
    assert_string_equal(said, "7,0.11666666666666665,14,2,51\n");
    assert_status("rm -r old/checkpoint/*; cp $OLDPWD/tests/data/checkpoint_version_2.weir "
                  "old/checkpoint/checkpoint_0006.weir && "
                  "$W run $OLDPWD/tests/data/checkpoint_version_2.json -o old --resume "
                  "--set name=other",
                  DONE);
    assert_said("did not record its scene");
}

static void a_checkpoint_of_another_device_says_so(void **state)
{
    (void)state;
    assert_status("$W run jet.json -o device --checkpoint 2 -q", DONE);
    char path[160];
    snprintf(path, sizeof path, "%s/device/checkpoint/checkpoint_0006.weir", scratch);
    io_state file = {0};
    assert_int_equal(io_state_read(NULL, path, "weirsim", &file), WEIR_OK);
    io_block *name = (io_block *)(uintptr_t)io_state_find(file.blocks, file.count, "device");
    assert_non_null(name);
    assert_true(name->size > 10);
    name->bytes = "another device";
    name->size = strlen("another device");
    assert_int_equal(io_state_write(NULL, path, "weirsim", file.blocks, file.count), WEIR_OK);
    io_state_free(&file);
    assert_status("$W run jet.json -o device --resume --seconds 0.2", DONE);
    assert_said("was saved on another device; this is ");
    assert_said("bits may differ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_second_run_in_a_folder_is_refused_by_the_name_of_the_first),
        cmocka_unit_test(the_lock_dies_with_its_process_and_what_it_left_is_swept),
        cmocka_unit_test(run_json_says_complete_when_all_is_written),
        cmocka_unit_test(the_end_of_the_terminal_leaves_a_run_that_can_go_on),
        cmocka_unit_test(a_frame_without_end_does_not_outlive_sigterm),
        cmocka_unit_test(every_long_command_ends_after_one_sigterm),
        cmocka_unit_test(a_run_goes_on_when_nobody_reads_its_words),
        cmocka_unit_test(every_command_fails_whose_words_cannot_be_written),
        cmocka_unit_test(a_disk_that_gets_full_has_a_checkpoint),
        cmocka_unit_test(a_run_whose_disk_fails_once_goes_on_behind_a_checkpoint),
        cmocka_unit_test(a_run_saves_a_checkpoint_every_two_minutes),
        cmocka_unit_test(a_checkpoint_goes_on_in_a_scene_whose_words_have_changed),
        cmocka_unit_test(a_checkpoint_of_version_2_is_read),
        cmocka_unit_test(a_checkpoint_of_another_device_says_so),
    };
    return cmocka_run_group_tests(tests, open_scratch, close_scratch);
}
