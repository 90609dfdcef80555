/* command_table: the viewer's commands. One table defines the keys, the words of scripts, and the
 * help page. */
#ifndef WEIR_VIEW_COMMANDS_H
#define WEIR_VIEW_COMMANDS_H

#include "base.h"

typedef enum view_command_id {
    VIEW_PAUSE,
    VIEW_STEP,
    VIEW_RESTART,
    VIEW_SLOW,
    VIEW_PASS,
    VIEW_NEXT_SCENE,
    VIEW_PREVIOUS_SCENE,
    VIEW_SCENE,
    VIEW_SET,
    VIEW_UNDO,
    VIEW_REDO,
    VIEW_LOOK,
    VIEW_FLUID,
    VIEW_METHOD,
    VIEW_COPY_CHANGES,
    VIEW_GRAVITY,
    VIEW_DRAG_BODY,
    VIEW_PUSH,
    VIEW_PULL,
    VIEW_RELEASE_TOOL,
    VIEW_HOSE,
    VIEW_ORBIT,
    VIEW_PAN,
    VIEW_ZOOM,
    VIEW_PIVOT,
    VIEW_CAMERA_SET,
    VIEW_HOME,
    VIEW_COPY_CAMERA,
    VIEW_PASTE_CAMERA,
    VIEW_SHOW,
    VIEW_COLOUR,
    VIEW_FILTER,
    VIEW_SHADOWS,
    VIEW_WHITEWATER,
    VIEW_SLICE,
    VIEW_SAMPLES,
    VIEW_PANELS,
    VIEW_UNFOLD,
    VIEW_METRICS,
    VIEW_ITEMS,
    VIEW_HELP,
    VIEW_SCENES,
    VIEW_SHOT,
    VIEW_RECORD,
    VIEW_TRACE,
    VIEW_CAPTURE,
    VIEW_SAVE,
    VIEW_LOAD,
    VIEW_SIZE,
    VIEW_MINIMISE,
    VIEW_RELOAD,
    VIEW_DRAW,
    VIEW_REDUCED,
    VIEW_KEY,
    VIEW_QUIT,
    VIEW_COMMANDS
} view_command_id;

typedef enum view_value_kind {
    VIEW_COUNT,  /* an integer, 0 or more */
    VIEW_NUMBER, /* finite */
    VIEW_SWITCH, /* on or off; if not given, the opposite of the current state */
    VIEW_TEXT,
} view_value_kind;

#define VIEW_PARAMETERS 7
#define VIEW_KEYS 10

typedef struct view_parameter {
    const char *name; /* NULL: end of the list */
    view_value_kind kind;
    bool optional; /* all parameters after it are optional as well */
} view_parameter;

typedef struct view_command {
    const char *name;
    const char *keys[VIEW_KEYS]; /* "Ctrl+C", "Space"; the n-th key of VIEW_SHOW selects mode n */
    view_parameter parameters[VIEW_PARAMETERS];
    const char *about;
} view_command;

extern const view_command view_commands[VIEW_COMMANDS];

/* Groups of commands on the help page. */
typedef enum view_group {
    VIEW_GROUP_CAMERA,
    VIEW_GROUP_SIMULATION,
    VIEW_GROUP_VIEW,
    VIEW_GROUP_FILES,
    VIEW_GROUPS
} view_group;
view_group view_command_group(view_command_id id);

/* A mouse gesture and what it does. */
typedef struct view_gesture {
    const char *gesture, *about;
} view_gesture;
extern const view_gesture view_gestures[];
extern const size_t view_gesture_count;

/* A value of a command; texts belong to the script. */
typedef struct view_value {
    bool given;
    double number; /* for a switch: 0 or 1 */
    const char *text;
} view_value;

typedef struct view_call {
    view_command_id id;
    view_value values[VIEW_PARAMETERS];
} view_call;

/* Returns the requested state of the switch; the opposite of `now` if the call has no value. */
bool view_call_switch(const view_call *call, bool now);
/* Returns the requested count; 1 if the call has no value. */
uint32_t view_call_count(const view_call *call);
/* Returns the call of a key; false if no command has the key. */
bool view_key_call(const char *key, view_call *call);
/* Prints for instance "orbit YAW [PITCH]". */
void view_print_usage(const view_command *command, char *out, size_t size);
/* Prints for instance "Space, P"; "" without keys. */
void view_print_keys(const view_command *command, char *out, size_t size);

/* A script: commands separated by ';' or line ends. A comment extends from '#' to the end of the
 * line; words may be in "double quotes". */
typedef struct view_script {
    BASE_ARRAY(view_call) calls;
    char *words; /* storage of the texts */
} view_script;

/* Parses a script. Every error is logged with the script's name, line, word, and what was expected.
 * Errors: ARGUMENT, MEMORY. */
weir_result view_script_parse(const weir_log *log, const char *name, const char *text,
                              view_script *script);
void view_script_free(view_script *script);

#endif
