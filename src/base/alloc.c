/* Memory allocation with overflow-checked sizes, on top of an allocator that tests can replace. */
#include "base.h"

#include <stdlib.h>

static void *system_resize(void *user, void *memory, size_t size)
{
    (void)user;
    if (size == 0) {
        free(memory);
        return NULL;
    }
    return realloc(memory, size);
}

static base_allocator allocator = {system_resize, NULL};

base_allocator base_allocator_set(const base_allocator *replacement)
{
    base_allocator previous = allocator;
    allocator = replacement ? *replacement : (base_allocator){system_resize, NULL};
    return previous;
}

bool base_mul_size(size_t a, size_t b, size_t *product)
{
    if (b != 0 && a > SIZE_MAX / b) return false;
    *product = a * b;
    return true;
}

bool base_add_size(size_t a, size_t b, size_t *sum)
{
    if (a > SIZE_MAX - b) return false;
    *sum = a + b;
    return true;
}

void *base_realloc(void *memory, size_t count, size_t size)
{
    size_t bytes;
    if (!base_mul_size(count, size, &bytes) || bytes > PTRDIFF_MAX) return NULL;
    return allocator.resize(allocator.user, memory, bytes ? bytes : 1);
}

void *base_alloc(size_t count, size_t size)
{
    void *memory = base_realloc(NULL, count, size);
    if (memory && count && size) memset(memory, 0, count * size);
    return memory;
}

void base_free(void *memory)
{
    if (memory) allocator.resize(allocator.user, memory, 0);
}

bool base_array_reserve(void **items, size_t *capacity, size_t count, size_t extra, size_t size)
{
    size_t needed;
    if (!base_add_size(count, extra, &needed)) return false;
    if (needed <= *capacity) return true;
    size_t doubled = *capacity > SIZE_MAX / 2 ? SIZE_MAX : *capacity * 2;
    size_t larger = doubled > needed ? doubled : needed;
    if (larger < 8) larger = 8;
    void *moved = base_realloc(*items, larger, size);
    if (!moved) return false;
    *items = moved;
    *capacity = larger;
    return true;
}
