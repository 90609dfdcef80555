/* Private header of the scene module: the parser's state, locations in the text, errors and field
 * tables. */
#ifndef WEIR_SCENE_INTERNAL_H
#define WEIR_SCENE_INTERNAL_H

#include "scene.h"

#include <jansson.h>

#define SCENE_FORMAT 1 /* the only one so far: docs/compatibility.md */

/* Limits that keep the cost of rejecting a hostile file low. */
#define SCENE_MAX_BYTES (16u << 20)
#define SCENE_MAX_VALUES 1000000u
#define SCENE_MAX_DEPTH 64u    /* of nested JSON values */
#define SCENE_MAX_ERRORS 100u  /* reported individually; the rest are counted */
#define SCENE_MAX_SOLIDS 1024u /* also limits emitters and sinks */
/* = BODY_BITS_PER_WORD * BODY_MAX_BIT_WORDS of shaders/shared/body.h */
#define SCENE_MAX_BODIES 1024u
#define SCENE_MAX_DEFORMABLES 256u   /* each of cloths, ropes and soft bodies */
#define SCENE_MAX_PINS 64u           /* per deformable */
#define SCENE_MAX_LISTED 4096u       /* vertices of a pin, points of a rope */
#define SCENE_MAX_KEYFRAMES 100000u  /* of one motion, camera or emitter, or of gravity */
#define SCENE_MAX_MESH_FILES 100000u /* per sequence */
#define SCENE_MAX_FRAMES 1000000u
#define SCENE_NO_END_S 1e6f /* default end of motions and emitters */

/* ---- locations: paths to values, linked through the stack frames of the readers -------------- */

typedef struct scene_location {
    const struct scene_location *parent; /* NULL: the whole scene */
    const char *key;                     /* NULL: element `index` of an array */
    uint32_t index;
} scene_location;

static inline scene_location scene_location_key(const scene_location *parent, const char *key)
{
    return (scene_location){parent, key, 0};
}
static inline scene_location scene_location_element(const scene_location *parent, size_t index)
{
    return (scene_location){parent, NULL, (uint32_t)index};
}
/* Writes a location such as "solids[2].motion.start", or "" for the whole scene. Returns false when
 * memory is short. */
bool scene_location_text(const scene_location *where, base_text *text);
uint64_t scene_location_hash(const scene_location *where);

/* ---- positions: line and column of every value in the text ----------------------------------- */

typedef struct scene_position {
    uint64_t location; /* as scene_location_hash */
    int line, column;
} scene_position;

typedef struct scene_positions {
    BASE_ARRAY(scene_position) values; /* sorted by location after building */
    int line, column;                  /* position where building stopped */
    const char *refusal;               /* reason for stopping early, else NULL */
} scene_positions;

/* Maps the values of a JSON text to their positions, without recursion and in bounded memory.
 * Invalid JSON is mapped as far as it makes sense; jansson reports it. `within`: as in scene_input.
 * Errors: SCENE with `refusal` set, MEMORY. */
weir_result scene_positions_build(const char *text, size_t size, const char *within,
                                  scene_positions *positions);
void scene_positions_free(scene_positions *positions);
/* Returns the position of the location, or of its nearest ancestor that the text contains. */
scene_position scene_positions_find(const scene_positions *positions, const scene_location *where);

/* ---- parser --------------------------------------------------------------------------------- */

typedef struct scene_override {
    const char *text; /* as the user wrote it */
    uint64_t location;
} scene_override;

/* An error or a warning, kept until the whole scene has been read. */
typedef struct scene_report {
    weir_log_level level;
    int line, column;
    size_t order;
    char *text;
} scene_report;

