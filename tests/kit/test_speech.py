"""Formulas read aloud: by hand in two languages, from what pandoc makes of TeX; a law; and what can't be read is refused by name."""

from __future__ import annotations

import re
import subprocess
from functools import cache

import pytest
from base.pandoc import pandoc
from hypothesis import assume, given
from hypothesis import strategies as st

from figures.kit import language, speech
from figures.kit.errors import Problem
from figures.kit.speech.plain import tidy

PORTUGUESE = {
    r"\sqrt{d_k}": "raiz quadrada de d k",
    r"\sqrt{a+b}": "raiz quadrada de a mais b, fim da raiz",
    r"\sqrt{-1}": "raiz quadrada de menos 1",
    r"\sqrt[3]{x}": "raiz de índice 3 de x, fim da raiz",
    r"e^{-20}": "e elevado a menos 20",
    r"\text{0,9}^{\text{64}}": "0,9 elevado a 64",
    r"n^2": "n ao quadrado",
    r"x_i^3": "x i ao cubo",
    r"e^{q \cdot k}": "e elevado a q vezes k, fim do expoente",
    r"(a+b)^2": "abre parêntese a mais b, fecha parêntese, ao quadrado",
    r"{a+b}^2": "a mais b, tudo isso ao quadrado",
    r"\frac{a}{b}": "fração a sobre b",
    r"\frac{1}{1+e^{-x}}": "fração, numerador 1, denominador 1 mais e elevado a menos x, fim da fração",
    r"\frac{\partial L}{\partial S}": "derivada parcial de L em relação a S",
    r"\partial L/\partial S": "derivada parcial de L em relação a S",
    r"\frac{dy}{dx}": "derivada de y em relação a x",
    r"\binom{n}{k}": "binomial n sobre k",
    r"QK^\top": "Q K transposta",
    r"K^T": "K transposta",
    r"\gamma^T": "gama elevado a T",
    r"W_Q": "W Q",
    r"h_{kv}": "h índice k v",
    r"h_{t-1}": "h índice t menos 1, fim do índice",
    r"W_{ij}^{(l)}": "W índice i j sobrescrito abre parêntese l, fecha parêntese",
    r"f'(x)": "f linha de x",
    r"90^\circ": "90 graus",
    r"x_{i_j}": "x i j",
    r"\sum_{i=1}^{n} x_i": "soma de i igual a 1 até n de x i",
    r"\sum_j a_j v_j": "soma em j de a j v j",
    r"\int_0^1 x\,dx": "integral de 0 até 1 de x d x",
    r"\nabla_\theta J": "gradiente em teta de J",
    r"\max_i x_i": "máximo para i de x i",
    r"\arg\max_i x_i": "argumento de máximo para i de x i",
    r"\log_2 n": "logaritmo na base 2 de n",
    r"\sin^2 x": "seno ao quadrado de x",
    r"\text{softmax}(S)": "softmax de S",
    r"\mathrm{softmax}(q + k)": "softmax de abre parêntese q mais k, fecha parêntese",
    r"\text{softmax}_j(x)": "softmax j de x",
    r"O(n^2)": "O de n ao quadrado",
    r"n(n+1)/2": "n abre parêntese n mais 1, fecha parêntese, sobre 2",
    r"P(a \mid b)": "P de a dado b",
    r"E[x + 1]": "E abre colchete x mais 1, fecha colchete",
    r"|x| + |y|": "módulo de x mais módulo de y",
    r"||a| - |b||": "módulo de módulo de a menos módulo de b, fim do módulo",
    r"2|x|": "2 módulo de x",
    r"\|x\|^2": "norma de x, ao quadrado",
    r"\lVert a + b\rVert_2": "norma de a mais b, fim da norma, índice 2",
    r"\lfloor x \rfloor": "piso de x, fim do piso",
    r"\theta_i": "teta i",
    r"\Pi X": "pi maiúsculo X",
    r"N \gg n": "N maiúsculo muito maior que n",
    r"b_k B": "b k B maiúsculo",
    r"K d_k": "K d k",
    r"\mathbf{1}": "1 em negrito",
    r"x \in \mathbb{R}": "x pertence a conjunto dos reais",
    r"\mathcal{L}(\theta)": "L caligráfico de teta",
    r"\hat{y} + \bar{x} + \vec{v} + \dot{u} + \tilde{z}": "y chapéu mais x barra mais vetor v mais u ponto mais z til",
    r"\underbrace{a+b}_{\text{soma}}": "a mais b com chave embaixo com soma embaixo",
    r"\overset{!}{a}": "a com fatorial em cima",
    r"\boxed{x} \cancel{y}": "x em destaque y riscado",
    r"n \times d": "n por d",
    r"2 \times 10^{-9}": "2 vezes 10 elevado a menos 9",
    r"\text{2 × 10⁻⁹}": "2 vezes 10 elevado a menos 9",
    "\\text{131\u00a0072}": "131072",
    r"10\,000": "10000",
    r"0{,}5": "0,5",
    r"(0, 5)": "abre parêntese 0, 5, fecha parêntese",
    r"/\sqrt{2}": "dividido por raiz quadrada de 2",
    r"-\infty": "menos infinito",
    r"a \odot b": "a vezes, elemento a elemento, b",
    r"\{1, 2, \ldots, n\}": "abre chave 1, 2, reticências, n, fecha chave",
    r"\begin{pmatrix} 1 & 2 \\ 3 & 4 \end{pmatrix}": "matriz 2 por 2, linha 1: 1, 2; linha 2: 3, 4; fim da matriz",
    r"\begin{vmatrix} a \\ b \end{vmatrix}": "determinante da matriz 2 por 1, linha 1: a; linha 2: b; fim da matriz",
    r"\begin{cases} 0 & \text{se } j \le i \\ 1 & \text{se } j > i \end{cases}": (
        "por casos: 0, se j menor ou igual a i; 1, se j maior que i; fim dos casos"
    ),
    r"\begin{aligned} a &= b \\ c &= d \end{aligned}": "a igual a b; c igual a d",
}
ENGLISH = {
    r"\sqrt{d_k}": "square root of d k",
    r"e^{-20}": "e to the power of minus 20",
    r"\frac{a}{b}": "fraction a over b",
    r"QK^\top": "Q K transpose",
    r"\sum_{i=1}^{n} x_i": "sum from i equals 1 to n of x i",
    r"h_t = \tanh(W_h h_{t-1})": "h t equals hyperbolic tangent of open parenthesis W h h sub t minus 1, end sub, close parenthesis",
    r"n \times d": "n by d",
    r"\Omega_0": "capital omega 0",
}


