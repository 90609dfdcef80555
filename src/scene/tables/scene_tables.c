/* Describes what a scene may contain: one table per kind of object, each field with its type,
 * range, unit and default. The parser and the effective scene use these tables;
 * scenes/scene.schema.json is generated from them. */
#include "scene_table_macros.h"

/* ---- the scene ------------------------------------------------------------------------------ */
#define TYPE scene_data
static const scene_field scene_fields[] = {
    FIELD_OBJECT("$schema", OPTIONAL, "path of the JSON schema of this format, for editors"),
    FIELD_OBJECT("format", OPTIONAL, "number of the format of this scene; default: 1"),
    FIELD_TEXT(name, DEFAULT, 1, 64, "short name of the scene"),
    FIELD_TEXT(description, DEFAULT, 0, 1000, "one line that describes the scene"),
    FIELD_OBJECT("domain", REQUIRED, "the box that contains everything"),
    FIELD_VECTOR(gravity, DEFAULT, -1e4, 1e4, "m/s2", "acceleration of all fluids", LIVE),
    FIELD_OBJECT("gravity_keyframes", OPTIONAL, "gravity over time"),
    FIELD_FLOAT(frame_rate, DEFAULT, 1, 10000, "Hz", "frames per second", LIVE),
    FIELD_TIME(duration, DEFAULT, "simulated time of a run", LIVE),
    FIELD_FLOAT(spacing, REQUIRED, 1e-5, 100, "m", "particle spacing d"),
    FIELD_OBJECT("solver", OPTIONAL, "method and parameters of the solver"),
    FIELD_OBJECT("camera", OPTIONAL, "camera of pictures"),
    FIELD_OBJECT("look", OPTIONAL, "appearance of pictures"),
    FIELD_OBJECT("whitewater", OPTIONAL, "whitewater: spray, foam and bubbles"),
    FIELD_OBJECT("sea", OPTIONAL, "open water: a level, waves, a current, and absorbing sides"),
    FIELD_OBJECT("attributes", OPTIONAL, "named values that each particle carries"),
    FIELD_OBJECT("fluids", OPTIONAL,
                 "materials and their initial shapes; default: water, in a sea"),
    FIELD_OBJECT("forces", OPTIONAL, "acceleration fields besides gravity"),
    FIELD_OBJECT("solids", OPTIONAL, "bodies that fluid cannot enter"),
    FIELD_OBJECT("bodies", OPTIONAL, "rigid bodies, moved by fluid and contacts",
                 NOT_WITH(ONLY(PCISPH) | ONLY(WCSPH))),
    FIELD_OBJECT("cloths", OPTIONAL, "sheets that bend, stretch and hang", NOT_WITH(ALL_BUT_PBF)),
    FIELD_OBJECT("ropes", OPTIONAL, "lines that bend, stretch and hang", NOT_WITH(ALL_BUT_PBF)),
    FIELD_OBJECT("soft_bodies", OPTIONAL, "volumes that bend, stretch and wobble",
                 NOT_WITH(ALL_BUT_PBF)),
    FIELD_OBJECT("emitters", OPTIONAL, "openings that emit fluid"),
    FIELD_OBJECT("sinks", OPTIONAL, "shapes that remove the fluid inside"),
    FIELD_OBJECT("gauges", OPTIONAL, "instruments, written to gauges.csv each frame"),
};
const scene_table scene_table_scene =
    TABLE_OF("scene", scene_fields, .name = "unnamed", .description = "", .gravity = {0, -9.81f, 0},
             .frame_rate = 60, .duration = 5);
#undef TYPE

#define TYPE scene_gravity_key
static const scene_field gravity_key_fields[] = {
    FIELD_TIME_OF(time, time_s, REQUIRED, "time at which gravity has this value"),
    FIELD_VECTOR(gravity, REQUIRED, -1e4, 1e4, "m/s2", "acceleration of all fluids"),
};
const scene_table scene_table_gravity_key =
    TABLE_OF("gravity_keyframe", gravity_key_fields, .time_s = 0);
