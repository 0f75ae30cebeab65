"""The lab's notebook in real kernels: the student's stops nowhere, the solved one passes all ten, the package is enough for it."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Collection
from pathlib import Path
from typing import Any

import nbformat
import pytest
from a_copy import copied, run_quarto
from nbclient import NotebookClient
from page import solutions, student_notebook

from figures import lab
from figures.kit.errors import Problem
from figures.lab import training
from figures.model import weights

ROOT = Path(__file__).resolve().parents[2]
LAB = ROOT / "slides" / "laboratorio.qmd"
NOTEBOOK = ROOT / "_output" / "slides" / "laboratorio.ipynb"
SECTIONS = range(1, len(lab.records().sections) + 1)
# Cells that measure for seconds: the real model with and without its cache, the clock of section 8.
LONG = {"escreve", "relogio"}
# Cells that draw what the student's own functions do.
PICTURES = (
    "giro-da-query", "mapa-dos-pesos", "figura-escala", "mapa-das-mascaras", "score-pelo-deslocamento", "quem-le-quem", "crescimento",
    "passagens", "mapa",
)  # fmt: skip


@pytest.fixture(scope="module")
def notebook(lab_file: Path) -> str:
    """The student's notebook, rendered beside the page."""
    return lab_file.with_suffix(".ipynb").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def cells(notebook: str) -> list[dict[str, Any]]:
    return list(json.loads(notebook)["cells"])


