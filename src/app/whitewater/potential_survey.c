/* weir whitewater --probe: the distribution of the emission potentials over all particles and
 * frames. */
#include "whitewater_command_internal.h"

#define BINS_PER_OCTAVE 32  /* each bin is 2 % wide */
#define LOWEST_OCTAVE (-12) /* smaller values count as 0 */

static uint32_t histogram_bin(float value)
{
    float bin = (float)BINS_PER_OCTAVE * (log2f(value) - (float)LOWEST_OCTAVE);
    return !(bin >= 1) ? 0 : bin < POTENTIAL_BINS ? (uint32_t)bin : POTENTIAL_BINS - 1;
}

weir_result potential_histogram_add(potential_histogram *survey, const whitewater_plan *plan,
                                    weir_whitewater *whitewater, const weir_points *points,
                                    uint32_t count)
{
    float *values =
        base_alloc((size_t)count + 1u, WEIR_WHITEWATER_POTENTIAL_COUNT * sizeof *values);
    if (!values)
        return base_fail(&plan->log, WEIR_ERROR_MEMORY, "not enough memory for potentials");
    weir_result result = weir_whitewater_get_potentials(whitewater, points, values, &count);
    survey->scales = weir_whitewater_get_scales(whitewater);
    for (size_t i = 0; result == WEIR_OK && i < count; i++) {
        const float *of = values + WEIR_WHITEWATER_POTENTIAL_COUNT * i;
        for (int k = 0; of[0] >= 0 && k < WEIR_WHITEWATER_POTENTIAL_COUNT; k++) {
            survey->bins[k][histogram_bin(of[k])]++;
            survey->begun[k] += of[k] > survey->scales.threshold[k];
        }
        survey->count += of[0] >= 0;
    }
    base_free(values);
    return result;
}

/* Returns the value below which this fraction of the particles lies. */
static double quantile(const potential_histogram *survey, int potential, double share)
{
    double wanted = share * (double)survey->count, sum = 0;
    uint32_t bin = 0;
    for (; bin < POTENTIAL_BINS - 1; bin++) {
        sum += (double)survey->bins[potential][bin];
        if (sum >= wanted) break;
    }
    return bin == 0 ? 0.0 : exp2(LOWEST_OCTAVE + (bin + 0.5) / BINS_PER_OCTAVE);
}

void potential_histogram_print(const potential_histogram *survey)
{
    static const char *const names[WEIR_WHITEWATER_POTENTIAL_COUNT] = {"energy", "trapped air",
                                                                       "crests", "curl"};
    static const double shares[] = {0.5, 0.9, 0.99, 0.999};
    const weir_whitewater_scales *s = &survey->scales;
    printf("L = %.4g m, U = %.4g m/s; %llu potentials of each kind, in units of L and U\n"
           "               50 %%     90 %%     99 %%   99.9 %%     low    high  active\n",
           (double)s->length_m, (double)s->speed_m_s, (unsigned long long)survey->count);
    for (int k = 0; k < WEIR_WHITEWATER_POTENTIAL_COUNT; k++) {
        printf("%-11s", names[k]);
        for (size_t q = 0; q < BASE_COUNT(shares); q++)
            printf(" %8.3g", quantile(survey, k, shares[q]));
        printf(" %7.3g %7.3g %6.2f %%\n", (double)s->threshold[k], (double)s->saturation[k],
               survey->count ? 100.0 * (double)survey->begun[k] / (double)survey->count : 0.0);
    }
    printf("Particles emit whitewater where the energy and one other potential are above low; the "
           "rate is greatest\n"
           "at high. whitewater.length_scale scales all of these; whitewater.trapped_air_rate, "
           "wave_crest_rate,\n"
           "curl_rate and emission_rate set how much is emitted\n");
}
