// Implements gui.h with Dear ImGui, whose draw lists src/render draws as plain arrays.
#include "gui.h"

#include <backends/imgui_impl_glfw.h>
#include <GLFW/glfw3.h>
#include <imgui.h>

#include <algorithm>
#include <cfloat>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <new>
#include <vector>

static_assert(sizeof(ImDrawIdx) == sizeof(uint16_t), "weir_overlay has 16-bit indices");
static_assert(sizeof(ImDrawVert) == sizeof(weir_overlay_vertex),
              "vertices are handed on as they are");
static_assert(offsetof(ImDrawVert, uv) == offsetof(weir_overlay_vertex, u), "uv");
static_assert(offsetof(ImDrawVert, col) == offsetof(weir_overlay_vertex, colour), "colour");

struct item {
    std::vector<char> name; // not std::string: cmake/cpp_runtime.c has nothing for it
    ImVec2 low, high;
};

struct gui {
    unsigned char *font;
    int font_width, font_height;
    uint32_t font_version;
    float scale, density;
    std::vector<unsigned char> pictures; // gui_set_pictures
    std::vector<int> slots;              // of the pictures in the font image
    ImVec2 screen;                       // of the previous frame
    std::vector<weir_overlay_vertex> vertices;
    std::vector<uint16_t> indices;
    std::vector<weir_overlay_draw> draws;
};

static std::vector<item> items; // of this frame

static const ImVec4 tones[] = {ImVec4(0.92f, 0.93f, 0.95f, 1), ImVec4(0.60f, 0.65f, 0.72f, 1),
                               ImVec4(1.00f, 0.33f, 0.28f, 1), ImVec4(0.55f, 0.80f, 1.00f, 1)};

static bool screen_changed; // since the previous frame
static int section_request; // 1: unfold all sections in this frame; -1: fold them; 0: none

static float letter_width()
{
    return ImGui::GetFontSize() * 0.54f;
}

static void set_style(float scale)
{
    ImGuiStyle &style = ImGui::GetStyle();
    style = ImGuiStyle();
    ImGui::StyleColorsDark();
    style.WindowRounding = 6;
    style.FrameRounding = 4;
    style.GrabRounding = 4;
    style.WindowBorderSize = 0;
    style.FrameBorderSize = 1; // an empty checkbox is visible, too
    style.WindowPadding = ImVec2(10, 8);
    style.FramePadding = ImVec2(7, 3);
    style.ItemSpacing = ImVec2(7, 5);
    style.ScrollbarSize = 12;
    ImVec4 *colours = style.Colors;
    colours[ImGuiCol_WindowBg] = ImVec4(0.06f, 0.08f, 0.11f, 0.86f);
    colours[ImGuiCol_TitleBg] = colours[ImGuiCol_TitleBgActive] =
        ImVec4(0.05f, 0.07f, 0.10f, 0.95f);
    colours[ImGuiCol_TitleBgCollapsed] = ImVec4(0.05f, 0.07f, 0.10f, 0.80f);
    colours[ImGuiCol_Text] = tones[GUI_PLAIN];
    colours[ImGuiCol_Border] = ImVec4(0.55f, 0.63f, 0.72f, 0.45f);
    colours[ImGuiCol_FrameBg] = ImVec4(0.14f, 0.18f, 0.24f, 0.95f);
    colours[ImGuiCol_FrameBgHovered] = ImVec4(0.20f, 0.27f, 0.36f, 1);
    colours[ImGuiCol_CheckMark] = ImVec4(0.45f, 0.80f, 1.00f, 1);
    colours[ImGuiCol_Button] = ImVec4(0.17f, 0.30f, 0.45f, 0.95f);
    colours[ImGuiCol_ButtonHovered] = ImVec4(0.24f, 0.43f, 0.64f, 1);
    colours[ImGuiCol_Header] = ImVec4(0.17f, 0.24f, 0.33f, 0.9f);
    colours[ImGuiCol_TableHeaderBg] = ImVec4(0.12f, 0.22f, 0.33f, 1);
    style.ScaleAllSizes(scale);
}

