/* Draws the legend on the CPU: a title with the unit, and a colour bar with ticks, or a swatch per
 * fluid. The tone mapping pass blends it over the picture. Lengths in em are multiples of the
 * height of the text. */
#include "legend_font.h"
#include "render_internal.h"

#define BAR_WIDTH_EM 15.0f
#define BAR_HEIGHT_EM 0.8f
#define PAD_EM 0.7f
#define TEXT_COLOUR 0xfff4f4f4u
#define PANEL_COLOUR 0xb4241c18u /* alpha 180: text is readable over a light floor */
#define TICK_ROOM 8u
#define MIN_TEXT_PIXELS 10u
#define PICTURE_HEIGHT_EM 32u /* height of a picture */

static uint32_t em_pixels(const weir_camera *view)
{
    uint32_t height = view->height / PICTURE_HEIGHT_EM;
    return height < MIN_TEXT_PIXELS ? MIN_TEXT_PIXELS : height;
}

static uint32_t in_pixels(uint32_t em, float length)
{
    return (uint32_t)(length * (float)em + 0.5f);
}

static void fill_rectangle(legend_picture *p, uint32_t x, uint32_t y, uint32_t size[2], uint32_t c)
{
    for (uint32_t j = y; j < y + size[1] && j < p->height; ++j)
        for (uint32_t i = x; i < x + size[0] && i < p->width; ++i)
            p->pixels[j * p->width + i] = c;
}

/* ---- contents ------------------------------------------------------------------------------- */

/* Returns the distance between ticks, 1, 2 or 5 times a power of ten; at most six ticks fit. */
static double tick_step(double span)
{
    const double power = pow(10.0, floor(log10(span / 5.0)));
    const double ratio = span / 5.0 / power;
    return power * (ratio < 1.001 ? 1.0 : ratio < 2.001 ? 2.0 : ratio < 5.001 ? 5.0 : 10.0);
}

render_legend render_legend_make(const renderer *r, const weir_camera *view, float low, float high)
{
    static const struct {
        const char *title, *unit;
        double scale;
    } scales[WEIR_COLOURING_COUNT] = {
        [WEIR_COLOURING_SPEED] = {"Speed", "m/s", 1.0},
        [WEIR_COLOURING_DENSITY] = {"Density error", "%", 100.0},
        [WEIR_COLOURING_NEIGHBOURS] = {"Neighbours", "", 1.0},
        [WEIR_COLOURING_LAMBDA] = {"Multiplier lambda", "mm\u00b2", 1e6},
        [WEIR_COLOURING_ATTRIBUTE] = {NULL, "", 1.0},
    };
    bool speed = view->slice && view->slice->quantity == WEIR_SLICE_SPEED;
    render_legend legend = {.title = scales[view->colouring].title,
                            .unit = scales[view->colouring].unit,
                            .map = render_colour_map_of(view)};
    double scale = scales[view->colouring].scale;
    if (view->colouring == WEIR_COLOURING_ATTRIBUTE) legend.title = view->attribute;
    if (view->slice) {
        legend.title = speed ? "Speed" : "Pressure";
        legend.unit = speed ? "m/s" : "kPa";
        scale = speed ? 1.0 : 1e-3;
    } else if (view->colouring == WEIR_COLOURING_FLUID && r->liquid_count > 1) {
        legend.title = "Fluid";
        legend.unit = "";
        legend.fluid_count = r->liquid_count;
    }
    bool shown = view->slice || render_draws_opaque(view) ||
                 view->colouring == WEIR_COLOURING_ATTRIBUTE; /* of a surface, too */
    if (!view->legend || !shown) legend.title = NULL;
    legend.low = scale * (double)low;
    legend.high = scale * (double)high;
    return legend;
}

uint32_t render_legend_ticks(const render_legend *legend, double *values)
{
    if (!(legend->high > legend->low)) return 0;
    const double step = tick_step(legend->high - legend->low);
    uint32_t count = 0;
    for (double k = ceil(legend->low / step - 1e-6); count < TICK_ROOM; ++k) {
        if (k * step > legend->high + 1e-6 * step) break;
        values[count++] = k * step;
    }
    return count;
}

/* Writes a tick's value with as many decimals as the distance between ticks needs, and a minus sign
 * (U+2212) instead of a hyphen. */
static void write_value(const render_legend *legend, double value, char text[48])
{
    const double step = tick_step(legend->high - legend->low);
    const int decimals = step < 1.0 ? (int)ceil(-log10(step) - 1e-9) : 0;
    char number[32];
    if (fabs(value) < 1e-9 * step) value = 0.0;
    if (step >= 1e6 || decimals > 6)
        snprintf(number, sizeof number, "%.3g", fabs(value));
    else
        snprintf(number, sizeof number, "%.*f", decimals, fabs(value));
    snprintf(text, 48, "%s%s", value < 0.0 ? "\u2212" : "", number);
}

/* ---- drawing -------------------------------------------------------------------------------- */

static void draw_title(const render_legend *legend, legend_picture *p, legend_pen pen)
{
    char title[96];
    if (legend->unit[0])
        snprintf(title, sizeof title, "%s (%s)", legend->title, legend->unit);
    else
        snprintf(title, sizeof title, "%s", legend->title);
    legend_text_draw(p, pen, title);
}

