/* The numbering of a slab's bins in parts: prefixes are nested, messages have one order on both
 * sides, and neighbours are found in the order of the whole domain. */
#include "parts.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

#define SUPPORT 2u
#define RANKS 3u
#define COUNT 4000u

static const uint32_t bins[3] = {75, 41, 37};

typedef struct particle {
    uint32_t bin[3], id, key;
} particle;

static int by_key_and_id(const void *a, const void *b)
{
    const particle *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* What one rank holds, sorted by bin and id. */
typedef struct rank_bins {
    grid_parts parts;
    particle items[COUNT];
    uint32_t count;
} rank_bins;

static rank_bins whole, ranks[RANKS];

static void fill_whole(void)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        particle *p = &whole.items[i];
        p->id = (i * 7919u + 13u) % COUNT;
        for (uint32_t k = 0; k < 3; k++)
            p->bin[k] = (uint32_t)(base_hash_to_unit(8ull * i + k) * (float)bins[k]) % bins[k];
    }
    whole.count = COUNT;
}

static void sort_rank(rank_bins *r)
{
    for (uint32_t i = 0; i < r->count; i++)
        r->items[i].key = grid_parts_key(&r->parts, r->items[i].bin);
    qsort(r->items, r->count, sizeof *r->items, by_key_and_id);
}

/* Returns the planes where slab r begins; for RANKS its end. */
static uint32_t cut(uint32_t axis, uint32_t r)
{
    return r == 0 ? 0 : r == RANKS ? bins[axis] : r * bins[axis] / RANKS + r / 2;
}

static void cut_domain(uint32_t axis)
{
    grid_parts_def def = {
        .bins = {bins[0], bins[1], bins[2]}, .axis = axis, .end = bins[axis], .support = SUPPORT};
    fill_whole();
    assert_true(grid_parts_make(&def, &whole.parts));
    sort_rank(&whole);
    for (uint32_t r = 0; r < RANKS; r++) {
        def.first = cut(axis, r);
        def.end = cut(axis, r + 1);
        def.has_left = r > 0;
        def.has_right = r + 1 < RANKS;
        assert_true(grid_parts_make(&def, &ranks[r].parts));
        ranks[r].count = 0;
        for (uint32_t i = 0; i < COUNT; i++)
            if (grid_parts_find(&ranks[r].parts, whole.items[i].bin[axis]) != GRID_PART_NONE)
                ranks[r].items[ranks[r].count++] = whole.items[i];
        sort_rank(&ranks[r]);
    }
}

