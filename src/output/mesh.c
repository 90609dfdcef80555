/* Computes and writes meshes while a simulation runs, and records their settings in run.json. */
#include "api_require.h"
#include "io_json.h"
#include "output_internal.h"

/* ---- frames --------------------------------------------------------------------------------- */

weir_result output_make_mesh(weir_output *output, weir_mesh **mesh)
{
    weir_points *points = NULL;
    weir_result result = weir_sim_acquire_points(output->sim, &points);
    if (result == WEIR_OK) result = weir_mesher_run(output->mesher, points, mesh);
    weir_points_release(&points);
    /* Refinement with solids needs the device, so it cannot run in the writer thread. */
    if (result != WEIR_OK || !output->def.mesh_refine || !output->def.mesh_snap_to_solids)
        return result;
    weir_stats stats;
    weir_mesh_refine_def def = output->def.refine;
    def.scene = api_sim_scene(output->sim);
    result = weir_sim_get_stats(output->sim, &stats);
    def.time_s = stats.time_s;
    return result == WEIR_OK ? weir_mesh_refine(*mesh, &def, NULL) : result;
}

static char *file_name(const weir_output *output, const char *stem, const char *extension,
                       uint64_t frame)
{
    return base_format("%s/mesh/%s_%04llu.%s", output->folder, stem,
                       (unsigned long long)output->def.start_frame + frame, extension);
}

/* Returns the extension of spray files: that of the meshes if it is one of particles, too, else
 * PLY. */
static const char *spray_extension(weir_mesh_format format)
{
    const char *name = io_mesh_format_extension(format);
    for (weir_particle_format p = 0; p < WEIR_PARTICLE_FORMAT_COUNT; p++)
        if (strcmp(io_format_extension(p), name) == 0) return name;
    return "ply";
}

weir_result output_write_mesh(const weir_output *output, output_frame *frame)
{
    const weir_output_def *def = &output->def;
    weir_mesh_save_def save = weir_mesh_save_def_default();
    save.axis_conversion = def->y_up ? WEIR_AXIS_CONVERSION_NONE : WEIR_AXIS_CONVERSION_Y_TO_Z;
    save.scale = def->scale;
    save.time_s = frame->stats.time_s;
    char *mesh =
        file_name(output, "surface", weir_enum_name(WEIR_ENUM_MESH_FORMAT, def->mesh_format),
                  frame->stats.frame);
    char *spray = file_name(output, "spray", spray_extension(def->mesh_format), frame->stats.frame);
    weir_result result = WEIR_OK;
    if (!mesh || !spray) {
        result = base_fail(&def->log, WEIR_ERROR_MEMORY, "%s: not enough memory for a name",
                           output->folder);
        goto fail;
    }
    if (def->mesh_refine && !def->mesh_snap_to_solids && !frame->refined)
        WEIR_GOTO_IF_ERROR(weir_mesh_refine(frame->mesh, &def->refine, NULL));
    frame->refined = true;
    WEIR_GOTO_IF_ERROR(weir_mesh_save(frame->mesh, mesh, &save));
    if (def->mesher.spray_neighbours)
        WEIR_GOTO_IF_ERROR(weir_mesh_save_spray(frame->mesh, spray, &save));
fail:
    base_free(mesh);
    base_free(spray);
    return result;
}

/* ---- run.json ------------------------------------------------------------------------------- */

typedef enum setting_kind {
    SETTING_FLOAT,
    SETTING_DOUBLE,
    SETTING_COUNT,
    SETTING_FLAG,
    SETTING_VECTOR, /* float[3] */
    SETTING_CHOICE,
} setting_kind;

typedef struct setting {
    const char *name; /* path in "output" of run.json; the key is the part after the dot */
    size_t offset;    /* in weir_output_def */
    setting_kind kind;
    const char *const *choices;
    uint32_t choice_count;
} setting;

