/* Chooses the size of pictures. A picture that takes longer than the budget makes the next ones
 * smaller. Larger ones are tried when they would fit the budget if half of the time grew with the
 * number of pixels; if they turn out not to fit, the next attempt is RETRY_S later. */
#include "resolution.h"

#define TOO_SLOW 1.2f /* above this many budgets, pictures become smaller */
#define ROOM 0.8f     /* below this many budgets, larger ones are tried */
#define SMOOTHING 0.5f
#define RETRY_S 20.0

/* Sides of pictures as fractions of the window's. */
static const float scales[VIEW_LEVELS] = {1.0f, 0.75f, 0.5f, 0.375f, 0.25f, 0.1875f, 0.125f};

static float least_scale(const view_resolution *r)
{
    float width = (float)VIEW_LEAST_WIDTH / fmaxf((float)r->width, 1.0f);
    float height = (float)VIEW_LEAST_HEIGHT / fmaxf((float)r->height, 1.0f);
    return fminf(fmaxf(width, height), 1.0f);
}

/* Returns the last level that is smaller than the one before it. */
static uint32_t last_level(const view_resolution *r)
{
    uint32_t level = 0;
    while (level + 1 < VIEW_LEVELS && scales[level] > least_scale(r))
        level++;
    return level;
}

void view_resolution_start(view_resolution *r, uint32_t width, uint32_t height, bool slow)
{
    *r = (view_resolution){.budget_ms = r->budget_ms, .width = width, .height = height};
    if (slow) r->level = last_level(r);
}

void view_resolution_size(const view_resolution *r, uint32_t level, uint32_t *width,
                          uint32_t *height)
{
    float scale = fmaxf(scales[level], least_scale(r));
    *width = (uint32_t)fmaxf(roundf(scale * (float)r->width), 1.0f);
    *height = (uint32_t)fmaxf(roundf(scale * (float)r->height), 1.0f);
}

static float pixel_count(const view_resolution *r, uint32_t level)
{
    uint32_t width, height;
    view_resolution_size(r, level, &width, &height);
    return (float)width * (float)height;
}

/* Estimates the time of the next larger pictures. */
static float larger_ms(const view_resolution *r)
{
    float ratio = pixel_count(r, r->level - 1) / pixel_count(r, r->level);
    float known = r->ms[r->level - 1], estimate = r->ms[r->level] * (0.5f + 0.5f * ratio);
    return known > 0.0f ? fmaxf(fminf(known, estimate), r->ms[r->level]) : estimate;
}

void view_resolution_measure(view_resolution *r, uint32_t level, float ms, double now_s)
{
    float *mean = &r->ms[level];
    *mean = *mean > 0.0f ? *mean + SMOOTHING * (ms - *mean) : ms;
    if (level != r->level) return;
    if (*mean > TOO_SLOW * r->budget_ms && level < last_level(r)) {
        r->level++;
        r->settled_s = now_s + RETRY_S;
    } else if (level > 0 && now_s >= r->settled_s && larger_ms(r) < ROOM * r->budget_ms) {
        r->level--;
        r->ms[r->level] = 0.0f;
    }
}
