/* scene: a scene file becomes plain data in SI units, each fault with file, line and column.
 * Everything in scene_data is owned by it and freed by scene_destroy; strings are never NULL unless
 * the comment says so. World: right-handed, y up. */
#ifndef WEIR_SCENE_H
#define WEIR_SCENE_H

#include "base.h"

/* A position: `translate(rotate(scale * p))`; scale is uniform so that distances stay distances. */
typedef struct scene_pose {
    vec3 position; /* m */
    quat rotation;
    float scale; /* > 0, default 1 */
} scene_pose;

typedef enum scene_shape_kind {
    SCENE_SHAPE_BOX,      /* size: full edge lengths, centred */
    SCENE_SHAPE_SPHERE,   /* radius */
    SCENE_SHAPE_CAPSULE,  /* radius, height between the two sphere centres, along y */
    SCENE_SHAPE_CYLINDER, /* radius, height, along y, centred */
    SCENE_SHAPE_CONE,     /* radius at the base, height; base at -height/2, tip at +height/2 */
    SCENE_SHAPE_TORUS,    /* radius of the ring, tube radius; ring in the xz plane */
    SCENE_SHAPE_PLANE,    /* the half space below y = 0 */
    SCENE_SHAPE_MESH,     /* mesh: index into scene_data.meshes */
    SCENE_SHAPE_UNION,
    SCENE_SHAPE_INTERSECTION,
    SCENE_SHAPE_DIFFERENCE,   /* the first child less all others */
    SCENE_SHAPE_SMOOTH_UNION, /* blend: width of the blended zone, m */
} scene_shape_kind;

#define SCENE_MAX_FLUIDS 16u
#define SCENE_MAX_SUBSTEPS 1000u            /* of a frame */
#define SCENE_MAX_DEFORMABLE_ITERATIONS 64u /* of an iteration */
#define SCENE_MAX_SPEED_SPACINGS 10.0       /* solver.speed_cap: spacings in a substep */

#define SCENE_SHAPE_DEPTH 7u    /* sets nested in sets, the outermost included */
#define SCENE_SHAPE_LEAVES 128u /* of one root, sets apart */

/* One node; children are nodes of the same array, always before their parent. */
typedef struct scene_shape {
    scene_shape_kind kind;
    scene_pose pose;
    vec3 size;
    float radius, height, tube_radius, blend;
    uint32_t mesh;
    uint32_t first_child; /* index into scene_data.shape_children */
    uint32_t child_count;
    float thickness; /* m, of the shape of a solid that is a shell; 0: it is filled */
} scene_shape;

/* A mesh file, or a sequence of files of one topology; the path is resolved. */
typedef struct scene_mesh {
    char *path; /* of a sequence: a pattern for scene_mesh_file */
    bool sequence;
    uint32_t first, last; /* file numbers of a sequence */
    float rate_hz;        /* files per second of a sequence */
    bool shell;           /* of a shell: its triangles count, not what they enclose */
} scene_mesh;

/* The path of one file of a sequence, first to last, or of the mesh itself. NULL when memory is
 * short. Release with base_free. */
char *scene_mesh_file(const scene_mesh *mesh, uint32_t file);

typedef enum scene_lattice {
    SCENE_LATTICE_CUBIC,
    SCENE_LATTICE_HEXAGONAL, /* face-centred, the same particle volume d^3 as the cubic one */
} scene_lattice;

typedef enum scene_fill_kind {
    SCENE_FILL_SHAPE,
    SCENE_FILL_FILE,
} scene_fill_kind;

typedef struct scene_fill {
    scene_fill_kind kind;
    uint32_t shape; /* root node */
    scene_lattice lattice;
    float jitter; /* fraction of d, 0 to 0.5; each axis uniform in +- jitter d / 2 */
    uint32_t seed;
    char *path;       /* SCENE_FILL_FILE, resolved; else NULL */
    scene_pose pose;  /* SCENE_FILL_FILE: where the file's origin goes */
    vec3 velocity;    /* m/s, added to a file's own velocities */
    vec3 spin;        /* rad/s about spin_centre */
    vec3 spin_centre; /* m */
    vec3 gradient[3]; /* 1/s: rows of the velocity's gradient, linear about gradient_centre */
    vec3 gradient_centre;
    vec3 wave;        /* m/s: wave * sin(wave_vector . p + wave_phase) is added to the velocity */
    vec3 wave_vector; /* rad/m */
    float wave_phase;
    int line, column; /* in the scene file, for later messages */
} scene_fill;

