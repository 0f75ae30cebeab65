"""Whatever a student hands in gets a sentence and never an exception: blanks, bad input, names that no cell has made, gaps half filled."""

from __future__ import annotations

import itertools
import json
import re
from typing import Any

import lab_answers
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from figures import attention, multihead_code
from figures.kit.checkpoints import NotMade
from figures.kit.words import Words
from figures.lab import checks, session, stand_in, student
from figures.lab.student import confere

WORDS = Words("checkpoints")
SECTIONS = list(lab_answers.ASKED)

BAD = [
    "0,5", b"5", "", {}, {"a": 1}, {1, 2}, object(), float("nan"), [np.nan, np.nan], [float("inf")] * 2, 3 + 4j, [[1, 2], [3]], [[]],
    np.array([]), np.array(["a", "b"]), np.array([1, "a"], object), print, [print, print], range(3), (x for x in [1]), 10**400,
    [10**400, 1],    True, type, np.zeros((0, 3)), np.ma.masked, iter([]),
]  # fmt: skip


@pytest.fixture(autouse=True)
def no_progress_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "_statuses", {})


def gaps_of(n: int) -> str:
    """The gap's cell as the student gets it, out of the notebook's source."""
    source = (lab_answers.SOLUTIONS.parent / "laboratorio.qmd").read_text(encoding="utf-8")
    (cell,) = re.findall(rf"```\{{python\}}\n#\| label: lacuna-{n}\n(.*?)```", source, re.DOTALL)
    return str(cell)


@pytest.mark.parametrize("n", SECTIONS)
def test_a_gap_as_it_is_given_is_blank(n: int):
    assert lab_answers.judged(n, gaps_of(n)).status == "blank"
    assert confere(n).status == "blank" and confere(n, *(NotMade(name) for name in lab_answers.ASKED[n])).status == "blank"


@pytest.mark.parametrize("n", SECTIONS)
def test_a_gap_half_filled_stops_nothing_and_says_which_line_is_left(n: int):
    """Each of the gaps is left alone open, and each alone filled: the cell runs, and its checkpoint says what is missing."""
    blank, solved = gaps_of(n).splitlines(), lab_answers.official(n).splitlines()
    heads = {line.partition("=")[0].strip(): line for line in solved if "=" in line and line.startswith("    ")}
    open_lines = [at for at, line in enumerate(blank) if re.search(r"= \.\.\.|return \.\.\.", line)]
    for filled in itertools.chain(([at] for at in open_lines), ([other for other in open_lines if other != at] for at in open_lines)):
        text = [heads.get(line.partition("=")[0].strip(), line) if at in filled else line for at, line in enumerate(blank)]
        names = lab_answers.run("\n".join(text))
        found = lab_answers.checked(n, names)
        still = [line for line in text if re.search(r"= \.\.\.|return \.\.\.", line)]
        assert (found.status == "blank") or not still, (found.text, text)
        if still:
            assert "Ainda há `...`" in found.text


def test_an_answer_may_come_with_brackets_or_without():
    for answer in ([attention.causal, attention.padding],), (attention.causal, attention.padding):
        assert confere(5, *answer).status == "right"


def test_a_part_in_blank_hides_no_other():
    found = confere(5, attention.causal, ...)
    assert [finding.status for finding in found.findings] == ["right", "blank"]
    assert found.status == "blank" and repr(found).count("\n") == 2


@pytest.mark.parametrize("n", SECTIONS)
@pytest.mark.parametrize("answer", BAD, ids=lambda answer: type(answer).__name__)
def test_bad_input_gets_a_sentence(n: int, answer: Any):
    found = confere(n, answer)
    assert found.status in ("unfit", "wrong", "mistake")
    assert repr(found) and "\n> " in found._repr_markdown_()
    assert "Unfit" not in repr(found) and ".." not in repr(found).replace("...", "").replace("`...`", "")


def test_what_was_expected_is_named():
    def said(*answer: Any) -> str:
        return repr(confere(*answer)).replace("\u00a0", " ")

    assert "um array de forma (2,)" in said(1, "0,5")
    assert "NaN" in said(1, [np.nan, 1]) and "infinito" in said(1, [np.inf, 1])
    assert "espera `causal` e `padding`" in said(5, 1)
    assert "a função em si, `causal(n)`, sem chamá-la" in said(5, attention.causal(6), attention.padding)
    assert "lista de ids" in said(9, lambda *a: 1, lambda *a: 1)
    assert "de 1 a 10" in said(11, 1)
    assert "0 × ∞" in said(5, lambda n: (1 - np.tri(n)) * -np.inf, attention.padding) and "np.where" in said(5, lambda n: np.inf * 0, 1)


@pytest.mark.parametrize("section", [0, 11, -1, "3", 3.0, None, True, [], np.nan, ...], ids=lambda it: type(it).__name__)
def test_an_unknown_section_is_told(section: Any):
    assert confere(section, 1).status == "unfit"


