/* Limits of scenes: a value at its limit is accepted, one beyond it is refused with a message.
   The limits are those of docs/limits.md; tests/structure/test_limits_page.c compares the page
   with the same constants. */
#include "scene_fixture.h"
#include "scene_internal.h"

#define BOX "'shape': {'box': {'min': [0, 0, 0], 'max': [1, 1, 1]}}"
#define PLANE "'shape': {'plane': {}}"
#define EMITTER \
    "'fluid': 'w', 'position': [2, 2, 2], 'direction': [1, 0, 0], 'radius': 0.2, 'speed': 1"
#define CLOTH_KEYS \
    "'area_density': 0.3, 'grid': {'corner': [1, 2, 1], 'along': [2, 0, 0], 'across': [0, 0, 1]}"
#define WATER "'fluids': [{'name': 'w', 'fill': {" BOX "}}],"

/* A list that may have `limit` items: `before`, the items with their numbers for %u, `after`;
   and the message about one item more. */
typedef struct limited {
    const char *before, *item, *after;
    uint32_t limit;
    const char *words;
} limited;

static const limited lists[] = {
    {"'fluids': [", "{'name': 'f%u', 'fill': {" BOX "}}", "]", SCENE_MAX_FLUIDS,
     "fluids: is an array of 17, expected an array of at most 16"},
    {"'fluids': [{'name': 'w', 'fill': [", "{" BOX "}", "]}]", SCENE_MAX_SOLIDS,
     "fluids[0].fill: is an array of 1025, expected at most 1024"},
    {WATER "'forces': [", "{'centre': [1, 1, 1], 'strength': %u}", "]", SCENE_MAX_FORCES,
     "forces: is an array of 9, expected an array of at most 8"},
    {WATER "'gauges': [", "{'name': 'g%u', 'height': {'min': [0, 0, 0], 'max': [1, 1, 1]}}", "]",
     SCENE_MAX_GAUGES, "gauges: is an array of 33, expected an array of at most 32"},
    {WATER "'solids': [{'name': 's', " PLANE "}], 'gauges': [",
     "{'name': 'g%u', 'force': {'solid': 's'}}", "]", SCENE_MAX_FORCE_GAUGES,
     "gauges: has 5 force gauges, expected at most 4"},
    {WATER "'solids': [", "{'name': 's%u', " PLANE "}", "]", SCENE_MAX_SOLIDS,
     "solids: is an array of 1025, expected an array of at most 1024"},
    {WATER "'bodies': [", "{'name': 'b%u', 'density': 500, " BOX "}", "]", SCENE_MAX_BODIES,
     "bodies: is an array of 1025, expected an array of at most 1024"},
    {WATER "'emitters': [", "{'name': 'e%u', " EMITTER "}", "]", SCENE_MAX_SOLIDS,
     "emitters: is an array of 1025, expected an array of at most 1024"},
    {WATER "'sinks': [", "{'name': 's%u', " BOX "}", "]", SCENE_MAX_SOLIDS,
     "sinks: is an array of 1025, expected an array of at most 1024"},
    {WATER "'cloths': [", "{'name': 'c%u', " CLOTH_KEYS "}", "]", SCENE_MAX_DEFORMABLES,
     "cloths: is an array of 257, expected an array of at most 256"},
    {WATER "'ropes': [",
     "{'name': 'r%u', 'line_density': 0.1, 'diameter': 0.02, 'points': [[1, 2, 1], [3, 2, 1]]}",
     "]", SCENE_MAX_DEFORMABLES, "ropes: is an array of 257, expected an array of at most 256"},
    {WATER "'soft_bodies': [", "{'name': 's%u', 'density': 900, 'stiffness': 2e4, " BOX "}", "]",
     SCENE_MAX_DEFORMABLES, "soft_bodies: is an array of 257, expected an array of at most 256"},
    {WATER "'cloths': [{'name': 'c', " CLOTH_KEYS ", 'pins': [", "{'vertices': [%u]}", "]}]",
     SCENE_MAX_PINS, "cloths[0].pins: is an array of 65, expected an array of at most 64"},
    {WATER "'cloths': [{'name': 'c', " CLOTH_KEYS ", 'pins': [{'vertices': [", "%u", "]}]}]",
     SCENE_MAX_LISTED,
     "cloths[0].pins[0].vertices: is an array of 4097, expected an array of at most 4096"},
    {WATER "'ropes': [{'name': 'r', 'line_density': 0.1, 'diameter': 0.02, 'points': [",
     "[1, 2, %ue-3]", "]}]", SCENE_MAX_LISTED,
     "ropes[0].points: is an array of 4097, expected an array of at most 4096"},
    {WATER "'solids': [{'name': 's', " PLANE ", 'motion': {'keyframes': [",
     "{'time': %u, 'position': [0, 0, 0]}", "]}}]", SCENE_MAX_KEYFRAMES,
     "solids[0].motion.keyframes: is an array of 100001, expected an array of at most 100000"},
    {WATER "'gravity_keyframes': [", "{'time': %u, 'gravity': [0, -9, 0]}", "]",
     SCENE_MAX_KEYFRAMES,
     "gravity_keyframes: is an array of 100001, expected an array of at most 100000"},
    {WATER "'camera': {'eye': [1, 2, 3], 'target': [1, 0, 0], 'keyframes': [",
     "{'time': %u, 'eye': [1, 2, 3]}", "]}", SCENE_MAX_KEYFRAMES,
     "camera.keyframes: is an array of 100001, expected an array of at most 100000"},
    {WATER "'emitters': [{'name': 'e', 'fluid': 'w', 'position': [2, 2, 2], 'radius': 0.2, "
           "'direction': [1, 0, 0], 'speed_keyframes': [",
     "{'time': %u, 'speed': 1}", "]}]", SCENE_MAX_KEYFRAMES,
     "emitters[0].speed_keyframes: is an array of 100001, expected an array of at most 100000"},
    {"'fluids': [{'name': 'w', 'fill': {'shape': {'union': [",
     "{'box': {'min': [0, 0, 0], 'max': [1, 1, 1]}}", "]}}}]", SCENE_SHAPE_LEAVES,
     "union: is an array of 129, expected an array of 1 to 128 shapes"},
};

