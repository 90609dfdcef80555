/* Reads the sea: its level, current, waves, and the zones at the sides of the domain. */
#include "scene_internal.h"
#include "scene_query.h"

#define LEAST_DEPTH_SPACINGS 4.0f
#define LEAST_ZONE_SPACINGS 4.0f
#define LEAST_WAVE_SPACINGS 8.0 /* in a wavelength */
#define LEAST_HEIGHT_SPACINGS 0.5f
/* Miche 1944: the steepest waves have H = 0.142 L tanh(k h). */
#define BREAKING_STEEPNESS 0.142
#define LEAST_CROSSING 0.1f /* of an axis, by waves: cosine of the angle between them */
#define TWO_PI 6.28318530717958648

static const char *const zone_names[] = {"none", "absorbing", "generating", NULL};
/* Axes with zones, and their indices in the domain. */
static const char *const axis_names[2] = {"x", "z"};
static const uint32_t axes[2] = {0, 2};

/* ---- what a scene with a sea may omit -------------------------------------------------------- */

static void add_fluid(scene_parser *parser)
{
    scene_set_json(parser, parser->root, "fluids", json_pack("[{s:s}]", "name", "water"));
}

/* Water flows out at one side and in at the other: sides along a current are periodic. */
static void add_periodic_sides(scene_parser *parser, const json_t *current)
{
    json_t *domain = json_object_get(parser->root, "domain"), *sides;
    if (!json_is_object(domain)) return;
    sides = json_object_get(domain, "sides");
    for (int i = 0; i < 2; ++i) {
        if (json_number_value(json_array_get(current, axes[i])) == 0.0) continue;
        if (!sides) {
            sides = json_object();
            if (!scene_set_json(parser, domain, "sides", sides)) return;
        }
        if (json_is_object(sides) && !json_object_get(sides, axis_names[i]))
            scene_set_json(parser, sides, axis_names[i], json_string("periodic"));
    }
}

void scene_prepare_sea(scene_parser *parser)
{
    json_t *sea = json_object_get(parser->root, "sea");
    if (!json_is_object(sea)) return;
    if (!json_object_get(parser->root, "fluids")) add_fluid(parser);
    add_periodic_sides(parser, json_object_get(sea, "current"));
}

/* Returns the node of a box, which no JSON describes. */
static uint32_t add_box(scene_parser *parser, vec3 min, vec3 max)
{
    scene_location top = {0}, where = scene_location_key(&top, "sea");
    json_t *object =
        json_pack("{s:{s:[f,f,f],s:[f,f,f]}}", "box", "min", (double)min.x, (double)min.y,
                  (double)min.z, "max", (double)max.x, (double)max.y, (double)max.z);
    if (!object) parser->out_of_memory = true;
    uint32_t shape = object ? scene_read_shape(parser, &where, object) : 0;
    json_decref(object);
    return shape;
}

/* The lattice of the fill is that of the box below the level. With waves the box is higher by whole
 * layers, of which the fill leaves out what is above the waves. */
void scene_fill_sea(scene_parser *parser, scene_fluid *fluid)
{
    const scene_data *scene = parser->scene;
    const scene_sea *sea = &scene->sea;
    scene_sea_wave waves[SCENE_MAX_SEA_WAVES];
    scene_location top = {0}, where = scene_location_key(&top, "sea");
    uint32_t count = sea->waves.developed ? scene_sea_components(scene, waves) : 0;
    double crest = 0.0, spacing = (double)scene->spacing;
    for (uint32_t i = 0; i < count; ++i)
        crest += waves[i].amplitude;
    vec3 min = scene->domain.min, max = scene->domain.max;
    max.y = fminf(sea->level + (float)(ceil(crest / spacing) * spacing), max.y);
    fluid->fills = scene_alloc(parser, 1, sizeof *fluid->fills);
    if (!fluid->fills) return;
    fluid->fill_count = 1;
    *fluid->fills = (scene_fill){
        .kind = SCENE_FILL_SHAPE,
        .is_sea = true,
        .shape = add_box(parser, min, max),
        .seed = 1,
        .jitter = scene_has_grid(&scene->solver) ? 0.5f : 0.0f,
        .pose = {.rotation = quat_identity(), .scale = 1.0f},
        .velocity = sea->current,
        .line = sea->line,
        .column = sea->column,
    };
    json_t *none = json_object();
    if (none) scene_read_attribute_values(parser, &where, none, &fluid->fills->attributes);
    json_decref(none);
}

