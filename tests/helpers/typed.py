"""A small kit without a numeral that somebody typed, and numerals to plant in it."""

from __future__ import annotations

from pathlib import Path

from proof import excuses, source_numbers
from proof.excuses import Declared
from proof.fault import Stray

CLEAN_QMD = """---
title: "Um título"
format:
  revealjs:
    width: 1280
---

```{python}
x = 3
```

## Uma frase {#sec-a width="50%"}

- O peso vale `{python} t.weight(3)`, e uma linha só basta. [q]{.q style="width: 12px"}

::: {.notes}
Nada aqui, na primeira linha. Veja [a página](https://example.org/2024/7.html "fim").
:::

1. Um item
2. Outro

![](f.svg){fig-alt="Uma curva" width=300}
"""


def kit_in(folder: Path) -> Path:
    """A kit without a stray numeral."""
    for name in ("slides/sim", "slides/theme", "data/words/pt", "figures"):
        (folder / name).mkdir(parents=True)
    (folder / "_quarto.yml").write_text("project: {render: [slides/a.qmd]}\n")
    (folder / "slides" / "a.qmd").write_text(CLEAN_QMD, encoding="utf-8")
    words = 'caption: "{count} linhas\\u00a0só"\nlist: [uma, "duração {n2}"]\n'
    (folder / "data" / "words" / "pt" / "t.yml").write_text(words, encoding="utf-8")
    code = '"""Dois números: 3."""\nSIZE = 12\n\n\ndef drawn(axes):\n    axes.text(0, 3, words("key.2"), color="#ff0000")\n'
    (folder / "figures" / "t.py").write_text(code, encoding="utf-8")
    (folder / "slides" / "sim" / "t.mjs").write_text('// três linhas\nconst path = "M 0 0 L 3 4";\nconst key = "h2";\n', encoding="utf-8")
    (folder / "slides" / "theme" / "t.css").write_text('a::after { margin: 3px; content: "\\2192 fim"; }\n', encoding="utf-8")
    return folder


def planted(root: Path, file: str, old: str, new: str) -> None:
    path = root / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def found(root: Path, *declared: Declared, shown: dict | None = None) -> list[Stray]:
    return excuses.strays(source_numbers.typed(root), declared, shown or {})
