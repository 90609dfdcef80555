/* Public API that loads mesh files: weir_mesh_load. */
#include "geometry.h"
#include "renderer_internal.h"

static vec3 convert_axes(vec3 v, weir_axis_conversion turn)
{
    if (turn == WEIR_AXIS_CONVERSION_Y_TO_Z) return vec3_make(v.x, -v.z, v.y);
    if (turn == WEIR_AXIS_CONVERSION_Z_TO_Y) return vec3_make(v.x, v.z, -v.y);
    return v;
}

/* Moves the arrays into a surface, which then owns them. */
static mesher_surface surface_from_triangles(triangle_list *t)
{
    mesher_surface surface = {.vertex_count = (uint32_t)t->vertices.count,
                              .triangle_count = (uint32_t)(t->indices.count / 3),
                              .position = t->vertices.items,
                              .normal = t->normals.items,
                              .index = t->indices.items};
    *t = (triangle_list){0};
    return surface;
}

/* Reads a mesh relative to *origin, or to an origin that is chosen and stored there. */
static weir_result read_from_origin(const weir_log *log, const char *path, double origin[3],
                                    io_mesh *file)
{
    static const double zero[3] = {0, 0, 0};
    bool chooses = origin && origin[0] == 0 && origin[1] == 0 && origin[2] == 0;
    if (!chooses) return io_mesh_read_at(log, path, origin ? origin : zero, file);
    WEIR_RETURN_IF_ERROR(io_mesh_read(log, path, file));
    memcpy(origin, file->origin, sizeof file->origin);
    return WEIR_OK;
}

weir_mesh_load_def weir_mesh_load_def_default(void)
{
    return (weir_mesh_load_def){.cookie = API_MESH_LOAD_COOKIE, .scale = 1.0};
}

static weir_result check_load_def(const weir_log *log, const weir_mesh_load_def *def)
{
    WEIR_REQUIRE_DEF(log, def, API_MESH_LOAD_COOKIE, "mesh_load");
    WEIR_REQUIRE(log, (uint32_t)def->axis_conversion <= WEIR_AXIS_CONVERSION_Z_TO_Y,
                 "`axis_conversion` must be a weir_axis_conversion");
    WEIR_REQUIRE(log, def->scale > 0 && isfinite(def->scale),
                 "`scale` must be a finite number above 0");
    return WEIR_OK;
}

weir_result weir_mesh_load(weir_device *device, const char *path, const weir_mesh_load_def *def,
                           weir_mesh **mesh)
{
    const weir_log *log = api_log(device);
    const weir_mesh_load_def defaults = weir_mesh_load_def_default();
    weir_result result;
    io_mesh file = {0};
    triangle_list triangles = {0};
    WEIR_REQUIRE_OUT(log, mesh);
    WEIR_REQUIRE_NOT_NULL(log, device);
    WEIR_REQUIRE(log, path && path[0], "`path` must name a file");
    if (!def) def = &defaults;
    WEIR_RETURN_IF_ERROR(check_load_def(log, def));
    const weir_axis_conversion turn = def->axis_conversion;
    WEIR_GOTO_IF_ERROR(read_from_origin(log, path, def->origin, &file));
    for (uint32_t i = 0; i < file.vertex_count; i++)
        file.vertices[i] = vec3_scale(convert_axes(file.vertices[i], turn), (float)def->scale);
    for (size_t i = 0; file.normals && i < 3 * (size_t)file.triangle_count; i++)
        file.normals[i] = convert_axes(file.normals[i], turn);
    weir_mesh *made = base_alloc(1, sizeof *made);
    if (made && mesh_add_creased_normals(&file, MESH_FLUID_CREASE_COSINE, &triangles)) {
        made->device = api_device_add_child(device, API_MESH);
        made->version = ++device->meshes_made;
        made->surface = surface_from_triangles(&triangles);
        *mesh = made;
        made = NULL;
    } else {
        result = base_fail(log, WEIR_ERROR_MEMORY, "%s: not enough memory for its %u triangles",
                           path, file.triangle_count);
    }
    base_free(made);
fail:
    triangle_list_free(&triangles);
    io_mesh_free(&file);
    return result;
}
