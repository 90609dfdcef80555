/* body_internal: defines a set of bodies and declares the functions that measure shapes. */
#ifndef WEIR_BODY_INTERNAL_H
#define WEIR_BODY_INTERNAL_H

#include "body.h"

#include "body/shaders.h"

#include "shared/glue.h"

#include "shared/grid.h"
#include "shared/sim.h"
#include "shared/solid.h"

typedef BASE_ARRAY(struct body_sample) body_samples;

struct body_set {
    const scene_data *scene;
    uint32_t count;
    struct body_properties *properties;    /* [count] */
    struct body_state *initial_states;     /* [count] */
    body_mass_properties *mass_properties; /* [count] */
    body_samples samples;
    body_broad_phase broad_phase;
    body_buffers buffers;
    gpu_pipeline *pipelines[BODY_SHADERS];
};

/* Fills in properties, initial_states, mass_properties and samples. Errors: SCENE, MEMORY. */
weir_result body_set_compute_properties(body_set *set, const weir_log *log,
                                        const solid_set *solids);
/* Rejects bodies that overlap a wall or another body at the start. Errors: SCENE, MEMORY. */
weir_result body_set_check_overlaps(const body_set *set, const weir_log *log,
                                    const solid_set *solids);

/* Inverts a symmetric matrix. Order of the elements: xx, yy, zz, xy, xz, yz. */
void body_invert_symmetric(const double of[6], double inverse[6]);

/* A scalar field and the context that is passed to it. */
typedef struct body_scalar_field {
    float (*value)(const void *of, vec3 p);
    const void *of;
} body_scalar_field;
/* Climbs from *at to a nearby maximum of a field, and returns its value. The step is halved
 * `halvings` times; no step of the last size leads higher. */
float body_maximize_field(const body_scalar_field *field, float step, int halvings, vec3 *at);

/* A shape at its pose, with two bounding boxes: one along the world's axes, and one that for a box
 * shape is along its own axes. */
typedef struct body_collider {
    const char *kind, *name;
    uint32_t shape, group;
    /* Pose of a shape that a motion has moved or turned. */
    vec3 position;
    quat rotation;
    bool turned;
    vec3 low, high;
    vec3 middle, axes[3]; /* axes: of the second box, as long as half of its edges */
} body_collider;
float body_collider_distance(const solid_set *solids, const body_collider *thing, vec3 p);
/* Returns whether the bounding boxes separate when one moves along an axis of a box by no more than
 * `gap`, m. */
bool body_boxes_separated(const body_collider *a, const body_collider *b, float gap);

/* Cells of one size; the search ends if it needs more. */
#define BODY_PENETRATION_MAX_CELLS 4096u
typedef struct body_penetration_scratch {
    /* centres of cells: of this size, and of the next */
    vec3 cells[2][BODY_PENETRATION_MAX_CELLS];
    vec2 depths[BODY_PENETRATION_MAX_CELLS]; /* of a cell's centre in both colliders, m */
} body_penetration_scratch;
/* Returns how far one of two colliders with overlapping boxes must be moved at least to separate
 * them, m; `min_depth` if that is not more. */
float body_penetration_depth(const solid_set *solids, const body_collider *const things[2],
                             body_penetration_scratch *scratch, float min_depth);

/* Frees what body_set_compute_properties has allocated. */
void body_set_free(body_set *set);

#endif