#undef TYPE

#define TYPE scene_domain
static const scene_field domain_fields[] = {
    FIELDS_BOX_CORNERS(REQUIRED, ""),
    FIELD_OBJECT("sides", OPTIONAL, "behaviour of each side"),
    FIELD_FLOAT(friction, DEFAULT, 0, 2, "", "Coulomb friction coefficient of closed sides", KEYED),
    FIELD_BOOL(no_slip,
               "fluids with a dynamic viscosity do not slip along closed sides; otherwise they "
               "slip freely",
               LIVE),
};
const scene_table scene_table_domain = TABLE_OF("domain", domain_fields, .no_slip = true);
#undef TYPE

static const scene_field sides_fields[] = {
    FIELD_OBJECT("x", OPTIONAL, "both sides across x, or [lower, upper]"),
    FIELD_OBJECT("y", OPTIONAL, "both sides across y, or [lower, upper]"),
    FIELD_OBJECT("z", OPTIONAL, "both sides across z, or [lower, upper]"),
};
const scene_table scene_table_sides = TABLE("sides", sides_fields, NULL);

static const char *const methods[] = {"pbf", "pcisph", "flip", "apic", "wcsph", NULL};

const char *scene_method_name(uint32_t method)
{
    return method < BASE_COUNT(methods) ? methods[method] : NULL;
}

static const char *const kernels[] = {"poly6", "wendland", NULL};
static const char *const deformable_solvers[] = {"gauss_seidel", "jacobi", NULL};
static const char *const long_range_choices[] = {"auto", "on", "off", NULL};

#define TYPE scene_tolerance
static const scene_field tolerance_fields[] = {
    FIELD_FLOAT(mean, DEFAULT, 0, 0.5, "rho0", "largest mean density error; 0: no limit", KEYED,
                NOT_WITH(WITH_GRID | ONLY(WCSPH))),
    FIELD_FLOAT(max, DEFAULT, 0, 0.5, "rho0",
                "density error that at most one particle in a thousand may exceed; 0: no limit",
                KEYED, NOT_WITH(WITH_GRID | ONLY(WCSPH))),
};
const scene_table scene_table_tolerance = TABLE_OF("tolerance", tolerance_fields, .mean = 0);
#undef TYPE

