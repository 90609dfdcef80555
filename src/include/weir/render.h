/* Rendering: pictures of points and meshes.
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
    WEIR_RENDER_MODE_MESH,       /* opaque triangles; only for weir_render_mesh */
    /* Intermediate images of SURFACE: */
    WEIR_RENDER_MODE_DEPTH,          /* depth of the ellipsoids before filtering */
    WEIR_RENDER_MODE_FILTERED_DEPTH, /* depth after filtering */
    WEIR_RENDER_MODE_THICKNESS,
    WEIR_RENDER_MODE_NORMALS,
    WEIR_RENDER_MODE_SHADOW, /* the fluid's thickness as seen from the sun */
    WEIR_RENDER_MODE_BACKGROUND,
    WEIR_RENDER_MODE_COUNT,
} weir_render_mode;

/* Quantity that the colour of ellipsoids and particles shows. SPEED needs points with velocity,
 * DENSITY points with density, LAMBDA points of a simulation that has not been stepped since. */
typedef enum weir_colouring {
    WEIR_COLOURING_FLUID,
    WEIR_COLOURING_SPEED,
    WEIR_COLOURING_DENSITY, /* density / rest density - 1 */
    WEIR_COLOURING_ID,
    WEIR_COLOURING_NEIGHBOURS,
    WEIR_COLOURING_LAMBDA,    /* multiplier lambda, m2; 0 before the first step and with PCISPH */
    WEIR_COLOURING_ATTRIBUTE, /* an attribute of the particles: weir_camera.attribute */
    WEIR_COLOURING_COUNT,
} weir_colouring;

/* Colours of values, from low to high. */
typedef enum weir_colour_map {
    WEIR_COLOUR_MAP_AUTO, /* COOLWARM for DENSITY and LAMBDA, which have both signs; else VIRIDIS */
    WEIR_COLOUR_MAP_VIRIDIS,
    WEIR_COLOUR_MAP_INFERNO,
    WEIR_COLOUR_MAP_CIVIDIS,  /* looks the same with red-green blindness */
    WEIR_COLOUR_MAP_COOLWARM, /* blue below the middle, red above */
    WEIR_COLOUR_MAP_COUNT,
} weir_colour_map;

/* Filter that turns the depth of the ellipsoids into a smooth surface. */
typedef enum weir_depth_filter {
    WEIR_DEPTH_FILTER_NARROW_RANGE,
    WEIR_DEPTH_FILTER_BILATERAL,
    WEIR_DEPTH_FILTER_CURVATURE_FLOW,
    WEIR_DEPTH_FILTER_NONE,
    WEIR_DEPTH_FILTER_COUNT,
} weir_depth_filter;

/* Method that draws the splats. All methods give the same picture. */
typedef enum weir_splat_method {
    WEIR_SPLAT_AUTO,    /* the faster of the two on this device */
    WEIR_SPLAT_RASTER,  /* graphics pipeline */
    WEIR_SPLAT_COMPUTE, /* compute shaders */
    WEIR_SPLAT_COUNT,
} weir_splat_method;

/* Camera and settings of a picture. */
typedef struct weir_camera {
    uint32_t cookie;
    float eye[3], target[3]; /* m; must differ */
    float up[3];             /* not parallel to the line of sight; default +y */
    /* vertical field of view, 1 to 150; default the scene's camera's, or else 30 */
    float fov_y_degrees;
    float near_m;               /* distance of the near plane; 0, the default: from the spacing */
    uint32_t width, height;     /* pixels, 1 to 16384; default 1280 x 720 */
    uint32_t samples;           /* along each side of a pixel, 1 to 4; default 1 */
    weir_render_mode mode;      /* default SURFACE */
    weir_colouring colouring;   /* default FLUID */
    weir_colour_map colour_map; /* default AUTO */
    /* Of ATTRIBUTE: the name of the attribute, or NAME_x, NAME_y and so on for one of its
     * components. One of three or four components is itself the colour, as linear red, green and
     * blue. NULL, the default: the first of the points. It is not copied. */
    const char *attribute;
    /* Range of values, depth or thickness that the colours span; two equal numbers, the default:
     * chosen from the data. The range of SPEED, DENSITY, LAMBDA and ATTRIBUTE is then that between
     * `value_percentiles` of the particles' values, for DENSITY and LAMBDA symmetric around 0. */
    float value_range[2];
    float value_percentiles[2]; /* 0 to 100, the first below the second; default 1, 99 */
    /* A range chosen from the data includes those of the renderer's earlier pictures of the same
     * quantity, so that the colours of a film do not flicker; default false. */
    bool hold_value_range;
    double time_s;    /* time that determines the poses of moving solids, s */
    float aperture_m; /* diameter of a lens focused on the target; default 0: everything is sharp */
    float shutter_s;  /* exposure time, centred on time_s; default 0: an instant */
    /* Number of pictures averaged for depth of field and motion blur, 1 to 256; default 32. */
    uint32_t accumulation_samples;
    bool transparent;  /* no sky and floor; alpha is the fraction of a pixel that is covered */
    bool legend;       /* shows the colour scale in modes that have one; default true */
    bool shadows;      /* default true */
    bool whitewater;   /* shows the whitewater of the points, on surfaces; default true */
    bool linear_light; /* the image also keeps linear light, for weir_image_read_linear and EXR */
    float exposure;    /* brightness, 0 to 1000; 0: no tone curve; default the scene's, or else 1 */
    weir_depth_filter filter; /* default NARROW_RANGE */
    /* Passes along x and y, or steps of CURVATURE_FLOW; 0, the default: chosen by the filter. */
    uint32_t filter_iterations;
    float filter_size; /* standard deviation in particle spacings, 0 to 10; default 1 */
    weir_splat_method splat_method; /* default AUTO */
    /* Slice to draw (weir/profile.h), which hides the fluid in front of it and determines the
     * colour range and scale; NULL, the default: none. */
    const struct weir_slice *slice;
    /* Draws faster and less exactly, for a moving camera: a part of the particles inside the fluid
     * stands for all of them, the surface's front layer is estimated, and shadows may be those of
     * up to four frames before. Default false. */
    bool draft;
    bool reload_shaders; /* compiles changed shaders first; logs and ignores those with errors */
} weir_camera;

