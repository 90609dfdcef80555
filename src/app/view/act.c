/* What each command does. Keys, mouse, panels and scripts all end here. */
#include "film.h"
#include "view_internal.h"

#define DEGREES 0.01745329252f
#define NUMBERED_MAX 10000
#define SIDE_MAX 16384.0 /* pixels */

/* The switch that the call asks for; without a word, the other way. */
static bool switched(const view_call *call, bool now)
{
    return call->values[0].given ? call->values[0].number > 0 : !now;
}

static uint32_t count_of(const view_call *call)
{
    return call->values[0].given ? (uint32_t)call->values[0].number : 1;
}

/* The file that the call names, else the first of NAME-0001.EXT ... that is not there. */
static bool choose_file(viewer *v, const view_call *call, const char *extension, char out[512])
{
    if (call->values[0].text) return snprintf(out, 512, "%s", call->values[0].text) < 512;
    for (int i = 1; i < NUMBERED_MAX; i++) {
        snprintf(out, 512, "weir-%04d.%s", i, extension);
        if (!base_path_is_file(out)) return true;
    }
    view_error(v, "weir-0001.%s to weir-%04d.%s are all there: remove some", extension,
               NUMBERED_MAX - 1, extension);
    return false;
}

/* ---- simulation ----------------------------------------------------------------------------- */

static bool set_gravity(viewer *v, bool off)
{
    char change[128];
    weir_param gravity = {.key = "gravity", .count = 3};
    const double none[3] = {0},
                 all[3] = {(double)v->gravity.x, (double)v->gravity.y, (double)v->gravity.z};
    view_param_print(&gravity, off ? none : all, change, sizeof change);
    if (view_scene_set(v, change) != WEIR_OK) return false;
    v->gravity_off = off;
    return true;
}

static bool save_state(viewer *v, const view_call *call)
{
    const char *path = call->values[0].text ? call->values[0].text : "weir.state";
    if (weir_sim_save(v->sim, path) != WEIR_OK) return false;
    view_note(v, "the state is in %s", path);
    return true;
}

static bool load_state(viewer *v, const view_call *call)
{
    const char *path = call->values[0].text ? call->values[0].text : "weir.state";
    if (weir_sim_restore(v->sim, path) != WEIR_OK) return false;
    v->stepped = true;
    view_note(v, "the state of %s", path);
    return true;
}

/* Text to a file, or to the clipboard. */
static bool hand_out(viewer *v, const char *path, const char *text)
{
    if (path) return base_file_write(&v->work.log, path, text, strlen(text)) == WEIR_OK;
    view_window_copy(v->window, text);
    view_note(v, "copied: %s", text);
    return true;
}

static bool copy_changes(viewer *v, const view_call *call)
{
    base_text text = {0};
    bool good = view_recipe_print(&v->recipe, &text);
    if (good)
        good = hand_out(v, call->values[0].text, text.items);
    else
        view_error(v, "no memory for the changes");
    BASE_ARRAY_FREE(&text);
    return good;
}

#define POINTER_SHARE 0.12f        /* of the picture's height at the pivot */
#define POINTER_ACCELERATION 45.0f /* m/s2 */

static bool point(viewer *v, const view_call *call)
{
    v->steering.pointer.acceleration = 0;
    if (call->id == VIEW_RELEASE) return weir_sim_steer(v->sim, &v->steering) == WEIR_OK;
    camera_ray ray =
        camera_ray_at(&v->camera, view_place(v, call->values[0].number, call->values[1].number));
    v->steering.pointer = (weir_pointer){
        .origin = {ray.origin.x, ray.origin.y, ray.origin.z},
        .direction = {ray.direction.x, ray.direction.y, ray.direction.z},
        .radius_m = POINTER_SHARE * 2 * v->camera.distance * tanf(0.5f * v->camera.fov),
        .acceleration = call->id == VIEW_PUSH ? POINTER_ACCELERATION : -POINTER_ACCELERATION,
    };
    return weir_sim_steer(v->sim, &v->steering) == WEIR_OK;
}

/* Where the ray through the picture's middle is inside the domain, a little behind its side. */
static bool jet_place(const viewer *v, vec3 eye, vec3 way, vec3 *place)
{
    const float margin = 5 * v->work.scene_info.spacing_m;
    const float e[3] = {eye.x, eye.y, eye.z}, w[3] = {way.x, way.y, way.z};
    const float low[3] = {v->domain_min.x, v->domain_min.y, v->domain_min.z};
    const float high[3] = {v->domain_max.x, v->domain_max.y, v->domain_max.z};
    float enters = 0, leaves = INFINITY;
    for (int i = 0; i < 3; i++) {
        float a = (low[i] + margin - e[i]) / w[i], b = (high[i] - margin - e[i]) / w[i];
        if (w[i] == 0 && (e[i] < low[i] + margin || e[i] > high[i] - margin)) return false;
        if (w[i] == 0) continue;
        enters = fmaxf(enters, fminf(a, b));
        leaves = fminf(leaves, fmaxf(a, b));
    }
    *place = vec3_add(eye, vec3_scale(way, enters));
    return enters < leaves;
}

