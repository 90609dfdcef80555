/* The program is linked with GLFW. */
#include "glfw_library.h"

weir_result glfw_library_open(const weir_log *log)
{
    (void)log;
    return WEIR_OK;
}
