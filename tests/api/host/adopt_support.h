/* Runs a scene on a device that a host has created, and lists requirements whose absence makes
   Weir refuse the device. */
#ifndef WEIR_TESTS_ADOPT_SUPPORT_H
#define WEIR_TESTS_ADOPT_SUPPORT_H

#include "host_support.h"

#define SCENE                                                                             \
    "{\"name\": \"adopted\", \"domain\": {\"min\": [0, 0, 0], \"max\": [0.5, 0.5, 0.3]}," \
    " \"frame_rate\": 60, \"duration\": 0.1, \"spacing\": 0.05,"                          \
    " \"solver\": {\"substeps\": 2, \"iterations\": 2},"                                  \
    " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\":"                 \
    " {\"min\": [0, 0, 0], \"max\": [0.3, 0.25, 0.3]}}}}]}"
#define FRAMES 4

/* Checks that the host's Vulkan still works: makes an empty submission to the shared queue. */
void use_queue(host *h);

/* Runs frames and stores the state's hash after each. */
void run(weir_device *device, host *h, uint64_t hashes[FRAMES]);

void assert_refused(const weir_vulkan_host *vulkan, const char *words);

#endif
