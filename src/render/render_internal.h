/* render_internal: what the files of the render room share. */
#ifndef WEIR_RENDER_INTERNAL_H
#define WEIR_RENDER_INTERNAL_H

#include "render.h"

#include "shared/render.h"

typedef enum render_kernel {
    RENDER_SPLATS,
    RENDER_SPLAT_BOTH, /* depth and thickness in one draw */
    RENDER_SPLAT_DEPTH,
    RENDER_SPLAT_THICKNESS,
    RENDER_SPLAT_FRONT,
    RENDER_SPLAT_MIXED,
    RENDER_SPLAT_SOLID,
    RENDER_SPLAT_COMPUTE,
    RENDER_SPLAT_RESOLVE,
    RENDER_SOLID,
    RENDER_SOLID_SHADOW,
    RENDER_MESH_FRONT,
    RENDER_MESH_THICKNESS,
    RENDER_BACKGROUND_PASS,
    RENDER_FILTER_LINE,
    RENDER_FILTER_CLEAN,
    RENDER_FILTER_MEET,
    RENDER_FILTER_FLOW,
    RENDER_SUN_SMOOTH,
    RENDER_CAUSTICS,
    RENDER_SHADE,
    RENDER_SHADE_MIXED,
    RENDER_SHADE_MESH,
    RENDER_CHANNEL,
    RENDER_WHITEWATER,
    RENDER_WHITEWATER_OVER,
    RENDER_EXPOSE,
    RENDER_LIGHT,
    RENDER_TONEMAP,
    RENDER_HOST_BEHIND,
    RENDER_HOST_OVER,
    RENDER_KERNELS
} render_kernel;

/* Images of one frame size; made anew when the size changes. One pixel where a frame has no use
 * for them. */
typedef struct render_images {
    uint32_t width, height; /* of the samples */
    gpu_image *surface[2];  /* 1/z, by turns */
    gpu_image *thickness, *front, *mixed, *surface_normal;
    gpu_image *smooth[2];   /* thickness as the filter leaves it, by turns */
    gpu_image *summed;      /* thickness of the compute splatter: a storage image */
    gpu_image *splat_depth; /* D32, for devices that cannot blend 32-bit numbers */
    gpu_image *solid_depth, *solid_normal, *solid_colour;
    gpu_image *background, *colour;
    gpu_image *whitewater; /* its layers */
    gpu_image *exposed;    /* light of several pictures, added up */
} render_images;

typedef struct render_shadow {
    uint32_t size;
    gpu_image *solid, *fluid, *thickness, *splat_depth;
    /* A quarter as wide: the fluid's smoothed depths, by turns, and how its surface focuses light.
     */
    gpu_image *depths[2], *caustics;
} render_shadow;

/* The measurement that picks a splatter. */
typedef struct render_trial {
    uint32_t frames; /* tried so far */
    double draw_ms;
    bool compute; /* the outcome */
} render_trial;

/* What a frame's light comes from and meets: kernels that shade are specialized for it. */
typedef struct render_light {
    bool solids, shadowed, image; /* shaders/lib/render/sky.glsl */
    bool seen;                    /* shaders/render/background.comp */
    bool sliced;                  /* shaders/lib/render/slice.glsl */
    bool tank;                    /* shaders/lib/render/glass.glsl */
    bool parallel;                /* shaders/lib/render/surface.glsl */
} render_light;

#define RENDER_RING 3u
#define RENDER_ROWS 96u

struct renderer {
    gpu_device *device;
    render_look look;
    render_liquid liquids[RENDER_FLUIDS];
    uint32_t liquid_count;
    vec3 min, max;
    bool periodic[3];
    bool blends; /* depth and thickness in one draw */
    gpu_format thickness_format;
    gpu_format host_format; /* of the host's colour that RENDER_HOST_OVER was made for */

    gpu_kernel *kernels[RENDER_KERNELS]; /* made when first needed */
    render_light light, made_for[RENDER_KERNELS];
    render_images images;
    render_shadow shadow;
    gpu_image *environment, *nothing_image, *nothing_depth;
    gpu_buffer *nothing;

    /* Of frames in flight: */
    gpu_buffer *params[RENDER_RING], *models[RENDER_RING], *slices[RENDER_RING];
    render_mesh softs[RENDER_RING]; /* cloths and ropes */
    uint64_t tickets[RENDER_RING];
    uint64_t frame;

    render_mesh solids; /* the triangles of all */
    uint32_t solid_count;
    float (*solid_colours)[3];
    uint32_t soft_count;
    float (*soft_colours)[3];
    const render_mesh *drawn_softs; /* those of the frame that is made ready */

    gpu_buffer *splats[2]; /* of the eye and of the sun */
    grid_anisotropy *anisotropy;
    grid_anisotropy_def anisotropy_def;
    gpu_buffer *nearest, *summed, *weighted; /* of the compute splatter */
    bool computes;                           /* it serves this frame */
    render_trial trial;

    gpu_row rows[RENDER_ROWS];
    uint32_t row_count;
    /* By binding number; a binding that changes within a frame is set before the row that needs it.
     */
    gpu_buffer *bound[RENDER_BINDINGS];
    gpu_image *bound_images[RENDER_BINDINGS];
    const char *timed_names[RENDER_ROWS];
    uint32_t timed_count;
    gpu_timers *timers;

    gpu_image *smooth_thickness;                              /* as the filter leaves it */
    gpu_image *last_nearest, *last_filtered, *last_thickness; /* of the last frame */
};

/* The kernel, made when it is missing. */
weir_result render_kernel_get(renderer *r, render_kernel which, const gpu_kernel **kernel);

typedef struct render_needs {
    bool mesh, compute; /* a mesh's surface; the compute splatter */
    bool whitewater, exposures;
} render_needs;
weir_result render_images_prepare(renderer *r, uint32_t width, uint32_t height, render_needs needs);
weir_result render_shadow_prepare(renderer *r, uint32_t size);
void render_images_destroy(renderer *r);

/* Fills the block that all shaders of a frame read. */
void render_params_fill(const renderer *r, const render_frame *frame, struct render_params *params);

weir_result render_solids_create(renderer *r, const render_def *def);
weir_result render_softs_create(renderer *r, const render_def *def);
/* Fills the slot's buffers; r->drawn_softs is then what is drawn of them, or NULL. */
weir_result render_softs_prepare(renderer *r, const render_softs *softs, uint32_t slot);
/* Makes room for as many elements as the def says; what the buffer held is lost. */
weir_result render_grow(renderer *r, gpu_buffer_def def, gpu_buffer **buffer);

/* Does the compute splatter serve this frame? */
bool render_computes(renderer *r, const render_frame *frame);

/* Fills r->rows for a frame whose images and buffers stand ready. */
weir_result render_rows_make(renderer *r, const render_frame *frame, gpu_image *target);

/* Do centres and shapes matter to the frame? */
static inline bool render_fits(const render_frame *frame)
{
    return frame->points && frame->points->count &&
           (frame->view->mode != WEIR_MODE_PARTICLES ||
            frame->view->colouring == WEIR_COLOUR_NEIGHBOURS);
}

/* Is whitewater drawn? It is part of the picture of the surface. */
static inline bool render_foams(const render_frame *frame)
{
    return frame->whitewater_count > 0 && frame->view->whitewater &&
           frame->view->mode == WEIR_MODE_SURFACE;
}

static inline bool render_opaque(const weir_view *view)
{
    return view->mode == WEIR_MODE_ELLIPSOIDS || view->mode == WEIR_MODE_PARTICLES;
}

#endif
