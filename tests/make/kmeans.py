"""NumPy twin of examples/kmeans.gpy: prints what the example must print. The example is NumPy's own
language but for the name of the namespace, so the twin runs its text."""
import os
import re

import numpy as np

here = os.path.dirname(os.path.abspath(__file__))
example = os.path.join(here, "..", "..", "examples", "kmeans.gpy")
with open(example, encoding="utf-8") as file:
    text = file.read()
exec(compile(text, example, "exec"), {"gp": np, "__file__": example})
