/* deformable_internal: defines a set of cloths, ropes and soft bodies, and declares the functions
 * that build it. */
#ifndef WEIR_DEFORMABLE_INTERNAL_H
#define WEIR_DEFORMABLE_INTERNAL_H

#include "deformable.h"

#include "deformable/shaders.h"

#include "shared/glue.h"

#include "shared/body.h"
#include "shared/solid.h"

#define DEFORMABLE_MAX_COLOURS 64u /* maximum number of constraint colours */

typedef BASE_ARRAY(struct deformable_state) deformable_state_array;
typedef BASE_ARRAY(struct deformable_constraint) deformable_constraint_array;
typedef BASE_ARRAY(struct deformable_pin) deformable_pin_array;
typedef BASE_ARRAY(uint32_t) deformable_index_array;
typedef BASE_ARRAY(struct deformable_attachment) deformable_attachment_array;
typedef BASE_ARRAY(struct deformable_bend_tear) deformable_bend_tear_array;
typedef BASE_ARRAY(float) deformable_mass_array;

/* Weight of a lattice vertex for a vertex of the mesh that is skinned to its soft body. */
typedef struct deformable_skin_weight {
    uint32_t vertex; /* numbered from the body's first vertex */
    float weight;    /* the weights of a mesh vertex sum to 1 */
    vec3 offset;     /* m: from the lattice vertex to the mesh vertex, at the start */
} deformable_skin_weight;

/* Two vertices of one cell of a soft body that no constraint joins. */
typedef struct deformable_vertex_link {
    uint32_t low, high;
} deformable_vertex_link;

struct deformable_set {
    const scene_data *scene; /* while the set is built; NULL afterwards */
    uint32_t iterations;     /* iterations of the constraints in each iteration of the fluid */
    bool jacobi;             /* solver: Jacobi, otherwise Gauss-Seidel */
    uint32_t count;
    struct deformable_properties *properties; /* [count] */
    struct deformable_info *info;             /* [count] */
    /* Of the vertices, then tear flags: shaders/shared/deformable.h. */
    deformable_state_array initial_states;
    deformable_mass_array masses;  /* kg, per vertex */
    deformable_index_array owners; /* index of its deformable, per vertex */
    /* three vertices each, numbered from the deformable's first */
    deformable_index_array triangles;
    deformable_pin_array pins;
    deformable_attachment_array attachments; /* per vertex; empty without bodies */
    /* Sorted by colour. A negative compliance is minus the PBD stiffness per substep; on the
     * device, per iteration. */
    deformable_constraint_array constraints;
    /* First constraint of each colour, then the number of constraints. */
    uint32_t colours[DEFORMABLE_MAX_COLOURS + 1];
    uint32_t colour_count;
    BASE_ARRAY(uvec4) facets; /* shaders/shared/deformable.h */
    /* Per facet: shaders/shared/deformable_buffers.def. Empty if no facet drags fluid. */
    BASE_ARRAY(vec2) drag_coefficients;
    BASE_ARRAY(uvec4) facet_tear_flags; /* per facet; empty if nothing tears */
    deformable_bend_tear_array bend_tears;
    uint32_t tear_flag_count;
    struct deformable_facet_bins facet_bins;
    BASE_ARRAY(vec4) rest_positions; /* of the vertices; empty if no vertices collide */
    struct deformable_vertex_hash vertex_hash;
    BASE_ARRAY(deformable_skin_weight) skin_weights;
    /* Per mesh vertex of a skin its first weight, and one more offset at the end of each body. */
    deformable_index_array skin_weight_offsets;
    deformable_index_array skin_triangles;
    /* The constraints of each vertex: shaders/shared/deformable.h. */
    deformable_index_array constraint_offsets, constraint_entries;
    BASE_ARRAY(struct deformable_cluster) clusters; /* their stiffness is per substep */
    BASE_ARRAY(struct deformable_member) members;
    BASE_ARRAY(struct deformable_membership) memberships;
    deformable_index_array membership_offsets;
    deformable_mass_array cluster_masses;
    BASE_ARRAY(deformable_vertex_link) links;
    deformable_buffers buffers;
    gpu_pipeline *pipelines[DEFORMABLE_SHADERS];
};

/* Cells of a soft body, in a box of cell_count[0] x cell_count[1] x cell_count[2] cells. x varies
 * fastest. */
