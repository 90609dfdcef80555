/* view_command: the viewer, `weir view`. It uses the public API, the program's helpers, and GLFW
 * and Dear ImGui, which nothing else in Weir uses. */
#ifndef WEIR_VIEW_H
#define WEIR_VIEW_H

int view_main(int argc, char **argv);

#endif
