/* Writing meshes: the contents of each format, bytes that do not depend on the threads, and no
   partial files. */
#include "io_support.h"

#include <locale.h>
#include <signal.h>
#include <sys/resource.h>

typedef struct made {
    io_mesh_view view;
    vec3 *position, *normal, *velocity;
    float *channel;
    uint32_t *index;
} made;

/* Makes a curved grid of columns x rows quads, each split into two triangles. */
static void make_mesh(made *m, uint32_t columns, uint32_t rows)
{
    uint32_t count = (columns + 1) * (rows + 1), at = 0;
    m->position = base_alloc(count, sizeof(vec3));
    m->normal = base_alloc(count, sizeof(vec3));
    m->velocity = base_alloc(count, sizeof(vec3));
    m->channel = base_alloc(count, sizeof(float));
    m->index = base_alloc(6 * (size_t)columns * rows, sizeof(uint32_t));
    for (uint32_t i = 0; i < count; i++) {
        float x = (float)(i % (columns + 1)), z = (float)(i / (columns + 1));
        m->position[i] = vec3_make(0.01f * x - 3, 0.3f * base_hash_to_unit(i) - 0.1f, 0.01f * z);
        m->normal[i] = vec3_make(0.6f, 0.8f, 0);
        m->velocity[i] = vec3_make(1, -2, 3 * base_hash_to_unit(i));
        m->channel[i] = base_hash_to_unit(3 * i);
    }
    for (uint32_t i = 0; i < columns * rows; i++) {
        uint32_t a = i / columns * (columns + 1) + i % columns, b = a + columns + 1;
        const uint32_t quad[] = {a, b, a + 1, a + 1, b, b + 1};
        for (uint32_t k = 0; k < 6; k++)
            m->index[at++] = quad[k];
    }
    m->view = (io_mesh_view){.vertex_count = count,
                             .triangle_count = at / 3,
                             .position = m->position,
                             .normal = m->normal,
                             .velocity = m->velocity,
                             .index = m->index,
                             .channel_count = 1,
                             .channels = {{"density", 1, m->channel}}};
}

static void free_mesh(made *m)
{
    base_free(m->position);
    base_free(m->normal);
    base_free(m->velocity);
    base_free(m->channel);
    base_free(m->index);
}

static base_blob write_mesh(scratch *s, const io_mesh_view *view, io_mesh_write_def def)
{
    base_blob blob = {0};
    if (def.scale == 0) def.scale = 1;
    def.path = scratch_path(s, "mesh.out");
    assert_int_equal(io_mesh_write(&s->log, view, &def), WEIR_OK);
    assert_int_equal(base_file_read(&s->log, def.path, (size_t)1 << 30, &blob), WEIR_OK);
    return blob;
}

static void assert_text(const base_blob *blob, const char *text)
{
    assert_int_equal(blob->size, strlen(text));
    assert_memory_equal(blob->bytes, text, blob->size);
}

static void test_obj_is_what_the_format_says(void **state)
{
    static const vec3 position[] = {{0, 0, 0}, {1.25f, 0, -0.00001f}, {0, -2.5f, 0.33333f}};
    static const vec3 normal[] = {{0, 0, 1}, {0, 0, -1}, {0.6f, 0.8f, 0}};
    static const uint32_t index[] = {0, 1, 2};
    const io_mesh_view view = {.vertex_count = 3,
                               .triangle_count = 1,
                               .position = position,
                               .normal = normal,
                               .index = index};
    const io_mesh_write_def def = {.precision_m = 1e-4f, .time_s = 0.5};
    base_blob blob = write_mesh(*state, &view, def);
    assert_text(&blob, "# Weir surface: y up, scale 1, time_s=0.5\n# 3 vertices, 1 triangles\n"
                       "v 0.0000 0.0000 0.0000\nv 1.2500 0.0000 0.0000\nv 0.0000 -2.5000 0.3333\n"
                       "vn 0.0000 0.0000 1.0000\nvn 0.0000 0.0000 -1.0000\n"
                       "vn 0.6000 0.8000 0.0000\nf 1//1 2//2 3//3\n");
    base_blob_free(&blob);
    io_mesh_view plain = view;
    plain.normal = NULL;
    blob = write_mesh(
        *state, &plain,
        (io_mesh_write_def){.precision_m = 0.1f, .turn = WEIR_AXIS_CONVERSION_Y_TO_Z, .scale = 10});
    assert_text(&blob, "# Weir surface: z up, scale 10, time_s=0\n# 3 vertices, 1 triangles\n"
                       "v 0 0 0\nv 13 0 0\nv 0 -3 -25\nf 1 2 3\n");
    base_blob_free(&blob);
}

