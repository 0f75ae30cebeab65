"""Masks: what each position sees and must predict, four kinds as matrices, and what the lab measured with and without.

A mask is (n, n), added to the scores: row i is the one that looks, column j the one looked at; 0 allows, −∞ forbids.
The masks themselves are in attention.py.
"""

from figures.masks.kinds import four_masks as four_masks, four_matrices as four_matrices, scheme_count as scheme_count
from figures.masks.measured import (
    change_with_mask as change_with_mask,
    change_without_mask as change_without_mask,
    changed_rows as changed_rows,
    documents_leak as documents_leak,
    outputs as outputs,
    padding_difference as padding_difference,
    padding_disturbs as padding_disturbs,
    padding_score as padding_score,
    padding_with_mask as padding_with_mask,
    padding_without_mask as padding_without_mask,
    projected as projected,
    rows_in_words as rows_in_words,
    unmasked_sees_its_answer as unmasked_sees_its_answer,
)
from figures.masks.model import records as records
from figures.masks.positions import (
    first_position as first_position,
    first_prediction as first_prediction,
    one_example_a_position as one_example_a_position,
    sees_and_predicts as sees_and_predicts,
)
