/* Tests the mesher's shaders against tests/ref: blocks, order, weights, field, marching cubes,
 * attributes. */
#include "device_support.h"
#include "mesh_support.h"
#include "ref_mesh.h"

static const uint32_t sizes[] = {0, 1, 63, 64, 65, 900};

/* ---- frames --------------------------------------------------------------------------------- */

/* A meshed frame, and all results of its passes. */
typedef struct frame {
    mesher *m;
    uint32_t kind;
    cloud cloud;
    particle_view points;
    mesher_surface surface;
    mesher_spray spray;
    vec4 *lattice;     /* of the caller's particles */
    float *neighbours; /* of these particles, as expected */
    float *shapes;     /* of their ellipsoids */
    ref_block *blocks; /* as expected */
    uint32_t block_count;
} frame;

static void *fetch(const frame *f, const gpu_buffer *buffer, size_t count, size_t size)
{
    void *bytes = base_alloc(count + 1, size);
    assert_non_null(bytes);
    if (count) OK(gpu_buffer_download(f->m->device, buffer, 0, bytes, count * size));
    return bytes;
}

/* Random particles in a box of `side` spacings, whose corner is not aligned to cells. */
static cloud random_cloud(uint32_t count, float side, vec3 corner)
{
    cloud c = {.spacing = 0.05f};
    for (uint32_t i = 0; i < count; i++) {
        uint64_t draw = 3ull * i + 7919ull * count;
        cloud_add(&c, corner.x + side * c.spacing * base_hash_to_unit(draw),
                  corner.y + side * c.spacing * base_hash_to_unit(draw + 1),
                  corner.z + side * c.spacing * base_hash_to_unit(draw + 2));
    }
    return c;
}

static void upload_attributes(frame *f, gpu_device *device)
{
    uint32_t n = f->cloud.count,
             fields = 1u << WEIR_FIELD_VELOCITY | 1u << WEIR_FIELD_FLUID | 1u << WEIR_FIELD_DENSITY;
    vec4 *velocity = base_alloc(n + 1, sizeof *velocity);
    uint32_t *fluid = base_alloc(n + 1, sizeof *fluid);
    float *density = base_alloc(n + 1, sizeof *density);
    assert_true(velocity && fluid && density);
    for (uint32_t i = 0; i < n; i++) {
        vec4 p = f->cloud.items[i];
        velocity[i] = (vec4){p.y, 2.0f * p.z, -p.x, 0.0f};
        fluid[i] = i % 3;
        density[i] = 1000.0f + p.x;
    }
    OK(particle_view_create(device, fields, n, &f->points));
    f->points.spacing_m = f->cloud.spacing;
    f->points.radius_m = 2.0f * f->cloud.spacing;
    if (n) {
        OK(gpu_buffer_upload(device, f->points.position, 0, f->cloud.items, n * sizeof(vec4)));
        OK(gpu_buffer_upload(device, f->points.velocity, 0, velocity, n * sizeof(vec4)));
        OK(gpu_buffer_upload(device, f->points.fluid, 0, fluid, 4ull * n));
        OK(gpu_buffer_upload(device, f->points.density, 0, density, 4ull * n));
    }
    base_free(velocity);
    base_free(fluid);
    base_free(density);
}

static frame mesh_frame(mesher *m, cloud c)
{
    static const uint32_t kinds[] = {MESH_ZHU_BRIDSON, MESH_COLOUR_FIELD, MESH_ANISOTROPIC};
    frame f = {.m = m, .kind = kinds[m->def.field], .cloud = c};
    upload_attributes(&f, m->device);
    OK(mesher_run(m, &f.points, &f.surface, &f.spray));
    f.lattice = base_alloc(c.count + 1, sizeof *f.lattice);
    f.neighbours = base_alloc(c.count + 1, sizeof *f.neighbours);
    assert_true(f.lattice && f.neighbours);
    vec4 *centres = NULL;
    if (c.count && f.kind == MESH_ANISOTROPIC) {
        centres = fetch(&f, grid_anisotropy_centres(m->anisotropy), c.count, sizeof *centres);
        f.shapes = fetch(&f, grid_anisotropy_shapes(m->anisotropy), c.count, 32);
    }
    for (uint32_t i = 0; i < c.count; i++)
        f.lattice[i] = ref_mesh_lattice(&m->params, centres ? centres[i] : c.items[i]);
    base_free(centres);
    if (c.count) f.blocks = ref_mesh_blocks(&m->params, f.lattice, c.count, &f.block_count);
    return f;
}

