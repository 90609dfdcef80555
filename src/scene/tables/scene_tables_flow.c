/* Tables of attributes, emitters, sinks and the sea; the others are in scene_tables.c. */
#include "scene_table_macros.h"

/* The order is that of scene_attribute_kind. */
static const char *const attribute_kinds[] = {"value", "age", "rest_position", NULL};

#define TYPE scene_attribute
static const scene_field attribute_fields[] = {
    FIELD_TEXT(name, REQUIRED, 1, 32, "name, unique among the attributes; names a column in files"),
    FIELD_INTEGER(components, DEFAULT, 1, SCENE_ATTRIBUTE_COMPONENTS,
                  "numbers per particle: 1 for a scalar, 3 for a vector or a colour"),
    FIELD_ENUM(kind, attribute_kinds,
               "value: given by fills and emitters; age: seconds since the particle has entered; "
               "rest_position: where it has entered or was at the last reset"),
    FIELD_FLOAT(period, DEFAULT, 0, 1e6, "s",
                "rest_position: time between two resets; 0: it is never reset"),
    FIELD_FLOAT(phase, DEFAULT, 0, 1, "",
                "rest_position: fraction of the period before the first reset; 0: a whole period"),
    FIELD_FLOAT(diffusivity, DEFAULT, 0, 1000, "m²/s",
                "how fast differences between neighbouring particles even out; 0: each particle "
                "keeps its value"),
    FIELD_OBJECT("initial", OPTIONAL, "value where a fill or an emitter gives none; default: 0"),
};
const scene_table scene_table_attribute = TABLE_OF("attribute", attribute_fields, .components = 1);
#undef TYPE

#define FLOW_RATE_MAX 1e6 /* m3/s */

static const char *const emissions[] = {"volume", "surface", NULL};
static const char *const profiles[] = {"plug", "parabolic", NULL};

#define TYPE scene_emitter
static const scene_field emitter_fields[] = {
    FIELD_NAME("emitters"),
    FIELD_OBJECT("fluid", REQUIRED, "name of the emitted fluid"),
    FIELD_OBJECT("shape", OPTIONAL, "shape that emits the fluid, in place of an opening"),
    FIELD_ENUM(emission, emissions,
               "volume: fluid fills the shape and moves through it along direction; surface: fluid "
               "leaves the shape's surface along its normals"),
    FIELD_BOOL(prefill, "whether the shape is full of fluid when the emitter opens"),
    FIELD_POINT(position, OPTIONAL, "centre of the opening"),
    FIELD_DIRECTION(direction, OPTIONAL, "direction of the flow"),
    FIELD_DIRECTION(up, DEFAULT, "direction of the height of a rectangular opening"),
    FIELD_LENGTH(radius, OPTIONAL, "radius of a round opening"),
    FIELD_LENGTH(width, OPTIONAL, "width of a rectangular opening"),
    FIELD_LENGTH(height, OPTIONAL, "height of a rectangular opening"),
    FIELD_FLOAT(speed, OPTIONAL, 0.001, 1000, "m/s", "speed of the emitted fluid"),
    FIELD_OBJECT("speed_keyframes", OPTIONAL, "speeds at given times, in place of speed"),
    FIELD_FLOAT(flow_rate, OPTIONAL, 1e-9, FLOW_RATE_MAX, "m³/s",
                "volume emitted per second, in place of speed; m²/s in two dimensions"),
    FIELD_OBJECT("flow_rate_keyframes", OPTIONAL, "flow rates at given times, in place of speed"),
    FIELD_ENUM(profile, profiles,
               "plug: the same speed everywhere; parabolic: that of laminar flow in a pipe"),
    FIELD_FLOAT(turbulence, DEFAULT, 0, 1, "",
                "turbulence intensity: rms of a component of the velocity's fluctuations, over the "
                "speed"),
    FIELD_LENGTH(turbulence_length, OPTIONAL, "size of the largest eddies of the turbulence"),
    FIELD_TIME_OF(start, start_s, DEFAULT, "time at which the emitter opens"),
    FIELD_TIME_OF(end, end_s, DEFAULT, "time at which the emitter closes"),
    FIELD_INTEGER(max_particles, DEFAULT, 0, UINT32_MAX,
                  "largest number of emitted particles; 4294967295: no limit"),
    FIELD_OBJECT("motion", OPTIONAL, "motion of the opening; default: at rest"),
    FIELD_OBJECT("attached_to", OPTIONAL,
                 "name of a solid or a body with which the emitter moves, in place of motion"),
    FIELD_OBJECT("attributes", OPTIONAL, "values of the scene's attributes for emitted particles"),
};
const scene_table scene_table_emitter =
    TABLE_OF("emitter", emitter_fields, .up = {0, 1, 0}, .end_s = SCENE_NO_END_S, .prefill = true,
             .max_particles = UINT32_MAX);
