/* Particles as other programs write them: encodings, decimal commas, columns, and arrays of any
 * shape. */
#include "io_support.h"

static io_particles read_particles(scratch *s, const char *name, const void *bytes, size_t size)
{
    io_particles particles;
    scratch_write(s, name, bytes, size);
    if (io_particles_read(&s->log, s->path, &particles) != WEIR_OK)
        fail_msg("%s: %s", name, s->message);
    return particles;
}

static io_particles read_text(scratch *s, const char *name, const char *text)
{
    return read_particles(s, name, text, strlen(text));
}

/* Checks that a file has two particles, at (0.5, 1, 1.5) and (2, 2.5, 3). */
static void check_two(scratch *s, const char *name, const char *text)
{
    io_particles p = read_text(s, name, text);
    if (p.count != 2) fail_msg("%s: %u particles of \"%s\"", name, p.count, text);
    assert_true(p.position[0].x == 0.5f && p.position[0].y == 1.0f && p.position[0].z == 1.5f);
    assert_true(p.position[1].x == 2.0f && p.position[1].y == 2.5f && p.position[1].z == 3.0f);
    io_particles_free(&p);
}

static void lines_may_end_in_any_way_and_begin_with_a_mark(void **state)
{
    static const char *const ends[] = {"\n", "\r\n", "\r"};
    static const char *const marks[] = {"", "\xef\xbb\xbf"};
    char text[256];
    for (size_t e = 0; e < BASE_COUNT(ends); e++)
        for (size_t m = 0; m < BASE_COUNT(marks); m++)
            for (int last = 0; last < 2; last++) {
                const char *end = ends[e], *tail = last ? end : "";
                snprintf(text, sizeof text, "%s0.5 1\t1.5%s2 2.5 3%s", marks[m], end, tail);
                check_two(*state, "a.xyz", text);
                snprintf(text, sizeof text, "%sx,y,z%s0.5,1,1.5%s2,2.5,3%s", marks[m], end, end,
                         tail);
                check_two(*state, "a.csv", text);
                snprintf(text, sizeof text,
                         "%sply%sformat ascii 1.0%selement vertex 2%sproperty float x%sproperty "
                         "float y%s"
                         "property float z%send_header%s0.5 1 1.5%s2 2.5 3%s",
                         marks[m], end, end, end, end, end, end, end, end, tail);
                check_two(*state, "a.ply", text);
            }
}

static void commas_separate_or_are_decimal(void **state)
{
    check_two(*state, "a.xyz", "0.5,1,1.5\n2,2.5,3\n");
    check_two(*state, "a.xyz", "0.5, 1, 1.5\n2, 2.5, 3\n");
    check_two(*state, "a.xyz", "0,5;1;1,5\n2;2,5;3\n");
    check_two(*state, "a.xyz", "0,5\t1\t1,5\n2\t2,5\t3\n");
    check_two(*state, "a.csv", "x;y;z\n0,5;1;1,5\n2;2,5;3\n");
    check_two(*state, "a.csv", "x\ty\tz\n0,5\t1\t1,5\n2\t2,5\t3\n");
    check_two(*state, "a.csv", "x,y,z\n\"0,5\",1,\"1,5\"\n2,\"2,5\",3\n");
}

/* A column "Type" means DualSPHysics only next to its other columns. */
static void the_kinds_of_other_programs_are_kept(void **state)
{
    check_two(*state, "a.csv", "id,type,x,y,z\n1,1,0.5,1,1.5\n2,2,2,2.5,3\n");
    check_two(*state, "a.csv",
              "Pos.x [m];Pos.y [m];Pos.z [m];Idp;Type\n9;9;9;0;0\n0.5;1;1.5;1;3\n2;2.5;3;2;3\n");
}

/* ---- NPY ------------------------------------------------------------------------------------ */

/* Writes an array with 16 particles whose coordinates are k + 16 axis; `order`: 0 rows, 1 the
 * transpose, 2 Fortran order. */
static void check_array(scratch *s, const char *type, size_t bytes, int order)
{
    uint8_t file[128 + 16 * 3 * 8] = "\x93NUMPY\x01\x00\x76\x00";
    int used =
        snprintf((char *)file + 10, 119, "{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }",
                 type, order == 2 ? "True" : "False", order == 1 ? "3, 16" : "16, 3");
    memset(file + 10 + used, ' ', (size_t)(118 - used));
    file[127] = '\n';
    for (uint32_t k = 0; k < 16; k++)
        for (uint32_t axis = 0; axis < 3; axis++) {
            uint8_t *at = file + 128 + bytes * (order ? 16 * axis + k : 3 * k + axis);
            double d = k + 16.0 * axis;
            float f = (float)d;
            int64_t i = (int64_t)d;
            int exponent = 0;
            frexp(d, &exponent);
            uint16_t half =
                d > 0.0 ? (uint16_t)((exponent + 14) << 10 | ((int)ldexp(d, 11 - exponent) & 1023))
                        : 0;
            const void *from = type[1] != 'f' ? (const void *)&i
                               : bytes == 8   ? (const void *)&d
                               : bytes == 4   ? (const void *)&f
                                              : (const void *)&half;
            for (size_t b = 0; b < bytes; b++)
                at[b] = ((const uint8_t *)from)[type[0] == '>' ? bytes - 1 - b : b];
        }
    io_particles p = read_particles(s, "a.npy", file, 128 + 48 * bytes);
    assert_int_equal(p.count, 16);
    assert_null(p.velocity);
    for (uint32_t k = 0; k < 16; k++) {
        const vec3 x = p.position[k];
        if (x.x != (float)k || x.y != (float)k + 16.0f || x.z != (float)k + 32.0f)
            fail_msg("%s, order %d: particle %u at %g %g %g", type, order, k, (double)x.x,
                     (double)x.y, (double)x.z);
    }
    io_particles_free(&p);
}

static void arrays_of_any_type_and_order_are_read(void **state)
{
    static const struct {
        const char *name;
        size_t bytes;
    } types[] = {{"<f4", 4}, {">f4", 4}, {"<f8", 8}, {">f8", 8}, {"<f2", 2},
                 {">f2", 2}, {"|u1", 1}, {"|i1", 1}, {"<i2", 2}, {">i2", 2},
                 {"<i4", 4}, {"<u4", 4}, {"<i8", 8}, {">u8", 8}};
    for (size_t i = 0; i < BASE_COUNT(types); i++)
        for (int order = 0; order < 3; order++)
            check_array(*state, types[i].name, types[i].bytes, order);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_may_end_in_any_way_and_begin_with_a_mark),
        cmocka_unit_test(commas_separate_or_are_decimal),
        cmocka_unit_test(the_kinds_of_other_programs_are_kept),
        cmocka_unit_test(arrays_of_any_type_and_order_are_read),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