static const char *const fields[] = {"zhu-bridson", "colour", "anisotropic"};
static const char *const normals[] = {"field", "faces", "none"};
static const char *const smoothings[] = {"none", "taubin", "laplace"};

#define SETTING(name, member, kind)                            \
    {                                                          \
        name, offsetof(weir_output_def, member), kind, NULL, 0 \
    }
#define CHOICE_SETTING(name, member, choices)                                                 \
    {                                                                                         \
        name, offsetof(weir_output_def, member), SETTING_CHOICE, choices, BASE_COUNT(choices) \
    }

static const setting settings[] = {
    CHOICE_SETTING("mesh.field", mesher.field, fields),
    SETTING("mesh.cell_size", mesher.cell_size, SETTING_FLOAT),
    SETTING("mesh.cell_size_m", mesher.cell_size_m, SETTING_FLOAT),
    SETTING("mesh.search_radius", mesher.search_radius, SETTING_FLOAT),
    SETTING("mesh.particle_radius", mesher.particle_radius, SETTING_FLOAT),
    SETTING("mesh.iso_value", mesher.iso_value, SETTING_FLOAT),
    SETTING("mesh.centre_smoothing", mesher.centre_smoothing, SETTING_FLOAT),
    SETTING("mesh.max_anisotropy", mesher.max_anisotropy, SETTING_FLOAT),
    SETTING("mesh.asymptotic_decider", mesher.asymptotic_decider, SETTING_FLAG),
    SETTING("mesh.sheet_damping", mesher.sheet_damping, SETTING_FLAG),
    CHOICE_SETTING("mesh.normals", mesher.normals, normals),
    SETTING("mesh.velocity", mesher.velocity, SETTING_FLAG),
    SETTING("mesh.attributes", mesher.attributes, SETTING_FLAG),
    SETTING("mesh.particle_attributes", mesher.particle_attributes, SETTING_FLAG),
    SETTING("mesh.neighbours", mesher.neighbours, SETTING_FLAG),
    SETTING("mesh.spray_neighbours", mesher.spray_neighbours, SETTING_COUNT),
    SETTING("mesh.refine", mesh_refine, SETTING_FLAG),
    SETTING("mesh.snap_to_solids", mesh_snap_to_solids, SETTING_FLAG),
    SETTING("mesh.remove_slivers", refine.remove_slivers, SETTING_FLAG),
    CHOICE_SETTING("mesh.smooth_method", refine.smooth_method, smoothings),
    SETTING("mesh.smooth_iterations", refine.smooth_iterations, SETTING_COUNT),
    SETTING("mesh.smooth_strength", refine.smooth_strength, SETTING_FLOAT),
    SETTING("mesh.smooth_neighbours", refine.smooth_neighbours, SETTING_FLOAT),
    SETTING("mesh.min_component_triangles", refine.min_component_triangles, SETTING_COUNT),
    SETTING("mesh.min_component_volume_m3", refine.min_component_volume_m3, SETTING_DOUBLE),
    SETTING("mesh.remove_voids", refine.remove_voids, SETTING_FLAG),
    SETTING("mesh.drop_subdivisions", refine.drop_subdivisions, SETTING_COUNT),
    SETTING("mesh.decimate_ratio", refine.decimate_ratio, SETTING_DOUBLE),
    SETTING("mesh.max_triangles", refine.max_triangles, SETTING_COUNT),
    SETTING("mesh.decimate_error_m", refine.decimate_error_m, SETTING_FLOAT),
    SETTING("mesh.snap_distance_m", refine.snap_distance_m, SETTING_FLOAT),
    SETTING("mesh.snap_offset_m", refine.snap_offset_m, SETTING_FLOAT),
    CHOICE_SETTING("mesh.refined_normals", refine.normals, normals),
    SETTING("mesh.clamp_to_box", refine.clamp_to_box, SETTING_FLAG),
    SETTING("mesh.clamp_min", refine.clamp_min, SETTING_VECTOR),
    SETTING("mesh.clamp_max", refine.clamp_max, SETTING_VECTOR),
    SETTING("mesh.normal_smooth_iterations", refine.normal_smooth_iterations, SETTING_COUNT),
};

