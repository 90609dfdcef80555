/* The renderer: parameter block, splats and bindings. Lengths in m, colours linear.
 * View space: x right, y up, z forward, so that z is the depth. */
#ifndef WEIR_SHARED_RENDER_H
#define WEIR_SHARED_RENDER_H

#include "glue.h"

#define RENDER_MAX_FLUIDS 16u
#define RENDER_CAMERA_EYE 0u /* indices of render_params.cameras */
#define RENDER_CAMERA_SUN 1u
#define RENDER_FAR 1e30f
/* Texels of the sun's images per texel of the caustics, along x and y. */
#define RENDER_CAUSTICS_SCALE 4
/* spacings: fluid up to this depth counts as just behind the surface */
#define RENDER_LAYER_REACH 4.0f
/* bit of pass.constant: the thickness does not contain the front yet */
#define RENDER_LAYER_SEPARATE 8u
#define RENDER_SHUTTER_S (1.0f / 120.0f) /* s: exposure time of drops that are drawn one by one */
/* bit of pass.constant: splats of lone particles only, as spray */
#define RENDER_SPRAY_ONLY 4u
/* bit of pass.constant: a draft, whose front layer is estimated from the thickness */
#define RENDER_LAYER_ESTIMATED 16u
#define RENDER_LATER_SPLATS 64u /* bit of pass.constant: which list of splats is drawn */
/* bit of pass.constant: upsampling of thickness and the first layer, not of optical depths */
#define RENDER_UPSAMPLE_LAYERS 32u
/* Bit of render_params.has: a draft, in which one in RENDER_DRAFT_SHARE of the particles inside the
 * fluid is drawn, with the volume of all. */
#define RENDER_DRAFT 32u
#define RENDER_DRAFT_SHARE 2u

