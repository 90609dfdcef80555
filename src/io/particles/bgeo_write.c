/* Writes particles and meshes as BGEO version 5: the points with their attributes, and a mesh's
 * triangles in runs. Houdini's polygons are clockwise seen from outside. */
#include "io_internal.h"

enum { RUN_MAX = 65535 }; /* a run counts its polygons with 16 bits */

static void put_counts(io_gzip_writer *packer, uint32_t points, uint32_t primitives,
                       uint32_t attributes)
{
    /* Version, points, primitives, groups of both, attributes of points, vertices, primitives and
     * detail. */
    const uint32_t counts[] = {5, points, primitives, 0, 0, attributes, 0, 0, 0};
    io_gzip_put_text(packer, "BgeoV");
    for (size_t i = 0; i < BASE_COUNT(counts); i++)
        io_gzip_put_u32(packer, counts[i]);
}

static void put_attribute(io_gzip_writer *packer, const char *name, uint32_t words, uint32_t type)
{
    io_gzip_put_uint(packer, strlen(name), 2);
    io_gzip_put_text(packer, name);
    io_gzip_put_uint(packer, words, 2);
    io_gzip_put_u32(packer, type);
    for (uint32_t k = 0; k < words; k++)
        io_gzip_put_u32(packer, 0); /* default of each word */
}

static void put_vector(io_gzip_writer *packer, vec3 v)
{
    io_gzip_put_u32(packer, io_float_bits(v.x));
    io_gzip_put_u32(packer, io_float_bits(v.y));
    io_gzip_put_u32(packer, io_float_bits(v.z));
}

/* Writes a position with its fourth coordinate, 1. */
static void put_position(io_gzip_writer *packer, vec3 position)
{
    put_vector(packer, position);
    io_gzip_put_u32(packer, io_float_bits(1.0f));
}

static void close_gzip_writer(io_gzip_writer *packer)
{
    io_gzip_put_uint(packer, IO_BGEO_NO_EXTRAS, 2);
    io_gzip_close(packer);
}

/* ---- particles ------------------------------------------------------------------------------- */

typedef struct output_attribute {
    const char *name;
    uint16_t words;
    uint32_t type;
    uint32_t field;
} output_attribute;

static const output_attribute outputs[] = {
    {"v", 3, IO_BGEO_VECTOR, WEIR_FIELD_VELOCITY},
    {"id", 1, IO_BGEO_INT, WEIR_FIELD_ID},
    {"fluid", 1, IO_BGEO_INT, WEIR_FIELD_FLUID},
    {"pscale", 1, IO_BGEO_FLOAT, IO_FIELD_RADII},
    {"density", 1, IO_BGEO_FLOAT, WEIR_FIELD_DENSITY},
    {"kind", 1, IO_BGEO_INT, IO_FIELD_KIND},
    {"age", 1, IO_BGEO_FLOAT, IO_FIELD_AGE},
    {"life", 1, IO_BGEO_FLOAT, IO_FIELD_LIFETIME},
};

static bool is_written(const io_particle_output *frame, const output_attribute *output_attribute)
{
    if (output_attribute->field == IO_FIELD_RADII && frame->radius_m > 0) return true;
    return frame->columns.fields >> output_attribute->field & 1u;
}

static void put_value(io_gzip_writer *packer, const io_particle_output *frame, size_t i,
                      uint32_t field)
{
    const io_particles *particles = frame->particles;
    const float *radius = particles->radius;
    switch (field) {
    case WEIR_FIELD_VELOCITY: put_vector(packer, particles->velocity[i]); break;
    case WEIR_FIELD_ID: io_gzip_put_u32(packer, particles->id[i]); break;
    case WEIR_FIELD_FLUID: io_gzip_put_u32(packer, particles->fluid[i]); break;
    case WEIR_FIELD_DENSITY: io_gzip_put_u32(packer, io_float_bits(particles->density[i])); break;
    case IO_FIELD_KIND: io_gzip_put_u32(packer, particles->kind[i]); break;
    case IO_FIELD_AGE: io_gzip_put_u32(packer, io_float_bits(particles->age[i])); break;
    case IO_FIELD_LIFETIME: io_gzip_put_u32(packer, io_float_bits(particles->lifetime[i])); break;
    default: io_gzip_put_u32(packer, io_float_bits(radius ? radius[i] : frame->radius_m)); break;
    }
}

