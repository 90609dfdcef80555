/* foam: whitewater over any points with velocities; knows nothing of who moves them. Spray flies,
 * foam rides on the surface, bubbles rise; they are born where the fluid traps air, breaks in
 * crests or whirls. Once a frame, on the device. The same bits in every run, whatever the
 * capacities. Kernels: shaders/foam; layouts: shaders/shared/foam.h; every number:
 * docs/whitewater.md. */
#ifndef WEIR_FOAM_H
#define WEIR_FOAM_H

#include "grid.h"
#include "solid.h"

#include "shared/foam.h"

typedef struct foam foam;

typedef struct foam_def {
    vec3 min, max; /* m: the domain */
    bool periodic[3];
    bool closed[6];   /* sides -x +x -y +y -z +z; those neither closed nor periodic are open */
    float friction;   /* of closed sides */
    float spacing_m;  /* of the fluid's points */
    float length_m;   /* L: how high the fluid falls or stands */
    float factors[3]; /* of the births, by cause: FOAM_TRAPPED and so on */
    float lifetime_s[2];
    float radius_m; /* mean */
    float rise;     /* m/s: of bubbles */
    uint32_t seed;
    uint32_t limit;          /* most particles of whitewater */
    uint32_t capacity;       /* for which there is room at first; 0: the usual */
    const solid_set *solids; /* which must outlive the foam; NULL: none */
} foam_def;

/* Errors: MEMORY; ARGUMENT (as grid_create). */
weir_result foam_create(gpu_device *device, const foam_def *def, foam **out);
void foam_destroy(foam **pointer);

/* The end of a frame of the fluid. */
typedef struct foam_frame {
    const grid_points *points; /* position, velocity and id are used */
    vec3 gravity;              /* m/s2, not 0 */
    double time_s;
    float dt_s;      /* since the frame before, above 0 */
    uint64_t number; /* the same number draws the same random numbers */
    /* Where the item of each body of the solids is at the frame's end; NULL: bodies are left out */
    const scene_pose *bodies;
} foam_frame;

/* Where bodies are when the next frame begins, after foam_create and foam_restore; NULL: not known,
 * and they do not move in that frame. Each frame begins where the one before has ended. */
void foam_start_bodies(foam *f, const scene_pose *bodies);

/* Moves the whitewater to the frame's end, and adds what was born in it. Waits. A buffer that is
 * too small grows, and the births are done again; where memory is short, fewer are born from then
 * on, and a warning says so. Errors: MEMORY, DEVICE_LOST; the whitewater is
 * then that of the frame before. */
weir_result foam_step(foam *f, const foam_frame *frame);

/* What births of a frame would depend on: kinetic energy, trapped air, crests and curl of each
 * point that the grid holds, in units of the scene's speed and length; below 0 of fluid that makes
 * no whitewater. Nothing moves. `potentials` has room for all points; *count is how many there are.
 */
weir_result foam_probe(foam *f, const foam_frame *frame, vec4 *potentials, uint32_t *count);
/* Of each: where births begin, and where there are most. */
void foam_bounds(float begin[FOAM_POTENTIALS], float most[FOAM_POTENTIALS]);

/* What there is. */
typedef struct foam_counts {
    uint32_t alive[FOAM_KINDS];
    uint32_t born[FOAM_CAUSES]; /* in the last frame */
} foam_counts;
uint32_t foam_count(const foam *f); /* of all kinds */
foam_counts foam_get_counts(const foam *f);
/* The particles on the device: struct foam_particle[foam_count], until the next step. */
gpu_buffer *foam_buffer(const foam *f);
/* The particles, foam_count of them, the oldest first. Waits. */
weir_result foam_read(const foam *f, struct foam_particle *particles);

/* As sim_row_times, of two tables: the motion of a frame, and its births. Each whole table, then
 * its rows; none before the first frame. Waits. Errors: DEVICE_LOST. */
weir_result foam_row_times(foam *f, weir_row_time *times, uint32_t *count);
void foam_row_times_reset(foam *f);
/* The rows of a frame over these points. Errors: MEMORY. */
weir_result foam_explain(foam *f, const grid_points *points,
                         void (*write)(void *user, const char *line), void *user);

/* What a checkpoint needs beside the particles, in 32-bit words. */
typedef struct foam_saved {
    uint32_t next_id, count;
    foam_counts counts;
} foam_saved;
foam_saved foam_save(const foam *f);
/* Puts saved whitewater in place of what there is. Errors: ARGUMENT for numbers that cannot be;
 * MEMORY. */
weir_result foam_restore(foam *f, const foam_saved *saved, const struct foam_particle *particles);

#endif
