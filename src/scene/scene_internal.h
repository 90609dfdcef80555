/* Private to the scene room: the parser's state, locations in the text, faults, field tables. */
#ifndef WEIR_SCENE_INTERNAL_H
#define WEIR_SCENE_INTERNAL_H

#include "scene.h"

#include <jansson.h>

/* Bounds that keep a hostile file from costing more than a refusal. */
#define SCENE_MAX_BYTES (16u << 20)
#define SCENE_MAX_VALUES 1000000u
#define SCENE_MAX_DEPTH 64u    /* of nested JSON values */
#define SCENE_MAX_ERRORS 100u  /* reported one by one; the rest are counted */
#define SCENE_MAX_SOLIDS 1024u /* also of emitters and of sinks */
#define SCENE_MAX_BODIES \
    1024u /* BODY_BITS_PER_WORD * BODY_MAX_BIT_WORDS of shaders/shared/body.h */
#define SCENE_MAX_DEFORMABLES 256u   /* of cloths, and of ropes */
#define SCENE_MAX_PINS 64u           /* of each */
#define SCENE_MAX_LISTED 4096u       /* vertices of a pin, points of a rope */
#define SCENE_MAX_KEYFRAMES 100000u  /* of a motion, a camera, an emitter's speed, gravity */
#define SCENE_MAX_MESH_FILES 100000u /* of one sequence */
#define SCENE_MAX_FRAMES 1000000u
#define SCENE_NO_END_S 1e6f /* the default end of motions and emitters */

/* ---- locations: where in the scene a value is, linked through the readers' stack frames --------
 */

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
/* "solids[2].motion.start"; "" for the whole scene. False when memory is short. */
bool scene_location_text(const scene_location *where, base_text *text);
uint64_t scene_location_hash(const scene_location *where);

/* ---- positions: line and column of every value of the text ---------------------------------- */

typedef struct scene_position {
    uint64_t location; /* scene_location_hash */
    int line, column;
} scene_position;

typedef struct scene_positions {
    BASE_ARRAY(scene_position) values; /* sorted by location once built */
    int line, column;                  /* where building stopped */
    const char *refusal;               /* why it stopped early, else NULL */
} scene_positions;

/* Maps the values of a JSON text, without recursion and in bounded memory. Broken JSON is mapped as
 * far as it makes sense; jansson reports it. `within`: as in scene_input. Errors: SCENE with
 * `refusal` set, MEMORY. */
weir_result scene_positions_build(const char *text, size_t size, const char *within,
                                  scene_positions *positions);
void scene_positions_free(scene_positions *positions);
/* Of the location itself or of the nearest one around it that the text has. */
scene_position scene_positions_find(const scene_positions *positions, const scene_location *where);

/* ---- parser --------------------------------------------------------------------------------- */

typedef struct scene_override {
    const char *text; /* as the user wrote it */
    uint64_t location;
} scene_override;

/* A fault or a warning, held back until the whole scene has been read. */
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
    json_t *root; /* becomes the effective scene: readers fill in what is missing */
    scene_data *scene;
    size_t mesh_capacity, shape_capacity, child_capacity;
    uint32_t errors;
    bool is_paper_preset;   /* the preset of the solver */
    bool method_overridden; /* solver.method comes from an override: what it lacks is ignored */
    base_text ignored;      /* paths of what is, ", " between them */
    bool out_of_memory;
} scene_parser;

/* Logs "SOURCE:LINE:COLUMN: location: message" and counts it. A location that an override has set
 * names the override instead of a line. */
void scene_error(scene_parser *parser, const scene_location *where, const char *format, ...)
    BASE_PRINTF(3, 4);
/* The same as a warning; not counted. */
void scene_warn(scene_parser *parser, const scene_location *where, const char *format, ...)
    BASE_PRINTF(3, 4);
/* Faults with an answer when the key was Weir's once or is another engine's; else false. */
bool scene_error_known_key(scene_parser *parser, const scene_location *where);
/* The override that has set the location or something around it; NULL: the scene's own text. */
const char *scene_override_of(const scene_parser *parser, const scene_location *where);
/* What became of a key of earlier versions ("solver.skin"); NULL for any other. */
const char *scene_removed_key(const char *path);
/* Logs what has been reported, in the order of the file, overrides first. */
void scene_log_reports(scene_parser *parser);
/* "0.5", "\"text\"", "[0, -9.81]", "an array of 50": a value for messages, cut to a readable
 * length. */
typedef struct scene_value_text {
    char text[80];
} scene_value_text;
scene_value_text scene_format_value(const json_t *value);
int scene_line(const scene_parser *parser, const scene_location *where, int *column);

