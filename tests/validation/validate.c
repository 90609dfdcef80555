/* weir_validate: compares the physics with theory and experiment through the public API.
 * tools/validate builds and runs it. */
#include "app.h"
#include "validate_internal.h"

#include <jansson.h>

typedef struct validate_options {
    args_words gates;
    const char *folder, *csv, *json, *device;
    bool quick, all, list, help, quiet, validation;
} validate_options;

/* ---- command line --------------------------------------------------------------------------- */

static const char help[] =
    "Usage: tools/validate [GATE ...] [options]\n"
    "\n"
    "Runs small scenes whose results are known from theory or experiment, and prints the errors\n"
    "of the simulation. GATE is a level (G0 to G11, or F2 to F6 for the paper's figures) or a\n"
    "name. Without GATE, all gates except the long ones run.\n"
    "\n"
    "  --quick            only the quick gates, at their smallest size: a minute on two cores\n"
    "  --all              all gates, including the long ones\n"
    "  --list             list the gates and exit\n"
    "  -o, --output DIR   folder for initial particles and tables for plots; default out/validate\n"
    "  --csv FILE         write the checks as CSV\n"
    "  --json FILE        write the checks as JSON, with driver and date\n"
    "  --device NAME      number of the device or part of its name (see weir info)\n"
    "  --validation       check every Vulkan call; any message is a failure\n"
    "  -q, --quiet        print the checks only\n"
    "\n"
    "A check outside its tolerance is printed as MISSED, and the exit status is then 1. After\n"
    "wrong usage it is 2. docs/validation.md shows the results with charts.\n"
    "\n"
    "Examples:\n"
    "  tools/validate --quick\n"
    "  tools/validate response hydrostatic --csv gates.csv\n"
    "  tools/validate G5 --device llvmpipe -o out/drops\n";

/* Reads the option at *at and moves to the value if it has one; false if there is no such option or
   its value is missing. */
static bool read_option(validate_options *o, char ***at)
{
    const struct {
        const char *name, *letter;
        bool *flag;
        const char **text;
    } options[] = {
        {"--quick", "", &o->quick, NULL},     {"--all", "", &o->all, NULL},
        {"--list", "", &o->list, NULL},       {"--help", "-h", &o->help, NULL},
        {"--quiet", "-q", &o->quiet, NULL},   {"--validation", "", &o->validation, NULL},
        {"--output", "-o", NULL, &o->folder}, {"--csv", "", NULL, &o->csv},
        {"--json", "", NULL, &o->json},       {"--device", "", NULL, &o->device},
    };
    char **word = *at;
    for (size_t i = 0; i < BASE_COUNT(options); ++i) {
        if (strcmp(*word, options[i].name) != 0 && strcmp(*word, options[i].letter) != 0) continue;
        if (options[i].flag) *options[i].flag = true;
        if (options[i].text) *options[i].text = *++*at;
        return options[i].flag || **at;
    }
    return false;
}

static bool read_options(validate_options *o, char **argv)
{
    o->gates.items = argv;
    for (char **word = argv; *word; ++word) {
        if ((*word)[0] != '-') {
            argv[o->gates.count++] = *word; /* never ahead of `word` */
            continue;
        }
        const char *name = *word;
        if (read_option(o, &word)) continue;
        fprintf(stderr, "validate: %s is not an option, or its value is missing; try --help\n",
                name);
        return false;
    }
    return true;
}

/* ---- selection of cases --------------------------------------------------------------------- */

#define VALIDATE_CASES_MAX 64

static bool is_named(const args_words *words, const validate_case *c)
{
    for (uint32_t i = 0; i < words->count; ++i)
        if (strcmp(words->items[i], c->gate) == 0 || strcmp(words->items[i], c->name) == 0)
            return true;
    return false;
}

static bool is_wanted(const validate_options *options, const validate_case *c)
{
    if (options->gates.count) return is_named(&options->gates, c);
    return options->all || (int)c->tier <= (options->quick ? VALIDATE_QUICK : VALIDATE_FULL);
}

static bool gates_are_known(const args_words *words)
{
    const char *names[2 * VALIDATE_CASES_MAX];
    size_t count = 0;
    WEIR_ASSERT(validate_case_count <= VALIDATE_CASES_MAX);
    for (size_t i = 0; i < validate_case_count; ++i) {
        names[count++] = validate_cases[i].gate;
        names[count++] = validate_cases[i].name;
    }
    for (uint32_t w = 0; w < words->count; ++w) {
        bool known = false;
        for (size_t i = 0; i < count && !known; ++i)
            known = strcmp(words->items[w], names[i]) == 0;
        if (known) continue;
        const char *near = base_nearest_name(words->items[w], names, count);
        fprintf(stderr, "validate: there is no gate \"%s\"", words->items[w]);
        if (near) fprintf(stderr, "; did you mean \"%s\"?", near);
        fprintf(stderr, "\nvalidate: --list lists the gates\n");
        return false;
    }
    return true;
}

static void print_list(void)
{
    static const char *const tiers[] = {"--quick", "", "--all"};
    for (size_t i = 0; i < validate_case_count; ++i)
        printf("%-4s%-20s%-9s%s\n", validate_cases[i].gate, validate_cases[i].name,
               tiers[validate_cases[i].tier], validate_cases[i].about);
}

/* ---- results -------------------------------------------------------------------------------- */

static const char *const rules[] = {"within", "at most", "report"};

