/* The simulation: shared constants, parameter block and status block. Lengths in m, times in s.
 * Positions are fixed-point: shaders/lib/math/fixed_point.glsl. Buffers and their binding numbers:
 * shaders/shared/sim_buffers.def. */
#ifndef WEIR_SHARED_SIM_H
#define WEIR_SHARED_SIM_H

#include "glue.h"
#include "pass.h"

#define SIM_MAX_FLUIDS 16u
#define SIM_MAX_ATTRIBUTE_VECTORS 4u /* vec4 that hold the attributes of a particle */
#define SIM_STATS_PER_INVOCATION 16u /* particles that one invocation of the statistics sums */
#define SIM_STATS_WORKGROUP 64u      /* a power of two */
/* particles that one workgroup of the statistics sums */
#define SIM_STATS_PER_WORKGROUP (SIM_STATS_PER_INVOCATION * SIM_STATS_WORKGROUP)
#define SIM_MAX_ITERATIONS 128u
#define SIM_MIN_ITERATIONS 2u /* before a tolerance may end them */
/* Layout of `density_errors`: arrays of SIM_MAX_ITERATIONS words each, indexed by iteration. The
 * first holds sums, the second maxima. With a tolerance, the third counts particles above its
 * maximum, and the next two hold the low and high words of a finer sum. The last word is the number
 * of iterations that were measured. */
#define SIM_DENSITY_ERRORS_MAX SIM_MAX_ITERATIONS
#define SIM_DENSITY_ERRORS_ABOVE (2u * SIM_MAX_ITERATIONS)
#define SIM_DENSITY_ERRORS_SUM_LOW (3u * SIM_MAX_ITERATIONS)
#define SIM_DENSITY_ERRORS_SUM_HIGH (4u * SIM_MAX_ITERATIONS)
#define SIM_DENSITY_ERRORS_COUNT (5u * SIM_MAX_ITERATIONS)
#define SIM_DENSITY_ERRORS_WORDS (SIM_DENSITY_ERRORS_COUNT + 1u)
/* units of the finer sum that equal a density error of 1 */
#define SIM_DENSITY_ERROR_FINE_UNITS 16777216u
/* one particle in this many may be above the tolerance's maximum */
#define SIM_PARTICLES_PER_OUTLIER 1000u
/* largest value of the sum: a density error of 1 of every particle */
#define SIM_DENSITY_ERROR_UNITS 0x7fffffffu
/* grid_state.flags: too many particles are non-finite, shaders/sim/frame/check_finite.comp */
#define SIM_FLAG_NON_FINITE 0x100u
/* grid_state.flags: the frame needs more substeps or iterations than were recorded */
#define SIM_FLAG_FRAME_UNFINISHED 0x200u
/* Flags of a particle's neighbour header. */
#define SIM_NEAR_BOUNDARY 0x80000000u /* within reach of the boundary in this substep */
#define SIM_NEAR_SOLID 0x40000000u    /* within reach of a solid; the domain's sides are cheap */
#define SIM_SOLID_ACTIVE 0x20000000u  /* a solid may act in this iteration */
/* bodies are near it: shaders/sim/body_coupling/body_broad_phase.comp */
#define SIM_NEAR_BODY 0x08000000u
/* moved by flip_reseed_move.comp: it takes the grid's velocity */
#define SIM_RESEEDED 0x04000000u
#define SIM_NEAR_VISCOUS_BOUNDARY 0x10000000u /* boundaries drag on it in the viscous solve */
/* Largest slope of a distance volume, whose samples are interpolated on each axis: sqrt(3) */
#define SIM_SDF_MAX_SLOPE 1.7321f
/* x, y and z of a non-finite particle. */
#define SIM_INVALID_POSITION (-2147483647 - 1)

#ifdef __STDC_VERSION__
/* Binding numbers; the build generates the same numbers for GLSL. SIM_BUFFERS is the number of
 * buffers that the simulation itself owns. */
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

/* Entries of near_bodies: shaders/lib/body/near_bodies.glsl */
#define SIM_NEAR_BODIES_UNMOVED 0x80000000u /* with the particle's index: no body has moved it */
#define SIM_NEAR_BODIES_MAX 4u
#define SIM_NEAR_BODIES_NONE 0xffffu /* in place of a body: no more bodies */
/* in place of the first body: there are too many, or no room to list them; the reader searches for
 * them again */
