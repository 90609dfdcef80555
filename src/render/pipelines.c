/* The renderer's pipelines. Each is created when a frame first needs it, because compiling all of
 * them takes CPU drivers seconds. */
#include "render/shaders.h"
#include "render_internal.h"

/* Ids of the specialization constants. */
#define IS(id, name) RENDER_CONSTANT_##name = (id),
enum { RENDER_CONSTANTS(IS) };

/* Compute passes: their shaders, and the constants that they are specialized with. */
typedef struct compute_source {
    const gpu_shader *shader;
    const char *name; /* for a shader that several passes use */
    bool from_mesh, multi_fluid;
} compute_source;

#define SHADER(file) (&render_shaders[RENDER_SHADER_##file])

static const compute_source compute_sources[RENDER_PIPELINES] = {
    [RENDER_SPLAT_CLEAR_LISTS] = {.shader = SHADER(SPLAT_CLEAR_LISTS)},
    [RENDER_PROJECT_SPLATS] = {.shader = SHADER(PROJECT_SPLATS)},
    [RENDER_SPLAT_FIND_OCCLUSION] = {.shader = SHADER(SPLAT_FIND_OCCLUSION)},
    [RENDER_SPLAT_CULL_HIDDEN] = {.shader = SHADER(SPLAT_CULL_HIDDEN)},
    [RENDER_SPLAT_SAMPLE_PIXELS] = {.shader = SHADER(SPLAT_SAMPLE_PIXELS)},
    [RENDER_SPLAT_UPSAMPLE] = {.shader = SHADER(SPLAT_UPSAMPLE)},
    [RENDER_SPLAT_COMPUTE] = {.shader = SHADER(SPLAT_COMPUTE)},
    [RENDER_SPLAT_RESOLVE] = {.shader = SHADER(SPLAT_RESOLVE)},
    [RENDER_BACKGROUND_PASS] = {.shader = SHADER(BACKGROUND)},
    [RENDER_FILTER_1D] = {.shader = SHADER(FILTER_1D)},
    [RENDER_FILTER_2D] = {.shader = SHADER(FILTER_2D)},
    [RENDER_FIT_CONTACT_LINE] = {.shader = SHADER(FIT_CONTACT_LINE)},
    [RENDER_CURVATURE_FLOW] = {.shader = SHADER(CURVATURE_FLOW)},
    [RENDER_SMOOTH_SUN_DEPTH] = {.shader = SHADER(SMOOTH_SUN_DEPTH)},
    [RENDER_CAUSTICS] = {.shader = SHADER(CAUSTICS)},
    [RENDER_SHADE] = {.shader = SHADER(SHADE)},
    [RENDER_SHADE_MULTI_FLUID] = {.shader = SHADER(SHADE),
                                  .name = "shade_multi_fluid",
                                  .multi_fluid = true},
    [RENDER_SHADE_MESH] = {.shader = SHADER(SHADE), .name = "shade_mesh", .from_mesh = true},
    [RENDER_DEBUG_VIEW] = {.shader = SHADER(DEBUG_VIEW)},
    [RENDER_WHITEWATER_COMPOSITE] = {.shader = SHADER(WHITEWATER_COMPOSITE),
                                     .name = "whitewater_composite"},
    [RENDER_ACCUMULATE_SHUTTER_EXPOSURES] = {.shader = SHADER(ACCUMULATE_SHUTTER_EXPOSURES)},
    [RENDER_RESOLVE_HDR] = {.shader = SHADER(RESOLVE_HDR)},
    [RENDER_TONEMAP] = {.shader = SHADER(TONEMAP)},
};