#define TYPE scene_solver
static const scene_field solver_fields[] = {
    FIELD_OBJECT("preset", OPTIONAL, "source of the values that are not given"),
    FIELD_ENUM(method, methods,
               "position based fluids, predictive-corrective SPH, particles with a MAC grid (FLIP, "
               "APIC), or weakly compressible SPH"),
    FIELD_ENUM(kernel, kernels,
               "smoothing kernel of densities: the paper's poly6, or wendland, whose own gradient "
               "gives the corrections"),
    FIELD_FLOAT(lattice_density_ratio, DEFAULT, 0.5, 2, "",
                "density of the initial lattice over the rest density"),
    FIELD_INTEGER(dimensions, DEFAULT, 2, 3,
                  "2 for a flow in the xy plane in the middle of the domain's z"),
    FIELD_INTEGER(substeps, DEFAULT, 1, SCENE_MAX_SUBSTEPS,
                  "substeps per frame; default: enough for substeps of 1/240 s"),
    FIELD_INTEGER(iterations, DEFAULT, 1, 100,
                  "density iterations per substep; with a tolerance, the maximum", LIVE),
    FIELD_OBJECT("tolerance", OPTIONAL, "density error at which the iterations of a substep end"),
    FIELD_BOOL(adaptive, "choose the substeps of a frame by speed, at most `substeps`", LIVE,
               NOT_WITH(ONLY(WCSPH))),
    FIELD_FLOAT(cfl, DEFAULT, 0.05, 10, "d",
                "distance that the fastest particle may move in one adaptive substep", KEYED),
    FIELD_FLOAT(support_radius, DEFAULT, 1.5, 4, "d", "support radius h"),
    FIELD_FLOAT(grid_cell_size, DEFAULT, 1, 4, "d",
                "edge of a cell of the MAC grid; 2 gives 8 particles per cell"),
    FIELD_FLOAT(
        pic_fraction, DEFAULT, 0, 1, "",
        "weight of PIC in the blend with FLIP, at reference_dt; more is calmer and damps more"),
    FIELD_FLOAT(projection_tolerance, DEFAULT, 1e-6, 0.1, "",
                "largest divergence after the pressure solve, over the largest before it"),
    FIELD_BOOL(separating_walls, "walls push the fluid on the MAC grid, but do not pull it"),
    FIELD_BOOL(reseed, "move particles from overfull cells of the MAC grid to underfull ones",
               NOT_WITH(WITHOUT_GRID)),
    FIELD_FLOAT(relaxation, DEFAULT, 0.05, 2, "",
                "fraction of each correction that is applied, omega", KEYED),
    FIELD_FLOAT(constraint_softening, DEFAULT, 0, 100, "1/h2",
                "regularisation of the density constraint, epsilon of equation 11", KEYED),
    FIELD_FLOAT(artificial_pressure, DEFAULT, 0, 0.2, "h2",
                "strength of the artificial pressure, k of equation 13", KEYED),
    FIELD_FLOAT(artificial_pressure_distance, DEFAULT, 0, 0.9, "h",
                "reference distance of the artificial pressure, |dq| of equation 13", KEYED),
    FIELD_INTEGER(artificial_pressure_exponent, DEFAULT, 1, 8,
                  "exponent of the artificial pressure, n of equation 13", LIVE),
    FIELD_FLOAT(artificial_pressure_cutoff, DEFAULT, 0, 3, "d",
                "distance from which on the artificial pressure is 0; 0: as in equation 13", KEYED),
    FIELD_BOOL(scale_artificial_pressure, "scale k by (dt / reference_dt)^2 / iterations", LIVE),
    FIELD_BOOL(allow_negative_pressure,
               "keep negative constraint values, which pull particles together", LIVE),
    FIELD_FLOAT(vorticity_confinement, DEFAULT, 0, 10, "h/s",
                "strength of the vorticity confinement, epsilon of equation 16", KEYED,
                NOT_WITH(WITH_GRID)),
    FIELD_FLOAT(chebyshev_spectral_radius, DEFAULT, 0, 0.98, "",
                "spectral radius of the Chebyshev acceleration; 0 turns it off",
                NOT_WITH(WITH_GRID | ONLY(WCSPH))),
    FIELD_ENUM(long_range_correction, long_range_choices,
               "first correct the density over long distances, by multigrid; auto: if deep fluid "
               "would otherwise be compressed by more than 5 % at the floor, or a tolerance would "
               "take more than 8 iterations",
               NOT_WITH(WITH_GRID | ONLY(WCSPH))),
    FIELD_INTEGER(pre_stabilization, DEFAULT, 0, 1000,
                  "largest number of solves before the first frame that move particles apart where "
                  "a fill is too dense; of pbf and pcisph"),
    FIELD_FLOAT(max_correction, DEFAULT, 0.01, 1, "d", "largest correction of one iteration",
                KEYED),
    FIELD_FLOAT(max_speed, DEFAULT, 0.1, SCENE_MAX_SPEED_SPACINGS, "d",
                "largest distance that a particle may move in one substep", KEYED),
    FIELD_BOOL(boundary_density, "include walls and solids in the density constraint", LIVE),
    FIELD_FLOAT(boundary_gap, DEFAULT, 0.1, 1, "d",
                "distance that particles keep from walls and solids", KEYED),
    FIELD_FLOAT(
        reference_dt, DEFAULT, 1e-5, 1, "s",
        "substep at which XSPH, artificial pressure and pic_fraction have the given strength",
        LIVE),
    FIELD_FLOAT(sound_speed, DEFAULT, 0, 1e5, "m/s",
                "speed of sound of wcsph; 0: ten times the speed of a fall through the domain"),
    FIELD_FLOAT(artificial_viscosity, DEFAULT, 0, 10, "",
                "artificial viscosity of wcsph, which damps approaching particles, alpha"),
    FIELD_INTEGER(deformable_iterations, DEFAULT, 1, SCENE_MAX_DEFORMABLE_ITERATIONS,
                  "iterations over the constraints of cloths, ropes and soft bodies, per density "
                  "iteration: with more they stretch less"),
    FIELD_ENUM(deformable_solver, deformable_solvers,
               "solver of the constraints of cloths, ropes and soft bodies: one graph colour after "
               "another, or all in parallel, which converges more slowly"),
    FIELD_BOOL(residuals, "record the density error of every iteration, for --residuals",
               NOT_WITH(WITH_GRID | ONLY(WCSPH))),
    FIELD_BOOL(solid_forces,
               "sum the force and torque of the fluid on every solid, for host programs",
               NOT_WITH(ONLY(PCISPH))),
};
#undef TYPE
/* docs/parameters.md states where each value comes from. */
#define EVERY_PRESET                                                                        \
    .dimensions = 3, .artificial_pressure_distance = 0.2f, .lattice_density_ratio = 1,      \
    .artificial_pressure_exponent = 4, .boundary_gap = 0.5f, .artificial_viscosity = 0.05f, \
    .grid_cell_size = 2, .pic_fraction = 0.05f, .projection_tolerance = 1e-4f,              \
    .separating_walls = true, .deformable_iterations = 2
