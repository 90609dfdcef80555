/* The viewer from a user's view: in a window on a virtual screen, driven by scripts.
   WEIR_PROGRAM is the program's path. Skipped without Xvfb, or if the viewer is not built. */
#define _XOPEN_SOURCE 700
#include "cli_support.h"
#include "io.h"
#include "scene_text.h"

#define SKIPPED 77

/* A window on a screen of its own. */
#define WINDOW "xvfb-run -a -s '-screen 0 800x600x24' $W view tiny.json --width 320 --height 240 "

/* A dam break; with whitewater unless it is left out. */
#define DAM(foam)                                                                     \
    "{\"name\": \"dam\", \"domain\": {\"min\": [0, 0, 0], \"max\": [0.8, 0.5, 0.2]}," \
    " \"spacing\": 0.04, " foam "\"fluids\": [{\"name\": \"water\","                  \
    " \"fill\": {\"shape\": {\"box\": {\"min\": [0, 0, 0], \"max\": [0.25, 0.4, 0.2]}}}}]}"

/* A scene that never contains fluid. */
static const char empty_scene[] =
    "{\"name\": \"nothing\", \"domain\": {\"min\": [0, 0, 0], \"max\": [1, 1, 1]},"
    " \"spacing\": 0.05, \"fluids\": [{\"name\": \"water\"}],"
    " \"emitters\": [{\"name\": \"late\", \"fluid\": \"water\", \"position\": [0.5, 0.5, 0.5],"
    " \"direction\": [1, 0, 0], \"radius\": 0.1, \"speed\": 1, \"start\": 1000}]}";

/* Manifest of the layer in tests/layers/count_stamps.c. */
static const char manifest[] =
    "{\"file_format_version\": \"1.0.0\", \"layer\": {\"name\": \"VK_LAYER_WEIR_count_stamps\","
    " \"type\": \"GLOBAL\", \"library_path\": \"" COUNT_STAMPS "\", \"api_version\": \"1.3.0\","
    " \"implementation_version\": \"1\", \"description\": \"counts timestamps\"}}";

/* xvfb-run adds exit statuses of its own, from 3 on, for a screen that it could not open or
   close; on a busy machine another try helps. */
static void assert_window(const char *command, int status)
{
    int got = shell(command);
    for (int tries = 0; tries < 3 && got > WRONG_USE; tries++)
        got = shell(command);
    if (got != status) fail_msg("%s: status %d, expected %d:\n%s", command, got, status, said);
}

static int open_scratch(void **state)
{
    if (make_scratch("/tmp/weir-view-XXXXXX") != 0) return -1;
    settings = "export XDG_RUNTIME_DIR=$PWD";
    write_scratch("tiny.json", scene_text("view_tiny"));
    write_scratch("void.json", empty_scene);
    write_scratch("count_stamps.json", manifest);
    return 0;
}

/* Checks the size of a PNG file, from its header. */
static void assert_picture(const char *name, uint32_t width, uint32_t height)
{
    char path[128];
    base_blob png = {0};
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    assert_int_equal(base_file_read(NULL, path, 1 << 24, &png), WEIR_OK);
    assert_true(png.size > 60 && memcmp(png.bytes + 1, "PNG", 3) == 0);
    const uint8_t *sides = png.bytes + 16;
    assert_int_equal((uint32_t)sides[2] << 8 | sides[3], width);
    assert_int_equal((uint32_t)sides[6] << 8 | sides[7], height);
    base_blob_free(&png);
}

static bool same_files(const char *a, const char *b)
{
    char line[256];
    snprintf(line, sizeof line, "cmp -s %s %s", a, b);
    return shell(line) == 0;
}

/* ---- messages ------------------------------------------------------------------------------- */

static void without_a_display_the_way_to_pictures_is_named(void **state)
{
    assert_window("env -u DISPLAY -u WAYLAND_DISPLAY $W view tiny.json", FAILED);
    assert_said("cannot open a window");
    assert_said("weir run --images");
}

