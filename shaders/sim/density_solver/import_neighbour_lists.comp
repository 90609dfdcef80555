// Converts the host program's neighbour lists, in its own order, to wide lists; one invocation per particle.
// Density solver only. A particle is not its own neighbour. Entries that name no particle are left out and
// counted. A list that does not fit raises a flag, as in grid/build_neighbour_lists.comp. pass.constant:
// number of entries in all given lists.
#version 460
#include "bindings/sim.glsl"

ATOMIC(state);
ATOMIC(import_report);
BLOCK(grid);
READ_ANY(external_list_offsets);
READ_ANY(external_neighbours);
WRITE_OWN(sort_sources);
WRITE_OWN(neighbour_lists);
WRITE_OWN(neighbour_headers);

uint own, first_step, list_room;
uvec4 entries; // entries of the list step being filled

void append_neighbour(uint k, uint j)
{
    entries[k % GRID_LIST_STEP] = j;
    if (k % GRID_LIST_STEP == GRID_LIST_STEP - 1u && k < list_room)
        neighbour_lists[first_step + k / GRID_LIST_STEP * GRID_LIST_INTERLEAVE] = entries;
}

void main()
{
    uint i = pass.first + invocation_index();
    if (i >= state.count) return;
    sort_sources[i] = i;
    own = i;
    list_room = grid.list_capacity;
    first_step = grid_list_index(i - pass.first, 0u, list_room);
    uint first = min(external_list_offsets[i], pass.constant);
    uint last = clamp(external_list_offsets[i + 1u], first, pass.constant), particles = state.count;
    uint longest = min(last, first + SIM_EXTERNAL_MAX_NEIGHBOURS), count = 0u, strays = 0u;
    for (uint k = first; k < longest; k++) {
        uint j = external_neighbours[k];
        bool wanted = j < particles && j != own;
        strays += j < particles ? 0u : 1u;
        if (wanted) append_neighbour(count++, j);
    }
    count += last - longest;
    if (strays > 0u) atomicAdd(import_report.invalid_entries, strays);
    neighbour_headers[i] = min(count, list_room);
    for (uint k = count; k % GRID_LIST_STEP != 0u; k++) append_neighbour(k, own);
    if (count > list_room) {
        atomicOr(state.flags, GRID_OVERFLOW_LISTS);
        atomicMax(state.needed_list_capacity, count);
    }
}
