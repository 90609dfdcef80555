/* A build whose shaders stay as they were built: reload.c is the other one. */
#include "gpu_internal.h"

bool gpu_shaders_can_reload(void)
{
    return false;
}

void gpu_shader_latest(gpu_device *device, gpu_words *words)
{
    (void)device, (void)words;
}

void gpu_shaders_free(gpu_device *device)
{
    (void)device;
}

weir_result gpu_shaders_reload(gpu_device *device)
{
    return base_fail(&device->log, WEIR_UNSUPPORTED,
                     "this build's shaders stay as they are: configure with -DWEIR_RELOAD=ON "
                     "(cmake --preset develop)");
}
