# Libraries that Weir needs. Vulkan itself is only loaded at run time, by volk.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_program(GLSLC glslc REQUIRED)
find_path(VOLK_INCLUDE_DIR volk.h PATH_SUFFIXES volk REQUIRED)
find_path(VULKAN_INCLUDE_DIR vulkan/vulkan.h REQUIRED)

if(WEIR_STATIC_DEPENDENCIES)
    find_library(JANSSON_ARCHIVE libjansson.a REQUIRED)
    find_library(ZLIB_ARCHIVE libz.a REQUIRED)
    find_path(JANSSON_INCLUDE_DIR jansson.h REQUIRED)
    find_path(ZLIB_INCLUDE_DIR zlib.h REQUIRED)
    find_library(PNG_ARCHIVE libpng16.a REQUIRED)
    find_path(PNG_INCLUDE_DIR png.h REQUIRED)
    set(WEIR_DEPENDENCIES ${JANSSON_ARCHIVE} ${PNG_ARCHIVE} ${ZLIB_ARCHIVE})
    include_directories(SYSTEM ${JANSSON_INCLUDE_DIR} ${PNG_INCLUDE_DIR} ${ZLIB_INCLUDE_DIR})
    if(NOT WIN32) # its toolchain file links all libraries statically
        add_link_options(-static-libgcc)
    endif()
else()
    find_package(PNG REQUIRED)
    find_package(ZLIB REQUIRED)
    pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
    set(WEIR_DEPENDENCIES PNG::PNG ZLIB::ZLIB PkgConfig::JANSSON)
endif()

# High-dynamic-range pictures. OpenEXR's core is plain C; pkg-config would add the C++ libraries.
# tools/portable-libraries builds the archive.
find_path(OPENEXR_INCLUDE_DIR openexr.h PATH_SUFFIXES OpenEXR)
find_path(IMATH_INCLUDE_DIR half.h PATH_SUFFIXES Imath)
if(WEIR_STATIC_DEPENDENCIES)
    find_library(OPENEXR_LIBRARY NAMES libOpenEXRCore.a)
else()
    find_library(OPENEXR_LIBRARY NAMES OpenEXRCore)
endif()
set(WEIR_OPENEXR_LINK) # added by weir.pc and weir-config.cmake
if(OPENEXR_INCLUDE_DIR AND IMATH_INCLUDE_DIR AND OPENEXR_LIBRARY)
    list(APPEND WEIR_DEPENDENCIES ${OPENEXR_LIBRARY} ${ZLIB_ARCHIVE}) # the archive calls zlib, which must follow it
    include_directories(SYSTEM ${OPENEXR_INCLUDE_DIR} ${IMATH_INCLUDE_DIR})
    add_compile_definitions(WEIR_OPENEXR)
    set(WEIR_OPENEXR_LINK "-lOpenEXRCore")
else()
    message(WARNING "No libOpenEXRCore (Debian: libopenexr-dev): pictures are written as PNG alone.")
endif()

# Decimation. A portable program links the archive, which tools/portable-libraries builds; without it, it cannot
# decimate.
find_path(MESHOPTIMIZER_INCLUDE_DIR meshoptimizer.h)
if(WEIR_STATIC_DEPENDENCIES)
    find_library(MESHOPTIMIZER_LIBRARY libmeshoptimizer.a)
    if(WIN32)
        execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libstdc++.a
                        OUTPUT_VARIABLE MESHOPTIMIZER_RUNTIME OUTPUT_STRIP_TRAILING_WHITESPACE)
    else()
        add_library(weir_cpp_runtime STATIC ${PROJECT_SOURCE_DIR}/cmake/cpp_runtime.c)
        set(MESHOPTIMIZER_RUNTIME weir_cpp_runtime)
    endif()
else()
    find_library(MESHOPTIMIZER_LIBRARY meshoptimizer REQUIRED)
    set(MESHOPTIMIZER_RUNTIME)
endif()
set(WEIR_MESHOPTIMIZER_LINK) # added by weir.pc and weir-config.cmake
if(MESHOPTIMIZER_INCLUDE_DIR AND MESHOPTIMIZER_LIBRARY)
    list(APPEND WEIR_DEPENDENCIES ${MESHOPTIMIZER_LIBRARY} ${MESHOPTIMIZER_RUNTIME})
    include_directories(SYSTEM ${MESHOPTIMIZER_INCLUDE_DIR})
    add_compile_definitions(WEIR_MESHOPTIMIZER)
    set(WEIR_MESHOPTIMIZER_LINK "-lmeshoptimizer")
else()
    message(WARNING "No libmeshoptimizer.a: weir mesh will not be able to decimate.")
endif()

# The profiler Tracy, whose client is C++. tools/setup --with-tracy builds it in build/tracy.
set(WEIR_TRACY_LINK) # added by weir.pc and weir-config.cmake
if(WEIR_TRACY)
    find_package(Tracy CONFIG REQUIRED HINTS ${PROJECT_SOURCE_DIR}/build/tracy)
    get_target_property(WEIR_TRACY_TYPE Tracy::TracyClient TYPE)
    list(APPEND WEIR_DEPENDENCIES Tracy::TracyClient)
    set(WEIR_TRACY_LINK "-lTracyClient")
    if(WEIR_TRACY_TYPE STREQUAL "STATIC_LIBRARY" AND NOT APPLE)
        list(APPEND WEIR_DEPENDENCIES stdc++)
        set(WEIR_TRACY_LINK "-lTracyClient -lstdc++")
        add_link_options(-Wl,--exclude-libs,libTracyClient.a) # libweir.so exports names of Weir alone
    endif()
    add_compile_definitions(WEIR_TRACY)
endif()
