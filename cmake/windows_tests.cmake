# The tests for Windows: those of the libraries that use nothing of POSIX, and a host's frame. `ctest` runs
# them under Wine if it is installed; tests/long/test_windows.py does so with a display, which Wine's Vulkan
# needs.
include(test_support)
find_program(WINE wine)
if(WINE)
    set(CMAKE_CROSSCOMPILING_EMULATOR ${WINE})
endif()
function(weir_add_windows_test name tier)
    add_test(NAME ${tier}/${name} COMMAND ${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${tier}/${name} PROPERTIES SKIP_RETURN_CODE 77 LABELS ${tier} TIMEOUT 1200
                         FAIL_REGULAR_EXPRESSION "FAILED.*GROUP TEARDOWN")
endfunction()

foreach(tier unit kernel)
    file(GLOB tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${tier}/test_*.c)
    foreach(test ${tests})
        get_filename_component(name ${test} NAME_WE)
        file(STRINGS ${test} posix REGEX
             "<(unistd|sys/[a-z]+|dirent|signal)\\.h>|(POSIX_C|XOPEN)_SOURCE|vulkan_layer|\"sh\"|fuzz\\.h|\"(camera|commands|bench_internal)\\.h")
        if(posix)
            continue()
        endif()
        add_executable(${name} ${test})
        target_include_directories(${name} PRIVATE ${WEIR_TEST_FOLDERS})
        target_link_libraries(${name} PRIVATE weir_ref weir PkgConfig::CMOCKA)
        weir_add_windows_test(${name} ${tier})
    endforeach()
endforeach()

# Hosts with a volk of their own, on weir.dll. tests/api/host_support.h runs without validation there.
file(GLOB tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/api/test_host_*.c)
foreach(test ${tests} ${PROJECT_SOURCE_DIR}/tests/api/test_adopt_drivers.c)
    get_filename_component(name ${test} NAME_WE)
    add_executable(${name} ${test})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/src/include ${WEIR_TEST_FOLDERS})
    target_link_libraries(${name} PRIVATE weir_shared PkgConfig::CMOCKA pthread)
    weir_add_windows_test(${name} api)
endforeach()
