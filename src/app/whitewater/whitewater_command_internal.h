/* whitewater_command_internal: declarations shared by the files of weir whitewater. */
#ifndef WEIR_APP_STORED_FOAM_INTERNAL_H
#define WEIR_APP_STORED_FOAM_INTERNAL_H

#include "weir/whitewater.h"
#include "whitewater_command.h"

typedef struct whitewater_options {
    args_words words;
    app_scene_options source; /* its scene; NULL: that of the run */
    const char *folder;
    uint32_t format, up; /* ARGS_NOT_GIVEN */
    double spacing, rate;
    args_range frames;
    bool skip_done;
    bool probe; /* emission potentials instead of whitewater */
} whitewater_options;

/* The frames, the scene that they belong to, and how they were written. */
typedef struct whitewater_plan {
    const whitewater_options *options;
    weir_log log;
    sequence files; /* only those of --frames */
    char *run;      /* the run's folder; NULL: none */
    char *folder;   /* folder of the whitewater files */
    weir_output_def written;
    weir_scene *scene;
    weir_scene_info info;
    double rate_hz; /* 0: unknown */
} whitewater_plan;

/* Creates the plan. Errors: IO, SCENE, ARGUMENT, MEMORY. */
weir_result whitewater_plan_create(const whitewater_options *options, whitewater_plan *plan);
void whitewater_plan_free(whitewater_plan *plan);

/* A stored frame, in metres with y up. */
typedef struct whitewater_input_frame {
    weir_particles file;
    float *position, *velocity; /* velocity NULL: the file has none */
    double time_s;
    uint64_t number; /* of the simulated frame */
} whitewater_input_frame;

/* Loads a frame. Errors: IO, MEMORY. */
weir_result whitewater_input_load(const whitewater_plan *plan, const sequence_file *file,
                                  whitewater_input_frame *frame);
void whitewater_input_free(whitewater_input_frame *frame);
/* Computes velocities from the distance that each id moved since the previous frame and until the
 * next one; one of the two may be empty. The velocity is 0 where the id is missing or has jumped.
 * Errors: MEMORY. */
weir_result whitewater_input_velocities(const whitewater_plan *plan,
                                        const whitewater_input_frame *before,
                                        const whitewater_input_frame *behind,
                                        whitewater_input_frame *frame);

/* Histogram of each potential, with bins of equal ratio. */
#define POTENTIAL_BINS 640u
typedef struct potential_histogram {
    weir_whitewater_scales scales;
    uint64_t count, begun[WEIR_WHITEWATER_POTENTIAL_COUNT],
        bins[WEIR_WHITEWATER_POTENTIAL_COUNT][POTENTIAL_BINS];
} potential_histogram;
/* Adds the potentials of `count` points. Errors: as weir_whitewater_get_potentials. */
weir_result potential_histogram_add(potential_histogram *survey, const whitewater_plan *plan,
                                    weir_whitewater *whitewater, const weir_points *points,
                                    uint32_t count);
void potential_histogram_print(const potential_histogram *survey);

#endif
