/* Child programs whose input is written, or whose output is read, through a pipe. */
#include "base.h"
#include "base_os.h"

struct base_process {
    weir_log log;
    const char *name;
    os_process id;
    os_file input; /* our end of the pipe to its standard input */
};

static weir_result fail_process(const base_process *process, int error, const char *what)
{
    char text[128];
    os_error_text(error, text);
    return base_fail(&process->log, WEIR_ERROR_IO, "%s: %s: %s", process->name, what, text);
}

static weir_result start_process(base_process *process, const char *const *words, os_pipe_use use,
                                 os_file *ours)
{
    int error = os_process_start(words, use, &process->id, ours);
    return error ? fail_process(process, error, "cannot be started") : WEIR_OK;
}

weir_result base_process_open(const weir_log *log, const char *const *words, base_process **out)
{
    *out = NULL;
    base_process *process = base_alloc(1, sizeof *process);
    if (!process)
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory to start %s", words[0]);
    process->log = log ? *log : (weir_log){0};
    process->name = words[0];
    weir_result result = start_process(process, words, OS_PIPE_TO_CHILD, &process->input);
    if (result != WEIR_OK) {
        base_free(process);
        return result;
    }
    *out = process;
    return WEIR_OK;
}

weir_result base_process_write(base_process *process, const void *bytes, size_t size)
{
    int error = os_file_write(process->input, bytes, size);
    return error ? fail_process(process, error, "it accepts no more input") : WEIR_OK;
}

weir_result base_process_wait(base_process **pointer)
{
    base_process *process = *pointer;
    weir_result result = WEIR_OK;
    if (!process) return WEIR_OK;
    os_file_close(process->input);
    int status = os_process_wait(process->id);
    if (status != 0)
        result =
            base_fail(&process->log, WEIR_ERROR_IO,
                      "%s failed with status %d: see its messages above", process->name, status);
    base_free(process);
    *pointer = NULL;
    return result;
}

weir_result base_process_capture(const weir_log *log, const char *const *words, base_text *said,
                                 int *status)
{
    char piece[4096];
    size_t got = 0;
    os_file output;
    bool good = true;
    base_process process = {.log = log ? *log : (weir_log){0}, .name = words[0]};
    WEIR_RETURN_IF_ERROR(start_process(&process, words, OS_PIPE_FROM_CHILD, &output));
    int error = os_file_read(output, piece, sizeof piece, &got);
    for (; !error && got > 0; error = os_file_read(output, piece, sizeof piece, &got))
        good = good && base_text_append_bytes(said, piece, got);
    os_file_close(output);
    *status = os_process_wait(process.id);
    if (error) return fail_process(&process, error, "its output cannot be read");
    return good ? WEIR_OK
                : base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for the output of %s",
                            words[0]);
}
