/* Profiling: times of passes, device peaks, traces, and the state inside a substep.
 * weir/weir.h has the rules that hold for all functions. */
#ifndef WEIR_PROFILE_PUBLIC_H
#define WEIR_PROFILE_PUBLIC_H

#include "render.h"
#include "sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* GPU time and work of one pass. The strings live as long as the object that was queried. */
typedef struct weir_pass_time {
    const char *name;
    const char *stage; /* part of the substep that the pass belongs to; "": none */
    const char *group; /* loop that the pass runs in; "": none */
    bool is_total;     /* not a pass, but one run of the whole pass list of this name */
    uint32_t calls;    /* since the last reset */
    double median_ms;  /* of one call */
    double lower_quartile_ms, upper_quartile_ms; /* half of all calls lie between these times */
    double total_ms;                             /* of all calls */
    /* Work of one call, computed from the declaration of the pass: */
    double elements;
    double per_invocation; /* elements per shader invocation */
    double bytes;          /* device memory moved, each element once: a lower bound */
    double gathered_bytes; /* bytes loaded for neighbour pairs, mostly from caches */
    double flops, atomics;
    double pair_bytes; /* part of `bytes` per neighbour-list entry; 0: no lists are read */
    /* Measured shader invocations; 0 without weir_device_def.count_invocations. */
    double invocations;
    /* Compiled pipeline; UINT32_MAX and 0 ms when the driver does not report the value, or without
     * weir_device_def.report_pipelines: */
    uint64_t spirv_hash; /* of the shader with its specialization constants */
    double compile_cold_ms, compile_warm_ms;
    uint32_t registers, spill_bytes, subgroup_size;
} weir_pass_time;

/* Switches the timing of single passes of a device on or off. With `on` false, the initial state,
 * pass lists are timed as a whole, and their passes only in the first run and when the length of
 * the list changes by half. The first call of a function below returns those times, and switches
 * the timing of single passes of the device on. Passes are always timed while a trace is written,
 * and from the start with weir_device_def.report_pipelines or count_invocations. */
WEIR_API void weir_device_set_pass_timing(weir_device *device, bool on);

/* Returns the duration in ms, from first to last pass, of the longest submission that the device
 * has finished since the last call; 0 without timestamps. Operating systems reset a device that is
 * busy for seconds, so Weir submits at most 75 ms of work at once as far as it can predict, and
 * splits longer passes except draws. */
WEIR_API double weir_device_longest_submission_ms(weir_device *device);

/* Reads the times of all passes of a frame since the last reset; each pass list comes first as a
 * whole. *count: capacity of `times` on entry, number of entries on return; NULL `times` returns
 * only the number. Waits. Errors: UNSUPPORTED (no timestamps), those of weir_sim_wait. */
WEIR_API weir_result weir_sim_get_pass_times(weir_sim *sim, weir_pass_time *times, uint32_t *count);

/* Discards all times so far, and times single passes from now on. Waits. */
WEIR_API void weir_sim_reset_pass_times(weir_sim *sim);

/* Reads the times of the passes of all runs of a mesher, like weir_sim_get_pass_times. */
WEIR_API weir_result weir_mesher_get_pass_times(weir_mesher *mesher, weir_pass_time *times,
                                                uint32_t *count);

/* Reads the times of the passes of all pictures of a renderer, like weir_sim_get_pass_times. */
WEIR_API weir_result weir_renderer_get_pass_times(weir_renderer *renderer, weir_pass_time *times,
                                                  uint32_t *count);

/* Runs the pass with the given name alone `repeat` times, 1 to 100,000, on its input in the first
 * substep of the next frame, and restores the simulation afterwards. Waits. Errors: ARGUMENT
 * (unknown pass), UNSUPPORTED (no timestamps), MEMORY, those of weir_sim_step. */
WEIR_API weir_result weir_sim_repeat_pass(weir_sim *sim, const char *name, uint32_t repeat,
                                          weir_pass_time *time);

/* Best rates that dedicated benchmark shaders reach on a device. */
typedef struct weir_device_peaks {
    double copy_gb_s; /* GB/s of device memory, read plus written; with a CPU driver of its cores */
    double cache_gb_s;  /* GB/s of 16-byte loads from caches */
    double atomics_g_s; /* 1e9 integer additions per second to 65,536 counters */
    double fma_gflop_s; /* 1e9 32-bit operations per second; a multiply-add counts as two */
    double dispatch_us; /* microseconds of an empty dispatch with its barrier */
    /* The same with the number of groups in a device buffer: one group, and none. */
    double indirect_dispatch_us, skipped_dispatch_us;
} weir_device_peaks;

/* Measures the peaks of a device, which takes about a second. Errors: UNSUPPORTED (no timestamps),
 * MEMORY. */
WEIR_API weir_result weir_device_measure_peaks(weir_device *device, weir_device_peaks *peaks);