static void faults_of_a_script_are_named_before_anything_is_opened(void **state)
{
    assert_window("$W view tiny.json --script 'step 3; orbitt 5'", WRONG_USE);
    assert_said("--script:1: unknown command \"orbitt\"; did you mean \"orbit\"?");
    assert_window("$W view tiny.json --script 'zoom near'", WRONG_USE);
    assert_said("word 2 of \"zoom\", FACTOR: expected a number, not \"near\"");
    assert_window("printf 'step\\nshot \"a' > s.txt; $W view tiny.json --script-file s.txt",
                  WRONG_USE);
    assert_said("s.txt:2: the quote before \"a\" is not closed");
    assert_window("$W view tiny.json --script-file nowhere.txt", FAILED);
    assert_window("$W view tiny.json --script quit --script-file s.txt", WRONG_USE);
    assert_window("$W view tiny.json --width 10", WRONG_USE);
    assert_said("expected 160 to 16384");
}

/* ---- in a window ---------------------------------------------------------------------------- */

/* Every kind of drawing, with validation of every Vulkan call: any message gives status 1. */
static void a_window_opens_resizes_goes_away_and_comes_back(void **state)
{
    write_layer_settings();
    assert_window("VK_LAYER_SETTINGS_PATH=$PWD " WINDOW
                  "--validation --script 'step 2; shot a.png; size 400 300; draw 2; "
                  "shot b.png; minimise on; draw 2; minimise off; help on; draw; help off; "
                  "panels off; draw; orbit 90 10; zoom 1.5; shot c.png; quit'",
                  DONE);
    assert_picture("a.png", 320, 240);
    assert_picture("b.png", 400, 300);
    assert_picture("c.png", 400, 300);
    assert_false(same_files("b.png", "c.png"));
}

/* Without -noreset a screen loses its settings when its last client disconnects. */
static void a_monitor_of_twice_the_scale_gets_twice_the_pixels(void **state)
{
    static const char script[] =
        "xprop -root -f RESOURCE_MANAGER 8s -set RESOURCE_MANAGER \"$(printf 'Xft.dpi:\\t192\\n "
        "')\"\n"
        "$W view tiny.json --width 320 --height 240 --script 'draw 2; shot scaled.png; quit'\n";
    if (system("command -v xprop > /dev/null") != 0) {
        print_message("no xprop to set a scale with: left out\n");
        return;
    }
    write_scratch("scaled.sh", script);
    assert_window("export W; xvfb-run -a -s '-screen 0 800x600x24 -noreset' sh scaled.sh", DONE);
    assert_picture("scaled.png", 640, 480);
}

static void a_script_does_what_keys_do(void **state)
{
    assert_window(WINDOW
                  "--script 'copy-camera home.txt; orbit 20; copy-camera turned.txt; key "
                  "Home; copy-camera again.txt; key .; key F12; key 3; key G; key Tab; draw; "
                  "key Escape'",
                  DONE);
    assert_true(same_files("home.txt", "again.txt"));
    assert_false(same_files("home.txt", "turned.txt"));
    assert_picture("weir-0001.png", 320, 240);
}

/* Toggled by the key W and by a script; without whitewater the picture equals that of a scene
   without it. */
static void whitewater_is_shown_and_left_out(void **state)
{
    write_scratch("foamy.json", DAM("\"whitewater\": {},"));
    write_scratch("dry.json", DAM(""));
    assert_window(
        "xvfb-run -a -s '-screen 0 800x600x24' $W view foamy.json --width 320 --height 240"
        " --script 'panels off; step 16; shot on.png; whitewater off; shot off.png;"
        " whitewater on; shot again.png; key W; shot key.png; quit'",
        DONE);
    assert_window("xvfb-run -a -s '-screen 0 800x600x24' $W view dry.json --width 320 --height 240"
                  " --script 'panels off; step 16; shot dry.png; quit'",
                  DONE);
    assert_false(same_files("on.png", "off.png"));
    assert_true(same_files("on.png", "again.png"));
    assert_true(same_files("off.png", "key.png"));
    assert_true(same_files("off.png", "dry.png"));
}

