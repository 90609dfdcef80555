/* Scenes, particles, tables and checks for the gates of weir validate. */
#include "validate_internal.h"

/* ---- checks --------------------------------------------------------------------------------- */

static void add_check(validate *v, validate_check check, const char *format, va_list arguments)
{
    char text[200];
    vsnprintf(text, sizeof text, format, arguments);
    check.gate_case = v->running;
    check.what = base_strdup(text);
    if (!check.what || !BASE_ARRAY_PUSH(&v->checks, check)) {
        base_free(check.what);
        v->out_of_memory = true;
    }
}

void validate_within(validate *v, double got, validate_range range, const char *what, ...)
{
    va_list arguments;
    va_start(arguments, what);
    bool passed = fabs(got - range.expected) <= range.tolerance;
    add_check(
        v,
        (validate_check){NULL, NULL, VALIDATE_WITHIN, range.expected, range.tolerance, got, passed},
        what, arguments);
    va_end(arguments);
}

void validate_at_most(validate *v, double got, double limit, const char *what, ...)
{
    va_list arguments;
    va_start(arguments, what);
    add_check(v, (validate_check){NULL, NULL, VALIDATE_AT_MOST, limit, 0, got, got <= limit}, what,
              arguments);
    va_end(arguments);
}

void validate_report(validate *v, double got, const char *what, ...)
{
    va_list arguments;
    va_start(arguments, what);
    add_check(v, (validate_check){NULL, NULL, VALIDATE_REPORT, 0, 0, got, true}, what, arguments);
    va_end(arguments);
}

/* ---- scenes --------------------------------------------------------------------------------- */

static void free_fields(validate_world *world)
{
    base_free(world->x);
    base_free(world->v);
    base_free(world->density);
    world->x = world->v = NULL;
    world->density = NULL;
}

void validate_close(validate_world *world)
{
    free_fields(world);
    weir_sim_destroy(&world->sim);
    weir_scene_destroy(&world->scene);
}

weir_result validate_open(validate *v, char *json, validate_world *world)
{
    weir_result result;
    weir_scene_def def = weir_scene_def_default();
    *world = (validate_world){0};
    def.log = v->log;
    def.log.level = WEIR_LOG_ERROR; /* gates exceed limits on purpose */
    def.base_folder = v->folder;
    if (!json) return base_fail(&v->log, WEIR_ERROR_MEMORY, "no memory for a scene");
    for (char *c = json; *c; ++c)
        if (*c == '\'') *c = '"';
    WEIR_GOTO_IF_ERROR(weir_scene_parse(json, strlen(json), &def, &world->scene));
    weir_scene_get_info(world->scene, &world->info);
    WEIR_GOTO_IF_ERROR(weir_sim_create(v->device, world->scene, &world->sim));
    WEIR_GOTO_IF_ERROR(weir_sim_get_stats(world->sim, &world->stats));
    validate_add_setup(v, world);
    base_free(json);
    return WEIR_OK;
fail:
    base_free(json);
    validate_close(world);
    return result;
}

weir_result validate_run(validate_world *world, uint32_t frames)
{
    for (uint32_t i = 0; i < frames; ++i)
        WEIR_RETURN_IF_ERROR(weir_sim_step(world->sim, 0));
    WEIR_RETURN_IF_ERROR(weir_sim_wait(world->sim));
    return weir_sim_get_stats(world->sim, &world->stats);
}

weir_result validate_read(validate_world *world)
{
    free_fields(world);
    WEIR_RETURN_IF_ERROR(weir_sim_get_particle_count(world->sim, &world->count));
    size_t n = world->count;
    world->x = base_alloc(n, sizeof *world->x);
    world->v = base_alloc(n, sizeof *world->v);
    world->density = base_alloc(n, sizeof *world->density);
    if (!world->x || !world->v || !world->density) return WEIR_ERROR_MEMORY;
    WEIR_RETURN_IF_ERROR(
        weir_sim_read_field(world->sim, WEIR_FIELD_POSITION, world->x, n * sizeof *world->x));
    WEIR_RETURN_IF_ERROR(
        weir_sim_read_field(world->sim, WEIR_FIELD_VELOCITY, world->v, n * sizeof *world->v));
    return weir_sim_read_field(world->sim, WEIR_FIELD_DENSITY, world->density,
                               n * sizeof *world->density);
}

