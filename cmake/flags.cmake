# Warnings, floating point and hardening, the same for every target.
include(CheckPIESupported)
check_pie_supported()

add_compile_options(-Wall -Wextra -Wconversion)
if(WEIR_WERROR)
    add_compile_options(-Werror)
endif()

# The C references of the shaders and the library must round alike with every compiler.
add_compile_options(-ffp-contract=off)

if(MINGW)
    # printf as in C17. Square roots use the processor's instruction, because the C library's rounds twice.
    add_compile_definitions(__USE_MINGW_ANSI_STDIO=1)
    add_compile_options(-fno-math-errno)
    add_link_options(-fstack-protector-strong -Wl,--stack,8388608) # needs the library of the stack protector
endif()

if(WEIR_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
    # Excluded from sanitizer coverage. The distance of a word from each name says nothing about new code, and
    # would take seven tenths of a script's time; comparisons of hashes and of text lines say nothing either:
    # without them, run.json and checkpoints take 7 to 25 % less time.
    set_source_files_properties(src/base/nearest_name.c PROPERTIES COMPILE_OPTIONS -fno-sanitize=fuzzer-no-link)
    set_source_files_properties(src/base/hash.c src/scene/parse/scene_json_location.c PROPERTIES COMPILE_OPTIONS
                                -fno-sanitize-coverage=trace-cmp)
endif()

if(WEIR_SANITIZE)
    add_compile_options(-fsanitize=${WEIR_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${WEIR_SANITIZE})
    if(CMAKE_C_COMPILER_ID MATCHES "Clang") # enough for line numbers in reports, and compiles faster
        add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-gline-tables-only>)
    endif()
else()
    add_compile_options(-fstack-protector-strong)
    if(CMAKE_BUILD_TYPE MATCHES "Release|RelWithDebInfo|MinSizeRel")
        add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
    endif()
    if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
        add_link_options(-Wl,-z,relro,-z,now)
    endif()
endif()
