/* weir report: packs the information for a bug report. Parts that are unavailable are left out; the
 * messages say why, which may be the very problem that the report is about. */
#include "main_internal.h"
#include "weir/render.h"

#include <stdlib.h>

/* of a scene or a run.json; the limit when Weir reads them */
#define MAX_FILE_BYTES ((size_t)64 << 20)
#define MAX_STATS_BYTES ((size_t)1 << 30)
#define STATS_LINES 20

typedef struct report {
    app_scene_options source; /* its scene: a scene file or a run.json */
    const char *output;
    char *run_folder; /* NULL: the report is not about a run */
    base_text messages;
    base_mutex *mutex; /* protects the messages */
    weir_log log;
    report_archive report_archive;
} report;

static void store_message(void *user, weir_log_level level, const char *text)
{
    static const char *const names[] = {"error", "warning", "info", "debug"};
    report *r = user;
    base_mutex_lock(r->mutex);
    (void)base_text_append(&r->messages, "%s: %s\n", names[level], text);
    base_mutex_unlock(r->mutex);
}

/* ---- report.txt ----------------------------------------------------------------------------- */

static void append_build(base_text *text)
{
#if defined(__clang__)
    static const char compiler[] = __VERSION__;
#elif defined(__GNUC__)
    static const char compiler[] = "gcc " __VERSION__;
#else
    static const char compiler[] = "not known";
#endif
#ifdef WEIR_MESHOPTIMIZER
    static const char decimates[] = "yes";
#else
    static const char decimates[] = "no";
#endif
    base_text_append(text, "weir               %s\ncompiler           %s\nmesh decimation    %s\n",
                     weir_version(), compiler, decimates);
    base_text_append(text, "OpenEXR output     %s\n", weir_has_exr() ? "yes" : "no");
    base_text_append(text, "processors         %u\n", base_cpu_count());
}

/* Appends the first line of a system file, if it exists. */
static void append_system(base_text *text, const char *name, const char *path)
{
    char line[256];
    size_t size = base_file_read_head(path, line, sizeof line - 1);
    line[size] = '\0';
    line[strcspn(line, "\n")] = '\0';
    if (size) base_text_append(text, "%-18s %s\n", name, line);
}

/* Appends the environment variables that the Vulkan loader, Mesa's drivers and the viewer's window
 * read. */
static void append_environment(base_text *text)
{
    static const char *const names[] = {"VK_ICD_FILENAMES",
                                        "VK_DRIVER_FILES",
                                        "VK_ADD_DRIVER_FILES",
                                        "VK_INSTANCE_LAYERS",
                                        "VK_LAYER_PATH",
                                        "VK_ADD_LAYER_PATH",
                                        "VK_LAYER_ENABLES",
                                        "VK_LAYER_DISABLES",
                                        "VK_LAYER_SETTINGS_PATH",
                                        "VK_LOADER_DEBUG",
                                        "VK_LOADER_DRIVERS_SELECT",
                                        "VK_LOADER_DRIVERS_DISABLE",
                                        "VK_LOADER_LAYERS_ENABLE",
                                        "VK_LOADER_LAYERS_DISABLE",
                                        "MESA_VK_DEVICE_SELECT",
                                        "MESA_SHADER_CACHE_DISABLE",
                                        "LP_NUM_THREADS",
                                        "LP_NATIVE_VECTOR_WIDTH",
                                        "RADV_DEBUG",
                                        "RADV_PERFTEST",
                                        "INTEL_DEBUG",
                                        "DRI_PRIME",
                                        "__NV_PRIME_RENDER_OFFLOAD",
                                        "CUDA_VISIBLE_DEVICES",
                                        "LD_PRELOAD",
                                        "LC_ALL",
                                        "DISPLAY",
                                        "WAYLAND_DISPLAY"};
    uint32_t found = 0;
    base_text_append(text, "\nenvironment\n");
    for (size_t i = 0; i < BASE_COUNT(names); ++i) {
        const char *value = getenv(names[i]);
        if (value) base_text_append(text, "   %s=%s\n", names[i], value);
        found += value != NULL;
    }
    if (!found) base_text_append(text, "   no variable that affects Vulkan is set\n");
}

static void append_devices(report *r, base_text *text)
{
    enum { MOST = 32 };
    static weir_device_info infos[MOST];
    uint32_t count = MOST;
    base_text_append(text, "\ndevices\n");
    if (weir_device_list(&r->log, infos, &count) != WEIR_OK) return;
    for (uint32_t i = 0; i < count && i < MOST; ++i)
        info_describe(text, i, &infos[i]);
}

