/* The list of scenes and its pictures. */
#include "scene_list.h"
#include "gui.h"

#define BYTES ((size_t)4 * GUI_PICTURE_WIDTH * GUI_PICTURE_HEIGHT)
#define PARTICLES 3000.0 /* in a picture, about */
#define SECONDS 0.4      /* simulated before it is drawn */
#define FRAMES 20
#define SAMPLES 2u
#define SLICE_MS 20.0

void view_scene_list_free(view_scene_list *list)
{
    for (size_t i = 0; i < list->names.count; i++)
        base_free(list->names.items[i]);
    BASE_ARRAY_FREE(&list->names);
    base_free(list->folder);
    base_free(list->pictures);
    base_free(list->empty);
    *list = (view_scene_list){0};
}

static bool add_names(view_scene_list *list, char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *name = view_is_scene_file(names[i]) ? base_strdup(names[i]) : NULL;
        if (view_is_scene_file(names[i]) && (!name || !BASE_ARRAY_PUSH(&list->names, name)))
            return false;
    }
    list->pictures = base_alloc(list->names.count + 1, BYTES);
    list->empty = base_alloc(list->names.count + 1, sizeof *list->empty);
    return list->pictures && list->empty;
}

weir_result view_scene_list_read(view_scene_list *list, const view_scene_source *scene_source,
                                 const weir_log *log)
{
    char **names = NULL, *folder = view_scene_source_folder(scene_source);
    size_t count = 0;
    weir_result result = WEIR_OK;
    if (!folder || (list->folder && strcmp(folder, list->folder) == 0)) {
        base_free(folder);
        return WEIR_OK;
    }
    view_scene_list_free(list);
    list->folder = folder;
    WEIR_GOTO_IF_ERROR(base_folder_list(log, folder, &names, &count));
    if (!add_names(list, names, count))
        result = base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a list of scenes");
fail:
    base_names_free(names, count);
    return result;
}

uint32_t view_scene_list_find(const view_scene_list *list, const view_scene_source *scene_source)
{
    const char *name = scene_source->path ? base_path_name(scene_source->path) : "dam_break.json";
    uint32_t i = 0;
    while (i < list->names.count && strcmp(list->names.items[i], name) != 0)
        i++;
    return i;
}

char *view_scene_list_path(const view_scene_list *list, uint32_t index)
{
    return base_path_join(list->folder, list->names.items[index]);
}

/* ---- pictures ------------------------------------------------------------------------------- */

/* Returns the path of a scene's picture in the cache, named by a hash of the scene file and of
 * this version; NULL if there is no cache or no file. */
static char *cached_file(const char *scene_path)
{
    base_blob blob = {0};
    char *folder = base_cache_folder(), *path = NULL;
    if (folder && base_file_read(NULL, scene_path, 1u << 24, &blob) == WEIR_OK) {
        uint64_t hash = base_hash64(blob.bytes, blob.size, WEIR_ABI);
        path = base_format("%s/scene-pictures/%016llx.rgba", folder, (unsigned long long)hash);
    }
    base_blob_free(&blob);
    base_free(folder);
    return path;
}

static bool read_cached(const char *file, uint8_t *pixels)
{
    base_blob blob = {0};
    bool good = file && base_path_is_file(file) &&
                base_file_read(NULL, file, BYTES, &blob) == WEIR_OK && blob.size == BYTES;
    if (good) memcpy(pixels, blob.bytes, BYTES);
    base_blob_free(&blob);
    return good;
}

static void write_cached(const char *file, const uint8_t *pixels)
{
    char *folder = file ? base_path_folder(file) : NULL;
    if (folder && base_folder_make(NULL, folder) == WEIR_OK)
        base_file_write(NULL, file, pixels, BYTES);
    base_free(folder);
}

/* Creates the scene with few particles. */
static weir_result create_coarse_scene(const char *path, weir_device *device, weir_scene **scene)
{
    const weir_log silent = {0};
    const app_scene_options source = {.scene = path};
    weir_estimate needs;
    weir_scene_info info;
    WEIR_RETURN_IF_ERROR(app_scene_load(&source, &silent, 0, scene));
    WEIR_RETURN_IF_ERROR(weir_scene_estimate(*scene, device, &needs));
    weir_scene_get_info(*scene, &info);
    double spacing = app_spacing_for(*scene, &needs, PARTICLES);
    if (!(spacing > (double)info.spacing_m)) return WEIR_OK;
    weir_scene_destroy(scene);
    return app_scene_load(&source, &silent, spacing, scene);
}

static weir_result draw_points(weir_device *device, const weir_scene *scene,
                               const weir_points *points, uint8_t *out)
{
    weir_result result;
    weir_renderer *renderer = NULL;
    weir_image *image = NULL;
    uint32_t width, height;
    const uint8_t *pixels;
    weir_renderer_def def = weir_renderer_def_default();
    def.scene = scene;
    WEIR_GOTO_IF_ERROR(weir_renderer_create(device, &def, &renderer));
    weir_camera view = weir_camera_for_size(scene, SECONDS, GUI_PICTURE_WIDTH, GUI_PICTURE_HEIGHT);
    view.samples = SAMPLES;
    WEIR_GOTO_IF_ERROR(weir_render_points(renderer, points, &view, &image));
    WEIR_GOTO_IF_ERROR(weir_image_read(image, &width, &height, &pixels));
    memcpy(out, pixels, BYTES);
fail:
    weir_image_destroy(&image);
    weir_renderer_destroy(&renderer);
    return result;
}

static weir_result draw_scene(const char *path, const view_scene_painter *painter, uint8_t *pixels)
{
    weir_result result;
    weir_scene *scene = NULL;
    weir_sim *sim = NULL;
    weir_points *points = NULL;
    WEIR_GOTO_IF_ERROR(create_coarse_scene(path, painter->device, &scene));
    WEIR_GOTO_IF_ERROR(weir_sim_create(painter->device, scene, &sim));
    WEIR_GOTO_IF_ERROR(weir_sim_set_yield(sim, painter->yield, painter->user, SLICE_MS));
    for (int i = 0; i < FRAMES; i++) {
        WEIR_GOTO_IF_ERROR(weir_sim_step(sim, SECONDS / FRAMES));
        WEIR_GOTO_IF_ERROR(weir_sim_wait(sim));
        painter->yield(painter->user);
    }
    WEIR_GOTO_IF_ERROR(weir_sim_acquire_points(sim, &points));
    WEIR_GOTO_IF_ERROR(draw_points(painter->device, scene, points, pixels));
fail:
    weir_points_release(&points);
    weir_sim_destroy(&sim);
    weir_scene_destroy(&scene);
    return result;
}

void view_scene_list_draw_next(view_scene_list *list, const view_scene_painter *painter)
{
    uint8_t *pixels = list->pictures + BYTES * list->drawn;
    char *path = view_scene_list_path(list, list->drawn);
    char *file = path ? cached_file(path) : NULL;
    if (!read_cached(file, pixels)) {
        list->empty[list->drawn] = !path || draw_scene(path, painter, pixels) != WEIR_OK;
        if (!list->empty[list->drawn]) write_cached(file, pixels);
    }
    list->drawn++;
    list->changed = true;
    base_free(file);
    base_free(path);
}
