/* grid: cells, a stable sort of particles by (cell, id), neighbour lists, scans, ellipsoids.
 * Layouts and bindings: shaders/shared/grid.h. */
#ifndef WEIR_GRID_H
#define WEIR_GRID_H

#include "gpu.h"

/* Particles as the renderer and the mesher take them. Buffers hold `count` elements or more; NULL:
 * the attribute is absent. */
typedef struct particle_view {
    uint32_t count;
    float spacing_m;      /* d */
    float radius_m;       /* h, the support radius */
    gpu_buffer *position; /* vec4: xyz m, w 1, or w -1 where there is no particle; a texel buffer
                             where the device prefers it */
    gpu_buffer *velocity; /* vec4: xyz m/s, w 0; likewise */
    gpu_buffer *id;       /* uint */
    gpu_buffer *fluid;    /* uint: index of the fluid in the scene */
    gpu_buffer *density;  /* float, kg/m3; 0: not known before the first frame */
    gpu_buffer *lambda;   /* vec4: w m2; made and filled only when asked for */
    bool has_lambda;      /* lambda is that of these points */
    float lambda_unit;    /* m2: what a density error of 1 makes of it in a full lattice */
} particle_view;

/* Makes the buffers of the attributes in `fields` (bits 1u << weir_field) for `count` particles;
 * position is always made. Errors: MEMORY; the points are then empty. */
weir_result particle_view_create(gpu_device *device, uint32_t fields, uint32_t count,
                                 particle_view *points);
void particle_view_destroy(gpu_device *device, particle_view *points);

/* ---- scan ----------------------------------------------------------------------------------- */

/* Turns arrays of whole numbers into their exclusive prefix sums. */
typedef struct grid_scan grid_scan;

weir_result grid_scan_create(gpu_device *device, grid_scan **scan);
void grid_scan_destroy(gpu_device *device, grid_scan **scan);

typedef struct grid_scan_def {
    gpu_buffer *data;    /* uint, summed in place */
    gpu_buffer *sums;    /* uint, one for each GRID_SCAN_TILE elements of the data */
    uint32_t count;      /* elements; or, where the GPU counts them: */
    gpu_buffer *lengths; /* uint: word length_word is the count */
    uint32_t length_word;
    gpu_dispatch_size
        tiles; /* then over the most elements, or with dispatch arguments over the tiles */
} grid_scan_def;

/* Appends the rows; returns how many. */
#define GRID_SCAN_PASSES 3u
uint32_t grid_scan_passes(const grid_scan *scan, const grid_scan_def *def, gpu_pass *passes);

/* ---- cells and lists ------------------------------------------------------------------------ */

typedef struct grid grid;

typedef struct grid_capacity {
    uint32_t particles;
    uint32_t list;     /* neighbours per particle; 0: nothing is listed */
    uint32_t segments; /* active ones; 0: as many as the particles can make */
} grid_capacity;

/* Fixed-point positions: whole numbers, ivec4, with exact differences everywhere. */
typedef struct grid_fixed_point {
    vec3 origin; /* m: where position 0 is */
    float unit;  /* m */
} grid_fixed_point;

typedef struct grid_def {
    vec3 min, max; /* m; positions outside belong to the nearest cell */
    float radius;  /* m: support radius */
    bool periodic[3];
    uint32_t
        cells[3]; /* 0: of half a radius or a radius; else so many, of any size, and no lists */
    grid_fixed_point fixed; /* unit 0: positions are in metres, and can be sorted, not listed */
    bool by_index;          /* a cell's particles stand in the caller's order, and have no ids */
    bool compact;           /* lists of 16 bits for a neighbour, as long as 16 bits can name all */
    grid_capacity capacity;
} grid_def;

/* Errors: MEMORY, ARGUMENT (a domain of more cells than 32 bits number; says which). */
weir_result grid_create(gpu_device *device, const grid_def *def, grid **out);
void grid_destroy(gpu_device *device, grid **g);

/* Every segment is active for good: shaders/shared/grid.h. */
bool grid_is_dense(const grid *g);

/* Appends the rows that sort: `positions` (vec4 or ivec4, w < 0 is dead) and `ids` are in the
 * caller's order, and `ids` is NULL where the grid sorts by index; grid_sort_sources then holds the
 * index before the sort. Returns how many rows it wrote.
 */
#define GRID_SORT_PASSES 13u /* at most */
uint32_t grid_sort_passes(const grid *g, gpu_buffer *positions, gpu_buffer *ids, gpu_pass *passes);
/* The same for points that the host has counted; those with attributes beside position and id are
 * taken too. */
