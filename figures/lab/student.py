"""What the lab's notebook imports: `confere`, what each section is given, and the displays that use a student's work.

Names are Portuguese because students type them. Every function takes a gap that is still blank, and gives a blank or a
sentence that says so. Numbers come from the topics; nothing is computed here that a slide shows.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np

from figures import attention, masks, multihead_code, random_draws, rope, scaling_experiment
from figures.kit.arrays import Array
from figures.kit.checkpoints import RIGHT, NotMade, Verdict, gaps, is_blank, stopped, told
from figures.kit.formats import joined
from figures.kit.show import Markdown, Table
from figures.kit.words import Words
from figures.lab import checks, inputs, session, training
from figures.lab.displays import (
    como_multi_head,
    distancia,
    efeito,
    escreve,
    relogio,
    saturacao,
    scores_girados,
    soma_das_linhas,
)
from figures.lab.gaps import passing_blanks
from figures.lab.pictures import (
    crescimento,
    escala,
    giro_da_query,
    mapa,
    mapa_das_mascaras,
    passagens,
    quem_le_quem,
    score_pelo_deslocamento,
)

_words = Words("laboratorio")


def prepara(nomes: dict[str, Any]) -> None:
    """Prepara o notebook: `prepara(globals())`. O que as lacunas ainda não fizeram fica em branco, em vez de faltar."""
    session.opened(nomes)


def confere(secao: object = None, *resposta: object) -> Verdict:
    """Confere a resposta de uma seção: `confere(5, causal, padding)`. Diz se está certa sem dizer qual é."""
    found = checks.checked(secao, resposta[0] if len(resposta) == 1 else list(resposta) or ...)
    if os.environ.get("NBGRADER_EXECUTION") and found.status != RIGHT:  # nbgrader gives a cell's points unless it raises
        raise AssertionError(found.text)
    return session.noted(secao, found)


def resumo() -> Table:
    """O que já foi conferido, seção por seção, com os minutos e os pontos de cada uma."""
    return session.summary()


def entrega(nome: str = "") -> Markdown:
    """Grava o arquivo a entregar, com o seu nome: `entrega("Ana Souza")`."""
    return session.handed_in(nome)


GIVEN: dict[int, Callable[[], Any]] = {
    1: inputs.dictionary,
    2: inputs.all_queries,
    3: inputs.scaling,
    4: inputs.way_back,
    5: inputs.filled,
    6: lambda: (*inputs.order()[:2], rope.records().base),
    7: inputs.grouped,
}


def dados(secao: int) -> Any:
    """Os dados de uma seção, numa tupla: `q, K, V = dados(1)`."""
    if secao not in GIVEN:
        raise ValueError(_words("no_data", sections=joined([str(n) for n in GIVEN], _words("and"))))
    return GIVEN[secao]()


# Section 3


@passing_blanks
def softmax(S: Array) -> Array:
    """Cada linha de S como pesos que somam 1."""
    return attention.softmax(S)


@passing_blanks
def tamanho_do_gradiente(A: Array, g: Array) -> Array:
    """‖∂L/∂S‖ de cada linha, a partir dos pesos A e de g = ∂L/∂A."""
    lengths: Array = np.linalg.norm(attention.softmax_backward(A, g), axis=-1)
    return lengths


@passing_blanks
def mediana(valores: Array) -> float:
    """A mediana; entre dois valores do meio, o menor, como faz o PyTorch."""
    return scaling_experiment.lower_median(np.ravel(valores))


# Section 6


def cabeca(X: Array) -> Array:
    """Uma cabeça sem nenhum sinal de posição: (n, d) → (n, d_v)."""
    return inputs.head(X)


# Section 7


def empresta(atencao: Any) -> Callable[..., Any]:
    """A sua `atencao`, se ela serve também a várias cabeças e a uma máscara; a do laboratório, se não."""
    Q, K, V = (np.stack([M, M[::-1]]) for M in random_draws.drawn(masks.records().lab.padding).values())
    mask = attention.causal(Q.shape[1])
    try:
        A, output = atencao(Q, K, V, mask)
        fits = np.allclose(A, attention.weights(Q, K, mask), atol=1e-5) and np.allclose(output, A @ V, atol=1e-5)
    except Exception:
        fits = False
    return atencao if fits else emprestada


def emprestada(Q: Array, K: Array, V: Array, mascara: Array | None = None) -> tuple[Array, Array]:
    """A `atencao` do laboratório: os pesos e a saída."""
    return multihead_code.atencao(Q, K, V, mascara)


# Section 10


def treina(alvo: Any, cabeca: Any = training.aprendiz) -> Any:
    """Treina uma cabeça para responder `alvo(ids)` e devolve os pesos médios dela, (n, n)."""
    if is_blank(alvo) or is_blank(cabeca):
        return NotMade("aprendida")
    if any(gaps(alvo)) or any(gaps(cabeca)):
        return ...
    try:
        return training.train(alvo, cabeca)
    except training.WrongTarget as wrong:
        return NotMade("aprendida", *wrong.args)
    except (Exception, SystemExit) as error:
        return NotMade("aprendida", told(stopped(error, alvo)))


__all__ = [
    "cabeca",
    "como_multi_head",
    "confere",
    "crescimento",
    "dados",
    "distancia",
    "efeito",
    "empresta",
    "entrega",
    "escala",
    "escreve",
    "giro_da_query",
    "mapa",
    "mapa_das_mascaras",
    "mediana",
    "passagens",
    "prepara",
    "quem_le_quem",
    "relogio",
    "resumo",
    "saturacao",
    "score_pelo_deslocamento",
    "scores_girados",
    "softmax",
    "soma_das_linhas",
    "tamanho_do_gradiente",
    "treina",
]
