// Reads how many elements a scan has.
// Buffers: lengths.
#ifndef REDUCE_SCAN_LENGTH_GLSL
#define REDUCE_SCAN_LENGTH_GLSL

uint scan_length()
{
    return (row.constant & GRID_SCAN_COUNTED) != 0u ? lengths[row.constant & 0xffffu] : row.constant;
}
#endif
