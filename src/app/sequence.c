/* Sequences of files named as film programs name them: surface_0001.ply, surface_0002.ply. */
#include "app.h"

#include <stdlib.h>

/* ---- patterns ------------------------------------------------------------------------------- */

#define PATTERN_MARKS "*?{#%" /* a pattern has one of them */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Returns the length of the placeholder at `at` ({}, ####, %d or %04d); 0 if there is none. */
static size_t placeholder_size(const char *at, uint32_t *width)
{
    size_t size = 0;
    *width = 0;
    if (at[0] == '{' && at[1] == '}') {
        *width = 4;
        return 2;
    }
    while (at[size] == '#')
        size++;
    *width = (uint32_t)size;
    if (size || at[0] != '%') return size;
    for (size = 1; is_digit(at[size]); size++)
        *width = 10 * *width + (uint32_t)(at[size] - '0');
    return at[size] == 'd' && size < 4 ? size + 1 : 0;
}

/* Finds the placeholder in the file's name; in the names of folders the same characters are
 * letters. */
static const char *find_placeholder(const char *pattern, size_t *size, uint32_t *width)
{
    for (const char *at = base_path_name(pattern); *at; at++)
        if ((*size = placeholder_size(at, width)) > 0) return at;
    return NULL;
}

bool sequence_has_number(const char *pattern)
{
    size_t size;
    uint32_t width;
    return find_placeholder(pattern, &size, &width) != NULL;
}

char *sequence_name(const char *pattern, uint32_t frame)
{
    size_t size;
    uint32_t width;
    const char *at = find_placeholder(pattern, &size, &width);
    if (!at) return base_strdup(pattern);
    return base_format("%.*s%0*u%s", (int)(at - pattern), pattern, (int)width, frame, at + size);
}

/* Reports whether the pattern matches the whole of `name`, the extension in any case; a placeholder
 * is a star that matches digits only. It backtracks to the last star only, so the time is at most
 * the product of the two lengths. */
static bool matches_pattern(const char *pattern, const char *name)
{
    const char *star = NULL, *star_name = NULL, *extension = base_path_extension(pattern);
    bool digits = false;
    while (*name || *pattern) {
        uint32_t width;
        size_t placeholder = placeholder_size(pattern, &width);
        if (*pattern == '*' || placeholder) {
            digits = placeholder > 0;
            if (digits && !is_digit(*name)) goto back;
            star_name = name + (digits ? 1 : 0);
            name = star_name;
            pattern += placeholder ? placeholder : 1;
            star = pattern;
            continue;
        }
        bool same = *pattern == *name ||
                    (pattern >= extension && base_lower(*pattern) == base_lower(*name));
        if (*name && (*pattern == '?' || same)) {
            pattern++;
            name++;
            continue;
        }
    back:
        if (!star || !*star_name || (digits && !is_digit(*star_name))) return false;
        pattern = star;
        name = ++star_name;
    }
    return true;
}

bool sequence_is_pattern(const char *name)
{
    return strpbrk(base_path_name(name), "*?") || sequence_has_number(name);
}

/* ---- frames --------------------------------------------------------------------------------- */

static bool parse_frame(const char *start, const char *end, uint32_t *frame)
{
    int64_t number;
    const char *next;
    if (start == end || !base_parse_int64(start, end, &number, &next) || number > UINT32_MAX - 1)
        return false;
    *frame = (uint32_t)number;
    return true;
}

/* Parses the last number in the name without its extension: if there are several numbers, the last
 * is the frame. */
static bool parse_last_number(const char *path, uint32_t *frame)
{
    const char *name = base_path_name(path), *extension = base_path_extension(path);
    const char *end = *extension ? extension - 1 : name + strlen(name);
    while (end > name && !is_digit(end[-1]))
        end--;
    const char *start = end;
    while (start > name && is_digit(start[-1]))
        start--;
    return parse_frame(start, end, frame);
}

/* Parses the number at the pattern's placeholder. Returns false if a star before the placeholder
 * makes its position ambiguous. */
static bool frame_by_pattern(const char *pattern, const char *path, uint32_t *frame)
{
    size_t size;
    uint32_t width;
    const char *placeholder = find_placeholder(pattern, &size, &width);
    if (!placeholder) return false;
    size_t before = (size_t)(placeholder - pattern);
    if (memchr(pattern, '*', before)) return false;
    const char *start = base_path_name(path) + before, *end = start;
    while (is_digit(*end))
        end++;
    return parse_frame(start, end, frame);
}

/* Reports whether the file was added before this word; sorted files are searched by frame. */
static bool was_added_before(const sequence *sequence, const sequence_file *file)
{
    const sequence_file *files = sequence->files.items;
    size_t low = 0, high = sequence->sorted;
    while (file->numbered && low < high) {
        size_t middle = (low + high) / 2;
        if (files[middle].frame < file->frame)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i < sequence->before; i++) {
        bool passed = file->numbered && i < sequence->sorted && files[i].frame != file->frame;
        if (passed) i = sequence->sorted - 1;
        if (!passed && strcmp(files[i].path, file->path) == 0) return true;
    }
    return false;
}

/* Adds a file and takes ownership of `path`. */
static weir_result add_file(const weir_log *log, const char *pattern, char *path,
                            sequence *sequence)
{
    sequence_file file = {.path = path, .frame = (uint32_t)sequence->files.count + 1};
    if (path)
        file.numbered = (pattern && frame_by_pattern(pattern, path, &file.frame)) ||
                        parse_last_number(path, &file.frame);
    if (path && was_added_before(sequence, &file)) {
        base_free(path);
        return WEIR_OK;
    }
    if (path && BASE_ARRAY_PUSH(&sequence->files, file)) return WEIR_OK;
    base_free(path);
    return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for the names of a sequence");
}

