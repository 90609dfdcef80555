// Declares the bindings of a shader. A shader names each buffer and image once, with the macro for the access
// of its invocations; from these the build makes the C table of the shader's bindings (cmake/shaders.cmake).
// The header of the shader's folder in shaders/shared, or for the simulation the table sim_buffers.def from
// which the build generates it, gives each name its binding number and its element type:
//   #define SIM_BIND_velocities WEIR_ARRAY(41, vec4)
// and the folder's file in shaders/lib/bindings selects the header: #define BIND(name) SIM_BIND_##name.
//
//   BLOCK(name)              reads a block that all invocations share. It is a storage buffer: of a uniform
//                            buffer, lavapipe 22.3 copies the shader in each dispatch and keeps the copies
//                            (lvp_execute.c, update_inline_shader_state), 20 MB a picture.
//   READ_OWN(name)           reads the element at the invocation's index; also WRITE_OWN, UPDATE_OWN
//   READ_ANY(name)           reads any elements
//   READ_TEXELS(name)        reads any elements of type vec4 or ivec4, by TEXEL(name, i). CPU drivers load a
//                            whole texel at once, but a storage buffer word by word, so a second variant of
//                            the shader (WEIR_TEXELS) uses a texel buffer. The bits are the same.
//   READ_FLOAT_TEXELS(name)  the same for vec4 in memory whose texels are integers, by FLOAT_TEXEL
//   WRITE_ANY(name)          writes any elements, each from at most one invocation
//   UPDATE_ANY(name)         reads and writes any elements, each from at most one invocation
//   ATOMIC(name)             integer atomics whose result does not depend on their order
//   SHARE_ANY(name)          reads and writes any elements, also those that other invocations have written,
//                            after a barrier in the workgroup or as the last workgroup to arrive
//   REDUCTION(name)          reads and writes in one workgroup, or in a pass of one invocation
//   READ_SOLIDS()            READ_ANY of the buffers of solids
//   READ_IMAGE_ANY(name)            reads any texels of an image
//   WRITE_OWN_IMAGE(name, format), UPDATE_OWN_IMAGE, WRITE_ANY_IMAGE   a storage image
//
// WORKGROUP, defined before the includes, fixes the workgroup size; otherwise it is chosen for the device.
// TEXELS_WORKGROUP fixes another one for the variant of WEIR_TEXELS.
// WORK_ESTIMATE(flops, pair_flops, pair_gathers) states the cost of one element and of one of its pairs for
// the profiler: an addition, a product, a comparison and an inverse square root are one operation each;
// gathers are in bytes.
#ifndef BINDINGS_BINDINGS_GLSL
#define BINDINGS_BINDINGS_GLSL
#extension GL_EXT_samplerless_texture_functions : enable
#include "glue.h"

#ifdef WEIR_LISTING
#define DECLARE_BINDING(access, number, name, declaration) weir_binding(access, number, name)
#define WORK_ESTIMATE(flops, pair_flops, pair_gathers) weir_work(flops, pair_flops, pair_gathers)
#else
#define DECLARE_BINDING(access, number, name, declaration) declaration
#define WORK_ESTIMATE(flops, pair_flops, pair_gathers)
#endif

#define WEIR_ARRAY(number, type) number, type, ARRAY_OF
#define WEIR_STRUCT(number, type) number, type, STRUCT_OF
#define WEIR_IMAGE(number) number
#define ARRAY_OF(type, name) type name[]
#define STRUCT_OF(type, name) type name
#define READ_WRITE