#define SIM_NEAR_BODIES_OVERFLOW 0xfffeu
#define SIM_MOMENTUM_RESIDUAL_WORDS 72u
/* Words of body_layer_sums: for each axis 9 sums of 2 words, body_layer_axis of
 * flip_body_layer_response.comp, in units of SIM_BODY_LAYER_UNIT. */
#define SIM_BODY_LAYER_WORDS 54u
#define SIM_BODY_LAYER_UNIT (1.0 / 4294967296.0)
#define SIM_BODY_LAYER_ITERATIONS 8u /* of six unknowns; two more because of rounding */
#define SIM_SOLID_IMPULSE_WORDS 12u
/* pass.constant of solid_force_frame_mean.comp */
#define SIM_SOLID_FORCES_CLEAR 1u      /* at the start of a substep: clears the impulses */
#define SIM_SOLID_FORCES_ACCUMULATE 2u /* at its end: adds the complete impulses to the mean */
/* pass.constant of viscous_body_cg_stage.comp and of flip_viscous_body_reaction.comp */
#define SIM_REACTION_RESIDUAL 0u /* of the initial velocities, for the initial residual */
#define SIM_REACTION_MATVEC 1u   /* of the scaled residuals, for the product with the matrix */
#define SIM_BODY_CG_INIT 1u      /* before the iterations: initial velocities of the bodies */
#define SIM_BODY_CG_RESIDUAL 2u  /* initial residual */
#define SIM_BODY_CG_MATVEC 3u    /* in an iteration: product with the matrix */
#define SIM_BODY_CG_STEP 4u      /* in an iteration: update at its end */
#define SIM_BODY_CG_APPLY 5u     /* after the iterations: final impulse */
/* pass.constant of import_particles.comp, export_particles.comp: floats of a position, and flags */
#define SIM_EXTERNAL_STRIDE_MASK 7u
#define SIM_EXTERNAL_HAS_MASSES 8u         /* the caller gave masses */
#define SIM_EXTERNAL_MAX_NEIGHBOURS 60000u /* list entries of one particle that are read */
/* pass.constant of readback_gather.comp: a weir_field and this flag. It says that every id has its
 * particle: the particles are visited in their own order, and ranks are not read. */
#define SIM_READ_COMPLETE 16u
#define SIM_READ_POSITION 0u
#define SIM_READ_VELOCITY 1u
#define SIM_READ_ID 2u
#define SIM_READ_FLUID 3u
#define SIM_READ_DENSITY 4u
#define SIM_READ_ATTRIBUTE 5u /* and its first component and number of components */
#define SIM_READ_FIELD_MASK 15u
#define SIM_READ_FIRST_SHIFT 8u
#define SIM_READ_COMPONENTS_SHIFT 16u

/* Smoothing kernels of density and correction, in the order of scene_kernel:
 * shaders/lib/particles/smoothing_kernels.glsl. */
#define SIM_KERNEL_POLY6 0u
#define SIM_KERNEL_WENDLAND 1u

/* Specialization constants: id and name. */
#define SIM_CONSTANTS(FLAG, NUMBER)                                                         \
    FLAG(1, HAS_SOLIDS) /* there are solids or sinks */                                     \
    FLAG(2, PERIODIC)                                                                       \
    FLAG(3, UNIFORM_MASS)       /* all particles have the same mass */                      \
    FLAG(4, UNIFORM_TENSION)    /* all fluids have the same surface tension */              \
    FLAG(5, SUM_DENSITY_ERRORS) /* each iteration sums the density error */                 \
    FLAG(6, CHEBYSHEV)          /* Chebyshev semi-iteration */                              \
    FLAG(7, RECORD_RESIDUALS)                                                               \
    NUMBER(8, SMOOTHING_KERNEL)           /* SIM_KERNEL_ */                                 \
    FLAG(9, COMPACT)                      /* compact neighbour lists */                     \
    FLAG(10, STATIC_SOLIDS)               /* no solid moves or changes */                   \
    FLAG(11, VORTICITY_CONFINEMENT)       /* vorticity confinement is on */                 \
    FLAG(12, HAS_VELOCITY_CHANGES)        /* there are velocity changes */                  \
    NUMBER(13, ARTIFICIAL_PRESSURE_POWER) /* n of equation 13; 0: no artificial pressure */ \
    NUMBER(14, GAUGE_VECTORS)             /* vec4 per particle; 0: no gauges */             \
    NUMBER(15, PARTICLE_WORKGROUP)        /* workgroup size of passes over particles */     \
    FLAG(16, UNIFORM_VISCOSITY)           /* all fluids have the same dynamic viscosity */  \
    FLAG(17, HAS_TOLERANCE)               /* a tolerance ends the iterations */             \
    FLAG(18, APIC)                        /* particles carry the velocity gradient */       \
    FLAG(19, DENSE)                       /* all segments active: shaders/shared/grid.h */  \
    FLAG(20, HAS_VISCOSITY)               /* a fluid has a dynamic viscosity */             \
    FLAG(21, HAS_BODIES)                                                                    \
    FLAG(22, HAS_FIXED_PARTICLES) /* inverse mass <= 0: no constraint */                    \
    FLAG(23, RESEED)              /* solver.reseed */                                       \
    FLAG(24, RECORD_SOLID_FORCES) /* solver.solid_forces */                                 \
    FLAG(25, SEPARATING_WALLS)    /* solver.separating_walls */                             \
    FLAG(26, PCISPH)              /* solver.method */                                       \
    FLAG(27, VARIABLE_DENSITY)    /* the fluids of a MAC grid may differ in density */      \
    FLAG(28, MAC_GRID)            /* FLIP or APIC */                                        \
    FLAG(29, SURFACE_TENSION)     /* a fluid of a MAC grid has surface tension */           \
    NUMBER(30, ATTRIBUTE_VECTORS) /* vec4 per particle; 0: no attributes */                 \
    FLAG(31, MATERIAL_CURVES)     /* numbers of a fluid depend on attributes */

