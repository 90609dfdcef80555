/* Events that a run survives, and its messages about them: a second run in its folder, the end
   of its process, the end of the readers of its output. WEIR_PROGRAM is the program's path. */
#define _XOPEN_SOURCE 700
#include "cli_support.h"
#include "io.h"
#include "scene_text.h"

#include <signal.h>
#include <unistd.h>

/* An endless run in the folder that the shell variable `d` names, with its process in `pid`. */
#define ENDLESS(options)                                                     \
    "$W run jet.json -o $d --seconds 9999 " options " > log 2>&1 & pid=$!; " \
    "while kill -0 $pid && ! grep -q ^3, $d/stats.csv; do sleep 0.05; done 2> null; "

static int open_scratch(void **state)
{
    if (make_scratch("/tmp/weir-survival-XXXXXX") != 0) return -1;
    write_scratch("jet.json", scene_text("survival"));
    signal(SIGHUP, SIG_DFL); /* even if the test itself was started by nohup */
    return 0;
}

/* ---- one owner ------------------------------------------------------------------------------ */

static void a_second_run_in_a_folder_is_refused_by_the_name_of_the_first(void **state)
{
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
    assert_said("owned: another Weir process is writing to this folder");
    assert_said("choose another folder");
}

static void the_lock_dies_with_its_process_and_what_it_left_is_swept(void **state)
{
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
    for (size_t i = 0; i < BASE_COUNT(signals); ++i) {
        snprintf(command, sizeof command,
                 "d=%s; " ENDLESS("") "kill -%s $pid; wait $pid; status=$?; cat log; exit $status",
                 signals[i], signals[i]);
        assert_status(command, STOPPED);
        assert_said("--resume");
        snprintf(command, sizeof command, "test -e %s/checkpoint/*.weir", signals[i]);
        assert_status(command, 0);
    }
    assert_status("d=kept; (trap '' HUP; " ENDLESS(
                      "") "echo $pid > pid); pid=$(cat pid); "
                          "kill -HUP $pid; sleep 0.2; kill -0 $pid && kill -KILL $pid",
                  0);
}

/* Runs a command and ends its process with one SIGTERM, one second after its start or once the
   file that `ready` names exists. Reports how long it took until only the system's clean-up of
   the process remains, which on a busy machine takes seconds. A process that does not end is
   killed after a quarter of an hour. */
static const char end_script[] =
    "rm -f \"$ready\"; \"$@\" > log 2>&1 & pid=$!\n"
    "while [ \"$ready\" ] && [ ! -s \"$ready\" ] && kill -0 $pid; do sleep 0.05; done 2> null\n"
    "sleep 1; start=$(date +%s%N); kill -TERM $pid || echo over before\n"
    "{ trap 'kill $nap; exit' TERM; sleep 1000 & nap=$!; wait $nap; kill -KILL $pid; } > null 2>&1 "
    "&\n"
    "late=$!\n"
    "while read -r id name state rest < /proc/$pid/stat && [ $state != Z ]; do sleep 0.02; done\n"
    "took=$((($(date +%s%N) - start) / 1000000)); wait $pid; status=$?; kill $late\n"
    "cat log; echo ended in $took ms by status $status\n";

static double longest_s; /* longest time of all ended processes */

/* Measures how much of a processor this thread gets in a twentieth of a second, into *share. */
static void spin(void *share)
{
    double start_s = base_time_s(), start_cpu_s = base_thread_cpu_time_s(), passed_s = 0.0;
    while (passed_s < 0.05)
        passed_s = base_time_s() - start_s;
    *(double *)share = (base_thread_cpu_time_s() - start_cpu_s) / passed_s;
}

/* Returns whether other programs leave nine tenths of each processor free, as in
   tests/long/test_ceilings.c. */
static bool is_quiet(void)
{
    base_thread *threads[64];
    double shares[64], least = 1.0;
    uint32_t count = base_cpu_count() < 64 ? base_cpu_count() : 64;
    for (uint32_t t = 0; t < count; t++)
        assert_non_null(threads[t] = base_thread_start(spin, &shares[t]));
    for (uint32_t t = 0; t < count; t++) {
        base_thread_join(&threads[t]);
        least = fmin(least, shares[t]);
    }
    return least > 0.9;
}

