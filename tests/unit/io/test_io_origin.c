/* Files whose coordinates are far from 0, such as those of a map, and particles whose numbers are
   not finite. */
#include "io_support.h"

static const double far_place[3] = {448000.0, 0.0, -5413000.0};

/* Points of no particular order, in a box of 1.2 m. */
static double point(int i, int axis)
{
    return 0.1 * (i % 12) + 0.01 * axis + 0.0003 * ((i * 37) % 11);
}

/* Appends the points in a format; `o`: added to the coordinates. Returns the number of bytes. */
static size_t print_points(char *text, size_t size, const char *head, const double *o)
{
    size_t used = (size_t)snprintf(text, size, "%s", head);
    for (int i = 0; i < 48; i++)
        used += (size_t)snprintf(text + used, size - used, "%.4f %.4f %.4f\n", o[0] + point(i, 0),
                                 o[1] + point(i, 1), o[2] + point(i, 2));
    return used;
}

static size_t print_npy(char *text, const double *o)
{
    size_t used = 128;
    memset(text, ' ', used);
    memcpy(text, "\x93NUMPY\x01\x00\x76\x00", 10);
    int head =
        snprintf(text + 10, 118, "{'descr': '<f8', 'fortran_order': False, 'shape': (48, 3), }");
    text[10 + head] = ' ';
    text[127] = '\n';
    for (int i = 0; i < 48; i++)
        for (int axis = 0; axis < 3; axis++) {
            double value = o[axis] + point(i, axis);
            memcpy(text + used, &value, sizeof value);
            used += sizeof value;
        }
    return used;
}

static void check_far(scratch *s, const char *name, const char *bytes, size_t size)
{
    io_particles p;
    scratch_write(s, name, bytes, size);
    if (io_particles_read(&s->log, s->path, &p) != WEIR_OK) fail_msg("%s: %s", name, s->message);
    assert_int_equal(p.count, 48);
    for (int axis = 0; axis < 3; axis++)
        assert_true(p.origin[axis] == far_place[axis]);
    for (uint32_t i = 0; i < p.count; i++) {
        const float x[3] = {p.position[i].x, p.position[i].y, p.position[i].z};
        for (int axis = 0; axis < 3; axis++)
            assert_true(fabs((double)x[axis] - point((int)i, axis)) < 1e-6);
    }
    io_particles_free(&p);
}

static void far_particles_keep_their_shape(void **state)
{
    static char text[8192];
    check_far(*state, "a.xyz", text, print_points(text, sizeof text, "", far_place));
    check_far(*state, "a.ply", text,
              print_points(text, sizeof text,
                           "ply\nformat ascii 1.0\nelement vertex 48\nproperty double x\n"
                           "property double y\nproperty double z\nend_header\n",
                           far_place));
    check_far(*state, "a.vtk", text,
              print_points(text, sizeof text,
                           "# vtk DataFile Version 3.0\nx\nASCII\nDATASET POLYDATA\n"
                           "POINTS 48 double\n",
                           far_place));
    check_far(*state, "a.npy", text, print_npy(text, far_place));
}

/* A stray particle, wherever it is in the file, neither moves the origin nor makes one. */
static void strays_do_not_choose_the_origin(void **state)
{
    static const double zero[3] = {0, 0, 0};
    static char text[8192];
    io_particles p;
    print_points(text, sizeof text, "9e6 9e6 9e6\n", far_place);
    scratch_write_text(*state, "a.xyz", text);
    assert_int_equal(io_particles_read(NULL, ((scratch *)*state)->path, &p), WEIR_OK);
    assert_true(p.count == 49 && p.origin[0] == far_place[0] && p.origin[2] == far_place[2]);
    io_particles_free(&p);
    print_points(text, sizeof text, "9e6 9e6 9e6\n", zero);
    scratch_write_text(*state, "a.xyz", text);
    assert_int_equal(io_particles_read(NULL, ((scratch *)*state)->path, &p), WEIR_OK);
    assert_true(p.origin[0] == 0 && p.origin[1] == 0 && p.origin[2] == 0);
    assert_true(p.position[0].x == 9e6f);
    io_particles_free(&p);
}

/* ---- writing -------------------------------------------------------------------------------- */

static void check_written(scratch *s, const io_particles *p, weir_particle_format format)
{
    char name[16];
    io_particles back;
    snprintf(name, sizeof name, "out.%s", io_format_extension(format));
    s->message[0] = '\0';
    const io_particles_write_def def = {.path = scratch_path(s, name), .format = format};
    assert_int_equal(io_particles_write(&s->log, p, &def), WEIR_OK);
    assert_int_equal(io_particles_read(NULL, s->path, &back), WEIR_OK);
    bool keeps = format == WEIR_PARTICLE_FORMAT_PLY || format == WEIR_PARTICLE_FORMAT_VTK ||
                 format == WEIR_PARTICLE_FORMAT_XYZ || format == WEIR_PARTICLE_FORMAT_VTP;
    assert_true(back.origin[2] == (keeps ? far_place[2] : 0.0));
    if (!keeps) assert_message_has(s, "stored relative to (448000, 0, -5413000)");
    if (keeps) assert_string_equal(s->message, "");
    for (uint32_t i = 0; i < p->count; i++) {
        vec3 d = vec3_sub(p->position[i], back.position[i]);
        assert_true(vec3_length(d) < 1e-7f);
    }
    io_particles_free(&back);
}

