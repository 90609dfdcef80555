// How many elements a scan has. Needs `lengths`.
uint scan_length()
{
    return (row.constant & GRID_SCAN_COUNTED) != 0u ? lengths[row.constant & 0xffffu] : row.constant;
}
