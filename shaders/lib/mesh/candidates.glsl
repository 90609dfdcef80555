// Collects the candidates of a block: the particles within whose reach its nodes may lie. The bins around the
// block are looked up once. Then each 4^3 part of the block collects candidates in rounds; each of its first
// 8 invocations, the collectors, reads every eighth bin, so that the order is fixed.
// Buffers: those of mesh/bins.glsl.
#ifndef MESH_CANDIDATES_GLSL
#define MESH_CANDIDATES_GLSL
#ifndef SORTED
#error "define SORTED before candidates.glsl: particle i, SORTED(i)"
#endif
#ifndef CANDIDATE_REACH2
#define CANDIDATE_REACH2(p, reach2) (reach2) // the squared reach of particle p; reach2: the params' reach
#endif
#ifndef CANDIDATE_EXTENT
#error "define CANDIDATE_EXTENT before candidates.glsl: how far a part's points lie beyond its first node"
#endif
#ifndef CANDIDATE_LIST
#error "define CANDIDATE_LIST before candidates.glsl: how many candidates a collector finds in a round"
#endif
#include "mesh/bins.glsl"

shared uint candidate_first[MESH_BIN_WINDOW_MAX * MESH_BIN_WINDOW_MAX * MESH_BIN_WINDOW_MAX];
shared uint candidate_last[MESH_BIN_WINDOW_MAX * MESH_BIN_WINDOW_MAX * MESH_BIN_WINDOW_MAX];
#ifdef WEIR_TEXELS
const uint CANDIDATE_PART_LANES = MESH_TEXELS_WORKGROUP / 8u; // invocations of a part
#else
const uint CANDIDATE_PART_LANES = MESH_WIDE_WORKGROUP / 8u;
#endif
// Particles that an invocation loads before it uses the first, so that a GPU waits for several at once. CPU
// drivers do not wait.
#ifdef WEIR_TEXELS
const uint CANDIDATE_BATCH = 1u;
#else
const uint CANDIDATE_BATCH = 4u;
#endif
const uint CANDIDATE_LISTS = 64u; // 8 collectors in each of 8 parts
shared uint candidate_list[CANDIDATE_LISTS * CANDIDATE_LIST];
shared uint candidate_count[CANDIDATE_LISTS];
shared uint candidate_more[2];

float candidate_inverse_side, candidate_inverse_window;
#ifdef WEIR_TEXELS
float candidate_reach2; // read once: CPU drivers load from a buffer lane by lane
#else
#define candidate_reach2 (params.reach * params.reach) // a register less for GPUs
#endif
uint candidate_side;   // bins along an axis around the block
uint candidate_window; // bins along an axis that one part searches
uint candidate_bin, candidate_at, candidate_end; // where the next round continues

// Returns the three digits of a number below 1000 to the base n = 1 / inverse, n < 10, without a division.
uvec3 candidate_bin_digits(uint k, uint n, float inverse)
{
    uint a = uint((float(k) + 0.5) * inverse), b = uint((float(a) + 0.5) * inverse);
    return uvec3(k - a * n, a - b * n, b);
}

// Return number k of a batch that begins with particle `at`, and whether it is past the end; in its place the
// last is loaded.
uint candidate_in_batch(uint at, uint k, uint end) { return k == 0u ? at : min(at + k, end - 1u); }
bool candidate_is_past_end(uint at, uint k, uint end) { return k > 0u && at + k >= end; }

bool candidate_is_collector(uint lane)
{
    return CANDIDATE_PART_LANES == 8u || lane % CANDIDATE_PART_LANES < 8u;
}

// Returns the number of the list of a collector, `me` of the workgroup.
uint candidate_list_of(uint me)
{
    return CANDIDATE_PART_LANES == 8u ? me : me / CANDIDATE_PART_LANES * 8u + me % CANDIDATE_PART_LANES;
}

void candidate_look_up_bins(ivec3 block)
{
    uint side = candidate_side;
    ivec3 first = (block << (3 - int(params.bin_shift))) - int(params.bin_reach);
    for (uint k = gl_LocalInvocationIndex; k < side * side * side; k += gl_WorkGroupSize.x) {
        uvec2 range = mesh_bin_range(first + ivec3(candidate_bin_digits(k, side, candidate_inverse_side)));
        candidate_first[k] = range.x;
        candidate_last[k] = range.y;
    }
}

// Returns the index in candidate_first of bin k of a part's window.
uint candidate_bin_number(uint k, uvec3 part)
{
    uvec3 b = candidate_bin_digits(k, candidate_window, candidate_inverse_window) +
              (params.bin_shift == 2u ? part : uvec3(0u));
    return b.x + candidate_side * (b.y + candidate_side * b.z);
}

