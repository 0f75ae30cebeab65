"""The simulators put into a page: the bundle, its order, its errors; nothing left behind, and fast enough for a lecture."""

from __future__ import annotations

import copy
import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import sim_page
from page import modules
from page import simulators as bundler
from sim_page import MODULE, MOUNTED

from figures import hand_example, kv_cache, simulators
from figures.kit.errors import Problem
from figures.kit.json_values import script_json
from figures.simulators.matrix import settings

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def module_page(browser: Browser) -> Page:
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    sim_page.serve(context, sim_page.article([]))
    page = context.new_page()
    page.goto(sim_page.ORIGIN)
    return page


MOUNT = f"async ([name, params]) => {{ {MOUNTED}; await mounted(name, params); }}"


# The bundle


def written(folder: Path, **modules: str) -> Path:
    for name, text in modules.items():
        (folder / f"{name}.mjs").write_text(text, encoding="utf-8")
    return folder


def test_a_bundle_keeps_names_apart_and_runs_the_entry(tmp_path: Path, browser: Browser) -> None:
    (tmp_path / "kit").mkdir()
    folder = written(
        tmp_path,
        **{
            "kit/a": "// told nowhere\nconst secret = 1;\nexport function one() {\n  return secret;\n}\nexport const two = 2;\n",
            "kit/b": 'import { one as first, two } from "./a.mjs";\nconst secret = 10;\n'
            "export class Sum {\n  value = first() + two + secret;\n}\n",
            "page": 'import * as b from "./kit/b.mjs";\nimport { one } from "./kit/a.mjs";\n'
            "export function start(more) {\n  window.sum = new b.Sum().value + one() + more;\n}\n",
        },
    )
    text = modules.bundle(folder, "page.mjs", start="100")
    assert text == modules.bundle(folder, "kit/a.mjs", "page.mjs", start="100")
    assert "told nowhere" not in text
    assert text.count("const kit_a_mjs") == 1
    assert text.index("const kit_a_mjs") < text.index("const kit_b_mjs") < text.index("const page_mjs")
    page = browser.new_page()
    page.set_content(f"<script type='module'>{text}</script>")
    page.wait_for_function("window.sum === 114")
    page.close()


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ('import a from "./a.mjs";\n', "doesn't understand"),
        ('import { a } from "./missing.mjs";\nexport function start() {}\n', "which is not there"),
        ("export default 1;\n", "doesn't understand"),
        ('import { start } from "./page.mjs";\n', "import each other"),
        ("export function start() {\n  return '</script>';\n}\n", "</script"),
    ],
)
def test_what_the_bundler_cannot_do_it_says(page: str, said: str, tmp_path: Path) -> None:
    written(tmp_path, page=page, a="export const a = 1;\n")
    with pytest.raises(Problem, match=said):
        modules.bundle(tmp_path, "page.mjs")


def page_with(*names: str) -> str:
    hosts = "".join(f'<div class="cell sim" data-sim="{name}"></div>' for name in names)
    return f"<html><head></head><body><script>'</head></body>'</script><p class='sim'>texto</p>{hosts}</body></html>"


def test_a_page_gets_the_bundle_once_and_only_if_it_has_simulators() -> None:
    assert bundler.inline(page_with()) == page_with()
    once = bundler.inline(page_with("banco"))
    assert once.count('id="simulators-script"') == once.count('id="simulators-style"') == 1
    assert bundler.inline(once) == once
    assert "<script>'</head></body>'</script>" in once
    assert once.index("simulators-style") < once.index("</head>") < once.index("simulators-script") < once.rindex("</body>")


SUM = {
    "sum/model": "export const run = (data, { x }) => ({ sum: x + data.one });\n",
    "sum/view": 'import { bound, toggle } from "../kit/controls.mjs";\nimport { element } from "../kit/draw.mjs";\n'
    'export function build(panel) {\n  const sum = element("p");\n  panel.follow((_, result) => (sum.textContent = result.sum));\n'
    '  return { body: [sum, bound(panel, toggle, "x")], heard: () => "" };\n}\n',
}
WORDS = {"name": "Sum", "reset": "Again", "verify": "Check", "verified": "{equal} of {total}", "differs": "wrong", "x": "one more"}