static const scene_solver solver_defaults = {
    EVERY_PRESET,
    .iterations = 4,
    .substeps = 4,
    .cfl = 0.4f,
    .reference_dt = 1.0f / 240,
    .kernel = SCENE_KERNEL_WENDLAND,
    .support_radius = 2.1f,
    .relaxation = 0.65f,
    .constraint_softening = 0.01f,
    .artificial_pressure = 0.02f,
    .artificial_pressure_cutoff = 0.8f,
    .long_range_correction = SCENE_LONG_RANGE_AUTO,
    .pre_stabilization = 20,
    .max_correction = 0.25f,
    .max_speed = 5,
    .boundary_density = true,
};
static const scene_solver solver_paper = {
    EVERY_PRESET,
    .iterations = 4,
    .substeps = 4,
    .cfl = 0.4f,
    .reference_dt = 1.0f / 240,
    .kernel = SCENE_KERNEL_POLY6,
    .support_radius = 2,
    .relaxation = 1,
    .constraint_softening = 1,
    .artificial_pressure = 0.1f,
    .allow_negative_pressure = true,
    .long_range_correction = SCENE_LONG_RANGE_OFF,
    .max_correction = 1,
    .max_speed = 10,
};
/* Defaults of FLIP and APIC; values that they do not use are as in solver_defaults. */
static const scene_solver solver_grid = {
    EVERY_PRESET,
    .iterations = 24, /* only of body contacts: a tower stands with one substep per frame */
    .substeps = 8,
    .reference_dt = 1.0f / 60,
    .adaptive = true,
    .cfl = 2,
    .support_radius = 2,
    .kernel = SCENE_KERNEL_WENDLAND,
    .relaxation = 0.65f,
    .constraint_softening = 0.01f,
    .artificial_pressure = 0.02f,
    .artificial_pressure_cutoff = 0.8f,
    .max_correction = 0.25f,
    .max_speed = 10,
    .boundary_density = true,
};
const scene_table scene_table_solver = TABLE("solver", solver_fields, &solver_defaults);
const scene_table scene_table_solver_grid = TABLE("solver", solver_fields, &solver_grid);
const scene_table scene_table_solver_paper = TABLE("solver", solver_fields, &solver_paper);

