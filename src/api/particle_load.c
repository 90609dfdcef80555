/* Public API that loads particle files and filters their particles. */
#include "api_internal.h"
#include "geometry.h"
#include "io.h"

/* What `internal` of weir_particles points to. */
typedef struct loaded_particles {
    io_particles read; /* first: functions of this file take `internal` for it */
    weir_attribute_values attributes[BASE_MAX_ATTRIBUTES];
} loaded_particles;

void weir_particles_free(weir_particles *particles)
{
    if (!particles) return;
    if (particles->internal) io_particles_free(particles->internal);
    base_free(particles->internal);
    *particles = (weir_particles){0};
}

uint32_t api_list_attribute_values(const io_particles *read, weir_attribute_values *list)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < read->attributes.count; i++) {
        const base_attribute *from = &read->attributes.items[i];
        if (!(read->attributes_read >> i & 1u)) continue;
        list[count++] = (weir_attribute_values){.name = from->name,
                                                .components = from->components,
                                                .stride = read->attributes.components,
                                                .values = read->attribute_values + from->first};
    }
    return count;
}

base_attributes api_requested_attributes(const weir_attribute *attributes, uint32_t count)
{
    base_attributes wanted = {0};
    for (uint32_t i = 0; i < count; i++)
        base_attributes_add(&wanted, attributes[i].name, attributes[i].components);
    return wanted;
}

static void set_points(const io_particles *read, weir_points_def *points)
{
    *points = weir_points_def_default();
    points->count = read->count;
    points->spacing_m = 2 * read->radius_m;
    points->position = &read->position->x;
    points->velocity = read->velocity ? &read->velocity->x : NULL;
    points->id = read->id;
    points->fluid = read->fluid;
    points->density = read->density;
}

static weir_result estimate_spacing(const weir_log *log, weir_particles *particles)
{
    const io_particles *read = particles->internal;
    if (!particles->spacing_estimated) return WEIR_OK;
    return points_estimate_spacing(log, read->position, read->count, &particles->points.spacing_m);
}

weir_result weir_particles_load(const weir_log *log, const char *path, weir_particles *particles)
{
    return weir_particles_load_attributes(log, path, NULL, 0, particles);
}

weir_result weir_particles_load_attributes(const weir_log *log, const char *path,
                                           const weir_attribute *attributes, uint32_t count,
                                           weir_particles *particles)
{
    WEIR_REQUIRE_NOT_NULL(log, particles);
    *particles = (weir_particles){0};
    WEIR_REQUIRE(log, path && path[0], "`path` must name a file");
    WEIR_RETURN_IF_ERROR(api_check_attribute_names(log, attributes, count));
    const base_attributes wanted = api_requested_attributes(attributes, count);
    weir_particles made = {.internal = base_alloc(1, sizeof(loaded_particles))};
    io_particles *read = made.internal;
    weir_result result;
    if (!read)
        return base_fail(log, WEIR_ERROR_MEMORY, "%s: not enough memory for particles", path);
    WEIR_GOTO_IF_ERROR(io_particles_read_attributes(log, path, count ? &wanted : NULL, read));
    set_points(read, &made.points);
    loaded_particles *loaded = made.internal;
    made.points.attributes = loaded->attributes;
    made.points.attribute_count = api_list_attribute_values(read, loaded->attributes);
    memcpy(made.origin_m, read->origin, sizeof made.origin_m);
    made.time_s = read->time_s;
    made.skipped = read->skipped;
    made.spacing_estimated = !(read->radius_m > 0);
    WEIR_GOTO_IF_ERROR(estimate_spacing(log, &made));
    *particles = made;
    return WEIR_OK;
fail:
    weir_particles_free(&made);
    return result;
}

void weir_particles_set_origin(weir_particles *particles, const double origin_m[3])
{
    if (!particles || !particles->internal || !origin_m) return;
    io_particles_set_origin(particles->internal, origin_m);
    memcpy(particles->origin_m, origin_m, sizeof particles->origin_m);
}

void weir_particles_get_bulk_box(const weir_particles *particles, float min[3], float max[3])
{
    const io_particles *read = particles->internal;
    vec3 low = {INFINITY, INFINITY, INFINITY}, high = {-INFINITY, -INFINITY, -INFINITY};
    if (read && read->count) points_bulk_box(read->position, read->count, &low, &high);
    memcpy(min, &low, sizeof low);
    memcpy(max, &high, sizeof high);
}

/* ---- filters -------------------------------------------------------------------------------- */

