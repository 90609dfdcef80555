/* render: renders particles or a mesh to an image. It does not depend on windows. Passes and
 * formulas: shaders/render; buffers: shaders/shared/render.h. */
#ifndef WEIR_RENDER_H
#define WEIR_RENDER_H

#include "gpu.h"
#include "grid.h"

#include "shared/render.h"

typedef struct renderer renderer;

/* The triangles of one solid in its own space; `normals` NULL: triangle normals are used. */
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

/* The colour of a liquid over an attribute of its particles, sampled at equal steps. */
typedef struct render_colour_curve {
    char attribute[48];     /* name of the attribute or of a component; "": no curve */
    float first, per_value; /* value at the first sample; samples per unit of the attribute */
    float colours[RENDER_CURVE_SAMPLES][3]; /* linear */
} render_colour_curve;

typedef struct render_liquid {
    float colour[3];         /* linear */
    float absorption[3];     /* 1/m */
    float scattering;        /* 1/m */
    float absorption_length; /* m: over which white light takes on `colour` */
    float density;           /* kg/m3, at rest */
    const char *name;        /* must outlive the renderer; NULL: none */
    render_colour_curve curve;
} render_liquid;

/* The named looks, in the order of the names in the scene tables. */
typedef enum render_look_name {
    RENDER_LOOK_STUDIO, /* lamps in front of a dark backdrop; the default */
    RENDER_LOOK_DAYLIGHT,
    RENDER_LOOK_DUSK,
    RENDER_LOOK_TECHNICAL, /* even light and a clear grid */
    RENDER_LOOK_COUNT,
} render_look_name;

/* Constants of a named look. Colours are linear; those of the sky are radiance, those of the floor
 * albedo, that of the sun is irradiance. */
typedef struct render_look_preset {
    float lamp_radiance;       /* of the key lamp; 0: the analytic sky instead of a studio */
    float sun_azimuth_degrees; /* from the camera's azimuth, counter-clockwise from above */
    float sun_elevation_degrees;
    float sun_colour[3], zenith[3], horizon[3], floor[3], lines[3];
    float horizon_glow;  /* below the sun, times sun_colour */
    float clouds;        /* 0 to 1: opacity of the clouds of the analytic sky */
    float line_strength; /* 0 to 1: opacity of the floor's lines */
    float floor_gloss;   /* factor of the floor's mirror image of the sky */
    float ambient;       /* radiance of a studio's ambient light; 0: the sky's */
    /* Water absorbs over this multiple of the cube root of its volume. */
    float absorption_scale;
    float scattering_ratio; /* scattering coefficient times the absorption length */
} render_look_preset;

/* Returns a named look; NULL past the last. */
const render_look_preset *render_look_preset_get(uint32_t index);

/* Appearance of the surroundings. Colours are as in render_look_preset. */
typedef struct render_look {
    vec3 sun;               /* direction to the sun; need not be a unit vector */
    vec3 strip, fill, wall; /* unit: directions to a studio's other lamps; the wall's is level */
    float lamp_radiance;    /* of the key lamp; 0: the analytic sky */
    float sun_colour[3], zenith[3], horizon[3];
    float ambient, horizon_glow, clouds;
    float floor_light[3], floor_dark[3]; /* albedo of the tiles and of the lines between them */
    float line_strength, floor_gloss;
    float floor_height, floor_tile; /* m; tile 0: no floor */
    float floor_fade;               /* m: distance at which the floor fades into the horizon */
    float refraction;               /* refractive index of the fluid relative to air */
    float bulk_radius, drop_radius; /* radii of splats, in spacings */
    vec3 tank_min, tank_max;        /* m: box with glass walls */
    uint32_t tank_sides;            /* bits: 1 -x, 2 +x, 4 -z, 8 +z; 0: no tank */
    /* [3 * width * height]: radiance in all directions, rows of pixels from the zenith down; NULL:
     * none */
    const float *environment;
    uint32_t environment_width, environment_height;
} render_look;

typedef struct render_def {
    /* m: bounds of the fluid, which determine the shadow camera and the neighbour search; points
     * outside are drawn, but more slowly and without shadow */
    vec3 min, max;
    bool periodic[3];
    float frame_s; /* s: time between the frames of a film; 0: unknown */
    const render_liquid *liquids;
    uint32_t liquid_count; /* 1 to RENDER_MAX_FLUIDS */
    const render_solid *solids;
    uint32_t solid_count;
    const float (*deformable_colours)[3]; /* of cloths and ropes, linear */
    uint32_t deformable_count;
    render_look look;
} render_def;

/* Returns the surroundings of a look for a camera at this azimuth, degrees from +z towards +x. */
render_look render_look_from_preset(const render_look_preset *preset, float azimuth_degrees);
/* Returns those of the studio for an azimuth of 0. */
render_look render_look_default(void);

