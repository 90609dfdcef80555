/* The viewer's commands: one table for keys and scripts, and named faults of scripts. */
#include "command_table.h"

#include <setjmp.h>

#include <cmocka.h>

static char said[4096];

static void keep(void *user, weir_log_level level, const char *text)
{
    (void)user, (void)level;
    size_t used = strlen(said);
    snprintf(said + used, sizeof said - used, "%s\n", text);
}

static weir_result parse(const char *text, view_script *script)
{
    weir_log log = {.write = keep, .level = WEIR_LOG_INFO};
    said[0] = '\0';
    return view_script_parse(&log, "script", text, script);
}

static void assert_refused(const char *text, const char *words)
{
    view_script script;
    assert_int_equal(parse(text, &script), WEIR_ERROR_ARGUMENT);
    if (!strstr(said, words)) fail_msg("\"%s\": \"%s\" was not said:\n%s", text, words, said);
    assert_null(script.calls.items);
}

static void every_command_has_a_name_and_says_what_it_does(void **state)
{
    for (uint32_t i = 0; i < VIEW_COMMANDS; i++) {
        assert_non_null(view_commands[i].name);
        assert_non_null(view_commands[i].about);
        for (uint32_t k = 0; k < i; k++)
            assert_string_not_equal(view_commands[i].name, view_commands[k].name);
        bool optional = false;
        for (uint32_t p = 0; p < VIEW_PARAMETERS && view_commands[i].parameters[p].name; p++) {
            assert_true(view_commands[i].parameters[p].optional || !optional);
            optional = view_commands[i].parameters[p].optional;
        }
    }
}

static void no_key_stands_for_two_commands(void **state)
{
    for (uint32_t i = 0; i < VIEW_COMMANDS; i++)
        for (uint32_t k = 0; k < VIEW_KEYS && view_commands[i].keys[k]; k++) {
            view_call call;
            assert_true(view_key_call(view_commands[i].keys[k], &call));
            assert_int_equal(call.id, i);
        }
}

/* A key press has no arguments, so its command must work without them. */
static void what_has_a_key_needs_no_words(void **state)
{
    for (uint32_t i = 0; i < VIEW_COMMANDS; i++) {
        const view_parameter *first = &view_commands[i].parameters[0];
        if (view_commands[i].keys[0] && i != VIEW_SHOW)
            assert_true(!first->name || first->optional);
    }
}

static void a_script_is_read_in_order(void **state)
{
    view_script s;
    assert_int_equal(parse("step 30; orbit 30 -10.5 # remark; not read\n"
                           "shot \"a b.png\";; \n pause on;quit",
                           &s),
                     WEIR_OK);
    assert_int_equal(s.calls.count, 5);
    assert_int_equal(s.calls.items[0].id, VIEW_STEP);
    assert_true(s.calls.items[0].values[0].number == 30);
    assert_int_equal(s.calls.items[1].id, VIEW_ORBIT);
    assert_true(s.calls.items[1].values[1].number == -10.5);
    assert_string_equal(s.calls.items[2].values[0].text, "a b.png");
    assert_true(s.calls.items[3].values[0].given && s.calls.items[3].values[0].number == 1);
    assert_int_equal(s.calls.items[4].id, VIEW_QUIT);
    view_script_free(&s);
}

static void what_is_optional_may_be_left_out(void **state)
{
    view_script s;
    assert_int_equal(parse("step; orbit 5; pause", &s), WEIR_OK);
    assert_false(s.calls.items[0].values[0].given);
    assert_false(s.calls.items[1].values[1].given);
    assert_false(s.calls.items[2].values[0].given);
    view_script_free(&s);
}

static void an_empty_script_has_no_calls(void **state)
{
    static const char *const texts[] = {"", "  \n", "# only a remark", ";;;", "\r\n;\t"};
    for (size_t i = 0; i < BASE_COUNT(texts); i++) {
        view_script s;
        assert_int_equal(parse(texts[i], &s), WEIR_OK);
        assert_int_equal(s.calls.count, 0);
        view_script_free(&s);
    }
}

