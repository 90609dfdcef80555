/* Releases surfaces and spray on the host. */
#include "mesher.h"

void mesher_surface_free(mesher_surface *surface)
{
    if (!surface) return;
    base_free(surface->position);
    base_free(surface->normal);
    base_free(surface->velocity);
    base_free(surface->index);
    for (uint32_t i = 0; i < surface->channel_count; i++)
        base_free(surface->channel[i].values);
    *surface = (mesher_surface){0};
}

void mesher_spray_free(mesher_spray *spray)
{
    if (!spray) return;
    base_free(spray->position);
    base_free(spray->velocity);
    *spray = (mesher_spray){0};
}
