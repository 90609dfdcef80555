/* Vectors on a grid, from NPY: both orders of elements, the plane, and files that are refused. */
#include "io_support.h"

#include <stdio.h>
#include <string.h>

/* Writes an array of floats with this header, whose numbers are 0, 1, 2, ... */
static const char *write_array(scratch *s, const char *header, size_t count)
{
    uint8_t bytes[1024] = "\x93NUMPY\x01";
    const size_t size = strlen(header);
    bytes[8] = (uint8_t)size;
    memcpy(bytes + 10, header, size);
    for (size_t i = 0; i < count; i++) {
        const float number = (float)i;
        memcpy(bytes + 10 + size + sizeof number * i, &number, sizeof number);
    }
    return scratch_write(s, "field.npy", bytes, 10 + size + count * sizeof(float));
}

static io_vector_grid read_grid(scratch *s, const char *header, size_t count, uint32_t dimensions)
{
    io_vector_grid grid;
    const io_vector_grid_def def = {write_array(s, header, count), dimensions, 1000};
    if (io_vector_grid_read(&s->log, &def, &grid) != WEIR_OK) fail_msg("%s", s->message);
    return grid;
}

/* Asserts the vector at node (i, j, k) of a grid of 2 x 3 x 4 nodes. */
static void assert_node(const io_vector_grid *grid, size_t node, float x, float y, float z)
{
    const vec3 v = grid->vectors[node];
    assert_true(v.x == x && v.y == y && v.z == z);
}

static void both_orders_of_elements_are_read(void **state)
{
    scratch *s = *state;
    const size_t node = (2 * 3 + 1) * 2 + 1; /* i = 1, j = 1, k = 2 */
    io_vector_grid grid =
        read_grid(s, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3, 4, 3), }", 72, 3);
    assert_true(grid.nodes[0] == 2 && grid.nodes[1] == 3 && grid.nodes[2] == 4);
    assert_node(&grid, node, 54, 55, 56); /* ((1 * 3 + 1) * 4 + 2) * 3 */
    base_free(grid.vectors);
    grid = read_grid(s, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3, 4, 3), }", 72, 3);
    assert_node(&grid, node, 15, 39, 63); /* 1 + 2 (1 + 3 * 2), and 24 more for each component */
    base_free(grid.vectors);
}

static void a_grid_in_the_plane_has_two_components(void **state)
{
    scratch *s = *state;
    io_vector_grid grid =
        read_grid(s, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3, 2), }", 12, 2);
    assert_true(grid.nodes[0] == 2 && grid.nodes[1] == 3 && grid.nodes[2] == 1);
    assert_node(&grid, 3, 8, 9, 0); /* i = 1, j = 1 */
    base_free(grid.vectors);
}

static void faults_are_named(void **state)
{
    scratch *s = *state;
    static const struct {
        const char *header, *message;
        size_t count;
    } faults[] = {
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3, 4), }",
         "the array has the shape (2, 3, 4), expected (nx, ny, nz, 3), each n at least 2", 24},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2, 3, 4), }",
         "the array has the shape (3, 2, 3, 4)", 72},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1, 4, 3), }",
         "the array has the shape (2, 1, 4, 3)", 24},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (20, 20, 4, 3), }",
         "the grid has more than 1000 nodes: keep every second node", 72},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3, 4, 3), }", "rows", 71},
        {"{'descr': '<c8', 'fortran_order': False, 'shape': (2, 3, 4, 3), }",
         "the elements must be numbers", 72},
        {"{'descr': [('v', '<f4', (3,))], 'fortran_order': False, 'shape': (2, 3, 4), }",
         "the elements must be numbers", 72},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        io_vector_grid grid;
        const io_vector_grid_def def = {write_array(s, faults[i].header, faults[i].count), 3, 1000};
        assert_int_equal(io_vector_grid_read(&s->log, &def, &grid), WEIR_ERROR_IO);
        assert_null(grid.vectors);
        assert_message_has(s, faults[i].message);
    }
    scratch_write_text(s, "field.vdb", " BDV");
    const io_vector_grid_def def = {s->path, 3, 1000};
    io_vector_grid grid;
    assert_int_equal(io_vector_grid_read(&s->log, &def, &grid), WEIR_ERROR_IO);
    assert_message_has(s, "OpenVDB is not read: tools/blender/weir_vdb.py FILE.vdb -o FILE.npy");
}

static void numbers_must_be_finite(void **state)
{
    scratch *s = *state;
    static const char header[] =
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2, 2, 3), }";
    uint8_t bytes[256] = "\x93NUMPY\x01";
    bytes[8] = sizeof header - 1;
    memcpy(bytes + 10, header, sizeof header - 1);
    memset(bytes + 9 + sizeof header + 40, 0xff, 4); /* a NaN */
    io_vector_grid grid;
    const io_vector_grid_def def = {scratch_write(s, "nan.npy", bytes, 9 + sizeof header + 96), 3,
                                    1000};
    assert_int_equal(io_vector_grid_read(&s->log, &def, &grid), WEIR_ERROR_IO);
    assert_message_has(s, "a component");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(both_orders_of_elements_are_read, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test_setup_teardown(a_grid_in_the_plane_has_two_components, scratch_setup,
                                        scratch_teardown),
        cmocka_unit_test_setup_teardown(faults_are_named, scratch_setup, scratch_teardown),
        cmocka_unit_test_setup_teardown(numbers_must_be_finite, scratch_setup, scratch_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