@settings(deadline=None)
@given(
    st.integers(1, 10),
    st.recursive(st.none() | st.floats() | st.text() | st.binary() | st.integers(), lambda inner: st.lists(inner, max_size=4)),
)
def test_nothing_is_ever_raised(n: int, answer: Any):
    assert confere(n, answer).status != "right"


def test_a_student_s_function_can_not_spoil_the_inputs():
    def spoils(Q: Any, K: Any, V: Any, h: int, h_kv: int) -> Any:
        result = checks.grouped(Q, K, V, h, h_kv)
        Q[:] = K[:] = V[:] = 0
        return result

    assert [confere(7, spoils, checks.grouped_count).status for _ in range(2)] == ["right", "right"]


@pytest.mark.parametrize(
    ("paper", "said"), [([0.88, 0.12], "fora do lugar"), ([0.12, -0.88], "sinais"), ([0.1, 0.9], "Arredondado demais")]
)
def test_a_slip_on_paper_is_named(paper: list[float], said: str):
    assert said in confere(1, paper).text


@pytest.mark.parametrize(
    ("code", "key"),
    [
        ("torch.softmax(q, -1)", "not_a_tensor"),
        ("torch.ones(2)[7]", "out_of_bounds"),
        ("torch.ones(2, 3) @ torch.ones(2, 3)", "not_aligned"),
        ("torch.ones(2, 3).view(5, 5)", "reshape_tensor"),
        ("torch.ones(2).sum(4)", "no_such_dimension"),
        ("torch.ones(3, 2) @ torch.tensor(q)", "two_types"),
        ("torch.ones(2, requires_grad=True).numpy()", "with_gradient"),
    ],
)
def test_what_pytorch_says_is_said_in_portuguese(code: str, key: str):
    said = lab_answers.judged(1, f"import torch\ndef consulta(q, K, V):\n    return {code}").text
    template = re.escape(WORDS(f"errors.{key}", a="HOLE", b="HOLE")).replace("HOLE", ".+")
    assert re.search(template, said) and "inglês" not in said, said


# Names


def test_what_a_cell_makes_is_forgotten_before_it_runs_again():
    """A cell that stops, even at a syntax error, leaves nothing of an earlier run for its checkpoint to judge."""
    names = lab_answers.run(lab_answers.official(5))
    assert lab_answers.checked(5, names).status == "right"
    broken = lab_answers.official(5).replace("def causal(n):", "def causal(n:")
    session.cleared(names, broken)
    assert "ainda não fez `causal`" in lab_answers.checked(5, names).text


@pytest.mark.parametrize(
    ("cell", "made"),
    [
        ("def causal(n):\n    gira = 1", ["causal"]),
        ("causal, padding = f, g", ["causal", "padding"]),
        ("aprendida = treina(alvo)", ["aprendida"]),
        ("confere(5, causal, padding)", []),
        ("causal == 1", []),
        ("print(gira(x, 1, 2))\ngira = None", ["gira"]),
    ],
)
def test_what_a_cell_makes_is_read_from_its_lines(cell: str, made: list[str]):
    assert session.made_by(cell) == made


def test_the_names_are_those_that_the_gaps_make():
    for n, made in enumerate(session.MADE, 1):
        assert session.made_by(gaps_of(n)) == list(made) == session.made_by(lab_answers.official(n))


def test_no_name_is_missing_and_none_is_overwritten():
    names: dict[str, Any] = {"causal": attention.causal}
    session.opened(names)
    assert names["causal"] is attention.causal and all(isinstance(names[name], NotMade) for name in session.NAMES if name != "causal")


def test_in_a_kernel_a_cell_forgets_what_it_makes():
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    try:
        session.opened(shell.user_ns)
        session.opened(shell.user_ns)  # the first cell may run again
        assert sum(getattr(one, "clears_the_lab", False) for one in shell.events.callbacks["pre_run_cell"]) == 1
        shell.run_cell("def causal(n):\n    return 1")
        assert shell.user_ns["causal"](3) == 1
        shell.run_cell("def causal(n:\n    return 1")
        assert isinstance(shell.user_ns["causal"], NotMade)
    finally:
        InteractiveShell.clear_instance()


# Displays


def unfinished(*args: Any) -> Any:
    S = ...
    return S + 1


def test_a_gap_or_an_error_stops_nothing_below_it():
    assert student.softmax(...) is ... and student.mediana(student.tamanho_do_gradiente(..., 1)) is ...
    for shown in (
        student.distancia(unfinished, np.zeros((6, 4))),
        student.efeito(unfinished, unfinished),
        student.efeito(attention.causal, unfinished),
        student.soma_das_linhas(unfinished),
        student.mapa(...),
        student.saturacao(NotMade("volta")),
        student.mapa(student.treina(...)),
        student.mapa(student.treina(unfinished)),
    ):
        assert "em branco" in str(shown)
    assert "ZeroDivisionError" in str(student.efeito(lambda n: 1 / 0, attention.padding))


