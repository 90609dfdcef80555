/* The look, changed by commands. */
#include "look.h"
#include "app.h"

static const char *filter_name(uint32_t filter)
{
    return filter < WEIR_FILTER_COUNT ? args_filters[filter] : NULL;
}

static const char *mode_name(uint32_t mode)
{
    return weir_name(WEIR_NAMES_MODE, mode);
}

static const char *colouring_name(uint32_t colouring)
{
    return weir_name(WEIR_NAMES_COLOURING, colouring);
}

static const char *method_name(uint32_t method)
{
    return weir_name(WEIR_NAMES_METHOD, method);
}

const view_names view_modes = {"mode", mode_name, WEIR_MODE_COUNT};
const view_names view_colourings = {"colouring", colouring_name, WEIR_COLOUR_COUNT};
const view_names view_filters = {"filter", filter_name, WEIR_FILTER_COUNT};
const view_names view_methods = {"method", method_name, 5};

weir_result view_names_choose(const weir_log *log, const view_names *names, const view_value *value,
                              uint32_t *now)
{
    const char *all[32];
    WEIR_ASSERT(names->count <= BASE_COUNT(all));
    if (!value->text) {
        *now = value->given ? (uint32_t)value->number : (*now + 1) % names->count;
        return WEIR_OK;
    }
    for (uint32_t i = 0; i < names->count; i++) {
        all[i] = names->name(i);
        if (strcmp(all[i], value->text) != 0) continue;
        *now = i;
        return WEIR_OK;
    }
    const char *near = base_nearest_name(value->text, all, names->count);
    return base_fail(log, WEIR_ARGUMENT, "there is no %s \"%.40s\"%s%s%s", names->what, value->text,
                     near ? "; did you mean \"" : ": the panel lists those that there are",
                     near ? near : "", near ? "\"?" : "");
}

static weir_result set_samples(view_look *look, const weir_log *log, uint32_t samples)
{
    if (samples < 1 || samples > 4)
        return base_fail(log, WEIR_ARGUMENT, "samples %u: expected 1 to 4", samples);
    look->samples = samples;
    return WEIR_OK;
}

weir_result view_look_act(view_look *look, const weir_log *log, const view_call *call)
{
    const view_value *value = &call->values[0];
    switch (call->id) {
    case VIEW_SHOW: return view_names_choose(log, &view_modes, value, &look->mode);
    case VIEW_COLOUR: return view_names_choose(log, &view_colourings, value, &look->colouring);
    case VIEW_FILTER: return view_names_choose(log, &view_filters, value, &look->filter);
    case VIEW_SAMPLES: return set_samples(look, log, (uint32_t)value->number);
    case VIEW_WHITEWATER:
        look->whitewater = view_call_switch(call, look->whitewater);
        return WEIR_OK;
    default: look->shadows = view_call_switch(call, look->shadows); return WEIR_OK;
    }
}

void view_look_apply(const view_look *look, weir_view *view)
{
    view->mode = (weir_mode)look->mode;
    view->colouring = (weir_colouring)look->colouring;
    view->filter = (weir_filter)look->filter;
    view->samples = look->samples;
    view->shadows = look->shadows;
    view->whitewater = look->whitewater;
    view->legend = true;
}
