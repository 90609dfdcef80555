/* What a scene may say: one table per kind of object, each field with type, range, unit and
 * default. The parser and the effective scene read these; scenes/scene.schema.json is made of them.
 */
#include "scene_internal.h"

#define AT(member) offsetof(TYPE, member)
#define TABLE(name, fields, defaults)              \
    {                                              \
        name, fields, BASE_COUNT(fields), defaults \
    }

#define COORDINATE_MAX 1e5 /* m from the origin */
#define SIZE_MIN 1e-6      /* m */
#define TIME_MAX 1e6       /* s */
#define SPEED_MAX 1e4      /* m/s */

#define FLOAT SCENE_FIELD_FLOAT
#define DEGREES SCENE_FIELD_DEGREES
#define COUNT SCENE_FIELD_COUNT
#define BOOL SCENE_FIELD_BOOL
#define VECTOR SCENE_FIELD_VECTOR
#define CHOICE SCENE_FIELD_CHOICE
#define TEXT SCENE_FIELD_TEXT
#define OTHER SCENE_FIELD_OTHER
#define DEFAULT SCENE_FIELD_DEFAULT
#define REQUIRED SCENE_FIELD_REQUIRED
#define OPTIONAL SCENE_FIELD_OPTIONAL

/* ---- the scene ------------------------------------------------------------------------------ */

#define TYPE scene_data
static const scene_field scene_fields[] = {
    {"$schema", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "where editors find the rules of this format"},
    {"name", TEXT, DEFAULT, AT(name), 1, 64, NULL, "", "short name of the scene"},
    {"description", TEXT, DEFAULT, AT(description), 0, 1000, NULL, "", "one line on what happens"},
    {"domain", OTHER, REQUIRED, 0, 0, 0, NULL, "", "the box that holds everything"},
    {"gravity", VECTOR, DEFAULT, AT(gravity), -1e4, 1e4, NULL, "m/s2",
     "acceleration of all fluids"},
    {"frame_rate", FLOAT, DEFAULT, AT(frame_rate), 1, 10000, NULL, "Hz", "frames per second"},
    {"duration", FLOAT, DEFAULT, AT(duration), 0, TIME_MAX, NULL, "s", "simulated time of a run"},
    {"spacing", FLOAT, REQUIRED, AT(spacing), 1e-5, 100, NULL, "m", "particle spacing d"},
    {"solver", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "how the fluid is solved"},
    {"camera", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "where pictures are taken from"},
    {"look", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "how pictures look"},
    {"fluids", OTHER, REQUIRED, 0, 0, 0, NULL, "", "materials and where they are at the start"},
    {"forces", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "fields of acceleration besides gravity"},
    {"solids", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "bodies that fluid cannot enter"},
    {"emitters", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "openings that fluid comes from"},
    {"sinks", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "shapes that remove the fluid inside"},
    {"gauges", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "instruments: a row of gauges.csv each frame"},
};
#undef TYPE
static const scene_data scene_defaults = {
    .name = "unnamed",
    .description = "",
    .gravity = {0, -9.81f, 0},
    .frame_rate = 60,
    .duration = 5,
};
const scene_table scene_table_scene = TABLE("scene", scene_fields, &scene_defaults);

#define TYPE scene_domain
static const scene_field domain_fields[] = {
    {"min", VECTOR, REQUIRED, AT(min), -COORDINATE_MAX, COORDINATE_MAX, NULL, "m", "lower corner"},
    {"max", VECTOR, REQUIRED, AT(max), -COORDINATE_MAX, COORDINATE_MAX, NULL, "m", "upper corner"},
    {"sides", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "what each side does"},
    {"friction", FLOAT, DEFAULT, AT(friction), 0, 1, NULL, "", "Coulomb friction of closed sides"},
};
#undef TYPE
static const scene_domain domain_defaults = {.friction = 0};
const scene_table scene_table_domain = TABLE("domain", domain_fields, &domain_defaults);

static const scene_field sides_fields[] = {
    {"x", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "both sides across x, or [lower, upper]"},
    {"y", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "both sides across y, or [lower, upper]"},
    {"z", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "both sides across z, or [lower, upper]"},
};
const scene_table scene_table_sides = TABLE("sides", sides_fields, NULL);

static const char *const methods[] = {"pbf", "pcisph", NULL};
static const char *const kernels[] = {"poly6", "spiky", NULL};

