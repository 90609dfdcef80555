/* render_internal: declarations shared by the files of the render module. */
#ifndef WEIR_RENDER_INTERNAL_H
#define WEIR_RENDER_INTERNAL_H

#include "render.h"

#include "shared/render.h"

typedef enum render_pipeline {
    RENDER_PROJECT_SPLATS,
    RENDER_SPLAT_CLEAR_LISTS,
    RENDER_SPLAT_NEAREST_LISTED, /* depth by blending, of the splats of a list */
    RENDER_SPLAT_NEAREST,        /* of all splats */
    RENDER_SPLAT_DEPTH,          /* by a depth test */
    RENDER_SPLAT_FIND_OCCLUSION,
    RENDER_SPLAT_CULL_HIDDEN,
    RENDER_SPLAT_SAMPLE_PIXELS,
    RENDER_SPLAT_THICKNESS,
    RENDER_SPLAT_THICKNESS_LAYERS,
    RENDER_SPLAT_UPSAMPLE,
    RENDER_SPLAT_LAYER_THICKNESS,
    RENDER_SPLAT_SPRAY,
    RENDER_SPLAT_OPTICAL_DEPTH,
    RENDER_SPLAT_OPAQUE,
    RENDER_SPLAT_COMPUTE,
    RENDER_SPLAT_RESOLVE,
    RENDER_SOLID,
    RENDER_SOLID_SHADOW,
    RENDER_MESH_SURFACE,
    RENDER_MESH_DEPTH, /* from the sun */
    RENDER_MESH_THICKNESS,
    RENDER_MESH_LAYER_THICKNESS,
    RENDER_BACKGROUND_PASS,
    RENDER_FILTER_1D,
    RENDER_FILTER_2D,
    RENDER_FIT_CONTACT_LINE,
    RENDER_CURVATURE_FLOW,
    RENDER_SMOOTH_SUN_DEPTH,
    RENDER_CAUSTICS,
    RENDER_SHADE,
    RENDER_SHADE_MULTI_FLUID,
    RENDER_SHADE_MESH,
    RENDER_DEBUG_VIEW,
    RENDER_WHITEWATER,
    RENDER_FOAM,
    RENDER_WHITEWATER_COMPOSITE,
    RENDER_ACCUMULATE_SHUTTER_EXPOSURES,
    RENDER_RESOLVE_HDR,
    RENDER_TONEMAP,
    RENDER_HOST_BACKGROUND,
    RENDER_HOST_COMPOSITE,
    RENDER_PIPELINES
} render_pipeline;

/* Images with which splats are drawn for one camera. */
typedef struct render_half_images {
    gpu_image *tiles, *blocks; /* how deep the surface hides what is behind it */
    /* At half the resolution: which pixels the texels sample, and the sums along their rays. */
    gpu_image *sampled, *thickness, *optical_depth;
} render_half_images;

/* Images of one frame size, recreated when the size changes. Images that a frame does not use have
 * one pixel. */
typedef struct render_images {
    uint32_t width, height; /* in samples */
    gpu_image *surface[2];  /* 1/z, ping-pong */
    gpu_image *thickness, *layer_thickness, *optical_depth, *surface_normal;
    gpu_image *mesh_thickness; /* of a fluid given as a mesh */
    render_half_images half;
    gpu_image *filtered_thickness[2]; /* filtered thickness, ping-pong */
    gpu_image *thickness_sum;         /* thickness of the compute splatter: a storage image */
    gpu_image *splat_depth;           /* D32, for devices that cannot blend 32-bit floats */
    gpu_image *solid_depth, *solid_normal, *solid_colour;
    gpu_image *background, *colour;
    gpu_image *whitewater;   /* whitewater layers */
    gpu_image *foam;         /* film of foam, at half the resolution */
    gpu_image *spray;        /* drops of lone particles */
    gpu_image *exposure_sum; /* sum of the light of several pictures */
} render_images;

typedef struct render_shadow {
    uint32_t size;
    gpu_image *solid, *fluid, *thickness, *mesh_thickness, *splat_depth;
    render_half_images half;
    /* A quarter as wide: the fluid's smoothed depths, ping-pong, and the caustics. */
    gpu_image *depths[2], *caustics;
} render_shadow;

/* The measurement that selects a splatter. */
typedef struct render_splat_trial {
    uint32_t frames; /* frames measured so far */
    double draw_ms;
    bool compute; /* result */
} render_splat_trial;

/* Features of a frame's scene and light that shading pipelines are specialized for, with the shader
 * that uses each. */
typedef struct render_shade_variant {
    bool solids, shadowed, image; /* shaders/lib/render/sky.glsl */
    bool solids_drawn;            /* shaders/render/background.comp */
    bool slice_drawn;             /* shaders/lib/render/slice.glsl */
    bool tank;                    /* shaders/lib/render/glass.glsl */
    bool parallel;                /* shaders/lib/render/surface.glsl */
    bool studio;                  /* shaders/lib/render/sky_dome.glsl */
    bool whitewater, spray;       /* shaders/render/whitewater_composite.comp */
} render_shade_variant;

