/* Log messages: a message is formatted only if the log accepts its level. */
#include "base.h"

#include <stdlib.h>

void base_log(const weir_log *log, weir_log_level level, const char *format, ...)
{
    if (!log || !log->write || level > log->level) return;
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    char small[1024];
    int length = vsnprintf(small, sizeof small, format, args);
    char *large = NULL;
    if (length >= (int)sizeof small && (large = base_alloc((size_t)length + 1, 1)))
        vsnprintf(large, (size_t)length + 1, format, again);
    va_end(again);
    va_end(args);
    log->write(log->user, level, large ? large : length < 0 ? format : small);
    base_free(large);
}

void base_assert_failed(const char *condition, const char *file, int line)
{
    fprintf(stderr, "%s:%d: assertion failed: %s. This is a bug in Weir; please report it.\n", file,
            line, condition);
    abort();
}
