/* Opens scenes, changes them, and simulates them frame by frame. */
#include "session.h"

#define SLOW_FACTOR 0.1

void view_session_leave_pass(view_session *s)
{
    weir_points_release(&s->inspected.points);
}

void view_session_close(view_session *s)
{
    view_session_leave_pass(s);
    weir_points_release(&s->points);
    weir_sim_destroy(&s->sim);
    view_scene_source_free(&s->scene.scene_source);
}

/* ---- opening -------------------------------------------------------------------------------- */

static weir_result report_out_of_memory(const view_session *s)
{
    return base_fail(&s->work.log, WEIR_ERROR_MEMORY, "not enough memory for the scene");
}

static void set_open_scene(view_session *s, weir_scene **scene, view_scene_source *scene_source)
{
    weir_scene_destroy(&s->work.scene);
    s->work.scene = *scene;
    *scene = NULL;
    weir_scene_get_info(s->work.scene, &s->work.scene_info);
    view_open_scene_load(&s->scene, s->work.scene, scene_source);
}

static void set_simulation(view_session *s, weir_sim *sim)
{
    view_session_leave_pass(s);
    weir_points_release(&s->points);
    weir_sim_destroy(&s->sim);
    s->sim = sim;
    s->controls = (weir_sim_controls){.scene = NULL};
    s->mouse_tool = (view_mouse_tool){.pushes = false};
    s->emitting = false;
    s->stats = (weir_stats){.particle_count = 0};
    s->times = (view_timings){.drawn = 0};
    s->pace.steps_left = 0;
    s->work_done.computed_s = 0;
    s->begun = true; /* frame 0: its statistics are read like those of later frames */
}

/* Simulates a scene from its start. Takes ownership of the source, and frees it on failure. */
static weir_result start_simulation(view_session *s, view_picture *picture,
                                    view_scene_source *scene_source)
{
    weir_result result;
    weir_scene *scene = NULL;
    weir_sim *sim = NULL;
    WEIR_GOTO_IF_ERROR(view_scene_source_load(scene_source, &s->work.log, &scene));
    WEIR_GOTO_IF_ERROR(weir_sim_create(s->work.device, scene, &sim));
    WEIR_GOTO_IF_ERROR(view_picture_prepare(picture, scene));
    set_simulation(s, sim);
    set_open_scene(s, &scene, scene_source);
    return WEIR_OK;
fail:
    weir_sim_destroy(&sim);
    weir_scene_destroy(&scene);
    view_scene_source_free(scene_source);
    return result;
}

/* Stores the spacing; the built-in scene keeps the one that suits the device. */
static bool store_spacing(const view_session *s, view_scene_source *scene_source)
{
    char number[32], change[64];
    base_print_float(number, s->work.scene_info.spacing_m);
    snprintf(change, sizeof change, "spacing=%s", number);
    return view_scene_source_set(scene_source, change);
}

weir_result view_session_open(view_session *s, view_picture *picture, camera *c, const char *path)
{
    view_scene_source scene_source;
    if (!view_scene_source_create(path, s->user_set->items, s->user_set->count, &scene_source))
        return report_out_of_memory(s);
    if (!path && !store_spacing(s, &scene_source)) {
        view_scene_source_free(&scene_source);
        return report_out_of_memory(s);
    }
    WEIR_RETURN_IF_ERROR(start_simulation(s, picture, &scene_source));
    view_open_scene_store_start(&s->scene, s->work.scene);
    s->gravity_off = false;
    s->work_done.changed = false;
    *c = s->scene.home;
    return WEIR_OK;
}

weir_result view_session_neighbour(view_session *s, view_picture *picture, camera *c, int step)
{
    char *path = view_scene_source_neighbour(&s->scene.scene_source, &s->work.log, step);
    if (!path)
        return base_fail(&s->work.log, WEIR_ERROR_IO,
                         "the folder has no other scene: open one from a folder of scenes");
    weir_result result = view_session_open(s, picture, c, path);
    base_free(path);
    return result;
}