/* Creates a renderer. The def's arrays may be freed after the call. Errors: MEMORY, UNSUPPORTED (a
 * device that cannot draw). */
weir_result render_create(gpu_device *device, const render_def *def, renderer **r);
void render_destroy(renderer **r);

/* Extends the bounds by this box, for points that may lie outside. */
void render_extend_bounds(renderer *r, vec3 min, vec3 max);

/* A fluid surface as triangles, in device memory. */
typedef struct render_mesh {
    gpu_buffer *vertices; /* vec4[vertex_count]: xyz m, w 0 */
    gpu_buffer *normals;  /* vec4[vertex_count]: xyz unit */
    gpu_buffer *indices;  /* uint[3 * triangle_count] */
    uint32_t triangle_count;
    float spacing_m; /* of the particles that it was made from; 0: unknown */
} render_mesh;

/* Cloths and ropes as triangles, in the order of render_def.deformable_colours. */
typedef struct render_deformables {
    uint32_t count;
    /* The first vertex and triangle of each, and the end of the last: [count + 1]. */
    const uint32_t *first_vertex, *first_triangle;
    const vec3 *positions, *normals; /* m, unit */
    const uint32_t *indices;         /* [3] per triangle, relative to its own first vertex */
} render_deformables;

/* A host's picture, over which the fluid's surface is drawn. */
typedef struct render_host {
    gpu_image *colour, *depth;    /* same size as the frame's camera */
    vec3 eye, right, up, forward; /* unit vectors; right and up as in the picture */
    float tangent_x, tangent_y;   /* half the width and height at distance 1 */
    /* the picture's centre at distance 1: offset to the right and up */
    float middle_x, middle_y;
    float depth_over, depth_added; /* distance at depth d: depth_over / (d + depth_added) */
    /* Rays are parallel. `eye` then lies on the central ray, the tangents are in metres, and the
     * distance is depth_over * (d + depth_added). */
    bool parallel;
    /* with parallel rays: anything nearer to the eye's plane is not drawn */
    float near_m;
    bool encoded; /* colours are sRGB-encoded in memory and in shaders */
    const struct weir_vulkan_submit *submission; /* NULL: none */
} render_host;

/* Contents of a frame: particles, a mesh, or neither (NULL). `poses` has one entry per solid; NULL
 * leaves the solids at rest. */
typedef struct render_frame {
    const weir_camera *view;
    const particle_view *points;
    /* Frames with the same version, above 0, have the same points and deformables; their shapes and
     * shadows are computed once. 0: unknown */
    uint64_t version;
    const render_mesh *mesh;
    const render_pose *poses;
    render_deformables deformables; /* count 0: none */
    /* struct whitewater_particle[whitewater_count]: shaders/shared/whitewater.h; NULL: none */
    gpu_buffer *whitewater;
    uint32_t whitewater_count;
    const render_host *host; /* NULL: none, and the picture goes to the target */
    /* RGBA32F, size of the picture; receives its linear light; NULL: none */
    gpu_image *light;
    float extrapolation_s; /* particles are extrapolated along their velocities by this time */
    /* The picture is the mean of `exposures` pictures; `exposure` is the index of this one, from 0.
     * The last call shows the mean. 0, 0: no mean. */
    uint32_t exposure, exposures;
} render_frame;

/* Creates everything that render_draw of the same frame would create. Errors: those of
 * render_draw. */
weir_result render_prepare(renderer *r, const render_frame *frame, gpu_image *target);
/* Records and submits the work of a frame, without waiting. `target` is RGBA8 with the size of the
 * picture, or NULL with a host. *ticket reports completion. Errors: MEMORY, ARGUMENT (a picture
 * larger than the device allows). */
weir_result render_draw(renderer *r, const render_frame *frame, gpu_image *target,
                        uint64_t *ticket);

/* Returns the times of the passes over the frames since the pass list last changed, like
 * sim_pass_times. */
weir_result render_pass_times(renderer *r, weir_pass_time *times, uint32_t *count);

/* Intermediate images of the last frame, for tests; NULL where the pass did not run. */
typedef struct render_debug_image_set {
    gpu_image *nearest, *filtered; /* R32F: 1/z; 0: nothing there */
    /* RGBA16F; RGBA32F of the compute splatter; RG32F or RG16F of a mesh. m; m times the neighbour
     * fraction */
    gpu_image *thickness;
    /* RG32F or RG16F, at half the resolution: the same where splats were drawn; else undefined */
    gpu_image *half_thickness;
} render_debug_image_set;
render_debug_image_set render_debug_images(const renderer *r);
/* For tests: acts like a device that cannot blend 32-bit floats. */
void render_disable_blending(renderer *r);

#endif
