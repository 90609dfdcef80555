/* Other programs, fed or heard through a pipe, on POSIX systems. */
#define _POSIX_C_SOURCE 200809L
#include "base.h"
#include "base_os.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct base_process {
    weir_log log;
    const char *name;
    pid_t id;
    int input; /* the end that we write to */
};

static weir_result fail(const base_process *process, int error, const char *what)
{
    char text[128];
    os_error_text(error, text);
    return base_fail(&process->log, WEIR_IO, "%s: %s: %s", process->name, what, text);
}

/* What the program sees in place of its own ends. */
typedef enum pipe_use { FEED, HEAR } pipe_use;

static int spawn(base_process *process, const char *const *words, int end, pipe_use use)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error =
        posix_spawn_file_actions_adddup2(&actions, end, use == FEED ? STDIN_FILENO : STDOUT_FILENO);
    if (!error && use == HEAR)
        error = posix_spawn_file_actions_adddup2(&actions, end, STDERR_FILENO);
    if (!error) error = posix_spawn_file_actions_addclose(&actions, end);
    if (!error)
        error = posix_spawnp(&process->id, words[0], &actions, NULL, (char *const *)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Starts it with one end of a pipe; *ours is the other, which it does not inherit. */
static weir_result start(base_process *process, const char *const *words, pipe_use use, int *ours)
{
    int ends[2];
    int error = pipe(ends) ? errno : 0;
    if (!error) {
        int theirs = use == FEED ? 0 : 1;
        *ours = ends[1 - theirs];
        fcntl(*ours, F_SETFD, FD_CLOEXEC);
        error = spawn(process, words, ends[theirs], use);
        close(ends[theirs]);
        if (error) close(*ours);
    }
    return error ? fail(process, error, "cannot be started") : WEIR_OK;
}

/* Its exit status; -1 when it did not end by itself. */
static int wait_for(const base_process *process)
{
    int status = 0;
    while (waitpid(process->id, &status, 0) < 0 && errno == EINTR)
        ;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

weir_result base_process_open(const weir_log *log, const char *const *words, base_process **out)
{
    *out = NULL;
    base_process *process = base_alloc(1, sizeof *process);
    if (!process) return base_fail(log, WEIR_MEMORY, "no memory to start %s", words[0]);
    process->log = log ? *log : (weir_log){0};
    process->name = words[0];
    /* A program that ends early is an error of the write, not the end of this one. */
    signal(SIGPIPE, SIG_IGN);
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
    int error = os_file_write(process->input, bytes, size);
    return error ? fail(process, error, "it does not take more input") : WEIR_OK;
}

weir_result base_process_finish(base_process **pointer)
{
    base_process *process = *pointer;
    weir_result result = WEIR_OK;
    if (!process) return WEIR_OK;
    close(process->input);
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
    int output;
    bool good = true;
    base_process process = {.log = log ? *log : (weir_log){0}, .name = words[0]};
    WEIR_NEED(start(&process, words, HEAR, &output));
    int error = os_file_read(output, piece, sizeof piece, &got);
    for (; !error && got > 0; error = os_file_read(output, piece, sizeof piece, &got))
        good = good && base_text_bytes(said, piece, got);
    close(output);
    *status = wait_for(&process);
    if (error) return fail(&process, error, "its output cannot be read");
    return good ? WEIR_OK : base_fail(log, WEIR_MEMORY, "no memory for the output of %s", words[0]);
}