/* Opens the device as a run would, and keeps its messages. */
static void append_opened_device(report *r, base_text *text)
{
    weir_device *device = NULL;
    weir_device_info info;
    const weir_device_def def = app_device_def(&r->source, &r->log);
    base_text_append(text, "\nwill be used\n");
    if (weir_device_create(&def, &device) == WEIR_OK) {
        weir_device_get_info(device, &info);
        base_text_append(text, "   %s, driver %s, Vulkan %s (vendor %x, device %x, driver %u)\n",
                         info.name, info.driver, info.api_version, info.vendor_id, info.device_id,
                         info.driver_version);
    } else {
        base_text_append(text, "   none: see messages.txt\n");
    }
    weir_device_destroy(&device);
}

/* Appends the number of files in each folder of the run. */
static void append_folder(const report *r, base_text *text)
{
    static const char *const subs[] = {"particles", "whitewater", "mesh", "images", "checkpoint"};
    if (!r->run_folder) return;
    base_text_append(text, "\nfiles of the run\n");
    for (size_t i = 0; i < BASE_COUNT(subs); ++i) {
        char *folder = base_path_join(r->run_folder, subs[i]), **names = NULL;
        size_t count = 0;
        if (folder && base_path_is_folder(folder) &&
            base_folder_list(NULL, folder, &names, &count) == WEIR_OK && count)
            base_text_append(text, "   %-15s %zu, %s to %s\n", subs[i], count, names[0],
                             names[count - 1]);
        base_names_free(names, count);
        base_free(folder);
    }
}

static void add_report_text(report *r)
{
    base_text text = {0};
    char time[32];
    base_time_utc(time);
    base_text_append(&text, "time               %s\n", time);
    append_build(&text);
    append_system(&text, "system", "/etc/os-release");
    append_system(&text, "kernel", "/proc/sys/kernel/osrelease");
    append_devices(r, &text);
    append_opened_device(r, &text);
    append_environment(&text);
    append_folder(r, &text);
    report_archive_add(&r->report_archive, "report.txt",
                       "version, build, system, devices, environment", &text);
    BASE_ARRAY_FREE(&text);
}

/* ---- the scene and the run ------------------------------------------------------------------ */

static void add_file(report *r, const char *path, const char *name, const char *what)
{
    base_blob blob;
    base_text text = {0};
    if (base_file_read(&r->log, path, MAX_FILE_BYTES, &blob) != WEIR_OK) return;
    if (base_text_append_bytes(&text, blob.bytes, blob.size))
        report_archive_add(&r->report_archive, name, what, &text);
    BASE_ARRAY_FREE(&text);
    base_blob_free(&blob);
}

static void add_resolved(report *r)
{
    weir_scene *scene = NULL;
    weir_scene_info info;
    base_text text = {0};
    if (app_scene_load(&r->source, &r->log, 0, &scene) != WEIR_OK) return;
    weir_scene_get_info(scene, &info);
    if (base_text_append(&text, "%s\n", info.json))
        report_archive_add(&r->report_archive, "scene-resolved.json",
                           "the scene with --set and all defaults applied", &text);
    BASE_ARRAY_FREE(&text);
    weir_scene_destroy(&scene);
}

/* Appends the header and the last lines of a table. */
static bool append_first_and_last_lines(const base_blob *table, base_text *text)
{
    const char *begin = (const char *)table->bytes, *end = begin + table->size, *at = end;
    const char *header = table->size ? memchr(begin, '\n', table->size) : NULL;
    if (!header) return base_text_append_bytes(text, begin, table->size);
    for (uint32_t lines = 0; at > header + 1; --at)
        if (at[-1] == '\n' && at != end && ++lines == STATS_LINES) break;
    return base_text_append_bytes(text, begin, (size_t)(header + 1 - begin)) &&
           base_text_append_bytes(text, at, (size_t)(end - at));
}

static void add_stats(report *r)
{
    base_blob blob = {0};
    base_text text = {0};
    char *path = base_path_join(r->run_folder, "stats.csv");
    if (path && base_file_read(&r->log, path, MAX_STATS_BYTES, &blob) == WEIR_OK &&
        append_first_and_last_lines(&blob, &text))
        report_archive_add(&r->report_archive, "stats.csv", "its header and its last lines", &text);
    BASE_ARRAY_FREE(&text);
    base_blob_free(&blob);
    base_free(path);
}

