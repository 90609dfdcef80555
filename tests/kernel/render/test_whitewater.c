/* Tests the whitewater shaders against tests/ref in a splash: two blocks that collide, one of them
 * at the sides and the floor. */
#include "whitewater_support.h"

#define SPACING 0.06f
#define DT (1.0f / 60.0f)
#define FRAMES 5u

/* A low emission rate, for a reference that visits all pairs. */
static whitewater_def usual(void)
{
    whitewater_def def = box_def(SPACING);
    def.factors[WHITEWATER_TRAPPED_AIR] = 0.1f;
    return def;
}

/* Along the lower sides of the box, in the air, and in its far corner. */
static fluid splash(void)
{
    fluid f = make_fluid(4000);
    add_block(&f, (block){{0, 0, 0}, {0.7f, 0.5f, 0.6f}, {3, 0.5f, 0}, SPACING, 0.2f});
    add_block(&f, (block){{0.7f, 0, 0}, {1.2f, 0.3f, 0.6f}, {-2, 1, 0}, SPACING, 0.3f});
    add_block(&f, (block){{1.5f, 0.7f, 0.7f}, {1.56f, 0.76f, 0.76f}, {1, 2, 3}, SPACING, 0});
    add_block(&f, (block){{1.76f, 0.76f, 0.76f}, {2, 1, 1}, {2, 1, -1}, SPACING, 0.2f});
    upload_fluid(&f);
    return f;
}

/* The splash in the device's order. */
typedef struct sorted {
    vec4 *points, *velocities, *surfaces;
    uint32_t *ids, *emission_offsets; /* emission_offsets: particles emitted before each */
    ref_fluid fluid;
} sorted;

static void *fetch(gpu_buffer *buffer, size_t count, size_t size)
{
    void *bytes = base_alloc(count, size);
    assert_non_null(bytes);
    OK(gpu_buffer_download(device, buffer, 0, bytes, count * size));
    return bytes;
}

static sorted read_sorted(const whitewater *whitewater, uint32_t count)
{
    const whitewater_buffers *b = &whitewater->buffers;
    sorted s = {.points = fetch(b->sorted_points, count, sizeof(vec4)),
                .velocities = fetch(b->sorted_velocities, count, sizeof(vec4)),
                .surfaces = fetch(b->surfaces, count, sizeof(vec4)),
                .emission_offsets = fetch(b->emission_offsets, count + 1u, sizeof(uint32_t)),
                .ids = base_alloc(count, sizeof(uint32_t))};
    assert_non_null(s.ids);
    for (uint32_t i = 0; i < count; i++)
        memcpy(&s.ids[i], &s.points[i].w, sizeof s.ids[i]);
    s.fluid = (ref_fluid){&whitewater->params, s.points, s.velocities, s.ids, count};
    return s;
}

static void free_sorted(sorted *s)
{
    base_free(s->points);
    base_free(s->velocities);
    base_free(s->surfaces);
    base_free(s->emission_offsets);
    base_free(s->ids);
}

static void assert_near(vec4 a, vec4 b, float tolerance)
{
    const float differences[] = {a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w};
    for (size_t i = 0; i < BASE_COUNT(differences); i++)
        if (!(fabsf(differences[i]) <= tolerance))
            fail_msg("(%g %g %g %g), expected (%g %g %g %g)", (double)a.x, (double)a.y, (double)a.z,
                     (double)a.w, (double)b.x, (double)b.y, (double)b.z, (double)b.w);
}

/* ---- surfaces and emission ------------------------------------------------------------------ */

static void random_words_are_those_of_the_paper(void **state)
{
    uvec4 words = ref_random_words((uvec4){1, 2, 3, 4});
    assert_int_equal(words.x, 0x3622cd16);
    assert_int_equal(words.y, 0xf11471d8);
    assert_int_equal(words.z, 0xe1109b3f);
    assert_int_equal(words.w, 0x02b94c2f);
}

static void surfaces_are_the_references(void **state)
{
    const whitewater_def def = usual();
    fluid f = splash();
    whitewater *whitewater = make_whitewater(&def);
    step_whitewater(whitewater, &f, 10, DT);
    sorted s = read_sorted(whitewater, f.count);
    vec4 *expected = base_alloc(f.count, sizeof *expected);
    assert_non_null(expected);
    ref_whitewater_surfaces(&s.fluid, expected);
    uint32_t at_surface = 0;
    for (uint32_t i = 0; i < f.count; i++) {
        assert_near(s.surfaces[i], expected[i], 2e-5f);
        at_surface += s.surfaces[i].x != 0.0f || s.surfaces[i].y != 0.0f;
    }
    assert_true(at_surface > f.count / 20 && at_surface < f.count);
    base_free(expected);
    free_sorted(&s);
    whitewater_destroy(&whitewater);
    free_fluid(&f);
}

