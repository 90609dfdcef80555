/* The renderer's kernels, each made when a frame first needs it: compiling all of them takes CPU
 * drivers seconds. */
#include "render_internal.h"

static const uint32_t splats_words[] =
#include "render/splats.comp.inc"
    ;
static const uint32_t splat_vertex_words[] =
#include "render/splat.vert.inc"
    ;
static const uint32_t splat_words[] =
#include "render/splat.frag.inc"
    ;
static const uint32_t splat_depth_words[] =
#include "render/splat_depth.frag.inc"
    ;
static const uint32_t splat_thickness_words[] =
#include "render/splat_thickness.frag.inc"
    ;
static const uint32_t splat_mixed_words[] =
#include "render/splat_mixed.frag.inc"
    ;
static const uint32_t splat_solid_words[] =
#include "render/splat_solid.frag.inc"
    ;
static const uint32_t splat_compute_words[] =
#include "render/splat_compute.comp.inc"
    ;
static const uint32_t splat_resolve_words[] =
#include "render/splat_resolve.comp.inc"
    ;
static const uint32_t solid_vertex_words[] =
#include "render/solid.vert.inc"
    ;
static const uint32_t solid_words[] =
#include "render/solid.frag.inc"
    ;
static const uint32_t solid_shadow_words[] =
#include "render/solid_shadow.frag.inc"
    ;
static const uint32_t mesh_front_words[] =
#include "render/mesh_front.frag.inc"
    ;
static const uint32_t mesh_thickness_words[] =
#include "render/mesh_thickness.frag.inc"
    ;
static const uint32_t background_words[] =
#include "render/background.comp.inc"
    ;
static const uint32_t filter_line_words[] =
#include "render/filter_line.comp.inc"
    ;
static const uint32_t filter_clean_words[] =
#include "render/filter_clean.comp.inc"
    ;
static const uint32_t filter_flow_words[] =
#include "render/filter_flow.comp.inc"
    ;
static const uint32_t shade_words[] =
#include "render/shade.comp.inc"
    ;
static const uint32_t channel_words[] =
#include "render/channel.comp.inc"
    ;
static const uint32_t tonemap_words[] =
#include "render/tonemap.comp.inc"
    ;

#define CODE(file) "render/" #file ".comp", file##_words, BASE_COUNT(file##_words)

typedef struct compute_source {
    const char *name, *file;
    const uint32_t *words;
    size_t count;
    uint32_t constants[2];
} compute_source;

static const compute_source computes[RENDER_KERNELS] = {
    [RENDER_SPLATS] = {"splats", CODE(splats), {0}},
    [RENDER_SPLAT_COMPUTE] = {"splat_compute", CODE(splat_compute), {0}},
    [RENDER_SPLAT_RESOLVE] = {"splat_resolve", CODE(splat_resolve), {0}},
    [RENDER_BACKGROUND_PASS] = {"background", CODE(background), {0}},
    [RENDER_FILTER_LINE] = {"filter_line", CODE(filter_line), {0}},
    [RENDER_FILTER_CLEAN] = {"filter_clean", CODE(filter_clean), {0}},
    [RENDER_FILTER_FLOW] = {"filter_flow", CODE(filter_flow), {0}},
    [RENDER_SHADE] = {"shade", CODE(shade), {0, 0}},
    [RENDER_SHADE_MIXED] = {"shade_mixed", CODE(shade), {0, 1}},
    [RENDER_SHADE_MESH] = {"shade_mesh", CODE(shade), {1, 0}},
    [RENDER_CHANNEL] = {"channel", CODE(channel), {0}},
    [RENDER_TONEMAP] = {"tonemap", CODE(tonemap), {0}},
};

#define VERTEX(file)                                                                           \
    .vertex_words = file##_vertex_words, .vertex_word_count = BASE_COUNT(file##_vertex_words), \
    .vertex_source = "render/" #file ".vert"
#define FRAGMENT(file)                                                               \
    .fragment_words = file##_words, .fragment_word_count = BASE_COUNT(file##_words), \
    .fragment_source = "render/" #file ".frag"

