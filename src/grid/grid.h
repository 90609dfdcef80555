/* grid: bins, a stable sort of particles by (bin, id), neighbour lists, prefix sums, ellipsoids.
 * Layouts and bindings: shaders/shared/grid.h. */
#ifndef WEIR_GRID_H
#define WEIR_GRID_H

#include "gpu.h"

/* Particles in the form that the renderer and the mesher read. Buffers hold at least `count`
 * elements; NULL: the attribute is absent. */
typedef struct particle_view {
    uint32_t count;
    float spacing_m; /* d */
    float radius_m;  /* h, the support radius */
    /* vec4: xyz m, w 1, or -1 where there is no particle; a texel buffer on devices that prefer
     * one */
    gpu_buffer *position;
    /* vec4: xyz m/s, w 0; a texel buffer on devices that prefer one */
    gpu_buffer *velocity;
    gpu_buffer *id;      /* uint */
    gpu_buffer *fluid;   /* uint: index of the fluid in the scene */
    gpu_buffer *density; /* float, kg/m3; 0: not known before the first frame */
    /* vec4: particle_attribute_vectors per particle, the components of its attributes in order */
    gpu_buffer *attribute_values;
    base_attributes attributes;
    gpu_buffer *lambda; /* vec4: w m2; created and filled only on request */
    bool has_lambda;    /* `lambda` belongs to these particles */
    float lambda_unit;  /* m2: the lambda that a density error of 1 causes in a full lattice */
} particle_view;

/* Creates the buffers of the attributes in `fields` (bits 1u << weir_field) for `count` particles;
 * the position is always created. Errors: MEMORY; the view is then empty. */
weir_result particle_view_create(gpu_device *device, uint32_t fields, uint32_t count,
                                 particle_view *points);
void particle_view_destroy(gpu_device *device, particle_view *points);
/* Adds the buffer of `attributes` to a view for `count` particles. Errors: MEMORY; the view is then
 * empty. */
weir_result particle_view_add_attributes(gpu_device *device, const base_attributes *attributes,
                                         uint32_t count, particle_view *points);
static inline uint32_t particle_attribute_vectors(const particle_view *points)
{
    return (points->attributes.components + 3u) / 4u;
}

/* ---- scan ----------------------------------------------------------------------------------- */

/* Computes exclusive prefix sums of unsigned integers in place. */
typedef struct grid_scan grid_scan;

weir_result grid_scan_create(gpu_device *device, grid_scan **scan);
void grid_scan_destroy(gpu_device *device, grid_scan **scan);

typedef struct grid_scan_def {
    gpu_buffer *data;    /* uint, summed in place */
    gpu_buffer *sums;    /* uint, one per GRID_SCAN_TILE elements of the data */
    uint32_t count;      /* number of elements, unless the GPU counts them */
    gpu_buffer *lengths; /* uint: word length_word is the number of elements; NULL: `count` */
    uint32_t length_word;
    /* for a count on the GPU: dispatch size over the tiles, or over the maximum number of
     * elements */
    gpu_dispatch_size tiles;
} grid_scan_def;

/* Appends the passes and returns their number, at most this. */
#define GRID_SCAN_PASSES 3u
uint32_t grid_scan_passes(const grid_scan *scan, const grid_scan_def *def, gpu_pass *passes);

/* ---- bins and lists ------------------------------------------------------------------------- */

typedef struct grid grid;

typedef struct grid_capacity {
    uint32_t particles;
    uint32_t list;     /* neighbours per particle; 0: no lists */
    uint32_t segments; /* active segments; 0: as many as the particles can activate */
} grid_capacity;

/* Fixed-point positions: ivec4, whose differences are exact everywhere. */
typedef struct grid_fixed_point {
    vec3 origin; /* m: location of position 0 */
    float unit;  /* m */
} grid_fixed_point;

