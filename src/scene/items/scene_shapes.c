/* Reads shapes: a tree of primitives, meshes and set operations, stored with children first. */
#include "scene_internal.h"

static bool push_shape(scene_parser *parser, const scene_shape *shape, uint32_t *index)
{
    scene_data *scene = parser->scene;
    if (!base_array_reserve((void **)&scene->shapes, &parser->shape_capacity, scene->shape_count, 1,
                            sizeof *scene->shapes)) {
        parser->out_of_memory = true;
        return false;
    }
    *index = scene->shape_count;
    scene->shapes[scene->shape_count++] = *shape;
    return true;
}

static void push_children(scene_parser *parser, const uint32_t *children, scene_shape *shape)
{
    scene_data *scene = parser->scene;
    if (!base_array_reserve((void **)&scene->shape_children, &parser->child_capacity,
                            scene->shape_child_count, shape->child_count, sizeof *children)) {
        parser->out_of_memory = true;
        shape->child_count = 0;
        return;
    }
    shape->first_child = scene->shape_child_count;
    memcpy(scene->shape_children + scene->shape_child_count, children,
           shape->child_count * sizeof *children);
    scene->shape_child_count += shape->child_count;
}

/* ---- meshes --------------------------------------------------------------------------------- */

/* Finds the conversion in the file's name; returns false unless it is %d or %0Nd, with N from 1 to
 * 9. */
static bool find_number(const char *pattern, const char **start, const char **end, int *width)
{
    const char *percent = strrchr(base_path_name(pattern), '%');
    if (!percent) return false;
    const char *at = percent + 1;
    *width = 0;
    if (at[0] == '0' && at[1] >= '1' && at[1] <= '9') {
        *width = at[1] - '0';
        at += 2;
    }
    *start = percent;
    *end = at + 1;
    return *at == 'd';
}

char *scene_mesh_file(const scene_mesh *mesh, uint32_t file)
{
    const char *start, *end;
    int width;
    if (!mesh->sequence || !find_number(mesh->path, &start, &end, &width))
        return base_strdup(mesh->path);
    return base_format("%.*s%0*u%s", (int)(start - mesh->path), mesh->path, width, file, end);
}

/* Checks that the files exist. Reports the first missing file and their number instead of a line
 * for each. */
static void check_sequence(scene_parser *parser, const scene_location *where,
                           const scene_mesh *mesh)
{
    uint32_t missing = 0;
    for (uint32_t file = mesh->first; file <= mesh->last; ++file) {
        char *path = scene_mesh_file(mesh, file);
        if (!path) parser->out_of_memory = true;
        if (path && !base_path_is_file(path) && missing++ == 0)
            scene_error(parser, where, "no file \"%s\"; give paths relative to the scene", path);
        base_free(path);
    }
    if (missing > 1) scene_error(parser, where, "%u files of the sequence are missing", missing);
}

static bool read_sequence(scene_parser *parser, const scene_location *where, json_t *object,
                          scene_mesh *mesh, uint32_t *up)
{
    scene_mesh_input input = {0};
    uint32_t faults = parser->errors;
    const char *start, *end;
    int width;
    scene_read_fields(parser, where, object, &scene_table_mesh_sequence, &input);
    scene_location files = scene_location_key(where, "files"),
                   last = scene_location_key(where, "last");
    *mesh = (scene_mesh){
        .sequence = true, .first = input.first, .last = input.last, .rate_hz = input.rate_hz};
    if (input.path && (!find_number(input.path, &start, &end, &width) ||
                       memchr(input.path, '%', (size_t)(start - input.path))))
        scene_error(parser, &files, "needs exactly one %%d or %%0Nd, as in \"wave_%%04d.obj\"");
    if (input.last < input.first || input.last - input.first >= SCENE_MAX_MESH_FILES)
        scene_error(parser, &last, "is %u, expected from first (%u) to %u files later", input.last,
                    input.first, SCENE_MAX_MESH_FILES - 1);
    if (faults == parser->errors) {
        mesh->path = base_path_join(parser->input->folder, input.path);
        if (mesh->path)
            check_sequence(parser, &files, mesh);
        else
            parser->out_of_memory = true;
    }
    base_free(input.path);
    *up = input.up;
    return mesh->path != NULL;
}

static bool read_single(scene_parser *parser, const scene_location *where, json_t *object,
                        scene_mesh *mesh, uint32_t *up)
{
    scene_mesh_input input = {0};
    scene_read_fields(parser, where, object, &scene_table_mesh, &input);
    scene_location file = scene_location_key(where, "file");
    *mesh = (scene_mesh){0};
    if (input.path) mesh->path = scene_read_path(parser, &file, input.path);
    base_free(input.path);
    *up = input.up;
    return mesh->path != NULL;
}

static bool meshes_are_equal(const scene_mesh *a, const scene_mesh *b)
{
    return strcmp(a->path, b->path) == 0 && a->sequence == b->sequence && a->first == b->first &&
           a->last == b->last && a->rate_hz == b->rate_hz && a->shell == b->shell &&
           a->origin[0] == b->origin[0] && a->origin[1] == b->origin[1] &&
           a->origin[2] == b->origin[2];
}

