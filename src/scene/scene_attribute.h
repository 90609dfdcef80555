/* Attributes of a scene: named values that each particle carries. Part of scene.h. */
#ifndef WEIR_SCENE_ATTRIBUTE_H
#define WEIR_SCENE_ATTRIBUTE_H

#define SCENE_MAX_ATTRIBUTES 8u
#define SCENE_ATTRIBUTE_COMPONENTS 4u        /* of one attribute */
#define SCENE_ATTRIBUTE_TOTAL_COMPONENTS 16u /* of all attributes */

/* Where the values of an attribute come from. */
typedef enum scene_attribute_kind {
    SCENE_ATTRIBUTE_VALUE,         /* fills, emitters and the host program */
    SCENE_ATTRIBUTE_AGE,           /* s since the particle has entered */
    SCENE_ATTRIBUTE_REST_POSITION, /* m: where it has entered, or was at the last reset */
} scene_attribute_kind;

typedef struct scene_attribute {
    char *name; /* a letter or _, then letters, digits and _ */
    uint32_t components;
    uint32_t first; /* its first component among those of all attributes */
    scene_attribute_kind kind;
    float period;      /* s between two resets of a rest position; 0: it is never reset */
    float phase;       /* fraction of the period before the first reset; 0: a whole period */
    float diffusivity; /* m2/s */
    float initial[SCENE_ATTRIBUTE_COMPONENTS]; /* where no fill or emitter gives a value */
    int line, column;
} scene_attribute;

/* The attributes of the particles that a fill or an emitter adds. */
typedef struct scene_attribute_values {
    float values[SCENE_ATTRIBUTE_TOTAL_COMPONENTS]; /* of all attributes */
    uint32_t given; /* bit i: the scene gives attribute i here, instead of its initial value */
} scene_attribute_values;

#endif
