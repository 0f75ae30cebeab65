"""The lab's draws: torch's own numbers, exactly, in the order and precision asked for."""

from __future__ import annotations

import numpy as np
import pytest

from figures import random_draws
from figures.kit.errors import DataError


@pytest.mark.parametrize("draw", random_draws.records(), ids=lambda draw: draw.id)
def test_draws_are_torchs_own(draw):
    import torch

    found = random_draws.drawn(draw.id)  # before the seed: what is not stored yet is drawn on the spot
    torch.manual_seed(draw.seed)
    for name, array in found.items():
        expected = torch.randn(*draw.arrays[name], dtype=getattr(torch, draw.precision)).numpy()
        assert array.dtype == expected.dtype
        np.testing.assert_array_equal(array, expected, err_msg=name)


def test_another_seed_gives_other_numbers():
    assert random_draws.normals(0, "float32", ((3,),)) != random_draws.normals(1, "float32", ((3,),))


def test_an_unknown_draw_names_the_known_ones():
    with pytest.raises(DataError, match="rotated-pair"):
        random_draws.drawn("no-such-draw")
