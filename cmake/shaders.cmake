# Every shaders/<room>/<name>.comp, .vert and .frag becomes <build>/shaders/<room>/<file>.inc, SPIR-V
# words for C.
set(GLSLC_FLAGS -Werror --target-env=vulkan1.3 -I ${PROJECT_SOURCE_DIR}/shaders/shared
                -I ${PROJECT_SOURCE_DIR}/shaders/lib -mfmt=c)

function(weir_compile_shader shader words)
    get_filename_component(folder ${words} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    file(RELATIVE_PATH name ${PROJECT_BINARY_DIR} ${words})
    add_custom_command(
        OUTPUT ${words}
        COMMAND ${GLSLC} ${ARGN} ${GLSLC_FLAGS} -MD -MF ${words}.d -o ${words} ${shader}
        DEPENDS ${shader}
        DEPFILE ${words}.d
        COMMENT "glslc ${name}"
        VERBATIM)
endfunction()

file(GLOB SHADERS CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/shaders/*/*.comp
     ${PROJECT_SOURCE_DIR}/shaders/*/*.vert ${PROJECT_SOURCE_DIR}/shaders/*/*.frag)
set(SHADER_WORDS)
foreach(shader ${SHADERS})
    file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${shader})
    weir_compile_shader(${shader} ${PROJECT_BINARY_DIR}/${name}.inc -O)
    list(APPEND SHADER_WORDS ${PROJECT_BINARY_DIR}/${name}.inc)
    file(STRINGS ${shader} gathers REGEX "GATHER_(WHOLE_)?BLOCK")
    if(gathers) # shaders/lib/gather.glsl
        string(REGEX REPLACE "\\.comp$" ".texels.comp" variant ${name})
        weir_compile_shader(${shader} ${PROJECT_BINARY_DIR}/${variant}.inc -O -DWEIR_TEXELS)
        list(APPEND SHADER_WORDS ${PROJECT_BINARY_DIR}/${variant}.inc)
    endif()
endforeach()
add_custom_target(weir_shaders DEPENDS ${SHADER_WORDS})
