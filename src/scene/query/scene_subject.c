/* Finds what a picture of a scene should show, and how much fluid the scene holds. */
#include "scene_internal.h"
#include "scene_query.h"

#define PI 3.14159265358979323846f

/* ---- volumes -------------------------------------------------------------------------------- */

static float box_volume(vec3 min, vec3 max)
{
    vec3 size = vec3_max(vec3_sub(max, min), vec3_make(0, 0, 0));
    return size.x * size.y * size.z;
}

static float leaf_volume(const scene_shape *s, const vec3 *mesh_boxes)
{
    float disc = PI * s->radius * s->radius, ball = 4.0f / 3.0f * disc * s->radius;
    switch (s->kind) {
    case SCENE_SHAPE_BOX: return s->size.x * s->size.y * s->size.z;
    case SCENE_SHAPE_SPHERE: return ball;
    case SCENE_SHAPE_CAPSULE: return ball + disc * s->height;
    case SCENE_SHAPE_CYLINDER: return disc * s->height;
    case SCENE_SHAPE_CONE: return disc * s->height / 3.0f;
    case SCENE_SHAPE_TORUS: return 2.0f * PI * PI * s->radius * s->tube_radius * s->tube_radius;
    case SCENE_SHAPE_MESH: /* a figure fills about a third of its box */
        return mesh_boxes ? box_volume(mesh_boxes[2 * s->mesh], mesh_boxes[2 * s->mesh + 1]) / 3.0f
                          : INFINITY;
    default: return INFINITY;
    }
}

/* Returns the volume of a shape, m3, as if unions did not overlap and differences removed
 * nothing. */
static float shape_volume(const scene_data *scene, uint32_t node, const vec3 *mesh_boxes)
{
    const scene_shape *s = &scene->shapes[node];
    float scale = s->pose.scale, volume = 0.0f;
    bool intersection = s->kind == SCENE_SHAPE_INTERSECTION;
    if (s->kind < SCENE_SHAPE_UNION) return scale * scale * scale * leaf_volume(s, mesh_boxes);
    for (uint32_t i = 0; i < s->child_count; i++) {
        float child = shape_volume(scene, scene->shape_children[s->first_child + i], mesh_boxes);
        volume = intersection && i > 0 ? fminf(volume, child) : volume + child;
        if (s->kind == SCENE_SHAPE_DIFFERENCE) break;
    }
    return scale * scale * scale * volume;
}

/* ---- boxes ---------------------------------------------------------------------------------- */

typedef struct subject_box {
    vec3 min, max;
} subject_box;

static const subject_box empty_box = {{INFINITY, INFINITY, INFINITY},
                                      {-INFINITY, -INFINITY, -INFINITY}};

static bool is_empty(const subject_box *b)
{
    return !(b->min.x <= b->max.x && b->min.y <= b->max.y && b->min.z <= b->max.z);
}

static void extend(subject_box *b, subject_box by)
{
    if (is_empty(&by)) return;
    b->min = vec3_min(b->min, by.min);
    b->max = vec3_max(b->max, by.max);
}

static subject_box clip(const scene_domain *domain, subject_box b)
{
    return (subject_box){vec3_max(b.min, domain->min), vec3_min(b.max, domain->max)};
}

/* Returns whether the box covers the domain's floor, as the ground does. */
static bool covers_floor(const scene_domain *domain, const subject_box *b)
{
    vec3 whole = vec3_sub(domain->max, domain->min), part = vec3_sub(b->max, b->min);
    return part.x > 0.95f * whole.x && part.z > 0.95f * whole.z;
}

static subject_box shape_box(const scene_data *scene, uint32_t shape, const vec3 *mesh_boxes)
{
    subject_box b;
    scene_shape_bounds(scene, shape, mesh_boxes, &b.min, &b.max);
    return clip(&scene->domain, b);
}

/* ---- fluid ---------------------------------------------------------------------------------- */

#define FILE_FILL_SHARE 0.1f /* assumed part of the domain that a file of particles fills */

