/* Gates of bodies that take only seconds pass in every build. */
#define _XOPEN_SOURCE 700
#include "gates_support.h"

static void blocks_slide_as_the_law_says_and_hold_below_it(void **state)
{
    (void)state;
    assert_true(hold_gates("slope --quick") >= 5);
}

static void fluid_and_bodies_together_keep_their_momentum(void **state)
{
    (void)state;
    assert_true(hold_gates("body-momentum --quick") >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_slide_as_the_law_says_and_hold_below_it),
        cmocka_unit_test(fluid_and_bodies_together_keep_their_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
