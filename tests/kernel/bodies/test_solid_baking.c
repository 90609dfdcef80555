/* Tests meshes as solids on the device: baked volumes, their cache, sequences, and memory that runs
 * out. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include "ref_mesh_distance.h"
#include "solids_fixture.h"

/* ---- baking --------------------------------------------------------------------------------- */

typedef struct mesh_scene {
    test_shapes t;
    scene_mesh mesh;
    scene_solid solid;
} mesh_scene;

static void mesh_scene_init(mesh_scene *m, const char *path, const scene_pose *pose)
{
    *m = (mesh_scene){.mesh = {.path = base_strdup(path)}};
    test_shapes_init(&m->t);
    m->t.scene.meshes = &m->mesh;
    m->t.scene.mesh_count = 1;
    m->t.scene.domain.min = (vec3){-10, -10, -10}; // a mesh outside of it is warned about
    m->t.scene.domain.max = (vec3){10, 10, 10};
    scene_shape shape = {.kind = SCENE_SHAPE_MESH};
    if (pose) shape.pose = *pose;
    const uint32_t root = test_leaf(&m->t, shape);
    set_solids(&m->t, &m->solid, &root, 1);
}

static void mesh_scene_free(mesh_scene *m)
{
    base_free(m->mesh.path);
}

static void box_of(const io_mesh *mesh, vec3 *min, vec3 *max)
{
    *min = *max = mesh->vertices[mesh->indices[0]];
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; ++i) {
        *min = vec3_min(*min, mesh->vertices[mesh->indices[i]]);
        *max = vec3_max(*max, mesh->vertices[mesh->indices[i]]);
    }
}

/* Compares random points in and around the mesh with the exact reference. */
static void judge_volume(const solid_set *set, const io_mesh *mesh, float cell)
{
    ref_mesh *ref =
        ref_mesh_create(mesh->vertices, mesh->vertex_count, mesh->indices, mesh->triangle_count);
    vec3 min, max;
    box_of(mesh, &min, &max);
    uint32_t inside = 0, judged = 0;
    float worst = 0;
    for (uint64_t k = 0; k < 4000; ++k) {
        vec3 unit = vec3_add(vec3_scale(test_point(k, 1), 0.5f), vec3_make(0.5f, 0.5f, 0.5f));
        vec3 extent = vec3_sub(max, min), margin = {4 * cell, 4 * cell, 4 * cell};
        extent = vec3_add(extent, vec3_scale(margin, 2));
        vec3 p = vec3_add(vec3_sub(min, margin),
                          vec3_make(unit.x * extent.x, unit.y * extent.y, unit.z * extent.z));
        float d = solid_shape_distance(set, 0, p);
        ref_distance exact = ref_mesh_distance(ref, p);
        assert_true(fabsf(d) <= (float)fabs(exact.distance) + 0.6f * cell);
        /* 0 away from holes */
        const double open = fmin(fabs(exact.winding), fabs(exact.winding - 1));
        if (open > 0.1) continue;
        if (fabs(exact.distance) > (double)cell) assert_int_equal(d < 0, exact.distance < 0);
        if (open < 0.02) worst = fmaxf(worst, fabsf(d - (float)exact.distance) / cell);
        inside += exact.distance < 0;
        ++judged;
    }
    print_message("  %u points judged, %u inside, worst error %.3f cells\n", judged, inside,
                  (double)worst);
    assert_true(worst <= 0.6f);
    assert_true(inside > 100 && judged > 3000);
    ref_mesh_destroy(&ref);
}

static void judge_file(const char *path, float cells)
{
    io_mesh mesh = {0};
    assert_int_equal(io_mesh_read(NULL, path, &mesh), WEIR_OK);
    vec3 min, max;
    box_of(&mesh, &min, &max);
    vec3 extent = vec3_sub(max, min);
    const float cell = fmaxf(extent.x, fmaxf(extent.y, extent.z)) / cells;
    mesh_scene m;
    mesh_scene_init(&m, path, NULL);
    solid_set *set = make_set(&m.t, cell);
    judge_volume(set, &mesh, cell);
    assert_like_cpu(set, &m.t.scene, 0, 20 * cell);
    solid_set_destroy(solid_device, &set);
    mesh_scene_free(&m);
    io_mesh_free(&mesh);
}

static void mesh_with_holes_gets_the_right_inside(void **state)
{
    judge_file("tests/data/holed.obj", 60);
}

static void scanned_models_get_the_right_inside(void **state)
{
    static const char *const models[] = {"../shared/models/bunny.obj",
                                         "../shared/models/armadillo.obj",
                                         "../shared/models/dragon.obj"};
    for (size_t i = 0; i < BASE_COUNT(models); ++i) {
        if (!base_path_is_file(models[i])) {
            print_message("  %s is not here\n", models[i]);
            skip();
        }
        judge_file(models[i], 32);
    }
}