// Proportional fonts, at the paths where distributions and operating systems install them.
static const char *const font_files[] = {
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",       // Debian, Ubuntu
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",     // Fedora
    "/usr/share/fonts/dejavu/DejaVuSans.ttf",                // RHEL, Alpine
    "/usr/share/fonts/TTF/DejaVuSans.ttf",                   // Arch
    "/usr/share/fonts/truetype/DejaVuSans.ttf",              // openSUSE
    "/run/current-system/sw/share/X11/fonts/DejaVuSans.ttf", // NixOS
    "/usr/share/fonts/google-noto-vf/NotoSans[wght].ttf",    // Fedora
    "/usr/share/fonts/google-noto/NotoSans-Regular.ttf",     // RHEL
    "/usr/share/fonts/noto/NotoSans-Regular.ttf",            // Arch, Alpine
    "/usr/share/fonts/truetype/noto/NotoSans-Regular.ttf",   // Debian
    "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
    "/System/Library/Fonts/Supplemental/Arial Unicode.ttf", // macOS
    "/System/Library/Fonts/Supplemental/Arial.ttf",
    "/Library/Fonts/Arial.ttf",
    "C:\\Windows\\Fonts\\segoeui.ttf",
    "C:\\Windows\\Fonts\\arial.ttf",
};

static const char *find_font()
{
    for (const char *path : font_files)
        if (std::FILE *file = std::fopen(path, "rb")) {
            std::fclose(file);
            return path;
        }
    return nullptr;
}

// Adds glyphs whose size is a whole number of pixels, so that they are sharp. ImGui's own font is
// monospaced, but always available.
static void add_font(float pixels)
{
    ImGuiIO &io = ImGui::GetIO();
    const char *path = find_font();
    const float size = static_cast<float>(static_cast<int>(15.0f * pixels + 0.5f));
    if (path && io.Fonts->AddFontFromFileTTF(path, size)) return;
    ImFontConfig font;
    font.SizePixels = static_cast<float>(static_cast<int>(13.0f * pixels + 0.5f));
    io.Fonts->AddFontDefault(&font);
}

static void copy_picture(const gui *g, const ImFontAtlasCustomRect *rect, size_t picture)
{
    const size_t line = 4 * GUI_PICTURE_WIDTH;
    const unsigned char *from = g->pictures.data() + picture * line * GUI_PICTURE_HEIGHT;
    for (size_t y = 0; y < GUI_PICTURE_HEIGHT; y++)
        std::memcpy(g->font + 4 * ((rect->Y + y) * static_cast<size_t>(g->font_width) + rect->X),
                    from + y * line, line);
}

// Builds the image that contains glyphs and pictures.
static void build_font(gui *g)
{
    ImGuiIO &io = ImGui::GetIO();
    const size_t count = g->pictures.size() / (4 * GUI_PICTURE_WIDTH * GUI_PICTURE_HEIGHT);
    io.Fonts->Clear();
    io.Fonts->Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight;
    io.Fonts->TexDesiredWidth = 1024;
    add_font(g->scale * g->density);
    g->slots.clear();
    for (size_t i = 0; i < count; i++)
        g->slots.push_back(io.Fonts->AddCustomRectRegular(GUI_PICTURE_WIDTH, GUI_PICTURE_HEIGHT));
    io.Fonts->GetTexDataAsRGBA32(&g->font, &g->font_width, &g->font_height);
    for (size_t i = 0; i < count; i++)
        copy_picture(g, io.Fonts->GetCustomRectByIndex(g->slots[i]), i);
    io.FontGlobalScale = 1.0f / g->density;
    g->font_version++;
}

