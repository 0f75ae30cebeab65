"""`make bench`: how long a build takes after each kind of change, how long a page takes to open, in a copy of this checkout.

Prints medians with the least and the most of TIMES runs, seconds on the clock beside seconds of processor, and writes all of it to
`_output/bench.json`. With a `quarto` on the PATH the same deck is rendered by it in the same run, and the ratio to a warm build told.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "build"), str(ROOT / "tests" / "helpers")]

import a_copy  # noqa: E402
from base import browser  # noqa: E402

from figures.kit import files, project, slow  # noqa: E402

SLIDES = 340
EVENTS = 20
LAST = "\n```{python}\nappendix.page()\n```\n"
IMPORTED = """
import sys, time, numpy
from importlib import import_module
start = time.perf_counter()
import_module(sys.argv[1])
print(time.perf_counter() - start)
"""
LOADED = """() => {
  const [page] = performance.getEntriesByType("navigation");
  const paint = performance.getEntriesByName("first-contentful-paint")[0];
  return [paint.startTime / 1000, page.domContentLoadedEventEnd / 1000];
}"""
MOVED = """async (times) => {
  const taken = [];
  for (const slide of Reveal.getSlides().filter((one) => one.querySelector(".sim input[type=range]"))) {
    const { h, v } = Reveal.getIndices(slide);
    Reveal.slide(h, v, 999);
    const input = slide.querySelector(".sim input[type=range]");
    for (let n = 0; n < times; n += 1) {
      const start = performance.now();
      input.value = n % 2 ? input.min : input.max;
      input.dispatchEvent(new Event("input", { bubbles: true }));
      taken.push((performance.now() - start) / 1000);
      await new Promise(requestAnimationFrame);
    }
  }
  return taken;
}"""


class Taken(NamedTuple):
    """One run: seconds on the clock and of processor, and the most memory it had, in bytes."""

    wall: float
    cpu: float
    memory: int


def ran(folder: Path, *command: str) -> Taken:
    """A command in a folder, which has to succeed."""
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = process.stderr.read() if process.stderr else b""
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{' '.join(command)} failed:\n{said.decode()}")
    scale = 1 if sys.platform == "darwin" else 1024
    return Taken(time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * scale)


def built(folder: Path, document: Path) -> Taken:
    return ran(folder, sys.executable, "build", "render", document.relative_to(ROOT).as_posix(), "--to", "revealjs")


class Edit(NamedTuple):
    """What is changed before a build: a file of the checkout, and its text the n-th time."""

    file: Path
    text: Callable[[str, int], str]


def edits(document: Path) -> dict[str, Edit]:
    """A kind of change each: the first line of prose, a function of a topic, a number of its data, a colour of the theme."""
    text = next(line.place.file for line in _prose(document))
    calls = [call for call in re.findall(r"\{python\} (\w+)\.", (ROOT / text).read_text(encoding="utf-8")) if _of(call)]
    topic = next(call for call in calls if (ROOT / "data" / f"{call}.yml").is_file())
    return {
        "text": Edit(ROOT / text, lambda text, n: re.sub(r"(?m)^([A-ZÉ].*\.)$", rf"\1 Mais {'x' * n}.", text, count=1)),
        "figure function": Edit(_of(topic), lambda text, n: f"{text}\n\ndef _unused_{n}() -> None: ...\n"),
        "record": Edit(ROOT / "data" / f"{topic}.yml", lambda text, n: f"{text}\n# {n}\n"),
        "theme": Edit(ROOT / "data" / "theme.yml", lambda text, n: f"{text}\n# {n}\n"),
    }


def _prose(document: Path) -> Iterator[Any]:
    from figures.kit import qmd

    return (line for line in qmd.body(document) if re.match(r"[A-ZÉ].*\.$", line.text))


def _of(topic: str) -> Path:
    """The file of a topic's numbers."""
    named = [ROOT / "figures" / f"{topic}.py", *(ROOT / "figures" / topic / f"{part}.py" for part in ("numbers", "model", "__init__"))]
    return next((file for file in named if file.is_file()), Path())


def builds(folder: Path, document: Path, times: int) -> Iterator[tuple[str, list[Taken]]]:
    """A build of a document from nothing, one with nothing changed, one after each kind of change."""
    kept = folder / ".cache" / "kept"
    built(folder, document)

    def cold() -> Taken:
        shutil.rmtree(kept)
        return built(folder, document)

    yield "cold", [cold() for _ in range(min(times, 3))]
    yield "nothing changed", [built(folder, document) for _ in range(times)]
    for name, edit in edits(document).items():
        file = folder / edit.file.relative_to(ROOT)
        before = file.read_text(encoding="utf-8")
        taken = []
        for n in range(1, times + 1):
            file.write_text(edit.text(before, n), encoding="utf-8")
            taken.append(built(folder, document))
        file.write_text(before, encoding="utf-8")
        built(folder, document)
        yield name, taken


