/* What a scene may say of what is measured and drawn: scene_tables.c. */
#include "scene_table_macros.h"

/* ---- gauges --------------------------------------------------------------------------------- */

#define TYPE scene_gauge
/* The kinds come behind the name, in the order of scene_gauge_kind. */
static const scene_field gauge_fields[] = {
    FIELD_NAME("gauges"),
    FIELD_OBJECT("height", OPTIONAL, "height of fluid in a column"),
    FIELD_OBJECT("front", OPTIONAL, "position of the fluid's front in a box"),
    FIELD_OBJECT("pressure", OPTIONAL, "pressure at a point"),
    FIELD_OBJECT("force", OPTIONAL, "force of the fluid on a solid"),
    FIELD_OBJECT("flow", OPTIONAL, "volume flow rate through a plane"),
};
static const char *const gauge_axes[] = {"+x", "-x", "+y", "-y", "+z", "-z", NULL};
static const scene_field gauge_box_fields[] = {
    FIELDS_BOX_CORNERS(REQUIRED, " of the box"),
    FIELD_ENUM(axis, gauge_axes, "direction that is measured"),
};
#define FIELD_AVERAGE                           \
    FIELD_FLOAT(average, DEFAULT, 0, 1000, "s", \
                "time of the running mean; 0: the mean of a frame or the value of a substep")
static const scene_field gauge_pressure_fields[] = {
    FIELD_POINT(position, REQUIRED, "where"),
    FIELD_FLOAT(radius, DEFAULT, 0, COORDINATE_MAX, "m",
                "radius of the average; 0: the support radius"),
    FIELD_AVERAGE,
};
static const scene_field gauge_force_fields[] = {
    FIELD_OBJECT("solid", REQUIRED, "name of the solid"),
    FIELD_AVERAGE,
};
static const scene_field gauge_flow_fields[] = {
    FIELD_POINT(position, REQUIRED, "centre of the disc"),
    FIELD_DIRECTION(direction, REQUIRED, "normal of the plane, the direction of positive flow"),
    FIELD_FLOAT(radius, DEFAULT, 0, COORDINATE_MAX, "m", "radius of the disc; 0: the whole plane"),
    FIELD_AVERAGE,
};
const scene_table scene_table_gauge = TABLE_OF("gauge", gauge_fields, 0);
const scene_table scene_tables_gauge[5] = {
    TABLE_OF("gauge_height", gauge_box_fields, .axis = 2),
    TABLE_OF("gauge_front", gauge_box_fields, .axis = 0),
    TABLE_OF("gauge_pressure", gauge_pressure_fields, 0),
    TABLE_OF("gauge_force", gauge_force_fields, 0),
    TABLE_OF("gauge_flow", gauge_flow_fields, 0),
};
#undef TYPE

/* ---- whitewater and pictures ---------------------------------------------------------------- */

#define TYPE scene_whitewater
static const scene_field whitewater_fields[] = {
    FIELD_FLOAT(emission_rate, DEFAULT, 0, 1000, "", "factor of all emission rates"),
    FIELD_FLOAT(trapped_air_rate, DEFAULT, 0, 1000, "", "factor of the emission by trapped air"),
    FIELD_FLOAT(wave_crest_rate, DEFAULT, 0, 1000, "",
                "factor of the emission at breaking wave crests"),
    FIELD_FLOAT(curl_rate, DEFAULT, 0, 1000, "", "factor of the emission by vorticity"),
    FIELD_LENGTH(
        length_scale, OPTIONAL,
        "length scale L of the scene, on which all thresholds depend; default: the fluid's height"),
    FIELD_FLOAT(lifetime, OPTIONAL, 0.01, 10000, "s",
                "longest lifetime of foam; default: 5 s sqrt(L / m)"),
    FIELD_FLOAT(radius, OPTIONAL, SIZE_MIN, 100, "m",
                "mean radius of drops and bubbles; default: 0.002 L"),
    FIELD_FLOAT(bubble_rise_speed, DEFAULT, 0, 100, "m/s", "speed at which bubbles rise"),
    FIELD_INTEGER(seed, DEFAULT, 0, UINT32_MAX, "seed of the random numbers"),
    FIELD_INTEGER(max_particles, DEFAULT, 1, 100000000,
                  "largest number of whitewater particles at a time"),
    FIELD_OBJECT("emitters", OPTIONAL, "shapes that add whitewater or tracers"),
};
const scene_table scene_table_whitewater = TABLE_OF(
    "whitewater", whitewater_fields, .emission_rate = 1, .trapped_air_rate = 1,
    .wave_crest_rate = 1, .curl_rate = 1, .bubble_rise_speed = 0.25f, .max_particles = 2000000);
#undef TYPE