#define SIM_CELL_MIN_OPEN 0.125f        /* a cell with a smaller open fraction counts as solid */
#define SIM_LONG_RANGE_UNITS 1048576.0f /* fixed-point units that equal a constraint of 1 */
#define SIM_FACE_MIN_OPEN 0.02f         /* a face with a smaller open fraction counts as closed */
/* Tension at a wall from which on fluid leaves it: the pressure of so many cells of fluid. */
#define SIM_SEPARATION_CELLS 0.25f
/* density deficit above which motion may compress fluid */
#define SIM_LONG_RANGE_SLACK 0.02f
/* minimum depth of the centre of a fluid cell below the surface, in cells */
#define SIM_LEVEL_SET_MIN_DEPTH 0.1f
/* a cell whose mean constraint is above this holds fluid, not spray */
#define SIM_LONG_RANGE_MIN_CONSTRAINT -0.1f
#define SIM_LONG_RANGE_DRIFT_FRACTION 0.1f /* fraction of the drift that a substep corrects */
#define SIM_CLOSED_FACE 8u                 /* in w of pressure_gradients, times 2^axis */
#define SIM_DRIFT_SOLVE 1u                 /* pass.constant of the passes of the second solve */
/* largest acceleration by which fluid holds particles in the air next to it, over sigma / (rho
 * dx^2) */
#define SIM_COHESION 2.0f
/* smallest slope of the smoothed fill, per cell, at which there is a surface */
#define SIM_SURFACE_MIN_SLOPE 0.02f
#define SIM_MAC_SOLVE 2u /* of the pressure solve of FLIP and APIC */
#define SIM_MAC_REACH 3u /* MAC cells on each side of a particle's own that a substep may need */
/* a face on which particles have a smaller weight gets no velocity from them */
#define SIM_MAC_MIN_WEIGHT 1e-4f
#define SIM_UNKNOWN_TENSION -1.0f      /* in tension_ratios */
#define SIM_MAC_UNKNOWN_VELOCITY 1e30f /* packed, of a face that G2P does not use */
#define SIM_MAC_MAX_ITERATIONS 12u     /* maximum number of conjugate-gradient iterations */
/* the same with bodies, each of which adds six degrees of freedom */
#define SIM_MAC_MAX_ITERATIONS_COUPLED 24u
#define SIM_DRIFT_TIME_S 0.1f          /* s: time in which the density drift is corrected */
#define SIM_DRIFT_IMMEDIATE_ERROR 0.1f /* density error from which the correction is immediate */
#define SIM_DRIFT_MAX_ERROR 0.5f       /* larger density errors are clamped to this */
#define SIM_DRIFT_MAX_CELLS 0.25f      /* cells: longest move of a particle in one correction */
/* A particle in another fluid is a drop of its volume: its diameter in spacings, (6 / pi)^(1/3),
 * and its drag coefficient at high Reynolds numbers, where a sphere's is constant. */
#define SIM_DROP_DIAMETER 1.2407f
#define SIM_DROP_DRAG 0.44f
/* Thresholds of solver.reseed, in particles of a full cell: a cell above OVERFULL gives particles
 * away, a cell below UNDERFULL is filled up to TARGET. */