/* What 10 m of pure water leave of white light: absorption of 0.30, 0.055 and 0.010 per metre (Pope
 * and Fry 1997, averaged over the bands of red, green and blue). */
#define SCENE_WATER_COLOUR \
    {                      \
        0.05f, 0.58f, 0.9f \
    }

typedef struct scene_fluid {
    char *name;
    float density;           /* kg/m3 */
    float colour[3];         /* linear RGB, 0 to 1 */
    float xsph;              /* XSPH coefficient c of equation 17 at the reference step, 0 to 0.5 */
    float dynamic_viscosity; /* Pa s, 0 to 1e5 */
    float surface_tension;   /* N/m */
    scene_fill *fills;
    uint32_t fill_count;
    int line, column;
} scene_fluid;

#define SCENE_MAX_FORCES 4u

typedef enum scene_force_kind {
    SCENE_FORCE_CENTRAL, /* acceleration -strength (p - centre) */
    SCENE_FORCE_UNIFORM, /* acceleration */
    SCENE_FORCE_VORTEX,  /* acceleration strength axis x (p - centre) */
    SCENE_FORCE_DRAG,    /* acceleration -rate (v - velocity) */
} scene_force_kind;

typedef enum scene_reach {
    SCENE_REACH_ALL,
    SCENE_REACH_BOX,
    SCENE_REACH_SPHERE,
} scene_reach;

/* Where a field acts. */
typedef struct scene_region {
    scene_reach reach;
    vec3 min, max; /* m, of the box */
    vec3 centre;   /* m, of the sphere */
    float radius;  /* m */
} scene_region;

/* A field of acceleration besides gravity. */
typedef struct scene_force {
    scene_force_kind kind;
    vec3 centre;       /* m */
    float strength;    /* 1/s2 */
    vec3 acceleration; /* m/s2 */
    vec3 axis;         /* of length 1 */
    vec3 velocity;     /* m/s */
    float rate;        /* 1/s */
    scene_region inside;
} scene_force;

/* Gravity at a time; straight between keyframes. */
typedef struct scene_gravity_key {
    float time_s;
    vec3 gravity; /* m/s2 */
} scene_gravity_key;

/* What gravity is at a time: that of the keyframes, else the scene's. */
struct scene_data;
vec3 scene_gravity_at(const struct scene_data *scene, double time_s);

/* Does it have a potential, so that what it takes it gives back? */
bool scene_force_is_conservative(const scene_force *force);

typedef enum scene_motion_kind {
    SCENE_MOTION_STATIC,
    SCENE_MOTION_KEYFRAMES,   /* linear in position, slerp in rotation, held at the ends */
    SCENE_MOTION_OSCILLATION, /* offset amplitude * sin(2 pi f t + phase) and a rocking angle */
    SCENE_MOTION_SPIN,        /* angular velocity about `centre` */
    SCENE_MOTION_HOST_DRIVEN, /* where the program that runs the scene says */
} scene_motion_kind;

typedef struct scene_pose_key {
    float time_s;
    vec3 position;
    quat rotation;
} scene_pose_key;

typedef struct scene_motion {
    scene_motion_kind kind;
    bool host_driven;
    scene_pose_key *keys; /* in order of time */
    uint32_t key_count;
    vec3 amplitude;          /* m */
    vec3 rotation_amplitude; /* rad: axis times angle amplitude, about centre */
    vec3 spin;               /* rad/s: axis times rate */
    vec3 centre;             /* m */
    float frequency_hz, phase;
    float start_s, end_s; /* motion runs between them; held before and after. Oscillation and spin
                             count time from the start, keyframes from the start of the scene */
} scene_motion;

/* Where a motion has moved the world frame of its solid at time t; identity of one that
 * is static, or steered. */
scene_pose scene_motion_pose(const scene_motion *motion, double time_s);

typedef struct scene_solid {
    char *name;
    uint32_t shape;
    float thickness; /* m, of a shell along the shape's surface; 0: the shape is filled */
    float friction;  /* Coulomb, 0 to 1 */
    bool no_slip;    /* a fluid with a dynamic viscosity sticks to it */
    float colour[3]; /* linear RGB, 0 to 1 */
    scene_motion motion;
    int line, column;
} scene_solid;

