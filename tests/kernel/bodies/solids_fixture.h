/* Sets of solids on a device whose cache of baked volumes is a folder of the test. */
#ifndef WEIR_TESTS_SOLIDS_FIXTURE_H
#define WEIR_TESTS_SOLIDS_FIXTURE_H

#include "gpu.h"
#include "solid_internal.h"
#include "solid_shapes.h"
#include "tests/shaders.h"
#include "validation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

/* State shared by the group; the log counts bakes and warnings and keeps the last error. */
extern gpu_device *solid_device;

extern char folder[];

extern uint32_t bakes, warnings;

extern char last_error[1024];

int open_solid_device(void **state);
char *in_folder(const char *name);
void clear_folder(void);
int close_solid_device(void **state);

/* Computes the normal and distance of one item at points with their times in w. */
void probe_item(const solid_set *set, uint32_t item, const vec4 *points, size_t count,
                vec4 *results);

/* Creates a scene in which every shape of `roots` is a solid. */
void set_solids(test_shapes *t, scene_solid *solids, const uint32_t *roots, uint32_t count);

solid_set *make_set(const test_shapes *t, float cell_m);

/* Compares random points in and around `reach` of the origin: distances equal within 1e-5 of their
 * size, and matching normals. */
void assert_like_cpu(const solid_set *set, const scene_data *scene, uint32_t item, float reach);

#endif
