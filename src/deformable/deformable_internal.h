/* deformable_internal: a set of cloths, ropes and soft bodies, and how it is built. */
#ifndef WEIR_DEFORMABLE_INTERNAL_H
#define WEIR_DEFORMABLE_INTERNAL_H

#include "deformable.h"

#include "deformable/shaders.h"

#include "shared/glue.h"

#include "shared/body.h"
#include "shared/deformable.h"
#include "shared/solid.h"

#define DEFORMABLE_MAX_COLOURS 64u /* at most */

typedef BASE_ARRAY(struct deformable_state) deformable_state_array;
typedef BASE_ARRAY(struct deformable_constraint) deformable_constraint_array;
typedef BASE_ARRAY(struct deformable_pin) deformable_pin_array;
typedef BASE_ARRAY(uint32_t) deformable_index_array;
typedef BASE_ARRAY(struct deformable_attachment) deformable_attachment_array;
typedef BASE_ARRAY(struct deformable_bend_tear) deformable_bend_tear_array;
typedef BASE_ARRAY(float) deformable_mass_array;

/* How far a vertex of the lattice carries one of the mesh that its body wears. */
typedef struct deformable_skin_weight {
    uint32_t vertex; /* from the body's first on */
    float weight;    /* their sum is 1 */
    vec3 offset;     /* m, at the start, from it */
} deformable_skin_weight;

/* Two vertices of one cell of a soft body that no bond joins. */
typedef struct deformable_vertex_link {
    uint32_t low, high;
} deformable_vertex_link;

struct deformable_set {
    const scene_data *scene; /* while the set is made; it may be gone later */
    uint32_t sweeps;         /* of the constraints in each iteration */
    bool jacobi;             /* or else Gauss-Seidel */
    uint32_t count;
    struct deformable_properties *properties; /* [count] */
    struct deformable_info *info;             /* likewise */
    deformable_state_array
        initial_states;               /* of the vertices, then flags: shaders/shared/deformable.h */
    deformable_mass_array masses;     /* kg, per vertex */
    deformable_index_array owners;    /* per vertex */
    deformable_index_array triangles; /* three vertices each */
    deformable_pin_array pins;
    deformable_attachment_array attachments; /* per vertex; none without bodies */
    deformable_constraint_array constraints; /* sorted by colour; a compliance below 0 is minus the
                         share of a substep, on the device that of a sweep */
    uint32_t
        colours[DEFORMABLE_MAX_COLOURS + 1]; /* the first bond of each, then how many there are */
    uint32_t colour_count;
    BASE_ARRAY(uvec4) facets; /* shaders/shared/deformable.h */
    BASE_ARRAY(vec2)
    drag_coefficients; /* shaders/shared/sim.h, per facet; none where nothing drags fluid */
    BASE_ARRAY(uvec4) facet_tear_flags; /* per facet; none where nothing tears */
    deformable_bend_tear_array bend_tears;
    uint32_t tear_flag_count;
    struct deformable_facet_bins facet_bins;
    BASE_ARRAY(vec4) rest_positions; /* of the vertices; none where no vertices meet */
    struct deformable_vertex_hash vertex_hash;
    BASE_ARRAY(deformable_skin_weight) skin_weights;
    deformable_index_array skin_weight_offsets; /* per vertex of a mesh that is worn, and behind the
                                                   last of each body */
    deformable_index_array skin_triangles;
    deformable_index_array constraint_offsets,
        constraint_entries; /* the bonds of each vertex: shaders/shared/deformable.h */
    BASE_ARRAY(struct deformable_cluster) clusters; /* their share is that of a substep */
    BASE_ARRAY(struct deformable_member) members;
    BASE_ARRAY(struct deformable_membership) memberships;
    deformable_index_array membership_offsets;
    deformable_mass_array cluster_masses;
    BASE_ARRAY(deformable_vertex_link) links;
    gpu_buffer *properties_buffer, *states, *displacements, *owner_buffer, *pin_buffer,
        *constraint_buffer;
    gpu_buffer *multipliers, *colour_buffer, *constraint_impulses, *constraint_offset_buffer,
        *constraint_entry_buffer;
    gpu_buffer *facet_buffer, *facet_bin_heads, *facet_bin_links, *facet_bin_buffer, *impulse_sums,
        *attachment_buffer, *contact_bodies;
    gpu_buffer *drag_coefficient_buffer, *facet_tear_flag_buffer, *bend_tear_buffer;
    gpu_buffer *cluster_buffer, *member_buffer, *membership_buffer, *membership_offset_buffer,
        *cluster_mass_buffer;
    gpu_buffer *cluster_transforms;
    gpu_buffer *vertex_hash_heads, *vertex_hash_links, *rest_position_buffer, *contact_candidates,
        *vertex_contact_counts, *vertex_contact_impulses, *vertex_hash_buffer;
    gpu_pipeline *pipelines[DEFORMABLE_SHADERS];
};