#define TYPE scene_solver
static const scene_field solver_fields[] = {
    {"preset", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "where values that are not given come from"},
    {"method", CHOICE, DEFAULT, AT(method), 0, 0, methods, "",
     "position based fluids, or predictive-corrective SPH to compare with"},
    {"kernel", CHOICE, DEFAULT, AT(kernel), 0, 0, kernels, "",
     "kernel of densities: that of the paper, or the one whose gradient corrections follow"},
    {"dimensions", COUNT, DEFAULT, AT(dimensions), 2, 3, NULL, "",
     "2 for a flow in the xy plane in the middle of the domain's z"},
    {"substeps", COUNT, DEFAULT, AT(substeps), 1, 100, NULL, "", "substeps per frame"},
    {"iterations", COUNT, DEFAULT, AT(iterations), 1, 100, NULL, "",
     "density iterations per substep"},
    {"adaptive", BOOL, DEFAULT, AT(adaptive), 0, 0, NULL, "",
     "choose the substeps of a frame by speed, at most `substeps`"},
    {"cfl", FLOAT, DEFAULT, AT(cfl), 0.05, 1, NULL, "d",
     "distance that the fastest particle may move in one adaptive substep"},
    {"support", FLOAT, DEFAULT, AT(support), 1.5, 4, NULL, "d", "support radius h"},
    {"relaxation", FLOAT, DEFAULT, AT(relaxation), 0.05, 2, NULL, "",
     "share of each correction that is applied, omega"},
    {"epsilon", FLOAT, DEFAULT, AT(epsilon), 0, 100, NULL, "1/h2",
     "softening of the constraint, epsilon of equation 11"},
    {"artificial_pressure", FLOAT, DEFAULT, AT(artificial_pressure), 0, 0.2, NULL, "h2",
     "strength of the artificial pressure, k of equation 13"},
    {"delta_q", FLOAT, DEFAULT, AT(delta_q), 0, 0.9, NULL, "h",
     "reference distance of the artificial pressure, |dq| of equation 13"},
    {"pressure_power", COUNT, DEFAULT, AT(pressure_power), 1, 8, NULL, "",
     "power of the artificial pressure, n of equation 13"},
    {"scale_pressure", BOOL, DEFAULT, AT(scale_pressure), 0, 0, NULL, "",
     "scale k by (dt / reference_dt)^2 / iterations"},
    {"keep_negative_pressure", BOOL, DEFAULT, AT(keep_negative_pressure), 0, 0, NULL, "",
     "keep constraints below zero, which pull particles together"},
    {"vorticity", FLOAT, DEFAULT, AT(vorticity), 0, 10, NULL, "h/s",
     "vorticity confinement, epsilon of equation 16"},
    {"chebyshev", FLOAT, DEFAULT, AT(chebyshev), 0, 0.98, NULL, "",
     "spectral radius of the Chebyshev acceleration; 0 turns it off"},
    {"coarse_sweeps", COUNT, DEFAULT, AT(coarse_sweeps), 0, 200, NULL, "",
     "sweeps of the coarse correction, which moves fluid out of crowded regions; 0 turns it off"},
    {"correction_cap", FLOAT, DEFAULT, AT(correction_cap), 0.01, 1, NULL, "d",
     "longest correction of one iteration"},
    {"speed_cap", FLOAT, DEFAULT, AT(speed_cap), 0.1, 10, NULL, "d",
     "distance that any particle may move in one substep"},
    {"wall_density", BOOL, DEFAULT, AT(wall_density), 0, 0, NULL, "",
     "count walls and solids in the density constraint"},
    {"wall_gap", FLOAT, DEFAULT, AT(wall_gap), 0.1, 1, NULL, "d",
     "distance that particles keep from walls and solids"},
    {"reference_dt", FLOAT, DEFAULT, AT(reference_dt), 1e-5, 1, NULL, "s",
     "substep at which viscosity and artificial pressure have the strength given"},
    {"residuals", BOOL, DEFAULT, AT(residuals), 0, 0, NULL, "",
     "keep the density error of every iteration, for --residuals"},
};
#undef TYPE
/* docs/parameters.md says where each value comes from. */
static const scene_solver solver_defaults = {
    .dimensions = 3,
    .substeps = 4,
    .iterations = 4,
    .adaptive = false,
    .cfl = 0.4f,
    .support = 2,
    .relaxation = 0.65f,
    .epsilon = 0.01f,
    .artificial_pressure = 0.0014f,
    .delta_q = 0.2f,
    .pressure_power = 4,
    .scale_pressure = false,
    .keep_negative_pressure = false,
    .vorticity = 0,
    .chebyshev = 0,
    .correction_cap = 0.25f,
    .speed_cap = 5,
    .wall_density = true,
    .wall_gap = 0.5f,
    .reference_dt = 1.0f / 240,
};
static const scene_solver solver_paper = {
    .dimensions = 3,
    .substeps = 4,
    .iterations = 4,
    .adaptive = false,
    .cfl = 0.4f,
    .support = 2,
    .relaxation = 1,
    .epsilon = 1,
    .artificial_pressure = 0.1f,
    .delta_q = 0.2f,
    .pressure_power = 4,
    .scale_pressure = false,
    .keep_negative_pressure = true,
    .vorticity = 0,
    .chebyshev = 0,
    .correction_cap = 1,
    .speed_cap = 10,
    .wall_density = false,
    .wall_gap = 0.5f,
    .reference_dt = 1.0f / 240,
};
const scene_table scene_table_solver = TABLE("solver", solver_fields, &solver_defaults);
const scene_table scene_table_solver_paper = TABLE("solver", solver_fields, &solver_paper);

