/* Time, terminal, process and shared libraries on Windows. */
#include "os_windows.h"

#include <fcntl.h>
#include <io.h>
#include <shellapi.h>

static double filetime_to_seconds(FILETIME time)
{
    return 1e-7 * (double)((uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime);
}

double base_time_s(void)
{
    LARGE_INTEGER now, rate;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&rate);
    int64_t whole = now.QuadPart / rate.QuadPart, rest = now.QuadPart % rate.QuadPart;
    return (double)whole + (double)rest / (double)rate.QuadPart;
}

double base_thread_cpu_time_s(void)
{
    FILETIME start, end, kernel = {0}, user = {0};
    GetThreadTimes(GetCurrentThread(), &start, &end, &kernel, &user);
    return filetime_to_seconds(kernel) + filetime_to_seconds(user);
}

double base_process_cpu_time_s(void)
{
    FILETIME start, end, kernel = {0}, user = {0};
    GetProcessTimes(GetCurrentProcess(), &start, &end, &kernel, &user);
    return filetime_to_seconds(kernel) + filetime_to_seconds(user);
}

void base_sleep(double seconds)
{
    /* This timer has steps of at most 0.5 ms; a plain Sleep has steps of up to 16 ms. */
    HANDLE timer =
        CreateWaitableTimerExW(NULL, NULL, CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, TIMER_ALL_ACCESS);
    LARGE_INTEGER span = {.QuadPart = -(LONGLONG)(seconds * 1e7)};
    if (timer && SetWaitableTimer(timer, &span, 0, NULL, NULL, FALSE))
        WaitForSingleObject(timer, INFINITE);
    else
        Sleep((DWORD)(seconds * 1e3));
    if (timer) CloseHandle(timer);
}

void base_time_utc(char out[32])
{
    SYSTEMTIME now;
    GetSystemTime(&now);
    snprintf(out, 32, "%04u-%02u-%02uT%02u:%02u:%02uZ", now.wYear, now.wMonth, now.wDay, now.wHour,
             now.wMinute, now.wSecond);
}

static HANDLE stream_handle(FILE *stream)
{
    int file = _fileno(stream);
    return file < 0 ? INVALID_HANDLE_VALUE : (HANDLE)_get_osfhandle(file);
}

bool base_is_terminal(FILE *stream)
{
    DWORD mode;
    return GetConsoleMode(stream_handle(stream), &mode);
}

uint32_t base_terminal_columns(FILE *stream)
{
    CONSOLE_SCREEN_BUFFER_INFO info;
    if (!GetConsoleScreenBufferInfo(stream_handle(stream), &info)) return 80;
    int columns = info.srWindow.Right - info.srWindow.Left + 1;
    return columns > 0 ? (uint32_t)columns : 80;
}

/* Sets the streams to UTF-8 text with bare LF line ends, for terminals and for pipes. */
void base_open_standard_streams(void)
{
    FILE *const streams[] = {stdout, stderr};
    for (size_t i = 0; i < BASE_COUNT(streams); i++) {
        DWORD mode;
        if (_fileno(streams[i]) >= 0) _setmode(_fileno(streams[i]), _O_BINARY);
        if (!GetConsoleMode(stream_handle(streams[i]), &mode)) continue;
        SetConsoleMode(stream_handle(streams[i]), mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
        SetConsoleOutputCP(CP_UTF8);
    }
}

/* Replaces main's own arguments, which have lost every letter that the system's legacy code page
 * lacks. */
void base_utf8_arguments(int *argc, char ***argv)
{
    int count = 0;
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), &count);
    char **words = wide ? base_alloc((size_t)count + 1, sizeof *words) : NULL;
    bool good = words != NULL && count > 0;
    for (int i = 0; good && i < count; i++)
        good = (words[i] = os_utf16_to_utf8(wide[i])) != NULL;
    LocalFree((HLOCAL)wide);
    if (!good) return;
    *argc = count;
    *argv = words;
}

uint32_t base_cpu_count(void)
{
    DWORD count = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    return count > 0 ? (uint32_t)count : 1;
}

uint32_t os_process_id(void)
{
    return (uint32_t)GetCurrentProcessId();
}

void os_host_name(char name[128])
{
    wchar_t wide[128];
    DWORD size = BASE_COUNT(wide);
    char *text = GetComputerNameW(wide, &size) ? os_utf16_to_utf8(wide) : NULL;
    snprintf(name, 128, "%s", text ? text : "an unknown host");
    base_free(text);
}

/* Loads a library, but never from the current folder, which anybody may be able to write to. */
void *base_library_open(const char *const *names, size_t count)
{
    HMODULE library = NULL;
    for (size_t i = 0; i < count && !library; i++) {
        wchar_t *wide = os_utf8_to_utf16(names[i]);
        if (wide) library = LoadLibraryExW(wide, NULL, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS);
        free(wide);
    }
    return library;
}

const char *base_library_error(void)
{
    return "it was not found";
}

void *base_library_is_loaded(const char *name)
{
    wchar_t *wide = os_utf8_to_utf16(name);
    HMODULE library = NULL;
    if (wide && !GetModuleHandleExW(0, wide, &library)) library = NULL;
    free(wide);
    return library;
}

void *base_library_symbol(void *library, const char *name)
{
    FARPROC found = library ? GetProcAddress(library, name) : NULL;
    void *symbol = NULL;
    memcpy(&symbol, &found, sizeof symbol);
    return symbol;
}

void base_library_close(void *library)
{
    if (library) FreeLibrary(library);
}
