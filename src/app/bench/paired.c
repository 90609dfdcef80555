/* Judges an A/B comparison by the ratios of the times of each pass in several rounds.
 *
 * A machine that others use is slower in some moments than in others, for all passes alike. So a
 * pass is judged by its ratio over that of all passes, their median; and the ratio of all passes by
 * that of the ceilings, which each run measures. A difference counts if its mean is beyond the
 * threshold and the 99 % interval of the mean of the logarithms excludes "none". A few rounds do
 * not tell the variance of a pass, so it is moderated by that of the other passes, as in the
 * t-statistic of Smyth (2004), "Linear models and empirical Bayes methods for assessing
 * differential expression in microarray experiments". Passes of less than 1 % of the time are
 * judged together, because they are mostly noise on CPU drivers. */
#include "bench_internal.h"

#include <jansson.h>
#include <stdlib.h>

#define SMALL_SHARE 0.01
/* Degrees of freedom of the variance of the other passes. */
#define PRIOR_FREEDOM 8u

struct bench_pair {
    char name[64];
    uint32_t nth;    /* pass of this name in the list */
    bool absent;     /* from a measurement */
    double ms[2];    /* sums over the rounds of the time of a call: baseline, this program */
    double total_ms; /* sum over the rounds of the time of a substep, baseline */
    double logs[BENCH_MAX_ROUNDS];
};

/* ---- rounds --------------------------------------------------------------------------------- */

static const json_t *first_result(const json_t *report)
{
    return json_array_get(json_object_get(report, "results"), 0);
}

