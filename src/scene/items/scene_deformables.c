/* Reads the cloths, ropes and soft bodies of a scene. */
#include "scene_internal.h"

/* In fluid spacings: small enough that no particle slips through. */
#define DEFAULT_SPACING 0.75f
/* In fluid spacings, for soft bodies, whose triangles collide with fluid. */
#define SOFT_BODY_SPACING 1.5f

uint32_t scene_deformable_count(const scene_data *scene)
{
    return scene->cloth_count + scene->rope_count + scene->soft_body_count;
}

const scene_deformable *scene_deformable_at(const scene_data *scene, uint32_t index)
{
    if (index < scene->cloth_count) return &scene->cloths[index];
    index -= scene->cloth_count;
    if (index < scene->rope_count) return &scene->ropes[index];
    return &scene->soft_bodies[index - scene->rope_count];
}

const char *scene_deformable_folder(scene_deformable_kind kind)
{
    static const char *const folders[] = {[SCENE_DEFORMABLE_CLOTH] = "cloth",
                                          [SCENE_DEFORMABLE_ROPE] = "rope",
                                          [SCENE_DEFORMABLE_SOFT_BODY] = "soft_body"};
    return folders[kind];
}

bool scene_deformables_have_drag(const scene_data *scene)
{
    bool drag = false;
    for (uint32_t i = 0; i < scene_deformable_count(scene); i++) {
        const scene_deformable *soft = scene_deformable_at(scene, i);
        drag |= soft->permeability > 0.0f || soft->skin_friction > 0.0f;
    }
    return drag;
}

/* ---- pins ----------------------------------------------------------------------------------- */

static void read_vertices(scene_parser *parser, const scene_location *where, json_t *object,
                          scene_pin *pin)
{
    json_t *array = scene_read_array(parser, where, object, SCENE_MAX_LISTED, &pin->vertex_count);
    if (!array) return;
    pin->vertices = scene_alloc(parser, pin->vertex_count, sizeof *pin->vertices);
    for (uint32_t i = 0; i < pin->vertex_count && pin->vertices; ++i) {
        scene_location at = scene_location_element(where, i);
        const json_t *number = json_array_get(array, i);
        if (!json_is_integer(number))
            scene_error(parser, &at, "is %s, expected a whole number: 0 is the first vertex",
                        scene_format_value(number).text);
        pin->vertices[i] = json_integer_value(number);
    }
}

static void read_pin(scene_parser *parser, const scene_location *where, json_t *object,
                     scene_pin *pin)
{
    const scene_data *scene = parser->scene;
    const scene_names solids = {scene->solids, sizeof *scene->solids, scene->solid_count};
    const scene_names bodies = {scene->bodies, sizeof *scene->bodies, scene->body_count};
    scene_location vertices = scene_location_key(where, "vertices"),
                   inside = scene_location_key(where, "inside"),
                   solid = scene_location_key(where, "solid"),
                   body = scene_location_key(where, "body");
    const uint32_t faults = parser->errors;
    pin->line = scene_line(parser, where, &pin->column);
    if (!scene_read_fields(parser, where, object, &scene_table_pin, pin)) return;
    json_t *region = json_object_get(object, "inside"), *list = json_object_get(object, "vertices");
    bool listed = list && !(json_is_array(list) && json_array_size(list) == 0);
    pin->solid = pin->body = SCENE_TO_WORLD;
    if (listed) read_vertices(parser, &vertices, object, pin);
    if (region) scene_read_region(parser, &inside, region, &pin->inside);
    if (!listed && !region && parser->errors == faults) /* not if a misspelt key was reported */
        scene_error(parser, where,
                    "pins no vertex: give it vertices, or a box or a sphere as inside");
    if (json_object_get(object, "solid"))
        scene_find_name(parser, &solid, object, &solids, &pin->solid);
    if (json_object_get(object, "body"))
        scene_find_name(parser, &body, object, &bodies, &pin->body);
    if (json_object_get(object, "solid") && json_object_get(object, "body"))
        scene_error(parser, where, "names both a solid and a body: remove one");
}

