# The tests tests/<tier>/<folder>/test_<topic>.c of a folder are linked into the program <tier>_<folder>_tests; a
# tier without folders has one program. Each test runs in a process of its own, from the repository's root. The
# preset "clang" compiles the tests only for clang's warnings, without optimisation.
add_compile_options(${WEIR_TEST_OPTIONS})
include(test_support)
file(GLOB TEST_SOURCES CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/tests/*/test_*.c
     ${PROJECT_SOURCE_DIR}/tests/*/*/test_*.c)

# Where a test enables validation, synchronisation hazards between submissions are checked, too; the layer
# takes this option only from the environment.
set(WEIR_TEST_ENVIRONMENT "VK_LAYER_ENABLES=VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT")
if(WEIR_SANITIZE MATCHES "address" AND NOT APPLE)
    add_library(keep_libraries MODULE ${PROJECT_SOURCE_DIR}/tests/layers/keep_libraries.c)
    target_compile_options(keep_libraries PRIVATE -fno-sanitize=all)
    target_link_options(keep_libraries PRIVATE -fno-sanitize=all)
    list(APPEND WEIR_TEST_ENVIRONMENT "LD_PRELOAD=$<TARGET_FILE:keep_libraries>"
        "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/leaks.txt:print_suppressions=0"
        "UBSAN_OPTIONS=print_stacktrace=1")
elseif(WEIR_SANITIZE MATCHES "thread")
    list(APPEND WEIR_TEST_ENVIRONMENT
        "TSAN_OPTIONS=halt_on_error=1:suppressions=${PROJECT_SOURCE_DIR}/tests/races.txt")
endif()

# Timeout for a hung test: ten times the slowest of its tier, because the machine may be busy.
function(weir_set_test_properties name tier)
    set(seconds 1200)
    if(tier STREQUAL "long")
        set(seconds 7200)
    endif()
    # cmocka exits with 0 if only a group's teardown fails, for instance because of a validation message.
    set_tests_properties(${tier}/${name} PROPERTIES SKIP_RETURN_CODE 77 LABELS ${tier} TIMEOUT ${seconds}
                         FAIL_REGULAR_EXPRESSION "FAILED.*GROUP TEARDOWN"
                         ENVIRONMENT "${WEIR_TEST_ENVIRONMENT}")
endfunction()

# Hosts with their own volk link the library that users link, in which no name of Weir's volk is visible.
if(TARGET weir_archive)
    set(api_host_tests_LIBRARIES ${WEIR_ARCHIVE} ${WEIR_LINKED} ${CMAKE_DL_LIBS})
    set(api_host_tests_NEEDS weir_archive)
elseif(WEIR_SHARED)
    set(api_host_tests_LIBRARIES weir_shared ${CMAKE_DL_LIBS})
else() # sanitized builds have neither library: their modules and a host's volk would clash
    list(FILTER TEST_SOURCES EXCLUDE REGEX "^api/host/")
endif()

# The example of docs/embedding.md, linked with the same archive.
find_package(Vulkan QUIET)
if(TARGET weir_archive AND Vulkan_FOUND)
    add_library(weir_host INTERFACE)
    target_include_directories(weir_host INTERFACE ${PROJECT_SOURCE_DIR}/src/include)
    target_link_libraries(weir_host INTERFACE ${WEIR_ARCHIVE} ${WEIR_LINKED})
    add_library(weir::weir ALIAS weir_host)
    add_subdirectory(docs/embedding)
    foreach(example embedding ranks drop)
        if(TARGET ${example})
            add_dependencies(${example} weir_archive)
        endif()
    endforeach()
    add_dependencies(embedding ranks) # test_embedding starts them all
    if(TARGET drop)
        add_dependencies(embedding drop)
    endif()
    add_executable(bench_host tests/bench/bench_host.c docs/embedding/device.c) # tools/bench-host
    target_include_directories(bench_host PRIVATE docs/embedding)
    target_link_libraries(bench_host PRIVATE weir_host Vulkan::Vulkan)
    add_dependencies(bench_host weir_archive)
endif()
set(test_embedding_HELPER embedding)

# Targets of the fuzzer. The test replays their corpus in every build; `weir_fuzz` (preset fuzz) combines them
# with clang's libFuzzer: tools/fuzz.
add_library(weir_fuzz_targets STATIC tests/fuzz/fuzz.c tests/fuzz/readers.c tests/fuzz/runs.c tests/fuzz/saved.c
            tests/fuzz/writers.c src/app/bench/compare.c src/app/bodies_jsonl.c)
