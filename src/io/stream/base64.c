/* Decodes base64 (RFC 4648). */
#include "io_internal.h"

static int letter_value(uint8_t byte)
{
    if (byte >= 'A' && byte <= 'Z') return byte - 'A';
    if (byte >= 'a' && byte <= 'z') return byte - 'a' + 26;
    if (byte >= '0' && byte <= '9') return byte - '0' + 52;
    return byte == '+' ? 62 : byte == '/' ? 63 : -1;
}

/* Decodes four letters that follow each other; returns false for anything else. */
static bool read_letters(const uint8_t *at, const uint8_t *end, uint8_t out[3])
{
    if (end - at < 4) return false;
    const int a = letter_value(at[0]), b = letter_value(at[1]), c = letter_value(at[2]),
              d = letter_value(at[3]);
    if ((a | b | c | d) < 0) return false;
    out[0] = (uint8_t)(a << 2 | b >> 4);
    out[1] = (uint8_t)(b << 4 | c >> 2);
    out[2] = (uint8_t)(c << 6 | d);
    return true;
}

int io_base64_read_group(const uint8_t **at, const uint8_t *end, uint8_t out[3], bool *padded)
{
    uint32_t bits = 0;
    int letters = 0, pads = 0;
    if (read_letters(*at, end, out)) {
        *at += 4;
        *padded = false;
        return 3;
    }
    for (; *at < end && letters + pads < 4; ++*at) {
        uint8_t byte = **at;
        int value = letter_value(byte);
        if (byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r') continue;
        if (byte == '=' && letters >= 2) {
            pads++;
        } else if (value >= 0 && !pads) {
            bits |= (uint32_t)value << (18 - 6 * letters);
            letters++;
        } else {
            return -1;
        }
    }
    if (letters + pads < 4) return -1;
    for (int i = 0; i < 3; i++)
        out[i] = (uint8_t)(bits >> (16 - 8 * i));
    *padded = pads > 0;
    return 3 - pads;
}
