/* Plays the viewer's script. */
#ifndef WEIR_VIEW_PLAY_H
#define WEIR_VIEW_PLAY_H

#include "parts.h"

/* Reads the script from `text`, else from the file at `path`; both may be NULL. */
weir_result view_play_read(view_play *play, const weir_log *log, const char *text,
                           const char *path);
/* True while commands are left. */
bool view_play_goes_on(const view_play *play);
/* Does commands up to one that needs frames. A command that fails ends the script and the viewer,
 * because the commands after it were written for its success. */
void view_play_commands(viewer *v);

#endif
