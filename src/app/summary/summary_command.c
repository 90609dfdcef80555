/* weir summary: collects what is known of runs and measurements in one HTML file that needs no
 * network. The page, page.html, draws it; here its data is put together, as JSON. */
#include "app.h"
#include "summary.h"

#include <jansson.h>
#include <stdlib.h>

#define MEBIBYTE ((size_t)1 << 20)
#define TABLE_MAX ((size_t)256 << 20)
#define FILE_MAX ((size_t)1 << 30)

static const char page[] = {
#include "page.html.inc"
    '\0',
};
/* Where the data goes in the page. */
#define PLACE "WEIR_DATA"

typedef struct summary {
    weir_log log;
    size_t picture_bytes; /* most bytes of pictures of a run */
    json_t *subjects;
} summary;

/* ---- files as text -------------------------------------------------------------------------- */

/* Appends "data:TYPE;base64,..." for the bytes. */
static bool append_data_url(base_text *text, const char *type, const base_blob *blob)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    bool ok = base_text_append(text, "data:%s;base64,", type);
    for (size_t i = 0; ok && i < blob->size; i += 3) {
        const size_t left = blob->size - i;
        const uint8_t *b = &blob->bytes[i];
        uint32_t word = (uint32_t)b[0] << 16;
        if (left > 1) word |= (uint32_t)b[1] << 8;
        if (left > 2) word |= b[2];
        char group[4] = {letters[word >> 18], letters[word >> 12 & 63],
                         left > 1 ? letters[word >> 6 & 63] : '=',
                         left > 2 ? letters[word & 63] : '='};
        ok = base_text_append_bytes(text, group, sizeof group);
    }
    return ok;
}

/* Returns a file as a data URL; NULL without memory, or if it cannot be read. */
static json_t *file_url(const summary *s, const char *path, const char *type)
{
    base_blob blob = {0};
    base_text text = {0};
    json_t *url = NULL;
    if (base_file_read(&s->log, path, FILE_MAX, &blob) == WEIR_OK &&
        append_data_url(&text, type, &blob))
        url = json_string(text.items);
    base_blob_free(&blob);
    base_free(text.items);
    return url;
}

/* Returns the whole lines of a table of a run's folder; null if the run has none. */
static json_t *table_text(const summary *s, const char *folder, const char *name)
{
    base_blob blob = {0};
    json_t *text = NULL;
    char *path = base_path_join(folder, name);
    if (path && !base_path_is_file(path)) text = json_null();
    if (path && !text && base_file_read(&s->log, path, TABLE_MAX, &blob) == WEIR_OK) {
        size_t size = blob.size;
        while (size > 0 && blob.bytes[size - 1] != '\n')
            size--;
        text = json_stringn((const char *)blob.bytes, size);
    }
    base_blob_free(&blob);
    base_free(path);
    return text;
}

/* ---- pictures ------------------------------------------------------------------------------- */

/* The pictures of a folder, in order. */
typedef struct picture_list {
    char *folder, **names;
    size_t count;
} picture_list;

static bool is_picture(const char *name)
{
    return base_is_same_word(base_path_extension(name), "png");
}

static weir_result list_pictures(const summary *s, const char *run, picture_list *list)
{
    size_t all = 0;
    list->folder = base_path_join(run, "images");
    if (!list->folder) return base_fail(&s->log, WEIR_ERROR_MEMORY, "not enough memory for a path");
    if (!base_path_is_folder(list->folder)) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(base_folder_list(&s->log, list->folder, &list->names, &all));
    for (size_t i = 0; i < all; i++) {
        char *name = list->names[i];
        if (is_picture(name))
            list->names[list->count++] = name;
        else
            base_free(name);
    }
    return WEIR_OK;
}

static json_t *picture_json(const summary *s, const picture_list *list, size_t i)
{
    char *path = base_path_join(list->folder, list->names[i]);
    json_t *picture = path ? json_object() : NULL;
    picture = app_json_set(picture, "name", json_string(list->names[i]));
    picture = app_json_set(picture, "data", path ? file_url(s, path, "image/png") : NULL);
    base_free(path);
    return picture;
}

