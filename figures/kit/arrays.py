"""The array types that signatures name."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.floating]
Integers = NDArray[np.integer]
Booleans = NDArray[np.bool_]