static float *download_volume(const solid_set *set, size_t *count)
{
    const gpu_buffer *volumes = solid_volumes(set);
    const uint64_t size = gpu_buffer_size(volumes);
    float *words = base_alloc((size_t)size, 1);
    assert_int_equal(gpu_buffer_download(solid_device, volumes, 0, words, size), WEIR_OK);
    *count = (size_t)size / sizeof(float);
    return words;
}

static void node_distances_are_exact_away_from_holes(void **state)
{
    io_mesh mesh = {0};
    assert_int_equal(io_mesh_read(NULL, "tests/data/holed.obj", &mesh), WEIR_OK);
    mesh_scene m;
    mesh_scene_init(&m, "tests/data/holed.obj", NULL);
    solid_set *set = make_set(&m.t, 0.06f);
    ref_mesh *ref =
        ref_mesh_create(mesh.vertices, mesh.vertex_count, mesh.indices, mesh.triangle_count);
    size_t count;
    float *words = download_volume(set, &count);
    struct solid_volume grid;
    memcpy(&grid, words, sizeof grid);
    assert_int_equal(count, SOLID_VOLUME_HEADER + solid_grid_nodes(&grid));
    for (size_t i = 0; i < solid_grid_nodes(&grid); ++i) {
        const size_t y = i / grid.nx % grid.ny, z = i / grid.nx / grid.ny;
        vec3 p = {grid.origin_x + grid.cell * (float)(i % grid.nx),
                  grid.origin_y + grid.cell * (float)y, grid.origin_z + grid.cell * (float)z};
        ref_distance exact = ref_mesh_distance(ref, p);
        float d = words[SOLID_VOLUME_HEADER + i];
        assert_true(fabsf(d) <= (float)fabs(exact.distance) + 1e-4f * grid.cell);
        if (fmin(fabs(exact.winding), fabs(exact.winding - 1)) > 0.002) continue;
        assert_float_equal(d, (float)exact.distance, 1e-4f * grid.cell);
    }
    base_free(words);
    ref_mesh_destroy(&ref);
    solid_set_destroy(solid_device, &set);
    mesh_scene_free(&m);
    io_mesh_free(&mesh);
}

static void distances_of_neighbours_differ_by_a_cell_at_most(void **state)
{
    mesh_scene m;
    mesh_scene_init(&m, "tests/data/holed.obj", NULL);
    solid_set *set = make_set(&m.t, 0.03f);
    size_t count;
    float *words = download_volume(set, &count);
    struct solid_volume grid;
    memcpy(&grid, words, sizeof grid);
    const float *d = words + SOLID_VOLUME_HEADER;
    const size_t nodes = solid_grid_nodes(&grid), pass = grid.nx, layer = pass * grid.ny;
    for (size_t i = 0; i < nodes; ++i) {
        if (i % pass + 1 < pass) assert_true(fabsf(d[i] - d[i + 1]) <= 1.1f * grid.cell);
        if (i % layer + pass < layer) assert_true(fabsf(d[i] - d[i + pass]) <= 1.1f * grid.cell);
        if (i + layer < nodes) assert_true(fabsf(d[i] - d[i + layer]) <= 1.1f * grid.cell);
    }
    base_free(words);
    solid_set_destroy(solid_device, &set);
    mesh_scene_free(&m);
}

static void mesh_at_several_scales_is_baked_for_the_largest(void **state)
{
    mesh_scene m;
    const scene_pose half = test_pose(vec3_make(0, 0, 0), vec3_make(1, 0, 0), 0, 0.5f);
    const scene_pose twice = test_pose(vec3_make(0, 2, 0), vec3_make(1, 0, 0), 0.3f, 2);
    mesh_scene_init(&m, "tests/data/cube.obj", &half);
    scene_shape shape = {.kind = SCENE_SHAPE_MESH, .pose = twice};
    scene_solid solids[2];
    const uint32_t roots[] = {0, test_leaf(&m.t, shape)};
    set_solids(&m.t, solids, roots, 2);
    solid_set *set = make_set(&m.t, 0.1f);
    size_t count;
    float *words = download_volume(set, &count);
    assert_float_equal(words[3], 0.05f, 1e-7f); /* cell size in the header */
    base_free(words);
    assert_float_equal(solid_shape_distance(set, 0, vec3_make(0.25f, 0.25f, 0.25f)), -0.25f, 1e-5f);
    vec3 above = vec3_add(quat_rotate(twice.rotation, vec3_make(1, 2.3f, 1)), twice.position);
    assert_float_equal(solid_shape_distance(set, roots[1], above), 0.3f, 1e-5f);
    for (uint32_t i = 0; i < 2; ++i)
        assert_like_cpu(set, &m.t.scene, i, 2);
    solid_set_destroy(solid_device, &set);
    mesh_scene_free(&m);
}

