/* Whitewater: spray, foam and bubbles over points with velocities. Once a frame: the fluid's points
 * are sorted into cells; their normals, then their births; the whitewater moves and changes its
 * kind; survivors and births are put together. docs/whitewater.md explains every number. */
#ifndef WEIR_SHARED_WHITEWATER_H
#define WEIR_SHARED_WHITEWATER_H

#include "glue.h"

/* Kinds of whitewater, as files have them. */
#define WHITEWATER_SPRAY 0u
#define WHITEWATER_FOAM 1u
#define WHITEWATER_BUBBLE 2u
#define WHITEWATER_KINDS 3u

/* Causes of births. */
#define WHITEWATER_TRAPPED_AIR 0u
#define WHITEWATER_CREST 1u
#define WHITEWATER_CURL 2u
#define WHITEWATER_CAUSES 3u

/* What births depend on, in the order of its vectors. */
#define WHITEWATER_POTENTIALS 4u

/* Most births of one fluid particle in one frame by one cause: a bound for scenes that ask for
 * more whitewater than any memory holds. */
#define WHITEWATER_MAX_EMITTED 1000u

/* What random numbers are drawn for: the third word of their counter. */
#define WHITEWATER_RANDOM_COUNTS 0u
#define WHITEWATER_RANDOM_LANDING 1u
#define WHITEWATER_RANDOM_EMIT 2u /* and 3, then 4 and 5 for the next birth of the same particle \
                                   */

/* The fill is the share of the fluid in the sphere of radius h: 0.5 at a flat surface. Spray below
 * the first, bubbles above the second; a kind is left only 10 % past its bound. */
#define WHITEWATER_SPRAY_FRACTION 0.3f
#define WHITEWATER_BUBBLE_FRACTION 0.63f
#define WHITEWATER_KIND_HYSTERESIS 0.1f
#define WHITEWATER_MIN_PARENT_FRACTION 0.2f /* fluid with less makes no whitewater */
#define WHITEWATER_MAX_PARENT_DEPTH 0.05f   /* d: nor does fluid that is deeper in a solid */
#define WHITEWATER_SURFACE_THRESHOLD \
    0.2f /* of a point's missing neighbours: above, it is at the surface */
/* Fluid with more is inside, whatever its neighbours miss: so deep under a flat surface the share
 * above is met. Clumps and gaps inside of irregular fluid are no surface. */
#define WHITEWATER_MAX_SURFACE_FRACTION 0.79f
#define WHITEWATER_CREST_COSINE \
    0.6f /* between velocity and normal: at less, a crest breaks nothing */
#define WHITEWATER_MAX_SURFACE_PULL \
    0.25f /* d: farthest that foam is moved to the surface in a frame */
#define WHITEWATER_LANDING_PROBABILITY \
    0.7f                              /* of the spray that lands becomes foam, the rest is gone */
#define WHITEWATER_SLOW_AGING 0.5f    /* spray and bubbles age so much slower than foam */
#define WHITEWATER_SPREAD 0.05f       /* sideways velocity of a birth, of its parent's speed */
#define WHITEWATER_COLLISION_STEPS 6u /* after so many, a particle between walls has no room */
#define WHITEWATER_MIN_RADIUS 0.5f    /* radius of the smallest over the mean; of the largest 1.5 */

/* What the kernels of whitewater bind. */
#define WHITEWATER_BIND_grid WEIR_STRUCT(0, grid_params)
#define WHITEWATER_BIND_state WEIR_STRUCT(1, grid_state)
#define WHITEWATER_BIND_params WEIR_STRUCT(2, whitewater_params)
#define WHITEWATER_BIND_counters WEIR_STRUCT(3, whitewater_counters)
#define WHITEWATER_BIND_points WEIR_ARRAY(4, vec4)     /* m, in the caller's order */
#define WHITEWATER_BIND_velocities WEIR_ARRAY(5, vec4) /* m/s, likewise */
#define WHITEWATER_BIND_ids WEIR_ARRAY(6, uint)        /* likewise */
#define WHITEWATER_BIND_sources WEIR_ARRAY(7, uint)    /* index of each sorted point among them */
#define WHITEWATER_BIND_sorted_points WEIR_ARRAY(8, vec4) /* xyz m; w: the id's bits */
#define WHITEWATER_BIND_sorted_velocities WEIR_ARRAY(9, vec4)
#define WHITEWATER_BIND_segments WEIR_ARRAY(10, uint)   /* of the grid */
#define WHITEWATER_BIND_bin_starts WEIR_ARRAY(11, uint) /* of the grid */
/* xyz: outward unit normal, 0 away from the surface; w: fill */
#define WHITEWATER_BIND_surfaces WEIR_ARRAY(12, vec4)
#define WHITEWATER_BIND_emission_offsets \
    WEIR_ARRAY(13, uint) /* of each sorted point; then those before it */
