/* Common code of isa_layer.c and stub_layer.c: what a driver's compiler reports of a pipeline
 * (VK_KHR_pipeline_executable_properties), written as text. A stage of a pipeline is one file of
 * the folder WEIR_ISA: lines "name: value", first Weir's facts and then the driver's statistics;
 * after an empty line the disassembly. tools/kernel_statistics.py reads these files. */
#ifndef WEIR_TESTS_PIPELINE_REPORT_H
#define WEIR_TESTS_PIPELINE_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

#include "solid.h"

#define CONSTANTS_MAX 40u
#define REPORT_ITEMS_MAX 64u

/* Flags of a pipeline whose compiler shall report. */
#define REPORT_FLAGS                                 \
    (VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR | \
     VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR)

/* The shader of a pipeline stage by the name of its module, and its constants as "id=value ...". */
typedef struct stage_facts {
    char shader[64], constants[256];
} stage_facts;

/* The device that compiled, and its functions. */
typedef struct report_calls {
    VkDevice device;
    PFN_vkGetPipelineExecutablePropertiesKHR properties;
    PFN_vkGetPipelineExecutableStatisticsKHR statistics;
    PFN_vkGetPipelineExecutableInternalRepresentationsKHR representations;
} report_calls;

/* A pipeline whose stages are written. */
typedef struct pipeline_report {
    const char *kernel, *target;
    const stage_facts *stages; /* of a pipeline for drawing: vertex, fragment */
    VkPipeline pipeline;
    bool listing;
} pipeline_report;

static void give_up(const char *what, int code)
{
    fprintf(stderr, "layer: %s failed with code %d\n", what, code);
    exit(1);
}

/* Returns the constants without SOLID_MISSING_KINDS: the requirements of a kernel are those in a
 * scene with every kind of shape. `entries` has room for CONSTANTS_MAX. */
static inline VkSpecializationInfo report_all_shapes(const VkSpecializationInfo *special,
                                                     VkSpecializationMapEntry *entries)
{
    VkSpecializationInfo kept = *special;
    kept.mapEntryCount = 0;
    kept.pMapEntries = entries;
    for (uint32_t i = 0; i < special->mapEntryCount; i++) {
        if (special->pMapEntries[i].constantID == SOLID_CONSTANT_MISSING_KINDS) continue;
        if (kept.mapEntryCount == CONSTANTS_MAX) give_up("room for a kernel's constants", 0);
        entries[kept.mapEntryCount++] = special->pMapEntries[i];
    }
    return kept;
}

/* Writes the constants into the facts as "id=value ...". */
static inline void report_constants(stage_facts *facts, const VkSpecializationInfo *special)
{
    size_t length = 0;
    for (uint32_t i = 0; special && i < special->mapEntryCount; i++) {
        const VkSpecializationMapEntry *entry = &special->pMapEntries[i];
        uint32_t value;
        memcpy(&value, (const char *)special->pData + entry->offset, sizeof value);
        length += (size_t)snprintf(facts->constants + length, sizeof facts->constants - length,
                                   "%s%u=%u", i ? " " : "", entry->constantID, value);
        if (length >= sizeof facts->constants) give_up("room for a kernel's constants", 0);
    }
}

/* Whether a stage needs no compilation of its own: another of the same shader with the same
 * constants, or with WEIR_ISA_FIRST_VARIANT any other of the same shader. */
static inline bool report_same_stage(const stage_facts *a, const stage_facts *b)
{
    return a->shader[0] && strcmp(a->shader, b->shader) == 0 &&
           (getenv("WEIR_ISA_FIRST_VARIANT") || strcmp(a->constants, b->constants) == 0);
}

/* Writes "name: value", where the name is the driver's. */
static inline void report_statistic(FILE *file, const VkPipelineExecutableStatisticKHR *item)
{
    switch (item->format) {
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR:
        fprintf(file, "%s: %u\n", item->name, item->value.b32);
        return;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR:
        fprintf(file, "%s: %lld\n", item->name, (long long)item->value.i64);
        return;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR:
        fprintf(file, "%s: %llu\n", item->name, (unsigned long long)item->value.u64);
        return;
    default: fprintf(file, "%s: %.17g\n", item->name, item->value.f64);
    }
}

