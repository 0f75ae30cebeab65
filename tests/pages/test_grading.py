"""Grading a folder: each notebook is run again where it can harm nobody, and neither saved outputs nor our solutions give a mark."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from base.progress import Progress
from grading import grade, notebooks, report, sandbox
from page import solutions

from figures.kit.checkpoints import NotMade, Probe, Stopped
from figures.kit.errors import Problem
from figures.kit.files import ROOT
from figures.lab import stand_in

LIMITS = sandbox.Limits(seconds_a_step=1, seconds=20, memory_mb=4000, file_mb=2, files=5)
LAB = ROOT / "slides" / "laboratorio.qmd"


class Call(NamedTuple):
    section: int
    name: str
    probe: Probe
    each: bool = False


DOUBLED = Call(1, "f", Probe((np.arange(3.0),)))
GIVEN = {"cabeca": (np.eye(2),) * 3, "dados 1": (np.arange(2.0),)}


@pytest.fixture(params=[True, False], ids=["namespaces", "python alone"], autouse=True)
def apart(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param and not sandbox.namespaces():
        pytest.skip("this system has no namespaces")
    monkeypatch.setattr(sandbox, "namespaces", lambda: request.param)


def outcome(*cells: str, calls: tuple[Call, ...] = (DOUBLED,)) -> sandbox.Outcome:
    return sandbox.run(cells, calls, GIVEN, Path(stand_in.__file__), [ROOT / "figures", ROOT / "data"], LIMITS)


RIGHT = "def f(x):\n    return 2 * x"


def test_a_function_s_values_come_back():
    assert outcome(RIGHT).replies[0].tolist() == [0, 2, 4] and outcome(RIGHT).notes == []
    (reply,) = outcome("def f(x):\n    return x[0], 'a', None, ...").replies
    assert (float(reply[0]), *reply[1:]) == (0.0, "", None, ...)
    assert isinstance(outcome("g = 1").replies[0], NotMade)


def test_an_error_comes_back_with_its_line():
    (reply,) = outcome("def f(x):\n    y = x @ x\n    return y[7]").replies
    assert isinstance(reply, Stopped) and (reply.error, reply.line, reply.source) == ("IndexError", 3, "return y[7]")


@pytest.mark.parametrize(
    "cell",
    [
        "while True: pass",
        "import time; time.sleep(99)",
        "raise SystemExit",
        "1 / 0",
        "def broken(:",
        "%matplotlib inline\n!rm -rf x",
        "for _ in range(10**9): print('x' * 10**6)",
        "y = 'a' * 10**12",
        "import numpy; y = numpy.ones(10**11)",
        "open('big', 'wb').write(b'0' * 10**8)",
        "[open(str(n), 'w') for n in range(99)]",
        "import threading; threading.Thread(target=lambda: [0 for _ in iter(int, 1)], daemon=True).start()",
    ],
    ids=lambda cell: cell[:24],
)
def test_what_one_cell_does_costs_no_other(cell: str):
    assert outcome(cell, RIGHT).replies[0].tolist() == [0, 2, 4]


def test_what_stopped_a_process_is_noted():
    (note,) = outcome("import os; os._exit(3)", RIGHT).notes
    assert "código 3" in note and "célula de código 1" in note


SPY = "import sys\nfor name in ('called', 'plain', 'encoded', 'answered', 'decoded'):\n    for module in ('__main__', 'calling'):\n        "
SPY += "setattr(sys.modules.get(module, sys), name, lambda *a, **k: {made})"


@pytest.mark.parametrize(
    "cell",
    [
        SPY.format(made="1"),
        SPY.format(made="{'array': 'r0'}"),
        SPY.format(made="{'stopped': [1]}"),
        "import json\njson.dump = lambda *a, **k: None",
        "import json\njson.dump = lambda made, file: file.write('[' * 100_000)",
        "import json\njson.dump = lambda made, file: file.write('[]')",
        "np.savez = lambda file, **made: file.write(b'PK')",
        "import os\nfor n in range(3, 30):\n    try:\n        os.write(n, b'call x')\n    except OSError:\n        pass",
    ],
)
def test_a_notebook_that_meddles_with_its_replies_earns_nothing_and_stops_nothing(cell: str):
    """What the process hands back may be anything: there is an outcome, and a note or a reply that isn't right."""
    (reply,), notes = outcome(cell, RIGHT)
    assert isinstance(reply, NotMade) and notes or not isinstance(reply, NotMade)


