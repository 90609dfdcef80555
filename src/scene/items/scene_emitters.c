/* Reads the emitters of a scene: openings and shapes, their motion, and the speed of the fluid over
 * time. */
#include "scene_internal.h"

/* ---- speed over time ------------------------------------------------------------------------ */

float scene_emitter_max_speed(const scene_emitter *emitter)
{
    float fastest = emitter->speed;
    for (uint32_t i = 0; i < emitter->speed_key_count; ++i)
        fastest = fmaxf(fastest, emitter->speed_keys[i].speed);
    return fastest;
}

bool scene_is_emitter_speed(double speed)
{
    return speed >= (double)SCENE_EMITTER_MIN_SPEED && speed <= (double)SCENE_EMITTER_MAX_SPEED;
}

/* Returns the rate of change of the speed between a keyframe and the next, m/s2; 0 after the
 * last. */
static double speed_slope(const scene_emitter *emitter, uint32_t key)
{
    const scene_speed_key *k = &emitter->speed_keys[key];
    if (key + 1 == emitter->speed_key_count) return 0.0;
    return ((double)k[1].speed - (double)k[0].speed) / ((double)k[1].time_s - (double)k[0].time_s);
}

/* Returns the last keyframe at or before a time; the first if there is none. */
static uint32_t key_at(const scene_emitter *emitter, double time_s)
{
    const scene_speed_key *keys = emitter->speed_keys;
    uint32_t last = emitter->speed_key_count - 1;
    if (time_s >= (double)keys[last].time_s) return last;
    return scene_keyframe_before(&keys[0].time_s, sizeof *keys, emitter->speed_key_count, time_s);
}

float scene_emitter_speed(const scene_emitter *emitter, double time_s)
{
    uint32_t key = key_at(emitter, time_s);
    double since = fmax(time_s - (double)emitter->speed_keys[key].time_s, 0.0);
    return emitter->speed_keys[key].speed + (float)(speed_slope(emitter, key) * since);
}

/* Returns the distance that fluid has moved since the first keyframe, m; negative before it. */
static double emitted_distance(const scene_emitter *emitter, double time_s)
{
    uint32_t key = key_at(emitter, time_s);
    const scene_speed_key *k = &emitter->speed_keys[key];
    double since = time_s - (double)k->time_s;
    double slope = since > 0.0 ? speed_slope(emitter, key) : 0.0;
    return k->way_m + since * ((double)k->speed + 0.5 * slope * since);
}

/* Returns the last keyframe with at most this distance; the first if there is none. */
static uint32_t key_at_distance(const scene_emitter *emitter, double way_m)
{
    uint32_t low = 0, high = emitter->speed_key_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (emitter->speed_keys[middle].way_m <= way_m)
            low = middle;
        else
            high = middle;
    }
    return low;
}

double scene_emitter_time(const scene_emitter *emitter, double way_m)
{
    double way = emitted_distance(emitter, (double)emitter->start_s) + way_m;
    uint32_t key = key_at_distance(emitter, way);
    const scene_speed_key *k = &emitter->speed_keys[key];
    double rest = way - k->way_m, v = (double)k->speed;
    double slope = rest > 0.0 ? speed_slope(emitter, key) : 0.0;
    if (rest == 0.0) return (double)k->time_s;
    /* Solves rest = v t + slope t^2 / 2 in the form that is stable for a slope of 0. */
    double root = v + sqrt(fmax(v * v + 2.0 * slope * rest, 0.0));
    return root > 0.0 ? (double)k->time_s + 2.0 * rest / root : INFINITY;
}

/* ---- openings ------------------------------------------------------------------------------- */

static uint32_t disc_sites(float radius, float d, bool planar, scene_site *sites)
{
    const int reach = (int)floorf(radius / d), across = planar ? 0 : reach;
    uint32_t count = 0;
    for (int y = -reach; y <= reach; y++)
        for (int x = -across; x <= across; x++) {
            if ((float)(x * x + y * y) * d * d > radius * radius) continue;
            if (sites) sites[count] = (scene_site){(float)x, (float)y};
            count++;
        }
    return count;
}

