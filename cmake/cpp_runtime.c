/* What meshoptimizer, Dear ImGui and the viewer's C++ file need of the C++ runtime, for the
 * portable program: libstdc++ 12 and its unwinder need glibc 2.36, this needs any. They neither
 * throw nor catch, so that an exception is the end of the program. All names are hidden: drivers
 * in the same process keep their own. */
#include <stdio.h>
#include <stdlib.h>

void *cpp_new(size_t size) __asm__("_Znwm");
void *cpp_new_or_null(size_t size, const void *tag) __asm__("_ZnwmRKSt9nothrow_t");
void cpp_delete(void *memory) __asm__("_ZdlPv");
void cpp_delete_sized(void *memory, size_t size) __asm__("_ZdlPvm");
_Noreturn void cpp_length_error(const char *where) __asm__("_ZSt20__throw_length_errorPKc");
_Noreturn void cpp_personality(void) __asm__("__gxx_personality_v0");
_Noreturn void cpp_resume(void) __asm__("_Unwind_Resume");
extern const char cpp_nothrow __asm__("_ZSt7nothrow");

const char cpp_nothrow = 0;

static _Noreturn void fail(const char *why)
{
    fprintf(stderr, "weir: %s\n", why);
    abort();
}

void *cpp_new_or_null(size_t size, const void *tag)
{
    (void)tag;
    return malloc(size ? size : 1);
}

void *cpp_new(size_t size)
{
    void *memory = cpp_new_or_null(size, NULL);
    if (!memory) fail("not enough memory");
    return memory;
}

void cpp_delete(void *memory)
{
    free(memory);
}

void cpp_delete_sized(void *memory, size_t size)
{
    (void)size;
    free(memory);
}

void cpp_length_error(const char *where)
{
    fail(where);
}

void cpp_personality(void)
{
    fail("an exception in C++");
}

void cpp_resume(void)
{
    fail("an exception in C++");
}
