/* Whitewater of a scene, and what adds to it. Part of scene.h, which defines the types that it
 * uses. */
#ifndef WEIR_SCENE_WHITEWATER_H
#define WEIR_SCENE_WHITEWATER_H

/* The order is that of the kinds in shaders/shared/whitewater.h. */
typedef enum scene_whitewater_kind {
    SCENE_WHITEWATER_SPRAY,
    SCENE_WHITEWATER_FOAM,
    SCENE_WHITEWATER_BUBBLE,
    SCENE_WHITEWATER_TRACER,
} scene_whitewater_kind;

#define SCENE_MAX_WHITEWATER_EMITTERS 16u

/* Adds whitewater or tracers inside a shape. */
typedef struct scene_whitewater_emitter {
    scene_whitewater_kind kind;
    uint32_t shape;        /* root node */
    float rate;            /* 1/s, particles */
    vec3 velocity;         /* m/s, in addition to that of the shape */
    float velocity_spread; /* m/s: radius of a ball of random velocities */
    float lifetime;        /* s; 0: as other whitewater, of tracers without end */
    float start_s, end_s;
    scene_motion motion;
    scene_attachment attached_to;
    int line, column;
} scene_whitewater_emitter;

typedef struct scene_whitewater {
    bool given;                                         /* false: the scene has none */
    float emission_rate;                                /* factor of the emission from all causes */
    float trapped_air_rate, wave_crest_rate, curl_rate; /* factors of the emission from one cause */
    float length_scale;      /* m, L; 0: from the fluid at the start, or the emitters */
    float lifetime;          /* s, maximum; 0: derived from L */
    float radius;            /* m, mean; 0: derived from L */
    float bubble_rise_speed; /* m/s */
    uint32_t seed;
    uint32_t max_particles; /* maximum number of whitewater particles */
    scene_whitewater_emitter *emitters;
    uint32_t emitter_count;
} scene_whitewater;

#endif
