/* Public API that writes meshes and spray to files. */
#include "api_internal.h"
#include "io.h"

#define TEXT_PRECISION 1e-4f /* of a cell: positions in text are no finer */

weir_mesh_save_def weir_mesh_save_def_default(void)
{
    return (weir_mesh_save_def){
        .cookie = API_MESH_SAVE_COOKIE, .format = WEIR_MESH_FORMAT_COUNT, .scale = 1.0};
}

static weir_result check_def(const weir_log *log, const char *path, const weir_mesh_save_def *def)
{
    WEIR_REQUIRE(log, path && path[0], "`path` must name a file");
    WEIR_REQUIRE_DEF(log, def, API_MESH_SAVE_COOKIE, "mesh_save");
    WEIR_REQUIRE(
        log, (uint32_t)def->format <= WEIR_MESH_FORMAT_COUNT,
        "`format` must be a weir_mesh_format, or WEIR_MESH_FORMAT_COUNT for that of the extension");
    WEIR_REQUIRE(log, (uint32_t)def->axis_conversion <= WEIR_AXIS_CONVERSION_Z_TO_Y,
                 "`axis_conversion` must be a weir_axis_conversion");
    WEIR_REQUIRE(log, isfinite(def->scale) && def->scale > 0 && def->scale < 1e30,
                 "`scale` must be a finite number above 0");
    WEIR_REQUIRE(
        log, isfinite(def->origin_m[0]) && isfinite(def->origin_m[1]) && isfinite(def->origin_m[2]),
        "`origin_m` must be finite");
    WEIR_REQUIRE(log, def->precision_m >= 0 && isfinite(def->precision_m),
                 "`precision_m` must be 0 or a length in m");
    return WEIR_OK;
}

static weir_result make_folder(const weir_log *log, const char *path)
{
    char *folder = base_path_folder(path);
    if (!folder)
        return base_fail(log, WEIR_ERROR_MEMORY, "%s: not enough memory for the name of its folder",
                         path);
    weir_result result = base_folder_make(log, folder);
    base_free(folder);
    return result;
}

/* ---- meshes --------------------------------------------------------------------------------- */

static weir_result fail_unknown_extension(const weir_log *log, const char *path, const char *kind,
                                          weir_enum formats)
{
    char *names = api_list_names(formats);
    weir_result result = api_argument_error(log, "%s: unknown %s extension; use %s", path, kind,
                                            names ? names : "another");
    base_free(names);
    return result;
}

static weir_result choose_format(const weir_log *log, const char *path, weir_mesh_format *format)
{
    uint32_t named;
    if (*format != WEIR_MESH_FORMAT_COUNT) return WEIR_OK;
    if (api_format_from_extension(path, WEIR_ENUM_MESH_FORMAT, &named)) {
        *format = (weir_mesh_format)named;
        return WEIR_OK;
    }
    return fail_unknown_extension(log, path, "mesh", WEIR_ENUM_MESH_FORMAT);
}

/* Converts the origin to the axes and the unit of the file. */
static void convert_origin(const weir_mesh_save_def *def, double origin[3])
{
    const double *o = def->origin_m;
    const bool to_z = def->axis_conversion == WEIR_AXIS_CONVERSION_Y_TO_Z,
               to_y = def->axis_conversion == WEIR_AXIS_CONVERSION_Z_TO_Y;
    origin[0] = def->scale * o[0];
    origin[1] = def->scale * (to_z ? -o[2] : to_y ? o[2] : o[1]);
    origin[2] = def->scale * (to_z ? o[1] : to_y ? -o[1] : o[2]);
}

static void fill_view(const weir_mesh_arrays *from, io_mesh_view *view)
{
    *view = (io_mesh_view){.vertex_count = from->vertex_count,
                           .triangle_count = from->triangle_count,
                           .position = (const vec3 *)from->position,
                           .normal = (const vec3 *)from->normal,
                           .velocity = (const vec3 *)from->velocity,
                           .index = from->index,
                           .channel_count = from->channel_count};
    for (uint32_t i = 0; i < from->channel_count; i++)
        view->channels[i] = (io_mesh_channel){from->channel[i].name, from->channel[i].components,
                                              from->channel[i].values};
}