/* A roof of two triangles over the pool. */
static void an_open_mesh_is_told_before_the_window_opens(void **state)
{
    write_scratch("roof.obj", "v 0 0.4 0\nv 0.5 0.4 0\nv 0.5 0.4 0.3\nv 0 0.4 0.3\nf 1 2 3 4\n");
    assert_window(
        WINDOW "--script quit --set 'solids[0].shape={\"mesh\": {\"file\": \"roof.obj\"}}'", DONE);
    assert_said("roof.obj is open (4 edges belong to only one triangle)");
}

/* Escape closes the page first; the word quit closes the window. */
static void the_window_closes_with_the_page_open(void **state)
{
    assert_window("timeout 1200 " WINDOW "--script 'help on; draw 2; quit'", DONE);
    assert_window("timeout 1200 " WINDOW
                  "--script 'help on; draw; key Escape; draw; shot page.png; key Escape'",
                  DONE);
    assert_picture("page.png", 320, 240);
}

/* A window wide enough for the panel to be unfolded. */
#define WIDE "xvfb-run -a -s '-screen 0 1000x600x24' $W view tiny.json --width 1000 --height 600 "

/* The copied changes produce the same scene again. */
static void changes_are_copied_as_words(void **state)
{
    assert_window(WIDE "--script 'draw 2; widgets widgets.txt; quit'", DONE);
    read_said("widgets.txt");
    assert_said(" Restart\n");
    assert_window(WINDOW
                  "--script 'draw 3; widgets widgets.txt; set gravity=[0,1,0]; set spacing=0.06; "
                  "copy-changes words.txt; step 2; shot changed.png; quit'",
                  DONE);
    read_said("words.txt");
    assert_string_equal(said, "'tiny.json' --set 'gravity=[0,1,0]' --set 'spacing=0.06'");
    read_said("widgets.txt");
    assert_string_equal(said, ""); /* in a narrow window the panel is folded */
    assert_window("eval $W run $(cat words.txt) -o changed --images --size 320x240 --samples 1 "
                  "--frames 2",
                  DONE);
    assert_true(same_files("changed.png", "changed/images/image_0002.png"));
}

static void a_look_is_chosen_by_option_or_while_it_runs(void **state)
{
    assert_window(WINDOW "--look dusk --script 'step 2; shot dusk.png; quit'", DONE);
    assert_window(WINDOW "--script 'step 2; set look.preset=dusk; shot set.png; quit'", DONE);
    assert_window("$W run tiny.json -o looks --images --look dusk --size 320x240 --samples 1 "
                  "--frames 2",
                  DONE);
    assert_true(same_files("dusk.png", "looks/images/image_0002.png"));
    assert_true(same_files("set.png", "dusk.png"));
    assert_window("$W view tiny.json --look dusc", WRONG_USE);
    assert_said("did you mean \"dusk\"?");
}

/* A fluid by name is made of settings, of which the user's take precedence. */
static void a_fluid_is_chosen_by_option_or_while_it_runs(void **state)
{
    assert_window(WINDOW "--fluid honey --script 'step 2; shot honey.png; copy-changes honey.txt; "
                         "quit'",
                  DONE);
    assert_status("grep -q \"'fluids.0..dynamic_viscosity=10'\" honey.txt", 0);
    assert_window(WINDOW "--script 'fluid honey; step 2; shot set.png; fluid water; copy-changes "
                         "water.txt; quit'",
                  DONE);
    assert_true(same_files("honey.png", "set.png"));
    assert_status("grep -q \"'fluids.0..dynamic_viscosity=0'\" water.txt", 0);
    assert_window("$W run tiny.json -o sweet --images --fluid honey --size 320x240 --samples 1 "
                  "--frames 2",
                  DONE);
    assert_true(same_files("honey.png", "sweet/images/image_0002.png"));
    assert_window(WINDOW "--fluid honey --set 'fluids[0].density=1300' --script 'copy-changes "
                         "own.txt; quit'",
                  DONE);
    assert_status("grep -q \"'fluids.0..density=1300'\" own.txt", 0);
    assert_window("$W view tiny.json --fluid hony", WRONG_USE);
    assert_said("did you mean \"honey\"?");
    assert_window(WINDOW "--script 'fluid lave; quit'", FAILED);
    assert_said("unknown fluid \"lave\"; did you mean \"lava\"?");
}

