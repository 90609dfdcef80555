# Warnings, floating point and hardening, alike for every target.
include(CheckPIESupported)
check_pie_supported()

add_compile_options(-Wall -Wextra -Wconversion)
if(WEIR_WERROR)
    add_compile_options(-Werror)
endif()

# The references of the kernels and the engine must round alike on every compiler.
add_compile_options(-ffp-contract=off)

if(MINGW)
    # printf as C17 has it. Square roots are the processor's: the C library's rounds twice.
    add_compile_definitions(__USE_MINGW_ANSI_STDIO=1)
    add_compile_options(-fno-math-errno)
    add_link_options(-fstack-protector-strong -Wl,--stack,8388608) # with the guard's library
endif()

if(WEIR_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
    # How far a word is from each name says nothing of new code, and would be seven tenths of a script's time. Nor does what
    # a hash and the lines of a text are compared with: without, run.json and checkpoints take 7 to 25 % less time.
    set_source_files_properties(src/base/nearest_name.c PROPERTIES COMPILE_OPTIONS -fno-sanitize=fuzzer-no-link)
    set_source_files_properties(src/base/hash.c src/scene/parse/scene_json_location.c PROPERTIES COMPILE_OPTIONS
                                -fno-sanitize-coverage=trace-cmp)
endif()

if(WEIR_SANITIZE)
    add_compile_options(-fsanitize=${WEIR_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${WEIR_SANITIZE})
    if(CMAKE_C_COMPILER_ID MATCHES "Clang") # a report names lines, and these compile sooner
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