def test_a_folder_is_all_that_a_simulator_takes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser: Browser) -> None:
    shutil.copytree(sim_page.SIM / "kit", tmp_path / "kit")
    (tmp_path / "sum").mkdir()
    written(tmp_path, **SUM)
    (tmp_path / "sum" / "sum.css").write_text("p { color: rgb(1, 2, 3); }\n", encoding="utf-8")
    monkeypatch.setattr(bundler, "FOLDER", tmp_path)
    golden = [{"state": {"x": True}, "result": {"sum": 2}}]
    locale = {"decimal": ",", "minus": "−"}
    params = {"name": "sum", "data": {"one": 1}, "opening": {"x": False}, "golden": golden, "words": WORDS, "locale": locale}
    host = f'<div class="sim" data-sim="sum"><script type="application/json" class="sim-params">{json.dumps(params)}</script></div>'
    page = browser.new_page()
    page.set_content(bundler.inline(f"<html><head></head><body>{host}</body></html>"))
    assert page.locator(".sim-sum p").inner_text() == "1"
    assert page.locator(".sim-sum p").evaluate("(p) => getComputedStyle(p).color") == "rgb(1, 2, 3)"
    page.locator("[role=switch]").click()
    page.locator("button:text-is('Check')").click()
    assert page.locator(".sim-sum p").inner_text() == "2"
    assert page.locator(".sim-report").inner_text() == "1 of 1"
    page.close()


def test_a_page_carries_the_simulators_that_it_shows_and_no_others() -> None:
    html = bundler.inline(page_with("banco", "cache", "banco"))
    assert [name for name in sim_page.NAMES if f"const {name}_view_mjs" in html] == ["banco", "cache"]
    assert [name for name in sim_page.NAMES if f":is(.sim-{name}," in html] == ["banco", "cache"]


def test_a_simulator_without_a_folder_is_refused_by_name() -> None:
    for unknown in ("bank", "kit"):
        with pytest.raises(Problem, match=f'data-sim="{unknown}".*slides/sim/ has no simulator {unknown}'):
            bundler.inline(page_with("banco", unknown))


def test_every_module_on_the_disk_is_reached_and_within_its_budget() -> None:
    text = bundler.script([*sim_page.NAMES, MODULE])
    for file in sim_page.SIM.rglob("*.mjs"):
        assert f"const {modules.name(file.relative_to(sim_page.SIM).as_posix())} = " in text, f"{file} is imported by nobody"
    assert len(text.encode()) < 100_000


def test_the_fonts_are_asked_for_what_simulators_write() -> None:
    letters = bundler.characters(sim_page.host(simulators.banco().params()))
    assert {"⁻", "⁹", "×", "−", "①", "√", "𝑞", "𝑘", "𝑑"} <= letters
    assert bundler.characters("<p>nada</p>") == set()


def test_no_data_is_typed_into_the_modules() -> None:
    told = {*hand_example.example().names, *(model.name for model in kv_cache.models()), "telhado", "assento", "H100"}
    text = "\n".join(file.read_text(encoding="utf-8") for file in sim_page.SIM.rglob("*.mjs"))
    code = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("//"))
    assert [word for word in told - set(sim_page.NAMES) if word in code] == []


# Forks


def test_a_fork_changes_language_and_numbers_without_javascript(browser: Browser) -> None:
    params = json.loads(script_json(simulators.banco().params()))
    params |= {"locale": {"decimal": ".", "minus": "-"}}
    params["data"] |= {"tokens": ["river", "bank", "water", "mud"], "meaning": ["shore", "money"], "undecided": 0.1}
    params["opening"] = {"q": [0, 1.5], "keys": [[1, 0], [1, 1], [0, -2], [0.5, 0.5]], "values": [[1, 0], [0, 1], [0, 1], [0, 1]], "dk": 4}
    params["words"] |= {"reset": "Start over", "undecided": "on the fence"}
    page = module_page(browser)
    page.evaluate(MOUNT, ["banco", params])
    text = page.locator(".sim-live").inner_text()
    assert "Start over" in text
    assert "money" in text
    assert "mud" in text
    assert "1.5" in [field.input_value() for field in page.locator("input[type=text]").all()]
    assert page.locator(".banco-steps tbody tr").count() == 5
    page.context.close()


# Nothing is left behind

