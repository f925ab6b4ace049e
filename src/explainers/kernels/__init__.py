"""Reference kernels: pure functions that articles run, show and draw.

An island: a kernel imports NumPy and nothing else, so that the code a reader sees is all the
code there is. It takes the array library as `xp`, and runs the same on NumPy and CuPy arrays.
"""
