# The modules, compiled once into `weir`, with internal names visible to the program's link and the tests. The
# shared library and the installed archive consist of the same objects and export weir_* only.
set(MODULES src/base src/comm src/scene src/io src/gpu src/grid src/solid src/poisson src/whitewater src/probe src/body src/deformable src/sim
            mesher src/render src/geometry src/api src/output)
set(WEIR_SOURCES)
set(WEIR_MODULE_FOLDERS ${PROJECT_SOURCE_DIR}/src/include ${PROJECT_SOURCE_DIR}/shaders)
foreach(module ${MODULES})
    file(GLOB_RECURSE module_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${module}/*.c)
    list(APPEND WEIR_SOURCES ${module_sources})
    get_filename_component(module_name ${module} NAME) # name under which device memory is counted: gpu.h
    set_source_files_properties(${module_sources} PROPERTIES COMPILE_DEFINITIONS WEIR_MODULE="${module_name}")
    file(GLOB_RECURSE module_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${module}/*.h)
    foreach(file ${module_sources} ${module_headers})
        get_filename_component(folder ${file} DIRECTORY)
        list(APPEND WEIR_MODULE_FOLDERS ${folder})
    endforeach()
endforeach()
list(REMOVE_DUPLICATES WEIR_MODULE_FOLDERS)

# Applies only to #include "...": a system's own <io.h> or <process.h> must not resolve to a module's header.
list(TRANSFORM WEIR_MODULE_FOLDERS PREPEND "-iquote" OUTPUT_VARIABLE WEIR_MODULE_OPTIONS)

# Only a development build compiles shaders at run time.
set(WEIR_RELOAD_WORDS WEIR_GLSLC="${GLSLC}" WEIR_SHADER_FOLDER="${PROJECT_SOURCE_DIR}/shaders"
                      WEIR_SHADER_WORDS="${WEIR_COMPILED}" WEIR_MODULE="gpu")
if(WEIR_RELOAD)
    list(FILTER WEIR_SOURCES EXCLUDE REGEX "/gpu/pipeline/reload_none\\.c$")
    set_source_files_properties(${PROJECT_SOURCE_DIR}/src/gpu/pipeline/reload.c PROPERTIES
                                COMPILE_DEFINITIONS "${WEIR_RELOAD_WORDS}")
else()
    list(FILTER WEIR_SOURCES EXCLUDE REGEX "/gpu/pipeline/reload\\.c$")
endif()

if(NOT WEIR_TRACY)
    list(FILTER WEIR_SOURCES EXCLUDE REGEX "/base/trace_tracy\\.c$")
endif()

# src/base has a folder for each system; exactly one is built.
if(WIN32)
    set(WEIR_SYSTEM windows)
else()
    set(WEIR_SYSTEM posix)
endif()
list(FILTER WEIR_SOURCES EXCLUDE REGEX "/base/(posix|windows)/")
file(GLOB system_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/base/${WEIR_SYSTEM}/*.c)
if(NOT system_sources)
    message(FATAL_ERROR "src/base has no folder ${WEIR_SYSTEM}: Weir cannot be built for this system. "
                        "Write what src/base/base_os.h lists, or build on Linux or macOS.")
endif()
list(APPEND WEIR_SOURCES ${system_sources})

set(WEIR_LINKED ${WEIR_DEPENDENCIES} m Threads::Threads ${CMAKE_DL_LIBS})
if(WIN32)
    list(APPEND WEIR_LINKED shell32)
endif()

add_library(weir_objects OBJECT ${WEIR_SOURCES} ${SHADER_TABLES})
add_dependencies(weir_objects weir_shaders weir_font)
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/render/legend_font.c PROPERTIES OBJECT_DEPENDS ${WEIR_FONT_HEADER})
target_compile_options(weir_objects PUBLIC ${WEIR_MODULE_OPTIONS})
target_include_directories(weir_objects PUBLIC ${PROJECT_SOURCE_DIR}/src/include
                           PRIVATE ${WEIR_COMPILED} ${PROJECT_BINARY_DIR}/font ${VOLK_INCLUDE_DIR} ${VULKAN_INCLUDE_DIR})
target_link_libraries(weir_objects PUBLIC ${WEIR_LINKED})

add_library(weir STATIC $<TARGET_OBJECTS:weir_objects>)
set_target_properties(weir PROPERTIES OUTPUT_NAME weir_modules LINKER_LANGUAGE C)
target_compile_options(weir PUBLIC ${WEIR_MODULE_OPTIONS})
target_include_directories(weir PUBLIC ${PROJECT_SOURCE_DIR}/src/include)
target_link_libraries(weir PUBLIC ${WEIR_LINKED})
if(WEIR_SANITIZE)
    target_sources(weir INTERFACE ${PROJECT_SOURCE_DIR}/tests/layers/keep_libraries.c)
endif()

if(WEIR_SHARED)
    add_library(weir_shared SHARED $<TARGET_OBJECTS:weir_objects>)
    set_target_properties(weir_shared PROPERTIES OUTPUT_NAME weir LINKER_LANGUAGE C
                          VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
    target_link_libraries(weir_shared PRIVATE ${WEIR_LINKED})
    if(WIN32) # has no symbol visibility; elsewhere the attribute is equivalent
        set(exports ${PROJECT_SOURCE_DIR}/cmake/exports.map)
        target_link_options(weir_shared PRIVATE -Wl,--version-script,${exports})
        set_target_properties(weir_shared PROPERTIES LINK_DEPENDS ${exports} PREFIX "")
    endif()
endif()

# One object in which every hidden name is local, so that a host's own functions never clash with Weir's.
if(CMAKE_OBJCOPY AND CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT WEIR_SANITIZE)
    set(WEIR_ARCHIVE ${PROJECT_BINARY_DIR}/${CMAKE_STATIC_LIBRARY_PREFIX}weir${CMAKE_STATIC_LIBRARY_SUFFIX})
    set(joined ${PROJECT_BINARY_DIR}/weir_joined.o)
    add_custom_command(
        OUTPUT ${WEIR_ARCHIVE}
        COMMAND ${CMAKE_C_COMPILER} -r -nostdlib -o ${joined} $<TARGET_OBJECTS:weir_objects>
        COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${joined}
        COMMAND ${CMAKE_COMMAND} -E rm -f ${WEIR_ARCHIVE}
        COMMAND ${CMAKE_AR} rcs ${WEIR_ARCHIVE} ${joined}
        DEPENDS weir_objects $<TARGET_OBJECTS:weir_objects>
        COMMAND_EXPAND_LISTS VERBATIM
        COMMENT "Joining libweir.a")
    add_custom_target(weir_archive ALL DEPENDS ${WEIR_ARCHIVE})
endif()

# The program, with the scene that it shows when none is given. Its viewer: viewer.cmake.
set(WEIR_APP_FOLDERS ${PROJECT_SOURCE_DIR}/src/app)
foreach(folder mesh render whitewater run bench summary main)
    list(APPEND WEIR_APP_FOLDERS ${PROJECT_SOURCE_DIR}/src/app/${folder})
endforeach()
set(APP_SOURCES)
foreach(folder ${WEIR_APP_FOLDERS})
    file(GLOB folder_sources CONFIGURE_DEPENDS ${folder}/*.c)
    list(APPEND APP_SOURCES ${folder_sources})
endforeach()
if(APP_SOURCES)
    set(embedded ${PROJECT_BINARY_DIR}/embedded)
    set(embedded_files)
    file(MAKE_DIRECTORY ${embedded})
    foreach(file scenes/dam_break.json src/app/summary/page.html)
        cmake_path(GET file FILENAME name)
        add_custom_command(
            OUTPUT ${embedded}/${name}.inc
            COMMAND ${CMAKE_COMMAND} -DINPUT=${PROJECT_SOURCE_DIR}/${file} -DOUTPUT=${embedded}/${name}.inc
                    -P ${PROJECT_SOURCE_DIR}/cmake/embed_file.cmake
            DEPENDS ${PROJECT_SOURCE_DIR}/${file} ${PROJECT_SOURCE_DIR}/cmake/embed_file.cmake
            VERBATIM
            COMMENT "Embedding ${name}")
        list(APPEND embedded_files ${embedded}/${name}.inc)
    endforeach()
    add_executable(weir_program ${APP_SOURCES} ${embedded_files})
    set_target_properties(weir_program PROPERTIES OUTPUT_NAME weir)
    target_include_directories(weir_program PRIVATE ${embedded} ${WEIR_APP_FOLDERS})
    target_link_libraries(weir_program PRIVATE weir)
endif()

# Parts of the program that unit tests link.
add_library(weir_bench_parts STATIC EXCLUDE_FROM_ALL src/app/bench/limits.c)
target_include_directories(weir_bench_parts PUBLIC ${PROJECT_SOURCE_DIR}/src/app ${PROJECT_SOURCE_DIR}/src/app/bench)
target_link_libraries(weir_bench_parts PUBLIC weir)

# The physics gates: cases that tests run, too, and a program for developers, which tools/validate builds.
file(GLOB gate_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/validation/*.c)
list(FILTER gate_sources EXCLUDE REGEX "/validate\\.c$")
add_library(weir_gates STATIC EXCLUDE_FROM_ALL ${gate_sources})
target_include_directories(weir_gates PUBLIC ${PROJECT_SOURCE_DIR}/tests/validation)
target_link_libraries(weir_gates PUBLIC weir)
add_executable(weir_validate EXCLUDE_FROM_ALL tests/validation/validate.c src/app/csv.c src/app/json_fields.c
               src/app/terminal.c)
target_include_directories(weir_validate PRIVATE ${PROJECT_SOURCE_DIR}/src/app)
target_link_libraries(weir_validate PRIVATE weir_gates)
