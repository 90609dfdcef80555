/* Describes pass lists as they will run: as text, as JSON, and as a graph for Graphviz. */
#include "gpu_internal.h"

/* Appends to the text; the end of the description reports a lack of memory. */
#define APPEND(e, ...) ((e)->failed |= !base_text_append(&(e)->text, __VA_ARGS__))

/* A pass with what begins before it. */
typedef struct noted_pass {
    const gpu_pass *pass;
    const gpu_pass *end; /* of the list */
    bool begins_stage, begins_loop;
    const gpu_buffer *barrier; /* it waits for those that use this buffer; NULL: for none */
} noted_pass;

/* Returns the n-th use of a buffer by a pass: first its dispatch arguments, if any, then its
 * uses. */
static gpu_buffer_use buffer_use_at(const gpu_pass *pass, uint32_t n)
{
    if (n > 0) return pass->uses[n - 1];
    return (gpu_buffer_use){.buffer = pass->dispatch_size.arguments, .access = GPU_BLOCK};
}

static bool pass_conflicts(const gpu_pass *pass, gpu_buffer_use use)
{
    for (uint32_t n = 0; use.buffer && n <= pass->use_count; n++) {
        gpu_buffer_use other = buffer_use_at(pass, n);
        if (other.buffer == use.buffer && gpu_either_writes(use.access, other.access)) return true;
    }
    return false;
}

/* Returns the first buffer for which `pass` must wait; NULL if it may overlap with the passes from
 * `first` on. */
static const gpu_buffer *find_hazard(const gpu_pass *first, const gpu_pass *pass)
{
    for (uint32_t n = 0; n <= pass->use_count; n++)
        for (const gpu_pass *before = first; before < pass; before++)
            if (pass_conflicts(before, buffer_use_at(pass, n)))
                return buffer_use_at(pass, n).buffer;
    return NULL;
}

/* Returns the pass that can end the loop that starts with `pass`; NULL: none can. */
static const gpu_pass *find_loop_end(const gpu_pass *pass, const gpu_pass *end)
{
    const gpu_pass *found = NULL;
    for (const gpu_pass *r = pass; r < end && r->group == pass->group; r++)
        if (r->loop) found = r;
    return found;
}

static const char *pass_name(const gpu_pass *pass)
{
    return pass->host ? pass->host->name : pass->pipeline->name;
}

static const char *use_name(const gpu_pass *pass, const gpu_buffer_use *use)
{
    return gpu_pipeline_find_binding(pass->pipeline, use->binding)->name;
}

/* ---- text ----------------------------------------------------------------------------------- */

/* Appends ": positions read own, multipliers (predictions) read any": the names in the pass's
 * shader, and in parentheses the name of the buffer if it differs. */
static void append_buffer_uses(gpu_explainer *e, const gpu_pass *pass)
{
    const char *before = ":";
    for (uint32_t u = 0; u < pass->use_count; u++) {
        const gpu_buffer_use *use = &pass->uses[u];
        const char *name = use_name(pass, use);
        if (use->access == GPU_BLOCK) continue;
        APPEND(e, "%s %s", before, name);
        if (strcmp(name, use->buffer->name) != 0) APPEND(e, " (%s)", use->buffer->name);
        APPEND(e, " %s", gpu_access_names[use->access]);
        before = ",";
    }
}

static void append_loop(gpu_explainer *e, const noted_pass *noted)
{
    const gpu_pass *last = find_loop_end(noted->pass, noted->end);
    if (last)
        APPEND(e, "repeat at most %u times, until %s ends it: %s", noted->pass->repeat,
               last->pipeline->name, noted->pass->group);
    else
        APPEND(e, "repeat %u times: %s", noted->pass->repeat, noted->pass->group);
}

static void append_pass_text(gpu_explainer *e, const noted_pass *noted)
{
    const gpu_pass *pass = noted->pass;
    const char *indent = pass->group ? "  " : "";
    if (noted->begins_stage) APPEND(e, "%s:\n", pass->stage);
    if (noted->begins_loop) {
        append_loop(e, noted);
        APPEND(e, "\n");
    }
    if (pass->host) {
        APPEND(e, "%s%-30s on the host, which waits for the passes before\n", indent,
               pass->host->name);
        return;
    }
    if (noted->barrier) APPEND(e, "%s  barrier (%s)\n", indent, noted->barrier->name);
    APPEND(e, "%s%-30s over %s%s", indent, pass->pipeline->name, pass->dispatch_size.name,
           pass->dispatch_size.arguments ? " (counted on the GPU)" : "");
    append_buffer_uses(e, pass);
    APPEND(e, "\n");
}

/* ---- JSON ----------------------------------------------------------------------------------- */

