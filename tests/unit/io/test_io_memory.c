/* Exhausted memory: every allocation of every reader and writer fails once. The call then
   reports "out of memory" or succeeds without it; nothing leaks, and no partial file remains. */
#include "io_support.h"

typedef struct failing {
    size_t left; /* allocations until the one that fails */
    bool failed;
    ptrdiff_t held; /* blocks */
} failing;

static void *resize(void *user, void *memory, size_t size)
{
    failing *f = user;
    if (size == 0) {
        f->held -= memory != NULL;
        free(memory);
        return NULL;
    }
    if (f->left-- == 0) {
        f->failed = true;
        return NULL;
    }
    f->held += memory == NULL;
    return realloc(memory, size);
}

typedef weir_result (*task)(scratch *s, const void *argument);

/* Fails the first allocation, then the second, and so on, until the task makes fewer. */
static void fail_each(scratch *s, task run, const void *argument)
{
    for (size_t k = 0;; k++) {
        failing f = {.left = k};
        base_allocator previous = base_allocator_set(&(base_allocator){resize, &f});
        s->message[0] = 0;
        weir_result result = run(s, argument);
        base_allocator_set(&previous);
        assert_int_equal(f.held, 0);
        if (!f.failed) assert_int_equal(result, WEIR_OK);
        if (!f.failed) break;
        if (result == WEIR_OK) continue;
        assert_int_equal(result, WEIR_ERROR_MEMORY);
        assert_message_has(s, "memory");
    }
}

static weir_result read_particles(scratch *s, const void *path)
{
    io_particles frame;
    weir_result result = io_particles_read(&s->log, path, &frame);
    if (result != WEIR_OK) assert_null(frame.position);
    io_particles_free(&frame);
    return result;
}

static weir_result read_mesh(scratch *s, const void *path)
{
    io_mesh mesh;
    weir_result result = io_mesh_read(&s->log, path, &mesh);
    if (result != WEIR_OK) assert_null(mesh.vertices);
    io_mesh_free(&mesh);
    return result;
}

static weir_result write_particles(scratch *s, const void *format)
{
    static vec3 position[3], velocity[3];
    static uint32_t id[3], fluid[3];
    static float density[3];
    const io_particles cloud = {.count = 3,
                                .position = position,
                                .velocity = velocity,
                                .id = id,
                                .fluid = fluid,
                                .density = density,
                                .time_s = 0.5};
    io_particles_write_def def = {scratch_path(s, "frame"), *(const weir_particle_format *)format,
                                  ALL_FIELDS, 0.01f};
    weir_result result = io_particles_write(&s->log, &cloud, &def);
    /* Only one allocation fails, so a file that exists afterwards must be readable as a whole. */
    if (result != WEIR_OK && base_path_is_file(def.path))
        assert_int_equal(read_particles(s, def.path), WEIR_OK);
    remove(def.path);
    return result;
}

static weir_result write_mesh(scratch *s, const void *format)
{
    static const vec3 points[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const uint32_t index[3] = {0, 1, 2};
    const io_mesh_view view = {.vertex_count = 3,
                               .triangle_count = 1,
                               .position = points,
                               .normal = points,
                               .velocity = points,
                               .index = index};
    io_mesh_write_def def = {
        .path = scratch_path(s, "mesh"), .format = *(const weir_mesh_format *)format, .scale = 1};
    weir_result result = io_mesh_write(&s->log, &view, &def);
    remove(def.path);
    return result;
}

static weir_result write_and_read_state(scratch *s, const void *kind)
{
    const io_block block = {"block", "12345", 5};
    io_block_file file;
    weir_result result = io_block_file_write(&s->log, scratch_path(s, "state"), kind, &block, 1);
    if (result != WEIR_OK) return result;
    result = io_block_file_read(&s->log, s->path, kind, &file);
    io_block_file_free(&file);
    return result;
}

static void writers_survive(void **state)
{
    scratch *s = *state;
    char **names;
    size_t count;
    for (weir_particle_format format = 0; format < WEIR_PARTICLE_FORMAT_COUNT; format++)
        fail_each(s, write_particles, &format);
    for (weir_mesh_format format = 0; format < WEIR_MESH_FORMAT_COUNT; format++)
        fail_each(s, write_mesh, &format);
    assert_int_equal(base_folder_list(NULL, s->folder, &names, &count), WEIR_OK);
    assert_int_equal(count, 0); /* no temporary file remains */
    base_names_free(names, count);
}

static void particle_readers_survive(void **state)
{
    scratch *s = *state;
    io_particles cloud;
    cloud_make(&cloud, 3);
    for (weir_particle_format format = 0; format < WEIR_PARTICLE_FORMAT_COUNT; format++) {
        char name[16];
        snprintf(name, sizeof name, "frame.%s", io_format_extension(format));
        io_particles_write_def def = {scratch_path(s, name), format, ALL_FIELDS, 0.01f};
        assert_int_equal(io_particles_write(&s->log, &cloud, &def), WEIR_OK);
        fail_each(s, read_particles, s->path);
    }
    fail_each(
        s, read_particles,
        scratch_write_text(
            s, "packed.vtp",
            "<VTKFile type='PolyData' compressor='vtkZLibDataCompressor'><PolyData>"
            "<Piece NumberOfPoints='1'><Points><DataArray type='UInt8' NumberOfComponents='3' "
            "format='binary'>AQAAAAMAAAAAAAAACwAAAA==eJxjZGIGAAANAAc=</DataArray>"
            "</Points></Piece></PolyData></VTKFile>"));
    io_particles_free(&cloud);
}

static void readers_of_other_programs_survive(void **state)
{
    static const char *const paths[] = {
        "numpy_names.npz",         "numpy_packed.npz", "numpy_one.npz",     "numpy_record.npy",
        "lammps_custom.lammpstrj", "h5py_root.h5",     "h5py_records.h5",   "vtk_polydata.vtkhdf",
        "ase_extended.xyz",        "pandas_index.csv", "pandas_gzip.csv.gz"};
    io_particles frame;
    scratch *s = *state;
    if (can_be_read("a.h5")) { /* creates the lock of libhdf5, which stays */
        assert_int_equal(io_particles_read(&s->log, "tests/foreign/particles/h5md.h5", &frame),
                         WEIR_OK);
        io_particles_free(&frame);
    }
    for (size_t i = 0; i < BASE_COUNT(paths); i++) {
        char path[128];
        snprintf(path, sizeof path, "tests/foreign/particles/%s", paths[i]);
        if (can_be_read(path)) fail_each(s, read_particles, path);
    }
}

static void mesh_readers_survive(void **state)
{
    static const char *const paths[] = {"tests/data/cube.obj",
                                        "tests/data/cube_little.ply",
                                        "tests/data/cube_ascii.stl",
                                        "tests/foreign/meshes/trimesh.gltf",
                                        "tests/foreign/meshes/blender_embedded.gltf",
                                        "tests/foreign/meshes/blender_skin.glb",
                                        "tests/foreign/meshes/pygltflib_sparse.glb"};
    for (size_t i = 0; i < BASE_COUNT(paths); i++)
        fail_each(*state, read_mesh, paths[i]);
}

static void state_files_survive(void **state)
{
    fail_each(*state, write_and_read_state, "testkind");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writers_survive),
        cmocka_unit_test(particle_readers_survive),
        cmocka_unit_test(readers_of_other_programs_survive),
        cmocka_unit_test(mesh_readers_survive),
        cmocka_unit_test(state_files_survive),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
