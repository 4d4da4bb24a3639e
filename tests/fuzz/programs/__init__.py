"""Random small programs of the language that gpy and CPython share; see ../python_programs.py."""
