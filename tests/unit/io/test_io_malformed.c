/* Malformed files, by accident or malice: each is refused with the position, the value and what
   is allowed. The cases follow the classes of bugs found in other programs' parsers. */
#include "io_support.h"

typedef struct hostile {
    const char *name;
    const char *bytes;
    size_t size;
    const char *message; /* after the folder */
} hostile;

#define CASE(name, text, message)             \
    {                                         \
        name, text, sizeof(text) - 1, message \
    }

/* ---- meshes --------------------------------------------------------------------------------- */

#define TRIANGLE "v 0 0 0\nv 1 0 0\nv 0 1 0\n"
#define PLY_HEAD "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
#define PLY_FACES                                                                         \
    PLY_HEAD "property float z\nelement face 1\nproperty list uchar int vertex_indices\n" \
             "end_header\n0 0 0\n1 0 0\n0 1 0\n"
#define STL_HEAD "solid a\nfacet normal 0 0 1\nouter loop\n"

static const hostile objs[] = {
    CASE("empty.obj", "", "empty.obj: byte 0: the file is empty"),
    CASE("no.obj", "# nothing\n", "no.obj: no triangles"),
    CASE("zero.obj", TRIANGLE "f 0 1 2\n", "zero.obj:4:3: vertex index 0; expected 1 to"),
    CASE("beyond.obj", TRIANGLE "f 1 2 3\nf 1 2 4\n",
         "beyond.obj:5:7: vertex index 4, but the file has 3"),
    CASE("back.obj", TRIANGLE "f -1 -2 -4\n", "back.obj:4:9: vertex index -4; expected"),
    CASE("huge.obj", TRIANGLE "f 1 2 4294967296\n", "huge.obj:4:7: vertex index 4294967296"),
    CASE("wrap.obj", TRIANGLE "f 1 2 18446744073709551617\n", "wrap.obj:4:7: \"184467440737095"),
    CASE("least.obj", TRIANGLE "f 1 2 -9223372036854775808\n",
         "least.obj:4:7: vertex index -9223372036854775808"),
    CASE("word.obj", TRIANGLE "f 1 2 x\n",
         "word.obj:4:7: \"x\" is not a face corner; expected v, v/vt"),
    CASE("glue.obj", TRIANGLE "f 1 2 3x\n", "glue.obj:4:7: \"3x\" is not a face corner"),
    CASE("two.obj", TRIANGLE "f 1 2\n", "a face with 2 corners; at least 3 are needed"),
    CASE("cut.obj", TRIANGLE "f 1 2", "cut.obj:4:1: a face with 2 corners"),
    CASE("short.obj", "v 0 0\nf 1 1 1\n",
         "short.obj:1:6: a vertex line needs three numbers; z is missing"),
    CASE("nan.obj", "v 0 nan 0\n", "nan.obj:1:5: y is nan; it must be finite"),
    CASE("inf.obj", "v 0 0 1e39\n", "inf.obj:1:7: z is 1e+39; it must be finite"),
    CASE("over.obj", "v 1e999999999999999999 0 0\n", "over.obj:1:3: x is inf"),
    CASE("zeros.bin", "v 0 0 0\n\0", "zeros.bin:1:1: unknown mesh format; expected BGEO")};