/* ---- fluids --------------------------------------------------------------------------------- */
#define TYPE scene_fluid
static const scene_field fluid_fields[] = {
    FIELD_NAME("fluids"),
    FIELD_FLOAT(density, DEFAULT, 1, 30000, "kg/m3", "rest density", LIVE),
    FIELD_VECTOR(colour, DEFAULT, 0, 1, "", "colour, as linear red, green, blue", LIVE),
    FIELD_OBJECT("colour_curve", OPTIONAL, "colour in pictures that depends on an attribute"),
    FIELD_FLOAT(xsph, DEFAULT, 0, 0.5, "", "XSPH coefficient c of equation 17 at reference_dt",
                KEYED, NOT_WITH(WITH_GRID)),
    FIELD_FLOAT(dynamic_viscosity, DEFAULT, 0, 1e5, "Pa s",
                "dynamic viscosity; water: 0.001, honey: 10", KEYED),
    FIELD_OBJECT("dynamic_viscosity_curve", OPTIONAL,
                 "dynamic viscosity that depends on an attribute, in place of dynamic_viscosity"),
    FIELD_FLOAT(surface_tension, DEFAULT, 0, 1000, "N/m", "surface tension of the free surface"),
    FIELD_OBJECT("surface_tension_curve", OPTIONAL,
                 "surface tension that depends on an attribute, in place of surface_tension"),
    FIELD_OBJECT("fill", OPTIONAL, "initial shape of the fluid"),
};
#define ANY_FLUID .density = 1000, .colour = SCENE_WATER_COLOUR
const scene_table scene_table_fluid = TABLE_OF("fluid", fluid_fields, ANY_FLUID);
const scene_table scene_table_fluid_paper =
    TABLE_OF("fluid", fluid_fields, ANY_FLUID, .xsph = 0.01f);
#undef ANY_FLUID
#undef TYPE

static const char *const lattices[] = {"cubic", "hexagonal", NULL};

#define TYPE scene_fill
static const scene_field shape_fill_fields[] = {
    FIELD_OBJECT("shape", REQUIRED, "shape to fill; without one, give a file of particles"),
    FIELD_ENUM(lattice, lattices, "arrangement of the particles"),
    FIELD_FLOAT(jitter, DEFAULT, 0, 0.5, "d", "largest random displacement along each axis"),
    FIELD_INTEGER(seed, DEFAULT, 0, UINT32_MAX, "seed of the random numbers"),
    FIELD_START_VELOCITY("initial velocity"),
    FIELD_OBJECT("attributes", OPTIONAL, "values of the scene's attributes"),
};
static const scene_field file_fill_fields[] = {
    FIELD_OBJECT("file", REQUIRED, "particle file to read"),
    FIELDS_POSE("file"),
    FIELD_FILE_UP(file_up),
    FIELD_START_VELOCITY("velocity that is added to the file's velocities"),
    FIELD_OBJECT("attributes", OPTIONAL,
                 "values of the scene's attributes, in place of the file's columns"),
};
static const scene_field gradient_fields[] = {
    FIELD_SPEED_OF(x, gradient[0], DEFAULT, "1/s", "gradient of the x component of the velocity"),
    FIELD_SPEED_OF(y, gradient[1], DEFAULT, "1/s", "gradient of the y component of the velocity"),
    FIELD_SPEED_OF(z, gradient[2], DEFAULT, "1/s", "gradient of the z component of the velocity"),
    FIELD_POINT_OF(centre, gradient_centre, DEFAULT, "point where this part is zero"),
};
static const scene_field wave_fields[] = {
    FIELD_SPEED_OF(amplitude, wave, REQUIRED, "m/s",
                   "peak velocity of amplitude sin(wave_vector . p + phase)"),
    FIELD_VECTOR(wave_vector, REQUIRED, -COORDINATE_MAX, COORDINATE_MAX, "rad/m",
                 "normal to the crests, of length 2 pi over the wavelength"),
    FIELD_ANGLE_OF(phase, wave_phase, DEFAULT, "phase at the world's origin"),
};
#undef TYPE
static const scene_fill fill_defaults = {.seed = 1, .pose = {.rotation = {0, 0, 0, 1}, .scale = 1}};
/* Jittered, because rows of a lattice that flow along an axis of the MAC grid bunch into ridges. */
static const scene_fill fill_grid = {
    .seed = 1, .jitter = 0.5f, .pose = {.rotation = {0, 0, 0, 1}, .scale = 1}};