/* GPU_RG32F stands for the format of the thickness, which depends on the device. */
static const gpu_draw_def draws[RENDER_KERNELS] = {
    [RENDER_SPLAT_BOTH] = {.name = "splat",
                           VERTEX(splat),
                           FRAGMENT(splat),
                           .colours = {GPU_R32F, GPU_RG32F},
                           .blends = {GPU_BLEND_MAX, GPU_BLEND_ADD},
                           .colour_count = 2},
    [RENDER_SPLAT_DEPTH] = {.name = "splat_depth",
                            VERTEX(splat),
                            FRAGMENT(splat_depth),
                            .colours = {GPU_R32F},
                            .colour_count = 1,
                            .depth = GPU_D32,
                            .depth_test = GPU_DEPTH_GREATER,
                            .depth_write = true},
    [RENDER_SPLAT_THICKNESS] = {.name = "splat_thickness",
                                VERTEX(splat),
                                FRAGMENT(splat_thickness),
                                .colours = {GPU_RG32F},
                                .blends = {GPU_BLEND_ADD},
                                .colour_count = 1},
    [RENDER_SPLAT_MIXED] = {.name = "splat_mixed",
                            VERTEX(splat),
                            FRAGMENT(splat_mixed),
                            .colours = {GPU_RGBA16F},
                            .blends = {GPU_BLEND_ADD},
                            .colour_count = 1},
    [RENDER_SPLAT_SOLID] = {.name = "splat_solid",
                            VERTEX(splat),
                            FRAGMENT(splat_solid),
                            .colours = {GPU_RGBA16F, GPU_RGBA16F},
                            .colour_count = 2,
                            .depth = GPU_D32,
                            .depth_test = GPU_DEPTH_GREATER,
                            .depth_write = true},
    [RENDER_SOLID] = {.name = "solid",
                      VERTEX(solid),
                      FRAGMENT(solid),
                      .colours = {GPU_RGBA16F, GPU_RGBA16F},
                      .colour_count = 2,
                      .depth = GPU_D32,
                      .depth_test = GPU_DEPTH_GREATER,
                      .depth_write = true},
    [RENDER_SOLID_SHADOW] = {.name = "solid_shadow",
                             VERTEX(solid),
                             FRAGMENT(solid_shadow),
                             .depth = GPU_D32,
                             .depth_test = GPU_DEPTH_GREATER,
                             .depth_write = true},
    [RENDER_MESH_FRONT] = {.name = "mesh_front",
                           VERTEX(solid),
                           FRAGMENT(mesh_front),
                           .colours = {GPU_R32F, GPU_RGBA16F},
                           .colour_count = 2,
                           .depth = GPU_D32,
                           .depth_test = GPU_DEPTH_GREATER,
                           .depth_write = true},
    [RENDER_MESH_THICKNESS] = {.name = "mesh_thickness",
                               VERTEX(solid),
                               FRAGMENT(mesh_thickness),
                               .colours = {GPU_RG32F},
                               .blends = {GPU_BLEND_ADD},
                               .colour_count = 1},
};

static bool shades(render_kernel which)
{
    return which == RENDER_BACKGROUND_PASS || which == RENDER_SHADE ||
           which == RENDER_SHADE_MIXED || which == RENDER_SHADE_MESH;
}

static weir_result make_compute(renderer *r, render_kernel which)
{
    const compute_source *source = &computes[which];
    const render_light *light = &r->light;
    const uint32_t constants[] = {source->constants[0], source->constants[1], light->solids,
                                  light->shadowed,      light->image,         light->seen};
    gpu_kernel_def def = {.name = source->name,
                          .words = source->words,
                          .word_count = source->count,
                          .constants = constants,
                          .constant_count = shades(which) ? BASE_COUNT(constants) : 0,
                          .source = source->file};
    r->made_for[which] = *light;
    return gpu_kernel_create(r->device, &def, &r->kernels[which]);
}

static weir_result make_draw(renderer *r, render_kernel which)
{
    gpu_draw_def def = draws[which];
    for (uint32_t i = 0; i < def.colour_count; i++)
        if (def.colours[i] == GPU_RG32F) def.colours[i] = r->thickness_format;
    return gpu_draw_kernel_create(r->device, &def, &r->kernels[which]);
}

weir_result render_kernel_get(renderer *r, render_kernel which, const gpu_kernel **kernel)
{
    weir_result result = WEIR_OK;
    if (shades(which) && memcmp(&r->made_for[which], &r->light, sizeof r->light) != 0)
        gpu_kernel_destroy(r->device,
                           &r->kernels[which]); /* the device keeps it for the way back */
    if (!r->kernels[which])
        result = computes[which].words ? make_compute(r, which) : make_draw(r, which);
    *kernel = r->kernels[which];
    return result;
}
