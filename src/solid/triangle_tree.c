/* Builds the tree over a mesh's triangles that the baker traverses on the GPU. A node is split at
 * the middle of the longest axis of its triangles' centroids, and stores the first moments of the
 * fast winding number (Barill et al., "Fast Winding Numbers for Soups and Clouds", 2018). */
#include "solid_internal.h"

#define TREE_MIDDLE_DEPTH 48u /* deeper nodes are split by count, which bounds the depth */
#define TREE_DEPTH 96u

typedef struct triangle_item {
    vec3 corner[3];
    vec3 centroid;
} triangle_item;

typedef struct build_task {
    uint32_t first, count;
    uint32_t depth;
} build_task;

static triangle_item make_item(const io_mesh *mesh, const struct solid_volume *grid,
                               size_t triangle)
{
    const vec3 origin = {grid->origin_x, grid->origin_y, grid->origin_z};
    triangle_item t;
    vec3 sum = {0, 0, 0};
    for (size_t k = 0; k < 3; ++k) {
        vec3 v = mesh->vertices[mesh->indices[3 * triangle + k]];
        t.corner[k] = vec3_scale(vec3_sub(v, origin), 1 / grid->cell);
        sum = vec3_add(sum, t.corner[k]);
    }
    t.centroid = vec3_scale(sum, 1.0f / 3);
    return t;
}

static vec3 area_vector(const triangle_item *t)
{
    vec3 ab = vec3_sub(t->corner[1], t->corner[0]), ac = vec3_sub(t->corner[2], t->corner[0]);
    return vec3_scale(vec3_cross(ab, ac), 0.5f);
}

static void set_moments(const triangle_item *items, uint32_t count, struct bake_tree_node *node)
{
    double centre[3] = {0, 0, 0}, dipole[3] = {0, 0, 0}, weight = 0;
    for (uint32_t i = 0; i < count; ++i) {
        vec3 a = area_vector(&items[i]), c = items[i].centroid;
        /* so that a node of degenerate triangles has a centre as well */
        double area = (double)vec3_length(a) + 1e-20;
        weight += area;
        centre[0] += area * (double)c.x, dipole[0] += (double)a.x;
        centre[1] += area * (double)c.y, dipole[1] += (double)a.y;
        centre[2] += area * (double)c.z, dipole[2] += (double)a.z;
    }
    vec3 p = {(float)(centre[0] / weight), (float)(centre[1] / weight),
              (float)(centre[2] / weight)};
    float radius_2 = 0;
    for (uint32_t i = 0; i < count; ++i)
        for (size_t k = 0; k < 3; ++k) {
            vec3 v = vec3_sub(items[i].corner[k], p);
            radius_2 = fmaxf(radius_2, vec3_dot(v, v));
        }
    node->centre_x = p.x, node->centre_y = p.y, node->centre_z = p.z;
    node->dipole_x = (float)dipole[0], node->dipole_y = (float)dipole[1];
    node->dipole_z = (float)dipole[2];
    node->radius = sqrtf(radius_2);
}

static void set_box(const triangle_item *items, uint32_t count, struct bake_tree_node *node)
{
    vec3 low = items[0].corner[0], high = low;
    for (uint32_t i = 0; i < count; ++i)
        for (size_t k = 0; k < 3; ++k) {
            low = vec3_min(low, items[i].corner[k]);
            high = vec3_max(high, items[i].corner[k]);
        }
    node->low_x = low.x, node->low_y = low.y, node->low_z = low.z;
    node->high_x = high.x, node->high_y = high.y, node->high_z = high.z;
}

static float component(vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

/* Moves the items below the middle of the longest axis to the front; returns their number. */
static uint32_t split_range(triangle_item *items, const build_task *range)
{
    triangle_item *first = items + range->first;
    vec3 low = first[0].centroid, high = low;
    for (uint32_t i = 1; i < range->count; ++i) {
        low = vec3_min(low, first[i].centroid);
        high = vec3_max(high, first[i].centroid);
    }
    vec3 extent = vec3_sub(high, low);
    int axis = extent.x >= extent.y && extent.x >= extent.z ? 0 : extent.y >= extent.z ? 1 : 2;
    float middle = 0.5f * (component(low, axis) + component(high, axis));
    uint32_t below = 0;
    for (uint32_t i = 0; i < range->count; ++i) {
        if (component(first[i].centroid, axis) >= middle) continue;
        triangle_item swap = first[i];
        first[i] = first[below];
        first[below++] = swap;
    }
    bool useless = below == 0 || below == range->count || range->depth >= TREE_MIDDLE_DEPTH;
    return useless ? range->count / 2 : below;
}

/* Builds nodes depth-first: the first child directly follows its parent, the second waits on the
 * stack. */
static void build_nodes(triangle_item *items, uint32_t count, solid_tree *tree)
{
    build_task stack[TREE_DEPTH] = {{0, count, 0}};
    uint32_t waiting = 1;
    while (waiting > 0) {
        build_task range = stack[--waiting];
        struct bake_tree_node *node = &tree->nodes[tree->node_count++];
        const triangle_item *first = items + range.first;
        set_box(first, range.count, node);
        set_moments(first, range.count, node);
        if (range.count <= BAKE_LEAF_TRIANGLES) {
            node->first = range.first;
            node->count = range.count;
            continue;
        }
        uint32_t below = split_range(items, &range);
        WEIR_ASSERT(waiting + 2 <= TREE_DEPTH);
        stack[waiting++] = (build_task){range.first + below, range.count - below, range.depth + 1};
        stack[waiting++] = (build_task){range.first, below, range.depth + 1};
    }
}

/* Links skip pointers, backwards, so that both children of a node are complete before it. */
static void link_skips(solid_tree *tree)
{
    for (uint32_t i = tree->node_count; i-- > 0;) {
        struct bake_tree_node *node = &tree->nodes[i];
        if (node->count > 0)
            node->skip = i + 1;
        else
            node->skip = tree->nodes[tree->nodes[i + 1].skip].skip;
    }
}

weir_result solid_tree_build(const weir_log *log, const io_mesh *mesh,
                             const struct solid_volume *grid, solid_tree *tree)
{
    *tree = (solid_tree){.triangle_count = mesh->triangle_count};
    weir_result result = WEIR_OK;
    const size_t count = mesh->triangle_count;
    triangle_item *items = base_alloc(count, sizeof *items);
    tree->nodes = base_alloc(2 * count, sizeof *tree->nodes);
    tree->corners = base_alloc(count, sizeof(float[9]));
    if (!items || !tree->nodes || !tree->corners)
        WEIR_GOTO_IF_ERROR(base_fail(log, WEIR_ERROR_MEMORY,
                                     "not enough memory for a tree of %zu triangles", count));
    for (size_t i = 0; i < count; ++i)
        items[i] = make_item(mesh, grid, i);
    build_nodes(items, mesh->triangle_count, tree);
    link_skips(tree);
    for (size_t i = 0; i < count; ++i)
        memcpy(tree->corners + 9 * i, items[i].corner, sizeof(float[9]));
fail:
    base_free(items);
    if (result != WEIR_OK) solid_tree_free(tree);
    return result;
}

void solid_tree_free(solid_tree *tree)
{
    base_free(tree->nodes);
    base_free(tree->corners);
    *tree = (solid_tree){0};
}
