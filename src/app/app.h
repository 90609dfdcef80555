/* app: the `weir` program. It includes the front door, and base for the terminal, the clock and
 * files: docs/design-changes.md says why. */
#ifndef WEIR_APP_H
#define WEIR_APP_H

#include "base.h"

/* Exit statuses. */
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

/* Words that are no options; they live as long as the program's own. */
typedef struct args_words {
    char **items;
    uint32_t count;
} args_words;

/* Room for the program's own entries is kept at the end. */
#define ARGS_LIST_MAX 64
typedef struct args_list {
    const char *items[ARGS_LIST_MAX + 8];
    uint32_t count;
} args_list;

/* What a command starts a count or a choice with, to see later whether it was given. */
#define ARGS_NOT_GIVEN UINT32_MAX

typedef struct args_option {
    const char *name; /* without "--" */
    char letter;      /* 0: none */
    args_kind kind;
    void *target;      /* left alone when the option is not given */
    const char *value; /* what --help calls the value; NULL for a flag */
    const char *help;  /* lines apart by '\n' */
    const char *const *choices;
    uint32_t choice_count;
} args_option;

/* Rows of an args_command's options: of a kind without choices, and a choice. */
#define ARGS_ROW(name, letter, kind, target, value, help)       \
    {                                                           \
        name, letter, ARGS_##kind, target, value, help, NULL, 0 \
    }
#define ARGS_CHOICE_ROW(name, target, value, help, choices, count) \
    {                                                              \
        name, 0, ARGS_CHOICE, target, value, help, choices, count  \
    }

typedef struct args_command {
    const char *name;
    const char *usage; /* what follows the name */
    const char *about; /* paragraphs */
    const char *examples;
    const args_option *options;
    size_t option_count;
    const args_option *more; /* printed after a line of their own, `more_title` */
    size_t more_count;
    const char *more_title;
    const char **operand; /* the one word that is no option; NULL: none is taken */
    args_words *operands; /* all such words; with it more than one is taken */
    bool operand_needed;
} args_command;

/* What a command ends with here, as its exit status, or that it is to run. */
typedef enum args_outcome {
    ARGS_RUN = -1,
    ARGS_HELP = APP_DONE,       /* the help has been printed */
    ARGS_WRONG = APP_WRONG_USE, /* what is wrong has been said */
} args_outcome;

/* `argv` starts behind the command's name; many operands are moved to its start. */
args_outcome args_parse(const args_command *command, int argc, char **argv);
/* Prints "weir: WORDS" and answers APP_WRONG_USE. */
int args_refuse(const char *words);
/* The first `count` names of a list of the front door's. */
void args_names(weir_names list, const char **names, uint32_t count);
/* Says what is wrong and which of `names` was perhaps meant. */
void args_unknown(const char *what, const char *given, const char *const *names, size_t count);

/* ---- terminal ------------------------------------------------------------------------------- */

/* Messages to standard error, above the progress bar when one is shown. */
weir_log app_log(bool quiet);

typedef struct app_progress {
    uint64_t first, last; /* frames */
    double start_s;       /* base_time_s at the first frame */
    double said;          /* share at which the last plain line was printed */
    bool bar;             /* a terminal: one line, redrawn */
    bool quiet;
} app_progress;

void app_progress_start(app_progress *progress, uint64_t first, uint64_t last, bool quiet);
void app_progress_show(app_progress *progress, const weir_stats *stats);
/* The same with other words behind the frame; `frame` counts from `first`. */
void app_progress_say(app_progress *progress, uint64_t frame, const char *rest);
/* Clears the bar. */
void app_progress_end(app_progress *progress);

/* "1.5 GB" and "3 min 20 s" in `out`. */
const char *app_print_bytes(char out[32], double bytes);
const char *app_print_seconds(char out[32], double seconds);

/* Bounds and size, a line each. */
void app_print_box(const float min[3], const float max[3], const char *unit);

/* ---- scenes and devices --------------------------------------------------------------------- */

/* Options about the scene and the device; a command without a simulation takes some of them. */
typedef struct app_source {
    const char *scene; /* NULL: none, or the built-in dam break */
    args_list set;
    const char *device; /* NULL: the best */
    bool validation, quiet;
    bool present;        /* the device is to show pictures in a window */
    const char *shaders; /* weir_device_def.shaders */
    const weir_log *log; /* NULL: app_log(quiet) */
} app_source;

#define APP_DEVICE_OPTIONS(source)                                     \
    ARGS_ROW("device", 0, TEXT, &(source).device, "NAME",              \
             "the device, by number or part of its name (weir info)"), \
        ARGS_ROW("validation", 0, FLAG, &(source).validation, NULL,    \
                 "check every Vulkan call; any complaint fails the command")
