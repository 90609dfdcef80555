/* Reference of gauges from their definitions, without bins and partial sums. */
#include "ref_gauges.h"

#include <stdlib.h>

static float component(vec4 v, uint32_t axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* Returns the index of the part of the axis that contains the particle; -1 outside the box. */
static int part_of(const struct sim_gauge *g, vec4 p)
{
    uint32_t axis = g->axis / 2;
    for (uint32_t k = 0; k < 3; k++)
        if (component(p, k) < component(g->min, k) || component(p, k) >= component(g->max, k))
            return -1;
    float along_m = g->axis % 2 == 0 ? component(p, axis) - component(g->min, axis)
                                     : component(g->max, axis) - component(p, axis);
    uint32_t part = (uint32_t)(along_m / g->bin_width_m);
    return (int)(part < g->bin_count ? part : g->bin_count - 1);
}

/* A part is filled when the slab of one spacing around it holds half a layer of particles. */
static double level(const ref_measured *m, const struct sim_gauge *g)
{
    uint32_t filled = 0, farthest = 0;
    for (uint32_t middle = 0; middle < g->bin_count; middle++) {
        uint32_t held = 0;
        for (uint32_t i = 0; i < m->count; i++) {
            int part = part_of(g, m->x[i]);
            held += part >= 0 && abs(part - (int)middle) <= (int)g->slab_half_bins;
        }
        if (held < g->half_layer_count) continue;
        filled++;
        farthest = middle + 1;
    }
    return (g->kind == SIM_GAUGE_HEIGHT ? filled : farthest) * (double)g->bin_width_m;
}

static double along(const struct sim_gauge *g, vec4 p)
{
    return (double)(p.x - g->min.x) * (double)g->max.x +
           (double)(p.y - g->min.y) * (double)g->max.y +
           (double)(p.z - g->min.z) * (double)g->max.z;
}

static bool crosses(const struct sim_gauge *g, vec4 from, vec4 to)
{
    double before = along(g, from), after = along(g, to);
    if ((before < 0) == (after < 0)) return false;
    double t = before / (before - after), r2 = 0;
    for (uint32_t k = 0; k < 3; k++) {
        double at = (1 - t) * (double)component(from, k) + t * (double)component(to, k) -
                    (double)component(g->min, k);
        r2 += at * at;
    }
    return g->min.w <= 0 || r2 <= (double)(g->min.w * g->min.w);
}

static double flow(const ref_measured *m, const struct sim_gauge *g)
{
    int crossed = 0;
    double d = (double)m->params->spacing, volume = m->params->planar ? d * d : d * d * d;
    for (uint32_t i = 0; i < m->count; i++) {
        vec4 from = m->start[i], to = m->a[i], end = m->x[i];
        vec4 begin = {end.x - (to.x - from.x), end.y - (to.y - from.y), end.z - (to.z - from.z), 0};
        if (!crosses(g, from, to) && !crosses(g, begin, end)) continue;
        crossed += along(g, to) >= along(g, from) ? 1 : -1;
    }
    return crossed * volume / (double)m->dt;
}

static double shorter(double d, double period)
{
    return period > 0 ? d - period * round(d / period) : d;
}

static double pressure(const ref_measured *m, const struct sim_gauge *g)
{
    double sum = 0, weights = 0, dt = (double)m->dt;
    const struct sim_params *p = m->params;
    for (uint32_t i = 0; i < m->count; i++) {
        double x = shorter((double)(m->x[i].x - g->min.x), (double)p->period.x);
        double y = shorter((double)(m->x[i].y - g->min.y), (double)p->period.y);
        double z = shorter((double)(m->x[i].z - g->min.z), (double)p->period.z);
        double t = 1 - (x * x + y * y + z * z) / (double)(g->min.w * g->min.w);
        if (t <= 0) continue;
        double density = (double)p->fluids[(uint32_t)m->x[i].w].density;
        double own = (double)p->relaxation * (double)m->measured[(size_t)i * m->slots].w * density /
                     (dt * dt);
        sum += t * t * t * own;
        weights += t * t * t;
    }
    return weights > 0 ? sum / weights : 0;
}

static vec4 force(const ref_measured *m, const struct sim_gauge *g)
{
    double sum[3] = {0}, dt2 = (double)m->dt * (double)m->dt;
    for (uint32_t i = 0; i < m->count; i++)
        for (uint32_t k = 0; k < 3; k++) {
            const vec4 *before = &m->measured[(size_t)i * m->slots + g->force_slot - 1];
            const vec4 *after = before + m->slots / 2;
            sum[k] -= ((double)component(*before, k) + (double)component(*after, k)) / dt2;
        }
    return (vec4){(float)sum[0], (float)sum[1], (float)sum[2], 0};
}

vec4 ref_gauge(const ref_measured *m, const struct sim_gauge *g)
{
    switch (g->kind) {
    case SIM_GAUGE_HEIGHT:
    case SIM_GAUGE_FRONT: return (vec4){(float)level(m, g), 0, 0, 0};
    case SIM_GAUGE_PRESSURE: return (vec4){(float)pressure(m, g), 0, 0, 0};
    case SIM_GAUGE_FLOW: return (vec4){(float)flow(m, g), 0, 0, 0};
    default: return force(m, g);
    }
}
