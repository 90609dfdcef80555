/* Opens scenes, changes them, and simulates them frame by frame. */
#include "session.h"

#define SLOW_FACTOR 0.1

void view_session_leave_rows(view_session *s)
{
    weir_points_release(&s->rows.points);
}

void view_session_close(view_session *s)
{
    view_session_leave_rows(s);
    weir_points_release(&s->points);
    weir_sim_destroy(&s->sim);
    view_recipe_free(&s->scene.recipe);
}

/* ---- opening -------------------------------------------------------------------------------- */

static weir_result no_memory(const view_session *s)
{
    return base_fail(&s->work.log, WEIR_MEMORY, "no memory for the scene");
}

static void take_scene(view_session *s, weir_scene **scene, view_recipe *recipe)
{
    weir_scene_destroy(&s->work.scene);
    s->work.scene = *scene;
    *scene = NULL;
    weir_scene_get_info(s->work.scene, &s->work.scene_info);
    view_scene_take(&s->scene, s->work.scene, recipe);
}

static void take_simulation(view_session *s, weir_sim *sim)
{
    view_session_leave_rows(s);
    weir_points_release(&s->points);
    weir_sim_destroy(&s->sim);
    s->sim = sim;
    s->steering = (weir_steering){.scene = NULL};
    s->hand = (view_hand){.pushes = false};
    s->emitting = false;
    s->stats = (weir_stats){.particle_count = 0};
    s->times = (view_times){.drawn = 0};
    s->pace.steps_left = 0;
    s->begun = true; /* frame 0: its figures are read like those of later frames */
}

/* Simulates a scene from its start. The recipe is taken, or freed. */
static weir_result begin(view_session *s, view_picture *picture, view_recipe *recipe)
{
    weir_result result;
    weir_scene *scene = NULL;
    weir_sim *sim = NULL;
    WEIR_TRY(view_recipe_load(recipe, &s->work.log, &scene));
    WEIR_TRY(weir_sim_create(s->work.device, scene, &sim));
    WEIR_TRY(view_picture_prepare(picture, scene));
    take_simulation(s, sim);
    take_scene(s, &scene, recipe);
    return WEIR_OK;
fail:
    weir_sim_destroy(&sim);
    weir_scene_destroy(&scene);
    view_recipe_free(recipe);
    return result;
}

/* The built-in scene keeps the spacing that suits the device. */
static bool keep_spacing(const view_session *s, view_recipe *recipe)
{
    char number[32], change[64];
    base_print_float(number, s->work.scene_info.spacing_m);
    snprintf(change, sizeof change, "spacing=%s", number);
    return view_recipe_set(recipe, change);
}

weir_result view_session_open(view_session *s, view_picture *picture, camera *c, const char *path)
{
    view_recipe recipe;
    if (!view_recipe_make(path, s->user_set->items, s->user_set->count, &recipe))
        return no_memory(s);
    if (!path && !keep_spacing(s, &recipe)) {
        view_recipe_free(&recipe);
        return no_memory(s);
    }
    WEIR_NEED(begin(s, picture, &recipe));
    view_scene_keep_start(&s->scene, s->work.scene);
    s->gravity_off = false;
    *c = s->scene.home;
    return WEIR_OK;
}

weir_result view_session_neighbour(view_session *s, view_picture *picture, camera *c, int step)
{
    char *path = view_recipe_neighbour(&s->scene.recipe, &s->work.log, step);
    if (!path)
        return base_fail(&s->work.log, WEIR_IO,
                         "there is no other scene: open one from a folder of scenes");
    weir_result result = view_session_open(s, picture, c, path);
    base_free(path);
    return result;
}

weir_result view_session_restart(view_session *s, view_picture *picture)
{
    view_recipe recipe;
    if (!view_recipe_copy(&s->scene.recipe, &recipe)) return no_memory(s);
    return begin(s, picture, &recipe);
}