typedef struct scene_parser {
    const weir_log *log;
    const scene_input *input;
    scene_positions positions;
    BASE_ARRAY(scene_override) overrides;
    BASE_ARRAY(scene_report) reports;
    json_t *root; /* becomes the effective scene: readers add missing values */
    scene_data *scene;
    size_t mesh_capacity, shape_capacity, child_capacity;
    uint32_t errors;
    bool is_paper_preset; /* the solver's preset is "pbf_paper" */
    /* An override sets solver.method: ignore what that method does not support. */
    bool method_overridden;
    base_text ignored; /* paths of what is ignored, separated by ", " */
    bool out_of_memory;
} scene_parser;

/* Reports "SOURCE:LINE:COLUMN: location: message" and counts it. For a location that an override
 * has set, the message names the override instead of a line. */
void scene_error(scene_parser *parser, const scene_location *where, const char *format, ...)
    BASE_PRINTF(3, 4);
/* Reports a warning in the same form, without counting it as an error. */
void scene_warn(scene_parser *parser, const scene_location *where, const char *format, ...)
    BASE_PRINTF(3, 4);
/* Reports an error that explains the key, if an earlier version of Weir or another engine uses it;
 * else returns false. */
bool scene_error_known_key(scene_parser *parser, const scene_location *where);
/* Returns the override that has set the location or an ancestor; NULL for the scene's own text. */
const char *scene_override_of(const scene_parser *parser, const scene_location *where);
/* Returns the explanation for a key of earlier versions, such as "solver.skin"; NULL for any other
 * key. */
const char *scene_removed_key(const char *path);
/* Logs all reports in the order of the file; those of overrides come first. */
void scene_log_reports(scene_parser *parser);
/* A value formatted for messages and cut to a readable length: "0.5", "\"text\"", "[0, -9.81]", "an
 * array of 50". */
typedef struct scene_value_text {
    char text[80];
} scene_value_text;
scene_value_text scene_format_value(const json_t *value);
int scene_line(const scene_parser *parser, const scene_location *where, int *column);

/* ---- field tables --------------------------------------------------------------------------- */

typedef enum scene_field_type {
    SCENE_FIELD_FLOAT,
    SCENE_FIELD_DEGREES, /* a float; degrees in the file, radians in the struct */
    SCENE_FIELD_COUNT,   /* uint32_t */
    SCENE_FIELD_BOOL,
    SCENE_FIELD_VECTOR, /* three floats, each in the range */
    SCENE_FIELD_LAST_NUMBER = SCENE_FIELD_VECTOR,
    SCENE_FIELD_CHOICE, /* an enum whose values index the choices */
    SCENE_FIELD_TEXT,   /* an owned string; min and max limit its length in bytes */
    SCENE_FIELD_OTHER,  /* read by its own function */
} scene_field_type;

typedef enum scene_field_need {
    SCENE_FIELD_DEFAULT, /* defaults to the value in the table */
    SCENE_FIELD_REQUIRED,
    SCENE_FIELD_OPTIONAL, /* may be missing, without a default */
} scene_field_need;

typedef struct scene_field {
    const char *name;
    scene_field_type type;
    scene_field_need need;
    size_t offset;
    double min, max;            /* inclusive */
    const char *const *choices; /* NULL-terminated */
    const char *unit;           /* "" if it has none */
    const char *about;
    bool live;  /* can change while the simulation runs */
    bool keyed; /* may have keyframes: scene_keyframes.c */
    /* The effective scene keeps numbers beyond SCENE_FAR as they are: scene_split_far_pose. */
    bool exact;
    /* Methods that do not support the field, bits 1 << scene_method: only the value that turns it
     * off is allowed. */
    uint32_t unsupported;
    /* What to use instead: a scene that has the field gets a warning with it, and the effective
     * scene lacks the field unless the scene has it. NULL: not deprecated. */
    const char *deprecated;
} scene_field;

typedef struct scene_table {
    const char *name; /* name of the definition in scenes/scene.schema.json */
    const scene_field *fields;
    size_t count;
    const void *defaults; /* a struct of the type that is read into */
} scene_table;

