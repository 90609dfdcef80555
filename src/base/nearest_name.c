/* Name suggestions ("did you mean") by optimal string alignment (Damerau-Levenshtein distance
 * without overlapping edits), then by the beginnings of words. */
#include "base.h"

/* Names of keys, devices and options are far shorter; a longer text counts as entirely
 * different. */
enum { NAME_MAX_LENGTH = 127 };

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

size_t base_edit_distance(const char *a, const char *b)
{
    size_t m = strlen(a), n = strlen(b);
    if (m > NAME_MAX_LENGTH || n > NAME_MAX_LENGTH) return strcmp(a, b) == 0 ? 0 : m > n ? m : n;
    size_t lines[3][NAME_MAX_LENGTH + 1];
    size_t *before = lines[0], *last = lines[1], *line = lines[2];
    for (size_t j = 0; j <= n; j++)
        last[j] = before[j] = j;
    for (size_t i = 1; i <= m; i++) {
        line[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t replace = last[j - 1] + (a[i - 1] != b[j - 1]);
            line[j] = min_size(replace, min_size(last[j], line[j - 1]) + 1);
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) line[j] = min_size(line[j], before[j - 2] + 1);
        }
        size_t *free_line = before;
        before = last;
        last = line;
        line = free_line;
    }
    return last[n];
}

/* Returns the name with the fewest edits, or NULL if all are too far away. */
static const char *nearest_by_edits(const char *name, const char *const *names, size_t count)
{
    const char *nearest = NULL;
    size_t length = strlen(name);
    size_t limit = length < 6 ? 2 : length / 3 + 1;
    for (size_t i = 0; i < count; i++) {
        size_t other = strlen(names[i]), apart = other > length ? other - length : length - other;
        if (apart >= limit) continue; /* each extra letter takes an edit */
        size_t distance = base_edit_distance(name, names[i]);
        if (distance >= limit || distance >= length) continue;
        nearest = names[i];
        limit = distance;
    }
    return nearest;
}

/* Whether a word of `name`, as in cell_size or cell-size, begins with `text`. */
static bool has_word_with(const char *name, const char *text)
{
    for (const char *at = strstr(name, text); at; at = strstr(at + 1, text))
        if (at == name || strchr("_-. ", at[-1])) return true;
    return false;
}

/* Returns the shortest name of which a word begins with `text`, or NULL. */
static const char *shortest_with_word(const char *text, const char *const *names, size_t count)
{
    const char *shortest = NULL;
    if (strlen(text) < 3) return NULL;
    for (size_t i = 0; i < count; i++)
        if (has_word_with(names[i], text) && (!shortest || strlen(names[i]) < strlen(shortest)))
            shortest = names[i];
    return shortest;
}

const char *base_nearest_name(const char *name, const char *const *names, size_t count)
{
    const char *nearest = nearest_by_edits(name, names, count);
    return nearest ? nearest : shortest_with_word(name, names, count);
}
