/* Scenes: the front door over the scene room, and run.json read as a scene. */
#include "api_internal.h"

#define SCENE_FILE_MAX ((size_t)64 << 20)

weir_scene_def weir_scene_def_default(void)
{
    return (weir_scene_def){.cookie = API_SCENE_COOKIE};
}

void api_scene_hold(weir_scene *scene)
{
    atomic_fetch_add(&scene->holders, 1);
}

void api_scene_release(weir_scene *scene)
{
    if (!scene || atomic_fetch_sub(&scene->holders, 1) > 1) return;
    scene_destroy(&scene->data);
    base_free(scene->folder);
    base_free(scene);
}

void weir_scene_destroy(weir_scene **scene)
{
    if (!scene) return;
    api_scene_release(*scene);
    *scene = NULL;
}

/* Where relative file names start: the def's word, then run.json's, then the file's own folder. */
static char *find_base_folder(const weir_scene_def *def, api_json_span text, const char *path)
{
    if (def->base_folder) return base_path_absolute(def->base_folder);
    char *folder = api_json_is_object(api_json_member(text, "scene"))
                       ? api_json_string(api_json_member(text, "scene_folder"))
                       : NULL;
    if (!folder) folder = path ? base_path_folder(path) : base_strdup(".");
    char *absolute = folder ? base_path_absolute(folder) : NULL;
    base_free(folder);
    return absolute;
}

/* Blanks what surrounds the scene in a run.json, so that its faults keep their line and column. */
static weir_result cut_scene(const weir_log *log, api_json_span text, char **copy, size_t *size)
{
    api_json_span scene = api_json_member(text, "scene");
    *copy = NULL;
    *size = text.size;
    if (!api_json_is_object(scene)) return WEIR_OK;
    size_t first = (size_t)(scene.text - text.text);
    *size = first + scene.size;
    *copy = base_alloc(*size, 1);
    if (!*copy) return base_fail(log, WEIR_MEMORY, "no memory for a scene of %zu bytes", *size);
    for (size_t i = 0; i < first; ++i)
        (*copy)[i] = text.text[i] == '\n' ? '\n' : ' ';
    memcpy(*copy + first, scene.text, scene.size);
    return WEIR_OK;
}

static weir_result parse_text(api_json_span text, const char *path, const weir_scene_def *def,
                              weir_scene **scene)
{
    weir_result result = WEIR_OK;
    char *copy = NULL;
    size_t size = 0;
    weir_scene *made = base_alloc(1, sizeof *made);
    if (!made) return base_fail(&def->log, WEIR_MEMORY, "no memory for a scene");
    atomic_init(&made->holders, 1);
    made->log = def->log;
    made->folder = find_base_folder(def, text, path);
    if (!made->folder) {
        result = base_fail(&def->log, WEIR_MEMORY, "no memory for a scene");
        goto fail;
    }
    WEIR_TRY(cut_scene(&def->log, text, &copy, &size));
    WEIR_TRY(scene_parse(&def->log,
                         &(scene_input){.text = copy ? copy : text.text,
                                        .size = size,
                                        .source = path ? path : "scene",
                                        .folder = made->folder,
                                        .overrides = def->overrides,
                                        .override_count = def->override_count},
                         &made->data));
    base_free(copy);
    *scene = made;
    return WEIR_OK;
fail:
    base_free(copy);
    api_scene_release(made);
    return result;
}

static weir_result check_def(const weir_scene_def *def)
{
    const weir_log *log = def ? &def->log : NULL;
    WEIR_REQUIRE(log, def, "`def` must not be NULL");
    WEIR_REQUIRE(log, def->cookie == API_SCENE_COOKIE, API_COOKIE_RULE("scene"));
    WEIR_REQUIRE(log, def->overrides || def->override_count == 0,
                 "`overrides` must not be NULL when override_count is not 0");
    for (uint32_t i = 0; i < def->override_count; ++i)
        WEIR_REQUIRE(log, def->overrides[i], "`overrides` must not hold NULL");
    return WEIR_OK;
}

weir_result weir_scene_parse(const char *text, size_t size, const weir_scene_def *def,
                             weir_scene **scene)
{
    const weir_log *log = def ? &def->log : NULL;
    WEIR_REQUIRE(log, scene, "`scene` must not be NULL");
    *scene = NULL;
    WEIR_REQUIRE(log, text || size == 0, "`text` must not be NULL");
    weir_result result = check_def(def);
    if (result != WEIR_OK) return result;
    return parse_text((api_json_span){text ? text : "", size}, NULL, def, scene);
}

weir_result weir_scene_load(const char *path, const weir_scene_def *def, weir_scene **scene)
{
    const weir_log *log = def ? &def->log : NULL;
    WEIR_REQUIRE(log, scene, "`scene` must not be NULL");
    *scene = NULL;
    WEIR_REQUIRE(log, path && path[0], "`path` must name a file");
    weir_result result = check_def(def);
    if (result != WEIR_OK) return result;

    base_blob blob = {0};
    result = base_file_read(&def->log, path, SCENE_FILE_MAX, &blob);
    if (result != WEIR_OK) return result;
    result = parse_text((api_json_span){(const char *)blob.bytes, blob.size}, path, def, scene);
    base_blob_free(&blob);
    return result;
}

void weir_scene_get_info(const weir_scene *scene, weir_scene_info *info)
{
    if (!info) return;
    *info = (weir_scene_info){.name = "", .description = ""};
    if (!scene) return;
    const scene_data *data = scene->data;
    /* The rounding forgives a duration that is a frame short by the error of its float. */
    double frames = floor((double)data->duration * (double)data->frame_rate + 1e-3);
    *info = (weir_scene_info){
        .name = data->name,
        .description = data->description,
        .frame_rate_hz = (double)data->frame_rate,
        .duration_s = (double)data->duration,
        .frame_count = frames < (double)UINT32_MAX ? (uint32_t)frames : UINT32_MAX,
        .spacing_m = data->spacing,
        .support_radius_m = data->spacing * data->solver.support,
        .substeps = data->solver.substeps,
        .iterations = data->solver.iterations,
    };
}

const char *weir_scene_json(const weir_scene *scene)
{
    return scene ? scene->data->json : NULL;
}

weir_result weir_scene_needs(const weir_scene *scene, weir_device *device, weir_needs *needs)
{
    WEIR_REQUIRE(NULL, scene, "`scene` must not be NULL");
    WEIR_REQUIRE(&scene->log, needs, "`needs` must not be NULL");
    sim_needs found = {0};
    weir_result result =
        sim_estimate(&scene->log, scene->data, device ? device->gpu : NULL, &found);
    if (result != WEIR_OK) return result;
    *needs = (weir_needs){.counted = found.counted,
                          .particles = found.particles,
                          .emitted_max = found.emitted_max,
                          .device_bytes = found.device_bytes,
                          .frame_bytes = found.frame_bytes};
    return WEIR_OK;
}

bool weir_scene_param(const weir_scene *scene, uint32_t index, weir_param *param)
{
    return scene && param && scene_param(scene->data, index, param);
}
