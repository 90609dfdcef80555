/* The mesher's kernels, specialized for the def. */
#include "mesher_internal.h"

static const uint32_t bounds_words[] =
#include "mesh/bounds.comp.inc"
    ;
static const uint32_t bounds_texels_words[] =
#include "mesh/bounds.texels.comp.inc"
    ;
static const uint32_t mark_supers_words[] =
#include "mesh/mark_supers.comp.inc"
    ;
static const uint32_t list_supers_words[] =
#include "mesh/list_supers.comp.inc"
    ;
static const uint32_t mark_blocks_words[] =
#include "mesh/mark_blocks.comp.inc"
    ;
static const uint32_t list_blocks_words[] =
#include "mesh/list_blocks.comp.inc"
    ;
static const uint32_t scan_sum_words[] =
#include "mesh/scan_sum.comp.inc"
    ;
static const uint32_t scan_spine_words[] =
#include "mesh/scan_spine.comp.inc"
    ;
static const uint32_t scan_apply_words[] =
#include "mesh/scan_apply.comp.inc"
    ;
static const uint32_t bin_count_words[] =
#include "mesh/bin_count.comp.inc"
    ;
static const uint32_t bin_scatter_words[] =
#include "mesh/bin_scatter.comp.inc"
    ;
static const uint32_t bin_order_words[] =
#include "mesh/bin_order.comp.inc"
    ;
static const uint32_t bin_load_words[] =
#include "mesh/bin_load.comp.inc"
    ;
static const uint32_t bin_load_texels_words[] =
#include "mesh/bin_load.texels.comp.inc"
    ;
static const uint32_t weigh_words[] =
#include "mesh/weigh.comp.inc"
    ;
static const uint32_t weigh_texels_words[] =
#include "mesh/weigh.texels.comp.inc"
    ;
static const uint32_t shape_words[] =
#include "mesh/shape.comp.inc"
    ;
static const uint32_t places_words[] =
#include "mesh/places.comp.inc"
    ;
static const uint32_t list_places_words[] =
#include "mesh/list_places.comp.inc"
    ;
static const uint32_t field_words[] =
#include "mesh/field.comp.inc"
    ;
static const uint32_t field_texels_words[] =
#include "mesh/field.texels.comp.inc"
    ;
static const uint32_t damp_words[] =
#include "mesh/damp.comp.inc"
    ;
static const uint32_t damp_texels_words[] =
#include "mesh/damp.texels.comp.inc"
    ;
static const uint32_t surface_words[] =
#include "mesh/surface.comp.inc"
    ;
static const uint32_t list_surface_words[] =
#include "mesh/list_surface.comp.inc"
    ;
static const uint32_t classify_words[] =
#include "mesh/classify.comp.inc"
    ;
static const uint32_t number_words[] =
#include "mesh/number.comp.inc"
    ;
static const uint32_t vertices_words[] =
#include "mesh/vertices.comp.inc"
    ;
static const uint32_t triangles_words[] =
#include "mesh/triangles.comp.inc"
    ;
static const uint32_t pack_words[] =
#include "mesh/pack.comp.inc"
    ;
static const uint32_t carry_words[] =
#include "mesh/carry.comp.inc"
    ;
static const uint32_t carry_texels_words[] =
#include "mesh/carry.texels.comp.inc"
    ;

#define OF_FILE(words, group) \
#words, "mesh/" #words ".comp", words##_words, sizeof words##_words, group
#define SOURCE(words) OF_FILE(words, MESH_WORKGROUP), NULL, NULL, 0
#define SCANNING(words) OF_FILE(words, MESH_SCAN_WORKGROUP), NULL, NULL, 0
#define GATHERING(words)                                                                 \
    OF_FILE(words, MESH_WORKGROUP), "mesh/" #words ".texels.comp", words##_texels_words, \
        sizeof words##_texels_words

