/* messages: the viewer's messages. All are written to standard error, and the newest are kept for
 * the window. */
#ifndef WEIR_VIEW_MESSAGES_H
#define WEIR_VIEW_MESSAGES_H

#include "base.h"

#define VIEW_MESSAGES 6u

typedef struct view_message {
    weir_log_level level;
    double when_s; /* base_time_s */
    char text[240];
} view_message;

typedef struct view_messages {
    base_mutex *mutex;
    weir_log below; /* the program's log, to standard error */
    view_message items[VIEW_MESSAGES];
    bool muted;     /* messages are discarded, while pictures of scenes are drawn */
    uint32_t count; /* total number; the newest is (count - 1) % VIEW_MESSAGES */
} view_messages;

/* Initializes the messages; returns false without memory. */
bool view_messages_open(view_messages *messages, weir_log below);
void view_messages_close(view_messages *messages);
/* Returns a log that writes to `messages`; any thread may use it. */
weir_log view_messages_log(view_messages *messages);
/* Copies the messages of the last `age_s` seconds, oldest first, and returns their number. */
uint32_t view_messages_read(const view_messages *messages, double age_s,
                            view_message out[VIEW_MESSAGES]);

#endif
