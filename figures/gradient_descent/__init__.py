"""Gradient descent: how far to step, why narrow valleys are slow, what momentum mends, and which minimum a rate can hold.

Read `model` first; `numbers`, `drawing` and `simulators` are what slides show of it, `claims` what their sentences rest on.
"""

from figures.gradient_descent.claims import *
from figures.gradient_descent.drawing import *
from figures.gradient_descent.numbers import *
from figures.gradient_descent.simulators import *