static void free_frame(frame *f)
{
    particle_view_destroy(f->m->device, &f->points);
    mesher_surface_free(&f->surface);
    mesher_spray_free(&f->spray);
    cloud_free(&f->cloud);
    base_free(f->lattice);
    base_free(f->neighbours);
    base_free(f->shapes);
    base_free(f->blocks);
}

/* ---- expected results of a frame ------------------------------------------------------------ */

static void assert_blocks(const frame *f)
{
    assert_int_equal(f->m->frame.block_count, f->block_count);
    int32_t(*found)[4] = fetch(f, f->m->buffers.blocks, f->block_count, sizeof *found);
    for (uint32_t i = 0; i < f->block_count; i++) {
        const ref_block *b = &f->blocks[i];
        if (found[i][0] != b->x || found[i][1] != b->y || found[i][2] != b->z)
            fail_msg("block %u is at %d %d %d, expected %d %d %d", i, found[i][0], found[i][1],
                     found[i][2], b->x, b->y, b->z);
    }
    base_free(found);
}

static void assert_order(const frame *f)
{
    uint32_t n = f->cloud.count;
    uint32_t *expected = base_alloc(n, sizeof *expected);
    uint32_t *found = fetch(f, f->m->buffers.sort_sources, n, sizeof *found);
    assert_non_null(expected);
    assert_true(ref_mesh_order(&f->m->params, f->lattice, n, expected));
    assert_memory_equal(found, expected, n * sizeof *found);
    vec4 *sorted = fetch(f, f->m->buffers.sorted_positions, n, sizeof *sorted);
    for (uint32_t i = 0; i < n; i++)
        assert_memory_equal(&sorted[i], &f->lattice[found[i]], sizeof *sorted);
    base_free(expected);
    base_free(found);
    base_free(sorted);
}

/* Computes the weights of f->lattice and compares them. */
static void assert_weights(frame *f)
{
    bool weighs = mesher_needs_weights(f->m);
    uint32_t n = f->cloud.count,
             spray = ref_mesh_weights(&f->m->params, f->kind, f->lattice, n, f->neighbours);
    assert_int_equal(f->spray.count, spray);
    if (!weighs) return;
    vec4 *weighted = fetch(f, f->m->buffers.weighted, n, sizeof *weighted);
    uint32_t *from = fetch(f, f->m->buffers.sort_sources, n, sizeof *from);
    for (uint32_t i = 0; i < n; i++) {
        float w = f->lattice[from[i]].w;
        if (fabsf(weighted[i].w - w) > 1e-4f * w)
            fail_msg("weight of particle %u is %g, expected %g", from[i], (double)weighted[i].w,
                     (double)w);
    }
    base_free(weighted);
    base_free(from);
}

/* At the threshold for damping the radius, either value is accepted. */
static bool field_agrees(const frame *f, vec3 node, float found, uint32_t *damped_nodes)
{
    static const float nudges[] = {0.0f, 1e-4f, -1e-4f};
    for (int k = 0; k < 3; k++) {
        struct mesh_params p = f->m->params;
        bool damped;
        p.damping_max_weight *= 1.0f + nudges[k];
        const ref_particles all = {&p, f->kind, f->lattice, f->cloud.count, f->shapes};
        double phi = ref_mesh_field(&all, node, &damped);
        double slack = damped ? 4e-3 * (double)p.radius : 3e-4;
        *damped_nodes += k == 0 && damped;
        if (fabs(phi - (double)found) <= slack) return true;
    }
    return false;
}

static void assert_field(const frame *f, const float *field)
{
    uint32_t damped = 0;
    for (uint32_t i = 0;
         i<f->block_count * MESH_NODES_PER_BLOCK; i += f->cloud.count> 100 ? 7 : 1) {
        ref_block b = f->blocks[i / MESH_NODES_PER_BLOCK];
        vec3 node = {(float)(b.x * 8 + (int32_t)(i & 7u)),
                     (float)(b.y * 8 + (int32_t)(i >> 3 & 7u)),
                     (float)(b.z * 8 + (int32_t)(i >> 6 & 7u))};
        if (!field_agrees(f, node, field[i], &damped)) {
            const ref_particles all = {&f->m->params, f->kind, f->lattice, f->cloud.count,
                                       f->shapes};
            bool is_damped;
            double phi = ref_mesh_field(&all, node, &is_damped);
            fail_msg("field at %g %g %g is %g, expected %g", (double)node.x, (double)node.y,
                     (double)node.z, (double)field[i], phi);
        }
    }
    if (f->cloud.count > 100 && f->m->pipelines[MESHER_EVALUATE_DAMPED_NODES] &&
        f->kind == MESH_ZHU_BRIDSON)
        assert_true(damped > 0);
}

