/* Meshes that are made while a simulation runs, and how run.json records what they are made with.
 */
#include "json.h"
#include "output_internal.h"

/* ---- frames --------------------------------------------------------------------------------- */

weir_result output_make_mesh(weir_output *output, weir_mesh **mesh)
{
    weir_points *points = NULL;
    weir_result result = weir_sim_acquire_points(output->sim, &points);
    if (result == WEIR_OK) result = weir_mesher_run(output->mesher, points, mesh);
    weir_points_release(&points);
    /* Solids need the device, so that this is the thread for them. */
    if (result != WEIR_OK || !output->def.mesh_refine || !output->def.mesh_solids) return result;
    weir_stats stats;
    weir_mesh_refine_def def = output->def.refine;
    def.scene = output->sim->scene;
    result = weir_sim_stats(output->sim, &stats);
    def.time_s = stats.time_s;
    return result == WEIR_OK ? weir_mesh_refine(*mesh, &def, NULL) : result;
}

static char *file_name(const weir_output *output, const char *stem, const char *extension,
                       uint64_t frame)
{
    return base_format("%s/mesh/%s_%04llu.%s", output->folder, stem,
                       (unsigned long long)output->def.start_frame + frame, extension);
}

/* Spray goes along as points in the mesh's own kind of file, where that has points. */
static const char *spray_extension(weir_mesh_format format)
{
    bool has_points = format == WEIR_MESH_VTK || format == WEIR_MESH_BGEO;
    return has_points ? weir_name(WEIR_NAMES_MESH_FORMAT, format) : "ply";
}

weir_result output_write_mesh(const weir_output *output, output_frame *frame)
{
    const weir_output_def *def = &output->def;
    weir_mesh_save_def save = weir_mesh_save_def_default();
    save.turn = def->y_up ? WEIR_TURN_NONE : WEIR_TURN_Y_TO_Z;
    save.scale = def->scale;
    save.time_s = frame->stats.time_s;
    char *mesh = file_name(output, "surface", weir_name(WEIR_NAMES_MESH_FORMAT, def->mesh_format),
                           frame->stats.frame);
    char *spray = file_name(output, "spray", spray_extension(def->mesh_format), frame->stats.frame);
    weir_result result = WEIR_OK;
    if (!mesh || !spray) {
        result = base_fail(&def->log, WEIR_MEMORY, "%s: no memory for a name", output->folder);
        goto fail;
    }
    if (def->mesh_refine && !def->mesh_solids && !frame->refined)
        WEIR_TRY(weir_mesh_refine(frame->mesh, &def->refine, NULL));
    frame->refined = true;
    WEIR_TRY(weir_mesh_save(frame->mesh, mesh, &save));
    if (def->mesher.spray) WEIR_TRY(weir_mesh_save_spray(frame->mesh, spray, &save));
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
    SETTING_CHOICE,
} setting_kind;

