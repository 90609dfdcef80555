/* Tables of emitters and sinks; the others are in scene_tables.c. */
#include "scene_table_macros.h"

#define TYPE scene_emitter
static const scene_field emitter_fields[] = {
    FIELD_NAME("emitters"),
    FIELD_OBJECT("fluid", REQUIRED, "name of the emitted fluid"),
    FIELD_POINT(position, REQUIRED, "centre of the opening"),
    FIELD_DIRECTION(direction, REQUIRED, "direction of the flow"),
    FIELD_DIRECTION(up, DEFAULT, "direction of the height of a rectangular opening"),
    FIELD_LENGTH(radius, OPTIONAL, "radius of a round opening"),
    FIELD_LENGTH(width, OPTIONAL, "width of a rectangular opening"),
    FIELD_LENGTH(height, OPTIONAL, "height of a rectangular opening"),
    FIELD_FLOAT(speed, OPTIONAL, 0.001, 1000, "m/s", "speed of the emitted fluid"),
    FIELD_OBJECT("speed_keyframes", OPTIONAL, "speeds at given times, in place of speed"),
    FIELD_TIME_OF(start, start_s, DEFAULT, "time at which the emitter opens"),
    FIELD_TIME_OF(end, end_s, DEFAULT, "time at which the emitter closes"),
    FIELD_INTEGER(max_particles, DEFAULT, 0, UINT32_MAX,
                  "largest number of emitted particles; 4294967295: no limit"),
    FIELD_OBJECT("motion", OPTIONAL, "motion of the opening; default: at rest"),
};
const scene_table scene_table_emitter =
    TABLE_OF("emitter", emitter_fields, .up = {0, 1, 0}, .end_s = SCENE_NO_END_S,
             .max_particles = UINT32_MAX);
#undef TYPE

#define TYPE scene_speed_key
static const scene_field speed_key_fields[] = {
    FIELD_TIME_OF(time, time_s, REQUIRED, "time at which the fluid has this speed"),
    FIELD_FLOAT(speed, REQUIRED, 0, 1000, "m/s", "speed of the emitted fluid; 0: closed"),
};
const scene_table scene_table_speed_key = TABLE_OF("speed_keyframe", speed_key_fields, 0);
#undef TYPE

#define TYPE scene_sink
static const scene_field sink_fields[] = {
    FIELD_NAME("sinks"),
    FIELD_OBJECT("shape", REQUIRED, "shape inside which fluid is removed"),
};
const scene_table scene_table_sink = TABLE_OF("sink", sink_fields, 0);
#undef TYPE
