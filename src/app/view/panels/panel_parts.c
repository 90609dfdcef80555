/* Items of panels that execute commands. */
#include "panel_parts.h"
#include "dispatch_command.h"

void panel_text(gui_tone tone, const char *format, ...)
{
    char text[320];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    gui_text(tone, text);
}

void panel_command_tooltip(view_command_id id)
{
    char tip[240], keys[64];
    view_print_keys(&view_commands[id], keys, sizeof keys);
    snprintf(tip, sizeof tip, "%s%s%s", view_commands[id].about, keys[0] ? "   " : "", keys);
    gui_tooltip(tip);
}

void panel_command_button(viewer *v, const char *label, view_command_id id)
{
    bool pressed = gui_button(label);
    panel_command_tooltip(id);
    if (pressed) view_run_command(v, &(view_call){.id = id});
}

void panel_command_checkbox(viewer *v, const char *label, view_command_id id, bool on)
{
    bool changed = gui_check(label, &on);
    panel_command_tooltip(id);
    if (changed) view_run_number(v, id, on);
}

void panel_command_choice(viewer *v, const char *label, view_command_id id, const view_names *names,
                          uint32_t chosen)
{
    const char *all[32];
    uint32_t count = names->count;
    WEIR_ASSERT(count <= BASE_COUNT(all));
    for (uint32_t i = 0; i < count; i++)
        all[i] = names->name(i);
    bool changed = gui_combo(label, all, count, "the scene's", &chosen);
    panel_command_tooltip(id);
    if (changed) view_run_number(v, id, chosen);
}