bool view_emit(viewer *v)
{
    vec3 place, size = vec3_sub(v->domain_max, v->domain_min);
    camera_ray ray = camera_ray_at(&v->camera, (camera_place){0.5f, 0.5f, 1});
    v->steering.jet.speed = 0;
    if (v->emitting && jet_place(v, ray.origin, ray.direction, &place))
        v->steering.jet = (weir_jet){
            .position = {place.x, place.y, place.z},
            .direction = {ray.direction.x, ray.direction.y, ray.direction.z},
            .speed = fminf(sqrtf(2 * 9.81f * vec3_length(size)), 100),
        };
    return weir_sim_steer(v->sim, &v->steering) == WEIR_OK;
}

void view_leave_rows(viewer *v)
{
    weir_points_release(&v->row_points);
}

/* The row of that number, from 1, or the one behind the last that was shown. */
static bool show_row(viewer *v, const view_call *call)
{
    uint32_t row = v->row_points ? v->row + 1 : 0;
    if (call->values[0].number > 0) row = (uint32_t)call->values[0].number - 1;
    bool past = v->row_points && row >= v->row_view.row_count;
    view_leave_rows(v);
    v->paused = true;
    if (past) {
        v->steps_left = 1;
        return true;
    }
    v->row = row;
    if (weir_sim_inspect(v->sim, row, &v->row_view, &v->row_points) != WEIR_OK) return false;
    if (v->draws_left == 0) v->draws_left = 1;
    return true;
}

static bool act_simulation(viewer *v, const view_call *call)
{
    if (call->id == VIEW_ROW) return show_row(v, call);
    if (call->id == VIEW_COPY_CHANGES) return copy_changes(v, call);
    view_leave_rows(v);
    switch (call->id) {
    case VIEW_PAUSE:
        v->paused = switched(call, v->paused);
        v->steps_left = 0;
        return true;
    case VIEW_STEP:
        v->paused = true;
        v->steps_left = count_of(call);
        return true;
    case VIEW_RESTART: return view_scene_restart(v) == WEIR_OK;
    case VIEW_SLOW: v->slow = switched(call, v->slow); return true;
    case VIEW_NEXT_SCENE: return view_scene_neighbour(v, 1) == WEIR_OK;
    case VIEW_PREVIOUS_SCENE: return view_scene_neighbour(v, -1) == WEIR_OK;
    case VIEW_SCENE: return view_scene_open(v, call->values[0].text) == WEIR_OK;
    case VIEW_SET: return view_scene_set(v, call->values[0].text) == WEIR_OK;
    case VIEW_GRAVITY:
        return set_gravity(v,
                           call->values[0].given ? call->values[0].number == 0 : !v->gravity_off);
    case VIEW_PUSH:
    case VIEW_PULL:
    case VIEW_RELEASE: return point(v, call);
    case VIEW_EMIT: v->emitting = switched(call, v->emitting); return view_emit(v);
    case VIEW_SAVE: return save_state(v, call);
    default: return load_state(v, call);
    }
}

/* ---- camera --------------------------------------------------------------------------------- */

static bool copy_camera(viewer *v, const view_call *call)
{
    char text[CAMERA_TEXT];
    camera_print(&v->camera, text);
    return hand_out(v, call->values[0].text, text);
}

static bool read_camera(viewer *v, const char *text)
{
    if (camera_parse(&v->camera, text)) return true;
    view_error(
        v,
        "\"%.40s\" is no camera: expected \"eye=X,Y,Z target=X,Y,Z fov=DEGREES\" with eye and "
        "target apart",
        text);
    return false;
}

static bool move_pivot(viewer *v, const view_call *call)
{
    vec3 point;
    if (!view_pick(v, view_place(v, call->values[0].number, call->values[1].number), &point)) {
        view_note(v, "nothing is seen there to turn about");
        return true;
    }
    camera_set_pivot(&v->camera, point);
    return true;
}

