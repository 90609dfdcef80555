/* Derives the table of marching cubes (Lorensen and Cline 1987). On every face of a cell the
 * signs at the four corners alone decide which crossed edges are joined, so two cells always
 * agree on their common face. The joins chain into loops. A loop is cut into triangles by
 * diagonals that lie in no face: an edge in a face would coincide with the neighbour's there and
 * be used four times. A loop without such a cut, which only the asymptotic decider produces,
 * gets a vertex inside the cell. */
#include "case_table.h"

#define EDGES 12u
#define FACES 6u
#define NO_EDGE 0xffu

typedef struct cube {
    uint8_t corner[FACES][4]; /* counter-clockwise from outside */
    uint8_t edge[FACES][4];   /* edge[f][i] joins corner i and i + 1 */
    uint8_t edge_faces[EDGES];
} cube;

/* Returns the edge between two corners: 4 axis + first + 2 second, the edge's position on the
 * two other axes. */
static uint8_t edge_between(uint32_t a, uint32_t b)
{
    uint32_t low = a & b, axis = (a ^ b) == 1u ? 0u : (a ^ b) == 2u ? 1u : 2u;
    uint32_t first = axis == 0u ? low >> 1 & 1u : low & 1u;
    uint32_t second = axis == 2u ? low >> 1 & 1u : low >> 2 & 1u;
    return (uint8_t)(4u * axis + first + 2u * second);
}