typedef struct grid_def {
    vec3 min, max; /* m; positions outside belong to the nearest bin */
    float radius;  /* m: support radius */
    bool periodic[3];
    /* 0: bins of half a radius or a radius; otherwise this number of bins of any size, without
     * lists */
    uint32_t cells[3];
    /* unit 0: positions are in metres; they can be sorted but have no lists */
    grid_fixed_point fixed;
    bool by_index; /* particles of a bin keep the caller's order; there are no ids */
    bool compact;  /* lists use 16 bits per neighbour, as long as 16 bits can encode all */
    grid_capacity capacity;
} grid_def;

/* Creates a grid. Errors: MEMORY; ARGUMENT (a domain with too many bins; the message says how many
 * are allowed). */
weir_result grid_create(gpu_device *device, const grid_def *def, grid **out);
void grid_destroy(gpu_device *device, grid **g);

/* Divides the domain between ranks: the grid holds only the bins of `parts`. Its buffers keep their
 * size until the next grid_grow, without which it must not be used. */
struct grid_parts;
void grid_set_parts(grid *g, const struct grid_parts *parts);
/* Writes the bins of the whole domain on each axis, and returns how many the support radius spans.
 */
uint32_t grid_count_bins(const grid *g, uint32_t bins[3]);
/* Returns the bin of a fixed-point position on an axis that is not periodic: the same as on the
 * device. */
uint32_t grid_find_plane(const grid *g, uint32_t axis, const int32_t position[3]);

/* Reports whether every segment is always active: shaders/shared/grid.h. */
bool grid_is_dense(const grid *g);

/* Appends the passes of the sort and returns their number. `positions` (vec4 or ivec4, w < 0: dead)
 * and `ids` are in the caller's order; `ids` is NULL if the grid sorts by index. Afterwards
 * grid_sort_sources holds each particle's index before the sort. */
#define GRID_SORT_PASSES 13u /* maximum */
uint32_t grid_sort_passes(const grid *g, gpu_buffer *positions, gpu_buffer *ids, gpu_pass *passes);
/* Appends the passes that sort particles that the host has counted; views with attributes other
 * than position and id are accepted as well. */
#define GRID_POINT_PASSES (GRID_SORT_PASSES + 1u)
uint32_t grid_point_passes(const grid *g, const particle_view *points, gpu_pass *passes);
/* Appends the pass that builds the lists of `positions`, which are fixed-point and in sorted
 * order. */
#define GRID_LIST_PASSES 1u
uint32_t grid_list_passes(const grid *g, gpu_buffer *positions, gpu_pass *passes);

/* Reports whether compact lists are faster on this device, by at least a tenth. The result is
 * measured once and then remembered (autotune_lists.c). It is false where nothing is measured:
 * without timestamps, and on CPU drivers, where the difference is within noise. Errors: MEMORY,
 * DEVICE_LOST. */
weir_result grid_autotune_prefers_compact(gpu_device *device, bool *compact);
/* Reports whether lists use 16 bits per neighbour, which their readers need to know. */
bool grid_is_compact(const grid *g);
/* Makes the lists wide permanently, from the next grid_grow on. */
void grid_use_wide_lists(grid *g);

gpu_buffer *grid_state_buffer(const grid *g);  /* struct grid_state */
gpu_buffer *grid_params_buffer(const grid *g); /* struct grid_params */
gpu_buffer *grid_parts_buffer(const grid *g);  /* struct grid_parts */
gpu_buffer *grid_sort_sources(const grid *g);  /* uint[particles] */
/* uint[segments + 2]: active segments before each */
gpu_buffer *grid_segment_buffer(const grid *g);
gpu_buffer *grid_bin_starts(const grid *g); /* uint: particles before each active bin */
/* list.capacity entries per particle, interleaved */
gpu_buffer *grid_lists(const grid *g);
gpu_buffer *grid_list_headers(const grid *g); /* uint[particles]: GRID_COUNT_MASK is the count */
gpu_dispatch_size grid_particle_dispatch_size(const grid *g); /* before the sort */
gpu_dispatch_size grid_live_dispatch_size(const grid *g);     /* after the sort */
/* The live particles and the first layer of ghosts; all that a rank holds: shaders/shared/grid.h.
 */
