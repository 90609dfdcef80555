/* app: the `weir` program. It includes the front door, and base for the terminal, the clock and
 * files; docs/design-changes.md says why. */
#ifndef WEIR_APP_H
#define WEIR_APP_H

#include "base.h"
#include "weir/bodies.h"

/* Exit statuses: docs/exit-statuses.md. */
enum { APP_DONE = 0, APP_FAILED = 1, APP_WRONG_USE = 2 };

/* ---- command line --------------------------------------------------------------------------- */

typedef enum args_kind {
    ARGS_FLAG,    /* bool */
    ARGS_TEXT,    /* const char * */
    ARGS_CHOICE,  /* uint32_t: index into choices */
    ARGS_CHOICES, /* uint32_t: bits of the indices, "a,b,c" */
    ARGS_COUNT,   /* uint32_t */
    ARGS_NUMBER,  /* double, above 0 */
    ARGS_RANGE,   /* args_range: "A:B" or "B" */
    ARGS_STEPS,   /* args_steps: "A:B:STEP", "A:B" or "B" */
    ARGS_LIST,    /* args_list: may be given many times */
} args_kind;

typedef struct args_range {
    uint32_t first, last;
} args_range;

typedef struct args_steps {
    args_range range;
    uint32_t step; /* at least 1 */
} args_steps;

/* Words that are no options; they point into the program's argv. */
typedef struct args_words {
    char **items;
    uint32_t count;
} args_words;

#define ARGS_LIST_MAX 64
typedef struct args_list {
    const char *items[ARGS_LIST_MAX + 8]; /* the user's, and 8 that the program adds */
    uint32_t count;
} args_list;

#define ARGS_NOT_GIVEN UINT32_MAX /* first value of a count or a choice without a default */

typedef struct args_option {
    const char *name; /* without "--" */
    char letter;      /* 0: none */
    args_kind kind;
    void *target;      /* not written when the option is not given */
    const char *value; /* its name in --help; NULL for a flag */
    const char *help;  /* lines separated by '\n' */
    const char *const *choices;
    uint32_t choice_count;
} args_option;

/* An args_option of a kind without choices, and a choice. */
#define ARGS_OPTION(name, letter, kind, target, value, help)    \
    {                                                           \
        name, letter, ARGS_##kind, target, value, help, NULL, 0 \
    }
#define ARGS_CHOICE_OPTION(name, target, value, help, choices, count) \
    {                                                                 \
        name, 0, ARGS_CHOICE, target, value, help, choices, count     \
    }

typedef struct args_command {
    const char *name;
    const char *usage; /* the words after the name */
    const char *about; /* paragraphs */
    const char *examples;
    const args_option *options;
    size_t option_count;
    const args_option *more; /* options under a title of their own, `more_title` */
    size_t more_count;
    const char *more_title;
    const char **operand; /* the one word that is no option; NULL: none is allowed */
    args_words *operands; /* all such words; NULL: at most one is allowed */
    bool operand_needed;
} args_command;

/* ARGS_RUN, or the exit status of the command. */
typedef enum args_result {
    ARGS_RUN = -1,
    ARGS_HELP = APP_DONE,         /* the help has been printed */
    ARGS_INVALID = APP_WRONG_USE, /* the error has been printed */
} args_result;

/* `argv` starts after the command's name; several operands are moved to its start. */
args_result args_parse(const args_command *command, int argc, char **argv);
/* Prints "weir: WORDS"; returns APP_WRONG_USE. */
int args_error(const char *words);
/* The first `count` names of a list of the front door. */
void args_names(weir_enum list, const char **names, uint32_t count);
/* The names of weir_depth_filter, of which the front door has no list. */
extern const char *const args_filters[WEIR_DEPTH_FILTER_COUNT];
/* Prints that there is no such `what`, and which of `names` is like the given one. */
void args_unknown_name(const char *what, const char *given, const char *const *names, size_t count);

/* What is called today what version 0.1.0 called `before`; NULL for what it did not call so. */
const char *renamed_option(const char *before);
const char *renamed_command(const char *before);

/* ---- help ----------------------------------------------------------------------------------- */

/* What help is from now on: "text", "man", or what "bash", "zsh" or "fish" takes to complete words.
 * False when it is none of them, which has been said. */
bool help_choose(const char *format);
/* Of one command. */
void help_print(const args_command *command);
/* The names of the commands. */
typedef struct help_names {
    const char *const *items;
    size_t count;
} help_names;
/* Around what the commands print, but for text. */
void help_begin(const help_names *names);
void help_end(void);