static void read_pins(scene_parser *parser, const scene_location *where, json_t *object,
                      scene_deformable *soft)
{
    scene_location pins = scene_location_key(where, "pins");
    uint32_t count;
    json_t *array = scene_read_array(parser, &pins, object, SCENE_MAX_PINS, &count);
    soft->pins = count ? scene_alloc(parser, count, sizeof *soft->pins) : NULL;
    if (!soft->pins) return;
    soft->pin_count = count;
    for (uint32_t i = 0; i < count; ++i) {
        scene_location at = scene_location_element(&pins, i);
        read_pin(parser, &at, json_array_get(array, i), &soft->pins[i]);
    }
}

/* ---- material -------------------------------------------------------------------------------- */

/* Rejects a compliance together with a stiffness of position-based dynamics. */
static void check_stiffness(scene_parser *parser, const scene_location *where, json_t *object)
{
    scene_location pbd = scene_location_key(where, "pbd_stiffness");
    if (json_object_get(object, "stiffness") && json_object_get(object, "pbd_stiffness"))
        scene_error(parser, &pbd, "replaces stiffness, but both are given: remove one of the two");
}

/* Checks the material of a soft body. `poisson`: the scene itself gives a Poisson's ratio. Its
 * default is removed again from a soft body with pbd_stiffness, which has none. */
static void check_moduli(scene_parser *parser, const scene_location *where, json_t *object,
                         bool poisson)
{
    scene_location ratio = scene_location_key(where, "poisson_ratio"),
                   cluster = scene_location_key(where, "cluster_radius");
    bool pbd = json_object_get(object, "pbd_stiffness") != NULL;
    check_stiffness(parser, where, object);
    if (!pbd && !json_object_get(object, "stiffness"))
        scene_error(parser, where,
                    "has no stiffness: give Young's modulus in Pa (jelly: 1e4), or pbd_stiffness "
                    "from 0 to 1");
    if (json_object_get(object, "cluster_radius") && !pbd)
        scene_error(parser, &cluster,
                    "selects shape matching, which has no Young's modulus: give pbd_stiffness from "
                    "0 to 1 in place of stiffness, or remove cluster_radius");
    if (pbd && !poisson) json_object_del(object, "poisson_ratio");
    if (pbd && poisson)
        scene_error(parser, &ratio,
                    "needs a material with a Young's modulus: give stiffness in place of "
                    "pbd_stiffness, or remove poisson_ratio");
}

/* ---- cloths --------------------------------------------------------------------------------- */

/* Checks the characters of the name, after which files are named. */
static void check_name(scene_parser *parser, const scene_location *where, const char *name)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    scene_location at = scene_location_key(where, "name");
    if (name && name[strspn(name, allowed)])
        scene_error(
            parser, &at,
            "is \"%s\", but it is used in file names: expected only letters, digits, - and _",
            name);
}

static void check_grid(scene_parser *parser, const scene_location *where,
                       const scene_deformable *soft)
{
    float along = vec3_length(soft->along), across = vec3_length(soft->across);
    float area = vec3_length(vec3_cross(soft->along, soft->across));
    if (!(area > 1e-3f * along * across))
        scene_error(parser, where,
                    "has no area: `along` and `across` are %g m and %g m long, and must not be "
                    "zero or parallel",
                    (double)along, (double)across);
    else if (soft->spacing_m > 0.5f * fminf(along, across))
        scene_error(parser, where,
                    "has vertices %g m apart, expected at most half of its shorter edge, %g m",
                    (double)soft->spacing_m, 0.5 * (double)fminf(along, across));
}

static void read_grid(scene_parser *parser, const scene_location *where, json_t *object,
                      scene_deformable *soft)
{
    scene_deformable read;
    uint32_t faults = parser->errors;
    if (!scene_read_fields(parser, where, object, &scene_table_cloth_grid, &read)) return;
    soft->corner = read.corner;
    soft->along = read.along;
    soft->across = read.across;
    soft->spacing_m = read.spacing_m;
    if (!json_object_get(object, "spacing"))
        soft->spacing_m = fminf(DEFAULT_SPACING * parser->scene->spacing,
                                0.5f * fminf(vec3_length(read.along), vec3_length(read.across)));
    if (faults == parser->errors) check_grid(parser, where, soft);
}

