# Draws the letters of legends at build time, from a font of the system, as src/render/legend_font.c includes them.
find_file(WEIR_FONT NAMES DejaVuSans.ttf LiberationSans-Regular.ttf Arial.ttf arial.ttf
    PATHS /usr/share/fonts/truetype/dejavu /usr/share/fonts/dejavu-sans-fonts /usr/share/fonts/dejavu
          /usr/share/fonts/TTF /usr/share/fonts/truetype /usr/share/fonts/truetype/liberation
          /usr/share/fonts/liberation-sans /run/current-system/sw/share/X11/fonts
          /System/Library/Fonts/Supplemental C:/Windows/Fonts
    NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH DOC "TrueType font of the legends in pictures")
find_program(WEIR_FONT_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH) # Debian's has Pillow
if(NOT WEIR_FONT_PYTHON)
    set(WEIR_FONT_PYTHON ${Python3_EXECUTABLE})
endif()
# pip builds wheels with a PYTHONPATH that hides the packages of the system.
set(WEIR_FONT_PYTHON_COMMAND ${CMAKE_COMMAND} -E env --unset=PYTHONPATH ${WEIR_FONT_PYTHON})
execute_process(COMMAND ${WEIR_FONT_PYTHON_COMMAND} -c "import PIL" RESULT_VARIABLE no_pillow OUTPUT_QUIET ERROR_QUIET)
set(font "")
if(WEIR_FONT AND NOT no_pillow)
    set(font ${WEIR_FONT})
else()
    message(STATUS "Legends in pictures will have no text: install fonts-dejavu-core and python3-pil (tools/setup)")
endif()
set(WEIR_FONT_HEADER ${PROJECT_BINARY_DIR}/font/legend_letters.inc)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/font)
add_custom_command(OUTPUT ${WEIR_FONT_HEADER}
    COMMAND ${WEIR_FONT_PYTHON_COMMAND} ${PROJECT_SOURCE_DIR}/cmake/make_font.py "${font}" ${WEIR_FONT_HEADER}
    DEPENDS ${PROJECT_SOURCE_DIR}/cmake/make_font.py ${font}
    COMMENT "Drawing the letters of legends" VERBATIM)
add_custom_target(weir_font DEPENDS ${WEIR_FONT_HEADER})