#define SIM_RESEED_OVERFULL 2.0f
#define SIM_RESEED_UNDERFULL 0.5f
#define SIM_RESEED_TARGET 1.0f
#define SIM_RESEED_INTERIOR_CELLS 2    /* cells around an underfull cell that must hold no air */
#define SIM_RESEED_MAX_PER_LINE 65000u /* particles of a line of a cell that are visited */
#define SIM_GAUGE_HISTOGRAM_BINS 4096u
#define SIM_NO_VALUE -1e30f /* WEIR_NO_VALUE */
/* pass.constant of mac_slice.comp: the axis, 2 bits; the quantity, 2 bits; the layer of cells */
#define SIM_SLICE_SPEED 0u
#define SIM_SLICE_PRESSURE 1u
#define SIM_SLICE_QUANTITY_SHIFT 2u
#define SIM_SLICE_LAYER_SHIFT 4u
/* Indices of the loops that the GPU ends. */
#define SIM_LOOP_ITERATIONS 0u
#define SIM_LOOPS 1u
/* Kinds of gauge, in the order of scene_gauge_kind. */
#define SIM_GAUGE_HEIGHT 0u
#define SIM_GAUGE_FRONT 1u
#define SIM_GAUGE_PRESSURE 2u
#define SIM_GAUGE_FORCE 3u
#define SIM_GAUGE_FLOW 4u
/* Pressure and force gauges that FLIP and APIC read from the MAC grid. */
#define SIM_GAUGE_MAC_PRESSURE 5u
#define SIM_GAUGE_MAC_FORCE 6u
#define SIM_MAX_FORCE_GAUGE_SOLIDS 4u /* maximum number of solids with a force gauge */

struct sim_fluid {
    float density;           /* kg/m3 */
    float xsph;              /* XSPH coefficient c of equation 17 at the reference step */
    float inverse_mass;      /* mass of the lightest fluid's particles over this one's, at most 1 */
    float mass;              /* kg; in planar flow per metre of depth */
    float surface_tension;   /* N/m */
    float dynamic_viscosity; /* Pa s */
    /* kg/(m3 s): dynamic viscosity times the pair factor */
    float viscous_coefficient;
    float pad0;
};
WEIR_SIZE_CHECK(struct sim_fluid, 32);

/* A force field: a = acceleration + swirl x (p - centre) - pull (p - centre) - rate v. */
struct sim_force {
    vec4 centre;       /* xyz m; w 1/s2: pull */
    vec4 acceleration; /* xyz m/s2; w 1/s: rate */
    /* xyz 1/s2; w m: radius of the sphere about `low` in which it acts; 0: acts in a box */
    vec4 swirl;
    vec4 low;  /* xyz m: lower corner; w 1/s2: the pull, as far as it has a potential */
    vec4 high; /* xyz m: upper corner */
};
WEIR_SIZE_CHECK(struct sim_force, 80);
#ifdef __STDC_VERSION__
typedef struct sim_fluid sim_fluid; /* GLSL names a struct without the keyword */
typedef struct sim_force sim_force;
#endif

