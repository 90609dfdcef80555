/* A Poisson solver on the device with its reference, for tests of its passes and of its
 * solutions. */
#ifndef WEIR_TESTS_POISSON_SUPPORT_H
#define WEIR_TESTS_POISSON_SUPPORT_H

#include "device_support.h"
#include "grid.h"
#include "poisson.h"
#include "ref_poisson.h"

#include "shared/grid.h"

/* A solver on the device, its counterpart on the CPU, and the cells that both work on. */
typedef struct poisson_fixture {
    gpu_device *device;
    poisson *solver;
    gpu_buffer *state;
    struct poisson_params params;
    ref_poisson ref;
    ref_poisson_cell *cells; /* dense, on the finest level */
    vec4 *face_coefficients; /* dense, of the lower faces; NULL without variable coefficients */
    size_t cell_count;
    uint32_t *marks;              /* 1 for an active block of the finest level */
    struct poisson_block *blocks; /* in the order of the device's list */
    struct poisson_state solve;
} poisson_fixture;

poisson_fixture create_fixture(gpu_device *device, const poisson_def *def);
void free_fixture(poisson_fixture *b);
poisson_def poisson_box_def(uint32_t x, uint32_t y, uint32_t z, uint32_t capacity);

/* ---- shapes of fluid ------------------------------------------------------------------------ */

float hash_noise(uint64_t draw);

typedef float (*level_set)(const poisson_fixture *b, uint32_t x, uint32_t y, uint32_t z);

/* Fluid below half height, in randomly about every second cell of the layer above, and in a few
 * drops. */
float ragged_level_set(const poisson_fixture *b, uint32_t x, uint32_t y, uint32_t z);

float full_level_set(const poisson_fixture *b, uint32_t x, uint32_t y, uint32_t z);

/* A slanted surface, so that theta takes all values. */
float slanted_level_set(const poisson_fixture *b, uint32_t x, uint32_t y, uint32_t z);

/* The open fractions of faces, in addition to closed sides: all open; random, some of them 0; as
 * cut by a ball and a ramp. */
enum face_cuts { WHOLE, BY_CHANCE, SOLIDS };

void fill_level_set(poisson_fixture *b, level_set shape, enum face_cuts face_cuts);

/* Marks the blocks that contain fluid or touch it, and a tenth of the others. */
void mark_blocks(poisson_fixture *b);

/* ---- between blocks and dense arrays -------------------------------------------------------- */

/* Returns the dense index of a cell of a block; SIZE_MAX outside the box. */
size_t dense_index(const poisson_fixture *b, const struct poisson_block *block, uint32_t cell);

void upload_sources(poisson_fixture *b, const float *sources);

/* Downloads a buffer with `each` floats per cell, for the active blocks of all levels. */
float *download_blocks(const poisson_fixture *b, const gpu_buffer *buffer, uint32_t each);

/* Returns the maximum difference from dense values on one level over the largest of them. */
double compare_level(const poisson_fixture *b, const gpu_buffer *buffer, uint32_t level,
                     const float *dense, uint32_t each);

/* ---- steps ---------------------------------------------------------------------------------- */

/* Clears, marks the blocks like a caller, and lists them. */
void list_blocks(poisson_fixture *b);

/* Creates a fixture whose cells are filled and whose coefficients are computed. Variable
 * coefficients are those of two fluids of densities 1 and 10, above and below a plane, and in drops
 * of each in the other. */
poisson_fixture create_ready_fixture(gpu_device *device, const poisson_def *def, level_set shape,
                                     enum face_cuts face_cuts);

/* Creates random sources in the fluid. */
float *make_sources(const poisson_fixture *b);

void solve_poisson(poisson_fixture *b, const float *sources);

#endif