static void put_particles(io_gzip_writer *packer, const io_particle_output *frame)
{
    uint32_t attributes = 0;
    const base_attributes *named = &frame->particles->attributes;
    const float *values = frame->particles->attribute_values;
    for (size_t i = 0; i < BASE_COUNT(outputs); i++)
        attributes += is_written(frame, &outputs[i]);
    if (values) attributes += named->count;
    put_counts(packer, frame->particles->count, 0, attributes);
    for (size_t i = 0; i < BASE_COUNT(outputs); i++)
        if (is_written(frame, &outputs[i]))
            put_attribute(packer, outputs[i].name, outputs[i].words, outputs[i].type);
    for (uint32_t i = 0; values && i < named->count; i++)
        put_attribute(packer, named->items[i].name, named->items[i].components, IO_BGEO_FLOAT);
    for (size_t i = 0; i < frame->particles->count; i++) {
        put_position(packer, frame->particles->position[i]);
        for (size_t k = 0; k < BASE_COUNT(outputs); k++)
            if (is_written(frame, &outputs[k])) put_value(packer, frame, i, outputs[k].field);
        for (uint32_t k = 0; values && k < named->components; k++)
            io_gzip_put_u32(packer, io_float_bits(values[i * named->components + k]));
    }
}

void io_bgeo_write(const io_particle_output *frame, io_writer *writer)
{
    io_gzip_writer *packer = io_gzip_open(frame->log, frame->path, writer);
    if (!packer) return;
    put_particles(packer, frame);
    close_gzip_writer(packer);
}

/* ---- meshes ---------------------------------------------------------------------------------- */

static void put_mesh_header(io_gzip_writer *packer, const io_mesh_view *mesh)
{
    const uint32_t attributes =
        mesh->channel_count + (mesh->normal ? 1 : 0) + (mesh->velocity ? 1 : 0);
    put_counts(packer, mesh->vertex_count, mesh->triangle_count, attributes);
    if (mesh->normal) put_attribute(packer, "N", 3, IO_BGEO_VECTOR);
    if (mesh->velocity) put_attribute(packer, "v", 3, IO_BGEO_VECTOR);
    for (uint32_t c = 0; c < mesh->channel_count; c++)
        put_attribute(packer, mesh->channels[c].name, mesh->channels[c].components, IO_BGEO_FLOAT);
}

static void put_points(io_gzip_writer *packer, const io_mesh_output *out)
{
    const io_mesh_view *mesh = out->mesh;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        put_position(packer, io_mesh_transform_position(out->def, mesh->position[i]));
        if (mesh->normal)
            put_vector(packer, io_mesh_transform_direction(out->def, mesh->normal[i]));
        if (mesh->velocity)
            put_vector(packer, io_mesh_transform_position(out->def, mesh->velocity[i]));
        for (uint32_t c = 0; c < mesh->channel_count; c++) {
            const io_mesh_channel *channel = &mesh->channels[c];
            for (uint32_t k = 0; k < channel->components; k++)
                io_gzip_put_u32(packer,
                                io_float_bits(channel->values[i * channel->components + k]));
        }
    }
}

static void put_triangles(io_gzip_writer *packer, const io_mesh_view *mesh)
{
    size_t index_size = mesh->vertex_count > IO_BGEO_SHORT_POINTS ? 4 : 2;
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *corner = mesh->index + 3 * (size_t)i;
        if (i % RUN_MAX == 0) {
            uint32_t left = mesh->triangle_count - i;
            io_gzip_put_u32(packer, IO_BGEO_RUN);
            io_gzip_put_uint(packer, left < RUN_MAX ? left : RUN_MAX, 2);
            io_gzip_put_u32(packer, IO_BGEO_POLYGON);
        }
        io_gzip_put_u32(packer, 3);
        io_gzip_put_uint(packer, IO_BGEO_CLOSED, 1);
        io_gzip_put_uint(packer, corner[0], index_size);
        io_gzip_put_uint(packer, corner[2], index_size);
        io_gzip_put_uint(packer, corner[1], index_size);
    }
}

void io_bgeo_write_mesh(const io_mesh_output *out)
{
    io_gzip_writer *packer = io_gzip_open(out->log, out->def->path, out->writer);
    if (!packer) return;
    put_mesh_header(packer, out->mesh);
    put_points(packer, out);
    put_triangles(packer, out->mesh);
    close_gzip_writer(packer);
}
