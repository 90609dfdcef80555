# The viewer, a separate part of the program: windows by GLFW, panels by Dear ImGui, which one C++ file calls.
# Without the two, `weir view` reports that this build has no viewer.
option(WEIR_VIEWER "Build the viewer where GLFW and Dear ImGui are installed" ON)

set(view ${PROJECT_SOURCE_DIR}/src/app/view)
add_library(weir_view_parts STATIC ${view}/camera.c ${view}/drawing/resolution.c ${view}/commands/command_table.c
            ${view}/commands/pending_calls.c ${view}/commands/script_parser.c ${view}/panels/labels.c)
target_include_directories(weir_view_parts PUBLIC ${view} ${view}/commands ${view}/drawing ${view}/panels)
target_link_libraries(weir_view_parts PUBLIC weir)

set(WEIR_HAS_VIEWER OFF)
if(WEIR_VIEWER)
    pkg_check_modules(GLFW IMPORTED_TARGET glfw3)
    pkg_check_modules(IMGUI IMPORTED_TARGET imgui)
    if(GLFW_FOUND AND IMGUI_FOUND)
        set(WEIR_HAS_VIEWER ON)
    else()
        message(STATUS "No viewer: it needs GLFW and Dear ImGui (glfw3.pc and imgui.pc)")
    endif()
endif()

# The portable program brings GLFW as a file next to it and opens it when a window is opened, because GLFW is linked
# with X11, which many machines lack.
set(portable OFF)
set(unused_glfw at_run_time)
if(WEIR_HAS_VIEWER AND WEIR_STATIC_DEPENDENCIES AND NOT WIN32)
    set(portable ON)
    set(unused_glfw linked)
    find_library(IMGUI_ARCHIVE libimgui.a REQUIRED)
    find_library(STB_ARCHIVE libstb.a REQUIRED)
    find_library(GLFW_SHARED_LIBRARY libglfw.so.3 REQUIRED)
    file(REAL_PATH ${GLFW_SHARED_LIBRARY} glfw_file)
endif()

# A separate library, because tests build the program with other definitions, too.
if(TARGET weir_program)
    add_library(weir_view STATIC ${view}/view_command.c)
    target_include_directories(weir_view PUBLIC ${view} ${view}/commands ${view}/drawing ${view}/panels PRIVATE ${PROJECT_SOURCE_DIR}/src/app ${VULKAN_INCLUDE_DIR})
    target_link_libraries(weir_view PUBLIC weir_view_parts)
    target_link_libraries(weir_program PRIVATE weir_view)
    if(WEIR_HAS_VIEWER)
        # Sanitizers of two compilers do not mix: C by clang needs C++ by clang.
        if(NOT CMAKE_CXX_COMPILER AND CMAKE_C_COMPILER_ID STREQUAL "Clang")
            string(REGEX REPLACE "clang([^/]*)$" "clang++\\1" CMAKE_CXX_COMPILER ${CMAKE_C_COMPILER})
        endif()
        enable_language(CXX)
        file(GLOB_RECURSE view_sources CONFIGURE_DEPENDS ${view}/*.c ${view}/*.cpp)
        list(FILTER view_sources EXCLUDE REGEX "/(camera|resolution|command_table|labels|pending_calls|script_parser|view_command)\\.c$")
        list(FILTER view_sources EXCLUDE REGEX "/glfw_${unused_glfw}\\.c$")
        target_sources(weir_view PRIVATE ${view_sources})
        include(GNUInstallDirs)
        target_compile_definitions(weir_view PRIVATE WEIR_VIEWER
                                   WEIR_SCENE_FOLDER="${CMAKE_INSTALL_FULL_DATADIR}/weir/scenes")
        set_target_properties(weir_view PROPERTIES CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON)
        target_compile_options(weir_view PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions -fno-rtti>)
        target_include_directories(weir_view SYSTEM PRIVATE ${IMGUI_INCLUDE_DIRS} ${GLFW_INCLUDE_DIRS})
        if(portable)
            target_link_libraries(weir_view PRIVATE ${IMGUI_ARCHIVE} ${STB_ARCHIVE} weir_cpp_runtime m)
            set_target_properties(weir_program PROPERTIES LINKER_LANGUAGE C) # without libstdc++
            install(FILES ${glfw_file} DESTINATION ${CMAKE_INSTALL_LIBDIR} RENAME libglfw.so.3)
        else()
            target_link_libraries(weir_view PRIVATE PkgConfig::IMGUI PkgConfig::GLFW)
        endif()
        if(WIN32) # libraries that GLFW's archive calls
            target_link_libraries(weir_view PRIVATE gdi32)
        endif()
    endif()
endif()
