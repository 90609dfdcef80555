/* The scenes of the tests. */
#ifndef WEIR_TESTS_SCENE_TEXT_H
#define WEIR_TESTS_SCENE_TEXT_H

/* Returns the text of tests/scenes/NAME.json, which stays valid; fails the test if there is none.
 */
const char *scene_text(const char *name);

#endif
