/* The marching-cubes case table. */
#ifndef WEIR_MESHER_CASE_TABLE_H
#define WEIR_MESHER_CASE_TABLE_H

#include "base.h"
#include "shared/mesh.h"

/* Room for every entry's triangles. */
#define CASE_TABLE_WORDS (MESH_CASES + MESH_TABLE_ENTRIES * 13u)

/* Derives the table from the cube itself (layout: shared/mesh.h); returns the words written. */
uint32_t case_table_build(uint32_t table[CASE_TABLE_WORDS]);

#endif
