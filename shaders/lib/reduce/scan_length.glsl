// Reads the number of elements of a scan.
// Buffers: scan_lengths.
#ifndef REDUCE_SCAN_LENGTH_GLSL
#define REDUCE_SCAN_LENGTH_GLSL

uint scan_length()
{
    uint given = pass.constant & ~GRID_SCAN_UNSUMMED_TILES;
    return (given & GRID_SCAN_COUNTED) != 0u ? scan_lengths[given & 0xffffu] : given;
}
#endif