static const hostile plys_and_stls[] = {
    CASE("a.ply", "plx\n", "a.ply:1:1: a PLY file starts with the line \"ply\""),
    CASE("b.ply", "ply\nformat ascii 1.0\n", "b.ply:3:1: the file ends inside the PLY header"),
    CASE("c.ply", "ply\nelement vertex 1\nproperty float x\nend_header\n", "no format line"),
    CASE("d.ply", "ply\nformat text 1.0\n", "d.ply:2:8: format \"text\"; expected ascii"),
    CASE("e.ply", "ply\nformat ascii 1.0\nelement vertex -1\n",
         "e.ply:3:16: the element's count is \"-1\""),
    CASE("f.ply", "ply\nformat ascii 1.0\nelement vertex 99999999999999999999\n",
         "f.ply:3:16: the element's count"),
    CASE("g.ply", "ply\nformat ascii 1.0\nproperty float x\n", "g.ply:3:9: a property must follow"),
    CASE("h.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty half x\n",
         "h.ply:4:10: \"half\" is not a PLY type"),
    CASE("i.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty list float int x\n",
         "a list's length must have an integer type"),
    CASE("j.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty float\n",
         "j.ply:4:15: the property has no name"),
    CASE("k.ply", "ply\nformat ascii 1.0\nvertex 3\n",
         "k.ply:3:1: unexpected \"vertex\"; expected"),
    CASE("l.ply", PLY_HEAD "end_header\n0 0\n",
         "a mesh needs the elements \"vertex\" and \"face\""),
    CASE("m.ply", PLY_HEAD "element face 0\nproperty list uchar int vertex_index\nend_header\n",
         "needs number properties x, y and z"),
    CASE("n.ply", PLY_FACES "3 0 1 3\n",
         "n.ply:13:7: vertex index 3; the 3 vertices have indices from 0"),
    CASE("o.ply", PLY_FACES "3 0 1 -1\n", "o.ply:13:7: vertex index -1"),
    CASE("p.ply", PLY_FACES "3 0 1 1.5\n", "p.ply:13:7: vertex index 1.5"),
    CASE("q.ply", PLY_FACES "2 0 1\n", "q.ply:13:1: a face with 2 corners"),
    CASE("r.ply", PLY_FACES "-3 0 1 2\n", "r.ply:13:1: a list's length is -3"),
    CASE("s.ply", PLY_FACES "4000000000 0 1 2\n", "4000000000 elements of a list"),
    CASE("t.ply", PLY_FACES "3 0 1", "t.ply:13:2: 3 elements of a list"),
    CASE("u.ply",
         "ply\nformat ascii 1.0\nelement face 1\nproperty float x\nelement vertex 1\nproperty "
         "float x\nproperty float y\nproperty float z\nend_header\n1\n0 0 0\n",
         "needs a list property \"vertex_indices\""),
    CASE("v.ply",
         PLY_HEAD "property float z\nelement face 1\nproperty list uchar int "
                  "vertex_indices\nend_header\n0 0 0\n1 inf 0\n0 1 0\n3 0 1 2\n",
         "v.ply:11:3: a coordinate is inf; it must be finite"),
    CASE("w.ply",
         "ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty float "
         "x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int "
         "vertex_index\nend_header\n0123",
         "4000000000 rows of an element (at least 12 bytes each) cannot be in the 4 bytes"),
    CASE("x.ply",
         "ply\nformat binary_little_endian 1.0\nelement face 9223372036854775807\nproperty list "
         "uchar int vertex_index\nelement vertex 1\nproperty float x\nproperty float y\nproperty "
         "float z\nend_header\n0123",
         "x.ply: byte 185: 9223372036854775807 rows"),
    CASE("y.ply",
         "ply\nformat binary_big_endian 1.0\nelement vertex 1\nproperty float x\nproperty float "
         "y\nproperty float z\nelement face 1\nproperty list uint int "
         "vertex_index\nend_header\n\x7f\xc0\0\0\0\0\0\0\0\0\0\0\0\0\0\x03",
         "y.ply: byte 163: a coordinate is nan"),
    CASE("z.ply",
         "ply\nformat binary_big_endian 1.0\nelement vertex 1\nproperty float x\nproperty float "
         "y\nproperty float z\nelement face 1\nproperty list uint int "
         "vertex_index\nend_header\n\0\0\0\0\0\0\0\0\0\0\0\0\xff\xff\xff\xff\0\0\0\0",
         "z.ply: byte 179: 4294967295 elements of a list"),
    CASE("a.stl", "solid a\n", "a.stl:2:1: the file ends without \"endsolid\""),
    CASE("b.stl", STL_HEAD "vertex 0 0 0\nvertex 1 0 0\nendloop\n",
         "b.stl:6:1: \"endloop\" where \"vertex\" should be"),
    CASE("c.stl", STL_HEAD "vertex 0 0\nvertex 1 0 0\n", "c.stl:5:1: \"vertex\" is not a number"),
    CASE("d.stl", STL_HEAD "vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nvertex 1 1 0\n",
         "d.stl:7:1: \"vertex\" where \"endloop\""),
    CASE("e.stl", STL_HEAD "vertex 0 0 inf\n",
         "e.stl:4:12: a coordinate is inf; it must be finite"),
    CASE("f.stl", "triangle soup\n", "f.stl:1:1: \"triangle\" where \"solid\" should be"),
    CASE("g.stl", "solid\0", "g.stl: byte 6: a binary STL has a header of 84 bytes"),
    /* 84 + 50 * 0x51eb851f is 0x1000000062, which truncated to 32 bits would pass for 98 bytes. */
    CASE("h.stl",
         "01234567890123456789012345678901234567890123456789012345678901234567890123456789\x1f\x85"
         "\xeb\x51"
         "01234567890123",
         "h.stl: byte 80: 1374389535 triangles need 68719476834 bytes, the file has 98"),
    CASE(
        "i.stl",
        "solid that is binary, header padded with spaces                                 \x01\0\0\0"
        "0123456789abcdefghij",
        "i.stl: byte 80: 1 triangles need 134 bytes, the file has 104"),
};