#define RENDER_FRAMES_IN_FLIGHT 3u
#define RENDER_PASSES 112u

/* What reusable shadows were computed from; compared bytewise. */
typedef struct render_shadow_key {
    uint64_t version, poses; /* of the frame; hash of the solids' poses */
    vec3 min, max;
    uint32_t size, mode, colouring;
    float extrapolation_s;
    vec4 slice_plane; /* cuts the fluid off */
} render_shadow_key;

/* The results of earlier frames that can be reused, and what they were computed from. */
typedef struct render_reuse {
    bool shapes, shadows; /* this frame reuses them */
    uint64_t shapes_version, next_shapes_version;
    render_shadow_key shadow_key, next_shadow_key;
    uint32_t shadow_age; /* number of later versions that were drawn with these shadows */
    uint64_t drawn_version;
} render_reuse;

/* A pass list and its times. There is one for frames that compute everything, and one for each kind
 * of frame that reuses results, so that alternating between them does not restart the times. */
typedef struct render_timed_list {
    const char *names[RENDER_PASSES];
    uint32_t count;
    gpu_timers *timers;
} render_timed_list;
#define RENDER_TIMED_LISTS 8u

struct renderer {
    gpu_device *device;
    render_look look;
    render_liquid liquids[RENDER_MAX_FLUIDS];
    uint32_t liquid_count;
    vec3 min, max;
    bool periodic[3];
    float frame_s;
    bool blend_depth; /* instead of a depth test */
    bool cull_hidden; /* draws no depth of hidden splats */
    gpu_format thickness_format;
    gpu_format host_format; /* colour format that RENDER_HOST_COMPOSITE was created for */

    gpu_pipeline *pipelines[RENDER_PIPELINES]; /* created on first use */
    render_shade_variant light, pipeline_variants[RENDER_PIPELINES];
    BASE_ARRAY(gpu_pipeline *) ahead; /* held for the modes of a scene in this variant */
    render_shade_variant ahead_for;
    render_images images;
    render_shadow shadow;
    gpu_image *environment, *dummy_image, *dummy_depth;
    gpu_buffer *dummy;

    /* One per frame in flight. */
    gpu_buffer *params[RENDER_FRAMES_IN_FLIGHT], *models[RENDER_FRAMES_IN_FLIGHT],
        *slices[RENDER_FRAMES_IN_FLIGHT], *legends[RENDER_FRAMES_IN_FLIGHT];
    render_mesh deformables[RENDER_FRAMES_IN_FLIGHT]; /* cloths and ropes */
    uint64_t tickets[RENDER_FRAMES_IN_FLIGHT];
    uint64_t frame;

    render_mesh solids; /* triangles of all solids */
    uint32_t solid_count;
    float (*solid_colours)[3];
    uint32_t deformable_count;
    float (*deformable_colours)[3];
    const render_mesh *drawn_deformables; /* of the frame being prepared */

    gpu_buffer *splats[2]; /* for the eye and for the sun */
    gpu_buffer *splat_lists, *outer_splats, *inner_splats,
        *later_splats; /* of one after the other */
    grid_anisotropy *anisotropy;
    grid_anisotropy_def anisotropy_def;
    render_reuse reuse;
    bool draft;                                         /* this frame is a draft */
    gpu_buffer *nearest, *thickness_sum, *weighted_sum; /* for the compute splatter */
    bool uses_compute;                                  /* for this frame */
    render_splat_trial trial;

    gpu_pass passes[RENDER_PASSES];
    uint32_t pass_count;
    /* Indexed by binding number. A binding that changes within a frame is set before the pass that
     * uses it. */
    gpu_buffer *bound[RENDER_BINDINGS];
    gpu_image *bound_images[RENDER_BINDINGS];
    render_timed_list timed_lists[RENDER_TIMED_LISTS];
    render_timed_list *timed; /* that of the last frame; NULL: none yet */

    gpu_image *filtered_thickness;                            /* latest output of the filter */
    gpu_image *last_nearest, *last_filtered, *last_thickness; /* of the last frame */
};

/* Returns the pipeline, creating it if necessary. */
weir_result render_pipeline_get(renderer *r, render_pipeline which, const gpu_pipeline **pipeline);

/* Has a thread compile the pipelines that other modes of the scene need, unless it has been done
 * for the light of the last frame. */
void render_compile_ahead(renderer *r);
void render_release_ahead(renderer *r);

/* Appends a pass with the current bindings; `which` is its pipeline. */
weir_result render_append_pass(renderer *r, render_pipeline which, gpu_dispatch_size dispatch_size,
                               gpu_pass **pass);
/* Returns the dispatch size over all pixels of the image, rounded up to whole tiles. */
gpu_dispatch_size render_pixel_dispatch(const gpu_image *image);

/* The splats of one camera, and the images that receive them. */
typedef struct splat_target {
    uint32_t camera;
    uint64_t count;
    gpu_image *nearest, *thickness, *depth, *limit;
    const render_half_images *half;
    gpu_image *layers, *optical_depth; /* NULL: none */
} splat_target;