static const struct {
    const char *name, *file;
    const uint32_t *words;
    size_t bytes;
    uint32_t workgroup;
    const char *texels_file;
    const uint32_t *texels_words; /* the same with texel buffers, where there is such */
    size_t texels_bytes;
} sources[MESHER_KERNELS] = {
    [MESHER_BOUNDS] = {GATHERING(bounds)},
    [MESHER_MARK_SUPERS] = {SOURCE(mark_supers)},
    [MESHER_LIST_SUPERS] = {SOURCE(list_supers)},
    [MESHER_MARK_BLOCKS] = {SOURCE(mark_blocks)},
    [MESHER_LIST_BLOCKS] = {SOURCE(list_blocks)},
    [MESHER_SCAN_SUM] = {SCANNING(scan_sum)},
    [MESHER_SCAN_SPINE] = {SCANNING(scan_spine)},
    [MESHER_SCAN_APPLY] = {SCANNING(scan_apply)},
    [MESHER_BIN_COUNT] = {SOURCE(bin_count)},
    [MESHER_BIN_SCATTER] = {SOURCE(bin_scatter)},
    [MESHER_BIN_ORDER] = {SOURCE(bin_order)},
    [MESHER_BIN_LOAD] = {GATHERING(bin_load)},
    [MESHER_WEIGH] = {GATHERING(weigh)},
    [MESHER_SHAPE] = {SOURCE(shape)},
    [MESHER_PLACES] = {SOURCE(places)},
    [MESHER_LIST_PLACES] = {SOURCE(list_places)},
    [MESHER_FIELD] = {GATHERING(field)},
    [MESHER_DAMP] = {GATHERING(damp)},
    [MESHER_SURFACE] = {SOURCE(surface)},
    [MESHER_LIST_SURFACE] = {SOURCE(list_surface)},
    [MESHER_CLASSIFY] = {SOURCE(classify)},
    [MESHER_NUMBER] = {SOURCE(number)},
    [MESHER_VERTICES] = {SOURCE(vertices)},
    [MESHER_TRIANGLES] = {SOURCE(triangles)},
    [MESHER_PACK] = {SOURCE(pack)},
    [MESHER_CARRY] = {GATHERING(carry)},
};

/* Constant id 1, where a kernel has one. */
static uint32_t constants_of(const mesher *m, int kernel, uint32_t *value)
{
    switch (kernel) {
    case MESHER_WEIGH:
    case MESHER_FIELD:
    case MESHER_CARRY:
        *value = m->def.field == WEIR_MESH_COLOUR        ? MESH_COLOUR
                 : m->def.field == WEIR_MESH_ANISOTROPIC ? MESH_ANISOTROPIC
                                                         : MESH_ZHU_BRIDSON;
        return 1;
    case MESHER_CLASSIFY:
    case MESHER_VERTICES: *value = m->def.decider; return 1;
    default: return 0;
    }
}

weir_result mesher_kernels_create(mesher *m)
{
    weir_result result = WEIR_OK;
    bool prefers_texels = gpu_device_prefers_texels(m->device);
    for (int i = 0; i < MESHER_KERNELS; i++) {
        uint32_t constant = 0;
        bool texels = prefers_texels && sources[i].texels_words;
        if (i == MESHER_DAMP && !m->def.damping) continue;
        if (i == MESHER_SHAPE && m->def.field != WEIR_MESH_ANISOTROPIC) continue;
        gpu_kernel_def def = {
            .name = sources[i].name,
            .words = texels ? sources[i].texels_words : sources[i].words,
            .word_count = (texels ? sources[i].texels_bytes : sources[i].bytes) / 4,
            .workgroup = sources[i].workgroup,
            .constants = &constant,
            .constant_count = constants_of(m, i, &constant),
            .source = texels ? sources[i].texels_file : sources[i].file,
        };
        WEIR_TRY(gpu_kernel_create(m->device, &def, &m->kernels[i]));
    }
fail:
    return result;
}
