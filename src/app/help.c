/* Prints a command's table as help text, as its part of the man page, or as its part of a shell's
 * completion script. */
#include "app.h"

static const char *const formats[] = {"text", "man", "bash", "zsh", "fish"};
static enum { TEXT, MAN, BASH, ZSH, FISH } format;

bool help_choose(const char *name)
{
    for (size_t i = 0; i < BASE_COUNT(formats); ++i) {
        if (strcmp(name, formats[i]) != 0) continue;
        format = (unsigned)i;
        return true;
    }
    args_unknown_name("format of help", name, formats, BASE_COUNT(formats));
    fprintf(stderr, "weir: --format accepts text, man, bash, zsh or fish\n");
    return false;
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

/* ---- text ----------------------------------------------------------------------------------- */

static void print_indented(const char *text, const char *indent)
{
    while (*text) {
        const char *end = strchr(text, '\n');
        int size = (int)(end ? end - text : (ptrdiff_t)strlen(text));
        printf("%s%.*s\n", size > 0 ? indent : "", size, text);
        text += size + (end ? 1 : 0);
    }
}

/* Returns whether the next word is the option's value. */
static bool takes_value(const args_option *option)
{
    return option->kind != ARGS_FLAG && option->kind != ARGS_MODE;
}

static void print_option(const args_option *option)
{
    char left[64];
    char letter[8] = "    ";
    if (option->letter) snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(left, sizeof left, "  %s--%s%s%s", letter, option->name,
             takes_value(option) && option->value ? " " : "", option->value ? option->value : "");
    printf("%-30s", left);
    if (strlen(left) > 28) printf("\n%30s", "");
    const char *line = option->help;
    for (const char *end; (end = strchr(line, '\n')) != NULL; line = end + 1)
        printf("%.*s\n%30s", (int)(end - line), line, "");
    printf("%s\n", line);
}

static void print_options(const args_option *options, size_t count, bool all)
{
    for (size_t i = 0; i < count; ++i)
        if (all || !options[i].expert) print_option(&options[i]);
}

static size_t expert_count(const args_option *options, size_t count)
{
    size_t experts = 0;
    for (size_t i = 0; i < count; ++i)
        experts += options[i].expert;
    return experts;
}

static void print_option_lists(const args_command *command, bool all)
{
    printf("\nOptions:\n");
    print_options(command->options, command->option_count, all);
    printf("  -h, --help                  print %s\n", all ? "the common options" : "this page");
    if (all) printf("      --help-all              print this page\n");
    size_t left_out = all ? 0 : expert_count(command->more, command->more_count);
    if (command->more_count == left_out) return;
    printf("\n%s\n", command->more_title);
    print_options(command->more, command->more_count, all);
}

/* Says how many options the page has left out. */
static void print_rest(const args_command *command)
{
    size_t rest = expert_count(command->options, command->option_count) +
                  expert_count(command->more, command->more_count);
    if (rest > 0)
        printf("weir %s --help-all lists %zu more option%s.\n", command->name, rest,
               base_plural(rest));
}

static void print_text(const args_command *command, bool all)
{
    printf("weir %s %s\n\n", command->name, command->usage);
    print_indented(command->about, "");
    if (all && command->details) {
        printf("\n");
        print_indented(command->details, "");
    }
    print_option_lists(command, all);
    printf("\nExamples:\n");
    print_indented(command->examples, "  ");
    printf("\nExit status: 0 success, 1 failure, 2 wrong usage (docs/exit-statuses.md).\n");
    if (!all) print_rest(command);
}

/* ---- man page ------------------------------------------------------------------------------- */

/* Prints text for roff, escaping backslashes, and a dot or quote at the start of a line. */
static void print_roff(const char *text)
{
    bool starts = true;
    for (; *text; ++text) {
        if (starts && (*text == '.' || *text == '\'')) printf("\\&");
        starts = *text == '\n';
        if (*text == '\\')
            printf("\\e");
        else if (*text == '-')
            printf("\\-");
        else
            putchar(*text);
    }
}

static void print_roff_option(const args_option *option)
{
    printf(".TP\n\\fB");
    if (option->letter) printf("\\-%c\\fR, \\fB", option->letter);
    printf("\\-\\-");
    print_roff(option->name);
    printf("\\fR");
    if (option->value) {
        printf(takes_value(option) ? " \\fI" : "\\fI");
        print_roff(option->value);
        printf("\\fR");
    }
    printf("\n");
    print_roff(option->help);
    printf("\n");
}

static void print_man(const args_command *command)
{
    printf(".SH WEIR %s\n.B weir %s\n", command->name, command->name);
    print_roff(command->usage);
    printf("\n.PP\n.nf\n");
    print_roff(command->about);
    if (command->details) {
        printf("\n\n");
        print_roff(command->details);
    }
    printf("\n.fi\n");
    for (size_t i = 0; i < option_count(command); ++i)
        print_roff_option(option_at(command, i));
    printf(".PP\nExamples:\n.PP\n.nf\n");
    print_roff(command->examples);
    printf("\n.fi\n");
}

/* ---- completions ---------------------------------------------------------------------------- */

static void print_choices(const args_option *option)
{
    for (uint32_t i = 0; i < option->choice_count; ++i)
        printf("%s%s", i ? " " : "", option->choices[i]);
}

/* Prints lines of a `case` over the command and the previous word: the words that may follow. */
static void print_bash(const args_command *command)
{
    for (size_t i = 0; i < option_count(command); ++i) {
        const args_option *option = option_at(command, i);
        if (!takes_value(option)) continue;
        printf("    '%s --%s'", command->name, option->name);
        if (option->letter) printf(" | '%s -%c'", command->name, option->letter);
        printf(") words='");
        print_choices(option);
        printf("' ;;\n");
    }
    printf("    '%s '*) words='--help --help-all", command->name);
    for (size_t i = 0; i < option_count(command); ++i)
        printf(" --%s", option_at(command, i)->name);
    printf("' ;;\n");
}

/* Prints the first line of a text in single quotes; the characters in `also` get a backslash. */
static void print_quoted(const char *text, const char *also)
{
    for (; *text && *text != '\n'; ++text) {
        if (*text == '\'')
            printf("'\\''");
        else
            printf("%s%c", strchr(also, *text) ? "\\" : "", *text);
    }
}

static void print_zsh(const args_command *command)
{
    printf("    %s)\n        _arguments \\\n", command->name);
    for (size_t i = 0; i < option_count(command); ++i) {
        const args_option *option = option_at(command, i);
        printf("            '--%s[", option->name);
        print_quoted(option->help, "[]:\\");
        printf("]");
        if (takes_value(option)) {
            printf(":");
            print_quoted(option->value, ":\\");
            printf(option->choice_count ? ":(" : ":_files");
            print_choices(option);
            if (option->choice_count) printf(")");
        }
        printf("' \\\n");
    }
    printf("            '*:file:_files' ;;\n");
}

static void print_fish(const args_command *command)
{
    for (size_t i = 0; i < option_count(command); ++i) {
        const args_option *option = option_at(command, i);
        printf("complete -c weir -n '__fish_seen_subcommand_from %s' -l %s", command->name,
               option->name);
        if (option->letter) printf(" -s %c", option->letter);
        if (option->choice_count) {
            printf(" -xa '");
            print_choices(option);
            printf("'");
        } else if (takes_value(option)) {
            printf(" -r");
        }
        printf(" -d '");
        print_quoted(option->help, "\\");
        printf("'\n");
    }
}

void help_print(const args_command *command, bool all)
{
    switch (format) {
    case TEXT: print_text(command, all); break;
    case MAN: print_man(command); break;
    case BASH: print_bash(command); break;
    case ZSH: print_zsh(command); break;
    case FISH: print_fish(command); break;
    }
}

/* ---- of the whole program ------------------------------------------------------------------- */

static void print_names(const help_names *names)
{
    for (size_t i = 0; i < names->count; ++i)
        printf("%s%s", i ? " " : "", names->items[i]);
}

void help_begin(const help_names *names)
{
    if (format == MAN) {
        printf(
            ".TH WEIR 1 \"\" \"weir %s\" \"Weir\"\n.SH NAME\nweir \\- particle fluids on Vulkan\n"
            ".SH SYNOPSIS\n.B weir\nCOMMAND [OPTIONS]\n.SH DESCRIPTION\nCommands: ",
            weir_version());
        print_names(names);
        printf(", help.\n");
    } else if (format == BASH) {
        printf("# bash completion of weir\n_weir()\n{\n    local words='' "
               "word=${COMP_WORDS[COMP_CWORD]}\n"
               "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n        COMPREPLY=($(compgen -W '");
        print_names(names);
        printf(" help --help --version' -- \"$word\"))\n        return\n    fi\n"
               "    case \"${COMP_WORDS[1]} ${COMP_WORDS[COMP_CWORD-1]}\" in\n");
    } else if (format == ZSH) {
        printf("#compdef weir\nif ((CURRENT == 2)); then\n    compadd ");
        print_names(names);
        printf(" help\n    return\nfi\nlocal command=$words[2]\nshift words\n((CURRENT--))\n"
               "case $command in\n");
    } else if (format == FISH) {
        printf("complete -c weir -n __fish_use_subcommand -fa '");
        print_names(names);
        printf(" help'\n");
    }
}

void help_end(void)
{
    if (format == MAN)
        printf(".SH EXIT STATUS\n0 success, 1 failure, 2 wrong usage.\n");
    else if (format == BASH)
        printf("    esac\n    COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
               "    if [ \"${word#-}\" = \"$word\" ] && [ -z \"${COMPREPLY[*]}\" ]; then\n"
               "        COMPREPLY=($(compgen -f -- \"$word\"))\n    fi\n}\n"
               "complete -o filenames -F _weir weir\n");
    else if (format == ZSH)
        printf("esac\n");
}