/* Append the passes that compute the splats of a camera and list them, that draw all splats with a
 * pipeline, and that draw the fluid's depth and thickness. */
weir_result render_append_splat_setup(renderer *r, const render_frame *frame, uint32_t camera);
weir_result render_append_splat_draw(renderer *r, render_pipeline which, const splat_target *target,
                                     gpu_pass **pass);
weir_result render_draw_splats(renderer *r, const splat_target *target);
weir_result render_compute_splats(renderer *r, const splat_target *target);

typedef struct render_image_needs {
    bool mesh, compute; /* a mesh surface; the compute splatter */
    bool mixed;         /* optical depths of fluid of several colours */
    bool whitewater, spray, exposures;
} render_image_needs;
weir_result render_images_prepare(renderer *r, uint32_t width, uint32_t height,
                                  render_image_needs needs);
weir_result render_shadow_prepare(renderer *r, uint32_t size, bool mesh);
void render_images_destroy(renderer *r);

/* Returns whether the fluid of a frame has several colours: several fluids, or a surface that an
 * attribute colours. */
bool render_mixes_colours(const renderer *r, const render_frame *frame);

/* Fills the parameter block that all shaders of a frame read. */
void render_params_fill(const renderer *r, const render_frame *frame, struct render_params *params);

/* Colour `entry` of a map, below RENDER_COLOUR_MAP_SIZE: sRGB, red in the lowest byte. */
uint32_t render_colour_map_entry(weir_colour_map map, uint32_t entry);
/* Returns the map of a picture, which AUTO selects by the quantity. */
weir_colour_map render_colour_map_of(const weir_camera *view);

/* The contents of a legend. */
typedef struct render_legend {
    const char *title; /* NULL: there is no legend */
    const char *unit;
    weir_colour_map map;
    double low, high;     /* in `unit` */
    uint32_t fluid_count; /* 0: a colour bar */
} render_legend;
/* Returns the legend of a picture whose colours span `low` to `high`, in SI units. */
render_legend render_legend_make(const renderer *r, const weir_camera *view, float low, float high);
/* Writes the values of the ticks, at most eight, and returns their number. */
uint32_t render_legend_ticks(const render_legend *legend, double *values);
/* Draws the legend of a frame and sets its place in `params`, whose range must be set. A legend
 * wider than half of the picture or higher than a third is left out. */
weir_result render_legend_prepare(renderer *r, const weir_camera *view, uint32_t slot,
                                  struct render_params *params);

weir_result render_solids_create(renderer *r, const render_def *def);
weir_result render_deformables_create(renderer *r, const render_def *def);
/* Fills the slot's buffers and sets r->drawn_deformables to the triangles to draw, or NULL. */
weir_result render_deformables_upload(renderer *r, const render_deformables *deformables,
                                      uint32_t slot);
/* Enlarges the buffer to at least the def's count; its contents are lost if it grows. */
weir_result render_buffer_reserve(renderer *r, gpu_buffer_def def, gpu_buffer **buffer);

/* Destroys the smoothed centres and ellipsoids of the points, so that they are not reused. */
void render_shapes_destroy(renderer *r);
/* Determines which results of earlier frames the frame reuses. The rest of the frame must have been
 * prepared. */
void render_reuse_plan(renderer *r, const render_frame *frame);
/* Records what the frame has computed; call it once the frame has been submitted. */
void render_reuse_store(renderer *r, const render_frame *frame);
/* Reports whether the splatter is still being chosen by measurement. */
bool render_is_in_trial(const renderer *r);

/* Reports whether the compute splatter is used for this frame. */
bool render_uses_compute_splats(renderer *r, const render_frame *frame);

/* Fills r->passes for a frame whose images and buffers exist. */
weir_result render_build_passes(renderer *r, const render_frame *frame, gpu_image *target);

/* Reports whether the frame uses smoothed centres and ellipsoids. */
static inline bool render_draws_ellipsoids(const render_frame *frame)
{
    return frame->points && frame->points->count &&
           (frame->view->mode != WEIR_RENDER_MODE_PARTICLES ||
            frame->view->colouring == WEIR_COLOURING_NEIGHBOURS);
}

/* Reports whether whitewater is drawn; it is part of the picture of the surface. */
static inline bool render_draws_whitewater(const render_frame *frame)
{
    return frame->whitewater_count > 0 && frame->view->whitewater &&
           frame->view->mode == WEIR_RENDER_MODE_SURFACE;
}

/* Reports whether the drops of lone particles are drawn as spray, over the picture of the surface.
 */
static inline bool render_draws_spray(const render_frame *frame)
{
    return frame->points && !frame->mesh && !frame->host &&
           frame->view->mode == WEIR_RENDER_MODE_SURFACE;
}

static inline bool render_draws_opaque(const weir_camera *view)
{
    return view->mode == WEIR_RENDER_MODE_ELLIPSOIDS || view->mode == WEIR_RENDER_MODE_PARTICLES;
}

#endif