/* Bindings of the renderer's shaders: buffers, then images. */
#define RENDER_BIND_params WEIR_STRUCT(0, render_params)
#define RENDER_BIND_centres WEIR_ARRAY(1, vec4)    /* fitted ellipsoids: xyz m, w weight */
#define RENDER_BIND_shapes WEIR_ARRAY(2, vec4)     /* two per ellipsoid: src/grid/grid.h */
#define RENDER_BIND_positions WEIR_ARRAY(3, vec4)  /* m */
#define RENDER_BIND_velocities WEIR_ARRAY(4, vec4) /* m/s */
#define RENDER_BIND_ids WEIR_ARRAY(5, uint)
#define RENDER_BIND_fluids WEIR_ARRAY(6, uint)
#define RENDER_BIND_densities WEIR_ARRAY(7, float)     /* kg/m3 */
#define RENDER_BIND_lambdas WEIR_ARRAY(8, vec4)        /* w m2 */
#define RENDER_BIND_splats WEIR_ARRAY(9, render_splat) /* splats of one camera */
#define RENDER_BIND_vertices WEIR_ARRAY(10, vec4)      /* xyz m */
#define RENDER_BIND_normals WEIR_ARRAY(11, vec4)
#define RENDER_BIND_indices WEIR_ARRAY(12, uint)        /* three per triangle */
#define RENDER_BIND_models WEIR_ARRAY(13, render_model) /* transform and colour of each mesh */
#define RENDER_BIND_nearest WEIR_ARRAY(14, uint)        /* per pixel: float bits of 1/z */
#define RENDER_BIND_thickness_sums WEIR_ARRAY(15, uint) /* per pixel: fixed-point thickness */
/* per pixel: fixed-point thickness times fraction */
#define RENDER_BIND_weighted_sums WEIR_ARRAY(16, uint)
#define RENDER_BIND_fluid WEIR_IMAGE(17)     /* 1/z of the fluid's surface, 0 without fluid */
#define RENDER_BIND_thickness WEIR_IMAGE(18) /* m: thickness; thickness times fraction */
#define RENDER_BIND_filtered_thickness WEIR_IMAGE(19) /* the same after filtering */
#define RENDER_BIND_optical_depth WEIR_IMAGE(20)      /* with several fluids */
#define RENDER_BIND_target WEIR_IMAGE(21)             /* output of the pass */
#define RENDER_BIND_surface_normals WEIR_IMAGE(22)    /* normals of a fluid given as a mesh */
#define RENDER_BIND_solid_depth WEIR_IMAGE(23)
#define RENDER_BIND_solid_normal WEIR_IMAGE(24)
#define RENDER_BIND_solid_colour WEIR_IMAGE(25)
#define RENDER_BIND_occluder_depth WEIR_IMAGE(26) /* depth of solids from the splats' camera */
#define RENDER_BIND_background WEIR_IMAGE(27)
#define RENDER_BIND_sun_solid_depth WEIR_IMAGE(28) /* depth of solids seen from the sun */
#define RENDER_BIND_sun_fluid_depth WEIR_IMAGE(29) /* 1/z of the fluid seen from the sun */
#define RENDER_BIND_sun_thickness WEIR_IMAGE(30)
#define RENDER_BIND_environment WEIR_IMAGE(31) /* radiance of all directions */
#define RENDER_BIND_colour WEIR_IMAGE(32)      /* shaded picture */
/* cells of a weir_slice; RENDER_SLICE_NO_VALUE without fluid */
#define RENDER_BIND_slice WEIR_ARRAY(33, float)
#define RENDER_BIND_whitewater WEIR_ARRAY(34, whitewater_particle)
#define RENDER_BIND_whitewater_layers WEIR_IMAGE(35) /* whitewater.frag */
#define RENDER_BIND_host_colour WEIR_IMAGE(36)       /* picture that the host draws */
#define RENDER_BIND_host_depth WEIR_IMAGE(37)        /* its depth, in the host's projection */
/* m: depth of the fluid from the sun, 0 without fluid */
#define RENDER_BIND_smoothed_sun_depth WEIR_IMAGE(38)
#define RENDER_BIND_caustics WEIR_IMAGE(39)     /* factor of sunlight under fluid */
#define RENDER_BIND_exposure_sum WEIR_IMAGE(40) /* sum of the radiance of several pictures */
#define RENDER_BIND_hdr_output WEIR_IMAGE(41)   /* radiance of the pixels, before the tone curve */
/* thickness just behind the surface, at half the resolution */
#define RENDER_BIND_layer_thickness WEIR_IMAGE(42)
#define RENDER_BIND_spray WEIR_IMAGE(43) /* splat_spray.frag */
#define RENDER_BIND_foam WEIR_IMAGE(44)  /* foam.frag, at half the resolution */
/* pixels of the legend, sRGB and alpha, red in the lowest byte, rows from the top */
#define RENDER_BIND_legend WEIR_ARRAY(45, uint)
#define RENDER_BIND_attribute_values WEIR_ARRAY(46, vec4)           /* src/grid/grid.h */
#define RENDER_BIND_splat_lists WEIR_STRUCT(47, render_splat_lists) /* of one camera */
#define RENDER_BIND_listed_splats WEIR_ARRAY(48, uint) /* indices of the splats to draw */
#define RENDER_BIND_inner_splats \
    WEIR_ARRAY(49, uvec2)                             /* splat, and float bits of its largest 1/z */
#define RENDER_BIND_later_splats WEIR_ARRAY(50, uint) /* inner splats that may be visible */
/* 1/z that is nowhere exceeded behind the surface: in tiles of pixels, and in blocks of tiles */
#define RENDER_BIND_occlusion_tiles WEIR_IMAGE(51)
#define RENDER_BIND_occlusion_blocks WEIR_IMAGE(52)
/* at half the resolution: 1/z of the pixel that the texel samples, with its place in the last bits
 */
#define RENDER_BIND_sampled_pixels WEIR_IMAGE(53)
#define RENDER_BIND_half_thickness WEIR_IMAGE(54) /* like thickness, at half the resolution */
#define RENDER_BINDINGS 55u
#define RENDER_SLICE_NO_VALUE -1e30f /* WEIR_NO_VALUE */

/* Specialization constants: id and name. They remove what a frame does not contain, because CPU
 * drivers execute both sides of a branch. */
#define RENDER_CONSTANTS(FLAG)                                                           \
    FLAG(1, FROM_MESH)         /* normals come from a mesh */                            \
    FLAG(2, MULTI_FLUID)       /* several fluids: optical depth per pixel */             \
    FLAG(3, SOLID_SHADOWS)     /* triangles cast shadows */                              \
    FLAG(4, SHADOWS)           /* shadows are drawn */                                   \
    FLAG(5, ENVIRONMENT_IMAGE) /* environment image instead of the analytic sky */       \
    FLAG(6, DRAW_SOLIDS)       /* solids, or particles drawn as spheres */               \
    FLAG(7, DRAW_SLICE)        /* draws a plane of cells, without the fluid before it */ \
    FLAG(8, DRAW_TANK)         /* sides of the domain are glass */                       \
    FLAG(9, PARALLEL_RAYS)     /* the eye's rays are parallel */                         \
    FLAG(10, STUDIO)           /* a studio with lamps instead of the analytic sky */     \
    FLAG(11, DRAW_WHITEWATER)  /* there is whitewater */                                 \
    FLAG(12, DRAW_SPRAY)       /* the drops of lone particles are drawn as spray */

