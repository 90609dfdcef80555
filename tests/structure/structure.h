/* Shared by the structure tests: reads the source files, folder by folder, line by line. */
#ifndef WEIR_TESTS_STRUCTURE_H
#define WEIR_TESTS_STRUCTURE_H

#include "base.h"

#include <dirent.h>

typedef struct structure_file {
    const char *folder; /* "src/base" */
    const char *path;   /* "src/base/log.c" */
    char *text;         /* terminated by NUL */
} structure_file;

/* Source folders, including their subfolders. */
extern const char *const structure_source_folders[2];
extern const char *const structure_test_folders[1];
extern const char *const structure_shader_folders[1];

typedef void structure_visit(void *user, const structure_file *file);

/* Returns a file's text, which the caller releases; NULL if it cannot be read. */
char *structure_read_file(const char *path);

/* Returns 0 if one of the folders has no source: it was renamed, and the test would check
   nothing. */
size_t structure_each_file(const char *const *folders, size_t folder_count, structure_visit *visit,
                           void *user);

/* Returns whether the folder is `parent` or lies in it. */
bool structure_is_in(const char *folder, const char *parent);

size_t structure_line_length(const char *line);

/* Returns the next line, NULL after the last. */
const char *structure_next_line(const char *line);

#endif
