/* What each operating system implements for base, beside the functions of base.h that are nothing
 * but a system call (time, threads, libraries, terminal). One set of os_<system>*.c is built. */
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
    OS_APPEND,     /* made when missing */
    OS_OVERWRITE,  /* an existing file that is no regular one: a terminal, a pipe */
    OS_LOCK,       /* made when missing, to be locked and written anew */
} os_mode;

/* Every int is 0 or the system's error number. */
int os_file_open(const char *path, os_mode mode, os_file *file);
int os_file_info(os_file file, os_kind *kind, uint64_t *size);
/* *got is 0 only at the end of the file. */
int os_file_read(os_file file, void *bytes, size_t size, size_t *got);
/* Writes all bytes, through interruptions and short writes. */
int os_file_write(os_file file, const void *bytes, size_t size);
int os_file_flush(os_file file);
int os_file_truncate(os_file file, uint64_t size); /* the bytes behind `size` go */
/* Locks the file until it is closed or its process ends. *taken: false when another has it. */
int os_file_lock(os_file file, bool *taken);
int os_file_close(os_file file);

/* The length of what stands for the disk: "/", on Windows "C:/" or "//server/share/" too; 0: none.
 */
size_t os_path_root_length(const char *path);
int os_path_kind(const char *path, os_kind *kind);
int os_path_modified_ns(const char *path, int64_t *time_ns); /* of its last change */
int os_path_rename(const char *from, const char *to);
int os_path_remove(const char *path); /* a missing file is fine */
int os_folder_make(const char *path); /* one level; an existing folder is fine */
int os_folder_flush(const char *path);
int os_folder_for_each(const char *path, bool (*visit)(void *user, const char *name), void *user);

/* What a program that we start has in place of its own ends: its input, or both of its outputs. */
typedef enum os_pipe_use { OS_PIPE_TO_CHILD, OS_PIPE_FROM_CHILD } os_pipe_use;
typedef intptr_t os_process;
/* Starts words[0], sought in PATH, with one end of a pipe; *ours is the other, which it does not
 * inherit. A program that ends early is an error of the write, not the end of this one. */
int os_process_start(const char *const *words, os_pipe_use use, os_process *process, os_file *ours);
/* Its exit status; -1 when it did not end by itself. */
int os_process_wait(os_process process);

uint32_t os_process_id(void);
void os_host_name(char name[128]);
bool os_error_exists(int error);
/* The system's words for the error, and what a person can do about it. */
void os_error_text(int error, char text[128]);
const char *os_error_advice(int error);

#endif
