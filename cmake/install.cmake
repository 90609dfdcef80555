# `cmake --install`: library, headers, program, find_package(weir) and pkg-config; scenes with their schema,
# the add-on for Blender, and the documentation. The target weir_installed builds everything of this that is
# built.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

file(GLOB WEIR_PUBLIC_HEADERS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/include/weir/*.h)
install(FILES ${WEIR_PUBLIC_HEADERS} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/weir)
install(FILES ${PROJECT_SOURCE_DIR}/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/weir)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/tools/blender DESTINATION ${CMAKE_INSTALL_DATADIR}/weir
        FILES_MATCHING PATTERN "*.py" PATTERN "*.toml")
add_custom_target(weir_installed)
foreach(part weir_program weir_shared weir_archive ${WEIR_MPI_MODULES})
    if(TARGET ${part})
        add_dependencies(weir_installed ${part})
    endif()
endforeach()
# The man page and shell completions, which the program prints; a program for another system cannot run here.
set(WEIR_MANUAL man:man/man1/weir.1 bash:bash-completion/completions/weir zsh:zsh/site-functions/_weir
                fish:fish/vendor_completions.d/weir.fish)
if(TARGET weir_program AND NOT CMAKE_CROSSCOMPILING)
    foreach(page ${WEIR_MANUAL})
        string(REGEX MATCH "^(.*):(.*)/(.*)$" _ ${page})
        set(format ${CMAKE_MATCH_1})
        set(folder ${CMAKE_MATCH_2})
        set(file ${PROJECT_BINARY_DIR}/manual/${folder}/${CMAKE_MATCH_3})
        file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/manual/${folder})
        add_custom_command(OUTPUT ${file} COMMAND weir_program help --format ${format} > ${file}
                           DEPENDS weir_program VERBATIM)
        install(FILES ${file} DESTINATION ${CMAKE_INSTALL_DATADIR}/${folder})
        list(APPEND manual ${file})
    endforeach()
    add_custom_target(weir_manual ALL DEPENDS ${manual})
    add_dependencies(weir_installed weir_manual)
endif()
if(TARGET weir_program)
    install(TARGETS weir_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
if(WEIR_SHARED)
    install(TARGETS weir_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
            ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} # to link with weir.dll
            RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
# Files that pip puts into the Python package: pyproject.toml.
if(SKBUILD)
    install(FILES $<TARGET_FILE:weir_shared> DESTINATION weir COMPONENT python RENAME libweir.so)
    install(PROGRAMS $<TARGET_FILE:weir_program> DESTINATION weir/bin COMPONENT python)
    install(FILES ${WEIR_PUBLIC_HEADERS} DESTINATION weir/include COMPONENT python)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenes DESTINATION weir COMPONENT python)
endif()
if(TARGET weir_archive)
    install(FILES ${WEIR_ARCHIVE} DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/weir)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/weir-config.cmake.in weir-config.cmake
                              INSTALL_DESTINATION ${package}
                              PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(weir-config-version.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${PROJECT_BINARY_DIR}/weir-config.cmake ${PROJECT_BINARY_DIR}/weir-config-version.cmake
        DESTINATION ${package})

# The file derives its prefix from its own location, so that the whole tree can be moved.
file(RELATIVE_PATH to_prefix "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
string(REGEX REPLACE "/$" "" to_prefix "${to_prefix}")
set(WEIR_PC_PREFIX "\${pcfiledir}/${to_prefix}")
configure_file(${PROJECT_SOURCE_DIR}/cmake/weir.pc.in weir.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/weir.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