/* Decides by extension, because a folder of frames may contain other files. */
static bool is_frame_file(const char *name, bool meshes)
{
    const char *extension = base_path_extension(name);
    if (name[0] == '.') return false;
    return app_is_extension(WEIR_ENUM_PARTICLE_FILE, extension) ||
           (meshes && app_is_extension(WEIR_ENUM_MESH_FILE, extension));
}

/* Adds all files of a folder that match the pattern; without a pattern, all frames. */
static weir_result add_folder(const weir_log *log, const char *folder, const char *pattern,
                              sequence *sequence)
{
    char **names;
    size_t count, found = 0;
    WEIR_RETURN_IF_ERROR(base_folder_list(log, folder, &names, &count));
    weir_result result = WEIR_OK;
    bool plain = strcmp(folder, ".") == 0 && pattern;
    for (size_t i = 0; result == WEIR_OK && i < count; i++) {
        bool wanted = pattern ? matches_pattern(pattern, names[i])
                              : is_frame_file(names[i], sequence->meshes);
        if (!wanted || names[i][0] == '.') continue;
        found++;
        result = add_file(log, pattern, base_path_join(plain ? "" : folder, names[i]), sequence);
    }
    base_names_free(names, count);
    if (result != WEIR_OK || found) return result;
    return base_fail(NULL, WEIR_ERROR_IO, "nothing");
}

static weir_result add_run_particles_or_folder(const weir_log *log, const char *word,
                                               sequence *sequence)
{
    char *inner = base_path_join(word, "particles");
    if (!inner) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a folder's name");
    weir_result result = add_folder(log, base_path_is_folder(inner) ? inner : word, NULL, sequence);
    base_free(inner);
    return result;
}

static weir_result add_pattern(const weir_log *log, const char *word, sequence *sequence)
{
    char *folder = base_path_folder(word);
    if (!folder) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a folder's name");
    weir_result result = WEIR_ERROR_IO;
    if (base_path_is_folder(folder))
        result = add_folder(log, folder, base_path_name(word), sequence);
    else if (strpbrk(folder, PATTERN_MARKS))
        result = base_fail(
            log, WEIR_ERROR_ARGUMENT,
            "%s: there is no folder \"%s\"; only the last part of a pattern may contain *, ?, "
            "{}, #### or %%04d",
            word, folder);
    base_free(folder);
    return result;
}

weir_result sequence_add(const weir_log *log, const char *word, bool wait, sequence *sequence)
{
    weir_result result = WEIR_ERROR_IO; /* no file yet */
    sequence->before = sequence->files.count;
    if (base_path_is_file(word)) return add_file(log, NULL, base_strdup(word), sequence);
    if (base_path_is_folder(word))
        result = add_run_particles_or_folder(log, word, sequence);
    else if (strpbrk(word, PATTERN_MARKS))
        result = add_pattern(log, word, sequence);
    if (result != WEIR_ERROR_IO) return result;
    if (wait) return WEIR_OK;
    if (base_path_is_folder(word))
        return base_fail(log, WEIR_ERROR_IO, "%s: this folder contains no %s files", word,
                         sequence->meshes ? "particle or mesh" : "particle");
    return base_fail(log, WEIR_ERROR_IO,
                     sequence_is_pattern(word)
                         ? "%s: no file matches this pattern"
                         : "%s: no such file; in patterns, * stands for anything and {} or "
                           "%%04d for the frame number",
                     word);
}

static int compare_files(const void *a, const void *b)
{
    const sequence_file *x = a, *y = b;
    if (x->frame != y->frame) return x->frame < y->frame ? -1 : 1;
    return strcmp(x->path, y->path);
}

weir_result sequence_sort(const weir_log *log, sequence *sequence)
{
    const sequence_file *files = sequence->files.items;
    sequence->sorted = sequence->files.count;
    if (sequence->files.count == 0) return WEIR_OK;
    qsort(sequence->files.items, sequence->files.count, sizeof *files, compare_files);
    for (size_t i = 1; i < sequence->files.count; i++) {
        if (files[i].frame != files[i - 1].frame) continue;
        return base_fail(log, WEIR_ERROR_ARGUMENT,
                         "%s and %s are both frame %u; give one sequence at a time",
                         files[i - 1].path, files[i].path, files[i].frame);
    }
    return WEIR_OK;
}

void sequence_keep_frames(sequence *sequence, const args_steps *frames)
{
    size_t kept = 0;
    sequence_file *files = sequence->files.items;
    for (size_t i = 0; i < sequence->files.count; ++i) {
        if (args_steps_include(frames, files[i].frame))
            files[kept++] = files[i];
        else
            base_free(files[i].path);
    }
    sequence->files.count = sequence->sorted = kept;
}

void sequence_free(sequence *sequence)
{
    for (size_t i = 0; i < sequence->files.count; i++)
        base_free(sequence->files.items[i].path);
    BASE_ARRAY_FREE(&sequence->files);
}

char *sequence_run_folder(const char *path)
{
    char *folder = base_path_folder(path);
    for (int level = 0; folder && level < 2; level++) {
        char *run = base_path_join(folder, "run.json"), *above = NULL;
        bool found = run && base_path_is_file(run);
        base_free(run);
        if (found) return folder;
        /* Only the absolute path contains the folder above "particles". */
        char *whole = base_path_absolute(folder);
        if (whole) above = base_path_folder(whole);
        base_free(whole);
        base_free(folder);
        folder = above;
    }
    base_free(folder);
    return NULL;
}

char *sequence_run_json(const char *path)
{
    char *folder = sequence_run_folder(path);
    char *run = folder ? base_path_join(folder, "run.json") : NULL;
    base_free(folder);
    return run;
}