extern "C" void gui_set_scale(gui *g, float scale, float density)
{
    if (scale == g->scale && density == g->density) return;
    g->scale = scale;
    g->density = density;
    build_font(g);
    set_style(scale);
}

extern "C" void gui_set_pictures(gui *g, const unsigned char *pixels, uint32_t count)
{
    const size_t bytes = static_cast<size_t>(count) * 4 * GUI_PICTURE_WIDTH * GUI_PICTURE_HEIGHT;
    g->pictures.assign(pixels, pixels + bytes);
    build_font(g);
}

extern "C" float gui_screen_width(const gui *g)
{
    return ImGui::GetIO().DisplaySize.x / g->scale;
}

static gui *current; // the one whose panels are being laid out

extern "C" gui *gui_create(GLFWwindow *window)
{
    gui *g = new (std::nothrow) gui();
    if (!g) return nullptr;
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGuiIO &io = ImGui::GetIO();
    io.IniFilename = nullptr; // keeps ImGui from writing a file to the current folder
    io.LogFilename = nullptr;
    gui_set_scale(g, 1, 1);
    if (!g->font || !ImGui_ImplGlfw_InitForVulkan(window, true)) {
        ImGui::DestroyContext();
        delete g;
        return nullptr;
    }
    return g;
}

extern "C" void gui_destroy(gui **g)
{
    if (!*g) return;
    ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
    delete *g;
    *g = nullptr;
}

extern "C" void gui_begin(gui *g)
{
    items.clear();
    current = g;
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    screen_changed = screen.x != g->screen.x || screen.y != g->screen.y;
    g->screen = screen;
}

static void append_draw_list(gui *g, const ImDrawList *list, const ImDrawData *data)
{
    const ImVec2 scale = data->FramebufferScale, origin = data->DisplayPos;
    const auto first_vertex = static_cast<uint32_t>(g->vertices.size());
    const auto first_index = static_cast<uint32_t>(g->indices.size());
    for (const ImDrawVert &v : list->VtxBuffer)
        g->vertices.push_back({(v.pos.x - origin.x) * scale.x, (v.pos.y - origin.y) * scale.y,
                               v.uv.x, v.uv.y, v.col});
    g->indices.insert(g->indices.end(), list->IdxBuffer.begin(), list->IdxBuffer.end());
    for (const ImDrawCmd &c : list->CmdBuffer) {
        if (c.UserCallback || c.ElemCount == 0) continue;
        g->draws.push_back(
            {first_index + c.IdxOffset,
             c.ElemCount,
             first_vertex + c.VtxOffset,
             {(c.ClipRect.x - origin.x) * scale.x, (c.ClipRect.y - origin.y) * scale.y,
              (c.ClipRect.z - origin.x) * scale.x, (c.ClipRect.w - origin.y) * scale.y}});
    }
}

extern "C" void gui_end(gui *g, weir_overlay *drawing)
{
    section_request = 0;
    ImGui::Render();
    const ImDrawData *data = ImGui::GetDrawData();
    g->vertices.clear();
    g->indices.clear();
    g->draws.clear();
    for (int i = 0; i < data->CmdListsCount; i++)
        append_draw_list(g, data->CmdLists[i], data);
    *drawing = {};
    drawing->vertices = g->vertices.data();
    drawing->indices = g->indices.data();
    drawing->draws = g->draws.data();
    drawing->vertex_count = static_cast<uint32_t>(g->vertices.size());
    drawing->index_count = static_cast<uint32_t>(g->indices.size());
    drawing->draw_count = static_cast<uint32_t>(g->draws.size());
    drawing->font = g->font;
    drawing->font_width = static_cast<uint32_t>(g->font_width);
    drawing->font_height = static_cast<uint32_t>(g->font_height);
    drawing->font_version = g->font_version;
}

extern "C" bool gui_has_mouse(void)
{
    return ImGui::GetIO().WantCaptureMouse;
}

extern "C" bool gui_has_keys(void)
{
    return ImGui::GetIO().WantTextInput;
}

