/* Preloaded into `weir` for tests: replaces its clock, which advances by STEP_MS milliseconds
   per query instead of with real time, so that a busy machine changes little; by FRAME_MS per
   line of stats.csv, which a frame writes, so that it changes nothing; and by RENAME_MS per file
   that is written as a whole and then renamed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static atomic_llong now_ms;

int rename(const char *from, const char *to)
{
    const char *slow = getenv("RENAME_MS");
    if (slow) now_ms += atoi(slow);
    return ((__typeof__(&rename))dlsym(RTLD_NEXT, "rename"))(from, to);
}

static int is_table(int file)
{
    char link[64], path[512];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = '\0';
    const char *name = strrchr(path, '/');
    return name && strcmp(name, "/stats.csv") == 0;
}

ssize_t write(int file, const void *bytes, size_t size)
{
    const char *frame = getenv("FRAME_MS");
    if (frame && is_table(file)) now_ms += atoi(frame);
    return ((__typeof__(&write))dlsym(RTLD_NEXT, "write"))(file, bytes, size);
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