static void read_mesh(scene_parser *parser, const scene_location *where, json_t *object,
                      scene_deformable *soft)
{
    scene_deformable read;
    scene_location file = scene_location_key(where, "file");
    if (!scene_read_fields(parser, where, object, &scene_table_cloth_mesh, &read)) return;
    soft->pose = read.pose;
    soft->pose.rotation = scene_read_rotation(parser, where, object);
    scene_turn_up(&soft->pose, read.mesh_up);
    scene_split_far_pose(object, &soft->pose, soft->origin);
    const char *name = scene_read_word(parser, &file, object);
    if (name) soft->path = scene_read_path(parser, &file, name);
}

static void read_cloth(scene_parser *parser, const scene_location *where, json_t *object,
                       void *item)
{
    scene_deformable *soft = item;
    scene_location grid_at = scene_location_key(where, "grid"),
                   mesh_at = scene_location_key(where, "mesh");
    soft->line = scene_line(parser, where, &soft->column);
    if (!scene_read_fields(parser, where, object, &scene_table_cloth, soft)) return;
    json_t *grid = json_object_get(object, "grid"), *mesh = json_object_get(object, "mesh");
    soft->kind = SCENE_DEFORMABLE_CLOTH;
    if (!json_object_get(object, "thickness")) soft->thickness = parser->scene->spacing;
    check_name(parser, where, soft->name);
    check_stiffness(parser, where, object);
    if (!grid == !mesh) scene_error(parser, where, "expected either a grid or a mesh");
    if (grid) read_grid(parser, &grid_at, grid, soft);
    if (mesh) read_mesh(parser, &mesh_at, mesh, soft);
    read_pins(parser, where, object, soft);
}

/* ---- ropes ---------------------------------------------------------------------------------- */

static void check_points(scene_parser *parser, const scene_location *where,
                         const scene_deformable *soft)
{
    for (uint32_t i = 0; i + 1 < soft->point_count; ++i) {
        scene_location at = scene_location_element(where, i + 1);
        if (!(vec3_length(vec3_sub(soft->points[i + 1], soft->points[i])) > 0.0f))
            scene_error(parser, &at, "equals the previous point: remove it");
    }
}

static void read_points(scene_parser *parser, const scene_location *where, json_t *object,
                        scene_deformable *soft)
{
    static const scene_field point = {.name = "points",
                                      .type = SCENE_FIELD_VECTOR,
                                      .need = SCENE_FIELD_REQUIRED,
                                      .min = -1e5,
                                      .max = 1e5,
                                      .unit = "m",
                                      .about = "a point of it"};
    uint32_t count, faults = parser->errors;
    json_t *array = scene_read_array(parser, where, object, SCENE_MAX_LISTED, &count);
    if (count < 2 && faults == parser->errors)
        scene_error(parser, where, "is an array of %u, expected at least two points", count);
    soft->points = count >= 2 ? scene_alloc(parser, count, sizeof *soft->points) : NULL;
    if (!soft->points) return;
    soft->point_count = count;
    for (uint32_t i = 0; i < count; ++i) {
        scene_location at = scene_location_element(where, i);
        float xyz[3] = {0};
        if (scene_read_vector(parser, &at, json_array_get(array, i), &point, xyz))
            soft->points[i] = vec3_make(xyz[0], xyz[1], xyz[2]);
    }
    if (faults == parser->errors) check_points(parser, where, soft);
}

static void read_rope(scene_parser *parser, const scene_location *where, json_t *object, void *item)
{
    scene_deformable *soft = item;
    scene_location points = scene_location_key(where, "points");
    soft->line = scene_line(parser, where, &soft->column);
    if (!scene_read_fields(parser, where, object, &scene_table_rope, soft)) return;
    soft->kind = SCENE_DEFORMABLE_ROPE;
    if (!json_object_get(object, "spacing"))
        soft->spacing_m = DEFAULT_SPACING * parser->scene->spacing;
    check_name(parser, where, soft->name);
    check_stiffness(parser, where, object);
    if (json_object_get(object, "points")) read_points(parser, &points, object, soft);
    read_pins(parser, where, object, soft);
}

