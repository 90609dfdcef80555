/* Gates at a coarse size, and those of bodies in full, so that what passes continues to pass. */
#define _XOPEN_SOURCE 700
#include "gates_support.h"

int main(int argc, char **argv)
{
    static const char *const more[] = {"walls", "ellipse", "oscillation", "wave",
                                       "dam",   "cube",    "flip-slosh",  "flip-vortices"};
    static const char *const bodies[] = {"rafts", "heave", "sinking"};
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    int failed = run_gates("coarse gates", VALIDATE_COARSE, true, more, BASE_COUNT(more));
    return failed + run_gates("gates of bodies", VALIDATE_WHOLE, false, bodies, BASE_COUNT(bodies));
}