static void refuse_meshes(scratch *s, const hostile *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        io_mesh mesh;
        s->message[0] = 0;
        scratch_write(s, cases[i].name, cases[i].bytes, cases[i].size);
        if (io_mesh_read(&s->log, s->path, &mesh) != WEIR_ERROR_IO)
            fail_msg("%s passed", cases[i].name);
        assert_null(mesh.vertices);
        assert_message_has(s, cases[i].message);
    }
}

static void wrong_obj_is_refused_with_its_place(void **state)
{
    refuse_meshes(*state, objs, BASE_COUNT(objs));
}

static void wrong_ply_and_stl_are_refused_with_their_place(void **state)
{
    refuse_meshes(*state, plys_and_stls, BASE_COUNT(plys_and_stls));
}

/* ---- particles ------------------------------------------------------------------------------ */

#define VTK_ASCII "# vtk DataFile Version 4.2\nt\nASCII\nDATASET POLYDATA\n"
#define VTK_BINARY "# vtk DataFile Version 4.2\nt\nBINARY\nDATASET POLYDATA\n"
#define NPY(version, length) "\x93NUMPY" version "\0" length
#define BGEO(version, points, attributes) \
    "BgeoV\0\0\0" version points "\0\0\0\0\0\0\0\0\0\0\0\0" attributes "\0\0\0\0\0\0\0\0\0\0\0\0"

