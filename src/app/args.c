/* Parses command lines according to a table: "--name value", "--name=value", "-n value", flags,
 * operands. */
#include "app.h"

/* Ends an error message with the most similar of the names, if any is similar. */
static void print_nearest(const char *given, const char *const *names, size_t count)
{
    const char *near = base_nearest_name(given, names, count);
    if (near) fprintf(stderr, "; did you mean \"%s\"?", near);
    fprintf(stderr, "\n");
}

void args_unknown_name(const char *what, const char *given, const char *const *names, size_t count)
{
    fprintf(stderr, "weir: unknown %s \"%s\"", what, given);
    print_nearest(given, names, count);
}

static size_t option_count(const args_command *command)
{
    return command->option_count + command->more_count;
}

static const args_option *option_at(const args_command *command, size_t index)
{
    return index < command->option_count ? &command->options[index]
                                         : &command->more[index - command->option_count];
}

static const args_option *find_option(const args_command *command, const char *name, size_t size)
{
    for (size_t i = 0; i < option_count(command); ++i) {
        const args_option *option = option_at(command, i);
        if (strlen(option->name) == size && memcmp(option->name, name, size) == 0) return option;
    }
    return NULL;
}

/* Returns the command's option that replaces an option of version 0.1.0; NULL if there is none. */
static const args_option *find_renamed(const args_command *command, const char *name)
{
    bool of_mesh = strncmp(name, "mesh-", 5) == 0;
    const char *renamed = renamed_option(of_mesh ? name + 5 : name);
    if (!renamed) return NULL;
    char now[64];
    snprintf(now, sizeof now, "%s%s", of_mesh ? "mesh-" : "", renamed);
    return find_option(command, now, strlen(now));
}

/* Returns whether `name` was an option of meshes that is a setting now, and reports that. */
static bool report_mesh_setting(const args_command *command, const char *name)
{
    bool of_mesh = strncmp(name, "mesh-", 5) == 0;
    const char *option = of_mesh ? "mesh-set" : "set";
    const char *setting = renamed_mesh_setting(of_mesh ? name + 5 : name);
    if (!setting || !find_option(command, option, strlen(option))) return false;
    if (!of_mesh && strcmp(command->name, "mesh") != 0) return false;
    fprintf(stderr, "weir: --%s is a setting now: --%s %s\n", name, option, setting);
    return true;
}

static args_result invalid_option(const args_command *command, const char *name)
{
    const args_option *now = find_renamed(command, name);
    if (now) {
        fprintf(stderr, "weir: --%s is now called --%s\n", name, now->name);
        return ARGS_INVALID;
    }
    if (report_mesh_setting(command, name)) return ARGS_INVALID;
    const char *tool = option_now_a_tool(name);
    if (tool && strcmp(command->name, "bench") == 0) {
        fprintf(stderr, "weir: --%s is a tool of Weir's source tree now: %s\n", name, tool);
        return ARGS_INVALID;
    }
    const char *names[96];
    size_t count = 0;
    for (; count < option_count(command) && count + 2 < BASE_COUNT(names); ++count)
        names[count] = option_at(command, count)->name;
    names[count++] = "help";
    names[count++] = "help-all";
    args_unknown_name("option", name, names, count);
    fprintf(stderr, "weir: \"weir %s --help-all\" lists the options\n", command->name);
    return ARGS_INVALID;
}

static args_result invalid_value(const args_option *option, const char *value, const char *expected)
{
    fprintf(stderr, "weir: --%s: \"%s\" is not %s\n", option->name, value, expected);
    return ARGS_INVALID;
}

static bool read_count(const char *text, const char *end, uint32_t *count)
{
    int64_t number;
    const char *next;
    bool fits = base_parse_int64(text, end, &number, &next) && next == end && number >= 0 &&
                number < UINT32_MAX;
    if (fits) *count = (uint32_t)number;
    return fits;
}

/* Parses "A:B", "A:", ":B" or "B". */
static bool read_range(const char *text, args_range *range)
{
    const char *end = text + strlen(text), *colon = strchr(text, ':');
    args_range read = {0, UINT32_MAX - 1};
    const char *second = colon ? colon + 1 : text;
    if (colon && colon > text && !read_count(text, colon, &read.first)) return false;
    if ((second < end || !colon) && !read_count(second, end, &read.last)) return false;
    if (read.first > read.last || (colon && end - text == 1)) return false;
    *range = read;
    return true;
}

/* Parses a range, and a step after a second colon. */
static bool read_steps(const char *text, args_steps *steps)
{
    char range[64];
    uint32_t step = 1;
    const char *end = text + strlen(text), *colon = strchr(text, ':');
    const char *second = colon ? strchr(colon + 1, ':') : NULL;
    size_t size = (size_t)((second ? second : end) - text);
    if (size >= sizeof range) return false;
    memcpy(range, text, size);
    range[size] = '\0';
    if (second && (!read_count(second + 1, end, &step) || step == 0)) return false;
    args_range whole = {0, UINT32_MAX - 1};
    bool all = second && strcmp(range, ":") == 0; /* "::5" */
    if (!all && !read_range(range, &whole)) return false;
    *steps = (args_steps){whole, step};
    return true;
}