#undef TYPE

#define TYPE scene_speed_key
static const scene_field speed_key_fields[] = {
    FIELD_TIME_OF(time, time_s, REQUIRED, "time at which the fluid has this speed"),
    FIELD_FLOAT(speed, REQUIRED, 0, 1000, "m/s", "speed of the emitted fluid; 0: closed"),
};
const scene_table scene_table_speed_key = TABLE_OF("speed_keyframe", speed_key_fields, 0);

static const scene_field flow_rate_key_fields[] = {
    FIELD_TIME_OF(time, time_s, REQUIRED, "time at which the emitter has this flow rate"),
    FIELD_FLOAT_OF(flow_rate, speed, REQUIRED, 0, FLOW_RATE_MAX, "m³/s",
                   "volume emitted per second; 0: closed"),
};
const scene_table scene_table_flow_rate_key =
    TABLE_OF("flow_rate_keyframe", flow_rate_key_fields, 0);
#undef TYPE

#define TYPE scene_sink
static const scene_field sink_fields[] = {
    FIELD_NAME("sinks"),
    FIELD_OBJECT("shape", REQUIRED, "shape inside which fluid is removed"),
    FIELD_OBJECT("motion", OPTIONAL, "motion of the shape; default: at rest"),
    FIELD_OBJECT("attached_to", OPTIONAL,
                 "name of a solid or a body with which the sink moves, in place of motion"),
};
const scene_table scene_table_sink = TABLE_OF("sink", sink_fields, 0);
#undef TYPE

#define TYPE scene_sea
static const scene_field sea_fields[] = {
    FIELD_FLOAT(level, REQUIRED, -COORDINATE_MAX, COORDINATE_MAX, "m", "y of the still water"),
    FIELD_SPEED_OF(current, current, DEFAULT, "m/s", "horizontal velocity of the water"),
    FIELD_OBJECT("waves", OPTIONAL, "regular or irregular waves; default: none"),
    FIELD_OBJECT("zones", OPTIONAL, "what the sides do to waves"),
    FIELD_LENGTH(zone_width, OPTIONAL,
                 "width of the zones at the sides; default: the wavelength, at most a third of the "
                 "domain"),
};
const scene_table scene_table_sea = TABLE_OF("sea", sea_fields, .level = 0);
#undef TYPE

static const scene_field sea_zone_fields[] = {
    FIELD_OBJECT("x", OPTIONAL, "both sides across x, or [lower, upper]"),
    FIELD_OBJECT("z", OPTIONAL, "both sides across z, or [lower, upper]"),
};
const scene_table scene_table_sea_zones = TABLE("sea_zones", sea_zone_fields, NULL);

#define TYPE scene_sea_waves
static const scene_field sea_wave_fields[] = {
    FIELD_LENGTH(height, OPTIONAL, "regular waves: height from trough to crest"),
    FIELD_FLOAT(period, OPTIONAL, 0.001, 1000, "s", "regular waves: period"),
    FIELD_LENGTH(significant_height, OPTIONAL,
                 "irregular waves: significant height, four standard deviations of the elevation"),
    FIELD_FLOAT(peak_period, OPTIONAL, 0.001, 1000, "s",
                "irregular waves: period at the peak of the JONSWAP spectrum"),
    FIELD_FLOAT(peak_enhancement, DEFAULT, 1, 10, "",
                "irregular waves: gamma of the spectrum; 1: Pierson-Moskowitz"),
    FIELD(DEGREES, spread, spread, DEFAULT, 0, 45, NULL, "degrees",
          "irregular waves: standard deviation of the directions; 0: long-crested waves"),
    FIELD_INTEGER(components, DEFAULT, 8, SCENE_MAX_SEA_WAVES,
                  "irregular waves: number of regular waves that add up to them"),
    FIELD_INTEGER(seed, DEFAULT, 0, UINT32_MAX, "irregular waves: seed of the random phases"),
    FIELD_DIRECTION(direction, DEFAULT, "horizontal direction in which the waves travel"),
    FIELD_ANGLE_OF(phase, phase, DEFAULT, "regular waves: phase at the world's origin"),
    FIELD_BOOL(developed,
               "the sea starts with the waves; otherwise it starts still, and they come in from "
               "the generating sides"),
    FIELD_TIME_OF(ramp, ramp, OPTIONAL,
                  "time in which the waves grow; default: 0 if developed, else one period"),
};
const scene_table scene_table_sea_waves =
    TABLE_OF("sea_waves", sea_wave_fields, .peak_enhancement = 3.3f, .components = 32, .seed = 1,
             .direction = {1, 0, 0}, .developed = true);
#undef TYPE