/* ---- waves ---------------------------------------------------------------------------------- */

static bool is_planar(const scene_parser *parser)
{
    return parser->scene->solver.dimensions == 2;
}

/* Keys of irregular waves alone. */
static const char *const irregular[] = {"peak_enhancement", "spread", "components", "seed"};

static void check_kind(scene_parser *parser, const scene_location *where, json_t *object)
{
    bool regular = json_object_get(object, "height") && json_object_get(object, "period"),
         spectral = json_object_get(object, "significant_height") &&
                    json_object_get(object, "peak_period");
    bool mixed =
        (json_object_get(object, "height") || json_object_get(object, "period")) &&
        (json_object_get(object, "significant_height") || json_object_get(object, "peak_period"));
    if (regular == spectral || mixed) {
        scene_error(parser, where,
                    "expected height and period of regular waves, or significant_height and "
                    "peak_period of irregular ones");
        return;
    }
    for (size_t i = 0; i < BASE_COUNT(irregular) && regular; ++i) {
        scene_location at = scene_location_key(where, irregular[i]);
        if (json_object_get(object, irregular[i]))
            scene_error(parser, &at,
                        "applies to irregular waves only: remove it, or give significant_height "
                        "and peak_period in place of height and period");
    }
}

static void read_wave_direction(scene_parser *parser, const scene_location *where,
                                scene_sea_waves *waves)
{
    scene_location at = scene_location_key(where, "direction");
    vec3 *way = &waves->direction;
    uint32_t faults = parser->errors;
    scene_read_direction(parser, where, "direction", way);
    if (faults != parser->errors) return;
    if (way->y != 0.0f)
        scene_error(parser, &at, "points up or down: y is %g, expected a horizontal direction",
                    (double)way->y);
    else if (is_planar(parser) && way->z != 0.0f)
        scene_error(parser, &at,
                    "points out of the xy plane, but nothing moves along z with "
                    "solver.dimensions 2: set it to [1, 0, 0] or [-1, 0, 0]");
    if (is_planar(parser)) waves->spread = 0.0f;
}

/* Reports waves that break at once. */
static void check_steepness(scene_parser *parser, const scene_location *where, double length)
{
    const scene_sea_waves *w = &parser->scene->sea.waves;
    bool regular = w->period > 0.0f;
    double height = (double)(regular ? w->height : w->significant_height);
    double most =
        BREAKING_STEEPNESS * length * tanh(TWO_PI / length * scene_sea_depth(parser->scene));
    scene_location at = scene_location_key(where, regular ? "height" : "significant_height");
    if (regular && height > most)
        scene_error(parser, &at,
                    "is %g m, but waves of this period, %.4g m long, break above %.3g m in %.4g m "
                    "of water: lower it, or lengthen the period",
                    height, length, most, scene_sea_depth(parser->scene));
    else if (!regular && 2.0 * height > most)
        scene_warn(parser, &at,
                   "is %g m: most waves break, since they are %.4g m long; up to %.3g m they do "
                   "not",
                   height, length, 0.5 * most);
    if (height < (double)(LEAST_HEIGHT_SPACINGS * parser->scene->spacing))
        scene_warn(parser, &at,
                   "is %.3g spacings: particles do not carry waves lower than half a spacing; "
                   "raise it, or make spacing smaller",
                   height / (double)parser->scene->spacing);
}

static void check_waves(scene_parser *parser, const scene_location *where)
{
    const scene_sea_waves *w = &parser->scene->sea.waves;
    double length = scene_sea_wavelength(parser->scene);
    double spacings = length / (double)parser->scene->spacing;
    scene_location at = scene_location_key(where, w->period > 0.0f ? "period" : "peak_period");
    if (length == 0.0)
        scene_error(parser, &at,
                    "is %g s: the current carries waves of this period back; slow the current or "
                    "lengthen the period",
                    (double)(w->period > 0.0f ? w->period : w->peak_period));
    else if (spacings < LEAST_WAVE_SPACINGS)
        scene_error(parser, &at,
                    "gives waves %.3g spacings long, expected at least %g: lengthen it, or make "
                    "spacing smaller",
                    spacings, LEAST_WAVE_SPACINGS);
    else
        check_steepness(parser, where, length);
}

