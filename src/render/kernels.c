/* The renderer's kernels, each made when a frame first needs it: compiling all of them takes CPU
 * drivers seconds. */
#include "render/shaders.h"
#include "render_internal.h"

/* Ids of the specialization constants. */
#define IS(id, name) RENDER_IS_##name = (id),
enum { RENDER_CONSTANTS(IS) };

/* Passes that compute: their shaders, and what they are specialized for. */
typedef struct compute_source {
    const gpu_shader *shader;
    const char *name; /* where a shader serves several */
    bool from_mesh, mixed;
} compute_source;

#define SHADER(file) (&render_shaders[RENDER_SHADER_##file])

static const compute_source computes[RENDER_KERNELS] = {
    [RENDER_SPLATS] = {.shader = SHADER(SPLATS)},
    [RENDER_SPLAT_COMPUTE] = {.shader = SHADER(SPLAT_COMPUTE)},
    [RENDER_SPLAT_RESOLVE] = {.shader = SHADER(SPLAT_RESOLVE)},
    [RENDER_BACKGROUND_PASS] = {.shader = SHADER(BACKGROUND)},
    [RENDER_FILTER_LINE] = {.shader = SHADER(FILTER_LINE)},
    [RENDER_FILTER_CLEAN] = {.shader = SHADER(FILTER_CLEAN)},
    [RENDER_FILTER_MEET] = {.shader = SHADER(FILTER_MEET)},
    [RENDER_FILTER_FLOW] = {.shader = SHADER(FILTER_FLOW)},
    [RENDER_SUN_SMOOTH] = {.shader = SHADER(SUN_SMOOTH)},
    [RENDER_CAUSTICS] = {.shader = SHADER(CAUSTICS)},
    [RENDER_SHADE] = {.shader = SHADER(SHADE)},
    [RENDER_SHADE_MIXED] = {.shader = SHADER(SHADE), .name = "shade_mixed", .mixed = true},
    [RENDER_SHADE_MESH] = {.shader = SHADER(SHADE), .name = "shade_mesh", .from_mesh = true},
    [RENDER_CHANNEL] = {.shader = SHADER(CHANNEL)},
    [RENDER_WHITEWATER_OVER] = {.shader = SHADER(WHITEWATER), .name = "whitewater_over"},
    [RENDER_EXPOSE] = {.shader = SHADER(EXPOSE)},
    [RENDER_LIGHT] = {.shader = SHADER(LIGHT)},
    [RENDER_TONEMAP] = {.shader = SHADER(TONEMAP)},
};

