/* Contacts of vertices with each other. */
#include "ref_soft_contact.h"

static vec3 moved_of(const ref_crowd *c, uint32_t i)
{
    return ref_xyz(c->softs->moves[i]);
}

/* From k to i: at the substep's start, and how that changes. */
static vec3 start_of(const ref_crowd *c, uint32_t i, uint32_t k)
{
    return vec3_sub(ref_xyz(c->softs->states[i].position), ref_xyz(c->softs->states[k].position));
}

static vec3 slip_of(const ref_crowd *c, uint32_t i, uint32_t k)
{
    return vec3_sub(moved_of(c, i), moved_of(c, k));
}

float ref_soft_thickness(const ref_crowd *c, uint32_t i, uint32_t k)
{
    const struct soft_make *a = &c->softs->makes[c->owners[i]], *b = &c->softs->makes[c->owners[k]];
    float both = a->radius + b->radius;
    float rest = vec3_length(vec3_sub(ref_xyz(c->rests[i]), ref_xyz(c->rests[k])));
    if (a == b) {
        if (a->meets != SOFT_MEETS_ALL || rest < a->apart) return 0.0f;
        return both;
    }
    bool meet = a->meets != SOFT_MEETS_NONE && b->meets != SOFT_MEETS_NONE;
    return meet ? fminf(both, rest) : 0.0f;
}

/* In doubles: the least distance of two points that move evenly. */
static float nearest(const ref_crowd *c, uint32_t i, uint32_t k)
{
    vec3 s = start_of(c, i, k), d = slip_of(c, i, k);
    double size = (double)vec3_dot(d, d), share = 0.0;
    if (size > 0.0) share = -(double)vec3_dot(s, d) / size;
    share = fmin(fmax(share, 0.0), 1.0);
    return vec3_length(vec3_add(s, vec3_scale(d, (float)share)));
}

bool ref_soft_is_near(const ref_crowd *c, uint32_t i, uint32_t k)
{
    float thickness = ref_soft_thickness(c, i, k);
    bool held = c->softs->moves[i].w == 0.0f && c->softs->moves[k].w == 0.0f;
    return i != k && !held && thickness > 0.0f && nearest(c, i, k) < SOFT_NEAR_SLACK * thickness;
}

float ref_soft_depth(const ref_crowd *c, uint32_t i, uint32_t k, vec3 *normal)
{
    float thickness = ref_soft_thickness(c, i, k), closest = nearest(c, i, k);
    vec3 s = start_of(c, i, k), e = vec3_add(s, slip_of(c, i, k));
    if (!(closest < thickness)) return 0.0f;
    if (vec3_dot(s, e) < 0.0f && closest < SOFT_CROSSING * thickness) {
        *normal = vec3_scale(s, 1.0f / vec3_length(s));
        return thickness - vec3_dot(e, *normal);
    }
    *normal = vec3_scale(e, 1.0f / vec3_length(e));
    return thickness - vec3_length(e);
}

static bool has(const uint32_t *list, uint32_t k)
{
    uint32_t count = list[0] < SOFT_NEAR_MOST ? list[0] : SOFT_NEAR_MOST;
    for (uint32_t n = 1; n <= count; n++)
        if (list[n] == k) return true;
    return false;
}

bool ref_soft_lists(const uint32_t *nears, uint32_t i, uint32_t k)
{
    return has(&nears[(size_t)SOFT_NEAR_WORDS * i], k) &&
           has(&nears[(size_t)SOFT_NEAR_WORDS * k], i);
}

vec3 ref_soft_shove(const ref_crowd *c, const uint32_t *nears, const uint32_t *bears, uint32_t i)
{
    const struct soft_make *makes = c->softs->makes;
    const uint32_t *list = &nears[(size_t)SOFT_NEAR_WORDS * i];
    vec3 sum = {0};
    for (uint32_t n = 1; n <= list[0] && n <= SOFT_NEAR_MOST; n++) {
        uint32_t k = list[n];
        vec3 normal;
        if (!ref_soft_lists(nears, i, k)) continue;
        float depth = ref_soft_depth(c, i, k, &normal);
        if (!(depth > 0.0f)) continue;
        float weight =
            (float)bears[i] * c->softs->moves[i].w + (float)bears[k] * c->softs->moves[k].w;
        vec3 slip = slip_of(c, i, k);
        vec3 along = vec3_sub(slip, vec3_scale(normal, vec3_dot(slip, normal)));
        float push = depth / weight, size = vec3_length(along);
        float rubs = fmaxf(makes[c->owners[i]].friction, makes[c->owners[k]].friction);
        sum = vec3_add(sum, vec3_scale(normal, push));
        if (size > 0.0f)
            sum = vec3_sub(sum, vec3_scale(along, fminf(size / weight, rubs * push) / size));
    }
    return sum;
}
