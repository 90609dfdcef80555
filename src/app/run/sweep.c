/* --sweep: the runs of every combination of values, their folders, and the commands of each. */
#include "run_internal.h"

#define SWEEP_MAX_RUNS 10000u

/* Returns the end of the value at `at`: the next comma outside brackets and quotes. */
static const char *find_value_end(const char *at)
{
    int depth = 0;
    bool quoted = false;
    for (; *at; ++at) {
        if (*at == '"') quoted = !quoted;
        if (quoted) continue;
        depth += *at == '[' || *at == '{';
        depth -= *at == ']' || *at == '}';
        if (*at == ',' && depth == 0) break;
    }
    return at;
}

static bool fail(const char *words, const char *text)
{
    fprintf(stderr, "weir: --sweep: \"%s\" %s\n", text, words);
    return false;
}

static bool fail_memory(void)
{
    fprintf(stderr, "weir: --sweep: out of memory\n");
    return false;
}

/* Parses "key=a,b,c" into settings "key=a", "key=b", "key=c". */
static bool parse_axis(const char *text, sweep_axis *axis)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1]) return fail("is not of the form KEY=A,B,C", text);
    axis->key_length = (size_t)(equals - text);
    for (const char *at = equals + 1, *end; at; at = *end ? end + 1 : NULL) {
        end = find_value_end(at);
        if (end == at) return fail("has an empty value", text);
        char *setting = base_format("%.*s=%.*s", (int)axis->key_length, text, (int)(end - at), at);
        if (setting && BASE_ARRAY_PUSH(&axis->settings, setting)) continue;
        base_free(setting);
        return fail_memory();
    }
    return true;
}

/* Returns whether an axis before this one has the same key. */
static bool is_repeated(const sweep *s, size_t axis)
{
    const sweep_axis *own = &s->axes[axis];
    for (size_t i = 0; i < axis; ++i)
        if (s->axes[i].key_length == own->key_length &&
            strncmp(s->axes[i].settings.items[0], own->settings.items[0], own->key_length) == 0)
            return true;
    return false;
}

/* Returns the settings joined by `separator`; with `safe`, characters that are invalid in file
 * names are replaced. Release with base_free. */
static char *join_settings(const sweep *s, const sweep_run *run, char separator, bool safe)
{
    base_text text = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < s->axis_count; ++i) {
        if (i > 0) ok = base_text_append(&text, "%c", separator);
        for (const char *c = run->settings[i]; ok && *c; ++c)
            ok = base_text_append(&text, "%c", safe && strchr("/\\:*?\"<>| [],{}", *c) ? '_' : *c);
    }
    if (ok) return text.items;
    base_free(text.items);
    return NULL;
}

/* Adds the run of a combination. The values of the last sweep vary fastest. */
static bool add_run(sweep *s, const char *folder, size_t number)
{
    sweep_run run = {.seconds = -1.0};
    for (size_t i = s->axis_count; i-- > 0; number /= s->axes[i].settings.count)
        run.settings[i] = s->axes[i].settings.items[number % s->axes[i].settings.count];
    char *name = join_settings(s, &run, ',', true);
    run.label = join_settings(s, &run, ' ', false);
    run.folder = name ? base_path_join(folder, name) : NULL;
    base_free(name);
    if (run.label && run.folder && BASE_ARRAY_PUSH(&s->runs, run)) return true;
    base_free(run.label);
    base_free(run.folder);
    return fail_memory();
}

bool sweep_parse(const args_list *texts, const char *folder, sweep *s)
{
    size_t count = 1;
    if (texts->count > SWEEP_MAX_AXES) {
        fprintf(stderr, "weir: --sweep is given %u times, at most %u are possible\n", texts->count,
                SWEEP_MAX_AXES);
        return false;
    }
    for (uint32_t i = 0; i < texts->count; ++i) {
        s->axis_count = i + 1;
        if (!parse_axis(texts->items[i], &s->axes[i])) return false;
        if (is_repeated(s, i)) return fail("repeats a key of another --sweep", texts->items[i]);
        count *= s->axes[i].settings.count;
        if (count > SWEEP_MAX_RUNS) {
            fprintf(stderr, "weir: --sweep: more than %u runs\n", SWEEP_MAX_RUNS);
            return false;
        }
    }
    for (size_t number = 0; number < count; ++number)
        if (!add_run(s, folder, number)) return false;
    return true;
}

void sweep_free(sweep *s)
{
    for (size_t i = 0; i < s->runs.count; ++i) {
        base_free(s->runs.items[i].label);
        base_free(s->runs.items[i].folder);
    }
    BASE_ARRAY_FREE(&s->runs);
    for (size_t i = 0; i < s->axis_count; ++i) {
        for (size_t k = 0; k < s->axes[i].settings.count; ++k)
            base_free(s->axes[i].settings.items[k]);
        BASE_ARRAY_FREE(&s->axes[i].settings);
    }
}

/* Prints a word so that a POSIX shell reads it as it is. */
static void print_word(const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=./,:%@";
    if (*word && strspn(word, plain) == strlen(word)) {
        printf(" %s", word);
        return;
    }
    printf(" '");
    for (; *word; ++word)
        if (*word == '\'')
            printf("'\\''");
        else
            putchar(*word);
    putchar('\'');
}

void sweep_list(const sweep *s, int argc, char *const *argv)
{
    for (size_t number = 0; number < s->runs.count; ++number) {
        printf("weir run");
        for (int i = 0; i < argc; ++i)
            if (strcmp(argv[i], "--list") != 0) print_word(argv[i]);
        printf(" --only %zu\n", number);
    }
}
