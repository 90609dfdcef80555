/* Probes: the fluid at given points, and the height of its surface above them. The particles are
 * sorted into bins; then each probe sums over the particles near it. */
#ifndef WEIR_SHARED_PROBE_H
#define WEIR_SHARED_PROBE_H

#include "glue.h"

#define PROBE_NO_SURFACE (-1e30f)   /* no fluid in the column */
#define PROBE_MAX_STEPS 16384u      /* steps of half a spacing down a column */
#define PROBE_SURFACE_FRACTION 0.5f /* fluid fraction at a flat surface */
#define PROBE_INSET 0.5f /* h: distance to walls, next to which the fluid fraction is too low */

/* Bindings of the probes' shaders. */
#define PROBE_BIND_grid WEIR_STRUCT(0, grid_params)
#define PROBE_BIND_state WEIR_STRUCT(1, grid_state)
#define PROBE_BIND_params WEIR_STRUCT(2, probe_params)
#define PROBE_BIND_points WEIR_ARRAY(3, vec4)     /* m, in the caller's order */
#define PROBE_BIND_velocities WEIR_ARRAY(4, vec4) /* m/s, in the caller's order */
#define PROBE_BIND_densities WEIR_ARRAY(5, float) /* kg/m3, in the caller's order */
/* per sorted point: its index in the caller's order */
#define PROBE_BIND_sources WEIR_ARRAY(6, uint)
#define PROBE_BIND_sorted_points WEIR_ARRAY(7, vec4)     /* xyz m */
#define PROBE_BIND_sorted_attributes WEIR_ARRAY(8, vec4) /* xyz m/s; w kg/m3 */
#define PROBE_BIND_segments WEIR_ARRAY(9, uint)          /* shaders/shared/grid.h */
#define PROBE_BIND_bin_starts WEIR_ARRAY(10, uint)       /* shaders/shared/grid.h */
#define PROBE_BIND_sample_points WEIR_ARRAY(11, vec4)    /* xyz m */
#define PROBE_BIND_samples WEIR_ARRAY(12, probe_sample)
#define PROBE_BINDINGS 13u

/* Specialization constants: id and name; the same as for the grid's bins. */
#define PROBE_CONSTANTS(FLAG, NUMBER) \
    FLAG(1, PERIODIC)                 \
    FLAG(2, DENSE)                    \
    NUMBER(3, PARTICLE_WORKGROUP)

struct probe_params {
    vec4 domain_min, domain_max; /* xyz m */
    vec4 up;                     /* xyz unit, opposite to gravity */
    vec4 inset;                  /* xyz m: minimum distance of columns from the domain's sides */
    float inverse_h2;            /* 1/m2, of the support radius h */
    float scale;                 /* volume of a particle times the factor of the smoothing kernel */
    float step;                  /* m: step down a column */
    float plane;                 /* m: z of the plane of planar fluids */
    uint planar;
    uint point_count, sample_count;
    uint pad0;
};
WEIR_SIZE_CHECK(struct probe_params, 96);

struct probe_sample {
    vec4 velocity;        /* xyz m/s */
    float fluid_fraction; /* fraction of the volume that fluid fills */
    float density;        /* kg/m3: mean over nearby particles */
    float surface;        /* m above the point, or PROBE_NO_SURFACE */
    float pad0;
};
WEIR_SIZE_CHECK(struct probe_sample, 32);

#endif