/* Parses three numbers that commas separate. */
static bool read_corner(const char *text, const char *end, double corner[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        const char *next;
        if (!base_parse_double(text, end, &corner[axis], &next)) return false;
        bool last = axis == 2;
        if (last ? next != end : next == end || *next != ',') return false;
        text = next + 1;
    }
    return true;
}

static bool read_box(const char *text, args_box *box)
{
    const char *colon = strchr(text, ':');
    args_box read = {.given = true};
    if (!colon || !read_corner(text, colon, read.min) ||
        !read_corner(colon + 1, text + strlen(text), read.max))
        return false;
    for (int axis = 0; axis < 3; ++axis)
        if (!(read.min[axis] < read.max[axis])) return false;
    *box = read;
    return true;
}

static bool read_choice(const args_option *option, const char *text, size_t size, uint32_t *index)
{
    for (uint32_t i = 0; i < option->choice_count; ++i) {
        const char *choice = option->choices[i];
        if (strlen(choice) != size || memcmp(choice, text, size) != 0) continue;
        *index = i;
        return true;
    }
    return false;
}

static args_result invalid_choice(const args_option *option, const char *text)
{
    fprintf(stderr, "weir: --%s: unknown value \"%s\"", option->name, text);
    print_nearest(text, option->choices, option->choice_count);
    fprintf(stderr, "weir: --%s accepts ", option->name);
    for (uint32_t i = 0; i < option->choice_count; ++i)
        fprintf(stderr, "%s%s", i ? ", " : "", option->choices[i]);
    fprintf(stderr, "%s\n", option->kind == ARGS_CHOICES ? "; separate several with commas" : "");
    return ARGS_INVALID;
}

static args_result read_choices(const args_option *option, const char *text)
{
    uint32_t bits = 0, index = 0;
    for (const char *at = text;; ++at) {
        size_t size = strcspn(at, ",");
        if (!read_choice(option, at, size, &index)) {
            char word[64];
            snprintf(word, sizeof word, "%.*s", (int)(size < 63 ? size : 63), at);
            return invalid_choice(option, word);
        }
        bits |= 1u << index;
        at += size;
        if (!*at) break;
    }
    *(uint32_t *)option->target = bits;
    return ARGS_RUN;
}

static args_result append_to_list(const args_option *option, const char *text)
{
    args_list *list = option->target;
    char form[64];
    snprintf(form, sizeof form, "of the form %s", option->value);
    if (!strchr(text, '=')) return invalid_value(option, text, form);
    if (list->count == ARGS_LIST_MAX) {
        fprintf(stderr, "weir: --%s can be given at most %d times\n", option->name, ARGS_LIST_MAX);
        return ARGS_INVALID;
    }
    list->items[list->count++] = text;
    return ARGS_RUN;
}

static args_result read_number(const args_option *option, const char *text)
{
    const char *end = text + strlen(text), *next;
    double number;
    bool good = base_parse_double(text, end, &number, &next) && next == end && isfinite(number) &&
                number > 0;
    if (!good) return invalid_value(option, text, "a number above 0");
    *(double *)option->target = number;
    return ARGS_RUN;
}

static args_result read_mode(const args_option *option, const char *text)
{
    uint32_t index = 0, *mode = option->target;
    if (text && !read_choice(option, text, strlen(text), &index))
        return invalid_choice(option, text);
    *mode = text ? 2 + index : 1;
    return ARGS_RUN;
}

static args_result read_value(const args_option *option, const char *text)
{
    switch (option->kind) {
    case ARGS_FLAG: *(bool *)option->target = true; return ARGS_RUN;
    case ARGS_MODE: return read_mode(option, text);
    case ARGS_TEXT: *(const char **)option->target = text; return ARGS_RUN;
    case ARGS_NUMBER: return read_number(option, text);
    case ARGS_LIST: return append_to_list(option, text);
    case ARGS_CHOICES: return read_choices(option, text);
    case ARGS_CHOICE:
        return read_choice(option, text, strlen(text), option->target)
                   ? ARGS_RUN
                   : invalid_choice(option, text);
    case ARGS_COUNT:
        return read_count(text, text + strlen(text), option->target)
                   ? ARGS_RUN
                   : invalid_value(option, text, "a whole number, 0 or more");
    case ARGS_STEPS:
        return read_steps(text, option->target)
                   ? ARGS_RUN
                   : invalid_value(option, text,
                                   "a range of frames such as 10:60 or 10:60:5, or a last frame");
    case ARGS_BOX:
        return read_box(text, option->target)
                   ? ARGS_RUN
                   : invalid_value(option, text,
                                   "a box X0,Y0,Z0:X1,Y1,Z1, its lowest corner first, such as "
                                   "0,0,0:2,1,1.5");
    case ARGS_RANGE: break;
    }
    return read_range(text, option->target)
               ? ARGS_RUN
               : invalid_value(option, text, "a range of frames such as 10:60, or a last frame");
}

