/* The script: read before the window opens, then done command by command. */
#include "play.h"
#include "act.h"

#define SCRIPT_MAX (1u << 20) /* bytes */

weir_result view_play_read(view_play *play, const weir_log *log, const char *text, const char *path)
{
    base_blob blob = {0};
    base_text copy = {0};
    weir_result result = WEIR_OK;
    if (text) return view_script_parse(log, "--script", text, &play->script);
    if (!path) return WEIR_OK;
    WEIR_TRY(base_file_read(log, path, SCRIPT_MAX, &blob));
    result = base_text_bytes(&copy, blob.bytes, blob.size) && base_text_bytes(&copy, "", 1)
                 ? view_script_parse(log, path, copy.items, &play->script)
                 : base_fail(log, WEIR_MEMORY, "no memory for the script");
fail:
    base_blob_free(&blob);
    BASE_ARRAY_FREE(&copy);
    return result;
}

bool view_play_goes_on(const view_play *play)
{
    return play->next < play->script.calls.count;
}

void view_play_commands(viewer *v)
{
    view_play *play = &v->play;
    /* What was simulated is drawn before the next command. */
    while (view_play_goes_on(play) && !v->quit && v->session.pace.steps_left == 0 &&
           v->requests.pictures == 0 && !v->session.begun) {
        const view_call *call = &play->script.calls.items[play->next++];
        if (view_act(v, call) == WEIR_OK) continue;
        base_log(&v->session.work.log, WEIR_LOG_ERROR,
                 "the script ends at its command %zu, \"%s\", which failed", play->next,
                 view_commands[call->id].name);
        play->failed = v->quit = true;
    }
}
