/* The simulation: parameter block, status block, bindings. Lengths in m, times in s. Positions are
 * fixed-point, shaders/lib/math/fixed_point.glsl. */
#ifndef WEIR_SHARED_SIM_H
#define WEIR_SHARED_SIM_H

#include "glue.h"
#include "row.h"

#define SIM_MAX_FLUIDS 16u
#define SIM_STATS_EACH 16u      /* particles that one invocation of the statistics sums */
#define SIM_STATS_WORKGROUP 64u /* a power of two */
#define SIM_STATS_SHARE (SIM_STATS_EACH * SIM_STATS_WORKGROUP) /* of a workgroup */
#define SIM_MAX_ITERATIONS 128u
#define SIM_LEAST_ITERATIONS 2u /* before a tolerance may end them */
/* The parts of `errors`, SIM_MAX_ITERATIONS words each: sums; maxima; and with a tolerance
 * particles above its maximum, and a finer sum in two words. Last, how many iterations were
 * measured. */
#define SIM_ERRORS_MAX SIM_MAX_ITERATIONS
#define SIM_ERRORS_ABOVE (2u * SIM_MAX_ITERATIONS)
#define SIM_ERRORS_LOW (3u * SIM_MAX_ITERATIONS)
#define SIM_ERRORS_HIGH (4u * SIM_MAX_ITERATIONS)
#define SIM_ERRORS_MEASURED (5u * SIM_MAX_ITERATIONS)
#define SIM_ERRORS_WORDS (SIM_ERRORS_MEASURED + 1u)
#define SIM_ERROR_FINE 16777216u /* units of the finer sum in an over-density of 1 */
#define SIM_STRAYS 1000u         /* one particle in so many may be above the tolerance's maximum */
/* the sum of over-densities of 1 in as many particles as fit */
#define SIM_ERROR_UNITS 0x7fffffffu
#define SIM_BROKEN 0x100u          /* grid_state.flags: a substep broke, shaders/sim/judge.comp */
#define SIM_UNFINISHED 0x200u      /* likewise: the frame takes more substeps than were recorded */
#define SIM_NEAR_WALL 0x80000000u  /* list header: within reach of a wall in this substep */
#define SIM_NEAR_SOLID 0x40000000u /* of a solid; the walls of the domain's sides cost little */
#define SIM_AT_SOLID 0x20000000u   /* a solid may act in this iteration */
#define SIM_NEAR_BODY 0x08000000u  /* bodies act on its cell: shaders/sim/approach.comp */
#define SIM_RESEEDED 0x04000000u   /* flip_reseed.comp has moved it: it takes the grid's velocity */
#define SIM_VISCOUS_WALL 0x10000000u /* walls drag on it in the viscous solve */
/* Distances between a volume's samples are interpolated on each axis: their slope is at most this.
 */
#define SIM_SOLID_SLOPE 1.7321f
/* x, y and z of a particle that has left the finite numbers. */
#define SIM_LOST (-2147483647 - 1)

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
#define SIM_MET_KEPT 0x80000000u
#define SIM_MET_BODIES 4u
#define SIM_MET_NONE 0xffffu /* in place of a body */
#define SIM_MET_MANY 0xfffeu /* of the first: more, or no room; they are sought anew */
#define SIM_SURPLUS_WORDS 48u
#define SIM_FORCE_WORDS 12u
/* row.constant of solid_forces.comp */
#define SIM_FORCES_BEGIN 1u /* of a substep: there are no impulses yet */
#define SIM_FORCES_END 2u   /* its impulses are complete */
/* row.constant of viscous_bodies.comp */
#define SIM_FLOW_OPEN 1u    /* before the iterations: how the bodies move */
#define SIM_FLOW_FIRST 2u   /* the residual that the iterations start from */
#define SIM_FLOW_PRODUCT 3u /* in an iteration: the matrix's product */
#define SIM_FLOW_STEP 4u    /* the step at its end */
#define SIM_FLOW_END 5u     /* behind the iterations */
/* row.constant of constraint_take.comp and constraint_give.comp: floats of a position, and */
#define SIM_GIVEN_WORDS 7u
#define SIM_GIVEN_MASSES 8u     /* there are masses */
#define SIM_GIVEN_LISTED 60000u /* entries of one particle that are looked at */
/* row.constant of read_take.comp: weir_field, and with SIM_READ_WHOLE every id has its particle:
 * these are gone over in their own order, and ranks are not read */
