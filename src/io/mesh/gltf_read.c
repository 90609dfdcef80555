/* Reads meshes from glTF 2.0 (Khronos, "glTF 2.0 Specification"): the nodes of a scene place the
 * triangles, strips and fans of their meshes. gltf_accessors.c reads the numbers. Corners with
 * equal coordinates are welded, because vertices are split where normals or texture coordinates
 * jump. Meshes with a skin are read as they were bound, and animations are not played. */
#include "gltf.h"

enum { TRIANGLES = 4, STRIP = 5, FAN = 6 };

typedef struct node_visit {
    size_t node;
    gltf_matrix parent;
} node_visit;

typedef struct scene {
    gltf *gltf;
    io_mesh_build *build;
    uint8_t *visited; /* [nodes] */
    uint32_t lines;   /* primitives without faces */
    uint32_t skins, morphs;
    bool has_normals;
    BASE_ARRAY(node_visit) stack;
} scene;

/* ---- matrices ------------------------------------------------------------------------------- */

/* Returns a times b; matrices are stored by columns, as in the file. */
static gltf_matrix multiply(const gltf_matrix *a, const gltf_matrix *b)
{
    gltf_matrix product = {{0}};
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 4; row++)
            for (int k = 0; k < 4; k++)
                product.m[4 * column + row] += a->m[4 * k + row] * b->m[4 * column + k];
    return product;
}

static double determinant(const gltf_matrix *a)
{
    const double *m = a->m;
    return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[4] * (m[1] * m[10] - m[2] * m[9]) +
           m[8] * (m[1] * m[6] - m[2] * m[5]);
}

/* Returns the matrix of cofactors, which transforms normals up to their length. */
static gltf_matrix cofactors(const gltf_matrix *a)
{
    gltf_matrix result = {{0}};
    const double *m = a->m;
    for (int column = 0; column < 3; column++)
        for (int row = 0; row < 3; row++) {
            const int c1 = (column + 1) % 3, c2 = (column + 2) % 3;
            const int r1 = (row + 1) % 3, r2 = (row + 2) % 3;
            result.m[4 * column + row] =
                m[4 * c1 + r1] * m[4 * c2 + r2] - m[4 * c1 + r2] * m[4 * c2 + r1];
        }
    return result;
}

/* Returns a node's own matrix: given as such, or as a translation, a rotation (a quaternion) and a
 * scale. */
static weir_result read_matrix(const gltf *gltf, const json_t *node, size_t number,
                               gltf_matrix *matrix)
{
    double t[3] = {0, 0, 0}, q[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    const gltf_place place = {"nodes", number};
    *matrix = gltf_identity;
    if (json_object_get(node, "matrix"))
        return gltf_read_numbers(gltf, place, node, "matrix", (gltf_list){16, matrix->m});
    WEIR_RETURN_IF_ERROR(gltf_read_numbers(gltf, place, node, "translation", (gltf_list){3, t}));
    WEIR_RETURN_IF_ERROR(gltf_read_numbers(gltf, place, node, "rotation", (gltf_list){4, q}));
    WEIR_RETURN_IF_ERROR(gltf_read_numbers(gltf, place, node, "scale", (gltf_list){3, s}));
    const double x = q[0], y = q[1], z = q[2], w = q[3];
    const double rows[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y + z * w),     2 * (x * z - y * w),
        2 * (x * y - z * w),     1 - 2 * (x * x + z * z), 2 * (y * z + x * w),
        2 * (x * z + y * w),     2 * (y * z - x * w),     1 - 2 * (x * x + y * y)};
    for (int column = 0; column < 3; column++)
        for (int row = 0; row < 3; row++)
            matrix->m[4 * column + row] = rows[3 * column + row] * s[column];
    memcpy(matrix->m + 12, t, sizeof t);
    return WEIR_OK;
}

/* ---- primitives ----------------------------------------------------------------------------- */

/* Arrays of a primitive. Accessors that the file lacks have no numbers. */
typedef struct primitive {
    gltf_place place;
    gltf_array position, normal, index;
    uint32_t first; /* vertex in the mesh */
    const gltf_matrix *matrix;
    gltf_matrix normal_matrix;
    bool mirrored;
} primitive;

