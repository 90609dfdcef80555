/* The shapes of a scene's solids, bodies, sinks and fluids, on CPU and device. */
#include "solid_internal.h"

struct solid_set {
    const scene_data *scene;
    solid_program program;
    /* the program with the fine volumes of meshes, where they have any */
    struct solid_node *fine_nodes;
    solid_range *ranges; /* one per shape of the scene */
    solid_mesh_sdfs store;
    vec3 *mesh_boxes; /* minimum and maximum per mesh of the scene */
    solid_target *host_driven;
    uint32_t item_count, sink_first;
    uint32_t nesting; /* of the items' programs: SOLID_CONSTANT_NESTING */
    uint32_t kinds;   /* kinds of their nodes, one bit each */
    gpu_buffer *nodes, *volumes, *items;
};

/* ---- programs ------------------------------------------------------------------------------- */

static weir_result compile_shape(solid_set *set, const weir_log *log, uint32_t shape,
                                 const solid_owner *owner)
{
    solid_range *range = &set->ranges[shape];
    if (range->count > 0) return WEIR_OK;
    const size_t first = set->program.count;
    WEIR_RETURN_IF_ERROR(solid_program_compile(log, set->scene, shape, owner, &set->program));
    *range = (solid_range){(uint32_t)first, (uint32_t)(set->program.count - first)};
    return WEIR_OK;
}

static weir_result compile_fluid(solid_set *set, const weir_log *log, const scene_fluid *fluid)
{
    weir_result result = WEIR_OK;
    for (uint32_t i = 0; i < fluid->fill_count && result == WEIR_OK; ++i) {
        const scene_fill *fill = &fluid->fills[i];
        const solid_owner owner = {"fluid", fluid->name, fill->line, fill->column};
        if (fill->kind == SCENE_FILL_SHAPE) result = compile_shape(set, log, fill->shape, &owner);
    }
    return result;
}

static weir_result compile_all(solid_set *set, const weir_log *log)
{
    const scene_data *scene = set->scene;
    for (uint32_t i = 0; i < scene->solid_count; ++i) {
        const scene_solid *s = &scene->solids[i];
        const solid_owner owner = {"solid", s->name, s->line, s->column};
        WEIR_RETURN_IF_ERROR(compile_shape(set, log, s->shape, &owner));
    }
    for (uint32_t i = 0; i < scene->body_count; ++i) {
        const scene_body *b = &scene->bodies[i];
        const solid_owner owner = {"body", b->name, b->line, b->column};
        WEIR_RETURN_IF_ERROR(compile_shape(set, log, b->shape, &owner));
    }
    for (uint32_t i = 0; i < scene->soft_body_count; ++i) {
        const scene_deformable *s = &scene->soft_bodies[i];
        const solid_owner owner = {"soft body", s->name, s->line, s->column};
        WEIR_RETURN_IF_ERROR(compile_shape(set, log, s->shape, &owner));
    }
    for (uint32_t i = 0; i < scene->sink_count; ++i) {
        const scene_sink *s = &scene->sinks[i];
        const solid_owner owner = {"sink", s->name, s->line, s->column};
        WEIR_RETURN_IF_ERROR(compile_shape(set, log, s->shape, &owner));
    }
    for (uint32_t i = 0; i < scene->emitter_count; ++i) {
        const scene_emitter *e = &scene->emitters[i];
        const solid_owner owner = {"emitter", e->name, e->line, e->column};
        if (e->has_shape) WEIR_RETURN_IF_ERROR(compile_shape(set, log, e->shape, &owner));
    }
    for (uint32_t i = 0; i < scene->whitewater.emitter_count; ++i) {
        const scene_whitewater_emitter *e = &scene->whitewater.emitters[i];
        const solid_owner owner = {"emitter", "of whitewater", e->line, e->column};
        WEIR_RETURN_IF_ERROR(compile_shape(set, log, e->shape, &owner));
    }
    for (uint32_t i = 0; i < scene->force_count; ++i) {
        const scene_force *f = &scene->forces[i];
        const solid_owner owner = {"force", "shape", f->line, f->column};
        if (f->kind == SCENE_FORCE_SHAPE)
            WEIR_RETURN_IF_ERROR(compile_shape(set, log, f->shape, &owner));
    }
    for (uint32_t i = 0; i < scene->fluid_count; ++i)
        WEIR_RETURN_IF_ERROR(compile_fluid(set, log, &scene->fluids[i]));
    return WEIR_OK;
}

