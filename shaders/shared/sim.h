/* The simulation: parameter block, status block, bindings. Lengths in m, times in s. Positions are
 * fixed-point, shaders/lib/math/fixed_point.glsl. */
#ifndef WEIR_SHARED_SIM_H
#define WEIR_SHARED_SIM_H

#include "glue.h"
#include "pass.h"

#define SIM_MAX_FLUIDS 16u
#define SIM_STATS_PER_INVOCATION 16u /* particles that one invocation of the statistics sums */
#define SIM_STATS_WORKGROUP 64u      /* a power of two */
#define SIM_STATS_PER_WORKGROUP \
    (SIM_STATS_PER_INVOCATION * SIM_STATS_WORKGROUP) /* of a workgroup */
#define SIM_MAX_ITERATIONS 128u
#define SIM_MIN_ITERATIONS 2u /* before a tolerance may end them */
/* The parts of `errors`, SIM_MAX_ITERATIONS words each: sums; maxima; and with a tolerance
 * particles above its maximum, and a finer sum in two words. Last, how many iterations were
 * measured. */
#define SIM_DENSITY_ERRORS_MAX SIM_MAX_ITERATIONS
#define SIM_DENSITY_ERRORS_ABOVE (2u * SIM_MAX_ITERATIONS)
#define SIM_DENSITY_ERRORS_SUM_LOW (3u * SIM_MAX_ITERATIONS)
#define SIM_DENSITY_ERRORS_SUM_HIGH (4u * SIM_MAX_ITERATIONS)
#define SIM_DENSITY_ERRORS_COUNT (5u * SIM_MAX_ITERATIONS)
#define SIM_DENSITY_ERRORS_WORDS (SIM_DENSITY_ERRORS_COUNT + 1u)
#define SIM_DENSITY_ERROR_FINE_UNITS 16777216u /* units of the finer sum in an over-density of 1 \
                                                */
#define SIM_PARTICLES_PER_OUTLIER \
    1000u /* one particle in so many may be above the tolerance's maximum */
/* the sum of over-densities of 1 in as many particles as fit */
#define SIM_DENSITY_ERROR_UNITS 0x7fffffffu
#define SIM_FLAG_NON_FINITE \
    0x100u /* grid_state.flags: a substep broke, shaders/sim/frame/check_finite.comp */
#define SIM_FLAG_FRAME_UNFINISHED \
    0x200u /* likewise: the frame takes more substeps than were recorded */
#define SIM_NEAR_BOUNDARY 0x80000000u /* list header: within reach of a wall in this substep */
#define SIM_NEAR_SOLID 0x40000000u    /* of a solid; the walls of the domain's sides cost little */
#define SIM_SOLID_ACTIVE 0x20000000u  /* a solid may act in this iteration */
#define SIM_NEAR_BODY \
    0x08000000u /* bodies act on its cell: shaders/sim/body_coupling/body_broad_phase.comp */
#define SIM_RESEEDED \
    0x04000000u /* flip_reseed_move.comp has moved it: it takes the grid's velocity */
#define SIM_NEAR_VISCOUS_BOUNDARY 0x10000000u /* walls drag on it in the viscous solve */
/* Distances between a volume's samples are interpolated on each axis: their slope is at most this.
 */
#define SIM_SDF_MAX_SLOPE 1.7321f
/* x, y and z of a particle that has left the finite numbers. */
#define SIM_INVALID_POSITION (-2147483647 - 1)

#ifdef __STDC_VERSION__
/* Binding numbers; GLSL has the same from the build. SIM_BUFFERS counts those of own memory. */
enum {
#define BUFFER(name, type, count) SIM_BIND_##name,
#define ALIAS(name, type, buffer) SIM_BIND_##name,
#include "sim_buffers.def"
    SIM_BUFFERS,
    SIM_BIND_last_owned = SIM_BUFFERS - 1,
#define EXTERNAL(name, type, amount, owner) SIM_BIND_##name,
#include "sim_buffers.def"
    SIM_BINDINGS
};
#endif

