/* Shared by the tests of the walls: the source files, folder by folder, line by line. */
#ifndef WEIR_TESTS_WALLS_H
#define WEIR_TESTS_WALLS_H

#include "base.h"

typedef struct walls_file {
    const char *folder; /* "src/base" */
    const char *path;   /* "src/base/log.c" */
    char *text;         /* ended by NUL */
} walls_file;

static const char *const walls_source_folders[] = {
    "src/include",
    "src/base",
    "src/scene",
    "src/io",
    "src/gpu",
    "src/grid",
    "src/solid",
    "src/poisson",
    "src/foam",
    "src/probe",
    "src/body",
    "src/soft",
    "src/sim",
    "src/render",
    "src/api",
    "src/app",
    "src/app/mesh",
    "src/app/pictures",
    "src/app/stored_foam",
    "src/app/run",
    "src/app/bench",
    "src/app/validate",
    "src/app/view",
    "src/app/main",
    "mesher",
};

static const char *const walls_test_folders[] = {
    "tests/ref", "tests/unit",  "tests/kernel", "tests/physics", "tests/golden", "tests/api",
    "tests/cli", "tests/walls", "tests/long",   "tests/fuzz",    "tests",
};

static const char *const walls_shader_folders[] = {
    "shaders/shared",
    "shaders/gpu",
    "shaders/grid",
    "shaders/solid",
    "shaders/sim",
    "shaders/mesh",
    "shaders/body",
    "shaders/soft",
    "shaders/poisson",
    "shaders/foam",
    "shaders/probe",
    "shaders/render",
    "shaders/tests",
    "shaders/lib/bindings",
    "shaders/lib/body",
    "shaders/lib/boundary",
    "shaders/lib/deformable",
    "shaders/lib/mac",
    "shaders/lib/math",
    "shaders/lib/mesh",
    "shaders/lib/neighbours",
    "shaders/lib/particles",
    "shaders/lib/poisson",
    "shaders/lib/reduce",
    "shaders/lib/render",
    "shaders/lib/sdf",
    "shaders/lib/whitewater",
};

typedef void walls_visit(void *user, const walls_file *file);

static inline bool walls_is_source(const char *path)
{
    static const char *const extensions[] = {"c", "h", "comp", "glsl", "vert", "frag"};
    for (size_t i = 0; i < BASE_COUNT(extensions); i++)
        if (strcmp(base_path_extension(path), extensions[i]) == 0) return true;
    return false;
}

/* A file's text, the caller's; NULL where it cannot be read. */
static inline char *walls_read(const char *path)
{
    base_blob blob;
    base_text text = {0};
    if (base_file_read(NULL, path, 1 << 24, &blob) != WEIR_OK) return NULL;
    bool whole = base_text_bytes(&text, blob.bytes, blob.size);
    base_blob_free(&blob);
    if (!whole) base_free(text.items);
    return whole ? text.items : NULL;
}

static inline void walls_visit_file(const char *folder, const char *path, walls_visit *visit,
                                    void *user)
{
    char *text = walls_read(path);
    if (text) visit(user, &(walls_file){folder, path, text});
    base_free(text);
}

/* Visits the C and GLSL sources of the folders that exist; returns how many. */
static inline size_t walls_each(const char *const *folders, size_t folder_count, walls_visit *visit,
                                void *user)
{
    size_t visited = 0;
    for (size_t i = 0; i < folder_count; i++) {
        char **names;
        size_t count;
        if (base_folder_list(NULL, folders[i], &names, &count) != WEIR_OK) continue;
        for (size_t k = 0; k < count; k++) {
            char *path = base_path_join(folders[i], names[k]);
            if (path && walls_is_source(path)) {
                walls_visit_file(folders[i], path, visit, user);
                visited++;
            }
            base_free(path);
        }
        base_names_free(names, count);
    }
    return visited;
}

static inline size_t walls_line_length(const char *line)
{
    return strcspn(line, "\n");
}

/* The line after this one, NULL after the last. */
static inline const char *walls_next_line(const char *line)
{
    line += walls_line_length(line);
    return *line && line[1] ? line + 1 : NULL;
}

#endif