const scene_table scene_table_shape_fill = TABLE("shape_fill", shape_fill_fields, &fill_defaults);
const scene_table scene_table_shape_fill_grid = TABLE("shape_fill", shape_fill_fields, &fill_grid);
const scene_table scene_table_file_fill = TABLE("file_fill", file_fill_fields, &fill_defaults);
const scene_table scene_table_gradient =
    TABLE("velocity_gradient", gradient_fields, &fill_defaults);
const scene_table scene_table_wave = TABLE("velocity_wave", wave_fields, &fill_defaults);

#define TYPE scene_region
static const scene_field region_fields[] = {
    FIELDS_BOX_CORNERS(OPTIONAL, " of a box"),
    FIELD_POINT(centre, OPTIONAL, "centre of a sphere"),
    FIELD_LENGTH(radius, OPTIONAL, "radius of a sphere"),
};
const scene_table scene_table_region = TABLE_OF("inside", region_fields, 0);
#undef TYPE

/* ---- shapes --------------------------------------------------------------------------------- */
#define TYPE scene_shape
/* The kinds come first, in the order of scene_shape_kind. */
static const scene_field shape_fields[] = {
    FIELD_OBJECT("box", OPTIONAL, "a box: size, or min and max"),
    FIELD_OBJECT("sphere", OPTIONAL, "a ball"),
    FIELD_OBJECT("capsule", OPTIONAL, "a cylinder along y with round ends"),
    FIELD_OBJECT("cylinder", OPTIONAL, "a cylinder along y"),
    FIELD_OBJECT("cone", OPTIONAL, "a cone, its tip towards +y"),
    FIELD_OBJECT("torus", OPTIONAL, "a ring in the xz plane"),
    FIELD_OBJECT("plane", OPTIONAL, "the half space below y = 0"),
    FIELD_OBJECT("mesh", OPTIONAL, "a triangle mesh, or a sequence of meshes"),
    FIELD_OBJECT("union", OPTIONAL, "union of the shapes"),
    FIELD_OBJECT("intersection", OPTIONAL, "intersection of the shapes"),
    FIELD_OBJECT("difference", OPTIONAL, "the first shape minus all others"),
    FIELD_OBJECT("smooth_union", OPTIONAL, "union with smoothly blended transitions"),
    FIELDS_POSE("shape"),
};
static const scene_shape shape_defaults = {.pose = {.rotation = {0, 0, 0, 1}, .scale = 1}};
const scene_table scene_table_shape = TABLE("shape", shape_fields, &shape_defaults);

static const scene_field sphere_fields[] = {FIELD_LENGTH(radius, REQUIRED, "radius")};
static const scene_field capsule_fields[] = {
    FIELD_LENGTH(radius, REQUIRED, "radius"),
    FIELD_LENGTH(height, REQUIRED, "distance between the centres of the round ends"),
};
static const scene_field cylinder_fields[] = {
    FIELD_LENGTH(radius, REQUIRED, "radius"),
    FIELD_LENGTH(height, REQUIRED, "height"),
};
static const scene_field cone_fields[] = {
    FIELD_LENGTH(radius, REQUIRED, "radius of the base"),
    FIELD_LENGTH(height, REQUIRED, "height from base to tip"),
};
static const scene_field torus_fields[] = {
    FIELD_LENGTH(radius, REQUIRED,
                 "distance from the centre of the ring to the centre of the tube"),
    FIELD_LENGTH(tube_radius, REQUIRED, "radius of the tube"),
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
    FIELD_LENGTH(blend, DEFAULT, "width of the blended zone"),
    FIELD_OBJECT("shapes", REQUIRED, "shapes to blend"),
};
const scene_table scene_table_smooth_union =
    TABLE_OF("smooth_union", smooth_union_fields, .blend = 0.05f);