static void assert_same_place(vec3 found, vec3 expected, float slack)
{
    vec3 d = vec3_sub(found, expected);
    if (vec3_length(d) > slack)
        fail_msg("%.9g %.9g %.9g, expected %.9g %.9g %.9g", (double)found.x, (double)found.y,
                 (double)found.z, (double)expected.x, (double)expected.y, (double)expected.z);
}

static void assert_surface(const frame *f, const float *field)
{
    ref_mesh_output out;
    uint32_t words = (uint32_t)gpu_buffer_count(f->m->buffers.case_table);
    uint32_t *table = fetch(f, f->m->buffers.case_table, words, sizeof *table);
    const ref_mesh_input in = {&f->m->params, f->blocks, f->block_count,
                               field,         table,     f->m->def.asymptotic_decider};
    float far = fabsf(f->m->params.origin.x) + 10.0f;
    assert_true(ref_mesh_extract(&in, &out));
    assert_int_equal(f->surface.vertex_count, out.vertex_count);
    assert_int_equal(f->surface.triangle_count, out.triangle_count);
    assert_memory_equal(f->surface.index, out.index, 12ull * out.triangle_count);
    for (uint32_t i = 0; i < out.vertex_count; i++) {
        assert_same_place(f->surface.position[i], out.position[i], 2e-7f * far + 1e-6f);
        if (vec3_dot(f->surface.normal[i], out.normal[i]) < 0.9999f)
            fail_msg("normal of vertex %u differs", i);
    }
    ref_mesh_free(&out);
    base_free(table);
}

static void assert_attributes(const frame *f)
{
    const mesher_surface *s = &f->surface;
    const struct mesh_params *p = &f->m->params;
    uint32_t n = f->cloud.count;
    const ref_particles all = {p, f->kind, f->lattice, n, f->shapes};
    float *value = base_alloc(n, sizeof *value);
    assert_true(value && s->velocity && s->channel_count == 3);
    assert_string_equal(s->channel[0].name, "density");
    assert_string_equal(s->channel[1].name, "fluid");
    assert_string_equal(s->channel[2].name, "neighbours");
    for (int what = 0; what < 4; what++) {
        for (uint32_t i = 0; i < n; i++)
            value[i] = what == 0   ? 2.0f * f->cloud.items[i].z
                       : what == 1 ? 1000.0f + f->cloud.items[i].x
                       : what == 2 ? (float)(i % 3)
                                   : f->neighbours[i];
        for (uint32_t i = 0; i < s->vertex_count; i += 11) {
            vec3 x = s->position[i];
            vec4 q = ref_mesh_lattice(p, (vec4){x.x, x.y, x.z, 1.0f});
            float found = what == 0 ? s->velocity[i].y : s->channel[what - 1].values[i];
            double expected = ref_mesh_interpolate(&all, value, (vec3){q.x, q.y, q.z});
            if (fabs((double)found - expected) > 1e-3 + 1e-6 * fabs(expected))
                fail_msg("attribute %d at vertex %u is %g, expected %g", what, i, (double)found,
                         expected);
        }
    }
    base_free(value);
}

static void assert_frame(frame *f)
{
    if (f->cloud.count == 0) {
        assert_int_equal(f->surface.vertex_count, 0);
        assert_int_equal(f->surface.triangle_count, 0);
        return;
    }
    assert_blocks(f);
    assert_order(f);
    assert_weights(f);
    float *field = fetch(f, f->m->buffers.field, (size_t)f->block_count * MESH_NODES_PER_BLOCK, 4);
    assert_field(f, field);
    assert_surface(f, field);
    if (f->surface.vertex_count) assert_attributes(f);
    base_free(field);
}

/* ---- tests ---------------------------------------------------------------------------------- */

static weir_mesher_def with_attributes(const char *name, float cell)
{
    weir_mesher_def def = preset(name);
    def.cell_size = cell;
    def.attributes = true;
    def.neighbours = true;
    return def;
}

