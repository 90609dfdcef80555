# The tests for Windows: those of the libraries that use nothing of POSIX, and a host's frame. `ctest` runs
# them under Wine if it is installed; tests/long/test_windows.py does so with a display, which Wine's Vulkan
# needs.
include(test_support)
find_program(WINE wine)
if(WINE)
    set(CMAKE_CROSSCOMPILING_EMULATOR ${WINE})
endif()
function(weir_add_windows_tests tier folder libraries)
    set(program ${tier}_${folder}_tests)
    weir_add_test_program(${program} run_one.c ${ARGN})
    target_link_libraries(${program} PRIVATE ${libraries} PkgConfig::CMOCKA)
    foreach(test ${ARGN})
        get_filename_component(name ${test} NAME_WE)
        add_test(NAME ${tier}/${name} COMMAND ${program} ${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
        set_tests_properties(${tier}/${name} PROPERTIES SKIP_RETURN_CODE 77 LABELS ${tier} TIMEOUT 1200
                             FAIL_REGULAR_EXPRESSION "FAILED.*GROUP TEARDOWN")
    endforeach()
endfunction()

file(GLOB folders RELATIVE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/tests/unit/* ${PROJECT_SOURCE_DIR}/tests/kernel/*)
foreach(path ${folders})
    get_filename_component(tier ${path} DIRECTORY)
    get_filename_component(folder ${path} NAME)
    file(GLOB tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/${path}/test_*.c)
    set(portable)
    foreach(test ${tests})
        file(STRINGS ${test} posix REGEX
             "<(unistd|sys/[a-z]+|dirent|signal)\\.h>|(POSIX_C|XOPEN)_SOURCE|vulkan_layer|\"sh\"|fuzz\\.h|mkdtemp")
        if(NOT posix)
            list(APPEND portable ${test})
        endif()
    endforeach()
    if(portable)
        set(parts)
        if(TARGET weir_${folder}_parts AND tier STREQUAL "unit")
            set(parts weir_${folder}_parts)
        endif()
        weir_add_windows_tests(${tier} ${folder} "weir_ref;${parts};weir" ${portable})
    endif()
endforeach()

# Hosts with a volk of their own, on weir.dll. tests/api/host/host_support.h runs without validation there.
file(GLOB tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/api/host/test_host_*.c)
weir_add_windows_tests(api host "weir_shared;pthread" ${tests}
                       ${PROJECT_SOURCE_DIR}/tests/api/host/test_adopt_drivers.c)
target_include_directories(api_host_tests PRIVATE ${PROJECT_SOURCE_DIR}/src/include)
