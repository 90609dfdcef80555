/* stored_foam: what its files share. */
#ifndef WEIR_APP_STORED_FOAM_INTERNAL_H
#define WEIR_APP_STORED_FOAM_INTERNAL_H

#include "stored_foam.h"
#include "weir_foam.h"

typedef struct foam_options {
    args_words words;
    app_source source; /* its scene: NULL for that of the run */
    const char *folder;
    uint32_t format, up; /* ARGS_NOT_GIVEN */
    double spacing, rate;
    args_range frames;
    bool probe; /* potentials instead of whitewater */
} foam_options;

/* The frames, the scene over which they ran, and how they were written. */
typedef struct foam_plan {
    const foam_options *options;
    weir_log log;
    sequence files; /* those of --frames alone */
    char *run;      /* the run's folder, or NULL */
    char *folder;   /* of the whitewater */
    weir_output_def written;
    weir_scene *scene;
    weir_scene_info info;
    double rate_hz; /* 0: not known */
} foam_plan;

/* Errors: IO, SCENE, ARGUMENT, MEMORY. */
weir_result foam_plan_make(const foam_options *options, foam_plan *plan);
void foam_plan_free(foam_plan *plan);

/* A stored frame, in metres with y up. */
typedef struct foam_stored {
    weir_particles file;
    float *position, *velocity; /* velocity NULL: the file has none */
    double time_s;
    uint64_t number; /* of the simulated frame */
} foam_stored;

/* Errors: IO, MEMORY. */
weir_result foam_stored_load(const foam_plan *plan, const sequence_file *file, foam_stored *frame);
void foam_stored_free(foam_stored *frame);
/* Fills in velocities by how far each id has moved since the frame before and until the one behind,
 * of which one may be empty. Without an id there, and where it jumped, the velocity is 0. Errors:
 * MEMORY. */
weir_result foam_stored_differ(const foam_plan *plan, const foam_stored *before,
                               const foam_stored *behind, foam_stored *frame);

/* How often potentials had each value, in bins of equal ratios. */
#define FOAM_BINS 640u
typedef struct foam_survey {
    weir_foam_scales scales;
    uint64_t count, begun[WEIR_FOAM_POTENTIALS], bins[WEIR_FOAM_POTENTIALS][FOAM_BINS];
} foam_survey;
/* Adds those of `count` points. Errors: as weir_foam_probe. */
weir_result foam_survey_add(foam_survey *survey, const foam_plan *plan, weir_foam *foam,
                            const weir_points *points, uint32_t count);
void foam_survey_print(const foam_survey *survey);

#endif