/* Exact, except for particles whose rate plus random number is within rounding of an integer. */
static void births_are_the_references(void **state)
{
    const whitewater_def def = usual();
    fluid f = splash();
    whitewater *whitewater = make_whitewater(&def);
    step_whitewater(whitewater, &f, 10, DT);
    sorted s = read_sorted(whitewater, f.count);
    uint32_t expected[WHITEWATER_CAUSES] = {0}, close = 0;
    for (uint32_t i = 0; i < f.count; i++) {
        ref_emission emission_offsets = ref_whitewater_count_emitted(&s.fluid, s.surfaces, i);
        uint32_t sum = 0;
        for (uint32_t cause = 0; cause < WHITEWATER_CAUSES; cause++) {
            sum += emission_offsets.count[cause];
            expected[cause] += emission_offsets.count[cause];
        }
        close += emission_offsets.close;
        if (!emission_offsets.close)
            assert_int_equal(s.emission_offsets[i + 1] - s.emission_offsets[i], sum);
    }
    const whitewater_counts counts = whitewater_get_counts(whitewater);
    for (uint32_t cause = 0; cause < WHITEWATER_CAUSES; cause++) {
        print_message("  cause %u: %u births, expected %u\n", cause, counts.emitted[cause],
                      expected[cause]);
        assert_true(expected[cause] > 0);
        assert_in_range(counts.emitted[cause] + close, expected[cause],
                        expected[cause] + 2 * close);
    }
    assert_true(close <= f.count / 100);
    assert_int_equal(whitewater_count(whitewater), s.emission_offsets[f.count]);
    free_sorted(&s);
    whitewater_destroy(&whitewater);
    free_fluid(&f);
}

static uint32_t index_of(const sorted *s, uint32_t id)
{
    for (uint32_t i = 0; i < s->fluid.count; i++)
        if (s->ids[i] == id) return i;
    fail_msg("no fluid particle has the id %u", id);
    return 0;
}

static void assert_same(const struct whitewater_particle *p,
                        const struct whitewater_particle *expected, float tolerance_m)
{
    assert_int_equal(p->kind, expected->kind);
    assert_near(p->position, expected->position, tolerance_m);
    assert_near(p->velocity, expected->velocity,
                2e-4f); /* they are tiny near the rim of all weights */
    assert_true(fabsf(p->lifetime - expected->lifetime) < 1e-5f);
    assert_int_equal(p->parent, expected->parent);
}

/* Emitted particles follow the survivors, by parent, with consecutive ids. A device's sine may be
 * off by 5e-4. */
static void assert_births(const sorted *s, const struct whitewater_particle *born, uint32_t count,
                          uint32_t first_id)
{
    uint32_t k = 0;
    for (uint32_t b = 0; b < count; b++) {
        k = b > 0 && born[b - 1].parent == born[b].parent ? k + 1 : 0;
        struct whitewater_particle expected =
            ref_whitewater_emit(&s->fluid, s->surfaces, index_of(s, born[b].parent), k);
        assert_same(&born[b], &expected, 5e-4f * SPACING);
        assert_int_equal(born[b].id, first_id + b);
    }
}

static void newborn_are_the_references(void **state)
{
    const whitewater_def def = usual();
    fluid f = splash();
    whitewater *whitewater = make_whitewater(&def);
    step_whitewater(whitewater, &f, 10, DT);
    sorted s = read_sorted(whitewater, f.count);
    struct whitewater_particle *born = read_whitewater(whitewater);
    assert_births(&s, born, whitewater_count(whitewater), 0);
    base_free(born);
    free_sorted(&s);
    whitewater_destroy(&whitewater);
    free_fluid(&f);
}

/* ---- surface -------------------------------------------------------------------------------- */

/* Random positions, as in FLIP, do not create a surface inside the fluid. */
static void clumps_inside_are_no_surface(void **state)
{
    const whitewater_def def = usual();
    fluid f = make_fluid(4000);
    add_block(&f, (block){{0.3f, 0.1f, 0.1f}, {1.1f, 0.9f, 0.9f}, {1, 0, 0}, SPACING, 0.9f});
    upload_fluid(&f);
    whitewater *whitewater = make_whitewater(&def);
    step_whitewater(whitewater, &f, 10, DT);
    sorted s = read_sorted(whitewater, f.count);
    uint32_t inside = 0, wrong = 0;
    for (uint32_t i = 0; i < f.count; i++) {
        const vec4 *p = &s.points[i], *n = &s.surfaces[i];
        bool deep =
            fabsf(p->x - 0.7f) < 0.2f && fabsf(p->y - 0.5f) < 0.2f && fabsf(p->z - 0.5f) < 0.2f;
        inside += deep;
        wrong += deep && (n->x != 0 || n->y != 0 || n->z != 0);
    }
    print_message("  %u of %u particles inside count as surface\n", wrong, inside);
    assert_true(inside > 200);
    assert_in_range(wrong, 0, inside / 50);
    free_sorted(&s);
    whitewater_destroy(&whitewater);
    free_fluid(&f);
}

