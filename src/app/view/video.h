/* Films: the picture of every simulated frame goes to ffmpeg. */
#ifndef WEIR_VIEW_FILM_H
#define WEIR_VIEW_FILM_H

#include "base.h"

typedef struct view_video {
    bool on;
    base_process *feed;     /* NULL before the first picture, which sets the size */
    uint32_t width, height; /* pixels */
    uint64_t frames;
    char path[512];
} view_video;

void view_video_begin(view_video *video, const weir_log *log, const char *path);
/* Adds a picture, if the film is on. A picture of another size, or a failure, ends the film. */
void view_video_frame(view_video *video, const weir_log *log, weir_image *image, double rate_hz);
/* Does nothing when the film is off. */
weir_result view_video_end(view_video *video, const weir_log *log);

#endif
