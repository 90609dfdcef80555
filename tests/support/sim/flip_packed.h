/* Reads the face values that G2P uses, as flip_pack_faces.comp writes them. */
#ifndef WEIR_TESTS_FLIP_PACKED_H
#define WEIR_TESTS_FLIP_PACKED_H

#include "flip_support.h"

/* Dense arrays, for the reference of G2P. */
typedef struct packed {
    vec4 *faces, *changes, *slopes;
} packed;

packed read_packed(stage *s);
void free_packed(packed *p);

#endif
