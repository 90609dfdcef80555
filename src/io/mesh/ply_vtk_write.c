/* Writes meshes as binary PLY and as legacy VTK polydata. */
#include "io_internal.h"

enum { WORD = 4, ROW_WORDS_MAX = 12 + IO_MESH_CHANNELS * 4 };

static inline uint8_t *put_word(uint8_t *out, uint32_t word, bool big_endian)
{
    for (int i = 0; i < WORD; i++)
        out[i] = (uint8_t)(word >> 8 * (big_endian ? 3 - i : i));
    return out + WORD;
}

static inline uint8_t *put_vector(uint8_t *out, vec3 v, bool big_endian)
{
    out = put_word(out, io_float_bits(v.x), big_endian);
    out = put_word(out, io_float_bits(v.y), big_endian);
    return put_word(out, io_float_bits(v.z), big_endian);
}

/* Writes a position: 32 bits a number, or 64 if the mesh has an origin. */
static uint8_t *put_position(uint8_t *out, const io_mesh_output *mesh, uint64_t vertex,
                             bool big_endian)
{
    vec3 p = io_mesh_transform_position(mesh->def, mesh->mesh->position[vertex]);
    const float local[3] = {p.x, p.y, p.z};
    if (!io_mesh_has_origin(mesh->def)) return put_vector(out, p, big_endian);
    for (int axis = 0; axis < 3; axis++) {
        const uint64_t bits = io_double_bits(mesh->def->origin[axis] + (double)local[axis]);
        out = put_word(out, (uint32_t)(bits >> (big_endian ? 32 : 0)), big_endian);
        out = put_word(out, (uint32_t)(bits >> (big_endian ? 0 : 32)), big_endian);
    }
    return out;
}

static size_t position_words(const io_mesh_output *out)
{
    return io_mesh_has_origin(out->def) ? 6 : 3;
}

static const char *position_type(const io_mesh_output *out)
{
    return io_mesh_has_origin(out->def) ? "double" : "float";
}

/* ---- PLY ------------------------------------------------------------------------------------ */

static uint8_t *put_ply_vertices(const void *user, uint64_t first, uint64_t end, uint8_t *at)
{
    const io_mesh_output *out = user;
    const io_mesh_view *mesh = out->mesh;
    for (uint64_t i = first; i < end; i++) {
        at = put_position(at, out, i, false);
        if (mesh->normal)
            at = put_vector(at, io_mesh_transform_direction(out->def, mesh->normal[i]), false);
        if (mesh->velocity)
            at = put_vector(at, io_mesh_transform_position(out->def, mesh->velocity[i]), false);
        for (uint32_t c = 0; c < mesh->channel_count; c++) {
            const io_mesh_channel *channel = &mesh->channels[c];
            for (uint32_t k = 0; k < channel->components; k++)
                at = put_word(at, io_float_bits(channel->values[i * channel->components + k]),
                              false);
        }
    }
    return at;
}

static uint8_t *put_ply_faces(const void *user, uint64_t first, uint64_t end, uint8_t *at)
{
    const io_mesh_output *out = user;
    for (uint64_t i = 3 * first; i < 3 * end; i++) {
        if (i % 3 == 0) *at++ = 3;
        at = put_word(at, out->mesh->index[i], false);
    }
    return at;
}

static void name_channels(const io_mesh_output *out)
{
    static const char axes[] = "xyzw";
    for (uint32_t c = 0; c < out->mesh->channel_count; c++) {
        const io_mesh_channel *channel = &out->mesh->channels[c];
        if (channel->components == 1)
            io_writer_put_text(out->writer, "property float %s\n", channel->name);
        for (uint32_t k = 0; channel->components > 1 && k < channel->components; k++)
            io_writer_put_text(out->writer, "property float %s_%c\n", channel->name, axes[k & 3]);
    }
}

static size_t row_words(const io_mesh_output *out)
{
    const io_mesh_view *mesh = out->mesh;
    size_t words = position_words(out) + (mesh->normal ? 3u : 0u) + (mesh->velocity ? 3u : 0u);
    for (uint32_t c = 0; c < mesh->channel_count; c++)
        words += mesh->channels[c].components;
    WEIR_ASSERT(words <= ROW_WORDS_MAX);
    return words;
}

