/* app: the output folder of a run and the checkpoints in it. */
#ifndef WEIR_APP_FOLDER_H
#define WEIR_APP_FOLDER_H

#include "base.h"

/* Whether the folder holds frames, statistics or checkpoints of a run. */
bool folder_holds_run(const char *folder);
/* "out/NAME", or "out/NAME-2" and so on when that holds a run. Release with base_free. */
char *folder_choose(const char *scene_name);
/* Removes what a run wrote, by the names that runs use; other files stay. */
weir_result folder_clear(const weir_log *log, const char *folder);

/* Saves FOLDER/checkpoint/checkpoint_NNNN.weir, then removes all but it and the one before it. */
weir_result checkpoint_save(const weir_log *log, const char *folder, weir_sim *sim);
/* Restores the newest checkpoint that is whole. Errors: IO when there is none. */
weir_result checkpoint_restore(const weir_log *log, const char *folder, weir_sim *sim);

#endif