/* ---- field tables --------------------------------------------------------------------------- */

typedef enum scene_field_type {
    SCENE_FIELD_FLOAT,
    SCENE_FIELD_DEGREES, /* a float in degrees; radians in the struct */
    SCENE_FIELD_COUNT,   /* uint32_t */
    SCENE_FIELD_BOOL,
    SCENE_FIELD_VECTOR, /* three floats, each in the range */
    SCENE_FIELD_LAST_NUMBER = SCENE_FIELD_VECTOR,
    SCENE_FIELD_CHOICE, /* an enum that counts the choices from 0 */
    SCENE_FIELD_TEXT,   /* an owned string; the range is its length in bytes */
    SCENE_FIELD_OTHER,  /* read by hand */
} scene_field_type;

typedef enum scene_field_need {
    SCENE_FIELD_DEFAULT, /* filled in from the table's defaults */
    SCENE_FIELD_REQUIRED,
    SCENE_FIELD_OPTIONAL, /* may be missing, and stays so */
} scene_field_need;

typedef struct scene_field {
    const char *name;
    scene_field_type type;
    scene_field_need need;
    size_t offset;
    double min, max;            /* inclusive */
    const char *const *choices; /* NULL-terminated */
    const char *unit;           /* "" without one */
    const char *about;
    bool live;            /* a running simulation can take a new value over */
    uint32_t unsupported; /* by methods, bits 1 << scene_method: only the value that turns it off
                             is allowed */
} scene_field;

typedef struct scene_table {
    const char *name; /* of the definition in scenes/scene.schema.json */
    const scene_field *fields;
    size_t count;
    const void *defaults; /* a struct of the kind that is read into */
} scene_table;

/* Which part of a scene each one describes: scene_tables.c. */
extern const scene_table scene_table_scene, scene_table_domain, scene_table_sides;
extern const scene_table scene_table_solver, scene_table_solver_paper; /* one per preset */
extern const scene_table scene_table_solver_grid;                      /* FLIP's and APIC's */
extern const scene_table scene_table_tolerance;
extern const scene_table scene_table_camera, scene_table_camera_keyframe;
extern const scene_table scene_table_gravity_key, scene_table_speed_key;
extern const scene_table scene_table_look, scene_table_whitewater;
extern const scene_table scene_table_fluid, scene_table_fluid_paper; /* one per preset */
extern const scene_table scene_table_shape_fill, scene_table_file_fill;
extern const scene_table scene_table_shape_fill_grid; /* FLIP's and APIC's */
extern const scene_table scene_table_shape, scene_table_box, scene_table_mesh,
    scene_table_mesh_sequence, scene_table_smooth_union;
extern const scene_table scene_table_solid, scene_table_motion, scene_table_keyframe,
    scene_table_oscillation, scene_table_spin, scene_table_axis_angle;
extern const scene_table scene_table_body;
extern const scene_table scene_table_cloth, scene_table_rope, scene_table_soft_body,
    scene_table_pin, scene_table_cloth_grid, scene_table_cloth_mesh;
extern const scene_table scene_table_emitter, scene_table_sink, scene_table_force,
    scene_table_region;
extern const scene_table scene_table_gauge,
    scene_tables_gauge[5]; /* the latter by scene_gauge_kind */
extern const scene_table scene_table_gradient, scene_table_wave;
/* Sphere to plane by kind; the others have tables of their own. */
extern const scene_table scene_tables_round[6];
/* All of them, for the schema file that is made of them. */
extern const scene_table *const scene_tables[];
extern const size_t scene_table_count;

