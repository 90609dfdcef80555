/* poisson_internal: the solver's struct. */
#ifndef WEIR_POISSON_INTERNAL_H
#define WEIR_POISSON_INTERNAL_H

#include "poisson.h"

#include "poisson/shaders.h"

#include "shared/grid.h"

struct poisson {
    struct poisson_params params;
    poisson_buffers buffers;
    gpu_buffer *mark_scan_sums;
    uint32_t rigid_count;
    bool has_variable_coefficients;
    gpu_pipeline *pipelines[POISSON_SHADERS];
    grid_scan *scan;
};

#endif
