/* The viewer under a real mouse and keyboard, driven by xdotool on a virtual screen. Events
   reach a window in order, so a picture requested by key shows the effect of all earlier events. */
#define _XOPEN_SOURCE 700
#include "cli_support.h"
#include "scene_text.h"

#define SKIPPED 77
#define SETTINGS "export W XDG_RUNTIME_DIR=$PWD"

/* `shot NAME` requests NAME.png, and so waits for all earlier events. `drag BUTTON X Y DX DY`
   first waits for the cursor, because whether a panel has captured it is known a frame later.
   `click ITEM` of a panel presses in one picture and releases in the next. `slide ITEM SHARE`
   moves a slider to that fraction of its length and holds it. `told WORDS` waits for WORDS among
   the scene's changes. */
static const char helpers[] =
    "fail() { echo \"$*\"; cat viewer.txt; kill $viewer 2> /dev/null; wait $viewer; exit 1; }\n"
    "lives() { kill -0 $viewer 2> /dev/null || fail \"the viewer has ended\"; }\n"
    "shot() { xdotool key F12; for i in $(seq 9000); do [ -f weir-0001.png ] && { mv weir-0001.png "
    "$1.png; return; }; lives; sleep 0.1; done; fail \"no picture $1\"; }\n"
    "drag() { xdotool mousemove $2 $3; shot settled; xdotool mousedown $1; "
    "xdotool mousemove_relative -- $4 $5; xdotool mouseup $1; }\n"
    "differ() { cmp -s $1.png $2.png && fail \"$1 and $2 are alike\"; }\n"
    "still() { shot settled; shot settled; }\n"
    "at() { awk -v n=$1 -v s=$2 '$5 == n { print int($1 + s * ($3 - $1)), int(($2 + $4) / 2) }' "
    "widgets.txt; }\n"
    "click() { xdotool mousemove $(at $1 0.2); still; xdotool click 1; still; }\n"
    "slide() { xdotool mousemove $(at $1 0.5); still; xdotool mousedown 1; still; "
    "xdotool mousemove $(at $1 $2); still; }\n"
    "told() { for i in $(seq 4000); do lives; xdotool key ctrl+s; sleep 0.3; "
    "grep copied: viewer.txt | tail -n 1 | grep -qF -- \"$1\" && return; done; "
    "fail \"not told: $1\"; }\n"
    "alike() { cmp -s $1.png $2.png || fail \"$1 and $2 differ\"; }\n"
    "$W view pool.json --paused $MORE --width $WIDE --height $HIGH > viewer.txt 2>&1 &\n"
    "viewer=$!\n"
    "until xdotool search --onlyvisible --pid $viewer > /dev/null 2>&1; do lives; sleep 0.1; done\n"
    /* panels need two frames to take their positions */
    "xdotool mousemove 300 200; shot settled; shot settled\n";

static int open_scratch(void **state)
{
    if (make_scratch("/tmp/weir-mouse-XXXXXX") != 0) return -1;
    settings = SETTINGS;
    write_scratch("pool.json", scene_text("pool"));
    write_scratch("helpers.sh", helpers);
    return 0;
}

/* On a busy machine a frame can take so long that keys and moves arrive in the same frame. A
   failing test therefore runs again; a real fault fails again. */
static void assert_done_in(uint32_t width, uint32_t height, const char *script)
{
    char command[256];
    snprintf(command, sizeof command,
             "rm -f *.png viewer.txt && export WIDE=%u HIGH=%u && "
             "timeout 1200 xvfb-run -a -s '-screen 0 %ux%ux24' sh ./script.sh",
             width, height, width, height);
    char whole[4096];
    snprintf(whole, sizeof whole, ". ./helpers.sh\n%skill -INT $viewer; wait $viewer; true\n",
             script);
    write_scratch("script.sh", whole);
    int got = shell(command);
    for (int tries = 0; tries < 2 && got != DONE; tries++)
        got = shell(command);
    if (got != DONE) fail_msg("status %d of\n%s:\n%s", got, whole, said);
}

static void assert_done(const char *script)
{
    assert_done_in(400, 300, script);
}

/* Uses a window wide enough for the panel, with all sections unfolded by the key U; the viewer
   itself reports where its items are, once for all tests. */
static void assert_done_on_panels(const char *script)
{
    const char *items =
        "[ -f widgets.txt ] || xvfb-run -a -s '-screen 0 940x1100x24' $W view pool.json"
        " --width 940 --height 1100"
        " --script 'draw 3; unfold on; draw 3; widgets widgets.txt; quit'";
    assert_status(items, DONE);
    char whole[2048];
    snprintf(whole, sizeof whole, "xdotool key u; still\n%s", script);
    assert_done_in(940, 1100, whole);
}