weir_particles_filter_def weir_particles_filter_def_default(void)
{
    return (weir_particles_filter_def){
        .cookie = API_FILTER_COOKIE,
        .crop_min = {-(double)INFINITY, -(double)INFINITY, -(double)INFINITY},
        .crop_max = {(double)INFINITY, (double)INFINITY, (double)INFINITY}};
}

typedef struct particle_box {
    double low[3], high[3];
} particle_box;

/* Returns by how much p lies outside the box, along the axis on which it is most. */
static double distance_outside(const particle_box *box, const double p[3])
{
    double outside = 0;
    for (int axis = 0; axis < 3; axis++)
        outside = fmax(outside, fmax(box->low[axis] - p[axis], p[axis] - box->high[axis]));
    return outside;
}

/* Selects the particles inside both boxes. */
static void select_inside(const io_particles *read, const particle_box *crop,
                          const particle_box *bulk, bool *keep, weir_particles_filter_info *info)
{
    double most = 0;
    for (uint32_t i = 0; i < read->count; i++) {
        const vec3 local = read->position[i];
        const double p[3] = {read->origin[0] + (double)local.x, read->origin[1] + (double)local.y,
                             read->origin[2] + (double)local.z};
        double outside = distance_outside(bulk, p);
        bool inside_crop = distance_outside(crop, p) <= 0;
        keep[i] = inside_crop && outside <= 0;
        info->cropped += !inside_crop;
        info->outliers += inside_crop && outside > 0;
        if (!inside_crop || outside <= most) continue;
        most = outside;
        info->farthest = i;
        memcpy(info->position, p, sizeof info->position);
    }
}

static particle_box make_bulk_box(const weir_particles *particles, bool drop_outliers)
{
    const io_particles *read = particles->internal;
    const weir_particles_filter_def all = weir_particles_filter_def_default();
    particle_box box;
    memcpy(box.low, all.crop_min, sizeof box.low);
    memcpy(box.high, all.crop_max, sizeof box.high);
    if (!drop_outliers || read->count == 0) return box;
    float low[3], high[3];
    weir_particles_get_bulk_box(particles, low, high);
    for (int axis = 0; axis < 3; axis++) {
        box.low[axis] = read->origin[axis] + (double)low[axis];
        box.high[axis] = read->origin[axis] + (double)high[axis];
    }
    return box;
}

static weir_result fail_none_left(const weir_log *log, const io_particles *read)
{
    vec3 min, max;
    points_bounding_box(read->position, read->count, &min, &max);
    const double *o = read->origin;
    return base_fail(
        log, WEIR_ERROR_ARGUMENT,
        "the crop box contains none of the %u particles, which lie in (%.9g, %.9g, %.9g) to "
        "(%.9g, %.9g, %.9g)",
        read->count, o[0] + (double)min.x, o[1] + (double)min.y, o[2] + (double)min.z,
        o[0] + (double)max.x, o[1] + (double)max.y, o[2] + (double)max.z);
}

static weir_result check_filter(const weir_log *log, const weir_particles_filter_def *def)
{
    WEIR_REQUIRE_DEF(log, def, API_FILTER_COOKIE, "particles_filter");
    for (int axis = 0; axis < 3; axis++)
        WEIR_REQUIRE(log, def->crop_min[axis] < def->crop_max[axis],
                     "`crop_min` must be below `crop_max` on every axis");
    return WEIR_OK;
}

weir_result weir_particles_filter(const weir_log *log, weir_particles *particles,
                                  const weir_particles_filter_def *def,
                                  weir_particles_filter_info *info)
{
    weir_particles_filter_info dropped = {0};
    WEIR_REQUIRE(log, particles && particles->internal,
                 "`particles` must come from weir_particles_load");
    WEIR_RETURN_IF_ERROR(check_filter(log, def));
    io_particles *read = particles->internal;
    particle_box crop;
    const particle_box bulk = make_bulk_box(particles, def->drop_outliers);
    memcpy(crop.low, def->crop_min, sizeof crop.low);
    memcpy(crop.high, def->crop_max, sizeof crop.high);
    bool *keep = base_alloc(read->count, sizeof *keep);
    if (!keep)
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory to filter %u particles",
                         read->count);
    select_inside(read, &crop, &bulk, keep, &dropped);
    const uint32_t sum = dropped.cropped + dropped.outliers;
    weir_result result = WEIR_OK;
    if (sum > 0 && sum == read->count) {
        result = fail_none_left(log, read);
    } else if (sum > 0) {
        io_particles_keep(read, keep);
        particles->points.count = read->count;
        result = estimate_spacing(log, particles);
    }
    base_free(keep);
    if (info) *info = dropped;
    return result;
}
