/* app: helpers of the `weir` program. They include the public API, and base for the terminal, the
 * clock and files; docs/design-changes.md explains why. */
#ifndef WEIR_APP_H
#define WEIR_APP_H

#include "base.h"
#include "weir/attributes.h"
#include "weir/bodies.h"

/* Exit statuses; see docs/exit-statuses.md. */
enum {
    APP_DONE = 0,
    APP_FAILED = 1,
    APP_WRONG_USE = 2,
    APP_UNEQUAL = 3, /* measurements of different work */
    APP_STOPPED = BASE_STATUS_STOPPED
};

/* The program as it was called: argv[0]. */
extern const char *app_program;

/* ---- command line --------------------------------------------------------------------------- */

typedef enum args_kind {
    ARGS_FLAG,    /* bool */
    ARGS_MODE,    /* uint32_t: "--name": 1; "--name=choice": 2 + its index; 0 without the option */
    ARGS_TEXT,    /* const char * */
    ARGS_CHOICE,  /* uint32_t: index into choices */
    ARGS_CHOICES, /* uint32_t: bit mask of the indices, "a,b,c" */
    ARGS_COUNT,   /* uint32_t */
    ARGS_NUMBER,  /* double, greater than 0 */
    ARGS_RANGE,   /* args_range: "A:B" or "B" */
    ARGS_STEPS,   /* args_steps: "A:B:STEP", "A:B" or "B" */
    ARGS_LIST,    /* args_list: may be given several times */
    ARGS_BOX,     /* args_box: "X0,Y0,Z0:X1,Y1,Z1" */
} args_kind;

typedef struct args_range {
    uint32_t first, last;
} args_range;

typedef struct args_steps {
    args_range range;
    uint32_t step; /* at least 1 */
} args_steps;

typedef struct args_box {
    double min[3], max[3];
    bool given;
} args_box;

/* The words that are not options; they point into the program's argv. */
typedef struct args_words {
    char **items;
    uint32_t count;
} args_words;

#define ARGS_LIST_MAX 64
typedef struct args_list {
    const char *items[ARGS_LIST_MAX + 8]; /* the user's, and 8 that the program adds */
    uint32_t count;
} args_list;

/* initial value of a count or a choice without a default */
#define ARGS_NOT_GIVEN UINT32_MAX

typedef struct args_option {
    const char *name; /* without "--" */
    char letter;      /* 0: none */
    args_kind kind;
    void *target;      /* unchanged if the option is not given */
    const char *value; /* name of the value in --help; NULL for a flag */
    const char *help;  /* lines separated by '\n' */
    const char *const *choices;
    uint32_t choice_count;
    bool expert; /* --help leaves it out, --help-all lists it */
} args_option;

/* Define an args_option: with choices or without; for everyone, for experts, or marked by
 * `expert`. */
#define ARGS_MARKED_OPTION(name, letter, kind, target, value, help, expert) \
    {                                                                       \
        name, letter, ARGS_##kind, target, value, help, NULL, 0, expert     \
    }
#define ARGS_MARKED_CHOICE(name, target, value, help, choices, count, expert) \
    {                                                                         \
        name, 0, ARGS_CHOICE, target, value, help, choices, count, expert     \
    }
#define ARGS_OPTION(name, letter, kind, target, value, help) \
    ARGS_MARKED_OPTION(name, letter, kind, target, value, help, false)
#define ARGS_EXPERT_OPTION(name, letter, kind, target, value, help) \
    ARGS_MARKED_OPTION(name, letter, kind, target, value, help, true)
#define ARGS_CHOICE_OPTION(name, target, value, help, choices, count) \
    ARGS_MARKED_CHOICE(name, target, value, help, choices, count, false)
#define ARGS_EXPERT_CHOICE(name, target, value, help, choices, count) \
    ARGS_MARKED_CHOICE(name, target, value, help, choices, count, true)

