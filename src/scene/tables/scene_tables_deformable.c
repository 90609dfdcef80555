/* Tables of cloths, ropes and soft bodies; the others are in scene_tables.c. */
#include "scene_table_macros.h"

static const char *const collides_with_choices[] = {"all", "others", "none", NULL};
#define COLLIDES_WITH                                \
    FIELD_ENUM(collides_with, collides_with_choices, \
               "the cloths, ropes and soft bodies that its vertices meet, itself among all")

#define SKIN_FRICTION                               \
    FIELD_FLOAT(skin_friction, DEFAULT, 0, 100, "", \
                "skin-friction coefficient of fluid that flows along it")

#define TEAR                                         \
    FIELD_FLOAT(tear_strain, OPTIONAL, 1e-3, 10, "", \
                "strain beyond which an edge tears for good; without it nothing tears")

#define PBD_STIFFNESS                                                                        \
    FIELD_FLOAT(                                                                             \
        pbd_stiffness, OPTIONAL, 1e-4, 1, "",                                                \
        "in place of stiffness, that of position-based dynamics: the share of each stretch " \
        "that a substep takes away")

#define TYPE scene_deformable
static const scene_field cloth_fields[] = {
    FIELD_NAME("cloths, of letters, digits, - and _"),
    FIELD_OBJECT("grid", OPTIONAL, "a parallelogram of square cells"),
    FIELD_OBJECT("mesh", OPTIONAL, "the triangles of a mesh file"),
    FIELD_FLOAT_OF(area_density, density, REQUIRED, 1e-4, 1e4, "kg/m2", "mass of a square metre"),
    FIELD_FLOAT(stiffness, OPTIONAL, 1e-3, 1e9, "N/m",
                "force per width and strain; without it the cloth does not stretch"),
    PBD_STIFFNESS,
    FIELD_FLOAT(bending_stiffness, DEFAULT, 0, 1e6, "N m",
                "moment per width and curvature: canvas has 1e-3"),
    FIELD_FLOAT(thickness, OPTIONAL, SIZE_MIN, 100, "m",
                "of what meets solids: their distance is half of it at least; else one spacing"),
    FIELD_FLOAT(friction, DEFAULT, 0, 1, "", "Coulomb friction"),
    FIELD_FLOAT(damping, DEFAULT, 0, 1e4, "1/s",
                "how fast motion within the cloth dies; it goes on as a whole"),
    TEAR,
    FIELD_FLOAT(permeability, DEFAULT, 0, 1, "m/(s Pa)",
                "speed at which fluid passes, per pressure; 0: the cloth is tight"),
    SKIN_FRICTION,
    COLLIDES_WITH,
    FIELD_SPEED_OF(velocity, velocity, DEFAULT, "m/s", "at the start"),
    FIELD_VECTOR(colour, DEFAULT, 0, 1, "", "linear red, green, blue"),
    FIELD_OBJECT("pins", OPTIONAL, "what holds vertices"),
};
const scene_table scene_table_cloth =
    TABLE_OF("cloth", cloth_fields, .friction = 0.3f, .colour = {0.6f, 0.08f, 0.06f});

static const scene_field rope_fields[] = {
    FIELD_NAME("ropes, of letters, digits, - and _"),
    FIELD_OBJECT("points", REQUIRED, "the corners of its line, m: two at least"),
    FIELD_FLOAT_OF(line_density, density, REQUIRED, 1e-6, 1e5, "kg/m", "mass of a metre"),
    FIELD_FLOAT_OF(diameter, thickness, REQUIRED, SIZE_MIN, 100, "m", "thickness"),
    FIELD_FLOAT_OF(spacing, spacing_m, OPTIONAL, SIZE_MIN, 1e4, "m",
                   "of vertices, at most; else three quarters of the fluid's"),
    FIELD_FLOAT(stiffness, OPTIONAL, 1e-3, 1e12, "N",
                "force per strain; without it the rope does not stretch"),
    PBD_STIFFNESS,
    FIELD_FLOAT(bending_stiffness, DEFAULT, 0, 1e9, "N m2", "moment over curvature"),
    FIELD_FLOAT(friction, DEFAULT, 0, 1, "", "Coulomb friction"),
    FIELD_FLOAT(damping, DEFAULT, 0, 1e4, "1/s",
                "how fast motion within the rope dies; it goes on as a whole"),
    TEAR,
    SKIN_FRICTION,
    COLLIDES_WITH,
    FIELD_SPEED_OF(velocity, velocity, DEFAULT, "m/s", "at the start"),
    FIELD_VECTOR(colour, DEFAULT, 0, 1, "", "linear red, green, blue"),
    FIELD_OBJECT("pins", OPTIONAL, "what holds vertices"),
};
const scene_table scene_table_rope =
    TABLE_OF("rope", rope_fields, .friction = 0.3f, .colour = {0.45f, 0.33f, 0.18f});

