/* Sizes of the mesh files of a scene: warns about those that do not fit the domain. */
#include "scene_query.h"
#include "solid_internal.h"

typedef struct file_sizes {
    const weir_log *log;
    const scene_data *scene;
    const vec3 *boxes; /* minimum and maximum per mesh of the scene */
    bool all;          /* report the sizes of all files instead of warning about some */
} file_sizes;

static void report_size(const file_sizes *f, const char *path, vec3 size, const solid_owner *owner)
{
    const float d = f->scene->spacing;
    base_log(f->log, WEIR_LOG_INFO,
             "%s:%d:%d: %s '%s': %s: %.4g x %.4g x %.4g m, %.4g x %.4g x %.4g spacings",
             f->scene->source, owner->line, owner->column, owner->kind, owner->name, path,
             (double)size.x, (double)size.y, (double)size.z, (double)(size.x / d),
             (double)(size.y / d), (double)(size.z / d));
}

/* `moves`: a motion may bring the mesh to its place, so that only its size counts. */
static void visit_root(const file_sizes *f, uint32_t root, const solid_owner *owner, bool moves)
{
    const scene_shape *shape = &f->scene->shapes[root];
    vec3 min, max;
    scene_misfit misfit;
    if (shape->kind != SCENE_SHAPE_MESH) return;
    scene_shape_bounds(f->scene, root, f->boxes, &min, &max);
    if (f->all) {
        report_size(f, f->scene->meshes[shape->mesh].path, vec3_sub(max, min), owner);
        return;
    }
    if (moves) {
        max = vec3_add(f->scene->domain.min, vec3_sub(max, min));
        min = f->scene->domain.min;
    }
    if (!scene_find_misfit(f->scene, &shape->pose, min, max, &misfit)) return;
    base_log(f->log, WEIR_LOG_WARNING, "%s:%d:%d: %s '%s': %s %s", f->scene->source, owner->line,
             owner->column, owner->kind, owner->name, f->scene->meshes[shape->mesh].path,
             misfit.text);
}

static void visit_files(const file_sizes *f)
{
    const scene_data *scene = f->scene;
    for (uint32_t i = 0; i < scene->solid_count; i++) {
        const scene_solid *s = &scene->solids[i];
        visit_root(f, s->shape, &(solid_owner){"solid", s->name, s->line, s->column},
                   s->motion.kind != SCENE_MOTION_STATIC);
    }
    for (uint32_t i = 0; i < scene->body_count; i++) {
        const scene_body *b = &scene->bodies[i];
        visit_root(f, b->shape, &(solid_owner){"body", b->name, b->line, b->column}, false);
    }
    for (uint32_t i = 0; i < scene->soft_body_count; i++) {
        const scene_deformable *s = &scene->soft_bodies[i];
        visit_root(f, s->shape, &(solid_owner){"soft body", s->name, s->line, s->column}, false);
    }
    for (uint32_t i = 0; i < scene->emitter_count; i++) {
        const scene_emitter *e = &scene->emitters[i];
        const solid_owner owner = {"emitter", e->name, e->line, e->column};
        if (e->has_shape) visit_root(f, e->shape, &owner, e->motion.kind != SCENE_MOTION_STATIC);
    }
    for (uint32_t i = 0; i < scene->whitewater.emitter_count; i++) {
        const scene_whitewater_emitter *e = &scene->whitewater.emitters[i];
        const solid_owner owner = {"emitter", "of whitewater", e->line, e->column};
        visit_root(f, e->shape, &owner, e->motion.kind != SCENE_MOTION_STATIC);
    }
    for (uint32_t i = 0; i < scene->force_count; i++) {
        const scene_force *force = &scene->forces[i];
        const solid_owner owner = {"force", "shape", force->line, force->column};
        if (force->kind == SCENE_FORCE_SHAPE) visit_root(f, force->shape, &owner, false);
    }
    for (uint32_t i = 0; i < scene->fluid_count; i++)
        for (uint32_t k = 0; k < scene->fluids[i].fill_count; k++) {
            const scene_fill *fill = &scene->fluids[i].fills[k];
            const solid_owner owner = {"fluid", scene->fluids[i].name, fill->line, fill->column};
            if (fill->kind == SCENE_FILL_SHAPE) visit_root(f, fill->shape, &owner, false);
        }
}

void solid_warn_file_sizes(const weir_log *log, const scene_data *scene, const vec3 *boxes)
{
    visit_files(&(file_sizes){log, scene, boxes, false});
}

void solid_report_file_sizes(const weir_log *log, const scene_data *scene, const vec3 *boxes)
{
    visit_files(&(file_sizes){log, scene, boxes, true});
}
