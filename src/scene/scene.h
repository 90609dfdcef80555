/* Reads a scene file into plain data in SI units; every error is reported with file, line and
 * column. scene_data owns all that it points to, and scene_destroy frees it. Strings are never NULL
 * unless a comment says so. The world is right-handed with y up. */
#ifndef WEIR_SCENE_H
#define WEIR_SCENE_H

#include "base.h"

/* Transforms a point p by translate(rotate(scale * p)). The scale is uniform, so that distances
 * stay distances. */
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
    SCENE_SHAPE_DIFFERENCE,   /* the first child minus all others */
    SCENE_SHAPE_SMOOTH_UNION, /* blend: width of the blended zone, m */
} scene_shape_kind;

#define SCENE_MAX_FLUIDS 16u
#define SCENE_MAX_SUBSTEPS 1000u            /* per frame */
#define SCENE_MAX_DEFORMABLE_ITERATIONS 64u /* per iteration */
#define SCENE_MAX_SPEED_SPACINGS 10.0       /* limit of solver.max_speed: spacings per substep */

#define SCENE_SHAPE_DEPTH 7u    /* limit of nested sets, including the outermost */
#define SCENE_SHAPE_LEAVES 128u /* limit of one root, not counting sets */

/* A node of a shape. Its children are nodes of the same array and always precede their parent. */
typedef struct scene_shape {
    scene_shape_kind kind;
    scene_pose pose;
    vec3 size;
    float radius, height, tube_radius, blend;
    uint32_t mesh;
    uint32_t first_child; /* index into scene_data.shape_children */
    uint32_t child_count;
    float thickness; /* m, thickness of a solid's shell; 0: the shape is filled */
} scene_shape;

/* A mesh file, or a sequence of files with the same topology; the path is resolved. */
typedef struct scene_mesh {
    char *path; /* for a sequence: a pattern for scene_mesh_file */
    bool sequence;
    uint32_t first, last; /* file numbers of the sequence */
    float rate_hz;        /* files per second of the sequence */
    bool shell;           /* a shell consists of the triangles, not of the volume inside */
    double origin[3];     /* subtracted from the files' vertices: scene_split_far_pose */
} scene_mesh;

/* The mesh sequences of a shape: the largest rate, Hz, and the time of the last file, s; 0 without
 * one. */
typedef struct scene_sequence_times {
    float rate_hz, end_s;
} scene_sequence_times;

/* Returns the path of one file (first to last) of a sequence, or of the mesh itself; NULL when
 * memory is short. Release with base_free. */
char *scene_mesh_file(const scene_mesh *mesh, uint32_t file);

#include "scene_attribute.h"

typedef enum scene_lattice {
    SCENE_LATTICE_CUBIC,
    SCENE_LATTICE_HEXAGONAL, /* face-centred cubic, with the same volume d^3 per particle */
} scene_lattice;

typedef enum scene_fill_kind {
    SCENE_FILL_SHAPE,
    SCENE_FILL_FILE,
} scene_fill_kind;

typedef struct scene_fill {
    scene_fill_kind kind;
    uint32_t shape; /* root node */
    scene_lattice lattice;
    float jitter; /* fraction of d, 0 to 0.5; each coordinate is uniform in +- jitter d / 2 */
    uint32_t seed;
    char *path;       /* SCENE_FILL_FILE, resolved; else NULL */
    scene_pose pose;  /* SCENE_FILL_FILE: pose of the file's origin */
    uint32_t file_up; /* SCENE_FILL_FILE: axis that points up, 0: y, 1: z */
    double origin[3]; /* SCENE_FILL_FILE: subtracted from its positions: scene_split_far_pose */
    vec3 velocity;    /* m/s, added to the velocities of a file */
    vec3 spin;        /* rad/s about spin_centre */
    vec3 spin_centre; /* m */
    vec3 gradient[3]; /* 1/s: rows of the velocity gradient; no effect at gradient_centre */
    vec3 gradient_centre;
    vec3 wave;        /* m/s: wave * sin(wave_vector . p + wave_phase) is added to the velocity */
    vec3 wave_vector; /* rad/m */
    float wave_phase;
    scene_attribute_values attributes;
    bool is_sea;      /* the sea's own fill: it ends at the waves, and moves with them */
    int line, column; /* in the scene file, for messages */
} scene_fill;