typedef struct args_command {
    const char *name;
    const char *usage;   /* the words after the command's name */
    const char *about;   /* one to three lines */
    const char *details; /* paragraphs for --help-all and the man page; NULL: none */
    const char *examples;
    const args_option *options;
    size_t option_count;
    const args_option *more; /* options under their own heading, `more_title` */
    size_t more_count;
    const char *more_title;
    const char **operand; /* receives the operand; NULL: none is allowed */
    args_words *operands; /* receives all operands; NULL: at most one is allowed */
    bool operand_needed;
} args_command;

/* ARGS_RUN, or the exit status of the command. */
typedef enum args_result {
    ARGS_RUN = -1,
    ARGS_HELP = APP_DONE,         /* the help has been printed */
    ARGS_INVALID = APP_WRONG_USE, /* the error has been printed */
} args_result;

/* Parses the words after the command's name. Several operands are moved to the start of `argv`. */
args_result args_parse(const args_command *command, int argc, char **argv);
/* Reports whether the frame is one of the steps. */
bool args_steps_include(const args_steps *steps, uint32_t frame);
/* Prints "weir: WORDS" and returns APP_WRONG_USE. */
int args_error(const char *words);
/* Returns whether an enumeration of formats has this extension, in any case. */
bool app_is_extension(weir_enum of, const char *extension);
#define ARGS_JOINED 160
/* Writes "BEFOREa, b or cAFTER" to `text` and returns it. */
const char *args_join(char text[ARGS_JOINED], const char *before, const char *const *names,
                      size_t count, const char *after);
/* Copies the first `count` names of an enumeration of the public API. */
void args_names(weir_enum list, const char **names, uint32_t count);
/* The names of weir_depth_filter, which the public API does not list. */
extern const char *const args_filters[WEIR_DEPTH_FILTER_COUNT];
/* The named looks. */
#define ARGS_LOOKS 4u
const char *const *args_looks(void);
#define ARGS_LOOK_OPTION(target, expert)                                                        \
    ARGS_MARKED_CHOICE("look", target, "LOOK", "studio (default), daylight, dusk or technical", \
                       args_looks(), ARGS_LOOKS, expert)
/* The fluids that have a name. */
#define ARGS_FLUIDS 5u
const char *const *args_fluids(void);
#define ARGS_FLUID_OPTION(target)                                                      \
    ARGS_MARKED_CHOICE("fluid", target, "FLUID",                                       \
                       "make the scene's first fluid water, honey, oil, lava or milk", \
                       args_fluids(), ARGS_FLUIDS, false)
/* Prints the changes of a scene that make its first fluid this one, such as
 * "fluids[0].density=1420". */
#define APP_FLUID_CHANGES 4u
void app_fluid_changes(uint32_t fluid, char out[APP_FLUID_CHANGES][64]);
/* Adds these changes before those of the user; none for ARGS_NOT_GIVEN. */
void app_add_fluid(args_list *set, uint32_t fluid);
/* Prints that there is no such `what`, and the most similar of `names`. */
void args_unknown_name(const char *what, const char *given, const char *const *names, size_t count);

/* Returns the current name of the option that version 0.1.0 called `before`; NULL if there was
 * none. */
const char *renamed_option(const char *before);
/* Returns the assignment, such as "iso_value=X", that replaces an option of meshes; NULL if none.
 */
const char *renamed_mesh_setting(const char *before);
/* Returns the tool of the source tree that replaces an option of `weir bench`; NULL if none. */
const char *option_now_a_tool(const char *before);
const char *renamed_command(const char *before);

/* ---- help ----------------------------------------------------------------------------------- */

/* Selects the format of all following help: "text", "man", or the completion script of "bash",
 * "zsh" or "fish". Prints an error and returns false for other formats. */
bool help_choose(const char *format);
/* Prints the help of one command: with `all`, or in formats other than text, also the details and
 * the options for experts. */
void help_print(const args_command *command, bool all);
/* The names of the commands. */
typedef struct help_names {
    const char *const *items;
    size_t count;
} help_names;
/* Print the beginning and the end of help in formats other than text. */
void help_begin(const help_names *names);
void help_end(void);

/* ---- terminal ------------------------------------------------------------------------------- */

/* Closes standard output; returns false if part of it could not be written. */
bool app_output_close(void);

