/* Table of force fields; scene_tables.c lists it. */
#include "scene_table_macros.h"

/* The order is that of scene_force_kind. */
static const char *const force_kinds[] = {"central", "uniform",        "vortex", "drag", "noise",
                                          "curve",   "velocity_field", "shape",  NULL};

#define TYPE scene_force
static const scene_field force_fields[] = {
    FIELD_ENUM_OF(type, kind, force_kinds,
                  "central, uniform, vortex, drag, noise, curve, velocity_field or shape"),
    FIELD_POINT(centre, DEFAULT, "centre of a central field or a vortex"),
    FIELD_FLOAT(strength, OPTIONAL, -1e6, 1e6, "1/s2",
                "central, vortex, curve, shape: acceleration per metre from the centre, the axis, "
                "the curve or the shape",
                KEYED),
    FIELD_VECTOR(acceleration, OPTIONAL, -1e6, 1e6, "m/s2", "uniform: the same everywhere", KEYED),
    FIELD_DIRECTION(axis, OPTIONAL, "vortex: axis of rotation"),
    FIELD_FLOAT(rate, OPTIONAL, 0, 1e6, "1/s",
                "drag, curve, velocity_field, shape: rate at which velocities approach the field's",
                KEYED),
    FIELD_SPEED_OF(velocity, velocity, OPTIONAL, "m/s",
                   "drag: velocity of the wind; noise: velocity of the pattern"),
    FIELD_FLOAT(amplitude, OPTIONAL, 0, 1e6, "m/s2", "noise: root mean square of the acceleration",
                KEYED),
    FIELD_LENGTH(size, OPTIONAL, "noise: size of the largest eddies"),
    FIELD(COUNT, octaves, octaves, OPTIONAL, 1, SCENE_MAX_OCTAVES, NULL, "",
          "noise: number of sizes of eddies, each half as large and half as strong as the one "
          "before; default: 1"),
    FIELD_FLOAT(evolution, OPTIONAL, 0, 1000, "1/s",
                "noise: how often eddies turn over in a second; default: 0.5"),
    FIELD(COUNT, seed, seed, OPTIONAL, 0, UINT32_MAX, NULL, "",
          "noise: seed of the pattern; default: 1"),
    FIELD_OBJECT("points", OPTIONAL, "curve: points that it passes through, in order"),
    FIELD(BOOL, closed, closed, OPTIONAL, 0, 0, NULL, "",
          "curve: whether it returns to its first point"),
    FIELD_LENGTH(radius, OPTIONAL,
                 "curve: distance at which it stops acting; shape: distance from which on the "
                 "acceleration no longer grows"),
    FIELD_FLOAT(speed, OPTIONAL, -SPEED_MAX, SPEED_MAX, "m/s", "curve: speed along it", KEYED),
    FIELD_FLOAT(swirl, OPTIONAL, -SPEED_MAX, SPEED_MAX, "rad/s", "curve: angular velocity about it",
                KEYED),
    FIELD_OBJECT("file", OPTIONAL,
                 "velocity_field: NPY file of the shape (nx, ny, nz, 3), m/s, whose first and last "
                 "nodes lie on the corners of `inside`"),
    FIELD_OBJECT("shape", OPTIONAL, "shape: the shape towards which fluid is drawn"),
    FIELD_OBJECT("inside", OPTIONAL, "region where the field acts; default: everywhere"),
};
const scene_table scene_table_force =
    TABLE_OF("force", force_fields, .axis = {0, 1, 0}, .octaves = 1, .seed = 1, .evolution = 0.5f);
#undef TYPE
