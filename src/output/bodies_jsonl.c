/* Writes bodies.jsonl: one line of JSON per frame with the pose and motion of every body, and the
 * force of the fluid on it. */
#include "output_internal.h"

#include "weir/bodies.h"

weir_result output_open_bodies(weir_output *output, uint64_t frame)
{
    const weir_log *log = &output->def.log;
    base_text text = {0};
    if (api_sim_scene_data(output->sim)->body_count == 0) return WEIR_OK;
    output->bodies_path = base_path_join(output->folder, "bodies.jsonl");
    if (!output->bodies_path)
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a path");
    weir_result result = output_open_line_table(output, output->bodies_path, &text, frame);
    base_free(text.items);
    return result;
}

static bool append_numbers(base_text *text, const char *key, const float *numbers, uint32_t count)
{
    bool ok = base_text_append(text, ", \"%s\": [", key);
    for (uint32_t i = 0; ok && i < count; i++) {
        char digits[32];
        base_print_float(digits, numbers[i]);
        ok = base_text_append(text, "%s%s", i ? ", " : "", digits);
    }
    return ok && base_text_append(text, "]");
}

static vec3 convert(const float v[3], io_file_axes axes)
{
    return io_vector_to_file_axes(vec3_make(v[0], v[1], v[2]), axes);
}

typedef struct body_record {
    const weir_body *body;
    const weir_force *force;
} body_record;

static bool append_body(const weir_output *output, base_text *text, body_record moved)
{
    const weir_body *body = moved.body;
    const io_file_axes lengths = api_file_axes(&output->def), unscaled = {lengths.y_up, 1.0};
    vec3 position = convert(body->position, lengths), velocity = convert(body->velocity, lengths);
    vec3 axis = convert(body->rotation, unscaled);
    vec3 turning = convert(body->angular_velocity, unscaled);
    vec3 force = convert(moved.force->force, unscaled),
         torque = convert(moved.force->torque, unscaled);
    const float rotation[4] = {axis.x, axis.y, axis.z, body->rotation[3]};
    json_t *name = json_string(body->name);
    char *shown = name ? json_dumps(name, JSON_ENCODE_ANY) : NULL;
    bool ok = shown && base_text_append(text, "{\"name\": %s", shown) &&
              append_numbers(text, "position", &position.x, 3) &&
              append_numbers(text, "rotation", rotation, 4) &&
              append_numbers(text, "velocity", &velocity.x, 3) &&
              append_numbers(text, "angular_velocity", &turning.x, 3) &&
              append_numbers(text, "force", &force.x, 3) &&
              append_numbers(text, "torque", &torque.x, 3) && base_text_append(text, "}");
    free(shown);
    json_decref(name);
    return ok;
}

static bool append_line(const weir_output *output, output_frame *frame, const weir_body *bodies,
                        const weir_force *forces)
{
    base_text *text = &frame->bodies;
    const weir_stats *stats = &frame->stats;
    uint32_t count = api_sim_scene_data(output->sim)->body_count;
    bool ok = base_text_append(text, OUTPUT_FRAME_KEY "%llu," OUTPUT_TIME_KEY,
                               (unsigned long long)stats->frame) &&
              output_append_number(text, stats->time_s) &&
              base_text_append(text, ", \"bodies\": [");
    for (uint32_t i = 0; ok && i < count; i++)
        ok = (i == 0 || base_text_append(text, ", ")) &&
             append_body(output, text, (body_record){&bodies[i], &forces[i]});
    return ok && base_text_append(text, "]}\n");
}

weir_result output_read_bodies(weir_output *output, output_frame *frame)
{
    const weir_log *log = &output->def.log;
    uint32_t count = api_sim_scene_data(output->sim)->body_count;
    if (!output->bodies_path) return WEIR_OK;
    weir_body *bodies = base_alloc(count, sizeof *bodies);
    weir_force *forces = base_alloc(count, sizeof *forces);
    weir_result result = bodies && forces ? WEIR_OK : WEIR_ERROR_MEMORY;
    if (result == WEIR_OK) result = weir_sim_get_bodies(output->sim, bodies, &count);
    if (result == WEIR_OK) result = weir_sim_get_body_forces(output->sim, forces, &count);
    if (result == WEIR_OK && !append_line(output, frame, bodies, forces))
        result = WEIR_ERROR_MEMORY;
    base_free(bodies);
    base_free(forces);
    if (result == WEIR_ERROR_MEMORY)
        base_log(log, WEIR_LOG_ERROR, "%s: not enough memory for a line", output->bodies_path);
    return result;
}

weir_result output_append_bodies(const weir_output *output, const output_frame *frame)
{
    if (frame->bodies.count == 0) return WEIR_OK;
    return base_file_append(&output->def.log, output->bodies_path, frame->bodies.items,
                            frame->bodies.count);
}