/* The cells of a soft body, those of a box of n[0] n[1] n[2]: x counts first. */
typedef struct soft_body_cells {
    uint32_t cell_count[3];
    float step[3];         /* m: their edges */
    double box_cell_count; /* how many the box has */
    uint8_t *in;           /* per cell: it is part of the body */
    uint32_t count;        /* of those */
    uint32_t *piece;       /* per cell: the piece of the body, from 1 on, that it is of */
    uint32_t *stack;
    uint32_t
        *vertex; /* per corner of cells: its vertex, from the body's first on, or DEFORMABLE_NONE */
    uint32_t surface;    /* how many vertices are on the surface: the first */
    double volume_ratio; /* of the shape's volume over that of its cells */
} soft_body_cells;

/* One cloth, rope or soft body while it is built. */
typedef struct deformable_builder {
    deformable_set *set;
    const weir_log *log;
    const scene_deformable *deformable;
    uint32_t index;
    uint32_t first; /* of its vertices */
    soft_body_cells cells;
} deformable_builder;

const char *deformable_kind_name(const scene_deformable *deformable); /* as messages call it */
/* "SOURCE:LINE:COLUMN: cloth 'name' ...", an error of the scene. */
weir_result deformable_scene_fault(const deformable_builder *b, int line, int column,
                                   const char *format, ...) BASE_PRINTF(4, 5);
vec3 deformable_initial_position(const deformable_set *set, uint32_t vertex);
/* Appends a vertex that has no mass yet; false when memory is short. */
bool deformable_append_vertex(deformable_builder *b, vec3 p);

/* Appends vertices, triangles and masses. Errors: SCENE, IO, MEMORY. */
weir_result deformable_build_shape(deformable_builder *b, const solid_set *solids);
/* The vertices, surface and masses of a soft body, and its cells, which are to be released. Errors:
 * SCENE, MEMORY. */
weir_result soft_body_build_lattice(deformable_builder *b, const solid_set *solids);
void soft_body_free_lattice(deformable_builder *b);
/* Appends its constraints. Errors: SCENE, MEMORY. */
weir_result soft_body_build_constraints(deformable_builder *b);
/* Appends its clusters, without places. Errors: SCENE, MEMORY. */
weir_result deformable_build_clusters(deformable_builder *b);
/* Gives all clusters' members their places and weights, when pins are known. Errors: MEMORY. */
weir_result deformable_finish_clusters(deformable_set *set, const weir_log *log);
/* Appends the constraints between them. Errors: SCENE, MEMORY. */
weir_result deformable_build_constraints(deformable_builder *b);
/* Holds what the scene pins. Errors: SCENE, MEMORY. */
weir_result deformable_build_pins(deformable_builder *b, const solid_set *solids);
/* Gives the bonds of cloths and ropes that tear their flags. Errors: MEMORY. */
weir_result deformable_build_tear_flags(deformable_set *set, const weir_log *log);
/* Appends the flags to the starts, when these have all vertices. Errors: MEMORY. */
weir_result deformable_append_tear_flags(deformable_set *set, const weir_log *log);
/* Do any vertices meet each other? Those of one cloth or rope? */
bool deformable_has_contacts(const deformable_set *set);
bool deformable_has_self_contact(const deformable_set *set, uint32_t deformable);
/* What they need for it. Errors: MEMORY. */
weir_result deformable_build_contacts(deformable_set *set, const weir_log *log);
/* Warns where others pass between vertices. */
void deformable_warn_gaps(const deformable_set *set, const weir_log *log);
/* Refuses what starts deep in a solid, a body or a side, and warns of what is too near to them, and
 * of soft bodies in each other. Errors: SCENE, MEMORY. */
weir_result deformable_check_overlaps(deformable_set *set, const weir_log *log,
                                      const solid_set *solids);
/* Lists what fluid meets, and chooses the cells that it is found in. Errors: MEMORY. */
weir_result deformable_build_facets(deformable_set *set, const weir_log *log);
/* Colours and sorts the bonds of all, and lists those of each vertex. Errors: SCENE, MEMORY. */
weir_result deformable_colour_constraints(deformable_set *set, const weir_log *log);
/* Warns where a cloth or a rope will stretch by its own weight, or is too light for the fluid. */
void deformable_warn_stretch(const deformable_builder *b);

#endif