/* Every decimal of the text, in any locale, is within the precision of the intended value. */
static void test_obj_reads_back_within_the_precision(void **state)
{
    scratch *s = *state;
    made m;
    io_mesh mesh;
    const float precision = 1e-6f;
    make_mesh(&m, 61, 43);
    m.position[7].y = 12345.678f;
    m.position[8].y = -3e12f;
    setlocale(LC_ALL, "de_DE.UTF-8");
    base_blob blob = write_mesh(s, &m.view, (io_mesh_write_def){.precision_m = precision});
    setlocale(LC_ALL, "C");
    assert_int_equal(io_mesh_read(&s->log, scratch_path(s, "mesh.out"), &mesh), WEIR_OK);
    assert_int_equal(mesh.vertex_count, m.view.vertex_count);
    assert_int_equal(mesh.triangle_count, m.view.triangle_count);
    assert_memory_equal(mesh.indices, m.index, 3 * sizeof(uint32_t) * mesh.triangle_count);
    for (uint32_t i = 0; i < mesh.vertex_count; i++) {
        vec3 d = vec3_sub(mesh.vertices[i], m.position[i]);
        float allowed = 0.5f * precision + 0x1p-24f * fabsf(m.position[i].y) * 2 + 4e-7f;
        assert_true(vec3_length(d) <= 2 * allowed);
    }
    io_mesh_free(&mesh);
    base_blob_free(&blob);
    free_mesh(&m);
}

/* Without a precision, the text keeps everything that a float of the mesh's size can represent. */
static void test_positions_stay_apart_without_a_precision(void **state)
{
    scratch *s = *state;
    io_mesh mesh;
    made m;
    make_mesh(&m, 3, 3);
    for (uint32_t i = 0; i < m.view.vertex_count; i++)
        m.position[i] = vec3_make(1e-6f * (float)i, 0, 2e-6f);
    base_blob blob = write_mesh(s, &m.view, (io_mesh_write_def){0});
    assert_int_equal(io_mesh_read(&s->log, scratch_path(s, "mesh.out"), &mesh), WEIR_OK);
    for (uint32_t i = 1; i < mesh.vertex_count; i++)
        assert_true(mesh.vertices[i].x > mesh.vertices[i - 1].x);
    io_mesh_free(&mesh);
    base_blob_free(&blob);
    free_mesh(&m);
}

static void test_bytes_do_not_depend_on_the_threads(void **state)
{
    made m;
    make_mesh(&m, 601, 400); /* many more pieces than are queued at a time */
    for (weir_mesh_format format = 0; format < WEIR_MESH_FORMAT_COUNT; format++) {
        io_mesh_write_def def = {.format = format, .precision_m = 1e-5f, .threads = 1};
        base_blob one = write_mesh(*state, &m.view, def);
        for (def.threads = 2; def.threads <= 7; def.threads += 5) {
            base_blob many = write_mesh(*state, &m.view, def);
            assert_int_equal(one.size, many.size);
            assert_memory_equal(one.bytes, many.bytes, one.size);
            base_blob_free(&many);
        }
        base_blob_free(&one);
    }
    free_mesh(&m);
}

static void test_empty_meshes_are_whole_files(void **state)
{
    scratch *s = *state;
    io_mesh_view none = {0};
    for (weir_mesh_format format = 0; format < WEIR_MESH_FORMAT_COUNT; format++) {
        base_blob blob = write_mesh(s, &none, (io_mesh_write_def){.format = format});
        assert_true(blob.size > 20);
        base_blob_free(&blob);
    }
}

static void test_particle_readers_take_our_meshes_as_points(void **state)
{
    static const weir_mesh_format formats[] = {WEIR_MESH_FORMAT_PLY, WEIR_MESH_FORMAT_VTK,
                                               WEIR_MESH_FORMAT_BGEO, WEIR_MESH_FORMAT_VTP};
    scratch *s = *state;
    made m;
    make_mesh(&m, 300, 240); /* more points than 16 bits can count */
    for (size_t i = 0; i < BASE_COUNT(formats); i++) {
        io_particles read;
        base_blob blob = write_mesh(s, &m.view, (io_mesh_write_def){.format = formats[i]});
        assert_int_equal(io_particles_read(&s->log, scratch_path(s, "mesh.out"), &read), WEIR_OK);
        assert_int_equal(read.count, m.view.vertex_count);
        assert_memory_equal(read.position, m.position, read.count * sizeof(vec3));
        assert_memory_equal(read.velocity, m.velocity, read.count * sizeof(vec3));
        assert_memory_equal(read.density, m.channel, read.count * sizeof(float));
        io_particles_free(&read);
        base_blob_free(&blob);
    }
    free_mesh(&m);
}