/* Returns the step between the pictures that are shown, from the size of the one in the middle. */
static size_t choose_step(const summary *s, const picture_list *list)
{
    base_blob blob = {0};
    size_t step = 1;
    char *path = base_path_join(list->folder, list->names[list->count / 2]);
    if (path && base_file_read(&s->log, path, FILE_MAX, &blob) == WEIR_OK)
        step = (blob.size * list->count + s->picture_bytes - 1) / s->picture_bytes;
    base_blob_free(&blob);
    base_free(path);
    return step < 1 ? 1 : step;
}

static weir_result add_pictures(const summary *s, const char *folder, json_t **run)
{
    picture_list list = {0};
    json_t *pictures = json_array();
    weir_result result = list_pictures(s, folder, &list);
    size_t step = result == WEIR_OK && list.count > 0 ? choose_step(s, &list) : 1;
    for (size_t i = 0; result == WEIR_OK && i < list.count; i += step)
        pictures = app_json_append(pictures, picture_json(s, &list, i));
    *run = app_json_set(*run, "pictures", pictures);
    *run = app_json_set(*run, "picture_step", json_integer((json_int_t)step));
    base_names_free(list.names, list.count);
    base_free(list.folder);
    return result;
}

/* ---- subjects ------------------------------------------------------------------------------- */

static weir_result load_json(const summary *s, const char *path, json_t **json)
{
    base_blob blob = {0};
    json_error_t error;
    WEIR_RETURN_IF_ERROR(base_file_read(&s->log, path, TABLE_MAX, &blob));
    *json = json_loadb((const char *)blob.bytes, blob.size, 0, &error);
    base_blob_free(&blob);
    if (*json) return WEIR_OK;
    return base_fail(&s->log, WEIR_ERROR_IO,
                     "%s:%d:%d: %s; the file is damaged or only partly copied: copy it again, or "
                     "write it again with weir run --resume or weir bench --json",
                     path, error.line, error.column, error.text);
}

static weir_result add_run(summary *s, const char *folder)
{
    json_t *described = NULL, *run = json_object();
    char *path = base_path_join(folder, "run.json");
    weir_result result = WEIR_OK;
    if (!path)
        result = base_fail(&s->log, WEIR_ERROR_MEMORY, "not enough memory for a path");
    else if (!base_path_is_file(path))
        result = base_fail(&s->log, WEIR_ERROR_IO,
                           "%s: has no run.json; name a folder that weir run -o has written, or a "
                           "file of weir bench --json",
                           folder);
    if (result == WEIR_OK) result = load_json(s, path, &described);
    if (result == WEIR_OK && !json_is_object(json_object_get(described, "scene")))
        result = base_fail(&s->log, WEIR_ERROR_IO,
                           "%s: has no \"scene\": this is not a file of weir run", path);
    base_free(path);
    if (result != WEIR_OK) {
        json_decref(described);
        json_decref(run);
        return result;
    }
    run = app_json_set(run, "run", described);
    run = app_json_set(run, "folder", json_string(folder));
    run = app_json_set(run, "stats", table_text(s, folder, "stats.csv"));
    run = app_json_set(run, "gauges", table_text(s, folder, "gauges.csv"));
    result = add_pictures(s, folder, &run);
    s->subjects = app_json_append(s->subjects, run);
    return result;
}

static weir_result add_bench(summary *s, const char *path)
{
    json_t *bench = NULL;
    WEIR_RETURN_IF_ERROR(load_json(s, path, &bench));
    const char *schema = json_string_value(json_object_get(bench, "schema"));
    if (!schema || strcmp(schema, "weir-bench") != 0) {
        json_decref(bench);
        return base_fail(&s->log, WEIR_ERROR_IO,
                         "%s: has no \"schema\": \"weir-bench\"; name a file of weir bench --json, "
                         "or a folder of weir run -o",
                         path);
    }
    s->subjects = app_json_append(s->subjects, app_json_set(json_object(), "bench", bench));
    return WEIR_OK;
}