/* Returns the scene's camera at time 0, or, if the scene has none, a camera that frames the scene's
 * fluid and solids. `scene` may be NULL. */
WEIR_API weir_camera weir_camera_default(const weir_scene *scene);

/* Returns the scene's camera at `time_s`, following the keyframes of the scene; otherwise like
 * weir_camera_default. If eye, target, up and angle are left as returned, the camera also moves
 * along the keyframes while the shutter is open. */
WEIR_API weir_camera weir_camera_at_time(const weir_scene *scene, double time_s);

/* Returns the same for a picture of width x height pixels: where the scene has no camera, its fluid
 * and solids fill a picture of this shape. Expects 1 to 16384 pixels on a side. */
WEIR_API weir_camera weir_camera_for_size(const weir_scene *scene, double time_s, uint32_t width,
                                          uint32_t height);

typedef struct weir_renderer_def {
    uint32_t cookie;
    const weir_scene *scene; /* provides solids, colours and look; kept alive; NULL: fluid only */
    /* Radiance .hdr file for lighting; NULL: the scene's, or else the look's sky */
    const char *environment;
    /* Named look (WEIR_ENUM_LOOK): light, sky, floor and clarity of water; NULL, the default: the
     * scene's, or else "studio". Values that the scene gives take precedence. */
    const char *look;
    /* Camera whose azimuth the light follows; NULL, the default: the scene's at time 0. Later
     * cameras do not move the light, so that shadows stay where they are on a turntable. */
    const weir_camera *camera;
} weir_renderer_def;

/* Returns a def with all defaults. */
WEIR_API weir_renderer_def weir_renderer_def_default(void);

/* Creates a renderer. NULL `def` means all defaults. Errors: UNSUPPORTED (the device cannot draw),
 * IO (a solid's mesh, the environment), ARGUMENT (an unknown look), MEMORY. */
WEIR_API weir_result weir_renderer_create(weir_device *device, const weir_renderer_def *def,
                                          weir_renderer **renderer);
WEIR_API void weir_renderer_destroy(weir_renderer **renderer);

/* Draws points; NULL `points` draws the scene without fluid. On entry *image is NULL, for a new
 * image, or an image of the same device to draw into. Does not wait; reading or saving the image
 * does. The points may be released at once. NULL `view` means weir_camera_default of the renderer's
 * scene. Errors: ARGUMENT (the log names the field of `view`), MEMORY, DEVICE_LOST. */
WEIR_API weir_result weir_render_points(weir_renderer *renderer, const weir_points *points,
                                        const weir_camera *view, weir_image **image);

/* Draws a mesh, as a fluid's surface or, with WEIR_RENDER_MODE_MESH, opaque; otherwise like
 * weir_render_points. A mesh without normals is drawn with those of its triangles. Errors: those of
 * weir_render_points; ARGUMENT also for modes that show particles. */
WEIR_API weir_result weir_render_mesh(weir_renderer *renderer, const weir_mesh *mesh,
                                      const weir_camera *view, weir_image **image);

/* Reads the pixels of an image: *pixels points to [height][width][4] bytes, red, green, blue,
 * alpha, top row first, in sRGB, not multiplied by alpha. They are valid until the image is read
 * again or destroyed. Waits. Errors: MEMORY, DEVICE_LOST. */
WEIR_API weir_result weir_image_read(weir_image *image, uint32_t *width, uint32_t *height,
                                     const uint8_t **pixels);

/* Reads the linear light of an image drawn with weir_camera.linear_light: *light points to
 * [height][width][4], red, green, blue, alpha, top row first; linear with the primaries of sRGB,
 * multiplied by alpha, before exposure and tone curve, without legend and slice. The values are
 * valid until this function is called again for the image, or the image is destroyed. Waits.
 * Errors: ARGUMENT (drawn without linear_light), MEMORY, DEVICE_LOST. */
WEIR_API weir_result weir_image_read_linear(weir_image *image, uint32_t *width, uint32_t *height,
                                            const float **light);

/* Writes an image to a PNG file, or its linear light to an .exr file, which appears complete or not
 * at all. Waits. Errors: ARGUMENT (.exr of an image without linear light), IO, MEMORY, UNSUPPORTED
 * (see weir_has_exr), DEVICE_LOST. */
WEIR_API weir_result weir_image_save(weir_image *image, const char *path);
WEIR_API void weir_image_destroy(weir_image **image);

/* Returns whether this build can write OpenEXR files. Any thread. */
WEIR_API bool weir_has_exr(void);

#ifdef __cplusplus
}
#endif
#endif