struct sim_params {
    vec4 domain_min;    /* xyz m; w m: edge of the broad-phase cells, which start there */
    vec4 period;        /* xyz m on periodic axes, 0 elsewhere */
    vec4 origin;        /* xyz m: location of position 0; w m: the unit of fixed-point positions */
    ivec4 fixed_min;    /* xyz lower corner of the domain; w: z of the plane of a planar flow */
    ivec4 fixed_max;    /* xyz upper corner of the domain */
    ivec4 fixed_period; /* xyz on periodic axes, 0 elsewhere */
    vec4 gravity;       /* xyz m/s2 */
    sim_fluid fluids[16]; /* SIM_MAX_FLUIDS */
    sim_force forces[8];  /* SCENE_MAX_FORCES */
    /* 1/s, of each component of the attributes: a pair of particles exchanges this fraction of the
     * difference times its weight: shaders/lib/attributes/exchange.glsl */
    vec4 attribute_rates[4];  /* SIM_MAX_ATTRIBUTE_VECTORS */
    vec4 attribute_growth[4]; /* 1/s: what each component gains; 1 for an age */
    /* bits of first components: x of rest positions; y of those that are reset at the end of this
     * frame; zw unused */
    uvec4 rest_positions;
    uint sides;        /* 2 bits each for -x +x -y +y -z +z: 0 closed, 1 open, 2 periodic */
    float spacing;     /* m: d */
    float h;           /* m: support radius */
    float unit_over_h; /* unit of positions over h, a power of two */
    float poly6;       /* V W(0): V W(r) = poly6 (1 - r^2 / h^2)^3; V is an area in planar flow */
    float spiky;       /* 1/m: V |W'| = spiky (1 - r / h)^2 */
    float epsilon;     /* 1/m2, constraint softening, equation 11 */
    float relaxation;  /* omega */
    /* m2: k of equation 13 at the reference step, divided by the number of iterations */
    float artificial_pressure;
    float artificial_pressure_base;    /* 1 / (V W(dq)) */
    uint artificial_pressure_exponent; /* n */
    float min_constraint; /* minimum of C: 0, or very low when negative pressure is allowed */
    float vorticity_confinement;    /* epsilon of equation 16, m/s */
    float max_correction;           /* m */
    float speed_cap;                /* spacings per substep */
    float boundary_gap;             /* m */
    float boundary_reach;           /* m: boundaries farther away do not act within one substep */
    float friction;                 /* of the domain's closed sides */
    float chebyshev;                /* rho */
    float reference_dt;             /* s */
    float frame_dt;                 /* s */
    float cfl;                      /* spacings per substep */
    uint substeps;                  /* maximum in this frame */
    uint adaptive;                  /* 1: the GPU picks a divisor of `substeps` */
    uint scale_artificial_pressure; /* 1: k scaled by (dt/dt_ref)^2 */
    uint boundary_density;          /* 1: boundaries add density */
    uint solid_count;
    /* Items are solids, then bodies, then sinks: sinks are sink_first to item_count - 1. */
    uint sink_first;
    uint item_count;
    uint emission_count; /* of this frame */
    uint particle_capacity;
    uint planar; /* 1: flow in the plane z = `plane`, with two-dimensional smoothing kernels */
    float plane; /* m */
    uint force_count;
    float pcisph_pressure_factor; /* PCISPH: 1 / (2 D) of the lightest fluid, m2 */
    /* m: force of a pair over surface tension and smoothing kernel; dimensionless in planar flow */
    float cohesion;
    float curvature; /* the same factor for the difference of the normals */
    uint iterations;
    float tolerance_mean;  /* of max(C, 0); very large without a tolerance */
    float tolerance_max;   /* of max(C, 0) of one particle */
    uint mark_interval;    /* iterations between two updates of the near-boundary flags */
    uint smoothing_kernel; /* SIM_KERNEL_ */
    float kernel_density;  /* V W(0) of the smoothing kernel of the density */
    /* 1/m: V |W'| of the corrections' smoothing kernel over its shape, kernel_gradient_factor */
    float kernel_gradient;
    float units_per_metre; /* 1/m: units of fixed-point positions per metre */
    uint no_slip;          /* 1: viscous fluid sticks to the domain's closed sides */
    float boundary_shift;  /* m: depth below the surface at which the boundary's density starts */
    float pic_fraction;    /* weight of PIC in the blend with FLIP, per reference step */
    /* xyz m: size of a cell of the long-range correction or of the MAC grid; w particles in a full
     * cell; all 0 without cells */
    vec4 cell_size;
    ivec4 mac_cells;      /* xyz cells of the MAC grid that tile the domain */
    uvec4 body_counts;    /* xyz number of broad-phase cells; w words per cell */
    float min_density;    /* kg/m3: of the lightest fluid */
    float max_density;    /* kg/m3: of the heaviest fluid */
    float max_tension;    /* N/m: of the fluid with the largest surface tension */
    float max_tension_dt; /* s: longest substep for surface tension on the MAC grid; very large
                             without it */
    float emitted_speed;  /* m/s: fastest emission in this frame */
    float sound_speed;    /* WCSPH: m/s */
    float artificial_viscosity; /* WCSPH: alpha */
    uint near_bodies_capacity;  /* particles that have room for the effect of nearby bodies */
    float field_lead; /* fields act after this fraction of a substep's motion: PBF 1, SPH 0 */
    float artificial_pressure_offset; /* (W(cutoff) / W(dq))^n; 0: no cutoff */
    float viscous_factor;   /* 1/m2: viscous_coefficient of a fluid over its dynamic viscosity */
    uint emitted_elsewhere; /* 1: another rank counts what becomes of emitted particles */
    uint has_friction;      /* 1: a closed side or a solid has friction */
    uint unused;
    uint pad0, pad1;
};
WEIR_SIZE_CHECK(struct sim_params, 1712);

/* Decisions and counts of the GPU. The host reads a copy after each frame. Totals change only when
 * a substep is complete; the counts of a halted substep are discarded. */
