/* Child programs connected by a pipe, on Windows. */
#include "os_windows.h"

enum { STREAMS = 3, MAX_PATH_CHARS = 32768 };

/* ---- the command line ------------------------------------------------------------------------ */

/* Appends a word, quoted as the C runtime of the child parses it: backslashes are special only
 * before a quote. */
static bool append_word(base_text *line, const char *word)
{
    bool good = base_text_append(line, "%s\"", line->count ? " " : "");
    size_t slashes = 0;
    for (const char *p = word; good && *p; p++) {
        size_t more = *p == '"' ? slashes + 1 : 0;
        slashes = *p == '\\' ? slashes + 1 : 0;
        while (good && more--)
            good = base_text_append(line, "\\");
        good = good && base_text_append_bytes(line, p, 1);
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
    wchar_t *wide = good ? os_utf8_to_utf16(line.items) : NULL;
    base_free(line.items);
    return wide;
}

/* Finds the program's file in PATH alone: Windows itself would start in the current folder. */
static int find_program(const char *name, wchar_t **file)
{
    wchar_t *wide = os_utf8_to_utf16(name);
    *file = base_alloc(MAX_PATH_CHARS, sizeof **file);
    wchar_t *path = base_alloc(MAX_PATH_CHARS, sizeof *path);
    int error = wide && path && *file ? 0 : ERROR_NOT_ENOUGH_MEMORY;
    bool with_folder = strpbrk(name, "/\\:") != NULL;
    if (!error && !with_folder && !GetEnvironmentVariableW(L"PATH", path, MAX_PATH_CHARS))
        error = ERROR_FILE_NOT_FOUND;
    if (!error &&
        !SearchPathW(with_folder ? NULL : path, wide, L".exe", MAX_PATH_CHARS, *file, NULL))
        error = (int)GetLastError();
    free(wide);
    base_free(path);
    return error;
}

/* ---- starting -------------------------------------------------------------------------------- */

/* Returns a copy of the handle that a child program can inherit. */
static HANDLE duplicate_inheritable(HANDLE handle)
{
    HANDLE heir = NULL, self = GetCurrentProcess();
    if (!handle || handle == INVALID_HANDLE_VALUE) return NULL;
    if (!DuplicateHandle(self, handle, self, &heir, 0, TRUE, DUPLICATE_SAME_ACCESS)) return NULL;
    return heir;
}

/* Starts the program with these three standard streams; it inherits no other handle. */
static int create_process(const char *const *words, const HANDLE streams[STREAMS], HANDLE *process)
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
    *process = made.hProcess;
    return error;
}

int os_process_start(const char *const *words, os_pipe_use use, os_process *process, os_file *ours)
{
    HANDLE read, write, streams[STREAMS], made = NULL;
    if (!CreatePipe(&read, &write, NULL, 0)) return (int)GetLastError();
    HANDLE theirs = use == OS_PIPE_TO_CHILD ? read : write;
    *ours = (os_file)(use == OS_PIPE_TO_CHILD ? write : read);
    for (DWORD i = 0; i < STREAMS; i++) {
        bool piped = (i == 0) == (use == OS_PIPE_TO_CHILD);
        streams[i] = duplicate_inheritable(piped ? theirs : GetStdHandle(STD_INPUT_HANDLE - i));
    }
    int error = create_process(words, streams, &made);
    for (int i = 0; i < STREAMS; i++)
        if (streams[i]) CloseHandle(streams[i]);
    CloseHandle(theirs);
    if (error) os_file_close(*ours);
    *process = (os_process)made;
    return error;
}

int os_process_wait(os_process process)
{
    HANDLE handle = (HANDLE)process;
    DWORD status = 0;
    WaitForSingleObject(handle, INFINITE);
    GetExitCodeProcess(handle, &status);
    CloseHandle(handle);
    return status < 0x80000000u ? (int)status : -1;
}
