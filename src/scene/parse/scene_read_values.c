/* Reads parts that many objects share and that have several forms: arrays, directions, rotations,
 * spins and file names. */
#include "scene_internal.h"

#define RADIANS_PER_DEGREE 0.017453292519943295

json_t *scene_read_array(scene_parser *parser, const scene_location *where, json_t *object,
                         size_t max, uint32_t *count)
{
    *count = 0;
    json_t *array = json_object_get(object, where->key);
    if (!array) {
        scene_set_json(parser, object, where->key, json_array());
        return NULL;
    }
    if (!json_is_array(array) || json_array_size(array) > max) {
        scene_error(parser, where, "is %s, expected an array of at most %zu",
                    scene_format_value(array).text, max);
        return NULL;
    }
    *count = (uint32_t)json_array_size(array);
    return array;
}

const char *scene_read_word(scene_parser *parser, const scene_location *where, json_t *object)
{
    json_t *value = json_object_get(object, where->key);
    if (!value) return NULL; /* the table has reported it */
    const char *text = json_string_value(value);
    if (!text) scene_error(parser, where, "is %s, expected a text", scene_format_value(value).text);
    return text;
}

void scene_read_direction(scene_parser *parser, const scene_location *where, const char *key,
                          vec3 *direction)
{
    scene_location at = scene_location_key(where, key);
    double x = direction->x, y = direction->y, z = direction->z;
    double length = sqrt(x * x + y * y + z * z);
    if (length > 0)
        *direction = vec3_make((float)(x / length), (float)(y / length), (float)(z / length));
    else
        scene_error(parser, &at, "is zero, expected a direction such as [0, 1, 0]");
}

vec3 scene_read_spin(scene_parser *parser, const scene_location *where, json_t *object,
                     vec3 *centre)
{
    scene_spin_input spin;
    if (scene_read_fields(parser, where, object, &scene_table_spin, &spin) &&
        json_object_get(object, "axis"))
        scene_read_direction(parser, where, "axis", &spin.axis);
    *centre = spin.centre;
    return vec3_scale(spin.axis, spin.rate);
}

void scene_check_times(scene_parser *parser, const scene_location *where, float start_s,
                       float end_s)
{
    scene_location end = scene_location_key(where, "end");
    if (end_s < start_s)
        scene_error(parser, &end, "is %g s, expected no less than start, %g s", (double)end_s,
                    (double)start_s);
}

/* Converts rotations in degrees about x, then y, then z, each about the fixed axes. */
static quat euler_rotation(const float degrees[3])
{
    quat q[3];
    const vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; ++i)
        q[i] = quat_from_axis_angle(axes[i], (float)(degrees[i] * RADIANS_PER_DEGREE));
    return quat_normalize(quat_multiply(q[2], quat_multiply(q[1], q[0])));
}

static quat axis_angle_rotation(scene_parser *parser, const scene_location *where, json_t *value)
{
    scene_axis_angle_input turn;
    scene_read_fields(parser, where, value, &scene_table_axis_angle, &turn);
    scene_read_direction(parser, where, "axis", &turn.axis);
    return quat_from_axis_angle(turn.axis, turn.angle);
}

static quat quaternion_rotation(scene_parser *parser, const scene_location *where, json_t *value)
{
    static const scene_field part = {
        .name = "", .type = SCENE_FIELD_FLOAT, .min = -1, .max = 1, .unit = "", .about = ""};
    scene_location at = scene_location_key(where, "quaternion");
    json_t *array = json_object_get(value, "quaternion");
    float q[4] = {0};
    bool ok = json_is_array(array) && json_array_size(array) == 4 && json_object_size(value) == 1;
    for (size_t i = 0; i < 4 && ok; ++i)
        ok = scene_read_number(array, i, &part, &q[i]);
    double length2 =
        (double)q[0] * q[0] + (double)q[1] * q[1] + (double)q[2] * q[2] + (double)q[3] * q[3];
    if (!ok || length2 < 0.25) {
        scene_error(parser, &at,
                    "is %s, expected four numbers [x, y, z, w] of length 1, and no other key",
                    scene_format_value(array).text);
        return quat_identity();
    }
    return quat_normalize((quat){q[0], q[1], q[2], q[3]});
}

