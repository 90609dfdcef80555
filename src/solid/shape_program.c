/* Compiles scene shapes into postfix node programs: leaves with poses resolved to item space, and
 * operators with n children as chains of binary ones. */
#include "solid_internal.h"

/* A shape with unfinished children, and its next child. */
typedef struct operator_frame {
    uint32_t shape;
    uint32_t next;
    scene_pose pose; /* from the shape's own space to item space */
} operator_frame;

typedef struct compiler {
    const weir_log *log;
    const scene_data *scene;
    const solid_owner *owner;
    solid_program *program;
    size_t start;   /* first node of this program */
    uint32_t depth; /* stack depth after the last node */
    BASE_ARRAY(operator_frame) frames;
} compiler;

static scene_pose compose_poses(const scene_pose *outer, const scene_pose *inner)
{
    vec3 moved = quat_rotate(outer->rotation, vec3_scale(inner->position, outer->scale));
    return (scene_pose){vec3_add(outer->position, moved),
                        quat_normalize(quat_multiply(outer->rotation, inner->rotation)),
                        outer->scale * inner->scale};
}

static weir_result fail_limit(const compiler *c, const char *what, unsigned limit)
{
    return base_fail(c->log, WEIR_ERROR_SCENE, "%s:%d:%d: %s '%s': its shape needs %s %u; %s",
                     c->scene->source, c->owner->line, c->owner->column, c->owner->kind,
                     c->owner->name, what, limit,
                     "split it into several, or nest its operations less deeply");
}

static weir_result emit_node(compiler *c, const struct solid_node *node)
{
    if (c->program->count - c->start >= SOLID_MAX_NODES)
        return fail_limit(c, "more shapes and operations than", SOLID_MAX_NODES);
    if (node->kind != SOLID_SHELL)
        c->depth = node->kind < SOLID_UNION ? c->depth + 1 : c->depth - 1;
    if (c->depth > SOLID_STACK) return fail_limit(c, "a nesting deeper than", SOLID_STACK);
    if (!BASE_ARRAY_PUSH(c->program, *node))
        return base_fail(c->log, WEIR_ERROR_MEMORY, "not enough memory for shapes");
    return WEIR_OK;
}

static weir_result emit_leaf(compiler *c, const scene_shape *shape, const scene_pose *pose)
{
    static const uint32_t kinds[] = {
        [SCENE_SHAPE_BOX] = SOLID_BOX,         [SCENE_SHAPE_SPHERE] = SOLID_SPHERE,
        [SCENE_SHAPE_CAPSULE] = SOLID_CAPSULE, [SCENE_SHAPE_CYLINDER] = SOLID_CYLINDER,
        [SCENE_SHAPE_CONE] = SOLID_CONE,       [SCENE_SHAPE_TORUS] = SOLID_TORUS,
        [SCENE_SHAPE_PLANE] = SOLID_PLANE,     [SCENE_SHAPE_MESH] = SOLID_VOLUME,
    };
    quat q = pose->rotation;
    struct solid_node node = {
        .position = {pose->position.x, pose->position.y, pose->position.z, pose->scale},
        .rotation = {q.x, q.y, q.z, q.w},
        .size = {shape->radius, 0.5f * shape->height, shape->tube_radius, 0},
        .kind = kinds[shape->kind],
        .frame_count = 1,
    };
    if (shape->kind == SCENE_SHAPE_BOX)
        node.size = (vec4){0.5f * shape->size.x, 0.5f * shape->size.y, 0.5f * shape->size.z, 0};
    if (shape->kind == SCENE_SHAPE_MESH) {
        const scene_mesh *mesh = &c->scene->meshes[shape->mesh];
        node.size = (vec4){mesh->sequence ? mesh->rate_hz : 0, 0, 0, 0};
        node.volume = shape->mesh;
    }
    return emit_node(c, &node);
}

static weir_result emit_operator(compiler *c, const scene_shape *shape, const scene_pose *pose)
{
    struct solid_node node = {.position.w = 1, .rotation.w = 1, .kind = SOLID_UNION};
    if (shape->kind == SCENE_SHAPE_INTERSECTION) node.kind = SOLID_INTERSECTION;
    if (shape->kind == SCENE_SHAPE_DIFFERENCE) node.kind = SOLID_DIFFERENCE;
    if (shape->kind == SCENE_SHAPE_SMOOTH_UNION && shape->blend > 0) {
        node.kind = SOLID_SMOOTH_UNION;
        node.size.x = shape->blend * pose->scale;
    }
    return emit_node(c, &node);
}

static weir_result push_operator_frame(compiler *c, uint32_t index, const scene_pose *outer)
{
    const scene_shape *shape = &c->scene->shapes[index];
    operator_frame next = {.shape = index, .pose = compose_poses(outer, &shape->pose)};
    if (!BASE_ARRAY_PUSH(&c->frames, next))
        return base_fail(c->log, WEIR_ERROR_MEMORY, "not enough memory for shapes");
    return WEIR_OK;
}

static weir_result emit_shell(compiler *c, float thickness)
{
    const struct solid_node node = {
        .position.w = 1, .rotation.w = 1, .size.x = 0.5f * thickness, .kind = SOLID_SHELL};
    return emit_node(c, &node);
}

/* Advances the innermost shape by one step: emits a leaf; for an operation, emits the operator once
 * two operands exist, then enters the next child or leaves the shape. */
static weir_result compile_next(compiler *c)
{
    operator_frame *top = &c->frames.items[c->frames.count - 1];
    const scene_shape *shape = &c->scene->shapes[top->shape];
    const scene_pose pose = top->pose;
    if (shape->kind < SCENE_SHAPE_UNION) {
        --c->frames.count;
        return emit_leaf(c, shape, &pose);
    }
    if (top->next >= 2) WEIR_RETURN_IF_ERROR(emit_operator(c, shape, &pose));
    if (top->next < shape->child_count)
        return push_operator_frame(c, c->scene->shape_children[shape->first_child + top->next++],
                                   &pose);
    --c->frames.count;
    return WEIR_OK;
}

weir_result solid_program_compile(const weir_log *log, const scene_data *scene, uint32_t root,
                                  const solid_owner *owner, solid_program *program)
{
    const scene_pose world = {.rotation = quat_identity(), .scale = 1};
    compiler c = {.log = log, .scene = scene, .owner = owner, .program = program};
    c.start = program->count;
    weir_result result = push_operator_frame(&c, root, &world);
    while (result == WEIR_OK && c.frames.count > 0)
        result = compile_next(&c);
    const float thickness = scene_shell_thickness(scene, root);
    if (result == WEIR_OK && thickness > 0) result = emit_shell(&c, thickness);
    if (result == WEIR_OK) WEIR_ASSERT(c.depth == 1);
    BASE_ARRAY_FREE(&c.frames);
    return result;
}

uint32_t solid_program_nesting(const struct solid_node *nodes, uint32_t count)
{
    uint32_t depth = 0, most = 2;
    for (uint32_t i = 0; i < count; ++i) {
        if (nodes[i].kind == SOLID_SHELL) continue;
        depth = nodes[i].kind < SOLID_UNION ? depth + 1 : depth - 1;
        if (most < depth) most = depth;
    }
    return most - 2;
}
