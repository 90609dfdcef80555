/* whitewater_command: what its files share. */
#ifndef WEIR_APP_STORED_FOAM_INTERNAL_H
#define WEIR_APP_STORED_FOAM_INTERNAL_H

#include "weir/whitewater.h"
#include "whitewater_command.h"

typedef struct whitewater_options {
    args_words words;
    app_scene_options source; /* its scene: NULL for that of the run */
    const char *folder;
    uint32_t format, up; /* ARGS_NOT_GIVEN */
    double spacing, rate;
    args_range frames;
    bool probe; /* potentials instead of whitewater */
} whitewater_options;

/* The frames, the scene over which they ran, and how they were written. */
typedef struct whitewater_plan {
    const whitewater_options *options;
    weir_log log;
    sequence files; /* those of --frames alone */
    char *run;      /* the run's folder, or NULL */
    char *folder;   /* of the whitewater */
    weir_output_def written;
    weir_scene *scene;
    weir_scene_info info;
    double rate_hz; /* 0: not known */
} whitewater_plan;

/* Errors: IO, SCENE, ARGUMENT, MEMORY. */
weir_result whitewater_plan_create(const whitewater_options *options, whitewater_plan *plan);
void whitewater_plan_free(whitewater_plan *plan);

/* A stored frame, in metres with y up. */
typedef struct whitewater_input_frame {
    weir_particles file;
    float *position, *velocity; /* velocity NULL: the file has none */
    double time_s;
    uint64_t number; /* of the simulated frame */
} whitewater_input_frame;

/* Errors: IO, MEMORY. */
weir_result whitewater_input_load(const whitewater_plan *plan, const sequence_file *file,
                                  whitewater_input_frame *frame);
void whitewater_input_free(whitewater_input_frame *frame);
/* Fills in velocities by how far each id has moved since the frame before and until the one behind,
 * of which one may be empty. Without an id there, and where it jumped, the velocity is 0. Errors:
 * MEMORY. */
weir_result whitewater_input_velocities(const whitewater_plan *plan,
                                        const whitewater_input_frame *before,
                                        const whitewater_input_frame *behind,
                                        whitewater_input_frame *frame);

/* How often potentials had each value, in bins of equal ratios. */
#define POTENTIAL_BINS 640u
typedef struct potential_histogram {
    weir_whitewater_scales scales;
    uint64_t count, begun[WEIR_WHITEWATER_POTENTIAL_COUNT],
        bins[WEIR_WHITEWATER_POTENTIAL_COUNT][POTENTIAL_BINS];
} potential_histogram;
/* Adds those of `count` points. Errors: as weir_whitewater_get_potentials. */
weir_result potential_histogram_add(potential_histogram *survey, const whitewater_plan *plan,
                                    weir_whitewater *foam, const weir_points *points,
                                    uint32_t count);
void potential_histogram_print(const potential_histogram *survey);

#endif