/* Returns a log to standard error; a progress bar stays below the messages. */
weir_log app_log(bool quiet);
/* Copies the last error that app_log has printed, without its line end; empty if there is none. */
#define APP_ERROR_TEXT 600
void app_last_error(char text[APP_ERROR_TEXT]);

typedef struct app_progress {
    uint64_t first, last; /* frames */
    double start_s;       /* base_time_s at the first frame */
    double printed;       /* fraction of the work at the last plain line */
    bool bar;             /* standard error is a terminal: the line is redrawn in place */
    bool quiet;
} app_progress;

void app_progress_start(app_progress *progress, uint64_t first, uint64_t last, bool quiet);
void app_progress_show(app_progress *progress, const weir_stats *stats);
/* Shows progress with other words after the frame; `frame` counts from `first`. */
void app_progress_show_text(app_progress *progress, uint64_t frame, const char *rest);
/* Clears the progress bar. */
void app_progress_end(void);

/* Print for instance "1.5 GB" and "3 min 20 s" to `out`. */
const char *app_print_bytes(char out[32], double bytes);
const char *app_print_seconds(char out[32], double seconds);

/* Prints bounds and size, one line each. */
void app_print_box(const double min[3], const double max[3], const char *unit);

/* ---- scenes and devices --------------------------------------------------------------------- */

/* Options for the scene and the device; a command without a simulation has only some of them. */
typedef struct app_scene_options {
    const char *scene; /* NULL: none, or the built-in dam break */
    args_list set;
    const char *device; /* NULL: the best one */
    bool validation, quiet;
    const struct weir_window *window; /* weir_device_def.window */
    const char *shaders;              /* weir_device_def.shaders */
    const weir_log *log;              /* NULL: app_log(quiet) */
} app_scene_options;

#define APP_DEVICE_OPTIONS(source)                                            \
    ARGS_OPTION("device", 0, TEXT, &(source).device, "NAME",                  \
                "the device, by number or part of its name (weir info)"),     \
        ARGS_EXPERT_OPTION("validation", 0, FLAG, &(source).validation, NULL, \
                           "run the Vulkan validation layers; any message fails the command")
#define APP_QUIET_OPTION(source) \
    ARGS_OPTION("quiet", 'q', FLAG, &(source).quiet, NULL, "print errors and warnings only")
#define APP_SCENE_OPTIONS(source)                                                   \
    ARGS_OPTION("set", 0, LIST, &(source).set, "KEY=VALUE",                         \
                "override a value of the scene, such as spacing=0.01; repeatable"), \
        APP_DEVICE_OPTIONS(source), APP_QUIET_OPTION(source)

/* Returns the def of the device that the options select. */
weir_device_def app_device_def(const app_scene_options *source, const weir_log *log);
/* Logs and returns the number of validation messages; 0 without a device. */
uint32_t app_validation_errors(const weir_log *log, weir_device *device);
/* Returns the exit status of a command with this result; validation messages count as a failure. */
int app_status(const weir_log *log, weir_device *device, weir_result result);
/* Returns the exit status like app_status, but prints a message and returns `stopped`, APP_FAILED
 * or APP_STOPPED, if a signal stopped the command. */
int app_complete_status(const weir_log *log, weir_device *device, weir_result result, int stopped);

/* The device and the scene of a command. Both are NULL on failure, which has been logged. Without a
 * scene file the scene is the built-in dam break, sized for the device. */
typedef struct app_context {
    weir_log log;
    weir_device *device;
    weir_device_info info;
    weir_scene *scene;
    weir_scene_info scene_info;
} app_context;

/* Returns the number of particles of the built-in scene that suits the device. */
double app_builtin_particle_count(weir_device_kind kind);
weir_result app_context_open(const app_scene_options *source, app_context *work);
void app_context_close(app_context *work);
int app_context_status(const app_context *work, weir_result result);

/* Loads `source`'s scene with another spacing; spacing_m 0 keeps its own. */
weir_result app_scene_load(const app_scene_options *source, const weir_log *log, double spacing_m,
                           weir_scene **scene);
