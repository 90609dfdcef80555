/* The block of a frame that all shaders read: cameras, light, fluids. */
#include "render_internal.h"
#include "weir_profile.h"

static vec4 with(vec3 v, float w)
{
    return (vec4){v.x, v.y, v.z, w};
}

static vec3 of(const float v[3])
{
    return vec3_make(v[0], v[1], v[2]);
}

static vec3 unit(vec3 v)
{
    float length = vec3_length(v);
    return length > 0.0f ? vec3_scale(v, 1.0f / length) : vec3_make(0.0f, 1.0f, 0.0f);
}

/* Any unit vector across `v`. */
static vec3 across(vec3 v)
{
    vec3 axis = fabsf(v.y) < 0.9f ? vec3_make(0.0f, 1.0f, 0.0f) : vec3_make(1.0f, 0.0f, 0.0f);
    return unit(vec3_cross(v, axis));
}

static vec4 frame_of(uint32_t width, uint32_t height)
{
    return (vec4){(float)width, (float)height, 1.0f / (float)width, 1.0f / (float)height};
}

static float near_of(const weir_view *view, float spacing)
{
    return view->near_m > 0.0f ? view->near_m : 0.5f * spacing;
}

static render_camera eye_camera(const weir_view *view, float spacing)
{
    vec3 forward = unit(vec3_sub(of(view->target), of(view->eye)));
    vec3 right = vec3_cross(forward, of(view->up));
    right = vec3_length(right) > 1e-6f ? unit(right) : across(forward);
    float tangent = base_tan(view->fov_y_degrees * 0.00872664626f);
    uint32_t width = view->width * view->samples, height = view->height * view->samples;
    return (render_camera){
        .eye = with(of(view->eye), near_of(view, spacing)),
        .right = with(right, tangent * (float)width / (float)height),
        .up = with(vec3_cross(right, forward), tangent),
        .forward = with(forward, 0.0f),
        .frame = frame_of(width, height),
    };
}

static vec3 corner_of(const renderer *r, int i)
{
    return vec3_make(i & 1 ? r->max.x : r->min.x, i & 2 ? r->max.y : r->min.y,
                     i & 4 ? r->max.z : r->min.z);
}

static render_camera host_perspective(const weir_view *view, const render_host *host, float spacing)
{
    return (render_camera){
        .eye = with(host->eye, near_of(view, spacing)),
        .right = with(host->right, host->tangent_x),
        .up = with(host->up, host->tangent_y),
        .forward = with(host->forward, 0.0f),
        .frame = frame_of(view->width, view->height),
        .middle = {host->middle_x, host->middle_y, host->middle_x / host->tangent_x,
                   -host->middle_y / host->tangent_y},
    };
}

#define EYE_BEFORE 8.0f /* depths of the fluid's box */

/* Parallel rays have no eye: its plane may be anywhere before the fluid. It is so far away that
 * 1/z, which passes filter, is nearly linear over the fluid, and so near that floats tell pixels
 * apart. *moved_m: how far it lies before the plane of the host's eye. */
static render_camera host_parallel(const renderer *r, const render_frame *frame, float spacing,
                                   float *moved_m)
{
    const render_host *host = frame->host;
    float first = INFINITY, last = -INFINITY;
    for (int i = 0; i < 8; i++) {
        float distance = vec3_dot(vec3_sub(corner_of(r, i), host->eye), host->forward);
        first = fminf(first, distance);
        last = fmaxf(last, distance);
    }
    float depth = fmaxf(last - first, spacing),
          start = fmaxf(first, host->near_m) - EYE_BEFORE * depth;
    *moved_m = -start;
    float near = fmaxf(host->near_m - start, near_of(frame->view, spacing));
    return (render_camera){
        .eye = with(vec3_add(host->eye, vec3_scale(host->forward, start)), near),
        .right = with(host->right, host->tangent_x),
        .up = with(host->up, host->tangent_y),
        .forward = with(host->forward, fmaxf(last - start, near) + depth),
        .frame = frame_of(frame->view->width, frame->view->height),
    };
}

static void fill_host(const renderer *r, const render_frame *frame, float spacing,
                      struct render_params *p)
{
    const render_host *host = frame->host;
    float moved_m = 0.0f, added = host->depth_added;
    p->cameras[RENDER_EYE] = host->parallel ? host_parallel(r, frame, spacing, &moved_m)
                                            : host_perspective(frame->view, host, spacing);
    if (host->parallel) added += moved_m / host->depth_over;
    p->host = (vec4){host->depth_over, added, host->encoded ? 1.0f : 0.0f, 0.0f};
}

