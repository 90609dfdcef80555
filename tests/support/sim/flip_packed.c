#include "flip_packed.h"

packed read_packed(stage *s)
{
    packed p = {base_alloc(s->cell_count, sizeof(vec4)), base_alloc(s->cell_count, sizeof(vec4)),
                base_alloc(s->cell_count, sizeof(vec4))};
    vec4 *from = download(s->world, s->world->buffers.packed_faces, sparse_count(s), 48);
    assert_true(p.faces && p.changes && p.slopes);
    for (size_t i = 0; i < sparse_count(s); i++) {
        int at[3];
        if (!cell_at(s, i, at)) continue;
        size_t cell = ref_flip_index(&s->flip, at);
        float *const to[3][3] = {
            {&p.faces[cell].x, &p.faces[cell].y, &p.faces[cell].z},
            {&p.changes[cell].x, &p.changes[cell].y, &p.changes[cell].z},
            {&p.slopes[cell].x, &p.slopes[cell].y, &p.slopes[cell].z},
        };
        for (size_t axis = 0; axis < 3; axis++) {
            vec4 face = from[3 * i + axis];
            if (face.x == SIM_MAC_UNKNOWN_VELOCITY) continue;
            *to[0][axis] = face.x;
            *to[1][axis] = face.y;
            *to[2][axis] = face.z;
            p.faces[cell].w += (float)(1 << axis);
        }
    }
    base_free(from);
    s->flip.faces = p.faces, s->flip.changes = p.changes, s->flip.slopes = p.slopes;
    return p;
}

void free_packed(packed *p)
{
    base_free(p->faces);
    base_free(p->changes);
    base_free(p->slopes);
}
