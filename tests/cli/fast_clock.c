/* Preloaded into `weir` for tests: its clock goes on by STEP_MS milliseconds with each question and
 * not with the time, so that a busy machine changes nothing; and by RENAME_MS with each file that
 * is written whole, which gets its name at the end. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static atomic_llong now_ms;

int rename(const char *from, const char *to)
{
    const char *slow = getenv("RENAME_MS");
    if (slow) now_ms += atoi(slow);
    return ((__typeof__(&rename))dlsym(RTLD_NEXT, "rename"))(from, to);
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
    const char *step = getenv("STEP_MS");
    int done = ((__typeof__(&clock_gettime))dlsym(RTLD_NEXT, "clock_gettime"))(clock, time);
    if (done != 0 || clock != CLOCK_MONOTONIC || !step) return done;
    long long added = atoi(step), now = atomic_fetch_add(&now_ms, added) + added;
    time->tv_sec = now / 1000;
    time->tv_nsec = now % 1000 * 1000000;
    return 0;
}
