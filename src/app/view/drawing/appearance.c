/* Executes the commands that change the appearance. */
#include "appearance.h"
#include "app.h"

static const char *filter_name(uint32_t filter)
{
    return filter < WEIR_DEPTH_FILTER_COUNT ? args_filters[filter] : NULL;
}

static const char *mode_name(uint32_t mode)
{
    return weir_enum_name(WEIR_ENUM_RENDER_MODE, mode);
}

static const char *colouring_name(uint32_t colouring)
{
    return weir_enum_name(WEIR_ENUM_COLOURING, colouring);
}

static const char *method_name(uint32_t method)
{
    return weir_enum_name(WEIR_ENUM_METHOD, method);
}

static const char *look_name(uint32_t look)
{
    return weir_enum_name(WEIR_ENUM_LOOK, look);
}

static const char *fluid_name(uint32_t fluid)
{
    return fluid < ARGS_FLUIDS ? args_fluids()[fluid] : NULL;
}

const view_names view_modes = {"mode", mode_name, WEIR_RENDER_MODE_COUNT};
const view_names view_colourings = {"colouring", colouring_name, WEIR_COLOURING_COUNT};
const view_names view_filters = {"filter", filter_name, WEIR_DEPTH_FILTER_COUNT};
const view_names view_methods = {"method", method_name, 5};
const view_names view_looks = {"look", look_name, ARGS_LOOKS};
const view_names view_fluids = {"fluid", fluid_name, ARGS_FLUIDS};

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
    return base_fail(log, WEIR_ERROR_ARGUMENT, "unknown %s \"%.40s\"%s%s%s", names->what,
                     value->text, near ? "; did you mean \"" : ": the panel lists the valid ones",
                     near ? near : "", near ? "\"?" : "");
}

static weir_result set_samples(view_appearance *appearance, const weir_log *log, uint32_t samples)
{
    if (samples < 1 || samples > 4)
        return base_fail(log, WEIR_ERROR_ARGUMENT, "samples %u: expected 1 to 4", samples);
    appearance->samples = samples;
    return WEIR_OK;
}

weir_result view_appearance_command(view_appearance *appearance, const weir_log *log,
                                    const view_call *call)
{
    const view_value *value = &call->values[0];
    switch (call->id) {
    case VIEW_SHOW: return view_names_choose(log, &view_modes, value, &appearance->mode);
    case VIEW_COLOUR:
        return view_names_choose(log, &view_colourings, value, &appearance->colouring);
    case VIEW_FILTER: return view_names_choose(log, &view_filters, value, &appearance->filter);
    case VIEW_SAMPLES: return set_samples(appearance, log, (uint32_t)value->number);
    case VIEW_WHITEWATER:
        appearance->whitewater = view_call_switch(call, appearance->whitewater);
        return WEIR_OK;
    default: appearance->shadows = view_call_switch(call, appearance->shadows); return WEIR_OK;
    }
}

void view_appearance_apply(const view_appearance *appearance, weir_camera *view)
{
    view->mode = (weir_render_mode)appearance->mode;
    view->colouring = (weir_colouring)appearance->colouring;
    view->filter = (weir_depth_filter)appearance->filter;
    view->samples = appearance->samples;
    view->shadows = appearance->shadows;
    view->whitewater = appearance->whitewater;
    view->legend = true;
    view->hold_value_range = true;
}