/* ---- terminal ------------------------------------------------------------------------------- */

/* Closes standard output; false when a part of it could not be written. */
bool app_output_close(void);

/* Messages to standard error; a progress bar moves below them. */
weir_log app_log(bool quiet);

typedef struct app_progress {
    uint64_t first, last; /* frames */
    double start_s;       /* base_time_s at the first frame */
    double printed;       /* the share of the last plain line */
    bool bar;             /* standard error is a terminal: one line is redrawn */
    bool quiet;
} app_progress;

void app_progress_start(app_progress *progress, uint64_t first, uint64_t last, bool quiet);
void app_progress_show(app_progress *progress, const weir_stats *stats);
/* The same with other words after the frame; `frame` counts from `first`. */
void app_progress_show_text(app_progress *progress, uint64_t frame, const char *rest);
/* Clears the bar. */
void app_progress_end(void);

/* "1.5 GB" and "3 min 20 s" in `out`. */
const char *app_print_bytes(char out[32], double bytes);
const char *app_print_seconds(char out[32], double seconds);

/* Bounds and size, a line each. */
void app_print_box(const float min[3], const float max[3], const char *unit);

/* ---- scenes and devices --------------------------------------------------------------------- */

/* Options about the scene and the device; a command without a simulation has some of them. */
typedef struct app_scene_options {
    const char *scene; /* NULL: none, or the built-in dam break */
    args_list set;
    const char *device; /* NULL: the best */
    bool validation, quiet;
    const struct weir_window *window; /* weir_device_def.window */
    const char *shaders;              /* weir_device_def.shaders */
    const weir_log *log;              /* NULL: app_log(quiet) */
} app_scene_options;

#define APP_DEVICE_OPTIONS(source)                                        \
    ARGS_OPTION("device", 0, TEXT, &(source).device, "NAME",              \
                "the device, by number or part of its name (weir info)"), \
        ARGS_OPTION("validation", 0, FLAG, &(source).validation, NULL,    \
                    "check every Vulkan call; any complaint fails the command")
#define APP_QUIET_OPTION(source) \
    ARGS_OPTION("quiet", 'q', FLAG, &(source).quiet, NULL, "print errors and warnings only")
#define APP_SCENE_OPTIONS(source)                                       \
    ARGS_OPTION("set", 0, LIST, &(source).set, "KEY=VALUE",             \
                "change one value of the scene, such as spacing=0.01\n" \
                "or solver.iterations=6; may be given many times"),     \
        APP_DEVICE_OPTIONS(source), APP_QUIET_OPTION(source)

/* The device that the options name. */
weir_device_def app_device_def(const app_scene_options *source, const weir_log *log);
/* The number of validation's complaints, which it logs; 0 without a device. */
uint32_t app_validation_errors(const weir_log *log, weir_device *device);
/* The exit status of a command with this result; a complaint of validation is a failure. */
int app_status(const weir_log *log, weir_device *device, weir_result result);
/* The same; APP_FAILED, and says so, when a signal has stopped the command. */
int app_complete_status(const weir_log *log, weir_device *device, weir_result result);

/* The device and the scene of a command; both are NULL on failure, which has been logged. Without a
 * scene: the built-in dam break, sized for the device. */
typedef struct app_context {
    weir_log log;
    weir_device *device;
    weir_device_info info;
    weir_scene *scene;
    weir_scene_info scene_info;
} app_context;

/* A number of particles of the built-in scene that suits the device. */
double app_builtin_particle_count(weir_device_kind kind);
weir_result app_context_open(const app_scene_options *source, app_context *work);
void app_context_close(app_context *work);
int app_context_status(const app_context *work, weir_result result);

/* Loads `source`'s scene with `spacing_m` in place of its own; 0 keeps its own. */
weir_result app_scene_load(const app_scene_options *source, const weir_log *log, double spacing_m,
                           weir_scene **scene);
/* Spacing at which the scene has about `particles`: their number falls with the cube of it. */
double app_spacing_for(const weir_scene *scene, const weir_estimate *needs, double particles);

/* ---- tables and JSON ------------------------------------------------------------------------ */

/* Appends the word as CSV quotes it: "WORD", quotes inside doubled. */
bool app_csv_append_quoted(base_text *text, const char *word);