/* ---- soft bodies ---------------------------------------------------------------------------- */

static void read_deformable_body(scene_parser *parser, const scene_location *where, json_t *object,
                                 void *item)
{
    scene_deformable *soft = item;
    scene_location at = scene_location_key(where, "shape");
    uint32_t faults = parser->errors;
    bool poisson = json_object_get(object, "poisson_ratio") != NULL;
    soft->line = scene_line(parser, where, &soft->column);
    if (!scene_read_fields(parser, where, object, &scene_table_soft_body, soft)) return;
    soft->kind = SCENE_DEFORMABLE_SOFT_BODY;
    if (!json_object_get(object, "spacing"))
        soft->spacing_m = SOFT_BODY_SPACING * parser->scene->spacing;
    soft->thickness = 2.0f * SCENE_BODY_INSET * soft->spacing_m;
    check_name(parser, where, soft->name);
    check_moduli(parser, where, object, poisson);
    json_t *shape = json_object_get(object, "shape");
    if (shape) soft->shape = scene_read_shape(parser, &at, shape);
    if (parser->errors == faults && !parser->out_of_memory)
        scene_check_body_shape(parser, &at, soft->shape);
    read_pins(parser, where, object, soft);
}

/* Rejects soft bodies with Jacobi: a volume constraint corrects four vertices in different
 * directions, which Jacobi's averaged corrections do not satisfy. Clusters have no such
 * constraints. */
static void check_solver(scene_parser *parser)
{
    const scene_data *scene = parser->scene;
    scene_location top = {0}, where = scene_location_key(&top, "soft_bodies");
    bool volumes = false;
    for (uint32_t i = 0; i < scene->soft_body_count; i++)
        volumes |= scene->soft_bodies[i].cluster_radius_m == 0.0f;
    if (volumes && scene->solver.deformable_solver == SCENE_DEFORMABLE_JACOBI)
        scene_error(parser, &where,
                    "needs solver.deformable_solver \"gauss_seidel\": \"jacobi\" does not keep "
                    "volumes; or give each soft body a cluster_radius and pbd_stiffness");
}

/* ---- all deformables ------------------------------------------------------------------------- */

static void check_world(scene_parser *parser, const char *key)
{
    const scene_data *scene = parser->scene;
    scene_location top = {0}, where = scene_location_key(&top, key);
    if (scene->solver.dimensions == 2)
        scene_error(parser, &where, "needs solver.dimensions 3: %s do not support 2D scenes", key);
    for (int side = 0; side < 6; side += 2)
        if (scene->domain.sides[side] == SCENE_SIDE_PERIODIC)
            scene_error(parser, &where,
                        "needs a domain without periodic sides, which %s do not support; make %c "
                        "closed or open",
                        key, "xyz"[side / 2]);
}

void scene_read_deformables(scene_parser *parser)
{
    static const scene_list cloths = {"cloths", SCENE_MAX_DEFORMABLES, sizeof(scene_deformable),
                                      read_cloth};
    static const scene_list ropes = {"ropes", SCENE_MAX_DEFORMABLES, sizeof(scene_deformable),
                                     read_rope};
    static const scene_list bodies = {"soft_bodies", SCENE_MAX_DEFORMABLES,
                                      sizeof(scene_deformable), read_deformable_body};
    scene_data *scene = parser->scene;
    scene->cloths = scene_read_list(parser, &cloths, &scene->cloth_count);
    scene->ropes = scene_read_list(parser, &ropes, &scene->rope_count);
    scene->soft_bodies = scene_read_list(parser, &bodies, &scene->soft_body_count);
    if (scene->cloth_count > 0) check_world(parser, "cloths");
    if (scene->rope_count > 0) check_world(parser, "ropes");
    if (scene->soft_body_count == 0) return;
    check_world(parser, "soft_bodies");
    check_solver(parser);
}
