/* view: the viewer, `weir view`. It sees the front door, the program's own helpers, and alone GLFW
 * and Dear ImGui. */
#ifndef WEIR_VIEW_H
#define WEIR_VIEW_H

int view_main(int argc, char **argv);

#endif
