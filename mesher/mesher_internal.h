/* mesher: what the files of this room share. */
#ifndef WEIR_MESHER_INTERNAL_H
#define WEIR_MESHER_INTERNAL_H

#include "mesher.h"

#include "mesh/shaders.h"
#include "shared/mesh.h"

/* Rows run in phases; after one the host knows the sizes that the next one needs. Phases whose
 * sizes are known run together, with one wait. */
enum mesher_phase {
    MESHER_PHASE_BOUNDS,       /* of the particles */
    MESHER_PHASE_ELLIPSOIDS,   /* ellipsoids, for the anisotropic field */
    MESHER_PHASE_SUPER_BLOCKS, /* active super blocks */
    MESHER_PHASE_BLOCKS,       /* active blocks */
    MESHER_PHASE_BINS,         /* particles into bins */
    MESHER_PHASE_SLOTS,        /* blocks of a slab */
    MESHER_PHASE_FIELD,        /* field, and the vertices and triangles counted */
    MESHER_PHASE_OUTPUT,       /* vertices and triangles */
    MESHER_PHASE_ATTRIBUTES, /* attributes at the vertices: three phases, which follow each other */
    MESHER_PHASES = MESHER_PHASE_ATTRIBUTES + 3
};
#define MESHER_ATTRIBUTE_PHASES ((uint32_t)(MESHER_PHASES - MESHER_PHASE_ATTRIBUTES))

#define MESHER_PHASE_PASSES 20u

typedef struct mesher_pass_list {
    gpu_pass passes[MESHER_PHASE_PASSES]; /* their buffers may be gone after the run */
    weir_pass_time pass_reports[MESHER_PHASE_PASSES];
    uint32_t count;
} mesher_pass_list;

/* Everything on the device. Sizes grow, and stay for the next frame. */
typedef struct mesher_buffers {
    gpu_buffer *params, *state, *download_staging, *case_table, *dummy;
    gpu_buffer *super_blocks, *super_block_list, *children, *sums; /* sums: of any scan */
    gpu_buffer *blocks, *vertex_base, *block_slots;                /* per block of the frame */
    gpu_buffer *keys, *ranks, *entries, *sort_sources, *sorted_positions, *weighted, *neighbours,
        *particle_values;
    gpu_buffer *ellipsoid_centres, *sorted_shapes;
    gpu_buffer *bins;
    gpu_buffer *slot_blocks, *field, *block_signs, *damped_nodes, *surface_blocks,
        *surface_block_list; /* per seat */
    gpu_buffer *node_words, *line_words, *vertex_counts, *triangle_counts;
    gpu_buffer *vertices, *normals, *indices;
    gpu_buffer *vertex_values[MESHER_ATTRIBUTE_PHASES]; /* attributes at the vertices */
    gpu_buffer *output_staging;                         /* copies of these, for the host */
} mesher_buffers;
#define MESHER_BUFFERS (sizeof(mesher_buffers) / sizeof(gpu_buffer *))

/* Of a surface's arrays, what comes back with it. */
typedef struct mesher_readback_size {
    uint32_t vertices, triangles;
} mesher_readback_size;

/* What is known of the frame in hand. */
typedef struct mesher_frame {
    const particle_view *points;
    gpu_buffer *positions; /* those of the points, or smoothed centres */
    double cell_m;
    uint32_t super_block_total; /* super blocks in the particles' box, active or not */
    uint32_t super_block_count, block_count, slot_count;
    uint32_t vertex_count, triangle_count, spray_count; /* of the slab; of the frame */
    bool counted; /* the field of the whole frame is held, its vertices and triangles counted */
    bool output_ready; /* and they, with their attributes, are made */
    bool to_host;      /* the surface goes to the host, with attributes */
    mesher_readback_size readback;
    uint32_t waits; /* how often the host has waited for the device; tests look at it */
} mesher_frame;

struct mesher {
    gpu_device *device;
    weir_mesher_def def;
    gpu_pipeline *pipelines[MESHER_SHADERS]; /* NULL: the def has no use for it */
    grid_scan *scan;
    mesher_buffers buffers;
    struct mesh_params params;
    struct mesh_params last; /* of the frame before, as far as its blocks; super_blocks_x 0: none */
    bool last_was_single_batch; /* its surface was made in one slab, of so many */
    mesher_readback_size last_output_size;
    bool has_readback_staging; /* surfaces are copied into memory that the host sees */
    mesher_frame frame;
    mesher_pass_list pass_lists[MESHER_PHASES]; /* as last run: names for the row times */
    gpu_timers *timers[MESHER_PHASES];
    uint32_t max_blocks;
    uint64_t ticket; /* of the phase that was started last */
    mesher_device_surface device_surfaces[MESHER_DEVICE_SURFACES]; /* by generation */
    uint64_t generation;                                           /* of the last one */
    grid_anisotropy *anisotropy;                                   /* for the anisotropic field */
    grid_anisotropy_def ellipsoids;                                /* what it was made for */
    uint64_t ellipsoid_bytes;
};

/* Channels of the surface; each is carried in a run of its own, the first one with the velocity. */
enum mesher_attribute {
    MESHER_DENSITY,
    MESHER_FLUID,
    MESHER_NEIGHBOUR_COUNT,
    MESHER_VELOCITY_ONLY, /* the velocity alone */
    MESHER_ATTRIBUTES
};
/* Its values, NULL: not wanted or not there. */
gpu_buffer *mesher_attribute_buffer(const mesher *m, enum mesher_attribute scalar);
/* Is the velocity wanted and there? */
bool mesher_has_velocity(const mesher *m);
/* Do the particles' neighbours have to be counted? */
bool mesher_needs_weights(const mesher *m);