/* ---- potentials ----------------------------------------------------------------------------- */

/* A lattice that rotates at 3 rad/s and one that is compressed at 2/s: in the middle the curl is
 * half the vorticity, and trapped air has the value of the formula for this lattice. */
static void potentials_are_those_of_simple_flows(void **state)
{
    static const struct {
        float turn, closing, air, curl;
    } flows[] = {{3, 0, -1, 3}, {0, 2, 19.65f, 0}, {0, -2, 0, 0}};
    const float d = 0.05f, g = 9.81f, length = 0.5f, h = 2 * d;
    float speed = sqrtf(g * length), growth = cbrtf(h / (0.1f * length));
    for (size_t k = 0; k < BASE_COUNT(flows); k++) {
        whitewater_def def = box_def(d);
        fluid f = make_fluid(3000);
        vec4 found[3000];
        uint32_t count, seen = 0;
        add_block(&f, (block){{0.4f, 0.2f, 0.2f}, {0.95f, 0.75f, 0.75f}, {0, 0, 0}, d, 0});
        const vec3 middle = {0.675f, 0.475f, 0.475f};
        for (uint32_t i = 0; i < f.count; i++) {
            vec4 *p = &f.points[i], *v = &f.velocities[i];
            vec3 off = {p->x - middle.x, p->y - middle.y, p->z - middle.z};
            float c = -flows[k].closing;
            *v = (vec4){c * off.x - flows[k].turn * off.y, c * off.y + flows[k].turn * off.x,
                        c * off.z, 0};
        }
        upload_fluid(&f);
        whitewater *whitewater = make_whitewater(&def);
        const whitewater_frame frame = {
            .points = &f.data, .gravity = {0, -g, 0}, .time_s = (double)DT};
        OK(whitewater_read_potentials(whitewater, &frame, found, &count));
        assert_int_equal(count, f.count);
        vec4 *places = fetch(whitewater->buffers.sorted_points, count, sizeof *places);
        for (uint32_t i = 0; i < count; i++) {
            vec3 off = {places[i].x - middle.x, places[i].y - middle.y, places[i].z - middle.z};
            if (vec3_length(off) > 0.5f * d) continue;
            float air = found[i].y * speed * growth / h,
                  curl = found[i].w * speed / length / growth;
            print_message("  trapped air %g h, curl %g\n", (double)air, (double)curl);
            if (flows[k].air >= 0) assert_true(fabsf(air - flows[k].air) < 0.01f);
            assert_true(fabsf(curl - flows[k].curl) < 1e-3f);
            seen++;
        }
        assert_int_equal(seen, 1);
        base_free(places);
        whitewater_destroy(&whitewater);
        free_fluid(&f);
    }
}

/* ---- motion --------------------------------------------------------------------------------- */

/* Survivors keep their order, so a single pass over them finds each. Returns the number
 * compared. */
static uint32_t compare_moved(const sorted *s, const struct whitewater_particle *before,
                              uint32_t count, const struct whitewater_particle *after,
                              uint32_t survivors)
{
    uint32_t at = 0, compared = 0;
    for (uint32_t i = 0; i < count; i++) {
        ref_advected moved = ref_whitewater_advect(&s->fluid, &before[i]);
        bool lives = at < survivors && after[at].id == before[i].id;
        if (!moved.close) {
            assert_int_equal(lives, moved.lives);
            if (lives) assert_same(&after[at], &moved.particle, 4e-6f);
            compared++;
        }
        at += lives;
    }
    assert_int_equal(at, survivors);
    return compared;
}