weir_result validate_open_run(validate *v, char *json, uint32_t frames, validate_world *world)
{
    WEIR_RETURN_IF_ERROR(validate_open(v, json, world));
    WEIR_RETURN_IF_ERROR(validate_run(world, frames));
    return validate_read(world);
}

#define BODIES 16u

weir_result validate_read_body(validate_world *world, uint32_t index, weir_body *body)
{
    weir_body bodies[BODIES];
    uint32_t count = BODIES;
    WEIR_RETURN_IF_ERROR(weir_sim_get_bodies(world->sim, bodies, &count));
    WEIR_ASSERT(index < count && count <= BODIES);
    *body = bodies[index];
    return WEIR_OK;
}

weir_result validate_read_gauges(validate_world *world, weir_gauge gauges[VALIDATE_GAUGES])
{
    uint32_t count = VALIDATE_GAUGES;
    return weir_sim_get_gauges(world->sim, WEIR_ENTIRE_FRAME, gauges, &count);
}

/* ---- files ---------------------------------------------------------------------------------- */

void validate_discard_unwritten(validate *v)
{
    BASE_ARRAY_FREE(&v->x);
    BASE_ARRAY_FREE(&v->v);
    BASE_ARRAY_FREE(&v->table);
}

static weir_result write_file(validate *v, const char *name, const char *extension,
                              const base_text *text)
{
    char *path = base_format("%s/%s.%s", v->folder, name, extension);
    weir_result result =
        path && !v->out_of_memory
            ? base_file_write(&v->log, path, text->items, text->count)
            : base_fail(&v->log, WEIR_ERROR_MEMORY, "no memory for %s.%s", name, extension);
    base_free(path);
    return result;
}

void validate_add_point(validate *v, vec3 x, vec3 velocity)
{
    if (!BASE_ARRAY_PUSH(&v->x, x) || !BASE_ARRAY_PUSH(&v->v, velocity)) v->out_of_memory = true;
}

/* Appends an NPY file; six float32 columns keep every bit. */
static bool append_npy(base_text *file, const validate *v)
{
    char header[118];
    int size =
        snprintf(header, sizeof header,
                 "{'descr': '<f4', 'fortran_order': False, 'shape': (%zu, 6), }", v->x.count);
    memset(header + size, ' ', sizeof header - (size_t)size);
    header[sizeof header - 1] = '\n';
    bool ok = base_text_append_bytes(file, "\x93NUMPY\x01\x00", 8) &&
              base_text_append_bytes(file, (const uint8_t[]){sizeof header, 0}, 2) &&
              base_text_append_bytes(file, header, sizeof header);
    for (size_t i = 0; ok && i < v->x.count; ++i)
        ok = base_text_append_bytes(file, &v->x.items[i], sizeof(vec3)) &&
             base_text_append_bytes(file, &v->v.items[i], sizeof(vec3));
    return ok;
}

weir_result validate_write_points(validate *v, const char *name)
{
    base_text file = {0};
    if (!append_npy(&file, v)) v->out_of_memory = true;
    weir_result result = write_file(v, name, "npy", &file);
    BASE_ARRAY_FREE(&file);
    BASE_ARRAY_FREE(&v->x);
    BASE_ARRAY_FREE(&v->v);
    return result;
}

void validate_add_line(validate *v, const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (!base_text_append(&v->table, "%s\n", line)) v->out_of_memory = true;
}

weir_result validate_write_table(validate *v, const char *name)
{
    weir_result result = write_file(v, name, "csv", &v->table);
    BASE_ARRAY_FREE(&v->table);
    return result;
}
