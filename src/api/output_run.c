/* run.json: what a run was made from, so that it can be repeated. */
#include "json.h"
#include "output_internal.h"

#define RUN_FILE_MAX ((size_t)64 << 20)

/* By weir_output_def's `y_up` and `gauge_substeps`. */
static const char *const up_choices[] = {"z", "y"}, *const gauge_choices[] = {"frame", "substep"};

/* ---- writing -------------------------------------------------------------------------------- */

static json_t *list_fields(uint32_t fields)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < WEIR_FIELD_COUNT; ++i) {
        if (!(fields & 1u << i)) continue;
        if (json_array_append_new(list, json_string(weir_name(WEIR_NAMES_FIELD, i))) == 0) continue;
        json_decref(list);
        return NULL;
    }
    return list;
}

static json_t *describe_device(const weir_device_info *info)
{
    return json_pack("{s:o, s:o, s:o}", "name", api_json_text(info->name), "driver",
                     api_json_text(info->driver), "api_version", api_json_text(info->api_version));
}

static bool put_settings(json_t *run, const weir_output_def *def)
{
    json_t *output = json_object();
    return api_json_put(run, "output", output) &&
           api_json_put(output, "particles", json_boolean(def->particles)) &&
           api_json_put(output, "format", json_string(weir_name(WEIR_NAMES_FORMAT, def->format))) &&
           api_json_put(output, "fields", list_fields(def->fields)) &&
           api_json_put(output, "start_frame", json_integer(def->start_frame)) &&
           api_json_put(output, "first_frame", json_integer(def->first_frame)) &&
           (def->last_frame == UINT32_MAX ||
            api_json_put(output, "last_frame", json_integer(def->last_frame))) &&
           api_json_put(output, "gauges", json_string(gauge_choices[def->gauge_substeps])) &&
           api_json_put(output, "up", json_string(up_choices[def->y_up])) &&
           api_json_put(output, "scale", api_json_number(def->scale)) &&
           (!def->mesh || api_json_put(output, "mesh", output_mesh_settings(def)));
}

static bool append_run(base_text *text, const weir_output *output, bool complete)
{
    const weir_scene *scene = output->sim->scene;
    const weir_device_info *device = gpu_device_info(output->sim->device->gpu);
    json_t *run = json_object();
    bool ok = api_json_put(run, "weir", json_string(weir_version())) &&
              api_json_put(run, "scene", json_loads(scene->data->json, 0, NULL)) &&
              api_json_put(run, "scene_folder", api_json_text(scene->folder)) &&
              api_json_put(run, "device", describe_device(device)) &&
              put_settings(run, &output->def) &&
              api_json_put(run, "complete", json_boolean(complete)) &&
              api_json_put(run, "crushed_frames", json_integer(output->crushed_frames)) &&
              api_json_print(run, text) && base_text_append(text, "\n");
    json_decref(run);
    return ok;
}

weir_result output_write_run(const weir_output *output, bool complete)
{
    const weir_log *log = &output->def.log;
    base_text json = {0};
    char *path = base_path_join(output->folder, "run.json");
    weir_result result =
        path && append_run(&json, output, complete)
            ? base_file_write(log, path, json.items, json.count)
            : base_fail(log, WEIR_MEMORY, "%s: no memory for run.json", output->folder);
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
        if (!api_json_read_name(element, WEIR_NAMES_FIELD, &field)) return false;
        *fields |= 1u << field;
    }
    return true;
}

static bool read_either(const json_t *value, const char *const choices[2], bool *second)
{
    uint32_t index;
    bool known = api_json_read_choice(value, choices, 2, &index);
    if (known) *second = index == 1;
    return known;
}

/* NULL when all is well, else the setting that is missing or wrong. */
static const char *read_settings(const json_t *output, weir_output_def *def)
{
    const json_t *last = json_object_get(output, "last_frame"),
                 *gauges = json_object_get(output, "gauges"),
                 *mesh = json_object_get(output, "mesh");
    uint32_t format;
    if (!api_json_read_flag(json_object_get(output, "particles"), &def->particles))
        return "particles";
    if (!api_json_read_name(json_object_get(output, "format"), WEIR_NAMES_FORMAT, &format))
        return "format";
    def->format = (weir_format)format;
    if (!read_fields(json_object_get(output, "fields"), &def->fields)) return "fields";
    if (!api_json_read_u32(json_object_get(output, "start_frame"), &def->start_frame))
        return "start_frame";
    if (!api_json_read_u32(json_object_get(output, "first_frame"), &def->first_frame))
        return "first_frame";
    def->last_frame = UINT32_MAX;
    if (last && !api_json_read_u32(last, &def->last_frame)) return "last_frame";
    if (!read_either(json_object_get(output, "up"), up_choices, &def->y_up)) return "up";
    def->gauge_substeps = false; /* runs of versions without gauges lack the key */
    if (gauges && !read_either(gauges, gauge_choices, &def->gauge_substeps)) return "gauges";
    if (!api_json_read_number(json_object_get(output, "scale"), &def->scale)) return "scale";
    def->mesh = mesh != NULL;
    return mesh ? output_read_mesh(mesh, def) : NULL;
}

weir_result weir_output_def_read(const char *path, weir_output_def *def)
{
    const weir_log *log = def ? &def->log : NULL;
    WEIR_REQUIRE_DEF(log, def, API_OUTPUT_COOKIE, "output");
    WEIR_REQUIRE(log, path && path[0], "`path` must name a file");
    base_blob blob = {0};
    weir_result result = WEIR_OK;
    WEIR_NEED(base_file_read(log, path, RUN_FILE_MAX, &blob));
    json_t *run = api_json_run((const char *)blob.bytes, blob.size);
    const json_t *output = json_object_get(run, "output");
    if (output) {
        weir_output_def read = *def;
        const char *wrong = read_settings(output, &read);
        if (!wrong) *def = read;
        if (wrong)
            result = base_fail(log, WEIR_IO,
                               "%s: output.%s is missing or has no valid value; correct it or "
                               "remove the whole \"output\"",
                               path, wrong);
    }
    json_decref(run);
    base_blob_free(&blob);
    return result;
}
