/* Writes and reads run.json: everything needed to repeat a run. */
#include "api_require.h"
#include "io_json.h"
#include "output_internal.h"

#define RUN_FILE_MAX ((size_t)64 << 20)

/* Names by the values of weir_output_def.y_up and gauges_per_substep. */
static const char *const up_choices[] = {"z", "y"}, *const gauge_choices[] = {"frame", "substep"};

/* ---- writing -------------------------------------------------------------------------------- */

static json_t *list_fields(uint32_t fields)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < WEIR_FIELD_COUNT; ++i) {
        if (!(fields & 1u << i)) continue;
        if (json_array_append_new(list, json_string(weir_enum_name(WEIR_ENUM_FIELD, i))) == 0)
            continue;
        json_decref(list);
        return NULL;
    }
    return list;
}

static json_t *describe_device(const weir_device *device)
{
    weir_device_info info;
    weir_device_get_info(device, &info);
    return json_pack("{s:o, s:o, s:o}", "name", io_json_string(info.name), "driver",
                     io_json_string(info.driver), "api_version", io_json_string(info.api_version));
}

static bool describe_settings(json_t *run, const weir_output_def *def)
{
    json_t *output = json_object();
    return io_json_set(run, "output", output) &&
           io_json_set(output, "particles", json_boolean(def->particles)) &&
           io_json_set(
               output, "format",
               json_string(weir_enum_name(WEIR_ENUM_PARTICLE_FORMAT, def->particle_format))) &&
           io_json_set(output, "fields", list_fields(def->fields)) &&
           io_json_set(output, "start_frame", json_integer(def->start_frame)) &&
           io_json_set(output, "first_frame", json_integer(def->first_frame)) &&
           (def->last_frame == UINT32_MAX ||
            io_json_set(output, "last_frame", json_integer(def->last_frame))) &&
           io_json_set(output, "gauges", json_string(gauge_choices[def->gauges_per_substep])) &&
           io_json_set(output, "up", json_string(up_choices[def->y_up])) &&
           io_json_set(output, "scale", io_json_number(def->scale)) &&
           (!def->mesh || io_json_set(output, "mesh", output_describe_mesh(def)));
}

static bool describe_progress(json_t *run, const weir_output *output,
                              const output_progress *progress)
{
    static const char *const names[] = {"running", "complete", "stopped", "failed"};
    char state[24];
    snprintf(state, sizeof state, "%016llx", (unsigned long long)progress->state);
    return io_json_set(run, "complete", json_boolean(progress->status == OUTPUT_COMPLETE)) &&
           io_json_set(run, "status", json_string(names[progress->status])) &&
           (progress->status == OUTPUT_RUNNING ||
            io_json_set(run, "frame", json_integer((json_int_t)output->last_frame))) &&
           (!progress->has_state || io_json_set(run, "state", json_string(state))) &&
           (progress->status != OUTPUT_FAILED ||
            io_json_set(run, "result", json_string(weir_result_name(progress->reason)))) &&
           (!progress->message || io_json_set(run, "message", io_json_string(progress->message)));
}

static bool append_run(base_text *text, const weir_output *output, const output_progress *progress)
{
    const weir_sim *sim = output->sim;
    json_t *run = json_object();
    bool ok =
        io_json_set(run, "weir", json_string(weir_version())) &&
        io_json_set(run, "scene", json_loads(api_sim_scene_data(sim)->json, 0, NULL)) &&
        io_json_set(run, "scene_folder", io_json_string(api_sim_scene_folder(sim))) &&
        io_json_set(run, "device", describe_device(api_sim_device(sim))) &&
        describe_settings(run, &output->def) &&
        (!output->def.started_from[0] ||
         io_json_set(run, "started_from", io_json_string(output->def.started_from))) &&
        describe_progress(run, output, progress) &&
        io_json_set(run, "overcompressed_frames", json_integer(output->overcompressed_frames)) &&
        io_json_print(run, text) && base_text_append(text, "\n");
    json_decref(run);
    return ok;
}