#undef TYPE

#define TYPE scene_box_input
static const scene_field box_fields[] = {
    FIELD_VECTOR(size, OPTIONAL, SIZE_MIN, COORDINATE_MAX, "m",
                 "edge lengths; the box is centred on the shape's own origin"),
    FIELDS_BOX_CORNERS(OPTIONAL, ""),
};
const scene_table scene_table_box = TABLE_OF("box", box_fields, .size = {1, 1, 1});
#undef TYPE

#define TYPE scene_mesh_input
static const scene_field mesh_fields[] = {
    FIELD_TEXT_OF(file, path, REQUIRED, 1, 4096, "a triangle mesh: OBJ, PLY, STL, glTF or VTK"),
    FIELD_FILE_UP(up),
};
static const scene_field mesh_sequence_fields[] = {
    FIELD_TEXT_OF(files, path, REQUIRED, 1, 4096,
                  "meshes of one topology, numbered by one %d or %04d"),
    FIELD_INTEGER(first, REQUIRED, 0, 1000000, "number of the first file"),
    FIELD_INTEGER(last, REQUIRED, 0, 1000000, "number of the last file"),
    FIELD_FLOAT_OF(rate, rate_hz, DEFAULT, 0.001, 10000, "Hz", "files per second"),
    FIELD_FILE_UP(up),
};
#undef TYPE
static const scene_mesh_input mesh_defaults = {.rate_hz = 24};
const scene_table scene_table_mesh = TABLE("mesh_file", mesh_fields, &mesh_defaults);
const scene_table scene_table_mesh_sequence =
    TABLE("mesh_sequence", mesh_sequence_fields, &mesh_defaults);

/* ---- solids and their motion ---------------------------------------------------------------- */
#define TYPE scene_solid
static const scene_field solid_fields[] = {
    FIELD_NAME("solids"),
    FIELD_OBJECT("shape", REQUIRED, "shape and pose of the solid"),
    FIELD_FLOAT(thickness, DEFAULT, 0, 100, "m",
                "makes a shell of this thickness from the shape's surface, so that a mesh may be "
                "open; 0: a filled shape"),
    FIELD_FLOAT(friction, DEFAULT, 0, 2, "", "Coulomb friction coefficient of the surface"),
    FIELD_BOOL(no_slip, "fluids with a dynamic viscosity do not slip along the surface; otherwise "
                        "they slip freely"),
    FIELD_VECTOR(colour, DEFAULT, 0, 1, "", "colour, as linear red, green, blue"),
    FIELD_OBJECT("motion", OPTIONAL, "motion of the solid; default: at rest"),
};
const scene_table scene_table_solid =
    TABLE_OF("solid", solid_fields, .no_slip = true, .colour = {0.55f, 0.52f, 0.48f});
#undef TYPE

#define TYPE scene_motion
static const scene_field motion_fields[] = {
    FIELD_OBJECT("keyframes", OPTIONAL, "poses at given times, with uniform motion between them"),
    FIELD_OBJECT("oscillation", OPTIONAL, "oscillation of position and rotation"),
    FIELD_OBJECT("spin", OPTIONAL, "rotation at a constant rate"),
    FIELD_BOOL(host_driven,
               "moved by the host program, with weir_sim_set_solid or weir_sim_set_emitter"),
    FIELD_TIME_OF(start, start_s, DEFAULT, "time at which the motion starts"),
    FIELD_TIME_OF(end, end_s, DEFAULT, "time at which the motion stops"),
};
static const scene_field oscillation_fields[] = {
    FIELD_POINT(amplitude, DEFAULT, "amplitude of the offset"),
    FIELD_FLOAT_OF(frequency, frequency_hz, REQUIRED, 0, 1000, "Hz", "cycles per second"),
    FIELD_ANGLE(phase, DEFAULT, "phase at the start"),
    FIELD_OBJECT("rotation_amplitude", OPTIONAL,
                 "amplitude of the rotation, in phase with the offset"),
    FIELD_POINT(centre, DEFAULT, "centre of the rotation"),
};
#undef TYPE
static const scene_motion motion_defaults = {.end_s = SCENE_NO_END_S};
const scene_table scene_table_motion = TABLE("motion", motion_fields, &motion_defaults);
const scene_table scene_table_oscillation =
    TABLE("oscillation", oscillation_fields, &motion_defaults);