/* Starts a trace: until weir_trace_finish, the timeline of frames, substeps, passes, CPU work,
 * writer threads and counters is written to `path`: in Perfetto's format if the name ends with
 * .pftrace, else in the Trace Event Format, which Perfetto opens, too.
 * No other thread may use an object of the device while a trace is started or finished. Errors: IO
 * (`path` cannot be written), ARGUMENT (the device already writes a trace). */
WEIR_API weir_result weir_trace_start(weir_device *device, const char *path);

/* Finishes the trace; does nothing without one. Destroying the device finishes it, too. Waits.
 * Errors: IO. */
WEIR_API weir_result weir_trace_finish(weir_device *device);

/* Format of the description of a pass list. */
typedef enum weir_explain_format {
    WEIR_EXPLAIN_TEXT, /* for reading */
    WEIR_EXPLAIN_JSON, /* one object: `lists` of `passes`, each with its buffers; totals */
    WEIR_EXPLAIN_DOT,  /* a graph for Graphviz: order, barriers, data that passes hand on */
    WEIR_EXPLAIN_FORMAT_COUNT
} weir_explain_format;

/* Describes the pass list as it will run: passes, buffers, accesses, barriers and memory. Calls
 * `write` once per line; `line` has no newline and is valid until `write` returns. Errors: ARGUMENT
 * (an unknown format), MEMORY, those of weir_sim_wait. */
WEIR_API weir_result weir_sim_explain(weir_sim *sim, weir_explain_format format,
                                      void (*write)(void *user, const char *line), void *user);

/* Density error at the start of one solver iteration, before its correction. */
typedef struct weir_residual {
    double mean, max; /* over the particles, of max(rho/rho0 - 1, 0) */
} weir_residual;

/* Reads the density error of every iteration of substep `substep`, counted from 0, of the last
 * finished frame. With a tolerance, the last entry is the final error. *count: capacity of
 * `residuals` on entry, number of entries on return; NULL `residuals` returns only the number.
 * Waits. Errors: ARGUMENT when the scene does not set solver.residuals or the frame has no such
 * substep. */
WEIR_API weir_result weir_sim_get_residuals(weir_sim *sim, uint32_t substep,
                                            weir_residual *residuals, uint32_t *count);

/* Output of one pass of a substep. The strings live as long as the simulation. */
typedef struct weir_pass_inspection {
    const char *name;
    const char *group;          /* loop that the pass runs in; "": none */
    const char *quantity;       /* meaning and unit of the values, "lambda, m2"; NULL: no values */
    uint32_t pass_count;        /* passes of a substep */
    float min_value, max_value; /* range of the values */
} weir_pass_inspection;

/* Runs the first substep of the next frame up to pass number `pass`, counted from 0, reads the
 * output of that pass, and restores the simulation. Passes of a loop are inspected in their first
 * iteration. *points receives the particles at their positions at that moment or, for a pass that
 * writes MAC cells, the centres of the cells within reach of particles. The values are stored as
 * density: density over the first fluid's rest density, less 1, is 0 at min_value and 1 at
 * max_value, so WEIR_COLOURING_DENSITY shows them. Waits. Errors: ARGUMENT, MEMORY, those of
 * weir_sim_step. */
WEIR_API weir_result weir_sim_inspect_pass(weir_sim *sim, uint32_t pass, weir_pass_inspection *view,
                                           weir_points **points);

/* Quantity shown by a slice. */
typedef enum weir_slice_quantity {
    WEIR_SLICE_SPEED,    /* m/s, at the cell's centre */
    WEIR_SLICE_PRESSURE, /* Pa; below 0 where the fluid is pulled apart */
    WEIR_SLICE_COUNT
} weir_slice_quantity;

#define WEIR_NO_VALUE (-1e30f) /* value of a cell without fluid */

/* Values of the MAC cells that intersect a plane perpendicular to an axis. */
typedef struct weir_slice {
    weir_slice_quantity quantity;
    uint32_t axis;                /* axis perpendicular to the plane: 0 x, 1 y, 2 z */
    float position_m;             /* position of the plane on that axis */
    uint32_t columns, rows;       /* number of cells along the other two axes, in their order */
    float corner_m[2], cell_m[2]; /* lower corner, and a cell's edges, along columns and rows */
    float min_value, max_value;   /* range of the values; both 0 without any */
    float *values;                /* [rows * columns], row by row */
} weir_slice;

/* Computes a slice of the MAC grid that the next substep builds from the particles, with its
 * pressure. A position outside the domain is clamped to it. Does not change the simulation. Waits.
 * Errors: ARGUMENT (a method without a grid), MEMORY, those of weir_sim_wait. */
WEIR_API weir_result weir_sim_create_slice(weir_sim *sim, weir_slice_quantity of, uint32_t axis,
                                           double position_m, weir_slice **slice);
WEIR_API void weir_slice_destroy(weir_slice **slice);

#ifdef __cplusplus
}
#endif
#endif
