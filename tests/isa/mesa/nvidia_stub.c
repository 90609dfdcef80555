/* Extends Mesa's stub of the kernel driver nouveau (mesa-drm-shim 26.1), and is preloaded before
 * it. That stub knows GPUs up to Ampere; this one answers the query for the classes of later ones:
 * copy, 2D, 3D and compute. The class numbers are those of NVIDIA's published headers; the query is
 * nouveau's "NVIF". NOUVEAU_CHIPSET selects the GPU, as for Mesa's stub.
 *
 * It also refuses DRM_NOUVEAU_GET_ZCULL_INFO: Mesa's stub answers with zeros, by which NVK divides
 * when it creates a depth image (zcull.rs). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <drm/nouveau_drm.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

enum { NVIF_SCLASS = 1, CLASSES = 5 };

/* The query for a list of classes, in the layout of the kernel driver. */
typedef struct class_list {
    uint8_t version, type, other[22];
    uint8_t list_version, count, pad[6];
    struct {
        int32_t id;
        int16_t first, last;
    } classes[CLASSES];
} class_list;

/* The classes of chipsets from this number on. */
static const struct {
    unsigned chipset;
    int32_t classes[CLASSES];
} generations[] = {
    {0x1b0, {0xa140, 0xcab5, 0x902d, 0xce97, 0xcec0}}, /* Blackwell of PCs */
    {0x1a0, {0xa140, 0xc9b5, 0x902d, 0xcd97, 0xcdc0}}, /* Blackwell of servers */
    {0x190, {0xa140, 0xc7b5, 0x902d, 0xc997, 0xc9c0}}, /* Ada */
    {0x180, {0xa140, 0xc8b5, 0x902d, 0xcb97, 0xcbc0}}, /* Hopper */
};

static void answer(class_list *list)
{
    const char *name = getenv("NOUVEAU_CHIPSET");
    unsigned long chipset = name ? strtoul(name, NULL, 16) : 0;
    for (size_t g = 0; g < sizeof generations / sizeof *generations; g++) {
        if (chipset < generations[g].chipset) continue;
        for (int i = 0; i < CLASSES && i < list->count; i++)
            list->classes[i].id = generations[g].classes[i];
        return;
    }
}

int ioctl(int fd, unsigned long request, ...)
{
    static int (*next)(int, unsigned long, ...);
    va_list list;
    va_start(list, request);
    void *arg = va_arg(list, void *);
    va_end(list);
    if (!next) next = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
    unsigned number = _IOC_TYPE(request) == DRM_IOCTL_BASE ? _IOC_NR(request) : 0;
    if (number == DRM_COMMAND_BASE + DRM_NOUVEAU_GET_ZCULL_INFO) {
        errno = EINVAL;
        return -1;
    }
    int code = next(fd, request, arg);
    if (number == DRM_COMMAND_BASE + DRM_NOUVEAU_NVIF && ((class_list *)arg)->type == NVIF_SCLASS)
        answer(arg);
    return code;
}
