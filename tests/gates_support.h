/* Helpers for tests of the gates of weir validate. */
#ifndef WEIR_TESTS_GATES_SUPPORT_H
#define WEIR_TESTS_GATES_SUPPORT_H

#include "base.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

/* "name,check" prefixes of the gates that are known to fail; docs/validation.md explains why. */
static const char *const known_misses[] = {
    "walls,\"defaults: creep",
    "ellipse,\"lattice: short axis",
    "ellipse,\"lattice: area",
    "ellipse,\"settled start: short axis",
    "ellipse,\"settled start: area",
    "ellipse,\"PCISPH",
    "ellipse,\"WCSPH",
    "wcsph-wave,\"by WCSPH: its damping",
    "wcsph-dam,\"WCSPH, n2 = 1, a = 20 d: front, RMS",
    "wcsph-dam,\"WCSPH, n2 = 1, 2-D, a = 40 d: height",
    "wcsph-dam,\"WCSPH, n2 = 2, a = 20 d: front, RMS",
    "dam,\"n2 = 1, a = 20 d: front, RMS",
    "dam,\"n2 = 2, a = 12 d: front, RMS",
    "cube,\"PBF, d = 0.04 m: from 2.413 m",
    "rafts,\"FLIP, raft of 12 x 6 x 12 d, 900",
    "sinking,\"ball of 4 d",
};

static inline bool gate_is_known(const char *row)
{
    const char *name = strchr(row, ',');
    for (size_t i = 0; name && i < BASE_COUNT(known_misses); i++)
        if (strncmp(name + 1, known_misses[i], strlen(known_misses[i])) == 0) return true;
    return false;
}

/* Runs weir validate; fails with the gates that fail and are not known to. Returns how many
 * passed. */
static inline size_t hold_gates(const char *arguments)
{
    char folder[] = "/tmp/weir-gates-XXXXXX", command[400];
    assert_non_null(mkdtemp(folder));
    snprintf(command, sizeof command, "%s validate %s -q -o %s --csv %s/gates.csv >%s/said 2>&1",
             WEIR_PROGRAM, arguments, folder, folder, folder);
    assert_int_not_equal(system(command), -1);
    snprintf(command, sizeof command, "%s/gates.csv", folder);
    base_blob blob = {0};
    base_text text = {0};
    assert_int_equal(base_file_read(NULL, command, 1 << 22, &blob), WEIR_OK);
    assert_true(base_text_append_bytes(&text, blob.bytes, blob.size));
    size_t held = 0, missed = 0;
    for (char *row = strtok(text.items, "\n"); row; row = strtok(NULL, "\n")) {
        held += strstr(row, ",held,") != NULL;
        if (!strstr(row, ",MISSED,") || gate_is_known(row)) continue;
        print_error("  %s\n", row);
        missed++;
    }
    base_blob_free(&blob);
    base_free(text.items);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
    if (missed) fail_msg("%zu gates that held are missed", missed);
    return held;
}

#endif
