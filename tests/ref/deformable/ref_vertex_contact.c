/* Reference of contacts between vertices. */
#include "ref_vertex_contact.h"

static vec3 vertex_displacement(const ref_vertex_contacts *c, uint32_t i)
{
    return ref_xyz(c->deformables->displacements[i]);
}

/* Computes the offset from k to i at the start of the substep, and its change. */
static vec3 start_offset(const ref_vertex_contacts *c, uint32_t i, uint32_t k)
{
    return vec3_sub(ref_xyz(c->deformables->states[i].position),
                    ref_xyz(c->deformables->states[k].position));
}

static vec3 relative_slip(const ref_vertex_contacts *c, uint32_t i, uint32_t k)
{
    return vec3_sub(vertex_displacement(c, i), vertex_displacement(c, k));
}

float ref_vertex_contact_distance(const ref_vertex_contacts *c, uint32_t i, uint32_t k)
{
    const struct deformable_properties *a = &c->deformables->properties[c->owners[i]],
                                       *b = &c->deformables->properties[c->owners[k]];
    float both = a->radius + b->radius;
    float rest =
        vec3_length(vec3_sub(ref_xyz(c->rest_positions[i]), ref_xyz(c->rest_positions[k])));
    if (a == b) {
        if (a->contact_mode != DEFORMABLE_CONTACTS_ALL || rest < a->self_contact_distance)
            return 0.0f;
        return both;
    }
    bool meet =
        a->contact_mode != DEFORMABLE_CONTACTS_NONE && b->contact_mode != DEFORMABLE_CONTACTS_NONE;
    return meet ? fminf(both, rest) : 0.0f;
}

/* Returns the minimum distance of two points that move uniformly, in double precision. */
static float closest_distance(const ref_vertex_contacts *c, uint32_t i, uint32_t k)
{
    vec3 s = start_offset(c, i, k), d = relative_slip(c, i, k);
    double size = (double)vec3_dot(d, d), share = 0.0;
    if (size > 0.0) share = -(double)vec3_dot(s, d) / size;
    share = fmin(fmax(share, 0.0), 1.0);
    return vec3_length(vec3_add(s, vec3_scale(d, (float)share)));
}

bool ref_vertex_is_candidate(const ref_vertex_contacts *c, uint32_t i, uint32_t k)
{
    float thickness = ref_vertex_contact_distance(c, i, k);
    bool held =
        c->deformables->displacements[i].w == 0.0f && c->deformables->displacements[k].w == 0.0f;
    return i != k && !held && thickness > 0.0f &&
           closest_distance(c, i, k) < DEFORMABLE_CANDIDATE_MARGIN * thickness;
}

float ref_vertex_contact_depth(const ref_vertex_contacts *c, uint32_t i, uint32_t k, vec3 *normal)
{
    float thickness = ref_vertex_contact_distance(c, i, k), closest = closest_distance(c, i, k);
    vec3 s = start_offset(c, i, k), e = vec3_add(s, relative_slip(c, i, k));
    if (!(closest < thickness)) return 0.0f;
    if (vec3_dot(s, e) < 0.0f && closest < DEFORMABLE_CROSSING_TOLERANCE * thickness) {
        *normal = vec3_scale(s, 1.0f / vec3_length(s));
        return thickness - vec3_dot(e, *normal);
    }
    *normal = vec3_scale(e, 1.0f / vec3_length(e));
    return thickness - vec3_length(e);
}

static bool list_contains(const uint32_t *list, uint32_t k)
{
    uint32_t count = list[0] < DEFORMABLE_MAX_CANDIDATES ? list[0] : DEFORMABLE_MAX_CANDIDATES;
    for (uint32_t n = 1; n <= count; n++)
        if (list[n] == k) return true;
    return false;
}

bool ref_lists_candidate(const uint32_t *nears, uint32_t i, uint32_t k)
{
    return list_contains(&nears[(size_t)DEFORMABLE_CANDIDATE_WORDS * i], k) &&
           list_contains(&nears[(size_t)DEFORMABLE_CANDIDATE_WORDS * k], i);
}

vec3 ref_vertex_contact_impulse(const ref_vertex_contacts *c, const uint32_t *nears,
                                const uint32_t *bears, uint32_t i)
{
    const struct deformable_properties *properties = c->deformables->properties;
    const uint32_t *list = &nears[(size_t)DEFORMABLE_CANDIDATE_WORDS * i];
    vec3 sum = {0};
    for (uint32_t n = 1; n <= list[0] && n <= DEFORMABLE_MAX_CANDIDATES; n++) {
        uint32_t k = list[n];
        vec3 normal;
        if (!ref_lists_candidate(nears, i, k)) continue;
        float depth = ref_vertex_contact_depth(c, i, k, &normal);
        if (!(depth > 0.0f)) continue;
        float weight = (float)bears[i] * c->deformables->displacements[i].w +
                       (float)bears[k] * c->deformables->displacements[k].w;
        vec3 slip = relative_slip(c, i, k);
        vec3 along = vec3_sub(slip, vec3_scale(normal, vec3_dot(slip, normal)));
        float push = depth / weight, size = vec3_length(along);
        float rubs = fmaxf(properties[c->owners[i]].friction, properties[c->owners[k]].friction);
        sum = vec3_add(sum, vec3_scale(normal, push));
        if (size > 0.0f)
            sum = vec3_sub(sum, vec3_scale(along, fminf(size / weight, rubs * push) / size));
    }
    return sum;
}
