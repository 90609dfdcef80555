/* A table of user errors over all commands: the exit status and the message of each.
   docs/exit-statuses.md explains the statuses. */
#define _XOPEN_SOURCE 700
#include "cli_support.h"

static const struct {
    const char *name, *text;
} files[] = {
    {"tiny.json", "{\"name\": \"tiny\", \"domain\": {\"min\": [0, 0, 0], \"max\": [0.5, 0.5, 0.3]},"
                  " \"frame_rate\": 60, \"duration\": 0.1, \"spacing\": 0.05,"
                  " \"solver\": {\"substeps\": 2, \"iterations\": 2},"
                  " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\":"
                  " {\"min\": [0, 0, 0], \"max\": [0.3, 0.25, 0.3]}}}}]}"},
    {"cut.json", "{\"spacing\": 0.05"},
    {"dry.json", "{\"domain\": {\"min\": [0, 0, 0], \"max\": [1, 1, 1]}, \"spacing\": 0.1,"
                 " \"fluids\": []}"},
    {"lost.json", "{\"domain\": {\"min\": [0, 0, 0], \"max\": [1, 1, 1]}, \"spacing\": 0.1,"
                  " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\":"
                  " {\"mesh\": {\"file\": \"nosuch.obj\"}}}}]}"},
    {"two.xyz", "0 0 0\n0.1 0 0\n"},
    {"nan.xyz", "0 0 nan\n"},
    {"one.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"},
    {"bad.obj", "v 0 0 0\nf 1 2 3\n"},
    {"sky.hdr", "#?RADIANCE\n"},
    {"empty.ply", ""},
};

static const struct {
    const char *arguments;
    int status;
    const char *words;
} cases[] = {
    {"run cut.json -o o", FAILED, "cut.json:1:16: not a JSON object"},
    {"run dry.json -o o", FAILED, "dry.json"},
    {"run lost.json -o o", FAILED, "no file \""},
    {"run empty.ply -o o", FAILED, "empty.ply:1:1: not a JSON object"},
    {"run folder -o o", FAILED, "folder: is a folder"},
    {"run tiny.json -o tiny.json", FAILED, "tiny.json"},
    {"run tiny.json -o o --set spacing=-1", FAILED, "spacing: is -1, expected a number from 1e-05"},
    {"run tiny.json -o o --set 'fluids[3].density=1'", FAILED,
     "has no element [3], expected an index below 1"},
    {"run tiny.json -o o --set duration=1e9", FAILED, "duration: is 1e+09, expected a number from"},
    {"run tiny.json -o o --trace folder", FAILED, "folder: is a folder; give a file"},
    {"run tiny.json -o o --images --environment sky.hdr", FAILED, "has no FORMAT=32-bit_rle_rgbe"},
    {"run tiny.json -o all --frames 7", DONE, "frames 0 to 6"},
    {"run tiny.json -o p --frames 7:9", WRONG_USE, "the scene ends with frame 6"},
    {"run tiny.json -o p --seconds 0", WRONG_USE, "--seconds: \"0\" is not a number above 0"},
    {"run tiny.json -o p --start-frame -1", WRONG_USE, "is not a whole number, 0 or more"},
    {"run tiny.json -o p --mesh stl", WRONG_USE, "--mesh accepts obj, ply, vtk, bgeo, vtp, none"},
    {"run tiny.json -o p --mesh ply --mesh-cell-size 1000", WRONG_USE, "expected 0.01 to 100"},
    {"run tiny.json -o p --mesh ply --mesh-set iso_vale=1", WRONG_USE,
     "did you mean \"iso_value\""},
    {"run tiny.json -o p --mesh-iso 1", WRONG_USE, "is a setting now: --mesh-set iso_value=X"},
    {"mesh p --no-damping", WRONG_USE, "is a setting now: --set sheet_damping=false"},
    {"mesh p --raw", WRONG_USE, "--raw is now called --no-refine"},
    {"run tiny.json -o p --device 99", WRONG_USE, "unknown device \"99\""},
    {"run tiny.json -o p --sweep spacing", WRONG_USE, "not of the form KEY=A,B,C"},
    {"run tiny.json -o p --images --size 0x0", WRONG_USE, "expected 1 to 16384 pixels"},
    {"run tiny.json -o p --gauges often", WRONG_USE, "--gauges accepts frame, substep"},
    {"mesh", WRONG_USE, "a file is missing; usage: weir mesh PARTICLES..."},
    {"mesh two.xyz -o m.stl", WRONG_USE, "\"stl\" is not a mesh format"},
    {"mesh two.xyz --spacing nan", WRONG_USE, "--spacing: \"nan\" is not a number above 0"},
    {"mesh 'a/*/b.ply'", WRONG_USE, "only the last part of a pattern"},
    {"mesh nosuch.ply", FAILED, "nosuch.ply: no such file"},
    {"mesh folder", FAILED, "this folder contains no particle files"},
    {"mesh nan.xyz --spacing 0.1", FAILED,
     "nan.xyz:1:5: 1 of 1 particles has a number that is not finite"},
    {"whitewater", WRONG_USE, "a file is missing; usage: weir whitewater PARTICLES..."},
    {"whitewater two.xyz", WRONG_USE, "whitewater needs at least two frames, found 1"},
    {"whitewater nosuch.ply", FAILED, "nosuch.ply: no such file"},
    {"whitewater two.xyz --format raw", WRONG_USE,
     "--format accepts ply, vtk, bgeo, xyz, npy, vtp"},
    {"render", WRONG_USE, "a file is missing; usage: weir render"},
    {"render two.xyz --spacing 0.1 --eye 1,2", WRONG_USE, "--eye 1,2: expected 3 numbers"},
    {"render two.xyz --spacing 0.1 --fov 400", WRONG_USE, "fov_y_degrees is 400, expected 1 to"},
    {"render two.xyz --spacing 0.1 --samples 9", WRONG_USE, "--samples 9: expected 1 to 4"},
    {"render two.xyz --spacing 0.1 --environment nosuch.hdr", FAILED, "nosuch.hdr: cannot be"},
    {"render two.xyz --spacing 0.1 --scene cut.json", FAILED, "cut.json:1:16: not a JSON object"},
    {"check folder", FAILED, "folder: is a folder; give a file in it"},
    {"check bad.obj", FAILED, "bad.obj:2:7: vertex index 3"},
    {"check one.obj", FAILED, "closed             NO"},
    {"check tiny.json --set solver.method=sph", FAILED, "expected one of \"pbf\""},
    {"check tiny.json --json", WRONG_USE, "--json works only with meshes"},
    {"explain cut.json", FAILED, "cut.json:1:16: not a JSON object"},
    {"explain tiny.json cut.json", WRONG_USE, "unexpected argument \"cut.json\""},
    {"info extra", WRONG_USE, "unexpected argument \"extra\""},
    {"view tiny.json --script 'jump 3'", WRONG_USE, "unknown command \"jump\""},
    {"view tiny.json --script quit --script-file quit", WRONG_USE, "not both"},
    {"view tiny.json --script-file nosuch.txt", FAILED, "nosuch.txt: cannot be opened"},
    {"bench nosuch", WRONG_USE, "the suites are paper, scaling"},
    {"bench --compare tiny.json", WRONG_USE, "--compare needs at least two files"},
    {"bench --compare tiny.json cut.json", FAILED, "has no \"schema\": \"weir-bench\""},
    {"bench all --against weir", WRONG_USE, "--against takes one scene"},
    {"bench tiny.json --against weir --rounds 2", WRONG_USE, "--rounds expects 3 to 100"},
    {"summary", WRONG_USE, "a file is missing"},
    {"summary folder", FAILED, "folder: has no run.json; name a folder that weir run -o"},
    {"bench tiny.json --sweep workgroup=33", WRONG_USE, "--sweep expects workgroup="},
    {"bench tiny.json --pass lambda", WRONG_USE, "--pass needs --checkpoint CHECKPOINT"},
    {"validate G2", WRONG_USE, "tools/validate in Weir's source tree"},
    {"report nosuch.json", FAILED, "nosuch.json: no such file"},
    {"report folder", FAILED,
     "folder: contains no run.json; give a run's folder, a scene, or nothing"},
    {"report tiny.json cut.json", WRONG_USE, "unexpected argument \"cut.json\""},
    {"help nosuch", WRONG_USE, "unknown command \"nosuch\""},
};