/* Asserts an end within two seconds on an otherwise idle machine; on a busy one the time cannot
   be attributed. `screen`: command that opens a screen, or "". The status is 75, 143 for the
   signal itself, or `other`. */
static void assert_ends(const char *screen, const char *ready, const char *command, int other)
{
    char line[640];
    int took_ms = 0, status = 0;
    write_scratch("end.sh", end_script);
    snprintf(line, sizeof line, "export W ready=%s; %s sh end.sh $W %s", ready, screen, command);
    bool quiet = is_quiet();
    shell(line);
    const char *words = strstr(said, "ended in ");
    if (!words || sscanf(words, "ended in %d ms by status %d", &took_ms, &status) != 2 ||
        (status != STOPPED && status != 128 + 15 && status != other))
        fail_msg("%s:\n%s", command, said);
    if (strstr(said, "over before")) fail_msg("%s: ended by itself:\n%s", command, said);
    quiet = quiet && is_quiet();
    print_message("%.2f s%s: %s\n", 1e-3 * took_ms, quiet ? "" : ", beside other work", command);
    if (quiet && took_ms > 2000) fail_msg("%s: ended after %d ms", command, took_ms);
    longest_s = fmax(longest_s, 1e-3 * took_ms);
}

/* A frame of 10,000 iterations, which takes minutes on a CPU. */
#define ENDLESS_FRAME "--set solver.substeps=100 --set solver.iterations=100 --set spacing=0.02 "

static void a_frame_without_end_does_not_outlive_sigterm(void **state)
{
    assert_ends("", "long/run.json", "run -o long " ENDLESS_FRAME, 128 + 15);
    assert_said("ended by a signal before everything was saved");
    assert_said("by status 143");
}

/* Links files of two particles as frames, enough for more than a minute's work. */
static void link_frames(uint32_t count)
{
    char from[128], to[128];
    write_scratch("p_0.xyz", "0 0 0 1 0 0\n1 1 1 0 1 0\n");
    snprintf(from, sizeof from, "%s/p_0.xyz", scratch);
    for (uint32_t i = 1; i < count; i++) {
        snprintf(to, sizeof to, "%s/p_%u.xyz", scratch, i);
        assert_int_equal(link(from, to), 0);
    }
}

/* Each of these would take minutes. */
static void every_long_command_ends_after_one_sigterm(void **state)
{
    static const char *const commands[] = {
        "mesh p.xyz -o m_####.obj --spacing 0.1 --watch",
        "render p.xyz p.xyz p.xyz -o r --spacing 0.1 --size 16384x16384 --samples 1",
        "bench jet.json --substeps 1000000 --seconds 300",
        "whitewater 'p_*.xyz' -o whitewater --spacing 0.1 --rate 50",
    };
    write_scratch("p.xyz", "0 0 0\n");
    link_frames(20000);
    for (size_t i = 0; i < BASE_COUNT(commands); ++i)
        assert_ends("", "", commands[i], FAILED);
    print_message("the longest took %.2f s after its SIGTERM\n", longest_s);
}

/* A viewer that is ended between two frames behaves like one whose window was closed. */
static void the_viewer_ends_after_one_sigterm(void **state)
{
    if (system("command -v xvfb-run > /dev/null && command -v xauth > /dev/null") != 0 ||
        system(WEIR_PROGRAM " view --script quit 2>&1 | grep -q 'has no viewer'") == 0) {
        print_message("no viewer, or no xvfb-run to show it: left out\n");
        return;
    }
    static const char screen[] = "XDG_RUNTIME_DIR=$PWD xvfb-run -a -s '-screen 0 800x600x24'";
    assert_ends(screen, "v.png", "view jet.json --script 'shot v.png'", DONE);
    assert_ends(screen, "w.png", "view " ENDLESS_FRAME "--script 'shot w.png; step 9; quit'",
                128 + 15);
    print_message("the longest took %.2f s after its SIGTERM\n", longest_s);
}

