/* Edits a surface as half-edges and keeps it a closed 2-manifold: the link condition of Dey,
 * Edelsbrunner, Guha, Nekhayev, "Topology preserving edge contraction" (1999). */
#include "surface_internal.h"

/* ---- creation and completion ---------------------------------------------------------------- */

static void lock_edge(halfedge_mesh *mesh, uint32_t h)
{
    mesh->locked[mesh->corner[h]] = true;
    mesh->locked[mesh->corner[surface_next_corner(h)]] = true;
}

static void pair_halfedges(halfedge_mesh *mesh, uint32_t a, uint32_t b)
{
    mesh->twin[a] = b;
    mesh->twin[b] = a;
}

static void pair_edge(halfedge_mesh *mesh, const surface_edge *edge)
{
    const surface_edge_use *uses = edge->uses;
    if (edge->count == 2 && mesh->corner[uses[0].corner] != mesh->corner[uses[1].corner]) {
        pair_halfedges(mesh, uses[0].corner, uses[1].corner);
        return;
    }
    for (uint32_t i = 0; i < edge->count; ++i)
        lock_edge(mesh, uses[i].corner);
}

/* Locks vertices with several fans: a loop around one of them misses some corners. `corners`:
 * the number of corners of each vertex. */
static void lock_multi_fan_vertices(halfedge_mesh *mesh, const uint32_t *corners)
{
    for (uint32_t v = 0; v < mesh->surface->vertex_count; ++v)
        if (!mesh->locked[v]) mesh->locked[v] = halfedge_valence(mesh, v) != corners[v];
}

static void start_at_last_corners(halfedge_mesh *mesh)
{
    for (uint32_t v = 0; v < mesh->surface->vertex_count; ++v)
        mesh->out[v] = SURFACE_NO_INDEX;
    for (uint32_t h = 0; h < 3 * mesh->surface->triangle_count; ++h)
        mesh->out[mesh->corner[h]] = h;
}

static void pair_all_edges(halfedge_mesh *mesh, const surface_edge_uses *uses, uint32_t *corners)
{
    const mesher_surface *surface = mesh->surface;
    start_at_last_corners(mesh);
    for (uint32_t h = 0; h < 3 * surface->triangle_count; ++h) {
        mesh->twin[h] = SURFACE_NO_INDEX;
        corners[mesh->corner[h]]++;
        if (surface_repeats_vertex(mesh->corner + h - h % 3)) mesh->locked[mesh->corner[h]] = true;
    }
    for (surface_edge edge = {0}; surface_next_edge(uses, &edge);)
        pair_edge(mesh, &edge);
    lock_multi_fan_vertices(mesh, corners);
}

weir_result halfedge_mesh_create(const weir_log *log, mesher_surface *surface, halfedge_mesh *mesh)
{
    const size_t vertices = surface->vertex_count;
    surface_edge_uses uses = {0};
    uint32_t *corners = NULL;
    *mesh = (halfedge_mesh){.surface = surface, .corner = surface->index};
    weir_result result = WEIR_OK;
    WEIR_GOTO_IF_ERROR(surface_edge_uses_create(log, surface, &uses));
    corners = base_alloc(vertices, sizeof *corners);
    mesh->twin = base_alloc(surface->triangle_count, 3 * sizeof *mesh->twin);
    mesh->out = base_alloc(vertices, sizeof *mesh->out);
    mesh->locked = base_alloc(vertices, sizeof *mesh->locked);
    mesh->stamp = base_alloc(vertices, sizeof *mesh->stamp);
    if (!corners || !mesh->twin || !mesh->out || !mesh->locked || !mesh->stamp)
        WEIR_GOTO_IF_ERROR(base_fail(log, WEIR_ERROR_MEMORY,
                                     "not enough memory to edit a mesh of %u triangles",
                                     surface->triangle_count));
    pair_all_edges(mesh, &uses, corners);
fail:
    base_free(corners);
    surface_edge_uses_free(&uses);
    if (result != WEIR_OK) halfedge_mesh_free(mesh);
    return result;
}

