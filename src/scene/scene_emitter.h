/* Emitters of a scene. Part of scene.h, which defines the types that it uses. */
#ifndef WEIR_SCENE_EMITTER_H
#define WEIR_SCENE_EMITTER_H

/* Speed of an emitter at a time; linear between keyframes. */
typedef struct scene_speed_key {
    float time_s;
    float speed;  /* m/s */
    double way_m; /* distance that the fluid has moved since the first keyframe */
} scene_speed_key;

/* What an emitter emits from. */
typedef enum scene_emission {
    SCENE_EMISSION_VOLUME,  /* keeps its shape filled with fluid that moves through it */
    SCENE_EMISSION_SURFACE, /* emits from the surface of its shape, along the normals */
} scene_emission;

/* How the speed varies across the flow; the mean is the emitter's speed. */
typedef enum scene_flow_profile {
    SCENE_PROFILE_PLUG,      /* the same everywhere */
    SCENE_PROFILE_PARABOLIC, /* of developed laminar flow in a duct of this cross-section */
} scene_flow_profile;

#define SCENE_EMITTER_MIN_SPEED 0.001f /* m/s, of the fluid; keyframes may be 0 */
#define SCENE_EMITTER_MAX_SPEED 1000.0f
#define SCENE_EMITTER_MAX_MOVE 1e5f /* m, of a shape */

typedef struct scene_emitter {
    char *name;
    uint32_t fluid;
    bool has_shape;                /* emits from `shape` instead of an opening at `position` */
    uint32_t shape;                /* root node */
    scene_sequence_times sequence; /* of the shape */
    scene_emission emission;
    bool prefill; /* the shape is full when the emitter opens */
    scene_flow_profile profile;
    float turbulence;        /* rms of a component of the fluctuations over the speed */
    float turbulence_length; /* m, of the largest eddies; 0: chosen */
    vec3 position;           /* of an opening; the origin for a shape */
    vec3 direction;          /* unit */
    float radius;            /* m, of a round opening; 0 for a rectangle */
    float width, height;     /* m, of a rectangular opening; 0 for a round one */
    vec3 up;                 /* unit, perpendicular to direction, along `height` */
    float speed;             /* m/s; 0 if keyframes give it */
    float flow_rate;         /* m3/s, m2/s in two dimensions; 0 if speeds are given */
    /* `speed` and the keyframes are flow rates, which the cross-section of the shape turns into
     * speeds. Those of openings have been turned into speeds. */
    bool speed_is_flow_rate;
    scene_speed_key *speed_keys; /* in order of time */
    uint32_t speed_key_count;
    float start_s, end_s;
    uint32_t max_particles;       /* UINT32_MAX: no limit */
    scene_motion motion;          /* moves position, shape, direction and up */
    scene_attachment attached_to; /* if it is a body, these are in the space of its item */
    scene_attribute_values attributes;
    int line, column;
} scene_emitter;

/* A lattice site of an opening. */
typedef struct scene_site {
    float x, y;
} scene_site;

/* Writes the lattice sites of an opening, in steps of the spacing along the cross product of up and
 * direction, and along up. Returns their number. `sites`: NULL only counts them. */
uint32_t scene_opening_sites(const scene_emitter *emitter, float spacing, bool planar,
                             scene_site *sites);

/* Returns the unit vector perpendicular to the unit vector `direction` that is nearest to `up`, or
 * an arbitrary one if the two are parallel. */
vec3 scene_perpendicular(vec3 direction, vec3 up);
/* Returns whether fluid may leave an emitter at this speed, m/s. */
bool scene_is_emitter_speed(double speed);
/* Return the speed of the emitted fluid, m/s, or the flow rate (speed_is_flow_rate): at a time, for
 * an emitter with keyframes; and the maximum, for any emitter. */
float scene_emitter_speed(const scene_emitter *emitter, double time_s);
float scene_emitter_max_speed(const scene_emitter *emitter);
/* Returns the time at which the integral of the speed, or of the flow rate, has grown by `way_m`,
 * for an emitter with keyframes; INFINITY: never. */
double scene_emitter_time(const scene_emitter *emitter, double way_m);

#endif