// ---- panels ------------------------------------------------------------------------------------

extern "C" bool gui_panel_begin(const gui_panel *panel)
{
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float gap = 0.6f * ImGui::GetFontSize();
    const float width = std::min(panel->width * letter_width(), screen.x - 2 * gap);
    const float height = panel->height * ImGui::GetTextLineHeightWithSpacing();
    ImVec2 corner(gap, gap), pivot(0, 0);
    switch (panel->corner) {
    case GUI_TOP_LEFT: break;
    case GUI_TOP_RIGHT: corner.x = screen.x - gap, pivot.x = 1; break;
    case GUI_BOTTOM:
        corner = ImVec2(0.5f * screen.x, screen.y - gap), pivot = ImVec2(0.5f, 1);
        break;
    case GUI_MIDDLE: corner = ImVec2(0.5f * screen.x, 0.5f * screen.y), pivot = ImVec2(0.5f, 0.5f);
    }
    // The user may move panels; when the size of the window changes, they return to their corners.
    ImGui::SetNextWindowPos(corner,
                            panel->bare || panel->corner == GUI_MIDDLE || screen_changed
                                ? ImGuiCond_Always
                                : ImGuiCond_Appearing,
                            pivot);
    ImGui::SetNextWindowSizeConstraints(ImVec2(width, 0),
                                        ImVec2(panel->bare ? screen.x : width, screen.y - 2 * gap));
    ImGui::SetNextWindowSize(ImVec2(panel->bare ? 0 : width, height), ImGuiCond_Always);
    ImGui::SetNextWindowCollapsed(panel->folded,
                                  screen_changed ? ImGuiCond_Always : ImGuiCond_Appearing);
    if (panel->opaque) ImGui::SetNextWindowBgAlpha(0.97f);
    ImGuiWindowFlags flags = ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav |
                             ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings;
    if (panel->bare)
        flags |= ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs |
                 ImGuiWindowFlags_NoBringToFrontOnFocus;
    return ImGui::Begin(panel->title, nullptr, flags);
}

extern "C" void gui_panel_end(void)
{
    ImGui::End();
}

extern "C" void gui_text(gui_tone tone, const char *text)
{
    ImGui::PushStyleColor(ImGuiCol_Text, tones[tone]);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
}

