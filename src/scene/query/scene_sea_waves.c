/* The waves of a sea by linear theory: regular ones, or the components of a JONSWAP spectrum
 * (Hasselmann and others 1973); and the relaxation zones that generate and absorb them. */
#include "scene_query.h"

#define PI 3.14159265358979323846
#define SHORTEST_WAVE_SPACINGS 8.0 /* particles do not carry shorter waves */
/* Part of the spectrum that the components represent, in peak frequencies. */
#define LOWEST_FREQUENCY 0.6
#define HIGHEST_FREQUENCY 3.0
#define SPECTRUM_STEPS 4000
#define LARGEST_TURN 1.3 /* rad: components do not run farther from the main direction */

double scene_sea_depth(const scene_data *scene)
{
    return (double)scene->sea.level - (double)scene->domain.min.y;
}

static double gravity_of(const scene_data *scene)
{
    return fabs((double)scene->gravity.y);
}

/* ---- dispersion ----------------------------------------------------------------------------- */

/* Returns the frequency at a fixed point, rad/s. */
static double frequency_of(const scene_data *scene, double k, double speed)
{
    return sqrt(gravity_of(scene) * k * tanh(k * scene_sea_depth(scene))) + k * speed;
}

/* Returns the group velocity without a current, m/s. */
static double group_velocity(const scene_data *scene, double k)
{
    double kh = k * scene_sea_depth(scene), x = fmin(2.0 * kh, 600.0);
    return 0.5 * frequency_of(scene, k, 0.0) / k * (1.0 + x / sinh(x));
}