weir_result weir_mesh_save(weir_mesh *mesh, const char *path, const weir_mesh_save_def *def)
{
    const weir_mesh_save_def defaults = weir_mesh_save_def_default();
    if (!def) def = &defaults;
    WEIR_REQUIRE_NOT_NULL(NULL, mesh);
    const weir_log *log = api_log(mesh->device);
    weir_mesh_arrays arrays;
    io_mesh_view view;
    WEIR_RETURN_IF_ERROR(check_def(log, path, def));
    weir_mesh_format format = def->format;
    WEIR_RETURN_IF_ERROR(choose_format(log, path, &format));
    WEIR_RETURN_IF_ERROR(make_folder(log, path));
    weir_mesh_get_arrays(mesh, &arrays);
    fill_view(&arrays, &view);
    float precision = def->precision_m > 0 ? def->precision_m : TEXT_PRECISION * mesh->cell_m;
    io_mesh_write_def write = {.path = path,
                               .format = format,
                               .turn = def->axis_conversion,
                               .scale = (float)def->scale,
                               .precision_m = precision,
                               .threads = def->threads,
                               .time_s = def->time_s};
    convert_origin(def, write.origin);
    return io_mesh_write(log, &view, &write);
}

/* ---- spray ---------------------------------------------------------------------------------- */

static weir_result copy_converted(const weir_log *log, const float *from, uint32_t count,
                                  const weir_mesh_save_def *def, vec3 **to)
{
    const vec3 *vectors = (const vec3 *)from;
    if (!from && count) return WEIR_OK;
    *to = base_alloc(count, sizeof **to);
    if (!*to)
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for %u particles of spray",
                         count);
    for (uint32_t i = 0; i < count; i++) {
        vec3 v = vectors[i];
        if (def->axis_conversion == WEIR_AXIS_CONVERSION_Y_TO_Z) v = vec3_make(v.x, -v.z, v.y);
        if (def->axis_conversion == WEIR_AXIS_CONVERSION_Z_TO_Y) v = vec3_make(v.x, v.z, -v.y);
        (*to)[i] = vec3_scale(v, (float)def->scale);
    }
    return WEIR_OK;
}

weir_result weir_mesh_save_spray(weir_mesh *mesh, const char *path, const weir_mesh_save_def *def)
{
    const weir_mesh_save_def defaults = weir_mesh_save_def_default();
    if (!def) def = &defaults;
    WEIR_REQUIRE_NOT_NULL(NULL, mesh);
    const weir_log *log = api_log(mesh->device);
    uint32_t format;
    weir_mesh_arrays view;
    io_particles spray = {0};
    weir_result result;
    WEIR_RETURN_IF_ERROR(check_def(log, path, def));
    if (!api_format_from_extension(path, WEIR_ENUM_PARTICLE_FORMAT, &format))
        return fail_unknown_extension(log, path, "particle", WEIR_ENUM_PARTICLE_FORMAT);
    weir_mesh_get_arrays(mesh, &view);
    spray.count = view.spray_count;
    spray.time_s = def->time_s;
    convert_origin(def, spray.origin);
    WEIR_GOTO_IF_ERROR(make_folder(log, path));
    WEIR_GOTO_IF_ERROR(copy_converted(log, view.spray_position, spray.count, def, &spray.position));
    WEIR_GOTO_IF_ERROR(copy_converted(log, view.spray_velocity, spray.count, def, &spray.velocity));
    WEIR_GOTO_IF_ERROR(io_particles_write(
        log, &spray,
        &(io_particles_write_def){.path = path,
                                  .format = (weir_particle_format)format,
                                  .fields = 1u << WEIR_FIELD_VELOCITY | IO_FIELD_RADIUS,
                                  .radius_m = view.spray_radius_m * (float)def->scale}));
fail:
    io_particles_free(&spray);
    return result;
}
