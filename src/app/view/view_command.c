/* weir view: the command line of the viewer. */
#include "view_command.h"
#include "viewer.h"

#define SIDE_MIN 160u
#define SIDE_MAX 16384u

static const char about[] =
    "Shows a scene (default: the built-in dam break) in a window: orbit the camera, pause, step,\n"
    "and change its parameters and gravity while it runs. F1 lists all keys.";

static const char details[] =
    "A script replaces keys and mouse: commands separated by ';', such as \"step 30; orbit 30\n"
    "10; shot a.png; quit\". With a script the viewer starts paused and stays open until quit. F1\n"
    "and docs/viewer.md list the commands.";

static int start_viewer(const view_options *options)
{
#ifdef WEIR_VIEWER
    return view_run(options);
#else
    (void)options;
    fprintf(stderr, "weir: this build has no viewer: install GLFW and Dear ImGui (tools/setup) and "
                    "build Weir again, or draw pictures to files with weir run --images\n");
    return APP_FAILED;
#endif
}

/* Turns --look into a change of the scene, which the viewer's "set look.preset=" can replace. */
static void add_look(args_list *set, uint32_t look)
{
    static char change[48];
    if (look == ARGS_NOT_GIVEN) return;
    snprintf(change, sizeof change, "look.preset=%s", weir_enum_name(WEIR_ENUM_LOOK, look));
    set->items[set->count++] = change;
}

int view_main(int argc, char **argv)
{
    view_options o = {.width = 1280, .height = 720};
    uint32_t look = ARGS_NOT_GIVEN, fluid = ARGS_NOT_GIVEN;
    const args_option options[] = {
        ARGS_OPTION("width", 0, COUNT, &o.width, "PIXELS", "width of the window; default 1280"),
        ARGS_OPTION("height", 0, COUNT, &o.height, "PIXELS", "height of the window; default 720"),
        ARGS_LOOK_OPTION(&look, false),
        ARGS_FLUID_OPTION(&fluid),
        ARGS_OPTION("paused", 0, FLAG, &o.paused, NULL, "start paused"),
        ARGS_EXPERT_OPTION("no-vsync", 0, FLAG, &o.tearing, NULL,
                           "show each frame at once, not at the next screen refresh"),
        ARGS_OPTION("script", 0, TEXT, &o.script, "COMMANDS",
                    "run these commands in place of keys and mouse"),
        ARGS_EXPERT_OPTION("script-file", 0, TEXT, &o.script_file, "FILE",
                           "run the commands in a file"),
        ARGS_EXPERT_OPTION("shaders", 0, TEXT, &o.shaders, "DIR",
                           "shader sources to watch, in a development build"),
        APP_SCENE_OPTIONS(o.source),
    };
    const args_command command = {
        .name = "view",
        .usage = "[SCENE]",
        .about = about,
        .details = details,
        .examples = "weir view\n"
                    "weir view scenes/fountain.json --set spacing=0.02\n"
                    "weir view scenes/drop.json --script \"step 60; shot drop.png; quit\"",
        .options = options,
        .option_count = BASE_COUNT(options),
        .operand = &o.source.scene,
    };
    args_result outcome = args_parse(&command, argc, argv);
    if (outcome != ARGS_RUN) return outcome;
    if (o.script && o.script_file) return args_error("give --script or --script-file, not both");
    if (o.width < SIDE_MIN || o.width > SIDE_MAX || o.height < SIDE_MIN || o.height > SIDE_MAX) {
        fprintf(stderr, "weir: a window of %u x %u pixels: expected %u to %u on each side\n",
                o.width, o.height, SIDE_MIN, SIDE_MAX);
        return APP_WRONG_USE;
    }
    app_add_fluid(&o.source.set, fluid);
    add_look(&o.source.set, look);
    return start_viewer(&o);
}