typedef struct soft_body_cells {
    uint32_t cell_count[3];
    float step[3];         /* m: edges of a cell */
    double box_cell_count; /* number of cells in the box */
    uint8_t *in;           /* per cell: whether it is part of the body */
    uint32_t count;        /* number of cells of the body */
    uint32_t *piece;       /* per cell: number of its connected piece, from 1 */
    uint32_t *stack;
    /* Per corner of cells: its vertex, numbered from the body's first, or DEFORMABLE_NONE. */
    uint32_t *vertex;
    uint32_t surface;    /* number of vertices on the surface, which come first */
    double volume_ratio; /* volume of the shape over that of its cells */
} soft_body_cells;

/* A cloth, rope or soft body while it is built. */
typedef struct deformable_builder {
    deformable_set *set;
    const weir_log *log;
    const scene_deformable *deformable;
    uint32_t index;
    uint32_t first; /* its first vertex */
    soft_body_cells cells;
} deformable_builder;

/* Returns the name of the kind for messages. */
const char *deformable_kind_name(const scene_deformable *deformable);
/* Reports an error of the scene: "SOURCE:LINE:COLUMN: cloth 'name' ...". Returns SCENE. */
weir_result deformable_scene_fault(const deformable_builder *b, int line, int column,
                                   const char *format, ...) BASE_PRINTF(4, 5);
vec3 deformable_initial_position(const deformable_set *set, uint32_t vertex);
/* Appends a vertex, without mass for now. Returns false if memory is short. */
bool deformable_append_vertex(deformable_builder *b, vec3 p);

/* Appends vertices, triangles and masses. Errors: SCENE, IO, MEMORY. */
weir_result deformable_build_shape(deformable_builder *b, const solid_set *solids);
/* Builds vertices, surface and masses of a soft body, and its cells, which soft_body_free_lattice
 * releases. Errors: SCENE, MEMORY. */
weir_result soft_body_build_lattice(deformable_builder *b, const solid_set *solids);
void soft_body_free_lattice(deformable_builder *b);
/* Appends the constraints of a soft body. Errors: SCENE, MEMORY. */
weir_result soft_body_build_constraints(deformable_builder *b);
/* Appends the clusters of a soft body, without positions of their members. Errors: SCENE,
 * MEMORY. */
weir_result deformable_build_clusters(deformable_builder *b);
/* Computes positions and weights of all clusters' members, when pins are known. Errors: MEMORY. */
weir_result deformable_finish_clusters(deformable_set *set, const weir_log *log);
/* Appends the constraints between the vertices of a deformable. Errors: SCENE, MEMORY. */
weir_result deformable_build_constraints(deformable_builder *b);
/* Applies the scene's pins. Errors: SCENE, MEMORY. */
weir_result deformable_build_pins(deformable_builder *b, const solid_set *solids);
/* Assigns tear flags to the constraints of cloths and ropes that can tear. Errors: MEMORY. */
weir_result deformable_build_tear_flags(deformable_set *set, const weir_log *log);
/* Appends the tear flags to initial_states, when these have all vertices. Errors: MEMORY. */
weir_result deformable_append_tear_flags(deformable_set *set, const weir_log *log);
/* Return whether any vertices collide with each other, and whether those of one deformable do. */
bool deformable_has_contacts(const deformable_set *set);
bool deformable_has_self_contact(const deformable_set *set, uint32_t deformable);
/* Builds what contacts between vertices need. Errors: MEMORY. */
weir_result deformable_build_contacts(deformable_set *set, const weir_log *log);
/* Warns if cloths and ropes can pass between the vertices of a deformable. */
void deformable_warn_gaps(const deformable_set *set, const weir_log *log);
/* Rejects deformables that start deep in a solid, a body or a side of the domain. Warns of those
 * that start too near to one, and of soft bodies that overlap each other. Errors: SCENE, MEMORY. */
weir_result deformable_check_overlaps(deformable_set *set, const weir_log *log,
                                      const solid_set *solids);
/* Lists the facets with which fluid collides, and chooses the bins in which it finds them. Errors:
 * MEMORY. */
weir_result deformable_build_facets(deformable_set *set, const weir_log *log);
/* Colours and sorts all constraints, and lists those of each vertex. Errors: SCENE, MEMORY. */
weir_result deformable_colour_constraints(deformable_set *set, const weir_log *log);
/* Warns if a cloth or a rope will stretch under its own weight, or is too light for the fluid. */
void deformable_warn_stretch(const deformable_builder *b);

#endif