/* Of met */
#define SIM_NEAR_BODIES_UNMOVED 0x80000000u
#define SIM_NEAR_BODIES_MAX 4u
#define SIM_NEAR_BODIES_NONE 0xffffu     /* in place of a body */
#define SIM_NEAR_BODIES_OVERFLOW 0xfffeu /* of the first: more, or no room; they are sought anew \
                                          */
#define SIM_MOMENTUM_RESIDUAL_WORDS 48u
#define SIM_SOLID_IMPULSE_WORDS 12u
/* row.constant of solid_force_average.comp */
#define SIM_SOLID_FORCES_CLEAR 1u      /* of a substep: there are no impulses yet */
#define SIM_SOLID_FORCES_ACCUMULATE 2u /* its impulses are complete */
/* row.constant of viscous_body_cg.comp */
#define SIM_BODY_CG_INIT 1u     /* before the iterations: how the bodies move */
#define SIM_BODY_CG_RESIDUAL 2u /* the residual that the iterations start from */
#define SIM_BODY_CG_MATVEC 3u   /* in an iteration: the matrix's product */
#define SIM_BODY_CG_STEP 4u     /* the step at its end */
#define SIM_BODY_CG_APPLY 5u    /* behind the iterations */
/* row.constant of import_particles.comp and export_particles.comp: floats of a position, and */
#define SIM_EXTERNAL_STRIDE_MASK 7u
#define SIM_EXTERNAL_HAS_MASSES 8u         /* there are masses */
#define SIM_EXTERNAL_MAX_NEIGHBOURS 60000u /* entries of one particle that are looked at */
/* row.constant of readback_gather.comp: weir_field, and with SIM_READ_COMPLETE every id has its
 * particle: these are gone over in their own order, and ranks are not read */
#define SIM_READ_COMPLETE 16u
#define SIM_READ_POSITION 0u
#define SIM_READ_VELOCITY 1u
#define SIM_READ_ID 2u
#define SIM_READ_FLUID 3u
#define SIM_READ_DENSITY 4u

/* Kernels of density and correction, in the order of scene_kernel:
 * lib/particles/smoothing_kernels.glsl. */
#define SIM_KERNEL_POLY6 0u
#define SIM_KERNEL_WENDLAND 1u

/* Specialization constants: id and name. */
#define SIM_CONSTANTS(FLAG, NUMBER)                                                               \
    FLAG(1, HAS_SOLIDS) /* solids or sinks */                                                     \
    FLAG(2, PERIODIC)                                                                             \
    FLAG(3, UNIFORM_MASS)       /* all particles have the same */                                 \
    FLAG(4, UNIFORM_TENSION)    /* all fluids have the same surface tension */                    \
    FLAG(5, SUM_DENSITY_ERRORS) /* the over-density of each iteration is summed */                \
    FLAG(6, CHEBYSHEV)          /* by Chebyshev's semi-iteration */                               \
    FLAG(7, RECORD_RESIDUALS)                                                                     \
    NUMBER(8, SMOOTHING_KERNEL)           /* SIM_KERNEL_ */                                       \
    FLAG(9, COMPACT)                      /* lists */                                             \
    FLAG(10, STATIC_SOLIDS)               /* no solid moves or changes */                         \
    FLAG(11, VORTICITY_CONFINEMENT)       /* vorticity confinement acts */                        \
    FLAG(12, ADD_TO_CHANGES)              /* surface tension adds to changes that XSPH wrote */   \
    FLAG(13, HAS_VELOCITY_CHANGES)        /* there are velocity changes */                        \
    NUMBER(14, ARTIFICIAL_PRESSURE_POWER) /* n of equation 13; 0: no artificial pressure */       \
    NUMBER(15, GAUGE_VECTORS)             /* vec4 per particle; 0: nothing is measured */         \
    NUMBER(16, PARTICLE_WORKGROUP)        /* invocations of a workgroup in rows over particles */ \
    FLAG(17, UNIFORM_VISCOSITY)           /* all fluids have the same dynamic viscosity */        \
    FLAG(18, HAS_TOLERANCE)               /* a tolerance ends the iterations */                   \
    FLAG(19, APIC)                        /* APIC: particles carry the velocity's gradient */     \
    FLAG(20, DENSE)                       /* the grid's segments: shaders/shared/grid.h */        \
    FLAG(21, HAS_VISCOSITY)               /* a fluid has a dynamic viscosity */                   \
    FLAG(22, HAS_BODIES)                                                                          \
    FLAG(23, HAS_FIXED_PARTICLES) /* particles of inverse mass 0 or less: no constraint */        \
    FLAG(24, RESEED)              /* solver.reseed */                                             \
    FLAG(25, RECORD_SOLID_FORCES) /* solver.solid_forces */

