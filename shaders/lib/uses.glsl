// What a kernel binds. A shader names each buffer and image once, by the word that says how its invocations
// touch it; the build makes C's table of the kernel from these words (cmake/shaders.cmake). The header of the
// folder in shaders/shared, or what the build makes of its table (sim_buffers.def), gives each name its
// number and its element:
//   #define SIM_BIND_velocity WEIR_ARRAY(4, vec4)
// and the folder's file in shaders/lib says which header serves: #define BIND(name) SIM_BIND_##name.
//
//   BLOCK(name)        reads a block that is the same for all; UNIFORM(name) by a uniform buffer
//   OWN_READ(name)     reads the element of the invocation's index; OWN_WRITE, OWN_UPDATE likewise
//   GATHER(name)       reads elements anywhere
//   FETCH(name)        the same of vec4 and ivec4, by FETCHED(name, i): CPU drivers take a whole texel at
//                      once where they read a storage buffer word by word, so a second variant of the shader
//                      (WEIR_TEXELS) has a texel buffer there. Same bits.
//   FETCH_FLOATS(name) the same of vec4 in memory whose texels are whole numbers, by FETCHED_FLOATS
//   SCATTER(name)      writes elements anywhere, each from one invocation at most
//   SCATTER_UPDATE     the same, and reads them
//   ATOMIC(name)       integer atomics whose result does not depend on their order
//   REDUCE(name)       reads and writes in one workgroup, or in a row of one invocation
//   SAMPLED(name)      reads an image anywhere
//   OWN_WRITE_IMAGE(name, format), OWN_UPDATE_IMAGE, SCATTER_IMAGE   a storage image
//
// WORKGROUP, defined before the includes, fixes the invocations of a workgroup; without it the device
// chooses. WORK(flops, pair_flops, pair_gathers) counts what one element and one of its pairs cost, for the
// profiler: an addition, a product, a comparison and an inverse square root are one operation each; gathers
// are bytes.
#extension GL_EXT_samplerless_texture_functions : enable
#include "glue.h"

#ifdef WEIR_LISTING
#define DECLARED(access, number, name, declaration) weir_use(access, number, name)
#define WORK(flops, pair_flops, pair_gathers) weir_work(flops, pair_flops, pair_gathers)
#else
#define DECLARED(access, number, name, declaration) declaration
#define WORK(flops, pair_flops, pair_gathers)
#endif

#define WEIR_ARRAY(number, type) number, type, ARRAY_OF
#define WEIR_STRUCT(number, type) number, type, STRUCT_OF
#define WEIR_IMAGE(number) number
#define ARRAY_OF(type, name) type name[]
#define STRUCT_OF(type, name) type name
#define READ_WRITE

#define BUFFER_OF(access, qualifier, number, type, of, name) \
    DECLARED(access, number, name, \
             layout(std430, binding = number) qualifier buffer name##_block { of(type, name); })
#define BUFFER(access, qualifier, bound, name) BUFFER_OF(access, qualifier, bound, name)

#define BLOCK(name) BUFFER(BLOCK, readonly, BIND(name), name)
#define UNIFORM_OF(number, type, of, name) \
    DECLARED(BLOCK, number, name, layout(std140, binding = number) uniform name##_block { of(type, name); })
#define UNIFORM_BUFFER(bound, name) UNIFORM_OF(bound, name)
#define UNIFORM(name) UNIFORM_BUFFER(BIND(name), name)
#define OWN_READ(name) BUFFER(OWN_READ, readonly, BIND(name), name)
#define OWN_WRITE(name) BUFFER(OWN_WRITE, writeonly, BIND(name), name)
#define OWN_UPDATE(name) BUFFER(OWN_UPDATE, READ_WRITE, BIND(name), name)
#define GATHER(name) BUFFER(GATHER, readonly, BIND(name), name)
#define SCATTER(name) BUFFER(SCATTER, writeonly, BIND(name), name)
#define SCATTER_UPDATE(name) BUFFER(ATOMIC, READ_WRITE, BIND(name), name)
#define ATOMIC(name) BUFFER(ATOMIC, READ_WRITE, BIND(name), name)
#define REDUCE(name) BUFFER(REDUCE, READ_WRITE, BIND(name), name)

#define TEXELS_vec4 samplerBuffer
#define TEXELS_ivec4 isamplerBuffer
#define FETCH_OF(number, sampler, name) \
    DECLARED(FETCH, number, name, layout(binding = number) uniform sampler name)
#define SAMPLER_OF(type) TEXELS_##type
#define TEXELS_OF(number, type, of, name) \
    FETCH_OF(number, SAMPLER_OF(type), name)
#define TEXELS(bound, name) TEXELS_OF(bound, name)
#if defined(WEIR_TEXELS) || defined(WEIR_LISTING)
#define FETCH(name) TEXELS(BIND(name), name)
#define FETCHED(name, i) texelFetch(name, int(i))
#define FETCH_FLOATS_OF(number, type, of, name) FETCH_OF(number, isamplerBuffer, name)
#define FETCH_FLOATS_BUFFER(bound, name) FETCH_FLOATS_OF(bound, name)
#define FETCH_FLOATS(name) FETCH_FLOATS_BUFFER(BIND(name), name)
#define FETCHED_FLOATS(name, i) intBitsToFloat(texelFetch(name, int(i)))
#else
#define FETCH(name) GATHER(name)
#define FETCHED(name, i) name[i]
#define FETCH_FLOATS(name) GATHER(name)
#define FETCHED_FLOATS(name, i) name[i]
#endif

#define IMAGE_OF(access, number, name, declaration) DECLARED(access, number, name, declaration)
#define SAMPLED(name) IMAGE_OF(GATHER, BIND(name), name, layout(binding = BIND(name)) uniform texture2D name)
#define OWN_WRITE_IMAGE(name, format) \
    IMAGE_OF(OWN_WRITE, BIND(name), name, layout(binding = BIND(name), format) writeonly uniform image2D name)
#define OWN_UPDATE_IMAGE(name, format) \
    IMAGE_OF(OWN_UPDATE, BIND(name), name, layout(binding = BIND(name), format) uniform image2D name)
#define SCATTER_IMAGE(name, format) \
    IMAGE_OF(SCATTER, BIND(name), name, layout(binding = BIND(name), format) writeonly uniform image2D name)

// A folder's header lists its specialization constants once, for C too: MESH_CONSTANTS(FLAG, NUMBER).
#define FLAG(id, name) layout(constant_id = id) const bool name = false;
#define NUMBER(id, name) layout(constant_id = id) const uint name = 0u;

#ifndef WORKGROUP
#define WORKGROUP 0
#endif
#ifdef WEIR_LISTING
weir_workgroup(WORKGROUP)
#endif
