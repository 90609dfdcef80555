/* The marching-cubes table: on every face the triangles depend only on the face's corners, no
   triangle has an inner edge in a face, and the triangles of every cell bound its interior. */
#include "case_table.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static uint32_t table[CASE_TABLE_WORDS];

static int build(void **state)
{
    return case_table_build(table) <= CASE_TABLE_WORDS ? 0 : -1;
}

typedef struct entry {
    uint32_t inside, joined; /* corners; faces */
    uint32_t count;
    const uint32_t *triangles;
    bool centre;
} entry;

static entry entry_of(uint32_t inside, uint32_t joined)
{
    uint32_t number = table[inside] & 0xffffu, faces = table[inside] >> 16, place = 0;
    for (uint32_t face = 0; face < 6; face++)
        if (faces >> face & 1u) number += (joined >> face & 1u) << place++;
    uint32_t row = table[MESH_CASES + number];
    return (entry){inside, joined & faces, row >> MESH_TABLE_COUNT_SHIFT & 0xffu,
                   table + MESH_CASES + MESH_TABLE_ENTRIES + (row & 0xffffu),
                   (row >> MESH_TABLE_CENTRE_BIT & 1u) != 0};
}

static void for_each_entry(void (*check)(const entry *e))
{
    for (uint32_t inside = 0; inside < MESH_CASES; inside++) {
        uint32_t faces = table[inside] >> 16;
        for (uint32_t joined = 0; joined < 64; joined++) {
            if (joined & ~faces) continue;
            entry e = entry_of(inside, joined);
            check(&e);
        }
    }
}

/* ---- the cube ------------------------------------------------------------------------------- */

static uint32_t corner_of(uint32_t triangle, uint32_t k)
{
    return triangle >> (4 * k) & 15u;
}

/* Returns twice the midpoint of an edge: the coordinate that is 1 is the edge's axis. */
static void edge_middle(uint32_t edge, int at[3])
{
    uint32_t axis = edge >> 2, first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
    at[axis] = 1;
    at[first] = (int)(2 * (edge & 1u));
    at[second] = (int)(2 * (edge >> 1 & 1u));
}

/* Returns the faces, 2 axis + side, that contain the edge. */
static uint32_t faces_of(uint32_t edge)
{
    int at[3];
    uint32_t faces = 0;
    if (edge == MESH_CENTRE_VERTEX) return 0;
    edge_middle(edge, at);
    for (uint32_t axis = 0; axis < 3; axis++)
        if (at[axis] != 1) faces |= 1u << (2 * axis + (uint32_t)at[axis] / 2);
    return faces;
}

static uint32_t end_of(uint32_t edge, uint32_t end)
{
    int at[3];
    uint32_t corner = 0;
    edge_middle(edge, at);
    at[edge >> 2] = (int)(2 * end);
    for (uint32_t axis = 0; axis < 3; axis++)
        corner |= (uint32_t)at[axis] / 2 << axis;
    return corner;
}

static bool is_crossed(uint32_t inside, uint32_t edge)
{
    return (inside >> end_of(edge, 0) & 1u) != (inside >> end_of(edge, 1) & 1u);
}

/* Counts triangle sides: uses[a][b] is the number of sides from a to b. */
static void count_sides(const entry *e, uint32_t uses[13][13])
{
    memset(uses, 0, 13 * sizeof *uses);
    for (uint32_t t = 0; t < e->count; t++)
        for (uint32_t k = 0; k < 3; k++)
            uses[corner_of(e->triangles[t], k)][corner_of(e->triangles[t], (k + 1) % 3)]++;
}

/* ---- properties ----------------------------------------------------------------------------- */

static void check_corners(const entry *e)
{
    uint32_t used = 0;
    for (uint32_t t = 0; t < e->count; t++) {
        uint32_t a = corner_of(e->triangles[t], 0), b = corner_of(e->triangles[t], 1),
                 c = corner_of(e->triangles[t], 2);
        assert_true(a != b && b != c && c != a && a <= 12 && b <= 12 && c <= 12);
        used |= 1u << a | 1u << b | 1u << c;
    }
    assert_int_equal(used >> MESH_CENTRE_VERTEX & 1u, e->centre);
    for (uint32_t edge = 0; edge < 12; edge++)
        assert_int_equal(used >> edge & 1u, is_crossed(e->inside, edge));
}

/* A side without its opposite is on the cell's rim: it lies in exactly one face, where it
   matches the neighbour's rim. A side with its opposite lies in no face. */
static void check_sides(const entry *e)
{
    uint32_t uses[13][13];
    count_sides(e, uses);
    for (uint32_t a = 0; a < 13; a++)
        for (uint32_t b = 0; b < 13; b++) {
            uint32_t faces = faces_of(a) & faces_of(b);
            if (!uses[a][b]) continue;
            assert_int_equal(uses[a][b], 1);
            if (uses[b][a])
                assert_int_equal(faces, 0);
            else
                assert_true(faces != 0 && (faces & (faces - 1)) == 0);
        }
}

/* Returns the corners of a face as bits, the same for the cells on both sides. */
static uint32_t face_corners(uint32_t inside, uint32_t face)
{
    uint32_t axis = face >> 1, u = (axis + 1) % 3, v = (axis + 2) % 3, bits = 0;
    for (uint32_t k = 0; k < 4; k++) {
        uint32_t corner = (face & 1u) << axis | (k & 1u) << u | k >> 1 << v;
        bits |= (inside >> corner & 1u) << k;
    }
    return bits;
}

/* Returns the number of an edge within a face, the same for both cells: the corners k that it
   joins, as bits. */