#define WHITEWATER_BIND_particles WEIR_ARRAY(14, whitewater_particle)
#define WHITEWATER_BIND_advected_particles \
    WEIR_ARRAY(15, whitewater_particle) /* the same after the frame's motion */
#define WHITEWATER_BIND_survivor_offsets \
    WEIR_ARRAY(16, uint) /* 1: lives on; then how many do before it */
#define WHITEWATER_BIND_items WEIR_ARRAY(17, solid_item)
#define WHITEWATER_BIND_poses WEIR_ARRAY(18, solid_pose)
#define WHITEWATER_BIND_solid_nodes WEIR_ARRAY(19, solid_node)
#define WHITEWATER_BIND_solid_volumes WEIR_ARRAY(20, uint)
/* v2 m2/s2, trapped air m/s, crests, curl 1/s; all below 0: makes no whitewater */
#define WHITEWATER_BIND_potentials WEIR_ARRAY(21, vec4)
#define WHITEWATER_BINDINGS 22u

/* Specialization constants: id and name; first those of the grid's cells. */
#define WHITEWATER_CONSTANTS(FLAG, NUMBER) \
    FLAG(1, PERIODIC)                      \
    FLAG(2, DENSE)                         \
    NUMBER(3, GROUP)                       \
    FLAG(4, HAS_SOLIDS)

struct whitewater_particle {
    vec4 position;  /* xyz m; w: radius m */
    vec4 velocity;  /* xyz m/s; w: age s */
    uint id;        /* unique among those alive */
    uint kind;      /* WHITEWATER_SPRAY and so on */
    float lifetime; /* s */
    uint parent;    /* id of the fluid particle that it came from */
};
WEIR_SIZE_CHECK(struct whitewater_particle, 48);

struct whitewater_params {
    vec4 domain_min, domain_max; /* xyz m */
    vec4 period;                 /* xyz m on periodic axes, 0 elsewhere */
    vec4 gravity;                /* xyz m/s2 */
    vec4 up;                     /* xyz unit, against gravity; w m/s: how fast bubbles rise */
    /* Kinetic energy (v2, m2/s2), trapped air (m/s), crests and curl (1/s): where births begin, and
     * 1 over the distance from there to where there are most. */
    vec4 thresholds, inverse_ranges;
    vec4 rates;      /* most births of a particle in the frame, by trapped air, crests and curl */
    float h;         /* m: radius of the neighbourhood */
    float inverse_h; /* 1/m */
    float inverse_full;                /* 1 over the summed weights of a full neighbourhood */
    float spacing;                     /* d, m */
    float dt;                          /* s: of the frame */
    float lifetime_low, lifetime_high; /* s */
    float radius;                      /* m: mean of the whitewater's */
    float drag;                        /* of spray: deceleration times radius over speed squared */
    float relaxation;    /* s: in about that time a bubble takes the velocity that it tends to */
    float friction;      /* of closed sides */
    uint closed_sides;   /* bit 2 axis + (0 below, 1 above): this side is closed */
    uint point_count;    /* of the fluid */
    uint particle_count; /* of the whitewater, before the frame */
    uint capacity;
    uint frame, seed; /* of the random numbers */
    uint next_id;
    uint solid_count;
    float min_energy; /* m2/s2: fluid with no more is not asked for its other potentials */
};
WEIR_SIZE_CHECK(struct whitewater_params, 208);

struct whitewater_counters {
    uint arguments[3];   /* VkDispatchIndirectCommand over the births */
    uint emission_count; /* all of the frame */
    uint survivors;
    uint count;                      /* after the frame; above the capacity nothing is written */
    uint emitted[WHITEWATER_CAUSES]; /* by cause */
    uint alive[WHITEWATER_KINDS];    /* by kind, after the frame */
};
WEIR_SIZE_CHECK(struct whitewater_counters, 48);

#endif
