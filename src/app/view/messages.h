/* The viewer's messages: all go to standard error, and the newest ones are kept for the window. */
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
    weir_log below; /* the log of the program, to standard error */
    view_message items[VIEW_MESSAGES];
    uint32_t count; /* since the start; the newest is (count - 1) % VIEW_MESSAGES */
} view_messages;

/* False without memory. */
bool view_messages_open(view_messages *messages, weir_log below);
void view_messages_close(view_messages *messages);
/* A log that writes into `messages`; any thread may use it. */
weir_log view_messages_log(view_messages *messages);
/* Copies the messages of the last `age_s` seconds, oldest first. Returns how many. */
uint32_t view_messages_read(const view_messages *messages, double age_s,
                            view_message out[VIEW_MESSAGES]);

#endif