/* Returns the first particle of a rank whose key is at least `key`. */
static uint32_t first_from(const rank_bins *r, uint32_t key)
{
    uint32_t low = 0, high = r->count;
    while (low < high) {
        const uint32_t middle = (low + high) / 2;
        if (r->items[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void one_part_is_numbered_like_the_whole_domain(void **state)
{
    cut_domain(0);
    assert_true(whole.parts.own == 1 && whole.parts.held == 1);
    const uint32_t segments_x = (bins[0] + GRID_SEGMENT_BINS - 1) / GRID_SEGMENT_BINS;
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t *c = whole.items[i].bin;
        const uint32_t line =
            (c[1] / GRID_TILE_LINES * bins[2] + c[2]) * GRID_TILE_LINES + c[1] % GRID_TILE_LINES;
        const uint32_t segment = c[0] / GRID_SEGMENT_BINS + segments_x * line;
        assert_int_equal(whole.items[i].key,
                         segment * GRID_SEGMENT_BINS + c[0] % GRID_SEGMENT_BINS);
    }
}

static void own_particles_come_first_then_the_first_layer(void **state)
{
    for (uint32_t axis = 0; axis < 3; axis++) {
        cut_domain(axis);
        for (uint32_t r = 0; r < RANKS; r++) {
            uint32_t last = 0, seen[3] = {0};
            for (uint32_t i = 0; i < ranks[r].count; i++) {
                const uint32_t plane = ranks[r].items[i].bin[axis];
                const uint32_t lo = cut(axis, r), hi = cut(axis, r + 1);
                const uint32_t layer = plane >= lo && plane < hi                       ? 0
                                       : plane + SUPPORT >= lo && plane < hi + SUPPORT ? 1
                                                                                       : 2;
                assert_true(layer >= last);
                last = layer;
                seen[layer]++;
            }
            assert_true(seen[0] && seen[1] && seen[2]);
        }
    }
}

static void a_message_has_the_order_of_its_receiver(void **state)
{
    for (uint32_t axis = 0; axis < 3; axis++) {
        cut_domain(axis);
        for (uint32_t r = 0; r + 1 < RANKS; r++)
            for (uint32_t layer = 0; layer < 4; layer++) {
                const uint32_t plane = cut(axis, r + 1) + layer * SUPPORT - 2 * SUPPORT;
                const rank_bins *a = &ranks[r], *b = &ranks[r + 1];
                const grid_part *p = &a->parts.items[grid_parts_find(&a->parts, plane)];
                const grid_part *q = &b->parts.items[grid_parts_find(&b->parts, plane)];
                assert_true(p->first == plane && q->first == plane && p->end == q->end);
                uint32_t i = first_from(a, p->first_segment * GRID_SEGMENT_BINS);
                uint32_t k = first_from(b, q->first_segment * GRID_SEGMENT_BINS), seen = 0;
                for (; i < a->count && k < b->count; i++, k++, seen++) {
                    const uint32_t here = a->items[i].bin[axis];
                    if (here < p->first || here >= p->end) break;
                    assert_int_equal(a->items[i].id, b->items[k].id);
                }
                assert_true(seen > 20);
            }
    }
}

/* Appends the ids of the bins within the support of one, in the order in which lists are built. */
static uint32_t list_around(const rank_bins *r, const uint32_t c[3], uint32_t ids[COUNT])
{
    uint32_t count = 0, low[3], high[3];
    for (uint32_t k = 0; k < 3; k++) {
        low[k] = c[k] > SUPPORT ? c[k] - SUPPORT : 0;
        high[k] = c[k] + SUPPORT < bins[k] ? c[k] + SUPPORT : bins[k] - 1;
    }
    for (uint32_t z = low[2]; z <= high[2]; z++)
        for (uint32_t y = low[1]; y <= high[1]; y++)
            for (uint32_t x = low[0]; x <= high[0];) {
                uint32_t from, to;
                x = grid_parts_line(&r->parts, (const uint32_t[3]){x, y, z}, high[0], &from, &to);
                if (from > to) continue;
                for (uint32_t i = first_from(r, from); i < r->count && r->items[i].key <= to; i++)
                    ids[count++] = r->items[i].id;
            }
    return count;
}

static void neighbours_come_in_the_order_of_the_whole_domain(void **state)
{
    static uint32_t here[COUNT], there[COUNT];
    for (uint32_t axis = 0; axis < 3; axis++) {
        cut_domain(axis);
        for (uint32_t r = 0; r < RANKS; r++)
            for (uint32_t i = 0; i < ranks[r].count; i += 7) {
                const uint32_t *c = ranks[r].items[i].bin;
                if (grid_parts_find(&ranks[r].parts, c[axis]) >= ranks[r].parts.near) continue;
                const uint32_t count = list_around(&ranks[r], c, here);
                assert_int_equal(list_around(&whole, c, there), count);
                assert_memory_equal(here, there, count * sizeof *here);
            }
    }
}

static void a_slab_that_is_too_thin_is_refused(void **state)
{
    grid_parts parts;
    grid_parts_def def = {.bins = {60, 10, 10}, .support = 2, .has_left = true, .has_right = true};
    for (def.first = 8, def.end = 8; def.end < 20; def.end++)
        assert_int_equal(grid_parts_make(&def, &parts), def.end >= 16);
    def.has_right = false;
    def.end = 12;
    assert_true(grid_parts_make(&def, &parts));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_part_is_numbered_like_the_whole_domain),
        cmocka_unit_test(own_particles_come_first_then_the_first_layer),
        cmocka_unit_test(a_message_has_the_order_of_its_receiver),
        cmocka_unit_test(neighbours_come_in_the_order_of_the_whole_domain),
        cmocka_unit_test(a_slab_that_is_too_thin_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