static const args_option *find_letter(const args_command *command, char letter)
{
    for (size_t i = 0; i < option_count(command); ++i)
        if (option_at(command, i)->letter == letter) return option_at(command, i);
    return NULL;
}

/* Parses the option at argv[*at] and its value, if any; advances *at past both. */
static args_result read_option(const args_command *command, int argc, char **argv, int *at)
{
    const char *word = argv[(*at)++];
    bool is_long = word[1] == '-';
    const char *name = word + (is_long ? 2 : 1);
    const char *equals = is_long ? strchr(name, '=') : NULL;
    size_t size = equals ? (size_t)(equals - name) : strlen(name);
    const args_option *option = is_long     ? find_option(command, name, size)
                                : size == 1 ? find_letter(command, name[0])
                                            : NULL;
    if (!option) {
        char cut[64];
        snprintf(cut, sizeof cut, "%.*s", (int)(size < 63 ? size : 63), name);
        return invalid_option(command, cut);
    }
    if (option->kind == ARGS_FLAG) {
        if (equals)
            return invalid_value(option, equals + 1, "expected: this option takes no value");
        return read_value(option, NULL);
    }
    if (equals || option->kind == ARGS_MODE) return read_value(option, equals ? equals + 1 : NULL);
    if (*at == argc) {
        fprintf(stderr, "weir: --%s needs a value: %s\n", option->name, option->value);
        return ARGS_INVALID;
    }
    return read_value(option, argv[(*at)++]);
}

static args_result read_operand(const args_command *command, char *word)
{
    bool first = command->operand && !*command->operand;
    if (first) *command->operand = word;
    if (command->operands) command->operands->items[command->operands->count++] = word;
    if (first || command->operands) return ARGS_RUN;
    fprintf(stderr, "weir: unexpected argument \"%s\"; usage: weir %s %s\n", word, command->name,
            command->usage);
    return ARGS_INVALID;
}

bool args_steps_include(const args_steps *steps, uint32_t frame)
{
    return frame >= steps->range.first && frame <= steps->range.last &&
           (frame - steps->range.first) % steps->step == 0;
}

int args_error(const char *words)
{
    fprintf(stderr, "weir: %s\n", words);
    return APP_WRONG_USE;
}

const char *const args_filters[WEIR_DEPTH_FILTER_COUNT] = {
    [WEIR_DEPTH_FILTER_NARROW_RANGE] = "narrow-range",
    [WEIR_DEPTH_FILTER_BILATERAL] = "bilateral",
    [WEIR_DEPTH_FILTER_CURVATURE_FLOW] = "curvature-flow",
    [WEIR_DEPTH_FILTER_NONE] = "none",
};

bool app_is_extension(weir_enum of, const char *extension)
{
    for (uint32_t i = 0; weir_enum_name(of, i); i++)
        if (base_is_same_word(weir_enum_name(of, i), extension)) return true;
    return false;
}

const char *args_join(char text[ARGS_JOINED], const char *before, const char *const *names,
                      size_t count, const char *after)
{
    int at = snprintf(text, ARGS_JOINED, "%s", before);
    for (size_t i = 0; i <= count && at < ARGS_JOINED; i++)
        at += snprintf(text + at, ARGS_JOINED - (size_t)at, "%s%s",
                       i == 0 || i == count ? ""
                       : i + 1 == count     ? " or "
                                            : ", ",
                       i < count ? names[i] : after);
    return text;
}

void args_names(weir_enum list, const char **names, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
        names[i] = weir_enum_name(list, i);
}

const char *const *args_looks(void)
{
    static const char *names[ARGS_LOOKS];
    args_names(WEIR_ENUM_LOOK, names, ARGS_LOOKS);
    return names;
}

/* Prints the help if a word before "--" requests it. */
static bool print_requested_help(const args_command *command, int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; ++i) {
        bool all = strcmp(argv[i], "--help-all") == 0;
        if (!all && strcmp(argv[i], "--help") != 0 && strcmp(argv[i], "-h") != 0) continue;
        help_print(command, all);
        return true;
    }
    return false;
}

args_result args_parse(const args_command *command, int argc, char **argv)
{
    bool only_operands = false;
    if (print_requested_help(command, argc, argv)) return ARGS_HELP;
    /* Operands move to the front of argv, over words that have been parsed already. */
    if (command->operands) *command->operands = (args_words){argv, 0};
    for (int at = 0; at < argc;) {
        args_result outcome = ARGS_RUN;
        if (!only_operands && strcmp(argv[at], "--") == 0) {
            only_operands = true;
            ++at;
        } else if (!only_operands && argv[at][0] == '-' && argv[at][1]) {
            outcome = read_option(command, argc, argv, &at);
        } else {
            outcome = read_operand(command, argv[at++]);
        }
        if (outcome != ARGS_RUN) return outcome;
    }
    bool given =
        command->operands ? command->operands->count > 0 : command->operand && *command->operand;
    if (!command->operand_needed || given) return ARGS_RUN;
    fprintf(stderr, "weir: a file is missing; usage: weir %s %s\n", command->name, command->usage);
    return ARGS_INVALID;
}
