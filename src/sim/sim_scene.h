/* sim_scene: derives properties of a simulation from its scene alone. */
#ifndef WEIR_SIM_SCENE_H
#define WEIR_SIM_SCENE_H

#include "grid.h"
#include "scene.h"
#include "solid.h"

#include "shared/glue.h"

/* Value of a smoothing kernel at the distance q h, for h = 1: the density kernel, its derivative,
 * and the derivative of the kernel that corrections use. */
typedef struct sim_smoothing_value {
    double value, slope, correction;
} sim_smoothing_value;
sim_smoothing_value sim_smoothing_kernel_at(scene_kernel kernel, uint32_t dimensions, double q);
/* Returns the factor a of the corrections' kernel derivative: a (1 - q)^2, or a q (1 - q)^3 for
 * Wendland's kernel. */
double sim_kernel_slope_factor(scene_kernel kernel, uint32_t dimensions);
/* Computes S0 = d^3 sum W and D h^2 = h^2 V^2 sum |grad W|^2 of the rest lattice: cubic, or square
 * in two dimensions. */
void sim_lattice_sums(const scene_solver *solver, double *s0, double *stiffness);
/* Returns the largest gain of a Jacobi iteration over all waves on the rest lattice. A relaxation
 * is stable below 2 over this gain. */
double sim_max_jacobi_gain(const scene_solver *solver);
/* Returns how far behind a wall the wall's density begins, in d. The shift gives a site of the rest
 * lattice that lies half a spacing off the wall the same density as a site inside. 0 for kernels
 * other than Wendland's. */
double sim_boundary_shift(const scene_solver *solver);

/* Returns the unit and origin of fixed-point positions on the device: integers that count units
 * from the middle of the domain. */
grid_fixed_point sim_fixed_point(const scene_data *scene);
/* Returns the fixed-point position nearest to p, m, clamped to the representable range. `w` is
 * copied. */
ivec4 sim_to_fixed_point(const grid_fixed_point *fixed, const double p[3], int32_t w);
/* Converts a fixed-point position to metres; NAN for a lost particle. */
vec3 sim_to_metres(const grid_fixed_point *fixed, ivec4 position);

/* Particles that the fluids start with. A particle's index is its id. */
typedef struct sim_initial_particles {
    BASE_ARRAY(vec4) x; /* xyz m, w fluid index */
    BASE_ARRAY(vec4) v;
    BASE_ARRAY(ivec4) fixed; /* same as x, but not rounded to floats; w fluid index */
    uint64_t max_count;      /* maximum that the device has memory for; 0: unlimited */
} sim_initial_particles;
weir_result sim_fill_fluids(const weir_log *log, const scene_data *scene, const solid_set *solids,
                            sim_initial_particles *particles);
void sim_initial_particles_free(sim_initial_particles *particles);
/* Returns the maximum number of particles that emitters add in `seconds`. */
uint64_t sim_max_emitted(const scene_data *scene, double seconds);

/* Return whether the scene has a feature: solids or sinks, whose distances the shaders look up; a
 * fluid with surface tension, with XSPH, or with a dynamic viscosity. */
bool sim_has_solids_or_sinks(const scene_data *scene);
bool sim_has_surface_tension(const scene_data *scene);
bool sim_has_xsph(const scene_data *scene);
bool sim_has_viscosity(const scene_data *scene);
/* Returns how many vec4 per particle the gauges of pressure and force need; 0 without such
 * gauges. */
uint32_t sim_gauge_slots_per_particle(const scene_data *scene);

/* Returns the initial capacity of a neighbour list. A rest lattice at h = 2 d has 26 neighbours per
 * particle, a splashing fluid up to about 45; lists grow when a particle has more. */
uint32_t sim_initial_list_capacity(const scene_data *scene);
/* Returns the device memory for one particle, including its neighbour list. */
uint64_t sim_bytes_per_particle(const scene_data *scene, uint32_t list_capacity, bool compact);
/* Returns the maximum number of particles that the device has memory for. */
uint64_t sim_max_particles(gpu_device *device, const scene_data *scene);
/* Returns whether wide lists for `particles` particles would fill the device's free memory. */
bool sim_needs_compact_lists(const gpu_device *device, const scene_data *scene, uint64_t particles);
/* Determines whether lists for `particles` particles should be compact, because wide ones would
 * fill the device's memory or because compact ones are faster on the device. Errors: those of
 * grid_autotune_prefers_compact. */
weir_result sim_prefers_compact_lists(gpu_device *device, const scene_data *scene,
                                      uint64_t particles, bool *compact);

#endif
