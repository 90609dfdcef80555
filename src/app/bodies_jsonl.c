/* Reads the poses of a run's bodies from its bodies.jsonl. */
#include "app.h"

#include <jansson.h>

#define FILE_MAX ((size_t)1 << 30)
#define FRAME_KEY "{\"frame\": "

weir_result bodies_jsonl_open(const weir_log *log, const char *run, const char *without,
                              bodies_jsonl *bodies)
{
    *bodies = (bodies_jsonl){.log = log, .without = without};
    bodies->path = base_path_join(run, "bodies.jsonl");
    if (!bodies->path) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a path");
    if (!base_path_is_file(bodies->path)) return WEIR_OK;
    return base_file_read(log, bodies->path, FILE_MAX, &bodies->file);
}

void bodies_jsonl_close(bodies_jsonl *bodies)
{
    base_blob_free(&bodies->file);
    base_free(bodies->path);
    base_free(bodies->poses);
    base_free(bodies->states);
    json_decref(bodies->line);
}

/* ---- one line ------------------------------------------------------------------------------- */

typedef struct body_line {
    const char *text;
    size_t size;
    int number; /* from 1; 0: no such line */
} body_line;

static bool is_line_of_frame(const char *text, const char *end, uint64_t frame)
{
    int64_t number;
    const size_t key = sizeof FRAME_KEY - 1;
    if ((size_t)(end - text) <= key || memcmp(text, FRAME_KEY, key) != 0) return false;
    return base_parse_int64(text + key, end, &number, &text) && (uint64_t)number == frame;
}

static body_line find_line(const bodies_jsonl *bodies, uint64_t frame)
{
    const char *at = (const char *)bodies->file.bytes, *end = at + bodies->file.size, *next;
    for (int number = 1; at < end; number++, at = next + 1) {
        next = memchr(at, '\n', (size_t)(end - at));
        if (!next) next = end;
        if (is_line_of_frame(at, next, frame)) return (body_line){at, (size_t)(next - at), number};
    }
    return (body_line){0};
}

static bool read_numbers(const json_t *body, const char *key, size_t count, float *numbers)
{
    json_t *array = json_object_get(body, key);
    bool whole = json_array_size(array) == count;
    for (size_t i = 0; i < count && whole; i++) {
        json_t *number = json_array_get(array, i);
        whole = json_is_number(number);
        numbers[i] = (float)json_number_value(number);
    }
    return whole;
}

/* Undoes --up z and --scale of the run, which had written (x, -z, y) times the scale. */
static void undo_file_transform(const weir_output_def *written, double scale, float v[3])
{
    float y = written->y_up ? v[1] : v[2], z = written->y_up ? v[2] : -v[1];
    const float turned[3] = {v[0], y, z};
    for (int k = 0; k < 3; k++)
        v[k] = (float)(1.0 / scale) * turned[k];
}

/* Runs of older versions have no angular velocities. */
static void read_state(const json_t *body, const weir_output_def *written,
                       const weir_body_pose *pose, weir_body *state)
{
    const char *name = json_string_value(json_object_get(body, "name"));
    *state = (weir_body){.name = name ? name : ""};
    memcpy(state->position, pose->position, sizeof state->position);
    memcpy(state->rotation, pose->rotation, sizeof state->rotation);
    if (read_numbers(body, "velocity", 3, state->velocity))
        undo_file_transform(written, written->scale, state->velocity);
    if (read_numbers(body, "angular_velocity", 3, state->angular_velocity))
        undo_file_transform(written, 1.0, state->angular_velocity);
}

static weir_result read_poses(bodies_jsonl *bodies, const weir_output_def *written,
                              const json_t *all)
{
    if (!json_is_array(all)) return WEIR_ERROR_IO;
    bodies->count = (uint32_t)json_array_size(all);
    base_free(bodies->poses);
    base_free(bodies->states);
    bodies->poses = base_alloc(bodies->count, sizeof *bodies->poses);
    bodies->states = base_alloc(bodies->count, sizeof *bodies->states);
    if (!bodies->poses || !bodies->states)
        return base_fail(bodies->log, WEIR_ERROR_MEMORY, "not enough memory for bodies");
    for (uint32_t i = 0; i < bodies->count; i++) {
        const json_t *body = json_array_get(all, i);
        weir_body_pose *pose = &bodies->poses[i];
        if (!read_numbers(body, "position", 3, pose->position) ||
            !read_numbers(body, "rotation", 4, pose->rotation))
            return WEIR_ERROR_IO;
        undo_file_transform(written, written->scale, pose->position);
        undo_file_transform(written, 1.0, pose->rotation);
        read_state(body, written, pose, &bodies->states[i]);
    }
    return WEIR_OK;
}

static weir_result read_line(bodies_jsonl *bodies, const weir_output_def *written,
                             body_line body_line)
{
    json_decref(bodies->line);
    bodies->line = json_loadb(body_line.text, body_line.size, 0, NULL);
    weir_result result = read_poses(bodies, written, json_object_get(bodies->line, "bodies"));
    if (result != WEIR_ERROR_IO) return result;
    return base_fail(
        bodies->log, WEIR_ERROR_IO,
        "%s:%d: not a valid record of bodies: expected \"bodies\", each with a position (3 "
        "numbers) and a rotation (4 numbers); run the scene again, or move the file away",
        bodies->path, body_line.number);
}

weir_result bodies_jsonl_read_frame(bodies_jsonl *bodies, const weir_output_def *written,
                                    uint64_t frame)
{
    bodies->count = 0;
    if (bodies->file.size == 0) return WEIR_OK;
    body_line found = find_line(bodies, frame);
    if (found.number > 0) return read_line(bodies, written, found);
    if (!bodies->warned)
        base_log(bodies->log, WEIR_LOG_WARNING, "%s has no line for frame %llu: its bodies are %s",
                 bodies->path, (unsigned long long)frame, bodies->without);
    bodies->warned = true;
    return WEIR_OK;
}
