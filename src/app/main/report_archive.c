/* The archive of weir report: a tar file in the ustar format, built in memory. Paths of the home
 * folder and the current folder are abbreviated in every text. */
#include "main_internal.h"

#include <stdlib.h>
#include <time.h>

enum { BLOCK = 512, MIN_PATH_LENGTH = 3 };

/* ---- private paths -------------------------------------------------------------------------- */

/* Discards a path that is too short, such as "/", because it would match everywhere. */
static char *private_path(char *path)
{
    if (path && strlen(path) >= MIN_PATH_LENGTH) return path;
    base_free(path);
    return NULL;
}

void report_archive_open(report_archive *report_archive)
{
    report_archive->home = private_path(base_home_folder());
    report_archive->here = private_path(base_path_absolute("."));
}

/* Returns the length of `path` if it occurs at `at` as a whole path or as the start of one;
 * otherwise 0. */
static size_t match_path(const char *at, const char *path)
{
    size_t length = path ? strlen(path) : 0;
    if (length == 0 || strncmp(at, path, length) != 0) return 0;
    char next = at[length];
    bool goes_on = (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z') ||
                   (next >= '0' && next <= '9') || next == '_' || next == '-' || next == '.';
    return goes_on ? 0 : length;
}

/* Matches the scene's folder, an absolute path in run.json that the user has not typed. */
static size_t scene_folder_at(const char *at)
{
    static const char key[] = "\"scene_folder\": \"";
    if (strncmp(at, key, sizeof key - 1) != 0) return 0;
    return sizeof key - 1 + strcspn(at + sizeof key - 1, "\"\n");
}

static bool append_redacted(const report_archive *report_archive, const char *text, base_text *out)
{
    for (const char *at = text; *at;) {
        size_t here = match_path(at, report_archive->here),
               home = match_path(at, report_archive->home);
        size_t folder = scene_folder_at(at);
        const char *instead = folder ? "\"scene_folder\": \"(left out)" : here ? "." : "~";
        size_t length = folder ? folder : here ? here : home;
        if (!length) instead = at;
        if (!base_text_append_bytes(out, instead, length ? strlen(instead) : 1)) return false;
        at += length ? length : 1;
    }
    return true;
}

/* ---- tar ------------------------------------------------------------------------------------ */

/* The fields of a ustar header that are used. */
typedef struct tar_header {
    char name[100], mode[8], owner[8], group[8], size[12], time[12], sum[8], type, link[100];
    char magic[6], version[2], rest[247];
} tar_header;
_Static_assert(sizeof(tar_header) == BLOCK, "a header is one block");

static tar_header make_header(const char *name, size_t size)
{
    tar_header header = {.type = '0', .magic = "ustar", .version = {'0', '0'}};
    unsigned sum = 0;
    snprintf(header.name, sizeof header.name, "weir-report/%s", name);
    snprintf(header.mode, sizeof header.mode, "0000644");
    snprintf(header.owner, sizeof header.owner, "0000000");
    snprintf(header.group, sizeof header.group, "0000000");
    snprintf(header.size, sizeof header.size, "%011llo", (unsigned long long)size);
    snprintf(header.time, sizeof header.time, "%011llo", (unsigned long long)time(NULL));
    memset(header.sum, ' ', sizeof header.sum); /* the checksum counts its own field as spaces */
    for (size_t i = 0; i < sizeof header; ++i)
        sum += ((const unsigned char *)&header)[i];
    snprintf(header.sum, sizeof header.sum, "%06o", sum);
    return header;
}

static bool append_zeros(base_text *tar, size_t size)
{
    static const char zeros[2 * BLOCK];
    return base_text_append_bytes(tar, zeros, size);
}

static bool append_file(base_text *tar, const char *name, const base_text *text)
{
    const tar_header header = make_header(name, text->count);
    return base_text_append_bytes(tar, &header, sizeof header) &&
           base_text_append_bytes(tar, text->items, text->count) &&
           append_zeros(tar, (BLOCK - text->count % BLOCK) % BLOCK);
}

void report_archive_add(report_archive *report_archive, const char *name, const char *what,
                        const base_text *text)
{
    base_text out = {0};
    char size[32];
    report_archive->failed =
        report_archive->failed ||
        !append_redacted(report_archive, text->items ? text->items : "", &out) ||
        !append_file(&report_archive->tar, name, &out);
    printf("  %-20s %9s  %s\n", name, app_print_bytes(size, (double)out.count), what);
    BASE_ARRAY_FREE(&out);
}

weir_result report_archive_write(report_archive *report_archive, const weir_log *log,
                                 const char *path)
{
    weir_result result =
        report_archive->failed || !append_zeros(&report_archive->tar, 2 * BLOCK)
            ? base_fail(log, WEIR_ERROR_MEMORY, "%s: not enough memory for the report", path)
            : base_file_write(log, path, report_archive->tar.items, report_archive->tar.count);
    BASE_ARRAY_FREE(&report_archive->tar);
    base_free(report_archive->home);
    base_free(report_archive->here);
    return result;
}
