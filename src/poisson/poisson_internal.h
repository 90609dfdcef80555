/* poisson_internal: the solver's struct. */
#ifndef WEIR_POISSON_INTERNAL_H
#define WEIR_POISSON_INTERNAL_H

#include "poisson.h"

#include "poisson/shaders.h"

#include "shared/grid.h"
#include "shared/poisson.h"

struct poisson {
    struct poisson_params params;
    gpu_buffer *params_buffer, *solve;
    gpu_buffer *block_marks, *mark_scan_sums, *block_slots;
    /* Contents are described in shaders/shared/poisson.h. */
    gpu_buffer *blocks, *cells, *coefficients, *air_coefficients;
    gpu_buffer *right_sides, *vcycle_solutions, *smoothed;
    gpu_buffer *solutions, *cg_directions, *matvec_products, *block_sums;
    uint32_t rigid_count;
    gpu_buffer *rigid_coupling, *rigid_coupling_angular, *rigids, *rigid_projections;
    gpu_pipeline *pipelines[POISSON_SHADERS];
    grid_scan *scan;
};

#endif
