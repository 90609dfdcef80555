/* weir info: lists the devices and the one that will be used. */
#include "main_internal.h"

#define FAST_LAVAPIPE 26u /* Mesa's version */

static const char *kind_name(weir_device_kind kind)
{
    switch (kind) {
    case WEIR_DEVICE_DISCRETE: return "discrete GPU";
    case WEIR_DEVICE_INTEGRATED: return "integrated GPU";
    case WEIR_DEVICE_VIRTUAL: return "virtual GPU";
    case WEIR_DEVICE_CPU: return "CPU driver";
    case WEIR_DEVICE_OTHER: break;
    }
    return "other device";
}

bool info_describe(base_text *text, uint32_t number, const weir_device_info *info)
{
    char memory[32], left[48] = "", range[32], sizes[48] = "";
    if (info->memory_available_bytes < info->memory_bytes)
        snprintf(left, sizeof left, ", %s free",
                 app_print_bytes(memory, (double)info->memory_available_bytes));
    if (info->subgroup_min < info->subgroup_max)
        snprintf(sizes, sizeof sizes, ", or %u to %u", info->subgroup_min, info->subgroup_max);
    return base_text_append(text, "%u  %s (%s)\n", number, info->name, kind_name(info->kind)) &&
           base_text_append(text, "   driver          %s\n", info->driver) &&
           base_text_append(text, "   Vulkan          %s\n", info->api_version) &&
           base_text_append(text, "   memory          %s%s\n",
                            app_print_bytes(memory, (double)info->memory_bytes), left) &&
           base_text_append(text, "   storage range   %s\n",
                            app_print_bytes(range, (double)info->max_storage_buffer_bytes)) &&
           base_text_append(text, "   workgroup       up to %u invocations, subgroups of %u%s\n",
                            info->max_workgroup_invocations, info->subgroup_size, sizes) &&
           base_text_append(text, "   pass times      %s\n",
                            info->timestamps ? "yes" : "no: the queue has no timestamps") &&
           (!info->unsupported_reason[0] ||
            base_text_append(text, "   cannot be used  %s\n", info->unsupported_reason));
}

static void print_device(uint32_t number, const weir_device_info *info)
{
    base_text text = {0};
    if (info_describe(&text, number, info)) printf("%s\n", text.items);
    BASE_ARRAY_FREE(&text);
}

static bool is_same_device(const weir_device_info *a, const weir_device_info *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->driver, b->driver) == 0;
}

/* Lavapipe has become faster: docs/performance.md. */
static void print_cpu_driver(const weir_device_info *chosen)
{
    uint32_t version = base_number_after(chosen->driver, "llvmpipe Mesa ");
    printf("              a CPU driver on %u core%s: correct, but far slower than a GPU\n",
           base_cpu_count(), base_plural(base_cpu_count()));
    if (version > 0 && version < FAST_LAVAPIPE)
        printf(
            "              a faster one exists: lavapipe of Mesa %u instead of %u; on Debian 12, "
            "tools/get-mesa installs it\n",
            FAST_LAVAPIPE, version);
}

static void print_choice(const weir_device_info *infos, uint32_t count, const char *asked,
                         const weir_device_info *chosen)
{
    uint32_t number = 0, usable = 0;
    for (uint32_t i = count; i-- > 0;) {
        if (is_same_device(&infos[i], chosen)) number = i;
        usable += !infos[i].unsupported_reason[0];
    }
    const char *why = asked         ? "selected by --device"
                      : usable == 1 ? "the only usable one"
                                    : "discrete GPUs come first, then integrated "
                                      "and virtual ones, then CPU drivers";
    printf("will be used: %u  %s (%s)\n", number, chosen->name, why);
    if (chosen->kind == WEIR_DEVICE_CPU) print_cpu_driver(chosen);
}

static weir_result choose_device(const weir_log *log, const app_scene_options *source,
                                 weir_device_info *chosen)
{
    weir_device *device = NULL;
    const weir_device_def def = app_device_def(source, log);
    weir_result result = weir_device_create(&def, &device);
    if (result == WEIR_OK) weir_device_get_info(device, chosen);
    weir_device_destroy(&device);
    return result;
}

int info_main(int argc, char **argv)
{
    app_scene_options source = {0};
    const args_option options[] = {ARGS_OPTION("device", 0, TEXT, &source.device, "NAME",
                                               "the device to use, by number or part of its name")};
    const args_command command = {
        .name = "info",
        .usage = "[options]",
        .about =
            "Lists the Vulkan devices with their drivers and limits, and says which one will be\n"
            "used and why.",
        .examples = "weir info\nweir info --device llvmpipe",
        .options = options,
        .option_count = BASE_COUNT(options),
    };
    args_result outcome = args_parse(&command, argc, argv);
    if (outcome != ARGS_RUN) return outcome;

    enum { MOST = 32 };
    static weir_device_info infos[MOST];
    weir_device_info chosen;
    uint32_t count = MOST;
    weir_log log = app_log(true);
    weir_result result = weir_device_list(&log, infos, &count);
    if (result != WEIR_OK) return APP_FAILED;
    if (count > MOST) count = MOST;
    printf("weir %s\n\n", weir_version());
    for (uint32_t i = 0; i < count; ++i)
        print_device(i, &infos[i]);
    result = choose_device(&log, &source, &chosen);
    if (result != WEIR_OK) return result == WEIR_ERROR_ARGUMENT ? APP_WRONG_USE : APP_FAILED;
    print_choice(infos, count, source.device, &chosen);
    return APP_DONE;
}