/* Adds a fill to the box and to the volume. */
static void add_fill(const scene_data *scene, const scene_fill *fill, const vec3 *mesh_boxes,
                     subject_box *box, float *volume)
{
    const scene_domain *domain = &scene->domain;
    if (fill->kind != SCENE_FILL_SHAPE) {
        extend(box, (subject_box){domain->min, domain->max});
        *volume += FILE_FILL_SHARE * box_volume(domain->min, domain->max);
        return;
    }
    subject_box whole, part = shape_box(scene, fill->shape, mesh_boxes);
    scene_shape_bounds(scene, fill->shape, mesh_boxes, &whole.min, &whole.max);
    if (is_empty(&part)) return;
    float inside = box_volume(part.min, part.max), all = box_volume(whole.min, whole.max);
    float filled = shape_volume(scene, fill->shape, mesh_boxes);
    *volume += isfinite(all) && isfinite(filled) ? fminf(filled * inside / all, inside) : inside;
    extend(box, part);
}

/* Returns the box of an opening or a shape. */
static subject_box source_box(const scene_data *scene, const scene_emitter *e,
                              const vec3 *mesh_boxes)
{
    if (e->has_shape) return shape_box(scene, e->shape, mesh_boxes);
    float half = e->radius > 0.0f ? e->radius : 0.5f * fmaxf(e->width, e->height);
    return (subject_box){vec3_sub(e->position, vec3_make(half, half, half)),
                         vec3_add(e->position, vec3_make(half, half, half))};
}

/* Returns the area through which fluid leaves an emitter, m2. */
static float emitter_area(const scene_data *scene, const scene_emitter *e, const vec3 *mesh_boxes)
{
    if (!e->has_shape) return e->radius > 0.0f ? PI * e->radius * e->radius : e->width * e->height;
    subject_box b = source_box(scene, e, mesh_boxes);
    vec3 size = vec3_sub(b.max, b.min);
    vec3 faces = {size.y * size.z, size.x * size.z, size.x * size.y};
    if (is_empty(&b)) return 0.0f;
    if (e->emission == SCENE_EMISSION_SURFACE) return 2.0f * (faces.x + faces.y + faces.z);
    return fabsf(faces.x * e->direction.x) + fabsf(faces.y * e->direction.y) +
           fabsf(faces.z * e->direction.z);
}

/* Returns the volume that an emitter gives over the run, m3. */
static float emitted_volume(const scene_data *scene, const scene_emitter *e, const vec3 *mesh_boxes)
{
    float open_s = fmaxf(fminf(e->end_s, scene->duration) - e->start_s, 0.0f), d = scene->spacing;
    float most = (float)e->max_particles * d * d * d;
    float rate = scene_emitter_max_speed(e);
    if (!e->speed_is_flow_rate) rate *= emitter_area(scene, e, mesh_boxes);
    return e->max_particles == UINT32_MAX ? rate * open_s : fminf(rate * open_s, most);
}

/* Returns the box of an emitter and of the rise of its jet. */
static subject_box emitter_box(const scene_data *scene, const scene_emitter *e,
                               const vec3 *mesh_boxes)
{
    float area = e->speed_is_flow_rate ? emitter_area(scene, e, mesh_boxes) : 1.0f;
    float speed = area > 0.0f ? scene_emitter_max_speed(e) / area : 0.0f;
    float up = fmaxf(speed * e->direction.y, 0.0f);
    float gravity = fmaxf(vec3_length(scene->gravity), 0.1f);
    subject_box b = source_box(scene, e, mesh_boxes);
    if (is_empty(&b)) return b;
    b.max.y += 0.5f * up * up / gravity;
    return clip(&scene->domain, b);
}

/* ---- the subject ---------------------------------------------------------------------------- */

static bool holds(const subject_box *solid, const subject_box *fluid)
{
    return solid->min.x < fluid->min.x && solid->max.x > fluid->max.x &&
           solid->min.z < fluid->min.z && solid->max.z > fluid->max.z &&
           solid->max.y > fluid->max.y;
}

