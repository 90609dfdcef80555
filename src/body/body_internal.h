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
    struct body_make *makes;   /* [count] */
    struct body_state *starts; /* [count] */
    body_figures *figures;     /* [count] */
    body_samples samples;
    body_cells cells;
    gpu_buffer *bodies, *states, *iterates, *sums, *sample_buffer, *contacts, *holds, *near;
    gpu_buffer *cell_words, *spheres, *sifted, *queues, *hand, *pushes;
    gpu_kernel *kernels[BODY_SHADERS];
};

/* Fills makes, starts, figures and samples. Errors: SCENE, MEMORY. */
weir_result body_set_measure(body_set *set, const weir_log *log, const solid_set *solids);
/* Refuses bodies that overlap a wall or another body at the start. Errors: SCENE, MEMORY. */
weir_result body_set_check(const body_set *set, const weir_log *log, const solid_set *solids);

/* The inverse of a symmetric matrix: xx, yy, zz, xy, xz, yz. */
void body_invert(const double of[6], double inverse[6]);

/* A field of which a high place is sought, and what it is of. */
typedef struct body_field {
    float (*value)(const void *of, vec3 p);
    const void *of;
} body_field;
/* From a point up, in steps that are halved so often: the height where no step leads higher. */
float body_climb(const body_field *field, float step, int halvings, vec3 *at);

/* A shape at its place, and two boxes about it there: along the world's axes, and of a
 * shape that is a box itself in its own. */
typedef struct body_thing {
    const char *kind, *name;
    uint32_t shape, group;
    vec3 position; /* of a shape that a motion has moved or turned */
    quat rotation;
    bool turned;
    vec3 low, high;
    vec3 middle, axes[3]; /* the latter as long as half of the box */
} body_thing;
float body_thing_distance(const solid_set *solids, const body_thing *thing, vec3 p);
/* Their boxes part when one moves along an axis of a box by no more than `gap`. */
bool body_boxes_part(const body_thing *a, const body_thing *b, float gap);

#define BODY_MEET_CELLS_MOST 4096u /* of one size; where more are needed, the search ends */
typedef struct body_meet_room {
    vec3 cells[2][BODY_MEET_CELLS_MOST]; /* middles: of this size and of the next */
    vec2 depths[BODY_MEET_CELLS_MOST];   /* of a middle in either thing, m */
} body_meet_room;
/* How far one of two things whose boxes meet must be moved at least until they part, m; `least`
 * where that is not more. */
float body_meet(const solid_set *solids, const body_thing *const things[2], body_meet_room *room,
                float least);

void body_set_free(body_set *set); /* what those two have made */

#endif
