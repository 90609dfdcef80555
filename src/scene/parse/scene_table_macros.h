/* Macros that define the fields of scene tables (scene_tables.c). */
#ifndef WEIR_SCENE_TABLE_MACROS_H
#define WEIR_SCENE_TABLE_MACROS_H

#include "scene_internal.h"

#define FIELD_OFFSET(member) offsetof(TYPE, member)
#define TABLE(name, fields, defaults)              \
    {                                              \
        name, fields, BASE_COUNT(fields), defaults \
    }

/* Defines a table whose defaults are given as members of TYPE. */
#define TABLE_OF(name, fields, ...) TABLE(name, fields, (&(const TYPE){__VA_ARGS__}))

#define COORDINATE_MAX 1e5 /* m, distance from the origin */
#define POSITION_MAX 1e8   /* m: the coordinates of a map may be moved to the domain */
#define SIZE_MIN 1e-6      /* m */
#define TIME_MAX 1e6       /* s */
#define SPEED_MAX 1e4      /* m/s */

#define DEFAULT SCENE_FIELD_DEFAULT
#define REQUIRED SCENE_FIELD_REQUIRED
#define OPTIONAL SCENE_FIELD_OPTIONAL

/* Sets of methods, for NOT_WITH. */
#define ONLY(method) (1u << SCENE_METHOD_##method)
#define WITH_GRID (ONLY(FLIP) | ONLY(APIC))
#define WITHOUT_GRID (ONLY(PBF) | ONLY(PCISPH) | ONLY(WCSPH))
#define ALL_BUT_PBF (WITH_GRID | ONLY(PCISPH) | ONLY(WCSPH))

/* Optional arguments after a field's description: it can change while a simulation runs; these
 * methods do not support it. */
#define LIVE .live = true
#define KEYED .live = true, .keyed = true /* and have keyframes */
#define NOT_WITH(methods) .unsupported = (methods)

/* Each macro defines one field of the struct TYPE. The key is the member's name, or `key` where it
 * differs (_OF). A FIELD_OBJECT is read by its own function. The last arguments are the
 * description, and LIVE, KEYED or NOT_WITH if they apply. */
#define FIELD(type_, key, member, need_, min_, max_, choices_, unit_, ...)                        \
    {                                                                                             \
        .name = #key, .type = SCENE_FIELD_##type_, .need = need_, .offset = FIELD_OFFSET(member), \
        .min = min_, .max = max_, .choices = choices_, .unit = unit_, .about = __VA_ARGS__        \
    }
#define FIELD_OBJECT(key, need_, ...)                                                           \
    {                                                                                           \
        .name = key, .type = SCENE_FIELD_OTHER, .need = need_, .unit = "", .about = __VA_ARGS__ \
    }
#define FIELD_FLOAT_OF(key, member, need, min, max, unit, ...) \
    FIELD(FLOAT, key, member, need, min, max, NULL, unit, __VA_ARGS__)
#define FIELD_FLOAT(member, ...) FIELD_FLOAT_OF(member, member, __VA_ARGS__)
#define FIELD_LENGTH(member, need, ...) \
    FIELD_FLOAT(member, need, SIZE_MIN, COORDINATE_MAX, "m", __VA_ARGS__)
#define FIELD_TIME_OF(key, member, need, ...) \
    FIELD_FLOAT_OF(key, member, need, 0, TIME_MAX, "s", __VA_ARGS__)
#define FIELD_TIME(member, ...) FIELD_TIME_OF(member, member, __VA_ARGS__)
#define FIELD_ANGLE_OF(key, member, need, ...) \
    FIELD(DEGREES, key, member, need, -360, 360, NULL, "degrees", __VA_ARGS__)
#define FIELD_ANGLE(member, ...) FIELD_ANGLE_OF(member, member, __VA_ARGS__)
#define FIELD_INTEGER(member, need, min, max, ...) \
    FIELD(COUNT, member, member, need, min, max, NULL, "", __VA_ARGS__)
#define FIELD_BOOL(member, ...) FIELD(BOOL, member, member, DEFAULT, 0, 0, NULL, "", __VA_ARGS__)
#define FIELD_ENUM_OF(key, member, choices, ...) \
    FIELD(CHOICE, key, member, DEFAULT, 0, 0, choices, "", __VA_ARGS__)
#define FIELD_ENUM(member, ...) FIELD_ENUM_OF(member, member, __VA_ARGS__)
#define FIELD_TEXT_OF(key, member, need, min, max, ...) \
    FIELD(TEXT, key, member, need, min, max, NULL, "", __VA_ARGS__)
#define FIELD_TEXT(member, ...) FIELD_TEXT_OF(member, member, __VA_ARGS__)
#define FIELD_VECTOR_OF(key, member, need, min, max, unit, ...) \
    FIELD(VECTOR, key, member, need, min, max, NULL, unit, __VA_ARGS__)
#define FIELD_VECTOR(member, ...) FIELD_VECTOR_OF(member, member, __VA_ARGS__)
#define FIELD_POINT_OF(key, member, need, ...) \
    FIELD_VECTOR_OF(key, member, need, -COORDINATE_MAX, COORDINATE_MAX, "m", __VA_ARGS__)
#define FIELD_POINT(member, ...) FIELD_POINT_OF(member, member, __VA_ARGS__)
#define FIELD_DIRECTION(member, need, ...) \
    FIELD_VECTOR(member, need, -COORDINATE_MAX, COORDINATE_MAX, "", __VA_ARGS__)
#define FIELD_SPEED_OF(key, member, need, unit, ...) \
    FIELD_VECTOR_OF(key, member, need, -SPEED_MAX, SPEED_MAX, unit, __VA_ARGS__)

/* Fields that several tables share. */
#define FIELD_NAME(among) FIELD_TEXT(name, REQUIRED, 1, 64, "name, unique among the " among)
#define FIELDS_POSE(thing)                                                              \
    FIELD_VECTOR_OF(position, pose.position, DEFAULT, -POSITION_MAX, POSITION_MAX, "m", \
                    "position of the " thing "'s origin", .exact = true),               \
        FIELD_OBJECT("rotation", OPTIONAL, "rotation of the " thing),                   \
        FIELD_FLOAT_OF(scale, pose.scale, DEFAULT, 1e-6, 1e6, "",                       \
                       "scale factor, the same on all axes")
#define FIELD_FILE_UP(member) \
    FIELD_ENUM_OF(up, member, scene_up_axes, "axis of the file that points up")
#define FIELD_START_VELOCITY(about)                                                         \
    FIELD_SPEED_OF(velocity, velocity, DEFAULT, "m/s", about),                              \
        FIELD_OBJECT("spin", OPTIONAL, "initial rigid rotation"),                           \
        FIELD_OBJECT("velocity_gradient", OPTIONAL, "linear part of the initial velocity"), \
        FIELD_OBJECT("velocity_wave", OPTIONAL, "sinusoidal part of the initial velocity")
#define FIELDS_BOX_CORNERS(need, of) \
    FIELD_POINT(min, need, "lower corner" of), FIELD_POINT(max, need, "upper corner" of)

#endif
