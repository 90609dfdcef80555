# Reads the structs of HEADERS and writes into FOLDER shared_offsets.comp, a shader that puts an array of each
# into a buffer; shared_headers.inc, the headers for C; and shared_offsets.inc, lines of {struct, member,
# offset, struct size} for C.
cmake_minimum_required(VERSION 3.20)

set(includes "")
set(c_includes "")
set(buffers "")
set(rows "")
set(binding 0)
foreach(header ${HEADERS})
    get_filename_component(file ${header} NAME)
    string(APPEND includes "#include \"${file}\"\n")
    string(APPEND c_includes "#include \"shared/${file}\"\n")
    if(file STREQUAL "glue.h") # defines vectors that are built into GLSL
        continue()
    endif()
    file(READ ${header} text)
    string(REPLACE ";" "@" text "${text}") # a semicolon would end a list item
    string(REGEX REPLACE "/\\*([^*]|\\*+[^*/])*\\*+/" "" text "${text}")
    string(REGEX REPLACE "//[^\n]*" "" text "${text}")
    string(REGEX MATCHALL "struct [a-z0-9_]+[ \n]*{[^}]*}" structs "${text}")
    foreach(struct ${structs})
        string(REGEX REPLACE "struct ([a-z0-9_]+)[ \n]*{([^}]*)}" "\\1" name "${struct}")
        string(REGEX REPLACE "struct ([a-z0-9_]+)[ \n]*{([^}]*)}" "\\2" body "${struct}")
        string(APPEND buffers "layout(std430, set = 0, binding = ${binding}) buffer ${name}_block "
                              "{ ${name} ${name}_items[]@ }@\n")
        math(EXPR binding "${binding} + 1")
        string(REPLACE "@" ";" members "${body}")
        foreach(member ${members})
            string(STRIP "${member}" member)
            if(member STREQUAL "")
                continue()
            endif()
            if(NOT member MATCHES "^(struct )?[a-z0-9_]+[ \n]+([^{}#]+)$")
                message(FATAL_ERROR "${header}: struct ${name}: cannot read the member '${member}'. "
                                    "Write 'type name, name[count]' without preprocessor lines.")
            endif()
            string(REPLACE "," ";" names "${CMAKE_MATCH_2}")
            foreach(declared ${names})
                string(REGEX REPLACE "\\[[^]]*\\]" "" declared "${declared}")
                string(STRIP "${declared}" declared)
                string(APPEND rows "{\"${name}\", \"${declared}\", offsetof(struct ${name}, ${declared}), "
                                   "sizeof(struct ${name})},\n")
            endforeach()
        endforeach()
    endforeach()
endforeach()

string(REPLACE "@" ";" buffers "${buffers}")
file(WRITE ${FOLDER}/shared_offsets.comp "#version 460\n#extension GL_GOOGLE_include_directive : require\n"
     "${includes}${buffers}layout(local_size_x = 1) in;\nvoid main() {}\n")
file(WRITE ${FOLDER}/shared_headers.inc "${c_includes}")
file(WRITE ${FOLDER}/shared_offsets.inc "${rows}")
