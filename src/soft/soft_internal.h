/* soft_internal: a set of cloths, ropes and soft bodies, and how it is built. */
#ifndef WEIR_SOFT_INTERNAL_H
#define WEIR_SOFT_INTERNAL_H

#include "soft.h"

#include "soft/shaders.h"

#include "shared/glue.h"

#include "shared/body.h"
#include "shared/soft.h"
#include "shared/solid.h"

#define SOFT_COLOURS 64u /* at most */

typedef BASE_ARRAY(struct soft_state) soft_states;
typedef BASE_ARRAY(struct soft_bond) soft_bonds;
typedef BASE_ARRAY(struct soft_pin) soft_pins;
typedef BASE_ARRAY(uint32_t) soft_numbers;
typedef BASE_ARRAY(struct soft_tie) soft_ties;
typedef BASE_ARRAY(struct soft_fray) soft_frays;
typedef BASE_ARRAY(float) soft_masses;

/* How far a vertex of the lattice carries one of the mesh that its body wears. */
typedef struct soft_share {
    uint32_t vertex; /* from the body's first on */
    float share;     /* their sum is 1 */
    vec3 offset;     /* m, at the start, from it */
} soft_share;

/* Two vertices of one cell of a soft body that no bond joins. */
typedef struct soft_link {
    uint32_t low, high;
} soft_link;

struct soft_set {
    const scene_data *scene; /* while the set is made; it may be gone later */
    uint32_t sweeps;         /* of the constraints in each iteration */
    bool jacobi;             /* or else Gauss-Seidel */
    uint32_t count;
    struct soft_make *makes;      /* [count] */
    struct soft_figures *figures; /* likewise */
    soft_states starts;           /* of the vertices, then flags: shaders/shared/soft.h */
    soft_masses masses;           /* kg, per vertex */
    soft_numbers owners;          /* per vertex */
    soft_numbers triangles;       /* three vertices each */
    soft_pins pins;
    soft_ties ties;                     /* per vertex; none without bodies */
    soft_bonds bonds;                   /* sorted by colour; a compliance below 0 is minus the share
                                           of a substep, on the device that of a sweep */
    uint32_t colours[SOFT_COLOURS + 1]; /* the first bond of each, then how many there are */
    uint32_t colour_count;
    BASE_ARRAY(uvec4) facets; /* shaders/shared/soft.h */
    BASE_ARRAY(vec2) skins;   /* shaders/shared/sim.h, per facet; none where nothing drags fluid */
    BASE_ARRAY(uvec4) seams;  /* per facet; none where nothing tears */
    soft_frays frays;
    uint32_t flag_count;
    struct soft_lattice cells;
    BASE_ARRAY(vec4) rests; /* of the vertices; none where no vertices meet */
    struct soft_hash crowd;
    BASE_ARRAY(soft_share) shares;
    soft_numbers
        share_firsts; /* per vertex of a mesh that is worn, and behind the last of each body */
    soft_numbers skin_triangles;
    soft_numbers firsts, entries;             /* the bonds of each vertex: shaders/shared/soft.h */
    BASE_ARRAY(struct soft_cluster) clusters; /* their share is that of a substep */
    BASE_ARRAY(struct soft_member) members;
    BASE_ARRAY(struct soft_part) parts;
    soft_numbers part_firsts;
    soft_masses weights;
    BASE_ARRAY(soft_link) links;
    gpu_buffer *soft_buffer, *states, *moves, *owner_buffer, *pin_buffer, *bond_buffer;
    gpu_buffer *lambdas, *colour_buffer, *pushes, *first_buffer, *entry_buffer;
    gpu_buffer *facet_buffer, *heads, *nexts, *cell_buffer, *sums, *tie_buffer, *meets;
    gpu_buffer *skin_buffer, *seam_buffer, *fray_buffer;
    gpu_buffer *cluster_buffer, *member_buffer, *part_buffer, *part_first_buffer, *weight_buffer;
    gpu_buffer *fits;
    gpu_buffer *buckets, *bins, *rest_buffer, *nears, *bears, *shoves, *crowd_buffer;
    gpu_kernel *kernels[SOFT_SHADERS];
};