static void cells_too_small_are_refused_with_a_size_that_fits(void **state)
{
    mesh_scene m;
    mesh_scene_init(&m, "tests/data/cube.obj", NULL);
    /* permanently: this is the last test of the group */
    gpu_device_limit_storage_range(solid_device, 1u << 20);
    solid_set *set;
    assert_int_equal(solid_set_create(solid_device, &m.t.scene, 0.004f, &set), WEIR_ERROR_MEMORY);
    assert_null(set);
    const char *mark = strstr(last_error, "cells of 0.0");
    mark = mark ? strstr(mark + 1, "cells of 0.0") : NULL;
    assert_non_null(mark);
    double fits;
    const char *end;
    assert_true(base_parse_double(mark + 9, mark + strlen(mark), &fits, &end));
    set = make_set(&m.t, (float)fits);
    solid_set_destroy(solid_device, &set);
    mesh_scene_free(&m);
}

/* ---- cache ---------------------------------------------------------------------------------- */

static void stored_volume_is_used_again_and_a_broken_one_replaced(void **state)
{
    clear_folder();
    mesh_scene m;
    mesh_scene_init(&m, "tests/data/cube.obj", NULL);
    size_t count[3];
    float *words[3];
    const uint32_t baked[] = {1, 0, 1};
    for (size_t i = 0; i < 3; ++i) {
        bakes = warnings = 0;
        solid_set *set = make_set(&m.t, 0.08f);
        assert_int_equal(bakes, baked[i]);
        assert_int_equal(warnings, i == 2);
        words[i] = download_volume(set, &count[i]);
        solid_set_destroy(solid_device, &set);
        if (i != 1) continue;
        char **names;
        size_t files, stored = 0;
        assert_int_equal(base_folder_list(NULL, folder, &names, &files), WEIR_OK);
        for (size_t k = 0; k < files; ++k) {
            if (!strstr(names[k], "volume_")) continue;
            char *path = in_folder(names[k]);
            assert_int_equal(base_file_write(NULL, path, "broken", 6), WEIR_OK);
            base_free(path);
            ++stored;
        }
        assert_int_equal(stored, 1);
        base_names_free(names, files);
    }
    assert_memory_equal(words[0], words[1], count[0] * sizeof(float));
    assert_memory_equal(words[0], words[2], count[0] * sizeof(float));
    for (size_t i = 0; i < 3; ++i)
        base_free(words[i]);
    mesh_scene_free(&m);
}

/* ---- meshes written here, and sequences ----------------------------------------------------- */

static const char *const outward = "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
static const char *const other_order = "f 1 2 4\nf 1 3 2\nf 1 4 3\nf 2 3 4\n";
static const char *const inward = "f 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n";

/* Writes a tetrahedron with its right-angled corner at the origin. */
static void write_tetrahedron(const char *name, float size, const char *faces)
{
    base_text text = {0};
    const double s = (double)size;
    base_text_append(&text, "v 0 0 0\nv %g 0 0\nv 0 %g 0\nv 0 0 %g\n%s", s, s, s, faces);
    char *path = in_folder(name);
    assert_int_equal(base_file_write(NULL, path, text.items, text.count), WEIR_OK);
    base_free(path);
    base_free(text.items);
}

static void triangles_the_wrong_way_round_have_the_same_inside(void **state)
{
    write_tetrahedron("inward.obj", 1, inward);
    mesh_scene m;
    char *path = in_folder("inward.obj");
    mesh_scene_init(&m, path, NULL);
    solid_set *set = make_set(&m.t, 0.1f);
    assert_float_equal(solid_shape_distance(set, 0, vec3_make(0.2f, 0.25f, 0.3f)),
                       -0.25f / sqrtf(3), 5e-3f);
    assert_float_equal(solid_shape_distance(set, 0, vec3_make(-0.3f, 0.2f, 0.2f)), 0.3f, 5e-3f);
    solid_set_destroy(solid_device, &set);
    mesh_scene_free(&m);
    base_free(path);
}

static void sequence_scene_init(mesh_scene *m, uint32_t last)
{
    write_tetrahedron("grow_0003.obj", 1, outward);
    write_tetrahedron("grow_0004.obj", 1.5f, outward);
    write_tetrahedron("grow_0005.obj", 1, other_order);
    char *path = in_folder("grow_%04d.obj");
    mesh_scene_init(m, path, NULL);
    base_free(path);
    m->mesh.sequence = true;
    m->mesh.first = 3;
    m->mesh.last = last;
    m->mesh.rate_hz = 10;
}

