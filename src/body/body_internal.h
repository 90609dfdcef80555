/* body_internal: a set of bodies, and how shapes are measured. */
#ifndef WEIR_BODY_INTERNAL_H
#define WEIR_BODY_INTERNAL_H

#include "body.h"

#include "body/shaders.h"

#include "shared/glue.h"

#include "shared/body.h"
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
    gpu_buffer *bodies, *states, *iterated_states, *impulse_sums, *sample_buffer, *contacts,
        *cached_forces, *candidates;
    gpu_buffer *broad_phase_cells, *spheres, *selected_samples, *queues, *mouse_joint,
        *fluid_impulses;
    gpu_pipeline *pipelines[BODY_SHADERS];
};

/* Fills makes, starts, figures and samples. Errors: SCENE, MEMORY. */
weir_result body_set_compute_properties(body_set *set, const weir_log *log,
                                        const solid_set *solids);
/* Refuses bodies that overlap a wall or another body at the start. Errors: SCENE, MEMORY. */
weir_result body_set_check_overlaps(const body_set *set, const weir_log *log,
                                    const solid_set *solids);

/* The inverse of a symmetric matrix: xx, yy, zz, xy, xz, yz. */
void body_invert_symmetric(const double of[6], double inverse[6]);

/* A field of which a high place is sought, and what it is of. */
typedef struct body_scalar_field {
    float (*value)(const void *of, vec3 p);
    const void *of;
} body_scalar_field;
/* From a point up, in steps that are halved so often: the height where no step leads higher. */
float body_maximize_field(const body_scalar_field *field, float step, int halvings, vec3 *at);

/* A shape at its place, and two boxes about it there: along the world's axes, and of a
 * shape that is a box itself in its own. */
typedef struct body_collider {
    const char *kind, *name;
    uint32_t shape, group;
    vec3 position; /* of a shape that a motion has moved or turned */
    quat rotation;
    bool turned;
    vec3 low, high;
    vec3 middle, axes[3]; /* the latter as long as half of the box */
} body_collider;
float body_collider_distance(const solid_set *solids, const body_collider *thing, vec3 p);
/* Their boxes part when one moves along an axis of a box by no more than `gap`. */
bool body_boxes_separated(const body_collider *a, const body_collider *b, float gap);

#define BODY_PENETRATION_MAX_CELLS 4096u /* of one size; where more are needed, the search ends */
typedef struct body_penetration_scratch {
    vec3 cells[2][BODY_PENETRATION_MAX_CELLS]; /* middles: of this size and of the next */
    vec2 depths[BODY_PENETRATION_MAX_CELLS];   /* of a middle in either thing, m */
} body_penetration_scratch;
/* How far one of two things whose boxes meet must be moved at least until they part, m; `least`
 * where that is not more. */
float body_penetration_depth(const solid_set *solids, const body_collider *const things[2],
                             body_penetration_scratch *room, float least);

void body_set_free(body_set *set); /* what those two have made */

#endif