static void a_run_goes_on_when_nobody_reads_its_words(void **state)
{
    assert_status("{ $W run jet.json -o deaf; echo $? > status; } 2>&1 > words | head -n 1; "
                  "cat status; grep complete deaf/run.json",
                  0);
    assert_said("\n0\n");
    assert_said("\"complete\": true");
    assert_status("{ $W run jet.json -o mute; echo $? > status; } | true; "
                  "cat status; grep complete mute/run.json",
                  0);
    assert_said("could not write all of standard output");
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
        "mesh p.xyz -o m.obj --spacing 0.1",
        "report jet.json",
        "render p.xyz -o r.png --spacing 0.1 --size 64x48",
        "whitewater q_0.xyz q_1.xyz -o w --spacing 0.1 --rate 50",
        "view --help", /* in a window it prints nothing there */
    };
    char command[128];
    if (!base_path_is_file("/dev/full") && base_path_modified_ns("/dev/full") == 0) skip();
    write_scratch("p.xyz", "0 0 0\n");
    write_scratch("q_0.xyz", "0 0 0 1 0 0\n1 1 1 0 1 0\n");
    write_scratch("q_1.xyz", "0 0 0 1 0 0\n1 1 1 0 1 0\n");
    for (size_t i = 0; i < BASE_COUNT(commands); ++i) {
        snprintf(command, sizeof command, "$W %s > /dev/full", commands[i]);
        assert_status(command, FAILED);
        assert_said("could not write all of standard output");
    }
}

/* ---- the disk ------------------------------------------------------------------------------- */

/* Covers what test_failing_files.py does not: a checkpoint is saved although none was requested. */
static void a_disk_that_gets_full_has_a_checkpoint(void **state)
{
    assert_status("export LD_PRELOAD=$LD_PRELOAD:" FAIL_FILES " FAIL_IN=full FAIL_LOW=4; "
                  "$W run jet.json -o full",
                  DONE);
    assert_said("full: the disk is nearly full; saving a checkpoint");
    assert_status("ls full/checkpoint", 0);
    assert_string_equal(said, "checkpoint_0003.weir\n");
}

static void a_run_whose_disk_fails_once_goes_on_behind_a_checkpoint(void **state)
{
    assert_status("$W run jet.json -o whole2 -q", DONE);
    assert_status("export LD_PRELOAD=$LD_PRELOAD:" FAIL_FILES " FAIL_IN=once FAIL_AT=96; "
                  "$W run jet.json -o once",
                  DONE);
    assert_said("trying once more");
    assert_status("diff -r once/particles whole2/particles && ls once/checkpoint | wc -l", 0);
    assert_int_equal(atoi(said), 1);
}

/* ---- checkpoints ---------------------------------------------------------------------------- */

/* The clock runs 2,000 times as fast: a frame of some milliseconds takes as many seconds. */
static void a_run_saves_a_checkpoint_every_two_minutes(void **state)
{
    assert_status(
        "export LD_PRELOAD=$LD_PRELOAD:" FAST_CLOCK " STEP_MS=200; "
        "$W run jet.json -o often --seconds 2 --particles none -q && "
        "$W run jet.json -o never --seconds 2 --particles none -q --checkpoint-interval 0",
        DONE);
    assert_status("ls often/checkpoint | wc -l; test -e never/checkpoint || echo none", 0);
    assert_string_equal(said, "2\nnone\n");
}

/* Returns the frames between the two checkpoints that a run keeps. Its clock advances by 4 s per
   frame, and by the variables `more`. */
static uint32_t frames_between_checkpoints(const char *folder, const char *seconds,
                                           const char *more)
{
    char line[640];
    unsigned older = 0, newer = 0;
    snprintf(line, sizeof line,
             "export LD_PRELOAD=$LD_PRELOAD:" FAST_CLOCK " STEP_MS=1 FRAME_MS=4000 %s; "
             "$W run jet.json -o %s --seconds %s --particles none -q",
             more, folder, seconds);
    assert_status(line, DONE);
    snprintf(line, sizeof line, "ls %s/checkpoint", folder);
    assert_status(line, 0);
    if (sscanf(said, "checkpoint_%u.weir checkpoint_%u.weir", &older, &newer) != 2)
        fail_msg("%s: expected two checkpoints:\n%s", folder, said);
    return newer - older;
}

