/* whitewater: simulates spray, foam, bubbles and tracers on any particles with velocities,
 * independent of the solver that moves these.
 *
 * Spray flies, foam rides on the surface, and bubbles rise. They are emitted where the fluid
 * traps air, breaks in crests or whirls. Each frame is one step on the device. Every run gives
 * the same bits, whatever the capacities. Shaders: shaders/whitewater; layouts:
 * shaders/shared/whitewater.h; every number: docs/whitewater.md. */
#ifndef WEIR_WHITEWATER_MODULE_H
#define WEIR_WHITEWATER_MODULE_H

#include "grid.h"
#include "solid.h"

#include "shared/whitewater.h"

typedef struct whitewater whitewater;

typedef struct whitewater_def {
    vec3 min, max; /* m, of the domain */
    bool periodic[3];
    /* sides -x +x -y +y -z +z; sides neither closed nor periodic are open */
    bool closed_sides[6];
    float friction;   /* of closed sides */
    float spacing_m;  /* of the fluid's particles */
    float length_m;   /* L: height from which the fluid falls, or to which it stands */
    float factors[3]; /* factors on emission by cause, such as WHITEWATER_TRAPPED_AIR */
    float lifetime_s[2];
    float radius_m; /* mean radius of a particle */
    float rise;     /* m/s: speed at which bubbles rise */
    uint32_t seed;
    uint32_t limit;          /* maximum number of whitewater particles */
    uint32_t capacity;       /* initial capacity, in particles; 0: default */
    const solid_set *solids; /* must outlive the whitewater; NULL: none */
    /* of the fluid's particles; whitewater keeps the values that its parent had at its birth */
    base_attributes attributes;
    float initial_attributes[BASE_ATTRIBUTE_COMPONENTS]; /* of what emitters add */
    /* Their shapes are among `solids`; must outlive the whitewater. `source`: for messages. */
    const scene_whitewater_emitter *emitters;
    uint32_t emitter_count;
    const char *source;
} whitewater_def;

/* Creates whitewater without particles. Errors: MEMORY; ARGUMENT (as grid_create); SCENE (the shape
 * of an emitter has no inside). */
weir_result whitewater_create(gpu_device *device, const whitewater_def *def, whitewater **out);
void whitewater_destroy(whitewater **pointer);

/* State of the fluid at the end of a frame. */
typedef struct whitewater_frame {
    /* Position, velocity, id and, if the def has any, the same attributes are read. */
    const particle_view *points;
    vec3 gravity; /* m/s2, not 0 */
    double time_s;
    double last_s;   /* time of the last frame, before time_s */
    uint64_t number; /* seeds the random numbers: the same number draws the same ones */
    /* Poses of the bodies' items at the end of the frame; NULL: bodies are ignored */
    const scene_pose *bodies;
} whitewater_frame;
static inline float whitewater_frame_seconds(const whitewater_frame *frame)
{
    return (float)(frame->time_s - frame->last_s);
}

/* Sets the poses of bodies at the start of the next frame. Call it after whitewater_create and
 * whitewater_restore; later frames start from the poses at the end of the last one. NULL: the poses
 * are unknown, and bodies do not move in the next frame. */
void whitewater_set_body_poses(whitewater *f, const scene_pose *bodies);

/* Moves the whitewater to the end of the frame, and adds the particles emitted in it. Waits. If a
 * buffer is too small, it grows, and the emission is run again. If memory is short, fewer particles
 * are emitted from then on, with a warning. Errors: MEMORY, DEVICE_LOST; the whitewater is then
 * that of the last frame. */
weir_result whitewater_step(whitewater *f, const whitewater_frame *frame);

/* Computes what the emission of a frame would depend on, without moving anything: kinetic energy,
 * trapped air, crests and curl of each fluid particle in the grid, in units of the scene's speed
 * and length; negative for fluid that makes no whitewater. `potentials` has room for all particles;
 * *count receives their number. */
weir_result whitewater_read_potentials(whitewater *f, const whitewater_frame *frame,
                                       vec4 *potentials, uint32_t *count);
/* Returns for each potential the value at which emission begins, and the value at which it is
 * largest. */
void whitewater_get_scales(float begin[WHITEWATER_POTENTIALS], float most[WHITEWATER_POTENTIALS]);

/* Numbers of whitewater particles by kind, and of emitted ones by cause. */
typedef struct whitewater_counts {
    uint32_t alive[WHITEWATER_KINDS];
    uint32_t emitted[WHITEWATER_CAUSES]; /* in the last frame */
} whitewater_counts;
uint32_t whitewater_count(const whitewater *f); /* of all kinds */
whitewater_counts whitewater_get_counts(const whitewater *f);
/* Returns the device buffer of particles: struct whitewater_particle[whitewater_count], valid until
 * the next step. */
gpu_buffer *whitewater_particles(const whitewater *f);
/* Copies the particles, [whitewater_count], oldest first. Waits. */
weir_result whitewater_read(const whitewater *f, struct whitewater_particle *particles);
const base_attributes *whitewater_get_attributes(const whitewater *f);
/* Returns the number of vectors that hold a particle's attributes, in the order of their
 * components. */
uint32_t whitewater_attribute_vectors(const whitewater *f);
/* Copies the attributes, [whitewater_count][whitewater_attribute_vectors]. Waits. */
weir_result whitewater_read_attributes(const whitewater *f, vec4 *attributes);

/* Reports GPU times like sim_pass_times, for two pass lists: the motion of a frame, and its
 * emission. Each list is reported in total, then by pass; there are none before the first frame.
 * Waits. Errors: DEVICE_LOST. */
weir_result whitewater_pass_times(whitewater *f, weir_pass_time *times, uint32_t *count);
void whitewater_pass_times_reset(whitewater *f);
/* Describes the pass lists of a frame over these points. Errors: MEMORY. */
weir_result whitewater_explain(whitewater *f, const particle_view *points, gpu_explainer *e);

/* State that a checkpoint needs besides the particles, in 32-bit words. The numbers of living ones
 * follow from the particles. */
typedef struct whitewater_saved {
    uint32_t next_id, count;
    uint32_t unused[3]; /* numbers by kind in checkpoints of earlier versions */
    uint32_t emitted[WHITEWATER_CAUSES];
} whitewater_saved;
whitewater_saved whitewater_save(const whitewater *f);
/* Replaces the whitewater by a saved state. `attributes`: as whitewater_read_attributes has them.
 * Errors: ARGUMENT for invalid numbers; MEMORY. */
weir_result whitewater_restore(whitewater *f, const whitewater_saved *saved,
                               const struct whitewater_particle *particles, const vec4 *attributes);

#endif
