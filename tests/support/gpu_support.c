#include "gpu_support.h"

static uint32_t validation_said; /* number of messages, including those during device destruction */

void print_problem(void *user, weir_log_level level, const char *text)
{
    (void)user;
    (void)level;
    if (strstr(text, "Vulkan validation")) validation_said++;
    print_error("  %s\n", text);
}

gpu_device *open_gpu(bool validation)
{
    gpu_device *device = NULL;
    weir_device_def def = test_device_def();
    def.log = (weir_log){.write = print_problem, .level = WEIR_LOG_WARNING};
    def.cache_folder = "";
    if (validation) ask_for_validation(&def);
    OK(gpu_device_create(&def, &device));
    if (checks_shaders()) device->deferred = true;
    return device;
}

int close_gpu(gpu_device **device)
{
    gpu_device_destroy(device);
    int result = validation_said == 0 ? 0 : -1;
    validation_said = 0;
    return result;
}
