/* XXH64 (Y. Collet, xxHash specification 0.2.0) and SplitMix64 (Steele, Lea, Flood 2014). */
#include "base.h"

#define PRIME_1 0x9E3779B185EBCA87u
#define PRIME_2 0xC2B2AE3D27D4EB4Fu
#define PRIME_3 0x165667B19E3779F9u
#define PRIME_4 0x85EBCA77C2B2AE63u
#define PRIME_5 0x27D4EB2F165667C5u

static uint64_t rotate_left(uint64_t value, int bits)
{
    return (value << bits) | (value >> (64 - bits));
}

static uint32_t read_u32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint64_t read_u64(const uint8_t *p)
{
    return (uint64_t)read_u32(p) | (uint64_t)read_u32(p + 4) << 32;
}

static uint64_t hash_round(uint64_t lane, uint64_t input)
{
    return rotate_left(lane + input * PRIME_2, 31) * PRIME_1;
}

static uint64_t merge_lane(uint64_t hash, uint64_t lane)
{
    return (hash ^ hash_round(0, lane)) * PRIME_1 + PRIME_4;
}

/* Hashes the whole 32-byte stripes and leaves *p at the remaining bytes. */
static uint64_t hash_stripes(const uint8_t **p, size_t size, uint64_t seed)
{
    uint64_t lanes[4] = {seed + PRIME_1 + PRIME_2, seed + PRIME_2, seed, seed - PRIME_1};
    for (size_t stripe = 0; stripe < size / 32; stripe++, *p += 32)
        for (int i = 0; i < 4; i++)
            lanes[i] = hash_round(lanes[i], read_u64(*p + 8 * i));
    uint64_t hash = rotate_left(lanes[0], 1) + rotate_left(lanes[1], 7) +
                    rotate_left(lanes[2], 12) + rotate_left(lanes[3], 18);
    for (int i = 0; i < 4; i++)
        hash = merge_lane(hash, lanes[i]);
    return hash;
}

uint64_t base_hash64(const void *bytes, size_t size, uint64_t seed)
{
    const uint8_t *p = bytes;
    uint64_t hash = size >= 32 ? hash_stripes(&p, size, seed) : seed + PRIME_5;
    size_t rest = size % 32;
    hash += size;
    for (; rest >= 8; rest -= 8, p += 8)
        hash = rotate_left(hash ^ hash_round(0, read_u64(p)), 27) * PRIME_1 + PRIME_4;
    for (; rest >= 4; rest -= 4, p += 4)
        hash = rotate_left(hash ^ (read_u32(p) * PRIME_1), 23) * PRIME_2 + PRIME_3;
    for (; rest > 0; rest--, p++)
        hash = rotate_left(hash ^ (*p * PRIME_5), 11) * PRIME_1;
    hash = (hash ^ (hash >> 33)) * PRIME_2;
    hash = (hash ^ (hash >> 29)) * PRIME_3;
    return hash ^ (hash >> 32);
}

uint64_t base_hash_mix64(uint64_t key)
{
    uint64_t z = key + 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

float base_hash_to_unit(uint64_t key)
{
    return (float)(base_hash_mix64(key) >> 40) * 0x1p-24f;
}

void base_random_words(uint32_t v[4])
{
    for (int i = 0; i < 4; i++)
        v[i] = v[i] * 1664525u + 1013904223u;
    for (int round = 0; round < 2; round++) {
        v[0] += v[1] * v[3];
        v[1] += v[2] * v[0];
        v[2] += v[0] * v[1];
        v[3] += v[1] * v[2];
        for (int i = 0; i < 4 && round == 0; i++)
            v[i] ^= v[i] >> 16;
    }
}
