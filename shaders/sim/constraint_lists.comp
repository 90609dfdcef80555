// The density constraint alone: the caller's neighbour lists, in the caller's order, as wide lists. A
// particle is not its own neighbour. Entries that name no particle are left out and counted. A list that does
// not fit raises a flag, as in lists.comp. row.constant: entries that were given.
#version 460
#include "bindings/sim.glsl"

ATOMIC(state);
ATOMIC(taken);
BLOCK(grid);
READ_ANY(given_offsets);
READ_ANY(given_neighbours);
WRITE_OWN(sources);
WRITE_OWN(lists);
WRITE_OWN(headers);

uint own, first_step, room;
uvec4 entries; // of the step under way

void put(uint k, uint j)
{
    entries[k % GRID_LIST_STEP] = j;
    if (k % GRID_LIST_STEP == GRID_LIST_STEP - 1u && k < room)
        lists[first_step + k / GRID_LIST_STEP * GRID_LIST_BLOCK] = entries;
}

void main()
{
    uint i = row.first + row_index();
    if (i >= state.count) return;
    sources[i] = i;
    own = i;
    room = grid.list_capacity;
    first_step = grid_list_at(i - row.first, 0u, room);
    uint first = min(given_offsets[i], row.constant);
    uint last = clamp(given_offsets[i + 1u], first, row.constant), particles = state.count;
    uint longest = min(last, first + SIM_GIVEN_LISTED), count = 0u, strays = 0u;
    for (uint k = first; k < longest; k++) {
        uint j = given_neighbours[k];
        bool wanted = j < particles && j != own;
        strays += j < particles ? 0u : 1u;
        if (wanted) put(count++, j);
    }
    count += last - longest;
    if (strays > 0u) atomicAdd(taken.strays, strays);
    headers[i] = min(count, room);
    for (uint k = count; k % GRID_LIST_STEP != 0u; k++) put(k, own);
    if (count > room) {
        atomicOr(state.flags, GRID_OVERFLOW_LISTS);
        atomicMax(state.needed_list, count);
    }
}