/* Returns the index of the mesh, which shapes with the same files share; 0 when memory is short.
 * Takes ownership of the path. */
static uint32_t add_mesh(scene_parser *parser, scene_mesh mesh)
{
    scene_data *scene = parser->scene;
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
        if (meshes_are_equal(&scene->meshes[i], &mesh)) {
            base_free(mesh.path);
            return i;
        }
    if (!base_array_reserve((void **)&scene->meshes, &parser->mesh_capacity, scene->mesh_count, 1,
                            sizeof mesh)) {
        parser->out_of_memory = true;
        base_free(mesh.path);
        return 0;
    }
    scene->meshes[scene->mesh_count] = mesh;
    return scene->mesh_count++;
}

/* Reads the mesh of `shape`, whose pose has been read from `shape_object`. */
static void read_mesh(scene_parser *parser, const scene_location *where, json_t *shape_object,
                      scene_shape *shape)
{
    json_t *object = json_object_get(shape_object, "mesh");
    scene_mesh mesh;
    uint32_t up = 0;
    bool ok = json_object_get(object, "files") ? read_sequence(parser, where, object, &mesh, &up)
                                               : read_single(parser, where, object, &mesh, &up);
    if (!ok) return;
    scene_turn_up(&shape->pose, up);
    scene_split_far_pose(shape_object, &shape->pose, mesh.origin);
    shape->mesh = add_mesh(parser, mesh);
}

/* ---- nodes ---------------------------------------------------------------------------------- */

typedef struct shape_limits {
    uint32_t depth, leaves;
} shape_limits;

static uint32_t read_node(scene_parser *parser, const scene_location *where, json_t *object,
                          shape_limits *shape_limits);

/* Reads a box; two corners become a size and an offset in the shape's frame. */
static void read_box(scene_parser *parser, const scene_location *where, json_t *object,
                     scene_shape *shape)
{
    scene_box_input box = {0};
    uint32_t faults = parser->errors;
    scene_read_fields(parser, where, object, &scene_table_box, &box);
    bool size = json_object_get(object, "size"), min = json_object_get(object, "min"),
         max = json_object_get(object, "max");
    shape->size = box.size;
    if (faults != parser->errors || (size && !min && !max)) return;
    if (size || !min || !max) {
        scene_error(parser, where, "expected either size, or min and max");
    } else if (box.max.x - box.min.x < 1e-6f || box.max.y - box.min.y < 1e-6f ||
               box.max.z - box.min.z < 1e-6f) {
        scene_error(parser, where, "has min not below max on every axis; swap them");
    } else {
        shape->size = vec3_sub(box.max, box.min);
        vec3 centre = vec3_scale(vec3_add(box.min, box.max), 0.5f);
        vec3 moved = quat_rotate(shape->pose.rotation, vec3_scale(centre, shape->pose.scale));
        shape->pose.position = vec3_add(shape->pose.position, moved);
    }
}

static void read_children(scene_parser *parser, const scene_location *where, json_t *array,
                          scene_shape *shape, shape_limits *shape_limits)
{
    uint32_t children[SCENE_SHAPE_LEAVES];
    size_t count = json_array_size(array);
    if (!json_is_array(array) || count == 0 || count > SCENE_SHAPE_LEAVES) {
        scene_error(parser, where, "is %s, expected an array of 1 to %u shapes",
                    scene_format_value(array).text, SCENE_SHAPE_LEAVES);
        return;
    }
    if (shape_limits->depth == SCENE_SHAPE_DEPTH) {
        scene_error(parser, where, "is nested more than %u shapes deep; flatten it",
                    SCENE_SHAPE_DEPTH);
        return;
    }
    ++shape_limits->depth;
    for (size_t i = 0; i < count; ++i) {
        scene_location at = scene_location_element(where, i);
        children[i] = read_node(parser, &at, json_array_get(array, i), shape_limits);
    }
    --shape_limits->depth;
    shape->child_count = (uint32_t)count;
    push_children(parser, children, shape);
}

static void read_smooth_union(scene_parser *parser, const scene_location *where, json_t *object,
                              scene_shape *shape, shape_limits *shape_limits)
{
    scene_read_fields(parser, where, object, &scene_table_smooth_union, shape);
    scene_location at = scene_location_key(where, "shapes");
    json_t *shapes = json_object_get(object, "shapes");
    if (shapes) read_children(parser, &at, shapes, shape, shape_limits);
}

/* Finds the kind of a shape; leaves SCENE_SHAPE_BOX and reports an error unless the object has
 * exactly one. */
