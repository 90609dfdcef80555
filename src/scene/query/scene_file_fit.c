/* Finds out whether the contents of a file, in their pose, fit the domain: files in millimetres or
 * with z up are common, and their parts outside the domain are lost. */
#include "scene_internal.h"
#include "scene_query.h"

#define TOO_LARGE 4.0f        /* edges of the domain: more is hardly meant */
#define TOO_SMALL 3.0f        /* spacings: less is hardly seen */
#define FITS 1.05f            /* edges of the domain that a fitting file may have */
#define SHARE_OF_DOMAIN 20.0f /* a file that is scaled up should be at least that part of it */

static float largest(vec3 v)
{
    return fmaxf(v.x, fmaxf(v.y, v.z));
}

/* Returns a conversion of units after which the edge suits the domain; 0: none does. */
static float find_unit(const scene_data *scene, float edge)
{
    static const float smaller[] = {0.01f, 0.001f}, larger[] = {100.0f, 1000.0f};
    const float domain = largest(vec3_sub(scene->domain.max, scene->domain.min));
    const float *units = edge > TOO_LARGE * domain           ? smaller
                         : edge < TOO_SMALL * scene->spacing ? larger
                                                             : NULL;
    for (size_t i = 0; units && i < BASE_COUNT(smaller); i++)
        if (edge * units[i] <= FITS * domain && edge * units[i] * SHARE_OF_DOMAIN >= domain)
            return units[i];
    return 0.0f;
}

/* Returns whether the box is too large for the domain along an axis, and would not be with the
 * other axis of the file up. */
static bool lies_on_its_side(vec3 box, vec3 domain)
{
    bool fits = box.x <= FITS * domain.x && box.y <= FITS * domain.y && box.z <= FITS * domain.z;
    bool fits_turned =
        box.x <= FITS * domain.x && box.z <= FITS * domain.y && box.y <= FITS * domain.z;
    return !fits && fits_turned;
}

static bool is_apart(const scene_domain *domain, vec3 min, vec3 max)
{
    return max.x <= domain->min.x || max.y <= domain->min.y || max.z <= domain->min.z ||
           min.x >= domain->max.x || min.y >= domain->max.y || min.z >= domain->max.z;
}

static bool print_apart(const scene_domain *domain, vec3 min, vec3 max, const scene_pose *pose,
                        scene_misfit *out)
{
    vec3 size = vec3_sub(domain->max, domain->min), middle = vec3_scale(vec3_add(min, max), 0.5f);
    vec3 move = vec3_sub(vec3_scale(vec3_add(domain->min, domain->max), 0.5f), middle);
    vec3 to = vec3_add(pose->position, move);
    snprintf(out->text, sizeof out->text,
             "lies in (%g, %g, %g) to (%g, %g, %g), outside the domain of %g x %g x %g m: "
             "\"position\": [%.6g, %.6g, %.6g] would put its middle into the domain's",
             (double)min.x, (double)min.y, (double)min.z, (double)max.x, (double)max.y,
             (double)max.z, (double)size.x, (double)size.y, (double)size.z, (double)to.x,
             (double)to.y, (double)to.z);
    return true;
}

bool scene_find_misfit(const scene_data *scene, const scene_pose *pose, vec3 min, vec3 max,
                       scene_misfit *out)
{
    const vec3 box = vec3_sub(max, min), domain = vec3_sub(scene->domain.max, scene->domain.min);
    const float edge = largest(box), unit = find_unit(scene, edge);
    if (!isfinite(edge) || !(edge > 0.0f)) return false;
    if (unit > 0.0f) {
        snprintf(out->text, sizeof out->text,
                 "is %.3g m wide in a domain of %.3g m, with a spacing of %.3g m: \"scale\": %g?",
                 (double)edge, (double)largest(domain), (double)scene->spacing,
                 (double)(unit * pose->scale));
        return true;
    }
    if (lies_on_its_side(box, domain)) {
        snprintf(out->text, sizeof out->text,
                 "is %.3g x %.3g x %.3g m in a domain of %.3g x %.3g x %.3g m: does it lie on its "
                 "side? \"up\": \"z\", next to \"file\", turns a file with z up",
                 (double)box.x, (double)box.y, (double)box.z, (double)domain.x, (double)domain.y,
                 (double)domain.z);
        return true;
    }
    return is_apart(&scene->domain, min, max) && print_apart(&scene->domain, min, max, pose, out);
}
