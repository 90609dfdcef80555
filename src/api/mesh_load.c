/* Meshes of files, to be drawn. */
#include "picture_internal.h"

static vec3 turned(vec3 v, weir_turn turn)
{
    if (turn == WEIR_TURN_Y_TO_Z) return vec3_make(v.x, -v.z, v.y);
    if (turn == WEIR_TURN_Z_TO_Y) return vec3_make(v.x, v.z, -v.y);
    return v;
}

/* The surface takes the arrays. */
static mesher_surface surface_of(api_triangles *t)
{
    mesher_surface surface = {.vertex_count = (uint32_t)t->vertices.count,
                              .triangle_count = (uint32_t)(t->indices.count / 3),
                              .position = t->vertices.items,
                              .normal = t->normals.items,
                              .index = t->indices.items};
    *t = (api_triangles){0};
    return surface;
}

weir_result weir_mesh_load(weir_device *device, const char *path, weir_turn turn, double scale,
                           weir_mesh **mesh)
{
    const weir_log *log = api_log(device);
    weir_result result;
    io_mesh file = {0};
    api_triangles triangles = {0};
    WEIR_REQUIRE_OUT(log, mesh);
    WEIR_REQUIRE_GIVEN(log, device);
    WEIR_REQUIRE(log, path && path[0], "`path` must name a file");
    WEIR_REQUIRE(log, (uint32_t)turn <= WEIR_TURN_Z_TO_Y, "`turn` must be a weir_turn");
    WEIR_REQUIRE(log, scale > 0 && isfinite(scale), "`scale` must be a finite number above 0");
    WEIR_TRY(io_mesh_read(log, path, &file));
    for (uint32_t i = 0; i < file.vertex_count; i++)
        file.vertices[i] = vec3_scale(turned(file.vertices[i], turn), (float)scale);
    for (size_t i = 0; file.normals && i < 3 * (size_t)file.triangle_count; i++)
        file.normals[i] = turned(file.normals[i], turn);
    weir_mesh *made = base_alloc(1, sizeof *made);
    if (made && api_put_sharp(&file, &triangles)) {
        made->device = api_device_lend(device, API_MESH);
        made->surface = surface_of(&triangles);
        *mesh = made;
        made = NULL;
    } else {
        result = base_fail(log, WEIR_MEMORY, "%s: no memory for its %u triangles", path,
                           file.triangle_count);
    }
    base_free(made);
fail:
    api_triangles_free(&triangles);
    io_mesh_free(&file);
    return result;
}