static void drags_orbit_and_pan_and_the_wheel_zooms(void **state)
{
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

/* Pushed during a frame, the fluid ends elsewhere than after an undisturbed frame. */
static void ctrl_and_a_drag_push_the_fluid(void **state)
{
    assert_done("xdotool key Tab\n"
                "shot start; xdotool key period; shot fallen; differ start fallen\n"
                "xdotool key r; xdotool mousemove 170 170; shot again; alike start again\n"
                "xdotool keydown ctrl mousedown 1 keyup ctrl key period\n"
                "shot pushed; xdotool mouseup 1; differ fallen pushed\n");
}

/* A box in the air, in front of the middle of the picture. */
static void ctrl_and_a_drag_on_a_body_take_it_along(void **state)
{
    settings =
        "export W XDG_RUNTIME_DIR=$PWD MORE='--set bodies=[{\"name\":\"box\",\"density\":500,"
        "\"shape\":{\"box\":{\"size\":[0.12,0.12,0.1]},\"position\":[0.25,0.4,0.15]}}]"
        " --set gravity=[0,0,0]"
        " --set camera={\"eye\":[0.25,0.4,1.2],\"target\":[0.25,0.4,0.15],\"fov\":12}'";
    assert_done("xdotool key Tab mousemove 200 150; shot start; xdotool key period; shot still\n"
                "alike start still; xdotool keydown ctrl mousedown 1 keyup ctrl mousemove 240 110\n"
                "xdotool key period; shot dragged; xdotool mouseup 1; differ still dragged\n");
    settings = SETTINGS;
}

/* A panel under the cursor captures the mouse events. */
static void a_drag_on_a_panel_leaves_the_camera(void **state)
{
    assert_done_in(940, 400,
                   "shot home; drag 1 60 60 0 90\n"
                   "shot again; alike home again\n"
                   "xdotool key Tab; shot gone; shot gone\n"
                   "drag 1 60 60 0 90\n"
                   "shot turned; differ home turned\n");
}

static void buttons_and_boxes_of_the_panel_act(void **state)
{
    assert_done_on_panels("shot start; click Step; shot fallen; differ start fallen\n"
                          "xdotool key r; shot again; alike start again\n"
                          "click Gravity; told \"gravity=[0,0,0]\"\n"
                          "click Step; shot floats; differ fallen floats\n"
                          "click Gravity; told \"gravity=[0,-9.81,0]\"\n"
                          "xdotool key r; click Step; shot again; alike fallen again\n");
}

/* A parameter that the running fluid accepts changes while the slider is dragged, to the ends of
   its range, and the fluid reacts. */
static void a_dragged_slider_changes_the_running_fluid(void **state)
{
    assert_done_on_panels("shot start; xdotool key period; shot two; xdotool key r\n"
                          "slide solver.iterations 1.3; told solver.iterations=100\n"
                          "xdotool mousemove $(at solver.iterations -0.1); still\n"
                          "told solver.iterations=1\"'\"; xdotool mouseup 1\n"
                          "xdotool key period; shot one; differ two one\n"
                          "xdotool key Home; shot again; alike one again\n");
}

/* A parameter that determines buffer sizes restarts the scene, but only after the slider is
   released. */
static void a_slider_let_go_starts_the_scene_anew(void **state)
{
    assert_done_on_panels("told pool.json; shot start\n"
                          "slide solver.substeps -0.1; shot held; alike start held\n"
                          "grep -q solver.substeps viewer.txt && fail \"set while held\"\n"
                          "xdotool mouseup 1; still; told solver.substeps=1\"'\"\n"
                          "xdotool keydown ctrl; sleep 1; xdotool mousemove $(at spacing 0.5)\n"
                          "sleep 1; xdotool click 1; sleep 1; xdotool keyup ctrl; sleep 1\n"
                          "xdotool type 0.03; xdotool keydown Return; sleep 1\n"
                          "xdotool keyup Return; told spacing=0.03\n"
                          "shot fine; differ start fine\n");
}

/* Escape asks, Escape again drops the question, and the way out without saving ends the viewer. */
static void changes_are_not_lost_without_a_question(void **state)
{
    assert_done("xdotool key c; xdotool key g; told \"gravity=[0,0,0]\"; xdotool key g\n"
                "xdotool key Escape; shot asked; xdotool key Escape; shot went\n"
                "xdotool key ctrl+s; sleep 1; xdotool key Escape\n"
                "for i in $(seq 600); do kill -0 $viewer 2> /dev/null || break; sleep 0.1; done\n"
                "kill -0 $viewer 2> /dev/null && fail \"asked although all was copied\"\n");
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
        cmocka_unit_test(ctrl_and_a_drag_on_a_body_take_it_along),
        cmocka_unit_test(a_drag_on_a_panel_leaves_the_camera),
        cmocka_unit_test(buttons_and_boxes_of_the_panel_act),
        cmocka_unit_test(a_dragged_slider_changes_the_running_fluid),
        cmocka_unit_test(a_slider_let_go_starts_the_scene_anew),
        cmocka_unit_test(changes_are_not_lost_without_a_question),
    };
    return cmocka_run_group_tests(tests, open_scratch, close_scratch);
}
