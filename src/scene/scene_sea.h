/* Open water: a sea with a still-water level, waves, a current, and zones at the sides of the
 * domain that generate and absorb waves. Part of scene.h. */
#ifndef WEIR_SCENE_SEA_H
#define WEIR_SCENE_SEA_H

#define SCENE_MAX_SEA_WAVES 64u /* components of irregular waves */

/* What the relaxation zone at a side does. */
typedef enum scene_sea_zone {
    SCENE_SEA_NO_ZONE,
    SCENE_SEA_ABSORBING,  /* relaxes velocities to the current */
    SCENE_SEA_GENERATING, /* relaxes velocities to the current and the waves */
} scene_sea_zone;

/* Regular waves have a height and a period; irregular ones a significant height and a peak
 * period. */
typedef struct scene_sea_waves {
    bool given;                            /* false: the sea has no waves */
    float height, period;                  /* m, s; 0: irregular waves */
    float significant_height, peak_period; /* m, s */
    float peak_enhancement;                /* gamma of JONSWAP, 1 (Pierson-Moskowitz) to 10 */
    float spread;                          /* rad: standard deviation of the directions */
    uint32_t components, seed;
    vec3 direction; /* horizontal unit vector, in which they travel */
    float phase;    /* rad, of regular waves at the world's origin */
    float ramp;     /* s in which they grow to their full height; 0: none */
    bool developed; /* the sea starts with the waves */
} scene_sea_waves;

typedef struct scene_sea {
    bool given;              /* false: the scene has no sea */
    float level;             /* m: y of the still water */
    vec3 current;            /* m/s, horizontal */
    float zone_width;        /* m */
    scene_sea_zone zones[4]; /* -x +x -z +z */
    scene_sea_waves waves;
    int line, column;
} scene_sea;

/* One component: the elevation is amplitude cos(kx x + kz z - frequency t + phase). */
typedef struct scene_sea_wave {
    double kx, kz, k;        /* rad/m; k > 0 is the length of the wave vector */
    double frequency;        /* rad/s, seen at a fixed point */
    double amplitude, speed; /* m; m/s: amplitude times the frequency seen by the moving water */
    double phase;            /* rad */
} scene_sea_wave;

#endif
