/* Whitewater: spray, foam and bubbles carried by fluid particles with velocities. Once per frame,
 * the fluid's particles are sorted into bins; their normals and then their emission are computed;
 * the whitewater moves and changes its kind; survivors and emitted particles are merged.
 * docs/whitewater.md explains every number. */
#ifndef WEIR_SHARED_WHITEWATER_H
#define WEIR_SHARED_WHITEWATER_H

#include "glue.h"

/* Kinds of whitewater, with the values used in files. */
#define WHITEWATER_SPRAY 0u
#define WHITEWATER_FOAM 1u
#define WHITEWATER_BUBBLE 2u
#define WHITEWATER_TRACER 3u
#define WHITEWATER_KINDS 4u

/* Causes of emission. */
#define WHITEWATER_TRAPPED_AIR 0u
#define WHITEWATER_CREST 1u
#define WHITEWATER_CURL 2u
#define WHITEWATER_CAUSES 3u

/* Number of potentials that emission depends on, in the order of their vectors. */
#define WHITEWATER_POTENTIALS 4u

/* Maximum number of particles that one fluid particle emits in one frame by one cause: a bound for
 * scenes that request more whitewater than any memory holds. */
#define WHITEWATER_MAX_EMITTED 1000u

/* Streams of random numbers: the third word of their counter. */
#define WHITEWATER_RANDOM_COUNTS 0u
#define WHITEWATER_RANDOM_LANDING 1u
/* and 3; then 4 and 5 for the next emission of the same particle */
#define WHITEWATER_RANDOM_EMIT 2u

/* Exclusive or with the seed, of what emitters add. */
#define WHITEWATER_RANDOM_EMITTERS 0x9e3779b9u

/* Fluid fractions within a sphere of radius h; 0.5 at a flat surface. Spray below the first,
 * bubbles above the second; a particle leaves its kind only 10 % beyond the bound (hysteresis). */
#define WHITEWATER_SPRAY_FRACTION 0.3f
#define WHITEWATER_BUBBLE_FRACTION 0.63f
#define WHITEWATER_KIND_HYSTERESIS 0.1f
#define WHITEWATER_MIN_PARENT_FRACTION 0.2f /* fluid below this fraction emits no whitewater */
#define WHITEWATER_MAX_PARENT_DEPTH 0.05f   /* in d: nor does fluid deeper in a solid */
/* a particle whose fraction of missing neighbours is larger is at the surface */
#define WHITEWATER_SURFACE_THRESHOLD 0.2f
/* Fluid above this fraction is inside, whatever neighbours it lacks: it is the fraction at the
 * depth under a flat surface where the threshold above is reached. Clumps and gaps inside irregular
 * fluid are not a surface. */
#define WHITEWATER_MAX_SURFACE_FRACTION 0.79f
/* minimum cosine between velocity and normal at which a crest breaks */
#define WHITEWATER_CREST_COSINE 0.6f
/* in d: maximum distance that foam is moved to the surface in a frame */
#define WHITEWATER_MAX_SURFACE_PULL 0.25f
/* fraction of landing spray that becomes foam; the rest is removed */
#define WHITEWATER_LANDING_PROBABILITY 0.7f
#define WHITEWATER_SLOW_AGING 0.5f /* rate at which spray and bubbles age, over that of foam */
#define WHITEWATER_SPREAD 0.05f    /* lateral velocity at emission over the parent's speed */
/* collision steps after which a particle between boundaries is removed */
#define WHITEWATER_COLLISION_STEPS 6u
#define WHITEWATER_MIN_RADIUS 0.5f /* smallest radius over the mean; the largest is 1.5 */

#define WHITEWATER_INITIAL_VECTORS 4u /* of the attributes of a particle */

#ifdef __STDC_VERSION__
/* Binding numbers of whitewater_buffers.def; the build generates the same numbers for GLSL. */
enum {
#define BUFFER(name, type, count) WHITEWATER_BIND_##name,
#define EXTERNAL(name, type, amount, owner) WHITEWATER_BIND_##name,
#include "whitewater_buffers.def"
    WHITEWATER_BINDINGS
};
#endif

/* Specialization constants: id and name; the first three are those of the grid's bins. */
#define WHITEWATER_CONSTANTS(FLAG, NUMBER) \
    FLAG(1, PERIODIC)                      \
    FLAG(2, DENSE)                         \
    NUMBER(3, PARTICLE_WORKGROUP)          \
    FLAG(4, HAS_SOLIDS)                    \
    NUMBER(5, ATTRIBUTE_VECTORS) /* of a particle's attributes */

struct whitewater_particle {
    vec4 position;  /* xyz m; w: radius m */
    vec4 velocity;  /* xyz m/s; w: age s */
    uint id;        /* unique among living particles */
    uint kind;      /* WHITEWATER_SPRAY ... */
    float lifetime; /* s */
    uint parent;    /* id of the fluid particle that emitted it; 0xffffffff: an emitter did */
};
WEIR_SIZE_CHECK(struct whitewater_particle, 48);

struct whitewater_params {
    vec4 domain_min, domain_max; /* xyz m */
    vec4 period;                 /* xyz m on periodic axes, 0 elsewhere */
    vec4 gravity;                /* xyz m/s2 */
    vec4 up; /* xyz unit, opposite to gravity; w m/s: rising velocity of bubbles */
    /* of kinetic energy (v^2, m2/s2), trapped air (m/s), crests and curl (1/s): the value at which
     * emission starts, and 1 over the difference to the value at which it is at its maximum */
    vec4 thresholds, inverse_ranges;
    vec4 rates; /* maximum emission of a particle in the frame by trapped air, crests and curl */
    float h;    /* m: radius of the neighbourhood */
    float inverse_h;                   /* 1/m */
    float inverse_full;                /* 1 over the sum of weights of a full neighbourhood */
    float spacing;                     /* d, m */
    float dt;                          /* s: of the frame */
    float lifetime_low, lifetime_high; /* s */
    float radius;                      /* m: mean radius of whitewater */
    float drag;                        /* of spray: deceleration times radius over speed squared */
    float relaxation;    /* s: time constant with which a bubble approaches its terminal velocity */
    float friction;      /* of closed sides */
    uint closed_sides;   /* bit 2 axis + (0 lower, 1 upper): that side is closed */
    uint point_count;    /* fluid particles */
    uint particle_count; /* whitewater particles before the frame */
    uint capacity;
    uint frame, seed; /* of the random numbers */
    uint next_id;
    uint solid_count;
    float min_energy;            /* m2/s2: other potentials are computed only above this v^2 */
    uint emitter_particle_count; /* particles that emitters add in the frame */
    uint pad0, pad1, pad2;
    vec4 initial_attributes[WHITEWATER_INITIAL_VECTORS]; /* of these particles */
};
WEIR_SIZE_CHECK(struct whitewater_params, 288);

struct whitewater_counters {
    uint arguments[3];   /* VkDispatchIndirectCommand over the emitted particles */
    uint emission_count; /* particles emitted in the frame, then those of emitters */
    uint survivors;
    uint count; /* after the frame; if above the capacity, nothing is written */
    uint emitted[WHITEWATER_CAUSES]; /* by cause */
    uint alive[WHITEWATER_KINDS];    /* by kind, after the frame */
};
WEIR_SIZE_CHECK(struct whitewater_counters, 52);

#endif