double scene_sea_wave_number(const scene_data *scene, double frequency, double speed)
{
    double low = 1e-9, high = low;
    while (frequency_of(scene, high, speed) < frequency) {
        low = high;
        high *= 1.05; /* against the current the frequency has a maximum */
        if (group_velocity(scene, high) + speed <= 0.0 || high > 1e9) return 0.0;
    }
    for (int i = 0; i < 60; i++) {
        double middle = 0.5 * (low + high);
        if (frequency_of(scene, middle, speed) < frequency)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

/* ---- components ----------------------------------------------------------------------------- */

static bool is_regular(const scene_sea_waves *waves)
{
    return waves->period > 0.0f;
}

static double current_along(const scene_data *scene, double x, double z)
{
    return x * (double)scene->sea.current.x + z * (double)scene->sea.current.z;
}

/* Returns the component with this frequency and direction; its k is 0 if the current stops it. */
static scene_sea_wave make_wave(const scene_data *scene, double frequency, double x, double z)
{
    double along = current_along(scene, x, z);
    double k = scene_sea_wave_number(scene, frequency, along);
    return (scene_sea_wave){
        .kx = k * x, .kz = k * z, .k = k, .frequency = frequency, .speed = frequency - k * along};
}

/* Returns the JONSWAP spectrum, up to a factor, at a multiple of the peak frequency. */
static double jonswap(double ratio, double gamma)
{
    double width = ratio <= 1.0 ? 0.07 : 0.09, off = (ratio - 1.0) / width;
    return pow(ratio, -5.0) * exp(-1.25 * pow(ratio, -4.0)) * pow(gamma, exp(-0.5 * off * off));
}

/* Returns a random number with mean 0 and variance 1 (Box and Muller 1958). */
static double random_normal(uint64_t seed, uint64_t draw)
{
    double a = 1.0 - (double)base_hash_to_unit(seed + draw),
           b = (double)base_hash_to_unit(seed + draw + 1);
    return sqrt(-2.0 * log(fmax(a, 1e-12))) * cos(2.0 * PI * b);
}

/* Returns the highest frequency of the components over that of the peak: the shortest waves have
 * SHORTEST_WAVE_SPACINGS. */
static double highest_ratio(const scene_data *scene, double peak)
{
    double k = 2.0 * PI / (SHORTEST_WAVE_SPACINGS * (double)scene->spacing);
    return fmax(fmin(HIGHEST_FREQUENCY, frequency_of(scene, k, 0.0) / peak), 1.05);
}

/* Splits the spectrum into parts of equal energy, and gives each a component at its median. */
static uint32_t irregular_waves(const scene_data *scene, scene_sea_wave *out)
{
    const scene_sea_waves *w = &scene->sea.waves;
    const double peak = 2.0 * PI / (double)w->peak_period, top = highest_ratio(scene, peak);
    const double step = (top - LOWEST_FREQUENCY) / SPECTRUM_STEPS;
    const double gamma = (double)w->peak_enhancement;
    double total = 0.0, sum = 0.0;
    uint64_t seed = base_hash_mix64(w->seed);
    uint32_t count = 0, kept = 0;
    for (int i = 0; i < SPECTRUM_STEPS; i++)
        total += jonswap(LOWEST_FREQUENCY + (i + 0.5) * step, gamma);
    for (int i = 0; i < SPECTRUM_STEPS && count < w->components; i++) {
        double ratio = LOWEST_FREQUENCY + (i + 0.5) * step;
        sum += jonswap(ratio, gamma);
        if (sum < (count + 0.5) / w->components * total) continue;
        double turn = (double)w->spread * random_normal(seed, 4u * count);
        turn = fmin(fmax(turn, -LARGEST_TURN), LARGEST_TURN);
        double x = (double)w->direction.x, z = (double)w->direction.z;
        out[kept] = make_wave(scene, ratio * peak, x * cos(turn) - z * sin(turn),
                              x * sin(turn) + z * cos(turn));
        out[kept].phase = 2.0 * PI * (double)base_hash_to_unit(seed + 4u * count + 2u);
        kept += out[kept].k > 0.0;
        count++;
    }
    for (uint32_t i = 0; i < kept; i++)
        out[i].amplitude = 0.25 * (double)w->significant_height * sqrt(2.0 / kept);
    return kept;
}

uint32_t scene_sea_components(const scene_data *scene, scene_sea_wave out[SCENE_MAX_SEA_WAVES])
{
    const scene_sea_waves *w = &scene->sea.waves;
    uint32_t count = 1;
    if (!scene->sea.given || !w->given) return 0;
    if (is_regular(w)) {
        out[0] = make_wave(scene, 2.0 * PI / (double)w->period, (double)w->direction.x,
                           (double)w->direction.z);
        out[0].amplitude = 0.5 * (double)w->height;
        out[0].phase = (double)w->phase;
    } else {
        count = irregular_waves(scene, out);
    }
    for (uint32_t i = 0; i < count; i++)
        out[i].speed *= out[i].amplitude;
    return count;
}

double scene_sea_wavelength(const scene_data *scene)
{
    const scene_sea_waves *w = &scene->sea.waves;
    if (!w->given) return 0.0;
    double period = (double)(is_regular(w) ? w->period : w->peak_period);
    double along = current_along(scene, (double)w->direction.x, (double)w->direction.z);
    double k = scene_sea_wave_number(scene, 2.0 * PI / period, along);
    return k > 0.0 ? 2.0 * PI / k : 0.0;
}

/* ---- zones ---------------------------------------------------------------------------------- */

/* A zone of width W relaxes velocities at the rate sigma xi^2, xi from 0 at its inner edge to 1 at
 * the side. Waves as long as the zone with the group velocity c_g are damped by exp(-C / 6) on the
 * way to the side, C = sigma W / c_g. Absorbing zones have the C with the least reflection;
 * generating ones a larger one, since the wall's own reflection of what they generate must die out
 * within. */
#define ABSORBING_STRENGTH 16.0
#define GENERATING_STRENGTH 24.0

double scene_sea_zone_rate(const scene_data *scene, scene_sea_zone zone)
{
    double width = (double)scene->sea.zone_width;
    double strength = zone == SCENE_SEA_GENERATING ? GENERATING_STRENGTH : ABSORBING_STRENGTH;
    return strength * group_velocity(scene, 2.0 * PI / width) / width;
}

/* d/dx of a wave f(x) and its slope in a medium with friction: f'' = -k^2 (1 + i damping) f. */
typedef struct wave_state {
    double re, im, slope_re, slope_im;
} wave_state;

static wave_state derivative(wave_state at, double k, double damping)
{
    double k2 = k * k;
    return (wave_state){at.slope_re, at.slope_im, -k2 * (at.re - damping * at.im),
                        -k2 * (at.im + damping * at.re)};
}

static wave_state advance(wave_state at, wave_state by, double step)
{
    return (wave_state){at.re + step * by.re, at.im + step * by.im,
                        at.slope_re + step * by.slope_re, at.slope_im + step * by.slope_im};
}

/* Integrates from the wall, where the slope is 0, to the inner edge, and separates the incident and
 * the reflected wave there. */
double scene_sea_zone_reflection(const scene_data *scene, scene_sea_zone zone, double wavelength)
{
    const double k = 2.0 * PI / wavelength, width = (double)scene->sea.zone_width;
    const double most =
        scene_sea_zone_rate(scene, zone) / (group_velocity(scene, k) * k); /* of the damping */
    const int steps = 400 + (int)fmin(200.0 * width / wavelength, 20000.0);
    const double step = -width / steps;
    wave_state f = {1.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < steps; i++) {
        double far = 1.0 - (double)i / steps, middle = far - 0.5 / steps, near = far - 1.0 / steps;
        wave_state a = derivative(f, k, most * far * far);
        wave_state b = derivative(advance(f, a, 0.5 * step), k, most * middle * middle);
        wave_state c = derivative(advance(f, b, 0.5 * step), k, most * middle * middle);
        wave_state d = derivative(advance(f, c, step), k, most * near * near);
        f = advance(advance(advance(advance(f, a, step / 6.0), b, step / 3.0), c, step / 3.0), d,
                    step / 6.0);
    }
    /* f = A exp(i k x) + B exp(-i k x): A is incident, B reflected */
    double a_re = f.re + f.slope_im / k, a_im = f.im - f.slope_re / k;
    double b_re = f.re - f.slope_im / k, b_im = f.im + f.slope_re / k;
    return sqrt((b_re * b_re + b_im * b_im) / (a_re * a_re + a_im * a_im));
}

/* ---- start ---------------------------------------------------------------------------------- */

double scene_sea_growth(const scene_sea *sea, double time_s)
{
    double ramp = (double)sea->waves.ramp;
    if (!(ramp > 0.0) || time_s >= ramp) return 1.0;
    return 0.5 - 0.5 * cos(PI * time_s / ramp);
}

/* Returns the part of a wave that a point has at the start: in absorbing zones what they have left
 * of it, exp(-integral of rate / (2 c_g)). */
static double start_share(const scene_data *scene, const scene_sea_wave *wave, vec3 p)
{
    const scene_sea *sea = &scene->sea;
    const float from[4] = {p.x - scene->domain.min.x, scene->domain.max.x - p.x,
                           p.z - scene->domain.min.z, scene->domain.max.z - p.z};
    double share = sea->waves.developed ? scene_sea_growth(sea, 0.0) : 0.0;
    double width = (double)sea->zone_width, lost = 0.0;
    double rate = scene_sea_zone_rate(scene, SCENE_SEA_ABSORBING);
    for (int side = 0; side < 4; side++) {
        double in = fmax(1.0 - (double)from[side] / width, 0.0);
        if (sea->zones[side] == SCENE_SEA_ABSORBING)
            lost += rate * width * in * in * in / (6.0 * group_velocity(scene, wave->k));
    }
    return share * exp(-lost);
}

static double start_angle(const scene_sea_wave *wave, vec3 p)
{
    return wave->kx * (double)p.x + wave->kz * (double)p.z + wave->phase;
}

double scene_sea_start_elevation(const scene_data *scene, const scene_sea_wave *waves,
                                 uint32_t count, vec3 p)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++)
        sum +=
            start_share(scene, &waves[i], p) * waves[i].amplitude * cos(start_angle(&waves[i], p));
    return sum;
}

vec3 scene_sea_start_velocity(const scene_data *scene, const scene_sea_wave *waves, uint32_t count,
                              vec3 p)
{
    double depth = scene_sea_depth(scene), sum[3] = {0};
    double up = fmin((double)p.y - (double)scene->sea.level, 0.0) + depth; /* above the floor */
    for (uint32_t i = 0; i < count; i++) {
        const scene_sea_wave *w = &waves[i];
        double top = exp(w->k * (up - depth)) / (1.0 - exp(-2.0 * w->k * depth));
        double part = exp(-2.0 * w->k * up), angle = start_angle(w, p);
        double speed = start_share(scene, w, p) * w->speed * top;
        double along = speed * (1.0 + part) * cos(angle) / w->k;
        sum[0] += along * w->kx;
        sum[1] += speed * (1.0 - part) * sin(angle);
        sum[2] += along * w->kz;
    }
    return vec3_make((float)sum[0], (float)sum[1], (float)sum[2]);
}