static uint32_t rectangle_sites(const scene_emitter *emitter, float d, bool planar,
                                scene_site *sites)
{
    const int columns = planar ? 1 : (int)fmaxf(floorf(emitter->width / d + 1e-3f), 1.0f);
    const int rows = (int)fmaxf(floorf(emitter->height / d + 1e-3f), 1.0f);
    uint32_t count = 0;
    for (int y = 0; sites && y < rows; y++)
        for (int x = 0; x < columns; x++)
            sites[count++] = (scene_site){(float)x - 0.5f * (float)(columns - 1),
                                          (float)y - 0.5f * (float)(rows - 1)};
    return (uint32_t)columns * (uint32_t)rows;
}

uint32_t scene_opening_sites(const scene_emitter *emitter, float spacing, bool planar,
                             scene_site *sites)
{
    return emitter->radius > 0.0f ? disc_sites(emitter->radius, spacing, planar, sites)
                                  : rectangle_sites(emitter, spacing, planar, sites);
}

static void check_opening(scene_parser *parser, const scene_location *where, const scene_emitter *e)
{
    float spacing = parser->scene->spacing;
    bool round = e->radius > 0, rectangle = e->width > 0 && e->height > 0;
    if (!round && !rectangle)
        scene_error(parser, where,
                    "expected a shape, or an opening: position with radius, or with width and "
                    "height");
    else if (round == rectangle || (round && (e->width > 0 || e->height > 0)))
        scene_error(parser, where, "expected either radius, or width and height");
    else if ((round && 2 * e->radius < spacing) ||
             (rectangle && fminf(e->width, e->height) < spacing))
        scene_error(parser, where,
                    "has an opening narrower than one particle spacing, %g m; widen it",
                    (double)spacing);
}

/* Checks that an emitter of a two-dimensional scene lies and points in its plane. */
static void check_planar_emitter(scene_parser *parser, const scene_location *direction,
                                 scene_emitter *emitter)
{
    vec3 flow = emitter->direction;
    if (flow.z != 0.0f)
        scene_error(parser, direction,
                    "points out of the xy plane: z is %g, but must be 0 with solver.dimensions 2",
                    (double)flow.z);
    emitter->up = vec3_make(-flow.y, flow.x, 0.0f);
}

vec3 scene_perpendicular(vec3 direction, vec3 up)
{
    for (int attempt = 0; attempt < 2; ++attempt) {
        vec3 rest = vec3_sub(up, vec3_scale(direction, vec3_dot(up, direction)));
        float length = vec3_length(rest);
        if (length > 1e-4f) return vec3_scale(rest, 1 / length);
        up = fabsf(direction.z) < 0.9f ? vec3_make(0, 0, 1) : vec3_make(1, 0, 0);
    }
    return up;
}

/* Reports a key that says nothing next to others. */
static void refuse_key(scene_parser *parser, const scene_location *where, const char *key,
                       bool is_set, const char *why)
{
    scene_location at = scene_location_key(where, key);
    if (is_set) scene_error(parser, &at, "%s", why);
}

static void require_key(scene_parser *parser, const scene_location *where, json_t *object,
                        const char *key, const char *meaning)
{
    if (!json_object_get(object, key))
        scene_error(parser, where, "\"%s\" is missing: %s", key, meaning);
}

static void read_frame(scene_parser *parser, const scene_location *where, scene_emitter *emitter)
{
    scene_location direction = scene_location_key(where, "direction");
    scene_read_direction(parser, where, "direction", &emitter->direction);
    scene_read_direction(parser, where, "up", &emitter->up);
    emitter->up = scene_perpendicular(emitter->direction, emitter->up);
    if (parser->scene->solver.dimensions == 2) check_planar_emitter(parser, &direction, emitter);
}

