/* Reloads shaders while the program runs, in development builds. Sources that are newer than their
 * compiled code are compiled as in the build, and their pipelines are replaced in place. The build
 * defines WEIR_GLSLC, the compiler; WEIR_SHADER_FOLDER, the sources; and WEIR_SHADER_WORDS, the
 * compiled SPIR-V. */
#include "gpu_internal.h"

#define SOURCE_MAX (1u << 20)
#define INCLUDE_DEPTH 16

bool gpu_shaders_can_reload(void)
{
    return true;
}

static const char *shader_folder(const gpu_device *device)
{
    return device->shader_folder ? device->shader_folder : WEIR_SHADER_FOLDER;
}

/* ---- files ---------------------------------------------------------------------------------- */

/* Returns the path of an included file; NULL if there is none. Release with base_free. */
static char *find_include(const gpu_device *device, const char *name)
{
    static const char *const folders[] = {"shared", "lib"};
    for (size_t i = 0; i < BASE_COUNT(folders); i++) {
        char *path = base_format("%s/%s/%s", shader_folder(device), folders[i], name);
        if (path && base_path_is_file(path)) return path;
        base_free(path);
    }
    return NULL;
}

static int64_t newest_file_time(const gpu_device *device, const char *path, int depth);

/* Returns the modification time of the file that the line at `at` includes, if it is one of Weir's;
 * otherwise 0. */
static int64_t newest_include_time(const gpu_device *device, const char *at, const char *end,
                                   int depth)
{
    static const char word[] = "#include \"";
    char name[64];
    const size_t length = sizeof word - 1;
    if ((size_t)(end - at) <= length || memcmp(at, word, length) != 0) return 0;
    const char *first = at + length, *quote = memchr(first, '"', (size_t)(end - first));
    if (!quote || (size_t)(quote - first) >= sizeof name) return 0;
    snprintf(name, sizeof name, "%.*s", (int)(quote - first), first);
    char *path = find_include(device, name);
    int64_t time_ns = path ? newest_file_time(device, path, depth + 1) : 0;
    base_free(path);
    return time_ns;
}

/* Returns the newest modification time of the file and everything it includes; 0 if it cannot be
 * read. */
static int64_t newest_file_time(const gpu_device *device, const char *path, int depth)
{
    base_blob text = {0};
    int64_t newest = base_path_modified_ns(path);
    if (depth > INCLUDE_DEPTH || base_file_read(NULL, path, SOURCE_MAX, &text) != WEIR_OK)
        return newest;
    const char *at = (const char *)text.bytes, *end = at + text.size;
    while (at < end) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        if (!line_end) line_end = end;
        int64_t time_ns = newest_include_time(device, at, line_end, depth);
        if (time_ns > newest) newest = time_ns;
        at = line_end + 1;
    }
    base_blob_free(&text);
    return newest;
}

/* Returns the path of a source. "sim/lambda.texels.comp" is sim/lambda.comp with WEIR_TEXELS. */
static char *shader_source_path(const gpu_device *device, const char *source, bool *texels)
{
    const char *word = strstr(source, ".texels");
    *texels = word != NULL;
    size_t stem = word ? (size_t)(word - source) : strlen(source);
    return base_format("%s/%.*s%s", shader_folder(device), (int)stem, source,
                       word ? word + strlen(".texels") : "");
}

/* ---- compiling ------------------------------------------------------------------------------ */

/* Logs the compiler's output line by line: "path:line: error: ...". */
static void log_compile_errors(const gpu_device *device, const base_text *said)
{
    for (size_t at = 0; at < said->count;) {
        const char *line = said->items + at;
        size_t length = strcspn(line, "\n");
        const char *word = strstr(line, " error: "); /* the last line only counts the errors */
        if (word && word < line + length)
            base_log(&device->log, WEIR_LOG_ERROR, "%.*s", (int)length, line);
        at += length + 1;
    }
}

static bool set_spirv_words(gpu_reloaded_shader *shader, const base_text *bytes)
{
    uint32_t *words = base_alloc(bytes->count / 4, 4);
    if (!words) return false;
    memcpy(words, bytes->items, bytes->count / 4 * 4);
    base_free(shader->words);
    shader->words = words;
    shader->word_count = bytes->count / 4;
    return true;
}

/* Compiles into shader->words, which stay unchanged if that fails; failures are logged. */
static bool compile_shader(gpu_device *device, gpu_reloaded_shader *shader, const char *path,
                           bool texels)
{
    base_text said = {0};
    int status = 0;
    bool good = false;
    char *shared = base_format("-I%s/shared", shader_folder(device));
    char *lib = base_format("-I%s/lib", shader_folder(device));
    const char *bindings = "-I" WEIR_SHADER_WORDS "/bindings";
    const char *const words[] = {WEIR_GLSLC,
                                 "-O",
                                 "-Werror",
                                 "--target-env=vulkan1.3",
                                 shared,
                                 lib,
                                 bindings,
                                 path,
                                 "-o",
                                 "-", /* SPIR-V goes to standard output, errors to standard error */
                                 texels ? "-DWEIR_TEXELS" : NULL,
                                 NULL};
    if (shared && lib && base_process_capture(&device->log, words, &said, &status) == WEIR_OK) {
        good = status == 0 && set_spirv_words(shader, &said);
        if (status != 0) log_compile_errors(device, &said);
    }
    BASE_ARRAY_FREE(&said);
    base_free(shared);
    base_free(lib);
    return good;
}

