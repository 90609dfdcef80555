/* Messages: one text per call, made only when somebody listens at that level. */
#include "base.h"

#include <stdlib.h>

static void write_message(const weir_log *log, weir_log_level level, const char *format,
                          va_list args)
{
    if (!log || !log->write || level > log->level) return;
    char small[1024];
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(small, sizeof small, format, args);
    char *large = NULL;
    if (length >= (int)sizeof small && (large = base_alloc((size_t)length + 1, 1)))
        vsnprintf(large, (size_t)length + 1, format, again);
    va_end(again);
    log->write(log->user, level, large ? large : length < 0 ? format : small);
    base_free(large);
}

void base_log(const weir_log *log, weir_log_level level, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    write_message(log, level, format, args);
    va_end(args);
}

weir_result base_fail(const weir_log *log, weir_result result, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    write_message(log, WEIR_LOG_ERROR, format, args);
    va_end(args);
    return result;
}

void base_assert_failed(const char *condition, const char *file, int line)
{
    fprintf(stderr, "%s:%d: assertion failed: %s. This is a bug in Weir; please report it.\n", file,
            line, condition);
    abort();
}
