"""The chapter "Query, Key, Value": its place in the course, its two scripts as run, and the chain of the example by hand.

The numbers of its sections are hand_example's, running_example's, shapes' and scaling's; here stands only what the
chapter alone says of them.
"""

from figures.chapter.claims import *
from figures.chapter.course import *
from figures.chapter.drawing import *
from figures.chapter.matrices import *
from figures.chapter.scripts import *
