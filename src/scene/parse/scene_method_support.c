/* Handles values that the method does not support: an error where the scene's own text sets the
 * method, a warning where an override does. */
#include "scene_internal.h"

/* Returns whether a value turns a feature on. "long_range_correction" is the only choice here, and
 * its "auto" does without. */
static bool is_enabled(const json_t *value)
{
    return json_number_value(value) > 0.0 || json_is_true(value) || json_array_size(value) > 0 ||
           (json_is_string(value) && strcmp(json_string_value(value), "on") == 0);
}

/* Returns a method that supports the field, for a message. */
static const char *supporting(const scene_field *field)
{
    bool pbf = !(field->unsupported >> SCENE_METHOD_PBF & 1u);
    return pbf ? "pbf" : "flip\" or \"apic";
}

typedef void (*visit_field)(scene_parser *parser, const scene_location *at, json_t *object,
                            const scene_field *field);

/* Calls `visit` for each value of the object, or keyframes of it, that the scene's method does not
 * support. at->key is that of the value or of the keyframes. */
static void visit_unsupported(scene_parser *parser, const scene_location *where, json_t *object,
                              const scene_table *table, visit_field visit)
{
    for (size_t i = 0; i < table->count; ++i) {
        const scene_field *field = &table->fields[i];
        scene_keyframes_key keyframes;
        scene_location at = scene_location_key(where, field->name);
        if (!(field->unsupported >> parser->scene->solver.method & 1u)) continue;
        if (is_enabled(json_object_get(object, field->name))) visit(parser, &at, object, field);
        if (!scene_field_key(field, &keyframes)) continue;
        at.key = keyframes.text;
        if (is_enabled(json_object_get(object, keyframes.text))) visit(parser, &at, object, field);
    }
}

/* Visits all parts of a scene that have such fields. */
static void visit_parts(scene_parser *parser, visit_field visit)
{
    scene_location top = {0}, fluids = scene_location_key(&top, "fluids"),
                   solver = scene_location_key(&top, "solver"),
                   tolerance = scene_location_key(&solver, "tolerance");
    json_t *given = json_object_get(parser->root, "solver"), *fluid;
    size_t i;
    visit_unsupported(parser, &top, parser->root, &scene_table_scene, visit);
    visit_unsupported(parser, &solver, given, &scene_table_solver, visit);
    visit_unsupported(parser, &tolerance, json_object_get(given, "tolerance"),
                      &scene_table_tolerance, visit);
    json_array_foreach(json_object_get(parser->root, "fluids"), i, fluid)
    {
        scene_location where = scene_location_element(&fluids, i);
        visit_unsupported(parser, &where, fluid, &scene_table_fluid, visit);
    }
}

static void refuse(scene_parser *parser, const scene_location *at, json_t *object,
                   const scene_field *field)
{
    scene_error(parser, at,
                "is %s, but \"%s\" does not support it: remove it, or set solver.method to \"%s\"",
                scene_format_value(json_object_get(object, at->key)).text,
                scene_method_name(parser->scene->solver.method), supporting(field));
}

/* ---- methods set by an override -------------------------------------------------------------- */

void scene_add_ignored(scene_parser *parser, const scene_location *where)
{
    const char *comma = parser->ignored.count > 0 ? ", " : "";
    if (!base_text_append(&parser->ignored, "%s", comma) ||
        !scene_location_text(where, &parser->ignored))
        parser->out_of_memory = true;
}

/* Sets a value and adds it to the list of ignored values. */
static void ignore_value(scene_parser *parser, const scene_location *at, json_t *object,
                         const char *key, json_t *value)
{
    scene_add_ignored(parser, at);
    scene_set_json(parser, object, key, value);
}

/* Returns a new value of the same type that turns a feature off. */
static json_t *off_value(const json_t *value)
{
    switch (json_typeof(value)) {
    case JSON_TRUE:
    case JSON_FALSE: return json_false();
    case JSON_ARRAY: return json_array();
    case JSON_STRING: return json_string("off");
    default: return json_integer(0);
    }
}

static void turn_off(scene_parser *parser, const scene_location *at, json_t *object,
                     const scene_field *field)
{
    const json_t *value = json_object_get(object, at->key);
    if (strcmp(at->key, field->name) == 0) {
        ignore_value(parser, at, object, field->name, off_value(value));
        return;
    }
    ignore_value(parser, at, object, field->name, json_integer(0)); /* keyframes */
    json_object_del(object, at->key);
}

/* Turns off the XSPH that the preset "pbf_paper" gives to fluids that set none. */
static void ignore_preset(scene_parser *parser)
{
    json_t *solver = json_object_get(parser->root, "solver"), *fluid;
    const char *preset = json_string_value(json_object_get(solver, "preset"));
    size_t i;
    if (!preset || strcmp(preset, "pbf_paper") != 0) return;
    json_array_foreach(json_object_get(parser->root, "fluids"), i,
                       fluid) if (!json_object_get(fluid, "xsph"))
        scene_set_json(parser, fluid, "xsph", json_integer(0));
}

