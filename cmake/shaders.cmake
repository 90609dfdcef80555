# Compiles every shaders/<folder>/<path>.comp, .vert and .frag to WEIR_COMPILED/<folder>/<path>.inc, SPIR-V
# words for C. The declarations of a folder's shaders (shaders/lib/bindings/bindings.glsl) become its table,
# WEIR_COMPILED/<folder>/shaders.h and shaders.c. With WEIR_SHADERS, the folder of another build is used, and
# that build is brought up to date: the words are the same for every C compiler.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
if(WEIR_SHADERS)
    set(WEIR_COMPILED ${WEIR_SHADERS}/shaders)
else()
    set(WEIR_COMPILED ${PROJECT_BINARY_DIR}/shaders)
endif()
set(WEIR_BINDINGS ${WEIR_COMPILED}/bindings)
set(GLSLC_FLAGS -Werror --target-env=vulkan1.3 -I ${PROJECT_SOURCE_DIR}/shaders/shared
                -I ${PROJECT_SOURCE_DIR}/shaders/lib -I ${WEIR_BINDINGS})
include(bindings)
if(NOT WEIR_SHADERS)
    weir_number_bindings(sim SIM)
    weir_number_bindings(body BODY)
    weir_number_bindings(deformable DEFORMABLE)
    weir_number_bindings(whitewater WHITEWATER)
    weir_number_bindings(mesh MESH)
    weir_number_bindings(poisson POISSON)
endif()

# Runs glslc on a shader, unless the other build does; further arguments are its options.
function(weir_run_glslc_step shader output)
    string(FIND ${output} ${PROJECT_BINARY_DIR}/ own)
    if(NOT own EQUAL 0)
        return()
    endif()
    get_filename_component(folder ${output} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    file(RELATIVE_PATH name ${PROJECT_BINARY_DIR} ${output})
    add_custom_command(
        OUTPUT ${output}
        COMMAND ${GLSLC} ${ARGN} ${GLSLC_FLAGS} -MD -MF ${output}.d -MT ${output} -o ${output} ${shader}
        DEPENDS ${shader}
        DEPFILE ${output}.d
        COMMENT "glslc ${name}"
        VERBATIM)
endfunction()

function(weir_compile_shader shader words)
    weir_run_glslc_step(${shader} ${words} -mfmt=c ${ARGN})
endfunction()

# Makes the words and the table of one folder of shaders; `prefix` begins the names of its enum. Sets
# <folder>_SHADER_FILES to all files that C includes.
function(weir_compile_shader_folder folder prefix)
    file(GLOB_RECURSE shaders CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/shaders/${folder}/*.comp
         ${PROJECT_SOURCE_DIR}/shaders/${folder}/*.vert ${PROJECT_SOURCE_DIR}/shaders/${folder}/*.frag)
    # A shader that begins to read through texels adds one file.
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${shaders})
    set(made ${WEIR_COMPILED}/${folder})
    set(listings)
    set(words)
    foreach(shader ${shaders})
        file(RELATIVE_PATH file ${PROJECT_SOURCE_DIR}/shaders/${folder} ${shader})
        weir_compile_shader(${shader} ${made}/${file}.inc -O)
        weir_run_glslc_step(${shader} ${made}/${file}.listing -E -DWEIR_LISTING)
        list(APPEND words ${made}/${file}.inc)
        list(APPEND listings ${made}/${file}.listing)
        file(STRINGS ${shader} fetches REGEX "^READ_(FLOAT_)?TEXELS\\(")
        if(fetches)
            string(REGEX REPLACE "\\.comp$" ".texels.comp" variant ${file})
            weir_compile_shader(${shader} ${made}/${variant}.inc -O -DWEIR_TEXELS)
            list(APPEND words ${made}/${variant}.inc)
        endif()
    endforeach()
    set(script ${PROJECT_SOURCE_DIR}/cmake/shader_table.py)
    if(NOT WEIR_SHADERS)
        add_custom_command(
            OUTPUT ${made}/shaders.h ${made}/shaders.c
            COMMAND ${Python3_EXECUTABLE} ${script} ${folder} ${prefix} ${made} ${listings}
            DEPENDS ${listings} ${script}
            COMMENT "Listing what the shaders of ${folder} declare"
            VERBATIM)
    endif()
    set(${folder}_SHADER_FILES ${words} ${made}/shaders.h ${made}/shaders.c PARENT_SCOPE)
endfunction()

set(WEIR_SHADER_FOLDERS body deformable gpu grid mesh poisson probe render sim solid whitewater)
weir_compile_shader_folder(body BODY)
weir_compile_shader_folder(gpu GPU)
weir_compile_shader_folder(grid GRID)
weir_compile_shader_folder(mesh MESHER)
weir_compile_shader_folder(poisson POISSON)
weir_compile_shader_folder(probe PROBE)
weir_compile_shader_folder(render RENDER_SHADER)
weir_compile_shader_folder(sim SIM)
weir_compile_shader_folder(deformable DEFORMABLE)
weir_compile_shader_folder(solid SOLID)
weir_compile_shader_folder(whitewater WHITEWATER)
weir_compile_shader_folder(tests TEST)
set(SHADER_FILES)
set(SHADER_TABLES)
foreach(folder ${WEIR_SHADER_FOLDERS})
    list(APPEND SHADER_FILES ${${folder}_SHADER_FILES})
    list(APPEND SHADER_TABLES ${WEIR_COMPILED}/${folder}/shaders.c)
endforeach()
if(WEIR_SHADERS)
    add_custom_target(weir_shaders
        COMMAND ${CMAKE_COMMAND} --build ${WEIR_SHADERS} --target weir_shaders
        BYPRODUCTS ${SHADER_FILES} ${tests_SHADER_FILES}
        COMMENT "Asking ${WEIR_SHADERS} for its shaders"
        USES_TERMINAL VERBATIM)
else()
    add_custom_target(weir_shaders DEPENDS ${SHADER_FILES} ${tests_SHADER_FILES})
endif()
