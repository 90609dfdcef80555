/* Every kernel of the simulation on the CPU, in float32 and in the shaders' order of operations.
 * Arrays are in sorted order: x positions, v velocities, a iterates, b what the solve or the
 * vorticity writes over predictions. Equations: the comments of the shaders. Offsets of pairs come
 * from fixed-point positions, as in the shaders; results are in metres. */
#ifndef WEIR_TESTS_REF_PBF_H
#define WEIR_TESTS_REF_PBF_H

#include "base.h"

#include "shared/sim.h"
#include "shared/solid.h"

/* xyz m of a fixed-point position, its w as a number; the float whose bits a w holds. */
vec4 ref_metres(const struct sim_params *params, ivec4 position);
float ref_float(int32_t bits);
vec3 ref_xyz(vec4 v);
float ref_axis(vec3 v, uint32_t axis);

/* A ball as solid or sink; `pose` is the item's own. */
typedef struct ref_ball {
    vec3 centre; /* m, in the item's space */
    float radius, friction;
    struct solid_pose pose;
} ref_ball;

/* What all kernels of one substep share. */
typedef struct ref_pbf {
    const struct sim_params *params;
    const ref_ball *balls; /* params.item_count; sinks last */
    float dt;
    uint32_t count;        /* particles */
    const uint32_t *first; /* neighbours of i: items[first[i]] to items[first[i + 1] - 1] */
    const uint32_t *items;
} ref_pbf;

typedef struct ref_wall {
    float density;
    vec3 gradient; /* 1/m */
    float moved;   /* added by the walls' own motion in the substep */
} ref_wall;
ref_wall ref_wall_density(const ref_pbf *pbf, vec3 p);
vec3 ref_wall_project(const ref_pbf *pbf, vec3 p, vec3 start);
/* Distance of the nearest wall; far balls count as farther than they are. */
float ref_wall_distance(const ref_pbf *pbf, vec3 p);
float ref_solid_distance(const ref_pbf *pbf, vec3 p);

/* What predict counts. */
typedef struct ref_lost {
    uint32_t escaped, sunk, non_finite, clamped_speeds;
} ref_lost;
/* Acceleration at p, m/s2. */
vec3 ref_acceleration(const struct sim_params *params, vec3 p);
/* A velocity at p after `dt` of gravity and fields. */
vec3 ref_pushed(const struct sim_params *params, vec3 p, vec3 velocity, float dt);
vec4 ref_predict(const ref_pbf *pbf, ivec4 x, vec4 v, ref_lost *lost);

/* Density over rest density, walls included. */
float ref_density(const ref_pbf *pbf, const ivec4 *a, uint32_t i);

/* What the displacements from `starts` to `a` add to the density of particle i, to first order. */
float ref_density_change(const ref_pbf *pbf, const ivec4 *a, const ivec4 *starts, uint32_t i);

/* lambda and the denominator of equation 11 that it was divided by. */
typedef struct ref_multiplier {
    float lambda, denominator;
} ref_multiplier;
ref_multiplier ref_lambda(const ref_pbf *pbf, const ivec4 *a, uint32_t i);

/* PCISPH's pressure of particle i after an iteration that found it at `before`, and the correction
 * of its prediction `from` by the pressures in b. */
float ref_pressure(const ref_pbf *pbf, const ivec4 *a, float before, uint32_t i);
vec3 ref_push(const ref_pbf *pbf, const ivec4 *b, ivec4 from, uint32_t i);

/* WCSPH: the pressure of particle i that stands at starts[i], and where it goes from its prediction
 * under the pressures in b, both with the inverse mass in the predictions' w. */
float ref_tait(const ref_pbf *pbf, const ivec4 *starts, const ivec4 *predictions, uint32_t i);
vec3 ref_accelerate(const ref_pbf *pbf, const ivec4 *b, const ivec4 *predictions, uint32_t i);

/* One correction; `b` with lambdas, `weight` the inverse mass. */
typedef struct ref_correction {
    vec3 p;
    float size; /* m, before the cap */
} ref_correction;
typedef struct ref_iterate {
    const ivec4 *b, *last;
    uint32_t inner;
    vec3 start;
    float weight;
} ref_iterate;
ref_correction ref_correct(const ref_pbf *pbf, const ref_iterate *iterate, uint32_t i);
/* Artificial pressure of one pair at squared distance r2, h2. */
float ref_artificial_pressure(const ref_pbf *pbf, float r2);

/* xyz curl of the velocity and its size; xyz XSPH change. `v` has the coefficient of XSPH in w. */
typedef struct ref_flow {
    vec4 curl, change;
} ref_flow;
ref_flow ref_vorticity(const ref_pbf *pbf, const ivec4 *a, const vec4 *v, uint32_t i);

/* xyz normal of the free surface, w density without walls; the change of velocity that surface
 * tension makes in the substep, `fluids` the fluid of each particle in w. */
vec4 ref_normal(const ref_pbf *pbf, const ivec4 *a, uint32_t i);
vec3 ref_tension(const ref_pbf *pbf, const ivec4 *a, const vec4 *normals, const ivec4 *fluids,
                 uint32_t i);

/* The direction in which |curl| grows, and the sum of the sizes of its terms: where they nearly
 * cancel the direction is rounding alone. */
typedef struct ref_growth {
    vec3 sum;
    float size;
} ref_growth;
ref_growth ref_curl_growth(const ref_pbf *pbf, const ivec4 *a, const vec4 *b, uint32_t i);

/* The statistics, summed in double. */
typedef struct ref_sums {
    double momentum[3], moment[3], kinetic, mass, potential, error_sum, error_max, speed_max;
    uint64_t neighbours;
    uint32_t neighbours_max, count;
} ref_sums;
typedef struct ref_state {
    const ivec4 *x;
    const vec4 *v;
    const float *density;
} ref_state;
ref_sums ref_statistics(const ref_pbf *pbf, ref_state state);

#endif