@pytest.mark.parametrize(
    "cell",
    ["import threading\nthreading.Thread(target=lambda: [0 for _ in iter(int, 1)]).start()", "import atexit; atexit.register(input)"],
)
def test_nothing_that_goes_on_is_waited_for(cell: str, monkeypatch: pytest.MonkeyPatch):
    ends = []
    end = sandbox._end
    monkeypatch.setattr(sandbox, "_end", lambda process: (ends.append(process.poll()), end(process)))
    assert outcome(cell, RIGHT).replies[0].tolist() == [0, 2, 4] and ends == [0]


def test_large_results_crowd_out_no_others():
    calls = tuple(Call(1, name, DOUBLED.probe) for name in ("g", "f", "g", "f"))
    found = outcome(f"{RIGHT}\ndef g(x):\n    return np.zeros(1_900_000)", calls=calls)
    assert [reply.tolist() for reply in found.replies[1::2]] == [[0, 2, 4]] * 2 and not found.notes


@pytest.mark.parametrize("cell", ["import os; os._exit(3)", "import faulthandler; faulthandler._sigsegv()"])
def test_a_cell_that_kills_its_process_is_left_out_and_noted(cell: str):
    found = outcome(cell, RIGHT)
    assert found.replies[0].tolist() == [0, 2, 4] and len(found.notes) <= 1  # process 1 of a namespace survives a signal


def test_a_call_that_hangs_or_kills_is_that_call_s_alone():
    other = Call(1, "g", Probe((np.arange(3.0),)))
    endless = "class E:\n        def __array__(self, *a, **k):\n            while True: pass\n    return E()"
    for body in ("while True: pass", "import os; os._exit(1)", endless):
        hung, fine = outcome(f"{RIGHT}\ndef g(x):\n    {body}", calls=(other, DOUBLED)).replies
        assert isinstance(hung, Stopped) and hung.error == "TimeoutError" and fine.tolist() == [0, 2, 4]


@pytest.mark.parametrize(
    "attempt",
    [
        "from figures.lab import checks",
        "import figures.attention",
        f"open({str(ROOT / 'figures' / 'attention.py')!r}).read()",
        f"import os; os.listdir({str(ROOT / 'figures')!r})[0]",
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); import figures.rope",
        "import urllib.request; urllib.request.urlopen('http://127.0.0.1:1')",
        "import socket; socket.create_connection(('127.0.0.1', 1))",
        "import subprocess; subprocess.run(['true'])",
        "import os; os.system('true')",
        "import os; os.fork()",
        "import os; os.kill(os.getppid(), 9)",
        "import ctypes; ctypes.CDLL(None)",
    ],
    ids=lambda attempt: attempt[:40],
)
def test_neither_our_code_nor_the_network_nor_another_process_can_be_had(attempt: str):
    cell = f"done = 0\ntry:\n    {attempt}\n    done = 1\nexcept Exception as error:\n    pass\ndef f(x):\n    return done"
    (reply,) = outcome(cell).replies
    assert float(reply) == 0


def test_nothing_outside_is_changed(tmp_path: Path):
    victim = tmp_path / "other.ipynb"
    victim.write_text("mine", encoding="utf-8")
    cells = [
        f"open({str(victim)!r}, 'w').write('x')",
        f"import os; os.remove({str(victim)!r})",
        f"import shutil; shutil.rmtree({str(tmp_path)!r})",
    ]
    assert outcome(*cells, RIGHT).replies[0].tolist() == [0, 2, 4]
    assert victim.read_text(encoding="utf-8") == "mine"


def test_the_lent_attention_serves_its_section_alone():
    lent = "g = empresta(None)\ndef f(x):\n    return g(x[None], x[None], x[None])[1]"
    two, seven = (outcome(lent, calls=(DOUBLED._replace(section=n),)).replies[0] for n in (2, 7))
    assert isinstance(two, Stopped) and seven.tolist() == [[0, 1, 2]]


# What was handed in