/* ---- fluids --------------------------------------------------------------------------------- */

#define TYPE scene_fluid
static const scene_field fluid_fields[] = {
    {"name", TEXT, REQUIRED, AT(name), 1, 64, NULL, "", "unique among the fluids"},
    {"density", FLOAT, DEFAULT, AT(density), 1, 30000, NULL, "kg/m3", "rest density"},
    {"colour", VECTOR, DEFAULT, AT(colour), 0, 1, NULL, "", "linear red, green, blue"},
    {"viscosity", FLOAT, DEFAULT, AT(viscosity), 0, 0.5, NULL, "",
     "XSPH coefficient c of equation 17 at reference_dt"},
    {"surface_tension", FLOAT, DEFAULT, AT(surface_tension), 0, 1000, NULL, "N/m",
     "pulls the free surface together"},
    {"fill", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "where the fluid is at the start"},
};
#undef TYPE
static const scene_fluid fluid_defaults = {
    .density = 1000,
    .colour = {0.05f, 0.25f, 0.6f},
    .viscosity = 0.01f,
};
const scene_table scene_table_fluid = TABLE("fluid", fluid_fields, &fluid_defaults);

static const char *const lattices[] = {"cubic", "hexagonal", NULL};

#define TYPE scene_fill
static const scene_field shape_fill_fields[] = {
    {"shape", OTHER, REQUIRED, 0, 0, 0, NULL, "", "what is filled"},
    {"lattice", CHOICE, DEFAULT, AT(lattice), 0, 0, lattices, "", "how the particles are packed"},
    {"jitter", FLOAT, DEFAULT, AT(jitter), 0, 0.5, NULL, "d", "random displacement on each axis"},
    {"seed", COUNT, DEFAULT, AT(seed), 0, UINT32_MAX, NULL, "", "picks the random numbers"},
    {"velocity", VECTOR, DEFAULT, AT(velocity), -SPEED_MAX, SPEED_MAX, NULL, "m/s",
     "velocity at the start"},
    {"spin", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "turning at the start"},
    {"velocity_gradient", OTHER, OPTIONAL, 0, 0, 0, NULL, "",
     "linear part of the velocity at the start"},
    {"velocity_wave", OTHER, OPTIONAL, 0, 0, 0, NULL, "",
     "sinusoidal part of the velocity at the start"},
};
static const scene_field file_fill_fields[] = {
    {"file", OTHER, REQUIRED, 0, 1, 4096, NULL, "", "a particle file"},
    {"position", VECTOR, DEFAULT, AT(pose.position), -COORDINATE_MAX, COORDINATE_MAX, NULL, "m",
     "where the file's origin goes"},
    {"rotation", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "how the file is turned"},
    {"scale", FLOAT, DEFAULT, AT(pose.scale), 1e-6, 1e6, NULL, "", "size factor of the file"},
    {"velocity", VECTOR, DEFAULT, AT(velocity), -SPEED_MAX, SPEED_MAX, NULL, "m/s",
     "added to the velocities of the file"},
    {"spin", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "turning at the start"},
    {"velocity_gradient", OTHER, OPTIONAL, 0, 0, 0, NULL, "",
     "linear part of the velocity at the start"},
    {"velocity_wave", OTHER, OPTIONAL, 0, 0, 0, NULL, "",
     "sinusoidal part of the velocity at the start"},
};
static const scene_field gradient_fields[] = {
    {"x", VECTOR, DEFAULT, AT(gradient[0]), -SPEED_MAX, SPEED_MAX, NULL, "1/s",
     "how fast the velocity along x grows along x, y and z"},
    {"y", VECTOR, DEFAULT, AT(gradient[1]), -SPEED_MAX, SPEED_MAX, NULL, "1/s",
     "how fast the velocity along y grows along x, y and z"},
    {"z", VECTOR, DEFAULT, AT(gradient[2]), -SPEED_MAX, SPEED_MAX, NULL, "1/s",
     "how fast the velocity along z grows along x, y and z"},
    {"centre", VECTOR, DEFAULT, AT(gradient_centre), -COORDINATE_MAX, COORDINATE_MAX, NULL, "m",
     "where this part is zero"},
};
static const scene_field wave_fields[] = {
    {"amplitude", VECTOR, REQUIRED, AT(wave), -SPEED_MAX, SPEED_MAX, NULL, "m/s",
     "velocity at the crests of amplitude sin(wave_vector . p + phase)"},
    {"wave_vector", VECTOR, REQUIRED, AT(wave_vector), -COORDINATE_MAX, COORDINATE_MAX, NULL,
     "rad/m", "across the crests, 2 pi over the wavelength"},
    {"phase", DEGREES, DEFAULT, AT(wave_phase), -360, 360, NULL, "degrees",
     "at the world's origin"},
};
#undef TYPE
static const scene_fill fill_defaults = {.seed = 1, .pose = {.rotation = {0, 0, 0, 1}, .scale = 1}};
const scene_table scene_table_shape_fill = TABLE("shape_fill", shape_fill_fields, &fill_defaults);
const scene_table scene_table_file_fill = TABLE("file_fill", file_fill_fields, &fill_defaults);
const scene_table scene_table_gradient =
    TABLE("velocity_gradient", gradient_fields, &fill_defaults);
