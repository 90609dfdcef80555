/* weir check for a triangle mesh: its statistics as text and as JSON. */
#include "main_internal.h"

#include <jansson.h>
#include <stddef.h>

/* An entry of the table. Other programs rely on the keys of the JSON text. */
typedef struct figure {
    app_json_field json; /* member of weir_mesh_info */
    const char *label, *unit;
} figure;

#define FIGURE(name, kind, label, unit)                                       \
    {                                                                         \
        {#name, APP_JSON_##kind, offsetof(weir_mesh_info, name)}, label, unit \
    }

static const figure figures[] = {
    FIGURE(vertices, U32, "vertices", ""),
    FIGURE(triangles, U32, "triangles", ""),
    FIGURE(closed, BOOL, "closed", ""),
    FIGURE(manifold, BOOL, "manifold", ""),
    FIGURE(oriented, BOOL, "consistently wound", ""),
    FIGURE(boundary_edges, U32, "boundary edges", " (rims of holes)"),
    FIGURE(nonmanifold_edges, U32, "non-manifold edges", " (of more than two triangles)"),
    FIGURE(nonmanifold_vertices, U32, "non-manifold verts", " (of more than one fan)"),
    FIGURE(flipped_edges, U32, "flipped edges", " (neighbours wound in opposite directions)"),
    FIGURE(components, U32, "components", ""),
    FIGURE(voids, U32, "voids", " (closed, wound inwards, inside another)"),
    FIGURE(inside_out, U32, "inside out", " (closed, wound inwards, not enclosed)"),
    FIGURE(euler, I64, "Euler number", ""),
    FIGURE(volume, NUMBER, "volume", ""),
    FIGURE(area, NUMBER, "area", ""),
    FIGURE(degenerate_triangles, U32, "degenerate", " (zero area)"),
    FIGURE(duplicate_triangles, U32, "duplicate triangles", ""),
    FIGURE(duplicate_vertices, U32, "duplicate vertices", ""),
    FIGURE(unused_vertices, U32, "unused vertices", ""),
    FIGURE(angle_min, NUMBER, "smallest angle", " degrees"),
    FIGURE(angle_p1, NUMBER, "1 % are below", " degrees"),
    FIGURE(angle_p5, NUMBER, "5 % are below", " degrees"),
    FIGURE(angle_mean, NUMBER, "mean smallest angle", " degrees"),
    FIGURE(angle_below_5, NUMBER, "below 5 degrees", " of the triangles"),
    FIGURE(angle_below_10, NUMBER, "below 10 degrees", " of the triangles"),
    FIGURE(angle_below_20, NUMBER, "below 20 degrees", " of the triangles"),
    FIGURE(quality_mean, NUMBER, "mean quality", " (2 inradius / circumradius; 1: equilateral)"),
    FIGURE(quality_p5, NUMBER, "5 % are below", ""),
    FIGURE(aspect_mean, NUMBER, "mean aspect ratio",
           " (longest edge / (2 sqrt 3 inradius); 1: equilateral)"),
    FIGURE(aspect_p95, NUMBER, "5 % are above", ""),
};

/* ---- text ----------------------------------------------------------------------------------- */

static void print_figure(const figure *f, const weir_mesh_info *info)
{
    const void *at = (const char *)info + f->json.offset;
    printf("%-18s ", f->label);
    switch (f->json.kind) {
    case APP_JSON_BOOL: printf("%s", *(const bool *)at ? "yes" : "NO"); break;
    case APP_JSON_U32: printf("%u", *(const uint32_t *)at); break;
    case APP_JSON_I64: printf("%lld", (long long)*(const int64_t *)at); break;
    default: printf("%.6g", *(const double *)at); break;
    }
    printf("%s\n", f->unit);
}

static void print_text(const char *path, const weir_mesh_info *info)
{
    printf("%s: triangle mesh\n", path);
    for (size_t i = 0; i < BASE_COUNT(figures); ++i) {
        print_figure(&figures[i], info);
        if (figures[i].json.offset == offsetof(weir_mesh_info, triangles))
            app_print_box(info->min, info->max, "");
    }
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static json_t *vector_of(const double at[3])
{
    return json_pack("[f, f, f]", at[0], at[1], at[2]);
}

static int print_json(const weir_log *log, const char *path, const weir_mesh_info *info)
{
    json_t *file = json_string(path); /* NULL for a name that is not UTF-8 */
    json_t *all =
        json_pack("{s:s, s:o, s:o, s:o}", "kind", "mesh", "file", file ? file : json_null(), "min",
                  vector_of(info->min), "max", vector_of(info->max));
    for (size_t i = 0; i < BASE_COUNT(figures); ++i)
        all = app_json_fields(all, &figures[i].json, 1, info);
    bool ready = all && json_dumpf(all, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) == 0;
    json_decref(all);
    if (!ready) {
        base_log(log, WEIR_LOG_ERROR, "%s: could not write the results", path);
        return APP_FAILED;
    }
    printf("\n");
    return APP_DONE;
}

int check_mesh(const weir_log *log, const char *path, bool json)
{
    weir_mesh_info info;
    if (weir_mesh_inspect(log, path, &info) != WEIR_OK) return APP_FAILED;
    int status = APP_DONE;
    if (json)
        status = print_json(log, path, &info);
    else
        print_text(path, &info);
    return info.closed && info.manifold && info.oriented ? status : APP_FAILED;
}
