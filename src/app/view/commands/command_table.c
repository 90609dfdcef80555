/* The table of the viewer's commands and their keys. */
#include "command_table.h"

#define REQUIRED_PARAMETER(kind, name) \
    {                                  \
        name, VIEW_##kind, false       \
    }
#define OPTIONAL_PARAMETER(kind, name) \
    {                                  \
        name, VIEW_##kind, true        \
    }
#define SWITCH OPTIONAL_PARAMETER(SWITCH, "on|off")

const view_command view_commands[VIEW_COMMANDS] = {
    [VIEW_PAUSE] = {"pause", {"Space", "P"}, {SWITCH}, "pause or resume"},
    [VIEW_STEP] = {"step",
                   {".", "O", "Right"},
                   {OPTIONAL_PARAMETER(COUNT, "FRAMES")},
                   "simulate one frame, or this many, and pause"},
    [VIEW_RESTART] = {"restart", {"R"}, {{0}}, "restart the scene"},
    [VIEW_SLOW] = {"slow", {"S"}, {SWITCH}, "slow motion: a tenth of the speed"},
    [VIEW_PASS] = {"pass",
                   {"K"},
                   {OPTIONAL_PARAMETER(COUNT, "NUMBER")},
                   "show the output of the next pass of the substep, or of the pass with this "
                   "number, in colour; after the last pass the frame is simulated"},
    [VIEW_NEXT_SCENE] = {"next", {"]"}, {{0}}, "next scene of the folder"},
    [VIEW_PREVIOUS_SCENE] = {"previous", {"["}, {{0}}, "previous scene of the folder"},
    [VIEW_SCENE] = {"scene", {0}, {REQUIRED_PARAMETER(TEXT, "FILE")}, "open a scene"},
    [VIEW_SET] = {"set",
                  {0},
                  {REQUIRED_PARAMETER(TEXT, "KEY=VALUE")},
                  "override a value of the scene, as --set does; some values restart it"},
    [VIEW_UNDO] = {"undo",
                   {"Ctrl+Z"},
                   {{0}},
                   "undo the last change of a setting, of the appearance or of the camera; some "
                   "settings restart the scene"},
    [VIEW_REDO] = {"redo", {"Ctrl+Y"}, {{0}}, "repeat the change that was undone last"},
    [VIEW_LOOK] = {"look",
                   {"L"},
                   {OPTIONAL_PARAMETER(TEXT, "NAME")},
                   "light and surroundings: studio, daylight, dusk or technical; without an "
                   "argument, the next one"},
    [VIEW_FLUID] = {"fluid",
                    {0},
                    {REQUIRED_PARAMETER(TEXT, "NAME")},
                    "make the scene's first fluid water, honey, oil, lava or milk"},
    [VIEW_METHOD] =
        {"method",
         {"J"},
         {OPTIONAL_PARAMETER(TEXT, "NAME")},
         "solver method: pbf, pcisph, flip, apic, wcsph; without an argument, the next one; "
         "restarts the scene; settings that the method does not support are ignored"},
    [VIEW_COPY_CHANGES] = {"copy-changes",
                           {"Ctrl+S"},
                           {OPTIONAL_PARAMETER(TEXT, "FILE")},
                           "copy the scene and all changes, as arguments for weir run, to the "
                           "clipboard or to a file"},
    [VIEW_GRAVITY] = {"gravity", {"G"}, {SWITCH}, "switch gravity off or on"},
    [VIEW_DRAG_BODY] = {"grab",
                        {0},
                        {REQUIRED_PARAMETER(NUMBER, "X"), REQUIRED_PARAMETER(NUMBER, "Y")},
                        "grab the body at a point in the picture; further drags move it, until "
                        "release; without a body, push the fluid"},
    [VIEW_PUSH] = {"push",
                   {0},
                   {REQUIRED_PARAMETER(NUMBER, "X"), REQUIRED_PARAMETER(NUMBER, "Y")},
                   "push the fluid away from a point in the picture until release; 0 0 is the top "
                   "left, 1 1 the bottom right"},
    [VIEW_PULL] = {"pull",
                   {0},
                   {REQUIRED_PARAMETER(NUMBER, "X"), REQUIRED_PARAMETER(NUMBER, "Y")},
                   "pull the fluid towards a point in the picture until release"},
    [VIEW_RELEASE_TOOL] = {"release", {0}, {{0}}, "end a drag, push or pull"},
    [VIEW_HOSE] = {"hose", {"E"}, {SWITCH}, "switch a jet of fluid from the camera on or off"},
    [VIEW_ORBIT] = {"orbit",
                    {0},
                    {REQUIRED_PARAMETER(NUMBER, "YAW"), OPTIONAL_PARAMETER(NUMBER, "PITCH")},
                    "turn the camera about the pivot, in degrees"},
    [VIEW_PAN] = {"pan",
                  {0},
                  {REQUIRED_PARAMETER(NUMBER, "RIGHT"), REQUIRED_PARAMETER(NUMBER, "DOWN")},
                  "move the camera sideways, in heights of the picture"},
    [VIEW_ZOOM] = {"zoom",
                   {0},
                   {REQUIRED_PARAMETER(NUMBER, "FACTOR"), OPTIONAL_PARAMETER(NUMBER, "X"),
                    OPTIONAL_PARAMETER(NUMBER, "Y")},
                   "zoom by this factor, towards a point in the picture"},
    [VIEW_PIVOT] = {"pivot",
                    {0},
                    {REQUIRED_PARAMETER(NUMBER, "X"), REQUIRED_PARAMETER(NUMBER, "Y")},
                    "set the pivot to the fluid or ground at a point in the picture"},
    [VIEW_CAMERA_SET] = {"camera",
                         {0},
                         {REQUIRED_PARAMETER(TEXT, "CAMERA")},
                         "set the camera from text: \"eye=1,2,3 target=0,0,0 fov=45\""},
    [VIEW_HOME] = {"home", {"Home"}, {{0}}, "return to the scene's camera and its keyframes"},
    [VIEW_COPY_CAMERA] = {"copy-camera",
                          {"Ctrl+C"},
                          {OPTIONAL_PARAMETER(TEXT, "FILE")},
                          "copy the camera as text to the clipboard, or to a file"},
    [VIEW_PASTE_CAMERA] = {"paste-camera", {"Ctrl+V"}, {{0}}, "set the camera from the clipboard"},
    [VIEW_SHOW] = {"show",
                   {"1", "2", "3", "4", "5", "6", "7", "8", "9", "0"},
                   {REQUIRED_PARAMETER(TEXT, "MODE")},
                   "draw mode: surface, ellipsoids, particles, mesh, or an intermediate buffer"},
    [VIEW_COLOUR] = {"colour",
                     {"C"},
                     {OPTIONAL_PARAMETER(TEXT, "BY")},
                     "colour of ellipsoids and particles: fluid, speed, density, id, neighbours, "
                     "lambda; without an argument, the next one"},
    [VIEW_FILTER] = {"filter",
                     {"F"},
                     {OPTIONAL_PARAMETER(TEXT, "NAME")},
                     "depth filter of the surface: narrow-range, bilateral, curvature-flow, none"},
    [VIEW_SAMPLES] = {"samples",
                      {0},
                      {REQUIRED_PARAMETER(COUNT, "NUMBER")},
                      "samples along each side of a pixel, 1 to 4: more are smoother and slower"},
    [VIEW_SHADOWS] = {"shadows", {"H"}, {SWITCH}, "shadows"},
    [VIEW_WHITEWATER] = {"whitewater", {"W"}, {SWITCH}, "spray, foam and bubbles"},
    [VIEW_SLICE] = {"slice",
                    {"X"},
                    {OPTIONAL_PARAMETER(TEXT, "OF"), OPTIONAL_PARAMETER(TEXT, "AXIS"),
                     OPTIONAL_PARAMETER(NUMBER, "PLACE")},
                    "a slice through the grid of flip and apic, coloured by speed or pressure, or "
                    "off; perpendicular to x, y or z, at 0 to 1 of the domain"},
    [VIEW_PANELS] = {"panels", {"Tab"}, {SWITCH}, "the panels"},
    [VIEW_UNFOLD] = {"unfold", {"U"}, {SWITCH}, "unfold all sections of the panel, or fold them"},
    [VIEW_METRICS] = {"metrics", {"M"}, {SWITCH}, "the times and figures"},
    [VIEW_ITEMS] = {"widgets",
                    {0},
                    {REQUIRED_PARAMETER(TEXT, "FILE")},
                    "write the positions of the panels' buttons, boxes and sliders to a file: "
                    "left, top, right, bottom in pixels, and the name"},
    [VIEW_SCENES] = {"scenes", {"B"}, {SWITCH}, "the scenes of the folder as pictures"},
    [VIEW_HELP] = {"help", {"F1"}, {SWITCH}, "this page"},
    [VIEW_SHOT] = {"shot",
                   {"F12"},
                   {OPTIONAL_PARAMETER(TEXT, "FILE")},
                   "save a picture without panels, as PNG"},
    [VIEW_RECORD] = {"record",
                     {"V"},
                     {OPTIONAL_PARAMETER(TEXT, "FILE|off")},
                     "record every simulated frame until the next record, as MP4 by ffmpeg"},
    [VIEW_TRACE] = {"trace",
                    {"T"},
                    {OPTIONAL_PARAMETER(TEXT, "FILE|off")},
                    "write GPU and CPU times until the next trace, for Perfetto"},
    [VIEW_CAPTURE] = {"capture",
                      {"D"},
                      {{0}},
                      "capture the next frame with RenderDoc: what is simulated and drawn"},
    [VIEW_SAVE] = {"save", {"F5"}, {OPTIONAL_PARAMETER(TEXT, "FILE")}, "save the state to a file"},
    [VIEW_LOAD] = {"load",
                   {"F9"},
                   {OPTIONAL_PARAMETER(TEXT, "FILE")},
                   "load the state from a file"},
    [VIEW_SIZE] = {"size",
                   {0},
                   {REQUIRED_PARAMETER(COUNT, "WIDTH"), REQUIRED_PARAMETER(COUNT, "HEIGHT")},
                   "resize the window, pixels"},
    [VIEW_MINIMISE] = {"minimise", {0}, {SWITCH}, "minimise the window and bring it back"},
    [VIEW_RELOAD] = {"reload",
                     {"F6"},
                     {{0}},
                     "recompile changed shaders; development builds only, which also watch for "
                     "changes unless a script runs"},
    [VIEW_DRAW] = {"draw",
                   {0},
                   {OPTIONAL_PARAMETER(COUNT, "FRAMES")},
                   "draw one frame, or this many, without simulating"},
    [VIEW_REDUCED] = {"reduced",
                      {0},
                      {SWITCH},
                      "let a script draw at reduced size while something moves, as the viewer does "
                      "without a script"},
    [VIEW_KEY] = {"key", {0}, {REQUIRED_PARAMETER(TEXT, "KEY")}, "do what this key does"},
    [VIEW_QUIT] = {"quit", {"Escape"}, {{0}}, "close the window"},
};