typedef struct setting {
    const char *name; /* where it stands in "output"; its key is the part behind the dot */
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
#define SETTING_OF(name, member, choices)                                                     \
    {                                                                                         \
        name, offsetof(weir_output_def, member), SETTING_CHOICE, choices, BASE_COUNT(choices) \
    }

static const setting settings[] = {
    SETTING_OF("mesh.field", mesher.field, fields),
    SETTING("mesh.cell", mesher.cell, SETTING_FLOAT),
    SETTING("mesh.cell_m", mesher.cell_m, SETTING_FLOAT),
    SETTING("mesh.search", mesher.search, SETTING_FLOAT),
    SETTING("mesh.radius", mesher.radius, SETTING_FLOAT),
    SETTING("mesh.iso", mesher.iso, SETTING_FLOAT),
    SETTING("mesh.centre_smoothing", mesher.smoothing, SETTING_FLOAT),
    SETTING("mesh.stretch", mesher.stretch, SETTING_FLOAT),
    SETTING("mesh.decider", mesher.decider, SETTING_FLAG),
    SETTING("mesh.damping", mesher.damping, SETTING_FLAG),
    SETTING_OF("mesh.normals", mesher.normals, normals),
    SETTING("mesh.velocity", mesher.velocity, SETTING_FLAG),
    SETTING("mesh.attributes", mesher.attributes, SETTING_FLAG),
    SETTING("mesh.neighbours", mesher.neighbours, SETTING_FLAG),
    SETTING("mesh.spray", mesher.spray, SETTING_COUNT),
    SETTING("mesh.refine", mesh_refine, SETTING_FLAG),
    SETTING("mesh.solids", mesh_solids, SETTING_FLAG),
    SETTING("mesh.clean", refine.clean, SETTING_FLAG),
    SETTING_OF("mesh.smoothing", refine.smoothing, smoothings),
    SETTING("mesh.smooth_iterations", refine.smooth_iterations, SETTING_COUNT),
    SETTING("mesh.smooth_strength", refine.smooth_strength, SETTING_FLOAT),
    SETTING("mesh.smooth_neighbours", refine.smooth_neighbours, SETTING_FLOAT),
    SETTING("mesh.min_triangles", refine.min_triangles, SETTING_COUNT),
    SETTING("mesh.min_volume_m3", refine.min_volume_m3, SETTING_DOUBLE),
    SETTING("mesh.remove_voids", refine.remove_voids, SETTING_FLAG),
    SETTING("mesh.keep_ratio", refine.keep_ratio, SETTING_DOUBLE),
    SETTING("mesh.max_triangles", refine.max_triangles, SETTING_COUNT),
    SETTING("mesh.decimate_error_m", refine.decimate_error_m, SETTING_FLOAT),
    SETTING("mesh.solid_band_m", refine.solid_band_m, SETTING_FLOAT),
    SETTING("mesh.solid_offset_m", refine.solid_offset_m, SETTING_FLOAT),
    SETTING_OF("mesh.refined_normals", refine.normals, normals),
    SETTING("mesh.normal_iterations", refine.normal_iterations, SETTING_COUNT),
};

static const char *key_of(const setting *setting)
{
    return strchr(setting->name, '.') + 1;
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
    case SETTING_DOUBLE: memcpy(&wide, at, sizeof wide); return api_json_number(wide);
    case SETTING_FLAG: memcpy(&flag, at, sizeof flag); return json_boolean(flag);
    case SETTING_COUNT: memcpy(&word, at, sizeof word); return json_integer(word);
    case SETTING_CHOICE:
        memcpy(&word, at, sizeof word);
        return word < setting->choice_count ? json_string(setting->choices[word]) : NULL;
    }
    return api_json_number(base_float_decimal(number));
}

json_t *output_mesh_settings(const weir_output_def *def)
{
    const char *format = weir_name(WEIR_NAMES_MESH_FORMAT, def->mesh_format);
    json_t *mesh = json_object();
    bool ok = api_json_put(mesh, "format", json_string(format));
    for (size_t i = 0; ok && i < BASE_COUNT(settings); ++i)
        ok = api_json_put(mesh, key_of(&settings[i]), describe_setting(&settings[i], def));
    if (ok) return mesh;
    json_decref(mesh);
    return NULL;
}

static bool read_setting(const json_t *mesh, const setting *setting, weir_output_def *def)
{
    char *at = (char *)def + setting->offset;
    const json_t *value = json_object_get(mesh, key_of(setting));
    double number = 0;
    uint32_t word = 0;
    bool flag = false, good = false;
    switch (setting->kind) {
    case SETTING_DOUBLE:
        good = api_json_read_number(value, &number);
        if (good) memcpy(at, &number, sizeof number);
        break;
    case SETTING_FLOAT:
        good = api_json_read_number(value, &number) && fabs(number) < 1e30;
        if (good) memcpy(at, &(float){(float)number}, sizeof(float));
        break;
    case SETTING_FLAG:
        good = api_json_read_flag(value, &flag);
        if (good) memcpy(at, &flag, sizeof flag);
        break;
    case SETTING_COUNT:
        good = api_json_read_u32(value, &word);
        if (good) memcpy(at, &word, sizeof word);
        break;
    case SETTING_CHOICE:
        good = api_json_read_choice(value, setting->choices, setting->choice_count, &word);
        if (good) memcpy(at, &word, sizeof word);
        break;
    }
    return good;
}

const char *output_read_mesh(const json_t *mesh, weir_output_def *def)
{
    uint32_t format;
    if (!api_json_read_name(json_object_get(mesh, "format"), WEIR_NAMES_MESH_FORMAT, &format))
        return "mesh.format";
    def->mesh_format = (weir_mesh_format)format;
    def->mesher = weir_mesher_def_default(NULL);
    def->refine = weir_mesh_refine_def_default();
    for (size_t i = 0; i < BASE_COUNT(settings); ++i)
        if (!read_setting(mesh, &settings[i], def)) return settings[i].name;
    return NULL;
}