static void read_waves(scene_parser *parser, const scene_location *sea_at, json_t *sea)
{
    scene_sea_waves *waves = &parser->scene->sea.waves;
    scene_location where = scene_location_key(sea_at, "waves");
    json_t *object = json_object_get(sea, "waves"), *given = json_object_get(object, "ramp");
    uint32_t faults = parser->errors;
    if (!object) return;
    json_t *as_given = json_copy(object); /* fields get defaults where they are read */
    bool is_read = scene_read_fields(parser, &where, object, &scene_table_sea_waves, waves);
    /* A key that is spelt wrong is the likelier cause of one that is missing. */
    if (faults == parser->errors && as_given) check_kind(parser, &where, as_given);
    json_decref(as_given);
    if (!is_read) return;
    for (size_t i = 0; i < BASE_COUNT(irregular) && waves->period > 0.0f; ++i)
        json_object_del(object, irregular[i]);
    read_wave_direction(parser, &where, waves);
    if (!given) {
        float period = waves->period > 0.0f ? waves->period : waves->peak_period;
        waves->ramp = waves->developed ? 0.0f : period;
    }
    waves->given = faults == parser->errors;
    if (waves->given) check_waves(parser, &where);
}

/* ---- zones ---------------------------------------------------------------------------------- */

static bool is_periodic(const scene_parser *parser, int axis)
{
    return parser->scene->domain.sides[2 * axes[axis]] == SCENE_SIDE_PERIODIC;
}

/* Waves come in at one side of an axis and leave at the other. Sides along which they run send
 * them, too; long-crested ones need no zone there, because sides reflect nothing of them. */
static void choose_zones(const scene_parser *parser, int axis, scene_sea_zone pair[2])
{
    const scene_sea *sea = &parser->scene->sea;
    const float *way = &sea->waves.direction.x, *current = &sea->current.x;
    float along = sea->waves.given ? way[axes[axis]] : 0.0f;
    bool crosses = fabsf(along) >= LEAST_CROSSING;
    bool is_long_crested = sea->waves.given && sea->waves.spread == 0.0f && along == 0.0f;
    pair[0] = pair[1] = SCENE_SEA_ABSORBING;
    if (is_long_crested && current[axes[axis]] == 0.0f) {
        pair[0] = pair[1] = SCENE_SEA_NO_ZONE;
    } else if (sea->waves.given && (along >= LEAST_CROSSING || !crosses)) {
        pair[0] = SCENE_SEA_GENERATING;
        if (!crosses && !is_periodic(parser, axis)) pair[1] = SCENE_SEA_GENERATING;
    } else if (sea->waves.given) {
        pair[1] = SCENE_SEA_GENERATING;
    }
}

static bool read_zone(scene_parser *parser, const scene_location *where, const json_t *value,
                      scene_sea_zone *zone)
{
    static const scene_choices names = {zone_names, "\"generating\", \"absorbing\" or \"none\""};
    uint32_t choice;
    if (!scene_read_name(parser, where, value, &names, &choice)) return false;
    *zone = (scene_sea_zone)choice;
    return true;
}

static void read_axis_zones(scene_parser *parser, const scene_location *zones, json_t *object,
                            int axis)
{
    scene_sea_zone *pair = &parser->scene->sea.zones[2 * axis];
    scene_location where = scene_location_key(zones, axis_names[axis]);
    json_t *value = json_object_get(object, axis_names[axis]);
    if (!value) {
        choose_zones(parser, axis, pair);
        scene_set_json(parser, object, axis_names[axis],
                       json_pack("[s,s]", zone_names[pair[0]], zone_names[pair[1]]));
    } else if (!json_is_array(value)) {
        if (read_zone(parser, &where, value, &pair[0])) pair[1] = pair[0];
    } else if (json_array_size(value) != 2) {
        scene_error(parser, &where, "is %s, expected one zone or [lower, upper]",
                    scene_format_value(value).text);
    } else {
        for (size_t i = 0; i < 2; ++i) {
            scene_location at = scene_location_element(&where, i);
            read_zone(parser, &at, json_array_get(value, i), &pair[i]);
        }
    }
}