#define SIM_CELL_MIN_OPEN 0.125f        /* a cell with a smaller open share counts as solid */
#define SIM_LONG_RANGE_UNITS 1048576.0f /* of a constraint of 1 */
#define SIM_FACE_MIN_OPEN 0.02f         /* a face with a smaller open share counts as closed */
#define SIM_LONG_RANGE_SLACK 0.02f   /* under-density from which on motion may not compress fluid */
#define SIM_LEVEL_SET_MIN_DEPTH 0.1f /* least depth of the middle of a cell of fluid, in cells */
#define SIM_LONG_RANGE_MIN_CONSTRAINT \
    -0.1f /* a mean constraint above is that of fluid, not of spray */
#define SIM_LONG_RANGE_DRIFT_FRACTION 0.1f /* share of the drift that a substep corrects */
#define SIM_DRIFT_SOLVE 1u                 /* row.constant of the rows of the second solve */
#define SIM_MAC_REACH 3u                   /* cells about a particle's that a substep may need */
#define SIM_MAC_MIN_WEIGHT 1e-4f       /* a face that particles weigh less is not seen by them */
#define SIM_MAC_UNKNOWN_VELOCITY 1e30f /* packed, of a face that particles take nothing from */
#define SIM_MAC_MAX_ITERATIONS 12u     /* of conjugate gradients, at most */
#define SIM_MAC_MAX_ITERATIONS_COUPLED \
    24u                                /* likewise with bodies, six of whose motions each are new */
#define SIM_DRIFT_TIME_S 0.1f          /* s in which the drift of the density is corrected */
#define SIM_DRIFT_IMMEDIATE_ERROR 0.1f /* an error that is corrected at once */
#define SIM_DRIFT_MAX_ERROR 0.5f       /* a larger error counts as this */
#define SIM_DRIFT_MAX_CELLS 0.25f      /* cells that a substep's correction moves a particle */
/* Of solver.reseed, in full cells: a fuller one gives particles, an emptier one is filled up to */
#define SIM_RESEED_OVERFULL 2.0f
#define SIM_RESEED_UNDERFULL 0.5f
#define SIM_RESEED_TARGET 1.0f
#define SIM_RESEED_INTERIOR_CELLS 2    /* cells all round such a cell in which there is no air */
#define SIM_RESEED_MAX_PER_LINE 65000u /* particles of a line of a cell that are looked at */
#define SIM_GAUGE_HISTOGRAM_BINS 4096u
#define SIM_NO_VALUE -1e30f /* WEIR_NO_VALUE */
/* row.constant of mac_slice.comp: the axis, 2 bits; what is shown, 2 bits; the layer of cells */
#define SIM_SLICE_SPEED 0u
#define SIM_SLICE_PRESSURE 1u
#define SIM_SLICE_QUANTITY_SHIFT 2u
#define SIM_SLICE_LAYER_SHIFT 4u
#define SIM_LOOP_ITERATIONS 0u
#define SIM_LOOPS 1u
/* In the order of scene_gauge_kind. */
#define SIM_GAUGE_HEIGHT 0u
#define SIM_GAUGE_FRONT 1u
#define SIM_GAUGE_PRESSURE 2u
#define SIM_GAUGE_FORCE 3u
#define SIM_GAUGE_FLOW 4u
/* Those of pressure and force where FLIP or APIC read them from the MAC grid. */
#define SIM_GAUGE_MAC_PRESSURE 5u
#define SIM_GAUGE_MAC_FORCE 6u
#define SIM_MAX_FORCE_GAUGE_SOLIDS 4u /* solids whose force is measured, at most */

