/* The output folder of a run and its checkpoints. */
#include "run_internal.h"

#define MAX_FOLDER_NUMBERS 10000

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* The names in a folder; empty if the folder does not exist. */
typedef struct name_list {
    char **items;
    size_t count;
    char *folder;
} name_list;

static bool list_names(const weir_log *log, const char *folder, const char *sub, name_list *list)
{
    *list = (name_list){.folder = base_path_join(folder, sub)};
    if (!list->folder) return false;
    if (!base_path_is_folder(list->folder)) return true;
    return base_folder_list(log, list->folder, &list->items, &list->count) == WEIR_OK;
}

static void free_names(name_list *list)
{
    base_names_free(list->items, list->count);
    base_free(list->folder);
}

static size_t count_names(const char *folder, const char *sub, const char *start)
{
    name_list list;
    size_t found = 0;
    list_names(NULL, folder, sub, &list);
    for (size_t i = 0; i < list.count; ++i)
        found += starts_with(list.items[i], start);
    free_names(&list);
    return found;
}

static bool file_exists(const char *folder, const char *name)
{
    char *path = base_path_join(folder, name);
    bool found = path && base_path_is_file(path);
    base_free(path);
    return found;
}

bool checkpoint_exists(const char *folder)
{
    return count_names(folder, "checkpoint", "checkpoint_") > 0;
}

bool run_folder_is_used(const char *folder)
{
    return file_exists(folder, "run.json") || file_exists(folder, "stats.csv") ||
           count_names(folder, "particles", "particles_") > 0 ||
           count_names(folder, "whitewater", "whitewater_") > 0 ||
           count_names(folder, "mesh", "surface_") > 0 || checkpoint_exists(folder);
}

/* Replaces characters of a scene's name that cause trouble in a folder's name. */
static void safe_file_name(const char *name, char *out, size_t size)
{
    size_t length = 0;
    for (; *name && length + 1 < size; ++name) {
        char c = *name;
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     c == '_' || c == '-' || (unsigned char)c >= 0x80;
        out[length++] = plain ? c : '_';
    }
    out[length] = '\0';
}

/* Returns whether Windows takes a name for that of a device. */
static bool is_device_name(const char *name)
{
    static const char *const names[] = {"con", "prn", "aux", "nul"};
    for (size_t i = 0; i < BASE_COUNT(names); ++i)
        if (base_is_same_word(name, names[i])) return true;
    bool numbered = strlen(name) == 4 && name[3] >= '0' && name[3] <= '9';
    const char port[4] = {name[0], numbered ? name[1] : '\0', numbered ? name[2] : '\0', '\0'};
    return numbered && (base_is_same_word(port, "com") || base_is_same_word(port, "lpt"));
}

char *run_folder_choose(const char *scene_name)
{
    char name[128];
    safe_file_name(scene_name[0] ? scene_name : "scene", name, sizeof name);
    char *folder = base_format("out/%s%s", name, is_device_name(name) ? "_" : "");
    for (int i = 2; folder && run_folder_is_used(folder) && i < MAX_FOLDER_NUMBERS; ++i) {
        base_free(folder);
        folder = base_format("out/%s-%d", name, i);
    }
    return folder;
}

static weir_result remove_file(const weir_log *log, const char *folder, const char *name)
{
    char *path = base_path_join(folder, name);
    weir_result result =
        path ? base_file_remove(log, path)
             : base_fail(log, WEIR_ERROR_MEMORY, "%s: not enough memory for a name", folder);
    base_free(path);
    return result;
}

static weir_result remove_names(const weir_log *log, const char *folder, const char *sub,
                                const char *start)
{
    name_list list;
    weir_result result = list_names(log, folder, sub, &list) ? WEIR_OK : WEIR_ERROR_IO;
    for (size_t i = 0; result == WEIR_OK && i < list.count; ++i)
        if (starts_with(list.items[i], start))
            result = remove_file(log, list.folder, list.items[i]);
    free_names(&list);
    return result;
}

weir_result run_folder_remove_temporaries(const weir_log *log, const char *folder)
{
    static const char *const subs[] = {"",     "particles", "whitewater", "mesh",      "cloth",
                                       "rope", "soft_body", "images",     "checkpoint"};
    weir_result result = WEIR_OK;
    for (size_t i = 0; i < BASE_COUNT(subs) && result == WEIR_OK; ++i) {
        char *path = subs[i][0] ? base_path_join(folder, subs[i]) : base_strdup(folder);
        result =
            path ? base_folder_remove_temporaries(log, path)
                 : base_fail(log, WEIR_ERROR_MEMORY, "%s: not enough memory for a name", folder);
        base_free(path);
    }
    return result;
}

