/* pictures: weir render, which turns stored frames into pictures, and the pictures of a run. */
#ifndef WEIR_APP_PICTURES_H
#define WEIR_APP_PICTURES_H

#include "app.h"

int render_main(int argc, char **argv);

/* Picture options; texts are NULL if not given. */
typedef struct pictures_options {
    const char *size, *eye, *target, *range, *percentiles, *attribute;
    const char *environment, *video;
    uint32_t mode, colouring, colour_map, filter, splatter, look; /* ARGS_NOT_GIVEN */
    uint32_t samples;                                             /* 0: 2 */
    double fov, exposure, filter_size;                            /* 0: the scene's value */
    double turntable;                                             /* degrees per second */
    double aperture, shutter; /* m; fraction of the time between frames */
    uint32_t exposures;       /* 0: 32 */
    bool exr, transparent, no_shadows, no_whitewater, no_legend;
} pictures_options;

typedef struct pictures {
    weir_device *device;
    weir_log log;
    weir_renderer *renderer;
    weir_camera view;
    const weir_scene *scene; /* its keyframes move the camera; NULL: the camera does not move */
    float turntable;         /* radians per second */
    vec3 start_eye;          /* eye of the turntable at 0 s, set by the first picture */
    bool turns;              /* start_eye is set */
    weir_image *image;
    bool framed;  /* the camera has been placed */
    char *folder; /* of the files */
    base_process *video;
} pictures;

/* The picture options. `minor`: whether those that weir render shows in --help are for experts, as
 * in weir run. */
#define PICTURES_OPTIONS(o, minor)                                                               \
    ARGS_OPTION("size", 0, TEXT, &(o).size, "WxH", "pixels; default 1280x720"),                  \
        ARGS_EXPERT_OPTION("samples", 0, COUNT, &(o).samples, "N",                               \
                           "samples along each side of a pixel, 1 to 4; default 2"),             \
        ARGS_MARKED_OPTION("eye", 0, TEXT, &(o).eye, "X,Y,Z",                                    \
                           "camera position, m; camera options override the scene's animation",  \
                           minor),                                                               \
        ARGS_MARKED_OPTION("target", 0, TEXT, &(o).target, "X,Y,Z",                              \
                           "point that the camera looks at, m", minor),                          \
        ARGS_MARKED_OPTION("turntable", 0, NUMBER, &(o).turntable, "DEGREES",                    \
                           "turn the camera around its target, degrees per second", minor),      \
        ARGS_EXPERT_OPTION("aperture", 0, NUMBER, &(o).aperture, "M",                            \
                           "lens diameter, for depth of field; the target is in focus"),         \
        ARGS_EXPERT_OPTION("shutter", 0, NUMBER, &(o).shutter, "SHARE",                          \
                           "motion blur: shutter time over frame time; film: 0.5"),              \
        ARGS_EXPERT_OPTION("accumulation-samples", 0, COUNT, &(o).exposures, "N",                \
                           "pictures averaged for lens and shutter blur, 1 to 256; default 32"), \
        ARGS_MARKED_OPTION("fov", 0, NUMBER, &(o).fov, "DEGREES",                                \
                           "vertical field of view; default: the scene's, or 30", minor),        \
        ARGS_CHOICE_OPTION(                                                                      \
            "mode", &(o).mode, "MODE",                                                           \
            "surface (default), ellipsoids or particles; for meshes surface, mesh;\n"            \
            "or a buffer: depth, filtered, thickness, normals, shadow, background",              \
            pictures_modes(), WEIR_RENDER_MODE_COUNT),                                           \
        ARGS_LOOK_OPTION(&(o).look, minor),                                                      \
        ARGS_MARKED_CHOICE("colour", &(o).colouring, "BY",                                       \
                           "speed (default), fluid, density, id, neighbours, lambda, attribute", \
                           pictures_colourings(), WEIR_COLOURING_COUNT, minor),                  \
        ARGS_EXPERT_OPTION("colour-attribute", 0, TEXT, &(o).attribute, "NAME",                  \
                           "particles by an attribute: its name, or NAME_x and so on"),          \
        ARGS_EXPERT_OPTION("colour-range", 0, TEXT, &(o).range, "LOW,HIGH",                      \
                           "range of the colour scale; default: percentiles of the values"),     \
        ARGS_EXPERT_OPTION("colour-percentiles", 0, TEXT, &(o).percentiles, "LOW,HIGH",          \
                           "percentiles that the colour scale spans; default 1,99"),             \
        ARGS_EXPERT_CHOICE("colour-map", &(o).colour_map, "MAP",                                 \
                           "auto (default), viridis, inferno, cividis or coolwarm",              \
                           pictures_colour_maps(), WEIR_COLOUR_MAP_COUNT),                       \
        ARGS_EXPERT_CHOICE("filter", &(o).filter, "FILTER",                                      \
                           "depth filter of surfaces: narrow-range (default), bilateral,\n"      \
                           "curvature-flow or none",                                             \
                           args_filters, WEIR_DEPTH_FILTER_COUNT),                               \
        ARGS_EXPERT_OPTION("filter-size", 0, NUMBER, &(o).filter_size, "D",                      \
                           "width of the filter in particle spacings; default 1"),               \
        ARGS_EXPERT_CHOICE("splat-method", &(o).splatter, "HOW",                                 \
                           "auto (default), raster or compute; the pictures are equal",          \
                           pictures_splatters(), WEIR_SPLAT_COUNT),                              \
        ARGS_EXPERT_OPTION("exposure", 0, NUMBER, &(o).exposure, "E", "brightness; default 1"),  \
        ARGS_MARKED_OPTION("exr", 0, FLAG, &(o).exr, NULL,                                       \
                           "also write image_0001.exr and so on: linear light, half floats",     \
                           minor),                                                               \
        ARGS_EXPERT_OPTION("environment", 0, TEXT, &(o).environment, "FILE",                     \
                           "light from an environment map, a Radiance .hdr file"),               \
        ARGS_MARKED_OPTION("transparent", 0, FLAG, &(o).transparent, NULL,                       \
                           "transparent background: no sky, no floor", minor),                   \
        ARGS_EXPERT_OPTION("no-shadows", 0, FLAG, &(o).no_shadows, NULL, "draw no shadows"),     \
        ARGS_EXPERT_OPTION("no-whitewater", 0, FLAG, &(o).no_whitewater, NULL,                   \
                           "draw no spray, foam or bubbles"),                                    \
        ARGS_EXPERT_OPTION("no-legend", 0, FLAG, &(o).no_legend, NULL, "draw no colour scale"),  \
        ARGS_OPTION("video", 0, TEXT, &(o).video, "FILE", "also write a video, with ffmpeg")

