/* Time, terminal, process and shared libraries on POSIX systems. */
#define _POSIX_C_SOURCE 200809L
#if defined(__APPLE__)
#define _DARWIN_C_SOURCE /* _SC_NPROCESSORS_ONLN */
#endif
#include "base.h"
#include "base_os.h"

#include <dlfcn.h>
#include <time.h>
#include <unistd.h>

static double read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double base_time_s(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double base_thread_cpu_time_s(void)
{
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

double base_process_cpu_time_s(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

void base_sleep(double seconds)
{
    struct timespec span = {.tv_sec = (time_t)seconds};
    span.tv_nsec = (long)((seconds - floor(seconds)) * 1e9);
    nanosleep(&span, NULL); /* an interrupt ends it early, as base.h promises */
}

void base_time_utc(char out[32])
{
    time_t now = time(NULL);
    struct tm parts;
    if (!gmtime_r(&now, &parts) || strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", &parts) == 0)
        memcpy(out, "1970-01-01T00:00:00Z", 21);
}

bool base_is_terminal(FILE *stream)
{
    return isatty(fileno(stream)) == 1;
}

void base_utf8_arguments(int *argc, char ***argv)
{
    (void)argc, (void)argv; /* the arguments are passed on as they were typed */
}

uint32_t base_cpu_count(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (uint32_t)count : 1;
}

uint32_t os_process_id(void)
{
    return (uint32_t)getpid();
}

void os_host_name(char name[128])
{
    if (gethostname(name, 128) != 0) snprintf(name, 128, "an unknown host");
    name[127] = '\0';
}

void *base_library_open(const char *const *names, size_t count)
{
    void *library = NULL;
    for (size_t i = 0; i < count && !library; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    return library;
}

const char *base_library_error(void)
{
    const char *words = dlerror();
    return words ? words : "it is not a module of Weir";
}

void *base_library_is_loaded(const char *name)
{
    return dlopen(name, RTLD_NOW | RTLD_NOLOAD);
}

void *base_library_symbol(void *library, const char *name)
{
    return library ? dlsym(library, name) : NULL;
}

void base_library_close(void *library)
{
    if (library) dlclose(library);
}