/* What the fluid moves. */
typedef struct scene_body {
    char *name;
    uint32_t shape;           /* where it is at the start */
    float density;            /* kg/m3; 0 where the mass is given */
    float mass;               /* kg; 0 where the density is given */
    float friction;           /* Coulomb, 0 to 1 */
    uint32_t collision_group; /* bodies of the same one do not meet; 0: of none */
    vec3 velocity;            /* m/s, of its centre of mass at the start */
    vec3 angular_velocity;    /* rad/s, likewise */
    float colour[3];          /* linear RGB, 0 to 1 */
    int line, column;
} scene_body;

typedef enum scene_deformable_kind {
    SCENE_DEFORMABLE_CLOTH,
    SCENE_DEFORMABLE_ROPE,
    SCENE_DEFORMABLE_SOFT_BODY,
} scene_deformable_kind;

/* What the vertices of a cloth or a rope meet of cloths and ropes: as DEFORMABLE_CONTACTS_ALL and
 * so on. */
typedef enum scene_collides_with {
    SCENE_COLLIDES_WITH_ALL,
    SCENE_COLLIDES_WITH_OTHERS, /* but not their own */
    SCENE_COLLIDES_WITH_NONE,
} scene_collides_with;

/* A soft body's outermost vertices lie so many of its spacings below its surface, and keep as far
 * from what they touch. */
#define SCENE_BODY_INSET 0.4f

#define SCENE_TO_WORLD UINT32_MAX

/* Vertices that something holds: those that are listed, and those that are inside at the start. */
typedef struct scene_pin {
    int64_t *vertices; /* below 0: counted from the end, -1 is the last */
    uint32_t vertex_count;
    scene_region inside;  /* SCENE_REACH_ALL: no region is given */
    uint32_t solid, body; /* SCENE_TO_WORLD twice: they stay where they are */
    int line, column;
} scene_pin;

/* A cloth, a rope or a soft body: vertices that constraints hold together. */
typedef struct scene_deformable {
    char *name;
    scene_deformable_kind kind;
    char *path;                 /* of a cloth that is a mesh; NULL: it is a grid */
    scene_pose pose;            /* of the mesh */
    vec3 corner, along, across; /* m, of the grid */
    vec3 *points;               /* m, of a rope: the corners of its line */
    uint32_t point_count;
    uint32_t shape;          /* of a soft body */
    float spacing_m;         /* between vertices, at most; 0: of a mesh */
    float density;           /* kg/m2; of a rope kg/m; of a soft body kg/m3 */
    float stiffness;         /* N/m: force per width and strain; of a rope N; 0: it does not
                                stretch; of a soft body Young's modulus, Pa */
    float pbd_stiffness;     /* in place of `stiffness`: share of each stretch that a substep takes
                                away; 0: compliance counts */
    float poisson_ratio;     /* of a soft body: Poisson's ratio */
    float cluster_radius_m;  /* of a soft body: how far its clusters reach; 0: it has none */
    float bending_stiffness; /* N m; of a rope N m2 */
    float thickness;         /* m; of a rope its diameter */
    float friction;          /* Coulomb, 0 to 1 */
    float damping;           /* 1/s */
    float tear_strain;       /* strain of an edge that tears it; 0: none does */
    float permeability;      /* m/(s Pa), of a cloth; 0: it is tight */
    float skin_friction;     /* skin-friction coefficient of fluid that flows along */
    scene_collides_with collides_with;
    vec3 velocity;   /* m/s, at the start */
    float colour[3]; /* linear RGB, 0 to 1 */
    scene_pin *pins;
    uint32_t pin_count;
    int line, column;
} scene_deformable;

/* Between keyframes the speed goes straight from one to the next. */
typedef struct scene_speed_key {
    float time_s;
    float speed;  /* m/s */
    double way_m; /* of the fluid, from the first keyframe to this one */
} scene_speed_key;

typedef struct scene_emitter {
    char *name;
    uint32_t fluid;
    vec3 position;
    vec3 direction;              /* unit */
    float radius;                /* m; of the round opening; 0 when a rectangle */
    float width, height;         /* m, of a rectangular opening; 0 when round */
    vec3 up;                     /* unit, across direction: along `height` */
    float speed;                 /* m/s; 0 where keyframes give it */
    scene_speed_key *speed_keys; /* in order of time */
    uint32_t speed_key_count;
    float start_s, end_s;
    uint32_t max_particles; /* UINT32_MAX: no limit */
    scene_motion motion;    /* of position, direction and up */
    int line, column;
} scene_emitter;

