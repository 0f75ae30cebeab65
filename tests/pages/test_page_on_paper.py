"""The pages to read as PDF by Typst: their sections, and all that they show, without a TeX."""

from __future__ import annotations

import io
from pathlib import Path

import poppler
import pytest
from base.progress import Progress
from engine import embedded
from engine.document import executed, opened
from proof import output_check

from figures.kit import ledger, qmd, shown

pypdf = pytest.importorskip("pypdf")
pytest.importorskip("typst")
SLIDES = Path(__file__).resolve().parents[2] / "slides"


@pytest.mark.parametrize("name", ["query-key-value", "laboratorio"])
def test_a_page_on_paper_holds_all_that_was_shown_under_its_sections(name: str):
    source = opened(SLIDES / f"{name}.qmd")
    ledger.clear()
    settings = source.settings("typst", embedded.FORMATS["typst"].OPTIONS)
    document = executed(source, bool(settings.get("execute.echo")), Progress(io.StringIO()), ["typst"])
    made = embedded.FORMATS["typst"].render(document, settings)
    assert isinstance(made, bytes)
    output_check.check(Path("d.pdf"), made, [output_check.Shown(**entry) for entry in shown.listed(ledger.entries())])
    assert poppler.complaints(made) == ""
    pdf = pypdf.PdfReader(io.BytesIO(made))
    top = [item for item in pdf.outline if not isinstance(item, list)]
    assert len(top) == sum(heading.level == 2 for heading in qmd.headings(source.lines))
    assert pdf.metadata.title == str(source.layers[1]["title"].value) and pdf.trailer["/Root"]["/Lang"] == "pt-BR"
    fonts = {str(font.get_object()["/BaseFont"]) for page in pdf.pages for font in page["/Resources"].get("/Font", {}).values()}
    assert {name.partition("+")[2].partition("-")[0] for name in fonts} == {"FiraSans", "FiraCode", "STIXTwoMath"}