/* Returns the spacing at which the scene has about `particles` particles; their number is
 * proportional to its inverse cube. */
double app_spacing_for(const weir_scene *scene, const weir_estimate *needs, double particles);

/* ---- particles of files --------------------------------------------------------------------- */

/* Options that clean the particles which a command reads. */
typedef struct app_particle_options {
    args_box crop; /* in the files' coordinates */
    bool drop_outliers, strict;
} app_particle_options;

#define APP_PARTICLE_OPTIONS(particles, minor)                                                 \
    ARGS_MARKED_OPTION("crop", 0, BOX, &(particles).crop, "BOX",                               \
                       "only particles inside the box X0,Y0,Z0:X1,Y1,Z1, in the files' units", \
                       minor),                                                                 \
        ARGS_MARKED_OPTION("drop-outliers", 0, FLAG, &(particles).drop_outliers, NULL,         \
                           "leave out particles far from the others", minor),                  \
        ARGS_EXPERT_OPTION("strict", 0, FLAG, &(particles).strict, NULL,                       \
                           "fail where particles would be left out: NaN, or too far to be meshed")

/* Lists the attributes of a scene in `list` [WEIR_MAX_ATTRIBUTES]; returns their number. */
uint32_t app_list_attributes(const weir_scene *scene, weir_attribute *list);
/* Names of the attributes of a scene, which may be destroyed meanwhile. */
typedef struct app_attributes {
    char names[WEIR_MAX_ATTRIBUTES][36];
    uint32_t components[WEIR_MAX_ATTRIBUTES], count;
} app_attributes;
void app_attributes_of_scene(const weir_scene *scene, app_attributes *attributes);

/* Loads the particles of a file, with these attributes if it has them, and cleans them. Errors: IO
 * (also, with --strict, particles that are not finite), ARGUMENT (no particle is left), MEMORY;
 * `particles` is then empty. */
weir_result app_particles_load(const weir_log *log, const char *path,
                               const app_particle_options *options,
                               const app_attributes *attributes, weir_particles *particles);
/* Leaves out particles that are too far from the others for a mesher with such cells. Errors: IO
 * (with --strict), MEMORY. */
weir_result app_particles_limit_extent(const weir_log *log, const char *path,
                                       const app_particle_options *options, double cell_m,
                                       weir_particles *particles);

/* ---- tables and JSON ------------------------------------------------------------------------ */

/* Appends a quoted CSV word: "WORD", with quotes inside doubled. */
bool app_csv_append_quoted(base_text *text, const char *word);

typedef enum app_json_kind {
    APP_JSON_BOOL,
    APP_JSON_U32,
    APP_JSON_U64,
    APP_JSON_I64,
    APP_JSON_NUMBER, /* double; null if not finite */
    APP_JSON_TEXT,   /* char [] */
    APP_JSON_WORDS,  /* const char * */
    APP_JSON_HASH,   /* uint64_t, as 16 hexadecimal digits */
    APP_JSON_KNOWN,  /* uint32_t; null if UINT32_MAX */
} app_json_kind;

/* A member of a struct, and its key in JSON. */
typedef struct app_json_field {
    const char *key;
    app_json_kind kind;
    size_t offset;
} app_json_field;

/* These functions return NULL without memory, or if `object`, `array` or `value` is NULL, so a
 * caller only has to check once, at the end of a file. */
struct json_t *app_json_number(double number);
struct json_t *app_json_field_value(const app_json_field *field, const void *of);
/* These functions take ownership of `value`. They return `object` or `array`, which they free on
 * failure. */
struct json_t *app_json_set(struct json_t *object, const char *key, struct json_t *value);
struct json_t *app_json_append(struct json_t *array, struct json_t *value);
struct json_t *app_json_fields(struct json_t *object, const app_json_field *fields, size_t count,
                               const void *of);
/* Writes the file and frees `json`. Errors: IO, MEMORY, both logged. */
weir_result app_json_write(const weir_log *log, const char *path, struct json_t *json);

/* Converts vectors [3 * count] from a run's files to metres with y up. Undoes --up z and --scale,
 * which had written (x, -z, y) times the scale. Returns NULL without memory; release with
 * base_free. */