static void read_opening(scene_parser *parser, const scene_location *where, json_t *object,
                         scene_emitter *emitter)
{
    static const char of_shapes[] = "applies to emitters with a shape only";
    const uint32_t faults = parser->errors;
    scene_location position = scene_location_key(where, "position");
    refuse_key(parser, where, "emission", emitter->emission == SCENE_EMISSION_SURFACE, of_shapes);
    refuse_key(parser, where, "prefill", !emitter->prefill, of_shapes);
    check_opening(parser, where, emitter);
    if (faults != parser->errors) return;
    require_key(parser, where, object, "position", "the centre of the opening, m");
    require_key(parser, where, object, "direction", "the direction of the flow");
    if (faults != parser->errors) return;
    read_frame(parser, where, emitter);
    if (!scene_is_inside(&parser->scene->domain, emitter->position))
        scene_error(parser, &position, "is outside the domain; move it in");
}

static void read_shape(scene_parser *parser, const scene_location *where, json_t *object,
                       scene_emitter *emitter)
{
    static const char of_openings[] = "describes an opening, but this emitter has a shape: give "
                                      "the shape's own position and size";
    static const char of_volumes[] = "does not apply to \"emission\": \"surface\", whose fluid "
                                     "leaves along the normals at one speed";
    static const char *const keys[] = {"position", "radius", "width", "height"};
    scene_location at = scene_location_key(where, "shape");
    const bool surface = emitter->emission == SCENE_EMISSION_SURFACE;
    const uint32_t before = parser->errors;
    emitter->has_shape = true;
    emitter->position = vec3_make(0, 0, 0);
    emitter->shape = scene_read_shape(parser, &at, json_object_get(object, "shape"));
    if (parser->errors == before)
        emitter->sequence = scene_sequence_span(parser->scene, emitter->shape);
    for (size_t i = 0; i < BASE_COUNT(keys); i++)
        refuse_key(parser, where, keys[i], json_object_get(object, keys[i]) != NULL, of_openings);
    if (surface) {
        refuse_key(parser, where, "direction", json_object_get(object, "direction"), of_volumes);
        refuse_key(parser, where, "prefill", !emitter->prefill, of_volumes);
        refuse_key(parser, where, "profile", emitter->profile != SCENE_PROFILE_PLUG, of_volumes);
        emitter->direction = vec3_make(1, 0, 0);
        emitter->up = vec3_make(0, 1, 0);
        return;
    }
    const uint32_t faults = parser->errors;
    require_key(parser, where, object, "direction",
                "the direction in which fluid moves through the shape");
    if (faults == parser->errors) read_frame(parser, where, emitter);
}

/* ---- motion and speed ----------------------------------------------------------------------- */

/* Returns whether the motion turns only about z, as openings in a two-dimensional scene must. */
static bool spins_about_z(const scene_motion *motion)
{
    bool about = motion->spin.x == 0.0f && motion->spin.y == 0.0f &&
                 motion->rotation_amplitude.x == 0.0f && motion->rotation_amplitude.y == 0.0f;
    for (uint32_t i = 0; i < motion->key_count; ++i)
        about = about && motion->keys[i].rotation.x == 0.0f && motion->keys[i].rotation.y == 0.0f;
    return about;
}

/* Checks a motion that was read from `where`, its own or that of a solid. */
static void check_motion(scene_parser *parser, const scene_location *where,
                         const scene_emitter *emitter)
{
    const scene_data *scene = parser->scene;
    const bool own = strcmp(where->key, "motion") == 0, planar = scene->solver.dimensions == 2;
    scene_location keys = scene_location_key(where, "keyframes");
    if (planar && !spins_about_z(&emitter->motion))
        scene_error(parser, where,
                    "turns the opening out of the xy plane: with solver.dimensions 2 it may only "
                    "turn about [0, 0, 1]");
    for (uint32_t i = 0; i < emitter->motion.key_count && !emitter->has_shape; ++i) {
        const scene_pose_key *key = &emitter->motion.keys[i];
        scene_location element = scene_location_element(&keys, i);
        vec3 p = vec3_add(quat_rotate(key->rotation, emitter->position), key->position);
        if (planar) p.z = scene_plane(scene);
        if (!scene_is_inside(&scene->domain, p))
            scene_error(parser, own ? &element : where,
                        "moves the opening to (%g, %g, %g) m, outside the domain; move it in",
                        (double)p.x, (double)p.y, (double)p.z);
    }
}