static bool is_generating(const scene_sea *sea)
{
    bool found = false;
    for (int side = 0; side < 4; ++side)
        found |= sea->zones[side] == SCENE_SEA_GENERATING;
    return found;
}

static void read_zones(scene_parser *parser, const scene_location *sea_at, json_t *object)
{
    scene_sea *sea = &parser->scene->sea;
    scene_location where = scene_location_key(sea_at, "zones");
    json_t *zones = json_object_get(object, "zones");
    uint32_t faults = parser->errors;
    if (!zones) {
        zones = json_object();
        if (!scene_set_json(parser, object, "zones", zones)) return;
    }
    if (!scene_read_fields(parser, &where, zones, &scene_table_sea_zones, NULL)) return;
    read_axis_zones(parser, &where, zones, 0);
    if (!is_planar(parser)) read_axis_zones(parser, &where, zones, 1);
    if (faults == parser->errors && sea->waves.given && !is_generating(sea) &&
        !sea->waves.developed)
        scene_error(parser, &where,
                    "has no generating side, so the waves come from nowhere: make one side "
                    "\"generating\", or remove waves");
}

/* Returns the number of zones across an axis. */
static int zone_count(const scene_sea *sea, int axis)
{
    return (sea->zones[2 * axis] != SCENE_SEA_NO_ZONE) +
           (sea->zones[2 * axis + 1] != SCENE_SEA_NO_ZONE);
}

static float extent_of(const scene_data *scene, int axis)
{
    const float *low = &scene->domain.min.x, *high = &scene->domain.max.x;
    return high[axes[axis]] - low[axes[axis]];
}

static void choose_zone_width(scene_parser *parser, json_t *object)
{
    scene_data *scene = parser->scene;
    float width = (float)scene_sea_wavelength(scene);
    for (int axis = 0; axis < 2; ++axis) {
        float third = extent_of(scene, axis) / 3.0f;
        if (zone_count(&scene->sea, axis) > 0 && (width == 0.0f || width > third)) width = third;
    }
    if (width == 0.0f) width = extent_of(scene, 0) / 3.0f;
    scene->sea.zone_width = width;
    scene_set_json(parser, object, "zone_width", json_real(base_shortest_decimal(width)));
}

static void check_zone_width(scene_parser *parser, const scene_location *sea_at)
{
    const scene_data *scene = parser->scene;
    const scene_sea *sea = &scene->sea;
    scene_location at = scene_location_key(sea_at, "zone_width");
    for (int axis = 0; axis < 2; ++axis) {
        int count = zone_count(sea, axis);
        float needed = (float)count * sea->zone_width;
        if (count == 0 || needed <= extent_of(scene, axis) * (1.0f + 1e-5f)) continue;
        scene_error(parser, &at,
                    "is %g m, but the domain is %g m wide on %s and has %d zone%s there: expected "
                    "at most %g m, or a wider domain",
                    (double)sea->zone_width, (double)extent_of(scene, axis), axis_names[axis],
                    count, count == 1 ? "" : "s", (double)extent_of(scene, axis) / count);
        return;
    }
    if (sea->zone_width < LEAST_ZONE_SPACINGS * scene->spacing)
        scene_error(parser, &at, "is %g m, %.3g spacings, expected at least %g spacings: widen it",
                    (double)sea->zone_width, (double)(sea->zone_width / scene->spacing),
                    (double)LEAST_ZONE_SPACINGS);
}

/* ---- the sea -------------------------------------------------------------------------------- */

static void check_gravity(scene_parser *parser, const scene_location *where)
{
    const vec3 g = parser->scene->gravity;
    if (parser->scene->gravity_key_count > 0)
        scene_error(parser, where, "needs constant gravity: remove gravity_keyframes, or the sea");
    else if (g.x != 0.0f || g.z != 0.0f || !(g.y < 0.0f))
        scene_error(parser, where,
                    "needs gravity along -y, but it is [%g, %g, %g]: turn the scene upright",
                    (double)g.x, (double)g.y, (double)g.z);
}

