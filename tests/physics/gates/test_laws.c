/* The quick gates of tests/validation, and some that take longer, at their smallest. */
#define _XOPEN_SOURCE 700
#include "gates_support.h"

int main(int argc, char **argv)
{
    static const char *const more[] = {"droplet", "flip-vortices", "rafts", "sea"};
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return run_gates("laws", VALIDATE_SMALL, true, more, BASE_COUNT(more));
}