view_group view_command_group(view_command_id id)
{
    if (id <= VIEW_HOSE) return VIEW_GROUP_SIMULATION;
    if (id <= VIEW_PASTE_CAMERA) return VIEW_GROUP_CAMERA;
    return id <= VIEW_SCENES ? VIEW_GROUP_VIEW : VIEW_GROUP_FILES;
}

const view_gesture view_gestures[] = {
    {"Left drag", "orbit"},
    {"Shift + left, right or middle drag", "pan"},
    {"Wheel", "zoom to the cursor"},
    {"Double click", "set the pivot to the clicked point"},
    {"Ctrl + left drag", "drag the body under the cursor; without a body, push the fluid"},
    {"Ctrl + Shift + left drag", "pull the fluid"},
};
const size_t view_gesture_count = BASE_COUNT(view_gestures);

bool view_key_call(const char *key, view_call *call)
{
    for (uint32_t id = 0; id < VIEW_COMMANDS; id++)
        for (uint32_t k = 0; k < VIEW_KEYS && view_commands[id].keys[k]; k++) {
            if (strcmp(view_commands[id].keys[k], key) != 0) continue;
            *call = (view_call){.id = (view_command_id)id};
            if (id == VIEW_SHOW) call->values[0] = (view_value){true, k, NULL};
            return true;
        }
    return false;
}

bool view_call_switch(const view_call *call, bool now)
{
    return call->values[0].given ? call->values[0].number > 0 : !now;
}

uint32_t view_call_count(const view_call *call)
{
    return call->values[0].given ? (uint32_t)call->values[0].number : 1;
}

void view_print_usage(const view_command *command, char *out, size_t size)
{
    int used = snprintf(out, size, "%s", command->name);
    for (uint32_t i = 0; i < VIEW_PARAMETERS && command->parameters[i].name; i++) {
        const view_parameter *p = &command->parameters[i];
        if (used < 0 || (size_t)used >= size) return;
        used += snprintf(out + used, size - (size_t)used, p->optional ? " [%s]" : " %s", p->name);
    }
}

void view_print_keys(const view_command *command, char *out, size_t size)
{
    size_t used = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < VIEW_KEYS && command->keys[i] && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, i ? ", %s" : "%s", command->keys[i]);
}