static cube make_cube(void)
{
    static const uint8_t around[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    cube c = {0};
    for (uint32_t face = 0; face < FACES; face++) {
        uint32_t axis = face >> 1, u = (axis + 1) % 3, v = (axis + 2) % 3;
        for (uint32_t i = 0; i < 4; i++) {
            const uint8_t *at = around[face & 1u ? i : 3u - i];
            c.corner[face][i] =
                (uint8_t)((face & 1u) << axis | (uint32_t)at[0] << u | (uint32_t)at[1] << v);
        }
        for (uint32_t i = 0; i < 4; i++) {
            c.edge[face][i] = edge_between(c.corner[face][i], c.corner[face][(i + 1) % 4]);
            c.edge_faces[c.edge[face][i]] |= (uint8_t)(1u << face);
        }
    }
    return c;
}

/* Returns the bits of a face's corners that are inside, in the face's order. */
static uint32_t face_signs(const cube *c, uint32_t face, uint32_t inside)
{
    uint32_t signs = 0;
    for (uint32_t i = 0; i < 4; i++)
        signs |= (inside >> c->corner[face][i] & 1u) << i;
    return signs;
}

static bool is_ambiguous(uint32_t signs)
{
    return signs == 5u || signs == 10u;
}

/* Joins the crossed edges of one face; as seen from outside the cell, the inside lies to the
 * right. `connected`: the inside corners of an ambiguous face are connected. */
static void connect_face_edges(const cube *c, uint32_t face, uint32_t inside, bool connected,
                               uint8_t *next)
{
    uint32_t signs = face_signs(c, face, inside);
    const uint8_t *edge = c->edge[face];
    for (uint32_t i = 0; i < 4; i++) {
        bool here = (signs >> i & 1u) != 0, ahead = (signs >> ((i + 1) % 4) & 1u) != 0;
        if (!here || ahead) continue; /* edge i leaves the inside */
        uint32_t k = (i + 3) % 4;
        if (is_ambiguous(signs))
            k = connected ? (i + 1) % 4 : (i + 3) % 4;
        else
            while ((signs >> k & 1u) != 0)
                k = (k + 3) % 4;
        next[edge[k]] = edge[i];
    }
}

typedef struct loop {
    uint8_t edge[EDGES];
    uint32_t count;
} loop;

/* Returns whether a straight line between vertices i and j of the loop may be an edge of a
 * triangle. */
static bool is_interior_diagonal(const cube *c, const loop *l, uint32_t i, uint32_t j)
{
    if (j - i == 1 || j - i == l->count - 1) return true;
    return (c->edge_faces[l->edge[i]] & c->edge_faces[l->edge[j]]) == 0;
}

typedef struct triangles {
    uint32_t word[EDGES];
    uint32_t count;
} triangles;

static uint32_t pack_triangle(uint32_t a, uint32_t b, uint32_t c)
{
    return a | b << 4 | c << 8;
}

/* Triangulates the part of the loop from i to j, where a triangle is adjacent to the side i-j.
 * Returns false if that is impossible. */
static bool triangulate_range(const cube *c, const loop *l, uint32_t i, uint32_t j, triangles *out)
{
    if (j - i < 2) return true;
    uint32_t before = out->count;
    /* Starts in the middle, so that the cuts stay short. */
    for (uint32_t n = 0; n < j - i - 1; n++) {
        uint32_t middle = (i + j) / 2, step = (n + 1) / 2;
        uint32_t k = n & 1u ? middle + step : middle - step;
        if (k <= i || k >= j || !is_interior_diagonal(c, l, i, k) ||
            !is_interior_diagonal(c, l, k, j))
            continue;
        if (triangulate_range(c, l, i, k, out) && triangulate_range(c, l, k, j, out)) {
            out->word[out->count++] = pack_triangle(l->edge[i], l->edge[k], l->edge[j]);
            return true;
        }
        out->count = before;
    }
    return false;
}

/* Triangulates a loop. Returns true if it needed the vertex inside the cell. */
static bool triangulate_loop(const cube *c, const loop *l, triangles *out)
{
    if (triangulate_range(c, l, 0, l->count - 1, out)) return false;
    for (uint32_t i = 0; i < l->count; i++)
        out->word[out->count++] =
            pack_triangle(l->edge[i], l->edge[(i + 1) % l->count], MESH_CENTRE_VERTEX);
    return true;
}

/* Builds the triangles of one case. `connected`: bits of the ambiguous faces whose inside
 * corners are connected. */
static bool build_entry(const cube *c, uint32_t inside, uint32_t connected, triangles *out)
{
    uint8_t next[EDGES];
    bool centre = false;
    memset(next, NO_EDGE, sizeof next);
    for (uint32_t face = 0; face < FACES; face++)
        connect_face_edges(c, face, inside, (connected >> face & 1u) != 0, next);
    for (uint32_t first = 0; first < EDGES; first++) {
        loop l = {.count = 0};
        for (uint32_t edge = first; next[edge] != NO_EDGE;) {
            uint32_t following = next[edge];
            next[edge] = NO_EDGE;
            l.edge[l.count++] = (uint8_t)edge;
            edge = following;
        }
        if (l.count) centre |= triangulate_loop(c, &l, out);
    }
    return centre;
}

static uint32_t ambiguous_faces(const cube *c, uint32_t inside)
{
    uint32_t faces = 0;
    for (uint32_t face = 0; face < FACES; face++)
        faces |= (uint32_t)is_ambiguous(face_signs(c, face, inside)) << face;
    return faces;
}

/* Returns the next subset of `mask` after `set`; 0 after the last. */
static uint32_t next_subset(uint32_t set, uint32_t mask)
{
    return (set - mask) & mask;
}

uint32_t case_table_build(uint32_t table[CASE_TABLE_WORDS])
{
    cube c = make_cube();
    uint32_t entry = 0, count = 0;
    uint32_t *entries = table + MESH_CASES, *words = entries + MESH_TABLE_ENTRIES;
    for (uint32_t inside = 0; inside < MESH_CASES; inside++) {
        uint32_t faces = ambiguous_faces(&c, inside), connected = 0;
        table[inside] = entry | faces << 16;
        do {
            triangles list = {.count = 0};
            uint32_t centre = build_entry(&c, inside, connected, &list);
            WEIR_ASSERT(entry < MESH_TABLE_ENTRIES && list.count <= EDGES);
            entries[entry++] =
                count | list.count << MESH_TABLE_COUNT_SHIFT | centre << MESH_TABLE_CENTRE_BIT;
            memcpy(words + count, list.word, list.count * sizeof *words);
            count += list.count;
            connected = next_subset(connected, faces);
        } while (connected != 0);
    }
    WEIR_ASSERT(entry == MESH_TABLE_ENTRIES);
    return MESH_CASES + MESH_TABLE_ENTRIES + count;
}
