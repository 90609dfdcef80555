/* A queue of calls that owns their texts. */
#include "pending_calls.h"

void view_pending_free_call(view_call *call)
{
    for (uint32_t i = 0; i < VIEW_PARAMETERS; i++)
        base_free((char *)(uintptr_t)call->values[i].text);
}

bool view_pending_add(view_pending_calls *pending, const view_call *call)
{
    view_call copy = *call;
    bool good = true;
    for (uint32_t i = 0; i < VIEW_PARAMETERS; i++) {
        if (!call->values[i].text) continue;
        copy.values[i].text = base_strdup(call->values[i].text);
        good &= copy.values[i].text != NULL;
    }
    if (good && BASE_ARRAY_PUSH(&pending->calls, copy)) return true;
    view_pending_free_call(&copy);
    return false;
}

bool view_pending_take(view_pending_calls *pending, view_call *call)
{
    if (pending->calls.count == 0) return false;
    *call = pending->calls.items[0];
    pending->calls.count--;
    memmove(pending->calls.items, pending->calls.items + 1,
            pending->calls.count * sizeof *pending->calls.items);
    return true;
}

void view_pending_free(view_pending_calls *pending)
{
    view_call call;
    while (view_pending_take(pending, &call))
        view_pending_free_call(&call);
    BASE_ARRAY_FREE(&pending->calls);
}