/* A written file reads back with the same corners and the same winding. */
static void test_every_format_reads_back_as_a_mesh(void **state)
{
    static const uint32_t sides[] = {3, 270}; /* indices of 16 and of 32 bits */
    scratch *s = *state;
    for (size_t k = 0; k < BASE_COUNT(sides); k++)
        for (weir_mesh_format format = 0; format < WEIR_MESH_FORMAT_COUNT; format++) {
            made m;
            io_mesh mesh;
            make_mesh(&m, sides[k], sides[k]);
            base_blob blob = write_mesh(s, &m.view, (io_mesh_write_def){.format = format});
            if (io_mesh_read(&s->log, scratch_path(s, "mesh.out"), &mesh) != WEIR_OK)
                fail_msg("%s: %s", io_mesh_format_extension(format), s->message);
            assert_int_equal(mesh.vertex_count, m.view.vertex_count);
            assert_int_equal(mesh.triangle_count, m.view.triangle_count);
            assert_memory_equal(mesh.indices, m.index, 12ull * mesh.triangle_count);
            if (format != WEIR_MESH_FORMAT_OBJ) {
                assert_memory_equal(mesh.vertices, m.position, 12ull * mesh.vertex_count);
                assert_true(io_mesh_file_has_faces(scratch_path(s, "mesh.out")));
            }
            io_mesh_free(&mesh);
            base_blob_free(&blob);
            free_mesh(&m);
        }
}

static void test_particles_and_empty_meshes_are_told_from_meshes(void **state)
{
    scratch *s = *state;
    io_particles cloud;
    io_mesh_view none = {0};
    cloud_make(&cloud, 7);
    for (weir_particle_format format = 0; format < WEIR_PARTICLE_FORMAT_COUNT; format++) {
        char path[128];
        snprintf(path, sizeof path, "%s", scratch_path(s, "cloud.out"));
        io_particles_write_def def = {path, format, 0, 0.01f};
        assert_int_equal(io_particles_write(&s->log, &cloud, &def), WEIR_OK);
        assert_false(io_mesh_file_has_faces(path));
    }
    for (weir_mesh_format format = 0; format < WEIR_MESH_FORMAT_COUNT; format++) {
        base_blob blob = write_mesh(s, &none, (io_mesh_write_def){.format = format});
        assert_false(io_mesh_file_has_faces(scratch_path(s, "mesh.out")));
        base_blob_free(&blob);
    }
    assert_false(io_mesh_file_has_faces("no/such.vtk"));
    io_particles_free(&cloud);
}

/* RLIMIT_FSIZE simulates a full disk: the write fails in the middle. */
static void test_a_full_disk_leaves_no_file(void **state)
{
    scratch *s = *state;
    made m;
    char **names;
    size_t count;
    struct rlimit kept, small;
    make_mesh(&m, 301, 200);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &kept), 0);
    small = kept;
    small.rlim_cur = 1000000;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    for (uint32_t threads = 1; threads <= 2; threads++) {
        io_mesh_write_def def = {.path = scratch_path(s, "full.obj"),
                                 .scale = 1,
                                 .precision_m = 1e-6f,
                                 .threads = threads};
        assert_int_equal(io_mesh_write(&s->log, &m.view, &def), WEIR_ERROR_IO);
        assert_message_has(s, "full.obj: cannot be written");
    }
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &kept), 0);
    assert_int_equal(base_folder_list(NULL, s->folder, &names, &count), WEIR_OK);
    for (size_t i = 0; i < count; i++)
        assert_null(strstr(names[i], "full"));
    base_names_free(names, count);
    free_mesh(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_obj_is_what_the_format_says),
        cmocka_unit_test(test_obj_reads_back_within_the_precision),
        cmocka_unit_test(test_positions_stay_apart_without_a_precision),
        cmocka_unit_test(test_bytes_do_not_depend_on_the_threads),
        cmocka_unit_test(test_empty_meshes_are_whole_files),
        cmocka_unit_test(test_particle_readers_take_our_meshes_as_points),
        cmocka_unit_test(test_every_format_reads_back_as_a_mesh),
        cmocka_unit_test(test_particles_and_empty_meshes_are_told_from_meshes),
        cmocka_unit_test(test_a_full_disk_leaves_no_file),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