typedef enum app_json_kind {
    APP_JSON_BOOL,
    APP_JSON_U32,
    APP_JSON_U64,
    APP_JSON_I64,
    APP_JSON_NUMBER, /* double; null when it is not finite */
    APP_JSON_TEXT,   /* char [] */
    APP_JSON_WORDS,  /* const char * */
    APP_JSON_HASH,   /* uint64_t, as 16 digits */
    APP_JSON_KNOWN,  /* uint32_t; null for UINT32_MAX */
} app_json_kind;

/* A member of a struct, and its key. */
typedef struct app_json_field {
    const char *key;
    app_json_kind kind;
    size_t offset;
} app_json_field;

/* These functions return NULL when memory is short, or when `object`, `array` or `value` is NULL,
 * so that a caller checks once, at the end of a file. */
struct json_t *app_json_number(double number);
struct json_t *app_json_field_value(const app_json_field *field, const void *of);
/* These own `value` from the call on; they return `object` or `array`, which they free on failure.
 */
struct json_t *app_json_set(struct json_t *object, const char *key, struct json_t *value);
struct json_t *app_json_append(struct json_t *array, struct json_t *value);
struct json_t *app_json_fields(struct json_t *object, const app_json_field *fields, size_t count,
                               const void *of);
/* Writes the file and frees `json`. Errors: IO, MEMORY, both logged. */
weir_result app_json_write(const weir_log *log, const char *path, struct json_t *json);

/* Vectors [3 * count] of a run's files in metres with y up: undoes --up z and --scale, with which
 * it wrote (x, -z, y) times the scale. NULL when memory is short; release with base_free. */
float *app_to_y_up_metres(const weir_output_def *written, const float *from, uint32_t count);

/* ---- sequences of files, one for each frame, named by a pattern or a folder ----------------- */

typedef struct sequence_file {
    char *path;
    uint32_t frame; /* the number in its name; without one, its index from 1 on */
    bool numbered;
    bool taken; /* set by the caller */
} sequence_file;

/* Sorted by frame, files of one frame by name. */
typedef struct sequence {
    BASE_ARRAY(sequence_file) files;
    size_t sorted; /* files at the last sort */
    size_t before; /* files before the word that is being added */
    bool meshes;   /* set by the caller: OBJ and STL files of a folder are frames, too */
} sequence;

/* Adds the files that `word` names: a file; a folder, or a run's folder for its particles; or a
 * pattern whose last part holds *, ?, {}, ####, %d or %04d. A file is added once. `wait`: it is no
 * error that there is no file yet. Errors: IO (no file), ARGUMENT, MEMORY. */
weir_result sequence_add(const weir_log *log, const char *word, bool wait, sequence *sequence);
/* Sorts by frame. Errors: ARGUMENT when two files are one frame. */
weir_result sequence_sort(const weir_log *log, sequence *sequence);
void sequence_free(sequence *sequence);

bool sequence_is_pattern(const char *name);
/* Whether the name has a placeholder for the frame number: {}, ####, %d or %04d. */
bool sequence_has_number(const char *pattern);
/* The pattern with the frame number in place of the placeholder, if it has one. NULL when memory is
 * short; release with base_free. */
char *sequence_name(const char *pattern, uint32_t frame);
/* The folder of the run that wrote the file at `path`: the file's own folder or the one above, the
 * first that holds run.json; NULL without one. Release with base_free. */
char *sequence_run_folder(const char *path);
/* The path of that run's run.json; NULL without one. Release with base_free. */
char *sequence_run_json(const char *path);

/* ---- bodies of a run's stored frames -------------------------------------------------------- */

typedef struct bodies_jsonl {
    const weir_log *log;
    char *path;          /* of bodies.jsonl */
    const char *without; /* what bodies are in frames of which it says nothing: "not drawn" */
    base_blob file;      /* empty where the run has none */
    weir_body_pose *poses;
    uint32_t count;
    bool warned; /* of a frame without a line */
} bodies_jsonl;

/* Reads the bodies.jsonl of a run's folder, if it is there. `without` must outlive the bodies.
 * Errors: IO, MEMORY. */
weir_result bodies_jsonl_open(const weir_log *log, const char *run, const char *without,
                              bodies_jsonl *bodies);
void bodies_jsonl_close(bodies_jsonl *bodies);
/* Fills in `poses` and `count` of the simulation's frame; 0 and a warning, once, where the file has
 * no line of it. `written`: how the run wrote its files. Errors: IO (a line that is not as a run
 * writes it), MEMORY. */
weir_result bodies_jsonl_read_frame(bodies_jsonl *bodies, const weir_output_def *written,
                                    uint64_t frame);

#endif
