"""The KV cache: what a token leaves behind, how many bytes that is, and whether it fits beside the weights.

Read `records` and `arithmetic` first; `size`, `settings`, `heads` and `drawing` are what slides show of them. GB is 10⁹,
KiB 2¹⁰.
"""

from figures.kv_cache.arithmetic import KEY_AND_VALUE as KEY_AND_VALUE, demanded as demanded
from figures.kv_cache.drawing import opening_state as opening_state
from figures.kv_cache.heads import (
    latent_heads as latent_heads,
    latent_model as latent_model,
    latent_share as latent_share,
    sharing as sharing,
    sharing_shrinks as sharing_shrinks,
)
from figures.kv_cache.records import (
    State as State,
    accelerators as accelerators,
    controls as controls,
    models as models,
    schemes as schemes,
    state as state,
)
from figures.kv_cache.settings import (
    again as again,
    bits as bits,
    bottleneck as bottleneck,
    cache as cache,
    cache_outweighs_weights as cache_outweighs_weights,
    context as context,
    fits as fits,
    growth as growth,
    memory as memory,
    model_of as model_of,
    scheme_of as scheme_of,
    setting as setting,
    weights as weights,
    weights_fit as weights_fit,
)
from figures.kv_cache.size import (
    factors as factors,
    kept_per_head as kept_per_head,
    long_context as long_context,
    long_context_model as long_context_model,
    one_user as one_user,
    passes_add_up as passes_add_up,
    passes_formula as passes_formula,
)
from figures.kv_cache.units import gigabytes as gigabytes
