// Arrays of vec4 that are read anywhere. Compiled with WEIR_TEXELS they are uniform texel buffers: CPU
// drivers fetch a whole texel at once where they read a storage buffer word by word. Same bits.
// A GATHER_WHOLE_BLOCK is one of ivec4; what it holds of floats is GATHERED_FLOATS.
#ifdef WEIR_TEXELS
#define GATHER_BLOCK(slot, name) layout(binding = slot) uniform samplerBuffer name
#define GATHER_WHOLE_BLOCK(slot, name) layout(binding = slot) uniform isamplerBuffer name
#define GATHERED(name, i) texelFetch(name, int(i))
#else
#define GATHER_BLOCK(slot, name) \
    layout(std430, binding = slot) readonly buffer name##_block { vec4 name[]; }
#define GATHER_WHOLE_BLOCK(slot, name) \
    layout(std430, binding = slot) readonly buffer name##_block { ivec4 name[]; }
#define GATHERED(name, i) name[i]
#endif
#define GATHERED_FLOATS(name, i) intBitsToFloat(GATHERED(name, i))
