"""What must be there before a cell runs: results that take long, measured once and stored; simulators' states; what paper needs.

Where nothing that any of it comes from has changed since it was last asked, no module of figures/ is imported to ask again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from base import atomic_write, pack
from base.failures import placed
from base.progress import Progress
from proof import made_of

from engine.document import Document
from engine.surroundings import environment
from figures.kit import files, language, qmd
from figures.kit.errors import Problem

STORED = (Path(".cache", "slow"), Path(".cache", "states"))
ON_SCREEN = {"html", "revealjs", "ipynb", "none"}


def ready(root: Path, progress: Progress, documents: Sequence[Document] = (), wanted: Sequence[str] = ("typst", "pdf", "docx")) -> None:
    """All of it for documents and formats. What a module has to say of this build, in its `notice()`, is said."""
    if not (root / "figures").is_dir():
        return
    if not ON_SCREEN.issuperset(wanted):
        _for_paper(root)
    for notice in _notices(root, progress, documents):
        progress.say(notice)


def _for_paper(root: Path) -> None:
    from paper import latex_theme, office_styles, typst_fonts

    typst_fonts.ready(root)
    latex_theme.ready(root)
    office_styles.ready(root)


def _notices(root: Path, progress: Progress, documents: Sequence[Document]) -> list[str]:
    """What the modules have to say, everything stored; looked up where all was stored when they last said it."""
    if root != files.ROOT or not documents:
        return list(_stored(root, progress, documents))
    known = made_of.digests(root)
    own = {name: digest for name, digest in known.items() if name.startswith(("figures/", "data/"))}
    calls = sorted({piece.code for document in documents for line in document.lines for piece in qmd.inline(line.text)})
    cells = [part.code for document in documents for part in qmd.parts(document.lines) if isinstance(part, qmd.Cell)]
    with pack.opened(f"before {documents[0].place.file}", environment(documents[0].path, [], known)) as results:
        key = [json.dumps(own), *calls, *cells]
        said = results.find(pack.digest([*key, *_files(root)]))
        notices: list[str] = json.loads(said) if said is not None else list(_stored(root, progress, documents))
        results.put(pack.digest([*key, *_files(root)]), json.dumps(notices).encode())
    return notices


def _files(root: Path) -> list[str]:
    """The names of what is stored."""
    return sorted(file.name for folder in STORED if (root / folder).is_dir() for file in (root / folder).iterdir())


def _stored(root: Path, progress: Progress, documents: Sequence[Document]) -> Iterator[str]:
    """Stores what is lacking, then says what each module has to say, as that a recorded measurement is shown."""
    from figures.kit import slow
    from figures.kit.modules import modules

    with placed("figures", root):
        loaded = list(modules())
    for job in slow.pending():
        progress(f"{job.title} ({job.name}, once for this code, data and machine)")
        with placed(job.name, root):
            atomic_write.write(job.path, job.compute())
    for document in documents:
        _keep_states(document, progress)
    for module in loaded:
        with placed(module.__name__, root):
            notice = module.notice() if hasattr(module, "notice") else None
        if notice:
            yield notice


def _keep_states(document: Document, progress: Progress) -> None:
    """The states of the simulators that a document calls, kept for its cells; what can't be made is told where a cell asks for it."""
    from figures.kit.precomputed import store

    with language.speaking(language.of(document.path)):
        for job in store.pending("\n".join(line.text for line in document.lines)):
            progress(f"{job.title} ({job.name}, once for this code and data)")
            with suppress(Problem):
                atomic_write.write(job.path, job.compute())