extern "C" void gui_tooltip(const char *text)
{
    if (!ImGui::IsItemHovered()) return;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(36 * letter_width());
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

extern "C" void gui_separator(void)
{
    ImGui::Separator();
}

extern "C" void gui_same_line(void)
{
    ImGui::SameLine();
}

// Stores the corners of the last item, as a target for the mouse.
static void store_item(const char *label, float width = FLT_MAX)
{
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const ImVec2 first = ImGui::GetWindowDrawList()->GetClipRectMin();
    const ImVec2 last = ImGui::GetWindowDrawList()->GetClipRectMax();
    const char *id = std::strstr(label, "##");
    const ImVec2 from(std::max(low.x, first.x), std::max(low.y, first.y));
    const ImVec2 to(std::min(std::min(high.x, low.x + width), last.x), std::min(high.y, last.y));
    if (from.x < to.x && from.y < to.y) {
        const char *name = id ? id + 2 : label;
        items.push_back({std::vector<char>(name, name + std::strlen(name) + 1), from, to});
    }
}

extern "C" bool gui_item_at(const gui *g, uint32_t index, gui_item *out)
{
    if (index >= items.size()) return false;
    const item &i = items[index];
    *out = {i.name.data(),
            {i.low.x * g->density, i.low.y * g->density},
            {i.high.x * g->density, i.high.y * g->density}};
    return true;
}

extern "C" bool gui_button(const char *label)
{
    const bool pressed = ImGui::Button(label);
    store_item(label);
    return pressed;
}

extern "C" bool gui_picture_button(uint32_t picture, const char *label, bool chosen)
{
    const float scale = current->scale;
    const ImVec2 size(GUI_PICTURE_WIDTH * scale, GUI_PICTURE_HEIGHT * scale);
    ImVec2 low(0, 0), high(0, 0);
    ImGui::BeginGroup();
    ImGui::PushID(label);
    const ImVec2 at = ImGui::GetCursorScreenPos(), end(at.x + size.x, at.y + size.y);
    const bool pressed = ImGui::InvisibleButton("picture", size);
    store_item(label);
    ImDrawList *list = ImGui::GetWindowDrawList();
    list->AddRectFilled(at, end, IM_COL32(40, 50, 62, 255));
    if (picture >= current->slots.size()) {
        const char *words = picture == GUI_NO_PICTURE ? "files missing" : "...";
        const ImVec2 wide = ImGui::CalcTextSize(words);
        list->AddText(ImVec2(at.x + (size.x - wide.x) / 2, at.y + (size.y - wide.y) / 2),
                      IM_COL32(150, 165, 180, 255), words);
    } else {
        const ImFontAtlas *atlas = ImGui::GetIO().Fonts;
        const ImFontAtlasCustomRect *rect =
            ImGui::GetIO().Fonts->GetCustomRectByIndex(current->slots[picture]);
        atlas->CalcCustomRectUV(rect, &low, &high);
        list->AddImage(atlas->TexID, at, end, low, high);
    }
    if (chosen || ImGui::IsItemHovered())
        list->AddRect(at, end, chosen ? IM_COL32(255, 255, 255, 255) : IM_COL32(115, 205, 255, 255),
                      0, 0, 2 * scale);
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + size.x);
    ImGui::TextUnformatted(label);
    ImGui::PopTextWrapPos();
    ImGui::PopID();
    ImGui::EndGroup();
    return pressed;
}

extern "C" uint32_t gui_columns(float width)
{
    const float space = ImGui::GetStyle().ItemSpacing.x;
    const float room = ImGui::GetContentRegionAvail().x + space;
    const float fit = room / (width * current->scale + space);
    return fit < 1 ? 1 : static_cast<uint32_t>(fit);
}

extern "C" bool gui_tabs_begin(const char *name)
{
    return ImGui::BeginTabBar(name);
}

extern "C" bool gui_tab_begin(const char *title)
{
    const bool chosen = ImGui::BeginTabItem(title);
    store_item(title);
    return chosen;
}

extern "C" void gui_tab_end(void)
{
    ImGui::EndTabItem();
}

extern "C" void gui_tabs_end(void)
{
    ImGui::EndTabBar();
}

extern "C" void gui_indent(int steps)
{
    const float width = static_cast<float>(steps) * ImGui::GetFontSize();
    if (steps > 0) ImGui::Indent(width);
    if (steps < 0) ImGui::Unindent(-width);
}

extern "C" bool gui_check(const char *label, bool *on)
{
    const bool changed = ImGui::Checkbox(label, on);
    store_item(label);
    return changed;
}

extern "C" bool gui_combo(const char *label, const char *const *names, uint32_t count,
                          const char *other, uint32_t *chosen)
{
    bool changed = false;
    const bool open = ImGui::BeginCombo(label, *chosen < count ? names[*chosen] : other);
    if (!open) store_item(label);
    if (!open) return false;
    for (uint32_t i = 0; i < count; i++) {
        if (!ImGui::Selectable(names[i], i == *chosen)) continue;
        changed = i != *chosen;
        *chosen = i;
    }
    ImGui::EndCombo();
    return changed;
}

extern "C" void gui_set_sections(bool unfolded)
{
    section_request = unfolded ? 1 : -1;
}

extern "C" bool gui_section(const char *title, bool open)
{
    if (section_request) ImGui::SetNextItemOpen(section_request > 0);
    const bool unfolded = ImGui::CollapsingHeader(title, open ? ImGuiTreeNodeFlags_DefaultOpen : 0);
    store_item(title);
    return unfolded;
}