static inline const weir_log *mesher_log(const mesher *m)
{
    return gpu_device_log(m->device);
}

/* ---- kernels.c ------------------------------------------------------------------------------ */

weir_result mesher_pipelines_create(mesher *m);

/* ---- buffers.c ------------------------------------------------------------------------------ */

weir_result mesher_create_fixed_buffers(mesher *m);
/* Each makes room for what the frame is known to need; contents may be lost. Errors: MEMORY. */
weir_result mesher_reserve_super_blocks(mesher *m);
weir_result mesher_reserve_blocks(mesher *m);
weir_result mesher_reserve_particles(mesher *m);
weir_result mesher_reserve_slots(mesher *m);
weir_result mesher_reserve_output(mesher *m);
weir_result mesher_reserve_staging(mesher *m, uint64_t words);
/* Blocks that there is room for, up to their vertices' counts. */
uint32_t mesher_block_capacity(const mesher *m);
/* How many vertices and triangles there is room for goes into the params. */
void mesher_set_output_capacity(mesher *m);
void mesher_buffers_destroy(mesher *m);
/* Bytes that the mesher may hold, and those that it holds. */
uint64_t mesher_memory_budget(const mesher *m);
uint64_t mesher_bytes_used(const mesher *m);
/* Blocks whose field fits beside what is held. */
uint32_t mesher_max_slots(const mesher *m);
/* Do the slab's vertices and triangles fit? */
bool mesher_output_fits(const mesher *m);
#define MESHER_SLOT_BYTES \
    (4ull * (MESH_NODES_PER_BLOCK + MESH_NODES_PER_BLOCK + MESH_LINES_PER_BLOCK + 16u + 6u))

/* ---- rows.c --------------------------------------------------------------------------------- */

/* Fills m->tables[phase] for the frame in hand. `constant`: of the seats: are there several slabs?
 * Of the attributes: MESHER_DENSITY and so on, MESHER_ATTRIBUTES added when the velocity comes
 * along.
 */
void mesher_build_passes(mesher *m, enum mesher_phase phase, uint32_t constant);
/* How many phases it takes to carry the attributes. */
uint32_t mesher_attribute_phase_count(const mesher *m);

/* ---- submit.c ------------------------------------------------------------------------------- */

typedef struct mesher_phase_run {
    enum mesher_phase phase;
    uint32_t constant; /* of mesher_build_passes */
} mesher_phase_run;
/* Writes the params, and submits phases that need no size of each other, when the ones before are
 * done. */
weir_result mesher_submit(mesher *m, const mesher_phase_run *steps, size_t count);
/* The same; waits, and brings the state and one word of each phase's count back. */
weir_result mesher_submit_and_wait(mesher *m, const mesher_phase_run *steps, size_t count);
weir_result mesher_run_one_phase(mesher *m, enum mesher_phase phase, uint32_t constant);
/* What the last phases brought back: the state, and the word of each. */
const struct mesh_state *mesher_downloaded_state(const mesher *m);
uint32_t mesher_downloaded_count(const mesher *m, enum mesher_phase phase);

/* ---- frame.c -------------------------------------------------------------------------------- */

/* Sets the frame up, and does all that comes before the surface, and that too where the frame
 * before tells its sizes; without points that is nothing. `carried`: with attributes. */
weir_result mesher_begin_frame(mesher *m, const particle_view *points, bool to_host);

/* ---- speculative.c
 * -------------------------------------------------------------------------------- */

/* Takes the lattice of the frame before for this one's, and its sizes as far as there is room;
 * *guess is what the params then say, super_blocks_x 0 where nothing is taken. */
weir_result mesher_reuse_lattice(mesher *m, struct mesh_params *assumed);
/* Runs what can be run at once on these terms, from the bounds or the ellipsoids on. */
weir_result mesher_run_speculative(mesher *m, enum mesher_phase first);

/* ---- readback.c ---------------------------------------------------------------------------------
 */

/* Surfaces that are made from now on come back with up to so many vertices and triangles. */
weir_result mesher_plan_readback(mesher *m, uint32_t vertices, uint32_t triangles);
/* Behind the rows of a phase: the copies of what it made. */
weir_result mesher_record_readback(mesher *m, enum mesher_phase phase);
/* The first bytes of one of the surface's arrays, which may take a wait if more are wanted than
 * were awaited. */
weir_result mesher_read_array(mesher *m, const gpu_buffer *array, size_t size, void *to);

/* ---- shapes.c ------------------------------------------------------------------------------- */

/* Makes ready to fit ellipsoids to the particles, in the frame's box of super blocks; their centres
 * become the frame's positions. */
weir_result mesher_prepare_ellipsoids(mesher *m);

/* ---- batches.c --------------------------------------------------------------------------------
 */

/* The phases that make a slab's surface, with their constants; how many. */
size_t mesher_output_phases(const mesher *m, mesher_phase_run *steps);
#define MESHER_OUTPUT_PHASES (1u + MESHER_ATTRIBUTE_PHASES)
/* Field and surface of the whole frame, in as many slabs as it takes. */
weir_result mesher_run_batches(mesher *m, mesher_surface *surface);

/* Field of the whole frame in one slab; its vertices and triangles are counted, and their numbers
 * final. Errors also: UNSUPPORTED when it takes several. */
weir_result mesher_count_single_batch(mesher *m);

/* ---- device_surfaces.c
 * ------------------------------------------------------------------------------- */

uint64_t mesher_device_surface_bytes(const mesher *m);
void mesher_device_surfaces_destroy(mesher *m);

/* ---- presets.c ------------------------------------------------------------------------------ */

weir_result mesher_check_def(const weir_log *log, const weir_mesher_def *def);

#endif
