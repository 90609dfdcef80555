/* weir bench --compare: reports passes that became slower between measurements, and other
 * changes. */
#include "bench_internal.h"

#include <jansson.h>
#include <stdlib.h>

#define FILE_MAX ((size_t)256 << 20)

typedef struct comparison {
    weir_log log;
    const char *name_a, *name_b;
    json_t *a, *b;
    double threshold; /* fraction: 0.05 for 5 % */
    uint32_t slower, faster, same, unequal, missing;
} comparison;

/* ---- reading -------------------------------------------------------------------------------- */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static double number_of(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static weir_result check_schema(const weir_log *log, const char *path, const json_t *json)
{
    const json_t *version = json_object_get(json, "schema_version");
    if (strcmp(text_of(json, "schema"), BENCH_SCHEMA) != 0)
        return base_fail(
            log, WEIR_ERROR_IO,
            "%s: has no \"schema\": \"" BENCH_SCHEMA "\"; write it with weir bench --json", path);
    if (!json_is_integer(version) || json_integer_value(version) != BENCH_SCHEMA_VERSION)
        return base_fail(
            log, WEIR_ERROR_IO,
            "%s: its schema is " BENCH_SCHEMA
            " version %lld, this weir reads version %d; measure both with the same weir",
            path, (long long)json_integer_value(version), BENCH_SCHEMA_VERSION);
    if (!json_is_array(json_object_get(json, "results")))
        return base_fail(log, WEIR_ERROR_IO, "%s: has no \"results\"", path);
    return WEIR_OK;
}

weir_result bench_load_report(const weir_log *log, const char *path, json_t **json)
{
    base_blob blob = {0};
    json_error_t error;
    weir_result result = base_file_read(log, path, FILE_MAX, &blob);
    if (result != WEIR_OK) return result;
    *json = json_loadb((const char *)blob.bytes, blob.size, 0, &error);
    base_blob_free(&blob);
    if (!*json)
        return base_fail(log, WEIR_ERROR_IO, "%s:%d:%d: %s", path, error.line, error.column,
                         error.text);
    result = check_schema(log, path, *json);
    if (result == WEIR_OK) return WEIR_OK;
    json_decref(*json);
    *json = NULL;
    return result;
}

/* ---- comparison ----------------------------------------------------------------------------- */

static const json_t *find_result(const json_t *results, const json_t *like)
{
    size_t i;
    json_t *result;
    json_array_foreach(results, i, result)
    {
        bool same = strcmp(text_of(result, "suite"), text_of(like, "suite")) == 0 &&
                    strcmp(text_of(result, "case"), text_of(like, "case")) == 0;
        bool alone = json_is_true(json_object_get(result, "alone")) ==
                     json_is_true(json_object_get(like, "alone"));
        if (same && alone) return result;
    }
    return NULL;
}

const json_t *bench_find_pass(const json_t *passes, const char *name, uint32_t nth)
{
    size_t i;
    json_t *pass;
    json_array_foreach(passes, i, pass)
    {
        if (strcmp(text_of(pass, "name"), name) == 0 && nth-- == 0) return pass;
    }
    return NULL;
}

static bool values_differ(const json_t *a, const json_t *b, const char *key, double tolerance)
{
    double x = number_of(a, key), y = number_of(b, key);
    return fabs(x - y) > tolerance * fmax(fabs(x), fabs(y));
}

const char *bench_find_difference(const json_t *a, const json_t *b, char out[BENCH_DIFFERENCE])
{
    static const struct {
        const char *key, *words;
        double tolerance;
    } measures[] = {
        {"particles", "particles", 0},
        {"iterations", "iterations", 0},
        {"triangles", "triangles", 0},
        {"width", "pixels along x", 0},
        {"substeps_in_frame", "substeps in a frame", 0},
        {"neighbours_mean", "neighbours per particle", 0.02},
    };
    out[0] = '\0';
    for (size_t i = 0; i < BASE_COUNT(measures); ++i) {
        if (!values_differ(a, b, measures[i].key, measures[i].tolerance)) continue;
        snprintf(out, BENCH_DIFFERENCE, "%s: %.4g and %.4g", measures[i].words,
                 number_of(a, measures[i].key), number_of(b, measures[i].key));
        break;
    }
    return out;
}

static void compare_pass(comparison *c, const json_t *a, const json_t *b)
{
    double before = number_of(a, "median_ms"), after = number_of(b, "median_ms");
    bool rose = number_of(b, "lower_quartile_ms") > number_of(a, "upper_quartile_ms");
    bool fell = number_of(b, "upper_quartile_ms") < number_of(a, "lower_quartile_ms");
    bool slower = rose && after > before * (1 + c->threshold);
    bool faster = fell && before > after * (1 + c->threshold);
    bool shader = strcmp(text_of(a, "spirv_hash"), text_of(b, "spirv_hash")) != 0;
    c->slower += slower;
    c->faster += faster;
    c->same += !slower && !faster;
    if (!slower && !faster && !shader) return;
    printf("  %-30s %10.4f -> %10.4f ms  %+6.1f %%  %s%s\n", text_of(a, "name"), before, after,
           before > 0 ? 100 * (after / before - 1) : 0.0,
           slower   ? "SLOWER"
           : faster ? "faster"
                    : "within the spread",
           shader ? ", its shader changed" : "");
}

static void compare_passes(comparison *c, const json_t *a, const json_t *b)
{
    const json_t *passes_a = json_object_get(a, "passes"), *passes_b = json_object_get(b, "passes");
    size_t i, k;
    json_t *pass;
    json_array_foreach(passes_a, i, pass)
    {
        uint32_t nth = 0;
        const char *name = text_of(pass, "name");
        for (k = 0; k < i; ++k)
            nth += strcmp(text_of(json_array_get(passes_a, k), "name"), name) == 0;
        const json_t *other = bench_find_pass(passes_b, name, nth);
        if (other) {
            compare_pass(c, pass, other);
        } else {
            printf("  %-30s is only in %s\n", name, c->name_a);
            ++c->missing;
        }
    }
}

static void compare_results(comparison *c)
{
    const json_t *all_b = json_object_get(c->b, "results");
    size_t i;
    json_t *a;
    char why[BENCH_DIFFERENCE];
    json_array_foreach(json_object_get(c->a, "results"), i, a)
    {
        const json_t *b = find_result(all_b, a);
        printf("%s %s\n", text_of(a, "suite"), text_of(a, "case"));
        if (!b) {
            printf("  is only in %s\n", c->name_a);
            ++c->missing;
        } else if (text_of(a, "skipped")[0] || text_of(b, "skipped")[0]) {
            printf("  was skipped\n");
        } else if (bench_find_difference(a, b, why)[0]) {
            printf("  DIFFERENT WORK, times are not compared: %s\n", why);
            ++c->unequal;
        } else {
            compare_passes(c, a, b);
        }
    }
}

/* Prints differences of machine and options, which explain differences in time. */
static void print_machine_changes(const comparison *c)
{
    const json_t *a = json_object_get(c->a, "device"), *b = json_object_get(c->b, "device");
    static const struct {
        const char *key, *words;
    } texts[] = {{"name", "different devices"}, {"driver", "different drivers"}};
    for (size_t i = 0; i < BASE_COUNT(texts); ++i)
        if (strcmp(text_of(a, texts[i].key), text_of(b, texts[i].key)) != 0)
            printf("%s: \"%s\" and \"%s\"\n", texts[i].words, text_of(a, texts[i].key),
                   text_of(b, texts[i].key));
    static const char *const sizes[] = {"workgroup", "subgroup"};
    for (size_t i = 0; i < BASE_COUNT(sizes); ++i)
        if (number_of(c->a, sizes[i]) != number_of(c->b, sizes[i]))
            printf("different %s sizes: %.0f and %.0f\n", sizes[i], number_of(c->a, sizes[i]),
                   number_of(c->b, sizes[i]));
    if (json_is_true(json_object_get(c->a, "serialize")) !=
        json_is_true(json_object_get(c->b, "serialize")))
        printf("only one file was measured with --serialize\n");
}

static int compare_pair(comparison *c)
{
    weir_result result;
    WEIR_GOTO_IF_ERROR(bench_load_report(&c->log, c->name_a, &c->a));
    WEIR_GOTO_IF_ERROR(bench_load_report(&c->log, c->name_b, &c->b));
    printf("%s -> %s\n", c->name_a, c->name_b);
    print_machine_changes(c);
    compare_results(c);
    printf("%u slower by more than %.3g %% beyond the spread, %u faster, %u unchanged", c->slower,
           100 * c->threshold, c->faster, c->same);
    if (c->unequal) printf(", %u with different work", c->unequal);
    if (c->missing) printf(", %u missing", c->missing);
    printf("\n\n");
fail:
    json_decref(c->a);
    json_decref(c->b);
    if (result != WEIR_OK || c->slower) return APP_FAILED;
    return c->unequal + c->missing ? APP_UNEQUAL : APP_DONE;
}

int bench_compare(const bench_options *options)
{
    int status = APP_DONE;
    if (options->files.count < 2)
        return args_error("--compare needs at least two files: the first is the baseline");
    for (uint32_t i = 1; i < options->files.count; ++i) {
        comparison c = {.log = app_log(options->source.quiet),
                        .name_a = options->files.items[0],
                        .name_b = options->files.items[i],
                        .threshold = options->threshold / 100};
        int got = compare_pair(&c);
        if (got != APP_DONE && status != APP_FAILED) status = got;
    }
    return status;
}