static const scene_field soft_body_fields[] = {
    FIELD_NAME("soft bodies, of letters, digits, - and _"),
    FIELD_OBJECT("shape", REQUIRED, "what it is made of, where it is at the start"),
    FIELD_FLOAT(density, REQUIRED, 1, 30000, "kg/m3", "of its material"),
    FIELD_FLOAT(stiffness, OPTIONAL, 1, 1e9, "Pa", "Young's modulus: jelly has 1e4, rubber 1e6"),
    PBD_STIFFNESS,
    FIELD_FLOAT_OF(poisson_ratio, poisson_ratio, DEFAULT, 0.25, 0.49, "",
                   "Poisson's ratio: how much thinner it becomes where it is stretched"),
    FIELD_FLOAT_OF(
        cluster_radius, cluster_radius_m, OPTIONAL, SIZE_MIN, 1e4, "m",
        "shape matching in place of springs, needs pbd_stiffness: how far each group of "
        "vertices reaches that keeps its shape; over half of the body's length it is one"),
    FIELD_FLOAT_OF(spacing, spacing_m, OPTIONAL, SIZE_MIN, 1e4, "m",
                   "of its vertices, about; else one and a half of the fluid's"),
    FIELD_FLOAT(friction, DEFAULT, 0, 1, "", "Coulomb friction"),
    FIELD_FLOAT(damping, DEFAULT, 0, 1e4, "1/s",
                "how fast motion within it dies; it goes on as a whole"),
    SKIN_FRICTION,
    COLLIDES_WITH,
    FIELD_SPEED_OF(velocity, velocity, DEFAULT, "m/s", "at the start"),
    FIELD_VECTOR(colour, DEFAULT, 0, 1, "", "linear red, green, blue"),
    FIELD_OBJECT("pins", OPTIONAL, "what holds vertices"),
};
const scene_table scene_table_soft_body =
    TABLE_OF("soft_body", soft_body_fields, .friction = 0.3f, .poisson_ratio = 0.4f,
             .colour = {0.1f, 0.5f, 0.12f});

static const scene_field grid_fields[] = {
    FIELD_POINT(corner, REQUIRED, "one corner of the sheet"),
    FIELD_POINT(along, REQUIRED, "from there to the next corner"),
    FIELD_POINT(across, REQUIRED, "from the corner to the other corner beside it"),
    FIELD_FLOAT_OF(spacing, spacing_m, OPTIONAL, SIZE_MIN, 1e4, "m",
                   "of vertices, at most; else three quarters of the fluid's"),
};
const scene_table scene_table_cloth_grid = TABLE_OF("cloth_grid", grid_fields, .kind = 0);

static const scene_field mesh_fields[] = {
    FIELD_OBJECT("file", REQUIRED, "a triangle mesh: OBJ, PLY or STL"),
    FIELDS_POSE("mesh"),
};
const scene_table scene_table_cloth_mesh =
    TABLE_OF("cloth_mesh", mesh_fields, .pose = {.rotation = {0, 0, 0, 1}, .scale = 1});
#undef TYPE

#define TYPE scene_pin
static const scene_field pin_fields[] = {
    FIELD_OBJECT("vertices", OPTIONAL, "their numbers from 0 on; -1 is the last"),
    FIELD_OBJECT("inside", OPTIONAL,
                 "a box or a sphere: all vertices that are inside at the start"),
    FIELD_OBJECT("solid", OPTIONAL, "name of the solid that they move with"),
    FIELD_OBJECT("body", OPTIONAL, "name of the body that they hang on; without either they stay"),
};
const scene_table scene_table_pin = TABLE_OF("pin", pin_fields, .solid = SCENE_TO_WORLD);
#undef TYPE