#define APP_QUIET_OPTION(source) \
    ARGS_ROW("quiet", 'q', FLAG, &(source).quiet, NULL, "print errors and warnings only")
#define APP_SOURCE_OPTIONS(source)                                   \
    ARGS_ROW("set", 0, LIST, &(source).set, "KEY=VALUE",             \
             "change one value of the scene, such as spacing=0.01\n" \
             "or solver.iterations=6; may be given many times"),     \
        APP_DEVICE_OPTIONS(source), APP_QUIET_OPTION(source)

/* The device that the options ask for. */
weir_device_def app_device_def(const app_source *source, const weir_log *log);
/* How often validation complained, which is logged; 0 for no device. */
uint32_t app_count_complaints(const weir_log *log, weir_device *device);
/* APP_DONE, or the exit status that a failure or validation's complaints ask for. */
int app_status(const weir_log *log, weir_device *device, weir_result result);

/* The device and the scene of a command; both are NULL on failure, which has been logged. Without a
 * scene: the built-in dam break, sized for the device. */
typedef struct app_work {
    weir_log log;
    weir_device *device;
    weir_device_info info;
    weir_scene *scene;
    weir_scene_info scene_info;
} app_work;

/* Particles of the built-in scene that suit a device. */
double app_builtin_particles(weir_device_kind kind);
weir_result app_work_open(const app_source *source, app_work *work);
void app_work_close(app_work *work);
/* app_status of both. */
int app_work_status(const app_work *work, weir_result result);

/* Loads `source`'s scene with `spacing_m` in place of its own, 0 to keep it. */
weir_result app_scene_load(const app_source *source, const weir_log *log, double spacing_m,
                           weir_scene **scene);
/* Spacing at which the scene has about `particles`: their number goes with the spacing's cube. */
double app_spacing_for(const weir_scene *scene, const weir_needs *needs, double particles);

/* ---- tables and JSON ------------------------------------------------------------------------ */

/* Appends "WORD" with the quotes inside doubled, as CSV has them. */
bool app_csv_quoted(base_text *text, const char *word);

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

/* NULL when memory is short, here and below; NULL as `object`, `array` or `value` stays NULL, so
 * that only the end of a file needs to look. */
struct json_t *app_json_number(double number);
struct json_t *app_json_value(const app_json_field *field, const void *of);
/* These take over `value` and return what they were given, which they free on failure. */
struct json_t *app_json_put(struct json_t *object, const char *key, struct json_t *value);
struct json_t *app_json_add(struct json_t *array, struct json_t *value);
struct json_t *app_json_fields(struct json_t *object, const app_json_field *fields, size_t count,
                               const void *of);
/* Writes the file and frees `json`. Errors: IO, MEMORY, both logged. */
weir_result app_json_write(const weir_log *log, const char *path, struct json_t *json);

/* ---- sequences of files: frame after frame, as a pattern or a folder names them ------------- */

typedef struct sequence_file {
    char *path;
    uint32_t frame; /* the number in its name; without one, its place from 1 on */
    bool numbered;
    bool taken; /* its user's mark */
} sequence_file;

/* In the order of the frames; files of one frame by name. */
typedef struct sequence {
    BASE_ARRAY(sequence_file) files;
    size_t sorted, before; /* how many were sorted last, were there before the present word */
} sequence;

/* Takes in what `word` names: a file; a folder, or the particles of a run's; or a pattern whose
 * last part holds *, ?, {}, ####, %d or %04d. A file that is there already stays. Errors: IO
 * (nothing is there), ARGUMENT, MEMORY. `wait`: nothing there is fine, since frames are to come. */
weir_result sequence_add(const weir_log *log, const char *word, bool wait, sequence *sequence);
/* Sorts by frame. Errors: ARGUMENT when two files are one frame. */
weir_result sequence_sort(const weir_log *log, sequence *sequence);
void sequence_free(sequence *sequence);

bool sequence_is_pattern(const char *name);
/* Whether the name has a place for a frame number. */
bool sequence_has_number(const char *pattern);
/* The pattern with the frame's number in its place, without one the pattern. NULL when memory is
 * short; release with base_free. */
char *sequence_name(const char *pattern, uint32_t frame);
/* The folder of the run that the file at `path` came from, when run.json is beside it or above;
 * NULL when there is none. Release with base_free. */
char *sequence_run_folder(const char *path);
/* That run's run.json, likewise. */
char *sequence_run_json(const char *path);

#endif
