/* run.json: what a run was made from, so that it can be repeated. */
#include "output_internal.h"

#define RUN_FILE_MAX ((size_t)64 << 20)

/* ---- writing -------------------------------------------------------------------------------- */

/* `text` two columns to the right, so that the nested scene reads as one document. */
static bool append_nested(base_text *json, const char *text)
{
    bool ok = true;
    size_t size = strlen(text);
    while (size > 0 && (text[size - 1] == '\n' || text[size - 1] == ' '))
        --size;
    for (size_t i = 0; ok && i < size; ++i)
        ok = text[i] == '\n' ? base_text_append(json, "\n  ") : base_text_bytes(json, text + i, 1);
    return ok;
}

static bool append_pair(base_text *json, const char *key, const char *text)
{
    return base_text_append(json, "\"%s\": ", key) && api_json_append_string(json, text);
}

static bool append_device(base_text *json, const weir_device_info *info)
{
    return base_text_append(json, "  \"device\": {\n    ") &&
           append_pair(json, "name", info->name) && base_text_append(json, ",\n    ") &&
           append_pair(json, "driver", info->driver) && base_text_append(json, ",\n    ") &&
           append_pair(json, "api_version", info->api_version) &&
           base_text_append(json, "\n  },\n");
}

static bool append_fields(base_text *json, uint32_t fields)
{
    bool ok = base_text_append(json, "    \"fields\": [");
    const char *comma = "";
    for (uint32_t i = 0; ok && i < WEIR_FIELD_COUNT; ++i) {
        if (!(fields & 1u << i)) continue;
        ok = base_text_append(json, "%s\"%s\"", comma, weir_name(WEIR_NAMES_FIELD, i));
        comma = ", ";
    }
    return ok && base_text_append(json, "],\n");
}

static bool append_settings(base_text *json, const weir_output_def *def)
{
    return base_text_append(json, "  \"output\": {\n    \"particles\": %s,\n",
                            def->particles ? "true" : "false") &&
           base_text_append(json, "    \"format\": \"%s\",\n",
                            weir_name(WEIR_NAMES_FORMAT, def->format)) &&
           append_fields(json, def->fields) &&
           base_text_append(json, "    \"start_frame\": %u,\n", def->start_frame) &&
           base_text_append(json, "    \"first_frame\": %u,\n", def->first_frame) &&
           (def->last_frame == UINT32_MAX ||
            base_text_append(json, "    \"last_frame\": %u,\n", def->last_frame)) &&
           base_text_append(json, "    \"gauges\": \"%s\",\n",
                            def->gauge_substeps ? "substep" : "frame") &&
           base_text_append(json, "    \"up\": \"%s\",\n    \"scale\": ", def->y_up ? "y" : "z") &&
           api_json_append_number(json, def->scale) &&
           (!def->mesh || output_append_mesh(json, def)) && base_text_append(json, "\n  }\n");
}

static bool append_run(base_text *json, const weir_output *output)
{
    const weir_scene *scene = output->sim->scene;
    return base_text_append(json, "{\n  ") && append_pair(json, "weir", weir_version()) &&
           base_text_append(json, ",\n  \"scene\": ") && append_nested(json, scene->data->json) &&
           base_text_append(json, ",\n  ") && append_pair(json, "scene_folder", scene->folder) &&
           base_text_append(json, ",\n") &&
           append_device(json, gpu_device_info(output->sim->device->gpu)) &&
           append_settings(json, &output->def) && base_text_append(json, "}\n");
}

weir_result output_write_run(const weir_output *output)
{
    const weir_log *log = &output->def.log;
    base_text json = {0};
    char *path = base_path_join(output->folder, "run.json");
    weir_result result = WEIR_MEMORY;
    if (path && append_run(&json, output)) {
        result = base_file_write(log, path, json.items, json.count);
    } else {
        base_fail(log, WEIR_MEMORY, "%s: no memory for run.json", output->folder);
    }
    base_free(json.items);
    base_free(path);
    return result;
}

/* ---- reading -------------------------------------------------------------------------------- */