/* scene_tables.c says which part of a scene each table describes. */
extern const scene_table scene_table_scene, scene_table_domain, scene_table_sides;
extern const scene_table scene_table_solver, scene_table_solver_paper; /* one per preset */
extern const scene_table scene_table_solver_grid;                      /* for FLIP and APIC */
extern const scene_table scene_table_tolerance;
extern const scene_table scene_table_camera, scene_table_camera_keyframe;
extern const scene_table scene_table_gravity_key, scene_table_speed_key, scene_table_flow_rate_key;
extern const scene_table scene_table_look, scene_table_whitewater, scene_table_whitewater_emitter;
extern const scene_table scene_table_fluid, scene_table_fluid_paper; /* one per preset */
extern const scene_table scene_table_shape_fill, scene_table_file_fill;
extern const scene_table scene_table_shape_fill_grid; /* for FLIP and APIC */
extern const scene_table scene_table_shape, scene_table_box, scene_table_mesh,
    scene_table_mesh_sequence, scene_table_smooth_union;
extern const scene_table scene_table_solid, scene_table_motion, scene_table_keyframe,
    scene_table_oscillation, scene_table_spin, scene_table_axis_angle;
extern const scene_table scene_table_body;
extern const scene_table scene_table_cloth, scene_table_rope, scene_table_soft_body,
    scene_table_pin, scene_table_cloth_grid, scene_table_cloth_mesh;
extern const scene_table scene_table_emitter, scene_table_sink, scene_table_force,
    scene_table_region;
extern const scene_table scene_table_gauge, scene_tables_gauge[5]; /* indexed by scene_gauge_kind */
extern const scene_table scene_table_gradient, scene_table_wave;
extern const scene_table scene_table_attribute;
extern const scene_table scene_table_sea, scene_table_sea_zones, scene_table_sea_waves;
/* Sphere to plane, by kind; the other shapes have their own tables. */
extern const scene_table scene_tables_round[6];
/* All tables, from which the schema file is generated. */
extern const scene_table *const scene_tables[];
extern const size_t scene_table_count;

/* Structs for the tables of values that have no struct in scene.h. */
typedef struct scene_box_input {
    vec3 size, min, max;
} scene_box_input;
typedef struct scene_mesh_input {
    char *path;
    uint32_t up; /* of scene_up_axes */
    uint32_t first, last;
    float rate_hz;
} scene_mesh_input;
typedef struct scene_spin_input {
    vec3 axis;
    float rate; /* rad/s */
    vec3 centre;
} scene_spin_input;
typedef struct scene_axis_angle_input {
    vec3 axis;
    float angle; /* rad */
} scene_axis_angle_input;

/* ---- readers: fill what is valid, report the rest, and add defaults to the JSON -------------- */

/* Reads all fields except OTHER ones and rejects unknown keys. Returns false when `object` is not
 * an object; `out` then holds the defaults. */
bool scene_read_fields(scene_parser *parser, const scene_location *where, json_t *object,
                       const scene_table *table, void *out);
/* Reads three finite numbers, each in [min, max]; returns false after reporting an error. */
bool scene_read_vector(scene_parser *parser, const scene_location *where, json_t *value,
                       const scene_field *field, float out[3]);
/* Reads one finite number of an array, in the field's range; returns false, without a report, when
 * it is not one. */
bool scene_read_number(json_t *array, size_t index, const scene_field *field, float *out);
/* Returns a new reference to the default; NULL for OTHER fields. */
json_t *scene_field_default(const scene_table *table, const scene_field *field);
/* Sets a key of the JSON to a new reference, which may be NULL. When memory is short, returns false
 * and sets out_of_memory. */
bool scene_set_json(scene_parser *parser, json_t *object, const char *key, json_t *value);

