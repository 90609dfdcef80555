/* Other programs, fed or heard through a pipe, on Windows. */
#include "os_windows.h"

enum { STREAMS = 3, PATH_LONGEST = 32768 };

struct base_process {
    weir_log log;
    const char *name;
    HANDLE handle;
    HANDLE input; /* the end that we write to */
};

static weir_result fail(const base_process *process, int error, const char *what)
{
    char text[128];
    os_error_text(error, text);
    return base_fail(&process->log, WEIR_IO, "%s: %s: %s", process->name, what, text);
}

/* ---- the command line ------------------------------------------------------------------------ */

/* A word as the C runtime of the program reads it back: backslashes count only before a quote. */
static bool append_word(base_text *line, const char *word)
{
    bool good = base_text_append(line, "%s\"", line->count ? " " : "");
    size_t slashes = 0;
    for (const char *p = word; good && *p; p++) {
        size_t more = *p == '"' ? slashes + 1 : 0;
        slashes = *p == '\\' ? slashes + 1 : 0;
        while (good && more--)
            good = base_text_append(line, "\\");
        good = good && base_text_bytes(line, p, 1);
    }
    while (good && slashes--)
        good = base_text_append(line, "\\");
    return good && base_text_append(line, "\"");
}

static wchar_t *command_line(const char *const *words)
{
    base_text line = {0};
    bool good = true;
    for (; good && *words; words++)
        good = append_word(&line, *words);
    wchar_t *wide = good ? os_wide(line.items) : NULL;
    base_free(line.items);
    return wide;
}

/* The program's file, sought in PATH alone: Windows itself would begin in the present folder. */
static int find_program(const char *name, wchar_t **file)
{
    wchar_t *wide = os_wide(name);
    *file = base_alloc(PATH_LONGEST, sizeof **file);
    wchar_t *path = base_alloc(PATH_LONGEST, sizeof *path);
    int error = wide && path && *file ? 0 : ERROR_NOT_ENOUGH_MEMORY;
    bool with_folder = strpbrk(name, "/\\:") != NULL;
    if (!error && !with_folder && !GetEnvironmentVariableW(L"PATH", path, PATH_LONGEST))
        error = ERROR_FILE_NOT_FOUND;
    if (!error && !SearchPathW(with_folder ? NULL : path, wide, L".exe", PATH_LONGEST, *file, NULL))
        error = (int)GetLastError();
    free(wide);
    base_free(path);
    return error;
}

/* ---- starting -------------------------------------------------------------------------------- */

/* A handle of ours that the program may have. */
static HANDLE heir_of(HANDLE handle)
{
    HANDLE heir = NULL, self = GetCurrentProcess();
    if (!handle || handle == INVALID_HANDLE_VALUE) return NULL;
    if (!DuplicateHandle(self, handle, self, &heir, 0, TRUE, DUPLICATE_SAME_ACCESS)) return NULL;
    return heir;
}

/* Starts it with these three streams; it inherits no other handle. */
static int create(base_process *process, const char *const *words, const HANDLE streams[STREAMS])
{
    STARTUPINFOEXW start = {.StartupInfo = {.cb = sizeof start, .dwFlags = STARTF_USESTDHANDLES}};
    PROCESS_INFORMATION made = {0};
    HANDLE heirs[STREAMS];
    SIZE_T size = 0, count = 0;
    for (int i = 0; i < STREAMS; i++)
        if (streams[i]) heirs[count++] = streams[i];
    start.StartupInfo.hStdInput = streams[0];
    start.StartupInfo.hStdOutput = streams[1];
    start.StartupInfo.hStdError = streams[2];
    InitializeProcThreadAttributeList(NULL, 1, 0, &size);
    start.lpAttributeList = base_alloc(size, 1);
    wchar_t *file = NULL, *line = command_line(words);
    int error =
        start.lpAttributeList && line ? find_program(words[0], &file) : ERROR_NOT_ENOUGH_MEMORY;
    bool good = !error && InitializeProcThreadAttributeList(start.lpAttributeList, 1, 0, &size);
    bool listed = good;
    if (good)
        good =
            UpdateProcThreadAttribute(start.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST,
                                      heirs, count * sizeof *heirs, NULL, NULL) &&
            CreateProcessW(file, line, NULL, NULL, TRUE, EXTENDED_STARTUPINFO_PRESENT, NULL, NULL,
                           &start.StartupInfo, &made);
    if (!error && !good) error = (int)GetLastError();
    if (listed) DeleteProcThreadAttributeList(start.lpAttributeList);
    base_free(start.lpAttributeList);
    base_free(file);
    free(line);
    if (made.hThread) CloseHandle(made.hThread);
    process->handle = made.hProcess;
    return error;
}

