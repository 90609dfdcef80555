// Writes depth only.
#version 460
void main() {}