static void check_level(scene_parser *parser, const scene_location *where)
{
    const scene_data *scene = parser->scene;
    scene_location at = scene_location_key(where, "level");
    float least = scene->domain.min.y + LEAST_DEPTH_SPACINGS * scene->spacing;
    if (scene->sea.level < least || scene->sea.level >= scene->domain.max.y)
        scene_error(parser, &at,
                    "is %g m, expected a y from %g m, %g spacings above the floor of the domain, "
                    "to below its top, %g m",
                    (double)scene->sea.level, (double)least, (double)LEAST_DEPTH_SPACINGS,
                    (double)scene->domain.max.y);
}

/* The floor holds the water; the sides hold it, or let it return on the other side. */
static void check_sides(scene_parser *parser, const scene_location *where)
{
    static const char *const names[6] = {"-x", "+x", "-y", "+y", "-z", "+z"};
    const scene_side *sides = parser->scene->domain.sides;
    uint32_t count = is_planar(parser) ? 4 : 6;
    for (uint32_t side = 0; side < count; ++side) {
        if (side == 3) continue; /* the top */
        bool floor = side == 2;
        if (sides[side] == SCENE_SIDE_OPEN || (floor && sides[side] != SCENE_SIDE_CLOSED))
            scene_error(parser, where,
                        "would run out at the %s side of the domain, which is %s: make it "
                        "\"closed\"%s",
                        names[side], sides[side] == SCENE_SIDE_OPEN ? "open" : "periodic",
                        floor ? "" : " or \"periodic\"");
    }
}

static void check_current(scene_parser *parser, const scene_location *where)
{
    const scene_sea *sea = &parser->scene->sea;
    const float *current = &sea->current.x;
    scene_location at = scene_location_key(where, "current");
    if (sea->current.y != 0.0f)
        scene_error(parser, &at, "flows up or down: y is %g m/s, expected 0",
                    (double)sea->current.y);
    if (is_planar(parser) && sea->current.z != 0.0f)
        scene_error(parser, &at,
                    "flows out of the xy plane: z is %g m/s, but nothing moves along z with "
                    "solver.dimensions 2; set it to 0",
                    (double)sea->current.z);
    for (int axis = 0; axis < (is_planar(parser) ? 1 : 2); ++axis)
        if (current[axes[axis]] != 0.0f && !is_periodic(parser, axis))
            scene_error(parser, &at,
                        "flows along %s, but the sides of the domain there are closed: set "
                        "domain.sides.%s to \"periodic\"",
                        axis_names[axis], axis_names[axis]);
}

static void warn_open_level(scene_parser *parser, const scene_location *where)
{
    const char *what = json_array_size(json_object_get(parser->root, "emitters")) ? "emitters"
                       : json_array_size(json_object_get(parser->root, "sinks"))  ? "sinks"
                                                                                  : NULL;
    if (what)
        scene_warn(parser, where, "keeps its amount of water: the %s of the scene change its level",
                   what);
}

void scene_read_sea(scene_parser *parser)
{
    scene_location top = {0}, where = scene_location_key(&top, "sea");
    scene_data *scene = parser->scene;
    scene_sea *sea = &scene->sea;
    json_t *object = json_object_get(parser->root, "sea");
    if (!object) return;
    bool width_given = json_object_get(object, "zone_width") != NULL;
    sea->line = scene_line(parser, &where, &sea->column);
    if (!scene_read_fields(parser, &where, object, &scene_table_sea, sea)) return;
    if (parser->errors > 0) return; /* of the domain or the solver, on which the rest depends */
    check_gravity(parser, &where);
    check_level(parser, &where);
    check_sides(parser, &where);
    check_current(parser, &where);
    if (parser->errors > 0) return;
    read_waves(parser, &where, object);
    if (parser->errors > 0) return;
    read_zones(parser, &where, object);
    if (!width_given && parser->errors == 0) choose_zone_width(parser, object);
    if (parser->errors == 0) check_zone_width(parser, &where);
    warn_open_level(parser, &where);
    sea->given = parser->errors == 0;
}
