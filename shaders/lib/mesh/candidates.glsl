// Collects the candidates of a block: the particles within whose reach its nodes may lie. The bins around the
// block are looked up once. Then each 4^3 part of the block collects candidates in rounds; each of its 8
// invocations reads every eighth bin, so that the order is fixed.
// Buffers: those of mesh/bins.glsl.
#ifndef MESH_CANDIDATES_GLSL
#define MESH_CANDIDATES_GLSL
#ifndef SORTED
#error "define SORTED before candidates.glsl: particle i, SORTED(i)"
#endif
#ifndef WALK_REACH2
#error "define WALK_REACH2 before candidates.glsl: the squared reach of a particle, WALK_REACH2(p)"
#endif
#ifndef WALK_EXTENT
#error "define WALK_EXTENT before candidates.glsl: how far a part's points lie beyond its first node"
#endif
#ifndef WALK_LIST
#error "define WALK_LIST before candidates.glsl: how many candidates an invocation collects in a round"
#endif
#include "mesh/bins.glsl"

shared uint walk_first[MESH_BIN_WINDOW_MAX * MESH_BIN_WINDOW_MAX * MESH_BIN_WINDOW_MAX];
shared uint walk_last[MESH_BIN_WINDOW_MAX * MESH_BIN_WINDOW_MAX * MESH_BIN_WINDOW_MAX];
shared uint walk_list[MESH_WORKGROUP * WALK_LIST];
shared uint walk_count[MESH_WORKGROUP];
shared uint walk_more[2];

float walk_inverse_side, walk_inverse_window;
uint walk_side;   // bins along an axis around the block
uint walk_window; // bins along an axis that one part searches
uint walk_bin, walk_at, walk_end; // where the next round continues

// Returns the three digits of a number below 1000 to the base n = 1 / inverse, n < 10, without a division.
uvec3 walk_digits(uint k, uint n, float inverse)
{
    uint a = uint((float(k) + 0.5) * inverse), b = uint((float(a) + 0.5) * inverse);
    return uvec3(k - a * n, a - b * n, b);
}

void walk_look_up(ivec3 block)
{
    uint side = walk_side;
    ivec3 first = (block << (3 - int(params.bin_shift))) - int(params.bin_reach);
    for (uint k = gl_LocalInvocationIndex; k < side * side * side; k += MESH_WORKGROUP) {
        uvec2 range = mesh_bin_range(first + ivec3(walk_digits(k, side, walk_inverse_side)));
        walk_first[k] = range.x;
        walk_last[k] = range.y;
    }
}

// Returns the index in walk_first of bin k of a part's window.
uint walk_bin_number(uint k, uvec3 part)
{
    uvec3 b = walk_digits(k, walk_window, walk_inverse_window) + (params.bin_shift == 2u ? part : uvec3(0u));
    return b.x + walk_side * (b.y + walk_side * b.z);
}

void walk_open(uvec3 part)
{
    bool any_left = walk_bin < walk_window * walk_window * walk_window;
    uint bin = any_left ? walk_bin_number(walk_bin, part) : 0u;
    walk_at = any_left ? walk_first[bin] : 0u;
    walk_end = any_left ? walk_last[bin] : 0u;
}

// Looks up the bins and starts the search. Every invocation of the workgroup must call it.
void body_iterator_begin(ivec3 block, uvec3 part, uint lane)
{
    walk_window = 2u * params.bin_reach + 1u;
    walk_side = walk_window + (params.bin_shift == 2u ? 1u : 0u);
    walk_inverse_side = 1.0 / float(walk_side);
    walk_inverse_window = 1.0 / float(walk_window);
    walk_look_up(block);
    if (gl_LocalInvocationIndex < 2u) walk_more[gl_LocalInvocationIndex] = 0u;
    barrier();
    walk_bin = lane;
    walk_open(part);
}

// Collects up to WALK_LIST candidates per invocation within reach of a part's box. `base` is the lower node
// of the block, in the coordinates of the particles; the box starts at base + 4 part and has the extent
// WALK_EXTENT. Returns false after the last round. Every invocation must call it.
bool walk_round(uint turn, uvec3 part, vec3 base)
{
    uint me = gl_LocalInvocationIndex, count = 0u;
    uint bins_left = walk_window * walk_window * walk_window;
    vec3 low = base + vec3(part) * 4.0, high = low + WALK_EXTENT;
    while (walk_bin < bins_left && count < WALK_LIST) {
        while (walk_at < walk_end && count < WALK_LIST) {
            vec4 p = SORTED(walk_at);
            vec3 away = max(max(low - p.xyz, p.xyz - high), vec3(0.0));
            if (dot(away, away) < WALK_REACH2(p)) walk_list[me * WALK_LIST + count++] = walk_at;
            walk_at++;
        }
        if (walk_at >= walk_end) {
            walk_bin += 8u;
            walk_open(part);
        }
    }
    walk_count[me] = count;
    if (walk_bin < bins_left) atomicOr(walk_more[turn & 1u], 1u);
    barrier();
    if (me == 0u) walk_more[(turn + 1u) & 1u] = 0u;
    return walk_more[turn & 1u] != 0u;
}
#endif
