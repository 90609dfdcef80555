/* Numbers over time: a field that can change while a simulation runs has keyframes in place of its
 * value, as in "viscosity_keyframes": [{"time": 0, "viscosity": 1}, {"time": 2, "viscosity": 50}].
 */
#include "scene_internal.h"

static const char suffix[] = "_keyframes";

/* One keyframe, as its table reads it. */
typedef struct scene_number_key {
    float time_s;
    float value[3]; /* one number or three */
} scene_number_key;

struct scene_track {
    void *target; /* member of the scene or of one of its fluids */
    uint32_t components, count;
    scene_number_key *keys; /* in order of time */
};

bool scene_field_key(const scene_field *field, scene_keyframes_key *key)
{
    if (!field->keyed) return false;
    int length = snprintf(key->text, sizeof key->text, "%s%s", field->name, suffix);
    WEIR_ASSERT(length > 0 && (size_t)length < sizeof key->text);
    return true;
}

bool scene_is_keyframes_key(const scene_table *table, const char *key)
{
    scene_keyframes_key of;
    for (size_t i = 0; i < table->count; ++i)
        if (scene_field_key(&table->fields[i], &of) && strcmp(key, of.text) == 0) return true;
    return false;
}

/* ---- reading -------------------------------------------------------------------------------- */

static float magnitude(const scene_number_key *key)
{
    return vec3_length(vec3_make(key->value[0], key->value[1], key->value[2]));
}

/* The field itself has the value of largest magnitude: it decides which passes a substep needs and
 * what is warned about. */
static void set_largest(const struct scene_track *track)
{
    const scene_number_key *largest = &track->keys[0];
    for (uint32_t i = 1; i < track->count; ++i)
        if (magnitude(&track->keys[i]) > magnitude(largest)) largest = &track->keys[i];
    memcpy(track->target, largest->value, track->components * sizeof *largest->value);
}

static void read_keys(scene_parser *parser, const scene_location *where, json_t *array,
                      const scene_field *field, struct scene_track *track)
{
    scene_field fields[2] = {{.name = "time",
                              .type = SCENE_FIELD_FLOAT,
                              .need = SCENE_FIELD_REQUIRED,
                              .offset = offsetof(scene_number_key, time_s),
                              .max = 1e6,
                              .unit = "s",
                              .about = "time of the keyframe"},
                             *field};
    fields[1].need = SCENE_FIELD_REQUIRED;
    fields[1].offset = offsetof(scene_number_key, value);
    fields[1].keyed = false;
    const scene_table table = {"keyframe", fields, 2, &(const scene_number_key){0}};
    for (uint32_t i = 0; i < track->count; ++i) {
        scene_location at = scene_location_element(where, i),
                       time = scene_location_key(&at, "time");
        scene_read_fields(parser, &at, json_array_get(array, i), &table, &track->keys[i]);
        if (i > 0 && track->keys[i].time_s <= track->keys[i - 1].time_s)
            scene_error(parser, &time,
                        "is %g s, expected more than the %g s of the previous keyframe",
                        (double)track->keys[i].time_s, (double)track->keys[i - 1].time_s);
    }
}

void scene_read_field_keyframes(scene_parser *parser, const scene_location *where, json_t *object,
                                const scene_field *field, void *out)
{
    scene_keyframes_key key;
    const uint32_t faults = parser->errors;
    struct scene_track track = {.components = field->type == SCENE_FIELD_VECTOR ? 3 : 1};
    if (!scene_field_key(field, &key) || !json_object_get(object, key.text)) return;
    scene_location at = scene_location_key(where, key.text);
    json_t *array = scene_read_array(parser, &at, object, SCENE_MAX_KEYFRAMES, &track.count);
    if (!array) return;
    if (json_object_get(object, field->name))
        scene_error(parser, &at, "is given together with \"%s\": remove one of them", field->name);
    if (track.count == 0)
        scene_error(parser, &at, "is empty, expected at least one keyframe; or remove it");
    if (faults != parser->errors) return;
    track.target = (char *)out + field->offset;
    track.keys = scene_alloc(parser, track.count, sizeof *track.keys);
    if (!track.keys) return;
    read_keys(parser, &at, array, field, &track);
    scene_data *scene = parser->scene;
    struct scene_track *tracks = scene_alloc(parser, scene->track_count + 1, sizeof *tracks);
    if (faults != parser->errors || !tracks) {
        base_free(track.keys);
        base_free(tracks);
        return;
    }
    set_largest(&track);
    if (scene->track_count) memcpy(tracks, scene->tracks, scene->track_count * sizeof *tracks);
    tracks[scene->track_count++] = track;
    base_free(scene->tracks);
    scene->tracks = tracks;
}

void scene_free_tracks(scene_data *scene)
{
    for (uint32_t i = 0; i < scene->track_count; ++i)
        base_free(scene->tracks[i].keys);
    base_free(scene->tracks);
}

/* ---- evaluation ----------------------------------------------------------------------------- */

static void evaluate(const struct scene_track *track, double time_s, float *out)
{
    const scene_number_key *keys = track->keys, *last = &keys[track->count - 1], *a = keys;
    double t = 0.0;
    if (time_s >= (double)last->time_s) {
        a = last;
    } else if (time_s > (double)keys->time_s) {
        a += scene_keyframe_before(&keys->time_s, sizeof *keys, track->count, time_s);
        t = (time_s - (double)a->time_s) / ((double)a[1].time_s - (double)a->time_s);
    }
    for (uint32_t i = 0; i < track->components; ++i)
        out[i] = t > 0.0 ? a->value[i] + (float)t * (a[1].value[i] - a->value[i]) : a->value[i];
}

void scene_at_time(const scene_data *scene, double time_s, scene_moment *moment)
{
    moment->scene = *scene;
    WEIR_ASSERT(scene->fluid_count <= BASE_COUNT(moment->fluids));
    if (scene->fluid_count)
        memcpy(moment->fluids, scene->fluids, scene->fluid_count * sizeof *scene->fluids);
    moment->scene.fluids = moment->fluids;
    for (uint32_t i = 0; i < scene->track_count; ++i) {
        const uintptr_t at = (uintptr_t)scene->tracks[i].target;
        const uintptr_t own = at - (uintptr_t)scene, fluid = at - (uintptr_t)scene->fluids;
        bool in_scene = at >= (uintptr_t)scene && own < sizeof *scene;
        char *to = in_scene ? (char *)&moment->scene + own : (char *)moment->fluids + fluid;
        WEIR_ASSERT(in_scene || fluid < scene->fluid_count * sizeof *scene->fluids);
        evaluate(&scene->tracks[i], time_s, (float *)(void *)to);
    }
}