float *app_to_y_up_metres(const weir_output_def *written, const float *from, uint32_t count);

/* ---- sequences of files, one per frame, named by a pattern or a folder ---------------------- */

typedef struct sequence_file {
    char *path;
    uint32_t frame; /* number in the file's name; otherwise its index, from 1 */
    bool numbered;
    bool taken; /* set by the caller */
} sequence_file;

/* A sequence of files, sorted by frame; files of the same frame are sorted by name. */
typedef struct sequence {
    BASE_ARRAY(sequence_file) files;
    size_t sorted; /* files at the last sort */
    size_t before; /* files before the current word */
    bool meshes;   /* set by the caller: OBJ and STL files of a folder are frames as well */
} sequence;

/* Adds the files that `word` names: a file; a folder, or a run's folder, whose particles are used;
 * or a pattern whose last part contains *, ?, {}, ####, %d or %04d. A file is added once. With
 * `wait`, it is not an error if there is no file yet. Errors: IO (no file), ARGUMENT, MEMORY. */
weir_result sequence_add(const weir_log *log, const char *word, bool wait, sequence *sequence);
/* Sorts by frame. Errors: ARGUMENT if two files have the same frame. */
weir_result sequence_sort(const weir_log *log, sequence *sequence);
/* Keeps the files of these frames only. */
void sequence_keep_frames(sequence *sequence, const args_steps *frames);
void sequence_free(sequence *sequence);

bool sequence_is_pattern(const char *name);
/* Reports whether the name has a placeholder for the frame number: {}, ####, %d or %04d. */
bool sequence_has_number(const char *pattern);
/* Returns the pattern with the placeholder, if any, replaced by the frame number; NULL without
 * memory. Release with base_free. */
char *sequence_name(const char *pattern, uint32_t frame);
/* Returns the folder of the run that wrote the file at `path`: the file's own folder or its parent,
 * whichever contains run.json first; NULL if neither does. Release with base_free. */
char *sequence_run_folder(const char *path);
/* Returns the path of that run's run.json, or NULL. Release with base_free. */
char *sequence_run_json(const char *path);

/* ---- captures by RenderDoc ------------------------------------------------------------------ */

typedef struct app_capture {
    void *api;
} app_capture;

/* Prepares captures through RenderDoc's in-application API. `word`, such as "--capture", and
 * `command`, such as "bench", are for the message. Errors: UNSUPPORTED if RenderDoc is not loaded
 * into the process. */
weir_result app_capture_open(const weir_log *log, const char *word, const char *command,
                             app_capture *capture);
void app_capture_start(app_capture *capture);
/* Ends the capture of the frame, whose work the device has finished. Errors: IO if RenderDoc has
 * captured nothing. */
weir_result app_capture_end(const weir_log *log, app_capture *capture, uint64_t frame);

/* ---- bodies of a run's stored frames -------------------------------------------------------- */

typedef struct bodies_jsonl {
    const weir_log *log;
    char *path;          /* of bodies.jsonl */
    const char *without; /* effect on bodies in frames without data: "not drawn" */
    base_blob file;      /* empty if the run has none */
    weir_body_pose *poses;
    weir_body
        *states; /* name, position, rotation and velocities; names live until the next frame */
    struct json_t *line; /* of the last frame */
    uint32_t count;
    bool warned; /* about a frame without a line */
} bodies_jsonl;

/* Reads the bodies.jsonl of a run's folder, if it exists. `without` must outlive the struct.
 * Errors: IO, MEMORY. */
weir_result bodies_jsonl_open(const weir_log *log, const char *run, const char *without,
                              bodies_jsonl *bodies);
void bodies_jsonl_close(bodies_jsonl *bodies);
/* Fills `poses` and `count` for a simulated frame. If the file has no line for it, the count is 0
 * and a warning is logged once. `written`: how the run wrote its files. Errors: IO (a malformed
 * line), MEMORY. */
weir_result bodies_jsonl_read_frame(bodies_jsonl *bodies, const weir_output_def *written,
                                    uint64_t frame);

#endif
