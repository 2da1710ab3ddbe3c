"""Check that every link between the built pages leads somewhere, and that none leaves the site."""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LEADS = {"a": "href", "link": "href", "img": "src", "script": "src", "source": "src"}
EMBEDDED = ("script", "img", "link", "source")


class Page(HTMLParser):
    """What a page links to, and the anchors it has."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[tuple[str, str]] = []
        self.anchors = {""}
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the link and the anchor of a tag."""
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if given.get(LEADS.get(tag, ""), ""):
            self.links.append((tag, given[LEADS[tag]]))


def broken(root: Path) -> list[str]:
    """Name the links of a site that lead nowhere, and what a page would load from elsewhere."""
    parts = (path for path in root.rglob("*.html") if "_static" not in path.parts)  # templates
    pages = {path.resolve(): Page(path) for path in parts}
    found = []
    for path, page in pages.items():
        for tag, link in page.links:
            why = _why(link, path, pages, embedded=tag in EMBEDDED)
            if why:
                found.append(f"{path.relative_to(root.resolve())}: {link}: {why}")
    return found


def _why(link: str, path: Path, pages: dict[Path, Page], *, embedded: bool) -> str:
    parts = urlsplit(link)
    if parts.scheme == "data":
        return ""
    if parts.scheme or parts.netloc:
        return "loaded from elsewhere" if embedded else ""
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not target.exists():
        return "no such file"
    known = target not in pages or unquote(parts.fragment) in pages[target].anchors
    # The report makes its own anchors as it is used.
    return "" if known or target.name == "demo.html" else "no such anchor"


def main() -> int:
    """Print the broken links of the site in the folder that is named."""
    found = broken(Path(sys.argv[1]))
    sys.stdout.write("".join(f"{line}\n" for line in found))
    return bool(found)


if __name__ == "__main__":
    raise SystemExit(main())