target_include_directories(weir_fuzz_targets PUBLIC ${WEIR_MODULE_FOLDERS} ${WEIR_TEST_FOLDERS}
                                                    ${PROJECT_SOURCE_DIR}/tests/fuzz
                                             PRIVATE ${WEIR_APP_FOLDERS})
target_link_libraries(weir_fuzz_targets PUBLIC weir_view_parts)
set(api_fuzz_tests_LIBRARIES weir_fuzz_targets)
if(WEIR_FUZZ)
    add_executable(weir_fuzz tests/fuzz/libfuzzer.c)
    target_link_libraries(weir_fuzz PRIVATE weir_fuzz_targets -fsanitize=fuzzer)
endif()

# A sanitizer quarantines freed memory, so the process grows.
if(WEIR_SANITIZE)
    list(FILTER TEST_SOURCES EXCLUDE REGEX "/test_soak\\.c$")
endif()

set(unit_view_tests_LIBRARIES weir_view_parts)
set(unit_bench_tests_LIBRARIES weir_bench_parts)
# Tests that run the physics gates.
set(physics_gates_tests_LIBRARIES weir_gates weir_ref weir)
set(long_tests_LIBRARIES weir_gates weir_ref weir)
set(test_validate_HELPER weir_validate)
set_target_properties(weir_validate PROPERTIES EXCLUDE_FROM_ALL OFF) # tools/gpu-report looks for it, too
# `weir` with a busy loop in one pass, to test that --compare finds it: the program's objects and the table of
# the simulation's shaders, with the modified SPIR-V.
if(TARGET weir_program)
    set(planted ${PROJECT_BINARY_DIR}/planted)
    add_custom_command(
        OUTPUT ${planted}/lambda.comp
        COMMAND ${CMAKE_COMMAND} -DINPUT=${PROJECT_SOURCE_DIR}/shaders/sim/pbf/lambda.comp
                -DOUTPUT=${planted}/lambda.comp -P ${PROJECT_SOURCE_DIR}/cmake/insert_busy_loop.cmake
        DEPENDS ${PROJECT_SOURCE_DIR}/shaders/sim/pbf/lambda.comp ${PROJECT_SOURCE_DIR}/cmake/insert_busy_loop.cmake
        VERBATIM)
    weir_compile_shader(${planted}/lambda.comp ${planted}/sim/pbf/lambda.comp.inc -O)
    weir_compile_shader(${planted}/lambda.comp ${planted}/sim/pbf/lambda.texels.comp.inc -O -DWEIR_TEXELS)
    # Without the objects that each program of a sanitized build adds for itself (modules.cmake).
    set(program_objects $<FILTER:$<TARGET_OBJECTS:weir_program>,EXCLUDE,keep_libraries>)
    add_executable(weir_planted ${program_objects} ${WEIR_COMPILED}/sim/shaders.c
                   ${planted}/sim/pbf/lambda.comp.inc ${planted}/sim/pbf/lambda.texels.comp.inc)
    target_include_directories(weir_planted PRIVATE ${planted} ${WEIR_COMPILED})
    target_link_libraries(weir_planted PRIVATE weir weir_view)
    add_dependencies(weir_planted weir_program)
    # The program as in a development build, to test that changed shaders are reloaded.
    if(WEIR_HAS_VIEWER)
        add_executable(weir_develop ${program_objects} src/gpu/pipeline/reload.c)
        target_compile_definitions(weir_develop PRIVATE ${WEIR_RELOAD_WORDS})
        target_include_directories(weir_develop PRIVATE ${PROJECT_SOURCE_DIR}/src/gpu ${VOLK_INCLUDE_DIR} ${VULKAN_INCLUDE_DIR})
        target_link_libraries(weir_develop PRIVATE weir weir_view)
        add_dependencies(weir_develop weir_program)
        list(APPEND cli_view_tests_NEEDS weir_develop)
        set(develop $<TARGET_FILE:weir_develop>)
    endif()
    list(APPEND cli_run_tests_NEEDS weir_planted fake_renderdoc)
    add_library(lose_device MODULE ${PROJECT_SOURCE_DIR}/tests/layers/lose_device.c)
    target_include_directories(lose_device PRIVATE ${VULKAN_INCLUDE_DIR})
    list(APPEND cli_survival_tests_NEEDS lose_device)
    add_library(count_stamps MODULE ${PROJECT_SOURCE_DIR}/tests/layers/count_stamps.c)
    target_include_directories(count_stamps PRIVATE ${VULKAN_INCLUDE_DIR})
    list(APPEND cli_view_tests_NEEDS count_stamps fake_renderdoc)
    foreach(layer list_labels list_code)
        add_library(${layer} MODULE ${PROJECT_SOURCE_DIR}/tests/layers/${layer}.c)
        target_include_directories(${layer} PRIVATE ${VULKAN_INCLUDE_DIR})
        list(APPEND cli_run_tests_NEEDS ${layer})
    endforeach()
    add_library(like_metal MODULE ${PROJECT_SOURCE_DIR}/tests/layers/like_metal.c)
    target_include_directories(like_metal PRIVATE ${VULKAN_INCLUDE_DIR})
    list(APPEND cli_survival_tests_NEEDS like_metal)
    add_library(low_limits MODULE ${PROJECT_SOURCE_DIR}/tests/layers/low_limits.c)
    target_include_directories(low_limits PRIVATE ${VULKAN_INCLUDE_DIR})
    list(APPEND cli_survival_tests_NEEDS low_limits)
    add_library(fail_files SHARED ${PROJECT_SOURCE_DIR}/tests/layers/fail_files.c)
    set_target_properties(fail_files PROPERTIES C_VISIBILITY_PRESET default)
    target_compile_options(fail_files PRIVATE -fno-sanitize=all -U_FORTIFY_SOURCE)
    target_link_options(fail_files PRIVATE -fno-sanitize=all)
    add_library(fast_clock SHARED ${PROJECT_SOURCE_DIR}/tests/layers/fast_clock.c)
    set_target_properties(fast_clock PROPERTIES C_VISIBILITY_PRESET default)
    target_compile_options(fast_clock PRIVATE -fno-sanitize=all)
    target_link_options(fast_clock PRIVATE -fno-sanitize=all)
    add_library(hide_library SHARED ${PROJECT_SOURCE_DIR}/tests/layers/hide_library.c)
    set_target_properties(hide_library PROPERTIES C_VISIBILITY_PRESET default)
    target_compile_options(hide_library PRIVATE -fno-sanitize=all)
    target_link_options(hide_library PRIVATE -fno-sanitize=all)
    target_link_libraries(hide_library PRIVATE ${CMAKE_DL_LIBS})
    list(APPEND cli_survival_tests_NEEDS fail_files fast_clock hide_library)
    add_library(fake_renderdoc SHARED ${PROJECT_SOURCE_DIR}/tests/layers/fake_renderdoc.c)
    set_target_properties(fake_renderdoc PROPERTIES OUTPUT_NAME renderdoc PREFIX lib
                          C_VISIBILITY_PRESET default)
    # In the place of a client that is a shared library; the static one is part of the program.
    if(WEIR_TRACY AND NOT WEIR_TRACY_TYPE STREQUAL "STATIC_LIBRARY")
        add_library(fake_tracy SHARED ${PROJECT_SOURCE_DIR}/tests/layers/fake_tracy.c)
        set_target_properties(fake_tracy PROPERTIES C_VISIBILITY_PRESET default)
        target_include_directories(fake_tracy SYSTEM PRIVATE
                                   $<TARGET_PROPERTY:Tracy::TracyClient,INTERFACE_INCLUDE_DIRECTORIES>)
        target_compile_definitions(fake_tracy PRIVATE
                                   $<TARGET_PROPERTY:Tracy::TracyClient,INTERFACE_COMPILE_DEFINITIONS>)
        list(APPEND cli_run_tests_NEEDS fake_tracy)
        set(test_tracy_COUNT $<TARGET_FILE:fake_tracy>)
    endif()
