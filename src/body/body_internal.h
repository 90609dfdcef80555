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
void body_set_free(body_set *set); /* what those two have made */

#endif