#define STAGES(vert, frag)                                  \
    .vertex = &render_shaders[RENDER_SHADER_##vert##_VERT], \
    .fragment = &render_shaders[RENDER_SHADER_##frag##_FRAG]
#define DEPTH_TESTED .depth = GPU_D32, .depth_test = GPU_DEPTH_GREATER, .depth_write = true

/* GPU_RG32F stands for the format of the thickness, which depends on the device. */
static const gpu_draw_def draws[RENDER_KERNELS] = {
    [RENDER_SPLAT_BOTH] = {.name = "splat",
                           STAGES(SPLAT, SPLAT),
                           .colours = {GPU_R32F, GPU_RG32F},
                           .blends = {GPU_BLEND_MAX, GPU_BLEND_ADD},
                           .colour_count = 2},
    [RENDER_SPLAT_DEPTH] = {.name = "splat_depth",
                            STAGES(SPLAT, SPLAT_DEPTH),
                            .colours = {GPU_R32F},
                            .colour_count = 1,
                            DEPTH_TESTED},
    [RENDER_SPLAT_THICKNESS] = {.name = "splat_thickness",
                                STAGES(SPLAT, SPLAT_THICKNESS),
                                .colours = {GPU_RG32F},
                                .blends = {GPU_BLEND_ADD},
                                .colour_count = 1},
    [RENDER_SPLAT_FRONT] = {.name = "splat_front",
                            STAGES(SPLAT, SPLAT_FRONT),
                            .colours = {GPU_RG32F},
                            .blends = {GPU_BLEND_ADD},
                            .colour_count = 1},
    [RENDER_SPLAT_MIXED] = {.name = "splat_mixed",
                            STAGES(SPLAT, SPLAT_MIXED),
                            .colours = {GPU_RGBA16F},
                            .blends = {GPU_BLEND_ADD},
                            .colour_count = 1},
    [RENDER_SPLAT_SOLID] = {.name = "splat_solid",
                            STAGES(SPLAT, SPLAT_SOLID),
                            .colours = {GPU_RGBA16F, GPU_RGBA16F},
                            .colour_count = 2,
                            DEPTH_TESTED},
    [RENDER_SOLID] = {.name = "solid",
                      STAGES(SOLID, SOLID),
                      .colours = {GPU_RGBA16F, GPU_RGBA16F},
                      .colour_count = 2,
                      DEPTH_TESTED},
    [RENDER_SOLID_SHADOW] = {.name = "solid_shadow", STAGES(SOLID, SOLID_SHADOW), DEPTH_TESTED},
    [RENDER_MESH_FRONT] = {.name = "mesh_front",
                           STAGES(SOLID, MESH_FRONT),
                           .colours = {GPU_R32F, GPU_RGBA16F},
                           .colour_count = 2,
                           DEPTH_TESTED},
    [RENDER_WHITEWATER] = {.name = "whitewater",
                           STAGES(WHITEWATER, WHITEWATER),
                           .colours = {GPU_RGBA16F},
                           .blends = {GPU_BLEND_ADD},
                           .colour_count = 1},
    [RENDER_HOST_BEHIND] = {.name = "host_behind",
                            STAGES(SCREEN, HOST_BEHIND),
                            .colours = {GPU_RGBA16F},
                            .colour_count = 1,
                            .depth = GPU_D32,
                            .depth_write = true},
    [RENDER_HOST_OVER] = {.name = "host_over", STAGES(SCREEN, HOST_OVER), .colour_count = 1},
    [RENDER_MESH_THICKNESS] = {.name = "mesh_thickness",
                               STAGES(SOLID, MESH_THICKNESS),
                               .colours = {GPU_RG32F},
                               .blends = {GPU_BLEND_ADD},
                               .colour_count = 1},
};

/* Is the kernel specialized for the frame's light? */
static bool shades(render_kernel which)
{
    return which == RENDER_SPLATS || which == RENDER_TONEMAP || which == RENDER_BACKGROUND_PASS ||
           which == RENDER_WHITEWATER_OVER || which == RENDER_SHADE ||
           which == RENDER_SHADE_MIXED || which == RENDER_SHADE_MESH;
}

static weir_result make_compute(renderer *r, render_kernel which)
{
    const compute_source *source = &computes[which];
    const render_light *light = &r->light;
    const uint32_t constants[] = {
        [RENDER_IS_FROM_MESH] = source->from_mesh, [RENDER_IS_MIXED] = source->mixed,
        [RENDER_IS_SKY_SOLIDS] = light->solids,    [RENDER_IS_SKY_SHADOWED] = light->shadowed,
        [RENDER_IS_SKY_IMAGE] = light->image,      [RENDER_IS_SOLIDS_SEEN] = light->seen,
        [RENDER_IS_SLICED] = light->sliced,        [RENDER_IS_TANK] = light->tank,
        [RENDER_IS_PARALLEL] = light->parallel,
    };
    const gpu_kernel_def def = {.shader = source->shader,
                                .name = source->name,
                                .constants = constants,
                                .constant_count = BASE_COUNT(constants)};
    r->made_for[which] = *light;
    return gpu_kernel_create(r->device, &def, &r->kernels[which]);
}

static weir_result make_draw(renderer *r, render_kernel which)
{
    gpu_draw_def def = draws[which];
    for (uint32_t i = 0; i < def.colour_count; i++)
        if (def.colours[i] == GPU_RG32F) def.colours[i] = r->thickness_format;
    if (which == RENDER_HOST_OVER) def.colours[0] = r->host_format;
    return gpu_draw_kernel_create(r->device, &def, &r->kernels[which]);
}

weir_result render_kernel_get(renderer *r, render_kernel which, const gpu_kernel **kernel)
{
    weir_result result = WEIR_OK;
    if (shades(which) && memcmp(&r->made_for[which], &r->light, sizeof r->light) != 0)
        /* The device keeps the pipeline, so that a light that returns does not compile it again. */
        gpu_kernel_destroy(r->device, &r->kernels[which]);
    if (!r->kernels[which])
        result = computes[which].shader ? make_compute(r, which) : make_draw(r, which);
    *kernel = r->kernels[which];
    return result;
}
