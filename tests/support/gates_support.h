/* Runs gates of tests/validation as tests. Without validation, which would check the pipelines of
 * the hundreds of simulations that a gate creates. */
#ifndef WEIR_TESTS_GATES_SUPPORT_H
#define WEIR_TESTS_GATES_SUPPORT_H

#include "validate_internal.h"
#include "validation.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* "name,check" prefixes of the gates that are known to fail; docs/validation.md explains why. */
static const char *const known_misses[] = {
    "walls,defaults: mean tangential speed",
    "ellipse,lattice, h = 2.4 d, R = 60 d: area",
    "ellipse,PCISPH, lattice",
    "ellipse,WCSPH, lattice",
    "wcsph-wave,standing wave, WCSPH, depth 28 d: damping",
    "wcsph-dam,WCSPH, n2 = 1, a = 20 d: front position, RMS",
    "wcsph-dam,WCSPH, n2 = 1, 2-D, a = 40 d: height",
    "wcsph-dam,WCSPH, n2 = 2, a = 20 d: front position, RMS",
    "dam,n2 = 1, a = 20 d: front position, RMS",
    "dam,n2 = 2, a = 12 d: front position, RMS",
    "rafts,FLIP, raft of 12 x 6 x 12 d, 900",
    "sinking,ball of diameter 4 d",
};

static bool miss_is_known(const validate_check *check)
{
    char row[256];
    snprintf(row, sizeof row, "%s,%s", check->gate_case->name, check->what);
    for (size_t i = 0; i < BASE_COUNT(known_misses); i++)
        if (strncmp(row, known_misses[i], strlen(known_misses[i])) == 0) return true;
    return false;
}

static validate gates;
static char gates_folder[32];

static int open_gates(void **state)
{
    weir_device_def def = test_device_def();
    snprintf(gates_folder, sizeof gates_folder, "/tmp/weir-gates-XXXXXX");
    gates.folder = mkdtemp(gates_folder);
    if (!gates.folder) return -1;
    return weir_device_create(&def, &gates.device) == WEIR_OK ? 0 : -1;
}

static int close_gates(void **state)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf %s", gates_folder);
    validate_free(&gates);
    weir_device_destroy(&gates.device);
    return system(command) != 0 ? -1 : 0;
}

/* The test of a case, which is its state: every check holds but the known misses. */
static void gate_holds(void **state)
{
    uint32_t missed = 0;
    size_t first = gates.checks.count;
    assert_int_equal(validate_run_case(&gates, *state), WEIR_OK);
    assert_true(gates.checks.count > first);
    for (size_t i = first; i < gates.checks.count; i++) {
        const validate_check *check = &gates.checks.items[i];
        if (check->passed || miss_is_known(check)) continue;
        print_error("  missed: %s, %.6g\n", check->what, check->got);
        missed++;
    }
    assert_int_equal(missed, 0);
}

#define GATES_MAX 64u

/* Runs the tests of the cases in `names`, and with `quick` of all in the quick tier, at a size. */
static int run_gates(const char *group, enum validate_size size, bool quick,
                     const char *const *names, size_t name_count)
{
    struct CMUnitTest tests[GATES_MAX];
    size_t count = 0;
    gates.size = size;
    for (size_t i = 0; i < validate_case_count && count < GATES_MAX; i++) {
        const validate_case *c = &validate_cases[i];
        bool wanted = quick && c->tier == VALIDATE_QUICK;
        for (size_t n = 0; n < name_count; n++)
            wanted |= strcmp(c->name, names[n]) == 0;
        if (wanted)
            tests[count++] =
                (struct CMUnitTest){c->name, gate_holds, NULL, NULL, (void *)(uintptr_t)c};
    }
    return _cmocka_run_group_tests(group, tests, count, open_gates, close_gates);
}

#endif