static void parse_text(const char *text, size_t size)
{
    scene_clear(&fixture);
    scene_input input = {text, size, "test.json", "", NULL, 0, NULL};
    weir_log log = {gather, &fixture.messages, WEIR_LOG_ERROR};
    fixture.result = scene_parse(&log, &input, &fixture.scene);
}

#define HEAD "{'spacing': 0.1, 'domain': {'min': [0, 0, 0], 'max': [4, 4, 4]}, "

static void parse_list(const limited *list, uint32_t count)
{
    base_text text = {0};
    assert_true(base_text_append(&text, HEAD "%s", list->before));
    for (uint32_t i = 0; i < count; i++) {
        char item[256], number[16];
        const char *at = strstr(list->item, "%u");
        snprintf(number, sizeof number, "%u", i);
        size_t start = at ? (size_t)(at - list->item) : strlen(list->item);
        snprintf(item, sizeof item, "%.*s%s%s", (int)start, list->item, at ? number : "",
                 at ? at + 2 : "");
        assert_true(base_text_append(&text, "%s%s", i ? "," : "", item));
    }
    assert_true(base_text_append(&text, "%s}", list->after));
    for (size_t i = 0; i < text.count; i++)
        if (text.items[i] == '\'') text.items[i] = '"';
    parse_text(text.items, text.count);
    BASE_ARRAY_FREE(&text);
}

static void lists_are_taken_at_their_limit_and_refused_beyond(void **state)
{
    for (size_t i = 0; i < BASE_COUNT(lists); i++) {
        parse_list(&lists[i], lists[i].limit);
        if (fixture.result != WEIR_OK)
            fail_msg("%u of %s: %s", lists[i].limit, lists[i].item, messages(&fixture));
        parse_list(&lists[i], lists[i].limit + 1);
        assert_int_equal(fixture.result, WEIR_ERROR_SCENE);
        assert_says(&fixture, lists[i].words);
    }
    scene_clear(&fixture);
}

