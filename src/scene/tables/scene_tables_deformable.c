/* Tables of cloths, ropes and soft bodies; the others are in scene_tables.c. */
#include "scene_table_macros.h"

static const char *const collides_with_choices[] = {"all", "others", "none", NULL};
#define COLLIDES_WITH                         \
    FIELD_ENUM(                               \
        collides_with, collides_with_choices, \
        "cloths, ropes and soft bodies that its vertices collide with; \"all\" includes itself")

#define SKIN_FRICTION                               \
    FIELD_FLOAT(skin_friction, DEFAULT, 0, 100, "", \
                "skin-friction coefficient of fluid that flows along it")

#define TEAR                                         \
    FIELD_FLOAT(tear_strain, OPTIONAL, 1e-3, 10, "", \
                "strain at which an edge tears permanently; default: no tearing")

#define PBD_STIFFNESS                                                                           \
    FIELD_FLOAT(pbd_stiffness, OPTIONAL, 1e-4, 1, "",                                           \
                "stiffness of position-based dynamics, in place of stiffness: the fraction of " \
                "each stretch that a substep removes")

#define TYPE scene_deformable
static const scene_field cloth_fields[] = {
    FIELD_NAME("cloths, of letters, digits, - and _"),
    FIELD_OBJECT("grid", OPTIONAL, "a parallelogram of square cells"),
    FIELD_OBJECT("mesh", OPTIONAL, "the triangles of a mesh file"),
    FIELD_FLOAT_OF(area_density, density, REQUIRED, 1e-4, 1e4, "kg/m2", "mass per area"),
    FIELD_FLOAT(stiffness, OPTIONAL, 1e-3, 1e9, "N/m",
                "force per width and strain; default: inextensible"),
    PBD_STIFFNESS,
    FIELD_FLOAT(bending_stiffness, DEFAULT, 0, 1e6, "N m",
                "bending moment per width and curvature; canvas: 1e-3"),
    FIELD_FLOAT(
        thickness, OPTIONAL, SIZE_MIN, 100, "m",
        "collision thickness: vertices keep at least half of it from solids; default: one spacing"),
    FIELD_FLOAT(friction, DEFAULT, 0, 2, "", "Coulomb friction"),
    FIELD_FLOAT(damping, DEFAULT, 0, 1e4, "1/s",
                "rate at which internal motion decays; rigid motion is not damped"),
    TEAR,
    FIELD_FLOAT(permeability, DEFAULT, 0, 1, "m/(s Pa)",
                "speed at which fluid passes through, per pressure; 0: impermeable"),
    SKIN_FRICTION,
    COLLIDES_WITH,
    FIELD_SPEED_OF(velocity, velocity, DEFAULT, "m/s", "initial velocity"),
    FIELD_VECTOR(colour, DEFAULT, 0, 1, "", "colour, as linear red, green, blue"),
    FIELD_OBJECT("pins", OPTIONAL, "attachments of vertices"),
};
const scene_table scene_table_cloth =
    TABLE_OF("cloth", cloth_fields, .friction = 0.3f, .colour = {0.6f, 0.08f, 0.06f});

static const scene_field rope_fields[] = {
    FIELD_NAME("ropes, of letters, digits, - and _"),
    FIELD_OBJECT("points", REQUIRED, "points of the rope's line, m; at least two"),
    FIELD_FLOAT_OF(line_density, density, REQUIRED, 1e-6, 1e5, "kg/m", "mass per length"),
    FIELD_FLOAT_OF(diameter, thickness, REQUIRED, SIZE_MIN, 100, "m", "thickness"),
    FIELD_FLOAT_OF(spacing, spacing_m, OPTIONAL, SIZE_MIN, 1e4, "m",
                   "largest spacing of vertices; default: three quarters of the fluid's"),
    FIELD_FLOAT(stiffness, OPTIONAL, 1e-3, 1e12, "N", "force per strain; default: inextensible"),
    PBD_STIFFNESS,
    FIELD_FLOAT(bending_stiffness, DEFAULT, 0, 1e9, "N m2", "bending moment per curvature"),
    FIELD_FLOAT(friction, DEFAULT, 0, 2, "", "Coulomb friction"),
    FIELD_FLOAT(damping, DEFAULT, 0, 1e4, "1/s",
                "rate at which internal motion decays; rigid motion is not damped"),
    TEAR,
    SKIN_FRICTION,
    COLLIDES_WITH,
    FIELD_SPEED_OF(velocity, velocity, DEFAULT, "m/s", "initial velocity"),
    FIELD_VECTOR(colour, DEFAULT, 0, 1, "", "colour, as linear red, green, blue"),
    FIELD_OBJECT("pins", OPTIONAL, "attachments of vertices"),
};
const scene_table scene_table_rope =
    TABLE_OF("rope", rope_fields, .friction = 0.3f, .colour = {0.45f, 0.33f, 0.18f});

