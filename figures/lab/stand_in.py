"""What a notebook's helpers do while it is graded: those that its gaps need, in numpy alone, and nothing for the others.

Runs where nothing of the project can be imported and no answer is at hand: `pesos` of section 2 are lent to section 7 alone.
"""

from __future__ import annotations

from typing import Any

import numpy as np

section = 0  # the section whose function is being tried; while cells run, none


def names(given: dict[str, Any]) -> dict[str, Any]:
    """The names of the notebook's first cell; `given` holds each section's data and the head of section 6."""
    projections = given["cabeca"]

    def dados(secao: int) -> Any:
        return tuple(item.copy() if isinstance(item, np.ndarray) else item for item in given[f"dados {secao}"])

    def cabeca(X: Any) -> Any:
        q, k, v = (X @ W for W in projections)
        return softmax(q @ k.T / np.sqrt(q.shape[-1])) @ v

    def confere(*_: Any, **__: Any) -> None:
        """Nothing: whoever grades checks it."""

    shown = """prepara resumo entrega como_multi_head crescimento distancia efeito escala escreve giro_da_query mapa mapa_das_mascaras
    passagens quem_le_quem relogio saturacao score_pelo_deslocamento scores_girados soma_das_linhas"""
    helpers = {"dados": dados, "cabeca": cabeca, "softmax": softmax, "mediana": mediana, "tamanho_do_gradiente": tamanho_do_gradiente}
    return helpers | {"empresta": empresta, "treina": confere, "confere": confere} | dict.fromkeys(shown.split(), confere)


def softmax(S: Any) -> Any:
    if S is ...:
        return ...
    grown = np.exp(S - np.max(S, axis=-1, keepdims=True))
    return grown / np.sum(grown, axis=-1, keepdims=True)


def mediana(valores: Any) -> Any:
    return ... if valores is ... else float(np.sort(np.ravel(valores))[(np.size(valores) - 1) // 2])


def tamanho_do_gradiente(A: Any, g: Any) -> Any:
    if A is ... or g is ...:
        return ...
    return np.linalg.norm(A * (g - (A * g).sum(axis=-1, keepdims=True)), axis=-1)


def empresta(atencao: Any) -> Any:
    """The student's attention where it works with heads; else one that serves while section 7 is tried, and at no other time."""

    def lent(Q: Any, K: Any, V: Any, mascara: Any = 0.0) -> Any:
        if section != 7:
            raise RuntimeError("só na seção 7")
        A = softmax(Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1]) + mascara)
        return A, A @ V

    def either(*args: Any, **named: Any) -> Any:
        try:
            A, output = atencao(*args, **named)
            wanted = lent(*args, **named)
            if np.allclose(A, wanted[0], atol=1e-5) and np.allclose(output, wanted[1], atol=1e-5):
                return A, output
        except Exception:
            return lent(*args, **named)
        return wanted

    return either


def tensor(array: Any) -> Any:
    """Ids as a tensor, for section 10."""
    import torch

    return torch.from_numpy(array)
