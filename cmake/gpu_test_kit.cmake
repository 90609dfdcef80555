# For a machine with a GPU and without a compiler: the kernel tests as one program, weir_kernel_tests, and the
# folder to take there, gpu_kit. Tests that need a validation layer or one of Weir's own layers are omitted.
pkg_check_modules(CMOCKA IMPORTED_TARGET cmocka)
if(NOT CMOCKA_FOUND)
    message(STATUS "No cmocka: the targets weir_kernel_tests and gpu_kit are left out")
    return()
endif()
include(test_support)
set_target_properties(weir_ref weir_test_support PROPERTIES EXCLUDE_FROM_ALL ON)
file(GLOB kernel_tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/kernel/*/test_*.c)
list(FILTER kernel_tests EXCLUDE REGEX "/test_(gpu_buffers|gpu_draws|gpu_passes|overlay|windows)\\.c$")

weir_add_test_program(weir_kernel_tests run_all.c ${kernel_tests})
set_target_properties(weir_kernel_tests PROPERTIES EXCLUDE_FROM_ALL ON)
target_compile_definitions(weir_kernel_tests PRIVATE WEIR_TESTS_WITHOUT_LAYERS)
target_compile_definitions(weir_test_support PRIVATE WEIR_TESTS_WITHOUT_LAYERS)
target_link_libraries(weir_kernel_tests PRIVATE weir_ref weir PkgConfig::CMOCKA)
# Debian has no archive of cmocka: its library is placed next to the program.
set_target_properties(weir_kernel_tests PROPERTIES BUILD_RPATH "$ORIGIN")
find_library(CMOCKA_LIBRARY cmocka REQUIRED)
file(REAL_PATH ${CMOCKA_LIBRARY} cmocka_file)

# The kit has the layout of the source tree, so that tools/gpu-report finds its files.
set(kit ${PROJECT_BINARY_DIR}/weir-gpu-kit)
add_custom_target(gpu_kit
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${kit}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${kit}/tools ${kit}/tests
    COMMAND ${CMAKE_COMMAND} -E copy $<TARGET_FILE:weir_program> $<TARGET_FILE:weir_kernel_tests>
            $<TARGET_FILE:weir_validate> ${kit}
    COMMAND ${CMAKE_COMMAND} -E copy ${cmocka_file} ${kit}/libcmocka.so.0
    COMMAND ${CMAKE_STRIP} ${kit}/weir ${kit}/weir_kernel_tests ${kit}/weir_validate
    COMMAND ${CMAKE_COMMAND} -E copy ${PROJECT_SOURCE_DIR}/tools/gpu-report ${kit}/tools
    COMMAND ${CMAKE_COMMAND} -E copy_directory ${PROJECT_SOURCE_DIR}/tests/data ${kit}/tests/data
    COMMAND ${CMAKE_COMMAND} -E copy_directory ${PROJECT_SOURCE_DIR}/tests/scenes ${kit}/tests/scenes
    COMMAND ${CMAKE_COMMAND} -E copy_directory ${PROJECT_SOURCE_DIR}/scenes ${kit}/scenes
    DEPENDS weir_program weir_kernel_tests weir_validate
    VERBATIM
    COMMENT "Gathering ${kit}")
