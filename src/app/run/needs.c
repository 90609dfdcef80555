/* What a run takes: memory and disk space before the first frame, time after a few. */
#include "run_internal.h"

#define WORD 4u           /* bytes of a number in binary files */
#define TEXT_FACTOR 2.5   /* bytes of a number as text and its blank, in words */
#define WARM_UP_FRAMES 1u /* compile pipelines and fill caches */
#define TIMED_FRAMES 4u
#define WORTH_A_LINE_S 10.0 /* shorter runs are over before one has read it */

static double frame_bytes(const weir_output_def *def, uint32_t particles)
{
    static const uint32_t words[WEIR_FIELD_COUNT] = {[WEIR_FIELD_VELOCITY] = 3,
                                                     [WEIR_FIELD_ID] = 1,
                                                     [WEIR_FIELD_FLUID] = 1,
                                                     [WEIR_FIELD_DENSITY] = 1};
    double sum = 3;
    for (uint32_t i = 0; i < WEIR_FIELD_COUNT; i++)
        if (def->fields >> i & 1u && weir_particle_format_has_fields(def->particle_format))
            sum += words[i];
    double factor = def->particle_format == WEIR_PARTICLE_FORMAT_XYZ ? TEXT_FACTOR : 1.0;
    return sum * WORD * factor * particles;
}

void run_needs_report(const weir_output_def *def, const weir_device_info *device,
                      const weir_stats *stats, uint32_t last_frame)
{
    char used[32], of[32], frame[32], all[32], left[32];
    double bytes = frame_bytes(def, stats->particle_count),
           whole = bytes * ((double)last_frame + 1.0 - (double)def->first_frame);
    base_log(&def->log, WEIR_LOG_INFO, "%u particles, %s of the device's %s", stats->particle_count,
             app_print_bytes(used, (double)stats->memory_bytes),
             app_print_bytes(of, (double)device->memory_bytes));
    if (!def->particles || whole <= 0) return;
    uint64_t disk = base_disk_free(def->folder);
    bool fits = disk == UINT64_MAX || whole <= (double)disk;
    base_log(&def->log, fits ? WEIR_LOG_INFO : WEIR_LOG_WARNING,
             "particle files: about %s a frame, %s in all, %s free%s",
             app_print_bytes(frame, bytes), app_print_bytes(all, whole),
             disk == UINT64_MAX ? "unknown" : app_print_bytes(left, (double)disk),
             fits ? "" : ": write fewer frames with --frames, or --particles none with --mesh");
}

void run_times_add(const weir_log *log, run_times *times, double frame_s, uint32_t frames_left)
{
    char least[32], most[32], picture[32], rest[32];
    if (times->frames++ < WARM_UP_FRAMES) {
        times->picture_s = 0;
        return;
    }
    bool first = times->frames == WARM_UP_FRAMES + 1;
    times->least_s = first ? frame_s : fmin(times->least_s, frame_s);
    times->most_s = fmax(times->most_s, frame_s);
    if (times->frames != WARM_UP_FRAMES + TIMED_FRAMES) return;
    double drawn_s = times->picture_s / TIMED_FRAMES,
           left_s = (0.5 * (times->least_s + times->most_s) + drawn_s) * frames_left;
    if (left_s < WORTH_A_LINE_S) return;
    base_log(log, WEIR_LOG_INFO, "a frame takes %s to %s%s%s: about %s for the %u frames left",
             app_print_seconds(least, times->least_s), app_print_seconds(most, times->most_s),
             drawn_s > 0 ? ", its picture " : "",
             drawn_s > 0 ? app_print_seconds(picture, drawn_s) : "",
             app_print_seconds(rest, left_s), frames_left);
}