/* Colour of white light after 10 m of pure water: absorption of 0.30, 0.055 and 0.010 per metre
 * (Pope and Fry 1997, averaged over the bands of red, green and blue). */
#define SCENE_WATER_COLOUR \
    {                      \
        0.05f, 0.58f, 0.9f \
    }

#define SCENE_MAX_CURVE_VALUES 32u

/* A number of a fluid that depends on a component of the attributes. */
typedef struct scene_curve {
    bool given;
    uint32_t component; /* of all attributes: scene_attribute.first */
    uint32_t count;
    float values[SCENE_MAX_CURVE_VALUES];  /* of the attribute, in order */
    float numbers[SCENE_MAX_CURVE_VALUES]; /* at these values, in the unit of the number */
} scene_curve;

/* The colour of a fluid that depends on an attribute, for pictures. */
typedef struct scene_colour_curve {
    bool given;
    char attribute[48]; /* its name, or that of a component, such as "tint_x" */
    uint32_t count;
    float values[SCENE_MAX_CURVE_VALUES];
    float colours[SCENE_MAX_CURVE_VALUES][3]; /* linear RGB */
} scene_colour_curve;

/* Writes the colour at a value of the attribute: linear between points, constant beyond the ends.
 */
void scene_colour_curve_at(const scene_colour_curve *curve, float value, float colour[3]);

/* Returns the number at a value of the attribute: geometric between two positive numbers, linear
 * otherwise, constant beyond the ends. */
float scene_curve_at(const scene_curve *curve, float value);

typedef struct scene_fluid {
    char *name;
    float density;           /* kg/m3 */
    float colour[3];         /* linear RGB, 0 to 1 */
    float xsph;              /* XSPH coefficient c of equation 17 at the reference step, 0 to 0.5 */
    float dynamic_viscosity; /* Pa s, 0 to 1e5; of a curve the largest */
    scene_curve viscosity_curve, tension_curve;
    scene_colour_curve colour_curve;
    float surface_tension; /* N/m; of a curve the largest */
    scene_fill *fills;
    uint32_t fill_count;
    int line, column;
} scene_fluid;

#include "scene_force.h"

/* Gravity at a time; linear between keyframes. */
typedef struct scene_gravity_key {
    float time_s;
    vec3 gravity; /* m/s2 */
} scene_gravity_key;

/* Returns the gravity at a time: that of the keyframes if there are any, else the scene's. */
struct scene_data;
vec3 scene_gravity_at(const struct scene_data *scene, double time_s);

typedef enum scene_motion_kind {
    SCENE_MOTION_STATIC,
    SCENE_MOTION_KEYFRAMES,   /* linear in position, slerp in rotation, constant before and after */
    SCENE_MOTION_OSCILLATION, /* offset amplitude * sin(2 pi f t + phase) and a rocking angle */
    SCENE_MOTION_SPIN,        /* angular velocity about `centre` */
    SCENE_MOTION_HOST_DRIVEN, /* the host program sets the pose */
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
    vec3 rotation_amplitude; /* rad: axis times the amplitude of the angle, about centre */
    vec3 spin;               /* rad/s: axis times rate */
    vec3 centre;             /* m */
    float frequency_hz, phase;
    /* The motion runs between these times and is held before and after. Oscillation and spin count
     * time from start_s, keyframes from the start of the scene. */
    float start_s, end_s;
} scene_motion;

/* The solid or the body with which something moves: its index + 1, 0: none. */
typedef struct scene_attachment {
    uint32_t solid, body;
} scene_attachment;

/* Returns the pose into which a motion has moved its solid's world frame at time t; the identity
 * for a static or host-driven motion. */
scene_pose scene_motion_pose(const scene_motion *motion, double time_s);

typedef struct scene_solid {
    char *name;
    uint32_t shape;
    float thickness; /* m, of a shell along the shape's surface; 0: the shape is filled */
    float friction;  /* Coulomb, 0 to 2 */
    bool no_slip;    /* fluids with a dynamic viscosity stick to it */
    float colour[3]; /* linear RGB, 0 to 1 */
    scene_motion motion;
    int line, column;
} scene_solid;

