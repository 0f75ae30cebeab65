"""Pages that hold simulators and nothing else: shared by the tests of the simulators."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import spring
from base.assets import reveal
from engine import self_contained as pages
from page import fonts
from page import simulators as bundler
from page.theme_css import theme_css

from figures import simulators
from figures.kit.json_values import script_json
from figures.kit.precomputed.page import MODULE, Precomputed
from figures.kit.simulator import Simulator

SIM = Path(__file__).resolve().parents[2] / "slides" / "sim"
THEME = SIM.parent / "theme"
DECK_CSS = (THEME / "shared.css", THEME / "deck.css")
PAGE_CSS = (THEME / "shared.css", THEME / "page.css")


def shown(*pages: str) -> list[str]:
    """The simulators that pages of slides/ show, each once, in order of appearance."""
    text = "\n".join((SIM.parent / page).read_text(encoding="utf-8") for page in pages if (SIM.parent / page).is_file())
    return list(dict.fromkeys(re.findall(r"^simulators\.(\w+)\(\)$", text, re.MULTILINE)))


DECK = shown(*(f"_atos/{act.name}" for act in sorted((SIM.parent / "_atos").glob("*.qmd"))))
CHAPTER = shown("query-key-value.qmd")
NAMES = list(dict.fromkeys([*DECK, *CHAPTER]))
ALL = [*DECK, MODULE]  # and one whose states Python computes
ORIGIN = "http://sim.test"
WIDTH, HEIGHT = 1280, 720
# JavaScript: `mounted(name, params)` puts a simulator into the page's main element, from modules that `serve` answers with.
MOUNTED = """async function mounted(name, params) {
  const { mount } = await import('/kit/panel.mjs');
  const files = name === 'precomputed' ? ['kit/precomputed'] : [`${name}/model`, `${name}/view`];
  const modules = await Promise.all(files.map((file) => import(`/${file}.mjs`)));
  return mount(document.querySelector('main'), params, Object.assign({}, ...modules));
}"""


def made(name: str) -> Simulator | Precomputed:
    """The simulator of this name among ALL."""
    return spring.made() if name == MODULE else getattr(simulators, name)()


def host(params: dict[str, Any]) -> str:
    """A simulator as pandoc writes it, with a word for its picture, and the JSON beside it."""
    return (
        f'<div class="sim" data-sim="{params["name"]}">\n<div class="sim-static"><p>figura</p></div>\n'
        f'<script type="application/json" class="sim-params">{script_json(params)}</script>\n</div>'
    )


def deck(simulators: Iterable[Simulator | Precomputed], faces: bool = False) -> str:
    """A deck of reveal.js: a slide without simulator, then one for each."""
    slides = '<section id="sec-start" class="slide level2"><h2>Início</h2><p>texto</p></section>\n' + "\n".join(
        f'<section id="sec-{params["name"]}" class="slide level2"><h2>{params["words"]["name"]}</h2>\n{host(params)}\n</section>'
        for params in (one.params() for one in simulators)
    )
    base = reveal() / "dist"
    styles = [base / "reset.css", base / "reveal.css", *DECK_CSS]
    settings = {"width": WIDTH, "height": HEIGHT, "margin": 0, "center": False, "transition": "none", "controls": False, "hash": True}
    start = f"<script>Reveal.initialize({json.dumps(settings)});</script>"
    body = f'<div class="reveal"><div class="slides">\n{slides}\n</div></div>\n{pages.script(base / "reveal.js")}\n{start}'
    return _whole(body, "".join(map(pages.style, styles)), faces)


def article(simulators: Iterable[Simulator], faces: bool = False) -> str:
    """A page that scrolls, as the chapter does."""
    return _whole("<main>" + "\n".join(host(one.params()) for one in simulators) + "</main>", "".join(map(pages.style, PAGE_CSS)), faces)


def _whole(body: str, head: str, faces: bool) -> str:
    start = f'<!DOCTYPE html>\n<html lang="pt-BR">\n<head>\n<meta charset="utf-8">\n<title>Simuladores</title>\n{head}\n</head>\n'
    html = f"{start}<body>\n{body}\n</body>\n</html>\n"
    html = bundler.inline(html)
    tokens = f"<style>{theme_css(html)}\n{fonts.font_faces(html) if faces else ''}</style>\n"
    return html.replace("</head>", tokens + "</head>", 1)


def serve(context: Any, html: str = "", changed: dict[str, str] | None = None) -> None:
    """Answers every request of `context` from here: the page itself, and the modules, some of them `changed`."""

    def answer(route: Any) -> None:
        name = route.request.url.removeprefix(ORIGIN).lstrip("/").partition("?")[0]
        if name.endswith(".mjs"):
            text = (changed or {}).get(name) or (SIM / name).read_text(encoding="utf-8")
            route.fulfill(body=text, content_type="text/javascript; charset=utf-8")
        else:
            route.fulfill(body=html or "<!DOCTYPE html><title>vazia</title>", content_type="text/html; charset=utf-8")

    context.route("**/*", answer)