struct sim_fluid {
    float density;             /* kg/m3 */
    float xsph;                /* XSPH coefficient c of equation 17 at the reference step */
    float inverse_mass;        /* lightest fluid's mass over this one's, at most 1 */
    float mass;                /* kg; per metre of depth in the plane */
    float surface_tension;     /* N/m */
    float dynamic_viscosity;   /* Pa s */
    float viscous_coefficient; /* kg/(m3 s): the same times the factor of pairs */
    float pad0;
};
WEIR_SIZE_CHECK(struct sim_fluid, 32);

/* A field of acceleration: push + turn x (p - centre) - pull (p - centre) - rate v. */
struct sim_force {
    vec4 centre;       /* xyz m; w 1/s2: pull */
    vec4 acceleration; /* xyz m/s2; w 1/s: rate */
    vec4 swirl; /* xyz 1/s2; w m: it acts in a sphere of this radius about `low`; 0: in a box */
    vec4 low;   /* xyz m; w 1/s2: the pull that has a potential */
    vec4 high;  /* xyz m */
};
WEIR_SIZE_CHECK(struct sim_force, 80);
#ifdef __STDC_VERSION__
typedef struct sim_fluid sim_fluid; /* GLSL names a struct without the keyword */
typedef struct sim_force sim_force;
#endif

struct sim_params {
    vec4 domain_min; /* xyz m; w m: edge of the cells of bodies, which begin there */
    vec4 period;     /* xyz m on periodic axes, 0 elsewhere */
    vec4 origin;     /* xyz m: where position 0 is; w m: the unit of fixed-point positions */
    ivec4 fixed_min; /* xyz the domain's corners; w: z of the plane of a planar flow */
    ivec4 fixed_max;
    ivec4 fixed_period;   /* xyz on periodic axes, 0 elsewhere */
    vec4 gravity;         /* xyz m/s2 */
    sim_fluid fluids[16]; /* SIM_MAX_FLUIDS */
    sim_force forces[4];  /* SCENE_MAX_FORCES */
    uint sides;           /* 2 bits each for -x +x -y +y -z +z: 0 closed, 1 open, 2 periodic */
    float spacing;        /* d */
    float h;              /* support radius */
    float unit_over_h;    /* the unit of positions over h, a power of two */
    float poly6;          /* V W(0): V W(r) = poly6 (1 - r^2 / h^2)^3; V is an area in the plane */
    float spiky;          /* 1/m: V |W'| = spiky (1 - r / h)^2 */
    float epsilon;        /* 1/m2, equation 11 */
    float relaxation;     /* omega */
    float artificial_pressure;      /* k of equation 13, m2, at the reference step, already over the
                                       iterations */
    float artificial_pressure_base; /* 1 / (V W(dq)) */
    uint artificial_pressure_exponent; /* n */
    float min_constraint; /* least value of C: 0, or very low when negative pressure is kept */
    float vorticity_confinement;    /* epsilon of equation 16, m/s */
    float max_correction;           /* m */
    float speed_cap;                /* spacings per substep */
    float boundary_gap;             /* m */
    float boundary_reach;           /* m: walls farther than this do not matter in one substep */
    float friction;                 /* of the domain's closed sides */
    float chebyshev;                /* rho */
    float reference_dt;             /* s */
    float frame_dt;                 /* s */
    float cfl;                      /* spacings per substep */
    uint substeps;                  /* most in this frame */
    uint adaptive;                  /* 1: the GPU picks a divisor of `substeps` */
    uint scale_artificial_pressure; /* 1: k scaled by (dt/dt_ref)^2 */
    uint boundary_density;          /* 1: walls add density */
    uint solid_count;
    uint sink_first; /* sinks are items sink_first to item_count - 1; bodies are between solids and
                        sinks */
    uint item_count;
    uint emission_count; /* of this frame */
    uint particle_capacity;
    uint planar; /* 1: a flow in the plane z = plane, kernels in two dimensions */
    float plane; /* m */
    uint force_count;
    float pcisph_pressure_factor; /* PCISPH: 1 / (2 D) of the lightest fluid, m2 */
    float cohesion;  /* force of a pair over tension and kernel, m; without unit in the plane */
    float curvature; /* the same for the difference of the normals */
    uint iterations;
    float tolerance_mean; /* of max(C, 0); very large where there is none */
    float tolerance_max;
    uint mark_interval;    /* iterations between two marks of the particles near walls */
    uint smoothing_kernel; /* SIM_KERNEL_ */
    float kernel_density;  /* V W(0) of the density's kernel */
    float kernel_gradient; /* 1/m: V |W'| of the corrections' kernel over its shape,
                              kernel_gradient_factor */
    float units_per_metre; /* 1/m: units in a metre */
    uint no_slip;          /* 1: viscous fluid sticks to the domain's closed sides */
    float boundary_shift;  /* m: the walls' density begins so far behind them */
    float pic_fraction;    /* of PIC in the blend with FLIP, in a reference step */
    vec4 cell_size;  /* xyz m of a cell of the long-range correction or of the MAC grid; w particles
                        of a full cell; all 0: there are no cells */
    ivec4 mac_cells; /* xyz cells of the MAC grid that tile the domain */
    uvec4 body_counts;          /* xyz cells that say which bodies are near; w words of each */
    float emitted_speed;        /* m/s: fastest that emitters release in this frame */
    float sound_speed;          /* WCSPH: m/s */
    float artificial_viscosity; /* WCSPH: alpha */
    uint near_bodies_capacity;  /* particles that have room for what bodies near them do */
};
WEIR_SIZE_CHECK(struct sim_params, 1200);