/* Tests sizes around a workgroup, in a box with sparse particles, so that many radii are damped. */
static void assert_all_sizes(gpu_device *device, const weir_mesher_def *def)
{
    mesher *m = make_mesher(device, def);
    for (size_t i = 0; i < BASE_COUNT(sizes); i++) {
        float side = sizes[i] > 100 ? 14.0f : 7.0f;
        frame f = mesh_frame(m, random_cloud(sizes[i], side, (vec3){-0.31f, 0.02f, 1.17f}));
        assert_frame(&f);
        free_frame(&f);
    }
    mesher_destroy(&m);
}

static void zhu_bridson_is_as_the_reference_at_every_size(void **state)
{
    weir_mesher_def def = with_attributes("calibrated", 1.0f);
    assert_all_sizes(checked, &def);
}

static void the_colour_field_is_as_the_reference_at_every_size(void **state)
{
    weir_mesher_def def = with_attributes("sph", 0.5f);
    assert_all_sizes(checked, &def);
}

static void the_anisotropic_field_is_as_the_reference_at_every_size(void **state)
{
    weir_mesher_def def = with_attributes("anisotropic", 1.0f);
    assert_all_sizes(checked, &def);
}

/* Search radii of 1 to 32 cells: bins of 4 and of 8 cells, windows of 3 to 9 bins. */
static void every_search_radius_finds_its_particles(void **state)
{
    static const float cells[] = {4.0f, 1.3f, 1.0f, 0.9f, 0.5f, 0.3f, 0.125f};
    for (size_t i = 0; i < BASE_COUNT(cells); i++) {
        weir_mesher_def def = with_attributes("calibrated", cells[i]);
        mesher *m = make_mesher(quick, &def);
        float side = cells[i] < 0.4f ? 3.0f : 10.0f;
        frame f = mesh_frame(m, random_cloud(40, side, (vec3){-0.31f, 0.02f, 1.17f}));
        assert_frame(&f);
        free_frame(&f);
        mesher_destroy(&m);
    }
}

static void a_cloud_far_from_the_origin_is_meshed_as_well(void **state)
{
    weir_mesher_def def = with_attributes("calibrated", 1.0f);
    mesher *m = make_mesher(quick, &def);
    frame f = mesh_frame(m, random_cloud(300, 9.0f, (vec3){1000.0f, -2000.0f, 512.0f}));
    assert_frame(&f);
    free_frame(&f);
    mesher_destroy(&m);
}

/* A frame starts with the lattice of the previous one: the same, a different one, more super
 * blocks. */
static void frames_that_differ_from_the_one_before_are_meshed_as_well(void **state)
{
    static const struct {
        uint32_t count;
        float size;
        vec3 at;
    } clouds[] = {{200, 9, {0, 0, 0}},     {200, 9, {1, 0, 0}},      {200, 9, {700, 0, 0}},
                  {30, 300, {40, 40, 40}}, {900, 300, {40, 40, 40}}, {200, 150, {700, 0, 0}},
                  {200, 9, {700, 0, 0}},   {900, 300, {-9, -9, -9}}};
    weir_mesher_def def = with_attributes("calibrated", 1.0f);
    mesher *m = make_mesher(quick, &def);
    for (uint32_t i = 0; i < BASE_COUNT(clouds); i++) {
        frame f = mesh_frame(m, random_cloud(clouds[i].count, clouds[i].size, clouds[i].at));
        assert_frame(&f);
        free_frame(&f);
    }
    mesher_destroy(&m);
}

/* ---- waits ---------------------------------------------------------------------------------- */

static void assert_same_bytes(const mesher_surface *a, const mesher_surface *b)
{
    size_t n = a->vertex_count;
    assert_int_equal(a->vertex_count, b->vertex_count);
    assert_int_equal(a->triangle_count, b->triangle_count);
    assert_int_equal(a->channel_count, b->channel_count);
    assert_memory_equal(a->position, b->position, n * sizeof *a->position);
    assert_memory_equal(a->normal, b->normal, n * sizeof *a->normal);
    assert_memory_equal(a->velocity, b->velocity, n * sizeof *a->velocity);
    assert_memory_equal(a->index, b->index, 12ull * a->triangle_count);
    for (uint32_t c = 0; c < a->channel_count; c++)
        assert_memory_equal(a->channel[c].values, b->channel[c].values, 4 * n);
}

typedef struct waited {
    uint32_t count;
    float size;
    vec3 at;
    uint32_t waits; /* waits of the host for the frame */
} waited;