static void far_particles_are_written_in_their_place(void **state)
{
    static char text[8192];
    scratch *s = *state;
    io_particles p;
    print_points(text, sizeof text, "", far_place);
    scratch_write_text(s, "a.xyz", text);
    assert_int_equal(io_particles_read(NULL, s->path, &p), WEIR_OK);
    for (int format = 0; format < WEIR_PARTICLE_FORMAT_COUNT; format++)
        check_written(s, &p, (weir_particle_format)format);
    io_particles_free(&p);
}

/* ---- meshes --------------------------------------------------------------------------------- */

/* A tetrahedron of edges near 9 m, of which `format` names the file. */
static void check_mesh(scratch *s, const char *name, const char *format)
{
    char text[1024];
    io_mesh near, far;
    const double *o = far_place;
    snprintf(text, sizeof text, format, 0.405, 1.12, 3.016, 9.547, 1.12, 8.674, 0.405, 9.12, 3.016,
             4.193, 1.12, 8.546);
    scratch_write_text(s, name, text);
    assert_int_equal(io_mesh_read(NULL, s->path, &near), WEIR_OK);
    snprintf(text, sizeof text, format, o[0] + 0.405, 1.12, o[2] + 3.016, o[0] + 9.547, 1.12,
             o[2] + 8.674, o[0] + 0.405, 9.12, o[2] + 3.016, o[0] + 4.193, 1.12, o[2] + 8.546);
    scratch_write_text(s, name, text);
    assert_int_equal(io_mesh_read(NULL, s->path, &far), WEIR_OK);
    assert_true(near.origin[0] == 0.0 && near.vertex_count == far.vertex_count);
    for (uint32_t v = 0; v < near.vertex_count; v++)
        assert_true(vec3_length(vec3_sub(near.vertices[v], far.vertices[v])) < 1e-6f);
    for (int axis = 0; axis < 3; axis++)
        assert_true(far.origin[axis] == far_place[axis]);
    io_mesh_free(&near);
    io_mesh_free(&far);
}

#define CORNER "%.3f %.3f %.3f\n"
static void far_meshes_keep_their_shape(void **state)
{
    check_mesh(*state, "a.obj",
               "v " CORNER "v " CORNER "v " CORNER "v " CORNER
               "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    check_mesh(*state, "a.ply",
               "ply\nformat ascii 1.0\nelement vertex 4\nproperty double x\n"
               "property double y\nproperty double z\nelement face 2\n"
               "property list uchar int vertex_indices\nend_header\n" CORNER CORNER CORNER CORNER
               "3 0 2 1\n3 0 1 3\n");
    check_mesh(*state, "a.stl",
               "solid a\nfacet normal 0 0 0\nouter loop\nvertex " CORNER "vertex " CORNER
               "vertex " CORNER "endloop\nendfacet\nendsolid a\n");
}

/* ---- numbers that are not finite ------------------------------------------------------------- */

static void check_skipped(scratch *s, const char *name, const char *text, const char *place)
{
    io_particles p;
    scratch_write_text(s, name, text);
    s->message[0] = '\0';
    if (io_particles_read(&s->log, s->path, &p) != WEIR_OK) fail_msg("%s: %s", name, s->message);
    if (p.count != 3 || p.skipped != 2) fail_msg("%s: %u, %u", name, p.count, p.skipped);
    assert_message_has(s, "2 of 5 particles have a number that is not finite, here ");
    assert_message_has(s, place);
    assert_true(p.position[0].x == 1.0f && p.position[1].x == 3.0f && p.position[2].x == 5.0f);
    if (p.velocity) assert_true(p.velocity[1].x == 13.0f && p.velocity[2].z == 0.5f);
    io_particles_free(&p);
}

static void particles_that_are_not_finite_are_skipped_and_counted(void **state)
{
    check_skipped(*state, "a.xyz", "1 2 3\n2 nan 3\n3 2 1\n4 -Inf 1\n5 5 5\n", "a.xyz:2:3: ");
    check_skipped(*state, "a.xyz", "1 2 3\n2 -nan(ind) 3\n3 2 1\n4 1 1.#QNAN\n5 5 5\n",
                  "a.xyz:2:3: ");
    check_skipped(*state, "a.csv", "x,y,z\n1,2,3\n2,,3\n3,2,1\n4,NaN,1\n5,5,5\n", "a.csv:3:3: ");
    check_skipped(*state, "a.xyz",
                  "# x y z vx vy vz id\n1 2 3 0 0 0 1\n2 2 3 1e99 0 0 2\n3 2 1 13 0 0 3\n"
                  "4 1 1 0 0 -inf 4\n5 5 5 0 0 0.5 5\n",
                  "a.xyz:3:7: ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(far_particles_keep_their_shape),
        cmocka_unit_test(strays_do_not_choose_the_origin),
        cmocka_unit_test(far_particles_are_written_in_their_place),
        cmocka_unit_test(far_meshes_keep_their_shape),
        cmocka_unit_test(particles_that_are_not_finite_are_skipped_and_counted),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
