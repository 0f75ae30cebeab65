"""Gradient descent: how far to step, why narrow valleys are slow, what momentum mends, and which minimum a rate can hold.

Read `model` first; `numbers`, `drawing` and `simulators` are what slides show of it, `claims` what their sentences rest on.
"""

from figures.gradient_descent.claims import (
    both_rates_fit_the_data as both_rates_fit_the_data,
    curvature_sets_the_limit as curvature_sets_the_limit,
    large_rate_ends_flatter as large_rate_ends_flatter,
    momentum_raises_the_limit as momentum_raises_the_limit,
    one_rate_for_two_curvatures as one_rate_for_two_curvatures,
    one_step_arrives as one_step_arrives,
    round_bowl_needs_no_momentum as round_bowl_needs_no_momentum,
    small_steps_fall_each_time as small_steps_fall_each_time,
    steep_side_sets_the_rate as steep_side_sets_the_rate,
    steps_grow_with_the_condition as steps_grow_with_the_condition,
    usual_momentum_hardly_sees_the_valley as usual_momentum_hardly_sees_the_valley,
)
from figures.gradient_descent.drawing import factors as factors, two_minima as two_minima, valley as valley
from figures.gradient_descent.numbers import (
    author as author,
    best_factor as best_factor,
    condition as condition,
    crossing as crossing,
    crossing_opens as crossing_opens,
    curvature as curvature,
    end_curvature as end_curvature,
    exact_rate as exact_rate,
    fewer as fewer,
    left as left,
    limit as limit,
    longest_valley as longest_valley,
    pace_of_momentum as pace_of_momentum,
    rate as rate,
    rate_limit as rate_limit,
    steps as steps,
    target as target,
    usual_momentum as usual_momentum,
    valleys as valleys,
    walks as walks,
    year as year,
)
from figures.gradient_descent.simulators import choosing_a_rate as choosing_a_rate, crossing_a_valley as crossing_a_valley
