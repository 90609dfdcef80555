/* Pictures of points and meshes.
 * weir/weir.h has the rules that hold for all functions. */
#ifndef WEIR_RENDER_PUBLIC_H
#define WEIR_RENDER_PUBLIC_H

#include "mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct weir_renderer weir_renderer;
typedef struct weir_image weir_image;

/* What a picture shows. */
typedef enum weir_render_mode {
    WEIR_RENDER_MODE_SURFACE,    /* the fluid's surface, shaded */
    WEIR_RENDER_MODE_ELLIPSOIDS, /* opaque ellipsoids fitted to the particles' neighbourhoods */
    WEIR_RENDER_MODE_PARTICLES,  /* spheres as wide as the particle spacing */
    WEIR_RENDER_MODE_MESH,       /* the triangles, opaque; for weir_render_mesh alone */
    /* What the passes of SURFACE work with: */
    WEIR_RENDER_MODE_DEPTH,          /* of the ellipsoids, before the filter */
    WEIR_RENDER_MODE_FILTERED_DEPTH, /* the same after the filter */
    WEIR_RENDER_MODE_THICKNESS,
    WEIR_RENDER_MODE_NORMALS,
    WEIR_RENDER_MODE_SHADOW, /* the fluid's thickness as seen from the sun */
    WEIR_RENDER_MODE_BACKGROUND,
    WEIR_RENDER_MODE_COUNT,
} weir_render_mode;

/* What the colour of ellipsoids and particles shows. SPEED needs points with velocity, DENSITY
 * points with density. LAMBDA needs points of a simulation that has begun no step since. */
typedef enum weir_colouring {
    WEIR_COLOURING_FLUID,
    WEIR_COLOURING_SPEED,
    WEIR_COLOURING_DENSITY, /* density / rest density - 1 */
    WEIR_COLOURING_ID,
    WEIR_COLOURING_NEIGHBOURS,
    WEIR_COLOURING_LAMBDA, /* the solver's lambda, m2; 0 before the first step and with PCISPH */
    WEIR_COLOURING_COUNT,
} weir_colouring;

/* How the depth of the ellipsoids becomes a smooth surface. */
typedef enum weir_depth_filter {
    WEIR_DEPTH_FILTER_NARROW_RANGE,
    WEIR_DEPTH_FILTER_BILATERAL,
    WEIR_DEPTH_FILTER_CURVATURE_FLOW,
    WEIR_DEPTH_FILTER_NONE,
    WEIR_DEPTH_FILTER_COUNT,
} weir_depth_filter;

/* How ellipsoids become pixels. The pictures are the same. */
typedef enum weir_splat_method {
    WEIR_SPLAT_AUTO,    /* the faster of the two on this device */
    WEIR_SPLAT_RASTER,  /* by the graphics pipeline */
    WEIR_SPLAT_COMPUTE, /* by compute shaders */
    WEIR_SPLAT_COUNT,
} weir_splat_method;

typedef struct weir_camera {
    uint32_t cookie;
    float eye[3], target[3];  /* m, at different points */
    float up[3];              /* not along the line of sight; default +y */
    float fov_y_degrees;      /* angle that the picture's height covers, 1 to 150; default 40 */
    float near_m;             /* nothing nearer is shown; 0, the default: chosen from the spacing */
    uint32_t width, height;   /* pixels, 1 to 16384; default 1280 x 720 */
    uint32_t samples;         /* along each side of a pixel, 1 to 4; default 1 */
    weir_render_mode mode;    /* default SURFACE */
    weir_colouring colouring; /* default FLUID */
    float value_range[2]; /* that the colours of values, depth or thickness span; equal: chosen */
    double time_s;        /* at which moving solids have their positions */
    float aperture_m; /* of a lens that is sharp at the target's distance; default 0: everywhere */
    float shutter_s;  /* how long it is open, half of it before time_s; default 0: an instant */
    uint32_t
        accumulation_samples; /* pictures whose mean lens and shutter make, 1 to 256; default 32 */
    bool transparent;         /* no sky and floor; alpha is the share of a pixel that is covered */
    bool legend;              /* shows the colours' scale in modes that have one; default true */
    bool shadows;             /* default true */
    bool whitewater;          /* shows that of scenes with whitewater, on surfaces; default true */
    bool linear_light;        /* the image keeps linear light too, for EXR files: weir/render.h */
    float exposure; /* brightness, 0 to 1000; 0: no tone curve; default the scene's, else 1 */
    weir_depth_filter filter;   /* default NARROW_RANGE */
    uint32_t filter_iterations; /* along x and y, or steps of CURVATURE_FLOW; 0: the usual number */
    float filter_size;          /* standard deviation in particle spacings, 0 to 10; default 1 */
    weir_splat_method splat_method; /* default AUTO */
    const struct weir_slice *slice; /* drawn, without the fluid before it, and has the colours'
                                       range and scale; weir/profile.h; NULL, the default: none */
    bool reload_shaders; /* first compiles shaders that changed; one with a fault is logged and not
                            used */
} weir_camera;