static bool find_kind(scene_parser *parser, const scene_location *where, json_t *object,
                      scene_shape_kind *kind)
{
    const scene_field *fields = scene_table_shape.fields;
    const char *found[2] = {0};
    for (size_t i = 0; i <= SCENE_SHAPE_SMOOTH_UNION; ++i)
        if (json_object_get(object, fields[i].name)) {
            found[found[0] ? 1 : 0] = fields[i].name;
            *kind = (scene_shape_kind)i;
        }
    if (found[0] && !found[1]) return true;
    if (found[1])
        scene_error(parser, where, "is both \"%s\" and \"%s\"; keep one, or put both in a union",
                    found[0], found[1]);
    else
        scene_error(parser, where,
                    "has no kind, expected one of box, sphere, capsule, cylinder, cone, torus, "
                    "plane, mesh, union, intersection, difference, smooth_union");
    return false;
}

static void read_kind(scene_parser *parser, const scene_location *where, json_t *object,
                      scene_shape *shape, shape_limits *shape_limits)
{
    json_t *value = json_object_get(object, scene_table_shape.fields[shape->kind].name);
    switch (shape->kind) {
    case SCENE_SHAPE_BOX: read_box(parser, where, value, shape); break;
    case SCENE_SHAPE_SPHERE:
    case SCENE_SHAPE_CAPSULE:
    case SCENE_SHAPE_CYLINDER:
    case SCENE_SHAPE_CONE:
    case SCENE_SHAPE_TORUS:
    case SCENE_SHAPE_PLANE:
        scene_read_fields(parser, where, value,
                          &scene_tables_round[shape->kind - SCENE_SHAPE_SPHERE], shape);
        break;
    case SCENE_SHAPE_MESH: read_mesh(parser, where, object, shape); break;
    case SCENE_SHAPE_UNION:
    case SCENE_SHAPE_INTERSECTION:
    case SCENE_SHAPE_DIFFERENCE: read_children(parser, where, value, shape, shape_limits); break;
    case SCENE_SHAPE_SMOOTH_UNION:
        read_smooth_union(parser, where, value, shape, shape_limits);
        break;
    }
}

/* Reads a node and its children. SCENE_SHAPE_DEPTH limits the recursion for any input. */
static uint32_t read_node(scene_parser *parser, const scene_location *where, json_t *object,
                          shape_limits *shape_limits)
{
    scene_shape shape = {0};
    uint32_t index = 0;
    if (scene_read_fields(parser, where, object, &scene_table_shape, &shape)) {
        shape.pose.rotation = scene_read_rotation(parser, where, object);
        if (find_kind(parser, where, object, &shape.kind)) {
            scene_location at =
                scene_location_key(where, scene_table_shape.fields[shape.kind].name);
            read_kind(parser, &at, object, &shape, shape_limits);
        }
    }
    if (shape.kind < SCENE_SHAPE_UNION && ++shape_limits->leaves == SCENE_SHAPE_LEAVES + 1)
        scene_error(parser, where, "is leaf %u of its shape, expected at most %u; use a mesh",
                    shape_limits->leaves, SCENE_SHAPE_LEAVES);
    push_shape(parser, &shape, &index);
    return index;
}

uint32_t scene_read_shape(scene_parser *parser, const scene_location *where, json_t *object)
{
    shape_limits shape_limits = {0};
    return read_node(parser, where, object, &shape_limits);
}

/* ---- shells --------------------------------------------------------------------------------- */

/* Marks a shape as a shell. A mesh by itself becomes a shell of its triangles; within a set,
 * winding numbers define its inside. */
void scene_wrap_shell(scene_parser *parser, uint32_t root, float thickness)
{
    scene_data *scene = parser->scene;
    if (parser->out_of_memory || root >= scene->shape_count) return;
    scene_shape *shape = &scene->shapes[root];
    shape->thickness = thickness;
    if (shape->kind != SCENE_SHAPE_MESH || shape->mesh >= scene->mesh_count) return;
    scene_mesh shell = scene->meshes[shape->mesh];
    shell.shell = true;
    shell.path = base_strdup(shell.path);
    if (shell.path)
        shape->mesh = add_mesh(parser, shell);
    else
        parser->out_of_memory = true;
}

float scene_shell_thickness(const scene_data *scene, uint32_t shape)
{
    float thickness = scene->shapes[shape].thickness;
    return thickness > 0 ? fmaxf(thickness, 0.5f * scene->spacing) : 0;
}

/* The recursion is at most SCENE_SHAPE_DEPTH deep. */
scene_sequence_times scene_sequence_span(const scene_data *scene, uint32_t shape)
{
    scene_sequence_times span = {0};
    const scene_shape *s = &scene->shapes[shape];
    if (s->kind == SCENE_SHAPE_MESH && scene->meshes[s->mesh].sequence) {
        const scene_mesh *mesh = &scene->meshes[s->mesh];
        span.rate_hz = mesh->rate_hz;
        span.end_s = (float)(mesh->last - mesh->first) / mesh->rate_hz;
    }
    for (uint32_t i = 0; i < s->child_count; ++i) {
        const scene_sequence_times part =
            scene_sequence_span(scene, scene->shape_children[s->first_child + i]);
        span.rate_hz = fmaxf(span.rate_hz, part.rate_hz);
        span.end_s = fmaxf(span.end_s, part.end_s);
    }
    return span;
}
