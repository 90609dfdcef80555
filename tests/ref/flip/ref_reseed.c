#include "ref_reseed.h"

#include "ref_walls.h"
#include "ref_whitewater.h"

#include "shared/poisson.h"

static float level_of(const ref_flip *f, const int at[3])
{
    float level;
    memcpy(&level, &f->cells[ref_flip_index(f, at)].w, 4);
    return level;
}

static int tiles(const ref_flip *f, int axis)
{
    const ivec4 *n = &f->pbf->params->mac_cells;
    return axis == 0 ? n->x : axis == 1 ? n->y : n->z;
}

uint32_t ref_reseed_count(const ref_flip *f, const int at[3])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        const double *x = f->movers[i].x;
        bool in = true;
        for (int k = 0; k < (f->pbf->params->planar ? 2 : 3); k++)
            in &= (int)floor(x[k]) == at[k];
        count += in;
    }
    return count;
}

static bool is_whole(const ref_flip *f, const int at[3])
{
    const uvec4 *cell = &f->cells[ref_flip_index(f, at)];
    const uint32_t shares[3] = {cell->x, cell->y, cell->z};
    bool whole = true;
    for (int axis = 0; axis < (f->pbf->params->planar ? 2 : 3); axis++)
        whole &= (shares[axis] & 0xffffu) > 64880u || shares[axis] >> 16 > 64880u;
    return whole;
}

/* Reports whether a cell is air or beyond an open side. */
static bool is_air(const ref_flip *f, const int at[3])
{
    for (int axis = 0; axis < 3; axis++) {
        uint32_t side = 2u * (uint32_t)axis;
        if (at[axis] < 0 && ref_side_kind(f->pbf->params, side) == 1) return true;
        if (at[axis] >= tiles(f, axis) && ref_side_kind(f->pbf->params, side + 1u) == 1)
            return true;
    }
    float level = level_of(f, at);
    return level >= 0.0f && level < POISSON_CLOSED;
}

static bool is_inside(const ref_flip *f, const int at[3])
{
    int deep = f->pbf->params->planar ? 0 : 2;
    for (int z = -deep; z <= deep; z++)
        for (int y = -2; y <= 2; y++)
            for (int x = -2; x <= 2; x++) {
                const int to[3] = {at[0] + x, at[1] + y, at[2] + z};
                if ((x || y || z) && is_air(f, to)) return false;
            }
    return true;
}

ref_spares ref_reseed_spares(const ref_flip *f, const int at[3])
{
    uint32_t count = ref_reseed_count(f, at);
    double full = (double)f->pbf->params->cell_size.w, kept = rint(2.0 * full);
    if (count > kept) return (ref_spares){.spare = count - (uint32_t)kept};
    bool hollow = count < 0.5 * full && is_whole(f, at) && is_inside(f, at);
    return (ref_spares){.seats = hollow ? (uint32_t)(full + 0.5) - count : 0};
}

void ref_reseed_part(uint32_t id, uint32_t substep, double part[3])
{
    uvec4 words = ref_random_words((uvec4){id, substep, 0, 0});
    part[0] = (words.x >> 8) / 16777216.0;
    part[1] = (words.y >> 8) / 16777216.0;
    part[2] = (words.z >> 8) / 16777216.0;
}
