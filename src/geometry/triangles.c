/* A growable list of triangles with vertex normals. */
#include "geometry.h"

bool triangle_list_add_vertex(triangle_list *t, vec3 position, vec3 normal)
{
    return BASE_ARRAY_PUSH(&t->vertices, position) && BASE_ARRAY_PUSH(&t->normals, normal);
}

bool triangle_list_add_indices(triangle_list *t, size_t first, const uint32_t *indices,
                               size_t count)
{
    if (!BASE_ARRAY_RESERVE(&t->indices, count)) return false;
    for (size_t i = 0; i < count; i++)
        t->indices.items[t->indices.count++] = (uint32_t)first + indices[i];
    return true;
}

void triangle_list_free(triangle_list *t)
{
    BASE_ARRAY_FREE(&t->vertices);
    BASE_ARRAY_FREE(&t->normals);
    BASE_ARRAY_FREE(&t->indices);
}
