/* Scenes, particles, tables and checks for the gates. */
#include "validate_internal.h"

void validate_break_off(validate *v, weir_result result)
{
    longjmp(v->broken_off, (int)result);
}

void validate_must(validate *v, weir_result result)
{
    if (result != WEIR_OK) validate_break_off(v, result);
}

void validate_must_fit(validate *v, bool fits)
{
    if (!fits) validate_break_off(v, WEIR_ERROR_MEMORY);
}

/* ---- checks --------------------------------------------------------------------------------- */

static void add_check(validate *v, validate_check check, const char *format, va_list arguments)
{
    char text[200];
    vsnprintf(text, sizeof text, format, arguments);
    check.gate_case = v->running;
    check.what = base_strdup(text);
    validate_must_fit(v, check.what && BASE_ARRAY_PUSH(&v->checks, check));
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
    base_free(world->fluid);
    world->fluid = NULL;
    world->x = world->v = NULL;
    world->density = NULL;
}

void validate_close(validate_world *world)
{
    validate *v = world->of;
    for (size_t i = 0; i < v->worlds.count; ++i)
        if (v->worlds.items[i] == world) v->worlds.items[i] = v->worlds.items[--v->worlds.count];
    free_fields(world);
    weir_sim_destroy(&world->sim);
    weir_scene_destroy(&world->scene);
    base_free(world);
}

validate_world *validate_open_scene(validate *v, weir_scene *scene)
{
    validate_world *world = base_alloc(1, sizeof *world);
    bool fits = world && BASE_ARRAY_PUSH(&v->worlds, world);
    if (!fits) {
        base_free(world);
        weir_scene_destroy(&scene);
        validate_break_off(v, WEIR_ERROR_MEMORY);
    }
    *world = (validate_world){.of = v, .scene = scene};
    weir_scene_get_info(scene, &world->info);
    validate_must(v, weir_sim_create(v->device, scene, &world->sim));
    validate_must(v, weir_sim_get_stats(world->sim, &world->stats));
    return world;
}

validate_world *validate_open(validate *v, char *json)
{
    weir_scene *scene = NULL;
    weir_scene_def def = weir_scene_def_default();
    def.log = v->log;
    def.log.level = WEIR_LOG_ERROR; /* gates exceed limits on purpose */
    def.base_folder = v->folder;
    validate_must_fit(v, json != NULL);
    for (char *c = json; *c; ++c)
        if (*c == '\'') *c = '"';
    weir_result result = weir_scene_parse(json, strlen(json), &def, &scene);
    base_free(json);
    validate_must(v, result);
    validate_world *world = validate_open_scene(v, scene);
    validate_add_setup(world);
    return world;
}

weir_result validate_step(validate_world *world)
{
    WEIR_RETURN_IF_ERROR(weir_sim_step(world->sim, 0));
    WEIR_RETURN_IF_ERROR(weir_sim_wait(world->sim));
    return weir_sim_get_stats(world->sim, &world->stats);
}

void validate_run(validate_world *world, uint32_t frames)
{
    for (uint32_t i = 0; i < frames; ++i) {
        if (base_interrupted()) validate_break_off(world->of, WEIR_ERROR_IO);
        validate_must(world->of, weir_sim_step(world->sim, 0));
    }
    validate_must(world->of, weir_sim_wait(world->sim));
    validate_must(world->of, weir_sim_get_stats(world->sim, &world->stats));
}

/* Returns the values of a field, `size` bytes for each particle. */
static void *read_field(const validate_world *world, weir_field field, size_t size)
{
    void *values = base_alloc(world->count, size);
    validate_must_fit(world->of, values != NULL);
    weir_result result = weir_sim_read_field(world->sim, field, values, world->count * size);
    if (result != WEIR_OK) base_free(values);
    validate_must(world->of, result);
    return values;
}

void validate_read(validate_world *world)
{
    free_fields(world);
    validate_must(world->of, weir_sim_get_particle_count(world->sim, &world->count));
    world->x = read_field(world, WEIR_FIELD_POSITION, sizeof *world->x);
    world->v = read_field(world, WEIR_FIELD_VELOCITY, sizeof *world->v);
    world->density = read_field(world, WEIR_FIELD_DENSITY, sizeof *world->density);
    world->fluid = read_field(world, WEIR_FIELD_FLUID, sizeof *world->fluid);
}

validate_world *validate_open_run(validate *v, char *json, uint32_t frames)
{
    validate_world *world = validate_open(v, json);
    validate_run(world, frames);
    validate_read(world);
    return world;
}

#define BODIES 16u

weir_body validate_read_body(validate_world *world, uint32_t index)
{
    weir_body bodies[BODIES];
    uint32_t count = BODIES;
    validate_must(world->of, weir_sim_get_bodies(world->sim, bodies, &count));
    WEIR_ASSERT(index < count && count <= BODIES);
    return bodies[index];
}

void validate_read_gauges(validate_world *world, weir_gauge gauges[VALIDATE_GAUGES])
{
    uint32_t count = VALIDATE_GAUGES;
    validate_must(world->of, weir_sim_get_gauges(world->sim, WEIR_ENTIRE_FRAME, gauges, &count));
}

/* ---- files ---------------------------------------------------------------------------------- */

/* Writes FOLDER/NAME.EXTENSION and frees the text. */
static void write_file(validate *v, const char *name, const char *extension, base_text *text)
{
    char *path = base_format("%s/%s.%s", v->folder, name, extension);
    weir_result result =
        path ? base_file_write(&v->log, path, text->items, text->count) : WEIR_ERROR_MEMORY;
    base_free(path);
    BASE_ARRAY_FREE(text);
    validate_must(v, result);
}

double validate_jitter(uint32_t index)
{
    uint32_t bits = index * 2654435761u;
    bits = (bits ^ bits >> 15) * 2246822519u;
    bits = (bits ^ bits >> 13) * 3266489917u;
    return (bits ^ bits >> 16) / 4294967296.0;
}

void validate_add_point(validate *v, vec3 x, vec3 velocity)
{
    validate_must_fit(v, BASE_ARRAY_PUSH(&v->x, x) && BASE_ARRAY_PUSH(&v->v, velocity));
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

void validate_write_points(validate *v, const char *name)
{
    base_text file = {0};
    validate_must_fit(v, append_npy(&file, v));
    BASE_ARRAY_FREE(&v->x);
    BASE_ARRAY_FREE(&v->v);
    write_file(v, name, "npy", &file);
}

void validate_add_line(validate *v, const char *format, ...)
{
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    validate_must_fit(v, base_text_append(&v->table, "%s\n", line));
}

void validate_write_table(validate *v, const char *name)
{
    write_file(v, name, "csv", &v->table);
}

void validate_append(validate *v, base_text *text, const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    validate_must_fit(v, base_text_append(text, "%s", line));
}