/* Returns the field of a table by its name, which it has. */
const scene_field *scene_find_field(const scene_table *table, const char *name);
/* The key of a field's keyframes, such as "viscosity_keyframes". */
typedef struct scene_keyframes_key {
    char text[64];
} scene_keyframes_key;
/* Writes the key; returns false for a field that cannot have keyframes. */
bool scene_field_key(const scene_field *field, scene_keyframes_key *key);
/* Returns whether the key is that of keyframes of a field of the table. */
bool scene_is_keyframes_key(const scene_table *table, const char *key);
/* Reads the keyframes of a field, if the object has any, and sets the field to their largest. */
void scene_read_field_keyframes(scene_parser *parser, const scene_location *where, json_t *object,
                                const scene_field *field, void *out);
void scene_free_tracks(scene_data *scene);

/* Names of a choice, in the order of its values, and the list of them for messages. */
typedef struct scene_choices {
    const char *const *items; /* ended by NULL */
    const char *list;
} scene_choices;
/* Reads a choice by its name; reports an error and returns false if the value is none of them. */
bool scene_read_name(scene_parser *parser, const scene_location *where, const json_t *value,
                     const scene_choices *names, uint32_t *choice);
/* Reads an array of at most `max` values; *count is 0 after an error. A missing array becomes an
 * empty one in the JSON. */
json_t *scene_read_array(scene_parser *parser, const scene_location *where, json_t *object,
                         size_t max, uint32_t *count);
/* Returns the text of a required key, which belongs to the JSON; NULL after an error. */
const char *scene_read_word(scene_parser *parser, const scene_location *where, json_t *object);
/* m: floats are finer than 4 micrometres up to there. */
#define SCENE_FAR 100.0
/* Axes of a file that may point up: y, z. */
extern const char *const scene_up_axes[];
/* Turns a pose so that the axis `up` of a file points up. */
void scene_turn_up(scene_pose *pose, uint32_t up);
/* Splits the pose of a file's points whose position, in "position" of `object`, is far from 0: the
 * points are then read relative to `origin`, which the pose moves near 0. Floats would round the
 * coordinates of a map, and the large distance that moves them back. `origin` is 0 otherwise. */
void scene_split_far_pose(json_t *object, scene_pose *pose, double origin[3]);
/* Reads "rotation" in any of its forms; the tables read position and scale. */
quat scene_read_rotation(scene_parser *parser, const scene_location *where, json_t *object);
/* Normalizes the direction that was read from `key`; reports an error when its length is zero. */
void scene_read_direction(scene_parser *parser, const scene_location *where, const char *key,
                          vec3 *direction);
/* Reads a region: a box or a sphere. */
void scene_read_region(scene_parser *parser, const scene_location *where, json_t *object,
                       scene_region *region);
/* Reports an error when the object's "end" is before its "start". */
void scene_check_times(scene_parser *parser, const scene_location *where, float start_s,
                       float end_s);
/* Returns the angular velocity from "spin": the axis times the rate. */
vec3 scene_read_spin(scene_parser *parser, const scene_location *where, json_t *object,
                     vec3 *centre);
/* Returns the resolved path of an existing file; NULL after an error. */
char *scene_read_path(scene_parser *parser, const scene_location *where, const char *name);

/* Returns the index of the shape's root node; 0 after an error. */
uint32_t scene_read_shape(scene_parser *parser, const scene_location *where, json_t *object);
/* Turns the shape of a solid into a shell. */
void scene_wrap_shell(scene_parser *parser, uint32_t root, float thickness);
void scene_read_motion(scene_parser *parser, const scene_location *where, json_t *object,
                       scene_motion *motion);
/* Reads the emitters of whitewater, which solids and bodies may carry. */
void scene_read_whitewater_emitters(scene_parser *parser);
/* Reads the motion of an item at `where` from its "motion", or what it is attached to:
 * a solid, whose motion it copies, or a body. Returns the location of the key. */
scene_location scene_read_motion_or_attachment(scene_parser *parser, const scene_location *where,
                                               json_t *object, scene_motion *motion,
                                               scene_attachment *attachment);