static inline void report_statistics(const report_calls *with, FILE *file,
                                     const VkPipelineExecutableInfoKHR *which)
{
    VkPipelineExecutableStatisticKHR items[REPORT_ITEMS_MAX];
    uint32_t count = REPORT_ITEMS_MAX;
    for (uint32_t i = 0; i < count; i++)
        items[i] = (VkPipelineExecutableStatisticKHR){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR};
    VkResult code = with->statistics(with->device, which, &count, items);
    if (code < 0) give_up("vkGetPipelineExecutableStatisticsKHR", code);
    for (uint32_t i = 0; i < count; i++)
        report_statistic(file, &items[i]);
}

/* Drivers list intermediate code first; the last text is the machine code. */
static inline void report_listing(const report_calls *with, FILE *file,
                                  const VkPipelineExecutableInfoKHR *which)
{
    VkPipelineExecutableInternalRepresentationKHR items[REPORT_ITEMS_MAX];
    uint32_t count = REPORT_ITEMS_MAX, last = 0;
    for (uint32_t i = 0; i < count; i++)
        items[i] = (VkPipelineExecutableInternalRepresentationKHR){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR};
    if (with->representations(with->device, which, &count, items) < 0 || count == 0) return;
    for (uint32_t i = 0; i < count; i++) {
        items[i].pData = malloc(items[i].dataSize + 1);
        if (!items[i].pData) give_up("malloc", 0);
    }
    with->representations(with->device, which, &count, items);
    for (uint32_t i = 0; i < count; i++)
        if (items[i].isText) last = i;
    fprintf(file, "\n%.*s\n", (int)items[last].dataSize, (const char *)items[last].pData);
    for (uint32_t i = 0; i < count; i++)
        free(items[i].pData);
}

static inline void report_stage(const report_calls *with, const pipeline_report *of, uint32_t index,
                                const VkPipelineExecutablePropertiesKHR *stage)
{
    static unsigned number;
    char path[4096];
    const stage_facts *facts = &of->stages[stage->stages == VK_SHADER_STAGE_FRAGMENT_BIT ? 1 : 0];
    const VkPipelineExecutableInfoKHR which = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
                                               .pipeline = of->pipeline,
                                               .executableIndex = index};
    snprintf(path, sizeof path, "%s/%u.txt", getenv("WEIR_ISA"), ++number);
    FILE *file = fopen(path, "w");
    if (!file) give_up("opening a file in the folder WEIR_ISA", 0);
    fprintf(file, "Kernel: %s\nTarget: %s\nStage: %s\nShader: %s\nConstants: %s\nLanes: %u\n",
            of->kernel, of->target, stage->name, facts->shader, facts->constants,
            stage->subgroupSize);
    report_statistics(with, file, &which);
    if (of->listing) report_listing(with, file, &which);
    fclose(file);
}

/* Writes a file for each stage, in each of the widths that the compiler made. */
static inline void report_pipeline(const report_calls *with, const pipeline_report *of)
{
    VkPipelineExecutablePropertiesKHR stages[8];
    uint32_t count = sizeof stages / sizeof *stages;
    const VkPipelineInfoKHR which = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR,
                                     .pipeline = of->pipeline};
    for (uint32_t i = 0; i < count; i++)
        stages[i] = (VkPipelineExecutablePropertiesKHR){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR};
    VkResult code = with->properties(with->device, &which, &count, stages);
    if (code < 0) give_up("vkGetPipelineExecutablePropertiesKHR", code);
    for (uint32_t i = 0; i < count; i++)
        report_stage(with, of, i, &stages[i]);
}

/* Writes the driver's name and version to the file "driver" of the folder WEIR_ISA: results differ
 * between versions. */
static inline void report_driver(PFN_vkGetPhysicalDeviceProperties2 get, VkPhysicalDevice of)
{
    char path[4096];
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &driver};
    get(of, &properties);
    snprintf(path, sizeof path, "%s/driver", getenv("WEIR_ISA"));
    FILE *file = fopen(path, "w");
    if (!file) give_up("opening a file in the folder WEIR_ISA", 0);
    fprintf(file, "%s\n", driver.driverInfo);
    fclose(file);
}

#endif