static weir_result write_csv(const validate *v, const char *path)
{
    base_text text = {0};
    bool ok =
        base_text_append(&text, "gate,name,check,got,expected,tolerance,rule,verdict,again\n");
    for (size_t i = 0; ok && i < v->checks.count; ++i) {
        const validate_check *c = &v->checks.items[i];
        ok = base_text_append(&text, "%s,%s,", c->gate_case->gate, c->gate_case->name) &&
             app_csv_append_quoted(&text, c->what) &&
             base_text_append(&text, ",%.9g,%.9g,%.9g,%s,%s,tools/validate %s\n", c->got,
                              c->expected, c->tolerance, rules[c->rule], validate_verdict(c),
                              c->gate_case->name);
    }
    weir_result result =
        ok ? base_file_write(&v->log, path, text.items, text.count) : WEIR_ERROR_MEMORY;
    base_free(text.items);
    return result;
}

static json_t *json_of(const validate_check *c)
{
    return json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:s, s:s}", "gate", c->gate_case->gate, "name",
                     c->gate_case->name, "check", c->what, "got", app_json_number(c->got),
                     "expected", app_json_number(c->expected), "tolerance",
                     app_json_number(c->tolerance), "rule", rules[c->rule], "verdict",
                     validate_verdict(c));
}

static weir_result write_json(const validate *v, const char *path)
{
    char date[32];
    weir_device_info info;
    json_t *checks = json_array(), *setups = json_array();
    weir_device_get_info(v->device, &info);
    base_time_utc(date);
    for (size_t i = 0; i < v->checks.count; ++i)
        checks = app_json_append(checks, json_of(&v->checks.items[i]));
    for (size_t i = 0; i < v->setups.count; ++i)
        setups = app_json_append(setups,
                                 json_pack("{s:s, s:s}", "name", v->setups.items[i].gate_case->name,
                                           "setup", v->setups.items[i].text));
    json_t *all =
        json_pack("{s:s, s:s, s:s, s:s, s:o, s:o}", "weir", weir_version(), "date", date, "device",
                  info.name, "driver", info.driver, "checks", checks, "setups", setups);
    return app_json_write(&v->log, path, all);
}

/* ---- running -------------------------------------------------------------------------------- */

static uint32_t count_missed(const validate *v)
{
    uint32_t missed = 0;
    for (size_t i = 0; i < v->checks.count; ++i)
        missed += !v->checks.items[i].passed;
    return missed;
}

static weir_result run_all(validate *v, const validate_options *options)
{
    weir_result result = WEIR_OK, first = WEIR_OK;
    for (size_t i = 0; i < validate_case_count && !base_interrupted(); ++i) {
        if (!is_wanted(options, &validate_cases[i])) continue;
        result = validate_run_case(v, &validate_cases[i]);
        if (first == WEIR_OK) first = result;
    }
    if (options->csv) WEIR_GOTO_IF_ERROR(write_csv(v, options->csv));
    if (options->json) WEIR_GOTO_IF_ERROR(write_json(v, options->json));
    result = first;
fail:
    return result;
}

static weir_result open_device(validate *v, const validate_options *options)
{
    weir_device_def def = weir_device_def_default();
    def.log = v->log;
    def.device = options->device;
    def.validation = def.shader_validation = options->validation;
    if (!def.validation) def.log.level = WEIR_LOG_ERROR; /* gates exceed limits on purpose */
    return weir_device_create(&def, &v->device);
}

/* Returns the exit status. */
static int finish(validate *v, weir_result result)
{
    uint32_t complaints = v->device ? weir_device_validation_count(v->device) : 0;
    bool stopped = base_interrupted();
    if (complaints) base_log(&v->log, WEIR_LOG_ERROR, "%u validation messages", complaints);
    if (stopped) base_log(&v->log, WEIR_LOG_ERROR, "stopped by a signal before all was done");
    bool done = result == WEIR_OK && !complaints && !stopped && count_missed(v) == 0;
    validate_free(v);
    weir_device_destroy(&v->device);
    return app_output_close() && done ? APP_DONE : APP_FAILED;
}

static int run_gates(const validate_options *options)
{
    validate v = {.log = app_log(options->quiet),
                  .size = options->quick ? VALIDATE_SMALL : VALIDATE_WHOLE};
    double start = base_time_s();
    char *folder = base_path_absolute(options->folder);
    weir_result result = WEIR_ERROR_MEMORY;
    base_interrupt_install();
    if (!folder) goto fail;
    v.folder = folder;
    WEIR_GOTO_IF_ERROR(base_folder_make(&v.log, folder));
    WEIR_GOTO_IF_ERROR(open_device(&v, options));
    result = run_all(&v, options);
    printf("%zu check%s, %u missed, %.0f s; tables in %s\n", v.checks.count,
           base_plural(v.checks.count), count_missed(&v), base_time_s() - start, options->folder);
fail:
    base_free(folder);
    return finish(&v, result);
}

int main(int argc, char **argv)
{
    validate_options o = {.folder = "out/validate"};
    if (argc < 1 || !read_options(&o, argv + 1)) return APP_WRONG_USE;
    if (o.help) printf("%s", help);
    if (o.list) print_list();
    if (o.help || o.list) return app_output_close() ? APP_DONE : APP_FAILED;
    return gates_are_known(&o.gates) ? run_gates(&o) : APP_WRONG_USE;
}
