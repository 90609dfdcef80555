#include "film.h"
weir_result view_film_begin(viewer *v, const char *path)
{
    (void)v;
    (void)path;
    return WEIR_UNSUPPORTED;
}
weir_result view_film_frame(viewer *v)
{
    (void)v;
    return WEIR_OK;
}
weir_result view_film_end(viewer *v)
{
    (void)v;
    return WEIR_OK;
}
