# Inputs of the structure tests besides their own source.

# Every struct of shaders/shared, once as a shader whose SPIR-V contains its offsets, once as a C table.
if(TARGET structure_tests)
    file(GLOB SHARED_HEADERS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/shaders/shared/*.h)
    set(offsets ${PROJECT_BINARY_DIR}/tests/structure)
    file(MAKE_DIRECTORY ${offsets})
    add_custom_command(
        OUTPUT ${offsets}/shared_offsets.comp ${offsets}/shared_headers.inc ${offsets}/shared_offsets.inc
        COMMAND ${CMAKE_COMMAND} "-DHEADERS=${SHARED_HEADERS}" -DFOLDER=${offsets}
                -P ${PROJECT_SOURCE_DIR}/cmake/shared_offsets.cmake
        DEPENDS ${SHARED_HEADERS} ${PROJECT_SOURCE_DIR}/cmake/shared_offsets.cmake
        VERBATIM
        COMMENT "Listing the shared blocks")
    weir_compile_shader(${offsets}/shared_offsets.comp ${offsets}/shared_offsets.comp.inc -O0 -g)
    add_custom_target(weir_shared_offsets DEPENDS ${offsets}/shared_headers.inc ${offsets}/shared_offsets.inc
                                                  ${offsets}/shared_offsets.comp.inc)
    add_dependencies(structure_tests weir_shared_offsets)
    target_include_directories(structure_tests PRIVATE ${offsets})
endif()

if(TARGET structure_tests)
    set(shared_library "")
    if(TARGET weir_shared)
        add_dependencies(structure_tests weir_shared)
        set(shared_library $<TARGET_FILE:weir_shared>)
    endif()
    if(TARGET weir_archive)
        add_dependencies(structure_tests weir_archive)
    endif()
    target_compile_definitions(structure_tests PRIVATE WEIR_SHARED_LIBRARY="${shared_library}"
                                                       WEIR_ARCHIVE="${WEIR_ARCHIVE}")
endif()
