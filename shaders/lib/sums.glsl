// Adding statistics; needs sim.h.

sim_sums sums_zero()
{
    return sim_sums(vec4(0.0), vec4(0.0), 0.0, 0.0, 0.0, 0.0, 0u, 0u, 0u, 0u);
}

void sums_add(inout sim_sums sum, sim_sums other)
{
    sum.momentum += other.momentum;
    sum.moment += other.moment;
    sum.error_sum += other.error_sum;
    sum.error_max = max(sum.error_max, other.error_max);
    sum.speed_max = max(sum.speed_max, other.speed_max);
    sum.potential += other.potential;
    sum.neighbours += other.neighbours;
    sum.neighbours_max = max(sum.neighbours_max, other.neighbours_max);
    sum.count += other.count;
    sum.non_finite += other.non_finite;
}