/* Finds the scale of each mesh. A mesh that nodes use at several scales is baked for the largest,
 * so it is fine enough for all of them. */
static void find_mesh_scales(solid_set *set)
{
    for (size_t i = 0; i < set->program.count; ++i) {
        const struct solid_node *node = &set->program.items[i];
        if (node->kind != SOLID_VOLUME) continue;
        solid_mesh *mesh = &set->store.meshes[node->volume];
        mesh->scale = fmaxf(mesh->scale, node->position.w);
        mesh->finer = 1;
    }
}

/* Chooses finer cells for shells, so that a node lies within a quarter of the thickness from every
 * triangle. */
static void find_shell_meshes(solid_set *set, float cell_m)
{
    const scene_data *scene = set->scene;
    for (uint32_t i = 0; i < scene->solid_count; ++i) {
        const scene_shape *shape = &scene->shapes[scene->solids[i].shape];
        if (shape->kind != SCENE_SHAPE_MESH || !scene->meshes[shape->mesh].shell) continue;
        solid_mesh *mesh = &set->store.meshes[shape->mesh];
        float cell = 0.5f * scene_shell_thickness(scene, scene->solids[i].shape);
        mesh->finer = fminf(mesh->finer, cell / cell_m);
    }
}

static void find_meshes(solid_set *set, uint32_t root)
{
    const scene_shape *shape = &set->scene->shapes[root];
    const solid_range range = set->ranges[root];
    if (shape->kind == SCENE_SHAPE_MESH)
        set->store.meshes[shape->mesh].needs_mass_properties = true;
    for (uint32_t k = 0; k < range.count && range.count > 1; ++k) {
        const struct solid_node *node = &set->program.items[range.first + k];
        if (node->kind == SOLID_VOLUME) set->store.meshes[node->volume].in_set = true;
    }
}

/* Marks the meshes of bodies and soft bodies. */
static void find_bodies(solid_set *set)
{
    for (uint32_t i = 0; i < set->scene->body_count; ++i)
        find_meshes(set, set->scene->bodies[i].shape);
    for (uint32_t i = 0; i < set->scene->soft_body_count; ++i)
        find_meshes(set, set->scene->soft_bodies[i].shape);
}

/* Replaces mesh indices in nodes by the first words of the meshes' volumes. */
static weir_result link_volumes(solid_set *set, const weir_log *log)
{
    const size_t count = set->program.count;
    if (count > 0) {
        set->fine_nodes = base_alloc(count, sizeof *set->fine_nodes);
        if (!set->fine_nodes)
            return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for solids");
        memcpy(set->fine_nodes, set->program.items, count * sizeof *set->fine_nodes);
    }
    for (size_t i = 0; i < set->program.count; ++i) {
        struct solid_node *node = &set->program.items[i];
        if (node->kind != SOLID_VOLUME) continue;
        const solid_mesh *mesh = &set->store.meshes[node->volume];
        node->volume = mesh->first_word;
        set->fine_nodes[i].volume = mesh->fine ? mesh->fine_word : mesh->first_word;
        node->frame_stride = (uint32_t)solid_mesh_frame_words(mesh);
        node->frame_count = mesh->frame_count;
    }
    for (uint32_t i = 0; i < set->scene->mesh_count; ++i) {
        set->mesh_boxes[2 * i] = set->store.meshes[i].min;
        set->mesh_boxes[2 * i + 1] = set->store.meshes[i].max;
    }
    return WEIR_OK;
}