/* Appends a member whose value is a string, or null. No name of a pass or buffer needs an escape.
 */
static void append_string(gpu_explainer *e, const char *key, const char *value)
{
    if (value)
        APPEND(e, ", \"%s\": \"%s\"", key, value);
    else
        APPEND(e, ", \"%s\": null", key);
}

static void append_json_uses(gpu_explainer *e, const gpu_pass *pass)
{
    const char *before = "";
    APPEND(e, ", \"buffers\": [");
    for (uint32_t u = 0; u < pass->use_count; u++) {
        const gpu_buffer_use *use = &pass->uses[u];
        if (use->access == GPU_BLOCK) continue;
        APPEND(e, "%s{\"name\": \"%s\", \"buffer\": \"%s\", \"access\": \"%s\"}", before,
               use_name(pass, use), use->buffer->name, gpu_access_names[use->access]);
        before = ", ";
    }
    APPEND(e, "]");
}

static void append_pass_json(gpu_explainer *e, const noted_pass *noted)
{
    const gpu_pass *pass = noted->pass;
    const gpu_pass *last = pass->group ? find_loop_end(pass, noted->end) : NULL;
    APPEND(e, "      {\"name\": \"%s\"", pass_name(pass));
    append_string(e, "stage", pass->stage);
    append_string(e, "loop", pass->group);
    if (noted->begins_loop) {
        APPEND(e, ", \"repeat\": %u", pass->repeat);
        append_string(e, "ended_by", last ? last->pipeline->name : NULL);
    }
    append_string(e, "barrier", noted->barrier ? noted->barrier->name : NULL);
    append_string(e, "elements", pass->host ? NULL : pass->dispatch_size.name);
    APPEND(e, ", \"counted_on_gpu\": %s, \"on_host\": %s",
           pass->dispatch_size.arguments ? "true" : "false", pass->host ? "true" : "false");
    append_json_uses(e, pass);
    APPEND(e, "}%s\n", pass + 1 < noted->end ? "," : "");
}

/* ---- graph ---------------------------------------------------------------------------------- */

static void append_node(gpu_explainer *e, const gpu_pass *pass, uint32_t i)
{
    APPEND(e, "    p%u_%u [label=\"%s\\n%s%s\"%s];\n", e->list_count, i, pass_name(pass),
           pass->host ? "on the host" : "over ", pass->host ? "" : pass->dispatch_size.name,
           pass->host ? ", fillcolor=\"#ffe0c0\"" : "");
}

/* Appends the nodes, with a frame around each stage, and around each loop in it. */
static void append_nodes(gpu_explainer *e, const gpu_pass *passes, uint32_t count)
{
    const char *stage = NULL, *loop = NULL;
    for (uint32_t i = 0; i < count; i++) {
        const gpu_pass *pass = &passes[i];
        bool leaves = loop && pass->group != loop;
        if (leaves) APPEND(e, "    }\n");
        if ((!loop || leaves) && pass->stage != stage) {
            if (stage) APPEND(e, "    }\n");
            stage = pass->stage;
            if (stage)
                APPEND(e,
                       "    subgraph cluster_%u_%u_stage { style=filled; color=\"#f2f2ee\"; "
                       "label=\"%s\";\n",
                       e->list_count, i, stage);
        }
        if (pass->group && pass->group != loop) {
            APPEND(e, "    subgraph cluster_%u_%u { style=dashed; color=black; label=\"",
                   e->list_count, i);
            append_loop(e, &(noted_pass){.pass = pass, .end = &passes[count]});
            APPEND(e, "\";\n");
        }
        loop = pass->group;
        append_node(e, pass, i);
    }
    if (loop) APPEND(e, "    }\n");
    if (stage) APPEND(e, "    }\n");
}

static bool pass_writes(const gpu_pass *pass, const gpu_buffer *buffer)
{
    for (uint32_t n = 0; n < pass->use_count; n++)
        if (pass->uses[n].buffer == buffer && gpu_access_writes(pass->uses[n].access)) return true;
    return false;
}

/* Returns the last pass before `pass` that writes the buffer; NULL: none does. */
static const gpu_pass *find_writer(const gpu_pass *first, const gpu_pass *pass,
                                   const gpu_buffer *buffer)
{
    for (const gpu_pass *before = pass; before-- > first;)
        if (pass_writes(before, buffer)) return before;
    return NULL;
}