/* ---- page ----------------------------------------------------------------------------------- */

static weir_result write_page(const summary *s, const char *path)
{
    weir_result result;
    base_writer *writer = NULL;
    const char *place = strstr(page, PLACE);
    WEIR_ASSERT(place);
    /* Escaped slashes: the data must not end the element that it stands in. */
    char *data = json_dumps(s->subjects, JSON_COMPACT | JSON_ESCAPE_SLASH);
    if (!data)
        return base_fail(&s->log, WEIR_ERROR_MEMORY, "%s: not enough memory for its contents",
                         path);
    WEIR_GOTO_IF_ERROR(base_writer_open(&s->log, path, &writer));
    WEIR_GOTO_IF_ERROR(base_writer_write(writer, page, (size_t)(place - page)));
    WEIR_GOTO_IF_ERROR(base_writer_write(writer, data, strlen(data)));
    WEIR_GOTO_IF_ERROR(
        base_writer_write(writer, place + strlen(PLACE), strlen(place + strlen(PLACE))));
    WEIR_GOTO_IF_ERROR(base_writer_commit(&writer));
fail:
    if (result != WEIR_OK) base_writer_cancel(&writer);
    free(data);
    return result;
}

/* Returns the page's name: summary.html in the run's folder, or beside the measurement. */
static char *default_path(const char *subject)
{
    base_text text = {0};
    if (base_path_is_folder(subject)) return base_path_join(subject, "summary.html");
    size_t stem = strlen(subject) - strlen(base_path_extension(subject));
    base_text_append_bytes(&text, subject, stem);
    base_text_append(&text, "%shtml", stem > 0 && subject[stem - 1] == '.' ? "" : ".");
    return text.items;
}

static weir_result write_summary(summary *s, const args_words *words, const char *path)
{
    for (uint32_t i = 0; i < words->count; i++)
        WEIR_RETURN_IF_ERROR(base_path_is_folder(words->items[i]) ? add_run(s, words->items[i])
                                                                  : add_bench(s, words->items[i]));
    char *made = path ? NULL : default_path(words->items[0]);
    if (made) path = made;
    weir_result result =
        path ? write_page(s, path)
             : base_fail(&s->log, WEIR_ERROR_MEMORY, "not enough memory for a path");
    if (result == WEIR_OK) printf("%s\n", path);
    base_free(made);
    return result;
}

int summary_main(int argc, char **argv)
{
    const char *path = NULL, *first = NULL;
    uint32_t mebibytes = 24;
    bool quiet = false;
    args_words words = {0};
    const args_option options[] = {
        ARGS_OPTION("output", 'o', TEXT, &path, "FILE",
                    "the page; default: RUN/summary.html, or BENCH with the ending .html"),
        ARGS_OPTION("picture-size", 0, COUNT, &mebibytes, "MIB",
                    "show only every 2nd, 3rd, ... picture of a run beyond this; default 24"),
        ARGS_OPTION("quiet", 'q', FLAG, &quiet, NULL, "print errors and warnings only"),
    };
    const args_command command = {
        .name = "summary",
        .usage = "RUN|BENCH... [options]",
        .about = "Writes one HTML file about runs (folders of weir run -o) and measurements (files "
                 "of\n"
                 "weir bench --json): settings, pictures, curves, passes, a roofline. It needs no "
                 "network.",
        .examples = "weir summary out/dam\n"
                    "weir summary bench.json -o bench.html\n"
                    "weir summary out/coarse out/fine -o both.html",
        .options = options,
        .option_count = BASE_COUNT(options),
        .operand = &first,
        .operands = &words,
        .operand_needed = true,
    };
    args_result outcome = args_parse(&command, argc, argv);
    if (outcome != ARGS_RUN) return outcome;
    if (mebibytes == 0) return args_error("--picture-size needs 1 or more");
    summary s = {
        .log = app_log(quiet), .picture_bytes = mebibytes * MEBIBYTE, .subjects = json_array()};
    weir_result result = write_summary(&s, &words, path);
    json_decref(s.subjects);
    return app_status(&s.log, NULL, result);
}