/* Settings, with or without a restart, the appearance and the camera. */
static void changes_are_undone_and_redone(void **state)
{
    assert_window(WINDOW
                  "--script 'shot start.png; set gravity=[0,1,0]; copy-changes up.txt; "
                  "method flip; copy-changes flip.txt; orbit 40; shot turned.png; show particles; "
                  "undo; shot turned_again.png; undo; undo; copy-changes up_again.txt; undo; "
                  "copy-changes none.txt; shot again.png; redo; redo; copy-changes flip_again.txt; "
                  "undo; undo; undo; quit'",
                  DONE);
    assert_said("there is nothing to undo");
    assert_true(same_files("start.png", "again.png"));
    assert_true(same_files("turned.png", "turned_again.png"));
    assert_false(same_files("start.png", "turned.png"));
    assert_true(same_files("up.txt", "up_again.txt"));
    assert_true(same_files("flip.txt", "flip_again.txt"));
    read_said("none.txt");
    assert_string_equal(said, "'tiny.json'");
}

/* Pictures that are saved have the full size, and are those of a script without reduced ones. */
static void reduced_pictures_are_only_for_the_window(void **state)
{
    assert_window(WIDE "--script 'reduced on; step 3; draw 2; orbit 20; draw 3; shot reduced.png; "
                       "quit'",
                  DONE);
    assert_window(WIDE "--script 'step 3; draw 2; orbit 20; draw 3; shot full.png; quit'", DONE);
    assert_picture("reduced.png", 1000, 600);
    assert_true(same_files("reduced.png", "full.png"));
}

static void numbers_change_while_it_runs(void **state)
{
    assert_window(WINDOW
                  "--script 'set gravity=[0,5,0]; step 2; set solver.substeps=3; set "
                  "spacing=0.06; step; push 0.4 0.6; step; pull 0.4 0.6; step; release; hose; "
                  "step 2; hose; pivot 0.5 0.5; shot d.png; quit'",
                  DONE);
    assert_window(WINDOW "--script 'set solver.substeps=2000; quit'", FAILED);
    assert_said("--set solver.substeps=2000");
    assert_said("the script stopped at command 1, \"set\", which failed");
}

#define BOX                                                                       \
    "--set 'bodies=[{\"name\": \"box\", \"density\": 500, \"shape\": "            \
    "{\"box\": {\"size\": [0.1, 0.1, 0.1]}, \"position\": [0.15, 0.4, 0.15]}}]' " \
    "--set 'gravity=[0,0,0]' "

/* The camera sees only the box. Without gravity it rests until the mouse joint drags it;
   released, it flies on, and with gravity it falls out of the picture. */
static void the_hand_drags_the_body_that_is_seen(void **state)
{
    assert_window(
        WINDOW BOX
        "--script 'camera \"eye=0.15,0.4,1.2 target=0.15,0.4,0.15 fov=12\"; shot start.png; "
        "step 2; shot rest.png; grab 0.5 0.5; grab 0.6 0.4; step 3; shot dragged.png; "
        "release; step; shot on.png; set gravity=[0,-9.81,0]; step 14; shot fallen.png; step; shot "
        "gone.png; quit'",
        DONE);
    assert_true(same_files("start.png", "rest.png"));
    assert_false(same_files("rest.png", "dragged.png"));
    assert_false(same_files("dragged.png", "on.png"));
    assert_true(same_files("fallen.png", "gone.png"));
}