void scene_read_camera(scene_parser *parser, const scene_location *top);
/* Reads the domain, the solver and other single values. */
void scene_read_world(scene_parser *parser);
/* Returns the index of the last keyframe at or before a time between the first and the last
 * keyframe. `times` points to the time of the first of `count` keyframes, which are `stride` bytes
 * apart. */
uint32_t scene_keyframe_before(const float *times, size_t stride, uint32_t count, double time_s);
void scene_read_gravity(scene_parser *parser, const scene_location *top);
/* Adds what a scene with a sea may omit to its JSON: the fluid, and periodic sides along a current.
 * Runs before anything is read. */
void scene_prepare_sea(scene_parser *parser);
void scene_read_sea(scene_parser *parser); /* after the world, before the fluids */
/* Fills the first fluid up to the level of the sea, if it has no fill. */
void scene_fill_sea(scene_parser *parser, scene_fluid *fluid);
void scene_read_attributes(scene_parser *parser); /* before the fluids and emitters */
/* Reads "attributes" of a fill or an emitter, the values of its particles. */
void scene_read_attribute_values(scene_parser *parser, const scene_location *where, json_t *object,
                                 scene_attribute_values *values);
/* Reads the curve of a fluid's number, "dynamic_viscosity_curve" for the key "dynamic_viscosity".
 */
void scene_read_curve(scene_parser *parser, const scene_location *where, json_t *object,
                      const char *key, scene_curve *curve);
void scene_read_colour_curve(scene_parser *parser, const scene_location *where, json_t *object,
                             scene_colour_curve *curve);
float scene_curve_largest(const scene_curve *curve);
void scene_read_fluids(scene_parser *parser);
void scene_read_forces(scene_parser *parser);
void scene_read_solids(scene_parser *parser);
void scene_read_bodies(scene_parser *parser);
/* Reports an error when a rigid or soft body cannot have this shape. */
void scene_check_body_shape(scene_parser *parser, const scene_location *where, uint32_t shape);
void scene_read_deformables(scene_parser *parser); /* after the solids, to which pins refer */
void scene_read_emitters(scene_parser *parser);
void scene_read_sinks(scene_parser *parser);
void scene_read_gauges(scene_parser *parser);        /* after the solids, to which gauges refer */
void scene_choose_sound_speed(scene_parser *parser); /* of WCSPH, and its substeps; the last step */
/* Rejects what the method does not support, or warns about what it ignores; runs after all
 * readers. */
void scene_check_method_support(scene_parser *parser);
/* Turns off what a method set by an override does not support; runs before the scene is read. */
void scene_ignore_unsupported(scene_parser *parser);
/* Adds a path to the warning about what such a method ignores. */
void scene_add_ignored(scene_parser *parser, const scene_location *where);

/* ---- lists ---------------------------------------------------------------------------------- */

/* Returns zeroed memory; when memory is short, returns NULL and sets out_of_memory. */
void *scene_alloc(scene_parser *parser, size_t count, size_t size);
/* A top-level array of the scene. The struct of an item starts with its name, which is unique in
 * the array. */
typedef struct scene_list {
    const char *key;
    size_t max, size;
    void (*read)(scene_parser *parser, const scene_location *where, json_t *object, void *item);
} scene_list;
/* Returns the items in new memory; NULL, with *count unchanged, when there are none. */
void *scene_read_list(scene_parser *parser, const scene_list *list, uint32_t *count);
typedef struct scene_names {
    const void *items;
    size_t size;
    uint32_t count;
} scene_names;
/* Returns the index of the item with a name; UINT32_MAX without one. */
uint32_t scene_index_of_name(const scene_names *names, const char *word);
/* Returns the name that is most like `word`; NULL if none is. */
const char *scene_nearest_name(const scene_names *names, const char *word);
/* Finds the index of the item with the name at `where`, which is the location of a key such as
 * "solid". */
void scene_find_name(scene_parser *parser, const scene_location *where, json_t *object,
                     const scene_names *names, uint32_t *index);

/* Applies the overrides to parser->root. */
void scene_apply_overrides(scene_parser *parser);

#endif