/* By the scene's camera at 0 s, else from where the whole domain is seen. `scene` may be NULL. */
WEIR_API weir_camera weir_camera_default(const weir_scene *scene);

/* weir_camera_default at a time, where the keyframes of the scene have its camera. While a shutter
 * is open, a view whose eye, target, up and angle are still these moves on along the keyframes. */
WEIR_API weir_camera weir_camera_at_time(const weir_scene *scene, double time_s);

typedef struct weir_renderer_def {
    uint32_t cookie;
    const weir_scene *scene; /* gives solids, colours, look; is kept alive; NULL: only the fluid */
    const char *environment; /* Radiance .hdr file of all light; NULL: the scene's, or a sky */
} weir_renderer_def;

WEIR_API weir_renderer_def weir_renderer_def_default(void);

/* Errors: UNSUPPORTED (the device cannot draw), IO (a solid's mesh, the environment), MEMORY. */
WEIR_API weir_result weir_renderer_create(weir_device *device, const weir_renderer_def *def,
                                          weir_renderer **renderer);
WEIR_API void weir_renderer_destroy(weir_renderer **renderer);

/* Draws points; NULL shows the scene without fluid. *image is NULL for a new image, or an image of
 * the same device to draw into. Does not wait; reading or saving the image does. The points may be
 * released at once. Errors: ARGUMENT (the log names the view's field), MEMORY, DEVICE_LOST. */
WEIR_API weir_result weir_render_points(weir_renderer *renderer, const weir_points *points,
                                        const weir_camera *view, weir_image **image);

/* Draws a mesh, as a fluid's surface or, with WEIR_RENDER_MODE_MESH, opaque; otherwise like
 * weir_render_points. A mesh without normals is shown with those of its triangles. Errors: ARGUMENT
 * also for modes that show particles. */
WEIR_API weir_result weir_render_mesh(weir_renderer *renderer, const weir_mesh *mesh,
                                      const weir_camera *view, weir_image **image);

/* *pixels: [height][width][4] bytes, red, green, blue, alpha; top row first; sRGB, not multiplied
 * by alpha; alive until the image is read again or destroyed. Waits. Errors: MEMORY, DEVICE_LOST */
WEIR_API weir_result weir_image_read(weir_image *image, uint32_t *width, uint32_t *height,
                                     const uint8_t **pixels);

/* *light: [height][width][4], red, green, blue and alpha of the image's pixels; the top row first;
 * linear, sRGB's primaries, colours times alpha, before exposure and tone curve, without legend and
 * slice. It lives until the image is read so again or destroyed. Waits. Errors: ARGUMENT (the view
 * of the image had no `light`), MEMORY, DEVICE_LOST. */
WEIR_API weir_result weir_image_read_linear(weir_image *image, uint32_t *width, uint32_t *height,
                                            const float **light);

/* Writes a PNG file, or light into a .exr, whole or not at all. Waits. Errors: ARGUMENT (.exr of an
 * image without light), IO, MEMORY, UNSUPPORTED (weir_has_exr), DEVICE_LOST. */
WEIR_API weir_result weir_image_save(weir_image *image, const char *path);
WEIR_API void weir_image_destroy(weir_image **image);

/* Does this build write OpenEXR files? Any thread. */
WEIR_API bool weir_has_exr(void);

#ifdef __cplusplus
}
#endif
#endif
