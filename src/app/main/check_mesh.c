/* weir check of a triangle mesh: its figures as text and as JSON. */
#include "main_internal.h"

#include <jansson.h>
#include <stddef.h>

typedef enum figure_kind { FIGURE_BOOL, FIGURE_COUNT, FIGURE_SIGNED, FIGURE_NUMBER } figure_kind;

typedef struct figure {
    const char *key; /* of the JSON text: stable */
    const char *label;
    const char *unit;
    figure_kind kind;
    size_t offset; /* in weir_mesh_info */
} figure;

#define FIGURE(name, kind, label, unit)                          \
    {                                                            \
#name, label, unit, kind, offsetof(weir_mesh_info, name) \
    }

static const figure figures[] = {
    FIGURE(vertices, FIGURE_COUNT, "vertices", ""),
    FIGURE(triangles, FIGURE_COUNT, "triangles", ""),
    FIGURE(closed, FIGURE_BOOL, "closed", ""),
    FIGURE(manifold, FIGURE_BOOL, "manifold", ""),
    FIGURE(oriented, FIGURE_BOOL, "consistently wound", ""),
    FIGURE(boundary_edges, FIGURE_COUNT, "boundary edges", " (rims of holes)"),
    FIGURE(nonmanifold_edges, FIGURE_COUNT, "non-manifold edges", " (of more than two triangles)"),
    FIGURE(nonmanifold_vertices, FIGURE_COUNT, "non-manifold verts", " (of more than one fan)"),
    FIGURE(flipped_edges, FIGURE_COUNT, "flipped edges",
           " (neighbours disagree on which side is outside)"),
    FIGURE(components, FIGURE_COUNT, "components", ""),
    FIGURE(voids, FIGURE_COUNT, "voids", " (closed, wound inwards, inside another)"),
    FIGURE(inside_out, FIGURE_COUNT, "inside out", " (closed, wound inwards, inside none)"),
    FIGURE(euler, FIGURE_SIGNED, "Euler number", ""),
    FIGURE(volume, FIGURE_NUMBER, "volume", ""),
    FIGURE(area, FIGURE_NUMBER, "area", ""),
    FIGURE(degenerate_triangles, FIGURE_COUNT, "degenerate", " (without area)"),
    FIGURE(duplicate_triangles, FIGURE_COUNT, "double triangles", ""),
    FIGURE(duplicate_vertices, FIGURE_COUNT, "double vertices", ""),
    FIGURE(unused_vertices, FIGURE_COUNT, "unused vertices", ""),
    FIGURE(angle_min, FIGURE_NUMBER, "least angle", " degrees"),
    FIGURE(angle_p1, FIGURE_NUMBER, "1 % have less", " degrees"),
    FIGURE(angle_p5, FIGURE_NUMBER, "5 % have less", " degrees"),
    FIGURE(angle_mean, FIGURE_NUMBER, "mean least angle", " degrees"),
    FIGURE(angle_below_5, FIGURE_NUMBER, "below 5 degrees", " of the triangles"),
    FIGURE(angle_below_10, FIGURE_NUMBER, "below 10 degrees", " of the triangles"),
    FIGURE(angle_below_20, FIGURE_NUMBER, "below 20 degrees", " of the triangles"),
    FIGURE(quality_mean, FIGURE_NUMBER, "mean quality",
           " (2 inradius / circumradius; 1: equilateral)"),
    FIGURE(quality_p5, FIGURE_NUMBER, "5 % have less", ""),
    FIGURE(aspect_mean, FIGURE_NUMBER, "mean aspect",
           " (longest edge / (2 sqrt 3 inradius); 1: equilateral)"),
    FIGURE(aspect_p95, FIGURE_NUMBER, "5 % have more", ""),
};

/* ---- text ----------------------------------------------------------------------------------- */

static void print_figure(const figure *f, const weir_mesh_info *info)
{
    const void *at = (const char *)info + f->offset;
    printf("%-19s", f->label);
    switch (f->kind) {
    case FIGURE_BOOL: printf("%s", *(const bool *)at ? "yes" : "NO"); break;
    case FIGURE_COUNT: printf("%u", *(const uint32_t *)at); break;
    case FIGURE_SIGNED: printf("%lld", (long long)*(const int64_t *)at); break;
    case FIGURE_NUMBER: printf("%.6g", *(const double *)at); break;
    }
    printf("%s\n", f->unit);
}

static void print_text(const char *path, const weir_mesh_info *info)
{
    printf("%s: triangle mesh\n", path);
    for (size_t i = 0; i < BASE_COUNT(figures); ++i) {
        print_figure(&figures[i], info);
        if (figures[i].offset == offsetof(weir_mesh_info, triangles))
            app_print_box(info->min, info->max, "");
    }
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static json_t *value_of(const figure *f, const weir_mesh_info *info)
{
    const void *at = (const char *)info + f->offset;
    switch (f->kind) {
    case FIGURE_BOOL: return json_boolean(*(const bool *)at);
    case FIGURE_COUNT: return json_integer(*(const uint32_t *)at);
    case FIGURE_SIGNED: return json_integer(*(const int64_t *)at);
    case FIGURE_NUMBER: break;
    }
    const double number = *(const double *)at;
    return isfinite(number) ? json_real(number) : json_null();
}

static json_t *vector_of(const float at[3])
{
    return json_pack("[f, f, f]", (double)at[0], (double)at[1], (double)at[2]);
}

static int print_json(const weir_log *log, const char *path, const weir_mesh_info *info)
{
    json_t *file = json_string(path); /* NULL for a name that is no UTF-8 */
    json_t *all =
        json_pack("{s:s, s:o, s:o, s:o}", "kind", "mesh", "file", file ? file : json_null(), "min",
                  vector_of(info->min), "max", vector_of(info->max));
    bool ready = all != NULL;
    for (size_t i = 0; ready && i < BASE_COUNT(figures); ++i)
        ready = json_object_set_new(all, figures[i].key, value_of(&figures[i], info)) == 0;
    ready = ready && json_dumpf(all, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) == 0;
    json_decref(all);
    if (!ready) {
        base_log(log, WEIR_LOG_ERROR, "%s: the figures could not be written", path);
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
