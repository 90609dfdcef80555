/* view: the viewer, `weir view`. It includes the front door, the program's helpers, and, alone in
 * Weir, GLFW and Dear ImGui. */
#ifndef WEIR_VIEW_H
#define WEIR_VIEW_H

int view_main(int argc, char **argv);

#endif
