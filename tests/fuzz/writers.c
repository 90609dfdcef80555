/* Targets for writers: what a writer wrote, its reader reads back unchanged. The input's bytes
   determine what is written; a read past their end yields zeros. */
#include "fuzz.h"
#include "io.h"

static uint32_t take_byte(fuzz_input *rest)
{
    if (rest->size == 0) return 0;
    rest->size--;
    return *rest->bytes++;
}

static uint32_t take_word(fuzz_input *rest)
{
    uint32_t word = 0;
    for (uint32_t i = 0; i < 4; i++)
        word |= take_byte(rest) << 8 * i;
    return word;
}

/* Returns any float except NaN and the infinities. */
static float take_float(fuzz_input *rest)
{
    uint32_t word = take_word(rest);
    float number;
    memcpy(&number, &word, sizeof number);
    if (isfinite(number)) return number;
    word &= 0xbfffffffu; /* a smaller exponent */
    memcpy(&number, &word, sizeof number);
    return number;
}

static void take_vectors(fuzz_input *rest, vec3 *to, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        to[i].x = take_float(rest);
        to[i].y = take_float(rest);
        to[i].z = take_float(rest);
    }
}

static void check_array(const void *got, const void *wanted, size_t size)
{
    WEIR_ASSERT((got != NULL) == (wanted != NULL));
    WEIR_ASSERT(!wanted || memcmp(got, wanted, size) == 0);
}

/* ---- particles ------------------------------------------------------------------------------ */

enum { MOST = 20 };

typedef struct cloud {
    vec3 position[MOST], velocity[MOST];
    uint32_t id[MOST], fluid[MOST];
    float density[MOST];
} cloud;

/* Returns the fields that files of this format preserve: raw files hold only positions, and
   NPY's columns, all floats, have no names. */
static uint32_t fields_of(weir_particle_format format, uint32_t wanted)
{
    const uint32_t position = 1u << WEIR_FIELD_POSITION, velocity = 1u << WEIR_FIELD_VELOCITY;
    if (format == WEIR_PARTICLE_FORMAT_RAW) return position;
    if (format == WEIR_PARTICLE_FORMAT_NPY) return position | (wanted & velocity);
    return position | wanted;
}

static void check_particles(const io_particles *got, const io_particles *wanted, uint32_t fields)
{
    const size_t n = wanted->count;
    const bool velocity = fields >> WEIR_FIELD_VELOCITY & 1u, id = fields >> WEIR_FIELD_ID & 1u;
    const bool fluid = fields >> WEIR_FIELD_FLUID & 1u, density = fields >> WEIR_FIELD_DENSITY & 1u;
    WEIR_ASSERT(got->count == n);
    check_array(got->position, wanted->position, n * sizeof(vec3));
    check_array(got->velocity, velocity ? wanted->velocity : NULL, n * sizeof(vec3));
    check_array(got->id, id ? wanted->id : NULL, n * sizeof(uint32_t));
    check_array(got->fluid, fluid ? wanted->fluid : NULL, n * sizeof(uint32_t));
    check_array(got->density, density ? wanted->density : NULL, n * sizeof(float));
}

bool fuzz_write_particles(const fuzz_input *input)
{
    fuzz_input rest = *input;
    cloud c;
    io_particles back;
    const weir_particle_format format =
        (weir_particle_format)(take_byte(&rest) % WEIR_PARTICLE_FORMAT_COUNT);
    const uint32_t all = (1u << WEIR_FIELD_COUNT) - 1;
    const uint32_t fields = fields_of(format, take_byte(&rest) & all);
    const io_particles particles = {.count = take_byte(&rest) % (MOST + 1),
                                    .position = c.position,
                                    .velocity = c.velocity,
                                    .id = c.id,
                                    .fluid = c.fluid,
                                    .density = c.density};
    take_vectors(&rest, c.position, particles.count);
    take_vectors(&rest, c.velocity, particles.count);
    for (uint32_t i = 0; i < particles.count; i++) {
        c.id[i] = take_word(&rest);
        c.fluid[i] = take_word(&rest);
        c.density[i] = take_float(&rest);
    }
    char *path = base_format("%s.%s", input->path, io_format_extension(format));
    WEIR_ASSERT(path);
    const io_particles_write_def def = {path, format, fields, fabsf(take_float(&rest))};
    WEIR_ASSERT(io_particles_write(&fuzz_log, &particles, &def) == WEIR_OK);
    WEIR_ASSERT(io_particles_read(&fuzz_log, path, &back) == WEIR_OK);
    check_particles(&back, &particles, fields);
    io_particles_free(&back);
    base_file_remove(NULL, path);
    base_free(path);
    return true;
}

