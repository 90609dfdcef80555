#include "scene_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SCENES_MAX = 16, BYTES_MAX = 8192 };

typedef struct scene_file {
    char path[96];
    char text[BYTES_MAX];
} scene_file;

static void read_scene(scene_file *scene, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) fail_msg("%s cannot be read", path);
    size_t size = fread(scene->text, 1, BYTES_MAX, file);
    fclose(file);
    assert_true(size < BYTES_MAX);
    scene->text[size] = '\0';
    strcpy(scene->path, path);
}

const char *scene_text(const char *name)
{
    static scene_file scenes[SCENES_MAX];
    char path[96];
    snprintf(path, sizeof path, "tests/scenes/%s.json", name);
    for (size_t i = 0; i < SCENES_MAX; i++) {
        if (!scenes[i].path[0]) read_scene(&scenes[i], path);
        if (strcmp(scenes[i].path, path) == 0) return scenes[i].text;
    }
    fail_msg("a test has more than %d scenes", SCENES_MAX);
    return NULL;
}
