/* bench_internal: declarations shared by the files of weir bench. */
#ifndef WEIR_APP_BENCH_INTERNAL_H
#define WEIR_APP_BENCH_INTERNAL_H

#include "app.h"
#include "bench.h"
#include "weir/profile.h"

#define BENCH_SCHEMA "weir-bench"
#define BENCH_SCHEMA_VERSION 1
#define BENCH_PASSES 256
#define BENCH_SETS 8

typedef struct bench_options {
    app_scene_options source; /* scene: the operand, a suite's name or a scene file */
    uint32_t substeps, warm_up, repeat, capture, most;
    double seconds, threshold;
    const char *csv, *json, *trace, *isa, *sweep, *from, *pass;
    const char *against; /* the program of the baseline */
    uint32_t rounds;     /* of --against */
    bool serialize, statistics, compare;
    args_words files; /* for --compare */
} bench_options;

/* The measured work: substeps of a scene, or meshes or pictures of its particles. */
typedef enum bench_workload { BENCH_STEPS, BENCH_MESHES, BENCH_PICTURES } bench_workload;

/* An entry of a suite: a scene with a certain number of particles. */
typedef struct bench_case {
    bench_workload work;
    const char *suite, *name;
    const char *scene; /* file; NULL: the built-in dam break */
    double particles;  /* approximate; 0: the scene's own */
    const char *sets[BENCH_SETS];
    uint32_t width, height; /* for BENCH_PICTURES */
    double paper_ms;        /* per substep, from table 1 of the paper; 0: not listed there */
    /* time at which particles are meshed or drawn; 0: 0.5 */
    double start_s;
    /* of the mesher; every mesh is then written as OBJ as well; NULL: the default */
    const char *preset;
} bench_case;

/* The results of one case. */
typedef struct bench_result {
    bench_case what;
    char skipped[512]; /* why the case was not measured; "" if it was */
    char scene_name[128];
    weir_pass_time passes[BENCH_PASSES];
    uint32_t pass_count;
    bool alone;                   /* each pass was timed alone, on a fixed state */
    uint64_t substeps, frames;    /* or number of meshes */
    uint32_t vertices, triangles; /* of the last mesh */
    uint32_t width, height;       /* of the pictures */
    uint32_t iterations;          /* of the scene; with a tolerance, the maximum */
    double iterations_each;       /* mean number per substep */
    double wall_ms;               /* of all measured frames */
    double processor_ms;          /* of all threads, a CPU driver's included, over wall_ms */
    double write_ms;              /* the part of wall_ms spent on writing files */
    double record_ms;             /* CPU time to record and submit a frame */
    double longest_submission_ms; /* including warm-up; 0 without timestamps */
    weir_stats stats;             /* of the last frame */
    weir_module_memory modules[WEIR_MODULE_COUNT]; /* while the simulation existed */
} bench_result;

/* Clocks, temperatures and power of the machine; NAN where they cannot be read. */
typedef struct bench_machine_state {
    double gpu_mhz, gpu_c, gpu_w, cpu_mhz, cpu_c;
} bench_machine_state;

/* Numbers of invocations; 0: the device chooses. */
typedef struct bench_sizes {
    uint32_t workgroup, subgroup;
} bench_sizes;

typedef struct bench_report {
    weir_log log;
    weir_device *device;
    weir_device_info info;      /* read again at the end, for the memory per module */
    weir_device_peaks ceilings; /* as measured before the passes */
    weir_device_peaks reached;  /* raised to what the passes have reached */
    bool measured_ceilings;
    bench_machine_state before, after;
    char date[32];
    bench_sizes sizes;
    bool serialize;
    BASE_ARRAY(bench_result) results;
} bench_report;

/* ---- measuring ------------------------------------------------------------------------------ */

/* Fills report->results. A case that does not fit the device is skipped, with the reason. */
weir_result bench_measure_case(bench_report *report, const bench_options *options,
                               const bench_case *what);
/* Simulates up to the case's time and acquires the particles. */
weir_result bench_simulate_points(weir_sim *sim, bench_result *result, weir_points **points);
/* Meshes or draws the particles repeatedly and fills `result`. */
weir_result bench_measure_meshes(bench_report *report, const bench_options *options, weir_sim *sim,
                                 bench_result *result);
