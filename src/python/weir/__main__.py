"""Runs the program: python -m weir run scene.json."""
from ._program import main

main()