endif()

# A layer that simulates a window, in which test_windows shows pictures.
if(NOT APPLE)
    add_library(fake_window MODULE ${PROJECT_SOURCE_DIR}/tests/layers/fake_window.c)
    target_include_directories(fake_window PRIVATE ${VULKAN_INCLUDE_DIR})
    file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/layers/fake_window.json CONTENT
"{\"file_format_version\": \"1.0.0\", \"layer\": {\"name\": \"VK_LAYER_WEIR_window\", \"type\": \"GLOBAL\",
\"library_path\": \"$<TARGET_FILE:fake_window>\", \"api_version\": \"1.3.0\", \"implementation_version\": \"1\",
\"description\": \"a window that is not there\"}}
")
    set(kernel_gpu_tests_NEEDS fake_window)
else()
    list(FILTER TEST_SOURCES EXCLUDE REGEX "/test_windows\\.c$")
endif()

# The target all_<tier>_tests builds everything that the tests of one tier need.
function(weir_add_tier_build tier)
    if(NOT TARGET all_${tier}_tests)
        add_custom_target(all_${tier}_tests)
        if(TARGET keep_libraries) # preloaded by the environment of every test
            add_dependencies(all_${tier}_tests keep_libraries)
        endif()
    endif()
    add_dependencies(all_${tier}_tests ${ARGN})
