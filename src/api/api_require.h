/* api: checks the arguments of public functions. */
#ifndef WEIR_API_REQUIRE_H
#define WEIR_API_REQUIRE_H

#include "base.h"

/* Reports an invalid argument. The message states the broken rule and the public function; internal
 * functions are not named. */
static inline weir_result api_argument_error(const weir_log *log, const char *function,
                                             const char *rule)
{
    bool public = strncmp(function, "weir_", 5) == 0;
    return base_fail(log, WEIR_ERROR_ARGUMENT, "%s%s%s", public ? function : "", public ? ": " : "",
                     rule);
}
#define WEIR_REQUIRE(log, condition, rule)                                    \
    do {                                                                      \
        if (!(condition)) return api_argument_error((log), __func__, (rule)); \
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
#define WEIR_REQUIRE_DEF(log, def, mark, kind)                              \
    do {                                                                    \
        WEIR_REQUIRE_NOT_NULL(log, def);                                    \
        WEIR_REQUIRE(log, (def)->cookie == (mark),                          \
                     "the def must come from weir_" kind "_def_default()"); \
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
#define API_MESH_SAVE_COOKIE 0x57456601u
#define API_REFINE_COOKIE 0x57456e01u

#endif