static void sequence_blends_its_volumes_in_time(void **state)
{
    mesh_scene m;
    sequence_scene_init(&m, 4);
    solid_set *set = make_set(&m.t, 0.1f);
    struct solid_item item;
    assert_int_equal(gpu_buffer_download(solid_device, solid_items(set), 0, &item, sizeof item),
                     WEIR_OK);
    assert_int_equal(item.flags, SOLID_ITEM_DEFORMS);
    /* Points in front of the slope x + y + z = size, whose distance is (sum - size) / sqrt 3. */
    const float times[] = {-1, 0, 0.025f, 0.05f, 0.1f, 7};
    const float sizes[] = {1, 1, 1.125f, 1.25f, 1.5f, 1.5f};
    vec4 points[BASE_COUNT(times)], results[BASE_COUNT(times)];
    for (size_t i = 0; i < BASE_COUNT(times); ++i)
        points[i] = (vec4){0.55f, 0.55f, 0.55f, times[i]};
    probe_item(set, 0, points, BASE_COUNT(times), results);
    for (size_t i = 0; i < BASE_COUNT(times); ++i)
        assert_float_equal(results[i].w, (1.65f - sizes[i]) / sqrtf(3), 2e-3f);
    solid_set_destroy(solid_device, &set);
    mesh_scene_free(&m);
}

static void sequence_of_two_topologies_is_refused_naming_both_files(void **state)
{
    mesh_scene m;
    sequence_scene_init(&m, 5);
    solid_set *set;
    assert_int_equal(solid_set_create(solid_device, &m.t.scene, 0.1f, &set), WEIR_ERROR_SCENE);
    assert_null(set);
    assert_non_null(strstr(last_error, "grow_0003.obj"));
    assert_non_null(strstr(last_error, "grow_0005.obj"));
    mesh_scene_free(&m);
}

/* ---- items and motion ----------------------------------------------------------------------- */

/* An allocator that serves `allowed` more blocks and counts the balance of the set. */
typedef struct short_memory {
    long allowed, live;
} short_memory;

static void *short_resize(void *user, void *memory, size_t size)
{
    short_memory *m = user;
    if (size == 0) {
        if (memory) --m->live;
        free(memory);
        return NULL;
    }
    if (m->allowed <= 0) return NULL;
    --m->allowed;
    void *block = realloc(memory, size);
    if (block && !memory) ++m->live;
    return block;
}

static void memory_that_runs_out_anywhere_is_an_error_without_a_leak(void **state)
{
    mesh_scene m;
    mesh_scene_init(&m, "tests/data/cube.obj", NULL);
    short_memory memory = {0};
    const base_allocator short_allocator = {short_resize, &memory};
    weir_result result = WEIR_ERROR_MEMORY;
    uint32_t refused = 0;
    for (long allowed = 0; result != WEIR_OK; allowed += 1 + allowed / 10) {
        solid_set *set;
        memory = (short_memory){.allowed = allowed};
        clear_folder();
        base_allocator before = base_allocator_set(&short_allocator);
        result = solid_set_create(solid_device, &m.t.scene, 0.25f, &set);
        memory.allowed = 1000;
        solid_set_destroy(solid_device, &set);
        base_allocator_set(&before);
        assert_null(set);
        assert_true(result == WEIR_OK || result == WEIR_ERROR_MEMORY);
        refused += result == WEIR_ERROR_MEMORY;
        if (allowed > 0) assert_true(memory.live <= 2); /* blocks that the device itself keeps */
    }
    assert_true(refused > 10);
    mesh_scene_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mesh_with_holes_gets_the_right_inside),
        cmocka_unit_test(node_distances_are_exact_away_from_holes),
        cmocka_unit_test(distances_of_neighbours_differ_by_a_cell_at_most),
        cmocka_unit_test(mesh_at_several_scales_is_baked_for_the_largest),
        cmocka_unit_test(stored_volume_is_used_again_and_a_broken_one_replaced),
        cmocka_unit_test(triangles_the_wrong_way_round_have_the_same_inside),
        cmocka_unit_test(sequence_blends_its_volumes_in_time),
        cmocka_unit_test(sequence_of_two_topologies_is_refused_naming_both_files),
        cmocka_unit_test(memory_that_runs_out_anywhere_is_an_error_without_a_leak),
        cmocka_unit_test(scanned_models_get_the_right_inside),
        cmocka_unit_test(cells_too_small_are_refused_with_a_size_that_fits),
    };
    return cmocka_run_group_tests(tests, open_solid_device, close_solid_device);
}
