/* Plays the script, which is parsed before the window opens and then executed command by
 * command. */
#include "script_player.h"
#include "dispatch_command.h"

#define SCRIPT_MAX (1u << 20) /* bytes */

weir_result view_script_player_load(view_script_player *player, const weir_log *log,
                                    const char *text, const char *path)
{
    base_blob blob = {0};
    base_text copy = {0};
    weir_result result = WEIR_OK;
    if (text) return view_script_parse(log, "--script", text, &player->script);
    if (!path) return WEIR_OK;
    WEIR_GOTO_IF_ERROR(base_text_file_read(log, path, SCRIPT_MAX, &blob));
    result =
        base_text_append_bytes(&copy, blob.bytes, blob.size) && base_text_append_bytes(&copy, "", 1)
            ? view_script_parse(log, path, copy.items, &player->script)
            : base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for the script");
fail:
    base_blob_free(&blob);
    BASE_ARRAY_FREE(&copy);
    return result;
}

bool view_script_player_active(const view_script_player *player)
{
    return player->next < player->script.calls.count;
}

void view_script_player_step(viewer *v)
{
    view_script_player *player = &v->player;
    /* Simulated frames are drawn before the next command. */
    while (view_script_player_active(player) && !v->quit && v->session.pace.steps_left == 0 &&
           v->requests.pictures == 0 && !v->session.begun) {
        const view_call *call = &player->script.calls.items[player->next++];
        if (view_run_command(v, call) == WEIR_OK) continue;
        base_log(&v->session.work.log, WEIR_LOG_ERROR,
                 "the script stopped at command %zu, \"%s\", which failed", player->next,
                 view_commands[call->id].name);
        player->failed = v->quit = true;
    }
}
