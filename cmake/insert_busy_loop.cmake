# Writes the shader INPUT to OUTPUT with a busy loop at the start of main that changes no result.
file(READ ${INPUT} text)
set(main "void main()\n{\n")
string(FIND "${text}" "${main}" place)
if(place EQUAL -1)
    message(FATAL_ERROR "${INPUT}: has no main to plant a loop in")
endif()
string(REPLACE "${main}" "${main}    uint planted = pass.constant;
    for (uint n = 0u; n < 20000u; n++) planted = planted * 1664525u + 1013904223u;
    if (planted == 1u) return;
" text "${text}")
file(WRITE ${OUTPUT} "${text}")
