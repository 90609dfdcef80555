/* Finds a maximum of a field near a point without derivatives, because fields of shapes have
 * edges. */
#include "body_internal.h"

#define MAX_STEPS 64 /* of one size, at most */

/* Moves to the highest of the 26 neighbours of a point on a lattice of width `step`, if it is
 * higher than the point. Thanks to the diagonals, one of the neighbours leads upwards from any edge
 * where two faces meet, and from any corner of three. */
static bool step_uphill(const body_scalar_field *field, float step, vec3 *at, float *height)
{
    vec3 from = *at;
    bool higher = false;
    for (int i = 0; i < 27; i++) {
        const int x = i % 3 - 1, y = i / 3 % 3 - 1, z = i / 9 - 1;
        const vec3 way = vec3_make((float)x, (float)y, (float)z);
        vec3 p = vec3_add(from, vec3_scale(way, step));
        float here = field->value(field->of, p);
        if (here <= *height) continue;
        *height = here;
        *at = p;
        higher = true;
    }
    return higher;
}

float body_maximize_field(const body_scalar_field *field, float step, int halvings, vec3 *at)
{
    float height = field->value(field->of, *at);
    for (int halving = 0; halving <= halvings; halving++, step *= 0.5f)
        for (int i = 0; i < MAX_STEPS && step_uphill(field, step, at, &height); i++)
            ;
    return height;
}
