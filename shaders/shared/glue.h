/* Makes shared headers valid in both C and GLSL. A block is a struct of 32-bit scalars, vec2,
 * uvec2, vec4, ivec4, uvec4 and mat4 (no vec3), with the std430 layout and no implicit padding. */
#ifndef WEIR_SHARED_GLUE_H
#define WEIR_SHARED_GLUE_H

#ifdef __STDC_VERSION__
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
typedef uint32_t uint;
typedef struct vec2 {
    _Alignas(8) float x;
    float y;
} vec2;
typedef struct uvec2 {
    _Alignas(8) uint32_t x;
    uint32_t y;
} uvec2;
typedef struct vec4 {
    _Alignas(16) float x;
    float y, z, w;
} vec4;
typedef struct ivec4 {
    _Alignas(16) int32_t x;
    int32_t y, z, w;
} ivec4;
typedef struct uvec4 {
    _Alignas(16) uint32_t x;
    uint32_t y, z, w;
} uvec4;
typedef struct mat4 {
    vec4 columns[4];
} mat4;
#define WEIR_SIZE_CHECK(type, bytes) \
    static_assert(sizeof(type) == (bytes), #type " changed its size")
/* Binding number and element type: shaders/lib/bindings/bindings.glsl. In C, the number alone. */
#define WEIR_ARRAY(number, type) number##u
#define WEIR_STRUCT(number, type) number##u
#define WEIR_IMAGE(number) number##u
#else
#define WEIR_SIZE_CHECK(type, bytes)
#endif

#endif
