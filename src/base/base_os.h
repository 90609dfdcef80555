/* The functions that each operating system implements for base, in addition to those of base.h that
 * are plain system calls (time, threads, libraries, terminal). A build contains one set of
 * os_<system>*.c. */
#ifndef WEIR_BASE_OS_H
#define WEIR_BASE_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef intptr_t os_file;
#define OS_NO_FILE ((os_file)-1)

typedef enum os_kind { OS_FILE, OS_FOLDER, OS_OTHER } os_kind;

typedef enum os_mode {
    OS_READ,
    OS_CREATE_NEW, /* fails with os_error_exists when the name is taken */
    OS_APPEND,     /* created if missing */
    OS_OVERWRITE,  /* an existing file that is not a regular one: a terminal, a pipe */
    OS_LOCK,       /* created if missing, to be locked and rewritten */
} os_mode;

/* Every int returned here is 0 or the system's error number. */
int os_file_open(const char *path, os_mode mode, os_file *file);
int os_file_info(os_file file, os_kind *kind, uint64_t *size);
/* *got is 0 only at the end of the file. */
int os_file_read(os_file file, void *bytes, size_t size, size_t *got);
/* Writes all bytes; continues after interruptions and short writes. */
int os_file_write(os_file file, const void *bytes, size_t size);
int os_file_flush(os_file file);
int os_file_truncate(os_file file, uint64_t size); /* removes the bytes after `size` */
/* Locks the file until it is closed or its process ends. *taken is false when another process holds
 * the lock. */
int os_file_lock(os_file file, bool *taken);
int os_file_close(os_file file);

/* Returns the length of the part that names the disk: "/", on Windows also "C:/" or
 * "//server/share/"; 0 if there is none. */
size_t os_path_root_length(const char *path);
int os_path_kind(const char *path, os_kind *kind);
int os_path_modified_ns(const char *path, int64_t *time_ns); /* time of the last change */
int os_path_rename(const char *from, const char *to);
int os_path_remove(const char *path); /* a missing file is not an error */
int os_folder_make(const char *path); /* one level; an existing folder is not an error */
int os_folder_flush(const char *path);
int os_folder_for_each(const char *path, bool (*visit)(void *user, const char *name), void *user);

/* Which standard streams of a child program the pipe replaces: its input, or both of its
 * outputs. */
typedef enum os_pipe_use { OS_PIPE_TO_CHILD, OS_PIPE_FROM_CHILD } os_pipe_use;
typedef intptr_t os_process;
/* Starts words[0], which is looked up in PATH, with one end of a pipe. *ours receives the other
 * end, which the child does not inherit. If the child ends early, writing to it fails instead of
 * ending this program. */
int os_process_start(const char *const *words, os_pipe_use use, os_process *process, os_file *ours);
/* Waits for the program and returns its exit status; -1 when it was killed. */
int os_process_wait(os_process process);

uint32_t os_process_id(void);
void os_host_name(char name[128]);
bool os_error_exists(int error);
/* Write the system's message for an error, and return advice on what the user can do about it. */
void os_error_text(int error, char text[128]);
const char *os_error_advice(int error);

#endif