/* What the GPU decides and counts. The host reads a copy after each frame. Totals change only when
 * a substep is complete; what a halted substep counted is forgotten with it. */
struct sim_status {
    uint count;          /* particles after the last complete substep */
    uint substep;        /* complete substeps of this frame */
    uint substeps;       /* of this frame, chosen at its start */
    float dt;            /* s, of this frame's substeps */
    uint first_emission; /* emissions of the running substep */
    uint last_emission;
    uint emitted_count; /* particles that they add */
    uint required_capacity;
    uint escaped, removed_by_sinks, non_finite; /* of the running substep */
    uint clamped_corrections, clamped_speeds;
    uint max_speed_bits; /* fastest speed at the frame's start, float bits; of a body over BODY_CFL
                          */
    uint running;        /* 1: the running substep is one that the frame takes */
    uint total_substeps;
    uint total_escaped, total_removed_by_sinks, total_non_finite;
    uint total_capped_corrections, total_capped_speeds;
    uint total_emitted;
    uint solve_non_finite; /* particles that left the finite numbers in the running solve */
    uint viscous_iterations, viscous_residual;             /* of the running substep; float bits */
    uint frame_viscous_iterations, frame_viscous_residual; /* their sum and maximum in the frame */
    /* Of the running substep: */
    uint iterations_done; /* 1: a tolerance has ended the iterations, and rows of the solve do
                             nothing */
    uint iterations;      /* done */
    uint unconverged;     /* 1: they ended above the tolerance */
    float error_mean, error_max; /* with a tolerance: at the end of the iterations */
    uint above_tolerance;        /* likewise: particles above the tolerance's maximum */
    /* Of the frame: */
    uint frame_iterations, frame_unconverged;
    float frame_error_mean, frame_error_max; /* largest of its substeps */
    uint frame_above_tolerance;
    uint total_iterations;
    uint reseeded; /* of the running substep: particles that solver.reseed has moved */
    uint total_reseeded;
};
WEIR_SIZE_CHECK(struct sim_status, 164);

#define SIM_VISCOUS_MAX_ITERATIONS 100u /* iterations of one viscous solve */
#define SIM_VISCOUS_TOLERANCE 1e-4f     /* of the residual, over that of the first iteration */
/* What a cell of the MAC grid is for the viscous solve. */
#define SIM_VISCOUS_FLUID 1u
#define SIM_VISCOUS_CLOSED 2u     /* behind a wall */
#define SIM_VISCOUS_SLIP 4u       /* one that fluids slip along */
#define SIM_VISCOUS_FIXED_X 8u    /* a wall holds its lower face across x; twice that: y, z */
#define SIM_VISCOUS_FIXED_XYZ 56u /* all three */
#define SIM_VISCOUS_FLAGS_MASK 63u
#define SIM_VISCOUS_FIXED_DISTANCE \
    0.25f                          /* of a cell: a solid holds faces whose middles are as near */
