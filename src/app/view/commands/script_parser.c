/* Parses scripts: turns text into calls, and logs every error. */
#include "command_table.h"

#define WORDS_MAX 32u
#define MAX_ERRORS 20u

typedef struct script_word {
    const char *text;
    uint32_t line;
} script_word;

typedef struct script_reader {
    const weir_log *log;
    const char *name;
    char *at; /* the rest of the script, which is split into words in place */
    uint32_t line, error_count;
    view_script *script;
    script_word words[WORDS_MAX]; /* of the current statement */
    uint32_t word_count;
} script_reader;

static void script_error(script_reader *r, uint32_t line, const char *format, ...)
    BASE_PRINTF(3, 4);

static void script_error(script_reader *r, uint32_t line, const char *format, ...)
{
    char text[400];
    va_list arguments;
    if (r->error_count++ >= MAX_ERRORS) return;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    base_log(r->log, WEIR_LOG_ERROR, "%s:%u: %s", r->name, line, text);
}

/* ---- one statement -------------------------------------------------------------------------- */

/* Returns the current name of the command that version 0.1.0 called `before`; NULL if there was
 * none. */
static const char *find_renamed(const char *before)
{
    static const char *const renamed[][2] = {{"row", "pass"},
                                             {"look", "camera"},
                                             {"drag", "grab"},
                                             {"emit", "hose"},
                                             {"items", "widgets"}};
    for (size_t i = 0; i < BASE_COUNT(renamed); i++)
        if (strcmp(renamed[i][0], before) == 0) return renamed[i][1];
    return NULL;
}

static const view_command *find_command(script_reader *r)
{
    const char *names[VIEW_COMMANDS];
    for (uint32_t i = 0; i < VIEW_COMMANDS; i++) {
        names[i] = view_commands[i].name;
        if (strcmp(names[i], r->words[0].text) == 0) return &view_commands[i];
    }
    const char *now = find_renamed(r->words[0].text);
    const char *near = base_nearest_name(r->words[0].text, names, VIEW_COMMANDS);
    if (now)
        script_error(r, r->words[0].line, "\"%s\" is now called \"%s\"", r->words[0].text, now);
    else if (near)
        script_error(r, r->words[0].line, "unknown command \"%.60s\"; did you mean \"%s\"?",
                     r->words[0].text, near);
    else
        script_error(r, r->words[0].line,
                     "unknown command \"%.60s\": expected one of the viewer's help page, such as "
                     "step, orbit, shot or quit",
                     r->words[0].text);
    return NULL;
}

static bool read_value(const char *text, view_value_kind kind, view_value *value)
{
    const char *end = text + strlen(text), *next = text;
    int64_t whole;
    *value = (view_value){.given = true, .text = text};
    switch (kind) {
    case VIEW_TEXT: return text[0] != '\0';
    case VIEW_SWITCH:
        value->number = strcmp(text, "on") == 0 ? 1.0 : 0.0;
        return value->number > 0.0 || strcmp(text, "off") == 0;
    case VIEW_COUNT:
        if (!base_parse_int64(text, end, &whole, &next) || whole < 0 || whole > 1000000000)
            return false;
        value->number = (double)whole;
        return next == end;
    case VIEW_NUMBER: break;
    }
    return base_parse_double(text, end, &value->number, &next) && next == end &&
           fabs(value->number) < 1e9;
}

static const char *expected_text(view_value_kind kind)
{
    switch (kind) {
    case VIEW_COUNT: return "a whole number, 0 or more";
    case VIEW_NUMBER: return "a number";
    case VIEW_SWITCH: return "on or off";
    case VIEW_TEXT: break;
    }
    return "a word";
}

