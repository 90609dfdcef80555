/* The overlay: converts the caller's arrays to corners in host memory, three per triangle, which
 * one pass draws. The fragment shader does the clipping, so one draw is enough. */
#include "overlay.h"

#include "render/shaders.h"
#include "shared/overlay.h"

#define VK_NO_PROTOTYPES
#include "weir/vulkan.h"

/* Pending drawings: one more than a window has in flight, so that none has to be waited for. */
#define OVERLAY_SLOTS 3u

typedef struct slot {
    gpu_buffer *block, *corners, *clips;
    uint64_t ticket;
} slot;

struct render_overlay {
    gpu_pipeline *pipeline;
    gpu_buffer *font;
    uint32_t font_width, font_height, font_version;
    slot slots[OVERLAY_SLOTS];
    uint32_t next;
};

weir_result render_overlay_create(gpu_device *device, render_overlay **out)
{
    weir_result result;
    *out = NULL;
    render_overlay *overlay = base_alloc(1, sizeof *overlay);
    if (!overlay)
        return base_fail(gpu_device_log(device), WEIR_ERROR_MEMORY,
                         "not enough memory for an overlay");
    gpu_draw_def draw = {
        .name = "overlay",
        .vertex = &render_shaders[RENDER_SHADER_OVERLAY_VERT],
        .fragment = &render_shaders[RENDER_SHADER_OVERLAY_FRAG],
        .colours = {GPU_RGBA8},
        .blends = {GPU_BLEND_ALPHA},
        .colour_count = 1,
    };
    WEIR_GOTO_IF_ERROR(gpu_draw_pipeline_create(device, &draw, &overlay->pipeline));
    for (uint32_t i = 0; i < OVERLAY_SLOTS; i++)
        WEIR_GOTO_IF_ERROR(
            gpu_buffer_create(device,
                              &(gpu_buffer_def){.name = "overlay block",
                                                .stride = sizeof(struct overlay_block),
                                                .count = 1,
                                                .memory = GPU_MEMORY_UPLOAD},
                              &overlay->slots[i].block));
    *out = overlay;
    return WEIR_OK;
fail:
    render_overlay_destroy(device, &overlay);
    return result;
}

void render_overlay_destroy(gpu_device *device, render_overlay **pointer)
{
    render_overlay *overlay = *pointer;
    if (!overlay) return;
    gpu_device_wait(device);
    gpu_pipeline_destroy(device, &overlay->pipeline);
    gpu_buffer_destroy(device, &overlay->font);
    for (uint32_t i = 0; i < OVERLAY_SLOTS; i++) {
        gpu_buffer_destroy(device, &overlay->slots[i].block);
        gpu_buffer_destroy(device, &overlay->slots[i].corners);
        gpu_buffer_destroy(device, &overlay->slots[i].clips);
    }
    base_free(overlay);
    *pointer = NULL;
}

/* Returns a buffer with room for `count` elements; a new one gets half as much again. */
static weir_result reserve_buffer(gpu_device *device, gpu_buffer **buffer, gpu_buffer_def def)
{
    if (*buffer && gpu_buffer_count(*buffer) >= def.count) return WEIR_OK;
    def.count += def.count / 2;
    def.memory = GPU_MEMORY_UPLOAD;
    gpu_buffer_destroy(device, buffer);
    return gpu_buffer_create(device, &def, buffer);
}

static weir_result upload_font(gpu_device *device, render_overlay *overlay,
                               const weir_overlay *drawing)
{
    size_t words = (size_t)drawing->font_width * drawing->font_height;
    bool same = overlay->font && overlay->font_width == drawing->font_width &&
                overlay->font_height == drawing->font_height &&
                overlay->font_version == drawing->font_version;
    if (same) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(gpu_device_wait(device));
    gpu_buffer_destroy(device, &overlay->font);
    gpu_buffer_def def = {.name = "overlay font", .stride = 4, .count = words};
    WEIR_RETURN_IF_ERROR(gpu_buffer_create(device, &def, &overlay->font));
    weir_result result = gpu_buffer_upload(device, overlay->font, 0, drawing->font, words * 4);
    overlay->font_width = drawing->font_width;
    overlay->font_height = drawing->font_height;
    overlay->font_version = drawing->font_version;
    return result;
}