weir_result run_folder_clear(const weir_log *log, const char *folder)
{
    /* Folders, and how the names begin of the files that a run writes into them; those of cloths
     * and the like are named after the scene's. */
    static const char *const written[][2] = {{"particles", "particles_"},
                                             {"particles", "particles.vtk.series"},
                                             {"particles", "particles.vtp.series"},
                                             {"whitewater", "whitewater_"},
                                             {"whitewater", "whitewater.vtk.series"},
                                             {"whitewater", "whitewater.vtp.series"},
                                             {"mesh", "surface_"},
                                             {"mesh", "surface.vtk.series"},
                                             {"mesh", "surface.vtp.series"},
                                             {"mesh", "spray_"},
                                             {"cloth", ""},
                                             {"rope", ""},
                                             {"soft_body", ""},
                                             {"checkpoint", "checkpoint_"}};
    for (size_t i = 0; i < BASE_COUNT(written); i++)
        WEIR_RETURN_IF_ERROR(remove_names(log, folder, written[i][0], written[i][1]));
    WEIR_RETURN_IF_ERROR(remove_file(log, folder, "stats.csv"));
    return remove_file(log, folder, "run.json");
}

/* ---- checkpoints ---------------------------------------------------------------------------- */

/* Returns the frame of "checkpoint_0042.weir"; -1 for other names. */
static int64_t checkpoint_frame(const char *name)
{
    static const char start[] = "checkpoint_", rest[] = ".weir";
    int64_t frame;
    const char *next, *end = name + strlen(name);
    if (!starts_with(name, start)) return -1;
    if (!base_parse_int64(name + sizeof start - 1, end, &frame, &next)) return -1;
    return frame >= 0 && strcmp(next, rest) == 0 ? frame : -1;
}

/* Returns the index of the newest checkpoint before `frame`; SIZE_MAX if there is none. */
static size_t newest_checkpoint_before(const name_list *list, int64_t frame)
{
    size_t best = SIZE_MAX;
    int64_t best_frame = -1;
    for (size_t i = 0; i < list->count; ++i) {
        int64_t found = checkpoint_frame(list->items[i]);
        if (found <= best_frame || found >= frame) continue;
        best = i;
        best_frame = found;
    }
    return best;
}

/* Removes all but the newest checkpoints. A failure does no harm and is only logged. */
static void remove_old_checkpoints(const weir_log *log, const char *folder, uint32_t kept)
{
    name_list list;
    int64_t frame = INT64_MAX;
    list_names(log, folder, "checkpoint", &list);
    for (size_t i = 0; i < list.count; ++i) {
        size_t at = newest_checkpoint_before(&list, frame);
        if (at == SIZE_MAX) break;
        frame = checkpoint_frame(list.items[at]);
        if (i >= kept) remove_file(log, list.folder, list.items[at]);
    }
    free_names(&list);
}

weir_result checkpoint_save(const weir_log *log, const char *folder, uint32_t kept, weir_sim *sim)
{
    weir_stats stats;
    char *sub = base_path_join(folder, "checkpoint"), *path = NULL;
    weir_result result = WEIR_OK;
    WEIR_GOTO_IF_ERROR(weir_sim_get_stats(sim, &stats));
    if (sub) path = base_format("%s/checkpoint_%04llu.weir", sub, (unsigned long long)stats.frame);
    if (!path) {
        result = base_fail(log, WEIR_ERROR_MEMORY, "%s: not enough memory for a name", folder);
        goto fail;
    }
    WEIR_GOTO_IF_ERROR(base_folder_make(log, sub));
    WEIR_GOTO_IF_ERROR(weir_sim_save(sim, path));
    remove_old_checkpoints(log, folder, kept);
fail:
    base_free(path);
    base_free(sub);
    return result;
}

/* Restores one file. A damaged file returns IO, and the caller tries the next one. */
static weir_result restore_file(const weir_log *log, const name_list *list, size_t index,
                                weir_sim *sim)
{
    char *path = base_path_join(list->folder, list->items[index]);
    if (!path)
        return base_fail(log, WEIR_ERROR_MEMORY, "%s: not enough memory for a name", list->folder);
    weir_result result = weir_sim_restore(sim, path);
    if (result == WEIR_OK) base_log(log, WEIR_LOG_INFO, "continuing from %s", path);
    if (result == WEIR_ERROR_IO)
        base_log(log, WEIR_LOG_WARNING, "%s: trying the previous checkpoint", path);
    base_free(path);
    return result;
}

weir_result checkpoint_restore(const weir_log *log, const char *folder, weir_sim *sim)
{
    name_list list;
    weir_result result =
        list_names(log, folder, "checkpoint", &list) ? WEIR_ERROR_IO : WEIR_ERROR_MEMORY;
    int64_t frame = INT64_MAX;
    size_t tried = 0;
    for (size_t at;
         result == WEIR_ERROR_IO && (at = newest_checkpoint_before(&list, frame)) != SIZE_MAX;
         ++tried) {
        frame = checkpoint_frame(list.items[at]);
        result = restore_file(log, &list, at, sim);
    }
    if (result == WEIR_ERROR_IO)
        base_log(log, WEIR_LOG_ERROR,
                 "%s/checkpoint: %s to continue from; start again with --force instead of --resume",
                 folder, tried ? "no valid checkpoint" : "no checkpoint");
    free_names(&list);
    return result;
}