static void motion_is_the_references(void **state)
{
    const whitewater_def def = usual();
    fluid f = splash();
    whitewater *whitewater = make_whitewater(&def);
    uint32_t kinds[WHITEWATER_KINDS] = {0}, moved = 0, compared = 0, ids = 0;
    for (uint32_t frame = 10; frame < 10 + FRAMES; frame++) {
        uint32_t count = whitewater_count(whitewater);
        struct whitewater_particle *before = read_whitewater(whitewater);
        step_whitewater(whitewater, &f, frame, DT);
        struct whitewater_particle *after = read_whitewater(whitewater);
        sorted s = read_sorted(whitewater, f.count);
        uint32_t survivors = whitewater_count(whitewater) - s.emission_offsets[f.count];
        compared += compare_moved(&s, before, count, after, survivors);
        assert_births(&s, after + survivors, s.emission_offsets[f.count], ids);
        ids += s.emission_offsets[f.count];
        moved += count;
        for (uint32_t i = 0; i < survivors; i++)
            kinds[after[i].kind]++;
        free_sorted(&s);
        base_free(before);
        base_free(after);
    }
    print_message("  %u of %u moves compared: spray %u, foam %u, bubbles %u\n", compared, moved,
                  kinds[0], kinds[1], kinds[2]);
    assert_true(compared > moved * 98 / 100);
    for (uint32_t kind = 0; kind < WHITEWATER_TRACER; kind++)
        assert_true(kinds[kind] > 20);
    whitewater_destroy(&whitewater);
    free_fluid(&f);
}

/* Periodic along x and z: particles that leave on one side enter on the other. */
static void motion_through_periodic_sides_is_the_references(void **state)
{
    whitewater_def def = usual();
    def.max = vec3_make(1.2f, 1, 0.6f);
    def.periodic[0] = def.periodic[2] = true;
    for (int side = 0; side < 6; side++)
        def.closed_sides[side] = side == 2 || side == 3;
    fluid f = splash();
    f.count -= 1; /* the single drop is outside */
    upload_fluid(&f);
    whitewater *whitewater = make_whitewater(&def);
    step_whitewater(whitewater, &f, 10, DT);
    uint32_t count = whitewater_count(whitewater);
    struct whitewater_particle *before = read_whitewater(whitewater);
    step_whitewater(whitewater, &f, 11, DT);
    struct whitewater_particle *after = read_whitewater(whitewater);
    sorted s = read_sorted(whitewater, f.count);
    uint32_t survivors = whitewater_count(whitewater) - s.emission_offsets[f.count], wrapped = 0;
    for (uint32_t i = 0; i < count; i++) {
        ref_advected moved = ref_whitewater_advect(&s.fluid, &before[i]);
        for (uint32_t k = 0; k < survivors; k++) {
            if (after[k].id != before[i].id || moved.close) continue;
            float off = moved.particle.position.x - after[k].position.x;
            float off_z = moved.particle.position.z - after[k].position.z;
            wrapped += fabsf(off) > 0.6f || fabsf(off_z) > 0.3f;
            assert_true(fabsf(off - 1.2f * roundf(off / 1.2f)) < 4e-6f);
            assert_true(fabsf(off_z - 0.6f * roundf(off_z / 0.6f)) < 4e-6f);
            assert_true(after[k].position.x >= 0 && after[k].position.x <= 1.2f);
        }
    }
    assert_true(count > 100 && wrapped > 0);
    assert_births(&s, after + survivors, s.emission_offsets[f.count], count);
    base_free(before);
    base_free(after);
    free_sorted(&s);
    whitewater_destroy(&whitewater);
    free_fluid(&f);
}

static void saved_attributes_are_numbers(void **state)
{
    whitewater_def def = usual();
    base_attributes_add(&def.attributes, "ink", 1);
    whitewater *whitewater = make_whitewater(&def);
    struct whitewater_particle drop =
        whitewater_at(WHITEWATER_SPRAY, vec3_make(1, 0.5f, 0.5f), vec3_make(0, 0, 0));
    const whitewater_saved saved = {.next_id = 1, .count = 1};
    vec4 ink = {2, 0, 0, 0}, read;
    OK(whitewater_restore(whitewater, &saved, &drop, &ink));
    OK(whitewater_read_attributes(whitewater, &read));
    assert_true(read.x == 2);
    assert_int_equal(whitewater_get_counts(whitewater).alive[WHITEWATER_SPRAY], 1);
    ink.x = NAN;
    assert_int_equal(whitewater_restore(whitewater, &saved, &drop, &ink), WEIR_ERROR_ARGUMENT);
    whitewater_destroy(&whitewater);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_words_are_those_of_the_paper),
        cmocka_unit_test(surfaces_are_the_references),
        cmocka_unit_test(births_are_the_references),
        cmocka_unit_test(clumps_inside_are_no_surface),
        cmocka_unit_test(potentials_are_those_of_simple_flows),
        cmocka_unit_test(newborn_are_the_references),
        cmocka_unit_test(motion_is_the_references),
        cmocka_unit_test(motion_through_periodic_sides_is_the_references),
        cmocka_unit_test(saved_attributes_are_numbers),
    };
    return cmocka_run_group_tests(tests, open_validated_device, close_device);
}