endfunction()

file(GLOB CLI_SUPPORT CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/support/cli/*.c)
set(programs)
foreach(test ${TEST_SOURCES})
    get_filename_component(name ${test} NAME_WE)
    get_filename_component(folder ${test} DIRECTORY)
    string(REGEX REPLACE "/.*" "" tier ${folder})
    string(REPLACE "/" "_" program ${folder}_tests)
    list(APPEND programs ${program})
    list(APPEND ${program}_SOURCES ${PROJECT_SOURCE_DIR}/tests/${test})
    set(${program}_TIER ${tier})
    add_test(NAME ${tier}/${name} COMMAND ${program} ${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    weir_set_test_properties(${name} ${tier})
endforeach()
list(REMOVE_DUPLICATES programs)
foreach(program ${programs})
    weir_add_test_program(${program} run_one.c ${${program}_SOURCES})
    target_link_libraries(${program} PRIVATE PkgConfig::CMOCKA)
    if(${program}_LIBRARIES)
        target_link_libraries(${program} PRIVATE ${${program}_LIBRARIES})
        target_include_directories(${program} PRIVATE ${PROJECT_SOURCE_DIR}/src/include)
    else()
        target_link_libraries(${program} PRIVATE weir_ref weir)
    endif()
    if(${program}_NEEDS)
        add_dependencies(${program} ${${program}_NEEDS})
    endif()
    if(${program}_TIER MATCHES "^(cli|long)$" AND TARGET weir_program)
        add_dependencies(${program} weir_program)
        target_sources(${program} PRIVATE ${CLI_SUPPORT})
        target_compile_definitions(${program} PRIVATE WEIR_PROGRAM="$<TARGET_FILE:weir_program>"
                                   WEIR_PLANTED="$<TARGET_FILE:weir_planted>" WEIR_DEVELOP="${develop}"
                                   LOSE_DEVICE="$<TARGET_FILE:lose_device>"
                                   LIKE_METAL="$<TARGET_FILE:like_metal>"
                                   LOW_LIMITS="$<TARGET_FILE:low_limits>"
                                   COUNT_STAMPS="$<TARGET_FILE:count_stamps>"
                                   FAIL_FILES="$<TARGET_FILE:fail_files>"
                                   FAST_CLOCK="$<TARGET_FILE:fast_clock>"
                                   FAKE_RENDERDOC="$<TARGET_FILE:fake_renderdoc>")
    endif()
    weir_add_tier_build(${${program}_TIER} ${program})
endforeach()
if(TARGET fake_window)
    target_compile_definitions(kernel_gpu_tests PRIVATE FAKE_WINDOW="$<TARGET_FILE:fake_window>"
                               LAYERS="${PROJECT_BINARY_DIR}/layers")
endif()

# The layers under which tools/kernel_statistics.py runs make_kernels: isa_layer has RADV compile besides the driver
# that runs, and stub_layer reports what a driver compiles whose GPU is not present.
function(weir_add_isa_layer library layer description)
    add_library(${library} MODULE tests/isa/${library}.c)
    target_include_directories(${library} PRIVATE ${VULKAN_INCLUDE_DIR} ${PROJECT_SOURCE_DIR}/tests/layers
                               ${PROJECT_SOURCE_DIR}/shaders/shared)
    target_link_libraries(${library} PRIVATE ${CMAKE_DL_LIBS} m)
    file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/${library}.json CONTENT
"{\"file_format_version\": \"1.0.0\", \"layer\": {\"name\": \"VK_LAYER_WEIR_${layer}\", \"type\": \"GLOBAL\",
\"library_path\": \"$<TARGET_FILE:${library}>\", \"api_version\": \"1.3.0\", \"implementation_version\": \"1\",
\"description\": \"${description}\"}}
")
endfunction()
if(NOT APPLE AND NOT WEIR_SANITIZE)
    weir_add_isa_layer(isa_layer isa "compiles pipelines for other GPUs")
    weir_add_isa_layer(stub_layer stub "reports what a driver compiles")
    set(test_isa_HELPER make_kernels)
    set(test_makers_HELPER make_kernels)
endif()

# Generates scenes/scene.schema.json from the parser's tables.
add_custom_target(scene_schema COMMAND unit_scene_tests test_scene_schema --write WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} VERBATIM)

# Every test_<topic>.py under tests/<tier> runs under the system's Python, whose VTK it may need, with the path of
# one program, a helper built from the script's folder or `weir`, and with <name>_COUNT where it is set: a number, or
# a library.
set(test_frames_vtk_HELPER write_frames)
if(NOT WEIR_SANITIZE) # under sanitizers it keeps its default count
    set(test_kills_COUNT 50)
endif()
find_program(WEIR_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
find_program(WEIR_PYTHON python3)
file(GLOB TEST_SCRIPTS CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/tests
     ${PROJECT_SOURCE_DIR}/tests/*/test_*.py ${PROJECT_SOURCE_DIR}/tests/*/*/test_*.py)
