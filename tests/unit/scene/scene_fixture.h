/* Parses scenes for tests: texts are written with ' for ", and messages are collected. */
#ifndef WEIR_SCENE_FIXTURE_H
#define WEIR_SCENE_FIXTURE_H

#include "scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct scene_fixture {
    char text[65536];
    base_text messages; /* one per line */
    scene_data *scene;
    weir_result result;
} scene_fixture;

void gather(void *user, weir_log_level level, const char *text);

extern scene_fixture fixture; /* one for all tests of a file */

void scene_clear(scene_fixture *fixture);

/* Clears `fixture`: a teardown function. */
int clear_fixture(void **state);

/* Parses `text` with overrides (NULL-terminated, or NULL); relative files start at `folder`. */
weir_result parse_in(scene_fixture *fixture, const char *text, const char *folder,
                     const char *const *overrides);

weir_result parse(scene_fixture *fixture, const char *text);
const char *messages(const scene_fixture *fixture);

/* Parses a scene of one fluid with `more` inserted among its keys; `more` ends in a comma or is
   empty. */
weir_result parse_with(scene_fixture *fixture, const char *more);

void assert_says(const scene_fixture *fixture, const char *text);
void assert_vector(vec3 v, double x, double y, double z);
size_t line_count(const scene_fixture *fixture);

/* Asserts that parse_with refuses `more` with a message that has this part. */
void refused(const char *more, const char *message);

/* Asserts that scenes are refused. Each of `faults` is an argument of parse_with and a part of
   the message. */
void assert_refused(scene_fixture *fixture, const char *const faults[][2], size_t count);

#endif
