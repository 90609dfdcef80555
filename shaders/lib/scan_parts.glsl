// The sums of a workgroup's lanes.
shared uint parts[GRID_SCAN_WORKGROUP];

// Adds to each lane's part those of the lanes before it (Hillis and Steele 1986: log2(256) steps). All lanes
// come here.
void scan_parts(uint lane)
{
    barrier();
    for (uint step = 1u; step < GRID_SCAN_WORKGROUP; step <<= 1) {
        uint other = lane >= step ? parts[lane - step] : 0u;
        barrier();
        parts[lane] += other;
        barrier();
    }
}