/* Meshes frames in sequence; each must have the same bytes as from a new mesher. */
static void assert_waits(gpu_device *device, const weir_mesher_def *def, bool speculates,
                         const waited *frames, size_t count)
{
    mesher *m = make_mesher(device, def);
    /* treats lavapipe's memory as separate from the host's, which it is not */
    m->has_readback_staging = device == quick;
    m->speculates = speculates;
    for (size_t i = 0; i < count; i++) {
        mesher *fresh = make_mesher(device, def);
        frame f = {.m = m, .cloud = random_cloud(frames[i].count, frames[i].size, frames[i].at)};
        mesher_surface expected;
        upload_attributes(&f, device);
        OK(mesher_run(fresh, &f.points, &expected, NULL));
        OK(mesher_run(m, &f.points, &f.surface, NULL));
        assert_same_bytes(&f.surface, &expected);
        assert_int_equal(m->frame.spray_count, fresh->frame.spray_count);
        if (m->frame.waits != frames[i].waits)
            fail_msg("frame %zu: the host waits %u times, expected %u", i, m->frame.waits,
                     frames[i].waits);
        mesher_surface_free(&expected);
        mesher_destroy(&fresh);
        free_frame(&f);
    }
    mesher_destroy(&m);
}

/* A frame like the previous one waits once; what does not match or does not fit is repeated. */
static void a_frame_like_the_one_before_waits_once(void **state)
{
    static const waited frames[] = {
        {200, 9, {0, 0, 0}, 5},   /* bounds, super blocks, blocks, field, surface */
        {200, 9, {0, 0, 0}, 1},   /* as before */
        {190, 9, {0, 0, 0}, 1},   /* about as much */
        {900, 25, {0, 0, 0}, 3},  /* more blocks than capacity */
        {900, 25, {0, 0, 0}, 1},  /* as before */
        {300, 25, {0, 0, 0}, 1},  /* less */
        {200, 9, {700, 0, 0}, 5}, /* another lattice: one wait in vain, and none for bounds */
        {200, 9, {700, 0, 0}, 1}, /* as before */
        {0, 9, {0, 0, 0}, 0},     /* an empty frame, which leaves nothing to reuse */
        {200, 9, {700, 0, 0}, 3},
    };
    weir_mesher_def def = with_attributes("calibrated", 1.0f);
    def.spray_neighbours = 12;
    assert_waits(quick, &def, true, frames, BASE_COUNT(frames));
    def = preset("sph");
    def.cell_size = 1.0f;
    assert_waits(checked, &def, true, frames, 4);
}

/* Nothing is computed twice where a wait is cheap. */
static void without_speculation_every_frame_waits_alike(void **state)
{
    static const waited frames[] = {{200, 9, {0, 0, 0}, 5}, {200, 9, {0, 0, 0}, 5}};
    weir_mesher_def def = with_attributes("calibrated", 1.0f);
    assert_waits(quick, &def, false, frames, BASE_COUNT(frames));
    def = with_attributes("anisotropic", 1.0f);
    assert_waits(quick, &def, false, frames, BASE_COUNT(frames));
}

/* Where the assumptions from the previous frame fail, the passes find no blocks and do no more
 * work. */
static void particles_off_the_lattice_end_the_guess(void **state)
{
    weir_mesher_def def = with_attributes("calibrated", 1.0f);
    mesher *m = make_mesher(checked, &def);
    frame f = mesh_frame(m, random_cloud(200, 9.0f, (vec3){0, 0, 0}));
    /* it extends past the lattice, which ends at 64 * 0.05 */
    cloud far = random_cloud(200, 9.0f, (vec3){2.6f, 0, 0});
    particle_view points = cloud_upload(checked, &far);
    struct mesh_params assumed;
    m->frame.points = &points;
    m->frame.positions = points.position;
    m->last_was_single_batch = m->speculates = true;
    OK(mesher_reuse_lattice(m, &assumed));
    OK(mesher_run_speculative(m, MESHER_PHASE_BOUNDS));
    const struct mesh_state *found = mesher_downloaded_state(m);
    assert_int_equal(found->overflow, 1);
    assert_int_equal(found->block_count, 0);
    assert_int_equal(found->vertex_count, 0);
    assert_int_equal(found->spray_count, 0);
    /* some particles are on the lattice */
    assert_true(mesher_downloaded_count(m, MESHER_PHASE_BLOCKS) > 0);
    particle_view_destroy(checked, &points);
    cloud_free(&far);
    free_frame(&f);
    mesher_destroy(&m);
}