static const scene_field soft_body_fields[] = {
    FIELD_NAME("soft bodies, of letters, digits, - and _"),
    FIELD_OBJECT("shape", REQUIRED, "shape and initial pose of the soft body"),
    FIELD_FLOAT(density, REQUIRED, 1, 30000, "kg/m3", "density of the material"),
    FIELD_FLOAT(stiffness, OPTIONAL, 1, 1e9, "Pa", "Young's modulus; jelly: 1e4, rubber: 1e6"),
    PBD_STIFFNESS,
    FIELD_FLOAT_OF(poisson_ratio, poisson_ratio, DEFAULT, 0.25, 0.49, "",
                   "Poisson's ratio: transverse contraction over extension"),
    FIELD_FLOAT_OF(cluster_radius, cluster_radius_m, OPTIONAL, SIZE_MIN, 1e4, "m",
                   "uses shape matching, with pbd_stiffness: radius of each cluster of vertices; a "
                   "single cluster if over half of the body's length"),
    FIELD_FLOAT_OF(spacing, spacing_m, OPTIONAL, SIZE_MIN, 1e4, "m",
                   "approximate spacing of vertices; default: one and a half of the fluid's"),
    FIELD_FLOAT(friction, DEFAULT, 0, 2, "", "Coulomb friction"),
    FIELD_FLOAT(damping, DEFAULT, 0, 1e4, "1/s",
                "rate at which internal motion decays; rigid motion is not damped"),
    SKIN_FRICTION,
    COLLIDES_WITH,
    FIELD_SPEED_OF(velocity, velocity, DEFAULT, "m/s", "initial velocity"),
    FIELD_VECTOR(colour, DEFAULT, 0, 1, "", "colour, as linear red, green, blue"),
    FIELD_OBJECT("pins", OPTIONAL, "attachments of vertices"),
};
const scene_table scene_table_soft_body =
    TABLE_OF("soft_body", soft_body_fields, .friction = 0.3f, .poisson_ratio = 0.4f,
             .colour = {0.1f, 0.5f, 0.12f});

static const scene_field grid_fields[] = {
    FIELD_POINT(corner, REQUIRED, "first corner of the sheet"),
    FIELD_POINT(along, REQUIRED, "edge from that corner to the next one"),
    FIELD_POINT(across, REQUIRED, "edge from that corner to the other adjacent one"),
    FIELD_FLOAT_OF(spacing, spacing_m, OPTIONAL, SIZE_MIN, 1e4, "m",
                   "largest spacing of vertices; default: three quarters of the fluid's"),
};
const scene_table scene_table_cloth_grid = TABLE_OF("cloth_grid", grid_fields, .kind = 0);

static const scene_field mesh_fields[] = {
    FIELD_OBJECT("file", REQUIRED, "a triangle mesh: OBJ, PLY, STL, glTF or VTK"),
    FIELDS_POSE("mesh"),
    FIELD_FILE_UP(mesh_up),
};
const scene_table scene_table_cloth_mesh =
    TABLE_OF("cloth_mesh", mesh_fields, .pose = {.rotation = {0, 0, 0, 1}, .scale = 1});
#undef TYPE

#define TYPE scene_pin
static const scene_field pin_fields[] = {
    FIELD_OBJECT("vertices", OPTIONAL, "indices of vertices, from 0; -1 is the last"),
    FIELD_OBJECT("inside", OPTIONAL, "a box or a sphere: all vertices that are initially inside"),
    FIELD_OBJECT("solid", OPTIONAL, "name of the solid that the vertices move with"),
    FIELD_OBJECT("body", OPTIONAL,
                 "name of the body that the vertices are attached to; without a solid or a body "
                 "they stay in place"),
};
const scene_table scene_table_pin = TABLE_OF("pin", pin_fields, .solid = SCENE_TO_WORLD);
#undef TYPE