static const hostile particles[] = {
    CASE("empty.xyz", "", "empty.xyz: byte 0: the file is empty"),
    CASE("a.xyz", "hello\n", "a.xyz:1:1: 1 columns; expected 3 (x y z) or 6"),
    CASE("b.xyz", "1 2 3\n1 2\n", "b.xyz:2:1: 2 columns; 3 are expected"),
    CASE("d.xyz", "4 1e39 6\n",
         "d.xyz:1:3: 1 of 1 particles has a number that is not finite, here y is 1e+39"),
    CASE("c.xyz", "1 2 3\n1 2 x3\n", "c.xyz:2:5: \"x3\" is not a number; z should be"),
    CASE("e.xyz", "1 2 3 4\n", "e.xyz:1:1: 4 columns; expected 3"),
    CASE("f.xyz", "3\nremark\nO 1 2 3\nH 1 2 3\n",
         "f.xyz:1:1: the count says 3, but 2 particles follow"),
    CASE("g.xyz", "# x y z id\n1 2 3 -1\n",
         "g.xyz:2:7: id is -1; it must be a whole number from 0"),
    CASE("h.xyz", "# x y z id\n1 2 3 4294967296\n", "h.xyz:2:7: id is 4294967296;"),
    CASE("a.csv", "x;y;z\n1,5,0;2;3\n", "a.csv:2:1: \"1,5,0\" is not a number; x should be"),
    CASE("l.csv", "x,y,z,Type,Idp\n1,2,3,0,7\n",
         "l.csv: no fluid: the Type of none of its 1 particles is 3"),
    CASE("l.xyz", "0,5 0,5 0,5\n", "l.xyz:1:2: a comma inside a word of a line with spaces"),
    CASE("m.xyz", "1,2,3 4\n", "m.xyz:1:2: a comma inside a word of a line with spaces"),
    CASE("n.xyz", "v\0 \0001\0 \0", "n.xyz: this is UTF-16 text"),
    CASE("a.geo", "[\n\"fileversion\",\"19.5\"]\n",
         "a.geo:1:1: this is Houdini's geometry of version 12"),
    CASE("b.csv", "x,y,z\n1,2\n", "b.csv:2:1: 2 cells, but the header names 3 columns"),
    CASE("c.csv", "Pos.x;Pos.y;Pos.z;\n1;2;three;\n", "c.csv:2:5: \"three\" is not a number; z"),
    CASE("d.csv", "a,b,c\n1,2,3\n", "d.csv:1:1:"),
    CASE("i.xyz", "\n\n", "i.xyz:1:1: no particles and no line that names columns"),
    CASE("j.xyz", "1 2 nan\n",
         "j.xyz:1:5: 1 of 1 particles has a number that is not finite, here z is nan"),
    CASE("k.xyz", "1 2 3\0\n", "k.xyz: byte 0: raw float32 positions have 12 bytes each, but 7"),
    CASE("k.dat", "1 2 3\0\n", "k.dat:1:1: unknown particle format"),
    CASE("a.raw", "1 2 3\n1 2 3\n1", "a.raw: byte 12: raw float32 positions have 12 bytes each"),
    CASE("b.raw", "\0\0\0\0\0\0\x80\x7f\0\0\0\0",
         "b.raw: byte 4: 1 of 1 particles has a number that is not finite, here y is inf"),
    CASE("l.xyz", "1000000000000000000\nremark\n", "the count says 1000000000000000000, but 0"),
    CASE("a.bgeo", "\x7fNSJ",
         "a.bgeo:1:1: this is Houdini's geometry of version 12 and later, which is not read: save "
         "it"),
    CASE("b.bgeo", BGEO("\x04", "\0\0\0\x01", "\0\0\0\0"),
         "b.bgeo: byte 5: BGEO version 4; only version 5"),
    CASE("c.bgeo", BGEO("\x05", "\xff\xff\xff\xff", "\0\0\0\0"),
         "c.bgeo: byte 41: 4294967295 points (at least 16 bytes each)"),
    CASE("d.bgeo", BGEO("\x05", "\0\0\0\x01", "\xff\0\0\0"),
         "d.bgeo: byte 25: 4278190080 point attributes"),
    CASE("e.bgeo", BGEO("\x05", "\0\0\0\x01", "\0\0\0\x01") "\xff\xff",
         "65535 bytes of an attribute"),
    CASE("f.bgeo", BGEO("\x05", "\0\0\0\x01", "\0\0\0\x01") "\0\x01v\0\x03\0\0\0\x02",
         "f.bgeo: byte 46: the attribute \"v\" has type 2"),
    CASE("g.bgeo",
         BGEO("\x05", "\0\0\0\x01", "\0\0\0\x01") "\0\x01s\0\x01\0\0\0\x04\xff\xff\xff\xff",
         "4294967295 strings"),
    CASE("h.bgeo",
         BGEO("\x05", "\0\0\0\x01", "\0\0\0\0") "\x7f\x80\0\0\0\0\0\0\0\0\0\0\x3f\x80\0\0",
         "h.bgeo: byte 41: 1 of 1 particles has a number that is not finite, here x is inf"),
    CASE("i.bgeo", "\x1f\x8b\x08\0\0\0\0\0\0\x03", "i.bgeo: byte 10: the gzip data is incomplete"),
    CASE("j.bgeo", "\x1f\x8b\x07\0\0\0\0\0\0\x03", "the gzip data is damaged"),
    CASE("less.ply",
         "ply\nformat binary_little_endian 1.0\nelement vertex 1\nproperty uchar x\n"
         "property uchar y\nproperty uchar z\nend_header\n123456",
         "less.ply: byte 118: 3 bytes follow the 1 rows that the header declares"),
    CASE("a.vtk", "# vtk DataFile Version 4.2\nt\nTEXT\n",
         "a.vtk:3:1: \"TEXT\"; the third line should be ASCII or BINARY"),
    CASE("b.vtk", "# vtk DataFile Version 4.2\nt\nASCII\nDATASET STRUCTURED_POINTS\n",
         "b.vtk:4:9: dataset \"STRUCTURED_POINTS\"; particles are read from"),
    CASE("c.vtk", VTK_ASCII, "the file ends without POINTS"),
    CASE("d.vtk", VTK_ASCII "POINTS 4294967296 float\n",
         "d.vtk:5:8: the number of points is \"4294967296\""),
    CASE("e.vtk", VTK_ASCII "POINTS 4294967295 float\n1 2 3\n", "e.vtk:6:1: 12884901885 numbers"),
    CASE("f.vtk", VTK_ASCII "POINTS 1 quad\n1 2 3\n", "f.vtk:5:10: \"quad\" is not a VTK type"),
    CASE("g.vtk", VTK_ASCII "POINTS 1 float\n1 2 three\n", "g.vtk:6:5: \"three\" is not a number"),
    CASE("h.vtk", VTK_ASCII "POINTS 1 float\n1 2 3\nPOINT_DATA 2\n",
         "h.vtk:7:12: POINT_DATA for 2 of 1 points"),
    CASE("i.vtk",
         VTK_ASCII "POINTS 1 float\n1 2 3\nPOINT_DATA 1\nFIELD f 1\nv 3 2 float\n0 0 0 0 0 0\n",
         "i.vtk:9:1: \"v\" has 2 values for 1 points"),
    CASE("j.vtk",
         VTK_ASCII
         "POINTS 1 float\n1 2 3\nPOINT_DATA 1\nFIELD f 1\nx 65535 9223372036854775807 float\n",
         "9223372036854775807 tuples cannot be in any file"),
    CASE("k.vtk", VTK_ASCII "POINTS 1 float\n1 2 3\nPOINT_DATA 1\nSCALARS id int\n1\n",
         "k.vtk:9:1: expected LOOKUP_TABLE"),
    CASE("l.vtk", VTK_ASCII "POINTS 1 float\n1 2 3 4\n",
         "l.vtk:6:7: \"4\" is not a section of a legacy VTK file"),
    CASE("m.vtk", VTK_ASCII "POINTS 1 float\n1 2 3\nPOINTS 2 float\n",
         "m.vtk:7:8: POINTS occurs twice"),
    CASE("n.vtk", VTK_BINARY "POINTS 1 float\n\0\0\0\0\0\0\0\0\x7f\xc0\0\0",
         "n.vtk: byte 76: 1 of 1 particles has a number that is not finite, here z is nan"),
    CASE("o.vtk", VTK_BINARY "FIELD f 1\ns 1 1 string\n\x3f\xff\xff\xff\xff\xff\xff\xff",
         "o.vtk: byte 84: 4611686018427387903 bytes of a string"),
    CASE("p.vtk", VTK_BINARY "VERTICES 1 9223372036854775807\n",
         "9223372036854775807 numbers (at least 4 bytes each)"),
    CASE("q.vtk", VTK_ASCII "FIELD f 9223372036854775807\n",
         "q.vtk:6:1: the file ends inside a field"),
    CASE("r.vtk", VTK_ASCII "POINTS 1 string\na\nb\nc\n", "points must be numbers"),
    CASE("s.vtk",
         VTK_ASCII
         "POINTS 1 float\n1 2 3\nPOINT_DATA 1\nSCALARS id int 1\nLOOKUP_TABLE default\n1.5\n",
         "s.vtk:10:1: id is 1.5; it must be a whole number"),
    CASE("a.npy", NPY("\x04", "\0\0"), "a.npy: byte 6: NPY version 4"),
    CASE("b.npy", NPY("\x02", "\xff\xff\xff\xff"), "b.npy: byte 12: 4294967295 bytes of header"),
};