weir_result bench_measure_pictures(bench_report *report, const bench_options *options,
                                   weir_sim *sim, bench_result *result);
/* Begins the trace again where the measurement of the first case begins, so that it has neither the
 * search for the device's peaks nor warm-up. Errors: IO. */
weir_result bench_begin_trace(const bench_report *report, const bench_options *options);
bench_machine_state bench_read_machine_state(const bench_report *report);

/* Returns the suite's cases, or NULL if there is no such suite. */
const bench_case *bench_find_suite(const char *name, size_t *count);
/* Returns the suites' names, for messages. */
const char *const *bench_suite_names(size_t *count);

/* The bound that limits a pass, and the time in ms that this bound alone would take. */
typedef struct bench_limit {
    /* "memory", "cache", "arithmetic", "atomics" or "dispatch"; "": unknown */
    const char *name;
    double ms;
} bench_limit;
/* The bound takes at most the lower quartile of the pass' time, after bench_raise_ceilings with it.
 */
bench_limit bench_find_limit(const weir_device_peaks *ceilings, const weir_pass_time *pass);
/* Raises the rates to those that the passes have reached: on a busy machine the device's peaks can
 * be measured in a slow moment, and what fits a cache is faster than memory. */
void bench_raise_ceilings(weir_device_peaks *ceilings, const weir_pass_time *passes,
                          uint32_t count);
/* Returns the times of whole substeps; NULL where the device has no timestamps. */
const weir_pass_time *bench_substep_times(const bench_result *result);
/* Returns the sum over the passes of one substep, ms. */
double bench_sum_passes_ms(const bench_result *result);
double bench_pass_ms_per_substep(const bench_result *result, const weir_pass_time *pass);

/* ---- writing -------------------------------------------------------------------------------- */

void bench_print_device(const bench_report *report);
void bench_print_result(const bench_report *report, const bench_result *result);
weir_result bench_write_csv(const bench_report *report, const char *path);
weir_result bench_write_json(const bench_report *report, const char *path);

/* ---- the rest ------------------------------------------------------------------------------- */

/* Compares measurements. Returns exit status 1 if a pass became slower, APP_UNEQUAL if the work
 * differs. */
int bench_compare(const bench_options *options);
/* Reads a file of bench_write_json. Errors: IO. */
weir_result bench_load_report(const weir_log *log, const char *path, struct json_t **json);
/* Returns the nth pass of this name; a pass list may contain a pass twice, and the nth is compared
 * with the nth. NULL: there is none. */
const struct json_t *bench_find_pass(const struct json_t *passes, const char *name, uint32_t nth);
/* Writes the first property in which the work of the two results differs; "" if there is none. */
#define BENCH_DIFFERENCE 256
const char *bench_find_difference(const struct json_t *a, const struct json_t *b,
                                  char out[BENCH_DIFFERENCE]);

/* Measures another program and this one in turn, and compares their times. */
int bench_against(const bench_options *options);

#define BENCH_MAX_ROUNDS 100
/* The rounds of such a comparison. */
typedef struct bench_pair bench_pair;
typedef struct bench_pairs {
    double threshold; /* fraction: 0.05 for 5 % */
    uint32_t rounds, count;
    bench_pair *items;                 /* [count], one for each pass */
    double device[BENCH_MAX_ROUNDS];   /* logarithm of the ratio of its ceilings */
    char difference[BENCH_DIFFERENCE]; /* the programs did different work; "": equal work */
} bench_pairs;
/* Adds a round: baseline, this program, this program, baseline. Errors: ARGUMENT (the scene was
 * skipped), UNSUPPORTED (no timestamps), MEMORY. */
weir_result bench_pairs_add(bench_pairs *pairs, const weir_log *log,
                            const struct json_t *const measured[4]);
/* Prints the judgement and writes options->json. *status: APP_FAILED if this program is slower,
 * APP_UNEQUAL if the work differs. Errors: IO, MEMORY. */
weir_result bench_pairs_report(const bench_pairs *pairs, const weir_log *log,
                               const bench_options *options, int *status);
void bench_pairs_free(bench_pairs *pairs);

#endif
