/* A ring of the newest messages, protected by a mutex. */
#include "messages.h"

bool view_messages_open(view_messages *messages, weir_log below)
{
    *messages = (view_messages){.mutex = base_mutex_create(), .below = below};
    return messages->mutex != NULL;
}

void view_messages_close(view_messages *messages)
{
    base_mutex_destroy(&messages->mutex);
}

static void store_message(void *user, weir_log_level level, const char *text)
{
    view_messages *messages = user;
    if (messages->muted) return;
    if (messages->below.write && level <= messages->below.level)
        messages->below.write(messages->below.user, level, text);
    if (level > WEIR_LOG_INFO) return;
    base_mutex_lock(messages->mutex);
    view_message *m = &messages->items[messages->count++ % VIEW_MESSAGES];
    m->level = level;
    m->when_s = base_time_s();
    snprintf(m->text, sizeof m->text, "%s", text);
    base_mutex_unlock(messages->mutex);
}

weir_log view_messages_log(view_messages *messages)
{
    return (weir_log){.write = store_message, .user = messages, .level = WEIR_LOG_INFO};
}

uint32_t view_messages_read(const view_messages *messages, double age_s,
                            view_message out[VIEW_MESSAGES])
{
    uint32_t count = 0;
    double now = base_time_s();
    base_mutex_lock(messages->mutex);
    uint32_t first = messages->count > VIEW_MESSAGES ? messages->count - VIEW_MESSAGES : 0;
    for (uint32_t i = first; i < messages->count; i++) {
        const view_message *m = &messages->items[i % VIEW_MESSAGES];
        if (now - m->when_s < age_s) out[count++] = *m;
    }
    base_mutex_unlock(messages->mutex);
    return count;
}