/* ---- items ---------------------------------------------------------------------------------- */

static struct solid_item fill_item(solid_set *set, uint32_t shape, float cell_m)
{
    const solid_range range = set->ranges[shape];
    const uint32_t nesting = solid_program_nesting(set->program.items + range.first, range.count);
    if (set->nesting < nesting) set->nesting = nesting;
    struct solid_item item = {.first_node = range.first, .node_count = range.count};
    for (uint32_t i = 0; i < range.count; ++i) {
        set->kinds |= 1u << set->program.items[range.first + i].kind;
        if (set->program.items[range.first + i].frame_count > 1) item.flags |= SOLID_ITEM_DEFORMS;
    }
    vec3 min, max;
    solid_shape_bounds(set, shape, &min, &max);
    vec3 centre = vec3_scale(vec3_add(min, max), 0.5f), extent = vec3_sub(max, min);
    bool ball = range.count == 1 && set->program.items[range.first].kind == SOLID_SPHERE;
    float radius = ball ? 0.5f * extent.x + 0.01f * cell_m : 0.5f * vec3_length(extent) + cell_m;
    bool empty = extent.x < 0 || extent.y < 0 || extent.z < 0;
    if (empty)
        item.bound = (vec4){0, 0, 0, 0};
    else if (isfinite(radius))
        item.bound = (vec4){centre.x, centre.y, centre.z, radius};
    else
        item.bound = (vec4){0, 0, 0, -1};
    return item;
}

static weir_result upload_buffer(gpu_device *device, const gpu_buffer_def *def, const void *bytes,
                                 gpu_buffer **buffer)
{
    WEIR_RETURN_IF_ERROR(gpu_buffer_create(device, def, buffer));
    if (def->count > 0)
        WEIR_RETURN_IF_ERROR(
            gpu_buffer_upload(device, *buffer, 0, bytes, def->count * def->stride));
    return WEIR_OK;
}

static weir_result upload_items(solid_set *set, gpu_device *device, float cell_m)
{
    const scene_data *scene = set->scene;
    struct solid_item *items = base_alloc(set->item_count, sizeof *items);
    if (!items)
        return base_fail(gpu_device_log(device), WEIR_ERROR_MEMORY, "not enough memory for solids");
    for (uint32_t i = 0; i < scene->solid_count; ++i) {
        items[i] = fill_item(set, scene->solids[i].shape, cell_m);
        items[i].flags |= scene_force_gauge_solid_index(scene, i) << SOLID_ITEM_FORCE_SHIFT;
        if (scene->solids[i].no_slip) items[i].flags |= SOLID_ITEM_NO_SLIP;
        items[i].friction = scene->solids[i].friction;
    }
    for (uint32_t i = 0; i < scene->body_count; ++i) {
        struct solid_item *item = &items[scene->solid_count + i];
        *item = fill_item(set, scene->bodies[i].shape, cell_m);
        item->friction = scene->bodies[i].friction;
    }
    for (uint32_t i = 0; i < scene->sink_count; ++i) {
        struct solid_item *item = &items[set->sink_first + i];
        *item = fill_item(set, scene->sinks[i].shape, cell_m);
        item->flags |= scene->sinks[i].attached_to.body << SOLID_ITEM_BODY_SHIFT;
    }
    const gpu_buffer_def def = {.name = "solid items",
                                .stride = sizeof *items,
                                .count = set->item_count,
                                .texels = GPU_TEXELS_IVEC4};
    weir_result result = upload_buffer(device, &def, items, &set->items);
    base_free(items);
    return result;
}