static void draw_bar(const render_legend *legend, legend_picture *p, uint32_t em, uint32_t y)
{
    const uint32_t x = in_pixels(em, PAD_EM), width = in_pixels(em, BAR_WIDTH_EM);
    for (uint32_t i = 0; i < width; ++i) {
        const float at = ((float)i + 0.5f) / (float)width * (float)(RENDER_COLOUR_MAP_SIZE - 1);
        const uint32_t k = (uint32_t)at;
        const float part = at - (float)k;
        const uint32_t a = render_colour_map_entry(legend->map, k);
        const uint32_t b = render_colour_map_entry(legend->map, k + 1);
        uint32_t c = 0xff000000u;
        for (uint32_t shift = 0; shift < 24; shift += 8)
            c |= (uint32_t)((float)(a >> shift & 255u) * (1 - part) +
                            (float)(b >> shift & 255u) * part + 0.5f)
                 << shift;
        fill_rectangle(p, x + i, y, (uint32_t[]){1, in_pixels(em, BAR_HEIGHT_EM)}, c);
    }
}

static void draw_ticks(const render_legend *legend, legend_picture *p, legend_pen pen, uint32_t em)
{
    double values[TICK_ROOM];
    const uint32_t count = render_legend_ticks(legend, values), line = em / 14 + 1;
    const float width = (float)in_pixels(em, BAR_WIDTH_EM), pad = (float)in_pixels(em, PAD_EM);
    const uint32_t top = (uint32_t)pen.y - in_pixels(em, 1.25f);
    for (uint32_t i = 0; i < count; ++i) {
        char text[48];
        const double share = (values[i] - legend->low) / (legend->high - legend->low);
        const float x = pad + (float)share * (width - (float)line);
        fill_rectangle(p, (uint32_t)(x + 0.5f), top, (uint32_t[]){line, in_pixels(em, 0.25f)},
                       TEXT_COLOUR);
        write_value(legend, values[i], text);
        const float wide = (float)legend_text_width(pen.size, text);
        const float left = fmaxf(fminf(x - 0.5f * wide, (float)p->width - wide - 2.0f), 2.0f);
        pen.x = (int32_t)left;
        legend_text_draw(p, pen, text);
    }
}

static void draw_swatches(const renderer *r, legend_picture *p, legend_pen pen, uint32_t em)
{
    for (uint32_t i = 0; i < r->liquid_count; ++i) {
        uint32_t c = 0xff000000u;
        for (uint32_t k = 0; k < 3; ++k) {
            const float linear = fminf(fmaxf(r->liquids[i].colour[k], 0), 1);
            const float encoded = linear <= 0.0031308f
                                      ? 12.92f * linear
                                      : 1.055f * (float)pow((double)linear, 1 / 2.4) - 0.055f;
            c |= (uint32_t)(255.0f * encoded + 0.5f) << 8 * k;
        }
        const uint32_t side = in_pixels(em, BAR_HEIGHT_EM);
        fill_rectangle(p, in_pixels(em, PAD_EM), (uint32_t)pen.y - side, (uint32_t[]){side, side},
                       c);
        pen.x = (int32_t)in_pixels(em, PAD_EM + 1.2f);
        if (r->liquids[i].name) legend_text_draw(p, pen, r->liquids[i].name);
        pen.y += (int32_t)in_pixels(em, 1.3f);
    }
}

static uint32_t height_of(const render_legend *legend, uint32_t em)
{
    const float lines =
        legend->fluid_count ? 1.3f * (float)legend->fluid_count : 0.4f + BAR_HEIGHT_EM + 1.3f;
    return in_pixels(em, 2.0f * PAD_EM + 0.9f + lines);
}

weir_result render_legend_prepare(renderer *r, const weir_camera *view, uint32_t slot,
                                  struct render_params *params)
{
    const uint32_t em = em_pixels(view), size = legend_font_size(em);
    const render_legend legend = render_legend_make(r, view, params->range_low, params->range_high);
    params->legend = (uvec4){0, 0, 0, 0};
    if (!legend.title) return WEIR_OK;
    legend_picture p = {.width = in_pixels(em, BAR_WIDTH_EM + 2.0f * PAD_EM),
                        .height = height_of(&legend, em)};
    if (2 * p.width > view->width || 3 * p.height > view->height) return WEIR_OK;
    const gpu_buffer_def def = {.name = "legend",
                                .stride = 4,
                                .count = (uint64_t)p.width * p.height,
                                .memory = GPU_MEMORY_HOST};
    WEIR_RETURN_IF_ERROR(render_buffer_reserve(r, def, &r->legends[slot]));
    p.pixels = gpu_buffer_map(r->legends[slot]);
    fill_rectangle(&p, 0, 0, (uint32_t[]){p.width, p.height}, PANEL_COLOUR);
    legend_pen pen = {.size = size, .colour = TEXT_COLOUR};
    pen.x = (int32_t)in_pixels(em, PAD_EM);
    pen.y = (int32_t)in_pixels(em, PAD_EM + 0.8f);
    if (size) draw_title(&legend, &p, pen);
    if (legend.fluid_count) {
        pen.y += (int32_t)in_pixels(em, 1.4f);
        draw_swatches(r, &p, pen, em);
    } else {
        draw_bar(&legend, &p, em, in_pixels(em, PAD_EM + 1.3f));
        pen.y = (int32_t)in_pixels(em, PAD_EM + 1.3f + BAR_HEIGHT_EM + 1.25f);
        if (size) draw_ticks(&legend, &p, pen, em);
    }
    const uint32_t margin = em, room = margin + p.height;
    params->legend =
        (uvec4){margin, view->height > room ? view->height - room : 0, p.width, p.height};
    return WEIR_OK;
}
