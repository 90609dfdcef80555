# Shared by all kinds of tests: cmocka, the folders that tests include from, and weir_ref, the C references of
# the shaders.
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
set(WEIR_TEST_FOLDERS ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/tests/ref
                      ${WEIR_COMPILED} ${VOLK_INCLUDE_DIR} ${VULKAN_INCLUDE_DIR})
file(GLOB REF_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/ref/*.c)
add_library(weir_ref STATIC ${REF_SOURCES} ${WEIR_COMPILED}/tests/shaders.c)
add_dependencies(weir_ref weir_shaders)
target_include_directories(weir_ref PRIVATE ${WEIR_TEST_FOLDERS})
target_link_libraries(weir_ref PUBLIC weir)
