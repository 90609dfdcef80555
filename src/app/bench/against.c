/* weir bench --against: an A/B comparison of two programs that run in turn, so that both meet the
 * same moments of a busy machine. A round runs the baseline, this program twice, and the baseline
 * again, which cancels a steady drift. paired.c judges the rounds. */
#include "bench_internal.h"

#include <jansson.h>

typedef struct ab_side {
    const char *program;
    char *file; /* its measurement */
    base_text said;
} ab_side;

typedef struct ab_run {
    weir_log log;
    const bench_options *options;
    ab_side sides[2]; /* the baseline, this program */
    char number[4][32];
    const char *words[ARGS_LIST_MAX * 2 + 24];
    uint32_t word_count;
} ab_run;

/* ---- one measurement ------------------------------------------------------------------------ */

static void add_word(ab_run *d, const char *word)
{
    WEIR_ASSERT(d->word_count + 1 < BASE_COUNT(d->words));
    d->words[d->word_count++] = word;
    d->words[d->word_count] = NULL;
}

static void add_option(ab_run *d, const char *option, const char *value)
{
    add_word(d, option);
    add_word(d, value);
}

/* Fills the command line of a side. */
static void fill_words(ab_run *d, const ab_side *s)
{
    const bench_options *o = d->options;
    d->word_count = 0;
    add_word(d, s->program);
    add_word(d, "bench");
    if (o->source.scene) add_word(d, o->source.scene);
    snprintf(d->number[0], sizeof d->number[0], "%u", o->substeps);
    snprintf(d->number[1], sizeof d->number[1], "%u", o->warm_up);
    snprintf(d->number[2], sizeof d->number[2], "%.6g", o->seconds);
    add_option(d, "--substeps", d->number[0]);
    add_option(d, "--warm-up", d->number[1]);
    add_option(d, "--seconds", d->number[2]);
    for (uint32_t i = 0; i < o->source.set.count; i++)
        add_option(d, "--set", o->source.set.items[i]);
    if (o->source.device) add_option(d, "--device", o->source.device);
    if (o->serialize) add_word(d, "--serialize");
    add_word(d, "--quiet");
    add_option(d, "--json", s->file);
}

/* Runs a side once. *json receives its measurement. */
static weir_result measure(ab_run *d, ab_side *s, json_t **json)
{
    int status = 0;
    fill_words(d, s);
    s->said.count = 0;
    WEIR_RETURN_IF_ERROR(base_process_capture(&d->log, d->words, &s->said, &status));
    if (status != 0) {
        if (s->said.items) fputs(s->said.items, stderr);
        return base_fail(&d->log, WEIR_ERROR_IO, "%s bench ended with status %d", s->program,
                         status);
    }
    return bench_load_report(&d->log, s->file, json);
}

/* ---- rounds --------------------------------------------------------------------------------- */

static weir_result measure_round(ab_run *d, bench_pairs *pairs)
{
    static const uint32_t order[4] = {0, 1, 1, 0};
    json_t *measured[4] = {NULL};
    weir_result result = WEIR_OK;
    for (uint32_t i = 0; i < 4 && result == WEIR_OK && !base_interrupted(); i++)
        result = measure(d, &d->sides[order[i]], &measured[i]);
    if (result == WEIR_OK && measured[3])
        result = bench_pairs_add(pairs, &d->log, (const json_t *const *)measured);
    for (uint32_t i = 0; i < 4; i++)
        json_decref(measured[i]);
    return result;
}

static weir_result run_rounds(ab_run *d, bench_pairs *pairs)
{
    const uint32_t rounds = d->options->rounds;
    for (uint32_t i = 0; i < rounds && !base_interrupted(); i++) {
        double start_s = base_time_s();
        WEIR_RETURN_IF_ERROR(measure_round(d, pairs));
        if (pairs->difference[0]) return WEIR_OK;
        base_log(&d->log, WEIR_LOG_INFO, "round %u of %u: %.1f s", i + 1, rounds,
                 base_time_s() - start_s);
    }
    return WEIR_OK;
}

/* Names the file of a side's measurements, in the user's cache folder if there is one. */
static weir_result name_file(ab_run *d, ab_side *s, const char *name)
{
    char file[64];
    char *folder = base_cache_folder();
    weir_result result = WEIR_OK;
    snprintf(file, sizeof file, "bench-%llx-%s.json", (unsigned long long)(base_time_s() * 1e6),
             name);
    if (folder) result = base_folder_make(&d->log, folder);
    s->file = result == WEIR_OK ? base_path_join(folder ? folder : "", file) : NULL;
    base_free(folder);
    if (result == WEIR_OK && !s->file)
        result = base_fail(&d->log, WEIR_ERROR_MEMORY, "not enough memory for a path");
    return result;
}

static void close_sides(ab_run *d)
{
    for (uint32_t i = 0; i < 2; i++) {
        ab_side *s = &d->sides[i];
        if (s->file) (void)base_file_remove(NULL, s->file);
        base_free(s->file);
        base_free(s->said.items);
    }
}

int bench_against(const bench_options *options)
{
    weir_result result;
    ab_run d = {.log = app_log(options->source.quiet), .options = options};
    bench_pairs pairs = {.threshold = options->threshold / 100};
    d.sides[0].program = options->against;
    d.sides[1].program = app_program;
    int status = APP_FAILED;
    WEIR_GOTO_IF_ERROR(name_file(&d, &d.sides[0], "baseline"));
    WEIR_GOTO_IF_ERROR(name_file(&d, &d.sides[1], "this"));
    WEIR_GOTO_IF_ERROR(run_rounds(&d, &pairs));
    if (pairs.rounds > 0 || pairs.difference[0])
        WEIR_GOTO_IF_ERROR(bench_pairs_report(&pairs, &d.log, options, &status));
    if (base_interrupted()) status = app_complete_status(&d.log, NULL, WEIR_OK, APP_FAILED);
fail:
    close_sides(&d);
    bench_pairs_free(&pairs);
    return result == WEIR_OK ? status : APP_FAILED;
}