/* A save of 20 s is a fiftieth of 1000 s, which is 8 times two minutes. Lines are written after
   their frames, some together, so intervals are up to fifty frames longer. */
static void a_checkpoint_that_takes_long_is_saved_less_often(void **state)
{
    uint32_t quick = frames_between_checkpoints("quick", "6", ""),
             slow = frames_between_checkpoints("slow", "14", "RENAME_MS=20000");
    print_message("a checkpoint every %u frames, and every %u where saving takes long\n", quick,
                  slow);
    assert_in_range(slow, quick * 2, quick * 16);
}

static void a_checkpoint_goes_on_in_a_scene_whose_words_have_changed(void **state)
{
    assert_status("$W run jet.json -o texts --checkpoint-interval 2 --frames 4 -q", DONE);
    assert_status("sed -e 's/\"small pool with a jet\"/\"another name\", \"description\": \"d\"/'"
                  " -e 's/\"fill\"/\"colour\": [1, 0, 0], \"fill\"/' jet.json > other.json; "
                  "$W run other.json -o texts --resume --seconds 0.2",
                  DONE);
    assert_said("continuing from texts/checkpoint/checkpoint_0004.weir");
    assert_said("frames 4 to 12");
    assert_status("$W run jet.json -o texts --resume --set solver.iterations=3", WRONG_USE);
    assert_said("(solver.iterations is 2 in the saved scene and 3 in this one)");
    assert_status("$W run jet.json -o texts --resume --set emitters[0].speed=2", WRONG_USE);
    assert_said("(emitters[0].speed is 1 in the saved scene and 2 in this one)");
}

/* Saved by version 0.1.0 at frame 6. */
static void a_checkpoint_of_version_2_is_read(void **state)
{
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
    assert_said("did not record the scene: make sure that it belongs to this scene");
}

static void a_checkpoint_of_another_device_says_so(void **state)
{
    assert_status("$W run jet.json -o device --checkpoint-interval 2 -q", DONE);
    char path[160];
    snprintf(path, sizeof path, "%s/device/checkpoint/checkpoint_0006.weir", scratch);
    io_block_file file = {0};
    assert_int_equal(io_block_file_read(NULL, path, "weirsim", &file), WEIR_OK);
    io_block *name = (io_block *)(uintptr_t)io_block_find(file.blocks, file.count, "device");
    assert_non_null(name);
    assert_true(name->size > 10);
    name->bytes = "another device";
    name->size = strlen("another device");
    assert_int_equal(io_block_file_write(NULL, path, "weirsim", file.blocks, file.count), WEIR_OK);
    io_block_file_free(&file);
    assert_status("$W run jet.json -o device --resume --seconds 0.2", DONE);
    assert_said("was saved on another device; this is ");
    assert_said(": from here on, results may differ in their last bits from a run on one device");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_second_run_in_a_folder_is_refused_by_the_name_of_the_first),
        cmocka_unit_test(the_lock_dies_with_its_process_and_what_it_left_is_swept),
        cmocka_unit_test(run_json_says_complete_when_all_is_written),
        cmocka_unit_test(the_end_of_the_terminal_leaves_a_run_that_can_go_on),
        cmocka_unit_test(a_frame_without_end_does_not_outlive_sigterm),
        cmocka_unit_test(every_long_command_ends_after_one_sigterm),
        cmocka_unit_test(the_viewer_ends_after_one_sigterm),
        cmocka_unit_test(a_run_goes_on_when_nobody_reads_its_words),
        cmocka_unit_test(every_command_fails_whose_words_cannot_be_written),
        cmocka_unit_test(a_disk_that_gets_full_has_a_checkpoint),
        cmocka_unit_test(a_run_whose_disk_fails_once_goes_on_behind_a_checkpoint),
        cmocka_unit_test(a_run_saves_a_checkpoint_every_two_minutes),
        cmocka_unit_test(a_checkpoint_that_takes_long_is_saved_less_often),
        cmocka_unit_test(a_checkpoint_goes_on_in_a_scene_whose_words_have_changed),
        cmocka_unit_test(a_checkpoint_of_version_2_is_read),
        cmocka_unit_test(a_checkpoint_of_another_device_says_so),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, open_scratch, close_scratch);
}