/* Any unit vector across the unit vector `direction`, as near to `up` as can be. */
vec3 scene_perpendicular(vec3 direction, vec3 up);
/* Of the fluid that leaves at a time, where keyframes say it. */
float scene_emitter_speed(const scene_emitter *emitter, double time_s);
float scene_emitter_max_speed(const scene_emitter *emitter);
/* When fluid has left for `way_m` since the start, where keyframes say how fast; INFINITY: never.
 */
double scene_emitter_time(const scene_emitter *emitter, double way_m);

typedef struct scene_sink {
    char *name;
    uint32_t shape;
    int line, column;
} scene_sink;

typedef enum scene_gauge_kind {
    SCENE_GAUGE_HEIGHT, /* m of fluid along `axis` in the box, counted from where the axis enters */
    SCENE_GAUGE_FRONT,  /* m to the farthest fluid along `axis` in the box, likewise */
    SCENE_GAUGE_PRESSURE, /* Pa, averaged over `radius` about `position` */
    SCENE_GAUGE_FORCE,    /* N that the fluid does to the solid; without friction of the air */
    SCENE_GAUGE_FLOW,     /* m3/s through the disc at `position` along `direction` */
} scene_gauge_kind;

#define SCENE_MAX_GAUGES 32u
#define SCENE_MAX_FORCE_GAUGES 4u

typedef struct scene_gauge {
    char *name;
    scene_gauge_kind kind;
    vec3 min, max;  /* m: the box */
    uint32_t axis;  /* +x -x +y -y +z -z */
    vec3 position;  /* m */
    float radius;   /* m; 0: one support radius for pressure, the whole plane for flow */
    vec3 direction; /* unit */
    uint32_t solid;
    int line, column;
} scene_gauge;

typedef enum scene_side {
    SCENE_SIDE_CLOSED,
    SCENE_SIDE_OPEN,     /* particles that leave are removed and counted */
    SCENE_SIDE_PERIODIC, /* both sides of the axis */
} scene_side;

typedef struct scene_domain {
    vec3 min, max;       /* m */
    scene_side sides[6]; /* -x +x -y +y -z +z */
    float friction;      /* Coulomb, of closed sides */
    bool no_slip;        /* likewise: a fluid with a dynamic viscosity sticks to them */
} scene_domain;
/* In the box or on its sides. */
bool scene_is_inside(const scene_domain *domain, vec3 point);

typedef enum scene_method {
    SCENE_METHOD_PBF,
    SCENE_METHOD_PCISPH,
    SCENE_METHOD_FLIP, /* with PIC as its blend */
    SCENE_METHOD_APIC,
    SCENE_METHOD_WCSPH,
} scene_method;

typedef enum scene_kernel {
    SCENE_KERNEL_POLY6,
    SCENE_KERNEL_WENDLAND,
} scene_kernel;

/* How the constraints of cloths, ropes and soft bodies are solved. */
typedef enum scene_deformable_solver {
    SCENE_DEFORMABLE_GAUSS_SEIDEL, /* one colour after the other */
    SCENE_DEFORMABLE_JACOBI,       /* all at once, with split masses */
} scene_deformable_solver;

/* The long-range correction. */
typedef enum scene_long_range {
    SCENE_LONG_RANGE_AUTO, /* where the fluid would be soft without it */
    SCENE_LONG_RANGE_ON,
    SCENE_LONG_RANGE_OFF,
} scene_long_range;

/* The density error at which iterations end; 0: none. */
typedef struct scene_tolerance {
    float mean; /* of max(rho/rho0 - 1, 0) over the particles, 0 to 0.5 */
    float max;  /* at most one particle in a thousand may be above, 0 to 0.5 */
} scene_tolerance;

/* Dimensionless, so that a scene survives a change of spacing, size and step; docs/parameters.md.
 */