/* A rigid body, which fluid, boundaries and other bodies move. */
typedef struct scene_body {
    char *name;
    uint32_t shape;           /* root node, in the pose at the start */
    float density;            /* kg/m3; 0 if the mass is given */
    float mass;               /* kg; 0 if the density is given */
    float friction;           /* Coulomb, 0 to 2 */
    uint32_t collision_group; /* bodies of the same group do not collide; 0: no group */
    vec3 velocity;            /* m/s, of the centre of mass at the start */
    vec3 angular_velocity;    /* rad/s, at the start */
    float colour[3];          /* linear RGB, 0 to 1 */
    int line, column;
} scene_body;

typedef enum scene_deformable_kind {
    SCENE_DEFORMABLE_CLOTH,
    SCENE_DEFORMABLE_ROPE,
    SCENE_DEFORMABLE_SOFT_BODY,
} scene_deformable_kind;

/* Which cloths and ropes the vertices of a cloth or rope collide with; same order as
 * DEFORMABLE_CONTACTS_ALL and its siblings. */
typedef enum scene_collides_with {
    SCENE_COLLIDES_WITH_ALL,
    SCENE_COLLIDES_WITH_OTHERS, /* all but itself */
    SCENE_COLLIDES_WITH_NONE,
} scene_collides_with;

/* Depth of a soft body's outermost vertices below its surface, in spacings of its vertices. They
 * keep the same distance from what they touch. */
#define SCENE_BODY_INSET 0.4f

#define SCENE_TO_WORLD UINT32_MAX

/* Attachment of vertices: those that are listed, and those inside a region at the start. */
typedef struct scene_pin {
    int64_t *vertices; /* negative: counted from the end, -1 is the last */
    uint32_t vertex_count;
    scene_region inside;  /* SCENE_REACH_ALL: no region */
    uint32_t solid, body; /* both SCENE_TO_WORLD: the vertices stay in place */
    int line, column;
} scene_pin;

/* A cloth, a rope or a soft body: vertices connected by constraints. */
typedef struct scene_deformable {
    char *name;
    scene_deformable_kind kind;
    char *path;                 /* mesh of a cloth; NULL: a grid */
    scene_pose pose;            /* of the cloth's mesh */
    uint32_t mesh_up;           /* axis of its file that points up, 0: y, 1: z */
    double origin[3];           /* subtracted from its vertices: scene_split_far_pose */
    vec3 corner, along, across; /* m, of the cloth's grid */
    vec3 *points;               /* m, the corners of a rope's line */
    uint32_t point_count;
    uint32_t shape;  /* root node of a soft body */
    float spacing_m; /* maximum distance of vertices; 0: a mesh */
    float density;   /* kg/m2; for a rope kg/m; for a soft body kg/m3 */
    /* N/m: force per width and strain; for a rope N; 0: inextensible; for a soft body Young's
     * modulus, Pa. */
    float stiffness;
    /* Replaces `stiffness`: fraction of each stretch that a substep removes; 0: use the
     * compliance. */
    float pbd_stiffness;
    float poisson_ratio;     /* Poisson's ratio of a soft body */
    float cluster_radius_m;  /* reach of a soft body's clusters; 0: no clusters */
    float bending_stiffness; /* N m; for a rope N m2 */
    float thickness;         /* m; for a rope the diameter */
    float friction;          /* Coulomb, 0 to 2 */
    float damping;           /* 1/s */
    float tear_strain;       /* strain at which an edge tears; 0: no tearing */
    float permeability;      /* m/(s Pa), of a cloth; 0: impermeable */
    float skin_friction;     /* skin-friction coefficient of tangential flow */
    scene_collides_with collides_with;
    vec3 velocity;   /* m/s, at the start */
    float colour[3]; /* linear RGB, 0 to 1 */
    scene_pin *pins;
    uint32_t pin_count;
    int line, column;
} scene_deformable;

#include "scene_emitter.h"
#include "scene_sea.h"

typedef struct scene_sink {
    char *name;
    uint32_t shape;
    scene_motion motion; /* that of the solid that carries it, if one does */
    scene_attachment attached_to;
    int line, column;
} scene_sink;

