/* Runs the quick tier of weir validate, and the full gates of bodies, so that gates that pass
   continue to pass. */
#define _XOPEN_SOURCE 700
#include "gates_support.h"

static void the_quick_gates_hold_but_for_the_known_misses(void **state)
{
    (void)state;
    assert_true(hold_gates("--quick") > 50);
}

static void the_gates_of_floating_and_sinking_bodies_hold(void **state)
{
    (void)state;
    assert_true(hold_gates("rafts heave sinking") > 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_quick_gates_hold_but_for_the_known_misses),
        cmocka_unit_test(the_gates_of_floating_and_sinking_bodies_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
