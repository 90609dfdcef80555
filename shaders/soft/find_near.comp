// One invocation a vertex: lists the vertices whose way through the substep comes so near to its own that
// they may meet in this iteration. They stand in ascending order, whatever the order in their buckets.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(softs);
READ_ANY(soft_owners);
READ_ANY(soft_states);
READ_ANY(soft_moves);
READ_ANY(soft_rests);
READ_ANY(soft_buckets);
READ_ANY(soft_bins);
UPDATE_ANY(soft_nears);
BLOCK(soft_crowd);
#include "deformable/vertex_hash.glsl"
#include "deformable/vertex_contact.glsl"

// Puts vertex k where it belongs among the first `count` of a list; the highest falls out of a full one.
void insert(uint at, uint count, uint k)
{
    uint place = at + 1u + min(count, SOFT_NEAR_MOST - 1u);
    if (count >= SOFT_NEAR_MOST && soft_nears[place] < k) return;
    while (place > at + 1u && soft_nears[place - 1u] > k) {
        soft_nears[place] = soft_nears[place - 1u];
        place--;
    }
    soft_nears[place] = k;
}

void main()
{
    uint i = row_index(), at = i * SOFT_NEAR_WORDS, count = 0u;
    RETURN_IF_SOLVED(i >= row.constant);
    ivec3 own = soft_bins[i].xyz;
    for (uint n = 0u; n < 27u; n++) {
        ivec3 cell = own + ivec3(n % 3u, n / 3u % 3u, n / 9u) - 1;
        uint k = soft_buckets[bin_bucket(cell)];
        while (k != SOFT_NONE) {
            ivec4 bin = soft_bins[k];
            bool held = soft_moves[i].w == 0.0 && soft_moves[k].w == 0.0;
            if (bin.xyz == cell && k != i && !held) {
                soft_pair pair = pair_of(i, k);
                if (pair.thickness > 0.0 && pair_nearest(pair) < SOFT_NEAR_SLACK * pair.thickness)
                    insert(at, count++, k);
            }
            k = uint(bin.w);
        }
    }
    soft_nears[at] = count;
}
