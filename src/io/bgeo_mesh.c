/* Meshes as BGEO version 5: points with P, N, v and channels, then triangles in runs. Houdini's
 * polygons go clockwise seen from outside. */
#include "io_internal.h"

enum { RUN_MAX = 65535 }; /* a run counts its polygons with 16 bits */

static void put_attribute(io_packer *packer, const char *name, uint32_t words, uint32_t type)
{
    io_pack(packer, strlen(name), 2);
    io_pack_text(packer, name);
    io_pack(packer, words, 2);
    io_pack_u32(packer, type);
    for (uint32_t k = 0; k < words; k++)
        io_pack_u32(packer, 0); /* the default of each */
}

static void put_header(io_packer *packer, const io_mesh_view *mesh)
{
    const uint32_t attributes =
        mesh->channel_count + (mesh->normal ? 1 : 0) + (mesh->velocity ? 1 : 0);
    /* version, points, primitives, groups of both, attributes of points, vertices, primitives and
     * the whole */
    const uint32_t counts[] = {5, mesh->vertex_count, mesh->triangle_count, 0, 0, attributes, 0, 0,
                               0};
    io_pack_text(packer, "BgeoV");
    for (size_t i = 0; i < BASE_COUNT(counts); i++)
        io_pack_u32(packer, counts[i]);
    if (mesh->normal) put_attribute(packer, "N", 3, IO_BGEO_VECTOR);
    if (mesh->velocity) put_attribute(packer, "v", 3, IO_BGEO_VECTOR);
    for (uint32_t c = 0; c < mesh->channel_count; c++)
        put_attribute(packer, mesh->channels[c].name, mesh->channels[c].components, IO_BGEO_FLOAT);
}

static void put_vector(io_packer *packer, vec3 v)
{
    io_pack_u32(packer, io_float_bits(v.x));
    io_pack_u32(packer, io_float_bits(v.y));
    io_pack_u32(packer, io_float_bits(v.z));
}

static void put_points(io_packer *packer, const io_mesh_out *out)
{
    const io_mesh_view *mesh = out->mesh;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        put_vector(packer, io_mesh_place(out->def, mesh->position[i]));
        io_pack_u32(packer, io_float_bits(1.0f));
        if (mesh->normal) put_vector(packer, io_mesh_turn(out->def, mesh->normal[i]));
        if (mesh->velocity) put_vector(packer, io_mesh_place(out->def, mesh->velocity[i]));
        for (uint32_t c = 0; c < mesh->channel_count; c++) {
            const io_mesh_channel *channel = &mesh->channels[c];
            for (uint32_t k = 0; k < channel->components; k++)
                io_pack_u32(packer, io_float_bits(channel->values[i * channel->components + k]));
        }
    }
}

static void put_triangles(io_packer *packer, const io_mesh_view *mesh)
{
    size_t index_size = mesh->vertex_count > IO_BGEO_SHORT_POINTS ? 4 : 2;
    for (uint32_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *corner = mesh->index + 3 * (size_t)i;
        if (i % RUN_MAX == 0) {
            uint32_t left = mesh->triangle_count - i;
            io_pack_u32(packer, IO_BGEO_RUN);
            io_pack(packer, left < RUN_MAX ? left : RUN_MAX, 2);
            io_pack_u32(packer, IO_BGEO_POLYGON);
        }
        io_pack_u32(packer, 3);
        io_pack(packer, IO_BGEO_CLOSED, 1);
        io_pack(packer, corner[0], index_size);
        io_pack(packer, corner[2], index_size);
        io_pack(packer, corner[1], index_size);
    }
}

void io_bgeo_write_mesh(const io_mesh_out *out)
{
    io_packer *packer = io_packer_open(out->log, out->def->path, out->sink);
    if (!packer) return;
    put_header(packer, out->mesh);
    put_points(packer, out);
    put_triangles(packer, out->mesh);
    io_pack(packer, IO_BGEO_NO_EXTRAS, 2);
    io_packer_close(packer);
}