/* Settings that FLIP does not support are ignored, and apply again with PBF. */
static void another_method_starts_the_scene_anew(void **state)
{
    assert_window(
        WINDOW "--script 'set solver.vorticity_confinement=0.1; method flip; step 1; copy-changes "
               "flip.txt; method; copy-changes apic.txt; method pbf; copy-changes "
               "pbf.txt; quit'",
        DONE);
    assert_said("\"flip\" does not support solver.vorticity");
    assert_status("grep -q \"'solver.vorticity_confinement=0.1'.*'solver.method=flip'\" flip.txt",
                  0);
    assert_status("grep -q \"'solver.vorticity_confinement=0.1'.*'solver.method=apic'\" apic.txt",
                  0);
    assert_status("grep -q \"'solver.vorticity_confinement=0.1'.*'solver.method=pbf'\" pbf.txt", 0);
    assert_window(WINDOW "--script 'method pfb; quit'", FAILED);
    assert_said("unknown method \"pfb\"; did you mean \"pbf\"?");
}

static void a_slice_shows_the_grid_of_flip(void **state)
{
    assert_window(WINDOW "--script 'method flip; show particles; step 2; shot all.png; "
                         "slice speed; shot speed.png; slice pressure x 0.3; shot pressure.png; "
                         "slice off; shot again.png; quit'",
                  DONE);
    assert_false(same_files("all.png", "speed.png"));
    assert_false(same_files("speed.png", "pressure.png"));
    assert_true(same_files("all.png", "again.png"));
    assert_window(WINDOW "--script 'slice speed; quit'", FAILED);
    assert_said("pbf has no grid to slice: choose the method flip or apic first");
}

static void a_state_comes_back(void **state)
{
    assert_window(WINDOW "--script 'step 3; save s.state; shot e.png; step 2; load s.state; "
                         "shot f.png; quit'",
                  DONE);
    assert_true(same_files("e.png", "f.png"));
}

#define KEYED                                                                               \
    "--set 'camera={\"eye\": [0.2, 0.4, 1.2], \"target\": [0.2, 0.1, 0.1], \"keyframes\": " \
    "[{\"time\": 0}, {\"time\": 0.1, \"eye\": [0.9, 0.3, 0.9], \"fov\": 60}]}' "

/* The passes are the same for a window and for files, with a moving camera. A camera that the
   user has moved ignores keyframes until it is reset. */
static void the_window_shows_what_run_writes(void **state)
{
    assert_window("$W run tiny.json " KEYED "-o run --images --size 320x240 --samples 1 --frames 3",
                  DONE);
    assert_window(WINDOW KEYED "--script 'step 3; shot same.png; orbit 5; shot moved.png; home; "
                               "shot home.png; quit'",
                  DONE);
    assert_true(same_files("same.png", "run/images/image_0003.png"));
    assert_true(same_files("same.png", "home.png"));
    assert_false(same_files("same.png", "moved.png"));
}

static void scenes_follow_each_other_around_the_folder(void **state)
{
    assert_window(WINDOW "--script 'next; shot void.png; previous; shot tiny.png; next; previous; "
                         "shot again.png; quit'",
                  DONE);
    assert_false(same_files("void.png", "tiny.png"));
    assert_true(same_files("tiny.png", "again.png"));
}

/* ---- times ---------------------------------------------------------------------------------- */

/* Returns the timestamps that the frames of a script write. */
static long stamps_of(const char *script)
{
    char command[512];
    snprintf(
        command, sizeof command,
        "VK_LAYER_PATH=$PWD VK_INSTANCE_LAYERS=VK_LAYER_WEIR_count_stamps STAMPS=stamps.txt " WINDOW
        "--script '%s'",
        script);
    assert_window(command, DONE);
    read_said("stamps.txt");
    return strtol(said, NULL, 10);
}

