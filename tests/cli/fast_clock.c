/* Preloaded into `weir` for tests: its clock goes on by STEP_MS milliseconds with each question and
 * not with the time, so that a busy machine changes nothing. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *time)
{
    static atomic_llong questions;
    const char *step = getenv("STEP_MS");
    int done = ((__typeof__(&clock_gettime))dlsym(RTLD_NEXT, "clock_gettime"))(clock, time);
    if (done != 0 || clock != CLOCK_MONOTONIC || !step) return done;
    long long now_ms = ++questions * atoi(step);
    time->tv_sec = now_ms / 1000;
    time->tv_nsec = now_ms % 1000 * 1000000;
    return 0;
}