const scene_table scene_table_wave = TABLE("velocity_wave", wave_fields, &fill_defaults);

static const char *const force_kinds[] = {"central", NULL};

#define TYPE scene_force
static const scene_field force_fields[] = {
    {"type", CHOICE, DEFAULT, AT(kind), 0, 0, force_kinds, "",
     "central: the acceleration -strength (p - centre)"},
    {"centre", VECTOR, DEFAULT, AT(centre), -COORDINATE_MAX, COORDINATE_MAX, NULL, "m",
     "where the field is zero"},
    {"strength", FLOAT, REQUIRED, AT(strength), -1e6, 1e6, NULL, "1/s2",
     "acceleration for each metre from the centre"},
};
#undef TYPE
static const scene_force force_defaults = {0};
const scene_table scene_table_force = TABLE("force", force_fields, &force_defaults);

/* ---- shapes --------------------------------------------------------------------------------- */

#define TYPE scene_shape
#define LENGTH(name, about)                                                          \
    {                                                                                \
#name, FLOAT, REQUIRED, AT(name), SIZE_MIN, COORDINATE_MAX, NULL, "m", about \
    }
/* The kinds come first, in the order of scene_shape_kind. */
static const scene_field shape_fields[] = {
    {"box", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "a box: size, or min and max"},
    {"sphere", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "a ball"},
    {"capsule", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "a cylinder along y with round ends"},
    {"cylinder", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "a cylinder along y"},
    {"cone", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "a cone, its tip towards +y"},
    {"torus", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "a ring in the xz plane"},
    {"plane", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "the half space below y = 0"},
    {"mesh", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "a triangle mesh, or a sequence of meshes"},
    {"union", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "all shapes together"},
    {"intersection", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "what the shapes have in common"},
    {"difference", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "the first shape less all others"},
    {"smooth_union", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "shapes that melt into each other"},
    {"position", VECTOR, DEFAULT, AT(pose.position), -COORDINATE_MAX, COORDINATE_MAX, NULL, "m",
     "where the shape's own origin goes"},
    {"rotation", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "how the shape is turned"},
    {"scale", FLOAT, DEFAULT, AT(pose.scale), 1e-6, 1e6, NULL, "",
     "size factor, the same on all axes"},
};
static const scene_shape shape_defaults = {.pose = {.rotation = {0, 0, 0, 1}, .scale = 1}};
const scene_table scene_table_shape = TABLE("shape", shape_fields, &shape_defaults);

