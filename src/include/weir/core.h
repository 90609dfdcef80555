/* The basics that every other header includes: version macros, results, names of enumerators, the
 * log. */
#ifndef WEIR_CORE_PUBLIC_H
#define WEIR_CORE_PUBLIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* On Windows the linker is told what the library exports: cmake/exports.map. */
#if defined(__GNUC__) && !defined(_WIN32)
#define WEIR_API __attribute__((visibility("default")))
#else
#define WEIR_API
#endif

#define WEIR_VERSION_MAJOR 0
#define WEIR_VERSION_MINOR 1
#define WEIR_VERSION_PATCH 0

/* The version of the library, "0.1.0", which may differ from the header's. Lives for ever. */
WEIR_API const char *weir_version(void);

typedef enum weir_result {
    WEIR_OK = 0,
    WEIR_ERROR_ARGUMENT,    /* the call breaks this header's rules */
    WEIR_ERROR_SCENE,       /* the scene is wrong */
    WEIR_ERROR_IO,          /* a file cannot be read, written or understood */
    WEIR_ERROR_MEMORY,      /* host or device memory ran out */
    WEIR_ERROR_UNSUPPORTED, /* the device or the build cannot do it */
    WEIR_ERROR_DEVICE_LOST, /* every later call on this device returns it too */
    WEIR_ERROR_UNSTABLE, /* the simulation has numbers that are not finite; its state can be read */
} weir_result;

/* A short name, such as "out of memory". Lives as long as the program. */
WEIR_API const char *weir_result_name(weir_result result);

/* The enumerations whose values have a name in commands and files. The name of a file format is its
 * extension. */
typedef enum weir_enum {
    WEIR_ENUM_FIELD,           /* weir_field: "position" */
    WEIR_ENUM_PARTICLE_FORMAT, /* weir_particle_format: "ply" */
    WEIR_ENUM_MESH_FORMAT,     /* weir_mesh_format: "obj" */
    WEIR_ENUM_RENDER_MODE,     /* weir_render_mode: "surface" */
    WEIR_ENUM_COLOURING,       /* weir_colouring: "speed" */
    WEIR_ENUM_METHOD,          /* what solver.method may be: "pbf" */
} weir_enum;

/* The name of one value; NULL when the enumeration does not have the value. Lives as long as the
 * program. */
WEIR_API const char *weir_enum_name(weir_enum of, uint32_t value);

typedef enum weir_log_level {
    WEIR_LOG_ERROR,
    WEIR_LOG_WARNING,
    WEIR_LOG_INFO,
    WEIR_LOG_DEBUG,
} weir_log_level;

/* Where messages go. A log of zeros is silent. Any thread may call `write`, also several at the
 * same time. `text` is one message without a final newline and dies with the call. */
typedef struct weir_log {
    void (*write)(void *user, weir_log_level level, const char *text);
    void *user;           /* handed to `write`; it must live as long as what the log is given to */
    weir_log_level level; /* the last that is written: WARNING hides INFO and DEBUG */
} weir_log;

#ifdef __cplusplus
}
#endif
#endif
