// Included by every compute shader of the renderer: bindings, constants, and the pixel of an invocation.
#ifndef BINDINGS_RENDER_GLSL
#define BINDINGS_RENDER_GLSL
#include "render.h"
#define BIND(name) RENDER_BIND_##name
#define WORKGROUP 64 // a tile of 8 x 8 pixels, or 64 pixels of a line
#include "bindings/dispatch.glsl"

RENDER_CONSTANTS(FLAG)

// Returns the pixel of an invocation. Pixels are ordered in tiles of 8 x 8, so that neighbours share caches.
ivec2 pixel_from_index(uint index, ivec2 size)
{
    uint tiles = uint(size.x + 7) / 8u, tile = index / 64u, inside = index % 64u;
    return ivec2(int(tile % tiles * 8u + inside % 8u), int(tile / tiles * 8u + inside / 8u));
}

bool pixel_outside(ivec2 p, ivec2 size) { return p.x >= size.x || p.y >= size.y; }
#endif
