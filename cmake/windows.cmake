# The toolchain of the preset windows: mingw-w64 for 64-bit Windows, and the libraries that
# tools/windows-libraries built.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)

get_filename_component(WEIR_WINDOWS_ROOT "${CMAKE_CURRENT_LIST_DIR}/../build/windows-libraries/root" ABSOLUTE)
set(CMAKE_FIND_ROOT_PATH ${WEIR_WINDOWS_ROOT} /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_LIBDIR} ${WEIR_WINDOWS_ROOT}/lib/pkgconfig)

# Links the compiler's libraries statically, so that one file runs on any Windows 10.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static")
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-static")
