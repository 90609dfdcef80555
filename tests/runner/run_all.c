/* The kernel tests as one program, for a machine with a GPU but without a compiler. Each test runs
 * in its own process, so that a crash or hang ends only that test. */
#define _POSIX_C_SOURCE 200809L
#include "test_table.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define HANG_S 600 /* ten times the duration of the slowest test on a CPU driver */
#define SKIPPED 77

static const char usage[] =
    "Usage: weir_kernel_tests [--device NAME] [--list] [--help] [TEST...]\n"
    "\n"
    "Runs the tests of Weir's kernels, all or those named, from a folder that holds tests/data "
    "and\n"
    "tests/scenes. Each compares what the device computes with a reference in C.\n"
    "\n"
    "  --device NAME  the device, by number or part of its name (weir info)\n"
    "  --list         the tests' names\n"
    "\n"
    "Exit status: 0 all passed, 1 a test failed, 2 wrong use.\n"
    "Example: weir_kernel_tests --device nvidia test_sim_kernels\n";

/* Runs one test; returns its exit status, or 128 plus the signal that ended it, like a shell. */
static int run_alone(size_t test)
{
    fflush(NULL);
    pid_t child = fork();
    if (child < 0) {
        perror("weir_kernel_tests: no new process");
        return 1;
    }
    if (child == 0) {
        alarm(HANG_S);
        char *words[] = {(char *)tests[test].name, NULL};
        exit(run_test(test, 1, words));
    }
    int status;
    if (waitpid(child, &status, 0) != child) return 1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Runs the chosen tests; prints a line for each and a summary. */
static int run_tests(const bool *chosen)
{
    unsigned passed = 0, failed = 0, skipped = 0;
    for (size_t i = 0; i < TEST_COUNT; i++) {
        if (!chosen[i]) continue;
        int status = run_alone(i);
        if (status == 0) {
            printf("passed: %s\n", tests[i].name);
            passed++;
        } else if (status == SKIPPED) {
            printf("skipped: %s\n", tests[i].name);
            skipped++;
        } else if (status == 128 + SIGALRM) {
            printf("FAILED: %s, stopped after %d s\n", tests[i].name, HANG_S);
            failed++;
        } else {
            printf("FAILED: %s, status %d\n", tests[i].name, status);
            failed++;
        }
    }
    printf("%u passed, %u failed, %u skipped\n", passed, failed, skipped);
    return failed > 0;
}

static int wrong(const char *what, const char *word)
{
    fprintf(stderr, "weir_kernel_tests: %s %s; try weir_kernel_tests --help\n", what, word);
    return 2;
}

int main(int count, char **words)
{
    bool chosen[TEST_COUNT] = {false}, some = false;
    for (int w = 1; w < count; w++) {
        size_t i = 0;
        if (!strcmp(words[w], "--help") || !strcmp(words[w], "-h")) {
            fputs(usage, stdout);
            return 0;
        } else if (!strcmp(words[w], "--list")) {
            for (i = 0; i < TEST_COUNT; i++)
                puts(tests[i].name);
            return 0;
        } else if (!strcmp(words[w], "--device")) {
            if (++w == count) return wrong("no name after", "--device");
            if (setenv("WEIR_TEST_DEVICE", words[w], 1) != 0) return 1;
        } else if (words[w][0] == '-') {
            return wrong("unknown option", words[w]);
        } else {
            while (i < TEST_COUNT && strcmp(words[w], tests[i].name))
                i++;
            if (i == TEST_COUNT) return wrong("no test", words[w]);
            chosen[i] = some = true;
        }
    }
    for (size_t i = 0; i < TEST_COUNT && !some; i++)
        chosen[i] = true;
    return run_tests(chosen);
}
