// What the fluid in a cell of the MAC grid does to the solid that closes a part of it, by pressure and by
// friction, before the faces are slowed. Needs what mac_contact.glsl needs, blocks, cells and items.
#include "mac_contact.glsl"

struct mac_push {
    vec3 force; // N
    vec3 place; // m: on the solid
    uint item;
    bool acts;
};

mac_push mac_find_push(uint block, uint cell)
{
    uint i = block * POISSON_CELLS + cell, item;
    mac_push push = mac_push(vec3(0.0), vec3(0.0), 0u, false);
    if (uintBitsToFloat(cells[i].w) >= 0.0) return push;
    ivec3 at = ivec3(blocks[block].at.xyz * POISSON_EDGE + poisson_local(cell));
    mac_contact contact = mac_touch_solid(i, mac_find_shares(i, at), at, item);
    if (contact.area == vec3(0.0)) return push;
    mac_middle middle = mac_find_middle(block, cell, at); // last: not to be held beside distances
    vec3 size = params.cell_size.xyz;
    float volume = size.x * size.y * (params.planar != 0u ? 1.0 : size.z);
    vec3 impulse = mac_wall_pressure(middle, contact) * contact.area;
    impulse -= contact.room * mac_rub(middle, contact);
    push.force = params.fluids[0].density * volume / status.dt * impulse;
    push.place = mac_middle_of(at) + contact.distance * normalize(contact.area);
    if (params.planar != 0u) push.place.z = params.plane;
    push.item = item;
    push.acts = true;
    return push;
}
