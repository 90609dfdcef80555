/* Reference of every simulation shader on the CPU, in float32 and in the shaders' order of
 * operations. Arrays are in sorted order: x positions, v velocities, a iterates, b what the solver
 * or the vorticity writes over predictions. The equations are in the comments of the shaders.
 * Offsets of pairs come from fixed-point positions, as in the shaders; results are in metres. */
#ifndef WEIR_TESTS_REF_PBF_H
#define WEIR_TESTS_REF_PBF_H

#include "base.h"

#include "shared/sim.h"
#include "shared/solid.h"

/* ref_metres converts a fixed-point position to m, with its w as a number; the next function
 * returns the float whose bits are in w. */
vec4 ref_metres(const struct sim_params *params, ivec4 position);
float ref_float(int32_t bits);
vec3 ref_xyz(vec4 v);
float ref_axis(vec3 v, uint32_t axis);

/* A ball as a solid or sink; `pose` is that of the item. */
typedef struct ref_ball {
    vec3 centre; /* m, in the item's space */
    float radius, friction;
    struct solid_pose pose;
} ref_ball;

/* Inputs that all shaders of one substep share. */
typedef struct ref_pbf {
    const struct sim_params *params;
    const ref_ball *balls; /* [params.item_count]; sinks come last */
    float dt;
    uint32_t count;        /* particles */
    const uint32_t *first; /* neighbours of i: items[first[i]] to items[first[i + 1] - 1] */
    const uint32_t *items;
} ref_pbf;

typedef struct ref_wall {
    float density;
    vec3 gradient; /* 1/m */
    float moved;   /* density that the walls' own motion adds in the substep */
} ref_wall;
ref_wall ref_wall_density(const ref_pbf *pbf, vec3 p);
vec3 ref_wall_project(const ref_pbf *pbf, vec3 p, vec3 start);
/* How the density of walls has carried a particle: `factor` (m2) times its gradient at `at`. */
typedef struct ref_wall_load {
    vec3 at;
    float factor;
} ref_wall_load;
/* The same after the friction of the walls that have carried the particle to p. */
vec3 ref_wall_project_loaded(const ref_pbf *pbf, vec3 p, vec3 start, const ref_wall_load *load);
/* Returns the displacement by the friction of walls against the pressure of the long-range
 * correction at p, m2; `move`: its -grad p, m. */
vec3 ref_wall_rub_pressure(const ref_pbf *pbf, vec3 p, vec3 start, float pressure, vec3 move);
/* Returns the displacement in the substep of the nearest solid at p, 0 if none is nearer than h. */
vec3 ref_solid_displacement(const ref_pbf *pbf, vec3 p);
/* Returns the distance of the nearest wall; for far balls, a value above the true distance. */
float ref_wall_distance(const ref_pbf *pbf, vec3 p);
float ref_solid_distance(const ref_pbf *pbf, vec3 p);

/* Particles that the prediction counts as lost. */
typedef struct ref_lost {
    uint32_t escaped, sunk, non_finite, clamped_speeds;
} ref_lost;
/* Returns the acceleration at p, m/s2. */
vec3 ref_acceleration(const struct sim_params *params, vec3 p);
/* Returns a velocity at p after gravity and force fields have acted for `dt`;
 * ref_predicted_velocity that of the prediction, whose fields act at predicted positions in PBF. */
vec3 ref_predicted_velocity(const struct sim_params *params, vec3 p, vec3 velocity, float dt);
vec3 ref_pushed(const struct sim_params *params, vec3 p, vec3 velocity, float dt);
vec4 ref_predict(const ref_pbf *pbf, ivec4 x, vec4 v, ref_lost *lost);

/* Returns the density over the rest density, boundary included. */
float ref_density(const ref_pbf *pbf, const ivec4 *a, uint32_t i);

/* Returns the first-order change of particle i's density by the displacements from `starts` to `a`,
 * without walls. */
float ref_density_change(const ref_pbf *pbf, const ivec4 *a, const ivec4 *starts, uint32_t i);

/* The multiplier lambda and the denominator of equation 11. */
typedef struct ref_multiplier {
    float lambda, denominator;
} ref_multiplier;
ref_multiplier ref_lambda(const ref_pbf *pbf, const ivec4 *a, uint32_t i);

/* PCISPH: ref_pressure returns the pressure of particle i after an iteration that started from
 * `before`; ref_push corrects its prediction `from` by the pressures in b. */
float ref_pressure(const ref_pbf *pbf, const ivec4 *a, float before, uint32_t i);
vec3 ref_push(const ref_pbf *pbf, const ivec4 *b, ivec4 from, uint32_t i);

/* WCSPH: ref_tait returns the pressure of particle i at starts[i]; ref_accelerate moves its
 * prediction under the pressures in b. The w of predictions is the inverse mass. */
float ref_tait(const ref_pbf *pbf, const ivec4 *starts, const ivec4 *predictions, uint32_t i);
vec3 ref_accelerate(const ref_pbf *pbf, const ivec4 *b, const ivec4 *predictions, uint32_t i);

/* One correction; `b` holds the lambdas, `weight` the inverse mass. */
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
/* Returns the artificial pressure of one pair at squared distance r2, in h2. */
float ref_artificial_pressure(const ref_pbf *pbf, float r2);

/* Velocity curl in xyz with its magnitude in w, and the XSPH change in xyz. The w of `v` is the
 * XSPH coefficient. */
typedef struct ref_flow {
    vec4 curl, change;
} ref_flow;
ref_flow ref_vorticity(const ref_pbf *pbf, const ivec4 *a, const vec4 *v, uint32_t i);

/* ref_normal returns the normal of the free surface in xyz and the density without walls in w;
 * ref_tension the velocity change by surface tension in the substep. The w of `fluids` is the fluid
 * of each particle. */
vec4 ref_normal(const ref_pbf *pbf, const ivec4 *a, uint32_t i);
vec3 ref_tension(const ref_pbf *pbf, const ivec4 *a, const vec4 *normals, const ivec4 *fluids,
                 uint32_t i);

/* The direction in which |curl| grows, and the sum of the magnitudes of its terms: where the terms
 * nearly cancel, the direction is pure rounding. */
typedef struct ref_growth {
    vec3 sum;
    float size;
} ref_growth;
ref_growth ref_curl_growth(const ref_pbf *pbf, const ivec4 *a, const vec4 *b, uint32_t i);

/* The statistics, summed in double precision. */
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