typedef enum scene_gauge_kind {
    SCENE_GAUGE_HEIGHT,   /* m of fluid along `axis` in the box */
    SCENE_GAUGE_FRONT,    /* m to the farthest fluid, from the side where `axis` enters the box */
    SCENE_GAUGE_PRESSURE, /* Pa, averaged over `radius` about `position` */
    SCENE_GAUGE_FORCE,    /* N that the fluid exerts on the solid, without air friction */
    SCENE_GAUGE_FLOW,     /* m3/s through the disc at `position`, along `direction` */
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
    float average; /* s: time over which values are averaged; 0: within the frame */
    int line, column;
} scene_gauge;

typedef enum scene_side {
    SCENE_SIDE_CLOSED,
    SCENE_SIDE_OPEN,     /* particles that leave are removed and counted */
    SCENE_SIDE_PERIODIC, /* both sides of the axis are periodic */
} scene_side;

typedef struct scene_domain {
    vec3 min, max;       /* m */
    scene_side sides[6]; /* -x +x -y +y -z +z */
    float friction;      /* Coulomb, of closed sides */
    bool no_slip;        /* fluids with a dynamic viscosity stick to closed sides */
} scene_domain;
/* Returns whether a point is inside the domain or on one of its sides. */
bool scene_is_inside(const scene_domain *domain, vec3 point);

typedef enum scene_method {
    SCENE_METHOD_PBF,
    SCENE_METHOD_PCISPH,
    SCENE_METHOD_FLIP, /* blended with PIC */
    SCENE_METHOD_APIC,
    SCENE_METHOD_WCSPH,
} scene_method;

typedef enum scene_kernel {
    SCENE_KERNEL_POLY6,
    SCENE_KERNEL_WENDLAND,
} scene_kernel;

/* Solver of the constraints of cloths, ropes and soft bodies. */
typedef enum scene_deformable_solver {
    SCENE_DEFORMABLE_GAUSS_SEIDEL, /* one graph colour after the other */
    SCENE_DEFORMABLE_JACOBI,       /* all at once, with mass splitting */
} scene_deformable_solver;

/* Whether the long-range correction is used. */
typedef enum scene_long_range {
    SCENE_LONG_RANGE_AUTO, /* where the fluid would be too compressible without it */
    SCENE_LONG_RANGE_ON,
    SCENE_LONG_RANGE_OFF,
} scene_long_range;

/* Density errors at which the iterations end; 0: no tolerance. */
typedef struct scene_tolerance {
    float mean; /* mean of max(rho/rho0 - 1, 0) over the particles, 0 to 0.5 */
    float max;  /* exceeded by at most one particle in a thousand, 0 to 0.5 */
} scene_tolerance;

/* Solver parameters, dimensionless unless a unit is given. See docs/parameters.md. */
typedef struct scene_solver {
    scene_method method;
    scene_kernel kernel;         /* for densities */
    float lattice_density_ratio; /* density of the initial lattice over the rest density */
    uint32_t dimensions;         /* 3, or 2: one layer in the plane z = scene_plane() */
    uint32_t substeps;   /* per frame, 1 to 1000; WCSPH raises them to what sound_speed requires */
    uint32_t iterations; /* K, 1 to 100; the maximum if there is a tolerance */
    scene_tolerance tolerance;
    bool adaptive;              /* the GPU chooses 1 to `substeps` substeps by the CFL condition */
    float cfl;                  /* spacings a particle may move in one substep, 0.05 to 10 */
    float support_radius;       /* h / d, 1.5 to 4; with a grid it is grid_cell_size */
    float grid_cell_size;       /* edge of a MAC cell / d, 1 to 4 */
    float pic_fraction;         /* weight of PIC in the FLIP blend at reference_dt, 0 to 1 */
    float projection_tolerance; /* maximum divergence after over that before, 1e-6 to 0.1 */
    bool separating_walls, reseed; /* walls do not pull; overfull MAC cells fill underfull ones */
    float relaxation;              /* omega, 0.05 to 2 */
    float constraint_softening;    /* eps h^2, 0 to 100 */
    float artificial_pressure;     /* k / h^2, 0 to 0.2 */
    float artificial_pressure_distance;     /* |dq| / h, 0 to 0.9 */
    uint32_t artificial_pressure_exponent;  /* n, 1 to 8 */
    float artificial_pressure_cutoff;       /* d, 0 to 3; 0: none */
    bool scale_artificial_pressure;         /* scale k by (dt/dt_ref)^2 / K */
    bool allow_negative_pressure;           /* keep C < 0 (the paper) instead of clamping it to 0 */
    float vorticity_confinement;            /* epsilon_v / h, 0 to 10 */
    float chebyshev_spectral_radius;        /* rho, 0 (off) to 0.98 */
    scene_long_range long_range_correction; /* off, on or automatic */
    uint32_t pre_stabilization;             /* most solves before the first frame, 0 to 1000 */
    float max_correction;                   /* |dp| per iteration / d, 0.01 to 1 */
    float max_speed;                /* spacings per substep, 0.1 to SCENE_MAX_SPEED_SPACINGS */
    bool boundary_density;          /* boundaries add density and gradient to the constraint */
    float boundary_gap;             /* distance of particles from boundaries / d, 0.1 to 1 */
    float reference_dt;             /* s, dt_ref of XSPH, artificial pressure and PIC */
    float sound_speed;              /* of WCSPH, m/s; chosen automatically when the scene gives 0 */
    float artificial_viscosity;     /* alpha of WCSPH, 0 to 10 */
    bool residuals;                 /* record the density error of every iteration */
    bool solid_forces;              /* sum the force and torque of the fluid on each solid */
    uint32_t deformable_iterations; /* constraint sweeps of deformables per iteration, 1 to 64 */
    scene_deformable_solver deformable_solver;
} scene_solver;

