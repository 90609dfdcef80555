/* render: points or a mesh become an image; knows nothing of windows. Passes, formulas, buffers:
 * shaders/render, shaders/shared/render.h. */
#ifndef WEIR_RENDER_H
#define WEIR_RENDER_H

#include "gpu.h"
#include "grid.h"

typedef struct renderer renderer;

/* Triangles of one solid in its own space; `normals` NULL: those of the triangles. */
typedef struct render_solid {
    const float *vertices;   /* [3 * vertex_count], m */
    const float *normals;    /* [3 * vertex_count], unit */
    const uint32_t *indices; /* [3 * triangle_count] */
    uint32_t vertex_count, triangle_count;
    float colour[3]; /* linear */
} render_solid;

typedef struct render_pose {
    vec3 position;
    quat rotation;
    float scale;
} render_pose;

typedef struct render_liquid {
    float colour[3];     /* linear */
    float absorption[3]; /* 1/m */
    float scattering;    /* 1/m */
    float density;       /* kg/m3, at rest */
} render_liquid;

/* How the surroundings look. Colours are linear; the sky's are radiance, the sun's irradiance. */
typedef struct render_look {
    vec3 sun; /* direction to it; need not be unit */
    float sun_colour[3], zenith[3], horizon[3];
    float clouds;                        /* 0 to 1: how far they hide the sky behind them */
    float floor_light[3], floor_dark[3]; /* albedo of its tiles */
    float floor_height, floor_tile;      /* m; tile 0: no floor */
    float floor_fade;                    /* m: distance at which it is one with the horizon */
    float refraction;                    /* index of the fluid over air's */
    float bulk_radius, drop_radius;      /* of splats, in spacings */
    vec3 tank_min, tank_max;             /* m: a box whose sides are glass */
    uint32_t tank_sides;                 /* by bits: 1 -x, 2 +x, 4 -z, 8 +z; 0: no tank */
    const float *environment; /* [3 * width * height] radiance in all directions, lines from the
                                 zenith; NULL: the analytic sky */
    uint32_t environment_width, environment_height;
} render_look;

typedef struct render_def {
    vec3 min, max; /* m: the box that holds the fluid: shadows and neighbour search are laid out for
                      it; points outside are drawn, but more slowly and without shadow */
    bool periodic[3];
    const render_liquid *liquids;
    uint32_t liquid_count; /* 1 to RENDER_MAX_FLUIDS */
    const render_solid *solids;
    uint32_t solid_count;
    const float (*deformable_colours)[3]; /* of cloths and ropes, linear */
    uint32_t deformable_count;
    render_look look;
} render_def;

render_look render_look_default(void);

/* The def's arrays may die after the call. Errors: MEMORY, UNSUPPORTED (a device that cannot draw).
 */
weir_result render_create(gpu_device *device, const render_def *def, renderer **r);
void render_destroy(renderer **r);

/* Makes the box hold this one too: for points that may lie outside. */
void render_extend_bounds(renderer *r, vec3 min, vec3 max);

/* A fluid's surface as triangles, on the device. */
typedef struct render_mesh {
    gpu_buffer *vertices; /* vec4[vertex_count]: xyz m, w 0 */
    gpu_buffer *normals;  /* vec4[vertex_count]: xyz unit */
    gpu_buffer *indices;  /* uint[3 * triangle_count] */
    uint32_t triangle_count;
} render_mesh;

/* Cloths and ropes as triangles, in the order of render_def.deformable_colours. */
typedef struct render_deformables {
    uint32_t count;
    /* The first vertex and triangle of each, and behind the last: [count + 1]. */
    const uint32_t *first_vertex, *first_triangle;
    const vec3 *positions, *normals; /* m, unit */
    const uint32_t *indices;         /* [3] a triangle, from its own first vertex on */
} render_deformables;

/* The picture of a host, over which the fluid's surface is drawn. */
typedef struct render_host {
    gpu_image *colour, *depth;     /* as large as the frame's view */
    vec3 eye, right, up, forward;  /* unit; right and up as they are in the picture */
    float tangent_x, tangent_y;    /* half the width and height at distance 1 */
    float middle_x, middle_y;      /* where the picture's middle looks there: to the right, up */
    float depth_over, depth_added; /* the distance of a depth d is depth_over / (d + depth_added) */
    bool parallel; /* rays are: `eye` is in the middle's, the tangents are in metres, the distance
                      is depth_over * (d + depth_added) */
    float near_m;  /* of parallel rays: what is nearer to the eye's plane is not drawn */
    bool encoded;  /* colours are sRGB in memory and in shaders */
    const struct weir_vulkan_submit *submission; /* or NULL */
} render_host;

/* What a frame shows: points, or a mesh, or neither (NULL); `poses` has one for each solid, NULL
 * leaves them where they are. */
typedef struct render_frame {
    const weir_camera *view;
    const particle_view *points;
    const render_mesh *mesh;
    const render_pose *poses;
    render_deformables deformables; /* count 0: none are drawn */
    gpu_buffer
        *whitewater; /* struct whitewater_particle[whitewater_count]: shaders/shared/whitewater.h */
    uint32_t whitewater_count;
    const render_host *host; /* NULL: none; then the target is drawn */
    gpu_image *light;        /* RGBA32F of the view's size, which is filled too; NULL: none */
    float extrapolation_s; /* particles are drawn where their velocities take them so much later */
    /* The picture is the mean of so many, of which this is one, from 0 on; the last is shown. 0, 0:
     * no mean. */
    uint32_t exposure, exposures;
} render_frame;

/* Makes all that render_draw of the same frame would make. Errors: those of render_draw. */
weir_result render_prepare(renderer *r, const render_frame *frame, gpu_image *target);
/* Records and submits the frame's work and does not wait; `target` is RGBA8 of the view's size,
 * NULL with a host. *ticket: when it is done. Errors: MEMORY, ARGUMENT (a picture larger than the
 * device allows). */
weir_result render_draw(renderer *r, const render_frame *frame, gpu_image *target,
                        uint64_t *ticket);

/* As sim_pass_times: what the passes of the last frames took, since their table last changed. */
weir_result render_pass_times(renderer *r, weir_pass_time *times, uint32_t *count);

/* The images between the passes of the last frame, for tests: NULL when there was no such pass. */
typedef struct render_debug_image_set {
    gpu_image *nearest, *filtered; /* R32F: 1/z, 0 where there is nothing */
    gpu_image *thickness;          /* RG32F or RG16F: m; m times share of neighbours */
} render_debug_image_set;
render_debug_image_set render_debug_images(const renderer *r);
/* For tests: acts as a device that can blend neither 32-bit numbers nor attachments apart. */
void render_disable_blending(renderer *r);

#endif