@pytest.fixture(scope="module")
def solved(notebook: str) -> str:
    return solutions.solved(notebook, solutions.solutions(LAB))


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, unpacked in a folder of its own, as pip would lay it out."""
    folder = tmp_path_factory.mktemp("package")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(folder / "site")
    return folder / "site"


def run(text: str, folder: Path, without: Collection[str] = (), allow_errors: bool = False, **environment: str) -> dict[str, list[Any]]:
    """The outputs of each code cell by its label, from a kernel of this Python that starts in `folder`."""
    content = nbformat.reads(text, 4)
    content.cells = [cell for cell in content.cells if cell.cell_type == "code" and cell.id not in without]
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("QUARTO_", "PYTHONPATH"))}
    there = {"metadata": {"path": str(folder)}}
    client = NotebookClient(content, timeout=300, kernel_name="python3", allow_errors=allow_errors, resources=there)
    client.execute(env=clean | environment)
    return {cell.id: cell.outputs for cell in content.cells}


def told(outputs: list[Any]) -> str:
    return "\n".join(str(output["data"].get("text/markdown", "")) for output in outputs if "data" in output)


# The file


def test_it_is_a_clean_notebook(notebook: str, cells: list[dict[str, Any]]):
    nbformat.validate(nbformat.reads(notebook, 4))
    assert len({cell["id"] for cell in cells}) == len(cells)
    for cell in cells:
        assert cell["cell_type"] == "markdown" or (cell["outputs"], cell["execution_count"]) == ([], None)
        assert "".join(cell["source"]).strip()


def test_no_mark_of_the_page_is_left(cells: list[dict[str, Any]]):
    text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    text = re.sub(r"</?(?:details|summary)>", "", text)
    for trace in ("<span", "<div", "</", "{python}", "{.", ":::", "?var", "  ,", " ."):
        assert trace not in text, trace


def test_every_section_has_a_heading_a_gap_and_a_checkpoint(cells: list[dict[str, Any]]):
    text = "\n".join("".join(cell["source"]) for cell in cells)
    headings = re.findall(r"^## (\d+) · (.*)$", text, re.MULTILINE)
    assert headings == [(str(n), lab.sections.title(section.id)) for n, section in enumerate(lab.records().sections, 1)]
    labels = [cell["id"] for cell in cells]
    for n in SECTIONS:
        gap = cells[labels.index(f"lacuna-{n}")]
        assert "..." in "".join(gap["source"])
        assert labels.index(f"confere-{n}") == labels.index(f"lacuna-{n}") + 1
        assert "".join(cells[labels.index(f"confere-{n}")]["source"]).startswith(f"confere({n}, ")


def test_every_section_has_hints_hidden_until_they_are_asked(cells: list[dict[str, Any]]):
    text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    for section in re.split(r"^## (?=\d)", text, flags=re.MULTILINE)[1:]:
        assert section.count("<details>") == section.count("</details>") >= 2
        assert re.search(r"<summary>\s*Dica 1\s*</summary>", section)


def test_open_questions_are_answered_for_who_teaches_alone(solved: str, notebook: str):
    answers = solutions.open_answers(LAB)
    made = solutions.answered(solved, answers)
    nbformat.validate(nbformat.reads(made, 4))
    cells = ["".join(cell["source"]) for cell in json.loads(made)["cells"]]
    for label, text in answers.items():
        n = int(label.removeprefix("lacuna-"))
        at = cells.index(text)
        above = [cell for cell in cells[:at] if re.search(r"^## \d", cell, re.MULTILINE)]
        assert re.findall(r"^## (\d+)", above[-1], re.MULTILINE)[-1] == str(n)
        assert at == len(cells) - 1 or cells[at + 1].startswith("## ")
        assert text not in notebook
    with pytest.raises(Problem, match="no such gap"):
        solutions.answered(solved, {"lacuna-99": "x"})


def test_no_gap_is_a_solution(cells: list[dict[str, Any]]):
    answers = solutions.solutions(LAB)
    for cell in cells:
        if cell["id"] in answers:
            asked = {line.strip() for line in "".join(cell["source"]).splitlines()}
            assert {line.strip() for line in answers[cell["id"]].splitlines()} - asked


def test_the_page_shows_the_head_that_is_trained():
    assert training.source().startswith("def aprendiz(p, ids):\n")
    assert "Tensor" not in training.source()


# The last hand


def quarto_s(source: str, kind: str = "markdown", id: str = "0a1b2c3d") -> dict[str, Any]:
    code = {"execution_count": 3, "outputs": [{"output_type": "stream", "name": "stdout", "text": ["x"]}]} if kind == "code" else {}
    return {"cell_type": kind, "id": id, "metadata": {"a": 1}, "source": source.splitlines(keepends=True), **code}


def finished(*cells: dict[str, Any], repository: str = "") -> list[dict[str, Any]]:
    text = student_notebook.finished(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}), repository)
    assert student_notebook.finished(text, repository) == text
    return list(json.loads(text)["cells"])


def test_marks_outputs_and_empty_cells_go():
    made = finished(
        quarto_s('A <span class="n" n="3">0,62</span> e <span class="q">query</span>.<span class="n claim" n="4"></span> Fim, \\[0; 1\\].'),
        quarto_s("", "code", "c0ffee00"),
        quarto_s("x = ...", "code", "lacuna-1"),
        quarto_s("confere(1, x)", "code", "cell-confere-1"),
    )
    assert ["".join(cell["source"]) for cell in made] == ["A 0,62 e query. Fim, [0; 1].", "x = ...", "confere(1, x)"]
    assert [cell["id"] for cell in made] == ["cell-1", "lacuna-1", "confere-1"]
    assert [cell.get("outputs") for cell in made] == [None, [], []]


def test_code_is_left_as_it_is():
    text = "`a <span>  b</span>` e `c`\n\n``` python\nx  = '<div>'\n```"
    assert student_notebook.plain(text) == text
    assert student_notebook.plain('usa `x` e <span class="n" n="1">3</span> `y`.') == "usa `x` e 3 `y`."


@pytest.mark.parametrize(
    ("repository", "address"),
    [
        ("", ""),
        ("https://github.com/a/b", "https://github.com/a/b"),
        ("github.com/a/b/", "https://github.com/a/b"),
        ("ssh://x/y", "ssh://x/y"),
    ],
)
def test_the_first_cell_gets_the_address(repository: str, address: str):
    (cell,) = finished(quarto_s('import sys\n\nREPOSITORIO = ""\nx = 1', "code", "prepara"), repository=repository)
    assert "".join(cell["source"]) == f'import sys\n\nREPOSITORIO = "{address}"\nx = 1'


# Solutions


def test_a_gap_and_its_solution_come_in_pairs(notebook: str):
    answers = solutions.solutions(LAB)
    assert sorted(answers) == sorted(f"lacuna-{n}" for n in SECTIONS)
    with pytest.raises(Problem, match="this gap has no solution"):
        solutions.solved(notebook, {label: text for label, text in answers.items() if label != "lacuna-3"})
    with pytest.raises(Problem, match="the lab has no such gap"):
        solutions.solved(notebook, answers | {"lacuna-11": "x = 1"})


def test_the_filled_notebook_stands_outside_what_is_published():
    assert ROOT / "_output" not in solutions.apart(NOTEBOOK, ROOT).parents


def test_solutions_are_in_no_package_and_in_no_render(package: Path):
    names = [file.relative_to(package).as_posix() for file in package.rglob("*") if file.is_file()]
    assert not any("soluc" in name or "lacuna" in name for name in names)
    assert {"figures/lab/student.py", "figures/data/lab_inputs.yml", "figures/data/words/pt/checkpoints.yml"} <= set(names)
    assert "solucoes" not in (ROOT / "_quarto.yml").read_text(encoding="utf-8")


# In a kernel


def test_the_student_s_notebook_runs_to_its_end_in_blank(notebook: str):
    outputs = run(notebook, NOTEBOOK.parent, without=LONG)
    for n in SECTIONS:
        assert f"⬜ **Seção {n} · ainda em branco**" in told(outputs[f"confere-{n}"])
    assert not any(output["output_type"] in ("error", "stream") for cell in outputs.values() for output in cell)
    for label in PICTURES:
        assert "em branco" in told(outputs[label]), label


def test_the_solved_notebook_passes_all_ten_from_the_package_alone(solved: str, package: Path, tmp_path: Path):
    """Far from the checkout, with nothing but the wheel on the path: the package carries the data that it reads."""
    outputs = run(solved, tmp_path, without=LONG, PYTHONPATH=str(package))
    for n in SECTIONS:
        assert f"✅ **Seção {n} · certo**" in told(outputs[f"confere-{n}"]), told(outputs[f"confere-{n}"])
    assert not any(output["output_type"] in ("error", "stream") for cell in outputs.values() for output in cell)
    assert "10⁻⁷" in told(outputs["contra-o-pytorch"])
    for label in PICTURES:
        (picture,) = outputs[label]
        assert picture["data"]["image/svg+xml"].startswith("<svg "), (label, picture)
        assert "text/html" not in picture["data"]
    assert "(10 de 10)" in told(outputs["confere-10"]) and "Progresso" in told(outputs["confere-1"])
    assert told(outputs["resumo"]).count("✅") == 10
    assert "Escreva o seu nome" in told(outputs["entrega"])
    assert "{" not in told(outputs["saturacao"]) and told(outputs["saturacao"])
    assert list(tmp_path.iterdir()) == []


def test_without_the_lab_the_first_cell_says_what_to_do(notebook: str, tmp_path: Path):
    first = json.loads(notebook)
    first["cells"] = [cell for cell in first["cells"] if cell["id"] == "prepara"]
    first["cells"][0]["source"] = re.sub(r'REPOSITORIO = ".*"', 'REPOSITORIO = ""', "".join(first["cells"][0]["source"]))
    (output,) = (output for output in run(json.dumps(first), tmp_path, allow_errors=True)["prepara"] if output["output_type"] == "error")
    assert output["ename"] == "SystemExit"
    assert output["evalue"].startswith("Não achei os arquivos da aula") and "REPOSITORIO" in output["evalue"]
    assert not any("File" in line or "line " in line for line in output["traceback"])


@pytest.mark.slow
def test_the_whole_solved_lab_takes_less_than_five_minutes_of_processor(solved: str):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    outputs = run(solved, NOTEBOOK.parent)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime) < 300
    for n in SECTIONS:
        assert f"✅ **Seção {n} · certo**" in told(outputs[f"confere-{n}"])
    written = told(outputs["escreve"])
    assert ("os mesmos com e sem o cache" if weights.chosen() else "medição registrada") in written
    assert "46\u00a0080 bytes" in written
    assert "kernel fundido" in told(outputs["relogio"])


@pytest.mark.slow
def test_without_weights_section_9_tells_the_recorded_run(solved: str):
    outputs = run(solved, NOTEBOOK.parent, without={"relogio"}, **{weights.VARIABLE: weights.NONE})
    assert "medição registrada" in told(outputs["escreve"])
    assert "✅ **Seção 9 · certo**" in told(outputs["confere-9"])


@pytest.mark.skipif(shutil.which("quarto") is None, reason="no quarto on the PATH")
def test_quarto_makes_the_same_notebook(notebook: str, tmp_path: Path):
    done = run_quarto(copied(tmp_path), "render", "slides/laboratorio.qmd", "--to", "ipynb")
    assert done.returncode == 0, done.stderr
    theirs = json.loads((tmp_path / NOTEBOOK.relative_to(ROOT)).read_text(encoding="utf-8"))
    ours = json.loads(notebook)
    read = [[(cell["id"], lines_of(cell)) for cell in made["cells"]] for made in (theirs, ours)]
    assert read[0] == read[1]


def lines_of(cell: dict[str, Any]) -> list[str]:
    """What a cell holds; pandoc 3.10 parts raw HTML by empty lines, 3.9 doesn't, and both read the same."""
    return [line for line in "".join(cell["source"]).splitlines() if line.strip()]
