/* Messages, the progress bar, and numbers formatted for people. */
#include "app.h"

#include <stdatomic.h>

#define PLAIN_LINE_INTERVAL 0.05 /* fraction of the work between two plain lines */

/* The cursor is at the end of a bar, which a message from any thread must first clear. */
static atomic_bool bar_is_drawn;

static void clear_bar(void)
{
    if (!bar_is_drawn) return;
    fprintf(stderr, "\r\033[K");
    bar_is_drawn = false;
}

bool app_output_close(void)
{
    bool whole = ferror(stdout) == 0;
    return fclose(stdout) == 0 && whole;
}

/* Threads of the library log errors, too. */
static atomic_flag error_is_in_use = ATOMIC_FLAG_INIT;
static char last_error[APP_ERROR_TEXT];

static void copy_error(char to[APP_ERROR_TEXT], const char *from)
{
    while (atomic_flag_test_and_set(&error_is_in_use))
        ;
    snprintf(to, APP_ERROR_TEXT, "%s", from);
    atomic_flag_clear(&error_is_in_use);
}

void app_last_error(char text[APP_ERROR_TEXT])
{
    copy_error(text, last_error);
}

static void write_message(void *user, weir_log_level level, const char *text)
{
    static const char *const names[] = {"error: ", "warning: ", "", "debug: "};
    (void)user;
    if (level == WEIR_LOG_ERROR) copy_error(last_error, text);
    clear_bar();
    fprintf(stderr, "weir: %s%s\n", (uint32_t)level < BASE_COUNT(names) ? names[level] : "", text);
}

weir_log app_log(bool quiet)
{
    return (weir_log){.write = write_message, .level = quiet ? WEIR_LOG_WARNING : WEIR_LOG_INFO};
}

const char *app_print_bytes(char out[32], double bytes)
{
    static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
    size_t unit = 0;
    for (; bytes >= 999.5 && unit + 1 < BASE_COUNT(units); ++unit)
        bytes /= 1000;
    snprintf(out, 32, "%.*f %s", unit > 0 && bytes < 9.95 ? 1 : 0, bytes, units[unit]);
    return out;
}

const char *app_print_seconds(char out[32], double seconds)
{
    if (seconds < 9.95) {
        snprintf(out, 32, "%.1f s", seconds);
    } else if (seconds < 120) {
        snprintf(out, 32, "%.0f s", seconds);
    } else if (seconds < 2 * 3600) {
        snprintf(out, 32, "%.0f min %02.0f s", floor(seconds / 60), floor(fmod(seconds, 60)));
    } else {
        snprintf(out, 32, "%.0f h %02.0f min", floor(seconds / 3600),
                 floor(fmod(seconds, 3600) / 60));
    }
    return out;
}

/* Returns the digits that tell coordinates between two values apart to a ten-thousandth. */
static int coordinate_digits(double min, double max)
{
    double far = fmax(fabs(min), fabs(max)), digits = 6;
    if (max > min) digits = fmax(digits, fmin(ceil(log10(far / (max - min))) + 5, 16));
    return (int)digits;
}

void app_print_box(const double min[3], const double max[3], const char *unit)
{
    const int x = coordinate_digits(min[0], max[0]), y = coordinate_digits(min[1], max[1]),
              z = coordinate_digits(min[2], max[2]);
    printf("bounds             %.*g %.*g %.*g to %.*g %.*g %.*g%s\n", x, min[0], y, min[1], z,
           min[2], x, max[0], y, max[1], z, max[2], unit);
    printf("size               %g x %g x %g%s\n", max[0] - min[0], max[1] - min[1], max[2] - min[2],
           unit);
}

void app_progress_start(app_progress *progress, uint64_t first, uint64_t last, bool quiet)
{
    *progress = (app_progress){.first = first,
                               .last = last,
                               .start_s = base_time_s(),
                               .bar = base_is_terminal(stderr),
                               .quiet = quiet};
}

static void draw_bar(double share, const char *text)
{
    char line[512];
    uint32_t columns = base_terminal_columns(stderr);
    uint32_t width = columns > 100 ? 30 : 16, filled = (uint32_t)(share * width);
    int size = snprintf(line, sizeof line, "[%.*s%.*s] %3.0f %% %s", (int)filled,
                        "##############################", (int)(width - filled),
                        "..............................", floor(100 * share), text);
    if (size >= (int)columns && columns < sizeof line) line[columns - 1] = '\0';
    fprintf(stderr, "\r%s\033[K", line);
    fflush(stderr);
    bar_is_drawn = true;
}

void app_progress_show_text(app_progress *progress, uint64_t frame, const char *rest)
{
    if (progress->quiet || progress->last <= progress->first) return;
    double share = (double)frame / (double)progress->last;
    double done = (double)(frame - progress->first);
    double spent = base_time_s() - progress->start_s;
    char text[256], left[48] = "";
    if (done > 0 && share < 1) {
        char seconds[32];
        double after = (double)(progress->last - frame) * spent / done;
        snprintf(left, sizeof left, "%s left, ", app_print_seconds(seconds, after));
    }
    snprintf(text, sizeof text, "frame %llu/%llu, %s%s", (unsigned long long)frame,
             (unsigned long long)progress->last, left, rest);
    if (progress->bar) {
        draw_bar(share, text);
    } else if (done == 0 || share >= progress->printed + PLAIN_LINE_INTERVAL || share >= 1) {
        progress->printed = share;
        fprintf(stderr, "%3.0f %% %s\n", floor(100 * share), text);
    }
}

void app_progress_show(app_progress *progress, const weir_stats *stats)
{
    char rest[96];
    snprintf(rest, sizeof rest, "%u particle%s, density error %.2f %%", stats->particle_count,
             base_plural(stats->particle_count), 100 * stats->density_error_mean);
    app_progress_show_text(progress, stats->frame, rest);
}

void app_progress_end(void)
{
    clear_bar();
    fflush(stderr);
}