static bool act_camera(viewer *v, const view_call *call)
{
    const view_value *values = call->values;
    switch (call->id) {
    case VIEW_ORBIT:
        camera_orbit(&v->camera, (float)values[0].number * DEGREES,
                     (float)values[1].number * DEGREES);
        return true;
    case VIEW_PAN:
        camera_pan(&v->camera, (float)values[0].number, (float)values[1].number);
        return true;
    case VIEW_ZOOM:
        if (!(values[0].number > 1e-3 && values[0].number < 1e3)) {
            view_error(v, "zoom %g: expected a factor from 0.001 to 1000", values[0].number);
            return false;
        }
        camera_zoom(&v->camera, (float)values[0].number,
                    view_place(v, values[1].given ? values[1].number : 0.5,
                               values[2].given ? values[2].number : 0.5));
        return true;
    case VIEW_PIVOT: return move_pivot(v, call);
    case VIEW_LOOK: return read_camera(v, values[0].text);
    case VIEW_HOME: v->camera = v->home; return true;
    case VIEW_COPY_CAMERA: return copy_camera(v, call);
    default: return read_camera(v, view_window_clipboard(v->window));
    }
}

/* ---- picture and files ---------------------------------------------------------------------- */

static const char *filter_name(uint32_t filter)
{
    static const char *const names[WEIR_FILTER_COUNT] = {
        [WEIR_FILTER_NARROW_RANGE] = "narrow-range",
        [WEIR_FILTER_BILATERAL] = "bilateral",
        [WEIR_FILTER_CURVATURE_FLOW] = "curvature-flow",
        [WEIR_FILTER_NONE] = "none",
    };
    return filter < WEIR_FILTER_COUNT ? names[filter] : NULL;
}

static const char *mode_name(uint32_t mode)
{
    return weir_name(WEIR_NAMES_MODE, mode);
}

static const char *colouring_name(uint32_t colouring)
{
    return weir_name(WEIR_NAMES_COLOURING, colouring);
}

view_names view_mode_names(void)
{
    return (view_names){"mode", mode_name, WEIR_MODE_COUNT};
}
view_names view_colouring_names(void)
{
    return (view_names){"colouring", colouring_name, WEIR_COLOUR_COUNT};
}
view_names view_filter_names(void)
{
    return (view_names){"filter", filter_name, WEIR_FILTER_COUNT};
}

/* The word's place among the names; without a word, the one behind `now`. */
static bool choose(viewer *v, view_names names, const view_value *value, uint32_t *now)
{
    const char *all[32];
    uint32_t count = names.count < BASE_COUNT(all) ? names.count : (uint32_t)BASE_COUNT(all);
    if (!value->text) {
        *now = value->given ? (uint32_t)value->number : (*now + 1) % count;
        return *now < count;
    }
    for (uint32_t i = 0; i < count; i++) {
        all[i] = names.name(i);
        if (strcmp(all[i], value->text) != 0) continue;
        *now = i;
        return true;
    }
    const char *near = base_nearest_name(value->text, all, count);
    view_error(v, "there is no %s \"%.40s\"%s%s%s", names.what, value->text,
               near ? "; did you mean \"" : ": the panel lists those that there are",
               near ? near : "", near ? "\"?" : "");
    return false;
}

static bool set_samples(viewer *v, uint32_t samples)
{
    if (samples < 1 || samples > 4) {
        view_error(v, "samples %u: expected 1 to 4", samples);
        return false;
    }
    v->look.samples = samples;
    return true;
}

static bool act_look(viewer *v, const view_call *call)
{
    uint32_t mode = v->look.mode, colouring = v->look.colouring, filter = v->look.filter;
    bool good = true;
    switch (call->id) {
    case VIEW_SHOW: good = choose(v, view_mode_names(), &call->values[0], &mode); break;
    case VIEW_COLOUR: good = choose(v, view_colouring_names(), &call->values[0], &colouring); break;
    case VIEW_FILTER: good = choose(v, view_filter_names(), &call->values[0], &filter); break;
    case VIEW_SAMPLES: return set_samples(v, (uint32_t)call->values[0].number);
    default: v->look.shadows = switched(call, v->look.shadows); return true;
    }
    if (!good) return false;
    v->look.mode = (weir_mode)mode;
    v->look.colouring = (weir_colouring)colouring;
    v->look.filter = (weir_filter)filter;
    return true;
}

static bool take_shot(viewer *v, const view_call *call)
{
    if (!choose_file(v, call, "png", v->shot)) return false;
    if (v->draws_left == 0) v->draws_left = 1; /* a script goes on when it is written */
    return true;
}

static bool record(viewer *v, const view_call *call)
{
    char path[512];
    bool off = call->values[0].text && strcmp(call->values[0].text, "off") == 0;
    if (v->film || off) return view_film_end(v) == WEIR_OK;
    return choose_file(v, call, "mp4", path) && view_film_begin(v, path) == WEIR_OK;
}