/* Reports whether all draws stay inside the arrays. */
static bool is_in_bounds(const weir_overlay *drawing)
{
    for (uint32_t d = 0; d < drawing->draw_count; d++) {
        const weir_overlay_draw *draw = &drawing->draws[d];
        if (draw->first > drawing->index_count || draw->count > drawing->index_count - draw->first)
            return false;
        for (uint32_t i = 0; i < draw->count; i++)
            if ((uint64_t)drawing->indices[draw->first + i] + draw->vertex_offset >=
                drawing->vertex_count)
                return false;
    }
    return true;
}

/* Writes the triangles of all draws consecutively. */
static void write_corners(const weir_overlay *drawing, struct overlay_corner *corners, vec4 *clips)
{
    for (uint32_t d = 0; d < drawing->draw_count; d++) {
        const weir_overlay_draw *draw = &drawing->draws[d];
        clips[d] = (vec4){draw->clip[0], draw->clip[1], draw->clip[2], draw->clip[3]};
        for (uint32_t i = 0; i < draw->count; i++) {
            uint32_t at = drawing->indices[draw->first + i] + draw->vertex_offset;
            const weir_overlay_vertex *v = &drawing->vertices[at];
            *corners++ = (struct overlay_corner){
                .point = {v->x, v->y}, .uv = {v->u, v->v}, .colour = v->colour, .clip = d};
        }
    }
}

static weir_result fill_slot(gpu_device *device, slot *s, const weir_overlay *drawing,
                             uint64_t count)
{
    gpu_buffer_def corners = {
        .name = "overlay corners", .stride = sizeof(struct overlay_corner), .count = count};
    gpu_buffer_def clips = {
        .name = "overlay clips", .stride = sizeof(vec4), .count = drawing->draw_count};
    WEIR_RETURN_IF_ERROR(reserve_buffer(device, &s->corners, corners));
    WEIR_RETURN_IF_ERROR(reserve_buffer(device, &s->clips, clips));
    write_corners(drawing, gpu_buffer_map(s->corners), gpu_buffer_map(s->clips));
    return WEIR_OK;
}

static gpu_pass build_pass(const render_overlay *overlay, const slot *s, uint32_t corners,
                           gpu_image *picture)
{
    gpu_buffer *const buffers[] = {[OVERLAY_BIND_block] = s->block,
                                   [OVERLAY_BIND_corners] = s->corners,
                                   [OVERLAY_BIND_clips] = s->clips,
                                   [OVERLAY_BIND_font] = overlay->font};
    gpu_pass pass = gpu_pass_make(
        overlay->pipeline, (gpu_dispatch_size){.name = "overlay", .count = 1, .vertices = corners});
    gpu_pass_bind_all(&pass, buffers, BASE_COUNT(buffers));
    gpu_pass_attach(&pass, picture, NULL);
    return pass;
}

weir_result render_overlay_draw(gpu_device *device, render_overlay *overlay,
                                const weir_overlay *drawing, gpu_image *picture)
{
    uint64_t corners = 0;
    slot *s = &overlay->slots[overlay->next++ % OVERLAY_SLOTS];
    for (uint32_t d = 0; d < drawing->draw_count; d++)
        corners += drawing->draws[d].count;
    if (corners == 0) return WEIR_OK;
    if (!is_in_bounds(drawing) || corners > UINT32_MAX)
        return base_fail(gpu_device_log(device), WEIR_ERROR_ARGUMENT,
                         "a draw of an overlay reads past its %u indices or %u vertices",
                         drawing->index_count, drawing->vertex_count);
    if (s->ticket) WEIR_RETURN_IF_ERROR(gpu_ticket_wait(device, s->ticket));
    WEIR_RETURN_IF_ERROR(upload_font(device, overlay, drawing));
    WEIR_RETURN_IF_ERROR(fill_slot(device, s, drawing, corners));
    *(struct overlay_block *)gpu_buffer_map(s->block) = (struct overlay_block){
        .picture = {(float)gpu_image_width(picture), (float)gpu_image_height(picture)},
        .font = {(float)overlay->font_width, (float)overlay->font_height}};
    gpu_pass pass = build_pass(overlay, s, (uint32_t)corners, picture);
    WEIR_RETURN_IF_ERROR(gpu_passes_check(device, &pass, 1));
    WEIR_RETURN_IF_ERROR(gpu_record_begin(device));
    WEIR_RETURN_IF_ERROR(gpu_record_passes(device, &pass, 1, 0, NULL));
    return gpu_record_submit(device, &s->ticket);
}