struct sim_status {
    uint count;          /* particles after the last complete substep */
    uint substep;        /* complete substeps of this frame */
    uint substeps;       /* of this frame, chosen at its start */
    float dt;            /* s, of this frame's substeps */
    uint first_emission; /* first emission of the running substep */
    uint last_emission;
    uint emitted_count;                         /* particles that these emissions add */
    uint required_capacity;                     /* particles, when the buffers are too small */
    uint escaped, removed_by_sinks, non_finite; /* particles of the running substep */
    uint clamped_corrections, clamped_speeds;   /* of the running substep */
    /* float bits: largest speed at the frame's start; a body's is divided by BODY_CFL */
    uint max_speed_bits;
    uint running; /* 1: the frame takes the running substep; 0: its passes do nothing */
    uint total_substeps;
    uint total_escaped, total_removed_by_sinks, total_non_finite;
    uint total_capped_corrections, total_capped_speeds;
    uint total_emitted;
    uint solve_non_finite; /* particles that became non-finite in the running solve */
    uint viscous_iterations, viscous_residual;             /* of the running substep; float bits */
    uint frame_viscous_iterations, frame_viscous_residual; /* their sum and maximum in the frame */
    /* The running substep: */
    uint iterations_done; /* 1: the tolerance is reached; the remaining iterations do nothing */
    uint iterations;      /* number of iterations done */
    uint unconverged;     /* 1: the iterations ended above the tolerance */
    float error_mean, error_max; /* with a tolerance: density error after the last iteration */
    uint above_tolerance;        /* with a tolerance: particles above its maximum */
    /* The frame: */
    uint frame_iterations, frame_unconverged;
    float frame_error_mean, frame_error_max; /* maximum over its substeps */
    uint frame_above_tolerance;
    uint total_iterations;
    uint reseeded; /* particles that solver.reseed moved in the running substep */
    uint total_reseeded;
    uint solve_repetitions; /* needed by the density or pressure solve of the substep */
    uint frame_solve_repetitions, frame_max_viscous_iterations; /* most in a substep of the frame */
};
WEIR_SIZE_CHECK(struct sim_status, 176);

#define SIM_VISCOUS_MAX_ITERATIONS 100u /* iterations of one viscous solve */
#define SIM_VISCOUS_TOLERANCE 1e-4f     /* residual over the initial residual */
/* Flags of a cell of the MAC grid in the viscous solve. */
#define SIM_VISCOUS_FLUID 1u
#define SIM_VISCOUS_CLOSED 2u     /* inside a boundary */
#define SIM_VISCOUS_SLIP 4u       /* inside a boundary with free slip */
#define SIM_VISCOUS_FIXED_X 8u    /* a boundary fixes its lower x face; twice that: y, z */
#define SIM_VISCOUS_FIXED_XYZ 56u /* all three */
#define SIM_VISCOUS_FLAGS_MASK 63u
/* in cells: a solid fixes the faces whose centres are nearer than this */
#define SIM_VISCOUS_FIXED_DISTANCE 0.25f
#define SIM_VISCOUS_WORKGROUP 256u /* invocations that add the sums of all segments */
#define SIM_VISCOUS_SEGMENT 32u    /* particles or bodies of one sum; divides every workgroup */

/* The scalars of the conjugate-gradient solve for viscosity. */
struct sim_viscous_cg {
    gpu_loop loop;
    /* dispatch arguments of the pass that computes alpha and beta; 0 once the loop has ended */
    uint reduce_groups_x, reduce_groups_y, reduce_groups_z;
    float residual_dot, initial_residual_dot; /* residual . scaled residual, current and initial */
    float alpha, beta;                        /* step length; weight of the last direction */
    uint partial_count;                       /* number of sums to add */
};
WEIR_SIZE_CHECK(struct sim_viscous_cg, 48);

/* Memory layout of weir_vulkan_counts. */
struct sim_snapshot_args {
    uint points_vertex_count, points_instance_count, points_first_vertex, points_first_instance;
    uint quads_vertex_count, quads_instance_count, quads_first_vertex, quads_first_instance;
    uint groups_x, groups_y, groups_z;
    uint count, frame, complete;
};
WEIR_SIZE_CHECK(struct sim_snapshot_args, 56);

/* Result of importing a caller's particles and neighbour lists. */
struct sim_import_report {
    uint skipped;         /* particles not imported: non-finite, or beyond an open side */
    uint fixed_count;     /* imported particles with an inverse mass of 0 */
    uint invalid_entries; /* list entries that name no particle */
    uint pad0;
};
WEIR_SIZE_CHECK(struct sim_import_report, 16);