static void wrong_particles_are_refused_with_their_place(void **state)
{
    scratch *s = *state;
    for (size_t i = 0; i < BASE_COUNT(particles); i++) {
        io_particles frame;
        s->message[0] = 0;
        scratch_write(s, particles[i].name, particles[i].bytes, particles[i].size);
        if (io_particles_read(&s->log, s->path, &frame) != WEIR_ERROR_IO)
            fail_msg("%s passed", particles[i].name);
        assert_null(frame.position);
        assert_int_equal(frame.count, 0);
        assert_message_has(s, particles[i].message);
    }
}

/* ---- VTK's XML ------------------------------------------------------------------------------ */

#define VTU_FILE "<VTKFile type=\"UnstructuredGrid\""
#define VTU_PIECE(points) "><UnstructuredGrid><Piece NumberOfPoints=\"" points "\">"
#define VTU_ARRAY(rest) "<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" " rest
#define VTU_END "</DataArray></Points></Piece></UnstructuredGrid></VTKFile>"
#define VTU_APPENDED(encoding) \
    "/></Points></Piece></UnstructuredGrid><AppendedData encoding=\"" encoding "\">_"
#define ZLIB " compressor=\"vtkZLibDataCompressor\""

static const hostile vtus[] = {
    CASE("a.vtu", "<?xml version=\"1.0\"?>\n", "a.vtu:2:1: the file ends before </VTKFile>"),
    CASE("b.vtu", "<?xml version=\"1.0\"",
         "b.vtu:1:1: missing \"?>\" at the end of what starts here"),
    CASE("c.vtu", "<?xml?><!DOCTYPE a [<!ENTITY b \"c\">]>", "c.vtu:1:8: document types are not"),
    CASE("d.vtu", "<?xml?>\n<html>", "d.vtu:2:2: <html> is not a VTK file"),
    CASE("e.vtu", "<VTKFile type=\"ImageData\">", "e.vtu:1:16: a VTK file of type \"ImageData\""),
    CASE("f.vtu", VTU_FILE " compressor=\"vtkLZ4DataCompressor\">", "only vtkZLibDataCompressor"),
    CASE("g.vtu", "<VTKFile type=UnstructuredGrid>",
         "g.vtu:1:15: the value of \"type\" must be quoted"),
    CASE("h.vtu", "<VTKFile type=\"Unst", "h.vtu:1:15: the quotes of \"type\" are not closed"),
    CASE("i.vtu", "<VTKFile type", "i.vtu:1:14: expected \"=\" after \"type\""),
    CASE("j.vtu", VTU_FILE VTU_PIECE("-1"), "NumberOfPoints is \"-1\"; <Piece> needs a whole"),
    CASE("k.vtu", VTU_FILE VTU_PIECE("4294967296"), "k.vtu:1:75: 4294967296 points cannot be in"),
    CASE("l.vtu", VTU_FILE "><UnstructuredGrid><Piece>", "NumberOfPoints is \"\""),
    CASE("m.vtu", VTU_FILE VTU_PIECE("1") "</Piece></UnstructuredGrid></VTKFile>",
         "a piece has no <Points> array"),
    CASE("n.vtu", VTU_FILE VTU_PIECE("1") VTU_ARRAY("format=\"ascii\">1 2") VTU_END,
         "the array ends after 2 of 3 numbers"),
    CASE("o.vtu", VTU_FILE VTU_PIECE("1") VTU_ARRAY("format=\"ascii\">1 2 nan") VTU_END,
         "1 of 1 particles has a number that is not finite, here z is nan"),
    CASE("p.vtu", VTU_FILE VTU_PIECE("1") VTU_ARRAY("format=\"morse\">1 2 3") VTU_END,
         "format \"morse\"; expected ascii, binary or appended"),
    CASE("q.vtu",
         VTU_FILE VTU_PIECE("1")
             VTU_ARRAY("format=\"appended\" offset=\"0\"") "/></Points>"
                                                           "</Piece></UnstructuredGrid></VTKFile>",
         "the file ends without <AppendedData>"),
    CASE("r.vtu",
         VTU_FILE VTU_PIECE("1") VTU_ARRAY("format=\"appended\" offset=\"9\"")
             VTU_APPENDED("raw") "\x0c\0\0\0",
         "r.vtu: byte 234: an array starts at offset 9"),
    CASE("s.vtu",
         VTU_FILE VTU_PIECE("1") VTU_ARRAY("format=\"appended\" offset=\"0\"")
             VTU_APPENDED("raw") "\x0c\0\0\0\0\0\0\0\0\0\0\0",
         "expected 12 bytes; the file is cut"),
    CASE("t.vtu",
         VTU_FILE VTU_PIECE("2") VTU_ARRAY("format=\"appended\" offset=\"0\"")
             VTU_APPENDED("raw") "\x0c\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
         "an array of 12 bytes; 24 are needed"),
    CASE("u.vtu", VTU_FILE VTU_PIECE("1") VTU_ARRAY("format=\"binary\">DAAAAA") VTU_END,
         "expected base64 of 4 bytes; it is damaged or cut off here"),
    CASE("v.vtu", VTU_FILE VTU_PIECE("1") VTU_ARRAY("format=\"binary\">DAAA!AAA") VTU_END,
         "expected base64 of 4 bytes"),
    CASE("w.vtu",
         VTU_FILE ZLIB VTU_PIECE("1") VTU_ARRAY("format=\"appended\" offset=\"0\"")
             VTU_APPENDED("raw") "\xff\xff\xff\xff\0\0\0\x80\0\0\0\0",
         "4294967295 compressed blocks of 2147483648 bytes"),
    CASE("x.vtu",
         VTU_FILE ZLIB VTU_PIECE("1") VTU_ARRAY("format=\"appended\" offset=\"0\"")
             VTU_APPENDED("raw") "\1\0\0\0\x0c\0\0\0\0\0\0\0\x4\0\0\0abcd",
         "a compressed block does not have the 12 bytes that its header gives ("),
    CASE("y.vtu",
         VTU_FILE ZLIB VTU_PIECE("1") VTU_ARRAY("format=\"appended\" offset=\"0\"")
             VTU_APPENDED("raw") "\1\0\0\0\x0c\0\0\0\0\0\0\0\xff\xff\xff\x7f"
                                 "abcd",
         "expected 2147483647 bytes"),
    CASE("z.vtu",
         VTU_FILE ZLIB VTU_PIECE("1") VTU_ARRAY("format=\"appended\" offset=\"0\"")
             VTU_APPENDED("raw") "\2\0\0\0\0\0\0\x40\0\0\0\0\1\0\0\0\1\0\0\0"
                                 "abcd",
         "an array of 2147483648 bytes; 12 are needed"),
    CASE("0.vtu", VTU_FILE VTU_PIECE("1") "<Points><DataArray type=\"String\"/></Points>",
         "points of type \"String\"; expected Float32"),
    CASE("1.vtu", VTU_FILE VTU_PIECE("1") "<Points><DataArray type=\"Float32\"/></Points>",
         "points with 1 components; expected 3"),
};