static const scene_field sphere_fields[] = {LENGTH(radius, "radius")};
static const scene_field capsule_fields[] = {
    LENGTH(radius, "radius"),
    LENGTH(height, "distance between the centres of the round ends"),
};
static const scene_field cylinder_fields[] = {
    LENGTH(radius, "radius"),
    LENGTH(height, "height"),
};
static const scene_field cone_fields[] = {
    LENGTH(radius, "radius of the base"),
    LENGTH(height, "height from base to tip"),
};
static const scene_field torus_fields[] = {
    LENGTH(radius, "from the middle of the ring to the middle of the tube"),
    LENGTH(tube_radius, "radius of the tube"),
};
const scene_table scene_tables_round[6] = {
    TABLE("sphere", sphere_fields, &shape_defaults),
    TABLE("capsule", capsule_fields, &shape_defaults),
    TABLE("cylinder", cylinder_fields, &shape_defaults),
    TABLE("cone", cone_fields, &shape_defaults),
    TABLE("torus", torus_fields, &shape_defaults),
    {"plane", NULL, 0, &shape_defaults},
};
static const scene_field smooth_union_fields[] = {
    {"blend", FLOAT, DEFAULT, AT(blend), SIZE_MIN, COORDINATE_MAX, NULL, "m",
     "width of the blended zone"},
    {"shapes", OTHER, REQUIRED, 0, 0, 0, NULL, "", "what melts together"},
};
#undef TYPE
static const scene_shape smooth_union_defaults = {.blend = 0.05f};
const scene_table scene_table_smooth_union =
    TABLE("smooth_union", smooth_union_fields, &smooth_union_defaults);

#define TYPE scene_box_input
static const scene_field box_fields[] = {
    {"size", VECTOR, OPTIONAL, AT(size), SIZE_MIN, COORDINATE_MAX, NULL, "m",
     "edge lengths, centred on the shape's own origin"},
    {"min", VECTOR, OPTIONAL, AT(min), -COORDINATE_MAX, COORDINATE_MAX, NULL, "m", "lower corner"},
    {"max", VECTOR, OPTIONAL, AT(max), -COORDINATE_MAX, COORDINATE_MAX, NULL, "m", "upper corner"},
};
#undef TYPE
static const scene_box_input box_defaults = {.size = {1, 1, 1}};
const scene_table scene_table_box = TABLE("box", box_fields, &box_defaults);

#define TYPE scene_mesh_input
static const scene_field mesh_fields[] = {
    {"file", TEXT, REQUIRED, AT(path), 1, 4096, NULL, "", "a triangle mesh: OBJ, PLY or STL"},
};
static const scene_field mesh_sequence_fields[] = {
    {"files", TEXT, REQUIRED, AT(path), 1, 4096, NULL, "",
     "meshes of one topology, numbered by one %d or %04d"},
    {"first", COUNT, REQUIRED, AT(first), 0, 1000000, NULL, "", "number of the first file"},
    {"last", COUNT, REQUIRED, AT(last), 0, 1000000, NULL, "", "number of the last file"},
    {"rate", FLOAT, DEFAULT, AT(rate_hz), 0.001, 10000, NULL, "Hz", "files per second"},
};
#undef TYPE
static const scene_mesh_input mesh_defaults = {.rate_hz = 24};
const scene_table scene_table_mesh = TABLE("mesh_file", mesh_fields, &mesh_defaults);
const scene_table scene_table_mesh_sequence =
    TABLE("mesh_sequence", mesh_sequence_fields, &mesh_defaults);

/* ---- solids and their motion ---------------------------------------------------------------- */

#define TYPE scene_solid
static const scene_field solid_fields[] = {
    {"name", TEXT, REQUIRED, AT(name), 1, 64, NULL, "", "unique among the solids"},
    {"shape", OTHER, REQUIRED, 0, 0, 0, NULL, "", "what the solid is made of"},
    {"friction", FLOAT, DEFAULT, AT(friction), 0, 1, NULL, "", "Coulomb friction of the surface"},
    {"motion", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "how the solid moves; without it, it rests"},
};
#undef TYPE
static const scene_solid solid_defaults = {.friction = 0};
const scene_table scene_table_solid = TABLE("solid", solid_fields, &solid_defaults);

