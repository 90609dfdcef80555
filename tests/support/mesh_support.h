/* Particle clouds to mesh, and properties of a surface: closed, manifold, volume, components. */
#ifndef WEIR_TESTS_MESH_SUPPORT_H
#define WEIR_TESTS_MESH_SUPPORT_H

#include "gpu_support.h"
#include "mesher_internal.h"

/* ---- clouds --------------------------------------------------------------------------------- */

typedef struct cloud {
    vec4 *items;
    uint32_t count, capacity;
    float spacing;
} cloud;

void cloud_add(cloud *c, float x, float y, float z);
void cloud_free(cloud *c);

/* Reports whether the centre of a particle's cell is inside the body. */
typedef bool (*cloud_body)(const void *user, double x, double y, double z);

typedef struct cloud_box {
    vec3 low, high;
} cloud_box;

/* Places one particle in each cell of edge d whose centre is in the body, at most `jitter` cells
 * away from the centre, within the box. */
cloud cloud_fill(float d, float jitter, cloud_box within, cloud_body inside, const void *user);

typedef struct ball {
    double x, y, z, radius;
} ball;

/* Fills a ball around a point with jittered particles. */
cloud cloud_ball(float d, ball b);

particle_view cloud_upload(gpu_device *device, const cloud *c);
mesher_surface mesh_cloud(mesher *m, gpu_device *device, const cloud *c);
mesher *make_mesher(gpu_device *device, const weir_mesher_def *def);
weir_mesher_def preset(const char *name);

/* ---- properties of a surface ---------------------------------------------------------------- */

typedef struct census {
    uint32_t bad_edges; /* edges that are not used once in each direction */
    uint32_t pinched;   /* vertices whose triangles do not form a single disc */
    uint32_t repeated;  /* triangles with a repeated vertex */
    uint32_t loose;     /* vertices without triangles */
    uint32_t components;
    uint32_t out_of_range;
    int64_t euler;
    double volume, area;
} census;

census take_census(const mesher_surface *s);
bool is_closed_manifold(const census *c);
void assert_closed_manifold(const census *c);

#endif