typedef struct scene_solver {
    scene_method method;
    scene_kernel kernel;         /* of densities */
    float lattice_density_ratio; /* of the lattice over that at rest */
    uint32_t dimensions;         /* 2: the plane z = scene_plane(), one layer; or 3 */
    uint32_t substeps;   /* per frame, 1 to 1000; WCSPH raises them to what sound_speed asks for */
    uint32_t iterations; /* K, 1 to 100; with a tolerance the most */
    scene_tolerance tolerance;
    bool adaptive;              /* substeps chosen on the GPU: CFL, between 1 and `substeps` */
    float cfl;                  /* spacings a particle may move in one substep, 0.05 to 10 */
    float support_radius;       /* h / d, 1.5 to 4; with a grid that of `cell` */
    float grid_cell_size;       /* edge of a cell of the MAC grid / d, 1 to 4 */
    float pic_fraction;         /* of PIC in the blend with FLIP at reference_dt, 0 to 1 */
    float projection_tolerance; /* largest divergence left over the largest before, 1e-6 to 0.1 */
    bool reseed;                /* crowded cells of the MAC grid give particles to hollow ones */
    float relaxation;           /* omega, 0.05 to 2 */
    float constraint_softening; /* eps h^2, 0 to 100 */
    float artificial_pressure;  /* k / h^2, 0 to 0.2 */
    float artificial_pressure_distance;     /* |dq| / h, 0 to 0.9 */
    uint32_t artificial_pressure_exponent;  /* n, 1 to 8 */
    bool scale_artificial_pressure;         /* k scaled by (dt/dt_ref)^2 / K */
    bool allow_negative_pressure;           /* C < 0 is kept (the paper) instead of clamped to 0 */
    float vorticity_confinement;            /* epsilon_v / h, 0 to 10 */
    float chebyshev_spectral_radius;        /* rho, 0 (off) to 0.98 */
    scene_long_range long_range_correction; /* the long-range correction */
    float max_correction;                   /* |dp| per iteration / d, 0.01 to 1 */
    float max_speed;            /* spacings per substep, 0.1 to SCENE_MAX_SPEED_SPACINGS */
    bool boundary_density;      /* walls add density and gradient to the constraint */
    float boundary_gap;         /* distance particles keep from walls / d, 0.1 to 1 */
    float reference_dt;         /* s, dt_ref of XSPH, artificial pressure and PIC */
    float sound_speed;          /* of WCSPH, m/s; chosen when the scene gives 0 */
    float artificial_viscosity; /* likewise: alpha, 0 to 10 */
    bool residuals;             /* the density error of every iteration is kept */
    bool solid_forces;          /* what the fluid does to each solid is summed */
    uint32_t
        deformable_iterations; /* of the constraints of cloths and ropes in an iteration, 1 to 64 */
    scene_deformable_solver deformable_solver;
} scene_solver;

bool scene_stops_at_tolerance(const scene_solver *solver);
/* FLIP and APIC: particles carry the fluid, a MAC grid makes it incompressible. */
bool scene_has_grid(const scene_solver *solver);
/* The name of a scene_method in files; NULL past the last. */
const char *scene_method_name(uint32_t method);

/* Where a camera is, and what it sees, at a time. */
typedef struct scene_camera_key {
    float time_s;
    vec3 eye, target; /* m */
    float fov_y;      /* degrees, of the picture's height */
} scene_camera_key;

typedef enum scene_camera_interpolation {
    SCENE_CAMERA_SMOOTH, /* cubic, without a jerk */
    SCENE_CAMERA_LINEAR,
} scene_camera_interpolation;

/* Where pictures are taken from. */
typedef struct scene_camera {
    bool given; /* false: the scene has none */
    vec3 eye, target, up;
    float fov_y;            /* degrees, of the picture's height */
    scene_camera_key *keys; /* in order of time; they, if any, move the camera */
    uint32_t key_count;
    scene_camera_interpolation interpolation;
} scene_camera;

/* Where a given camera is; it is still before its first keyframe and behind its last. */
scene_camera_key scene_camera_at(const scene_camera *camera, double time_s);

/* How pictures look. */
typedef struct scene_look {
    vec3 sun;                /* direction to it */
    float exposure;          /* brightness, 1 as it is */
    float absorption_length; /* m: depth at which white light has the fluid's colour; 0: by the
                                fluid */
    float scattering_ratio;  /* scattering over 1 / clarity */
    bool floor;              /* tiles at the domain's bottom */
    bool tank;               /* closed sides of the domain as glass */
    char *environment;       /* a .hdr file, relative to the scene's folder; "": the analytic sky */
} scene_look;

/* Whitewater: spray, foam and bubbles. */
typedef struct scene_whitewater {
    bool given;                                         /* false: the scene has none */
    float emission_rate;                                /* factor of all births */
    float trapped_air_rate, wave_crest_rate, curl_rate; /* of those of one cause */
    float length_scale;      /* m, L; 0: by the fluid at the start, or the emitters */
    float lifetime;          /* s, the longest; 0: by L */
    float radius;            /* m, mean; 0: by L */
    float bubble_rise_speed; /* m/s, of bubbles */
    uint32_t seed;
    uint32_t max_particles; /* most particles of whitewater */
} scene_whitewater;