static const char *const whitewater_kinds[] = {"spray", "foam", "bubble", "tracer", NULL};
#define TYPE scene_whitewater_emitter
static const scene_field whitewater_emitter_fields[] = {
    FIELD_ENUM(kind, whitewater_kinds,
               "spray flies, foam rides on the surface, a bubble rises, a tracer goes with the "
               "fluid"),
    FIELD_OBJECT("shape", REQUIRED, "shape inside which particles are added"),
    FIELD_FLOAT(rate, REQUIRED, 0, 1e7, "1/s", "particles added per second"),
    FIELD_SPEED_OF(velocity, velocity, DEFAULT, "m/s",
                   "velocity of the particles, in addition to that of the shape"),
    FIELD_FLOAT(velocity_spread, DEFAULT, 0, 1000, "m/s",
                "largest random velocity in addition, in any direction"),
    FIELD_FLOAT(lifetime, OPTIONAL, 0.01, 1e6, "s",
                "how long the particles live; default: as other whitewater, tracers for ever"),
    FIELD_TIME_OF(start, start_s, DEFAULT, "time at which the emitter opens"),
    FIELD_TIME_OF(end, end_s, DEFAULT, "time at which the emitter closes"),
    FIELD_OBJECT("motion", OPTIONAL, "motion of the shape; default: at rest"),
    FIELD_OBJECT("attached_to", OPTIONAL,
                 "name of a solid or a body with which the shape moves, in place of motion"),
};
const scene_table scene_table_whitewater_emitter =
    TABLE_OF("whitewater_emitter", whitewater_emitter_fields, .kind = SCENE_WHITEWATER_TRACER,
             .end_s = SCENE_NO_END_S);
#undef TYPE

static const char *const camera_interpolations[] = {"smooth", "linear", NULL};
#define TYPE scene_camera
static const scene_field camera_fields[] = {
    FIELD_POINT(eye, REQUIRED, "position of the camera"),
    FIELD_POINT(target, REQUIRED, "point that the camera looks at"),
    FIELD_VECTOR(up, DEFAULT, -1, 1, "", "up direction of the picture"),
    FIELD_FLOAT_OF(fov, fov_y, DEFAULT, 1, 150, "degrees", "vertical field of view"),
    FIELD_OBJECT("keyframes", OPTIONAL,
                 "camera at given times; values that a keyframe omits are the camera's"),
    FIELD_ENUM(interpolation, camera_interpolations,
               "interpolation between keyframes; smooth avoids jerks"),
};
const scene_table scene_table_camera =
    TABLE_OF("camera", camera_fields, .up = {0, 1, 0}, .fov_y = 40);
#undef TYPE

#define TYPE scene_camera_key
static const scene_field camera_keyframe_fields[] = {
    FIELD_TIME_OF(time, time_s, REQUIRED, "time of the keyframe"),
    FIELD_POINT(eye, OPTIONAL, "position of the camera"),
    FIELD_POINT(target, OPTIONAL, "point that the camera looks at"),
    FIELD_FLOAT_OF(fov, fov_y, OPTIONAL, 1, 150, "degrees", "vertical field of view"),
};
const scene_table scene_table_camera_keyframe =
    TABLE_OF("camera_keyframe", camera_keyframe_fields, .fov_y = 40);
#undef TYPE

/* In the order of render_look_name. */
static const char *const looks[] = {"studio", "daylight", "dusk", "technical", NULL};

const char *scene_look_name(uint32_t preset)
{
    return preset < BASE_COUNT(looks) ? looks[preset] : NULL;
}

#define TYPE scene_look
static const scene_field look_fields[] = {
    FIELD_ENUM(preset, looks, "named look: light, sky, floor and clarity", LIVE),
    FIELD_VECTOR(sun, DEFAULT, -1, 1, "", "direction to the sun; [0, 0, 0]: that of the look",
                 LIVE),
    FIELD_FLOAT(exposure, DEFAULT, 0.01, 100, "", "brightness", LIVE),
    FIELD_FLOAT(absorption_length, DEFAULT, 0, COORDINATE_MAX, "m",
                "depth at which white light has taken on the fluid's colour; 0: for water by the "
                "volume and depth of the fluid, otherwise a quarter of the domain",
                LIVE),
    FIELD_FLOAT(scattering_ratio, DEFAULT, -1, 100, "",
                "fraction of light that the fluid scatters over that depth; -1: that of the look",
                LIVE),
    FIELD_BOOL(floor, "show the floor at the domain's bottom", LIVE),
    FIELD_BOOL(tank, "show closed sides of the domain as glass, unless a solid holds the fluid",
               LIVE),
    FIELD_TEXT(environment, DEFAULT, 0, 1000,
               "environment map, a Radiance .hdr file; empty: the sky of the look"),
};
const scene_table scene_table_look =
    TABLE_OF("look", look_fields, .exposure = 1, .absorption_length = 0, .scattering_ratio = -1,
             .floor = true, .tank = true, .environment = "");
#undef TYPE