#define SIM_RAY_FORCE_DAMPING 6.0f /* 1/s: damping of particles that the ray attracts */

/* A force along a ray for one frame, such as the viewer's mouse exerts. */
struct sim_ray_force {
    vec4 origin;    /* xyz m; w radius about the ray, m */
    vec4 direction; /* xyz unit; w acceleration at the ray, m/s2: > 0 repels, < 0 attracts */
};
WEIR_SIZE_CHECK(struct sim_ray_force, 32);

/* One component of the waves of a sea, whose elevation is the real part of
 * amplitude exp(i (k . x + phase - frequency t)), t since the start of the frame. */
struct sim_sea_wave {
    vec4 vector; /* xy rad/m: of k along x and z; z rad/m: |k|; w rad/s: frequency at a point */
    vec4 size;   /* x m: amplitude; y m/s: speed at deep water's surface / (1 - exp(-2 k depth)); z:
                    phase */
};
WEIR_SIZE_CHECK(struct sim_sea_wave, 32);
#ifdef __STDC_VERSION__
typedef struct sim_sea_wave sim_sea_wave;
#endif

/* The relaxation zones of a sea. */
struct sim_sea {
    vec4 current;  /* xyz m/s; w m: y of the still water */
    vec4 sides;    /* m: of the domain, x lower, x upper, z lower, z upper; the same order below */
    vec4 rates;    /* 1/s: at the outer end of the zone; 0: no zone */
    vec4 waves_at; /* 1: the zone relaxes to the waves and the current; 0: to the current alone */
    float depth;   /* m, of the still water */
    float widths_per_metre; /* 1/m: 1 over the width of a zone */
    uint wave_count;
    uint unused;
    sim_sea_wave waves[64]; /* SCENE_MAX_SEA_WAVES */
};
WEIR_SIZE_CHECK(struct sim_sea, 2128);

#define SIM_CURVE_SAMPLES 64u
#define SIM_NO_CURVE 0xffffffffu

/* A number of a fluid over a component of the attributes, sampled at equal steps. */
struct sim_curve {
    uint component;  /* SIM_NO_CURVE: the number is that of the fluid */
    float first;     /* value of the attribute at the first sample */
    float per_value; /* samples per unit of the attribute */
    float pad0;
    float samples[64]; /* SIM_CURVE_SAMPLES */
};
WEIR_SIZE_CHECK(struct sim_curve, 272);
#ifdef __STDC_VERSION__
typedef struct sim_curve sim_curve;
#endif

struct sim_material_curves {
    /* SIM_MAX_FLUIDS dynamic viscosities, Pa s; then as many surface tensions, N/m */
    sim_curve items[32];
};
WEIR_SIZE_CHECK(struct sim_material_curves, 8704);

/* Kinds of sim_force_field. */
#define SIM_FIELD_NOISE 0u
#define SIM_FIELD_CURVE 1u
#define SIM_FIELD_VELOCITY 2u
#define SIM_FIELD_SHAPE 3u
/* Rates at which the four sets of gradients of noise turn, relative to the first one. Their ratios
 * are far from those of small whole numbers, so the field does not soon repeat. */
#define SIM_NOISE_RATES 1.0f, 0.79f, 1.27f, 0.59f

/* A field of acceleration that is sampled: noise, or the nodes of a lattice. Two vectors per node:
 * xyz the pull, w the weight of the rate; xyz the direction or the velocity, w unused. */
struct sim_force_field {
    vec4 low;    /* xyz m: lower corner of a box, or centre of a sphere; w m: radius; 0: a box */
    vec4 high;   /* xyz m: upper corner */
    vec4 drift;  /* noise: xyz m/s: velocity of the pattern; w 1/s: turns of its gradients */
    vec4 shift;  /* noise: xyz m: how far the pattern has moved at the start of the frame; w 1/m: 1
                    over  the size of its eddies */
    vec4 turns;  /* noise: by how much its four sets of gradients have turned by then; 1: full turns
                  */
    vec4 origin; /* xyz m: of the first node */
    vec4 nodes_per_metre; /* xyz; 0 in planar flow along z */
    uvec4 nodes;          /* xyz number of nodes; w index of the first */
    uint kind;            /* SIM_FIELD_ */
    uint octaves;
    uint seed;
    float amplitude; /* m/s2: noise */
    float strength;  /* 1/s2: of the pull */
    float rate;      /* 1/s: at which velocities approach the field's */
    float speed;     /* curve: m/s along it; velocity field: 1 */
    float swirl;     /* rad/s: about the curve */
};
WEIR_SIZE_CHECK(struct sim_force_field, 160);
#ifdef __STDC_VERSION__
typedef struct sim_force_field sim_force_field;
#endif