bool scene_stops_at_tolerance(const scene_solver *solver);
/* Returns whether the method has a MAC grid: in FLIP and APIC particles carry the fluid, and the
 * grid makes it incompressible. */
bool scene_has_grid(const scene_solver *solver);
/* Returns the name of a scene_method in files; NULL past the last. */
const char *scene_method_name(uint32_t method);

/* Position, target and field of view of a camera at a time. */
typedef struct scene_camera_key {
    float time_s;
    vec3 eye, target; /* m */
    float fov_y;      /* degrees, vertical field of view */
} scene_camera_key;

typedef enum scene_camera_interpolation {
    SCENE_CAMERA_SMOOTH, /* monotone cubic, with continuous velocity */
    SCENE_CAMERA_LINEAR,
} scene_camera_interpolation;

/* The camera of the scene's pictures. */
typedef struct scene_camera {
    bool given; /* false: the scene has none */
    vec3 eye, target, up;
    float fov_y;            /* degrees, vertical field of view */
    scene_camera_key *keys; /* in order of time; if any, they move the camera */
    uint32_t key_count;
    scene_camera_interpolation interpolation;
} scene_camera;

/* Returns the state of a given camera at a time; it rests before the first keyframe and after the
 * last. */
scene_camera_key scene_camera_at(const scene_camera *camera, double time_s);

/* Appearance of pictures; values that are given precede those of the named look. */
typedef struct scene_look {
    uint32_t preset;         /* the named look, in the order of render_look_name */
    vec3 sun;                /* direction to the sun; 0: the look's */
    float exposure;          /* factor of the brightness, default 1 */
    float absorption_length; /* m: depth of the fluid's colour; 0: from the amount of fluid */
    float scattering_ratio;  /* scattering times absorption_length; below 0: the look's */
    bool floor;              /* draw tiles at the domain's bottom */
    bool tank;               /* draw the domain's closed sides as glass */
    char *environment;       /* a .hdr file, relative to the scene's folder; "": the look's sky */
} scene_look;
const char *scene_look_name(uint32_t preset); /* NULL past the last */

/* Whitewater: spray, foam and bubbles. */
#include "scene_whitewater.h"