typedef struct scene_data {
    char *source; /* file name, for messages */
    char *folder; /* where relative file names start */
    char *json;   /* the effective scene, overrides and defaults filled in; file names in it stay
                     relative to `folder` */
    char *name, *description;
    scene_domain domain;
    /* m/s2; with keyframes still what warnings, whitewater and gauges count with. */
    vec3 gravity;
    scene_gravity_key *gravity_keys; /* ascending times; NULL: gravity does not change */
    uint32_t gravity_key_count;
    float frame_rate; /* Hz */
    float duration;   /* s */
    float spacing;    /* d, m */
    scene_solver solver;
    scene_camera camera;
    scene_look look;
    scene_whitewater whitewater;
    scene_fluid *fluids;
    uint32_t fluid_count;
    scene_force forces[SCENE_MAX_FORCES];
    uint32_t force_count;
    scene_solid *solids;
    uint32_t solid_count;
    scene_body *bodies;
    uint32_t body_count;
    scene_deformable *cloths, *ropes, *soft_bodies;
    uint32_t cloth_count, rope_count, soft_body_count;
    scene_emitter *emitters;
    uint32_t emitter_count;
    scene_sink *sinks;
    uint32_t sink_count;
    scene_gauge *gauges;
    uint32_t gauge_count;
    scene_mesh *meshes;
    uint32_t mesh_count;
    scene_shape *shapes;
    uint32_t shape_count;
    uint32_t *shape_children; /* node indices */
    uint32_t shape_child_count;
} scene_data;

/* How many cloths, ropes and soft bodies there are; the index-th of them, in this order. */
uint32_t scene_deformable_count(const scene_data *scene);
const scene_deformable *scene_deformable_at(const scene_data *scene, uint32_t index);
bool scene_deformables_have_drag(
    const scene_data *scene); /* fluid that passes through or flows along */
/* How thick a shell is made, m: one of less than half a spacing would let particles through. */
float scene_shell_thickness(const scene_data *scene, uint32_t shape);
/* Number of the solid among those with a force gauge, from 1; 0 without one. */
uint32_t scene_force_slot(const scene_data *scene, uint32_t solid);
/* How many there are. */
uint32_t scene_force_slots(const scene_data *scene);
/* The z of a flow in the plane: the domain's middle. */
float scene_plane(const scene_data *scene);

/* Parses `size` bytes of JSON. Logs every fault as "SOURCE:LINE:COLUMN: path: what, expected, what
 * to do". `overrides` are "a.b[2].c=value", the value JSON or a bare string; a fault in one names
 * the override instead of a line. Relative files start at `folder`. Errors: SCENE, MEMORY. */
typedef struct scene_input {
    const char *text;
    size_t size;
    const char *source;
    const char *folder;
    const char *const *overrides;
    uint32_t override_count;
    const char *within; /* the key of the text's object whose value is the scene; NULL: all of it */
} scene_input;
weir_result scene_parse(const weir_log *log, const scene_input *input, scene_data **scene);
void scene_destroy(scene_data **scene);

/* A world box that holds a shape without motion; infinite parts come out as +-INFINITY, an empty
 * shape with min above max. `mesh_boxes`: two vec3 (min, max) per mesh of the scene; NULL takes
 * meshes as infinite. */
void scene_shape_bounds(const scene_data *scene, uint32_t shape, const vec3 *mesh_boxes, vec3 *min,
                        vec3 *max);

/* The index-th number of the scene, as weir_scene_get_param gives it. */
bool scene_param(const scene_data *scene, uint32_t index, weir_param *param);
/* Do the scene and the one of a `json` as scene_data has it differ in a value that the state of a
 * simulation depends on? Names, pictures, the duration and the like are no such values; a key that
 * the text lacks has today's default. `difference` is then the first: "solver.iterations is 3 there
 * and 4 here". */
#define SCENE_DIFFERENCE 256
bool scene_state_difference(const scene_data *scene, const char *json, size_t size,
                            char difference[SCENE_DIFFERENCE]);
/* Do the two differ at most in names, cameras, and numbers that weir_param calls live? */
bool scene_differs_live(const scene_data *a, const scene_data *b);

#endif
