/* api: checks the arguments of public functions. */
#ifndef WEIR_API_REQUIRE_H
#define WEIR_API_REQUIRE_H

#include "base.h"

/* The public function that this thread runs; argument errors begin with its name, also those of the
 * internal functions that it calls. When one public function calls another, the inner name remains
 * until the next WEIR_REQUIRE of the outer one. */
extern _Thread_local const char *api_function;

/* Remembers the function if it is a public one. */
static inline void api_enter(const char *function)
{
    if (strncmp(function, "weir_", 5) == 0) api_function = function;
}

/* Logs an invalid argument and evaluates to WEIR_ERROR_ARGUMENT. The message must have arguments;
 * use WEIR_REQUIRE for one that has none. */
#define api_argument_error(log, format, ...) \
    base_fail((log), WEIR_ERROR_ARGUMENT, "%s: " format, api_function, __VA_ARGS__)

/* Checks a rule. Each public function begins with such a check, which records its name. */
#define WEIR_REQUIRE(log, condition, rule)                                \
    do {                                                                  \
        api_enter(__func__);                                              \
        if (!(condition)) return api_argument_error((log), "%s", (rule)); \
    } while (0)
#define WEIR_REQUIRE_NOT_NULL(log, pointer) \
    WEIR_REQUIRE(log, pointer, "`" #pointer "` must not be NULL")
/* Checks an out-parameter for a new object, and sets it to NULL until the object is complete. */
#define WEIR_REQUIRE_OUT(log, out)       \
    do {                                 \
        WEIR_REQUIRE_NOT_NULL(log, out); \
        *(out) = NULL;                   \
    } while (0)
/* Checks that the def was filled in by weir_KIND_def_default(). */
#define WEIR_REQUIRE_DEF(log, def, mark, kind)                                      \
    do {                                                                            \
        WEIR_REQUIRE_NOT_NULL(log, def);                                            \
        WEIR_REQUIRE(log, (def)->cookie == (mark),                                  \
                     "the def must be initialised by weir_" kind "_def_default()"); \
    } while (0)

/* Cookies written by *_def_default(), one per kind of def. */
#define API_HOST_COOKIE 0x57454101u
#define API_SUBMIT_COOKIE 0x57455501u
#define API_TARGET_COOKIE 0x57457401u
#define API_DRAW_COOKIE 0x57456401u
#define API_DEVICE_COOKIE 0x57454401u
#define API_SCENE_COOKIE 0x57455301u
#define API_MESHER_COOKIE 0x57454d01u
#define API_MESHER_UNKNOWN_PRESET 0x57454d00u
#define API_OUTPUT_COOKIE 0x57454f01u
#define API_POINTS_COOKIE 0x57455001u
#define API_SIM_START_COOKIE 0x57455301u
#define API_FILTER_COOKIE 0x57456c01u
#define API_MESH_LOAD_COOKIE 0x57457201u
#define API_MESH_SAVE_COOKIE 0x57456601u
#define API_REFINE_COOKIE 0x57456e01u

#endif