#define SIM_VISCOUS_WORKGROUP 256u /* invocations that add the sums of all workgroups */

/* The numbers of conjugate gradients that all particles share. */
struct sim_viscous_cg {
    gpu_loop loop;
    uint reduce_groups_x, reduce_groups_y,
        reduce_groups_z; /* dispatch arguments of the row that decides; 0 once it has ended */
    float residual_dot, initial_residual_dot; /* residual . scaled residual, now and at first */
    float alpha, beta;                        /* alpha, beta */
    uint partial_count;                       /* sums of workgroups to add */
};
WEIR_SIZE_CHECK(struct sim_viscous_cg, 48);

/* weir_vulkan_counts */
struct sim_snapshot_args {
    uint points_vertex_count, points_instance_count, points_first_vertex, points_first_instance;
    uint quads_vertex_count, quads_instance_count, quads_first_vertex, quads_first_instance;
    uint groups_x, groups_y, groups_z;
    uint count, frame, complete;
};
WEIR_SIZE_CHECK(struct sim_snapshot_args, 56);

/* What became of given particles, and of given lists. */
struct sim_import_report {
    uint skipped;         /* not taken: not finite, or beyond an open side */
    uint fixed_count;     /* taken, with the inverse mass 0 */
    uint invalid_entries; /* list entries that name no particle */
    uint pad0;
};
WEIR_SIZE_CHECK(struct sim_import_report, 16);

#define SIM_RAY_FORCE_DAMPING 6.0f /* 1/s, of what a pointer draws */

/* A force along a ray, for one frame: the mouse of a viewer. */
struct sim_ray_force {
    vec4 origin;    /* xyz m; w radius about the ray, m */
    vec4 direction; /* xyz unit; w acceleration at the ray, m/s2: above 0 away from it, below 0 to
                       it */
};
WEIR_SIZE_CHECK(struct sim_ray_force, 32);

/* One layer of particles that one emitter releases at one moment of the frame. */
struct sim_emission {
    uint emitter;
    uint first_id;
    uint particle_count;
    uint particles_before; /* of earlier emissions in this frame */
    float time;            /* s, from the frame's start */
    float pad0, pad1, pad2;
};
WEIR_SIZE_CHECK(struct sim_emission, 32);

struct sim_emitter {
    vec4 corner;   /* xyz m: centre of the opening, w fluid index */
    vec4 across;   /* xyz m: step to the next site in a row, w unused */
    vec4 up;       /* xyz m: step to the next row, w first of its sites */
    vec4 velocity; /* xyz m/s */
};
WEIR_SIZE_CHECK(struct sim_emitter, 64);

struct sim_gauge {
    vec4 min;              /* xyz m: lower corner; pressure and flow: the centre, w radius m */
    vec4 max;              /* xyz m: upper corner; flow: the unit normal */
    uint kind;             /* SIM_GAUGE_ */
    uint axis;             /* +x -x +y -y +z -z */
    uint bin_count;        /* along the axis, at most SIM_GAUGE_HISTOGRAM_BINS */
    uint force_slot;       /* force: of measured */
    float bin_width_m;     /* length of one */
    uint half_layer_count; /* particles that fill half a layer of one spacing across the box */
    uint slab_half_bins;   /* bins on either side of a slab's middle one */
    uint pad0;
};
WEIR_SIZE_CHECK(struct sim_gauge, 64);

struct sim_statistics {
    vec4 momentum;   /* kg m/s; w kinetic energy J */
    vec4 moment;     /* kg m; w mass kg */
    float error_sum; /* of max(rho/rho0 - 1, 0) */
    float error_max;
    float speed_max; /* m/s */
    float potential; /* J */
    uint neighbours; /* sum */
    uint neighbours_max;
    uint count;
    uint non_finite;
};
WEIR_SIZE_CHECK(struct sim_statistics, 64);

#endif