static void read_motion(scene_parser *parser, const scene_location *where, json_t *object,
                        scene_emitter *emitter)
{
    const scene_location at = scene_read_motion_or_attachment(
        parser, where, object, &emitter->motion, &emitter->attached_to);
    if (emitter->attached_to.solid && emitter->motion.kind == SCENE_MOTION_HOST_DRIVEN)
        scene_error(parser, &at,
                    "names a solid that the host program moves: give the emitter \"motion\": "
                    "{\"host_driven\": true} and set its pose, too");
    check_motion(parser, &at, emitter);
}

/* Checks the order of two keyframes and integrates the distance: their mean speed times the time
 * between them. */
static void check_speed_key(scene_parser *parser, const scene_location *where, uint32_t index,
                            scene_speed_key *keys)
{
    scene_location time = scene_location_key(where, "time");
    if (index == 0) return;
    const scene_speed_key *before = &keys[index - 1];
    double span = (double)keys[index].time_s - (double)before->time_s;
    if (span <= 0.0)
        scene_error(parser, &time, "is %g s, expected more than the %g s of the previous keyframe",
                    (double)keys[index].time_s, (double)before->time_s);
    keys[index].way_m =
        before->way_m + 0.5 * span * ((double)before->speed + (double)keys[index].speed);
}

static void read_speed_keys(scene_parser *parser, const scene_location *where, json_t *object,
                            scene_emitter *emitter)
{
    uint32_t count;
    const bool rate = strcmp(where->key, "flow_rate_keyframes") == 0;
    json_t *array = scene_read_array(parser, where, object, SCENE_MAX_KEYFRAMES, &count);
    if (!array) return;
    if (count == 0) {
        scene_error(parser, where, "is empty, expected at least one keyframe; or give %s",
                    rate ? "flow_rate" : "speed");
        return;
    }
    emitter->speed_keys = scene_alloc(parser, count, sizeof *emitter->speed_keys);
    if (!emitter->speed_keys) return;
    emitter->speed_key_count = count;
    for (uint32_t i = 0; i < count; ++i) {
        scene_location at = scene_location_element(where, i);
        scene_read_fields(parser, &at, json_array_get(array, i),
                          rate ? &scene_table_flow_rate_key : &scene_table_speed_key,
                          &emitter->speed_keys[i]);
        check_speed_key(parser, &at, i, emitter->speed_keys);
    }
    if (scene_emitter_max_speed(emitter) == 0.0f)
        scene_error(parser, where, "has no %s above 0, so no fluid would be emitted",
                    rate ? "flow rate" : "speed");
}

/* Turns the flow rates of an opening into speeds. */
static void convert_flow_rate(scene_parser *parser, const scene_location *where,
                              scene_emitter *emitter)
{
    const bool planar = parser->scene->solver.dimensions == 2;
    const double d = (double)parser->scene->spacing,
                 sites = scene_opening_sites(emitter, parser->scene->spacing, planar, NULL);
    const double area = sites * (planar ? d : d * d),
                 rate = (double)scene_emitter_max_speed(emitter);
    if (!scene_is_emitter_speed(rate / area))
        scene_error(parser, where,
                    "is %g m³/s, a speed of %g m/s through %g m², expected %g to %g m/s; change it "
                    "or the size of the opening",
                    rate, rate / area, area, (double)SCENE_EMITTER_MIN_SPEED,
                    (double)SCENE_EMITTER_MAX_SPEED);
    emitter->speed_is_flow_rate = false;
    emitter->speed = (float)((double)emitter->speed / area);
    for (uint32_t i = 0; i < emitter->speed_key_count; i++) {
        emitter->speed_keys[i].speed = (float)((double)emitter->speed_keys[i].speed / area);
        emitter->speed_keys[i].way_m /= area;
    }
}

