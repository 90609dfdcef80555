#include "scene_fixture.h"

scene_fixture fixture;

void gather(void *user, weir_log_level level, const char *text)
{
    const char *mark = level == WEIR_LOG_ERROR ? "" : "warning: ";
    assert_true(base_text_append(user, "%s%s\n", mark, text));
}

void scene_clear(scene_fixture *fixture)
{
    scene_destroy(&fixture->scene);
    base_free(fixture->messages.items);
    fixture->messages = (base_text){0};
}

int clear_fixture(void **state)
{
    scene_clear(&fixture);
    return 0;
}

weir_result parse_in(scene_fixture *fixture, const char *text, const char *folder,
                     const char *const *overrides)
{
    scene_clear(fixture);
    size_t size = strlen(text);
    assert_true(size < sizeof fixture->text);
    for (size_t i = 0; i < size; ++i)
        fixture->text[i] = text[i] == '\'' ? '"' : text[i];
    scene_input input = {fixture->text, size, "test.json", folder, overrides, 0, NULL};
    while (overrides && overrides[input.override_count])
        ++input.override_count;
    weir_log log = {gather, &fixture->messages, WEIR_LOG_WARNING};
    fixture->result = scene_parse(&log, &input, &fixture->scene);
    return fixture->result;
}

weir_result parse(scene_fixture *fixture, const char *text)
{
    return parse_in(fixture, text, "", NULL);
}

const char *messages(const scene_fixture *fixture)
{
    return fixture->messages.items ? fixture->messages.items : "";
}

weir_result parse_with(scene_fixture *fixture, const char *more)
{
    char *text =
        base_format("{%s\n'spacing': 0.1, 'domain': {'min': [0, 0, 0], 'max': [4, 4, 4]},\n"
                    "'fluids': [{'name': 'water', 'fill': "
                    "{'shape': {'box': {'min': [0, 0, 0], 'max': [1, 1, 1]}}}}]}",
                    more);
    assert_non_null(text);
    weir_result result = parse(fixture, text);
    base_free(text);
    return result;
}

void assert_says(const scene_fixture *fixture, const char *text)
{
    if (!strstr(messages(fixture), text))
        fail_msg("expected \"%s\" among:\n%s", text, messages(fixture));
}

void assert_vector(vec3 v, double x, double y, double z)
{
    assert_float_equal(v.x, x, 1e-5);
    assert_float_equal(v.y, y, 1e-5);
    assert_float_equal(v.z, z, 1e-5);
}

size_t line_count(const scene_fixture *fixture)
{
    size_t lines = 0;
    for (const char *c = messages(fixture); *c; ++c)
        lines += *c == '\n';
    return lines;
}

void refused(const char *more, const char *message)
{
    scene_fixture own = {0};
    assert_int_equal(parse_with(&own, more), WEIR_ERROR_SCENE);
    assert_says(&own, message);
    scene_clear(&own);
}

void assert_refused(scene_fixture *fixture, const char *const faults[][2], size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(parse_with(fixture, faults[i][0]), WEIR_ERROR_SCENE);
        assert_says(fixture, faults[i][1]);
        scene_clear(fixture);
    }
}
