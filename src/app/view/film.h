/* Films of the viewer: every simulated frame into ffmpeg. */
#ifndef WEIR_VIEW_FILM_H
#define WEIR_VIEW_FILM_H

#include "view_internal.h"

weir_result view_film_begin(viewer *v, const char *path);
/* The picture as it was drawn last. A window that has changed its size ends the film. */
weir_result view_film_frame(viewer *v);
/* Nothing when there is none. */
weir_result view_film_end(viewer *v);

#endif