static int open_scratch(void **state)
{
    if (make_scratch("/tmp/weir-status-XXXXXX") != 0) return -1;
    settings = "export XDG_CACHE_HOME=$PWD";
    for (size_t i = 0; i < BASE_COUNT(files); i++)
        write_scratch(files[i].name, files[i].text);
    return shell("mkdir folder");
}

static void every_fault_has_its_status_and_its_words(void **state)
{
    char command[256];
    size_t wrong = 0;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        snprintf(command, sizeof command, "$W %s", cases[i].arguments);
        int status = shell(command);
        if (status == cases[i].status && strstr(said, cases[i].words)) continue;
        print_error("weir %s: status %d, expected %d and \"%s\":\n%s", cases[i].arguments, status,
                    cases[i].status, cases[i].words, said);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

/* Misuse is detected before the first frame. */
static void wrong_use_writes_no_frame(void **state)
{
    assert_status("find p m.stl -name '*[0-9]*' 2> /dev/null || true", DONE);
    assert_string_equal(said, "");
}

static void the_statuses_are_in_the_help_and_on_their_page(void **state)
{
    static const char *const commands[] = {"$W --help", "$W help mesh", "$W check --help"};
    for (size_t i = 0; i < BASE_COUNT(commands); i++) {
        assert_status(commands[i], DONE);
        assert_said("Exit status: 0 success, 1 failure, 2 wrong usage (docs/exit-statuses.md).");
    }
    base_blob page = {0};
    size_t missing = 0;
    assert_int_equal(base_file_read(NULL, "docs/exit-statuses.md", 1u << 20, &page), WEIR_OK);
    char *text = base_format("%.*s", (int)page.size, (const char *)page.bytes);
    assert_non_null(text);
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        char *row = base_format("\n%d  weir %s\n   %s\n", cases[i].status, cases[i].arguments,
                                cases[i].words);
        bool there = row && strstr(text, row);
        if (!there) print_error("docs/exit-statuses.md lacks:%s", row ? row : "");
        missing += !there;
        base_free(row);
    }
    base_free(text);
    base_blob_free(&page);
    assert_int_equal(missing, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_fault_has_its_status_and_its_words),
        cmocka_unit_test(wrong_use_writes_no_frame),
        cmocka_unit_test(the_statuses_are_in_the_help_and_on_their_page),
    };
    return cmocka_run_group_tests(tests, open_scratch, close_scratch);
}