/* The cells of a soft body, those of a box of n[0] n[1] n[2]: x counts first. */
typedef struct soft_lattice_cells {
    uint32_t n[3];
    float step[3];   /* m: their edges */
    double most;     /* how many the box has */
    uint8_t *in;     /* per cell: it is part of the body */
    uint32_t count;  /* of those */
    uint32_t *piece; /* per cell: the piece of the body, from 1 on, that it is of */
    uint32_t *stack;
    uint32_t *vertex; /* per corner of cells: its vertex, from the body's first on, or SOFT_NONE */
    uint32_t surface; /* how many vertices are on the surface: the first */
    double share;     /* of the shape's volume over that of its cells */
} soft_lattice_cells;

/* One cloth, rope or soft body while it is built. */
typedef struct soft_builder {
    soft_set *set;
    const weir_log *log;
    const scene_soft *soft;
    uint32_t index;
    uint32_t first; /* of its vertices */
    soft_lattice_cells cells;
} soft_builder;

const char *soft_kind(const scene_soft *soft); /* as messages call it */
/* "SOURCE:LINE:COLUMN: cloth 'name' ...", an error of the scene. */
weir_result soft_fault(const soft_builder *b, int line, int column, const char *format, ...)
    BASE_PRINTF(4, 5);
vec3 soft_place(const soft_set *set, uint32_t vertex);
/* Appends a vertex that has no mass yet; false when memory is short. */
bool soft_put_vertex(soft_builder *b, vec3 p);

/* Appends vertices, triangles and masses. Errors: SCENE, IO, MEMORY. */
weir_result soft_build_shape(soft_builder *b, const solid_set *solids);
/* The vertices, surface and masses of a soft body, and its cells, which are to be released. Errors:
 * SCENE, MEMORY. */
weir_result soft_build_lattice(soft_builder *b, const solid_set *solids);
void soft_free_lattice(soft_builder *b);
/* Appends its constraints. Errors: SCENE, MEMORY. */
weir_result soft_bind_body(soft_builder *b);
/* Appends its clusters, without places. Errors: SCENE, MEMORY. */
weir_result soft_build_clusters(soft_builder *b);
/* Gives all clusters' members their places and weights, when pins are known. Errors: MEMORY. */
weir_result soft_settle_clusters(soft_set *set, const weir_log *log);
/* Appends the constraints between them. Errors: SCENE, MEMORY. */
weir_result soft_build_bonds(soft_builder *b);
/* Holds what the scene pins. Errors: SCENE, MEMORY. */
weir_result soft_build_pins(soft_builder *b, const solid_set *solids);
/* Gives the bonds of cloths and ropes that tear their flags. Errors: MEMORY. */
weir_result soft_build_tears(soft_set *set, const weir_log *log);
/* Appends the flags to the starts, when these have all vertices. Errors: MEMORY. */
weir_result soft_put_flags(soft_set *set, const weir_log *log);
/* Do any vertices meet each other? Those of one cloth or rope? */
bool soft_has_contacts(const soft_set *set);
bool soft_meets_itself(const soft_set *set, uint32_t soft);
/* What they need for it. Errors: MEMORY. */
weir_result soft_build_contacts(soft_set *set, const weir_log *log);
/* Warns where others pass between vertices. */
void soft_warn_of_gaps(const soft_set *set, const weir_log *log);
/* Refuses what starts deep in a solid, a body or a side, and warns of what is too near to them, and
 * of soft bodies in each other. Errors: SCENE, MEMORY. */
weir_result soft_check_overlaps(soft_set *set, const weir_log *log, const solid_set *solids);
/* Lists what fluid meets, and chooses the cells that it is found in. Errors: MEMORY. */
weir_result soft_build_facets(soft_set *set, const weir_log *log);
/* Colours and sorts the bonds of all, and lists those of each vertex. Errors: SCENE, MEMORY. */
weir_result soft_colour(soft_set *set, const weir_log *log);
/* Warns where a cloth or a rope will stretch by its own weight, or is too light for the fluid. */
void soft_warn(const soft_builder *b);

#endif