struct sim_force_fields {
    uint count;
    uint pad0, pad1, pad2;
    sim_force_field items[8]; /* SCENE_MAX_FORCES */
};
WEIR_SIZE_CHECK(struct sim_force_fields, 1296);

/* One layer of particles that one emitter releases at one time within the frame. */
struct sim_emission {
    uint emitter;
    uint first_id;
    uint particle_count;
    uint particles_before; /* of earlier emissions in this frame */
    float time;            /* s, from the frame's start */
    float lead;            /* s, in which the emitter leads the particles by one layer */
    uint first_site;
    float way_m; /* how far the fluid has moved since the emitter opened */
};
WEIR_SIZE_CHECK(struct sim_emission, 32);

struct sim_emitter {
    vec4 corner;  /* xyz m: centre of the opening, w fluid index */
    vec4 across;  /* xyz m: step to the next site in a row, w 1 if particles are led all the way */
    vec4 up;      /* xyz m: step to the next row, w spacing, m */
    vec4 forward; /* xyz unit vector of the flow, w speed relative to the opening, m/s */
    vec4 drift;   /* xyz m/s: velocity of the opening, w number of its body + 1, 0 without one */
    vec4 turbulence; /* x rms, m/s; y 1 over the size of the largest eddies, 1/m; z number of the
                      * emitter, the seed and the source in `attribute_sources`; w unused */
};
WEIR_SIZE_CHECK(struct sim_emitter, 96);

/* Where an emitter releases a particle; along its across, up and forward. */
struct sim_emitter_site {
    vec4 at;        /* xyz in spacings, w layers from here to the end of the shape, at least 1 */
    vec4 direction; /* xyz unit vector of the particle's velocity, w unused */
};
WEIR_SIZE_CHECK(struct sim_emitter_site, 32);

struct sim_gauge {
    vec4 min;              /* xyz m: lower corner; pressure and flow: the centre, w radius, m */
    vec4 max;              /* xyz m: upper corner; flow: the unit normal */
    uint kind;             /* SIM_GAUGE_ */
    uint axis;             /* +x -x +y -y +z -z */
    uint bin_count;        /* along the axis, at most SIM_GAUGE_HISTOGRAM_BINS */
    uint force_slot;       /* force gauge: index of the solid among the measured ones */
    float bin_width_m;     /* length of a bin */
    uint half_layer_count; /* half the particles of a layer one spacing thick across the box */
    uint slab_half_bins;   /* bins on either side of a slab's middle bin */
    uint pad0;
};
WEIR_SIZE_CHECK(struct sim_gauge, 64);

/* Four sums of 64-bit integers, two's complement: shaders/lib/reduce/fixed_sum4.glsl. */
struct sim_fixed_sum4 {
    uvec4 low, high;
};
WEIR_SIZE_CHECK(struct sim_fixed_sum4, 32);
#ifdef __STDC_VERSION__
typedef struct sim_fixed_sum4 sim_fixed_sum4;
#endif

/* Sums of statistics_partials.comp, in the units of shaders/lib/reduce/statistics.glsl. From them,
 * statistics_total.comp computes a sim_statistics. */
struct sim_statistics_sums {
    sim_fixed_sum4 momentum; /* w kinetic energy */
    sim_fixed_sum4 moment;   /* w mass */
    sim_fixed_sum4 others;   /* x density error; y potential; zw unused */
    float error_max;
    float speed_max; /* of the finite speeds */
    uint neighbours, neighbours_max;
    uint count, non_finite;
    uint pad0, pad1;
};
WEIR_SIZE_CHECK(struct sim_statistics_sums, 128);

/* Sums over all particles but the non-finite ones. */
struct sim_statistics {
    vec4 momentum;   /* kg m/s; w kinetic energy J */
    vec4 moment;     /* kg m: first moment of the mass; w mass kg */
    float error_sum; /* density error, max(rho/rho0 - 1, 0) */
    float error_max;
    float speed_max; /* m/s, of the finite speeds */
    float potential; /* J */
    uint neighbours; /* sum over all particles */
    uint neighbours_max;
    uint count;
    uint non_finite;
};
WEIR_SIZE_CHECK(struct sim_statistics, 64);

#endif
