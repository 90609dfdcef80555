/* The viewer under a real mouse and keyboard, by xdotool on a virtual screen. Events reach a window
 * in order, so that a picture asked for by key shows what all events before it did. */
#define _XOPEN_SOURCE 700
#include "cli_support.h"

#define SKIPPED 77

static const char pool_scene[] =
    "{\"name\": \"pool\", \"domain\": {\"min\": [0, 0, 0], \"max\": [0.5, 0.5, 0.3]},"
    " \"frame_rate\": 60, \"duration\": 0.2, \"spacing\": 0.05,"
    " \"solver\": {\"substeps\": 2, \"iterations\": 2},"
    " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\":"
    " {\"min\": [0, 0, 0], \"max\": [0.3, 0.25, 0.3]}}}}]}";

/* `shot NAME` asks for NAME.png, which also waits for all before; `drag BUTTON X Y DX DY` waits for
 * the cursor first: whether a panel has it is known a frame later. */
static const char helpers[] =
    "fail() { echo \"$*\"; kill $viewer 2> /dev/null; exit 1; }\n"
    "shot() { xdotool key F12; for i in $(seq 200); do [ -f weir-0001.png ] && { mv weir-0001.png "
    "$1.png; return; }; sleep 0.1; done; fail \"no picture $1\"; }\n"
    "drag() { xdotool mousemove $2 $3; shot settled; xdotool mousedown $1; "
    "xdotool mousemove_relative -- $4 $5; xdotool mouseup $1; }\n"
    "differ() { cmp -s $1.png $2.png && fail \"$1 and $2 are alike\"; }\n"
    "alike() { cmp -s $1.png $2.png || fail \"$1 and $2 differ\"; }\n"
    "$W view pool.json --paused --width 400 --height 300 > viewer.txt 2>&1 &\n"
    "viewer=$!\n"
    "xdotool search --sync --onlyvisible --pid $viewer > /dev/null\n"
    "xdotool mousemove 300 200; shot settled; shot settled\n"; /* panels need two frames to stand */

static int open_scratch(void **state)
{
    (void)state;
    if (make_scratch("/tmp/weir-mouse-XXXXXX") != 0) return -1;
    settings = "export W XDG_RUNTIME_DIR=$PWD";
    write_scratch("pool.json", pool_scene);
    write_scratch("helpers.sh", helpers);
    return 0;
}

/* A busy machine can take so long over a frame that keys and moves meet in one: what fails is tried
 * again, and what is broken fails again. */
static void assert_done(const char *script)
{
    const char *command =
        "rm -f *.png && timeout 120 xvfb-run -a -s '-screen 0 400x300x24' sh ./script.sh";
    char whole[4096];
    snprintf(whole, sizeof whole, ". ./helpers.sh\n%sxdotool key Escape\nwait $viewer\n", script);
    write_scratch("script.sh", whole);
    int got = shell(command);
    for (int tries = 0; tries < 2 && got != DONE; tries++)
        got = shell(command);
    if (got != DONE) fail_msg("status %d of\n%s:\n%s", got, whole, said);
}

static void drags_orbit_and_pan_and_the_wheel_zooms(void **state)
{
    (void)state;
    assert_done(
        "xdotool key Tab\n"
        "shot home; drag 1 200 150 60 10\n"
        "shot turned; differ home turned\n"
        "xdotool key Home; shot again; alike home again\n"
        "drag 3 200 150 40 0\n"
        "shot moved; differ home moved; differ turned moved\n"
        "xdotool key Home; xdotool mousemove 200 150; shot again\n"
        "xdotool click 4; shot near; differ home near\n"
        "xdotool key Home; xdotool keydown shift; drag 1 200 150 40 0; xdotool keyup shift\n"
        "shot again; alike moved again\n");
}

/* Pushed for a frame, the fluid stands elsewhere than after a frame alone. */
static void ctrl_and_a_drag_push_the_fluid(void **state)
{
    (void)state;
    assert_done("xdotool key Tab\n"
                "shot start; xdotool key period; shot fallen; differ start fallen\n"
                "xdotool key r; xdotool mousemove 170 170; shot again; alike start again\n"
                "xdotool keydown ctrl mousedown 1 keyup ctrl key period\n"
                "shot pushed; xdotool mouseup 1; differ fallen pushed\n");
}

/* A panel that the cursor stands on has the mouse first. */
static void a_drag_on_a_panel_leaves_the_camera(void **state)
{
    (void)state;
    assert_done("shot home; drag 1 60 60 0 90\n"
                "shot again; alike home again\n"
                "xdotool key Tab; shot gone; shot gone\n"
                "drag 1 60 60 0 90\n"
                "shot turned; differ home turned\n");
}

int main(void)
{
    if (system("for p in xvfb-run xauth xdotool; do command -v $p > /dev/null || exit 1; done") !=
        0) {
        printf("skipped: this needs xvfb-run and xdotool: tools/setup installs both\n");
        return SKIPPED;
    }
    if (system(WEIR_PROGRAM " view --script quit 2>&1 | grep -q 'has no viewer'") == 0) {
        printf("skipped: this build has no viewer: tools/setup installs what it needs\n");
        return SKIPPED;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drags_orbit_and_pan_and_the_wheel_zooms),
        cmocka_unit_test(ctrl_and_a_drag_push_the_fluid),
        cmocka_unit_test(a_drag_on_a_panel_leaves_the_camera),
    };
    return cmocka_run_group_tests(tests, open_scratch, close_scratch);
}