static void ignore_drag(scene_parser *parser)
{
    scene_location top = {0}, forces = scene_location_key(&top, "forces");
    json_t *force;
    size_t i;
    json_array_foreach(json_object_get(parser->root, "forces"), i, force)
    {
        scene_location where = scene_location_element(&forces, i);
        const char *type = json_string_value(json_object_get(force, "type"));
        if (type && strcmp(type, "drag") == 0 && is_enabled(json_object_get(force, "rate")))
            ignore_value(parser, &where, force, "rate", json_integer(0));
    }
}

/* Removes cfl > 1: in a scene for a grid, particles may pass several neighbours in a substep. */
static void ignore_cfl(scene_parser *parser)
{
    scene_location top = {0}, solver = scene_location_key(&top, "solver"),
                   cfl = scene_location_key(&solver, "cfl");
    json_t *object = json_object_get(parser->root, "solver");
    if (json_number_value(json_object_get(object, "cfl")) <= 1.0) return;
    scene_add_ignored(parser, &cfl);
    json_object_del(object, "cfl");
}

void scene_ignore_unsupported(scene_parser *parser)
{
    scene_location top = {0}, solver = scene_location_key(&top, "solver"),
                   at = scene_location_key(&solver, "method");
    const char *name =
        json_string_value(json_object_get(json_object_get(parser->root, "solver"), "method"));
    uint32_t method = 0;
    while (name && scene_method_name(method) && strcmp(scene_method_name(method), name) != 0)
        ++method;
    if (!name || !scene_method_name(method) || !scene_override_of(parser, &at)) return;
    parser->method_overridden = true;
    parser->scene->solver.method = (scene_method)method;
    visit_parts(parser, turn_off);
    if (method == SCENE_METHOD_FLIP || method == SCENE_METHOD_APIC) {
        ignore_preset(parser);
        ignore_drag(parser);
    } else {
        ignore_cfl(parser);
    }
}

/* Largest ratio of two densities for which the pressure solve of FLIP and APIC converged in every
 * measured scene (docs/solvers.md). */
#define MAX_DENSITY_RATIO 100.0f

/* Requires that no density differs too much from those of the fluids before it. */
static void check_density(scene_parser *parser, const scene_location *where, uint32_t index)
{
    const scene_fluid *fluids = parser->scene->fluids, *own = &fluids[index];
    const scene_fluid *lightest = fluids, *heaviest = fluids;
    scene_location at = scene_location_key(where, "density");
    for (uint32_t i = 1; i < index; ++i) {
        if (fluids[i].density < lightest->density) lightest = &fluids[i];
        if (fluids[i].density > heaviest->density) heaviest = &fluids[i];
    }
    const scene_fluid *other = own->density < heaviest->density ? heaviest : lightest;
    if (fmaxf(own->density, other->density) <=
        MAX_DENSITY_RATIO * fminf(own->density, other->density))
        return;
    scene_error(parser, &at,
                "is %g kg/m3, and %s has %g: with FLIP and APIC one fluid may be at most %g times "
                "as dense as another, expected %g to %g",
                (double)own->density, other->name, (double)other->density,
                (double)MAX_DENSITY_RATIO, (double)(heaviest->density / MAX_DENSITY_RATIO),
                (double)(lightest->density * MAX_DENSITY_RATIO));
}

/* Rejects reseeding with several fluids: a moved particle would carry its fluid into another
 * one. */
static void check_reseed(scene_parser *parser, const scene_location *solver)
{
    const scene_data *scene = parser->scene;
    scene_location at = scene_location_key(solver, "reseed");
    if (scene->solver.reseed && scene->fluid_count > 1)
        scene_error(parser, &at,
                    "is true, but there are %u fluids, and reseeding would move particles of one "
                    "fluid into another: remove it, or use one fluid",
                    scene->fluid_count);
}

void scene_check_method_support(scene_parser *parser)
{
    const scene_data *scene = parser->scene;
    scene_location top = {0}, fluids = scene_location_key(&top, "fluids");
    scene_location solver = scene_location_key(&top, "solver");
    scene_location at = scene_location_key(&solver, "method");
    visit_parts(parser, refuse);
    check_reseed(parser, &solver);
    for (uint32_t i = 0; i < scene->fluid_count && scene_has_grid(&scene->solver); ++i) {
        scene_location where = scene_location_element(&fluids, i);
        check_density(parser, &where, i);
    }
    if (parser->ignored.count > 0)
        scene_warn(parser, &at, "\"%s\" does not support %s: ignored",
                   scene_method_name(scene->solver.method), parser->ignored.items);
}