static const char *setting_key(const setting *setting)
{
    return strchr(setting->name, '.') + 1;
}

static json_t *describe_vector(const float vector[3])
{
    json_t *numbers[3];
    for (int k = 0; k < 3; ++k)
        numbers[k] = io_json_number(base_shortest_decimal(vector[k]));
    return json_pack("[o, o, o]", numbers[0], numbers[1], numbers[2]);
}

static json_t *describe_setting(const setting *setting, const weir_output_def *def)
{
    const char *at = (const char *)def + setting->offset;
    float number = 0;
    double wide = 0;
    uint32_t word = 0;
    bool flag = false;
    switch (setting->kind) {
    case SETTING_FLOAT: memcpy(&number, at, sizeof number); break;
    case SETTING_DOUBLE: memcpy(&wide, at, sizeof wide); return io_json_number(wide);
    case SETTING_FLAG: memcpy(&flag, at, sizeof flag); return json_boolean(flag);
    case SETTING_COUNT: memcpy(&word, at, sizeof word); return json_integer(word);
    case SETTING_VECTOR: return describe_vector((const float *)at);
    case SETTING_CHOICE:
        memcpy(&word, at, sizeof word);
        return word < setting->choice_count ? json_string(setting->choices[word]) : NULL;
    }
    return io_json_number(base_shortest_decimal(number));
}

json_t *output_describe_mesh(const weir_output_def *def)
{
    const char *format = weir_enum_name(WEIR_ENUM_MESH_FORMAT, def->mesh_format);
    json_t *mesh = json_object();
    bool ok = io_json_set(mesh, "format", json_string(format));
    for (size_t i = 0; ok && i < BASE_COUNT(settings); ++i)
        ok = io_json_set(mesh, setting_key(&settings[i]), describe_setting(&settings[i], def));
    if (ok) return mesh;
    json_decref(mesh);
    return NULL;
}

static bool read_vector(const json_t *value, float vector[3])
{
    double numbers[3];
    bool good = json_array_size(value) == 3;
    for (size_t k = 0; good && k < 3; ++k)
        good = io_json_get_number(json_array_get(value, k), &numbers[k]) && fabs(numbers[k]) < 1e30;
    for (int k = 0; good && k < 3; ++k)
        vector[k] = (float)numbers[k];
    return good;
}

static bool read_setting(const json_t *value, const setting *setting, weir_output_def *def)
{
    char *at = (char *)def + setting->offset;
    double number = 0;
    uint32_t word = 0;
    bool flag = false, good = false;
    switch (setting->kind) {
    case SETTING_DOUBLE:
        good = io_json_get_number(value, &number);
        if (good) memcpy(at, &number, sizeof number);
        break;
    case SETTING_FLOAT:
        good = io_json_get_number(value, &number) && fabs(number) < 1e30;
        if (good) memcpy(at, &(float){(float)number}, sizeof(float));
        break;
    case SETTING_FLAG:
        good = io_json_get_bool(value, &flag);
        if (good) memcpy(at, &flag, sizeof flag);
        break;
    case SETTING_COUNT:
        good = io_json_get_u32(value, &word);
        if (good) memcpy(at, &word, sizeof word);
        break;
    case SETTING_VECTOR: return read_vector(value, (float *)at);
    case SETTING_CHOICE:
        good = io_json_get_choice(value, setting->choices, setting->choice_count, &word);
        if (good) memcpy(at, &word, sizeof word);
        break;
    }
    return good;
}