#define SIM_READ_WHOLE 16u
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
#define SIM_CONSTANTS(FLAG, NUMBER)                                                 \
    FLAG(1, HAS_SOLIDS) /* solids or sinks */                                       \
    FLAG(2, PERIODIC)                                                               \
    FLAG(3, ONE_MASS)    /* all particles have the same */                          \
    FLAG(4, ONE_TENSION) /* all fluids have the same surface tension */             \
    FLAG(5, SUMS_ERRORS) /* the over-density of each iteration is summed */         \
    FLAG(6, ACCELERATED) /* by Chebyshev's semi-iteration */                        \
    FLAG(7, RESIDUALS)                                                              \
    NUMBER(8, KERNEL)       /* SIM_KERNEL_ */                                       \
    FLAG(9, COMPACT)        /* lists */                                             \
    FLAG(10, STEADY)        /* no solid moves or changes */                         \
    FLAG(11, CONFINED)      /* vorticity confinement acts */                        \
    FLAG(12, ADDS)          /* surface tension adds to changes that XSPH wrote */   \
    FLAG(13, CHANGED)       /* there are velocity changes */                        \
    NUMBER(14, POWER)       /* n of equation 13; 0: no artificial pressure */       \
    NUMBER(15, MEASURED)    /* vec4 per particle; 0: nothing is measured */         \
    NUMBER(16, GROUP)       /* invocations of a workgroup in rows over particles */ \
    FLAG(17, ONE_VISCOSITY) /* all fluids have the same dynamic viscosity */        \
    FLAG(18, TOLERANT)      /* a tolerance ends the iterations */                   \
    FLAG(19, AFFINE)        /* APIC: particles carry the velocity's gradient */     \
    FLAG(20, DENSE)         /* the grid's segments: shaders/shared/grid.h */        \
    FLAG(21, VISCOUS)       /* a fluid has a dynamic viscosity */                   \
    FLAG(22, HAS_BODIES)                                                            \
    FLAG(23, HOLDS)   /* particles of inverse mass 0 or less: no constraint */      \
    FLAG(24, RESEEDS) /* solver.reseed */                                           \
    FLAG(25, FORCES)  /* solver.solid_forces */

#define SIM_CELL_OPEN_LEAST 0.125f /* a cell with a smaller open share counts as solid */
#define SIM_CELL_UNITS 1048576.0f  /* of a constraint of 1 */
#define SIM_FACE_OPEN_LEAST 0.02f  /* a face with a smaller open share counts as closed */
#define SIM_CELL_SLACK 0.02f       /* under-density from which on motion may not compress fluid */
#define SIM_CELL_THIN 0.1f         /* least depth of the middle of a cell of fluid, in cells */
#define SIM_CELL_DENSE -0.1f       /* a mean constraint above is that of fluid, not of spray */
#define SIM_CELL_DRIFT 0.1f        /* share of the drift that a substep corrects */
#define SIM_CELLS_DRIFTING 1u      /* row.constant of the rows of the second solve */
#define SIM_MAC_REACH 3u           /* cells about a particle's that a substep may need */
#define SIM_MAC_WEIGHT_LEAST 1e-4f /* a face that particles weigh less is not seen by them */
#define SIM_MAC_UNKNOWN 1e30f      /* packed, of a face that particles take nothing from */
#define SIM_MAC_ITERATIONS 12u     /* of conjugate gradients, at most */
#define SIM_TIED_ITERATIONS 24u    /* likewise with bodies, six of whose motions each are new */
#define SIM_DRIFT_TIME 0.1f        /* s in which the drift of the density is corrected */
#define SIM_DRIFT_CROWDED 0.1f     /* an error that is corrected at once */
#define SIM_DRIFT_MOST 0.5f        /* a larger error counts as this */
#define SIM_DRIFT_FARTHEST 0.25f   /* cells that a substep's correction moves a particle */
/* Of solver.reseed, in full cells: a fuller one gives particles, an emptier one is filled up to */
#define SIM_RESEED_CROWDED 2.0f
#define SIM_RESEED_HOLLOW 0.5f
#define SIM_RESEED_FILLED 1.0f
#define SIM_RESEED_INSIDE 2      /* cells all round such a cell in which there is no air */
#define SIM_RESEED_LISTED 65000u /* particles of a line of a cell that are looked at */
#define SIM_GAUGE_BINS 4096u
#define SIM_NO_VALUE -1e30f /* WEIR_NO_VALUE */
/* row.constant of slice.comp: the axis, 2 bits; what is shown, 2 bits; the layer of cells */
#define SIM_SLICE_SPEED 0u
#define SIM_SLICE_PRESSURE 1u
#define SIM_SLICE_OF_SHIFT 2u
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
#define SIM_FORCE_SLOTS 4u /* solids whose force is measured, at most */