gpu_dispatch_size grid_near_dispatch_size(const grid *g);
gpu_dispatch_size grid_held_dispatch_size(const grid *g);
gpu_dispatch_size
grid_edge_dispatch_size(const grid *g); /* of a rank: particles sent to neighbours */
gpu_dispatch_size grid_ghost_dispatch_size(const grid *g); /* of a rank */
/* Returns how many elements a dispatch size of the grid had in `state`, read back from
 * grid_state_buffer. */
struct grid_state;
uint64_t grid_dispatch_elements(const gpu_dispatch_size *dispatch_size,
                                const struct grid_state *state);
grid_capacity grid_get_capacity(const grid *g);
uint32_t grid_segment_count(const grid *g); /* of the domain, or of the parts that a rank holds */
/* Returns the device memory, bytes, of one particle and its list. */
uint64_t grid_particle_bytes(uint32_t list, bool compact);
uint64_t grid_table_bytes(const grid *g); /* bin tables: everything that is not per particle */

/* Enlarges the buffers; their contents are lost, and passes that use the grid's buffers must be
 * rebuilt. */
weir_result grid_grow(gpu_device *device, grid *g, grid_capacity capacity);

/* ---- anisotropy (Yu and Turk 2013) ---------------------------------------------------------- */

/* Computes a smoothed centre and an ellipsoid for each point, from the weighted covariance of its
 * neighbours. Ellipsoids are dimensionless: in a full lattice at rest they are the unit sphere.
 * Their volume is always that of the unit sphere, unless an axis reaches its limit or the disc of a
 * stretched sheet is blended in. */
typedef struct grid_anisotropy grid_anisotropy;

typedef struct grid_anisotropy_def {
    vec3 min, max; /* m: bounds of the points; points outside are slower but correct */
    bool periodic[3];
    uint32_t capacity; /* points */
    float spacing_m;   /* d */
    float radius_m;    /* m: search radius for neighbours; usually 2 d */
    float smoothing;   /* 0 to 1: how far centres move towards the neighbours' mean; usually 0.9 */
    float stretch;     /* k_r: ratio of the longest to the shortest axis, at least 1; usually 4 */
    /* How far points with few neighbours search for a sheet, in radii; usually 1.5. There is no
     * wider search if it is 1 or less, or if a periodic axis is shorter than 2 sheet_reach + 2
     * radii. */
    float sheet_reach;
} grid_anisotropy_def;

/* Creates the ellipsoids' buffers and pipelines. Errors: MEMORY, ARGUMENT (as grid_create). */
weir_result grid_anisotropy_create(gpu_device *device, const grid_anisotropy_def *def,
                                   grid_anisotropy **out);
void grid_anisotropy_destroy(gpu_device *device, grid_anisotropy **anisotropy);

/* Appends the passes that fit ellipsoids to `points`, of which position and count are used; the
 * count must not exceed the capacity. Returns the number of passes. */
#define GRID_ANISOTROPY_PASSES 18u /* maximum */
uint32_t grid_anisotropy_passes(const grid_anisotropy *a, const particle_view *points,
                                gpu_pass *passes);

/* Return the results, in the order of the points. Centres: vec4[count], xyz m, w: weight of the
 * neighbours as a fraction of that in a full lattice, 0 to 1. Shapes: vec4[2 * count], the
 * symmetric matrix A that maps the unit sphere to the ellipsoid, so its eigenvalues are the
 * ellipsoid's radii (Yu and Turk's G is its inverse over h): (xx, xy, xz, yy), (yz, zz, number of
 * neighbours as a float, determinant). */
gpu_buffer *grid_anisotropy_centres(const grid_anisotropy *a);
gpu_buffer *grid_anisotropy_shapes(const grid_anisotropy *a);

#endif
