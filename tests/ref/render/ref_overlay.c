/* Draws rectangles over a picture like shaders/render/overlay.vert and overlay.frag. */
#include "ref_overlay.h"

static float texel(const weir_overlay *o, int x, int y, uint32_t channel)
{
    int right = (int)o->font_width - 1, bottom = (int)o->font_height - 1;
    x = x < 0 ? 0 : x > right ? right : x;
    y = y < 0 ? 0 : y > bottom ? bottom : y;
    return (float)o->font[4 * ((uint32_t)y * o->font_width + (uint32_t)x) + channel] / 255.0f;
}

static float mix(float a, float b, float t)
{
    return a + (b - a) * t;
}

static float sample(const weir_overlay *o, float u, float v, uint32_t channel)
{
    float x = u * (float)o->font_width - 0.5f, y = v * (float)o->font_height - 0.5f;
    int ix = (int)floorf(x), iy = (int)floorf(y);
    float fx = x - (float)ix, fy = y - (float)iy;
    return mix(mix(texel(o, ix, iy, channel), texel(o, ix + 1, iy, channel), fx),
               mix(texel(o, ix, iy + 1, channel), texel(o, ix + 1, iy + 1, channel), fx), fy);
}

static void blend(uint8_t *pixel, uint32_t colour, const float texture[4])
{
    float alpha = (float)(colour >> 24) / 255.0f * texture[3];
    for (uint32_t c = 0; c < 3; c++) {
        float over = (float)(colour >> 8 * c & 255u) / 255.0f * texture[c];
        pixel[c] = (uint8_t)(255.0f * mix((float)pixel[c] / 255.0f, over, alpha) + 0.5f);
    }
}

static void draw_rectangle(const weir_overlay *o, const weir_overlay_vertex *a,
                           const weir_overlay_vertex *b, const float *clip, ref_picture *picture)
{
    for (uint32_t y = 0; y < picture->height; y++)
        for (uint32_t x = 0; x < picture->width; x++) {
            float px = (float)x + 0.5f, py = (float)y + 0.5f;
            bool inside = px >= a->x && px < b->x && py >= a->y && py < b->y;
            bool kept = px >= clip[0] && py >= clip[1] && px < clip[2] && py < clip[3];
            if (!inside || !kept) continue;
            float u = mix(a->u, b->u, (px - a->x) / (b->x - a->x));
            float v = mix(a->v, b->v, (py - a->y) / (b->y - a->y));
            float texture[4];
            for (uint32_t c = 0; c < 4; c++)
                texture[c] = sample(o, u, v, c);
            blend(picture->pixels + 4 * ((size_t)y * picture->width + x), a->colour, texture);
        }
}

void ref_overlay(const weir_overlay *drawing, ref_picture *picture)
{
    for (uint32_t d = 0; d < drawing->draw_count; d++) {
        const weir_overlay_draw *draw = &drawing->draws[d];
        for (uint32_t i = 0; i < draw->count; i += 6) {
            const uint16_t *index = drawing->indices + draw->first + i;
            const weir_overlay_vertex *vertices = drawing->vertices + draw->vertex_offset;
            draw_rectangle(drawing, &vertices[index[0]], &vertices[index[2]], draw->clip, picture);
        }
    }
}
