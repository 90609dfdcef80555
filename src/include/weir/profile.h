/* Measuring: times of passes, device peaks, traces, and the state inside a substep.
 * weir/weir.h has the rules that hold for all functions. */
#ifndef WEIR_PROFILE_PUBLIC_H
#define WEIR_PROFILE_PUBLIC_H

#include "render.h"
#include "sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* GPU time and work of one pass. */
typedef struct weir_pass_time {
    const char *name;  /* of the pass; lives as long as the object that was asked */
    const char *stage; /* the part of the substep that it belongs to, "" for none */
    const char *group; /* the loop that the pass runs in, "" outside one; lives likewise */
    bool is_total;     /* not a pass, but one run of the whole table with this name */
    uint32_t calls;    /* since the last reset */
    double median_ms;  /* of one call */
    double lower_quartile_ms,
        upper_quartile_ms; /* the quarter points: half of all calls lie between them */
    double total_ms;       /* of all calls */
    /* Work of one call, counted from what the pass declares: */
    double elements;
    double per_invocation; /* elements that one invocation of the kernel handles */
    double bytes;          /* of device memory moved, each element once: a lower bound */
    double gathered_bytes; /* bytes fetched for neighbour pairs; caches serve most of them */
    double flops, atomics;
    double pair_bytes;  /* in `bytes`, of an entry of the neighbour lists; 0: none are read */
    double invocations; /* of shaders, measured; 0 unless weir_device_def.statistics is set */
    /* Of the compiled pipeline. UINT32_MAX and 0 ms where the driver does not report it or
     * weir_device_def.profile is not set: */
    uint64_t spirv_hash; /* of the shader with its specialization constants */
    double compile_cold_ms, compile_warm_ms;
    uint32_t registers, spill_bytes, subgroup_size;
} weir_pass_time;

/* Passes are timed from the first of the questions below on, all of the device's; with
 * weir_device_def.profile or .statistics, and while a trace is written, from the start. Before, and
 * after `on` was false here, a table of passes is timed as a whole; its passes are in its first run
 * and when its length changes by half, which is what a first question then finds. */
WEIR_API void weir_device_set_pass_timing(weir_device *device, bool on);

/* Milliseconds of the longest piece of work that the device was given at once and has finished
 * since the last call, from its first pass to its last; 0 without timestamps. Systems reset a
 * device that is busy for seconds. Weir gives it 75 ms at once, as far as it can know: a longer
 * pass goes in parts, unless it draws. */
WEIR_API double weir_device_longest_submission_ms(weir_device *device);

/* Times of all passes of a frame since the last reset, tables first named as a whole. *count: room
 * in `times` on entry, entries that there are on return; times NULL asks for the count alone.
 * Waits. Errors: UNSUPPORTED on a device without timestamps, those of weir_sim_wait. */
WEIR_API weir_result weir_sim_get_pass_times(weir_sim *sim, weir_pass_time *times, uint32_t *count);

/* Forgets the times so far, and times passes from now on. Waits. */
WEIR_API void weir_sim_reset_pass_times(weir_sim *sim);

/* The same of all runs of a mesher. */
WEIR_API weir_result weir_mesher_get_pass_times(weir_mesher *mesher, weir_pass_time *times,
                                                uint32_t *count);

/* The same of all pictures of a renderer. */
WEIR_API weir_result weir_renderer_get_pass_times(weir_renderer *renderer, weir_pass_time *times,
                                                  uint32_t *count);

/* Runs the pass called `name` alone, `repeat` times (1 to 100,000), on the state that it finds in
 * the first substep of the next frame; the simulation is then as it was. Waits. Errors: ARGUMENT
 * when no pass has the name, UNSUPPORTED without timestamps, MEMORY, those of weir_sim_step. */
WEIR_API weir_result weir_sim_repeat_pass(weir_sim *sim, const char *name, uint32_t repeat,
                                          weir_pass_time *time);

/* The best that kernels made for nothing else reach on this device. */
typedef struct weir_device_peaks {
    double copy_gb_s;   /* GB/s of device memory, read plus written; on a CPU driver of its cores */
    double cache_gb_s;  /* GB/s of 16-byte fetches that caches serve */
    double atomics_g_s; /* 1e9 integer additions per second to 65,536 counters */
    double fma_gflop_s; /* 1e9 32-bit operations per second; a multiply-add counts as two */
    double dispatch_us; /* microseconds of an empty dispatch and its barrier */
} weir_device_peaks;

