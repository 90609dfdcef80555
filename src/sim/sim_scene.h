/* sim_scene: what a scene alone says about its simulation. */
#ifndef WEIR_SIM_SCENE_H
#define WEIR_SIM_SCENE_H

#include "grid.h"
#include "scene.h"
#include "solid.h"

#include "shared/glue.h"

/* Kernels at the distance q h, for h = 1: that of densities, its slope, and the slope that
 * corrections follow. */
typedef struct sim_smoothing {
    double value, slope, correction;
} sim_smoothing;
sim_smoothing sim_smoothing_at(scene_kernel kernel, uint32_t dimensions, double q);
/* The corrections' slope is this times (1 - q)^2, or for Wendland's kernel times q (1 - q)^3. */
double sim_slope_factor(scene_kernel kernel, uint32_t dimensions);
/* S0 = d^3 sum W and D h^2 = h^2 V^2 sum |grad W|^2 of the cubic lattice, or with two dimensions
 * of the square one. */
void sim_lattice_sums(const scene_solver *solver, double *s0, double *stiffness);
/* Largest gain of Jacobi's iteration over all lattice waves: a relaxation is stable below 2 over
 * this gain. */
double sim_lattice_gain_max(const scene_solver *solver);
/* How far behind a wall its density begins, in d: then a site of the rest lattice half a spacing
 * off it has the density that it has inside. 0 for the other kernels. */
double sim_wall_shift(const scene_solver *solver);

/* Fixed-point positions on the device: whole numbers of a unit from the middle of the domain. */
grid_fixed sim_fixed(const scene_data *scene);
/* The fixed-point position nearest to p, m; far outside the domain the last one. */
ivec4 sim_to_fixed(const grid_fixed *fixed, const double p[3], int32_t w);
/* NAN for a lost particle. */
vec3 sim_to_metres(const grid_fixed *fixed, ivec4 position);

/* The particles that the fluids start with; a particle's id is its index here. */
typedef struct sim_particles {
    BASE_ARRAY(vec4) x; /* xyz m, w fluid index */
    BASE_ARRAY(vec4) v;
    BASE_ARRAY(ivec4) fixed; /* the same as x, not rounded to floats */
    uint64_t limit;          /* most that the device has memory for; 0: any number */
} sim_particles;
weir_result sim_fill(const weir_log *log, const scene_data *scene, const solid_set *solids,
                     sim_particles *particles);
void sim_particles_free(sim_particles *particles);
/* The most particles that emitters add in that time. */
uint64_t sim_emitted_max(const scene_data *scene, double seconds);

/* Has it solids or sinks, whose distances the kernels look up? */
bool sim_has_items(const scene_data *scene);
bool sim_is_tense(const scene_data *scene);   /* has any fluid surface tension? */
bool sim_smooths(const scene_data *scene);    /* by XSPH */
bool sim_is_viscous(const scene_data *scene); /* has any fluid a dynamic viscosity? */
/* The vec4 that gauges of pressure and force need for each particle; 0 without such gauges. */
uint32_t sim_measured_slots(const scene_data *scene);

/* Neighbours that a list holds at first. A rest lattice at h = 2 d has 26, a splashing fluid up to
 * about 45; more makes the lists grow. */
uint32_t sim_first_list_capacity(const scene_data *scene);
/* Device memory for one particle, its list included. */
uint64_t sim_particle_bytes(const scene_data *scene, uint32_t list_capacity, bool compact);
/* The most particles that the device has memory for. */
uint64_t sim_particle_limit(gpu_device *device, const scene_data *scene);
/* Would the wide lists of so many particles fill what is free of the device? */
bool sim_needs_compact(const gpu_device *device, const scene_data *scene, uint64_t particles);
/* Are the lists of so many particles to be compact: because wide ones would fill the device, or
 * because compact ones are faster there? Errors: those of grid_prefers_compact. */
weir_result sim_wants_compact(gpu_device *device, const scene_data *scene, uint64_t particles,
                              bool *compact);

#endif
