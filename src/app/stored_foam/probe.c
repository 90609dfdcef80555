/* weir foam --probe: how the potentials of births are spread over all particles and frames. */
#include "stored_foam_internal.h"

#define PER_OCTAVE 32 /* bins: each is 2 % wide */
#define LOWEST (-12)  /* octaves: what is below counts as 0 */

static uint32_t bin_of(float value)
{
    float bin = (float)PER_OCTAVE * (log2f(value) - (float)LOWEST);
    return !(bin >= 1) ? 0 : bin < FOAM_BINS ? (uint32_t)bin : FOAM_BINS - 1;
}

weir_result foam_survey_add(foam_survey *survey, const foam_plan *plan, weir_foam *foam,
                            const weir_points *points, uint32_t count)
{
    float *values = base_alloc((size_t)count + 1u, WEIR_FOAM_POTENTIALS * sizeof *values);
    if (!values) return base_fail(&plan->log, WEIR_MEMORY, "no memory for potentials");
    weir_result result = weir_foam_probe(foam, points, values, &count);
    survey->scales = weir_foam_get_scales(foam);
    for (size_t i = 0; result == WEIR_OK && i < count; i++) {
        const float *of = values + WEIR_FOAM_POTENTIALS * i;
        for (int k = 0; of[0] >= 0 && k < WEIR_FOAM_POTENTIALS; k++) {
            survey->bins[k][bin_of(of[k])]++;
            survey->begun[k] += of[k] > survey->scales.begin[k];
        }
        survey->count += of[0] >= 0;
    }
    base_free(values);
    return result;
}

/* The value below which this share of the particles lies. */
static double quantile(const foam_survey *survey, int potential, double share)
{
    double wanted = share * (double)survey->count, sum = 0;
    uint32_t bin = 0;
    for (; bin < FOAM_BINS - 1; bin++) {
        sum += (double)survey->bins[potential][bin];
        if (sum >= wanted) break;
    }
    return bin == 0 ? 0.0 : exp2(LOWEST + (bin + 0.5) / PER_OCTAVE);
}

void foam_survey_print(const foam_survey *survey)
{
    static const char *const names[WEIR_FOAM_POTENTIALS] = {"energy", "trapped air", "crests",
                                                            "curl"};
    static const double shares[] = {0.5, 0.9, 0.99, 0.999};
    const weir_foam_scales *s = &survey->scales;
    printf("L = %.4g m, U = %.4g m/s; %llu potentials of each kind, in units of L and U\n"
           "               50 %%     90 %%     99 %%   99.9 %%   begin    most   begun\n",
           (double)s->length_m, (double)s->speed_m_s, (unsigned long long)survey->count);
    for (int k = 0; k < WEIR_FOAM_POTENTIALS; k++) {
        printf("%-11s", names[k]);
        for (size_t q = 0; q < BASE_COUNT(shares); q++)
            printf(" %8.3g", quantile(survey, k, shares[q]));
        printf(" %7.3g %7.3g %6.2f %%\n", (double)s->begin[k], (double)s->most[k],
               survey->count ? 100.0 * (double)survey->begun[k] / (double)survey->count : 0.0);
    }
    printf(
        "births need energy and one of the others above where they begin: foam.length moves all\n"
        "of these at once, foam.trapped_air, crests, curl and amount change how many there are\n");
}
