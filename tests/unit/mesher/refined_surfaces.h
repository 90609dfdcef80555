/* Surfaces to refine, and what must hold of them before and after. */
#ifndef WEIR_TESTS_REFINED_SURFACES_H
#define WEIR_TESTS_REFINED_SURFACES_H

#include "surface_internal.h"
#include "surface_support.h"

weir_mesh_info check(const mesher_surface *surface);
void assert_sound(const mesher_surface *surface);
mesher_surface make_noise(float share, uint32_t nodes);

/* Returns particles jittered inside their unit cells in a ball of `radius` spacings; release
   with base_free. */
vec3 *make_jittered(float radius, uint32_t *count);

mesher_surface make_cloud(const vec3 *points, uint32_t count, float spacing, uint32_t n_max,
                          float radius);

/* The ball of the issue: radius 20 spacings, jittered. */
mesher_surface make_ball(void);

mesher_surface make_smooth_ball(float radius);
mesher_surface copy_of(const mesher_surface *s);

/* Adds a velocity and a channel that are linear in the position, so that interpolation preserves
   them. */
void add_attributes(mesher_surface *s);

weir_mesh_refine_def plain_def(void);
weir_mesh_refine_def usual_def(void);
weir_mesh_refine_info refine(mesher_surface *s, const weir_mesh_refine_def *def);

mesher_surface make_nest(void);

#endif