weir_result output_write_run(const weir_output *output, const output_progress *progress,
                             const weir_log *log)
{
    base_text json = {0};
    char *path = base_path_join(output->folder, "run.json");
    weir_result result = path && append_run(&json, output, progress)
                             ? base_file_write(log, path, json.items, json.count)
                             : base_fail(log, WEIR_ERROR_MEMORY,
                                         "%s: not enough memory for run.json", output->folder);
    base_free(json.items);
    base_free(path);
    return result;
}

/* ---- reading -------------------------------------------------------------------------------- */

static bool read_fields(const json_t *list, uint32_t *fields)
{
    uint32_t field;
    size_t i;
    json_t *element;
    *fields = 0;
    if (!json_is_array(list)) return false;
    json_array_foreach(list, i, element)
    {
        if (!output_get_enum(element, WEIR_ENUM_FIELD, &field)) return false;
        *fields |= 1u << field;
    }
    return true;
}

static bool read_two_way_choice(const json_t *value, const char *const choices[2], bool *second)
{
    uint32_t index;
    bool known = io_json_get_choice(value, choices, 2, &index);
    if (known) *second = index == 1;
    return known;
}

/* Reads the settings. Returns NULL, or the setting that is missing or invalid. */
static const char *read_settings(const json_t *output, weir_output_def *def)
{
    const json_t *last = json_object_get(output, "last_frame"),
                 *gauges = json_object_get(output, "gauges"),
                 *mesh = json_object_get(output, "mesh");
    uint32_t format;
    if (!io_json_get_bool(json_object_get(output, "particles"), &def->particles))
        return "particles";
    if (!output_get_enum(json_object_get(output, "format"), WEIR_ENUM_PARTICLE_FORMAT, &format))
        return "format";
    def->particle_format = (weir_particle_format)format;
    if (!read_fields(json_object_get(output, "fields"), &def->fields)) return "fields";
    if (!io_json_get_u32(json_object_get(output, "start_frame"), &def->start_frame))
        return "start_frame";
    if (!io_json_get_u32(json_object_get(output, "first_frame"), &def->first_frame))
        return "first_frame";
    def->last_frame = UINT32_MAX;
    if (last && !io_json_get_u32(last, &def->last_frame)) return "last_frame";
    if (!read_two_way_choice(json_object_get(output, "up"), up_choices, &def->y_up)) return "up";
    def->gauges_per_substep = false; /* run.json of versions without gauges lacks the key */
    if (gauges && !read_two_way_choice(gauges, gauge_choices, &def->gauges_per_substep))
        return "gauges";
    if (!io_json_get_number(json_object_get(output, "scale"), &def->scale)) return "scale";
    def->mesh = mesh != NULL;
    return mesh ? output_parse_mesh_settings(mesh, def) : NULL;
}

weir_result weir_output_def_read(const char *path, weir_output_def *def)
{
    const weir_log *log = def ? &def->log : NULL;
    WEIR_REQUIRE_DEF(log, def, API_OUTPUT_COOKIE, "output");
    WEIR_REQUIRE(log, path && path[0], "`path` must name a file");
    base_blob blob = {0};
    weir_result result = WEIR_OK;
    WEIR_RETURN_IF_ERROR(base_text_file_read(log, path, RUN_FILE_MAX, &blob));
    json_t *run = io_json_parse_run((const char *)blob.bytes, blob.size);
    const json_t *output = json_object_get(run, "output");
    if (output) {
        weir_output_def read = *def;
        const char *wrong = read_settings(output, &read);
        const char *from = json_string_value(json_object_get(run, "started_from"));
        snprintf(read.started_from, sizeof read.started_from, "%s", from ? from : "");
        if (!wrong) *def = read;
        if (wrong)
            result = base_fail(log, WEIR_ERROR_IO,
                               "%s: output.%s is missing or has no valid value; correct it or "
                               "remove the whole \"output\"",
                               path, wrong);
    }
    json_decref(run);
    base_blob_free(&blob);
    return result;
}
