// Reads the number of elements of a scan.
// Buffers: scan_lengths.
#ifndef REDUCE_SCAN_LENGTH_GLSL
#define REDUCE_SCAN_LENGTH_GLSL

uint scan_length()
{
    return (pass.constant & GRID_SCAN_COUNTED) != 0u ? scan_lengths[pass.constant & 0xffffu] : pass.constant;
}
#endif