struct sim_fluid {
    float density;           /* kg/m3 */
    float xsph;              /* XSPH coefficient c of equation 17 at the reference step */
    float inverse_mass;      /* lightest fluid's mass over this one's, at most 1 */
    float mass;              /* kg; per metre of depth in the plane */
    float surface_tension;   /* N/m */
    float dynamic_viscosity; /* Pa s */
    float drag;              /* kg/(m3 s): the same times the factor of pairs */
    float pad0;
};
WEIR_SIZE_CHECK(struct sim_fluid, 32);

/* A field of acceleration: push + turn x (p - centre) - pull (p - centre) - rate v. */
struct sim_force {
    vec4 centre; /* xyz m; w 1/s2: pull */
    vec4 push;   /* xyz m/s2; w 1/s: rate */
    vec4 turn;   /* xyz 1/s2; w m: it acts in a sphere of this radius about `low`; 0: in a box */
    vec4 low;    /* xyz m; w 1/s2: the pull that has a potential */
    vec4 high;   /* xyz m */
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
    float unit_h;         /* the unit of positions over h, a power of two */
    float poly6;          /* V W(0): V W(r) = poly6 (1 - r^2 / h^2)^3; V is an area in the plane */
    float spiky;          /* 1/m: V |W'| = spiky (1 - r / h)^2 */
    float epsilon;        /* 1/m2, equation 11 */
    float relaxation;     /* omega */
    float pressure; /* k of equation 13, m2, at the reference step, already over the iterations */
    float pressure_base;  /* 1 / (V W(dq)) */
    uint pressure_power;  /* n */
    float clamp_low;      /* least value of C: 0, or very low when negative pressure is kept */
    float vorticity;      /* epsilon of equation 16, m/s */
    float correction_cap; /* m */
    float speed_cap;      /* spacings per substep */
    float wall_gap;       /* m */
    float wall_reach;     /* m: walls farther than this do not matter in one substep */
    float friction;       /* of the domain's closed sides */
    float chebyshev;      /* rho */
    float reference_dt;   /* s */
    float frame_dt;       /* s */
    float cfl;            /* spacings per substep */
    uint substeps;        /* most in this frame */
    uint adaptive;        /* 1: the GPU picks a divisor of `substeps` */
    uint scale_pressure;  /* 1: k scaled by (dt/dt_ref)^2 */
    uint wall_density;    /* 1: walls add density */
    uint solid_count;
    uint sink_first; /* sinks are items sink_first to item_count - 1; bodies are between solids and
                        sinks */
    uint item_count;
    uint emission_count; /* of this frame */
    uint particle_capacity;
    uint planar; /* 1: a flow in the plane z = plane, kernels in two dimensions */
    float plane; /* m */
    uint force_count;
    float pressure_step; /* PCISPH: 1 / (2 D) of the lightest fluid, m2 */
    float cohesion;      /* force of a pair over tension and kernel, m; without unit in the plane */
    float curvature;     /* the same for the difference of the normals */
    uint iterations;
    float tolerance_mean; /* of max(C, 0); very large where there is none */
    float tolerance_max;
    uint mark_every;  /* iterations between two marks of the particles near walls */
    uint kernel;      /* SIM_KERNEL_ */
    float density;    /* V W(0) of the density's kernel */
    float slope;      /* 1/m: V |W'| of the corrections' kernel over its shape, kernel_slope */
    float units;      /* 1/m: units in a metre */
    uint no_slip;     /* 1: viscous fluid sticks to the domain's closed sides */
    float wall_shift; /* m: the walls' density begins so far behind them */
    float pic_share;  /* of PIC in the blend with FLIP, in a reference step */
    vec4 cell_size;  /* xyz m of a cell of the long-range correction or of the MAC grid; w particles
                        of a full cell; all 0: there are no cells */
    ivec4 mac_cells; /* xyz cells of the MAC grid that tile the domain */
    uvec4 body_counts;          /* xyz cells that say which bodies are near; w words of each */
    float emitted_speed;        /* m/s: fastest that emitters release in this frame */
    float sound_speed;          /* WCSPH: m/s */
    float artificial_viscosity; /* WCSPH: alpha */
    uint met_capacity;          /* particles that have room for what bodies near them do */
};
WEIR_SIZE_CHECK(struct sim_params, 1200);

/* What the GPU decides and counts. The host reads a copy after each frame. Totals change only when
 * a substep is complete; what a halted substep counted is forgotten with it. */