/* Extends the box by solids and bodies, and finds out whether a solid holds the fluid. */
static void add_solids(const scene_data *scene, const vec3 *mesh_boxes, const subject_box *fluid,
                       subject_box *box, bool *held)
{
    for (uint32_t i = 0; i < scene->solid_count + scene->body_count; i++) {
        bool solid = i < scene->solid_count;
        uint32_t shape =
            solid ? scene->solids[i].shape : scene->bodies[i - scene->solid_count].shape;
        subject_box part = shape_box(scene, shape, mesh_boxes);
        if (is_empty(&part) || covers_floor(&scene->domain, &part)) continue;
        *held |= solid && !is_empty(fluid) && holds(&part, fluid);
        extend(box, part);
    }
}

static void add_deformables(const scene_data *scene, const vec3 *mesh_boxes, subject_box *box)
{
    for (uint32_t i = 0; i < scene_deformable_count(scene); i++) {
        const scene_deformable *d = scene_deformable_at(scene, i);
        if (d->kind == SCENE_DEFORMABLE_SOFT_BODY)
            extend(box, shape_box(scene, d->shape, mesh_boxes));
        for (uint32_t k = 0; k < d->point_count; k++)
            extend(box, (subject_box){d->points[k], d->points[k]});
        if (d->kind != SCENE_DEFORMABLE_CLOTH || d->path) continue;
        for (int k = 0; k < 4; k++) {
            vec3 p = vec3_add(d->corner, vec3_scale(d->along, (float)(k & 1)));
            p = vec3_add(p, vec3_scale(d->across, (float)(k >> 1)));
            extend(box, (subject_box){p, p});
        }
    }
}

/* Adds where force fields take the fluid: curves and shapes. */
static void add_forces(const scene_data *scene, const vec3 *mesh_boxes, subject_box *box)
{
    for (uint32_t i = 0; i < scene->force_count; i++) {
        const scene_force *f = &scene->forces[i];
        if (f->kind == SCENE_FORCE_SHAPE) extend(box, shape_box(scene, f->shape, mesh_boxes));
        for (uint32_t k = 0; k < f->point_count; k++)
            extend(box, (subject_box){f->points[k], f->points[k]});
    }
}

/* Free fluid spreads sideways by about this multiple of its height. */
#define SPREAD_HEIGHTS 3.0f

scene_subject scene_find_subject(const scene_data *scene, const vec3 *mesh_boxes)
{
    const scene_domain *domain = &scene->domain;
    subject_box fluid = empty_box, box = empty_box;
    scene_subject found = {0};
    for (uint32_t i = 0; i < scene->fluid_count; i++)
        for (uint32_t k = 0; k < scene->fluids[i].fill_count; k++)
            add_fill(scene, &scene->fluids[i].fills[k], mesh_boxes, &fluid, &found.volume_m3);
    add_solids(scene, mesh_boxes, &fluid, &box, &found.held);
    vec3 whole = vec3_sub(domain->max, domain->min);
    float filled = found.volume_m3;
    for (uint32_t i = 0; i < scene->emitter_count; i++) {
        found.volume_m3 += emitted_volume(scene, &scene->emitters[i], mesh_boxes);
        extend(&box, emitter_box(scene, &scene->emitters[i], mesh_boxes));
    }
    add_deformables(scene, mesh_boxes, &box);
    add_forces(scene, mesh_boxes, &box);
    found.depth_m = (filled > 0.0f ? filled : found.volume_m3) / (whole.x * whole.z);
    if (found.held) found.depth_m = fluid.max.y - fluid.min.y;
    if (!is_empty(&fluid)) {
        float spread = found.held ? 0.0f : SPREAD_HEIGHTS * (fluid.max.y - domain->min.y);
        fluid.min = vec3_sub(fluid.min, vec3_make(spread, 0, spread));
        fluid.max = vec3_add(fluid.max, vec3_make(spread, 0, spread));
        extend(&box, fluid);
    }
    if (is_empty(&box)) box = (subject_box){domain->min, domain->max};
    box.min.y = domain->min.y;
    box = clip(domain, box);
    found.min = box.min;
    found.max = box.max;
    return found;
}
