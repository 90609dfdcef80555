/* The marching-cubes case table. */
#ifndef WEIR_MESHER_CASE_TABLE_H
#define WEIR_MESHER_CASE_TABLE_H

#include "base.h"
#include "shared/mesh.h"

/* Size of the table in words, with room for every entry's triangles. */
#define CASE_TABLE_WORDS (MESH_CASES + MESH_TABLE_ENTRIES * 13u)

/* Derives the table from the geometry of the cube (layout: shared/mesh.h). Returns the number of
 * words written. */
uint32_t case_table_build(uint32_t table[CASE_TABLE_WORDS]);

#endif