@pytest.mark.parametrize(
    "causal",
    [lambda n: "x", lambda n: np.full((n, n), np.nan), lambda n: -attention.causal(n), lambda n: None, lambda n: np.zeros(99)],
    ids=["text", "nan", "infinite", "none", "shape"],
)
def test_a_wrong_mask_is_no_english_error(causal: Any):
    assert "rode a conferência acima" in str(student.efeito(causal, attention.padding))


def test_complex_numbers_are_told_and_shown_nowhere(recwarn: pytest.WarningsRecorder):
    turned = lambda *_: np.ones(8) * 1j  # noqa: E731
    assert "números complexos" in confere(6, ..., turned).text
    assert "rode a conferência acima" in str(student.scores_girados(turned)) and "rode" in str(student.efeito(turned, turned))
    assert not recwarn.list


def test_a_row_that_sees_nobody_is_told():
    assert "a linha 1 não vê ninguém" in str(student.efeito(lambda n: attention.additive(np.tri(n, k=-1, dtype=bool)), attention.padding))


@pytest.mark.parametrize(
    ("alvo", "said"),
    [
        (lambda ids: None, "Falta o `return`?"),
        (lambda ids: ids[:, 1:], "devia devolver a de `ids`"),
        (lambda ids: ids + 10, "não são ids"),
        (lambda ids: "x", "do tipo `str`"),
        (lambda ids: ids.rola(1), "não tem `.rola`"),
    ],
)
def test_a_wrong_target_is_told_and_stops_nothing(alvo: Any, said: str):
    made = student.treina(alvo)
    assert said in confere(10, ..., made).text and said in str(student.mapa(made))


def test_attention_is_lent_only_where_it_is_needed():
    assert student.empresta(unfinished) is student.emprestada
    assert student.empresta(None) is student.emprestada is student.empresta(NotMade("atencao"))
    assert student.empresta(multihead_code.atencao) is multihead_code.atencao
    flat = lambda Q, K, V, mascara=0: (attention.weights(Q, K.T.T), V)  # noqa: E731
    assert student.empresta(flat) is student.emprestada


def test_what_is_lent_leaves_the_student_s_own_name_alone():
    names = lab_answers.run(lab_answers.official(7), lab_answers.namespace() | {"atencao": unfinished})
    assert names["atencao"] is unfinished and confere(2, names["atencao"]).status == "blank"


def test_the_data_are_new_at_each_call():
    Q, *_ = student.dados(4)
    Q[:] = 0
    assert np.abs(student.dados(4)[0]).max() > 0
    with pytest.raises(ValueError, match="1, 2, 3, 4, 5, 6 e 7"):
        student.dados(8)


def test_a_notebook_that_is_graded_misses_no_name_of_the_first_cell():
    assert set(stand_in.names({"cabeca": ()})) == set(student.__all__)
    values = np.array([[3.0], [1.0], [4.0], [1.5]])
    assert stand_in.mediana(values) == student.mediana(values) == 1.5


# Progress, and what is handed in


def test_progress_is_told_from_the_first_right_section_on():
    assert "Progresso" not in repr(confere(5, attention.causal, ...))
    assert repr(confere(5, attention.causal, attention.padding)).endswith("Progresso: ⬜⬜⬜⬜✅⬜⬜⬜⬜⬜ (1 de 10)")
    assert [row[1] for row in student.resumo().rows][4] == "✅ certo"


def test_what_is_handed_in_holds_each_cell_once_in_the_order_of_its_last_run(tmp_path: Any, monkeypatch: pytest.MonkeyPatch):
    from IPython.core.interactiveshell import InteractiveShell

    assert "Escreva o seu nome" in str(student.entrega("")) and "notebook" in str(student.entrega("Ana"))
    shell = InteractiveShell.instance()
    monkeypatch.chdir(tmp_path)
    try:
        for cell in ("x = 1", "def causal(n):\n    return n", "x = 1", "student_name = 'Ana'"):
            shell.run_cell(cell, store_history=True)
        said = str(student.entrega("Ana Souza Gonçalves"))
    finally:
        InteractiveShell.clear_instance()
    (file,) = tmp_path.iterdir()
    assert file.name == "entrega-ana-souza-goncalves.ipynb" and file.name in said
    cells = [cell["source"] for cell in json.loads(file.read_text(encoding="utf-8"))["cells"]]
    assert cells == ["def causal(n):\n    return n", "x = 1", "student_name = 'Ana'"]


def test_under_nbgrader_a_checkpoint_that_is_not_right_stops(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert confere(5, attention.causal, attention.padding).status == "right"
    with pytest.raises(AssertionError, match="em branco"):
        confere(5, ..., attention.padding)
