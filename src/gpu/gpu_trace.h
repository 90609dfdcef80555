/* gpu_trace: spans of the CPU and of passes, for the file of a trace and for Tracy. */
#ifndef WEIR_GPU_TRACE_H
#define WEIR_GPU_TRACE_H

#include "gpu_internal.h"

/* Reads the clocks if Tracy may want times at any moment. */
weir_result gpu_trace_init(gpu_device *device);

/* Reports whether passes are traced: into a file or by Tracy. */
bool gpu_is_traced(const gpu_device *device);

void gpu_trace_pass(gpu_device *device, const gpu_trace_name *trace_name,
                    const gpu_timestamp *stamp, const uint64_t ticks[2]);

/* Once a second, reads the clocks of GPU and CPU at the same moment. */
void gpu_trace_sync_clocks(gpu_device *device);

/* Begins a CPU span of the calling thread and returns the time. One of the next functions ends it:
 * `ticket` is that of the submission it concerns; an arrow leads from a submission to the span of
 * its recording; a cancelled span is in no file. */
double gpu_trace_begin(const char *name);
void gpu_trace_cpu(gpu_device *device, const char *name, double start_s, uint64_t ticket);
void gpu_trace_submit(gpu_device *device, double start_s, uint64_t recording);
void gpu_trace_cancel(void);

#endif
