# Shared by all kinds of tests: cmocka, the folders that tests include from, weir_ref, the C references of the
# shaders, and weir_test_support, what several folders of tests share.
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)
file(GLOB_RECURSE REF_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/ref/*.c)
set(WEIR_TEST_FOLDERS ${PROJECT_SOURCE_DIR}/tests/support ${PROJECT_SOURCE_DIR}/tests/support/cli
                      ${PROJECT_SOURCE_DIR}/tests/support/sim ${PROJECT_SOURCE_DIR}/tests/layers ${WEIR_COMPILED} ${VOLK_INCLUDE_DIR} ${VULKAN_INCLUDE_DIR})
foreach(source ${REF_SOURCES})
    get_filename_component(folder ${source} DIRECTORY)
    list(APPEND WEIR_TEST_FOLDERS ${folder})
endforeach()
list(REMOVE_DUPLICATES WEIR_TEST_FOLDERS)
add_library(weir_ref STATIC ${REF_SOURCES} ${WEIR_COMPILED}/tests/shaders.c)
add_dependencies(weir_ref weir_shaders)
target_include_directories(weir_ref PRIVATE ${WEIR_TEST_FOLDERS})
target_link_libraries(weir_ref PUBLIC weir)

# Linked with the modules by most tests, and by hosts with the library that users link: it links neither itself.
file(GLOB SUPPORT_SOURCES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/support/*.c
     ${PROJECT_SOURCE_DIR}/tests/support/sim/*.c)
add_library(weir_test_support STATIC ${SUPPORT_SOURCES})
add_dependencies(weir_test_support weir_shaders)
target_compile_options(weir_test_support PRIVATE ${WEIR_MODULE_OPTIONS} -Wno-unused-parameter)
target_include_directories(weir_test_support PRIVATE ${PROJECT_SOURCE_DIR}/src/include ${WEIR_TEST_FOLDERS})
target_link_libraries(weir_test_support PRIVATE ${WEIR_LINKED} PkgConfig::CMOCKA)

# Links test files into one program that runs the test named by its first argument. `main` of each file is
# renamed after the file; test_table.inc lists them for the source in tests/runner that has the program's main.
# Other C files in the tests' folders are shared by the tests.
function(weir_add_test_program program runner)
    set(table)
    set(shared)
    foreach(test ${ARGN})
        get_filename_component(name ${test} NAME_WE)
        set_property(SOURCE ${test} APPEND PROPERTY COMPILE_DEFINITIONS main=${name})
        file(STRINGS ${test} takes_words REGEX "^int main\\(int")
        if(takes_words)
            string(APPEND table "TEST_WITH_WORDS(${name})\n")
        else()
            string(APPEND table "TEST(${name})\n")
        endif()
        get_filename_component(folder ${test} DIRECTORY)
        file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.c)
        list(FILTER sources EXCLUDE REGEX "/test_[^/]*$")
        list(APPEND shared ${sources})
    endforeach()
    list(REMOVE_DUPLICATES shared)
    set(folder ${PROJECT_BINARY_DIR}/tests/${program})
    file(GENERATE OUTPUT ${folder}/test_table.inc CONTENT "${table}")
    add_executable(${program} ${PROJECT_SOURCE_DIR}/tests/runner/${runner} ${ARGN} ${shared})
    target_include_directories(${program} PRIVATE ${folder} ${WEIR_TEST_FOLDERS})
    target_link_libraries(${program} PRIVATE weir_test_support)
    target_compile_options(${program} PRIVATE -Wno-unused-parameter) # few tests use the state that cmocka passes
endfunction()
