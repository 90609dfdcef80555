/* Curves of a value over time. */
#include "reference_data.h"

void curve_add(validate *v, curve *c, double t, double y)
{
    validate_must_fit(v, BASE_ARRAY_PUSH(&c->t, t) && BASE_ARRAY_PUSH(&c->y, y));
}

void curve_free(curve *c)
{
    BASE_ARRAY_FREE(&c->t);
    BASE_ARRAY_FREE(&c->y);
}

double curve_at(const curve *c, double t)
{
    size_t i = 1;
    if (c->t.count == 0) return 0.0;
    if (c->t.count == 1 || t <= c->t.items[0]) return c->y.items[0];
    while (i + 1 < c->t.count && c->t.items[i] < t)
        ++i;
    double share = (t - c->t.items[i - 1]) / (c->t.items[i] - c->t.items[i - 1]);
    share = fmin(share, 1.0);
    return c->y.items[i - 1] + share * (c->y.items[i] - c->y.items[i - 1]);
}

double curve_end(const curve *c)
{
    return c->t.count ? c->t.items[c->t.count - 1] : 0.0;
}