static weir_result add_vertices(scene *scene, const primitive *primitive)
{
    const double *m = primitive->matrix->m;
    for (size_t i = 0; i < primitive->position.count; i++) {
        const double *p = primitive->position.numbers + 3 * i;
        float out[3];
        for (int row = 0; row < 3; row++) {
            double value = m[row] * p[0] + m[4 + row] * p[1] + m[8 + row] * p[2] +
                           (m[12 + row] - scene->gltf->reader.origin[row]);
            if (!(fabs(value) <= 0x1.fffffep127))
                return gltf_fail(scene->gltf, primitive->place,
                                 "vertex %zu is at %g; coordinates must be finite", i, value);
            out[row] = (float)value;
        }
        WEIR_RETURN_IF_ERROR(io_mesh_add_vertex(&scene->gltf->reader, scene->build,
                                                vec3_make(out[0], out[1], out[2])));
    }
    return WEIR_OK;
}

static vec3 corner_normal(const primitive *primitive, size_t vertex)
{
    if (vertex >= primitive->normal.count) return vec3_make(0, 0, 0);
    const double *m = primitive->normal_matrix.m, *n = primitive->normal.numbers + 3 * vertex;
    const double sign = primitive->mirrored ? -1.0 : 1.0;
    double v[3], size = 0;
    for (int row = 0; row < 3; row++) {
        v[row] = sign * (m[row] * n[0] + m[4 + row] * n[1] + m[8 + row] * n[2]);
        size += v[row] * v[row];
    }
    if (!(size > 0 && isfinite(size))) return vec3_make(0, 0, 0);
    const double unit = 1.0 / sqrt(size);
    return vec3_make((float)(v[0] * unit), (float)(v[1] * unit), (float)(v[2] * unit));
}

static size_t index_at(const primitive *primitive, size_t i)
{
    return primitive->index.numbers ? (size_t)primitive->index.numbers[i] : i;
}

/* Adds a triangle of three of the primitive's corners. */
static weir_result add_triangle(scene *scene, const primitive *primitive, size_t a, size_t b,
                                size_t c)
{
    const size_t corners[3] = {index_at(primitive, a),
                               index_at(primitive, primitive->mirrored ? c : b),
                               index_at(primitive, primitive->mirrored ? b : c)};
    uint32_t index[3];
    for (int k = 0; k < 3; k++) {
        index[k] = primitive->first + (uint32_t)corners[k];
        vec3 normal = corner_normal(primitive, corners[k]);
        if (!BASE_ARRAY_PUSH(&scene->build->normals, normal))
            return io_fail_memory(&scene->gltf->reader, "its normals");
    }
    return io_mesh_add_triangle(&scene->gltf->reader, scene->build, index[0], index[1], index[2]);
}

static weir_result add_triangles(scene *scene, const primitive *primitive, uint32_t mode)
{
    const size_t count =
        primitive->index.numbers ? primitive->index.count : primitive->position.count;
    if (mode == TRIANGLES && count % 3 != 0)
        return gltf_fail(scene->gltf, primitive->place,
                         "triangles of %zu corners; expected a multiple of 3", count);
    for (size_t i = 2; i < count; i += mode == TRIANGLES ? 3 : 1) {
        const bool odd = mode == STRIP && i % 2 == 1;
        const size_t a = mode == FAN ? 0 : odd ? i - 1 : i - 2, b = odd ? i - 2 : i - 1;
        WEIR_RETURN_IF_ERROR(add_triangle(scene, primitive, a, b, i));
    }
    return WEIR_OK;
}

static weir_result check_indices(const scene *scene, const primitive *primitive)
{
    for (size_t i = 0; primitive->index.numbers && i < primitive->index.count; i++)
        if (!(primitive->index.numbers[i] >= 0 &&
              primitive->index.numbers[i] < (double)primitive->position.count))
            return gltf_fail(scene->gltf, primitive->place,
                             "index %zu is %g; the %zu vertices have indices from 0", i,
                             primitive->index.numbers[i], primitive->position.count);
    return WEIR_OK;
}

