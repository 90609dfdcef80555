/* script_player: plays the viewer's script. */
#ifndef WEIR_VIEW_PLAY_H
#define WEIR_VIEW_PLAY_H

#include "viewer_state.h"

/* Parses the script in `text`, or in the file at `path` if `text` is NULL; both may be NULL. */
weir_result view_script_player_load(view_script_player *player, const weir_log *log,
                                    const char *text, const char *path);
/* Reports whether commands are left. */
bool view_script_player_active(const view_script_player *player);
/* Executes commands up to one that needs frames. A command that fails ends the script and the
 * viewer, because the commands after it rely on its success. */
void view_script_player_step(viewer *v);

#endif