/* ---- meshes --------------------------------------------------------------------------------- */

/* OBJ has as many decimals as the largest coordinate permits. */
static void check_positions(const io_mesh *got, const io_mesh_view *wanted, weir_mesh_format format)
{
    float largest = 1e-3f;
    const float *a = &got->vertices[0].x, *b = &wanted->position[0].x;
    if (format != WEIR_MESH_FORMAT_OBJ) {
        check_array(got->vertices, wanted->position, wanted->vertex_count * sizeof(vec3));
        return;
    }
    for (uint32_t i = 0; i < 3 * wanted->vertex_count; i++)
        largest = fmaxf(largest, fabsf(b[i]));
    for (uint32_t i = 0; i < 3 * wanted->vertex_count; i++)
        WEIR_ASSERT(fabs((double)a[i] - (double)b[i]) <= 1e-6 * (double)largest);
}

bool fuzz_write_mesh(const fuzz_input *input)
{
    fuzz_input rest = *input;
    vec3 position[MOST], velocity[MOST];
    float density[MOST];
    uint32_t index[3 * MOST];
    io_mesh back;
    const uint32_t format = take_byte(&rest) % WEIR_MESH_FORMAT_COUNT, what = take_byte(&rest);
    io_mesh_view view = {.vertex_count = 1 + take_byte(&rest) % MOST,
                         .triangle_count = 1 + take_byte(&rest) % MOST,
                         .position = position,
                         .velocity = what & 1u ? velocity : NULL,
                         .index = index,
                         .channel_count = what >> 1 & 1u,
                         .channels = {{"density", 1, density}}};
    take_vectors(&rest, position, view.vertex_count);
    take_vectors(&rest, velocity, view.vertex_count);
    for (uint32_t i = 0; i < view.vertex_count; i++)
        density[i] = take_float(&rest);
    for (uint32_t i = 0; i < 3 * view.triangle_count; i++)
        index[i] = take_byte(&rest) % view.vertex_count;
    char *path =
        base_format("%s.%s", input->path, io_mesh_format_extension((weir_mesh_format)format));
    WEIR_ASSERT(path);
    const io_mesh_write_def def = {
        .path = path, .format = (weir_mesh_format)format, .scale = 1, .threads = 1};
    WEIR_ASSERT(io_mesh_write(&fuzz_log, &view, &def) == WEIR_OK);
    WEIR_ASSERT(io_mesh_read(&fuzz_log, path, &back) == WEIR_OK);
    WEIR_ASSERT(back.vertex_count == view.vertex_count);
    WEIR_ASSERT(back.triangle_count == view.triangle_count);
    check_positions(&back, &view, def.format);
    check_array(back.indices, index, 3 * view.triangle_count * sizeof *index);
    io_mesh_free(&back);
    base_file_remove(NULL, path);
    base_free(path);
    return true;
}

/* ---- tagged state files --------------------------------------------------------------------- */

bool fuzz_write_state(const fuzz_input *input)
{
    fuzz_input rest = *input;
    io_block blocks[MOST];
    io_block_file back;
    const size_t count = take_byte(&rest) % (MOST + 1);
    for (size_t i = 0; i < count; i++) {
        size_t size = take_byte(&rest);
        if (size > rest.size) size = rest.size;
        snprintf(blocks[i].tag, sizeof blocks[i].tag, "block%zu", i);
        blocks[i].bytes = rest.bytes;
        blocks[i].size = size;
        rest.bytes += size;
        rest.size -= size;
    }
    WEIR_ASSERT(io_block_file_write(&fuzz_log, input->path, "fuzzing", blocks, count) == WEIR_OK);
    WEIR_ASSERT(io_block_file_read(&fuzz_log, input->path, "fuzzing", &back) == WEIR_OK);
    WEIR_ASSERT(back.count == count);
    for (size_t i = 0; i < count; i++) {
        const io_block *block = io_block_find(back.blocks, back.count, blocks[i].tag);
        WEIR_ASSERT(block && block->size == blocks[i].size);
        WEIR_ASSERT(memcmp(block->bytes, blocks[i].bytes, blocks[i].size) == 0);
    }
    io_block_file_free(&back);
    return true;
}