if(NOT TARGET isa_layer)
    list(FILTER TEST_SCRIPTS EXCLUDE REGEX "/test_(isa|makers|get_mesa)\\.py$")
endif()
foreach(script ${TEST_SCRIPTS})
    get_filename_component(name ${script} NAME_WE)
    string(REGEX REPLACE "/.*" "" tier ${script})
    set(script ${PROJECT_SOURCE_DIR}/tests/${script})
    get_filename_component(folder ${script} DIRECTORY)
    set(program weir_program)
    if(${name}_HELPER)
        set(program ${${name}_HELPER})
    endif()
    if(EXISTS ${folder}/${program}.c AND NOT TARGET ${program})
        add_executable(${program} ${folder}/${program}.c)
        target_include_directories(${program} PRIVATE ${WEIR_TEST_FOLDERS})
        target_link_libraries(${program} PRIVATE weir)
    endif()
    if(WEIR_PYTHON AND TARGET ${program})
        add_test(NAME ${tier}/${name} COMMAND ${WEIR_PYTHON} ${script} $<TARGET_FILE:${program}> ${${name}_COUNT}
                 WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
        weir_set_test_properties(${name} ${tier})
        weir_add_tier_build(${tier} ${program})
    endif()
endforeach()

# Tests of the add-on and of exports in a Python with bpy, which is rarely installed; skipped without one.
if(WEIR_PYTHON AND TARGET weir_program)
    foreach(name export_scene blender_addon)
        add_test(NAME long/test_${name}_bpy WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                 COMMAND ${WEIR_PYTHON} tests/cli/mesh/test_${name}.py $<TARGET_FILE:weir_program> bpy)
        weir_set_test_properties(test_${name}_bpy long)
    endforeach()
endif()

# The same test as in the standard tier with other arguments: many times, or with what takes long.
function(weir_add_long_run name)
    add_test(NAME long/${name} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} COMMAND ${ARGN})
    weir_set_test_properties(${name} long)
endfunction()
if(WEIR_PYTHON AND TARGET weir_program)
    foreach(many "test_failing_files 1" "test_kills 1000" "test_lost_runs 100 500" "test_reruns 350")
        separate_arguments(words UNIX_COMMAND ${many})
        list(POP_FRONT words name)
        weir_add_long_run(${name} ${WEIR_PYTHON} tests/cli/survival/${name}.py $<TARGET_FILE:weir_program> ${words})
    endforeach()
    if(WEIR_MPI_MODULES)
        add_dependencies(all_cli_tests ${WEIR_MPI_MODULES})
        weir_add_long_run(test_run_mpi ${WEIR_PYTHON} tests/cli/run/test_run_mpi.py $<TARGET_FILE:weir_program> wide)
    endif()
    if(NOT WEIR_SANITIZE)
        weir_add_long_run(test_soak api_sim_tests test_soak 100000)
        weir_add_long_run(test_ranks golden_tests test_ranks wide)
    endif()
    weir_add_long_run(test_blender_windows ${WEIR_PYTHON} tests/cli/mesh/test_blender.py $<TARGET_FILE:weir_program> windows)
    weir_add_long_run(test_failing_calls api_sim_tests test_failing_calls 10)
    if(TARGET isa_layer)
        weir_add_long_run(test_isa ${WEIR_PYTHON} tests/isa/test_isa.py $<TARGET_FILE:make_kernels> all)
        weir_add_long_run(test_makers ${WEIR_PYTHON} tests/isa/test_makers.py $<TARGET_FILE:make_kernels> all)
    endif()
endif()

include(structure_tests)

# The first pages run tools/validate, which may link the program that the other test runs.
foreach(test cli/test_validate cli/test_first_pages)
    if(TEST ${test})
        set_tests_properties(${test} PROPERTIES RESOURCE_LOCK weir_validate)
    endif()
endforeach()
