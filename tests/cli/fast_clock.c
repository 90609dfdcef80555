/* Preloaded into `weir` for tests: its clock runs FASTER times as fast as the system's. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

int clock_gettime(clockid_t clock, struct timespec *time)
{
    const char *faster = getenv("FASTER");
    int done = ((__typeof__(&clock_gettime))dlsym(RTLD_NEXT, "clock_gettime"))(clock, time);
    if (done != 0 || clock != CLOCK_MONOTONIC || !faster) return done;
    static long long start;
    long long now = time->tv_sec * 1000000000LL + time->tv_nsec;
    if (start == 0) start = now;
    now = start + (now - start) * atoi(faster);
    time->tv_sec = now / 1000000000LL;
    time->tv_nsec = now % 1000000000LL;
    return 0;
}