COUNTING = """() => {
  const counts = (window.counts = { listeners: 0, timers: new Set(), frames: 0 });
  const { addEventListener, removeEventListener } = EventTarget.prototype;
  EventTarget.prototype.addEventListener = function (type, handler, options) {
    if (this instanceof AbortSignal) return addEventListener.call(this, type, handler, options);
    counts.listeners++;
    options?.signal?.addEventListener('abort', () => counts.listeners--);
    return addEventListener.call(this, type, handler, options);
  };
  EventTarget.prototype.removeEventListener = function (...given) {
    counts.listeners--;
    return removeEventListener.apply(this, given);
  };
  const { setTimeout, clearTimeout } = window;
  window.setTimeout = (task, ms, ...more) => {
    const id = setTimeout((...args) => { counts.timers.delete(id); task(...args); }, ms, ...more);
    counts.timers.add(id);
    return id;
  };
  window.clearTimeout = (id) => { counts.timers.delete(id); clearTimeout(id); };
  window.setInterval = () => { throw new Error('an interval'); };
  window.requestAnimationFrame = () => { throw new Error('a frame'); };
}"""

UNDONE = f"""async ([name, params]) => {{
  {MOUNTED}
  const host = document.querySelector('main');
  const before = host.innerHTML;
  const handle = await mounted(name, params);
  const walker = document.createTreeWalker(host);
  let nodes = 0;
  while (walker.nextNode()) nodes++;
  const during = {{ listeners: counts.listeners, nodes }};
  for (const button of host.querySelectorAll('button')) if (!button.disabled) button.click();
  for (const range of host.querySelectorAll('input[type=range]')) range.dispatchEvent(new Event('input', {{ bubbles: true }}));
  handle.reset();
  handle.destroy();
  const same = host.innerHTML === before;
  return {{ during, listeners: counts.listeners, timers: counts.timers.size, same, live: 'live' in host.dataset }};
}}"""

AGAIN = f"""async ([name, params, times]) => {{
  {MOUNTED}
  for (let i = 0; i < times; i++) (await mounted(name, params)).destroy();
}}"""


@pytest.mark.parametrize("name", [*sim_page.NAMES, MODULE])
def test_unmounting_undoes_all_that_mounting_did(name: str, browser: Browser) -> None:
    page = module_page(browser)
    page.evaluate(COUNTING)
    params = json.loads(script_json(sim_page.made(name).params()))
    session = page.context.new_cdp_session(page)
    left = page.evaluate(UNDONE, [name, params])
    assert left["during"]["listeners"] > 3
    assert left | {"during": None} == {"during": None, "listeners": 0, "timers": 0, "same": True, "live": False}

    def heap() -> dict[str, float]:
        for _ in range(3):  # what one collection sets free may hold more that the next one finds
            session.send("HeapProfiler.collectGarbage")
            page.wait_for_timeout(50)
        found = {metric["name"]: metric["value"] for metric in session.send("Performance.getMetrics")["metrics"]}
        return {name: found[name] for name in ("JSEventListeners", "Nodes")}

    session.send("Performance.enable")
    page.evaluate(AGAIN, [name, params, 3])
    before = heap()
    page.evaluate(AGAIN, [name, params, 12])
    after = heap()
    # The last one may still wait for the collector; of twelve, no more than that.
    assert after["JSEventListeners"] - before["JSEventListeners"] <= left["during"]["listeners"]
    assert after["Nodes"] - before["Nodes"] <= 2 * left["during"]["nodes"]
    page.context.close()


# Fast

EVENTS = 60
WORK = {
    "EventDispatch",
    "FunctionCall",
    "RunMicrotasks",
    "UpdateLayoutTree",
    "Layout",
    "PrePaint",
    "Paint",
    "Layerize",
    "Commit",
    "MinorGC",
}

DRAG = """async ([control, n]) => {
  const target = document.querySelector(control);
  const frames = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  await frames();
  for (let i = 0; i < n; i++) {
    performance.mark(`event-${i}`);
    if (target.type === 'range') {
      target.value = Number(target.min) + (target.max - target.min) * ((i * 37) % 101) / 100;
      target.dispatchEvent(new Event('input', { bubbles: true }));
    } else if (target.classList.contains('sim-heat')) {
      const area = target.querySelector('canvas').getBoundingClientRect();
      const clientY = area.top + (area.height * (((i * 37) % 101) + 0.5)) / 102;
      target.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, clientX: area.left + 9, clientY }));
    } else target.click();
    await frames();
  }
  performance.mark('event-end');
}"""