def many_slides(folder: Path, document: Path) -> Path:
    """A deck of 340 slides: those of a small one without simulators, again and again under other ids."""
    text = document.read_text(encoding="utf-8")
    head, *slides = re.split(r"(?m)^(?=## )", text)
    plain = [slide.replace(LAST, "") for slide in slides if "{#" in slide and "-sim-" not in slide]
    made = [re.sub(r"(?m)(\{#|^#\| label: )([\w-]+)", rf"\1\2-{n}", plain[n % len(plain)]) for n in range(SLIDES - 1)]
    file = document.with_name("many.qmd")
    here = folder / file.relative_to(ROOT)
    here.write_text(re.sub(r"(?ms)^lecture:.*?(?=^\S|\Z)", "", head, count=1) + "".join(made) + LAST, encoding="utf-8")
    return file


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=5)
    times = parser.parse_args(arguments).times
    document, rows = project.document("revealjs"), dict[str, list[float]]()
    with tempfile.TemporaryDirectory() as place:
        folder = a_copy.copied(Path(place))
        memory = 0
        for name, taken in builds(folder, document, times):
            rows[f"deck, {name}"] = [one.wall for one in taken]
            rows[f"deck, {name}, processor"] = [one.cpu for one in taken]
            memory = max(memory, *(one.memory for one in taken))
        rows["deck, memory in MB"] = [memory / 1e6]
        page = folder / project.page(document).relative_to(ROOT)
        rows |= opened(page, times) | imports(folder, times)
        rows["page in MB"] = [page.stat().st_size / 1e6]
        small = next((file for file in project.documents() if file != document and "revealjs" in project.formats(file)), None)
        if small:
            many = many_slides(folder, small)
            rows[f"{SLIDES} slides, cold"] = [built(folder, many).wall]
            rows[f"{SLIDES} slides, nothing changed"] = [built(folder, many).wall for _ in range(min(times, 3))]
        if quarto := shutil.which("quarto"):
            name = document.relative_to(ROOT).as_posix()
            rows["deck by Quarto"] = [ran(folder, quarto, "render", name).wall for _ in range(min(times, 3))]
    report(rows)
    return 0


def opened(page: Path, times: int) -> dict[str, list[float]]:
    """How long a page takes from its file to the first paint and until its scripts ran; an event of a simulator, to its end."""
    painted, ready, moved = [], [], []
    with browser.opened(page.name, "to open the page a browser is needed", "could not open it", "Install Chromium") as program:
        for n in range(times + 1):
            tab = program.new_page(viewport={"width": 1280, "height": 720})
            tab.goto(page.as_uri())
            tab.wait_for_function(browser.READY)
            tab.wait_for_function('performance.getEntriesByName("first-contentful-paint").length')
            if n:  # the first one starts the browser's parts
                paint, load = tab.evaluate(LOADED)
                painted.append(paint)
                ready.append(load)
            if n == times:
                moved = tab.evaluate(MOVED, EVENTS)
            tab.close()
    return {"page, first paint": painted, "page, scripts ran": ready, "simulator, an event": moved}


def imports(folder: Path, times: int) -> dict[str, list[float]]:
    """The topic that takes longest to import, numpy being there."""
    names = [path.stem for path in sorted(files.PACKAGE.iterdir()) if path.suffix == ".py" and not path.stem.startswith("_")]
    names += [path.parent.name for path in sorted(files.PACKAGE.glob("*/__init__.py"))]
    taken = {name: _import(folder, name) for name in names}
    longest = max(taken, key=lambda name: taken[name])
    return {f"import of figures.{longest}, the longest": [_import(folder, longest) for _ in range(times)]}


def _import(folder: Path, name: str) -> float:
    done = subprocess.run([sys.executable, "-c", IMPORTED, f"figures.{name}"], cwd=folder, capture_output=True, text=True, check=True)
    return float(done.stdout)


def report(rows: dict[str, list[float]]) -> None:
    """The table, printed and written."""
    told = {name: [statistics.median(values), min(values), max(values)] for name, values in rows.items() if values}
    print("| in seconds, where nothing else is said | median | least | most |\n| --- | ---: | ---: | ---: |")
    for name, values in told.items():
        print(f"| {name} | {' | '.join(f'{value:.3f}' if value < 1 else f'{value:.2f}' for value in values)} |")
    if "deck by Quarto" in told:
        print(f"\nQuarto takes {told['deck by Quarto'][0] / told['deck, nothing changed'][0]:.1f} times as long as a warm build.")
    machine = {"processor": slow.processor(), "cores": os.cpu_count(), "python": platform.python_version(), "system": platform.system()}
    made = {"machine": machine, "rows": {name: {"runs": rows[name], "median": values[0]} for name, values in told.items()}}
    file = ROOT / "_output" / "bench.json"
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