bool halfedge_mesh_is_closed(const halfedge_mesh *mesh)
{
    bool closed = true;
    for (uint32_t h = 0; closed && h < 3 * mesh->surface->triangle_count; ++h)
        closed = mesh->twin[h] != SURFACE_NO_INDEX;
    return closed;
}

void halfedge_mesh_free(halfedge_mesh *mesh)
{
    base_free(mesh->twin);
    base_free(mesh->out);
    base_free(mesh->locked);
    base_free(mesh->stamp);
    *mesh = (halfedge_mesh){0};
}

/* Renumbers the half-edges as surface_erase_removed renumbers the triangles. `number`: scratch
 * array of a word per triangle. */
static void renumber_twins(halfedge_mesh *mesh, uint32_t *number)
{
    const uint32_t count = mesh->surface->triangle_count;
    uint32_t kept = 0;
    for (uint32_t t = 0; t < count; ++t)
        number[t] = mesh->corner[3 * (size_t)t] == SURFACE_NO_INDEX ? SURFACE_NO_INDEX : kept++;
    for (uint32_t t = 0; t < count; ++t) {
        if (number[t] == SURFACE_NO_INDEX) continue;
        for (uint32_t k = 0; k < 3; ++k) {
            const uint32_t g = mesh->twin[3 * t + k];
            mesh->twin[3 * number[t] + k] =
                g == SURFACE_NO_INDEX ? SURFACE_NO_INDEX : 3 * number[g / 3] + g % 3;
        }
    }
}

/* Renumbers the vertices' data as surface_compact renumbers the vertices. */
static void renumber_vertices(halfedge_mesh *mesh)
{
    uint32_t kept = 0;
    start_at_last_corners(mesh);
    for (uint32_t v = 0; v < mesh->surface->vertex_count; ++v) {
        if (mesh->out[v] == SURFACE_NO_INDEX) continue;
        mesh->out[kept] = mesh->out[v];
        mesh->locked[kept++] = mesh->locked[v];
    }
}

weir_result halfedge_mesh_compact(const weir_log *log, halfedge_mesh *mesh)
{
    mesher_surface *surface = mesh->surface;
    uint32_t *number = base_alloc(surface->triangle_count, sizeof *number);
    if (!number)
        return base_fail(log, WEIR_ERROR_MEMORY,
                         "not enough memory to compact a mesh of %u triangles",
                         surface->triangle_count);
    renumber_twins(mesh, number);
    base_free(number);
    surface_erase_removed(surface);
    renumber_vertices(mesh);
    const weir_result result = surface_compact(log, surface, NULL);
    mesh->corner = surface->index;
    return result;
}

/* ---- edits ---------------------------------------------------------------------------------- */

uint32_t halfedge_valence(const halfedge_mesh *mesh, uint32_t vertex)
{
    uint32_t count = 0;
    for (uint32_t h = mesh->out[vertex]; h != SURFACE_NO_INDEX;
         h = halfedge_next_around(mesh, vertex, h))
        count++;
    return count;
}

static void mark_ring(halfedge_mesh *mesh, uint32_t vertex)
{
    mesh->visit++;
    for (uint32_t h = mesh->out[vertex]; h != SURFACE_NO_INDEX;
         h = halfedge_next_around(mesh, vertex, h))
        mesh->stamp[mesh->corner[surface_next_corner(h)]] = mesh->visit;
}

static uint32_t count_marked_neighbours(const halfedge_mesh *mesh, uint32_t vertex)
{
    uint32_t count = 0;
    for (uint32_t h = mesh->out[vertex]; h != SURFACE_NO_INDEX;
         h = halfedge_next_around(mesh, vertex, h))
        count += mesh->stamp[mesh->corner[surface_next_corner(h)]] == mesh->visit;
    return count;
}

/* Returns whether a vertex is locked or has a ring of three, which may not shrink. */
static bool has_valence_three(const halfedge_mesh *mesh, uint32_t vertex)
{
    return mesh->locked[vertex] || halfedge_valence(mesh, vertex) <= 3;
}