def costs(browser: Browser, page: Page, control: str) -> list[float]:
    """Milliseconds of script, style, layout and paint on the main thread, one number for each input event."""
    browser.start_tracing(page=page, categories=["devtools.timeline", "blink.user_timing", "disabled-by-default-devtools.timeline"])
    page.evaluate(DRAG, [control, EVENTS])
    events = json.loads(browser.stop_tracing())["traceEvents"]
    marks = [event for event in events if event["name"].startswith("event-") and event.get("ph") in {"I", "R", "n", "b"}]
    thread = {(mark["pid"], mark["tid"]) for mark in marks}
    assert len(thread) == 1, "the marks stand in one thread"
    starts = sorted(mark["ts"] for mark in marks)
    work = [event for event in events if (event["pid"], event["tid"]) in thread and event["name"] in WORK and event.get("dur")]
    return [sum(_outermost([event for event in work if start <= event["ts"] < end])) for start, end in zip(starts, starts[1:])]


def _outermost(events: list[dict[str, Any]]) -> list[float]:
    """The time of the thread in events that stand in no other, so that nothing counts twice."""
    found, until = [], 0.0
    for event in sorted(events, key=lambda event: (event["ts"], -event["dur"])):
        if event["ts"] >= until:
            found.append(event.get("tdur", event["dur"]) / 1000)
            until = event["ts"] + event["dur"]
    return found


def wide_matrix(n: int = 64) -> dict[str, Any]:
    """The matrix's parameters for a sentence of n tokens."""
    params = copy.deepcopy(json.loads(script_json(simulators.matrix().params())))
    rng = np.random.default_rng(0)
    draws = {name: rng.normal(size=(n, int(settings().dk.max))).round(3).tolist() for name in ("queries", "keys")}
    params["data"] |= {"tokens": [f"token{i}" for i in range(n)], **draws}
    params["golden"] = []
    return params


DRAGGED = {
    "gradient": "input[type=range]",
    "bpe": "input[type=range]",
    "banco": "input[type=range]",
    "matrix": "input[type=range]",
    "matrix, by row": ".sim-heat",
    "multihead": ".sim-toggle input",
    "cache": "input[type=range]",
    MODULE: "input[type=range]",
}
DEAREST = ("matrix, by row", MODULE)  # the others have less to draw


END_TO_END = """async ([control, n]) => {
  const target = document.querySelector(control);
  const spent = [];
  for (let i = 0; i < n; i++) {
    await new Promise((done) => setTimeout(done, 20));
    const start = performance.now();
    target.value = Number(target.min) + (target.max - target.min) * ((i * 37) % 101) / 100;
    target.dispatchEvent(new Event('input', { bubbles: true }));
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    spent.push(performance.now() - start);
  }
  return spent;
}"""


def test_the_way_from_the_hand_to_the_screen_is_told_beside_an_empty_page(browser: Browser, capsys: pytest.CaptureFixture[str]) -> None:
    page = module_page(browser)
    page.evaluate("document.querySelector('main').innerHTML = '<input type=range min=0 max=100>'")
    empty = page.evaluate(END_TO_END, ["input", EVENTS])
    page.evaluate("document.querySelector('main').innerHTML = ''")
    page.evaluate(MOUNT, ["matrix", wide_matrix()])
    full = page.evaluate(END_TO_END, ["input[type=range]", EVENTS])
    told = {name: float(np.percentile(spent, 95)) for name, spent in (("an empty page", empty), ("the 64 x 64 matrix", full))}
    with capsys.disabled():
        print("\nevent to next frame, p95: " + ", ".join(f"{name} {ms:.0f} ms" for name, ms in told.items()))
    assert min(told.values()) > 0
    page.context.close()


@pytest.mark.parametrize("name", [name if name in DEAREST else pytest.param(name, marks=pytest.mark.slow) for name in DRAGGED])
def test_an_input_event_costs_at_most_eight_milliseconds(name: str, browser: Browser, capsys: pytest.CaptureFixture[str]) -> None:
    simulator = name.partition(",")[0]
    params = wide_matrix() if simulator == "matrix" else json.loads(script_json(sim_page.made(simulator).params()))
    page = module_page(browser)
    page.evaluate(MOUNT, [simulator, params])
    page.evaluate(DRAG, [DRAGGED[name], 20])
    at95 = np.inf
    for _ in range(5):  # whatever else the machine does only adds: the quietest of five counts
        spent = costs(browser, page, DRAGGED[name])
        assert len(spent) == EVENTS
        at95 = min(at95, float(np.percentile(spent, 95)))
        if at95 <= 8:
            break
    with capsys.disabled():
        print(f"\n{name}: median {np.median(spent):.1f} ms, p95 {at95:.1f} ms an input event")
    assert at95 <= 8
    page.context.close()