static void read_speed(scene_parser *parser, const scene_location *where, json_t *object,
                       scene_emitter *emitter)
{
    static const char *const names[] = {"speed", "speed_keyframes", "flow_rate",
                                        "flow_rate_keyframes"};
    uint32_t faults = parser->errors, given = 0, count = 0;
    for (uint32_t i = 0; i < BASE_COUNT(names); i++)
        if (json_object_get(object, names[i])) given = i, count++;
    if (count != 1) {
        scene_error(parser, where,
                    "expected one of speed, speed_keyframes, flow_rate and flow_rate_keyframes, "
                    "found %u of them",
                    count);
        return;
    }
    scene_location at = scene_location_key(where, names[given]);
    emitter->speed_is_flow_rate = given >= 2;
    if (given == 2) emitter->speed = emitter->flow_rate;
    if (given % 2) read_speed_keys(parser, &at, object, emitter);
    if (given % 2 && emitter->motion.kind == SCENE_MOTION_HOST_DRIVEN)
        scene_error(parser, &at,
                    "conflicts with \"motion\": {\"host_driven\": true}: the host program also "
                    "sets the speed; give only the initial speed, as speed");
    if (emitter->speed_is_flow_rate && !emitter->has_shape && faults == parser->errors)
        convert_flow_rate(parser, &at, emitter);
}

/* A profile has several speeds, but the host program sets one. A cross-section that changes has
 * neither one profile nor one speed for a flow rate. */
static void check_profile(scene_parser *parser, const scene_location *where,
                          const scene_emitter *emitter)
{
    scene_location at = scene_location_key(where, "profile");
    if (emitter->sequence.rate_hz > 0.0f && emitter->profile != SCENE_PROFILE_PLUG)
        scene_error(parser, &at, "must be \"plug\" with a sequence of meshes as the shape");
    if (emitter->sequence.rate_hz > 0.0f && emitter->speed_is_flow_rate)
        scene_error(parser, where,
                    "has a sequence of meshes as its shape, whose cross-section changes: give "
                    "\"speed\" in place of a flow rate");
    if (emitter->profile != SCENE_PROFILE_PLUG && emitter->motion.kind == SCENE_MOTION_HOST_DRIVEN)
        scene_error(parser, &at,
                    "must be \"plug\" with \"motion\": {\"host_driven\": true}: the host program "
                    "sets one speed");
}

static void read_emitter(scene_parser *parser, const scene_location *where, json_t *object,
                         void *item)
{
    scene_emitter *emitter = item;
    const scene_data *scene = parser->scene;
    const scene_names fluids = {scene->fluids, sizeof *scene->fluids, scene->fluid_count};
    scene_location fluid = scene_location_key(where, "fluid");
    uint32_t faults = parser->errors;
    emitter->line = scene_line(parser, where, &emitter->column);
    if (!scene_read_fields(parser, where, object, &scene_table_emitter, emitter)) return;
    if (faults == parser->errors) {
        if (json_object_get(object, "shape"))
            read_shape(parser, where, object, emitter);
        else
            read_opening(parser, where, object, emitter);
        scene_check_times(parser, where, emitter->start_s, emitter->end_s);
    }
    faults = parser->errors - faults;
    read_motion(parser, where, object, emitter);
    if (faults == 0) read_speed(parser, where, object, emitter);
    check_profile(parser, where, emitter);
    scene_read_attribute_values(parser, where, object, &emitter->attributes);
    scene_find_name(parser, &fluid, object, &fluids, &emitter->fluid);
}

void scene_read_emitters(scene_parser *parser)
{
    static const scene_list list = {"emitters", SCENE_MAX_SOLIDS, sizeof(scene_emitter),
                                    read_emitter};
    parser->scene->emitters = scene_read_list(parser, &list, &parser->scene->emitter_count);
}