#define STAGES(vert, frag)                                  \
    .vertex = &render_shaders[RENDER_SHADER_##vert##_VERT], \
    .fragment = &render_shaders[RENDER_SHADER_##frag##_FRAG]
#define DEPTH_TESTED .depth = GPU_D32, .depth_test = GPU_DEPTH_GREATER, .depth_write = true

/* Draw passes. GPU_RG32F is replaced by the format of the thickness, which depends on the
 * device. */
static const gpu_draw_def draw_defs[RENDER_PIPELINES] = {
    [RENDER_SPLAT_NEAREST_LISTED] = {.name = "splat_nearest_listed",
                                     STAGES(SPLAT_LISTED, SPLAT_NEAREST),
                                     .quads = true,
                                     .colours = {GPU_R32F},
                                     .blends = {GPU_BLEND_MAX},
                                     .colour_count = 1},
    [RENDER_SPLAT_NEAREST] = {.name = "splat_nearest",
                              STAGES(SPLAT, SPLAT_NEAREST),
                              .quads = true,
                              .colours = {GPU_R32F},
                              .blends = {GPU_BLEND_MAX},
                              .colour_count = 1},
    [RENDER_SPLAT_DEPTH] = {.name = "splat_depth",
                            STAGES(SPLAT, SPLAT_DEPTH),
                            .quads = true,
                            .colours = {GPU_R32F},
                            .colour_count = 1,
                            DEPTH_TESTED},
    [RENDER_SPLAT_THICKNESS] = {.name = "splat_thickness",
                                STAGES(SPLAT_HALF, SPLAT_THICKNESS),
                                .quads = true,
                                .colours = {GPU_RG32F},
                                .blends = {GPU_BLEND_ADD},
                                .colour_count = 1},
    [RENDER_SPLAT_THICKNESS_LAYERS] = {.name = "splat_thickness_layers",
                                       STAGES(SPLAT_HALF, SPLAT_THICKNESS_LAYERS),
                                       .quads = true,
                                       .colours = {GPU_RG32F, GPU_RG32F},
                                       .blends = {GPU_BLEND_ADD, GPU_BLEND_ADD},
                                       .colour_count = 2},
    [RENDER_SPLAT_LAYER_THICKNESS] = {.name = "splat_layer_thickness",
                                      STAGES(SPLAT_HALF, SPLAT_LAYER_THICKNESS),
                                      .quads = true,
                                      .colours = {GPU_RG32F},
                                      .blends = {GPU_BLEND_ADD},
                                      .colour_count = 1},
    [RENDER_SPLAT_SPRAY] = {.name = "splat_spray",
                            STAGES(SPLAT, SPLAT_SPRAY),
                            .quads = true,
                            .colours = {GPU_RGBA16F},
                            .blends = {GPU_BLEND_ADD},
                            .colour_count = 1},
    [RENDER_SPLAT_OPTICAL_DEPTH] = {.name = "splat_optical_depth",
                                    STAGES(SPLAT_ABSORBING, SPLAT_OPTICAL_DEPTH),
                                    .quads = true,
                                    .colours = {GPU_RGBA16F},
                                    .blends = {GPU_BLEND_ADD},
                                    .colour_count = 1},
    [RENDER_SPLAT_OPAQUE] = {.name = "splat_opaque",
                             STAGES(SPLAT, SPLAT_OPAQUE),
                             .quads = true,
                             .colours = {GPU_RGBA16F, GPU_RGBA16F},
                             .colour_count = 2,
                             DEPTH_TESTED},
    [RENDER_SOLID] = {.name = "solid",
                      STAGES(SOLID, SOLID),
                      .colours = {GPU_RGBA16F, GPU_RGBA16F},
                      .colour_count = 2,
                      DEPTH_TESTED},
    [RENDER_SOLID_SHADOW] = {.name = "solid_shadow", STAGES(SOLID, SOLID_SHADOW), DEPTH_TESTED},
    [RENDER_MESH_SURFACE] = {.name = "mesh_surface",
                             STAGES(SOLID, MESH_SURFACE),
                             .colours = {GPU_R32F, GPU_RGBA16F},
                             .colour_count = 2,
                             DEPTH_TESTED},
    [RENDER_MESH_DEPTH] = {.name = "mesh_depth",
                           STAGES(SOLID, MESH_DEPTH),
                           .colours = {GPU_R32F},
                           .colour_count = 1,
                           DEPTH_TESTED},
    [RENDER_WHITEWATER] = {.name = "whitewater",
                           STAGES(WHITEWATER, WHITEWATER),
                           .colours = {GPU_RGBA16F},
                           .blends = {GPU_BLEND_ADD},
                           .colour_count = 1},
    [RENDER_FOAM] = {.name = "foam",
                     STAGES(WHITEWATER, FOAM),
                     .colours = {GPU_RGBA16F},
                     .blends = {GPU_BLEND_ADD},
                     .colour_count = 1},
    [RENDER_HOST_BACKGROUND] = {.name = "host_background",
                                STAGES(FULLSCREEN, HOST_BACKGROUND),
                                .colours = {GPU_RGBA16F},
                                .colour_count = 1,
                                .depth = GPU_D32,
                                .depth_write = true},
    [RENDER_HOST_COMPOSITE] = {.name = "host_composite",
                               STAGES(FULLSCREEN, HOST_COMPOSITE),
                               .colour_count = 1},
    [RENDER_MESH_THICKNESS] = {.name = "mesh_thickness",
                               STAGES(SOLID, MESH_THICKNESS),
                               .colours = {GPU_RG32F},
                               .blends = {GPU_BLEND_ADD},
                               .colour_count = 1},
    [RENDER_MESH_LAYER_THICKNESS] = {.name = "mesh_layer_thickness",
                                     STAGES(SOLID, MESH_LAYER_THICKNESS),
                                     .colours = {GPU_RG32F},
                                     .blends = {GPU_BLEND_ADD},
                                     .colour_count = 1},
};

/* Reports whether the pipeline is specialized for the frame's shading variant. */
static bool depends_on_variant(render_pipeline which)
{
    return which == RENDER_PROJECT_SPLATS || which == RENDER_TONEMAP ||
           which == RENDER_BACKGROUND_PASS || which == RENDER_WHITEWATER_COMPOSITE ||
           which == RENDER_SHADE || which == RENDER_SHADE_MULTI_FLUID || which == RENDER_SHADE_MESH;
}

/* Returns the part of the frame's variant on which the pipeline depends: the shading must not be
 * compiled again when the first foam of a run appears. */
static render_shade_variant variant_for(render_shade_variant light, render_pipeline which)
{
    light.whitewater = light.whitewater && which == RENDER_WHITEWATER_COMPOSITE;
    light.spray = light.spray && which == RENDER_WHITEWATER_COMPOSITE;
    return light;
}

static weir_result create_compute(renderer *r, render_pipeline which,
                                  const render_shade_variant *light, gpu_pipeline **pipeline)
{
    const compute_source *source = &compute_sources[which];
    const uint32_t constants[] = {
        [RENDER_CONSTANT_FROM_MESH] = source->from_mesh,
        [RENDER_CONSTANT_MULTI_FLUID] = source->multi_fluid,
        [RENDER_CONSTANT_SOLID_SHADOWS] = light->solids,
        [RENDER_CONSTANT_SHADOWS] = light->shadowed,
        [RENDER_CONSTANT_ENVIRONMENT_IMAGE] = light->image,
        [RENDER_CONSTANT_DRAW_SOLIDS] = light->solids_drawn,
        [RENDER_CONSTANT_DRAW_SLICE] = light->slice_drawn,
        [RENDER_CONSTANT_DRAW_TANK] = light->tank,
        [RENDER_CONSTANT_PARALLEL_RAYS] = light->parallel,
        [RENDER_CONSTANT_STUDIO] = light->studio,
        [RENDER_CONSTANT_DRAW_WHITEWATER] = light->whitewater,
        [RENDER_CONSTANT_DRAW_SPRAY] = light->spray,
    };
    const gpu_pipeline_def def = {.shader = source->shader,
                                  .name = source->name,
                                  .constants = constants,
                                  .constant_count = BASE_COUNT(constants)};
    return gpu_pipeline_create(r->device, &def, pipeline);
}

static weir_result create_draw(renderer *r, render_pipeline which, gpu_pipeline **pipeline)
{
    gpu_draw_def def = draw_defs[which];
    for (uint32_t i = 0; i < def.colour_count; i++)
        if (def.colours[i] == GPU_RG32F) def.colours[i] = r->thickness_format;
    if (which == RENDER_HOST_COMPOSITE) def.colours[0] = r->host_format;
    return gpu_draw_pipeline_create(r->device, &def, pipeline);
}

/* Creates a pipeline, where it depends on a variant that of a frame with this light. */
static weir_result create_pipeline(renderer *r, render_pipeline which,
                                   const render_shade_variant *light, gpu_pipeline **pipeline)
{
    return compute_sources[which].shader ? create_compute(r, which, light, pipeline)
                                         : create_draw(r, which, pipeline);
}

weir_result render_pipeline_get(renderer *r, render_pipeline which, const gpu_pipeline **pipeline)
{
    weir_result result = WEIR_OK;
    const render_shade_variant variant = variant_for(r->light, which);
    if (depends_on_variant(which) &&
        memcmp(&r->pipeline_variants[which], &variant, sizeof variant) != 0)
        /* The device keeps the pipeline, so a variant that returns is not compiled again. */
        gpu_pipeline_destroy(r->device, &r->pipelines[which]);
    if (!r->pipelines[which]) {
        r->pipeline_variants[which] = variant;
        result = create_pipeline(r, which, &variant, &r->pipelines[which]);
    }
    *pipeline = r->pipelines[which];
    return result;
}

/* ---- ahead of their use --------------------------------------------------------------------- */

/* Reports whether pictures of the scene can need the pipeline in some mode. Those of hosts, of the
 * compute splatter and of lenses are created when first used. */
static bool may_be_needed(const renderer *r, render_pipeline which)
{
    switch (which) {
    case RENDER_HOST_BACKGROUND:
    case RENDER_HOST_COMPOSITE:
    case RENDER_SPLAT_COMPUTE:
    case RENDER_SPLAT_RESOLVE:
    case RENDER_SPLAT_LAYER_THICKNESS:
    case RENDER_ACCUMULATE_SHUTTER_EXPOSURES:
    case RENDER_RESOLVE_HDR: return false;
    case RENDER_SPLAT_DEPTH: return !r->blend_depth;
    case RENDER_SPLAT_NEAREST_LISTED:
    case RENDER_SPLAT_FIND_OCCLUSION:
    case RENDER_SPLAT_CULL_HIDDEN: return r->blend_depth;
    case RENDER_SHADE_MULTI_FLUID:
    case RENDER_SPLAT_OPTICAL_DEPTH: return r->liquid_count > 1;
    default: return true;
    }
}

/* Returns the n-th variant of the modes of a scene: particles as a surface, as solids, a mesh; each
 * with and without whitewater. */
static render_shade_variant mode_variant(const renderer *r, uint32_t n)
{
    render_shade_variant light = r->ahead_for;
    light.whitewater = n & 1u;
    light.spray = n / 2 == 0;
    light.solids_drawn |= n / 2 > 0;
    light.solids |= n / 2 == 2;
    return light;
}
#define MODE_VARIANTS 6u

/* Returns what is common to the variants of all modes. */
static render_shade_variant common_variant(const renderer *r)
{
    render_shade_variant light = r->light;
    light.solids = light.solids_drawn = r->solids.triangle_count > 0 || r->deformable_count > 0;
    light.slice_drawn = light.whitewater = light.spray = false;
    return light;
}

void render_release_ahead(renderer *r)
{
    for (size_t i = 0; i < r->ahead.count; i++)
        gpu_pipeline_destroy(r->device, &r->ahead.items[i]);
    BASE_ARRAY_FREE(&r->ahead);
}

/* Holds the pipeline in a variant. */
static weir_result hold_ahead(renderer *r, render_pipeline which, render_shade_variant light)
{
    gpu_pipeline *pipeline;
    const render_shade_variant variant = variant_for(light, which);
    if (!BASE_ARRAY_RESERVE(&r->ahead, 1)) return WEIR_ERROR_MEMORY; /* only later */
    WEIR_RETURN_IF_ERROR(create_pipeline(r, which, &variant, &pipeline));
    r->ahead.items[r->ahead.count++] = pipeline;
    return WEIR_OK;
}

static weir_result hold_all_ahead(renderer *r)
{
    for (uint32_t n = 0; n < MODE_VARIANTS; n++)
        for (render_pipeline which = 0; which < RENDER_PIPELINES; which++)
            if (may_be_needed(r, which) && (n == 0 || depends_on_variant(which)))
                WEIR_RETURN_IF_ERROR(hold_ahead(r, which, mode_variant(r, n)));
    return WEIR_OK;
}

void render_compile_ahead(renderer *r)
{
    const render_shade_variant light = common_variant(r);
    if (!gpu_device_compiles_ahead(r->device) || r->light.parallel) return;
    if (r->ahead.count && memcmp(&r->ahead_for, &light, sizeof light) == 0) return;
    render_release_ahead(r);
    r->ahead_for = light;
    gpu_pipelines_begin_ahead(r->device);
    (void)hold_all_ahead(r); /* what is missing is created when first used */
    gpu_pipelines_compile_ahead(r->device, r->ahead.items, (uint32_t)r->ahead.count);
}