#define TYPE scene_motion
static const scene_field motion_fields[] = {
    {"keyframes", OTHER, OPTIONAL, 0, 0, 0, NULL, "",
     "poses at times, with even motion between them"},
    {"oscillation", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "to and fro, and rocking"},
    {"spin", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "steady turning"},
    {"start", FLOAT, DEFAULT, AT(start_s), 0, TIME_MAX, NULL, "s", "at rest before"},
    {"end", FLOAT, DEFAULT, AT(end_s), 0, TIME_MAX, NULL, "s", "held where it is from then on"},
};
static const scene_field oscillation_fields[] = {
    {"amplitude", VECTOR, DEFAULT, AT(amplitude), -COORDINATE_MAX, COORDINATE_MAX, NULL, "m",
     "farthest offset"},
    {"frequency", FLOAT, REQUIRED, AT(frequency_hz), 0, 1000, NULL, "Hz", "cycles per second"},
    {"phase", DEGREES, DEFAULT, AT(phase), -360, 360, NULL, "degrees", "of the cycle at the start"},
    {"rock", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "farthest turn, in step with the offset"},
    {"centre", VECTOR, DEFAULT, AT(centre), -COORDINATE_MAX, COORDINATE_MAX, NULL, "m",
     "point that rocking turns about"},
};
#undef TYPE
static const scene_motion motion_defaults = {.end_s = SCENE_FOREVER_S};
const scene_table scene_table_motion = TABLE("motion", motion_fields, &motion_defaults);
const scene_table scene_table_oscillation =
    TABLE("oscillation", oscillation_fields, &motion_defaults);

#define TYPE scene_key
static const scene_field keyframe_fields[] = {
    {"time", FLOAT, REQUIRED, AT(time_s), 0, TIME_MAX, NULL, "s", "when the pose is reached"},
    {"position", VECTOR, DEFAULT, AT(position), -COORDINATE_MAX, COORDINATE_MAX, NULL, "m",
     "offset of the solid"},
    {"rotation", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "turn of the solid about the world's origin"},
};
#undef TYPE
static const scene_key keyframe_defaults = {.rotation = {0, 0, 0, 1}};
const scene_table scene_table_keyframe = TABLE("keyframe", keyframe_fields, &keyframe_defaults);

#define TYPE scene_spin_input
static const scene_field spin_fields[] = {
    {"axis", VECTOR, REQUIRED, AT(axis), -COORDINATE_MAX, COORDINATE_MAX, NULL, "",
     "direction of the axis; turns follow the right hand"},
    {"rate", FLOAT, REQUIRED, AT(rate), -1e4, 1e4, NULL, "rad/s", "angular speed"},
    {"centre", VECTOR, DEFAULT, AT(centre), -COORDINATE_MAX, COORDINATE_MAX, NULL, "m",
     "a point on the axis"},
};
#undef TYPE
static const scene_spin_input spin_defaults = {.axis = {0, 1, 0}};
const scene_table scene_table_spin = TABLE("spin", spin_fields, &spin_defaults);

#define TYPE scene_turn_input
static const scene_field axis_angle_fields[] = {
    {"axis", VECTOR, REQUIRED, AT(axis), -COORDINATE_MAX, COORDINATE_MAX, NULL, "",
     "direction of the axis; turns follow the right hand"},
    {"angle", DEGREES, REQUIRED, AT(angle), -360, 360, NULL, "degrees", "how far"},
};
#undef TYPE
static const scene_turn_input axis_angle_defaults = {.axis = {0, 1, 0}};
const scene_table scene_table_axis_angle =
    TABLE("axis_angle", axis_angle_fields, &axis_angle_defaults);

/* ---- emitters and sinks --------------------------------------------------------------------- */