/* What the program has in place of its own streams. */
typedef enum pipe_use { FEED, HEAR } pipe_use;

/* Starts it with one end of a pipe; *ours is the other. */
static weir_result start(base_process *process, const char *const *words, pipe_use use,
                         HANDLE *ours)
{
    HANDLE read, write, streams[STREAMS];
    if (!CreatePipe(&read, &write, NULL, 0))
        return fail(process, (int)GetLastError(), "cannot be started");
    *ours = use == FEED ? write : read;
    HANDLE theirs = use == FEED ? read : write;
    for (DWORD i = 0; i < STREAMS; i++) {
        bool piped = (i == 0) == (use == FEED);
        streams[i] = heir_of(piped ? theirs : GetStdHandle(STD_INPUT_HANDLE - i));
    }
    int error = create(process, words, streams);
    for (int i = 0; i < STREAMS; i++)
        if (streams[i]) CloseHandle(streams[i]);
    CloseHandle(theirs);
    if (error) CloseHandle(*ours);
    return error ? fail(process, error, "cannot be started") : WEIR_OK;
}

/* Its exit status; -1 when it did not end by itself. */
static int wait_for(const base_process *process)
{
    DWORD status = 0;
    WaitForSingleObject(process->handle, INFINITE);
    GetExitCodeProcess(process->handle, &status);
    CloseHandle(process->handle);
    return status < 0x80000000u ? (int)status : -1;
}

weir_result base_process_open(const weir_log *log, const char *const *words, base_process **out)
{
    *out = NULL;
    base_process *process = base_alloc(1, sizeof *process);
    if (!process) return base_fail(log, WEIR_MEMORY, "no memory to start %s", words[0]);
    process->log = log ? *log : (weir_log){0};
    process->name = words[0];
    weir_result result = start(process, words, FEED, &process->input);
    if (result != WEIR_OK) {
        base_free(process);
        return result;
    }
    *out = process;
    return WEIR_OK;
}

weir_result base_process_write(base_process *process, const void *bytes, size_t size)
{
    int error = os_file_write((os_file)process->input, bytes, size);
    return error ? fail(process, error, "it does not take more input") : WEIR_OK;
}

weir_result base_process_finish(base_process **pointer)
{
    base_process *process = *pointer;
    weir_result result = WEIR_OK;
    if (!process) return WEIR_OK;
    CloseHandle(process->input);
    int status = wait_for(process);
    if (status != 0)
        result = base_fail(&process->log, WEIR_IO,
                           "%s failed with status %d: its own messages stand above", process->name,
                           status);
    base_free(process);
    *pointer = NULL;
    return result;
}

weir_result base_process_hear(const weir_log *log, const char *const *words, base_text *said,
                              int *status)
{
    char piece[4096];
    size_t got = 0;
    HANDLE output;
    bool good = true;
    base_process process = {.log = log ? *log : (weir_log){0}, .name = words[0]};
    WEIR_NEED(start(&process, words, HEAR, &output));
    int error = os_file_read((os_file)output, piece, sizeof piece, &got);
    for (; !error && got > 0; error = os_file_read((os_file)output, piece, sizeof piece, &got))
        good = good && base_text_bytes(said, piece, got);
    CloseHandle(output);
    *status = wait_for(&process);
    if (error) return fail(&process, error, "its output cannot be read");
    return good ? WEIR_OK : base_fail(log, WEIR_MEMORY, "no memory for the output of %s", words[0]);
}
