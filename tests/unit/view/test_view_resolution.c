/* The size of pictures while something moves, calls that wait, and labels. */
#include "labels.h"
#include "pending_calls.h"
#include "resolution.h"

#include <setjmp.h>

#include <cmocka.h>

#define BUDGET_MS 75.0f

static view_resolution window(uint32_t width, uint32_t height, bool slow)
{
    view_resolution r = {.budget_ms = BUDGET_MS};
    view_resolution_start(&r, width, height, slow);
    return r;
}

static void assert_size(const view_resolution *r, uint32_t width, uint32_t height)
{
    uint32_t w, h;
    view_resolution_size(r, r->level, &w, &h);
    assert_int_equal(w, width);
    assert_int_equal(h, height);
}

/* Draws pictures whose time has a fixed part and one per 1000 pixels, ms. */
static void draw(view_resolution *r, uint32_t pictures, float fixed, float each)
{
    uint32_t w, h;
    for (uint32_t i = 0; i < pictures; i++) {
        view_resolution_size(r, r->level, &w, &h);
        float ms = fixed + each * (float)w * (float)h / 1000.0f;
        view_resolution_measure(r, r->level, ms, 0.1 * i);
    }
}

static void a_fast_device_keeps_the_full_size(void **state)
{
    view_resolution r = window(1280, 720, false);
    draw(&r, 50, 5, 0.02f);
    assert_size(&r, 1280, 720);
}

static void slow_pictures_become_smaller_until_they_fit(void **state)
{
    view_resolution r = window(1280, 720, false);
    draw(&r, 1, 10, 0.25f);
    assert_size(&r, 960, 540);
    draw(&r, 10, 10, 0.25f); /* 68 ms at 640 x 360 */
    assert_size(&r, 640, 360);
}

static void no_picture_is_smaller_than_320_by_180(void **state)
{
    view_resolution r = window(1280, 720, false);
    draw(&r, 30, 500, 1);
    assert_size(&r, 320, 180);
    r = window(2560, 1440, true);
    assert_size(&r, 320, 180);
    r = window(1000, 1000, true); /* in the window's shape */
    assert_size(&r, 320, 320);
    r = window(300, 160, true); /* a window that is smaller itself */
    assert_size(&r, 300, 160);
    draw(&r, 30, 500, 1);
    assert_size(&r, 300, 160);
}

/* From the smallest size up to the largest that fits. */
static void a_slow_device_begins_small_and_grows(void **state)
{
    view_resolution r = window(1280, 720, true);
    assert_size(&r, 320, 180);
    draw(&r, 30, 5, 0.02f); /* 23 ms at full size */
    assert_size(&r, 1280, 720);
    r = window(1280, 720, true);
    draw(&r, 30, 40, 0.3f); /* 57 ms at 320 x 180, 79 ms at 480 x 270 */
    assert_size(&r, 320, 180);
}

/* After a size that was too large, the next try is a while later. */
static void a_size_that_did_not_fit_is_not_tried_again_at_once(void **state)
{
    view_resolution r = window(1280, 720, false);
    view_resolution_measure(&r, 0, 200, 1);
    assert_int_equal(r.level, 1);
    for (int i = 0; i < 50; i++)
        view_resolution_measure(&r, 1, 10, 2 + 0.1 * i);
    assert_int_equal(r.level, 1);
    view_resolution_measure(&r, 1, 10, 60);
    assert_int_equal(r.level, 0);
}

static void calls_wait_in_order_with_texts_of_their_own(void **state)
{
    view_pending_calls pending = {0};
    char text[] = "gravity=[0,0,0]";
    view_call call;
    assert_true(view_pending_add(&pending, &(view_call){.id = VIEW_RESTART}));
    assert_true(
        view_pending_add(&pending, &(view_call){.id = VIEW_SET, .values = {{true, 0, text}}}));
    text[0] = 'x';
    assert_true(view_pending_take(&pending, &call));
    assert_int_equal(call.id, VIEW_RESTART);
    assert_true(view_pending_take(&pending, &call));
    assert_int_equal(call.id, VIEW_SET);
    assert_string_equal(call.values[0].text, "gravity=[0,0,0]");
    view_pending_free_call(&call);
    assert_false(view_pending_take(&pending, &call));
    view_pending_free(&pending);
}

static void assert_label(const char *key, const char *label)
{
    char text[64];
    view_label_key(key, text);
    assert_string_equal(text, label);
}

static void assert_title(const char *group, const char *title)
{
    char text[64];
    view_label_group(group, text);
    assert_string_equal(text, title);
}

static void labels_are_words(void **state)
{
    assert_label("solver.support_radius", "Support radius");
    assert_label("gravity", "Gravity");
    assert_label("solver.cfl", "Courant number");
    assert_label("fluids[0].dynamic_viscosity", "Viscosity");
    assert_title("fluids[0]", "Fluid 1");
    assert_title("bodies[11]", "Body 12");
    assert_title("solver", "Solver");
    assert_title("solids[2].shape", "Solid 3: shape");
}

static void keys_of_other_methods_are_not_used(void **state)
{
    assert_true(view_label_is_used("solver.pic_fraction", "flip"));
    assert_false(view_label_is_used("solver.pic_fraction", "apic"));
    assert_false(view_label_is_used("solver.projection_tolerance", "pbf"));
    assert_true(view_label_is_used("solver.iterations", "pbf"));
    assert_false(view_label_is_used("solver.artificial_pressure", "wcsph"));
}

static void commands_belong_to_groups(void **state)
{
    assert_int_equal(view_command_group(VIEW_PAUSE), VIEW_GROUP_SIMULATION);
    assert_int_equal(view_command_group(VIEW_HOSE), VIEW_GROUP_SIMULATION);
    assert_int_equal(view_command_group(VIEW_ORBIT), VIEW_GROUP_CAMERA);
    assert_int_equal(view_command_group(VIEW_PASTE_CAMERA), VIEW_GROUP_CAMERA);
    assert_int_equal(view_command_group(VIEW_SHOW), VIEW_GROUP_VIEW);
    assert_int_equal(view_command_group(VIEW_HELP), VIEW_GROUP_VIEW);
    assert_int_equal(view_command_group(VIEW_SHOT), VIEW_GROUP_FILES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fast_device_keeps_the_full_size),
        cmocka_unit_test(slow_pictures_become_smaller_until_they_fit),
        cmocka_unit_test(no_picture_is_smaller_than_320_by_180),
        cmocka_unit_test(a_slow_device_begins_small_and_grows),
        cmocka_unit_test(a_size_that_did_not_fit_is_not_tried_again_at_once),
        cmocka_unit_test(calls_wait_in_order_with_texts_of_their_own),
        cmocka_unit_test(labels_are_words),
        cmocka_unit_test(keys_of_other_methods_are_not_used),
        cmocka_unit_test(commands_belong_to_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