#define TYPE scene_emitter
static const scene_field emitter_fields[] = {
    {"name", TEXT, REQUIRED, AT(name), 1, 64, NULL, "", "unique among the emitters"},
    {"fluid", OTHER, REQUIRED, 0, 0, 0, NULL, "", "name of the fluid that comes out"},
    {"position", VECTOR, REQUIRED, AT(position), -COORDINATE_MAX, COORDINATE_MAX, NULL, "m",
     "centre of the opening"},
    {"direction", VECTOR, REQUIRED, AT(direction), -COORDINATE_MAX, COORDINATE_MAX, NULL, "",
     "where the fluid goes"},
    {"up", VECTOR, DEFAULT, AT(up), -COORDINATE_MAX, COORDINATE_MAX, NULL, "",
     "along the height of a rectangular opening"},
    {"radius", FLOAT, OPTIONAL, AT(radius), SIZE_MIN, COORDINATE_MAX, NULL, "m",
     "radius of a round opening"},
    {"width", FLOAT, OPTIONAL, AT(width), SIZE_MIN, COORDINATE_MAX, NULL, "m",
     "width of a rectangular opening"},
    {"height", FLOAT, OPTIONAL, AT(height), SIZE_MIN, COORDINATE_MAX, NULL, "m",
     "height of a rectangular opening"},
    {"speed", FLOAT, REQUIRED, AT(speed), 0.001, 1000, NULL, "m/s", "speed of the fluid"},
    {"start", FLOAT, DEFAULT, AT(start_s), 0, TIME_MAX, NULL, "s", "closed before"},
    {"end", FLOAT, DEFAULT, AT(end_s), 0, TIME_MAX, NULL, "s", "closed from then on"},
    {"max_particles", COUNT, DEFAULT, AT(max_particles), 0, UINT32_MAX, NULL, "",
     "closes after so many; 4294967295 is no limit"},
};
#undef TYPE
static const scene_emitter emitter_defaults = {
    .up = {0, 1, 0},
    .end_s = SCENE_FOREVER_S,
    .max_particles = UINT32_MAX,
};
const scene_table scene_table_emitter = TABLE("emitter", emitter_fields, &emitter_defaults);

#define TYPE scene_sink
static const scene_field sink_fields[] = {
    {"name", TEXT, REQUIRED, AT(name), 1, 64, NULL, "", "unique among the sinks"},
    {"shape", OTHER, REQUIRED, 0, 0, 0, NULL, "", "where fluid is removed"},
};
#undef TYPE
static const scene_sink sink_defaults = {0};
const scene_table scene_table_sink = TABLE("sink", sink_fields, &sink_defaults);

/* ---- gauges --------------------------------------------------------------------------------- */

#define TYPE scene_gauge
/* The kinds come behind the name, in the order of scene_gauge_kind. */
static const scene_field gauge_fields[] = {
    {"name", TEXT, REQUIRED, AT(name), 1, 64, NULL, "", "unique among the gauges"},
    {"height", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "metres of fluid in a column"},
    {"front", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "how far the fluid reaches in a box"},
    {"pressure", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "pressure at a point"},
    {"force", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "force of the fluid on a solid"},
    {"flow", OTHER, OPTIONAL, 0, 0, 0, NULL, "", "volume per second through a plane"},
};
static const char *const gauge_axes[] = {"+x", "-x", "+y", "-y", "+z", "-z", NULL};
#define GAUGE_BOX                                                                             \
    {"min",                                                                                   \
     VECTOR,                                                                                  \
     REQUIRED,                                                                                \
     AT(min),                                                                                 \
     -COORDINATE_MAX,                                                                         \
     COORDINATE_MAX,                                                                          \
     NULL,                                                                                    \
     "m",                                                                                     \
     "lower corner of the box"},                                                              \
        {"max",                                                                               \
         VECTOR,                                                                              \
         REQUIRED,                                                                            \
         AT(max),                                                                             \
         -COORDINATE_MAX,                                                                     \
         COORDINATE_MAX,                                                                      \
         NULL,                                                                                \
         "m",                                                                                 \
         "upper corner of the box"},                                                          \
    {                                                                                         \
        "axis", CHOICE, DEFAULT, AT(axis), 0, 0, gauge_axes, "", "direction that is measured" \
    }