weir_result view_session_restart(view_session *s, view_picture *picture)
{
    view_scene_source scene_source;
    if (!view_scene_source_copy(&s->scene.scene_source, &scene_source))
        return report_out_of_memory(s);
    return start_simulation(s, picture, &scene_source);
}

/* ---- changes -------------------------------------------------------------------------------- */

/* Changes the running simulation. Takes ownership of the source, and frees it on failure. */
static weir_result apply_live_change(view_session *s, view_picture *picture,
                                     view_scene_source *scene_source, bool changes_look)
{
    weir_scene *scene = NULL;
    weir_result result;
    WEIR_GOTO_IF_ERROR(view_scene_source_load(scene_source, &s->work.log, &scene));
    weir_sim_controls controls = s->controls;
    controls.scene = scene;
    WEIR_GOTO_IF_ERROR(weir_sim_set_controls(s->sim, &controls));
    if (changes_look) WEIR_GOTO_IF_ERROR(view_picture_prepare(picture, scene));
    set_open_scene(s, &scene, scene_source);
fail:
    weir_scene_destroy(&scene);
    view_scene_source_free(scene_source);
    return result;
}

/* What has to be updated because two scene sources differ. */
typedef struct source_difference {
    bool look, restart;
} source_difference;

/* Adds what the settings of `a` that `b` does not have affect. */
static void compare_sources(const view_session *s, const view_scene_source *a,
                            const view_scene_source *b, source_difference *difference)
{
    for (size_t i = 0; i < a->set.count; i++) {
        const char *change = a->set.items[i];
        bool found = false;
        for (size_t k = 0; k < b->set.count && !found; k++)
            found = strcmp(change, b->set.items[k]) == 0;
        size_t key = strcspn(change, "=");
        const weir_param *param = view_open_scene_param(&s->scene, change, key);
        bool look = strncmp(change, "look.", 5) == 0;
        bool live = param ? param->live : key == 11 && strncmp(change, "look.preset", key) == 0;
        difference->look |= !found && (look || strncmp(change, "fluids", 6) == 0);
        difference->restart |= !found && !live;
    }
}

weir_result view_session_apply(view_session *s, view_picture *picture,
                               view_scene_source *scene_source)
{
    source_difference difference = {0};
    compare_sources(s, scene_source, &s->scene.scene_source, &difference);
    compare_sources(s, &s->scene.scene_source, scene_source, &difference);
    if (difference.restart) return start_simulation(s, picture, scene_source);
    return apply_live_change(s, picture, scene_source, difference.look);
}

weir_result view_session_set_params(view_session *s, view_picture *picture,
                                    const char *const *changes, size_t count)
{
    view_scene_source scene_source;
    if (!view_scene_source_copy(&s->scene.scene_source, &scene_source))
        return report_out_of_memory(s);
    for (size_t i = 0; i < count; i++)
        if (!view_scene_source_set(&scene_source, changes[i])) {
            view_scene_source_free(&scene_source);
            return report_out_of_memory(s);
        }
    WEIR_RETURN_IF_ERROR(view_session_apply(s, picture, &scene_source));
    s->work_done.changed = true;
    return WEIR_OK;
}

weir_result view_session_set_param(view_session *s, view_picture *picture, const char *change)
{
    if (!strchr(change, '='))
        return base_fail(&s->work.log, WEIR_ERROR_ARGUMENT,
                         "set \"%.60s\": expected KEY=VALUE, such as gravity=[0,-1.6,0]", change);
    return view_session_set_params(s, picture, &change, 1);
}

static bool has_change(const view_session *s, const char *change)
{
    const view_scene_source *source = &s->scene.scene_source;
    for (size_t i = 0; i < source->set.count; i++)
        if (strcmp(source->set.items[i], change) == 0) return true;
    return false;
}

uint32_t view_session_look(const view_session *s)
{
    return s->work.scene_info.look;
}

