/* foam: whitewater over any points with velocities; knows nothing of who moves them. Spray flies,
 * foam rides on the surface, bubbles rise; they are born where the fluid traps air, breaks in
 * crests or whirls. Once a frame, on the device. The same bits in every run, whatever the
 * capacities. Kernels: shaders/whitewater; layouts: shaders/shared/whitewater.h; every number:
 * docs/whitewater.md. */
#ifndef WEIR_WHITEWATER_MODULE_H
#define WEIR_WHITEWATER_MODULE_H

#include "grid.h"
#include "solid.h"

#include "shared/whitewater.h"

typedef struct whitewater whitewater;

typedef struct whitewater_def {
    vec3 min, max; /* m: the domain */
    bool periodic[3];
    bool closed_sides[6]; /* sides -x +x -y +y -z +z; those neither closed nor periodic are open */
    float friction;       /* of closed sides */
    float spacing_m;      /* of the fluid's points */
    float length_m;       /* L: how high the fluid falls or stands */
    float factors[3];     /* of the births, by cause: WHITEWATER_TRAPPED_AIR and so on */
    float lifetime_s[2];
    float radius_m; /* mean */
    float rise;     /* m/s: of bubbles */
    uint32_t seed;
    uint32_t limit;          /* most particles of whitewater */
    uint32_t capacity;       /* for which there is room at first; 0: the usual */
    const solid_set *solids; /* which must outlive the foam; NULL: none */
} whitewater_def;

/* Errors: MEMORY; ARGUMENT (as grid_create). */
weir_result whitewater_create(gpu_device *device, const whitewater_def *def, whitewater **out);
void whitewater_destroy(whitewater **pointer);

/* The end of a frame of the fluid. */
typedef struct whitewater_frame {
    const particle_view *points; /* position, velocity and id are used */
    vec3 gravity;                /* m/s2, not 0 */
    double time_s;
    float dt_s;      /* since the frame before, above 0 */
    uint64_t number; /* the same number draws the same random numbers */
    /* Where the item of each body of the solids is at the frame's end; NULL: bodies are left out */
    const scene_pose *bodies;
} whitewater_frame;

/* Where bodies are when the next frame begins, after whitewater_create and whitewater_restore;
 * NULL: not known, and they do not move in that frame. Each frame begins where the one before has
 * ended. */
void whitewater_set_body_poses(whitewater *f, const scene_pose *bodies);

/* Moves the whitewater to the frame's end, and adds what was born in it. Waits. A buffer that is
 * too small grows, and the births are done again; where memory is short, fewer are born from then
 * on, and a warning says so. Errors: MEMORY, DEVICE_LOST; the whitewater is
 * then that of the frame before. */
weir_result whitewater_step(whitewater *f, const whitewater_frame *frame);

/* What births of a frame would depend on: kinetic energy, trapped air, crests and curl of each
 * point that the grid holds, in units of the scene's speed and length; below 0 of fluid that makes
 * no whitewater. Nothing moves. `potentials` has room for all points; *count is how many there are.
 */
weir_result whitewater_read_potentials(whitewater *f, const whitewater_frame *frame,
                                       vec4 *potentials, uint32_t *count);
/* Of each: where births begin, and where there are most. */
void whitewater_get_scales(float begin[WHITEWATER_POTENTIALS], float most[WHITEWATER_POTENTIALS]);

/* What there is. */
typedef struct whitewater_counts {
    uint32_t alive[WHITEWATER_KINDS];
    uint32_t emitted[WHITEWATER_CAUSES]; /* in the last frame */
} whitewater_counts;
uint32_t whitewater_count(const whitewater *f); /* of all kinds */
whitewater_counts whitewater_get_counts(const whitewater *f);
/* The particles on the device: struct whitewater_particle[whitewater_count], until the next step.
 */
gpu_buffer *whitewater_particles(const whitewater *f);
/* The particles, whitewater_count of them, the oldest first. Waits. */
weir_result whitewater_read(const whitewater *f, struct whitewater_particle *particles);

/* As sim_pass_times, of two tables: the motion of a frame, and its births. Each whole table, then
 * its rows; none before the first frame. Waits. Errors: DEVICE_LOST. */
weir_result whitewater_pass_times(whitewater *f, weir_pass_time *times, uint32_t *count);
void whitewater_pass_times_reset(whitewater *f);
/* The rows of a frame over these points. Errors: MEMORY. */
weir_result whitewater_explain(whitewater *f, const particle_view *points,
                               void (*write)(void *user, const char *line), void *user);

/* What a checkpoint needs beside the particles, in 32-bit words. */
typedef struct whitewater_saved {
    uint32_t next_id, count;
    whitewater_counts counts;
} whitewater_saved;
whitewater_saved whitewater_save(const whitewater *f);
/* Puts saved whitewater in place of what there is. Errors: ARGUMENT for numbers that cannot be;
 * MEMORY. */
weir_result whitewater_restore(whitewater *f, const whitewater_saved *saved,
                               const struct whitewater_particle *particles);

#endif