quat scene_read_rotation(scene_parser *parser, const scene_location *where, json_t *object)
{
    static const scene_field euler = {
        .name = "rotation",
        .type = SCENE_FIELD_VECTOR,
        .min = -3600,
        .max = 3600,
        .unit = "degrees",
        .about = "rotation about x, then y, then z; or {axis, angle}; or {quaternion}"};
    scene_location at = scene_location_key(where, "rotation");
    json_t *value = json_object_get(object, "rotation");
    float degrees[3] = {0};
    if (!value) {
        scene_set_json(parser, object, "rotation", json_pack("[f,f,f]", 0.0, 0.0, 0.0));
        return quat_identity();
    }
    if (json_object_get(value, "quaternion")) return quaternion_rotation(parser, &at, value);
    if (json_is_object(value)) return axis_angle_rotation(parser, &at, value);
    if (!scene_read_vector(parser, &at, value, &euler, degrees)) return quat_identity();
    return euler_rotation(degrees);
}

/* ---- files ---------------------------------------------------------------------------------- */

const char *const scene_up_axes[] = {"y", "z", NULL};

void scene_turn_up(scene_pose *pose, uint32_t up)
{
    const float half = 0.70710678f;
    const quat z_to_y = {-half, 0.0f, 0.0f, half};
    if (up == 1) pose->rotation = quat_normalize(quat_multiply(pose->rotation, z_to_y));
}

/* Returns an element of a rotation matrix; right angles are exact. */
static double snap_to_right_angle(double x)
{
    const double tolerance = 1e-6;
    return fabs(x - round(x)) < tolerance ? round(x) : x;
}

/* Rotates backwards, with 64 bits. */
static void rotate_back(quat rotation, const double p[3], double out[3])
{
    double x = (double)rotation.x, y = (double)rotation.y, z = (double)rotation.z,
           w = (double)rotation.w, s = 2.0 / (x * x + y * y + z * z + w * w);
    const double m[3][3] = {
        {1.0 - s * (y * y + z * z), s * (x * y - z * w), s * (x * z + y * w)},
        {s * (x * y + z * w), 1.0 - s * (x * x + z * z), s * (y * z - x * w)},
        {s * (x * z - y * w), s * (y * z + x * w), 1.0 - s * (x * x + y * y)},
    };
    for (int i = 0; i < 3; i++) {
        out[i] = 0.0;
        for (int k = 0; k < 3; k++)
            out[i] += snap_to_right_angle(m[k][i]) * p[k];
    }
}

void scene_split_far_pose(json_t *object, scene_pose *pose, double origin[3])
{
    json_t *position = json_object_get(object, "position"),
           *scale = json_object_get(object, "scale");
    double at[3] = {0}, most = 0.0;
    for (size_t i = 0; i < 3; i++) {
        at[i] = json_number_value(json_array_get(position, i));
        most = fmax(most, fabs(at[i]));
        origin[i] = 0.0;
    }
    double factor = json_is_number(scale) ? json_number_value(scale) : (double)pose->scale;
    if (most <= SCENE_FAR || !(factor > 0.0)) return;
    rotate_back(pose->rotation, at, origin);
    for (int i = 0; i < 3; i++)
        origin[i] /= -factor;
    pose->position = vec3_make(0.0f, 0.0f, 0.0f);
}

char *scene_read_path(scene_parser *parser, const scene_location *where, const char *name)
{
    char *path = base_path_join(parser->input->folder, name);
    if (!path) {
        parser->out_of_memory = true;
    } else if (!base_path_is_file(path)) {
        scene_error(parser, where, "no file \"%s\"; give its path relative to the scene%s", path,
                    strstr(name, "models/") ? ", or fetch the models with tools/get-models" : "");
        base_free(path);
        path = NULL;
    }
    return path;
}