static bool read_u32(api_json_span settings, const char *key, uint32_t *value)
{
    double number;
    bool fits = api_json_number(api_json_member(settings, key), &number) && number >= 0 &&
                number <= (double)UINT32_MAX && number == floor(number);
    if (fits) *value = (uint32_t)number;
    return fits;
}

static bool read_format(api_json_span settings, weir_format *format)
{
    char *name = api_json_string(api_json_member(settings, "format"));
    bool known = false;
    for (uint32_t i = 0; name && i < WEIR_FORMAT_COUNT; ++i) {
        if (strcmp(name, weir_name(WEIR_NAMES_FORMAT, i)) != 0) continue;
        *format = (weir_format)i;
        known = true;
    }
    base_free(name);
    return known;
}

static bool add_field(void *user, api_json_span element)
{
    uint32_t *fields = user;
    char *name = api_json_string(element);
    bool known = false;
    for (uint32_t i = 0; name && i < WEIR_FIELD_COUNT; ++i) {
        if (strcmp(name, weir_name(WEIR_NAMES_FIELD, i)) != 0) continue;
        *fields |= 1u << i;
        known = true;
    }
    base_free(name);
    return known;
}

static bool read_up(api_json_span settings, bool *y_up)
{
    char *up = api_json_string(api_json_member(settings, "up"));
    bool known = up && (strcmp(up, "y") == 0 || strcmp(up, "z") == 0);
    if (known) *y_up = up[0] == 'y';
    base_free(up);
    return known;
}

/* Runs of versions without gauges lack the key. */
static bool read_gauges(api_json_span settings, bool *substeps)
{
    api_json_span value = api_json_member(settings, "gauges");
    char *every = api_json_string(value);
    bool known =
        !value.text || (every && (strcmp(every, "frame") == 0 || strcmp(every, "substep") == 0));
    *substeps = known && every && every[0] == 's';
    base_free(every);
    return known;
}

/* NULL when all is well, else the setting that is missing or wrong. */
static const char *read_settings(api_json_span settings, weir_output_def *def)
{
    def->fields = 0;
    if (!api_json_boolean(api_json_member(settings, "particles"), &def->particles))
        return "particles";
    if (!read_format(settings, &def->format)) return "format";
    if (!api_json_each(api_json_member(settings, "fields"), add_field, &def->fields))
        return "fields";
    if (!read_u32(settings, "start_frame", &def->start_frame)) return "start_frame";
    if (!read_u32(settings, "first_frame", &def->first_frame)) return "first_frame";
    def->last_frame = UINT32_MAX;
    if (api_json_member(settings, "last_frame").text &&
        !read_u32(settings, "last_frame", &def->last_frame))
        return "last_frame";
    if (!read_up(settings, &def->y_up)) return "up";
    if (!read_gauges(settings, &def->gauge_substeps)) return "gauges";
    if (!api_json_number(api_json_member(settings, "scale"), &def->scale)) return "scale";
    api_json_span mesh = api_json_member(settings, "mesh");
    def->mesh = mesh.text != NULL;
    return def->mesh ? output_read_mesh(mesh, def) : NULL;
}

weir_result weir_output_def_read(const char *path, weir_output_def *def)
{
    const weir_log *log = def ? &def->log : NULL;
    WEIR_REQUIRE(log, def, "`def` must not be NULL");
    WEIR_REQUIRE(log, def->cookie == API_OUTPUT_COOKIE, API_COOKIE_RULE("output"));
    WEIR_REQUIRE(log, path && path[0], "`path` must name a file");
    base_blob blob = {0};
    weir_result result = base_file_read(log, path, RUN_FILE_MAX, &blob);
    if (result != WEIR_OK) return result;

    api_json_span run = {(const char *)blob.bytes, blob.size};
    api_json_span settings = api_json_member(run, "output");
    if (api_json_is_object(api_json_member(run, "scene")) && settings.text) {
        weir_output_def read = *def;
        const char *wrong = read_settings(settings, &read);
        if (!wrong) *def = read;
        if (wrong)
            result =
                base_fail(log, WEIR_IO,
                          "%s: output.%s is missing or not as weir wrote it; mend it or remove "
                          "the whole \"output\"",
                          path, wrong);
    }
    base_blob_free(&blob);
    return result;
}