/* What the tables of values without a struct in scene.h read into. */
typedef struct scene_box_input {
    vec3 size, min, max;
} scene_box_input;
typedef struct scene_mesh_input {
    char *path;
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

/* ---- readers; each fills what it can, reports the rest, and writes defaults into the JSON --- */

/* Reads all fields but the OTHER ones and refuses unknown keys. False when `object` is not an
 * object; `out` then holds the defaults. */
bool scene_read_fields(scene_parser *parser, const scene_location *where, json_t *object,
                       const scene_table *table, void *out);
/* Three finite numbers, each in [min, max]; false after a fault. */
bool scene_read_vector(scene_parser *parser, const scene_location *where, json_t *value,
                       const scene_field *field, float out[3]);
/* One finite number of an array, in the field's range; false without a fault when it is not. */
bool scene_read_number(json_t *array, size_t index, const scene_field *field, float *out);
/* A new reference; NULL for OTHER fields. */
json_t *scene_field_default(const scene_table *table, const scene_field *field);
/* Puts a fresh value, which may be NULL, into the JSON. False, and the parser knows it, when memory
 * is short. */
bool scene_set_default(scene_parser *parser, json_t *object, const char *key, json_t *value);
/* An array of at most `max` values; *count is 0 after a fault. Missing is an empty array, filled
 * in. */
json_t *scene_read_array(scene_parser *parser, const scene_location *where, json_t *object,
                         size_t max, uint32_t *count);
/* The text of a key that must be there; NULL after a fault. It belongs to the JSON. */
const char *scene_read_word(scene_parser *parser, const scene_location *where, json_t *object);
/* Position and scale are read by the tables; this reads "rotation" in any of its forms. */
quat scene_read_rotation(scene_parser *parser, const scene_location *where, json_t *object);
/* Normalizes the direction that was read from `key`; faults when its length is zero. */
void scene_read_direction(scene_parser *parser, const scene_location *where, const char *key,
                          vec3 *direction);
/* A box or a sphere. */
void scene_read_region(scene_parser *parser, const scene_location *where, json_t *object,
                       scene_region *region);
/* Faults when the object's "end" is before its "start". */
void scene_check_times(scene_parser *parser, const scene_location *where, float start_s,
                       float end_s);
/* Angular velocity from "spin": the axis times the rate. */
vec3 scene_read_spin(scene_parser *parser, const scene_location *where, json_t *object,
                     vec3 *centre);
/* The path of a file that exists, resolved; NULL after a fault. */
char *scene_read_path(scene_parser *parser, const scene_location *where, const char *name);

/* Index of the shape's root node; 0 after a fault. */
uint32_t scene_read_shape(scene_parser *parser, const scene_location *where, json_t *object);
/* Makes a shell of the shape of a solid. */
void scene_wrap_shell(scene_parser *parser, uint32_t root, float thickness);
void scene_read_motion(scene_parser *parser, const scene_location *where, json_t *object,
                       scene_motion *motion);
void scene_read_camera(scene_parser *parser, const scene_location *top);
void scene_read_world(scene_parser *parser); /* domain, solver and what stands beside them */
/* The index of the last keyframe at or before a time that lies between the first and the last.
 * times: that of the first of `count`; stride: bytes from one keyframe to the next. */
uint32_t scene_keyframe_before(const float *times, size_t stride, uint32_t count, double time_s);
void scene_read_gravity(scene_parser *parser, const scene_location *top);
void scene_read_fluids(scene_parser *parser);
void scene_read_forces(scene_parser *parser);
void scene_read_solids(scene_parser *parser);
void scene_read_bodies(scene_parser *parser);
/* Faults where a body, rigid or soft, cannot have this shape. */
void scene_check_body_shape(scene_parser *parser, const scene_location *where, uint32_t shape);
void scene_read_deformables(scene_parser *parser); /* after the solids, which pins name */
void scene_read_emitters(scene_parser *parser);
void scene_read_sinks(scene_parser *parser);
void scene_read_gauges(scene_parser *parser);        /* after the solids, which they name */
void scene_choose_sound_speed(scene_parser *parser); /* of WCSPH, and its substeps; last */
/* Refuses what the method does not support, or warns of what it ignores; last of the readers. */
void scene_check_method_support(scene_parser *parser);
/* Turns off what a method chosen by an override does not support; before the scene is read. */
void scene_ignore_unsupported(scene_parser *parser);
/* Adds a path to the warning about what such a method ignores. */
void scene_add_ignored(scene_parser *parser, const scene_location *where);

/* ---- lists ---------------------------------------------------------------------------------- */

/* Zeroed memory; NULL, and the parser knows it, when memory is short. */
void *scene_alloc(scene_parser *parser, size_t count, size_t size);
/* An array at the top of the scene. The name of an item, no two alike, starts its struct. */
typedef struct scene_list {
    const char *key;
    size_t max, size;
    void (*read)(scene_parser *parser, const scene_location *where, json_t *object, void *item);
} scene_list;
/* The items, in fresh memory; NULL, and *count untouched, where there are none. */
void *scene_read_list(scene_parser *parser, const scene_list *list, uint32_t *count);
typedef struct scene_names {
    const void *items;
    size_t size;
    uint32_t count;
} scene_names;
/* The index of the item that a word names. `where`: of the word's key, which says what it names. */
void scene_find_name(scene_parser *parser, const scene_location *where, json_t *object,
                     const scene_names *names, uint32_t *index);

/* Puts the overrides into parser->root. */
void scene_apply_overrides(scene_parser *parser);

#endif