/* Parallel rays from the sun through the box. */
static render_camera sun_camera(const renderer *r, float spacing)
{
    vec3 forward = vec3_scale(unit(r->look.sun), -1.0f), right = across(forward);
    vec3 up = vec3_cross(right, forward), middle = vec3_scale(vec3_add(r->min, r->max), 0.5f);
    vec3 half = {0};
    for (int i = 0; i < 8; i++) {
        vec3 c = vec3_sub(corner_of(r, i), middle);
        half = vec3_max(half, vec3_make(fabsf(vec3_dot(c, right)), fabsf(vec3_dot(c, up)),
                                        fabsf(vec3_dot(c, forward))));
    }
    half = vec3_add(half, vec3_make(2.0f * spacing, 2.0f * spacing, 4.0f * spacing));
    return (render_camera){
        .eye = with(vec3_sub(middle, vec3_scale(forward, half.z)), 0.0f),
        .right = with(right, half.x),
        .up = with(up, half.y),
        .forward = with(forward, 2.0f * half.z),
        .frame = frame_of(r->shadow.size ? r->shadow.size : 1, r->shadow.size ? r->shadow.size : 1),
    };
}

/* Is the picture light, not numbers as colours, which no exposure and no tone curve may change? */
static bool shows_light(weir_mode mode)
{
    return mode <= WEIR_MODE_MESH || mode == WEIR_MODE_BACKGROUND;
}

static void fill_light(const renderer *r, const render_frame *frame, struct render_params *p)
{
    const weir_view *view = frame->view;
    const render_look *look = &r->look;
    vec3 middle = vec3_scale(vec3_add(r->min, r->max), 0.5f);
    p->sun_direction = with(unit(look->sun), 0.9998f);
    p->sun_colour = with(of(look->sun_colour), 0.0f);
    p->sky_zenith = with(of(look->zenith), 0.0f);
    p->sky_horizon = with(of(look->horizon), look->clouds);
    p->floor_light = with(of(look->floor_light), look->floor_height);
    p->floor_dark = with(of(look->floor_dark), view->transparent ? 0.0f : look->floor_tile);
    p->floor_fade = (vec4){1.0f / look->floor_fade, middle.x, middle.z, 0.0f};
    p->background = (vec4){view->transparent ? 1.0f : 0.0f, view->exposure,
                           view->exposure > 0.0f && shows_light(view->mode) ? 0.0f : 1.0f,
                           frame->exposures > 1 ? 1.0f / (float)frame->exposures : 1.0f};
    p->refraction = look->refraction;
}

#define DENSITY_RANGE \
    0.05f /* largest relative density error with a colour of its own, plus or minus */

