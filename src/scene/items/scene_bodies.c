/* Reads the rigid bodies of a scene. */
#include "scene_table_macros.h"

#define TYPE scene_body
static const scene_field body_fields[] = {
    FIELD_NAME("bodies"),
    FIELD_OBJECT("shape", REQUIRED, "shape and initial pose of the body"),
    FIELD_FLOAT(density, DEFAULT, 0, 30000, "kg/m3",
                "density of the body; 0: mass is given instead"),
    FIELD_FLOAT(mass, DEFAULT, 0, 1e9, "kg", "mass of the body; 0: density is given instead"),
    FIELD_FLOAT(friction, DEFAULT, 0, 2, "", "Coulomb friction of the surface"),
    FIELD_INTEGER(collision_group, DEFAULT, 0, 1000000,
                  "bodies of the same group do not collide; 0: no group"),
    FIELD_SPEED_OF(velocity, velocity, DEFAULT, "m/s", "initial velocity of the centre of mass"),
    FIELD_SPEED_OF(angular_velocity, angular_velocity, DEFAULT, "rad/s",
                   "initial angular velocity, about the centre of mass"),
    FIELD_VECTOR(colour, DEFAULT, 0, 1, "", "colour, as linear red, green, blue"),
};
const scene_table scene_table_body =
    TABLE_OF("body", body_fields, .friction = 0.3f, .colour = {0.75f, 0.3f, 0.1f});
#undef TYPE

/* Returns whether a shape is infinite. The boxes of meshes are not known yet; two points stand in
 * for each. */
static bool is_endless(scene_parser *parser, uint32_t shape)
{
    const scene_data *scene = parser->scene;
    vec3 *boxes = scene_alloc(parser, 2u * scene->mesh_count, sizeof *boxes), min, max;
    if (!boxes) return false;
    scene_shape_bounds(scene, shape, boxes, &min, &max);
    base_free(boxes);
    vec3 size = vec3_sub(max, min);
    return isinf(size.x) || isinf(size.y) || isinf(size.z);
}

void scene_check_body_shape(scene_parser *parser, const scene_location *where, uint32_t shape)
{
    if (scene_sequence_span(parser->scene, shape).rate_hz > 0)
        scene_error(parser, where,
                    "is a sequence of meshes, but the shape of a body is fixed: give one mesh, or "
                    "use a solid");
    else if (is_endless(parser, shape))
        scene_error(parser, where,
                    "is infinite, but a body needs a finite volume: intersect it with a box, or "
                    "use a solid");
}

static void check_mass(scene_parser *parser, const scene_location *where, const scene_body *body)
{
    if ((body->density > 0) == (body->mass > 0))
        scene_error(parser, where,
                    "has density %g kg/m3 and mass %g kg, expected one of them above 0 (wood: a "
                    "density of 600)",
                    (double)body->density, (double)body->mass);
}

static void read_body(scene_parser *parser, const scene_location *where, json_t *object, void *item)
{
    scene_body *body = item;
    scene_location at = scene_location_key(where, "shape");
    uint32_t faults = parser->errors;
    body->line = scene_line(parser, where, &body->column);
    if (!scene_read_fields(parser, where, object, &scene_table_body, body)) return;
    json_t *shape = json_object_get(object, "shape");
    if (shape) body->shape = scene_read_shape(parser, &at, shape);
    if (parser->errors != faults || parser->out_of_memory) return;
    check_mass(parser, where, body);
    scene_check_body_shape(parser, &at, body->shape);
}

/* Rejects what no method supports with bodies. */
static void check_world(scene_parser *parser)
{
    const scene_data *scene = parser->scene;
    scene_location top = {0}, bodies = scene_location_key(&top, "bodies");
    if (scene->solver.dimensions == 2)
        scene_error(parser, &bodies, "needs solver.dimensions 3: bodies do not support 2D scenes");
    for (int side = 0; side < 6; side += 2)
        if (scene->domain.sides[side] == SCENE_SIDE_PERIODIC)
            scene_error(parser, &bodies,
                        "needs a domain without periodic sides, which bodies do not support; make "
                        "%c closed or open",
                        "xyz"[side / 2]);
    if (scene->solver.long_range_correction == SCENE_LONG_RANGE_ON)
        scene_error(parser, &bodies,
                    "needs solver.long_range_correction \"auto\" or \"off\": the long-range "
                    "correction does not act on bodies");
    if (!scene->solver.boundary_density)
        scene_error(parser, &bodies,
                    "needs solver.boundary_density true: without it the fluid exerts no pressure "
                    "on bodies");
}

void scene_read_bodies(scene_parser *parser)
{
    static const scene_list list = {"bodies", SCENE_MAX_BODIES, sizeof(scene_body), read_body};
    parser->scene->bodies = scene_read_list(parser, &list, &parser->scene->body_count);
    if (parser->scene->body_count > 0) check_world(parser);
}