static const scene_field gauge_box_fields[] = {GAUGE_BOX};
static const scene_field gauge_pressure_fields[] = {
    {"position", VECTOR, REQUIRED, AT(position), -COORDINATE_MAX, COORDINATE_MAX, NULL, "m",
     "where"},
    {"radius", FLOAT, DEFAULT, AT(radius), 0, COORDINATE_MAX, NULL, "m",
     "averaged over; 0 is the support radius"},
};
static const scene_field gauge_force_fields[] = {
    {"solid", OTHER, REQUIRED, 0, 0, 0, NULL, "", "name of the solid"},
};
static const scene_field gauge_flow_fields[] = {
    {"position", VECTOR, REQUIRED, AT(position), -COORDINATE_MAX, COORDINATE_MAX, NULL, "m",
     "centre of the disc"},
    {"direction", VECTOR, REQUIRED, AT(direction), -COORDINATE_MAX, COORDINATE_MAX, NULL, "",
     "across the plane, where flow counts as positive"},
    {"radius", FLOAT, DEFAULT, AT(radius), 0, COORDINATE_MAX, NULL, "m",
     "of the disc; 0 is the whole plane"},
};
#undef TYPE
static const scene_gauge gauge_height_defaults = {.axis = 2};
static const scene_gauge gauge_defaults = {0};
const scene_table scene_table_gauge = TABLE("gauge", gauge_fields, &gauge_defaults);
const scene_table scene_tables_gauge[5] = {
    TABLE("gauge_height", gauge_box_fields, &gauge_height_defaults),
    TABLE("gauge_front", gauge_box_fields, &gauge_defaults),
    TABLE("gauge_pressure", gauge_pressure_fields, &gauge_defaults),
    TABLE("gauge_force", gauge_force_fields, &gauge_defaults),
    TABLE("gauge_flow", gauge_flow_fields, &gauge_defaults),
};

/* ---- pictures ------------------------------------------------------------------------------- */

#define TYPE scene_camera
static const scene_field camera_fields[] = {
    {"eye", VECTOR, REQUIRED, AT(eye), -COORDINATE_MAX, COORDINATE_MAX, NULL, "m",
     "where the camera stands"},
    {"target", VECTOR, REQUIRED, AT(target), -COORDINATE_MAX, COORDINATE_MAX, NULL, "m",
     "where it looks"},
    {"up", VECTOR, DEFAULT, AT(up), -1, 1, NULL, "", "what is up in the picture"},
    {"fov", FLOAT, DEFAULT, AT(fov_y), 1, 150, NULL, "degrees", "angle of the picture's height"},
};
#undef TYPE
static const scene_camera camera_defaults = {.up = {0, 1, 0}, .fov_y = 40};
const scene_table scene_table_camera = TABLE("camera", camera_fields, &camera_defaults);

#define TYPE scene_look
static const scene_field look_fields[] = {
    {"sun", VECTOR, DEFAULT, AT(sun), -1, 1, NULL, "", "direction to the sun"},
    {"exposure", FLOAT, DEFAULT, AT(exposure), 0.01, 100, NULL, "", "brightness"},
    {"clarity", FLOAT, DEFAULT, AT(clarity), 0, COORDINATE_MAX, NULL, "m",
     "depth at which white light has taken the fluid's colour; 0: a quarter of the domain"},
    {"turbidity", FLOAT, DEFAULT, AT(turbidity), 0, 100, NULL, "",
     "share of light that the fluid scatters on that way"},
    {"floor", BOOL, DEFAULT, AT(floor), 0, 0, NULL, "", "tiles at the domain's bottom"},
    {"environment", TEXT, DEFAULT, AT(environment), 0, 1000, NULL, "",
     "a Radiance .hdr file that lights the scene from all sides; empty: an analytic sky"},
};
#undef TYPE
static const scene_look look_defaults = {.sun = {0.4f, 0.75f, -0.7f},
                                         .exposure = 1,
                                         .clarity = 0,
                                         .turbidity = 0.5f,
                                         .floor = true,
                                         .environment = ""};
const scene_table scene_table_look = TABLE("look", look_fields, &look_defaults);

const scene_table *const scene_tables[] = {
    &scene_table_scene,       &scene_table_domain,        &scene_table_sides,
    &scene_table_solver,      &scene_table_fluid,         &scene_table_shape_fill,
    &scene_table_file_fill,   &scene_table_shape,         &scene_table_box,
    &scene_tables_round[0],   &scene_tables_round[1],     &scene_tables_round[2],
    &scene_tables_round[3],   &scene_tables_round[4],     &scene_tables_round[5],
    &scene_table_mesh,        &scene_table_mesh_sequence, &scene_table_smooth_union,
    &scene_table_solid,       &scene_table_motion,        &scene_table_keyframe,
    &scene_table_oscillation, &scene_table_spin,          &scene_table_axis_angle,
    &scene_table_gauge,       &scene_tables_gauge[0],     &scene_tables_gauge[1],
    &scene_tables_gauge[2],   &scene_tables_gauge[3],     &scene_tables_gauge[4],
    &scene_table_emitter,     &scene_table_sink,          &scene_table_force,
    &scene_table_gradient,    &scene_table_wave,          &scene_table_camera,
    &scene_table_look,
};
const size_t scene_table_count = BASE_COUNT(scene_tables);