static weir_result read_arrays(scene *scene, const json_t *json, primitive *primitive)
{
    gltf *gltf = scene->gltf;
    const json_t *attributes = json_object_get(json, "attributes");
    const gltf_place place = primitive->place;
    if (!json_object_get(attributes, "POSITION"))
        return gltf_fail(gltf, place, "a primitive has no attribute POSITION");
    WEIR_RETURN_IF_ERROR(gltf_read_accessor(gltf, place, json_object_get(attributes, "POSITION"), 3,
                                            &primitive->position));
    WEIR_RETURN_IF_ERROR(gltf_read_accessor(gltf, place, json_object_get(attributes, "NORMAL"), 3,
                                            &primitive->normal));
    WEIR_RETURN_IF_ERROR(
        gltf_read_accessor(gltf, place, json_object_get(json, "indices"), 1, &primitive->index));
    return check_indices(scene, primitive);
}

/* Rejects a mesh that is placed so often that it is far larger than the file. */
static weir_result check_size(const scene *scene, const primitive *primitive)
{
    const io_reader *reader = &scene->gltf->reader;
    const size_t bytes = (size_t)(reader->end - reader->begin);
    const size_t added = primitive->position.count + primitive->index.count;
    const size_t all = scene->build->vertices.count + scene->build->indices.count + added;
    if (all <= io_max_decompressed_size(bytes) / sizeof(vec3) || primitive->first == 0)
        return WEIR_OK;
    return gltf_fail(scene->gltf, primitive->place,
                     "more than %zu vertices and corners in a file of %zu bytes; export its "
                     "instances as one mesh, as PLY or OBJ",
                     all, bytes);
}

static weir_result add_primitive(scene *scene, const json_t *json, primitive *primitive,
                                 uint32_t mode)
{
    primitive->first = (uint32_t)scene->build->vertices.count;
    WEIR_RETURN_IF_ERROR(read_arrays(scene, json, primitive));
    WEIR_RETURN_IF_ERROR(check_size(scene, primitive));
    scene->has_normals |= primitive->normal.count > 0;
    WEIR_RETURN_IF_ERROR(add_vertices(scene, primitive));
    return add_triangles(scene, primitive, mode);
}

static weir_result read_primitive(scene *scene, const json_t *json, gltf_place place,
                                  const gltf_matrix *matrix)
{
    primitive primitive = {.place = place,
                           .matrix = matrix,
                           .normal_matrix = cofactors(matrix),
                           .mirrored = determinant(matrix) < 0};
    uint32_t mode = TRIANGLES;
    const json_t *given = json_object_get(json, "mode");
    if (given && (!io_json_get_u32(given, &mode) || mode > FAN))
        return gltf_fail(scene->gltf, place, "the mode of a primitive must be from 0 to %d", FAN);
    if (json_object_get(json_object_get(json, "extensions"), "KHR_draco_mesh_compression"))
        return gltf_fail_extension(scene->gltf, "KHR_draco_mesh_compression");
    scene->morphs += json_array_size(json_object_get(json, "targets")) > 0;
    if (mode < TRIANGLES) {
        scene->lines++;
        return WEIR_OK;
    }
    weir_result result = add_primitive(scene, json, &primitive, mode);
    gltf_array_free(&primitive.position);
    gltf_array_free(&primitive.normal);
    gltf_array_free(&primitive.index);
    return result;
}

/* ---- nodes ---------------------------------------------------------------------------------- */

/* Finds the matrix that places a mesh as it was bound to its skin: that of its first joint, after
 * the inverse of that joint's matrix when the mesh was bound. The mesh's own node does not count.
 */
static weir_result read_skin(scene *scene, const json_t *node, size_t number, gltf_matrix *matrix)
{
    gltf *gltf = scene->gltf;
    const gltf_place place = {"nodes", number};
    gltf_item skin = {0}, joint = {0};
    gltf_array inverse = {0};
    gltf_matrix bound;
    WEIR_RETURN_IF_ERROR(gltf_get_item(gltf, place, json_object_get(node, "skin"), "skins", &skin));
    const json_t *joints = json_object_get(skin.json, "joints");
    WEIR_RETURN_IF_ERROR(gltf_get_item(gltf, place, json_array_get(joints, 0), "nodes", &joint));
    WEIR_RETURN_IF_ERROR(gltf_read_accessor(
        gltf, place, json_object_get(skin.json, "inverseBindMatrices"), 16, &inverse));
    *matrix = gltf->worlds[joint.number];
    if (inverse.count) {
        memcpy(bound.m, inverse.numbers, sizeof bound.m);
        *matrix = multiply(matrix, &bound);
    }
    scene->skins++;
    gltf_array_free(&inverse);
    return WEIR_OK;
}

