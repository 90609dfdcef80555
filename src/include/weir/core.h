/* Basics that every other header includes: version macros, result codes, names of enumerators, and
 * the log. weir/weir.h has the rules that hold for all functions. */
#ifndef WEIR_CORE_PUBLIC_H
#define WEIR_CORE_PUBLIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* On Windows, cmake/exports.map lists the exports for the linker. */
#if defined(__GNUC__) && !defined(_WIN32)
#define WEIR_API __attribute__((visibility("default")))
#else
#define WEIR_API
#endif

/* Follows WEIR_API on a function that the next major version lacks; compilers warn where it is
 * called, with `text`, which names its successor. docs/compatibility.md has the policy. */
#if defined(__GNUC__)
#define WEIR_DEPRECATED(text) __attribute__((deprecated(text)))
#elif defined(_MSC_VER)
#define WEIR_DEPRECATED(text) __declspec(deprecated(text))
#else
#define WEIR_DEPRECATED(text)
#endif

#define WEIR_VERSION_MAJOR 1
#define WEIR_VERSION_MINOR 0
#define WEIR_VERSION_PATCH 0

/* Returns the version of the library, such as "1.0.0", which may differ from the header's. The
 * string lives as long as the program. Any thread. */
WEIR_API const char *weir_version(void);

/* How a call ended. */
typedef enum weir_result {
    WEIR_OK = 0,
    WEIR_ERROR_ARGUMENT,    /* an argument breaks the rules of these headers */
    WEIR_ERROR_SCENE,       /* the scene contains an error */
    WEIR_ERROR_IO,          /* a file cannot be read, written or parsed */
    WEIR_ERROR_MEMORY,      /* host or device memory ran out */
    WEIR_ERROR_UNSUPPORTED, /* the device or the build lacks a feature */
    WEIR_ERROR_DEVICE_LOST, /* the device is lost; all later calls on it return this too */
    WEIR_ERROR_UNSTABLE,    /* the simulation has non-finite values; its state can still be read */
} weir_result;

/* Returns a short name, such as "out of memory", which lives as long as the program. Any thread. */
WEIR_API const char *weir_result_name(weir_result result);

/* Enumerations whose values have names in commands and files. The name of a file format is its file
 * extension. */
typedef enum weir_enum {
    WEIR_ENUM_FIELD,           /* weir_field: "position" */
    WEIR_ENUM_PARTICLE_FORMAT, /* weir_particle_format: "ply" */
    WEIR_ENUM_MESH_FORMAT,     /* weir_mesh_format: "obj" */
    WEIR_ENUM_RENDER_MODE,     /* weir_render_mode: "surface" */
    WEIR_ENUM_COLOURING,       /* weir_colouring: "speed" */
    WEIR_ENUM_COLOUR_MAP,      /* weir_colour_map: "viridis" */
    WEIR_ENUM_METHOD,          /* values of solver.method: "pbf" */
    WEIR_ENUM_PARTICLE_FILE,   /* extensions of particle files that can be read: "vtu" */
    WEIR_ENUM_MESH_FILE,       /* extensions of mesh files that can be read: "stl" */
    WEIR_ENUM_LOOK,            /* values of look.preset: "studio" */
} weir_enum;

/* Returns the name of a value, or NULL when the enumeration `of` has no such value. The string
 * lives as long as the program. Any thread. */
WEIR_API const char *weir_enum_name(weir_enum of, uint32_t value);

/* Severity of a message, the most severe first. */
typedef enum weir_log_level {
    WEIR_LOG_ERROR,
    WEIR_LOG_WARNING,
    WEIR_LOG_INFO,
    WEIR_LOG_DEBUG,
} weir_log_level;

/* Receives messages. A zeroed log is silent. Any thread may call `write`, several of them at the
 * same time. `text` is one message without a final newline, valid until `write` returns. */
typedef struct weir_log {
    void (*write)(void *user, weir_log_level level, const char *text);
    void *user;           /* passed to `write`; must outlive the object that the log was given to */
    weir_log_level level; /* least severe level that is written: WARNING hides INFO and DEBUG */
} weir_log;

#ifdef __cplusplus
}
#endif
#endif
