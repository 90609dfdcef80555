/* bench: what the files of `weir bench` share. */
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
    const char *csv, *json, *trace, *isa, *sweep, *from, *pass, *predict;
    bool serialize, statistics, compare;
    args_words files; /* of --compare */
} bench_options;

/* What is measured: substeps of a scene, or meshes or pictures of its particles. */
typedef enum bench_workload { BENCH_STEPS, BENCH_MESHES, BENCH_PICTURES } bench_workload;

/* An entry of a suite: a scene at a size. */
typedef struct bench_case {
    bench_workload work;
    const char *suite, *name;
    const char *scene; /* file; NULL: the built-in dam break */
    double particles;  /* about this number; 0: the scene's own */
    const char *sets[BENCH_SETS];
    uint32_t width, height; /* of BENCH_PICTURES */
    double paper_ms;        /* per substep in the paper's table 1; 0: not in it */
    double start_s;         /* time of the particles that become meshes or pictures; 0: 0.5 */
    const char *preset; /* of the mesher; every mesh is then written as OBJ. NULL: the default */
} bench_case;

/* The figures of one case. */
typedef struct bench_result {
    bench_case what;
    char skipped[512]; /* why the case was not measured; "" if it was */
    char scene_name[128];
    weir_pass_time passes[BENCH_PASSES];
    uint32_t pass_count;
    bool alone;                                  /* each pass was timed alone on a frozen state */
    uint64_t substeps, frames;                   /* or meshes */
    uint32_t vertices, triangles;                /* of the last mesh */
    uint32_t width, height;                      /* of the pictures */
    uint32_t iterations;                         /* of the scene: with a tolerance the most */
    double iterations_each;                      /* done by a substep, on average */
    double wall_ms;                              /* of all measured frames */
    double write_ms;                             /* the part of wall_ms that wrote files */
    double record_ms;                            /* CPU time to record and submit a frame */
    double longest_submission_ms;                /* warm-up included; 0 without timestamps */
    weir_stats stats;                            /* of the last frame */
    weir_module_memory rooms[WEIR_MODULE_COUNT]; /* while the simulation lived */
} bench_result;

/* Speeds and heat of the machine; NAN where they cannot be read. */
typedef struct bench_machine_state {
    double gpu_mhz, gpu_c, gpu_w, cpu_mhz, cpu_c;
} bench_machine_state;

/* Invocations; 0: the device's own choice. */
typedef struct bench_sizes {
    uint32_t workgroup, subgroup;
} bench_sizes;

typedef struct bench_report {
    weir_log log;
    weir_device *device;
    weir_device_info info; /* read again at the end, for the memory by room */
    weir_device_peaks ceilings;
    bool measured_ceilings;
    bench_machine_state before, after;
    char date[32];
    bench_sizes sizes;
    bool serialize;
    const struct bench_gpu *predicted; /* of --predict, or NULL */
    BASE_ARRAY(bench_result) results;
} bench_report;

/* ---- measuring ------------------------------------------------------------------------------ */

/* Fills report->results; a case that does not fit the device is skipped with its reason. */
weir_result bench_measure_case(bench_report *report, const bench_options *options,
                               const bench_case *what);
/* Simulates up to the case's time and takes the particles. */
weir_result bench_simulate_points(weir_sim *sim, bench_result *result, weir_points **points);
/* Meshes, or draws, the particles repeatedly and fills `result`. */
weir_result bench_measure_meshes(bench_report *report, const bench_options *options, weir_sim *sim,
                                 bench_result *result);
weir_result bench_measure_pictures(bench_report *report, const bench_options *options,
                                   weir_sim *sim, bench_result *result);
bench_machine_state bench_read_machine_state(const bench_report *report);

/* The suite's cases, NULL when there is no such suite. */
const bench_case *bench_find_suite(const char *name, size_t *count);
/* Names for messages. */
const char *const *bench_suite_names(size_t *count);

/* Which bound holds a pass back, and the time in ms that the bound alone would take. */
typedef struct bench_limit {
    const char *name; /* "memory", "cache", "arithmetic", "atomics", "dispatch",
                         "instructions", "latency"; "" unknown */
    double ms;
} bench_limit;
bench_limit bench_find_limit(const weir_device_peaks *ceilings, const weir_pass_time *pass);
/* The times of whole substeps; NULL where the device has no timestamps. */
const weir_pass_time *bench_substep_times(const bench_result *result);
/* Sum over the passes of one substep, in ms. */
double bench_sum_passes_ms(const bench_result *result);
double bench_pass_ms_per_substep(const bench_result *result, const weir_pass_time *pass);

/* ---- predicting: docs/gpus.md says how ------------------------------------------------------ */

/* What the compiler makes of a kernel. */
typedef struct bench_kernel {
    const char *name;
    uint32_t once;       /* instructions of an element, those of its pairs left out */
    float pair, compact; /* of a pair in wide lists, and in compact ones */
    uint32_t registers;
} bench_kernel;
extern const bench_kernel bench_instructions[]; /* by name */
extern const size_t bench_instructions_count;

/* A GPU by its maker's figures. A unit is what its maker calls SM, CU, Xe core or core. */
typedef struct bench_gpu {
    const char *name;
    uint32_t units, lanes; /* instructions of a lane that a unit starts in a clock */
    double clock_ghz;
    double memory_gb_s, cache_mb, cache_gb_s; /* of the last cache */
    double near_bytes;                        /* that a unit's own cache gives in a clock */
    double registers_kib;                     /* of a unit */
    uint32_t lanes_held;                      /* by a unit at once, at most */
} bench_gpu;
/* The GPU whose name has `text` in it; NULL, with a message, when none has or several have. */
const bench_gpu *bench_find_gpu(const char *text);
/* What one call of the pass would take there, with lists of the kind that takes less time. */
bench_limit bench_predict_pass(const bench_gpu *gpu, const bench_result *result,
                               const weir_pass_time *pass);
void bench_print_prediction(const bench_gpu *gpu, const bench_result *result);

/* ---- writing -------------------------------------------------------------------------------- */

void bench_print_device(const bench_report *report);
void bench_print_result(const bench_report *report, const bench_result *result);
weir_result bench_write_csv(const bench_report *report, const char *path);
weir_result bench_write_json(const bench_report *report, const char *path);

/* ---- the rest ------------------------------------------------------------------------------- */

/* Returns an exit status: 1 when a pass became slower or the work is not the same. */
int bench_compare(const bench_options *options);

/* RenderDoc's in-application API. Errors: UNSUPPORTED when it is not loaded. */
typedef struct renderdoc_capture {
    void *api;
} renderdoc_capture;
weir_result renderdoc_capture_open(const weir_log *log, renderdoc_capture *capture);
void renderdoc_capture_start(renderdoc_capture *capture);
/* False when nothing was captured. */
bool renderdoc_capture_end(renderdoc_capture *capture);

#endif
