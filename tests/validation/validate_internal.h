/* validate: shared by the gates. A gate creates small scenes, runs them through the public API, and
   adds checks; values for plots go into CSV files in the folder. A call that fails breaks the gate
   off. */
#ifndef WEIR_TESTS_VALIDATE_INTERNAL_H
#define WEIR_TESTS_VALIDATE_INTERNAL_H

#include "base.h"
#include "weir/bodies.h"

#include <setjmp.h>

/* How thorough a gate is: with --quick, in the long tests, and without an option. */
enum validate_size { VALIDATE_SMALL, VALIDATE_COARSE, VALIDATE_WHOLE };

typedef enum validate_rule {
    VALIDATE_WITHIN,  /* |got - expected| <= tolerance */
    VALIDATE_AT_MOST, /* got <= expected */
    VALIDATE_REPORT,  /* reported, without a verdict */
} validate_rule;

typedef struct validate_check {
    const struct validate_case *gate_case;
    char *what;
    validate_rule rule;
    double expected, tolerance, got;
    bool passed; /* always true for a report */
} validate_check;

typedef struct validate_setup {
    const struct validate_case *gate_case;
    char *text;
} validate_setup;

typedef struct validate {
    weir_log log;
    weir_device *device;
    const char *folder; /* absolute */
    enum validate_size size;
    const struct validate_case *running;
    BASE_ARRAY(validate_check) checks;
    BASE_ARRAY(validate_setup) setups;          /* each once per case */
    BASE_ARRAY(struct validate_world *) worlds; /* not closed yet */
    BASE_ARRAY(vec3) x, v;                      /* points that are not written yet */
    base_text table;                            /* lines that are not written yet */
    jmp_buf broken_off;
} validate;

typedef struct validate_case {
    const char *gate; /* "G2" */
    const char *name; /* "response" */
    enum { VALIDATE_QUICK, VALIDATE_FULL, VALIDATE_LONG } tier;
    void (*run)(validate *v);
    const char *about;
} validate_case;

extern const validate_case validate_cases[];
extern const size_t validate_case_count;

/* Runs a case, prints its checks, and closes what it left open. Returns why it broke off, or
   WEIR_OK. */
weir_result validate_run_case(validate *v, const validate_case *c);
/* Returns "held", "MISSED" or "reported". */
const char *validate_verdict(const validate_check *check);
/* Frees the checks and the setups. */
void validate_free(validate *v);
/* Break the running case off: always, or unless the result is WEIR_OK. */
_Noreturn void validate_break_off(validate *v, weir_result result);
void validate_must(validate *v, weir_result result);
/* Breaks off with WEIR_ERROR_MEMORY unless `fits`. */
void validate_must_fit(validate *v, bool fits);

/* ---- checks; `what` is a format ------------------------------------------------------------- */

typedef struct validate_range {
    double expected, tolerance;
} validate_range;
void validate_within(validate *v, double got, validate_range range, const char *what, ...)
    BASE_PRINTF(4, 5);
void validate_at_most(validate *v, double got, double limit, const char *what, ...)
    BASE_PRINTF(4, 5);
void validate_report(validate *v, double got, const char *what, ...) BASE_PRINTF(3, 4);

/* ---- scenes --------------------------------------------------------------------------------- */

/* A simulation and its particles as last read, in order of particle id. */
typedef struct validate_world {
    validate *of;
    weir_scene *scene;
    weir_scene_info info;
    weir_sim *sim;
    weir_stats stats;
    uint32_t count;
    vec3 *x, *v;     /* [count] */
    float *density;  /* [count], kg/m3 */
    uint32_t *fluid; /* [count]: index of the fluid */
} validate_world;

/* Opens a scene. `json` has ' in place of "; its relative file names start at the folder. Frees
   `json`, which may be NULL. */
validate_world *validate_open(validate *v, char *json);
/* Opens a scene that is already loaded, and takes it over. */
validate_world *validate_open_scene(validate *v, weir_scene *scene);
void validate_close(validate_world *world);
/* Steps and waits, then reads the statistics. A signal breaks off with WEIR_ERROR_IO. */
void validate_run(validate_world *world, uint32_t frames);
/* The same for one frame, without breaking off. */
weir_result validate_step(validate_world *world);
/* Reads position, velocity, density and fluid. */
void validate_read(validate_world *world);
/* Opens, runs and reads. */
validate_world *validate_open_run(validate *v, char *json, uint32_t frames);
/* Adds a summary of the world's scene to the setups of the case. */
void validate_add_setup(const validate_world *world);
/* Reads a body of the scene after the last frame. */
weir_body validate_read_body(validate_world *world, uint32_t index);
/* Reads the gauges of the last frame. */
#define VALIDATE_GAUGES 16u
void validate_read_gauges(validate_world *world, weir_gauge gauges[VALIDATE_GAUGES]);

/* ---- files ---------------------------------------------------------------------------------- */

/* Returns a number from 0 to 1 that depends on the index only, so that positions are jittered
   identically in every run. */
double validate_jitter(uint32_t index);
/* Adds a particle for the initial state of a scene. */
void validate_add_point(validate *v, vec3 x, vec3 velocity);
/* Writes the added points to FOLDER/NAME.npy, for a fill {"file": "NAME.npy"}, and clears them. */
void validate_write_points(validate *v, const char *name);
/* Adds a line to a table for plots. */
void validate_add_line(validate *v, const char *format, ...) BASE_PRINTF(2, 3);
/* Writes the added lines to FOLDER/NAME.csv and clears them. */
void validate_write_table(validate *v, const char *name);
/* Appends to a text that becomes JSON. */
void validate_append(validate *v, base_text *text, const char *format, ...) BASE_PRINTF(3, 4);

/* ---- kernels -------------------------------------------------------------------------------- */

/* Return W(r) of "poly6" or "wendland" at a distance r below h, in 1/m3, in the plane 1/m2; and
   the size of a slope, -dW/dr, per metre more, also for "spiky". */
double validate_kernel_value(const char *kernel, uint32_t dimensions, double h, double r);
double validate_kernel_slope(const char *kernel, uint32_t dimensions, double h, double r);

/* ---- gates ---------------------------------------------------------------------------------- */

#define CASE(level, name, tier, run, about) void run(validate *v);
#include "cases.def"
#undef CASE

#endif