/* Appends an edge from each pass whose results `pass` reads, with the names of the buffers. */
static void append_data_edges(gpu_explainer *e, const gpu_pass *passes, uint32_t i)
{
    for (uint32_t from = 0; from < i; from++) {
        bool any = false;
        for (uint32_t u = 0; u < passes[i].use_count; u++) {
            const gpu_buffer_use *use = &passes[i].uses[u];
            if (!gpu_access_reads(use->access) ||
                find_writer(passes, &passes[i], use->buffer) != &passes[from])
                continue;
            if (!any)
                APPEND(e,
                       "    p%u_%u -> p%u_%u [constraint=false, color=\"#8899aa\", "
                       "fontcolor=\"#667788\", label=\"",
                       e->list_count, from, e->list_count, i);
            APPEND(e, "%s%s", any ? "\\n" : "", use->buffer->name);
            any = true;
        }
        if (any) APPEND(e, "\"];\n");
    }
}

/* Appends the edge from the pass before: bold with a barrier, dotted if both may overlap. */
static void append_order(gpu_explainer *e, const noted_pass *noted, uint32_t i)
{
    APPEND(e, "    p%u_%u -> p%u_%u [weight=9, ", e->list_count, i - 1, e->list_count, i);
    if (noted->barrier)
        APPEND(e, "penwidth=2, label=\"barrier: %s\"];\n", noted->barrier->name);
    else
        APPEND(e, "style=%s];\n", noted->pass->host || noted->pass[-1].host ? "bold" : "dotted");
}

/* ---- lists ---------------------------------------------------------------------------------- */

/* Writes the text so far line by line. */
static void write_lines(gpu_explainer *e)
{
    char *line = e->text.items, *end;
    for (; line && (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        e->write(e->user, line);
    }
    base_free(e->text.items);
    e->text = (base_text){0};
}

static void begin_list(gpu_explainer *e, const char *title)
{
    bool first = e->list_count++ == 0;
    switch (e->format) {
    case WEIR_EXPLAIN_JSON:
        APPEND(e, "%s    {\"runs\": \"%s\", \"passes\": [\n",
               first ? "{\n  \"lists\": [\n" : "    ]},\n", title);
        break;
    case WEIR_EXPLAIN_DOT:
        if (first)
            APPEND(e, "digraph passes {\n  graph [fontname=Helvetica];\n"
                      "  node [fontname=Helvetica, shape=box, style=\"filled,rounded\", "
                      "fillcolor=\"#e0ecf8\"];\n  edge [fontname=Helvetica, fontsize=9];\n");
        APPEND(e, "  subgraph cluster_%u {\n    label=\"%s\"; style=rounded;\n", e->list_count,
               title);
        break;
    default: APPEND(e, "%s:\n", title); break;
    }
}

static void end_list(gpu_explainer *e)
{
    if (e->format == WEIR_EXPLAIN_DOT) APPEND(e, "  }\n");
    write_lines(e);
}

void gpu_explain_passes(gpu_explainer *e, const char *title, const gpu_pass *passes, uint32_t count)
{
    const gpu_pass *first = passes; /* first pass since the last barrier */
    const char *group = NULL, *stage = NULL;
    begin_list(e, title);
    if (e->format == WEIR_EXPLAIN_DOT) append_nodes(e, passes, count);
    for (uint32_t i = 0; i < count; i++) {
        const gpu_pass *pass = &passes[i];
        const noted_pass noted = {
            .pass = pass,
            .end = &passes[count],
            .begins_stage = pass->stage && pass->stage != stage,
            .begins_loop = pass->group && pass->group != group,
            .barrier = pass->host ? NULL : find_hazard(first, pass),
        };
        stage = pass->stage;
        group = pass->group;
        if (noted.barrier) first = pass;
        if (pass->host) first = pass + 1;
        if (e->format == WEIR_EXPLAIN_JSON) append_pass_json(e, &noted);
        if (e->format == WEIR_EXPLAIN_TEXT) append_pass_text(e, &noted);
        if (e->format == WEIR_EXPLAIN_DOT && i > 0) append_order(e, &noted, i);
        if (e->format == WEIR_EXPLAIN_DOT) append_data_edges(e, passes, i);
    }
    end_list(e);
}

void gpu_explain_total(gpu_explainer *e, const char *key, double value)
{
    if (e->format == WEIR_EXPLAIN_JSON)
        APPEND(e, "%s  \"%s\": %.10g", e->total_count++ ? ",\n" : "    ]}\n  ],\n", key, value);
}

void gpu_explain_note(gpu_explainer *e, const char *line)
{
    if (e->format == WEIR_EXPLAIN_TEXT) APPEND(e, "%s\n", line);
}

weir_result gpu_explain_end(gpu_explainer *e, const weir_log *log)
{
    if (e->format == WEIR_EXPLAIN_JSON) APPEND(e, "%s}\n", e->total_count ? "\n" : "    ]}\n  ]\n");
    if (e->format == WEIR_EXPLAIN_DOT) APPEND(e, "}\n");
    write_lines(e);
    if (e->failed) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a description");
    return WEIR_OK;
}
