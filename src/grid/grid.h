/* grid: what everyone near particles needs: cells, a stable sort by (cell, id), neighbour lists.
 * Layouts and bindings: shaders/shared/grid.h. */
#ifndef WEIR_GRID_H
#define WEIR_GRID_H

#include "gpu.h"

typedef struct grid grid;

typedef struct grid_capacity {
    uint32_t particles;
    uint32_t list;     /* neighbours per particle */
    uint32_t segments; /* active ones */
} grid_capacity;

typedef struct grid_def {
    vec3 min, max; /* m; positions outside belong to the nearest cell */
    float radius;  /* m: support radius */
    bool periodic[3];
    bool texels; /* positions given to grid_list_rows are texel buffers */
    grid_capacity capacity;
} grid_def;

/* Errors: MEMORY, ARGUMENT (a domain of more cells than 32 bits number; says which). */
weir_result grid_create(gpu_device *device, const grid_def *def, grid **out);
void grid_destroy(gpu_device *device, grid **g);

/* Appends the rows that sort: `positions` (vec4, w < 0 is dead) and `ids` are in the caller's
 * order; grid_sources then tells which index moves to each place. Returns how many rows it wrote.
 */
#define GRID_SORT_ROWS 14u
uint32_t grid_sort_rows(const grid *g, gpu_buffer *positions, gpu_buffer *ids, gpu_row *rows);
/* Appends the row that makes the lists of `positions`, which stand in sorted order. */
#define GRID_LIST_ROWS 1u
uint32_t grid_list_rows(const grid *g, gpu_buffer *positions, gpu_row *rows);

gpu_buffer *grid_state_buffer(const grid *g);  /* struct grid_state */
gpu_buffer *grid_params_buffer(const grid *g); /* struct grid_params */
gpu_buffer *grid_sources(const grid *g);       /* uint[particles] */
gpu_buffer *grid_lists(const grid *g);         /* list.capacity uints per particle, interleaved */
gpu_buffer *grid_headers(const grid *g);       /* uint[particles]: GRID_COUNT_MASK is the count */
gpu_domain grid_particles(const grid *g);      /* before the sort */
gpu_domain grid_live(const grid *g);           /* after it */
/* How many elements a domain of the grid's had in `state`, a read-back of grid_state_buffer. */
struct grid_state;
uint64_t grid_domain_elements(const gpu_domain *domain, const struct grid_state *state);
grid_capacity grid_get_capacity(const grid *g);
uint32_t grid_segment_count(const grid *g); /* of the domain */
uint64_t grid_table_bytes(const grid *g);   /* cell tables: all that is not per particle */

/* Makes room; contents are lost. Rows that name the grid's buffers must be made anew. */
weir_result grid_grow(gpu_device *device, grid *g, grid_capacity capacity);

#endif
