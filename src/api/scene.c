/* Public API of scenes, over the scene module; also reads the scene in a run.json. */
#include "api_internal.h"
#include "io_json.h"

#define SCENE_FILE_MAX ((size_t)64 << 20)

weir_scene_def weir_scene_def_default(void)
{
    return (weir_scene_def){.cookie = API_SCENE_COOKIE};
}

void api_scene_retain(weir_scene *scene)
{
    atomic_fetch_add(&scene->reference_count, 1);
}

void api_scene_release(weir_scene *scene)
{
    if (!scene || atomic_fetch_sub(&scene->reference_count, 1) > 1) return;
    scene_destroy(&scene->data);
    base_free(atomic_load(&scene->subject));
    base_free(scene->folder);
    base_free(scene);
}

void weir_scene_destroy(weir_scene **scene)
{
    if (!scene) return;
    api_scene_release(*scene);
    *scene = NULL;
}

/* Returns the absolute folder of relative file names: that of the def, or else of run.json, or else
 * of the scene file. */
static char *find_base_folder(const weir_scene_def *def, const json_t *run, const char *path)
{
    if (def->base_folder) return base_path_absolute(def->base_folder);
    const char *recorded = json_string_value(json_object_get(run, "scene_folder"));
    if (recorded) return base_path_absolute(recorded);
    char *folder = path ? base_path_folder(path) : base_strdup(".");
    char *absolute = folder ? base_path_absolute(folder) : NULL;
    base_free(folder);
    return absolute;
}

/* Parses the text of `input`; `path` is NULL when the text is not from a file. */
static weir_result parse_text(scene_input input, const char *path, const weir_scene_def *def,
                              weir_scene **scene)
{
    weir_result result = WEIR_OK;
    json_t *run = NULL;
    weir_scene *made = base_alloc(1, sizeof *made);
    if (!made) return base_fail(&def->log, WEIR_ERROR_MEMORY, "not enough memory for a scene");
    atomic_init(&made->reference_count, 1);
    atomic_init(&made->subject, NULL);
    made->log = def->log;
    run = io_json_parse_run(input.text, input.size);
    made->folder = find_base_folder(def, run, path);
    if (!made->folder) {
        result = base_fail(&def->log, WEIR_ERROR_MEMORY, "not enough memory for a scene");
        goto fail;
    }
    input.within = run ? "scene" : NULL;
    input.source = path ? path : "scene";
    input.folder = made->folder;
    input.overrides = def->overrides;
    input.override_count = def->override_count;
    WEIR_GOTO_IF_ERROR(scene_parse(&def->log, &input, &made->data));
    *scene = made;
    made = NULL;
fail:
    json_decref(run);
    api_scene_release(made);
    return result;
}

static weir_result check_overrides(const weir_scene_def *def)
{
    const weir_log *log = &def->log;
    WEIR_REQUIRE(log, def->overrides || def->override_count == 0,
                 "`overrides` must not be NULL when override_count is not 0");
    for (uint32_t i = 0; i < def->override_count; ++i)
        WEIR_REQUIRE(log, def->overrides[i], "`overrides` must not hold NULL");
    return WEIR_OK;
}

weir_result weir_scene_parse(const char *text, size_t size, const weir_scene_def *def,
                             weir_scene **scene)
{
    const weir_scene_def defaults = weir_scene_def_default();
    if (!def) def = &defaults;
    const weir_log *log = &def->log;
    WEIR_REQUIRE_OUT(log, scene);
    WEIR_REQUIRE(log, text || size == 0, "`text` must not be NULL");
    WEIR_REQUIRE_DEF(log, def, API_SCENE_COOKIE, "scene");
    WEIR_RETURN_IF_ERROR(check_overrides(def));
    return parse_text((scene_input){.text = text ? text : "", .size = size}, NULL, def, scene);
}

weir_result weir_scene_load(const char *path, const weir_scene_def *def, weir_scene **scene)
{
    const weir_scene_def defaults = weir_scene_def_default();
    if (!def) def = &defaults;
    const weir_log *log = &def->log;
    WEIR_REQUIRE_OUT(log, scene);
    WEIR_REQUIRE(log, path && path[0], "`path` must name a file");
    WEIR_REQUIRE_DEF(log, def, API_SCENE_COOKIE, "scene");
    WEIR_RETURN_IF_ERROR(check_overrides(def));
    base_blob blob = {0};
    WEIR_RETURN_IF_ERROR(base_text_file_read(&def->log, path, SCENE_FILE_MAX, &blob));
    weir_result result = parse_text(
        (scene_input){.text = (const char *)blob.bytes, .size = blob.size}, path, def, scene);
    base_blob_free(&blob);
    return result;
}

void weir_scene_get_info(const weir_scene *scene, weir_scene_info *info)
{
    if (!info) return;
    *info = (weir_scene_info){.name = "", .description = ""};
    if (!scene) return;
    const scene_data *data = scene->data;
    /* 1e-3 compensates for the rounding of a float duration, which could lose a frame. */
    double frames = floor((double)data->duration * (double)data->frame_rate + 1e-3);
    *info = (weir_scene_info){
        .name = data->name,
        .description = data->description,
        .json = data->json,
        .frame_rate_hz = (double)data->frame_rate,
        .duration_s = (double)data->duration,
        .frame_count = frames < (double)UINT32_MAX ? (uint32_t)frames : UINT32_MAX,
        .spacing_m = data->spacing,
        .support_radius_m = data->spacing * data->solver.support_radius,
        .method = data->solver.method,
        .substeps = data->solver.substeps,
        .iterations = scene_has_grid(&data->solver) ? 0 : data->solver.iterations,
        .tolerance_mean = (double)data->solver.tolerance.mean,
        .tolerance_max = (double)data->solver.tolerance.max,
        .look = (uint32_t)data->look.preset,
        .domain_min = {data->domain.min.x, data->domain.min.y, data->domain.min.z},
        .domain_max = {data->domain.max.x, data->domain.max.y, data->domain.max.z},
    };
    if (!data->sea.given) return;
    info->sea_zone_width_m = (double)data->sea.zone_width;
    info->sea_wavelength_m = scene_sea_wavelength(data);
    if (info->sea_wavelength_m > 0.0)
        info->sea_reflection =
            scene_sea_zone_reflection(data, SCENE_SEA_ABSORBING, info->sea_wavelength_m);
}

weir_result weir_scene_estimate(const weir_scene *scene, weir_device *device, weir_estimate *needs)
{
    WEIR_REQUIRE_NOT_NULL(NULL, scene);
    WEIR_REQUIRE_NOT_NULL(&scene->log, needs);
    sim_scene_estimate found = {0};
    WEIR_RETURN_IF_ERROR(
        sim_estimate(&scene->log, scene->data, device ? device->gpu : NULL, &found));
    *needs = (weir_estimate){.exact = found.exact,
                             .particles = found.particles,
                             .max_emitted = found.max_emitted,
                             .device_bytes = found.device_bytes,
                             .frame_bytes = found.frame_bytes,
                             .depth_m = found.depth_m,
                             .predicted_compression = found.compression,
                             .recommended_substeps = found.recommended_substeps};
    return WEIR_OK;
}

bool weir_scene_get_param(const weir_scene *scene, uint32_t index, weir_param *param)
{
    return scene && param && scene_param(scene->data, index, param);
}
