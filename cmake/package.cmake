# Contents of the packages of `cpack`, for tools/package: a tarball of the portable build, a Debian package of
# an ordinary one, a zip of the build for Windows.
set(CPACK_PACKAGE_NAME weir)
set(CPACK_PACKAGE_VENDOR Weir)
set(CPACK_PACKAGE_CONTACT "the developers of Weir")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
string(TOLOWER ${CMAKE_SYSTEM_NAME} system)
set(CPACK_PACKAGE_FILE_NAME weir-${PROJECT_VERSION}-${system}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_STRIP_FILES ON)
# The loader is opened at run time, so it is not detected among the linked libraries.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS libvulkan1)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS mesa-vulkan-drivers)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libhdf5-103-1, weir-openmpi, weir-mpich") # loaded at run time
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Simulates liquids with particles on the GPU by PBF, PCISPH, FLIP, APIC or WCSPH,
and turns them into pictures and closed surface meshes. A program with a
viewer, and a library for C. It needs a Vulkan 1.3 driver, also one for the CPU.")

# Licences of the libraries that are linked statically or included in a wheel (tools/package wheel), from the
# build machine. Debian's packages name theirs.
if(SKBUILD)
    set(licences weir/licences COMPONENT python)
    install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${licences} RENAME weir.txt)
else()
    set(licences ${CMAKE_INSTALL_DOCDIR}/licences)
endif()
if(WIN32)
    install(DIRECTORY ${WEIR_WINDOWS_ROOT}/share/licences DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN "cmocka.txt" EXCLUDE)
elseif(WEIR_STATIC_DEPENDENCIES OR SKBUILD)
    set(of_viewer)
    if(WEIR_HAS_VIEWER)
        set(of_viewer libglfw3-dev libimgui-dev libstb-dev)
    endif()
    foreach(library libjansson-dev zlib1g-dev libpng-dev libvulkan-volk-dev libmeshoptimizer-dev libopenexr-dev libimath-dev
            libgcc-s1 ${of_viewer})
        set(licence /usr/share/doc/${library}/copyright)
        if(EXISTS ${licence})
            install(FILES ${licence} DESTINATION ${licences} RENAME ${library}.txt)
        endif()
    endforeach()
endif()
include(CPack)
