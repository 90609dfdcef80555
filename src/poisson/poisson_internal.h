/* poisson_internal: a solver. */
#ifndef WEIR_POISSON_INTERNAL_H
#define WEIR_POISSON_INTERNAL_H

#include "poisson.h"

#include "poisson/shaders.h"

#include "shared/grid.h"
#include "shared/poisson.h"

struct poisson {
    struct poisson_params params;
    gpu_buffer *params_buffer, *solve;
    gpu_buffer *marks, *mark_sums, *slots;
    gpu_buffer *blocks, *cells, *coefficients,
        *links; /* shaders/shared/poisson.h says what each holds */
    gpu_buffer *sources, *guesses, *swept;
    gpu_buffer *solutions, *directions, *products, *partials;
    uint32_t rigid_count;
    gpu_buffer *ties, *tie_turns, *rigids, *rigid_sums;
    gpu_kernel *kernels[POISSON_SHADERS];
    grid_scan *scan;
};

#endif
