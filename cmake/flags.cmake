# Warnings, floating point and hardening, alike for every target.
include(CheckPIESupported)
check_pie_supported()

add_compile_options(-Wall -Wextra -Wconversion)
if(WEIR_WERROR)
    add_compile_options(-Werror)
endif()

# The references of the kernels and the engine must round alike on every compiler.
add_compile_options(-ffp-contract=off)

if(WEIR_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()

if(WEIR_SANITIZE)
    add_compile_options(-fsanitize=${WEIR_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${WEIR_SANITIZE})
else()
    add_compile_options(-fstack-protector-strong)
    if(CMAKE_BUILD_TYPE MATCHES "Release|RelWithDebInfo|MinSizeRel")
        add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
    endif()
    if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
        add_link_options(-Wl,-z,relro,-z,now)
    endif()
endif()
