/* The limit of the device that a pass would reach first. */
#include "bench_internal.h"

/* A call shorter than this many empty dispatches says nothing about rates. */
#define SHORT_DISPATCHES 3

static double short_ms(const weir_device_peaks *c)
{
    return SHORT_DISPATCHES * c->dispatch_us * 1e-3;
}

/* Raises a rate, in 1e9 per second, to that of `amount` in a call of `ms`. */
static void raise(double *rate, double amount, double ms)
{
    *rate = fmax(*rate, amount / ms * 1e-6);
}

void bench_raise_ceilings(weir_device_peaks *c, const weir_pass_time *passes, uint32_t count)
{
    if (c->copy_gb_s <= 0) return;
    for (uint32_t i = 0; i < count; ++i) {
        const weir_pass_time *pass = &passes[i];
        const double ms = pass->lower_quartile_ms;
        if (pass->is_total || ms <= short_ms(c)) continue;
        raise(&c->copy_gb_s, pass->bytes, ms);
        raise(&c->cache_gb_s, pass->gathered_bytes, ms);
        raise(&c->fma_gflop_s, pass->flops, ms);
        raise(&c->atomics_g_s, pass->atomics, ms);
    }
}

bench_limit bench_find_limit(const weir_device_peaks *c, const weir_pass_time *pass)
{
    if (c->copy_gb_s <= 0 || pass->is_total) return (bench_limit){.name = ""};
    const bench_limit bounds[] = {
        {"memory", pass->bytes / c->copy_gb_s * 1e-6},
        {"cache", pass->gathered_bytes / c->cache_gb_s * 1e-6},
        {"arithmetic", pass->flops / c->fma_gflop_s * 1e-6},
        {"atomics", pass->atomics / c->atomics_g_s * 1e-6},
        {"dispatch", c->dispatch_us * 1e-3},
    };
    bench_limit most = bounds[0];
    for (size_t i = 1; i < BASE_COUNT(bounds); ++i)
        if (bounds[i].ms > most.ms) most = bounds[i];
    const double ms = pass->lower_quartile_ms;
    if (ms > 0 && most.ms > ms) most = (bench_limit){"dispatch", ms}; /* a short one: see above */
    return most;
}
