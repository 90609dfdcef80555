/* Cuts the simulation's MAC grid with a plane. */
#include "slice.h"

static const char *slice_name(uint32_t shown)
{
    static const char *const names[] = {"off", "speed", "pressure"};
    return shown < BASE_COUNT(names) ? names[shown] : NULL;
}

static const char *axis_name(uint32_t axis)
{
    static const char *const names[] = {"x", "y", "z"};
    return axis < BASE_COUNT(names) ? names[axis] : NULL;
}

const view_names view_slices = {"slice", slice_name, 1 + WEIR_SLICE_COUNT};
const view_names view_axes = {"axis", axis_name, 3};

weir_result view_slice_command(view_slice *slice, const view_session *s, const view_call *call)
{
    const view_value *what = &call->values[0], *axis = &call->values[1], *place = &call->values[2];
    const weir_log *log = &s->work.log;
    view_slice to = *slice;
    WEIR_RETURN_IF_ERROR(view_names_choose(log, &view_slices, what, &to.shown));
    if (axis->given) WEIR_RETURN_IF_ERROR(view_names_choose(log, &view_axes, axis, &to.axis));
    if (place->given) to.place = place->number;
    if (!(to.place >= 0 && to.place <= 1))
        return base_fail(log, WEIR_ERROR_ARGUMENT,
                         "slice at %g: expected 0 (the domain's lower side) to 1 (its upper side)",
                         to.place);
    if (to.shown && !view_method_has_grid(s->work.scene_info.method))
        return base_fail(log, WEIR_ERROR_ARGUMENT,
                         "%s has no grid to slice: choose the method flip or apic first",
                         weir_enum_name(WEIR_ENUM_METHOD, s->work.scene_info.method));
    to.stale = true;
    *slice = to;
    return WEIR_OK;
}

weir_result view_slice_update(view_slice *slice, const view_session *s)
{
    vec3 min = s->scene.domain_min, max = s->scene.domain_max;
    const double low[3] = {(double)min.x, (double)min.y, (double)min.z};
    const double high[3] = {(double)max.x, (double)max.y, (double)max.z};
    if (!view_method_has_grid(s->work.scene_info.method)) slice->shown = 0;
    bool same = slice->seen && !slice->stale && slice->substep == s->stats.substep;
    if (slice->shown && same) return WEIR_OK;
    weir_slice_destroy(&slice->seen);
    if (!slice->shown) return WEIR_OK;
    double position = low[slice->axis] + slice->place * (high[slice->axis] - low[slice->axis]);
    slice->stale = false;
    slice->made++;
    slice->substep = s->stats.substep;
    return weir_sim_create_slice(s->sim, (weir_slice_quantity)(slice->shown - 1), slice->axis,
                                 position, &slice->seen);
}