/* More vertices in the same number of blocks: only the surface is repeated. Ellipsoids need the
 * lattice, so the host also waits for the bounds. */
static void a_surface_without_room_is_made_anew(void **state)
{
    static const waited growing[] = {{100, 24, {0, 0, 0}, 5}, {400, 24, {0, 0, 0}, 2}};
    static const waited ellipsoids[] = {{200, 9, {0, 0, 0}, 5}, {200, 9, {0, 0, 0}, 2}};
    weir_mesher_def def = with_attributes("calibrated", 1.0f);
    assert_waits(quick, &def, true, growing, BASE_COUNT(growing));
    def = with_attributes("anisotropic", 1.0f);
    assert_waits(quick, &def, true, ellipsoids, BASE_COUNT(ellipsoids));
}

static void the_decider_joins_faces_as_the_reference_does(void **state)
{
    weir_mesher_def def = with_attributes("sph", 0.7f);
    def.asymptotic_decider = true;
    mesher *m = make_mesher(checked, &def);
    for (uint32_t i = 0; i < 4; i++) {
        frame f = mesh_frame(m, random_cloud(700 + i, 18.0f, (vec3){0.0f, 0.0f, 0.0f}));
        assert_frame(&f);
        census c = take_census(&f.surface);
        assert_closed_manifold(&c);
        free_frame(&f);
    }
    mesher_destroy(&m);
}

static void spray_leaves_the_surface_and_comes_back_as_points(void **state)
{
    for (int kind = 0; kind < 2; kind++) {
        weir_mesher_def def = with_attributes(kind ? "sph" : "calibrated", 1.0f);
        def.spray_neighbours = kind ? 1 : 12;
        mesher *m = make_mesher(checked, &def);
        frame f = mesh_frame(m, random_cloud(150, 14.0f, (vec3){0.0f, 0.0f, 0.0f}));
        assert_true(f.spray.count > 0 && f.spray.count < 150);
        uint32_t at = 0;
        assert_frame(&f);
        for (uint32_t i = 0; i < f.cloud.count; i++) {
            if (f.lattice[i].w > 0.0f) continue;
            assert_memory_equal(&f.spray.position[at], &f.cloud.items[i], sizeof(vec3));
            assert_true(f.spray.velocity[at].x == f.cloud.items[i].y);
            at++;
        }
        assert_int_equal(at, f.spray.count);
        free_frame(&f);
        mesher_destroy(&m);
    }
}

/* Tests the sort alone with 100,000 particles: brute force would take too long for the rest. */
static void the_order_of_many_particles_is_that_of_a_stable_sort(void **state)
{
    weir_mesher_def def = preset("calibrated");
    mesher *m = make_mesher(quick, &def);
    frame f = mesh_frame(m, random_cloud(100000, 50.0f, (vec3){-1.0f, -1.0f, -1.0f}));
    assert_blocks(&f);
    assert_order(&f);
    free_frame(&f);
    mesher_destroy(&m);
}

/* test_mesh_kernels [FILTER]: runs only the tests that match FILTER (with * and ?). */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(zhu_bridson_is_as_the_reference_at_every_size),
        cmocka_unit_test(the_colour_field_is_as_the_reference_at_every_size),
        cmocka_unit_test(the_anisotropic_field_is_as_the_reference_at_every_size),
        cmocka_unit_test(every_search_radius_finds_its_particles),
        cmocka_unit_test(a_cloud_far_from_the_origin_is_meshed_as_well),
        cmocka_unit_test(frames_that_differ_from_the_one_before_are_meshed_as_well),
        cmocka_unit_test(a_frame_like_the_one_before_waits_once),
        cmocka_unit_test(without_speculation_every_frame_waits_alike),
        cmocka_unit_test(a_surface_without_room_is_made_anew),
        cmocka_unit_test(particles_off_the_lattice_end_the_guess),
        cmocka_unit_test(the_decider_joins_faces_as_the_reference_does),
        cmocka_unit_test(spray_leaves_the_surface_and_comes_back_as_points),
        cmocka_unit_test(the_order_of_many_particles_is_that_of_a_stable_sort),
    };
    if (argc > 1) cmocka_set_test_filter(argv[1]);
    return cmocka_run_group_tests(tests, open_devices, close_devices);
}
