# The viewer, a part of the program of its own: windows by GLFW, panels by Dear ImGui, which alone is
# C++. Without the two, `weir view` says that this build has none.
set(view ${PROJECT_SOURCE_DIR}/src/app/view)
add_library(weir_view_parts STATIC ${view}/camera.c ${view}/commands.c ${view}/script.c)
target_include_directories(weir_view_parts PUBLIC ${view})
target_link_libraries(weir_view_parts PUBLIC weir)