@cache
def mathml(*formulas: str) -> list[str]:
    """What pandoc makes of TeX, all in one call."""
    source = "\n\n".join(f"${tex}$" for tex in formulas)
    done = subprocess.run([pandoc(), "--mathml"], input=source, capture_output=True, text=True, encoding="utf-8", check=True)
    made = re.findall(r"<math.*?</math>", done.stdout, re.DOTALL)
    assert len(made) == len(formulas)
    return made


@pytest.mark.parametrize(("tag", "expected"), [("pt-BR", PORTUGUESE), ("en", ENGLISH)])
def test_by_hand(tag: str, expected: dict[str, str]):
    with language.speaking(tag):
        said = {tex: speech.of_mathml(math) for tex, math in zip(expected, mathml(*expected), strict=True)}
    assert said == expected


TEXTS = {
    "de 5\u00a0×\u00a010⁻⁴ a 10²": "de 5 vezes 10 elevado a menos 4 a 10 ao quadrado",
    "dividido por √d_k": "dividido por raiz quadrada de d k",
    "X (n × d_k), 6 × 16": "X (n por d k), 6 por 16",
    "queries × 100": "queries vezes 100",
    "x₁ e −3, ângulo de 2θ": "x 1 e menos 3, ângulo de 2 teta",
    "K e V = 2 + 3, um e/ou outro; snake_case": "K e V = 2 + 3, um e/ou outro; snake_case",
    "αβγ": "αβγ",
}


@pytest.mark.parametrize(("text", "expected"), TEXTS.items())
def test_texts_say_what_voices_do_not(text: str, expected: str):
    with language.speaking("pt-BR"):
        assert speech.of_text(text) == expected


# ---- a law: different formulas never sound the same ----

LEAVES = st.sampled_from(["<mi>a</mi>", "<mi>b</mi>", "<mi>n</mi>", "<mn>2</mn>"])


def larger(part: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    row = part.map(lambda one: f"<mrow>{one}</mrow>")
    fence = part.map(lambda one: f"<mrow><mo>(</mo>{one}<mo>)</mo></mrow>")
    return st.one_of(
        st.tuples(part, part).map(lambda two: f"{two[0]}<mo>+</mo>{two[1]}"),
        row.map(lambda one: f"<msqrt>{one}</msqrt>"),
        st.tuples(row, row).map(lambda two: f"<mfrac>{two[0]}{two[1]}</mfrac>"),
        st.tuples(fence, row).map(lambda two: f"<msup>{two[0]}{two[1]}</msup>"),
        st.tuples(LEAVES, row).map(lambda two: f"<msup>{two[0]}{two[1]}</msup>"),
    )


FORMULAS = st.recursive(LEAVES, larger, max_leaves=6)


@given(FORMULAS, FORMULAS)
def test_two_formulas_never_sound_the_same(one: str, other: str):
    assume(re.sub("</?mrow>", "", one) != re.sub("</?mrow>", "", other))
    with language.speaking("pt-BR"):
        assert speech.of_mathml(f"<math>{one}</math>") != speech.of_mathml(f"<math>{other}</math>")


@given(st.text(alphabet="a ,.;:!?", max_size=30))
def test_tidying_twice_changes_nothing(text: str):
    assert tidy(tidy(text)) == tidy(text)


# ---- what can't be read ----


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        ("<math><mi>A</mi><mo>⊞</mo><mi>B</mi></math>", "no word stands for “⊞” .U.229E, squared plus"),
        ("<math><mtext>a ☃ b</mtext></math>", "☃"),
        ("<math><mmultiscripts><mi>A</mi><mi>b</mi><none/></mmultiscripts></math>", "<mmultiscripts>"),
        ("<math><mspace/></math>", "nothing in it"),
        ("<math><mi>A</math>", "not well-formed"),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(formula: str, said: str):
    with language.speaking("en-GB"), pytest.raises(Problem, match=said) as refused:
        speech.of_mathml(formula)
    assert refused.value.remedy


def test_the_remedy_names_the_file_of_the_language():
    with language.speaking("en-GB"), pytest.raises(Problem) as refused:
        speech.of_mathml("<math><mo>⊞</mo></math>")
    assert "data/words/en/speech.yml" in refused.value.remedy
