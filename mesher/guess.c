/* A frame is much like the one before: its lattice is taken for granted, and as many blocks,
 * vertices and triangles as there is room for, so that the device does all of it at once and the
 * host waits once. The kernels keep within the room, and do no more where it is too little
 * (shaders/shared/mesh.h: astray, block_count); what does not hold is then done again by the sizes
 * that are known. */
#include "mesher_internal.h"

/* A frame's blocks may grow by a quarter: the scans of a longer one would be for nothing. */
static uint32_t with_quarter(uint32_t count)
{
    return count > UINT32_MAX / 2 ? count : count + count / 4 + 16;
}

static uint32_t at_most(uint64_t most, uint64_t count)
{
    return (uint32_t)(count < most ? count : most);
}

static void take_lattice(struct mesh_params *p, const struct mesh_params *last)
{
    p->origin = last->origin;
    p->origin_rest = last->origin_rest;
    p->supers_x = last->supers_x;
    p->supers_y = last->supers_y;
    p->supers_z = last->supers_z;
}

weir_result mesher_take_last(mesher *m, struct mesh_params *guess)
{
    struct mesh_params *p = &m->params;
    const struct mesh_params last = m->last;
    *guess = (struct mesh_params){0};
    m->last.supers_x = 0; /* until this frame's is whole */
    if (last.supers_x == 0 || last.origin.w != (float)m->frame.cell_m) return WEIR_OK;
    take_lattice(p, &last);
    m->frame.super_total = p->supers_x * p->supers_y * p->supers_z;
    WEIR_NEED(mesher_room_for_supers(m));
    uint64_t supers = (gpu_buffer_count(m->buffers.children) - 1) / MESH_CHILDREN;
    m->frame.super_count = p->super_count = at_most(m->frame.super_total, supers);
    WEIR_NEED(mesher_room_for_blocks(m));
    WEIR_NEED(mesher_room_for_particles(m));
    uint32_t blocks =
        m->last_whole ? at_most(mesher_blocks_held(m), with_quarter(last.block_count)) : 0;
    m->frame.block_count = p->block_count = blocks;
    m->frame.seat_count = p->seat_count = blocks;
    p->slab_end = blocks;
    p->whole = 1;
    *guess = *p;
    mesher_tell_room(m);
    return mesher_await(m, at_most(p->vertex_room, with_quarter(m->last_output.vertices)),
                        at_most(p->triangle_room, with_quarter(m->last_output.triangles)));
}

weir_result mesher_run_guess(mesher *m, enum mesher_phase first)
{
    mesher_step steps[MESHER_PHASES];
    size_t count = 0;
    for (int phase = (int)first; phase < MESHER_PHASE_OUTPUT; phase++) {
        if (phase == MESHER_PHASE_SHAPES && m->def.field != WEIR_MESH_ANISOTROPIC) continue;
        if (phase == MESHER_PHASE_BINS && m->frame.block_count == 0) break;
        steps[count++] = (mesher_step){.phase = (enum mesher_phase)phase};
    }
    bool output = m->params.vertex_room > 0 && m->params.triangle_room > 0;
    if (m->frame.block_count > 0 && output) count += mesher_output_steps(m, steps + count);
    return mesher_finish(m, steps, count);
}