#define TYPE scene_pose_key
static const scene_field keyframe_fields[] = {
    FIELD_TIME_OF(time, time_s, REQUIRED, "time at which the pose is reached"),
    FIELD_POINT(position, DEFAULT, "offset from the pose of the scene"),
    FIELD_OBJECT("rotation", OPTIONAL, "rotation about the world's origin"),
};
const scene_table scene_table_keyframe =
    TABLE_OF("keyframe", keyframe_fields, .rotation = {0, 0, 0, 1});
#undef TYPE

#define TYPE scene_spin_input
static const scene_field spin_fields[] = {
    FIELD_DIRECTION(axis, REQUIRED, "direction of the axis; right-handed rotation"),
    FIELD_FLOAT(rate, REQUIRED, -1e4, 1e4, "rad/s", "angular speed"),
    FIELD_POINT(centre, DEFAULT, "a point on the axis"),
};
const scene_table scene_table_spin = TABLE_OF("spin", spin_fields, .axis = {0, 1, 0});
#undef TYPE

#define TYPE scene_axis_angle_input
static const scene_field axis_angle_fields[] = {
    FIELD_DIRECTION(axis, REQUIRED, "direction of the axis; right-handed rotation"),
    FIELD_ANGLE(angle, REQUIRED, "angle of rotation"),
};
const scene_table scene_table_axis_angle =
    TABLE_OF("axis_angle", axis_angle_fields, .axis = {0, 1, 0});
#undef TYPE

/* ---- all of them ---------------------------------------------------------------------------- */

const scene_table *const scene_tables[] = {
    &scene_table_scene,
    &scene_table_domain,
    &scene_table_sides,
    &scene_table_solver,
    &scene_table_tolerance,
    &scene_table_fluid,
    &scene_table_shape_fill,
    &scene_table_file_fill,
    &scene_table_shape,
    &scene_table_box,
    &scene_tables_round[0],
    &scene_tables_round[1],
    &scene_tables_round[2],
    &scene_tables_round[3],
    &scene_tables_round[4],
    &scene_tables_round[5],
    &scene_table_mesh,
    &scene_table_mesh_sequence,
    &scene_table_smooth_union,
    &scene_table_solid,
    &scene_table_motion,
    &scene_table_keyframe,
    &scene_table_oscillation,
    &scene_table_spin,
    &scene_table_axis_angle,
    &scene_table_gauge,
    &scene_tables_gauge[0],
    &scene_tables_gauge[1],
    &scene_tables_gauge[2],
    &scene_tables_gauge[3],
    &scene_tables_gauge[4],
    &scene_table_emitter,
    &scene_table_sink,
    &scene_table_force,
    &scene_table_gradient,
    &scene_table_wave,
    &scene_table_camera,
    &scene_table_look,
    &scene_table_whitewater,
    &scene_table_whitewater_emitter,
    &scene_table_body,
    &scene_table_region,
    &scene_table_camera_keyframe,
    &scene_table_cloth,
    &scene_table_rope,
    &scene_table_pin,
    &scene_table_cloth_grid,
    &scene_table_cloth_mesh,
    &scene_table_soft_body,
    &scene_table_gravity_key,
    &scene_table_speed_key,
    &scene_table_flow_rate_key,
    &scene_table_attribute,
    &scene_table_sea,
    &scene_table_sea_zones,
    &scene_table_sea_waves,
};
const size_t scene_table_count = BASE_COUNT(scene_tables);
