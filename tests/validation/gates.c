/* The table of the gates, and the running of one. */
#include "validate_internal.h"

const validate_case validate_cases[] = {
#define CASE(level, name, tier, run, about) {level, name, VALIDATE_##tier, run, about},
#include "cases.def"
#undef CASE
};
const size_t validate_case_count = BASE_COUNT(validate_cases);

const char *validate_verdict(const validate_check *check)
{
    return check->rule == VALIDATE_REPORT ? "reported" : check->passed ? "held" : "MISSED";
}

static void print_expected(char text[64], const validate_check *check)
{
    text[0] = '\0';
    if (check->rule == VALIDATE_WITHIN)
        snprintf(text, 64, "%.5g +- %.3g", check->expected, check->tolerance);
    if (check->rule == VALIDATE_AT_MOST) snprintf(text, 64, "at most %.3g", check->expected);
}

static void print_checks(const validate *v, size_t first)
{
    for (size_t i = first; i < v->checks.count; ++i) {
        const validate_check *check = &v->checks.items[i];
        char expected[64];
        print_expected(expected, check);
        printf("%-4s%-19s %-80s %11.5g   %-22s %s\n", check->gate_case->gate,
               check->gate_case->name, check->what, check->got, expected, validate_verdict(check));
    }
    fflush(stdout);
}

/* Returns the result with which the case broke off, or WEIR_OK. */
static weir_result run_to_end(validate *v, const validate_case *c)
{
    int result = setjmp(v->broken_off);
    if (result == 0) c->run(v);
    return (weir_result)result;
}

weir_result validate_run_case(validate *v, const validate_case *c)
{
    size_t first = v->checks.count;
    double start = base_time_s();
    v->running = c;
    base_log(&v->log, WEIR_LOG_INFO, "%s %s: %s", c->gate, c->name, c->about);
    weir_result result = run_to_end(v, c);
    while (v->worlds.count)
        validate_close(v->worlds.items[0]);
    BASE_ARRAY_FREE(&v->x);
    BASE_ARRAY_FREE(&v->v);
    BASE_ARRAY_FREE(&v->table);
    print_checks(v, first);
    base_log(&v->log, WEIR_LOG_INFO, "%s %s took %.1f s", c->gate, c->name, base_time_s() - start);
    if (result != WEIR_OK && !base_interrupted())
        base_log(&v->log, WEIR_LOG_ERROR, "%s %s broke off: %s", c->gate, c->name,
                 weir_result_name(result));
    return result;
}

void validate_free(validate *v)
{
    for (size_t i = 0; i < v->checks.count; ++i)
        base_free(v->checks.items[i].what);
    for (size_t i = 0; i < v->setups.count; ++i)
        base_free(v->setups.items[i].text);
    BASE_ARRAY_FREE(&v->checks);
    BASE_ARRAY_FREE(&v->setups);
    BASE_ARRAY_FREE(&v->worlds);
}
