/* Other programs, fed through a pipe, on POSIX systems. */
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

/* The program reads the pipe; it does not inherit the end that we write to. */
static int spawn(base_process *process, const char *const *words, const int ends[2])
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    error = posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    if (!error) error = posix_spawn_file_actions_addclose(&actions, ends[0]);
    if (!error)
        error = posix_spawnp(&process->id, words[0], &actions, NULL, (char *const *)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

weir_result base_process_open(const weir_log *log, const char *const *words, base_process **out)
{
    int ends[2];
    *out = NULL;
    base_process *process = base_alloc(1, sizeof *process);
    if (!process) return base_fail(log, WEIR_MEMORY, "no memory to start %s", words[0]);
    process->log = log ? *log : (weir_log){0};
    process->name = words[0];
    /* A program that ends early is an error of the write, not the end of this one. */
    signal(SIGPIPE, SIG_IGN);
    int error = pipe(ends) ? errno : 0;
    if (!error) {
        fcntl(ends[1], F_SETFD, FD_CLOEXEC);
        error = spawn(process, words, ends);
        close(ends[0]);
        if (error) close(ends[1]);
    }
    if (error) {
        weir_result result = fail(process, error, "cannot be started");
        base_free(process);
        return result;
    }
    process->input = ends[1];
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
    int status = 0;
    if (!process) return WEIR_OK;
    close(process->input);
    while (waitpid(process->id, &status, 0) < 0 && errno == EINTR)
        ;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        result = base_fail(&process->log, WEIR_IO, "%s failed with status %d: its own words above",
                           process->name, WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    base_free(process);
    *pointer = NULL;
    return result;
}