static weir_result upload_all(solid_set *set, gpu_device *device, float cell_m)
{
    const gpu_buffer_def nodes = {.name = "solid nodes",
                                  .stride = sizeof(struct solid_node),
                                  .count = set->program.count,
                                  .texels = GPU_TEXELS_IVEC4};
    const gpu_buffer_def volumes = {
        .name = "solid volumes", .stride = sizeof(uint32_t), .count = set->store.word_count};
    WEIR_RETURN_IF_ERROR(upload_buffer(device, &nodes, set->program.items, &set->nodes));
    WEIR_RETURN_IF_ERROR(upload_buffer(device, &volumes, set->store.words, &set->volumes));
    return upload_items(set, device, cell_m);
}

/* ---- the set -------------------------------------------------------------------------------- */

weir_result solid_set_create(gpu_device *device, const scene_data *scene, float cell_m,
                             solid_set **out)
{
    const weir_log *log = gpu_device_log(device);
    weir_result result = WEIR_OK;
    solid_set *set = *out = base_alloc(1, sizeof *set);
    if (!set) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for solids");
    set->scene = scene;
    set->sink_first = scene->solid_count + scene->body_count;
    set->item_count = set->sink_first + scene->sink_count;
    set->ranges = base_alloc(scene->shape_count, sizeof *set->ranges);
    set->store.meshes = base_alloc(scene->mesh_count, sizeof *set->store.meshes);
    set->mesh_boxes = base_alloc(scene->mesh_count, 2 * sizeof *set->mesh_boxes);
    set->host_driven = solid_targets_create(scene->solid_count);
    if (!set->ranges || !set->store.meshes || !set->mesh_boxes || !set->host_driven)
        WEIR_GOTO_IF_ERROR(base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for solids"));
    WEIR_GOTO_IF_ERROR(compile_all(set, log));
    find_mesh_scales(set);
    find_shell_meshes(set, cell_m);
    find_bodies(set);
    WEIR_GOTO_IF_ERROR(solid_mesh_sdfs_build(device, scene, cell_m, &set->store));
    WEIR_GOTO_IF_ERROR(link_volumes(set, log));
    WEIR_GOTO_IF_ERROR(upload_all(set, device, cell_m));
    return WEIR_OK;
fail:
    solid_set_destroy(device, out);
    return result;
}

void solid_set_destroy(gpu_device *device, solid_set **set)
{
    if (!*set) return;
    gpu_buffer_destroy(device, &(*set)->nodes);
    gpu_buffer_destroy(device, &(*set)->volumes);
    gpu_buffer_destroy(device, &(*set)->items);
    solid_mesh_sdfs_free(&(*set)->store);
    BASE_ARRAY_FREE(&(*set)->program);
    base_free((*set)->fine_nodes);
    base_free((*set)->ranges);
    base_free((*set)->mesh_boxes);
    base_free((*set)->host_driven);
    base_free(*set);
    *set = NULL;
}

float solid_shape_distance(const solid_set *set, uint32_t shape, vec3 point)
{
    const solid_range range = set->ranges[shape];
    WEIR_ASSERT(range.count > 0);
    return solid_program_distance(set->program.items + range.first, range.count, set->store.words,
                                  point);
}

float solid_shape_distance_at(const solid_set *set, uint32_t shape, float time_s, vec3 point)
{
    const solid_range range = set->ranges[shape];
    return solid_program_distance_at(set->program.items + range.first, range.count,
                                     set->store.words, time_s, point);
}

float solid_shape_fine_distance(const solid_set *set, uint32_t shape, vec3 point)
{
    const solid_range range = set->ranges[shape];
    return solid_program_distance(set->fine_nodes + range.first, range.count, set->store.words,
                                  point);
}

bool solid_shape_is_fine(const solid_set *set, uint32_t shape)
{
    const solid_range range = set->ranges[shape];
    bool fine = false;
    for (uint32_t i = range.first; i < range.first + range.count; ++i)
        fine = fine || set->fine_nodes[i].volume != set->program.items[i].volume;
    return fine;
}

bool solid_shape_moments(const solid_set *set, uint32_t shape, vec3 origin, solid_moments *moments)
{
    const scene_shape *s = &set->scene->shapes[shape];
    if (s->kind != SCENE_SHAPE_MESH) return false;
    const solid_mesh_properties *properties = &set->store.meshes[s->mesh].mass_properties;
    if (properties->known) *moments = solid_transform_moments(properties, &s->pose, origin);
    return properties->known;
}

bool solid_shape_has_mixed_winding(const solid_set *set, uint32_t shape)
{
    const scene_shape *s = &set->scene->shapes[shape];
    return s->kind == SCENE_SHAPE_MESH && set->store.meshes[s->mesh].mass_properties.mixed;
}

bool solid_shape_is_inside_out(const solid_set *set, uint32_t shape)
{
    const scene_shape *s = &set->scene->shapes[shape];
    return s->kind == SCENE_SHAPE_MESH && set->store.meshes[s->mesh].mass_properties.inwards;
}

void solid_shape_bounds(const solid_set *set, uint32_t shape, vec3 *min, vec3 *max)
{
    scene_shape_bounds(set->scene, shape, set->mesh_boxes, min, max);
}

gpu_buffer *solid_nodes(const solid_set *set)
{
    return set->nodes;
}
gpu_buffer *solid_volumes(const solid_set *set)
{
    return set->volumes;
}
gpu_buffer *solid_items(const solid_set *set)
{
    return set->items;
}
uint32_t solid_item_count(const solid_set *set)
{
    return set->item_count;
}
uint32_t solid_body_first(const solid_set *set)
{
    return set->scene->solid_count;
}
uint32_t solid_sink_first(const solid_set *set)
{
    return set->sink_first;
}

uint32_t solid_set_nesting(const solid_set *set)
{
    return set ? set->nesting : 0;
}

uint32_t solid_set_missing_kinds(const solid_set *set)
{
    return set ? ~set->kinds & ((1u << SOLID_KINDS) - 1u) : 0;
}

void solid_set_update_scene(solid_set *set, const scene_data *scene)
{
    WEIR_ASSERT(scene->solid_count == set->scene->solid_count);
    set->scene = scene;
}

bool solid_set_is_static(const solid_set *set)
{
    bool steady = true;
    for (uint32_t i = 0; i < set->scene->solid_count; ++i) {
        const scene_solid *solid = &set->scene->solids[i];
        const solid_range range = set->ranges[solid->shape];
        steady = steady && solid->motion.kind == SCENE_MOTION_STATIC;
        for (uint32_t k = 0; k < range.count; ++k)
            steady = steady && set->program.items[range.first + k].frame_count <= 1;
    }
    return steady;
}

/* ---- warnings ------------------------------------------------------------------------------- */

static const char *explain_effect(const solid_owner *owner)
{
    if (strcmp(owner->kind, "sink") == 0)
        return "it removes the fluid inside, with its holes closed by flat lids";
    if (strcmp(owner->kind, "emitter") == 0)
        return "it emits from its inside, with its holes closed by flat lids";
    if (strcmp(owner->kind, "force") == 0)
        return "it draws fluid into its inside, with its holes closed by flat lids";
    if (strcmp(owner->kind, "soft body") == 0)
        return "it is built with its holes closed by flat lids";
    if (strcmp(owner->kind, "body") == 0)
        return "its mass and buoyancy are computed with its holes closed by flat lids";
    if (strcmp(owner->kind, "fluid") == 0)
        return "fluid fills its inside, with its holes closed by flat lids";
    return "fluid is kept out of its inside, with its holes closed by flat lids; to let fluid flow "
           "in, set for example \"thickness\": 0.02 in the solid, which makes a shell of 0.02 m";
}

/* Warns about the orientation of triangles where it defines the inside. */
static void warn_winding(const solid_set *set, const weir_log *log, uint32_t index,
                         const solid_owner *owner)
{
    const solid_mesh_properties *properties = &set->store.meshes[index].mass_properties;
    const bool body = strcmp(owner->kind, "body") == 0 || strcmp(owner->kind, "soft body") == 0;
    const char *path = set->scene->meshes[index].path;
    if (body && properties->inwards && !properties->mixed)
        base_log(log, WEIR_LOG_WARNING,
                 "%s:%d:%d: %s '%s': triangles of %s face inwards; they are treated as facing "
                 "outwards: flip the normals in the program that made the file",
                 set->scene->source, owner->line, owner->column, owner->kind, owner->name, path);
    if (body && properties->mixed)
        base_log(
            log, WEIR_LOG_WARNING,
            "%s:%d:%d: %s '%s': %s mixes triangles that face inwards and outwards, so its inside "
            "is ambiguous: make all normals point outwards in the program that made the file",
            set->scene->source, owner->line, owner->column, owner->kind, owner->name, path);
}

static void warn_mesh(const solid_set *set, const weir_log *log, uint32_t index,
                      const solid_owner *owner)
{
    const scene_mesh *mesh = &set->scene->meshes[index];
    warn_winding(set, log, index, owner);
    const uint32_t open = set->store.meshes[index].open_edges;
    if (open == 0 || mesh->shell) return;
    base_log(log, WEIR_LOG_WARNING,
             "%s:%d:%d: %s '%s': %s is open (%u edges belong to only one triangle): %s",
             set->scene->source, owner->line, owner->column, owner->kind, owner->name, mesh->path,
             open, explain_effect(owner));
}

/* Warns about the meshes of a shape, recursively; shapes nest at most SCENE_SHAPE_DEPTH deep. */
static void warn_shape(const solid_set *set, const weir_log *log, uint32_t shape,
                       const solid_owner *owner)
{
    const scene_shape *s = &set->scene->shapes[shape];
    if (s->kind == SCENE_SHAPE_MESH) warn_mesh(set, log, s->mesh, owner);
    for (uint32_t i = 0; i < s->child_count; ++i)
        warn_shape(set, log, set->scene->shape_children[s->first_child + i], owner);
}

static void warn_thin_solid(const solid_set *set, const weir_log *log, const scene_solid *solid)
{
    const float made = scene_shell_thickness(set->scene, solid->shape);
    if (made <= solid->thickness) return;
    base_log(log, WEIR_LOG_WARNING,
             "%s:%d:%d: solid '%s': a shell of %g m is thinner than half the spacing and would let "
             "particles through; using %g m",
             set->scene->source, solid->line, solid->column, solid->name, (double)solid->thickness,
             (double)made);
}

static void warn_fluid(const solid_set *set, const weir_log *log, const scene_fluid *fluid)
{
    for (uint32_t k = 0; k < fluid->fill_count; ++k) {
        const scene_fill *fill = &fluid->fills[k];
        const solid_owner owner = {"fluid", fluid->name, fill->line, fill->column};
        if (fill->kind == SCENE_FILL_SHAPE) warn_shape(set, log, fill->shape, &owner);
    }
}

void solid_set_warn(const solid_set *set, const weir_log *log)
{
    const scene_data *scene = set->scene;
    for (uint32_t i = 0; i < scene->solid_count; ++i) {
        const scene_solid *s = &scene->solids[i];
        warn_shape(set, log, s->shape, &(solid_owner){"solid", s->name, s->line, s->column});
        warn_thin_solid(set, log, s);
    }
    for (uint32_t i = 0; i < scene->body_count; ++i) {
        const scene_body *b = &scene->bodies[i];
        warn_shape(set, log, b->shape, &(solid_owner){"body", b->name, b->line, b->column});
    }
    for (uint32_t i = 0; i < scene->soft_body_count; ++i) {
        const scene_deformable *s = &scene->soft_bodies[i];
        warn_shape(set, log, s->shape, &(solid_owner){"soft body", s->name, s->line, s->column});
    }
    for (uint32_t i = 0; i < scene->sink_count; ++i) {
        const scene_sink *s = &scene->sinks[i];
        warn_shape(set, log, s->shape, &(solid_owner){"sink", s->name, s->line, s->column});
    }
    for (uint32_t i = 0; i < scene->emitter_count; ++i) {
        const scene_emitter *e = &scene->emitters[i];
        const solid_owner owner = {"emitter", e->name, e->line, e->column};
        if (e->has_shape) warn_shape(set, log, e->shape, &owner);
    }
    for (uint32_t i = 0; i < scene->whitewater.emitter_count; ++i) {
        const scene_whitewater_emitter *e = &scene->whitewater.emitters[i];
        warn_shape(set, log, e->shape,
                   &(solid_owner){"emitter", "of whitewater", e->line, e->column});
    }
    for (uint32_t i = 0; i < scene->force_count; ++i) {
        const scene_force *f = &scene->forces[i];
        const solid_owner owner = {"force", "shape", f->line, f->column};
        if (f->kind == SCENE_FORCE_SHAPE) warn_shape(set, log, f->shape, &owner);
    }
    for (uint32_t i = 0; i < scene->fluid_count; ++i)
        warn_fluid(set, log, &scene->fluids[i]);
}

/* ---- motion --------------------------------------------------------------------------------- */

static void store_pose(const scene_pose *pose, double time_s, vec4 *position, vec4 *rotation)
{
    const vec3 p = pose->position;
    const quat q = pose->rotation;
    *position = (vec4){p.x, p.y, p.z, (float)time_s};
    *rotation = (vec4){q.x, q.y, q.z, q.w};
}

void solid_set_target(solid_set *set, uint32_t solid, const scene_pose *pose, bool jump)
{
    WEIR_ASSERT(set->scene->solids[solid].motion.kind == SCENE_MOTION_HOST_DRIVEN);
    solid_target_set(set->host_driven, solid, pose);
    if (jump) solid_target_teleport(set->host_driven, solid, pose);
}

void solid_set_begin_frame(solid_set *set, double start_s, double end_s)
{
    solid_targets_begin_frame(set->host_driven, set->scene->solid_count, start_s, end_s);
}

scene_pose solid_set_target_pose(const solid_set *set, uint32_t solid)
{
    return solid_target_pose_at(set->host_driven, solid, INFINITY);
}

void solid_set_restore_target(solid_set *set, uint32_t solid, const scene_pose *pose)
{
    solid_target_teleport(set->host_driven, solid, pose);
}

/* Returns an item's pose. Bodies have no motion in the scene. */
static scene_pose item_pose_at(const solid_set *set, uint32_t item, double time_s)
{
    static const scene_motion still = {.kind = SCENE_MOTION_STATIC};
    const scene_data *scene = set->scene;
    const scene_sink *sink = item < set->sink_first ? NULL : &scene->sinks[item - set->sink_first];
    const scene_motion *motion = item < scene->solid_count ? &scene->solids[item].motion
                                 : sink                    ? &sink->motion
                                                           : &still;
    return motion->kind == SCENE_MOTION_HOST_DRIVEN
               ? solid_target_pose_at(set->host_driven, sink ? sink->attached_to.solid - 1 : item,
                                      time_s)
               : scene_motion_pose(motion, time_s);
}

void solid_poses_at(const solid_set *set, double time_s, double dt_s, struct solid_pose *poses)
{
    for (uint32_t i = 0; i < set->item_count; ++i) {
        const double last_s = time_s - dt_s;
        const scene_pose now = item_pose_at(set, i, time_s), last = item_pose_at(set, i, last_s);
        store_pose(&now, time_s, &poses[i].position, &poses[i].rotation);
        store_pose(&last, last_s, &poses[i].last_position, &poses[i].last_rotation);
    }
}