/* A valid scene, padded with blanks to the required number of bytes. */
static void a_text_is_taken_at_its_limit_and_refused_beyond(void **state)
{
    static const char scene[] =
        "{\"spacing\": 0.1, \"domain\": {\"min\": [0, 0, 0], \"max\": [4, 4, 4]}, \"fluids\": "
        "[{\"name\": \"w\", \"fill\": {\"shape\": {\"box\": {\"size\": [1, 1, 1]}, \"position\": "
        "[1, 1, 1]}}}]}";
    char *text = base_alloc(SCENE_MAX_BYTES + 1, 1);
    assert_non_null(text);
    memset(text, ' ', SCENE_MAX_BYTES + 1);
    memcpy(text, scene, sizeof scene - 1);
    parse_text(text, SCENE_MAX_BYTES);
    if (fixture.result != WEIR_OK) fail_msg("%s", messages(&fixture));
    parse_text(text, SCENE_MAX_BYTES + 1);
    assert_int_equal(fixture.result, WEIR_ERROR_SCENE);
    assert_says(&fixture, "test.json: is 16777217 bytes, expected at most 16777216");
    base_free(text);
    scene_clear(&fixture);
}

/* Parses `first` and `count` times `item`. This is no scene, and within the limit the message is
   another one. */
static bool says_of(const char *first, const char *item, uint32_t count, const char *words)
{
    base_text text = {0};
    assert_true(base_text_append(&text, "%s", first));
    for (uint32_t i = 0; i < count; i++)
        assert_true(base_text_append_bytes(&text, item, strlen(item)));
    parse_text(text.items, text.count);
    BASE_ARRAY_FREE(&text);
    assert_int_equal(fixture.result, WEIR_ERROR_SCENE);
    bool says = strstr(messages(&fixture), words) != NULL;
    scene_clear(&fixture);
    return says;
}

static void depth_and_values_are_bounded_at_their_limit(void **state)
{
    static const char deep[] = "values are nested more than 64 levels deep",
                      wide[] = "more than a million values";
    assert_false(says_of("", "[", SCENE_MAX_DEPTH, deep));
    assert_true(says_of("", "[", SCENE_MAX_DEPTH + 1, deep));
    assert_int_equal(SCENE_MAX_VALUES, 1000000);
    assert_false(says_of("[", "1,", SCENE_MAX_VALUES - 1, wide)); /* the array is also a value */
    assert_true(says_of("[", "1,", SCENE_MAX_VALUES, wide));
}

/* Numbers of single values, at their limit and beyond, with the message beyond. */
static void numbers_are_taken_at_their_limit_and_refused_beyond(void **state)
{
    static const char *const rows[][3] = {
        {"'duration': 10000, 'frame_rate': 100,", "'duration': 10001, 'frame_rate': 100,",
         "duration: gives 1000100 frames, expected at most 1000000"},
        {"'solver': {'substeps': 1000},", "'solver': {'substeps': 1001},",
         "solver.substeps: is 1001"},
        {"'solver': {'iterations': 100},", "'solver': {'iterations': 101},",
         "solver.iterations: is 101"},
        {"'whitewater': {'max_particles': 100000000},",
         "'whitewater': {'max_particles': 100000001},", "whitewater.max_particles: is 100000001"},
        {"'sinks': [{'name': 's', 'shape': {'union': [{'union': [{'union': [{'union': [{'union': ["
         "{'union': [{'union': [{'plane': {}}]}]}]}]}]}]}]}}],",
         "'sinks': [{'name': 's', 'shape': {'union': [{'union': [{'union': [{'union': [{'union': ["
         "{'union': [{'union': [{'union': [{'plane': {}}]}]}]}]}]}]}]}]}}],",
         "is nested more than 7 shapes deep"},
    };
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        if (parse_with(&fixture, rows[i][0]) != WEIR_OK)
            fail_msg("%s: %s", rows[i][0], messages(&fixture));
        assert_int_equal(parse_with(&fixture, rows[i][1]), WEIR_ERROR_SCENE);
        assert_says(&fixture, rows[i][2]);
    }
    scene_clear(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_taken_at_their_limit_and_refused_beyond),
        cmocka_unit_test(a_text_is_taken_at_its_limit_and_refused_beyond),
        cmocka_unit_test(depth_and_values_are_bounded_at_their_limit),
        cmocka_unit_test(numbers_are_taken_at_their_limit_and_refused_beyond),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