/* Measures for about a second. Errors: UNSUPPORTED without timestamps, MEMORY. */
WEIR_API weir_result weir_device_measure_peaks(weir_device *device, weir_device_peaks *ceilings);

/* From now until weir_trace_finish, writes what the device and this library do and when: frames,
 * their substeps, their passes, the CPU's work, the writer threads, counters. The file is in the
 * Trace Event Format, which Perfetto opens. While start and finish run, no other thread may use an
 * object of the device. Errors: IO (`path` cannot be written), ARGUMENT while the device writes
 * another trace. */
WEIR_API weir_result weir_trace_start(weir_device *device, const char *path);

/* Waits. Does nothing when no trace is written. Destroying the device finishes a trace too. Errors:
 * IO. */
WEIR_API weir_result weir_trace_finish(weir_device *device);

/* Writes the step table as it will run: passes, buffers, accesses, barriers, memory. `write` is
 * called once per line; `line` has no newline and dies with the call. Errors: MEMORY, those of
 * weir_sim_wait. */
WEIR_API weir_result weir_sim_explain(weir_sim *sim, void (*write)(void *user, const char *line),
                                      void *user);

/* Density error at the start of one solver iteration, before its correction. */
typedef struct weir_residual {
    double mean, max; /* over the particles, of max(rho/rho0 - 1, 0) */
} weir_residual;

/* The density error in every iteration of one substep, counted from 0, of the last finished frame.
 * With a tolerance the last is that with which they ended.
 * *count: room in `residuals` on entry, iterations on return; residuals NULL asks for the count
 * alone. Waits. Errors: ARGUMENT when the scene does not set solver.residuals or the frame had no
 * such substep. */
WEIR_API weir_result weir_sim_get_residuals(weir_sim *sim, uint32_t substep,
                                            weir_residual *residuals, uint32_t *count);

/* What one row of a substep wrote. */
typedef struct weir_pass_inspection {
    const char *pass, *group; /* live as long as the simulation; group "" outside an iteration */
    const char *quantity; /* what the values are, "lambda, m2"; NULL: nothing is shown of the row */
    uint32_t pass_count;  /* of a substep */
    float min_value, max_value; /* of the values */
} weir_pass_inspection;

/* Runs the next frame's first substep up to row number `row`, counted from 0, reads what that row
 * wrote, and puts the simulation back to where it was. The rows of an iteration are shown in the
 * first iteration. *points has the particles where they are at that moment, or the middles of the
 * cells that particles reach where the row writes cells of a MAC grid. Their density carries
 * the value: density over the first fluid's rest density, less 1, goes from 0 at `low` to 1 at
 * `high`, so that WEIR_COLOURING_DENSITY shows it. Waits. Errors: ARGUMENT, MEMORY, those of
 * weir_sim_step. */
WEIR_API weir_result weir_sim_inspect_pass(weir_sim *sim, uint32_t row, weir_pass_inspection *view,
                                           weir_points **points);

/* What the cells of a slice show. */
typedef enum weir_slice_quantity {
    WEIR_SLICE_SPEED,    /* m/s, in the middle of the cell */
    WEIR_SLICE_PRESSURE, /* Pa; below 0 where the fluid is drawn apart */
    WEIR_SLICE_COUNT
} weir_slice_quantity;

#define WEIR_NO_VALUE (-1e30f) /* of a cell without fluid */

/* The cells of the MAC grid that a plane across an axis cuts. */
typedef struct weir_slice {
    weir_slice_quantity quantity;
    uint32_t axis;                /* that the plane stands across: 0 x, 1 y, 2 z */
    float position_m;             /* of the plane along it */
    uint32_t columns, rows;       /* cells along the other two axes, in their order */
    float corner_m[2], cell_m[2]; /* lower corner and a cell's edges along columns and rows */
    float min_value, max_value;   /* of the values; both 0 without any */
    float *values;                /* [rows * columns], row by row */
} weir_slice;

/* The grid that the next substep makes of the particles, with its pressure, cut by a plane; a
 * position outside the domain counts as its end. The simulation stays as it is. Waits. Errors:
 * ARGUMENT (a method without a grid), MEMORY, those of weir_sim_wait. */
WEIR_API weir_result weir_sim_create_slice(weir_sim *sim, weir_slice_quantity of, uint32_t axis,
                                           double position_m, weir_slice **slice);
WEIR_API void weir_slice_destroy(weir_slice **slice);

#ifdef __cplusplus
}
#endif
#endif
