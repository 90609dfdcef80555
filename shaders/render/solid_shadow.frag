// Depth alone.
#version 460
void main() {}