static void wrong_xml_is_refused_with_its_place(void **state)
{
    scratch *s = *state;
    for (size_t i = 0; i < BASE_COUNT(vtus); i++) {
        io_particles frame;
        s->message[0] = 0;
        scratch_write(s, vtus[i].name, vtus[i].bytes, vtus[i].size);
        if (io_particles_read(&s->log, s->path, &frame) != WEIR_ERROR_IO)
            fail_msg("%s passed", vtus[i].name);
        assert_null(frame.position);
        assert_message_has(s, vtus[i].message);
    }
}

#define VTP_POLYS(count)                                                                      \
    "<VTKFile type=\"PolyData\"><PolyData><Piece NumberOfPoints=\"3\" NumberOfPolys=\"" count \
    "\"><Points><DataArray type=\"Float32\" NumberOfComponents=\"3\">0 0 0 1 0 0 0 1 0"       \
    "</DataArray></Points>\n<Polys>"
#define VTP_CORNERS(numbers) \
    "<DataArray type=\"Int32\" Name=\"connectivity\">" numbers "</DataArray>\n"
#define VTP_OFFSETS(numbers) "<DataArray type=\"Int32\" Name=\"offsets\">" numbers "</DataArray>\n"
#define VTP_END "</Polys></Piece></PolyData></VTKFile>"