#define BUFFER_OF(access, qualifier, number, type, of, name) \
    DECLARE_BINDING(access, number, name, \
             layout(std430, binding = number) qualifier buffer name##_block { of(type, name); })
#define BUFFER(access, qualifier, bound, name) BUFFER_OF(access, qualifier, bound, name)

#define BLOCK(name) BUFFER(BLOCK, readonly, BIND(name), name)
#define READ_OWN(name) BUFFER(READ_OWN, readonly, BIND(name), name)
#define WRITE_OWN(name) BUFFER(WRITE_OWN, writeonly, BIND(name), name)
#define UPDATE_OWN(name) BUFFER(UPDATE_OWN, READ_WRITE, BIND(name), name)
#define READ_ANY(name) BUFFER(READ_ANY, readonly, BIND(name), name)
#define WRITE_ANY(name) BUFFER(WRITE_ANY, writeonly, BIND(name), name)
#define UPDATE_ANY(name) BUFFER(ATOMIC, READ_WRITE, BIND(name), name)
#define ATOMIC(name) BUFFER(ATOMIC, READ_WRITE, BIND(name), name)
#define SHARE_ANY(name) BUFFER(ATOMIC, coherent, BIND(name), name)
#define REDUCTION(name) BUFFER(REDUCTION, READ_WRITE, BIND(name), name)

// The buffers of solids that sdf/items.glsl and sdf/volume.glsl read.
#define READ_SOLIDS() READ_ANY(items); READ_ANY(solid_nodes); READ_ANY(solid_volumes); READ_ANY(poses)

#define TEXELS_vec4 samplerBuffer
#define TEXELS_ivec4 isamplerBuffer
#define TEXEL_BUFFER(number, sampler, name) \
    DECLARE_BINDING(READ_TEXELS, number, name, layout(binding = number) uniform sampler name)
#define SAMPLER_OF(type) TEXELS_##type
#define TEXELS_OF(number, type, of, name) \
    TEXEL_BUFFER(number, SAMPLER_OF(type), name)
#define TEXELS(bound, name) TEXELS_OF(bound, name)
#if defined(WEIR_TEXELS) || defined(WEIR_LISTING)
#define READ_TEXELS(name) TEXELS(BIND(name), name)
#define TEXEL(name, i) texelFetch(name, int(i))
#define FLOAT_TEXELS_OF(number, type, of, name) TEXEL_BUFFER(number, isamplerBuffer, name)
#define FLOAT_TEXELS(bound, name) FLOAT_TEXELS_OF(bound, name)
#define READ_FLOAT_TEXELS(name) FLOAT_TEXELS(BIND(name), name)
#define FLOAT_TEXEL(name, i) intBitsToFloat(texelFetch(name, int(i)))
#else
#define READ_TEXELS(name) READ_ANY(name)
#define TEXEL(name, i) name[i]
#define READ_FLOAT_TEXELS(name) READ_ANY(name)
#define FLOAT_TEXEL(name, i) name[i]
#endif

#define IMAGE_OF(access, number, name, declaration) DECLARE_BINDING(access, number, name, declaration)
#define READ_IMAGE_ANY(name) \
    IMAGE_OF(READ_ANY, BIND(name), name, layout(binding = BIND(name)) uniform texture2D name)
#define WRITE_OWN_IMAGE(name, format) \
    IMAGE_OF(WRITE_OWN, BIND(name), name, layout(binding = BIND(name), format) writeonly uniform image2D name)
#define UPDATE_OWN_IMAGE(name, format) \
    IMAGE_OF(UPDATE_OWN, BIND(name), name, layout(binding = BIND(name), format) uniform image2D name)
#define WRITE_ANY_IMAGE(name, format) \
    IMAGE_OF(WRITE_ANY, BIND(name), name, layout(binding = BIND(name), format) writeonly uniform image2D name)

// A folder's header lists its specialization constants once, for GLSL and C: MESH_CONSTANTS(FLAG, NUMBER).
#define FLAG(id, name) layout(constant_id = id) const bool name = false;
#define NUMBER(id, name) layout(constant_id = id) const uint name = 0u;

#ifndef WORKGROUP
#define WORKGROUP 0
#endif
#ifndef TEXELS_WORKGROUP
#define TEXELS_WORKGROUP WORKGROUP
#endif
#ifdef WEIR_LISTING
weir_workgroup(WORKGROUP, TEXELS_WORKGROUP)
#endif
#endif
