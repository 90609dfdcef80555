/* Undo and redo by two stacks of settings. */
#include "history.h"
#include "viewer_state.h"

#define UNDO_STEPS 100u
#define SAME_CHANGE_S 1.0

static void free_settings(view_settings *settings)
{
    view_scene_source_free(&settings->scene_source);
}

void view_history_clear(view_history *history)
{
    for (size_t i = 0; i < history->before.count; i++)
        free_settings(&history->before.items[i]);
    for (size_t i = 0; i < history->after.count; i++)
        free_settings(&history->after.items[i]);
    history->before.count = history->after.count = 0;
    history->what[0] = '\0';
}

void view_history_free(view_history *history)
{
    view_history_clear(history);
    BASE_ARRAY_FREE(&history->before);
    BASE_ARRAY_FREE(&history->after);
}

/* Copies the current settings. Returns false if there is not enough memory. */
static bool copy_settings(const viewer *v, view_settings *out)
{
    *out = (view_settings){.appearance = v->appearance, .camera = v->camera};
    return view_scene_source_copy(&v->session.scene.scene_source, &out->scene_source);
}

static bool same_settings(const viewer *v, const view_settings *settings)
{
    return memcmp(&v->appearance, &settings->appearance, sizeof v->appearance) == 0 &&
           memcmp(&v->camera, &settings->camera, sizeof v->camera) == 0 &&
           view_scene_source_equal(&v->session.scene.scene_source, &settings->scene_source);
}

void view_history_store(viewer *v, const char *what)
{
    view_history *h = &v->history;
    view_settings now;
    double now_s = base_time_s();
    bool same = strcmp(h->what, what) == 0 && now_s - h->when_s < SAME_CHANGE_S;
    h->when_s = now_s;
    if (same) return;
    snprintf(h->what, sizeof h->what, "%s", what);
    for (size_t i = 0; i < h->after.count; i++)
        free_settings(&h->after.items[i]);
    h->after.count = 0;
    if (h->before.count == UNDO_STEPS) {
        free_settings(&h->before.items[0]);
        memmove(h->before.items, h->before.items + 1, --h->before.count * sizeof now);
    }
    if (copy_settings(v, &now) && !BASE_ARRAY_PUSH(&h->before, now)) free_settings(&now);
}

/* Applies the settings and takes ownership of their scene source. */
static weir_result apply_settings(viewer *v, view_settings *settings)
{
    view_session *s = &v->session;
    v->appearance = settings->appearance;
    if (!view_scene_source_equal(&s->scene.scene_source, &settings->scene_source))
        WEIR_RETURN_IF_ERROR(view_session_apply(s, &v->picture, &settings->scene_source));
    free_settings(settings);
    v->camera = settings->camera;
    s->gravity_off = view_session_has_no_gravity(s);
    return WEIR_OK;
}

weir_result view_history_go(viewer *v, bool forward)
{
    view_history *h = &v->history;
    view_settings now;
    h->what[0] = '\0';
    size_t *left = forward ? &h->after.count : &h->before.count;
    view_settings *items = forward ? h->after.items : h->before.items;
    while (*left > 0 && same_settings(v, &items[*left - 1])) /* a change without effect */
        free_settings(&items[--*left]);
    if (*left == 0) {
        base_log(&v->session.work.log, WEIR_LOG_INFO, "there is nothing to %s",
                 forward ? "redo" : "undo");
        return WEIR_OK;
    }
    if (!copy_settings(v, &now))
        return base_fail(&v->session.work.log, WEIR_ERROR_MEMORY, "not enough memory to undo");
    view_settings to = items[--*left];
    bool stored = forward ? BASE_ARRAY_PUSH(&h->before, now) : BASE_ARRAY_PUSH(&h->after, now);
    if (!stored) free_settings(&now);
    return apply_settings(v, &to);
}