static bool trace(viewer *v, const view_call *call)
{
    char path[512];
    bool off = call->values[0].text && strcmp(call->values[0].text, "off") == 0;
    if (v->tracing || off) {
        bool good = !v->tracing || weir_trace_finish(v->work.device) == WEIR_OK;
        v->tracing = false;
        if (good) view_note(v, "the trace is whole: open it in Perfetto");
        return good;
    }
    if (!choose_file(v, call, "json", path)) return false;
    v->tracing = weir_trace_start(v->work.device, path) == WEIR_OK;
    if (v->tracing) view_note(v, "tracing into %s", path);
    return v->tracing;
}

/* A window system may end a program that asks for a window without size. */
static bool resize(viewer *v, const view_call *call)
{
    double width = call->values[0].number, height = call->values[1].number;
    if (!(width >= 1 && width <= SIDE_MAX && height >= 1 && height <= SIDE_MAX)) {
        view_error(v, "size %.0f %.0f: expected 1 to %.0f pixels on a side", width, height,
                   SIDE_MAX);
        return false;
    }
    view_window_resize(v->window, (uint32_t)width, (uint32_t)height);
    return true;
}

/* The next drawing compiles them. */
static bool reload(viewer *v)
{
    if (!v->work.info.reloads) {
        view_error(v, "this build's shaders stay as they are: configure a development build with "
                      "cmake --preset develop");
        return false;
    }
    v->reload = true;
    if (v->draws_left == 0) v->draws_left = 1;
    return true;
}

/* Of the frame before. */
static bool list_items(viewer *v, const view_call *call)
{
    base_text text = {0};
    gui_item item;
    bool good = true;
    for (uint32_t i = 0; good && gui_item_at(v->panels, i, &item); i++)
        good = base_text_append(&text, "%.0f %.0f %.0f %.0f %s\n", (double)item.low[0],
                                (double)item.low[1], (double)item.high[0], (double)item.high[1],
                                item.name);
    if (good)
        good = base_file_write(&v->work.log, call->values[0].text, text.items ? text.items : "",
                               text.count) == WEIR_OK;
    else
        view_error(v, "no memory for the items");
    BASE_ARRAY_FREE(&text);
    return good;
}

bool view_press(viewer *v, const char *key)
{
    view_call stands_for;
    if (!view_key_call(key, &stands_for)) return false;
    if (v->show_help && stands_for.id == VIEW_QUIT)
        stands_for = (view_call){.id = VIEW_HELP}; /* Escape closes the page first */
    return view_act(v, &stands_for);
}

static bool act_window(viewer *v, const view_call *call)
{
    switch (call->id) {
    case VIEW_PANELS: v->show_panels = switched(call, v->show_panels); return true;
    case VIEW_METRICS: v->show_metrics = switched(call, v->show_metrics); return true;
    case VIEW_ITEMS: return list_items(v, call);
    case VIEW_HELP: v->show_help = switched(call, v->show_help); return true;
    case VIEW_SHOT: return take_shot(v, call);
    case VIEW_RECORD: return record(v, call);
    case VIEW_TRACE: return trace(v, call);
    case VIEW_SIZE: return resize(v, call);
    case VIEW_MINIMISE: view_window_minimise(v->window, switched(call, false)); return true;
    case VIEW_RELOAD: return reload(v);
    case VIEW_DRAW: v->draws_left = count_of(call); return true;
    case VIEW_KEY: return view_press(v, call->values[0].text);
    default: v->quit = true; return true;
    }
}

bool view_act(viewer *v, const view_call *call)
{
    switch (call->id) {
    case VIEW_ROW:
    case VIEW_PAUSE:
    case VIEW_STEP:
    case VIEW_RESTART:
    case VIEW_SLOW:
    case VIEW_NEXT_SCENE:
    case VIEW_PREVIOUS_SCENE:
    case VIEW_SCENE:
    case VIEW_SET:
    case VIEW_COPY_CHANGES:
    case VIEW_GRAVITY:
    case VIEW_PUSH:
    case VIEW_PULL:
    case VIEW_RELEASE:
    case VIEW_EMIT:
    case VIEW_SAVE:
    case VIEW_LOAD: return act_simulation(v, call);
    case VIEW_ORBIT:
    case VIEW_PAN:
    case VIEW_ZOOM:
    case VIEW_PIVOT:
    case VIEW_LOOK:
    case VIEW_HOME:
    case VIEW_COPY_CAMERA:
    case VIEW_PASTE_CAMERA: return act_camera(v, call);
    case VIEW_SHOW:
    case VIEW_COLOUR:
    case VIEW_FILTER:
    case VIEW_SHADOWS:
    case VIEW_SAMPLES: return act_look(v, call);
    default: return act_window(v, call);
    }
}