static uint32_t edge_in_face(uint32_t edge, uint32_t face)
{
    uint32_t ends = 1u << end_of(edge, 0) | 1u << end_of(edge, 1);
    return face_corners(ends, face);
}

/* Returns the rim in a face as a set of directed pairs of face edges. */
static uint64_t rim_in_face(const entry *e, uint32_t face, bool reversed)
{
    static const uint8_t number[16] = {[3] = 0, [5] = 1, [10] = 2, [12] = 3};
    uint32_t uses[13][13];
    uint64_t rim = 0;
    count_sides(e, uses);
    for (uint32_t a = 0; a < 12; a++)
        for (uint32_t b = 0; b < 12; b++) {
            if (!uses[a][b] || uses[b][a] || !(faces_of(a) & faces_of(b) & 1u << face)) continue;
            uint32_t x = number[edge_in_face(a, face)], y = number[edge_in_face(b, face)];
            rim |= 1ull << (reversed ? 4 * y + x : 4 * x + y);
        }
    return rim;
}

/* A face's rim when its corners and its join first occurred; by axis. */
static uint64_t first_rim[3][16][2];
static bool was_met[3][16][2];

static void check_faces(const entry *e)
{
    for (uint32_t face = 0; face < 6; face++) {
        uint32_t axis = face >> 1, corners = face_corners(e->inside, face);
        uint32_t joined = e->joined >> face & 1u;
        uint64_t rim = rim_in_face(e, face, face & 1u);
        if (!was_met[axis][corners][joined]) first_rim[axis][corners][joined] = rim;
        was_met[axis][corners][joined] = true;
        if (rim != first_rim[axis][corners][joined])
            fail_msg("case %u, face %u: its rim is not that of other cells with the same face",
                     e->inside, face);
    }
}

static void every_crossed_edge_and_no_other_is_a_corner(void **state)
{
    for_each_entry(check_corners);
}

static void no_diagonal_lies_in_a_face(void **state)
{
    for_each_entry(check_sides);
}

static void cells_on_both_sides_of_a_face_agree_on_it(void **state)
{
    memset(was_met, 0, sizeof was_met);
    for_each_entry(check_faces);
}

/* With one corner inside, the triangle must face away from it. */
static void triangles_look_outwards(void **state)
{
    for (uint32_t corner = 0; corner < 8; corner++) {
        entry e = entry_of(1u << corner, 0);
        int p[3][3], c[3];
        assert_int_equal(e.count, 1);
        for (uint32_t k = 0; k < 3; k++)
            edge_middle(corner_of(e.triangles[0], k), p[k]);
        for (int k = 0; k < 3; k++)
            c[k] = 2 * (int)(corner >> k & 1u) - p[0][k];
        int u[3] = {p[1][0] - p[0][0], p[1][1] - p[0][1], p[1][2] - p[0][2]};
        int v[3] = {p[2][0] - p[0][0], p[2][1] - p[0][1], p[2][2] - p[0][2]};
        int towards = c[0] * (u[1] * v[2] - u[2] * v[1]) + c[1] * (u[2] * v[0] - u[0] * v[2]) +
                      c[2] * (u[0] * v[1] - u[1] * v[0]);
        assert_true(towards < 0);
    }
}

static void only_joined_faces_ever_need_a_vertex_inside(void **state)
{
    uint32_t centres = 0;
    for (uint32_t inside = 0; inside < MESH_CASES; inside++) {
        assert_false(entry_of(inside, 0).centre);
        assert_true(entry_of(inside, 0).count <= 5);
        for (uint32_t joined = 1; joined < 64; joined++)
            centres += !(joined & ~(table[inside] >> 16)) && entry_of(inside, joined).centre;
    }
    assert_true(centres > 0);
}

/* The checks above can fail: they report a reversed or missing triangle. */
static void a_turned_or_missing_triangle_is_noticed(void **state)
{
    for (uint32_t inside = 1; inside < 255; inside++) {
        entry e = entry_of(inside, 0);
        uint32_t words[12], uses[13][13], rims = 0, doubled = 0;
        memcpy(words, e.triangles, e.count * sizeof *words);
        words[0] =
            corner_of(words[0], 1) | corner_of(words[0], 0) << 4 | corner_of(words[0], 2) << 8;
        entry turned = e, missing = e;
        turned.triangles = words;
        missing.count--;
        for (uint32_t face = 0; face < 6; face++)
            rims += rim_in_face(&turned, face, false) != rim_in_face(&e, face, false);
        count_sides(&turned, uses);
        for (uint32_t k = 0; k < 13 * 13; k++)
            doubled += uses[k / 13][k % 13] > 1;
        assert_true(rims > 0 || doubled > 0);
        rims = 0;
        for (uint32_t face = 0; face < 6; face++)
            rims += rim_in_face(&missing, face, false) != rim_in_face(&e, face, false);
        count_sides(&missing, uses);
        for (uint32_t a = 0; a < 12; a++)
            for (uint32_t b = 0; b < 12; b++)
                rims += uses[a][b] && !uses[b][a] && !(faces_of(a) & faces_of(b));
        assert_true(rims > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_crossed_edge_and_no_other_is_a_corner),
        cmocka_unit_test(no_diagonal_lies_in_a_face),
        cmocka_unit_test(cells_on_both_sides_of_a_face_agree_on_it),
        cmocka_unit_test(triangles_look_outwards),
        cmocka_unit_test(only_joined_faces_ever_need_a_vertex_inside),
        cmocka_unit_test(a_turned_or_missing_triangle_is_noticed),
    };
    return cmocka_run_group_tests(tests, build, NULL);
}