/* Contents of a picture. */
#define RENDER_SHOW_SURFACE 0u
#define RENDER_SHOW_ELLIPSOIDS 1u
#define RENDER_SHOW_PARTICLES 2u
#define RENDER_SHOW_MESH 3u
#define RENDER_SHOW_DEPTH 4u
#define RENDER_SHOW_FILTERED 5u
#define RENDER_SHOW_THICKNESS 6u
#define RENDER_SHOW_NORMALS 7u
#define RENDER_SHOW_SHADOW 8u
#define RENDER_SHOW_BACKGROUND 9u

/* Quantity that colours the particles. */
#define RENDER_CURVE_SAMPLES 16u
#define RENDER_COLOUR_BY_FLUID 0u
#define RENDER_COLOUR_BY_SPEED 1u
#define RENDER_COLOUR_BY_DENSITY 2u
#define RENDER_COLOUR_BY_ID 3u
#define RENDER_COLOUR_BY_NEIGHBOURS 4u
#define RENDER_COLOUR_BY_LAMBDA 5u
#define RENDER_COLOUR_BY_ATTRIBUTE 6u

#define RENDER_COLOUR_MAP_SIZE 33u

struct render_camera {
    vec4 eye; /* xyz m; w near distance, m */
    /* xyz unit; w tangent of half the horizontal angle; with parallel rays half the width, m */
    vec4 right;
    vec4 up;      /* xyz unit; w the same for the height */
    vec4 forward; /* xyz unit; w 0; with parallel rays the largest depth, m */
    vec4 frame;   /* width and height in pixels, and 1 over each */
    /* Not with parallel rays. xy: direction of the picture's centre, in view space at depth 1; zw:
     * the same over right.w and -up.w */
    vec4 middle;
};
WEIR_SIZE_CHECK(struct render_camera, 96);

struct render_fluid {
    vec4 absorption; /* xyz 1/m; w scattering, 1/m */
    vec4 colour;     /* w rest density, kg/m3 */
};
WEIR_SIZE_CHECK(struct render_fluid, 32);

/* The colour of a fluid over an attribute of its points, sampled at equal steps. */
struct render_fluid_curve {
    uint component;  /* of all attributes of a point */
    uint vectors;    /* vectors of attributes per point; 0: no curve */
    float first;     /* value of the attribute at the first sample */
    float per_value; /* samples per unit of the attribute */
    float path_m;    /* over which white light takes on the colour */
    float pad0, pad1, pad2;
    vec4 colours[16]; /* RENDER_CURVE_SAMPLES; xyz linear */
};
WEIR_SIZE_CHECK(struct render_fluid_curve, 288);
#ifdef __STDC_VERSION__
typedef struct render_camera render_camera; /* GLSL names a struct without the keyword */
typedef struct render_fluid render_fluid;
typedef struct render_fluid_curve render_fluid_curve;
#endif