struct sim_status {
    uint count;      /* particles after the last complete substep */
    uint substep;    /* complete substeps of this frame */
    uint substeps;   /* of this frame, chosen at its start */
    float dt;        /* s, of this frame's substeps */
    uint emit_first; /* emissions of the running substep */
    uint emit_last;
    uint emit_count; /* particles that they add */
    uint needed_particles;
    uint escaped, sunk, non_finite; /* of the running substep */
    uint correction_caps, speed_caps;
    uint speed_bits; /* fastest speed at the frame's start, float bits; of a body over BODY_CFL */
    uint running;    /* 1: the running substep is one that the frame takes */
    uint total_substeps;
    uint total_escaped, total_sunk, total_non_finite;
    uint total_correction_caps, total_speed_caps;
    uint total_emitted;
    uint broken; /* particles that left the finite numbers in the running solve */
    uint viscous_iterations, viscous_residual;             /* of the running substep; float bits */
    uint frame_viscous_iterations, frame_viscous_residual; /* their sum and maximum in the frame */
    /* Of the running substep: */
    uint solved;     /* 1: a tolerance has ended the iterations, and rows of the solve do nothing */
    uint iterations; /* done */
    uint missed;     /* 1: they ended above the tolerance */
    float error_mean, error_max; /* with a tolerance: at the end of the iterations */
    uint above;                  /* likewise: particles above the tolerance's maximum */
    /* Of the frame: */
    uint frame_iterations, frame_missed;
    float frame_error_mean, frame_error_max; /* largest of its substeps */
    uint frame_above;
    uint total_iterations;
    uint reseeded; /* of the running substep: particles that solver.reseed has moved */
    uint total_reseeded;
};
WEIR_SIZE_CHECK(struct sim_status, 164);

#define SIM_VISCOUS_MOST 100u       /* iterations of one viscous solve */
#define SIM_VISCOUS_TOLERANCE 1e-4f /* of the residual, over that of the first iteration */
/* What a cell of the MAC grid is for the viscous solve. */
#define SIM_VISCOUS_FLUID 1u
#define SIM_VISCOUS_CLOSED 2u  /* behind a wall */
#define SIM_VISCOUS_SLIPS 4u   /* one that fluids slip along */
#define SIM_VISCOUS_FIXED_X 8u /* a wall holds its lower face across x; twice that: y, z */
#define SIM_VISCOUS_FIXED 56u  /* all three */
#define SIM_VISCOUS_KINDS 63u
#define SIM_VISCOUS_HELD 0.25f /* of a cell: a solid holds faces whose middles are as near */
#define SIM_VISCOUS_GROUP 256u /* invocations that add the sums of all workgroups */

/* The numbers of conjugate gradients that all particles share. */
struct sim_viscous {
    gpu_loop loop;
    uint one_x, one_y, one_z; /* dispatch arguments of the row that decides; 0 once it has ended */
    float size, first_size;   /* residual . scaled residual, now and at first */
    float step, keep;         /* alpha, beta */
    uint partials;            /* sums of workgroups to add */
};
WEIR_SIZE_CHECK(struct sim_viscous, 48);

/* weir_vulkan_counts */
struct sim_counts {
    uint points_vertices, points_instances, points_first_vertex, points_first_instance;
    uint quads_vertices, quads_instances, quads_first_vertex, quads_first_instance;
    uint groups_x, groups_y, groups_z;
    uint count, frame, whole;
};
WEIR_SIZE_CHECK(struct sim_counts, 56);

/* What became of given particles, and of given lists. */
struct sim_taken {
    uint left;   /* not taken: not finite, or beyond an open side */
    uint held;   /* taken, with the inverse mass 0 */
    uint strays; /* list entries that name no particle */
    uint pad0;
};
WEIR_SIZE_CHECK(struct sim_taken, 16);

#define SIM_POINTER_DRAG 6.0f /* 1/s, of what a pointer draws */

/* A force along a ray, for one frame: the mouse of a viewer. */
struct sim_pointer {
    vec4 origin;    /* xyz m; w radius about the ray, m */
    vec4 direction; /* xyz unit; w acceleration at the ray, m/s2: above 0 away from it, below 0 to
                       it */
};
WEIR_SIZE_CHECK(struct sim_pointer, 32);

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
    vec4 min;         /* xyz m: lower corner; pressure and flow: the centre, w radius m */
    vec4 max;         /* xyz m: upper corner; flow: the unit normal */
    uint kind;        /* SIM_GAUGE_ */
    uint axis;        /* +x -x +y -y +z -z */
    uint bins;        /* along the axis, at most SIM_GAUGE_BINS */
    uint slot;        /* force: of measured */
    float bin_m;      /* length of one */
    uint half_layer;  /* particles that fill half a layer of one spacing across the box */
    uint half_window; /* bins on either side of a slab's middle one */
    uint pad0;
};
WEIR_SIZE_CHECK(struct sim_gauge, 64);

struct sim_sums {
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
WEIR_SIZE_CHECK(struct sim_sums, 64);

#endif
