// Ranges of the particles that a rank sends and of its ghosts: src/grid/parts.h. A neighbour's ghosts have
// the order of the particles that they copy.
// Buffers: state, parts.
#ifndef PARTICLES_HALO_GLSL
#define PARTICLES_HALO_GLSL

// Returns the number of particles before part k.
uint part_start(uint k) { return k < parts.held ? state.part_starts[k] : state.held; }

uint part_size(uint k) { return part_start(k + 1u) - part_start(k); }

// Returns the numbers of own particles in the edges of the left and the right side. The inner edge on the
// left precedes the outer one, in parts 1 and 2; on the right it follows, in the last own parts.
uvec2 edge_counts()
{
    uint left = parts.has_left != 0u ? part_start(3u) - part_start(1u) : 0u;
    return uvec2(left, parts.has_right != 0u ? state.live - part_start(parts.own - 2u) : 0u);
}

// Returns the index of the k-th particle of the edges on the left, or on the right.
uint edge_particle(uint k, bool right) { return part_start(right ? parts.own - 2u : 1u) + k; }

// Returns the index of ghost i in the message from its side, `right` or left. From the left the outer edge
// comes first, which is this rank's first layer of ghosts; from the right the inner one, its second layer.
uint index_of_ghost(uint i, out bool right)
{
    uint near_left = parts.own, near_right = parts.own + parts.has_left;
    uint far_left = parts.near, far_right = parts.near + parts.has_left;
    right = i >= part_start(far_left) ? i >= part_start(far_right) : i >= part_start(near_right);
    if (i < part_start(far_left))
        return right ? i - part_start(near_right) + part_size(far_right) : i - part_start(near_left);
    return right ? i - part_start(far_right) : i - part_start(far_left) + part_size(near_left);
}
#endif
