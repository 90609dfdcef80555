/* The renderer: parameter block, splats, bindings. Lengths in m, colours linear.
 * View space: x right, y up, z forward, so that z is the depth. */
#ifndef WEIR_SHARED_RENDER_H
#define WEIR_SHARED_RENDER_H

#include "glue.h"

#define RENDER_FLUIDS 16u
#define RENDER_EYE 0u /* cameras */
#define RENDER_SUN 1u
#define RENDER_FAR 1e30f

/* Set 0 bindings of the renderer's kernels. */
#define RENDER_BIND_PARAMS 0
#define RENDER_BIND_CENTRES 1
#define RENDER_BIND_SHAPES 2
#define RENDER_BIND_POSITIONS 3
#define RENDER_BIND_VELOCITIES 4
#define RENDER_BIND_IDS 5
#define RENDER_BIND_FLUIDS 6
#define RENDER_BIND_DENSITIES 7
#define RENDER_BIND_SPLATS 8
#define RENDER_BIND_VERTICES 9
#define RENDER_BIND_INDICES 10
#define RENDER_BIND_NORMALS 11
#define RENDER_BIND_MODELS 12
#define RENDER_BIND_NEAREST 13   /* uint per pixel: float bits of 1/z */
#define RENDER_BIND_SUMMED 14    /* uint: fixed-point thickness */
#define RENDER_BIND_WEIGHTED 15  /* uint: fixed-point thickness times share */
#define RENDER_BIND_FLUID 16     /* image: 1/z of the fluid's surface, 0 where there is none */
#define RENDER_BIND_THICKNESS 17 /* image: metres; metres times share */
#define RENDER_BIND_MIXED 18     /* image: optical depth of several fluids */
#define RENDER_BIND_TARGET 19    /* image: what the kernel writes */
#define RENDER_BIND_SOLID_DEPTH 20
#define RENDER_BIND_SOLID_NORMAL 21
#define RENDER_BIND_SOLID_COLOUR 22
#define RENDER_BIND_BACKGROUND 23
#define RENDER_BIND_SHADOW_SOLID 24 /* image: depth of solids from the sun */
#define RENDER_BIND_SHADOW_FLUID 25
#define RENDER_BIND_SHADOW_THICKNESS 26
#define RENDER_BIND_ENVIRONMENT 27
#define RENDER_BIND_SURFACE_NORMAL 29 /* image: of a fluid that came as a mesh */
#define RENDER_BIND_LIMIT 30          /* image: depth of solids from the splats' camera */
#define RENDER_BIND_SMOOTH 32         /* image: filtered thickness */
#define RENDER_BIND_COLOUR 31         /* image: the shaded picture */
#define RENDER_BIND_LAMBDAS 33

/* What a picture shows. */
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

/* What colours particles. */
#define RENDER_BY_FLUID 0u
#define RENDER_BY_SPEED 1u
#define RENDER_BY_DENSITY 2u
#define RENDER_BY_ID 3u
#define RENDER_BY_NEIGHBOURS 4u
#define RENDER_BY_LAMBDA 5u

/* Glyphs of a legend beside the digits. */
#define RENDER_GLYPH_POINT 10u
#define RENDER_GLYPH_MINUS 11u
#define RENDER_GLYPH_M 12u
#define RENDER_GLYPH_SLASH 13u
#define RENDER_GLYPH_S 14u
#define RENDER_GLYPH_PERCENT 15u
#define RENDER_GLYPH_BLANK 16u

struct render_camera {
    vec4 eye;     /* xyz; w near distance */
    vec4 right;   /* xyz unit; w tangent of half the width's angle, or half the width of parallel
                     rays */
    vec4 up;      /* xyz unit; w likewise for the height */
    vec4 forward; /* xyz unit; w 0, or of parallel rays the largest depth, m */
    vec4 frame;   /* width, height in pixels, and one over each */
};
WEIR_SIZE_CHECK(struct render_camera, 80);

struct render_fluid {
    vec4 absorption; /* 1/m; w scattering 1/m */
    vec4 colour;     /* w rest density kg/m3 */
};
WEIR_SIZE_CHECK(struct render_fluid, 32);
#ifdef __STDC_VERSION__
typedef struct render_camera render_camera; /* GLSL names a struct without the keyword */
typedef struct render_fluid render_fluid;
#endif

struct render_params {
    render_camera cameras[2];
    render_fluid fluids[16]; /* RENDER_FLUIDS */
    vec4 sun_direction;      /* towards it; w cosine of its radius */
    vec4 sun_colour;         /* irradiance; w unused */
    vec4 sky_zenith;         /* radiance; w unused */
    vec4 sky_horizon;        /* radiance; w how far clouds hide the sky */
    vec4 floor_light;        /* albedo of light tiles; w height */
    vec4 floor_dark;         /* w tile edge; 0: no floor */
    vec4 floor_fade; /* x 1/m: how fast it fades into the horizon; y, z its centre; w unused */
    vec4 background; /* x 1: transparent; y exposure; z 1: no tone curve; w unused */
    uvec4 legend[2]; /* three texts of eight glyphs, four to a word: low, high, unit; w of the
                        second: 1 for a scale, or the number of fluids; 0: no legend */
    uint count;      /* points */
    uint fluid_count;
    uint show;
    uint colour_by;
    float spacing;
    float range_low;
    float range_high;   /* of the colour scale */
    float bulk_radius;  /* of splats in a full neighbourhood, in spacings */
    float drop_radius;  /* of splats without neighbours */
    float filter_sigma; /* m */
    float filter_range; /* m */
    uint filter_reach;  /* pixels at most */
    uint samples;       /* along each side of a pixel */
    uint has;           /* bits: 1 velocity, 2 id, 4 fluid, 8 density, 16 lambda */
    float refraction;   /* index of the fluid over air's */
    float fixed_point;  /* units of the compute splatter's thickness in a metre */
};
WEIR_SIZE_CHECK(struct render_params, 896);

/* An ellipsoid as a ray meets it: with B = inverse of A in view space, a ray o + t d is inside
 * where |B (o + t d - c)| < 1. */
struct render_splat {
    vec4 low;    /* Bxx Bxy Bxz Byy */
    vec4 high;   /* Byz Bzz, x and y of c */
    vec4 rest;   /* z of c, volume of the particle over the ellipsoid's, share of neighbours, fluid
                    and colour as bits */
    vec4 bounds; /* in pixels: left, top, right, bottom; right <= left: not seen */
};
WEIR_SIZE_CHECK(struct render_splat, 64);

struct render_model {
    vec4 position; /* w scale */
    vec4 rotation;
    vec4 colour; /* w unused */
};
WEIR_SIZE_CHECK(struct render_model, 48);

#endif