static void wrong_faces_of_xml_are_refused_with_their_place(void **state)
{
    static const char *const cases[][2] = {
        {VTP_POLYS("1") VTP_CORNERS("0 1 3") VTP_OFFSETS("3") VTP_END,
         "wrong.vtp:2:52: vertex index 3; the piece's 3 points have indices from 0"},
        {VTP_POLYS("1") VTP_CORNERS("0 1 -2") VTP_OFFSETS("3") VTP_END, "wrong.vtp:2:56: corners"},
        {VTP_POLYS("1") VTP_CORNERS("0 1") VTP_OFFSETS("3") VTP_END,
         "the array ends after 2 of 3 numbers"},
        {VTP_POLYS("1") VTP_CORNERS("0 1") VTP_OFFSETS("2") VTP_END, "a face with 2 corners"},
        {VTP_POLYS("2") VTP_CORNERS("0 1 2 0 1 2") VTP_OFFSETS("6 3") VTP_END,
         "offset 1 of the cells is 3, less than 6 before it"},
        {"<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid><Piece NumberOfPoints=\"1\" "
         "NumberOfCells=\"1\"><Points><DataArray type=\"Float32\" NumberOfComponents=\"3\">0 0 0"
         "</DataArray></Points><Cells>" VTP_CORNERS("0") VTP_OFFSETS(
             "1") "<DataArray Name=\"types\" "
                  "type=\"UInt8\" "
                  "NumberOfComponents=\"0\"></DataArray></Cells></Piece></UnstructuredGrid>"
                  "</VTKFile>",
         "the array ends after 0 of 1 numbers"},
        {VTP_POLYS("1") VTP_CORNERS("0 1 2") VTP_END, "cells without an array of offsets"},
        {VTP_POLYS("99999999999999") VTP_CORNERS("0 1 2") VTP_OFFSETS("3") VTP_END,
         "99999999999999 cells cannot be in a file of this size"},
        {VTP_POLYS("1") VTP_CORNERS("0 1 2") VTP_OFFSETS("4000000000") VTP_END,
         "the array ends after 3 of 4000000000 numbers"},
    };
    scratch *s = *state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        io_mesh mesh;
        scratch_write_text(s, "wrong.vtp", cases[i][0]);
        assert_int_equal(io_mesh_read(&s->log, s->path, &mesh), WEIR_ERROR_IO);
        assert_message_has(s, cases[i][1]);
    }
}