void candidate_open_bin(uvec3 part)
{
    bool any_left = candidate_bin < candidate_window * candidate_window * candidate_window;
    uint bin = any_left ? candidate_bin_number(candidate_bin, part) : 0u;
    candidate_at = any_left ? candidate_first[bin] : 0u;
    candidate_end = any_left ? candidate_last[bin] : 0u;
}

// Looks up the bins and starts the search. `lane`: the invocation's number in its part. Every invocation of
// the workgroup must call it.
void candidate_search_begin(ivec3 block, uvec3 part, uint lane)
{
#ifdef WEIR_TEXELS
    candidate_reach2 = params.reach * params.reach;
#endif
    candidate_window = 2u * params.bin_reach + 1u;
    candidate_side = candidate_window + (params.bin_shift == 2u ? 1u : 0u);
    candidate_inverse_side = 1.0 / float(candidate_side);
    candidate_inverse_window = 1.0 / float(candidate_window);
    candidate_look_up_bins(block);
    if (gl_LocalInvocationIndex < 2u) candidate_more[gl_LocalInvocationIndex] = 0u;
    barrier();
    candidate_bin = candidate_is_collector(lane) ? lane : MESH_NOT_FOUND;
    candidate_open_bin(part);
}

// Ends the search of a part that needs no candidates.
void candidate_search_skip() { candidate_bin = MESH_NOT_FOUND; }

// Collects up to CANDIDATE_LIST candidates per collector within reach of a part's box. `base` is the lower
// node of the block, in the coordinates of the particles; the box starts at base + 4 part and has the extent
// CANDIDATE_EXTENT. Returns false after the last round. Every invocation must call it.
bool candidate_collect_round(uint round_index, uvec3 part, vec3 base)
{
    uint me = gl_LocalInvocationIndex, list = candidate_list_of(me), count = 0u;
    uint bins_left = candidate_window * candidate_window * candidate_window;
    vec3 low = base + vec3(part) * 4.0, high = low + CANDIDATE_EXTENT;
    while (candidate_bin < bins_left && count < CANDIDATE_LIST) {
        while (candidate_at < candidate_end && count < CANDIDATE_LIST) {
            vec4 p[CANDIDATE_BATCH];
            for (uint k = 0u; k < CANDIDATE_BATCH; k++)
                p[k] = SORTED(candidate_in_batch(candidate_at, k, candidate_end));
            for (uint k = 0u; k < CANDIDATE_BATCH; k++) {
                if (k > 0u && (candidate_at >= candidate_end || count >= CANDIDATE_LIST)) break;
                vec3 away = max(max(low - p[k].xyz, p[k].xyz - high), vec3(0.0));
                if (dot(away, away) < CANDIDATE_REACH2(p[k], candidate_reach2))
                    candidate_list[list * CANDIDATE_LIST + count++] = candidate_at;
                candidate_at++;
            }
        }
        if (candidate_at >= candidate_end) {
            candidate_bin += 8u;
            candidate_open_bin(part);
        }
    }
    if (candidate_is_collector(me)) candidate_count[list] = count;
    if (candidate_bin < bins_left) atomicOr(candidate_more[round_index & 1u], 1u);
    barrier();
    if (me == 0u) candidate_more[(round_index + 1u) & 1u] = 0u;
    return candidate_more[round_index & 1u] != 0u;
}

#ifdef WEIR_TEXELS
// Another way through a round's candidates, for CPU drivers whose subgroups are the 8 invocations of a part:
// each invocation loads one candidate of eight, and then all take them from one another. Such drivers load
// lane by lane, also where all want the same word. The order is the same.
#extension GL_KHR_shader_subgroup_shuffle : require
#define CANDIDATES_BY_EIGHTS
// Applies a macro to the lanes of the part; a loop takes longer.
#define CANDIDATE_EACH_LANE(F) F(0u) F(1u) F(2u) F(3u) F(4u) F(5u) F(6u) F(7u)

uint candidate_list_start[9]; // of each invocation's candidates among the part's

// Returns the number of the part's candidates in this round.
uint candidate_join_lists()
{
    uint own_count = candidate_count[gl_LocalInvocationIndex];
    candidate_list_start[0] = 0u;
    for (uint l = 0u; l < 8u; l++)
        candidate_list_start[l + 1u] = candidate_list_start[l] + subgroupShuffle(own_count, l);
    return candidate_list_start[8];
}

// Returns this invocation's of the eight candidates from number `first` on; after the last, the last again.
uint candidate_of_lane(uint first)
{
    uint number = min(first + gl_SubgroupInvocationID, candidate_list_start[8] - 1u), at = number;
    for (uint l = 1u; l < 8u; l++)
        if (number >= candidate_list_start[l]) at = number - candidate_list_start[l] + l * CANDIDATE_LIST;
    return candidate_list[gl_LocalInvocationIndex / 8u * 8u * CANDIDATE_LIST + at];
}

bool candidate_lane_is_past_end(uint first)
{
    return first + gl_SubgroupInvocationID >= candidate_list_start[8];
}
#endif
#endif