/* ---- shaders -------------------------------------------------------------------------------- */

static gpu_reloaded_shader *find_shader(const gpu_device *device, const char *source)
{
    for (size_t i = 0; source && i < device->shaders.count; i++)
        if (strcmp(device->shaders.items[i].source, source) == 0) return &device->shaders.items[i];
    return NULL;
}

void gpu_shaders_free(gpu_device *device)
{
    for (size_t i = 0; i < device->shaders.count; i++)
        base_free(device->shaders.items[i].words);
    BASE_ARRAY_FREE(&device->shaders);
}

/* Adds an entry for a shader that is checked for the first time; its words are then those of the
 * build. */
static gpu_reloaded_shader *add_reloaded_shader(gpu_device *device, const char *source)
{
    gpu_reloaded_shader *shader = find_shader(device, source);
    if (shader) return shader;
    char *words = base_format("%s/%s.inc", WEIR_SHADER_WORDS, source);
    const gpu_reloaded_shader fresh = {.source = source,
                                       .time_ns = words ? base_path_modified_ns(words) : 0};
    bool good = words && BASE_ARRAY_PUSH(&device->shaders, fresh);
    base_free(words);
    return good ? &device->shaders.items[device->shaders.count - 1] : NULL;
}

/* Compiles the shader if one of its files is newer than its words. *changed: its words have
 * changed. */
static weir_result check_shader_source(gpu_device *device, const char *source, bool *changed)
{
    bool texels;
    *changed = false;
    gpu_reloaded_shader *shader = source ? add_reloaded_shader(device, source) : NULL;
    if (!source) return WEIR_OK;
    char *path = shader_source_path(device, source, &texels);
    if (!shader || !path) {
        base_free(path);
        return base_fail(&device->log, WEIR_ERROR_MEMORY, "not enough memory to watch shaders");
    }
    int64_t time_ns = newest_file_time(device, path, 0);
    if (time_ns > shader->time_ns) {
        shader->time_ns = time_ns;
        *changed = compile_shader(device, shader, path, texels);
    }
    base_free(path);
    return WEIR_OK;
}

void gpu_shader_use_reloaded(gpu_device *device, gpu_spirv *words)
{
    bool changed;
    if (!device->reloads || check_shader_source(device, words->source, &changed) != WEIR_OK) return;
    const gpu_reloaded_shader *shader = find_shader(device, words->source);
    if (shader && shader->words)
        *words = (gpu_spirv){words->source, shader->words, shader->word_count};
}

/* ---- pipelines ------------------------------------------------------------------------------ */

static bool pipeline_uses_source(const gpu_pipeline *pipeline, const char *source)
{
    for (size_t i = 0; i < BASE_COUNT(pipeline->sources); i++)
        if (pipeline->sources[i] && strcmp(pipeline->sources[i], source) == 0) return true;
    return false;
}

/* Replaces the pipeline's handle and everything that belongs to it; pointers to the gpu_pipeline
 * stay valid. */
static weir_result rebuild_pipeline(gpu_device *device, gpu_pipeline *pipeline)
{
    gpu_pipeline *fresh = NULL;
    WEIR_RETURN_IF_ERROR(
        pipeline->compute_def.shader
            ? gpu_pipeline_build(device, &pipeline->compute_def, pipeline, &fresh)
            : gpu_draw_pipeline_build(device, &pipeline->draw_def, pipeline, &fresh));
    gpu_pipeline old = *pipeline;
    fresh->next = old.next;
    fresh->key = old.key;
    fresh->holders = old.holders;
    *pipeline = *fresh;
    pipeline->compute_def.constants = pipeline->constants;
    *fresh = old;
    gpu_pipeline_free(device, fresh);
    return WEIR_OK;
}

static void rebuild_pipelines_using(gpu_device *device, const char *source)
{
    uint32_t rebuilt = 0;
    for (gpu_pipeline *k = device->pipelines; k; k = k->next)
        if (pipeline_uses_source(k, source)) rebuilt += rebuild_pipeline(device, k) == WEIR_OK;
    base_log(&device->log, WEIR_LOG_INFO, "%s: recompiled, %u pipeline%s", source, rebuilt,
             base_plural(rebuilt));
}

static weir_result reload_shader(gpu_device *device, const char *source)
{
    bool changed;
    weir_result result = check_shader_source(device, source, &changed);
    if (changed) rebuild_pipelines_using(device, source);
    return result;
}

weir_result gpu_shaders_reload(gpu_device *device)
{
    WEIR_ASSERT(!device->recording);
    if (!base_path_is_folder(shader_folder(device)))
        return base_fail(&device->log, WEIR_ERROR_IO, "%s: not a folder of shader sources",
                         shader_folder(device));
    gpu_pipelines_stop_ahead(device);
    WEIR_RETURN_IF_ERROR(gpu_device_wait(device));
    gpu_descriptor_sets_clear(device);
    device->reloads = true;
    for (gpu_pipeline *k = device->pipelines; k; k = k->next) {
        WEIR_RETURN_IF_ERROR(reload_shader(device, k->sources[0]));
        WEIR_RETURN_IF_ERROR(reload_shader(device, k->sources[1]));
    }
    return WEIR_OK;
}
