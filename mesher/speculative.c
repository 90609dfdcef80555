/* Speculative path, for devices on which a wait costs more than passes whose results may be thrown
 * away; a CPU driver computes as long as it is waited for. Assumes the lattice of the previous
 * frame, and as many blocks, vertices and triangles as there is room for, records all phases in one
 * submission, and waits once. Shaders stay inside the buffers, and do nothing more if these are too
 * small (shaders/shared/mesh.h: overflow, block_count). The phases whose assumptions were wrong run
 * again with the known sizes. */
#include "mesher_internal.h"

/* Allows for a quarter more blocks than in the previous frame: scans of more would be wasted. */
static uint32_t grow_by_quarter(uint32_t count)
{
    return count > UINT32_MAX / 2 ? count : count + count / 4 + 16;
}

static uint32_t clamp_to(uint64_t limit, uint64_t count)
{
    return (uint32_t)(count < limit ? count : limit);
}

static void copy_lattice(struct mesh_params *p, const struct mesh_params *last)
{
    p->origin = last->origin;
    p->origin_low_bits = last->origin_low_bits;
    p->super_blocks_x = last->super_blocks_x;
    p->super_blocks_y = last->super_blocks_y;
    p->super_blocks_z = last->super_blocks_z;
}

weir_result mesher_reuse_lattice(mesher *m, struct mesh_params *assumed)
{
    struct mesh_params *p = &m->params;
    const struct mesh_params last = m->last;
    *assumed = (struct mesh_params){0};
    m->last.super_blocks_x = 0; /* until this frame's are complete */
    if (!m->speculates || last.super_blocks_x == 0 || last.origin.w != (float)m->frame.cell_m)
        return WEIR_OK;
    copy_lattice(p, &last);
    m->frame.super_block_total = p->super_blocks_x * p->super_blocks_y * p->super_blocks_z;
    WEIR_RETURN_IF_ERROR(mesher_reserve_super_blocks(m));
    uint64_t super_blocks =
        (gpu_buffer_count(m->buffers.children) - 1) / MESH_BLOCKS_PER_SUPER_BLOCK;
    m->frame.super_block_count = p->super_block_count =
        clamp_to(m->frame.super_block_total, super_blocks);
    WEIR_RETURN_IF_ERROR(mesher_reserve_blocks(m));
    WEIR_RETURN_IF_ERROR(mesher_reserve_particles(m));
    uint32_t blocks = m->last_was_single_batch
                          ? clamp_to(mesher_block_capacity(m), grow_by_quarter(last.block_count))
                          : 0;
    m->frame.block_count = p->block_count = blocks;
    m->frame.slot_count = p->slot_count = blocks;
    p->batch_end = blocks;
    p->single_batch = 1;
    *assumed = *p;
    mesher_set_output_capacity(m);
    return mesher_plan_readback(
        m, clamp_to(p->vertex_capacity, grow_by_quarter(m->last_output_size.vertices)),
        clamp_to(p->triangle_capacity, grow_by_quarter(m->last_output_size.triangles)));
}

weir_result mesher_run_speculative(mesher *m, enum mesher_phase first)
{
    mesher_phase_run steps[MESHER_PHASES];
    size_t count = 0;
    for (int phase = (int)first; phase < MESHER_PHASE_OUTPUT; phase++) {
        if (phase == MESHER_PHASE_ELLIPSOIDS && m->def.field != WEIR_MESH_FIELD_ANISOTROPIC)
            continue;
        if (phase == MESHER_PHASE_BINS && m->frame.block_count == 0) break;
        steps[count++] = (mesher_phase_run){.phase = (enum mesher_phase)phase};
    }
    bool output = m->params.vertex_capacity > 0 && m->params.triangle_capacity > 0;
    if (m->frame.block_count > 0 && output) count += mesher_output_phases(m, steps + count);
    return mesher_submit_and_wait(m, steps, count);
}
