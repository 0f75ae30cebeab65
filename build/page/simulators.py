"""The simulators that a page shows put into it: their modules as one script, their sheets as one style.

A simulator is a folder of slides/sim/ with model.mjs, view.mjs and a sheet; `data-sim` on the page names it. Those whose states
Python has computed share one module of slides/sim/kit.
`inline(html)` is pure beside reading slides/sim/, leaves a finished page as it is, and a page without simulators too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from base import pieces
from base.html_tree import parse

from figures.kit.errors import Problem
from figures.kit.math_letters import italic
from page.inject import with_head, with_parts, without
from page.modules import ROOT, bundle, name

FOLDER = ROOT / "slides" / "sim"
OF_THE_KIT = {"precomputed": ("kit/precomputed.mjs",)}  # the modules of those that need no folder
# What a link says of simulators is taken out of the address before reveal.js reads it: see slides/sim/kit/address.mjs.
AT_ONCE = """<script id="link-script">
(() => {
  const take = () => {
    const [whole, place] = location.hash.match(/^(#.*?)(?:\\?|%3F)/i) ?? [];
    if (!whole) return;
    document.documentElement.dataset.link = location.hash;
    try { history.replaceState(history.state, "", place); } catch {}
    dispatchEvent(new Event("simulatorlink"));
  };
  addEventListener("hashchange", take);
  take();
})();
</script>
"""
_FORMULA = re.compile(r"\$([^$\n\"]{1,80})\$")


def inline(html: str) -> str:
    """The page with the style and script of its simulators, if it holds any."""
    html = without(without(html, "simulators"), "link")
    names = used(html)
    return with_parts(with_head(html, AT_ONCE), "simulators", script(names), style(names)) if names else html


def used(html: str) -> list[str]:
    """The simulators of a page, each once, in its order; a Problem for a name that has no folder."""
    hosts = [host for piece in pieces.pieces(html) if "data-sim" in piece for host in parse(piece).all("div", "sim")]
    names = list(dict.fromkeys(host.attributes["data-sim"] for host in hosts if "data-sim" in host.attributes))
    there = sorted(view.parent.name for view in FOLDER.glob("*/view.mjs"))
    for unknown in (one for one in names if one not in (*there, *OF_THE_KIT)):
        raise Problem(f'data-sim="{unknown}"', f"slides/sim/ has no simulator {unknown}", f"It has {', '.join(there)}")
    return names


def script(names: Iterable[str]) -> str:
    """The modules of these simulators, and the call that brings them to life."""
    modules = {one: OF_THE_KIT.get(one, (f"{one}/model.mjs", f"{one}/view.mjs")) for one in names}
    registry = ", ".join(f"{one}: {{ {', '.join(f'...{name(file)}' for file in files)} }}" for one, files in modules.items())
    files = [file for its in modules.values() for file in its]
    return bundle(FOLDER, *files, "kit/page.mjs", start=f"{{ {registry} }}")


def style(names: Iterable[str]) -> str:
    """The kit's sheets, nested in the live part of a simulator, then that of each simulator, nested in its own.

    The rules of the deck and of Quarto for tables, lists and pictures lie in no layer, so none of ours could win over
    them: the id that `:is` could match, and never does, lends its weight.
    """
    sheets = [("sim-live", sheet) for sheet in sorted((FOLDER / "kit").glob("*.css"))]
    sheets += [(f"sim-{one}", sheet) for one in names for sheet in sorted((FOLDER / one).glob("*.css"))]
    return "".join(f":is(.{scope}, #sim-live) {{\n{sheet.read_text(encoding='utf-8')}}}\n" for scope, sheet in sheets)


def characters(html: str) -> set[str]:
    """The characters that the simulators of a page may write, which stand in no visible text: for the page's fonts."""
    names = used(html)
    if not names:
        return set()
    params = "".join(
        piece[data.inside : data.close]
        for piece in pieces.pieces(html)
        if "sim-params" in piece
        for data in parse(piece).all("script", "sim-params")
    )
    letters = {letter for formula in _FORMULA.findall(params) for letter in formula if letter.isascii() and letter.isalpha()}
    return {one for one in params + script(names) if ord(one) > 126} | {italic(letter) for letter in letters}
