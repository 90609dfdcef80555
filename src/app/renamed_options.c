/* Options and a command that had other names in version 0.1.0; error messages for a former name
 * give the present one. */
#include "app.h"

typedef struct renamed_word {
    const char *before, *now;
} renamed_word;

static const renamed_word options[] = {
    {"from", "checkpoint"},
    {"most", "max-particles"},
    {"checkpoint", "checkpoint-interval"},
    {"any-density", "allow-overcompression"},
    {"exposures", "accumulation-samples"},
    {"range", "colour-range"},
    {"splatter", "splat-method"},
    {"cell", "cell-size"},
    {"search", "search-radius"},
    {"radius", "particle-radius"},
    {"iso", "iso-value"},
    {"stretch", "max-anisotropy"},
    {"no-damping", "no-sheet-damping"},
    {"decider", "asymptotic-decider"},
    {"spray", "spray-neighbours"},
    {"raw", "no-refine"},
    {"no-clean", "keep-slivers"},
    {"smoothing", "smooth-method"},
    {"smooth", "smooth-iterations"},
    {"min-triangles", "min-component-triangles"},
    {"min-volume", "min-component-volume"},
    {"fill-voids", "remove-voids"},
    {"keep", "decimate-ratio"},
    {"solids", "snap-to-solids"},
    {"solid-band", "snap-distance"},
    {"box", "clamp-box"},
    {"skip-done", "skip-existing"},
    {"from-up", "input-up"},
    {"memory", "max-memory"},
};

static const renamed_word commands[] = {{"foam", "whitewater"}};

static const char *find_present(const renamed_word *words, size_t count, const char *before)
{
    for (size_t i = 0; i < count; ++i)
        if (strcmp(words[i].before, before) == 0) return words[i].now;
    return NULL;
}

const char *renamed_option(const char *before)
{
    return find_present(options, BASE_COUNT(options), before);
}

const char *renamed_command(const char *before)
{
    return find_present(commands, BASE_COUNT(commands), before);
}