void io_ply_write_mesh(const io_mesh_output *out)
{
    const io_mesh_view *mesh = out->mesh;
    const io_array_part parts[] = {
        {mesh->vertex_count, WORD * row_words(out), put_ply_vertices, out},
        {mesh->triangle_count, 1 + 3 * WORD, put_ply_faces, out},
    };
    char time[32];
    io_print_decimal(time, out->def->time_s);
    io_writer_put_text(out->writer, "ply\nformat binary_little_endian 1.0\n");
    io_writer_put_text(out->writer, "comment Weir surface, %s up, velocity per second\n",
                       out->def->turn == WEIR_AXIS_CONVERSION_Y_TO_Z ? "z" : "y");
    io_writer_put_text(out->writer, "comment time_s=%s\nelement vertex %u\n", time,
                       mesh->vertex_count);
    for (const char *axis = "xyz"; *axis; axis++)
        io_writer_put_text(out->writer, "property %s %c\n", position_type(out), *axis);
    if (mesh->normal)
        io_writer_put_text(out->writer,
                           "property float nx\nproperty float ny\nproperty float nz\n");
    if (mesh->velocity)
        io_writer_put_text(out->writer,
                           "property float vx\nproperty float vy\nproperty float vz\n");
    name_channels(out);
    /* Many readers do not support unsigned indices. */
    io_writer_put_text(out->writer,
                       "element face %u\nproperty list uchar %s vertex_indices\nend_header\n",
                       mesh->triangle_count, mesh->vertex_count > INT32_MAX ? "uint" : "int");
    for (size_t i = 0; i < BASE_COUNT(parts); i++)
        io_write_array_part(out, &parts[i]);
}

/* ---- legacy VTK ----------------------------------------------------------------------------- */

typedef struct vector_channel {
    const io_mesh_write_def *def;
    const vec3 *items;
    vec3 (*change)(const io_mesh_write_def *def, vec3 v);
} vector_channel;

static uint8_t *put_vtk_vectors(const void *user, uint64_t first, uint64_t end, uint8_t *at)
{
    const vector_channel *vector_channel = user;
    for (uint64_t i = first; i < end; i++)
        at = put_vector(at, vector_channel->change(vector_channel->def, vector_channel->items[i]),
                        true);
    return at;
}

static uint8_t *put_vtk_positions(const void *user, uint64_t first, uint64_t end, uint8_t *at)
{
    for (uint64_t i = first; i < end; i++)
        at = put_position(at, user, i, true);
    return at;
}

static uint8_t *put_vtk_floats(const void *user, uint64_t first, uint64_t end, uint8_t *at)
{
    const float *values = user;
    for (uint64_t i = first; i < end; i++)
        at = put_word(at, io_float_bits(values[i]), true);
    return at;
}

static uint8_t *put_vtk_faces(const void *user, uint64_t first, uint64_t end, uint8_t *at)
{
    const uint32_t *index = user;
    for (uint64_t i = 3 * first; i < 3 * end; i++) {
        if (i % 3 == 0) at = put_word(at, 3, true);
        at = put_word(at, index[i], true);
    }
    return at;
}

static void write_array(const io_mesh_output *out, const io_array_part *part)
{
    io_write_array_part(out, part);
    io_writer_put_text(out->writer, "\n");
}

static void write_vtk_fields(const io_mesh_output *out)
{
    const io_mesh_view *mesh = out->mesh;
    const vector_channel velocity = {out->def, mesh->velocity, io_mesh_transform_position};
    uint32_t arrays = mesh->channel_count + (mesh->velocity ? 1 : 0);
    if (arrays == 0) return;
    io_writer_put_text(out->writer, "FIELD FieldData %u\n", arrays);
    if (mesh->velocity) {
        io_writer_put_text(out->writer, "velocity 3 %u float\n", mesh->vertex_count);
        write_array(out,
                    &(io_array_part){mesh->vertex_count, 3 * WORD, put_vtk_vectors, &velocity});
    }
    for (uint32_t c = 0; c < mesh->channel_count; c++) {
        const io_mesh_channel *channel = &mesh->channels[c];
        io_writer_put_text(out->writer, "%s %u %u float\n", channel->name, channel->components,
                           mesh->vertex_count);
        write_array(out, &(io_array_part){(uint64_t)mesh->vertex_count * channel->components, WORD,
                                          put_vtk_floats, channel->values});
    }
}

void io_vtk_write_mesh(const io_mesh_output *out)
{
    const io_mesh_view *mesh = out->mesh;
    const vector_channel normal = {out->def, mesh->normal, io_mesh_transform_direction};
    char time[32];
    io_print_decimal(time, out->def->time_s);
    io_writer_put_text(out->writer, "# vtk DataFile Version 3.0\nWeir surface, time_s=%s\nBINARY\n",
                       time);
    io_writer_put_text(out->writer, "DATASET POLYDATA\nPOINTS %u %s\n", mesh->vertex_count,
                       position_type(out));
    write_array(out, &(io_array_part){mesh->vertex_count, WORD * position_words(out),
                                      put_vtk_positions, out});
    io_writer_put_text(out->writer, "POLYGONS %u %llu\n", mesh->triangle_count,
                       4ull * mesh->triangle_count);
    write_array(out, &(io_array_part){mesh->triangle_count, 4 * WORD, put_vtk_faces, mesh->index});
    io_writer_put_text(out->writer, "POINT_DATA %u\n", mesh->vertex_count);
    if (mesh->normal) {
        io_writer_put_text(out->writer, "NORMALS normals float\n");
        write_array(out, &(io_array_part){mesh->vertex_count, 3 * WORD, put_vtk_vectors, &normal});
    }
    write_vtk_fields(out);
}
