"""Masks: what each position sees and must predict, four kinds as matrices, and what the lab measured with and without.

A mask is (n, n), added to the scores: row i is the one that looks, column j the one looked at; 0 allows, −∞ forbids.
The masks themselves are in attention.py.
"""

from figures.masks.kinds import *
from figures.masks.measured import *
from figures.masks.model import *
from figures.masks.positions import *
