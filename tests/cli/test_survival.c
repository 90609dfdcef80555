/* What a run survives, and what it says of it: a second run in its folder, the end of its process.
 * WEIR_PROGRAM is the program's path. */
#define _XOPEN_SOURCE 700
#include "cli_support.h"

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
    assert_status("d=whole; " ENDLESS(
                      "--particles none") "grep complete whole/run.json;"
                                          "kill -INT $pid; wait $pid; grep complete whole/run.json",
                  0);
    assert_string_equal(said, "  \"complete\": false\n  \"complete\": false\n");
    assert_status("$W run jet.json -o whole --force -q && grep complete whole/run.json", DONE);
    assert_string_equal(said, "  \"complete\": true\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_second_run_in_a_folder_is_refused_by_the_name_of_the_first),
        cmocka_unit_test(the_lock_dies_with_its_process_and_what_it_left_is_swept),
        cmocka_unit_test(run_json_says_complete_when_all_is_written),
    };
    return cmocka_run_group_tests(tests, open_scratch, close_scratch);
}