bool halfedge_can_collapse(halfedge_mesh *mesh, uint32_t h)
{
    const uint32_t g = mesh->twin[h];
    if (g == SURFACE_NO_INDEX) return false;
    const uint32_t a = mesh->corner[h], b = mesh->corner[g];
    const uint32_t c = mesh->corner[surface_prev_corner(h)],
                   d = mesh->corner[surface_prev_corner(g)];
    if (mesh->locked[a] || mesh->locked[b] || c == d || has_valence_three(mesh, c) ||
        has_valence_three(mesh, d))
        return false;
    mark_ring(mesh, a);
    return count_marked_neighbours(mesh, b) == 2;
}

static void remove_triangle(halfedge_mesh *mesh, uint32_t h)
{
    uint32_t *corner = mesh->corner + h - h % 3;
    corner[0] = corner[1] = corner[2] = SURFACE_NO_INDEX;
}

/* Collapses the edge: removes triangles (a, b, c) on h and (b, a, d) on its twin. */
void halfedge_collapse(halfedge_mesh *mesh, uint32_t h)
{
    const uint32_t g = mesh->twin[h], a = mesh->corner[h], b = mesh->corner[g];
    const uint32_t c = mesh->corner[surface_prev_corner(h)],
                   d = mesh->corner[surface_prev_corner(g)];
    const uint32_t c_to_b = mesh->twin[surface_next_corner(h)],
                   a_to_c = mesh->twin[surface_prev_corner(h)];
    const uint32_t d_to_a = mesh->twin[surface_next_corner(g)],
                   b_to_d = mesh->twin[surface_prev_corner(g)];
    for (uint32_t turn = mesh->out[a]; turn != SURFACE_NO_INDEX;
         turn = halfedge_next_around(mesh, a, turn))
        mesh->corner[turn] = b;
    pair_halfedges(mesh, c_to_b, a_to_c);
    pair_halfedges(mesh, d_to_a, b_to_d);
    remove_triangle(mesh, h);
    remove_triangle(mesh, g);
    mesh->out[a] = SURFACE_NO_INDEX;
    mesh->out[b] = b_to_d;
    mesh->out[c] = c_to_b;
    mesh->out[d] = d_to_a;
}

bool halfedge_can_flip(halfedge_mesh *mesh, uint32_t h)
{
    const uint32_t g = mesh->twin[h];
    if (g == SURFACE_NO_INDEX) return false;
    const uint32_t a = mesh->corner[h], b = mesh->corner[g];
    const uint32_t c = mesh->corner[surface_prev_corner(h)],
                   d = mesh->corner[surface_prev_corner(g)];
    if (c == d || mesh->locked[c] || mesh->locked[d] || has_valence_three(mesh, a) ||
        has_valence_three(mesh, b))
        return false;
    mark_ring(mesh, c);
    return mesh->stamp[d] != mesh->visit;
}

/* Flips the edge: (a, b, c) and (b, a, d) become (d, b, c) and (c, a, d). */
void halfedge_flip(halfedge_mesh *mesh, uint32_t h)
{
    const uint32_t g = mesh->twin[h], a = mesh->corner[h], b = mesh->corner[g];
    const uint32_t c = mesh->corner[surface_prev_corner(h)],
                   d = mesh->corner[surface_prev_corner(g)];
    const uint32_t a_to_c = mesh->twin[surface_prev_corner(h)],
                   b_to_d = mesh->twin[surface_prev_corner(g)];
    mesh->corner[h] = d;
    mesh->corner[g] = c;
    pair_halfedges(mesh, h, b_to_d);
    pair_halfedges(mesh, g, a_to_c);
    pair_halfedges(mesh, surface_prev_corner(h), surface_prev_corner(g));
    mesh->out[a] = surface_next_corner(g);
    mesh->out[b] = surface_next_corner(h);
    mesh->out[c] = surface_prev_corner(h);
    mesh->out[d] = surface_prev_corner(g);
}