typedef struct scene_data {
    char *source; /* file name, for messages */
    char *folder; /* relative file names start here */
    /* The effective scene, with overrides and defaults filled in; file names in it stay relative to
     * `folder`. */
    char *json;
    char *name, *description;
    scene_domain domain;
    /* m/s2; warnings, whitewater and gauges use it even if there are keyframes. */
    vec3 gravity;
    scene_gravity_key *gravity_keys; /* in order of time; NULL: gravity is constant */
    uint32_t gravity_key_count;
    struct scene_track *tracks; /* keyframes of numbers; scene_at_time */
    uint32_t track_count;
    float frame_rate; /* Hz */
    float duration;   /* s */
    float spacing;    /* d, m */
    scene_solver solver;
    scene_camera camera;
    scene_look look;
    scene_whitewater whitewater;
    scene_sea sea;
    scene_attribute *attributes;
    uint32_t attribute_count, attribute_components; /* components of all attributes */
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

/* Return the number of cloths, ropes and soft bodies, and the index-th one in this order. */
uint32_t scene_deformable_count(const scene_data *scene);
const scene_deformable *scene_deformable_at(const scene_data *scene, uint32_t index);
/* Returns the name of the run's subfolder for the meshes of deformables of this kind. */
const char *scene_deformable_folder(scene_deformable_kind kind);
/* Returns whether fluid passes through, or is dragged along by, any deformable. */
bool scene_deformables_have_drag(const scene_data *scene);
/* Returns the effective thickness of a shell, m: particles would pass through less than half a
 * spacing. */
float scene_shell_thickness(const scene_data *scene, uint32_t shape);
scene_sequence_times scene_sequence_span(const scene_data *scene, uint32_t shape);
/* Returns the names and the components of the scene's attributes. */
base_attributes scene_list_attributes(const scene_data *scene);
/* Returns the index of an attribute; UINT32_MAX: the scene has none of this name. */
uint32_t scene_find_attribute(const scene_data *scene, const char *name);
/* Writes ", which has dye, heat" or what to add, to end a message about a name that is no attribute
 * of the scene. */
#define SCENE_ATTRIBUTE_HINT 400u
void scene_attribute_hint(const scene_data *scene, const char *name,
                          char hint[SCENE_ATTRIBUTE_HINT]);
/* A scene whose numbers have the values of their keyframes at a time. It shares everything else
 * with the scene that it is made from, and is not destroyed. */
typedef struct scene_moment {
    scene_data scene;
    scene_fluid fluids[SCENE_MAX_FLUIDS];
} scene_moment;
void scene_at_time(const scene_data *scene, double time_s, scene_moment *moment);

/* Returns the number, from 1, of a solid among those with a force gauge; 0 if it has none. */
uint32_t scene_force_gauge_solid_index(const scene_data *scene, uint32_t solid);
/* Returns the number of solids with a force gauge. */
uint32_t scene_force_gauge_solid_count(const scene_data *scene);
/* Returns the z of a two-dimensional flow: the middle of the domain. */
float scene_plane(const scene_data *scene);

/* Parses `size` bytes of JSON. Logs every error as "SOURCE:LINE:COLUMN: path: what, expected, what
 * to do". `overrides` are "a.b[2].c=value", with JSON or a bare string as value; an error in one
 * names the override instead of a line. Relative file names start at `folder`. Errors: SCENE,
 * MEMORY. */
typedef struct scene_input {
    const char *text;
    size_t size;
    const char *source;
    const char *folder;
    const char *const *overrides;
    uint32_t override_count;
    /* Key of the text's object whose value is the scene; NULL: the whole text. */
    const char *within;
} scene_input;
weir_result scene_parse(const weir_log *log, const scene_input *input, scene_data **scene);
void scene_destroy(scene_data **scene);

/* Computes a world box that contains a shape without motion. Infinite extents are +-INFINITY; an
 * empty shape has min above max. `mesh_boxes`: two vec3 (min, max) per mesh of the scene; NULL
 * treats meshes as infinite. */
void scene_shape_bounds(const scene_data *scene, uint32_t shape, const vec3 *mesh_boxes, vec3 *min,
                        vec3 *max);

/* Gets the index-th number of the scene, as weir_scene_get_param does; false past the last. */
bool scene_param(const scene_data *scene, uint32_t index, weir_param *param);
/* Returns whether the scene and the saved one in `json` (as scene_data.json) differ in a value that
 * the state of a simulation depends on; names, pictures, the duration and the like are not. A key
 * missing in the text has the current default. `difference` receives the first: "solver.iterations
 * is 3 there and 4 here". */
#define SCENE_DIFFERENCE 256
bool scene_state_difference(const scene_data *scene, const char *json, size_t size,
                            char difference[SCENE_DIFFERENCE]);
/* Returns whether two scenes differ at most in names, cameras, and numbers that weir_param calls
 * live. */
bool scene_differs_only_live(const scene_data *a, const scene_data *b);

#endif
