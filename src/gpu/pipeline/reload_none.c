/* Replaces reload.c in builds whose shaders cannot be reloaded. */
#include "gpu_internal.h"

bool gpu_shaders_can_reload(void)
{
    return false;
}

void gpu_shader_use_reloaded(gpu_device *device, gpu_spirv *words)
{
    (void)device, (void)words;
}

void gpu_shaders_free(gpu_device *device)
{
    (void)device;
}

weir_result gpu_shaders_reload(gpu_device *device)
{
    return base_fail(&device->log, WEIR_ERROR_UNSUPPORTED,
                     "this build cannot reload shaders: configure with -DWEIR_RELOAD=ON (cmake "
                     "--preset develop)");
}