/* Without the table of passes on the screen, a frame has timestamps only at its two ends, not
   for each pass. */
static void passes_are_timed_only_while_their_times_are_seen(void **state)
{
    long first = stamps_of("step 2; quit");
    long seen = stamps_of("metrics on; step 12; quit") - first;
    long away = stamps_of("step 12; quit") - first;
    long hidden = stamps_of("metrics on; panels off; step 12; quit") - first;
    long back = stamps_of("step 2; metrics on; step 10; quit") - first;
    if (seen <= 0 || 4 * away > seen || 4 * hidden > seen || 2 * back < seen)
        fail_msg("ten frames more have %ld stamps with times, %ld without, %ld without panels, "
                 "%ld with times that come back",
                 seen, away, hidden, back);
}

/* ---- RenderDoc ------------------------------------------------------------------------------- */

static void the_viewer_captures_a_frame(void **state)
{
    assert_window(WINDOW "--script 'step 1; capture; quit'", FAILED);
    assert_said("capture: RenderDoc is not loaded: start weir from RenderDoc (Launch Application), "
                "or by renderdoccmd capture weir view ...");
    assert_window("LD_PRELOAD=" FAKE_RENDERDOC " " WINDOW "--script 'step 1; key D; quit'", DONE);
    const char *starts = strstr(said, "capture starts");
    assert_non_null(starts);
    assert_non_null(strstr(starts, "capture ends"));
    assert_null(strstr(starts + 1, "capture starts"));
}

/* ---- frames --------------------------------------------------------------------------------- */

/* Returns the number of the submission that a trace event is about; 0: the event has another
   name. */
static long ticket_of(const char *event, const char *name)
{
    char words[32];
    const char *ticket = strstr(event, "\"ticket\": ");
    snprintf(words, sizeof words, "\"name\": \"%s\"", name);
    return ticket && strstr(event, words) ? strtol(ticket + strlen("\"ticket\": "), NULL, 10) : 0;
}

/* A frame waits at most once, for the step, while the picture of the previous frame is queued
   after it: the device is always busy. Counted from the first step in the trace, because the
   initial message may need a font, to the last submission, because the end also waits. A picture
   that is split into many submissions may wait for a slot; this is no wait for the step. */
static void a_frame_waits_once_while_the_device_draws(void **state)
{
    char path[128];
    base_blob trace = {0};
    int waits = 0, idle = 0, waits_before = 0, idle_before = 0;
    long latest = 0;
    bool counts = false;
    assert_window(WINDOW "--script 'panels off; step 4; trace frames.json; draw 4; step 8; trace "
                         "off; quit'",
                  DONE);
    snprintf(path, sizeof path, "%s/frames.json", scratch);
    assert_int_equal(base_file_read(NULL, path, 1 << 24, &trace), WEIR_OK);
    trace.bytes[trace.size - 1] = '\0';
    for (char *event = strtok((char *)trace.bytes, "\n"); event; event = strtok(NULL, "\n")) {
        long submitted = ticket_of(event, "submit"), waited = ticket_of(event, "wait");
        if (submitted) {
            latest = submitted;
            waits_before = waits;
            idle_before = idle;
        }
        counts |= strstr(event, "\"name\": \"frame\"") != NULL;
        waits += counts && waited > 0;
        idle += counts && waited > 0 && waited == latest;
    }
    base_blob_free(&trace);
    if (!counts || waits_before > 8 || idle_before != 0)
        fail_msg("8 frames waited %d times, expected 8 at most, of which %d for all that was "
                 "submitted, expected 0",
                 waits_before, idle_before);
}

/* A mesh and lambda are drawn before the next step begins. */
static void running_frames_look_like_those_that_stand(void **state)
{
    assert_window(WINDOW "--script 'show particles; colour lambda; step 3; shot ran.png; colour "
                         "fluid; step; colour lambda; draw; restart; colour fluid; step 3; colour "
                         "lambda; shot stood.png; quit'",
                  DONE);
    assert_true(same_files("ran.png", "stood.png"));
    assert_window(WINDOW "--script 'show mesh; step 3; shot ran.png; restart; show surface; step "
                         "3; show mesh; shot stood.png; quit'",
                  DONE);
    assert_true(same_files("ran.png", "stood.png"));
}