#define GRID_POINT_PASSES (GRID_SORT_PASSES + 1u)
uint32_t grid_point_passes(const grid *g, const particle_view *points, gpu_pass *passes);
/* Appends the row that makes the lists of `positions`: fixed-point, in sorted order. */
#define GRID_LIST_PASSES 1u
uint32_t grid_list_passes(const grid *g, gpu_buffer *positions, gpu_pass *passes);

/* Are compact lists faster on this device, by a tenth at least? Measured once, then remembered
 * (autotune_lists.c). False where nothing is measured: on CPU drivers, whose difference is within
 * noise, and without timestamps. Errors: MEMORY, DEVICE_LOST. */
weir_result grid_autotune_prefers_compact(gpu_device *device, bool *compact);
/* Do lists take 16 bits for a neighbour? Their readers need to know. */
bool grid_is_compact(const grid *g);
/* The next grid_grow makes them wide for good. */
void grid_use_wide_lists(grid *g);

gpu_buffer *grid_state_buffer(const grid *g);    /* struct grid_state */
gpu_buffer *grid_params_buffer(const grid *g);   /* struct grid_params */
gpu_buffer *grid_sort_sources(const grid *g);    /* uint[particles] */
gpu_buffer *grid_segment_buffer(const grid *g);  /* uint[segments + 2], summed */
gpu_buffer *grid_bin_coordinates(const grid *g); /* uint: particles before each active cell */
gpu_buffer *grid_lists(const grid *g);           /* list.capacity uints per particle, interleaved */
gpu_buffer *grid_list_headers(const grid *g);    /* uint[particles]: GRID_COUNT_MASK is the count */
gpu_dispatch_size grid_particle_dispatch_size(const grid *g); /* before the sort */
gpu_dispatch_size grid_live_dispatch_size(const grid *g);     /* after it */
/* How many elements a domain of the grid's had in `state`, a read-back of grid_state_buffer. */
struct grid_state;
uint64_t grid_dispatch_elements(const gpu_dispatch_size *dispatch_size,
                                const struct grid_state *state);
grid_capacity grid_get_capacity(const grid *g);
uint32_t grid_segment_count(const grid *g); /* of the domain */
/* Of device memory, for a particle and its list. */
uint64_t grid_particle_bytes(uint32_t list, bool compact);
uint64_t grid_table_bytes(const grid *g); /* cell tables: all that is not per particle */

/* Makes room; contents are lost. Rows that name the grid's buffers must be made anew. */
weir_result grid_grow(gpu_device *device, grid *g, grid_capacity capacity);

/* ---- anisotropy (Yu and Turk 2013) ---------------------------------------------------------- */

/* A smoothed centre and an ellipsoid for each of some points, from the weighted covariance of their
 * neighbours. Dimensionless: in a full lattice at rest the ellipsoid is the unit sphere. Everywhere
 * its volume is that of the unit sphere, unless an axis meets its limit or the disc of a stretched
 * sheet is blended in. */
typedef struct grid_anisotropy grid_anisotropy;

typedef struct grid_anisotropy_def {
    vec3 min, max; /* m: box of the points; those outside are slow, not wrong */
    bool periodic[3];
    uint32_t capacity; /* points */
    float spacing_m;   /* d */
    float radius_m;    /* neighbours that count; 2 d is usual */
    float smoothing;   /* 0 to 1: how far centres move to their neighbours' mean; 0.9 is usual */
    float stretch;     /* k_r: longest axis over shortest, at least 1; 4 is usual */
    float sheet_reach; /* in radii: how far points with few neighbours look for a sheet; 1 or less,
                          and where a periodic axis is under 2 sheet_reach + 2 radii long: no
                          farther than others; 1.5 is usual */
} grid_anisotropy_def;

/* Errors: MEMORY, ARGUMENT (as grid_create). */
weir_result grid_anisotropy_create(gpu_device *device, const grid_anisotropy_def *def,
                                   grid_anisotropy **out);
void grid_anisotropy_destroy(gpu_device *device, grid_anisotropy **anisotropy);

/* Appends the rows that fit the shapes of `points` (position and count are used; count at most the
 * capacity). Returns how many. */
#define GRID_ANISOTROPY_PASSES 18u /* at most */
uint32_t grid_anisotropy_passes(const grid_anisotropy *a, const particle_view *points,
                                gpu_pass *passes);

/* Results, in the order of the points.
 * centres: vec4[count], xyz m, w: weight of the neighbours as a share of a full lattice's, 0 to 1.
 * shapes: vec4[2 * count], the symmetric matrix A whose eigenvalues are the ellipsoid's radii (unit
 * sphere to ellipsoid; Yu and Turk's G is its inverse over h): (xx, xy, xz, yy), (yz, zz, number of
 * neighbours as a float, determinant). */
gpu_buffer *grid_anisotropy_centres(const grid_anisotropy *a);
gpu_buffer *grid_anisotropy_shapes(const grid_anisotropy *a);

#endif