static weir_result read_mesh(scene *scene, size_t number, const gltf_matrix *matrix)
{
    const json_t *mesh = json_array_get(json_object_get(scene->gltf->json, "meshes"), number);
    const json_t *primitives = json_object_get(mesh, "primitives");
    for (size_t i = 0; i < json_array_size(primitives); i++)
        WEIR_RETURN_IF_ERROR(read_primitive(scene, json_array_get(primitives, i),
                                            (gltf_place){"meshes", number}, matrix));
    return WEIR_OK;
}

static weir_result read_node_mesh(scene *scene, const json_t *node, size_t number)
{
    const json_t *given = json_object_get(node, "mesh");
    gltf_item mesh = {0};
    gltf_matrix matrix = scene->gltf->worlds[number];
    if (json_object_get(json_object_get(node, "extensions"), "EXT_mesh_gpu_instancing"))
        return gltf_fail_extension(scene->gltf, "EXT_mesh_gpu_instancing");
    if (!given) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(
        gltf_get_item(scene->gltf, (gltf_place){"nodes", number}, given, "meshes", &mesh));
    if (json_object_get(node, "skin"))
        WEIR_RETURN_IF_ERROR(read_skin(scene, node, number, &matrix));
    return read_mesh(scene, mesh.number, &matrix);
}

static weir_result push_node(scene *scene, gltf_place place, const json_t *index,
                             const gltf_matrix *parent)
{
    gltf_item node = {0};
    WEIR_RETURN_IF_ERROR(gltf_get_item(scene->gltf, place, index, "nodes", &node));
    const node_visit visit = {node.number, *parent};
    if (scene->visited[node.number])
        return gltf_fail(scene->gltf, (gltf_place){"nodes", node.number},
                         "the node is placed twice; each has one parent at most");
    scene->visited[node.number] = 1;
    return BASE_ARRAY_PUSH(&scene->stack, visit)
               ? WEIR_OK
               : io_fail_memory(&scene->gltf->reader, "its nodes");
}

/* Finds the place of every node below those on the stack. */
static weir_result place_nodes(scene *scene)
{
    const json_t *nodes = json_object_get(scene->gltf->json, "nodes");
    while (scene->stack.count) {
        const node_visit visit = scene->stack.items[--scene->stack.count];
        const json_t *node = json_array_get(nodes, visit.node);
        const json_t *children = json_object_get(node, "children");
        gltf_matrix own;
        WEIR_RETURN_IF_ERROR(read_matrix(scene->gltf, node, visit.node, &own));
        gltf_matrix *world = &scene->gltf->worlds[visit.node];
        *world = multiply(&visit.parent, &own);
        for (size_t i = 0; i < json_array_size(children); i++)
            WEIR_RETURN_IF_ERROR(push_node(scene, (gltf_place){"nodes", visit.node},
                                           json_array_get(children, i), world));
    }
    return WEIR_OK;
}

/* Pushes the nodes that are no node's child. */
static weir_result push_all_roots(scene *scene)
{
    const json_t *nodes = json_object_get(scene->gltf->json, "nodes");
    const size_t count = json_array_size(nodes);
    uint8_t *is_child = base_alloc(count, 1);
    weir_result result = is_child ? WEIR_OK : io_fail_memory(&scene->gltf->reader, "its nodes");
    for (size_t i = 0; result == WEIR_OK && i < count; i++) {
        const json_t *children = json_object_get(json_array_get(nodes, i), "children");
        uint32_t child;
        for (size_t k = 0; k < json_array_size(children); k++)
            if (io_json_get_u32(json_array_get(children, k), &child) && child < count)
                is_child[child] = 1;
    }
    for (size_t i = 0; result == WEIR_OK && i < count; i++) {
        const node_visit visit = {i, gltf_identity};
        if (is_child[i]) continue;
        scene->visited[i] = 1;
        if (!BASE_ARRAY_PUSH(&scene->stack, visit))
            result = io_fail_memory(&scene->gltf->reader, "its nodes");
    }
    base_free(is_child);
    return result;
}

