/* mesher: particles to triangles on the GPU, and what is done to the triangles on the host. */
#ifndef WEIR_MESHER_H
#define WEIR_MESHER_H

#include "grid.h"

/* ---- surfaces ------------------------------------------------------------------------------- */

/* A scalar or vector per vertex that came from the particles. */
typedef struct mesher_channel {
    char name[32];       /* "density", "fluid" */
    uint32_t components; /* 1 to 3 */
    float *values;       /* [vertex_count * components] */
} mesher_channel;

#define MESHER_CHANNELS 8

/* A surface on the host; arrays by base_alloc, released by mesher_surface_free. */
typedef struct mesher_surface {
    uint32_t vertex_count, triangle_count;
    vec3 *position;  /* [vertex_count], m */
    vec3 *normal;    /* [vertex_count], unit, outwards; NULL: none */
    vec3 *velocity;  /* [vertex_count], m/s; NULL: none */
    uint32_t *index; /* [3 * triangle_count], counter-clockwise from outside */
    uint32_t channel_count;
    mesher_channel channel[MESHER_CHANNELS];
} mesher_surface;

/* Releases the arrays and zeroes the surface; NULL and an empty surface are fine. */
void mesher_surface_free(mesher_surface *surface);

/* ---- quality -------------------------------------------------------------------------------- */

/* Measures positions and index alone; any triangles will do. The same figures on any number of
 * threads. Errors: MEMORY. */
weir_result mesher_surface_check(const weir_log *log, const mesher_surface *surface,
                                 weir_mesh_info *info);

#endif