static void a_film_has_every_frame_that_is_simulated(void **state)
{
    if (system("command -v ffmpeg > /dev/null") != 0) {
        print_message("no ffmpeg to film with: left out\n");
        return;
    }
    assert_window(WINDOW "--script 'record film.mp4; step 5; record off; quit'", DONE);
    assert_said("5 frames in film.mp4");
}

static void nothing_to_see_is_a_picture_too(void **state)
{
    assert_window("xvfb-run -a $W view void.json --width 320 --height 240 --script 'step 2; pivot "
                  "0.5 0.5; shot g.png; quit'",
                  DONE);
    assert_picture("g.png", 320, 240);
    assert_window(WINDOW "--script 'camera \"eye=0.42,0.08,0.15 target=0,0.1,0.15 fov=60\"; step; "
                         "shot inside.png; quit'",
                  DONE);
    assert_picture("inside.png", 320, 240);
    assert_window(WINDOW "--script 'size 1 1; draw; shot dot.png; quit'", DONE);
    assert_picture("dot.png", 1, 1);
    assert_window(WINDOW "--script 'size 0 240; quit'", FAILED);
    assert_said("size 0 240: expected 1 to 16384 pixels on a side");
}

int main(void)
{
    if (system("command -v xvfb-run > /dev/null && command -v xauth > /dev/null") != 0) {
        printf("skipped: there is no xvfb-run: tools/setup installs it\n");
        return SKIPPED;
    }
    if (system(WEIR_PROGRAM " view --script quit 2>&1 | grep -q 'has no viewer'") == 0) {
        printf("skipped: this build has no viewer: tools/setup installs what it needs\n");
        return SKIPPED;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_display_the_way_to_pictures_is_named),
        cmocka_unit_test(faults_of_a_script_are_named_before_anything_is_opened),
        cmocka_unit_test(a_window_opens_resizes_goes_away_and_comes_back),
        cmocka_unit_test(a_monitor_of_twice_the_scale_gets_twice_the_pixels),
        cmocka_unit_test(a_script_does_what_keys_do),
        cmocka_unit_test(the_window_closes_with_the_page_open),
        cmocka_unit_test(changes_are_copied_as_words),
        cmocka_unit_test(a_look_is_chosen_by_option_or_while_it_runs),
        cmocka_unit_test(a_fluid_is_chosen_by_option_or_while_it_runs),
        cmocka_unit_test(changes_are_undone_and_redone),
        cmocka_unit_test(reduced_pictures_are_only_for_the_window),
        cmocka_unit_test(numbers_change_while_it_runs),
        cmocka_unit_test(the_hand_drags_the_body_that_is_seen),
        cmocka_unit_test(another_method_starts_the_scene_anew),
        cmocka_unit_test(a_slice_shows_the_grid_of_flip),
        cmocka_unit_test(whitewater_is_shown_and_left_out),
        cmocka_unit_test(an_open_mesh_is_told_before_the_window_opens),
        cmocka_unit_test(a_state_comes_back),
        cmocka_unit_test(the_window_shows_what_run_writes),
        cmocka_unit_test(scenes_follow_each_other_around_the_folder),
        cmocka_unit_test(passes_are_timed_only_while_their_times_are_seen),
        cmocka_unit_test(the_viewer_captures_a_frame),
        cmocka_unit_test(a_frame_waits_once_while_the_device_draws),
        cmocka_unit_test(running_frames_look_like_those_that_stand),
        cmocka_unit_test(a_film_has_every_frame_that_is_simulated),
        cmocka_unit_test(nothing_to_see_is_a_picture_too),
    };
    return cmocka_run_group_tests(tests, open_scratch, close_scratch);
}