static bool read_values(script_reader *r, const view_command *command, view_call *call)
{
    char usage[160];
    const script_word *words = r->words;
    uint32_t at = 1;
    view_print_usage(command, usage, sizeof usage);
    for (uint32_t i = 0; i < VIEW_PARAMETERS && command->parameters[i].name; i++, at++) {
        const view_parameter *p = &command->parameters[i];
        if (at >= r->word_count) {
            if (p->optional) return true;
            script_error(r, words[0].line, "\"%s\" is missing its %s: expected %s; usage: %s",
                         words[0].text, p->name, expected_text(p->kind), usage);
            return false;
        }
        if (read_value(words[at].text, p->kind, &call->values[i])) continue;
        script_error(r, words[at].line, "word %u of \"%s\", %s: expected %s, not \"%.60s\"", at + 1,
                     words[0].text, p->name, expected_text(p->kind), words[at].text);
        return false;
    }
    if (at >= r->word_count) return true;
    script_error(r, words[at].line, "unexpected word \"%.60s\"; usage: %s", words[at].text, usage);
    return false;
}

/* Rejects a key without a command, because it would do nothing when the script runs. */
static bool check_key(script_reader *r, const view_call *call)
{
    view_call stands_for;
    if (call->id != VIEW_KEY || view_key_call(call->values[0].text, &stands_for)) return true;
    script_error(r, r->words[1].line,
                 "no command is bound to the key \"%.60s\": expected one of the help page, such as "
                 "Space or Ctrl+C",
                 call->values[0].text);
    return false;
}

static weir_result end_statement(script_reader *r)
{
    view_call call = {0};
    const view_command *command = r->word_count ? find_command(r) : NULL;
    bool good = command && read_values(r, command, &call);
    if (good) {
        call.id = (view_command_id)(command - view_commands);
        good = check_key(r, &call);
    }
    r->word_count = 0;
    if (!good || BASE_ARRAY_PUSH(&r->script->calls, call)) return WEIR_OK;
    return base_fail(r->log, WEIR_ERROR_MEMORY, "not enough memory for the script");
}

/* ---- words ---------------------------------------------------------------------------------- */

static void add_word(script_reader *r, const char *text)
{
    if (r->word_count == WORDS_MAX)
        script_error(r, r->line, "more than %u words in one command", WORDS_MAX);
    if (r->word_count <= WORDS_MAX - 1u) r->words[r->word_count++] = (script_word){text, r->line};
}

/* Splits off the word at r->at; returns the character that ended it. */
static char cut_word(script_reader *r)
{
    char *start = r->at, *end;
    if (*start == '"') {
        start++;
        end = start + strcspn(start, "\"\n");
        if (*end != '"')
            script_error(r, r->line, "the quote before \"%.40s\" is not closed", start);
        r->at = *end == '"' ? end + 1 : end;
        char after = *r->at;
        *end = '\0';
        add_word(r, start);
        return after;
    }
    end = start + strcspn(start, " \t\r\n;#");
    char after = *end;
    *end = '\0';
    r->at = end;
    add_word(r, start);
    return after;
}

static weir_result read_statements(script_reader *r)
{
    weir_result result = WEIR_OK;
    char now = *r->at;
    while (now != '\0' && result == WEIR_OK) {
        if (strchr(" \t\r", now)) {
            now = *++r->at;
        } else if (now == '#') {
            r->at += 1 + strcspn(r->at + 1, "\n");
            now = *r->at;
        } else if (now == ';' || now == '\n') {
            result = end_statement(r);
            r->line += now == '\n';
            now = *++r->at;
        } else {
            now = cut_word(r);
        }
    }
    return result == WEIR_OK ? end_statement(r) : result;
}

weir_result view_script_parse(const weir_log *log, const char *name, const char *text,
                              view_script *script)
{
    script_reader r = {.log = log, .name = name, .line = 1, .script = script};
    *script = (view_script){.words = base_strdup(text)};
    if (!script->words)
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for the script");
    r.at = script->words;
    weir_result result = read_statements(&r);
    if (result == WEIR_OK && r.error_count)
        result = base_fail(log, WEIR_ERROR_ARGUMENT, "%s: %u %s", name, r.error_count,
                           r.error_count == 1 ? "fault" : "faults");
    if (result != WEIR_OK) view_script_free(script);
    return result;
}

void view_script_free(view_script *script)
{
    BASE_ARRAY_FREE(&script->calls);
    base_free(script->words);
    script->words = NULL;
}