/* Pushes the roots of the file's scene; of a file without scenes, all. */
static weir_result push_roots(scene *scene)
{
    const json_t *scenes = json_object_get(scene->gltf->json, "scenes");
    const json_t *given = json_object_get(scene->gltf->json, "scene");
    gltf_item chosen = {json_array_get(scenes, 0), 0};
    if (given)
        WEIR_RETURN_IF_ERROR(
            gltf_get_item(scene->gltf, (gltf_place){"scene", 0}, given, "scenes", &chosen));
    if (!chosen.json) return push_all_roots(scene);
    const json_t *roots = json_object_get(chosen.json, "nodes");
    for (size_t i = 0; i < json_array_size(roots); i++)
        WEIR_RETURN_IF_ERROR(push_node(scene, (gltf_place){"scenes", chosen.number},
                                       json_array_get(roots, i), &gltf_identity));
    return WEIR_OK;
}

/* Reads the meshes of all placed nodes; of a file without nodes, each mesh as it is. */
static weir_result read_meshes(scene *scene)
{
    const json_t *nodes = json_object_get(scene->gltf->json, "nodes");
    const json_t *meshes = json_object_get(scene->gltf->json, "meshes");
    for (size_t i = 0; i < json_array_size(nodes); i++)
        if (scene->visited[i])
            WEIR_RETURN_IF_ERROR(read_node_mesh(scene, json_array_get(nodes, i), i));
    for (size_t i = 0; json_array_size(nodes) == 0 && i < json_array_size(meshes); i++)
        WEIR_RETURN_IF_ERROR(read_mesh(scene, i, &gltf_identity));
    return WEIR_OK;
}

static void report_parts_left_out(const scene *scene)
{
    const weir_log *log = scene->gltf->reader.log;
    const char *path = scene->gltf->reader.path;
    if (scene->lines)
        base_log(log, WEIR_LOG_INFO, "%s: skipped %u sets of points or lines, which have no faces",
                 path, scene->lines);
    if (scene->skins)
        base_log(log, WEIR_LOG_INFO,
                 "%s: %u skinned meshes are read in the pose in which they were bound", path,
                 scene->skins);
    if (scene->morphs) base_log(log, WEIR_LOG_INFO, "%s: morph targets are not applied", path);
    if (json_array_size(json_object_get(scene->gltf->json, "animations")))
        base_log(log, WEIR_LOG_INFO,
                 "%s: animations are not played; export the frame that is needed", path);
}

static weir_result read_scene(scene *scene)
{
    const io_reader *reader = &scene->gltf->reader;
    WEIR_RETURN_IF_ERROR(push_roots(scene));
    WEIR_RETURN_IF_ERROR(place_nodes(scene));
    WEIR_RETURN_IF_ERROR(read_meshes(scene));
    if (!scene->has_normals) scene->build->normals.count = 0;
    report_parts_left_out(scene);
    return io_mesh_weld_vertices(reader, scene->build);
}

bool io_is_gltf(const io_reader *reader)
{
    io_reader text = *reader;
    io_skip_space(&text);
    return io_starts_with(reader, "glTF") || io_starts_with(&text, "{") ||
           io_has_extension(reader, "gltf") || io_has_extension(reader, "glb");
}

weir_result io_gltf_read(io_reader *reader, io_mesh_build *build)
{
    gltf gltf = {0};
    scene scene = {.gltf = &gltf, .build = build};
    weir_result result = gltf_open(reader, &gltf);
    if (result == WEIR_OK) {
        const size_t nodes = json_array_size(json_object_get(gltf.json, "nodes"));
        scene.visited = base_alloc(nodes, 1);
        result = scene.visited ? read_scene(&scene) : io_fail_memory(reader, "its nodes");
    }
    base_free(scene.visited);
    BASE_ARRAY_FREE(&scene.stack);
    gltf_close(&gltf);
    return result;
}