static void a_fault_names_line_word_and_what_was_expected(void **state)
{
    assert_refused("stop", "script:1: unknown command \"stop\"; did you mean \"step\"?");
    assert_refused("step\n\norbitt 3", "script:3: unknown command \"orbitt\"");
    assert_refused("step x", "word 2 of \"step\", FRAMES: expected a whole number, 0 or more, not "
                             "\"x\"");
    assert_refused("step -3", "expected a whole number");
    assert_refused("step 3000000000000", "expected a whole number");
    assert_refused("orbit 30 x", "word 3 of \"orbit\", PITCH: expected a number, not \"x\"");
    assert_refused("orbit",
                   "\"orbit\" is missing its YAW: expected a number; usage: orbit YAW [PITCH]");
    assert_refused("orbit 1 2 3", "unexpected word \"3\"; usage: orbit YAW [PITCH]");
    assert_refused("pause maybe", "expected on or off, not \"maybe\"");
    assert_refused("shot \"a.png", "is not closed");
    assert_refused("key Q", "no command is bound to the key \"Q\"");
    assert_refused("stop; orbit", "script: 2 faults");
    assert_refused(
        "quit 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 "
        "29 30 31 32 33 34",
        "more than 32 words");
}

static void the_usage_shows_what_is_needed(void **state)
{
    char usage[160], keys[160];
    view_print_usage(&view_commands[VIEW_ZOOM], usage, sizeof usage);
    assert_string_equal(usage, "zoom FACTOR [X] [Y]");
    view_print_keys(&view_commands[VIEW_PAUSE], keys, sizeof keys);
    assert_string_equal(keys, "Space, P");
    view_print_keys(&view_commands[VIEW_CAMERA_SET], keys, sizeof keys);
    assert_string_equal(keys, "");
}

/* The page writes '|' as '/', because it would end a table cell. */
static void assert_on_page(const char *page, const char *first, const char *second,
                           const char *third)
{
    char row[512];
    int used = snprintf(row, sizeof row, "| `%s` | %s | %s |", first, second, third);
    assert_in_range(used, 1, sizeof row - 1);
    for (char *c = row + 3; c < strstr(row, "` |"); c++)
        if (*c == '|') *c = '/';
    if (!strstr(page, row)) fail_msg("docs/viewer.md lacks the row\n%s", row);
}

static void the_page_lists_every_command_and_gesture(void **state)
{
    char usage[160], keys[160], row[256];
    base_blob blob;
    base_text page = {0};
    assert_int_equal(base_file_read(NULL, "docs/viewer.md", 1 << 20, &blob), WEIR_OK);
    assert_true(base_text_append_bytes(&page, blob.bytes, blob.size));
    size_t rows = 0;
    for (uint32_t i = 0; i < VIEW_COMMANDS; i++) {
        view_print_usage(&view_commands[i], usage, sizeof usage);
        view_print_keys(&view_commands[i], keys, sizeof keys);
        assert_on_page(page.items, usage, keys, view_commands[i].about);
    }
    for (const char *at = page.items; (at = strstr(at, "\n| `")) != NULL; at++)
        rows++;
    assert_int_equal(rows, VIEW_COMMANDS); /* and no command that no longer exists */
    for (size_t i = 0; i < view_gesture_count; i++) {
        snprintf(row, sizeof row, "| %s | %s |", view_gestures[i].gesture, view_gestures[i].about);
        assert_non_null(strstr(page.items, row));
    }
    base_blob_free(&blob);
    BASE_ARRAY_FREE(&page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_command_has_a_name_and_says_what_it_does),
        cmocka_unit_test(no_key_stands_for_two_commands),
        cmocka_unit_test(what_has_a_key_needs_no_words),
        cmocka_unit_test(a_script_is_read_in_order),
        cmocka_unit_test(what_is_optional_may_be_left_out),
        cmocka_unit_test(an_empty_script_has_no_calls),
        cmocka_unit_test(a_fault_names_line_word_and_what_was_expected),
        cmocka_unit_test(the_usage_shows_what_is_needed),
        cmocka_unit_test(the_page_lists_every_command_and_gesture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