static void wrong_npy_headers_are_refused(void **state)
{
    static const char *const cases[][2] = {
        {"{}", "has no \"descr\""},
        {"{'descr'", "has no \"descr\""},
        {"{'descr':", "the elements must be numbers, such as '<f4'"},
        {"{'descr':'<c8','fortran_order':False,'shape':(1,3)}",
         "the elements must be numbers, such as '<f4'"},
        {"{'descr':'<f4'}", "has no \"fortran_order\""},
        {"{'descr':'<f4','fortran_order':Maybe,'shape':(1,3)}", "must be True or False"},
        {"{'descr':'<f4','fortran_order':False}", "has no \"shape\""},
        {"{'descr':'<f4','fortran_order':False,'shape':(3,)}",
         "the array has the shape (3); expected two dimensions, (rows, columns)"},
        {"{'descr':'<f4','fortran_order':False,'shape':(3",
         "the shape must be a list of whole numbers from 0, such as (100, 3)"},
        {"{'descr':'<f4','fortran_order':False,'shape':(1,2)}", "the array has the shape (1, 2)"},
        {"{'descr':'<f4','fortran_order':False,'shape':(0,5000)}",
         "the array has the shape (0, 5000)"},
        {"{'descr':'<f4','fortran_order':False,'shape':(2,3,3)}",
         "the array has the shape (2, 3, 3)"},
        {"{'descr':'<f4','fortran_order':False,'shape':(-1,3)}", "the shape must be"},
        {"{'descr':'<f4','fortran_order':False,'shape':(9223372036854775807,9)}",
         "9223372036854775807 rows (at least 36 bytes each) cannot be in the 0 bytes"},
    };
    scratch *s = *state;
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        uint8_t bytes[256] = "\x93NUMPY\x01";
        io_particles frame;
        size_t size = strlen(cases[i][0]);
        bytes[8] = (uint8_t)size;
        memcpy(bytes + 10, cases[i][0], size);
        scratch_write(s, "wrong.npy", bytes, 10 + size);
        assert_int_equal(io_particles_read(&s->log, s->path, &frame), WEIR_ERROR_IO);
        assert_message_has(s, "wrong.npy: byte ");
        assert_message_has(s, cases[i][1]);
    }
}

/* A file's contents must not control a terminal. */
static void control_bytes_of_a_file_do_not_reach_the_message(void **state)
{
    scratch *s = *state;
    io_mesh mesh;
    scratch_write_text(s, "escape.obj", "v 0 \x1b[31m\x07 0\n");
    assert_int_equal(io_mesh_read(&s->log, s->path, &mesh), WEIR_ERROR_IO);
    assert_message_has(s, "\"?[31m?\" is not a number");
}

static void a_missing_file_and_a_folder_are_errors(void **state)
{
    scratch *s = *state;
    io_mesh mesh;
    io_particles frame;
    assert_int_equal(io_mesh_read(&s->log, "no/such.obj", &mesh), WEIR_ERROR_IO);
    assert_message_has(s, "no/such.obj");
    assert_int_equal(io_particles_read(&s->log, s->folder, &frame), WEIR_ERROR_IO);
    assert_message_has(s, s->folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_obj_is_refused_with_its_place),
        cmocka_unit_test(wrong_ply_and_stl_are_refused_with_their_place),
        cmocka_unit_test(wrong_particles_are_refused_with_their_place),
        cmocka_unit_test(wrong_xml_is_refused_with_its_place),
        cmocka_unit_test(wrong_faces_of_xml_are_refused_with_their_place),
        cmocka_unit_test(wrong_npy_headers_are_refused),
        cmocka_unit_test(control_bytes_of_a_file_do_not_reach_the_message),
        cmocka_unit_test(a_missing_file_and_a_folder_are_errors),
    };
    return cmocka_run_group_tests(tests, scratch_setup, scratch_teardown);
}