// ---- values ------------------------------------------------------------------------------------

// Reports whether the slider is linear; over a wide range a linear slider would skip the useful
// values.
static bool has_linear_range(const gui_slider *slider)
{
    return slider->max - slider->min <= (slider->whole ? 200.0 : 100.0);
}

static bool slider_double(const gui_slider *slider, double *values)
{
    const int count = static_cast<int>(slider->count);
    double size = 0.01;
    for (int i = 0; i < count; i++)
        size = values[i] > size ? values[i] : -values[i] > size ? -values[i] : size;
    if (has_linear_range(slider))
        return ImGui::SliderScalarN(slider->label, ImGuiDataType_Double, values, count,
                                    &slider->min, &slider->max, "%.4g");
    return ImGui::DragScalarN(slider->label, ImGuiDataType_Double, values, count,
                              static_cast<float>(0.005 * size), &slider->min, &slider->max, "%.4g");
}

static bool slider_integer(const gui_slider *slider, double *values)
{
    const auto least = static_cast<int64_t>(slider->min), most = static_cast<int64_t>(slider->max);
    auto value = static_cast<int64_t>(values[0]);
    const bool changed =
        has_linear_range(slider)
            ? ImGui::SliderScalar(slider->label, ImGuiDataType_S64, &value, &least, &most, "%lld")
            : ImGui::DragScalar(slider->label, ImGuiDataType_S64, &value, 0.2f, &least, &most,
                                "%lld");
    values[0] = static_cast<double>(value);
    return changed;
}

extern "C" gui_edit gui_slider_edit(const gui_slider *slider, double *values)
{
    const float width = ImGui::GetContentRegionAvail().x * 0.52f; // its label is next to it
    ImGui::SetNextItemWidth(width);
    const bool changed =
        slider->whole ? slider_integer(slider, values) : slider_double(slider, values);
    for (uint32_t i = 0; i < slider->count; i++) { // typed values are not limited to the range
        if (values[i] < slider->min) values[i] = slider->min;
        if (values[i] > slider->max) values[i] = slider->max;
    }
    store_item(slider->label, width);
    if (ImGui::IsItemDeactivatedAfterEdit()) return GUI_DONE;
    return changed ? GUI_MOVING : GUI_UNTOUCHED;
}

// ---- results -----------------------------------------------------------------------------------

extern "C" void gui_plot(const char *label, const float *values, uint32_t count)
{
    float most = 0;
    for (uint32_t i = 0; i < count; i++)
        if (values[i] > most) most = values[i];
    ImGui::PlotLines("", values, static_cast<int>(count), 0, label, 0, most > 0 ? 1.15f * most : 1,
                     ImVec2(ImGui::GetContentRegionAvail().x, 4 * ImGui::GetFontSize()));
}

extern "C" bool gui_table_begin(const char *name, const char *const *headings, uint32_t columns)
{
    if (!ImGui::BeginTable(name, static_cast<int>(columns),
                           ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_RowBg))
        return false;
    for (uint32_t i = 0; i < columns; i++)
        ImGui::TableSetupColumn(headings[i], i ? 0 : ImGuiTableColumnFlags_WidthStretch);
    ImGui::TableHeadersRow();
    return true;
}

extern "C" void gui_cell(gui_tone tone, const char *text)
{
    ImGui::TableNextColumn();
    ImGui::TextColored(tones[tone], "%s", text);
}

extern "C" void gui_cell_lines(const char *text)
{
    ImGui::TableNextColumn();
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
}

extern "C" void gui_cell_number(double number, int digits)
{
    char text[48];
    std::snprintf(text, sizeof text, "%.*f", digits, number);
    ImGui::TableNextColumn();
    const float space = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text).x;
    if (space > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + space);
    ImGui::TextUnformatted(text);
}

extern "C" void gui_table_end(void)
{
    ImGui::EndTable();
}
