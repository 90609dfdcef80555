/* Whitewater for tests: a fluid of points that the test places, and the whitewater in it. */
#ifndef WEIR_TESTS_WHITEWATER_SUPPORT_H
#define WEIR_TESTS_WHITEWATER_SUPPORT_H

#include "device_support.h"
#include "ref_whitewater.h"
#include "whitewater_internal.h"

/* Points on the host and on the device. */
typedef struct fluid {
    uint32_t count;
    vec4 *points, *velocities;
    uint32_t *ids;
    particle_view data;
} fluid;

fluid make_fluid(uint32_t room);
void free_fluid(fluid *f);
void upload_fluid(fluid *f);

/* Returns a number from -1 to 1 of a sequence that is the same in every run. */
float noise(uint32_t *state);

/* A lattice in a box, whose points are displaced by up to `jitter` spacings. */
typedef struct block {
    vec3 min, max, velocity;
    float spacing, jitter;
} block;

void add_block(fluid *f, block b);

/* A closed box of 2 m x 1 m x 1 m. */
whitewater_def box_def(float spacing);

whitewater *make_whitewater(const whitewater_def *def);

/* Runs the frame with this number; every frame lasts `dt`. */
void step_whitewater(whitewater *whitewater, const fluid *f, uint64_t number, float dt);

/* Downloads the whitewater particles; release with base_free. */
struct whitewater_particle *read_whitewater(const whitewater *whitewater);

/* Replaces all whitewater particles by those of the test. */
void place_whitewater(whitewater *whitewater, const struct whitewater_particle *particles,
                      uint32_t count);

struct whitewater_particle whitewater_at(uint32_t kind, vec3 place, vec3 velocity);

#endif
