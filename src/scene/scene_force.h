/* Fields of acceleration besides gravity. Part of scene.h, which defines the types that it uses. */
#ifndef WEIR_SCENE_FORCE_H
#define WEIR_SCENE_FORCE_H

#define SCENE_MAX_FORCES 8u
#define SCENE_MAX_CURVE_POINTS 256u /* of one field */
#define SCENE_MAX_OCTAVES 6u

/* Formulas evaluate the first kinds. The others are sampled (scene_force_is_sampled): they act on
 * the fluid alone. */
typedef enum scene_force_kind {
    SCENE_FORCE_CENTRAL,        /* acceleration -strength (p - centre) */
    SCENE_FORCE_UNIFORM,        /* acceleration */
    SCENE_FORCE_VORTEX,         /* acceleration strength axis x (p - centre) */
    SCENE_FORCE_DRAG,           /* acceleration -rate (v - velocity) */
    SCENE_FORCE_NOISE,          /* curl noise of the rms acceleration `amplitude` */
    SCENE_FORCE_CURVE,          /* towards a curve and along it */
    SCENE_FORCE_VELOCITY_FIELD, /* acceleration -rate (v - the velocity in a file) */
    SCENE_FORCE_SHAPE,          /* towards the inside of a shape */
} scene_force_kind;

typedef enum scene_reach {
    SCENE_REACH_ALL,
    SCENE_REACH_BOX,
    SCENE_REACH_SPHERE,
} scene_reach;

/* Region in which a force field acts. */
typedef struct scene_region {
    scene_reach reach;
    vec3 min, max; /* m, for SCENE_REACH_BOX */
    vec3 centre;   /* m, for SCENE_REACH_SPHERE */
    float radius;  /* m */
} scene_region;

/* A field of acceleration in addition to gravity. */
typedef struct scene_force {
    scene_force_kind kind;
    vec3 centre;       /* m */
    float strength;    /* 1/s2; curve and shape: acceleration per metre of distance */
    vec3 acceleration; /* m/s2 */
    vec3 axis;         /* unit vector */
    vec3 velocity;     /* m/s; noise: of the pattern */
    float rate;        /* 1/s */
    float amplitude;   /* m/s2: rms acceleration of noise */
    float size;        /* m: of the largest eddies of noise */
    float evolution;   /* 1/s: how often the pattern of noise changes in a second */
    uint32_t octaves, seed;
    vec3 *points; /* m: the curve passes through them in order */
    uint32_t point_count;
    bool closed;    /* the curve returns to its first point */
    float radius;   /* m: reach of a curve; distance up to which the pull of a shape grows */
    float speed;    /* m/s: along the curve */
    float swirl;    /* rad/s: about the curve */
    char *path;     /* of a velocity field */
    uint32_t shape; /* root node of a target shape */
    scene_region inside;
    int line, column;
} scene_force;

/* Returns whether the force has a potential, so that it conserves energy. */
bool scene_force_is_conservative(const scene_force *force);
/* Returns whether the force is sampled (shaders/lib/particles/force_fields.glsl). */
bool scene_force_is_sampled(const scene_force *force);
/* Returns an upper bound of the energy per mass that the force gives to fluid that crosses a box of
 * this size, m2/s2. */
float scene_force_work(const scene_force *force, vec3 size);

#endif