static float component(vec3 v, uint32_t axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* The plane's normal points to the eye: what lies before it is cut off. */
static void fill_slice(const weir_view *view, struct render_params *p)
{
    const weir_slice *slice = view->slice;
    if (!slice) return;
    WEIR_ASSERT(RENDER_NO_VALUE == WEIR_NO_VALUE);
    uint32_t axis = slice->axis;
    float way = component(of(view->eye), axis) < slice->position_m ? -1.0f : 1.0f;
    p->slice_plane = (vec4){axis == 0 ? way : 0.0f, axis == 1 ? way : 0.0f, axis == 2 ? way : 0.0f,
                            way * slice->position_m};
    p->slice_grid = (vec4){slice->corner_m[0], slice->corner_m[1], 1.0f / slice->cell_m[0],
                           1.0f / slice->cell_m[1]};
    p->slice_cells = (uvec4){slice->columns, slice->rows, axis, 0};
}

/* Range of the colour scale: the view's, or one estimated from the box. */
static void fill_range(const renderer *r, const render_frame *frame, struct render_params *p)
{
    const weir_view *view = frame->view;
    vec3 extent = vec3_sub(r->max, r->min);
    float nearest = INFINITY, farthest = 0.0f;
    for (int i = 0; i < 8; i++) {
        float distance = vec3_length(vec3_sub(corner_of(r, i), of(view->eye)));
        nearest = fminf(nearest, distance);
        farthest = fmaxf(farthest, distance);
    }
    float low = 0.0f, high = 1.0f;
    if (view->slice) {
        low = view->slice->low;
        high = view->slice->high;
    } else if (view->mode == WEIR_MODE_DEPTH || view->mode == WEIR_MODE_FILTERED) {
        low = nearest;
        high = farthest;
    } else if (!render_opaque(view)) {
        high = 0.4f * vec3_length(extent);
    } else if (view->colouring == WEIR_COLOUR_SPEED) {
        high = sqrtf(2.0f * 9.81f * extent.y);
    } else if (view->colouring == WEIR_COLOUR_DENSITY) {
        high = DENSITY_RANGE;
        low = -high;
    } else if (view->colouring == WEIR_COLOUR_NEIGHBOURS) {
        high = 60.0f;
    } else if (view->colouring == WEIR_COLOUR_LAMBDA && frame->points) {
        high = DENSITY_RANGE * frame->points->lambda_unit;
        low = -high;
    }
    bool chosen = view->range[0] == view->range[1];
    p->range_low = chosen ? low : view->range[0];
    p->range_high = chosen ? high : view->range[1];
}

/* Eight glyphs of a text in two words. */
static void write_glyphs(const char *text, uint32_t words[2])
{
    static const char others[] = ".-m/s%kPa";
    words[0] = words[1] = 0;
    size_t length = strlen(text);
    for (size_t i = 0; i < 8; i++) {
        char c = i < length ? text[i] : ' ';
        const char *other = strchr(others, c);
        uint32_t glyph = c >= '0' && c <= '9' ? (uint32_t)(c - '0')
                         : other              ? RENDER_GLYPH_POINT + (uint32_t)(other - others)
                                              : RENDER_GLYPH_BLANK;
        words[i / 4] |= glyph << 8 * (i % 4);
    }
}

/* In eight glyphs; a number that needs an exponent is left out. */
static void write_number(double value, bool right, uint32_t words[2])
{
    char text[32], placed[48];
    snprintf(text, sizeof text, "%.3g", fabs(value) < 1e-9 ? 0.0 : value);
    snprintf(placed, sizeof placed, right ? "%8s" : "%s", strchr(text, 'e') ? "" : text);
    write_glyphs(placed, words);
}

/* A scale with its ends and unit, or a swatch per fluid, numbered from 0. Ids have no legend, as
 * their colours stand for nothing. */
static void fill_legend(const renderer *r, const weir_view *view, struct render_params *p)
{
    static const struct {
        const char *unit; /* NULL: no scale */
        double scale;
    } scales[WEIR_COLOUR_COUNT] = {
        [WEIR_COLOUR_SPEED] = {"m/s", 1.0},
        [WEIR_COLOUR_DENSITY] = {"%", 100.0},
        [WEIR_COLOUR_NEIGHBOURS] = {"", 1.0},
        [WEIR_COLOUR_LAMBDA] = {"mm2", 1e6},
    };
    const char *unit = scales[view->colouring].unit;
    double scale = scales[view->colouring].scale;
    uint32_t low[2], high[2], words[2];
    bool fluids = !view->slice && view->colouring == WEIR_COLOUR_FLUID && r->liquid_count > 1;
    if (view->slice) unit = view->slice->of == WEIR_SLICE_SPEED ? "m/s" : "kPa";
    if (view->slice) scale = view->slice->of == WEIR_SLICE_SPEED ? 1.0 : 1e-3;
    double ends[2] = {scale * (double)p->range_low, scale * (double)p->range_high};
    if (!view->legend || (!view->slice && !render_opaque(view)) || (!unit && !fluids)) return;
    if (fluids) {
        ends[0] = 0.0;
        ends[1] = (double)r->liquid_count - 1.0;
    }
    write_number(ends[0], false, low);
    write_number(ends[1], true, high);
    write_glyphs(fluids ? "" : unit, words);
    p->legend[0] = (uvec4){low[0], low[1], high[0], high[1]};
    p->legend[1] = (uvec4){words[0], words[1], 0, fluids ? r->liquid_count : 1};
}

#define LARGEST_DROP 0.006f /* m: the diameter up to which drops last in the air */
#define MOST_DROPS 8.0f
#define MOST_PARTS 8.0f   /* of a drop that is still too large */
#define SPRAY_RADIUS 1.3f /* spacings */

/* Drops that are drawn in place of a particle without neighbours; particles as such are drawn as
 * they are. */
static void fill_drops(const render_frame *frame, struct render_params *p)
{
    float across = p->spacing / LARGEST_DROP, number = roundf(1.91f * across * across * across);
    float parts = fminf(fmaxf(roundf(number / MOST_DROPS), 1.0f), MOST_PARTS);
    p->drops = (vec4){fminf(fmaxf(number, 1.0f), MOST_DROPS), SPRAY_RADIUS, frame->ahead_s, parts};
    if (render_opaque(frame->view)) p->drops.x = 1.0f;
}

/* Edges of the tank are as wide as this share of its longest side. */
#define EDGE 0.0025f

static void fill_tank(const renderer *r, struct render_params *p)
{
    const render_look *look = &r->look;
    vec3 size = vec3_sub(look->tank_max, look->tank_min);
    p->tank_low = with(look->tank_min, EDGE * fmaxf(fmaxf(size.x, size.y), size.z));
    p->tank_high = with(look->tank_max, (float)look->tank_sides);
}

static uint32_t shown(const render_frame *frame)
{
    static const uint32_t modes[WEIR_MODE_COUNT] = {
        [WEIR_MODE_SURFACE] = RENDER_SHOW_SURFACE,
        [WEIR_MODE_ELLIPSOIDS] = RENDER_SHOW_ELLIPSOIDS,
        [WEIR_MODE_PARTICLES] = RENDER_SHOW_PARTICLES,
        [WEIR_MODE_MESH] = RENDER_SHOW_MESH,
        [WEIR_MODE_DEPTH] = RENDER_SHOW_DEPTH,
        [WEIR_MODE_FILTERED] = RENDER_SHOW_FILTERED,
        [WEIR_MODE_THICKNESS] = RENDER_SHOW_THICKNESS,
        [WEIR_MODE_NORMALS] = RENDER_SHOW_NORMALS,
        [WEIR_MODE_SHADOW] = RENDER_SHOW_SHADOW,
        [WEIR_MODE_BACKGROUND] = RENDER_SHOW_BACKGROUND,
    };
    return modes[frame->view->mode];
}

static void fill_points(const grid_points *points, struct render_params *p)
{
    p->count = points->count;
    p->has = (points->velocity ? 1u : 0u) | (points->id ? 2u : 0u) | (points->fluid ? 4u : 0u) |
             (points->density ? 8u : 0u) | (points->has_lambda ? 16u : 0u);
}

void render_params_fill(const renderer *r, const render_frame *frame, struct render_params *p)
{
    static const uint32_t colourings[WEIR_COLOUR_COUNT] = {
        [WEIR_COLOUR_FLUID] = RENDER_BY_FLUID,           [WEIR_COLOUR_SPEED] = RENDER_BY_SPEED,
        [WEIR_COLOUR_DENSITY] = RENDER_BY_DENSITY,       [WEIR_COLOUR_ID] = RENDER_BY_ID,
        [WEIR_COLOUR_NEIGHBOURS] = RENDER_BY_NEIGHBOURS, [WEIR_COLOUR_LAMBDA] = RENDER_BY_LAMBDA,
    };
    const weir_view *view = frame->view;
    float spacing = frame->points ? frame->points->spacing_m : r->anisotropy_def.spacing_m;
    if (!(spacing > 0.0f)) spacing = 0.01f * vec3_length(vec3_sub(r->max, r->min));
    *p = (struct render_params){.fluid_count = r->liquid_count,
                                .show = shown(frame),
                                .colour_by = colourings[view->colouring],
                                .spacing = spacing,
                                .bulk_radius = r->look.bulk_radius,
                                .drop_radius = r->look.drop_radius,
                                .filter_sigma = view->filter_size * spacing,
                                .filter_range = 3.0f * spacing,
                                .filter_reach = view->samples > 1 ? 64 : 32,
                                .samples = view->samples,
                                .fixed_point = 65536.0f / spacing};
    if (frame->host)
        fill_host(r, frame, spacing, p);
    else
        p->cameras[RENDER_EYE] = eye_camera(view, spacing);
    p->cameras[RENDER_SUN] = sun_camera(r, spacing);
    for (uint32_t i = 0; i < r->liquid_count; i++) {
        const render_liquid *liquid = &r->liquids[i];
        p->fluids[i].absorption = with(of(liquid->absorption), liquid->scattering);
        p->fluids[i].colour = with(of(liquid->colour), liquid->density);
    }
    if (frame->points) fill_points(frame->points, p);
    fill_drops(frame, p);
    fill_tank(r, p);
    fill_light(r, frame, p);
    fill_slice(view, p);
    fill_range(r, frame, p);
    fill_legend(r, view, p);
}
