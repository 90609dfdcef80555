/* Shader reloading while the viewer runs, in a development build (WEIR_DEVELOP is its path):
   copies of the sources are changed, and the picture changes with them. */
#define _XOPEN_SOURCE 700
#include "cli_support.h"

#include <unistd.h>

#define SKIPPED 77
#define WINDOW                                                                                \
    "xvfb-run -a -s '-screen 0 800x600x24' $DEVELOP view pool.json --width 320 --height 240 " \
    "--shaders shaders --script "

static const char pool_scene[] =
    "{\"name\": \"pool\", \"domain\": {\"min\": [0, 0, 0], \"max\": [0.5, 0.5, 0.3]},"
    " \"frame_rate\": 60, \"duration\": 0.2, \"spacing\": 0.05,"
    " \"solver\": {\"substeps\": 1, \"iterations\": 2},"
    " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\":"
    " {\"min\": [0, 0, 0], \"max\": [0.3, 0.25, 0.3]}}}}]}";

static char set_up[1024];

static int open_scratch(void **state)
{
    char here[400];
    if (!getcwd(here, sizeof here) || make_scratch("/tmp/weir-reload-XXXXXX") != 0) return -1;
    snprintf(set_up, sizeof set_up, "export XDG_RUNTIME_DIR=$PWD DEVELOP=%s SOURCES=%s/shaders",
             WEIR_DEVELOP, here);
    settings = set_up;
    write_scratch("pool.json", pool_scene);
    return 0;
}

/* xvfb-run adds exit statuses of its own, from 3 on, for a screen that it could not open. */
static void assert_shown(const char *command, int status)
{
    int got = shell(command);
    for (int tries = 0; tries < 3 && got > WRONG_USE; tries++)
        got = shell(command);
    if (got != status) fail_msg("%s: status %d, expected %d:\n%s", command, got, status, said);
}

static void assert_window(const char *script)
{
    char command[640];
    snprintf(command, sizeof command, WINDOW "'%s'", script);
    assert_shown(command, DONE);
}

/* Makes a fresh copy, with the build's own time stamps, in which one line of one file is
   replaced. */
static void change_shader(const char *file, const char *from, const char *to)
{
    char line[640];
    assert_int_equal(shell("rm -rf shaders && cp -rp $SOURCES shaders"), DONE);
    snprintf(line, sizeof line, "grep -q '%s' shaders/%s && sed -i 's/%s/%s/' shaders/%s", from,
             file, from, to, file);
    if (shell(line) != DONE) fail_msg("%s has no \"%s\" any more", file, from);
}

static bool same_files(const char *a, const char *b)
{
    char line[256];
    snprintf(line, sizeof line, "cmp -s %s %s", a, b);
    return shell(line) == DONE;
}

static void a_changed_pass_changes_the_picture(void **state)
{
    change_shader("render/tonemap.comp", "vec4(shown, sum.a", "vec4(shown.bgr, sum.a");
    assert_window("shot before.png; reload; shot after.png; reload; shot again.png; quit");
    assert_said("render/tonemap.comp: recompiled, 1 pipeline");
    assert_false(same_files("before.png", "after.png"));
    assert_true(same_files("after.png", "again.png"));
}

/* Also reaches pipelines that no frame has used before. */
static void a_changed_library_reaches_all_that_include_it(void **state)
{
    assert_window("colour speed; show particles; shot dots.png; quit");
    change_shader("lib/render/colour_map.glsl", "float at = clamp(x, 0.0, 1.0)", "float at = 1.0");
    assert_window("draw; reload; colour speed; show particles; shot yellow.png; quit");
    assert_said("render/splat/project_splats.comp: recompiled");
    assert_false(same_files("dots.png", "yellow.png"));
}

static void a_fault_is_named_and_the_old_shader_serves_on(void **state)
{
    change_shader("render/tonemap.comp", "^void main()", "void main() oops");
    assert_window("shot whole.png; reload; shot still.png; step; quit");
    assert_said("shaders/render/tonemap.comp:");
    assert_said("error: ");
    assert_true(same_files("whole.png", "still.png"));
    change_shader("render/tonemap.comp", "READ_IMAGE_ANY(colour);",
                  "layout(binding = 77) uniform texture2D colour;");
    assert_window("shot whole.png; reload; shot still.png; quit");
    assert_said("build the program again");
    assert_true(same_files("whole.png", "still.png"));
}

static void a_pass_of_the_simulation_is_taken_too(void **state)
{
    change_shader("sim/pbf/predict_positions.comp", "capped) \\* status.dt", "capped) * 0.0");
    assert_window("step 3; shot falls.png; restart; reload; step 3; shot hangs.png; quit");
    assert_said("sim/pbf/predict_positions.comp: recompiled");
    assert_false(same_files("falls.png", "hangs.png"));
}

static void a_build_for_users_says_that_it_cannot(void **state)
{
    assert_shown("xvfb-run -a $W view pool.json --script 'reload; quit'", FAILED);
    assert_said("cmake --preset develop");
    assert_shown("xvfb-run -a $W view pool.json --shaders shaders", FAILED);
    assert_said("-DWEIR_RELOAD=ON");
}

int main(void)
{
    if (system("command -v xvfb-run > /dev/null && command -v xauth > /dev/null") != 0 ||
        access(WEIR_DEVELOP, X_OK) != 0) {
        printf("skipped: this needs xvfb-run and the viewer: tools/setup installs both\n");
        return SKIPPED;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_changed_pass_changes_the_picture),
        cmocka_unit_test(a_changed_library_reaches_all_that_include_it),
        cmocka_unit_test(a_fault_is_named_and_the_old_shader_serves_on),
        cmocka_unit_test(a_pass_of_the_simulation_is_taken_too),
        cmocka_unit_test(a_build_for_users_says_that_it_cannot),
    };
    return cmocka_run_group_tests(tests, open_scratch, close_scratch);
}