const char *output_parse_mesh_settings(const json_t *mesh, weir_output_def *def)
{
    uint32_t format;
    if (!output_get_enum(json_object_get(mesh, "format"), WEIR_ENUM_MESH_FORMAT, &format))
        return "mesh.format";
    def->mesh_format = (weir_mesh_format)format;
    def->mesher = weir_mesher_def_default(NULL);
    def->refine = weir_mesh_refine_def_default();
    def->refine.drop_subdivisions = 0; /* in files of version 0.1, which do not have this setting */
    for (size_t i = 0; i < BASE_COUNT(settings); ++i) {
        const json_t *value = json_object_get(mesh, setting_key(&settings[i]));
        bool added = settings[i].offset == offsetof(weir_output_def, refine.drop_subdivisions);
        if (!(added && !value) && !read_setting(value, &settings[i], def)) return settings[i].name;
    }
    return NULL;
}

/* ---- settings by name ----------------------------------------------------------------------- */

static bool append_choices(base_text *text, const setting *setting)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < setting->choice_count; ++i) {
        const char *before = i == 0 ? "" : i + 1 < setting->choice_count ? ", " : " or ";
        ok = base_text_append(text, "%s%s", before, setting->choices[i]);
    }
    return ok;
}

/* Appends what a setting accepts. */
static bool append_expected(base_text *text, const setting *setting)
{
    switch (setting->kind) {
    case SETTING_FLOAT:
    case SETTING_DOUBLE: return base_text_append(text, "a number");
    case SETTING_COUNT: return base_text_append(text, "a whole number");
    case SETTING_FLAG: return base_text_append(text, "true or false");
    case SETTING_VECTOR: return base_text_append(text, "three numbers, such as [0,0,0]");
    case SETTING_CHOICE: break;
    }
    return append_choices(text, setting);
}

static weir_result unknown_setting(const weir_log *log, const char *key)
{
    const char *names[BASE_COUNT(settings)], *near;
    for (size_t i = 0; i < BASE_COUNT(settings); ++i)
        names[i] = setting_key(&settings[i]);
    near = base_nearest_name(key, names, BASE_COUNT(settings));
    if (near)
        return base_fail(log, WEIR_ERROR_ARGUMENT,
                         "meshes have no setting \"%s\"; did you mean \"%s\"?", key, near);
    return base_fail(log, WEIR_ERROR_ARGUMENT,
                     "meshes have no setting \"%s\"; docs/meshing.md lists the settings", key);
}

static weir_result set_mesh(weir_output_def *def, const char *key, const char *text)
{
    size_t i = 0;
    while (i < BASE_COUNT(settings) && strcmp(setting_key(&settings[i]), key) != 0)
        ++i;
    if (i == BASE_COUNT(settings)) return unknown_setting(&def->log, key);
    json_t *value = json_loads(text, JSON_DECODE_ANY, NULL);
    if (!value) value = json_string(text);
    bool good = read_setting(value, &settings[i], def);
    json_decref(value);
    if (good) return WEIR_OK;
    base_text expected = {0};
    bool ok = append_expected(&expected, &settings[i]);
    weir_result result = base_fail(&def->log, WEIR_ERROR_ARGUMENT, "%s is \"%s\", expected %s", key,
                                   text, ok ? expected.items : "another value");
    base_free(expected.items);
    return result;
}

weir_result weir_output_def_set_mesh(weir_output_def *def, const char *assignment)
{
    WEIR_REQUIRE_DEF(NULL, def, API_OUTPUT_COOKIE, "output");
    WEIR_REQUIRE_NOT_NULL(&def->log, assignment);
    const char *equals = strchr(assignment, '=');
    if (!equals)
        return base_fail(&def->log, WEIR_ERROR_ARGUMENT,
                         "\"%s\": expected KEY=VALUE, such as iso_value=0.5", assignment);
    char *key = base_format("%.*s", (int)(equals - assignment), assignment);
    weir_result result = key ? set_mesh(def, key, equals + 1)
                             : base_fail(&def->log, WEIR_ERROR_MEMORY, "no memory for a setting");
    base_free(key);
    return result;
}