static double member(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static weir_result add_pair(bench_pairs *pairs, const weir_log *log, const char *name)
{
    bench_pair *more = base_realloc(pairs->items, pairs->count + 1, sizeof *more);
    if (!more) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for passes");
    pairs->items = more;
    bench_pair *pair = &pairs->items[pairs->count];
    *pair = (bench_pair){0};
    snprintf(pair->name, sizeof pair->name, "%s", name);
    for (uint32_t k = 0; k < pairs->count; k++)
        pair->nth += strcmp(pairs->items[k].name, name) == 0;
    pairs->count++;
    return WEIR_OK;
}

/* Lists the passes of the first measurement. */
static weir_result list_passes(bench_pairs *pairs, const weir_log *log, const json_t *report)
{
    size_t i;
    json_t *pass;
    json_array_foreach(json_object_get(first_result(report), "passes"), i, pass)
    {
        if (json_is_true(json_object_get(pass, "is_total"))) continue;
        const char *name = json_string_value(json_object_get(pass, "name"));
        WEIR_RETURN_IF_ERROR(add_pair(pairs, log, name ? name : ""));
    }
    return WEIR_OK;
}

/* Returns the logarithm of how much slower the device itself was in the runs of this program. */
static double device_log(const json_t *const measured[4])
{
    static const char *const ceilings[] = {"copy_gb_s", "cache_gb_s", "fma_gflop_s"};
    double sum = 0;
    for (size_t c = 0; c < BASE_COUNT(ceilings); c++) {
        double rate[4];
        for (uint32_t i = 0; i < 4; i++)
            rate[i] = member(json_object_get(measured[i], "ceilings"), ceilings[c]);
        if (!(rate[0] > 0 && rate[1] > 0 && rate[2] > 0 && rate[3] > 0)) return 0;
        sum += 0.5 * log(rate[0] * rate[3] / (rate[1] * rate[2]));
    }
    return sum / (double)BASE_COUNT(ceilings);
}

static void add_times(bench_pairs *pairs, bench_pair *pair, const json_t *const measured[4])
{
    double ms[4];
    for (uint32_t i = 0; i < 4; i++) {
        const json_t *result = first_result(measured[i]);
        const json_t *pass =
            bench_find_pass(json_object_get(result, "passes"), pair->name, pair->nth);
        ms[i] = pass ? member(pass, "median_ms") : 0;
        if (i == 0)
            pair->total_ms += ms[i] * member(pass, "calls") / fmax(member(result, "substeps"), 1);
        if (!pass) pair->absent = true;
    }
    bool all = ms[0] > 0 && ms[1] > 0 && ms[2] > 0 && ms[3] > 0;
    pair->logs[pairs->rounds] = all ? 0.5 * log(ms[1] * ms[2] / (ms[0] * ms[3])) : 0;
    pair->ms[0] += 0.5 * (ms[0] + ms[3]);
    pair->ms[1] += 0.5 * (ms[1] + ms[2]);
}

weir_result bench_pairs_add(bench_pairs *pairs, const weir_log *log,
                            const struct json_t *const measured[4])
{
    for (uint32_t i = 0; i < 4; i++) {
        const json_t *result = first_result(measured[i]);
        const char *skipped = json_string_value(json_object_get(result, "skipped"));
        if (!result || skipped)
            return base_fail(log, WEIR_ERROR_ARGUMENT, "--against: the scene was not measured: %s",
                             skipped ? skipped : "a file of results is empty");
        if (json_is_null(json_object_get(measured[i], "ceilings")))
            return base_fail(log, WEIR_ERROR_UNSUPPORTED,
                             "--against compares times of passes, and this device has no "
                             "timestamps; choose another one with --device");
    }
    if (bench_find_difference(first_result(measured[0]), first_result(measured[1]),
                              pairs->difference)[0])
        return WEIR_OK;
    if (pairs->rounds == 0) WEIR_RETURN_IF_ERROR(list_passes(pairs, log, measured[0]));
    pairs->device[pairs->rounds] = device_log(measured);
    for (uint32_t i = 0; i < pairs->count; i++)
        add_times(pairs, &pairs->items[i], measured);
    pairs->rounds++;
    return WEIR_OK;
}

void bench_pairs_free(bench_pairs *pairs)
{
    base_free(pairs->items);
}

/* ---- judgement ------------------------------------------------------------------------------ */

typedef struct judgement {
    double ratio, low, high; /* of the times, this program over the baseline */
    int sign;                /* 1: slower, -1: faster, 0: no difference */
} judgement;

/* 0.995 quantile of Student's distribution with n degrees of freedom. */
static double student_quantile(uint32_t n)
{
    static const double table[] = {63.66, 9.925, 5.841, 4.604, 4.032, 3.707, 3.499,
                                   3.355, 3.250, 3.169, 3.106, 3.055, 3.012, 2.977,
                                   2.947, 2.921, 2.898, 2.878, 2.861, 2.845};
    return n <= BASE_COUNT(table) ? table[n - 1] : 2.831;
}

static double mean_of(const double *logs, uint32_t n)
{
    double mean = 0;
    for (uint32_t k = 0; k < n; k++)
        mean += logs[k] / n;
    return mean;
}

/* Returns the variance of one round. */
static double variance_of(const double *logs, uint32_t n)
{
    double mean = mean_of(logs, n), square = 0;
    for (uint32_t k = 0; k < n; k++)
        square += (logs[k] - mean) * (logs[k] - mean);
    return n > 1 ? square / (n - 1.0) : 0;
}

/* `prior`: variance of the other passes; 0: there is none. */
static judgement judge(const bench_pairs *pairs, const double *logs, double prior)
{
    const uint32_t n = pairs->rounds, before = prior > 0 ? PRIOR_FREEDOM : 0;
    if (n < 2) return (judgement){exp(mean_of(logs, n)), 0, INFINITY, 0};
    const uint32_t freedom = n - 1 + before;
    double mean = mean_of(logs, n);
    double variance = ((n - 1) * variance_of(logs, n) + before * prior) / freedom;
    double half = student_quantile(freedom) * sqrt(variance / n);
    judgement j = {exp(mean), exp(mean - half), exp(mean + half), 0};
    if (fabs(mean) > log(1 + pairs->threshold) && fabs(mean) > half) j.sign = mean > 0 ? 1 : -1;
    return j;
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, uint32_t count)
{
    if (count == 0) return 0;
    qsort(values, count, sizeof *values, compare_numbers);
    return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

static bool is_small(const bench_pairs *pairs, const bench_pair *pair)
{
    double sum = 0;
    for (uint32_t i = 0; i < pairs->count; i++)
        sum += pairs->items[i].total_ms;
    return pair->total_ms < SMALL_SHARE * sum;
}

/* Fills `common` with the ratio of all passes in each round, as a logarithm. */
static void find_common(const bench_pairs *pairs, double common[BENCH_MAX_ROUNDS])
{
    double logs[BENCH_PASSES];
    for (uint32_t k = 0; k < pairs->rounds; k++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < pairs->count && count < BENCH_PASSES; i++)
            if (!pairs->items[i].absent && !is_small(pairs, &pairs->items[i]))
                logs[count++] = pairs->items[i].logs[k];
        common[k] = median(logs, count);
    }
}

/* Fills `beyond` with what is left of the logarithms without the common ones. */
static void subtract_common(const bench_pairs *pairs, const double *logs, const double *common,
                            double beyond[BENCH_MAX_ROUNDS])
{
    for (uint32_t k = 0; k < pairs->rounds; k++)
        beyond[k] = logs[k] - common[k];
}

/* Returns the median variance of the passes that are judged by themselves. */
static double find_prior(const bench_pairs *pairs, const double *common)
{
    double variances[BENCH_PASSES], beyond[BENCH_MAX_ROUNDS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < pairs->count && count < BENCH_PASSES; i++) {
        const bench_pair *pair = &pairs->items[i];
        if (pair->absent || is_small(pairs, pair)) continue;
        subtract_common(pairs, pair->logs, common, beyond);
        variances[count++] = variance_of(beyond, pairs->rounds);
    }
    return median(variances, count);
}

static judgement judge_beyond(const bench_pairs *pairs, const double *logs, const double *common,
                              double prior)
{
    double beyond[BENCH_MAX_ROUNDS];
    subtract_common(pairs, logs, common, beyond);
    return judge(pairs, beyond, prior);
}

/* ---- report --------------------------------------------------------------------------------- */

typedef struct ab_report {
    const bench_pairs *pairs;
    double common[BENCH_MAX_ROUNDS], prior;
    judgement device, all;
    uint32_t slower, faster, same, absent;
    json_t *passes;
} ab_report;

static const char *verdict(judgement j)
{
    return j.sign > 0 ? "SLOWER" : j.sign < 0 ? "faster" : "";
}

static json_t *judgement_json(const char *name, judgement j)
{
    return json_pack("{s:s, s:o, s:o, s:o, s:s}", "name", name, "ratio", app_json_number(j.ratio),
                     "low", app_json_number(j.low), "high", app_json_number(j.high), "verdict",
                     j.sign > 0   ? "slower"
                     : j.sign < 0 ? "faster"
                                  : "same");
}

static void report_line(ab_report *r, const char *name, const double ms[2], judgement j)
{
    const uint32_t n = r->pairs->rounds;
    printf("  %-30s %10.4f %10.4f ms  x %.3f (%.3f to %.3f)  %s\n", name, ms[0] / n, ms[1] / n,
           j.ratio, j.low, j.high, verdict(j));
    r->slower += j.sign > 0;
    r->faster += j.sign < 0;
    r->same += j.sign == 0;
    json_t *pass = judgement_json(name, j);
    pass = app_json_set(pass, "baseline_ms", app_json_number(ms[0] / n));
    pass = app_json_set(pass, "ms", app_json_number(ms[1] / n));
    r->passes = app_json_append(r->passes, pass);
}

static void report_passes(ab_report *r)
{
    const bench_pairs *pairs = r->pairs;
    double small[2] = {0, 0}, logs[BENCH_MAX_ROUNDS] = {0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < pairs->count; i++) {
        const bench_pair *pair = &pairs->items[i];
        if (pair->absent) {
            printf("  %-30s is missing in a measurement\n", pair->name);
            r->absent++;
        } else if (is_small(pairs, pair)) {
            small[0] += pair->ms[0];
            small[1] += pair->ms[1];
            count++;
            for (uint32_t k = 0; k < pairs->rounds; k++)
                logs[k] += pair->logs[k];
        } else {
            report_line(r, pair->name, pair->ms,
                        judge_beyond(pairs, pair->logs, r->common, r->prior));
        }
    }
    if (count == 0) return;
    char name[64];
    for (uint32_t k = 0; k < pairs->rounds; k++)
        logs[k] /= count;
    snprintf(name, sizeof name, "%u passes below 1 %%", count);
    report_line(r, name, small, judge_beyond(pairs, logs, r->common, 0));
}

static void report_sums(ab_report *r, double threshold)
{
    printf(
        "the device: x %.3f by its ceilings; all passes beyond that: x %.3f (%.3f to %.3f)  %s\n",
        r->device.ratio, r->all.ratio, r->all.low, r->all.high, verdict(r->all));
    printf("%u slower by more than %.3g %%, %u faster, %u unchanged", r->slower, 100 * threshold,
           r->faster, r->same);
    if (r->absent) printf(", %u missing", r->absent);
    printf("\n");
}

static weir_result write_json(const ab_report *r, const weir_log *log, const bench_options *options)
{
    json_t *json = json_pack("{s:s, s:i, s:s, s:s, s:s, s:i, s:f, s:o, s:o, s:O}", "schema",
                             "weir-bench-against", "schema_version", 1, "weir", weir_version(),
                             "baseline", options->against, "scene",
                             options->source.scene ? options->source.scene : "dam break", "rounds",
                             (int)r->pairs->rounds, "threshold", r->pairs->threshold, "device",
                             judgement_json("device", r->device), "all",
                             judgement_json("all passes", r->all), "passes", r->passes);
    return app_json_write(log, options->json, json);
}

weir_result bench_pairs_report(const bench_pairs *pairs, const weir_log *log,
                               const bench_options *options, int *status)
{
    ab_report r = {.pairs = pairs, .passes = json_array()};
    weir_result result = WEIR_OK;
    *status = APP_UNEQUAL;
    if (pairs->difference[0]) {
        printf("DIFFERENT WORK, times are not compared: %s\n", pairs->difference);
    } else {
        find_common(pairs, r.common);
        r.prior = find_prior(pairs, r.common);
        r.device = judge(pairs, pairs->device, 0);
        r.all = judge_beyond(pairs, r.common, pairs->device, 0);
        printf("%u rounds; mean times of a call in the baseline and here; ratio over that of all "
               "passes, 99 %% interval\n",
               pairs->rounds);
        report_passes(&r);
        report_sums(&r, pairs->threshold);
        *status = r.slower || r.all.sign > 0 ? APP_FAILED : r.absent ? APP_UNEQUAL : APP_DONE;
        if (options->json) result = write_json(&r, log, options);
    }
    json_decref(r.passes);
    return result;
}