const char *const *pictures_modes(void);
const char *const *pictures_colourings(void);
const char *const *pictures_colour_maps(void);

const char *const *pictures_splatters(void);

pictures_options pictures_options_default(void);

typedef struct pictures_def {
    const pictures_options *options;
    weir_device *device;
    weir_log log;
    const weir_scene *scene; /* NULL: none */
    const char *folder;      /* of the files */
    double frame_rate_hz;
} pictures_def;
/* Checks, before anything is made, that a video can be: ffmpeg starts, and both sides of its
 * pictures are even. Does nothing without --video. Errors: ARGUMENT, IO (no ffmpeg). */
weir_result pictures_check_video(const weir_log *log, const pictures_options *options);

/* Creates the renderer, the camera and the folder. Errors: ARGUMENT (an invalid option), those of
 * weir_renderer_create, IO. */
weir_result pictures_open(const pictures_def *def, pictures *p);

/* Without a scene: places the camera so that it sees all positions of the first frame, unless the
 * options place it. */
void pictures_frame_particles(pictures *p, const float *positions, uint32_t count);

/* Draws a picture, writes FOLDER/image_NUMBER.png and, on request, .exr, and feeds the video. */
weir_result pictures_write(pictures *p, const weir_points *points, double time_s, uint64_t number);
weir_result pictures_write_mesh(pictures *p, const weir_mesh *mesh, double time_s, uint64_t number);

/* Returns whether the files of a picture exist already. */
bool pictures_exist(const pictures *p, uint64_t number);

/* Ends the video. Errors: IO. */
weir_result pictures_finish(pictures *p);
void pictures_close(pictures *p);

#endif