def written(folder: Path, name: str, *cells: str, **more: Any) -> Path:
    made = [{"cell_type": "code", "id": f"c{n}", "metadata": {}, "source": cell, "outputs": []} for n, cell in enumerate(cells)]
    file = folder / name
    file.write_text(json.dumps({"cells": made, "nbformat": 4, "nbformat_minor": 5, "metadata": {}} | more), encoding="utf-8")
    return file


@pytest.mark.parametrize("text", ["", "{", "[]", '{"cells": 3}', '{"cells": [{}]}', '{"cells": [{"cell_type": "code", "source": 5}]}'])
def test_what_is_no_notebook_is_told(text: str, tmp_path: Path):
    (tmp_path / "a.ipynb").write_text(text, encoding="utf-8")
    assert notebooks.read(tmp_path / "a.ipynb").fault or text == "[]"


def test_a_student_is_named_by_the_last_cell_or_by_the_file(tmp_path: Path):
    file = written(tmp_path, "b.ipynb", 'REPOSITORIO = ""\nx = 1', "y = 1", 'entrega("Ana Souza")')
    assert notebooks.read(file)[1:3] == ("Ana Souza", ("y = 1", 'entrega("Ana Souza")'))
    assert notebooks.read(written(tmp_path, "bruno.ipynb", "y = 1")).student == "bruno"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_notebook_is_read_in_whatever_unicode_it_was_saved(encoding: str, tmp_path: Path):
    file = written(tmp_path, "a.ipynb", "x = 'ção'")
    file.write_text(file.read_text(encoding="utf-8"), encoding=encoding)
    assert notebooks.read(file)[2:] == (("x = 'ção'",), "")


def test_where_one_notebook_stops_the_grading_the_others_go_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def run(cells: tuple[str, ...], calls: Any, *_: Any) -> sandbox.Outcome:
        if cells == ("bad",):
            raise ZeroDivisionError
        return sandbox.Outcome([NotMade(call.name) for call in calls], [])

    monkeypatch.setattr(sandbox, "run", run)
    for name in ("bad", "good"):
        written(tmp_path, f"{name}.ipynb", name)
    table, _ = grade.run(tmp_path, None, 1, Progress())
    bad, good = csv.DictReader(table.read_text(encoding="utf-8").splitlines())
    assert "ZeroDivisionError" in bad["avisos"] and bad["total"] == "0" and good["avisos"] == ""


def test_a_folder_without_notebooks_is_told(tmp_path: Path):
    with pytest.raises(Problem, match="no notebook"):
        grade.run(tmp_path, None, 1, Progress())


def test_a_table_holds_no_formula_and_a_page_no_markup():
    row = report.Row(Path("x.ipynb"), '=HYPERLINK("a")<b>', (), ["note"])
    assert "'=HYPERLINK" in report.as_csv([row], ["1"], 7) and "<b>" not in report.as_page([row], ["1"], 7, [])


@pytest.mark.parametrize("apart", [sandbox.namespaces()], indirect=True)  # as it is graded here
def test_a_folder_is_graded(lab_file: Path, tmp_path: Path):
    """The official solutions earn every point, a blank notebook with copied outputs none, and imports of ours none."""
    blank = lab_file.with_suffix(".ipynb").read_text(encoding="utf-8")
    solved = solutions.solved(blank, solutions.solutions(LAB))
    claimed = json.loads(blank)
    for cell in claimed["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["✅ certo"]}]
    claimed["cells"].append({"cell_type": "code", "id": "z", "source": "from figures.attention import causal, padding", "outputs": []})
    for name, text in {"ana": solved, "bia": json.dumps(claimed), "caio": solved[:4000]}.items():
        (tmp_path / f"{name}.ipynb").write_text(text, encoding="utf-8")
    table, page = grade.run(tmp_path, tmp_path / "out", 5, Progress())
    rows = {row["arquivo"]: row for row in csv.DictReader(table.read_text(encoding="utf-8").splitlines())}
    assert (rows["ana.ipynb"]["total"], rows["bia.ipynb"]["total"], rows["caio.ipynb"]["total"]) == ("100", "0", "0")
    assert rows["caio.ipynb"]["avisos"] and not rows["ana.ipynb"]["avisos"]
    assert "Seção 4 · certo" in page.read_text(encoding="utf-8")
