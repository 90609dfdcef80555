/* Recognises files of formats that are not read, so that a message can name them and say what to
 * save instead. */
#include "io_internal.h"

enum { HEAD_BYTES = 1024 };

/* What to save instead. */
#define HOUDINI ".bhclassic, .ply, .obj or .vtk"
#define POINTS ".npz, .vtp, .ply or .csv"
#define LAMMPS "a text dump: dump custom ... id x y z vx vy vz"
#define FACES ".glb, .obj, .ply or .stl"

static const struct {
    const char *bytes;
    size_t at; /* ANYWHERE: within the first kilobyte */
    const char *name, *instead;
} signatures[] = {
#define ANYWHERE SIZE_MAX
    {"\x7fNSJ", 0, "Houdini's geometry of version 12 and later", HOUDINI},
    {"scf1", 0, "Houdini's geometry of version 12 and later", HOUDINI},
    {"# .PCD", 0, "PCD, of the Point Cloud Library", POINTS},
    {"LASF", 0, "LAS or LAZ", POINTS},
    {"ASTM-E57", 0, "E57", POINTS},
    {"PAR1\x15", 0, "Parquet", POINTS},
    {"ARROW1", 0, "Arrow or Feather", POINTS},
    {"MATLAB 5.0 MAT-file", 0, "a MAT-file of MATLAB", POINTS},
    {"\x80\x04\x95", 0, "a pickle of Python", POINTS},
    {"CDF\x01", 0, "NetCDF", POINTS},
    {"CDF\x02", 0, "NetCDF", POINTS},
    {"DUMPCUSTOM", 8, "a binary dump of LAMMPS", LAMMPS},
    {"DUMPATOM", 8, "a binary dump of LAMMPS", LAMMPS},
    {"LAMMPS data file", 0, "a data file of LAMMPS", LAMMPS},
    {"Number of particles", 0, "CFG of AtomEye", POINTS},
    {"%JPartDataBi4", ANYWHERE, "BI4 of DualSPHysics", POINTS},
    {"<Xdmf", ANYWHERE, "XDMF", POINTS},
    {"xl/workbook.xml", ANYWHERE, "a spreadsheet", POINTS},
    {"Kaydara FBX", 0, "FBX", FACES},
    {"; FBX", 0, "FBX", FACES},
    {"PXR-USDC", 0, "USD", FACES},
    {"#usda", 0, "USD", FACES},
    {"Ogawa", 0, "Alembic", FACES},
    {"BLENDER", 0, "a file of Blender itself", FACES},
    {"DRACO", 0, "Draco", FACES},
    {"ISO-10303-21", 0, "STEP", FACES},
    {"OFF\n", 0, "OFF", FACES},
    {"OFF\r", 0, "OFF", FACES},
    {"COFF\n", 0, "OFF", FACES},
    {"#VRML", 0, "VRML", FACES},
    {"<COLLADA", ANYWHERE, "Collada", FACES},
    {"<X3D", ANYWHERE, "X3D", FACES},
    {"3D/3dmodel.model", ANYWHERE, "3MF", FACES},
    {"$MeshFormat", 0, "MSH of Gmsh", FACES},
};

static bool has_bytes(const io_reader *reader, const char *bytes, size_t at)
{
    const size_t size = strlen(bytes), room = io_remaining(reader);
    const size_t first = at == ANYWHERE ? 0 : at, places = at == ANYWHERE ? HEAD_BYTES : 1;
    for (size_t i = first; i < first + places && i + size <= room; i++)
        if (reader->at[i] == (uint8_t)bytes[0] && memcmp(reader->at + i, bytes, size) == 0)
            return true;
    return false;
}

/* Houdini's geometry as text: JSON that begins with "fileversion". */
static bool is_houdini_text(const io_reader *reader)
{
    io_reader text = *reader;
    io_skip_space(&text);
    if (!io_starts_with(&text, "[")) return false;
    text.at++;
    io_skip_space(&text);
    return io_starts_with(&text, "\"fileversion\"");
}

/* Returns the number of the file's format in `signatures`; their count if it is none of them. */
static size_t find_signature(const io_reader *reader)
{
    size_t i = 0;
    if (is_houdini_text(reader)) return 0;
    while (i < BASE_COUNT(signatures) && !has_bytes(reader, signatures[i].bytes, signatures[i].at))
        i++;
    return i;
}

bool io_is_other_format(const io_reader *reader)
{
    return find_signature(reader) < BASE_COUNT(signatures);
}

weir_result io_fail_other_format(const io_reader *reader)
{
    const size_t i = find_signature(reader);
    return io_fail(reader, reader->at, "this is %s, which is not read: save it as %s",
                   signatures[i].name, signatures[i].instead);
}

weir_file_kind io_kind_of_other_format(const io_reader *reader)
{
    const size_t i = find_signature(reader);
    if (i == BASE_COUNT(signatures)) return WEIR_FILE_UNKNOWN;
    return strcmp(signatures[i].instead, FACES) == 0 ? WEIR_FILE_MESH : WEIR_FILE_PARTICLES;
}