static void add_scene_and_run(report *r)
{
    if (!r->source.scene) return;
    if (r->run_folder) {
        add_file(r, r->source.scene, "run.json", "the run's scene, device and settings");
        add_stats(r);
    } else {
        add_file(r, r->source.scene, "scene.json", "the scene file, unchanged");
    }
    add_resolved(r);
}

/* ---- command -------------------------------------------------------------------------------- */

/* Determines what the word names; for a run, `run_json` is the run's run.json. */
static weir_result find_scene_or_run(report *r, const weir_log *log, char **run_json)
{
    const char *word = r->source.scene;
    *run_json = NULL;
    if (!word) return WEIR_OK;
    if (base_path_is_folder(word)) {
        r->run_folder = base_strdup(word);
        r->source.scene = *run_json = base_path_join(word, "run.json");
        if (*run_json && base_path_is_file(*run_json)) return WEIR_OK;
        return base_fail(log, WEIR_ERROR_IO,
                         "%s: contains no run.json; give a run's folder, a scene, or nothing",
                         word);
    }
    if (!base_path_is_file(word)) return base_fail(log, WEIR_ERROR_IO, "%s: no such file", word);
    if (strcmp(base_path_name(word), "run.json") == 0) r->run_folder = base_path_folder(word);
    return WEIR_OK;
}

static weir_result make_report(report *r, const weir_log *log)
{
    r->mutex = base_mutex_create();
    if (!r->mutex) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for the report");
    r->log = (weir_log){.write = store_message, .user = r, .level = WEIR_LOG_DEBUG};
    report_archive_open(&r->report_archive);
    printf("%s contains:\n", r->output);
    add_report_text(r);
    add_scene_and_run(r);
    if (r->messages.count == 0) base_text_append(&r->messages, "nothing\n");
    report_archive_add(&r->report_archive, "messages.txt",
                       "what Weir printed while it collected these files", &r->messages);
    weir_result result = report_archive_write(&r->report_archive, log, r->output);
    BASE_ARRAY_FREE(&r->messages);
    base_mutex_destroy(&r->mutex);
    if (result != WEIR_OK) return result;
    printf(
        "Paths below your home folder begin with ~ in these files, and paths below this folder "
        "with\n"
        "a dot. Read the files before you send them:\n"
        "  tar -xOf %s | less\n"
        "Then attach the archive to your report, and describe what you did, what you expected and\n"
        "what the command printed. The archive contains no particles, meshes or pictures.\n",
        r->output);
    return WEIR_OK;
}

static const char about[] =
    "Collects what a bug report needs in one tar file of a few texts, and lists them. Nothing is\n"
    "sent anywhere.";

static const char details[] =
    "The archive contains the version, build and system; the devices with their drivers and\n"
    "limits; the environment variables that affect Vulkan; for a scene, the file and the scene\n"
    "as parsed; for a run's folder, also run.json and the last lines of stats.csv. What cannot be\n"
    "read is left out, and messages.txt gives the reason.";

int report_main(int argc, char **argv)
{
    report r = {.output = "weir-report.tar"};
    const args_option options[] = {
        ARGS_OPTION("output", 'o', TEXT, &r.output, "FILE", "the archive; default weir-report.tar"),
        ARGS_OPTION("set", 0, LIST, &r.source.set, "KEY=VALUE", "override a value of the scene"),
        ARGS_OPTION("device", 0, TEXT, &r.source.device, "NAME",
                    "the device, by number or part of its name (weir info)")};
    const args_command command = {
        .name = "report",
        .usage = "[RUN | SCENE] [options]",
        .about = about,
        .details = details,
        .examples = "weir report\nweir report out/dam -o dam-report.tar\n"
                    "weir report scene.json --set spacing=0.01",
        .options = options,
        .option_count = BASE_COUNT(options),
        .operand = &r.source.scene,
    };
    args_result outcome = args_parse(&command, argc, argv);
    if (outcome != ARGS_RUN) return outcome;
    const weir_log log = app_log(false);
    char *run_json;
    weir_result result = find_scene_or_run(&r, &log, &run_json);
    if (result == WEIR_OK) result = make_report(&r, &log);
    base_free(run_json);
    base_free(r.run_folder);
    return app_status(&log, NULL, result);
}