uint32_t view_session_fluid(const view_session *s)
{
    for (uint32_t fluid = 0; fluid < ARGS_FLUIDS; fluid++) {
        char changes[APP_FLUID_CHANGES][64];
        bool all = true;
        app_fluid_changes(fluid, changes);
        for (uint32_t i = 0; i < APP_FLUID_CHANGES; i++)
            all &= has_change(s, changes[i]);
        if (all) return fluid;
    }
    return ARGS_FLUIDS;
}

bool view_session_has_no_gravity(const view_session *s)
{
    const weir_param *p = view_open_scene_param(&s->scene, "gravity", 7);
    bool none = p && p->value[0] == 0 && p->value[1] == 0 && p->value[2] == 0;
    return none && vec3_length(s->scene.gravity) > 0;
}

weir_result view_session_set_method(view_session *s, view_picture *picture, uint32_t method)
{
    view_scene_source scene_source;
    if (!view_scene_source_copy(&s->scene.scene_source, &scene_source))
        return report_out_of_memory(s);
    bool good = view_scene_source_set_method(&scene_source, method);
    if (!good) view_scene_source_free(&scene_source);
    weir_result result =
        good ? start_simulation(s, picture, &scene_source) : report_out_of_memory(s);
    if (result != WEIR_OK) return result;
    s->work_done.changed = true;
    base_log(&s->work.log, WEIR_LOG_INFO, "restarted the scene with %s",
             weir_enum_name(WEIR_ENUM_METHOD, method));
    return WEIR_OK;
}

/* ---- frames --------------------------------------------------------------------------------- */

static double frame_s(const view_session *s)
{
    return 1.0 / s->work.scene_info.frame_rate_hz;
}

static void pause_pace(view_pace *pace)
{
    pace->paused = true;
    pace->steps_left = 0;
}

bool view_session_is_due(view_session *s)
{
    view_pace *pace = &s->pace;
    double now = base_time_s();
    if (pace->steps_left > 0) return true;
    if (pace->paused || now < pace->next_step_s) return false;
    pace->next_step_s = fmax(pace->next_step_s, now - frame_s(s)) + frame_s(s);
    return true;
}

double view_session_due_in_s(const view_session *s)
{
    if (s->pace.steps_left > 0) return 0;
    return s->pace.paused ? INFINITY : fmax(s->pace.next_step_s - base_time_s(), 0);
}

/* Slices of a simulated frame: long enough that their overhead is negligible, and short enough that
 * a picture is hardly delayed. */
#define SLICE_MS 20.0

weir_result view_session_step(view_session *s)
{
    double start_s = base_time_s();
    if (s->pace.steps_left > 0) s->pace.steps_left--;
    WEIR_RETURN_IF_ERROR(weir_sim_set_yield(s->sim, s->yield, s->yield_user, SLICE_MS));
    weir_result result =
        weir_sim_step(s->sim, s->pace.slow ? SLOW_FACTOR * frame_s(s) : frame_s(s));
    s->begun = s->begun || result == WEIR_OK;
    s->work_done.computed_s += base_time_s() - start_s;
    if (result != WEIR_ERROR_UNSTABLE && result != WEIR_ERROR_ARGUMENT) return result;
    pause_pace(&s->pace);
    return WEIR_OK;
}

weir_result view_session_wait(view_session *s)
{
    if (!s->begun) return WEIR_OK;
    s->begun = false;
    weir_result result = weir_sim_wait(s->sim);
    if (result == WEIR_ERROR_UNSTABLE)
        pause_pace(&s->pace);
    else if (result != WEIR_OK)
        return result;
    if (weir_sim_get_stats(s->sim, &s->stats) == WEIR_OK)
        view_timings_add_frame(&s->times, s->sim, &s->stats, s->timed);
    weir_points_release(&s->points);
    s->acquired++;
    return weir_sim_acquire_points(s->sim, &s->points);
}
