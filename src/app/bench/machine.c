/* Clocks, temperatures and power, where the system provides them: from NVIDIA's library, and from
 * Linux's files for AMD and Intel GPUs and for the processor. */
#include "bench_internal.h"

/* Reads the number at the start of a file, or after `label` in it; NAN if there is none. */
static double read_number(const char *path, const char *label)
{
    base_blob blob = {0};
    double number = NAN;
    const char *next;
    if (!base_path_is_file(path) || base_file_read(NULL, path, 1u << 20, &blob) != WEIR_OK)
        return NAN;
    const char *at = (const char *)blob.bytes, *end = at + blob.size;
    size_t length = label ? strlen(label) : 0;
    while (length && at + length <= end && memcmp(at, label, length) != 0)
        ++at;
    at += length;
    while (at < end && (*at == ' ' || *at == '\t' || *at == ':'))
        ++at;
    if (at >= end || !base_parse_double(at, end, &number, &next)) number = NAN;
    base_blob_free(&blob);
    return number;
}

/* ---- NVIDIA --------------------------------------------------------------------------------- */

/* The NVML functions in use, as in its reference manual; they return 0 on success. */
typedef struct nvml_calls {
    int (*init)(void);
    int (*shutdown)(void);
    int (*count)(unsigned *count);
    int (*device)(unsigned index, void **device);
    int (*name)(void *device, char *name, unsigned length);
    int (*clock)(void *device, int type, unsigned *mhz);
    int (*temperature)(void *device, int sensor, unsigned *celsius);
    int (*power)(void *device, unsigned *milliwatt);
} nvml_calls;

static bool nvml_load(void *library, nvml_calls *calls)
{
    static const char *const names[] = {"nvmlInit_v2",
                                        "nvmlShutdown",
                                        "nvmlDeviceGetCount_v2",
                                        "nvmlDeviceGetHandleByIndex_v2",
                                        "nvmlDeviceGetName",
                                        "nvmlDeviceGetClockInfo",
                                        "nvmlDeviceGetTemperature",
                                        "nvmlDeviceGetPowerUsage"};
    void *symbols[BASE_COUNT(names)];
    for (size_t i = 0; i < BASE_COUNT(names); ++i) {
        symbols[i] = base_library_symbol(library, names[i]);
        if (!symbols[i]) return false;
    }
    _Static_assert(sizeof symbols == sizeof *calls, "one symbol for each call");
    memcpy(calls, symbols, sizeof symbols);
    return true;
}

static void nvml_read_device(const nvml_calls *calls, void *device, bench_machine_state *machine)
{
    unsigned value;
    if (calls->clock(device, 1 /* multiprocessors */, &value) == 0) machine->gpu_mhz = value;
    if (calls->temperature(device, 0 /* the GPU */, &value) == 0) machine->gpu_c = value;
    if (calls->power(device, &value) == 0) machine->gpu_w = 1e-3 * value;
}

static void nvml_read(const char *wanted, bench_machine_state *machine)
{
    static const char *const names[] = {"libnvidia-ml.so.1", "nvml.dll"};
    nvml_calls calls;
    unsigned count = 0;
    void *device, *library = base_library_open(names, BASE_COUNT(names));
    if (library && nvml_load(library, &calls) && calls.init() == 0) {
        calls.count(&count);
        for (unsigned i = 0; i < count; ++i) {
            char name[96] = "";
            if (calls.device(i, &device) != 0) continue;
            calls.name(device, name, sizeof name);
            if (strcmp(name, wanted) != 0) continue;
            nvml_read_device(&calls, device, machine);
            break;
        }
        calls.shutdown();
    }
    base_library_close(library);
}

/* ---- the operating system's files ----------------------------------------------------------- */

#define CARDS 8
#define MONITORS 16

static void card_read(bench_machine_state *machine)
{
    char path[128];
    for (int card = 0; card < CARDS; ++card)
        for (int monitor = 0; monitor < MONITORS; ++monitor) {
            static const char folder[] = "/sys/class/drm/card%d/device/hwmon/hwmon%d/%s";
            snprintf(path, sizeof path, folder, card, monitor, "freq1_input");
            double hz = read_number(path, NULL);
            if (!isfinite(hz)) continue;
            machine->gpu_mhz = 1e-6 * hz;
            snprintf(path, sizeof path, folder, card, monitor, "temp1_input");
            machine->gpu_c = 1e-3 * read_number(path, NULL);
            snprintf(path, sizeof path, folder, card, monitor, "power1_average");
            machine->gpu_w = 1e-6 * read_number(path, NULL);
            return;
        }
}

bench_machine_state bench_read_machine_state(const bench_report *report)
{
    double nan = (double)NAN;
    bench_machine_state machine = {nan, nan, nan, nan, nan};
    if (report->info.kind != WEIR_DEVICE_CPU) {
        nvml_read(report->info.name, &machine);
        if (!isfinite(machine.gpu_mhz)) card_read(&machine);
    }
    machine.cpu_mhz =
        1e-3 * read_number("/sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", NULL);
    if (!isfinite(machine.cpu_mhz)) machine.cpu_mhz = read_number("/proc/cpuinfo", "cpu MHz");
    machine.cpu_c = 1e-3 * read_number("/sys/class/thermal/thermal_zone0/temp", NULL);
    return machine;
}