struct render_params {
    render_camera cameras[2];
    render_fluid fluids[16]; /* RENDER_MAX_FLUIDS */
    vec4 sun_direction;      /* towards the sun; w cosine of its angular radius */
    vec4 sun_colour;         /* irradiance; w glow of the horizon below it, times the irradiance */
    vec4 sky_zenith;         /* radiance; w radiance of a studio's ambient light; 0: the sky's */
    vec4 sky_horizon;        /* radiance; w fraction of the sky hidden by clouds */
    vec4 lamp_strip;  /* xyz unit, towards the strip; w radiance of the key lamp; 0: no lamps */
    vec4 lamp_fill;   /* xyz unit, towards the fill lamp; w factor of the floor's mirror image */
    vec4 lamp_wall;   /* xyz unit and level, towards the lit wall; w unused */
    vec4 floor_light; /* albedo of the tiles; w height, m */
    vec4 floor_dark;  /* albedo of the lines between them; w edge of a tile, m; 0: no floor */
    /* x 1/m: rate at which it fades into the horizon; y, z centre; w strength of the lines */
    vec4 floor_fade;
    /* x 1: transparent; y exposure; z 1: no tone curve; w 1 over the number of pictures in the
     * displayed sum */
    vec4 background;
    uvec4 legend; /* pixels: xy upper left corner, zw size; 0: none */
    /* RENDER_COLOUR_MAP_SIZE colours, sRGB, red in the lowest byte */
    uvec4 colour_map[9];
    uint count; /* number of points */
    uint fluid_count;
    uint show;
    uint colour_by;
    float spacing;
    float range_low;
    float range_high;       /* of the colour scale */
    float bulk_radius;      /* spacings: radius of splats in a full neighbourhood */
    float drop_radius;      /* spacings: radius of splats without neighbours */
    float filter_sigma_m;   /* m */
    float filter_range_m;   /* m */
    uint filter_max_pixels; /* maximum width in pixels */
    uint samples;           /* samples along each side of a pixel */
    /* present attributes, bits: 1 velocity, 2 id, 4 fluid, 8 density, 16 lambda; 32: a draft */
    uint has;
    float refraction;  /* refractive index of the fluid over that of air */
    float fixed_point; /* units per metre of the compute splatter's thickness */
    vec4 slice_plane;  /* xyz unit normal, towards the eye; w distance from the origin, m */
    vec4 slice_grid; /* xy m: lower corner, along columns and rows; zw 1/m: 1 over a cell's size */
    uvec4 slice_cells; /* columns, rows, axis of the normal; w unused */
    /* Depth of the host's picture: of its value d, the distance from the eye's plane is x / (d +
     * y), with parallel rays x (d + y), m; z 1: its colours are sRGB, 0: linear; w unused */
    vec4 host;
    /* Drops that represent a particle without neighbours: x their number; y radius of the sphere
     * that they fill, spacings. Of all particles: z s: they are drawn advanced by their velocities
     * for this time. w: number of parts of a drop that is several pixels wide */
    vec4 drops;
    /* x s: time over which spray and whitewater are blurred along their motion; y 1: small drops of
     * lone particles are drawn as spray; z m: radius of the largest stable drop; w unused */
    vec4 streak;
    vec4 tank_low; /* xyz m: the domain's lower corner; w m: width of its glass edges */
    /* xyz m: the domain's upper corner; w glass sides, bits: 1 -x, 2 +x, 4 -z, 8 +z */
    vec4 tank_high;
    /* The attribute that colours show: x vectors of attributes per particle; y its first component;
     * z number of components, 3 or more: it is a colour, 0: the points have none; w bits of the
     * length over which white light takes on the colour, m */
    uvec4 colour_attribute;
    render_fluid_curve fluid_curves[16]; /* RENDER_MAX_FLUIDS */
};
WEIR_SIZE_CHECK(struct render_params, 5856);

/* An ellipsoid for intersection with rays: with B = inverse of A in view space, a ray o + t d is
 * inside where |B (o + t d - c)| < 1. */
struct render_splat {
    vec4 low;  /* Bxx Bxy Bxz Byy */
    vec4 high; /* Byz Bzz, x and y of c */
    /* z of c; volume of the particle over the ellipsoid's; fraction of neighbours; as bits the
     * fluid (8), and the colour or the random numbers of the drops (24) */
    vec4 rest;
    vec4 bounds; /* in pixels: left, top, right, bottom; right <= left: invisible */
};
WEIR_SIZE_CHECK(struct render_splat, 64);

/* The splats of one camera that are drawn for the depth of the surface: first those that may belong
 * to it, then those of the inner ones that they do not hide. */
struct render_splat_lists {
    uint outer[5]; /* VkDrawIndexedIndirectCommand: indices, instances, 0, 0, 0 */
    uint later[5];
    uint outer_count, later_count, inner_count, pad0; /* splats */
};
WEIR_SIZE_CHECK(struct render_splat_lists, 56);
/* Edges of a tile of occlusion_tiles in pixels, and of a block in tiles. */
#define RENDER_TILE 4
#define RENDER_BLOCK 8

/* Placement of a mesh. */
struct render_model {
    vec4 position; /* w scale */
    vec4 rotation;
    vec4 colour; /* w RENDER_TWO_SIDED: both sides of its triangles are visible */
};
WEIR_SIZE_CHECK(struct render_model, 48);
#define RENDER_TWO_SIDED 2.0f

#endif