/* ---- changes -------------------------------------------------------------------------------- */

/* Changes the running simulation. The recipe is taken, or freed. */
static weir_result change_live(view_session *s, view_picture *picture, view_recipe *recipe,
                               bool changes_look)
{
    weir_scene *scene = NULL;
    weir_result result;
    WEIR_TRY(view_recipe_load(recipe, &s->work.log, &scene));
    weir_steering steering = s->steering;
    steering.scene = scene;
    WEIR_TRY(weir_sim_steer(s->sim, &steering));
    if (changes_look) WEIR_TRY(view_picture_prepare(picture, scene));
    take_scene(s, &scene, recipe);
fail:
    weir_scene_destroy(&scene);
    view_recipe_free(recipe);
    return result;
}

weir_result view_session_set(view_session *s, view_picture *picture, const char *change)
{
    view_recipe recipe;
    size_t key = strcspn(change, "=");
    if (!change[key])
        return base_fail(&s->work.log, WEIR_ARGUMENT,
                         "set \"%.60s\": expected KEY=VALUE, such as gravity=[0,-1.6,0]", change);
    if (!view_recipe_copy(&s->scene.recipe, &recipe)) return no_memory(s);
    if (!view_recipe_set(&recipe, change)) {
        view_recipe_free(&recipe);
        return no_memory(s);
    }
    const weir_param *param = view_scene_param(&s->scene, change, key);
    if (!param || !param->live) return begin(s, picture, &recipe);
    bool changes_look =
        strncmp(param->key, "fluids", 6) == 0 || strncmp(param->key, "look", 4) == 0;
    return change_live(s, picture, &recipe, changes_look);
}

weir_result view_session_method(view_session *s, view_picture *picture, uint32_t method)
{
    view_recipe recipe;
    if (!view_recipe_copy(&s->scene.recipe, &recipe)) return no_memory(s);
    bool good = view_recipe_set_method(&recipe, method);
    if (!good) view_recipe_free(&recipe);
    weir_result result = good ? begin(s, picture, &recipe) : no_memory(s);
    if (result == WEIR_OK)
        base_log(&s->work.log, WEIR_LOG_INFO, "%s from the start of the scene",
                 weir_name(WEIR_NAMES_METHOD, method));
    return result;
}

/* ---- frames --------------------------------------------------------------------------------- */

static double frame_s(const view_session *s)
{
    return 1.0 / s->work.scene_info.frame_rate_hz;
}

static void hold(view_pace *pace)
{
    pace->paused = true;
    pace->steps_left = 0;
}

bool view_session_due(view_session *s)
{
    view_pace *pace = &s->pace;
    double now = base_time_s();
    if (pace->steps_left > 0) return true;
    if (pace->paused || now < pace->next_step_s) return false;
    pace->next_step_s = fmax(pace->next_step_s, now - frame_s(s)) + frame_s(s);
    return true;
}

weir_result view_session_step(view_session *s)
{
    if (s->pace.steps_left > 0) s->pace.steps_left--;
    weir_result result =
        weir_sim_step(s->sim, s->pace.slow ? SLOW_FACTOR * frame_s(s) : frame_s(s));
    s->begun = s->begun || result == WEIR_OK;
    if (result != WEIR_UNSTABLE && result != WEIR_ARGUMENT) return result;
    hold(&s->pace);
    return WEIR_OK;
}

weir_result view_session_wait(view_session *s)
{
    if (!s->begun) return WEIR_OK;
    s->begun = false;
    weir_result result = weir_sim_wait(s->sim);
    if (result == WEIR_UNSTABLE)
        hold(&s->pace);
    else if (result != WEIR_OK)
        return result;
    if (weir_sim_stats(s->sim, &s->stats) == WEIR_OK)
        view_times_simulated(&s->times, s->sim, &s->stats, s->timed);
    weir_points_release(&s->points);
    return weir_sim_acquire_points(s->sim, &s->points);
}
